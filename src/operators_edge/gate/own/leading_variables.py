"""Variables that lead a program to another place than its words say: a server, a cluster, a repository.

Owns their names. Does not own variables that hold an address (``shell.code.addresses``), nor which ones a
program reads (``reads_env`` in the packs). Pure.
"""

from __future__ import annotations

from operators_edge.text.patterns import pattern

_ENGINE = r"(?:DOCKER|CONTAINER)_(?:HOST|CONTEXT|CONFIG)"
_SERVERS = (
    rf"{_ENGINE}|PG(?:HOST\w*|SERVICE\w*|SYSCONFDIR)|MYSQL_(?:HOST|TCP_PORT|UNIX_PORT)"
    r"|HELM_KUBE\w*"
)
LEADS_ENGINE = pattern(_ENGINE)
LEADS = pattern(
    rf"{_SERVERS}|PATH|GIT_\w+|PGPORT|(?:DOCKER|CONTAINER|COMPOSE)_(?!(?:PROJECT_NAME|FILE)$)\w+"
)
"""Set for a command, it may not reach what the line has made."""
NAMED_BY_TASKS = pattern(
    rf"\b(?:{_SERVERS}|COMPOSE_PROFILES|PGOPTIONS|(?:MYSQL|REDISCLI|HELM)_\w+|KUBE\w+)\b"
)
"""Named anywhere in a file of tasks: which of its lines get it is not known."""


# end of module
