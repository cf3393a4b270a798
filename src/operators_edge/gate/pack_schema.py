"""What a rule pack may say: checked, and compiled to plain data that loads fast.

Owns the schema of ``packs/*.toml`` and its errors. Does not own files (``gate.rules``) or matching
(``gate.conditions``). Everything here is pure: tables in, tables out.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from fnmatch import translate
from typing import TYPE_CHECKING, Any

from operators_edge.errors import EdgeError
from operators_edge.gate.conditions import OPERAND_CLASSES
from operators_edge.model import JUNCTION_TYPES, PROFILES
from operators_edge.shell.wrapper_table import PREFIXES
from operators_edge.shell.wrappers import SHELLS

if TYPE_CHECKING:
    from collections.abc import Collection

Table = dict[str, Any]

EFFECTS = ("allow", "warn", "junction", "block")
IMPACT_KINDS = ("files", "commits", "tables", "request")
"""What a decision card can count; see ``core/card.py``."""

# Keys and the shapes of their values: "s" text, "l" list of texts (or one text), "b" truth value,
# "i" number, "t" table of texts, "tl" table of lists of texts, "w" conditions.
PROGRAM_KEYS = {
    "names": "l",  # other names, globs allowed; the first is the table's own name
    "like": "l",  # other programs that take the same options: every condition on this one is on them too
    "abbreviates": "b",  # takes any unique prefix of a long option
    "style": "s",  # "gnu" (-rf is -r -f) or "long" (-chdir is one option)
    "values": "l",  # options that take a value
    "global_values": "l",  # the same, but only before the first operand
    "sub_values": "tl",  # the same, per first operand
    "help": "l",  # options that make it print help or its version, and do nothing else
    "help_first": "b",  # only as the very first word
    "sql": "l",  # options whose value is SQL
    "sql_from": "i",  # operands from this one (counted from 0) are SQL
    "sql_stdin": "b",
    "sql_files": "l",  # options whose value is a file with SQL
    "sql_file_from": "i",  # operands from this one are such files
    "sql_includes": "s",  # a pattern in SQL: its group names a file with more of it
    "code": "l",  # options whose value is program code
    "code_from": "i",  # this operand is program code
    "code_stdin": "b",
    "script": "b",  # its first operand is a file with code
    "runs": "l",  # subcommands that run the rest of the words as a command ("" for none)
    "modules": "l",  # options whose value is a program that gets the rest of the words
    "writes": "s",  # operands it writes: all | last | rest (all but the first)
    "writes_if": "l",  # ... but only with one of these options
    "write_options": "l",  # options whose value it writes
    "write_operands": "l",  # operands that start so name a path it writes: "of="
    "folder": "l",  # options before the first operand that name the folder it runs in
    "scripts": "l",  # operands that end so are files with code
    "operand_options": "l",  # options whose value stands for an operand
    "shell": "b",  # runs what it reads
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
    "acts": "l",  # of the operands, the first that is one of these or of "reads" is one of these
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
    "early": "s",  # the first three words as one text, as far as no option comes before
    "unless_program": "l",  # for a condition on any program: none of these, and none with a table
    "profile": "s",  # holds only under this profile
    "text": "s",  # the whole text in which the command stands
    "input": "l",  # what it reads by a redirect
    "published": "b",  # the checked-out commit is known to be on a remote
    "unless_all": "l",  # does not hold when there are operands, and all are of these kinds
}
RULE_KEYS = {
    "id": "s",
    "effect": "s",
    "type": "s",
    "reason": "s",
    "instead": "s",
    "loosenable": "b",
    "destroys": "b",  # uncommitted work can be lost: a snapshot is taken before it runs
    "leads": "b",  # of rules with the same effect, this one is told
    "radius": "s",  # what a decision card counts
    "subject": "l",
    "when": "w",
    "match": "l",
    "no_match": "l",
}
TOOL_KEYS = {
    "shell": "t",  # tool → the argument that holds a shell command
    "write": "t",  # tool → the argument that holds the path it writes
    "allow": "l",  # tools that read or only talk to the person
    "asks": "l",  # tools that act, but only through words given to a model or to the host
    "shell_name": "s",  # a server's tools of such a name run a shell command …
    "shell_arguments": "l",  # … which stands in one of these arguments
    "write_name": "s",  # a server's tools of such a name write files …
    "write_arguments": "l",  # … whose paths stand in these arguments
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
# A program with one of these can do what a rule looks for without a word that tells.
OPAQUE_KEYS = frozenset(
    ("code", "code_from", "script", "scripts", "shell", "writes", "runs", "modules")
)
SECTIONS = ("pack", "program", "rule", "tools", "first_look")


class PackError(EdgeError):
    """A pack cannot be used: which file, which rule, what is wrong."""

    exit_code = 64
    code = "pack"


def _as_list(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def _has_shape(value: Any, shape: str) -> bool:
    match shape:
        case "s":
            return isinstance(value, str) and bool(value)
        case "l":
            return isinstance(value, str) or _is_list(value)
        case "b":
            return isinstance(value, bool)
        case "i":
            return isinstance(value, int) and not isinstance(value, bool)
        case "w":
            return isinstance(value, list) and bool(value) and all(map(_is_table, value))
        case "tl":
            return _is_table(value) and all(_is_list(one) for one in value.values())
        case _:
            return _is_table(value) and all(_has_shape(one, "s") for one in value.values())


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_table(value: Any) -> bool:
    return isinstance(value, dict)


def _check_table(table: Any, keys: dict[str, str], where: str) -> Table:
    if not _is_table(table):
        raise PackError(f"{where}: a table is wanted here")
    for key, value in table.items():
        if key not in keys:
            known = ", ".join(sorted(keys))
            raise PackError(
                f"{where}: {describe_unknown_key(key, keys)}", hint=f"known keys: {known}"
            )
        if not _has_shape(value, keys[key]):
            raise PackError(f"{where}: {key} has a value of the wrong kind: {value!r}")
    lists = {key: _as_list(value) for key, value in table.items() if keys[key] == "l"}
    return {**table, **lists}


def describe_unknown_key(key: str, keys: Collection[str]) -> str:
    """Says that a key is none of ``keys``, and which it may be."""
    near = get_close_matches(key, keys, n=1, cutoff=0.5)
    return f"unknown key {key!r}" + (f" (did you mean {near[0]!r}?)" if near else "")


def _patterns(when: Table) -> list[str]:
    """Every regular expression in one condition."""
    found = [one for key in CLASS_KEYS for one in when.get(key, ())]
    found = [one for one in found if not one.startswith("@")]
    found += [when[key] for key in TEXT_KEYS if key in when]
    found += [f"(?i:{when['sql']})"] if "sql" in when else []  # how it is looked for
    for key in ("value", "unless_value", "env"):
        found += when.get(key, {}).values()
    return [*found, *when.get("env", ())]


def _check_rule(rule: Table, where: str) -> Table:
    name = rule.get("id")
    if not isinstance(name, str) or not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        raise PackError(
            f"{where}: a rule needs an id of small letters, digits and dashes: {name!r}"
        )
    where = f"{where}: rule {name}"
    rule = _check_table(rule, RULE_KEYS, where)
    for key in ("effect", "type", "reason", "instead", "when", "match", "no_match"):
        if not rule.get(key):
            raise PackError(f"{where}: {key} is missing")
    for key in ("reason", "instead"):
        if not rule[key].isprintable():
            raise PackError(f"{where}: {key} is shown to people: one line, no control signs")
    if rule["effect"] not in EFFECTS:
        raise PackError(f"{where}: unknown effect {rule['effect']!r}", hint=", ".join(EFFECTS))
    if rule["effect"] == "allow" and not rule.get("destroys"):
        raise PackError(f"{where}: a rule that allows says nothing, unless it destroys")
    if rule.get("radius", IMPACT_KINDS[0]) not in IMPACT_KINDS:
        raise PackError(f"{where}: unknown radius {rule['radius']!r}", hint=", ".join(IMPACT_KINDS))
    if rule["type"] not in JUNCTION_TYPES:
        raise PackError(f"{where}: unknown type {rule['type']!r}", hint=", ".join(JUNCTION_TYPES))
    rule["when"] = [_check_condition(when, f"{where}: when") for when in rule["when"]]
    return rule


def _check_condition(given: Any, where: str) -> Table:
    when = _check_table(given, WHEN_KEYS, where)
    if "program" not in when and "trigger" not in when:
        raise PackError(f"{where}: a condition without a program needs its trigger words")
    for kind in (kind for key in CLASS_KEYS for kind in when.get(key, ())):
        if kind.startswith("@") and kind not in OPERAND_CLASSES:
            raise PackError(
                f"{where}: unknown kind {kind!r}", hint=" ".join(sorted(OPERAND_CLASSES))
            )
    if when.get("profile", PROFILES[0]) not in PROFILES:
        raise PackError(f"{where}: unknown profile {when['profile']!r}", hint=", ".join(PROFILES))
    if "reads" in when and "acts" not in when:
        raise PackError(f"{where}: reads says nothing without acts")
    for key, value in when.items():
        if value in ([], {}) and key != "trigger":
            raise PackError(f"{where}: {key} is empty")
    for pattern in _patterns(when):
        _compile_pattern(pattern, where)
    return when


def _compile_pattern(pattern: str, where: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as problem:
        raise PackError(f"{where}: {pattern!r} is no pattern: {problem}") from problem


def compile_packs(packs: dict[str, Table]) -> Table:
    """Pack file name → its parsed TOML, for all packs; returns what ``Rules`` is made of."""
    programs: dict[str, Table] = {}
    rules: list[Table] = []
    tools: Table = {}
    # Behind a wrapper a program can be named in ways that the first look does not follow.
    words = _name_words([*PREFIXES, *SHELLS])
    owner: dict[str, str] = {}
    for file, pack in packs.items():
        for section in pack:
            if section not in SECTIONS:
                raise PackError(f"{file}: unknown section {section!r}")
        head = _check_table(pack.get("pack", {}), {"name": "s", "summary": "s"}, f"{file}: pack")
        if set(head) != {"name", "summary"}:
            raise PackError(f"{file}: [pack] needs a name and a summary")
        look = _check_table(pack.get("first_look", {}), PREFILTER_KEYS, f"{file}: first_look")
        words.update(look.get("words", ()))
        for name, program in pack.get("program", {}).items():
            if name in programs:
                raise PackError(f"{file}: program {name} is described twice")
            programs[name] = _check_program(program, f"{file}: program {name}")
        tools.update(_check_table(pack.get("tools", {}), TOOL_KEYS, f"{file}: tools"))
        for raw in pack.get("rule", ()):
            rule = _check_rule(raw, file)
            if rule["id"] in owner:
                raise PackError(
                    f"{file}: rule {rule['id']}: the id is taken already in {owner[rule['id']]}"
                )
            owner[rule["id"]] = file
            rules.append({**rule, "pack": head["name"]})
    _expand_like(programs, rules)
    return _build_index(programs, rules, tools, words)


def _expand_like(programs: dict[str, Table], rules: list[Table]) -> None:
    """A program that is like another gets its table, and its place in every condition."""
    likes = {name: program.pop("like") for name, program in programs.items() if "like" in program}
    for name, others in likes.items():
        for other in others:
            if other in programs:
                raise PackError(f"program {other} is like {name}, and has a table of its own")
            programs[other] = {key: programs[name][key] for key in programs[name] if key != "names"}
    for when in (when for rule in rules for when in rule["when"] if "program" in when):
        when["program"] = [one for name in when["program"] for one in (name, *likes.get(name, ()))]


def _check_program(given: Table, where: str) -> Table:
    """The table with ``values`` naming every option whose value is meant somewhere else in it."""
    table = _check_table(given, PROGRAM_KEYS, where)
    if "sql_includes" in table and _compile_pattern(table["sql_includes"], where).groups != 1:
        raise PackError(f"{where}: sql_includes has to have one group, which names the file")
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
        "words": _find_triggers(programs, rules, words),
    }


def _by_first_word(paths: list[str]) -> dict[str, list[list[str]]]:
    """Subcommand paths by their first word, so that few are looked at; "" for any other."""
    found: dict[str, list[list[str]]] = {}
    for path in (one.split() for one in paths):
        first = path[0] if path and "*" not in path[0] else ""
        found.setdefault(first, []).append(path)
    return found


def _verb_pattern(words: list[str]) -> str:
    """One pattern for a list of verbs, over an operand with a space before it unless it is the first.

    ``delete`` counts anywhere, ``* update`` behind the first operand only, ``auth *`` as the first
    only; a ``*`` inside a word stands for any part of it.
    """
    apart: dict[str, list[str]] = {" ?": [], " ": [], "": []}
    for word in words:
        where = " " if word.startswith("* ") else "" if word.endswith(" *") else " ?"
        reduce_sql = word.removeprefix("* ").removesuffix(" *")
        apart[where].append(re.escape(reduce_sql).replace(r"\*", ".*"))
    parts = (f"{space}(?:{'|'.join(found)})" for space, found in apart.items() if found)
    return f"^(?:{'|'.join(parts)})$" if words else r"(?!)"


class _Names:
    """Every name and pattern of a program → the name that the packs know it by."""

    def __init__(self, programs: dict[str, Table]) -> None:
        self.plain: dict[str, str] = {}
        self.globs: list[list[str]] = []
        for name, program in programs.items():
            for alias in [name, *program.get("names", ())]:
                self._add(alias, name)

    def _add(self, alias: str, name: str) -> None:
        if "*" in alias:
            self.globs.append([translate(alias), name])
        else:
            self.plain[alias] = name

    def known(self, name: str) -> str:
        """The name of a program that a rule names, which need not have a table of its own."""
        if name and name not in self.plain and [translate(name), name] not in self.globs:
            self._add(name, name)
        return self.plain.get(name, name)


def _name_words(names: list[str]) -> set[str]:
    """The word of each program's name that stands in any text that runs it."""
    literal = (re.split(r"[*?\[.]", name.lower())[0].strip("-_") for name in names)
    return {word for word in literal if word and not word.startswith("@")}


