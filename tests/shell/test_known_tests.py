"""A test of a shell counts only where its answer is certain; whatever may change it keeps both branches."""

from __future__ import annotations

from tests.tables import for_each

from operators_edge.shell.evaluate import parse

SKIPPED = [
    "M=a; if [ $M = b ]; then rm x; fi",
    "M=a; if [ $M = a ]; then :; else rm x; fi",
    'M=a; [[ "$M" == b ]] && rm x',
    "M=a; [ $M = a ] || rm x",
    "M=a; [ $M = b ] && true && rm x",
    "M=a; case $M in b|c) rm x;; a) ls;; *) rm x;; esac",
    "M=a; case $M in b) rm x;; esac",
    "N=2; test $N -eq 3 && rm x",
    "M=a; [[ ! $M = a ]] && rm x",
    'M=; [ -n "$M" ] && rm x',
    "f() { if [ $1 = b ]; then rm x; fi; }; f a",
]
KEPT = [
    "M=a; if [ $M = a ]; then rm x; fi",
    "M=a; [ $M = b ] && ls || rm x",
    "M=a; [ $M = b ] || rm x",
    "[ $M = b ] && rm x",
    '[ "${M:-a}" = b ] && rm x',
    "M=a; [ $M = $N ] && rm x",
    "M=a; [ -f $M ] && rm x",
    "M=a; case $N in b) rm x;; esac",
    "M=a; case $M in $N) rm x;; esac",
    "M=a; case $M in a) ls;& b) rm x;; esac",
    "M=a; case ${N:-a} in b) rm x;; esac",
    "M=a; if [ $M = b ]; then ls; elif true; then rm x; fi",
    "declare -u M; M=b; [ $M = b ] || rm x",
    "typeset -i N=5; N=2+3; [ $N = 5 ] && rm x",
    "RANDOM=1; [ $RANDOM = 1 ] || rm x",
    "M=a; . ./lib.sh; [ $M = a ] || rm x",
    'M=a; eval "$Y"; [ $M = a ] || rm x',
    "M=a; $Y; case $M in b) rm x;; esac",
    "test() { :; }; M=a; test $M = b && rm x",
    "alias test=true; M=a; test $M = b && rm x",
    "M=a; read M < f; [ $M = a ] || rm x",
    "M=a; ((M=5)); [ $M = a ] || rm x",
    "M=a; wait -p M; [ $M = a ] || rm x",
    'M=a; trap "M=b" USR1; kill -USR1 $$; [ $M = a ] || rm x',
    "M=a; mktemp | read M; shopt -s lastpipe; [ $M = a ] || rm x",
    "shopt -s nocasematch; M=a; case $M in A) rm x;; esac",
    "M=a; source <(echo M=b); [ $M = a ] || rm x",
]


def runs(text):
    return [[word.text for word in one.argv] for one in parse(text).commands]


@for_each("text", SKIPPED)
def test_a_branch_that_is_certainly_not_taken_runs_nothing(text):
    assert ["rm", "x"] not in runs(text)


@for_each("text", KEPT)
def test_a_branch_that_may_be_taken_counts(text):
    assert ["rm", "x"] in runs(text)


def test_words_that_a_certain_branch_adds_are_known():
    text = (
        'a=(-a)\nP=1\n[ $P = 1 ] && a+=(-n)\nif [[ $P == 2 ]]; then\na+=(-x)\nfi\nrsync "${a[@]}"'
    )
    assert runs(text)[-1] == ["rsync", "-a", "-n"]


# end of module
