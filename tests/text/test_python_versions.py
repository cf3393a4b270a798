"""Code of other versions of Python: what this one reads in its place."""

from __future__ import annotations

import ast

import pytest

from operators_edge.text.python_versions import logical_lines, older

NEWER = [
    ("print(f'{a['k']}')", "print((str(a['k'])))"),
    ("x = f'{a}' 'b' f'{c['x']}'", "x = (f'{a}' + 'b' + str(c['x']))"),
    ("f('a'\n  f'{b['c']}')", "f(('a' + str(b['c'])\n))"),
    ("f\"{f'{d['a']}'}\"", "(str((str(d['a']))))"),
    ("f'{a['b']!r}{c['d']:>3}'", "(repr(a['b']) + format(c['d'], '>3'))"),
    ("f'{a['b']=}'", "(\"a['b']=\" + repr(a['b']))"),
    ("rf'\\d{{}}{x['a']}'", "(r'\\d{}' + str(x['a']))"),
    ("f'{'\\n'.join(a)}'", "(str('\\n'.join(a)))"),
    ("t'a{x}b'", "('a' + str(x) + 'b')"),
    ("type X = int", "X = int"),
    ("type Y[T: int] = list[T]", "Y = list[T]"),
    ("def f[T, *U](x: T) -> T: return x", "def f(x: T) -> T: return x"),
    ("class A[T](B): pass", "class A(B): pass"),
    ("lazy import os\nlazy from a import b", "import os\nfrom a import b"),
    ("try: pass\nexcept A, B:\n  pass", "try: pass\nexcept (A, B):\n  pass"),
]
PYTHON_2 = [
    ("print 'x', y", "print('x', y)"),
    ("print >>f, 'x'", "print(f, 'x')"),
    ("if a: print 'b'; c = 1", "if a: print('b'); c = 1"),
    ("print 'a' # b", "print('a') # b"),
    ("exec 'x'", "exec('x')"),
    ("try: pass\nexcept A, e: pass", "try: pass\nexcept (A, e): pass"),
]
AS_THEY_ARE = [
    "f'{a}' f\"{b['c']}\" f'{x:%H:%M}' f'{ {1: 2}[1]}' f'{a != b}'",
    "type = 3\ntype(x)\nprint = exec\nprint (1)\nx.print\nprint\n",
    "s = '''\nprint 'x'\ntype X = int\n'''\n# type X = int\n",
    "match x:\n    case [print]: pass\n",
    "a[b] = lambda: 0\nd = {'def f[T]': 1}\n",
    "x = 'it''s' \"f'\" rb'\\'' u'é'\n",
    "x = f'''{\n a }'''\n",
]


@pytest.mark.parametrize(("code", "same"), [*NEWER, *PYTHON_2])
def test_newer_and_older_code_is_written_for_this_version(code, same):
    assert older(code) == same
    ast.parse(same)


@pytest.mark.parametrize("code", AS_THEY_ARE)
def test_what_every_version_reads_stays_as_it_is(code):
    assert older(code) == code


def test_lines_keep_their_numbers():
    code = "class A[\n  T,\n](B): pass\nx = f'''{\n  a['b'] # c\n}'''\ny = 1\n"
    tree = ast.parse(older(code))
    assert [one.lineno for one in tree.body] == [1, 4, 7]


@pytest.mark.parametrize(
    "code", ["f'{", "f'{a", "x = '", "f'{a:{b", "f'{" * 50, "except", "def f["]
)
def test_what_does_not_end_is_left_alone(code):
    assert older(code) == code


def test_statements_are_known_by_their_lines():
    assert logical_lines("a\nf(\n1)\n'''\n'''\nb") == [(1, 1), (2, 3), (4, 5), (6, 6)]
