"""What is known about a shell at one point of a text: variables, functions, aliases, folder.

Owns lookup, copies for subshells, merging what is known after a branch, and what the branches leave open.
Does not own expansion.
"""

from __future__ import annotations

import posixpath
import re
from itertools import chain, count
from types import MappingProxyType

from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from operators_edge.shell.commands import Word
    from operators_edge.shell.evaluate import Evaluator

Value = str | dict[str, str]
"""A dict holds an array's elements by index or key; an empty one means "not set". A text with a HOLE is an
unknown value."""
MAX_ELEMENTS = 1_000
"""Elements of an array that are assigned one by one."""
MAX_REFERENCES = 4
"""References to other names (``declare -n``) that are followed."""
EITHER = "either"
"""The step to a command of a second look: what it makes may not be made."""
MAX_CHOICES = 4
"""Values of one variable."""
MAX_LOOKS = 100
"""Second looks in one text."""


class All(tuple[str, ...]):
    """Choices of which a value surely is one: each branch sets it to a text that is known."""

    __slots__ = ()


class AllOrNothing(All):
    """The same, but it may be empty as well: a program's name, printed if there is such a program."""

    __slots__ = ()


STANDS_FOR_MANY = pattern(rf"[*?{HOLE}]")
"""In an element of a list: it may be none, or several ones."""
_DESCRIPTOR = pattern(r"/(?:dev|proc/[^/]+(?:/task/[^/]+)?)/fd/(\d{1,4})\Z")
_COMPUTED = pattern(r"\b([A-Za-z_]\w*)\s*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=))")
FIRST_FREE = 10
"""The lowest descriptor that the shell picks for ``{name}<``."""


class Stream(NamedTuple):
    """The output or input of a command: its text, None if unknown, and the program it comes from.

    ``path`` is the file or the address that it was opened on. ``choices`` are texts of which an unknown one
    may be any.
    """

    text: str | None
    program: str = ""
    kind: str = "pipe"
    path: str = ""
    choices: tuple[str, ...] = ()


def descriptor(path: str) -> int | None:
    """Return the descriptor that a path names: ``/dev/fd/3``."""
    found = _DESCRIPTOR.match(path)
    return int(found[1]) if found else 0 if path == "/dev/stdin" else None


ALL = "*"
"""Stands for every variable that is set from here on, among those that are exported: ``set -a``."""
OWN_NUMBER = "4194305"
"""What stands for ``$$``: the number of no process."""
TOP_LEVEL = "@top"
_TOP = ("rev-parse", "--show-toplevel")
"""Where the environment of a text says which folder git takes for the top of the repository."""
TAKES_DEFAULTS = "@defaults"
"""In the environment of a text: ``${NAME:-VALUE}`` is VALUE if nothing known sets NAME."""
_MOVES_GIT = ("GIT_DIR", "GIT_WORK_TREE", "GIT_CEILING_DIRECTORIES")


class Function:
    """A function's body as text; ``base`` is its position in the whole text, None inside a string.

    ``aliases`` are those that the shell has put into the body as it read it.
    """

    aliases: Mapping[str, str] = MappingProxyType({})

    def __init__(self, name: str, body: str, base: int | None, span: tuple[int, int]) -> None:
        self.name = name
        self.body = body
        self.base = base
        self.span = span
        self.is_called = False


