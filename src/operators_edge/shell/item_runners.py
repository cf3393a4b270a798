"""Programs that run a command once per item: find, xargs, parallel.

Owns where the items come from and where they are put. Unknown items are holes or ``has_more``.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from operators_edge.shell.commands import HOLE, Word
from operators_edge.shell.operands import Inner, joined, skip_options

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_ITEMS = 16
"""Items of xargs and parallel that are followed one by one."""


def find(name: str, argv: Sequence[Word], _: str | None) -> list[Inner]:
    starts = {"-exec", "-execdir", "-ok", "-okdir"}
    if name in {"fd", "fdfind"}:
        starts = {"-x", "-X", "--exec", "--exec-batch"}
    found: list[Inner] = []
    at = 1
    while at < len(argv):
        if argv[at].text not in starts:
            at += 1
            continue
        end = at + 1
        while end < len(argv) and argv[end].text != ";" and not _ends_batch(argv, end):
            end += 1
        words = tuple(_with_hole(word, "{}", HOLE) for word in argv[at + 1 : end])
        if words:
            found.append(Inner(f"{name} {argv[at].text}", words, is_kept=True, has_more=True))
        at = end
    return found


def _ends_batch(argv: Sequence[Word], at: int) -> bool:
    return argv[at].text == "+" and argv[at - 1].text == "{}"


def _with_hole(word: Word, mark: str, value: str) -> Word:
    return (
        Word(word.text.replace(mark, value), word.span, word.has_glob)
        if mark in word.text
        else word
    )


def xargs(name: str, argv: Sequence[Word], stdin: str | None) -> list[Inner]:
    rest = argv[1:]
    start = skip_options(
        rest,
        "I n P L s a d E J R S max-args max-procs max-lines max-chars arg-file "
        "delimiter process-slot-var",
    )
    options = [word.text for word in rest[:start]]
    words = tuple(rest[start:]) or (Word("echo", argv[0].span),)
    mark = _xargs_mark(options)
    items = _xargs_items(options, stdin, has_mark=bool(mark))
    if mark and not mark.startswith("%J"):
        values = items[:MAX_ITEMS] if items else [HOLE]
        more = items is None or len(items) > MAX_ITEMS
        return [
            Inner(
                name,
                tuple(_with_hole(word, mark, value) for word in words),
                has_more=more,
                takes_stdin=False,
            )
            for value in values
        ]
    added = tuple(Word(item, argv[0].span) for item in items or ())
    if mark:
        at = next((i for i, word in enumerate(words) if word.text == mark[2:]), len(words))
        words = (*words[:at], *(added or (Word(HOLE, argv[0].span),)), *words[at + 1 :])
    else:
        words += added
    return [Inner(name, words, has_more=items is None, takes_stdin=False)]


def _xargs_mark(options: list[str]) -> str:
    """Return what stands for an item; "%J" before it where it stands for all of them."""
    for at, option in enumerate(options):
        if option in {"-I", "-J"} and at + 1 < len(options):
            return ("%J" if option == "-J" else "") + options[at + 1]
        if option.startswith("-I") and len(option) > 2:
            return option[2:]
        if option.startswith("--replace"):
            return option.partition("=")[2] or "{}"
        if re.match(r"-i", option):
            return option[2:] or "{}"
    return ""


def _xargs_items(options: list[str], stdin: str | None, *, has_mark: bool) -> list[str] | None:
    if stdin is None or any(option.startswith(("-a", "--arg-file")) for option in options):
        return None
    if any(re.fullmatch(r"-[a-zA-Z]*0[a-zA-Z]*|--null", option) for option in options):
        items = stdin.split("\0")
        return items[:-1] if items and not items[-1].strip() else items
    if HOLE in stdin:
        return None
    for at, option in enumerate(options):
        if option == "-d" and at + 1 < len(options):
            return [
                item for item in stdin.split(options[at + 1].replace("\\n", "\n") or "\n") if item
            ]
        if option.startswith(("-d", "--delimiter=")):
            separator = option.removeprefix("--delimiter=").removeprefix("-d").replace("\\n", "\n")
            return [item for item in stdin.split(separator or "\n") if item]
    if has_mark:
        return [line.strip() for line in stdin.split("\n") if line.strip()]
    return re.sub(r"['\"\\]", "", stdin).split()


def parallel(name: str, argv: Sequence[Word], stdin: str | None) -> list[Inner]:
    rest = list(argv[1:])
    start = skip_options(
        rest,
        "j S a C I N n L P jobs sshlogin arg-file colsep joblog results delay timeout "
        "retries tmpdir workdir wd max-args max-procs delimiter d",
    )
    rest = rest[start:]
    marks = [at for at, word in enumerate(rest) if word.text in {":::", ":::+", "::::"}]
    words = rest[: marks[0]] if marks else rest
    items: list[str] | None
    if marks:
        given = [word.text for word in rest[marks[0] + 1 :] if word.text not in {":::", ":::+"}]
        items = None if "::::" in [rest[at].text for at in marks] else given
    else:
        items = (
            None if stdin is None or HOLE in stdin else [item for item in stdin.split("\n") if item]
        )
    if not words:
        known = (
            items
            if items is not None and len(items) <= MAX_ITEMS
            else [*(items or [])[:MAX_ITEMS], HOLE]
        )
        return [Inner(name, text=Word(item, argv[0].span), takes_stdin=False) for item in known]
    span = joined(words).span
    template = " ".join(word.text for word in words)
    has_mark = bool(re.search(r"\{[./#%]*\}", template))
    found: list[Inner] = []
    for item in items[:MAX_ITEMS] if items else [HOLE]:
        # Items are quoted, so that each stays one word of the text it is put into.
        quoted = item if re.fullmatch(r"[\w./:@%+=-]+", item) else shlex.quote(item)
        text = re.sub(r"\{[./#%]*\}", quoted.replace("\\", r"\\"), template)
        text = text if has_mark else f"{template} {quoted}"
        more = items is None or len(items) > MAX_ITEMS
        found.append(Inner(name, text=Word(text, span), has_more=more, takes_stdin=False))
        if len(words) > 1 and any(re.search(r"\s", word.text) for word in words):
            # GNU parallel joins such words into one text, others run them as they stand: follow both.
            filled = tuple(_with_hole(word, "{}", item) for word in words)
            found.append(Inner(name, filled, has_more=more, takes_stdin=False))
    return found
