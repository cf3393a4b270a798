"""The package ``redaction``."""

# end of module
