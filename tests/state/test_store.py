import copy
import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from ruamel.yaml import YAML
from tests.properties import examples
from tests.tables import for_each

from operators_edge.errors import StateDamaged, StateError, StateInvalid, UsageError
from operators_edge.model import MACHINE_KEYS
from operators_edge.project import Project
from operators_edge.state import document, schema, transaction
from operators_edge.state.store import added_and_removed, load_text

HUMAN = """\
# Kept by people.
schema_version: 4
objective: 'Ship it'   # the goal

plan:  # what we do
  # before the first
  - description: "prepare"   # quoted
    status: completed
    proof: null
  # before the second
  - description: plain   # plain words
    status: pending
    note: |
      several

      lines
    # inside the second
    expected: 'single'
# between the keys
constraints: [one, 'two']  # flow
custom: {keep: "me", n: 0x1F}
current_step: 2
"""


class Clock:
    def __init__(self):
        self.now = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def project(tmp_path, clock):
    return Project(str(tmp_path), is_set_up=True, clock=clock, ids=lambda: "018f-0000-beef")


@pytest.fixture
def store(project):
    return project.state


@pytest.fixture
def transact(project):
    return partial(transact_in, project)


def transact_in(project, change):
    """Apply a change of the state alone."""
    return project.transact(lambda tx: change(tx.state), command="test")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "active_context.yaml"


def junction(ident, **more):
    """A pending decision in the shape in which it is written."""
    return {"id": ident, "type": "ambiguous", "session": "s", "reason": "which?", **more}


def set_to(**values):
    return lambda state: state.update(values)


def files_in(folder):
    return sorted(str(each.relative_to(folder)) for each in folder.rglob("*"))


# Reading


def test_a_project_without_a_file_has_a_fresh_state(store, tmp_path):
    assert store.read() == schema.fresh()
    assert not store.exists()
    assert files_in(tmp_path) == []


def test_creating_writes_a_fresh_file_once(store, path):
    assert store.create(command="init")
    first = path.read_bytes()
    assert not store.create(command="init")
    assert path.read_bytes() == first
    assert store.read() == schema.fresh()


def test_a_file_of_people_is_read_with_its_types(store, path):
    path.write_text(
        "objective: yes\nplan: []\nconstraints: []\nwhen: 2025-01-15\nn: 0x1F\no: 0o17\nf: 1.5e3\n"
        "inf: -.inf\n1: one\ntrue: t\nbase: &b {x: 1, y: 2}\nmine: {<<: *b, y: 3}\nempty:\ns: '1'\n"
    )
    state = store.read()
    assert state["objective"] == "yes"
    assert state["when"] == "2025-01-15"
    assert (state["n"], state["o"], state["f"], state["inf"]) == (31, 15, 1500.0, float("-inf"))
    assert (state["1"], state["true"], state["empty"], state["s"]) == ("one", "t", None, "1")
    assert state["mine"] == {"x": 1, "y": 3}


def test_a_file_of_the_first_version_is_read_in_todays_words(store, path):
    path.write_text("objective: x\nlessons:\n  - trigger: t # why\n    lesson: l\n")
    state = store.read()
    assert state["memory"] == [{"trigger": "t", "lesson": "l"}]
    assert (state["schema_version"], state["plan"], state["current_step"]) == (1, [], 0)
    assert "mode" not in state


def test_lessons_of_an_old_file_become_memory_in_place_when_they_change(store, path, transact):
    path.write_text("# mine\nlessons:  # learned\n  - trigger: t # why\n    lesson: l\n")
    transact(lambda state: state["memory"][0].update(reinforced=1))
    assert path.read_text().startswith(
        "# mine\nmemory:  # learned\n  - trigger: t # why\n    lesson: l\n    reinforced: 1\n"
    )
    assert store.read()["memory"] == [{"trigger": "t", "lesson": "l", "reinforced": 1}]


