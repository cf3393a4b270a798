"""One brainstorm: twelve ideas, four of them worked out, one recommended (LC-3).

Pure, as ``planning``: an edit changes the state it is given and says what it did. A phase is over when
nothing of it is missing; what belongs to a later one is refused until then. Does not own the table of what
a phase asks for (``inquiry.brainstorm_model``), the prompts (``inquiry.brainstorm_prompts``) or where a
finished one is kept (``inquiry.brainstorm_service``).
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

    from operators_edge.inquiry.brainstorm_model import Board
    from operators_edge.model import State

SCAN = "edge brainstorm scan"
START = 'edge brainstorm "How might we …?"'
_NAME = re.compile(r"\w[\w -]{0,39}")


# -- edits -----------------------------------------------------------------------------------------


def begin(
    state: State, challenge: str, *, mode: str, now: datetime, taken: Collection[str] = ()
) -> EditResult:
    """Begin one; another that is not finished has to be finished or dropped first."""
    kept = checked_text(challenge, "a challenge")
    before = brainstorm_model.board_of(state)
    if before and not brainstorm_model.is_finished(before):
        phase = brainstorm_model.phase_of(before)
        raise UsageError(
            f"{before.get('id')} is in its phase {phase}: {short_line(before.get('challenge'))}",
            hint="edge brainstorm show, or edge brainstorm drop",
        )
    ident = _new_id(now, {*taken, str(before.get("id"))})
    state["brainstorm"] = {
        "id": ident,
        "challenge": kept,
        "mode": mode,
        "expert": {},
        "phase": brainstorm_model.PHASES[0],
        "ideas": [],
        "transformed": [],
        "recommendations": {},
        "created": now.isoformat(timespec="seconds"),
        "completed": None,
    }
    data = {"id": ident, "challenge": kept, "mode": mode}
    return EditResult(f"Brainstorm {ident}: {short_line(kept)}", data, (_event("begun", data),))


def _new_id(now: datetime, taken: Collection[str]) -> str:
    day = f"B{now:%Y%m%d}"
    later = (f"{day}-{number}" for number in range(2, len(taken) + 3))
    return next(each for each in (day, *later) if each not in taken)


def challenge_of(state: State, text: str) -> tuple[str, str]:
    """The challenge and its mode: "scan" for a suggestion of the last scan, else "topic".

    A suggestion is named by its words or its number.
    """
    there = suggested(state)
    if re.fullmatch(r"[0-9]{1,3}", number := text.strip()):
        if not 1 <= int(number) <= len(there):
            what = many(len(there), "challenge") if there else "no challenge"
            raise UsageError(f"there is no {number}: the last scan suggested {what}", hint=SCAN)
        return there[int(number) - 1], "scan"
    is_suggested = text.split() in [each.split() for each in there]
    return text, "scan" if is_suggested else "topic"


def load(state: State, given: Any) -> EditResult:
    """Take an answer: expert, ideas, selected, transformed, recommendations.

    All of it is checked before anything is taken. Totals are computed, whatever the answer states.
    """
    board = _open_board(state)
    fields = _map(given, "what is loaded")
    if unknown := sorted(fields.keys() - _PARTS.keys()):
        raise _wrong(
            f"{_shown(unknown[0])} is nothing that a brainstorm takes: {', '.join(_PARTS)}"
        )
    if not fields:
        raise _wrong(f"nothing is in it; it can hold {', '.join(_PARTS)}")
    before = brainstorm_model.phase_of(board)
    for name, (take, phases) in _PARTS.items():
        if name in fields:
            _require_phase(board, name, phases)
            take(board, fields[name])
            _advance(board)
    _add_up(board)
    state["brainstorm"] = board
    return _loaded(board, before)


def _loaded(board: Board, before: str) -> EditResult:
    lacking = brainstorm_model.missing(board)
    phase = brainstorm_model.phase_of(board)
    told = [] if phase == before else [f"The phase is {phase} now."]
    told += [brainstorm_model.progress(board), *(f"  missing: {each}" for each in lacking)]
    if phase == "converge" and not lacking:
        told.append("Nothing is missing: edge brainstorm complete --outcome deferred")
    data = {"id": board.get("id"), "phase": phase, "missing": lacking}
    events = () if phase == before else (_event(phase, {"id": board.get("id")}),)
    return EditResult("\n".join(told), data, events)


def remove(state: State, ident: str) -> EditResult:
    """Remove one idea, while ideas are still gathered."""
    board = _open_board(state)
    _require_phase(board, "removing an idea", ("diverge",))
    named, ideas = _ident(ident), maps(board.get("ideas"))
    left = [each for each in ideas if str(each.get("id")) != named]
    if len(left) == len(ideas):
        raise _wrong(f"there is no idea {named}")
    board["ideas"] = left
    state["brainstorm"] = board
    data = {"id": board.get("id"), "removed": named, "missing": brainstorm_model.missing(board)}
    return EditResult(f"Removed {named}.\n{brainstorm_model.progress(board)}", data)


def complete(state: State, *, outcome: str, now: datetime) -> EditResult:
    """Finish it; what is still missing is named."""
    board = _open_board(state)
    if lacking := brainstorm_model.missing({**board, "phase": "converge"}):
        more = f"; {len(lacking) - 3} more" if len(lacking) > 3 else ""
        listed = "; ".join(lacking[:3]) + more
        raise UsageError(
            f"{board.get('id')} is in its phase {brainstorm_model.phase_of(board)}, "
            f"and this is missing: {listed}",
            hint="edge brainstorm prompt, or edge brainstorm drop",
        )
    _add_up(board)
    board.update(phase="complete", completed=now.isoformat(timespec="seconds"), outcome=outcome)
    state["brainstorm"] = board
    top, actions = brainstorm_model.recommended(board, "top"), brainstorm_model.actions(board)
    told = [
        f"{board.get('id')} is complete ({outcome}): {short_line(top['name'])}",
        f"  {short_line(top['core_idea'])}",
        *numbered(actions),
        "Into the plan: edge brainstorm plan",
    ]
    data = {"id": board.get("id"), "outcome": outcome, "top": top["name"], "actions": actions}
    return EditResult("\n".join(told), data, (_event("complete", data),))


def drop(state: State) -> EditResult:
    """Remove an unfinished one."""
    board = _open_board(state, hint="edge prune archives it")
    state["brainstorm"] = None
    data = {"id": board.get("id"), "challenge": board.get("challenge")}
    text = f"Dropped brainstorm {board.get('id')}: {short_line(board.get('challenge'))}"
    return EditResult(text, {"dropped": board.get("id")}, (_event("dropped", data),))


def plan(state: State) -> EditResult:
    """Add the first recommendation's actions to the plan."""
    board = brainstorm_model.board_of(state)
    if not brainstorm_model.is_finished(board):
        raise UsageError("no brainstorm is complete", hint="edge brainstorm show")
    return add_missing(state, brainstorm_model.actions(board))


