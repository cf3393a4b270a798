"""What a compiled program starts by functions, variables and lists of its own, as command lines.

``fn cargo(args: &[&str]) { Command::new("cargo").args(args) }`` makes ``cargo(&["publish"])`` the command
``cargo publish``. Owns finding such functions, what names stand for, and which of a program's subcommands the
words choose. Pure: text in, commands out. Does not own calls with all words in one place
(``gate.disk.loose_commands``).
"""

from __future__ import annotations

import re
from itertools import islice, product

from operators_edge.gate.disk.recipe_types import MAX_RECIPES, Recipe, closure
from operators_edge.shell.code.bracketed import split, upto
from operators_edge.shell.code.comments import SLASHES, without_comments
from operators_edge.shell.commands import HOLE, quoted
from operators_edge.text.lines import line_at, matches_beside
from operators_edge.text.patterns import pattern, without
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MODIFIER = r"(?:public|private|protected|internal|static|final|async|override)"
_PLAIN = r"\b(?:fn|func|fun)\s+(?:\([^()\n]*\)\s*)?(?P<name>\w+)\s*(?:<[^<>\n]*>)?\s*\("
_TYPED = (
    rf"(?:{_MODIFIER}\s+)*"
    r"(?:void|int|bool|boolean|string|String|Task|Process|ProcessResult|(?:Future(?:Or)?|Task|List)(?:<[^\n()=;]{1,60}>)?|var)"
)
_FUNCTION = pattern(rf"{_PLAIN}|(?m:^[ \t]*){_TYPED}\??\s+(?P<typed>\w+)\s*\(")
_OF_ANY_TYPE = pattern(
    rf"{_PLAIN}|(?m:^[ \t]*)(?:{_TYPED}|(?:{_MODIFIER}\s+)+[A-Z]\w*(?:<[^\n()=;]{{1,60}}>)?(?:\[\])?)"
    r"\??\s+(?P<typed>\w+)\s*\("
)
"""The same with what returns a class of the program. Whether others call it is not known: it is left in."""
_START = pattern(
    r"\bCommand::new\(|\bexec\.Command\(|\bexec\.CommandContext\(|\bProcessBuilder\(|\bProcess\.Start\("
    r"|\bsh\.(?:Run|RunV|RunWith|RunWithV|Output|OutputWith|Exec)\(|\bCmd::new\("
    r"|\bProcess\.(?:start|run|runSync)\(|\brunExecutableArguments\(|\bgetRuntime\(\)\s*\.exec\("
    r"|\b(?:pb|builder|process\w*|\w+Builder)\.command\((?=\s*\w)"
)
_SHELL_TEXT = pattern(
    r"\b(?:run|sh|bash|shell|exec\w*)\(\s*r?(?P<quote>\"\"\"|\'\'\')(?P<text>[\s\S]{0,4000}?)(?P=quote)"
)
"""A text of several lines for a shell, or for what starts each of them."""
_LONG_QUOTES = ('"""', "'''")
_LOOP = pattern(
    r"\bfor\s*\(?\s*(?:(?:final|var|val|const|let)\s+|_\s*,\s*|List<String>\s+|String\[\]\s+)?(?P<name>\w+)"
    r"\s*(?:in|:=\s*range|:)\s+&?(?P<list>\w+)"
)
_INNER = pattern(r"[\[{(]([^\[\]{}()]*)[\]})]")
_SINGLE = pattern(r"'((?:[^'\"\\\n]|\\.)*)'")
_MAKES = pattern(r"\bsh\.(?:RunCmd|OutCmd)\(")
"""A call whose result is a function that takes the rest of the words."""
_CHAINED = pattern(r"\s*\.\s*(?P<name>\w+)\(")
_TAKES = frozenset(("arg", "args"))
_SET = pattern(
    r"\b(?P<name>[A-Za-z_]\w*)(?:\s*:\s*[^=\n;{}()]{1,80})?\s*(?::=|(?<![=!<>+])=(?![=>]))\s*(?=\S)"
)
_GROWS = pattern(
    r"\b(?P<name>[A-Za-z_]\w*)\s*(?:\.\s*(?:push|extend|extend_from_slice|add|addAll|append)\(|\+=\s*)"
)
_EMPTY_ARRAY = pattern(r"new\s+\w+\[[^\]\n]+\](?!\s*\{)")
_ADDS = pattern(
    r"\bCollections\.addAll\(\s*(?P<to>\w+)\s*,"
    r"|(?m:^)[ \t]*(?P<cell>\w+)\[\s*\w+(?:\s*\+\+)?\s*\]\s*=(?!=)"
    r"|\bSystem\.arraycopy\(\s*(?P<from>\w+)\s*,[^,()]*,\s*(?P<into>\w+)\s*,"
)
"""Words that are put into a list or an array by what is no method of it."""
_TOKEN = pattern(
    r"\"(?P<text>(?:[^\"\\\n]|\\.)*)\"|(?P<name>(?<![\w.])[A-Za-z_]\w*)(?!\s*(?:::|!?\())"
)
_IN_TWO = pattern(r"\b(?P<list>\w+)\[0\]\s*,\s*(?P=list)\[1:\](?:\.\.\.)?")
"""A list that is given as its first word and the others."""
_BELOW_HOME = pattern(r"~(?:/[\w./-]*)?")
_HOME = pattern(r"(?P<name>\b\w+)\s*,\s*\w+\s*:?=\s*os\.UserHomeDir\(\)|\bos\.Getenv\(\"HOME\"\)")
"""How Go asks for the person's home."""
_ALONE = pattern(r"\"(?:[^\"\\\n]|\\.)*\"|[A-Za-z_]\w*")
_GO_PACKAGE = pattern(r"(?m)\A\s*package[ \t]+\w+[ \t]*$(?=[\s\S]*?^func[ \t])")
_JOINS = pattern(r"(?:filepath|path)\.Join\(")
_ANY_NAME = pattern(r"\"(?:[^\"\\\n]|\\.)*\"|(?P<name>[A-Za-z_]\w*)")
_ARM = pattern(
    r"(?m)(?:(?<=[{},])|^)\s*(?P<words>(?:(?:Some\()?\"[\w-]+\"\)?\s*\|\s*)*(?:Some\()?\"[\w-]+\"\)?)\s*(?:=>|->)\s*"
    r"|\bcase\s+(?P<cases>\"[\w-]+\"(?:\s*,\s*\"[\w-]+\")*)\s*:"
)
_CASE = pattern(r"\b(?:case\b[^:\n]*|default\s*):")
_ENVIRONMENT = pattern(r"(?i)\bvar(?:_os)?\(|getenv|\benviron")
_OWN_FOLDER = pattern(r"(?i)\btemp_?dir|mkdirtemp|\btempfile|createTempDirectory")
"""What shows that a program works on repositories of its own."""
_ENDS = pattern(r"[()\[\]{};\n]")
_MAX_VALUES = 6
_MAX_STEPS = 40
_MAX_DEPTH = 4
_MAX_WORDS = 500
"""Of one command: names that a whole program adds to make thousands, of one another millions."""


