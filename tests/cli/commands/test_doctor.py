import json
import os

import pytest
from tests.hosting import at_a_terminal
from tests.migration import legacy

from operators_edge.cli.main import main
from operators_edge.doctor import checks as doctor_checks
from operators_edge.hosts.claude import wiring
from operators_edge.project import Project

pytestmark = pytest.mark.long


@pytest.fixture
def unwired(wired):
    """The same without hooks to run: for what is not about them."""
    os.unlink(settings_path(wired))
    return wired


def settings_path(root):
    return os.path.join(root, ".claude", "settings.local.json")


def edit(root, change):
    with open(settings_path(root), encoding="utf-8") as file:
        value = json.load(file)
    change(value)
    with open(settings_path(root), "w", encoding="utf-8") as file:
        json.dump(value, file)


def entry(value, event="PreToolUse"):
    return value["hooks"][event][0]["hooks"][0]


def examine(capsys):
    """The exit code and the checks as {(name, level): [what]}."""
    capsys.readouterr()
    code = main(["doctor", "--json"])
    found = {}
    for check in json.loads(capsys.readouterr().out)["data"]["checks"]:
        found.setdefault((check["name"], check["level"]), []).append(check["what"])
    return code, found


def test_a_fresh_project_is_well_but_its_hooks_have_not_fired(wired, capsys):
    code, found = examine(capsys)
    assert code == 0
    assert not [key for key in found if key[1] == "problem"]
    assert "10 hooks answer" in found["liveness", "ok"][0]
    assert "none has run" in found["log", "warning"][0]
    assert "2.1.329" in found["client", "ok"][0]


def test_looking_changes_nothing(wired, fenced, capsys):
    def everything():
        return {
            os.path.join(folder, name): open(os.path.join(folder, name), "rb").read()
            for base in (wired, fenced)
            for folder, _, names in os.walk(base)
            for name in names
        }

    before = everything()
    main(["doctor"])
    assert everything() == before


def test_where_nothing_is_set_up_it_says_so(repo, monkeypatch, capsys):
    monkeypatch.chdir(repo)
    assert main(["doctor"]) == 4
    assert "edge init" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda value: entry(value).update(command="/no/such/python"), "cannot be started"),
        (lambda value: entry(value)["args"].insert(0, "--no-such-option"), "exit code"),
        (
            lambda value: entry(value).update(
                command="/bin/echo", args=["{}", "/x/operators_edge/hook.py"]
            ),
            "not JSON",
        ),
        (
            lambda value: entry(value).update(
                command="/bin/sh", args=["-c", "echo '{}'", "/x/operators_edge/hook.py"]
            ),
            "let `git push --force origin main` pass",
        ),
        (
            lambda value: entry(value, "UserPromptSubmit").update(
                command="/bin/sh", args=["-c", ":", "/x/operators_edge/hook.py"]
            ),
            "did not answer with a block",
        ),
    ],
)
def test_a_hook_that_does_not_answer_as_it_must_is_a_problem(wired, capsys, change, words):
    edit(wired, change)
    code, found = examine(capsys)
    assert code == 1
    assert words in found["liveness", "problem"][0]


@pytest.mark.skipif(os.name != "posix", reason="runs a shell")
def test_a_hook_that_hangs_is_a_problem_after_its_own_time(wired, capsys):
    hang = {"command": "/bin/sh", "args": ["-c", "cat; exec tail -f /dev/null", "edge hook"]}
    edit(wired, lambda value: entry(value).update(**hang, timeout=0.5))
    edit(wired, lambda value: entry(value)["args"].append("/x/operators_edge/hook.py"))
    code, found = examine(capsys)
    assert code == 1
    assert "no answer within 0.5 s" in found["liveness", "problem"][0]


