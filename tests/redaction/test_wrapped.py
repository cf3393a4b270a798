"""A secret that a column cuts in two is hidden in both lines, and lines that only follow each other stay."""

from __future__ import annotations

import json
import random
from base64 import b64encode

import pytest
from tests.redaction.test_recall import SECRETS, Draw

from operators_edge.redaction.redact import findings, redact

TOKEN = "ghp_" + "kQ7rW2mXz9TbL4vNc8YdHs3JfGp6AeUo5iK1"
BEFORE = "2031-03-04T10:11:12Z worker-3 INFO "
AROUND = (
    "Resolving dependencies and compiling the sources of 14 crates for the target, which takes a while",
    "done in 4.21s",
)


def fold(text: str, width: int, gutter: str = "", hang: str = "") -> str:
    """As ``fold -w``, or a program that frames or indents its lines, prints it."""
    lines = []
    for line in text.split("\n"):
        lines.append(gutter + line[: width - len(gutter)])
        rest, room = line[width - len(gutter) :], width - len(gutter + hang)
        lines += [gutter + hang + rest[at : at + room] for at in range(0, len(rest), room)]
    return "\n".join(lines)


def is_left(text: str, secret: str) -> bool:
    """Whether a part of it that tells something is."""
    return any(secret[at : at + 8] in text for at in range(len(secret) - 7))


@pytest.mark.parametrize(
    ("gutter", "hang"), [("", ""), ("  ", ""), ("│ ", ""), ("> ", ""), ("", "    ")]
)
def test_nearly_every_secret_is_hidden_where_a_column_cuts_it(gutter: str, hang: str) -> None:
    cases = [Draw(7).filled(line) for line in SECRETS]
    left = []
    for line, secret in cases:
        width = len(gutter) + len(BEFORE) + line.rindex(secret) + len(secret) // 2
        text = fold("\n".join((AROUND[0], BEFORE + line, AROUND[1])), width, gutter, hang)
        hidden = redact(text)
        assert hidden.count("\n") == text.count("\n")
        if is_left(hidden, secret) or is_left(hidden.replace("\n", ""), secret):
            left.append(text)
    assert len(left) <= 0.06 * len(cases), left


@pytest.mark.parametrize("width", [40, 57, 80])
def test_the_name_of_a_secret_may_be_cut_too(width: int) -> None:
    cases = [Draw(7).filled(line) for line in SECRETS]
    texts = [(fold(BEFORE + line, width), secret) for line, secret in cases]
    left = [text for text, secret in texts if is_left(redact(text), secret)]
    assert len(left) <= 0.06 * len(cases), left


def test_each_line_of_a_secret_has_its_mark() -> None:
    assert redact(f"{TOKEN}\nexport X=1\n") == "[REDACTED:github]\nexport X=1\n"
    wrapped = f"{TOKEN[:30]}\n{TOKEN[30:]}\nnext\n"
    assert redact(wrapped) == "[REDACTED:github]\n[REDACTED:github]\nnext\n"
    room = " " * 12
    framed = f"│ uses {TOKEN[:14]} │\n│ {TOKEN[14:33]} │\n│ {TOKEN[33:]}{room} │"
    mark = "[REDACTED:github]"
    assert redact(framed) == f"│ uses {mark} │\n│ {mark} │\n│ {mark}{room} │"


@pytest.mark.parametrize(
    ("line", "secret"),
    [
        ("login with Authorization: Basic {}", "Y2ktYm90OlQyNGtRN3JXMm1Yejk" + "=="),
        ("AccountKey={};", "kQ7rW2mXz9TbL4vNc8YdHs3JfGp6AeUo5iK1wE8t" + "5Q="),
        ("bob:500:aad3b435b51404eeaad3b435b51404ee:{}:::", "9c0b3f1e7d52a846" + "b1c93e07f4d8265a"),
    ],
)
@pytest.mark.parametrize("left", [6, 9, 12])
def test_the_rest_of_a_secret_may_begin_like_a_name(line: str, secret: str, left: int) -> None:
    text = f"2031-03-04T10:11:12Z worker-3 INFO {line.format(secret)}"
    width = text.index(secret) + len(secret) - left - 4
    hidden = redact(fold(text, width)).replace("\n", "")
    assert secret[:6] not in hidden
    assert secret[-6:] not in hidden


