"""Files that a program takes commands from, as its table in the packs says (``command_files``).

Owns which files a key of that table stands for, and how each is read. Does not own the formats
(``gate.disk.recipe_formats``, ``gate.disk.settings``). Loaded for programs with such files.
"""

from __future__ import annotations

import os.path
import re
from itertools import product

from operators_edge.gate.disk import file_readers, unrun_files
from operators_edge.gate.disk.loose_commands import DELETES_UNKNOWN
from operators_edge.gate.disk.search import (
    MAX_FILE,
    Piece,
    SearchPart,
    interpreter,
    is_binary,
    shortened_shell,
)
from operators_edge.gate.disk.targets import Targets, included, recipes_of
from operators_edge.gate.invocation import find_flags, has_exact_flag
from operators_edge.gate.prefilter import is_suspicious
from operators_edge.shell.code.languages import INTERPRETERS
from operators_edge.shell.commands import HOLE
from operators_edge.shell.wrapper_table import FETCHES
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import blanked, pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.gate.disk.search import Search
    from operators_edge.gate.rule_types import Program

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
    (
        "package-tools",
        "test-setup",
        "go-generate",
        "compose",
        "pre-commit",
        "procfile",
        "requirements",
        "build-backend",
        "jvm-options",
        "forced-tasks",
        "gradle",
        "cmake",
        "lein-aliases",
        "sbt-tasks",
        "terraform",
        "bake",
        "platformio",
    )
)
"""Formats of ``recipe_formats.FORMATS`` without named targets."""
_OTHER_READERS = frozenset(("vagrant", "bats", "shellspec", "cram"))
_MODULE = "python-module"
_RUNS_NOTHING = frozenset(
    ("settings", "requirements", "compose", "notebook", "jvm-options", "image")
)
"""How files are read that are no programs by themselves."""
_NAMING = ("-", "@", "~")
_CODE = pattern(r"\.(?:[cm]?[jt]s|py|rb|sh|pl|lua|php|nix|swift)$|/(?:\.envrc|[A-Z][a-z]+file)$")
"""Files that are code even if the command does not name them; others may be settings alone."""
_MARKS = ("bazel",)
"""Kinds of files that say something by being there, even if they are empty."""
_NOT_BY_NAME = ("-", "@", "$", "~")
"""Keys of options, operands, variables and patterns begin like this; others are names of files."""
_MIX_TASK = pattern(r"\bdefmodule\s+Mix\.Tasks\.([\w.]+)")
_ASKS_FOR_TASKS = pattern(
    r"\b(?:matching|withType|configureEach|whenTaskAdded|taskGraph|findByName|getByPath|findByPath)\b|\ball\s*\{"
    r"|tasks\s*\[|\.execute\("
)
"""How a build takes tasks by more than their names."""
_MAX_ALIASES = 50
_MAX_ENTRIES = 60
"""Files where a program of several may begin, of which none is read for anything else."""
_CHECKS = pattern(r"python[\d.]* -m (?:py_compile|compileall|tabnanny) ")
_SIGNATURE = pattern(
    r"(?:\$signature\s*=|\bname:|\$defaultName\s*=|\bsetName\(|\bAsCommand\(|\bArtisan::command\()\s*['\"]([\w:.-]+)"
)
_TASKS = ("mix-task", "artisan-command", "r-tests", "r-targets")
_R_RUNS = {
    "r-tests": pattern(
        r"\b(?:devtools|testthat|rcmdcheck|covr|tinytest|usethis|checkhelper)::\w*(?:test|check|coverage)\w*\("
        r"|\btest_(?:check|local|dir|file|package)\(|\bCMD check\b|\btestthat\.R\b|^(?:\S*/)?r[ct]md?check\b"
    ),
    "r-targets": pattern(r"\btar_(?:make\w*|destroy|invalidate)\(|\br_make\("),
}
"""What a command of R says that runs the tests of a package, or the targets of a project."""
_CHUNK = pattern(r"(?ms)^[ \t]*```+\s*\{\s*[rR]\b[^}\n]*\}[ \t]*\n(?P<code>.*?)^[ \t]*```+[ \t]*$")
_DOCUMENTS = (".Rmd", ".rmd", ".qmd")
_HEAD_OF_R = pattern(r"(?m)^[ \t]*(?:const[ \t]+)?[A-Za-z.][\w.$]*[ \t]*(?:<<?-|=(?!=)|\|>|%>%)")
_GO_MODULE = pattern(r"(?m)^module[ \t]+(\S+)")
_GO_IMPORT = pattern(r'(?m)^[ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?"([\w./-]+/[\w./-]+)"[ \t]*$')
_ABOUT_HOOK = pattern(
    r"(?m)^[ \t]*(?:-[ \t]+)?(?:(?:exclude|files):[ \t]+\S+"
    r"|(?:id|name|alias|description|language):[ \t]+(?P<quote>['\"]?)\w[\w ./:,+()-]*(?P=quote))[ \t]*$"
)
"""What a hook of pre-commit is called, and which files it is for: no command."""
_TOX_FOLDER = pattern(r"\{(?:toxinidir|tox_root)\}(?=/)")
"""The folder of the file itself."""
_CHANGES_FOLDER = pattern(r"(?m)^[ \t]*change_?dir[ \t]*=[ \t]*[\"']?([\w./-]+)[\"']?[ \t]*$")
_OVERRIDES_TOX = pattern(r"\A(?:-\w*x|--o)|TOX_OVERRIDE")
"""What sets other values than those of the file, also from a section of any name."""
_CHOOSE_OTHERWISE = ("-k", "--keywords", "-t", "--tags", "-p", "--pythons", "--python")
"""Options with which nox runs other sessions than those of its file."""


