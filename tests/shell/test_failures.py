"""Which commands of a script end it if they fail."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from tests.tables import for_each

from operators_edge.shell.failures import (
    ending_statements,
    ends_where_it_cannot_go,
    last_statements,
    may_end_early,
    traps_wait_for_end,
)

MAY_GO_ON = [
    "up() { no; }\nup\nretry up\nretry() { $1 || true; }",
    "C=retry\nup() { no; }\nup\n$C up\nretry() { $1 || true; }",
    "up() { no; }\nup\ntime up",
    "up() { no; }\nup\necho $( up )",
    "f() { no; }",
    "f() { no; }\n$(f)\nf",
    "no; 'a",
    "no; fi",
    "f() { test -d a && return 0; no; }\nf",
    "f() {\n  if test -d a; then return; fi\n  no\n}\nf",
]
ENDS = [
    "no",
    "echo a\nno",
    "(no)",
    "{ no; }",
    "( cd /\n no ) > /dev/null",
    "f() { no; }\nf",
    "f() {\n  g\n}\ng() { no; }\nf",
    "x=$(no)",
    "f() {\n  test -d a || return 1\n  no\n}\nf  # f ends it",
    "up() { no; }\nup\ndocker up",
    'C="docker -p a"\nup() { no; }\nup\n$C up',
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


@for_each("text", [*GOES_ON, *MAY_GO_ON])
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


@for_each(
    ("text", "is_last"),
    [
        ("no", True),
        ("true && no && true", True),
        ("a; (no)", True),
        ("{ no && true; }", True),
        ("no; true", False),
        ("true || no", False),
        ("no || true", False),
        ("no || true && true", False),
        ("! no", False),
        ("no &", False),
        ("no | cat", False),
        ("no; 'a", False),
    ],
)
def test_a_text_succeeds_only_if_its_last_commands_do(text, is_last):
    assert (at_no(text) in last_statements(text)) == is_last


@for_each(
    ("text", "may_end"),
    [
        ("a\nexit 1\nb", False),
        ("trap a EXIT\nb", False),
        ("test -d a && exit 0\nb", True),
        ("test -d a && exit\nb", True),
        ("f() { return; }\nb", True),
    ],
)
def test_a_script_may_end_well_before_its_last_command(text, may_end):
    assert may_end_early(text) == may_end