class Scope:
    """What is known at one point; ``uncertain`` names functions that may or may not be defined."""

    def __init__(self, env: Mapping[str, str], cwd: str | None = "") -> None:
        self.env = env
        self.values: dict[str, Value] = {}
        self.choices: dict[str, tuple[str, ...]] = {}
        """What branches have set a variable to that is unknown now: it may be any of these, or another, if
        they are not ``All``."""
        self.references: dict[str, str] = {}
        self.integers: set[str] = set()
        self.exported: dict[str, bool] = {}
        """The variables that a program gets, and whether it surely gets them."""
        self.fixed: set[str] = set()
        """The variables that can no longer be set."""
        self.hidden: dict[str, Value | None] = {}
        """What is outside of the function that runs, by the names of its own variables."""
        self.is_environment_doubtful = False
        """Whether something unknown may have set variables of any name."""
        self.exports_functions = False
        self.ends_on_failure = False
        """Whether a command that fails ends the shell: ``set -e``."""
        self.functions: dict[str, Function] = {}
        self.alternatives: dict[str, tuple[Function, ...]] = {}
        """What else a name stands for, if another branch has run."""
        self.uncertain: set[str] = set()
        self.aliases: dict[str, str] = {}
        self.arguments: list[str] | None = None
        self.has_more_arguments = False
        self.cwd = cwd
        self.previous_cwd: str | None = None
        self.directories: list[str | None] = []
        self.descriptors: dict[int, Stream] = {}
        """What is open here, by its number; 0 only if the shell itself has opened it."""

    def get(self, name: str) -> str | None:
        """Return the value; None when it is unknown whether the variable is set, or to what."""
        name = self.resolve_name(name)
        value = self.values.get(name)
        if value is not None:
            return value if isinstance(value, str) else value.get("0", value.get(HOLE, ""))
        if name.isdigit():
            return self._argument(int(name)) if len(name) < 6 else HOLE
        if name in "@*#?$!-":
            is_count = name == "#" and self.arguments is not None and not self.has_more_arguments
            if name == "$" and "$" not in self.env:
                return OWN_NUMBER
            return str(max(0, len(self.arguments or ()) - 1)) if is_count else HOLE
        known = self.env.get(name) if name != "PWD" else None
        return self._default(name) if known is None else known

    def _argument(self, number: int) -> str | None:
        if self.arguments is None:
            return self.env.get(str(number))
        if number < len(self.arguments):
            return self.arguments[number]
        return HOLE if self.has_more_arguments else ""

    def _default(self, name: str) -> str | None:
        if name == "PWD":
            return self.folder()
        defaults = {"IFS": " \t\n", "HOME": "~", "OLDPWD": self.previous_cwd}
        return defaults.get(name) or None

    def folder(self) -> str | None:
        """The absolute folder that a command runs in; one as seen from the call's if that is not known."""
        start = self.env.get("PWD")
        if self.cwd is None or HOLE in self.cwd:
            return None
        return posixpath.normpath(posixpath.join(start, self.cwd)) if start else self.cwd or None

    def printed_folder(
        self, name: str, arguments: Sequence[str], assigns: Sequence[tuple[str, Word]]
    ) -> str | None:
        """What ``pwd`` or ``git rev-parse --show-toplevel`` prints; None if it is not known."""
        folder = self.folder() if name == "pwd" else None
        if name == "git" and tuple(arguments[-2:]) == _TOP:
            top = self.env.get(TOP_LEVEL)
            is_moved = any(one[:4] == "GIT_" for one, _ in assigns) or any(
                map(self.get, _MOVES_GIT)
            )
            is_here = self.cwd in {"", top} if len(arguments) == len(_TOP) else False
            is_known = is_here or self._is_own_folder(arguments[:-2])
            folder = top if is_known and not is_moved else None
        return f"{folder}\n" if folder and folder[0] in "/~" and HOLE not in folder else None

    def _is_own_folder(self, options: Sequence[str]) -> bool:
        """Whether ``-C`` names the folder of the text's own file."""
        own, here = self.env.get("BASH_SOURCE", ""), self.folder()
        if len(options) != len(_TOP) or options[0] != "-C" or own[:1] != "/" or not here:
            return False
        named = posixpath.normpath(posixpath.join(here, options[1]))
        return HOLE not in named and named == posixpath.dirname(posixpath.normpath(own))

    def resolve_name(self, name: str) -> str:
        """Return the variable that a name refers to."""
        for _ in range(MAX_REFERENCES):
            if not self.references.get(name):
                break
            name = self.references[name]
        return name

    def items(self, name: str) -> list[str] | None:
        """Return all elements of an array, or the positional parameters for ``@`` and ``*``."""
        if name in "@*":
            is_known = self.arguments is not None and not self.has_more_arguments
            return self.arguments[1:] if self.arguments is not None and is_known else None
        value = self.values.get(self.resolve_name(name))
        if value is None:
            return None
        return [value] if isinstance(value, str) else list(value.values())

    def keys(self, name: str) -> list[str] | None:
        value = self.values.get(self.resolve_name(name))
        return list(value) if isinstance(value, dict) else None

    def lend(
        self, given: Iterable[tuple[str, Word]]
    ) -> list[tuple[str, Value | None, bool | None]]:
        """Set and export variables for one command; return what ``take_back`` puts back."""
        before = []
        for name, word in given:
            before.append((name, self.values.get(name), self.exported.get(name)))
            self.set(name, word.text)
            self.exported[name] = True
        return before

    def take_back(self, before: Iterable[tuple[str, Value | None, bool | None]]) -> None:
        for name, value, is_exported in before:
            self.values.pop(name, None)
            self.exported.pop(name, None)
            if value is not None:
                self.values[name] = value
            if is_exported is not None:
                self.exported[name] = is_exported

    def element(self, name: str, index: str) -> str | None:
        """Return one element of an array; a negative index counts from the end."""
        value = self.values.get(self.resolve_name(name))
        if value is None and index == "0" and name in self.env:
            return self.env[name]
        if isinstance(value, dict) and HOLE in value:  # lines that look like it, however many
            return value.get(index, value[HOLE])
        if value is None or HOLE in index or name in "@*":
            return HOLE
        if isinstance(value, str):
            return value if index == "0" or HOLE in value else ""
        index = index.strip("\"'")
        if not value:
            return ""
        # An index may be computed: only a plain number or key is known to be missing.
        is_missing = re.fullmatch(r"\d{1,9}", index) is not None
        if is_missing and index not in value and any(map(STANDS_FOR_MANY.search, value.values())):
            return HOLE
        return value.get(index, "" if is_missing else _from_end(value, index))

    def is_unset(self, name: str) -> bool:
        return self.values.get(self.resolve_name(name)) == {}

    def is_integer(self, name: str) -> bool:
        """Whether what is assigned to the variable is computed (``declare -i``)."""
        return self.resolve_name(name) in self.integers

    def set(self, name: str, value: Value) -> None:
        if self.references.get(name) == "" and isinstance(value, str):
            self.add_reference(name, value)
            return
        name = self.resolve_name(name)
        self.choices.pop(name, None)
        self.values[name] = HOLE if name in self.fixed else value
        if ALL in self.exported:
            self.exported[name] = self.exported[ALL]

    def unset(self, name: str) -> None:
        self.references.pop(name, None)
        self.choices.pop(name, None)
        self.values[name] = {}
        self.exported.pop(name, None)

    def doubt_environment(self) -> None:
        """Something unknown may have changed what programs get."""
        self.exported = dict.fromkeys(self.exported, False)
        self.is_environment_doubtful = True

    def environment(self) -> tuple[tuple[str, str], ...]:
        """The variables that a program gets; a HOLE where it is unknown whether it does, or which value."""
        if not self.exported:
            return ()
        found = ((name, self.get(name) if sure else None) for name, sure in self.exported.items())
        return tuple(
            (name, HOLE if value is None else value) for name, value in found if name != ALL
        )

    def note_computed(self, text: str) -> None:
        """Variables that arithmetic sets have some value from then on; one that they have already is kept."""
        for name in _COMPUTED.findall(text):
            if self.get(name) == "":
                self.set(name, HOLE)

    def set_element(self, name: str, index: str, text: str, *, is_added: bool = False) -> None:
        name = self.resolve_name(name)
        self.choices.pop(name, None)
        before = self.values.get(name, {})
        if isinstance(before, str):
            before = {"0": before}
        index = index.strip("\"'")
        is_plain = re.fullmatch(r"\d{1,9}|[A-Za-z_][\w-]*", index)
        # A name may be a key or a variable in arithmetic, so any element may be the target.
        if not is_plain or HOLE in before.values() or len(before) >= MAX_ELEMENTS:
            self.values[name] = HOLE
            return
        self.values[name] = {**before, index: (before.get(index, "") if is_added else "") + text}

    def add_reference(self, name: str, target: str) -> None:
        """``declare -n``: from now on ``name`` means ``target``."""
        if target.isidentifier() and target != name:
            self.references[name] = target
        else:
            self.references.pop(name, None)
            self.choices.pop(name, None)
            self.values[name] = HOLE

    def copy(self) -> Scope:
        """Return the scope of a subshell; its changes stay there."""
        other = Scope(self.env, self.cwd)
        other.values = dict(self.values)
        other.choices = dict(self.choices)
        other.references = dict(self.references)
        other.integers = set(self.integers)
        other.exported = dict(self.exported)
        other.fixed = set(self.fixed)
        other.hidden = dict(self.hidden)
        other.is_environment_doubtful = self.is_environment_doubtful
        other.exports_functions = self.exports_functions
        other.ends_on_failure = self.ends_on_failure
        other.functions = dict(self.functions)
        other.alternatives = dict(self.alternatives)
        other.uncertain = set(self.uncertain)
        other.aliases = dict(self.aliases)
        other.arguments = self.arguments
        other.has_more_arguments = self.has_more_arguments
        other.previous_cwd = self.previous_cwd
        other.directories = list(self.directories)
        other.descriptors = dict(self.descriptors)
        return other

    def declare_local(self, name: str) -> None:
        """From here on a variable is the function's own; the one around it comes back with ``leave``."""
        self.hidden.setdefault(name, self.values.get(name))

    def leave(self, outside: dict[str, Value | None]) -> None:
        """Forget the variables of a function; ``outside`` is what one around it has hidden."""
        for name, value in self.hidden.items():
            self.values.pop(name, None)
            self.choices.pop(name, None)
            if value is not None:
                self.values[name] = value
        self.hidden = outside

    def enter_program(self) -> None:
        """What follows is run by a program, which knows functions only if the shell exports them."""
        if not self.exports_functions:
            self.uncertain.update(self.functions)

    def define(self, function: Function) -> None:
        self.functions[function.name] = function
        self.alternatives.pop(function.name, None)

    def of_new_shell(self) -> Scope | None:
        """Return what a shell that is started here knows; None if that may be more than variables."""
        if self.exports_functions or ALL in self.exported:
            return None
        other = self.copy()
        sure = {name for name, is_sure in self.exported.items() if is_sure}
        other.values = {name: value for name, value in self.values.items() if name in sure}
        other.functions, other.aliases, other.uncertain = {}, {}, set()
        other.ends_on_failure = False
        other.references, other.integers, other.fixed, other.arguments = {}, set(), set(), None
        return other

    def merge(self, other: Scope, *, keeps_cwd: bool) -> None:
        """Keep only what holds in this scope and in ``other``: either path may have been taken."""
        for name in self.values.keys() | other.values.keys():
            mine, others = self.values.get(name), other.values.get(name)
            own, more = self.choices.get(name, ()), other.choices.get(name, ())
            if mine != others:
                self.values[name] = HOLE
            if mine != others or own is not more:
                kinds = _kind_of(mine, own), _kind_of(others, more)
                self.choices[name] = joined((*own, mine, *more, others), kinds)
        self.references = {**other.references, **self.references}
        self.integers |= other.integers
        self.fixed |= other.fixed
        if self.exported != other.exported:
            both = self.exported.keys() | other.exported.keys()
            self.exported = {
                name: self.exported.get(name, False) and other.exported.get(name, False)
                for name in both
            }
        self.hidden = {**other.hidden, **self.hidden}
        self.is_environment_doubtful |= other.is_environment_doubtful
        self.exports_functions |= other.exports_functions
        self.ends_on_failure &= other.ends_on_failure
        self.uncertain |= other.uncertain
        if (self.functions, self.alternatives) != (other.functions, other.alternatives):
            self._merge_functions(other)
        self.aliases = {**other.aliases, **self.aliases}
        for number, stream in other.descriptors.items():
            if self.descriptors.setdefault(number, stream) != stream:
                self.descriptors[number] = Stream(None, path=stream.path)
        if self.cwd != other.cwd and not keeps_cwd:
            self.cwd = None

    def note_ends(self, ends: Sequence[Scope]) -> None:
        """Note which values branches have left open, if surely one of them has run; ``ends`` are theirs."""
        for name in self.choices:
            held = [(one.values.get(name), one.choices.get(name, ())) for one in ends]
            values = ((value, *choices) for value, choices in held)
            found = joined(chain.from_iterable(values), [_kind_of(*one) for one in held])
            if isinstance(found, All):
                self.choices[name] = found

    def _merge_functions(self, other: Scope) -> None:
        for name in self.functions.keys() | other.functions.keys():
            own = [one.functions[name] for one in (self, other) if name in one.functions]
            if len(own) == 1 or own[0] is not own[1]:
                self.uncertain.add(name)
            more = (*self.alternatives.get(name, ()), *own[1:], *other.alternatives.get(name, ()))
            if more := tuple(dict.fromkeys(one for one in more if one is not own[0])):
                self.alternatives[name] = more
        self.functions = {**other.functions, **self.functions}

    def open(self, streams: Mapping[int, Stream]) -> dict[int, Stream]:
        """Open descriptors for one command; return what ``close`` puts back."""
        before = {
            number: self.descriptors[number] for number in streams if number in self.descriptors
        }
        self.descriptors.update(streams)
        return before

    def close(self, numbers: Iterable[int], before: Mapping[int, Stream]) -> None:
        for number in numbers:
            self.descriptors.pop(number, None)
        self.descriptors.update(before)

    def free_descriptor(self) -> int:
        return next(n for n in count(FIRST_FREE) if n not in self.descriptors)

    def enter(self, directory: str | None) -> None:
        """Change the folder; None is an unknown folder."""
        self.previous_cwd, self.cwd = self.cwd, directory

    def resolve(self, path: str) -> str | None:
        """Return ``path`` as seen from the current folder: absolute, or relative to the call's folder."""
        if not path or HOLE in path:
            return None
        if path.startswith(("/", "~")):
            return posixpath.normpath(path)
        if self.cwd is None:
            return None
        joined = posixpath.normpath(posixpath.join(self.cwd, path))
        return "" if joined == "." else joined


