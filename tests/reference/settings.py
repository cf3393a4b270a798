"""The reference of configuration keys: their types from the schema, what they mean from the page about them.

Does not own the keys (``config.schema``, ``gate.pack_schema``) or the page (``docs/configuration.md``).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from operators_edge.config import schema
from operators_edge.gate import operand_classes, pack_schema
from operators_edge.model import KEEP_DAYS
from tests.reference.markdown import code, page, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SOURCE = Path(__file__).resolve().parents[2] / "docs" / "configuration.md"
PATH = "reference/configuration-keys.md"

TYPES = {
    "str": "text",
    "bool": "`true` or `false`",
    "int": "number",
    "list[str]": "list of texts",
    "list[int]": "list of numbers",
    "dict[str, str]": "table: text to text",
    "dict[str, int]": "table: text to number",
    "dict[str, list[str]]": "table: text to list of texts",
    "Pattern": "pattern",
    "dict[str, Pattern]": "table: text to pattern",
    "dict[Pattern, Pattern]": "table: pattern to pattern",
    "list[Kind]": "list of kinds or patterns",
    "list[dict]": "list of conditions",
}


def pages() -> Mapping[str, str]:
    meanings = _sections(SOURCE.read_text("utf-8"))
    return {
        PATH: page(
            "Configuration keys",
            "Every key with its type, made from the schema that checks a file. How layers, rules and "
            "programs work together: [configuration](../configuration.md).",
            "## Settings",
            _settings(),
            "## A rule: `[[rule]]` { #rule }",
            _keys(pack_schema.RULE_KEYS, meanings["A rule"]),
            "## A condition: `when` { #when }",
            _keys(pack_schema.WHEN_KEYS, meanings["Conditions"]),
            "## A kind of operand { #kinds }",
            "A value that begins with `@`, where a list of kinds or patterns is expected: "
            + ", ".join(code(each) for each in sorted(operand_classes.OPERAND_CLASSES))
            + ".",
            "## A program: `[program.NAME]` { #program }",
            _keys(pack_schema.PROGRAM_KEYS, meanings["A program"]),
        )
    }


def _settings() -> str:
    rows = [
        (code(key), " or ".join(map(code, values)), code(schema.DEFAULTS[key]))
        for key, values in schema.LADDERS.items()
    ]
    rows += [
        *(
            (code(key), f"number, {least} to {most}", code(str(default)))
            for key, (default, (least, most)) in schema.NUMBERS.items()
        ),
        ("`checks`", f"list of at most {schema.MAX_CHECKS} plain commands", "`[]`"),
        ("`rules.ID.effect`", " or ".join(map(code, pack_schema.EFFECTS)), "the rule's own"),
    ]
    rows += [
        (
            f"`retention.{key}`",
            'days, or `"forever"`',
            code("forever" if days is None else str(days)),
        )
        for key, days in KEEP_DAYS.items()
    ]
    return table(("key", "value", "default"), rows)


def _keys(keys: Mapping[str, Any], meanings: Mapping[str, str]) -> str:
    rows = ((code(key), type_of(kind), meanings[key]) for key, kind in keys.items())
    return table(("key", "value", "what it means"), rows)


def type_of(kind: Any) -> str:
    """The type of a key's value, for people."""
    name = kind.__name__ if type(kind) in (type, type(pack_schema.Pattern)) else str(kind)
    return TYPES[re.sub(r"\w+\.", "", name)]


def _sections(text: str) -> dict[str, dict[str, str]]:
    """Heading → key → the cell about it, of the tables whose first column names keys."""
    found: dict[str, dict[str, str]] = {}
    for part in re.split(r"^#+ ", text, flags=re.MULTILINE)[1:]:
        head, _, body = part.partition("\n")
        found[head.strip()] = dict(_rows(body))
    return found


def _rows(body: str) -> Iterator[tuple[str, str]]:
    for line in body.splitlines():
        cells = [each.strip() for each in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        if len(cells) == 2:
            for key in re.findall(r"`(\w+)`", cells[0]):
                others = [each for each in re.findall(r"`(\w+)`", cells[0]) if each != key]
                beside = f"{cells[0]}: " if others else ""
                yield key, re.sub(r"\]\((?!https?:)(#?)", _moved, f"{beside}{cells[1]}")


def _moved(found: re.Match[str]) -> str:
    return "](../configuration.md#" if found[1] else "](../"


# end of module
