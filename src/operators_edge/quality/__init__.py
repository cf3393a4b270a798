"""The package ``quality``."""
