"""What the client loads beside us and runs without asking the gate: other hooks, helpers, plugins.

Owns the list of them, over all settings files and the frontmatter of skills, commands and agents, and which
of them are new since the client started. Does not own our own entries (``hosts.claude.wiring``) or the
answer to a changed file (``hosts.claude.settings_guard``).
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from types import MappingProxyType

from operators_edge.hosts.claude import identity, status_line, wiring
from operators_edge.hosts.claude.settings_files import settings_of
from operators_edge.storage import files
from operators_edge.storage.keys import make_user_dir
from operators_edge.system import file_cache
from operators_edge.system.digest import sha256_hex
from operators_edge.system.user_dirs import user_dir
from operators_edge.text import frontmatter
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from operators_edge.hosts.claude.settings_files import SettingsFile

RUN_KEYS = (
    "apiKeyHelper",
    "proxyAuthHelper",
    "awsAuthRefresh",
    "awsCredentialExport",
    "gcpAuthRefresh",
    "otelHeadersHelper",
    "policyHelper",
    "statusLine",
    "subagentStatusLine",
    "fileSuggestion",
)
"""Keys of a settings file whose value is a command that the client runs."""

VARIABLES = (
    "PATH",
    "HOME",
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_CODE_SIMPLE",
    "CLAUDE_CODE_SAFE_MODE",
    "XDG_STATE_HOME",
    "LD_PRELOAD",
    "BASH_ENV",
    "ENV",
)
"""Variables of a settings file's ``env`` that decide which programs run, or whether hooks do."""

ANSWERING = "PermissionRequest"
"""The event with which a hook can answer a dialog."""

_FOLDERS = ("skills", "commands", "agents", "output-styles")

_MAX_FILES = 2_000

_MAX_BYTES = 32_768

_KEPT_SECONDS = 30 * 86_400


class Entry(NamedTuple):
    """One thing that the client runs. ``answers``: it can answer a dialog in the person's place."""

    path: str
    what: str
    digest: str
    answers: bool = False

    def __str__(self) -> str:
        return f"{self.path} has {self.what}"


def found(root: str | None, home: str, settings: Iterable[SettingsFile] = ()) -> list[Entry]:
    """Every such thing; an administrator's own are left out, as nobody else can write them.

    ``settings``: the settings files, if they are read already.
    """
    settings = [*(settings or settings_of(root, home))]
    lines = _status_lines(settings)
    entries = [
        entry for file in settings if file.scope != "managed" for entry in in_settings(file, lines)
    ]
    for base in dict.fromkeys(filter(None, (root, home))):
        entries += in_folder(os.path.join(base, ".claude"))
    return entries


def _status_lines(settings: Iterable[SettingsFile]) -> dict[str, str]:
    """Which file has which status line."""
    values = ((each.path, each.value) for each in settings if isinstance(each.value, dict))
    return {
        json.dumps(value[status_line.KEY], sort_keys=True): path
        for path, value in values
        if status_line.KEY in value
    }


def in_settings(
    file: SettingsFile, lines: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Entry]:
    """What a settings file runs beside our own entries; ``lines`` names the file of each status line."""
    if not isinstance(file.value, dict):
        return
    ours = wiring.known_entries(wiring.this_runner())
    for event, group, entry in wiring.entries(file.value):
        if entry not in ours:
            yield hook_entry(file.path, event, group, entry)
    for key in RUN_KEYS:
        if key != status_line.KEY and file.value.get(key):
            yield _entry(file.path, key, json.dumps(file.value[key], sort_keys=True))
    yield from _status_line(file, lines)
    for name, value in _table(file.value, "enabledPlugins"):
        if value is True and name.split("@")[0] != "edge":
            yield _entry(file.path, f"the plugin {name}", name)
    for name, value in _table(file.value, "env"):
        if name in VARIABLES:
            yield _entry(file.path, f"the variable {name}", str(value))


def _status_line(file: SettingsFile, lines: Mapping[str, str]) -> Iterator[Entry]:
    """A status line beside ours: one that ours runs counts as it did before it stood in ours."""
    value = file.value.get(status_line.KEY)
    if status_line.is_ours(value, wiring.this_runner()):
        value = status_line.inner(value)
    if value:
        text = json.dumps(value, sort_keys=True)
        yield _entry(lines.get(text, file.path), status_line.KEY, text)


def hook_entry(path: str, event: str, group: Mapping[str, Any], entry: Any) -> Entry:
    """A hook as an entry; one that the client does not wait for cannot answer."""
    text = json.dumps([event, group.get("matcher"), entry], sort_keys=True)
    is_awaited = not (isinstance(entry, dict) and entry.get("async") is True)
    return _entry(path, f"a {event} hook", text, answers=event == ANSWERING and is_awaited)


def _table(value: Mapping[str, Any], key: str) -> list[tuple[str, Any]]:
    inner = value.get(key)
    return [(str(name), each) for name, each in inner.items()] if isinstance(inner, dict) else []


def in_folder(base: str) -> Iterator[Entry]:
    """The files below a ``.claude`` folder, or a plugin's, whose frontmatter brings hooks."""
    count = 0
    for kind in _FOLDERS:
        for folder, _, names in os.walk(os.path.join(base, kind), followlinks=True):
            for name in names:
                count += 1
                if count > _MAX_FILES:
                    return
                if name.endswith(".md"):
                    yield from _in_file(os.path.join(folder, name))


def _in_file(path: str) -> Iterator[Entry]:
    try:
        with open(path, "rb", opener=file_cache.open_regular) as file:
            text = file.read(_MAX_BYTES).decode("utf-8", "replace")
    except OSError:
        return  # the client cannot read it either
    if frontmatter.has_hooks(text):
        head = frontmatter.block(text)
        yield _entry(path, "hooks", head, answers=frontmatter.answers_dialogs(text))


def _entry(path: str, what: str, text: str, *, answers: bool = False) -> Entry:
    digest = sha256_hex(f"{path}\0{what}\0{text}".encode("utf-8", "surrogatepass"))
    return Entry(path, what, digest[:16], answers)


# -- since the client started ----------------------------------------------------------------------


def note(session: str, entries: list[Entry], env: Mapping[str, str]) -> None:
    """Note what the session's client has loaded, once for each client.

    /clear begins another session in the same client, which has not read its files again.
    """
    path = _note_path(session, env)
    if not os.path.exists(path):
        _prune(make_user_dir(env, "run"))
        digests = json.dumps([each.digest for each in entries])
        files.write_durable(path, digests.encode(), mode=0o600)


def new(session: str, entries: list[Entry], env: Mapping[str, str]) -> list[Entry]:
    """What came since the client started; of a client whose start was not seen, what answers dialogs."""
    try:
        with open(_note_path(session, env), encoding="utf-8") as file:
            known = set(json.load(file))
    except FileNotFoundError:
        return [each for each in entries if each.answers]
    return [each for each in entries if each.digest not in known]


def _note_path(session: str, env: Mapping[str, str]) -> str:
    bound = identity.binding(session, env)
    client = bound.client if bound is not None else None
    owner = f"{client.pid} {client.started}" if client is not None else session
    name = sha256_hex(owner.encode("utf-8", "surrogatepass"))[:16]
    return os.path.join(user_dir(env), "run", f"loaded-{name}")


def _prune(folder: str) -> None:
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        with suppress(OSError):
            if name.startswith("loaded-") and time.time() - os.stat(path).st_mtime > _KEPT_SECONDS:
                os.unlink(path)


# end of module
