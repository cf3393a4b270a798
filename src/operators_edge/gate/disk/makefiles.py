"""Makefiles: what the recipes of targets run, with variables, patterns, conditions and included files.

Pure: text in, commands out; what cannot be known is a HOLE. Does not own other formats
(``gate.disk.recipe_formats``).
"""

from __future__ import annotations

import re
from functools import lru_cache, reduce
from types import MappingProxyType

from operators_edge.gate.disk.make_functions import of_words
from operators_edge.gate.disk.recipe_types import (
    MAX_RECIPES,
    MAX_TARGETS,
    MAX_VALUE,
    Recipe,
    Wanted,
    in_order,
    logical_lines,
)
from operators_edge.shell.commands import HOLE
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_MAX_EXPANSION = 8
_MAX_PARENS = 6
"""Parentheses within others, in what ``$(shell …)`` runs."""

_ASSIGN = re.compile(
    r"(?:(?:export|override|private)\s+)*([\w.-]+)\s*(\?|\+|:{0,3}|!)=\s*(.*)", re.DOTALL
)
_EXPORTS = re.compile(r"(un)?export\b(?!\s*[:?+!]*=)\s*(.*)", re.DOTALL)
_EXPORTED = re.compile(r"(?:(?:override|private)\s+)*export\s")
_OVERRIDES = re.compile(r"(?:(?:export|private)\s+)*override\b")
_COMPUTED_NAME = re.compile(r"([^:=#?+!]*)((?:\?|\+|:{0,3}|!)=.*)", re.DOTALL)
_LOOP = re.compile(r"\$[({]foreach\s+([\w.-]+)\s*,((?:[^(),]|\((?:[^()]|\([^()]*\))*\))*),")
_UNDEFINES = re.compile(r"(override\s+)?undefine\s+(\S+)")
_SET_ON_THE_WAY = re.compile(
    r"\$[({]let\s+([\w. -]+),|\$[({]eval\s+(?:(?:export|override|private)\s+)*([\w.-]+)\s*[:+?!]*="
)
"""Names that functions give a value while a text is expanded."""
_RULE = re.compile(r"([^:=#\t][^:=]*?)\s*(?:&?::?)(?!=)\s*([^;]*?)(?:;(.*))?", re.DOTALL)
_DEFINE = re.compile(r"(?:export\s+|override\s+)*define\s+([\w.-]+)\s*(?:\+|:{0,2}|\?)?=?\s*")
_FUNCTION = re.compile(
    r"\$\$|\$([({])(call|strip|subst|patsubst|if|or|and|join|addprefix|addsuffix|firstword|lastword|word|filter"
    r"|filter-out|sort|notdir|dir|basename|value|info|warning|error|eval)\s+"
)
"""Functions whose value follows from what they are given alone; ``$$`` is for the shell."""
_MANY = 1_000
_GIVEN = {
    **dict.fromkeys(("subst", "patsubst", "if"), 3),
    **dict.fromkeys(("word", "filter", "filter-out", "addprefix", "addsuffix", "join"), 2),
    **dict.fromkeys(("call", "or", "and"), _MANY),
}
"""How many arguments a function takes, if more than one: a comma in the last one is a plain sign."""
_MAX_CALLS, _MAX_DEPTH = 2_000, 16
"""Functions that are worked out in one file, and in one another."""
_EVAL = re.compile(r"\$[({]eval\s+")
_OPAQUE = re.compile(r"[\s@+-]*\$[({](?:(?:call|shell|file)\s.*|([\w.-]+))[)}]\s*", re.DOTALL)
"""A recipe that is one value, of a function or of a variable."""
_SUBSTITUTED = re.compile(r"[\s@+-]*(?:`[^`]*`|\$\$\([^()`]*\))\s*")
_QUIET = (
    r"(?:mkdir|rm|rmdir|cp|mv|ln|touch|chmod|chown|install|test|\[|cd|true|:|sed -i\S*)(?!\w)"
    r"[^;&|\n`$()]*"
)
_PRINTS_NOTHING = re.compile(
    rf"\$\((?:{_QUIET}(?:(?:&&|;|\|\|)\s*{_QUIET})*|(?:command -v|which|type -p) [\w./-]+)\)"
)
_CALLED = reduce(lambda inner, _: rf"[^()]*(?:\({inner}\)[^()]*)*", range(_MAX_PARENS), r"[^()]*")
_SHELL_CALL = re.compile(rf"\$\(shell\s+({_CALLED})\)")
_WORD = re.compile(r"(?:\$\((?:[^()]|\([^()]*\))*\)|[^\s|])+|\|")
_LISTS = ("find ", "ls ", "git ls-files", "go list", "cat ")
_RUNS_ALWAYS = re.compile(r"[ \t@-]*\+")
_IS_MAKE = re.compile(r"\$(\(MAKE\)|\{MAKE\})")
INCLUDE = re.compile(r"[-s]?include\s+(.+)")
_CONDITION = re.compile(r"(else\s+)?(ifn?eq|ifn?def)\b\s*(.*)|(else|endif)\b.*")
_COMPARED = re.compile(r"\((.*),\s*(.*)\)|(['\"])(.*?)\3\s*(['\"])(.*?)\5")
_OF_THE_MACHINE = re.compile(
    r"(?:MAKE|\.).*|OS|CI|HOME|USER|LOGNAME|SHELL|PATH|PWD|TERM|EDITOR|TMPDIR|HOSTNAME|LANG|DISPLAY|VIRTUAL_ENV"
    r"|(?:GITHUB|GITLAB|CI|JENKINS|XDG)_.*"
)
"""Variables that may have a value without being set in the file or on the line."""
_REFERENCE = re.compile(r"\$(?:\(([^()$]+)\)|\{([^{}$]+)\}|([^({]))")


