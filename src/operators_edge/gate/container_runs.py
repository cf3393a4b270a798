"""Containers with nothing of the machine in them, and what inside of one is nobody's loss.

``docker run --rm alpine sh -c 'rm -rf /srv'`` deletes what the image brings, in a copy that is thrown away.
That is so only if nothing else is let in: no folder, volume, device, capability or namespace. So only options
that are listed may be there.

Owns how a ``run`` and an ``exec`` are read for that, which rules are about what is inside, and whether a
compose project has its volumes for itself. Does not own whether a line has made the container
(``gate.made_here``). Pure.
"""

from __future__ import annotations

import os.path
import re
from fnmatch import fnmatchcase

from operators_edge.locations import is_within
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import compiled, found_in, pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext
    from operators_edge.shell.commands import Command, Word


class Run(NamedTuple):
    """A container with nothing of the machine in it, and the names of the variables that it gets.

    ``ports`` are those of this machine that lead into it while it runs on its own.
    """

    engine: str
    image: str
    name: Word | None
    variables: tuple[str, ...]
    ports: frozenset[str] = frozenset()


_ENGINES = frozenset(("docker", "podman", "nerdctl"))
_FLAGS = frozenset(
    (
        *(
            "-d",
            "-i",
            "-t",
            "-q",
            "-P",
            "--detach",
            "--interactive",
            "--tty",
            "--quiet",
            "--publish-all",
        ),
        *("--rm", "--init", "--read-only", "--no-healthcheck"),
    )
)
_VALUED = frozenset(
    (
        *("-e", "-w", "-u", "-m", "-p", "-h", "-l", "-c", "-v", "--volume"),
        *(
            "--env",
            "--env-file",
            "--workdir",
            "--user",
            "--name",
            "--entrypoint",
            "--platform",
            "--pull",
        ),
        *(
            "--memory",
            "--memory-swap",
            "--cpus",
            "--cpu-shares",
            "--pids-limit",
            "--shm-size",
            "--ulimit",
        ),
        *("--publish", "--expose", "--hostname", "--label", "--tmpfs", "--cap-drop", "--restart"),
        *(
            "--stop-timeout",
            "--stop-signal",
            "--network",
            "--net",
            "--network-alias",
            "--add-host",
            "--dns",
        ),
        *("--health-cmd", "--health-interval", "--health-retries", "--health-timeout"),
        *("--health-start-period", "--log-driver"),
    )
)
_OF_EXEC = frozenset(("-e", "-u", "-w", "--env", "--user", "--workdir"))
_SOCKETS = ("/dev", "/proc", "/sys", "/run", "/var/run")
"""Folders through which a container could do what it likes, although it can only read them."""
_UNNAMED = r"/[^:\0]+"
"""A new volume, of this container alone."""
_NETWORK = r"(?!host$|ns:|container:)[\w.-]+"
"""A network of containers; the machine's or another container's own has other services on localhost."""

_RUNS = frozenset(f"{engine}{noun} run" for engine in _ENGINES for noun in ("", " container"))
_ENTERS = frozenset(f"{engine}{noun} exec" for engine in _ENGINES for noun in ("", " container"))
_STAYS = pattern(
    r"(?:ba|da|a|z|k)?sh(?: -\w*c)?|env|sudo|doas|su -c|timeout|time|nice|nohup|exec|xargs|find -exec(?:dir)?"
    r"|\$\(…\)|`…`|function|eval|command|builtin|busybox|gosu|su-exec|trap"
    r"|(?:python3?|node|perl|ruby|php)(?: -\w+| <)?"
)
"""Steps from one command to the next that stay on the same machine."""

