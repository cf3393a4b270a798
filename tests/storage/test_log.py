import hashlib
import json
import os
import resource
import shutil
import signal
import stat
import sys
import tempfile
from datetime import UTC, datetime, timedelta

import pytest

from operators_edge.errors import StateError
from operators_edge.evidence.session_facts import tool_entry
from operators_edge.storage import segments
from operators_edge.storage.log import ProofLog
from operators_edge.storage.registry import Registry
from operators_edge.storage.segments import PositionLost
from operators_edge.storage.verify import accept, verify

START = datetime(2030, 1, 1, 12, tzinfo=UTC)


class Clock:
    def __init__(self):
        self.now = START

    def __call__(self):
        self.now += timedelta(milliseconds=1)
        return self.now


class Fixture:
    """A log with its registry, and its file as bytes."""

    def __init__(self, root, home, **options):
        self.root = str(root)
        self.registry = Registry(self.root, clock=Clock(), env={"HOME": str(home)})
        self.log = ProofLog(self.root, registry=self.registry, clock=Clock(), **options)
        self.path = os.path.join(self.root, ".proof", "session_log.jsonl")

    def add(self, count, **fields):
        return [self.log.append({"event": "tool", "tool": "Bash", **fields}) for _ in range(count)]

    def lines(self):
        with open(self.path, "rb") as file:
            return file.read().splitlines(keepends=True)

    def write(self, lines):
        with open(self.path, "wb") as file:
            file.writelines(lines)

    def events(self):
        return [entry["event"] for entry, _ in self.log.entries()]


@pytest.fixture
def at(tmp_path):
    (tmp_path / "project").mkdir()
    return Fixture(tmp_path / "project", tmp_path / "home")


@pytest.fixture
def small(tmp_path):
    """Segments of four kilobytes: a dozen lines."""
    (tmp_path / "project").mkdir()
    return Fixture(tmp_path / "project", tmp_path / "home", segment_bytes=4096)


# -- lines -----------------------------------------------------------------------------------------


def test_a_line_has_the_fields_of_the_format_and_names_the_line_before(at):
    first, second = at.add(2, session="s", success=True)
    lines = at.lines()
    assert json.loads(lines[1]) == second
    assert list(second) == [
        "seq", "timestamp", "event", "session", "agent", "tool", "tool_use_id", "input_preview",
        "output_preview", "success", "file_touched", "diff_hash", "duration_ms", "exit_code",
        "data", "prev",
    ]  # fmt: skip
    assert (first["seq"], first["prev"]) == (1, "0" * 64)
    assert second["seq"] == 2
    assert second["prev"] == hashlib.sha256(lines[0].rstrip(b"\n")).hexdigest()
    assert datetime.fromisoformat(second["timestamp"]).tzinfo is not None


def test_previews_are_redacted_and_then_cut(at):
    secret = "ghp_" + "a1B2" * 9
    entry = at.log.append(
        {
            "input_preview": "x" * 480 + " " + secret,
            "output_preview": "y" * 990 + secret,
            "data": {},
        }
    )
    assert len(entry["input_preview"]) <= 500
    assert len(entry["output_preview"]) <= 1000
    assert b"ghp_" not in b"".join(at.lines())


def test_exact_secrets_go_from_every_field(at):
    value = "correct-horse-battery"
    at.log.append(
        {
            "session": f"s {value}",
            "tool": value,
            "input_preview": {"command": value},
            "output_preview": value,
            "file_touched": f"/p/{value}",
            "data": {"deep": [{"x": value}]},
        },
        secrets=(value,),
    )
    assert value.encode() not in b"".join(at.lines())


def test_what_the_log_knows_to_be_secret_is_hidden_unless_a_caller_says_what_to_hide(tmp_path):
    (tmp_path / "project").mkdir()
    at = Fixture(tmp_path / "project", tmp_path / "home", secrets=lambda: ("correct-horse",))
    entry = {"event": "note", "data": {"x": "correct-horse battery-staple"}}
    hidden = [at.log.append(entry), at.log.append(entry, secrets=("battery-staple",))]
    assert [each["data"]["x"].split() for each in hidden] == [
        ["[REDACTED]", "battery-staple"],
        ["correct-horse", "[REDACTED]"],
    ]