_CHANGED_WORDS = re.compile(r"([\w.-]+|[@<^*]):([^=,()\s]*)=([^,()\s]*)")
"""``$(NAME:.c=.o)``, between its brackets."""
_STATIC = re.compile(r"(\S*%\S*?)\s*:\s*(.*)", re.DOTALL)
"""What a rule is for all its targets: ``%.o: %.c`` behind their names."""
_MAKE_DEFAULTS = {
    "MAKE": "make",
    "CURDIR": ".",
    "RM": "rm -f",
    "SHELL": "/bin/sh",
    "CC": "cc",
    "CXX": "g++",
    "AR": "ar",
    "AS": "as",
    "LD": "ld",
    "CPP": "cc -E",
    "FC": "f77",
    "LEX": "lex",
    "YACC": "yacc",
}


UNSET = {"DESTDIR": ""}
"""What packagers set, and nothing else: without it a program is installed in the system."""


class _Target(NamedTuple):
    before: list[str]
    recipes: list[Recipe]
    heads: set[int]
    """The lines of the rules that give it what it runs; 0 for lines that depend on the machine."""
    own: list[str]
    """Assignments for this target and what it needs."""


class _Branches:
    """Which lines between ``ifeq`` and ``endif`` count: those of a branch that may be taken.

    ``is_any``: each one may.
    """

    def __init__(self) -> None:
        self.is_any = False
        self._open: list[tuple[bool | None, bool | None]] = []
        """Of each condition, whether this branch is taken, and whether one before it was; None if unknown."""

    @property
    def may_run(self) -> bool:
        return self.is_any or all(taken is not False for taken, _ in self._open)

    @property
    def are_known(self) -> bool:
        return all(taken is not None for taken, _ in self._open)

    def begin(self, *, holds: bool | None) -> None:
        self._open.append((holds, False))

    def other(self, *, holds: bool | None = True) -> None:
        taken, before = self._open.pop() if self._open else (None, None)
        before = True if True in (taken, before) else None if None in (taken, before) else False
        if before or holds is False:
            self._open.append((False, before))
        else:
            self._open.append((None if before is None else holds, before))

    def end(self) -> None:
        del self._open[-1:]


