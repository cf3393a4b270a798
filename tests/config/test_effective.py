"""The rules of one project: real files, a cache that cannot be wrong or poisoned, a prefilter that holds."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, strategies as st
from tests.properties import examples

from operators_edge.config import compiled, effective, trust
from operators_edge.gate import rules as shipped
from operators_edge.gate.decide import assess
from operators_edge.gate.facts import SystemFacts, place
from operators_edge.model import Call
from operators_edge.storage.bindings import bind_session

SESSION = "0f9a1b2c-0000-4000-8000-000000000001"
PUSH = "git-push"
OWN_RULE = """
[[rule]]
id = "ship-it"
effect = "junction"
type = "external"
reason = "Ships."
instead = "Build only: `make build`"
when = [{ program = "frobnicate" }]
match = ["frobnicate"]
no_match = ["make"]
"""


class Desk:
    """One person's home, one project, and what they configured."""

    def __init__(self, top) -> None:
        self.root = str(top / "project")
        self.home = str(top / "home")
        os.makedirs(os.path.join(self.root, ".git"))
        os.makedirs(os.path.join(self.home, ".config", "operators-edge"))
        state = os.path.join(self.home, "state")
        self.env = {"HOME": self.home, "XDG_STATE_HOME": state, "CLAUDE_PROJECT_DIR": self.root}

    def project(self, text, name="edge.toml"):
        return self._write(os.path.join(self.root, name), text)

    def user(self, text):
        return self._write(
            os.path.join(self.home, ".config", "operators-edge", "config.toml"), text
        )

    def _write(self, path, text):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def load(self):
        return effective.load(self.root, self.env)

    def effect(self, rule=PUSH):
        return self.load().rule(rule)["effect"]

    def is_suspicious(self, command, session=SESSION, cwd=None):
        return effective.needs_judgement(command, session, cwd or self.root, self.env)

    def judged(self, command):
        call = Call("Bash", {"command": command}, self.root)
        return assess(call, place(self.root, self.env), SystemFacts(), self.load())

    @property
    def kept(self):
        folder = os.path.join(self.home, "state", "operators-edge", "projects")
        return [os.path.join(at, name) for at, _, names in os.walk(folder) for name in names]

    def confirm(self, *items):
        trust.confirm(self.root, items, by="ann", at="2026-01-01T00:00:00+00:00", env=self.env)


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


def sets(effect, rule=PUSH):
    return f'[rules.{rule}]\neffect = "{effect}"\n'


def test_without_any_configuration_the_shipped_rules_hold_and_nothing_is_kept(desk):
    assert desk.load().config == {}
    desk.project('[project]\ndependencies = ["x"]\n', "pyproject.toml")
    assert desk.load().config == {}
    assert not desk.is_suspicious("tokei src")
    assert desk.kept == []


