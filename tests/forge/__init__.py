"""The attack suite: an agent that wants a dangerous call through without the person (``make forge``)."""
