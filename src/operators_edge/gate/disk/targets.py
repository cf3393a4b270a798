"""The targets that a command runs: of a Makefile, of the scripts of ``package.json``, of a compose file.

Owns which file they are in and which of them the words ask for. Does not own the formats
(``gate.disk.recipe_formats``). Loaded for programs with such files.
"""

from __future__ import annotations

import os.path
import re
from functools import lru_cache, partial
from itertools import pairwise

from operators_edge.gate.disk import makefiles
from operators_edge.gate.disk.search import MAX_FILES, Piece, SearchPart, interpreter, is_binary
from operators_edge.shell.commands import HOLE, program_name, quoted
from operators_edge.text.lines import matches_beside
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from operators_edge.gate.disk.recipe_types import Included, Recipe

_PRINTED = pattern(r"\$\((?:cat|file)?\s*<?\s*([\w./-]+\.?[\w/-]*)\)")
_HAND_ON = frozenset(("npm", "yarn", "pnpm", "bun", "composer"))
"""Programs that give a script of a package the words behind its name."""
_SETS_FOR_OTHERS = pattern(r"\b(?:vars|env|dotenv)\b['\"]?\s*:")
"""In a Taskfile: it may set variables of the files that it includes."""
_MAY_SET_MORE = pattern(
    r"(?m)^[ \t]*(?:(?:export|override|private)[ \t]+)*(?:-?include|sinclude|define|undefine|-?load)\b"
    r"|\$[({](?:eval|call|guile|foreach|let)\b|^\.(?:\w*EXPORT|RECIPEPREFIX)"
    r"|^(?!\t)[^#\n=]+:[^=\n]*?[\w)}][ \t]*[:+?!]*="
    r"|^[ \t]*(?:(?:export|override|private)[ \t]+)*[\w.-]*\$[^\n:=]*[:+?!]*="
    r"|^[^\t#\n]*\bMAKEFLAGS[ \t]*[:+?!]*=(?![ \t]*(?:--?[\w-]+[ \t]*)*$)"
)
"""What may give variables of a makefile other values, besides assignments."""
_NAMES_FILE = pattern(r"-[a-zA-Z]*f|--f|--mak")
_MAX_PRINTED = 2_000
_MAX_SETTINGS = 65_536
_IN_RECIPES = (
    r"(?m)^[ ]*(?:[^\n\t:=#]*:[ \t]+)?(?:(?:export|override|private)[ \t]+)*NAME"
    r"[ \t]*[:+!]{0,3}=[ \t]*([^\n]*)"
    r"|^(?:define|unexport)[ \t]+NAME\b|\$[({]eval\b[^\n]*\bNAME\b|^\w[^\n]*[ \t][*+]?\$NAME\b"
)
_SETS_VARIABLES = {
    **dict.fromkeys(("make", "just"), _IN_RECIPES),
    **dict.fromkeys(("toml-tasks", "procfile", "compose"), r"()\bNAME\b['\"]?[ \t]*[:=]"),
    "package-scripts": r"()@putenv[ \t]+NAME\b",
}
"""Formats whose files may set a variable even if the line has set it, and how."""
_OVERRIDES = pattern(r"(?m)^set[ \t]+dotenv-override\b(?![ \t]*:=[ \t]*false)")
_PLAIN_VALUE = pattern(r"[\w./:@-]+")
_JOINED = ("make", "rakefile", "rails-tasks")
"""Formats whose included files are read as one with the file that includes them."""
_LOADS = ("taskfile", "just")
"""Formats whose files may name others that hold variables."""
_IN_STEPS = ("make", "just", "taskfile", "package-scripts")
"""Formats whose targets run line by line, up to the first that fails."""
_GOES_BEFORE = frozenset(("-e", "--environment-overrides"))
"""Options of make by which a variable of the shell goes before what the file sets."""
_GOES_ON = frozenset(("MAKEFLAGS", "GNUMAKEFLAGS", "MFLAGS"))
_IGNORES_HOOKS = pattern(r"(?im)^[ \t]*ignore-scripts[ \t]*(?:=[ \t]*(?!false)|$)|ignore_scripts")
_NEEDED = pattern(
    r"(?m)^[#/\"-]*[ \t]*\[?MISE\]?[ \t]+(?:depends|wait_for)\w*[ \t]*=[ \t]*([^\n]+)"
)
_NEEDED_NAME = pattern(r"['\"]([\w:.-]+)")
"""What a script of a task says that runs before or after it."""
_LISTS_FILES = pattern(r"\$[({](?:wildcard|shell[ \t]+(?:ls|find))[ \t]")
_TOGETHER = ("package-scripts", "toml-tasks")
"""Formats of which a folder may have several files."""


