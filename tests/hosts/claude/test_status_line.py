"""Our status line in the client's settings: around the one that was there, and out again byte for byte."""

import json
import os
import shlex

import pytest
from tests.hosts.claude.test_install import HOOKS, RUNNER, Desk

from operators_edge.hosts.claude import foreign, settings_files, status_line, wiring

THEIRS = {"type": "command", "command": "~/.claude/line.sh 'a b'", "padding": 0}
FILE = "/opt/lib/operators_edge/statusline.py"


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


def put(desk, entry, scope="local"):
    here = desk.at(scope)
    here.apply(here.plan(HOOKS, permissions=(), exclude=None, status_line=entry))


def test_alone_it_is_our_program_and_asks_for_a_fresh_line():
    found = status_line.entry(RUNNER)
    assert shlex.split(found["command"]) == [RUNNER.interpreter, "-I", "-S", FILE]
    assert found["refreshInterval"] == status_line.REFRESH_SECONDS
    assert status_line.is_ours(found, RUNNER)
    assert status_line.inner(found) is None


def test_around_another_one_it_keeps_what_that_one_said_besides():
    found = status_line.entry(RUNNER, THEIRS)
    assert shlex.split(found["command"])[4:] == ["--wrap", THEIRS["command"]]
    assert found["padding"] == 0
    assert status_line.inner(found) == THEIRS
    assert status_line.is_ours(found, RUNNER)


@pytest.mark.parametrize(
    "command",
    [
        f"/opt/python -I -S {FILE}; evil",
        f"/opt/python -I -S {FILE} --wrap x --more",
        f"/opt/python -I -S {FILE} --run x",
        f"/opt/python -c 'evil' {FILE} -S",
        f"evil && /opt/python -I -S {FILE}",
        f"$(evil) -I -S {FILE}",
        f"/opt/python  -I -S {FILE}",
        "/opt/python -I -S /tmp/statusline.py",
        "edge statusline",
        "'",
        "",
    ],
)
def test_only_the_very_words_that_we_write_are_ours(command):
    assert not status_line.is_ours({"type": "command", "command": command})
    assert not status_line.is_ours(command)


def test_another_interpreter_is_not_this_installation():
    other = wiring.Runner("/tmp/evil", RUNNER.hook_file)
    assert status_line.is_ours(status_line.entry(other))
    assert not status_line.is_ours(status_line.entry(other), RUNNER)


@pytest.mark.parametrize(
    "before",
    [
        None,
        {"statusLine": THEIRS},
        {"statusLine": THEIRS, "model": "opus"},
        {"model": "opus"},
    ],
)
def test_removing_it_leaves_every_byte_as_it_was(desk, before):
    if before is not None:
        desk.settings.parent.mkdir()
        desk.settings.write_text(json.dumps(before, indent=3))
    data = desk.settings.read_bytes() if before is not None else None
    put(desk, status_line.entry(RUNNER, (before or {}).get("statusLine")))
    shown = json.loads(desk.settings.read_text())["statusLine"]
    assert status_line.is_ours(shown, RUNNER)
    put(desk, None)
    assert "statusLine" not in json.loads(desk.settings.read_text()) or "wrap" not in str(
        json.loads(desk.settings.read_text())["statusLine"]
    )
    put(desk, status_line.entry(RUNNER, (before or {}).get("statusLine")))
    desk.take_out()
    assert (desk.settings.read_bytes() if desk.settings.exists() else None) == data


def test_a_second_time_there_is_nothing_to_do(desk):
    entry = status_line.entry(RUNNER)
    put(desk, entry)
    plan = desk.at().plan(HOOKS, permissions=(), exclude=None, status_line=entry)
    assert [each.path for each in plan.needed if each.kind == "settings"] == []


@pytest.mark.parametrize("is_recorded", [True, False])
def test_after_an_edit_of_the_settings_only_ours_goes_and_theirs_is_back(desk, is_recorded):
    desk.settings.parent.mkdir()
    desk.settings.write_text(json.dumps({"statusLine": THEIRS}, indent=2))
    put(desk, status_line.entry(RUNNER, THEIRS))
    value = json.loads(desk.settings.read_text())
    desk.settings.write_text(json.dumps({**value, "model": "opus"}, indent=2))
    if not is_recorded:
        os.unlink(desk.at().record_path)
    desk.take_out()
    assert json.loads(desk.settings.read_text()) == {"statusLine": THEIRS, "model": "opus"}


def files(*values):
    scopes = ("user", "shared", "local")
    return [
        settings_files.SettingsFile(scope, f"/{scope}.json", value)
        for scope, value in zip(scopes, values, strict=False)
    ]


def test_the_one_with_precedence_is_wrapped_and_ours_never_wraps_itself():
    mine = {"type": "command", "command": "mine"}
    assert status_line.effective(files({"statusLine": mine}, {"statusLine": THEIRS}, {})) == THEIRS
    ours = status_line.entry(RUNNER, mine)
    assert status_line.effective(files({"statusLine": mine}, {}, {"statusLine": ours})) == mine
    assert status_line.effective(files({}, None, {"statusLine": status_line.entry(RUNNER)})) is None


def test_ours_is_not_beside_the_gate_and_a_wrapped_one_counts_as_it_did_before(monkeypatch):
    monkeypatch.setattr(wiring, "this_runner", lambda: RUNNER)
    before = [*foreign.in_settings(files({"statusLine": THEIRS})[0])]
    assert len(before) == 1
    ours = status_line.entry(RUNNER, THEIRS)
    settings = files({"statusLine": THEIRS}, {}, {"statusLine": ours})
    lines = foreign._status_lines(settings)
    now = [entry for each in settings for entry in foreign.in_settings(each, lines)]
    assert {each.digest for each in now} == {before[0].digest}
    alone = files({"statusLine": status_line.entry(RUNNER)})[0]
    assert [*foreign.in_settings(alone)] == []
    another = status_line.entry(RUNNER, {"command": "evil"})
    (found,) = foreign.in_settings(files({"statusLine": another})[0])
    assert found.digest != before[0].digest
