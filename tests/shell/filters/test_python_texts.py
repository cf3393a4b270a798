"""What is known of the output of a program of Python is what Python prints; anything else is unknown."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest
from tests.tables import for_each

from operators_edge.shell.filters.python_texts import printed

DATA = '{"a":["x","y"],"o":{"k":1,"b":"z"},"n":3,"f":1.5,"e":[],"u":null,"t":true}'


def output_of(code):
    return printed(ast.parse(code), {"d.json": DATA}.get)


@for_each(
    "code",
    [
        'import json\nd = json.load(open("d.json"))\nfor k, v in d["o"].items():\n    print(f"echo {k} {v}")',
        (
            "import json\n"
            'with open("d.json", encoding="utf-8") as f:\n'
            "    d = json.load(f)\n"
            'out = ["set -e"]\n'
            'for i, s in enumerate(d["a"]):\n'
            '    out.append(f"rm -rf build/{s}{i}")\n'
            'out += ["a", *d["a"]]\n'
            'print("\\n".join(out))'
        ),
        (
            "import json, shlex, sys\n"
            "def main():\n"
            '    d = json.loads(open("d.json").read())\n'
            '    lines = [f"echo {shlex.quote(x)}" for x in d["a"] if x != "x"]\n'
            '    sys.stdout.write("\\n".join(lines) + "\\n")\n'
            "    return 0\n"
            'if __name__ == "__main__":\n'
            "    sys.exit(main())"
        ),
        "a = [1]\nb = a\nb += [2]\nprint(len(a))",
        'print(*"a b".split(), sep="-", end="!\\n")',
        'x = 1\nif x == True: print("one")',
        'print(1 if None else "n", "a" if not "" else "b")',
        'print(open("d.json").read())',
        'def main(): print("in")\nmain()\ndef main(): print("in2")\nmain()',
        'x = ["b", "a"]\nfor s in sorted(x): print(s)\nprint(sorted(x)[0] + str(3), len(x))',
        's = ""\nfor c in ["a", "b"]:\n    s += c + "\\n"\nprint(s.strip().upper().replace("A", "q"))',
        'import sys\nprint("a"); sys.exit(); print("b")',
        (
            'd = {"a": "b"}\n'
            'for k in d: print(k, d[k], d.get("q", "none"))\n'
            'print("\\n".join(f"{k}={v}" for k, v in d.items()))'
        ),
        'print("""echo a\nrm b""")',
        'def f(a):\n    a.append("z")\nl = ["y"]\nf(l)\nprint(" ".join(l))',
    ],
)
def test_texts_that_are_known_are_what_python_prints(code, tmp_path):
    (tmp_path / "d.json").write_text(DATA)
    (tmp_path / "t.py").write_text(code)
    words = [sys.executable, "t.py"]
    real = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert output_of(code) == real.stdout


@for_each(
    "code",
    [
        'import json, sys\nfrom pathlib import Path\ndef line(a, b="x"):\n    return a\nprint(line("q"))',
        'x = "a"\ndef f():\n    print(x)\n    x = "b"\nf()',
        'x = "a"\ndef f():\n    x = "b"\n    return x\nprint(f(), x)',
        'def g(a):\n    if a:\n        return "y" if a == "1" else "z"\nprint(g("1"), g("2"), g("") is None)',
        'print("a" * 3)',
        'a = ("x",)\na.append("y")\nprint("done")',
        'for x in "ab": print(x)',
        'print("a,b".split(","), "x")',
        'print("%s" % "x")',
        'print("{}".format(1))',
        'print(f"{1:03d}", f"{\'a\'!r}")',
        'print(1 if None else "n", not "", "a" in ["a"], "b" not in {"b": 1})',
        "import os\nprint(os.sep)",
        'class A: pass\nprint("x")',
        'print("x") if 1 else print("y")',
        'def str(x): return "evil"\nprint(str(1))',
        'print = lambda *a: None\nprint("x")',
        'import json\njson.load = lambda f: {"a": "evil"}\nprint(json.load(open("d.json"))["a"])',
        '[print(x) for x in ["a"]]',
        'x = [y for y in ["a"]]\nprint(y)',
        'while True: break\nprint("z")',
        'x: str = "a"\nprint(x)',
        's = "a"\nfor x in [1] * 99: s += s\nprint(s)',
        'q = ["a"]\nfor x in q: q = q + q\nprint("z")\nprint(q)',
        'import subprocess\nprint(subprocess.getoutput("ls"))',
        'print(open("missing").read())',
        "import sys\nsys.path.insert(0, 'x')\nprint('a')",
    ],
)
def test_what_is_not_certain_is_unknown(code):
    with pytest.raises((ValueError, KeyError, IndexError, TypeError, RecursionError)):
        output_of(code)
