"""Containers with nothing of the machine in them, and what inside of one is nobody's loss.

``docker run --rm alpine sh -c 'rm -rf /srv'`` deletes what the image brings, in a copy that is thrown away.
That is so only if nothing else is let in: no folder, volume, device, capability or namespace. So only options
that are listed may be there.

Owns how a ``run`` and an ``exec`` are read for that, which rules are about what is inside, and what of a
program in a container counts (``Inside``). Does not own
whether a line has made the container (``gate.own.made_here``), nor the services of compose
(``gate.own.compose_projects``). Pure.
"""

from __future__ import annotations

import os.path
import re
from typing import Any

from operators_edge.locations import is_within
from operators_edge.shell.code.addresses import host_of, is_elsewhere, names_elsewhere
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import compiled, found_in, pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from operators_edge.gate.invocation import Invocation
    from operators_edge.model import Finding
    from operators_edge.shell.commands import Command, Word


class Run(NamedTuple):
    """A container with nothing of the machine in it, and the names of the variables that it gets.

    ``ports`` are those of this machine that lead into it while it runs on its own. ``words`` are the command
    that it runs in the place of the image's own.
    """

    engine: str
    image: str
    name: Word | None
    variables: tuple[str, ...]
    ports: frozenset[str] = frozenset()
    words: str = ""


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
_ENTERS = frozenset(
    f"{engine}{noun} exec"
    for engine in (*_ENGINES, "docker-compose", "podman-compose")
    for noun in ("", " container", " compose")
)
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
SERVERS = (
    r"(?:docker\.io/)?(?:library/)?(?:postgres|mysql|mariadb|mongo|redis|valkey|postgis/postgis|pgvector/pgvector"
    r"|timescale/timescaledb|valkey/valkey|bitnami/(?:postgresql|mysql|mariadb|redis))(?:[:@].*)?"
)
"""Images of servers, in which a client without an address reaches the server beside it."""
SERVES = r"(?:(?:postgres|mysqld|mariadbd|mongod|redis-server|valkey-server)\b|-)[^;&|`$\0]*"
"""A command that only sets options of the server in an image."""
_CLIENTS = frozenset(
    (
        *(
            "psql",
            "createdb",
            "dropdb",
            "mysql",
            "mariadb",
            "mysqladmin",
            "redis-cli",
            "valkey-cli",
        ),
        *("mongorestore", "mongoimport", "mongosh", "mongo"),
    )
)
_LEADS_AWAY = (
    r"(?i)://(?!(?:[^/@\s]*@)?(?:localhost|127\.0\.0\.1|\[::1\])[:/?\s](?![^/\s]*@)|/)|\b(?:host(?:addr)?|service)\s*="
    r"|(?:^|\s)--config[= ]|mongodb\+srv:|://[^/\s]*,|://\S*\?\S*%"
    r"|(?:^|\s)(?:-\w*h\s*+|--host(?:name)?[= ])(?!(?:localhost|127\.0\.0\.1)(?![\w.-])|/)"
    r"|\b(?:dblink\w*|postgres_fdw|federated|system|program)\b|\\(?:!|c\b|connect\b|r\b|\.)|\\\w+[^\n]*[`|]"
    r"|(?:^|[\n;])\s*(?:connect|source)\s|\b(?:migrate|replicaof|slaveof)\b"
)
"""What in the words of a client names another server, or leaves the database."""
_LEADS_SHELL_AWAY = (
    r"(?i)\b(?:mongo|connect|load|require|import|process|globalThis|fetch)\b|\b(?:eval|run\w*|Function)\s*\(|\[\s*['\"`+]"
    r"|(?:^|\s)(?!(?:localhost|127\.0\.0\.1)[:/]|mongodb://)[\w-]+(?:\.[\w-]+)*[:/][\w.-]+(?=\s|$)|\.js\b"
)
"""What in the JavaScript or the words of Mongo's shell may reach another server, or anything else."""
PUBLISHED = r"(?:(?:127\.0\.0\.1|0\.0\.0\.0|localhost):)?(\d+):\d+(?:/tcp)?"
_PORT = r"(?:^|\s)(?:-[pP] ?|--port[= ])(\d+)(?!\S)|(?:@|://)(?:localhost|127\.0\.0\.1):(\d+)\b"
_LOCAL = r"(?:^|\s)(?:-h ?|--host(?:name)?[= ])(?:localhost|127\.0\.0\.1)(?!\S)|(?:@|://)(?:localhost|127\.0\.0\.1):\d"
"""A client's words for this machine; without them some take a socket, whatever the port is."""
_LOCAL_CLIENTS = frozenset(("redis-cli", "valkey-cli"))
_OF_MONGO = frozenset(("mongosh", "mongo", "mongoimport", "mongorestore"))
"""Clients that take a port for one of this machine."""
_ADDRESS = r"\w+(?:\+\w+)?://(?:[^@/?\s]*@)?(?:localhost|127\.0\.0\.1):(?P<port>\d+)(?:/[\w-]*(?:\?(?![^\s]*(?:%|host|service|socket))[^\s@/]*)?)?"
_DATABASE_VARIABLE = r"(?:\w+_)?(?:DATABASE|DB)_URL"
_QUOTED = r"\"[^\"]*\"|'[^']*'"
NAMES_SERVER = pattern(
    rf"(?is)(?!(?:POSTGRES_HOST_AUTH_METHOD|M\w+_ROOT_HOST)$).*(?:{HOLE}|host|addr|url|uri|dsn|service|server|endpoint|connection).*"
)

