"""The examples in the packs, run through the gate on an invented machine.

Owns that machine and what an example means. Does not own the examples (the packs).
"""

from __future__ import annotations

import json
import re

from operators_edge.gate.decide import assess
from operators_edge.gate.prefilter import is_suspicious
from operators_edge.model import Call, Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from operators_edge.gate.rules import Rules
    from operators_edge.model import Verdict

ROOT = "/home/ann/shop"
PLACE = Place(
    root=ROOT,
    home="/home/ann",
    temp=("/tmp", "/var/tmp"),  # noqa: S108 - a name on the invented machine, nothing is written
    own=("/home/ann/.local/state/operators-edge", "/opt/venv/operators_edge"),
    host=("/home/ann/.claude/plans",),
    environment="/opt/venv",
    is_active=True,
    client=("/home/ann/.claude", "/home/ann/.claude.json"),
    terminals=(
        *(("tmux", "/tmp/tmux-1000/default"), ("screen", "4711.work.host"), ("zellij", "main")),  # noqa: S108
        *(("kitty", "1"), ("wezterm", "0"), ("desktop", ":0")),
    ),
    client_pid="4242",
)


class ExampleMachine:
    """A guarded project on branch main with README.md, shared.txt (which has another name),
    the link latest and an .env; git ignores that and node_modules.

    ``published/`` is a repository whose head is on its remote, ``staged/`` one that alone has what is staged.
    """

    def size(self, path: str) -> int | None:
        return 7 if path in (f"{ROOT}/README.md", f"{ROOT}/shared.txt") else None

    def link_count(self, path: str) -> int | None:
        return (2 if path == f"{ROOT}/shared.txt" else 1) if self.size(path) is not None else None

    def is_executable(self, path: str) -> bool | None:
        return False if self.size(path) is not None else None

    def text(self, path: str, limit: int) -> str | None:
        if path == f"{ROOT}/.claude/settings.local.json":
            return "edge hook claude"
        if path == f"{ROOT}/.env":
            return "PORT=3000\nDB_PASSWORD=x7Qm2\n"
        return "# Shop\n"[:limit] if self.size(path) else None

    def branch(self, cwd: str) -> str | None:
        return "main" if cwd.startswith(ROOT) else None

    def real(self, path: str) -> str | None:
        return f"{ROOT}/docs" if path == f"{ROOT}/latest" else path

    def is_published(self, cwd: str) -> bool | None:
        return cwd.startswith(f"{ROOT}/published")

    def is_staged_alone(self, cwd: str) -> bool | None:
        return cwd.startswith(f"{ROOT}/staged")

    def names(self, path: str) -> list[str] | None:
        return ["README.md"] if path == ROOT else None

    def secret_files(self, folder: str) -> list[str] | None:
        return [f"{ROOT}/.env"] if folder == ROOT else None

    def is_ignored(self, path: str, root: str) -> bool | None:
        return path == f"{root}/.env"

    def repository(self, cwd: str) -> tuple[str, str] | None:
        return (ROOT, f"{ROOT}/.git") if cwd.startswith(ROOT) else None

    def copied_program(self, path: str, names: frozenset[str]) -> str | None:
        return "rm" if path.endswith("/copy-of-rm") and "rm" in names else None

    def revision_text(self, *_: object) -> str | None:
        return None

    def archived_text(self, *_: object) -> str | None:
        return None

    def is_established(self, path: str, root: str) -> bool | None:
        return path.startswith(f"{root}/published")

    def is_regenerable(self, path: str, root: str) -> bool | None:
        return path == f"{root}/node_modules"


def judge_example(example: str, rules: Rules) -> Verdict:
    """Return the verdict on an example: a shell command, or a tool call as a JSON object."""
    tool, arguments = "Bash", {"command": example}
    if example.startswith('{"tool"'):
        call = json.loads(example)
        tool, arguments = call["tool"], call.get("tool_input", {})
    return assess(Call(tool, arguments, ROOT), PLACE, ExampleMachine(), rules)


def check_examples(packs: dict[str, dict[str, Any]], rules: Rules) -> list[str]:
    """Return one sentence for each example, alternative or prefilter result that is not as stated."""
    return [
        f"{file}: rule {rule['id']}: {what}"
        for file, pack in packs.items()
        for rule in pack.get("rule", ())
        for what in _rule_failures(rule, rules)
    ]


def _rule_failures(rule: dict[str, Any], rules: Rules) -> Iterator[str]:
    # The examples of a rule for one profile are judged under that profile, all others under the strict one.
    profiles = {when.get("profile") for when in rule["when"]}
    of_one = len(profiles) == 1 and None not in profiles
    rules = rules.with_profile(profiles.pop() if of_one else "strict")
    for key in ("match", "no_match"):
        for example in rule[key]:
            yield from _example_failures(rule["id"], example, rules, expected=key == "match")
    for command in re.findall(r"`([^`]+)`", rule["instead"]):
        verdict = judge_example(command, rules)
        if verdict.effect != "allow":
            yield f"its own alternative {command!r} is stopped by {verdict.rule}"


def _example_failures(name: str, example: str, rules: Rules, *, expected: bool) -> Iterator[str]:
    verdict = judge_example(example, rules)
    found = (*verdict.findings, *verdict.destroys)
    fired = any(one.rule == name for one in found)
    if fired != expected:
        yield f"{'fires' if fired else 'does not fire'} on {example!r}"
    is_command = not example.startswith('{"tool"')
    if is_command and found and not is_suspicious(example, rules.words):
        yield f"the prefilter passes {example!r}"


# end of module
