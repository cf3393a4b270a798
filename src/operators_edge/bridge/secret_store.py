"""What the Bridge hides: the secrets of the moment, in the forms in which programs print them.

They are the values of the environment and of dotfiles, read when an attempt begins. The patterns of the
settings come with them. Does not own how a text is redacted (``redaction``).
"""

from __future__ import annotations

import base64
import os
import re
from typing import TYPE_CHECKING
from urllib.parse import quote, quote_plus

from operators_edge.errors import StateError
from operators_edge.locations import known_home
from operators_edge.redaction.redact import (
    Shape,
    is_secret_name,
    is_worth_hiding,
    looks_random,
    secret_values,
)
from operators_edge.storage import files

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_OF_PERSON = (
    *(".netrc", ".npmrc", ".pypirc", ".git-credentials", ".pgpass", ".my.cnf", ".env"),
    *(".aws/credentials", ".docker/config.json", ".config/gh/hosts.yml", ".kube/config"),
    *(".cargo/credentials.toml", ".config/hub", ".vault-token"),
)
_OF_PROJECT = (".netrc", ".npmrc", ".pypirc", ".envrc")
_EXAMPLES = (".example", ".sample", ".template", ".dist", ".defaults")
"""Endings of a ``.env`` that is meant to be read."""

_MAX_BYTES = 256 * 1024
_LONG = 20
_NAMED = re.compile(
    r"""(?m)^[ \t]*(?:export[ \t]+)?["']?(?P<name>[\w./:@-]+)["']?[ \t]*[:=][ \t]*"""
    r"""(?P<value>"[^"\r\n]*"|'[^'\r\n]*'|[^\s#"',]+)"""
)
_NETRC = re.compile(r"\bpassword\s+(\S+)")
_ADDRESS = re.compile(r"://[^:/\s@]*:([^@\s/]+)@")


def known(root: str, env: Mapping[str, str], patterns: Sequence[str] = ()) -> tuple[str, ...]:
    """What is hidden in everything that an attempt at ``root`` leaves."""
    values = {*secret_values(env), *_of_dotfiles(root, env)}
    found = {form for value in values for form in forms_of(value)}
    return (*sorted(filter(is_worth_hiding, found)), *map(Shape, patterns))


def forms_of(value: str) -> Iterator[str]:
    """The value as it is, in an address, and in the middle of a text in base64."""
    yield value
    yield quote(value, safe="")
    yield quote_plus(value)
    raw = value.encode("utf-8", "surrogateescape")
    for before in range(3):  # what stands before it shifts its bits
        data = bytes(before) + raw
        first, last = -(-before * 8 // 6), len(data) * 8 // 6
        yield base64.b64encode(data).decode()[first:last]
        yield base64.urlsafe_b64encode(data).decode()[first:last]


def _of_dotfiles(root: str, env: Mapping[str, str]) -> set[str]:
    home = known_home(env)
    paths = [os.path.join(root, name) for name in (*_OF_PROJECT, *_env_files(root))]
    paths += [os.path.join(home, name) for name in _OF_PERSON] if home else []
    return {value for path in paths for value in secrets_in(_text_of(path)) if _is_telling(value)}


def _env_files(root: str) -> list[str]:
    try:
        names = os.listdir(root)
    except OSError:
        return []
    return [
        name
        for name in names
        if (name == ".env" or name.startswith(".env.")) and not name.endswith(_EXAMPLES)
    ]


def _text_of(path: str) -> str:
    try:
        data = files.read_bytes(path)
    except (OSError, StateError):
        return ""
    return (data or b"")[:_MAX_BYTES].decode("utf-8", "replace")


def secrets_in(text: str) -> Iterable[str]:
    """The values in a dotfile that its names, or its form, call secret."""
    for match in _NAMED.finditer(text):
        if is_secret_name(match["name"].upper()) or match["name"].lower() in ("auth", "_auth"):
            yield match["value"].strip("\"'")
    yield from _NETRC.findall(text)
    yield from _ADDRESS.findall(text)
    for line in text.splitlines():
        if line.count(":") == 4 and " " not in line:  # .pgpass
            yield line.rpartition(":")[2]


def _is_telling(value: str) -> bool:
    """False for what may be a word of the project: it would be hidden wherever it stands."""
    return is_worth_hiding(value) and (looks_random(value) or len(value) >= _LONG)


# end of module
