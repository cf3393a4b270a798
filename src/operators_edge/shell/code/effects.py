"""What known calls of code do, as commands: ``unlink("x")`` is ``rm x``, ``open("x", "w")`` is ``tee x``.

Owns what a call of ``languages.CALLS`` does with arguments that have been read; what is not known of them is
a HOLE. Does not own reading them (``shell.code.program_values``), nor libraries (``shell.code.twins``). Pure.
"""

from __future__ import annotations

import re
import shlex

from operators_edge.shell.code.languages import CALLS, PATH_METHODS, PERL, PHP, RUBY, Language, R
from operators_edge.shell.code.scripts import CodeCall
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

Literal = str | list[str] | None
"""The value of an argument: a text, a list of words, or unknown."""


class EachOf(list[str]):
    """One of these at a time: what a loop's variable stands for."""


_LIKE = {
    "move": ("mv",),
    "copy": ("cp",),
    "link": ("ln", "-s"),
    "second name": ("ln",),
    "set mode": ("chmod", "600"),
}
"""What calls do → the program that does the same with their first two arguments."""
_READS_CODE = pattern(
    r"\b(?:[a-z]*sh|xargs|parallel|at|batch|python[\d.]*|perl|ruby|node|psql|mysql|sqlite3)\b"
)
_ADDRESS = pattern(r"(?:https?|ftp)://")


def fed(command: str, printed: str) -> str:
    """Return a text that pipes what a program prints into a command; "" for unknown text."""
    if not _READS_CODE.search(command):
        return command
    feeder = f"printf %s {shlex.quote(printed)}" if printed else "cat -"
    return f"{feeder} | {{ {command}\n}}"  # several commands share the shell that awk starts


def of_call(
    name: str, arguments: list[Literal], language: Language, through: str
) -> Iterator[CodeCall]:
    """Yield what a call does, by the name that ``languages.CALLS`` has for it."""
    kind = CALLS[name]
    first = arguments[0] if arguments else None
    if kind == "copy" and isinstance(first, str) and _ADDRESS.match(first):
        kind = "download"  # PHP's copy takes addresses
    if kind in {"write", "open"}:
        yield from _written_by(name, arguments, language, through)
    elif kind == "write to":
        if len(arguments) > 1 and isinstance(arguments[1], str):
            yield CodeCall(through, ("tee", arguments[1]))
    elif kind == "start":
        yield from _started_by(name, arguments, language, through)
    elif kind == "download":
        path = arguments[1] if len(arguments) > 1 else None
        is_known = isinstance(first, str) and HOLE not in first
        if isinstance(path, str) and HOLE not in path:
            fetch = ("curl", "-fsSL", "-o", path, str(first))
            yield CodeCall(through, fetch if is_known else ("tee", path))
    elif kind in _LIKE:
        words = [text if isinstance(text, str) else HOLE for text in arguments[:2]]
        yield CodeCall(through, (*_LIKE[kind], *words))
    else:
        yield _deleted_by(name, arguments, language, through)


def of_path_method(method: str, path: Literal, through: str) -> Iterator[CodeCall]:
    """``Path("x").unlink()``, ``p.write_text(…)``: what a method of a path does with it."""
    if method not in PATH_METHODS:
        return
    text = path if isinstance(path, str) else HOLE
    if not method.startswith("write"):
        flags = ("-rf",) if method == "rmtree" else ()
        yield CodeCall(through, ("rm", *flags, text))
    else:
        yield CodeCall(through, ("tee", text))


def _written_by(
    name: str, arguments: list[Literal], language: Language, through: str
) -> Iterator[CodeCall]:
    """Report a file opened for writing as written by tee; an unknown one only if it is overwritten."""
    texts = [text if isinstance(text, str) else HOLE for text in arguments]
    if language in {PERL, RUBY} and name == "open":
        yield from _opened_by(texts, through)
        return
    mode = "" if CALLS[name] == "write" else "".join(texts[1:2])
    is_written = CALLS[name] == "write" or re.search(r"[wax+]", mode)
    is_appended = "append" in name or re.fullmatch(r"[abt]+", mode)
    if texts and is_written and not (is_appended and HOLE in texts[0]):
        yield CodeCall(through, ("tee", texts[0]))


