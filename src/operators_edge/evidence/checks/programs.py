"""Which checks one command runs, by its program and arguments.

Owns how arguments are read by the table. Does not own the table (``evidence.checks.tools.table``) or what the
rest of the line means (``evidence.checks.attribution``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.evidence.checks.build_targets import kind_of_target
from operators_edge.evidence.checks.tools.table import LAUNCHERS, TOOLS, Tool
from operators_edge.shell.commands import HOLE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from operators_edge.shell.commands import Command

UNKNOWN_SCOPE = "…"
"""In a scope: what is unknown before the command runs."""

_ALWAYS_IDLE = frozenset({"--version", "--help", "-h", "-help", "-version", "--usage"})
_REWRITES = frozenset(
    {"-u", "--updateSnapshot", "--update-snapshot", "--update-snapshots", "--snapshot-update"}
    | {"--update", "--update-goldens", "--bless", "--snapshots", "--accept", "--force-regen"}
)
# A package manager's own subcommands: never a program of the project.
_OWN_SUBCOMMANDS = frozenset(
    (
        "install",
        "add",
        "remove",
        "ci",
        "publish",
        "pack",
        "link",
        "init",
        "create",
        "why",
        "outdated",
        "audit",
    )
)


class Detected(NamedTuple):
    """One check that a command runs; the fields are those of ``model.Check``."""

    kind: str
    name: str
    scope: tuple[str, ...] = ()
    folder: str = ""
    reads: str = ""
    rewrites: bool = False
    needs_summary: bool = False


def checks_of_command(command: Command) -> tuple[Detected, ...]:
    """Every check that the command runs; none for nearly every command."""
    words = [word.text for word in command.argv]
    found = _detect(words, 0) or _project_script(command.through[-1:], words)
    if not found:
        return ()
    assigns = {name: word.text for name, word in command.assigns}
    has_more = command.has_more_words
    extra = tuple(_from_variables(assigns)) + ((UNKNOWN_SCOPE,) if has_more else ())
    rewrites = any(name.startswith("UPDATE_") and value for name, value in assigns.items())
    return tuple(
        one._replace(
            scope=tuple(dict.fromkeys((*one.scope, *extra))), rewrites=one.rewrites or rewrites
        )
        for one in found
    )


def test_runner(command: Command) -> str:
    """The test runner that a command runs; "" for every other command."""
    tests = [each for each in checks_of_command(command) if each.kind == "test"]
    return tests[-1].name if tests else ""


def _project_script(through: Sequence[str], words: Sequence[str]) -> tuple[Detected, ...]:
    """``hatch run test:cov``, ``pdm run lint``: a script of the project."""
    if not words or not through or through[0] not in _SCRIPT_RUNNERS or "/" in words[0]:
        return ()
    kind, rewrites = kind_of_target(words[0], runs="npm")
    given = _Arguments(words[1:], _SCRIPT_TOOL)
    if not kind or given.is_idle(operands=0):
        return ()
    scope = given.narrowed() + _named(given.operands, _SCRIPT_TOOL)
    return (Detected(kind, f"{through[0]} {words[0]}", scope, rewrites=rewrites),)


_SCRIPT_RUNNERS = ("hatch run", "pdm run", "pixi run", "devbox run", "rye run")


def _from_variables(assigns: Mapping[str, str]) -> Iterator[str]:
    """``PYTEST_ADDOPTS="-k x"`` narrows as the option itself would."""
    given = assigns.get("PYTEST_ADDOPTS", "").split()
    if given:
        yield from _Arguments(given, TOOLS["pytest"][0]).narrowed()


def _detect(words: list[str], depth: int) -> tuple[Detected, ...]:
    if not words or depth > 4:
        return ()
    name, rest = program(words[0]), words[1:]
    if name == "cargo" and rest and rest[0].startswith("+"):
        rest = rest[1:]  # the toolchain
    if name.startswith(("python", "pypy")) or name == "py":
        return _python(rest, depth)
    for tool in TOOLS.get(name, ()):
        found = tuple(_from_entry(tool, name, rest))
        if found:
            return found
    for between in LAUNCHERS.get(name, ()):
        inner = _started_by(between.split(), rest)
        found = _detect(inner, depth + 1) if inner and inner[0] not in _OWN_SUBCOMMANDS else ()
        if found:
            return found
    return ()


def program(word: str) -> str:
    """The name a program is known by."""
    name = word.replace("\\", "/").rsplit("/", 1)[-1]
    if "@" in name[1:]:  # npx eslint@8
        name = name[: name.index("@", 1)]
    for ending in (".exe", ".cmd", ".bat", ".phar", ".ps1"):
        name = name.removesuffix(ending)
    return name


def _python(rest: list[str], depth: int) -> tuple[Detected, ...]:
    """``python -m pytest``, ``python manage.py test``, ``python tests/test_a.py``."""
    words = list(rest)
    while words and words[0].startswith("-") and words[0] != "-m":
        if words[0] in ("-c", "-V", "--version", "-h", "--help"):
            return ()
        words = words[2:] if words[0] in ("-W", "-X") else words[1:]
    if words[:1] == ["-m"]:
        words = words[1:]
        return (*_detect(words, depth + 1),) if words and "/" not in words[0] else ()
    if not words:
        return ()
    found = _detect(words, depth + 1)
    base = program(words[0])
    if not found and re.fullmatch(r"(?:test_\w+|\w+_test|runtests|run_tests|tests)\.py", base):
        # Such a file may hold tests that only another program runs: its exit code means nothing.
        return (Detected("test", base, (words[0],), reads="unittest pytest", needs_summary=True),)
    return found


def _started_by(between: Sequence[str], rest: Sequence[str]) -> list[str]:
    """What a launcher starts: the arguments after its own."""
    words = list(rest)
    for each in between:
        words = _without_options(words, stop="-m")
        if not words or words[0] != each:
            return []
        words = words[1:]
    words = _without_options(words, stop="")
    return words[1:] if words[:1] == ["--"] else words


_LAUNCHER_VALUES = frozenset({"--source", "--omit", "--rcfile", "--data-file", "--reporter"}) | {
    *("-r", "-d", "-C", "-F", "--filter", "--cwd")
}


def _without_options(words: list[str], *, stop: str) -> list[str]:
    while words and words[0].startswith("-") and words[0] not in (stop, "--"):
        words = words[2:] if words[0] in _LAUNCHER_VALUES else words[1:]
    return words


def _from_entry(tool: Tool, name: str, rest: Sequence[str]) -> Iterator[Detected]:
    """The checks that the arguments mean by one entry of the table."""
    words = _Arguments(rest, tool)
    if tool.subs.startswith("@"):
        yield from _from_targets(tool, name, words)
        return
    subcommand = _subcommand(tool, words)
    if subcommand is None or words.is_idle(operands=len(subcommand)):
        return
    if tool.needs and not words.has(tool.needs):
        return
    operands = words.operands[len([one for one in subcommand if not one.startswith("-")]) :]
    scope = words.narrowed() + (_named(operands, tool) if tool.operands else ())
    yield Detected(
        tool.kind,
        " ".join((name, *subcommand)),
        scope,
        words.folder(),
        tool.reads,
        rewrites=tool.kind == "test" and not _REWRITES.isdisjoint(words.options),
    )


def _subcommand(tool: Tool, words: _Arguments) -> tuple[str, ...] | None:
    """The subcommand that makes the program judge; None if another one, or none, is given."""
    for alternative in tool.subs.split("|"):
        wanted = alternative.split()
        if not wanted:
            return ()
        if wanted[0].startswith("-"):
            if wanted[0] in words.options:
                return (wanted[0],)
            continue
        given = words.operands[: len(wanted)]
        if len(given) == len(wanted) and all(map(_fits, wanted, given)):
            return tuple(given)
    return None


def _fits(pattern: str, word: str) -> bool:
    if pattern.startswith("*"):
        return word.endswith(pattern[1:])
    return word.startswith(pattern[:-1]) if pattern.endswith("*") else word == pattern


def _named(operands: Sequence[str], tool: Tool) -> tuple[str, ...]:
    if tool.reads in ("go", "ginkgo") and not operands:
        return ("./*.go",)  # without arguments, go judges one folder
    whole = {".", "./", *tool.whole.split()}
    return tuple(_or_unknown(one) for one in operands if one not in whole and "=" not in one[:1])


def _or_unknown(word: str) -> str:
    return UNKNOWN_SCOPE if HOLE in word else word


# -- targets and scripts -----------------------------------------------------------------------------


def _from_targets(tool: Tool, name: str, words: _Arguments) -> Iterator[Detected]:
    """``make lint test``, ``npm run build``, ``mvn clean verify``: by the names of the targets."""
    mode, _, listed = tool.subs.partition(" ")
    if words.is_idle(operands=0) or words.has("--watch"):
        return
    if mode == "@goals":
        yield from _each_target(tool, name, words, listed)
        return
    found = _script(mode, name, words)
    if found is None:
        return
    script, subcommand, rest = found
    if script in TOOLS and name in LAUNCHERS:
        return  # `yarn jest` is jest
    kind, rewrites = kind_of_target(script, runs=name)
    if not kind:
        return
    given = _Arguments([*rest, *words.after_dashes], _SCRIPT_TOOL)
    if given.is_idle(operands=0):
        return
    scope = words.narrowed() + given.narrowed() + _named(given.operands, tool)
    yield Detected(
        kind,
        " ".join((name, *subcommand)),
        tuple(dict.fromkeys(scope)),
        words.folder(),
        rewrites=rewrites or (kind == "test" and not _REWRITES.isdisjoint(given.options)),
    )


_SCRIPT_TOOL = Tool(
    "test",
    values="-t -k -g --grep --filter --testNamePattern --testPathPattern --spec -c --config --reporter"
    " --project --shard --maxWorkers -m",
    narrows="-t -k -g --grep --filter --testNamePattern --testPathPattern --spec --project --shard -m"
    " --onlyChanged -o --lf --changed",
    idle="--watch --watchAll --listTests --collect-only --co --list --ui --init --debug",
    whole="run",
)


def _script(
    mode: str, name: str, words: _Arguments
) -> tuple[str, tuple[str, ...], Sequence[str]] | None:
    """The script, the arguments that name it, and those that it gets."""
    operands = words.operands
    first = operands[0] if operands else ""
    if first in ("run", "run-script", "rum", "urn", "task") and mode != "@task":
        if len(operands) < 2:
            return None
        return operands[1], ("run", operands[1]), _after(words.rest, operands[1])
    if mode == "@task":
        is_task = first == "task" and len(operands) > 1
        return (
            (operands[1], ("task", operands[1]), _after(words.rest, operands[1]))
            if is_task
            else None
        )
    if first == "workspace" and len(operands) > 2:  # yarn workspace web test
        script = operands[3] if operands[2] == "run" and len(operands) > 3 else operands[2]
        return script, ("workspace", operands[1], script), _after(words.rest, script)
    if mode == "@run" or not first or first in _OWN_SUBCOMMANDS:
        return None
    if first in ("t", "tst"):
        return "test", ("test",), _after(words.rest, first)
    if mode == "@npm" and first != "test":
        return None
    if name == "nx" and first == "affected":
        return "test", ("affected",), ()
    if name == "nx" and ":" in first:
        return None
    return first, (first,), _after(words.rest, first)


def _after(rest: Sequence[str], word: str) -> Sequence[str]:
    at = rest.index(word)
    return (
        [one for one in rest[at + 1 :] if one != "--"]
        if "--" not in rest[at:]
        else (rest[at + 1 : at + list(rest[at:]).index("--")])
    )


def _each_target(tool: Tool, name: str, words: _Arguments, listed: str) -> Iterator[Detected]:
    goals = [one for one in words.operands if "=" not in one]
    scope = words.narrowed() + tuple(
        one
        for one in words.operands
        if re.match(r"(?i)\w*(?:test|spec|args|filter|only|file)\w*=.", one)
    )
    if not goals and name in _BUILD_WITHOUT_TARGET:
        yield Detected("build", name, scope, words.folder(), tool.reads)
        return
    known = set(listed.split("|")) if listed else set()
    for goal in dict.fromkeys(goals):
        task = goal.rsplit(":", 1)[-1] if name.startswith("gradle") else goal
        project = goal[: -len(task)].strip(":") if name.startswith("gradle") else ""
        if known and task not in known:
            continue
        kind, rewrites = kind_of_target(task, runs=name)
        if kind:
            narrowed = (project,) if project else ()
            reads = {"test": tool.reads, "build": _READS_OF_BUILDS.get(tool.reads, "")}
            yield Detected(
                kind,
                f"{name} {goal}",
                (*scope, *narrowed),
                words.folder(),
                reads.get(kind, ""),
                rewrites,
            )


_READS_OF_BUILDS = {
    "maven": "maven-build",
    "gradle": "gradle",
    "ninja": "ninja",
    "xcodebuild": "xcodebuild",
}
_BUILD_WITHOUT_TARGET = frozenset({"make", "gmake", "mingw32-make", "ninja", "samu"})


class _Arguments:
    """The arguments of a program: options, their values, operands."""

    def __init__(self, rest: Sequence[str], tool: Tool) -> None:
        self.tool = tool
        self.rest = list(rest)
        self.operands: list[str] = []
        self.options: dict[str, str] = {}
        self.order: list[tuple[str, str, int]] = []
        self.after_dashes: list[str] = []
        values = frozenset(tool.values.split())
        at = 0
        while at < len(rest):
            word = rest[at]
            at += 1
            if word == "--":
                self.after_dashes = list(rest[at:])
                break
            if not word.startswith("-") or word == "-":
                self.operands.append(word)
                continue
            name, equals, value = word.partition("=")
            if not equals and name in values and at < len(rest):
                value = rest[at]
                at += 1
            elif not equals and name[:2] in values and not name.startswith("--") and len(name) > 2:
                is_whole = name in values or name in f"{tool.narrows} {tool.idle}".split()
                name, value = (name, "") if is_whole else (name[:2], name[2:])
            self.options[name] = value
            self.order.append((name, value, len(self.operands)))
        if tool.subs and tool.subs[:1] != "@" and self.after_dashes and tool.operands:
            self.operands += self._operands_after_dashes()
        elif not tool.subs and tool.operands:
            self.operands += self.after_dashes

    def _operands_after_dashes(self) -> list[str]:
        return [one for one in self.after_dashes if not one.startswith("-")]

    def has(self, listed: str) -> bool:
        names = listed.split()
        given = {*self.options, *self.operands, *self.after_dashes}
        return not given.isdisjoint(names)

    def is_idle(self, *, operands: int) -> bool:
        """Whether nothing is judged with these arguments."""
        if not _ALWAYS_IDLE.isdisjoint(self.options):
            return True
        idle = set(self.tool.idle.split())
        given = self.operands[: operands + 1]
        on = {name for name, value, _ in self.order if value.lower() not in ("false", "0", "no")}
        behind_dashes = {
            one for one in self.after_dashes if one in ("--list", "--help", "--version")
        }
        skipping = any(
            name in ("-DskipTests", "-Dmaven.test.skip") and value.lower() != "false"
            for name, value, _ in self.order
        )
        return bool(idle & on or idle & set(given) or behind_dashes or skipping)

    def narrowed(self) -> tuple[str, ...]:
        """The options that leave out part of the work, with their values."""
        narrows = set(self.tool.narrows.split())
        return tuple(
            f"{name} {_or_unknown(value)}".strip()
            for name, value, _ in self.order
            if name in narrows and value.lower() not in ("false", "0")
        )

    def folder(self) -> str:
        folders = [self.options[one] for one in self.tool.folder.split() if one in self.options]
        return folders[-1] if folders else ""
