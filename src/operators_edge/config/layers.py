"""The layers of configuration: what a person and a project set, and what of it is effective.

Owns the keys, their validation, and which layer may change what (GA-3, JU-4). The person's own file may do
anything except loosen the rules that guard decisions. A project's file comes with the repository and is not
trusted: it can tighten anything, and loosen only a rule that allows it, after a person confirmed exactly
that. Pure: does not own files (``config.files``) or what was confirmed (``config.trust``).
"""

from __future__ import annotations

import os.path
import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.errors import EdgeError, PackError
from operators_edge.gate.pack_schema import EFFECTS, describe_unknown_key
from operators_edge.gate.rules import DEFAULT_PROFILE
from operators_edge.model import CONTEXT_TOKENS, GUARDING, KEEP_DAYS, SEVERITY, UNDO_MEGABYTES
from operators_edge.redaction import own_patterns
from operators_edge.shell.wrapper_table import PREFIXES
from operators_edge.shell.wrappers import SHELLS
from operators_edge.text.wording import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from operators_edge.gate.pack_compiler import CompiledPacks

Table = dict[str, Any]

LADDERS = {"junction_style": ("ask", "deny"), "profile": ("contextual", "strict")}
"""Every setting with ordered values, the loosest first."""

DEFAULTS = {"junction_style": "ask", "profile": DEFAULT_PROFILE}

NUMBERS = {
    "context_tokens": (CONTEXT_TOKENS, (100, 2000)),
    "undo_megabytes": (UNDO_MEGABYTES, (200, 1_000_000)),
}
"""Every setting that is a number: its default, the least and the most."""

KEYS = (*LADDERS, *NUMBERS, "checks", "redaction", "retention", "rules", "rule", "program")
REDACTION_KEYS = ("patterns", "allow")
BRIDGE = "bridge"
"""The table with the settings of the Bridge, which reads and checks it."""
MAX_CHECKS = 50
# Their exit code says nothing about the work, whatever their arguments are.
_NOT_A_CHECK = frozenset(
    {"true", ":", "echo", "printf", "exit", "return", "test", "["}
    | {"cd", "ls", "cat", "pwd", "sleep", "git"}
)
OVERRIDE_KEYS = ("effect",)
_USERS, _PROJECTS = "user", "project"
_PROBLEM_LENGTH = 200
# These keys of a program keep the gate from judging parts of a call: a project must not set them.
_PERSON_ONLY_KEYS = (
    *("help", "help_first", "dry_run", "dry_run_not_as", "dry_run_not_with", "checks"),
    *("folder", "script", "scripts"),
)


class ConfigError(EdgeError):
    """A configuration cannot be used: the file, the key and the problem."""

    exit_code = 64
    code = "config"


class Source(NamedTuple):
    """One file as it was read. ``name`` is its displayed name; ``problem`` says why it could not be read.

    ``lines``: "profile" or "rules.git-push.effect" → its line, if known.
    """

    name: str
    table: Table
    problem: str = ""
    lines: Mapping[str, int] = {}
    section: str = ""


class Layer(NamedTuple):
    """One validated table of a file. ``kind`` says whose file it is."""

    kind: str
    source: Source
    table: Table
    path: str = ""

    @property
    def label(self) -> str:
        return f"{self.source.name} [{self.path}]" if self.path else self.source.name

    def origin(self, *key: str) -> str:
        """The file and line of a key, or the file and table."""
        section, last = ".".join(key[:-1]), key[-1]
        parts = [part for part in (self.path or self.source.section, section) if part]
        line = self.source.lines.get(".".join([*parts, last]))
        if line is not None:
            return f"{self.source.name}:{line}"
        return f"{self.source.name} [{'.'.join(parts)}]" if parts else self.source.name


