"""The parts of a file with commands that a run leaves out: ``tox -e py`` runs no ``[testenv:release]``.

Owns how such a file is divided, and which parts the chosen ones need. Pure: text in, the same text out with
the other parts blank, so that lines keep their numbers. What is not understood stays. Does not own which
options choose (the packs) or how the rest is read (``gate.disk.command_files``).
"""

from __future__ import annotations

import re
from itertools import pairwise

from operators_edge.text.patterns import blanked, pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_CHOSEN = pattern(r"[\w.-]+(?:\([^(){}]*\))?")


class _Part(NamedTuple):
    """Lines from ``start`` to before ``end``, the names that choose them, and what elsewhere needs them."""

    names: tuple[str, ...]
    needed_by: str
    start: int
    end: int


def without_others(kind: str, text: str, chosen: Sequence[str]) -> str:
    """The text without the parts that neither are chosen nor are needed by what stays."""
    if not chosen or not all(map(_CHOSEN.fullmatch, chosen)) or "ALL" in chosen:
        return text
    lines = text.split("\n")
    parts = list(KINDS[kind](lines))
    left = [part for part in parts if not any(_is_run(part, one) for one in chosen)]
    if kind == "yaml" and len(left) == len(parts):
        return text  # a verb without a name runs all of them
    while True:
        blank = {number for part in left for number in range(part.start, part.end)}
        rest = "\n".join("" if number in blank else line for number, line in enumerate(lines))
        needed = [part for part in left if re.search(part.needed_by, rest)]
        if not needed:
            return rest
        left = [part for part in left if part not in needed]


def _is_run(part: _Part, chosen: str) -> bool:
    """Whether it is: "tests", "tests-3.12" and "tests(python='3.12')" are all runs of ``tests``."""
    names = "|".join(re.escape(name.replace("_", "-")) for name in part.names)
    return re.match(rf"(?:.*\.)?(?:{names})(?:$|[-(])", chosen.replace("_", "-")) is not None


# -- tox ---------------------------------------------------------------------------------------------

_HEADER = pattern(r"\[.+\]|[ \t]*\[[^\]]+\][ \t]*(?:[#;].*)?$")
"""The parser of tox takes no notice of what follows a name of a section."""
_ENVIRONMENT = pattern(
    r"[ \t]*\[(?:testenv:|(?:tool\.tox\.)?env\.)\"?([\w.-]+)\"?\][ \t]*(?:[#;].*)?$"
)