def _opened_by(texts: list[str], through: str) -> Iterator[CodeCall]:
    """``open(F, ">", "file")``, ``open(P, "-|", "text")``, ``open("|text")``."""
    modes = [at for at, text in enumerate(texts) if re.match(r"\s*(?:\+?[<>]|\||-\|)", text)]
    if modes:
        yield from _opened_as(texts[modes[0]].strip(), texts[modes[0] + 1 :], through)
        return
    pipe = next((text for text in texts if text.rstrip().endswith("|")), None)
    if pipe:
        yield CodeCall(through, text=pipe.rstrip()[:-1])


def _opened_as(mode: str, after: list[str], through: str) -> Iterator[CodeCall]:
    """``mode`` may have a file or command attached: ``">file"``."""
    attached = mode.lstrip("+<>|-").strip()
    first = "".join(after[:1])
    if "|" not in mode[:2]:
        path = first or attached.lstrip("&=").strip()
        written = r"(?:\+[<>]|>)(?![>&])" if HOLE in path else r"(?:\+|.?>)(?!>?&)"
        if path and re.match(written, mode):
            yield CodeCall(through, ("tee", path))
    elif len(after) > 1 and not attached:
        yield CodeCall(through, tuple(after))
    elif mode.startswith("|"):
        yield CodeCall(through, text=fed(attached or first or HOLE, ""))
    else:
        yield CodeCall(through, text=attached or first or HOLE)


def _deleted_by(name: str, arguments: list[Literal], language: Language, through: str) -> CodeCall:
    flags = ("-rf",) if CALLS[name] == "delete a tree" else ()
    first = arguments[0] if arguments else None
    targets = first if isinstance(first, list) else [HOLE if first is None else first]
    if language in {PERL, PHP}:
        targets = [*targets, *(text for text in arguments[1:] if isinstance(text, str))]
    return CodeCall(through, ("rm", *flags, *targets))


def _started_by(
    name: str, arguments: list[Literal], language: Language, through: str
) -> Iterator[CodeCall]:
    # Descriptors and modes come before the command, or results after it.
    skipped = {"open2": 2, "open3": 3}.get(name, int(name.startswith("os.spawn")))
    arguments = arguments[skipped:]
    first = arguments[0] if arguments else None
    if isinstance(first, EachOf):
        for each in first:
            yield from _started_by(
                name, [*[None] * skipped, each, *arguments[1:]], language, through
            )
    elif isinstance(first, list) and language is RUBY and len(first) == 2 and len(arguments) > 1:
        # A program, and the name that it is started by.
        yield from _started_by(
            name, [*[None] * skipped, first[0], *arguments[1:]], language, through
        )
    elif first is None or isinstance(first, list):
        yield CodeCall(through, tuple(first or (HOLE,)))
    elif language is PHP or name == "do_shell_script":
        yield CodeCall(through, text=first)
    elif name == "system2":  # of R, which joins the words for a shell
        yield CodeCall(through, text=" ".join(flat(arguments[:2])))
    elif (more := _more_words(name, first, arguments[1:], language)) is not None:
        yield CodeCall(through, (first, *more))
    else:
        yield CodeCall(through, text=first)


def _more_words(
    name: str, first: str, arguments: list[Literal], language: Language
) -> list[str] | None:
    """Return the words after the program; None if it is a text for a shell."""
    is_vector = re.search(r"os\.(exec|spawn|posix)", name) is not None
    if arguments and isinstance(arguments[0], list):
        words = arguments[0]
    elif language is R and name != "system":
        return list(flat(arguments[:1]))
    elif language in {PERL, RUBY}:
        # What follows a text for a shell are options, and they are not read.
        is_text = " " in first and not any(isinstance(one, str) for one in arguments)
        return None if is_text or not arguments else list(flat(arguments))
    elif is_vector or name.endswith("create_subprocess_exec"):
        words = [text for text in arguments if isinstance(text, str)]
        if not words:
            return None
    else:
        return None
    return words[1:] if is_vector else words


def flat(arguments: list[Literal]) -> Iterator[str]:
    """Yield the words that arguments stand for, one after the other."""
    for one in arguments:
        yield from one if isinstance(one, list) else [HOLE if one is None else one]


# end of module
