"""What a command runs from disk: its script, the targets of its Makefile, hooks, plugins, imported modules.

Owns finding these files by the program's table in the packs, the bounds on reading them, and what each of
them starts. Pure but for ``Facts``. Does not own the formats (``gate.recipes``, ``shell.languages``), nor
what a finding in a file means (``gate.decide``).
"""

from __future__ import annotations

import os.path
import re
import shlex
from fnmatch import translate
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.gate.invocation import code_texts, feeding_files, invocation_of
from operators_edge.gate.paths import is_within
from operators_edge.gate.prefilter import is_suspicious
from operators_edge.gate.regexes import compiled, found_in
from operators_edge.model import FollowedFile
from operators_edge.shell.commands import HOLE, Command, Word
from operators_edge.shell.evaluate import parse
from operators_edge.shell.languages import INTERPRETERS
from operators_edge.shell.runners import fill, find_embedded, has_commands_of_its_own
from operators_edge.system.digest import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from operators_edge.gate.extracts import Extract
    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext
    from operators_edge.gate.recipes import Recipe
    from operators_edge.gate.rule_types import Program
    from operators_edge.gate.rules import Rules
    from operators_edge.gate.settings import Setting
    from operators_edge.shell.commands import Script

MAX_FILES = 200
"""Files that are read for one call."""
MAX_FILE = 64 * 1024
"""Characters of one file that are judged, as of one command text. Of a longer one, what may do something."""
MAX_LONG = 4 * 1024 * 1024
"""Characters that are read of all files longer than that."""
MAX_TOTAL = 2 * 1024 * 1024
"""Characters that are read for one call, of each file at most ``MAX_FILE``."""
MAX_WORK = 96 * 1024
"""Characters of what is judged for one call: about a quarter of a second."""
MAX_DEPTH = 6
"""Files that run files."""
MAX_LISTED = 1_000
"""Names in a folder of modules; in a larger one every name is tried."""
_MAX_CONFIG = 1024 * 1024


class Piece(NamedTuple):
    """A text that runs from a file: shell, or code in the language of ``program``.

    ``line`` is the number of its first line in the file. ``folder`` is where it runs; None if unknown.
    ``arguments`` are the positional parameters from ``$0`` on. ``is_direct``: the command names the file, so
    the agent that wrote it runs it knowingly; an imported module is not. ``is_whole`` is False for a file
    of which a part is not judged. ``is_loose``: its format is not read, so it may not run at all.
    ``numbers`` are those of its lines, if it is put together from parts of the file. ``unseen`` is the
    program that puts the file there, if what it holds cannot be known.
    """

    path: str
    text: str
    line: int = 1
    program: str = "sh"
    folder: str | None = None
    arguments: tuple[str, ...] = ()
    assigned: tuple[tuple[str, str], ...] = ()
    is_direct: bool = True
    is_whole: bool = True
    is_loose: bool = False
    numbers: tuple[int, ...] = ()
    unseen: str = ""

    @property
    def is_shell(self) -> bool:
        return self.program == "sh"


