"""What filters print of a known text is what the real programs print; anything else is unknown."""

import shutil
import subprocess

import pytest
from tests.tables import for_each

from operators_edge.shell.text_filters import filter_of, substituted

TEXT = "# run ls\nx=1\n\n#run: git status\nname: a b c\na b\na b\nlast\n"
JSON = '{"a": {"b": ["ls", "pwd"], "c-d": "x y"}, "s": [{"run": "make"}, {"run": "ls -l"}], "n": 1}'

KNOWN = [
    ["sed", "s/run/walk/"],
    ["sed", "s|a b|/x/y|g"],
    ["sed", "s/a/A/2p;d"],
    ["sed", "-n", "2,4p"],
    ["sed", "-n", "$p"],
    ["sed", "-n", "/^#run/p"],
    ["sed", "1d;3,5d"],
    ["sed", "4,2d"],
    ["sed", "3q"],
    ["sed", "-e", "/^$/d"],
    ["sed", "s/^#run: //;s/a.*c/z/"],
    ["sed", "s/A/z/gI"],
    ["sed", "s/[ab]/q/g"],
    ["sed", "s/\\//x/"],
    ["sed", "s/ /\\&/g"],
    ["grep", "run"],
    ["grep", "-v", "^#"],
    ["grep", "-i", "RUN"],
    ["grep", "-F", "a b"],
    ["grep", "-x", "last"],
    ["grep", "^a.*b$"],
    ["fgrep", "#run:"],
    ["head", "-n", "2"],
    ["head", "-3"],
    ["head"],
    ["tail", "-n", "+3"],
    ["tail", "-n", "2"],
    ["tail", "-1"],
    ["cut", "-c3-"],
    ["cut", "-d", " ", "-f2-"],
    ["cut", "-d:", "-f2"],
    ["cut", "-c", "1-3"],
    ["uniq"],
    ["tac"],
]


@for_each("words", KNOWN)
def test_a_filter_prints_what_the_program_prints(words):
    known = filter_of(words[0], words[1:])
    real = subprocess.run(words, input=TEXT, capture_output=True, text=True, check=False)
    assert known is None or known.apply(TEXT) == real.stdout
    assert known is not None or "/2p" in words[1]


UNKNOWN = [
    ["sed", "s/a/b/e"],
    ["sed", "s/a/b/w x"],
    ["sed", "1e ls"],
    ["sed", "s/a/\\n/"],
    ["sed", "s/\\(a\\)/\\1/"],
    ["sed", "s/a/&x/"],
    ["sed", "-E", "s/a+/b/"],
    ["sed", "-i", "s/a/b/", "f"],
    ["sed", "y/a/b/"],
    ["sed", "$!d"],
    ["sed", "N;s/a/b/"],
    ["sed", "-f", "x"],
    ["grep", "a\\|b"],
    ["grep", "-E", "a|b"],
    ["grep", "-P", "a"],
    ["grep", "-c", "a"],
    ["grep", "-o", "a"],
    ["grep", "*a"],
    ["grep", "run", "a", "b"],
    ["grep", "-r", "run", "."],
    ["head", "-c", "3"],
    ["tail", "-f", "x"],
    ["cut", "-f1,3"],
    ["cut", "--complement", "-f1"],
    ["uniq", "-c"],
    ["jq", ".a"],
    ["jq", "-r", ".a | length"],
    ["jq", "-r", "."],
    ["sort"],
    ["awk", "1"],
]


@for_each("words", UNKNOWN)
def test_what_is_not_certain_is_unknown(words):
    assert filter_of(words[0], words[1:]) is None


def test_the_files_of_a_filter_are_named():
    assert filter_of("grep", ["-h", "x", "a", "b"]).files == ("a", "b")
    assert filter_of("sed", ["-e", "p", "f"]).files == ("f",)
    assert filter_of("tail", ["-n", "+4", "f"]).files == ("f",)
    assert filter_of("jq", ["-r", ".a", "f"]).files == ("f",)


@pytest.mark.parametrize(
    "path", [".a.b[]", ".s[].run", ".s[0].run", '.a["c-d"]', ".a.b[1]", ".s[] | .run"]
)
def test_jq_takes_texts_by_their_path(path):
    told = filter_of("jq", ["-r", path]).apply(JSON)
    assert told
    if shutil.which("jq"):
        real = subprocess.run(
            ["jq", "-r", path], input=JSON, capture_output=True, text=True, check=True
        )
        assert told == real.stdout


@for_each("path", [".n", ".a", ".missing", ".s.run", ".a.b[7]"])
def test_what_jq_does_not_print_as_a_text_is_unknown(path):
    assert filter_of("jq", ["-r", path]).apply(JSON) is None


def test_variables_are_put_into_a_text_as_envsubst_does():
    assert substituted("a $X ${Y}-$Z $1", lambda name: f"<{name}>") == "a <X> <Y>-<Z> $1"
