"""The package ``evidence.metrics``."""
