"""What a command runs from disk: its script, the targets of its Makefile, hooks, plugins, imported modules.

Owns finding these files by the program's table in the packs, the bounds on reading them, and what each of
them starts. Pure but for ``Facts``. Does not own the formats (``gate.disk.recipe_formats``,
``shell.code.languages``), nor what a finding in a file means (``gate.pieces``).
"""

from __future__ import annotations

import os.path

from operators_edge.gate.disk.search import (
    MAX_FILE,
    MAX_FILES,
    MAX_LONG,
    Piece,
    Search,
    below_here,
    interpreter,
    is_binary,
    shortened,
)
from operators_edge.gate.invocation import invocation_of
from operators_edge.locations import is_within
from operators_edge.model import FollowedFile
from operators_edge.shell.code.languages import INTERPRETERS
from operators_edge.shell.commands import HOLE, SOURCING, Command, Word, may_source, quoted
from operators_edge.system.digest import sha256_hex
from operators_edge.text.patterns import found_in, found_in_file, pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.gate.arrivals import Arrival
    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext
    from operators_edge.gate.rules import Rules

MAX_TOTAL = 2 * 1024 * 1024
"""Characters that are read for one call, of each file at most ``MAX_FILE``."""
MAX_WORK = 96 * 1024
"""Characters of what is judged for one call: about a quarter of a second."""
PIECE_WORK = 96
"""What a piece costs besides its text: many short ones take as long as a long one."""
MAX_SEARCHED = 1536 * 1024
"""Characters of whole programs that are searched for one call: each of its commands that runs one counts."""
MAX_DEPTH = 8
"""Files that run files."""
MAX_REPEATS = 2
"""How often a file runs in itself, as ``configure`` does in another shell."""
MAX_LISTED = 1_000
"""Names in a folder of modules; in a larger one every name is tried."""


