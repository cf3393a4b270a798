"""Whether code prints a secret: by what it reads, assigns and prints."""

from __future__ import annotations

import os
import tomllib

from tests.tables import for_each

from operators_edge.gate.code_secrets import line_that_prints

with open(os.path.join(os.path.dirname(__file__), "code_secrets.toml"), "rb") as file:
    TABLE = tomllib.load(file)


@for_each("code", TABLE["prints"])
def test_code_that_prints_a_secret_is_recognised_in_any_language(code):
    assert line_that_prints(code) is not None


@for_each("code", TABLE["prints_not"])
def test_code_that_uses_a_secret_or_asks_whether_there_is_one_prints_none(code):
    assert line_that_prints(code) is None


def test_the_line_is_that_of_the_print():
    code = "import os\nx = '''a\nb'''\nkey = os.environ['API_KEY']\nprint('key', key)\n"
    assert line_that_prints(code) == 4


def test_the_value_of_an_expression_may_be_printed_itself():
    assert line_that_prints("process.env.API_KEY", is_printed=True) == 0
    assert line_that_prints("process.env.API_KEY") is None
    assert line_that_prints("!!process.env.API_KEY", is_printed=True) is None


@for_each(
    "text",
    [
        "(" * 16_000,
        "os.environ['A_KEY'];" + "f(" * 900,
        "getenv(" * 2_200,
        "{a," * 5_000,
        "config[" * 2_300,
        "config.a" * 2_000,
        "x" * 16_000,
    ],
)
def test_no_text_takes_long(text):
    assert line_that_prints(text) is None
