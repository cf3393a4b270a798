"""Builtins change what the commands after them run."""

import pytest
from tests.tables import for_each

from operators_edge.shell.commands import HOLE
from operators_edge.shell.evaluate import parse


def last(text):
    return [word.text for word in parse(text, env={"HOME": "/home/u"}).commands[-1].argv]


@for_each(
    ("text", "words"),
    [
        ("read -r a b <<< ' git  push -f '; $a $b", ["git", "push", "-f"]),
        ('read -r a b c <<< rm; echo "$a" "$b" "$c"', ["echo", "rm", "", ""]),
        ("read <<< 'rm x'; $REPLY", ["rm", "x"]),
        ("read -ra all <<< 'rm -rf /'; \"${all[@]}\"", ["rm", "-rf", "/"]),
        ("read -d : -p 'which?' a <<< rm:ls; $a", ["rm"]),
        ('IFS=:; read -r a b <<< rm:x:y; echo "$a" "$b"', ["echo", "rm", "x:y"]),
        ("IFS=; read -r a <<< ' rm x'; echo \"$a\"", ["echo", " rm x"]),
        ("read -r a <<< ''; echo \"$a\"", ["echo", ""]),
        (r"read a <<< 'r\m'; $a", [HOLE]),
        ("read -n 2 a <<< rmx; $a", [HOLE]),
        ("read a < file; $a", [HOLE]),
        ("mapfile -t all <<< $'rm\\n-rf'; \"${all[@]}\"", ["rm", "-rf"]),
        ('mapfile <<< rm; echo "${MAPFILE[0]}"', ["echo", "rm\n"]),
        ("mapfile -n 1 all <<< rm; ${all[0]}", [HOLE]),
        ("readarray -t <<< rm; ${MAPFILE[0]} x", ["rm", "x"]),
    ],
)
def test_what_is_read_from_a_known_text_is_known(text, words):
    assert last(text) == words


@for_each(
    ("text", "words"),
    [
        ('set -- rm x; "$@"', ["rm", "x"]),
        ("set rm x; $1 $2", ["rm", "x"]),
        ('set -- a; echo "$1" "$3" $#', ["echo", "a", "", "1"]),
        ("set -- a; set -e; $1", ["a"]),
        ("set -- a rm; shift; $1", ["rm"]),
        ("set -- a; shift $n; $1", [HOLE]),
        ("printf -v x 'r%s' m; $x", ["rm"]),
        ("printf -v x %q m; $x", [HOLE]),
        ('x=rm; unset x; echo "$x"', ["echo", ""]),
        ("alias g=git; alias -p; unalias g; g push", ["g", "push"]),
        ("let x=1; echo $x", ["echo", HOLE]),
        ("declare -n r; echo $r", ["echo", HOLE]),
        ("declare -n r=v; v=rm; $r", ["rm"]),
        ("declare -n r=1v; echo $r", ["echo", HOLE]),
        ("declare -i x=1+1; echo $x", ["echo", HOLE]),
        ("A=rm; declare A=echo B=$A; $B", ["rm"]),
        ("A=echo; export A=rm B=$A C=$A; $A $B $C", ["rm", "echo", "echo"]),
        ("A=1; readonly A=2 A=$A; echo $A", ["echo", "1"]),
        ("declare T={echo,rm}; $T", ["rm"]),
        ("declare T='{echo,rm}'; $T", ["{echo,rm}"]),
    ],
)
def test_variables_and_arguments_are_followed(text, words):
    assert last(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hash -r; hash -p /bin/rm ls; ls x", ["/bin/rm", "x"]),
        ("a=ls; builtin export a=rm; $a x", ["rm", "x"]),
        ("a=ls; command -p declare -- a=rm; $a x", ["rm", "x"]),
        ("a=ls; command echo export a=rm; $a x", ["ls", "x"]),
        ("f() { rm x; }; unset -f f; f", ["f"]),
    ],
)
def test_a_name_runs_the_program_that_it_is_bound_to(text, words):
    assert words in [[word.text for word in one.argv] for one in parse(text).commands]


@pytest.mark.parametrize(
    ("text", "cwd"),
    [
        ("pushd a; pushd b; popd; ls", "a"),
        ("pushd; ls", None),
        ("popd; ls", None),
        ("cd a; cd -; ls", ""),
        ("cd; ls", "/home/u"),
        ('cd "$x"; cd b; ls', None),
        ('cd "$x"; cd /b; ls', "/b"),
    ],
)
def test_the_folder_is_followed_as_far_as_it_is_known(text, cwd):
    assert parse(text, env={"HOME": "/home/u"}).commands[-1].cwd == cwd


