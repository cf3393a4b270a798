"""A scope learnt from approvals: what two approved calls of a kind have in common, and what it lets through.

Pure. Owns which calls are of one kind, the narrowest scope that covers the approved ones, and its text. It is
only ever offered: a person confirms it like any other scope (``sessions.dismissals``). Does not own what a
grant stores (``approvals.junction``) or where earlier approvals come from (``approvals.card.precedents``).

Two calls are of a kind if they have the same rule and go to the same target. The scope lets through what was
approved: programs, verbs, methods, hosts and statements, each together with what it stood with. Only
what is named in ``FREE`` may differ, and paths only below the folder that the approved ones share.
"""

from __future__ import annotations

import os

from operators_edge.approvals.binding import bound
from operators_edge.gate.fingerprint import canonical, class_of
from operators_edge.locations import is_within
from operators_edge.redaction.redact import redact
from operators_edge.system.digest import sha256_hex
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from operators_edge.approvals.binding.bound import Binding
    from operators_edge.model import Finding, Verdict

FREE: Mapping[str, tuple[str, ...]] = {
    "git-push": ("branch",),
    "fs-delete-outside": ("operands",),
    "tool-outside": ("written",),
}
"""Rule → the parts of its subject that may be others than the approved ones."""

IN_A_FOLDER = ("fs-", "tool-outside")
"""Rules about paths: a scope is for those below a folder, or there is none."""

NEVER = ("secret-", "edge-", "agent-", "git-push-force", "system-kill-all", "http-pipe-to-shell")
"""Rules of which each call is asked, however often others were approved."""

MINUTES = 60
ENOUGH = 2
"""Approvals of a kind, after which a scope is offered."""

_UNKNOWN = "…"
_MAX_TEXT = 200


class Shape(NamedTuple):
    """What the log keeps of a call that was asked about, to compare it with others."""

    rule: str
    target: str
    subject: tuple[tuple[str, str], ...]
    folder: str = ""


class Offer(NamedTuple):
    """A scope that would have covered the approved calls; ``only`` is what a grant stores of it."""

    rule: str
    only: dict[str, Any]
    approved: int
    text: str

    @property
    def kind(self) -> str:
        return sha256_hex(canonical([self.rule, self.only]))[:16]


def shape_of(
    verdict: Verdict, binding: Binding, machine: str, root: str, home: str
) -> Shape | None:
    """The shape of a call; None for one that nothing is learnt from: it asks twice, or not all is known."""
    if len(verdict.classes) != 1:
        return None
    finding = verdict.findings[0]
    target = _target(finding, binding, machine)
    if finding.rule.startswith(NEVER) or "text" in dict(finding.detail) or not target:
        return None
    free = FREE.get(finding.rule, ())
    subject = tuple((name, text) for name, text in finding.subject if name not in free)
    if any(
        _UNKNOWN in text or len(text) > _MAX_TEXT or redact(text) != text for _, text in subject
    ):
        return None
    if not any(text for _, text in subject) and not finding.targets:
        return None
    folder = ""
    if finding.rule.startswith(IN_A_FOLDER):
        folder = _shared([os.path.dirname(path) for path in finding.targets], root, home)
        if not folder:
            return None
    return Shape(finding.rule, target, subject, folder)


def _target(finding: Finding, binding: Binding, machine: str) -> str:
    """A digest of where a call goes; "" if that is not known."""
    facts = bound.target_of(binding, class_of(finding))
    if not facts or any(fact.unknown for fact in facts):
        return ""
    known = sorted([fact.kind, fact.name, fact.value, fact.digest] for fact in facts)
    return sha256_hex(canonical([machine, known]))[:32]


def _shared(folders: Sequence[str], root: str, home: str) -> str:
    """The folder that all are in; "" if that holds the project, the home folder or the whole disk."""
    found = os.path.commonpath(folders) if folders and all(map(os.path.isabs, folders)) else ""
    is_wide = any(is_within(each, found) for each in (root, home, "/tmp"))  # noqa: S108 - only compared
    return "" if is_wide or found.count(os.sep) < _LEAST_DEPTH else found


_LEAST_DEPTH = 2


def learn(
    now: Shape, approved: Iterable[Shape], place: str, *, root: str, home: str
) -> Offer | None:
    """The scope that would have covered the approved calls of this one's kind, and covers this one.

    ``place``: where the calls go, as a person reads it.
    """
    kind = [each for each in approved if (each.rule, each.target) == (now.rule, now.target)]
    kind = [each for each in kind if bool(each.folder) == bool(now.folder)]
    folder = _shared([each.folder for each in kind], root, home) if now.folder else ""
    if len(kind) < ENOUGH or (now.folder and not folder):
        return None
    acts = list(dict.fromkeys(each.subject for each in kind))
    if now.subject not in acts or not is_within(now.folder, folder or now.folder):
        return None
    like = {"target": now.target, "acts": [dict(each) for each in acts], "folder": folder}
    return Offer(now.rule, {"like": like}, len(kind), text_of(like, now.rule, place))


def text_of(like: Mapping[str, Any], rule: str, place: str) -> str:
    """What a scope lets through, for a person."""
    acts = [" ".join(filter(None, act.values())) for act in like["acts"]]
    free = f", any {FREE[rule][0]}" if rule in FREE and not like["folder"] else ""
    where = f"below {like['folder']}" if like["folder"] else place
    return f"{', '.join(filter(None, acts))}{free}; {where}".strip("; ")


def covers(like: Mapping[str, Any], finding: Finding, binding: Binding, machine: str) -> bool:
    """Whether a call's finding is one that the scope lets through; its folder is asked about in ``stays``."""
    if _target(finding, binding, machine) != like.get("target") or "text" in dict(finding.detail):
        return False
    free = FREE.get(finding.rule, ())
    return {name: text for name, text in finding.subject if name not in free} in like["acts"]


def stays(like: Mapping[str, Any], findings: Iterable[Finding], real: Callable[[str], str]) -> bool:
    """Whether everything that the findings name is below the scope's folder, if it has one."""
    folder = like.get("folder")
    if not folder:
        return True
    return all(
        bool(each.targets)
        and all(real(path) != folder and is_within(real(path), folder) for path in each.targets)
        for each in findings
    )


def as_data(shape: Shape) -> dict[str, Any]:
    return {"target": shape.target, "subject": dict(shape.subject), "folder": shape.folder}


def of_data(rule: object, data: object) -> Shape | None:
    """What ``as_data`` was made from; None for an entry in another form."""
    if not isinstance(data, dict) or not isinstance(data.get("subject"), dict):
        return None
    subject = tuple((str(name), str(text)) for name, text in data["subject"].items())
    return Shape(str(rule), str(data.get("target")), subject, str(data.get("folder") or ""))


# end of module
