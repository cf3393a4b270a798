"""The search for the files of one command, and the pieces that are found.

Owns how a path, a module or a pattern of names is looked for from where a command runs, and what is judged of
a long file. Does not own which files a program runs (``gate.disk.follow``, ``gate.disk.targets``,
``gate.disk.command_files``, ``gate.disk.git_hooks``). Pure but for ``Facts``.
"""

from __future__ import annotations

import os.path
import re
from fnmatch import translate
from functools import lru_cache

from operators_edge.gate.invocation import invocation_of
from operators_edge.shell.code.languages import INTERPRETERS, NODE, PYTHON
from operators_edge.shell.commands import HOLE, Command, Word
from operators_edge.shell.runners import fill
from operators_edge.text.patterns import compiled, found_in, pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from operators_edge.gate.disk.extracts import Extract
    from operators_edge.gate.disk.follow import Follower
    from operators_edge.gate.disk.settings import Setting
    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.own.container_runs import Inside
    from operators_edge.gate.paths import CallContext
    from operators_edge.gate.prefilter import TriggerWords
    from operators_edge.gate.rule_types import Program
    from operators_edge.gate.rules import Rules
    from operators_edge.shell.code.languages import Language
    from operators_edge.shell.code.node_stand_ins import StandIns
    from operators_edge.shell.code.python.trace import Start

MAX_FILES = 200
"""Files that are read for one call."""
MAX_FILE = 64 * 1024
"""Characters of one file that are judged, as of one command text. Of a longer one, what may do something."""
MAX_LONG = 4 * 1024 * 1024
"""Characters that are read of all files longer than that."""


_MAX_LINKED = 640 * 1024
"""Characters of all definitions that the files of one program are read with: about a second."""
_LEAST_BESIDE = 4 * 1024
_MAX_BELOW = 8
"""Folders in folders, for ``**`` in the name of a file."""
_PRELOADS = frozenset(("NODE_OPTIONS", "RUBYOPT", "PHPRC", "PHP_INI_SCAN_DIR", "SPEC_OPTS"))
_NODE_OPTIONS = pattern(r"(?i)node[-_]options")
_MAX_SETTINGS = 16 * 1024
_MAY_BE_LOCAL = pattern(
    r"\bapi_?[bB]ase\b|\bdelivery_method\b|\b(?:host|baseUrl)['\"]?\s*:\s*['\"]"
)
"""Settings of clients that may have them reach this machine alone."""
_ENDINGS = ("", ".js", ".cjs", ".mjs", ".ts", ".rb", ".php")
_LINKED = frozenset(("node", "ruby", "perl", "php"))
"""Languages whose files are read with what the others of the program define."""
_PACKAGE = "/__init__.py"
"""The ending of a package's own file in Python."""