class Follower:
    """Reads files for one call, each piece once, within the bounds."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._seen: set[tuple[object, ...]] = set()
        self._total = self._work = self._long = self._searched = 0
        self.count = 0
        """How many pieces were yielded."""
        self.files: dict[str, FollowedFile] = {}
        self.texts: dict[str, str] = {}
        self._missing: set[str] = set()
        self._listed: dict[str, frozenset[str] | None] = {}
        self._packages: dict[str, bool] = {}
        self.valued: dict[tuple[str, str, str | None], str] = {}
        """Code of files with the values that it has from settings: of each suite's modules many times."""
        self.unfollowed: dict[str, int] = {}
        """Folders of tests → how many tests of them could not be followed."""
        self.quiet: dict[Command, tuple[str, ...]] = {}
        """Commands that run a program of which all is known, and nothing acts on anything but files."""
        self.starting: dict[Command, tuple[str, ...]] = {}
        """Commands that run such a program, which may start others as well."""
        self.compiled: tuple[list[Command], int, dict[str, list[Invocation]]] = ([], 0, {})
        """The commands of which it is known what they compile, how many, and which by what they make."""

    def again(self) -> Follower:
        """Return one for the same call that has read the same files, and found nothing yet."""
        other = Follower(self.rules)
        other.texts, other.files = self.texts, self.files
        return other

    def pieces(self, inv: Invocation, context: CallContext, depth: int) -> Iterator[Piece]:
        """Yield what the command runs from disk; nothing for a command on another machine."""
        if inv.command.is_remote or not inv.command.argv:
            return
        if inv.is_help() and not _may_lie(inv, context):
            return
        is_code = any(step.startswith("python") for step in inv.command.through)
        search = _Files(self, inv, context, is_nested=depth > (0 if is_code else 1))
        is_possible = depth <= MAX_DEPTH and self._work < MAX_WORK
        for piece in search.pieces() if is_possible else search.unread():
            if piece.is_shell and _MAY_LIST.search(piece.text):
                from operators_edge.gate.disk import listed_loops  # noqa: PLC0415 - few scripts list files

                piece = listed_loops.with_names(search, piece)  # noqa: PLW2901 - with what it lists
            key = key_of(piece, context)
            context.judged.note_run(inv.command, piece, key, context.position)
            if key in self._seen and key not in context.judged.placed:
                continue
            self._seen.add(key)
            self.count += 1
            if context.around.count((*piece[:2], piece.arguments)) >= MAX_REPEATS:
                piece = piece._replace(text="", is_whole=False)  # noqa: PLW2901 - it is not read again
            within = self._within_bounds(piece)
            if within.text or not piece.text or self._is_new_unread(within, context):
                yield within
            if is_possible and self._work >= MAX_WORK:
                return  # what follows would not be read either

    def _is_new_unread(self, piece: Piece, context: CallContext) -> bool:
        """Whether nothing of a program was said to be unread before: once is enough for all of it."""
        key = ("unread", piece.path, piece.program, piece.is_direct, context.state)
        is_new = key not in self._seen
        self._seen.add(key)
        return is_new

    def was_yielded(self, piece: Piece, context: CallContext) -> bool:
        """Whether the same piece was yielded before: it is judged once."""
        return key_of(piece, context) in self._seen

    def _within_bounds(self, piece: Piece) -> Piece:
        """Return the piece, or what may do something in it, as far as there is time to judge it."""
        if self._work + len(piece.text) > MAX_WORK and not piece.is_shell and not piece.numbers:
            piece = shortened(piece)
        if self._work + len(piece.text) > MAX_WORK:
            piece = piece._replace(text="", is_whole=False)
        self._work += len(piece.text) + PIECE_WORK
        return piece

    def exists(self, path: str, context: CallContext) -> bool:
        """Whether a program is at the path, or will be; a link to a package's own file does not count."""
        if path in context.written_texts or path in context.copies:
            return True
        real = context.real(path)
        if real != path and not is_within(real, context.root):
            return True
        return context.facts.size(path) is not None and real == path

    def is_package(self, context: CallContext) -> bool:
        """Whether the project is a package of Python; each unknown program asks."""
        if context.root not in self._packages:
            self._packages[context.root] = bool(
                context.facts.size(f"{context.root}/pyproject.toml")
            )
        return self._packages[context.root]

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
        listed, stem = self._listed[folder], name.partition(".")[0]
        if listed is None or stem in listed:
            return True
        start = os.path.join(folder, stem)
        return any(  # it is brought
            f"{one.place}."[: len(start) + 1] in (f"{start}.", f"{start}/")
            for one in context.arrivals
        )

    def note(self, path: str, text: str) -> None:
        digest = sha256_hex(text.encode("utf-8", "surrogateescape"))
        self.files[path] = FollowedFile(path, digest)

    def read(self, path: str, context: CallContext) -> str | None:
        """Return the text of a file, as the call's own text leaves it; None if there is none to read."""
        text = self._read(path, context)
        text = text and text.removeprefix("\ufeff")  # which make, npm and interpreters skip
        added = context.appended.get(path)
        if added is None or (text and is_binary(text)):
            return text
        return f"{(text or '').rstrip()}\n{added}".lstrip("\n")

    def _read(self, path: str, context: CallContext) -> str | None:
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
        if len(text) > MAX_FILE and not is_binary(text):
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

    def unseen(self, path: str, context: CallContext, beside: str = "") -> str:
        """Return the program that puts a file there whose text cannot be known; "" if there is none.

        If a program looks ``beside`` others for it, what is put somewhere around is not taken for it, unless
        all of the folder comes from there.
        """
        for one in reversed(context.arrivals):
            is_file = one.place == path
            is_below = is_within(path, one.place)
            is_below &= (context.facts.size(path) is None) != one.changes
            if is_below and beside and is_within(beside, one.place):
                is_below = context.facts.names(one.place) is None
            is_below &= not one.is_file
            if one.kind == "unseen" and (is_file or is_below):
                return one.program
            if one.kind != "unseen" and is_file:
                return ""
        return ""

    def may_search(self, size: int) -> bool:
        """Whether there is time to search a program of so many characters; note that it is searched."""
        is_allowed = not self._searched or self._searched + size <= MAX_SEARCHED
        self._searched += size if is_allowed else 0
        return is_allowed

    @property
    def is_full(self) -> bool:
        return len(self.texts) >= MAX_FILES or self._total >= MAX_TOTAL


