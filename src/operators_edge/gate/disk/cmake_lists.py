"""What a ``CMakeLists.txt`` runs: while the project is configured and built, and as its tests.

Owns the commands of the language that start programs or change files, with the variables that the file
sets: each value that one may have counts. Pure: text in, commands out; what cannot be known is a HOLE. Does
not own other formats (``gate.disk.recipe_formats``).
"""

from __future__ import annotations

import re
import shlex
from functools import cached_property
from itertools import islice, product

from operators_edge.gate.disk.recipe_types import MAX_RECIPES, Included, Recipe, Wanted, closure
from operators_edge.shell.commands import HOLE
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import blanked, pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_CALL = pattern(
    r"(?im)^[ \t]*(add_test|add_custom_command|add_custom_target|add_dependencies|execute_process"
    r"|exec_program|file|install|set|option|list|find_program|include|add_subdirectory"
    r"|foreach|get_filename_component|cmake_path)\s*\("
)
_COMMENT = pattern(r"(?m)^[ \t]*#\[(=*)\[[\s\S]*?\]\1\]")
_WORD = pattern(
    r"#[^\n]*|\[(?P<signs>=*)\[[\s\S]*?\](?P=signs)\]|\"(?:[^\"\\]|\\.)*\"|(?:[^\s()\"#]|\$<[^>\n]*>)+|[()]",
    re.DOTALL,
)
_BRACKETED = pattern(r"\[(=*)\[([\s\S]*)\]\1\]")
_BUILT = pattern(r"(?:CMAKE|PROJECT|CMAKE_CURRENT|\w+)_BINARY_DIR")
_HERE = pattern(r"(?:CMAKE|PROJECT|CMAKE_CURRENT|\w+)_SOURCE_DIR")
_VARIABLE = pattern(r"\$(?P<env>ENV)?\{(?P<name>[^{}$]*)\}")
_UNKNOWN = pattern(r"\$(?:ENV)?\{[^}]*\}|\$<[^>]*>")
_DEFINED = pattern(r"-D[ ]?(?P<name>\w+)(?::\w+)?=(?P<value>.*)", re.DOTALL)
_USUAL = (
    "TARGET OUTPUT PRE_BUILD PRE_LINK POST_BUILD WORKING_DIRECTORY CONFIGURATIONS COMMAND"
    " COMMAND_EXPAND_LISTS COMMENT VERBATIM DEPENDS BYPRODUCTS ARGS IMPLICIT_DEPENDS MAIN_DEPENDENCY"
    " DEPFILE JOB_POOL USES_TERMINAL SOURCES APPEND TIMEOUT RESULT_VARIABLE RESULTS_VARIABLE"
    " OUTPUT_VARIABLE ERROR_VARIABLE INPUT_FILE OUTPUT_FILE ERROR_FILE OUTPUT_QUIET ERROR_QUIET"
    " COMMAND_ECHO OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_STRIP_TRAILING_WHITESPACE ENCODING"
    " ECHO_OUTPUT_VARIABLE ECHO_ERROR_VARIABLE COMMAND_ERROR_IS_FATAL"
)
_OPTIONS = frozenset(_USUAL.split())
_FETCHES = frozenset(("curl", "wget"))
_HASHES = frozenset(("EXPECTED_HASH", "EXPECTED_MD5"))
_MAX_WORDS = 400
_MAX_VALUES = 8
"""Commands that one is taken for, by the values that its variables may have."""
_MAX_NAMES = 8
"""Variables that words may name, with those in the values of these."""
_MAX_TEXT = 4096
"""A longer value is taken as unknown."""


_SETS_PATH = frozenset(
    [
        *(("file", kind) for kind in ("GLOB", "GLOB_RECURSE", "TO_CMAKE_PATH", "REAL_PATH")),
        *(("cmake_path", kind) for kind in ("SET", "APPEND", "CONVERT")),
    ]
)
"""Commands that put a path into a variable."""
_NAME_FIRST = frozenset(("GLOB", "GLOB_RECURSE", "SET", "APPEND"))
_SETTINGS = frozenset(
    ("LIST_DIRECTORIES", "true", "false", "RELATIVE", "CONFIGURE_DEPENDS", "NORMALIZE")
)
_LEADS_AWAY = pattern(r"\A\"?(?:\$ENV\{|/|~)|\.\.")


class _Call(NamedTuple):
    """A command of the language, its words as they are written, and its position."""

    name: str
    words: list[str]
    position: int


class _Chosen(NamedTuple):
    """One value of each variable: as it is written, until it is asked for, and then filled."""

    left: dict[str, list[str]]
    found: dict[str, list[str]]


