"""The servers that a line starts: a database, a cluster, a container or its port, a project of compose.

Owns what shows that a command reaches one of them alone. Does not own what is inside of a container
(``gate.own.container_runs``), nor which findings that takes away (``gate.own.made_here``). Pure but for
``Facts``.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate.own import container_runs
from operators_edge.gate.own.line_order import runs_only_after
from operators_edge.gate.own.line_words import (
    MOVED_BY,
    NAME,
    ONE,
    Line,
    assigned_name,
    is_compose,
    is_free_name,
    is_same_place,
    matched,
    name_of,
    set_for,
)
from operators_edge.shell.commands import OWN_PATH
from operators_edge.text.patterns import found_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.gate.invocation import Invocation
    from operators_edge.shell.commands import Command, Word

# Forms of the commands that make and use them; the pairs of ``gate.own.made_here`` are made of them, too.
SERVER = r"(?P<at>(?: -[hpU] ?\S+| --(?:host|port|username)[= ]\S+| -w)*)"
CLUSTER = r"(?: --(?:config|image|wait)[= ]\S+| --retain| -q)*"
KIND = r"(?: --kubeconfig[= ]\S+)?"
COMPOSE = (
    r"(?:docker compose|docker-compose|podman compose|podman-compose)(?: (?:-f|--file|--profile)[= ]\S+)*"
    r" (?:-p|--project-name)[= ]%s(?: (?:-f|--file|--profile)[= ]\S+)*"
)
STARTS_PROJECT = rf"{COMPOSE % ONE} (?:up|run|create)(?: .*)?"
ENTERS_PROJECT = (
    rf"{COMPOSE % ONE} exec(?: -T| -it?| --no-TTY| (?:-u|--user|-w|--workdir)[= ]\S+)*"
    r" (?P<service>[\w.-]+) .*"
)
MINIKUBE = r"(?: --(?:driver|cpus|memory|nodes|kubernetes-version|wait)[= ]\S+)*"
CREATEDB = r"createdb%s(?: -e| -[OTE] \S+| --(?:owner|template|encoding|locale)[= ]\S+)*"
OF_MYSQLADMIN = r"(?: -[uhP] ?\S+| -p\S*| --(?:user|host|port|password|protocol)=\S+)*"
_MAKES_DATABASE = rf"(?:{CREATEDB % SERVER}|mysqladmin{OF_MYSQLADMIN} create) {ONE}"
_MAKES_CLUSTER = (
    rf"kind create cluster(?: (?:-n|--name)[= ](?P<kind>{NAME})"
    rf"| --kubeconfig[= ](?P<settings>\S+)|{CLUSTER})*"
    rf"|k3d cluster create(?: (?P<k3d>{NAME}))?"
    r"(?: -[asp] \S+| --(?:agents|servers|port|image|wait|timeout)(?:[= ]\S+)?)*"
    rf"|minikube start(?: (?:-p|--profile)[= ](?P<context>{NAME})|{MINIKUBE})*"
)
"""Each makes its cluster the current one of kubectl and helm; minikube calls it by the profile's name, the
others put their own before it."""
_IN_CLUSTER = (
    r"(?:kubectl|helm)(?: --(?:kube-)?context[= ](?P<context>\S+)| --kubeconfig[= ](?P<settings>\S+)"
    r"| (?!-s\b|--(?:context|server|cluster|kubeconfig|user|as|kube-\w+)\b)\S+)*"
)
_OTHER_CLUSTER = r"(?i)(?:use|set)-context|set-cluster|kubectx|kubeconfig|kubie|credentials|login\b"
_TUNNELS = frozenset(
    ("ssh", "autossh", "socat", "kubectl", "oc", "cloud-sql-proxy", "cloud_sql_proxy", "tsh", "aws")
)
_SERVES = frozenset(("redis-server", "valkey-server", "pg_ctl"))
_DOCKERS = frozenset(("docker", "podman", "nerdctl"))
_ENDS = frozenset(("rm", "stop", "kill", "restart", "pause", "compose"))
_MAX_FED = 262_144


def is_apart(name: str, line: Line, at: int) -> bool:
    """Whether what is removed shares nothing with what has another name, as projects of compose may."""
    inv = line.invs[at]
    if not is_compose(inv):
        return True
    from operators_edge.gate.own import compose_projects  # noqa: PLC0415 - few lines have one

    files = set_for(inv, "COMPOSE_FILE").split(":")
    return compose_projects.is_apart(name, inv, line.context, dict(line.script.files), files)


def lost_with_database(line: Line, at: int) -> frozenset[str]:
    """The rules on a client that are about the database that it works in, if the line has made that."""
    from operators_edge.gate.own import database_clients  # noqa: PLC0415 - for few lines

    inv = line.invs[at]
    entered = matched(database_clients.CLIENT, inv, line)
    if entered is None or not database_clients.stays_inside(inv, line.context):
        return frozenset()
    name = database_clients.name_of(entered)
    server = database_clients.server_of(inv.arguments, entered)
    is_free = is_free_name(name, is_work=True)
    is_own = (is_free and is_local_server(inv, server)) or any(
        made["name"] == name
        and server_of(line.invs[each]) == server
        and is_same_place(line.invs[each], inv, is_free=is_free)
        and (is_free or runs_only_after(each, line, at))
        for each in range(at)
        if (made := matched(_MAKES_DATABASE, line.invs[each], line)) is not None
    )
    return database_clients.rules_of(inv) if is_own else frozenset()


def server_of(inv: Invocation) -> tuple[str, str]:
    from operators_edge.gate.own import database_clients  # noqa: PLC0415 - for few lines

    return database_clients.server_of(inv.arguments, {})


def is_local_server(inv: Invocation, server: tuple[str, str]) -> bool:
    """Whether a client reaches a server of this machine, as its words and its variables say."""
    from operators_edge.gate.own import database_clients  # noqa: PLC0415 - for few lines

    is_moved = any(map(MOVED_BY.fullmatch, inv.command.environment))
    return database_clients.is_local(server) and not (is_moved or inv.command.is_remote)


def is_in_cluster(line: Line, at: int) -> bool:
    """Whether a command reaches the cluster that the line itself has made, and no other."""
    reached = matched(_IN_CLUSTER, line.invs[at], line)
    text = line.text
    if set_for(line.invs[at], "KUBECONFIG").startswith(OWN_PATH):
        text = text.replace("KUBECONFIG=", "")  # a new file leads to no cluster but the line's own
    if reached is None:
        return False
    named, settings = reached["context"], reached["settings"]
    if settings:
        text = _without_settings(settings, text)
    if found_in(_OTHER_CLUSTER, text):
        return False
    for each in range(at):
        made = matched(_MAKES_CLUSTER, line.invs[each], line)
        is_named = made is not None and named in ("", *_contexts(made))
        is_named = is_named and made is not None and settings == made["settings"]
        is_there = (bool(named) and is_free_name(named)) or runs_only_after(each, line, at)
        if is_named and is_there and is_same_place(line.invs[each], line.invs[at], is_free=True):
            return True
    return False


def makes_cluster(line: Line, at: int) -> bool:
    """Whether a command only makes a cluster on this machine."""
    return matched(_MAKES_CLUSTER, line.invs[at], line) is not None


def _contexts(made: dict[str, str]) -> list[str]:
    """What kubectl calls the cluster that a command makes."""
    own = [f"{tool}-{made[tool]}" for tool in ("kind", "k3d") if made[tool]]
    return [*own, made["context"]] if made["context"] else own


def _without_settings(file: str, text: str) -> str:
    """A text without the options that name this file, if nothing else in it does."""
    rest = re.sub(rf"--kubeconfig[= ]{re.escape(file)}(?!\S)", "", text)
    return text if os.path.basename(file) in rest else rest


def texts_fed(line: Line, at: int) -> str:
    """The texts that files may give a command, by whatever reads one in the text around it."""
    if line.invs[at].command.stdin_kind not in ("file", "pipe"):
        return ""
    names = [
        word
        for one in line.context.file_feeders
        for word in (*(each.target for each in one.redirects if each.op == "<"), *_read_by_cat(one))
    ]
    texts = [
        line.context.facts.text(path, _MAX_FED) for word in names if (path := _path(word, line))
    ]
    return "\n".join(text or "" for text in texts)


def _read_by_cat(command: Command) -> tuple[Word, ...]:
    return command.argv[1:] if [word.text for word in command.argv[:1]] == ["cat"] else ()


def _path(word: Word, line: Line) -> str | None:
    return line.context.resolve(word.text, line.context.cwd) if word.is_known else None


def container_of(line: Line, at: int) -> container_runs.Run | None:
    """The container that a command runs in, if the line has made it, with nothing of the machine in it."""
    inner = line.invs[at].command
    step = container_runs.step_of(inner)
    outer = [
        each
        for each, inv in enumerate(line.invs[:at])
        if step is not None
        and inv.command.through == inner.through[:step]
        and inv.command.span[0] <= inner.span[0]
        and inner.span[1] <= inv.command.span[1]
    ]
    if not outer:
        return None
    entering = line.invs[outer[-1]]  # a function may be called before, too
    way = inner.through[step or 0]
    if way.endswith("compose exec"):
        return _own_service(line, outer[-1])
    if not way.endswith(" exec"):
        run = container_runs.closed(entering.command.argv, line.text)
        return run if run and (run.name is None or name_of(run.name, line.text)) else None
    name = container_runs.entered(entering.command.argv, line.text)
    reached = name and name_of(name, line.text)
    for each in range(outer[-1]):
        run = container_runs.closed(line.invs[each].command.argv, line.text)
        if run is None or not reached or run.engine != entering.command.argv[0].text:
            continue
        is_free = is_free_name(reached)
        if not is_same_place(line.invs[each], entering, is_free=is_free):
            continue
        given = name_of(run.name, line.text) if run.name else assigned_name(line, each)
        if given == reached and (is_free or runs_only_after(each, line, outer[-1])):
            return run
    return None


def _own_service(line: Line, at: int) -> container_runs.Run | None:
    """The container of a service in a compose project of the line itself, if nothing is let into it."""
    entering = line.invs[at]
    entered = matched(ENTERS_PROJECT, entering, line)
    if (
        entered is None
        or not is_free_name(entered["name"])
        or not is_apart(entered["name"], line, at)
    ):
        return None
    for maker in line.invs[:at]:
        started = matched(STARTS_PROJECT, maker, line)
        is_same = started is not None and started["name"] == entered["name"]
        if is_same and is_same_place(maker, entering, is_free=True):
            from operators_edge.gate.own import compose_projects  # noqa: PLC0415 - few lines have one

            files = set_for(entering, "COMPOSE_FILE").split(":")
            return compose_projects.service(entered["service"], entering, line.context, files)
    return None


def is_at_port(line: Line, at: int) -> bool:
    """Whether a client reaches the server in a container that the line itself has started."""
    fed = ""
    for each in range(at):
        run = container_runs.closed(line.invs[each].command.argv, line.text)
        runs = [run] if run is not None else _servers_started(line, each)
        fed = fed or (_read_by_client(line, at) if runs else "")
        is_ours = any(
            container_runs.is_reached(one, line.invs[at], fed)
            or container_runs.is_reached_by_address(one, line.invs[at])
            for one in runs
        )
        is_kept = not any(_may_take_port(inv, line) for inv in line.invs[each + 1 : at])
        is_plain = is_ours and is_kept and not line.invs[each].command.through
        if is_plain and runs_only_after(each, line, at):
            return True
    return False


def _read_by_client(line: Line, at: int) -> str:
    """The texts that a client reads from files, by its words or as its input."""
    from operators_edge.gate.invocation import sql_texts  # noqa: PLC0415 - for few lines

    inv = line.invs[at]
    return "\n".join((texts_fed(line, at), *(one.text for one in sql_texts(inv, line.context))))


_HERE = r"(?:127\.0\.0\.1|localhost)"
_REDIS = (
    r"(?=.* --(?:save (?: |$)|dir OWN))(?:redis|valkey)-server(?: --(?:port (?P<port>(?!6379\b)\d+)"
    rf"|save (?=\s|$)|daemonize yes|appendonly no|bind {_HERE}|dir OWN\S*"
    r"|(?:loglevel|logfile|pidfile|maxmemory|maxmemory-policy|databases|requirepass) \S+))*"
)
_POSTGRES = (
    r"(?!.*\.\.)(?=.* -D ?OWN)pg_ctl(?: -D ?OWN\S*| -[wsW]+| -l ?\S+| -t ?\d+| start"
    rf"| -o ?_*(?:-[FN]_+|-h_*{_HERE}_*|-k_*OWN[^\s_]*_*)*-p_*(?P<port>(?!5432\b)\d+)"
    rf"(?:_+-F|_+-k_*OWN[^\s_]*|_+-h_*{_HERE})*)*"
)
_PROGRAMS = (("redis", _REDIS), ("postgres", _POSTGRES))
"""Images of servers, and words of their programs: on another port than the usual, with nothing to keep."""


def _servers_started(line: Line, at: int) -> list[container_runs.Run]:
    """The servers that a command starts: its own program, or services of a compose project."""
    inv = line.invs[at]
    for image, words in _PROGRAMS if inv.program in _SERVES else ():
        found = matched(words.replace("OWN", OWN_PATH), inv, line)
        if found and found["port"] and not inv.command.is_remote:
            return [container_runs.Run("", image, None, (), frozenset((found["port"],)))]
    return _services_started(line, at)


def _services_started(line: Line, at: int) -> list[container_runs.Run]:
    """The servers of a compose project of the line's own that a command starts."""
    inv = line.invs[at]
    started = matched(STARTS_PROJECT, inv, line) if is_compose(inv) else None
    if (
        started is None
        or not is_free_name(started["name"])
        or not is_apart(started["name"], line, at)
    ):
        return []
    from operators_edge.gate.own import compose_projects  # noqa: PLC0415 - few lines have one

    files = set_for(inv, "COMPOSE_FILE").split(":")
    return compose_projects.servers(inv, line.context, files)


def _may_take_port(inv: Invocation, line: Line) -> bool:
    """Whether a command may end a container, or lead its port somewhere else, before what follows it."""
    words = [word.text for word in inv.command.argv[1:3]]
    if inv.program not in _TUNNELS and (inv.program not in _DOCKERS or _ENDS.isdisjoint(words)):
        return False
    from operators_edge.shell import failures  # noqa: PLC0415 - for few lines

    return "trap" not in inv.command.through or not failures.traps_wait_for_end(line.text)


# end of module