def _from_end(elements: dict[str, str], index: str) -> str:
    """Return the element that a negative index names."""
    count = int(index[1:]) if re.fullmatch(r"-\d{1,4}", index) else 0
    return list(elements.values())[-count] if 0 < count <= len(elements) else HOLE


# -- values that branches leave open ---------------------------------------------------------------


Kind = type[tuple[str, ...]]


def joined(values: Iterable[object], kinds: Sequence[Kind] = (tuple,)) -> tuple[str, ...]:
    """The texts that are known among some values; ``kinds`` says of each part whether it may be another."""
    known = (one for one in values if isinstance(one, str) and one.strip() and HOLE not in one)
    found = tuple(dict.fromkeys(known))
    if len(found) > MAX_CHOICES or not all(issubclass(kind, All) for kind in kinds):
        return found[:MAX_CHOICES]
    return AllOrNothing(found) if AllOrNothing in kinds else All(found)


def _kind_of(value: object, choices: tuple[str, ...]) -> Kind:
    """Whether a value is known, or surely one of its choices."""
    if value == HOLE:
        return type(choices)
    is_known = isinstance(value, str) and value.strip() and HOLE not in value
    return All if is_known else tuple


def of_outputs(outputs: Iterable[Stream]) -> tuple[str, ...]:
    """What may be printed alone: the lines of those parts of a text of which some may not run."""
    return joined(chain.from_iterable(map(_lines_of, outputs)))


