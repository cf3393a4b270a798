"""The package ``evidence.checks``."""