def test_a_huge_call_leaves_a_small_line(at):
    at.log.append(
        tool_entry(
            {
                "event": "tool",
                "tool": "Bash",
                "input": {"command": "x" * 5_000_000, "more": [["y" * 10_000] * 300] * 300},
                "output": "z" * 5_000_000,
                "cwd": "/",
            }
        )
    )
    assert len(at.lines()[0]) < 20_000


def test_what_a_terminal_would_obey_is_kept_as_an_escape(at):
    text = "a\x1b[31m\x9b31m\x7f\u202e\u2028\ud800é"
    at.log.append({"output_preview": text})
    raw = at.lines()[0]
    assert json.loads(raw)["output_preview"] == text
    assert not {0x1B, 0x7F} & set(raw)
    shown = raw.decode()
    assert all(c.isprintable() for c in shown.rstrip("\n"))
    assert "é" in shown


def test_files_and_folders_are_the_users_alone(small):
    small.add(40)
    for folder, folders, files in os.walk(os.path.join(small.root, ".proof")):
        for name in [*folders, *files]:
            mode = stat.S_IMODE(os.lstat(os.path.join(folder, name)).st_mode)
            assert mode & 0o077 == 0, name


# -- the chain -------------------------------------------------------------------------------------


def test_a_whole_log_verifies(at):
    at.add(5)
    report = verify(at.log)
    assert report.ok
    assert (report.entries, report.head_known, report.problems) == (5, True, [])


def test_no_log_at_all_is_whole_and_makes_no_files(at):
    assert verify(at.log).ok
    assert os.listdir(at.root) == []


def test_a_changed_line_is_named(at):
    at.add(6, input_preview="ls")
    lines = at.lines()
    for number in range(5):
        changed = [*lines[:number], lines[number].replace(b"ls", b"rm"), *lines[number + 1 :]]
        at.write(changed)
        report = verify(at.log)
        assert report.first_broken[:2] == (".proof/session_log.jsonl", number + 1)
        assert not report.ok


def test_a_changed_link_is_named(at):
    at.add(6)
    lines = at.lines()
    entry = json.loads(lines[3])
    lines[3] = json.dumps({**entry, "prev": "a" * 64}, separators=(",", ":")).encode() + b"\n"
    at.write(lines)
    assert verify(at.log).first_broken[1] == 4


def test_a_changed_last_line_is_seen(at):
    at.add(3, input_preview="ls")
    lines = at.lines()
    at.write([*lines[:2], lines[2].replace(b"ls", b"rm")])
    report = verify(at.log)
    assert not report.ok
    assert "differs from the recorded one" in report.problems[0]


def test_a_removed_line_is_named(at):
    at.add(5)
    lines = at.lines()
    at.write(lines[:2] + lines[3:])
    assert verify(at.log).first_broken == (
        ".proof/session_log.jsonl",
        3,
        "1 missing before it: its number is 4, not 3",
    )


def test_a_repeated_line_is_named(at):
    at.add(5)
    lines = at.lines()
    at.write([*lines[:3], lines[2], *lines[3:]])
    assert verify(at.log).first_broken[1] == 4


@pytest.mark.parametrize(
    "line", [b"garbage\n", b"\n", b"{}\n", b"\xff\xfe\n", b"[" * 99999 + b"\n"]
)
def test_a_line_that_is_no_entry_is_named(at, line):
    at.add(5)
    lines = at.lines()
    at.write([*lines[:2], line, *lines[3:]])
    assert verify(at.log).first_broken[1:] == (3, "it is not an entry of the log")


