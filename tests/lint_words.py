"""Retired words in code, comments, messages and docs, named with the standard term: part of ``make lint``.

The words are data in ``retired_words.toml``. String literals of tests are not read: they quote agents,
programs and people. The change log and the glossary may name what was.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import pathlib
import re
import sys
import tokenize
import tomllib
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = pathlib.Path(__file__).parent.parent
TABLE = pathlib.Path("tests", "retired_words.toml")
CODE = ("src", "tests", "bench")
PROSE = (
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs",
    "plugins",
    "src/operators_edge/gate/packs",
)
SKIPPED = (
    "docs/glossary.md",
    "tests/lint_words.py",
    "tests/test_lint_words.py",
    "tests/retired_words.toml",
)
STRINGS = {tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
STARTS = {tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING}
BETWEEN = {tokenize.NL, tokenize.COMMENT}
F_STRING = re.compile(r"[rR]?[fF]")
REFERENCE = re.compile(r"`([a-z_./]*?)([a-z_]+)(\.py)?`")
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


class Hit(NamedTuple):
    """A retired word: the table and key that hold it, the line it is in, and what is written there."""

    kind: str
    word: str
    line: int
    text: str


class Words:
    """The tables of ``retired_words.toml``."""

    def __init__(self, text: str) -> None:
        self.tables = tomllib.loads(text)
        self.left: dict[str, int] = self.tables["left"]
        self.phrases = list(self.tables["phrases"])
        self.public = {
            each: re.compile("|".join(text)) for each, text in self.tables["public"].items()
        }
        # One pass over a text for all phrases: each is a group of its own, in their order.
        either = "|".join(f"({each.lower()})" for each in self.phrases).replace(" ", r"\s+")
        self.any_phrase = re.compile(rf"\b(?:{either})\b")

    def in_prose(self, text: str) -> Iterator[Hit]:
        lower = text.lower()
        for match in self.any_phrase.finditer(lower):
            word = self.phrases[(match.lastindex or 0) - 1]
            if not self.is_public(word, lower, match.start()):
                found = " ".join(match[0].split())
                yield Hit("phrases", word, _line(text, match.start()), found)

    def is_public(self, word: str, text: str, offset: int | None = None) -> bool:
        """Whether the word at the offset, or anywhere in a name, is part of what is public."""
        around = self.public[word].finditer(text) if word in self.public else ()
        return any(offset is None or name.start() <= offset < name.end() for name in around)

    def in_references(self, text: str, defined: set[str]) -> Iterator[Hit]:
        """Names of modules between backticks: with a package, with ``.py``, or no name of the code's own."""
        for match in REFERENCE.finditer(text):
            package, name, suffix = match.groups()
            if name in self.tables["modules"] and (package or suffix or name not in defined):
                yield Hit("modules", name, _line(text, match.start()), match[0].strip("`"))

    def in_names(self, names: Iterable[tuple[str, str, int]]) -> Iterator[Hit]:
        for kind, name, line in names:
            bare = name.lstrip("_")
            if kind != "names" and bare in self.tables[kind]:
                yield Hit(kind, bare, line, name)
            parts = PART.findall(name)
            for part in {*parts, *(each.lower() for each in parts)}:
                if part in self.tables["names"] and not self.is_public(part, name):
                    yield Hit("names", part, line, name)

    def in_path(self, path: str) -> Iterator[Hit]:
        for part in pathlib.PurePath(path).with_suffix("").parts:
            name = part.removeprefix("test_")
            if name in self.tables["modules"]:
                yield Hit("modules", name, 1, path)

    def in_code(self, path: str, source: str) -> Iterator[Hit]:
        names = list(_defined(ast.parse(source)))
        text = prose_of(source, with_strings=not path.startswith("tests"))
        yield from self.in_path(path)
        yield from self.in_names(names)
        yield from self.in_prose(text)
        yield from self.in_references(text, {name for _, name, _ in names})

    def in_text(self, text: str) -> Iterator[Hit]:
        yield from self.in_prose(text)
        # In a page a bare name is a key or a command, so only a path or a dotted name is a module.
        yield from self.in_references(text, set(self.tables["modules"]))


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _defined(tree: ast.Module) -> Iterator[tuple[str, str, int]]:
    """Every name that the code gives: the table it is looked up in, the name, the line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield "classes", node.name, node.lineno
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield "functions", node.name, node.lineno
        elif isinstance(node, ast.alias) and node.asname:
            yield "modules", node.asname, node.lineno
        elif isinstance(node, ast.arg):
            yield "names", node.arg, node.lineno
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield "names", node.id, node.lineno
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield "names", node.attr, node.lineno


def prose_of(source: str, *, with_strings: bool) -> str:
    """Comments and docstrings, and all other strings if asked for, each in its place; the rest is blank."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    text = list(re.sub(r"\w", " ", source))
    before = tokenize.ENCODING
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        is_kept = token.type in STRINGS and (with_strings or before in STARTS)
        if is_kept or token.type == tokenize.COMMENT:
            begin = starts[token.start[0] - 1] + token.start[1]
            end = starts[token.end[0] - 1] + token.end[1]
            written = re.sub(r"^\w*[\"']+|[\"']+$|^#+:?", _blank, source[begin:end])
            if token.type == tokenize.STRING and F_STRING.match(source[begin:end]):
                written = re.sub(r"(?<=\{)[^{}]*(?=\})", _blank, written)
            text[begin:end] = written
        if token.type not in BETWEEN:
            before = token.type
    return "".join(text).replace('"', " ")


