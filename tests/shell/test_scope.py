"""Which variables a program gets that a text starts."""

import shutil
import subprocess

import pytest
from tests.tables import for_each

from operators_edge.shell.commands import HOLE
from operators_edge.shell.evaluate import parse
from operators_edge.shell.scope import TOP_LEVEL


def given_to_last(text):
    """The variables that the text gives to its last command."""
    return parse(text, env={"HOME": "/home/u"}).commands[-1].environment


KNOWN = [
    "export X=1; ./show",
    "X=1; export X; ./show",
    "X=1; ./show",
    "export X=1; X=2; ./show",
    "export X=1; X=2 ./show",
    "export X=1; unset X; ./show",
    "export X=1; export -n X; ./show",
    "declare -x X=1; ./show",
    "typeset -rx X=1; ./show",
    "f() { :; }; export -f f; ./show",
    "(export X=1); ./show",
    "export X=1; (unset X); ./show",
    "export X=1; (./show)",
    "export X=1; bash -c ./show",
    "X=1 bash -c ./show",
    "X=1 bash -c 'X=2; ./show'",
    "X=1 bash -c 'unset X; ./show'",
    "set -a; X=1; set +a; Y=2; ./show",
    "set -ea; X=1; ./show",
    "set -o allexport; X=1; set +o allexport; Y=2; ./show",
    "X=1; set -a; ./show",
    "f() { ./show; }; X=1 f",
    "f() { ./show; }; X=1 f; ./show",
    "X=1; f() { ./show; }; X=2 f; export X; ./show",
    "export X=1; env ./show",
    "export X=1; env -i ./show",
    "export X=1; env - Y=2 ./show",
    "X=1 env -i ./show",
    "export X=1; env -u X ./show",
    "export X=1 Y=2; env --unset=X ./show",
    "export X=1 Y=2; env -uX ./show",
    "export X=1; nohup ./show",
    "export X=1; echo x | ./show",
    "export X=1; a=$(export X=2); ./show",
    "export X=1 && ./show || true",
    "X=a; X+=b; export X; ./show",
]


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")
@pytest.mark.parametrize("text", KNOWN)
def test_a_program_gets_the_variables_that_bash_gives_it(tmp_path, text):
    show = tmp_path / "show"
    show.write_text("#!/bin/sh\necho the last one\n/usr/bin/env\n")
    show.chmod(0o755)
    run = subprocess.run(
        ["bash", "-c", text],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin"},
        check=True,
    )
    lines = run.stdout.rpartition("the last one\n")[2].splitlines()
    printed = dict(line.split("=", 1) for line in lines if line[:2] in {"X=", "Y="})
    assert given_to_last(text) == printed


@for_each(
    ("text", "given"),
    [
        ("[ -f x ] && export X=1; env", {"X": HOLE}),
        ("if a; then export X=1; else export X=2; fi; env", {"X": HOLE}),
        ("if a; then set -a; fi; X=1; env", {"X": HOLE}),
        ("export X=$(date); env", {"X": HOLE}),
        ("export X; env", {"X": HOLE}),
        ("export X=1; sudo env", {"X": HOLE}),
        ("X=1 dotenv -f .env env", {"X": HOLE}),
        ("export X=1; direnv exec . env", {"X": HOLE}),
        ("export X=1; env -S '-i env'", {"X": HOLE}),
        ("export X=1; . ./unknown; env", {"X": HOLE}),
        ("export X=1; export $(cat x); env", {"X": HOLE}),
        ('export X=1; export "$@"; env', {"X": HOLE}),
        ("export X=1; trap 'X=2' DEBUG; env", {"X": HOLE}),
        ("readonly X=1; export X; X=2 env", {"X": HOLE}),
        ("declare -rx X=1; X=2; env", {"X": HOLE}),
        ("sudo X=1 env", {"X": "1"}),
        ("X=1 su -c env", {"X": HOLE}),
        ("export X=1; ssh host env", {}),
        ("X=1 ssh host env", {}),
        ("X=1 docker exec web env", {}),
    ],
)
def test_a_variable_that_may_not_reach_a_program_is_unknown_there(text, given):
    assert given_to_last(text) == given


