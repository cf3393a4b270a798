"""The package ``evidence.tamper``."""
