"""Files in ``reports/``: each has a name of its own, and nothing is written outside of the project."""

from datetime import UTC, datetime

import pytest

from operators_edge.errors import StateError
from operators_edge.reports import output_store

AT = datetime(2026, 11, 23, 8, 5, 9, tzinfo=UTC)


def test_a_taken_name_gets_the_time_and_then_a_number(tmp_path):
    names = [
        output_store.write_new(str(tmp_path), "proof", ".html", b"%d" % n, AT) for n in range(4)
    ]
    assert names == [
        "reports/proof_2026-11-23.html",
        "reports/proof_2026-11-23_080509.html",
        "reports/proof_2026-11-23_080509_2.html",
        "reports/proof_2026-11-23_080509_3.html",
    ]
    assert [(tmp_path / name).read_bytes() for name in names] == [b"0", b"1", b"2", b"3"]
    assert (tmp_path / names[0]).stat().st_mode & 0o777 == 0o600
    assert len(list((tmp_path / "reports").iterdir())) == 4  # no temporary file stays


def test_a_name_that_is_a_link_is_taken(tmp_path):
    target = tmp_path / "mine.md"
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "edge_digest_2026-11-23.md").symlink_to(target)
    name = output_store.write_new(str(tmp_path), "edge_digest", ".md", b"new", AT)
    assert name == "reports/edge_digest_2026-11-23_080509.md"
    assert not target.exists()


def test_a_folder_that_leads_out_of_the_project_is_refused(tmp_path):
    root, outside = tmp_path / "project", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (root / "reports").symlink_to(outside)
    with pytest.raises(StateError, match="leads out of the project"):
        output_store.write_new(str(root), "proof", ".html", b"x", AT)
    assert list(outside.iterdir()) == []


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "reports").write_text("mine")
    with pytest.raises(StateError, match="is not a folder"):
        output_store.write_new(str(tmp_path), "proof", ".html", b"x", AT)
