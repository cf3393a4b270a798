"""One brainstorm: twelve ideas, four of them worked out, one recommended; its phases and its counts (LC-3).

Pure, as ``planning``: an edit changes the state it is given and says what it did. A phase is over when
nothing of it is missing, and what belongs to a later one is not taken before. Does not own what is missing
(``inquiry.brainstorm_model``), the words with which a phase is asked for (``inquiry.brainstorm_prompts``)
or where a finished one lies whole (``inquiry.brainstorm_service``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from operators_edge.errors import UsageError
from operators_edge.inquiry.brainstorm_model import (
    BEST_SCORE,
    EXPERT,
    OUTCOMES,
    PERSPECTIVES,
    PHASES,
    RECOMMENDED,
    SCAMPER,
    SCORES,
    SELECTED,
    SPECTRUM,
    STRESS,
    WAVES,
    Board,
    actions,
    as_map,
    board_of,
    chosen,
    count,
    is_finished,
    missing,
    phase_of,
    progress,
    top,
    total,
)
from operators_edge.patrol.findings import suggested
from operators_edge.plan.edits import EditResult, checked_text, short_line
from operators_edge.state.schema import maps
from operators_edge.text.wording import many, one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from operators_edge.model import State

SCAN = "edge brainstorm scan"
START = 'edge brainstorm "How might we …?"'
_IDENT = re.compile(r"[iI]?0*(\d{1,4})")
_NAME = re.compile(r"\w[\w -]{0,39}")


# -- edits -----------------------------------------------------------------------------------------


def begin(
    state: State, challenge: str, *, mode: str, now: datetime, taken: Collection[str] = ()
) -> EditResult:
    """Begin one; another that is not finished has to be finished or dropped first."""
    kept = checked_text(challenge, "a challenge")
    before = board_of(state)
    if before and not is_finished(before):
        raise UsageError(
            f"{before.get('id')} is in its phase {phase_of(before)}: {short_line(before.get('challenge'))}",
            hint="edge brainstorm show, or edge brainstorm drop",
        )
    used = {*taken, str(before.get("id"))}
    day = f"B{now:%Y%m%d}"
    later = (f"{day}-{n}" for n in range(2, len(used) + 3))
    ident = next(each for each in (day, *later) if each not in used)
    state["brainstorm"] = {
        "id": ident,
        "challenge": kept,
        "mode": mode,
        "expert": {},
        "phase": PHASES[0],
        "ideas": [],
        "transformed": [],
        "recommendations": {},
        "created": now.isoformat(timespec="seconds"),
        "completed": None,
    }
    data = {"id": ident, "challenge": kept, "mode": mode}
    return EditResult(
        f"Brainstorm {ident}: {short_line(kept)}", data, (("brainstorm", {"to": "begun", **data}),)
    )


def challenge_of(state: State, text: str) -> tuple[str, str]:
    """What is meant by the words of a challenge, and its mode: "scan" for one that the last scan suggested,
    which its number names, too; else "topic".
    """
    there = suggested(state)
    number = text.strip()
    if re.fullmatch(r"[0-9]{1,3}", number):
        if not 1 <= int(number) <= len(there):
            what = (
                f"suggested {many(len(there), 'challenge')}" if there else "suggested no challenge"
            )
            raise UsageError(f"there is no {number}: the last scan {what}", hint=SCAN)
        return there[int(number) - 1], "scan"
    is_suggested = " ".join(text.split()) in {" ".join(each.split()) for each in there}
    return text, "scan" if is_suggested else "topic"


def load(state: State, given: Any) -> EditResult:
    """Take in what a phase asks for: expert, ideas, selected, transformed, recommendations.

    All of it is checked before anything is taken. The totals are computed, whatever is said of them.
    """
    board = _open_board(state)
    fields = _map(given, "what is loaded")
    if unknown := sorted(set(fields) - set(_TAKES)):
        raise _wrong(
            f"{_shown(unknown[0])} is nothing that a brainstorm takes: {', '.join(_TAKES)}"
        )
    if not fields:
        raise _wrong(f"nothing is in it; it can hold {', '.join(_TAKES)}")
    before = phase_of(board)
    for name, take in _TAKES.items():
        if name in fields:
            take(board, fields[name])
            _go_on(board)
    _add_up(board)
    state["brainstorm"] = board
    lacking = missing(board)
    phase = phase_of(board)
    told = [progress(board)] if phase == before else [f"The phase is {phase} now.", progress(board)]
    told += [f"  missing: {each}" for each in lacking]
    if phase == "converge" and not lacking:
        told.append("Nothing is missing: edge brainstorm complete --outcome deferred")
    data = {"id": board.get("id"), "phase": phase, "missing": lacking}
    events = () if phase == before else (("brainstorm", {"to": phase, "id": board.get("id")}),)
    return EditResult("\n".join(told), data, events)


def remove(state: State, ident: str) -> EditResult:
    """Take one idea out, as long as ideas are gathered."""
    board = _open_board(state)
    _in_phase(board, "taking an idea out", "diverge")
    named = _ident(ident)
    left = [each for each in maps(board.get("ideas")) if str(each.get("id")) != named]
    if len(left) == len(maps(board.get("ideas"))):
        raise _wrong(f"there is no idea {named}")
    board["ideas"] = left
    state["brainstorm"] = board
    data = {"id": board.get("id"), "removed": named, "missing": missing(board)}
    return EditResult(f"Took {named} out.\n{progress(board)}", data)


def complete(state: State, *, outcome: str, now: datetime) -> EditResult:
    """Finish it; what is still missing is named."""
    board = _open_board(state)
    if lacking := missing(board):
        listed = "; ".join(lacking[:3]) + (f"; {len(lacking) - 3} more" if len(lacking) > 3 else "")
        raise UsageError(
            f"{board.get('id')} is in its phase {phase_of(board)}, and this is missing: {listed}",
            hint="edge brainstorm prompt, or edge brainstorm drop",
        )
    _add_up(board)
    board.update(phase="complete", completed=now.isoformat(timespec="seconds"), outcome=outcome)
    state["brainstorm"] = board
    best, todo = top(board), actions(board)
    told = [f"{board.get('id')} is complete ({outcome}): {short_line(best['name'])}"]
    told += [
        f"  {short_line(best['core_idea'])}",
        *(f"  {n}. {short_line(a)}" for n, a in enumerate(todo, 1)),
    ]
    told.append("Into the plan: edge brainstorm plan")
    data = {"id": board.get("id"), "outcome": outcome, "top": best["name"], "actions": todo}
    return EditResult("\n".join(told), data, (("brainstorm", {"to": "complete", **data}),))


def drop(state: State) -> EditResult:
    """Take an unfinished one out."""
    board = board_of(state)
    if not board:
        raise UsageError("there is no brainstorm", hint=START)
    if is_finished(board):
        raise UsageError(f"{board.get('id')} is complete", hint="edge prune archives it")
    state["brainstorm"] = None
    data = {"id": board.get("id"), "challenge": board.get("challenge")}
    text = f"Dropped brainstorm {board.get('id')}: {short_line(board.get('challenge'))}"
    return EditResult(
        text, {"dropped": board.get("id")}, (("brainstorm", {"to": "dropped", **data}),)
    )


def actions_for_plan(state: State) -> list[str]:
    """The first recommendation's actions that no step of the plan says yet."""
    board = board_of(state)
    if not is_finished(board):
        raise UsageError("no brainstorm is complete", hint="edge brainstorm show")
    planned = {str(each.get("description")) for each in maps(state.get("plan"))}
    return [each for each in actions(board) if each not in planned]


