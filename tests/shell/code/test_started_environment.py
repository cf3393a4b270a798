"""What a program starts gets the variables that the program has set on its way there, or hands to it."""

from __future__ import annotations

import pytest
from tests.gate.disk.test_follow import judged
from tests.tables import for_each

from operators_edge.shell.code.interpreters import find_calls
from operators_edge.shell.commands import HOLE

MODULES = (
    "const { execFileSync } = require('node:child_process');\nconst { mkdtempSync } = require('node:fs');\n"
    "const { tmpdir } = require('node:os');\nconst { join } = require('node:path');\n"
)
FOLDER = "const dir = mkdtempSync(join(tmpdir(), 'shop-'));\n"
OWN = FOLDER + "process.env.DATABASE_URL = `file:${join(dir, 'test.db')}`;\n"
RESET = "execFileSync('npx', ['prisma', 'migrate', 'reset', '--force'], { stdio: 'inherit' });\n"


def reset(env):
    return RESET.replace("'inherit'", f"'inherit', {env}")


CALM = {
    "a new file in a temporary folder": OWN + RESET,
    "all variables, named": OWN + reset("env: process.env"),
    "handed to the program": FOLDER
    + "const url = `file:${dir}/a.db`;\n"
    + reset("env: { ...process.env, DATABASE_URL: url }"),
    "in a table of its own": FOLDER
    + "const env = { ...process.env, DATABASE_URL: `file:${dir}/a.db` };\n"
    + reset("env"),
    "a database for tests": "process.env.DATABASE_URL = 'postgres://localhost/app_test';\n" + RESET,
}
ASKED = {
    "none": RESET,
    "set afterwards": RESET + OWN,
    "in a branch": f"if (process.env.CI) {{\n{OWN}}}\n{RESET}",
    "in a branch without a block": FOLDER
    + "if (process.env.CI)\n  process.env.DATABASE_URL = `file:${dir}/a.db`;\n"
    + RESET,
    "behind a condition": FOLDER
    + "process.env.CI && (process.env.DATABASE_URL = `file:${dir}/a.db`);\n"
    + RESET,
    "in the other branch": FOLDER
    + "if (process.env.CI) {}\nelse process.env.DATABASE_URL = `file:${dir}/a.db`;\n"
    + RESET,
    "in a function": f"function set() {{\n{OWN}}}\n{RESET}",
    "before a function that may be called earlier": f"{OWN}function reset() {{\n{RESET}}}\n",
    "set again": f"{OWN}process.env.DATABASE_URL = load();\n{RESET}",
    "by a name that is computed": f"{OWN}for (const [k, v] of all()) process.env[k] = v;\n{RESET}",
    "from a table": f"{OWN}Object.assign(process.env, load());\n{RESET}",
    "from a file": f"{OWN}require('dotenv').config({{ override: true }});\n{RESET}",
    "only if there is none": FOLDER + "process.env.DATABASE_URL ||= `file:${dir}/a.db`;\n" + RESET,
    "other variables": OWN + reset("env: { PATH: process.env.PATH }"),
    "another one in the table": OWN + reset("env: { ...process.env, DATABASE_URL: PROD }"),
    "one before all the others": FOLDER
    + reset("env: { DATABASE_URL: `file:${dir}/a.db`, ...process.env }"),
    "an unknown table": OWN + reset("env: load()"),
    "a table that is changed": FOLDER
    + "const env = { ...process.env, DATABASE_URL: `file:${dir}/a.db` };\nenv.DATABASE_URL = x;\n"
    + reset("env"),
}


@for_each("code", CALM.values(), CALM)
def test_a_reset_of_a_database_of_the_programs_own_needs_nobody(code):
    assert judged("node x.js", {"x.js": MODULES + code}, committed=("x.js",)).effect == "allow"


@for_each("code", ASKED.values(), ASKED)
def test_a_reset_is_asked_about_if_the_variable_may_be_another_one(code):
    assert judged("node x.js", {"x.js": MODULES + code}, committed=("x.js",)).effect == "junction"


OF_THE_LINE = {
    RESET: "allow",
    f"process.env.DATABASE_URL = 'postgres://db.example.com/x';\n{RESET}": "junction",
    f"process.env.DATABASE_URL = load();\n{RESET}": "junction",
    f"for (const [k, v] of all()) process.env[k] = v;\n{RESET}": "junction",
    reset("env: { PATH: process.env.PATH }"): "junction",
}


@pytest.mark.parametrize("code", OF_THE_LINE)
def test_what_a_program_sets_goes_before_what_the_line_has_set(code):
    files = {"x.js": MODULES + code}
    found = judged("DATABASE_URL=file:/tmp/a.db node x.js", files, committed=tuple(files))
    assert found.effect == OF_THE_LINE[code]


OTHER_LANGUAGES = {
    "ruby": (
        "ruby",
        "d = Dir.mktmpdir\nENV['A'] = \"sqlite3:#{d}/a\"\nsystem('x')",
        "file:/tmp/tmp.of-its-own/own.db",
    ),
    "under a condition": ("ruby", "ENV['A'] = 'b' if x\nsystem('x')", HOLE),
    "in a branch": ("ruby", "if x\nENV['A'] = 'b'\nend\nsystem('x')", HOLE),
    "a text": ("ruby", "ENV['A'] = 'b'\nsystem('x')", "b"),
    "perl": (
        "perl",
        "my $d = tempdir();\n$ENV{A} = \"file:$d/a\";\nsystem('x');",
        "file:/tmp/tmp.of-its-own/own.db",
    ),
    "perl for a while": ("perl", "{ local $ENV{A} = 'b'; system('x'); }", "b"),
    "no longer": ("perl", "{ local $ENV{A} = 'b'; }\nsystem('x');", HOLE),
    "php": (
        "php",
        "$f = tempnam('/tmp', 'x');\nputenv(\"A=file:$f\");\nexec('x');",
        "file:/tmp/tmp.of-its-own/own.db",
    ),
    "php's arguments": ("php", "putenv('A=' . $argv[1]);\nexec('x');", HOLE),
}


