"""Names for tasks in build files of Clojure, Scala and Elixir, and the tasks that others need there.

Pure: text in, command lines out. Does not own aliases that a person has (``gate.disk.program_aliases``), nor
what tasks do by themselves (``gate.disk.recipe_formats``).
"""

from __future__ import annotations

import re

from operators_edge.gate.disk.recipe_types import MAX_RECIPES, MAX_TARGETS, Recipe, Wanted
from operators_edge.shell.code.bracketed import upto
from operators_edge.shell.commands import quoted
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LEIN = pattern(r":aliases\s*\{")
_LEIN_ENTRY = pattern(r"\"(?P<name>[^\"\n]+)\"\s*(?:\^\{[^}]*\}\s*)?\[")
_INNER = pattern(r"\[([^\[\]]*)\]")
_WORD = pattern(r"\"((?:[^\"\\]|\\.)*)\"")
_SBT_ALIAS = pattern(r"\badd(?:Command)?Alias\(\s*\"(?P<name>[^\"\n]+)\"\s*,\s*")
_SBT_SETTING = pattern(r"(?m)^[ \t]*alias[ \t]+(?P<name>[\w-]+)[ \t]*=")
_SBT_COMMAND = pattern(r"\bCommand\.(?:command|args|single)\(\s*\"(?P<name>[^\"\n]+)\"[^{}\n]*\{")
_SBT_VALUE = r"\bval\s+{name}\b[^=\n]*=\s*(\"\"\"[\s\S]*?\"\"\"|\w+\([^)]*\)|[^\n]*)"
_SBT_TEXT = pattern(r"\"\"\"([\s\S]*?)\"\"\"|\"((?:[^\"\\\n]|\\.)*)\"")
_NAME = pattern(r"\w+")
_SBT_TASK = pattern(
    r"(?m)^[ \t]*\(?(?:\w+[ \t]*/[ \t]*)*(?P<name>\w+)(?:[ \t]+in[ \t]+\w+)?\)?[ \t]*:="
    r"(?P<value>[^\n]*(?:\n[ \t]+[^\n]*)*)"
)
_SBT_NEEDS = pattern(r"\bdependsOn[ \t]*\(?([^)\n]*)|\bDef\.sequential\(([^)]*)\)|\b(\w+)\.value\b")


def lein_aliases(text: str, wanted: Wanted) -> list[Recipe]:
    """What Leiningen runs for a name of ``:aliases``."""
    head = _LEIN.search(text)
    inside = upto(text, "}", head.end()) if head else ""
    start = head.end() if head else 0
    found = []
    for one in _LEIN_ENTRY.finditer(inside):
        if one["name"] not in wanted.targets:
            continue
        words = upto(inside, "]", one.end())
        line = line_at(text, start + one.start())
        texts = [*_INNER.findall(words), _INNER.sub(" ", words)]
        runs = [_WORD.findall(each) for each in texts]
        found += [
            Recipe(quoted(["lein", *each]), line) for each in runs if each not in ([], ["do"])
        ]
    return found[:MAX_RECIPES]


def sbt_tasks(text: str, wanted: Wanted) -> list[Recipe]:
    """What sbt runs for a name of the build's own, and with a task of it."""
    asked = [one for word in wanted.targets for one in re.findall(r"[\w-]+", word)]
    found = []
    heads = [(one, ")") for one in _SBT_ALIAS.finditer(text)]
    heads += [(one, "\n") for one in _SBT_SETTING.finditer(text)]
    heads += [(one, "}") for one in _SBT_COMMAND.finditer(text)]
    for one, closes in heads:
        if one["name"] in asked:
            line = line_at(text, one.start())
            found += [
                Recipe(quoted(["sbt", step]), line)
                for step in _steps(text, _value(text[one.end() :], closes), asked)
            ]
    for one in _SBT_TASK.finditer(text):
        if one["name"] in asked:
            line = line_at(text, one.start("name"))
            found += [Recipe(f"sbt {name}", line) for name in _names(one["value"], asked)]
    return found[:MAX_RECIPES]


def _value(text: str, closes: str) -> str:
    return f'"{text.partition(closes)[0].strip()}"' if closes == "\n" else upto(text, closes)


def _steps(text: str, runs: str, asked: Sequence[str]) -> Iterator[str]:
    """What an alias or a command of the build's own runs, one by one; a value may have been named before."""
    named = _NAME.fullmatch(runs.strip())
    values = re.findall(_SBT_VALUE.replace("{name}", named[0]), text) if named else [runs]
    for value in values:
        for long, short in _SBT_TEXT.findall(value):
            for step in re.split(r";|\n", (long or short).replace("|", " ")):
                if step.strip() and step.strip() not in asked:
                    yield step.strip()


def _names(value: str, asked: Sequence[str]) -> Iterator[str]:
    for parts in _SBT_NEEDS.findall(value):
        for name in re.findall(r"\b[a-z]\w*", " ".join(parts)):
            if name not in asked:
                yield name


_MIX_ALIAS = r"(?:[\s\[,]|^)\"?{name}\"?:\s*(\[[^\]]*\]|\"(?:[^\"\\]|\\.)*\")"


def mix_aliases(text: str, wanted: Wanted) -> list[Recipe]:
    """What the aliases of a mix.exs run for a task: ``test: ["cmd ./reset.sh", "test"]``."""
    if wanted.targets[:1] == ("do",):  # ``mix do a, b + c``
        steps = re.split(r"\s*(?:,\s|,\Z|\s\+\s)\s*", " ".join(wanted.targets[1:]))
        return [Recipe(f"mix {one}", 1) for one in steps if one][:MAX_RECIPES]
    found: list[Recipe] = []
    for verb, rest, line in mix_steps(text, wanted.targets):
        if verb == "cmd":
            found.append(Recipe(rest, line))
        elif verb.startswith("hex."):  # what changes a database: ``gate.disk.mix_projects``
            found.append(Recipe(f"mix {verb} {rest}", line))
    return found[:MAX_RECIPES]


def mix_steps(text: str, targets: Sequence[str]) -> Iterator[tuple[str, str, int]]:
    """Yield the steps of the aliases for a task, and of those that they name: task, words and line."""
    left, asked = list(targets[:1]), set[str]()
    while left and len(asked) < MAX_TARGETS:
        name = left.pop(0)
        if name in asked:
            continue
        asked.add(name)
        head = _MIX_ALIAS.replace("{name}", re.escape(name))
        for listed in re.finditer(head, text, re.MULTILINE):
            for step in _WORD.findall(listed[1]):
                verb, _, rest = step.replace('\\"', '"').partition(" ")
                left.append(verb)
                yield verb, rest, line_at(text, listed.start())


# end of module
