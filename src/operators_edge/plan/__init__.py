"""The package ``plan``."""
