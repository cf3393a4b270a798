"""What a step's fields and words tell the gate."""

import pytest

from operators_edge.plan import steps


def one(**fields):
    (step,) = steps.of({"plan": [{"description": "x", **fields}]})
    return step


@pytest.mark.parametrize("plan", [None, "text", [None, "a text", 3]])
def test_what_is_no_step_is_passed_over(plan):
    assert steps.of({"plan": plan}) == ()


def test_numbers_count_from_one_as_in_the_plan():
    assert [step.number for step in steps.of({"plan": ["text", {}, {}]})] == [2, 3]


@pytest.mark.parametrize("empty", [None, "", " \n", "null", "None", "~", [], {}, False])
def test_what_only_spells_nothing_is_no_proof(empty):
    assert one(proof=empty).proof == ""


def test_a_proof_in_any_shape_is_read_as_its_words():
    assert one(proof=["9 tests", "pass"]).proof == "['9 tests', 'pass']"
    assert one(proof="9 tests\n  pass").proof == "9 tests pass"
    assert one(proof=0).proof == "0"


def test_a_hosts_todos_count_only_where_there_is_no_other_step():
    own, todo = {"description": "a"}, {"description": "b", "source": "host"}
    assert [step.text for step in steps.counted({"plan": [own, todo]})] == ["a"]
    assert [step.text for step in steps.counted({"plan": [todo]})] == ["b"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/a.py", True),
        ("web/App.TSX", True),
        ("main.go", True),
        ("README.md", False),
        ("data.csv", False),
        ("py", False),
    ],
)
def test_code_is_told_by_its_name(path, expected):
    assert steps.is_code(path) is expected


def test_the_telling_words_of_a_verification_leave_out_what_every_sentence_has():
    said = "The parser returns a valid AST for all inputs, and the tests check it"
    assert steps.keywords(said) == ["parser", "ast", "inputs"]
