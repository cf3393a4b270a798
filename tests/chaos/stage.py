"""A repository with tasks and a watcher that can be killed; and what must hold when the queue is empty."""

from __future__ import annotations

import collections
import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from operators_edge.bridge.project_lock import ProjectLock
from operators_edge.errors import LockHeld
from tests import repository
from tests.bridge.test_audit import git, put, tree
from tests.bridge.test_watcher import Bridge

if TYPE_CHECKING:
    from collections.abc import Iterator

AGENT = os.path.join(os.path.dirname(__file__), "agent.py")
TOP = ".ai-handoff"
MAX_ATTEMPTS = 99


class Stage:
    """One project below ``folder``, with its person's folder and a place for what agents say."""

    def __init__(self, folder: str, **settings: Any) -> None:
        self.folder = folder
        self.root = os.path.join(folder, "work")
        self.side = os.path.join(folder, "side")
        self._settings = {"stop_on_failure": False, **settings}
        os.makedirs(self.side)
        repository.make(self.root)
        put(self.root, ".git/info/exclude", b"*.log\n")
        put(self.root, "ignored.log", b"the user's\n")
        self.passes: set[str] = set()
        self.was: Any = None

    def bridge(self) -> Any:
        """As a new process sees it."""
        return Bridge(self.root, Path(self.folder, "state"), **self._settings)

    def submit(self, ident: str, line: str = "", *, passes: bool, **fields: Any) -> None:
        """A task whose agent is the one of ``agent.py``, or this line of Python."""
        known = f"IDENT={ident!r}; SIDE={self.side!r}; "
        line = line or f"exec(open({AGENT!r}).read())"
        verify = f"grep -q {ident} {ident}-2.txt" + ("" if passes else "; false")
        policy = {
            "retry_policy": {"max_attempts": MAX_ATTEMPTS},
            "commands_to_run": [verify],
            **fields,
        }
        self.bridge().script(known + line, ident, **policy)
        if passes:
            self.passes.add(ident)

    def begin(self) -> None:
        """What is there now is what the person had."""
        self.was = self.picture()

    def picture(self) -> Any:
        files = {name: each for name, each in tree(self.root).items() if not name.startswith(TOP)}
        words = (("symbolic-ref", "HEAD"), ("rev-parse", "main"), ("diff", "--cached"))
        return files, [git(self.root, *each) for each in words], git(self.root, "status", "-s")

    def watch(self) -> None:
        """Work through the queue, as a process of its own does; another watcher's lease is waited for."""
        while True:
            try:
                self.bridge().run()
            except LockHeld:
                continue
            return

    # -- the judgement ---------------------------------------------------------------------------

    def wrong(self) -> Iterator[str]:
        """Everything that does not hold now that nothing is left to do."""
        bridge = self.bridge()
        for row in bridge.queue.tasks():
            wanted = "done" if row.stem in self.passes else "failed"
            if row.state != wanted:
                yield f"{row.stem} is {row.state}, not {wanted}: {self._result(row.stem)}"
            yield from self._wrong_results(row)
        yield from self._wrong_agents()
        yield from self._wrong_branches()
        now = self.picture()
        if now != self.was:
            yield f"the tree is not as it was: {_difference(self.was, now)}"
        yield from self._left()

    def _wrong_results(self, row: Any) -> Iterator[str]:
        folder = os.path.join(self.root, TOP, "results")
        pattern = re.compile(re.escape(row.stem) + r"\.attempt-(\d+)\.json")
        found = sorted(int(m[1]) for m in map(pattern.fullmatch, os.listdir(folder)) if m)
        if found != list(range(1, row.attempt + 1)):
            yield f"{row.stem} has {row.attempt} attempts, and results of {found}"
        for number in found:
            result = self._result(f"{row.stem}.attempt-{number}")
            if result["attempt"] != number:
                yield f"{row.stem}: the result of attempt {number} is of {result['attempt']}"
            if number < row.attempt and result["reason"] not in (
                "stale_lock_recovered",
                "interrupted",
            ):
                yield f"{row.stem}, attempt {number} ended as {result['reason']} and was repeated"
        if self._result(row.stem) != self._result(f"{row.stem}.attempt-{row.attempt}"):
            yield f"{row.stem}: the latest result is not that of the last attempt"

    def reason(self, ident: str) -> str:
        """The reason of its result; "success" for none."""
        return str(self._result(ident).get("reason") or "success")

    def detail(self, ident: str) -> str:
        return str(self._result(ident).get("detail"))

    def _result(self, name: str) -> Any:
        try:
            with open(os.path.join(self.root, TOP, "results", f"{name}.json"), "rb") as file:
                return json.load(file)
        except (OSError, ValueError) as error:
            return {"attempt": None, "reason": str(error)}

    def reports_of_agents(self) -> list[list[str]]:
        try:
            with open(os.path.join(self.side, "agents.log"), encoding="utf-8") as file:
                return [line.split() for line in file]
        except FileNotFoundError:
            return []

    def _wrong_agents(self) -> Iterator[str]:
        told = self.reports_of_agents()
        yield from (f"two agents in one tree: {each}" for each in told if each[0] == "overlaps")
        begun = collections.Counter(tuple(each[1:3]) for each in told if each[0] == "begins")
        yield from (f"{each} ran {count} times" for each, count in begun.items() if count > 1)
        for pid in {each[3] for each in told}:
            if os.path.exists(f"/proc/{pid}/cmdline"):
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    if b"exec(input())" in file.read():
                        yield f"the agent {pid} still runs"

    def _wrong_branches(self) -> Iterator[str]:
        for ident in self.passes:
            listed = git(self.root, "log", "--all", "--format=%H", f"--grep=Bridge-Task: {ident}$")
            if len(listed.split()) != 1:
                yield f"{ident} has {len(listed.split())} commits"
            branch = self._result(ident).get("git", {}).get("branch", "main")
            if f"{ident}-2.txt" not in os.fsdecode(
                git(self.root, "ls-tree", "--name-only", branch)
            ):
                yield f"{ident}: its change is not on {branch}"

    def _left(self) -> Iterator[str]:
        for name in ("tasks", "running", "locks", "pending"):
            left = os.listdir(os.path.join(self.root, TOP, name))
            if left:
                yield f"left in {name}/: {left}"
        for folder in (self.root, os.path.join(self.folder, "state")):
            for base, _, names in os.walk(folder):
                for each in names:
                    is_ours = each.endswith((".tmp", ".stale")) and "undo" not in base
                    if is_ours or each == "index.lock":
                        yield f"left: {os.path.join(base, each)}"
        yield from self._left_trees()
        staging = os.path.join(self.folder, "state", "staging")
        for each in os.scandir(staging):
            if each.is_dir():
                yield f"left in staging: {each.name}"
        try:
            with ProjectLock(staging, patience=5):
                pass
        except LockHeld as error:
            yield f"something still runs: {error.message}"

    def _left_trees(self) -> Iterator[str]:
        listed = git(self.root, "worktree", "list").decode().splitlines()
        if len(listed) > 1 or os.path.exists(os.path.join(self.folder, "state", "own trees")):
            yield f"left working trees: {listed[1:]}"


def _difference(was: Any, now: Any) -> str:
    files = {name for name in {**was[0], **now[0]} if was[0].get(name) != now[0].get(name)}
    return f"{sorted(files)[:10]} {was[1:]} {now[1:]}"