class _Makefile:
    """The variables and rules of a Makefile, as far as they do not depend on the machine."""

    def __init__(
        self,
        given: Mapping[str, str],
        environment: Mapping[str, str] = MappingProxyType({}),
        *,
        is_dry: bool = False,
    ) -> None:
        self.given = given
        self.is_dry = is_dry
        self.values: dict[str, str] = {**_MAKE_DEFAULTS, **environment, **given}
        self.branches = _Branches()
        if is_dry:
            self.values["MAKE"] = "make -n"
        self.targets: dict[str, _Target] = {}
        self.patterns: dict[str, _Target] = {}
        self.stems: dict[str, str] = {}
        """What the ``%`` of a rule stands for, by the target."""
        self.doubted: set[str] = set()
        self.exported: dict[str, bool] = {}
        """Whether a variable is in the environment of what the recipes run; "" for all others."""
        self.doubtful: set[str] = set()
        """Variables that may have another value than the one that is known, or not be exported."""
        self.default = ""
        self.sets_for_targets = False
        """Whether a variable has another value for one target than for others."""
        self.unsure: set[str] = set()
        """What is needed only if something unknown holds."""
        self.head = 0
        """The line of the rule that is read."""
        self.included: list[str] = []
        """Makefiles that this one includes: make builds them first."""
        self._evaluated: set[int] = set()
        """The lines of which the functions are being evaluated."""
        self.computed: list[Recipe] = []
        """What reading the file runs, whatever the target: ``$(shell …)`` and ``!=``."""
        self.calls = self.depth = 0
        self._of_rule: list[_Target] | None = None
        """The targets of the rule whose recipe the next lines are."""
        self._defined: list[str] | None = None
        """The lines of a ``define`` that has not ended."""

    def read(self, text: str, *, at: int = 0) -> None:
        """Take whole lines; the next ones go on where these end. Or those that a function makes of ``at``."""
        targets, defined = (None, None) if at else (self._of_rule, self._defined)
        for names, name in _SET_ON_THE_WAY.findall(text):
            self.doubted.update(names.split(), name.split())
        for own, line in logical_lines(text):
            number = at or own
            if defined is not None:
                defined = self._define(defined, line)
                continue
            mark = self.values.get(".RECIPEPREFIX", "\t")[:1] or "\t"
            found = _CONDITION.fullmatch(line.split(" #")[0].strip()) if line[:1] != mark else None
            if found is not None:
                self._condition(found)
                continue
            if not self.branches.may_run:
                continue
            if head := _DEFINE.fullmatch(line):
                defined = [head[1]]
                continue
            if line[:1] == mark and targets is not None:
                self._add_recipe(targets, line[1:], number)
                continue
            said = line.split(" #")[0].strip()
            if said and said[0] != "#":
                targets = self._statement(said, number)
        if not at:
            self._of_rule, self._defined = targets, defined

    def _condition(self, found: re.Match[str]) -> None:
        if found[4] == "endif":
            self.branches.end()
        elif found[4]:
            self.branches.other()
        elif found[1]:
            self.branches.other(holds=self._holds(found[2], found[3]))
        else:
            self.branches.begin(holds=self._holds(found[2], found[3]))

    def _holds(self, kind: str, text: str) -> bool | None:
        """Whether a condition holds; None if that depends on the machine or on what a function gives."""
        if kind.endswith("def"):
            name = self._known(text)
            value = None if name is None else self.values.get(name.strip())
            is_unknown = name is None or (value is None and _OF_THE_MACHINE.fullmatch(name.strip()))
            held = None if is_unknown else bool(value)
        else:
            compared = _COMPARED.fullmatch(text.strip())
            if compared is None:
                return None
            one, other = compared[1] or compared[4] or "", compared[2] or compared[6] or ""
            sides = self._known(one.strip()), self._known(other.strip())
            held = None if None in sides else sides[0] == sides[1]
        return held if held is None or kind in ("ifeq", "ifdef") else not held

    def _known(self, text: str) -> str | None:
        """The text with its variables put in, which are empty if nothing sets them; None if unknown."""
        for _ in range(_MAX_EXPANSION):
            names = [one or other or sign for one, other, sign in _REFERENCE.findall(text)]
            if not names:
                break
            unset = [name for name in names if name not in self.values]
            if any(re.search(r"[\s:]", name) or _OF_THE_MACHINE.fullmatch(name) for name in unset):
                return None
            text = _REFERENCE.sub(
                lambda one: self.values.get(one[1] or one[2] or one[3], ""), text
            )[:MAX_VALUE]
        return None if "$" in text or HOLE in text else text

    def _define(self, lines: list[str], line: str) -> list[str] | None:
        """Collect the lines of a variable that ``define`` begins: its name, then its value."""
        if line.strip() != "endef":
            return [*lines, line]
        self.values[lines[0]] = "\n".join(lines[1:])[:MAX_VALUE]
        return None

    def _statement(self, line: str, number: int) -> list[_Target] | None:
        """Take a line; the targets of a rule, to which recipes belong, and None for anything else."""
        for run in _SHELL_CALL.findall(line):
            self.computed.append(Recipe(self.expand(run), number))
        if "eval" in line and (made := self._made(line)) and number not in self._evaluated:
            self._evaluated.add(number)
            self.read(made, at=number)
            self._evaluated.discard(number)
            return None
        if given := INCLUDE.fullmatch(line):
            names = re.sub(r"\$\(wildcard\s+([^()]*)\)", r"\1", given[1])
            self.included += self.expand(names).split()
        if undefined := _UNDEFINES.fullmatch(line):
            self.given = {
                k: v for k, v in self.given.items() if k != undefined[2] or not undefined[1]
            }
            if undefined[2] not in self.given:
                self.values.pop(undefined[2], None)
            return None
        if self._assignment(line, number) or self._export(line):
            return None
        rule = _RULE.fullmatch(line)
        if rule is None or line.startswith(("define", "include")):
            return None
        return self._rule(rule, number)

    def _assignment(self, line: str, number: int) -> bool:
        """Take a line that gives a variable a value, also one whose name is computed."""
        computed = _computed_name(line)
        if computed is not None:
            name = self.expand(computed[1].strip())
            line = name + computed[2]
            if HOLE in name or "$" in name:  # which may be any
                self.doubted.update(self.values.keys() - _MAKE_DEFAULTS.keys())
        if (assign := _ASSIGN.fullmatch(line)) is None:
            return False
        if _EXPORTED.match(line):
            self.exported[assign[1]] = True
        if _OVERRIDES.match(line):
            self.given = {name: value for name, value in self.given.items() if name != assign[1]}
        self._assign(assign[1], assign[2], assign[3], number)
        return True

    def _made(self, line: str) -> str:
        """The lines that ``$(eval …)`` makes, also of each word in a loop; "" for another line."""
        if not line.startswith(("$(eval", "$(foreach", "${eval", "${foreach")):
            return ""
        text, found = self._unrolled(line, {}), list[str]()
        for start in _EVAL.finditer(text):
            end = _end_of_call(text, start.end())
            found.append(self.expand(text[start.end() : end]).replace("$$", "$"))
        return "\n".join(found)[:MAX_VALUE]

    def _export(self, line: str) -> bool:
        """Take a line that says which variables the recipes get."""
        found = _EXPORTS.fullmatch(line)
        if found is None and not line.startswith(".EXPORT_ALL_VARIABLES"):
            return False
        names = self.expand(found[2]).split() if found else []
        if HOLE in "".join(names) or "$" in "".join(names):
            names = []  # which may be any
        for name in names or [""]:
            self.exported[name] = found is None or not found[1]
            self.doubtful |= set() if self.branches.are_known else {name}
        return True

    def _environment(self) -> dict[str, str]:
        """The variables that what a recipe runs gets from the file and the words of the command."""
        names = [one for one in self.values if self.exported.get(one, self.exported.get("", False))]
        names += [one for one in self.given if one not in names and one != "HOME"]
        held = {
            one: self.expand(self.values.get(one, HOLE)).replace("$$", "$")
            for one in names
            if one not in _MAKE_DEFAULTS and one.isidentifier()
        }
        return {one: HOLE if "$" in value else value for one, value in held.items()}

    def _rule(self, rule: re.Match[str], number: int) -> list[_Target]:
        is_assigned = _ASSIGN.fullmatch(rule[2]) or _computed_name(rule[2])
        static = None if is_assigned else _STATIC.fullmatch(rule[2])
        needed = "" if is_assigned else static[2] if static else rule[2]
        before = [one for one in _words(self.expand(needed)) if one != "|"]
        found = []
        self.sets_for_targets |= "=" in rule[2]
        self.unsure |= set() if self.branches.are_known else set(before)
        for name in _words(self.expand(rule[1])):
            table = self.patterns if "%" in name else self.targets
            target = table.setdefault(name, _Target([], [], set(), []))
            stem = _stem(name, static[1]) if static else None
            if stem is not None:
                self.stems[name] = stem
            target.before.extend(before if stem is None else _with_stem(before, stem))
            target.own.extend([rule[2]] if is_assigned else [])
            found.append(target)
            if not (is_assigned or self.default) and not name.startswith(".") and "%" not in name:
                self.default = name
        self.head = number
        if rule[3]:
            self._add_recipe(found, rule[3], number)
        return found

    def _add_recipe(self, targets: list[_Target], text: str, number: int) -> None:
        for target in targets:
            target.recipes.append(Recipe(text, number))
            target.heads.add(self.head if self.branches.are_known else 0)

    def _assign(self, name: str, how: str, value: str, number: int) -> None:
        if name in self.given or (how == "?" and name in self.values):
            return
        if how == "?" or not self.branches.are_known:
            self.doubtful.add(name)
        if name == ".DEFAULT_GOAL" and not value:
            self.default = ""
        if how == "!":
            self.computed.append(Recipe(self.expand(value), number))
            value = HOLE
        if how == "+" and name in self.values:
            value = f"{self.values[name]} {value}"
        self.values[name] = (self.expand(value) if how.startswith(":") else value)[:MAX_VALUE]

    def expand(self, text: str, special: Mapping[str, str] | None = None) -> str:
        """Return the text with the known variables put in; what is unknown is a HOLE."""
        known = special or {}
        text = self._unrolled(text, known) if "foreach" in text else text

        def value(match: re.Match[str]) -> str:
            name = match[1] or match[2] or match[3]
            if name == "$":
                return "$$"  # for the shell: kept until the end
            if name.startswith("shell "):
                return f"\2({name})"
            if read := re.fullmatch(r"file\s*<\s*(\S+)\s*", name):
                return f"\2(shell cat {read[1]})"
            found = known.get(name, self.values.get(name, UNSET.get(name)))
            if name in self.doubted:
                return HOLE
            if found is None and (changed := _CHANGED_WORDS.fullmatch(name)):
                whole = "" if "%" in changed[2] else "%"
                given = f"{whole}{changed[2]},{whole}{changed[3]},$({changed[1]})"
                return self._result("patsubst", given, "(", known)
            return HOLE if found is None else found

        for _ in range(_MAX_EXPANSION):
            text = self._applied(text, known) if _FUNCTION.search(text) else text
            changed = _REFERENCE.sub(value, text.replace("$$", "\1"))[:MAX_VALUE]
            changed = changed.replace("\1", "$$")
            if changed == text:
                break
            text = changed
        return text.replace("\2", "$")

    def _applied(self, text: str, known: Mapping[str, str]) -> str:
        """The text with what functions make of their arguments: those of the file, and make's own."""
        out, at = "", 0
        while (start := _FUNCTION.search(text, at)) is not None:
            end = _end_of_call(text, start.end(), start[1]) if start[1] else start.end() - 1
            if end == 0:
                break
            out += text[at : start.start()]
            inner = text[start.end() : end]
            out += self._result(start[2], inner, start[1], known) if start[1] else start[0]
            out, at = out[:MAX_VALUE], end + 1
        return out + text[at:]

    def _result(self, function: str, text: str, bracket: str, known: Mapping[str, str]) -> str:
        """What a function gives; a HOLE if it depends on something unknown."""
        self.calls += 1
        if self.calls > _MAX_CALLS or self.depth > _MAX_DEPTH:
            return HOLE
        self.depth += 1
        parts = _arguments(text, bracket, _GIVEN.get(function, 1))
        made = self._of_arguments(function, [self.expand(one, known) for one in parts], known)
        self.depth -= 1
        return made

    def _of_arguments(self, function: str, given: list[str], known: Mapping[str, str]) -> str:
        name = given[0].strip()
        if function in ("call", "value"):
            if name in self.doubted or name not in self.values:
                return HOLE
            words = [name, *given[1:], *[""] * 10]
            numbered = {str(n): words[n] for n in range(10)} if function == "call" else {}
            return self.expand(self.values[name], {**known, **numbered})
        if function == "if":  # a variable that nothing here sets is empty
            holds = name not in ("", HOLE)
            return "".join(given[1:2] if holds or not given[2:] else given[2:]).strip()
        if function in ("or", "and"):
            sure = [one.strip() for one in given if one.strip() not in ("", HOLE)]
            return (sure[:1] or [HOLE])[0] if function == "or" else given[-1].strip()
        if function in ("info", "warning", "error", "eval"):
            return ""
        needed = given[:-1] if function == "subst" else given
        is_known = HOLE not in "".join(needed) and (function != "subst" or given[0])
        return of_words(function, given) if is_known or function == "strip" else HOLE

    def _unrolled(self, text: str, known: Mapping[str, str]) -> str:
        """The text with each loop over words written out."""
        for _ in range(_MAX_EXPANSION):
            start = _LOOP.search(text)
            end = _end_of_call(text, start.end()) if start else 0
            if start is None or end == 0:
                break
            words = self.expand(start[2], known).split() if "foreach" not in start[2] else [HOLE]
            name = re.compile(rf"\$(?:\({start[1]}\)|\{{{start[1]}\}})")
            body = text[start.end() : end]
            parts = name.split(body)
            turns = [word.join(parts) for word in words[:MAX_TARGETS]]
            text = f"{text[: start.start()]}{' '.join(turns)}{text[end + 1 :]}"[:MAX_VALUE]
        return text

    def run(self, names: Sequence[str]) -> list[Recipe]:
        """What these targets run; the file stays as it was read."""
        kept = self.calls, self.default, set(self.doubtful), list(self.computed)
        try:
            return self._run(names)
        finally:
            self.calls, self.default, self.doubtful, self.computed = kept

    def _run(self, names: Sequence[str]) -> list[Recipe]:
        found = list(self.computed)
        shell = self.values["SHELL"]
        found += [Recipe(f"{self.expand(shell)} -c :", 1)] if "/bin/" not in shell else []
        goal = self.expand(self.values.get(".DEFAULT_GOAL", "")).strip() or self.default
        first = [*self.included, *(names or [goal])]
        left: list[tuple[str, tuple[str, ...]]] = [(one, ()) for one in first]
        real = set() if self.is_dry else set(first)  # with what they need
        real.update(self.included)  # make builds them for any other run
        groups: dict[str, list[Recipe]] = {"": found}
        needs: dict[str, list[str]] = {}
        count = 0
        usual = tuple(self._environment().items())
        doubtful = frozenset(self.doubtful)
        seen: set[tuple[str, bool, tuple[str, ...]]] = set()
        while left and len(seen) < MAX_TARGETS and count < MAX_RECIPES:
            name, own = left.pop(0)
            if (name, name in real, own) in seen:
                continue
            seen.add((name, name in real, own))
            own = (*own, *self._own(name))
            group = groups.setdefault(name, [])
            target = self.targets.get(name)
            if target is None and (computed := _SHELL_CALL.search(name)):
                # Other programs than those that list files may name any target.
                group += [] if computed[1].startswith(_LISTS) else [Recipe(HOLE, 1)]
            pattern = None if target and target.recipes else self._pattern(name)
            is_sure = self._is_sure(name)
            before = self.given, self.values, self.doubted, self.exported
            if own:
                self.values, self.doubted = dict(self.values), set(self.doubted)
                self.exported = dict(self.exported)
            for given in own:
                self._assignment(given, 1)
            env = tuple(self._environment().items()) if own else usual
            for one in filter(None, (target, pattern)):
                needed, special = self._special(name, one, is_own=one is target)
                left += [(each, own) for each in needed]
                needs.setdefault(name, []).extend(needed)
                real.update(needed if name in real else ())
                for each in one.recipes:
                    text = self.expand(each.text, special)
                    if name in real or _RUNS_ALWAYS.match(text) or _IS_MAKE.search(each.text):
                        run = _for_shell(text)
                        is_opaque = self._is_opaque(each.text, run)
                        group.append(
                            Recipe(
                                run,
                                each.line,
                                is_sure=is_sure,
                                environment=env,
                                doubtful=doubtful,
                                is_opaque=is_opaque,
                            )
                        )
                    else:  # expanded to be printed
                        group += [Recipe(run, each.line) for run in _SHELL_CALL.findall(text)]
                    count += 1
            self.given, self.values, self.doubted, self.exported = before
        if ".ONESHELL" in self.targets:
            groups = {name: _as_one(group) if name else group for name, group in groups.items()}
        ordered = [one for name in in_order(list(groups), needs) for one in groups[name]]
        return [one._replace(text=_for_shell(one.text)) for one in ordered[:MAX_RECIPES]]

    def _is_opaque(self, text: str, expanded: str) -> bool:
        """Whether a recipe is what a program prints or a function gives, and nothing tells what that is."""
        found = _OPAQUE.fullmatch(text)
        if _SUBSTITUTED.fullmatch(text):
            return True
        if found is None or (found[1] and not _OPAQUE.fullmatch(self.values.get(found[1], ""))):
            return False
        whole = expanded.strip()
        is_printed = whole.startswith("$(") and _end_of_call(whole, 2) == len(whole) - 1
        return whole == HOLE or (is_printed and _PRINTS_NOTHING.fullmatch(whole) is None)

    def _is_sure(self, name: str) -> bool:
        """Whether a target runs what one rule says, whatever files are there and what the machine is."""
        target, phony = self.targets.get(name), self.targets.get(".PHONY")
        is_phony = phony is not None and name in phony.before
        has_one = target is not None and len(target.heads) == 1 and 0 not in target.heads
        return is_phony and has_one and name not in self.unsure and not self.sets_for_targets

    def _pattern(self, name: str) -> _Target | None:
        return next((one for one in self._patterns(name) if one.recipes or one.before), None)

    def _patterns(self, name: str) -> list[_Target]:
        """The rules whose pattern a name has."""
        parts = ((one.partition("%"), target) for one, target in self.patterns.items())
        return [
            one for (start, _, end), one in parts if name.startswith(start) and name.endswith(end)
        ]

    def _special(
        self, name: str, rule: _Target, *, is_own: bool
    ) -> tuple[list[str], dict[str, str]]:
        """What a target needs by one rule, and the variables that its recipe has for that."""
        stem = self.stems.get(name) if is_own else self._stem_by_pattern(name)
        needed = rule.before if stem is None else _with_stem(rule.before, stem)
        special = {"@": name, "<": (needed or [HOLE])[0], "^": " ".join(needed)}
        return needed, special if stem is None else {**special, "*": stem}

    def _stem_by_pattern(self, name: str) -> str | None:
        """What the ``%`` stands for in the rule whose pattern a name has."""
        stems = ((_stem(name, pattern), one) for pattern, one in self.patterns.items())
        return next((stem for stem, one in stems if stem and (one.recipes or one.before)), None)

    def _own(self, name: str) -> list[str]:
        """Assignments that hold while this target is made."""
        targets = (*self._patterns(name), *filter(None, (self.targets.get(name),)))
        return [each for one in targets for each in one.own]


