"""Judging past calls by today's rules, with the machine's files as they are now.

Owns which project and which rules a past call belongs to, and that equal calls are judged once. Writes
nothing. Does not own the counts (``reports.replay``) or how calls are found.
"""

from __future__ import annotations

import json
import os

from operators_edge.config import compiled, effective, files as config_files
from operators_edge.gate.decide import assess, is_plain
from operators_edge.gate.facts import SystemFacts, place
from operators_edge.gate.rules import Rules
from operators_edge.reports.replay import Judged, PastAnswer, PastCall, Tally, judged
from operators_edge.system import project_root
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from operators_edge.config.schema import Source
    from operators_edge.model import Call, Place

    RulesOf = Callable[[str | None], Rules]

_MAX_KNOWN = 100_000
_CALLS_PER_FACTS = 5_000
"""So many calls share what was found out about the machine: nothing changes meanwhile, memory is bounded."""

_ALLOWED = Judged("allowed")


class Draft(NamedTuple):
    """Settings to try: each that is given stands in the place of the one on the disk, nothing is set.

    ``project`` and ``confirmed`` are for the project at ``root``; all other projects keep theirs.
    """

    user: Source | None = None
    project: Source | None = None
    confirmed: frozenset[str] | None = None
    root: str | None = None


def effective_rules(
    env: Mapping[str, str], *, profile: str = "", draft: Draft | None = None
) -> RulesOf:
    """The rules in force at a root, also under another profile or with a draft; stores nothing."""

    def rules_of(root: str | None) -> Rules:
        if draft is None:
            found = effective.load_cached(root, env) or compiled.load(root, env)
        else:
            found = Rules(_compiled(draft, root, env))
        return found.with_profile(profile or found.profile)

    return rules_of


def _compiled(draft: Draft, root: str | None, env: Mapping[str, str]) -> dict[str, Any]:
    files = config_files.read(root, env)
    files = files._replace(user=draft.user or files.user)
    if root is None or root != draft.root:
        return compiled.compiled(root, env, files)
    files = files._replace(project=draft.project or files.project)
    return compiled.compiled(root, env, files, draft.confirmed)


class _At(NamedTuple):
    root: str | None
    place: Place
    rules: Sequence[Rules]


class Replay:
    """Past calls under one or several sets of rules; ``tallies`` has one for each, in their order.

    ``gone`` are the folders of sessions that do not exist any more: their calls are judged by their words.
    """

    def __init__(self, env: Mapping[str, str], rules: Sequence[RulesOf]) -> None:
        self.tallies = [Tally() for _ in rules]
        self.gone: list[str] = []
        self._env = env
        self._rules = rules
        self._places: dict[str, _At] = {}
        self._known: dict[int, tuple[Judged, ...]] = {}
        self._facts = SystemFacts()
        self._judged = 0

    def run(self, items: Iterable[PastCall | PastAnswer]) -> None:
        for item in items:
            if isinstance(item, PastAnswer):
                for tally in self.tallies:
                    tally.answer(item)
                continue
            at = self._at(item.start)
            key = _key(item.call, at.root)
            known = self._known.get(key)
            if known is None:
                if len(self._known) >= _MAX_KNOWN:
                    self._known.clear()
                known = self._known[key] = tuple(
                    self._judge(item.call, at.place, rules) for rules in at.rules
                )
            for tally, one in zip(self.tallies, known, strict=True):
                tally.add(item, key, one)

    def _judge(self, call: Call, where: Place, rules: Rules) -> Judged:
        command = call.input.get("command")
        may_run = isinstance(command, str) and effective.repository_may_run(command, call.cwd)
        if is_plain(call, rules) and not may_run:
            return _ALLOWED
        self._judged += 1
        if self._judged % _CALLS_PER_FACTS == 0:
            self._facts = SystemFacts()
        return judged(assess(call, where, self._facts, rules))

    def _at(self, start: str) -> _At:
        found = self._places.get(start)
        if found is None:
            if not os.path.isdir(start):
                self.gone.append(start)
            root = root_of(start)
            rules = [rules_of(root) for rules_of in self._rules]
            found = self._places[start] = _At(root, place(root, self._env), rules)
        return found


def root_of(start: str) -> str | None:
    """The project of a session that began there; of a folder that is gone, the folder itself."""
    if not start or os.path.isdir(start):
        return project_root.find(start).root if start else None
    return start


def _key(call: Call, root: str | None) -> int:
    given = {name: value for name, value in call.input.items() if name != "description"}
    return hash((root, call.cwd, call.tool, json.dumps(given, sort_keys=True)))


# end of module
