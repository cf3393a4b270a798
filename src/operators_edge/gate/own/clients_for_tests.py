"""Clients of databases that only work in one for tests on this machine, as all that they are given says.

``psql postgres://localhost:5433/shop_test -f schema.sql``: the address names a server here and a database
for tests, and nothing that the client reads leads it to another one. Owns that judgement, for targets of
which only the name sounds dangerous. Does not own other places that a client may work in
(``gate.own.database_clients``). Pure but for what it is given. Loaded for such targets.
"""

from __future__ import annotations

import os.path
import re
from fnmatch import fnmatchcase

from operators_edge.gate.own import container_runs
from operators_edge.gate.own.throwaway_names import is_throwaway
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext
    from operators_edge.shell.commands import Word

    Read = Callable[[str], str | None]

_CLIENTS = frozenset(("psql", "mysql", "mariadb"))
_ADDRESS = pattern(
    r"(?:postgres(?:ql)?|mysql|mariadb)://(?:[^@/?#\s]*@)?(?:localhost|127\.0\.0\.1)(?::\d+)?/(?P<name>[\w-]+)"
)
_OPTIONS = frozenset(
    ("-q", "-X", "-A", "-t", "-1", "-qX", "--quiet", "--no-psqlrc", "--single-transaction")
)
_VALUED = frozenset(("-v", "--set", "--variable"))
_TEXTS = frozenset(("-c", "--command"))
_FILES = frozenset(("-f", "--file"))
_LOOP = pattern(r"\bfor[ \t]+(\w+)[ \t]+in[ \t]+([\w./* \t-]+?)[ \t]*(?:;|\n)\s*do\b")
_MAX_FILES = 100


class _Around(NamedTuple):
    """What is around a client: the text that it is in, its folder, and how files are read."""

    text: str
    folder: str
    context: CallContext
    read: Read

    def text_of(self, path: str | None) -> str | None:
        is_settled = path is not None and not self.context.is_changed(path)
        return self.read(path) if path and is_settled else None


def stays(inv: Invocation, text: str, context: CallContext, read: Read) -> bool:
    """Whether a client only works in a database for tests here; ``text`` is what it is in."""
    command, folder = inv.command, inv.working_folder(context)
    is_plain = inv.program in _CLIENTS and not (command.is_remote or command.has_more_words)
    is_led = any(map(container_runs.is_read_by_client, command.environment))
    if not is_plain or folder is None or is_led or command.stdin_kind == "pipe":
        return False
    if command.stdin_kind and (command.stdin is None or HOLE in command.stdin):
        return False
    around = _Around(text, folder, context, read)
    given: list[str | None] = [command.stdin or ""]
    words, names = list(command.argv[1:]), []
    while words:
        word = words.pop(0)
        if word.is_known and (found := _ADDRESS.fullmatch(word.text)):
            names.append(found["name"])
        elif word.text in _VALUED | _TEXTS | _FILES and words:
            given += _given(word.text, words.pop(0), around)
        elif word.text not in _OPTIONS:
            return False
    is_one = len(names) == 1 and is_throwaway(names[0])
    return is_one and not any(one is None or container_runs.leads_away(one) for one in given)


def _given(option: str, value: Word, around: _Around) -> list[str | None]:
    """The texts that an option has a client run; None for one that is not known."""
    if option not in _FILES:
        return [value.text if value.is_known else None]
    names = [value.text] if value.is_known else _looped(value, around)
    paths = [around.context.resolve(one, around.folder) for one in names]
    return [around.text_of(path) for path in paths] or [None]


def _looped(word: Word, around: _Around) -> list[str]:
    """The files that a loop goes through whose name a word is; none if they are not known."""
    source = around.text[slice(*word.span)].strip('"')
    loops = _LOOP.findall(around.text)
    lists = [words for name, words in loops if source in (f"${name}", f"${{{name}}}")]
    if len(lists) != 1 or re.search(rf"\b{source.strip('${}')}=", around.text):
        return []
    found: list[str] = []
    for one in lists[0].split():
        inside, ending = os.path.split(one)
        place = around.context.resolve(inside or ".", around.folder)
        names = around.context.facts.names(place) if place and "*" not in inside else ()
        same = [each for each in sorted(names or ()) if fnmatchcase(each, ending)]
        found += [os.path.join(inside, each) for each in same] if "*" in one else [one]
    return found if len(found) <= _MAX_FILES else []


# end of module
