"""The rules in force: packs compiled once, kept beside the packs, loaded in about a millisecond.

Owns finding and caching the compiled packs. Does not own their schema (``gate.pack_schema``) or their
meaning (``gate.conditions``, ``gate.decide``). The cache has the trust of the ``.pyc`` files beside which
it lies: it is keyed by name, size and time of every pack file, and a damaged one is compiled again.
"""

from __future__ import annotations

import json
import os

import operators_edge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    Table = dict[str, Any]

PACKS = os.path.join(os.path.dirname(os.path.abspath(operators_edge.__file__)), "gate", "packs")
_FORMAT = 2


class Rules:
    """Compiled rules. ``programs``, ``names``, ``globs``, ``rules``, ``index``, ``tools``: see pack.

    ``config`` says what a person and the project set (``config.layers``); {} where nobody set anything.
    """

    __slots__ = (
        "_near",
        "_words",
        "compiled",
        "config",
        "globs",
        "index",
        "names",
        "profile",
        "programs",
        "rules",
        "tools",
    )

    def __init__(self, compiled: Table, *, profile: str = "") -> None:
        self.compiled = compiled
        self.config: Table = compiled.get("config", {})
        self._near: dict[Any, list[list[Any]]] = {}
        self._words: Words | None = None
        self.programs: dict[str, Table] = compiled["programs"]
        self.names: dict[str, str] = compiled["names"]
        self.globs: list[list[str]] = compiled["globs"]
        self.rules: list[Table] = compiled["rules"]
        self.index: dict[str, list[list[Any]]] = compiled["index"]
        self.tools: Table = compiled["tools"]
        self.profile = profile or self.config.get("profile", "strict")

    @property
    def words(self) -> Words:
        """The words without which no rule on commands can fire; for the few texts that need them."""
        if self._words is None:
            words = self.compiled["words"]
            self._words = Words(words if "conditions" in self.compiled else _grouped(words))
        return self._words

    @property
    def junction_style(self) -> str:
        """Whether a dialog may ask the person ("ask"), or a junction is always kept ("deny")."""
        return str(self.config.get("junction_style", "ask"))

    @property
    def keep_days(self) -> Mapping[str, int | None]:
        """How many days an entry of each type stays in the archive; None: for good."""
        from operators_edge.model import KEEP_DAYS  # noqa: PLC0415 - when something is archived

        kept: Mapping[str, int | None] = self.config.get("keep_days", KEEP_DAYS)
        return kept

    @property
    def context_tokens(self) -> int:
        """How much a new session is told at most."""
        from operators_edge.model import CONTEXT_TOKENS  # noqa: PLC0415 - once a session

        tokens: int = self.config.get("context_tokens", CONTEXT_TOKENS)
        return tokens

    def under(self, profile: str) -> Rules:
        """The same rules, judged under another profile."""
        return self if profile == self.profile else Rules(self.compiled, profile=profile)

    def near(
        self, program: str, operand: str, missing_triggers: tuple[str, ...]
    ) -> list[list[Any]]:
        """The conditions in force that a command could fulfil: with their rules' numbers, in order.

        ``operand`` is its first one, "" where it has none: most conditions are about one subcommand.
        ``missing_triggers`` are keys of conditions for which it has nothing that they could be about.
        """
        asked = program, operand, missing_triggers
        known = self._near.get(asked)
        if known is None:
            index, own = self.index, self.profile
            known = [
                each
                for each in (*index.get(program, ()), *index.get("", ()))
                if each[1].get("profile", own) == own
                and ((sub := each[1].get("sub")) is None or operand in sub or "" in sub)
                and each[1].keys().isdisjoint(missing_triggers)
            ]
            if len(program) + len(operand) <= _LONGEST_NEAR:
                if len(self._near) >= _MOST_NEAR:
                    self._near.clear()
                self._near[asked] = known
        return known

    def rule(self, name: str) -> Table | None:
        return next((rule for rule in self.rules if rule["id"] == name), None)


def load(folder: str = PACKS) -> Rules:
    """All packs of ``folder``; raises PackError when one of them cannot be used."""
    stamp = stamp_of(folder)

    def made() -> Rules:
        kept = read_cache(_cache_folder(folder), "rules", stamp)
        if kept is not None:
            try:
                return Rules(unpacked(kept))
            except (KeyError, TypeError, ValueError, AttributeError, IndexError):
                pass  # damaged: compiled again below
        return Rules(_compile(folder, stamp))

    held: Rules = once(f"rules {folder}", stamp, made)
    return held


