"""Files in HashiCorp's language: which programs Terraform starts, and which images a bake pushes.

Owns the blocks of such files and what these two read from them. Pure: text in, commands out; what cannot be
known is a HOLE. Does not own other formats (``gate.disk.recipe_formats``).
"""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

from operators_edge.gate.disk.recipe_types import MAX_RECIPES, Included, Recipe, Wanted, closure
from operators_edge.shell.commands import HOLE
from operators_edge.text import yaml_values
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import blanked, pattern
from operators_edge.text.settings_files import json_of, values_at
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_COMMENT = pattern(r"\"(?:[^\"\\\n]|\\.)*\"|(?P<comment>(?:#|//)[^\n]*|/\*[\s\S]*?\*/)")
_HEAD = pattern(r"(?m)^[ \t]*([\w-]+)((?:[ \t]+\"[^\"\n]*\")*)[ \t]*\{")
_MARK = pattern(r"\"(?:[^\"\\\n]|\\.)*\"|[\[\]{}()\n]")
_STRING = pattern(r"\"((?:[^\"\\\n]|\\.)*)\"")
_MAX_BODIES = 16 * 1024 * 1024
"""Characters of all blocks together: those in others count again."""
_HEREDOC = pattern(r"<<[-~]?[ \t]*(\w+)[^\n]*\n([\s\S]*?)^[ \t]*\1\b", re.MULTILINE)


class Block(NamedTuple):
    """A block: its kind, its labels, what is inside, and where that begins in the file."""

    kind: str
    labels: tuple[str, ...]
    body: str
    position: int


def blocks(text: str) -> list[Block]:
    """The blocks of a file, those inside of others, too."""
    text = _COMMENT.sub(lambda one: blanked(one[0]) if one["comment"] else one[0], text)
    ends = _ends(text)
    found: list[Block] = []
    room = _MAX_BODIES
    for head in _HEAD.finditer(text):
        body = text[head.end() : ends.get(head.end() - 1, len(text))]
        room -= len(body)
        if room < 0:
            break
        found.append(Block(head[1], tuple(re.findall(r"\"([^\"]*)\"", head[2])), body, head.end()))
    return found


def attribute(body: str, name: str) -> str:
    """The expression that a block sets a name to; "" if it does not."""
    found = re.search(rf"(?m)^[ \t]*{name}[ \t]*=[ \t]*", body)
    if found is None:
        return ""
    if document := _HEREDOC.match(body, found.end()):
        return f'"{document[2]}"'
    level = 0
    for one in _MARK.finditer(body, found.end()):
        if one[0] == "\n" and level <= 0:
            return body[found.end() : one.start()]
        level += (one[0] in "[{(") - (one[0] in "]})") if len(one[0]) == 1 else 0
    return body[found.end() :]


def _ends(text: str) -> dict[int, int]:
    """Where each bracket opens → where it closes."""
    opened: list[int] = []
    found: dict[int, int] = {}
    for one in _MARK.finditer(text):
        if one[0] == "{":
            opened.append(one.start())
        elif one[0] == "}" and opened:
            found[opened.pop()] = one.start()
    return found


# -- Terraform ------------------------------------------------------------------------------------------

_FOLDER = pattern(r"\$\{path\.(?:module|root|cwd)\}")
_UNKNOWN = pattern(r"\$\{[^}]*\}")


def terraform(text: str, _: Wanted) -> list[Recipe]:
    """The programs of external data, which every plan starts."""
    found = []
    for block in blocks(text):
        if block.kind == "data" and block.labels[:1] == ("external",):
            words = [_known(one) for one in _STRING.findall(attribute(block.body, "program"))]
            places = _STRING.findall(attribute(block.body, "working_dir"))[:1]
            start = f"cd {shlex.quote(_known(places[0]))} && " if places else ""
            found += (
                [Recipe(start + shlex.join(words), line_at(text, block.position))] if words else []
            )
    return found[:MAX_RECIPES]


def terraform_modules(text: str) -> list[Included]:
    """The folders of modules that are called from this one."""
    named = [
        source
        for block in blocks(text)
        if block.kind == "module"
        for source in _STRING.findall(attribute(block.body, "source"))[:1]
    ]
    return [Included(f"{one.rstrip('/')}/*.tf") for one in named if one[:1] == "."]


def _known(text: str) -> str:
    return _UNKNOWN.sub(HOLE, _FOLDER.sub(".", text.replace('\\"', '"')))


# -- docker buildx bake ---------------------------------------------------------------------------------


class _Target(NamedTuple):
    """A target of a bake: the expressions of its lists, and where it is."""

    line: int
    parents: list[str]
    tags: list[str]
    outputs: str | None


_PUSHES = pattern(
    r"\btype[\"']?\s*[=:]\s*[\"']?registry\b|\bpush[\"']?\s*[=:]\s*[\"']?(?:true|\$\{)"
)
_CHOICE = pattern(r"([^\[\],?\n]+)\?([^:\n]+(?:\"[^\"\n]*\")?)\s*:\s*([^,\]\n]+)")


