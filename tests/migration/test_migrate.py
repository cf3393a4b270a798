import json
import os
import subprocess
import sys

import pytest
from tests.migration import legacy

from operators_edge.errors import StateDamaged, StateError
from operators_edge.migration import legacy_settings, migrate as migration
from operators_edge.model import MACHINE_KEYS
from operators_edge.plan import modes
from operators_edge.project import Project
from operators_edge.state import schema
from operators_edge.storage.verify import verify

SIDE = ".claude/state"


def project_of(version, tmp_path, name="project"):
    return Project(legacy.project(version, tmp_path / name), is_set_up=True)


@pytest.fixture
def third(tmp_path):
    return project_of("v3", tmp_path)


def migrate(project):
    return migration.apply(project, migration.detect(project.root))


def events(project):
    return [entry["event"] for entry, _ in project.log.entries()]


# -- before any phase ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "objective", "mode", "step"),
    [
        ("v1", None, "plan", 1),
        ("v2", "Ship the importer for Größenangaben", "active", 2),
        ("v3", "Add a dark mode toggle", "active", 2),
        ("v4", "Prepare the release", "active", 1),
    ],
)
def test_an_old_state_file_is_read_as_what_it_means(tmp_path, version, objective, mode, step):
    project = project_of(version, tmp_path)
    before = legacy.tree(project.root)
    state = project.state.read()
    assert schema.violations(state) == []
    assert (state["objective"], modes.current(state), state["current_step"]) == (
        objective,
        mode,
        step,
    )
    assert all(isinstance(each, dict) for each in [*state["plan"], *state["memory"]])
    assert legacy.tree(project.root) == before


@pytest.mark.parametrize("version", ["v1", "v2", "v3", "v4"])
def test_the_product_works_on_an_old_project_before_any_phase(tmp_path, version):
    project = project_of(version, tmp_path)
    project.transact(lambda tx: tx.state.update(next_action="go on"), command="t")
    project.log.append({"event": "note", "data": {}})
    assert project.state.read()["next_action"] == "go on"
    assert "note" in events(project)
    assert verify(project.log).ok


def test_an_old_log_makes_way_for_the_chain_and_is_kept(third):
    old = (third.root + "/.proof/session_log.jsonl", third.root + "/.proof/log")
    with open(old[0], "rb") as file:
        lines = file.read()
    third.log.append({"event": "note", "data": {}})
    (kept,) = os.listdir(old[1])
    assert kept.startswith("foreign-")
    with open(os.path.join(old[1], kept), "rb") as file:
        assert file.read() == lines
    assert any("foreign" in note for note in verify(third.log).notes)
    assert any(
        kept in note for note in migration.preview(third, migration.detect(third.root)).notes
    )


# -- shadow ----------------------------------------------------------------------------------------


def test_shadow_logs_the_same_differences_once_and_changes_nothing_else(third):
    os.unlink(third.root + "/.proof/session_log.jsonl")
    before = legacy.tree(third.root)
    for _ in range(2):
        outcome = migration.shadow(third, migration.detect(third.root))
        assert outcome.is_logged
    after = legacy.tree(third.root)
    assert {path for path in after if after[path] != before.get(path)} == {
        ".proof/session_log.jsonl"
    }
    (entry,) = third.log.search(event="migration_shadow")
    keys = [each["key"] for each in entry["data"]["changes"]]
    assert keys == ["gear", "junction_history", "auto", "obligations", "evals"]
    assert any("suppression" in each for each in entry["data"]["dropped"])
    with open(f"{third.root}/{SIDE}/gear_state.json", "w", encoding="utf-8") as file:
        json.dump({"current_gear": "active"}, file)
    migration.shadow(third, migration.detect(third.root))
    assert len(list(third.log.search(event="migration_shadow"))) == 2


def test_shadow_leaves_an_old_log_whole_and_says_that_it_did_not_log(third):
    before = legacy.tree(third.root)
    outcome = migration.shadow(third, migration.detect(third.root))
    assert not outcome.is_logged
    assert any("not logged" in note for note in outcome.notes)
    assert legacy.tree(third.root) == before


# -- apply -----------------------------------------------------------------------------------------