DAMAGED = {
    "twice": (b"objective: a\nplan: []\nobjective: b\n", 3, "twice"),
    "twice deep": (b"plan:\n  - status: a\n    status: b\n", 3, "twice"),
    "tab": (b"plan:\n\t- x\n", 2, "cannot start"),
    "conflict": (b"a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> x\n", 2, "merge conflict"),
    "cut": (b'objective: "half', 1, "quoted scalar"),
    "list": (b"- a\n", 1, "list or a string"),
    "text": (b"hello\n", 1, "list or a string"),
    "empty": (b"", 0, "empty"),
    "blank": (b"\xef\xbb\xbf \n\n", 0, "empty"),
    "comments": (b"# only\n", 0, "no keys"),
    "not utf-8": (b"a: 1\nb: \xff\n", 2, "UTF-8"),
    "nul": (b"a: 1\nb: \0\n", 2, "U+0000"),
    "two documents": (b"a: 1\n---\nb: 2\n", 2, "document"),
    "unknown alias": (b"a: *x\n", 1, "alias"),
    "own alias": (b"a: &x [*x]\n", 1, "anchor"),
    "deep": (b"a: " + b"[" * 1000, 0, "deeply"),
    "list as key": (b"? [a]\n: b\n", 1, "as a key"),
    "huge": (b"a: " + b"x" * (1 << 20), 0, "more than"),
    "contradiction": (b"mode: plan\n" + document.MARK.encode() + b'\nmode: "done"\n', 3, "twice"),
    "bomb": (
        b"a: &a [x,x,x,x,x,x,x,x,x,x]\n"
        + b"".join(
            b"%c: &%c [%s]\n" % (c, c, b",".join([b"*%c" % (c - 1)] * 10)) for c in b"bcdefg"
        ),
        0,
        "too many values",
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_file_is_named_with_its_place_and_left_alone(store, path, name, transact):
    data, line, problem = DAMAGED[name]
    path.write_bytes(data)
    called = []
    for ask in (store.read, lambda: transact(called.append)):
        with pytest.raises(StateDamaged, match=re.escape(problem)) as damage:
            ask()
        assert damage.value.line == line
        assert "edge history" in damage.value.hint
    assert called == []
    assert path.read_bytes() == data


def test_a_file_that_gets_damaged_after_a_snapshot_is_seen_at_once(store, path, transact):
    transact(set_to(objective="x", progress={"n": 1}))
    store.read()
    path.write_bytes(path.read_bytes().replace(b"plan: []", b"plan: [}"))
    with pytest.raises(StateDamaged):
        store.read()
    with pytest.raises(StateDamaged):
        transact(set_to(progress={"n": 2}))


def test_a_proposed_text_is_read_without_a_file():
    assert load_text(HUMAN)["objective"] == "Ship it"
    text = HUMAN + f"junction: {json.dumps(junction('a'))}\n"
    assert load_text(text)["junction"] == junction("a")
    with pytest.raises(StateDamaged):
        load_text("a: \ud800\n")


# The snapshot


def test_a_quick_read_needs_no_yaml_parser(store, tmp_path, transact):
    transact(set_to(objective="x", progress={"n": 1}))
    code = (
        "import sys\n"
        "from operators_edge.project import Project\n"
        f"project = Project({str(tmp_path)!r}, is_set_up=True)\n"
        "assert project.state.read()['progress'] == {'n': 1}\n"
        "project.transact(lambda tx: tx.state.pop('progress'), command='t')\n"
        "assert 'progress' not in project.state.read()\n"
        "project.transact(lambda tx: tx.state.update(progress={'n': 2}), command='t')\n"
        "assert project.state.read()['progress'] == {'n': 2}\n"
        "assert 'ruamel.yaml' not in sys.modules\n"
        "assert 'argparse' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_snapshot_is_only_as_good_as_the_file_beside_it(store, path, transact):
    transact(set_to(objective="aaa"))
    status = path.stat()
    assert store.read()["objective"] == "aaa"
    path.write_bytes(path.read_bytes().replace(b"aaa", b"bbb"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))  # same size, time and inode
    assert store.read()["objective"] == "bbb"
    path.unlink()
    assert store.read() == schema.fresh()


@pytest.mark.parametrize("junk", [b"", b"{", b"[]", b'{"form": 1}', b'{"form": 0}', b"\xff"])
def test_a_snapshot_that_is_junk_is_made_anew(store, tmp_path, junk, transact):
    transact(set_to(objective="x"))
    (tmp_path / ".proof/cache/state.json").write_bytes(junk)
    assert store.read()["objective"] == "x"
    assert len((tmp_path / ".proof/cache/state.json").read_bytes()) > 100


def test_a_deleted_cache_loses_nothing(store, tmp_path, transact):
    transact(set_to(objective="x", progress={"n": 1}))
    (tmp_path / ".proof/cache/state.json").unlink()
    (tmp_path / ".proof/cache").rmdir()
    assert transact(lambda state: state["progress"]["n"]) == 1
    assert store.read()["objective"] == "x"


# Changing machine keys


@pytest.mark.parametrize(
    "human",
    [
        HUMAN,
        HUMAN.replace("\n", "\r\n"),
        "\ufeff" + HUMAN,
        HUMAN.replace("Ship it", "Größe ändern 🚀"),
        HUMAN + "last: |+\n  kept\n\n\n",
        "---\n" + HUMAN,
        "%YAML 1.2\n---\n" + HUMAN,
    ],
    ids=["plain", "crlf", "bom", "non-ascii", "kept blank lines", "marker", "directive"],
)
def test_machine_keys_change_without_a_byte_of_the_human_part(store, path, human, transact):
    data = human.encode()
    path.write_bytes(data)
    before = store.read()
    for n in range(3):
        transact(set_to(progress={"n": n}, junction=None))
    text = path.read_bytes()
    newline = "\r\n" if "\r\n" in human else "\n"
    block = f'{document.MARK}{newline}junction: null{newline}progress: {{"n": 2}}{newline}'
    assert text == data + block.encode()
    assert (
        store.read()
        == before | {"progress": {"n": 2}, "junction": None}
        == load_text(text.decode())
    )


def test_a_file_without_a_last_line_end_gets_one_and_no_other_change(store, path, transact):
    path.write_bytes(HUMAN.rstrip("\n").encode())
    transact(set_to(mode="active"))
    assert path.read_text() == f'{HUMAN}{document.MARK}\nmode: "active"\n'


def test_null_is_a_value_and_a_removed_key_is_gone(store, path, transact):
    transact(set_to(junction={"id": "1"}, mode="plan"))
    transact(set_to(junction=None))
    assert "junction: null\n" in path.read_text()
    transact(lambda state: state.pop("mode"))
    assert "mode" not in store.read()


def test_values_in_the_block_survive_every_kind_of_character(store, path, transact):
    text = (
        "".join(map(chr, [*range(0x100), 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xD800, 0x1F600]))
        + "x" * 2000
    )
    value = junction("1", reason=text, deep=[None, True, 1, -0.5, 1e300, {"": []}])
    transact(set_to(junction=value))
    assert store.read()["junction"] == value
    assert path.read_bytes().count(b"\n") == len(document.fresh("").human.splitlines()) + 2


def test_the_block_means_the_same_to_a_yaml_parser_as_to_us(store, path, transact):
    value = {"reason": 'a: "b" # c\u2028\x85\t\x00é', "n": [1, 1e5, -2.5, True, None, {}, []]}
    transact(set_to(junction=value, mode="plan"))
    assert YAML(typ="safe", pure=True).load(path.read_text())["junction"] == value


@pytest.mark.parametrize(
    ("text", "human", "machine"),
    [
        ("mode: plan\na: 1\n", "a: 1\n", {"mode": "plan"}),
        (f"a: 1\n{document.MARK}\nmode: plan\n", "a: 1\n", {"mode": "plan"}),
        (
            f'a: 1\n{document.MARK}\nmode: "plan"\nb: 2 # mine\n',
            "a: 1\nb: 2 # mine\n",
            {"mode": "plan"},
        ),
        (f'mode: plan\na: 1\n{document.MARK}\nmode: "plan"\n', "a: 1\n", {"mode": "plan"}),
        (
            "# top\nsession:\n  id: x\n  # in\n# about a\na: 1\njunction:\n...\n",
            "# top\n  # in\n# about a\na: 1\n",
            {"session": {"id": "x"}, "junction": None},
        ),
        ("  a: |\n      x\n  mode: plan\n", "a: |\n    x\n", {"mode": "plan"}),
        ("{a: 1, mode: plan}\n", "a: 1\n", {"mode": "plan"}),
    ],
)
def test_machine_keys_are_gathered_from_wherever_they_stand(text, human, machine):
    parsed = document.parse(text, "f")
    assert (parsed.human, parsed.machine) == (human, machine)
    assert document.parse(parsed.encoded().decode(), "f") == parsed


# Changing human keys


def change_in(text, change):
    """The text after a change of its state."""
    parsed = document.parse(text, "f")
    after = copy.deepcopy(parsed.state())
    change(after)
    after["current_step"] = schema.current_step(after)
    return document.changed(parsed, parsed.state(), after).encoded().decode()


@for_each(
    ("change", "old", "new"),
    [
        (set_to(objective="It's new"), "'Ship it' ", "'It''s new' "),
        (set_to(objective=None), "'Ship it' ", "null "),
        (set_to(constraints=["one", "2"]), "[one, 'two']", "[one, '2']"),
        (set_to(constraints=["one"]), "[one, 'two']", '["one"]'),
        (lambda s: s["custom"].update(keep="you"), '"me"', '"you"'),
        (
            lambda s: s["plan"][1].update(status="in_progress"),
            "status: pending",
            "status: in_progress",
        ),
        (lambda s: s["plan"][0].update(proof="a: b"), "proof: null", 'proof: "a: b"'),
        (
            lambda s: s["plan"][0].update(proof="one\ntwo"),
            "proof: null",
            "proof: |-\n      one\n      two",
        ),
        (
            lambda s: s["plan"][1].update(note="short"),
            "|\n      several\n\n      lines",
            "short",
        ),
        (lambda s: s["plan"][1].pop("note"), "    note: |\n      several\n\n      lines\n", ""),
        (
            lambda s: s["plan"][1].update(delta="none"),
            "expected: 'single'\n",
            "expected: 'single'\n    delta: none\n",
        ),
        (
            lambda s: s["plan"].append({"description": "third", "status": "pending"}),
            "expected: 'single'\n",
            "expected: 'single'\n  - description: third\n    status: pending\n",
        ),
        (
            lambda s: s["plan"].insert(0, {"description": "zeroth"}),
            '  - description: "prepare"',
            '  - description: zeroth\n  - description: "prepare"',
        ),
        (
            lambda s: s["plan"][0].pop("description"),
            'description: "prepare"   # quoted\n    status',
            "status",
        ),
        (lambda s: s.pop("custom"), 'custom: {keep: "me", n: 0x1F}\n', ""),
        (
            lambda s: s.update(note_of_mine=[1, {"a": "b"}]),
            "current_step: 2\n",
            "current_step: 2\nnote_of_mine:\n  - 1\n  - a: b\n",
        ),
    ],
)
def test_an_edit_touches_only_the_text_of_what_changed(change, old, new):
    assert HUMAN.count(old) == 1
    for newline in ("\n", "\r\n"):
        before = HUMAN.replace("\n", newline)
        after = HUMAN.replace(old, new).replace("\n", newline)
        result = change_in(before, lambda s: (change(s), s.update(current_step=2)))
        expected = re.sub(r"current_step: \d", "", after)
        assert re.sub(r"current_step: \d", "", result) == expected


def test_a_value_that_json_cannot_say_still_enters_a_flow_list():
    result = change_in(HUMAN, lambda state: state["constraints"].append(float("inf")))
    assert load_text(result)["constraints"] == ["one", "two", float("inf")]


def test_a_moved_step_keeps_its_comments():
    result = change_in(HUMAN, lambda state: state["plan"].reverse())
    for comment in re.findall("#.*", HUMAN):
        assert comment in result
    assert [s["description"] for s in load_text(result)["plan"]] == ["plain", "prepare"]


def test_a_removed_step_takes_only_its_own_lines():
    result = change_in(HUMAN, lambda state: state["plan"].pop(0))
    assert [s["description"] for s in load_text(result)["plan"]] == ["plain"]
    for comment in set(re.findall("#.*", HUMAN)) - {"# quoted"}:
        assert comment in result


def test_steps_that_are_texts_alone_stay_as_they_are_beside_one_that_changes():
    text = "plan:\n  - read it   # first\n  - 'write it'\n  - description: check  # last\nconstraints: []\n"

    def finish(state):
        state["plan"][1]["status"] = "completed"

    changed = change_in(text, finish)
    assert "  - read it   # first\n" in changed
    assert "  - description: check  # last\n" in changed
    assert "  - description: write it\n    status: completed\n" in changed


def test_an_empty_plan_grows_and_a_plan_becomes_empty():
    text = (
        "schema_version: 4\nobjective: x\nplan: []  # none yet\nconstraints: []\ncurrent_step: 0\n"
    )
    grown = change_in(text, lambda s: s["plan"].append({"description": "a"}))
    assert "plan:\n  - description: a  # none yet\nconstraints" in grown
    assert "current_step: 1\n" in grown
    shrunk = change_in(HUMAN, lambda state: state["plan"].clear())
    assert "plan: []  # what we do\n" in shrunk


def test_a_list_at_its_keys_own_column_is_edited_in_its_style():
    text = (
        "schema_version: 4\nobjective:\nplan:\n- description: a  # c\n- description: b\n"
        "constraints:\n- one\n-\ncurrent_step: 1\n"
    )
    result = change_in(
        text,
        lambda s: (
            s["plan"].append({"description": "c"}),
            s["constraints"].append("two"),
            s.update(objective="now"),
        ),
    )
    assert result == text.replace("objective:", "objective: now").replace(
        "description: b\n", "description: b\n- description: c\n"
    ).replace("-\n", "-\n- two\n")


def test_a_key_with_an_anchor_of_its_own_is_written_anew_and_no_other():
    text = HUMAN.replace("[one, 'two']", "[&o one, *o]")
    result = change_in(text, lambda state: state["constraints"].append("two"))
    assert load_text(result)["constraints"] == ["one", "one", "two"]
    assert set(re.findall("#.*", HUMAN)) - {"# flow"} <= set(re.findall("#.*", result))


def test_a_change_that_would_break_an_alias_elsewhere_is_refused():
    text = HUMAN.replace("[one, 'two']", "&c [one]").replace("custom:", "same: *c\ncustom:")
    with pytest.raises(StateError, match="anchor"):
        change_in(text, lambda state: state["constraints"].append("two"))


def test_a_current_step_that_the_file_lacks_is_written_with_the_plan():
    text = HUMAN.replace("current_step: 2", "current_step:")
    result = change_in(text, lambda state: state["plan"].reverse())
    assert result.endswith("current_step: 2\n")


def test_required_keys_that_are_missing_come_with_the_first_write():
    result = change_in("# mine\nobjective: x\n", set_to(next_action="go"))
    assert result == (
        "# mine\nobjective: x\nschema_version: 1\ncurrent_step: 0\nplan: []\n"
        "next_action: go\nconstraints: []\n"
    )


# Transactions


def test_nothing_is_written_when_nothing_changes_or_the_change_fails(
    store, path, tmp_path, transact
):
    path.write_text(HUMAN)
    transact(lambda state: state.update(objective="Ship it"))
    with pytest.raises(KeyError):
        transact(lambda state: state["none"])
    with pytest.raises(StateInvalid, match="mode-valid"):
        transact(set_to(mode="working"))
    with pytest.raises(StateInvalid, match="schema-version"):
        transact(lambda state: state.pop("schema_version"))
    assert path.read_text() == HUMAN
    assert files_in(tmp_path) == [".proof", ".proof/lock", "active_context.yaml"]


def test_a_state_that_could_not_be_read_again_is_not_written(store, path, transact):
    transact(set_to(notes=["x" * 600_000]))
    before = path.read_bytes()
    with pytest.raises(
        StateInvalid, match=r"would have 1,200,\d+ bytes, and 1,048,576 is the most"
    ):
        transact(set_to(notes=["x" * 1_200_000]))
    assert path.read_bytes() == before
    assert len(store.read()["notes"][0]) == 600_000


def test_the_result_of_a_change_is_returned_and_its_copy_is_its_own(store, transact):
    kept = []
    assert transact(lambda s: (kept.append(s), s.update(notes=[1]), 7)[2]) == 7
    kept[0]["notes"].append(2)
    assert store.read()["notes"] == [1]


def test_an_edit_by_somebody_else_during_a_change_is_not_overwritten(store, path, transact):
    path.write_text(HUMAN)
    calls = []

    def change(state):
        if not calls:
            path.write_text(HUMAN.replace("Ship it", "Edited meanwhile"))
        calls.append(state["objective"])
        state["progress"] = {"n": 1}

    transact(change)
    assert calls == ["Ship it", "Edited meanwhile"]
    assert store.read()["objective"] == "Edited meanwhile"
    assert store.read()["progress"] == {"n": 1}


def test_a_file_that_never_stands_still_is_given_up_and_not_overwritten(
    store, path, tmp_path, transact
):
    path.write_text(HUMAN)
    calls = []

    def change(state):
        calls.append(1)
        path.write_text(HUMAN + "# more\n" * len(calls))
        state["mode"] = "plan"

    with pytest.raises(StateError, match="keeps being changed"):
        transact(change)
    assert path.read_text() == HUMAN + "# more\n" * len(calls)
    assert not [each for each in files_in(tmp_path) if each.endswith(".tmp")]


@pytest.mark.parametrize("folder", ["history", "cache", "cache/sessions", "cache/looks"])
def test_what_a_killed_writer_left_goes_with_the_next_change(store, tmp_path, folder, transact):
    place = tmp_path / ".proof" / folder
    place.mkdir(parents=True)
    for name in ("a.json", "a.json.0123456789ab.tmp"):
        (place / name).write_text("half")
        os.utime(place / name, (0, 0))
    (tmp_path / ".proof" / "lock").write_text("a holder that died")
    transact(set_to(mode="plan"))
    assert "a.json" in os.listdir(place)
    assert "a.json.0123456789ab.tmp" not in os.listdir(place)


def test_a_state_file_behind_a_symlink_stays_behind_it(store, path, tmp_path, transact):
    real = tmp_path / "elsewhere" / "state.yaml"
    real.parent.mkdir()
    real.write_text(HUMAN)
    path.symlink_to(real)
    transact(set_to(objective="new"))
    assert path.is_symlink()
    assert "objective: 'new'" in real.read_text()
    assert store.read()["objective"] == "new"


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a file system")
@pytest.mark.parametrize("options", ["size=64k", "ro"])
def test_a_disk_that_is_full_or_read_only_loses_nothing(tmp_path, clock, options, transact):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)],
        check=False,
        capture_output=True,
    )
    if mounted.returncode:
        pytest.skip("may not mount")
    try:
        project = Project(str(disk), is_set_up=True, clock=clock)
        store, transact = project.state, partial(transact_in, project)
        transact(set_to(objective="before"))
        text = (disk / "active_context.yaml").read_bytes()
        if options == "ro":
            subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        else:
            with open(disk / "filler", "wb", buffering=0) as filler:
                try:
                    while True:
                        filler.write(b"x" * 4096)
                except OSError:
                    pass
        with pytest.raises(StateError) as refusal:
            transact(set_to(objective="after"))
        assert ("Free some space" if options != "ro" else "read-only") in refusal.value.hint
        assert store.read()["objective"] == "before"
        assert (disk / "active_context.yaml").read_bytes() == text
        assert not [each for each in files_in(disk) if each.endswith(".tmp")]
    finally:
        subprocess.run(["umount", str(disk)], check=True)


