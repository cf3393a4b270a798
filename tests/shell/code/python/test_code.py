"""Python that names or computes what it calls by constants is read as if it were written out."""

import base64
import codecs
import shlex
import zlib

import pytest
from tests.tables import for_each

from operators_edge.shell.code.python.code import fold
from operators_edge.shell.commands import HOLE
from operators_edge.shell.evaluate import parse

CALL = "import os; os.system('rm -rf /')"
NUMBERS = list(CALL.encode())


def runs(code):
    script = parse(f"python3 -c {shlex.quote(code)}")
    return [[word.text for word in one.argv] for one in script.commands[1:]]


@for_each(
    "code",
    [
        "import os; getattr(os, 'sys' + 'tem')('rm -rf /')",
        "import os; getattr(os, 'metsys'[::-1])('rm -rf /')",
        "import os; getattr(os, bytes([115, 121, 115, 116, 101, 109]).decode())('rm -rf /')",
        "import os; os.__dict__['sys' + 'tem']('rm -rf /')",
        "import os; vars(os)['sys' + 'tem']('rm -rf /')",
        "import sys; sys.modules['o' + 's'].system('rm -rf /')",
        "import os; globals()['o' + 's'].system('rm -rf /')",
        "import os; o = os; globals()['o'].system('rm -rf /')",
        "__import__('o' + 's').system('rm -rf /')",
        "import importlib; importlib.import_module('o' 's').system('rm -rf /')",
        "__builtins__.__dict__['ex' + 'ec'](\"import os; os.system('rm -rf /')\")",
        "import builtins; builtins.exec(\"import os; os.system('rm -rf /')\")",
        "import os; f = os.system; f('rm -rf /')",
        "from os import *; system('rm -rf /')",
        "import posix; posix.system('rm -rf /')",
        "from posix import system as s; s('rm -rf /')",
        "import ctypes; ctypes.CDLL(None).system(b'rm -rf /')",
        "import os; os.system('%s -rf /' % 'rm')",
        "import os; os.system('{} -rf /'.format('rm'))",
        "import os; c = 'rm'; x = eval; os.system(f'{c} -rf /')",
        "import os; os.system(' '.join(['rm', '-rf', '/']))",
        "import os; x = 'mr'; os.system(x[1] + x[-2] + ' -rf /'); getattr",
        f"exec({CALL!r})",
        f"exec(compile({CALL!r}, '', 'exec'))",
        f"exec(bytes.fromhex({CALL.encode().hex()!r}).decode())",
        f"exec(bytes.fromhex({CALL.encode().hex()!r}))",
        f"import base64; exec(base64.b64decode({base64.b64encode(CALL.encode())!r}))",
        f"import codecs; exec(codecs.decode({codecs.encode(CALL, 'rot13')!r}, 'rot13'))",
        f"import zlib; exec(zlib.decompress({zlib.compress(CALL.encode())!r}))",
        f"exec(''.join(map(chr, {NUMBERS})))",
        f"exec(''.join(chr(c) for c in {NUMBERS}))",
        f"exec(''.join([chr(c) for c in {NUMBERS}]))",
        f"exec(''.join(reversed({CALL[::-1]!r})))",
        f"exec({'exec(' + repr(CALL) + ')'!r})",
    ],
)
def test_what_is_computed_from_constants_is_found(code):
    assert runs(code)[-1] == ["rm", "-rf", "/"]


@for_each(
    ("code", "expected"),
    [
        ("from pathlib import Path; (Path.home() / 'x').unlink()", ["rm", "~/x"]),
        ("from pathlib import Path; Path('a').joinpath('b').write_text('')", ["tee", "a/b"]),
        ("import os; os.replace('/a', '/b')", ["mv", "/a", "/b"]),
        ("import shutil; shutil.copy('a', '/b')", ["cp", "a", "/b"]),
        ("import os; os.chmod('/a', 0)", ["chmod", "600", "/a", HOLE]),
        ("exec(open('x.py').read())", ["python3", "x.py"]),
        ("from pathlib import Path; exec(Path('x.py').read_text())", ["python3", "x.py"]),
        ("import runpy; runpy.run_path('x.py')", ["python3", "x.py"]),
        (
            "import os; [open(os.path.join(d, f), 'w') for d, _, fs in os.walk('/a') for f in fs]",
            ["tee", "/a/*"],
        ),
        (
            "import os\nfor d, *_ in os.walk(os.path.expanduser('~/a')):\n  open(os.path.join(d, 'x'), 'w')",
            ["tee", "~/a/x"],
        ),
        ("import os; os.unlink(os.path.expandvars('$HOME/x'))", ["rm", "~/x"]),
        ("import os; os.unlink(os.path.expandvars('${HOME}') + '/x')", ["rm", "~/x"]),
        ("import glob; [open(f, 'w') for f in glob.glob('/a/*.md')]", ["tee", "/a/*.md"]),
        (
            "from pathlib import Path; [p.write_text('') for p in Path('/a').iterdir()]",
            ["tee", "/a/*"],
        ),
        ("import os\nfor f in os.listdir('/a'): open(os.path.join('/a', f), 'w')", ["tee", "/a/*"]),
        ("import glob, os; [os.unlink(f) for f in glob.glob('/a/*')]", ["rm", "/a/*"]),
        (
            "from pathlib import Path; [p.unlink() for p in Path('/a').rglob('*.md')]",
            ["rm", "/a/**/*.md"],
        ),
    ],
)
def test_paths_and_files_of_code_are_found(code, expected):
    assert expected in runs(code)


