"""What surely runs when a command does: containers and servers that were made for it, and are still there.

They may be made by a command before it in its text, by a file that one of these runs, or in a text around
that: a script that runs the command's own. Owns which ones these are, and what shows that a command runs in
one of them, or reaches it by its port. Does not own what is inside of a container
(``gate.own.container_runs``), nor which findings that takes away (``gate.own.made_here``). Pure but for
``Facts``.
"""

from __future__ import annotations

from operators_edge.gate.own import container_runs
from operators_edge.gate.own.leading_variables import LEADS
from operators_edge.gate.own.line_order import is_needed, runs_only_after
from operators_edge.gate.own.line_words import (
    Line,
    assigned_name,
    each_before,
    is_compose,
    is_free_name,
    is_same_place,
    is_unsure,
    matched,
    name_of,
    set_for,
)
from operators_edge.gate.own.servers import (
    ENTERS_PROJECT,
    STARTS_PROJECT,
    is_apart,
    texts_fed,
)
from operators_edge.shell.commands import OWN_PATH
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.gate.invocation import Invocation

_TUNNELS = frozenset(
    ("ssh", "autossh", "socat", "kubectl", "oc", "cloud-sql-proxy", "cloud_sql_proxy", "tsh", "aws")
)
_SERVES = frozenset(("pg_ctl",))
_DOCKERS = frozenset(("docker", "podman", "nerdctl"))
_ENDS = frozenset(("rm", "stop", "kill", "restart", "pause", "compose"))
_MAX_LEVELS = 6
"""Files that run files."""


class Made(NamedTuple):
    """A container, or another server, that a command has made, and its name in the text; "" for none."""

    run: container_runs.Run
    name: str = ""


def running(line: Line, at: int, level: int = 0, *, still: bool = True) -> Iterator[Made]:
    """What surely was made when a command runs, and is there ``still``.

    Of what texts around it have made, only what has the same name everywhere.
    """
    ended = _last_end(line, at, level) if still else -1
    for each, made in _all_made(line, at, level):
        if each >= ended and runs_only_after(each, line, at):
            yield from made
    context = line.context
    is_here = context.is_program and context.container is None and not context.code
    if context.outer is None or level > _MAX_LEVELS or not is_here:
        return
    around, place = Line(*context.outer[0]), context.outer[1]
    if ended < 0 and not around.invs[place].command.is_remote and not is_unsure(around, place):
        for around_it in running(around, place, level + 1, still=still):
            if "$" not in around_it.name:
                context.judged.placed.add(context.key)
                yield around_it


def names_made(line: Line, at: int) -> set[str]:
    """The names of the containers that were surely made when a command of their engine runs."""
    engine = line.invs[at].command.argv[0].text
    made = running(line, at, still=False)
    return {one.name for one in made if one.run.engine == engine and one.name}


def _all_made(line: Line, at: int, level: int) -> Iterator[tuple[int, list[Made]]]:
    """Yield what each command before one has made, with its number."""
    return each_before(line, at, "made", lambda each: _made_by(line, each, level) or None)


def _last_end(line: Line, at: int, level: int, *, waits: bool = True) -> int:
    """The number of the last command before one that may end a server; -1 if there is none."""
    key = "ends", waits
    ends = each_before(line, at, key, lambda each: _may_end(line, each, level, waits=waits) or None)
    return max((each for each, _ in ends), default=-1)


def _made_by(line: Line, at: int, level: int) -> list[Made]:
    """What surely runs once a command has succeeded, as it has made it, or a file that it runs."""
    inv = line.invs[at]
    command = inv.command
    steps = command.through[:-1] if command.through[-1:] == ("$(…)",) else command.through
    if any(one != "function" for one in steps) or command.is_remote:
        return []
    if any(map(LEADS.fullmatch, command.environment)):
        return []
    run = container_runs.closed(command.argv, line.text)
    if run is not None:
        name = name_of(run.name, line.text) if run.name else assigned_name(line, at)
        return [Made(run, name or "")]
    found = [Made(one) for one in _servers_started(line, at)]
    ran = line.context.judged.run_by(line.text, command) if level <= _MAX_LEVELS else ()
    for piece, parsed in ran:
        for one in parsed if piece.is_its_own else ():
            found += _left_by(Line(*one), level + 1)
    return found


