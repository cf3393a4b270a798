"""How often each file was changed lately, as git's history tells.

Owns that question. Does not own which number is high (``patrol.code_findings``).
"""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.git import commands as git

if TYPE_CHECKING:
    from datetime import datetime

    from operators_edge.git.commands import Budget

MOST_COMMITS = 5000
SECONDS = 5.0


class Churn(NamedTuple):
    """Commits that changed each path; ``why`` says why there is nothing, where git could not tell."""

    counts: dict[str, int]
    why: str = ""


def churn(root: str, since: datetime, budget: Budget) -> Churn:
    """The commits since then, without merges; paths below the root, as they are called there."""
    words = (
        *("log", f"--since={since.isoformat(timespec='seconds')}", "--no-merges", "--no-renames"),
        *(f"--max-count={MOST_COMMITS}", "--format=", "--name-only", "-z", "--relative"),
    )
    try:
        answer = git.finish(git.start(root, *words), min(SECONDS, budget.left))
    except git.TooSlow:
        return Churn({}, "git took too long")
    except OSError as error:
        return Churn({}, error.strerror or str(error))
    if answer.code:
        is_young = "does not have any commits" in answer.why
        return Churn({}, "" if is_young else answer.why.removeprefix("fatal: "))
    names = (os.fsdecode(each).strip("\n") for each in answer.out.split(b"\0"))
    return Churn(dict(Counter(name for name in names if name)))