@for_each(
    ("text", "words"),
    [
        ("ls $PWD/x", "/home/u/p/x"),
        ("cd a; ls $PWD/x", "/home/u/p/a/x"),
        ("cd a; cd ..; ls $PWD/x", "/home/u/p/x"),
        ("cd /srv; ls $PWD/x", "/srv/x"),
        ("(cd a); ls $PWD/x", "/home/u/p/x"),
        ("x=$(pwd); ls $x", "/home/u/p"),
        ("cd a && ls $(pwd)/x", "/home/u/p/a/x"),
        ("sh -c 'ls $PWD/x'", "/home/u/p/x"),
        ("cd $X; ls $PWD/x", f"{HOLE}/x"),
        ("cd $X; ls $(pwd)/x", f"{HOLE}/x"),
        ("PWD=/srv; ls $PWD/x", "/srv/x"),
        ("read PWD; ls $PWD/x", f"{HOLE}/x"),
        ("ssh host 'ls $PWD/x'", f"{HOLE}/x"),
        ("docker exec c sh -c 'ls $PWD/x'", f"{HOLE}/x"),
    ],
)
def test_the_folder_that_a_text_is_in_is_known(text, words):
    script = parse(text, env={"HOME": "/home/u", "PWD": "/home/u/p"})
    found = [one for one in script.commands if one.argv and one.argv[0].text == "ls"]
    assert [word.text for word in found[-1].argv[1:]] == [words]


@for_each(
    "text",
    [
        'f() { echo "$@"; }; if [ -f x ]; then f() { "$@"; }; fi; f git push',
        'f() { "$@"; }; if [ -f x ]; then f() { echo "$@"; }; fi; f git push',
        'if [ -f x ]; then f() { :; }; elif [ -f y ]; then f() { :; }; else f() { "$@"; }; fi; f git push',
        'case $a in b) f() { echo; };; *) f() { "$@"; };; esac; f git push',
        'f() { echo; }; [ -f x ] && f() { "$@"; }; g() { f git push; }; g',
    ],
)
def test_a_function_that_is_defined_in_branches_may_be_each_of_them(text):
    commands = parse(text, is_program=True).commands
    assert ["git", "push"] in [[word.text for word in one.argv] for one in commands]


def test_a_function_that_is_defined_after_a_branch_is_that_one_alone():
    text = 'if [ -f x ]; then f() { "$@"; }; else f() { ls; }; fi; f() { echo; }; f git push'
    commands = parse(text, is_program=True).commands
    assert ["git", "push"] not in [[word.text for word in one.argv] for one in commands]


def test_what_functions_of_several_branches_set_is_unknown():
    text = "if [ -f x ]; then f() { a=1; }; else f() { a=2; }; fi; f; echo $a"
    found = [one for one in parse(text, is_program=True).commands if one.argv and not one.through]
    assert not found[-1].argv[1].is_known


SHIP = "ship() { git push; }\n"


def runs_push(text):
    return ["git", "push"] in [[word.text for word in one.argv] for one in parse(text).commands]


@for_each("text", ["ls", "f=ls; $f", "case $1 in s) ship ;; esac"])
def test_a_function_that_a_script_of_the_line_never_calls_does_not_run(text):
    assert not runs_push(f"cat > /tmp/x.sh <<'E'\n{SHIP}{text}\nE\nsh /tmp/x.sh a")


