"""The examples in the pages of ``docs/`` are run: each ```` ```pycon ```` block of a page, in its order."""

import doctest
import re
from pathlib import Path

import pytest

from tests.tables import for_each

DOCS = Path(__file__).parent.parent / "docs"
BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def failures(text, name="page"):
    """How many examples of a page do not print what it says; all blocks share their names."""
    blocks = BLOCK.findall(text)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name, name, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    return runner.run(test).failed


PAGES = sorted(path for path in DOCS.rglob("*.md") if BLOCK.search(path.read_text("utf-8")))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_s_examples_print_what_it_says(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert failures(path.read_text("utf-8"), path.name) == 0


def test_a_wrong_example_would_be_noticed(capsys):
    assert failures("```pycon\n>>> 1 + 1\n3\n```\n") == 1
    assert failures("```pycon\n>>> x = 2\n```\ntext\n```pycon\n>>> x\n2\n```\n") == 0
    assert "Expected" in capsys.readouterr().out


REPOSITORY = DOCS.parent
SOURCE = REPOSITORY / "src" / "operators_edge"
PATH = re.compile(r"`((?:[\w.*-]+/)+[\w.*-]*|[\w-]+\.(?:py|md|toml))`")
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
ALL = [REPOSITORY / "README.md", REPOSITORY / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]


def is_there(name):
    return any(True for place in (REPOSITORY, SOURCE) for _ in place.glob(name.rstrip("/")))


def test_every_file_that_the_architecture_page_names_is_there():
    text = (DOCS / "architecture.md").read_text("utf-8")
    named = set(PATH.findall(text)) - {"store.py", "facts.py", "service.py", "__init__.py"}
    assert len(named) > 50
    assert [name for name in sorted(named) if not is_there(name)] == []


DEFENCES = {"parsing", "binding", "containment", "the product"}


def test_every_promise_of_the_threat_model_names_a_test_that_is_there():
    text = (DOCS / "threat-model.md").read_text("utf-8")
    _, _, promises = text.partition("| by | shown by |\n|---|---|---|\n")
    defended = promises.partition("\n## ")[0].splitlines()
    rows = [line for line in defended if line.startswith("| ") and "| by | shown by |" not in line]
    assert len(rows) > 40
    for row in rows:
        named = [each for each in PATH.findall(row) if each.startswith("tests/")]
        assert named, row
        assert all(map(is_there, named)), row
        assert set(row.split(" | ")[1].split(", ")) <= DEFENCES, row


@for_each("path", ALL, ids=lambda path: path.name)
def test_every_link_of_a_page_leads_somewhere(path):
    broken = [to for to in LINK.findall(path.read_text("utf-8")) if not (path.parent / to).exists()]
    assert broken == []