class _Function(NamedTuple):
    """A function, its parameters (of which the last may take all others), and where its body is."""

    name: str
    parameters: list[str]
    takes_rest: bool
    start: int
    end: int


class _Runner(NamedTuple):
    """What a function runs: words, and the names of its parameters between them."""

    function: _Function
    tokens: list[tuple[str, str]]


def with_double_quotes(text: str) -> str:
    """Code of a language that has two marks for texts, with one of them."""
    return _SINGLE.sub(lambda one: f'"{one[1]}"', text)


def calls(text: str, words: Sequence[str] = ()) -> Iterator[Recipe]:
    """What functions, variables and lists of a program start; ``words`` are those of the command."""
    has_long_texts = any(one in text for one in _LONG_QUOTES)
    for one in islice(_SHELL_TEXT.finditer(text) if has_long_texts else (), MAX_RECIPES):
        first = line_at(text, one.start("text"))
        for number, line in enumerate(one["text"].split("\n"), first):
            yield Recipe(line.strip("| \t"), number)
    if not any(next(matches_beside(one, text), None) for one in (_START, _MAKES)):
        return
    code = as_chosen(without_comments(text, SLASHES), words)
    is_apart = _OWN_FOLDER.search(code) is not None
    for run, at in islice(_Program(code).runs(), MAX_RECIPES):
        if not (is_apart and run.startswith("git ")):
            yield Recipe(run, line_at(code, at))


