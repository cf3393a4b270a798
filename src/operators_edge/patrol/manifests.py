"""Findings from files that say the same thing twice: versions in manifest, lock file, code, classifiers, CI.

Pure. Owns the comparison and the texts. Does not own reading the files (``patrol.service``).
"""

from __future__ import annotations

import json
import re
import tomllib

from operators_edge.patrol.findings import finding
from operators_edge.text.lines import line_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from operators_edge.patrol.findings import Finding

NAMES = (
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "package.json",
    "package-lock.json",
    "Cargo.toml",
    "Cargo.lock",
    ".nvmrc",
    ".python-version",
    "tox.ini",
)
"""Files of the project's root that are compared."""

WORKFLOWS = re.compile(r"(?:^|/)\.github/workflows/[^/]+\.ya?ml$|(?:^|/)\.gitlab-ci\.yml$")
VERSIONED = re.compile(r"^(?:src/)?[\w-]+/(?:__init__|_?version|__about__|__version__)\.py$")

_REQUIRES = re.compile(
    r"(?:requires-python|python_requires)\s*=\s*[\"']?\s*>=\s*(\d)\.(\d+)"
    r"|^python\s*=\s*\"[\^>~=]+(\d)\.(\d+)",
    re.MULTILINE,
)
_CLASSIFIER = re.compile(r"Programming Language :: Python :: (\d)\.(\d+)")
_IN_CODE = re.compile(r"^__version__\s*=\s*[\"']([\w.+!-]+)[\"']", re.MULTILINE)
_IN_SETUP = re.compile(r"^\s*version\s*=\s*[\"']([\d][\w.+!-]*)[\"']", re.MULTILINE)
_IN_CFG = re.compile(r"^version\s*=\s*(\d[\w.+!-]*)\s*$", re.MULTILINE)
_VALUES = r"s?:\s*(\[[^\]]*\]|[\"']?%s[\"']?|(?:\n\s+-\s*[\"']?%s[\"']?)+)"
_PYTHONS = re.compile(r"python-?(?:version)?" + _VALUES.replace("%s", r"\d\.\d+"))
_NODES = re.compile(r"node-?(?:version)?" + _VALUES.replace("%s", r"\d+[\w.]*"))
_TOX = re.compile(r"\bpy(\d)(\d{1,2})\b")


def is_named(path: str) -> bool:
    """Whether a file below the root is compared, too."""
    return bool(WORKFLOWS.search(path) or VERSIONED.match(path))


def inconsistencies(texts: Mapping[str, str]) -> Iterator[Finding]:
    """What two files say differently; ``texts`` by path."""
    yield from _python(texts)
    yield from _node(texts)
    yield from _rust(texts)


# -- Python ----------------------------------------------------------------------------------------


def _python(texts: Mapping[str, str]) -> Iterator[Finding]:
    for name in ("pyproject.toml", "setup.cfg", "setup.py"):
        text = texts.get(name, "")
        if required := _REQUIRES.search(text):
            oldest = _pair(*[each for each in required.groups() if each])
            yield from _supported(name, text, oldest, texts)
            break
    declared = _python_version(texts)
    for path, text in texts.items():
        found = _IN_CODE.search(text) if VERSIONED.match(path) else None
        if found and declared and found[1] != declared[1]:
            yield _differs(
                f"{path} says version {found[1]}, {declared[0]} says {declared[1]}",
                path,
                line_at(text, found.start()),
                "high",
            )


def _python_version(texts: Mapping[str, str]) -> tuple[str, str] | None:
    """The file that declares the version, and the version; None if it is computed."""
    project = _toml(texts.get("pyproject.toml", ""))
    for table in (project.get("project"), (project.get("tool") or {}).get("poetry")):
        version = table.get("version") if isinstance(table, dict) else None
        if isinstance(version, str):
            return "pyproject.toml", version
    for name, pattern in (("setup.cfg", _IN_CFG), ("setup.py", _IN_SETUP)):
        if found := pattern.search(texts.get(name, "")):
            return name, found[1]
    return None


