"""The package ``hosts.claude``."""
