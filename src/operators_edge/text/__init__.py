"""The package ``text``."""
