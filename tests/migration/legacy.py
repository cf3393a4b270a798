"""Projects of older versions, made from ``tests/fixtures/legacy`` under their real names."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

FIXTURES = Path(__file__).parent.parent / "fixtures" / "legacy"


def project(version: str, root: Path) -> str:
    """Make the project in the folder; returns its real path."""
    source = FIXTURES / version
    for each in sorted(source.rglob("*")):
        if each.is_file():
            parts = [part.replace("dot-", ".", 1) for part in each.relative_to(source).parts]
            name = parts.pop().removesuffix(".txt").replace("state.yaml", "active_context.yaml")
            target = root.joinpath(*parts, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(each, target)
    if version == "v4":
        (root / ".proof/session_log.jsonl").symlink_to("sessions/20260301-080000.jsonl")
    return os.path.realpath(root)


def tree(root: str) -> dict[str, bytes | str]:
    """Every file's content and every link's target, by path; without locks and caches."""
    found: dict[str, bytes | str] = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = Path(folder, name)
            key = path.relative_to(root).as_posix()
            if key.startswith((".git/", ".proof/cache/")) or key in (
                ".proof/lock",
                ".proof/log.lock",
            ):
                continue
            found[key] = os.readlink(path) if path.is_symlink() else path.read_bytes()
    return found
