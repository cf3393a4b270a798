"""The package ``approvals``."""
