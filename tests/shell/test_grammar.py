"""The tree of compound statements: what belongs to what, and where a word is reserved."""

from __future__ import annotations

import pytest
from tests.tables import for_each

from operators_edge.shell.evaluate import parse
from operators_edge.shell.grammar import MAX_TREE, ParseError, Statement, read_statements
from operators_edge.shell.quoting import mask


def shape(text: str) -> str:
    masked = mask(text).masked
    return show(text, read_statements(masked))


def show(text: str, node: Statement) -> str:
    if node.kind == "simple":
        return text[node.start : node.end]
    inside = " ".join(show(text, part) for part in node.parts)
    one = len(node.parts) == 1 and node.kind in {"list", "group"}
    return inside if one else f"{node.kind}[{inside}]"


@for_each(
    ("text", "expected"),
    [
        ("a; b", "list[a b]"),
        ("a | b |& c && d", "list[pipeline[a b c] d]"),
        ("( a; b ) > f", "redirected[subshell[list[a b]]]"),
        ("{ a; } 2>&1 >f <g", "redirected[a]"),
        ("if a; then b; elif c; then d; else e; fi", "if[a b c d e]"),
        ("while a; do b; done <f", "redirected[while[a b]]"),
        ("for x in a b; do c; done", "for[c]"),
        ("for x; do c; done", "for[c]"),
        ("for x do c; done", "for[c]"),
        ("for ((;;)) { c; }", "for[c]"),
        ("select x in a\ndo c; done", "for[c]"),
        ("case x in a|b) c;; (d) e;& *) f; esac", "case[item[c] item[e] item[f]]"),
        ("case x in a) ;; esac", "case[item[list[]]]"),
        ("f() { a; }; b", "list[function[a] b]"),
        ("function f { a; } >g", "function[redirected[a]]"),
        ("function f () ( a )", "function[subshell[a]]"),
        ("! { a; }", "a"),
        ("time -p ( a )", "subshell[a]"),
        ("coproc name { a; }", "coproc[a]"),
        ("coproc { a; }", "coproc[a]"),
        ("repeat 3 { a; }", "a"),
        ("! a | b", "pipeline[! a b]"),
        ("echo if then fi done }", "echo if then fi done }"),
    ],
)
def test_statements_are_read_as_bash_reads_them(text, expected):
    assert shape(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{ while a; do b; done }", "while[a b]"),
        ("if ( a ) then b; fi", "if[subshell[a] b]"),
        ("if [[ a ]] then b; fi", "if[[[ a ]] b]"),
        ("if (( a )) 2>f then b; fi", "if[(( a )) 2>f b]"),
        ("while a; do if b; then c; fi done", "while[a if[b c]]"),
        ("for x in a; do ( b ) done", "for[subshell[b]]"),
        ("{ { a; } }", "a"),
        ("f() { case x in y) z;; esac }", "function[case[item[z]]]"),
    ],
)
def test_a_word_is_reserved_after_a_compound_statement(text, expected):
    assert shape(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "if a; then b",
        "then a",
        "( a",
        "a )",
        "{ a; ",
        "for x in a; b; done",
        "case x in a b) c;; esac",
        "find . ( -name a )",
        "( a ) b",
        "if a; then b; fi c",
        "while a; b; done",
    ],
)
def test_what_bash_refuses_has_no_tree(text):
    with pytest.raises(ParseError):
        shape(text)


def test_nesting_is_bounded():
    shape("( " * MAX_TREE + "a" + " )" * MAX_TREE)
    with pytest.raises(ParseError) as error:
        shape("( " * (MAX_TREE + 1) + "a" + " )" * (MAX_TREE + 1))
    assert error.value.is_too_deep


@pytest.mark.parametrize(
    "text", ["ls !(*.c|b)", "rm -r foo!(a)bar", "shopt -s extglob; ls -d !(a)"]
)
def test_a_pattern_after_a_word_is_no_subshell(text):
    script = parse(text)
    assert not script.problems
    assert script.commands[-1].argv[-1].text.endswith(text.split()[-1])


@pytest.mark.parametrize("text", ["!(rm -rf x)", "a && !(rm -rf x)", "if !(rm -rf x); then b; fi"])
def test_a_negated_subshell_is_no_pattern(text):
    assert ["rm", "-rf", "x"] in [
        [word.text for word in command.argv] for command in parse(text).commands
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ls file(rm -rf x) b", []),
        ("fish -c 'ls file(rm -rf x) b'", [["rm", "-rf", "x"]]),
    ],
)
def test_a_parenthesis_within_a_word_is_a_pattern_in_zsh_and_a_substitution_in_fish(text, expected):
    script = parse(text)
    assert not script.problems
    found = [[word.text for word in command.argv] for command in script.commands]
    assert [one for one in found if one[0] != "ls"] == expected