def _supported(
    name: str, text: str, oldest: tuple[int, int], texts: Mapping[str, str]
) -> Iterator[Finding]:
    """What names a version of Python that the project does not support any more."""
    required = f"{oldest[0]}.{oldest[1]}"
    older = [each for each in _CLASSIFIER.finditer(text) if _pair(each[1], each[2]) < oldest]
    if older:
        first = older[0]
        yield _differs(
            f"{name} requires Python {required} and lists {first[1]}.{first[2]} as supported",
            name,
            line_at(text, first.start()),
        )
    for path, other in texts.items():
        listed = _PYTHONS.finditer(other) if WORKFLOWS.search(path) else ()
        pairs = [_pair(*v) for each in listed for v in re.findall(r"(\d)\.(\d+)", each[1])]
        if path == "tox.ini":
            pairs = [_pair(*each) for each in _TOX.findall(other.split("deps")[0])]
        below = sorted({each for each in pairs if each < oldest})
        if below:
            shown = ", ".join(f"{major}.{minor}" for major, minor in below)
            yield _differs(f"{path} tests Python {shown}, {name} requires {required}", path, None)
    pinned = re.match(r"\s*(\d)\.(\d+)", texts.get(".python-version", ""))
    if pinned and _pair(pinned[1], pinned[2]) < oldest:
        said = f".python-version is {pinned[1]}.{pinned[2]}, {name} requires {required}"
        yield _differs(said, ".python-version", 1, "high")


# -- Node ------------------------------------------------------------------------------------------


def _node(texts: Mapping[str, str]) -> Iterator[Finding]:
    package, lock = _json(texts.get("package.json", "")), _json(texts.get("package-lock.json", ""))
    version, locked = package.get("version"), lock.get("version")
    if version and locked and version != locked:
        yield _differs(
            f"package.json is {version}, package-lock.json {locked}", "package-lock.json", 3
        )
    own = (
        (lock.get("packages") or {}).get("", {}) if isinstance(lock.get("packages"), dict) else None
    )
    if isinstance(own, dict) and lock:
        yield from _unlocked(package, own)
    engines = package.get("engines")
    needed = (
        re.search(r">=\s*v?(\d+)", str(engines.get("node"))) if isinstance(engines, dict) else None
    )
    if needed:
        yield from _older_node(int(needed[1]), texts)


def _unlocked(package: Mapping[str, Any], own: Mapping[str, Any]) -> Iterator[Finding]:
    for kind in ("dependencies", "devDependencies"):
        wanted, there = package.get(kind) or {}, own.get(kind) or {}
        if not isinstance(wanted, dict) or not isinstance(there, dict):
            continue
        names = sorted(each for each in wanted if there.get(each) != wanted[each])
        if names:
            what = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
            said = f"package-lock.json does not have {what} as package.json wants it"
            yield _differs(said, "package-lock.json", None, "high")


def _older_node(oldest: int, texts: Mapping[str, str]) -> Iterator[Finding]:
    for path, text in texts.items():
        listed = _NODES.finditer(text) if WORKFLOWS.search(path) else ()
        majors = {
            int(v) for each in listed for v in re.findall(r"(?<![\w.])(\d+)(?![\d])", each[1])
        }
        if below := sorted(each for each in majors if each < oldest):
            shown = ", ".join(map(str, below))
            yield _differs(f"{path} tests Node {shown}, package.json requires {oldest}", path, None)
    pinned = re.match(r"\s*v?(\d+)", texts.get(".nvmrc", ""))
    if pinned and int(pinned[1]) < oldest:
        yield _differs(
            f".nvmrc is {pinned[1]}, package.json requires {oldest}", ".nvmrc", 1, "high"
        )


# -- Rust ------------------------------------------------------------------------------------------


def _rust(texts: Mapping[str, str]) -> Iterator[Finding]:
    package = _toml(texts.get("Cargo.toml", "")).get("package")
    locked = _toml(texts.get("Cargo.lock", "")).get("package")
    if not isinstance(package, dict) or not isinstance(locked, list):
        return
    for each in locked:
        is_own = isinstance(each, dict) and each.get("name") == package.get("name")
        if is_own and "source" not in each and each.get("version") != package.get("version"):
            said = f"Cargo.toml is {package.get('version')}, Cargo.lock {each.get('version')}"
            yield _differs(said, "Cargo.lock", None)


# -- small parts -----------------------------------------------------------------------------------


def _differs(title: str, path: str, line: int | None, priority: Any = "medium") -> Finding:
    return finding(
        "version_mismatch",
        "code_quality",
        priority,
        title,
        "two files of the project say different things about one version",
        subject=re.sub(r"\d+(?:\.\d+)*", "N", title),
        file=path,
        line=line,
        action="Make them say the same, or derive one from the other.",
        bonus=15,
    )


def _pair(major: str, minor: str) -> tuple[int, int]:
    return int(major), int(minor)


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}  # its own tools report it


def _json(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


# end of module
