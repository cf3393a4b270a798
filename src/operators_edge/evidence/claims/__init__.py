"""The package ``evidence.claims``."""
