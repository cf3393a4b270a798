"""The effective rules: packs compiled once, cached next to the packs, loaded in about a millisecond.

Owns finding and caching the compiled packs. Does not own their schema (``gate.pack_schema``), compiling
(``gate.pack_compiler``) or their meaning (``gate.conditions``, ``gate.assessment``). The cache is trusted
like the ``.pyc`` files in the same place: it is keyed by name, size and time of every pack file, and a
damaged one is compiled again.
"""

from __future__ import annotations

import os
import re

import operators_edge
from operators_edge import jsons
from operators_edge.errors import EdgeError, PackError
from operators_edge.gate.prefilter import TriggerWords, is_suspicious

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, TypeVar

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.pack_compiler import CompiledPacks
    from operators_edge.gate.rule_types import (
        Candidate,
        Condition,
        LaterFile,
        Program,
        Rule,
        Tools,
    )

    Table = dict[str, Any]
    Allowed = Callable[[Condition], Condition | None]
    Key = TypeVar("Key")
    Value = TypeVar("Value")

DEFAULT_PROFILE = "contextual"
PACKS = os.path.join(os.path.dirname(os.path.abspath(operators_edge.__file__)), "gate", "packs")
_FORMAT = 7
_MAX_LOOKUPS, _MAX_LOOKUP_KEY = 1024, 256
_MAX_LOADED = 64
_LISTED, _RULES = "listed", "rules"
_OTHER = "\0"
"""In the place of a first operand that no condition of the program names: no word is written like that."""


class Rules:
    """Compiled rules: what ``pack_compiler.compile_packs`` returns, with an index for a command's candidates.

    ``config`` holds what a person and the project set (``config.layers``); {} when nothing is set.
    """

    def __init__(self, compiled: Table, *, profile: str = "") -> None:
        self.compiled = compiled
        self.config: Table = compiled.get("config", {})
        self._candidates: dict[tuple[str, str, str, tuple[str, ...]], list[Candidate]] = {}
        self._subs: dict[str, set[str]] = {}
        self._by_glob: dict[str, str] = {}
        self._words: TriggerWords | None = None
        self._others: dict[str, Rules] = {}
        self.programs: Mapping[str, Program] = compiled["programs"]
        self.names: dict[str, str] = compiled["names"]
        self.globs: list[list[str]] = compiled["globs"]
        self.profile = profile or self.config.get("profile", DEFAULT_PROFILE)
        self.rules: list[Rule] = compiled["rules"]
        if self.profile == "contextual":
            self.rules = list(map(_contextual, self.rules))
        self.index: Mapping[str, list[Candidate]] = compiled["index"]
        self.tools: Tools = compiled["tools"]
        self.verbs: dict[str, str] = compiled["verbs"]
        self.later: list[LaterFile] = compiled["later"]
        self.installed: list[tuple[str, str]] = compiled["installed"]
        """The programs whose own files a pattern over paths knows, with it."""

    @property
    def words(self) -> TriggerWords:
        """The words without which no rule on commands can match; built when first needed."""
        if self._words is None:
            self._words = TriggerWords(**self.compiled["words"])
        return self._words

    @property
    def junction_style(self) -> str:
        """Whether a dialog may ask the person ("ask"), or a junction is always kept ("deny")."""
        return str(self.config.get("junction_style", "ask"))

    def with_profile(self, profile: str) -> Rules:
        """Return the same rules under another profile, made once."""
        if profile == self.profile:
            return self
        if profile not in self._others:
            self._others[profile] = Rules(self.compiled, profile=profile)
        return self._others[profile]

    def candidates(
        self, inv: Invocation, missing: tuple[str, ...], allowed: Allowed
    ) -> list[Candidate]:
        """Return the conditions that a command could meet, each with its rule's number, in order.

        Most conditions are about one subcommand. ``missing`` are keys of conditions that cannot hold for the
        command (``Matcher.missing``). ``allowed`` returns what is left of a condition that the
        program allows (``Matcher.of_program``).
        """
        program = "@none" if inv.is_dry_run() else inv.program or "@none"
        named = inv.command.argv[0].text if inv.command.argv else ""
        operand = inv.operands[0].text if inv.operands else ""
        if operand not in self._subs_of(program):
            operand = _OTHER
        key = program, named, operand, missing
        known = self._candidates.get(key)
        if known is None:
            profile = self.profile
            every = (
                (number, allowed(when))
                for number, when in self._of(program)
                if when.get("profile", profile) == profile
                and ((sub := when.get("sub")) is None or operand in sub or "" in sub)
                and when.keys().isdisjoint(missing)
            )
            known = [(number, when) for number, when in every if when is not None]
            _remember(self._candidates, key, known, len(named))
        return known

    def _of(self, program: str) -> Iterable[Candidate]:
        """The conditions about a program, and those about every program."""
        return (*self.index.get(program, ()), *self.index.get("", ()))

    def _subs_of(self, program: str) -> set[str]:
        """The first words of the subcommands that a condition about the program names."""
        known = self._subs.get(program)
        if known is None:
            known = {one for _, when in self._of(program) for one in when.get("sub", ())}
            _remember(self._subs, program, known, len(program))
        return known

    def by_glob(self, name: str) -> str:
        """The program whose names such a one is by a pattern; the name itself if there is none."""
        known = self._by_glob.get(name)
        if known is None:
            known = next((one for pattern, one in self.globs if re.match(pattern, name)), name)
            _remember(self._by_glob, name, known, len(name))
        return known

    def rule(self, name: str) -> Rule | None:
        return next((rule for rule in self.rules if rule["id"] == name), None)


