"""The package ``evidence``."""