def layers_of(source: Source, kind: str, root: str | None) -> list[Layer]:
    """The validated layers of one file: the person's can have another one for the project at ``root``."""
    if source.problem:
        raise ConfigError(f"{source.name}: {source.problem}")
    table = dict(source.table)
    own = table.pop("project", {}) if kind == _USERS else {}
    if not isinstance(own, dict):
        raise ConfigError(f"{source.name}: project: it must have a table for each project")
    keys = (*KEYS, BRIDGE)
    _check(table, source.name, (*keys, "project") if kind == _USERS else keys)
    found = [Layer(kind, source, table)]
    for folder, inner in own.items():
        if not os.path.isabs(folder):
            raise ConfigError(f"{source.name}: project {folder!r}: it must be an absolute path")
        _check(inner, f"{source.name}: project {folder!r}", KEYS)
        if root is not None and os.path.normpath(folder) == root:
            found.append(Layer(kind, source, inner, f'project."{folder}"'))
    return found


def _check(table: Any, where: str, keys: Collection[str]) -> None:
    if not isinstance(table, dict):
        raise ConfigError(f"{where}: it must be a table")
    for key in table:
        known(key, keys, where)
    for key, ladder in LADDERS.items():
        if table.get(key, ladder[0]) not in ladder:
            wanted = " or ".join(ladder)
            raise ConfigError(f"{where}: {key} is {_quoted(table[key])}, it can be {wanted}")
    _check_numbers(table, where)
    _check_checks(table.get("checks", []), f"{where}: checks")
    _check_retention(table.get("retention", {}), f"{where}: retention")
    _check_redaction(table.get("redaction", {}), f"{where}: redaction")
    for ident, override in _tables(table.get("rules", {}), f"{where}: rules"):
        for key in override:
            known(key, OVERRIDE_KEYS, f"{where}: rules.{ident}")
        if override.get("effect") not in EFFECTS:
            effect = _quoted(override.get("effect"))
            raise ConfigError(
                f"{where}: rules.{ident}: effect is {effect}, it can be {', '.join(EFFECTS)}"
            )
    for _ in _tables(table.get("program", {}), f"{where}: program"):
        pass
    rules = table.get("rule", [])
    if not isinstance(rules, list) or not all(isinstance(rule, dict) for rule in rules):
        raise ConfigError(f"{where}: rule: own rules are written as [[rule]]")


def _check_numbers(table: Table, where: str) -> None:
    for key, (default, (least, most)) in NUMBERS.items():
        number = table.get(key, default)
        if type(number) is not int or not least <= number <= most:
            wanted = f"it can be {least} to {most}"
            raise ConfigError(f"{where}: {key} is {_quoted(number)}, {wanted}")


def _check_checks(listed: Any, where: str) -> None:
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        raise ConfigError(f'{where}: it must be a list of commands: ["./verify.sh", "make ci"]')
    if len(listed) > MAX_CHECKS:
        raise ConfigError(f"{where}: these are {len(listed)}, at most {MAX_CHECKS} are allowed")
    for command in listed:
        words = command.split()
        if not words or re.search(r"[|&;<>()$`\n\"'\\]", command):
            raise ConfigError(f"{where}: {_quoted(command)}: it must be one plain command")
        if words[0] in _NOT_A_CHECK:
            raise ConfigError(f"{where}: {_quoted(command)} judges nothing: it is not a check")


def _check_retention(table: Any, where: str) -> None:
    if not isinstance(table, dict):
        raise ConfigError(f"{where}: it must be a table")
    for key, days in table.items():
        known(key, KEEP_DAYS, where)
        if days != "forever" and (type(days) is not int or days < 1):
            raise ConfigError(f'{where}.{key} is {_quoted(days)}, it can be days or "forever"')


def known(key: str, keys: Collection[str], where: str) -> None:
    """Raise ConfigError for a key that is not one of ``keys``, naming the most similar one."""
    if key in keys:
        return
    raise ConfigError(
        f"{where}: {describe_unknown_key(key, keys)}", hint=f"known: {', '.join(keys)}"
    )


def _check_redaction(table: Any, where: str) -> None:
    if not isinstance(table, dict):
        raise ConfigError(f"{where}: it must be a table")
    for key, patterns in table.items():
        known(key, REDACTION_KEYS, where)
        for problem in own_patterns.problems(f"{where}.{key}", patterns):
            raise ConfigError(problem)


def _tables(value: Any, where: str) -> Iterator[tuple[str, Table]]:
    if not isinstance(value, dict):
        raise ConfigError(f"{where}: it must be a table")
    for name, inner in value.items():
        if not isinstance(inner, dict):
            raise ConfigError(f"{where}.{name}: it must be a table")
        yield name, inner


