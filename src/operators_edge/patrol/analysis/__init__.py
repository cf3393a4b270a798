"""Looks at a project's files: which there are, what is in them, what tests ran, how often they change."""
