"""A loop with ``getopts`` runs once for each option that the words of the script have."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

from operators_edge.shell.commands import HOLE
from operators_edge.shell.getopts import options


def letters(spec, *words):
    found = options(spec, words)
    return found and [(one.letter, one.value) for one in found[0]]


def test_options_are_read_as_the_shell_does():
    assert letters("ab:", "-a", "-b", "x", "-a") == [("a", None), ("b", "x"), ("a", None)]
    assert letters("ab:", "-abx", "y") == [("a", None), ("b", "x")]
    assert letters("ab:", "-a", "--", "-b", "x") == [("a", None)]
    assert letters("ab:", "y", "-a") == []
    assert letters("ab:", "-z", "-b") == [("?", None), ("?", None)]
    assert letters(":ab:", "-z", "-b") == [("?", "z"), (":", "b")]
    assert letters("a", HOLE) is None
    assert letters("a", "-a", "x", HOLE) == [("a", None)]


def test_the_first_word_that_is_no_option_is_known():
    assert options("ab:", ["-a", "-b", "x", "y"])[1] == 4
    assert options("ab:", ["-abx", "y"])[1] == 2
    assert options("ab:", ["-a", "--", "y"])[1] == 3


SCRIPT = """{before}dry=1
while getopts {spec} opt; do
    case $opt in
        v) version=$OPTARG ;;
        n) dry=1 ;;
        y) dry=0 ;;
        *) exit 2 ;;
    esac
done
{after}run() {
    echo "$@"
    if [ "$dry" -eq 0 ]; then "$@"; fi
}
run git push origin "v$version"
"""


def effect(command, before="", after="", spec='"v:ny"', script=SCRIPT):
    text = script.replace("{before}", before).replace("{after}", after).replace("{spec}", spec)
    return judged(command, {"x.sh": text}, committed=("x.sh",)).effect


@for_each("words", ["-v 1", "-v 1 -n", "-nv1", "-v y", "-v 1 -- -y", "-v 1 y -y"])
def test_a_dry_run_that_options_choose_is_silent(words):
    assert effect(f"bash x.sh {words}") == "allow"


@for_each("words", ["-v 1 -y", "-yv1", "-ny", "-y", '-v 1 "$MODE"', "$MODE"])
def test_a_run_that_options_choose_is_judged(words):
    assert effect(f"bash x.sh {words}") == "junction"


@for_each(
    ("before", "after", "spec"),
    [
        ("", "dry=0\n", '"v:ny"'),
        ("", "if [ -f live ]; then dry=0; fi\n", '"v:ny"'),
        ("", "", '"$SPEC"'),
        ("OPTIND=3\n", "", '"v:ny"'),
        ("set -- -y\n", "", '"v:ny"'),
        ('set -- "$@" $MORE\n', "", '"v:ny"'),
        ("getopts() { opt=y; }\n", "", '"v:ny"'),
        (". ./$MODE.sh\n", "", '"v:ny"'),
        ("", "eval $MODE\n", '"v:ny"'),
        ("", "trap 'dry=0' DEBUG\n", '"v:ny"'),
    ],
)
def test_a_dry_run_that_something_may_change_is_judged(before, after, spec):
    assert effect("bash x.sh -v 1", before, after, spec) == "junction"


def test_a_loop_in_a_function_has_the_words_of_its_call():
    body = SCRIPT.replace("{after}", "}\nmain WORDS\n").replace("{before}", "main() {\n")
    assert effect("bash x.sh -y", script=body.replace("WORDS", '"$@"')) == "junction"
    assert effect("bash x.sh -v 1", script=body.replace("WORDS", '"$@"')) == "allow"
    assert effect("bash x.sh -v 1", script=body.replace("WORDS", "-y")) == "junction"


def test_a_body_that_shifts_the_words_is_not_followed():
    shifting = SCRIPT.replace("n) dry=1 ;;", "n) shift ;;")
    assert effect("bash x.sh -n -n -y", script=shifting) == "junction"


@for_each(
    ("command", "before", "skips"),
    [
        ("bash x.sh -v *", "", "dry=1"),
        ("bash x.sh -v 1 *", "", "dry=1"),
        ("zsh x.sh +y", "", "dry=1"),
        ("bash x.sh -n -v -y", "skip() { OPTIND=$((OPTIND+1)); }\n", "skip"),
        ("bash x.sh -n -v -y", 'skip() { eval "$MORE"; }\n', "skip"),
        ("set -- -y; . ./x.sh", "", "dry=1"),
        ("bash -c '. ./x.sh' x -y", "", "dry=1"),
    ],
)
def test_words_that_may_be_other_options_are_not_known(command, before, skips):
    script = SCRIPT.replace("n) dry=1", f"n) {skips}")
    assert effect(command, before, script=script) == "junction"