# History


def test_a_version_is_kept_for_each_change_of_the_human_part_and_for_no_other(
    store, clock, transact
):
    for n in range(3):
        transact(set_to(objective=f"goal {n}"))
        for k in range(5):
            clock.now += timedelta(minutes=5)
            transact(set_to(progress={"n": k + n}))
    versions = store.history()
    assert [each.objective for each in versions] == ["goal 2", "goal 1", "goal 0"]
    assert versions[-1].time == "2026-01-31T09:30:00.000+00:00"
    assert versions[0].id > versions[1].id


def test_the_text_of_an_editor_is_kept_before_it_is_changed(store, path, transact):
    path.write_text(HUMAN)
    transact(set_to(objective="other"))
    assert [each.objective for each in store.history()] == ["other", "Ship it"]


def test_twenty_versions_are_kept(store, tmp_path, transact):
    for n in range(25):
        transact(set_to(objective=f"goal {n}"))
    assert [each.objective for each in store.history()] == [f"goal {n}" for n in range(24, 4, -1)]
    assert {each.stat().st_mode & 0o777 for each in (tmp_path / ".proof/history").iterdir()} == {
        0o600
    }


def test_a_difference_is_shown_as_unified_text(store, transact):
    transact(set_to(objective="one"))
    transact(set_to(objective="two"))
    text = store.diff(store.history()[1].id)
    assert "-objective: one\n+objective: two\n" in text
    with pytest.raises(UsageError, match="not a version"):
        store.diff("1999")
    with pytest.raises(UsageError, match="several"):
        store.diff("2026")
    with pytest.raises(UsageError):
        store.diff("../../active_context")


