"""Compiling rule packs to plain data that loads fast.

Owns how packs become what ``gate.rules`` loads: programs by name, conditions by program, trigger words.
Does not own the schema of packs (``gate.pack_schema``) or files (``gate.rules``). Pure.
"""

from __future__ import annotations

import copy
import re
from fnmatch import translate
from functools import lru_cache

from operators_edge.gate import pack_schema
from operators_edge.gate.credential_words import NAMES, VERBS
from operators_edge.gate.pack_schema import Table, require
from operators_edge.gate.secret_files import WORDS as SECRET_WORDS
from operators_edge.shell import wrappers
from operators_edge.shell.wrapper_table import OPTION_VARIABLES, PREFIXES, SCRIPT_VARIABLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

COMPILE_ONLY_KEYS = ("when", "match", "no_match")
# A program with one of these can do anything without any trigger word in the command.
OPAQUE_KEYS = frozenset(
    (
        *("code", "code_from", "script", "scripts", "shell", "writes", "runs", "modules"),
        *("recipes", "project_files", "script_folder"),
    )
)


def compile_packs(packs: Mapping[str, Table]) -> Table:
    """Compile all packs (file name → parsed TOML) to what ``rules.Rules`` is made of."""
    return CompiledPacks(packs).table()


class CompiledPacks:
    """Packs (file name → parsed TOML), compiled; others can be added, which costs only what these contain.

    The result is that of compiling all at once if no added pack describes a program that the others name.
    Raises PackError for a pack that is not valid.
    """

    def __init__(self, packs: Mapping[str, Table], base: CompiledPacks | None = None) -> None:
        self.packs: dict[str, Table] = {}
        self.names: dict[str, str] = {}
        self.globs: list[list[str]] = []
        self._programs: dict[str, Table] = {}
        self._likes: dict[str, list[str]] = {}
        self._rules: list[Table] = []
        self._owners: dict[str, str] = {}
        self._tools: Table = {}
        self._verbs: dict[str, str] = {}
        self._later: list[Table] = []
        self._index: dict[str, list[list[Any]]] = {}
        self._triggers: dict[str, frozenset[frozenset[str]]] = {}
        if (
            base is None
        ):  # after a wrapper, a program can be named in ways that the prefilter does not follow
            self._add_words(
                _name_words([*PREFIXES, *wrappers.SHELLS, *OPTION_VARIABLES, *SCRIPT_VARIABLES])
            )
        else:
            vars(self).update((name, copy.copy(value)) for name, value in vars(base).items())
        self._add(packs)

    def extended(self, packs: Mapping[str, Table]) -> CompiledPacks:
        """These packs and others."""
        return CompiledPacks(packs, self)

    def table(self) -> Table:
        """What ``rules.Rules`` is made of; the caller may change its rules and replace its programs."""
        kept = (
            {key: rule[key] for key in rule if key not in COMPILE_ONLY_KEYS} for rule in self._rules
        )
        return {
            "programs": {name: _with_shorts(one) for name, one in self._programs.items()},
            "installed": [
                (name, one["installed"])
                for name, one in self._programs.items()
                if "installed" in one
            ],
            "names": dict(self.names),
            "globs": list(self.globs),
            "rules": list(kept),
            "index": dict(self._index),
            "tools": dict(self._tools),
            "verbs": dict(self._verbs),
            "later": list(self._later),
            "words": self._words,
        }

    def _add(self, packs: Mapping[str, Table]) -> None:
        self.packs |= packs
        described: dict[str, Table] = {}
        rules: list[Table] = []
        more: list[Table] = []
        for file, raw in packs.items():
            pack = pack_schema.check_pack(raw, file)
            self._add_words(pack["words"])
            for name, program in pack["programs"].items():
                is_new = name not in described and name not in self._programs
                require(is_new, file, f"program {name} is described twice")
                described[name] = program
            for rule in pack["rules"]:
                ident = rule["id"]
                problem = f"the id is already used in {self._owners.get(ident)}"
                require(ident not in self._owners, f"{file}: rule {ident}", problem)
                self._owners[ident] = file
                rules.append(rule)
            more += [*pack["runs_files"], *pack["dry_runs"]]
            self._later += pack["later"]
            self._tools.update(pack["tools"])
            self._add_verbs(pack["verbs"], file)
        self._programs |= described
        self._expand_like(described, rules)
        for one in more:
            described |= self._describe_more(one)
        for name in described:
            self._add_program(name)
        for rule in rules:
            self._add_rule(rule)
        self._words = _group_triggers(self._triggers)

    def _add_verbs(self, verbs: Mapping[str, list[str]], file: str) -> None:
        for kind, words in verbs.items():
            for word in words:
                problem = f"verbs: {word!r} is in two lists"
                require(self._verbs.setdefault(word, kind) == kind, file, problem)

    def _expand_like(self, described: dict[str, Table], rules: list[Table]) -> None:
        """Give programs listed under ``like`` the same table, and a place in the same conditions."""
        likes = {name: program.pop("like", []) for name, program in described.items()}
        for name, others in likes.items():
            table = {key: value for key, value in described[name].items() if key != "names"}
            for other in others:
                problem = f"it has a table and is listed as like {name}"
                require(other not in self._programs, f"program {other}", problem)
                self._programs[other] = described[other] = dict(table)
        self._likes |= likes
        for rule in rules:
            for when in rule["when"]:
                named = when.get("program", ())
                every = [one for name in named for one in (name, *self._likes.get(name, ()))]
                when.update({"program": every} if named else {})

    def _describe_more(self, more: Table) -> dict[str, Table]:
        """Add what a table says about programs that other tables describe, or that none does."""
        programs = self._programs
        known = {alias: name for name in programs for alias in programs[name].get("names", ())}
        added = {key: value for key, value in more.items() if key != "programs"}
        changed: dict[str, Table] = {}
        for each in more["programs"]:
            name = each if each in programs else known.get(each, each)
            before = programs.get(name, {})
            joined = dict(before)
            for key, value in added.items():
                joined[key] = _joined(before[key], value) if key in before else value
            changed[name] = pack_schema.check_program(joined, f"program {name}")
            programs[name] = changed[name]
        return changed

    # -- names and conditions --------------------------------------------------------------------

    def _add_program(self, name: str) -> None:
        program = self._programs[name]
        for alias in [name, *program.get("names", ())]:
            self._add_name(alias, name)
        words = _name_words([name, *program.get("names", ())])
        for verb in program.get("hooks", ()):
            self._add_trigger(verb, set(words))
        if not OPAQUE_KEYS.isdisjoint(program) or _runs_a_file_by_itself(program):
            self._triggers.update((word, frozenset()) for word in words)
        elif options := _writing_words(program):
            for word in words:
                self._add_trigger(word, options)
        for variable in _file_variables(program):
            self._add_trigger(variable, set())

    def _add_name(self, alias: str, name: str) -> None:
        """Map a name or glob of a program to its name in the packs."""
        if "*" in alias:
            found = [_pattern(alias), name]
            self.globs += [found] if found not in self.globs else []
            return
        owner = self.names.get(alias, name)
        problem = f"{alias} is the name of two programs, {owner} and {name}"
        require(owner == name or owner not in self._programs, f"program {name}", problem)
        self.names[alias] = name

    def _known(self, name: str) -> str:
        """The name in the packs of a program that a rule names, with or without a table."""
        if name and name not in self.names and [_pattern(name), name] not in self.globs:
            self._add_name(name, name)
        return self.names.get(name, name)

    def _add_rule(self, rule: Table) -> None:
        number = len(self._rules)
        self._rules.append(rule)
        for when in rule["when"]:
            condition = _condition(when)
            for name in when.get("program", [""]):
                known = self._known(name)
                self._index[known] = [*self._index.get(known, ()), [number, condition]]
            for word, names in _trigger_words(when, self._names_of(when)).items():
                self._add_trigger(word, names)
            for name in when.get("program", ()):
                self._add_shorts(name, when)

    def _add_shorts(self, name: str, when: Table) -> None:
        """Let a text with another way to write the first word of a subcommand be judged, too."""
        listed = self._programs.get(self.names.get(name, name), {}).get("subcommands", ())
        firsts = {path.partition(" ")[0] for path in when.get("sub", ())} if listed else set()
        if firsts:
            for short, full in _shorts(listed).items():
                if full in firsts:
                    for part in short.split("-"):
                        self._add_trigger(part, self._names_of({"program": [name]}))

    def _names_of(self, when: Table) -> set[str]:
        """Words of which one is in every text that runs a program of the condition, by any of its names."""
        owners = (self.names.get(name, name) for name in when.get("program", ()))
        return _name_words(
            [
                one
                for name in owners
                for one in (name, *self._programs.get(name, {}).get("names", ()))
            ]
        )

    # -- trigger words ---------------------------------------------------------------------------

    def _add_words(self, entries: Iterable[str]) -> None:
        for entry in entries:
            word, *partners = entry.split()  # "npx c call": counts only with one of the other two
            self._add_trigger(word, set(partners))

    def _add_trigger(self, word: str, partners: set[str]) -> None:
        """Let a text with the word be judged if one of the partners is in it too; with none, always."""
        known = self._triggers.get(word)
        if not partners or known == frozenset():
            self._triggers[word] = frozenset()
        elif not any(partners <= each for each in known or ()):
            others = (each for each in known or () if not each <= partners)
            self._triggers[word] = frozenset([*others, frozenset(partners)])


