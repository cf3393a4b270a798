"""Tests that are written for a shell: ``bats``, ``shellspec``, ``cram`` and ``shunit2``.

Each text is returned as the script that a run of it amounts to, line by line: ``@test "x" { … }`` becomes a
function, and the calls of all tests stand at the end. Programs for which a test puts a stand-in in place are
named (``stand_ins``). Owns these formats. Does not own which files they are (``gate.disk.shell_tests``).
Pure.
"""

from __future__ import annotations

import re

from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_TESTS = 200
_START = r"(?m)((?:^|[;&|{(])[ \t]*|\b(?:then|do|else)[ \t]+)"
"""Where a command begins, roughly: in a test that is enough."""

# -- bats ------------------------------------------------------------------------------------------

_TEST = pattern(r"(?m)^[ \t]*@test[ \t]+(?:\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|\S+)[ \t]*\{")
_FUNCTION_TEST = pattern(
    r"(?m)^[ \t]*(?:function[ \t]+)?(\w+)[ \t]*(?:\(\))?[ \t]*\{[ \t]*#[ \t]*@test"
)
_RUN = pattern(rf"{_START}run[ \t]+(?:(?:-\S+|!)[ \t]+)*(?=[^\s(=])")
_LOAD = pattern(rf"{_START}load[ \t]+(?:\"([^\"\n]+)\"|'([^'\n]+)'|([^\s;&|'\"]+))")
_STUB = pattern(rf"{_START}(?:stub|unstub|mock|mock_command|stub_command)[ \t]+(?=[^\s(=])")
_SKIP = pattern(r"(?m)^([ \t]*)skip\b[^\n]*$")
_DEFINED = pattern(r"(?m)^[ \t]*(?:function[ \t]+)?([\w:-]+)[ \t]*\([ \t]*\)")


def bats(text: str, find: Callable[[str], str | None]) -> str:
    """The script of a bats file; ``find`` gives the path of a file that it loads, None for a library."""
    names: list[str] = []

    def test(_: re.Match[str]) -> str:
        names.append(f"bats_test_{len(names) + 1}")
        return f"{names[-1]}() {{"

    def load(match: re.Match[str]) -> str:
        path = find(match[2] or match[3] or match[4])
        return f"{match[1]}. '{path}'" if path else f"{match[1]}:"

    plain = [one for one in _FUNCTION_TEST.findall(text) if isinstance(one, str)]
    text = _STUB.sub(r"\1: ", text)
    script = _SKIP.sub(r"\1return", _LOAD.sub(load, _RUN.sub(r"\1", _TEST.sub(test, text))))
    tests = [*names, *plain][:_MAX_TESTS]
    return _with_calls(script, tests, ("setup", "teardown"), ("setup_file", "teardown_file"))


def _with_calls(script: str, tests: list[str], each: tuple[str, str], once: tuple[str, str]) -> str:
    """A script that calls its tests, each with what comes before and after it, in a shell of its own.

    A command that fails ends its test, as with ``set -e``.
    """
    first_line, _, rest = script.partition("\n")
    begins = "" if not first_line.strip() or first_line.startswith("#") else f"; {first_line}"
    defined = set(_DEFINED.findall(script))
    first, last = (name if name in defined else ":" for name in each)
    calls = [f"({first}; {name}; {last})" for name in tests]
    before, after = ([name] if name in defined else [] for name in once)
    text = f"set -e{begins}\n{rest}"
    return "\n".join((text.rstrip(), "; ".join((*before, *calls, *after)))) + "\n"


# -- shunit2 ---------------------------------------------------------------------------------------

_SOURCES_SHUNIT = pattern(r"(?m)^[ \t]*(?:\.|source)[ \t]+[^\n#]*\bshunit2\b[^\n]*$")


def shunit(text: str) -> str:
    """A script that sources shunit2, with the calls of its tests; any other one as it is."""
    if _SOURCES_SHUNIT.search(text) is None:
        return text
    tests = [one for one in _DEFINED.findall(text) if one.startswith("test")][:_MAX_TESTS]
    script = _SOURCES_SHUNIT.sub(":", text)
    return _with_calls(script, tests, ("setUp", "tearDown"), ("oneTimeSetUp", "oneTimeTearDown"))


