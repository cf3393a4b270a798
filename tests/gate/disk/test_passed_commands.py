"""A program of which nothing is known may run the command that its words are."""

from __future__ import annotations

from tests.gate.example_project import PLACE, ROOT, RULES, Machine
from tests.tables import for_each

from operators_edge.gate.decide import assess
from operators_edge.model import Call

CONTEXTUAL = RULES.with_profile("contextual")


def verdict(command, files=()):
    return assess(Call("Bash", {"command": command}, ROOT), PLACE, Machine(dict(files)), CONTEXTUAL)


@for_each(
    "command",
    [
        "attempt 3 git push --force origin main",
        "corepack pnpm@9 publish",
        "./attempt.sh git push --force origin main",
        "with-account prod aws s3 rm --recursive s3://assets",
        "attempt -n 3 -- terraform destroy -auto-approve",
        "attempt -n 3 -- hostname gate-1",
        "attempt --times=3 sudo rm -rf /etc",
        "attempt bash -c 'rm -rf ~'",
        "attempt env STAGE=live kubectl delete namespace shop",
        "later --command 'terraform destroy -auto-approve'",
        "later --on-success='git push --force origin main'",
        "later -x 'rm -rf ~/work'",
        "attempt npm publish",
    ],
)
def test_the_command_that_a_program_is_given_is_judged(command):
    assert verdict(command).effect != "allow"


@for_each(
    "command",
    [
        "attempt 3 git status",
        "attempt -- npm test",
        "tldr git push",
        "cheat terraform destroy",
        "getent passwd ann",
        "logger git push --force origin main",
        "notes add 'git push --force is bad'",
        "notes add --message 'terraform destroy was run'",
        "cloudlab deploy web",
        "cloudlab passwd ann",
        "cloudlab mount data",
        "cloudlab reboot",
        "pg_isready -h hostname -p 5432",
        "attempt git",
        "attempt rm",
        ": rm -rf /",
        "set -- rm -rf /",
        "mkdir -p /tmp/git/rm -rf",
        "later --config 'rm -rf ~/work'",
    ],
)
def test_words_that_are_no_command_of_another_program_need_nobody(command):
    assert verdict(command).effect == "allow"


def test_a_script_that_can_be_read_says_itself_what_it_runs():
    command = "./attempt.sh git push --force origin main"
    path = f"{ROOT}/attempt.sh"
    assert verdict(command, {path: '#!/bin/sh\necho "$@"\n'}).effect == "allow"
    assert verdict(command, {path: '#!/bin/sh\nshift\n"$@"\n'}).effect == "allow"
    assert verdict(command, {path: '#!/bin/sh\n"$@"\n'}).effect != "allow"


def test_the_card_shows_what_the_program_is_given():
    found = verdict("attempt 3 git push --force origin main").findings[0]
    assert "git push --force origin main" in found.understood.partition(" → ")[2]
    assert found.source == ""
