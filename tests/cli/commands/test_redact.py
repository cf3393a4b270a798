"""``edge redact``: secrets out of a stream, and where they are, without ever showing one."""

import io
import json
import os
import sys

import pytest

from operators_edge.cli.main import main

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
TOKEN = TOKEN[:40]
TEXT = f"hello\ntoken {TOKEN} end\nall is well\n"


@pytest.fixture
def redact(tmp_path, monkeypatch, capsysbinary):
    """The command in an ordinary folder: exit code, what it printed, what it printed as errors."""
    monkeypatch.chdir(tmp_path)

    def run(*words, given=b""):
        data = given if isinstance(given, bytes) else given.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        code = main(["redact", *words])
        done = capsysbinary.readouterr()
        return code, done.out, done.err

    return run


def test_it_is_a_filter_that_changes_nothing_but_secrets(redact, tmp_path):
    (tmp_path / "a.log").write_text(TEXT)
    wanted = b"hello\ntoken [REDACTED:github] end\nall is well\n"
    assert redact(given=TEXT) == (0, wanted, b"")
    assert redact("a.log") == (0, wanted, b"")
    assert redact("-", "a.log", given=TEXT) == (0, wanted * 2, b"")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
def test_the_text_stays_in_its_encoding(redact, encoding):
    code, out, _ = redact(given=f"ü {TEXT} ✓".encode(encoding))
    assert code == 0
    assert TOKEN not in out.decode(encoding)
    assert out.decode(encoding) == f"ü {TEXT} ✓".replace(TOKEN, "[REDACTED:github]")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe\x00",
        b"a\xffb\x00c\r\nd",
        bytes(range(256)) * 300,
        "ä".encode("latin-1"),
        b"\xc3",
    ],
)
def test_bytes_that_are_no_text_survive(redact, data):
    assert redact(given=data)[1] == data


def test_a_secret_is_found_wherever_a_long_stream_is_cut(redact):
    for at in range(0, 300_000, 29_989):
        text = ("x y\n" * 100_000)[:at] + f" {TOKEN} " + "z " * 200_000
        code, out, _ = redact(given=text)
        assert code == 0
        assert out.decode() == text.replace(TOKEN, "[REDACTED:github]")


def test_it_says_where_a_secret_is_what_and_why_and_never_shows_it(redact, tmp_path):
    (tmp_path / "a.log").write_text(TEXT)
    code, out, _ = redact("--explain", "a.log")
    assert (code, out.decode().splitlines()) == (
        0,
        ["2:7: github: it has the form of one", "1 secret"],
    )
    code, out, _ = redact("--explain", "a.log", "-", given=TEXT)
    assert out.decode().splitlines()[1] == "-:2:7: github: it has the form of one"
    code, out, _ = redact("--json", "a.log")
    said = json.loads(out)
    assert said["data"]["found"] == [
        {"file": "a.log", "line": 2, "column": 7, "kind": "github", "why": "format"}
    ]
    assert said["data"]["text"] == TEXT.replace(TOKEN, "[REDACTED:github]")
    code, out, _ = redact("--json", "--explain", "a.log")
    assert "text" not in json.loads(out)["data"]


def test_the_check_answers_with_its_exit_code(redact):
    assert redact("--check", given=TEXT)[0] == 1
    assert redact("--check", given="fine\n") == (0, b"No secret was found.\n", b"")
    assert json.loads(redact("--check", "--json", given=TEXT)[1])["ok"] is False


def test_lines_are_counted_across_blocks(redact):
    text = "line of text\n" * 50_000 + TEXT
    assert redact("--check", given=text)[1].decode().startswith("50002:7: github")


def test_many_findings_are_counted_and_the_first_listed(redact):
    code, out, _ = redact("--explain", given=f"{TOKEN}\n" * 1_200)
    lines = out.decode().splitlines()
    assert (code, len(lines), lines[-2:]) == (0, 1_002, ["and 200 more", "1200 secrets"])


def test_a_file_that_cannot_be_read_is_no_file_without_secrets(redact, tmp_path):
    code, out, said = redact("--check", "gone.log")
    assert (code, out) == (64, b"")
    assert b"gone.log cannot be read" in said
    assert redact(str(tmp_path))[0] == 64
    (tmp_path / "a.log").write_text(TEXT)
    assert redact("a.log", "gone.log")[:2] == (64, b""), "nothing is printed before all are opened"


def test_what_is_known_on_this_machine_is_hidden_without_any_project(redact, monkeypatch):
    monkeypatch.setenv("SOME_API_TOKEN", "plain-word-99")
    assert redact(given="say plain-word-99 now")[1] == b"say [REDACTED] now"
    assert (
        b"a value that is secret on this machine" in redact("--explain", given="plain-word-99")[1]
    )


def test_it_works_where_no_home_folder_can_be_used(redact, monkeypatch):
    for home in ("/dev/null", ""):
        monkeypatch.setenv("HOME", home)
        monkeypatch.delenv("XDG_STATE_HOME", raising=False)
        monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
        assert redact(given=TEXT) == (0, TEXT.replace(TOKEN, "[REDACTED:github]").encode(), b"")


def test_the_patterns_of_the_project_count(redact, tmp_path):
    os.mkdir(tmp_path / ".git")
    (tmp_path / "edge.toml").write_text('[redaction]\npatterns = ["acme-[0-9]+"]\n')
    code, out, _ = redact("--check", given="an acme-77 there")
    assert (code, out.splitlines()[0]) == (1, b"1:4: secret: a pattern of your configuration")


# end of module
