"""What a text from a file starts, with what it knows of itself."""

# ruff: noqa: E501 - texts of files
from __future__ import annotations

from tests.gate.example_project import PLACE, ROOT, RULES, Machine
from tests.tables import for_each

from operators_edge.gate.decide import assess
from operators_edge.gate.disk import extracts, started
from operators_edge.model import Call
from operators_edge.shell.code.languages import CALLS

_PLACES = ("own path", "current folder", "same path")
"""Effects of calls that only name a place."""


@for_each("name", [each for each, effect in CALLS.items() if effect not in _PLACES])
def test_each_call_that_starts_or_changes_something_makes_a_file_worth_reading(name):
    assert started.may_start(f"{name}(x)")
    assert any(each in name for each in extracts._CALLS)


@for_each(
    ("program", "text", "expected"),
    [
        ("python", "open(__file__)", "open('/p/a')"),
        ("node", "read(__dirname)", "read('/p')"),
        ("ruby", "__dir__ + __FILE__", "'/p' + '/p/a'"),
        ("php", "__DIR__ . '/b'", "'/p' . '/b'"),
        ("lua", "__file__", "__file__"),
    ],
)
def test_code_knows_its_own_path(program, text, expected):
    assert started.with_own_path(program, text, "/p/a") == expected


@for_each(
    ("program", "text", "arguments", "expected"),
    [
        ("python", "sys.argv[1]", ("a", "b"), "'b'"),
        ("python", "sys.argv", ("a", "b"), "['a', 'b']"),
        ("node", "process.argv[2]", ("a", "b"), "'b'"),
        ("ruby", "ARGV[0]", ("a", "b"), "'b'"),
        ("python", "sys.argv[2]", ("a", "b"), "sys.argv[2]"),
        ("python", "sys.argv[1]", ("a", "b\0"), "sys.argv[1]"),
    ],
)
def test_code_knows_the_words_that_it_is_given(program, text, arguments, expected):
    assert started.with_arguments(program, text, arguments) == expected


def test_a_call_is_found_at_its_line_with_its_variables():
    text = "import os, subprocess\n\nos.environ['A'] = 'b'\nsubprocess.run(['make', 'it'])\n"
    (run,) = started.started_by_code("python", "-c", text)
    assert run.text == "make it"
    assert text[: run.position].count("\n") == 3


_URLS = """import { rmSync } from "node:fs";
import path, { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
"""
_HERE = "fileURLToPath(import.meta.url)"
_FORCE = "{ recursive: true, force: true }"


@for_each(
    ("code", "is_allowed"),
    [
        (f'rmSync(resolve(dirname({_HERE}), "../dist"), {_FORCE});', True),
        (f'const __filename = {_HERE};\nconst __dirname = dirname(__filename);\nrmSync(join(__dirname, "..", "dist"), {_FORCE});', True),
        (f'const here = path.dirname({_HERE});\nconst out = path.join(here, "../dist");\nrmSync(out, {_FORCE});', True),
        (f'rmSync(new URL("../dist", import.meta.url), {_FORCE});', True),
        (f'rmSync(fileURLToPath(new URL("../dist", import.meta.url)), {_FORCE});', True),
        (f'rmSync(join(import.meta.dirname, "../dist"), {_FORCE});', True),
        (f'rmSync(resolve(dirname({_HERE}), "../src"), {_FORCE});', False),
        (f'rmSync(resolve(dirname({_HERE}), "../.."), {_FORCE});', False),
        (f'rmSync(resolve(dirname({_HERE}), "../../photos"), {_FORCE});', False),
        (f'rmSync(resolve(dirname({_HERE}), "/home/ann/photos"), {_FORCE});', False),
        (f"rmSync(resolve(dirname({_HERE}), process.env.OUT), {_FORCE});", False),
        (f"rmSync(resolve(dirname({_HERE}), process.argv[2]), {_FORCE});", False),
        (f"rmSync(dirname({_HERE}), {_FORCE});", False),
        (f"rmSync(dirname(dirname({_HERE})), {_FORCE});", False),
        (f'rmSync(new URL("../../photos", import.meta.url), {_FORCE});', False),
        (f'rmSync(new URL("/home/ann/photos", import.meta.url), {_FORCE});', False),
        (f'rmSync(new URL("file:///home/ann/photos", import.meta.url), {_FORCE});', False),
        (f'rmSync(new URL("../%2e%2e/photos", import.meta.url), {_FORCE});', False),
        (f'rmSync(new URL("../dist", base), {_FORCE});', False),
        (f'rmSync(new URL("../dist", "file:///home/ann/photos/x"), {_FORCE});', False),
        (f'rmSync(new URL("../dist/../src", import.meta.url), {_FORCE});', False),
        (f"rmSync(fileURLToPath(process.env.OUT), {_FORCE});", False),
        (f'rmSync(fileURLToPath("file:///home/ann/photos"), {_FORCE});', False),
        (f'const {{ join: other }} = path;\nrmSync(other(process.env.HOME, "photos"), {_FORCE});', False),
        (f'import os from "os";\nrmSync(join(os.homedir(), "dist"), {_FORCE});', False),
        (f'rmSync(join(here, "../dist"), {_FORCE});', False),
        (f'const join = other;\nrmSync(join(x, "../dist"), {_FORCE});', False),
    ],
)  # fmt: skip
def test_a_module_of_node_deletes_what_it_names_from_its_own_place(code, is_allowed):
    machine = Machine(
        {f"{ROOT}/scripts/x.mjs": _URLS + code, f"{ROOT}/src/a": "", f"{ROOT}/dist/a": ""},
        ignored=(f"{ROOT}/dist",),
    )
    rules = RULES.with_profile("contextual")
    call = Call("Bash", {"command": "node scripts/x.mjs"}, ROOT)
    verdict = assess(call, PLACE, machine, rules)
    assert (verdict.effect == "allow") is is_allowed


@for_each(
    "code",
    [
        'const fileURLToPath = () => "/home/ann";\nimport { rmSync } from "fs";\nfileURLToPath(import.meta.url)',
        "function fileURLToPath(x) { return x }\nfileURLToPath(import.meta.url)",
        'import { fileURLToPath } from "./own.js";\nfileURLToPath(import.meta.url)',
        'import { other as fileURLToPath } from "url";\nfileURLToPath(import.meta.url)',
        'class URL {}\nnew URL("../dist", import.meta.url)',
        'import { fileURLToPath } from "url";\nlet dirname = x;\ndirname(fileURLToPath(import.meta.url))',
        'import { fileURLToPath } from "url";\nimport { dirname } from "own";\ndirname(__filename)',
        'import { fileURLToPath } from "url";\nif (process.argv[1] === fileURLToPath(import.meta.url)) {}',
        "own.fileURLToPath(import.meta.url)",
    ],
)  # fmt: skip
def test_functions_of_that_name_which_are_another_ones_stay(code):
    kept = started.with_own_path("node", code, "/p/a").replace("'/p/a'", "__filename")
    assert kept == code


def test_what_a_module_of_node_is_called_by_it_may_know_otherwise():
    code = 'import { fileURLToPath as f } from "url";\nf(import.meta.url)'
    assert started.with_own_path("node", code, "/p/a") == code
