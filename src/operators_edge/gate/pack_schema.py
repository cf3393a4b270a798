"""The schema of rule packs: packs are checked and compiled to plain data that loads fast.

Owns the schema of ``packs/*.toml`` and the messages on its errors. Does not own files (``gate.rules``) or
matching (``gate.conditions``). Pure: tables in, tables out.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from fnmatch import translate
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from operators_edge.errors import PackError
from operators_edge.gate.conditions import OPERAND_CLASSES
from operators_edge.model import JUNCTION_TYPES, PROFILES
from operators_edge.shell.wrapper_table import PREFIXES
from operators_edge.shell.wrappers import SHELLS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

Table = dict[str, Any]

EFFECTS = ("allow", "warn", "junction", "block")
IMPACT_KINDS = ("files", "commits", "tables", "request")
"""What a decision card can measure (``approvals.impact``), named by the key "radius" of a rule."""

# Keys and the shapes of their values: "s" string, "l" list of strings (or one string), "b" boolean,
# "i" integer, "t" table of strings, "tl" table of lists of strings, "w" conditions.
PROGRAM_KEYS = {
    "names": "l",  # other names, globs allowed
    "like": "l",  # other programs that take the same options: each condition on this one applies to them too
    "abbreviates": "b",  # accepts any unique prefix of a long option
    "style": "s",  # "gnu" (-rf is -r -f) or "long" (-chdir is one option)
    "values": "l",  # options that take a value
    "global_values": "l",  # the same, but only before the first operand
    "sub_values": "tl",  # the same, per first operand
    "help": "l",  # options that make it only print help or its version
    "help_first": "b",  # only as the very first word
    "sql": "l",  # options whose value is SQL
    "sql_from": "i",  # operands from this one (counted from 0) are SQL
    "sql_stdin": "b",
    "sql_files": "l",  # options whose value is a file with SQL
    "sql_file_from": "i",  # operands from this one are such files
    "sql_includes": "s",  # a pattern over SQL whose group is the name of another SQL file
    "code": "l",  # options whose value is program code
    "code_from": "i",  # this operand is program code
    "code_stdin": "b",
    "script": "b",  # its first operand is a file with code
    "runs": "l",  # subcommands that run the following words as a command ("" for no subcommand)
    "modules": "l",  # options whose value is a program that is run with the following words
    "writes": "s",  # operands it writes: all | last | rest (all but the first)
    "writes_if": "l",  # ... but only with one of these options
    "write_options": "l",  # options whose value it writes
    "write_operands": "l",  # operands with such a prefix name a path that it writes: "of="
    "folder": "l",  # options before the first operand that name the folder it runs in
    "scripts": "l",  # operands with such an ending are files with code
    "operand_options": "l",  # options whose value counts as an operand
    "shell": "b",  # runs what it reads from its input
}
VALUED_KEYS = ("sql", "sql_files", "code", "folder", "modules", "write_options", "operand_options")
WHEN_KEYS = {
    "program": "l",
    "sub": "l",
    "flag": "l",
    "flags": "l",
    "unless_flag": "l",
    "value": "t",
    "unless_value": "t",
    "first": "l",
    "last": "l",
    "acts": "l",  # the first operand that is in this list or in "reads" is in this list
    "reads": "l",
    "operand": "l",
    "unless_operand": "l",
    "min_operands": "i",
    "max_operands": "i",
    "dashes": "b",
    "sql": "s",
    "code": "s",
    "code_writes": "l",
    "redirect": "l",
    "written": "l",
    "words": "s",
    "path": "s",
    "script": "s",
    "stdin_text": "s",
    "env": "t",
    "more": "b",
    "through": "l",
    "stdin": "l",
    "stdin_program": "l",
    "trigger": "l",
    "early": "s",  # the first three words up to the first option, as one text
    "unless_program": "l",  # for a condition on any program: not one of these, and not one with a table
    "profile": "s",  # holds under this profile only
    "text": "s",  # the whole text that the command is part of
    "input": "l",  # what it reads through a redirect
    "published": "b",  # the checked-out commit is known to be on a remote
    "unless_all": "l",  # does not hold if there are operands and all are in these classes
}
RULE_KEYS = {
    "id": "s",
    "effect": "s",
    "type": "s",
    "reason": "s",
    "instead": "s",
    "loosenable": "b",
    "destroys": "b",  # it can lose uncommitted work: a snapshot is taken before it runs
    "leads": "b",  # among rules with the same effect, this one decides
    "radius": "s",  # what a decision card measures
    "subject": "l",
    "when": "w",
    "match": "l",
    "no_match": "l",
}
TOOL_KEYS = {
    "shell": "t",  # tool → the argument that holds a shell command
    "write": "t",  # tool → the argument that holds the path it writes
    "allow": "l",  # tools that only read, or only talk to the person
    "asks": "l",  # tools that act only through texts given to a model or to the host
    "shell_name": "s",  # an MCP server's tool with such a name runs a shell command …
    "shell_arguments": "l",  # … given in one of these arguments
    "write_name": "s",  # an MCP server's tool with such a name writes files …
    "write_arguments": "l",  # … whose paths are given in these arguments
}
PREFILTER_KEYS = {"words": "l"}
TEXT_KEYS = ("sql", "code", "early", "words", "path", "script", "stdin_text", "text")
CLASS_KEYS = (
    "first",
    "last",
    "operand",
    "unless_operand",
    "unless_all",
    "redirect",
    "written",
    "code_writes",
    "input",
)
COMPILE_ONLY_KEYS = ("when", "match", "no_match")
# A program with one of these can do anything without any trigger word in the command.
OPAQUE_KEYS = frozenset(
    ("code", "code_from", "script", "scripts", "shell", "writes", "runs", "modules")
)
SECTIONS = ("pack", "program", "rule", "tools", "first_look")


def _as_list(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_table(value: Any) -> bool:
    return isinstance(value, dict)


def _is_table_of(value: Any, is_item: Callable[[Any], bool]) -> bool:
    return _is_table(value) and all(map(is_item, value.values()))


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


_SHAPES: dict[str, Callable[[Any], bool]] = {
    "s": _is_text,
    "l": lambda value: isinstance(value, str) or _is_list(value),
    "b": lambda value: isinstance(value, bool),
    "i": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "t": lambda value: _is_table_of(value, _is_text),
    "tl": lambda value: _is_table_of(value, _is_list),
    "w": lambda value: isinstance(value, list) and bool(value) and all(map(_is_table, value)),
}


def _check_table(table: Any, keys: dict[str, str], where: str) -> Table:
    if not _is_table(table):
        raise PackError(f"{where}: must be a table")
    for key, value in table.items():
        if key not in keys:
            known = ", ".join(sorted(keys))
            raise PackError(
                f"{where}: {describe_unknown_key(key, keys)}", hint=f"known keys: {known}"
            )
        if not _SHAPES[keys[key]](value):
            raise PackError(f"{where}: {key} has a value of the wrong type: {value!r}")
    lists = {key: _as_list(value) for key, value in table.items() if keys[key] == "l"}
    return {**table, **lists}


def describe_unknown_key(key: str, keys: Collection[str]) -> str:
    """Return a message that a key is not one of ``keys``, with the nearest one."""
    near = get_close_matches(key, keys, n=1, cutoff=0.5)
    return f"unknown key {key!r}" + (f" (did you mean {near[0]!r}?)" if near else "")


def condition_patterns(when: Table) -> list[str]:
    """Return every regular expression in one condition."""
    found = [one for key in CLASS_KEYS for one in when.get(key, ())]
    found = [one for one in found if not one.startswith("@")]
    found += [when[key] for key in TEXT_KEYS if key in when]
    found += [f"(?i:{when['sql']})"] if "sql" in when else []  # as it is searched for
    for key in ("value", "unless_value", "env"):
        found += when.get(key, {}).values()
    return [*found, *when.get("env", ())]


def _check_rule(rule: Table, where: str) -> Table:
    name = rule.get("id")
    if not isinstance(name, str) or not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        raise PackError(
            f"{where}: a rule needs an id of lower-case letters, digits and hyphens: {name!r}"
        )
    where = f"{where}: rule {name}"
    rule = _check_table(rule, RULE_KEYS, where)
    for key in ("effect", "type", "reason", "instead", "when", "match", "no_match"):
        if not rule.get(key):
            raise PackError(f"{where}: {key} is missing")
    for key in ("reason", "instead"):
        if not rule[key].isprintable():
            raise PackError(f"{where}: {key} is shown to people: one line, no control characters")
    _check_choice(where, "effect", rule["effect"], EFFECTS)
    if rule["effect"] == "allow" and not rule.get("destroys"):
        raise PackError(f"{where}: a rule with effect allow needs destroys = true")
    _check_choice(where, "impact kind", rule.get("radius", IMPACT_KINDS[0]), IMPACT_KINDS)
    _check_choice(where, "type", rule["type"], JUNCTION_TYPES)
    rule["when"] = [_check_condition(when, f"{where}: when") for when in rule["when"]]
    return rule


def _check_choice(where: str, what: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        raise PackError(f"{where}: unknown {what} {value!r}", hint=", ".join(choices))


def _check_condition(table: Any, where: str) -> Table:
    when = _check_table(table, WHEN_KEYS, where)
    if "program" not in when and "trigger" not in when:
        raise PackError(f"{where}: a condition without a program needs trigger words")
    for kind in (kind for key in CLASS_KEYS for kind in when.get(key, ())):
        if kind.startswith("@") and kind not in OPERAND_CLASSES:
            raise PackError(
                f"{where}: unknown operand class {kind!r}", hint=" ".join(sorted(OPERAND_CLASSES))
            )
    _check_choice(where, "profile", when.get("profile", PROFILES[0]), PROFILES)
    if "reads" in when and "acts" not in when:
        raise PackError(f"{where}: reads has no effect without acts")
    for key, value in when.items():
        if value in ([], {}) and key != "trigger":
            raise PackError(f"{where}: {key} is empty")
    for pattern in condition_patterns(when):
        _compile_pattern(pattern, where)
    return when


def _compile_pattern(pattern: str, where: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as problem:
        raise PackError(f"{where}: {pattern!r} is not a valid pattern: {problem}") from problem


def compile_packs(packs: dict[str, Table]) -> Table:
    """Compile all packs (file name → parsed TOML) to what ``rules.Rules`` is made of."""
    programs: dict[str, Table] = {}
    rules: list[Table] = []
    tools: Table = {}
    # After a wrapper, a program can be named in ways that the prefilter does not follow.
    words = _name_words([*PREFIXES, *SHELLS])
    owner: dict[str, str] = {}
    for file, pack in packs.items():
        for section in pack:
            if section not in SECTIONS:
                raise PackError(f"{file}: unknown section {section!r}")
        head = _check_table(pack.get("pack", {}), {"name": "s", "summary": "s"}, f"{file}: pack")
        if set(head) != {"name", "summary"}:
            raise PackError(f"{file}: [pack] needs a name and a summary")
        prefilter = _check_table(pack.get("first_look", {}), PREFILTER_KEYS, f"{file}: first_look")
        words.update(prefilter.get("words", ()))
        for name, program in pack.get("program", {}).items():
            if name in programs:
                raise PackError(f"{file}: program {name} is described twice")
            programs[name] = _check_program(program, f"{file}: program {name}")
        tools.update(_check_table(pack.get("tools", {}), TOOL_KEYS, f"{file}: tools"))
        for raw in pack.get("rule", ()):
            rule = _check_rule(raw, file)
            if rule["id"] in owner:
                raise PackError(
                    f"{file}: rule {rule['id']}: the id is already used in {owner[rule['id']]}"
                )
            owner[rule["id"]] = file
            rules.append({**rule, "pack": head["name"]})
    _expand_like(programs, rules)
    return _build_index(programs, rules, tools, words)


def _expand_like(programs: dict[str, Table], rules: list[Table]) -> None:
    """Give programs listed under ``like`` the same table, and a place in the same conditions."""
    likes = {name: program.pop("like") for name, program in programs.items() if "like" in program}
    for name, others in likes.items():
        for other in others:
            if other in programs:
                raise PackError(f"program {other} has a table and is listed as like {name}")
            programs[other] = {key: programs[name][key] for key in programs[name] if key != "names"}
    for when in (when for rule in rules for when in rule["when"] if "program" in when):
        when["program"] = [one for name in when["program"] for one in (name, *likes.get(name, ()))]


def _check_program(program: Table, where: str) -> Table:
    """Check a program table; ``values`` gets every option whose value another key uses."""
    table = _check_table(program, PROGRAM_KEYS, where)
    if "sql_includes" in table and _compile_pattern(table["sql_includes"], where).groups != 1:
        raise PackError(f"{where}: sql_includes must have one group: the file name")
    named = (table.get(key, ()) for key in ("values", *VALUED_KEYS))
    values = sorted({option for options in named for option in options})
    return {**table, "values": values} if values else table


def _build_index(
    programs: dict[str, Table], rules: list[Table], tools: Table, words: set[str]
) -> Table:
    names = _Names(programs)
    index: dict[str, list[list[Any]]] = {}
    for number, rule in enumerate(rules):
        for when in rule["when"]:
            condition = {key: value for key, value in when.items() if key != "program"}
            if "sub" in condition:
                condition["sub"] = _by_first_word(condition["sub"])
            if "acts" in condition:
                condition["acts"] = [
                    _verb_pattern(condition["acts"]),
                    _verb_pattern(condition.pop("reads", [])),
                ]
            for name in when.get("program", [""]):
                index.setdefault(names.known(name), []).append([number, condition])
    return {
        "programs": programs,
        "names": names.plain,
        "globs": names.globs,
        "rules": [
            {key: rule[key] for key in rule if key not in COMPILE_ONLY_KEYS} for rule in rules
        ],
        "index": index,
        "tools": tools,
        "words": _group_triggers(_find_triggers(programs, rules, words)),
    }


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


_MOST_WORDS = 16_384
"""Words of rules and programs that are remembered: rules are compiled again with each file of a person."""

_pattern = lru_cache(maxsize=_MOST_WORDS)(translate)


class _Names:
    """Maps every name and glob of a program to its name in the packs."""

    def __init__(self, programs: dict[str, Table]) -> None:
        self.plain: dict[str, str] = {}
        self.globs: list[list[str]] = []
        for name, program in programs.items():
            for alias in [name, *program.get("names", ())]:
                self._add(alias, name)

    def _add(self, alias: str, name: str) -> None:
        if "*" in alias:
            self.globs.append([_pattern(alias), name])
        else:
            self.plain[alias] = name

    def known(self, name: str) -> str:
        """Return the name in the packs of a program that a rule names, with or without a table."""
        if name and name not in self.plain and [_pattern(name), name] not in self.globs:
            self._add(name, name)
        return self.plain.get(name, name)


def _name_words(names: list[str]) -> set[str]:
    """Return for each program name the word that must be in any text that runs it."""
    literal = (re.split(r"[*?\[.]", name.lower())[0].strip("-_") for name in names)
    return {word for word in literal if word and not word.startswith("@")}


def _find_triggers(
    programs: dict[str, Table], rules: list[Table], words: set[str]
) -> dict[str, list[str]]:
    """Return trigger word → partners, of which one must be in the text too; none if it counts alone."""
    triggers: dict[str, set[str]] = {}
    for entry in sorted(words):
        word, *partners = entry.split()  # "npx c call": counts only with one of the other two
        _add_trigger(triggers, word, set(partners))
    for when in (when for rule in rules for when in rule["when"]):
        for word, names in _trigger_words(when, programs).items():
            _add_trigger(triggers, word, names)
    for name, program in programs.items():
        if not OPAQUE_KEYS.isdisjoint(program):
            triggers.update(
                (word, set()) for word in _name_words([name, *program.get("names", ())])
            )
    return {word: sorted(partners) for word, partners in sorted(triggers.items())}


def _add_trigger(triggers: dict[str, set[str]], word: str, partners: set[str]) -> None:
    known = triggers.get(word)
    counts_alone = not partners or known == set()
    triggers[word] = set() if counts_alone else partners | (known or set())


def _group_triggers(triggers: dict[str, list[str]]) -> dict[str, str]:
    """Return partners → the words that share them, both as one text: many words have the same partners."""
    groups: dict[str, list[str]] = {}
    for word, partners in triggers.items():
        groups.setdefault(" ".join(partners), []).append(word)
    return {partners: " ".join(words) for partners, words in groups.items()}


def _trigger_words(when: Table, programs: dict[str, Table]) -> dict[str, set[str]]:
    """Return words of which at least one is in every text that the condition can match.

    Word → program names, of which one must be in the text too; none if the word counts alone.
    """
    if "trigger" in when:
        return {word.lower(): set() for word in when["trigger"]}
    named = when.get("program", [])
    names = _name_words([*named, *(a for n in named for a in programs.get(n, {}).get("names", ()))])
    if "acts" in when:
        words = {verb: _verb_word(verb) for verb in when["acts"]}
    else:
        words = {path: _literal_word(path) for path in when.get("sub", ())}
    if not words or "" in words.values():
        alone: set[str] = set()
        return dict.fromkeys(names, alone)
    return dict.fromkeys(words.values(), names)


@lru_cache(maxsize=_MOST_WORDS)
def _literal_word(path: str) -> str:
    """Return the last part of a subcommand path that is in the text as a separate word."""
    for part in reversed(path.lower().split()):
        before, star, _ = part.partition("*")
        if before and (not star or before[-1] in "-_:."):
            return re.split(r"[:.]", before.strip("-_:."))[0]
    return ""


@lru_cache(maxsize=_MOST_WORDS)
def _verb_word(verb: str) -> str:
    """Return a part of the verb that is in the text as a separate word; "" for none."""
    bare = verb.lower().removeprefix("* ").removesuffix(" *")
    return max(re.findall(r"(?<![a-z0-9*])[a-z0-9]+(?![a-z0-9*])", bare), key=len, default="")
