"""The package ``patrol``."""