def _texts(value: object) -> list[str]:
    """One string or a list of strings; anything else is reported when the pack is compiled."""
    listed = value if isinstance(value, list) else [value]
    return [one for one in listed if isinstance(one, str)]


def _days(days: int | None) -> str:
    return "forever" if days is None else f"{days} days"


def _quoted(value: object) -> str:
    return one_line(repr(value), 60)


def effective(
    packs: CompiledPacks,
    *,
    user: Source | None,
    project: Source | None,
    root: str | None,
    confirmed: Collection[str] = (),
) -> Table:
    """The compiled effective rules; ``config`` lists what is set, where, and what is ignored.

    ``confirmed`` are the loosenings ("git-push=warn") that a person confirmed for the project. Of a file that
    cannot be used nothing is effective, the other file still is, and the profile becomes strict.
    """
    made = _Merge(packs, confirmed)
    for kind, source in ((_USERS, user), (_PROJECTS, project)):
        if source is not None:
            made.add(source, kind, root)
    return made.finished()


def own_packs(source: Source, kind: str, root: str | None) -> dict[str, Table]:
    """A usable file's own rules and programs as packs, by the layer that holds them."""
    packs = {layer.label: _own_pack(layer) for layer in layers_of(source, kind, root)}
    for rule in (rule for pack in packs.values() for rule in pack.get("rule", ())):
        rule.update({key: _texts(rule.get(key)) for key in ("match", "no_match")})
    return packs


_OWN_KEYS = ("program", "rule")


def _own_pack(layer: Layer) -> Table:
    own: Table = {key: layer.table[key] for key in _OWN_KEYS if key in layer.table}
    return {"pack": {"name": layer.kind, "summary": layer.label}, **own}


def remarks(config: Table) -> list[str]:
    """What a person should know about the configuration, a sentence each; empty if all is effective."""
    found = [f"{problem} (nothing in this file is effective)" for problem in config["problems"]]
    found += [f"{problem} (only this rule is not effective)" for problem in config["left_out"]]
    if config["waiting"]:
        file = config["waiting"][0]["file"]
        rules = ", ".join(each["rule"] for each in config["waiting"])
        found.append(f"{file} would loosen {rules}: a person confirms it with `edge config trust`")
    return [*found, *config["notes"]]


def _problem(source: Source, error: EdgeError) -> str:
    what = error.message
    named = what if what.startswith(source.name) else f"{source.name}: {what}"
    return one_line(named, _PROBLEM_LENGTH)


def _set_effect(rule: Table, effect: str) -> None:
    """Give a rule the same effect under every profile."""
    rule["effect"] = effect
    rule["is_set"] = True
    rule.pop("contextual", None)


def _tighten(rule: Table, effect: str) -> None:
    """Give a rule at least this effect under every profile."""
    rule["is_set"] = True
    for key in ("effect", "contextual"):
        if key in rule:
            rule[key] = max(rule[key], effect, key=lambda each: SEVERITY[each])