def _lines_of(output: Stream) -> tuple[str, ...]:
    """What an output surely is, or may be, if it is one line."""
    text = output.text
    if text is not None and text[-1:] == "\n" and text.count("\n") == 1:
        return All((*output.choices, text))
    return output.choices


def with_either(connector: str, outputs: list[Stream]) -> list[Stream]:
    """What two parts of a list print: one of both behind ``||``, if the first prints a line or fails."""
    first, second = outputs[0], outputs[-1]
    if connector != "||" or first is second or not isinstance(first.choices, All):
        return outputs
    if second.text == "":
        return [first]
    parts = _lines_of(first), _lines_of(second)
    return [first._replace(choices=joined(chain(*parts), [type(one) for one in parts]))]


_RUN_AS_IT_IS = frozenset(
    ("exec", "command", "nohup", "time", "env", "sudo", "nice", "timeout", "strace", "ltrace")
)
"""Programs that run the one that a word names, and none if that is empty."""
_QUOTED = pattern(rf"(?:(?:{'|'.join(_RUN_AS_IT_IS)})\s+)*\"")


class OpenProgram:
    """The program of a command, if its name is the one value that is open there, and surely a choice."""

    def __init__(self, words: Sequence[Word], met: Sequence[tuple[str, ...]], text: str) -> None:
        self._texts = [word.text for word in words]
        is_run = self._texts[:1] and self._texts[0] in _RUN_AS_IT_IS
        self._at = self._texts.index(HOLE) if is_run and HOLE in self._texts else 0
        self.is_one_of_them = self._texts[self._at : self._at + 1] == [HOLE] and (
            len(met) == 1 and isinstance(met[0], All)
        )
        self.may_be_empty = isinstance(met[0], AllOrNothing) and not _QUOTED.match(text)

    def _end(self, words: Sequence[Word]) -> int:
        """Where the words after the program begin, which may be several words itself."""
        return len(words) - len(self._texts) + self._at + 1

    def see(self, words: Sequence[Word]) -> None:
        """Take note of the words with one of the choices: nothing but the program may be another one."""
        texts, at, end = [word.text for word in words], self._at, self._end(words)
        rest = self._texts[at + 1 :]
        self.is_one_of_them = (
            self.is_one_of_them
            and at < end
            and texts[:at] == self._texts[:at]
            and not any(HOLE in one for one in texts[at:end])
            and all(one in (text, HOLE) for one, text in zip(rest, texts[end:], strict=True))
        )

    def without(self, words: list[Word]) -> list[Word]:
        """The words that are left if the program's name is empty; none if that runs nothing."""
        left = words[: self._at] + words[self._end(words) :]
        return [] if left and left[0].text[:1] == "-" else left


