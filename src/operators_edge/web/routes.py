"""What the dashboard answers at which address: files of the page, views, decisions, and what changes.

Owns the table of addresses: nothing of a request becomes a path of a file. Does not own who may ask
(``web.access``), the network (``web.server``) or what a view says (``web.views``).
"""

from __future__ import annotations

import json
import os
from urllib.parse import parse_qsl

from operators_edge.errors import EdgeError, UsageError
from operators_edge.reports import html
from operators_edge.tuples import NamedTuple
from operators_edge.web import access, decide_service, frame, live, patience, projects_service
from operators_edge.web.patience import Patience

TYPE_CHECKING = False
if TYPE_CHECKING:
    import threading
    from collections.abc import Iterator, Mapping
    from typing import Any

    from operators_edge.web.projects_service import Place

ASSETS = os.path.join(os.path.dirname(__file__), "assets")
_MAX_FIELDS = 32
_FIELD_LIMIT = 400


class Reply(NamedTuple):
    """One answer; ``kind`` is its content type."""

    status: int
    kind: str
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()


def text(status: int, said: str) -> Reply:
    return Reply(status, "text/plain; charset=utf-8", f"{said}\n".encode())


def as_json(value: Any, status: int = 200) -> Reply:
    return Reply(status, "application/json", json.dumps(value).encode())


class Routes:
    """``here`` is the project that the dashboard was started in, "" for none."""

    def __init__(
        self, env: Mapping[str, str], here: str = "", *, patience: float = patience.SECONDS
    ) -> None:
        self._patience = Patience(patience)
        self.env = env
        self.here = here
        script, style = "text/javascript; charset=utf-8", "text/css; charset=utf-8"
        page = html.asset("shell.html", ASSETS)
        self._static = {
            "/": Reply(302, "text/plain", b"", (("Location", access.BASE),)),
            access.BASE: Reply(200, "text/html; charset=utf-8", page.encode()),
            f"{access.BASE}base.css": Reply(200, style, html.asset("base.css").encode()),
            f"{access.BASE}page.css": Reply(200, style, html.asset("page.css", ASSETS).encode()),
            f"{access.BASE}page.js": Reply(200, script, html.asset("page.js", ASSETS).encode()),
            f"{access.BASE}icon.svg": Reply(
                200, "image/svg+xml", html.asset("icon.svg", ASSETS).encode()
            ),
        }

    def end(self) -> None:
        """Wait for no view any more."""
        self._patience.end()

    def static(self, path: str) -> Reply | None:
        """What is given to anyone on this machine: the empty page, without any data."""
        return self._static.get(path)

    def places(self) -> list[Place]:
        return projects_service.places(self.env, self.here)

    def answer(self, method: str, path: str, query: str, given: dict[str, Any]) -> Reply:
        """The answer to a request of the person's page."""
        if (method, path) == ("POST", f"{access.BASE}act"):
            return self._act(given)
        name = path.removeprefix(f"{access.BASE}view/")
        if method == "GET" and frame.is_view(name):
            asked = dict(parse_qsl(query[: access.MAX_TARGET], max_num_fields=_MAX_FIELDS))
            short = {key: value[:_FIELD_LIMIT] for key, value in asked.items()}
            key = json.dumps([name, short.get("project", "")])
            found = self._patience.result(
                key, lambda: frame.view_of(name, self.places(), short, self.env, self.here)
            )
            return as_json(found or {"ok": True, "is_pending": True})
        return text(404, "the dashboard has nothing there")

    def _act(self, given: dict[str, Any]) -> Reply:
        """A refusal is an answer, too: a status of failure would be an error in the browser's console."""
        wanted = given.get("project")
        try:
            place = next((each for each in self.places() if each.id == wanted), None)
            if place is None:
                raise UsageError("the dashboard has no such project")
            return as_json({"ok": True, **decide_service.decide(place.opened(), given)})
        except EdgeError as error:
            return as_json({"ok": False, **decide_service.refusal(error)})

    def changes(self, ending: threading.Event) -> Iterator[bytes]:
        """Server-sent events: which projects have changed."""
        return live.events(self.places, self.env, ending)

    def note_forgery(self, why: str) -> None:
        """Write into each log that a program of an agent came to the dashboard with the person's token."""
        for place in self.places():
            try:
                data = {"words": "the dashboard", "why": why}
                place.opened().log.append({"event": "approval_forgery", "data": data})
            except EdgeError as error:
                from operators_edge.text import outgoing  # noqa: PLC0415 - only after a failure

                outgoing.to_stderr(f"not recorded: {error.message}")


# end of module
