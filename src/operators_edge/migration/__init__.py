"""The package ``migration``."""