def trigger_words(folder: str = PACKS) -> Words:
    """The words without which no rule on commands can fire."""
    stamp = stamp_of(folder)

    def made() -> Words:
        kept = read_cache(_cache_folder(folder), "triggers", stamp)
        if kept:
            try:
                return Words(kept)
            except (TypeError, AttributeError):
                pass  # damaged: compiled again below
        return Words(packed(_compile(folder, stamp))["words"])

    held: Words = once(f"words {folder}", stamp, made)
    return held


def once(what: str, stamp: str, made: Callable[[], Any]) -> Any:
    """What this process made last under the same stamp: the resident makes it once, a hook has it once.

    None, where nothing could be made, is not kept.
    """
    held = _held.get(what)
    if held is None or held[0] != stamp:
        if len(_held) >= _MOST_HELD:
            _held.clear()  # many projects at once: made again, not kept without end
        held = (stamp, made())
        if held[1] is not None:
            _held[what] = held
    return held[1]


_MOST_NEAR, _LONGEST_NEAR = 1024, 256
_held: dict[str, tuple[str, Any]] = {}
_MOST_HELD = 64


def first_look(text: str, folder: str = PACKS) -> bool:
    """Whether a command text has to be parsed and judged; False promises an allow."""
    from operators_edge.gate.prefilter import is_suspicious  # noqa: PLC0415 - hook start-up time

    return is_suspicious(text, trigger_words(folder))


def read_packs(folder: str = PACKS) -> dict[str, Table]:
    """The packs as written, examples included: file name → tables."""
    import tomllib  # noqa: PLC0415 - not needed when the cache holds

    from operators_edge.gate.pack_schema import PackError  # noqa: PLC0415

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
    from operators_edge.gate.pack_schema import compile_packs  # noqa: PLC0415 - only without a cache

    compiled = compile_packs(read_packs(folder))
    small = packed(compiled)
    write_cache(_cache_folder(folder), "rules", stamp, small)
    write_cache(_cache_folder(folder), "triggers", stamp, small["words"])
    return compiled


def packed(compiled: Table) -> Table:
    """The same for keeping: many programs share a condition, many words what has to stand beside."""
    conditions: dict[str, int] = {}
    index = {
        name: [conditions.setdefault(json.dumps(each), len(conditions)) for each in found]
        for name, found in compiled["index"].items()
    }
    return {
        **compiled,
        "conditions": [json.loads(each) for each in conditions],
        "index": index,
        "words": _grouped(compiled["words"]),
    }


def _grouped(words: dict[str, list[str]]) -> dict[str, str]:
    groups: dict[str, list[str]] = {}
    for word, beside in words.items():
        groups.setdefault(" ".join(beside), []).append(word)
    return {beside: " ".join(sharing) for beside, sharing in groups.items()}


def unpacked(kept: Table) -> Table:
    conditions = kept["conditions"]
    index = {name: [conditions[at] for at in found] for name, found in kept["index"].items()}
    return {**kept, "index": index}


class Words:
    """Trigger words as ``packed`` keeps them: what stands beside → the words that share it.

    Looked up like a dictionary; most texts hold few of the words, so what stands beside stays text.
    """

    __slots__ = ("_beside",)

    def __init__(self, groups: dict[str, str]) -> None:
        self._beside: dict[str, str] = {}
        for beside, listed in groups.items():
            self._beside.update(dict.fromkeys(listed.split(), beside))

    def get(self, word: str) -> list[str] | None:
        beside = self._beside.get(word)
        return None if beside is None else beside.split()

    def __iter__(self) -> Iterator[str]:
        return iter(self._beside)


def _pack_files(folder: str) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if name.endswith(".toml"))
    except OSError:
        return []  # read_packs says that there are none


def files(folder: str = PACKS) -> list[str]:
    """The packs, and the code that compiles them."""
    package = os.path.dirname(os.path.abspath(operators_edge.__file__))
    return [
        os.path.join(package, "gate", "pack_schema.py"),
        os.path.join(package, "config", "layers.py"),
        os.path.join(package, "shell", "wrapper_table.py"),
        *(os.path.join(folder, name) for name in _pack_files(folder)),
    ]


_settled: dict[str, str] = {}


def settle() -> None:
    """Look at the shipped packs no more: for a process that ends when its installation changes."""
    _settled[PACKS] = stamp_of()


def stamp_of(folder: str = PACKS) -> str:
    """Changes whenever a pack, or the code that compiles packs, changes."""
    if folder in _settled:
        return _settled[folder]
    parts = [str(_FORMAT)]
    for path in files(folder):
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
