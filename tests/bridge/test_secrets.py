"""No secret of a task, its executor, its commands or its change is in what the Bridge writes or shows."""

from __future__ import annotations

import json
import os

import pytest
from tests import repository
from tests.bridge.test_watcher import Bridge
from tests.redaction.test_redact import SECRETS

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