def test_a_wrapped_hook_is_run_through_the_shell_as_the_client_does(wired, capsys):
    line = wiring.wrapped(wiring.this_runner(), 15)
    edit(wired, lambda value: (entry(value).pop("args"), entry(value).update(command=line)))
    code, found = examine(capsys)
    assert code == 0
    assert "10 hooks answer" in found["liveness", "ok"][0]


def test_an_event_without_its_hook_is_a_problem(wired, capsys):
    edit(wired, lambda value: value["hooks"].pop("SessionEnd"))
    code, found = examine(capsys)
    assert code == 1
    assert "no hook for SessionEnd" in found["hooks", "problem"][0]


def test_switched_off_hooks_are_a_problem(wired, capsys):
    edit(wired, lambda value: value.update(disableAllHooks=True))
    code, found = examine(capsys)
    assert code == 1
    assert "disableAllHooks" in found["settings", "problem"][0]


def test_two_sets_of_hooks_are_a_problem(wired, fenced, capsys):
    os.makedirs(os.path.join(fenced, ".claude"), exist_ok=True)
    with open(settings_path(wired), encoding="utf-8") as file:
        text = file.read()
    with open(os.path.join(fenced, ".claude", "settings.json"), "w", encoding="utf-8") as file:
        file.write(text)
    code, found = examine(capsys)
    assert code == 1
    assert "installed 2 times" in found["hooks", "problem"][0]


def test_a_hook_that_answers_the_dialog_for_the_person_is_pointed_out(wired, capsys):
    other = [{"hooks": [{"type": "command", "command": "yes"}]}]
    edit(wired, lambda value: value["hooks"].update(PermissionRequest=other))
    code, found = examine(capsys)
    assert code == 0
    assert "PermissionRequest" in found["settings", "warning"][0]


def test_damaged_settings_and_state_are_named_with_their_place(wired, capsys):
    with open(settings_path(wired), "w", encoding="utf-8") as file:
        file.write("{\n,}")
    with open(os.path.join(wired, "active_context.yaml"), "a", encoding="utf-8") as file:
        file.write("plan: [\n")
    code, found = examine(capsys)
    assert code == 1
    assert "line 2 column 1" in found["hooks", "problem"][0]
    assert "active_context.yaml:" in found["state", "problem"][0]


def test_what_the_state_has_too_much_of_is_worth_a_look_and_no_problem(wired, capsys):
    steps = [{"description": f"{n}", "status": "completed", "proof": "seen"} for n in range(4)]
    Project(wired, is_set_up=True).transact(lambda tx: tx.state.update(plan=steps), command="edit")
    code, found = examine(capsys)
    assert code == 0
    assert found["state", "warning"] == [
        "many-completed-steps: the plan keeps 4 completed steps: edge prune"
    ]


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_a_folder_of_records_that_others_can_read_is_a_problem(unwired, capsys):
    folder = os.path.join(os.environ["XDG_STATE_HOME"], "operators-edge")
    os.chmod(folder, 0o755)  # noqa: S103 - the very thing that is to be noticed
    code, found = examine(capsys)
    assert code == 1
    assert "other users can read" in found["your folder", "problem"][0]


def test_a_disk_without_space_is_a_problem_and_one_with_space_is_not_mentioned(
    unwired, capsys, monkeypatch
):
    _, found = examine(capsys)
    assert not [name for name, _ in found if name == "disk"]
    monkeypatch.setattr(doctor_checks, "LITTLE_SPACE", 1 << 62)
    code, found = examine(capsys)
    assert code == 1
    assert f"no space is left for {unwired}" in found["disk", "problem"]


def test_folders_that_cannot_be_written_are_a_problem(unwired, capsys, monkeypatch):
    mode = os.access  # to a superuser the permissions of a folder are no obstacle

    def access(path, wanted, **how):
        return wanted != os.W_OK and mode(path, wanted, **how)

    monkeypatch.setattr(os, "access", access)
    code, found = examine(capsys)
    assert code == 1
    assert f"{unwired} cannot be written" in found["disk", "problem"]


