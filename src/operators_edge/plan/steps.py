"""A plan's steps as typed tuples, and what their text says about the work.

Pure. Owns that reading: who wrote a step, whether it changes files, whether it verifies. Does not own the
plan (people and agents write it) or what is required of a step (``quality.checks``).
"""

from __future__ import annotations

from operators_edge.model import HOST
from operators_edge.text.patterns import pattern
from operators_edge.text.wording import as_text
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from operators_edge.model import State


class Step(NamedTuple):
    """One step; ``number`` counts from 1, ``proof`` and ``verification`` are "" if there is none."""

    number: int
    text: str
    status: str
    proof: str = ""
    verification: str = ""
    is_own: bool = True
    marked: bool | None = None
    """``is_verification``; None if the step does not have it."""

    @property
    def changes_files(self) -> bool:
        return not is_reading(self.text)

    @property
    def verifies(self) -> bool:
        """By ``is_verification``, else by the text."""
        return bool(_VERIFIES.match(self.text)) if self.marked is None else self.marked


def of(state: State) -> tuple[Step, ...]:
    """Every well-formed step, numbered as in the plan."""
    plan = state.get("plan")
    return tuple(
        Step(
            number,
            " ".join(str(step.get("description") or "").split()),
            str(step.get("status") or "pending"),
            _one_line_of(step.get("proof")),
            _one_line_of(step.get("verification")),
            step.get("source") != HOST,
            _marked(step.get("is_verification")),
        )
        for number, step in enumerate(plan if isinstance(plan, list) else [], 1)
        if isinstance(step, dict)
    )


def counted(state: State) -> tuple[Step, ...]:
    """The steps that must be completed: the plan's own; a host's todos only if there are no others."""
    steps = of(state)
    return tuple(step for step in steps if step.is_own) or steps


def _one_line_of(value: Any) -> str:
    return " ".join(as_text(value).split())


def _marked(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


# -- words -----------------------------------------------------------------------------------------


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Longer forms are cut to these: "reviewing" and "reviewed" begin with "review".
_READING = word_set(
    "research read review investigate explore study understand learn analyse analyze compare evaluate assess "
    "survey audit inspect examine summarise summarize discuss decide plan brainstorm look find search "
    "reproduce verify validate check confirm run measure benchmark profile report triage ask watch"
)
_MAKING = word_set(
    "implement write add fix change refactor build create edit remove delete update rename migrate port "
    "replace extend rewrite introduce move wire support make generate address apply correct clean code "
    "develop bump upgrade convert split merge extract simplify optimise optimize improve handle set "
    "configure install document repair mend patch adjust drop enable disable"
)
_CLAUSE = pattern(r"[,;:.&/()→\n]|\band\b|\bthen\b|(?<!how )\bto\b|\bor\b")
_WORD = pattern(r"[a-z]+")
_FILLER = word_set("also first finally carefully please next now step we i will the")
_VERIFIES = pattern(
    r"(?i)\s*(?:verif\w+|validat\w+|tests?\b|run (?:\S+ ){0,3}(?:tests?|suite|checks?)\b)"
)


def is_reading(text: str) -> bool:
    """Whether a step's text names no work on files: research, reading, review, running something.

    It begins with such a verb, and no clause begins with one that creates or changes something. "to" also
    separates clauses: "read the docs to fix the bug" is work on files.
    """
    heads = [_head(clause) for clause in _CLAUSE.split(text.lower())]
    first = next((head for head in heads if head), "")
    return _among(first, _READING) and not any(_among(head, _MAKING) for head in heads)


def leads_with(text: str, verbs: frozenset[str]) -> str:
    """The first of the verbs, in any form, with which a clause of the text begins; "" if there is none."""
    heads = (_head(clause) for clause in _CLAUSE.split(text.lower()))
    return next((head for head in heads if head and _among(head, verbs)), "")


def _head(clause: str) -> str:
    return next((word for word in _WORD.findall(clause) if word not in _FILLER), "")


def _among(word: str, verbs: frozenset[str]) -> bool:
    """Whether the word is one of the verbs, in any form."""
    stems = {word, word.removesuffix("s"), word.removesuffix("es")}
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word:
            stems |= {stem, stem + "e", stem[:-1] if stem[-2:-1] == stem[-1:] else stem}
    return not stems.isdisjoint(verbs)


_KEYWORD = pattern(r"[a-z0-9]+")
_STOP = word_set(
    "the and but for nor are was were been being has have had does did will would shall should can could may "
    "might must that this these those with without from into onto when then than its it's not all any each "
    "returns return valid invalid correct correctly works work test tests check verify"
)


def keywords(verification: str) -> list[str]:
    """The significant words of a verification, as tests would use them."""
    words = _KEYWORD.findall(verification.lower())
    return list(dict.fromkeys(word for word in words if len(word) > 2 and word not in _STOP))


def bare(text: str) -> list[str]:
    """The words of a command, or of a sentence that names one, without surrounding punctuation."""
    return [word.strip("`'\",;:()[]") or word for word in text.split()]


_CODE = pattern(
    r"(?i)\.(?:py|pyi|pyx|ipynb|[cm]?[jt]sx?|vue|svelte|astro|go|rs|java|kts?|scala|groovy|cs|fs|vb|rb|php"
    r"|exs?|erl|hs|ml|clj[sc]?|dart|swift|mm?|c|cc|cpp|cxx|h|hh|hpp|zig|nim|lua|pl|pm|r|jl|sh|bash|zsh|fish"
    r"|ps1|sql|sol|tf)$"
)


def is_code(path: str) -> bool:
    """Whether a file, by its name, is code that tests can cover."""
    return _CODE.search(path) is not None


# end of module
