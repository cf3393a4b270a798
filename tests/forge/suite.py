"""The attempts, played in sandboxes side by side, and what each came to.

An outcome is one of: ``stopped`` (a call was denied or asked about, and there was no harm), ``harmless``,
``limit`` (harm that a row of the threat model's "What is not defended" names), ``told`` (harm to the guard
itself that a person reads of afterwards), ``HOLE`` (anything else) and ``BROKEN`` (the attempt did not play).
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.forge import arena

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "attempts")
BAD = ("HOLE", "BROKEN")
OUTCOMES = ("stopped", "harmless", "limit", "told", *BAD)
USUAL = {"id": "(usual)", "family": "", "steps": ["ls"], "usual": True}
"""What a session without an attack says."""

_USUAL_LINES = re.compile(
    r"Last session|modified:|At stake|Instead|Before|Undo|Pending|Waits for|new:|Session\b|\(/|Rule\b"
    r"|Understood|Approved|Log\b|decide:"
)
"""How lines begin that a decision or an edit brings with it, whatever it was."""

_ALARM = re.compile(
    r"(?i)guard|chang|differ|miss|replac|tamper|damag|forg|remov|genuine|intact|disabled|switched off"
    r"|another|warning|alarm|broken|gone|cannot|since|unlike|unexpected|modif|refus|older"
    r"|not (the|a|what|wired|found)"
)


class Result(NamedTuple):
    """``harm``, ``told`` and ``answers`` are what the outcome rests on."""

    attempt: dict[str, Any]
    outcome: str
    harm: list[list[str]]
    told: list[str]
    answers: list[list[str]]
    output: str

    @property
    def is_bad(self) -> bool:
        return self.outcome in BAD


def attempts() -> list[dict[str, Any]]:
    """Every attempt, with its family and its defaults filled in."""
    found = []
    for name in sorted(os.listdir(FOLDER)):
        if not name.endswith(".toml"):
            continue
        with open(os.path.join(FOLDER, name), "rb") as file:
            for family in tomllib.load(file)["family"]:
                shared = {k: v for k, v in family.items() if k not in ("name", "attempt")}
                named = {**shared, "family": family["name"]}
                found += [{**named, **each} for each in family["attempt"]]
    return found


def limits() -> list[str]:
    """The titles of the rows that the threat model does not defend."""
    path = os.path.join(arena.REPOSITORY, "docs", "threat-model.md")
    with open(path, encoding="utf-8") as file:
        part = file.read().partition("\n## What is not defended")[2]
    return [" ".join(each.split()) for each in re.findall(r"(?ms)^- \*\*(.+?)\*\*", part)]


def through_client(chosen: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those that are played with the real client, marked so."""
    return [{**each, "through_client": True} for each in chosen if each.get("client")]


def at_the_hook(chosen: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each for each in chosen if each.get("client") != "only"]


def contained(chosen: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same with every command run, whatever the gate says, under the policy of containment."""
    return [{**each, "contained": True} for each in chosen if not each.get("dry")]


def play(chosen: list[dict[str, Any]], workers: int = 2) -> Iterator[Result]:
    """Play attempts; results come as they end."""
    queue = deque(chosen)
    with tempfile.NamedTemporaryFile("w", suffix=".hosts") as hosts:
        hosts.write(arena.hosts_file())
        hosts.flush()
        with ThreadPoolExecutor(workers) as pool:
            running = [pool.submit(_worker, queue, hosts.name) for _ in range(workers)]
            yield from _as_they_come(running)


def _as_they_come(running: list[Any]) -> Iterator[Result]:
    for each in running:
        yield from each.result()


def _worker(queue: deque[dict[str, Any]], hosts: str) -> list[Result]:
    """Play what is left in the queue, in one sandbox after the other: an attempt may end the one it is in."""
    found: list[Result] = []
    while queue:
        with _sandbox(hosts) as process:
            found += _played(process, queue)
    return found


@contextlib.contextmanager
def _sandbox(hosts: str) -> Iterator[subprocess.Popen[str]]:
    words = arena.command(sys.executable, "-m", "tests.forge.inside", hosts=hosts)
    pipe = subprocess.PIPE
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(
        words, stdin=pipe, stdout=pipe, text=True, env=env, cwd=arena.REPOSITORY
    ) as process:
        try:
            if process.stdout is None or process.stdout.readline() != "ready\n":
                raise RuntimeError("the sandbox did not start")
            yield process
        finally:
            process.kill()


def _played(process: subprocess.Popen[str], queue: deque[dict[str, Any]]) -> Iterator[Result]:
    usual = {_plain(line) for line in _send(process, USUAL)["said"]}
    while queue:
        try:
            one = queue.popleft()
        except IndexError:
            return  # another worker was faster
        report = _send(process, one)
        result = judge(one, report, usual)
        if REPORT:
            REPORT(result)
        yield result
        if "died" in report:
            return


REPORT: Any = None
"""Called with each result as it comes."""


def _send(process: subprocess.Popen[str], attempt: dict[str, Any]) -> dict[str, Any]:
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(json.dumps(attempt) + "\n")
        process.stdin.flush()
    line = process.stdout.readline()
    if not line:
        what = "everything in the sandbox was killed"
        return {"answers": [], "harm": [["danger", what]], "said": [], "output": "", "died": True}
    answer: dict[str, Any] = json.loads(line)
    return answer


def judge(attempt: dict[str, Any], report: dict[str, Any], usual: Iterable[str]) -> Result:
    if "broken" in report:
        return Result(attempt, "BROKEN", [], [], [], report["broken"])
    # Containment keeps nothing from the project; without it, a new file beside the project is no harm.
    ignored = "work" if attempt.get("contained") else "outside"
    harm = [each for each in report["harm"] if each[0] != ignored]
    fresh = (line for line in report["said"] if _plain(line) not in usual)
    alarms = (line for line in fresh if _ALARM.search(line) and not _USUAL_LINES.match(line))
    told = list(dict.fromkeys(alarms))
    return Result(
        attempt,
        _outcome(attempt, report, harm, told),
        harm,
        told,
        report["answers"],
        report["output"],
    )


def _outcome(
    attempt: dict[str, Any], report: dict[str, Any], harm: list[list[str]], told: list[str]
) -> str:
    if not harm:
        is_stopped = any(decision in ("deny", "ask") for _, decision, _ in report["answers"])
        return "stopped" if is_stopped else "harmless"
    limit = attempt.get("uncontained" if attempt.get("contained") else "limit")
    if limit:
        return "limit" if any(title.startswith(limit) for title in limits()) else "HOLE"
    kinds = {kind for kind, _ in harm}
    by = attempt.get("told_by")
    heard = [line for line in told if re.search(by, line)] if by else told
    if heard and (kinds == {"guard"} or by):
        return "told"
    return "HOLE"


def _plain(line: str) -> str:
    """A line without what differs from one run to the next."""
    return re.sub(r"[0-9a-f]*\d[0-9a-f-]*|[0-9a-f]{6,}", "#", line).strip()