def test_a_link_to_nowhere_is_no_empty_state(store, path, tmp_path, transact):
    path.symlink_to(tmp_path / "unmounted.yaml")
    for ask in (
        store.read,
        lambda: transact(set_to(mode="plan")),
    ):
        with pytest.raises(StateError, match="which is not there"):
            ask()
    assert not (tmp_path / "unmounted.yaml").exists()


def test_a_restored_plan_is_not_done_again_at_once(store, transact, project):
    transact(set_to(objective="old", mode="done"))
    transact(set_to(objective="new", mode="plan"))
    transaction.restore(project, store.history()[-1].id, by="test")
    assert store.read()["objective"] == "old"
    assert "mode" not in store.read()


def test_a_restore_brings_back_the_text_but_no_decision(store, path, transact, project):
    transact(
        set_to(
            objective="old",
            mode="review",
            junction={"id": "old"},
            allowances=[{"fingerprint": "old", "consumed": False}],
            dismissals=[{"fingerprint": "old", "expires_at": "2099-01-01T00:00:00+00:00"}],
            overrides=[{"old": 1}],
            auto={"on": True},
        )
    )
    human = path.read_text().partition(document.MARK)[0]
    now = {
        "junction": junction("new"),
        "allowances": [],
        "dismissals": [],
        "overrides": [],
        "session": {"id": "new"},
    }
    transact(lambda s: (s.update(now, objective="new", mode="active"), s.pop("auto")))
    assert transaction.restore(project, store.history()[-1].id, by="test") == ""
    state = store.read()
    assert path.read_text().startswith(human + document.MARK)
    assert (state["objective"], state["mode"]) == ("old", "review")
    assert {key: state[key] for key in now} == now
    assert "auto" not in state
    assert store.history()[1].objective == "new"