class CommandFiles(SearchPart):
    """The files that one command takes commands from."""

    def __init__(self, search: Search) -> None:
        super().__init__(search)
        self._packages: set[str] = set()
        self._entries: dict[str, str] = {}

    def pieces(self) -> Iterator[Piece]:
        """Files that the program takes commands from, as its table says."""
        unless = map(self._after_verb, self.spec.get("command_files_unless", ()))
        is_off = has_exact_flag(self.inv, [one for one in unless if one])
        yield from self._files_of(self.spec, of_options=is_off)
        if self.context.variables:
            yield from self._files_of(self.follower.rules.programs.get("@any", {}))
        if self.spec.get("project_language") == "node":
            from operators_edge.gate.disk import suites  # noqa: PLC0415 - for runners of tests alone

            yield from suites.Suite(self.search).pieces()
        if self._entries:
            from operators_edge.gate.disk import whole_programs  # noqa: PLC0415 - for some languages

            yield from whole_programs.WholeProgram(self.search).pieces(list(self._entries.items()))

    def _files_of(self, spec: Program, *, of_options: bool = False) -> Iterator[Piece]:
        """``of_options``: only what is for an option that is given."""
        named = spec if "settings" in spec else self.follower.rules.programs.get("@any", {})
        variables = self.context.values_by_name()
        names_others = self._names_others(spec)
        for key, languages in spec.get("command_files", {}).items():
            if key[0] == "$" and key[1:].partition("/")[0] not in variables:
                continue
            if of_options and not (key[0] == "-" and " " in key):
                continue
            place = self._after_verb(key)
            if not place or (names_others and place[:1] not in _NOT_BY_NAME):
                continue
            if place[:1] == "@" and self._only_checks():
                continue
            found = self.search.paths_by(place)
            paths = (
                [one for path in found for one in _modules_at(path)]
                if languages == _MODULE
                else found
            )
            paths = list(paths)
            may_be_data = place[:1] == "@" and place[1:2] != "0" and " " not in key
            if self.context.arrivals and not may_be_data and languages not in _RUNS_NOTHING:
                yield from self._unseen(paths, is_named=place[:1] in _NAMING)
            is_of_many = languages in ("program", "laravel-tests", *_TASKS)
            for path in paths[:_MAX_ENTRIES] if is_of_many else paths:
                text = self._chosen(self.follower.read(path, self.context), spec)
                is_read = text is not None and self._is_read(path, text, languages)
                for language in languages.split() if is_read else ():
                    yield from self._commands_in(path, text or "", language, named)

    def _is_read(self, path: str, text: str, languages: str) -> bool:
        """Whether a file holds code that the command runs, or says something by being there."""
        if is_binary(text) or not (text or languages in _MARKS):
            return False
        return not unrun_files.leaves(self.search, path, text)

    def _names_others(self, spec: Program) -> bool:
        """Whether options name files for sure that are read in place of the usual ones."""
        options = [self._after_verb(key) for key in spec.get("command_files_instead", ())]
        named = self.inv.values(options)
        return bool(named) and all(
            word.text and word.is_known and not word.has_glob for word in named
        )

    def _is_task(self, text: str, language: str) -> bool:
        """Whether the command runs what is in a file of tasks."""
        if language in _R_RUNS:
            runs = _R_RUNS[language]
            return any(map(runs.search, (" ".join(self.search.words), self._script())))
        return self._runs_task(text) if language == "mix-task" else self._is_signed(text)

    def _script(self) -> str:
        """The script that the command names first."""
        path = self.search.path(self.inv.operands[0].text) if self.inv.operands else None
        return (self.follower.read(path, self.context) if path else None) or ""

    def _is_signed(self, text: str) -> bool:
        """Whether a command of the console of Laravel or Symfony is the one that is named."""
        return any(one.text in _SIGNATURE.findall(text) for one in self.inv.operands[:2])

    def _only_checks(self) -> bool:
        """Whether it has Python read files without running them: ``uv run python -m py_compile F``."""
        operands, argv = self.inv.operands, self.inv.command.argv
        if len(operands) < 2 or operands[0].text != "run":
            return False
        at = next((n for n, word in enumerate(argv) if word is operands[1]), 0)
        return _CHECKS.match(" ".join(word.text for word in argv[at:])) is not None

    def _runs_task(self, text: str) -> bool:
        """Whether the command runs the task that a module of mix is, by its name or an alias of it."""
        module = _MIX_TASK.search(text)
        if module is None:
            return False
        name = re.sub(r"(?<=[a-z\d])(?=[A-Z])", "_", module[1]).lower()
        asked = [one.strip(",") for word in self.inv.operands for one in word.text.split(",")]
        path = self.context.resolve("mix.exs", self.folder)
        project = (self.follower.read(path, self.context) if path else "") or ""
        for one in asked[:_MAX_ALIASES]:  # an alias may name others
            listed = re.search(rf"[\s\[\"]{re.escape(one)}\"?:\s*(\[[^\]]*\]|\"[^\"]*\")", project)
            words = re.findall(r"\"([^\"]+)\"", listed[1]) if listed else []
            asked += [given.split()[0] for given in words if given.split()[0] not in asked]
        return name in asked

    def _unseen(self, paths: list[str], *, is_named: bool) -> Iterator[Piece]:
        """Yield the programs among the files whose text cannot be known; further words may name data."""
        ending = os.path.splitext(paths[0])[1] if paths else ""
        for path in paths:
            origin = self.follower.unseen(path, self.context)
            if origin and os.path.splitext(path)[1] == ending:
                is_there = any(one.place == path for one in self.context.arrivals)
                is_run = is_named or (is_there and _CODE.search(path) is not None)
                is_like_shell = (
                    is_run and origin in FETCHES and self.inv.program not in INTERPRETERS
                )
                program = "sh" if is_like_shell else self.inv.program
                yield Piece(path, "", 0, program, self.folder, unseen=origin)

    def _go_packages(self, path: str, text: str, spec: Program) -> Iterator[Piece]:
        """What the packages of the module do that a Go program imports."""
        module = self.follower.read(os.path.join(self.context.root, "go.mod"), self.context)
        named = _GO_MODULE.search(module or "")
        for name in _GO_IMPORT.findall(text) if named else ():
            folder = name.removeprefix(f"{named[1] if named else ''}/")
            if folder == name:
                continue
            for one in self.search.files_below(os.path.join(self.context.root, folder), "*.go"):
                if one in self._packages or one == path or one.endswith("_test.go"):
                    continue
                self._packages.add(one)
                found = self.follower.read(one, self.context)
                yield from self._commands_in(one, found or "", "source", spec)

    def _rust_modules(self, path: str, text: str, spec: Program) -> Iterator[Piece]:
        """What the modules do that a program of Rust has in files of their own, beside it or below."""
        folder, stem = os.path.dirname(path), os.path.splitext(os.path.basename(path))[0]
        for given, name, whole in _RUST_MODULE.findall(text):
            plain = (f"{name}.rs", f"{name}/mod.rs", f"{stem}/{name}.rs")
            for one in [given or whole] if given or whole else plain:
                place = os.path.normpath(os.path.join(folder, one))
                read = None if place in self._packages else self.follower.read(place, self.context)
                self._packages.add(place)
                if read is not None:
                    yield from self._commands_in(place, read, "source", spec)

    def _notebook(self, path: str, text: str) -> Iterator[Piece]:
        """The cells of a notebook as one program, if the command runs them."""
        words = self.search.words
        if "nbconvert" in words and "--execute" not in words:
            return
        from operators_edge.gate.disk import notebooks  # noqa: PLC0415 - few commands run one

        code = notebooks.code_of(text, notebooks.parameters(words))
        if code is None:
            return
        folder = (
            self.folder if self.inv.command.argv[0].text == "papermill" else os.path.dirname(path)
        )
        for line in code.shell:
            yield Piece(path, line.text, line.number, folder=folder, is_direct=False)
        program = "\n".join(line.text for line in code.program)
        numbers = tuple(line.number for line in code.program)
        for piece in self.search.file(path, program, "python", ()):
            is_own = piece.path == path
            yield piece._replace(
                folder=folder, numbers=numbers if is_own else (), is_loaded=not is_own
            )

    def _chosen(self, text: str | None, spec: Program) -> str | None:
        """Return the text without what this run leaves out, as far as the words tell."""
        if not text or "parts" not in spec:
            return text
        options = spec.get("part_options", ())
        words = [*self.inv.values(options), *self.inv.operands]  # `-s a b` chooses both
        from operators_edge.gate.disk import file_parts  # noqa: PLC0415 - few programs have any

        chosen = [one.rpartition(":")[2] for word in words for one in word.text.split(",") if one]
        if options and not self.inv.values(options):
            is_plain = not self.inv.operands and not find_flags(self.inv, _CHOOSE_OTHERWISE)
            chosen = file_parts.chosen_by_default(spec["parts"], text) if is_plain else []
        return file_parts.without_others(spec["parts"], text, chosen)

    def _after_verb(self, key: str) -> str:
        """Return the key without the words that it is for; "" if these are not given."""
        verbs, space, place = key.rpartition(" ")
        if not space or key[0] == "~":
            return key
        if verbs[-2:] == "()":  # only without further operands: all that is there
            words = [word.text for word in self.inv.operands]
            return place if words == verbs[:-2].split() else ""
        if verbs[:1] == "-":
            return place if any(flag.name == verbs for flag in self.inv.flags) else ""
        operands = self.inv.operands
        if verbs[:2] == "**":
            words = [one for word in operands for one in word.text.split()[:1]]  # 'runMain x.Main'
            named = {*words, *(word.rpartition(":")[2] for word in words)}
            return "" if named.isdisjoint(verbs.split("|")) else place
        for at, part in enumerate(verbs.split(":")):
            if at >= len(operands) or operands[at].text not in part.split("|"):
                return ""
        return place

    def _commands_in(self, path: str, text: str, language: str, spec: Program) -> Iterator[Piece]:
        if language == "settings":
            yield from self.search.run_by_settings(path, text, spec)
        elif language in _TASKS:
            if self._is_task(text, language):
                self._entries[path] = text
                if language == "mix-task":
                    yield from self._commands_in(path, text, "source", spec)
        elif language == "program":
            self._entries[path] = _chunks(text) if path.endswith(_DOCUMENTS) else text
        elif language == "notebook":
            yield from self._notebook(path, text)
        elif language in file_readers.KINDS:
            found = file_readers.reader_of(language, self.search).pieces(path, text)
            yield from self._loose(path, text, "loose") if found is None else found
        elif language in _OTHER_READERS:
            yield from self._otherwise_read(path, text, language, spec)
        elif language in _FORMATS:
            yield from self._of_format(path, text, language)
        else:
            yield from self._code_in(path, text, language, spec)

    def _otherwise_read(
        self, path: str, text: str, language: str, spec: Program
    ) -> Iterator[Piece]:
        """Tests for a shell; of Vagrant what is understood, and whatever may be a command in the rest."""
        if language != "vagrant":
            from operators_edge.gate.disk import shell_tests  # noqa: PLC0415 - for runners of tests alone

            yield from shell_tests.ShellTests(self.search).pieces(path, text, language)
            return
        from operators_edge.gate.disk import vagrantfiles  # noqa: PLC0415 - few commands run one

        for piece in vagrantfiles.Vagrantfile(self.search).pieces(path, text):
            if piece.path == path and not piece.is_shell:
                yield from self._code_in(path, piece.text, "ruby", spec)
                yield from self._loose(path, piece.text, "loose")
            else:
                yield piece

    def _of_format(
        self, path: str, text: str, language: str, *, is_applied: bool = False
    ) -> Iterator[Piece]:
        """The commands of a file and of those that it names."""
        asked = self._wanted_of(language)
        given = tuple(self.search.variables()) if language == "bake" else ()
        given = self._properties() if language == "gradle" else given
        yield from Targets(self.search).of_text(language, path, text, asked, given)
        if language == "gradle":
            from operators_edge.gate.disk import gradle_tasks  # noqa: PLC0415 - for its files alone

            self._entries[path] = code = gradle_tasks.code_of_run(text, asked)
            if is_applied:
                yield from self._loose(path, code, "loose")
        folders = dict.fromkeys((os.path.dirname(path), self.context.root))
        for name, folder in product([one.path for one in included(language, text)], folders):
            for file in self.search.files_below(folder, name):
                found = None if file in self._packages else self.follower.read(file, self.context)
                self._packages.add(file)
                yield from self._of_format(file, found, language, is_applied=True) if found else ()
        if language == "compose":
            from operators_edge.gate.disk import compose_services  # noqa: PLC0415 - few commands

            yield from compose_services.Services(self.search, path).pieces()

    def _properties(self) -> tuple[tuple[str, str], ...]:
        """The properties of a build with Gradle; those in the person's own folder go before others."""
        from operators_edge.gate.disk import gradle_tasks  # noqa: PLC0415 - for its files alone

        home = os.path.join(self.context.home, ".gradle")
        folders = (self.context.root, self.folder or self.context.root, home)
        texts = [self.follower.read(f"{one}/gradle.properties", self.context) for one in folders]
        files = filter(None, texts)
        found = gradle_tasks.properties(files, self.search.variables(), self.search.words)
        return tuple(found.items())

    def _wanted_of(self, language: str) -> tuple[str, ...]:
        """What a format with targets is asked for, in the form that it takes them."""
        if language in ("cmake", "platformio"):
            return tuple(self.search.words)
        if language == "bake":
            names = [one.text for one in self.inv.operands]
            behind = names[names.index("bake") + 1 :] if "bake" in names else names
            return tuple(one for one in behind if "=" not in one)
        if language in ("lein-aliases", "sbt-tasks"):
            return tuple(one.text for one in self.inv.operands)
        if language != "gradle":
            return ()
        excluded = self.inv.values(["-x", "--exclude-task"])
        return (*(one.text for one in self.inv.operands), *(f"-x{one.text}" for one in excluded))

    def _code_in(self, path: str, text: str, language: str, spec: Program) -> Iterator[Piece]:
        language = "python" if language == _MODULE else language
        if language == "auto":
            language = _BY_ENDING.get(path.rpartition(".")[2], "loose")
        if language in ("script", "perl-test"):
            usual = "sh" if language == "script" else "perl"
            language = interpreter(text, self.follower.rules) or usual
        if language not in ("loose", "source"):
            text = _with_own_calls(text) if path.endswith("/.envrc") else text
            yield from self.search.file(path, text, language, (), is_direct=False)
            return
        if language == "source" and path.endswith(".go"):
            yield from self._go_packages(path, text, spec)
        if language == "source" and path.endswith(".rs"):
            yield from self._rust_modules(path, text, spec)
        yield from self._loose(path, text, language)

    def _without_data(self, path: str, text: str) -> str:
        """The text of such a file without what is surely no command in its format."""
        text = self._with_paths(path, text)
        if path.endswith((".gradle", ".gradle.kts")):
            from operators_edge.gate.disk import gradle_tasks  # noqa: PLC0415 - for its files alone

            text = gradle_tasks.without_names(self._without_tasks(path, text))
        elif path.endswith(("CMakeLists.txt", ".cmake")):
            from operators_edge.gate.disk import cmake_lists  # noqa: PLC0415 - for its files alone

            text = cmake_lists.with_whole_calls(text)
        elif path.endswith((".R", ".r", *_DOCUMENTS)):
            # What has a value is no command: ``mail <- compose_email(…)``.
            text = _HEAD_OF_R.sub(lambda one: blanked(one[0]), text)
        elif path.endswith("/Earthfile"):
            text = _OPTIONS_OF_RUN.sub(lambda one: one[0].replace(one[1], blanked(one[1])), text)
        elif path.endswith(("/.pre-commit-config.yaml", "/.pre-commit-config.yml")):
            text = _ABOUT_HOOK.sub(lambda one: blanked(one[0]), text)
        elif self.inv.program == "tox":
            from operators_edge.gate.disk import file_parts  # noqa: PLC0415 - for its files alone

            words = [*self.search.words, *self.context.values_by_name(), self.context.text]
            if path.endswith((".ini", ".cfg")) and not any(map(_OVERRIDES_TOX.search, words)):
                text = file_parts.without_other_tools(text)
            text = file_parts.without_dependencies(text)
            here = "." if os.path.dirname(path) == self.folder else os.path.dirname(path)
            text = _TOX_FOLDER.sub(here, text)
            text = file_parts.with_environment(text, self.context.home)
        return text

    def _without_tasks(self, path: str, text: str) -> str:
        """A build file of Gradle without tasks that neither the run nor another file of the project names."""
        if self.inv.program != "gradle" or _ASKS_FOR_TASKS.search(text):
            return text
        from operators_edge.gate.disk import gradle_tasks  # noqa: PLC0415 - for its files alone

        files = [
            one
            for name in ("**/*.gradle", "**/*.kts")
            for one in self.search.files_below(self.context.root, name)
        ]
        if len(files) > _MAX_ENTRIES:
            return text
        others = [self.follower.read(one, self.context) or "" for one in files if one != path]
        return gradle_tasks.without_unnamed(text, self._wanted_of("gradle"), "\n".join(others))

    def _with_paths(self, path: str, text: str) -> str:
        """The text of a build with the paths that its variables and properties stand for."""
        folder = os.path.dirname(path)
        if path.endswith("/meson.build"):
            from operators_edge.gate.disk import meson_files  # noqa: PLC0415 - for its files alone

            build = meson_files.build_folder(self.search.words, self.folder or "")
            return meson_files.with_paths(text, folder, build)
        if path.endswith(".xml") and (self.inv.program == "ant" or "<delete" in text):
            from operators_edge.gate.disk import ant_files  # noqa: PLC0415 - for its files alone

            words = self.search.words if self.inv.program == "ant" else []

            def read(name: str) -> str | None:
                place = self.context.resolve(name, folder)
                return self.follower.read(place, self.context) if place else None

            return ant_files.with_commands(text, words, self.context.home, read)
        return text

    def _set_by_tox(self, text: str) -> tuple[tuple[str, str], ...]:
        """The variables that the settings of tox give its commands."""
        from operators_edge.gate.disk import file_parts  # noqa: PLC0415 - for its files alone

        pairs, files = file_parts.set_by_tox(text)
        given = self.search.variables_of_files(self.search.path(one) for one in files)
        known = ((name, HOLE if re.search(r"[{$]", value) else value) for name, value in pairs)
        return (*known, *given)

    def _loose(self, path: str, text: str, language: str) -> Iterator[Piece]:
        """What may be a command in a file whose format is not read."""
        words = self.follower.rules.words
        text = self._without_data(path, text)
        whole = Piece(path, text, folder=self.folder, is_direct=False, is_loose=True)
        if path.endswith("/Earthfile") and "LOCALLY" not in text:
            from operators_edge.gate.own import container_runs  # noqa: PLC0415 - for Earthly

            is_alone = "--secret" not in text and "--ssh" not in text
            inside = container_runs.Inside((), has_own_data=is_alone, has_own_cloud=False)
            whole = whole._replace(inside=inside)
        folders = [self.folder]
        if self.inv.program == "tox":
            whole = whole._replace(assigned=self._set_by_tox(text))
            # Which of its commands run where is not asked: a file is in one of the folders.
            folders += map(self.search.path, _CHANGES_FOLDER.findall(text))
        steps = _STEP.finditer(text) if path.endswith("/Earthfile") else ()
        runs = {(line_at(text, one.start(1)), one[1].strip()) for one in steps}
        part = whole if len(text) <= MAX_FILE else shortened_shell(whole, self.follower.rules)
        chosen = tuple(self.search.words) if language == "source" else ()
        for one in recipes_of(language, part.text, chosen, ()):
            if one.text == DELETES_UNKNOWN:
                # Nobody is asked about it, but it is saved first if git holds the program.
                piece = whole._replace(text=one.text, line=one.line, is_loose=False, is_loaded=True)
                yield piece
            elif is_suspicious(one.text, words):
                line = part.numbers[one.line - 1] if part.numbers else one.line
                is_command = (line, one.text.strip()) in runs
                piece = whole._replace(text=one.text, line=line, is_loose=not is_command)
                for folder in dict.fromkeys(folders):
                    yield piece._replace(folder=folder)