class _Merge:
    """The packs, and the layers added to them so far."""

    def __init__(self, packs: CompiledPacks, confirmed: Collection[str]) -> None:
        self.packs = packs
        self.shipped = packs
        self.confirmed = confirmed
        self.layers: list[Layer] = []
        self.broken: dict[str, str] = {}
        self.left_out: dict[str, list[str]] = {}
        self.values: dict[str, tuple[str, str]] = {}
        self.ignored: list[dict[str, str]] = []
        self.waiting: list[dict[str, str]] = []
        self.loosened: list[dict[str, str]] = []
        self.pinned: set[str] = set()

    def add(self, source: Source, kind: str, root: str | None) -> None:
        """Add a file's layers; one that cannot be used changes nothing. A rule that cannot is left out."""
        try:
            layers = layers_of(source, kind, root)
            packs, usable = self.packs, []
            for layer in layers:
                packs, kept = self._with_own(packs, layer)
                usable.append(kept)
        except (ConfigError, PackError) as error:
            self.broken[kind] = _problem(source, error)
            return
        self.packs = packs
        self.layers += usable

    def _with_own(self, packs: CompiledPacks, layer: Layer) -> tuple[CompiledPacks, Layer]:
        """The packs with a layer's own programs and rules; and the layer, without rules that are wrong."""
        try:
            return self._extended(packs, layer), layer
        except (ConfigError, PackError):
            rules = layer.table.get("rule")
            if not isinstance(rules, list):
                raise
        kept, wrong = [], []
        for rule in rules:
            try:
                self._extended(packs, layer._replace(table={**layer.table, "rule": [rule]}))
                kept.append(rule)
            except (ConfigError, PackError) as error:
                wrong.append(_problem(layer.source, error))
        usable = layer._replace(table={**layer.table, "rule": kept})
        packs = self._extended(packs, usable)  # if the rules are not what is wrong, nothing is used
        self.left_out[layer.kind] = [*self.left_out.get(layer.kind, []), *wrong]
        return packs, usable

    def _extended(self, packs: CompiledPacks, layer: Layer) -> CompiledPacks:
        self._check_own(layer)
        if not any(layer.table.get(key) for key in _OWN_KEYS):
            return packs
        return packs.extended({layer.label: _own_pack(layer)})

    # -- own programs and rules ------------------------------------------------------------------

    def _check_own(self, layer: Layer) -> None:
        for name, program in layer.table.get("program", {}).items():
            self._check_program(name, program, f"{layer.label}: program {name}", layer.kind)
        for rule in layer.table.get("rule", ()):
            self._check_rule(rule, f"{layer.label}: rule {rule.get('id')}")

    def _check_program(self, name: str, program: Table, where: str, kind: str) -> None:
        for alias in (name, *_texts(program.get("names")), *_texts(program.get("like"))):
            self._check_name(alias, where, kind)
        for key in _PERSON_ONLY_KEYS if kind == _PROJECTS else ():
            if key in program:
                raise ConfigError(f"{where}: {key} is only for your own file")

    def _check_rule(self, rule: Table, where: str) -> None:
        if str(rule.get("id")).startswith(GUARDING):
            raise ConfigError(f"{where}: ids with {GUARDING} are the product's own")
        whens = rule.get("when")
        for when in whens if isinstance(whens, list) else ():
            for name in _texts(when.get("program")) if isinstance(when, dict) else ():
                self._check_ruled(name, where)

    def _check_name(self, name: str, where: str, kind: str) -> None:
        """Only a program that no shipped rule or table knows can be described: it could escape them."""
        if kind == _PROJECTS and not re.fullmatch(r"[\w.+-]+", name):
            raise ConfigError(f"{where}: {_quoted(name)} is not a plain program name")
        is_wrapper = name.lower() in PREFIXES or name.lower() in SHELLS
        if is_wrapper or self._known_as(name) is not None or name in self._mentioned():
            raise ConfigError(
                f"{where}: {name} is already known; only new programs can be described"
            )

    def _check_ruled(self, name: str, where: str) -> None:
        """A rule must name a program as the packs do: another spelling would not find its table."""
        known_as = self._known_as(name)
        if known_as is not None and name not in self.packs.names and "*" not in name:
            raise ConfigError(f"{where}: program {name} is known as {known_as}; use that name")

    def _known_as(self, name: str) -> str | None:
        names, globs = self.packs.names, self.packs.globs
        found = names.get(name) or names.get(name.lower())
        return found or next((one for pattern, one in globs if re.match(pattern, name)), None)

    def _mentioned(self) -> set[str]:
        """Programs that shipped rules name in a condition although no table describes them."""
        rules = (rule for pack in self.shipped.packs.values() for rule in pack.get("rule", ()))
        keys = ("program", "unless_program", "through", "stdin_program")
        values = (when.get(key, ()) for rule in rules for when in rule["when"] for key in keys)
        return {one for value in values for one in _texts(value)}

    # -- what is effective -----------------------------------------------------------------------

    def finished(self) -> Table:
        compiled = self.packs.table()
        rules = {rule["id"]: rule for rule in compiled["rules"]}
        owners = {layer.kind: layer for layer in self.layers}
        for rule in rules.values():
            if rule["pack"] in owners:
                rule["origin"] = owners[rule["pack"]].source.name
                rule["note"] = f"This rule is from {rule['origin']}."
        programs = compiled["programs"]
        for layer in self.layers:
            is_unvouched = layer.kind == _PROJECTS
            for name, program in layer.table.get("program", {}).items():
                for described in (name, *_texts(program.get("like"))):
                    programs[described] = {**programs[described], "unvouched": is_unvouched}
        for key in LADDERS:
            self._resolve(key)
        more = {
            "keep_days": self._keep_days(),
            "checks": self._checks(),
            **{key: self._number(key) for key in NUMBERS},
            "redaction": self._redaction(),
        }
        for layer in self.layers:
            for ident, override in layer.table.get("rules", {}).items():
                self._override(layer, ident, rules, override["effect"])
        for rule in rules.values():
            self._note_broken(rule)
        return {**compiled, "config": {**self._summary(rules), **more}}

    def _resolve(self, key: str) -> None:
        ladder = LADDERS[key]
        value, origin = DEFAULTS[key], "default"
        for layer in self.layers:
            if key not in layer.table:
                continue
            wanted, where = layer.table[key], layer.origin(key)
            if layer.kind == _USERS or ladder.index(wanted) >= ladder.index(value):
                value, origin = wanted, where
            else:
                self._ignore(key, wanted, where, "a project can only tighten this")
        wrong = {**self.left_out, **self.broken}
        if key == "profile" and wrong and value != ladder[-1]:
            what = "configuration" if self.broken else "rules"
            value, origin = ladder[-1], f"{' '.join(wrong)} {what} cannot be used"
        self.values[key] = (value, origin)

    def _number(self, key: str) -> int:
        """A project's number counts only if the person set none: it spends their tokens and their disk."""
        tokens, is_own = NUMBERS[key][0], False
        for layer in self.layers:
            if key in layer.table:
                wanted, where = layer.table[key], layer.origin(key)
                if layer.kind == _PROJECTS and is_own:
                    self._ignore(key, str(wanted), where, "your own file says otherwise")
                    continue
                tokens, is_own = wanted, layer.kind == _USERS
                self.values[key] = (str(tokens), where)
        return tokens

    def _checks(self) -> list[str]:
        """The checks of all layers together."""
        for layer in self.layers:
            for command in layer.table.get("checks", ()):
                self.values[f"checks.{command}"] = ("a check", layer.origin("checks"))
        listed = (command for layer in self.layers for command in layer.table.get("checks", ()))
        return list(dict.fromkeys(listed))

    def _redaction(self) -> dict[str, list[str]]:
        """The patterns of all layers; what a project allows to be shown counts if a person confirmed it."""
        found: dict[str, list[str]] = {key: [] for key in REDACTION_KEYS}
        for layer in self.layers:
            for key, patterns in layer.table.get("redaction", {}).items():
                origin = layer.origin("redaction", key)
                for each in patterns:
                    if (
                        key == "allow"
                        and layer.kind == _PROJECTS
                        and not self._may_allow(layer, each, origin)
                    ):
                        continue
                    found[key].append(each)
                    self.values[f"redaction.{key}.{each}"] = (key, origin)
        return {key: list(dict.fromkeys(patterns)) for key, patterns in found.items()}

    def _may_allow(self, layer: Layer, pattern: str, origin: str) -> bool:
        name = "redaction.allow"
        if _USERS in self.broken:
            why = "your own file, which may set it, cannot be read"
        elif self._is_confirmed(layer, name, "hidden", pattern, origin):
            return True
        else:
            why = "not confirmed by a person: edge config trust"
        self._ignore(name, pattern, origin, why)
        return False

    def _is_confirmed(self, layer: Layer, name: str, before: str, wanted: str, origin: str) -> bool:
        """Whether a person confirmed this loosening of a project's; it is noted either way."""
        loosening = {
            "rule": name,
            "from": before,
            "effect": wanted,
            "file": layer.source.name,
            "origin": origin,
        }
        if f"{name}={wanted}" in self.confirmed:
            self.loosened.append(loosening)
            return True
        self.waiting.append(loosening)
        return False

    def _keep_days(self) -> dict[str, int | None]:
        """A project can only lengthen retention: what leaves the archive is deleted."""
        kept = dict(KEEP_DAYS)
        for name, now in KEEP_DAYS.items():
            key, days = f"retention.{name}", now
            for layer in self.layers:
                if name not in layer.table.get("retention", {}):
                    continue
                value, where = layer.table["retention"][name], layer.origin("retention", name)
                wanted = None if value == "forever" else value
                if layer.kind == _USERS or wanted is None or (days is not None and wanted >= days):
                    days = wanted
                    self.values[key] = (_days(days), where)
                else:
                    self._ignore(key, _days(wanted), where, "a project can only lengthen retention")
            kept[name] = days
        return kept

    def _override(self, layer: Layer, ident: str, rules: dict[str, Table], effect: str) -> None:
        key, origin = f"rules.{ident}.effect", layer.origin("rules", ident, "effect")
        rule = rules.get(ident)
        if rule is None:
            similar = get_close_matches(ident, rules, n=1)
            why = (
                f"there is no such rule; perhaps {similar[0]}"
                if similar
                else "there is no such rule"
            )
            self._ignore(key, effect, origin, why)
            return
        if SEVERITY[effect] < SEVERITY[self._effect_now(rule)]:
            if ident.startswith(GUARDING):
                self._ignore(key, effect, origin, "it guards decisions: nothing loosens it")
                return
            if layer.kind == _PROJECTS:
                self._loosen(layer, rule, effect, origin)
                return
        if layer.kind == _USERS:
            self.pinned.add(ident)
            _set_effect(rule, effect)
        else:
            _tighten(rule, effect)
        rule["note"] = f"Set to {effect} in {origin}."
        self.values[key] = (effect, origin)

    def _effect_now(self, rule: Table) -> str:
        """The rule's effect under the profile in force."""
        by_profile = {"contextual": rule.get("contextual", rule["effect"])}
        return str(by_profile.get(self.values["profile"][0], rule["effect"]))

    def _loosen(self, layer: Layer, rule: Table, effect: str, origin: str) -> None:
        """Loosen a rule for a project: only if its pack allows it and a person confirmed it."""
        ident, name = rule["id"], layer.source.name
        key = f"rules.{ident}.effect"
        if ident in self.pinned or rule["pack"] == _USERS:
            self._ignore(key, effect, origin, "your own file says otherwise")
        elif not rule.get("loosenable"):
            self._ignore(key, effect, origin, "this rule is not one that a project may loosen")
        elif _USERS in self.broken:
            self._ignore(key, effect, origin, "your own file, which may set it, cannot be read")
        else:
            if self._is_confirmed(layer, ident, self._effect_now(rule), effect, origin):
                rule["note"] = f"Loosened to {effect} by {name}, as a person confirmed."
                _set_effect(rule, effect)
                self.values[key] = (effect, f"{origin} (confirmed)")
                return
            rule["note"] = (
                f"{name} would loosen this to {effect}; "
                "a person confirms it with `edge config trust`."
            )
            self._ignore(key, effect, origin, "not confirmed by a person: edge config trust")

    def _ignore(self, key: str, value: str, origin: str, why: str) -> None:
        self.ignored.append({"key": key, "value": value, "origin": origin, "why": why})

    def _note_broken(self, rule: Table) -> None:
        for problem in self.broken.values():
            note = f"{rule.get('note', '')} Nothing in this file is effective: {problem}."
            rule["note"] = note.strip()
        for problem in (each for listed in self.left_out.values() for each in listed):
            rule["note"] = f"{rule.get('note', '')} A rule is not effective: {problem}.".strip()

    def _summary(self, rules: dict[str, Table]) -> Table:
        own = {
            f"rules.{rule['id']}.effect": (rule["effect"], rule["origin"])
            for rule in rules.values()
            if "origin" in rule
        }
        programs = {
            f"program.{name}": ("described", layer.origin("program", name, "names"))
            for layer in self.layers
            for name in layer.table.get("program", ())
        }
        values = {**own, **programs, **self.values}
        return {
            "profile": self.values["profile"][0],
            "junction_style": self.values["junction_style"][0],
            "values": [
                {"key": key, "value": value, "origin": origin}
                for key, (value, origin) in sorted(values.items())
            ],
            "ignored": self.ignored,
            "waiting": self.waiting,
            "loosened": self.loosened,
            "problems": list(self.broken.values()),
            "left_out": [each for listed in self.left_out.values() for each in listed],
            "notes": [],
        }


# end of module
