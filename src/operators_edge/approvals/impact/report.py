"""The shape of what was measured: one report for each finding whose rule says what to measure.

Types only. The values are ordinary dictionaries, because a card stores them as JSON. A report with
``unknown`` says why nothing, or not all, could be measured; a number that is not known is never 0.
"""

from __future__ import annotations

from typing import TypedDict


class _Report(TypedDict, total=False):
    kind: str
    """The kind of impact that the rule names: ``files``, ``commits``, ``tables`` or ``request``."""
    act: str
    """What the command does: ``delete``, ``overwrite``, ``discard``, or git's subcommand."""
    unknown: str


class FileReport(_Report, total=False):
    """Files that would be deleted, overwritten or discarded."""

    files: int
    bytes: int | None
    in_git: dict[str, int]
    """How many are ``clean``, ``modified``, ``untracked``, ``ignored``, or ``outside`` of any repository."""
    git: str
    """Why ``in_git`` is missing."""
    is_more: bool
    """The scan stopped at a limit."""
    is_at_most: bool
    is_open: bool
    """More files that only the running command determines."""
    devices: int
    histories: int
    """Git repositories that would go with all their history."""
    index: bool
    """Only what is staged is discarded."""


class RefReport(TypedDict, total=False):
    """One branch or tag of a push, or one that is deleted or moved."""

    name: str
    unknown: str
    sha: str
    is_tag: bool
    is_new: bool
    is_deleted: bool
    publishes: int
    subjects: list[str]
    loses: int
    """Commits that a forced push removes; ``behind`` are those for which git would refuse."""
    behind: int
    lost: list[str]
    only_here: int
    """Commits that nothing else holds."""


class PushReport(_Report, total=False):
    """``host`` and ``path``, or ``folder``, are the remote's address."""

    remote: str
    host: str
    path: str
    folder: str
    all: str
    names: int
    publishes: int
    mirrors: bool
    refs: list[RefReport]
    more: int
    fetched: int | None
    """Seconds since the last fetch: what is known about the remote is as old as that."""


class ResetReport(_Report, total=False):
    branch: str
    target: str
    sha: str
    leaves: int
    subjects: list[str]
    only_here: int
    kept_by: list[str]
    files: FileReport


class RefsReport(_Report, total=False):
    refs: list[RefReport]
    more: int


class Stash(TypedDict):
    name: str
    sha: str
    age: int
    text: str


class StashReport(_Report, total=False):
    stashes: list[Stash]
    count: int


class RewriteReport(_Report, total=False):
    rewrites: int
    published: int
    sha: str
    subjects: list[str]


class Statement(TypedDict, total=False):
    verb: str
    names: list[str]
    where: bool


class TablesReport(_Report, total=False):
    program: str
    statements: list[Statement]
    more: int
    host: str
    database: str


class Upload(TypedDict):
    path: str
    bytes: int | None


class RequestReport(_Report, total=False):
    method: str
    host: str
    path: str
    more: int
    is_loopback: bool
    uploads: list[Upload]


GitReport = FileReport | PushReport | ResetReport | RefsReport | StashReport | RewriteReport
ImpactReport = GitReport | TablesReport | RequestReport
