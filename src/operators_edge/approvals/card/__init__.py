"""The package ``approvals.card``."""
