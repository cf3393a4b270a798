"""What harmless commands print, and which files a text writes, as far as that is known without running it."""

import pytest
from tests.tables import for_each

from operators_edge.shell.commands import HOLE
from operators_edge.shell.evaluate import parse


def printed(text):
    """What takes the place of ``$(text)``."""
    return parse(f'rm "$({text})"').commands[-1].argv[1].text


@for_each(
    ("text", "output"),
    [
        ("echo -n a b", "a b"),
        (r"echo -e 'a\tb\0101'", "a\tbA"),
        ("printf '%s-%s' a b", "a-b"),
        ("printf '%s.' a b c", "a.b.c."),
        ("printf -- '%s' a", "a"),
        (r"printf '%b%%' '\0101'", "A%"),
        ("printf '%d%c' 07 word", "7w"),
        ("printf '%s-%02d' a 7", "a-07"),
        ("printf '%5s|%-3s|%.2s|%05d' a b cde 010", "    a|b  |cd|00008"),
        ("cat /dev/null", ""),
        ("echo a | cat | cat -", "a"),
        ("echo a | tee copy", "a"),
        ("echo rm | base64", "cm0K"),
        ("echo cm0K | base64 -d", "rm"),
        ("echo 726d | xxd -r -p", "rm"),
        ("echo mr | rev", "rm"),
        ("echo RM | tr A-Z a-z", "rm"),
        ("echo RM | tr '[:upper:]' '[:lower:]'", "rm"),
        ("echo r-m | tr -d -", "rm"),
        ("which -a rm", "rm"),
        ("basename /bin/rm", "rm"),
        ("mktemp -d", "/tmp/tmp.of-its-own"),
        ("mktemp -d -t shop.XXX", "/tmp/tmp.of-its-own"),
        ("mktemp -d /tmp/shop.XXXXXX", "/tmp/tmp.of-its-own"),
        ("mktemp -t shop.XXX", "/tmp/shop.000"),
        ("mktemp /tmp/shop.XXX", "/tmp/shop.000"),
        ("mktemp -d /tmp/shop", "/tmp/shop"),
        ("mktemp -d /srv/shop.XXX", "/srv/shop.000"),
        ("mktemp /srv/shop.XXX", "/srv/shop.000"),
        ("date +%Y-%m-%d_%H%M", "0-0-0_00"),
        ("seq 3", "1\n2\n3"),
        ("seq 8 9", "8\n9"),
        ("gseq 3 -2 -1", "3\n1\n-1"),
        ("realpath -m /bin/rm", "/bin/rm"),
        ("ls -d ~/x", "~/x"),
        ("ls ~/x/*.py", f"~/x/{HOLE}.py"),
        ("find ~/x", f"~/x/{HOLE}"),
        ("find . -name x", f"./{HOLE}"),
        ("find -L ~/x/ -maxdepth 1 -name 'a*'", f"~/x/{HOLE}/a{HOLE}"),
        ("brew shellenv", ""),
        ("dircolors -b", ""),
        ("true", ""),
    ],
)
def test_output_that_the_text_alone_determines_is_known(text, output):
    assert printed(text) == output


@for_each(
    "text",
    [
        "printf '%q' 'a b'",
        "printf '%x' 10",
        "printf '%d' x",
        "printf '%d' 08",
        "printf -x a",
        'printf "$form" a',
        "cat notes.txt",
        "echo a | base64 -d",
        "echo a | base64 -w0",
        'echo "$x" | base64 -d',
        "echo 726d | xxd",
        "rev notes.txt",
        "echo a | tr -s a",
        "realpath x",
        "ls ~/x",
        "ls -l ~/x/*",
        "ls ~/x/* ~/y/*",
        "find ~/x ~/y",
        "echo a | tr -s a b",
        "echo a | tr a ''",
        "echo a | tr '[:digit:]' x",
        "which a b",
        "basename /a.b .b",
        "mktemp -p .",
        "mktemp shop.XXX",
        "mktemp -t a/b.XXX",
        "date",
        "seq 99",
        "seq 2 1",
        "seq -w 3",
        "seq 1 0 3",
        "date +%c",
        "date -d now +%s",
        "brew list",
        "curl http://localhost",
    ],
)
def test_other_output_is_unknown(text):
    assert printed(text) == HOLE


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("echo a | tee x -a y", {"x": "a\n", "y": "a\n"}),
        ("echo a > x; cp x ./y", {"x": "a\n", "y": "a\n"}),
        ("echo a > x; rsync -a x ./y", {"x": "a\n", "y": "a\n"}),
        ("echo a > x; rsync -a x host:y", {"x": "a\n"}),
        ("echo a > x; rsync -a x y/", {"x": "a\n"}),
        ("echo a > /dev/stdout", {}),
        ("echo a > x; echo b >> x", {"x": "a\nb\n"}),
        ("echo a >> x", {"x": None}),
        ("curl -o x http://localhost", {"x": None}),
        ("curl -fsSLox http://localhost", {"x": None}),
        ("wget -O x http://localhost", {"x": None}),
        ("dd if=y of=x", {"x": None}),
        ("openssl enc -out x", {"x": None}),
        ("curl http://localhost -o", {}),
        ("cp x", {}),
    ],
)
def test_a_file_that_a_text_writes_is_noted_with_its_content_if_that_is_known(text, files):
    assert dict(parse(text).files) == files


@pytest.mark.parametrize(
    "text",
    [
        "ed x.sh <<< $'a\\nrm -rf /\\n.\\nw\\nq'; bash x.sh",
        "printf 'a\\nrm -rf /\\n.\\nw x.sh\\nq\\n' | ed; sh x.sh",
    ],
)
def test_what_an_editor_writes_is_part_of_its_input(text):
    found = [[word.text for word in one.argv] for one in parse(text).commands]
    assert ["rm", "-rf", "/"] in found


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("split -l 1 x y; sh yaa", "yaa"),
        ("csplit x 1; sh xx01", "xx01"),
        ("sort x -o y; sh y", "y"),
        ("sort --output=y x; sh y", "y"),
        ("gpg -o y -d x; sh y", "y"),
    ],
)
def test_the_files_that_a_program_makes_of_another_are_known(text, path):
    assert path in dict(parse(text).outputs)


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("echo 'rm a' > x; bash -n x", False),
        ("echo 'rm a' > x; bash +n x", True),
        ("echo 'rm a' > x; bash -n -i x", True),
        ("echo 'rm a' > x; bash -n +n x", True),
    ],
)
def test_a_script_whose_syntax_is_checked_does_not_run(text, runs):
    found = [[word.text for word in one.argv] for one in parse(text).commands]
    assert (["rm", "a"] in found) == runs
