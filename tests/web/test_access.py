"""What no request may be, from any sender; a table of heads."""

import pytest

from operators_edge.web import access
from operators_edge.web.access import BASE, Request

PORT = 8080
HERE = "127.0.0.1:8080"
JSON = {"content-type": "application/json", "content-length": "2"}


def refused(method="GET", target=f"{BASE}view/home", **headers):
    sent = {"host": HERE} | {name.replace("_", "-"): value for name, value in headers.items()}
    found = access.refusal(Request(method, target, sent), PORT)
    return found and found.status


def test_the_pages_own_requests_are_answered():
    assert refused() is None
    assert refused(host="localhost:8080", sec_fetch_site="same-origin") is None
    own = {"origin": f"http://{HERE}", "sec_fetch_site": "same-origin"}
    assert refused("POST", f"{BASE}act", **JSON, **own) is None


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example:8080",
        "127.0.0.1",
        "127.0.0.1:80",
        "127.0.0.1:8080.evil.example",
        "127.0.0.1:8080, evil.example",
        "127.0.0.1.nip.io:8080",
        "[::1]:8080",
        "0.0.0.0:8080",
        "user@127.0.0.1:8080",
    ],
)
def test_a_name_that_somebody_else_pointed_here_is_refused(host):
    assert refused(host=host) == 421


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "http://evil.example",
        "https://127.0.0.1:8080",
        "http://127.0.0.1:3000",
        "http://localhost:8080",
        "http://127.0.0.1:8080.evil.example",
        "chrome-extension://abc",
    ],
)
def test_a_page_of_another_origin_is_refused(origin):
    assert refused("POST", f"{BASE}act", origin=origin, **JSON) == 403
    assert refused(origin=origin) == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none", "anything"])
def test_what_a_browser_says_that_another_site_asks_is_refused(site):
    assert refused(sec_fetch_site=site) == 403
    assert refused("POST", f"{BASE}act", sec_fetch_site=site, **JSON) == 403


@pytest.mark.parametrize("target", ["/", BASE])
def test_a_person_opens_the_empty_page_from_anywhere(target):
    opened = {"sec_fetch_site": "none", "sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}
    assert refused(target=target, **opened) is None
    assert refused(target=f"{BASE}view/home", **opened) == 403
    assert refused(target=target, **{**opened, "sec_fetch_dest": "iframe"}) == 403
    assert refused("POST", target, **opened, **JSON) == 403


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "X"])
def test_there_are_two_methods(method):
    assert refused(method) == 405


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"content-type": "text/plain"}, 415),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
        ({"content-type": "multipart/form-data"}, 415),
        ({"content-type": ""}, 415),
        ({"content-length": str(access.MAX_BODY + 1)}, 413),
        ({"content-length": "-1"}, 400),
        ({"content-length": "1, 2"}, 400),
        ({"content-length": "\u0661"}, 400),
        ({"transfer-encoding": "chunked"}, 411),
    ],
)
def test_a_body_is_json_of_a_known_and_small_length(headers, status):
    assert refused("POST", f"{BASE}act", **{**JSON, **headers}) == status


def test_get_has_no_body_and_an_address_is_short():
    assert refused(content_length="1") == 400
    assert refused(target=BASE + "x" * access.MAX_TARGET) == 414


@pytest.mark.parametrize(
    ("header", "token"),
    [
        ("Bearer abc", "abc"),
        ("bearer abc", "abc"),
        ("Basic abc", ""),
        ("abc", ""),
        ("", ""),
    ],
)
def test_a_token_is_a_header_and_nothing_else(header, token):
    assert access.token_of({"authorization": header, "cookie": "token=abc"}) == token


def test_the_policy_allows_nothing_inline_and_nothing_from_elsewhere():
    assert "default-src 'none'" in access.POLICY
    assert "unsafe" not in access.POLICY
    assert "http" not in access.POLICY
    assert "frame-ancestors 'none'" in access.POLICY