_FILES = frozenset(
    (
        *(
            "fs-recursive-delete",
            "fs-recursive-delete-unknown",
            "fs-delete-whole",
            "fs-find-delete",
        ),
        *(
            "fs-delete-outside",
            "fs-delete-unknown",
            "fs-truncate",
            "fs-empty-file",
            "fs-empty-unknown",
        ),
        *("fs-shred", "fs-format", "fs-write-device", "fs-dd-outside", "fs-permissions"),
        *("fs-permissions-whole", "fs-permissions-unknown", "fs-system-write", "fs-git-internals"),
        *(
            "fs-move-away",
            "fs-delete-file",
            "fs-overwrite",
            "fs-permissions-many",
            "fs-shared-file",
        ),
        *("fs-unpack", "fs-rewrite", "system-kill-all", "system-kill-many"),
        *("git-reset-hard", "git-discard", "git-clean", "git-clean-files"),
    )
)
"""Rules about the files and processes of where a command runs."""
_USERS = frozenset(
    (
        *(
            "adduser",
            "addgroup",
            "useradd",
            "groupadd",
            "usermod",
            "groupmod",
            "userdel",
            "deluser",
        ),
        *(
            "groupdel",
            "delgroup",
            "chpasswd",
            "passwd",
            "gpasswd",
            "chsh",
            "chfn",
            "chage",
            "visudo",
        ),
    )
)
"""Programs that keep users in files of where they run, and never in a directory that others use."""
DATA = frozenset(("database-drop", "database-update-all", "database-access", "database-drop-tool"))
"""Rules about what a server of databases holds."""
_SERVERS = (
    r"(?:docker\.io/)?(?:library/)?(?:postgres|mysql|mariadb|redis|valkey|postgis/postgis|pgvector/pgvector"
    r"|timescale/timescaledb|valkey/valkey|bitnami/(?:postgresql|mysql|mariadb|redis))(?:[:@].*)?"
)
"""Images of servers, in which a client without an address reaches the server beside it."""
_CLIENTS = frozenset(
    ("psql", "createdb", "dropdb", "mysql", "mariadb", "mysqladmin", "redis-cli", "valkey-cli")
)
_LEADS_AWAY = (
    r"(?i)://(?!(?:[^/@\s]*@)?(?:localhost|127\.0\.0\.1|\[::1\])[:/?\s]|/)|\b(?:host(?:addr)?|service)\s*="
    r"|(?:^|\s)(?:-\w*h\s*+|--host(?:name)?[= ])(?!localhost\b|127\.0\.0\.1\b|/)"
    r"|\b(?:dblink\w*|postgres_fdw|federated|system|program)\b|\\(?:!|c\b|connect\b)"
)
"""What in the words of a client names another server, or leaves the database."""
_PUBLISHED = r"(?:(?:127\.0\.0\.1|0\.0\.0\.0|localhost):)?(\d+):\d+(?:/tcp)?"
_PORT = r"(?:^|\s)(?:-[pP] ?|--port[= ])(\d+)(?!\S)|(?:@|://)(?:localhost|127\.0\.0\.1):(\d+)\b"
_LOCAL = r"(?:^|\s)(?:-h ?|--host(?:name)?[= ])(?:localhost|127\.0\.0\.1)(?!\S)|(?:@|://)(?:localhost|127\.0\.0\.1):\d"
"""A client's words for this machine; without them some take a socket, whatever the port is."""
_LOCAL_CLIENTS = frozenset(("redis-cli", "valkey-cli"))
_ADDRESS = r"\w+(?:\+\w+)?://(?:[^@/?\s]*@)?(?:localhost|127\.0\.0\.1):(?P<port>\d+)(?:/[\w-]*(?:\?[^\s@/]*)?)?"
_DATABASE_VARIABLE = r"(?:\w+_)?(?:DATABASE|DB)_URL"
_QUOTED = r"\"[^\"]*\"|'[^']*'"
_NAMES_SERVER = pattern(
    rf"(?is)(?!(?:POSTGRES_HOST_AUTH_METHOD|M\w+_ROOT_HOST)$).*(?:{HOLE}|host|addr|url|uri|dsn|service|server|endpoint|connection).*"
)
_SHARES = r"(?m)^[ \t]+name:|^include:|^[ \t]+extends:"
"""What in a compose file may give a volume a name that other projects use, too."""
_OWN_NAME = r"(?m)^name:\s*[\"']?([^\s\"']+)"
_MAX_COMPOSE = 131_072

RULES = frozenset((*_FILES, *DATA, "system-users"))
MIGRATES = "database-migrate"
"""The rule about programs that find their database by a variable."""


