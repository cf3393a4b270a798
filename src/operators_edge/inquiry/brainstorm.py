"""One brainstorm: twelve ideas, four of them worked out, one recommended (LC-3).

Pure, like ``plan.edits``: an edit changes the given state and returns what it did. A phase is complete when
nothing of it is missing; parts of a later phase are refused until then. Does not own what a phase requires
or asks for (``inquiry.brainstorm_model``) or the file of a finished one (``inquiry.brainstorm_service``).
"""

from __future__ import annotations

import re

from operators_edge.errors import UsageError
from operators_edge.inquiry import brainstorm_model as model
from operators_edge.patrol.findings import suggested
from operators_edge.plan.edits import EditResult, add_missing, checked_text, numbered, short_line
from operators_edge.state.schema import maps
from operators_edge.text.tokens import last_number, numbered_id
from operators_edge.text.wording import many, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from operators_edge.inquiry.brainstorm_model import Brainstorm
    from operators_edge.model import State

SCAN = "edge brainstorm scan"
START = 'edge brainstorm "How might we …?"'

FIELDS = (
    "expert.name",
    "I001.scamper.reverse",
    "I001.analogies.biology",
    "I001.scores.novelty",
    "I001.stress_test.opposition",
    "top.name",
    "top.actions",
)
"""How single fields are named: an example of each kind."""


# -- edits -----------------------------------------------------------------------------------------


def begin(
    state: State, challenge: str, *, mode: str, now: datetime, taken: Collection[str] = ()
) -> EditResult:
    """Begin one; an unfinished one must be finished or dropped first."""
    checked = checked_text(challenge, "a challenge")
    before = model.brainstorm_of(state)
    if before and not model.is_finished(before):
        phase = model.phase_of(before)
        raise UsageError(
            f"{before.get('id')} is in phase {phase}: {short_line(before.get('challenge'))}",
            hint="edge brainstorm show, or edge brainstorm drop",
        )
    ident = _new_id(now, {*taken, str(before.get("id"))})
    state["brainstorm"] = {
        "id": ident,
        "challenge": checked,
        "mode": mode,
        "expert": {},
        "phase": model.PHASES[0],
        "ideas": [],
        "transformed": [],
        "recommendations": {},
        "created": now.isoformat(timespec="seconds"),
        "completed": None,
    }
    data = {"id": ident, "challenge": checked, "mode": mode}
    return EditResult(f"Brainstorm {ident}: {short_line(checked)}", data, (_event("begun", data),))


def _new_id(now: datetime, taken: Collection[str]) -> str:
    day = f"B{now:%Y%m%d}"
    later = (f"{day}-{number}" for number in range(2, len(taken) + 3))
    return next(each for each in (day, *later) if each not in taken)


def challenge_of(state: State, text: str) -> tuple[str, str]:
    """The challenge and its mode: "scan" for a suggestion of the last scan, else "topic".

    A suggestion is named by its text or its number.
    """
    suggestions = suggested(state)
    if re.fullmatch(r"[0-9]{1,3}", number := text.strip()):
        if not 1 <= int(number) <= len(suggestions):
            what = many(len(suggestions), "challenge") if suggestions else "no challenge"
            raise UsageError(f"there is no {number}: the last scan suggested {what}", hint=SCAN)
        return suggestions[int(number) - 1], "scan"
    is_suggested = text.split() in [each.split() for each in suggestions]
    return text, "scan" if is_suggested else "topic"


def load(state: State, answer: Any) -> EditResult:
    """Load an answer: ideas, the selected ones, and the fields of sections and of selected ideas.

    All of it is checked before anything is stored. Totals are computed, whatever the answer states.
    """
    brainstorm = _unfinished(state)
    if not (parts := _as_mapping(answer, "the answer")):
        raise _invalid("the answer is empty")
    before = model.phase_of(brainstorm)
    for name in sorted(parts, key=_loading_order):
        _load_part(brainstorm, name, parts[name])
    _compute_totals(brainstorm)
    brainstorm["phase"] = phase = model.phase_of(brainstorm)
    state["brainstorm"] = brainstorm
    missing = model.missing(brainstorm)
    lines = [] if phase == before else [f"The phase is now {phase}."]
    lines += [model.progress(brainstorm), *(f"  missing: {each}" for each in missing)]
    if not missing:
        lines.append("Nothing is missing: edge brainstorm complete --outcome deferred")
    data = {"id": brainstorm.get("id"), "phase": phase, "missing": missing}
    events = () if phase == before else (_event(phase, {"id": brainstorm.get("id")}),)
    return EditResult("\n".join(lines), data, events)