def _shorts(listed: Iterable[str]) -> dict[str, str]:
    """Return each way to write one of these subcommands → its name: any beginning that no other one has."""
    owners = {name: one.partition(":")[0] for one in listed for name in one.split(":")}
    begun: dict[str, list[str]] = {}
    for name in owners:
        for end in range(1, len(name)):
            begun.setdefault(name[:end], []).append(name)
    return {short: owners[names[0]] for short, names in begun.items() if len(names) == 1} | owners


def _with_shorts(program: Table) -> Table:
    listed = program.get("subcommands")
    return program if listed is None else {**program, "subcommands": _shorts(listed)}


def _joined(before: Any, value: Any) -> Any:
    """Both, as far as they go together; else what the program's own table says, which is more exact."""
    if isinstance(before, dict):
        return {**value, **before}
    return [*before, *value] if isinstance(before, list) else before


_CHEAP = frozenset(
    (
        *(
            "flag",
            "flags",
            "unless_flag",
            "value",
            "min_operands",
            "max_operands",
            "dashes",
            "more",
        ),
        *("remote", "through", "stdin", "stdin_program", "last", "words"),
    )
)
"""Checks that look at the words alone: they come first."""
_COSTLY = frozenset(("own_databases", "prints_secret", "finds_secret"))
"""Checks that read code or files as a whole: they come last."""


