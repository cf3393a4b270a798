"""What a person says is no secret, although it looks like one."""

from __future__ import annotations

from operators_edge.redaction.redact import Allowed, Shape, findings, redact

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8"
OTHER = "ghp_" + "Z9y8X7w6V5u4T3s2R1q0Z9y8X7w6V5u4T3s2"


def test_what_is_allowed_is_shown_and_nothing_else():
    text = f"a {TOKEN} b {OTHER} c"
    assert redact(text, values=[Allowed(r"ghp_a1B2[0-9A-Za-z]{32}")]) == (
        f"a {TOKEN} b [REDACTED:github] c"
    )


def test_all_of_it_has_to_match():
    assert TOKEN not in redact(f"a {TOKEN} b", values=[Allowed("ghp_a1B2")])


def test_a_known_value_and_what_a_pattern_matches_stay_hidden():
    values = ["Tango-77-known", Shape(r"acme-\d+"), Allowed(".{1,40}")]
    assert redact("x Tango-77-known acme-12 y", values=values) == "x [REDACTED] [REDACTED] y"


def test_a_finding_says_where_it_is_what_and_why():
    values = ["Tango-77-known", Shape(r"acme-\d+")]
    text = f"x Tango-77-known acme-12 {TOKEN} y"
    found = findings(text, values=values)
    assert [text[each.begin : each.end] for each in found] == ["Tango-77-known", "acme-12", TOKEN]
    assert [(each.kind, each.why) for each in found] == [
        ("", "value"),
        ("", "pattern"),
        ("github", "format"),
    ]


# end of module
