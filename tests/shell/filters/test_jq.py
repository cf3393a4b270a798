"""What jq and yq print of a known document is what the real programs print; anything else is unknown."""

from __future__ import annotations

import shutil
import subprocess

from tests.tables import for_each

from operators_edge.shell.filters.text_filters import filter_of

JSON = (
    '{"a": {"b": ["ls", "pwd"], "c-d": "x y"}, "s": [{"run": "make", "on": true}, {"run": "ls -l"}],'
    ' "n": 1, "f": 1.50, "k": "a", "q": "it\'s", "z": null}'
)
YAML = "a:\n  b: [ls, pwd]\n  c: x y\ns:\n  - run: make\n  - run: ls -l\nn: 1\n"

KNOWN = [
    ".a.b[]",
    '.a.b | join(" ")',
    ".a.b|@sh",
    "[.q, .k] | @sh",
    '.s[] | select(.run == "make") | .run',
    '.s[] | select(.run != "make").run',
    ".s[] | select(.on) | .run",
    '.s | map(.run) | join(",")',
    '"x \\(.n) \\(.a.b[])"',
    '"\\(1,2)-\\(3,4)"',
    ".a | to_entries[] | .key",
    ".a | keys[]",
    ".a | keys_unsorted | .[0]",
    ".n",
    ".missing",
    '.a["c-d"]',
    '."a"."c-d"',
    ".a.b[-1]",
    ".a.b[7]",
    ".n + 1",
    "(1,2) + (10,20)",
    '.a.b + ["q"] | join("-")',
    ".a.b | first, last",
    "(.a.b[]), .n",
    '.x // "d"',
    ".s[0].run, .n",
    ".a.b | add",
    '.a["c-d"] | split(" ") | .[]',
    "[.s[].run] | @tsv",
    "$k",
    ".[$k].b[0]",
    '.a | has("b")',
    ".s[0].on",
    ".z",
    ".a.b[]?",
    ".a.b[0:1] | .[]",
    ".a.b[:-1][], .a.b[-1:][]",
    '.s[] | select(.on and .run == "make") | .run',
    '.s[] | select(.on or .run == "x" | not) | .run',
    '.s[] | select(.run >= "m") | .run',
    ".s | sort_by(.run) | reverse | .[0].run",
    ".a.b | sort | .[-1]",
    ".a.b | length",
    '.k | test("^a$|b")',
    '.s[] | select(.run | startswith("ls")).run',
    '.s[] | select(.run | test("make") | not) | .run',
    '.a.b[] | ltrimstr("l") | rtrimstr("d")',
    '.q | contains("it")',
    "if .n >= 1 then .k elif .z then .n else .q end",
    "if .z then .k else .q end",
    '(.z, .k) | if . == null then "none" else . end',
]


@for_each("path", KNOWN)
def test_jq_prints_texts_that_are_known(path):
    words = ["-r", "--arg", "k", "a", path]
    told = filter_of("jq", words).apply(JSON)
    assert told
    if shutil.which("jq"):
        real = subprocess.run(
            ["jq", *words], input=JSON, capture_output=True, text=True, check=True
        )
        assert told == real.stdout


@for_each(
    "path",
    [
        ".s.run",
        ".a[.k]",
        ".a",
        ".f",
        ".s[].run | ascii_downcase",
        ".a.b as $x | $x",
        "..",
        ".a | keys[.n]",
        '.s | keys | join(" ")',
        "env.HOME",
        "input",
        ".a.b[] # x",
        "reduce .a.b[] as $x (0; .)",
        '.f == 1.5 | if . then "a" else "b" end',
        "$missing",
        ".n - 1",
        '.k | test("a.")',
        '.k | test("a"; "x")',
        ".k < .n",
        ".f < 2",
        ".s | sort_by(.on)",
        ".k[0:1]",
        "if .n then .k end",
        "true + true",
        ".a | has(1)",
        ".a.b | join(null)",
        ".a.b |= .[0]",
        "def f: .k; f",
        "limit(1; .a.b[])",
    ],
)
def test_what_is_not_certain_is_unknown(path):
    found = filter_of("jq", ["-r", path])
    assert found is None or found.apply(JSON) is None


@for_each(
    ("words", "printed"),
    [
        (["-j", ".a.b[]"], "lspwd"),
        (["--raw-output", ".k"], "a\n"),
        ([".k"], '"a"\n'),
        (["-er", ".k", "f"], "a\n"),
        (["-r", "--argjson", "x", "1", "if $x == .n then .k else .q end"], "a\n"),
    ],
)
def test_options_that_say_how_jq_prints_are_read(words, printed):
    assert filter_of("jq", words).apply(JSON) == printed


@for_each(
    "words",
    [
        ["-n", ".k"],
        ["-s", ".k"],
        ["-rR", "."],
        ["-r", "--slurp", ".k"],
        ["-r", "--argjson", "x", "1.", ".k"],
        ["-r", "-f", "x.jq"],
        ["-r", ".k", "f", "g"],
    ],
)
def test_other_options_are_not_known(words):
    assert filter_of("jq", words) is None


@for_each(
    ("words", "printed"),
    [
        (["-r", ".a.b[]"], "ls\npwd\n"),
        ([".a.c"], "x y\n"),
        (["e", ".s[0].run"], "make\n"),
        (['.a.b | join(" ")'], "ls pwd\n"),
    ],
)
def test_yq_prints_texts_of_a_document_of_yaml(words, printed):
    assert filter_of("yq", words).apply(YAML) == printed


@for_each(
    "words",
    [
        [".n"],
        [".a | keys[]"],
        ['.s[] | select(.run == "m*").run'],
        [".a"],
        ["-i", ".a.c"],
        ["-o", "json", ".a.c"],
    ],
)
def test_what_the_two_programs_called_yq_may_read_differently_is_unknown(words):
    found = filter_of("yq", words)
    assert found is None or found.apply(YAML) is None