def _may_lie(inv: Invocation, context: CallContext) -> bool:
    """Whether the program is a file that git does not hold: what it does with ``--help`` is not known."""
    name = inv.command.argv[0].text
    path = context.resolve(name, inv.working_folder(context)) if "/" in name else None
    return path is not None and not context.is_held(path)


def inside(piece: Piece, context: CallContext) -> CallContext:
    """The context of a piece that a command runs."""
    within = context.inside(piece.folder, piece.text, piece.stand_ins)
    is_plain = piece.is_shell and piece.is_whole and not context.is_changed(piece.path)
    within.is_awaited = piece.is_awaited and is_plain and _PLAIN_START.match(piece.text) is not None
    within.is_program = not piece.is_sourced
    within.key = key_of(piece, context)
    return within


def key_of(piece: Piece, context: CallContext) -> tuple[object, ...]:
    """What a piece is known by: it is judged once, unless its place counts."""
    return (
        *piece[:2],
        piece.line,
        piece.arguments,
        piece.folder,
        piece.program,
        piece.unseen,
        piece.inside,
        piece.assigned,
        context.container,
        context.state,
        _changed(piece, context) if context.copies or context.appended else (),
    )


def _changed(piece: Piece, context: CallContext) -> tuple[object, ...]:
    """The files that are others than on the disk, if a text may source them."""
    is_sourcing = piece.is_shell and may_source(piece.text)
    return (*context.copies.items(), *context.appended.items()) if is_sourcing else ()


_MAY_LIST = pattern(r"[*?]|\bfind[ \t]|\beval[ \t]|<\(")
"""Without one of these, a script lists no files that it runs."""
_OF_FOLDER = {"python": "__main__.py", "node": "index.js"}
"""The file that an interpreter runs of a folder."""
_FUNCTION = pattern(r"(?m)^[ \t]*(?:function[ \t]+)?([\w:-]+)[ \t]*(?:\([ \t]*\)|\{)")
_READS_FIRST = pattern(r"(?:zsh|fish)\b|\w*sh -[il]")
"""Shells that read files of the person first."""
_WAITS = pattern(
    r"(?s)\b(while|until|sleep|inotifywait|fswatch)\b.*(?<![&>|])&(?![&>])|\b(nohup|setsid)\b.*\bsleep\b"
)
_PLAIN_START = pattern(r"(?!#!)|#![ \t]*(?:/[\w.-]+)*/(?:env[ \t]+)?(?:ba|da|k|z|a)?sh[ \t]*\r?\n")
"""How a script begins that a shell runs as it is: an option may have it run nothing."""
_MAX_WAIT = 400
"""Characters around a command in which a file that git holds waits for the one that it runs."""
_RUNS_PACKAGES = frozenset(("npx", "npm exec", "pnpm exec", "pnpm dlx", "yarn exec", "bunx", "npm"))


