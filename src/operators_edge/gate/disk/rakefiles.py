"""Rakefiles: which tasks a run reaches, and the Ruby that these run.

Owns the names of tasks with their namespaces, what they need, call and are enhanced with, and the files that
they are in. Pure: text in, code and commands out. Does not own what the Ruby does
(``shell.code.programs``), nor reading files (``gate.disk.targets``).
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from itertools import islice

from operators_edge.gate.disk.recipe_types import MAX_TARGETS, Included, Recipe, Wanted
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import blanked, pattern, without
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

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
_PUT_IN = pattern(r"#\{[^{}\n]*\}")
_LOOP = pattern(
    r"(?m)^(?P<in>[ \t]*)(?P<list>%[wWiI](?:\[[^\]]*\]|\([^)]*\)|\{[^}]*\})|\[[^\[\]]*\])(?:\.freeze)?"
    r"\.each[ \t]*(?:do|\{)[ \t]*\|[ \t]*(?P<name>[a-z_]\w*)[ \t]*\|[ \t]*$"
)
"""A loop over a list, around tasks whose names are computed from its items."""
_ITEM = pattern(r"#\{\s*([a-z_]\w*)(?:\.to_s)?\s*\}")
_ITEMS = pattern(r"[:'\"]([A-Za-z_][\w:-]*)['\"]?")
_IS_LIST = pattern(r"\[\s*(?:(?::\w+|'[\w:-]+'|\"[\w:-]+\")\s*,?\s*)+\]")
_MAX_ITEMS = 40
_FUNCTION = pattern(r"(?m)^(?P<in>[ \t]*)def[ \t]+(?:self\.)?(?P<name>[A-Za-z_]\w*)[^\n]*$")
_BRANCH = pattern(r"\bdo\b|\{")
_LIST = pattern(r"(?:=>|:)\s*(%?[iIwW]?\[[^\]]*\]|:[\w:]+|:?['\"][^'\"]+['\"]|[A-Z]\w*)")
_GIVEN = pattern(r"\A[\s(\])]*(%?[iIwW]?\[[^\]]*\]|:[\w:]+|:?['\"][^'\"]+['\"]|[A-Z]\w*)")
_CONSTANT = pattern(r"(?m)^[ \t]*([A-Z]\w*)[ \t]*=[ \t]*(%?[iIwW]?\[[^\]]*\]|['\"][^'\"\n]*['\"])")
_WORD = pattern(r"[A-Za-z_][\w:-]*")
_MAX_LIST = 2_000
"""Characters of what a task needs, if that is on several lines."""
_MAX_BODY = 32 * 1024
_MAX_PARTS = 1_000
"""Tasks of one run; those after them count as if they were run."""


class _Loop(NamedTuple):
    """A loop over a list that is written out: where it is, and what its name stands for in each round."""

    start: int
    end: int
    name: str
    items: tuple[str, ...]


class _Runner(NamedTuple):
    """A function that runs tasks whose names it is given: where it is, and what comes around the names."""

    start: int
    end: int
    used: re.Pattern[str]
    """A place that names it."""
    around: tuple[tuple[str, str], ...]


class _Part(NamedTuple):
    """A place that gives a task something: what it needs and calls, and the text that it runs."""

    name: str
    """With its namespaces; "" if it is computed."""
    known: re.Pattern[str] | None
    """The names that it may have if it is computed."""
    scope: str
    needs: tuple[tuple[str, int], ...]
    start: int
    end: int


_DESCRIPTION = pattern(
    r"(?m)^[ \t]*desc[ \t(]+<<[-~]?(['\"]?)(?P<end>[A-Z]\w*)\1\)?[ \t]*\n"
    r"(?:(?!.*#\{).*\n)*?[ \t]*(?P=end)[ \t]*$"
)
"""A text of several lines that describes a task: it may show how it is called."""
_HAS_CALL = pattern(
    r"`|%x|\b(?:system|exec|spawn|popen\w*|sh|eval|invoke)\b[ \t(]*(?:['\"%\w]|<<[~-])"
    r"|\bOpen3\b|\b(?:do|end)[ \t]*$"
)
"""What looks like code: the text may begin in another text, and end in code."""
_OWN_DESC = pattern(r"\bdef[ \t]+(?:\w+\.)?desc\b|:desc\b|['\"]desc['\"]")


def rake_code(text: str, wanted: Wanted) -> str:
    """The Ruby that a run of the named tasks runs: the file without the bodies of all others."""
    file = _rakefile(text)
    reached = set() if wanted.is_dry else file.reached(wanted.targets)
    kept = {(part.start, part.end) for part in reached}
    if not _OWN_DESC.search(text):
        text = _DESCRIPTION.sub(
            lambda one: one[0] if _HAS_CALL.search(one[0]) else blanked(one[0]), text
        )
    for start, end in dict.fromkeys((part.start, part.end) for part in file.parts):
        if (start, end) not in kept:
            text = without(text, start, end)
    return text


_RAKE_CALLS = pattern(
    r"(?m)(?<![\w.:@$'\"])(sh|ruby)(?=[ \t]*\(|[ \t]+(?:[*'\"%A-Z\[]|<<[~-]?['\"]?\w))"
)


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
    file = _rakefile(text)
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
        self.loops = list(_loops(text))
        self.runners = list(_runners(text))
        heads = list(islice(_HEAD.finditer(text), _MAX_PARTS))
        self.lasts = {
            _plain(_put_in(name, items)).rpartition(":")[2]
            for head in heads
            for name in (head["quoted"] or head["bare"], f"#{{{head['bare']}}}")
            for items in self._rounds(head.start(), name)
        }
        for head in heads:
            self._add(head)
        held = {one["held"]: _plain(one["quoted"] or one["bare"]) for one in _HELD.finditer(text)}
        for more in islice(_MORE.finditer(text), _MAX_PARTS):
            name = more["quoted"] or more["bare"] or held.get(more["held"] or "", "")
            if name:
                self._add(more, name)
        left = text
        for start, end in dict.fromkeys((part.start, part.end) for part in self.parts):
            left = without(left, start, end)
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
            is_computed = not head["quoted"] and not head["mark"] and name[-1] != ":"
            name = f"#{{{name}}}" if is_computed else _plain(name)
            self.spaces.append((len(self.text) if end is None else end, name))
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
        full = f"{above}{_plain(name)}" if is_plain else f"{above}#{{{_plain(name)}}}"
        for items in self._rounds(at, full):
            scope = _put_in(above, items)
            given_needs = tuple((_put_in(one, items), where) for one, where in needs)
            self.parts.append(_part(_put_in(full, items), scope, given_needs, (at, end)))

    def _rounds(self, at: int, name: str) -> list[dict[str, str]]:
        """What the loops around a place put into a name that is computed there, in each of their rounds."""
        rounds: list[dict[str, str]] = [{}]
        if "#{" not in name:
            return rounds
        for loop in self.loops:
            if loop.start <= at < loop.end:
                rounds = [{**one, loop.name: item} for one in rounds for item in loop.items]
        is_much = len(rounds) + len(self.parts) > _MAX_PARTS
        return [{}] if is_much else rounds

    def _end(self, head: re.Match[str], rest: str) -> int | None:
        """Return where the part ends: with its line, or with the block that it begins."""
        rest = _PUT_IN.sub(lambda one: "_" * len(one[0]), rest)
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
            return [listed, *_WORD.findall(self._constants.get(listed, ""))]
        quoted = re.findall(r"['\"]\^?([^'\"\n]+)['\"]", listed)
        return quoted or _WORD.findall(re.sub(r"\A%[iIwW]", "", listed))

    def _calls(self, body: str, start: int) -> list[tuple[str, int]]:
        """The tasks that a text has run; where their names are computed, those that it has words for."""
        found = []
        computed: dict[tuple[str, str], int] = {}
        for one in _CALLED.finditer(body):
            at, around = start + one.start(), _around(one)
            if around is None:
                found.append((one["quoted"] or one["bare"], at))
            elif not any(each.start <= at < each.end for each in self.runners):
                computed.setdefault(around, at)
        texts = [body]
        for runner in self.runners:
            used = runner.used.search(body)
            if used is not None:
                texts.append(self.text[runner.start : runner.end])
                for around in runner.around:
                    computed.setdefault(around, start + used.start())
        if not computed:
            return found
        texts += [" ".join(each.items) for each in self.loops if each.start <= start < each.end]
        words = self._words("\n".join(texts))
        for (before, after), at in computed.items():
            tried = dict.fromkeys(f"{before}{word}{after}" for word in words)
            found += [(each, at) for each in tried if each.rpartition(":")[2] in self.lasts]
        return found

    def _words(self, body: str) -> dict[str, None]:
        """The words of a text, and those in the lists that it names."""
        names = dict.fromkeys(re.findall(r"\b[A-Z][A-Z\d_]*\b", body))
        lists = (self._constants.get(name, "") for name in names)
        return dict.fromkeys(word for text in (body, *lists) for word in _WORD.findall(text))

    @cached_property
    def _constants(self) -> dict[str, str]:
        """The lists and texts of the file by their names; the first one of a name counts."""
        found: dict[str, str] = {}
        for name, value in _CONSTANT.findall(self.text):
            found.setdefault(name, value)
        return found

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

    def _computed(self, name: str, scope: str) -> list[_Part]:
        """The parts whose names are computed and may be this one, which no other has."""
        tried = [_plain(name.partition("[")[0])]
        while scope:
            tried.append(f"{scope}{tried[0]}")
            scope = re.sub(r"[^:]*:\Z", "", scope)
        is_unknown = any("#{" in one for one in tried)
        return [
            part
            for part in self.parts
            if part.known and (is_unknown or any(map(part.known.fullmatch, tried)))
        ]

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
            for part in self.named(*one) or self._computed(*one):
                if part not in found:
                    found.add(part)
                    left += [(name, part.scope) for name, _ in part.needs]
        return found


@lru_cache(maxsize=8)
def _rakefile(text: str) -> _Rakefile:
    return _Rakefile(text)


def _part(name: str, scope: str, needs: Sequence[tuple[str, int]], span: tuple[int, int]) -> _Part:
    known = None
    if "#{" in name:
        texts = map(re.escape, _PUT_IN.split(name))
        name, known = "", re.compile(rf"(?:.*:)?{'.*'.join(texts)}")
    return _Part(name, known, scope, tuple(needs), *span)


def _put_in(text: str, items: Mapping[str, str]) -> str:
    """A name with what a loop stands for put in."""
    return _ITEM.sub(lambda one: items.get(one[1], one[0]), text) if items else text


def _loops(text: str) -> Iterator[_Loop]:
    """The loops whose lists are all words, and whose name keeps its value."""
    for one in islice(_LOOP.finditer(text), _MAX_PARTS):
        closes = re.compile(rf"(?m)^{one['in']}(?:end\b|\}})").search(text, one.end())
        listed, name = one["list"], one["name"]
        is_words = listed[0] == "%"
        items = _WORD.findall(listed[3:-1]) if is_words else _ITEMS.findall(listed)
        is_all = listed[3:-1].split() == items if is_words else _IS_LIST.fullmatch(listed)
        if closes is None or not is_all or not items or len(items) > _MAX_ITEMS:
            continue
        changes = (
            rf"\b{name}\s*(?:[-+*|&/<]{{0,2}}=(?![=~>])|<<|\.\w+!)|\.(?:replace|concat|prepend)\b"
        )
        if not re.search(changes, text[one.end() : closes.start()]):
            yield _Loop(one.end(), closes.end(), name, tuple(items))


def _runners(text: str) -> Iterator[_Runner]:
    for one in islice(_FUNCTION.finditer(text), _MAX_PARTS):
        closes = re.compile(rf"(?m)^{one['in']}end\b").search(
            text, one.end(), one.end() + _MAX_BODY
        )
        if closes is None:
            continue
        calls = map(_around, _CALLED.finditer(text, one.end(), closes.start()))
        around = dict.fromkeys(each for each in calls if each is not None)
        used = re.compile(rf"(?<!def )(?<!self\.)\b{one['name']}\b") if around else None
        # one that nothing names may be called by what is not seen
        if used is not None and used.search(text):
            yield _Runner(one.start(), closes.end(), used, tuple(around))


def _around(called: re.Match[str]) -> tuple[str, str] | None:
    """What comes before and after the computed part of a task's name; None if nothing is computed."""
    name = called["quoted"] or called["bare"]
    if "#{" in name:
        before, _, after = name.partition("#{")
        return before, after.partition("}")[2]
    return ("", "") if called["quoted"] is None and not called["mark"] else None


def _plain(name: str) -> str:
    return name.strip(":^").removeprefix("rake:")


# end of module
