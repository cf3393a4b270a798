"""No secret of a task, its executor, its commands or its change is in what the Bridge writes or shows."""

from __future__ import annotations

import json
import os

import pytest
from tests import repository
from tests.bridge.test_watcher import Bridge
from tests.redaction.test_redact import SECRETS

from operators_edge.bridge.permissions import Ran
from operators_edge.bridge.trackers import Bead, Tracker
from operators_edge.cli.main import main

EXACT = "correct-horse-battery-staple-9"
"""No rule knows it: it is a value of the environment."""

KEPT, SHAPED = "net8-rc7-password", "acme-471100"
"""A value of a dotfile, and one that only a pattern of the settings knows."""

KNOWN = [
    (text, secret) for text, secret in SECRETS if len(secret) >= 6 and "BEGIN OPENSSH" not in text
]
TEXT = "\n".join([*(text for text, _ in KNOWN), f"it is {EXACT}, {KEPT} or {SHAPED}", ""])
HIDDEN = [*(secret for _, secret in KNOWN), EXACT, KEPT, SHAPED]

PRINTS = "import os; [os.write({fd}, bytes([each])) for each in open({path!r}, 'rb').read()]"
"""Each byte is a write of its own, so a secret can be cut anywhere on the way."""


@pytest.fixture
def bridge(tmp_path, monkeypatch):
    monkeypatch.setenv("SERVICE_TOKEN", EXACT)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".netrc").write_text(f"machine h login l password {KEPT}\n", encoding="utf-8")
    (tmp_path / "secrets.txt").write_text(TEXT, encoding="utf-8")
    root = repository.make(tmp_path / "work")
    found = Bridge(root, tmp_path / "state", redaction_patterns=(r"acme-\d+",))
    monkeypatch.chdir(found.root)
    return found


def written(bridge):
    """Every file that people and programs read; a task and an applicable patch stay as they were given."""
    for base, _, names in os.walk(os.path.join(bridge.root, ".ai-handoff")):
        for name in names:
            is_raw = os.path.basename(base) in ("tasks", "running", "pending", "failed")
            is_applied = name.endswith(".patch") and not name.endswith(".shown.patch")
            path = os.path.join(base, name)
            if is_applied:
                assert os.stat(path).st_mode & 0o077 == 0, name
            elif not is_raw:
                with open(path, encoding="utf-8") as file:
                    yield name, file.read()


def found_in(text):
    """The secrets that a text still has, also as JSON writes them."""
    return [each for each in HIDDEN if each in text or json.dumps(each)[1:-1] in text]


def test_they_are_in_no_result_log_shown_patch_event_or_output(bridge, tmp_path, capsys):
    path = str(tmp_path / "secrets.txt")
    writes = f"{PRINTS.format(fd=1, path=path)}; open('new.txt','w').write(open({path!r}).read())"
    command = PRINTS.format(fd=2, path=path)
    bridge.script(
        writes,
        goal=TEXT[:9_000],
        bead_title=f"use {EXACT}",
        constraints=[f"not {EXACT}"],
        commands_to_run=[f'python3 -c "{command}"', f"echo {EXACT}"],
    )
    assert bridge.run() == (("secret_in_diff",), False)
    files = dict(written(bridge))
    assert {"t-1.json", "t-1.log", "t-1_post.shown.patch"} <= set(files)
    assert {name: left for name, text in files.items() if (left := found_in(text))} == {}
    assert found_in(json.dumps(bridge.told, ensure_ascii=False)) == []
    for words in (["show", "t-1"], ["logs", "t-1"], ["list"], ["list", "--json"]):
        capsys.readouterr()
        main(["bridge", *words])
        assert found_in(capsys.readouterr().out) == [], words


def test_a_task_that_is_none_shows_nothing_of_what_is_in_it(bridge, capsys):
    path = os.path.join(bridge.root, ".ai-handoff", "tasks", "t-2.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(
            {"id": "t-2", "prompt": 7, EXACT: 1, "goal": [EXACT], "scope": [f"/{EXACT}"]}, file
        )
    assert bridge.run() == (("schema_invalid",), False)
    assert [name for name, text in written(bridge) if EXACT in text] == []
    main(["bridge", "show", "t-2"])
    assert EXACT not in capsys.readouterr().out


def left_behind(folder, *, but=()):
    """The secrets in the files below a folder, by file, as bytes: also in a database's unused pages."""
    found = {}
    for path in folder.rglob("*"):
        if path.is_file() and path.name not in but:
            data = path.read_bytes()
            found[str(path)] = [each for each in HIDDEN if each.encode() in data]
    return {name: each for name, each in found.items() if each}


class Noting(Tracker):
    """A tracker that notes what it is sent, and answers with secrets."""

    def __init__(self):
        self.sent = []

    def open(self, stem, title):
        self.sent.append(title)
        return Bead(title, "b-1", raw=TEXT)

    def close(self, bead, reason):
        self.sent.append(reason)
        return TEXT


def test_they_are_in_no_tracker_database_or_evidence_when_the_task_is_over(bridge, tmp_path):
    tracker = Noting()
    bridge.world = bridge.world._replace(tracker=tracker)
    check = {"kind": "custom", "name": f"echo {EXACT}", "scope": [EXACT]}
    bridge.permissions.ran = lambda *_: Ran(alarm=f"it ran {EXACT}", check=check)
    bridge.script(
        f"open('{EXACT}','w').write('x')",
        goal=TEXT[:9_000],
        bead_title=TEXT[:400],
        scope=["src"],
        commands_to_run=[f"echo {EXACT}"],
    )
    bridge.script(TEXT.replace("\n", " "), "t-2", commands_to_run=[f"echo {EXACT}"])
    assert bridge.run() == ((None, "opencode_failed"), True)
    assert bridge.result()["commands"][0]["check"]["name"] == "echo [REDACTED]"
    assert found_in(json.dumps(tracker.sent)) == []
    assert {name: left for name, text in written(bridge) if (left := found_in(text))} == {}
    assert left_behind(tmp_path / "state") == {}


def test_what_a_killed_watcher_leaves_of_an_output_has_none(bridge, tmp_path):
    path = str(tmp_path / "secrets.txt")

    class KilledError(BaseException):
        pass

    def die(*_):
        raise KilledError

    bridge.permissions.ran = die
    command = PRINTS.format(fd=1, path=path)
    bridge.script("open('a.txt','w').write('x')", commands_to_run=[f'python3 -c "{command}"'])
    with pytest.raises(KilledError):
        bridge.run()
    (log,) = (tmp_path / "state" / "staging").rglob("*.log")
    assert "[REDACTED]" in log.read_text(encoding="utf-8")
    assert left_behind(tmp_path / "state" / "staging") == {}


def test_a_refused_task_file_shows_none_of_them(bridge, tmp_path, capsys):
    (tmp_path / "bad.json").write_text(json.dumps({"id": 7, "goal": [EXACT], EXACT: 1}))
    assert main(["bridge", "submit", str(tmp_path / "bad.json")]) == 1
    said = capsys.readouterr()
    assert "goal: must be a text" in said.out
    assert EXACT not in said.out + said.err