def archive_entry(board: Board, now: datetime) -> dict[str, Any]:
    """What the archive keeps of a completed brainstorm."""
    return {
        "type": "completed_brainstorm",
        "timestamp": now.isoformat(),
        "brainstorm_id": board.get("id"),
        "challenge": board.get("challenge"),
        "mode": board.get("mode"),
        "ideas_generated": len(maps(board.get("ideas"))),
        "top_recommendation": top(board).get("name"),
        "actions_extracted": len(actions(board)),
        "outcome": board["outcome"] if board.get("outcome") in OUTCOMES else "deferred",
        "board": board,  # the ideas that were not taken may be wanted one day
    }


# -- taking in -------------------------------------------------------------------------------------


def _take_expert(board: Board, given: Any) -> None:
    _in_phase(board, "expert", "diverge")
    board["expert"] = {**as_map(board.get("expert")), **_texts(given, EXPERT, "expert")}


def _take_ideas(board: Board, given: Any) -> None:
    _in_phase(board, "ideas", "diverge")
    ideas = list(maps(board.get("ideas")))
    for entry in _list(given, "ideas"):
        ideas.append(_idea(ideas, _map(entry, "an idea")))
    if (marked := sum(each.get("selected") is True for each in ideas)) > SELECTED:
        raise _wrong(f"{SELECTED} ideas are worked out, and these are {marked}")
    board["ideas"] = ideas