def _condition(when: Table) -> Table:
    """One condition in the form that is matched."""
    keys = sorted(when, key=lambda key: (key in _COSTLY, key not in _CHEAP))
    condition = {key: when[key] for key in keys if key != "program"}
    if "sub" in condition:
        condition["sub"] = _by_first_word(condition["sub"])
    if "acts" in condition or "verb_at" in condition:
        condition["acts"] = [
            _verb_pattern(condition.get("acts", [])),
            _verb_pattern(condition.pop("reads", [])),
            condition.pop("verb_at", []),
            condition.pop("local_verbs", False),
        ]
    return condition


def _by_first_word(paths: list[str]) -> dict[str, list[list[str]]]:
    """Group subcommand paths by their first word, so that few are compared; "" for any word."""
    found: dict[str, list[list[str]]] = {}
    for path in (one.split() for one in paths):
        first = path[0] if path and "*" not in path[0] else ""
        found.setdefault(first, []).append(path)
    return found


def _verb_pattern(words: list[str]) -> str:
    """Return one pattern for verbs, for an operand with a space before it unless it is the first.

    ``delete`` counts anywhere, ``* update`` only after the first operand, ``auth *`` only as the first; a
    ``*`` inside a word matches any part of it.
    """
    apart: dict[str, list[str]] = {" ?": [], " ": [], "": []}
    for word in words:
        where = " " if word.startswith("* ") else "" if word.endswith(" *") else " ?"
        bare = word.removeprefix("* ").removesuffix(" *")
        apart[where].append(re.escape(bare).replace(r"\*", ".*"))
    parts = (f"{space}(?:{'|'.join(found)})" for space, found in apart.items() if found)
    return f"^(?:{'|'.join(parts)})$" if words else r"(?!)"


_MAX_WORDS = 16_384
"""Words of rules and programs that are remembered: rules are compiled again with each file of a person."""

_pattern = lru_cache(maxsize=_MAX_WORDS)(translate)


