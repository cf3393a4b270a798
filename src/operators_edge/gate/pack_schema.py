"""The schema of rule packs: packs are checked and compiled to plain data that loads fast.

Owns the schema of ``packs/*.toml`` and the messages on its errors. Does not own files (``gate.rules``) or
matching (``gate.conditions``). Pure: tables in, tables out.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from fnmatch import translate
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NewType, get_type_hints

from operators_edge.errors import PackError
from operators_edge.gate.conditions import OPERAND_CLASSES
from operators_edge.gate.later import READERS as LATER_FORMATS
from operators_edge.gate.rule_types import LaterFile, Program, Rule, Tools
from operators_edge.model import JUNCTION_TYPES, PROFILES
from operators_edge.shell.wrapper_table import OPTION_VARIABLES, PREFIXES, SCRIPT_VARIABLES
from operators_edge.shell.wrappers import SHELLS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

Table = dict[str, Any]

EFFECTS = ("allow", "warn", "junction", "block")
IMPACT_KINDS = ("files", "commits", "tables", "request")
"""What a decision card can measure (``approvals.impact``), named by the key "radius" of a rule."""

Pattern = NewType("Pattern", str)
Kind = NewType("Kind", str)
"""An operand class ("@outside"), or a pattern."""
Texts, Kinds = list[str], list[Kind]


def _keys(table: type, *compiled: str, **more: Any) -> dict[str, Any]:
    """The keys of a table in a pack and the types of their values, but for those added by compiling it."""
    hints = get_type_hints(table)
    return {key: hints[key] for key in hints if key not in compiled} | more


# ``like``: other programs that take the same options: each condition on this one applies to them too
PROGRAM_KEYS = _keys(Program, "unvouched", like=Texts)
RULE_KEYS = _keys(
    Rule,
    *("pack", "note", "origin"),
    effect=str,
    when=list[dict],  # type: ignore[type-arg] # conditions are checked one by one
    match=Texts,
    no_match=Texts,
)
TOOL_KEYS = _keys(Tools)
WHEN_KEYS: dict[str, Any] = {
    "program": Texts,
    "sub": Texts,
    "flag": Texts,
    "flags": Texts,
    "unless_flag": Texts,
    "value": dict[str, Pattern],
    "unless_value": dict[str, Pattern],
    "first": Kinds,
    "last": Kinds,
    "acts": Texts,  # the first operand that is in this list or in "reads" is in this list
    "reads": Texts,
    "operand": Kinds,
    "unless_operand": Kinds,
    "min_operands": int,
    "max_operands": int,
    "dashes": bool,
    "sql": Pattern,
    "code": Pattern,
    "code_writes": Kinds,
    "patched": Kinds,
    "environment": str,  # "own" or "shared": it works on the one that the product is installed in
    "redirect": Kinds,
    "written": Kinds,
    "words": Pattern,
    "path": Pattern,
    "script": Pattern,
    "stdin_text": Pattern,
    "env": dict[Pattern, Pattern],
    "more": bool,
    "through": Texts,
    "stdin": Texts,
    "stdin_program": Texts,
    "trigger": Texts,
    "early": Pattern,  # the first three words up to the first option, as one text
    "not_program": Texts,
    "unless_program": Texts,  # for a condition on any program: not one of these, and no table
    "profile": str,  # holds under this profile only
    "reads_secret": bool,  # the whole text reads a file with secrets, or the environment
    "text": Pattern,  # the whole text that the command is part of
    "input": Kinds,  # what it reads through a redirect
    "client_in": Texts,  # the client runs in one of these: "tmux", "screen", "desktop" …
    "guarded": bool,  # Claude Code, started like this, loads our hooks
    "brings_hooks": bool,  # a file that it writes gets a frontmatter with hooks
    "published": bool,  # the checked-out commit is known to be on a remote
    "unless_all": Kinds,  # does not hold if there are operands and all are in these classes
}
VALUED_KEYS = (
    "environment_options",
    "patches",
    "sql",
    "sql_files",
    "code",
    "folder",
    "modules",
    "write_options",
    "write_options_if",
    "operand_options",
    "preloads",
    "recipe_options",
    "command_files",
    "module_folders",
)
COMPILE_ONLY_KEYS = ("when", "match", "no_match")
# A program with one of these can do anything without any trigger word in the command.
OPAQUE_KEYS = frozenset(
    (
        *("code", "code_from", "script", "scripts", "shell", "writes", "runs", "modules"),
        *("recipes", "project_files", "script_folder"),
    )
)
LATER_KEYS = _keys(LaterFile)
FILES_KEYS = {"programs": Texts} | {
    key: PROGRAM_KEYS[key] for key in PROGRAM_KEYS if key not in ("names", "like")
}
SECTIONS = ("pack", "program", "rule", "tools", "first_look", "later", "runs_files")


def _as_list(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_texts(value: Any) -> bool:
    return isinstance(value, str) or _is_list(value)


def _is_table_of(value: Any, is_item: Callable[[Any], bool]) -> bool:
    return isinstance(value, dict) and all(map(is_item, value.values()))


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _is_text_table(value: Any) -> bool:
    return _is_table_of(value, _is_text)


_HAS_TYPE: dict[Any, Callable[[Any], bool]] = {
    str: _is_text,
    Pattern: _is_text,
    bool: lambda value: isinstance(value, bool),
    int: lambda value: isinstance(value, int) and not isinstance(value, bool),
    Texts: _is_texts,
    Kinds: _is_texts,
    list[dict]: lambda value: isinstance(value, list) and bool(value),  # type: ignore[type-arg]
    dict[str, str]: lambda value: _is_table_of(value, lambda one: isinstance(one, str)),
    dict[str, Pattern]: _is_text_table,
    dict[Pattern, Pattern]: _is_text_table,
    dict[str, list[str]]: lambda value: _is_table_of(value, _is_list),
}
_PATTERNS_IN: dict[Any, Callable[[Any], Iterable[str]]] = {
    Pattern: lambda value: [value],
    Kinds: lambda value: [one for one in _as_list(value) if not one.startswith("@")],
    dict[str, Pattern]: lambda value: value.values(),
    dict[Pattern, Pattern]: lambda value: [*value, *value.values()],
}


def _require(truth: object, where: str, problem: str) -> None:
    """Raise PackError with the place and the problem, unless ``truth`` holds."""
    if not truth:
        raise PackError(f"{where}: {problem}")


def _check_table(table: Any, keys: Mapping[str, Any], where: str) -> Table:
    """The table, if it has only these keys and values of their types; one text becomes a list of one."""
    _require(isinstance(table, dict), where, "must be a table")
    for key, value in table.items():
        if key not in keys:
            hint = f"known keys: {', '.join(sorted(keys))}"
            raise PackError(f"{where}: {describe_unknown_key(key, keys)}", hint=hint)
        if not _HAS_TYPE[keys[key]](value):
            raise PackError(f"{where}: {key} has a value of the wrong type: {value!r}")
    lists = {key: _as_list(table[key]) for key in table if keys[key] in (Texts, Kinds)}
    return {**table, **lists}


def describe_unknown_key(key: str, keys: Collection[str]) -> str:
    """Return a message that a key is not one of ``keys``, with the nearest one."""
    near = get_close_matches(key, keys, n=1, cutoff=0.5)
    return f"unknown key {key!r}" + (f" (did you mean {near[0]!r}?)" if near else "")


def condition_patterns(when: Table) -> list[str]:
    """Return every regular expression in one condition."""
    read = ((_PATTERNS_IN.get(WHEN_KEYS[key]), value) for key, value in when.items())
    found = [one for patterns_in, value in read if patterns_in for one in patterns_in(value)]
    return [*found, f"(?i:{when['sql']})"] if "sql" in when else found  # as it is searched for


def _check_rule(rule: Table, where: str) -> Table:
    name = rule.get("id")
    _require(
        isinstance(name, str) and re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name),
        where,
        f"a rule needs an id of lower-case letters, digits and hyphens: {name!r}",
    )
    where = f"{where}: rule {name}"
    rule = _check_table(rule, RULE_KEYS, where)
    for key in ("effect", "type", "reason", "instead", "when", "match", "no_match"):
        _require(rule.get(key), where, f"{key} is missing")
    for key in ("reason", "instead"):
        problem = f"{key} is shown to people: one line, no control characters"
        _require(rule[key].isprintable(), where, problem)
    _check_choice(where, "effect", rule["effect"], EFFECTS)
    is_useful = rule["effect"] != "allow" or rule.get("destroys")
    _require(is_useful, where, "a rule with effect allow needs destroys = true")
    _check_choice(where, "impact kind", rule.get("radius", IMPACT_KINDS[0]), IMPACT_KINDS)
    _check_choice(where, "local", rule.get("local", "below"), ("below", "inside"))
    _check_choice(where, "type", rule["type"], JUNCTION_TYPES)
    rule["when"] = [_check_condition(when, f"{where}: when") for when in rule["when"]]
    return rule


def _check_choice(where: str, what: str, value: str, choices: Collection[str]) -> None:
    if value not in choices:
        raise PackError(f"{where}: unknown {what} {value!r}", hint=", ".join(sorted(choices)))


def _check_condition(table: Any, where: str) -> Table:
    when = _check_table(table, WHEN_KEYS, where)
    has_trigger = "program" in when or "trigger" in when
    _require(has_trigger, where, "a condition without a program needs trigger words")
    _require("acts" in when or "reads" not in when, where, "reads has no effect without acts")
    _check_choice(where, "profile", when.get("profile", PROFILES[0]), PROFILES)
    for key, value in when.items():
        _require(value not in ([], {}) or key == "trigger", where, f"{key} is empty")
        kinds = value if WHEN_KEYS[key] == Kinds else ()
        for kind in (one for one in kinds if one.startswith("@")):
            _check_choice(where, "operand class", kind, OPERAND_CLASSES)
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
    later: list[Table] = []
    more: list[Table] = []
    # After a wrapper, a program can be named in ways that the prefilter does not follow.
    words = _name_words([*PREFIXES, *SHELLS, *OPTION_VARIABLES, *SCRIPT_VARIABLES])
    owner: dict[str, str] = {}
    for file, pack in packs.items():
        for section in pack:
            _require(section in SECTIONS, file, f"unknown section {section!r}")
        head = _check_table(pack.get("pack", {}), {"name": str, "summary": str}, f"{file}: pack")
        _require(len(head) == 2, file, "[pack] needs a name and a summary")
        first_look = pack.get("first_look", {})
        words.update(
            _check_table(first_look, {"words": Texts}, f"{file}: first_look").get("words", ())
        )
        for name, program in pack.get("program", {}).items():
            _require(name not in programs, file, f"program {name} is described twice")
            programs[name] = _check_program(program, f"{file}: program {name}")
        more += [
            _check_table(one, FILES_KEYS, f"{file}: runs_files")
            for one in pack.get("runs_files", ())
        ]
        later += [_check_later(one, f"{file}: later") for one in pack.get("later", ())]
        tools.update(_check_table(pack.get("tools", {}), TOOL_KEYS, f"{file}: tools"))
        for raw in pack.get("rule", ()):
            rule = _check_rule(raw, file)
            ident = rule["id"]
            problem = f"the id is already used in {owner.get(ident)}"
            _require(ident not in owner, f"{file}: rule {ident}", problem)
            owner[ident] = file
            rules.append({**rule, "pack": head["name"]})
    _expand_like(programs, rules)
    for one in more:
        _add_files(programs, one)
    return {**_build_index(programs, rules, tools, words), "later": later}


def _check_later(table: Any, where: str) -> Table:
    found = _check_table(table, LATER_KEYS, where)
    for key in LATER_KEYS:
        _require(found.get(key), where, f"{key} is missing")
    _compile_pattern(found["path"], where)
    _check_choice(where, "format", found["format"], LATER_FORMATS)
    return found


def _expand_like(programs: dict[str, Table], rules: list[Table]) -> None:
    """Give programs listed under ``like`` the same table, and a place in the same conditions."""
    likes = {name: program.pop("like", []) for name, program in programs.items()}
    for name, others in likes.items():
        table = {key: value for key, value in programs[name].items() if key != "names"}
        for other in others:
            problem = f"it has a table and is listed as like {name}"
            _require(other not in programs, f"program {other}", problem)
            programs[other] = dict(table)
    for rule in rules:
        for when in rule["when"]:
            named = when.get("program", ())
            every = [one for name in named for one in (name, *likes.get(name, ()))]
            when.update({"program": every} if named else {})


def _add_files(programs: dict[str, Table], more: Table) -> None:
    """Add what a table says about the files of programs that other tables describe, or that none does."""
    known = {alias: name for name in programs for alias in programs[name].get("names", ())}
    added = {key: value for key, value in more.items() if key != "programs"}
    for each in more["programs"]:
        name = each if each in programs else known.get(each, each)
        before = programs.get(name, {})
        joined = dict(before)
        for key, value in added.items():
            joined[key] = _joined(before[key], value) if key in before else value
        programs[name] = _check_program(joined, f"program {name}")


def _joined(before: Any, value: Any) -> Any:
    if isinstance(before, dict):
        return {**value, **before}
    return [*before, *value] if isinstance(before, list) else before


def _check_program(program: Table, where: str) -> Table:
    """Check a program table; ``values`` gets every option whose value another key uses."""
    table = _check_table(program, PROGRAM_KEYS, where)
    _compile_pattern(table.get("installed", "()"), where)
    is_whole = _compile_pattern(table.get("sql_includes", "()"), where).groups == 1
    _require(is_whole, where, "sql_includes must have one group: the file name")
    named = (map(_place, table.get(key, ())) for key in ("values", *VALUED_KEYS))
    values = sorted({one.split("/")[0] for each in named for one in each if one[0] == "-"})
    for key in table.get("command_files", ()):
        _compile_pattern(key[1:] if key[0] == "~" else "()", where)
    for pattern in table.get("settings", ()):
        _compile_pattern(pattern, where)
    return {**table, "values": values} if values else table


def _place(key: str) -> str:
    """Return a key of ``command_files`` without the subcommand that it is for: "run @1"."""
    return key if key[0] == "~" else key.rpartition(" ")[2]


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


_MAX_WORDS = 16_384
"""Words of rules and programs that are remembered: rules are compiled again with each file of a person."""

_pattern = lru_cache(maxsize=_MAX_WORDS)(translate)


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
    literal = (re.split(r"[*?\[.=]", name.lower())[0].strip("-_") for name in names)
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
        names = _name_words([name, *program.get("names", ())])
        for verb in program.get("hooks", ()):
            _add_trigger(triggers, verb, set(names))
        if not OPAQUE_KEYS.isdisjoint(program) or _runs_a_file_by_itself(program):
            triggers.update((word, set()) for word in names)
        elif options := _writing_words(program):
            for word in names:
                _add_trigger(triggers, word, options)
        for variable in _file_variables(program):
            _add_trigger(triggers, variable, set())
    return {word: sorted(partners) for word, partners in sorted(triggers.items())}


def _runs_a_file_by_itself(program: Table) -> bool:
    """Whether it takes commands from a file that no option names."""
    keys = program.get("command_files", ())
    return any(one[0] not in "-$" and one == _place(one) for one in keys)


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
    verbs = [one.rpartition(" ")[0].split(":")[0] for one in keys if one != _place(one)]
    options += [one for each in verbs for one in each.split("|")]
    return {option.strip("-=").lower() for option in (*options, *program.get("write_operands", ()))}


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


@lru_cache(maxsize=_MAX_WORDS)
def _literal_word(path: str) -> str:
    """Return the last part of a subcommand path that is in the text as a separate word."""
    for part in reversed(path.lower().split()):
        before, star, _ = part.partition("*")
        if before and (not star or before[-1] in "-_:."):
            return re.split(r"[:.]", before.strip("-_:."))[0]
    return ""


@lru_cache(maxsize=_MAX_WORDS)
def _verb_word(verb: str) -> str:
    """Return a part of the verb that is in the text as a separate word; "" for none."""
    bare = verb.lower().removeprefix("* ").removesuffix(" *")
    return max(re.findall(r"(?<![a-z0-9*])[a-z0-9]+(?![a-z0-9*])", bare), key=len, default="")


# end of module
