"""What a search through a folder prints of files that hold secrets: which are searched, which lines match."""

from __future__ import annotations

import subprocess

import pytest
from tests.gate.example_project import PLACE, ROOT, RULES, Machine

from operators_edge.gate.decide import assess
from operators_edge.gate.facts import SystemFacts
from operators_edge.gate.invocation import invocation_of
from operators_edge.gate.paths import CallContext
from operators_edge.gate.tree_search import secret_file
from operators_edge.model import Call
from operators_edge.shell.evaluate import parse

ENV = {f"{ROOT}/.env": "PORT=3000\nDB_PASSWORD=x7Qm2\nURL=postgres://me:x7Qm2@db/shop\n"}
KEY = {f"{ROOT}/conf/server.key": "-----BEGIN PRIVATE KEY-----\nabc\n"}


def found(text, files=None, *, ignored=()):
    machine = Machine(files or ENV, ignored=ignored)
    (command,) = parse(text).commands[-1:]
    call = Call("Bash", {"command": text}, ROOT)
    return secret_file(invocation_of(command, RULES), CallContext(call, PLACE, machine))


@pytest.mark.parametrize(
    "text",
    [
        "grep -r PASSWORD .",
        "grep -rni password",
        "grep -d recurse PASSWORD .",
        "grep -rE 'TOKEN|PASS' .",
        "grep -r 'TOKEN\\|PASS' .",
        "grep -re TOKEN -e PASSWORD .",
        "grep -r . .",
        "grep -r 'post.*@' .",
        "grep -r -A 2 --include='.env*' PASSWORD .",
        "cd .. && grep -r PASSWORD shop",
        "rg --hidden PASSWORD",
        "rg -. 'PASS\\w+' .",
        "rg -g .env PASSWORD",
        "ack PASSWORD",
    ],
)
def test_a_search_prints_a_secret_of_a_file_in_the_folder(text):
    assert found(text) == f"{ROOT}/.env"


@pytest.mark.parametrize(
    "text",
    [
        "grep PASSWORD src.py",
        "grep -rl PASSWORD .",
        "grep -rc PASSWORD .",
        "grep -r PORT .",
        "grep -r TOKEN .",
        "grep -r PASSWORD src",
        "grep -r --include='*.py' PASSWORD .",
        "grep -r --exclude='.env*' PASSWORD .",
        'grep -r "$1" .',
        "rg PASSWORD",
        "rg -t py PASSWORD .",
        "rg --hidden -g '!.env' PASSWORD",
        "cat x | rg --hidden PASSWORD",
    ],
)
def test_a_search_that_prints_none_is_not_one(text):
    assert found(text) is None


def test_ripgrep_leaves_out_what_git_ignores_unless_it_is_told():
    ignored = (f"{ROOT}/.env",)
    assert found("rg --hidden PASSWORD", ignored=ignored) is None
    assert found("rg --hidden --no-ignore PASSWORD", ignored=ignored) == f"{ROOT}/.env"
    assert found("rg -uu PASSWORD", ignored=ignored) == f"{ROOT}/.env"
    assert found("grep -r PASSWORD .", ignored=ignored) == f"{ROOT}/.env"


def test_every_line_of_a_key_is_secret_but_folders_can_be_left_out():
    assert found("grep -r BEGIN .", KEY) == f"{ROOT}/conf/server.key"
    assert found("grep -r --exclude-dir=conf BEGIN .", KEY) is None


def test_the_file_is_found_on_the_disk_and_packages_are_left_out(tmp_path):
    for name in (".env", "node_modules/x/.env", "a/b/.env.local", "a/.env.example", "src/app.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("A_TOKEN=x7Qm2\n")
    below = [str(tmp_path / name) for name in (".env", "a/b/.env.local")]
    assert SystemFacts().secret_files(str(tmp_path)) == below
    assert SystemFacts().secret_files(str(tmp_path / "none")) == []


def test_the_decision_names_the_file():
    call = Call("Bash", {"command": "grep -r PASSWORD ."}, ROOT)
    (finding,) = assess(call, PLACE, Machine(ENV), RULES).findings
    assert finding.understood == "grep -r PASSWORD . → .env"


def test_git_says_what_it_ignores(tmp_path):
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    (tmp_path / ".gitignore").write_text(".env\n")
    (tmp_path / ".env").write_text("A=1\n")
    facts = SystemFacts()
    assert facts.is_ignored(str(tmp_path / ".env"), str(tmp_path)) is True
    assert facts.is_ignored(str(tmp_path / ".gitignore"), str(tmp_path)) is False


def test_a_pattern_that_takes_for_ever_is_not_run():
    hostile = {f"{ROOT}/.env": "A_TOKEN=" + "a" * 5_000 + "\n"}
    assert found("grep -rE '(a+)+$' .", hostile) == f"{ROOT}/.env"


def test_a_tool_that_searches_is_judged_like_the_command():
    def effect(**arguments):
        call = Call("Grep", {"pattern": "PASSWORD", **arguments}, ROOT)
        return assess(call, PLACE, Machine(ENV), RULES).effect

    assert effect(output_mode="content") == "junction"
    assert effect(output_mode="content", path=f"{ROOT}/.env") == "junction"
    assert effect(output_mode="content", glob="*.py") == "allow"
    assert effect() == "allow"


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("cp .env env.txt; cat env.txt", {}),
        ("ln -s .env env.txt; cat env.txt", {}),
        ("cat env.txt", {f"{ROOT}/env.txt": f"{ROOT}/.env"}),
        ("cat .en?; : env", {}),
        ("cat .e*; : env", {}),
    ],
)
def test_a_file_with_secrets_is_known_under_its_other_names(text, links):
    machine = Machine(ENV, links=links)
    assert assess(Call("Bash", {"command": text}, ROOT), PLACE, machine, RULES).effect == "junction"
