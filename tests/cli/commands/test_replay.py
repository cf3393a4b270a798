"""``edge replay``: past sessions under today's rules, and the lines before a change."""

from __future__ import annotations

import json
import os

import pytest
from tests.hosting import at_a_terminal
from tests.hosts.claude.transcripts import Transcript

from operators_edge.cli import past

AWS = "AKIA" + "Q3EGRIYTKQZ7" + "WXYZ"


@pytest.fixture
def sessions(project):
    first = (
        Transcript(project, "first").bash("git push origin main", id="a").answered("a", yes=True)
    )
    first.bash("git push origin main", id="b").answered("b", yes=True)
    first.bash("ls").bash("ls")
    Transcript(project, "second").bash("rm -rf /etc").bash("git status")
    Transcript(os.path.dirname(project), "elsewhere").bash("git push origin main")
    return project


def replayed(edge, *words):
    code, out, _ = edge("replay", "--json", *words)
    assert code == 0
    return json.loads(out)["data"]


def test_the_projects_sessions_are_counted_under_todays_rules(sessions, edge):
    data = replayed(edge)
    assert (data["calls"], data["asked"], data["denied"]) == (6, 2, 1)
    assert sorted(each["session"] for each in data["sessions"]) == ["first", "second"]
    assert data["commands"][0]["command"] == "git push origin main"
    assert data["commands"][0]["is_worth_a_scope"]
    code, out, _ = edge("replay")
    assert code == 0
    assert "2 sessions, 6 calls (4 different)" in out
    assert "2 yes" in out


def test_nothing_is_written(sessions, edge):
    def files():
        places = (sessions, os.environ["HOME"])
        walked = (each for place in places for each in os.walk(place))
        paths = [os.path.join(folder, name) for folder, _, names in walked for name in names]
        return {path: os.lstat(path).st_mtime_ns for path in paths}

    before = files()
    edge("replay")
    edge("replay", "--profile", "strict")
    assert files() == before


def test_another_profile_and_a_draft_of_settings_change_the_counts_and_no_setting(
    sessions, edge, tmp_path
):
    draft = tmp_path / "draft.toml"
    draft.write_text('[rules.git-push]\neffect = "allow"\n')
    assert replayed(edge, "--config", str(draft))["asked"] == 0
    assert replayed(edge)["asked"] == 2
    os.mkdir(os.path.join(sessions, "build"))
    with open(os.path.join(sessions, ".gitignore"), "w", encoding="utf-8") as file:
        file.write("build/\n")
    Transcript(sessions, "third").bash("rm -rf build")
    strict, contextual = (replayed(edge, "--profile", each) for each in ("strict", "contextual"))
    assert (strict["profile"], contextual["profile"]) == ("strict", "contextual")
    assert strict["denied"] > contextual["denied"]


@pytest.mark.parametrize("text", [None, "[rules", ""])
def test_a_draft_that_cannot_be_used_is_refused_and_an_empty_one_is_none(
    sessions, edge, tmp_path, text
):
    draft = tmp_path / "draft.toml"
    if text is not None:
        draft.write_text(text)
    code, _, err = edge("replay", "--config", str(draft))
    assert (code, "cannot be used" in err) == ((0, False) if text == "" else (64, True))


def test_secrets_and_control_characters_of_commands_are_not_shown(project, edge):
    command = f"curl -H 'x: {AWS}' -X DELETE 'https://example.com/\x1b[2J'"
    Transcript(project).bash(command)
    _, out, _ = edge("replay")
    assert "curl" in out
    assert AWS not in out
    assert "\x1b" not in out
    assert AWS not in json.dumps(replayed(edge))


def test_a_folder_that_is_gone_is_judged_by_its_words_and_named(project, edge):
    Transcript(os.path.join(project, "gone"), "old").bash("git push origin main")
    data = replayed(edge)
    assert data["asked"] == 1
    assert data["folders_gone"] == [os.path.join(project, "gone")]


def test_all_projects_are_for_a_person_at_a_terminal(sessions, edge):
    code, _, err = edge("replay", "--all")
    assert code != 0
    assert "only a person" in err
    done = at_a_terminal(sessions, "replay", "--all", "--json")
    assert json.loads(done.stdout)["data"]["asked"] == 3


def test_days_are_bounded(sessions, edge):
    assert edge("replay", "--days", "0")[0] == 64
    assert replayed(edge, "--days", "14")["days"] == 14


def test_a_change_of_settings_says_first_what_it_would_have_changed(sessions):
    dry = at_a_terminal(sessions, "config", "set", "rules.git-push.effect", "allow", "--dry-run")
    assert "3 fewer questions in 2 sessions" in " ".join(
        dry.stdout.split()
    )  # the person's own: in all projects
    assert "Nothing was written" in dry.stdout
    done = at_a_terminal(sessions, "config", "set", "profile", "strict", "--project")
    said, written = done.stdout.splitlines()
    assert said.startswith("In your last 30 days (2 sessions) it would have changed")
    assert written == "profile = strict in edge.toml"


def test_loosening_by_the_project_is_confirmed_with_what_it_would_have_changed(sessions):
    with open(os.path.join(sessions, "edge.toml"), "w", encoding="utf-8") as file:
        file.write('[rules.git-push]\neffect = "warn"\n')
    done = at_a_terminal(sessions, "config", "trust")
    assert "2 fewer questions in 1 session" in " ".join(done.stderr.split())
    assert "Confirmed: git-push=warn" in done.stdout


def test_the_end_of_init_says_it_in_one_line_and_nothing_without_sessions(project, tmp_path):
    assert "last 30 days" not in at_a_terminal(project, "init", answer="y\n").stdout
    at_a_terminal(project, "uninstall")
    Transcript(project).bash("git push origin main").bash("ls")
    said = at_a_terminal(project, "init", answer="y\n").stdout.splitlines()[-2:]
    assert " ".join(said) == (
        "In your last 30 days (1 session, 2 calls) it would have asked you once. "
        "`edge replay` shows them."
    )


def test_it_ends_in_time_and_says_that_it_did(sessions, capsys):
    found = past.replay([], days=14, root=sessions, seconds=0.0)
    assert not found.reading.is_whole