class _Program:
    """The functions of one file, and what its names stand for."""

    def __init__(self, code: str) -> None:
        code = _IN_TWO.sub(lambda one: one["list"].ljust(len(one[0])), code)
        self.code = code = _HOME.sub(lambda one: _of_home(one).ljust(len(one[0])), code)
        self.functions = list(functions_of(code, _OF_ANY_TYPE))
        self.values: dict[str, list[list[tuple[str, str]]]] = {}
        self.steps: dict[str, list[list[tuple[str, str]]]] = {}
        """What the variable of a loop over lists of words stands for."""
        is_go = _GO_PACKAGE.search(code) is not None
        self.whole: dict[tuple[str, int], tuple[int, str, list[str]]] = {}
        """Values that are one word: how many tokens they have, what is between their parts, and these.

        In Go alone: other languages add lists by the same sign.
        """
        self.words: dict[tuple[str, int, int], list[str]] = {}
        self.known: dict[tuple[str, int], list[list[str]]] = {}
        lists: dict[str, list[str]] = {}
        for one in _SET.finditer(code):
            given = _statement(code, one.end())
            lists.setdefault(one["name"], []).append(given.partition("[")[2] or given)
            tokens = [] if _EMPTY_ARRAY.match(given) else _tokens(given)
            values = self.values.setdefault(one["name"], [])
            if is_go and (parts := _parts_of_one(given) or _literal(given)):
                self.whole[one["name"], len(values)] = (len(tokens), *parts)
            values.append(tokens)
        for one in _GROWS.finditer(code):
            closes = one[0].endswith("(")
            rest = code[one.end() : one.end() + 2_000]
            more = _tokens(upto(rest, ")") if closes else _statement(code, one.end()))
            for value in self.values.get(one["name"], ()):
                value.extend(more)
        for one in _ADDS.finditer(code):
            rest = code[one.end() : one.end() + 2_000]
            more = _tokens(_statement(rest, 0) if one["cell"] else upto(rest, ")"))
            more = [("name", one["from"])] if one["from"] else more
            for value in self.values.get(one["to"] or one["cell"] or one["into"], ()):
                value.extend(more)
        for one in _LOOP.finditer(code):
            given_to = lists.get(one["list"], ())
            found = [_tokens(inner) for given in given_to for inner in _INNER.findall(given)]
            if len(found) <= _MAX_STEPS:
                self.steps.setdefault(one["name"], []).extend(found)

    def runs(self) -> Iterator[tuple[str, int]]:
        runners = []
        for one in _START.finditer(self.code):
            tokens = _tokens(_words_of(self.code, one.end()))
            around = self._around(one.start())
            if around is not None and self._names(tokens) & set(around.parameters):
                runners += [_Runner(around, one) for one in self._opened(tokens, around, 0)]
            else:
                yield from ((run, one.start()) for run in self._filled(tokens))
        for one in _MAKES.finditer(self.code):
            before = pattern(r"\b(\w+)\s*=\s*\Z").search(self.code[: one.start()])
            tokens = _tokens(upto(self.code, ")", one.end()))
            if before:
                function = _Function(before[1], ["rest"], takes_rest=True, start=-1, end=-1)
                runners.append(_Runner(function, [*tokens, ("name", "rest")]))
        for runner in runners:
            yield from self._called(runner, 0)

    def _opened(
        self, tokens: list[tuple[str, str]], function: _Function, depth: int
    ) -> list[list[tuple[str, str]]]:
        """The tokens with the values of names in their place that come to parameters of a function."""
        own = set(function.parameters)
        found: list[list[tuple[str, str]]] = [[]]
        for one in tokens:
            is_made = one[0] == "name" and one[1] not in own and self._names([one]) & own
            values = self.values.get(one[1], [])[:_MAX_VALUES] if is_made else []
            parts = [
                part
                for value in values
                if depth < _MAX_DEPTH and one not in value
                for part in self._opened(value, function, depth + 1)
            ]
            found = [[*before, *part] for before in found for part in parts or [[one]]][:_MAX_STEPS]
        return found

    def _called(self, runner: _Runner, depth: int) -> Iterator[tuple[str, int]]:
        """What the calls of a function run."""
        function = runner.function
        for call in re.finditer(rf"(?<![\w\"]){re.escape(function.name)}\s*\(", self.code):
            inside = self._around(call.start())
            if pattern(r"\b(?:fn|func|fun|void|int|string)\s+\Z").search(
                self.code[max(0, call.start() - 20) : call.start()]
            ):
                continue
            given = [one for one in split(upto(self.code, ")", call.end()), ",") if one]
            known = _given(function, given)
            tokens = [
                token
                for kind, name in runner.tokens
                for token in (
                    known.get(name, [])
                    if kind == "name" and name in function.parameters
                    else [(kind, name)]
                )
            ]
            if inside is not None and self._names(tokens) & set(inside.parameters):
                if depth < _MAX_DEPTH and inside.name != function.name:
                    yield from self._called(_Runner(inside, tokens), depth + 1)
                continue
            yield from ((run, call.start()) for run in self._filled(tokens))

    def _around(self, at: int) -> _Function | None:
        inside = [one for one in self.functions if one.start <= at < one.end]
        return inside[-1] if inside else None

    def _names(self, tokens: list[tuple[str, str]]) -> set[str]:
        """The names that tokens come to."""
        found = left = {name for kind, name in tokens if kind == "name"}
        for _ in range(_MAX_DEPTH):
            left = {
                one[1]
                for name in left
                for value in self.values.get(name, ())[:_MAX_VALUES]
                for one in value
                if one[0] == "name"
            } - found
            found = found | left
        return found

    def _filled(
        self, tokens: list[tuple[str, str]], looped: frozenset[str] = frozenset()
    ) -> Iterator[str]:
        """The command lines that tokens stand for, by each value of their names.

        ``looped``: names of loops that have their value: a list may name its own loop again.
        """
        left = [one[1] for one in tokens if one[0] == "name" and one[1] in self.steps]
        name = next((one for one in left if one not in looped), None)
        if name is not None:
            at = tokens.index(("name", name))
            rest = [one for one in tokens if one != ("name", name)]
            for step in self.steps[name]:
                yield from self._filled([*rest[:at], *step, *rest[at:]], looped | {name})
            return
        choices = [
            [[text]] if kind == "text" else self._texts(text, 0) or [[]] for kind, text in tokens
        ]
        for chosen in islice(product(*choices), _MAX_VALUES):
            words = _bounded([word for part in chosen for word in part])
            if len(words) > 1:
                yield " ".join(
                    word if _BELOW_HOME.fullmatch(word) else quoted([word]) for word in words
                )

    def _texts(self, name: str, depth: int) -> list[list[str]]:
        """The words that a name stands for, by each of its values."""
        if (name, depth) not in self.known:
            self.known[name, depth] = self._texts_of(name, depth)
        return self.known[name, depth]

    def _texts_of(self, name: str, depth: int) -> list[list[str]]:
        found = []
        for number, value in enumerate(self.values.get(name, ())[:_MAX_VALUES]):
            if (name, number) in self.whole and len(value) == self.whole[name, number][0]:
                found += [[one] for one in self._words(name, number, depth)]
                continue
            parts: list[str] = []
            for kind, text in value:
                if kind == "text":
                    parts.append(text)
                elif depth < _MAX_DEPTH and text != name:
                    parts += next(iter(self._texts(text, depth + 1)), [])
            # ``var("CARGO").unwrap_or("cargo")``: what it is if nobody says otherwise.
            parts = parts[-1:] if any(one.isupper() for one in parts[:1]) else parts
            found.append(_bounded(parts))
        return found

    def _words(self, name: str, number: int, depth: int) -> list[str]:
        """What a value that is one word may be; a HOLE if it is none, or something was added to it later."""
        key = name, number, depth
        if key not in self.words:
            tokens, between, parts = self.whole.get((name, number), (-1, "", []))
            is_one = depth < _MAX_DEPTH and tokens == len(self.values[name][number])
            choices = product(*(self._part(one, depth) for one in parts)) if is_one else ((HOLE,),)
            self.words[key] = [between.join(one) for one in islice(choices, _MAX_VALUES)]
        return self.words[key]

    def _part(self, code: str, depth: int) -> list[str]:
        """What a part of a word may be: a text, or what a name stands for; else a HOLE."""
        tokens = _tokens(code) if _ALONE.fullmatch(code) else []
        if len(tokens) != 1:
            return [HOLE]
        kind, text = tokens[0]
        if kind == "text":
            return [text]
        count = min(len(self.values.get(text, ())), _MAX_VALUES)
        found = [one for at in range(count) for one in self._words(text, at, depth + 1)]
        return list(dict.fromkeys(found)) or [HOLE]


