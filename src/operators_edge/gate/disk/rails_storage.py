"""Where an application of Rails keeps the files that people attach, in the environment of a command.

``config.active_storage.service = :amazon`` chooses a part of ``config/storage.yml``. Owns which part that
is, and whether it is on another machine. Does not own what a program does to those files
(``shell.code.client_calls``). Pure but for ``Facts``. Loaded for programs of Ruby.
"""

from __future__ import annotations

import os.path
import re
from itertools import islice

from operators_edge.gate.disk.search import SearchPart
from operators_edge.shell.code.addresses import host_of, is_here
from operators_edge.shell.code.comments import HASH, without_comments
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_CHOSEN = pattern(r"\bactive_storage(?:\.service|\[:service\])\s*=\s*([^\n]+)")
_FROM_VARIABLE = pattern(
    r"\bENV(?:\.fetch)?[\[(]\s*['\"](\w+)['\"]\s*(?:,\s*['\"]([^'\"]*)['\"])?\s*[\])]"
)
_BY_ENVIRONMENT = pattern(
    r"\bRails\.env\.(?P<name>\w+)\?\s*\?\s*(?P<then>:\w+)\s*:\s*(?P<other>:\w+)"
)
_NAME = pattern(r"(?<![\w.])(?::|['\"])([a-z]\w*)")
_PART = r"(?m)^{name}:[^\n]*\n(?P<body>(?:[ \t]+[^\n]*(?:\n|\Z)|[ \t]*\n)*)"
_PARTS = pattern(r"(?m)^([a-z]\w*):")
_SERVICE = pattern(r"(?m)^[ \t]+service:[ \t]*['\"]?(\w+|<%)")
_MIRRORED = pattern(r"(?m)^[ \t]+(?:primary|mirrors):[ \t]*([^\n]*(?:\n[ \t]+-[^\n]*)*)")
_MERGES = pattern(r"(?m)^[ \t]+<<:[ \t]*\[?[ \t]*((?:\*\w+[ \t,]*)+)")
_ATTACHED = pattern(r"\bhas_(?:one|many)_attached\b[^\n]*?\bservice:\s*([^\n]+)")
"""A model with a store of its own."""
_STAYS = frozenset(("Disk", "Test", "TestService", "Null", "Memory"))
"""Services that keep files on this machine."""
_ENDPOINT = pattern(r"(?m)^[ \t]+endpoint:[ \t]*['\"]?([^\s'\"<]+)")
_VENDORS = {
    "S3": "s3.amazonaws.com",
    "GCS": "storage.googleapis.com",
    "AzureStorage": "core.windows.net",
    "AzureBlob": "core.windows.net",
}
_MAX_MIRRORS = 3
_MAX_FILES = 60


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
        chosen: list[str] = []
        for name in ("application.rb", f"environments/{environment}.rb"):
            chosen = self._found(_CHOSEN, [os.path.join(root, "config", name)]) or chosen
        # what is chosen later may come too late, and a model may choose for itself
        chosen += self._found(_CHOSEN, self.search.files_below(root, "config/initializers/*.rb"))
        chosen += self._found(_ATTACHED, self.search.files_below(root, "app/models/**/*.rb"))
        known = (_in_environment(one, environment) for one in chosen)
        names = dict.fromkeys(name for one in known for name in _names(one, told, variables))
        hosts = (host for one in names for host in _hosts(one, told))
        return {path: "\n".join(f"attachments_at: {one}" for one in dict.fromkeys(hosts))}

    def _found(self, looked_for: re.Pattern[str], paths: Iterable[str]) -> list[str]:
        """What the files choose."""
        texts = (self.follower.read(one, self.context) or "" for one in islice(paths, _MAX_FILES))
        return [one for text in texts for one in looked_for.findall(without_comments(text, HASH))]


def env_files(environment: str) -> tuple[str, ...]:
    """The files that dotenv reads for Rails, the first one before the others."""
    return (f".env.{environment}.local", ".env.local", f".env.{environment}", ".env")


def _in_environment(chosen: str, environment: str) -> str:
    """An expression without what it would choose in another environment."""
    return _BY_ENVIRONMENT.sub(
        lambda one: one["then" if one["name"] == environment else "other"], chosen
    )


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
    body = _body(name, told)
    service = _SERVICE.search(body)
    endpoint = _ENDPOINT.search(body)
    host = host_of(endpoint[1]) if endpoint else ""
    if service and service[1] == "Mirror" and depth < _MAX_MIRRORS:
        for mirror in _MIRRORED.findall(body):
            for one in re.findall(r"[a-z]\w*", mirror):
                yield from _hosts(one, told, depth + 1)
    elif service and service[1] not in _STAYS and not (host and is_here(host)):
        yield host or _VENDORS.get(service[1], "storage.vendor.example")


def _body(name: str, told: str, depth: int = 0) -> str:
    """The lines of a part, before those of others that it merges."""
    part = re.search(_PART.replace("{name}", re.escape(name)), told)
    if part is None:
        return ""
    merged = [one for listed in _MERGES.findall(part["body"]) for one in re.findall(r"\w+", listed)]
    marked = [one for each in merged for one in re.findall(rf"(?m)^(\w+):[ \t]*&{each}\b", told)]
    more = (_body(one, told, depth + 1) for one in marked if depth < _MAX_MIRRORS)
    return "".join((part["body"], *more))


# end of module