def cmake_tests(text: str, wanted: Wanted) -> list[Recipe]:
    """The command of each test; of which ones are asked for is not known."""
    lists = _Lists(text, wanted)
    found: list[Recipe] = []
    for call in lists.calls_of("add_test"):
        words = call.words
        is_named = words[:1] == ["NAME"] and "COMMAND" in words
        words = words[words.index("COMMAND") + 1 :] if is_named else words[1:]
        found += lists.recipes(call, words, words)
    return found[: 0 if wanted.is_dry else MAX_RECIPES]


def cmake(text: str, wanted: Wanted) -> list[Recipe]:
    """What configuring and building run; ``wanted.targets`` are all words of the command."""
    lists = _Lists(text, wanted)
    found: list[Recipe] = []
    targets = lists.targets()
    for call in lists.calls:
        found += lists.fetched_modules(call)
        if call.name in ("execute_process", "add_custom_command") or (
            call.name == "add_custom_target" and call.words[:1] and call.words[0] in targets
        ):
            is_target = call.name == "add_custom_target"
            for words in _commands(call.words if is_target else ["", *call.words]):
                found += lists.recipes(call, words, call.words)
        elif call.name == "exec_program":
            words = [*call.words[:1], *_after("ARGS", call.words)]
            found += lists.recipes(call, words, call.words)
        elif call.name == "file":
            found += [Recipe(one, lists.line(call)) for one in lists.acts_on_files(call)]
        elif call.name == "install" and not {"--install", "install"}.isdisjoint(wanted.targets):
            for code in _coded(call.words):
                found += [
                    one._replace(line=lists.line(call)) for one in cmake(_unescaped(code), wanted)
                ]
    return found[: 0 if wanted.is_dry else MAX_RECIPES]


def cmake_includes(text: str) -> list[Included]:
    """The files of this project that a file includes."""
    found = []
    for call in _calls(text):
        name = _HERE_BELOW.sub("", _bare(call.words[0])) if call.words else ""
        if not name or "$" in name:
            continue
        if call.name == "add_subdirectory":
            found.append(Included(f"{name}/CMakeLists.txt"))
        elif call.name == "include":
            found += [Included(name if name.endswith(".cmake") else f"cmake/{name}.cmake")]
    return found


_HERE_BELOW = pattern(r"\A\$\{\w+_(?:SOURCE|LIST)_DIR\}/")