def _bounded(words: list[str]) -> list[str]:
    """The words as far as they count; what is left out is unknown."""
    return words if len(words) <= _MAX_WORDS else [*words[:_MAX_WORDS], HOLE]


def _of_home(found: re.Match[str]) -> str:
    return f'{found["name"]} := "~"' if found["name"] else '"~"'


def _literal(code: str) -> tuple[str, list[str]] | None:
    """The same of a plain text."""
    code = code.strip()
    is_text = code[:1] == '"' and _ALONE.fullmatch(code) is not None
    return ("", [code]) if is_text else None


def _parts_of_one(code: str) -> tuple[str, list[str]] | None:
    """What is between the parts of an expression that is one word, and these: ``"a-" + version``."""
    joined = _JOINS.match(code)
    inside = upto(code, ")", joined.end()) if joined else code
    if joined and code[joined.end() + len(inside) + 1 :].strip():
        return None
    between, mark = ("/", ",") if joined else ("", "+")
    parts = [one.strip() for one in split(inside, mark) if one.strip()]
    if any("{" in one or "[" in one for one in parts):
        return None  # a list
    if joined and len(parts) == 1:
        between, parts = "", [one.strip() for one in split(inside, "+")]
    return (between, parts) if len(parts) > 1 else None


def functions_of(code: str, heads: re.Pattern[str] = _FUNCTION) -> Iterator[_Function]:
    """The functions in code without comments."""
    for head in heads.finditer(code):
        given = upto(code, ")", head.end())
        body = head.end() + len(given) + 1
        opened = pattern(r"[^\n;{]{0,200}?(\{|=>?[^=])").match(code, body)
        if opened is None:
            continue
        start = opened.end()
        end = start + len(upto(code, "}", start) if opened[1] == "{" else _statement(code, start))
        parts = split(given, ",")
        yield _Function(
            str(head["name"] or head["typed"]),
            [_parameter(one, head) for one in parts if one],
            "..." in given or "vararg" in given or "params " in given,
            head.start(),
            end,
        )


