"""The package ``archive``."""