def _remember(known: dict[Key, Value], key: Key, value: Value, length: int) -> None:
    """Keep what was looked up, unless the text that it was looked up by is a long one."""
    if length <= _MAX_LOOKUP_KEY:
        if len(known) >= _MAX_LOOKUPS:
            known.clear()  # a simple bound
        known[key] = value


def _contextual(rule: Rule) -> Rule:
    if "contextual" not in rule:
        return rule
    other = rule.copy()
    other["effect"] = rule["contextual"]
    return other


# -- loading ---------------------------------------------------------------------------------------


class RulesCache:
    """Compiled rules in a folder, stored under a stamp of everything that they are made from.

    ``compile_rules`` makes them, ``make_folder`` the folder; without a folder nothing is stored.
    """

    def __init__(
        self,
        folder: str,
        stamp: str,
        compile_rules: Callable[[], Table],
        make_folder: Callable[[], object],
        mode: int = 0o666,
    ) -> None:
        self._folder = folder
        self._stamp = stamp
        self._compile_rules = compile_rules
        self._make_folder = make_folder
        self._mode = mode

    def rules(self) -> Rules:
        """The rules; raises PackError when they cannot be compiled."""
        found: Rules = self.stored_rules() or self._once("rules", lambda: Rules(self.compile()))
        return found

    def stored_rules(self) -> Rules | None:
        """The rules, if they need not be compiled."""
        found: Rules | None = self._once("rules", self._stored_rules)
        return found

    def listed(self) -> list[Rule]:
        """Every rule as it is in force, without what finds it: a hundredth of the time to read."""
        stored: list[Rule] | None = self.stored(_LISTED, list)
        return self.rules().rules if stored is None else stored

    def kept(self, name: str, make: Callable[[], Table]) -> Table:
        """What is made of the same sources as the rules, and stored with them."""
        stored: Table | None = self.stored(name, dict)
        if stored is None:
            stored = make()
            self._keep({name: stored})
        return stored

    def words(self) -> TriggerWords:
        """The words without which no rule on commands can match."""
        found: TriggerWords = self._once("words", self._words)
        return found

    def _words(self) -> TriggerWords:
        stored = self.stored("words", dict)
        try:
            return TriggerWords(**(stored or self.compile()["words"]))
        except (TypeError, AttributeError):  # damaged
            return TriggerWords(**self.compile()["words"])

    def compile(self) -> Table:
        compiled = self._compile_rules()
        parts = {"words": compiled["words"], _LISTED: Rules(compiled).rules}
        config = compiled.get("config", {})
        parts |= {name: config[name] for name in ("checks", "redaction") if name in config}
        self._keep(parts | ({"config": config} if config else {}), compact(compiled))
        return compiled

    def _keep(self, parts: Table, rules: tuple[Table, list[str]] | None = None) -> None:
        try:
            self._make_folder()
            for name, part in parts.items():
                self._store(name, part)
            if rules is not None:
                self._store(_RULES, *rules)
        except (OSError, EdgeError):
            pass  # a read-only installation, or no home folder: made in memory each time

    def stored(self, name: str, kind: type) -> Any:
        """One stored part, if it is current; None otherwise."""
        try:
            with open(self._path(name), "rb") as file:
                stored = jsons.loads(file.read())
            is_current = stored["stamp"] == self._stamp and isinstance(stored["data"], kind)
            return stored["data"] if is_current else None
        except (OSError, ValueError, KeyError, TypeError):
            return None  # missing, damaged or of another shape: it is compiled instead

    def _stored_rules(self) -> Rules | None:
        path = self._path(_RULES)
        try:
            with open(path, "rb") as file:
                first, *lines = file.read().split(b"\n")
            stored = jsons.loads(first)
            is_current = stored["stamp"] == self._stamp
            is_whole = stored["more"] == [len(lines), sum(map(len, lines))]
            return Rules(expand(stored["data"], lines, path)) if is_current and is_whole else None
        except (OSError, KeyError, TypeError, ValueError, AttributeError):
            return None  # missing, damaged or of another shape: it is compiled instead

    def _store(self, name: str, part: Any, lines: list[str] | None = None) -> None:
        path = self._path(name)
        draft = f"{path}.{os.getpid()}"
        fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, self._mode)
        kept = {"stamp": self._stamp, "data": part}
        if lines is not None:
            kept["more"] = [len(lines), sum(map(len, lines))]
        with open(fd, "w", encoding="utf-8", newline="") as file:
            # ``dump`` takes longer
            file.write("\n".join((jsons.dumps(kept, separators=(",", ":")), *(lines or ()))))
        os.replace(draft, path)

    def _path(self, name: str) -> str:
        return os.path.join(self._folder, f"{name}.json")

    def _once(self, name: str, build: Callable[[], Any]) -> Any:
        return load_once(f"{name} {self._folder}", self._stamp, build) if self._folder else build()


