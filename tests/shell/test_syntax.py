"""How a text's time grows with its length, whatever it repeats; loops and functions without an end."""

import pytest
from tests.gate.disk.test_follow import judged
from tests.growth import is_linear
from tests.tables import for_each

from operators_edge.shell.evaluate import Evaluator, parse
from operators_edge.shell.syntax import _unsettles

PIECES = [
    *("x = [[", "declare ", "declare a -", "trap ", "trap x DEBU ", "trap x; kil ", "((", "((b "),
    *("${a[", "a=", "a=b,", "[[ ", "\n", "return ", "then break "),
]


@pytest.mark.parametrize("form", ["{}", "python3 -c '{}'", 'echo "{}"'])
@pytest.mark.parametrize("piece", PIECES)
def test_a_text_costs_its_length_and_not_its_square(piece, form):
    def evaluate(length):
        Evaluator({}).evaluate(form.format(piece * (length // len(piece))))

    evaluate(100)
    assert is_linear(evaluate, 16_000)


@pytest.mark.parametrize("piece", ["qx(", "qx["])
def test_brackets_in_brackets_cost_their_number_and_not_its_square(piece):
    def evaluate(length):
        Evaluator({}).evaluate(f"perl -e '{piece * (length // len(piece))}'")

    evaluate(100)
    assert is_linear(evaluate, 8_000)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "declare -i x",
            "local a -u b",
            "declare a; declare -l b",
            "trap 'x' DEBUG",
            "shopt -s lastpipe",
        ),
        *(
            "trap f USR1; kill -USR1 $$",
            "trap trap ERR",
            "(( x = 1 ))",
            "((a)); (( i++ ))",
            "(( ((j++)) ))",
        ),
        *(
            "echo ${a[i=1]}",
            "echo ${a[${b[j+=1]}]}",
            "[[ a -eq x=1 ]]",
            "[[ [[ == y+=2 ]]",
            "declare $x",
        ),
        *(
            "IFS=: read a b",
            "x=1;y=2 read z",
            "(a=1 mapfile b)",
            "a=b=c eval d",
            "time x=1",
            "let x",
            "wait -n",
        ),
    ],
)
def test_what_may_give_a_variable_another_value_is_noticed(text):
    assert _unsettles(text)


@pytest.mark.parametrize(
    "text",
    [
        "kill 1; trap f EXIT",
        "a=1 make read",
        "read a b",
        "[[ a == b ]]",
        "echo ${a[1]}",
        "declare -r x",
        "(( a == b ))",
    ],
)
def test_what_changes_no_variable_unsettles_nothing(text):
    assert not _unsettles(text)


@for_each(
    "text",
    [
        "again() { again & again & }; again",
        'again() { again "$@" & }; again x',
        "while true; do ./serve & done",
        "until false; do (./serve) & ./other & done",
        "for ((;;)); do ./serve & done",
    ],
)
def test_what_starts_itself_without_an_end_is_endless(text):
    assert any("endless" in one.through for one in parse(text).commands)


@for_each(
    "text",
    [
        'down() { [ "$1" = 0 ] || down $(($1 - 1)) & }; down 3',
        'walk() { for d in "$1"/*/; do walk "$d" & done; wait; }; walk src',
        "while true; do ./serve & wait; done",
        "while read -r x; do ./serve $x & done",
        "for ((i = 0; i < 3; i++)); do ./serve & done",
        "again() { ./serve & }; again; again",
    ],
)
def test_what_ends_or_waits_is_not_endless(text):
    assert not any("endless" in one.through for one in parse(text).commands)


DRY = (
    "DRY=1\n{}\nrun() {{ if [ $DRY = 1 ]; then echo $*; else $@; fi; }}\n"
    "run git push --force origin main\n"
)


@for_each(
    ("loop", "command", "effect"),
    [
        ('for a in "$@"; do case $a in --go) DRY=0 ;; esac; done', "sh x.sh", "allow"),
        ("for a; do if [ $a = --go ]; then DRY=0; fi; done", "sh x.sh", "allow"),
        ('for a in "$@"; do case $a in --go) DRY=0 ;; esac; done', "sh x.sh --go", "junction"),
        ('for a in "$@"; do case $a in --go) DRY=0 ;; esac; done', 'sh x.sh "$MODE"', "junction"),
        ('for a in "$@" --go; do case $a in --go) DRY=0 ;; esac; done', "sh x.sh", "junction"),
        ("for a in $MODE; do case $a in --go) DRY=0 ;; esac; done", "sh x.sh", "junction"),
        ("for ((a = 0; a < 1; a++)); do DRY=0; done", "bash x.sh", "junction"),
        ("for a in; do :; done; for a in x; do DRY=0; done", "sh x.sh", "junction"),
        ("set -- --go\nfor a; do case $a in --go) DRY=0 ;; esac; done", "sh x.sh", "junction"),
        ("f() {{ for a; do DRY=0; done; }}\nf --go", "sh x.sh", "junction"),
    ],
)
def test_a_loop_over_the_arguments_does_not_run_without_any(loop, command, effect):
    files = {"x.sh": DRY.format(loop.replace("{{", "{").replace("}}", "}"))}
    assert judged(command, files, committed=files).effect == effect
