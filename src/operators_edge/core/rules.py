"""The rules in force: packs compiled once, kept beside the packs, loaded in about a millisecond.

Owns finding and caching the compiled packs. Does not own their schema (``pack``) or their meaning
(``match``, ``gate``). The cache has the trust of the ``.pyc`` files beside which it lies: it is
keyed by name, size and time of every pack file, and a damaged one is compiled again.
"""

from __future__ import annotations

import json
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Table = dict[str, Any]

PACKS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "packs")
_FORMAT = 1


class Rules:
    """Compiled rules. ``programs``, ``names``, ``globs``, ``rules``, ``index``, ``tools``: see pack.

    ``config`` says what a person and the project set (``core.config``); {} where nobody set anything.
    """

    __slots__ = (
        "compiled",
        "config",
        "globs",
        "index",
        "names",
        "profile",
        "programs",
        "rules",
        "tools",
        "words",
    )

    def __init__(self, compiled: Table, *, profile: str = "") -> None:
        self.compiled = compiled
        self.config: Table = compiled.get("config", {})
        self.programs: dict[str, Table] = compiled["programs"]
        self.names: dict[str, str] = compiled["names"]
        self.globs: list[list[str]] = compiled["globs"]
        self.rules: list[Table] = compiled["rules"]
        self.index: dict[str, list[list[Any]]] = compiled["index"]
        self.tools: Table = compiled["tools"]
        self.words: dict[str, list[str]] = compiled["words"]
        self.profile = profile or self.config.get("profile", "strict")

    @property
    def junction_style(self) -> str:
        """Whether a dialog may ask the person ("ask"), or a junction is always kept ("deny")."""
        return str(self.config.get("junction_style", "ask"))

    def under(self, profile: str) -> Rules:
        """The same rules, judged under another profile."""
        return self if profile == self.profile else Rules(self.compiled, profile=profile)

    def rule(self, name: str) -> Table | None:
        return next((rule for rule in self.rules if rule["id"] == name), None)


def load(folder: str = PACKS) -> Rules:
    """All packs of ``folder``; raises PackError when one of them cannot be used."""
    stamp = stamp_of(folder)
    kept = read_cache(_cache_folder(folder), "rules", stamp)
    if kept is not None:
        try:
            return Rules(kept)
        except (KeyError, TypeError):
            pass  # damaged: compiled again below
    return Rules(_compile(folder, stamp))


def trigger_words(folder: str = PACKS) -> dict[str, list[str]]:
    """The words without which no rule on commands can fire."""
    stamp = stamp_of(folder)
    kept = read_cache(_cache_folder(folder), "triggers", stamp)
    if isinstance(kept, dict) and kept:
        return kept
    words: dict[str, list[str]] = _compile(folder, stamp)["words"]
    return words


def first_look(text: str, folder: str = PACKS) -> bool:
    """Whether a command text has to be parsed and judged; False promises an allow."""
    from operators_edge.core.first_look import is_suspicious  # noqa: PLC0415 - hook start-up time

    return is_suspicious(text, trigger_words(folder))


def read_packs(folder: str = PACKS) -> dict[str, Table]:
    """The packs as written, examples included: file name → tables."""
    import tomllib  # noqa: PLC0415 - not needed when the cache holds

    from operators_edge.core.pack import PackError  # noqa: PLC0415

    packs: dict[str, Table] = {}
    for name in _pack_files(folder):
        try:
            with open(os.path.join(folder, name), "rb") as file:
                packs[name] = tomllib.load(file)
        except tomllib.TOMLDecodeError as problem:
            raise PackError(f"{name}: no TOML: {problem}") from problem
        except OSError as problem:
            raise PackError(f"{name}: cannot be read: {problem.strerror}") from problem
    if not packs:
        raise PackError(f"{folder}: no rule packs here", hint="reinstall operators-edge")
    return packs


def _compile(folder: str, stamp: str) -> Table:
    from operators_edge.core.pack import compile_packs  # noqa: PLC0415 - only without a cache

    compiled = compile_packs(read_packs(folder))
    write_cache(_cache_folder(folder), "rules", stamp, compiled)
    write_cache(_cache_folder(folder), "triggers", stamp, compiled["words"])
    return compiled


def _pack_files(folder: str) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if name.endswith(".toml"))
    except OSError:
        return []  # read_packs says that there are none


def stamp_of(folder: str = PACKS) -> str:
    """Changes whenever a pack, or the code that compiles packs, changes."""
    parts = [str(_FORMAT)]
    here = os.path.dirname(os.path.abspath(__file__))
    for path in (
        os.path.join(here, "pack.py"),
        os.path.join(here, "config.py"),
        os.path.join(here, "wrapper_table.py"),
        *(os.path.join(folder, name) for name in _pack_files(folder)),
    ):
        try:
            found = os.stat(path)
        except OSError:
            parts.append(f"{os.path.basename(path)}:?")  # a build without sources, or a race
            continue
        parts.append(f"{os.path.basename(path)}:{found.st_size}:{found.st_mtime_ns}")
    return " ".join(parts)


def _cache_folder(folder: str) -> str:
    return os.path.join(folder, "__pycache__")


def read_cache(folder: str, name: str, stamp: str) -> Any:
    """What ``write_cache`` kept there under the same stamp; None for anything else."""
    try:
        with open(os.path.join(folder, f"{name}.json"), "rb") as file:
            kept = json.loads(file.read())
        return kept["data"] if kept["stamp"] == stamp else None
    except (OSError, ValueError, KeyError, TypeError):
        return None  # none, damaged or of another shape: it is compiled instead


def write_cache(folder: str, name: str, stamp: str, data: Any, mode: int = 0o666) -> None:
    path = os.path.join(folder, f"{name}.json")
    draft = f"{path}.{os.getpid()}"
    try:
        os.makedirs(folder, exist_ok=True)
        fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
        with open(fd, "w", encoding="utf-8") as file:
            json.dump({"stamp": stamp, "data": data}, file, separators=(",", ":"))
        os.replace(draft, path)
    except OSError:
        return  # a read-only installation compiles in memory each time
