"""``edge loop``: five steps that bring the reports up to date, and what a failed one means (RE-1).

Pure. Owns the steps, their order, and that none of them stops the others: whatever goes wrong in one is said,
and the loop goes on. Does not own what they do (``reports.loop_service``, ``web``) or how they are shown
(``cli.commands.loop``).
"""

from __future__ import annotations

from operators_edge.errors import EdgeError
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, Literal

    Name = Literal["page", "traceability", "archive", "digest", "server"]

    Status = Literal["ok", "warning", "skipped"]


STEPS: Mapping[Name, str] = {
    "page": "Proof page",
    "traceability": "Traceability",
    "archive": "Archive",
    "digest": "Digest",
    "server": "Dashboard",
}
"""In their order, as a person reads them."""


class Done(NamedTuple):
    """What a step did: one line for a person; ``path`` is the file that it wrote, relative to the project."""

    text: str
    status: Status = "ok"
    path: str = ""
    more: Mapping[str, Any] = {}


class Result(NamedTuple):
    """A finished step."""

    name: Name
    title: str
    done: Done
    seconds: float

    def as_data(self) -> dict[str, Any]:
        done = self.done
        data = {"step": self.name, "status": done.status, "text": done.text, "path": done.path}
        return {**data, "seconds": round(self.seconds, 3), **done.more}


if TYPE_CHECKING:
    Steps = Mapping[Name, Callable[[], Done]]


def run(
    steps: Steps, *, seconds: Callable[[], float], begins: Callable[[int, str], None]
) -> Iterator[Result]:
    """Run the steps in their order. ``begins`` gets the number and title of each before it starts."""
    for number, (name, title) in enumerate(STEPS.items(), 1):
        begins(number, title)
        start = seconds()
        try:
            done = steps[name]()
        except EdgeError as error:
            done = Done(_sentence(error), "warning")
        except OSError as error:
            done = Done(f"failed: {error.strerror or error}", "warning")
        yield Result(name, title, done, seconds() - start)


def _sentence(error: EdgeError) -> str:
    """Why a step failed, and what to run."""
    parts = [error.message, error.detail]
    text = ": ".join(part for part in parts if part)
    return f"{text}; run: {error.hint}" if error.hint.startswith("edge ") else text


def warnings(results: Iterable[Result]) -> list[str]:
    return [f"{each.title}: {each.done.text}" for each in results if each.done.status == "warning"]


# end of module