def _idea(there: Sequence[Board], given: Mapping[str, Any]) -> Board:
    wave = given.get("wave")
    if not isinstance(wave, str) or wave not in WAVES:
        raise _wrong(f"an idea's wave is {_shown(wave)}; it can be {', '.join(WAVES)}")
    key, kinds = _KINDS.get(wave, ("", ()))
    allowed = {"id", "wave", "title", "description", "selected", *([key] if key else [])}
    if unknown := sorted(set(given) - allowed):
        raise _wrong(f"an idea of the wave {wave} has no {_shown(unknown[0])}")
    title = _text(given.get("title"), "an idea's title")
    if title.lower() in {str(each.get("title")).lower() for each in there}:
        raise _wrong(f"there is an idea of that title already: {short_line(title)}")
    if count(there, wave) >= WAVES[wave]:
        raise _wrong(f"the wave {wave} has its {WAVES[wave]} ideas")
    kind = given.get(key) if key else None
    if key and kind not in kinds:
        raise _wrong(f"the {key} of an idea is {_shown(kind)}; it can be {', '.join(kinds)}")
    if key and any(each.get("wave") == wave and each.get(key) == kind for each in there):
        raise _wrong(f"there is an idea of the {key} {kind} already")
    is_selected = given.get("selected", False)
    if not isinstance(is_selected, bool):
        raise _wrong(f"selected is true or false for an idea, not {_shown(is_selected)}")
    description = _text(given["description"], "a description") if given.get("description") else ""
    known = {"id": _own_ident(there, given), "wave": wave, **({key: kind} if key else {})}
    return {**known, "title": title, "description": description, "selected": is_selected}


def _own_ident(there: Sequence[Board], given: Mapping[str, Any]) -> str:
    """The id that the answer gives it, so that ``selected`` names what it meant; else the next one."""
    taken = [str(each.get("id")) for each in there]
    if given.get("id") is None:
        numbers = [_IDENT.fullmatch(each) for each in taken]
        return f"I{max((int(each[1]) for each in numbers if each), default=0) + 1:03}"
    ident = _ident(given["id"])
    if not _IDENT.fullmatch(ident):
        raise _wrong(f"an idea's id is {_shown(ident)}; it can be I001, I002, …")
    if ident in taken:
        raise _wrong(f"there is an idea {ident} already")
    return ident


_KINDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "spectrum": ("type", SPECTRUM),
    "perspective": ("perspective", PERSPECTIVES),
}


def _take_selected(board: Board, given: Any) -> None:
    _in_phase(board, "selected", "diverge")
    ideas = maps(board.get("ideas"))
    asked = [_ident(each) for each in _list(given, "selected")]
    there = {str(each.get("id")) for each in ideas}
    if unknown := [each for each in asked if each not in there]:
        raise _wrong(f"there is no idea {unknown[0]}")
    if len(set(asked)) != SELECTED:
        raise _wrong(f"{SELECTED} ideas are worked out, and these are {len(set(asked))}")
    board["ideas"] = [{**each, "selected": str(each.get("id")) in asked} for each in ideas]


def _take_transformed(board: Board, given: Any) -> None:
    _in_phase(board, "transformed", "transform", "converge")
    picked = chosen(board)
    by_id = {str(each.get("idea_id")): dict(each) for each in maps(board.get("transformed"))}
    for entry in _list(given, "transformed"):
        fields = _map(entry, "an entry of transformed")
        ident = _ident(fields.get("idea_id"))
        if ident not in picked:
            raise _wrong(f"{ident} is none of the selected ideas: {', '.join(picked)}")
        one = by_id.setdefault(ident, {"idea_id": ident})
        _take_parts(board, one, fields)
    board["transformed"] = [by_id[each] for each in picked if each in by_id]


def _take_parts(board: Board, one: Board, fields: Mapping[str, Any]) -> None:
    if unknown := sorted(
        set(fields) - {"idea_id", "scamper", "analogies", "scores", "stress_test"}
    ):
        raise _wrong(f"an entry of transformed has no {_shown(unknown[0])}")
    if "scamper" in fields:
        given = _texts(fields["scamper"], SCAMPER, "scamper")
        one["scamper"] = {**as_map(one.get("scamper")), **given}
    if "analogies" in fields:
        given = _texts(fields["analogies"], (), "analogies")
        one["analogies"] = {**as_map(one.get("analogies")), **given}
    if "scores" in fields:
        _in_phase(board, "scores", "converge")
        one["scores"] = _scores({**as_map(one.get("scores")), **_map(fields["scores"], "scores")})
    if "stress_test" in fields:
        _in_phase(board, "stress_test", "converge")
        given = _texts(fields["stress_test"], STRESS, "stress_test")
        one["stress_test"] = {**as_map(one.get("stress_test")), **given}


