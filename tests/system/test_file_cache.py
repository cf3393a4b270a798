import json
import os
import time

import pytest

from operators_edge.system import file_cache


@pytest.fixture
def path(tmp_path):
    """A file that was written a while ago."""
    path = str(tmp_path / "file.json")
    write(path, [1], age=60)
    return path


def write(path, value, age=0.0):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file)
    then = time.time() - age
    os.utime(path, (then, then))


def test_a_file_is_parsed_once_for_each_version(path):
    first = file_cache.read_cached(path, json.loads)
    assert file_cache.read_cached(path, json.loads) is first
    write(path, [2], age=60)
    assert file_cache.read_cached(path, json.loads) == [2]


def test_a_version_with_the_size_and_time_of_the_last_one_is_seen(path):
    then = os.stat(path).st_mtime_ns
    assert file_cache.read_cached(path, json.loads) == [1]
    write(path, [2])
    os.utime(path, ns=(then, then))
    assert file_cache.read_cached(path, json.loads) == [2]


@pytest.mark.parametrize("age", [0, -3600], ids=["just now", "tomorrow"])
def test_a_file_that_could_still_change_unseen_is_read_each_time(path, age):
    write(path, [3], age=age)
    first = file_cache.read_cached(path, json.loads)
    assert file_cache.read_cached(path, json.loads) is not first


def test_a_file_that_is_gone_or_damaged_is_told_each_time_and_then_read_anew(path):
    file_cache.read_cached(path, json.loads)
    os.unlink(path)
    for _ in range(2):
        with pytest.raises(FileNotFoundError):
            file_cache.read_cached(path, json.loads)
    with open(path, "w", encoding="utf-8") as file:
        file.write("[")
    os.utime(path, (1e9, 1e9))
    for _ in range(2):
        with pytest.raises(ValueError, match="Expecting"):
            file_cache.read_cached(path, json.loads)
    write(path, [4], age=60)
    assert file_cache.read_cached(path, json.loads) == [4]


def test_large_files_are_not_kept_and_neither_are_many(path, tmp_path):
    write(path, ["x" * file_cache._MAX_BYTES], age=60)
    assert file_cache.read_cached(path, json.loads) is not file_cache.read_cached(path, json.loads)
    for number in range(file_cache._MAX_FILES + 2):
        each = str(tmp_path / f"{number}.json")
        write(each, [number], age=60)
        file_cache.read_cached(each, json.loads)
    assert len(file_cache._entries) <= file_cache._MAX_FILES


@pytest.mark.skipif(os.name != "posix", reason="files that are none")
@pytest.mark.parametrize("target", [None, "/dev/zero", "/dev/null"])
def test_what_is_no_ordinary_file_is_not_waited_for(path, target):
    file_cache.read_cached(path, json.loads)
    os.unlink(path)
    if target:
        os.symlink(target, path)
    else:
        os.mkfifo(path)
    with pytest.raises(OSError, match="not an ordinary file"):
        file_cache.read_cached(path, json.loads)


def test_a_folder_in_a_files_place_is_called_one(path):
    os.unlink(path)
    os.mkdir(path)
    with pytest.raises(OSError, match=r"directory|denied"):
        file_cache.read_cached(path, json.loads)