def _stem(name: str, pattern: str) -> str | None:
    start, _, end = pattern.partition("%")
    fits = name.startswith(start) and name.endswith(end) and len(name) > len(start) + len(end)
    return name[len(start) : len(name) - len(end)] if fits and HOLE not in name else None


def _with_stem(needed: Sequence[str], stem: str) -> list[str]:
    return [one.replace("%", stem, 1) for one in needed]


def _computed_name(line: str) -> re.Match[str] | None:
    """The name, with variables in it, and the rest of an assignment."""
    found = _COMPUTED_NAME.fullmatch(line) if "$" in line else None
    is_whole = found is not None and found[1].count("(") == found[1].count(")")
    return found if found is not None and is_whole and "$" in found[1] else None


_BRACKETS = {"(": r"[()]", "{": r"[{}]"}
"""To make, the other brackets in a call are plain signs."""


def _end_of_call(text: str, at: int, bracket: str = "") -> int:
    """Where the bracket closes in which a place is; 0 if it does not."""
    depth = 1
    for one in re.finditer(_BRACKETS.get(bracket, r"[(){}]"), text[at:]):
        depth += 1 if one[0] in "({" else -1
        if depth == 0:
            return at + one.start()
    return 0


def _arguments(text: str, bracket: str, most: int) -> list[str]:
    """The arguments of a function: what is between commas that are in no further bracket."""
    depth, found, start = 0, list[str](), 0
    for one in re.finditer(rf"{_BRACKETS[bracket]}|,", text):
        if one[0] != ",":
            depth += 1 if one[0] == bracket else -1
        elif depth == 0 and len(found) < most - 1:
            found.append(text[start : one.start()])
            start = one.end()
    return [*found, text[start:]]


