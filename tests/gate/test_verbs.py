"""The verbs of remote systems: which words read, which act, and where a verb is looked for."""

from tests.tables import for_each

from operators_edge.gate import rules, verbs
from operators_edge.gate.verbs import ACTS, MAY_ACT, MAY_READ, READS, Verb

WORDS = rules.load().verbs


@for_each(
    ("word", "kind"),
    [
        ("list", READS),
        ("list-tags", READS),
        ("DescribeInstances", READS),
        ("batch-get-image", READS),
        ("server-list", READS),
        ("create-list", ACTS),
        ("server-delete", ACTS),
        ("deleteInstance", ACTS),
        ("pull-request-merge", ACTS),
        ("release-list", READS),
        ("import-revocation-list", MAY_ACT),
        ("release", MAY_ACT),
        ("log-profiles", MAY_READ),
        ("logs-delete", ACTS),
        ("frobnicate", ""),
        ("dispose-versions", ""),
        ("listless", ""),
        ("", ""),
    ],
)
def test_a_word_is_a_verb_as_it_stands_and_as_a_part_of_another(word, kind):
    assert verbs.kind_of(verbs.parts_of(word), WORDS) == kind


def _verb(words, first=1):
    verb = Verb(WORDS, first, is_alone=" " not in words)
    for word in words.split():
        verb.add(word, is_value=False)
        if verb.is_sure:
            break
    return "acts" if verb.says_acts else "unknown" if verb.is_unknown else "reads"


@for_each(
    ("words", "first", "says"),
    [
        ("droplet list", 1, "reads"),
        ("droplet delete list", 1, "acts"),
        ("droplet frobnicate web", 1, "unknown"),
        ("release list", 1, "reads"),  # a group that could be a verb
        ("release v1", 1, "acts"),
        ("logs delete x", 1, "acts"),
        ("logs web", 1, "reads"),
        ("deploy releases describe x", 2, "reads"),
        ("run deploy web", 2, "acts"),
        ("frobnicate 12 list", 1, "unknown"),  # what follows a number is no verb
        ("frobnicate ./x list", 1, "unknown"),
        ("compute", 2, "reads"),  # shows its help
        ("purge", 2, "acts"),
        ("apps", 1, "reads"),  # a group alone lists what is in it
        ("resource instances", 2, "reads"),
        ("frobnicate pods", 1, "unknown"),
        ("compute unmonitor-instances", 2, "unknown"),
        ("access", 1, "unknown"),
        ("pg:info", 1, "reads"),
        ("apps:destroy", 1, "acts"),
    ],
)
def test_the_first_word_that_is_surely_a_verb_decides(words, first, says):
    assert _verb(words, first) == says


def test_the_value_of_an_option_is_no_verb():
    verb = Verb(WORDS, 1)
    verb.add("frobnicate", is_value=False)
    verb.add("list", is_value=True)
    assert verb.is_unknown


# end of module