def test_a_cut_tail_is_seen_reported_once_and_blocks_nothing(at):
    at.add(9)
    at.write(at.lines()[:4])
    report = verify(at.log)
    (problem,) = report.problems
    assert problem.startswith("the log ends at seq 4, but seq 9 was recorded")
    assert report.is_unanchored
    at.add(2)
    assert at.events()[4:] == ["log_tail_missing", "tool", "tool"]
    assert [entry["seq"] for entry, _ in at.log.entries()] == [1, 2, 3, 4, 10, 11, 12]
    report = verify(at.log)
    assert not report.ok
    assert "the log ended at seq 4, but seq 9 was recorded" in report.problems[0]


def test_a_removed_log_is_seen(at):
    at.add(9)
    os.unlink(at.path)
    assert not verify(at.log).ok
    at.add(1)
    assert at.events() == ["log_tail_missing", "tool"]
    assert not verify(at.log).ok


def test_a_removed_folder_is_seen(at):
    at.add(3)
    shutil.rmtree(os.path.join(at.root, ".proof"))
    report = verify(at.log)
    assert report.problems[0].startswith("the log ends at seq 0, but seq 3 was recorded")
    assert not os.path.exists(os.path.join(at.root, ".proof"))


def test_a_replaced_log_is_seen_and_reported_once(at, tmp_path):
    at.add(3)
    (tmp_path / "forged").mkdir()
    forged = Fixture(tmp_path / "forged", tmp_path / "forger")
    forged.add(3, tool="Read")
    at.write(forged.lines())
    assert not verify(at.log).ok
    at.add(2)
    assert at.events() == ["tool"] * 3 + ["log_replaced", "tool", "tool"]
    assert not verify(at.log).ok


def test_lines_that_someone_else_added_are_seen(at, tmp_path):
    at.add(3)
    ProofLog(at.root, clock=Clock()).append({"event": "tool", "tool": "forged"})
    assert "entries 4 to 4 follow the recorded end" in verify(at.log).problems[0]
    at.add(1)
    assert at.events()[-2:] == ["log_unanchored", "tool"]
    assert not verify(at.log).ok


def test_one_sync_makes_all_lines_and_the_recorded_end_last(at, monkeypatch):
    at.log.sync()  # there is nothing yet
    at.add(3)
    synced, fsync = set(), os.fsync

    def note(fd):
        synced.add(os.fstat(fd).st_ino)
        fsync(fd)

    monkeypatch.setattr(os, "fsync", note)
    at.log.sync()
    head = os.path.join(at.registry.folder, "head.json")
    assert synced == {os.stat(each).st_ino for each in (at.path, head, at.registry.folder)}


# -- what a person accepts -------------------------------------------------------------------------


def accepted(at):
    """The report after a person accepted what was found wrong before."""
    accept(at.log, verify(at.log).problems, by="ann", session="s")
    return verify(at.log)


def lose_head(at):
    """As on a disk that is full: the log is written, and its end is not recorded."""
    ProofLog(at.root, clock=Clock()).append({"event": "tool"})


def lose_tail(at):
    at.write(at.lines()[:2])
    at.registry.write_head(9, "0" * 64, [])


@pytest.mark.parametrize("fault", [lose_head, lose_tail])
@pytest.mark.parametrize("later", [0, 2])
def test_what_a_fault_leaves_is_a_grade_of_its_own_and_a_person_can_accept_it(at, fault, later):
    at.add(3)
    fault(at)
    at.add(later)
    before = verify(at.log)
    assert (before.ok, before.is_unanchored) == (False, True)
    report = accepted(at)
    assert (report.ok, report.problems, report.head_known) == (True, [], True)
    assert any("accepted by ann: " in each for each in report.notes)
    at.add(2)
    assert verify(at.log).ok


def test_what_changes_after_it_was_accepted_is_found_again(at):
    at.add(3)
    lose_head(at)
    assert accepted(at).ok
    lines = at.lines()
    at.write([lines[0].replace(b'"tool"', b'"took"', 1), *lines[1:]])
    report = verify(at.log)
    assert (report.ok, report.is_unanchored) == (False, False)
    assert any("so it explains nothing" in each for each in report.notes)


