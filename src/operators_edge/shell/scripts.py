"""Small languages that are read line by line: sed, vim, Tcl, and files that awk writes.

Owns the patterns of lines that run or write something. Does not own real languages (``shell.programs``).
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.shell.commands import HOLE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class CodeCall(NamedTuple):
    """What code starts: the ``words`` of one command or a shell ``text``."""

    through: str
    words: tuple[str, ...] = ()
    text: str | None = None


_MAX_MATCHES = 200
_TCL_RUN = re.compile(
    r"(?:^|[;\[{\n])[ \t]*(?:exec|spawn|system|open[ \t]+[\"{]\|)[ \t]*(?:-\w+[ \t]+)*"
    r"((?:\"(?:[^\"\\]|\\.)*\"|\{[^{}]*\}|[^\n;\]\"{])+)",
    re.DOTALL,
)
_TCL_STRING = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|\{([^{}]*)\}", re.DOTALL)
_TCL_DELETE = re.compile(r"\bfile\s+delete\s+(?:-\w+\s+)*([^\n;\]}]+)")
_AWK_WRITE = re.compile(r"\bprintf?\b[^;}\n|>]{0,400}>>?\s*(\"(?:[^\"\\]|\\.)*\"|[A-Za-z_]\w*)")
_AWK_SET = re.compile(r"([A-Za-z_]\w*)\s*=\s*\"((?:[^\"\\]|\\.)*)\"")


def tcl(code: str, through: str) -> Iterator[CodeCall]:
    """``exec``, ``spawn`` and ``file delete``, with Tcl's quotes replaced by the shell's."""
    for number, run in enumerate(_TCL_RUN.finditer(code)):
        if number >= _MAX_MATCHES:
            yield CodeCall(through, (HOLE,))
            return
        yield CodeCall(through, text=_TCL_STRING.sub(_shell_quoted, run[1]))
    for run in _TCL_DELETE.finditer(code):
        yield CodeCall(through, text="rm -rf " + _TCL_STRING.sub(_shell_quoted, run[1]))


def _shell_quoted(match: re.Match[str]) -> str:
    return shlex.quote(match[2] if match[1] is None else unescaped(match[1]))


def awk_writes(code: str) -> Iterator[CodeCall]:
    """``print > "file"``: reported as written by tee."""
    known = {name: unescaped(text) for name, text in _AWK_SET.findall(code)[:_MAX_MATCHES]}
    for run in _AWK_WRITE.findall(code)[:_MAX_MATCHES]:
        path = unescaped(run[1:-1]) if run[0] == '"' else known.get(run, "")
        if path and not path.startswith("/dev/std"):
            yield CodeCall("awk", ("tee", path))


def sed(argv: Sequence[str]) -> Iterator[CodeCall]:
    for text in argv[1:]:
        if text.startswith("-"):
            continue
        run = re.match(r"(?:\d+|\$)?e\s+(.+)", text, re.DOTALL)
        if run:
            yield CodeCall("sed e", text=run[1])
            return
        changed = re.match(
            r"s(.)(?:\\.|(?!\1|\\).)*\1((?:\\.|(?!\1|\\).)*)\1[a-zA-Z0-9]*e[a-zA-Z0-9]*$",
            text,
            re.DOTALL,
        )
        if changed:
            yield CodeCall("sed e", text=re.sub(r"\\\d|&", HOLE, changed[2]).replace("\\", ""))
            return


def vim(argv: Sequence[str]) -> Iterator[CodeCall]:
    for at, text in enumerate(argv):
        command = argv[at + 1] if text in {"-c", "--cmd"} and at + 1 < len(argv) else text[1:]
        if text in {"-c", "--cmd"} or text.startswith("+"):
            run = re.match(r":?(?:silent!?\s+)?(?:r(?:ead)?\s*)?!(.+)", command, re.DOTALL)
            if run:
                yield CodeCall("vim -c", text=run[1])
            inside = re.search(r"system\(\s*(['\"])(.*?)\1\s*\)", command)
            if inside:
                yield CodeCall("vim -c", text=inside[2])


def unescaped(text: str) -> str:
    """Return the text with the escapes that these languages share resolved."""
    return re.sub(
        r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|([0-7]{1,3})|([\s\S]))", _unescaped_char, text
    )


def _unescaped_char(match: re.Match[str]) -> str:
    if match[1] or match[2]:
        return chr(int(match[1] or match[2], 16))
    if match[3]:
        return chr(int(match[3], 8) & 0xFF)
    return {"n": "\n", "t": "\t", "r": "\r", "\n": ""}.get(match[4], match[4])
