"""Texts and patterns in which quotes hide nothing from readers of plain strings."""

from __future__ import annotations

import pytest
from tests.gate.disk.test_follow import judged

from operators_edge.shell.code.languages import AWK, LUA, NODE, PERL, PHP, RUBY
from operators_edge.shell.code.literals import plain

NODE_CODE = [
    ("s.replace(/['\"]/g, ''); x", "s.replace(/[..]/g, ''); x"),
    ("const r = /[/\\]'\"]/v", "const r = /[..]..]/v"),
    ("a = b / c; d = 'e' / f; '/'", "a = b / c; d = 'e' / f; '/'"),
    ("i++ / 2; s = '/'", "i++ / 2; s = '/'"),
    ("if (x) return /'/.test(y)", "if (x) return /./.test(y)"),
    ("(y) / 2 + 'x'.length / 3", "(y) / 2 + 'x'.length / 3"),
    ("if (x) /'/.test(y)", "if (x) /./.test(y)"),
    ("`a ${x ? `'` : y} b`", "`a ${x ? ... : y} b`"),
    ("`it's ${a} \"b`", "`it's ${a} \"b`"),
    ("<p>it's</p>\nx", "<p>it.s</p>\nx"),
    ("'http://x' // it's\n", "'http://x' // it's\n"),
]
RUBY_CODE = [
    ("x = /'/", "x = /./"),
    ("x = %r{'}", "x = %r{.}"),
    ("10 / 2; 'a/b'", "10 / 2; 'a/b'"),
    ("x = ?'", "x = ?."),
    ("f %q(it's)", "f 'it\\'s'"),
    ('f %(it\'s "x")', 'f "it\'s \\"x\\""'),
    ("x = 4 % (2); 'y'", "x = 4 % (2); 'y'"),
    ("f(<<~E)\n  it's\n   b\nE\ng", 'f("it\'s\n b\n")\n\ng'),
    ("a = <<A; b = <<'B'\n1\nA\n2\nB\nc", "a = \"1\n\"; b = '2\n'\n\n\nc"),
    ("class << self; 'x'; end", "class << self; 'x'; end"),
    ("a <<B\n'x'", "a <<B\n'x'"),
    ('"a #{h["k"]} b"', "\"a #{h['k']} b\""),
    ("=begin\nit's\n=end\nx", "\n\n\nx"),
    ("x\n__END__\nit's", "x\n\n"),
    ("%w[it's b]", "%w[it's b]"),
]
PERL_CODE = [
    ("$x =~ s/'/\"/g;", "$x =~ s/././g;"),
    ("$x =~ s{'}{\"}g;", "$x =~ s{.}{.}g;"),
    ("$x =~ tr/'//d;", "$x =~ tr/.//d;"),
    ("split /'/, $x;", "split /./, $x;"),
    ("print q(it's);", "print 'it\\'s';"),
    ("qx<a 'b'>;", "`a 'b'`;"),
    ("(s => 1, y => 'a')", "(s => 1, y => 'a')"),
    ("$h{s} = 'x';", "$h{s} = 'x';"),
    ("f(<<E);\nit's\nE\ng", 'f("it\'s\n");\n\ng'),
    ("print 1 << 2; 'x'", "print 1 << 2; 'x'"),
    ("=pod\n\nit's\n\n=cut\nx", "\n\n\n\n\nx"),
    ("$#x; 'a'", "$#x; 'a'"),
]
AWK_CODE = [
    ('/"/ { x = 1 }\n# a "\nEND { y = "b" }', '/./ { x = 1 }\n\nEND { y = "b" }'),
    ('{ sub(/"/, "\'"); x = a / b }', '{ sub(/./, "\'"); x = a / b }'),
]
LUA_CODE = [
    ("f([[it's]])", 'f("it\'s")'),
    ('f([=[a]]"b"]=])', 'f("a]]\\"b\\"")'),
    ("a[b[1]] = 'x'", "a[b[1]] = 'x'"),
    ("--[[ it's\n]] x [[]]", '\n x ""'),
]


