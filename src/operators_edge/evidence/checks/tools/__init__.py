"""The package ``evidence.checks.tools``."""
