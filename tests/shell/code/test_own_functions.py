"""Tests for functions of a program that hand what they are given to a call."""

from __future__ import annotations

import pytest

from operators_edge.shell.commands import HOLE
from operators_edge.shell.evaluate import parse

EMPTIES = (
    "function empty(dir) {\n  for (const one of fs.readdirSync(dir)) {\n"
    "    fs.rmSync(join(dir, one), { recursive: true });\n  }\n}\nempty('../other');"
)
PUSH = ["git", "push", "-f", "o"]


def started(program: str, code: str) -> list[list[str]]:
    script = parse(f"{program} <<'END'\n{code}\nEND")
    return [[word.text for word in command.argv] for command in script.commands]


@pytest.mark.parametrize(
    ("program", "code"),
    [
        ("node", "const run = (c) => execSync(c, {});\nrun('git push -f o')"),
        ("node", "const run = c => { log(c); return cp.execSync(c) }\nrun(`git push -f o`)"),
        ("node", "function sh(cmd, opts = {}) {\n  execSync(cmd, opts);\n}\nsh('git push -f o');"),
        ("node", "const sh = async function (line) { await execa(line) }\nsh('git push -f o')"),
        ("node", "const sh = (cmd, ...args) => spawnSync(cmd, args);\nsh('git', 'push', '-f', 'o')"),
        ("node", "const go = (...all) => spawnSync(all[0], all.slice(1));\ngo('git', 'push', '-f', 'o')"),
        ("node", "import { exec } from 'child_process';\nconst go = promisify(exec);\ngo('git push -f o')"),
        ("ruby", "def run(cmd)\n  puts cmd\n  system(cmd) or abort\nend\nrun 'git push -f o'"),
        ("ruby", "def sh(*args)\n  system(*args) || abort\nend\nsh 'git', 'push', '-f', 'o'"),
        ("perl", 'sub run { my ($c) = @_; print "$c\\n"; system($c) == 0 or die; }\nrun("git push -f o");'),
        ("perl", "sub run { system(@_) == 0 or die }\nrun('git', 'push', '-f', 'o');"),
        ("php", '<?php\nfunction run($c) { echo $c; passthru($c); }\nrun("git push -f o");'),
        ("php", "<?php\nfunction sh(string $line) { return shell_exec($line); }\nsh('git push -f o');"),
    ],
)  # fmt: skip
def test_a_function_that_starts_what_it_is_given_starts_that(program: str, code: str) -> None:
    assert PUSH in started(program, code)


def test_a_function_that_deletes_what_it_is_given_deletes_that() -> None:
    code = "const rm = (p) => fs.rmSync(p, { recursive: true });\nrm('../other');"
    assert ["rm", "-rf", "../other"] in started("node", code)


@pytest.mark.parametrize(
    "code",
    [
        "const log = (m) => console.log(m);\nlog('git push -f o');",
        "const run = (c, note) => execSync('git status');\nrun('git push -f o');",
        "function quote(text) { return text.length }\nexecSync('ls');\nquote('git push -f o');",
    ],
)
def test_a_function_that_does_something_else_with_it_starts_nothing(code: str) -> None:
    assert PUSH not in started("node", code)


@pytest.mark.parametrize(
    ("program", "code", "path"),
    [
        (
            "node",
            "const rm = (d) => fs.rmSync(path.join(d, 'x'), O);\nrm('../other');",
            "../other/x",
        ),
        ("node", EMPTIES, f"../other/{HOLE}"),
        (
            "ruby",
            "def wipe(dir)\n  FileUtils.rm_rf(File.join(dir, 'x'))\nend\nwipe('../other')",
            "../other/x",
        ),
    ],
)
def test_a_function_that_deletes_below_a_folder_deletes_that(program, code, path):
    assert ["rm", "-rf", path] in started(program, code)


def test_a_function_that_writes_below_a_folder_says_nothing_of_the_folder():
    code = "const put = (d) => fs.writeFileSync(join(d, 'x'), 'a');\nput('../other');"
    assert not any("../other" in word for words in started("node", code) for word in words)
