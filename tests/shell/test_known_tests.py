"""A test of a shell counts only where its answer is certain; whatever may change it keeps both branches."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from tests.tables import for_each

from operators_edge.shell.evaluate import parse

SHELL = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")

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
    "M=a; if [ $M = a ]; then ls; exit 0; fi; rm x",
    "M=a; [ $M = a ] && { ls; exit; }; rm x",
    "M=a; case $M in a) exit 0;; esac; rm x",
    'cd "$(dirname "$0")"; ls; exit; rm x',
    "M=false; if $M; then rm x; fi",
    'M=true; "$M" || rm x',
    "M=true; if ! ${M}; then rm x; fi",
    "M=a; if ! [ $M = a ]; then rm x; fi",
    "if [ 'a' = 'b' ]; then rm x; fi",
    "[[ a == b ]] && rm x",
    "case a in b) rm x;; esac",
    "M=a; ls | while read -r l; do [ $l = b ] && continue; [ $M = a ] || rm x; done",
    "M=a; for l in $(ls); do [ $l = b ] && break; [ $M = a ] || rm x; done; [ $M = a ] || rm x",
]
KEPT = [
    "[[ 010 -eq 10 ]] || rm x",
    "[[ 18446744073709551617 -eq 1 ]] && rm x",
    "[ \u0661 -eq 1 ] || rm x",
    "[ a == a ] || rm x",
    "[[ a = a ]] || rm x",
    "bash -c true; sh -c '[ a == a ] || rm x'",
    "zsh -c '[ =ls = /bin/ls ] && rm x'",
    "case ~/a in ~/*) rm x;; esac",
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
    "shopt -s nocasematch; case a in A) rm x;; esac",
    "alias test=true; test a = b && rm x",
    "[() { :; }; [ a = b ] && rm x",
    "[ a = b ] || rm x",
    "[ a ] && rm x",
    "case a in [a-c]) rm x;; esac",
    "case a in b|$(echo a)) rm x;; esac",
    "M=a; source <(echo M=b); [ $M = a ] || rm x",
    "if [ -f a ]; then exit; fi; rm x",
    "ls || exit 1; rm x",
    "(exit); rm x",
    "exit & rm x",
    "exit() { :; }; exit; rm x",
    "f() { exit; }; ls && f; rm x",
    "while read l; do exit; done; rm x",
    'tail -n +3 "$0" | sh; exit\nrm x',
    "f=$0; sed 1d $f | sh; exit\nrm x",
    "sh < $0; exit\nrm x",
    "trap 'rm x' EXIT; exit",
    "if $M; then rm x; fi",
    "M=true; if $M $N; then rm x; fi",
    "if ${M:-false}; then rm x; fi",
    "M=false; if ! $M; then rm x; fi",
    "M=nope; if $M; then :; else rm x; fi",
]


def runs(text, *, is_program=True):
    found = parse(text, is_program=is_program)
    return [[word.text for word in one.argv] for one in found.commands]


@for_each("text", SKIPPED)
def test_a_branch_that_is_certainly_not_taken_runs_nothing(text):
    assert ["rm", "x"] not in runs(text)


@for_each("text", KEPT)
def test_a_branch_that_may_be_taken_counts(text):
    assert ["rm", "x"] in runs(text)


@for_each("text", SKIPPED)
def test_on_a_line_both_branches_count_whatever_its_variables_say(text):
    assert ["rm", "x"] in runs(text, is_program=False)


with open(
    os.path.join(os.path.dirname(__file__), "scripts_that_act.txt"), encoding="utf-8"
) as file:
    ACTING = file.read().strip("\n").split("\n\n")


@for_each("text", ACTING)
def test_a_script_that_acts_in_bash_is_read_to_act(text):
    assert any(each[:1] == ["act"] for each in runs(text))
    assert any(each[:1] == ["act"] for each in runs(text, is_program=False))


@SHELL
@pytest.mark.long
@for_each("text", ACTING)
def test_these_scripts_act_in_a_real_bash(text, tmp_path):
    program = tmp_path / "act"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/acted\n")
    program.chmod(0o755)
    env = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    subprocess.run(
        ["bash", "-c", text],
        cwd=tmp_path,
        env=env,
        timeout=20,
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
    )
    assert (tmp_path / "acted").exists(), text
    (tmp_path / "acted").unlink()


def test_words_that_a_certain_branch_adds_are_known():
    text = (
        'a=(-a)\nP=1\n[ $P = 1 ] && a+=(-n)\nif [[ $P == 2 ]]; then\na+=(-x)\nfi\nrsync "${a[@]}"'
    )
    assert runs(text)[-1] == ["rsync", "-a", "-n"]


# end of module