@pytest.mark.parametrize(
    ("code", "wanted", "language"),
    [
        (code, wanted, language)
        for rows, language in (
            (NODE_CODE, NODE),
            (RUBY_CODE, RUBY),
            (PERL_CODE, PERL),
            (AWK_CODE, AWK),
            (LUA_CODE, LUA),
        )
        for code, wanted in rows
    ],
)
def test_a_literal_is_written_so_that_no_quote_begins_another(code, wanted, language):
    found = plain(code, language)
    assert found == wanted
    assert found.count("\n") == code.count("\n")


@pytest.mark.parametrize(
    "code", ["`", "'", '"', "%q(", "<<E\nx", "/'", "s/'", "`${`", '"#{"', "?'"]
)
@pytest.mark.parametrize("language", [NODE, RUBY, PERL, LUA])
def test_what_ends_nowhere_hides_nothing_that_follows(code, language):
    assert plain(f"{code}\nsystem 1", language).endswith("system 1")


def test_other_languages_stay_as_they_are():
    assert plain("x = <<<E\nit's\nE;", PHP) == "x = <<<E\nit's\nE;"


RUNS = {
    "x.js": "require('child_process').execSync('kubectl delete ns shop')",
    "x.rb": "system('kubectl delete ns shop')",
    "x.pl": "system('kubectl delete ns shop');",
    "x.lua": "os.execute('kubectl delete ns shop')",
}
HIDING = [
    ("node", "x.js", "const quote = /'/;"),
    ("node", "x.js", "const f = () => <p>it's</p>;"),
    ("ruby", "x.rb", "puts <<~TEXT\n  it's\nTEXT"),
    ("ruby", "x.rb", "=begin\nit's\n=end"),
    ("perl", "x.pl", "$x =~ tr/'//d;"),
    ("perl", "x.pl", "=pod\n\nit's\n\n=cut\n"),
    ("lua", "x.lua", "print [[it's]]"),
]


@pytest.mark.parametrize(("program", "name", "before"), HIDING)
def test_what_follows_such_a_literal_is_judged(program, name, before):
    files = {name: f"{before}\n{RUNS[name]}\n"}
    assert judged(f"{program} {name}", files, committed=(name,)).effect == "junction"


DIVIDED = [
    ("node", "x.js", "x = {} / %s / 1"),
    ("node", "x.js", "y = 1; x = y // =\n/ %s / 1"),
    ("node", "x.js", "let o = {map: 1}; x = o.map / %s / 1"),
    ("node", "x.js", "x = (1) / %s.test('a')"),
    ("ruby", "x.rb", "x = 4; y = x %%(%s)"),
    ("ruby", "x.rb", "x = 4; y = x /%s/ 1"),
    ("perl", "x.pl", "$y = $h{s} /%s/ 1;"),
]


@pytest.mark.parametrize(("program", "name", "code"), DIVIDED)
def test_what_is_divided_is_no_pattern(program, name, code):
    files = {
        name: code % RUNS[name].rstrip(";").replace("shop'", "shop --server https://a/b'") + "\n"
    }
    assert judged(f"{program} {name}", files, committed=(name,)).effect == "junction"


HELD = [
    ("ruby", "x.rb", "system(<<~RUN)\n  kubectl delete ns shop\nRUN\n"),
    ("ruby", "x.rb", "system(%(kubectl delete ns 'shop'))"),
    ("perl", "x.pl", "system(<<'RUN');\nkubectl delete ns shop\nRUN\n"),
    ("perl", "x.pl", "qx<kubectl delete ns 'shop'>;"),
    ("lua", "x.lua", "os.execute([[kubectl delete ns 'shop']])"),
]


@pytest.mark.parametrize(("program", "name", "code"), HELD)
def test_what_such_a_literal_holds_is_judged(program, name, code):
    assert judged(f"{program} {name}", {name: code}, committed=(name,)).effect == "junction"
