"""Attributes and methods of paths, texts and lists in a Python program that is followed."""

from __future__ import annotations

import pytest
from tests.shell.code.python.test_trace import left, traced

LEFT = {
    "a list that is put together": (
        {
            "x.py": "import subprocess\ndef git(*words):\n    line = ['git', *words]\n"
            "    subprocess.run(line)\n"
            "options = ['-v']\noptions.append('--force')\ngit('push', *options)"
        },
        "subprocess.run(['git', 'push', '-v', '--force'])",
    ),
    "each file of a folder": (
        {
            "x.py": "from pathlib import Path\nfor one in sorted(Path('a').glob('*.b'))[:-1]:\n"
            "    one.unlink()"
        },
        "for item_1 in pathlib.Path('a').glob('*.b'):\n    item_1.unlink()",
    ),
    "the parts of a path": (
        {
            "x.py": "import os\nfrom pathlib import Path\np = Path('a/b.txt')\n"
            "os.remove(p.parent / (p.stem + p.suffix))\nos.remove(p.with_suffix('.bak'))"
        },
        "os.remove(pathlib.Path('a/b.txt'))\nos.remove(pathlib.Path('a/b.bak'))",
    ),
    "an item of a dictionary that is updated": (
        {"x.py": "import os\nd = {'a': 'old'}\nd.update(a='new')\nos.remove(d['a'])"},
        "os.remove('new')",
    ),
    "a text that a method makes": (
        {"x.py": "import os\nos.remove('-'.join(['a', 'b']).upper())"},
        "os.remove('A-B')",
    ),
}


@pytest.mark.parametrize("case", LEFT.values(), ids=LEFT)
def test_an_attribute_or_a_method_gives_what_it_gives_when_the_program_runs(case):
    files, expected, *where = case
    assert expected in "\n".join(left(traced(files), *where))


def test_a_list_with_a_method_of_unknown_effect_may_hold_anything():
    text = "import os\nnames = ['a']\nnames.__imul__(2)\nfor one in names:\n    os.remove(one)"
    assert "os.remove('a')" in left(traced({"x.py": text}))
    text = "import os\nd = {}\nd.frobnicate()\nif 'a' in d:\n    os.remove('a')"
    assert "os.remove('a')" in left(traced({"x.py": text}))