class Piece(NamedTuple):
    """A text that runs from a file: shell, or code in the language of ``program``.

    ``line`` is the number of its first line in the file. ``folder`` is where it runs; None if unknown.
    ``arguments`` are the positional parameters from ``$0`` on. ``is_direct``: the command names the file, so
    the agent that wrote it runs it knowingly; an imported module is not. ``is_whole`` is False for a file
    of which a part is not judged. ``is_loose``: its format is not read, so it may not run at all.
    ``numbers`` are those of its lines, if it is put together from parts of the file. ``unseen`` is the
    program that puts the file there, if what it holds cannot be known. ``beside`` is what the other files of
    the program define, with a HOLE if the line changes one of its files; ``is_loaded``: this is such a file,
    of a program that the command names.
    ``is_followed``: it is what is left of a program, all of which is known. ``inside`` is the container that
    it runs in. ``is_sourced``: it runs in the shell of the command. ``stand_ins`` are programs that it puts
    others in the place of. ``unless_held``: it does not count if git holds these files as they are, because
    what is left of their program stands for it. ``is_awaited``: the command surely runs it, and succeeds only
    if it does.
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
    beside: str = ""
    is_loaded: bool = False
    is_followed: bool = False
    is_sourced: bool = False
    stand_ins: tuple[str, ...] = ()
    inside: Inside | None = None
    unless_held: tuple[str, ...] = ()
    is_awaited: bool = False

    @property
    def is_shell(self) -> bool:
        return self.program == "sh"


class Search:
    """A command, and the looking for files from where it runs."""

    def __init__(self, follower: Follower, inv: Invocation, context: CallContext) -> None:
        self.follower = follower
        self.inv = inv
        self.spec = inv.spec
        self.context = context
        self.folder = inv.working_folder(context)
        self.words = [word.text for word in inv.command.argv]
        self.plugins: set[str] = set()
        """Files that a file of tests has had loaded so far."""
        self.loaded_modules = {""}
        """Modules that were yielded already: other files of the command load the same ones."""
        self.named_folders: dict[str, None] = {}
        """Folders of modules that code has named so far."""
        self.loading = ""
        """The file whose modules are looked for."""

    def environment(self) -> tuple[tuple[str, str], ...]:
        """The variables that what the command runs gets."""
        given = self.inv.command.environment
        names = [word.partition("=")[2] for word in self.words if word.startswith("--env-file")]
        return tuple({**self._far(filter(None, names)), **given}.items())

    def _far(self, names: Iterable[str]) -> dict[str, str]:
        """What of the variables of files leads to another machine: whether all are taken is not known."""
        from operators_edge.shell.code.addresses import is_elsewhere  # noqa: PLC0415 - few commands have any

        given = self.variables_of_files(map(self.path, names))
        far = [(key, value) for key, value in given if is_elsewhere(value, key)]
        return dict(reversed(far))  # the first one of a name counts

    def _environment_of(self, code: str) -> tuple[tuple[str, str], ...]:
        """The same for code that gives what it starts the variables of ``.env``."""
        given = self.environment()
        if "dotenv" not in code.lower() or not _LOADS_ENV.search(code):
            return given
        return tuple({**self._far([".env"]), **dict(given)}.items())

    def variables(self) -> list[tuple[str, str]]:
        """What the line sets, exported or not, and then what the command has of its own."""
        own = [(name, word.text) for name, word in self.inv.command.assigns]
        return [*self.context.variables, *own]

    def variables_of_files(
        self, paths: Iterable[str | None], *, is_of_compose: bool = False
    ) -> Iterator[tuple[str, str]]:
        """Yield the variables of such files as ``.env``; in a file the last one of a name counts."""
        from operators_edge.shell.code.addresses import variables_in  # noqa: PLC0415 - for few commands

        for path in paths:
            text = self.follower.read(path, self.context) if path else None
            yield from variables_in(text or "", is_of_compose=is_of_compose)

    def variables_of(self, names: Iterable[str], folders: Iterable[str]) -> dict[str, str]:
        """The variables of such files in folders; an earlier file goes before a later one."""
        places = list(dict.fromkeys(folders))
        paths = [self.context.resolve(name, one) for name in dict.fromkeys(names) for one in places]
        return dict(self.variables_of_files(reversed(paths)))

    def path(self, text: str, folder: str | None = None) -> str | None:
        return self.context.resolve(below_here(text), folder or self.folder)

    def file(
        self,
        path: str,
        text: str,
        program: str,
        arguments: tuple[str, ...],
        *,
        is_direct: bool = True,
    ) -> Iterator[Piece]:
        """Yield a script, and the local modules that it loads.

        Its ``$0`` is the whole path, so that the folder is known which it asks for.
        """
        is_named = bool(arguments) and program == "sh"
        if self.context.container is not None and self.context.container.places:
            from operators_edge.gate.disk import lent_folders  # noqa: PLC0415 - few files run in a container

            text = lent_folders.with_places(text, self.context.container.places)
        if program == "sh" and "shunit2" in text:
            from operators_edge.shell import shell_tests  # noqa: PLC0415 - few scripts are tests

            text = shell_tests.shunit(text)
        piece = Piece(
            path,
            text,
            program=program,
            folder=self.folder,
            arguments=(path, *arguments[1:]) if is_named else arguments,
            assigned=self._environment_of(text),
            is_direct=is_direct,
            beside=HOLE if path in self.context.edited else "",
        )
        if program == "python" and len(text) <= MAX_FILE:
            yield from self.python_program(piece)
            return
        modules = list(self.local_modules(os.path.dirname(path), text, program))
        pieces = self._linked(piece, modules) if program in _LINKED else [piece, *modules]
        for number, one in enumerate(pieces):
            yield from self.parts(one) if not number else (one,)

    def _linked(self, piece: Piece, modules: list[Piece]) -> list[Piece]:
        """Return the files of a program, each with what the others define."""
        from operators_edge.shell.code import linked_code  # noqa: PLC0415 - for some languages

        language = INTERPRETERS[piece.program]
        piece, *modules = map(self.with_values, (piece, *modules))
        modules = [
            one._replace(text=linked_code.without_main(one.text, language)) for one in modules
        ]
        if piece.program == "node":
            piece, *modules = self._without_left_out([piece, *modules])
            piece, *modules = self._without_answered([piece, *modules])
        piece, *modules = self._without_local([piece, *modules], language)
        known: dict[str, str] = {}
        for one in reversed(modules):  # what a module loads comes before it
            known[one.path] = linked_code.definitions(one.path, one.text, language)
        for one in (piece, *modules):
            for path, text in self._settings_of(one, linked_code.SETTINGS):
                known.setdefault(path, linked_code.definitions(path, text, language))
        if not piece.is_direct and any("process.env" in one.text for one in (piece, *modules)):
            from operators_edge.gate.disk import global_setups  # noqa: PLC0415 - for tests of Node

            for path, text in global_setups.texts(self).items():
                known.setdefault(path, linked_code.definitions(path, text, language))
        linked = []
        before = list(self._loaded_before()) if self._loads_more() else []
        most = max(_LEAST_BESIDE, min(linked_code.MAX_BESIDE, _MAX_LINKED // (len(modules) + 1)))
        for one in (piece, *modules):
            if one is not piece and self.follower.was_yielded(one, self.context):
                continue  # the files of a suite load the same modules, each of which is judged once
            limit = linked_code.MAX_BESIDE if one is piece else most
            beside, is_whole = _beside(one, before, known, limit)
            is_edited = not self.context.edited.isdisjoint((piece.path, *known))
            beside += HOLE * (is_edited or not is_whole)
            linked.append(
                one._replace(beside=beside, is_loaded=one is not piece and piece.is_direct)
            )
        return linked

    def _without_left_out(self, pieces: list[Piece]) -> list[Piece]:
        """A program of Node, which git holds, without what the words of its command leave out."""
        words = pieces[0].arguments[1:]
        texts = {one.path: one.text for one in pieces}
        is_known = pieces[0].arguments and HOLE not in "".join(words) and not self._loads_more()
        if not is_known or self.inv.command.has_more_words or self._gets_options():
            return pieces
        if not any("process.argv" in one for one in texts.values()):
            return pieces
        if not all(map(self.context.is_held, texts)) or not self.context.edited.isdisjoint(texts):
            return pieces
        from operators_edge.shell.code import node_branches  # noqa: PLC0415 - for few programs

        left = node_branches.without_left_out(texts, words)
        return [one._replace(text=left[one.path]) for one in pieces]

    def _gets_options(self) -> bool:
        """Whether Node may get options from a file, or by npm, which load other code before the program."""
        places = (f"{one}/.npmrc" for one in (self.folder, self.context.root, self.context.home))
        texts = (self.context.facts.text(one, _MAX_SETTINGS) or "" for one in places if one)
        given = (*self.inv.command.environment, *self.context.values_by_name())
        is_led = any(map(_NODE_OPTIONS.search, (*texts, *given)))
        return is_led or any(one.name.startswith("--env-file") for one in self.inv.flags)

    def _without_answered(self, pieces: list[Piece]) -> list[Piece]:
        """A program of Node without what something answers in the place of other machines."""
        from operators_edge.shell.code import linked_code, node_stand_ins  # noqa: PLC0415 - for one language

        texts = {one.path: one.text for one in pieces}
        first, *others = texts.values()
        is_test = not pieces[0].is_direct or any(one.name == "--test" for one in self.inv.flags)
        given = self._stand_ins(first, others, os.path.dirname(pieces[0].path)) if is_test else None
        if given is not None:
            answered = node_stand_ins.without_answered
            return [
                one._replace(text=answered(one.text, given, is_module=at > 0))
                for at, one in enumerate(pieces)
            ]
        local = self.follower.rules.tools["local_modules"]
        if self._loads_more() or not linked_code.sends_nothing(texts, local):
            return pieces
        return [one._replace(text=linked_code.without_commands(one.text)) for one in pieces]

    def _stand_ins(self, first: str, others: list[str], inside: str) -> StandIns | None:
        """What stands in while the tests of a file run, by what it says or what runs before each test."""
        from operators_edge.gate.disk import node_set_ups  # noqa: PLC0415 - for tests of Node
        from operators_edge.shell.code import node_stand_ins  # noqa: PLC0415 - as above

        runner = self.inv.program
        before = node_set_ups.set_up(self, inside)
        given = node_stand_ins.with_set_up(before or (), first, others, runner)
        knows_set_up = before is not None
        if given is None or node_set_ups.changes_stand_ins(self, inside, knows_set_up=knows_set_up):
            return None
        return given

    def _without_local(self, pieces: list[Piece], language: Language) -> list[Piece]:
        """A program without the clients that surely send everything to this machine."""
        texts = {one.path: one.text for one in pieces}
        is_suite = self.spec.get("project_language") == "ruby"
        first = self._loaded_first() if is_suite else {}
        texts |= first
        if is_suite and not first:
            return pieces
        if self._loads_more() or not self.context.edited.isdisjoint(texts):
            return pieces
        if language is NODE:
            texts = self._without_emulated(texts)
            pieces = [one._replace(text=texts[one.path]) for one in pieces]
        if not any(map(_may_be_local, texts.values())):
            return pieces
        from operators_edge.shell.code import local_services  # noqa: PLC0415 - for few programs

        left = local_services.without_local(texts, language, tuple(first)[:1])
        return [one._replace(text=left[one.path]) for one in pieces]

    def _without_emulated(self, texts: dict[str, str]) -> dict[str, str]:
        """A program of Node without the calls that surely reach an emulator."""
        environment = dict(self.environment())
        is_named = any("_EMULATOR_HOST" in one for one in (*texts.values(), *environment))
        has_more = any(one.startswith("--env-file") for one in self.words)
        if not is_named or has_more or not all(map(self.context.is_held, texts)):
            return texts
        from operators_edge.shell.code import emulators  # noqa: PLC0415 - for few programs

        return emulators.without_emulated(texts, environment)

    def _loaded_first(self) -> dict[str, str]:
        """The file that RSpec loads before all others, by its settings, and what that loads."""
        folder = self.folder or self.context.root
        told = self.follower.read(os.path.join(folder, ".rspec"), self.context) or ""
        named = re.findall(r"(?m)(?:^|\s)(?:-r|--require)[ =]?(\S+)", told)
        path = os.path.join(folder, f"spec/{named[0]}.rb") if len(named) == 1 else ""
        text = self.follower.read(path, self.context) if path else None
        if text is None or any(one.startswith(("-r", "--require", "-I")) for one in self.words[1:]):
            return {}
        modules = self.local_modules(os.path.dirname(path), text, "ruby")
        return {path: text, **{one.path: one.text for one in modules}}

    def _loads_more(self) -> bool:
        """Whether the command loads other code before the file that it names."""
        preloads = self.inv.values(self.spec.get("preloads", ()))
        return bool(preloads) or not _PRELOADS.isdisjoint(self.inv.command.environment)

    def _loaded_before(self) -> Iterator[str]:
        """The texts of the project's files that run before the program; a HOLE for one that is not known."""
        options = self.inv.command.environment.get("NODE_OPTIONS", "")
        named = [one.text for one in self.inv.values(self.spec.get("preloads", ()))]
        for name in (*named, *re.split(r"[\s=]+", options)):
            if name.startswith((".", "/")):
                path = self.context.resolve(name, self.folder)
                texts = (self.follower.read(f"{path}{one}", self.context) for one in _ENDINGS)
                yield next((text for text in texts if text), HOLE) if path else HOLE

    def _settings_of(self, piece: Piece, endings: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        """Yield the files of settings that code names, and their texts."""
        for name in _names_of_files(piece.text, endings):
            yield from list(self._settings_called(name, os.path.dirname(piece.path)))[:1]

    def _settings_called(self, name: str, inside: str) -> Iterator[tuple[str, str]]:
        """The files that code in a folder may mean by a name."""
        for folder in dict.fromkeys((inside, os.path.dirname(inside), self.context.root)):
            path = self.context.resolve(name.lstrip("/"), folder)
            ours = (self.context.root, *self.context.temp)
            if path is None or not self.context.is_inside(path, ours):
                continue
            text = self.follower.read(path, self.context)
            if text is not None:
                yield path, text

    def with_values(self, piece: Piece) -> Piece:
        """Code with the values that it has from files of settings, if there is one of each name alone."""
        key = (piece.path, piece.text, self.folder)
        if key not in self.follower.valued:
            self.follower.valued[key] = self._with_values(piece)
        return piece._replace(text=self.follower.valued[key])

    def _with_values(self, piece: Piece) -> str:
        from operators_edge.shell.code import settings_values  # noqa: PLC0415 - for some languages

        texts = {}
        names = _names_of_files(piece.text, settings_values.ENDINGS)
        if not names or settings_values.MOVES.search(piece.text):
            return piece.text
        for name in names:
            found = dict(self._settings_called(name, os.path.dirname(piece.path)))
            found |= dict(self._settings_called(name, self.folder or self.context.root))
            if len(found) == 1 and not any(
                self.follower.unseen(one, self.context) for one in found
            ):
                texts[name] = next(iter(found.values()))
        return settings_values.with_values(piece.text, texts) if texts else piece.text

    def python_program(self, piece: Piece) -> Iterator[Piece]:
        """Yield what is left of a Python program that is followed, or its files, or both."""
        from operators_edge.gate.disk import python_programs  # noqa: PLC0415 - for Python's files alone

        start = python_programs.django_command(self, piece)
        if start is not None:
            yield piece
            yield from self.left_of(start, piece._replace(path=start.path, text=start.text))
            return
        yield from self.left_of(python_programs.start_of(self, piece), piece)
        for path, text in python_programs.plugins(self, piece):
            yield from self.file(path, text, "python", (), is_direct=False)

    def left_of(self, start: Start, piece: Piece) -> Iterator[Piece]:
        from operators_edge.gate.disk import python_programs  # noqa: PLC0415 - for Python's files alone

        left = python_programs.followed(self, start, piece)
        if left is not None and left.is_quiet:
            self.follower.quiet[self.inv.command] = left.files
        if left is not None and left.only_starts:
            self.follower.starting[self.inv.command] = left.files
        yield from left.pieces if left is not None else ()
        files = left.files if left is not None and left.is_whole else ()
        for one in self.parts(piece):
            yield one._replace(unless_held=files)
        for one in self.local_modules(os.path.dirname(piece.path), piece.text, "python"):
            yield one._replace(unless_held=() if one.unseen else files)

    def parts(self, piece: Piece) -> Iterator[Piece]:
        """Yield a file as a whole, or if it is long, what can be judged of it."""
        if piece.is_shell and piece.path.endswith((".ps1", ".psm1")):
            from operators_edge.shell import powershell_texts  # noqa: PLC0415 - for its files alone

            plain = powershell_texts.in_sh(piece.text, os.path.dirname(piece.path))
            piece = piece._replace(text=plain)
        if len(piece.text) <= MAX_FILE:
            yield piece
        elif not piece.is_shell:
            yield shortened(piece)
        else:
            yield piece._replace(text=piece.text[:MAX_FILE], is_whole=False)
            yield shortened_shell(piece, self.follower.rules, MAX_FILE)

    def local_modules(self, folder: str, text: str, program: str) -> Iterator[Piece]:
        """Yield the modules of the project that code loads, and those that they load."""
        spec = self.follower.rules.programs.get(program, {})
        if "loads" not in spec:
            return
        # Of Python each is judged once; of others the files of one program are read together.
        seen = self.loaded_modules if program == "python" else {""}
        left = [(os.path.join(folder, "."), text)]
        self.loading = text
        while left:
            inside, code = left.pop(0)
            endings = spec.get("load_endings", [""])
            for one in _folders_in(spec.get("load_folders", ""), code, inside):
                self.named_folders.setdefault(self.path(one) or "")
            for name in _loaded(spec["loads"], code):
                for found in self.loaded(name, os.path.dirname(inside), endings):
                    if found[0] not in seen:
                        seen.add(found[0])
                        if (unseen := self.unseen_piece(found[0], program)) is not None:
                            yield unseen
                            continue
                        left.append(found)
                        module = Piece(*found, 1, program, self.folder, is_direct=False)
                        if program == "node" and "method" in module.text:
                            from operators_edge.shell.code import request_verbs  # noqa: PLC0415 - few send any

                            verbs = request_verbs.with_verbs(module.text, code)
                            module = module._replace(text=verbs)
                        yield from self.parts(module._replace(assigned=self.environment()))

    def unseen_piece(self, path: str, program: str, beside: str = "") -> Piece | None:
        """The piece for a file whose text cannot be known because the call brings it; None for others."""
        is_code = bool(self.context.arrivals) and not path.endswith(".json")
        origin = self.follower.unseen(path, self.context, beside) if is_code else ""
        return Piece(path, "", 0, program, self.folder, unseen=origin) if origin else None

    def loaded(self, name: str, folder: str, endings: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield the file of a module, after those of the packages around it: these run first."""
        parts = name.split(".") if _PACKAGE in endings and name[:1] != "." else []
        for count in range(1, len(parts)):
            if found := self.module(".".join(parts[:count]), folder, [_PACKAGE]):
                yield found
        if found := self.module(name, folder, endings):
            yield found

    def module(self, name: str, folder: str, endings: Sequence[str]) -> tuple[str, str] | None:
        parts = name.replace("::", "/")
        if "/" not in name and "" not in endings:
            up = len(name) - len(name.lstrip("."))  # of a relative import
            folder = os.path.normpath(os.path.join(folder, *[".."] * (up - 1)))
            parts = name.lstrip(".").replace(".", "/")
        extra = [*(self.path(one) or "" for one in self.module_folders()), *self.named_folders]
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
                if self.unseen_piece(path, "", base) is not None:
                    return path, ""
                if text is not None:
                    return path, text
            if "/" in name and not (base == folder and name[:2] == "./"):
                break
        return None

    def module_folders(self) -> Iterator[str]:
        if self.spec.get("project_language") == "ruby":
            from operators_edge.gate.disk import ruby_suites  # noqa: PLC0415 - for these runners alone

            yield from ruby_suites.load_path(self, self.loading)
        for word in self.inv.values(self.spec.get("module_folders", ())):
            yield word.text
        for value in self.context.values_of(self.spec.get("module_variables", ())):
            yield from (one.partition("?")[0] for one in re.split("[:;]", value))

    def run_by_settings(self, path: str, text: str, spec: Program) -> Iterator[Piece]:
        """What a program runs because a file of settings says so."""
        for one in settings_in(text):
            for test, template in spec.get("settings", {}).items():
                if found_in(test, f"{one.name}={one.value}"):
                    runs = fill(template, one.value)
                    yield Piece(path, runs, one.line, folder=self.folder, is_direct=False)

    def paths_by(self, key: str) -> Iterator[str]:
        """The files that a key of ``command_files`` stands for."""
        if not key:
            return
        head, _, below = key.partition("/")
        if key[0] == "-":
            named = [word.text for word in self.inv.values((head,))]
        elif key[0] == "$":
            values = self.context.values_by_name().get(head[1:], ())
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
                if key[0] == "@" and "*" in folder and not below:
                    yield from self.files_below(self.folder, folder)
                else:
                    yield from self.files_below(self.path(folder), below)

    def files_below(self, path: str | None, below: str) -> Iterator[str]:
        if path is None:
            return
        before, star, _ = below.partition("*")
        if not star:
            yield os.path.normpath(os.path.join(path, below)) if below else path
            return
        folder = os.path.normpath(os.path.join(path, os.path.dirname(before)))
        names, slash, rest = below[before.rfind("/") + 1 :].partition("/")
        if names == "**":
            yield from self._files_at_any_depth(folder, rest)
            return
        for name in self.matching(folder, [names])[:MAX_FILES]:
            yield from self.files_below(os.path.join(folder, name), rest if slash else "")

    def _files_at_any_depth(self, folder: str, below: str) -> Iterator[str]:
        left = [(folder, 0)]
        for here, depth in left:
            yield from self.files_below(here, below)
            if depth < _MAX_BELOW and len(left) < MAX_FILES:
                names = self.follower.names(here, self.context)
                left += [(os.path.join(here, one), depth + 1) for one in names if "." not in one]

    def matching(self, folder: str, names: Sequence[str]) -> list[str]:
        plain = [name for name in names if "*" not in name]
        globs = [compiled(translate(name)) for name in names if "*" in name]
        there = self.follower.names(folder, self.context) if globs else ()
        return [*plain, *(name for name in there if any(one.match(name) for one in globs))]


class SearchPart:
    """One kind of the files of a command; each subclass finds its own."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.follower = search.follower
        self.inv = search.inv
        self.spec = search.spec
        self.context = search.context
        self.folder = search.folder


@lru_cache(maxsize=1024)
def _may_be_local(text: str) -> bool:
    return _MAY_BE_LOCAL.search(text) is not None


def _stem(path: str) -> str:
    return os.path.basename(path).partition(".")[0]


def below_here(text: str) -> str:
    """Return a path in an unknown folder as one in this folder: "$PWD/bin" is, whatever it is called."""
    return f".{text[1:]}" if text[:2] == f"{HOLE}/" else text


def _beside(
    piece: Piece, before: Sequence[str], known: Mapping[str, str], limit: int
) -> tuple[str, bool]:
    """What a file of a program is read with, and whether that is all of the others, the ``known`` by path.

    Of a large program each file is read with what it names, as far as there is time.
    """
    others = [each for each in known.items() if each[0] != piece.path]
    size = sum(map(len, before)) + sum(len(text) for _, text in others)
    is_whole = size + max(len(before) + len(others) - 1, 0) <= limit
    if not is_whole:
        others.sort(key=lambda each: _stem(each[0]) not in piece.text)
    parts, left = [], limit
    for text in (*before, *(text for _, text in others)):
        parts.append(text[:left])
        left -= len(text) + 1
        if left <= 0:
            break
    return "\n".join(parts), is_whole


def shortened(piece: Piece) -> Piece:
    """Return what may do something in a long program."""
    extract = _extract_of(piece.text[:MAX_LONG], piece.program)
    is_whole = extract.is_whole and len(piece.text) <= MAX_LONG
    return piece._replace(text=extract.text, numbers=extract.numbers, is_whole=is_whole)


def shortened_shell(piece: Piece, rules: Rules, first: int = 0) -> Piece:
    """Return what may do something in a long script after its first characters: lines by themselves."""
    extract = _lines_of(piece.text[:MAX_LONG], rules.words, first)
    return piece._replace(text=extract.text, numbers=extract.numbers, is_loose=True)


@lru_cache(maxsize=32)
def _lines_of(text: str, words: TriggerWords, first: int) -> Extract:
    from operators_edge.gate.disk import extracts  # noqa: PLC0415 - few files are that long

    return extracts.of_lines(text, words, first=first)


@lru_cache(maxsize=32)
def _extract_of(text: str, program: str) -> Extract:
    from operators_edge.gate.disk import extracts  # noqa: PLC0415 - few files are that long

    return extracts.of_code(text, program)


@lru_cache(maxsize=1024)
def _names_of_files(code: str, endings: tuple[str, ...]) -> list[str]:
    """The names of files with such endings that code spells out."""
    named = re.findall(r"['\"]([\w./-]{1,100}\.\w+)['\"]", code)
    return [one for one in dict.fromkeys(named) if one.endswith(endings)]


def settings_in(text: str) -> tuple[Setting, ...]:
    from operators_edge.gate.disk import settings  # noqa: PLC0415 - most commands have none

    return tuple(settings.read(text))


_EXECUTABLE = (
    *("\x7fELF\x01", "\x7fELF\x02", "MZ", "\udcca\udcfe\udcba\udcbe"),
    *("\udccf\udcfa\udced\udcfe", "\udcce\udcfa\udced\udcfe", "\udcfe\udced\udcfa"),
)
"""How programs of Linux, Windows and macOS begin, decoded as the gate decodes files."""
_FIRST = 80
"""Characters in which bash looks for a NUL before it reads a file as a script."""


def is_binary(text: str, program: str = "") -> bool:
    """Whether a file is not read as a script when ``program`` is given it, or when it is started itself.

    Of a file that is started, bash refuses a NUL in the first line, but the kernel reads a line with ``#!``.
    dash, Node, Perl and PHP read whatever they are given; Python refuses a NUL anywhere.
    """
    if text.startswith("#!") or program == "sh" or INTERPRETERS.get(program, PYTHON) is not PYTHON:
        return False
    return "\0" in text[:_FIRST].partition("\n")[0] or text.startswith(_EXECUTABLE)


def interpreter(text: str, rules: Rules) -> str:
    """Return the program that a script's first line names, as the packs call it; "" without one."""
    if not text.startswith("#!"):
        return ""
    words = text[2:].partition("\n")[0].partition("\0")[0].split()
    while words and (words[0].endswith("/env") or words[0].startswith("-") or "=" in words[0]):
        words = words[1:]
    if not words:
        return ""
    inv = invocation_of(Command((Word(words[0]),)), rules)
    return inv.program


_TEXT = pattern(r"['\"]([^'\"\n]+)['\"]|\bqw\W([^)\]}/|]*)")
_OWN_FOLDER = pattern(r"\A(?:\$\{?(?:FindBin::)?(?:Real)?Bin\}?|#\{__dir__\})/?")


def _folders_in(named: str, code: str, path: str) -> Iterator[str]:
    """Yield the folders of modules that code in a file names: ``use lib "$FindBin::Bin/lib"``."""
    folder = os.path.dirname(path)
    for name in _named_in(named, code) if named else ():
        own = _OWN_FOLDER.sub("", name)
        yield os.path.join(folder, own)
        if own == name:  # from where the program runs, or from the file itself
            yield own
            yield os.path.normpath(os.path.join(path, own))


_LOADS_ENV = pattern(
    r"\bload_dotenv\(|\brequire\(?\s*['\"]dotenv(?:/config)?['\"]|\bfrom\s*['\"]dotenv['\"]"
    r"|\bimport\s*['\"]dotenv/config|\bDotenv\.(?:load|overload)\b"
)


@lru_cache(maxsize=1024)
def _named_in(named: str, code: str) -> list[str]:
    """The texts in what an expression finds in code."""
    return [
        name
        for found in compiled(named).finditer(code)
        for one, several in _TEXT.findall(next(filter(None, found.groups()), ""))
        for name in several.split() or [one]
    ]


@lru_cache(maxsize=1024)
def _loaded(named: str, code: str) -> list[str]:
    """Return the modules that code names; a second group holds what it takes from the first one."""
    found: list[str] = []
    for one in re.findall(named, code):
        module, *rest = filter(None, one) if isinstance(one, tuple) else (one,)
        found += re.split(r"\s*,\s*", module)
        dot = "" if module.endswith(".") else "."
        found += [f"{module}{dot}{name}" for name in re.findall(r"\w+", " ".join(rest))]
    return found


# end of module
