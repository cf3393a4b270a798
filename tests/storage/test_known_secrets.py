"""The secrets that are known here: of the environment and of files, in the forms that programs print."""

from __future__ import annotations

import base64
import os
from urllib.parse import quote

import pytest

from operators_edge.project import secrets_of
from operators_edge.redaction.redact import Shape, redact
from operators_edge.redaction.stream import Stream
from operators_edge.storage import known_secrets

SECRET = "kR7/pw+Zx 9&q=Tuv"


@pytest.mark.parametrize("before", ["", "u:", "ab:", "abc:"])
def test_a_secret_is_hidden_in_every_form_in_which_programs_print_it(before, tmp_path):
    values = known_secrets.known(str(tmp_path), {"HOME": "", "SOME_KEY": SECRET})
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
        ("home/.docker/config.json", '{"auths":{"h":{"auth":"dTpwdzEyMzQ1"}}}', {"dTpwdzEyMzQ1"}),
        ("home/.config/gh/hosts.yml", "github.com:\n    oauth_token: gho-12345=x\n", {"gho-12345=x"}),
        ("home/.kube/config", "users:\n- name: a\n  user:\n    token: kube-12345-t\n", {"kube-12345-t"}),
        ("home/.m2/settings.xml", "<server>\n<password>m2-12345-t</password>\n", {"m2-12345-t"}),
        ("home/.vault-token", "hvs-12345-vault\n", {"hvs-12345-vault"}),
        ("home/.pypirc", "[pypi]\nusername = __token__\npassword = pypi-12345-t # mine\n", {"pypi-12345-t"}),
        (".envrc", "export API_TOKEN='env-12345 rc' # x\n", set()),
        (".env", "API_TOKEN=${VAULT_TOKEN_FOR_1}\nB_TOKEN=op://vault/item12/field\n", set()),
        ("config/master.key", "0123456789abcdef0123456789abcdef", {"0123456789abcdef0123456789abcdef"}),
    ],
)  # fmt: skip
def test_the_values_of_dotfiles_are_known(tmp_path, name, text, found):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    env = {"HOME": str(tmp_path / "home")}
    values = set(known_secrets.known(str(tmp_path), env))
    assert {each for each in found if each in values} == found
    assert ("development" in values, "shop4you9" in values) == (False, False)
    assert found or not values


def test_a_dotfile_that_is_no_file_is_nothing_to_hide(tmp_path):
    os.mkfifo(tmp_path / ".env")
    os.mkdir(tmp_path / ".npmrc")
    assert known_secrets.known(str(tmp_path), {"HOME": ""}) == ()


def test_the_patterns_of_the_settings_hide_what_they_match_wherever_it_is_cut(tmp_path):
    values = tuple(map(Shape, (r"acme-\d+", "custom_pattern")))
    text = f"{'x' * 70_000} a acme-12345 b custom_pattern {'y' * 70_000}".encode()
    wanted = redact(text.decode(), values=values)
    assert (wanted.count("[REDACTED]"), "acme" in wanted, "custom" in wanted) == (2, False, False)
    stream = Stream(values=values)
    said = "".join(stream.feed(text[at : at + 7]) for at in range(0, len(text), 7)) + stream.end()
    assert said == wanted


def test_a_file_of_credentials_that_a_variable_names_is_read(tmp_path):
    (tmp_path / "kube.yaml").write_text("    token: kube-12345-t\n", encoding="utf-8")
    env = {"HOME": "", "KUBECONFIG": f"/nowhere{os.pathsep}{tmp_path / 'kube.yaml'}"}
    assert "kube-12345-t" in known_secrets.known(None, env)


def test_the_password_in_the_address_of_a_variable_is_known(tmp_path):
    env = {"HOME": "", "DATABASE_URL": "postgres://me:pw4word99@db/x", "PAGE": "http://a@b c:d@"}
    assert "pw4word99" in known_secrets.known(None, env)


def test_what_a_session_has_read_is_known_from_then_on_and_only_its_path_is_kept(tmp_path):
    env = {"HOME": "", "XDG_STATE_HOME": str(tmp_path / "state")}
    root = tmp_path / "project"
    below = root / "apps" / "web"
    below.mkdir(parents=True)
    (below / ".env.production").write_text("API_TOKEN=tok9-zz8yxw\n", encoding="utf-8")
    (below / ".env.example").write_text("API_TOKEN=tok7-zz8yxw\n", encoding="utf-8")
    call = {"command": "ls; cat '.env.production' .env.example | head; cat src/environment.py"}
    assert "tok9-zz8yxw" not in known_secrets.known(str(root), env)
    for _ in range(2):
        known_secrets.note_read(str(root), call, str(below), env)
    assert known_secrets.read_by_sessions(str(root), env) == (str(below / ".env.production"),)
    assert "tok9-zz8yxw" in known_secrets.known(str(root), env)
    assert "tok7-zz8yxw" not in known_secrets.known(str(root), env)
    kept = [each for each in (tmp_path / "state").rglob("*") if each.is_file()]
    assert kept
    assert not any(b"tok9" in each.read_bytes() for each in kept)
    assert all(each.stat().st_mode & 0o077 == 0 for each in kept)


def test_a_value_that_was_changed_in_its_file_is_known_anew(tmp_path):
    path = tmp_path / ".env"
    for value in ("tok9-zz8yxw", "tok8-aa8yxwx"):
        path.write_text(f"API_TOKEN={value}\n", encoding="utf-8")
        assert value in known_secrets.known(str(tmp_path), {"HOME": ""})


def test_a_file_is_read_up_to_a_bound(tmp_path):
    text = "A=1\n" * 100_000 + "API_TOKEN=tok9-zz8yxw\n"
    (tmp_path / ".env").write_text(f"B_TOKEN=tok8-aa8yxw\n{text}", encoding="utf-8")
    values = known_secrets.known(str(tmp_path), {"HOME": ""})
    assert ("tok8-aa8yxw" in values, "tok9-zz8yxw" in values) == (True, False)


def test_the_secrets_of_a_project_are_the_known_ones_where_nothing_is_configured(tmp_path):
    env = {"HOME": str(tmp_path), "API_TOKEN": "tok9-zz8yxw"}
    assert set(secrets_of(str(tmp_path), env)) == set(known_secrets.known(None, env))


# end of module
