"""One brainstorm: twelve ideas, four of them worked out, one recommended (LC-3).

Pure, like ``plan.edits``: an edit changes the given state and returns what it did. A phase is complete when
nothing of it is missing; parts of a later phase are refused until then. Does not own what a phase requires
(``inquiry.brainstorm_model``), the prompts (``inquiry.brainstorm_prompts``) or the file of a finished one
(``inquiry.brainstorm_service``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from operators_edge.errors import UsageError
from operators_edge.inquiry import brainstorm_model
from operators_edge.patrol.findings import suggested
from operators_edge.plan.edits import EditResult, add_missing, checked_text, numbered, short_line
from operators_edge.state.schema import maps
from operators_edge.text.tokens import last_number, numbered_id
from operators_edge.text.wording import many, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from datetime import datetime

    from operators_edge.inquiry.brainstorm_model import Brainstorm
    from operators_edge.model import State

SCAN = "edge brainstorm scan"
START = 'edge brainstorm "How might we …?"'
_NAME = re.compile(r"\w[\w -]{0,39}")


# -- edits -----------------------------------------------------------------------------------------


def begin(
    state: State, challenge: str, *, mode: str, now: datetime, taken: Collection[str] = ()
) -> EditResult:
    """Begin one; an unfinished one must be finished or dropped first."""
    checked = checked_text(challenge, "a challenge")
    before = brainstorm_model.brainstorm_of(state)
    if before and not brainstorm_model.is_finished(before):
        phase = brainstorm_model.phase_of(before)
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
        "phase": brainstorm_model.PHASES[0],
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
    """Load an answer: expert, ideas, selected, transformed, recommendations.

    All of it is checked before anything is stored. Totals are computed, whatever the answer states.
    """
    brainstorm = _unfinished(state)
    fields = _as_mapping(answer, "the answer")
    if unknown := sorted(fields.keys() - _PARTS.keys()):
        raise _invalid(
            f"{_short_repr(unknown[0])} is not a part of a brainstorm: {', '.join(_PARTS)}"
        )
    if not fields:
        raise _invalid(f"the answer is empty; it can contain {', '.join(_PARTS)}")
    phase_before = brainstorm_model.phase_of(brainstorm)
    for name, (take, phases) in _PARTS.items():
        if name in fields:
            _require_phase(brainstorm, name, phases)
            take(brainstorm, fields[name])
            _advance(brainstorm)
    _compute_totals(brainstorm)
    state["brainstorm"] = brainstorm
    return _loaded(brainstorm, phase_before)


def _loaded(brainstorm: Brainstorm, before: str) -> EditResult:
    missing = brainstorm_model.missing(brainstorm)
    phase = brainstorm_model.phase_of(brainstorm)
    lines = [] if phase == before else [f"The phase is now {phase}."]
    lines += [brainstorm_model.progress(brainstorm), *(f"  missing: {each}" for each in missing)]
    if phase == "converge" and not missing:
        lines.append("Nothing is missing: edge brainstorm complete --outcome deferred")
    data = {"id": brainstorm.get("id"), "phase": phase, "missing": missing}
    events = () if phase == before else (_event(phase, {"id": brainstorm.get("id")}),)
    return EditResult("\n".join(lines), data, events)


def remove(state: State, ident: str) -> EditResult:
    """Remove an idea, while ideas are still being collected."""
    brainstorm = _unfinished(state)
    _require_phase(brainstorm, "removing an idea", ("diverge",))
    named, ideas = _ident(ident), maps(brainstorm.get("ideas"))
    left = [each for each in ideas if str(each.get("id")) != named]
    if len(left) == len(ideas):
        raise _invalid(f"there is no idea {named}")
    brainstorm["ideas"] = left
    state["brainstorm"] = brainstorm
    data = {
        "id": brainstorm.get("id"),
        "removed": named,
        "missing": brainstorm_model.missing(brainstorm),
    }
    return EditResult(f"Removed {named}.\n{brainstorm_model.progress(brainstorm)}", data)


def complete(state: State, *, outcome: str, now: datetime) -> EditResult:
    """Finish it, unless something is missing."""
    brainstorm = _unfinished(state)
    if missing := brainstorm_model.missing({**brainstorm, "phase": "converge"}):
        more = f"; {len(missing) - 3} more" if len(missing) > 3 else ""
        listed = "; ".join(missing[:3]) + more
        raise UsageError(
            f"{brainstorm.get('id')} is in phase {brainstorm_model.phase_of(brainstorm)}, "
            f"and this is missing: {listed}",
            hint="edge brainstorm prompt, or edge brainstorm drop",
        )
    _compute_totals(brainstorm)
    brainstorm.update(
        phase="complete", completed=now.isoformat(timespec="seconds"), outcome=outcome
    )
    state["brainstorm"] = brainstorm
    top, actions = (
        brainstorm_model.recommended(brainstorm, "top"),
        brainstorm_model.actions(brainstorm),
    )
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
    brainstorm = brainstorm_model.brainstorm_of(state)
    if not brainstorm_model.is_finished(brainstorm):
        raise UsageError("no brainstorm is complete", hint="edge brainstorm show")
    return add_missing(state, brainstorm_model.actions(brainstorm))


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
        "top_recommendation": brainstorm_model.recommended(brainstorm, "top").get("name"),
        "actions_extracted": len(brainstorm_model.actions(brainstorm)),
        "outcome": outcome if outcome in brainstorm_model.OUTCOMES else "deferred",
        "board": brainstorm,  # the other ideas may be useful later
    }


# -- the parts of an answer ------------------------------------------------------------------------


def _take_expert(brainstorm: Brainstorm, given: Any) -> None:
    brainstorm["expert"] = _merge_section(brainstorm, "expert", brainstorm.get("expert"), given)


def _take_ideas(brainstorm: Brainstorm, given: Any) -> None:
    ideas = list(maps(brainstorm.get("ideas")))
    for entry in _as_list(given, "ideas"):
        idea = _idea(entry, ideas)
        _require_room(idea, ideas)
        ideas.append(idea)
    brainstorm["ideas"] = ideas
    if (count := len(brainstorm_model.selected(brainstorm))) > brainstorm_model.SELECTED:
        raise _wrong_count(count)


def _take_selected(brainstorm: Brainstorm, given: Any) -> None:
    ideas = maps(brainstorm.get("ideas"))
    asked = {_ident(each): None for each in _as_list(given, "selected")}
    there = {str(each.get("id")) for each in ideas}
    if unknown := [each for each in asked if each not in there]:
        raise _invalid(f"there is no idea {unknown[0]}")
    if len(asked) != brainstorm_model.SELECTED:
        raise _wrong_count(len(asked))
    brainstorm["ideas"] = [{**each, "selected": str(each.get("id")) in asked} for each in ideas]


def _take_transformed(brainstorm: Brainstorm, given: Any) -> None:
    selected = brainstorm_model.selected(brainstorm)
    by_id = {str(each.get("idea_id")): each for each in maps(brainstorm.get("transformed"))}
    for entry in _as_list(given, "transformed"):
        fields = dict(
            _as_mapping(entry, "an entry of transformed", ("idea_id", *brainstorm_model.PER_IDEA))
        )
        ident = _ident(fields.pop("idea_id", None))
        if ident not in selected:
            raise _invalid(f"{ident} is not one of the selected ideas: {', '.join(selected)}")
        before = by_id.get(ident, {"idea_id": ident})
        new = {
            name: _merge_section(brainstorm, name, before.get(name), fields[name])
            for name in fields
        }
        by_id[ident] = {**before, **new}
    brainstorm["transformed"] = [by_id[each] for each in selected if each in by_id]


def _take_recommendations(brainstorm: Brainstorm, given: Any) -> None:
    fields = _as_mapping(given, "recommendations", brainstorm_model.RECOMMENDED)
    new = {
        name: _merge_section(brainstorm, name, brainstorm_model.recommended(brainstorm, name), each)
        for name, each in fields.items()
    }
    brainstorm["recommendations"] = {
        **brainstorm_model.as_map(brainstorm.get("recommendations")),
        **new,
    }


_PARTS: dict[str, tuple[Callable[[Brainstorm, Any], None], tuple[str, ...]]] = {
    "expert": (_take_expert, ("diverge",)),
    "ideas": (_take_ideas, ("diverge",)),
    "selected": (_take_selected, ("diverge",)),
    "transformed": (_take_transformed, ("transform", "converge")),
    "recommendations": (_take_recommendations, ("converge",)),
}
"""The parts of an answer, in the order of loading, and the phases in which each is allowed."""


# -- checks ----------------------------------------------------------------------------------------


def _merge_section(brainstorm: Brainstorm, name: str, before: Any, given: Any) -> Brainstorm:
    """The section with the given fields; its other fields are kept."""
    section = brainstorm_model.SECTIONS[name]
    _require_phase(
        brainstorm, name, brainstorm_model.PHASES[brainstorm_model.PHASES.index(section.phase) :]
    )
    names = () if section.is_open else (*section.names, *section.extra)
    fields, there = dict(_as_mapping(given, name, names)), brainstorm_model.as_map(before)
    if odd := [each for each in fields if not _NAME.fullmatch(each)]:
        raise _invalid(f"{name} has {_short_repr(odd[0])}; a name is one word or a few")
    if section.is_score:
        return _scores({**there, **fields})
    return {**there, **_as_texts(fields, name)}


def _scores(fields: Brainstorm) -> Brainstorm:
    fields.pop("total", None)
    for name, value in fields.items():
        if type(value) is not int or not 1 <= value <= brainstorm_model.BEST_SCORE:
            why = f"a score is a whole number from 1 to {brainstorm_model.BEST_SCORE}"
            raise _invalid(f"{name} is {_short_repr(value)}; {why}")
    return fields


def _as_texts(fields: Brainstorm, what: str) -> Brainstorm:
    """The fields as texts; ``actions``, in a section that has them, is a list of texts."""
    actions = fields.pop("actions", None) if brainstorm_model.SECTIONS[what].extra else None
    new: Brainstorm = {name: _as_text(value, f"{what}.{name}") for name, value in fields.items()}
    if actions is not None:
        new["actions"] = [_as_text(each, "an action") for each in _as_list(actions, "actions")]
    return new


def _idea(given: Any, there: Sequence[Brainstorm]) -> Brainstorm:
    """The idea as it is stored."""
    name = _as_mapping(given, "an idea").get("wave")
    wave = brainstorm_model.WAVES.get(name) if isinstance(name, str) else None
    if wave is None:
        raise _invalid(
            f"an idea's wave is {_short_repr(name)}; it can be {', '.join(brainstorm_model.WAVES)}"
        )
    key = [wave.key] if wave.key else []
    names = ("id", "wave", "title", "description", "selected", *key)
    fields = _as_mapping(given, f"an idea of the wave {name}", names)
    kind = fields.get(wave.key)
    if wave.key and kind not in wave.kinds:
        why = f"it can be {', '.join(wave.kinds)}"
        raise _invalid(f"the {wave.key} of an idea is {_short_repr(kind)}; {why}")
    is_selected = fields.get("selected", False)
    if not isinstance(is_selected, bool):
        raise _invalid(f"selected is true or false for an idea, not {_short_repr(is_selected)}")
    description = fields.get("description")
    return {
        "id": _idea_id(fields.get("id"), there),
        "wave": name,
        **dict.fromkeys(key, kind),
        "title": _as_text(fields.get("title"), "an idea's title"),
        "description": _as_text(description, "a description") if description else "",
        "selected": is_selected,
    }


def _idea_id(given: Any, there: Sequence[Brainstorm]) -> str:
    """The id from the answer, which ``selected`` may refer to; else the next one."""
    taken = [str(each.get("id")) for each in there]
    if given is None:
        return f"I{last_number(taken) + 1:03}"
    ident = numbered_id("I", str(given))
    if not ident:
        raise _invalid(f"an idea's id is {_short_repr(given)}; it can be I001, I002, …")
    if ident in taken:
        raise _invalid(f"there is already an idea {ident}")
    return ident


def _require_room(idea: Brainstorm, there: Sequence[Brainstorm]) -> None:
    """Refuse a duplicate title, and an idea for which its wave has no place left."""
    title, name = idea["title"], idea["wave"]
    if title.lower() in {str(each.get("title")).lower() for each in there}:
        raise _invalid(f"there is already an idea with that title: {short_line(title)}")
    wave, same_wave = brainstorm_model.WAVES[name], brainstorm_model.in_wave(there, name)
    if len(same_wave) >= wave.size:
        raise _invalid(f"the wave {name} already has its {wave.size} ideas")
    if wave.key and idea[wave.key] in [each.get(wave.key) for each in same_wave]:
        raise _invalid(f"there is already an idea with the {wave.key} {idea[wave.key]}")


def _as_text(given: Any, what: str) -> str:
    if given is not None and not isinstance(given, str):
        raise _invalid(f"{what} is {_short_repr(given)} and must be text")
    return checked_text(given or "", what)


def _as_mapping(given: Any, what: str, names: Sequence[str] = ()) -> Mapping[str, Any]:
    """The mapping; with ``names`` it must not have other keys."""
    if not isinstance(given, dict) or not all(isinstance(each, str) for each in given):
        raise _invalid(f"{what} is {_short_repr(given)} and must be a mapping")
    if names and (unknown := sorted(given.keys() - set(names))):
        raise _invalid(f"{what} has no {_short_repr(unknown[0])}: {', '.join(names)}")
    return given


def _as_list(given: Any, what: str) -> list[Any]:
    if not isinstance(given, list):
        raise _invalid(f"{what} is {_short_repr(given)} and must be a list")
    return given


# -- small parts -----------------------------------------------------------------------------------


def _unfinished(state: State, *, hint: str = START) -> Brainstorm:
    """A copy of the unfinished brainstorm; ``hint`` is used if it is finished."""
    brainstorm = brainstorm_model.brainstorm_of(state)
    if not brainstorm:
        raise UsageError("there is no brainstorm", hint=START)
    if brainstorm_model.is_finished(brainstorm):
        raise UsageError(f"{brainstorm.get('id')} is complete", hint=hint)
    return dict(brainstorm)


def _require_phase(brainstorm: Brainstorm, what: str, phases: Sequence[str]) -> None:
    here = brainstorm_model.phase_of(brainstorm)
    if here in phases:
        return
    is_early = brainstorm_model.PHASES.index(here) < brainstorm_model.PHASES.index(phases[0])
    lacking = "; ".join(brainstorm_model.missing(brainstorm)[:3]) if is_early else ""
    why = f"; first: {lacking}" if lacking else ""
    raise _invalid(f"{what} belongs to the phase {phases[0]}, and this is {here}{why}")


def _advance(brainstorm: Brainstorm) -> None:
    """Go to the next phase while nothing of this one is missing; only ``complete`` ends the last one."""
    brainstorm["phase"] = brainstorm_model.phase_of(brainstorm)
    while brainstorm["phase"] in ("diverge", "transform") and not brainstorm_model.missing(
        brainstorm
    ):
        brainstorm["phase"] = brainstorm_model.PHASES[
            brainstorm_model.PHASES.index(brainstorm["phase"]) + 1
        ]


def _compute_totals(brainstorm: Brainstorm) -> None:
    """Set the totals to the sums of the scores."""
    brainstorm["transformed"] = [
        {
            **each,
            "scores": {
                **brainstorm_model.as_map(each["scores"]),
                "total": brainstorm_model.total(each),
            },
        }
        if each.get("scores")
        else each
        for each in maps(brainstorm.get("transformed"))
    ]


def _event(to: str, data: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    return "brainstorm", {"to": to, **data}


def _ident(given: Any) -> str:
    return numbered_id("I", str(given)) or one_line(given, 40)


def _wrong_count(count: int) -> UsageError:
    return _invalid(f"{brainstorm_model.SELECTED} ideas must be selected, not {count}")


def _invalid(message: str) -> UsageError:
    return UsageError(message, hint="edge brainstorm prompt   (shows the task and the format)")


def _short_repr(value: Any) -> str:
    return "missing" if value is None else one_line(repr(value), 40)
