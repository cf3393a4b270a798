"""Which checks one command runs, by its program and arguments.

Owns how arguments are read by the table. Does not own the table (``evidence.checks.tools.table``) or what the
rest of the line means (``evidence.checks.attribution``).
"""

from __future__ import annotations

import re

from operators_edge.evidence.checks.build_targets import kind_of_target
from operators_edge.evidence.checks.model import Check
from operators_edge.evidence.checks.runner_patterns import KIND_READERS
from operators_edge.evidence.checks.tools.table import LAUNCHERS, TOOLS, Tool
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from operators_edge.shell.commands import Command

UNKNOWN_SCOPE = "…"
"""In a scope: what is unknown before the command runs."""

_MAX_LAUNCHERS = 4
_ALWAYS_IDLE = frozenset({"--version", "--help", "-h", "-help", "-version", "--usage"})
_REWRITES = frozenset(
    {"-u", "--updateSnapshot", "--update-snapshot", "--update-snapshots", "--snapshot-update"}
    | {"--update", "--update-goldens", "--bless", "--snapshots", "--accept", "--force-regen"}
)
# A package manager's own subcommands: never a program of the project.
_OWN_SUBCOMMANDS = frozenset(
    {"install", "add", "remove", "ci", "publish", "pack", "link", "init", "create", "why"}
    | {"outdated", "audit"}
)


def checks_of_command(command: Command) -> tuple[Check, ...]:
    """Every check that the command runs, without its place in the line; none for nearly every command."""
    words = [word.text for word in command.argv]
    found = _detect(words, 0) or _project_script(command.through[-1:], words)
    assigns = {name: word.text for name, word in command.assigns}
    extra = list(_from_variables(assigns.get("PYTEST_ADDOPTS", "").split()))
    extra += [UNKNOWN_SCOPE] if command.has_more_words else []
    updates = any(name.startswith("UPDATE_") and value for name, value in assigns.items())
    # A service of the project's own compose file runs the project.
    is_service = any(" compose " in f" {each} ".replace("-", " ") for each in command.through)
    return tuple(
        one._replace(
            scope=tuple(dict.fromkeys((*one.scope, *extra))),
            cwd="" if is_service else _join(command.cwd, one.cwd or ""),
            is_remote=command.is_remote and not is_service,
            rewrites=one.rewrites or updates,
        )
        for one in found
    )


def _join(cwd: str | None, folder: str) -> str | None:
    if cwd is None or not folder:
        return cwd
    return f"{cwd}/{folder}" if cwd and not folder.startswith("/") else folder


def _from_variables(given: Sequence[str]) -> Sequence[str]:
    """``PYTEST_ADDOPTS="-k x"`` narrows as the option itself would."""
    return _Arguments(given, TOOLS["pytest"][0]).narrowed()


def _check(
    kind: str,
    name: str,
    scope: Iterable[str],
    folder: str = "",
    reads: str = "",
    *,
    rewrites: bool = False,
) -> Check:
    readers = tuple((reads or KIND_READERS[kind]).split())
    return Check(kind, name, tuple(dict.fromkeys(scope)), folder, readers, rewrites)


def _project_script(through: Sequence[str], words: Sequence[str]) -> tuple[Check, ...]:
    """``hatch run test:cov``, ``pdm run lint``: a script of the project."""
    if not words or not through or through[0] not in _SCRIPT_RUNNERS or "/" in words[0]:
        return ()
    kind, rewrites = kind_of_target(words[0], runs="npm")
    given = _Arguments(words[1:], _SCRIPT_TOOL)
    if not kind or given.is_idle():
        return ()
    return (_check(kind, f"{through[0]} {words[0]}", given.scope(), rewrites=rewrites),)


_SCRIPT_RUNNERS = ("hatch run", "pdm run", "pixi run", "devbox run", "rye run")


def _detect(words: Sequence[str], depth: int) -> tuple[Check, ...]:
    if not words or depth > _MAX_LAUNCHERS:
        return ()
    name, rest = program(words[0]), words[1:]
    if name.startswith(("python", "pypy")) or name == "py":
        return _python(rest, depth)
    if name == "cargo" and rest and rest[0].startswith("+"):
        rest = rest[1:]  # the toolchain
    for tool in TOOLS.get(name, ()):
        if found := tuple(_from_entry(tool, name, rest)):
            return found
    if name in _TEST_FILES and (found := _test_file(name, rest)):
        return found
    return _launched(name, rest, depth)


def _launched(name: str, rest: Sequence[str], depth: int) -> tuple[Check, ...]:
    """``coverage run -m pytest``: the checks of the program that another one starts."""
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


