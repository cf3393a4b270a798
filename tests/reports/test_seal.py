import pytest

from operators_edge.reports import html, seal

MANIFEST = seal.Manifest("1.0", "shop", "2026-03-01", 1, 9, 9, seal.Head(9, "ab" * 32))


@pytest.fixture
def page():
    said = html.tag("script", html.data(MANIFEST.as_data()), type="application/json", id="seal")
    return seal.sealed(html.document(language="en", head="", body=html.tag("body", "text", said)))


def test_a_sealed_page_is_whole_and_says_what_it_was_written_from(page):
    found = seal.opened(page.encode())
    assert found.is_whole
    assert found.manifest == MANIFEST


@pytest.mark.parametrize(
    ("before", "after"),
    [("text", "test"), ('"last":9', '"last":8'), ("shop", "stop"), ("</html>", "</html> ")],
)
def test_any_change_breaks_the_seal(page, before, after):
    assert not seal.opened(page.replace(before, after).encode()).is_whole


@pytest.mark.parametrize(
    "made",
    [
        lambda page: b"",
        lambda page: b"<html>",
        lambda page: (page + page).encode(),
        lambda page: page.replace('"format":1', '"format":2').encode(),
        lambda page: page.replace('"entries":9', '"entries":"x"').encode(),
        lambda page: page.replace('"digest"', '"digset"').encode(),
        lambda page: page.replace('"head":{', '"head":[{').encode(),
    ],
)
def test_what_has_no_seal_of_ours_is_no_page(page, made):
    assert seal.opened(made(page)) is None
