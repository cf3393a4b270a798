"""Aliases and functions of the files that a shell reads first are judged where they are called."""

from __future__ import annotations

from tests.gate.example_project import HOME, PLACE, ROOT, RULES, Machine
from tests.tables import for_each

from operators_edge.gate.decide import assess
from operators_edge.gate.disk import definitions
from operators_edge.model import Call

CONTEXTUAL = RULES.with_profile("contextual")
APPLIES = "alias tf='terraform -chdir=infra'\nalias go='tf apply -auto-approve'\n"
CHECKS = "alias tf='terraform -chdir=infra'\nalias go='tf fmt -check'\n"
WIPES = 'go() {\n  rm -rf "$HOME/photos"\n}\n'
LISTS = 'go() {\n  ls "$HOME/photos"\n}\n'
USUAL = """\
case $- in
    *i*) ;;
      *) return;;
esac
[ -x /usr/bin/lesspipe ] && eval "$(SHELL=/bin/sh lesspipe)"
if [ -x /usr/bin/dircolors ]; then
    test -r ~/.dircolors && eval "$(dircolors -b ~/.dircolors)" || eval "$(dircolors -b)"
    alias ls='ls --color=auto'
fi
alias rm='rm -i' k=kubectl
mkcd() { mkdir -p "$1" && cd "$1"; }
if [ -f ~/.bash_aliases ]; then
    . ~/.bash_aliases
fi
export NVM_DIR="$HOME/.nvm"
[ -s "$NVM_DIR/nvm.sh" ] && \\. "$NVM_DIR/nvm.sh"
"""


def verdict(command, files):
    named = {name.replace("~", HOME): text for name, text in files.items()}
    named = {name if name[0] == "/" else f"{ROOT}/{name}": text for name, text in named.items()}
    return assess(Call("Bash", {"command": command}, ROOT), PLACE, Machine(named), CONTEXTUAL)


@for_each(
    ("command", "file"),
    [
        ("bash -ic go", "~/.bashrc"),
        ("bash -i -c go", "~/.bashrc"),
        ("bash -ci go", "~/.bashrc"),
        ("bash -lic 'go'", "~/.bashrc"),
        ("bash -ic 'cd . && go -json'", "~/.bashrc"),
        ("echo go | bash -i", "~/.bashrc"),
        ("sudo -u ann bash -ic go", "~/.bashrc"),
        ("zsh -ic go", "~/.zshrc"),
        ("zsh -c go", "~/.zshenv"),
        ("bash --rcfile tools/rc -ic go", "tools/rc"),
        ("ENV=tools/rc sh -ic go", "tools/rc"),
        ('ENV="$PWD/tools/rc" sh -ic go', "tools/rc"),
    ],
)
def test_an_alias_of_a_file_that_the_shell_reads_first_is_judged_by_its_text(command, file):
    assert verdict(command, {file: APPLIES}).effect == "junction"
    assert verdict(command, {file: CHECKS}).effect == "allow"


@for_each(
    ("command", "file"),
    [
        ("bash -ic go", "~/.bashrc"),
        ("bash -lc go", "~/.bash_profile"),
        ("bash --login -c go", "~/.profile"),
        ("zsh -lc go", "~/.zprofile"),
        ("sh -lc go", "~/.profile"),
        ("BASH_ENV=tools/rc bash -c go", "tools/rc"),
    ],
)
def test_a_function_of_such_a_file_is_judged_where_it_is_called(command, file):
    assert verdict(command, {file: WIPES}).effect != "allow"
    assert verdict(command, {file: LISTS}).effect == "allow"


def test_files_that_it_sources_are_read_and_the_finding_names_their_line():
    files = {"~/.bashrc": USUAL, "~/.bash_aliases": f"# mine\n{WIPES}"}
    found = verdict("bash -ic go", files)
    assert {one.source for one in found.findings} == {f"{HOME}/.bash_aliases:3"}
    assert verdict("bash -ic go", {**files, "~/.bash_aliases": LISTS}).effect == "allow"


@for_each(
    "command",
    [
        "bash -ic 'npm test'",
        "bash -ic 'nvm use 18 && npm run build'",
        "bash -ic 'k get pods; ls; mkcd build'",
        "bash -c go",
        "bash -lc 'make'",
        "sh -ic go",
    ],
)
def test_other_commands_of_such_a_shell_ask_nobody(command):
    assert verdict(command, {"~/.bashrc": f"{USUAL}{APPLIES}rm -rf ~/photos\n"}).effect == "allow"


def test_one_alias_may_use_another_from_another_file():
    files = {"~/.bashrc": f"{USUAL}alias tf='terraform -chdir=infra'\n"}
    applies = {"~/.bash_aliases": "alias go='tf destroy -auto-approve'\n"}
    assert verdict("bash -ic go", {**files, **applies}).effect == "junction"
    assert verdict("bash -ic 'k delete ns prod'", files).effect == "junction"


def test_functions_and_aliases_of_fish_are_found():
    start, file = "~/.config/fish/config.fish", "~/.config/fish/functions/go.fish"
    body = "function go\n    rm -rf ~/photos\nend\n"
    assert verdict("fish -c go", {start: body}).effect != "allow"
    assert verdict("fish -c go", {file: body}).effect != "allow"
    assert verdict("fish -c go", {start: "alias go 'git push --force'\n"}).effect != "allow"
    assert verdict("fish -c go", {start: "alias go 'git status'\n"}).effect == "allow"


def test_only_definitions_are_left_of_a_text_at_their_lines():
    found = definitions.of_text(
        "rm x\nf() { a; }; ls\nif b; then alias c='d e' f=g\nfi\nX=1\nY=$(h)\n"
    )
    assert found.functions == {"f": 2}
    assert found.aliases == {"c": 3, "f": 3}
    kept = [one.strip() for one in found.text.split("\n")]
    assert kept == ["", "f() { a; };", "alias c='d e' f=g", "", "X=1", "", ""]


def test_a_text_that_cannot_be_parsed_still_has_its_aliases():
    assert definitions.of_text("if x\nalias a='b c'\n").aliases == {"a": 2}
