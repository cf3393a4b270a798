"""Values that bash expands a second time: in arithmetic, as the name of an element, as a prompt."""

import pytest
from tests.tables import for_each

from operators_edge.shell.commands import HOLE
from operators_edge.shell.evaluate import parse

VALUE = "'x[$(rm -rf /)]'"
SET = f"a={VALUE}; "


def runs_rm(text):
    return ["rm", "-rf", "/"] in [[word.text for word in one.argv] for one in parse(text).commands]


@for_each(
    "text",
    [
        SET + "echo $((a))",
        SET + "echo $((1 + b[a]))",
        SET + "echo $[a]",
        SET + "b=a; ((b++))",
        SET + "b=(1 a); ((b))",
        SET + "for ((i=a; i<1; i++)); do :; done",
        SET + "[[ 1 -eq a ]]",
        SET + '[[ "$a" -lt 3 && -n x ]]',
        SET + "let b=a+1",
        SET + "declare -i b=a",
        SET + "declare -i b; b+=a",
        SET + "declare -i b; if true; then b=a; fi",
        SET + "b[a]=1",
        SET + "echo ${b[a]}",
        SET + "echo ${b[c[a]]}",
        SET + "b=abc; echo ${b:a:1}",
        SET + 'set -- b c; echo "${@:a}"',
        SET + "echo ${!a}",
        SET + "declare -n r; r=a; echo $((r))",
        *(
            f"{builtin} {VALUE}"
            for builtin in ("let", "read", "unset", "wait -p", "mapfile", "getopts ab", "test -v")
        ),
        f"printf -v {VALUE} 1",
        f"[[ -v {VALUE} ]]",
        f"declare {VALUE[:-1]}=1'",
        f"declare -n r={VALUE}",
        "a='$(rm -rf /)'; echo ${a@P}",
        "a=(b '$(rm -rf /)'); echo ${a[@]@P}",
        "a='rm -rf /'; eval eval ${a@Q}",
        r"a='rm\x20-rf\x20/'; ${a@E}",
        "PS4='$(rm -rf /)'; set -x; ls",
        "PS0='`rm -rf /`' bash -i",
        "declare -n r; r=v; v='rm -rf /'; $r",
        "mapfile -C 'rm -rf / #' -c 1 x < f",
        "mapfile -C'rm -rf / #' x < f",
        "compgen -C 'rm -rf /' x",
        "complete -W '$(rm -rf /)' ls",
        "bind -x '\"\\C-t\": rm -rf /'",
        "hash -lp /bin/rm ls; ls() { /bin/rm -rf /; }; alias b='rm -rf /'; b",
        "repeat 3 rm -rf /",
        "repeat 3 { rm -rf /; }",
    ],
)
def test_what_bash_runs_when_it_expands_a_value_again_is_found(text):
    assert runs_rm(text)


@pytest.mark.parametrize(
    "text",
    [
        SET + 'echo "$a"',
        SET + "[[ $a == b ]]",
        SET + "test -n $a",
        f"git commit -m {VALUE}",
        f"printf %s {VALUE}",
        f"export b={VALUE}",
        "a='$(rm -rf /)'; echo ${a@Q}",
        "echo $[",
        "echo \"a$[b\" ']'",
        "compgen -f x",
        "bind -p",
    ],
)
def test_a_value_that_is_only_passed_on_runs_nothing(text):
    assert not runs_rm(text)


def test_a_program_can_be_named_by_hash_and_by_a_reference_that_is_set_later():
    assert [one.argv[0].text for one in parse("hash -lp /bin/rm ls; ls x").commands][1:] == [
        "/bin/rm",
        "ls",
    ]
    text = "declare -n r; r='not a name'; echo $r"
    assert parse(text).commands[-1].argv[1].text == HOLE


def test_values_that_expand_to_themselves_are_not_followed_for_ever():
    for text in ("a='${a@P}'; echo ${a@P}", "a='a[$((a))]'; echo $((a))"):
        assert [one.kind for one in parse(text).problems] == ["too-deep"], text


@for_each(
    "text",
    [
        "while IFS= read -r v; do $v x; done < f",
        "while IFS='=' read -r k v; do t=$v; done; $t x",
        "while y; do IFS=$z; v=$z; $v x; done",
    ],
)
def test_unknown_words_stay_where_a_loop_sets_what_separates_them(text):
    assert [HOLE, "x"] in [[word.text for word in one.argv] for one in parse(text).commands]


def test_a_known_value_is_unknown_where_it_may_be_split_anywhere():
    runs = [
        [word.text for word in one.argv]
        for one in parse("while x; do IFS=$y; v=a:b; $v; done").commands
    ]
    assert [HOLE] in runs
    assert ["a:b"] not in runs