class _Files(Search):
    """The files of one command; ``is_nested``: a program runs it, or a file that another file runs."""

    def __init__(
        self, follower: Follower, inv: Invocation, context: CallContext, *, is_nested: bool = False
    ) -> None:
        super().__init__(follower, inv, context)
        self.is_nested = is_nested

    def pieces(self) -> Iterator[Piece]:
        if self.context.arrivals:
            yield from self._unseen()
        yield from self._program() if self.spec else self._unknown_program()
        codes = self.inv.codes
        for word in codes:
            yield from self.local_modules(self.folder or "", word.text, self.inv.program)
        if not codes:
            yield from self._script()
        if any(_READS_FIRST.match(step) for step in self.inv.command.through):
            from operators_edge.gate.disk import definitions  # noqa: PLC0415 - for few shells

            yield from definitions.Startup(self).pieces()
        yield from self._loose_code()
        yield from self._folder_scripts()
        yield from self.preloads()
        if "recipes" in self.spec:
            from operators_edge.gate.disk import targets  # noqa: PLC0415 - most commands have none

            yield from targets.Targets(self).pieces()
        yield from self._project_files()
        if "command_files" in self.spec or self.context.variables:
            from operators_edge.gate.disk import command_files  # noqa: PLC0415 - most commands have none

            yield from command_files.CommandFiles(self).pieces()
        if "loads_app" in self.spec:
            yield from self._app(self.spec["loads_app"])
        if "aliases" in self.spec:
            from operators_edge.gate.disk import program_aliases  # noqa: PLC0415 - few programs have some

            yield from program_aliases.Aliases(self).pieces()
        if "hooks" in self.spec and self.inv.operands:
            from operators_edge.gate.disk import git_hooks  # noqa: PLC0415 - most commands have none

            yield from git_hooks.Hooks(self).pieces()

    def _app(self, kind: str) -> Iterator[Piece]:
        """What the command runs of an application that the project names."""
        if kind == "flask":
            from operators_edge.gate.disk import flask_apps  # noqa: PLC0415 - for one program

            yield from flask_apps.App(self).pieces()
            return
        from operators_edge.gate.disk import python_programs  # noqa: PLC0415 - as above

        start = python_programs.django_admin(self)
        if start is not None:
            piece = Piece(start.path, start.text, program="python", folder=self.folder)
            yield from self.left_of(start, piece)

    def _unseen(self) -> Iterator[Piece]:
        """Yield the script that the command names, if what it will hold cannot be known."""
        base = self.context.absolute_folder(self.inv.command.cwd)
        script = self.inv.script_words()[:1] if self.spec.get("script") else ()
        named = [(word.text, self.folder, self.inv.program) for word in script]
        if "/" in self.words[0]:
            named.append((self.words[0], base, "sh"))
        is_code = self.inv.program in INTERPRETERS
        loaded = self.inv.values(self.spec.get("preloads", ())) if is_code else []
        named += [(word.text, base, "sh") for word in loaded]
        for name, folder, program in named:
            path = self.context.resolve(below_here(name), folder)
            places = [path] if path else []
            if (fetched := self._fetched_around(name)) is not None:
                yield Piece(fetched.place, "", 0, program, folder, unseen=fetched.program)
            if path and program in _OF_FOLDER and self.follower.read(path, self.context) is None:
                places.append(os.path.join(path, _OF_FOLDER[program]))
            for one in places:
                if origin := self.follower.unseen(one, self.context):
                    yield Piece(one, "", 0, program, folder, unseen=origin)
                    break
        if "/" not in self.words[0] and "PATH" in self.context.text:
            for fetched in self.context.arrivals:
                if fetched.kind == "unseen" and os.path.basename(fetched.place) == self.words[0]:
                    yield Piece(fetched.place, "", 0, "sh", base, unseen=fetched.program)

    def _fetched_around(self, name: str) -> Arrival | None:
        """What was fetched into the folder of a file of which a part of the path is not known."""
        whole = os.path.join(self.inv.command.cwd or "", below_here(name))
        start, hole, _ = whole.partition(HOLE)
        place = self.context.resolve(os.path.dirname(start) or ".", self.context.root)
        if not hole or not start or place is None:
            return None
        unseen = [one for one in reversed(self.context.arrivals) if one.kind == "unseen"]
        return next(
            (one for one in unseen if is_within(place, one.place) or one.place == whole), None
        )

    def unread(self) -> Iterator[Piece]:
        """Yield the script that the command names, unread: it is run by too many others."""
        for piece in (*self._program(), *self._script()):
            if piece.is_direct:
                yield piece._replace(text="", is_whole=False)
                return

    def _unknown_program(self) -> Iterator[Piece]:
        """A program of the project's own, or one that may run its words."""
        own = list(self._program())
        if "/" not in self.words[0]:
            own += self._entry_point()
        yield from own
        if not own and len(self.words) > 1:
            from operators_edge.gate.disk import passed_commands  # noqa: PLC0415 - for unknown programs

            yield from passed_commands.PassedCommands(self).pieces()

    def _program(self) -> Iterator[Piece]:
        """A program that is named by its path: a script by its first line, or a copy of a known program."""
        base = self.context.absolute_folder(self.inv.command.cwd)
        path = self._program_path(self.words[0], base)
        if path is None:
            return
        name = self._disguised(self.context.copies.get(path, path))
        if name:
            yield Piece(path, quoted([name, *self.words[1:]]), 0, folder=base)
            return
        if not self._is_ours(path):
            return
        text = self.follower.read(path, self.context)
        if text is None or is_binary(text):
            yield from self._compiled(path)
            return
        if self.context.is_loose:
            from operators_edge.gate.disk import unrun_files  # noqa: PLC0415 - most files are read

            if unrun_files.cannot_be_started(self, path, text):
                return
        arguments = tuple(self.words)
        program = interpreter(text, self.follower.rules) or "sh"
        for piece in self.file(path, text, program, arguments):
            yield piece._replace(is_awaited=piece.path == path)
        read_as = self.follower.rules.programs.get(program, {}).get("command_files", {})
        if "program" in read_as.get("@0", "").split():
            from operators_edge.gate.disk import whole_programs  # noqa: PLC0415 - for some languages

            yield from whole_programs.WholeProgram(self).pieces([(path, text)])

    def _compiled(self, path: str) -> Iterator[Piece]:
        """What a program does that a command before this one compiles."""
        from operators_edge.gate.disk import built_programs  # noqa: PLC0415 - few programs are

        sources = list(built_programs.BuiltPrograms(self).sources(path))
        if sources:
            from operators_edge.gate.disk import whole_programs  # noqa: PLC0415 - as above

            yield from whole_programs.WholeProgram(self).pieces(sources)

    def _entry_point(self) -> Iterator[Piece]:
        """A script of the project's own package: ``uv run NAME``."""
        is_run = any(one.endswith(" run") for one in self.inv.command.through)
        if not is_run and not self.follower.is_package(self.context):
            return
        from operators_edge.gate.disk import python_programs  # noqa: PLC0415 - few programs are one

        start = python_programs.entry_point(self)
        if start is not None:
            piece = Piece(start.path, start.text, program="python", folder=self.folder)
            yield from self.left_of(start, piece)

    def _program_path(self, name: str, base: str | None) -> str | None:
        """Return where the program is: named by its path, or in a folder that the text puts first."""
        if "/" in name:
            return self.context.resolve(below_here(name), base)
        given = self.context.values_by_name().get("PATH", ())
        folders = [one for text in given for one in text.split(":")]
        if _RUNS_PACKAGES.intersection(self.inv.command.through) or self.context.is_in_package:
            folders.append("node_modules/.bin")
        for folder in filter(None, folders):
            path = self.context.resolve(os.path.join(below_here(folder), name), base)
            known = path is not None and self._is_ours(path)
            if path and known and self.follower.exists(path, self.context):
                return path
        return None

    def _loose_code(self) -> Iterator[Piece]:
        """Code on the line in a language that is only searched for calls."""
        if "code_loose" not in self.spec:
            return
        from operators_edge.gate.disk.targets import recipes_of  # noqa: PLC0415 - few programs have any
        from operators_edge.shell.code.deleted_paths import deletions  # noqa: PLC0415 - as above

        texts = [word.text for word in self.inv.values(self.spec["code_loose"])]
        if not texts and [word.text for word in self.inv.operands] in ([], ["-"]):
            texts = [self.inv.command.stdin or ""]
        for text in texts:
            runs = [one.text for one in recipes_of("source", text, (), ())]
            runs += [act.command for act in deletions([text.replace(";", "\n")])]
            for run in dict.fromkeys(runs):
                piece = Piece("", run, 0, folder=self.folder, is_direct=False)
                yield piece._replace(is_loose=True)

    def _folder_scripts(self) -> Iterator[Piece]:
        """The files in a folder that a program runs one by one: ``run-parts``."""
        for word in self.inv.operands if self.spec.get("script_folder") else ():
            folder = self.path(word.text)
            names = self.follower.names(folder, self.context) if folder else ()
            for name in names:
                path = os.path.join(folder or "", name)
                text = self.follower.read(path, self.context)
                if text is not None and not is_binary(text):
                    program = interpreter(text, self.follower.rules) or "sh"
                    yield from self.file(path, text, program, (path,))

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
        takes_script = bool(self.spec.get("script"))
        if takes_script:
            yield from self._script_on_input(operands)
        yield from self._named_modules()
        if takes_script and operands:
            yield from self._script_file(operands[0])

    def _script_on_input(self, operands: list[Word]) -> Iterator[Piece]:
        names_input = bool(operands) and operands[0].text in ("-", "/dev/stdin", "/dev/fd/0")
        flags = self.inv.flags if self.inv.program == "sh" else ()
        has_arguments = any(flag.name == "-s" for flag in flags)
        if has_arguments or names_input or not operands:
            yield from self._input(operands if has_arguments else operands[1:])

    def _script_file(self, script: Word) -> Iterator[Piece]:
        """The first file that the name may mean; ``script_endings`` are tried after it."""
        at = next((n for n, word in enumerate(self.inv.command.argv) if word is script), 1)
        arguments = tuple(self.words[at:])
        is_sourced = self.words[0] in SOURCING
        if is_sourced and len(arguments) == 1 and self._has_other_words():
            arguments = ()
        for path in map(self.path, (script.text + one for one in self._script_endings())):
            if not path or (is_sourced and path in self.context.sourced):
                continue  # what it defines is known where it is used
            name = _installed_program(self.context.real(path), self.follower.rules)
            if name:
                yield Piece(path, quoted([name, *arguments[1:]]), 0, folder=self.folder)
                return
            text = self.follower.read(path, self.context)
            if text is not None and not is_binary(text, self.inv.program):
                for piece in self.file(path, text, self.inv.program, arguments):
                    is_awaited = piece.path == path and not is_sourced and not self.inv.flags
                    yield piece._replace(is_sourced=is_sourced, is_awaited=is_awaited)
                yield from self._called_functions(path, text, arguments)
                return
        path = self.path(script.text)
        if path and self.inv.program == "sh" and self._is_written_later(path):
            yield Piece(path, HOLE, 0)

    def _has_other_words(self) -> bool:
        """Whether the shell that sources a file may have words, which are the file's then."""
        is_inside = any(one.endswith(" -c") for one in self.inv.command.through)
        return is_inside or any(
            one.argv and one.argv[0].text == "set" and len(one.argv) > 1
            for one in self.context.commands
        )

    def _script_endings(self) -> list[str]:
        return self.spec.get("script_endings", [""])

    def _called_functions(
        self, path: str, text: str, arguments: tuple[str, ...]
    ) -> Iterator[Piece]:
        """Functions of a file that is sourced, as the commands around it call them."""
        defined = set(_FUNCTION.findall(text)) if self.words[0] in SOURCING else set()
        for command in self.context.commands if defined else ():
            words = [word.text for word in command.argv]
            if words and words[0] in defined:
                called = f"{text.rstrip()}\n{quoted(words)}\n"
                piece = Piece(path, called, folder=self.folder, arguments=(path, *arguments[1:]))
                yield piece._replace(is_sourced=True)
        if "alias" in text:
            yield from self._called_aliases(path, text)

    def _called_aliases(self, path: str, text: str) -> Iterator[Piece]:
        """Aliases of a file that is sourced, as the commands around it use them, if their shell does so."""
        from operators_edge.gate.disk import definitions  # noqa: PLC0415 - few commands source an alias

        is_set = "expand_aliases" in self.context.text
        for command in self.context.commands:
            if is_set or definitions.is_interactive(command.through):
                folder = self.context.absolute_folder(command.cwd)
                words = [word.text for word in command.argv]
                called = definitions.call_of_alias(path, text, words, folder)
                yield from () if called is None else (called,)

    def _is_written_later(self, path: str) -> bool:
        """Whether a text that waits in the background runs a file that is not there yet."""
        if self.context.facts.size(path) is not None or path in self.context.written_texts:
            return False
        if not found_in_file(_WAITS.pattern, self.context.text):
            return False
        files = [one[0] for one in self.context.around[-1:]]
        if not files or not self.context.is_held(files[0]):
            return True
        begin, end = self.inv.command.span
        beside = self.context.text[max(0, begin - _MAX_WAIT) : end + _MAX_WAIT]
        return _WAITS.search(beside) is not None

    def _input(self, given: list[Word]) -> Iterator[Piece]:
        """A file that the program reads as a script on its standard input; ``given`` are its arguments."""
        from operators_edge.gate.given_texts import feeding_files  # noqa: PLC0415 - few scripts come so

        arguments = (self.words[0], *(word.text for word in given))
        for word in feeding_files(self.inv.command, self.context):
            path = self.context.resolve(word.text, self.context.cwd)
            text = self.follower.read(path, self.context) if path else None
            if path and text is not None and not is_binary(text, self.inv.program):
                for piece in self.file(path, text, self.inv.program, ()):
                    yield piece._replace(arguments=arguments) if piece.path == path else piece

    def _named_modules(self) -> Iterator[Piece]:
        """``python -m tools.build``: a module of the project."""
        for word in self.inv.values(self.spec.get("modules", ())):
            endings = [*self.spec.get("load_endings", ()), *self.spec.get("script_endings", ())]
            found: dict[str, str] = {}
            # A package that is installed from its folder may be in ``src``.
            for folder in (self.folder, f"{self.folder}/src") if self.folder else ():
                for ending in () if found else endings:
                    found |= dict(self.loaded(word.text, folder, [ending]))
            for path, text in found.items():
                unseen = self.unseen_piece(path, self.inv.program)
                if unseen is not None:
                    yield unseen
                else:
                    yield from self.file(path, text, self.inv.program, tuple(self.words))

    def preloads(self) -> Iterator[Piece]:
        """Files that an option has it run first: ``node -r ./x.js``, ``bash --rcfile x``, ``perl -MX``."""
        program = self.spec.get("project_language", self.inv.program)
        language = self.follower.rules.programs.get(program, {})
        for word in self.inv.values(self.spec.get("preloads", ())):
            name = word.text.lstrip("-").split("=")[0]
            path = self.path(name)
            text = self.follower.read(path, self.context) if path else None
            found = (path, text) if path and text is not None else None
            endings = ["", *language.get("load_endings", ())]
            found = found or self.module(name, self.folder or "", endings)
            found = found or self.module(name, self.folder or "", endings[1:])
            unseen = self.unseen_piece(found[0], program) if found is not None else None
            if unseen is not None:
                yield unseen
            elif found is not None:
                is_plugin = self.inv.program == "pytest"  # which has hooks that are called
                yield from self.file(*found, program, (), is_direct=not is_plugin)

    def _project_files(self) -> Iterator[Piece]:
        """Files of the project that a program runs by itself: ``conftest.py``."""
        names = self.spec.get("project_files")
        if not names or self.folder is None:
            return
        from operators_edge.gate.disk import suite_files  # noqa: PLC0415 - for runners of tests

        program = self.spec.get("project_language", self.inv.program)
        brought = suite_files.brought(self, names) if self.context.arrivals else {}
        for path, origin in brought.items():
            yield Piece(path, "", 0, program, self.folder, unseen=origin)
        for path in suite_files.paths(self, names, runs_all=not self.is_nested):
            text = self.follower.read(path, self.context) if path not in brought else None
            if text is not None:
                yield from self.file(path, text, program, (), is_direct=False)


def preloads(follower: Follower, inv: Invocation, context: CallContext) -> Iterator[Piece]:
    """Yield what the options of a command have it load first."""
    return _Files(follower, inv, context).preloads()


def _installed_program(path: str, rules: Rules) -> str | None:
    """Return the program whose own files include this one, whatever its name."""
    return next((name for name, pattern in rules.installed if found_in(pattern, path)), None)


def runs_later(path: str, rules: Rules) -> str:
    """Return the format of a file that runs without another look of the gate; "" for any other file."""
    return next((one["format"] for one in rules.later if found_in(one["path"], path)), "")


# end of module
