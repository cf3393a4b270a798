import json
import re
import sys
import time
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st
from tests.growth import is_linear
from tests.properties import examples
from tests.tables import for_each

from operators_edge.redaction.detector import found_in
from operators_edge.redaction.finding import WHY
from operators_edge.redaction.formats import formats, vendors
from operators_edge.redaction.places import PLACES
from operators_edge.redaction.redact import (
    CUT,
    MARK,
    certainly,
    findings,
    is_worth_hiding,
    preview,
    preview_json,
    redact,
    secret_values,
)
from operators_edge.redaction.scanner import ODD_CASE, all_at_once, lowered
from operators_edge.redaction.secret_names import TELLING, WEAK

SECRETS = [
    ("Authorization: Bearer abc.def-123", "abc.def-123"),
    ("Authorization: Basic dXNlcjpwYXNz", "dXNlcjpwYXNz"),
    ("Authorization=Token zq81", "zq81"),
    ("curl -H Authorization:Bearer\\ xyz9 https://h/", "xyz9"),
    ('{"Authorization": "tok 77aa"}', "77aa"),
    ("got Bearer abcdef", "abcdef"),
    ("use sk-q8Zr4wVb2nXk7Lm1TdYs here", "sk-q8"),
    ("the passphrase is zBoqfBgzihey", "zBoqfBgzihey"),
    ("use creds yYdjgvoiYfwC 12", "yYdjgvoiYfwC"),
    ("line\\nsk-q8Zr4wVb2nXk7Lm1TdYs", "sk-q8"),
    ("sk-ant-api03-abcdefghijklmn-x_y", "abcdefghijklmn"),
    ("sk-proj-a1b2c3d4e5f6g7", "a1b2c3"),
    ("AIza" + "Sy4kQ" * 7, "Sy4kQ"),
    ("anthropic_api_key: foo123", "foo123"),
    ("anthropic-key=f7Qz3kW9", "f7Qz3kW9"),
    ("x-api-key: abcdef", "abcdef"),
    ("ANTHROPIC_API_KEY=sk", "=sk"),
    ("MY_SECRET_VALUE=abc; ls", "abc"),
    ('export DB_PASSWORD="a b\\"zz" && ls', "zz"),
    ("DB_PASSWD: 'two words'", "two words"),
    ('{"password": "hunter2", "n": 1}', "hunter2"),
    ('{\\"password\\": \\"hun ter2\\", \\"n\\": 1}', "ter2"),
    ('os.environ["API_KEY"] = "abcd"', "abcd"),
    ("deploy --token abc", " abc"),
    ("deploy --db-password hunter2", "hunter2"),
    ("PASSWORD=${PREFIX}tail9", "tail9"),
    ("PASSWORD=${UNSET:-fallback9}", "fallback9"),
    ("https://x.test/?token=abcdefgh&page=2", "abcdefgh"),
    ("postgres://bob:s3cr3t@host/db", "s3cr3t"),
    ("postgres://bob:s3@cr3t@host/db", "cr3t"),
    ("https://0123456789abcdef0123@host/", "0123456789abcdef"),
    ("ghp_" + "a1B2" * 9, "a1B2"),
    ("github_pat_" + "a1B2" * 9, "a1B2"),
    ("AKIAQ3T7WZ2NB6XKD5VJ", "Q3T7WZ2"),
    ("aws_secret_access_key = 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", "hT5qk"),
    ("aws key 'hT5qkXUtnFRMI/K7MDZNG/bPxRfiCY2vQ8LsWm3d'", "hT5qk"),
    ("xoxb-274915830461-qVnZtRwYbe", "274915830461"),
    ("eyJhbGciOiJI.eyJzdWIiOiIx.sig-na_ture", "sig-na"),
    ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----", "MIIE"),
    ('"-----BEGIN PRIVATE KEY-----\\nMIIE\\n-----END PRIVATE KEY-----"', "MIIE"),
    ("-----BEGIN OPENSSH PRIVATE KEY-----\nMIIE and no end", "MIIE"),
    ("Set-Cookie: session=abc123; Path=/", "abc123"),
    ("curl -u bob:pw12 https://h/", "pw12"),
    ("curl -ubob:pw12 https://h/", "pw12"),
    ("signing key: AbCdRf724156", "AbCdRf724156"),
]

