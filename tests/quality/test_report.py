import re

import pytest

from operators_edge.quality import report

BASIS = {
    "objective": "make it add",
    "plan": [{"description": "one", "status": "completed", "proof": "tests pass"}],
    "claims": [{"step": 1, "verdict": "VERIFIED", "why": "pytest passed at log 7"}],
    "gate": {"failed": [], "overridden": [], "remarks": []},
    "decisions": [],
    "overrides": [],
    "commit": "27c940091d4e0000",
    "work": {
        "checks": [{"command": "pytest -q", "cwd": ".", "passed": True, "counts": {"passed": 2}}],
        "files": {"calc.py": {}},
        "tampering": {},
    },
}
HOSTILE = [
    "<script>alert(1)</script>",
    "[click](https://example.invalid)",
    "![x](https://example.invalid/a.png)",
    "@everyone #1 GH-1",
    "| a | b |",
    "`code` ``` fence",
    "a\n## heading\n- item",
    "<!-- hidden",
    "https://example.invalid www.example.invalid",
    "\x1b[31mred\u202eleft",
    "$\\href{x}{y}$ ~~gone~~ *b* __c__",
]


def with_text(text):
    """A basis in which every text is this one."""
    step = {"description": text, "status": text, "proof": text}
    claim = {"step": 1, "verdict": text, "why": text}
    check = {"name": text, "severity": "error", "text": text}
    decision = {"decision": text, "by": text, "at": text, "shown": text, "why": text}
    override = {"by": text, "reason": text, "approved_checks": [text]}
    run = {"command": text, "cwd": text, "passed": False, "counts": {text: text}, "seq": text}
    return {
        "objective": text,
        "plan": [step],
        "claims": [claim],
        "gate": {"failed": [check], "overridden": [check]},
        "decisions": [decision],
        "overrides": [override],
        "commit": text,
        "work": {
            "checks": [run],
            "files": {text: {}},
            "tampering": {"a": {"kind": text, "path": text}},
        },
    }


def test_claims_stand_beside_their_evidence():
    text = report.markdown(BASIS)
    assert "| 1 | one | tests pass | ✅ VERIFIED | pytest passed at log 7 |" in text
    assert "| pytest -q | . | passed | 2 passed |" in text
    assert "- calc.py" in text


@pytest.mark.parametrize("hostile", HOSTILE)
def test_no_text_in_it_is_markup_a_link_a_mention_or_a_row(hostile):
    plain, text = report.markdown(with_text("plain")), report.markdown(with_text(hostile))
    assert text.count("\n") == plain.count("\n")
    assert text.count("|") == plain.count("|")
    body = re.sub(r"&#\d+;", "", text)
    for mark in ("<", "[", "`", "@", "://", "www.", "$", "~", "\x1b", "\u202e"):
        assert mark not in body
    assert re.findall(r"(?m)^#+", body) == re.findall(r"(?m)^#+", plain)


def test_an_override_and_a_failed_check_are_told_with_their_reason():
    gate = {
        "failed": [{"name": "tests_observed", "severity": "error", "text": "the last run failed"}],
        "overridden": [
            {"name": "claims_supported", "severity": "error", "text": "step 1 is stale"}
        ],
    }
    override = {"by": "ann", "reason": "known flake", "approved_checks": ["claims_supported"]}
    text = report.markdown({**BASIS, "gate": gate, "overrides": [override]})
    assert "Quality gate: **1 check failed**." in text
    assert "- claims&#95;supported: let pass by a person: step 1 is stale" in text
    assert "- let pass by ann: claims&#95;supported: known flake" in text