def _name_words(names: list[str]) -> set[str]:
    """Return for each program name the word that must be in any text that runs it."""
    literal = (re.split(r"[*?\[.=]", name.lower())[0].strip("-_") for name in names)
    return {word for word in literal if word and not word.startswith("@")}


def _runs_a_file_by_itself(program: Table) -> bool:
    """Whether it takes commands from a file that no option names."""
    keys = program.get("command_files", ())
    return any(one[0] not in "-$" and one == pack_schema.place(one) for one in keys)


def _file_variables(program: Table) -> set[str]:
    """Return the variables that name its files; HOME and the like are in too many texts."""
    named = (one[1:].split("/")[0] for one in program.get("command_files", ()) if one[0] == "$")
    return {name.lower() for name in named if len(name) > _MIN_VARIABLE}


_MIN_VARIABLE = 4


def _writing_words(program: Table) -> set[str]:
    """Return words of which one is in every text in which the program writes or runs what an option names."""
    options = [*program.get("write_options", ()), *program.get("write_options_if", ())]
    keys = program.get("command_files", ())
    options += [one.split("/")[0] for one in keys if one[0] == "-"]
    verbs = [one.rpartition(" ")[0].split(":")[0] for one in keys if one != pack_schema.place(one)]
    options += [one for each in verbs for one in each.split("|")]
    return {option.strip("-=").lower() for option in (*options, *program.get("write_operands", ()))}


def _group_triggers(triggers: Mapping[str, frozenset[frozenset[str]]]) -> Table:
    """Return what ``TriggerWords`` is made of: each set of partners once, as many words share one."""
    texts = {each: " ".join(sorted(each)) for found in triggers.values() for each in found}
    partners = sorted(set(texts.values()))
    numbers = {text: number for number, text in enumerate(partners)}
    groups: dict[str, list[str]] = {}
    for word, found in sorted(triggers.items()):
        named = sorted(numbers[texts[each]] for each in found)
        groups.setdefault(" ".join(map(str, named)), []).append(word)
    return {
        "partners": partners,
        "words": {named: " ".join(words) for named, words in groups.items()},
    }


def _trigger_words(when: Table, names: set[str]) -> dict[str, set[str]]:
    """Return words of which at least one is in every text that the condition can match.

    Word → ``names`` of its programs, of which one must be in the text too; none if the word counts alone.
    """
    if "trigger" in when:
        named = (one for each in when["trigger"] for one in SECRET_WORDS.get(each, [each]))
        return dict.fromkeys(map(str.lower, named), names)
    if "asks_credential" in when:
        return dict.fromkeys(NAMES, names or set(VERBS))
    if places := _place_words(when):
        return dict.fromkeys(places, names)
    if "verb_at" in when:  # any word can be a verb
        words = {}
    elif "acts" in when:
        words = {verb: _verb_word(verb) for verb in when["acts"]}
    else:
        words = {path: _literal_word(path) for path in when.get("sub", ())}
    if not words or "" in words.values():
        alone: set[str] = set()
        return dict.fromkeys(names, alone)
    return dict.fromkeys(words.values(), names)


def _place_words(when: Table) -> list[str]:
    """Return words of which one names a file with secrets, if the condition is about such files alone."""
    kinds = next((when[key] for key in ("operand", "input", "first", "last") if key in when), ())
    if "sub" in when or not kinds or not all(kind in SECRET_WORDS for kind in kinds):
        return []
    return [word for kind in kinds for word in SECRET_WORDS[kind]]


@lru_cache(maxsize=_MAX_WORDS)
def _literal_word(path: str) -> str:
    """Return the last part of a subcommand path that is in the text as a separate word."""
    for part in reversed(path.lower().split()):
        before, star, _ = part.partition("*")
        if before and (not star or before[-1] in "-_:./"):
            return re.split(r"[:.]", before.strip("-_:./"))[0]
    return ""


@lru_cache(maxsize=_MAX_WORDS)
def _verb_word(verb: str) -> str:
    """Return a part of the verb that is in the text as a separate word; "" for none."""
    bare = verb.lower().removeprefix("* ").removesuffix(" *")
    return max(re.findall(r"(?<![a-z0-9*])[a-z0-9]+(?![a-z0-9*])", bare), key=len, default="")


# end of module
