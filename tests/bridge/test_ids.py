"""Task ids: safe as names of files, locks and branches."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given, strategies as st
from tests.properties import examples
from tests.tables import for_each

from operators_edge.bridge.ids import problem_with, safe_stem


@pytest.mark.parametrize("ident", ["2026-01-02_01_fix", "a", "A.b-c_d", "x" * 100, "1.2.3"])
def test_an_ordinary_id_is_taken(ident):
    assert problem_with(ident) == ""
    assert safe_stem(ident) == ident


@for_each(
    "ident",
    [
        *("", ".", "..", "a..b", ".hidden", "-rf", "_x", "a/b", "a\\b", "a b", "a\n", "a\0", "é"),
        *("a.", "a.lock", "a.LOCK", "a.attempt-2", "a.Attempt-12", "con", "NUL.x", "com1"),
        *("x" * 101, "a." + "b" * 200, "__worker__", "a:b", "a*", "a@{1}"),
    ],
)
def test_an_id_that_is_no_safe_name_is_refused_and_its_result_gets_another(ident):
    assert problem_with(ident)
    stem = safe_stem(ident)
    assert problem_with(stem) == ""
    assert stem == safe_stem(ident) != ident


@given(st.from_regex(r"[A-Za-z0-9._/@{~^:-]{1,12}", fullmatch=True))
@examples(40)
def test_what_is_taken_git_takes_as_a_branch(ident):
    if problem_with(ident) == "":
        words = ["git", "check-ref-format", "--branch", f"feat/ai/{ident}"]
        assert subprocess.run(words, capture_output=True, check=False).returncode == 0
