import json
import os
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, strategies as st
from tests.processes import HOOK
from tests.properties import examples

from operators_edge.errors import StateDamaged, StateError
from operators_edge.gate import rules
from operators_edge.gate.decide import assess
from operators_edge.gate.facts import SystemFacts, place
from operators_edge.hosts.claude import (
    environment as claude_environment,
    install,
    settings_guard,
    wiring,
)
from operators_edge.hosts.claude.install import Installation
from operators_edge.model import Call

RUNNER = wiring.Runner("/opt/py thon/bin/python", "/opt/lib/operators_edge/hook.py", "/bin/timeout")
HOOKS = wiring.hooks("exec", RUNNER)


class Desk:
    """A person's machine in a folder: a home and a git repository."""

    def __init__(self, base):
        self.home = base / "home"
        self.root = base / "work"
        self.env = {"PATH": os.environ["PATH"], "HOME": str(self.home)}
        self.env["XDG_STATE_HOME"] = str(base / "state")
        self.home.mkdir()
        self.root.mkdir()
        self.git("init", "--quiet")
        self.settings = self.root / ".claude" / "settings.local.json"

    def git(self, *words, cwd=None):
        env = {**self.env, "GIT_CONFIG_GLOBAL": os.devnull}
        name = ["-c", "user.name=n", "-c", "user.email=e@example.com"]
        done = subprocess.run(
            ["git", *name, *words], cwd=cwd or self.root, env=env, check=True, capture_output=True
        )
        return done.stdout.decode()

    def at(self, scope="local", root=None):
        root = str(root or self.root)
        return Installation(scope, root, home=str(self.home), env=self.env)

    def put_in(self, scope="local", root=None, hooks=HOOKS, permissions=wiring.PERMISSIONS):
        here = self.at(scope, root)
        exclude = claude_environment.exclude_file(str(root or self.root))
        plan = here.plan(hooks, permissions=permissions, exclude=exclude)
        here.apply(plan)
        return plan

    def take_out(self, scope="local", root=None):
        here = self.at(scope, root)
        plan = here.plan_removal(claude_environment.exclude_file(str(root or self.root)))
        here.remove(plan)
        return plan

    def files(self):
        """Every file and folder of home and working tree, with its bytes."""
        return {
            str(path): path.read_bytes() if path.is_file() else None
            for base in (self.home, self.root)
            for path in sorted(base.rglob("*"))
        }


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


@pytest.fixture(scope="module")
def one_desk(tmp_path_factory):
    return Desk(tmp_path_factory.mktemp("desk"))


PERSONS_SETTINGS = {
    "nothing": None,
    "nothing in it": "",
    "an object": "{}",
    "a blank object": "{ }\n",
    "one line": '{"model":"opus","hooks":{"Stop":[]}}',
    "windows": '{\r\n\t"model": "opus"\r\n}\r\n',
    "hooks of theirs": (
        '{\n    "hooks": {\n      "PreToolUse": [{"matcher": "Bash",\n'
        '         "hooks": [{"type": "command", "command": "./mine.sh"}]}]\n    },\n'
        '    "permissions": {"allow": ["Bash(edge plan:*)" , "Bash(ls:*)"], "deny": []}\n}'
    ),
}


@pytest.mark.parametrize("scope", install.SCOPES)
@pytest.mark.parametrize("content", PERSONS_SETTINGS.values(), ids=PERSONS_SETTINGS.keys())
def test_putting_in_and_taking_out_leaves_every_byte_as_it_was(desk, scope, content):
    path = desk.at(scope).settings
    if content is not None:
        os.makedirs(os.path.dirname(path))
        with open(path, "w", newline="") as file:
            file.write(content)
    before = desk.files()
    desk.put_in(scope)
    assert desk.files() != before
    desk.take_out(scope)
    assert desk.files() == before
    assert not os.path.exists(desk.at(scope).record_path)


def test_their_hooks_stay_first_and_their_settings_stay(desk):
    desk.settings.parent.mkdir()
    desk.settings.write_text(PERSONS_SETTINGS["hooks of theirs"])
    desk.put_in()
    value = json.loads(desk.settings.read_text())
    first, second = value["hooks"]["PreToolUse"]
    assert first["hooks"][0]["command"] == "./mine.sh"
    assert second == HOOKS["PreToolUse"][0]
    allowed = value["permissions"]["allow"]
    assert allowed[:2] == ["Bash(edge plan:*)", "Bash(ls:*)"]
    assert sorted(allowed[1:]) == sorted({*wiring.PERMISSIONS, "Bash(ls:*)"} - {allowed[0]})


def test_a_second_time_there_is_nothing_to_do(desk):
    desk.put_in()
    assert desk.put_in().needed == []