def archive_entry(board: Board, now: datetime) -> dict[str, Any]:
    """What the archive keeps of a completed brainstorm."""
    outcome = board.get("outcome")
    return {
        "type": "completed_brainstorm",
        "timestamp": now.isoformat(),
        "brainstorm_id": board.get("id"),
        "challenge": board.get("challenge"),
        "mode": board.get("mode"),
        "ideas_generated": len(maps(board.get("ideas"))),
        "top_recommendation": brainstorm_model.recommended(board, "top").get("name"),
        "actions_extracted": len(brainstorm_model.actions(board)),
        "outcome": outcome if outcome in brainstorm_model.OUTCOMES else "deferred",
        "board": board,  # the ideas that were not taken may be wanted one day
    }


# -- the parts of an answer ------------------------------------------------------------------------


def _take_expert(board: Board, given: Any) -> None:
    board["expert"] = _merged(board, "expert", board.get("expert"), given)


def _take_ideas(board: Board, given: Any) -> None:
    ideas = list(maps(board.get("ideas")))
    for entry in _list(given, "ideas"):
        idea = _idea(entry, ideas)
        _require_room(idea, ideas)
        ideas.append(idea)
    board["ideas"] = ideas
    if (count := len(brainstorm_model.selected(board))) > brainstorm_model.SELECTED:
        raise _not_four(count)


def _take_selected(board: Board, given: Any) -> None:
    ideas = maps(board.get("ideas"))
    asked = {_ident(each): None for each in _list(given, "selected")}
    there = {str(each.get("id")) for each in ideas}
    if unknown := [each for each in asked if each not in there]:
        raise _wrong(f"there is no idea {unknown[0]}")
    if len(asked) != brainstorm_model.SELECTED:
        raise _not_four(len(asked))
    board["ideas"] = [{**each, "selected": str(each.get("id")) in asked} for each in ideas]