class Targets(SearchPart):
    """The targets of one command."""

    def pieces(self) -> Iterator[Piece]:
        kind = self.spec["recipes"]
        given = [word.text for word in self.inv.values(self.spec.get("recipe_options", ()))]
        if self.context.arrivals:
            yield from self._unseen(given or self.spec.get("recipe_files", ()))
        files = list(self._recipe_files(given or self.spec.get("recipe_files", ())))
        if kind == "make":
            more = [one for name in given[1:] for one in self._recipe_files([name])]
            yield from self._joined(kind, [*self._before(), *files, *more], given)
            files = []
        for found in files:
            if kind in _JOINED:
                yield from self._joined(kind, [found], given)
            else:
                yield from self.of_text(kind, *found, *self._wanted(), given=given)
                yield from self._included(kind, *found)
            if self._is_in_workspaces():
                yield from self._workspaces(kind, os.path.dirname(found[0]))
        if "task_folders" in self.spec:
            yield from self._task_scripts(files)
        inside = self.spec.get("recipe_folders", "")
        for word in self.inv.operands if inside else ():
            folder = self.search.path(word.text.removeprefix("file:"))
            path = os.path.join(folder, self._recipe_name()) if folder else ""
            text = self.follower.read(path, self.context) if "/" in word.text and path else None
            if text is not None:
                yield from self.of_text(kind, path, text, tuple(inside.split()), ())

    def _task_scripts(self, files: Sequence[tuple[str, str]]) -> Iterator[Piece]:
        """The scripts that the named targets are, and those that these need, in folders of tasks."""
        left, seen = list(self._wanted()[0]), set[str]()
        for _, text in files:
            left += _called(self.spec["recipes"], text, left)
        while left and len(seen) < MAX_FILES:
            name = left.pop(0)
            if name in seen:
                continue
            seen.add(name)
            for path, text in self._scripts_of(name):
                left += [
                    one for found in _NEEDED.findall(text) for one in _NEEDED_NAME.findall(found)
                ]
                program = interpreter(text, self.follower.rules) or "sh"
                yield from self.search.file(path, text, program, (path,))

    def _scripts_of(self, name: str) -> Iterator[tuple[str, str]]:
        """The scripts that a target may be: ``db:reset`` is ``db/reset``, ``db/reset.sh`` or in a folder."""
        *above, last = [one for one in name.split(":") if one] or [""]
        for folder in self.spec.get("task_folders", ()):
            place = self.context.resolve("/".join((folder, *above)), self.folder)
            names = self.follower.names(place, self.context) if place and last else ()
            paths = [f"{place}/{one}" for one in names if one.partition(".")[0] == last]
            for path in (*paths, f"{place}/{last}/_default"):
                text = self.follower.read(path, self.context)
                if text is not None and not is_binary(text):
                    yield path, text

    def _unseen(self, names: Sequence[str]) -> Iterator[Piece]:
        """The file itself, if what it will hold cannot be known."""
        for name in names:
            path = self.context.resolve(name, self.folder)
            origin = self.follower.unseen(path, self.context) if path else ""
            if path and origin:
                yield Piece(path, "", 0, self.inv.program, self.folder, unseen=origin)

    def _recipe_name(self) -> str:
        return next(iter(self.spec.get("recipe_files", ())), "")

    def _before(self) -> list[tuple[str, str]]:
        """The makefiles that a variable names: they are read before the others, and have no first target."""
        names = dict(self.search.environment()).get("MAKEFILES", "").split()
        found = [one for name in names for one in self._recipe_files([name])]
        return [(path, f"{text}\n.DEFAULT_GOAL :=") for path, text in found]

    def _joined(
        self, kind: str, files: Sequence[tuple[str, str]], given: Sequence[str]
    ) -> Iterator[Piece]:
        """The targets of files with common variables and targets, also with those that they include."""
        if not files:
            return
        path = files[-1][0]
        lines = [
            (line, name, number)
            for name, text in files
            for number, line in enumerate(text.split("\n"), 1)
        ]
        self._include(kind, lines)
        whole = "\n".join(line for line, _, _ in lines)
        found = [
            (one, False) for one in self.of_text(kind, path, whole, *self._wanted(), given=given)
        ]
        for piece, is_placed in (
            *found,
            *(self._rake_program(path, lines) if kind != "make" else ()),
        ):
            if piece.path != path or is_placed:
                yield piece
                continue
            placed = [lines[min(one, len(lines)) - 1] for one in (piece.line, *piece.numbers)]
            numbers = tuple(number for _, _, number in placed[1:])
            yield piece._replace(path=placed[-1][1], line=placed[0][2], numbers=numbers)

    def _rake_program(
        self, path: str, lines: Sequence[tuple[str, str, int]]
    ) -> Iterator[tuple[Piece, bool]]:
        """What the Ruby of the tasks starts, and does to other machines; whether a piece has its place."""
        from operators_edge.gate.disk import rakefiles, whole_programs  # noqa: PLC0415 - for rake

        code = self._run_code("\n".join(line for line, _, _ in lines))
        code = self.search.with_values(Piece(path, code)).text
        for piece in whole_programs.WholeProgram(self.search).pieces([(path, code)]):
            yield piece, False
        runs = rakefiles.rake_as_ruby(code)
        placed = list(zip(runs.split("\n"), lines, strict=True))
        for file in dict.fromkeys(name for _, name, _ in lines):
            own = [(text, number) for text, (_, name, number) in placed if name == file]
            numbers = tuple(number for _, number in own)
            text = "\n".join(text for text, _ in own)
            piece = Piece(file, text, program="ruby", folder=self.folder, is_direct=False)
            yield (
                piece._replace(numbers=numbers, beside=runs if len(own) < len(lines) else ""),
                True,
            )

    def _run_code(self, text: str) -> str:
        """The part of a file that a run reaches: a task of rake may load files, but only when it is run."""
        from operators_edge.gate.disk import rakefiles, recipe_types  # noqa: PLC0415 - for rake

        targets, variables = self._wanted()
        wanted = recipe_types.Wanted(targets, dict(variables), self.inv.is_dry_run())
        return rakefiles.rake_code(text, wanted)

    def _include(self, kind: str, lines: list[tuple[str, str, int]]) -> None:
        """Put each included file behind the line that names it; a line has its text, file and number."""
        seen = {lines[0][1]}
        reader = makefiles.Includes()
        at = done = 0
        while at < len(lines) and len(seen) < MAX_FILES:
            at = _end_of_include(lines, at) if kind == "make" else len(lines)
            part = "\n".join(line for line, _, _ in lines[done:at])
            if kind == "make":
                names, done = reader.read_on(part), at
            else:
                names = [one.path for one in included(kind, self._run_code(part))]
            found = [file for name in names for file in self._files(name, self.folder)]
            for file in reversed(dict.fromkeys(found)):
                read = None if file in seen else self.follower.read(file, self.context)
                seen.add(file)
                new = enumerate(read.split("\n"), 1) if read is not None else ()
                lines[at:at] = [(line, file, number) for number, line in new]

    def _included(self, kind: str, path: str, text: str) -> Iterator[Piece]:
        """The targets in the files that a file includes, and in those that they do."""
        targets, variables = self._wanted()
        top = os.path.dirname(path)
        left = [("", top, path, one) for one in included(kind, text)]
        targets = (*targets, *_called(kind, text, targets)) if left else targets
        if kind == "just":  # ``just module recipe``
            targets += tuple("::".join(pair) for pair in pairwise(targets))
        seen: set[str] = set()
        while left and len(seen) < MAX_FILES:
            before, around, origin, one = left.pop(0)
            prefix = before + one.prefix
            here = None if one.folder is None else self.context.resolve(one.folder, around)
            asked = tuple(name[len(prefix) :] for name in targets if name.startswith(prefix))
            for file in self._files(one.path, os.path.dirname(origin)):
                found = None if file in seen else self.follower.read(file, self.context)
                seen.add(file)
                if found is None:
                    continue
                place = here or os.path.dirname(file)
                left += [(prefix, place, file, deeper) for deeper in included(kind, found)]
                if asked:
                    given = (*variables, ("ROOT_DIR", top))
                    is_led = kind != "taskfile" or bool(dict(variables).keys() - {"HOME"})
                    is_led = is_led or _SETS_FOR_OTHERS.search(text) is not None
                    pieces = self.of_text(kind, file, found, asked, given, is_included=is_led)
                    for piece in pieces:
                        yield piece._replace(folder=here) if here else piece

    def _files(self, name: str, base: str | None) -> Iterator[str]:
        """The file of this name, or the usual one in the folder of this name."""
        path = self.context.resolve(name, base)
        yield from self.search.files_below(base, name)
        for usual in self.spec.get("recipe_files", ()) if path else ():
            yield os.path.join(path or "", usual)

    def _is_in_workspaces(self) -> bool:
        words = self.spec.get("recipe_workspaces", ())
        return "" in words or any(word.partition("=")[0] in words for word in self.search.words[1:])

    def _workspaces(self, kind: str, top: str) -> Iterator[Piece]:
        """The targets in the folders below: which of them is meant depends on their names."""
        targets, variables = self._wanted()
        names = [one.text for one in self.inv.operands]
        if not targets or targets[0] in self.spec["recipe_workspaces"]:  # `yarn workspace x test`
            targets = tuple(names)
        if "" in self.spec["recipe_workspaces"]:  # `nx run shop:test`, `turbo run shop#test`
            targets += tuple(one for name in targets for one in re.split("[:#]", name)[1:2])
        for below in ("*", "*/*"):
            for path in self._folders(top, below.count("/") + 1):
                file = os.path.join(path, self._recipe_name())
                text = self.follower.read(file, self.context)
                if text is not None:
                    yield from self.of_text(kind, file, text, targets, variables)

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

    def of_text(
        self,
        kind: str,
        path: str,
        text: str,
        targets: tuple[str, ...],
        variables: tuple[tuple[str, str], ...],
        *,
        given: Sequence[str] = (),
        is_included: bool = False,
    ) -> Iterator[Piece]:
        is_dry = self.inv.is_dry_run()
        if kind == "taskfile":
            places = {"ROOT_DIR": os.path.dirname(path), "USER_WORKING_DIR": self.folder or HOLE}
            places["TASKFILE_DIR"] = os.path.dirname(path)
            variables = tuple({**places, **dict(variables)}.items())
        if kind == "make" and _LISTS_FILES.search(text):
            from operators_edge.gate.disk import listed_loops  # noqa: PLC0415 - few list scripts

            text = listed_loops.with_made_lists(self.search, path, text)
        loaded = self._dotenv(kind, path, text) if kind in _LOADS and not is_included else ()
        read = partial(
            recipes_of,
            *(kind, text, targets),
            is_dry=is_dry,
            is_included=is_included,
            runs_hooks=kind == "package-scripts" and self._runs_hooks(os.path.dirname(path)),
        )
        runs = self._runs(kind, text, partial(read, variables), loaded)
        if kind == "make" and any(one.name in _GOES_BEFORE for one in self.inv.flags):
            over = tuple({**dict(self._environment(text)), **dict(variables)}.items())
            runs += self._runs(kind, text, partial(read, over), loaded)
        if kind == "package-scripts":
            runs = self._with_more_words(runs, text, targets)
        assigned = loaded or self.search.environment()
        if assigned and kind in _SETS_VARIABLES:
            around = self._settings(kind, path)
            assigned = tuple(
                _with_own(dict(assigned), kind, text + around, dict(variables)).items()
            )
        if kind == "make":  # which it gives to those that it calls
            assigned += tuple(one for one in variables if one[0] in makefiles.UNSET)
        for one in dict.fromkeys(runs):
            if one.is_opaque and not self._is_text_of_file(one.text.strip()):
                yield Piece(path, "", one.line, "sh", self.folder, unseen=self.inv.program)
            for variables in _environments(one, assigned):
                yield Piece(
                    path,
                    _PRINTED.sub(self._printed, one.text) if kind == "make" else one.text,
                    one.line,
                    folder=os.path.dirname(path.replace("/.cargo/", "/"))
                    if not given
                    else self.folder,
                    assigned=variables,
                    is_direct=False,
                    numbers=one.numbers,
                    is_awaited=one.is_awaited,
                )

    def _runs(
        self,
        kind: str,
        text: str,
        read: Callable[..., tuple[Recipe, ...]],
        loaded: tuple[tuple[str, str], ...],
    ) -> list[Recipe]:
        """What the targets run, with each value that variables may have."""
        env = self._environment(text) if kind == "make" else ()
        surely = loaded or tuple(one for one in env if one[0] in makefiles.UNSET)
        read_first = read(environment=surely)
        runs = list(self._in_steps(kind, text, read_first))
        if env:
            known = self._in_steps(kind, text, read(environment=env))
            runs = known if self._has_exported(env, text) else runs + known
        is_joined = kind == "make" and any(one.numbers for one in runs)
        if is_joined and self.context.may_set_any():
            # What the file sets for want of a value may have any other one.
            others = read(environment=(*_other_values(text).items(), *env))
            runs += [one for one in self._in_steps(kind, text, others) if one.numbers]
        if kind in _IN_STEPS and len(read_first) > 1:
            from operators_edge.gate.disk import recipe_steps  # noqa: PLC0415 - for these formats

            runs += recipe_steps.after_changes(read_first)
        return runs

    def _in_steps(self, kind: str, text: str, runs: Sequence[Recipe]) -> list[Recipe]:
        """The recipes, of which those are one that surely follow each other."""
        if kind not in _IN_STEPS or not _GOES_ON.isdisjoint(self.inv.command.environment):
            return list(runs)
        from operators_edge.gate.disk import recipe_steps  # noqa: PLC0415 - for these formats

        return recipe_steps.joined(kind, text, runs, self.search.words)

    def _runs_hooks(self, folder: str) -> bool:
        """Whether npm surely runs the scripts before and behind the one that is named."""
        given = {*self.inv.command.environment, *self.context.values_by_name()}
        places = (f"{one}/.npmrc" for one in (folder, self.context.root, self.context.home))
        texts = (*given, *(self.context.facts.text(one, _MAX_SETTINGS) or "" for one in places))
        is_npm = program_name(self.inv.command.argv[0]) == "npm"
        return is_npm and not any(map(_IGNORES_HOOKS.search, texts))

    def _dotenv(self, kind: str, path: str, text: str) -> tuple[tuple[str, str], ...]:
        """The variables that a file of targets has from other files."""
        from operators_edge.gate.disk import justfiles, taskfiles  # noqa: PLC0415 - for these

        reads = {"taskfile": taskfiles.dotenv_files, "just": justfiles.dotenv_files}[kind]
        found = self.search.variables_of(reads(text), [os.path.dirname(path)])
        return tuple({**found, **dict(self.search.environment())}.items())

    def _with_more_words(
        self, runs: Sequence[Recipe], text: str, targets: tuple[str, ...]
    ) -> list[Recipe]:
        """The scripts of a package, with the words that the command has for them: ``npm run x -- -y``."""
        words = self.search.words
        name = next((one for one in words if one in targets), "")
        rest = words[words.index(name) + 1 :] if name else []
        if "--" in rest:
            rest = rest[rest.index("--") + 1 :]
        elif self.inv.program not in _HAND_ON:
            rest = []
        elif program_name(self.inv.command.argv[0]) in (
            "npm",
            "composer",
        ):  # which take options for themselves
            rest = [] if any(one[:1] == "-" for one in rest) else rest
        is_named = re.compile(rf'"{re.escape(name)}"\s*:')
        lines = text.split("\n")
        named = [
            one
            for one in runs
            if rest and one.line and is_named.search(lines[(one.numbers or (one.line,))[-1] - 1])
        ]
        more = [one._replace(text=f"{one.text} {quoted(rest)}", is_awaited=False) for one in named]
        is_sure = bool(named) and self._surely_hands_on(name)
        is_sure &= all(
            lines[(one.numbers or (one.line,))[-1] - 1].count('":') <= 1 for one in named
        )
        return [one for one in runs if not (is_sure and one in named)] + more

    def _surely_hands_on(self, name: str) -> bool:
        """Whether all words behind the name of a script certainly go to it."""
        words = self.search.words
        if self.inv.command.has_more_words or HOLE in "".join(words):
            return False
        if words[:4] == ["npm", "run", name, "--"]:
            return True
        is_own = name in self.spec.get(
            "recipe_verbs", ()
        )  # `pnpm publish` runs a script of that name, too
        before = words[: words.index(name)]
        runs = before in (["yarn", "run"], ["pnpm", "run"]) or (
            before in (["yarn"], ["pnpm"]) and not is_own
        )
        return runs and "--" not in words

    def _settings(self, kind: str, path: str) -> str:
        """The variables of a file that is loaded with the one that has the targets."""
        place = os.path.join(os.path.dirname(path), ".env")
        return f"\n{self.follower.read(place, self.context) or ''}" if kind == "procfile" else ""

    def _environment(self, text: str) -> tuple[tuple[str, str], ...]:
        """The variables of the shell that a file asks for, as the line sets them."""
        return tuple(
            (name, value)
            for name, value in dict((*self.search.environment(), *self.search.variables())).items()
            if name in text
            and re.search(rf"\$[({{]{re.escape(name)}[)}}]|ifn?def\s+{re.escape(name)}\b", text)
        )

    def _has_exported(self, given: Sequence[tuple[str, str]], text: str) -> bool:
        """Whether make surely gets these variables, and nothing but the file itself may set them again."""
        environment = self.search.environment()
        names = {name for name, _ in environment}
        words = self.search.words[1:]
        return (
            set(given) <= set(environment)
            and names.isdisjoint(("MAKEFLAGS", "MAKEFILES", "GNUMAKEFLAGS"))
            and not any(one.startswith(("--ev", "-E")) or HOLE in one for one in words)
            and sum(map(bool, map(_NAMES_FILE.match, words))) <= 1
            and not _MAY_SET_MORE.search(text.replace("\\\n", " "))
        )

    def _printed(self, match: re.Match[str]) -> str:
        """Return the short text of a file whose content is a part of a command."""
        path = self.search.path(match[1])
        text = self.follower.read(path, self.context) if path else None
        return match[0] if text is None or len(text) > _MAX_PRINTED else text.strip()

    def _is_text_of_file(self, text: str) -> bool:
        """Whether a command is the short text of a file that can be read."""
        found = _PRINTED.fullmatch(text) if text.startswith(("$(cat ", "$(file", "$(<")) else None
        return found is not None and self._printed(found) != text

    def _recipe_files(self, names: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield the nearest of the files, in the folder or above it up to the project.

        Those of a format in ``_TOGETHER`` count together, as a package.json and the deno.json beside it.
        """
        folder, is_found = self.folder, False
        while folder and not is_found:
            for name in names:
                paths = self.search.files_below(folder, name) if "*" in name else [name]
                places = filter(None, (self.context.resolve(one, folder) for one in paths))
                texts = [(path, self.follower.read(path, self.context)) for path in places]
                known = [(path, text) for path, text in texts if text is not None]
                yield from known
                is_found |= bool(known)
                if known and self.spec["recipes"] not in _TOGETHER:
                    break
            if not self.spec.get("recipes_above") or folder in (self.context.root, "/"):
                break
            folder = os.path.dirname(folder)

    def _wanted(self) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
        """Return the targets and variables that the words ask for."""
        names = [word.text for word in self.inv.operands]
        if self.spec["recipes"] == "pom":
            profiles = (one for one in self.search.words if one.startswith("-P"))
            return (*names, *profiles), tuple(self._properties())
        verbs = self.spec.get("recipe_verbs")
        if verbs is not None:
            run = next((n for n, name in enumerate(names) if name in verbs), None)
            if not names and "" in verbs:
                return tuple(verbs[""].split()), ()
            if run is None:
                return (tuple(names[:1]) if self.spec.get("recipe_any") else ()), ()
            chosen = verbs[names[run]].split() or names[run + 1 : run + 2]
            more = [name for before, name in pairwise(names) if before == ":::"]
            return (*chosen, *more), ()  # ``mise run a ::: b``
        home = [["HOME", "=", self.context.home]]
        given = home + [name.partition("=") for name in names if "=" in name]
        targets = tuple(name for name in names if "=" not in name)
        return targets, tuple((name, value) for name, _, value in given)

    def _properties(self) -> Iterator[tuple[str, str]]:
        """The properties of a build with Maven; one named "" if others may be set for it."""
        from operators_edge.gate.disk import poms  # noqa: PLC0415 - for builds with Maven

        words, home = self.search.words, self.context.home
        own = dict[str, set[str]]()
        for word in words:
            if word.startswith("-D"):
                name, equals, value = word[2:].partition("=")
                own.setdefault(name, set()).add(value if equals else "true")
                yield name, value if equals else "true"
        variables = (*self.search.variables(), *self.search.environment())
        given = [f"{name}={value}" for name, value in variables]
        folders = dict.fromkeys((self.folder, self.context.root))
        places = [f"{folder}/{one}" for folder in folders for one in poms.SETTINGS]
        places.append(f"{home}/.m2/settings.xml")
        texts = [self.context.facts.text(one, _MAX_SETTINGS) or "" for one in places]
        is_known = not any(map(poms.SETS_PROPERTIES.search, (*given, *texts)))
        is_known &= all(len(one) == 1 for one in own.values()) and HOLE not in " ".join(words)
        is_known &= not any(map(poms.NAMES_SETTINGS.match, words))
        if not is_known or self.context.facts.size(f"{home}/.mavenrc") is not None:
            yield "", ""


def _with_own(
    environment: dict[str, str], kind: str, text: str, given: Mapping[str, str]
) -> dict[str, str]:
    """The variables that recipes get: what a file, or a word of the line, sets goes before the line's own."""
    if _OVERRIDES.search(text):
        return dict.fromkeys(environment, HOLE)
    found = {}
    for name, value in environment.items():
        source = _SETS_VARIABLES[kind].replace("NAME", re.escape(name))
        sets = [one[1] or "" for one in matches_beside(re.compile(source), text)]
        own = sets[0].strip().strip("'\"") if len(sets) == 1 else HOLE
        found[name] = (own if _PLAIN_VALUE.fullmatch(own) else HOLE) if sets else value
    return {**found, **{name: given[name] for name in found.keys() & given.keys()}}


def _environments(
    recipe: Recipe, assigned: tuple[tuple[str, str], ...]
) -> Iterator[tuple[tuple[str, str], ...]]:
    """Yield the variables of a recipe: with what the file gives it, and without what it may not give it."""
    given = dict(recipe.environment)
    line = dict(assigned)
    sure = {name: value for name, value in given.items() if name not in recipe.doubtful}
    yield tuple({**given, **line, **sure}.items())
    if len(sure) < len(given):
        yield tuple({**line, **sure}.items())


_FOR_WANT = pattern(r"(?m)^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*\?=[ \t]*([^\s#]+)")
_ELSEWHERE = "elsewhere.example.com"


def _other_values(text: str) -> dict[str, str]:
    """Other ports and hosts for the variables that a makefile only sets if nothing else does."""
    found = {}
    for name, value in _FOR_WANT.findall(text):
        if value.isdigit():
            found[name] = str(int(value) + 1)
        elif "://" in value:
            found[name] = f"{value.partition('://')[0]}://{_ELSEWHERE}/"
        elif value in ("localhost", "127.0.0.1"):
            found[name] = _ELSEWHERE
    return found


@lru_cache(maxsize=256)
def recipes_of(
    kind: str,
    text: str,
    targets: tuple[str, ...],
    variables: tuple[tuple[str, str], ...],
    *,
    is_dry: bool = False,
    environment: tuple[tuple[str, str], ...] = (),
    is_included: bool = False,
    runs_hooks: bool = False,
) -> tuple[Recipe, ...]:
    from operators_edge.gate.disk import recipe_formats, recipe_types  # noqa: PLC0415 - most commands have none

    given = (targets, dict(variables), is_dry, dict(environment), is_included, runs_hooks)
    wanted = recipe_types.Wanted(*given)
    return tuple(recipe_formats.recipes(kind, text, wanted))


def _called(kind: str, text: str, targets: Sequence[str]) -> list[str]:
    """The targets that the named ones of a file call, in other files, too."""
    from operators_edge.gate.disk import recipe_formats  # noqa: PLC0415 - most commands have none

    return recipe_formats.needs(kind, text, targets)


def _end_of_include(lines: Sequence[tuple[str, str, int]], at: int) -> int:
    """Where the next line ends that includes a Makefile, with those that it goes on in; else the last one."""
    while at < len(lines):
        at += 1
        if makefiles.INCLUDE.match(lines[at - 1][0].lstrip(" ")):
            while at < len(lines) and lines[at - 1][0].endswith("\\"):
                at += 1
            break
    return at


def included(kind: str, text: str) -> list[Included]:
    from operators_edge.gate.disk import recipe_formats  # noqa: PLC0415 - most commands have none

    return recipe_formats.includes(kind, text)[:MAX_FILES]


# end of module
