"""The package ``redaction``."""