def remove(state: State, ident: str) -> EditResult:
    """Remove an idea, while ideas are still being collected."""
    brainstorm = _unfinished(state)
    _require_phase(brainstorm, "removing an idea", "diverge", only=True)
    named, ideas = _ident(ident), maps(brainstorm.get("ideas"))
    left = [each for each in ideas if str(each.get("id")) != named]
    if len(left) == len(ideas):
        raise _invalid(f"there is no idea {named}")
    brainstorm["ideas"] = left
    state["brainstorm"] = brainstorm
    data = {"id": brainstorm.get("id"), "removed": named, "missing": model.missing(brainstorm)}
    return EditResult(f"Removed {named}.\n{model.progress(brainstorm)}", data)


def complete(state: State, *, outcome: str, now: datetime) -> EditResult:
    """Finish it, unless something is missing."""
    brainstorm = _unfinished(state)
    if missing := model.missing(brainstorm):
        more = f"; {len(missing) - 3} more" if len(missing) > 3 else ""
        raise UsageError(
            f"{brainstorm.get('id')} is in phase {model.phase_of(brainstorm)}, "
            f"and this is missing: {'; '.join(missing[:3])}{more}",
            hint="edge brainstorm prompt, or edge brainstorm drop",
        )
    _compute_totals(brainstorm)
    completed = now.isoformat(timespec="seconds")
    state["brainstorm"] = {
        **brainstorm,
        "phase": model.COMPLETE,
        "completed": completed,
        "outcome": outcome,
    }
    top, actions = model.recommended(brainstorm, "top"), model.actions(brainstorm)
    lines = [
        f"{brainstorm.get('id')} is complete ({outcome}): {short_line(top['name'])}",
        f"  {short_line(top['core_idea'])}",
        *numbered(actions),
        "Add them to the plan: edge brainstorm plan",
    ]
    data = {"id": brainstorm.get("id"), "outcome": outcome, "top": top["name"], "actions": actions}
    return EditResult("\n".join(lines), data, (_event("complete", data),))


def drop(state: State) -> EditResult:
    """Remove an unfinished one."""
    brainstorm = _unfinished(state, hint="edge prune archives it")
    state["brainstorm"] = None
    data = {"id": brainstorm.get("id"), "challenge": brainstorm.get("challenge")}
    text = f"Dropped brainstorm {brainstorm.get('id')}: {short_line(brainstorm.get('challenge'))}"
    return EditResult(text, {"dropped": brainstorm.get("id")}, (_event("dropped", data),))


def plan(state: State) -> EditResult:
    """Add the first recommendation's actions to the plan."""
    brainstorm = model.brainstorm_of(state)
    if not model.is_finished(brainstorm):
        raise UsageError("no brainstorm is complete", hint="edge brainstorm show")
    return add_missing(state, model.actions(brainstorm))


def archive_entry(brainstorm: Brainstorm, now: datetime) -> dict[str, Any]:
    """What the archive keeps of a completed brainstorm."""
    outcome = brainstorm.get("outcome")
    return {
        "type": "completed_brainstorm",
        "timestamp": now.isoformat(),
        "brainstorm_id": brainstorm.get("id"),
        "challenge": brainstorm.get("challenge"),
        "mode": brainstorm.get("mode"),
        "ideas_generated": len(maps(brainstorm.get("ideas"))),
        "top_recommendation": model.recommended(brainstorm, "top").get("name"),
        "actions_extracted": len(model.actions(brainstorm)),
        "outcome": outcome if outcome in model.OUTCOMES else "deferred",
        "board": brainstorm,  # the other ideas may be useful later
    }


# -- an answer with one thing ----------------------------------------------------------------------


