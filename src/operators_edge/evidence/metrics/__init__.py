"""The package ``evidence.metrics``."""

# end of module
