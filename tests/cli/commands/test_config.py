"""``edge config``: what is in force and from where; a person alone sets and confirms."""

from __future__ import annotations

import json
import os

import pytest
from tests import processes
from tests.hosting import at_a_terminal

from operators_edge.cli.main import main

LOOSE = '# for the demo\n[rules.git-push]\neffect = "warn"\n'


@pytest.fixture
def here(project, monkeypatch):
    monkeypatch.chdir(project)
    return project


def edge(capsys, *words):
    """One command with --json: its exit code and what it printed."""
    capsys.readouterr()
    code = main([*words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def write(root, text, name="edge.toml"):
    with open(os.path.join(root, name), "w", encoding="utf-8") as file:
        file.write(text)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def users_file():
    return os.path.join(os.environ["HOME"], ".config", "operators-edge", "config.toml")


def effect(capsys, ident="git-push"):
    _, answer = edge(capsys, "rules", "show", ident)
    return answer["data"]["effect"]


def test_without_any_file_the_defaults_are_shown(here, capsys):
    code, answer = edge(capsys, "config", "show")
    assert code == 0
    assert answer["data"]["values"] == [
        {"key": "junction_style", "value": "ask", "origin": "default"},
        {"key": "profile", "value": "contextual", "origin": "default"},
    ]


def test_every_value_is_shown_with_its_file_and_line_and_what_is_ignored_with_the_reason(
    here, capsys
):
    os.makedirs(os.path.dirname(users_file()))
    write(os.path.dirname(users_file()), 'profile = "strict"\n', "config.toml")
    write(here, 'profile = "contextual"\njunction_style = "deny"\n' + LOOSE)
    assert main(["config", "show", "--origin"]) == 0
    text = capsys.readouterr().out
    assert "junction_style  deny    edge.toml:2" in text
    assert "profile = contextual  (edge.toml:1)\n    a project can only tighten this" in text
    assert "rules.git-push.effect = warn  (edge.toml:5)\n    not confirmed" in text
    assert main(["config", "show"]) == 0
    assert "edge.toml:2" not in capsys.readouterr().out


def test_a_broken_file_is_told_by_every_command_that_a_person_looks_at(here, capsys):
    write(here, "profil = 1\n")
    problem = "edge.toml: unknown key 'profil' (did you mean 'profile'?)"
    for words in (("config", "show"), ("status",), ("doctor",)):
        main([*words])
        assert problem[:40] in capsys.readouterr().out, words


def test_an_unconfirmed_loosening_is_told_by_status_and_doctor(here, capsys):
    write(here, LOOSE)
    for words in (("status",), ("doctor",)):
        main([*words])
        assert "edge.toml would loosen git-push" in capsys.readouterr().out, words


def test_a_person_confirms_what_the_project_loosens_and_a_change_asks_again(here, capsys):
    write(here, LOOSE)
    assert effect(capsys) == "junction"
    done = at_a_terminal(here, "config", "trust")
    assert done.returncode == 0, done.stderr
    assert "git-push: junction → warn  (edge.toml:3)" in done.stderr
    assert effect(capsys) == "warn"
    log = read(os.path.join(here, ".proof", "session_log.jsonl"))
    assert '"configuration_trusted"' in log
    write(here, LOOSE.replace("warn", "allow"))
    assert effect(capsys) == "junction"
    assert at_a_terminal(here, "config", "trust").returncode == 0
    assert effect(capsys) == "allow"
    _, answer = edge(capsys, "explain", "git push")
    assert answer["data"]["verdict"] == "allow"
    (silenced,) = answer["data"]["silenced"]
    assert silenced["rule"] == "git-push"
    assert "as a person confirmed" in silenced["note"]
    assert at_a_terminal(here, "config", "trust", "--withdraw").returncode == 0
    assert effect(capsys) == "junction"


def test_tightening_asks_nobody_and_ends_no_confirmation(here, capsys):
    write(here, LOOSE)
    at_a_terminal(here, "config", "trust")
    write(here, LOOSE + '[rules.http-write]\neffect = "block"\n')
    assert effect(capsys) == "warn"
    assert effect(capsys, "http-write") == "block"


def test_a_no_confirms_nothing(here, capsys):
    write(here, LOOSE)
    done = at_a_terminal(here, "config", "trust", answer="n\n")
    assert done.returncode == 1
    assert effect(capsys) == "junction"


def test_where_nothing_is_loosened_there_is_nothing_to_confirm(here):
    done = at_a_terminal(here, "config", "trust")
    said = "The project's files ask for nothing that is not confirmed."
    assert (done.returncode, done.stdout.strip()) == (0, said)


@pytest.mark.parametrize("words", [("trust",), ("set", "profile", "strict")])
def test_only_a_person_sets_and_confirms(here, capsys, words):
    write(here, LOOSE)
    code, answer = edge(capsys, "config", *words)
    assert code == 1
    assert answer["error"]["code"] == "not-human"
    assert effect(capsys) == "junction"
    assert not os.path.exists(users_file())


def test_a_value_is_set_in_the_person_s_own_file_with_its_comments_kept(here, capsys):
    os.makedirs(os.path.dirname(users_file()))
    with open(users_file(), "w", encoding="utf-8") as file:
        file.write("# mine\n[rules.http-write]\neffect = 'warn' # fine\n")
    for key, value in (("profile", "strict"), ("rules.git-push.effect", "block")):
        done = at_a_terminal(here, "config", "set", key, value)
        assert done.returncode == 0, done.stderr
    text = read(users_file())
    assert "# mine" in text
    assert "effect = 'warn' # fine" in text
    _, answer = edge(capsys, "config", "show")
    assert answer["data"]["profile"] == "strict"
    assert effect(capsys) == "block"


def test_a_value_is_set_in_the_project_s_file(here, capsys):
    done = at_a_terminal(here, "config", "set", "junction_style", "deny", "--project")
    assert done.returncode == 0, done.stderr
    assert read(os.path.join(here, "edge.toml")) == 'junction_style = "deny"\n'
    os.unlink(os.path.join(here, "edge.toml"))
    write(here, "[tool.operators-edge]\n", "pyproject.toml")
    at_a_terminal(here, "config", "set", "junction_style", "deny", "--project")
    assert 'junction_style = "deny"' in read(os.path.join(here, "pyproject.toml"))
    _, answer = edge(capsys, "config", "show")
    assert answer["data"]["junction_style"] == "deny"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("colour", "red"), "colour cannot be set here"),
        (("profile", "lax"), "profile must be one of contextual, strict"),
        (("rules.git-psuh.effect", "warn"), "there is no rule git-psuh"),
        (("rules.edge-own-files.effect", "warn"), "nothing loosens it"),
        (("rules.fs-recursive-delete.effect", "warn", "--project"), "not one that a project"),
    ],
)
def test_what_would_not_be_in_force_is_not_written(here, words, says):
    done = at_a_terminal(here, "config", "set", *words)
    assert done.returncode in (1, 64)
    assert says in done.stderr
    assert not os.path.exists(users_file())
    assert not os.path.exists(os.path.join(here, "edge.toml"))


def test_a_loosening_set_for_the_project_says_that_it_waits(here):
    done = at_a_terminal(here, "config", "set", "rules.git-push.effect", "warn", "--project")
    assert done.returncode == 0
    assert "until confirmed with `edge config trust`: git-push" in done.stderr


def test_the_files_are_named(here, capsys):
    code, answer = edge(capsys, "config", "path")
    assert code == 0
    assert answer["data"] == {"user": users_file(), "project": os.path.join(here, "edge.toml")}


def test_init_offers_the_same_to_a_person_and_warns_where_nobody_can_be_asked(repo, capsys):
    write(repo, LOOSE)
    done = at_a_terminal(repo, "init", answer="y\ny\n")
    assert done.returncode == 0, done.stderr
    assert "git-push: junction → warn" in done.stderr
    assert "effect" in read(os.path.join(repo, "edge.toml"))
    shown = processes.edge(repo, "rules", "show", "git-push")
    assert "git-push (warn" in shown.stdout
    write(repo, LOOSE.replace("warn", "allow"))
    again = processes.edge(repo, "init")
    assert again.returncode == 0
    assert "until confirmed with `edge config trust`" in again.stderr
