"""The package ``shell``."""