def _words(text: str) -> list[str]:
    """Return the names in a text; one with a computed part, ``x-$(shell cat V).tgz``, is one name."""
    return _WORD.findall(text)


def _as_one(lines: Sequence[Recipe]) -> list[Recipe]:
    """The lines of a target as the one text that they are for a single shell."""
    if len(lines) < 2:
        return list(lines)
    texts = [_for_shell(one.text) for one in lines]
    numbers = tuple(
        one.line for one, text in zip(lines, texts, strict=True) for _ in text.split("\n")
    )
    is_opaque = any(one.is_opaque for one in lines)
    return [lines[0]._replace(text="\n".join(texts), numbers=numbers, is_opaque=is_opaque)]


def _for_shell(text: str) -> str:
    return _SHELL_CALL.sub(r"$(\1)", text).lstrip(" \t@+-").replace("$$", "$")


class Includes:
    """The Makefiles that a Makefile includes, as far as their names are known, read from part to part."""

    def __init__(self) -> None:
        self._file = _Makefile({})
        self._file.branches.is_any = True  # which one is taken depends on the variables of the run

    def read_on(self, text: str) -> list[str]:
        """What the next lines include."""
        self._file.included = []
        self._file.read(text)
        return [name for name in self._file.included if HOLE not in name]


def make(text: str, wanted: Wanted) -> list[Recipe]:
    """The recipes of the targets and of everything that they need, in the order in which they are found."""
    variables, environment = wanted.variables.items(), wanted.environment.items()
    return _read(text, tuple(variables), tuple(environment), is_dry=wanted.is_dry).run(
        wanted.targets
    )


@lru_cache(maxsize=16)
def _read(
    text: str,
    variables: tuple[tuple[str, str], ...],
    environment: tuple[tuple[str, str], ...],
    *,
    is_dry: bool,
) -> _Makefile:
    """A file with these variables: a build calls itself for many targets and folders."""
    file = _Makefile(dict(variables), dict(environment), is_dry=is_dry)
    file.read(text)
    return file


# end of module
