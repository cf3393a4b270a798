import os
import subprocess

import pytest
from tests.hosting import write

from operators_edge.git import blobs


@pytest.mark.parametrize("form", ["sha1", "sha256"])
@pytest.mark.parametrize("text", ["", "x\n", "\r\nä\r\n" * 9000])
def test_a_value_is_gits_own_id_of_the_bytes_on_the_disk(tmp_path, form, text):
    root = str(tmp_path)
    subprocess.run(["git", "init", "-q", f"--object-format={form}", root], check=True)
    path = write(root, "a", text)
    words = ["git", "hash-object", "--no-filters", "a"]
    asked = subprocess.run(words, cwd=root, capture_output=True, text=True, check=True)
    assert blobs.content_id(path, form) == asked.stdout.strip()
    assert blobs.hash_name_of(blobs.content_id(path, form)) == form


def test_what_is_not_an_ordinary_file_is_marked(tmp_path):
    root = str(tmp_path)
    plain = blobs.content_id(write(root, "a", "b"), "sha1")
    os.chmod(os.path.join(root, "a"), 0o700)
    assert blobs.content_id(os.path.join(root, "a"), "sha1") == f"x:{plain}"
    os.symlink("b", os.path.join(root, "link"))
    assert blobs.content_id(os.path.join(root, "link"), "sha1") == f"l:{plain}"
    assert blobs.content_id(root, "sha1", nested=os.path.basename) == tmp_path.name
    assert blobs.content_id(root, "sha1") == ""
    assert blobs.content_id(os.path.join(root, "gone"), "sha1") == ""
    assert blobs.content_id(os.path.join(root, "a", "inside"), "sha1") == ""
    os.mkfifo(os.path.join(root, "pipe"))
    assert blobs.content_id(os.path.join(root, "pipe"), "sha1").startswith("?")


def test_the_mode_that_git_takes_it_for_counts_more_than_the_disks(tmp_path):
    path = write(str(tmp_path), "a", "b")
    plain = blobs.content_id(path, "sha1")
    assert blobs.content_id(path, "sha1", mode="100755") == f"x:{plain}"
    os.chmod(path, 0o700)
    assert blobs.content_id(path, "sha1", mode="100644") == plain


def test_committed_objects_have_the_same_ids():
    assert blobs.committed_id("100644", "1") == "1"
    assert blobs.committed_id("100755", "1") == "x:1"
    assert blobs.committed_id("000000", "0") == ""


def test_a_long_file_is_known_by_its_size_its_time_and_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr(blobs, "MAX_BYTES", 4 << 20)
    path = write(str(tmp_path), "a", "x" * (5 << 20))
    os.utime(path, (1, 1))
    known = blobs.content_id(path, "sha1")
    assert known.startswith("~")
    assert blobs.content_id(path, "sha1") == known
    os.utime(path, (2, 2))
    assert blobs.content_id(path, "sha1") != known
    with open(path, "r+b") as file:
        file.seek(5 << 19)
        file.write(b"y")
    os.utime(path, (1, 1))
    assert blobs.content_id(path, "sha1") != known


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_cannot_be_read_is_no_missing_one(tmp_path):
    path = write(str(tmp_path), "a", "b")
    os.chmod(path, 0)
    assert blobs.content_id(path, "sha1").startswith("?")
