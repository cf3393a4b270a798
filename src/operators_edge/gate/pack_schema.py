"""The schema of rule packs.

Owns the schema of ``packs/*.toml`` and the messages on its errors. Does not own files (``gate.rules``),
compiling (``gate.pack_compiler``) or matching (``gate.conditions``). Pure: tables in, tables out.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NewType, get_type_hints

from operators_edge.errors import PackError
from operators_edge.gate.disk.later import READERS as LATER_FORMATS
from operators_edge.gate.operand_classes import OPERAND_CLASSES
from operators_edge.gate.recovery import KINDS
from operators_edge.gate.rule_types import LaterFile, Program, Rule, Tools
from operators_edge.gate.verbs import ACTS, MAY_ACT, MAY_READ, READS
from operators_edge.model import JUNCTION_TYPES, PROFILES
from operators_edge.shell.wrapper_table import FETCHES

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
    hints = get_type_hints(table, None, {"Effect": str})
    return {key: hints[key] for key in hints if key not in compiled} | more


# ``like``: other programs that take the same options: each condition on this one applies to them too
# ``subcommands``: all of them, as any unique beginning is taken, too; "owner:author": with another name
PROGRAM_KEYS = _keys(Program, "unvouched", like=Texts, subcommands=Texts)
RULE_KEYS = _keys(
    Rule,
    *("pack", "note", "origin", "is_set"),
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
    "unless_last": Kinds,
    "acts": Texts,  # the first operand that is in this list or in "reads" is in this list
    "reads": Texts,
    "verb_at": list[
        int
    ],  # the verb of a remote system is in these places: [verbs] judges it, an unknown one acts
    "local_verbs": bool,  # ... but an unknown one works on this machine
    "operand": Kinds,
    "unless_operand": Kinds,
    "min_operands": int,
    "max_operands": int,
    "dashes": bool,
    "sql": Pattern,
    "batch": dict[
        str, Pattern
    ],  # option → what the commands contain that it reads from that file, or its input
    "code": Pattern,
    "code_writes": Kinds,
    "temporary_backups": bool,  # its repository of backups is in a temporary folder
    "own_databases": bool,  # the databases that its code uses are all its own (``own_databases``)
    "patched": Kinds,
    "environment": str,  # "own" or "shared": it works on the one that the product is installed in
    "redirect": Kinds,
    "redirected": Kinds,  # like "redirect", also of one that appends
    "written": Kinds,
    "words": Pattern,
    "path": Pattern,
    "script": Pattern,
    "stdin_text": Pattern,
    "env": dict[Pattern, Pattern],
    "unless_env": dict[Pattern, Pattern],
    "other_env": dict[Pattern, Pattern],  # a variable is given that is surely not of this kind
    "more": bool,
    "through": Texts,
    "remote": bool,
    "stdin": Texts,
    "stdin_program": Texts,
    "unless_stdin_program": Texts,
    "trigger": Texts,
    "early": Pattern,  # the first three words up to the first option, as one text
    "not_program": Texts,
    "unless_program": Texts,  # for a condition on any program: not one of these, and no table
    "recovers": str,  # how it reaches the files that a snapshot can bring back
    "profile": str,  # holds under this profile only
    "reads_secret": bool,  # the whole text reads a file with secrets, or the environment
    "ends_others": bool,  # it ends processes that others use, too (``processes``)
    "reaches_others": bool,  # it publishes to a registry that is not surely on this machine (``registries``)
    "prints_secret": bool,  # code that it runs prints a secret
    "asks_credential": str,  # its words ask a remote "service", or "any" program, for a credential
    "finds_secret": bool,  # it searches a folder, and prints lines of a file there that hold secrets
    "beside": dict[
        str, Pattern
    ],  # {"*.tf" = "PATTERN"}: a file with such a name in its folder has such a text
    "here": Kinds,  # the folder that it runs in
    "printed": bool,  # what it prints is seen in the session, not only by a program, a variable or a file
    "text": Pattern,  # the whole text that the command is part of
    "input": Kinds,  # what it reads through a redirect
    "client_in": Texts,  # the client runs in one of these: "tmux", "screen", "desktop" …
    "guarded": bool,  # Claude Code, started like this, loads our hooks
    "brings_hooks": bool,  # a file that it writes gets a frontmatter with hooks
    "lets_agents_act": bool,  # the settings of an editor that it writes let agents act without a question
    "brings_own_file": bool,  # it puts a client's settings, which hold our hooks, where they are read
    "published": bool,  # the checked-out commit is known to be on a remote
    "staged_alone": bool,  # something is staged that neither the last commit nor the file contains
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
    "code_loose",
    "part_options",
)
LATER_KEYS = _keys(LaterFile)
VERB_KEYS = {READS: Texts, MAY_READ: Texts, ACTS: Texts, MAY_ACT: Texts}
# What one pack can say about a program of another: what it runs, brings and writes, so nothing that exempts.
FILES_KEYS = {"programs": Texts} | {
    key: PROGRAM_KEYS[key]
    for key in (
        *("brings", "code_loose", "command_files", "command_files_instead"),
        "command_files_unless",
        *("module_folders", "module_variables"),
        *(
            "loads_app",
            "operand_options",
            "preloads",
            "project_files",
            "project_language",
            "recipes",
        ),
        *("recipe_any", "recipe_files", "recipe_folders", "recipe_options", "recipe_verbs"),
        *("recipe_workspaces", "recipes_above", "settings", "settings_files", "task_folders"),
        *("sub_write_options", "values", "write_options", "writes"),
    )
}
# Programs of any pack that can say what they would do, and the words that make them.
DRY_RUN_KEYS = {
    "programs": Texts,
    "style": str,
    "dry_run": Texts,
    "dry_run_not_as": Texts,
    "dry_run_not_with": Texts,
}
SECTIONS = (
    "pack",
    "lists",
    "program",
    "rule",
    "tools",
    "verbs",
    "first_look",
    "later",
    "runs_files",
    "dry_runs",
)


def _as_list(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def _is_list_of(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(one, kind) for one in value)


def _is_list(value: Any) -> bool:
    return _is_list_of(value, str)


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
    list[int]: lambda value: _is_list_of(value, int),
    Texts: _is_texts,
    Kinds: _is_texts,
    list[dict]: lambda value: isinstance(value, list) and bool(value),  # type: ignore[type-arg]
    dict[str, int]: lambda value: _is_table_of(value, lambda one: isinstance(one, int)),
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


def require(truth: object, where: str, problem: str) -> None:
    """Raise PackError with the place and the problem, unless ``truth`` holds."""
    if not truth:
        raise PackError(f"{where}: {problem}")


def _check_table(table: Any, keys: Mapping[str, Any], where: str) -> Table:
    """The table, if it has only these keys and values of their types; one text becomes a list of one."""
    require(isinstance(table, dict), where, "must be a table")
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


def _check_lists(lists: Any, where: str) -> dict[str, list[str]]:
    """Check the lists of names that conditions of the pack use as ``$name``, and add those of all packs."""
    require(_is_table_of(lists, _is_list), where, "[lists] must be lists of texts")
    return {"fetches": sorted(FETCHES), **lists}


def _check_tools(tools: Any, where: str) -> Table:
    table = _check_table(tools, TOOL_KEYS, where)
    for key in {"stays", "quiet"} & table.keys():
        table[key] = [each for one in table[key] for each in _each_of(one)]
    return table


def _check_rule(rule: Table, where: str, lists: Mapping[str, list[str]]) -> Table:
    name = rule.get("id")
    require(
        isinstance(name, str) and re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name),
        where,
        f"a rule needs an id of lower-case letters, digits and hyphens: {name!r}",
    )
    where = f"{where}: rule {name}"
    rule = _check_table(rule, RULE_KEYS, where)
    for key in ("effect", "type", "reason", "instead", "when", "match", "no_match"):
        require(rule.get(key), where, f"{key} is missing")
    for key in ("reason", "instead"):
        problem = f"{key} is shown to people: one line, no control characters"
        require(rule[key].isprintable(), where, problem)
    _check_choice(where, "effect", rule["effect"], EFFECTS)
    _check_choice(where, "effect", rule.get("contextual", "block"), EFFECTS)
    is_useful = rule["effect"] != "allow" or rule.get("destroys")
    require(is_useful, where, "a rule with effect allow needs destroys = true")
    _check_choice(where, "impact kind", rule.get("radius", IMPACT_KINDS[0]), IMPACT_KINDS)
    _check_choice(where, "local", rule.get("local", "below"), ("below", "inside"))
    _check_choice(where, "type", rule["type"], JUNCTION_TYPES)
    rule["when"] = [_check_condition(when, f"{where}: when", lists) for when in rule["when"]]
    return rule


def _listed(name: str, lists: Mapping[str, list[str]], where: str) -> list[str]:
    """Return the names that ``$name`` stands for; any other name as it is."""
    if not name.startswith("$"):
        return [name]
    require(name[1:] in lists, where, f"unknown list {name!r}")
    return lists[name[1:]]


def _check_choice(where: str, what: str, value: str, choices: Collection[str]) -> None:
    if value not in choices:
        raise PackError(f"{where}: unknown {what} {value!r}", hint=", ".join(sorted(choices)))


def _with_named(value: Any, lists: Mapping[str, list[str]]) -> Any:
    """A condition with the one text of a list, or all of them, in the place of its name."""
    if isinstance(value, dict):
        return {key: _with_named(one, lists) for key, one in value.items()}
    if isinstance(value, list):
        return [each for one in value for each in _texts_of(one, lists)]
    found = _texts_of(value, lists)
    return found[0] if len(found) == 1 else value  # a list of programs stands for them all


def _texts_of(value: Any, lists: Mapping[str, list[str]]) -> list[Any]:
    is_name = isinstance(value, str) and value[:1] == "$" and value[1:] in lists
    return lists[value[1:]] if is_name else [value]


def _check_condition(table: Any, where: str, lists: Mapping[str, list[str]]) -> Table:
    when = _check_table(_with_named(table, lists), WHEN_KEYS, where)
    for key in {"sub", "acts", "reads"} & when.keys():
        when[key] = [each for one in when[key] for each in _each_of(one)]
    for key in (
        "program",
        "not_program",
        "unless_program",
        "stdin_program",
        "unless_stdin_program",
        "trigger",
    ):
        if key in when:
            when[key] = [one for name in when[key] for one in _listed(name, lists, where)]
    has_trigger = not {"program", "trigger", "asks_credential"}.isdisjoint(when)
    require(has_trigger, where, "a condition without a program needs trigger words")
    has_verbs = "acts" in when or "verb_at" in when
    require(has_verbs or "reads" not in when, where, "reads has no effect without acts")
    require("verb_at" in when or "local_verbs" not in when, where, "local_verbs needs verb_at")
    places = when.get("verb_at", [1, 1])
    is_range = len(places) == 2 and 1 <= places[0] <= places[1]
    require(is_range, where, "verb_at is the first and the last place of the verb: [1, 3]")
    _check_choice(where, "way to recover", when.get("recovers", KINDS[0]), KINDS)
    _check_choice(where, "profile", when.get("profile", PROFILES[0]), PROFILES)
    asked = when.get("asks_credential", "any")
    _check_choice(where, "kind of program", asked, ("service", "any"))
    for key, value in when.items():
        require(value not in ([], {}) or key == "trigger", where, f"{key} is empty")
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


def check_pack(pack: Table, file: str) -> Table:
    """Check one pack as parsed; return each of its sections, checked."""
    for section in pack:
        require(section in SECTIONS, file, f"unknown section {section!r}")
    head = _check_table(pack.get("pack", {}), {"name": str, "summary": str}, f"{file}: pack")
    require(len(head) == 2, file, "[pack] needs a name and a summary")
    words = _check_table(pack.get("first_look", {}), {"words": Texts}, f"{file}: first_look")
    programs = pack.get("program", {})
    lists = _check_lists(pack.get("lists", {}), file)
    return {
        "words": words.get("words", []),
        "programs": {
            name: check_program(programs[name], f"{file}: program {name}") for name in programs
        },
        "runs_files": [
            _check_table(one, FILES_KEYS, f"{file}: runs_files")
            for one in pack.get("runs_files", ())
        ],
        "dry_runs": [
            _check_table(one, DRY_RUN_KEYS, f"{file}: dry_runs") for one in pack.get("dry_runs", ())
        ],
        "later": [_check_later(one, f"{file}: later") for one in pack.get("later", ())],
        "tools": _check_tools(pack.get("tools", {}), f"{file}: tools"),
        "verbs": _check_table(pack.get("verbs", {}), VERB_KEYS, f"{file}: verbs"),
        "rules": [
            {**_check_rule(one, file, lists), "pack": head["name"]} for one in pack.get("rule", ())
        ],
    }


def _check_later(table: Any, where: str) -> Table:
    found = _check_table(table, LATER_KEYS, where)
    for key in LATER_KEYS:
        require(found.get(key), where, f"{key} is missing")
    _compile_pattern(found["path"], where)
    _check_choice(where, "format", found["format"], LATER_FORMATS)
    return found


def check_program(program: Table, where: str) -> Table:
    """Check a program table; ``values`` gets every option whose value another key uses."""
    table = _check_table(program, PROGRAM_KEYS, where)
    for listed in {"command_files", "recipe_verbs"} & table.keys():
        spread = {one: how for key, how in table[listed].items() for one in _each_of(key)}
        table = {**table, listed: spread}
    for listed in {"dry_run", "command_files_unless", "command_files_instead"} & table.keys():
        table = {**table, listed: [each for one in table[listed] for each in _each_of(one)]}
    for key in (*table.get("command_files", ()), *table.get("settings_files", ())):
        _check_file_key(key, where)
    read = {place(key) for key in table.get("command_files", ())}
    for key in table.get("command_files_instead", ()):
        is_read = place(key) in read and place(key)[0] == "-"
        require(is_read, where, f"command_files_instead: {key!r} is no option of command_files")
    _compile_pattern(table.get("installed", "()"), where)
    is_whole = _compile_pattern(table.get("sql_includes", "()"), where).groups == 1
    require(is_whole, where, "sql_includes must have one group: the file name")
    named = (map(place, table.get(key, ())) for key in ("values", *VALUED_KEYS))
    values = sorted({one.split("/")[0] for each in named for one in each if one[0] == "-"})
    for pattern in table.get("settings", ()):
        _compile_pattern(pattern, where)
    return {**table, "values": values} if values else table


def _each_of(key: str) -> list[str]:
    """A key as often as its braces say: ``src/*.{java,kt}``."""
    found = re.search(r"\{([^{}]*)\}", key) if key[:1] != "~" else None
    if found is None:
        return [key]
    before, after = key[: found.start()], key[found.end() :]
    return [one for part in found[1].split(",") for one in _each_of(f"{before}{part}{after}")]


def _check_file_key(key: str, where: str) -> None:
    """Check a key of ``command_files``: an option, operand, variable, pattern or file name."""
    is_pattern = key[:1] == "~"
    is_named = bool(key) and (is_pattern or re.fullmatch(r"[^@].*|@\d+(/.*)?", place(key)))
    require(is_named, where, f"{key!r} names no file: docs/configuration.md lists the forms")
    groups = _compile_pattern(key[1:] if is_pattern else "", where).groups
    require(groups <= 1, where, f"{key!r} may have one group: the file name")


def place(key: str) -> str:
    """Return a key of ``command_files`` without the subcommand that it is for: "run @1"."""
    return key if key[0] == "~" else key.rpartition(" ")[2]


# end of module