_loaded: dict[str, tuple[str, Any]] = {}


def load_once(name: str, stamp: str, build: Callable[[], Any]) -> Any:
    """Return what this process built last under the same stamp; build it otherwise.

    None, the result of a build that was not possible, is not kept.
    """
    loaded = _loaded.get(name)
    if loaded is None or loaded[0] != stamp:
        loaded = (stamp, build())
        if loaded[1] is not None:
            _loaded[name] = loaded
        if len(_loaded) > _MAX_LOADED:  # many projects at once; what is shipped all of them need
            oldest = next((one for one in list(_loaded) if PACKS not in one), name)
            _loaded.pop(oldest, None)
    return loaded[1]


def load(folder: str = PACKS) -> Rules:
    """Return the rules of all packs in ``folder``; raises PackError when one of them cannot be used."""
    return _shipped(folder).rules()


def listed() -> list[Rule]:
    """Every shipped rule, without what finds it."""
    return _shipped(PACKS).listed()


def kept(name: str, make: Callable[[], Table]) -> Table:
    """What depends on nothing but the packs and the code that compiles them, made once."""
    return _shipped(PACKS).kept(name, make)


def needs_parsing(text: str, folder: str = PACKS) -> bool:
    """Whether a command text must be parsed and judged; False promises an allow."""
    return is_suspicious(text, _shipped(folder).words())


def _shipped(folder: str) -> RulesCache:
    def compile_rules() -> Table:
        return compiled_packs(folder).table()

    kept = os.path.join(folder, "__pycache__")
    return RulesCache(
        kept, stamp_of(folder), compile_rules, lambda: os.makedirs(kept, exist_ok=True)
    )


# -- compiling -------------------------------------------------------------------------------------


def read_packs(folder: str = PACKS) -> dict[str, Table]:
    """Return the packs as written, examples included: file name → tables. Not to be changed."""
    packs: dict[str, Table] = load_once(
        f"packs {folder}", stamp_of(folder), lambda: _parse_packs(folder)
    )
    return packs


def read_pack(file: str, folder: str = PACKS) -> Table:
    """Return one pack as written; {} if there is none with this file name."""
    if file not in _pack_files(folder):
        return {}
    name = f"written-{file.removesuffix('.toml')}"
    return _shipped(folder).kept(name, lambda: _parse_packs(folder, [file])[file])


def compiled_packs(folder: str = PACKS) -> CompiledPacks:
    """Return the packs compiled, for others to be added. Not to be changed."""
    from operators_edge.gate.pack_compiler import CompiledPacks  # noqa: PLC0415 - only without a cache

    compiled: CompiledPacks = load_once(
        f"compiled {folder}", stamp_of(folder), lambda: CompiledPacks(read_packs(folder))
    )
    return compiled


