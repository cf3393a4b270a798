"""The sentences on a card, and whether what they tell can be undone."""

import pytest
from tests.approvals.card.facts import FILES, PUSH

from operators_edge.approvals.card import consequences

# -- what is at stake ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        (
            {**FILES, "in_git": {"clean": 9, "modified": 2, "ignored": 1}},
            "12 files, 3.4 MB would go",
        ),
        ({**FILES, "is_more": True}, "more than 12 files"),
        ({**FILES, "is_at_most": True}, "at most 12 files"),
        (
            {**FILES, "files": 1, "bytes": 1, "act": "overwrite"},
            "1 file, 1 byte would be overwritten",
        ),
        ({**FILES, "files": 0}, "no file that is there now"),
        ({**FILES, "histories": 1}, "1 git repository and all history in it"),
        ({"kind": "files", "unknown": "no idea"}, "not known: no idea"),
        (
            {"kind": "files", "act": "discard", "files": 3, "bytes": 0, "in_git": {"modified": 3}},
            "uncommitted changes in 3 files would go",
        ),
        (
            {"kind": "files", "act": "discard", "files": 0, "in_git": {}},
            "nothing: there is no such",
        ),
        ({**PUSH, "refs": [{"name": "x", "publishes": 1}]}, "publishes 1 commit on x of origin"),
        (
            {**PUSH, "refs": [{"name": "x", "publishes": 0, "is_new": True}]},
            "creates x on origin (github.com/acme/shop), with 0 commits new there",
        ),
        ({**PUSH, "refs": [{"name": "x", "publishes": 1, "behind": 2}]}, "git would refuse"),
        ({**PUSH, "refs": [{"name": "x", "is_deleted": True, "loses": 0}]}, "held elsewhere too"),
        ({**PUSH, "fetched": None}, "never fetched"),
        ({**PUSH, "refs": [{"name": "x", "unknown": "why"}]}, "not known: why"),
        (
            {
                "kind": "commits",
                "act": "reset",
                "branch": "",
                "leaves": 2,
                "only_here": 0,
                "kept_by": [],
            },
            "HEAD (detached) would leave 2 commits, all of them held by other branches",
        ),
        (
            {
                "kind": "tables",
                "statements": [{"verb": "DELETE", "names": ["a", "b"], "where": False}],
                "host": "db",
            },
            "DELETE a, b without WHERE: every row; in db",
        ),
        (
            {
                "kind": "request",
                "method": "POST",
                "host": "h",
                "path": "/x",
                "uploads": [{"path": "a", "bytes": 1200}],
            },
            "sends a (1.2 kB)",
        ),
        (
            {"kind": "commits", "act": "rewrite", "rewrites": 2, "published": 1},
            "1 of them published",
        ),
    ],
)
def test_each_fact_is_said_in_words(fact, said):
    assert said in "\n".join(consequences.sentences(fact))


@pytest.mark.parametrize(
    ("facts", "has_snapshot", "can"),
    [
        ([], False, "unknown"),
        ([], True, "partly"),
        ([{"kind": "files", "unknown": "why"}], False, "unknown"),
        ([{**FILES, "in_git": {"clean": 12}}], False, "yes"),
        ([{**FILES, "in_git": {"clean": 2, "untracked": 10}}], False, "partly"),
        ([{**FILES, "in_git": {"untracked": 12}}], False, "no"),
        ([{**FILES, "in_git": {"untracked": 2, "ignored": 10}}], True, "yes"),
        ([{**FILES, "in_git": {"untracked": 2, "outside": 10}}], True, "partly"),
        ([{**FILES, "act": "discard", "in_git": {"untracked": 2, "ignored": 1}}], True, "partly"),
        ([{**FILES, "in_git": {"clean": 12}, "histories": 1}], True, "no"),
        ([{**FILES, "in_git": {"clean": 12}, "is_more": True}], False, "unknown"),
        ([{**FILES, "files": 0}], False, "yes"),
        ([{**FILES, "in_git": {"outside": 12}, "is_more": True}], False, "no"),
        ([PUSH], False, "partly"),
        ([{**PUSH, "refs": [{"name": "x", "publishes": 1}]}], False, "no"),
        ([{"kind": "tables", "statements": []}], True, "no"),
        ([{"kind": "request", "method": "POST"}], True, "no"),
        (
            [{"kind": "commits", "act": "branch", "refs": [{"name": "x", "sha": "a1"}]}],
            False,
            "yes",
        ),
        ([{"kind": "commits", "act": "reset", "leaves": 1, "sha": "a1"}], False, "yes"),
        (
            [
                {
                    "kind": "commits",
                    "act": "reset",
                    "leaves": 1,
                    "sha": "a1",
                    "files": {
                        "kind": "files",
                        "act": "discard",
                        "files": 1,
                        "in_git": {"modified": 1},
                    },
                }
            ],
            False,
            "partly",
        ),
        (
            [{**FILES, "in_git": {"clean": 12}}, {"kind": "request", "method": "POST"}],
            False,
            "partly",
        ),
    ],
)
def test_whether_it_can_be_undone_is_judged_by_the_worst_part(facts, has_snapshot, can):
    assert consequences.undo(facts, has_snapshot=has_snapshot)["can"] == can


def test_of_several_parts_each_is_said():
    request = {"kind": "request", "method": "POST"}
    found = consequences.undo([{**FILES, "in_git": {"clean": 12}}, request], has_snapshot=False)
    assert (
        found["how"] == "files yes (git restore); request no (what was sent cannot be called back)"
    )


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "just now"), (60, "1 minute ago"), (7200, "2 hours ago"), (86400 * 9, "9 days ago")],
)
def test_ages_are_told_in_the_unit_that_reads(seconds, text):
    assert consequences.ago(seconds) == text
