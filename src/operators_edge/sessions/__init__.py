"""The package ``sessions``."""