def test_every_change_of_a_file_is_in_force_with_the_next_look(desk):
    path = desk.project(sets("block"))
    assert desk.effect() == "block"
    assert desk.effect() == "block"
    desk.project("# nothing\n")
    assert desk.effect() == "junction"
    desk.user(sets("warn"))
    assert desk.effect() == "warn"
    # The same size and the same time as before: the inode's own time still tells.
    desk.project(sets("block"))
    before = os.stat(path)
    assert desk.effect() == "block"
    desk.project(sets("allow"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert os.stat(path).st_size == before.st_size
    assert desk.effect() == "warn"
    os.unlink(path)
    assert desk.effect() == "warn"


def test_a_loosening_counts_as_soon_as_it_is_confirmed_and_no_longer_than_that(desk):
    desk.project(sets("warn"))
    assert desk.effect() == "junction"
    desk.confirm("git-push=warn")
    assert desk.effect() == "warn"
    desk.project(sets("allow"))
    assert desk.effect() == "junction"
    desk.project(sets("warn"))
    assert desk.effect() == "warn"
    assert trust.RECORD.withdraw(desk.root, desk.env)
    assert desk.effect() == "junction"


def test_a_confirmation_ends_with_the_key_it_was_signed_with(desk):
    desk.project(sets("warn"))
    desk.confirm("git-push=warn")
    assert desk.effect() == "warn"
    os.unlink(os.path.join(desk.home, "state", "operators-edge", "key"))
    assert desk.effect() == "junction"


def test_a_confirmation_that_cannot_be_read_counts_for_nothing_and_says_so(desk):
    desk.project(sets("warn"))
    desk.confirm("git-push=warn")
    with open(trust.RECORD.path(desk.root, desk.env), "w", encoding="utf-8") as file:
        file.write("{")
    assert desk.effect() == "junction"
    assert "no loosening counts" in desk.load().config["remarks"][-1]


def test_the_compiled_rules_lie_outside_the_project_for_their_owner_alone(desk):
    desk.project(OWN_RULE)
    desk.load()
    kept = [
        "checks.json",
        "config.json",
        "listed.json",
        "redaction.json",
        "rules.json",
        "words.json",
    ]
    assert sorted(os.path.basename(path) for path in desk.kept) == kept
    assert {stat.S_IMODE(os.stat(path).st_mode) for path in desk.kept} == {0o600}
    assert sorted(os.listdir(desk.root)) == [".git", "edge.toml"]


def test_what_the_person_and_the_project_call_checks_adds_up_and_is_kept(desk):
    assert effective.checks(desk.root, desk.env) == ()
    desk.user('checks = ["make ci"]\n')
    desk.project('checks = ["./verify.sh", "make ci"]\n')
    both = ("make ci", "./verify.sh")
    assert effective.checks(desk.root, desk.env) == effective.checks(desk.root, desk.env) == both
    desk.project('checks = ["true"]\n')
    assert effective.checks(desk.root, desk.env) == ("make ci",)


def test_compiled_rules_that_a_repository_brings_along_are_not_looked_at(desk):
    desk.project(sets("block"))
    desk.load()
    (path,) = [each for each in desk.kept if each.endswith("rules.json")]
    with open(path, encoding="utf-8") as file:
        first, *lines = file.read().split("\n")
    forged = json.loads(first)
    for rule in forged["data"]["rules"]:
        rule["effect"] = "allow"
    folder = os.path.join(desk.root, "__pycache__")
    os.makedirs(folder)
    for place_ in (desk.root, folder, os.path.join(desk.root, ".proof")):
        os.makedirs(place_, exist_ok=True)
        with open(os.path.join(place_, "rules.json"), "w", encoding="utf-8") as file:
            file.write("\n".join([json.dumps(forged), *lines]))
    assert desk.effect() == "block"


def test_what_others_wait_for_compiles_nothing(desk):
    """A resident that compiled would hold every call up; a process of its own does it and keeps it."""
    assert effective.load_cached(desk.root, desk.env), "the shipped rules are at hand"
    desk.project(sets("block"))
    assert effective.load_cached(desk.root, desk.env) is None
    effective.load(desk.root, desk.env)
    assert effective.load_cached(desk.root, desk.env)
    shipped._loaded.clear()
    assert effective.load_cached(desk.root, desk.env)
    desk.project(sets("warn"))
    assert effective.load_cached(desk.root, desk.env) is None


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"stamp": 1}', b"\xff"])
def test_damaged_compiled_rules_are_compiled_again(desk, damage):
    desk.project(OWN_RULE)
    desk.load()
    for path in desk.kept:
        with open(path, "wb") as file:
            file.write(damage)
    assert desk.is_suspicious("frobnicate")
    assert desk.load().rule("ship-it")


def test_where_the_person_s_folder_takes_no_file_the_rules_hold_all_the_same(desk):
    desk.project(OWN_RULE)
    with open(os.path.join(desk.home, "state"), "w", encoding="utf-8") as file:
        file.write("in the way")
    assert desk.is_suspicious("frobnicate")
    assert desk.load().rule("ship-it")


def test_pyproject_is_read_and_edge_toml_comes_before_it(desk):
    text = "[tool.operators-edge.rules.git-push]\neffect = 'block'\n"
    desk.project(text, "pyproject.toml")
    assert desk.effect() == "block"
    desk.project('junction_style = "deny"\n')
    assert desk.effect() == "junction"
    assert desk.load().junction_style == "deny"
    assert "pyproject.toml [tool.operators-edge] is not read" in desk.load().config["remarks"][0]


def test_a_pyproject_that_only_depends_on_us_configures_nothing(desk):
    desk.project('[project]\ndependencies = ["operators-edge"]\n', "pyproject.toml")
    assert desk.load().config["remarks"] == []
    assert desk.effect() == "junction"


def writes(content):
    def write(path):
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())

    return write


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (writes("profile = "), "Invalid value"),
        (writes('profile = "strict"\n' * 2), "Cannot overwrite"),
        (writes(b"\xff\xfe"), "not UTF-8"),
        (writes("x = " + "[" * 5000), ""),
        (writes("#" * 2_000_000), "larger than"),
        (os.mkfifo, "not an ordinary file"),
        (os.mkdir, "directory"),
        (lambda path: os.symlink(path, path), "symbolic links"),
        (writes("colour = 1"), "unknown key 'colour'"),
    ],
    ids=["value", "twice", "bytes", "nested", "large", "fifo", "folder", "loop", "key"],
)
def test_a_file_that_cannot_be_used_opens_and_locks_nothing(desk, make, says):
    desk.user('profile = "contextual"\n' + sets("block", "http-write"))
    make(os.path.join(desk.root, "edge.toml"))
    rules = desk.load()
    assert says in rules.config["problems"][0]
    assert (rules.profile, rules.junction_style) == ("strict", "ask")
    assert rules.rule("http-write")["effect"] == "block"
    assert desk.judged("git push").effect == "junction"
    assert not desk.is_suspicious("tokei src")
    assert rules.config["problems"][0] in desk.judged("git push").findings[0].note


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_a_file_of_the_person_s_that_everybody_can_write_is_nobody_s_word(desk):
    path = desk.user(sets("allow"))
    os.chmod(path, os.stat(path).st_mode | stat.S_IWOTH)  # noqa: S103 - what is tried
    assert desk.effect() == "junction"
    assert "everyone can write it" in desk.load().config["problems"][0]


