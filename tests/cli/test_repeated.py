"""What a command prints does not repeat a known secret that its own words hold."""

import json

import pytest

from operators_edge.cli.main import main
from tests.hosting import write

OF_ENV, OF_FILE = "plainly-known-7Qx2", 'blue "heron" quarry-77'


@pytest.fixture
def known(repo, monkeypatch):
    monkeypatch.chdir(repo)
    monkeypatch.setenv("MY_SERVICE_TOKEN", OF_ENV)
    write(repo, ".env", f"ACME_TOKEN='{OF_FILE}'\n")


@pytest.mark.parametrize(
    "words",
    [
        ("explain", f"echo {OF_ENV} '{OF_FILE}'"),
        ("explain", f"echo {OF_ENV} '{OF_FILE}'", "--json"),
        (OF_ENV,),
        ("undo", OF_ENV),
        ("--json", "log", "show", OF_ENV),
        ("status", "--project", f"/nowhere/{OF_FILE}"),
    ],
)
def test_a_known_secret_among_the_words_is_not_printed(known, capsys, words):
    main(list(words))
    out = capsys.readouterr()
    text = out.out + out.err
    assert "[REDACTED]" in text
    for secret in (OF_ENV, OF_FILE, json.dumps(OF_FILE)[1:-1]):
        assert secret not in text


def test_what_only_looks_like_a_secret_is_a_persons_own_text(known, capsys):
    main(["undo", "ghp_" + "kQ7rW2mXz9TbL4vNc8YdHs3JfGp6AeUo5iK1"])
    assert "ghp_kQ7r" in capsys.readouterr().err


# end of module
