"""What small programs print of a document is what Python and Node print; anything else is unknown."""

from __future__ import annotations

import shutil
import subprocess
import sys

from tests.tables import for_each

from operators_edge.shell.filters.text_filters import filter_of

JSON = '{"a": {"b": ["ls", "pwd"], "c": "x y"}, "n": 1, "f": 1.5}'


@for_each(
    "code",
    [
        "import json; print(json.load(open('d.json'))['a']['c'])",
        "import json; print(' '.join(json.load(open('d.json'))['a']['b']))",
        "import json; print(*json.load(open('d.json'))['a']['b'], sep='\\n')",
        "import json; d = json.loads(open('d.json').read()); print(d['n'], d.get('a').get('c'))",
        "import json\nfor x in json.load(open('d.json'))['a']['b']:\n    print(x, end=' ')",
        (
            "import json\nfrom pathlib import Path\n"
            "print(f\"{json.loads(Path('d.json').read_text())['a']['c']}!\")"
        ),
        "import json; print(json.load(open('d.json', 'r'))['a']['c'].split()[0] + '-')",
        "import json\nif 1: print(json.load(open('d.json'))['a']['c'])",
        "import json; print(json.load(open('d.json'))['a']['c'].replace('x', 'y'))",
        "import json\ndef f(): pass\nprint(json.load(open('d.json'))['a']['c'])",
    ],
)
def test_python_prints_texts_of_a_document(code, tmp_path):
    found = filter_of("python3", ["-c", code])
    (tmp_path / "d.json").write_text(JSON)
    real = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert (found.files, found.apply(JSON)) == (("d.json",), real.stdout)


@for_each(
    "code",
    [
        "import json, sys; print(json.load(sys.stdin)['a']['c'])",
        "import json,sys\nd = json.load(sys.stdin)\nprint(d['a']['c'])",
    ],
)
def test_python_reads_its_input(code):
    found = filter_of("python3", ["-c", code])
    assert (found.files, found.apply(JSON)) == ((), "x y\n")


@for_each(
    "code",
    [
        "import os; print(os.environ['X'])",
        "import json; print(json.load(open('d.json')))",
        "import json; print(json.load(open('d.json'))['f'])",
        "import json; print(json.load(open('d.json'))['missing'])",
        "import json; print(json.load(open('d.json'))['a']['c'], json.load(open('e.json'))['a']['c'])",
        "import json, sys; print(json.load(open('d.json'))['a']['c'], json.load(sys.stdin)['a']['c'])",
        "import json; open = x; print(json.load(open('d.json'))['a']['c'])",
        "import json; json = 1; print(json.load(open('d.json'))['a']['c'])",
        "import json as j; print(j.load(open('d.json'))['a']['c'])",
        "import json\nfor print in json.load(open('d.json'))['a']['b']: print(1)",
        "import json; print(json.load(open('d.json'))['a']['c'], file=x)",
        "import json; print(json.load(open('d.json'))['a']['c'], sep=1)",
        "import json; print(json.load(open(x))['a']['c'])",
        "print(",
    ],
)
def test_what_is_not_certain_of_python_is_unknown(code):
    found = filter_of("python3", ["-c", code])
    assert found is None or found.apply(JSON) is None


@for_each(
    "words",
    [
        ["-p", "require('./d.json').a.c"],
        ["-p", "require('./d.json').a.b.join(' ')"],
        ["-p", "require('./d.json')['a'].b[1]"],
        ["-p", "JSON.parse(require('fs').readFileSync('./d.json', 'utf8')).n"],
        ["-e", "console.log(require('./d.json').a.c)"],
    ],
)
def test_node_prints_texts_of_a_document(words, tmp_path):
    found = filter_of("node", words)
    assert found.files == ("./d.json",)
    (tmp_path / "d.json").write_text(JSON)
    if shutil.which("node"):
        real = subprocess.run(
            ["node", *words], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert found.apply(JSON) == real.stdout


@for_each(
    "words",
    [
        ["-p", "require('./d.json').f"],
        ["-p", "require('./d.json').a.b"],
        ["-p", "require('d').a"],
        ["-p", "require('./d.js').a.c"],
        ["-p", "require('./d.json').a.c.replace('x', 'y')"],
        ["-p", "require('./d.json').a.c + process.env.X"],
        ["-e", "require('./d.json').a.c"],
        ["-r", "./x.js", "-p", "require('./d.json').a.c"],
        ["x.js"],
    ],
)
def test_what_is_not_certain_of_node_is_unknown(words):
    found = filter_of("node", words)
    assert found is None or found.apply(JSON) is None
