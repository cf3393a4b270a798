"""The pages of the site: links lead somewhere, the navigation is complete, the reference has it all."""

import contextlib
import json
import re
import shlex
import tomllib

import pytest

from operators_edge.cli.parsers import parser_of
from operators_edge.errors import UsageError
from operators_edge.gate.rules import read_packs
from operators_edge.reports.entries import EVENTS
from tests import lint_words
from tests.reference import markdown, records, rules, settings, site
from tests.tables import for_each

PAGES = site.pages()
README = (site.ROOT / "README.md").read_text("utf-8")
CONFIG = tomllib.loads(site.CONFIG.read_text("utf-8"))["project"]


def named(nav):
    for each in nav:
        for to in each.values() if isinstance(each, dict) else [each]:
            yield from named(to) if isinstance(to, list) else [to]


def slug(heading):
    """The anchor of a heading, as the site makes it."""
    own = re.search(r"\{ #([\w-]+) \}$", heading)
    text = re.sub(r"\]\([^)]*\)|[`*\[\]]", "", heading)
    return own[1] if own else re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", text).strip().lower())


def dead_links(pages, files=()):
    """Each link of a page that leads to no page, file or heading."""
    anchors = {
        path: {slug(each) for each in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}
        for path, text in pages.items()
    }
    for path, text in pages.items():
        prose = re.sub(r"^(`{3,}).*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)
        prose = re.sub(r"`[^`\n]*`", "", prose)
        for to in re.findall(r"\]\((?!https?:|mailto:)([^)\s]+)\)", prose):
            page, _, anchor = to.partition("#")
            parts = path.split("/")[:-1] if page else path.split("/")
            for part in filter(None, page.split("/")):
                parts = parts[:-1] if part == ".." else [*parts, part]
            target = "/".join(parts)
            if target not in files and (
                target not in pages or (anchor and anchor not in anchors[target])
            ):
                yield f"{path}: {to}"


FILES = {path.relative_to(site.DOCS).as_posix() for path in site.DOCS.rglob("*.*")}


def test_every_link_of_the_site_leads_to_a_page_and_a_heading():
    assert list(dead_links(PAGES, FILES)) == []


def test_a_dead_link_would_be_noticed():
    page = "# One\n\n[a](two.md) [b](#one) [c](#three) `[d](e.md)`\n\n```\n[f](g.md)\n```\n"
    assert list(dead_links({"x/one.md": page})) == ["x/one.md: two.md", "x/one.md: #three"]
    assert list(dead_links({"x/one.md": page, "x/two.md": ""})) == ["x/one.md: #three"]


def test_every_page_is_in_the_navigation_once():
    listed = list(named(site.filled(CONFIG["nav"], sorted(PAGES))))
    assert sorted(listed) == sorted(PAGES)


def test_code_in_a_table_shows_a_pipe_without_the_backslash_that_the_source_needs():
    assert "`{-n\\|--name}`" in (site.DOCS / "approvals.md").read_text("utf-8")
    assert "`{-n|--name}`" in PAGES["approvals.md"]
    assert not any(re.search(r"(?m)^\|.*`[^`\n]*\\\|", text) for text in PAGES.values())


def test_no_page_and_no_setting_loads_anything_from_elsewhere():
    for path, text in PAGES.items():
        assert not re.search(r"!\[[^\]]*\]\(https?:|<(?:img|script|link)[^>]*https?:", text), path
    assert CONFIG["theme"]["font"] is False
    assert "://" not in json.dumps({key: CONFIG[key] for key in ("extra", "extra_css", "theme")})


def typed(text):
    """The words after ``edge`` of each command line in a page's blocks for a shell."""
    for block in re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("edge ") and "…" not in line:
                yield shlex.split(re.split(r" [|>] | \(", line)[0], comments=True)[1:]


WRITTEN = {path: text for path, text in PAGES.items() if not path.startswith("reference/")}
COMMANDS = [words for text in (*WRITTEN.values(), README) for words in typed(text)]


@for_each("words", COMMANDS, ids=" ".join)
def test_a_command_in_a_page_is_one_that_edge_takes(words):
    with contextlib.suppress(SystemExit):  # of --version
        assert parser_of(words).parse_args(words).run


def test_a_command_that_edge_does_not_take_would_be_noticed():
    assert len(COMMANDS) > 60
    (words,) = typed("```sh\nedge aprove 7   # now\nls\n```\n`edge x`\n")
    with pytest.raises(UsageError):
        parser_of(words).parse_args(words)


def test_no_generated_page_has_a_retired_word():
    words = lint_words.Words((site.ROOT / lint_words.TABLE).read_text("utf-8"))
    hits = {path: list(words.in_prose(text)) for path, text in site.reference().items()}
    assert {path: found for path, found in hits.items() if found} == {}


def test_no_generated_page_is_kept_in_the_repository():
    assert not (site.DOCS / "reference").exists()


def test_every_rule_is_on_its_pack_s_page_with_its_examples():
    overview = PAGES[f"{rules.FOLDER}/index.md"]
    for pack in read_packs().values():
        for rule in pack.get("rule", ()):
            page = PAGES[f"{rules.FOLDER}/{pack['pack']['name']}.md"]
            assert f"{{ #{rule['id']} }}" in page
            assert all(each in page for each in (*rule["match"], *rule["no_match"]))
            assert f"#{rule['id']})" in overview


def test_every_event_and_error_is_on_its_page():
    assert all(f"| `{name}` |" in PAGES["reference/events.md"] for name in EVENTS)
    codes = [each.code for each in records.errors()]
    assert all(f"| `{code}` |" in PAGES["reference/errors.md"] for code in codes)
    assert set(records.MEANINGS) <= set(codes)


def test_the_schema_of_an_answer_names_every_code_of_an_error():
    (path,) = (each for each in records.schemas() if each.stem == "cli-answer")
    error = json.loads(path.read_text("utf-8"))["oneOf"][1]["properties"]["error"]
    assert error["properties"]["code"]["enum"] == [each.code for each in records.errors()]


@pytest.mark.parametrize("path", records.schemas(), ids=lambda path: path.stem)
def test_every_key_of_a_schema_is_on_its_page(path):
    schema = json.loads(path.read_text("utf-8"))
    page = PAGES[f"reference/schemas/{path.stem}.md"]
    for each in schema.get("oneOf", [schema]):
        assert all(f"| `{key}` |" in page for key in set(each["properties"]) - {"event"})


def test_every_configuration_key_has_a_type_and_a_meaning():
    page = PAGES[settings.PATH]
    assert "| `min_operands` | number |" in page
    assert re.search(r"^\| `env` \| table: pattern to pattern \| .{20}", page, re.MULTILINE)
    assert "| |" not in page


def test_texts_of_the_code_are_shown_as_they_are():
    assert markdown.plain("a *b* <c> `d|*e*` x|y") == r"a \*b\* \<c\> `d|*e*` x\|y"
    assert markdown.code("a `b`") == "`` a `b` ``"
    assert markdown.block(["```"]).startswith("````text\n```\n````")
    assert markdown.table(("a",), [("`x|y`",), (r"p\|q",)]).splitlines()[2:] == [
        r"| `x\|y` |",
        r"| p\|q |",
    ]
    assert markdown.table(("a",), []) == ""
