import json
from html.parser import HTMLParser

import pytest

from operators_edge.reports import html

HOSTILE = (
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "{{ 7 * 7 }}",
    "\x1b]52;c;aGk=\x07\x1b[2J",
    "safe\u202egpj.exe\u2066",
    "zero\u200bwidth\ufeff",
    "lone \ud800 byte \udcff",
    "nul\x00\x08\x7f",
    "<!-- ",
    "]]>&amp;&#x3c;",
)


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.said = [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, sorted(name for name, _ in attrs)))

    def handle_data(self, data):
        self.said += data


def parsed(text):
    found = Tags()
    found.feed(text)
    return found


def page(text):
    """Every part with the text in it."""
    return html.together(
        html.tag("p", text, [text, None], title=text, data_x=text),
        html.text(text),
        html.text(text * 500),
        html.code(text),
        html.badge(text, text),
        html.when(text),
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_adds_no_tag_no_attribute_and_no_character_that_is_not_seen(text):
    found, plain = parsed(page(text)), parsed(page("x" * len(text)))
    assert found.tags == plain.tags
    assert all(char.isprintable() or char == "\n" for char in found.said)
    page(text).encode("utf-8")


def test_what_is_not_seen_is_shown_as_an_escape():
    assert html.tag("p", "a\x1b[2J\u202eb\ud800") == "<p>a\\x1b[2J\\u202eb\\ud800</p>"


def test_line_ends_and_tabs_stay():
    assert html.together("a\r\nb\tc\rd") == "a\nb\tc\\rd"


def test_an_element_has_children_and_attributes_in_their_order():
    made = html.tag(
        "a", "x", [1, [None, html.tag("br")]], href="#e1", class_="b", hidden=True, id=None
    )
    assert made == '<a href="#e1" class="b" hidden>x1<br></a>'


@pytest.mark.parametrize(
    "attributes",
    [
        {"onclick": "x"},
        {"style": "x"},
        {"srcdoc": "x"},
        {"href": "javascript:alert(1)"},
        {"href": "//example.org"},
        {"href": "/\\example.org"},
        {"src": "https://example.org/x.js"},
        {"formaction": "data:text/html,x"},
        {"x onclick": "1"},
    ],
)
def test_an_attribute_that_could_run_or_load_something_is_refused(attributes):
    with pytest.raises(ValueError, match=r"could run|leads elsewhere|is no name"):
        html.tag("a", **attributes)


@pytest.mark.parametrize("name", ["script src=x", "p>", "", "P"])
def test_a_name_of_an_element_is_no_text_of_others(name):
    with pytest.raises(ValueError, match="is no name"):
        html.tag(name)


def test_a_script_holds_only_code_of_the_product_and_data():
    with pytest.raises(ValueError, match="cannot stand in"):
        html.tag("script", "alert(1)")
    with pytest.raises(ValueError, match="would end its element"):
        html.code_of("x = '</SCRIPT>'")
    assert html.tag("script", html.code_of("a < b")) == "<script>a < b</script>"


def test_a_long_text_is_behind_a_switch_and_bounded():
    found = html.text("word " * 200_000)
    assert found.startswith('<details class="long">')
    assert "900000 characters more are not on this page" in found
    assert len(found) < 2 * html.MAX_CHARACTERS


def test_a_short_text_has_no_switch():
    assert html.text("a") == "<bdi>a</bdi>"


def test_a_document_says_its_language_and_theme():
    made = html.document(language="en", head=html.tag("title", "<t>"), body=html.tag("body", "x"))
    assert made.startswith('<!doctype html>\n<html lang="en"><head><title>&lt;t&gt;</title></head>')


@pytest.mark.parametrize("text", HOSTILE)
def test_data_for_a_script_cannot_end_it_and_is_what_was_given(text):
    made = html.data({"a": [text]})
    assert not set(made) & set("<>&\u2028\u2029")
    assert json.loads(made) == {"a": [text]}
    assert made.isprintable()
