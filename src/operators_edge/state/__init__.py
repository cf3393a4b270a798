"""The package ``state``."""