def step_of(command: Command) -> int | None:
    """Where a command goes into a container on its way; None if it does not, or goes on from there."""
    for at, step in enumerate(command.through):
        if step in _RUNS or step in _ENTERS:
            is_inside = all(_STAYS.fullmatch(one) for one in command.through[at + 1 :])
            return at if is_inside else None
    return None


def closed(argv: Sequence[Word], text: str) -> Run | None:
    """The container that ``docker run`` or ``create`` makes; None if something of the machine may be in it.

    ``text`` is what the words are in. Whether an unknown name is one word is for the caller to know.
    """
    given = _options(argv, ("run", "create"), _VALUED)
    *options, (last, image) = given or [("?", None)]
    is_known = not last and image is not None and image.is_known
    if not is_known or not all(_lets_nothing_in(*one, text) for one in options):
        return None
    names = [value for option, value in options if option == "--name"]
    variables = [
        HOLE if option == "--env-file" else value.text.partition("=")[0]
        for option, value in options
        if option in ("-e", "--env", "--env-file") and value is not None
    ]
    is_detached = any(option in ("-d", "--detach") for option, _ in options)
    ports = (
        compiled(_PUBLISHED).fullmatch(value.text)
        for option, value in options
        if is_detached and option in ("-p", "--publish") and value is not None
    )
    return Run(
        argv[0].text,
        image.text if image else "",
        names[-1] if names else None,
        tuple(variables),
        frozenset(found[1] for found in ports if found),
    )


def _lets_nothing_in(option: str, value: Word | None, text: str) -> bool:
    if value is None:
        return option in _FLAGS
    if option in ("-v", "--volume"):
        return _is_read_only(value.text) or compiled(_UNNAMED).fullmatch(value.text) is not None
    is_one = option == "--name" or _is_one_word(value, text)
    is_network = option in ("--network", "--net")
    return is_one and (not is_network or re.fullmatch(_NETWORK, value.text) is not None)


def _is_read_only(mount: str) -> bool:
    """Whether a container can only read what is mounted, and finds no socket there."""
    source, _, rest = mount.partition(":")
    options = rest.partition(":")[2].split(",")
    place = os.path.normpath(source)
    is_apart = not any(is_within(place, one) or is_within(one, place) for one in _SOCKETS)
    return "ro" in options and HOLE not in source and is_apart and "sock" not in place


def entered(argv: Sequence[Word], text: str) -> Word | None:
    """The container that ``docker exec`` names; None if it has options that are not known."""
    for option, value in _options(argv, ("exec",), _OF_EXEC):
        if not option:
            return value
        if value is None and option not in _FLAGS:
            return None
        if value is not None and not _is_one_word(value, text):
            return None
        is_variable = option in ("-e", "--env") and value is not None
        if is_variable and value and _NAMES_SERVER.fullmatch(value.text.partition("=")[0]):
            return None
    return None


def _is_one_word(word: Word, text: str) -> bool:
    """Whether an unknown word stays one: without quotes, its value may be several, and options among them."""
    return word.is_known or "$" not in compiled(_QUOTED).sub("", text[slice(*word.span)])


def _options(
    argv: Sequence[Word], verbs: Sequence[str], valued: frozenset[str]
) -> list[tuple[str, Word | None]]:
    """The options of an engine's subcommand with their values; the last one, "", is the first operand.

    Empty for another command; an option that is not known ends them.
    """
    texts = [word.text for word in argv]
    at = 3 if texts[1:2] == ["container"] else 2
    if not texts or texts[0] not in _ENGINES or "".join(texts[at - 1 : at]) not in verbs:
        return []
    found: list[tuple[str, Word | None]] = []
    while at < len(argv):
        word, option = argv[at], texts[at]
        at += 1
        name, equals, rest = option.partition("=")
        if option[:1] != "-":
            return [*found, ("", word)]
        if option in valued and at < len(argv):
            found.append((option, argv[at]))
            at += 1
        elif equals and name in valued:
            found.append((name, word._replace(text=rest)))
        elif option[:2] in valued and option != option[:2]:
            found.append((option[:2], word._replace(text=option[2:])))
        elif option in _FLAGS:
            found.append((option, None))
        elif option[1:2] != "-" and all(f"-{letter}" in _FLAGS for letter in option[1:]):
            found += [(f"-{letter}", None) for letter in option[1:]]
        else:
            return [*found, ("?", None)]
    return found


