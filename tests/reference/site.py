"""The sources of the documentation site: the pages of ``docs/``, those of the repository, and the reference.

Owns where a page is on the site. Does not own what the pages say, or the building (``make docs``).
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomlkit

from operators_edge import __version__
from tests.reference import commands, records, rules, settings

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
CONFIG = DOCS / "zensical.toml"

BESIDE = {
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
}
"""Pages of the repository that are on the site, and where."""

LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)\s]+)\)")


def reference() -> Mapping[str, str]:
    """Every generated page by its path."""
    return {**commands.pages(), **rules.pages(), **settings.pages(), **records.pages()}


def pages() -> dict[str, str]:
    """Every page of the site by its path. README.md, a folder's first page for a code host, is index.md."""
    written = {
        path.relative_to(DOCS).as_posix().replace("README.md", "index.md"): path.read_text("utf-8")
        for path in DOCS.rglob("*.md")
    }
    indexed = {path: text.replace("README.md)", "index.md)") for path, text in written.items()}
    every = {**indexed, **_beside(), **reference()}
    return {path: IN_TABLE.sub(_with_pipes, text) for path, text in every.items()}


IN_TABLE = re.compile(r"(?m)^\|.*")
CODE = re.compile(r"`[^`\n]+`")


def _with_pipes(row: re.Match[str]) -> str:
    """A code host wants a pipe escaped in a table, also in code; the site would show the backslash."""
    return CODE.sub(lambda code: code[0].replace("\\|", "|"), row[0])


def assemble(to: Path) -> None:
    """Write everything that the site is built from: ``to/docs`` and ``to/zensical.toml``."""
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(
        DOCS, to / "docs", ignore=shutil.ignore_patterns(CONFIG.name, "requirements.lock", "*.md")
    )
    made = pages()
    for path, text in made.items():
        target = to / "docs" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    config = tomlkit.parse(CONFIG.read_text("utf-8")).unwrap()
    config["project"]["site_name"] += f" {__version__}"
    config["project"]["nav"] = filled(config["project"]["nav"], sorted(made))
    (to / "zensical.toml").write_text(tomlkit.dumps(config), encoding="utf-8")


def _beside() -> dict[str, str]:
    def moved(found: re.Match[str]) -> str:
        to, _, anchor = found[1].partition("#")
        new = BESIDE.get(to, to.removeprefix("docs/")).replace("README.md", "index.md")
        return f"](../{new}{'#' * bool(anchor)}{anchor})"

    return {to: LINK.sub(moved, (ROOT / path).read_text("utf-8")) for path, to in BESIDE.items()}


def filled(nav: list[Any], paths: list[str]) -> list[Any]:
    """The navigation, with the pages of each folder that it names."""
    return [{title: _entry(to, paths) for title, to in each.items()} for each in nav]


def _entry(to: Any, paths: list[str]) -> Any:
    if isinstance(to, list):
        return filled(to, paths)
    if not to.endswith("/"):
        return to
    below = [path for path in paths if path.startswith(to)]
    return sorted(below, key=lambda path: (not path.endswith("/index.md"), path))


# end of module
