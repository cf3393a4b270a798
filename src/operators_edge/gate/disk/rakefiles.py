"""Rakefiles: which tasks a run reaches, and the Ruby that these run.

Owns the names of tasks with their namespaces, what they need, call and are enhanced with, and the files that
they are in. Pure: text in, code and commands out. Does not own what the Ruby does
(``shell.code.programs``), nor reading files (``gate.disk.targets``).
"""

from __future__ import annotations

import re
from itertools import islice

from operators_edge.gate.disk.recipe_types import MAX_TARGETS, Included, Recipe, Wanted
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import pattern, without
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_NAME = r"(?::?['\"](?P<quoted>[^'\"\n]+)['\"]|(?P<mark>:?)(?P<bare>[A-Za-z_][\w:-]*))"
_TASK_OF = r"(?:Rake::Task|Rake(?:\.|::)application)\s*(?:\[|\.lookup\(|\.define_task\(?)\s*"
_HEAD = pattern(
    r"(?m)^(?P<in>[ \t]*)(?:\w+[ \t]*=[ \t]*)?"
    r"(?P<kind>namespace|task|file|multitask|(?:\w+::)+\w*Task\.(?:new|define_task))"
    r"\b[ \t]*\(?[ \t]*" + _NAME + r"(?P<rest>[^\n]*)$"
)
_MORE = pattern(
    rf"(?m)^(?P<in>[ \t]*)(?:{_TASK_OF}{_NAME}|(?P<held>[a-z_]\w*))[ \t]*[\])]?(?:\s*\.clear\w*)?"
    r"\s*\.(?:enhance\b|prereq\w*\s*(?:<<|\.\w+))(?P<rest>[^\n]*)$"
)
"""What a task of any file gets in addition."""
_HELD = pattern(
    rf"(?m)^[ \t]*(?P<held>[a-z_]\w*)[ \t]*=[ \t]*(?:{_TASK_OF}|(?:task|file|multitask)[ (]+){_NAME}"
)
_CALLED = pattern(
    rf"(?:{_TASK_OF}|\binvoke_task[( ]\s*){_NAME}"
    r"(?!['\"\w]*\s*\]\s*\.\s*(?:clear\w*|reenable|enhance|comment|add_description)\b(?!\s*\.))"
)
_BRANCH = pattern(r"\bdo\b|\{")
_LIST = pattern(r"(?:=>|:)\s*(%?[iIwW]?\[[^\]]*\]|:[\w:]+|:?['\"][^'\"]+['\"]|[A-Z]\w*)")
_GIVEN = pattern(r"\A[\s(\])]*(%?[iIwW]?\[[^\]]*\]|:[\w:]+|:?['\"][^'\"]+['\"]|[A-Z]\w*)")
_CONSTANT = r"(?m)^[ \t]*{name}[ \t]*=[ \t]*(%?[iIwW]?\[[^\]]*\]|['\"][^'\"\n]*['\"])"
_WORD = pattern(r"[A-Za-z_][\w:-]*")
_MAX_LIST = 2_000
"""Characters of what a task needs, if that is on several lines."""
_MAX_BODY = 32 * 1024
_MAX_PARTS = 1_000
"""Tasks of one run; those after them count as if they were run."""


class _Part(NamedTuple):
    """A place that gives a task something: what it needs and calls, and the text that it runs."""

    name: str
    """With its namespaces; "" if it is computed."""
    scope: str
    needs: tuple[tuple[str, int], ...]
    start: int
    end: int


def rake_code(text: str, wanted: Wanted) -> str:
    """The Ruby that a run of the named tasks runs: the file without the bodies of all others."""
    file = _Rakefile(text)
    reached = set() if wanted.is_dry else file.reached(wanted.targets)
    for part in file.parts:
        if part not in reached:
            text = without(text, part.start, part.end)
    return text


_RAKE_CALLS = pattern(r"(?m)(?<![\w.:@$'\"])(sh|ruby)(?=[ \t]*\(|[ \t]+[*'\"%A-Z\[])")


