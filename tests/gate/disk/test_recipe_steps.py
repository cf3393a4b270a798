"""What one line of a target has made, the next may use: each runs only after those before it."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

RUN = "docker run -d --name shopdb -p 5433:5432 postgres:16"
USE = "psql postgres://postgres:x@localhost:5433/postgres -c 'DROP TABLE x'"
END = "docker rm -f shopdb"
WAIT = "until pg_isready -p 5433; do sleep 1; done"
HEADS = {
    "make t": ("Makefile", "t:\n", "\t"),
    "just t": ("justfile", "t:\n", "  "),
    "task t": ("Taskfile.yml", "version: '3'\ntasks:\n  t:\n    cmds:\n", "      - "),
}


def effect(command, lines, *, before="", head="t:\n"):
    name, usual, indent = HEADS[next(one for one in HEADS if command.find(one.split()[0]) >= 0)]
    start = head if name == "Makefile" else usual
    text = f"{before}{start}" + "".join(f"{indent}{one}\n" for one in lines)
    return judged(command, {name: text}).effect


@for_each(
    ("command", "lines"),
    [
        (command, lines)
        for command in HEADS
        for lines in ([RUN, USE, END], [RUN, WAIT, USE], [RUN, "cd web && npm ci", USE])
    ],
)
def test_a_database_that_a_line_of_the_target_has_started_is_nobodys_loss(command, lines):
    assert effect(command, lines) == "allow"


@for_each(
    ("command", "lines"),
    [
        (command, lines)
        for command in HEADS
        for lines in (
            [USE, RUN],
            [RUN, USE.replace("5433", "5432")],
            [RUN, END, USE],
            [f"{RUN} || true", USE],
            [f"{RUN}; true", USE],
            [RUN, "ssh -fNL 5433:db.shop.example:5432 bastion", USE],
            [END],
        )
    ],
)
def test_what_another_may_have_made_needs_a_person(command, lines):
    assert effect(command, lines) == "junction"


@for_each(
    ("command", "lines", "more"),
    [
        ("make t", [f"-{RUN}", USE], {}),
        ("just t", [f"-{RUN}", USE], {}),
        ("make -k t", [RUN, USE], {}),
        ("make -i t", [RUN, USE], {}),
        ("MAKEFLAGS=-i make t", [RUN, USE], {}),
        ("make t", [RUN, USE], {"before": ".IGNORE:\n"}),
        ("make t", [RUN, USE], {"before": "MAKEFLAGS += -i\n"}),
        ("make t", [RUN, USE], {"before": "override SHELL := x\n"}),
        ("make t", [RUN, USE], {"before": "t: SHELL=x\n"}),
        ("make t", [RUN, USE], {"before": "a .IGNORE:\n"}),
        ("make t", [f"$(P){RUN}", USE], {"before": "P=-\n"}),
        ("make --ig t", [RUN, USE], {}),
        ("make SHELL=/bin/true t", [RUN, USE], {}),
        ("make t MAKEFLAGS=i", [RUN, USE], {}),
        ("just --shell true t", [RUN, USE], {}),
        ("make t", [USE], {"head": f"a:\n\t{RUN}\nt:\n"}),
        ("task t", [RUN, USE], {"before": "x-a: &a {ignore_error: true}\n"}),
        ("task t", [f"defer: {END}", RUN], {}),
        ("task t", [f"cmd: {RUN}", USE], {}),
    ],
)
def test_a_failure_that_may_not_end_the_run_needs_a_person(command, lines, more):
    assert effect(command, lines, **more) == "junction"


def test_the_place_of_a_command_is_the_line_that_it_is_on():
    (finding, *_) = judged(
        "make t", {"Makefile": f"t:\n\t{RUN}\n\ttrue\n\tgit push --force\n"}
    ).findings
    assert finding.source == "Makefile:4"
