"""The package ``storage``."""