def _take_transformed(board: Board, given: Any) -> None:
    selected = brainstorm_model.selected(board)
    by_id = {str(each.get("idea_id")): each for each in maps(board.get("transformed"))}
    for entry in _list(given, "transformed"):
        fields = dict(
            _map(entry, "an entry of transformed", ("idea_id", *brainstorm_model.PER_IDEA))
        )
        ident = _ident(fields.pop("idea_id", None))
        if ident not in selected:
            raise _wrong(f"{ident} is none of the selected ideas: {', '.join(selected)}")
        before = by_id.get(ident, {"idea_id": ident})
        new = {name: _merged(board, name, before.get(name), fields[name]) for name in fields}
        by_id[ident] = {**before, **new}
    board["transformed"] = [by_id[each] for each in selected if each in by_id]


def _take_recommendations(board: Board, given: Any) -> None:
    fields = _map(given, "recommendations", brainstorm_model.RECOMMENDED)
    new = {
        name: _merged(board, name, brainstorm_model.recommended(board, name), each)
        for name, each in fields.items()
    }
    board["recommendations"] = {**brainstorm_model.as_map(board.get("recommendations")), **new}


_PARTS: dict[str, tuple[Callable[[Board, Any], None], tuple[str, ...]]] = {
    "expert": (_take_expert, ("diverge",)),
    "ideas": (_take_ideas, ("diverge",)),
    "selected": (_take_selected, ("diverge",)),
    "transformed": (_take_transformed, ("transform", "converge")),
    "recommendations": (_take_recommendations, ("converge",)),
}
"""What an answer can hold, in the order in which it is taken, and the phases in which each can be given."""


# -- checks ----------------------------------------------------------------------------------------


def _merged(board: Board, name: str, before: Any, given: Any) -> Board:
    """A section with what is given for it; what is there and not given stays."""
    section = brainstorm_model.SECTIONS[name]
    _require_phase(
        board, name, brainstorm_model.PHASES[brainstorm_model.PHASES.index(section.phase) :]
    )
    names = () if section.is_open else (*section.names, *section.extra)
    fields, there = dict(_map(given, name, names)), brainstorm_model.as_map(before)
    if odd := [each for each in fields if not _NAME.fullmatch(each)]:
        raise _wrong(f"{name} has {_shown(odd[0])}; a name is a word or a few")
    if section.is_score:
        return _scores({**there, **fields})
    return {**there, **_texts(fields, name)}


def _scores(fields: Board) -> Board:
    fields.pop("total", None)
    for name, value in fields.items():
        if type(value) is not int or not 1 <= value <= brainstorm_model.BEST_SCORE:
            why = f"a score is a whole number from 1 to {brainstorm_model.BEST_SCORE}"
            raise _wrong(f"{name} is {_shown(value)}; {why}")
    return fields


def _texts(fields: Board, what: str) -> Board:
    """The fields as texts; of a section that has actions, these are a list of them."""
    actions = fields.pop("actions", None) if brainstorm_model.SECTIONS[what].extra else None
    new: Board = {name: _text(value, f"{what}.{name}") for name, value in fields.items()}
    if actions is not None:
        new["actions"] = [_text(each, "an action") for each in _list(actions, "actions")]
    return new


def _idea(given: Any, there: Sequence[Board]) -> Board:
    """The idea as it is stored."""
    name = _map(given, "an idea").get("wave")
    wave = brainstorm_model.WAVES.get(name) if isinstance(name, str) else None
    if wave is None:
        raise _wrong(
            f"an idea's wave is {_shown(name)}; it can be {', '.join(brainstorm_model.WAVES)}"
        )
    key = [wave.key] if wave.key else []
    names = ("id", "wave", "title", "description", "selected", *key)
    fields = _map(given, f"an idea of the wave {name}", names)
    kind = fields.get(wave.key)
    if wave.key and kind not in wave.kinds:
        why = f"it can be {', '.join(wave.kinds)}"
        raise _wrong(f"the {wave.key} of an idea is {_shown(kind)}; {why}")
    is_selected = fields.get("selected", False)
    if not isinstance(is_selected, bool):
        raise _wrong(f"selected is true or false for an idea, not {_shown(is_selected)}")
    description = fields.get("description")
    return {
        "id": _idea_id(fields.get("id"), there),
        "wave": name,
        **dict.fromkeys(key, kind),
        "title": _text(fields.get("title"), "an idea's title"),
        "description": _text(description, "a description") if description else "",
        "selected": is_selected,
    }