def test_a_new_layout_of_the_same_settings_is_left_alone(desk):
    desk.put_in()
    value = json.loads(desk.settings.read_text())
    value["model"] = "opus"
    desk.settings.write_text(json.dumps(value, indent=7))
    assert desk.put_in().needed == []


def test_another_interpreter_replaces_the_old_entries_and_the_way_back_stays_exact(desk):
    desk.settings.parent.mkdir()
    desk.settings.write_text('{"a":  1}')
    before = desk.files()
    desk.put_in()
    newer = wiring.hooks("wrapped", wiring.Runner("/new/python", "/new/operators_edge/hook.py"))
    desk.put_in(hooks=newer)
    assert wiring.ours(json.loads(desk.settings.read_text())) == newer
    desk.take_out()
    assert desk.files() == before


def test_what_a_person_added_meanwhile_survives_the_taking_out(desk):
    desk.settings.parent.mkdir()
    desk.settings.write_text(
        '{\n  "hooks": {},\n  "permissions": {"allow": ["Bash(edge plan:*)"]}\n}\n'
    )
    desk.put_in()
    text = desk.settings.read_text().replace('{\n  "hooks"', '{\n  "model" :   "opus",\n  "hooks"')
    desk.settings.write_text(text)
    plan = desk.take_out()
    assert desk.settings.read_text() == (
        '{\n  "model" :   "opus",\n  "hooks": {},\n'
        '  "permissions": {"allow": ["Bash(edge plan:*)"]}\n}\n'
    )
    assert any("was changed since" in note for note in plan.notes)


def test_a_hook_of_theirs_inside_our_group_stays(desk):
    desk.put_in()
    value = json.loads(desk.settings.read_text())
    theirs = {"type": "command", "command": "theirs"}
    value["hooks"]["Stop"][0]["hooks"].insert(0, theirs)
    desk.settings.write_text(json.dumps(value))
    desk.take_out()
    left = json.loads(desk.settings.read_text())
    assert left["hooks"] == {"Stop": [{"hooks": [theirs]}]}


def test_without_a_record_our_entries_are_recognised_and_cut_out(desk):
    desk.settings.parent.mkdir()
    desk.settings.write_text('{\n    "model": "opus"\n}\n')
    exclude = desk.root / ".git" / "info" / "exclude"
    before = desk.files()
    desk.put_in()
    os.unlink(desk.at().record_path)
    desk.take_out()
    assert desk.settings.read_text() == '{\n    "model": "opus"\n}\n'
    assert exclude.read_bytes() == before[str(exclude)]
    assert not (desk.root / ".claude" / "commands" / "edge.md").exists()


def test_taking_one_scope_out_leaves_the_others(desk):
    desk.put_in("shared", hooks=wiring.hooks("portable", RUNNER))
    shared = (desk.root / ".claude" / "settings.json").read_bytes()
    desk.put_in("user")
    desk.take_out("user")
    assert (desk.root / ".claude" / "settings.json").read_bytes() == shared
    assert (desk.root / ".claude" / "commands" / "edge.md").exists()


def test_a_persons_own_edge_command_is_never_overwritten(desk):
    command = desk.root / ".claude" / "commands" / "edge.md"
    command.parent.mkdir(parents=True)
    command.write_text("mine\n")
    plan = desk.put_in()
    assert command.read_text() == "mine\n"
    assert any("is not ours" in note for note in plan.notes)
    desk.take_out()
    assert command.read_text() == "mine\n"


def test_the_edge_command_that_a_person_edited_stays(desk):
    desk.put_in()
    command = desk.root / ".claude" / "commands" / "edge.md"
    command.write_text(command.read_text() + "and mine\n")
    plan = desk.take_out()
    assert command.exists()
    assert any("changed by hand" in note for note in plan.notes)


def test_settings_that_are_no_json_stop_everything_before_the_first_write(desk):
    desk.settings.parent.mkdir()
    desk.settings.write_text("{\n  // mine\n}\n")
    before = desk.files()
    with pytest.raises(StateDamaged) as refusal:
        desk.put_in()
    assert (refusal.value.line, refusal.value.column) == (2, 3)
    assert desk.files() == before


def test_a_file_that_changes_between_showing_and_writing_is_not_overwritten(desk):
    here = desk.at()
    plan = here.plan(HOOKS, permissions=(), exclude=None)
    desk.settings.parent.mkdir()
    desk.settings.write_text('{"a": 1}')
    with pytest.raises(StateError, match="changed meanwhile"):
        here.apply(plan)
    assert desk.settings.read_text() == '{"a": 1}'