def lost_with(run: Run, inv: Invocation) -> frozenset[str]:
    """The rules whose loss is the container's own, for a command inside of it."""
    found = _FILES
    if inv.program in _USERS:
        found |= {"system-users"}
    names_other = any(_NAMES_SERVER.fullmatch(name) for name in run.variables)
    if not names_other and _is_client_of(run, inv):
        found |= DATA
    return found


def _is_client_of(run: Run, inv: Invocation) -> bool:
    """Whether it is a client of the server in a container, and nothing of the command leads it to another."""
    assigns = any(map(_NAMES_SERVER.fullmatch, inv.command.environment))
    leads_away = assigns or found_in(_LEADS_AWAY, _input_of(inv))
    is_server = compiled(_SERVERS).fullmatch(run.image) is not None
    return is_server and inv.program in _CLIENTS and not leads_away


def _input_of(inv: Invocation) -> str:
    """All that a client is given: its words, and what it reads."""
    return f"{inv.arguments} {inv.command.stdin or ''}"


def is_reached(run: Run, inv: Invocation) -> bool:
    """Whether a client on this machine reaches the server in a container, by a port that leads there."""
    command, text = inv.command, _input_of(inv)
    is_unsure = command.has_more_words or HOLE in inv.arguments or command.through
    if is_unsure or command.is_remote or not _is_client_of(run, inv):
        return False
    named = {one or other for one, other in compiled(_PORT).findall(text)}
    is_here = inv.program in _LOCAL_CLIENTS or found_in(_LOCAL, text)
    return is_here and len(named) == 1 and named <= run.ports


def is_reached_by_address(run: Run, inv: Invocation) -> bool:
    """Whether variables give a program the address of the database in a container, and of no other server."""
    given = {n: text for n, text in inv.command.environment.items() if _NAMES_SERVER.fullmatch(n)}
    found = [compiled(_ADDRESS).fullmatch(text) for text in given.values()]
    is_database = any(compiled(_DATABASE_VARIABLE).fullmatch(name) for name in given)
    is_server = compiled(_SERVERS).fullmatch(run.image) is not None
    are_here = all(one is not None and one["port"] in run.ports for one in found)
    return is_server and is_database and are_here and not inv.command.is_remote


def is_project_apart(
    name: str, inv: Invocation, context: CallContext, written: Mapping[str, str | None]
) -> bool:
    """Whether a compose project has another name than the one it would get, and no volume that others use.

    ``written`` are the files that the line writes, with their texts.
    """
    folder = inv.working_folder(context)
    if folder is None:
        return False
    named = [context.resolve(word.text, folder) for word in inv.values(("-f", "--file"))]
    around = context.facts.names(folder) or ()
    found = [f"{folder}/{one}" for one in around if fnmatchcase(one, "*compose*.y*ml")]
    places = [folder, *(os.path.dirname(path) for path in named if path)]
    usual = {re.sub(r"[^a-z0-9_-]", "", os.path.basename(place).lower()) for place in places}
    if name in usual or None in named:
        return False
    return all(
        _shares_nothing(path, name, context, written)
        for path in {*found, *(one for one in named if one)}
    )


def _shares_nothing(
    path: str, project: str, context: CallContext, written: Mapping[str, str | None]
) -> bool:
    """Whether a compose file names no volume and not this project; one that is not there cannot be used."""
    if any(os.path.basename(one) == os.path.basename(path) for one in written):
        return False
    folder, name = os.path.split(path)
    if name not in (context.facts.names(folder) or ()):
        return True
    text = context.facts.text(path, _MAX_COMPOSE)
    if text is None or len(text) >= _MAX_COMPOSE:
        return False
    return not found_in(_SHARES, text) and project not in compiled(_OWN_NAME).findall(text)


# end of module