def rake_as_ruby(code: str) -> str:
    """The Ruby of a Rakefile with rake's own words for starting a program as those of the language."""
    return _RAKE_CALLS.sub(lambda one: "system" if one[1] == "sh" else "system 'ruby',", code)


_RAKE_FILES = pattern(
    r"\bDir(?:\.glob)?\s*[\[(]\s*['\"]([^'\"\n]+)['\"]"
    r"|(?m:^[ \t]*)(?:import|load)[ \t(]+['\"]([^'\"\n]+)['\"]"
)


def rake_imports(text: str) -> list[Included]:
    """The files of tasks that a Rakefile imports, and those that rake and Rails load by themselves."""
    named = [one or other for one, other in _RAKE_FILES.findall(text)]
    usual = ["rakelib/*.rake", "lib/tasks/*.rake" if "load_tasks" in text else ""]
    return [Included(name.replace("**/", "")) for name in (*named, *usual) if name]


_PUBLISHES = pattern(r"(?:\w+:)*(?:release|publish|push|deploy|upload)(?::\w+)*\Z")


def rake_others(text: str, wanted: Wanted) -> list[Recipe]:
    """Tasks of other files that publish, which the tasks of a run need or call."""
    if wanted.is_dry:
        return []
    file = _Rakefile(text)
    named = list(file.outside)
    for part in file.parts:
        if part in file.reached(wanted.targets):
            named += part.needs
    found = {
        name: at for name, at in named if not file.named(name) and _PUBLISHES.match(name.strip(":"))
    }
    return [Recipe(f"rake {name.strip(':')}", line_at(text, at)) for name, at in found.items()]