def test_missing_ignore_lines_are_pointed_out(unwired, capsys):
    with open(os.path.join(unwired, ".git", "info", "exclude"), "w", encoding="utf-8"):
        pass
    _, found = examine(capsys)
    assert "active_context.yaml" in found["git", "warning"][0]


def test_the_text_is_aligned_and_ends_with_the_count(wired, capsys):
    capsys.readouterr()
    main(["doctor"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == wired
    body = lines[2:-2]
    assert all(line[9] != " " or line[:23].isspace() for line in body)
    assert all(line[23] != " " for line in body)
    assert max(map(len, body)) <= 100
    assert lines[-1].endswith("0 problems")


def test_a_log_that_was_taken_away_is_a_problem(unwired, capsys):
    log = Project(unwired, is_set_up=True).log
    for _ in range(3):
        log.append({"event": "note", "session": "s", "data": {}})
    os.unlink(os.path.join(unwired, ".proof", "session_log.jsonl"))
    code, found = examine(capsys)
    assert code == 1
    assert ("log", "problem") in found


def test_a_log_with_entries_shows_that_the_hooks_fired(wired, capsys):
    Project(wired, is_set_up=True).log.append(
        {"event": "session_start", "session": "s", "data": {}}
    )
    code, found = examine(capsys)
    assert code == 0
    assert "1 entries" in found["log", "ok"][0]
    assert "last entry" in found["clock", "ok"][0]


def test_a_large_trash_is_told_and_a_small_one_is_not(unwired, capsys):
    for name, size in (("small.bin", 1 << 20), ("large.bin", 2 << 30)):
        with open(name, "wb") as file:
            file.truncate(size)  # no room is taken
        assert ("trash", "warning") not in examine(capsys)[1]
        assert main(["trash", name]) == 0
    assert examine(capsys)[1]["trash", "warning"] == ["2 items, 2.1 GB"]


def test_the_hooks_of_an_older_version_are_told_as_a_second_guard(tmp_path, fenced):
    root = legacy.project("v3", tmp_path / "old")
    found = doctor_checks.examine(root, fenced, is_set_up=True, env=os.environ)
    (check,) = [each for each in found if each.name == "older version"]
    assert (check.level, check.run) == ("problem", "edge migrate")
    assert "PreToolUse" in check.what
    os.unlink(os.path.join(root, ".claude", "settings.json"))
    found = doctor_checks.examine(root, fenced, is_set_up=True, env=os.environ)
    (check,) = [each for each in found if each.name == "older version"]
    assert check.level == "warning"
    assert ".claude/state/" in check.what


def test_a_change_that_cannot_be_finished_is_a_problem(unwired, capsys):
    with open(os.path.join(unwired, ".proof", "journal.json"), "w", encoding="utf-8") as file:
        file.write('{"form": 99, "sum": "", "seal": ""}\n{}\n')
    code, found = examine(capsys)
    assert code == 1
    assert "newer version" in found["transaction", "problem"][0]


def test_a_person_has_it_repaired_and_is_asked_once(wired):
    edit(wired, lambda value: value["hooks"].pop("PreToolUse"))
    done = at_a_terminal(wired, "doctor", answer="")
    assert "Repair it: edge doctor --fix" in done.stdout
    done = at_a_terminal(wired, "doctor", "--fix", answer="n\n")
    assert (done.returncode, "Run edge init?" in done.stderr) == (1, True)
    done = at_a_terminal(wired, "doctor", "--fix", answer="y\n")
    assert done.returncode == 0, done.stdout
    assert "nothing that --fix repairs" in at_a_terminal(wired, "doctor", "--fix", answer="").stdout


def test_nothing_is_repaired_without_a_person(wired, capsys):
    edit(wired, lambda value: value["hooks"].pop("PreToolUse"))
    assert main(["doctor", "--fix"]) == 1
    assert "only a person decides this" in capsys.readouterr().err