def test_a_changed_line_can_be_accepted_and_is_no_fault(at):
    at.add(4)
    lines = at.lines()
    at.write([lines[0], lines[1].replace(b'"tool"', b'"took"', 1), *lines[2:]])
    assert not verify(at.log).is_unanchored
    report = accepted(at)
    assert (report.ok, report.first_broken) == (True, None)


def test_nobody_else_can_accept_it(at, tmp_path):
    at.add(3)
    lose_head(at)
    foreign = Registry(at.root, env={"HOME": str(tmp_path / "other")}, clock=Clock())
    accept(ProofLog(at.root, registry=foreign, clock=Clock()), [], by="x", session="s")
    assert any("no key of yours signed it" in each for each in verify(at.log).problems)


def test_nothing_is_accepted_where_the_end_cannot_be_recorded(at):
    at.add(2)
    os.unlink(os.path.join(at.registry.folder, "head.json"))
    os.mkdir(os.path.join(at.registry.folder, "head.json"))
    with pytest.raises(StateError):
        accept(at.log, [], by="ann", session="s")


# -- the anchor ------------------------------------------------------------------------------------


def test_a_line_recorded_but_not_written_is_written_next_and_reported(at):
    at.add(4, input_preview="ls")
    lines = at.lines()
    at.write(lines[:3])
    at.add(1)
    assert at.lines()[3] == lines[3]
    assert at.events() == ["tool"] * 4 + ["log_completed", "tool"]
    assert verify(at.log).ok


def test_verify_writes_the_recorded_line(at):
    at.add(4)
    lines = at.lines()
    at.write(lines[:3])
    report = verify(at.log)
    assert report.ok
    assert at.lines()[3] == lines[3]
    assert "log_completed" in report.notes[0]


@pytest.mark.parametrize("kept", range(4))
def test_of_several_lines_recorded_at_once_the_missing_ones_are_written(at, kept):
    at.add(2)
    at.log.append_many([{"event": f"e{n}"} for n in range(4)])
    lines = at.lines()
    at.write(lines[: 2 + kept])
    at.add(1)
    assert at.lines()[:6] == lines
    assert verify(at.log).ok


@pytest.mark.parametrize("cut", [1, 2, 50, 200])
def test_a_torn_last_line_is_set_aside_and_written_whole(at, cut):
    at.add(3, input_preview="ls")
    whole = b"".join(at.lines())
    with open(at.path, "wb") as file:
        file.write(whole[:-cut])
    torn = whole[:-cut].splitlines()[-1]
    at.add(1)
    assert b"".join(at.lines()).startswith(whole)
    assert at.events()[3:] == ["log_torn", "log_completed", "tool"]
    assert verify(at.log).ok
    (kept,) = os.listdir(os.path.join(at.root, ".proof", "log"))
    assert kept.startswith("torn-3-")
    with open(os.path.join(at.root, ".proof", "log", kept), "rb") as file:
        assert file.read() == torn


@pytest.mark.parametrize("junk", [b"half a line", b"\0" * 5000, b"whole\nlines\n", b'{"seq": 9'])
def test_what_stands_behind_the_last_entry_is_never_glued_to_the_next(at, junk):
    at.add(2)
    with open(at.path, "ab") as file:
        file.write(junk)
    at.add(1)
    assert at.events() == ["tool", "tool", "log_torn", "tool"]
    assert verify(at.log).ok


def test_a_damaged_head_is_reported_once_and_made_anew(at):
    at.add(2)
    with open(os.path.join(at.registry.folder, "head.json"), "w", encoding="utf-8") as file:
        file.write("{")
    assert not verify(at.log).head_known
    at.add(2)
    assert at.events() == ["tool", "tool", "log_head_unreadable", "tool", "tool"]
    assert verify(at.log).head_known


def test_a_head_that_went_missing_is_noted_in_the_log(at):
    at.add(2)
    os.unlink(os.path.join(at.registry.folder, "head.json"))
    at.add(2)
    assert at.events() == ["tool", "tool", "log_anchored", "tool", "tool"]