class _Rakefile:
    """The tasks of a Rakefile together with the files that it includes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.parts: list[_Part] = []
        self.spaces: list[tuple[int, str]] = []
        heads = list(islice(_HEAD.finditer(text), _MAX_PARTS))
        self.lasts = {_plain(one["quoted"] or one["bare"]).rpartition(":")[2] for one in heads}
        for head in heads:
            self._add(head)
        held = {one["held"]: _plain(one["quoted"] or one["bare"]) for one in _HELD.finditer(text)}
        for more in islice(_MORE.finditer(text), _MAX_PARTS):
            name = more["quoted"] or more["bare"] or held.get(more["held"] or "", "")
            if name:
                self._add(more, name)
        left = text
        for part in self.parts:
            left = without(left, part.start, part.end)
        self.outside = self._calls(left, 0)
        """What is called while the files are loaded."""
        self._reached: dict[tuple[str, ...], set[_Part]] = {}

    def _add(self, head: re.Match[str], more: str = "") -> None:
        """Add the part that begins here; ``more``: the name of a task that is defined elsewhere."""
        name, rest = more or head["quoted"] or head["bare"], head["rest"]
        if not more and head["bare"] and name.endswith(":"):
            rest = f":{rest}"
        if rest.count("[") > rest.count("]"):
            closed = self.text.find("]", head.end(), head.end() + _MAX_LIST)
            line = self.text.find("\n", closed) if closed > 0 else -1
            rest += self.text[head.end() : line if line > 0 else len(self.text)][:_MAX_LIST]
        at = head.start()
        end = self._end(head, rest)
        self.spaces = [one for one in self.spaces if at < one[0]]
        if not more and head["kind"] == "namespace":
            self.spaces.append((len(self.text) if end is None else end, _plain(name)))
            return
        if end is None:
            return
        above = "" if more else "".join(f"{name}:" for _, name in self.spaces)
        is_plain = (
            bool(more or head["quoted"] or head["mark"]) or name[-1] == ":" or name[0].isupper()
        )
        is_given = bool(more) or ".enhance" in rest
        given = rest.partition(".enhance")[2] if ".enhance" in rest else rest
        listed = (_GIVEN if is_given else _LIST).search(given)
        needs = [(one, at) for one in self._names(listed[1])] if listed else []
        needs += self._calls(self.text[at:end], at)
        full = f"{above}{_plain(name)}" if is_plain and "#{" not in name else ""
        self.parts.append(_Part(full, above, tuple(needs), at, end))

    def _end(self, head: re.Match[str], rest: str) -> int | None:
        """Return where the part ends: with its line, or with the block that it begins."""
        opened = _BRANCH.search(rest)
        line = max(head.end(), head.start("rest") + len(rest.lstrip(":")))
        if opened is None:
            return min(line, len(self.text))
        inside = rest[opened.start() :]
        is_closed = inside.count("{") == inside.count("}") > 0
        if is_closed if opened[0] == "{" else re.search(r"\bend\b\W*(?:#.*)?\Z", inside):
            return line
        is_namespace = head.groupdict().get("kind") == "namespace"
        last = len(self.text) if is_namespace else head.end() + _MAX_BODY
        closes = re.compile(rf"(?m)^{head['in']}(?:end\b|\}})").search(self.text, head.end(), last)
        return closes.end() if closes else None

    def _names(self, listed: str) -> list[str]:
        """The names in a list of tasks, or in the constant that stands for one."""
        if re.fullmatch(r"[A-Z]\w*", listed):
            value = re.search(_CONSTANT.replace("{name}", listed), self.text)
            return [listed, *(_WORD.findall(value[1]) if value else ())]
        quoted = re.findall(r"['\"]\^?([^'\"\n]+)['\"]", listed)
        return quoted or _WORD.findall(re.sub(r"\A%[iIwW]", "", listed))

    def _calls(self, body: str, start: int) -> list[tuple[str, int]]:
        """The tasks that a text has run; where their names are computed, those that it has words for."""
        found = []
        for one in _CALLED.finditer(body):
            name, at = one["quoted"] or one["bare"], start + one.start()
            is_computed = one["quoted"] is None and not one["mark"]
            if "#{" not in name and not is_computed:
                found.append((name, at))
                continue
            before, _, after = name.partition("#{") if "#{" in name else ("", "", "}")
            after = after.partition("}")[2]
            words = [word for text in (body, *self._lists(body)) for word in _WORD.findall(text)]
            tried = dict.fromkeys(f"{before}{word}{after}" for word in words)
            found += [(each, at) for each in tried if each.rpartition(":")[2] in self.lasts]
        return found

    def _lists(self, body: str) -> Iterator[str]:
        for name in set(re.findall(r"\b[A-Z][A-Z\d_]*\b", body)):
            value = re.search(_CONSTANT.replace("{name}", name), self.text)
            if value:
                yield value[1]

    def named(self, name: str, scope: str = "") -> list[_Part]:
        """The parts of the task that a name stands for in a namespace."""
        name = _plain(name.partition("[")[0])
        while True:
            found = [one for one in self.parts if one.name == f"{scope}{name}"]
            if found or not scope:
                break
            scope = re.sub(r"[^:]*:\Z", "", scope)
        last = name.rpartition(":")[2]
        return (
            found
            or [one for one in self.parts if one.name.endswith(f":{name}")]
            or [one for one in self.parts if one.name == last]
        )

    def reached(self, targets: Sequence[str]) -> set[_Part]:
        """The parts of the tasks that are asked for, and of those that these need or call."""
        asked = tuple(targets) or ("default",)
        if asked in self._reached:
            return self._reached[asked]
        left = [(name, "") for name in asked]
        left += [(name, "") for name, _ in self.outside]
        seen: set[tuple[str, str]] = set()
        found = self._reached[asked] = set[_Part]()
        while left and len(seen) < MAX_TARGETS:
            one = left.pop(0)
            if one in seen:
                continue
            seen.add(one)
            # a name that nothing is found for may be one that is computed
            for part in self.named(*one) or [each for each in self.parts if not each.name]:
                if part not in found:
                    found.add(part)
                    left += [(name, part.scope) for name, _ in part.needs]
        return found


def _plain(name: str) -> str:
    return name.strip(":^").removeprefix("rake:")


# end of module
