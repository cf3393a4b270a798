"""The layers of configuration: what of a person's and a project's settings is effective.

Owns which layer may change what (GA-3, JU-4). The person's own file may do anything except loosen the rules
that guard decisions. A project's file comes with the repository and is not trusted: it can tighten anything,
and loosen only a rule that allows it, after a person confirmed exactly that. Pure: does not own the keys
(``config.schema``), a file's own rules (``config.own_rules``), files (``config.files``) or what was confirmed
(``config.trust``).
"""

from __future__ import annotations

from difflib import get_close_matches

from operators_edge.config import own_rules
from operators_edge.config.schema import (
    DEFAULTS,
    LADDERS,
    NUMBERS,
    PROJECTS,
    REDACTION_KEYS,
    USERS,
    ConfigError,
    layers_of,
    texts,
)
from operators_edge.errors import EdgeError, PackError
from operators_edge.model import GUARDING, KEEP_DAYS, SEVERITY
from operators_edge.text.wording import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from operators_edge.config.schema import Layer, Source, Table
    from operators_edge.gate.pack_compiler import CompiledPacks

_PROBLEM_LENGTH = 200


def _days(days: int | None) -> str:
    return "forever" if days is None else f"{days} days"


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
    for kind, source in ((USERS, user), (PROJECTS, project)):
        if source is not None:
            made.add(source, kind, root)
    return made.finished()


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
        return own_rules.extended(packs, layer, shipped=self.shipped)

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
            is_unvouched = layer.kind == PROJECTS
            for name, program in layer.table.get("program", {}).items():
                for described in (name, *texts(program.get("like"))):
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
            if layer.kind == USERS or ladder.index(wanted) >= ladder.index(value):
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
                if layer.kind == PROJECTS and is_own:
                    self._ignore(key, str(wanted), where, "your own file says otherwise")
                    continue
                tokens, is_own = wanted, layer.kind == USERS
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
                        and layer.kind == PROJECTS
                        and not self._may_allow(layer, each, origin)
                    ):
                        continue
                    found[key].append(each)
                    self.values[f"redaction.{key}.{each}"] = (key, origin)
        return {key: list(dict.fromkeys(patterns)) for key, patterns in found.items()}

    def _may_allow(self, layer: Layer, pattern: str, origin: str) -> bool:
        name = "redaction.allow"
        if USERS in self.broken:
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
                if layer.kind == USERS or wanted is None or (days is not None and wanted >= days):
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
            if layer.kind == PROJECTS:
                self._loosen(layer, rule, effect, origin)
                return
        if layer.kind == USERS:
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
        if ident in self.pinned or rule["pack"] == USERS:
            self._ignore(key, effect, origin, "your own file says otherwise")
        elif not rule.get("loosenable"):
            self._ignore(key, effect, origin, "this rule is not one that a project may loosen")
        elif USERS in self.broken:
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