def test_a_restore_mends_a_damaged_file_and_keeps_it_aside(store, path, transact, project):
    transact(set_to(objective="good", junction=junction("pending")))
    damaged = path.read_bytes().replace(b"plan: []", b"plan: [}")
    path.write_bytes(damaged)
    aside = transaction.restore(project, store.history()[0].id, by="test")
    assert Path(aside).read_bytes() == damaged
    assert store.read()["objective"] == "good"
    assert store.read()["junction"] == junction("pending")
    path.write_bytes(b"")
    transaction.restore(project, store.history()[0].id, by="test")
    assert store.read()["objective"] == "good"
    assert "junction" not in store.read()


def test_a_restore_is_not_stopped_by_a_machine_key_that_is_broken(store, path, transact, project):
    transact(set_to(objective="good", allowances=[]))
    path.write_text(path.read_text().replace("allowances: []", 'allowances: "all"'))
    with pytest.raises(StateDamaged, match="allowances is a text"):
        transact(set_to(objective="x"))
    transaction.restore(project, store.history()[0].id, by="test")
    assert "allowances" not in store.read()


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("objective: x\nplan: do it\n", 2, "plan is a text and has to be a list"),
        ("plan: []\nmemory:\n  a: 1\n", 2, "memory is a mapping and has to be a list"),
        ("objective: x\n'risks': 3\n", 2, "risks is a number and has to be a list"),
        ("objective: x\nsession: open\n", 3, "session is a text and has to be a mapping"),
        ("plan:\n- status: {a: 1}\n", 1, "the status of step 1 is a mapping"),
        ("objective: x\njunction_history: [1]\n", 3, "entry 1 of junction_history is a number"),
    ],
)
def test_a_known_key_that_holds_something_else_is_damage_with_its_line(
    project, path, text, line, problem
):
    store, transact = project.state, partial(transact_in, project)
    path.write_text(text)
    for read in (
        store.read,
        lambda: transact(set_to(notes="n")),
    ):
        with pytest.raises(StateDamaged, match=problem) as refusal:
            read()
        assert refusal.value.line == line
        assert "edge history restore" in refusal.value.hint
    assert path.read_text() == text


