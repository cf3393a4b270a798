"""Watchers that are killed and paused, and agents that misbehave (``make chaos``)."""