OWN = "/tmp/tmp.of-its-own"
PLACES = [
    ("import shutil, tempfile; d = tempfile.mkdtemp(); shutil.rmtree(d)", OWN),
    ("import os, tempfile; fd, name = tempfile.mkstemp('.x'); os.remove(name)", OWN),
    (
        "import shutil, tempfile\nwith tempfile.TemporaryDirectory() as d:\n  shutil.rmtree(d + '/x')",
        f"{OWN}/x",
    ),
    (
        (
            "import os\nfrom tempfile import NamedTemporaryFile\n"
            "with NamedTemporaryFile(delete=False) as f: pass\nos.unlink(f.name)"
        ),
        OWN,
    ),
    ("import os, shutil; shutil.rmtree(os.path.join(os.getcwd(), 'x'))", "./x"),
    ("from pathlib import Path; (Path.cwd() / 'x').unlink()", "./x"),
    ("import os; os.remove(os.path.dirname('/a/b/c') + '/x')", "/a/b/x"),
    ("from pathlib import Path; (Path('/a/b/c').parent / 'x').unlink()", "/a/b/x"),
    ("from pathlib import Path; (Path('/a/b/c').parents[1] / 'x').unlink()", "/a/x"),
]


@for_each(("code", "path"), PLACES)
def test_places_that_code_makes_or_is_at_are_known(code, path):
    assert [words[-1] for words in runs(code) if words[0] == "rm"] == [path]


REDEFINED = [
    "import tempfile; tempfile.mkdtemp = lambda: h",
    "def mkdtemp(): return h",
    "class tempfile: mkdtemp = f",
    "import evil as tempfile",
    "import tempfile; setattr(tempfile, 'mkdtemp', f)",
    "import tempfile\ndef f(tempfile): pass",
]


@for_each("code", REDEFINED)
def test_a_name_that_code_gives_another_meaning_is_no_temporary_folder(code):
    deleting = f"{code}\nimport shutil, tempfile; shutil.rmtree(tempfile.mkdtemp()); shutil.rmtree(mkdtemp())"
    assert OWN not in [words[-1] for words in runs(deleting)]


@pytest.mark.parametrize(
    "code",
    [
        "import os; [os.remove(os.path.join(d, f)) for d, _, fs in os.walk('/a') for f in fs]",
        "import glob, os\nfor f in glob.glob('/a/*'):\n  f += '~'\n  os.unlink(f)",
        "import glob, os; [os.unlink(f[:-4]) for f in glob.glob('/a/*.tmp')]",
        "import glob, os; [os.unlink(f) for f in glob.glob('*.tmp', root_dir='/a')]",
    ],
)
def test_what_a_loop_deletes_is_not_known_where_it_is_computed(code):
    assert ["rm", HOLE] in runs(code)


def test_a_name_that_a_loop_takes_over_is_not_what_it_was():
    code = "import os\nx = '/a'\nfor x in y():\n    z(os.path.join(x, 'b'))"
    assert "'/a/b'" not in fold(code).code


@pytest.mark.parametrize(
    "code",
    [
        "import sys; exec(sys.stdin.read())",
        "import urllib.request as u; exec(u.urlopen('http://x').read())",
        "import os, sys; getattr(os, sys.argv[1])('x')",
        "import sys; __import__(sys.argv[1]).run()",
        "import runpy, sys; runpy.run_path(sys.argv[1])",
    ],
)
def test_code_that_cannot_be_known_is_unknown(code):
    assert any(HOLE in word for words in runs(code) for word in words)


@for_each(
    "code",
    [
        "import json, sys; print(getattr(json.load(sys.stdin), 'name', None))",
        "print('rm' + ' -rf /'); getattr",
        "print([chr(c) for c in range(3)], ','.join(str(x) for x in [1] if x))",
        "print('%d' % 'x', 'a'[9], 'x' * 1000, -1, {}['a'], 'a' / 'b'); getattr",
        "import os; print(os.environ['HOME'], vars(), f'{os.getpid()}', bytes.fromhex('zz'))",
        "x = y = 1; x.y = 2; a, b = 'c', map(chr, z); eval",
        "print(Path('a') / x, Path(b) / 'c', x.joinpath('a'), [f(c) for c in 'ab' for d in c])",
        "getattr(); __import__; compile(); exec(); runpy",
        "this is no python: getattr(",
        "getattr" + "(" * 3000,
        "x = '" + "a" * 70_000 + "'; eval",
        "getattr;" + "a = 1;" * 20_000,
    ],
)
def test_other_programs_run_nothing(code):
    assert [words for words in runs(code) if words[0] != "exec"] == []


def test_a_program_with_unknown_parts_is_left_as_it_is():
    assert fold(f"getattr(os, '{HOLE}')").code == f"getattr(os, '{HOLE}')"
    assert fold("x = 'a' * 64 * 64 * 64 * 64 * 64").code.count("a") < 300_000