def bake(text: str, wanted: Wanted) -> list[Recipe]:
    """The images that a bake pushes because its file says so; ``wanted.targets`` are the words behind it."""
    groups, targets, values = _of_json(text) if text.lstrip()[:1] == "{" else _of_hcl(text)
    if not targets:
        groups, targets, values = _of_compose(text)
    values |= wanted.variables
    asked = list(wanted.targets) or ["default"]
    if not wanted.targets and "default" not in (*groups, *targets):
        asked = list(targets)
    reached = closure(asked, groups)
    is_known = all(one in targets or one in groups for one in reached)
    names = [one for one in reached if one in targets] if is_known else list(targets)
    found = []
    for name in names:
        outputs = _inherited(name, targets, 0)
        if outputs is not None and _PUSHES.search(_filled(outputs, values)):
            tags = _tags(name, targets, 0) or [HOLE]
            found += [
                Recipe(f"docker push {shlex.quote(one)}", targets[name].line)
                for one in (_UNKNOWN.sub(HOLE, _with(tag, values)) for tag in tags)
            ]
    return found[: 0 if wanted.is_dry else MAX_RECIPES]


def _of_hcl(text: str) -> tuple[dict[str, list[str]], dict[str, _Target], dict[str, str]]:
    groups: dict[str, list[str]] = {}
    targets: dict[str, _Target] = {}
    values: dict[str, str] = {}
    for block in blocks(text):
        name = block.labels[0] if block.labels else ""
        if block.kind == "group":
            groups[name] = _STRING.findall(attribute(block.body, "targets"))
        elif block.kind == "variable":
            values[name] = attribute(block.body, "default").strip().strip('"')
        elif block.kind == "target":
            targets[name] = _Target(
                line_at(text, block.position),
                _STRING.findall(attribute(block.body, "inherits")),
                _STRING.findall(attribute(block.body, "tags")),
                attribute(block.body, "output") or None,
            )
    return groups, targets, values


def _of_json(text: str) -> tuple[dict[str, list[str]], dict[str, _Target], dict[str, str]]:
    data = json_of(text)
    parts = [next(values_at(data, key), None) for key in ("group", "target", "variable")]
    group, target, variable = (one if isinstance(one, dict) else {} for one in parts)
    groups = {name: _texts(one.get("targets")) for name, one in _tables(group)}
    targets = {
        name: _Target(
            max(1, line_at(text, text.find(json.dumps(name)))),
            _texts(one.get("inherits")),
            _texts(one.get("tags")),
            json.dumps(one["output"]) if "output" in one else None,
        )
        for name, one in _tables(target)
    }
    return groups, targets, {name: str(one.get("default", "")) for name, one in _tables(variable)}


def _of_compose(text: str) -> tuple[dict[str, list[str]], dict[str, _Target], dict[str, str]]:
    """A bake reads the services of a compose file that are built, with ``x-bake``."""
    data = yaml_values.read(text)
    services = data.get("services") if isinstance(data, dict) else None
    targets = {}
    for name, service in _tables(services if isinstance(services, dict) else {}):
        build = service.get("build")
        given = build.get("x-bake") if isinstance(build, dict) else None
        given = given if isinstance(given, dict) else {}
        tags = _texts(given.get("tags")) or _texts(service.get("image"))
        output = json.dumps(given["output"]) if "output" in given else None
        if build is not None:
            line = getattr(services, "lines", {}).get(name, 1)
            targets[name] = _Target(line, [], tags, output)
    return {}, targets, {}


def _tables(data: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    return [(name, one) for name, one in data.items() if isinstance(one, dict)]


def _texts(value: Any) -> list[str]:
    listed: Sequence[Any] = value if isinstance(value, list) else [value]
    return [one for one in listed if isinstance(one, str)]


def _inherited(name: str, targets: Mapping[str, _Target], depth: int) -> str | None:
    """The outputs of a target, or of the last one that it is made from."""
    target = targets.get(name)
    if target is None or depth > len(targets):
        return None
    if target.outputs is not None:
        return target.outputs
    found = [_inherited(one, targets, depth + 1) for one in target.parents]
    return next((one for one in reversed(found) if one is not None), None)


def _tags(name: str, targets: Mapping[str, _Target], depth: int) -> list[str]:
    target = targets.get(name)
    if target is None or depth > len(targets):
        return []
    inherited = (_tags(one, targets, depth + 1) for one in reversed(target.parents))
    return target.tags or next(filter(None, inherited), [])


def _filled(expression: str, values: Mapping[str, str]) -> str:
    """An expression with the variables that are known, and the part of a choice that is taken."""

    def chosen(one: re.Match[str]) -> str:
        condition = one[1].strip().lstrip("(")
        value = values.get(condition)
        if value is None:
            return one[0]
        return one[3] if value.lower() in ("", "false", "0", "null") else one[2]

    return _with(_CHOICE.sub(chosen, expression), values)


def _with(text: str, values: Mapping[str, str]) -> str:
    return _NAMED.sub(lambda one: values.get(one[1], one[0]), text)


_NAMED = pattern(r"\$\{(\w+)\}")

# end of module