def test_a_person_s_table_for_one_project_holds_there_behind_links_too(desk, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(desk.root)
    desk.user(f'[project."{link}".rules.git-push]\neffect = "warn"\n')
    assert desk.effect() == "warn"
    assert effective.load("/elsewhere", desk.env).rule(PUSH)["effect"] == "junction"
    assert effective.load(None, desk.env).rule(PUSH)["effect"] == "junction"


def test_the_person_s_file_holds_where_no_project_is(desk):
    desk.user(sets("block"))
    assert effective.load(None, desk.env).rule(PUSH)["effect"] == "block"


def test_the_first_look_knows_the_words_of_the_session_s_own_project(desk, tmp_path):
    desk.project(OWN_RULE)
    assert desk.is_suspicious("frobnicate x")
    assert not desk.is_suspicious("tokei src")
    # Bound elsewhere, the session is judged by the rules there, wherever it says it stands.
    other = Desk(tmp_path / "other")
    bind_session(SESSION, {"root": other.root}, env=desk.env)
    assert not desk.is_suspicious("frobnicate x")
    other.project(OWN_RULE)
    assert desk.is_suspicious("frobnicate x")


def test_a_damaged_binding_is_looked_at_closer(desk):
    bind_session(SESSION, {"root": desk.root}, env=desk.env)
    path = os.path.join(desk.home, "state", "operators-edge", "sessions", f"{SESSION}.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write("{")
    assert desk.is_suspicious("tokei src")


WORDS = [
    "frobnicate",
    "frob",
    "ship",
    "list",
    "git",
    "push",
    "|",
    ";",
    "&&",
    "$(",
    ")",
    "'",
    '"',
    "\\",
    "x",
]


@examples(150, HealthCheck.function_scoped_fixture)
@given(words=st.lists(st.sampled_from(WORDS), max_size=6), joint=st.sampled_from([" ", ""]))
def test_what_the_first_look_lets_pass_is_an_allow_by_own_rules_too(desk, words, joint):
    rule = OWN_RULE.replace('program = "frobnicate"', 'program = "frobnicate", sub = "ship"')
    if not os.path.exists(os.path.join(desk.root, "edge.toml")):
        desk.project(rule + '[program.frobnicate]\nnames = ["frob"]\n')
    text = joint.join(words)
    if not desk.is_suspicious(text):
        assert desk.judged(text).effect == "allow"


def test_the_prefilter_of_a_configured_project_imports_no_parser_and_no_toml(desk):
    desk.project(OWN_RULE)
    desk.load()
    code = (
        "import sys, os; sys.path.insert(0, sys.argv[1]);"
        "from operators_edge.config.effective import needs_judgement;"
        "assert not needs_judgement('tokei src', sys.argv[2], None, os.environ);"
        "heavy = {'tomllib', 'dataclasses', 'typing', 'operators_edge.shell', 'operators_edge.gate.decide'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(shipped.__file__))))
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, source, SESSION],
        capture_output=True,
        text=True,
        check=True,
        env=desk.env,
    )
    assert run.stdout.strip() == "[]"


def test_the_agent_cannot_write_the_person_s_file_and_can_write_the_project_s(desk):
    folder = os.path.join(desk.home, ".config", "operators-edge")
    path = desk.user("")
    for command in (
        f"echo x > {path}",
        f"sed -i s/a/b/ {path}",
        f"tee {path} < y",
        "cp y ~/.config/operators-edge/config.toml",
        f"mv {folder} x",
        f"rm {path}",
        f"ln -sf y {path}",
    ):
        assert desk.judged(command).rule == "edge-own-files", command
    for tool, key in (("Write", "file_path"), ("Edit", "file_path")):
        call = Call(tool, {key: path, "content": ""}, desk.root)
        verdict = assess(call, place(desk.root, desk.env), SystemFacts(), desk.load())
        assert verdict.rule == "edge-own-files"
        call = Call(tool, {key: os.path.join(desk.root, "edge.toml")}, desk.root)
        verdict = assess(call, place(desk.root, desk.env), SystemFacts(), desk.load())
        assert verdict.effect == "allow"


def test_a_person_s_file_behind_a_link_is_guarded_where_it_really_lies(desk, tmp_path):
    kept = tmp_path / "dotfiles" / "edge.toml"
    kept.parent.mkdir()
    kept.write_text("")
    path = os.path.join(desk.home, ".config", "operators-edge", "config.toml")
    os.symlink(kept, path)
    assert desk.judged(f"echo x > {kept}").rule == "edge-own-files"


def test_where_nothing_is_configured_the_configuration_is_told_and_nothing_is_kept(desk):
    for root in (desk.root, None):
        assert effective.configuration(root, desk.env)["profile"] == "contextual"
        assert effective.remarks(root, desk.env) == []
    assert desk.kept == []


@pytest.mark.parametrize("text", ["", sets("warn"), "[rules\n"])
def test_the_configuration_is_the_same_from_the_cache_and_after_each_change(desk, text):
    for each in (text, text, sets("block")):
        if each:
            desk.user(each)
        fresh = compiled.load(desk.root, desk.env).config
        assert effective.configuration(desk.root, desk.env) == fresh
        assert "profile" in {row["key"] for row in fresh["values"]}
    assert any(name.endswith("/config.json") for name in desk.kept)
