"""How a module of commands declares what a command takes."""

from operators_edge.cli.command import arg
from tests.tables import for_each


@for_each(
    ("usage", "names", "options"),
    [
        ("--force", ("--force",), {"action": "store_true"}),
        ("-r -R --recursive", ("-r", "-R", "--recursive"), {"action": "store_true"}),
        ("--why T", ("--why",), {"metavar": "T"}),
        ("--at N", ("--at",), {"metavar": "N", "type": int}),
        ("--as {jsonl,csv}", ("--as",), {"choices": ("jsonl", "csv")}),
        ("--skip FILE...", ("--skip",), {"metavar": "FILE", "action": "append", "default": []}),
        ("--project [DIR]", ("--project",), {"metavar": "DIR", "nargs": "?"}),
        ("ID", ("id",), {"metavar": "ID"}),
        ("[ID]", ("id",), {"metavar": "ID", "nargs": "?"}),
        ("TEXT...", ("text",), {"metavar": "TEXT", "nargs": "+"}),
        ("N", ("number",), {"metavar": "N", "type": int}),
        ("[N...]", ("numbers",), {"metavar": "N", "type": int, "nargs": "*"}),
    ],
)
def test_an_argument_is_written_as_in_a_usage_line(usage, names, options):
    assert arg(usage, "what it is") == (names, {"help": "what it is", **options})


def test_what_the_notation_cannot_say_is_given_beside_it():
    found = arg("--exit CODE...", "a code", dest="exit_code", type=int)
    assert found.options["dest"] == "exit_code"
    assert found.options["type"] is int