def test_apply_brings_everything_into_the_one_state(third):
    migrate(third)
    state = third.state.read()
    assert schema.violations(state) == []
    assert state["schema_version"] == 4
    assert state["gear"]["iterations"] == 7
    assert state["auto"]["stats"]["junctions_hit"] == 9
    assert state["auto"]["enabled"] is False
    assert [each["decision"] for each in state["junction_history"]] == [
        "approve",
        "dismiss",
        "dropped",
    ]
    assert state["obligations"][0]["lesson_trigger"] == "theme"
    assert state["evals"]["level"] == 1
    assert state["evals"]["last_run"]["run_id"] == 19
    assert state["spec"] == {"source": "docs/spec.md"}
    assert state["intent"]["success_criteria"][0]["type"] == "test_passes"
    assert not any(state.get(key) for key in ("junction", "allowances", "dismissals", "overrides"))
    assert third.registry.live_grants() == ()


def test_apply_loses_no_file_and_no_byte_of_one(third):
    before = legacy.tree(third.root)
    migrate(third)
    after = legacy.tree(third.root)
    moved = {f"{path}.bak": data for path, data in before.items() if path.startswith(SIDE)}
    moved.pop(f"{SIDE}/clickup_config.json.bak")
    assert moved.items() <= after.items()
    assert after[".proof/legacy/session_log.jsonl"] == before[".proof/session_log.jsonl"]
    assert after[".proof/legacy/active_context.yaml"] == before["active_context.yaml"]
    untouched = (f"{SIDE}/clickup_config.json", ".proof/archive.jsonl", ".claude/settings.json")
    assert all(after[path] == before[path] for path in untouched)
    assert verify(third.log).ok
    assert "migration_applied" in events(third)


@pytest.mark.parametrize("version", ["v1", "v2", "v3", "v4"])
def test_apply_keeps_comments_order_and_quotes_of_what_people_wrote(tmp_path, version):
    project = project_of(version, tmp_path)
    with open(project.state.path, encoding="utf-8") as file:
        before = file.read().splitlines()
    migrate(project)
    with open(project.state.path, encoding="utf-8") as file:
        after = file.read().splitlines()
    comments = [line for line in before if line.lstrip().startswith("#")]
    assert [line for line in comments if line not in after] == []
    kept = [line for line in before if "constraints" in line or "description" in line]
    assert [line for line in kept if line not in after] == []


def test_lessons_become_memory_where_they_stand(tmp_path):
    project = project_of("v1", tmp_path)
    migrate(project)
    with open(project.state.path, encoding="utf-8") as file:
        text = file.read()
    assert "lessons:" not in text
    assert "memory:" in text
    assert "team: payments   # ours" in text
    lessons = [each["lesson"] for each in project.state.read()["memory"]]
    assert lessons == ["Ask before deleting", "Absolute imports work in hooks"]


def test_lessons_beside_an_empty_memory_are_not_lost(tmp_path):
    project = project_of("v4", tmp_path)
    migrate(project)
    with open(project.state.path, encoding="utf-8") as file:
        text = file.read()
    assert text.count("memory:") == 1
    assert [each["lesson"] for each in project.state.read()["memory"]] == ["Tag after the build"]


def test_grants_without_a_code_and_a_pending_decision_do_not_come_alive(tmp_path):
    project = project_of("v4", tmp_path)
    outcome = migrate(project)
    state = project.state.read()
    assert (state["junction"], state["allowances"], state["dismissals"]) == (None, [], [])
    assert state["junction_history"][-1]["shown"] == "irreversible: git push to origin"
    text = "\n".join(outcome.dropped)
    assert "1 allowance without a valid signature" in text
    assert "wal.json" in text
    assert state["runtime"] == {"experiments": {"churn": 3}}


def test_a_log_behind_a_link_is_found_again_where_apply_says(tmp_path):
    project = project_of("v4", tmp_path)
    sessions = project.root + "/.proof/sessions/20260301-080000.jsonl"
    with open(sessions, "rb") as file:
        lines = file.read()
    outcome = migrate(project)
    assert (".proof/sessions", ".proof/legacy/sessions") in outcome.moved
    with open(sessions.replace(".proof/", ".proof/legacy/"), "rb") as file:
        assert file.read() == lines
    assert not os.path.islink(project.root + "/.proof/session_log.jsonl")
    assert events(project) == ["migration_applied"]


@pytest.mark.parametrize("version", ["v1", "v2", "v3", "v4"])
def test_every_phase_twice_changes_nothing_the_second_time(tmp_path, version):
    project = project_of(version, tmp_path)
    for phase in (migrate, clean):
        phase(project)
        before = legacy.tree(project.root)
        phase(project)
        assert legacy.tree(project.root) == before