def test_nothing_is_written_that_would_be_damage_when_it_is_read(store, path, transact):
    with pytest.raises(StateInvalid, match="key-shape"):
        transact(set_to(session="open"))
    assert not path.exists()


def test_versions_stay_in_order_when_the_clock_steps_back(store, clock, transact):
    transact(set_to(objective="first"))
    clock.now -= timedelta(days=1)
    transact(set_to(objective="second"))
    assert [each.objective for each in store.history()] == ["second", "first"]


def test_a_large_file_is_edited_without_parsing_all_of_it_again(store, path, transact):
    filler = "".join(f"key{n}: 'value {n}'  # note {n}\n" for n in range(2000))
    path.write_text(HUMAN + filler)
    transact(lambda s: s["plan"][1].update(status="completed", proof="x"))
    text = path.read_text()
    assert text.count("# note") == 2000
    assert store.read()["plan"][1]["status"] == "completed"


# Laws

scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=20)
)


def values_of(leaves):
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)
        ),
        max_leaves=8,
    )


values = values_of(scalars)
storable = values_of(scalars.filter(lambda each: each not in (float("inf"), -float("inf"))))
words = st.text("abcdefghij klm", min_size=1, max_size=12).map(str.strip).filter(bool)


@st.composite
def human_texts(draw):
    lines = ["schema_version: 4", "objective: null # no. 0", "constraints: []"]
    number = 0

    def comment():
        nonlocal number
        number += 1
        return f"# no. {number}"

    indent = draw(st.sampled_from(["", "  ", "    "]))
    head, lines = lines, ["plan:"]
    for _ in range(draw(st.integers(1, 4))):
        if draw(st.booleans()):
            lines.append(indent + comment())
        text = draw(st.sampled_from(["a b", "'q'", '"d"']))
        lines.append(f"{indent}- description: {text}  {comment()}")
        if draw(st.booleans()):
            lines.append(f"{indent}  {comment()}")
        lines.append(f"{indent}  status: pending")
        if draw(st.booleans()):
            lines += [f"{indent}  note: |", f"{indent}    # text", "", f"{indent}    more"]
        if draw(st.booleans()):
            lines.append("")
    plan, lines = lines, []
    for name in draw(st.lists(st.sampled_from(["x", "y", "z"]), unique=True)):
        lines.append(comment())
        shape = draw(
            st.sampled_from(
                ["{}: [1, 'two']  ", "{}: {{a: b}}  ", "{}:\n  - one  ", "{}: >-\n  long\n  "]
            )
        )
        lines.append(shape.format(name) + ("" if ">" in shape else comment()))
    lines.append("current_step: 1")
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    return tuple("".join(line + newline for line in part) for part in (head, plan, lines))


