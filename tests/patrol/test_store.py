"""The facts of a file are trusted for that version of it only, and only if we wrote them."""

import os
import zlib
from datetime import UTC, datetime, timedelta

import pytest
from tests.hosting import write

from operators_edge.patrol import store as patrol_store
from operators_edge.patrol.store import AnalysisCache
from operators_edge.storage import keys

TOLD = {"lines": 3, "markers": [[1, "TODO", "rest"]], "functions": [["f", 2, 1]], "inline": False}


def later():
    """As if the files that are written now had been there for a while."""
    return datetime.now(UTC) + timedelta(seconds=60)


def opened(root, version="1", **more):
    return AnalysisCache(root, version, **{"clock": later, **more})


def path_of(root):
    return os.path.join(root, ".proof", "cache", "patrol")


@pytest.fixture
def root(tmp_path, fenced):
    write(str(tmp_path), "a.py", "# TODO: rest\n")
    return str(tmp_path)


@pytest.fixture
def kept(root):
    one = opened(root)
    one.add("a.py", one.stamp("a.py"), TOLD)
    one.save(["a.py"])
    return root


def facts_of(root, name="a.py", **more):
    one = opened(root, **more)
    return one.facts(name, one.stamp(name))


def test_the_facts_of_a_file_are_read_back(kept):
    assert facts_of(kept) == TOLD


def test_a_file_of_the_same_size_and_time_but_other_content_is_another(kept):
    path = os.path.join(kept, "a.py")
    before = os.stat(path)
    write(kept, "a.py", "# TODO: work\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert os.stat(path).st_size == before.st_size
    assert facts_of(kept) is None


def test_another_question_about_the_same_file_has_another_answer(kept):
    one = opened(kept)
    assert one.facts("a.py", one.stamp("a.py", "test")) is None


def test_a_file_that_was_written_just_now_is_not_kept(root):
    one = opened(root, clock=lambda: datetime.now(UTC))
    assert one.stamp("a.py") == ""
    one.add("a.py", "", TOLD)
    one.save(["a.py"])
    assert not os.path.exists(path_of(root))


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: os.symlink("a.py", path)])
def test_only_a_regular_file_has_a_stamp(root, make):
    make(os.path.join(root, "b"))
    assert [opened(root).stamp(name) for name in ("b", "gone")] == ["", ""]


def test_other_analysers_and_other_projects_do_not_use_it(kept, tmp_path):
    assert facts_of(kept, version="2") is None
    copy = tmp_path / "copy"
    os.makedirs(copy / ".proof" / "cache")
    os.link(path_of(kept), copy / ".proof" / "cache" / "patrol")
    os.link(os.path.join(kept, "a.py"), copy / "a.py")
    assert facts_of(str(copy)) is None


@pytest.mark.parametrize("at", [0, 70, -1])
def test_a_damaged_file_is_ignored_and_written_again(kept, at):
    with open(path_of(kept), "r+b") as file:
        data = bytearray(file.read())
        data[at] ^= 1
        file.seek(0)
        file.write(data)
    one = opened(kept)
    assert one.facts("a.py", one.stamp("a.py")) is None
    one.add("a.py", one.stamp("a.py"), TOLD)
    one.save(["a.py"])
    assert facts_of(kept) == TOLD


@pytest.mark.parametrize("data", [b"", b"\n", b"\xff\n\xff", b"x" * 1000])
def test_any_other_content_is_ignored(kept, data):
    with open(path_of(kept), "wb") as file:
        file.write(data)
    assert facts_of(kept) is None


def test_answers_that_a_repository_brings_are_not_believed(kept):
    one = opened(kept)
    row = f'"a.py"\t{one.stamp("a.py")}\t{{"lines": 1}}'
    body = zlib.compress(f"1\n{row}".encode())
    with open(path_of(kept), "wb") as file:
        file.write(f"{keys.seal('guessed')}\n".encode() + body)
    assert facts_of(kept) is None


def test_an_answer_that_holds_a_secret_is_not_kept(root):
    one = opened(root)
    secret = "ghp_" + "aB3dE5fG7hJ9kL1m" * 2 + "abcd"
    for number, text in enumerate((secret, "plain-looking-value")):
        name = f"{number}.py"
        write(root, name, "x")
        one.add(name, one.stamp(name), {"words": [text]}, secrets=["plain-looking-value"])
    one.save(["0.py", "1.py"])
    assert facts_of(root, "0.py") is None
    assert facts_of(root, "1.py") is None


def test_of_files_that_are_gone_nothing_is_kept(kept):
    one = opened(kept)
    one.save([])
    assert facts_of(kept) is None


def test_the_file_is_bounded_and_what_comes_first_is_kept(root, monkeypatch):
    monkeypatch.setattr(patrol_store, "MAX_BYTES", 1000)
    one = opened(root)
    names = [f"{number}.py" for number in range(20)]
    for name in names:
        write(root, name, "x")
        one.add(name, one.stamp(name), TOLD)
    one.save(names)
    known = [name for name in names if facts_of(root, name)]
    assert known == names[: len(known)]
    assert 3 < len(known) < 10


def test_the_scan_continues_if_nothing_can_be_written(kept):
    os.unlink(path_of(kept))
    os.rmdir(os.path.dirname(path_of(kept)))
    write(kept, ".proof/cache", "in the way")
    one = opened(kept)
    one.add("a.py", one.stamp("a.py"), TOLD)
    one.save(["a.py"])
    assert facts_of(kept) is None


def test_a_name_that_is_not_utf8_or_has_newlines_is_stored(root):
    one = opened(root)
    names = ["\udcff.py", "a\nb\t.py"]
    for name in names:
        write(root, name, "x")
        one.add(name, one.stamp(name), {**TOLD, "lines": len(name)})
    one.save(names)
    assert [facts_of(root, name)["lines"] for name in names] == [4, 7]
