"""Taking over what was rehearsed."""

import os
import stat

import pytest
from tests.hosting import git
from tests.rehearsal.world import LIMITS, World, foretold, needs_rehearsal, tree

from operators_edge.cli.commands.rehearse import looked_at
from operators_edge.errors import AnswerIsNo
from operators_edge.rehearsal import takeover
from operators_edge.rehearsal.effects import Change, Surroundings
from operators_edge.rehearsal.service import Rehearsal
from operators_edge.undo.restore import Undo
from operators_edge.undo.snapshots import SnapshotReason

EVERYTHING = (
    "echo two >> src/a.txt; rm untracked.txt; rm -r src/inner; chmod 700 run.sh; mkdir -p new/deep; "
    "echo n > new/deep/file; chmod 555 new/deep; "
    "ln -s nowhere link; printf '#!/bin/sh\\n' > tool; chmod +x tool"
)


@pytest.fixture
def world(tmp_path):
    with World(tmp_path) as made:
        yield made


def taken(world, command, between=lambda: None):
    project = str(world.project)
    with Rehearsal(command, folder=project, project=project, env=world.env, limits=LIMITS) as one:
        seen = looked_at(one, world.env)
        between()
        return seen, takeover.take_over(one, seen.changes, seen.around, env=world.env)


@needs_rehearsal
def test_the_project_is_then_as_it_was_foretold(world):
    before = tree(world.project)
    seen, done = taken(world, EVERYTHING)
    assert tree(world.project) == foretold(before, list(seen.changes), world.project)
    assert done.saved.id == 1


@needs_rehearsal
def test_undo_brings_back_what_was_lost(world):
    before = {name: content for name, (_, content) in tree(world.project).items()}
    taken(world, "echo two >> src/a.txt; rm untracked.txt; rm -r src/inner; : > made")
    undo = Undo(str(world.project), root=str(world.project), env=world.env)
    undo.apply(None, [], reason=SnapshotReason("test"), exact=True)
    assert {name: content for name, (_, content) in tree(world.project).items()} == before


@needs_rehearsal
def test_new_files_need_no_snapshot_so_no_repository_either(world, tmp_path):
    plain = world.home / "plain"
    plain.mkdir()
    with Rehearsal("echo x > a", folder=str(plain), project=str(plain), env=world.env) as one:
        seen = looked_at(one, world.env)
        assert takeover.take_over(one, seen.changes, seen.around, env=world.env).saved.id == 0
    assert (plain / "a").read_text() == "x\n"


@needs_rehearsal
@pytest.mark.parametrize(
    "act",
    [
        lambda project: (project / "src/a.txt").write_text("mine\n"),
        lambda project: (project / "src/b.txt").chmod(0o600),
        lambda project: (project / "other.txt").write_text("mine\n"),
        lambda project: (project / "src/inner/c.c").unlink(),
        lambda project: (project / "src").rename(project / "moved"),
    ],
)
def test_it_is_refused_if_anything_in_the_project_changed_meanwhile(world, act):
    changed = []

    def between():
        act(world.project)
        changed.append(tree(world.project, with_times=True))

    with pytest.raises(AnswerIsNo, match="changed since the rehearsal began"):
        taken(world, "echo two >> src/a.txt", between)
    assert tree(world.project, with_times=True) == changed[0]


@needs_rehearsal
def test_a_link_in_the_place_of_a_folder_is_never_followed(world):
    """As it would be if another process put it there after everything was looked at."""
    (world.out / "a.txt").write_text("outside\n")
    project = world.project
    change = Change(
        str(project / "link/a.txt"), "deleted", old_mode=stat.S_IFREG | 0o644, before=b""
    )
    os.symlink(world.out, project / "link")
    with pytest.raises(OSError, match=r"Not a directory|symbolic"):
        takeover._apply(change, str(project), {})
    assert (world.out / "a.txt").read_text() == "outside\n"


@needs_rehearsal
def test_what_undo_cannot_keep_is_not_lost(world):
    inner = world.project / "inner"
    inner.mkdir()
    git(str(inner), "init", "-q")
    (inner / "work.txt").write_text("mine\n")
    with pytest.raises(AnswerIsNo, match="undo cannot keep"):
        taken(world, "rm -rf inner")
    assert (inner / "work.txt").exists()


@needs_rehearsal
def test_files_outside_and_parts_of_the_guard_are_left_as_they_are(world):
    taken(world, "echo x > .claude/settings.json; echo x > ~/.bashrc; echo x > new; rm -r .proof")
    assert (world.project / "new").exists()
    assert (world.project / ".claude/settings.json").read_text() == '{"a": 1}\n'
    assert (world.home / ".bashrc").read_text() == "# mine\n"
    assert (world.project / ".proof/session_log.jsonl").exists()


AROUND = Surroundings("/p", ("/p/.git",))
FILE = stat.S_IFREG | 0o644


@pytest.mark.parametrize(
    ("changes", "more", "why"),
    [
        ([Change("/p/a", "created", new_mode=FILE)], {}, ""),
        ([Change("/p/a", "created", new_mode=FILE)], {"cut": "time"}, "incomplete"),
        ([Change("/p/a", "created", new_mode=FILE)], {"is_whole": False}, "incomplete"),
        ([Change("/q/a", "created", new_mode=FILE)], {}, "no file of the project"),
        ([Change("/p/.git/refs/heads/x", "created", new_mode=FILE)], {}, "repository itself"),
        ([Change("/p/.git/index", "changed", FILE, FILE), Change("/p/a", "deleted", FILE)], {}, ""),
        ([Change("/p/f", "created", new_mode=stat.S_IFIFO | 0o644)], {}, "f is no file"),
        ([Change("/p/a", "created", new_mode=FILE, size=2 << 30)], {}, "too much"),
    ],
)
def test_what_can_be_taken_over(changes, more, why):
    said = takeover.why_not(changes, AROUND, **{"cut": "", "is_whole": True, **more})
    assert why in said
    assert bool(why) == bool(said)
