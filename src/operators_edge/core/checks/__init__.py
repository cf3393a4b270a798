"""Which commands run tests, and what their outcome tells of the tests.

Pure. Owns the table of known runners and launchers. A text that only names a runner is no run, and
an outcome that another command shares in is unknown.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.core.shell import Command, Script

# What makes a test run of a program: the words that must follow it; () for the program alone.
_RUNNERS: dict[str, tuple[tuple[str, ...], ...]] = {
    **dict.fromkeys(
        (
            "pytest", "py.test", "tox", "nox", "jest", "vitest", "mocha", "ava", "tap", "rspec",
            "phpunit", "pest", "ctest", "karma", "nose2", "stestr", "nextest", "cargo-nextest",
            "gotestsum", "bats", "busted", "minitest", "unittest",
        ),
        ((),),
    ),
    "npm": (("test",), ("t",), ("tst",), ("run", "test*"), ("run-script", "test*")),
    "pnpm": (("test",), ("t",), ("run", "test*"), ("test:*",)),
    "yarn": (("test",), ("test:*",), ("run", "test*")),
    "bun": (("test",), ("run", "test*")),
    "deno": (("test",), ("task", "test*")),
    "node": (("--test",),),
    "playwright": (("test",),),
    "cypress": (("run",),),
    "ng": (("test",),),
    "go": (("test",),),
    "cargo": (("test",), ("t",), ("nextest", "run")),
    "mvn": (("test",), ("verify",), ("integration-test",)),
    "mvnw": (("test",), ("verify",), ("integration-test",)),
    "gradle": (("test",), ("check",)),
    "gradlew": (("test",), ("check",)),
    "sbt": (("test",),),
    "dotnet": (("test",),),
    "swift": (("test",),),
    "mix": (("test",),),
    "rake": (("test",), ("spec",)),
    "rails": (("test",),),
    "artisan": (("test",),),
    "manage.py": (("test",),),
    "make": (("test*",), ("check",)),
    "gmake": (("test*",), ("check",)),
    "just": (("test*",), ("check",)),
    "task": (("test*",),),
    "bazel": (("test",),),
    "ninja": (("test",), ("check",)),
    "meson": (("test",),),
    "flutter": (("test",),),
    "dart": (("test",),),
    "zig": (("test",), ("build", "test")),
    "composer": (("test",), ("run", "test*")),
    "hatch": (("test",), ("run", "test*")),
    "prove": ((),),
}  # fmt: skip

# Programs that only start the one named after these words.
_LAUNCHERS: dict[str, tuple[tuple[str, ...], ...]] = {
    "uv": (("run",), ("tool", "run")),
    "poetry": (("run",),),
    "pipenv": (("run",),),
    "pdm": (("run",),),
    "rye": (("run",),),
    "hatch": (("run",),),
    "conda": (("run",),),
    "coverage": (("run", "-m"),),
    "npx": ((),),
    "bunx": ((),),
    "uvx": ((),),
    "pnpm": (("exec",), ("dlx",), ()),
    "npm": (("exec",), ("x",)),
    "yarn": (("exec",), ("dlx",), ()),
    "bundle": (("exec",),),
    "php": ((),),
    "xvfb-run": ((),),
    "cross-env": ((),),
    "dotenv": ((),),
}

# With one of these a runner runs no test.
_NO_RUN = frozenset(
    {"--version", "-V", "--help", "-h", "--collect-only", "--co", "--fixtures", "--markers"}
    | {
        "--listTests",
        "--list",
        "--list-tests",
        "--no-run",
        "--dry-run",
        "--show-only",
        "--showConfig",
    }
)
# Launchers' and runners' options before the word that counts, which take a value of their own.
_VALUED = frozenset(
    {
        "-C",
        "-f",
        "-p",
        "-w",
        "--prefix",
        "--workspace",
        "--filter",
        "--dir",
        "--cwd",
        "-F",
        "--with",
    }
    | {
        "--project",
        "--directory",
        "--python",
        "--package",
        "--group",
        "--extra",
        "-n",
        "--manifest-path",
    }
)
_MANY_GOALS = frozenset(
    {"make", "gmake", "mvn", "mvnw", "gradle", "gradlew", "rake", "ninja", "just", "sbt", "task"}
)
_DRY_N = frozenset({"make", "gmake", "ninja", "just", "rake"})
_SKIPPING = ("-DskipTests", "-Dmaven.test.skip")
_HARMLESS_BEFORE = frozenset({"cd", "export", "set", "source", ".", "true", ":", "pushd", "echo"})


class TestRun:
    """A command line in which a known runner is run, and how far its outcome can be told."""

    __slots__ = ("fails_alone", "passes_alone", "runner")

    def __init__(self, runner: str, *, passes_alone: bool, fails_alone: bool) -> None:
        self.runner = runner
        self.passes_alone = passes_alone
        self.fails_alone = fails_alone

    def outcome(self, *, is_success: bool) -> bool | None:
        """Whether the tests passed; None where the command's success says more than that."""
        if is_success:
            return True if self.passes_alone else None
        return False if self.fails_alone else None


def test_run(text: str) -> TestRun | None:
    """The last test run in a command line; None when there is none, or none can be made out."""
    if not _may_hold_runner(text):
        return None
    from operators_edge.core import shell  # noqa: PLC0415 - the parser, for these commands alone

    script = shell.parse(text)
    found = [(i, runner_of(c)) for i, c in enumerate(script.commands)]
    runs = [(i, name) for i, name in found if name]
    if not runs:
        return None
    index, name = runs[-1]
    return TestRun(
        name,
        passes_alone=_decides_success(script, index, text),
        fails_alone=_decides_failure(script, index, text),
    )


