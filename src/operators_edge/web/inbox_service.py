"""Every question of the projects that waits for a person, as it is now.

Owns what is looked at again before a person reads it. Does not own how a question is shown (``web.inbox``).
"""

from __future__ import annotations

import time

from operators_edge.approvals import junction
from operators_edge.approvals.binding import store as binding_store
from operators_edge.errors import EdgeError
from operators_edge.sessions import bound_call, live, tasks
from operators_edge.state import schema
from operators_edge.text.wording import as_text
from operators_edge.tuples import NamedTuple, cast
from operators_edge.web import inbox

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from operators_edge.model import State
    from operators_edge.project import Project
    from operators_edge.records import Junction
    from operators_edge.web.inbox import Question
    from operators_edge.web.projects_service import Place

LOOK_AGAIN_SECONDS = 20.0
"""A card that is open on a page is compared with the machine this often; an approval always is."""

_MAX_LOOKED = 1000
_looked: dict[str, float] = {}
"""When each question was compared last."""


class Inbox(NamedTuple):
    """What waits in a project; ``problem`` says what could not be read, and then nothing is known."""

    place: Place
    questions: tuple[Question, ...]
    tasks: tuple[dict[str, str], ...]
    problem: str
    hint: str

    @property
    def waiting(self) -> int:
        return sum(not each.is_shown_only for each in self.questions) + len(self.tasks)


def inbox_of(place: Place) -> Inbox:
    """The questions of one project."""
    try:
        project = place.opened()
        state = _looked_again(project)
        asked = _asked_in_client(project, state)
        first = _first(project, state)
    except EdgeError as error:
        return Inbox(place, (), (), error.message, error.hint)
    pending = state.get("junction")
    found = [inbox.question(cast("Junction", pending))] if isinstance(pending, dict) else []
    left = junction.left_questions(state)
    found += [inbox.question(each, is_left=True, first=first) for each in left]
    found += [inbox.question(each, is_shown_only=True) for each in asked]
    seen = tasks.gather(place.root) or {"waiting": [], "problem": ""}
    known = {live.task_of(each) for each in junction.open_questions(state)}
    waiting = [each for each in seen["waiting"] if each["id"] not in known]
    return Inbox(place, tuple(found), tuple(waiting), str(seen["problem"]), "edge bridge status")


def _looked_again(project: Project) -> State:
    """The state; what has changed since the pending call was shown is noted on its card first."""
    state = project.state.read()
    pending: Any = state.get("junction")
    if not isinstance(pending, dict) or not pending.get("binding"):
        return state
    key, now = str(pending.get("id")), time.monotonic()
    if now - _looked.get(key, float("-inf")) < LOOK_AGAIN_SECONDS:
        return state
    if len(_looked) > _MAX_LOOKED:
        _looked.clear()
    _looked[key] = now
    return (
        project.state.read()
        if bound_call.looked_again(project, cast("Junction", pending))
        else state
    )


def _first(project: Project, state: State) -> str:
    """The id of the pending question if a left one cannot take its place, else ""."""
    pending: Any = state.get("junction")
    if not isinstance(pending, dict) or not junction.left_questions(state):
        return ""
    gives_way = live.is_left(project, state, schema.latest_session(state))
    return "" if gives_way else as_text(pending.get("id"))


def _asked_in_client(project: Project, state: State) -> list[Junction]:
    """What the client's dialog asks at this moment, where nothing is pending here."""
    session = schema.latest_session(state)
    if not session or isinstance(state.get("junction"), dict):
        return []
    if not project.evidence.session(session)["asks"]:
        return []
    question = binding_store.last_question(project, session)
    return [] if question is None else [question]


# end of module