@pytest.mark.parametrize("home", ["relative", "/dev/null"])
def test_without_a_folder_of_the_user_the_log_works_and_says_that_it_is_not_anchored(
    tmp_path, home
):
    at = Fixture(tmp_path, home)
    at.add(3)
    assert at.events() == ["tool"] * 3
    report = verify(at.log)
    assert report.ok
    assert not report.head_known
    assert report.notes[0].startswith("Head not anchored")


def test_when_the_head_can_no_longer_be_written_the_log_is_not_flooded(at):
    at.add(2)
    os.unlink(os.path.join(at.registry.folder, "head.json"))
    os.mkdir(os.path.join(at.registry.folder, "head.json"))
    at.add(3)
    assert at.events() == ["tool"] * 5
    assert not verify(at.log).head_known


def test_without_a_registry_the_log_works(tmp_path):
    log = ProofLog(str(tmp_path), clock=Clock())
    log.append({"event": "x"})
    assert log.append({"event": "y"})["seq"] == 2
    assert verify(log).ok


# -- segments --------------------------------------------------------------------------------------


def test_full_segments_are_sealed_and_the_chain_goes_on(small):
    small.add(60)
    sealed = segments.sealed(small.root)
    assert len(sealed) > 2
    assert os.path.basename(sealed[0][1]) == "000000000001.jsonl"
    assert [entry["seq"] for entry, _ in small.log.entries()] == list(range(1, 61))
    assert verify(small.log).ok
    for first, path in sealed:
        with open(path, "rb") as file:
            assert json.loads(file.readline())["seq"] == first


def test_a_crash_after_sealing_loses_nothing(small):
    small.add(40)
    first = json.loads(small.lines()[0])["seq"]
    os.rename(small.path, segments.sealed_path(small.root, first))
    small.add(1)
    assert small.log.count() == 41
    assert verify(small.log).ok


def test_a_change_in_a_sealed_segment_is_named(small):
    small.add(60, input_preview="ls")
    _, path = segments.sealed(small.root)[1]
    with open(path, "rb") as file:
        lines = file.read().splitlines(keepends=True)
    lines[-1] = lines[-1].replace(b"ls", b"rm")
    with open(path, "wb") as file:
        file.writelines(lines)
    report = verify(small.log)
    assert report.first_broken[:2] == (os.path.relpath(path, small.root), len(lines))


def test_a_removed_segment_is_seen(small):
    small.add(60)
    os.unlink(segments.sealed(small.root)[1][1])
    assert "missing before it" in verify(small.log).first_broken[2]


def test_the_tail_reaches_across_segments(small):
    small.add(60)
    assert [entry["seq"] for entry in small.log.tail(50)] == list(range(11, 61))
    assert len(small.log.tail(1000)) == 60
    assert small.log.tail(0) == []


def test_one_entry_is_found_by_its_number(small):
    small.add(60)
    for seq in (1, 13, 37, 60):
        assert small.log.show(seq)["seq"] == seq
    assert small.log.show(0) is None
    assert small.log.show(61) is None


def test_reading_goes_on_where_it_stopped_whatever_was_sealed_meanwhile(small):
    small.add(7)
    *_, (_, where) = small.log.entries()
    seen = []
    for _ in range(20):
        small.add(3)
        for entry, behind in small.log.entries(where):
            seen.append(entry["seq"])
            where = behind
    assert seen == list(range(8, 68))


def test_a_reader_that_began_before_a_sealing_sees_every_line_it_began_with(small):
    small.add(10)
    reader = small.log.entries()
    next(reader)
    small.add(30)
    assert [entry["seq"] for entry, _ in reader][:9] == list(range(2, 11))


def test_a_position_in_another_log_is_refused(at):
    at.add(5, input_preview="ls")
    where = [behind for _, behind in at.log.entries()][3]
    lines = at.lines()
    at.write([*lines[:3], lines[3].replace(b"ls", b"rm"), lines[4]])
    with pytest.raises(PositionLost):
        list(at.log.entries(where))
    at.write(lines[:2])
    with pytest.raises(PositionLost):
        list(at.log.entries(where))
    os.unlink(at.path)
    with pytest.raises(PositionLost):
        list(at.log.entries(where))


