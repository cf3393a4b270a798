"""The words of a line as they are compared, and which names nothing can have had before it."""

from __future__ import annotations

from tests.gate.example_project import HOME, PLACE, ROOT, RULES, Machine
from tests.tables import for_each

from operators_edge.gate.invocation import invocation_of
from operators_edge.gate.own import line_words
from operators_edge.gate.own.line_words import Line
from operators_edge.gate.paths import CallContext
from operators_edge.model import Call
from operators_edge.shell.evaluate import parse
from operators_edge.shell.scope import OWN_NUMBER


def read(text, files=None, *, is_program=False):
    """A line as the gate reads it, on a machine with these files."""
    context = CallContext(Call("Bash", {"command": text}, ROOT), PLACE, Machine(files))
    script = parse(text, env={"HOME": HOME, "PWD": ROOT}, is_program=is_program)
    context.text, context.commands, context.is_program = text, script.commands, is_program
    return Line(text, script, [invocation_of(one, RULES) for one in script.commands], context)


def place_of(line, program):
    """Where the last command of a program is on the line."""
    return max(at for at, inv in enumerate(line.invs) if inv.program == program)


def matched(pattern, text, program="dropdb"):
    line = read(text)
    return line_words.matched(pattern, line.invs[place_of(line, program)], line)


@for_each(
    ("text", "name"),
    [
        ("dropdb shop", "shop"),
        ('dropdb "my shop"', "my_shop"),
        ("N=t-$RANDOM; dropdb $N", "$N"),
        ('N=$(uuidgen); dropdb "a-${N}_b"', "a-$N_b"),
        ("dropdb a_$$", f"a_{OWN_NUMBER}"),
    ],
)
def test_a_name_is_a_word_or_the_variable_that_names_something_new(text, name):
    found = matched(r"dropdb (?P<name>\S+)", text)
    assert found == {"name": name}


@for_each(
    "text",
    [
        "dropdb $N",  # it may be anything
        "N=t-$RANDOM; make && N=shop; dropdb $N",
        "N=$(cat f); dropdb $N",
        "dropdb --help shop",
        "dropdb -i shop",
    ],
)
def test_words_that_are_not_known_or_of_another_form_match_nothing(text):
    assert matched(r"dropdb (?P<name>\S+)", text) is None


def test_variables_name_the_project_of_compose():
    text = "COMPOSE_PROJECT_NAME=a docker compose up"
    assert matched(r"docker compose -p (?P<name>\S+) up", text, "docker") == {"name": "a"}


@for_each(("name", "is_free"), [("t-$N", True), ("shop-e2e", True), ("shop", False)])
def test_a_name_is_free_if_it_is_new_or_says_that_it_is_for_a_test(name, is_free):
    assert line_words.is_free_name(name) == is_free


def test_the_name_of_a_persons_work_may_say_that_it_is_for_a_test():
    assert not line_words.is_free_name("shop-e2e", is_work=True)


def test_what_a_command_prints_is_given_to_a_variable():
    line = read("id=$(docker run -d redis:7); docker rm -f $id")
    assert line_words.assigned_name(line, 0) == "$id"
    assert line_words.assigned_name(line, len(line.invs) - 1) == ""


def test_a_trap_runs_after_all_others():
    line = read("trap 'dropdb a' EXIT; createdb a")
    assert line_words.count_before(line, place_of(line, "dropdb")) == len(line.invs)
    line = read("dropdb a; createdb a")
    assert line_words.count_before(line, place_of(line, "dropdb")) == 0


def test_what_is_found_of_the_commands_before_one_is_found_once():
    line, looked = read("a; b; c; d"), []

    def find(at):
        looked.append(at)
        return line.invs[at].command.argv[0].text if at != 1 else None

    assert dict(line_words.each_before(line, 2, "name", find)) == {0: "a"}
    assert dict(line_words.each_before(line, 3, "name", find)) == {0: "a", 2: "c"}
    assert looked == [0, 1, 2]


@for_each(
    ("text", "is_same"),
    [
        ("createdb a; dropdb a", True),
        ("PGUSER=b createdb a; dropdb a", False),
        ("PGUSER=b createdb a; PGUSER=b dropdb a", True),
        ("createdb a; ssh host dropdb a", False),
        ("sudo createdb a; dropdb a", False),
    ],
)
def test_two_commands_are_at_the_same_place_if_nothing_leads_one_elsewhere(text, is_same):
    line = read(text)
    maker, remover = (line.invs[place_of(line, one)] for one in ("createdb", "dropdb"))
    assert line_words.is_same_place(maker, remover) == is_same