def _scores(given: Mapping[str, Any]) -> Board:
    """The scores with their total, which is computed."""
    if unknown := sorted(set(given) - {*SCORES, "total"}):
        raise _wrong(f"there is no score {_shown(unknown[0])}: {', '.join(SCORES)}")
    kept = {}
    for name in SCORES:
        if name not in given:
            continue
        value = given[name]
        if type(value) is not int or not 1 <= value <= BEST_SCORE:
            raise _wrong(
                f"{name} is {_shown(value)}; a score is a whole number from 1 to {BEST_SCORE}"
            )
        kept[name] = value
    return {**kept, "total": sum(kept.values())}


def _take_recommendations(board: Board, given: Any) -> None:
    _in_phase(board, "recommendations", "converge")
    fields = _map(given, "recommendations")
    if unknown := sorted(set(fields) - set(RECOMMENDED)):
        raise _wrong(f"there is no recommendation {_shown(unknown[0])}: {', '.join(RECOMMENDED)}")
    kept = dict(as_map(board.get("recommendations")))
    for name, each in fields.items():
        one = dict(_map(each, name))
        steps = one.pop("actions", None)
        new = {**as_map(kept.get(name)), **_texts(one, RECOMMENDED[name], name)}
        if steps is not None:
            if name == "wild_card":
                raise _wrong("a wild card has no actions")
            new["actions"] = [_text(each, "an action") for each in _list(steps, "actions")]
        kept[name] = new
    board["recommendations"] = kept


_TAKES = {
    "expert": _take_expert,
    "ideas": _take_ideas,
    "selected": _take_selected,
    "transformed": _take_transformed,
    "recommendations": _take_recommendations,
}


# -- small parts -----------------------------------------------------------------------------------


def _open_board(state: State) -> Board:
    board = board_of(state)
    if not board:
        raise UsageError("there is no brainstorm", hint=START)
    if is_finished(board):
        raise UsageError(f"{board.get('id')} is complete", hint=START)
    return dict(board)


def _add_up(board: Board) -> None:
    """Totals are sums, also where somebody wrote others by hand."""
    worked = maps(board.get("transformed"))
    board["transformed"] = [
        {**each, "scores": {**as_map(each["scores"]), "total": total(each)}}
        if each.get("scores")
        else each
        for each in worked
    ]


def _go_on(board: Board) -> None:
    """Into the next phase where nothing of this one is missing; ``complete`` is somebody's word."""
    board["phase"] = phase_of(board)
    while board["phase"] in ("diverge", "transform") and not missing(board):
        board["phase"] = PHASES[PHASES.index(board["phase"]) + 1]


def _in_phase(board: Board, what: str, *phases: str) -> None:
    here = phase_of(board)
    if here not in phases:
        when = f"belongs to the phase {phases[0]}, and this is {here}"
        lacking = "; ".join(missing(board)[:3])
        is_early = PHASES.index(here) < PHASES.index(phases[0])
        why = f"; first: {lacking}" if is_early and lacking else ""
        raise _wrong(f"{what} {when}{why}")


def _texts(given: Any, names: Sequence[str], what: str) -> Board:
    """The fields as texts; with ``names`` no other ones."""
    fields = _map(given, what)
    if names and (unknown := sorted(set(fields) - set(names))):
        raise _wrong(f"{what} has no {_shown(unknown[0])}: {', '.join(names)}")
    if odd := [each for each in fields if not _NAME.fullmatch(each)]:
        raise _wrong(f"{what} has {_shown(odd[0])}; a name is a word or a few")
    return {name: _text(value, f"{what}.{name}") for name, value in fields.items()}


def _text(given: Any, what: str) -> str:
    if given is not None and not isinstance(given, str):
        raise _wrong(f"{what} is {_shown(given)} and has to be a text")
    return checked_text(given or "", what)


def _map(given: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(given, dict) or not all(isinstance(each, str) for each in given):
        raise _wrong(f"{what} is {_shown(given)} and has to be a mapping")
    return given


def _list(given: Any, what: str) -> list[Any]:
    if not isinstance(given, list):
        raise _wrong(f"{what} is {_shown(given)} and has to be a list")
    return given


def _wrong(message: str) -> UsageError:
    return UsageError(message, hint="edge brainstorm prompt   (what is asked for, in its form)")


def _shown(value: Any) -> str:
    return "missing" if value is None else one_line(repr(value), 40)


def _ident(given: Any) -> str:
    match = _IDENT.fullmatch(str(given).strip())
    return f"I{int(match[1]):03}" if match else one_line(given, 40)
