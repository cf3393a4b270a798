"""The package ``cli.commands``."""
