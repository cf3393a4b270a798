"""What a program runs that is named in its words is read as a command of its own."""

from __future__ import annotations

import pytest
from tests.tables import for_each

from operators_edge.shell.evaluate import parse
from operators_edge.shell.wrapper_table import JOINED, PREFIXES, REMOTES, RUNNERS, TEXT_OPTIONS


def commands(text):
    return [[word.text for word in one.argv] for one in parse(text).commands]


@pytest.mark.parametrize("table", [PREFIXES, RUNNERS, REMOTES])
def test_each_wrapper_runs_the_command_after_its_own_words(table):
    missed = []
    for name, (before, _) in table.items():
        words = [name, *["x1"] * before, "frob", "-f", "/srv/x"]
        if ["frob", "-f", "/srv/x"] not in commands(" ".join(words)):
            missed.append(" ".join(words))
    assert missed == []


@pytest.mark.parametrize("table", [PREFIXES, RUNNERS, REMOTES])
def test_the_value_of_a_wrappers_option_is_no_command(table):
    missed = []
    for name, (before, valued) in table.items():
        options = [one for one in valued.split() if len(one) > 2 and one not in given_text(name)]
        words = [name, *(f"--{one} v" for one in options), *["x1"] * before, "frob", "-f", "/srv/x"]
        if ["frob", "-f", "/srv/x"] not in commands(" ".join(words)):
            missed.append(" ".join(words))
    assert missed == []


def given_text(name):
    return TEXT_OPTIONS.get(name.split()[0], "").split()


@for_each("name", sorted(JOINED))
def test_words_that_a_wrapper_gives_to_a_shell_are_read_as_one_text(name):
    before = "x1 " * {**RUNNERS, **REMOTES}[name][0]
    assert ["frob", "/srv/x"] in commands(f"{name} {before}'cd /srv; frob /srv/x'")


@for_each(
    "text",
    [
        "doppler run --command 'frob /srv/x'",
        "sbatch -n 4 --wrap 'frob /srv/x'",
        "sbatch --wrap='frob /srv/x'",
        "repo forall -c 'frob /srv/x'",
        "execlineb -c 'frob /srv/x'",
        "cargo watch -s 'frob /srv/x'",
        "npx -c 'frob /srv/x'",
    ],
)
def test_an_option_that_gives_a_command_is_read(text):
    assert ["frob", "/srv/x"] in commands(text)


def test_cargo_watch_runs_a_command_of_cargo():
    assert ["cargo", "publish", "-q"] in commands("cargo watch -x 'publish -q'")


def test_a_sockets_name_comes_before_the_command():
    assert ["frob", "/srv/x"] in commands("dtach -n /tmp/s frob /srv/x")
    assert ["frob", "/srv/x"] in commands("abduco -n name frob /srv/x")
