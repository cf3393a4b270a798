"""The package ``evidence.checks.tools``."""

# end of module
