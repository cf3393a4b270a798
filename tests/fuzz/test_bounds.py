"""No input makes the gate raise, fall open, or take more steps than it states."""

from __future__ import annotations

import re
import time
from re import _parser  # type: ignore[attr-defined]

import pytest
from hypothesis import given, strategies as st

from operators_edge.gate.pack_schema import condition_patterns
from operators_edge.gate.rules import needs_parsing, read_packs
from operators_edge.shell.evaluate import MAX_COMMANDS, MAX_STEPS, MAX_TEXT, Evaluator
from operators_edge.shell.expansion import MAX_WORK
from tests.gate.example_project import judge, judge_tool
from tests.growth import is_linear
from tests.properties import examples
from tests.tables import for_each


def filled(piece: str, end: str = "", length: int = MAX_TEXT // 6) -> str:
    """A text of one piece; a sixth of what a text may have shows the same as all of it, in less time."""
    return piece * ((length - len(end) - 200) // len(piece)) + end


FLOODS = {
    **{
        piece: filled(piece)
        for piece in (
            *";|&(){}'\"`$\\#<>=~*?[]!\n\r\t\0é",
            "rm -rf /;",
            "rm -rf /\n",
            "a=(",
            "a[",
            "x+=(b) ",
            "$(",
            "${",
            "${a:-",
            "$((",
            "$((1+",
            '"$(',
            "<(",
            "((",
            "[[ a ",
            "case x in x) ",
            "if a; then ",
            "for i in a; do ",
            "select x in ",
            "f(){ ",
            "cat <<E\nrm\nE\n",
            "<<E ",
            "<<<a ",
            "> a ",
            "{a,",
            "{a,b}",
            "eval ",
            "sudo ",
            "xargs ",
            "find . -exec ",
            "bash -c ",
            "! ",
            "time ",
            "cd ..;",
            "a[0]=x;",
            "cmd /c ",
            "cp a b;",
            "declare -n a=b ",
            "$[",
            "${a[",
            "repeat 2 ",
            "let a ",
        )
    },
    **{
        f"{before}{piece}": before + filled(piece, "'")
        for before, pieces in {
            "python3 -c '": (
                "os.system(",
                "getattr(",
                "chr(1)+",
                "eval(",
                "x=[",
                "a.",
                "a+",
                "x[",
                "open(",
                "Path(",
                "getattr(",
            ),
            "node -e '": ('"a"+', "eval(", "{args:[", "{", "/*", "require(", "a.require"),
            "perl -e '": ('"a".', "qx(", "q ", "open(", "`"),
            "awk '": ("print >", "print ", "a="),
            "sed '": ("s/", "w", "e;", "1,2"),
            "vim -c '": ("!", "call delete(", "w "),
            "tclsh <<< '": ("exec ", "exec {", "["),
            "psql -c '": ("\\! ", "copy from program ", "drop ", "-- \n"),
            "mysql -e '": (";system a", "; "),
            "make --eval='": ("a: ", "$(shell ", "a:;"),
            "crontab - <<< '": ("* ", "* * * * * rm\n"),
            "git commit -m '": ("rm -rf / ",),
        }.items()
        for piece in pieces
    },
    "doubling": "x=aaaaaaaa;" + "x=$x$x;" * 60 + "rm -rf $x",
    "functions": "".join(f"f{i}(){{ f{i + 1}; f{i + 1}; }};" for i in range(1500)) + "f0; rm -rf /",
    "loops": "for a in 1 2 3 4 5 6 7 8 9; do " * 9 + "rm -rf /;" + "done;" * 9,
    "aliases": "".join(f"alias a{i}='a{i + 1} a{i + 1}';" for i in range(1000)) + "a0; rm -rf /",
    "references": "".join(f"declare -n a{i}=a{i + 1};" for i in range(2000)) + "$a0 -rf /",
    "sums": "".join(f"a{i}='a{i + 1} + x[$((a{i + 1}))]';" for i in range(1000)) + "echo $((a0))",
    "prompts": "a='${a@P}${a@P}';" + "echo ${a@P};" * 1000,
    "heredocs": "cat " + " ".join(f"<<E{i}" for i in range(3000)) + "\n" + "rm\n" * 3000,
    "long": "rm -rf /; " + "a" * MAX_TEXT * 4,
}


@for_each("name", FLOODS)
def test_a_flood_ends_within_the_steps_stated(name):
    evaluator = Evaluator({})
    script = evaluator.evaluate(FLOODS[name])
    assert evaluator.steps <= MAX_STEPS + 1
    assert evaluator.work <= MAX_WORK + MAX_TEXT
    assert len(script.commands) <= MAX_COMMANDS


@pytest.mark.parametrize("name", [name for name in FLOODS if "rm -rf" in FLOODS[name]])
def test_danger_in_a_flood_is_not_let_through(name):
    if not name.startswith("git commit"):
        assert judge(FLOODS[name]).effect in {"junction", "block"}


@pytest.mark.parametrize("form", ["node -e '{}'", "ruby -e '{}'", "rm {}"])
def test_a_long_name_costs_its_length_and_not_its_square(form):
    def evaluate(length):
        Evaluator({}).evaluate(form.format("a" * length))

    evaluate(10)
    assert is_linear(evaluate, MAX_TEXT - 100, least=0.02)


@pytest.mark.parametrize(
    "text",
    [
        "echo ok; " + "a " * MAX_TEXT,
        "echo " + "$(" * 60 + "a" + ")" * 60,
        "( " * 300 + "rm -r a" + " )" * 300,
        "a;" * (MAX_COMMANDS + 1),
    ],
)
def test_what_is_too_large_to_judge_needs_a_person(text):
    assert "shell-cannot-analyse" in [finding.rule for finding in judge(text).findings]


def samples(pattern: str) -> set[str]:
    """Texts that a pattern nearly matches: one match of it, its beginnings and its ends."""
    found: set[str] = set()
    for pick in range(4):
        text = _sample(_parser.parse(pattern), pick)
        found |= {text[:at] for at in range(1, len(text) + 1)} | {
            text[at:] for at in range(len(text))
        }
    return found


def _sample(tree, pick: int) -> str:
    return "".join(_one(str(op), value, pick) for op, value in tree)


def _one(op: str, value, pick: int) -> str:
    if op in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
        least, most, inner = value
        return _sample(inner, pick) * max(least, min(1, most))
    if op == "IN":
        kind, inner = value[pick % len(value)]
        return "a" if str(value[0][0]) == "NEGATE" else _one(str(kind), inner, pick)
    known = {
        "LITERAL": lambda: chr(value),
        "RANGE": lambda: chr(value[0]),
        "CATEGORY": lambda: {"CATEGORY_SPACE": " ", "CATEGORY_DIGIT": "1"}.get(str(value), "a"),
        "SUBPATTERN": lambda: _sample(value[3], pick),
        "ATOMIC_GROUP": lambda: _sample(value, pick),
        "BRANCH": lambda: _sample(value[1][pick % len(value[1])], pick),
        "NOT_LITERAL": lambda: "a",
        "ANY": lambda: "a",
    }
    return known[op]() if op in known else ""


PATTERNS = sorted(
    {
        pattern
        for pack in read_packs().values()
        for rule in pack.get("rule", ())
        for when in rule["when"]
        for pattern in condition_patterns(when)
    }
)


def test_no_pattern_of_a_pack_takes_time_that_grows_like_a_power_of_two():
    # Such a pattern would not come to an end here within anyone's patience.
    for pattern in PATTERNS:
        compiled = re.compile(pattern)
        for sample in samples(pattern):
            compiled.search((sample * 120)[:120] + "\x01")


PYTHON = """import os, subprocess, requests

def handle(name, path="data/x.json"):
    with open(path, "r") as file:
        data = {key: one for key, one in json.load(file).items() if os.environ.get("HOME")}
    print(f"{name}: {data!r}", requests.get("https://example.com/api").json())
    subprocess.run(["ls", "-l", str(path)], check=True)
    return cursor.execute("select id from items where id = %s", [name])

"""
NODE = """const { exec } = require("child_process"); async function handle(name, value) { const res = await \
fetch(`https://example.com/${name}`, { method: "GET" }); console.log("got", process.env.HOME); return await \
client.query('select id from items', [value]); } """
SHELL = (
    "ps aux | grep x | head; docker ps -a && cat a.log | xargs ls; for x in a b; do echo $x; done\n"
)
LONG_PROGRAMS = [
    (piece * (25_000 // len(piece) + 1))[:25_000]
    for piece in (PYTHON, NODE, SHELL, "\n", "  ", "a", "-a ", "a.b(", "cat a | ")
]


@pytest.mark.parametrize("at", range(8))
def test_no_pattern_of_a_pack_takes_time_that_grows_like_the_square_of_a_long_program(at):
    slow = []
    for pattern in PATTERNS[at::8]:
        compiled = re.compile(pattern)
        for text in LONG_PROGRAMS:
            took = _seconds(compiled, text)
            # Against itself on the half, as how fast the machine is differs.
            if took > 0.05 and took > 3 * _seconds(compiled, text[: len(text) // 2]):
                slow.append((pattern, text[:8], took))
    assert slow == []


def _seconds(pattern: re.Pattern[str], text: str) -> float:
    start = time.process_time()
    pattern.search(text)
    return time.process_time() - start


WORDS = st.sampled_from(
    [
        "rm",
        "-rf",
        "/",
        "ls",
        "x=rm",
        "$x",
        '"$@"',
        "sudo",
        "git push -f",
        "a{b,c}",
        "$(echo rm)",
        "'q'",
    ]
)
SIMPLE = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
SHAPES = (
    "{0}; {1}",
    "{0} && {1} || {0}",
    "{0} | {1}",
    "({0})",
    "{{ {0}; }}",
    "if {0}; then {1}; else {0}; fi",
    "while {0}; do {1}; done",
    "for x in {0}; do {1}; done",
    "case {0} in a) {1};; esac",
    "f() {{ {0}; }}; f {1}",
    "echo $({0})",
    "bash -c '{0}'",
    "cat <<E\n{0}\nE\n{1}",
    "{0} > f",
    "{0} <<< '{1}'",
    "xargs {0}",
    "! {0} &",
    "python3 -c 'import os; os.system(\"{0}\")'",
)
TREES = st.recursive(
    SIMPLE,
    lambda inner: st.builds(
        lambda shape, one, two: shape.format(one, two), st.sampled_from(SHAPES), inner, inner
    ),
    max_leaves=12,
)


@examples(200)
@given(TREES | st.text(max_size=60) | st.binary(max_size=60).map(lambda b: b.decode("latin-1")))
def test_what_the_prefilter_passes_the_gate_allows_whatever_the_shape(text):
    verdict = judge(text)
    assert needs_parsing(text) or verdict.effect == "allow"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.just("rm -rf /"),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=20,
)
TOOLS = [
    "Bash",
    "Edit",
    "Write",
    "NotebookEdit",
    "Read",
    "WebFetch",
    "Task",
    "mcp__db__query",
    "Unknown",
]
KEYS = st.sampled_from(
    ["command", "file_path", "notebook_path", "prompt", "url", "method", "query"]
)


@examples(200)
@given(st.sampled_from(TOOLS), st.dictionaries(KEYS, JSON, max_size=4))
def test_no_input_of_any_tool_makes_the_gate_raise(tool, given_input):
    assert judge_tool(tool, given_input).effect in {"allow", "warn", "junction", "block"}


@pytest.mark.parametrize("command", [None, 7, [], {}, True])
def test_a_shell_call_without_a_text_is_not_let_through(command):
    assert judge_tool("Bash", {"command": command}).effect in {"junction", "block"}


def test_a_text_nested_deeper_than_any_stack_is_judged():
    assert judge("rm -rf / " + "$(" * 20_000).effect == "block"
    assert judge_tool("Task", _nested(2_000)).effect in {"allow", "junction"}


def _nested(levels: int) -> dict[str, object]:
    inner: dict[str, object] = {"prompt": "hello"}
    for _ in range(levels):
        inner = {"a": [inner]}
    return inner
