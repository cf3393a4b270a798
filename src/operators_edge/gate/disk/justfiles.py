"""Justfiles: what recipes run, with what they are given, and the justfiles that they import.

Pure: text in, commands out; what cannot be known is a HOLE. Does not own other formats
(``gate.disk.recipe_formats``).
"""

from __future__ import annotations

import os
import re
from textwrap import dedent

from operators_edge.gate.disk.recipe_types import (
    MAX_RECIPES,
    MAX_TARGETS,
    Included,
    Recipe,
    Wanted,
    in_order,
    logical_lines,
)
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SET = pattern(r"(?P<export>export\s+)?(?P<name>[\w-]+)\s*:=\s*(?P<value>.+)")
_EXPORTS_ALL = pattern(r"(?m)^set[ \t]+export\b(?![ \t]*:=[ \t]*false)")
_RUN_BY_VALUE = pattern(r"`([^`\n]+)`|\bshell\(\s*(?:'([^']*)'|\"([^\"]*)\")")
_SHELL = pattern(
    r"set[ \t]+(?:script-interpreter|shell)[ \t]*:=[ \t]*\[[ \t]*['\"]([\w.-]*/[\w./-]+)['\"]"
)
"""A program by its path in the place of the shell."""
_DOTENV = pattern(
    r"(?m)^set[ \t]+dotenv-(?:load\b(?![ \t]*:=[ \t]*false)"
    r"|(?:filename|path)[ \t]*:=[ \t]*['\"]([\w./-]+)['\"])"
)
_HEAD = pattern(
    r"@?([A-Za-z_][\w-]*)((?:\s+[*+$]?[\w-]+(?:=(?:'[^']*'|\"[^\"]*\"|\S+))?)*)\s*:(?!=)\s*(.*)"
)
_GIVEN = pattern(r"[*+]*(\$?[\w-]+)(?:=('[^']*'|\"[^\"]*\"|\S+))?")
_INSIDE = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))*"
_NEED = pattern(rf"\(\s*([A-Za-z_][\w-]*)({_INSIDE})\)|([A-Za-z_][\w-]*)")
_GROUP = pattern(r"(?<!\w)\(((?:[^()]|\([^()]*\))*)\)")
_PART = pattern(r"\s*('[^']*'|\"[^\"]*\"|`[^`]*`|[\w-]+(?:\([^()]*\))?|[/+])")
_PLAIN_MARK = pattern(r"\[(?:private|doc|group|no-exit-message|confirm)\b[^\]]*\]")
_FOREIGN = ("[windows]",) if os.name != "nt" else ("[unix]", "[linux]", "[macos]")
"""Marks of recipes that this system never runs."""
_END = "END-OF-RECIPE"
_FOLDERS = frozenset(
    ("justfile_directory()", "invocation_directory()", "justfile_dir()", "source_directory()")
)
_HOME = pattern(
    r"env(?:_var|_var_or_default)?\(\s*(['\"])HOME\1\s*(?:,[^()]*)?\)|home_dir(?:ectory)?\(\)"
)


class _Recipe(NamedTuple):
    given: list[tuple[str, str]]
    """Its parameters by name, with their defaults as they are written."""
    needs: list[tuple[str, str]]
    """The recipes that it depends on, with what they are given as it is written."""
    later: list[tuple[str, str]]
    """Those that run after it."""
    body: list[Recipe]
    is_sure: bool
    """Whether it is the only one of its name, without conditions."""


def just(text: str, wanted: Wanted) -> list[Recipe]:
    """The lines of the named recipes and of those they depend on; ``{{…}}`` as far as it is known."""
    if wanted.is_dry:
        return []
    values = dict(wanted.variables)
    exported: set[str] = set()
    recipes = _recipes(text, values, exported)
    others = dict(_ALIAS.findall(text))
    asked = [others.get(name, name) for name in wanted.targets]
    found = _lines(asked or list(recipes)[:1], recipes, values, exported)
    return [*_computed(text), *found][:MAX_RECIPES]


def _computed(text: str) -> list[Recipe]:
    """What reading the file runs, whatever the recipe, and a program of the project that runs each line."""
    found = []
    for number, line in logical_lines(text):
        if line[:1] not in "# \t" and (given := _SET.fullmatch(line.strip())):
            runs = _RUN_BY_VALUE.findall(given["value"])
            found += [Recipe(next(filter(None, one)), number) for one in runs]
        elif shell := _SHELL.match(line):
            found.append(Recipe(f"{shell[1]} -c :", number))
    return found


def dotenv_files(text: str) -> list[str]:
    """The files that a justfile has variables from."""
    return [name or ".env" for name in _DOTENV.findall(text)]


