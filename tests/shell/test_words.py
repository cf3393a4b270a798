"""Parameters, arrays and braces: the words that a raw word becomes."""

import pytest
from tests.tables import for_each

from operators_edge.shell.commands import HOLE
from operators_edge.shell.evaluate import parse


def words(text):
    return [word.text for word in parse(text).commands[-1].argv[1:]]


@for_each(
    ("text", "expected"),
    [
        ("x=a.b.c; echo ${x#*.} ${x##*.} ${x%.*} ${x%%.*}", ["b.c", "c", "a.b", "a"]),
        ("x=abc; echo ${x#z} ${x%z} ${x#a} ${x%c} ${x#*z}", ["abc", "abc", "bc", "ab", "abc"]),
        ("x=abc; echo a${x##*} b${x%%*} ${x#*}", ["a", "b", "abc"]),
        ("x=abc; echo ${x#?} ${x#[a]} ${x#*a*}", [HOLE, HOLE, HOLE]),
        (
            "x=aXa; echo ${x/a/b} ${x//a/b} ${x/a} ${x/#a/b} ${x/a*/b}",
            ["bXa", "bXb", "Xa", HOLE, HOLE],
        ),
        ("x=aBc; echo ${x^} ${x^^} ${x,,} ${x^a} ${x@Q}", ["ABc", "ABC", "abc", HOLE, "'aBc'"]),
        ("x=abcd; echo ${x:1} ${x:1:2} ${x: -2} ${x:$n}", ["bcd", "bc", "cd", HOLE]),
        ("x=v; echo ${x:-w} ${x:+w} ${x-w}; ", ["v", "w", "v"]),
        ("unset x; echo ${x:-w} a${x:+w} ${x:=y} $x", ["w", "a", "y", "y"]),
        ("echo ${x:-w} ${#x} ${x#a} ${!x}", [HOLE] * 4),
        ("x=y; y=rm; echo ${!x} ${#y}", ["rm", "2"]),
        ("x='a b'; echo ${!x} ${x.y}", [HOLE, HOLE]),
        ('x=a; echo "$\'x\' $" "$x"', ["$'x' $", "a"]),
        ("echo $((7)) $((x+1)) $(( 1 + 1 ))", ["7", HOLE, HOLE]),
        (r"echo $'\cA\u0041\U00000042\x43\q'", ["\x01ABC\\q"]),
    ],
)
def test_a_parameter_with_an_operator_is_computed_if_its_value_is_known(text, expected):
    assert words(text) == expected


@for_each(
    ("text", "expected"),
    [
        ("a=(x y z); echo ${#a[@]} ${a[1]} ${a[-1]} b${a[7]}", ["3", "y", "z", "b"]),
        ("a=(x y z); echo ${a[@]:1} ${a[@]:0:1} ${a[-9]} ${a[i]}", ["y", "z", "x", HOLE, HOLE]),
        ("a=(x [5]=y z); echo ${!a[@]}", ["0", "5", "6"]),
        ("a=([$i]=x); echo ${a[0]}", [HOLE]),
        ("a=x; a[1]=y; echo ${a[0]} ${a[@]}", ["x", "x", "y"]),
        ("a=x; echo ${a[0]} b${a[1]}", ["x", "b"]),
        ("a=(x); a[$i]=y; echo ${a[0]}", [HOLE]),
        ("a=(x); a+=(y); a[0]+=z; echo ${a[@]}", ["xz", "y"]),
        ("declare -A m=([k]=v); echo ${m[k]} ${m[$i]}", ["v", HOLE]),
        ("a=(); echo b${a[0]}", ["b"]),
        ("set -- x y z; echo ${@:2} ${@:1:1} ${@:0}", ["y", "z", "x", HOLE]),
        ('set -- x y; echo "$@" "$*" "a$@b"', ["x", "y", "x y", "ax", "yb"]),
        ('set -- x y; echo "${@:-z}" ${@-z}', ["x", "y", "x", "y"]),
        ('set --; a=(); echo "${@:-z}" ${@-z} "${a[@]:-u v}"', ["z", "z", "u v"]),
        ('set -- ""; echo "${@:-z}" a"${@-z}"', ["z", "a"]),
    ],
)
def test_elements_of_arrays_and_arguments_are_known_one_by_one(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("echo {3..1} {a..c}", ["3", "2", "1", "a", "b", "c"]),
        ("echo {a,{b,c}d}e", ["ae", "bde", "cde"]),
        ("echo {1..999}", [HOLE]),
        ("echo " + "{a,b}" * 7, [HOLE]),
        ("echo " + "{a," * 9 + "b" + "}" * 9, ["a"] * 8 + [HOLE]),
        ("echo " + "{" * 65, [HOLE]),
        ("echo a'{b,c}'", ["a{b,c}"]),
    ],
)
def test_braces_become_words_within_a_bound(text, expected):
    assert words(text) == expected