class Choices:
    """Second looks at commands with such values: ``case $S in *zsh) f=~/.zshrc ;; *) f=~/.bashrc ;; esac``.

    What is unknown after a branch stays so for everything that could be harmless because of it. But a command
    is reported with each of the values that the branches set, too, as the commands of the branches are.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._most = MAX_LOOKS
        self.taken: int | None = None
        """Which of its choices each unknown value is taken for, in a second look."""
        self.seen: list[tuple[str, ...]] = []
        """The choices of the values that were met since this was emptied."""
        self._looks = 0

    def met(self, value: str | None, choices: tuple[str, ...]) -> str | None:
        """Return what a value with choices is here."""
        if not choices or not (value is None or HOLE in value):
            return value
        if self.taken is None and not any(one is choices for one in self.seen):
            self.seen.append(choices)
        return value if self.taken is None else choices[min(self.taken, len(choices) - 1)]

    def values(self, expand: Callable[[], str]) -> tuple[str, tuple[str, ...]]:
        """Return what a word expands to, and what else if it is unknown."""
        before, self.seen = self.seen, []
        text = expand()
        met = self.seen if HOLE in text else []
        found: list[str] = []
        count = max(map(len, met), default=0)
        self.each(count, lambda: found.append(expand()), is_reported=False)
        self.seen += before
        # With two open values, not each pair is looked at.
        is_whole = text == HOLE and len(met) == 1 and len(found) == count
        return text, joined(found, [type(met[0]) if is_whole else tuple])

    def first_of(self, expand: Callable[[], list[Word]]) -> list[Word]:
        """Return what words are with the first of the choices."""
        before, self.taken = self.taken, 0
        found = expand()
        self.taken = before
        return found

    def once(self, run: Callable[[], object]) -> None:
        """Evaluate what may run in place of something else."""
        self._most += 1
        self.each(1, run)

    def each(self, count: int, run: Callable[[], object], *, is_reported: bool = True) -> None:
        """Evaluate something again with each of the choices, without what else it leaves behind."""
        evaluator = self.evaluator
        if self.taken is not None or self._looks + count > self._most:
            return
        self._looks += count
        before = evaluator.files, evaluator.jump, evaluator.is_unsettled
        evaluator.doubts += 1
        evaluator.marks.append(-self._looks)
        for taken in range(count):
            self.taken, mark = taken, len(evaluator.commands)
            evaluator.files = before[0].copy()
            run()
            if not is_reported:
                del evaluator.commands[mark:]
        self.taken = None
        evaluator.doubts -= 1
        evaluator.marks.pop()
        evaluator.files, evaluator.jump, evaluator.is_unsettled = before


# end of module
