"""Clients of databases that only work in one for tests on this machine, as all that they are given says.

``psql postgres://localhost:5433/shop_test -f schema.sql``, ``dropdb -h localhost shop_test``: the words name
one database for tests and no other server, and nothing that the client reads leads it to another one. Owns
that judgement, for targets of which only the name sounds dangerous. Does not own other places that a client
may work in (``gate.own.database_clients``). Pure but for what it is given. Loaded for such targets.
"""

from __future__ import annotations

import os.path
import re
from fnmatch import fnmatchcase

from operators_edge.gate.own import container_runs
from operators_edge.gate.own.database_clients import is_local
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

_ADDRESS = pattern(
    r"(?:postgres(?:ql)?|mysql|mariadb)://(?:[^@/?#\s]*@)?(?:localhost|127\.0\.0\.1)(?::\d+)?/(?P<name>[\w-]+)"
)
_NAME = pattern(r"\w[\w-]*")


class _Options(NamedTuple):
    """Options of a client, by what follows them: nothing, a word, text or a file that it runs, a database."""

    plain: frozenset[str]
    valued: frozenset[str]
    hosts: frozenset[str] = frozenset(("-h", "--host"))
    texts: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()

    def takes(self, option: str) -> bool:
        return any(option in one for one in self[1:])


_PSQL = _Options(
    plain=frozenset("-q -X -A -t -1 -qX --quiet --no-psqlrc --single-transaction".split()),  # noqa: SIM905
    valued=frozenset("-v --set --variable -p --port -U --username".split()),  # noqa: SIM905
    texts=frozenset(("-c", "--command")),
    files=frozenset(("-f", "--file")),
    names=frozenset(("-d", "--dbname")),
)
_MYSQL = _Options(
    plain=frozenset(("-f", "--force", "-s", "--silent", "-B", "--batch")),
    valued=frozenset(("-u", "--user", "-P", "--port")),
    texts=frozenset(("-e", "--execute")),
    names=frozenset(("-D", "--database")),
)
_MAKING = _Options(
    plain=frozenset(("-e", "--echo", "--if-exists", "-f", "--force", "-w", "--no-password")),
    valued=frozenset("-p --port -U --username -O --owner -T --template -E --encoding".split()),  # noqa: SIM905
)
_CLIENTS = {
    "psql": _PSQL,
    "mysql": _MYSQL,
    "mariadb": _MYSQL,
    "createdb": _MAKING,
    "dropdb": _MAKING,
}
_PLAIN_VARIABLES = frozenset(("PGPORT", "PGUSER"))
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
    options = _CLIENTS.get(inv.program)
    if options is None or command.is_remote or command.has_more_words or folder is None:
        return False
    if command.stdin_kind == "pipe" or _is_led(inv, context):
        return False
    if command.stdin_kind and (command.stdin is None or HOLE in command.stdin):
        return False
    found = _read(options, list(command.argv[1:]), _Around(text, folder, context, read))
    if found is None or len(found.names) != 1 or not is_throwaway(found.names[0]):
        return False
    given = [command.stdin or "", *found.texts]
    return not any(one is None or container_runs.leads_away(one) for one in given)


class _Given(NamedTuple):
    """The databases that words name, and the texts that they have a client take; None for an unknown one."""

    names: list[str]
    texts: list[str | None]


def _read(options: _Options, words: list[Word], around: _Around) -> _Given | None:
    """What the words of a client say; None if one of them is not known."""
    found = _Given([], [])
    while words:
        word = words.pop(0)
        option, is_set, value = word.text.partition("=")
        if option in options.plain and not is_set:
            continue
        if word.text[:1] != "-":
            found.names.append(_name(word))
        elif not options.takes(option) or not (words or is_set):
            return None
        else:
            taken = word._replace(text=value) if is_set else words.pop(0)
            _take(option, taken, options, around, found)
    return found


def _take(option: str, value: Word, options: _Options, around: _Around, found: _Given) -> None:
    """Take the value of an option."""
    text = value.text if value.is_known else None
    if option in options.names:
        found.names.append(_name(value))
    elif option in options.files:
        found.texts.extend(_texts_of(value, around))
    elif option in options.hosts:
        found.texts.append("" if text is not None and is_local((text, "")) else None)
    else:
        found.texts.append(text)


def _is_led(inv: Invocation, context: CallContext) -> bool:
    """Whether a variable that is known may lead the client to another server."""
    given = [*inv.command.environment.items()]
    given += [(name, one) for name, values in context.values_by_name().items() for one in values]
    return any(
        container_runs.is_read_by_client(name)
        and name not in _PLAIN_VARIABLES
        and not (name == "PGHOST" and is_local((value, "")))
        for name, value in given
    )


def _name(word: Word) -> str:
    """The database that a word names, "" if that is not known to be on this machine."""
    if not word.is_known:
        return ""
    found = _ADDRESS.fullmatch(word.text)
    return found["name"] if found else word.text if _NAME.fullmatch(word.text) else ""


def _texts_of(file: Word, around: _Around) -> list[str | None]:
    """The texts of the files that an option has a client run; None for one that is not known."""
    names = [file.text] if file.is_known else _looped(file, around)
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
