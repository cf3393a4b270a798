"""Where an application of Rails keeps the files that people attach, in the environment of a command.

``config.active_storage.service = :amazon`` chooses a part of ``config/storage.yml``. Owns which part that
is, and whether it is on another machine. Does not own what a program does to those files
(``shell.code.client_calls``). Pure but for ``Facts``. Loaded for programs of Ruby.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate.disk.search import SearchPart
from operators_edge.shell.code.addresses import host_of, is_here
from operators_edge.shell.code.comments import HASH, without_comments
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_CHOSEN = pattern(r"\bactive_storage\.service\s*=\s*([^\n]+)")
_FROM_VARIABLE = pattern(
    r"\bENV(?:\.fetch)?[\[(]\s*['\"](\w+)['\"]\s*(?:,\s*['\"]([^'\"]*)['\"])?\s*[\])]"
)
_NAME = pattern(r"(?<![\w.])(?::|['\"])([a-z]\w*)")
_PART = r"(?m)^{name}:[^\n]*\n(?P<body>(?:[ \t]+[^\n]*(?:\n|\Z)|[ \t]*\n)*)"
_PARTS = pattern(r"(?m)^([a-z]\w*):")
_SERVICE = pattern(r"(?m)^[ \t]+service:[ \t]*['\"]?(\w+)")
_MIRRORED = pattern(r"(?m)^[ \t]+(?:primary|mirrors):[ \t]*([^\n]*(?:\n[ \t]+-[^\n]*)*)")
_ENDPOINT = pattern(r"(?m)^[ \t]+endpoint:[ \t]*['\"]?([^\s'\"<]+)")
_VENDORS = {
    "S3": "s3.amazonaws.com",
    "GCS": "storage.googleapis.com",
    "AzureStorage": "core.windows.net",
    "AzureBlob": "core.windows.net",
}
_MAX_MIRRORS = 3


class RailsStorage(SearchPart):
    """The store of one application."""

    def settings(self, environment: str, variables: Mapping[str, str]) -> dict[str, str]:
        """The files that say so, with a line for each store on another machine: ``attachments_at: HOST``."""
        root = self.search.folder or self.context.root
        path = os.path.join(root, f"config/storage/{environment}.yml")
        told = self.follower.read(path, self.context)
        if told is None:
            path = os.path.join(root, "config/storage.yml")
            told = self.follower.read(path, self.context)
        if told is None:
            return {}
        told = without_comments(told, HASH)
        chosen = ""
        for name in ("application.rb", f"environments/{environment}.rb"):
            text = self.follower.read(os.path.join(root, "config", name), self.context) or ""
            found = _CHOSEN.findall(without_comments(text, HASH))
            chosen = "\n".join(found) or chosen
        hosts = (host for one in _names(chosen, told, variables) for host in _hosts(one, told))
        return {path: "\n".join(f"attachments_at: {one}" for one in dict.fromkeys(hosts))}


def _names(chosen: str, told: str, variables: Mapping[str, str]) -> list[str]:
    """The parts that an expression may choose: all of them, if that is not known."""
    if not chosen:
        return []
    known = _FROM_VARIABLE.sub(lambda one: f":{variables.get(one[1], one[2] or '?')}", chosen)
    return (
        list(_PARTS.findall(told))
        if ":?" in known or not _NAME.search(known)
        else _NAME.findall(known)
    )


def _hosts(name: str, told: str, depth: int = 0) -> Iterator[str]:
    part = re.search(_PART.replace("{name}", re.escape(name)), told)
    body = part["body"] if part else ""
    service = _SERVICE.search(body)
    endpoint = _ENDPOINT.search(body)
    host = host_of(endpoint[1]) if endpoint else ""
    if service and service[1] == "Mirror" and depth < _MAX_MIRRORS:
        for mirror in _MIRRORED.findall(body):
            for one in re.findall(r"[a-z]\w*", mirror):
                yield from _hosts(one, told, depth + 1)
    elif service and service[1] in _VENDORS and not (host and is_here(host)):
        yield host or _VENDORS[service[1]]


# end of module