def _find_triggers(
    programs: dict[str, Table], rules: list[Table], words: set[str]
) -> dict[str, list[str]]:
    """Trigger word → words of which one has to stand beside it; none where it counts alone."""
    found: dict[str, set[str]] = {}
    for entry in sorted(words):
        word, *partners = entry.split()  # "npx c call": counts beside one of the others alone
        known = found.get(word)
        found[word] = set() if not partners or known == set() else {*partners, *(known or ())}
    for when in (when for rule in rules for when in rule["when"]):
        for word, beside in _trigger_words(when, programs).items():
            known = found.get(word)
            counts_alone = not beside or known == set()
            found[word] = set() if counts_alone else beside | (known or set())
    for name, program in programs.items():
        if not OPAQUE_KEYS.isdisjoint(program):
            found.update((word, set()) for word in _name_words([name, *program.get("names", ())]))
    return {word: sorted(beside) for word, beside in sorted(found.items())}


def _trigger_words(when: Table, programs: dict[str, Table]) -> dict[str, set[str]]:
    """What has to stand in every text on which the condition can hold.

    Word → program words of which one has to stand there too; none of them for a word that suffices.
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


def _literal_word(path: str) -> str:
    """The last word of a subcommand path that stands in the text as a word of its own."""
    for part in reversed(path.lower().split()):
        before, star, _ = part.partition("*")
        if before and (not star or before[-1] in "-_:."):
            return re.split(r"[:.]", before.strip("-_:."))[0]
    return ""


def _verb_word(verb: str) -> str:
    """A part of the verb that stands in the text as a word of its own; "" for none."""
    reduce_sql = verb.lower().removeprefix("* ").removesuffix(" *")
    return max(re.findall(r"(?<![a-z0-9*])[a-z0-9]+(?![a-z0-9*])", reduce_sql), key=len, default="")
