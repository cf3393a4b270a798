"""The reference of what is public in records and answers: events of the log, error codes, schemas of files.

Made from ``reports.entries``, the classes of errors and ``docs/schemas``. Does not own them.
"""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import TYPE_CHECKING, Any

import operators_edge
from operators_edge.errors import EdgeError
from operators_edge.reports.entries import EVENTS
from tests.reference.markdown import code, page, plain, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DOCS = Path(__file__).resolve().parents[2] / "docs"


def pages() -> Mapping[str, str]:
    return {
        "reference/events.md": _events((DOCS / "metrics.md").read_text("utf-8")),
        "reference/errors.md": _errors(),
        **{f"reference/schemas/{path.stem}.md": _schema(path) for path in schemas()},
    }


def schemas() -> list[Path]:
    return sorted((DOCS / "schemas").glob("*.json"))


# -- events ----------------------------------------------------------------------------------------


def _events(metrics: str) -> str:
    written = dict(_written(metrics.partition("\n## The events\n")[2].partition("\n## ")[0]))
    rows = ((code(name), event.kind, event.title, written[name]) for name, event in EVENTS.items())
    return page(
        "Events of the log",
        "Each entry of `.proof/session_log.jsonl` has one of these as its `event`. `edge log search "
        "--event NAME` finds them; what they count for is in [metrics](../metrics.md).",
        table(("event", "kind", "shown as", "written when"), rows),
    )


def _written(text: str) -> Iterator[tuple[str, str]]:
    """Event → when it is written; a row of several says it for all of them."""
    for first, about in re.findall(r"^\| (`.+?) \| (.+) \|$", text, re.MULTILINE):
        names = re.findall(r"`(\w+)`", first)
        shared = f"{first}: " if len(names) > 1 else ""
        for name in names:
            yield name, shared + re.sub(r"\]\((?!https?:)", "](../", about)


# -- errors ----------------------------------------------------------------------------------------


def errors() -> list[type[EdgeError]]:
    """Every class of errors with a code, by it."""
    for module in walk_packages(operators_edge.__path__, "operators_edge."):
        if module.name.rpartition(".")[2] not in ("__main__", "hook", "hook_client"):
            import_module(module.name)
    return sorted({each.code: each for each in _kinds(EdgeError)}.values(), key=lambda e: e.code)


def _kinds(kind: type[EdgeError]) -> Iterator[type[EdgeError]]:
    for each in kind.__subclasses__():
        yield from _kinds(each)
        if "code" in vars(each):
            yield each
    yield EdgeError


MEANINGS = {
    "config": "A configuration file cannot be used; the message names file, key and problem.",
    "decision-pending": "A person has to decide first; `edge status` shows what.",
    "internal": "An error that should not happen. The message names the report that was written.",
    "lock-held": "Another process holds the project's lock; the message names it, and since when.",
    "no": "The answer of a gate or a verification is no.",
    "not-human": "A decision did not come from a person.",
    "not-set-up": "A project, a hook or a key is needed and is not there.",
    "pack": "A rule of a configuration file cannot be used; the message names it.",
    "state": "The state, the log or the registry cannot be used.",
    "state-damaged": "A file is not what it should be; the message has line and column. Nothing was changed.",
    "state-invalid": "The change would break an invariant of the state. Nothing was changed.",
    "usage": "The arguments are wrong; the hint has the command's help.",
}


def _errors() -> str:
    rows = (
        (code(each.code), str(each.exit_code), MEANINGS.get(each.code) or _summary(each))
        for each in errors()
    )
    return page(
        "Error codes",
        'With `--json` an error is `{"ok": false, "error": {"code", "message", "detail", "hint"}}`. '
        "Messages may change, codes do not. What the exit codes mean: "
        "[commands](commands/index.md#exit-codes).",
        table(("code", "exit code", "what it means"), rows),
    )


def _summary(kind: type[EdgeError]) -> str:
    return plain((kind.__doc__ or "").partition("\n\n")[0])


# -- schemas ---------------------------------------------------------------------------------------


def _schema(path: Path) -> str:
    schema = json.loads(path.read_text("utf-8"))
    parts = [
        f"The JSON Schema is [{path.name}](../../schemas/{path.name}); this page is made from it."
    ]
    for each in schema.get("oneOf", [schema]):
        name = each["properties"].get("event", {}).get("const", "")
        parts.append(f"## {name}\n\n{plain(each['description'])}" if name else "")
        parts.append(_properties(each, name))
    return page(schema["title"], *parts)


def _properties(schema: dict[str, Any], event: str) -> str:
    needed = schema.get("required", ())
    rows = (
        (code(key), _type(each), "yes" if key in needed else "", plain(each.get("description", "")))
        for key, each in schema["properties"].items()
        if not (event and key == "event")
    )
    return table(("key", "type", "needed", "what it is"), rows)


def _type(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return ", ".join(code(json.dumps(each)) for each in schema["enum"])
    if "const" in schema:
        return code(json.dumps(schema["const"]))
    kinds = schema.get("type", "any")
    text = " or ".join(kinds) if isinstance(kinds, list) else kinds
    return f"{text} of {_type(schema['items'])}" if "items" in schema else text


# end of module
