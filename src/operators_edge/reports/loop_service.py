"""The steps of ``edge loop``, for one project.

Owns what each of them does with the others' results. Does not own their order or what a failed one means
(``reports.edge_loop``) or the dashboard, which the command line brings along.
"""

from __future__ import annotations

import os

from operators_edge.errors import StateError
from operators_edge.reports import (
    digest_service,
    edge_loop,
    output_store,
    proof_page_service,
    traceability,
)
from operators_edge.reports.edge_loop import Done
from operators_edge.storage import files
from operators_edge.text.wording import amount, many, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from operators_edge.project import Project
    from operators_edge.reports.digest import Recommendation
    from operators_edge.reports.edge_loop import Steps

_SHOWN = 200


class Loop:
    """One run of the loop. ``recommendations`` are those of the digest, once it is written."""

    def __init__(self, project: Project, *, server: Callable[[], Done]) -> None:
        self._project = project
        self._server = server
        self._page = ""
        self.recommendations: tuple[Recommendation, ...] = ()

    @property
    def steps(self) -> Steps:
        return {
            "page": self._write_page,
            "traceability": self._note_traceability,
            "archive": self._archive,
            "digest": self._write_digest,
            "server": self._server,
        }

    @property
    def _today(self) -> datetime:
        return self._project.clock().astimezone()  # names of files have the person's own date

    def _write_page(self) -> Done:
        written = proof_page_service.write(self._project)
        self._page = written.path
        path = os.path.relpath(written.path, self._project.root)
        removed = f", {many(written.removed, 'secret')} removed" if written.removed else ""
        text = f"{path}: {many(written.summary.entries, 'entry')}, {amount(written.size)}{removed}"
        if written.problem:
            return Done(f"{text}; the log does not record it: {written.problem}", "warning", path)
        return Done(text, path=path)

    def _note_traceability(self) -> Done:
        history = digest_service.note_history(self._project)
        found, last = traceability.drift(history), history[-1]
        name = found.name if found is not None else ""
        data = {"cti": last.cti, "success_rate": last.success_rate, "change": name}
        status: edge_loop.Status = "warning" if name == "drift" else "ok"
        return Done(traceability.summary(history), status, more=data)

    def _archive(self) -> Done:
        if not self._page:
            return Done("there is no new page to keep", "skipped")
        data = files.read_bytes(self._page)
        if data is None:
            raise StateError(f"{self._page} is gone", hint="edge loop")
        path = output_store.write_new(self._project.root, "proof", ".html", data, self._today)
        return Done(path, path=path)

    def _write_digest(self) -> Done:
        found = digest_service.digest_of(self._project)
        self.recommendations = found.recommendations
        data = found.markdown.encode()
        path = output_store.write_new(self._project.root, "edge_digest", ".md", data, self._today)
        advice = [
            {"what": one_line(each.what, _SHOWN), "why": one_line(each.why, _SHOWN)}
            for each in found.recommendations
        ]
        return Done(path, path=path, more={"recommendations": advice})


# end of module
