"""The lint on retired words, shown one of each kind; and the counts of what is left of them."""

import subprocess
import sys

import pytest

from tests import lint_words
from tests.tables import for_each

TABLE_FILE = lint_words.ROOT / lint_words.TABLE
TABLE = """
[modules]
capsule = "sessions.briefing"
[classes]
Ground = "CallContext"
[functions]
shown = "redacted_text"
[names]
ledger = "registry"
MOST = "MAX"
[phrases]
"without a word" = "silently"
"ledgers?" = "registry"
[public]
"ledger" = ["proof_ledger"]
"ledgers?" = ["proof ledger"]
[left]
"""


def hits(path, text, left=""):
    words = lint_words.Words(TABLE + left)
    return list(lint_words.problems(words, lint_words.found(words, [(path, text)])))


@for_each(
    ("source", "line", "word", "use"),
    [
        ("class Ground: ...", 1, "Ground", "CallContext"),
        ("\nclass _Ground: ...", 2, "_Ground", "CallContext"),
        ("def shown(): ...", 1, "shown", "redacted_text"),
        ("async def _shown(): ...", 1, "_shown", "redacted_text"),
        ("def f(ledger): ...", 1, "ledger", "registry"),
        ("old_ledger = 1", 1, "old_ledger", "registry"),
        ("self.ledger = 1", 1, "ledger", "registry"),
        ("class TheLedger: ...", 1, "TheLedger", "registry"),
        ("_MOST_BYTES = 1", 1, "_MOST_BYTES", "MAX"),
        ("from x import briefing as capsule", 1, "capsule", "sessions.briefing"),
        ('"""See ``sessions.capsule``."""', 1, "sessions.capsule", "sessions.briefing"),
        ('"""See (``capsule``)."""', 1, "capsule", "sessions.briefing"),
        ("# It ends without\n# a word.", 1, "without a word", "silently"),
        ('x = "first"\n"""It ends without\na word."""', 2, "without a word", "silently"),
        ('say("it ended without "\n    "a word")', 1, "without a word", "silently"),
        ('say(f"it ended {x} without a word")', 1, "without a word", "silently"),
    ],
)
def test_a_retired_word_in_code_is_named_with_its_line_and_the_standard_term(
    source, line, word, use
):
    found = hits("src/x.py", source)
    assert found == [f"src/x.py:{line}: retired: {word!r}; write: {use}"]


@pytest.mark.parametrize(
    "source",
    [
        "shown = 1",
        "most = 1",
        "almost = 1",
        "x = ground",
        'say("without", "a word")',
        'say("without {a} word")',
        'say(f"without {a} a {b} word")',
        '"""``edge log claims`` lists claims."""',
        "def run_proof_ledger(): ...",
        'def f(capsule):\n    """Of the ``capsule`` that is given."""',
    ],
)
def test_what_only_looks_like_a_retired_word_is_left_alone(source):
    assert hits("src/x.py", source) == []


def test_a_retired_name_of_a_module_is_found_in_paths_of_sources_and_of_their_tests():
    assert len(hits("src/sessions/capsule.py", "")) == 1
    assert len(hits("tests/sessions/test_capsule.py", "")) == 1
    assert hits("src/sessions/capsules.py", "") == []


def test_string_literals_of_tests_are_quotations_and_their_comments_are_not():
    assert hits("tests/test_x.py", 'assert said == "it ended without a word"') == []
    assert len(hits("tests/test_x.py", "# It ended without a word.")) == 1


def test_pages_and_packs_are_read_as_prose():
    assert len(hits("docs/x.md", "It ends\nwithout a word. See `sessions/capsule.py`.")) == 2
    assert len(hits("packs/x.toml", 'reason = "It deletes without a word."')) == 1
    assert hits("docs/x.md", "`capsule` is a key.") == []


def test_what_is_left_of_a_word_is_let_pass_until_there_is_one_more():
    left = '"phrases without a word" = 1\n'
    one, two = "Without a word.", "Without a word.\nAgain without a word."
    assert hits("docs/x.md", one, left) == []
    assert len(hits("docs/x.md", two, left)) == 2


def test_the_counts_are_those_of_today_at_first_and_only_fall_from_then_on():
    def lowered(table, text):
        words = lint_words.Words(table)
        return lint_words.lowered(table, lint_words.found(words, [("docs/x.md", text)]))

    two = lowered(TABLE, "Without a word, without a word, with a ledger.")
    assert lint_words.Words(two).left == {"phrases without a word": 2, "phrases ledgers?": 1}
    one = lowered(two, "Without a word.")
    assert lint_words.Words(one).left == {"phrases without a word": 1}
    assert lint_words.Words(lowered(one, "Without a word, without a word.")).left == (
        lint_words.Words(one).left
    )


def test_the_project_s_own_table_is_read_and_every_count_names_a_word_of_it():
    words = lint_words.Words(TABLE_FILE.read_text(encoding="utf-8"))
    for key in words.left:
        kind, word = key.split(" ", 1)
        assert word in words.tables[kind], key


def test_every_place_that_is_searched_is_there():
    places = [*lint_words.CODE, *lint_words.PROSE]
    assert [each for each in places if not (lint_words.ROOT / each).exists()] == []


def test_make_lint_runs_it_and_it_fails_with_the_place(tmp_path):
    makefile = (lint_words.ROOT / "Makefile").read_text(encoding="utf-8")
    assert "python -m tests.lint_words" in makefile
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "x.md").write_text("A pipe.\nIt is put aside.\n", encoding="utf-8")
    (tmp_path / "tests").mkdir()
    head, mark, _ = TABLE_FILE.read_text(encoding="utf-8").partition("[left]\n")
    (tmp_path / lint_words.TABLE).write_text(head + mark, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "tests.lint_words", "--root", tmp_path],
        cwd=lint_words.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1, run.stderr
    assert run.stdout.startswith("docs/x.md:2: retired: 'put aside'; write: ")