class _Lists:
    """The commands of a file, and what its variables may stand for."""

    def __init__(self, text: str, wanted: Wanted) -> None:
        self.text = text
        self.calls = _calls(text)
        self.wanted = wanted
        self.values: dict[str, list[list[str]]] = {}
        given = " ".join(wanted.targets)
        for word in re.findall(r"-D ?\S+", given):
            if one := _DEFINED.fullmatch(word):
                self.values.setdefault(one["name"], []).append(one["value"].split(";"))
        for call in self.calls:
            self._assign(call.name, call.words)

    def calls_of(self, name: str) -> list[_Call]:
        return [one for one in self.calls if one.name == name]

    def line(self, call: _Call) -> int:
        return line_at(self.text, call.position)

    def _assign(self, kind: str, words: list[str]) -> None:
        if kind == "set" and len(words) > 1:
            end = next((n for n, one in enumerate(words) if one in ("CACHE", "PARENT_SCOPE")), None)
            self.values.setdefault(words[0], []).append(words[1:end])
        elif kind == "list" and words[:1] == ["APPEND"] and len(words) > 2:
            before = self.values.setdefault(words[1], [[]])
            before += [[*one, *words[2:]] for one in before[:_MAX_VALUES]]
        elif kind == "find_program" and len(words) > 1:
            names = words[2:] if words[1] == "NAMES" else words[1:]
            self.values.setdefault(words[0], []).append(names[:1])
        elif kind == "foreach" and len(words) > 1:
            self.values.setdefault(words[0], []).extend([one] for one in self._items(words[1:]))
        elif kind == "get_filename_component" and len(words) > 1:
            self.values.setdefault(words[0], []).append(words[1:2])
        elif (kind, *words[:1]) in _SETS_PATH and len(words) > 2:
            value, name = (
                (words[2:], words[1]) if words[0] in _NAME_FIRST else (words[1:2], words[2])
            )
            self.values.setdefault(name, []).append([one for one in value if one not in _SETTINGS])

    def _items(self, words: list[str]) -> list[str]:
        """What a loop goes through: ``IN LISTS a b``, ``IN ITEMS x y``, or the words themselves."""
        found: list[str] = []
        is_list = False
        for word in words[1:] if words[0] == "IN" else words:
            alone = _VARIABLE.fullmatch(word)
            named = word if is_list else alone["name"] if alone and not alone["env"] else ""
            if word in ("LISTS", "ITEMS"):
                is_list = word == "LISTS"
            elif named in self.values:
                found += [one for each in self.values[named] for one in each]
            elif not is_list:
                found.append(word)
        return sorted(found, key=lambda one: not _LEADS_AWAY.search(one))[:_MAX_VALUES]

    def targets(self) -> list[str]:
        """Those of the custom targets that a run may build."""
        needs: dict[str, list[str]] = {}
        for call in self.calls_of("add_dependencies"):
            needs.setdefault(call.words[0] if call.words else "", []).extend(call.words[1:])
        custom = [one.words for one in self.calls_of("add_custom_target") if one.words]
        for words in custom:
            needs.setdefault(words[0], []).extend(_after("DEPENDS", words))
        asked = set(self.wanted.targets)
        named = {words[0] for words in custom}
        usual = [one for one in needs if one not in named]  # any library or program may be built
        start = [words[0] for words in custom if words[1:2] == ["ALL"] or words[0] in asked]
        return closure([*start, *usual], needs)

    def recipes(self, call: _Call, words: list[str], options: list[str]) -> Iterator[Recipe]:
        """A command by each value of its variables, in the folder that its options name."""
        end = next((at for at, word in enumerate(words) if word in _OPTIONS), len(words))
        folder = next(iter(_after("WORKING_DIRECTORY", options)), "")
        for given in self._filled(words[:end]):
            is_started = given[:3] == ["cmake", "-E", "env"]  # by ``env``, which is a program, too
            run = " ".join(map(_quoted, given[2:] if is_started else given))
            for place in islice(self._filled([folder] if folder else []), 1):
                start = f"cd {_quoted(place[0])} && " if place else ""
                yield Recipe(f"{self.fetching}{start}{run}", self.line(call))

    def fetched_modules(self, call: _Call) -> Iterator[Recipe]:
        """The code of the language that a file loads although another machine sent it."""
        if call.name != "include" or not self.downloads:
            return
        for given in self._filled(call.words[:1]):
            if given and given[0] in self.downloads:
                address = _quoted(self.downloads[given[0]])
                yield Recipe(f"curl -fsSL {address} | sh", self.line(call))

    @cached_property
    def downloads(self) -> dict[str, str]:
        """The files that ``file(DOWNLOAD …)`` gets, and from where; those with a known hash are left out."""
        found: dict[str, str] = {}
        for call in self.calls_of("file"):
            if call.words[:1] == ["DOWNLOAD"] and _HASHES.isdisjoint(call.words):
                for given in self._filled(call.words[1:3]):
                    if len(given) > 1:
                        found.setdefault(given[1], given[0])
        return found

    @cached_property
    def fetching(self) -> str:
        """The downloads as the start of a command line: what they bring may be run then."""
        got = [
            f"curl -fsSL {_quoted(address)} -o {_quoted(path)}"
            for path, address in islice(self.downloads.items(), _MAX_VALUES)
        ]
        for call in self.calls_of("execute_process"):
            for words in _commands(["", *call.words]):
                if words[:1] and words[0] in _FETCHES:
                    end = next((at for at, one in enumerate(words) if one in _OPTIONS), len(words))
                    got += [" ".join(map(_quoted, one)) for one in self._filled(words[:end])]
        return "".join(f"{one}; " for one in got)

    def acts_on_files(self, call: _Call) -> Iterator[str]:
        """What ``file(…)`` deletes, writes and copies outside of the project, as command lines."""
        kind = call.words[0] if call.words else ""
        for given in self._filled(call.words[1:]):
            if kind in ("REMOVE", "REMOVE_RECURSE"):
                yield from (f"rm -rf {_quoted(one)}" for one in given if _is_elsewhere(one))
            elif kind in ("WRITE", "APPEND") and given and _is_elsewhere(given[0]):
                yield f"echo x >> {_quoted(given[0])}"
            elif kind in ("COPY", "INSTALL", "COPY_FILE", "RENAME", "CREATE_LINK"):
                at = given.index("DESTINATION") + 1 if "DESTINATION" in given[:-1] else 1
                places = [one for one in given[at : at + 1] if _is_elsewhere(one)]
                yield from (f"cp -r x {_quoted(one)}" for one in places)

    def _filled(self, words: list[str]) -> Iterator[list[str]]:
        """The words with each value that their variables may have; HOLE for what is not known."""
        names = dict.fromkeys(self._names(words))
        choices = [[(name, value) for value in self.values[name][:_MAX_VALUES]] for name in names]
        for chosen in islice(product(*choices), _MAX_VALUES):
            yield self._with(words, _Chosen(dict(chosen), {}))

    def _names(self, words: list[str]) -> list[str]:
        """The variables of the file that words name, and that the values of these do."""
        found: list[str] = []
        left = list(words)
        while left and len(found) < _MAX_NAMES:
            for one in _VARIABLE.finditer(left.pop(0)):
                name = one["name"]
                if not one["env"] and name in self.values and name not in found:
                    found.append(name)
                    left += [word for value in self.values[name] for word in value]
        return found

    def _with(self, words: list[str], chosen: _Chosen) -> list[str]:
        found: list[str] = []
        for word in words:
            alone = _VARIABLE.fullmatch(word)
            value = None if alone is None or alone["env"] else self._value(alone["name"], chosen)
            found += [self._text(word, chosen)] if value is None else value
        return found

    def _value(self, name: str, chosen: _Chosen) -> list[str] | None:
        """The value of a variable, found once; None inside of its own value, where it has an earlier one."""
        if name in chosen.left:
            words = chosen.left.pop(name)
            value = self._with(words, chosen)
            chosen.found[name] = value if sum(map(len, value)) <= _MAX_TEXT else [HOLE]
        return chosen.found.get(name)

    def _text(self, word: str, chosen: _Chosen) -> str:
        def value(match: re.Match[str]) -> str:
            name = match["name"]
            if match["env"]:
                return "~" if name == "HOME" and match.start() == 0 else match[0]
            if name == "CMAKE_COMMAND":
                return "cmake"
            known = self._value(name, chosen)
            if known is not None:
                return ";".join(known)
            if _HERE.fullmatch(name):
                return "."
            if name.endswith("_EXECUTABLE"):  # of a program that ``find_package`` finds
                return name.removesuffix("_EXECUTABLE").lower()
            return "build" if _BUILT.fullmatch(name) else match[0]

        return _UNKNOWN.sub(HOLE, _VARIABLE.sub(value, _bare(word)))