class Follower:
    """Reads files for one call, each piece once, within the bounds."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._seen: set[tuple[object, ...]] = set()
        self._total = self._work = self._long = 0
        self.files: dict[str, FollowedFile] = {}
        self.texts: dict[str, str] = {}
        self._missing: set[str] = set()
        self._listed: dict[str, frozenset[str] | None] = {}

    def pieces(self, inv: Invocation, context: CallContext, depth: int) -> Iterator[Piece]:
        """Yield what the command runs from disk; nothing for a command on another machine."""
        if inv.command.is_remote or not inv.command.argv or inv.is_help():
            return
        search = _Search(self, inv, context)
        for piece in search.pieces() if depth <= MAX_DEPTH else search.unread():
            key = (
                *piece[:2],
                piece.line,
                piece.arguments,
                piece.folder,
                piece.program,
                piece.unseen,
            )
            if key in self._seen:
                continue
            self._seen.add(key)
            yield self._within_bounds(piece)

    def _within_bounds(self, piece: Piece) -> Piece:
        """Return the piece, or what may do something in it, as far as there is time to judge it."""
        if self._work + len(piece.text) > MAX_WORK and not piece.is_shell and not piece.numbers:
            piece = _shortened(piece)
        if self._work + len(piece.text) > MAX_WORK:
            piece = piece._replace(text="", is_whole=False)
        self._work += len(piece.text)
        return piece

    def exists(self, path: str, context: CallContext) -> bool:
        """Whether a program is at the path, or will be; a link to a package's own file does not count."""
        if path in context.written_texts or path in context.copies:
            return True
        real = context.real(path)
        if real != path and not is_within(real, context.root):
            return True
        return context.facts.size(path) is not None and real == path

    def names(self, folder: str, context: CallContext) -> list[str]:
        """Return the names in a folder, as the call's own text leaves it."""
        start = folder.rstrip("/") + "/"
        written = [one[len(start) :] for one in context.written_texts if one.startswith(start)]
        return sorted({*written, *(context.facts.names(folder) or ())})

    def may_hold(self, folder: str, name: str, context: CallContext) -> bool:
        """Whether a folder may hold a module: most that code imports are not the project's own."""
        if folder not in self._listed:
            names = self.names(folder, context)
            stems = frozenset(one.partition(".")[0] for one in names)
            self._listed[folder] = stems if len(names) < MAX_LISTED else None
        listed = self._listed[folder]
        return listed is None or name.partition(".")[0] in listed

    def note(self, path: str, text: str) -> None:
        digest = sha256_hex(text.encode("utf-8", "surrogateescape"))
        self.files[path] = FollowedFile(path, digest)

    def read(self, path: str, context: CallContext) -> str | None:
        """Return the text of a file, as the call's own text leaves it; None if there is none to read."""
        draft = self._arrived(path, context) if context.arrivals else None
        path = context.copies.get(path, path)
        draft = context.written_texts.get(path) if draft is None else draft
        if draft is not None:
            return draft
        known = self.texts.get(path)
        if known is not None:
            return known
        if self.is_full or path in self._missing:
            return None
        text = context.facts.text(path, MAX_FILE + 1)
        if text is None:
            self._missing.add(path)
            return None
        self._total += len(text)
        if len(text) > MAX_FILE and not _is_binary(text):
            whole = context.facts.text(path, max(MAX_LONG - self._long, MAX_FILE) + 1)
            text = text if whole is None else whole
            self._long += len(text)
        self.texts[path] = text
        self.note(path, text)
        return text

    def _arrived(self, path: str, context: CallContext) -> str | None:
        """Return what a command of the text makes of a file, the last one first."""
        from operators_edge.gate import arrivals  # noqa: PLC0415 - most texts bring nothing

        for at in range(len(context.arrivals) - 1, -1, -1):
            one, before = context.arrivals[at], context.with_arrivals(context.arrivals[:at])
            text = arrivals.text_of(path, one, before, MAX_FILE, self.read)
            if text is not None:
                self.note(path, text)
                return text
        return None

    def unseen(self, path: str, context: CallContext) -> str:
        """Return the program that puts a file there whose text cannot be known; "" if there is none."""
        for one in reversed(context.arrivals):
            is_file = one.place == path
            is_below = is_within(path, one.place) and context.facts.size(path) is None
            if one.kind == "unseen" and (is_file or is_below):
                return one.program
            if one.kind != "unseen" and is_file:
                return ""
        return ""

    @property
    def is_full(self) -> bool:
        return len(self.texts) >= MAX_FILES or self._total >= MAX_TOTAL


_BY_ENDING = {
    "py": "python",
    "js": "node",
    "cjs": "node",
    "mjs": "node",
    "rb": "ruby",
    "pl": "perl",
    "lua": "lua",
    "sh": "sh",
}
_FORMATS = frozenset(
    ("package-tools", "go-generate", "compose", "requirements", "build-backend", "jvm-options")
)
"""Formats of ``recipes.READERS`` without named targets."""
_MODULE = "python-module"
_PRINTED = re.compile(r"\$\((?:cat|file)?\s*<?\s*([\w./-]+\.?[\w/-]*)\)")
_MAX_PRINTED = 2_000
_WAITS = re.compile(
    r"(?s)\b(while|until|sleep|inotifywait|fswatch)\b.*(?<![&>|])&(?![&>])|\b(nohup|setsid)\b.*\bsleep\b"
)
_RUNS_PACKAGES = frozenset(("npx", "npm exec", "pnpm exec", "pnpm dlx", "yarn exec", "bunx", "npm"))


