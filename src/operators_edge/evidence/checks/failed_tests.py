"""The names of the tests that a run reported as failed.

Owns the patterns: a new runner is a row. Does not own whether the run failed (``evidence.checks.outcome``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_NAMES = 20
MAX_LENGTH = 120

_MAX_TEXT = 400_000

# (readers, a text of which each such line has one, the pattern; its group is the name)
_ROWS = (
    ("pytest tox nox make", "FAILED ", r"^FAILED (\S+?)(?: - .*)?$"),
    ("pytest tox nox make", "ERROR ", r"^ERROR (\S+\.py\S*)(?: - .*)?$"),
    ("unittest pytest tox nox make", ": ", r"^(?:FAIL|ERROR): (\w+) \("),
    ("jest", "●", r"^ *● (\S.*? \u203a .*?)$"),
    ("vitest", "FAIL", r"^ *FAIL +(\S+ > .*?)$"),
    ("mocha", ") ", r"^ +\d+\) (\S.*?):?$"),
    ("node tap", "not ok", r"^ *not ok \d+ -? ?(.*?)(?: #.*)?$"),
    ("node ava", "✖", r"^ *✖ (\S.*?)(?: \([\d.]+m?s\))?$"),
    ("go gotestsum", "--- FAIL", r"^ *--- FAIL: (\S+)"),
    ("cargo", "FAILED", r"^test (\S+) \.\.\. FAILED"),
    ("nextest", "FAIL", r"^ *FAIL \[.*?\] +(?:\(.*?\) +)?(\S.*)$"),
    ("maven", "[ERROR]", r"^\[ERROR\] +([\w.$]+\.\w+):\d+"),
    ("gradle", "FAILED", r"^(\S+ > .*?) FAILED$"),
    ("dotnet", "Failed ", r"^ *Failed (\S+) \["),
    ("rspec", "rspec ", r"^rspec (\S+)"),
    ("minitest", "test_", r"^ *(?:\d+\) )?(?:Failure|Error):\s*\n?\s*(\S+#\w+)"),
    ("phpunit pest", ") ", r"^\d+\) ([\w\\]+::\w+)"),
    ("pest", "FAILED", r"^ *FAILED +(\S.*?)$"),
    ("ctest", "(Failed)", r"^\s*\d+ - (\S+) \(Failed\)"),
    ("bats", ") test", r"^ +\d+\) test (.*?) \("),
    ("deno", "FAILED", r"^(\S.*?) \.\.\. FAILED"),
    ("bun", "(fail)", r"^\(fail\) (.*?)(?: \[.*)?$"),
    ("swift xcodebuild", "failed", r"^Test Case '-?\[?(.+?)\]?' failed"),
)


def names_of(text: str, readers: Iterable[str]) -> list[str]:
    """The failed tests that these runners name in their output, each once, in its order."""
    wanted, found = set(readers), dict[str, None]()
    shown = text[-_MAX_TEXT:]
    for row, mark, pattern in _ROWS:
        if mark in shown and not wanted.isdisjoint(row.split()):
            for match in re.finditer(pattern, shown, re.MULTILINE):
                found[match[1].strip()[:MAX_LENGTH]] = None
    return list(found)[:MAX_NAMES]


# end of module
