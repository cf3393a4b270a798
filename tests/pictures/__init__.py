"""The pictures of README and docs, made by running the product: ``make pictures``."""
