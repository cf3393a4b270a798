"""Words that are well-formed are read without argparse, and come to the same."""

from hypothesis import given, strategies as st

from operators_edge.cli.command import COMMON, UNLISTED, commands_of, read
from operators_edge.cli.nouns import HELP
from operators_edge.cli.parsers import parser_of
from operators_edge.errors import UsageError
from tests.cli.helps import examples as examples_of
from tests.cli.test_main import COMMANDS
from tests.properties import examples
from tests.tables import for_each

PARSER = parser_of()


def declared():
    for noun in HELP:
        own, verbs = commands_of(noun)
        for verb, command in {**({"": own} if own else {}), **verbs}.items():
            yield (noun, *filter(None, [verb])), command


DECLARED = list(declared())


def by_argparse(words):
    try:
        return vars(PARSER.parse_args(list(words)))
    except UsageError:
        return None


def without_argparse(words):
    found = read(list(words))
    return None if found is None else vars(found)


@for_each("command", COMMANDS)
def test_each_example_of_a_help_is_read_without_argparse(command):
    for words in examples_of(COMMANDS[command]):
        if "--" not in words and "--rule" not in words:  # whose value may be missing
            assert without_argparse(words) == by_argparse(words) != None, words  # noqa: E711


def texts_for(argument):
    choices = argument.options.get("choices")
    if choices is not None:
        return st.sampled_from([str(each) for each in choices])
    if argument.options.get("type") in (int, float):
        return st.integers(0, 99).map(str)
    if callable(argument.options.get("type")):
        return st.just("30m" if "minutes" in argument.dest else "30d")
    return st.sampled_from(["a", "two words", "a=b", "é", "-", "", "status", "list"])


@st.composite
def well_formed(draw):
    """A command with some of its options, among its texts."""
    words, command = draw(st.sampled_from(DECLARED))
    pieces, texts = [], []
    for group in command.groups:
        for each in [draw(st.sampled_from(group))] if len(group) > 1 else group:
            if not each.is_option:
                least, most = {"": (1, 1), "?": (0, 1), "*": (0, 3), "+": (1, 3)}[each.takes]
                texts += draw(st.lists(texts_for(each), min_size=least, max_size=most))
            elif draw(st.booleans()):
                pieces += draw(spellings(each))
    order = draw(st.permutations(range(len(pieces) + len(texts))))
    left = iter(texts)
    rest = [word for at in order for word in (pieces[at] if at < len(pieces) else [next(left)])]
    return [*words, *rest]


@st.composite
def spellings(draw, argument):
    name = draw(st.sampled_from(argument.names))
    if argument.action not in ("store", "append") or argument.takes:
        return [[name]]
    count = draw(st.integers(1, 2)) if argument.action == "append" else 1
    values = draw(st.lists(texts_for(argument), min_size=count, max_size=count))
    is_long = name.startswith("--")
    return [
        [f"{name}={each}"] if is_long and draw(st.booleans()) else [name, each] for each in values
    ]


@given(words=well_formed())
@examples(200)
def test_well_formed_words_come_to_what_argparse_makes_of_them(words):
    found = without_argparse(words)
    assert found is None or found == by_argparse(words)


@given(
    noun=st.sampled_from(sorted(HELP)),
    rest=st.lists(
        st.sampled_from(
            [
                *("list", "add", "show", "1", "-1", "text", "--", "-x", "--json", "--json=a,b"),
                *("-q", "-qy", "-C", ".", "--color", "never", "--why", "--why=", "--no-pager", "-"),
            ]
        ),
        max_size=6,
    ),
)
@examples(200)
def test_any_words_come_to_what_argparse_makes_of_them_or_are_left_to_it(noun, rest):
    found = without_argparse([noun, *rest])
    assert found is None or found == by_argparse([noun, *rest])


@for_each(
    "words",
    [
        ["plan", "add"],
        ["plan", "add", "a", "--at", "x"],
        ["plan", "add", "--at"],
        ["plan", "add", "--at", "--json"],
        ["plan", "lst", "--unknown"],
        ["mode", "--json=1", "--color", "pink"],
        ["status", "--json", "--help"],
        ["note", "add", "--", "-text"],
        ["init", "--shared", "--user"],
        ["lesson", "add", "-q", "-trigger"],
        ["nothing"],
        ["--version"],
    ],
)
def test_words_that_are_not_well_formed_are_left_to_argparse(words):
    assert read(words) is None


@for_each("words", [["--json=ok", "status"], ["review", "--json=text"], ["plan", "--json=plan"]])
def test_the_fields_of_an_answer_may_stand_anywhere(words):
    assert without_argparse(words) == by_argparse(words)
    assert without_argparse(words)["fields"]


def test_what_no_help_lists_is_marked_as_argparse_does_it():
    import argparse  # noqa: PLC0415 - of this test alone

    assert UNLISTED == argparse.SUPPRESS
    assert any(each.options.get("help") == UNLISTED for each in COMMON)
