"""Fingerprints: when two calls count as the same call, or as the same class of calls.

Owns canonical JSON and the two hashes over it (JU-2). Does not own a finding's subject and detail
(``gate.decide``).
"""

from __future__ import annotations

from operators_edge import jsons
from operators_edge.system.digest import sha256_hex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from operators_edge.model import Finding


def canonical(value: Any) -> bytes:
    """Return JSON with sorted keys, no spaces, in UTF-8: equal values give equal bytes on every machine.

    A lone surrogate is valid in JSON but not in UTF-8: it is written as its escape.
    """
    text = jsons.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace")


def needs_decision(finding: Finding) -> bool:
    return finding.effect == "junction"


def exact(findings: Iterable[Finding]) -> str:
    """Return the fingerprint of everything in one call that needs a decision; an allowance names it.

    The order does not matter. A finding that occurs twice counts twice: two pushes are not one push.
    """
    parts = sorted(
        canonical([one.type, one.rule, one.reason, list(one.subject), list(one.detail)])
        for one in findings
        if needs_decision(one)
    )
    return sha256_hex(b"\n".join(parts)) if parts else ""


def class_of(finding: Finding) -> str:
    """Return the fingerprint of the class of calls that the finding belongs to; a dismissal names it."""
    return sha256_hex(canonical([finding.type, finding.rule, list(finding.subject)]))


# end of module