# -- shellspec -------------------------------------------------------------------------------------

_WHEN = pattern(
    r"(?m)^([ \t]*)(?:When|Dump)[ \t]+(?:call|run)[ \t]+(?:(?:command|script|source)[ \t]+)?"
)
_INCLUDE = pattern(r"(?m)^([ \t]*)Include[ \t]+")
_HOOK = pattern(
    r"(?m)^([ \t]*)(?:Before|After)(?:Each|All|Call|Run)?[ \t]+(?:'([^'\n]*)'|\"([^\"\n]*)\"|(\S+))"
)
_MOCK = pattern(r"(?m)^([ \t]*)Mock[ \t]+([\w.-]+)[ \t]*$")
_SAYS = pattern(
    r"(?m)^[ \t]*[fx]?(?:Describe|Context|ExampleGroup|It|Specify|Example|The|Assert|Data(?::\w+)?"
    r"|Parameters(?::\w+)?|Skip|Pending|Todo|Set|Path|File|Dir|Intercept|End|Use)\b[^\n]*$"
)


def shellspec(text: str) -> str:
    """The script of a file of shellspec."""
    lines = text.split("\n")
    ends: list[str] = []
    for number, line in enumerate(lines):
        word = line.split()[0] if line.split() else ""
        if mock := _MOCK.fullmatch(line):
            ends.append("}")
            lines[number] = f"{mock[2]}() {{ :"
        elif re.fullmatch(r"[fx]?(?:Describe|Context|ExampleGroup|It|Specify|Example)|Data", word):
            ends.append(":")
        elif word == "End" and ends:
            lines[number] = ends.pop()
    script = _SAYS.sub(":", "\n".join(lines))
    script = _HOOK.sub(lambda one: f"{one[1]}{one[2] or one[3] or one[4]}", script)
    return _INCLUDE.sub(r"\1. ", _WHEN.sub(r"\1", script))


# -- cram ------------------------------------------------------------------------------------------

_CRAM = pattern(r"  [$>] (.*)")


def cram(text: str) -> str:
    """The commands in a file of cram, each on its line."""
    return "\n".join(
        found[1] if (found := _CRAM.fullmatch(line)) else "" for line in text.split("\n")
    )


# -- stand-ins -------------------------------------------------------------------------------------

_COMMENTS = pattern(r"(?m)(?:^|(?<=\s))#[^\n]*")
_EXPORTED = pattern(r"\bexport[ \t]+-f[ \t]+([\w. -]+)")
_STUBBED = pattern(rf"{_START}(?:stub|mock|mock_command|stub_command)[ \t]+([\w.-]+)")
_STUBS = pattern(r"(?i)\bload\b[^\n]*(?:mock|stub)")
_PATHS = pattern(r"\bPATH=[\"']?([^\s:\"';]+)[^\s\"';]*")
_PLACED = pattern(
    r"(?:>[ \t]*|\b(?:ln[ \t]+-s\w*|cp)[ \t]+\S+[ \t]+|\btouch[ \t]+)[\"']?"
    r"(?:\$\{?\w+\}?|/)[\w./${}-]*/([\w.-]+)[\"']?"
)
_RUNS_REAL = (
    r"\b(?:command|exec|builtin|env)[ \t]+(?:-\w+[ \t]+)*[\"']?(?:\S*/)?{name}\b|/{name}[\"'\s]*\$"
)


def stand_ins(text: str, names: Callable[[str], list[str] | None]) -> list[str]:
    """Programs that a test replaces by its own, wherever they run; ``names`` lists a folder of the test.

    By functions that it exports, a library for that, or a folder that it puts first in ``PATH``.
    """
    text = _COMMENTS.sub("", text)
    found = [one for words in _EXPORTED.findall(text) for one in words.split()]
    if _STUBS.search(text):
        found += [one for _, one in _STUBBED.findall(text)]
    listed = [names(one) for one in _PATHS.findall(text)]
    if listed and None not in listed:
        found += [name for one in listed for name in one or ()]
        found += _PLACED.findall(text)
    return [one for one in dict.fromkeys(found) if not re.search(_real(one), text)]


def _real(name: str) -> str:
    return _RUNS_REAL.replace("{name}", re.escape(name))


# end of module