def _parse_packs(folder: str, names: list[str] | None = None) -> dict[str, Table]:
    import tomllib  # noqa: PLC0415 - only without a cache

    from operators_edge.gate import pack_files  # noqa: PLC0415 - only without a cache
    from operators_edge.system import installation  # noqa: PLC0415 - see above

    texts = pack_files.read(folder, _pack_files(folder) if names is None else names)
    if folder == PACKS:
        recorded = installation.recorded_files(installation.current())
        pack_files.require_whole(texts, recorded, expected=names or pack_files.SHIPPED)
    packs: dict[str, Table] = {}
    for name, data in texts.items():
        try:
            packs[name] = tomllib.loads(data.decode())
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
            raise PackError(f"{name}: not valid TOML: {problem}") from problem
    if not packs:
        raise PackError(f"{folder}: no rule packs here", hint="reinstall operators-edge")
    return packs


def compact(compiled: Table) -> tuple[Table, list[str]]:
    """Return compiled rules in the form of the cache: a table, and lines to whose numbers it refers.

    Each line is JSON: a condition, a program or a part of the words. One command needs few of them. Many
    programs share a condition.
    """
    lines: dict[str, int] = {}

    def number(value: Any) -> int:
        return lines.setdefault(jsons.dumps(value, separators=(",", ":")), len(lines))

    index = {name: list(map(number, some)) for name, some in compiled["index"].items()}
    programs = {name: number(one) for name, one in compiled["programs"].items()}
    words = {name: number(one) for name, one in compiled["words"].items()}
    return {**compiled, "index": index, "programs": programs, "words": words}, list(lines)


def expand(cached: Table, lines: list[bytes], path: str) -> Table:
    """Return compiled rules from the form of the cache, which is in this file."""
    known: dict[int, Any] = {}

    def value(number: int) -> Any:
        if number not in known:
            try:
                known[number] = jsons.loads(lines[number])
            except (IndexError, ValueError) as damage:
                from operators_edge.contexts import suppress  # noqa: PLC0415 - for a damaged cache

                with suppress(OSError):
                    os.unlink(path)
                hint = "try once more: it is made again; if it stays so, delete it"
                raise PackError(f"{path} is damaged", hint=hint) from damage
        return known[number]

    return {
        **cached,
        "index": _Late(cached["index"], lambda some: list(map(value, some))),
        "programs": _Late(cached["programs"], value),
        "words": _Late(cached["words"], value),
    }


class _Late:
    """A mapping, each value of which is made when it is first asked for."""

    def __init__(self, places: Mapping[str, Any], make: Callable[[Any], Any]) -> None:
        self._places = places
        self._make = make
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        made = self._made.get(name)
        if made is None:
            made = self._made[name] = self._make(self._places[name])
        return made

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if name in self._places else default

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def keys(self) -> Iterable[str]:
        return self._places.keys()

    def items(self) -> Iterator[tuple[str, Any]]:
        return ((name, self[name]) for name in self._places)


# -- the stamp -------------------------------------------------------------------------------------


def _pack_files(folder: str) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if name.endswith(".toml"))
    except OSError:
        return []  # read_packs reports that there are none


def source_files(folder: str = PACKS) -> list[str]:
    """Return the paths of the packs, and of the code that compiles them."""
    package = os.path.dirname(os.path.abspath(operators_edge.__file__))
    return [
        *(
            os.path.join(package, "gate", f"{name}.py")
            for name in (
                "pack_schema",
                "pack_compiler",
                "credential_words",
                "secret_files",
                "verbs",
            )
        ),
        *(
            os.path.join(package, "config", f"{name}.py")
            for name in ("layers", "own_rules", "schema")
        ),
        os.path.join(package, "shell", "wrapper_table.py"),
        *(os.path.join(folder, name) for name in _pack_files(folder)),
    ]


_pinned: dict[str, str] = {}


def pin_shipped_packs() -> None:
    """Stop checking the shipped packs for changes: for a process that ends when its installation changes."""
    _pinned[PACKS] = stamp_of()


def stamp_of(folder: str = PACKS) -> str:
    """Return a text that changes whenever a pack, or the code that compiles packs, changes."""
    if folder in _pinned:
        return _pinned[folder]
    parts = [str(_FORMAT)]
    for path in source_files(folder):
        try:
            status = os.stat(path)
        except OSError:
            parts.append(f"{os.path.basename(path)}:?")  # a build without sources, or a race
            continue
        parts.append(f"{os.path.basename(path)}:{status.st_size}:{status.st_mtime_ns}")
    return " ".join(parts)


# end of module