# What runs a file of tests by itself: which files, whose summaries they print, options with a value.
_TEST_FILES = {
    "python": (r"(?:test_\w+|\w+_test|runtests|run_tests|tests)\.py", "unittest pytest", "-W -X"),
    "ruby": (r"(?:test_\w+|\w+_(?:test|spec))\.rb", "minitest rspec", "-I -r -C -W"),
    "node": (
        r"(?:test|[\w.-]*[._-](?:test|spec))\.[cm]?[jt]s",
        "tap node mocha uvu",
        "-r --require --import",
    ),
}


def _python(rest: Sequence[str], depth: int) -> tuple[Check, ...]:
    """``python -m pytest``, ``python manage.py test``, ``python tests/test_a.py``."""
    words = _without_options(
        rest, {"-W", "-X"}, stop=("-m", "-c", "-V", "--version", "-h", "--help")
    )
    if words[:1] == ["-m"]:
        return _detect(words[1:], depth + 1) if "/" not in "".join(words[1:2]) else ()
    if not words or words[0].startswith("-"):
        return ()
    return _detect(words, depth + 1) or _test_file("python", words)


def _test_file(language: str, rest: Sequence[str]) -> tuple[Check, ...]:
    """A file of tests that is run by itself: ``ruby -Itest test/test_cart.rb``."""
    pattern, reads, values = _TEST_FILES[language]
    words = _without_options(rest, frozenset(values.split()), stop=("-e", "-c", "-S"))
    if not words or not re.fullmatch(pattern, program(words[0])):
        return ()
    # It may hold tests that only another program runs: its exit code means nothing.
    check = _check("test", program(words[0]), (words[0],), reads=reads)
    return (check._replace(needs_summary=True),)


def _started_by(between: Sequence[str], rest: Sequence[str]) -> list[str]:
    """What a launcher starts: the arguments after its own."""
    words = list(rest)
    for each in between:
        words = _without_options(words, _LAUNCHER_VALUES, stop=("-m",))
        if words[:1] != [each]:
            return []
        words = words[1:]
    words = _without_options(words, _LAUNCHER_VALUES)
    return words[1:] if words[:1] == ["--"] else words


_LAUNCHER_VALUES = frozenset({"--source", "--omit", "--rcfile", "--data-file", "--reporter"}) | {
    *("-r", "-d", "-C", "-F", "--filter", "--cwd")
}


def _without_options(
    words: Sequence[str], values: Collection[str], *, stop: tuple[str, ...] = ()
) -> list[str]:
    """The words after the options, or from an option in ``stop`` on; those in ``values`` have a value."""
    words = list(words)
    while words and words[0].startswith("-") and words[0] not in (*stop, "--"):
        words = words[2:] if words[0] in values else words[1:]
    return words


