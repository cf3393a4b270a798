"""What code names things by that nothing else is named by."""

from __future__ import annotations

from tests.tables import for_each

from operators_edge.shell.code.languages import NODE, PERL, PHP, RUBY
from operators_edge.shell.code.unique_texts import is_unique, with_own_numbers
from operators_edge.shell.scope import OWN_NUMBER

SAME = [
    (RUBY, 'n = "a_#{Process.pid}"', f'n = "a_{OWN_NUMBER}"'),
    (RUBY, "n = SecureRandom.hex(4)", f"n = '{OWN_NUMBER}'"),
    (NODE, "n = `a_${process.pid}`", f"n = `a_{OWN_NUMBER}`"),
    (NODE, "n = crypto.randomUUID()", f"n = '{OWN_NUMBER}'"),
    (NODE, "n = randomBytes(4).toString('hex')", f"n = '{OWN_NUMBER}'"),
    (PERL, 'my $n = "a_$$";', f'my $n = "a_{OWN_NUMBER}";'),
    (PHP, "$n = bin2hex(random_bytes(8));", f"$n = '{OWN_NUMBER}';"),
    (PHP, "$n = 'a_' . getmypid();", f"$n = 'a_' . '{OWN_NUMBER}';"),
]


@for_each(("language", "code", "same"), SAME)
def test_a_unique_text_is_one_that_nothing_else_has(language, code, same):
    assert with_own_numbers(code, language) == same


@for_each(
    ("language", "code"),
    [
        (RUBY, "def hex(n) = 'a'\nn = SecureRandom.hex(4)"),
        (NODE, "const crypto = mine; n = crypto.randomUUID()"),
        (NODE, "n = randomBytes(4)"),
        (PHP, "$n = uniqid('a');"),
        (PERL, "print $$name;"),
    ],
)
def test_what_may_be_something_else_stays_as_it_is(language, code):
    assert with_own_numbers(code, language) == code


@for_each(
    "expression",
    [
        "randomUUID()",
        "crypto.randomBytes(4)",
        "uniqid('a', true)",
        "SecureRandom.urlsafe_base64",
        "uuidv4()",
        "nanoid()",
        "process.pid",
        "Process.pid",
        "$$",
        "Date.now()",
    ],
)
def test_an_expression_is_unique_in_any_form(expression):
    assert is_unique(expression)


@for_each("expression", ["name", "process.env.PID", "'uuids'", "Date.parse(x)"])
def test_any_other_expression_is_not(expression):
    assert not is_unique(expression)