class _Search:
    """The files of one command."""

    def __init__(self, follower: Follower, inv: Invocation, context: CallContext) -> None:
        self.follower = follower
        self.inv = inv
        self.spec = inv.spec
        self.context = context
        self.folder = inv.working_folder(context)
        self.words = [word.text for word in inv.command.argv]

    def pieces(self) -> Iterator[Piece]:
        if self.context.arrivals:
            yield from self._unseen()
        yield from self._program()
        codes = code_texts(self.inv)
        for word in codes:
            yield from self._local_modules(self.folder or "", word.text, self.inv.program)
        if not codes:
            yield from self._script()
        yield from self._loose_code()
        yield from self._folder_scripts()
        yield from self._preloads()
        yield from self._recipes()
        yield from self._project_files()
        yield from self._command_files()
        yield from self._hooks()

    def _unseen(self) -> Iterator[Piece]:
        """Yield the script that the command names, if what it will hold cannot be known."""
        base = self.context.absolute_folder(self.inv.command.cwd)
        script = self.inv.script_words()[:1] if self.spec.get("script") else ()
        named = [(word.text, self.folder, self.inv.program) for word in script]
        if "/" in self.words[0]:
            named.append((self.words[0], base, "sh"))
        for name, folder, program in named:
            path = self.context.resolve(_below_here(name), folder)
            origin = self.follower.unseen(path, self.context) if path else ""
            if path and origin:
                yield Piece(path, "", 0, program, folder, unseen=origin)

    def unread(self) -> Iterator[Piece]:
        """Yield the script that the command names, unread: it is run by too many others."""
        for piece in (*self._program(), *self._script()):
            if piece.is_direct:
                yield piece._replace(text="", is_whole=False)
                return

    def _path(self, text: str, folder: str | None = None) -> str | None:
        return self.context.resolve(_below_here(text), folder or self.folder)

    def _program(self) -> Iterator[Piece]:
        """A program that is named by its path: a script by its first line, or a copy of a known program."""
        base = self.context.absolute_folder(self.inv.command.cwd)
        path = self._program_path(self.words[0], base)
        if path is None:
            return
        name = self._disguised(self.context.copies.get(path, path))
        if name:
            yield Piece(path, _joined([name, *self.words[1:]]), 0, folder=base)
            return
        if not self._is_ours(path):
            return
        text = self.follower.read(path, self.context)
        if text is None or _is_binary(text):
            return
        arguments = tuple(self.words)
        yield from self._file(
            path, text, _interpreter(text, self.follower.rules) or "sh", arguments
        )

    def _program_path(self, name: str, base: str | None) -> str | None:
        """Return where the program is: named by its path, or in a folder that the text puts first."""
        if "/" in name:
            return self.context.resolve(_below_here(name), base)
        given = [value for name, value in self.context.variables if name == "PATH"]
        folders = [one for text in given for one in text.split(":")]
        if _RUNS_PACKAGES.intersection(self.inv.command.through) or self.context.is_in_package:
            folders.append("node_modules/.bin")
        for folder in filter(None, folders):
            path = self.context.resolve(os.path.join(_below_here(folder), name), base)
            known = path is not None and self._is_ours(path)
            if path and known and self.follower.exists(path, self.context):
                return path
        return None

    def _loose_code(self) -> Iterator[Piece]:
        """Code on the line in a language that is only searched for calls."""
        for word in self.inv.values(self.spec.get("code_loose", ())):
            for one in _recipes_of("source", word.text, (), ()):
                piece = Piece("", one.text, 0, folder=self.folder, is_direct=False)
                yield piece._replace(is_loose=True)

    def _folder_scripts(self) -> Iterator[Piece]:
        """The files in a folder that a program runs one by one: ``run-parts``."""
        for word in self.inv.operands if self.spec.get("script_folder") else ():
            folder = self._path(word.text)
            names = self.follower.names(folder, self.context) if folder else ()
            for name in names:
                path = os.path.join(folder or "", name)
                text = self.follower.read(path, self.context)
                if text is not None and not _is_binary(text):
                    program = _interpreter(text, self.follower.rules) or "sh"
                    yield from self._file(path, text, program, (path,))

    def _disguised(self, path: str) -> str | None:
        """Return the name of another program that the file is, a link to, or a copy of."""
        rules = self.follower.rules
        real = self.context.real(path)
        name = _installed_program(real, rules)
        is_there = self.context.facts.size(real) is not None
        if name is None and is_there and self._is_ours(real):
            name = self.context.facts.copied_program(real, frozenset(rules.names))
        elif name is None and (real != path or path in self.context.copies.values()):
            name = os.path.basename(real)  # as of `$(which x)`, where the folder is unknown
        if not name:
            return None
        other = invocation_of(Command((Word(name),)), rules).program
        return name if other != self.inv.program else None

    def _is_ours(self, path: str) -> bool:
        """Whether an agent can have written it: in the project, or in a temporary folder."""
        place = self.context
        return place.is_inside(path, (place.root, *place.temp)) or path in place.copies

    def _script(self) -> Iterator[Piece]:
        operands = self.inv.script_words()
        if self.spec.get("script") and not operands:
            yield from self._input()
        yield from self._named_modules()
        if not self.spec.get("script") or not operands:
            return
        first = operands[0].text
        at = next((n for n, word in enumerate(self.inv.command.argv) if word is operands[0]), 1)
        arguments = tuple(self.words[at:])
        for ending in self.spec.get("script_endings", [""]):
            path = self._path(first + ending)
            name = (
                _installed_program(self.context.real(path), self.follower.rules) if path else None
            )
            if path and name:
                yield Piece(path, _joined([name, *arguments[1:]]), 0, folder=self.folder)
                return
            text = self.follower.read(path, self.context) if path else None
            if path and text is not None and not _is_binary(text):
                yield from self._file(path, text, self.inv.program, arguments)
                return
        path = self._path(first)
        if path and self.inv.program == "sh" and self._is_written_later(path):
            yield Piece(path, HOLE, 0)

    def _is_written_later(self, path: str) -> bool:
        """Whether a text that waits in the background runs a file that is not there yet."""
        if self.context.facts.size(path) is not None or path in self.context.written_texts:
            return False
        return _WAITS.search(self.context.text) is not None

    def _input(self) -> Iterator[Piece]:
        """A file that the program reads as a script on its standard input."""
        for word in feeding_files(self.inv.command, self.context):
            path = self.context.resolve(word.text, self.context.cwd)
            text = self.follower.read(path, self.context) if path else None
            if path and text is not None and not _is_binary(text):
                yield from self._file(path, text, self.inv.program, ())

    def _named_modules(self) -> Iterator[Piece]:
        """``python -m tools.build``: a module of the project."""
        for word in self.inv.values(self.spec.get("modules", ())):
            endings = [*self.spec.get("load_endings", ()), *self.spec.get("script_endings", ())]
            for ending in endings if self.folder else ():
                found = self._module(word.text, self.folder or "", [ending])
                if found:
                    yield from self._file(*found, self.inv.program, tuple(self.words))

    def _file(
        self,
        path: str,
        text: str,
        program: str,
        arguments: tuple[str, ...],
        *,
        is_direct: bool = True,
    ) -> Iterator[Piece]:
        """Yield a script, and the local modules that it loads."""
        piece = Piece(
            path,
            text,
            program=program,
            folder=self.folder,
            arguments=arguments,
            assigned=tuple((key, word.text) for key, word in self.inv.command.assigns),
            is_direct=is_direct,
        )
        yield from self._parts(piece)
        yield from self._local_modules(os.path.dirname(path), text, program)

    def _parts(self, piece: Piece) -> Iterator[Piece]:
        """Yield a file as a whole, or if it is long, what can be judged of it."""
        if len(piece.text) <= MAX_FILE:
            yield piece
        elif not piece.is_shell:
            yield _shortened(piece)
        else:
            yield piece._replace(text=piece.text[:MAX_FILE], is_whole=False)
            yield _shortened_shell(piece, self.follower.rules, MAX_FILE)

    def _local_modules(self, folder: str, text: str, program: str) -> Iterator[Piece]:
        """Yield the modules of the project that code loads, and those that they load."""
        spec = self.follower.rules.programs.get(program, {})
        if "loads" not in spec:
            return
        left, seen = [(os.path.join(folder, "."), text)], {""}
        while left:
            inside, code = left.pop(0)
            for name in _loaded(spec["loads"], code):
                found = self._module(name, os.path.dirname(inside), spec.get("load_endings", [""]))
                if found and found[0] not in seen:
                    seen.add(found[0])
                    left.append(found)
                    module = Piece(*found, 1, program, self.folder, is_direct=False)
                    yield from self._parts(module)

    def _module(self, name: str, folder: str, endings: Sequence[str]) -> tuple[str, str] | None:
        parts = name.replace("::", "/")
        if "/" not in name and "" not in endings:
            up = len(name) - len(name.lstrip("."))  # of a relative import
            folder = os.path.normpath(os.path.join(folder, *[".."] * (up - 1)))
            parts = name.lstrip(".").replace(".", "/")
        extra = [self._path(one) or "" for one in self._module_folders()]
        top = parts.partition("/")[0]
        for base in filter(None, (folder, *extra, self.context.root)):
            is_plain = top.strip(".") != "" and os.path.isabs(base)
            if is_plain and not self.follower.may_hold(base, top, self.context):
                continue
            for ending in endings:
                path = self.context.resolve(parts + ending, base) if parts else None
                ours = (self.context.root, *self.context.temp, folder)
                if path is None or not self.context.is_inside(path, ours):
                    continue
                text = self.follower.read(path, self.context)
                if text is not None:
                    return path, text
            if "/" in name:
                break
        return None

    def _preloads(self) -> Iterator[Piece]:
        """Files that an option has it run first: ``node -r ./x.js``, ``bash --rcfile x``, ``perl -MX``."""
        program = self.spec.get("project_language", self.inv.program)
        language = self.follower.rules.programs.get(program, {})
        for word in self.inv.values(self.spec.get("preloads", ())):
            name = word.text.lstrip("-").split("=")[0]
            path = self._path(name)
            text = self.follower.read(path, self.context) if path else None
            found = (path, text) if path and text is not None else None
            endings = ["", *language.get("load_endings", ())]
            found = found or self._module(name, self.folder or "", endings)
            found = found or self._module(name, self.folder or "", endings[1:])
            if found is not None:
                yield from self._file(*found, program, ())

    def _module_folders(self) -> Iterator[str]:
        for word in self.inv.values(self.spec.get("module_folders", ())):
            yield word.text
        for value in self.context.values_of(self.spec.get("module_variables", ())):
            yield from (one.partition("?")[0] for one in re.split("[:;]", value))

    def _command_files(self) -> Iterator[Piece]:
        """Files that the program takes commands from, as its table says."""
        yield from self._files_of(self.spec)
        if self.context.variables:
            yield from self._files_of(self.follower.rules.programs.get("@any", {}))

    def _files_of(self, spec: Program) -> Iterator[Piece]:
        named = spec if "settings" in spec else self.follower.rules.programs.get("@any", {})
        for key, languages in spec.get("command_files", {}).items():
            found = self._paths_by(self._after_verb(key))
            paths = (
                [one for path in found for one in _modules_at(path)]
                if languages == _MODULE
                else found
            )
            for path in paths:
                text = self.follower.read(path, self.context)
                for language in languages.split() if text and not _is_binary(text) else ():
                    yield from self._commands_in(path, text or "", language, named)

    def _after_verb(self, key: str) -> str:
        """Return the key without the subcommand that it is for; "" if that is not given."""
        verbs, space, place = key.rpartition(" ")
        if not space or key[0] == "~":
            return key
        if verbs[:1] == "-":
            return place if any(flag.name == verbs for flag in self.inv.flags) else ""
        parts = verbs.split(":")
        given = [word.text for word in self.inv.operands[: len(parts)]]
        is_given = len(given) == len(parts) and all(
            word in part.split("|") for word, part in zip(given, parts, strict=True)
        )
        return place if is_given else ""

    def _commands_in(self, path: str, text: str, language: str, spec: Program) -> Iterator[Piece]:
        if language == "settings":
            yield from self._run_by_settings(path, text, spec)
            return
        language = "python" if language == _MODULE else language
        if language in _FORMATS:
            yield from self._targets(language, path, text, (), ())
            return
        if language == "auto":
            language = _BY_ENDING.get(path.rpartition(".")[2], "loose")
        if language == "script":
            language = _interpreter(text, self.follower.rules) or "sh"
        if language not in ("loose", "source"):
            yield from self._file(path, text, language, (), is_direct=False)
            return
        words = self.follower.rules.words
        whole = Piece(path, text, folder=self.folder, is_direct=False, is_loose=True)
        part = whole if len(text) <= MAX_FILE else _shortened_shell(whole, self.follower.rules)
        for one in _recipes_of(language, part.text, (), ()):
            if is_suspicious(one.text, words):
                line = part.numbers[one.line - 1] if part.numbers else one.line
                yield whole._replace(text=one.text, line=line)

    def _run_by_settings(self, path: str, text: str, spec: Program) -> Iterator[Piece]:
        """What a program runs because a file of settings says so."""
        for one in _settings_in(text):
            for pattern, template in spec.get("settings", {}).items():
                if found_in(pattern, f"{one.name}={one.value}"):
                    runs = fill(template, one.value)
                    yield Piece(path, runs, one.line, folder=self.folder, is_direct=False)

    def _paths_by(self, key: str) -> Iterator[str]:
        """The files that a key of ``command_files`` stands for."""
        if not key:
            return
        head, _, below = key.partition("/")
        if key[0] == "-":
            named = [word.text for word in self.inv.values((head,))]
        elif key[0] == "$":
            values = self.context.values_of([head[1:]])
            named = [one for value in values for one in value.split(":") if one]
        elif key[0] == "@":
            named = [word.text for word in self.inv.operands[int(head[1:]) :]]
        elif key[0] == "~":
            named, below = re.findall(key[1:], " ".join(self.words)), ""
        else:
            named, below = ["."], key
        for name in named:
            folders = (
                [name]
                if key[0] in "-$@~"
                else dict.fromkeys(filter(None, (self.folder, self.context.root)))
            )
            for folder in folders:
                yield from self._files_below(self._path(folder), below)

    def _files_below(self, path: str | None, below: str) -> Iterator[str]:
        if path is None:
            return
        before, star, _ = below.partition("*")
        if not star:
            yield os.path.normpath(os.path.join(path, below)) if below else path
            return
        folder = os.path.normpath(os.path.join(path, os.path.dirname(before)))
        pattern, slash, rest = below[before.rfind("/") + 1 :].partition("/")
        for name in self._matching(folder, [pattern])[:MAX_FILES]:
            yield from self._files_below(os.path.join(folder, name), rest if slash else "")

    def _recipes(self) -> Iterator[Piece]:
        kind = self.spec.get("recipes")
        if kind is None:
            return
        given = [word.text for word in self.inv.values(self.spec.get("recipe_options", ()))]
        found = self._recipe_file(given or self.spec.get("recipe_files", ()))
        if found is not None:
            yield from self._targets(kind, *found, *self._wanted(), given=given)
            for inner in self._included(found[1]) if kind == "make" else ():
                yield from self._targets(kind, *inner, *self._wanted(), given=given)
            if self._is_in_workspaces():
                yield from self._workspaces(kind, os.path.dirname(found[0]))
        inside = self.spec.get("recipe_folders", "")
        for word in self.inv.operands if inside else ():
            folder = self._path(word.text.removeprefix("file:"))
            path = os.path.join(folder, self._recipe_name()) if folder else ""
            text = self.follower.read(path, self.context) if "/" in word.text and path else None
            if text is not None:
                yield from self._targets(kind, path, text, tuple(inside.split()), ())

    def _recipe_name(self) -> str:
        return next(iter(self.spec.get("recipe_files", ())), "")

    def _included(self, text: str) -> Iterator[tuple[str, str]]:
        """The Makefiles that a Makefile includes, and those that they do."""
        left = _included(text)
        seen: set[str] = set()
        while left and len(seen) < MAX_FILES:
            name = left.pop(0)
            for path in self._files_below(self.folder, name):
                found = None if path in seen else self.follower.read(path, self.context)
                seen.add(path)
                if found is not None:
                    left += _included(found)
                    yield path, found

    def _is_in_workspaces(self) -> bool:
        words = self.spec.get("recipe_workspaces", ())
        return "" in words or any(word.partition("=")[0] in words for word in self.words[1:])

    def _workspaces(self, kind: str, top: str) -> Iterator[Piece]:
        """The targets in the folders below: which of them is meant depends on their names."""
        targets, variables = self._wanted()
        for one in self.inv.operands if not targets else ():  # `yarn workspace x test`
            targets = (*targets, one.text)
        for below in ("*", "*/*"):
            for path in self._folders(top, below.count("/") + 1):
                file = os.path.join(path, self._recipe_name())
                text = self.follower.read(file, self.context)
                if text is not None:
                    yield from self._targets(kind, file, text, targets, variables)

    def _folders(self, top: str, depth: int) -> list[str]:
        found = [top]
        for _ in range(depth):
            found = [
                os.path.join(one, name)
                for one in found[:MAX_FILES]
                for name in self.follower.names(one, self.context)
                if name[:1] != "." and name != "node_modules" and "." not in name
            ]
        return found

    def _targets(
        self,
        kind: str,
        path: str,
        text: str,
        targets: tuple[str, ...],
        variables: tuple[tuple[str, str], ...],
        *,
        given: Sequence[str] = (),
    ) -> Iterator[Piece]:
        for one in _recipes_of(kind, text, targets, variables):
            yield Piece(
                path,
                _PRINTED.sub(self._printed, one.text) if kind == "make" else one.text,
                one.line,
                folder=os.path.dirname(path) if not given else self.folder,
                is_direct=False,
            )

    def _printed(self, match: re.Match[str]) -> str:
        """Return the short text of a file whose content is a part of a command."""
        path = self._path(match[1])
        text = self.follower.read(path, self.context) if path else None
        return match[0] if text is None or len(text) > _MAX_PRINTED else text.strip()

    def _recipe_file(self, names: Sequence[str]) -> tuple[str, str] | None:
        """Return the nearest of the files, in the folder or above it up to the project."""
        folder = self.folder
        while folder:
            for name in names:
                path = self.context.resolve(name, folder)
                text = self.follower.read(path, self.context) if path else None
                if path and text is not None:
                    return path, text
            if not self.spec.get("recipes_above") or folder in (self.context.root, "/"):
                break
            folder = os.path.dirname(folder)
        return None

    def _wanted(self) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
        """Return the targets and variables that the words ask for."""
        names = [word.text for word in self.inv.operands]
        verbs = self.spec.get("recipe_verbs")
        if verbs is not None:
            run = next((n for n, name in enumerate(names) if name in verbs), None)
            if not names and "" in verbs:
                return tuple(verbs[""].split()), ()
            if run is None:
                return (tuple(names[:1]) if self.spec.get("recipe_any") else ()), ()
            chosen = verbs[names[run]].split() or names[run + 1 : run + 2]
            return tuple(chosen), ()
        home = [["HOME", "=", self.context.home]]
        given = home + [name.partition("=") for name in names if "=" in name]
        targets = tuple(name for name in names if "=" not in name)
        return targets, tuple((name, value) for name, _, value in given)

    def _project_files(self) -> Iterator[Piece]:
        """Files of the project that a program runs by itself: ``conftest.py``."""
        names = self.spec.get("project_files")
        if not names or self.folder is None:
            return
        paths = [self._path(word.text.split("::")[0]) for word in self.inv.operands]
        folders = {self.folder, self.context.root}
        for above in filter(None, paths):
            while is_within(above, self.context.root) and above not in folders:
                folders.add(above)
                above = os.path.dirname(above)  # noqa: PLW2901 - walks up
        program = self.spec.get("project_language", self.inv.program)
        for folder in sorted(folders):
            for name in self._matching(folder, names):
                path = os.path.join(folder, name)
                text = self.follower.read(path, self.context)
                if text is not None:
                    yield from self._file(path, text, program, (), is_direct=False)
        for path in filter(None, paths):
            text = self.follower.read(path, self.context)
            if text is not None:
                yield from self._file(path, text, program, (), is_direct=False)

    def _matching(self, folder: str, names: Sequence[str]) -> list[str]:
        plain = [name for name in names if "*" not in name]
        globs = [compiled(translate(name)) for name in names if "*" in name]
        there = self.follower.names(folder, self.context) if globs else ()
        return [*plain, *(name for name in there if any(one.match(name) for one in globs))]

    def _hooks(self) -> Iterator[Piece]:
        """Hooks of the repository that the subcommand runs, and aliases that it is."""
        hooks = self.spec.get("hooks")
        if hooks is None or self.folder is None or not self.inv.operands:
            return
        verb = self.inv.operands[0].text
        repository = self.context.facts.repository(self.folder)
        if repository is None:
            return
        top, shared = repository
        names = ("config", "config.worktree")
        files = [*(os.path.join(shared, name) for name in names), *self._given_files()]
        texts = self._configurations(files)
        settings = {one.name: one.value for text in texts.values() for one in _settings_in(text)}
        settings.update(self._given_settings())
        settings.update(self._settings_of_the_line())
        for file, text in texts.items():
            yield from self._run_by_settings(file, text, self.spec)
        named = settings.get("core.hookspath") or os.path.join(shared, "hooks")
        for folder in (named, *self.spec.get("hook_folders", ())):
            yield from self._hooks_in(self.context.resolve(folder, top), hooks.get(verb, ()), top)
        origins = {one.name: file for file, text in texts.items() for one in _settings_in(text)}
        yield from self._alias(verb, settings, origins.get(f"alias.{verb.lower()}", files[0]))

    def _configurations(self, files: list[str]) -> dict[str, str]:
        """Return the texts of git's configuration that may run something, with those that they include."""
        given = dict(self._given_settings())
        given.update(self._settings_of_the_line())
        left = [*files]
        if "include.path" in given:
            left.append(self._path(given["include.path"]) or "")
        found: dict[str, str] = {}
        for file in left:
            text = self.context.facts.text(file, _MAX_CONFIG) if file not in found else None
            if text is None or _is_ordinary(text) or len(found) >= _MAX_CONFIGURATIONS:
                continue
            found[file] = text
            for one in _settings_in(text):
                if _INCLUDES.fullmatch(one.name):
                    path = self.context.resolve(one.value, os.path.dirname(file))
                    left += [path] if path else []
        return found

    def _hooks_in(self, folder: str | None, names: Sequence[str], top: str) -> Iterator[Piece]:
        for name in names if folder else ():
            path = os.path.join(folder or "", name)
            text = self.follower.read(path, self.context)
            if text is not None and not _is_binary(text):
                program = _interpreter(text, self.follower.rules) or "sh"
                yield from self._parts(Piece(path, text, 1, program, top, is_direct=False))

    def _given_files(self) -> Iterator[str]:
        """Files of settings that the text puts in the place of the person's."""
        for key in self.spec.get("settings_files", ()):
            yield from self._paths_by(key)

    def _given_settings(self) -> Iterator[tuple[str, str]]:
        for word in self.inv.values(("-c",)):
            name, _, value = word.text.partition("=")
            yield name.lower(), value

    def _settings_of_the_line(self) -> Iterator[tuple[str, str]]:
        """Yield what an earlier command of the text sets: ``git config core.hooksPath h``."""
        for command in self.context.commands:
            words = [word.text for word in command.argv]
            if words[:2] == ["git", "config"] and len(words) > 3:
                yield words[-2].lower(), words[-1]

    def _alias(self, verb: str, settings: dict[str, str], path: str) -> Iterator[Piece]:
        alias = settings.get(f"alias.{verb.lower()}")
        if alias:
            rest = _joined([word.text for word in self.inv.operands[1:]])
            text = f"{alias[1:]} {rest}" if alias[:1] == "!" else f"git {alias} {rest}"
            yield Piece(path, text, 1, folder=self.folder)


