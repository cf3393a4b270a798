"""The process that looks into files: one question in JSON on each line of stdin, one answer on stdout.

Owns nothing but that. It is a process of its own because a file, or somebody's regular expression, can keep
an analyser busy for ever or end it, and the scan has to go on. What goes wrong ends it, with its reason on
stderr: ``workers`` tells which question that was.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from operators_edge.patrol.analysis import files


def main() -> int:
    """Answer until stdin ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    sys.stdout = sys.stderr  # an analyser that prints must not be taken for an answer
    for line in sys.stdin:
        print(json.dumps(_answer(json.loads(line))), file=answers, flush=True)
    return 0


def _answer(asked: dict[str, Any]) -> Any:
    try:
        if "pattern" in asked:
            return files.hits(asked["path"], asked["pattern"])
        return files.look(asked["path"], asked["name"], is_test=asked["is_test"])
    except OSError as error:
        return {"unread": error.strerror or str(error)}


if __name__ == "__main__":
    sys.exit(main())
