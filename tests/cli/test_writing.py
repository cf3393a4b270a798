"""What the commands that write have in common."""

import io
import sys

import pytest

from operators_edge.cli import writing
from operators_edge.cli.command import Args
from operators_edge.errors import UsageError


def given(path, *, most=10, **args):
    return writing.given(Args(**args), path, most=most, what="the answer", hint="h")


def test_a_text_comes_from_a_file_or_from_what_is_piped_in(tmp_path, monkeypatch):
    path = tmp_path / "a.md"
    path.write_bytes("\ufeffgrün".encode())
    assert given(str(path)) == "grün"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"piped")))
    assert given("-") == "piped"


@pytest.mark.parametrize(
    ("data", "why"), [(b"12345678901", "larger than 10 bytes"), (b"\xff", "is not UTF-8")]
)
def test_what_is_too_much_or_no_text_is_said(tmp_path, data, why):
    path = tmp_path / "a.md"
    path.write_bytes(data)
    with pytest.raises(UsageError, match=why):
        given(str(path))
    with pytest.raises(UsageError, match="could not be read"):
        given(str(tmp_path))


def test_a_typed_line_takes_nothing_from_the_hosts_own_stdin(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(UsageError, match="nothing is piped into a typed line"):
        given("-", asking="session")