def _below_here(text: str) -> str:
    """Return a path in an unknown folder as one in this folder: "$PWD/bin" is, whatever it is called."""
    return f".{text[1:]}" if text[:2] == f"{HOLE}/" else text


def _modules_at(path: str) -> list[str]:
    """Return the files that ``tools.web:app`` may be, and the file itself."""
    folder, _, name = path.partition(":")[0].rpartition("/")
    if name.endswith(".py"):
        return [f"{folder}/{name}"]
    module = f"{folder}/{name.replace('.', '/')}"
    return [f"{module}.py", f"{module}/__init__.py"]


def _installed_program(path: str, rules: Rules) -> str | None:
    """Return the program whose own files include this one, whatever its name."""
    for name, spec in rules.programs.items():
        if "installed" in spec and found_in(spec["installed"], path):
            return name
    return None


@lru_cache(maxsize=256)
def _settings_in(text: str) -> tuple[Setting, ...]:
    from operators_edge.gate import settings  # noqa: PLC0415 - most commands have none

    return tuple(settings.read(text))


_INCLUDES = re.compile(r"include(if\..*)?\.path", re.DOTALL)
_MAX_CONFIGURATIONS = 16
_OF_EVERY_REPOSITORY = re.compile(
    r"(?:\s|\[[^\]]*\]|(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|symlinks"
    r"|precomposeunicode|url|fetch|remote|merge|rebase|name|email|vscode-merge-base)\s*=[^\n]*)*"
)
"""The settings of git that every repository has: they run nothing, and most repositories have no others."""


