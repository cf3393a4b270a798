"""An example project, a person's home and facts about a machine, all made of plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.gate.decide import assess
from operators_edge.gate.rules import load
from operators_edge.model import Call, Place

if TYPE_CHECKING:
    from operators_edge.model import Verdict

ROOT = "/home/ann/shop"
HOME = "/home/ann"
OWN = "/home/ann/.local/state/operators-edge"
PLACE = Place(
    root=ROOT,
    home=HOME,
    temp=("/tmp", "/var/tmp"),
    own=(OWN, "/opt/venv"),
    host=("/home/ann/.claude/plans", "/home/ann/.claude/projects"),
    environment="/opt/venv",
    is_shared=False,
    libraries=("/opt/venv/lib/python3.12/site-packages",),
    client=("/home/ann/.claude", "/home/ann/.claude.json", "/home/ann/configured"),
)
RULES = load().with_profile("strict")
"""Under the strict profile, which stops the most; tests of the default profile name it."""


class Machine:
    """Facts from a table: path → text."""

    def __init__(
        self,
        files: dict[str, str] | None = None,
        branch: str | None = "main",
        links: dict[str, str] | None = None,
        ignored: tuple[str, ...] = (),
        *,
        published: bool = False,
        committed: tuple[str, ...] = (),
        programs: dict[str, str] | None = None,
        executable: tuple[str, ...] | None = None,
    ) -> None:
        self.executable = executable
        self.committed = committed
        self.names_of: dict[str, int] = {}
        self.programs = programs or {}
        guard = {f"{ROOT}/.claude/settings.local.json": "edge hook claude"}
        self.files = {f"{ROOT}/README.md": "# Shop\n", **guard, **(files or {})}
        self.links = links or {}
        self.checked_out = branch
        self.ignored = ignored
        self.published = published

    def size(self, path: str) -> int | None:
        text = self.files.get(path)
        return None if text is None else len(text)

    def link_count(self, path: str) -> int | None:
        return self.names_of.get(path, 1) if path in self.files else None

    def is_executable(self, path: str) -> bool | None:
        """Whether it is named as one; without names every file is."""
        if path not in self.files:
            return None
        return self.executable is None or path.removeprefix(f"{ROOT}/") in self.executable

    def text(self, path: str, limit: int) -> str | None:
        text = self.files.get(path)
        return None if text is None else text[:limit]

    def branch(self, cwd: str) -> str | None:
        return self.checked_out

    def real(self, path: str) -> str | None:
        for link, target in self.links.items():
            if path == link or path.startswith(link + "/"):
                return target + path[len(link) :]
        return path

    def is_published(self, cwd: str) -> bool | None:
        return self.published

    def is_staged_alone(self, cwd: str) -> bool | None:
        return False

    def names(self, path: str) -> list[str] | None:
        start = path.rstrip("/") + "/"
        below = (one[len(start) :].split("/")[0] for one in self.files if one.startswith(start))
        return sorted(set(below)) or None

    def repository(self, cwd: str) -> tuple[str, str] | None:
        return (ROOT, f"{ROOT}/.git") if cwd.startswith(ROOT) else None

    def copied_program(self, path: str, names: frozenset[str]) -> str | None:
        return self.programs.get(path)

    def revision_text(self, root: str, revision: str, name: str, limit: int) -> str | None:
        return self.files.get(f"{revision}:{name}")

    def archived_text(self, archive: str, name: str, strip: int, limit: int) -> str | None:
        return self.files.get(f"{archive}:{name}")

    def is_established(self, path: str, root: str) -> bool | None:
        return path in self.committed

    def secret_files(self, folder: str) -> list[str] | None:
        names = (".env", "id_rsa", "server.key")
        return [one for one in self.files if one.startswith(folder + "/") and one.endswith(names)]

    def is_ignored(self, path: str, root: str) -> bool | None:
        return self.is_regenerable(path, root)

    def is_regenerable(self, path: str, root: str) -> bool | None:
        return any(path == one or path.startswith(one + "/") for one in self.ignored)


def judge(command: str, machine: Machine | None = None, cwd: str = ROOT) -> Verdict:
    return judge_tool("Bash", {"command": command}, machine, cwd)


def judge_tool(
    tool: str, given: dict[str, Any], machine: Machine | None = None, cwd: str = ROOT
) -> Verdict:
    return assess(Call(tool, given, cwd), PLACE, machine or Machine(), RULES)
