"""The databases and clusters that a line makes, and the forms of the commands that start servers.

Owns what shows that a command reaches one of them alone. Does not own containers and what listens at a port
(``gate.own.started_here``), nor which findings that takes away (``gate.own.made_here``). Pure but for
``Facts``.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate.own.leading_variables import LEADS
from operators_edge.gate.own.line_order import runs_only_after
from operators_edge.gate.own.line_words import (
    NAME,
    ONE,
    Line,
    is_compose,
    is_free_name,
    is_same_place,
    makers,
    matched,
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
    r"| (?!-\w*s|--(?:token|context|server|cluster|kubeconfig|user|as|kube-\w+)\b)\S+)*"
)
_OTHER_CLUSTER = (
    r"(?i)HELM_KUBE|(?:use|set)-context|set-cluster|kubectx|kubeconfig|kubie|credentials|login\b"
)
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
        and is_same_place(line.invs[each], inv)
        and (is_free or runs_only_after(each, line, at))
        for each, made in makers(_MAKES_DATABASE, line, at)
    )
    return database_clients.rules_of(inv) if is_own else frozenset()


def server_of(inv: Invocation) -> tuple[str, str]:
    from operators_edge.gate.own import database_clients  # noqa: PLC0415 - for few lines

    return database_clients.server_of(inv.arguments, {})


def is_local_server(inv: Invocation, server: tuple[str, str]) -> bool:
    """Whether a client reaches a server of this machine, as its words and its variables say."""
    from operators_edge.gate.own import database_clients  # noqa: PLC0415 - for few lines

    is_moved = any(map(LEADS.fullmatch, inv.command.environment))
    return database_clients.is_local(server) and not (is_moved or inv.command.is_remote)


def is_in_cluster(line: Line, at: int) -> bool:
    """Whether a command reaches the cluster that the line itself has made, and no other."""
    reached = matched(_IN_CLUSTER, line.invs[at], line)
    is_led = any(map(LEADS.fullmatch, line.invs[at].command.environment))
    if reached is None or is_led:
        return False
    named, settings = reached["context"], reached["settings"]
    text, given = line.text, set_for(line.invs[at], "KUBECONFIG")
    is_only = bool(given) and given == settings and named and text.count("KUBECONFIG") == 1
    if given.startswith(OWN_PATH) or is_only:
        text = text.replace("KUBECONFIG=", "")  # what is made writes its own settings there
    if settings:
        text = _without_settings(settings, text)
    if found_in(_OTHER_CLUSTER, text):
        return False
    for each, made in makers(_MAKES_CLUSTER, line, at):
        own = made["settings"] or set_for(line.invs[each], "KUBECONFIG")
        is_named = named in ("", *_contexts(made)) and settings == own
        is_there = (bool(named) and is_free_name(named)) or runs_only_after(each, line, at)
        if is_named and is_there and is_same_place(line.invs[each], line.invs[at]):
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


# end of module
