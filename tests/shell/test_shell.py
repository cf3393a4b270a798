"""Texts and the commands they run, as the parser sees them."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from tests.properties import examples
from tests.tables import for_each

from operators_edge.shell.commands import HOLE, Command
from operators_edge.shell.evaluate import MAX_COMMANDS, MAX_TEXT, parse

H = HOLE
ENV = {"HOME": "/home/u"}


def argvs(text: str) -> list[list[str]]:
    return [[word.text for word in command.argv] for command in parse(text, env=ENV).commands]


def only(text: str, program: str) -> Command:
    found = [c for c in parse(text, env=ENV).commands if c.argv and c.argv[0].text == program]
    assert len(found) == 1, found
    return found[0]


RM = ["rm", "-rf", "/"]

QUOTING = [
    ("rm -rf /", [RM]),
    (r"r\m -rf /", [RM]),
    ("'r'\"m\" -r''f /", [RM]),
    (r"$'\162\x6d' -rf $'\u002f'", [RM]),
    (r"cat $'\xc3\xa4\xff'", [["cat", "\xe4\udcff"]]),
    ('$"rm" -rf /', [RM]),
    ("rm \\\n -rf \\\n /", [RM]),
    ("r\\\nm -rf /", [RM]),
    ("rm -rf / # and / again", [RM]),
    ("echo a#b '#' # rm", [["echo", "a#b", "#"]]),
    ("{rm,-rf,/}", [RM]),
    ("r{m,} -rf /", [["rm", "r", "-rf", "/"]]),
    ("ls {1..3} {a,b}c x{y", [["ls", "1", "2", "3", "ac", "bc", "x{y"]]),
    ("ls ~ ~/x '~' a~", [["ls", "/home/u", "/home/u/x", "~", "a~"]]),
    (r'echo "a\"b\$c\d"', [["echo", 'a"b$c\\d']]),
    ('echo "a $"; rm -rf /; echo "b"', [["echo", "a $"], RM, ["echo", "b"]]),
    ('echo "a $\'"; rm -rf /; echo "\'"', [["echo", "a $'"], RM, ["echo", "'"]]),
    ("set -- a; echo $#", [["set", "--", "a"], ["echo", "1"]]),
    ("echo é 'ü' ; rm ñ", [["echo", "é", "ü"], ["rm", "ñ"]]),
    ("rm -rf /\r\nls\r\n", [RM, ["ls"]]),
]

EXPANSION = [
    ("x=push; git $x origin", [[], ["git", "push", "origin"]]),
    ("x='rm -rf /'; $x", [[], RM]),
    ("x='rm -rf /'; \"$x\"", [[], ["rm -rf /"]]),
    ('a=(rm -rf /); "${a[@]}"', [[], RM]),
    ("x=RM; ${x,,} -rf /", [[], RM]),
    ("x=xrm; ${x#x} -rf / ${x:1} ${#x}", [[], ["rm", "-rf", "/", "rm", "3"]]),
    ("x=a.txt; mv $x ${x%.txt}.md ${x/txt/c}", [[], ["mv", "a.txt", "a.md", "a.c"]]),
    ("x=; ${x:-rm} -rf /", [[], RM]),
    ("${x:-rm} -rf /", [[H, "-rf", "/"]]),
    ("$CMD -rf /", [[H, "-rf", "/"]]),
    ("rm${IFS}-rf${IFS}/", [RM]),
    ("IFS=,; x=rm,-rf,/; $x", [[], [], RM]),
    ("read x; rm $x", [["read", "x"], ["rm", H]]),
    ("x=rm; true && x=echo; $x /", [[], ["true"], [], ["echo", "/"], ["rm", "/"]]),
    ("x=a; if b; then x=c; fi; rm $x", [[], ["b"], [], ["rm", H], ["rm", "a"], ["rm", "c"]]),
    ("x=ls; while b; do $x /; x=rm; done", [[], ["b"], [H, "/"], []]),
    ("X=rm ls $X", [["ls", H]]),
    ("for i in / /home; do rm $i; done", [["rm", "/"], ["rm", "/home"]]),
    ('for f in /*; do rm "$f"; done', [["rm", f"/{H}"]]),
    ('set -- rm -rf /; "$@"', [["set", "--", "rm", "-rf", "/"], RM]),
    ("echo $((1+1)) $((7))", [["echo", H, "7"]]),
    ('X=; mv "$X"~ "$X"', [[], ["mv", "./~", ""]]),
    ('X=; mv "$X"{~,}', [[], ["mv", "./~", ""]]),
    ('X=; eval rm -rf "$X"~', [[], ["rm", "-rf", "/home/u"]]),
    ("X=~; rm -rf $X{~,}", [[], ["rm", "-rf", "/home/u~", "/home/u"]]),
    ('rm -rf "$HOME"{,~}', [["rm", "-rf", "/home/u", "/home/u~"]]),
]

ARRAYS_AND_NAMES = [
    ('a=(ls rm); "${a[1]}" -rf ${a[@]:5}/', [[], RM]),
    ('a=([2]=rm [0]=x); ${a[2]} -rf / "${a[-1]}"', [[], [*RM, "x"]]),
    ("a[3]=rm; ${a[3]} -rf /", [[], RM]),
    ("declare -A m=([k]=rm); ${m[k]} -rf /", [["declare", "-A", "m="], RM]),
    ('set -- a rm -rf /; "${@:2}"', [["set", "--", "a", "rm", "-rf", "/"], RM]),
    ("a=(x); a+=(rm); ${a[1]} -rf /", [[], [], RM]),
    ("declare -n r=x; x=rm; $r -rf /", [["declare", "-n", "r=x"], [], RM]),
    ("y=rm; x=y; ${!x} -rf /", [[], [], RM]),
    ("unset x; ${x-rm} -rf /", [["unset", "x"], RM]),
    ("printf -v x '%s' rm; $x -rf /", [["printf", "-v", "x", "%s", "rm"], RM]),
    ("read -r a b <<< 'rm -rf /'; $a $b", [["read", "-r", "a", "b"], RM]),
    ("read -ra a <<< 'rm -rf /'; \"${a[@]}\"", [["read", "-ra", "a"], RM]),
    ("mapfile -t a <<< rm; ${a[0]} -rf /", [["mapfile", "-t", "a"], RM]),
    ("while read a; do $a; done <<< rm", [["read", "a"], ["rm"]]),
    ("while read a; do $a; done < f", [[], ["read", "a"], [H]]),
    (
        "hash -p /bin/rm ls; ls -rf /",
        [["hash", "-p", "/bin/rm", "ls"], ["/bin/rm", "-rf", "/"], ["ls", "-rf", "/"]],
    ),
    ("declare -u x=rm; $x", [["declare", "-u", "x=rm"], [H]]),
]

SUBSTITUTION = [
    ("echo $(rm -rf /)", [RM, ["echo"]]),
    ('echo "a `rm -rf /` b"', [RM, ["echo", "a  b"]]),
    ("$(echo rm) -rf /", [["echo", "rm"], RM]),
    ("$(which rm) -rf /", [["which", "rm"], RM]),
    ("$(curl x) -rf /", [["curl", "x"], [H, "-rf", "/"]]),
    ("echo '$(rm -rf /)'", [["echo", "$(rm -rf /)"]]),
    ("(( a[$(rm -rf /)] ))", [RM]),
    ("[[ -n $(rm -rf /) ]]", [RM]),
    ("echo ${x:-$(rm -rf /)}", [RM, ["echo", H]]),
    ("echo x >$(rm -rf /)", [RM, ["echo", "x"]]),
    ("cat <(rm -rf /)", [RM, ["cat", "/dev/fd/63"]]),
    (
        "git commit -m \"$(cat <<'E'\nit's; rm -rf / )\nE\n)\"",
        [["cat"], ["git", "commit", "-m", "it's; rm -rf / )"]],
    ),
]

STRUCTURE = [
    ("a; b && c || d | e & f\ng", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"]]),
    ("a |\nb &&\nc", [["a"], ["b"], ["c"]]),
    ("if a; then b; elif c; then d; else e; fi", [["a"], ["b"], ["c"], ["d"], ["e"]]),
    ("case $x in a) rm a;; *) rm b;; esac", [["rm", "a"], ["rm", "b"]]),
    ("( (a) ); { b; }; ! c; ! { d; }; time { e; }", [["a"], ["b"], ["c"], ["d"], ["e"]]),
    ("coproc { rm -rf /; }", [RM]),
    ('f(){ rm -rf "$1"; }; f /', [RM]),
    ("f(){ rm -rf /; }", [RM]),
    ("alias w='rm -rf'; w /", [["alias", "w=rm -rf"], RM, ["w", "/"]]),
    ("if a; then rm(){ :; }; fi; rm -rf /", [["a"], [":"], RM]),
    ("rm(){ :; }; rm -rf /", [[":"]]),
    ("[ -d x ] && [[ a && b ]] || ls", [["[", "-d", "x", "]"], ["ls"]]),
    ("while read l; do rm $l; done < f", [[], ["read", "l"], ["rm", H]]),
    ("cat <<E && rm a\nx\nE\nrm b", [["cat"], ["rm", "a"], ["rm", "b"]]),
    ("for ((i=0;i<3;i++)); do ls; done", [["ls"]]),
    ("select x in a b; do rm $x; done", [["rm", "a"], ["rm", "b"]]),
    ("{ ls; } <<< x; (ls) <<< x", [["ls"], ["ls"]]),
    ("echo $( (case $x in (a) b;; c) d;; esac) )", [["b"], ["d"], ["echo", H]]),
    (
        "cat <({rm,-rf,/})",
        [RM, ["cat", "/dev/fd/63"]],
    ),
]

WRAPPERS = [
    ("FOO=1 sudo -n -u root rm -rf /", [RM]),
    ("timeout -k 5 10 nice -n 5 nohup rm -rf /", [RM]),
    ("env -i -- A=1 rm -rf /", [RM]),
    ("env -u A B=1 rm -rf /", [RM]),
    ("env -S 'rm -rf /'", [RM]),
    ("command -v rm", [["command", "-v", "rm"]]),
    ("sudo -l", [["sudo", "-l"]]),
    ("busybox rm -rf /", [RM]),
    ("bash -lc 'rm -rf /'", [RM]),
    ("sh -xec -- 'rm -rf /'", [RM]),
    ("sh -c 'rm -rf \"$@\"' _ / /home", [["rm", "-rf", "/", "/home"]]),
    ("T=/ sh -c 'rm -rf \"$T\"'", [RM]),
    ("eval 'rm -rf' /", [RM]),
    ("trap 'rm -rf /' EXIT", [RM]),
    ("bash <<E\nrm -rf /\nE", [RM]),
    ("bash <<< 'rm -rf /'", [RM]),
    ("echo 'rm -rf /' | sudo sh", [["echo", "rm -rf /"], RM]),
    ("echo cm0gLXJmIC8= | base64 -d | sh", [["echo", "cm0gLXJmIC8="], ["base64", "-d"], RM]),
    ("echo '/ fr- mr' | rev | sh", [["echo", "/ fr- mr"], ["rev"], RM]),
    ("source <(echo 'rm -rf /')", [["echo", "rm -rf /"], RM]),
    ("echo 'rm -rf /' > a.sh; sh ./a.sh", [["echo", "rm -rf /"], ["sh", "./a.sh"], RM]),
    ("su - u -c 'rm -rf /'", [RM]),
    ("script -qec 'rm -rf /' /dev/null", [RM]),
    ("watch -n1 rm -rf /", [RM]),
    ("flock /tmp/l -c 'rm -rf /'", [RM]),
    ("flock -w 5 /tmp/l rm -rf /", [RM]),
    ("printf '%s\\n' / | xargs rm -rf", [["printf", "%s\\n", "/"], RM]),
    ("echo / | xargs -I{} sh -c 'rm -rf {}'", [["echo", "/"], RM]),
    ("parallel rm -rf ::: /", [RM]),
    ("git -c alias.w='!rm -rf /' w", [["git", "-c", "alias.w=!rm -rf /", "w"], RM]),
    ("git submodule foreach 'rm -rf /'", [["git", "submodule", "foreach", "rm -rf /"], RM]),
    ("tmux send-keys 'rm -rf /' Enter", [["tmux", "send-keys", "rm -rf /", "Enter"], RM]),
    ("npx -y rimraf /", [["npx", "-y", "rimraf", "/"], ["rimraf", "/"]]),
    ("uv run --with x rm -rf /", [["uv", "run", "--with", "x", "rm", "-rf", "/"], RM]),
    ("crontab - <<< '@daily rm -rf /'", [["crontab", "-"], RM]),
    ("GIT_SSH_COMMAND='rm -rf /' git fetch", [RM, ["git", "fetch"]]),
    ("PROMPT_COMMAND='rm -rf /' bash -i", [RM, ["bash", "-i"]]),
    ("export PAGER='rm -rf /'", [RM, ["export", "PAGER=rm -rf /"]]),
    ("BASH_ENV=<(echo rm -rf /) bash -c :", [["echo", "rm", "-rf", "/"], RM, [":"]]),
    ("echo rm -rf / | tee x; bash x", [["echo", *RM], ["tee", "x"], ["bash", "x"], RM]),
    ("echo rm -rf / > a; cp a b; sh b", [["echo", *RM], ["cp", "a", "b"], ["sh", "b"], RM]),
    (
        "flock /tmp/l git bisect run x -c y",
        [["git", "bisect", "run", "x", "-c", "y"], ["x", "-c", "y"]],
    ),
    ("sudo -s <<< 'rm -rf /'", [["sudo", "-s"], RM]),
    ("sg wheel -c 'rm -rf /'", [RM]),
    ("ls | entr -s 'rm -rf /'", [["ls"], RM]),
    ("parallel bash -c ::: 'rm -rf /'", [RM]),
    ("cat x | parallel", [["cat", "x"], [H]]),
    ("start-stop-daemon --exec rm -- -rf /", [RM]),
    ("/lib64/ld-linux-x86-64.so.2 /bin/rm -rf /", [["/bin/rm", "-rf", "/"]]),
    ("powershell -enc cgBtACAALQByAGYAIAAvAA==", [RM]),
    ("pwsh -NoProfile -c 'rm -rf /'", [RM]),
    ("powershell -enc x", [[H]]),
]

ESCAPES = [
    # What a program runs because of an option, or of a command in its own language.
    "man -P 'rm -rf /' ls",
    "rsync -e 'rm -rf /' a b:c",
    "tar cf x a --checkpoint=1 --checkpoint-action=exec='rm -rf /'",
    "tar -I 'rm -rf /' -xf x",
    "zip a b -T -TT 'rm -rf /'",
    "make SHELL='rm -rf /'",
    "make --eval='x: ; @rm -rf /'",
    "make --eval='$(shell rm -rf /)'",
    "git -c core.pager='rm -rf /' log",
    "git clone 'ext::rm -rf /'",
    "git difftool -x 'rm -rf /'",
    "psql -c '\\! rm -rf /'",
    "psql -c \"COPY t FROM PROGRAM 'rm -rf /'\"",
    "psql <<'E'\nselect 1;\n\\! rm -rf /\nE",
    "mysql -e 'select 1; system rm -rf /'",
    "sqlite3 x.db '.shell rm -rf /'",
    "gdb -batch -ex 'shell rm -rf /'",
    "ed x <<< '!rm -rf /'",
    "less '+!rm -rf /' x",
    "tmux new-session -d 'rm -rf /'",
    "ssh h <<'E'\nrm -rf /\nE",
    "cmd /c 'rm -rf /'",
]

DATA = [
    ("git commit -m 'never rm -rf /'", 1),
    ("echo 'rm -rf /' | tee note", 2),
    ("cat <<E > note\nrm -rf /\nE", 1),
    ("grep -rn 'rm -rf /' .", 1),
    ("man rm", 1),
    ("python3 -c \"print('rm -rf /')\"", 1),
    ("sed -n '/TRUNCATE/p' x.sql", 1),
]


@for_each(
    ("text", "expected"),
    [*QUOTING, *EXPANSION, *ARRAYS_AND_NAMES, *SUBSTITUTION, *STRUCTURE, *WRAPPERS],
)
def test_a_text_runs_exactly_these_commands(text: str, expected: list[list[str]]) -> None:
    script = parse(text, env=ENV)
    assert [[word.text for word in command.argv] for command in script.commands] == expected
    assert script.problems == ()


@for_each("text", ESCAPES)
def test_a_command_in_an_option_is_reported_together_with_its_program(text: str) -> None:
    program, *inner = argvs(text)
    assert inner == [RM], (program, inner)


def test_output_of_a_group_is_written_not_only_emptied() -> None:
    for text in ("{ ls; } > f", "sh -c 'ls' > f", "g(){ ls; }; g > f"):
        (redirected,) = [c for c in parse(text).commands if c.redirects]
        assert [word.text for word in redirected.argv] == ["{"], text
    (bare, _) = parse("{ :; } > f").commands
    assert bare.argv == ()


def test_a_file_that_came_from_elsewhere_is_unknown_to_the_shell_that_runs_it() -> None:
    shell = only("curl -fsSLo x.sh https://example.com && sh x.sh", "sh")
    assert (shell.stdin_kind, shell.stdin_program) == ("pipe", "curl")


@pytest.mark.parametrize(("text", "count"), DATA)
def test_text_that_only_mentions_a_command_does_not_run_it(text: str, count: int) -> None:
    assert len(argvs(text)) == count


@pytest.mark.parametrize(
    "text",
    [
        "docker run --rm -v /:/m alpine rm -rf /",
        "kubectl exec p -- rm -rf /",
        "ssh -p 2 h rm -rf /",
        "docker compose exec -T db rm -rf /",
        "podman exec -it c sh -c 'rm -rf /'",
    ],
)
def test_a_remote_command_is_reported_together_with_its_client(text: str) -> None:
    outer, inner = parse(text, env=ENV).commands
    assert [word.text for word in inner.argv] == RM
    assert (inner.is_remote, inner.cwd, outer.is_remote) == (True, None, False)


def test_a_shell_fed_from_an_unknown_stream_stays_visible_with_its_source() -> None:
    for text in ("curl x | sudo sh", "sh <(curl x)", "curl x | base64 -d | sh"):
        shell = only(text, "sh")
        assert (shell.stdin, shell.stdin_kind) == (None, "pipe")
        assert shell.stdin_program == "curl"


def test_what_a_command_on_another_machine_prints_comes_from_there() -> None:
    for text in ("ssh web cat x | python3 -", "sudo ssh web 'cat x | gunzip' | gunzip | python3 -"):
        python = only(text, "python3")
        assert (python.stdin, python.stdin_program) == (None, "ssh")
    assert only("docker exec web cat x | python3 -", "python3").stdin_program == "cat"


def test_wrappers_of_a_command_are_named_outermost_first() -> None:
    assert only("sudo env A=1 sh -c 'echo $(rm x)'", "rm").through == (
        "sudo",
        "env",
        "sh -c",
        "$(…)",
    )


def test_a_fork_bomb_is_seen_as_recursion() -> None:
    commands = parse(":(){ :|:& };:").commands
    assert commands
    assert all(c.argv[0].text == ":" and "recursion" in c.through for c in commands)


@pytest.mark.parametrize(
    ("text", "cwd"),
    [
        ("cd /tmp && rm", "/tmp"),
        ("cd a; cd ..; rm", ""),
        ("cd; rm", "/home/u"),
        ("(cd /a); rm", ""),
        ("cd $X; rm", None),
        ("pushd a; pushd b; popd; rm", "a"),
        ("cd a; cd -; rm", ""),
        ("time cd a && rm", "a"),
        ("env -C /a rm", "/a"),
        ("cd a || cd b; rm", None),
        ("cd a & rm", ""),
    ],
)
def test_the_directory_follows_cd(text: str, cwd: str | None) -> None:
    assert only(text, "rm").cwd == cwd


def test_redirects_keep_operator_descriptor_and_target() -> None:
    command = only("2>e rm x >|a >>b 2>&1 &>c <d >& f", "rm")
    found = [(r.op, r.fd, r.target.text) for r in command.redirects]
    assert found == [
        (">", 2, "e"),
        (">|", None, "a"),
        (">>", None, "b"),
        (">&", 2, "1"),
        ("&>", None, "c"),
        ("<", None, "d"),
        (">&", None, "f"),
    ]
    (bare,) = parse("> file").commands
    assert (bare.argv, bare.redirects[0].target.text) == ((), "file")


def test_a_heredoc_body_is_expanded_only_behind_an_unquoted_delimiter() -> None:
    assert only("x=1; cat <<E\n$x\nE", "cat").stdin == "1\n"
    assert only("x=1; cat <<'E'\n$x\nE", "cat").stdin == "$x\n"
    assert only("cat <<-E\n\ta\n\tE", "cat").stdin == "a\n"


def test_operands_from_elsewhere_are_announced() -> None:
    assert only("find . | xargs rm", "rm").has_more_words
    assert only("find . -exec rm {} +", "rm").has_more_words
    assert only("sh -c 'ls' ; rm \"$@\"", "rm").has_more_words
    assert not only("rm x", "rm").has_more_words


def test_globs_count_only_outside_quotes() -> None:
    assert [word.has_glob for word in only("rm * '*' \\* a?b [x] x", "rm").argv[1:]] == [
        True,
        False,
        False,
        True,
        True,
        False,
    ]


def test_spans_are_characters_of_the_text_given() -> None:
    text = "é=1; sudo rm 'ü x' $(ls y)"
    command = only(text, "rm")
    assert [text[slice(*word.span)] for word in command.argv] == ["rm", "'ü x'", "$(ls y)"]
    assert text[slice(*only(text, "ls").span)] == "ls y"
    text = "sh -c 'rm y'"
    assert text[slice(*only(text, "rm").argv[1].span)] == "'rm y'"


def test_broken_syntax_is_a_problem_and_hides_no_command() -> None:
    script = parse("if then ) rm -rf / (")
    assert [problem.kind for problem in script.problems] == ["syntax"]
    assert RM in [[word.text for word in command.argv] for command in script.commands]
    assert parse("echo 'rm").problems[0].kind == "syntax"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a" * (MAX_TEXT + 1), "too-long"),
        ("a;" * (MAX_COMMANDS + 1), "too-many"),
        ("$(" * 60 + "a" + ")" * 60, "too-deep"),
        ("eval " * 60 + "a", "too-deep"),
        ("( " * 300 + "a" + " )" * 300, "too-deep"),
        ("(a);" * (MAX_COMMANDS + 1), "too-many"),
        ("x=aaaaaaaa;" + "x=$x$x;" * 40 + "echo $x;" * 6000, "too-many"),
        (
            "f(){ g; g; }; g(){ h; h; };"
            + "f;" * 20
            + "for i in 1 2 3 4 5 6 7 8; do " * 2
            + "a;" * 100
            + "done;" * 2,
            "too-many",
        ),
    ],
)
def test_an_exceeded_bound_is_reported_as_a_problem(text: str, kind: str) -> None:
    assert kind in {problem.kind for problem in parse(text).problems}


def test_the_words_of_loops_inside_of_loops_are_followed_as_long_as_they_are_few():
    loops = "for i in {0..9}; do for j in {0..9}; do for k in {0..9}; do for l in a b; do "
    script = parse(f"{loops}x $i $j $k $l; done; done; done; done")
    assert not script.problems
    assert 200 <= len(script.commands) < MAX_COMMANDS
    assert {"x 0 0 \0 a", "x 9 9 \0 b"} <= {
        " ".join(word.text for word in one.argv) for one in script.commands
    }


PIECES = st.sampled_from(
    [
        "rm",
        "-rf",
        "/",
        ";",
        "&&",
        "||",
        "|",
        "&",
        "$(",
        ")",
        "`",
        "'",
        '"',
        "\\",
        "\n",
        "{",
        "}",
        "${",
        "x",
        "=",
        "<<E",
        "E",
        "<<<",
        ">",
        ">(",
        "case",
        "in",
        "esac",
        "if",
        "then",
        "fi",
        "for",
        "do",
        "done",
        "sudo",
        "sh",
        "-c",
        "eval",
        "xargs",
        "python",
        "-c",
        "os.system(",
        "[",
        "]]",
        "((",
        "))",
        "#",
        "\x00",
        "é",
        "�",
        "f(){",
        "a=(",
        "$@",
        "find",
        "-exec",
        "\\;",
        "!",
    ]
)


@examples(400)
@given(
    st.one_of(
        st.text(max_size=80),
        st.lists(PIECES, max_size=25).map(" ".join),
        st.lists(PIECES, max_size=25).map("".join),
    )
)
def test_no_text_makes_the_parser_raise_and_spans_stay_inside(text: str) -> None:
    script = parse(text, env=ENV)
    for command in script.commands:
        for start, end in (command.span, *(word.span for word in command.argv)):
            assert 0 <= start <= end <= len(text)


@for_each(
    "sets",
    [
        "SUDO=${SUDO:-sudo}",
        ": ${SUDO:=sudo}",
        "SUDO=$(command -v sudo)",
        'SUDO=""; [ "$EUID" -ne 0 ] && SUDO=sudo',
        'if [ "$(id -u)" -ne 0 ]; then SUDO="sudo -E"; else SUDO=; fi',
        "case $(uname) in Linux) SUDO=/usr/bin/sudo ;; *) SUDO= ;; esac",
        "",
    ],
)
def test_a_variable_for_sudo_runs_what_follows_whatever_its_value_is(sets):
    for word in ("$SUDO", '"$SUDO"', "${SUDO:-}"):
        found = argvs(f"{sets}\n{word} rm -rf /var/lib/x")
        assert ["rm", "-rf", "/var/lib/x"] in found or ["sudo", *RM[:2], "/var/lib/x"] in found


@for_each(
    "line",
    [
        "time $SUDO rm -rf /var/lib/x",
        "timeout 5 $SUDO rm -rf /var/lib/x",
        "env A=1 $SUDO rm -rf /var/lib/x",
        'run() { $SUDO "$@"; }; run rm -rf /var/lib/x',
        'eval "$SUDO rm -rf /var/lib/x"',
        'sh -c "$SUDO rm -rf /var/lib/x"',
        'RM="$SUDO rm -rf"; $RM /var/lib/x',
        'words=($SUDO rm -rf /var/lib/x); "${words[@]}"',
    ],
)
def test_a_variable_for_sudo_counts_wherever_it_stands(line):
    assert ["rm", "-rf", "/var/lib/x"] in argvs(f"SUDO=${{SUDO:-sudo}}\n{line}")


def test_a_variable_that_is_for_no_program_runs_nothing_else():
    assert ["rm", "x"] not in argvs("SAY=$(cat how)\n$SAY rm x")