def _idea_id(given: Any, there: Sequence[Board]) -> str:
    """The id that the answer gives an idea, so that ``selected`` names what it meant; else the next one."""
    taken = [str(each.get("id")) for each in there]
    if given is None:
        return f"I{last_number(taken) + 1:03}"
    ident = numbered_id("I", str(given))
    if not ident:
        raise _wrong(f"an idea's id is {_shown(given)}; it can be I001, I002, …")
    if ident in taken:
        raise _wrong(f"there is an idea {ident} already")
    return ident


def _require_room(idea: Board, there: Sequence[Board]) -> None:
    """No other idea has its title, and its wave has a place for it."""
    title, name = idea["title"], idea["wave"]
    if title.lower() in {str(each.get("title")).lower() for each in there}:
        raise _wrong(f"there is an idea of that title already: {short_line(title)}")
    wave, same_wave = brainstorm_model.WAVES[name], brainstorm_model.in_wave(there, name)
    if len(same_wave) >= wave.size:
        raise _wrong(f"the wave {name} has its {wave.size} ideas")
    if wave.key and idea[wave.key] in [each.get(wave.key) for each in same_wave]:
        raise _wrong(f"there is an idea of the {wave.key} {idea[wave.key]} already")


def _text(given: Any, what: str) -> str:
    if given is not None and not isinstance(given, str):
        raise _wrong(f"{what} is {_shown(given)} and has to be a text")
    return checked_text(given or "", what)


def _map(given: Any, what: str, names: Sequence[str] = ()) -> Mapping[str, Any]:
    """The mapping; with ``names`` it has no other ones."""
    if not isinstance(given, dict) or not all(isinstance(each, str) for each in given):
        raise _wrong(f"{what} is {_shown(given)} and has to be a mapping")
    if names and (unknown := sorted(given.keys() - set(names))):
        raise _wrong(f"{what} has no {_shown(unknown[0])}: {', '.join(names)}")
    return given


def _list(given: Any, what: str) -> list[Any]:
    if not isinstance(given, list):
        raise _wrong(f"{what} is {_shown(given)} and has to be a list")
    return given


# -- small parts -----------------------------------------------------------------------------------


def _open_board(state: State, *, hint: str = START) -> Board:
    """A copy of the unfinished brainstorm; ``hint`` is for one that is finished."""
    board = brainstorm_model.board_of(state)
    if not board:
        raise UsageError("there is no brainstorm", hint=START)
    if brainstorm_model.is_finished(board):
        raise UsageError(f"{board.get('id')} is complete", hint=hint)
    return dict(board)


def _require_phase(board: Board, what: str, phases: Sequence[str]) -> None:
    here = brainstorm_model.phase_of(board)
    if here in phases:
        return
    is_early = brainstorm_model.PHASES.index(here) < brainstorm_model.PHASES.index(phases[0])
    lacking = "; ".join(brainstorm_model.missing(board)[:3]) if is_early else ""
    why = f"; first: {lacking}" if lacking else ""
    raise _wrong(f"{what} belongs to the phase {phases[0]}, and this is {here}{why}")


def _advance(board: Board) -> None:
    """Into the next phase where nothing of this one is missing; only ``complete`` ends the last one."""
    board["phase"] = brainstorm_model.phase_of(board)
    while board["phase"] in ("diverge", "transform") and not brainstorm_model.missing(board):
        board["phase"] = brainstorm_model.PHASES[brainstorm_model.PHASES.index(board["phase"]) + 1]


def _add_up(board: Board) -> None:
    """Totals are sums, also where somebody wrote others by hand."""
    board["transformed"] = [
        {
            **each,
            "scores": {
                **brainstorm_model.as_map(each["scores"]),
                "total": brainstorm_model.total(each),
            },
        }
        if each.get("scores")
        else each
        for each in maps(board.get("transformed"))
    ]


def _event(to: str, data: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    return "brainstorm", {"to": to, **data}


def _ident(given: Any) -> str:
    return numbered_id("I", str(given)) or one_line(given, 40)


def _not_four(count: int) -> UsageError:
    return _wrong(f"{brainstorm_model.SELECTED} ideas are worked out, and these are {count}")


def _wrong(message: str) -> UsageError:
    return UsageError(message, hint="edge brainstorm prompt   (what is asked for, in its form)")


def _shown(value: Any) -> str:
    return "missing" if value is None else one_line(repr(value), 40)