@for_each(
    ("text", "run"),
    [
        ("ship", "sh /tmp/x.sh"),
        ("[ -f x ] && ship", "sh /tmp/x.sh"),
        ("trap ship EXIT", "sh /tmp/x.sh"),
        ("trap ship DEBUG", "bash /tmp/x.sh"),
        ('"$@"', "sh /tmp/x.sh ship"),
        ("case $1 in s) ship ;; esac", "sh /tmp/x.sh s"),
        ("f=sh; ${f}ip", "bash /tmp/x.sh"),
        ("export -f ship; bash -c ship", "bash /tmp/x.sh"),
        ("export -f ship; bash more.sh", "bash /tmp/x.sh"),
        ('ssh web1 "$(declare -f ship); ship"', "bash /tmp/x.sh"),
        ("{ typeset -f; echo ship; } > more.sh; bash more.sh", "bash /tmp/x.sh"),
        ("ls", ". /tmp/x.sh"),
        ("ls", ". /tmp/x.sh; ship"),
        ("command_not_found_handle() { ship; }; nothing", "bash /tmp/x.sh"),
    ],
)
def test_a_function_that_a_script_of_the_line_may_call_runs(text, run):
    assert runs_push(f"cat > /tmp/x.sh <<'E'\n{SHIP}{text}\nE\n{run}")


def last_word(text):
    return parse(text).commands[-1].argv[-1].text


@for_each(
    "before",
    [
        *(
            'export "$K=$V"',
            'declare "$K=/srv"',
            "export $(cat x)",
            'eval "$(direnv export bash)"',
            ". ~/x.sh",
        ),
        *('while read -r k v; do export "$k=$v"; done < x', "trap 'TMPDIR=/srv' DEBUG"),
    ],
)
def test_the_usual_default_of_tmpdir_is_not_known_after_variables_of_any_name(before):
    assert HOLE in last_word(f"{before}; rm ${{TMPDIR:-/tmp}}/x")
    assert last_word("A=b; export A; rm ${TMPDIR:-/tmp}/x") == "/tmp/x"


@for_each(
    ("body", "value"),
    [
        ("local A; A=b", "a"),
        ("local -r A=b", "a"),
        ("local B=c A=b", "a"),
        ("declare A=b", "a"),
        ("[ -f x ] && local A=b", "a"),
        ("local B; A=b", "b"),
        ("declare -g A=b", "b"),
        ("A=b; local A=c", "b"),
        ("g() { local A; A=b; }; g", "a"),
        ("g() { local A=c; }; A=b; g", "b"),
        ("g() { A=b; }; local A; g", "a"),
        ("local B=$(echo A) C='A b'; A=b", "b"),
        ('local B="x y" A=b', "a"),
        ("local A=a", "a"),
        ("echo $A", "a"),
    ],
)
def test_the_variables_of_a_function_are_not_those_around_it(body, value):
    assert last_word(f"A=a; f() {{ {body}; }}; f; echo $A") == value
    assert last_word("f() { local A=x; }; f; echo $A") == HOLE


@for_each(
    "text",
    [
        *("sh -c 'git push'", "bash -c 'git push'", "find . -exec git push \\;", "watch git push"),
        *("parallel git ::: push", "env git push"),
        "python3 -c \"import os; os.system('git push')\"",
    ],
)
def test_a_program_does_not_know_the_functions_of_the_shell_that_started_it(text):
    assert runs_push(f"git() {{ echo; }}; {text}")


@for_each("text", ["git push", "trap 'git push' EXIT", "(git push)", "time git push"])
def test_a_function_stands_for_a_program_in_its_own_shell(text):
    assert not runs_push(f"git() {{ echo; }}; {text}")
    assert not runs_push("git() { echo; }; export -f git; bash -c 'git push'")


@for_each(
    ("text", "expected"),
    [
        ("cd $(git rev-parse --show-toplevel 2>/dev/null || pwd)", ["/top"]),
        ("cd $(git rev-parse --show-toplevel || echo .)", ["/top"]),
        ("cd $(git rev-parse --show-toplevel || echo /y; echo /z)", ["/top", "/y", "/z"]),
        (
            "git() { echo x; false; }; cd $(git rev-parse --show-toplevel || echo /y)",
            [HOLE],
        ),
    ],
)
def test_what_would_follow_a_known_top_of_the_repository_is_not_printed(text, expected):
    words = parse(text, env={TOP_LEVEL: "/top"}).commands[-1].argv[1:]
    assert [one.text for one in words] == expected