def test_settings_behind_a_link_are_written_where_the_link_leads(desk, tmp_path):
    real = tmp_path / "dotfiles.json"
    real.write_text('{"a": 1}')
    desk.settings.parent.mkdir()
    desk.settings.symlink_to(real)
    desk.put_in()
    assert desk.settings.is_symlink()
    assert wiring.ours(json.loads(real.read_text())) == HOOKS
    desk.take_out()
    assert real.read_text() == '{"a": 1}'


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_settings_keep_their_mode_and_the_record_is_private(desk):
    desk.settings.parent.mkdir()
    desk.settings.write_text("{}")
    desk.settings.chmod(0o600)
    desk.put_in()
    assert desk.settings.stat().st_mode & 0o777 == 0o600
    assert os.stat(desk.at().record_path).st_mode & 0o777 == 0o600


def test_git_sees_nothing_of_what_is_put_in(desk):
    desk.put_in()
    for name in ("active_context.yaml", ".proof/log", ".ai-handoff/task"):
        path = desk.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("x")
    assert desk.git("status", "--porcelain", "--untracked-files=all") == ""


def test_projects_in_one_repository_have_their_own_lines(desk):
    before = desk.files()
    inner = desk.root / "sub [x]"
    inner.mkdir()
    desk.put_in()
    desk.put_in(root=inner)
    (inner / "active_context.yaml").write_text("x")
    assert desk.git("status", "--porcelain", "--untracked-files=all") == ""
    desk.take_out()
    assert desk.git("status", "--porcelain", "--untracked-files=all") == ""
    desk.take_out(root=inner)
    (inner / "active_context.yaml").unlink()
    inner.rmdir()
    assert desk.files() == before


def test_work_trees_share_the_lines_and_the_last_one_takes_them(desk, tmp_path):
    desk.git("commit", "--quiet", "--allow-empty", "-m", "x")
    tree = tmp_path / "tree"
    desk.git("worktree", "add", "--quiet", str(tree))
    exclude = desk.root / ".git" / "info" / "exclude"
    before = exclude.read_bytes()
    desk.put_in()
    desk.put_in(root=tree)
    assert desk.git("status", "--porcelain", cwd=tree) == ""
    plan = desk.take_out()
    assert any("another worktree" in note for note in plan.notes)
    assert desk.git("status", "--porcelain", cwd=tree) == ""
    desk.take_out(root=tree)
    assert exclude.read_bytes() == before


def test_a_folder_outside_git_is_wired_without_ignore_lines(desk, tmp_path):
    plain = tmp_path / "plain"
    plain.mkdir()
    found = claude_environment.exclude_file(str(plain))
    assert (found.path, found.why) == ("", "this is not a git repository")


def test_the_diff_shows_what_will_be_written(desk):
    desk.settings.parent.mkdir()
    desk.settings.write_text('{\n  "model": "opus"\n}\n')
    plan = desk.at().plan(HOOKS, permissions=(), exclude=None)
    change = next(each for each in plan.needed if each.kind == "settings")
    assert '-  "model": "opus"\n+  "model": "opus",' in change.diff()
    assert '+            "onFailure": "block"' in change.diff()


words = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=5)
hooks_of_theirs = st.dictionaries(
    st.sampled_from(["PreToolUse", "Stop", "Other"]),
    st.lists(
        st.fixed_dictionaries(
            {"hooks": st.lists(st.fixed_dictionaries({"command": words}), max_size=2)},
            optional={"matcher": words},
        ),
        max_size=2,
    ),
)
permitted = st.fixed_dictionaries(
    {}, optional={"allow": st.lists(words | st.sampled_from(wiring.PERMISSIONS), max_size=3)}
)
settings_of_theirs = st.fixed_dictionaries(
    {}, optional={"hooks": hooks_of_theirs, "permissions": permitted, "model": words}
)


@given(settings_of_theirs, st.sampled_from([None, 0, 2, 4, "\t"]), words)
@examples(25, HealthCheck.function_scoped_fixture)
def test_any_settings_come_back_exactly_and_lose_only_our_part_after_an_edit(
    one_desk, value, indent, added
):
    here = one_desk.at()
    one_desk.settings.parent.mkdir(exist_ok=True)
    content = json.dumps(value, indent=indent).encode()
    one_desk.settings.write_bytes(content)
    here.apply(here.plan(HOOKS, permissions=wiring.PERMISSIONS, exclude=None))
    wired = one_desk.settings.read_bytes()
    assert wiring.ours(json.loads(wired)) == HOOKS
    here.remove(here.plan_removal(None))
    assert one_desk.settings.read_bytes() == content

    here.apply(here.plan(HOOKS, permissions=wiring.PERMISSIONS, exclude=None))
    edited = {**json.loads(wired), "added": added}
    one_desk.settings.write_text(json.dumps(edited, indent=indent))
    here.remove(here.plan_removal(None))
    assert json.loads(one_desk.settings.read_text()) == {**value, "added": added}


