"""A name that a person has given to a command of a program is judged by what it stands for."""

from __future__ import annotations

from tests.gate.example_project import HOME, PLACE, ROOT, RULES, Machine
from tests.tables import for_each

from operators_edge.gate.decide import assess
from operators_edge.model import Call

CONTEXTUAL = RULES.with_profile("contextual")
GH = "git_protocol: https\npager:\naliases:\n    co: pr checkout\n    go: {}\n"


def verdict(command, name, text):
    machine = Machine({f"{HOME}/{name}": text})
    return assess(Call("Bash", {"command": command}, ROOT), PLACE, machine, CONTEXTUAL)


@for_each(
    ("command", "file", "text", "acts", "calm"),
    [
        ("gh go", ".config/gh/config.yml", GH, "release delete --yes v1", "release list"),
        (
            "gh go",
            ".config/gh/config.yml",
            GH,
            "'!gh api -X DELETE repos/a/b'",
            "'!gh api repos/a/b | jq .name'",
        ),
        ("cargo go", ".cargo/config.toml", '[alias]\ngo = "{}"\n', "publish", "build --release"),
        (
            "cargo go",
            ".cargo/config.toml",
            "[alias]\ngo = [{}]\n",
            '"publish", "-q"',
            '"test", "-q"',
        ),
        ("hg go", ".hgrc", "[ui]\nusername = Ann\n[alias]\ngo = {}\n", "push -f", "log -l 3"),
        ("jj go", ".config/jj/config.toml", "[aliases]\ngo = [{}]\n", '"git", "push"', '"log"'),
    ],
)
def test_an_alias_is_judged_by_what_it_stands_for(command, file, text, acts, calm):
    found = verdict(command, file, text.format(acts))
    assert found.effect != "allow"
    assert found.findings[0].source.startswith(f"{HOME}/{file}:")
    assert verdict(command, file, text.format(calm)).effect == "allow"


@for_each(
    ("command", "text"),
    [
        ("gh co 5", GH.format("release delete v1")),
        ("gh go", "aliases: &x\n    go: release delete v1\n"),
        ("gh go", "aliases: [go]\n"),
        ("gh go", ": {\n"),
        ("gh", GH.format("release delete v1")),
        ("gh pr list --search go", GH.format("release delete v1")),
    ],
)
def test_other_commands_and_files_that_cannot_be_read_ask_nobody(command, text):
    assert verdict(command, ".config/gh/config.yml", text).effect == "allow"


@for_each(
    ("command", "is_calm"),
    [
        ("gh alias set co '!gh repo delete a/b' && gh co", False),
        ("gh alias set --shell co 'gh repo delete a/b'; gh co", False),
        ("gh alias set co 'repo delete'; gh co a/b --yes", False),
        ("gh alias set co 'pr checkout' && gh co 5", True),
        ("gh alias set co '!ls' && gh co", True),
        ("gh alias set stop 'repo delete' && gh co 5", True),
    ],
)
def test_an_alias_that_the_line_sets_is_judged_where_it_is_used(command, is_calm):
    assert (verdict(command, ".config/gh/config.yml", "aliases: {}\n").effect == "allow") == is_calm
