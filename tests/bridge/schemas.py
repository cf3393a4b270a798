"""Write the published schemas again: ``python -m tests.bridge.schemas``."""

from __future__ import annotations

import json
import pathlib

from operators_edge.bridge import schemas

FOLDER = pathlib.Path(__file__).parents[2] / "docs" / "schemas"
WANTED = {
    "bridge-task.json": schemas.of_task,
    "bridge-result.json": schemas.of_result,
    "bridge-event.json": schemas.of_event,
}


def text(name: str) -> str:
    return json.dumps(WANTED[name](), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in WANTED:
        (FOLDER / each).write_text(text(each), encoding="utf-8")
