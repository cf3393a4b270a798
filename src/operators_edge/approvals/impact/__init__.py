"""The package ``approvals.impact``."""