def _is_ordinary(config: str) -> bool:
    return _OF_EVERY_REPOSITORY.fullmatch(config) is not None


def _joined(words: Sequence[str]) -> str:
    return " ".join(word if HOLE in word else shlex.quote(word) for word in words)


def _shortened(piece: Piece) -> Piece:
    """Return what may do something in a long program."""
    extract = _extract_of(piece.text[:MAX_LONG], piece.program)
    is_whole = extract.is_whole and len(piece.text) <= MAX_LONG
    return piece._replace(text=extract.text, numbers=extract.numbers, is_whole=is_whole)


def _shortened_shell(piece: Piece, rules: Rules, first: int = 0) -> Piece:
    """Return what may do something in a long script after its first characters: lines by themselves."""
    from operators_edge.gate import extracts  # noqa: PLC0415 - few files are that long

    extract = extracts.of_lines(piece.text[:MAX_LONG], rules.words, first=first)
    return piece._replace(text=extract.text, numbers=extract.numbers, is_loose=True)


@lru_cache(maxsize=32)
def _extract_of(text: str, program: str) -> Extract:
    from operators_edge.gate import extracts  # noqa: PLC0415 - few files are that long

    return extracts.of_code(text, program)


def _is_binary(text: str) -> bool:
    return "\0" in text[:1024]


