"""Verdicts on the last calls, kept while everything that they rest on is the same.

A verdict depends on the call, the place, the rules and the answers of ``Facts`` alone. So the same call gets
the same verdict as long as each of these answers is the same, the texts of the files among them: they are
asked again every time. Kept in this process only, where no tool of the agent can write.

Owns noting the answers and comparing them. Does not own the verdict (``gate.decide``). Loaded by a process
that stays, and once a call has run a file.
"""

from __future__ import annotations

from operators_edge.system.digest import sha256_hex
from operators_edge.tuples import cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from operators_edge.gate.rules import Rules
    from operators_edge.model import Call, Facts, Place, Verdict

    Asked = tuple[str, tuple[Any, ...]]
    Judge = Callable[[Call, Place, Facts, Rules], Verdict]

MAX_VERDICTS = 256
MAX_ANSWERS = 2_000
"""Answers of one verdict that is kept."""
_SHORT = 64
_MAX_KEY = 2_048
"""Characters of a call's input that are kept; of a longer one only the digest."""


class NotingFacts:
    """Facts that ask once for each answer of a call, and note what was answered."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._known: dict[Asked, Any] = {}

    def __getattr__(self, name: str) -> Callable[..., Any]:
        ask, known = getattr(self._facts, name), self._known

        def noted(*arguments: Any) -> Any:
            asked = (name, arguments)
            if asked not in known:
                known[asked] = ask(*arguments)
            return known[asked]

        self.__dict__[name] = noted
        return noted

    def answers(self) -> dict[Asked, object]:
        return {asked: _mark(answer) for asked, answer in self._known.items()}


class Remembered:
    """The verdicts on the last calls, with the answers that they rest on."""

    def __init__(self) -> None:
        self._verdicts: dict[object, tuple[Verdict, dict[Asked, object]]] = {}

    def assess(self, call: Call, place: Place, facts: Facts, rules: Rules, judge: Judge) -> Verdict:
        """Return the verdict on a call, judged again unless nothing that it rests on has changed."""
        if any(isinstance(each, (dict, list)) for each in call.input.values()):
            return judge(call, place, facts, rules)  # no shell's, and of any depth
        given = repr(call.input)
        if len(given) > _MAX_KEY:
            given = sha256_hex(given.encode("utf-8", "surrogateescape"))
        key = (call.tool, given, call.cwd, place, rules, type(facts))
        kept = self._verdicts.pop(key, None)
        if kept is None or not _still_holds(kept[1], facts):
            noting = NotingFacts(facts)
            verdict = judge(call, place, cast("Facts", noting), rules)
            kept = (verdict, noting.answers())
        if len(kept[1]) <= MAX_ANSWERS:
            self._verdicts[key] = kept  # the last one that was used
            while len(self._verdicts) > MAX_VERDICTS:
                del self._verdicts[next(iter(self._verdicts))]
        return kept[0]


def _still_holds(answers: dict[Asked, object], facts: Facts) -> bool:
    return all(
        _mark(getattr(facts, name)(*arguments)) == answer
        for (name, arguments), answer in answers.items()
    )


def _mark(answer: object) -> object:
    """Return what an answer is compared by: the digest of a long text."""
    if isinstance(answer, str) and len(answer) > _SHORT:
        return sha256_hex(answer.encode("utf-8", "surrogateescape"))
    return tuple(answer) if isinstance(answer, list) else answer


# end of module
