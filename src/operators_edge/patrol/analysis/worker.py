"""The process that analyses files: one question in JSON per line of stdin, one answer per line of stdout.

Owns nothing else. It is a separate process because a file, or a lesson's regular expression, can keep an
analyser busy forever or crash it, and the scan must continue. When the time for a question is up, or after an
error, it ends with the reason on stderr: ``workers`` knows which question that was.
"""

from __future__ import annotations

import faulthandler
import json
import os
import sys

from operators_edge.patrol.analysis import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def main() -> int:
    """Answer until stdin ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    sys.stdout = sys.stderr  # what an analyser prints must not be read as an answer
    for line in sys.stdin:
        question = json.loads(line)
        # A watchdog outside the interpreter: a regular expression that never ends blocks everything else.
        faulthandler.dump_traceback_later(question["seconds"], exit=True)
        print(json.dumps(_answer(question)), file=answers, flush=True)
        faulthandler.cancel_dump_traceback_later()
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

# end of module