_READ_BY_CLIENTS = pattern(
    rf"(?i)(?:PG|MYSQL|MARIADB|REDIS|VALKEY|MONGO)\w*(?<!PASSWORD)|.*{HOLE}.*"
)
_LEADS_ON = pattern(
    r"(?i)proxy|socat|tunnel|\bssh|autossh|stunnel|haproxy|envoy|bouncer|wireguard|tailscale|ngrok|ambassador"
)
"""Images and commands of services that lead to another machine."""
_ABSOLUTE = r"(?<![^\s'\"=])(/[^\s'\"]+)"
DUMMY = pattern(r"(?i)(?:test\w*|local\w*|dummy|minio\w*|fake|foo|x+|mock\w*|example)$")
_ELSEWHERE_RULES = tuple(
    "database- deploy- general-send general-destroy git-push git-remote-publish"  # noqa: SIM905
    " package-publish"
    " payment- secret-send tool-mcp http-write http-upload http-mail http-raw http-attack http-secret"
    " http-metadata".split()
)
"""The beginnings of rules about what a container can reach: everything else of it is its own."""
RULES = frozenset((*_FILES, *DATA, "system-users"))
_BY_SSH = pattern(r"\b(?:ssh|plink|mosh)\b")
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
        compiled(PUBLISHED).fullmatch(value.text)
        for option, value in options
        if is_detached and option in ("-p", "--publish") and value is not None
    )
    return Run(
        argv[0].text,
        image.text if image else "",
        names[-1] if names else None,
        tuple(variables),
        frozenset(found[1] for found in ports if found),
        " ".join(word.text for word in argv[_place_of(image, argv) + 1 :]),
    )


def _place_of(word: Word | None, argv: Sequence[Word]) -> int:
    return next((at for at, one in enumerate(argv) if one is word), len(argv))


def _lets_nothing_in(option: str, value: Word | None, text: str) -> bool:
    if value is None:
        return option in _FLAGS
    if option in ("-v", "--volume"):
        return is_read_only(value.text) or compiled(_UNNAMED).fullmatch(value.text) is not None
    is_one = option == "--name" or _is_one_word(value, text)
    is_network = option in ("--network", "--net")
    return is_one and (not is_network or re.fullmatch(_NETWORK, value.text) is not None)


def is_read_only(mount: str) -> bool:
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
        if is_variable and value and NAMES_SERVER.fullmatch(value.text.partition("=")[0]):
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


def lost_with(run: Run, inv: Invocation, fed: str = "") -> frozenset[str]:
    """The rules whose loss is the container's own, for a command inside of it, which files give ``fed``."""
    found = _FILES
    if inv.program in _USERS:
        found |= {"system-users"}
    names_other = any(NAMES_SERVER.fullmatch(name) for name in run.variables)
    if not names_other and is_client_of(run, inv, fed):
        found |= DATA
    return found


def is_server(run: Run) -> bool:
    """Whether the image is one of a server of databases, which it runs."""
    is_its_own = not run.words or compiled(SERVES).fullmatch(run.words) is not None
    return is_its_own and compiled(SERVERS).fullmatch(run.image) is not None


def is_client_of(run: Run, inv: Invocation, fed: str = "") -> bool:
    """Whether it is a client of the server in a container, and nothing of the command leads it to another."""
    assigns = any(map(is_read_by_client, inv.command.environment))
    given = f"{_input_of(inv)} {fed}"
    leads_on = assigns or HOLE in inv.arguments or leads_away(given)
    if inv.program in _LOCAL_CLIENTS:
        leads_on |= found_in(r"(?:^|\s)--cluster(?!\S)", given)
    if inv.program in ("mongosh", "mongo"):
        leads_on |= found_in(_LEADS_SHELL_AWAY, given)
    return is_server(run) and inv.program in _CLIENTS and not leads_on


def is_read_by_client(variable: str) -> bool:
    """Whether a variable may lead a client to another server."""
    return _READ_BY_CLIENTS.fullmatch(variable) is not None


def leads_away(text: str) -> bool:
    """Whether what a client is given names another server, or leaves the database."""
    return found_in(_LEADS_AWAY, text)


def _input_of(inv: Invocation) -> str:
    """All that a client is given: its words, and what it reads."""
    return f"{inv.arguments} {inv.command.stdin or ''}"