def files(root: pathlib.Path) -> Iterator[tuple[str, str]]:
    tops = [(top, {".py"}) for top in CODE] + [(top, {".md", ".toml"}) for top in PROSE]
    for top, suffixes in tops:
        path = root / top
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            name = file.relative_to(root).as_posix()
            if file.suffix in suffixes and name not in SKIPPED:
                yield name, file.read_text(encoding="utf-8")


def found(words: Words, named_texts: Iterable[tuple[str, str]]) -> dict[str, list[tuple[str, Hit]]]:
    """All retired words by table and word, each with its file."""
    hits = defaultdict(list)
    for path, text in named_texts:
        for hit in words.in_code(path, text) if path.endswith(".py") else words.in_text(text):
            hits[f"{hit.kind} {hit.word}"].append((path, hit))
    return hits


def problems(words: Words, hits: dict[str, list[tuple[str, Hit]]]) -> Iterator[str]:
    """A line for each place of a word that is there more often than is left of it."""
    for key, places in hits.items():
        for path, hit in places if len(places) > words.left.get(key, 0) else ():
            use = words.tables[hit.kind][hit.word]
            yield f"{path}:{hit.line}: retired: {hit.text!r}; write: {use}"


def lowered(text: str, hits: dict[str, list[tuple[str, Hit]]]) -> str:
    """The table with the numbers of today, none higher than before; all of them where there were none."""
    head, _, _ = text.partition("[left]\n")
    left = Words(text).left
    today = {key: len(places) for key, places in hits.items()}
    counts = {key: min(count, left.get(key, 0)) for key, count in today.items()} if left else today
    rows = [f"{json.dumps(key)} = {count}\n" for key, count in sorted(counts.items()) if count]
    return f"{head}[left]\n{''.join(rows)}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Name the retired words that are left.")
    parser.add_argument("--lower", action="store_true", help="write today's counts into the table")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    options = parser.parse_args()
    table = options.root / TABLE
    text = table.read_text(encoding="utf-8")
    words = Words(text)
    hits = found(words, files(options.root))
    if options.lower:
        table.write_text(lowered(text, hits), encoding="utf-8")
        return 0
    lines = list(problems(words, hits))
    print("".join(f"{line}\n" for line in lines), end="")
    fewer = sum(words.left.values()) - sum(len(places) for places in hits.values())
    if not lines and fewer:
        print(f"{fewer} retired words fewer than allowed: python -m tests.lint_words --lower")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
