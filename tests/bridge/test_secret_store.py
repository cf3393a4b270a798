"""What the Bridge hides: the secrets of the environment and of dotfiles, in the forms that programs print."""

from __future__ import annotations

import base64
import os
from urllib.parse import quote

import pytest

from operators_edge.bridge import secret_store
from operators_edge.redaction.redact import redact
from operators_edge.redaction.stream import Stream

SECRET = "kR7/pw+Zx 9&q=Tuv"


@pytest.mark.parametrize("before", ["", "u:", "ab:", "abc:"])
def test_a_secret_is_hidden_in_every_form_in_which_programs_print_it(before, tmp_path):
    values = secret_store.known(str(tmp_path), {"HOME": "", "SOME_KEY": SECRET})
    coded = base64.b64encode(f"{before}{SECRET}:more".encode()).decode()
    for text in (f"it is {SECRET}", f"?a={quote(SECRET, safe='')}&b", coded):
        assert "[REDACTED]" in redact(text, values=values), text
    inside = redact(coded, values=values).replace("[REDACTED]", "")
    assert len(inside) <= len(coded) - len(SECRET), "what is left says nothing of it"


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        (".env", "# x\nexport API_TOKEN=tok9-zz8yxw\nNAME=shop4you9\n", {"tok9-zz8yxw"}),
        (".env.local", "DB=postgres://u:pw4word99@h/db\n", {"pw4word99"}),
        (".env.example", "API_TOKEN=tok9-zz8yxw\n", set()),
        (".env", "API_TOKEN=development\n", set()),
        (".npmrc", "//r.example.com/:_authToken=npm-tok-12345\n", {"npm-tok-12345"}),
        ("home/.netrc", "machine h login l password net-pw-12345\n", {"net-pw-12345"}),
        ("home/.pgpass", "h:5432:*:u:pg-pw-12345\n", {"pg-pw-12345"}),
        ("home/.git-credentials", "https://u:git-pw-12345@h\n", {"git-pw-12345"}),
        ("home/.aws/credentials", "[a]\naws_secret_access_key = aws/12345+x\n", {"aws/12345+x"}),
        ("home/.docker/config.json", '{"auths": {"h": {\n"auth": "dTpwdzEyMzQ1"\n}}}', {"dTpwdzEyMzQ1"}),
    ],
)  # fmt: skip
def test_the_values_of_dotfiles_are_known(tmp_path, name, text, found):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    env = {"HOME": str(tmp_path / "home")}
    values = set(secret_store.known(str(tmp_path), env))
    assert {each for each in found if each in values} == found
    assert ("development" in values, "shop4you9" in values) == (False, False)
    assert found or not values


def test_a_dotfile_that_is_no_file_is_nothing_to_hide(tmp_path):
    os.mkfifo(tmp_path / ".env")
    os.mkdir(tmp_path / ".npmrc")
    assert secret_store.known(str(tmp_path), {"HOME": ""}) == ()


def test_the_patterns_of_the_settings_hide_what_they_match_wherever_it_is_cut(tmp_path):
    values = secret_store.known(str(tmp_path), {"HOME": ""}, (r"acme-\d+", "custom_pattern"))
    text = f"{'x' * 70_000} a acme-12345 b custom_pattern {'y' * 70_000}".encode()
    wanted = redact(text.decode(), values=values)
    assert (wanted.count("[REDACTED]"), "acme" in wanted, "custom" in wanted) == (2, False, False)
    stream = Stream(values=values)
    said = "".join(stream.feed(text[at : at + 7]) for at in range(0, len(text), 7)) + stream.end()
    assert said == wanted
