"""The package ``git``."""