_NOT_A_NAME = re.compile(r"[^\w.+-]+|\.(?:exe|cmd|bat)\b")
# Redirections that hold an `&` and join nothing.
_REDIRECTION = re.compile(r"\d?>&\d|&>>?")


def _may_hold_runner(text: str) -> bool:
    return not _RUNNERS.keys().isdisjoint(_NOT_A_NAME.split(text))


def _decides_success(script: Script, index: int, text: str) -> bool:
    """Success of the line is success of the run: only ``&&`` follows, no ``||`` comes before."""
    if not _can_decide(script, index, text) or "||" in text[: script.commands[index].span[1]]:
        return False
    return not _ENDINGS & set(_behind_it(script.commands[index], text).replace("&&", ""))


def _decides_failure(script: Script, index: int, text: str) -> bool:
    """Failure of the line is failure of the run: all before it hardly fails, nothing follows."""
    if not _can_decide(script, index, text) or _ENDINGS & set(
        _behind_it(script.commands[index], text)
    ):
        return False
    names = {_program(one.argv[0].text) for one in script.commands[:index] if one.argv}
    return names <= _HARMLESS_BEFORE


_ENDINGS = frozenset("|;&\n")
_NEGATED = re.compile(r"[\s'\"({]*!")


def _can_decide(script: Script, index: int, text: str) -> bool:
    """False for what is negated, captured by a substitution, or followed inside one quoted text."""
    command = script.commands[index]
    start, stop = command.span
    is_captured = any("(" in how or "`" in how for how in command.through)
    is_followed = any(one.span[0] < stop for one in script.commands[index + 1 :])
    if script.problems or is_captured or is_followed:
        return False
    return not text[:start].rstrip().endswith("!") and not _NEGATED.match(text[start:stop])


def _behind_it(command: Command, text: str) -> str:
    """What follows a command, without what only ends a group or a quote."""
    after = _REDIRECTION.sub("", text[command.span[1] :])
    return after.lstrip(" \t)}\"'").rstrip(" \t\r\n)};\"'")


def runner_of(command: Command) -> str:
    """The test runner that a command is; "" for every other command."""
    return _runner([word.text for word in command.argv])


def _runner(words: Sequence[str], depth: int = 0) -> str:
    if not words or depth > 4:
        return ""
    if words[0] == "-m":
        words = words[1:] or [""]
    name = _program(words[0])
    rest = list(words[1:])
    if name.startswith(("python", "pypy")):
        return _python(rest, depth)
    for pattern in _RUNNERS.get(name, ()):
        if _follows(pattern, rest, is_any=name in _MANY_GOALS) and not _is_dry(name, rest):
            return " ".join([name, *pattern]).rstrip("*")
    for pattern in _LAUNCHERS.get(name, ()):
        inner = _behind(pattern, rest)
        found = _runner(inner, depth + 1) if inner else ""
        if found:
            return found
    return ""


def _program(word: str) -> str:
    name = word.replace("\\", "/").rsplit("/", 1)[-1]
    return name.removesuffix(".exe").removesuffix(".cmd").removesuffix(".bat")


def _python(rest: list[str], depth: int) -> str:
    """``python -m pytest``, ``python manage.py test``, ``python -m coverage run -m pytest``."""
    words = list(rest)
    while words and words[0].startswith("-") and words[0] != "-m":
        words = words[2:] if words[0] in ("-W", "-X") else words[1:]
    if words[:1] == ["-m"]:
        words = words[1:]
    elif words and not words[0].endswith(".py"):
        return ""
    return _runner(words, depth + 1)


def _plain(words: Sequence[str]) -> list[str]:
    """The words without leading options."""
    rest = list(words)
    while rest and rest[0].startswith("-") and rest[0] not in ("-m", "--test"):
        rest = rest[2:] if rest[0] in _VALUED else rest[1:]
    return rest


def _follows(pattern: tuple[str, ...], rest: Sequence[str], *, is_any: bool) -> bool:
    words = _plain(rest)
    if is_any:  # `make -j4 lint test`, `mvn clean verify`: a goal among goals
        return any(_matches(pattern[0], word) for word in words)
    return len(words) >= len(pattern) and all(map(_matches, pattern, words))


def _is_dry(name: str, rest: Sequence[str]) -> bool:
    """With these options nothing is tested."""
    if name in _DRY_N and "-n" in rest:
        return True
    if name == "go" and "-c" in rest:
        return True
    return bool(_NO_RUN & set(rest)) or any(word.startswith(_SKIPPING) for word in rest)


def _matches(pattern: str, word: str) -> bool:
    return word.startswith(pattern[:-1]) if pattern.endswith("*") else word == pattern


def _behind(pattern: tuple[str, ...], rest: Sequence[str]) -> list[str]:
    """What a launcher starts: the words behind its own."""
    words = list(rest)
    for each in pattern:
        words = _plain(words)
        if not words or words[0] != each:
            return []
        words = words[1:]
    words = _plain(words)
    while words and "=" in words[0] and not words[0].startswith("-"):
        words = words[1:]  # cross-env A=1 jest
    return words[1:] if words[:1] == ["--"] else words


def same_command(one: str, other: str) -> bool:
    """Whether two texts are the same command: white space, assignments and ``cd X &&`` do not count."""
    return _bare(one) == _bare(other) != ""


_LEAD = re.compile(r"(?:cd\s+\S+\s*(?:&&|;)\s*|\$\s+|[A-Za-z_]\w*=\S*\s+)+")


def _bare(text: str) -> str:
    return " ".join(_LEAD.sub("", text.strip(), count=1).split()).rstrip("; ")
