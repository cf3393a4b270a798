"""``edge purge``: a person removes data permanently, and nothing calls that tampering afterwards."""

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.hosting import clean_env, git
from tests.undo.taking import take

from operators_edge.errors import StateError
from operators_edge.git.commands import GitFailed
from operators_edge.project import Project
from operators_edge.sessions import purge_service
from operators_edge.storage import bindings, log as log_module, purges, verify
from operators_edge.storage.log import ProofLog
from operators_edge.system.user_dirs import project_id, user_dir
from operators_edge.undo.snapshots import SnapshotReason

pytestmark = pytest.mark.usefixtures("same_user_folder")

NOW = datetime.now(UTC)


@pytest.fixture
def years(project):
    """A log in several segments: 40 entries that are old, 20 that are new; an archive likewise."""
    opened = Project(project, is_set_up=True)
    for number in range(60):
        when = NOW - timedelta(days=400 - number if number < 40 else 60 - number)
        log = ProofLog(
            project, registry=opened.registry, clock=lambda when=when: when, segment_bytes=3000
        )
        log.append(
            {"event": "note", "session": "s", "data": {"text": f"entry {number} " + "x" * 90}}
        )
    lines = [
        {
            "type": "completed_step",
            "timestamp": (NOW - timedelta(days=age)).isoformat(),
            "text": "t",
        }
        for age in (400, 300, 1)
    ]
    text = "".join(json.dumps(each) + "\n" for each in lines)
    Path(project, ".proof", "archive.jsonl").write_text(text, encoding="utf-8")
    return opened


def seqs(project):
    return [each["seq"] for each, _ in Project(project, is_set_up=True).log.entries()]


def test_a_person_sees_first_what_goes_and_only_a_yes_removes_it(person, project, years):
    shown = person("purge", "--older-than", "90", answer="n\n")
    assert shown.returncode == 1
    assert "removes  entries of the log: 40 entries" in shown.stderr
    assert "removes  entries of the archive: 2 entries" in shown.stderr
    assert len(seqs(project)) == 60
    assert (
        "Nothing was removed (--dry-run)"
        in person("purge", "--older-than", "90", "--dry-run").stdout
    )


def test_what_is_old_goes_and_verify_says_what_is_missing_and_why(person, project, years):
    done = person("purge", "--older-than", "90")
    assert done.returncode == 0, done.stderr
    assert seqs(project)[0] == 41
    assert seqs(project) == list(range(41, 41 + len(seqs(project))))
    told = person("proof", "verify")
    assert (told.returncode, told.stdout.splitlines()[0][:6]) == (0, "Log OK")
    assert "entries up to 40" in told.stdout
    assert "edge purge --older-than 90" in told.stdout
    assert (
        len(Path(project, ".proof", "archive.jsonl").read_text(encoding="utf-8").splitlines()) == 1
    )
    years.log.append({"event": "note", "session": "s", "data": {}})
    assert verify.verify(years.log).ok
    assert Project(project, is_set_up=True).evidence.metrics()["has_forgotten"]
    assert "Nothing is older" in person("purge", "--older-than", "90").stdout


def test_a_second_purge_goes_further_and_the_log_stays_explained(person, project, years):
    person("purge", "--older-than", "380")
    first = seqs(project)[0]
    assert person("purge", "--older-than", "90").returncode == 0
    assert seqs(project)[0] > first
    assert verify.verify(years.log).ok


@pytest.mark.parametrize("change", ["none", "unsigned", "farther", "of another project"])
def test_only_a_signed_note_explains_that_entries_are_missing(person, project, years, change):
    if change == "none":
        for _, path in verify.segments.sealed(project)[:2]:
            os.unlink(path)
        report = verify.verify(years.log)
    else:
        note = {"up_to": 40, "hash": "0" * 64, "until": "", "older_than": 1, "by": "me"}
        root = "/elsewhere" if change == "of another project" else project
        note = purges.signed(root, note, os.environ)
        if change == "farther":
            note["up_to"] = 50
        if change == "unsigned":
            del note["mac"]
        years.log.append({"event": "log_purged", "session": "s", "data": note})
        for _, path in verify.segments.sealed(project)[:2]:
            os.unlink(path)
        report = verify.verify(years.log)
    assert not report.ok
    assert "missing before it" in " ".join(report.problems)


def test_without_a_key_that_can_be_trusted_a_purge_is_not_called_a_forgery(person, project, years):
    person("purge", "--older-than", "90")
    os.chmod(os.path.join(user_dir(), "key"), 0o644)
    (problem,) = [each for each in verify.verify(years.log).problems if "purge" in each]
    assert "whether you ordered this purge is not known" in problem


def test_what_was_wrong_with_the_log_before_is_still_said_after_a_purge(person, project, years):
    path = verify.segments.sealed(project)[0][1]
    text = Path(path).read_text(encoding="utf-8")
    Path(path).write_text(text.replace("entry 1 ", "entry X "), encoding="utf-8")
    person("purge", "--older-than", "90")
    report = verify.verify(years.log)
    assert "before that, verify said" in " ".join(report.notes)


@pytest.mark.parametrize("step", ["shorten", "unlink", "rename"])
def test_a_purge_that_was_killed_leaves_a_log_that_can_be_read_and_is_finished_by_the_next(
    person, project, years, monkeypatch, step
):
    def killed(*_args):
        raise KeyboardInterrupt

    before = NOW - timedelta(days=90)
    old = purge_service.older(years, before)
    with monkeypatch.context() as cut:
        cut.setattr(
            *((log_module.segments, step) if step == "shorten" else (log_module.os, step)), killed
        )
        with pytest.raises(KeyboardInterrupt):
            purge_service.remove_older(years, old, before, by="me", days=90)
    report = verify.verify(years.log)
    assert report.ok, report.problems
    assert person("purge", "--older-than", "90").returncode == 0
    assert seqs(project)[0] == 41
    assert verify.verify(years.log).ok


