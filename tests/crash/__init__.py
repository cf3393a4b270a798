"""Processes killed at every durable step of every operation, and at random moments (``make crash``)."""
