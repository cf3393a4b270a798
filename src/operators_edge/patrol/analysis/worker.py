"""The process that analyses files: one question in JSON per line of stdin, one answer per line of stdout.

Owns nothing else. It is a separate process because a file, or a lesson's regular expression, can keep an
analyser busy forever or crash it, and the scan must continue. An error ends it, with the reason on stderr:
``workers`` knows which question that was.
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
    sys.stdout = sys.stderr  # what an analyser prints must not be read as an answer
    for line in sys.stdin:
        print(json.dumps(_answer(json.loads(line))), file=answers, flush=True)
    return 0


def _answer(question: dict[str, Any]) -> Any:
    try:
        if "pattern" in question:
            return files.hits(question["path"], question["pattern"])
        return files.analyse(question["path"], question["name"], is_test=question["is_test"])
    except OSError as error:
        return {"unread": error.strerror or str(error)}


if __name__ == "__main__":
    sys.exit(main())