LOGS = "/var/log/app/" + HOLE + "/" + HOLE + ".gz"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('rm "${f[@]}"', ["rm", LOGS]),
        ('for one in "${f[@]}"; do rm "$one"; done', ["rm", LOGS]),
        ('for n in "${!f[@]}"; do rm "${f[$n]}"; done', ["rm", LOGS]),
        ('rm "${f[@]:2}"', ["rm", LOGS]),
        ('rm "${f[3]}"', ["rm", LOGS]),
        ('rm "${#f[@]}"', ["rm", HOLE]),
        ('f+=(x); rm "${f[@]}"', ["rm", HOLE]),
    ],
)
def test_lines_of_a_listing_look_alike_however_many_they_are(text, words):
    for listing in ("find /var/log/app -name '*.gz'", "find /var/log/app -name '*.gz' | sort"):
        assert last(f"mapfile -t f < <({listing}); {text}") == words


@pytest.mark.parametrize(
    "text",
    [
        'g=git; for f in "${F[@]}"; do g=echo; done; $g push',
        'for f in "${F[@]}"; do exit 0; done; git push',
        "for f in $(find /var/log/app); do exit 0; done; git push",
        'd=0; for f in "${F[@]}"; do d=1; done; if [ $d = 0 ]; then git push; fi',
        'if [ "${#F[@]}" -gt 1 ]; then git push; fi',
        'if [ -n "${F[1]}" ]; then git push; fi',
        'if [ -z "${F[0]}" ]; then git push; fi',
        'G=(/var/log/*); if [ "${#G[@]}" -gt 1 ]; then git push; fi',
    ],
)
def test_how_many_lines_a_listing_has_is_not_known(text):
    for read in ("mapfile -t F < <(find /var/log/app)", "F=($(find /var/log/app))"):
        commands = parse(f"{read}\n{text}", is_program=True).commands
        started = [[word.text for word in one.argv] for one in commands]
        assert ["git", "push"] in started or [HOLE, "push"] in started


@pytest.mark.parametrize(
    "filters",
    ["uniq -c", "head -c 9", "tail -c 5", "sort --files0-from=x", "sort x", "head -n 2 x"],
)
def test_what_a_filter_changes_or_reads_elsewhere_is_no_listing(filters):
    assert last(f"for f in $(find /var/log/app | {filters}); do rm $f; done") == ["rm", HOLE]


@for_each(
    ("text", "words"),
    [
        ("trap 'A=rm' DEBUG; A=echo; $A x", [HOLE, "x"]),
        ("trap 'read -r A < f' DEBUG; A=echo; $A x", [HOLE, "x"]),
        ("trap 'echo \"$B\"; A+=rm' ERR; A=echo; $A x", [HOLE, "x"]),
        ("trap 'echo B=1' DEBUG; A=echo; $A x", ["echo", "x"]),
        ("trap 'A=rm' EXIT; A=echo; $A x", ["echo", "x"]),
    ],
)
def test_what_a_trap_sets_before_each_command_is_not_known(text, words):
    assert last(text) == words


def test_a_functions_name_may_be_fixed_and_the_variable_set():
    assert last("A=echo; readonly -f A; A=rm; $A x") == ["rm", "x"]
    assert last("A=echo; readonly A; A=rm; $A x") != ["rm", "x"]


def programs(text):
    return [one.argv[0].text for one in parse(text).commands]


def test_a_builtin_is_not_looked_up_in_the_hash_unless_it_is_switched_off():
    assert "/bin/rm" not in programs("hash -p /bin/rm test; test x")
    assert "/bin/rm" in programs("hash -p /bin/rm test; enable -n test; test x")
    assert "/bin/rm" in programs("enable -n test; hash -p /bin/rm test; test x")
    assert "/bin/rm" not in programs("enable -n test; test x")


@for_each(
    ("text", "words"),
    [
        ("unset a; ((a=2)); ${a:+rm} x", ["rm", "x"]),
        ("a=; ((a++)); ${a:+rm} x", ["rm", "x"]),
        ("unset a; for ((a=0; a<2; a++)); do :; done; ${a:+rm} x", ["rm", "x"]),
        ("unset a; ((a==2)); ${a:+rm} ls", ["ls"]),
        ("a=5; ((a=2)); echo $a", ["echo", "5"]),
    ],
)
def test_arithmetic_gives_a_variable_a_value(text, words):
    assert last(text) == words


@pytest.mark.parametrize(
    "text",
    [
        "alias w='rm x'\nf() { w; }\nunalias w\nf",
        "alias w='rm x'\nf() { w; }\nalias w=ls\nf",
        "alias w=v\nalias v='rm x'\nf() { w; }\nunalias w v\nf",
        "f() { w; }\nalias w='rm x'\nf",
    ],
)
def test_a_function_has_the_aliases_of_where_it_is_read_and_of_where_it_is_called(text):
    runs = [[word.text for word in one.argv] for one in parse(text).commands]
    assert ["rm", "x"] in runs
