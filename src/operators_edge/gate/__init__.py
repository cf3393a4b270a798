"""The package ``gate``."""