ORDINARY = [
    "tests/test_passwords.py::TestTokens::test_key_is_reset PASSED",
    "commit 3f2ab8c9d0e1f2a3b4c5d6e7f8091a2b3c4d5e6f",
    "id 0aa33df8-fd5a-4d32-8b84-9a187d7ac25c",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "/home/bob/project/src/tokenizer/keys.py:12: token: the next word",
    "max_tokens=4096 num_keys=12",
    "dict[key] = value; sorted(rows, key=len)",
    "def login(user: str, password: str = None) -> bool:",
    "password = self.password",
    "TOKEN=$GH_TOKEN make publish",
    "API_KEY=${API_KEY} API_KEY=<your-key> PASSWORD=****",
    "secretName: my-app-tls-01",
    "the bearer of news; a Bearer token",
    "docker run -u 1000:1000 alpine",
    'git log --grep="key: value"',
    '{"keywords": ["a", "b"], "key": "name"}',
    "https://example.com/a/b?page=2#top",
    "scp host:/path user@host:/other",
    "disk-encryption-settings task-management-system",
]


@for_each(("text", "secret"), SECRETS)
def test_a_secret_does_not_survive(text: str, secret: str) -> None:
    assert secret in text
    assert secret not in redact(text)


@for_each(("text", "secret"), SECRETS)
def test_a_secret_does_not_survive_inside_json(text: str, secret: str) -> None:
    assert json.dumps(secret)[1:-1] not in redact(json.dumps({"command": text}))


@for_each("text", ORDINARY)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert redact(text) == text