def _parameter(given: str, head: re.Match[str]) -> str:
    before = given.partition(":")[0] if ":" in given else given
    names: list[str] = re.findall(r"\w+", before)
    if not names:
        return ""
    is_go = head["typed"] is None and ":" not in given
    return names[0] if is_go else names[-1]


def _given(function: _Function, given: list[str]) -> dict[str, list[tuple[str, str]]]:
    """What each parameter of a function stands for in a call."""
    names = [one for one in function.parameters if one not in ("self", "&self")]
    known = {name: _tokens(one) for name, one in zip(names, given, strict=False)}
    if names and function.takes_rest:
        known[names[-1]] = [token for one in given[len(names) - 1 :] for token in _tokens(one)]
    return known


def _tokens(code: str) -> list[tuple[str, str]]:
    """The texts and the names in an expression, in their order."""
    return [
        ("name", one["name"]) if one["name"] else ("text", one["text"].replace('\\"', '"'))
        for one in _TOKEN.finditer(code)
    ]


def _statement(code: str, at: int) -> str:
    """The rest of a statement: up to its end, but not inside of brackets."""
    most, level = at + 4_000, 0
    for found in _ENDS.finditer(code, at, most):
        mark = found[0]
        level += (mark in "([{") - (mark in ")]}")
        if level < 0 or (level == 0 and mark in ";\n"):
            return code[at : found.start()]
    return code[at:most]


