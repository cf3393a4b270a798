"""Which commands of a script end it if they fail."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from tests.tables import for_each

from operators_edge.shell.failures import (
    ending_statements,
    ends_where_it_cannot_go,
    traps_wait_for_end,
)

ENDS = [
    "no",
    "echo a\nno",
    "(no)",
    "{ no; }",
    "( cd /\n no ) > /dev/null",
    "f() { no; }\nf",
    "f() {\n  g\n}\ng() { no; }\nf",
    "x=$(no)",
]
GOES_ON = [
    "no || true",
    "no && true",
    "! no",
    "no &",
    "if no; then :; fi",
    "while no; do :; done",
    "f() { no; }\nf || true",
    "f() { no; }\nif f; then :; fi",
    "(no) || true",
    "true && false && no\ntrue",
    "if false; then no; fi",
    "no | cat",
]


def at_no(text):
    return text.index("x=$(no") if "x=$(no" in text else text.index("no")


@for_each("text", ENDS)
def test_a_command_that_stands_alone_ends_its_script(text):
    assert at_no(text) in ending_statements(text)


@for_each("text", [*GOES_ON, "f() { no; }", "f() { no; }\n$(f)\nf", "no; 'a", "no; fi"])
def test_a_command_whose_failure_is_a_condition_does_not(text):
    assert at_no(text) not in ending_statements(text)


@for_each(
    ("text", "is_sure"),
    [
        ("set -e\ncd a\nrm b", True),
        ("set -euo pipefail\n(\n  cd a\n  rm b\n)", True),
        ("set -o errexit\nf() { cd a; rm b; }\nf", True),
        ("set -e\nd=$(cd a && pwd)\ncd $d\nrm b", True),
        ("cd a\nset -e\nrm b", False),
        ("cd a\nrm b", False),
        ("set -e\ncd a || true\nrm b", False),
        ("set -e\ncd a; set +e\nrm b", False),
        ("set -e\nif cd a; then :; fi\nrm b", False),
        ("set -e\nf() { cd a; rm b; }\nf || true", False),
        ('set -e\neval "$x"\ncd a\nrm b', False),
        ("set -e\ncd a &\nrm b", False),
        ("set -e\n! cd a\nrm b", False),
    ],
)
def test_a_script_may_end_where_it_cannot_go(text, is_sure):
    assert ends_where_it_cannot_go(text) == is_sure


@for_each(
    ("text", "is_sure"),
    [
        ("set -e\ntrap 'rm a' EXIT\ncd b", True),
        ("end() { rm a; }\ntrap -- end EXIT INT 0 SIGTERM", True),
        ("trap 'rm a' DEBUG", False),
        ("trap 'rm a' EXIT $ALSO", False),
        ("(trap 'rm a' EXIT)", False),
        ("trap 'rm a' EXIT &", False),
        ("trap 'rm a' EXIT | cat", False),
        ("trap 'rm a' EXIT\neval 'trap b DEBUG'", False),
        ("trap 'rm a' TERM\nkill $$", False),
        ("trap 'rm a", False),
    ],
)
def test_what_traps_run_may_come_after_all_else(text, is_sure):
    assert traps_wait_for_end(text) == is_sure


@pytest.mark.long
@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_agrees():
    for texts, is_end in ((ENDS, True), (GOES_ON, False)):
        for text in texts:
            script = f"no() {{ return 3; }}\nset -e\n{text}\necho went on\n"
            done = subprocess.run(
                ["bash", "-c", script], capture_output=True, text=True, check=False
            )
            assert ("went on" not in done.stdout) == is_end, text