def _sections(heads: Sequence[int], lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where the sections with these heads begin and end."""
    return zip(heads, [*heads[1:], len(lines)], strict=False)


def _environments(lines: Sequence[str]) -> Iterator[_Part]:
    """The sections of a tox.ini, a setup.cfg or a pyproject.toml that are for one environment each."""
    heads = [number for number, line in enumerate(lines) if _HEADER.match(line)]
    for start, end in _sections(heads, lines):
        head = _ENVIRONMENT.match(lines[start])
        if head is not None:
            name = re.escape(head[1])
            needed_by = rf"testenv:{name}\]|\bref\s*=\s*\[[^\]]*[\"']{name}[\"']"
            yield _Part((head[1],), needed_by, start, end)


_OF_TOX = pattern(r"[ \t]*\[(?:tox|testenv|pkgenv|docker)(?:[-:][^\]]*)?\]")
"""Sections of tox itself, and of what adds to it."""
_INHERITS = pattern(r"(?im)^[ \t]*base[ \t]*[=:]")


def without_other_tools(text: str) -> str:
    """The text of a ``tox.ini`` or ``setup.cfg`` without sections of other tools that tox does not name."""
    lines = text.split("\n")
    # What is indented belongs to a value.
    heads = [at for at, line in enumerate(lines) if line[:1] == "[" and _HEADER.match(line)]
    if _INHERITS.search(text):
        return text  # from sections of any name
    for start, end in _sections(heads, lines):
        head = lines[start].rpartition("]")[0] + "]"
        if not _OF_TOX.match(head) and not re.search(rf"\{{[^{{}}\n]*{re.escape(head)}", text):
            lines[start:end] = [""] * (end - start)
    return "\n".join(lines)


_DEPENDENCIES = pattern(
    r"(?m)^[ \t]*(?:deps|pass_?env)[ \t]*=[^\n]*\n(?:[ \t]+[^\n]*\n|[ \t]*\n(?=[ \t])|#[^\n]*\n)*"
)
_REQUIREMENT = pattern(
    r"(?m)^(?:[ \t]*(?:deps|pass_?env)[ \t]*=)?[ \t]*(?:[\w,.!-]+:[ \t]+)?[A-Za-z][\w.-]*(?:\[[\w,. -]*\])?"
    r"[ \t]*(?:[<>=!~]=?[ \t]*[\w.*+!{}\[\]]+[ \t]*,?[ \t]*)*$"
)


_COMMENTS = pattern(r"(?m)^[ \t]*#[^\n]*$")
_NAMED_ELSEWHERE = pattern(r"\](?:deps|pass_?env|(?:allow|white)list_externals)\}")
_ALLOWED = pattern(
    r"(?m)^(?P<deep>[ \t]*)(?:allow|white)list_externals[ \t]*=[^\n]*\n(?:(?P=deep)[ \t]+[^\s=][^\n=]*\n)*"
)
"""The names of programs that commands of tox may start."""


def without_dependencies(text: str) -> str:
    """The settings of tox without the names of packages, variables and programs, which are no commands."""
    left = _DEPENDENCIES.sub(lambda one: _REQUIREMENT.sub(_as_blank, one[0]), text)
    left = _ALLOWED.sub(_as_blank, left)
    elsewhere = _COMMENTS.sub("", _ALLOWED.sub("", _DEPENDENCIES.sub("", text)))
    return text if _NAMED_ELSEWHERE.search(elsewhere) else left


_SET_ENV = pattern(
    r"(?m)^(?P<deep>[ \t]*)set_?env[ \t]*=[ \t]*"
    r"(?P<values>[^\n]*\n(?:(?P=deep)[ \t]+[^\n]*\n|[ \t]*\n(?=(?P=deep)[ \t]))*)"
)
_SET_ENV_IN_TOML = pattern(r"(?m)^[ \t]*set_env(?:\.(\w+))?[ \t]*=[ \t]*([^\n]*)")
_PAIR = pattern(r"(?m)^[ \t]*(?:[\w,.!-]+:[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(.*?)[ \t]*$")
_PAIR_IN_TOML = pattern(r"([A-Za-z_]\w*)[ \t]*=[ \t]*[\"']([^\"'\n]*)[\"']")
_FILE = pattern(r"(?m)\bfile[ \t]*(?:\||=)[ \t]*[\"']?([^\s\"']+)")


def set_by_tox(text: str) -> tuple[list[tuple[str, str]], list[str]]:
    """The variables that settings of tox give commands, with their values, and files that hold others."""
    pairs: list[tuple[str, str]] = []
    files: list[str] = []
    for one in _SET_ENV.finditer(f"{text}\n"):
        pairs += _PAIR.findall(one["values"])
        files += _FILE.findall(one["values"])
    for one in _SET_ENV_IN_TOML.finditer(text):
        pairs += [(one[1], one[2].strip("\"'"))] if one[1] else _PAIR_IN_TOML.findall(one[2])
        files += _FILE.findall(one[2])
    return [(name, value) for name, value in pairs if name != "file"], files


_OF_ENVIRONMENT = pattern(r"\{env:([A-Za-z_]\w*)(?::([^{}\n]*))?\}")


def with_environment(text: str, home: str) -> str:
    """The settings of tox with the variables that they name as a shell has them."""

    def named(found: re.Match[str]) -> str:
        name, default = found[1], found[2]
        if name == "HOME":
            return home
        return f"${{{name}}}" if default is None else f"${{{name}:-{default}}}"

    inner = _OF_ENVIRONMENT.sub(named, text)  # a default may be another variable
    return inner if inner == text else _OF_ENVIRONMENT.sub(named, inner)


def _as_blank(found: re.Match[str]) -> str:
    return blanked(found[0])


# -- functions with a decorator --------------------------------------------------------------------

_DECORATOR = pattern(r"@((?:nox|invoke|fabric|duty)\.)?(session|task|duty)(?:\(([^()]*)\))?[ \t]*$")
# No call, which would run when the file is read.
_FUNCTION = pattern(r"(?:async[ \t]+)?def[ \t]+(\w+)\([^()]*\)[^()]*:[ \t]*$")
_NAME = pattern(r"\bname[ \t]*=[ \t]*['\"]([\w.-]+)['\"]")
_IMPORT = pattern(
    r"import[ \t]+(?:nox|invoke|fabric|duty)\b|from[ \t]+(?:nox|invoke|fabric|duty)[ \t]+import\b"
)
# A decorator of that name which is the file's own could run the function at once, and so could what finds it
# without its name.
_REDEFINED = pattern(
    r"\b(?:def|class|as)[ \t]+(?:session|task|duty|nox|invoke|fabric)\b"
    r"|\b(?:session|task|duty|nox|invoke|fabric)[ \t]*(?::[^=,)\n]*)?=(?!=)"
    r"|\b(?:exec|eval|compile|getattr|setattr|globals|locals|vars|inspect|__(?!file__|name__)\w+__)\b"
)


def _decorated(lines: Sequence[str]) -> Iterator[_Part]:
    """The sessions of a noxfile and the tasks of Invoke and its like, each with its decorator."""
    is_known = any(map(_IMPORT.match, lines)) and not any(map(_REDEFINED.search, lines))
    heads = [
        number for number, line in enumerate(lines) if line[:1] not in ("", " ", "\t", "#", ")")
    ]
    for before, start, head, end in zip(
        [0, *heads], heads, heads[1:], [*heads[2:], len(lines)], strict=False
    ):
        decorator, function = _DECORATOR.match(lines[start]), _FUNCTION.match(lines[head])
        is_only = head == start + 1 and lines[before][:1] != "@"
        if is_known and is_only and decorator is not None and function is not None:
            names = (function[1], *_NAME.findall(decorator[3] or ""))
            needed_by = rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?![\w-])"
            yield _Part(names, needed_by, start, end)


_DEFAULT = pattern(
    r"(?m)^nox\.options\.sessions[ \t]*=[ \t]*[\[(]((?:\s*['\"][\w.-]+['\"]\s*,?)*)\s*[\])][ \t]*(?:#.*)?$"
)
_NO_DEFAULT = pattern(r"\bdefault[ \t]*=[ \t]*False\b")


def chosen_by_default(kind: str, text: str) -> list[str]:
    """The names of the parts that run if none is chosen; empty if the file does not say it plainly."""
    if kind != "decorated":
        return []
    listed = _DEFAULT.findall(text)
    if len(listed) == 1 and text.count("options.sessions") == 1 and "setattr" not in text:
        return re.findall(r"[\w.-]+", listed[0])
    lines = text.split("\n")
    parts = [] if "options" in text else list(_decorated(lines))
    others = [part.names[0] for part in parts if not _NO_DEFAULT.search(lines[part.start])]
    return others if len(others) < len(parts) else []


# -- jobs and tasks in YAML ------------------------------------------------------------------------------

_KEY = pattern(r"([ ]*)(\.?[\w.:-]+):[ \t]*(?:#.*)?$")
_ANCHOR = pattern(r"(?:^|[\s,:\[{-])&([\w.-]+)")
_HOLDS_TASKS = frozenset(("tasks", "scripts", "processes", "procs", "jobs", "stages"))
_FOR_ALL = frozenset(
    (
        "default",
        "variables",
        "include",
        "workflow",
        "before_script",
        "after_script",
        "env",
        "ide",
        "command",
    )
)


def _in_yaml(lines: Sequence[str]) -> Iterator[_Part]:
    """Jobs of GitLab, tasks of moon, scripts of Melos and the like: each is a key with what is below it."""
    keys = [(at, len(key[1]), key[2]) for at, line in enumerate(lines) if (key := _KEY.match(line))]
    levels = {
        at: below
        for (at, depth, name), (_, below, _) in pairwise(keys)
        if below > depth == 0 and name in _HOLDS_TASKS
    }
    level = None if levels else 0
    for at, depth, name in keys:
        if levels and not depth:
            level = levels.get(at)
        elif depth == level and name not in _FOR_ALL:
            end = _end(lines, at, depth)
            anchors = _ANCHOR.findall("\n".join(lines[at:end]))
            names = [rf"(?<![\w.-]){re.escape(name)}", *(rf"\*{re.escape(one)}" for one in anchors)]
            yield _Part((name,), rf"(?:{'|'.join(names)})(?![\w.-])", at, end)


def _end(lines: Sequence[str], start: int, depth: int) -> int:
    """Return where the lines end that are further to the right than a key."""
    for at in range(start + 1, len(lines)):
        text = lines[at].lstrip()
        if text and len(lines[at]) - len(text) <= depth:
            return at
    return len(lines)


KINDS: dict[str, Callable[[Sequence[str]], Iterator[_Part]]] = {
    "environments": _environments,
    "decorated": _decorated,
    "yaml": _in_yaml,
}
"""The values of a program's ``parts`` in a pack."""

# end of module
