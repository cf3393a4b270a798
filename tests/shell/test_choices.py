"""A command with a value that branches leave open does what it does with each of their values."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

from operators_edge.shell.commands import HOLE
from operators_edge.shell.evaluate import parse
from operators_edge.shell.scope import EITHER, MAX_CHOICES

CASE = "case $S in *zsh) {} ;; *) {} ;; esac"
SET = CASE.format("f=~/.zshrc", "f=~/.bashrc")
PRINT = CASE.format("echo ~/.zshrc", "echo ~/.bashrc")
PRINT_OWN = CASE.format("echo build/a.zsh", "echo build/a.bash")
APPEND = 'add() { grep -qF "$1" "$2" || echo "$1" >> "$2"; }\n'
CASES = [
    (f"{SET}; echo x >> $f", "junction"),
    (f'{SET}; echo x | tee -a "$f"', "junction"),
    (f'{SET}; cp rc "${{f}}"', "junction"),
    (f'g() {{ {PRINT}; }}\nf="$(g)"\necho x >> "$f"', "junction"),
    (f'g() {{ {PRINT}; }}\nlocal f="$(g)"\necho x >> "$f"', "junction"),
    (f'g() {{ {PRINT}; }}\n{APPEND}add x "$(g)"', "junction"),
    ('g() { if [ -n "$S" ]; then echo ~/.zshrc; return; fi; echo ~/.bashrc; }; a >> "$(g)"', "junction"),
    ('g() { local f=~/.bashrc; [ -n "$S" ] && f=~/.zshrc; echo "$f"; }; a >> "$(g)"', "junction"),
    ("for f in ~/.bashrc ~/.zshrc; do [ -f $f ] && rc=$f && break; done; a >> $rc", "junction"),
    ('if [ -n "$S" ]; then d=a/; else d=gs://raw/; fi; gsutil rm -r "$d"', "junction"),
    (f"{CASE.format('f=build/a', 'f=build/b')}; echo x >> $f", "allow"),
    (f'g() {{ {PRINT_OWN}; }}\n{APPEND}f="$(g)"\ntouch "$f"\nadd x "$f"', "allow"),
    (f"{SET}; f=build/a; echo x >> $f", "allow"),
    (f"{SET}; unset f; echo x >> build/$f", "allow"),
    (f"{SET}; grep x $f", "allow"),
]  # fmt: skip


@for_each(("text", "effect"), CASES)
def test_a_script_that_git_holds_is_judged_by_all_values_of_its_branches(text, effect):
    files = {"x.sh": f"#!/usr/bin/env bash\nset -eu\n{text}\n"}
    assert judged("./x.sh", files, committed=files).effect == effect


def commands_of(text):
    found = parse(text, is_program=True).commands
    return [([word.text for word in one.argv], one.through) for one in found]


def test_the_command_with_the_unknown_value_stays():
    found = commands_of("if a; then f=1; else f=2; fi; rm $f")
    assert found[-3:] == [(["rm", HOLE], ()), (["rm", "1"], (EITHER,)), (["rm", "2"], (EITHER,))]


def test_what_a_second_look_writes_is_not_taken_for_what_a_file_holds():
    files = {"b": "git push\n"}
    text = "if a; then f=b; else f=c; fi; echo ls > $f; sh b"
    assert judged(text, files, committed=files).effect == "junction"


def test_what_a_second_look_makes_is_not_the_lines_own():
    text = "make && N=shop; createdb $N && dropdb shop"
    assert judged(text, {}).effect == "junction"


def test_many_branches_and_many_uses_are_bounded():
    branches = "\n".join(f'[ "$S" = {n} ] && f=v{n}' for n in range(50))
    found = commands_of(f"f=v\n{branches}\nx $f")
    assert len([one for one, through in found if EITHER in through]) == MAX_CHOICES
    found = commands_of(f"if a; then f=1; else f=2; fi\n{'x $f' + chr(10)}" * 1000)
    assert len(found) < 5000


PY = "P=$(command -v python3 || command -v python)"
ONE_OF = [
    f'{PY} && "$P" -m pip install -q rich && "$P" tool.py',
    f"{PY}; $P tool.py",
    'T="$(type -P gtimeout || echo timeout)"; "$T" 5 ls',
    'Q="$(command -v qemu-system-arm 2>/dev/null || { echo missing >&2; exit 1; })"; exec "$Q" -snapshot',
    'find_it() { command -v gmake || command -v make; }; M=$(find_it); "$M" -n',
    "strace -f $(which ls) x; timeout 5 $(which node) x.js; rg x $(which npm)",
    "if docker compose version; then D='docker compose'; else D=docker-compose; fi; $D ps",
    "if a; then P=pip3; elif b; then P=pip; else echo none; exit 1; fi; $P list",
    "case $(uname) in Darwin) S=gsed ;; *) S=sed ;; esac; $S -n 1p f",
]  # fmt: skip
OPEN = [
    # The name of a program is printed only if there is one.
    "P=$(command -v cowsay); $P git push -f",
    "P=$(command -v cowsay || true); Q=$P; exec $Q git push -f",
    "$(command -v cowsay) git push -f",
    "P=$(which cowsay); $P git push -f",
    "P=$(which cowsay); env $P -S 'git push -f'",
    "find_it() { command -v cowsay; }; P=$(find_it); sudo -n $P git push -f",
    'P=$(command -v cowsay); eval "$P" git push -f',
    'P=$(command -v cowsay); bash -c "$P git push -f"',
    'call() { "$@"; }; call $(command -v cowsay) git push -f',
    'P=$(command -v "$X"); "$P" x',
    "P=$(command -v cowsay | sed s/^/x/); $P x",
    "P=$(command -v cowsay; cat p); $P x",
    "cp $(which git) g; ./g push -f",
    'ln -s "$(command -v git)" g; ./g push -f',
    # One of the choices is what does harm.
    'P=$(command -v cowsay || command -v git); "$P" push -f',
    'P=$(command -v ls || echo git); "$P" push -f',
    "if a; then P=ls; else P=git; fi; $P push -f",
    # It may be something else.
    "if a; then P=ls; fi; $P x",
    "if a; then P=ls; else P=$(cat p); fi; $P x",
    "if a; then P=ls; elif b; then P=$Z; else P=cat; fi; $P x",
    "if a; then P=ls; else P=; fi; $P git push -f",
    "if a; then P=ls; else P=cat; fi; P[i]=rm; $P x",
    "if a; then P=ls; else P=cat; fi; read -r P; $P x",
    "if a; then P=ls; else P=cat; fi; declare -n P=Q; $P x",
    "if a; then P=ls; else P=cat; fi; while read -r l; do P=$l; done < f; $P x",
    'if a; then P=ls; else P=cat; fi; "$P$Q" x',
    "if a; then P=1; elif b; then P=2; elif c; then P=3; elif d; then P=4; else P=5; fi; $P x",
    "if a; then P=ls; else false && exit 1; fi; $P x",
    "if a; then P=ls; else echo \\\nexit 1\nfi; $P x",
    "exit() { :; }; if a; then P=ls; else exit; fi; $P x",
    "shopt -s expand_aliases; alias exit=:; if a; then P=ls; else exit; fi; $P x",
    "f() { if a; then P=ls; else return 1; fi; }; f; $P x",
    'case $x in a) P=ls ;; "*") P=cat ;; esac; $P x',
    # With two of them, not each pair is looked at.
    "if a; then P=ls; else P=git; fi; if b; then Q=x; else Q='push -f'; fi; $P $Q",
]  # fmt: skip


@for_each("text", ONE_OF)
def test_a_program_that_is_one_of_known_ones_is_not_unknown(text):
    assert judged(text, {}).effect == "allow"


@for_each("text", OPEN)
def test_a_program_that_may_be_another_one_asks(text):
    assert judged(text, {}).effect == "junction"
