"""Unknowns in the plan, and the prompt that asks about one of them outside the project.

Pure. A prompt is self-contained: its reader knows nothing about the project and has none of its files. It is
redacted as a whole. Does not own the entries (``inquiry.research``).
"""

from __future__ import annotations

import re

from operators_edge.plan import notes as plan_notes
from operators_edge.redaction.redact import redact
from operators_edge.state import schema
from operators_edge.text.wording import as_text, one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from operators_edge.model import State

MAX_UNKNOWNS = 8
"""Unknowns in one scan: a longer list would not be read."""

_MAX_LINE = 300
_MAX_LISTED = 5

_UNSURE = re.compile(
    r"(?i)\b(?:not sure|unsure|unclear|unknown|undecided|uncertain|tb[dc]|to be (?:decided|determined)"
    r"|figure out|find out|decide (?:on|how|which|whether|between)|choose (?:a|an|the|between)"
    r"|which (?:one|way|approach|library|tool|framework|database|service)|whether (?:to|we)"
    r"|how (?:to best|should|do|could|can) we|best (?:way|approach|practices?)|somehow)\b|\?\s*$"
)
_STUDY = (
    r"evaluate|assess|investigate|analy[sz]e|research|understand|learn|explore|compare|benchmark"
)
_STUDIES = re.compile(rf"(?i)\s*(?:first,?\s+)?(?:{_STUDY})\b")
_STUDIED = re.compile(rf"(?i)\b(?:{_STUDY})\b")


class Unknown(NamedTuple):
    """One unknown: whether work depends on it, the step it is in, and the reason it was found."""

    topic: str
    is_critical: bool
    step: int | None
    why: str


def unknowns(state: State) -> tuple[list[Unknown], int]:
    """The unknowns in questions, objective and open steps, critical first; and how many more there are."""
    found: dict[str, Unknown] = {}
    for each in (*_questions(state), *_objective(state), *_steps(state)):
        found.setdefault(each.topic.lower(), each)
    ranked = sorted(found.values(), key=lambda each: not each.is_critical)
    return ranked[:MAX_UNKNOWNS], max(0, len(ranked) - MAX_UNKNOWNS)


def _questions(state: State) -> Iterator[Unknown]:
    for number, text, is_blocking in plan_notes.open_questions(state):
        kind = "blocking question" if is_blocking else "open question"
        yield Unknown(text, is_blocking, None, f"{kind} {number}")


def _objective(state: State) -> Iterator[Unknown]:
    for key in ("objective", "next_action"):
        text = as_text(state.get(key))
        if text and _UNSURE.search(text):
            yield Unknown(text, True, None, f"the {key.replace('_', ' ')} leaves it open")


def _steps(state: State) -> Iterator[Unknown]:
    """Open steps that investigate something, or that say they do not know how."""
    for number, each in enumerate(schema.maps(state.get("plan")), 1):
        text = as_text(each.get("description")) if each.get("status") != "completed" else ""
        if _UNSURE.search(text) or _STUDIES.match(text):
            yield Unknown(text, True, number, f"step {number} depends on it")
        elif _STUDIED.search(text):
            yield Unknown(text, False, number, f"step {number} mentions it")


# -- the prompt ------------------------------------------------------------------------------------

_PROMPT_QUESTIONS = {
    "critical": (
        "Which realistic options are there? Name at least three, in their current versions.",
        "How do they compare for the project below: fit, effort, risk, running cost?",
        "Which one do you recommend here, and under which conditions would that be wrong?",
        "What goes wrong with it in practice, and how is that noticed early?",
        "How can it be tried out within a day, and which result would rule it out?",
    ),
    "optional": (
        "What is good practice today, and since when?",
        "Which mistakes are common, and how are they noticed?",
        "What is the smallest step that would improve the project below?",
    ),
}

_TASK = """\
Answer for the project described here; you have no access to it. Use sources that you can name, and say what
you are not sure of."""

_FORM = """\
Markdown with exactly these headings:

## Summary
At most five sentences.

## Options
For each: what it is, and its pros and cons here.

## Recommendation
One, with its conditions.

## Action items
Three to seven list items, each a step that can be verified.

## Sources
A link and a date for everything that may change."""


def prompt(state: State, entry: Mapping[str, object], *, secrets: Iterable[str] = ()) -> str:
    """The complete prompt, redacted."""
    priority = "critical" if entry.get("priority") == "critical" else "optional"
    parts = [
        f"# Research request {entry.get('id') or ''}".rstrip(),
        _TASK,
        f"## The topic\n{as_text(entry.get('topic'))}",
        *_section("Context", [as_text(entry.get("context"))]),
        "## The questions\n"
        + "\n".join(f"{n}. {q}" for n, q in enumerate(_PROMPT_QUESTIONS[priority], 1)),
        *_section("The project", list(_project(state))),
        f"## Why it is asked\n{_reason(state, entry, priority)}",
        f"## The format of the answer\n{_FORM}",
    ]
    return redact("\n\n".join(parts) + "\n", values=secrets)


def _section(head: str, texts: list[str]) -> list[str]:
    """The section, or nothing if it would be empty."""
    kept = [each for each in texts if each]
    return [f"## {head}\n" + "\n".join(kept)] if kept else []


def _project(state: State) -> Iterator[str]:
    if objective := as_text(state.get("objective")):
        yield f"Objective: {one_line(objective, _MAX_LINE)}"
    intent = state.get("intent")
    wants = as_text(intent.get("user_wants") if isinstance(intent, dict) else intent)
    if wants:
        yield f"What the person wants: {one_line(wants, _MAX_LINE)}"
    first = max(0, schema.current_step(state) - 3)
    steps = [
        f"{one_line(as_text(each.get('description')), _MAX_LINE)} ({_status(each)})"
        for each in schema.maps(state.get("plan"))[first : first + _MAX_LISTED]
    ]
    constraints = [
        one_line(each, _MAX_LINE)
        for each in plan_notes.texts(state, plan_notes.CONSTRAINT)[:_MAX_LISTED]
    ]
    for head, texts in (("Plan", steps), ("Constraints", constraints)):
        if texts:
            yield "\n".join([f"{head}:", *(f"- {each}" for each in texts)])


def _status(step: Mapping[str, object]) -> str:
    return str(step.get("status") or "pending").replace("_", " ")


def _reason(state: State, entry: Mapping[str, object], priority: str) -> str:
    number = entry.get("blocking_step")
    steps = schema.maps(state.get("plan"))
    if type(number) is int and 1 <= number <= len(steps):
        step = one_line(as_text(steps[number - 1].get("description")), _MAX_LINE)
        if priority == "critical":
            return f"The work cannot continue without it. This step waits for it: {step}"
        return f"It would make this step better: {step}"
    if priority == "critical":
        return "The work cannot be planned well without it."
    return "It would improve the result; the work continues in the meantime."


# end of module
