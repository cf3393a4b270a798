"""The requirements page and the ids that are cited: each has the other."""

import pathlib
import re

ROOT = pathlib.Path(__file__).parent.parent
PAGE = ROOT / "docs" / "requirements.md"
ID = re.compile(r"\b(?:BR|CL|DA|FL|GA|GE|HO|JU|LC|MC|ME|MO|PE|PR|QG|RE|SE|ST)-\d+\b")
CODE = ["src", "tests", "bench"]
PROSE = ["docs", "plugins", "README.md", "CONTRIBUTING.md", "SECURITY.md"]
TEXT = {".py", ".toml", ".md", ".json", ".jsonl", ".yaml"}


def texts(*tops):
    for top in tops:
        path = ROOT / top
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            if file.suffix in TEXT and file not in (PAGE, pathlib.Path(__file__)):
                yield str(file.relative_to(ROOT)), file.read_text(encoding="utf-8")


def listed(page):
    return re.findall(r"^### (\S+)$", page, re.MULTILINE)


def cited(named_texts):
    return {
        ident: f"{name}:{number}"
        for name, text in named_texts
        for number, line in enumerate(text.splitlines(), 1)
        for ident in ID.findall(line)
    }


def unknown(page, named_texts):
    known = set(listed(page))
    return {ident: at for ident, at in cited(named_texts).items() if ident not in known}


def dead(page, named_texts):
    return set(listed(page)) - set(cited(named_texts))


def test_every_cited_requirement_is_on_the_page():
    assert unknown(PAGE.read_text(encoding="utf-8"), texts(*CODE, *PROSE)) == {}


def test_every_requirement_on_the_page_is_cited_by_code():
    assert dead(PAGE.read_text(encoding="utf-8"), texts(*CODE)) == set()


def test_every_requirement_has_a_heading_of_its_own_and_a_text():
    page = PAGE.read_text(encoding="utf-8")
    idents = listed(page)
    assert len(idents) == len(set(idents))
    assert all(ID.fullmatch(ident) for ident in idents)
    for section in re.split(r"^### ", page, flags=re.MULTILINE)[1:]:
        assert len(section.splitlines()[2]) > 40, section


def test_requirements_named_within_the_page_are_on_it():
    page = PAGE.read_text(encoding="utf-8")
    assert set(ID.findall(page)) == set(listed(page))


def test_a_wrong_citation_and_a_dead_requirement_would_be_noticed():
    page = "### GA-1\n\nOne verdict.\n\n### ST-3\n\nNothing is lost.\n"
    code = [("src/gate.py", '"""Verdicts.\n\nOne each (GA-1), see GA-99.\n"""')]
    assert unknown(page, code) == {"GA-99": "src/gate.py:3"}
    assert dead(page, code) == {"ST-3"}