def test_hooks_that_still_run_write_a_side_file_again_and_nothing_is_overwritten(third):
    migrate(third)
    first = legacy.tree(third.root)[f"{SIDE}/gear_state.json.bak"]
    with open(f"{third.root}/{SIDE}/gear_state.json", "w", encoding="utf-8") as file:
        json.dump({"current_gear": "dream"}, file)
    migrate(third)
    assert third.state.read()["gear"]["current_gear"] == "patrol", "today's word wins"
    after = legacy.tree(third.root)
    assert after[f"{SIDE}/gear_state.json.bak"] == first
    assert f"{SIDE}/gear_state.json.bak.2" in after


def test_times_get_the_zone_in_which_they_were_written(third):
    script = (
        "import sys\nfrom operators_edge.migration import migrate\n"
        "from operators_edge.project import Project\n"
        "project = Project(sys.argv[1], is_set_up=True)\n"
        "migrate.apply(project, migrate.detect(project.root))\n"
    )
    env = {**os.environ, "TZ": "Europe/Berlin"}
    subprocess.run([sys.executable, "-c", script, third.root], check=True, env=env)
    state = third.state.read()
    assert state["gear"]["entered_at"] == "2026-01-15T09:42:04.366656+01:00"
    assert state["junction_history"][1]["decided_at"] == "2026-07-13T08:39:39+02:00"
    assert state["memory"][0]["last_used"] == "2026-01-10", "a day stays a day"
    assert state["intent"]["confirmed_at"] == "2026-01-15T09:41:00", "people's own text stays"


# -- what blocks a phase ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b'{"current_gear": "patrol",\n "iterations": }', "line 2, column 16"),
        (b'{"current_gear": "pat', "line 1, column 18"),
        (b"", "line 1, column 1"),
        (b"<<<<<<< HEAD\n{}", "line 1, column 1"),
        (b"[1]", "is not a JSON object"),
        (b'{"a": "\xff"}', "line 1, column 8: is not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a": "' + b"x" * migration.MAX_SIDE_BYTES + b'"}', "more than"),
    ],
)
def test_a_damaged_side_file_stops_apply_and_is_never_taken_for_an_empty_one(third, data, where):
    path = f"{third.root}/{SIDE}/gear_state.json"
    with open(path, "wb") as file:
        file.write(data)
    found = migration.detect(third.root)
    assert where in found.problems[0]
    before = legacy.tree(third.root)
    with pytest.raises(StateDamaged) as refusal:
        migration.apply(third, found)
    assert "gear_state.json" in refusal.value.message
    assert "--skip gear_state.json" in refusal.value.hint
    assert legacy.tree(third.root) == before
    outcome = migration.apply(third, found, ["gear_state.json"])
    assert "gear" not in third.state.read()
    assert any("left out" in note for note in outcome.notes)
    with open(path + ".bak", "rb") as file:
        assert file.read() == data


def test_a_byte_order_mark_of_a_windows_editor_is_no_damage(third):
    path = f"{third.root}/{SIDE}/gear_state.json"
    with open(path, "wb") as file:
        file.write(b'\xef\xbb\xbf{"current_gear": "dream"}\r\n')
    migrate(third)
    assert third.state.read()["gear"] == {"current_gear": "dream"}


@pytest.mark.parametrize("linked", [SIDE, ".claude", f"{SIDE}/gear_state.json"])
def test_what_lies_behind_a_link_is_not_moved(third, tmp_path, linked):
    path = os.path.join(third.root, linked)
    elsewhere = tmp_path / "elsewhere"
    os.rename(path, elsewhere)
    os.symlink(elsewhere, path)
    before = (legacy.tree(third.root), legacy.tree(str(tmp_path)))
    with pytest.raises(StateError, match="symbolic link"):
        migrate(third)
    assert (legacy.tree(third.root), legacy.tree(str(tmp_path))) == before


def test_a_tree_that_cannot_be_written_is_left_as_it_is_with_the_reason(third):
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    before = legacy.tree(third.root)
    os.chmod(third.root, 0o500)
    try:
        with pytest.raises(StateError, match="Cannot"):
            migrate(third)
    finally:
        os.chmod(third.root, 0o700)
    assert legacy.tree(third.root) == before


def test_a_damaged_state_file_stops_every_phase_with_its_place(third):
    with open(third.state.path, "a", encoding="utf-8") as file:
        file.write("<<<<<<< HEAD\n")
    before = legacy.tree(third.root)
    for phase in (migration.preview, migration.shadow, migration.apply):
        with pytest.raises(StateDamaged) as refusal:
            phase(third, migration.detect(third.root))
        assert refusal.value.line > 0
    assert legacy.tree(third.root) == before


def test_a_project_without_anything_old_has_nothing_to_do(project):
    here = Project(project, is_set_up=True)
    assert migrate(here).is_empty
    assert migration.cleanup_moves(project, migration.detect(project)) == ()
    assert not os.path.exists(os.path.join(project, ".proof", "legacy"))