def _interpreter(text: str, rules: Rules) -> str:
    """Return the program that a script's first line names, as the packs call it; "" without one."""
    if not text.startswith("#!"):
        return ""
    words = text[2:].partition("\n")[0].split()
    while words and (words[0].endswith("/env") or words[0].startswith("-") or "=" in words[0]):
        words = words[1:]
    if not words:
        return ""
    inv = invocation_of(Command((Word(words[0]),)), rules)
    return inv.program


@lru_cache(maxsize=256)
def _recipes_of(
    kind: str, text: str, targets: tuple[str, ...], variables: tuple[tuple[str, str], ...]
) -> tuple[Recipe, ...]:
    from operators_edge.gate import recipes  # noqa: PLC0415 - most commands have none

    return tuple(recipes.READERS[kind](text, recipes.Wanted(targets, dict(variables))))


def _included(text: str) -> list[str]:
    from operators_edge.gate import recipes  # noqa: PLC0415 - most commands have none

    return recipes.included(text)[:MAX_FILES]


def _loaded(pattern: str, code: str) -> list[str]:
    """Return the modules that code names; a second group holds what it takes from the first one."""
    found: list[str] = []
    for one in re.findall(pattern, code):
        module, *rest = filter(None, one) if isinstance(one, tuple) else (one,)
        found += re.split(r"\s*,\s*", module)
        dot = "" if module.endswith(".") else "."
        found += [f"{module}{dot}{name}" for name in re.findall(r"\w+", " ".join(rest))]
    return found