def _recipes(
    text: str, values: dict[str, str], exported: set[str] | None = None
) -> dict[str, _Recipe]:
    """The recipes of a file by their names; what the file assigns is added to the values.

    The names of what it gives to all that recipes run are added to ``exported``.
    """
    is_all = _EXPORTS_ALL.search(text) is not None
    recipes: dict[str, _Recipe] = {}
    current, is_marked, is_foreign = "", False, False
    for number, line in logical_lines(text):
        if line[:1] in " \t" and current and line.strip():
            _add_line(recipes[current].body, line, number)
        elif given := _SET.fullmatch(line.strip()):
            values.setdefault(given["name"], _value(given["value"], values))
            if exported is not None and (is_all or given["export"]):
                exported.add(given["name"])
        elif line[:1] not in "# \t[" and (head := _HEAD.fullmatch(line.rstrip())):
            current = head[1]
            before, _, behind = head[3].partition("&&")
            needs, later = (
                [(one or plain, words) for one, words, plain in _NEED.findall(part)]
                for part in (before, behind)
            )
            is_sure = current not in recipes and not is_marked
            if is_foreign:
                current = f"{current} {number}"  # which nothing names
            elif current in recipes:  # for another system
                recipes[current].later.append((f"{current} {number}", ""))
                current = f"{current} {number}"
            recipes[current] = _Recipe(_GIVEN.findall(head[2]), needs, later, [], is_sure)
            is_marked = is_foreign = False
        elif line[:1] == "[":
            is_foreign |= line.strip() in _FOREIGN
            is_marked |= _PLAIN_MARK.fullmatch(line.strip()) is None
    return recipes


def just_needs(text: str, targets: Sequence[str]) -> list[str]:
    """What the named recipes depend on, each with its words: it may be in a file that is imported."""
    values: dict[str, str] = {}
    recipes = _recipes(text, values)
    left = list(targets or list(recipes)[:1])
    found: dict[tuple[str, ...], None] = {}
    while left:
        recipe = recipes.get(left.pop())
        needs = (*recipe.needs, *recipe.later) if recipe else ()
        for name, words in needs:
            if not any(one[0] == name for one in found):
                left.append(name)
            found[name, *_words(words, values)] = None
    return [word for one in found for word in one]


def _add_line(body: list[Recipe], line: str, number: int) -> None:
    """Add a line to a recipe: a command, or the next line of the script that its first one begins."""
    plain = line.strip()
    if not body or not body[0].text.startswith("#!"):
        body.append(Recipe(plain if plain.startswith("#!") else plain.lstrip("@-"), number))
        return
    script = body[0]
    gap = "\n" * (number - script.line - script.text.count("\n"))
    body[0] = script._replace(text=f"{script.text}{gap}{line.rstrip()}")


def _as_script(recipe: Recipe) -> Recipe:
    """A script in a recipe as a text for the shell, which gives it to the program of its first line."""
    first, _, rest = recipe.text.partition("\n")
    if not first.startswith("#!"):
        return recipe
    body = dedent(rest)
    words = first[2:].split()
    words = words[1:] if words[:1] and words[0].endswith("/env") else words
    program = " ".join(word for word in words if word != "-S")
    if not words or re.search(r"(?:^|/)(?:ba|da|z|k)?sh$", program.partition(" ")[0]):
        return recipe._replace(text=f"{first}\n{body}")
    return recipe._replace(text=f"{program} <<'{_END}'\n{body}\n{_END}")


def _lines(
    asked: Sequence[str],
    recipes: Mapping[str, _Recipe],
    values: Mapping[str, str],
    exported: set[str],
) -> list[Recipe]:
    """The lines of recipes, of each for everything that it is given; other words are arguments."""
    left: list[tuple[str, tuple[str, ...]]] = []
    for at, name in enumerate(asked):
        if name in recipes:
            count = len(recipes[name].given)
            left.append((name, tuple(asked[at + 1 : at + 1 + count])))
    begun: set[tuple[str, tuple[str, ...]]] = set()
    ways: dict[str, list[str]] = {}
    found: dict[str, list[Recipe]] = {}
    while left and len(begun) < MAX_TARGETS:
        one = left.pop(0)
        if one in begun or one[0] not in recipes:
            continue
        begun.add(one)
        recipe = recipes[one[0]]
        known, shared = dict(values), set(exported)
        for at, (marked, default) in enumerate(recipe.given):
            is_given, name = at < len(one[1]), marked.lstrip("$")
            known[name] = one[1][at] if is_given else _value(default, known) if default else HOLE
            shared |= {name} if name != marked else set()
        held = {name: HOLE if _WAYS.search(known[name]) else known[name] for name in shared}
        environment = tuple(sorted(held.items()))
        needs, later = (
            [(name, _words(words, known)) for name, words in part]
            for part in (recipe.needs, recipe.later)
        )
        left += [*needs, *later]
        ways[str(one)] = [*map(str, needs), f"{one} itself", *map(str, later)]
        found[f"{one} itself"] = [
            line._replace(
                text=text, is_sure=recipe.is_sure and len(texts) == 1, environment=environment
            )
            for line in map(_as_script, recipe.body)
            for texts in [_ways(_PUT_IN.sub(lambda m: _value(m[1], known), line.text))]  # noqa: B023 - used here
            for text in texts
        ]
    names = in_order([*ways, *found], ways)
    return [line for name in names for line in found.get(name, ())][:MAX_RECIPES]


