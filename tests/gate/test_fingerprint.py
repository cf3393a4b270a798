"""Fingerprints: the same decision has the same one, another decision has another."""

from __future__ import annotations

from hypothesis import given, strategies as st
from tests.properties import examples

from operators_edge.gate import fingerprint
from operators_edge.model import Finding

PUSH = Finding(
    rule="git-push",
    effect="junction",
    type="irreversible",
    reason="publishes commits",
    subject=(("remote", "origin"), ("branch", "main")),
    detail=(("argv", "git push origin main"), ("cwd", ".")),
)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@examples(30)
@given(st.dictionaries(st.text(), json_values))
def test_key_order_does_not_change_the_canonical_form(value):
    turned = dict(reversed(value.items()))
    assert fingerprint.canonical(turned) == fingerprint.canonical(value)


def test_the_canonical_form_is_utf8_without_spaces():
    assert fingerprint.canonical({"b": [1, None], "a": "ü"}) == '{"a":"ü","b":[1,null]}'.encode()


def test_a_lone_surrogate_has_a_canonical_form():
    assert fingerprint.canonical("\ud800") == b'"\\ud800"'


def test_the_exact_fingerprint_changes_with_the_detail_and_the_class_does_not():
    other = PUSH._replace(detail=(("argv", "git push -u origin main"), ("cwd", ".")))
    assert fingerprint.exact([PUSH]) != fingerprint.exact([other])
    assert fingerprint.class_of(PUSH) == fingerprint.class_of(other)


def test_the_class_changes_with_the_subject():
    other = PUSH._replace(subject=(("remote", "origin"), ("branch", "release")))
    assert fingerprint.class_of(PUSH) != fingerprint.class_of(other)


def test_the_class_leaves_the_reason_out_and_the_exact_fingerprint_holds_it():
    other = PUSH._replace(reason="another sentence")
    assert fingerprint.class_of(PUSH) == fingerprint.class_of(other)
    assert fingerprint.exact([PUSH]) != fingerprint.exact([other])


def test_the_order_of_findings_does_not_matter_and_their_number_does():
    other = PUSH._replace(rule="git-reset-hard")
    assert fingerprint.exact([PUSH, other]) == fingerprint.exact([other, PUSH])
    assert fingerprint.exact([PUSH]) != fingerprint.exact([PUSH, PUSH])


def test_a_warning_or_a_block_is_no_part_of_what_is_approved():
    warning = PUSH._replace(effect="warn")
    assert fingerprint.exact([warning]) == ""
    assert fingerprint.exact([PUSH, warning]) == fingerprint.exact([PUSH])