def test_a_line_still_being_written_is_not_there_yet(at):
    at.add(2)
    with open(at.path, "ab") as file:
        file.write(b'{"seq":3')
    assert [entry["seq"] for entry, _ in at.log.entries()] == [1, 2]
    assert [entry["seq"] for entry in at.log.tail(5)] == [1, 2]


def test_search_finds_by_text_event_tool_and_session(at):
    at.log.append({"event": "asked", "session": "s", "data": {"shown": "Git Push origin"}})
    at.log.append({"event": "tool", "tool": "Bash", "session": "t", "input_preview": "git push"})
    at.log.append({"event": "tool", "tool": "Edit", "session": "t", "file_touched": "/p/Ünï"})
    assert [e["seq"] for e in at.log.search("GIT push")] == [1, 2]
    assert [e["seq"] for e in at.log.search("git", event="asked")] == [1]
    assert [e["seq"] for e in at.log.search(tool="Edit")] == [3]
    assert [e["seq"] for e in at.log.search("ünï", session="t")] == [3]
    assert list(at.log.search("nothing")) == []


def test_a_search_for_an_event_finds_lines_that_hold_no_entry_where_these_are_asked_for(at):
    at.add(2)
    at.log.append({"event": "asked", "data": {"shown": 'it says "tool"'}})
    with open(at.path, "rb") as file:
        _, rest = file.read().split(b"\n", 1)
    with open(at.path, "wb") as file:
        file.write(b"no entry\n" + rest)
    found = list(at.log.search(event="log_unreadable"))
    assert [entry["seq"] for entry in found] == [None]
    assert [entry["event"] for entry in at.log.search(event="asked")] == ["asked"]
    assert list(at.log.search(event='"')) == []


def test_what_came_since_a_number_is_read_from_its_own_segment_on(small):
    small.add(60)
    first = segments.sealed(small.root)[1][0]
    with open(segments.sealed(small.root)[0][1], "wb"):
        pass  # it is not looked at
    for seq in (first, first + 1, 60):
        assert [entry["seq"] for entry in small.log.since(seq)] == list(range(seq, 61))
    assert list(small.log.since(61)) == []


def test_recent_calls_of_a_class_are_those_a_dismissal_would_cover_wholly(at):
    for number, classes in enumerate([["a"], ["a", "b"], ["b"], []]):
        data = {"classes": classes, "shown": f"call {number}"}
        at.log.append({"event": "asked", "tool_use_id": f"t{number}", "data": data})
    assert at.log.recent_of(["a"], 5) == ["call 0"]
    assert at.log.recent_of(["a", "b"], 2) == ["call 1", "call 2"]


# -- what the machine refuses ----------------------------------------------------------------------


@pytest.mark.parametrize("name", [".proof", ".proof/session_log.jsonl", ".proof/log"])
def test_a_symbolic_link_in_the_logs_place_is_refused(at, tmp_path, name):
    if name != ".proof":
        os.mkdir(os.path.join(at.root, ".proof"))
    target = tmp_path / "elsewhere"
    if name.endswith(".jsonl"):
        target.write_text("")
    else:
        target.mkdir()
    os.symlink(target, os.path.join(at.root, name))
    with pytest.raises(StateError, match="symbolic link"):
        at.add(1)
    if target.is_dir():
        assert list(target.iterdir()) == []
    else:
        assert target.read_text() == ""


def test_a_pipe_in_the_logs_place_is_refused_at_once(at):
    os.mkdir(os.path.join(at.root, ".proof"))
    os.mkfifo(at.path)
    with pytest.raises(StateError, match="not an ordinary file"):
        at.add(1)
    with pytest.raises(StateError, match="not an ordinary file"):
        at.log.tail(1)