def single_idea(kind: str, title: str, description: str | None) -> dict[str, Any]:
    """One idea as an answer; its kind determines the wave."""
    place = next(place for place in model.PLACES if kind in place.values())
    return {"ideas": [{**place, "title": title, "description": description or ""}]}


def single_field(path: str, texts: Sequence[str]) -> dict[str, Any]:
    """One field as an answer; ``path`` is like one of ``FIELDS``, and actions are a list."""
    *above, name = path.split(".")
    section = model.SECTIONS.get(above[-1]) if above else None
    if section is None:
        hint = f"one of these kinds: {', '.join(FIELDS)}"
        raise UsageError(f"there is no field {one_line(path, 60)}", hint=hint)
    example, text = section.form.get(name), " ".join(texts)
    value: Any = list(texts) if isinstance(example, list) else text
    if isinstance(example, int) and re.fullmatch(r"[0-9]{1,3}", text):
        value = int(text)
    for key in (name, *reversed(above)):
        value = {key: value}
    return value  # type: ignore[no-any-return]


# -- the parts of an answer ------------------------------------------------------------------------


def _loading_order(name: str) -> int:
    """What belongs to an earlier phase comes first."""
    first = ("expert", "ideas", "selected")
    return first.index(name) if name in first else len(first)


def _load_part(brainstorm: Brainstorm, name: str, given: Any) -> None:
    if name == "ideas":
        _load_ideas(brainstorm, given)
    elif name == "selected":
        _select(brainstorm, given)
    elif name == "expert":
        _merge(brainstorm, brainstorm, name, given)
    elif name in model.RECOMMENDED:
        sections = dict(model.as_map(brainstorm.get("recommendations")))
        _merge(brainstorm, sections, name, given)
        brainstorm["recommendations"] = sections
    else:
        _work_out(brainstorm, _ident(name), given)


def _load_ideas(brainstorm: Brainstorm, given: Any) -> None:
    _require_phase(brainstorm, "an idea", "diverge", only=True)
    ideas = list(maps(brainstorm.get("ideas")))
    for entry in _as_list(given, "ideas"):
        ideas.append(_idea(entry, ideas))
    brainstorm["ideas"] = ideas


def _idea(given: Any, there: Sequence[Brainstorm]) -> Brainstorm:
    """One idea, if its place is free and its title is new."""
    fields = _as_mapping(given, "an idea", (*model.PLACE_KEYS, "title", "description"))
    place = model.place_of(fields)
    kind = ", ".join(f"{name} {_short_repr(value)}" for name, value in place.items())
    if place not in model.PLACES:
        raise _invalid(f"there is no idea with {kind or 'no wave'}")
    if place not in model.free_places(there):
        raise _invalid(f"there is already an idea with {kind}")
    title = _as_text(fields.get("title"), "an idea's title")
    if title.lower() in {str(each.get("title")).lower() for each in there}:
        raise _invalid(f"there is already an idea with that title: {short_line(title)}")
    description = fields.get("description")
    return {
        "id": f"I{last_number(each.get('id') for each in there) + 1:03}",
        **place,
        "title": title,
        "description": _as_text(description, "a description") if description else "",
        "selected": False,
    }


def _select(brainstorm: Brainstorm, given: Any) -> None:
    _require_phase(brainstorm, "selecting ideas", "diverge", only=True)
    ideas = maps(brainstorm.get("ideas"))
    asked = {_ident(each) for each in _as_list(given, "selected")}
    if unknown := sorted(asked - {str(each.get("id")) for each in ideas}):
        raise _invalid(f"there is no idea {unknown[0]}")
    if len(asked) != model.SELECTED:
        raise _invalid(f"{model.SELECTED} ideas must be selected, not {len(asked)}")
    brainstorm["ideas"] = [{**each, "selected": str(each.get("id")) in asked} for each in ideas]


def _work_out(brainstorm: Brainstorm, ident: str, given: Any) -> None:
    """Load the sections of one selected idea."""
    selected, by_id = model.selected(brainstorm), model.transformed(brainstorm)
    if ident not in selected:
        names = ("expert", "ideas", "selected", *selected, *model.RECOMMENDED)
        raise _invalid(f"{ident!r} is not a part of a brainstorm: {', '.join(names)}")
    by_id[ident] = {"idea_id": ident, **by_id.get(ident, {})}
    for name, fields in _as_mapping(given, ident, model.PER_IDEA).items():
        _merge(brainstorm, by_id[ident], name, fields)
    brainstorm["transformed"] = [by_id[each] for each in selected if each in by_id]