_RUST_MODULE = pattern(
    r"(?m)^[ \t]*(?:#\[path[ \t]*=[ \t]*\"([^\"\n]+)\"\]\s*)?"
    r"(?:pub(?:\([^)\n]*\))?[ \t]+)?mod[ \t]+(\w+)[ \t]*;"
    r"|^[ \t]*include!\([ \t]*\"([^\"\n]+)\"[ \t]*\)"
)
_OPTIONS_OF_RUN = pattern(
    r"(?m)^[ \t]*RUN((?:[ \t]+--(?:(?:secret|mount|network|entrypoint)[ =]\S+|[\w-]+(?:=\S+)?))+)(?=[ \t])"
)
"""Earthly's own options, in front of a command."""
_STEP = pattern(r"(?m)^[ \t]*RUN[ \t]+(\S.*)$")


def _with_own_calls(text: str) -> str:
    """A file of direnv in which ``use x`` names the function that it has for that: ``use_x``."""

    def named(found: re.Match[str]) -> str:
        name = f"{found[2]}_{found[3]}"
        is_own = re.search(rf"(?m)^[ \t]*(?:function[ \t]+)?{name}[ \t]*(?:\(\)|\{{)", text)
        return f"{found[1]}{name}" if is_own else found[0]

    return _CALLS_OF_DIRENV.sub(named, text)


_CALLS_OF_DIRENV = pattern(r"(?m)((?:^|[;&|]|\b(?:then|else|do)\b)[ \t]*)(use|layout)[ \t]+(\w+)")


def _chunks(text: str) -> str:
    """The code of a document, on its lines."""
    out = blanked(text)
    for one in _CHUNK.finditer(text):
        start, end = one.span("code")
        out = out[:start] + text[start:end] + out[end:]
    return out


def _modules_at(path: str) -> list[str]:
    """Return the files that ``tools.web:app`` may be, and the file itself."""
    folder, _, name = path.partition(":")[0].rpartition("/")
    if name.endswith(".py"):
        return [f"{folder}/{name}"]
    module = f"{folder}/{name.replace('.', '/')}"
    return [f"{module}.py", f"{module}/__init__.py"]


# end of module