def test_the_current_objective_keeps_its_entries(person, project, years):
    years.log.append({"event": "objective", "session": "s", "data": {"objective": "now"}})
    work = years.evidence.work()["since"]
    assert work is None or purge_service.older(years, NOW + timedelta(days=1)).seq <= work["seq"]


def test_everything_goes_after_uninstall_and_a_signed_note_stays(person, project, years):
    own = user_dir(os.environ)
    git(project, "branch", "feat/ai/one")
    Path(project, "new.txt").write_text("not committed", encoding="utf-8")
    take(project, root=project, reason=SnapshotReason("rm -rf src"))
    os.unlink(os.path.join(project, "new.txt"))
    for name, root in (("ours", project), ("another", "/elsewhere")):
        bindings.bind_session(name, {"root": os.path.realpath(root)})
    (Path(project) / ".ai-handoff").mkdir()
    (Path(project) / ".ai-handoff" / "x.json").write_text("{}", encoding="utf-8")
    (Path(project) / "edge.toml").write_text("profile = 'strict'\n", encoding="utf-8")
    shown = person("purge", "--dry-run").stdout
    for part in (
        "active_context.yaml",
        ".proof",
        ".ai-handoff",
        "refs/operators-edge",
        "kept     edge.toml",
        "kept     feat/ai/one, with commits of a task: git branch -D feat/ai/one",
    ):
        assert part in shown
    done = person("purge")
    assert done.returncode == 0, done.stderr
    assert f"A signed note explains that it is gone: {own}/purges/" in done.stdout
    assert sorted(os.listdir(project)) == sorted([".git", "edge.toml", *_tracked(project)])
    assert not os.path.exists(f"{own}/projects/{project_id(project)}")
    assert "refs/operators-edge" not in os.popen(f"git -C {project} for-each-ref").read()  # noqa: S605
    assert not [
        name
        for _, folders, names in os.walk(own)
        for name in [*folders, *names]
        if "purged" in name
    ]
    assert not os.path.exists(f"{own}/undo")
    assert [each["session"] for each in bindings.session_bindings()] == ["another"]
    assert purges.kept(project)["entries"] == 60
    assert "feat/ai/one" in os.popen(f"git -C {project} branch").read()  # noqa: S605
    assert "Nothing is kept" in person("purge").stdout
    Path(project, "active_context.yaml").write_text(
        "schema_version: 4\nobjective: anew\nplan: []\nconstraints: []\n", encoding="utf-8"
    )
    told = person("proof", "verify")
    assert told.returncode == 0
    assert "an earlier record of this folder (60 log entries) was removed by" in told.stdout


def _tracked(project):
    return os.popen(f"git -C {project} ls-files").read().split()  # noqa: S605


def test_an_interrupted_removal_is_finished_by_the_next(person, project, years, monkeypatch):
    items = purge_service.everything(project, os.environ)
    with monkeypatch.context() as cut:
        cut.setattr(
            purge_service.files, "remove_tree", lambda _: (_ for _ in ()).throw(KeyboardInterrupt)
        )
        with pytest.raises(KeyboardInterrupt):
            purge_service.remove_everything(
                project, items, os.environ, by="me", at="now", entries=60
            )
    assert not os.path.exists(f"{project}/.proof")
    assert "An interrupted purge was finished" in person("purge", "--project", project).stdout
    assert not [name for name in os.listdir(project) if "purged" in name]


def test_a_purge_that_git_does_not_let_finish_says_so(person, project, years):
    git(project, "update-ref", "refs/operators-edge/undo/1", "HEAD")
    lock = Path(project, ".git", "refs", "operators-edge", "undo", "1.lock")
    lock.touch()
    with pytest.raises(StateError, match="git did not remove refs/operators-edge/undo/1"):
        purge_service.remove_everything(project, [], os.environ, by="ann", at="now", entries=0)
    lock.unlink()
    assert purge_service.finish_interrupted(project, os.environ)
    left = {each.path for each in purge_service.everything(project, os.environ)}
    assert purge_service.REFS not in left


def test_the_hooks_and_a_running_session_come_first(person, project, years):
    assert person("init", answer="y\n" * 5).returncode == 0
    refused = person("purge")
    assert refused.returncode == 1
    assert "the hooks are still installed" in refused.stderr
    assert "First: edge uninstall." in person("purge", "--dry-run").stdout
    assert os.path.exists(f"{project}/.proof")


def test_an_agent_cannot_purge(person, project, years, client):
    assert person("purge", "--older-than", "90", CLAUDECODE="1").returncode == 1
    assert client.bash("edge purge --older-than 90") == "deny"
    assert "cannot be typed" in client.prompt("/edge purge")
    assert seqs(project)[0] == 1


def test_git_that_fails_is_no_repository_without_snapshots(project, fenced):
    git(project, "init", "-q")
    Path(project, ".git", "config").write_text("[core\n", encoding="utf-8")
    with pytest.raises(GitFailed):
        purge_service.everything(project, clean_env(fenced))


def test_nothing_that_was_folded_from_removed_entries_is_kept(person, project, years):
    years.evidence.session("s")
    years.evidence.bring_on()
    proof = Path(project, ".proof")
    assert (proof / "log" / "evidence.checkpoint").exists()
    assert person("purge", "--older-than", "90").returncode == 0
    assert not (proof / "log" / "evidence.checkpoint").exists()
    assert not list((proof / "cache").glob("sessions/*"))