def _merge(brainstorm: Brainstorm, sections: Brainstorm, name: str, given: Any) -> None:
    """Set the given fields of a section; its other fields are kept."""
    section = model.SECTIONS[name]
    _require_phase(brainstorm, name, section.phase)
    computed = ["total"] if name == "scores" else []
    fields = dict(_as_mapping(given, name, [*section.form, *computed]))
    for each in computed:
        fields.pop(each, None)
    checked = {key: _checked(section.form[key], fields[key], f"{name}.{key}") for key in fields}
    sections[name] = {**model.as_map(sections.get(name)), **checked}


def _checked(example: object, given: Any, what: str) -> str | int | list[str]:
    """The value of a field, if it is of the same kind as the example in the form."""
    if isinstance(example, list):
        return [_as_text(each, "an action") for each in _as_list(given, what)]
    if not isinstance(example, int):
        return _as_text(given, what)
    if type(given) is not int or not 1 <= given <= model.BEST_SCORE:
        why = f"a score is a whole number from 1 to {model.BEST_SCORE}"
        raise _invalid(f"{what} is {_short_repr(given)}; {why}")
    return given


def _compute_totals(brainstorm: Brainstorm) -> None:
    """Set the totals to the sums of the scores."""
    brainstorm["transformed"] = [
        {**each, "scores": {**model.as_map(each["scores"]), "total": model.total(each)}}
        if each.get("scores")
        else each
        for each in maps(brainstorm.get("transformed"))
    ]


# -- small parts -----------------------------------------------------------------------------------


def _unfinished(state: State, *, hint: str = START) -> Brainstorm:
    """A copy of the unfinished brainstorm; ``hint`` is used if it is finished."""
    brainstorm = model.brainstorm_of(state)
    if not brainstorm:
        raise UsageError("there is no brainstorm", hint=START)
    if model.is_finished(brainstorm):
        raise UsageError(f"{brainstorm.get('id')} is complete", hint=hint)
    return dict(brainstorm)


def _require_phase(brainstorm: Brainstorm, what: str, phase: str, *, only: bool = False) -> None:
    """Refuse what belongs to a later phase; with ``only``, to any other one."""
    here = model.phase_of(brainstorm)
    if here == phase:
        return
    is_early = model.PHASES.index(here) < model.PHASES.index(phase)
    if is_early or only:
        lacking = f"; first: {'; '.join(model.missing(brainstorm)[:3])}" if is_early else ""
        raise _invalid(f"{what} belongs to the phase {phase}, and this is {here}{lacking}")


def _as_text(given: Any, what: str) -> str:
    if given is not None and not isinstance(given, str):
        raise _invalid(f"{what} is {_short_repr(given)} and must be text")
    return checked_text(given or "", what)


def _as_mapping(given: Any, what: str, names: Collection[str] = ()) -> Mapping[str, Any]:
    """The mapping; with ``names`` it must not have other keys."""
    if not isinstance(given, dict):
        raise _invalid(f"{what} is {_short_repr(given)} and must be a mapping")
    if names and (unknown := [each for each in given if each not in names]):
        raise _invalid(f"{what} has no {_short_repr(unknown[0])}: {', '.join(names)}")
    return given


def _as_list(given: Any, what: str) -> list[Any]:
    if not isinstance(given, list):
        raise _invalid(f"{what} is {_short_repr(given)} and must be a list")
    return given


def _event(to: str, data: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    return "brainstorm", {"to": to, **data}


def _ident(given: Any) -> str:
    return numbered_id("I", str(given)) or one_line(given, 40)


def _invalid(message: str) -> UsageError:
    return UsageError(message, hint="edge brainstorm prompt   (shows the task and the format)")


def _short_repr(value: Any) -> str:
    return "missing" if value is None else one_line(repr(value), 40)


# end of module