def _calls(text: str) -> list[_Call]:
    text = _COMMENT.sub(lambda one: blanked(one[0]), text)
    heads = _CALL.finditer(text)
    return [
        _Call(head[1].lower(), _words(text, head.end()), head.end())
        for head in islice(heads, 4 * MAX_RECIPES)
    ]


def _words(text: str, start: int) -> list[str]:
    found: list[str] = []
    level = 0
    for match in _WORD.finditer(text, start):
        level += (match[0] == "(") - (match[0] == ")")
        if level < 0 or len(found) >= _MAX_WORDS:
            break
        if match[0][0] not in "#()":
            found.append(match[0])
    return found


_LATER = ("install", "add_custom_target")
"""Calls whose commands run only if they are asked for."""


def with_whole_calls(text: str) -> str:
    """Return the text with each ``COMMAND`` of a call on one line, for a search by lines.

    What is on a line of its own in a call may be the rest of a command: ``"table.txt" > "list.3"``.
    """
    parts: list[str] = []
    done = 0
    for call in _calls(text):
        if call.position < done or call.name in _LATER:
            continue
        parts.append(text[done : call.position])
        done = call.position
        left, level = "", 0
        for match in _WORD.finditer(text, call.position):
            level += (match[0] == "(") - (match[0] == ")")
            if level < 0:
                break
            if match[0] == "COMMAND":
                parts.append(left.replace("\n", " ") + "\n" * left.count("\n"))
                left = ""
            word = blanked(match[0]) if match[0][0] == "#" else match[0]
            left += text[done : match.start()] + word
            done = match.end()
        parts.append(left.replace("\n", " ") + "\n" * left.count("\n"))
    return "".join((*parts, text[done:]))


def _bare(word: str) -> str:
    if bracketed := _BRACKETED.fullmatch(word):
        return bracketed[2]
    return _unescaped(word[1:-1]) if word[:1] == '"' else word


def _unescaped(text: str) -> str:
    return re.sub(r"\\([\"\\$;@()])", r"\1", text)


def _commands(words: list[str]) -> list[list[str]]:
    """The words behind each ``COMMAND``, and those of a target before the first one."""
    first = words[2:] if words[1:2] == ["ALL"] else words[1:]
    named = [words[at + 1 :] for at, word in enumerate(words) if word == "COMMAND"]
    return ([first] if first and first[0] not in _OPTIONS else []) + named


def _coded(words: list[str]) -> list[str]:
    """The code of ``install(CODE "…")``."""
    return [_bare(words[at + 1]) for at, word in enumerate(words[:-1]) if word == "CODE"]


def _after(option: str, words: list[str]) -> list[str]:
    """The words that an option has."""
    if option not in words:
        return []
    rest = words[words.index(option) + 1 :]
    end = next((at for at, word in enumerate(rest) if word in _OPTIONS), len(rest))
    return rest[:end]


def _is_elsewhere(path: str) -> bool:
    return path[:1] in ("/", "~") or ".." in path.split("/")


def _quoted(word: str) -> str:
    return word if re.fullmatch(r"~[\w./*-]*", word) else shlex.quote(word)


# end of module
