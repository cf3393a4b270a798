"""What an expression of Node may come to is read from what its code declares, or not known."""

from tests.tables import for_each

from operators_edge.shell.code.node_texts import Texts, expression_at

CODE = """
const hosts = { local: 'http://l', 'prod': 'https://p.io' };
const host: string = 'app.p.io';
function base() { if (x) { return 'a'; } return process.env.NO ? 'b' : hosts.prod; }
const arrow = () => 'z';
let twice = 'one';
twice = 'two';
let chosen = process.env.NO || hosts.prod;
"""
VALUES = [
    ("'x'", ["x"]),
    ('"x" as const', ["x"]),
    ("(('x'))", ["x"]),
    ("hosts.local", ["http://l"]),
    ("hosts['prod']", ["https://p.io"]),
    ("hosts[process.env.STAGE]", ["https://p.io"]),
    ("hosts[process.env.NO ?? 'local']", ["http://l"]),
    ("'https://' + host", ["https://app.p.io"]),
    ("`https://${host}/a`", ["https://app.p.io/a"]),
    ("`https://${process.env.NO ?? 'app'}.p.io`", ["https://app.p.io"]),
    ("`${process.env.NO}/a`", None),
    ("base()", ["a", "https://p.io"]),
    ("arrow()", ["z"]),
    ("twice", ["one", "two"]),
    ("chosen", ["https://p.io"]),
    ("process.env.STAGE", ["prod"]),
    ("process.env['STAGE']!", ["prod"]),
    ("process.env.NO", []),
    ("process.env.STAGE ? 'x' : 'y'", ["x"]),
    ("!process.env.STAGE ? 'x' : 'y'", ["y"]),
    ("process.env.STAGE === 'prod' ? 'x' : 'y'", ["x"]),
    ("process.env.STAGE !== 'prod' ? 'x' : 'y'", ["y"]),
    ("process.env.NO === 'prod' ? 'x' : 'y'", ["y"]),
    ("unknown() ? 'x' : 'y'", ["x", "y"]),
    ("process.env.STAGE ? 'https://a:3' : `http://b:${1}`", ["https://a:3"]),
    ("Cypress.env('STAGE') + '/a'", ["prod/a"]),
    ("unknown", None),
    ("f('x')", None),
    ("hosts.other", None),
    ("process.env.NO || f()", None),
]


@for_each(("expression", "values"), VALUES)
def test_an_expression_may_be_several_texts_or_none_that_is_known(expression, values):
    assert Texts(CODE, {"STAGE": "prod"}).of(expression) == values


@for_each(
    ("code", "expression"),
    [
        ("'a',\n b", "'a'"),
        ("f(1, 2)\nb", "f(1, 2)"),
        ("'a' ||\n  'b'\nc", "'a' ||\n  'b'"),
        ("a\n  ? 'b'\n  : 'c',", "a\n  ? 'b'\n  : 'c'"),
        ("{ a: [1, 2] };", "{ a: [1, 2] }"),
        ("'a;b' }", "'a;b'"),
    ],
)
def test_an_expression_ends_where_nothing_goes_on(code, expression):
    assert expression_at(code, 0) == expression


def test_a_name_that_stands_for_itself_is_not_known():
    assert Texts("const a = b;\nconst b = a;\n", {}).of("a") is None


# end of module
