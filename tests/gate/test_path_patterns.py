"""What a path with wildcards may name."""

from __future__ import annotations

from tests.tables import for_each

from operators_edge.gate.path_patterns import may_be, relations

OWN = "/shop/.proof"


@for_each(
    ("pattern", "found"),
    [
        ("/shop/.p*", {"same"}),
        ("/shop/.[p]roof", {"same"}),
        ("/shop/.p[[:alpha:]]*", {"same"}),
        ("/shop/.p[!x]oof", {"same"}),
        ("/shop/.?????", {"same"}),
        ("/shop/@(.proof|x)", {"same"}),
        ("/shop/.!(git)", {"same"}),
        ("/shop/.proof/*", {"below"}),
        ("/shop/.pro?f/a/b", {"below"}),
        ("/sh*", {"above"}),
        ("/**/.proof", {"same"}),
        ("/shop/*", set()),
        ("/shop/?proof", set()),
        ("/shop/[.]proof", set()),
        ("/shop/**/x", set()),
        ("/shop/.p", set()),
        ("/other/.p*", set()),
    ],
)
def test_a_pattern_is_compared_as_a_shell_expands_it(pattern, found):
    assert relations(pattern, OWN) == found


def test_a_pattern_too_long_to_compare_may_name_anything():
    assert relations("/*" * 100, OWN) == {"same", "above", "below"}


def test_groups_and_sets_that_make_no_sense_do_not_break_the_comparison():
    assert may_be("[b-a]x", "cx")
    assert may_be("@(a", "anything")
    assert may_be("+(ab)c", "ababc")
    assert not may_be("?(a)b", "cb")
    assert may_be("a|b*", "a|bc")
    assert may_be("[x", "[x") is True
    assert not may_be("a[", "b")
    assert may_be("a[]*", "a[]b")
