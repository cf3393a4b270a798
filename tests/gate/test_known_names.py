"""What a name says of a package, a repository, a database, a session or a process."""

from __future__ import annotations

from tests.gate.example_project import PLACE, ROOT, Machine
from tests.tables import for_each

from operators_edge.gate.invocation import Invocation
from operators_edge.gate.known_names import CLASSES
from operators_edge.gate.operand_classes import KNOWN_CLASSES, is_in_class
from operators_edge.gate.paths import CallContext
from operators_edge.model import Call
from operators_edge.shell.commands import HOLE, Command, Word


def test_conditions_name_every_class_that_there_is():
    assert CLASSES.keys() == KNOWN_CLASSES


@for_each(
    ("kind", "text", "is_in"),
    [
        ("@test-database", "shop_test", True),
        ("@test-database", "postgres://ann@localhost/test_shop", True),
        ("@test-database", "/tmp/a/x.db", True),
        ("@test-database", "contest", False),
        ("@test-database", "postgres://db.example.com/shop_test", False),
        ("@test-database", HOLE, False),
        ("@foreign-source", "github.com/x/y@latest", True),
        ("@foreign-source", "golang.org/x/tools@latest", False),
        ("@foreign-repository", "git+https://github.com/x/y", True),
        ("@foreign-repository", "./lib", False),
        ("@own-package", "operators-edge==0.2", True),
        ("@own-package", "operators", False),
        ("@client-process", HOLE, True),
        ("@client-process", "1234", False),
    ],
)
def test_a_name_belongs_to_a_class_by_what_it_says(kind, text, is_in):
    context = CallContext(Call("Bash", {}, ROOT), PLACE, Machine())
    inv = Invocation(Command((Word("pip"), Word(text))), "pip", {})
    assert is_in_class(kind, Word(text), inv, context) == is_in


# end of module
