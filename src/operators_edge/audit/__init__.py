"""The package ``audit``."""
