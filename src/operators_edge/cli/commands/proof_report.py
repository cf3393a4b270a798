"""``edge log report``: what an objective is based on, as Markdown for a pull request or as a file for CI."""

from __future__ import annotations

import os

from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.errors import AnswerIsNo
from operators_edge.locations import BASIS_FILE
from operators_edge.quality import basis_service, report, service as quality_service


@command(
    "proof report",
    arg("--archived N", "the Nth objective from the end of the archive", type=int, default=0),
    arg("--save", f"write {BASIS_FILE}, for edge verify --ci; commit it"),
    about="print what the work is based on, for a pull request",
    example="> body.md",
)
def _report(args: Args) -> Answer:
    """The current objective; without one, the last that was done."""
    project = args.project
    state = project.state.read()
    if args.archived or not state.get("objective"):
        kept = basis_service.archived(project)
        at = args.archived or 1
        if not 1 <= at <= len(kept):
            raise AnswerIsNo(
                f"the archive holds {len(kept)} objectives that were done", hint="edge log report"
            )
        found = kept[-at]
    else:
        gate = quality_service.gate_of(project, state, project.latest_session())
        found = basis_service.current(project, state, gate)
    if args.save:
        path = os.path.join(project.root, BASIS_FILE)
        basis_service.write(path, found)
        return Answer({"path": path}, f"Written: {BASIS_FILE}. Commit it; then: edge verify --ci")
    return Answer(found, report.markdown(found).splitlines())


# end of module