def _from_entry(tool: Tool, name: str, rest: Sequence[str]) -> Iterator[Check]:
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
    yield _check(
        tool.kind,
        " ".join((name, *subcommand)),
        words.scope(len([one for one in subcommand if not one.startswith("-")])),
        words.folder(),
        tool.reads,
        rewrites=tool.kind == "test" and words.rewrites,
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


def _or_unknown(word: str) -> str:
    return UNKNOWN_SCOPE if HOLE in word else word


# -- targets and scripts -----------------------------------------------------------------------------


def _from_targets(tool: Tool, name: str, words: _Arguments) -> Iterator[Check]:
    """``make lint test``, ``npm run build``, ``mvn clean verify``: by the names of the targets."""
    mode, _, listed = tool.subs.partition(" ")
    if words.is_idle() or words.has("--watch"):
        return
    if mode == "@goals":
        yield from _each_target(tool, name, words, listed.split("|") if listed else ())
        return
    naming = _naming(mode, words.operands)
    script = naming[-1] if naming else ""
    if script in TOOLS and name in LAUNCHERS:
        return  # `yarn jest` is jest
    kind, rewrites = kind_of_target(_SHORT_NAMES.get(script, script), runs=name)
    if not kind:
        return
    behind = words.rest[words.rest.index(script) + 1 :]
    given = _Arguments([one for one in behind if one != "--"], _SCRIPT_TOOL)
    if given.is_idle():
        return
    yield _check(
        kind,
        " ".join((name, *naming[:-1], _SHORT_NAMES.get(script, script))),
        (*words.narrowed(), *given.scope()),
        words.folder(),
        rewrites=rewrites or (kind == "test" and given.rewrites),
    )


_SHORT_NAMES = {"t": "test", "tst": "test"}
_SCRIPT_TOOL = Tool(
    "test",
    values="-t -k -g --grep --filter --testNamePattern --testPathPattern --spec -c --config --reporter"
    " --project --shard --maxWorkers -m",
    narrows="-t -k -g --grep --filter --testNamePattern --testPathPattern --spec --project --shard -m"
    " --onlyChanged -o --lf --changed",
    idle="--watch --watchAll --listTests --collect-only --co --list --ui --init --debug",
    whole="run",
)


def _naming(mode: str, operands: Sequence[str]) -> tuple[str, ...]:
    """The arguments that name a script, which is the last of them."""
    match [mode, *operands]:
        case ["@task", first, script, *_]:
            return (first, script) if first == "task" else ()
        case [_, "run" | "run-script" | "rum" | "urn" | "task", script, *_]:
            return ("run", script)
        case [_, "workspace", where, "run", script, *_] | [_, "workspace", where, script, *_]:
            return ("workspace", where, script)
        case ["@npm", "test" | "t" | "tst" as script, *_]:
            return (script,)
        case ["@script", script, *_] if script not in _OWN_SUBCOMMANDS:
            return (script,)
    return ()


def _each_target(
    tool: Tool, name: str, words: _Arguments, known: Collection[str]
) -> Iterator[Check]:
    goals = [one for one in words.operands if "=" not in one]
    scope = (*words.narrowed(), *filter(_NARROWING.match, words.operands))
    if not goals and name in _BUILD_WITHOUT_TARGET:
        yield _check("build", name, scope, words.folder(), tool.reads)
        return
    reads = {"test": tool.reads, "build": _READS_OF_BUILDS.get(tool.reads.partition(" ")[0], "")}
    for goal in dict.fromkeys(goals):
        project, _, task = goal.rpartition(":") if name.startswith("gradle") else ("", "", goal)
        kind, rewrites = (
            kind_of_target(task, runs=name) if task in (known or {task}) else ("", False)
        )
        if kind:
            narrowed = (*scope, *filter(None, [project.strip(":")]))
            folder, reader = words.folder(), reads.get(kind, "")
            yield _check(kind, f"{name} {goal}", narrowed, folder, reader, rewrites=rewrites)


_NARROWING = pattern(r"(?i)\w*(?:test|spec|args|filter|only|file)\w*=.")
_READS_OF_BUILDS = {"maven": "maven-build"} | {
    one: one for one in ("gradle", "ninja", "xcodebuild")
}
_BUILD_WITHOUT_TARGET = frozenset({"make", "gmake", "mingw32-make", "ninja", "samu"})


class _Arguments:
    """The arguments of a program: options, their values, operands."""

    def __init__(self, rest: Sequence[str], tool: Tool) -> None:
        self.tool = tool
        self.rest = list(rest)
        end = self.rest.index("--") if "--" in self.rest else len(self.rest)
        self.after_dashes = self.rest[end + 1 :]
        self.operands: list[str] = []
        self.given: list[tuple[str, str]] = []
        values = frozenset(tool.values.split())
        known = {*values, *tool.narrows.split(), *tool.idle.split()}
        words = iter(self.rest[:end])
        for word in words:
            if not word.startswith("-") or word == "-":
                self.operands.append(word)
                continue
            name, equals, value = word.partition("=")
            if not equals and name in values:
                value = next(words, "")
            elif not equals and name not in known and name[:2] in values:
                name, value = name[:2], name[2:]
            self.given.append((name, value))
        self.options = dict(self.given)
        self.rewrites = not _REWRITES.isdisjoint(self.options)
        if tool.operands and tool.subs[:1] != "@":
            behind = self.after_dashes
            self.operands += [one for one in behind if not tool.subs or not one.startswith("-")]

    def has(self, listed: str) -> bool:
        given = {*self.options, *self.operands, *self.after_dashes}
        return not given.isdisjoint(listed.split())

    def is_idle(self, *, operands: int = 0) -> bool:
        """Whether nothing is judged with these arguments."""
        idle = self.tool.idle.split()
        on = {name for name, value in self.given if value.lower() not in ("false", "0", "no")}
        behind = {"--list", "--help", "--version"}
        return not (
            _ALWAYS_IDLE.isdisjoint(self.options)
            and on.isdisjoint(idle)
            and set(self.operands[: operands + 1]).isdisjoint(idle)
            and behind.isdisjoint(self.after_dashes)
        )

    def narrowed(self) -> tuple[str, ...]:
        """The options that leave out part of the work, with their values."""
        narrows = set(self.tool.narrows.split())
        return tuple(
            f"{name} {_or_unknown(value)}".strip()
            for name, value in self.given
            if name in narrows and value.lower() not in ("false", "0")
        )

    def scope(self, start: int = 0) -> tuple[str, ...]:
        """What is judged, by the options and by the operands from ``start`` on; () for everything."""
        if not self.tool.operands:
            return self.narrowed()
        operands = self.operands[start:]
        if self.tool.reads in ("go", "ginkgo") and not operands:
            operands = ["./*.go"]  # without arguments, go judges one folder
        whole = {".", "./", *self.tool.whole.split()}
        named = [one for one in operands if one not in whole and not one.startswith("=")]
        return (*self.narrowed(), *map(_or_unknown, named))

    def folder(self) -> str:
        folders = [self.options[one] for one in self.tool.folder.split() if one in self.options]
        return folders[-1] if folders else ""


# end of module