@pytest.mark.parametrize("prefix", [14, 19, 24, 30])
@pytest.mark.parametrize(("first", "last"), [(0, 14), (0, 11), (3, 14)])
def test_a_key_is_hidden_where_a_column_cuts_its_first_line(
    prefix: int, first: int, last: int
) -> None:
    draw = random.Random(prefix)  # noqa: S311 - the same key in each run
    body = [b64encode(draw.randbytes(48)).decode() for _ in range(12)]
    lines = ["-----BEGIN RSA PRIVATE KEY-----", *body, "-----END RSA PRIVATE KEY-----"]
    key = "\n".join(lines[first:last])
    shown = redact(fold(f"{'x' * prefix} host=build {key}", 60))
    assert not any(line[:40] in shown for line in body[3:10])


def test_a_wrapped_text_is_decoded() -> None:
    inner = fold(f"GET /login?next=%2F&api%5Fkey%3D{TOKEN} HTTP/1.1", 40)
    assert not is_left(redact(inner), TOKEN)
    assert not is_left(redact(json.dumps({"output": inner})), TOKEN)


MULTIPLE = (
    ("$ pass show a/b\n{}\nnext", "first line of a text"),
    ("user,password,email\nada,{},a@example.org", "a table"),
    (" id | secret\n----+--------\n  1 | {}", "a table with rulers"),
    ("$ echo \"$DB_PASSWORD\" '$X'\n{}", "quotes of both kinds"),
    ("$ terraform output db_password\n{}", "nothing below"),
)


@pytest.mark.parametrize(("text", "_what"), MULTIPLE)
@pytest.mark.parametrize(
    "form", [lambda text: json.dumps({"stdout": text, "stderr": ""}), lambda text: repr([text, 1]),
             lambda text: json.dumps([{"text": json.dumps({"out": text})}])]
)  # fmt: skip
def test_the_lines_of_a_text_in_json_are_lines(form, text: str, _what: str) -> None:
    secret = "kQ7rW2mX!zb9TbL4vN"
    assert secret not in redact(form(text.format(secret)))


def test_a_heading_counts_above_lines_that_are_coloured_or_wrapped() -> None:
    codes = ["9ab3c-44e0d", "c07de-81b2f", "55a1e-0dc9b"]
    shown = redact("Recovery codes:\n" + "".join(f"\x1b[32m{each}\x1b[0m\n" for each in codes))
    assert not any(each in shown for each in codes)
    key = "4b1f0c7d9e2a8356" * 8
    text = f"irb(main):001:0> app.secret_key_base\n{fold(f'=> {key!r}', 72)}\n"
    assert not is_left(redact(text), key)


def test_what_begins_on_the_next_line_is_no_argument() -> None:
    text = "mysql -u root -p\nEnter password: \n"
    assert redact(text) == text


def test_a_known_value_is_hidden_across_lines() -> None:
    text = fold("the answer of the service was: correct horse battery staple", 45)
    assert redact(text, values=["correct horse battery staple"]).count("[REDACTED]") == 2


@pytest.mark.parametrize(
    "text",
    [
        "export API_KEY=kQ7rW2mXz9TbL4vN\nDEPLOY_TO=staging-2\n",
        "export API_KEY=kQ7rW2mXz9TbL4vN\ndone\n",
        "+ login --token kQ7rW2mXz9TbL4vN\n2031-02-03 10:11:12 ok7 ready\n",
        f"{TOKEN}\n    at Object.<anonymous> (/app/src/x9.js:3:1)\n",
        "token=kQ7rW2mXz9TbL4vN\n[5/7] linking a9b8\n",
        "export API_KEY=kQ7rW2mXz9TbL4vN\na3ed95caeb02: Pull complete\n",
        "export API_KEY=kQ7rW2mXz9TbL4vN\nDB_HOST_2=\n",
    ],
)
def test_the_line_below_a_secret_stays(text: str) -> None:
    below = text.split("\n", 1)[1]
    assert redact(text).endswith(below)
    assert redact(text) != text


@pytest.mark.parametrize(
    "text",
    [
        "max_new_token\ns=4096 for each of them and more of it\n",
        "CERTIFICATE_VERIFY = 15\nCLIENT_KEY_EXCHANGE = 16\nFINISHED = 20",
        "reads the pass\nword: it has to have 12 signs, at least\n",
    ],
)
def test_ordinary_lines_stay(text: str) -> None:
    assert findings(text) == []
