"""The basis of an objective as Markdown, for a pull request.

Pure. Every text in it comes from agents, tools and repositories: none of it is markup, a link, a mention or a
command there. Does not own what is in it (``quality.basis``).
"""

from __future__ import annotations

from operators_edge.evidence.tamper import model as tamper_model
from operators_edge.state.schema import maps
from operators_edge.text.markdown import plain, table
from operators_edge.text.wording import many

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

_MARKS = {
    "VERIFIED": "✅",
    "STALE": "🟡",
    "CONTRADICTED": "❌",
    "UNVERIFIED": "⚪",
    "OVERRIDDEN": "🔷",
}
_FILES = 40
_ROWS = 60


def markdown(basis: Mapping[str, Any]) -> str:
    """What was asked, what is claimed beside its evidence, the checks, the decisions, what changed."""
    parts = [
        f"## Proof: {plain(basis.get('objective') or 'no objective')}",
        _gate(basis["gate"]),
        *_section("Claims", _claims(basis)),
        *_section("Checks", _checks(basis["work"])),
        *_section("Decided by a person", _decisions(basis)),
        *_section("Weakened checks", _weakened(basis["work"])),
        *_section("Changed files", _files(basis["work"])),
        _footer(basis),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _section(title: str, lines: Iterable[str]) -> list[str]:
    shown = [*lines]
    return ["\n".join([f"### {title}", "", *shown])] if shown else []


def _gate(gate: Mapping[str, Any]) -> str:
    failed = maps(gate.get("failed"))
    errors = [each for each in failed if each.get("severity") == "error"]
    verdict = f"{many(len(errors), 'check')} failed" if errors else "passed"
    lines = [f"Quality gate: **{verdict}**."]
    lines += [f"- {plain(each.get('name'))}: {plain(each.get('text'))}" for each in failed]
    lines += [
        f"- {plain(each.get('name'))}: let pass by a person: {plain(each.get('text'))}"
        for each in maps(gate.get("overridden"))
    ]
    return "\n".join(lines)


def _claims(basis: Mapping[str, Any]) -> list[str]:
    claims = {each.get("step"): each for each in maps(basis["claims"])}
    rows = []
    for number, step in enumerate(maps(basis["plan"]), 1):
        claim = claims.get(number, {})
        verdict = str(claim.get("verdict") or step.get("status") or "pending")
        rows.append(
            (
                str(number),
                plain(step.get("description") or ""),
                plain(step.get("proof") or ""),
                f"{_MARKS.get(verdict, '')} {plain(verdict)}".strip(),
                plain(claim.get("why") or ""),
            )
        )
    return table(("#", "Step", "Claimed", "Verdict", "Evidence"), rows)


def _checks(work: Mapping[str, Any]) -> list[str]:
    outcomes = {True: "passed", False: "failed"}
    rows = [
        (
            plain(each.get("command") or each.get("name") or ""),
            plain(each.get("cwd") or "elsewhere"),
            outcomes.get(each.get("passed"), "unknown"),  # type: ignore[arg-type]
            _counts(each.get("counts")),
            plain(each.get("seq") or ""),
        )
        for each in maps(work.get("checks"))
    ]
    return table(("Command", "Folder", "Outcome", "Counts", "Log"), rows)


def _counts(counts: object) -> str:
    known = counts if isinstance(counts, dict) else {}
    return ", ".join(f"{plain(value)} {plain(name)}" for name, value in known.items())


def _decisions(basis: Mapping[str, Any]) -> list[str]:
    lines = []
    for each in maps(basis["decisions"])[-_ROWS:]:
        why = f": {plain(each['why'])}" if each.get("why") else ""
        who, when = plain(each.get("by") or "a person"), plain(str(each.get("at"))[:16])
        lines.append(
            f"- {plain(each.get('decision'))} by {who}, {when}: {plain(each.get('shown'))}{why}"
        )
    for each in maps(basis.get("overrides")):
        names = each.get("approved_checks") or ["every check"]
        what = ", ".join(map(str, names)) if isinstance(names, list) else names
        why, who = plain(each.get("reason") or ""), plain(each.get("by") or "a person")
        lines.append(f"- let pass by {who}: {plain(what)}: {why}")
    return lines


def _weakened(work: Mapping[str, Any]) -> list[str]:
    found = work.get("tampering")
    each_one = maps([*found.values()]) if isinstance(found, dict) else []
    return [f"- {plain(tamper_model.describe(each))}" for each in each_one[-_ROWS:]]


def _files(work: Mapping[str, Any]) -> list[str]:
    files = [*work["files"]] if isinstance(work.get("files"), dict) else []
    lines = [f"- {plain(path)}" for path in files[:_FILES]]
    return [*lines, *([f"- and {len(files) - _FILES} more"] if len(files) > _FILES else [])]


def _footer(basis: Mapping[str, Any]) -> str:
    commit = str(basis.get("commit") or "")[:12]
    at = f" at commit {plain(commit)}" if commit else ""
    return f"Observed by Operator's Edge{at}; verdicts come from what was observed, never from a model."


# end of module
