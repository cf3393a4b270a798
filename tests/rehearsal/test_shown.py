"""The text and the data of a rehearsal."""

import json
import stat

import pytest

from operators_edge.rehearsal.effects import Change, Surroundings, diff, folded, where
from operators_edge.rehearsal.service import Rehearsed
from operators_edge.rehearsal.shown import Bounds, Shown
from operators_edge.text.wording import columns

AROUND = Surroundings("/home/u/p", ("/home/u/p/.git",), ("/tmp",))
FILE, FOLDER, LINK = stat.S_IFREG | 0o644, stat.S_IFDIR | 0o755, stat.S_IFLNK | 0o777
HOME = "/home/u"
P = "/home/u/p"


def rehearsed(*changes, output="", cut="", code=0, **more):
    result = Rehearsed(code, output, 1.25, cut, **more)
    return Shown("make it", result, changes, AROUND, home=HOME)


def text(*changes, bounds=None, **more):
    return "\n".join(rehearsed(*changes, **more).lines(*([bounds] if bounds else [])))


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (f"{P}/src/a", "project"),
        (f"{P}/.git/config", "repository"),
        (f"{P}/sub/.git/config", "repository"),
        (f"{P}/.proof/session_log.jsonl", "guard"),
        (f"{P}/active_context.yaml", "guard"),
        (f"{P}/.claude/settings.json", "guard"),
        ("/tmp/x", "temporary"),
        ("/etc/passwd", "outside"),
        ("/home/u/project2/a", "outside"),
    ],
)
def test_where_a_path_belongs(path, place):
    assert where(path, AROUND) == place


def test_a_created_folder_is_one_line_with_the_sum_of_its_files():
    changes = [
        Change(f"{P}/out", "created", new_mode=FOLDER),
        Change(f"{P}/out-2", "created", new_mode=FILE, size=7),
        Change(f"{P}/out/a", "created", new_mode=FILE, size=10),
        Change(f"{P}/out/in", "created", new_mode=FOLDER),
        Change(f"{P}/out/in/b", "created", new_mode=FILE, size=20),
    ]
    found = {each.path: (each.files, each.size) for each in folded(changes)}
    assert found == {f"{P}/out": (2, 30), f"{P}/out-2": (1, 7)}
    assert "2 files, 30 bytes" in text(*changes)


def test_a_changed_text_is_shown_with_its_lines():
    said = text(Change(f"{P}/a", "changed", FILE, FILE, before=b"one\ntwo\n", after=b"one\n2\n"))
    assert "+1 -1" in said
    assert "    -two\n    +2" in said


@pytest.mark.parametrize(
    ("before", "after"), [(b"\xff", b"x"), (b"\0", b"x"), (None, b"x"), (b"x\n" * 5000, b"")]
)
def test_no_diff_of_what_is_no_text_or_too_long(before, after):
    assert diff(Change("/a", "changed", FILE, FILE, before=before, after=after), "a") == []


def test_no_diff_of_a_file_that_holds_secrets():
    said = text(Change(f"{P}/.env", "changed", FILE, FILE, before=b"A=plain\n", after=b"A=other\n"))
    assert ".env" in said
    assert "plain" not in said


def test_links_modes_pipes_and_programs_are_named():
    said = text(
        Change(f"{P}/l", "created", new_mode=LINK, after=b"over/there"),
        Change(f"{P}/m", "mode", FILE, stat.S_IFREG | 0o755),
        Change(f"{P}/f", "created", new_mode=stat.S_IFIFO | 0o644),
        Change(f"{P}/x", "created", new_mode=stat.S_IFREG | 0o755, size=3),
        Change(f"{P}/c", "changed", FILE, stat.S_IFREG | 0o600, size=9),
    )
    for each in (
        "link to over/there",
        "644 -> 755",
        "pipe",
        "3 bytes, executable",
        "permissions 644 -> 600",
    ):
        assert each in said