# -- what a changed setting means for a running session --------------------------------------------


@pytest.fixture
def guarded(desk):
    """A session's environment, wired by this very interpreter."""
    desk.put_in(hooks=wiring.hooks("exec", wiring.this_runner()))
    return desk, {**desk.env, "CLAUDE_PROJECT_DIR": str(desk.root)}


def judged(guarded, change, name="settings.local.json"):
    desk, env = guarded
    path = desk.root / ".claude" / name
    value = json.loads(path.read_text()) if path.exists() else {}
    change(value)
    return settings_guard.why_unguarded(str(path), json.dumps(value).encode(), env)


def entry_of(value):
    return value["hooks"]["PreToolUse"][0]["hooks"][0]


def test_a_change_that_leaves_the_gate_alone_passes(guarded):
    assert judged(guarded, lambda value: value.update(model="opus")) == ""
    assert judged(guarded, lambda value: value.update(model="opus"), "settings.json") == ""


@pytest.mark.parametrize(
    "change",
    [
        lambda value: value.pop("hooks"),
        lambda value: value["hooks"].pop("PreToolUse"),
        lambda value: value.update(disableAllHooks=True),
        lambda value: entry_of(value).update(command="/bin/true"),
        lambda value: entry_of(value).update(timeout=0),
        lambda value: entry_of(value).update({"if": "Bash(nothing *)"}),
        lambda value: entry_of(value).update({"async": True}),
        lambda value: entry_of(value).pop("onFailure"),
        lambda value: entry_of(value)["args"].insert(2, "-c"),
        lambda value: value["hooks"]["PreToolUse"][0].update(matcher="Read"),
        lambda value: value["hooks"].update(
            PermissionRequest=[{"hooks": [{"type": "command", "command": "yes"}]}]
        ),
    ],
)
def test_a_change_that_takes_the_gate_away_or_its_teeth_is_named(guarded, change):
    assert judged(guarded, change)


def test_another_file_cannot_switch_the_hooks_off(guarded):
    why = judged(guarded, lambda value: value.update(disableAllHooks=True), "settings.json")
    assert "disableAllHooks" in why


def test_a_refused_rewrite_is_not_let_in_by_a_later_harmless_one(guarded):
    desk, _ = guarded
    desk.settings.write_text("{}")
    assert judged(guarded, lambda value: value.update(model="opus"), "settings.json")


def test_settings_in_an_encoding_that_the_client_cannot_read_guard_nothing(guarded):
    desk, env = guarded
    data = desk.settings.read_text().encode("utf-16")
    assert "not valid JSON" in settings_guard.why_unguarded(str(desk.settings), data, env)


def test_settings_that_are_no_json_any_more_are_named(guarded):
    desk, env = guarded
    assert "not valid JSON" in settings_guard.why_unguarded(str(desk.settings), b"{", env)


def test_a_session_of_the_plugin_is_guarded_until_the_plugin_is_switched_off(desk):
    env = {**desk.env, "CLAUDE_PLUGIN_ROOT": "/p", "CLAUDE_PROJECT_DIR": str(desk.root)}
    path = str(desk.root / ".claude" / "settings.json")
    assert settings_guard.why_unguarded(path, b"{}", env) == ""
    off = json.dumps({"enabledPlugins": {"edge@market": False}})
    assert "enabledPlugins" in settings_guard.why_unguarded(path, off.encode(), env)


def test_the_wrapper_blocks_when_the_hook_is_missing_and_lets_its_answer_through(tmp_path):
    hook = tmp_path / "it's ö" / "operators_edge" / "hook.py"
    runner = wiring.Runner(sys.executable, str(hook))
    line = wiring.wrapped(runner, 15)
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, check=False)
    assert done.returncode == 2
    assert b"edge doctor" in done.stderr
    hook.parent.mkdir(parents=True)
    hook.write_text("import os\ndef run(host):\n    os.write(1, b'{}')\n    os._exit(0)")
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"{}")


def test_the_gate_keeps_an_agent_from_writing_settings_program_and_records(desk):
    here = place(str(desk.root), desk.env)
    for each in (
        desk.settings,
        desk.home / ".claude" / "settings.json",
        desk.home.parent / "state" / "operators-edge",
        os.path.dirname(HOOK),
    ):
        call = Call("Write", {"file_path": str(each), "content": ""}, str(desk.root))
        assert assess(call, here, SystemFacts(), rules.load()).effect == "block", each