def is_reached(run: Run, inv: Invocation, fed: str = "") -> bool:
    """Whether a client on this machine reaches the server in a container, by a port that leads there."""
    command, text = inv.command, _input_of(inv)
    is_led = any(step != "function" for step in command.through)
    is_unsure = command.has_more_words or HOLE in inv.arguments or is_led
    if is_unsure or command.is_remote or not is_client_of(run, inv, fed):
        return False
    if inv.program in _LOCAL_CLIENTS and found_in(r"(?:^|\s)-s", text):
        return False  # a socket goes before a port
    named = {one or other for one, other in compiled(_PORT).findall(text)}
    is_here = inv.program in _LOCAL_CLIENTS | _OF_MONGO or found_in(_LOCAL, text)
    return is_here and len(named) == 1 and named <= run.ports


def is_reached_by_address(run: Run, inv: Invocation) -> bool:
    """Whether variables give a program the address of the database in a container, and of no other server."""
    given = {
        name: text
        for name, text in inv.command.environment.items()
        if NAMES_SERVER.fullmatch(name) or "://" in text
    }
    found = [compiled(_ADDRESS).fullmatch(text) for text in given.values()]
    is_database = any(compiled(_DATABASE_VARIABLE).fullmatch(name) for name in given)
    are_here = all(one is not None and one["port"] in run.ports for one in found)
    return is_server(run) and is_database and are_here and not inv.command.is_remote


class Inside(NamedTuple):
    """The container that a piece runs in: its variables, and whether what it reaches is beside it."""

    variables: tuple[tuple[str, str], ...]
    has_own_data: bool
    has_own_cloud: bool
    is_asked: bool = True
    """Whether the command names the service: of one that only starts with others, losses of data count."""
    places: tuple[tuple[str, str], ...] = ()
    """Where folders of the machine are in the container, and which."""
    lent: tuple[str, ...] = ()
    """Those of them outside of the project in which it can write."""

    def counted(self, findings: Sequence[Finding], text: str, root: str) -> list[Finding]:
        """The findings in a text that are about more than the container's own loss."""
        return [
            one
            for one in findings
            if self.counts(one.rule, text) or self.loses(one, root) or _is_on_another(one)
        ]

    def loses(self, finding: Finding, root: str) -> bool:
        """Whether what a rule finds happens to files of the machine, which are lent to the container."""
        if finding.rule not in _FILES or not self.lent:
            return False
        shown = dict(finding.detail).get("command", "")
        named = (*finding.targets, finding.cwd, *compiled(_ABSOLUTE).findall(shown))
        paths = [one for one in named if not is_within(one, root)]
        return any(
            is_within(path, one) or is_within(one, path) for path in paths for one in self.lent
        )

    def counts(self, rule: str, text: str) -> bool:
        """Whether what a rule finds in a text there is more than the container's own loss."""
        is_of_data = rule in DATA or rule == MIGRATES
        if is_of_data and self.has_own_data and not names_elsewhere(text):
            return False
        if self.has_own_cloud and rule == "deploy-cloud":
            return False
        if not self.is_asked and not rule.startswith(("database-", "deploy-")):
            return False
        return rule.startswith(_ELSEWHERE_RULES)


def _is_on_another(finding: Finding) -> bool:
    """Whether what a rule finds happens on a machine that the container reaches by ssh."""
    return _BY_SSH.search(dict(finding.detail).get("through", "")) is not None


def inside_of(
    variables: Mapping[str, str],
    services: Mapping[str, Any] | None = None,
    service: Mapping[str, Any] | None = None,
) -> Inside:
    """A container with these variables, beside the services."""
    services, service = services or {}, service or {}
    led = {name for name, one in services.items() if _LEADS_ON.search(_programs_of(one))}
    extra = service.get("extra_hosts")
    led |= {
        re.split("[:=]", str(one))[0] for one in (extra if isinstance(extra, (list, dict)) else ())
    }
    known: dict[str, str] = {}
    away = False
    for name, value in variables.items():
        if HOLE in value:
            continue
        host = host_of(value, name)
        if host in led:
            place = rf"(?<![\w.-]){re.escape(host)}(?=[:/?,]|$)"
            value = re.sub(place, f"{host}.outside", value)  # noqa: PLW2901 - not what it seems
        away |= is_elsewhere(value, name)
        known[name] = value
    text = " ".join(f"{name}={value}" for name, value in known.items())
    endpoint = known.get("AWS_ENDPOINT_URL", "")
    is_dummy = DUMMY.match(known.get("AWS_ACCESS_KEY_ID", "")) is not None
    has_own_cloud = (
        not away
        and "aws.com" not in text
        and (is_dummy or bool(endpoint and not is_elsewhere(endpoint)))
    )
    return Inside(tuple(known.items()), not away, has_own_cloud)


def _programs_of(service: Any) -> str:
    if not isinstance(service, dict):
        return ""
    return " ".join(str(service.get(key, "")) for key in ("image", "command", "entrypoint"))


# end of module
