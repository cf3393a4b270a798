"""The names of the tests that a run reported as failed.

Owns the patterns: a new runner is a row. Does not own whether the run failed (``evidence.checks.outcome``).
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_NAMES = 20
MAX_LENGTH = 120

_MAX_TEXT = 400_000

# (readers, a text of which each such line has one, the pattern; its group is the name)
_ROWS = (
    ("pytest tox nox make", "FAILED ", r"^FAILED ([^\s(]\S*?)(?: - .*)?$"),
    ("pytest tox nox make", "ERROR ", r"^ERROR (\S+\.py\S*)(?: - .*)?$"),
    ("unittest pytest tox nox make", ": ", r"^(?:FAIL|ERROR): (\w+) \("),
    ("jest", "●", r"^ *● (?!Console|Cannot log|Test suite failed|\w+ Warning)(\S.*?)$"),
    ("vitest", "FAIL", r"^ *FAIL +(\S+ > .*?)$"),
    ("mocha", ") ", r"^ {4,}\d+\) (\S.*?)$"),
    ("mocha", ") ", r"^ {2,3}\d+\) (\S.*?)(?::|\n((?: {5,}\S.*\n)*? {5,}\S.*?):)$"),
    ("node tap", "not ok", r"^ *not ok \d+ -? ?(.*?)(?: #.*)?$"),
    ("ava", "[fail]", r"^ *✘ \[fail\]: (.*?)$"),
    ("playwright", "\u203a", r"^ +\d+\) (?:\[[^\]]+\] \u203a )?(\S+:\d+:\d+ \u203a .*?)(?: ─+)?$"),
    ("node ava", "✖", r"^ *✖ (?!failing tests:)(\S.*?)(?: \([\d.]+m?s\))?$"),
    ("go gotestsum", "--- FAIL", r"^ *--- FAIL: (\S+)"),
    ("cargo", "FAILED", r"^test (\S+) \.\.\. FAILED"),
    ("cargo", " stdout ----", r"^---- (\S+) stdout ----$"),
    ("nextest", "FAIL", r"^ *FAIL \[.*?\] +(?:\(.*?\) +)?(\S.*)$"),
    ("maven", "[ERROR]", r"^\[ERROR\] +([\w.$]+\.\w+):\d+"),
    ("gradle", "FAILED", r"^(\S+ > .*?) FAILED$"),
    ("dotnet", "Failed ", r"^ *Failed (\S+) \["),
    ("rspec", "rspec ", r"^rspec (\S+)"),
    ("minitest", "test_", r"^ *(?:\d+\) )?(?:Failure|Error):\s*\n?\s*(\S+#\w+)"),
    ("minitest", "test_", r"^(?:Failure|Error): (test_\w+\(\w+\))"),
    ("phpunit pest", ") ", r"^\d+\) ([\w\\]+::\w+)"),
    ("phpunit", "✘", r"^ *✘ (\S.*?)$"),
    ("pest", "FAILED", r"^ *FAILED +(\S.*?)$"),
    ("ctest", "(Failed)", r"^\s*\d+ - (\S+) \(Failed\)"),
    ("bats", ") test", r"^ +\d+\) test (.*?) \("),
    ("bats", "✗", r"✗ (\S.*?)$"),
    ("prove", "(Wstat: ", r"^(\S+) +\(Wstat: "),
    ("busted", " -> ", r"^(?:Failure|Error) -> \S+ @ \d+\n(\S.*)$"),
    ("meson", "/", r"^ *\d+/\d+ (\S.*?) +(?:FAIL|TIMEOUT|ERROR) "),
    ("cucumber", ") Scenario", r"^\d+\) Scenario: (.*?) #"),
    ("behave", ".feature:", r"^  (\S+\.feature:\d+ .*)$"),
    ("stestr", "----", r"^((?:\w+\.)+test\w*)\n-+$"),
    ("doctest", ", in ", r'^File "[^"\n]+", line \d+, in (\S+)$'),
    ("uvu", "FAIL", r'^ *FAIL +"(.*)"$'),
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
                name = " ".join(" ".join(filter(None, match.groups())).split())
                found[name[:MAX_LENGTH]] = None
    # Some runners name a test alone first, and with its group in the end.
    in_groups = {name[at.end() :] for name in found for at in re.finditer(" ", name)}
    return [each for each in found if each not in in_groups][:MAX_NAMES]


# end of module
