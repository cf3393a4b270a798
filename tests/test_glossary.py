"""The glossary: sorted, each term once with a sentence, and none ruled out by itself."""

import pathlib

PAGE = pathlib.Path(__file__).parent.parent / "docs" / "glossary.md"


def rows(page):
    lines = [line for line in page.splitlines() if line.startswith("| ")][1:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def problems(page):
    table = rows(page)
    terms = [row[0] for row in table]
    if terms != sorted(set(terms)):
        yield "not sorted, or twice"
    for term, meaning, _, others in table:
        if not meaning.endswith("."):
            yield f"{term}: no sentence"
        if term in others.split(", "):
            yield f"{term}: ruled out by itself"


def test_the_glossary_is_sorted_and_consistent():
    page = PAGE.read_text(encoding="utf-8")
    assert len(rows(page)) > 50
    assert list(problems(page)) == []


def test_a_wrong_row_would_be_noticed():
    head = "| term | what | key | not |\n|---|---|---|---|\n"
    assert list(problems(head + "| b | Second. | | x |\n| a | First. | | y |\n"))
    assert list(problems(head + "| a | First. | | a |\n"))
    assert list(problems(head + "| a | no stop | | b |\n"))
    assert not list(problems(head + "| a | First. | | b |\n| b | Second. | | |\n"))