@for_each(("program", "code", "value"), OTHER_LANGUAGES.values(), OTHER_LANGUAGES)
def test_a_variable_is_set_from_its_statement_to_the_end_of_its_block(program, code, value):
    option = "-r" if program == "php" else "-e"
    calls = list(find_calls(program, (program, option, code), None))
    assert [dict(one.environment) for one in calls] == [{"A": value}]


RESET_IN_PYTHON = "subprocess.run(['npx', 'prisma', 'migrate', 'reset', '--force']{})\n"
ALL_AND = ", env={{**os.environ, 'DATABASE_URL': {}}}"
IN_PYTHON = {
    RESET_IN_PYTHON.format(""): ("junction", "allow"),
    RESET_IN_PYTHON.format(ALL_AND.format("'file:' + tempfile.mkdtemp() + '/a.db'")): (
        "allow",
        "allow",
    ),
    RESET_IN_PYTHON.format(", env=dict(os.environ, DATABASE_URL='file:/tmp/x/a.db')"): (
        "allow",
        "allow",
    ),
    RESET_IN_PYTHON.format(ALL_AND.format("'postgres://db.example.com/x'")): (
        "junction",
        "junction",
    ),
    RESET_IN_PYTHON.format(", env=load()"): ("junction", "junction"),
    RESET_IN_PYTHON.format(", env={**os.environ, **load()}"): ("junction", "junction"),
    f"os.environ['DATABASE_URL'] = load()\n{RESET_IN_PYTHON.format('')}": ("junction", "junction"),
    f"os.environ.update(load())\n{RESET_IN_PYTHON.format('')}": ("junction", "junction"),
}


@pytest.mark.parametrize("code", IN_PYTHON)
@pytest.mark.parametrize("is_committed", [True, False])
def test_a_python_program_hands_its_variables_to_what_it_starts(code, is_committed):
    files = {"x.py": f"import os, subprocess, tempfile\nfrom conf import load\n{code}"}
    committed = tuple(files) if is_committed else ()
    lines = ("python3 x.py", "DATABASE_URL=file:/tmp/a.db python3 x.py")
    found = tuple(judged(line, files, committed=committed).effect for line in lines)
    assert found == IN_PYTHON[code]


HANDS_ON = {
    "python": ("python x.py", 'import os, subprocess\n{}subprocess.run(["dropdb", "shop_test"])\n'),
    "node": ("node x.js", '{}require("child_process").execSync("dropdb shop_test");\n'),
}


@for_each(
    ("kind", "sets", "effect"),
    [
        ("python", 'os.environ["PGHOST"] = "db.example.com"\n', "junction"),
        ("python", "from dotenv import load_dotenv\nload_dotenv()\n", "junction"),
        ("python", 'os.environ["PGHOST"] = "localhost"\n', "allow"),
        ("python", 'print(os.environ["PGHOST"])\n', "allow"),
        ("node", 'require("dotenv").config();\n', "junction"),
        ("node", 'import "dotenv/config";\n', "junction"),
        ("node", 'process.env.PGHOST = "localhost";\n', "allow"),
    ],
)
def test_what_code_sets_or_takes_from_a_file_may_lead_a_client_elsewhere(kind, sets, effect):
    command, code = HANDS_ON[kind]
    files = {command.split()[1]: code.format(sets), ".env": "PGHOST=db.example.com\n"}
    assert judged(command, files, committed=tuple(files)).effect == effect
    near = {**files, ".env": "PGHOST=localhost\n"}
    if "dotenv" in sets:
        assert judged(command, near, committed=tuple(files)).effect == "allow"


def test_a_file_of_variables_that_an_option_names_counts_for_what_code_starts():
    code = {"x.js": HANDS_ON["node"][1].format("")}
    for host, effect in (("db.example.com", "junction"), ("localhost", "allow")):
        files = {**code, ".env": f"PGHOST={host}\n"}
        assert (
            judged("node --env-file=.env x.js", files, committed=("x.js", ".env")).effect == effect
        )


EMPTIES = {
    "in all that it starts": "os.environ['DATA'] = {}\nsubprocess.run(['sh', 'x.sh'])\n",
    "for all of them": "os.putenv('DATA', {})\nos.system('sh x.sh')\n",
    "with others": "os.environ.update(LANG='C', DATA={})\nos.system('sh x.sh')\n",
    "in a copy": "env = os.environ.copy()\nenv['DATA'] = {}\nsubprocess.run(['sh', 'x.sh'], env=env)\n",
    "in a function": "def run():\n    os.environ['DATA'] = {}\n    os.system('sh x.sh')\n\nrun()\n",
}


@for_each("code", EMPTIES.values(), EMPTIES)
def test_a_script_that_python_starts_gets_the_folder_that_it_sets(code):
    for folder, effect in (("/srv/shop", "junction"), ("build", "allow"), ("/tmp/shop", "allow")):
        files = {
            "x.py": "import os\nimport subprocess\n" + code.format(repr(folder)),
            "x.sh": 'rm -rf "$DATA"/*\n',
        }
        assert judged("python x.py", files, committed=files).effect == effect
