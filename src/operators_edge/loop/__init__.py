"""The package ``loop``."""