def _words(text: str, values: Mapping[str, str]) -> tuple[str, ...]:
    """What a dependency is given: expressions one after another; ``a / b`` is one."""
    parts = _PART.findall(_GROUP.sub(r"\1", text))
    words: list[str] = []
    for at, part in enumerate(parts):
        if part in "/+":
            continue
        is_joined = at > 0 and parts[at - 1] in "/+"
        if is_joined and words:
            words[-1] = f"{words[-1]} {parts[at - 1]} {part}"
        else:
            words.append(part)
    return tuple(_value(word, values) for word in words)


def _value(text: str, values: Mapping[str, str]) -> str:
    """An expression: a text, a name, the folder of the justfile, or several with ``/`` or ``+``."""
    value, joint = "", "+"
    at, text = 0, text.split(" #", maxsplit=1)[0].strip()
    if text.startswith("if "):
        return _of_branches(text, values)
    while at < len(text):
        part = _PART.match(text, at)
        if part is None:
            return HOLE
        at = part.end()
        if part[1] in "/+":
            joint = part[1]
            continue
        if part[1][0] in "'\"":
            one = part[1][1:-1]
        elif _HOME.fullmatch(part[1]):
            one = values.get("HOME", "~")
        else:
            one = "." if part[1] in _FOLDERS else values.get(part[1], HOLE)
        value = f"{value}/{one}" if joint == "/" else value + one
    return value


def _of_branches(text: str, values: Mapping[str, str]) -> str:
    """``if a == b { … } else { … }``: the value of each branch, which ``_ways`` takes apart."""
    found: list[str] = []
    while (branch := _IF.fullmatch(text)) is not None:
        found.append(_value(branch[1], values))
        text = branch[2].strip()
    last = _ELSE.fullmatch(text)
    found.append(_value(last[1], values) if last else HOLE)
    return f"\x1e{chr(0x1F).join(found)}\x1d"


def _ways(text: str) -> list[str]:
    """The texts that a line may be, by what the branches in it give."""
    left, found = [text], list[str]()
    while left:
        one = left.pop(0)
        way = _WAYS.search(one)
        if way is None or len(left) + len(found) >= _MAX_WAYS:
            found.append(_WAYS.sub(HOLE, one))
            continue
        left += [f"{one[: way.start()]}{each}{one[way.end() :]}" for each in way[1].split("\x1f")]
    return list(dict.fromkeys(found))


_PUT_IN = pattern(r"\{\{\s*(.*?)\s*\}\}")
_IF = pattern(r"if\s+[^{}]+\{((?:[^{}]|\{[^{}]*\})*)\}\s*else\s*(.*)")
_ELSE = pattern(r"\{((?:[^{}]|\{[^{}]*\})*)\}")
_WAYS = pattern(r"\x1e([^\x1e\x1d]*)\x1d")
_MAX_WAYS = 8
_ALIAS = pattern(r"(?m)^alias[ \t]+([\w-]+)[ \t]*:=[ \t]*([\w-]+)")
_IMPORT = pattern(
    r"(?m)^(?:import|(?P<mod>mod))\??[ \t]+(?:(?P<name>[\w-]+)[ \t]*)?"
    r"(?:['\"](?P<path>[^'\"\n]+)['\"])?[ \t]*(?:#.*)?$"
)


def just_imports(text: str) -> list[Included]:
    """The justfiles that a justfile imports; the recipes of a module have its name before theirs."""
    found = []
    for one in _IMPORT.finditer(text):
        if one["path"] and not one["mod"]:
            found.append(Included(one["path"]))
        elif one["mod"] and one["name"]:
            name = one["name"]
            usual = (f"{name}.just", f"{name}/mod.just", f"{name}/justfile", f"{name}/.justfile")
            paths = [one["path"]] if one["path"] else usual
            found += [Included(path, f"{name}::") for path in paths]
    return found


# end of module
