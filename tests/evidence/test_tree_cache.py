import json
import os
import shutil

import pytest
from tests.hosting import Client, clean_env, write

from operators_edge.evidence import tree_cache
from operators_edge.git import worktree


def seen(root):
    found = worktree.tree_state(root)
    assert isinstance(found, worktree.TreeState)
    return found


def folder(root):
    return os.path.join(root, ".proof", "cache", "looks")


def through_a_log(data):
    return json.loads(json.dumps(data))


def many(root, text="x"):
    for number in range(tree_cache.IN_LINE + 1):
        write(root, f"{number}.txt", text)
    return seen(root)


def test_a_few_names_stand_in_the_line(repo):
    write(repo, "a.txt", "x")
    look = seen(repo)
    data = through_a_log(tree_cache.store(repo, look))
    assert data["differs"]
    assert tree_cache.load(repo, data) == look
    assert not os.path.exists(folder(repo))


def test_many_names_stand_beside_the_log_and_the_line_stays_short(repo):
    look = many(repo)
    data = through_a_log(tree_cache.store(repo, look))
    assert len(json.dumps(data)) < 300
    assert data["count"] == tree_cache.IN_LINE + 1
    assert tree_cache.load(repo, data) == look


def test_names_that_the_log_would_redact_stand_beside_it(repo):
    write(repo, "token=ghp_" + "a1B2" * 9, "x")
    look = seen(repo)
    data = tree_cache.store(repo, look)
    assert "differs" not in data
    assert tree_cache.load(repo, data) == look


@pytest.mark.parametrize("damage", ["gone", "half", "another"])
def test_without_the_names_it_is_still_known_that_the_tree_is_another_one(repo, damage):
    look = many(repo)
    data = tree_cache.store(repo, look)
    (name,) = os.listdir(folder(repo))
    path = os.path.join(folder(repo), name)
    if damage == "gone":
        shutil.rmtree(folder(repo))
    elif damage == "half":
        os.truncate(path, 100)
    else:
        with open(path, "w", encoding="utf-8") as file:
            json.dump({**look.as_data(), "differs": {"forged.txt": ""}}, file)
    found = tree_cache.load(repo, data)
    assert found == look._replace(differs=None)
    assert worktree.changed(repo, found, look) == []
    write(repo, "0.txt", "y")
    assert worktree.changed(repo, found, seen(repo)) is None


def test_the_oldest_names_are_forgotten(repo, monkeypatch):
    monkeypatch.setattr(tree_cache, "KEPT", 2)
    kept = [many(repo, text) for text in ("a", "b", "c")]
    for look in kept:
        tree_cache.store(repo, look)
    known = [tree_cache.load(repo, look._replace(differs=None).as_data()) for look in kept]
    assert [each.differs is not None for each in known if each] == [False, True, True]
    assert len(os.listdir(folder(repo))) == 2


def test_a_look_that_is_kept_again_is_a_new_one(repo, monkeypatch):
    monkeypatch.setattr(tree_cache, "KEPT", 2)
    first, second, third = (many(repo, text) for text in ("a", "b", "c"))
    for look in (first, second, first, third):
        tree_cache.store(repo, look)
    assert tree_cache.load(repo, first._replace(differs=None).as_data()) == first


def test_a_folder_that_cannot_be_written_costs_the_names_alone(repo):
    write(repo, ".proof/cache", "a file")
    look = many(repo)
    data = tree_cache.store(repo, look)
    assert tree_cache.load(repo, data) == look._replace(differs=None)


def test_what_is_no_look_is_none(repo):
    for data in (None, {}, {"cut": "…"}, {"digest": "../../x", "tree": ""}):
        assert tree_cache.load(repo, data) is None


def test_a_session_that_begins_with_many_unfinished_files_knows_which_it_changed(project, fenced):
    many(project)
    client = Client(project, clean_env(fenced))
    client.start()
    write(project, "7.txt", "other")
    client.send("Stop")
    with open(os.path.join(project, ".proof", "session_log.jsonl"), encoding="utf-8") as file:
        entries = [json.loads(line) for line in file]
    told = [each["data"] for each in entries if each["event"] == "tree_changed"]
    assert [(each["files"], each["count"]) for each in told] == [(["7.txt"], 1)]
