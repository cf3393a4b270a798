"""What documentation prints for anybody to use stays; anything else of the same look does not."""

from tests.tables import for_each

from operators_edge.redaction.documented import DOCUMENTED
from operators_edge.redaction.redact import redact

LINES = [
    "Authorization: Basic {}",
    "the sample token:\n`{}`",
    "AccountKey={};",
    "private key: {}",
    "key = '{}'",
]


@for_each("value", sorted(DOCUMENTED))
def test_a_documented_value_stays(value):
    for line in LINES:
        text = line.format(value)
        assert redact(text) == text


@for_each("value", sorted(DOCUMENTED))
def test_a_value_that_differs_in_one_sign_is_hidden(value):
    # Not the last one, which an encoding may leave out, nor a fixed start.
    at = len(value) * 2 // 3
    other = value[:at] + ("b" if value[at] != "b" else "c") + value[at + 1 :]
    assert any(other not in redact(line.format(other)) for line in LINES)


def test_a_documented_value_that_is_known_here_is_hidden():
    value = "sk_test_4eC39HqLyjWDarjtT1zdp7dc"
    assert value not in redact(f"key = '{value}'", values=[value])