@for_each("text", [text for text, _ in SECRETS])
def test_doing_it_twice_changes_nothing_more(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


def test_what_surrounds_a_secret_stays() -> None:
    text = 'export DB_PASSWORD="a b" && psql postgres://bob:pw@h/db; X_KEY=a8Bd72kq rm -rf x'
    assert redact(text) == (
        'export DB_PASSWORD="[REDACTED]" && psql postgres://bob:[REDACTED]@h/db; '
        "X_KEY=[REDACTED] rm -rf x"
    )


def test_exact_values_go_whatever_they_look_like_also_in_json() -> None:
    value = 'correct "horse"\nbattery'
    text = f"a {value} b {json.dumps(value)} c"
    assert redact(text, values=(value,)) == 'a [REDACTED] b "[REDACTED]" c'


def test_a_value_that_holds_another_goes_whole() -> None:
    assert redact("abcdefgh12345678", values=("abcdefgh", "abcdefgh12345678")) == "[REDACTED]"


@pytest.mark.parametrize(
    "value", ["short", "password", "aaaaaaaaaaaa", "/home/bob/keys", "~/k/key"]
)
def test_values_that_would_only_garble_logs_are_not_hidden(value: str) -> None:
    assert not is_worth_hiding(value)
    assert redact(f"see {value}!", values=(value,)) == f"see {value}!"


def test_secret_values_are_chosen_by_the_variables_name() -> None:
    env = {
        "GH_TOKEN": "tok-12345678",
        "db_password": "hunter2hunter2",
        "HOME": "/home/bob-the-builder",
        "SSH_KEY_FILE": "/home/bob/.ssh/id",
        "EDITOR": "some-long-editor",
    }
    assert secret_values(env) == ("hunter2hunter2", "tok-12345678")


@given(st.text(max_size=300), st.integers(1, 80))
def test_a_preview_is_never_longer_than_its_limit(text: str, limit: int) -> None:
    assert len(preview(text, limit)) <= limit


@given(st.integers(0, 70_000))
def test_no_half_of_a_secret_shows_at_the_end_of_a_preview(before: int) -> None:
    token = "ghp_" + "Zq7" * 12
    text = "x " * (before // 2) + token + " y" * 50_000
    shown = preview(text, 1_000_000)
    assert "ghp_Z" not in shown
    assert "Zq7" not in shown


def test_what_redaction_shrinks_does_not_bring_a_half_secret_into_view() -> None:
    pem = "-----BEGIN PRIVATE KEY-----\n" + "A" * 73_000 + "\n-----END PRIVATE KEY-----\n"
    value = "v" + "alue" * 100
    for gap in range(0, 1200, 111):
        shown = preview(pem + "." * gap + value + " tail" * 400_000, 500, values=(value,))
        assert "alue" not in shown


def test_a_cut_preview_ends_with_a_mark() -> None:
    assert preview("a" * 600, 500) == "a" * 499 + CUT
    assert preview("a" * 500, 500) == "a" * 500


def test_a_preview_of_a_structure_redacts_by_key_and_by_value() -> None:
    given_input = {
        "command": "PASSWORD='x y' make",
        "api_key": "abc",
        "deep": {"token": "s3cret99"},
    }
    shown = preview_json(given_input, 500)
    assert "x y" not in shown
    assert "abc" not in shown
    assert "s3cret99" not in shown
    assert json.loads(shown)["command"] == "PASSWORD='[REDACTED]' make"


def test_a_structure_of_any_size_and_depth_is_bounded() -> None:
    deep: object = "end"
    for _ in range(5000):
        deep = [deep]
    assert len(preview_json({"a": deep, "b": list(range(10_000)), "c": "x" * 10**7}, 500)) <= 500


HOSTILE = [
    "key", "KEY=", 'KEY="', "KEY='", "key\\", 'key":', "eyJ", "eyJ.", "://", "://a:", "://a:b@",
    "-", "--a-key-", "-key ", " -u a:", "bearer ", "authorization: ", "cookie=", "aws '", "sk-",
    "-----BEGIN PRIVATE KEY-----", "ghp_", "xoxb-", "a", "\\", '"', " ", "key ", "token=$(",
]  # fmt: skip


@for_each("piece", HOSTILE)
def test_hostile_text_costs_no_more_than_its_length(piece: str) -> None:
    assert is_linear(lambda size: redact(piece * (size // len(piece))), 80_000, least=0.015)


@for_each("piece", HOSTILE)
def test_a_preview_of_five_megabytes_takes_no_second(piece: str) -> None:
    text = piece * (5_000_000 // len(piece))
    start = time.process_time()
    preview(text, 500)
    assert time.process_time() - start < 1.5


HOT = pytest.mark.parametrize(
    "is_hot", [pytest.param(False, id="without"), pytest.param(True, id="with the library")]
)
WORDS = sorted(
    {
        *(row.start.lower() for row in formats() if row.start),
        *(word for row in formats() for word in row.near),
        *(name.decode().replace("-", sign) for name in vendors() for sign in ("", "-", " ")),
        *(word for words, _ in PLACES for word in words),
        *TELLING,
        *WEAK,
    }
)
BETWEEN = [
    *"\n\n\n  \t\r:=\"'\\,;@/-_.&[]{}()<>$%*|0aZé✓",
    *(
        "\u00a0",
        "\u2028",
        "\x1c",
        "=>",
        ":=",
        "\\n",
        '\\"',
        "%20",
        "api_",
        "max_",
        "-----BEGIN ",
        " = ",
    ),
    *(
        "hunter2x9",
        "AbCdEf123456",
        "a1B2" * 9,
        "${X}",
        "[REDACTED:api-key]",
        "[REDACTED:aws]",
        MARK,
    ),
    *(" -ubob:pw12", " -U ", "s", "name", "length", *ODD_CASE),
]
logs = st.lists(
    st.sampled_from([text for text, _ in SECRETS])
    | st.sampled_from(ORDINARY)
    | st.sampled_from(WORDS).flatmap(
        lambda word: st.sampled_from([word, word.upper(), word.title()])
    )
    | st.sampled_from(BETWEEN)
    | st.text(max_size=6),
    max_size=40,
).map("".join)


def test_the_library_finds_each_word() -> None:
    assert all_at_once([lowered(word) for word in WORDS]) is not None


@examples(300)
@given(text=logs)
def test_the_same_is_found_with_the_library_and_without(text: str) -> None:
    assert found_in(text, is_hot=True) == found_in(text, is_hot=False)


@examples(300)
@given(text=logs)
def test_any_text_is_redacted_once_and_for_all(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


@examples(300)
@given(text=logs)
def test_findings_are_in_order_and_none_lies_in_another(text: str) -> None:
    found = findings(text)
    assert all(0 <= each.begin < each.end <= len(text) and each.why in WHY for each in found)
    assert all(one.end <= other.begin for one, other in pairwise(found))


@for_each("end", ["\n", "\r\n"])
def test_a_value_goes_that_mail_continues_on_the_next_line(end: str) -> None:
    assert redact(f"token=3Da8f3kd92kf={end}Qx77Lm1TdYs") == f"token={MARK}"


def test_a_process_that_reads_much_redacts_as_one_that_begins() -> None:
    lines = [f"{number} {text} in known-value-9\n" for number, (text, _) in enumerate(SECRETS)
             if "BEGIN" not in text]  # fmt: skip
    chunk = ("an ordinary line of a log\n" * 40).join(lines)
    expected = redact(chunk, values=["known-value-9"])
    for _ in range(2 * 1024 * 1024 // len(chunk)):
        assert redact(chunk, values=["known-value-9"]) == expected


def test_the_signs_that_patterns_take_for_letters_are_known() -> None:
    letter = re.compile("(?i)[a-z]")
    signs = (chr(each) for each in range(128, sys.maxunicode + 1))
    assert "".join(filter(letter.match, signs)) == "".join(sorted(ODD_CASE))


@HOT
@pytest.mark.parametrize("piece", [*HOSTILE, "token: x ", "key: a1b2c3d4e5 ", "k", "-", ":"])
def test_hostile_text_costs_no_more_than_its_length_the_quick_way(is_hot, piece: str) -> None:
    def find(size: int) -> None:
        spread = (piece + " " * 40) * (size // (len(piece) + 40))
        found_in(spread + piece * (size // len(piece) // 4), is_hot=is_hot)

    assert is_linear(find, 80_000, least=0.015)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("push with ghp_" + "a1B2" * 9, "github"),
        ("the key is sk-ant-api03-" + "aB3dE5fG7hJ9" * 8, "anthropic"),
        ("export API_KEY=a8f3kd92kf", "secret"),
        ("curl -H 'Authorization: Bearer a8f3kd92kf0qq' x", "authorization"),
        ("postgres://app:s3cr3t-99@db/x", "secret"),
        ("the one in $TOKEN is known-value-9", "secret"),
        ("fix password: reset, then token: refresh", ""),
        ("API_KEY=$API_KEY make deploy; key: sort_order", ""),
        ("postgres://postgres:postgres@localhost:5432/test", ""),
        ("the secret is in 1password, token=<yours>", ""),
    ],
)
def test_a_kept_text_is_refused_only_for_what_is_certainly_a_secret(text: str, kind: str) -> None:
    assert certainly(text, values=["known-value-9"]) == kind


@given(
    st.lists(
        st.sampled_from((*TELLING, "12", "345", "is", "for", "the", "of", ",", ".")), max_size=6
    )
)
@examples(200)
def test_small_numbers_are_no_secrets_behind_any_word(words: list[str]) -> None:
    text = " ".join(words)
    assert redact(text) == text
