"""The package ``inquiry``."""
