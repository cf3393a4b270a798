"""The package ``memory``."""