def _words_of(code: str, at: int) -> str:
    """The words that a process is started with: those of the call and of the calls chained to it."""
    first = upto(code[at : at + 4_000], ")")
    found = [first]
    at += len(first) + 1
    while chained := _CHAINED.match(code, at):
        given = upto(code[chained.end() : chained.end() + 4_000], ")")
        found += [given] if chained["name"] in _TAKES else []
        at = chained.end() + len(given) + 1
    return ", ".join(found)


# -- subcommands -------------------------------------------------------------------------------------


def as_chosen(code: str, words: Sequence[str]) -> str:
    """Return code without the functions that only other subcommands run than the one of the words."""
    left = _without_other_arms(code, frozenset(words))
    if left == code or "fallthrough" in code:
        return code
    functions = list(functions_of(left))
    bodies = {one.name: left[one.start : one.end] for one in functions}
    outside = left
    for one in functions:
        outside = without(outside, one.start, one.end)
    needs = {name: [one for one in _named(body) if one in bodies] for name, body in bodies.items()}
    reached = set(closure(["main", *(one for one in _named(outside) if one in bodies)], needs))
    if "main" not in bodies:
        return code
    for one in functions:
        if one.name not in reached:
            left = without(left, one.start, one.end)
    return left


def _named(code: str) -> list[str]:
    """The names in code, without those in its texts."""
    return list(dict.fromkeys(one["name"] for one in _ANY_NAME.finditer(code) if one["name"]))


def _without_other_arms(code: str, words: frozenset[str]) -> str:
    arms: dict[int, list[re.Match[str]]] = {}
    for arm in _ARM.finditer(code):
        arms.setdefault(_opened(code, arm.end()), []).append(arm)
    for block, found in arms.items():
        named = [set(re.findall(r"\"([\w-]+)\"", one[0])) for one in found]
        head = code[code.rfind("\n", 0, block) + 1 : block]
        if not any(one & words for one in named) or _ENVIRONMENT.search(head):
            continue
        for one, names in zip(found, named, strict=True):
            if not names & words:
                code = without(code, one.end(), _end_of_arm(code, one))
    return code


def _end_of_arm(code: str, arm: re.Match[str]) -> int:
    rest = code[arm.end() :]
    if arm["cases"]:
        block = upto(rest, "}")
        following = _CASE.search(block)
        return arm.end() + (following.start() if following else len(block))
    if rest[:1] == "{":
        return arm.end() + len(upto(rest, "}", 1)) + 2
    inside = upto(rest, "}")
    return arm.end() + len(split(inside, ",")[0])


def _opened(code: str, at: int) -> int:
    """Return where the block around a place begins."""
    level = 0
    for place in range(at - 1, -1, -1):
        level += (code[place] == "}") - (code[place] == "{")
        if level < 0:
            return place
    return 0


# end of module
