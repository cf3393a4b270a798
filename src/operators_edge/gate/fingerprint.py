"""What makes two calls the same call: canonical JSON and the hashes over it.

Owns the canonical form and the two fingerprints (JU-2). Does not own what goes into a finding: the
gate fills subject and detail.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from operators_edge.system.digest import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Iterable

    from operators_edge.model import Finding


def canonical(value: Any) -> bytes:
    """JSON with sorted keys, no spaces, UTF-8: equal values give equal bytes on every machine.

    A lone surrogate, which JSON input may hold and UTF-8 may not, is kept apart by its escape.
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace")


def needs_decision(finding: Finding) -> bool:
    return finding.effect == "junction"


def exact(findings: Iterable[Finding]) -> str:
    """The fingerprint of all that needs a decision in one call; an allowance answers it.

    Order does not matter and a finding that occurs twice counts twice: two pushes are not one.
    """
    parts = sorted(
        canonical([one.type, one.rule, one.reason, list(one.subject), list(one.detail)])
        for one in findings
        if needs_decision(one)
    )
    return sha256_hex(b"\n".join(parts)) if parts else ""


def class_of(finding: Finding) -> str:
    """The fingerprint of everything like this finding; a dismissal answers it."""
    return sha256_hex(canonical([finding.type, finding.rule, list(finding.subject)]))
