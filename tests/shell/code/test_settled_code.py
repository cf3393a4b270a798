"""A program in which each name has one value does what is read of it; texts that it writes are known."""

from __future__ import annotations

from tests.tables import for_each

from operators_edge.shell.code.settled_code import is_settled
from operators_edge.shell.evaluate import parse

SETTLED = [
    ("python", "import shutil\nfor n in ['a', 'b']:\n    shutil.rmtree(n, ignore_errors=True)"),
    ("python", "import os\nROOT = 'a'\nos.remove(ROOT + '/b')"),
    ("python", "def main(path):\n    print(path)\nmain('a')"),
    ("node", "const d = 'a'; for (const n of ['x', 'y']) fs.rmSync(d + n, {recursive: true})"),
    ("ruby", "dirs = %w[a b]\ndirs.each { |d| FileUtils.rm_rf(d) }"),
]


@for_each(("program", "code"), SETTLED)
def test_names_that_are_set_once_have_one_value(program, code):
    assert is_settled(program, code)


CHANGING = [
    ("python", "n = 'a'\nif x: n = 'b'"),
    ("python", "n = 'a'\nn += 'b'"),
    ("python", "names = ['a']\nnames.append('b')"),
    ("python", "names = ['a']\nnames[0] = 'b'"),
    ("python", "n = 'a'\ndef f(n): print(n)"),
    ("python", "n = 'a'\ndef f():\n    global n\n    n = 'b'"),
    ("python", "for n in x: pass\nfor n in y: pass"),
    ("python", "n = 'a'\nwith x as n: pass"),
    ("python", "n = 'a'\ntry: pass\nexcept E as n: pass"),
    ("python", "n = 'a'\nprint(n := 'b')"),
    ("python", "globals()['n'] = 'b'"),
    ("python", "exec(x)"),
    ("python", "from os import remove\nremove = print"),
    ("python", "def"),
    ("node", "let n = 'a'; if (x) n = 'b'"),
    ("node", "const n = ['a']; n.push('b')"),
    ("node", "let n = 'a'; n += 'b'"),
    ("ruby", "n = %w[a]\nn << 'b'"),
    ("perl", "my @n = ('a'); push @n, 'b';"),
    ("php", "$n = ['a']; $n[] = 'b';"),
]


@for_each(("program", "code"), CHANGING)
def test_a_name_that_may_have_another_value_is_not_settled(program, code):
    assert not is_settled(program, code)


def written(code):
    script = parse(f"python3 - <<'END'\n{code}\nEND\nsh out/x.sh")
    return dict(script.files).get("out/x.sh")


WRITES = [
    "from pathlib import Path\nPath('out').mkdir(exist_ok=True)\nPath('out/x.sh').write_text('ls\\n')",
    "t = ['ls']\nopen('out/x.sh', 'w').write('\\n'.join(t) + '\\n')",
    "import os\nopen('out/x.sh', 'w').write('ls\\n')\nos.chmod('out/x.sh', 0o755)",
]


@for_each("code", WRITES)
def test_a_program_of_plain_steps_writes_a_known_text(code):
    assert written(code) == "ls\n"


UNSURE = [
    "if x:\n    open('out/x.sh', 'w').write('ls\\n')",
    "import missing\nopen('out/x.sh', 'w').write('ls\\n')",
    "import sys\nsys.exit(0)\nopen('out/x.sh', 'w').write('ls\\n')",
    "t = 'rm x'\nif 0: t = 'ls'\nopen('out/x.sh', 'w').write(t)",
    "open('out/x.sh', 'a').write('ls\\n')",
    "open('out/x.sh', 'w').write('ls\\n')\nopen('out/x.sh', 'w').write('rm x\\n')",
    "open('out/x.sh', 'w').write('ls\\n')\nf = open('out/x.sh', 'w')\nf.write('rm x\\n')",
    "x = 1 / 0\nopen('out/x.sh', 'w').write('ls\\n')",
    "import os\nos.chdir('a')\nopen('out/x.sh', 'w').write('ls\\n')",
    "open('out/x.sh', 'w', -1, 'utf-16').write('ls\\n')",
]


@for_each("code", UNSURE)
def test_a_text_that_a_program_may_not_write_is_unknown(code):
    assert written(code) is None
