import io
import json
import os
import sys

import pytest
from tests.cli import helps
from tests.hosting import at_a_terminal

from operators_edge.errors import AnswerIsNo, NotHuman, NotSetUp, UsageError
from operators_edge.project import Project


@pytest.fixture
def store(tmp_path):
    for objective in ("one", "two"):
        change(tmp_path, objective=objective)
    return opened(tmp_path).state


def opened(root):
    return Project(str(root), is_set_up=True)


def change(root, **values):
    opened(root).transact(lambda tx: tx.state.update(values), command="t")


def run(root, *words):
    code, out, _ = helps.run("state", *words, "--project", str(root))
    assert code == 0
    return out


def test_history_lists_the_newest_version_first_with_numbers_on_narrow_lines(store, tmp_path):
    lines = run(tmp_path, "history").splitlines()
    assert [line.split()[0] for line in lines[:2]] == ["1", "2"]
    assert [line.split()[-1] for line in lines[:2]] == ["two", "one"]
    assert "as now" in lines[0]
    assert "+2 -2" in lines[1]  # objective, and the id of the transaction
    change(tmp_path, objective="long " * 40)
    assert max(map(len, run(tmp_path, "history").splitlines())) <= 80
    data = json.loads(run(tmp_path, "history", "--json"))["data"]
    assert [each["number"] for each in data] == [1, 2, 3]
    assert [each["is_as_now"] for each in data] == [True, False, False]


def test_a_version_is_named_by_its_number_or_the_beginning_of_its_id(store, tmp_path):
    old = store.history()[1].id
    for name in ("2", old, old[:-2]):
        assert json.loads(run(tmp_path, "diff", name, "--json"))["data"]["id"] == old
    for name in ("0", "3", "99", "x"):
        with pytest.raises(UsageError):
            run(tmp_path, "diff", name)


def test_diff_without_an_id_compares_with_the_version_before_now(store, tmp_path):
    assert "-objective: one\n+objective: two\n" in run(tmp_path, "diff")
    only = store.history()[0].id
    assert run(tmp_path, "diff", only) == "nothing changed\n"


def test_diff_says_when_there_is_nothing_to_compare_with(tmp_path):
    store = opened(tmp_path).state
    store.create(command="t")
    with pytest.raises(AnswerIsNo):
        run(tmp_path, "diff")


def test_a_restore_without_a_person_is_refused_and_changes_nothing(store, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    before = (tmp_path / "active_context.yaml").read_bytes()
    with pytest.raises(NotHuman):
        run(tmp_path, "restore", store.history()[-1].id)
    assert (tmp_path / "active_context.yaml").read_bytes() == before


def test_a_dry_run_shows_what_a_restore_would_do_and_needs_nobody(store, tmp_path):
    before = (tmp_path / "active_context.yaml").read_bytes()
    text = run(tmp_path, "restore", "2", "--dry-run")
    assert "-objective: two\n+objective: one\n" in text
    assert (tmp_path / "active_context.yaml").read_bytes() == before


def restored(root, *words, answer="y\n"):
    env = {"PATH": os.environ["PATH"], "XDG_STATE_HOME": str(root / "user"), "COLUMNS": "80"}
    return at_a_terminal(str(root), "state", "restore", *words, answer=answer, env=env)


@pytest.mark.parametrize("is_removed", [False, True])
def test_a_person_at_a_terminal_restores_also_a_file_that_was_removed(store, tmp_path, is_removed):
    version = store.history()[-1].id
    if is_removed:
        (tmp_path / "active_context.yaml").unlink()
    done = restored(tmp_path, version)
    assert done.returncode == 0
    assert store.read()["objective"] == "one"
    (entry,) = opened(tmp_path).log.search(event="state_restored")
    assert entry["data"]["version"] == version
    assert "tx" in entry


def test_a_person_sees_what_would_change_and_can_still_say_no(store, tmp_path):
    before = (tmp_path / "active_context.yaml").read_bytes()
    done = restored(tmp_path, "2", answer="n\n")
    assert "+objective: one" in done.stderr
    assert done.returncode == 1
    assert (tmp_path / "active_context.yaml").read_bytes() == before
    assert restored(tmp_path, "2", "--yes", answer="").returncode == 0
    assert store.read()["objective"] == "one"


def test_restoring_what_is_there_changes_nothing(store, tmp_path):
    before = (tmp_path / "active_context.yaml").read_bytes()
    assert "Nothing to do" in restored(tmp_path, "1", answer="").stdout
    assert (tmp_path / "active_context.yaml").read_bytes() == before


def test_comments_alone_are_worth_a_restore(store, tmp_path):
    path = tmp_path / "active_context.yaml"
    with_comment = path.read_text().replace("objective: two", "objective: two  # mine")
    path.write_text(with_comment)
    change(tmp_path, next_action="go")
    number = next(
        n for n, each in enumerate(store.history(), 1) if "# mine" in text_of(store, each)
    )
    path.write_text(path.read_text().replace("  # mine", ""))
    assert restored(tmp_path, str(number)).returncode == 0
    assert "# mine" in path.read_text()


def text_of(store, version):
    folder = os.path.join(os.path.dirname(store.path), ".proof", "history")
    with open(os.path.join(folder, f"{version.id}.yaml"), encoding="utf-8") as file:
        return file.read()


def test_a_damaged_file_is_put_aside_and_named_afterwards(store, tmp_path):
    path = tmp_path / "active_context.yaml"
    path.write_text("<<<<<<< HEAD\n" + path.read_text())
    done = restored(tmp_path, "1")
    assert done.returncode == 0
    assert store.read()["objective"] == "two"
    (kept,) = store.damaged()
    assert kept in done.stdout
    assert kept in run(tmp_path, "history")
    with open(kept, encoding="utf-8") as file:
        assert file.read().startswith("<<<<<<<")
    (entry,) = opened(tmp_path).log.search(event="state_restored")
    assert entry["data"]["damaged_kept"] == os.path.relpath(kept, tmp_path)


def test_an_old_spelling_of_the_mode_comes_back_as_what_it_meant(tmp_path):
    store = opened(tmp_path).state
    (tmp_path / "active_context.yaml").write_text("mode: REVIEW\nobjective: one\nplan: []\n")
    change(tmp_path, objective="two", mode="active")
    restored(tmp_path, "2")
    assert (store.read()["objective"], store.read()["mode"]) == ("one", "review")


def test_a_folder_without_a_project_says_what_to_run(tmp_path):
    with pytest.raises(NotSetUp, match="not set up"):
        run(tmp_path, "history")