def _left_by(line: Line, level: int) -> Iterator[Made]:
    """What surely runs once the command has succeeded that runs a text."""
    context, last = line.context, len(line.invs)
    if not context.is_awaited or context.container is not None or line.script.problems:
        return
    if is_unsure(line, last):
        return
    ended = _last_end(line, last, level, waits=False)
    for each, made in _all_made(line, last, level):
        if each >= ended and is_needed(each, line):
            yield from (one for one in made if "$" not in one.name)


def _may_end(line: Line, at: int, level: int, *, waits: bool = True) -> bool:
    """Whether a command, or a file that it runs, may end a server, or lead its port somewhere else.

    If it ``waits``, what a trap runs comes after all that is asked about.
    """
    inv = line.invs[at]
    if _ends_server(inv, line, waits=waits):
        return True
    for piece, parsed in line.context.judged.run_by(line.text, inv.command):
        is_unread = (piece.is_shell and not parsed) or any(one[1].problems for one in parsed)
        if is_unread or level > _MAX_LEVELS:
            return True
        for inner in (Line(*one) for one in parsed):
            if _last_end(inner, len(inner.invs), level + 1, waits=False) >= 0:
                return True
    return False


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
        if not is_same_place(line.invs[each], entering):
            continue
        given = name_of(run.name, line.text) if run.name else assigned_name(line, each)
        if given == reached and (is_free or runs_only_after(each, line, outer[-1])):
            return run
    engine, made = entering.command.argv[0].text, running(line, outer[-1], still=False)
    return next((one.run for one in made if (one.name, one.run.engine) == (reached, engine)), None)


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
        if is_same and is_same_place(maker, entering):
            from operators_edge.gate.own import compose_projects  # noqa: PLC0415 - few lines have one

            files = set_for(entering, "COMPOSE_FILE").split(":")
            return compose_projects.service(entered["service"], entering, line.context, files)
    return None


def is_at_port(line: Line, at: int) -> bool:
    """Whether a program reaches a server that was made for it, by its port."""
    return is_client_at_port(line, at) or any(
        container_runs.is_reached_by_address(made.run, line.invs[at]) for made in running(line, at)
    )


def is_client_at_port(line: Line, at: int) -> bool:
    """Whether it is a client of such a server, with the port in its words."""
    fed: str | None = None
    for made in running(line, at):
        fed = _read_by_client(line, at) if fed is None else fed
        if container_runs.is_reached(made.run, line.invs[at], fed):
            return True
    return False


def _read_by_client(line: Line, at: int) -> str:
    """The texts that a client reads from files, by its words or as its input."""
    from operators_edge.gate.given_texts import sql_texts  # noqa: PLC0415 - for few lines

    inv = line.invs[at]
    return "\n".join((texts_fed(line, at), *(one.text for one in sql_texts(inv, line.context))))


_HERE = r"(?:127\.0\.0\.1|localhost)"
_POSTGRES = (
    r"(?!.*\.\.)(?=.* -D ?OWN)pg_ctl(?: -D ?OWN\S*| -[ws]+| -l ?\S+| -t ?\d+| start"
    rf"| -o ?_*(?:-[FN]_+|-h_*{_HERE}_*|-k_*OWN[^\s_]*_*)*-p_*(?P<port>(?!5432\b)\d+)"
    rf"(?:_+-F|_+-k_*OWN[^\s_]*|_+-h_*{_HERE})*)*"
)
_PROGRAMS = (("postgres", _POSTGRES),)
"""Images of servers, and words of their programs: on another port than the usual, with nothing to keep.

Only of those that fail if another one has the port: ``redis-server --daemonize yes`` says nothing of it.
"""


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


def _ends_server(inv: Invocation, line: Line, *, waits: bool) -> bool:
    """Whether a command may end a container, or lead its port somewhere else, before what follows it."""
    words = [word.text for word in inv.command.argv[1:3]]
    ends = inv.program in _DOCKERS and not _ENDS.isdisjoint(words)
    if not (ends or inv.program in _TUNNELS or is_compose(inv)):
        return False
    if not waits:
        return True
    from operators_edge.shell import failures  # noqa: PLC0415 - for few lines

    return "trap" not in inv.command.through or not failures.traps_wait_for_end(line.text)


# end of module