def test_paths_of_any_script_are_migrated(tmp_path):
    project = project_of("v3", tmp_path, name="Größe и 尺寸 (1)")
    migrate(project)
    clean(project)
    assert verify(project.log).ok
    assert project.state.read()["gear"]["iterations"] == 7


def test_a_state_that_could_not_be_read_again_is_not_written(third):
    for name in ("dispatch_state", "eval_state", "gear_state", "obligations", "junction_state"):
        with open(f"{third.root}/{SIDE}/{name}.json", "w", encoding="utf-8") as file:
            value = {
                "pending": [{"id": "a", "x": "y" * 250_000}],
                "history_tail": [],
                "fill": "z" * 10,
            }
            json.dump(value if name == "obligations" else {"fill": "z" * 261_000}, file)
    third.transact(lambda tx: tx.state.update(notes="n" * 100_000), command="t")
    with pytest.raises(StateError, match="would have"):
        migrate(third)


# -- cleanup ---------------------------------------------------------------------------------------


def clean(project):
    found = migration.detect(project.root)
    settings = []
    for path in legacy_settings.editable_paths(project.root):
        cut = legacy_settings.without_entries(project.root, path)
        if cut is not None:
            settings.append((os.path.relpath(path, project.root), *cut))
    migration.cleanup(project, migration.cleanup_moves(project.root, found), settings)


def test_cleanup_takes_only_what_the_ancestor_wrote(third):
    migrate(third)
    before = legacy.tree(third.root)
    clean(third)
    after = legacy.tree(third.root)
    left = {path for path in after if path.startswith(".claude")}
    assert left == {
        ".claude/commands/edge-review.md",
        ".claude/hooks/our_check.py",
        ".claude/hooks/edge_utils.py",
        ".claude/hooks/quality_gate.py",
        ".claude/settings.json",
        f"{SIDE}/clickup_config.json",
    }
    for path, data in before.items():
        if path.startswith(".claude"):
            kept = after.get(path) if path in left - {".claude/settings.json"} else None
            assert data in (kept, after.get(f".proof/legacy/{path.removeprefix('.')}")), path


def test_a_module_that_somebodys_own_hook_imports_stays_and_is_named(third):
    found = migration.detect(third.root)
    assert ".claude/hooks/edge_utils.py" not in found.hooks
    assert found.kept_hooks == (
        ".claude/hooks/edge_utils.py is kept: .claude/hooks/our_check.py imports it",
    )


def test_settings_lose_their_old_entries_and_no_other_byte(third):
    path = third.root + "/.claude/settings.json"
    with open(path, encoding="utf-8") as file:
        before = file.read()
    migrate(third)
    clean(third)
    with open(path, encoding="utf-8") as file:
        after = file.read()
    value = json.loads(after)
    assert list(value["hooks"]) == ["PreToolUse"]
    (entry,) = value["hooks"]["PreToolUse"][0]["hooks"]
    assert entry["command"] == "python .claude/hooks/our_check.py"
    assert {k: v for k, v in value.items() if k != "hooks"} == {
        k: v for k, v in json.loads(before).items() if k != "hooks"
    }
    assert [line for line in after.splitlines() if line not in before.splitlines()] == []


def test_settings_that_changed_meanwhile_are_not_overwritten(third):
    migrate(third)
    path = third.root + "/.claude/settings.json"
    (before, after) = legacy_settings.without_entries(third.root, path)
    with open(path, "a", encoding="utf-8") as file:
        file.write("\n")
    tree = legacy.tree(third.root)
    moves = migration.cleanup_moves(third.root, migration.detect(third.root))
    with pytest.raises(StateError, match="changed in the meantime"):
        migration.cleanup(third, moves, [(".claude/settings.json", before, after)])
    assert legacy.tree(third.root) == tree


def test_folders_that_cleanup_empties_go_too(tmp_path):
    project = project_of("v4", tmp_path)
    migrate(project)
    clean(project)
    assert os.listdir(project.root + "/.claude") == ["settings.local.json"]


def test_what_is_the_machines_stays_in_the_machines_block(third):
    migrate(third)
    with open(third.state.path, encoding="utf-8") as file:
        human, _, block = file.read().partition("# Written by edge")
    keys = [line.partition(":")[0] for line in block.splitlines()[1:]]
    assert keys == [key for key in MACHINE_KEYS if key in keys]
    assert not any(
        line.startswith(f"{key}:") for key in MACHINE_KEYS for line in human.splitlines()
    )