def in_child(act):
    """Run in a forked child; returns its exit code, 100 for an unforeseen error."""
    pid = os.fork()
    if pid == 0:
        code = 100
        try:
            code = act()
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


def test_a_full_disk_is_an_error_and_what_was_recorded_follows_when_there_is_room(at):
    at.add(20)
    size = os.path.getsize(at.path)

    def act():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 40, size + 40))
        try:
            at.add(1, input_preview="on a full disk")
        except StateError as error:
            return 1 if "Free some space" in error.hint else 2
        return 3

    assert in_child(act) == 1
    assert os.path.getsize(at.path) == size
    at.add(1)
    assert at.events()[20:] == ["tool", "log_completed", "tool"]
    assert at.log.tail(3)[0]["input_preview"] == "on a full disk"
    assert verify(at.log).ok


def test_a_read_only_project_is_an_error_and_can_still_be_read_and_verified():
    home, root = tempfile.mkdtemp(), tempfile.mkdtemp()
    at = Fixture(root, home)
    at.add(3)
    proof = os.path.join(root, ".proof")
    for path, mode in ((root, 0o755), (home, 0o755), (proof, 0o755), (at.path, 0o644)):
        os.chmod(path, mode)
    os.chmod(os.path.join(proof, "log.lock"), 0o644)
    os.chmod(proof, 0o555)  # noqa: S103 - the least with which others can still look in

    def act():
        if os.geteuid() == 0:
            os.setuid(65534)
        try:
            at.add(1)
        except StateError:
            pass
        else:
            return 1
        report = verify(at.log)
        if not report.ok or report.entries != 3:
            return 2
        if not any("without the lock" in note for note in report.notes):
            return 3
        return 0 if len(at.log.tail(9)) == 3 else 4

    assert in_child(act) == 0


# -- processes that die ----------------------------------------------------------------------------


def _dying_append(at, number, done):
    """Append, but die at the n-th line executed in the store; ``done`` gets a byte when it is over."""
    left = number

    def trace(frame, event, arg):
        nonlocal left
        if "operators_edge/store" not in frame.f_code.co_filename.replace(os.sep, "/"):
            return None
        if event == "line":
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return trace

    pid = os.fork()
    if pid == 0:
        sys.settrace(trace)
        try:
            at.log.append({"event": "tool", "tool": "dying", "tool_use_id": f"d{number}"})
            sys.settrace(None)
            os.write(done, b"+")
        finally:
            os._exit(0)
    _, status = os.waitpid(pid, 0)
    return os.WIFSIGNALED(status)


EVERY = 1 if os.environ.get("EDGE_FULL_CONTENTION") else 7


@pytest.mark.parametrize("kind", ["plain", "sealing", "torn"])
def test_a_process_killed_anywhere_in_an_append_tears_and_loses_nothing(tmp_path, kind):
    (tmp_path / "project").mkdir()
    size = 1 if kind == "sealing" else 1 << 26
    at = Fixture(tmp_path / "project", tmp_path / "home", segment_bytes=size)
    at.add(2)
    number, died, appended = 1, True, 2
    while died:
        if kind == "torn":
            with open(at.path, "ab") as file:
                file.write(b"torn")
        read, write = os.pipe()
        died = _dying_append(at, number, write)
        os.close(write)
        is_acknowledged = os.read(read, 1) == b"+"
        os.close(read)
        at.add(1)
        appended += 1
        ids = [entry.get("tool_use_id") for entry, _ in at.log.entries()]
        assert ids.count(f"d{number}") <= 1
        if is_acknowledged:
            assert f"d{number}" in ids
        report = verify(at.log)
        assert report.ok, report
        number += EVERY
    assert number > 50 // EVERY
    assert [e for e in at.events() if e == "tool"].count("tool") >= appended


def test_a_search_finds_events_by_their_names(small):
    small.log.append({"event": "tampering", "session": "s", "data": {"path": "tests/a.py"}})
    small.log.append({"event": "note", "session": "s", "data": {}})
    assert [each["event"] for each in small.log.search("tamper")] == ["tampering"]