@examples(40)
@given(
    human=human_texts(),
    updates=st.lists(st.tuples(st.sampled_from(MACHINE_KEYS[7:]), storable), max_size=4),
)
def test_whatever_the_machine_writes_the_human_part_stays_byte_for_byte(human, updates):
    human = "".join(human)
    parsed = document.parse(human, "f")
    for key, value in updates:
        before = parsed.state()
        parsed = document.changed(parsed, before, before | {key: value})
        parsed = document.parse(parsed.encoded().decode(), "f")
        assert parsed.encoded().startswith(human.encode())
        assert schema.is_same(parsed.machine[key], value)


@examples(50)
@given(human=human_texts(), data=st.data())
def test_whatever_changes_in_the_plan_every_comment_outside_it_stays(human, data):
    head, _, tail = human
    parsed = document.parse("".join(human), "f")
    for _ in range(3):
        before = parsed.state()
        plan = [dict(step) for step in before["plan"]]
        kind = data.draw(st.sampled_from(["set", "add", "remove", "move", "drop", "new"]))
        if kind == "add" or not plan:
            plan.insert(
                data.draw(st.integers(0, len(plan))),
                {"description": data.draw(st.text(max_size=9))},
            )
        else:
            index = data.draw(st.integers(0, len(plan) - 1))
            if kind == "set":
                plan[index]["status"] = data.draw(values)
            elif kind == "remove":
                plan.pop(index)
            elif kind == "move":
                plan.append(plan.pop(index))
            elif kind == "drop":
                plan[index].pop(data.draw(st.sampled_from(sorted(plan[index]) or ["-"])), None)
            else:
                plan[index][data.draw(words)] = data.draw(values)
        after = before | {"plan": plan}
        parsed = document.changed(parsed, before, after)
        again = document.parse(parsed.encoded().decode(), "f")
        assert schema.is_same(again.state(), schema.lifted(after))
        assert parsed.human.startswith(head)
        # Only the pointer to the step at work may move with the plan.
        pointer = re.compile("current_step: .*")
        assert pointer.sub("", parsed.human).endswith(pointer.sub("", tail))


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        (
            "schema_version: 4\nobjective: Rewrite the parser (all of it), 2/3 done\nplan: []\n",
            True,
        ),
        ("objective: one two\nplan: []\n", True),
        ("objective: word\nplan: []\n", False),
        ("objective: one two\n  three\nplan: []\n", False),
        ("objective: one two # why\nplan: []\n", False),
        ("objective: null\nplan: []\n", True),
        ("objective: null\n  x\nplan: []\n", False),
        ("objective: 'one two'\nplan: []\n", False),
        ("objective: one two\n", False),
        ("notes: |\n  a\nobjective: one two\nplan: []\n", True),
        (
            "schema_version: 4\nobjective: one two\nplan: []\nobjective: three four\nmode: plan\n",
            False,
        ),
    ],
)
def test_an_objective_that_is_told_without_parsing_is_the_one_that_parsing_finds(text, is_told):
    told = document.plain_objective(text.encode())
    assert (told is not None) == is_told
    assert told is None or told == (document.parse(text, "x").state()["objective"] or "")


@given(
    st.lists(st.sampled_from([b"a", b"b", b"c", b"d"]), max_size=9),
    st.lists(st.sampled_from([b"a", b"b", b"c", b"d"]), max_size=9),
)
def test_the_lines_that_a_version_differs_by_make_one_of_the_other(old, new):
    added, removed = added_and_removed(old, new)
    same = len(new) - added
    assert same == len(old) - removed
    assert (added, removed) == (0, 0) if old == new else added + removed > 0
    assert same <= sum(min(old.count(line), new.count(line)) for line in set(old))