def test_branches_are_shown_by_name_and_objects_counted():
    git = f"{P}/.git"
    said = text(
        Change(f"{git}/refs/heads/main", "changed", FILE, FILE, before=b"a" * 40, after=b"b" * 40),
        Change(
            f"{git}/HEAD",
            "changed",
            FILE,
            FILE,
            before=b"ref: refs/heads/main\n",
            after=b"ref: refs/heads/x\n",
        ),
        Change(f"{git}/refs/heads/x", "deleted", FILE, before=b"c" * 40),
        Change(f"{git}/objects/ab", "created", new_mode=FOLDER),
        Change(f"{git}/objects/ab/cd", "created", new_mode=FILE),
        Change(f"{git}/hooks/pre-commit", "created", new_mode=FILE, size=1),
        Change(f"{git}/index", "changed", FILE, FILE),
        Change(f"{git}/logs/HEAD", "changed", FILE, FILE),
    )
    for each in (
        "aaaaaaaaaa -> bbbbbbbbbb",
        "main -> x",
        "-> deleted",
        "1 object\n",
        "hooks/pre-commit",
        "the index",
    ):
        assert each in said
    assert "logs" not in said


def test_repositories_elsewhere_are_listed():
    one = Change("/q/.git/config", "changed", FILE, FILE, size=2)
    result = Rehearsed(0, "", 0.1)
    assert "In repositories (1)" in "\n".join(Shown("x", result, [one], Surroundings("/p")).lines())


def test_a_home_in_a_temporary_folder_is_not_temporary():
    around = Surroundings("/tmp/u/p", temporary=("/tmp",), home="/tmp/u")
    assert [where(each, around) for each in ("/tmp/u/x", "/tmp/x")] == ["outside", "temporary"]
    assert where("/tmp/x", around._replace(home="/tmp")) == "temporary"


def test_what_it_wanted_left_and_could_not_see_is_listed():
    said = text(
        Change("/tmp/x", "created", new_mode=FILE),
        Change(f"{HOME}/.npmrc", "mode", FILE, stat.S_IFREG | 0o600),
        network=("a.example:443",),
        left=("node server.js",),
        unseen=("/mnt/other",),
    )
    for each in (
        "a.example:443",
        "node server.js",
        "/mnt/other",
        "Temporary files left: 1",
        "~/.npmrc",
        "permissions",
    ):
        assert each in said


@pytest.mark.parametrize("cut", ["time", "memory", "processes", "disk"])
def test_a_limit_is_said(cut):
    assert "Incomplete: it" in text(cut=cut, code=None)


def test_more_changes_than_are_looked_at_are_said():
    assert "more files than are looked at" in "\n".join(
        rehearsed()._replace(is_whole=False).lines()
    )


def test_long_lists_diffs_and_outputs_are_cut_with_a_word():
    old = "".join(f"{n}\n" for n in range(50)).encode()
    changes = [Change(f"{P}/{n}", "changed", FILE, FILE, before=old, after=b"") for n in range(9)]
    said = text(
        *changes, output="line\n" * 50, bounds=Bounds(names=3, diff=20, of_one_diff=8, output=6)
    )
    for each in ("and 6 more", "lines more", "… 44 lines …"):
        assert each in said
    assert max(map(columns, said.splitlines())) <= 80


def test_nothing_drives_the_terminal_and_secrets_are_hidden():
    token = "ghp_" + "kQ7rW2mXz9TbL4vNc8YdHs3JfGp6AeUo5iK1"
    seen = rehearsed(
        Change(f"{P}/\x1b[2J", "created", new_mode=FILE),
        Change(f"{P}/t", "changed", FILE, FILE, before=b"", after=f"token={token}\n".encode()),
        output=f"\x1b]0;x\x07 {token} my-value",
        network=("a\x1b.example",),
    )._replace(secrets=("my-value",))
    for said in ("\n".join(seen.lines()), json.dumps(seen.as_data(), ensure_ascii=False)):
        assert "\x1b" not in said
        assert token not in said
        assert "my-value" not in said


def test_the_data_has_everything():
    data = rehearsed(
        Change(f"{P}/a", "changed", FILE, FILE, size=2, before=b"1\n", after=b"2\n"),
        Change("/dev/x", "created", new_mode=stat.S_IFBLK),
        code=3,
    ).as_data()
    assert data["exit_code"] == 3
    assert [
        (each["path"], each["what"], each["where"], each["kind"]) for each in data["changes"]
    ] == [
        ("a", "changed", "project", "file"),
        ("/dev/x", "created", "outside", "device"),
    ]
    assert "+2" in data["changes"][0]["diff"]