def runs_later(path: str, rules: Rules) -> str:
    """Return the format of a file that runs without another look of the gate; "" for any other file."""
    return next((one["format"] for one in rules.later if found_in(one["path"], path)), "")


# -- what a piece starts ---------------------------------------------------------------------------


class Started(NamedTuple):
    """A shell text that code runs, and the position of the call in the code."""

    text: str
    position: int


@lru_cache(maxsize=256)
def parsed(
    text: str, home: str, arguments: tuple[str, ...], assigned: tuple[tuple[str, str], ...]
) -> Script:
    """The commands of a shell text in a file; kept, because the same files run again and again."""
    env = {"HOME": home, **dict(assigned)} if home else dict(assigned)
    return parse(text, env=env, arguments=arguments, is_program=True)


@lru_cache(maxsize=256)
def started_by_code(program: str, option: str, text: str) -> tuple[Started, ...]:
    """What code in a file starts or deletes, as shell texts."""
    if has_commands_of_its_own(program):
        inner = find_embedded(program, (Word(program),), text)
        texts = [one.text.text for one in inner if one.text is not None]
        return tuple(Started(run, _position(text, (run,))) for run in texts)
    if program not in INTERPRETERS or not _may_start(text):
        return ()
    from operators_edge.shell.interpreters import find_calls  # noqa: PLC0415 - most files hold no such code

    found = []
    for call in find_calls(program, _arguments(program, option, text), None):
        run = call.text if call.text is not None else _joined(call.words)
        found.append(Started(run, _position(text, call.words or (call.text or "",))))
    return tuple(found)


def _arguments(program: str, option: str, text: str) -> tuple[str, ...]:
    """Return the words with which a program would be given its file's text."""
    if program == "sed":
        return (program, *text.split("\n"))
    return (program, option, text)


_STARTS = re.compile(
    r"(?i)system|popen|subprocess|spawn|exec|unlink|rmtree|remove|rmdir|\brm|kill|`|%x|qx|delete|truncate|open"
    r"|\bcommand\b"
)


def _may_start(text: str) -> bool:
    return _STARTS.search(text) is not None


def _position(text: str, words: Sequence[str]) -> int:
    """Return where a call is, by the longest of its words that the code spells out; else the beginning."""
    parts = [part for word in words for part in word.split(HOLE)]
    for part in sorted(parts, key=len, reverse=True):
        at = text.find(part) if len(part) > 1 else -1
        if at >= 0:
            return at
    return 0


# end of module
