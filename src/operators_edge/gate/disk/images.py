"""Images that a Dockerfile of the project makes: which files of the project they hold, and what they run.

``docker build -t job . && docker run job`` runs what the Dockerfile's ``CMD`` says, in files that ``COPY``
puts there. Owns reading a Dockerfile for that, the command in a container with the machine's files in their
place (``Program``), and which image a ``run`` on the same line means. Does not own what of it counts
(``gate.own.container_runs.Inside``). Pure but for ``Facts``.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate.disk.lent_folders import PATH, on_machine
from operators_edge.gate.disk.search import Piece, SearchPart
from operators_edge.gate.own import container_runs
from operators_edge.shell.commands import HOLE, quoted
from operators_edge.shell.wrapper_table import RUN_FLAGS
from operators_edge.text import yaml_values
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from operators_edge.shell.commands import Command

_MAX_WORDS = 64
_ENGINES = frozenset(("docker", "podman", "nerdctl"))
_OF_RUN = frozenset(RUN_FLAGS.split())
_OF_BUILD = frozenset("q quiet pull no-cache rm force-rm squash load push compress debug D".split())  # noqa: SIM905


class Image(NamedTuple):
    """What a Dockerfile makes: its files by where they are, and what it runs."""

    files: list[tuple[str, str]]
    folder: str = "/"
    entrypoint: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    variables: tuple[tuple[str, str], ...] = ()


class Program(NamedTuple):
    """What a container runs: its words, and where its folders are on the machine; ``path`` says so."""

    path: str
    line: int
    words: Sequence[str]
    where: str
    places: Sequence[tuple[str, str]]
    inside: container_runs.Inside

    def piece(self, search: SearchPart, base: str) -> Piece:
        """The command with the files of the machine in the place of those in the container."""
        folder = on_machine(self.where, self.places) or base
        if search.follower.read(folder, search.context) is not None:
            folder = base  # a file that was put into the folder
        words = self.words[:_MAX_WORDS]
        if words[:2] == ["sh", "-c"]:
            text = PATH.sub(lambda one: self._translated(one[0], folder, search), words[2])
            told = ["sh", "-c", text, *words[3:]]
        else:
            told = [self._translated(one, folder, search) for one in words]
        return Piece(
            self.path,
            quoted(told),
            self.line,
            folder=folder,
            assigned=self.inside.variables,
            is_direct=False,
            inside=self.inside,
        )

    def _translated(self, word: str, folder: str, search: SearchPart) -> str:
        """A word of the command, with the file of the machine that it names in its place."""
        if not re.fullmatch(r"[\w./-]+", word) or word[:1] == "-":
            return word
        path = os.path.normpath(os.path.join(self.where, word))
        found = on_machine(path, self.places)
        if found is None or found == os.path.normpath(os.path.join(folder, word)):
            return word
        is_there = search.follower.read(found, search.context) is not None
        return found if is_there or word[:1] == "/" else word


class _Given(NamedTuple):
    """The options of a subcommand with their values, its other words, and the command."""

    options: list[tuple[str, str]]
    rest: list[str]
    command: Command

    def values(self, *names: str) -> list[str]:
        return [value for name, value in self.options if name in names]


class BuiltImage(SearchPart):
    """The image that one command runs, if the line has built it from a file."""

    def pieces(self, path: str, text: str) -> Iterator[Piece]:
        run = _given(self.inv.command, "run", _OF_RUN)
        is_shut_in = "none" in run.values("--network", "--net")
        serves = bool(run.values("-p", "--publish", "-P", "--publish-all")) and not run.rest[1:]
        if not run.rest or is_shut_in or serves:  # what is served acts when it is asked to
            return
        build = next((one for one in self._builds() if _makes(one, run.rest[0])), None)
        if build is None:
            return
        base = self.context.absolute_folder(build.command.cwd)
        context = self.context.resolve(build.rest[-1], base)
        if context is None or self._dockerfile(build, context, base) != path:
            return
        image = of_dockerfile(text, context, "".join(build.values("--target")[-1:]))
        entry = run.values("--entrypoint")[-1:]
        command = run.rest[1:] or (() if entry else image.command)
        words = [*(entry or image.entrypoint), *command]
        if not words:
            return
        given = (one.partition("=") for one in run.values("-e", "--env"))
        variables = {**dict(image.variables), **{name: value for name, _, value in given}}
        places = [*self._mounted(run.values("-v", "--volume")), *image.files]
        where = [*run.values("-w", "--workdir"), image.folder][0]
        program = Program(path, 1, words, where, places, container_runs.inside_of(variables))
        yield program.piece(self, context)

    def _builds(self) -> Iterator[_Given]:
        """The commands of the text that build an image, the last one first."""
        yield from filter(None, map(_build_of, reversed(self.context.commands)))

    def _dockerfile(self, build: _Given, context: str, base: str | None) -> str | None:
        named = build.values("-f", "--file")[-1:]
        if named:
            return self.context.resolve(named[0], base)
        usual = (os.path.join(context, name) for name in ("Dockerfile", "Containerfile"))
        read = self.follower.read
        return next((one for one in usual if read(one, self.context) is not None), None)

    def _mounted(self, volumes: Sequence[str]) -> list[tuple[str, str]]:
        """Where folders of the machine are in the container, and which."""
        found = []
        for one in volumes:
            source, _, rest = one.partition(":")
            target = rest.partition(":")[0]
            path = self.search.path(source) if source[:1] in ("/", ".", "~") else None
            if path and target[:1] == "/":
                found.append((os.path.normpath(target), path))
        return found


def image_of(command: Command) -> str:
    """The image that a container is made of, by a command that runs or creates one; "" for none."""
    verbs = [word.text for word in command.argv if word.text in ("run", "create")]
    return "".join(_given(command, verbs[0], _OF_RUN).rest[:1]) if verbs else ""


def makes(command: Command, name: str) -> bool:
    """Whether a command builds the image of this name."""
    build = _build_of(command)
    return build is not None and _makes(build, name)


def _build_of(command: Command) -> _Given | None:
    if not command.argv or command.argv[0].text not in _ENGINES:
        return None
    given = _given(command, "build", _OF_BUILD)
    return given if given.rest else None


def _given(command: Command, verb: str, flags: frozenset[str]) -> _Given:
    """Take a subcommand apart: all options except known flags have a value."""
    words = [word.text for word in command.argv]
    at = next((n for n, word in enumerate(words) if word == verb), len(words)) + 1
    options: list[tuple[str, str]] = []
    rest: list[str] = []
    while at < len(words):
        word = words[at]
        name, equals, value = word.partition("=")
        at += 1
        is_long = name[:2] == "--"
        if name[:1] != "-":
            if verb != "build":
                rest = words[at - 1 :]
                break
            rest.append(word)
            continue
        is_flag = name.lstrip("-") in flags or (not is_long and set(name[1:]) <= flags)
        if not is_long and len(name) > 2 and not is_flag:
            name, value = name[:2], word[2:]
        elif not equals and not is_flag and at < len(words):
            value, at = words[at], at + 1
        options.append((name, value))
    return _Given(options, rest, command)


def _makes(build: _Given, name: str) -> bool:
    """Whether a build makes the image of this name, or prints its number for it."""
    if HOLE in name:
        return build.command.through[-1:] == ("$(…)",)
    tags = build.values("-t", "--tag")
    return any(one in (name, f"{name}:latest") or f"{one}:latest" == name for one in tags)


# -- Dockerfile ------------------------------------------------------------------------------------

_STEP = pattern(r"(?i)^[ \t]*([A-Z]+)[ \t]+(.*)$")
_STAGE = pattern(r"(?i)^(?:--\S+[ \t]+)*(\S+)(?:[ \t]+as[ \t]+(\S+))?")


def of_dockerfile(text: str, context: str, target: str) -> Image:
    """What the last stage, or the one that is asked for, has of the project's files, and what it runs."""
    stages: dict[str, Image] = {}
    image = Image([])
    name = ""
    for line in _steps(text):
        step = _STEP.match(line)
        verb, rest = (step[1].upper(), step[2].strip()) if step else ("", "")
        if verb == "FROM":
            if target and name == target:
                return image
            stage = _STAGE.match(rest)
            before, name = (stage[1].lower(), stage[2] or "") if stage else ("", "")
            image = stages.get(before, Image([]))
            image = image._replace(files=list(image.files))
        elif verb == "WORKDIR":
            image = image._replace(folder=os.path.normpath(os.path.join(image.folder, _bare(rest))))
        elif verb in ("COPY", "ADD"):
            _copy(rest, image, context, stages)
        elif verb == "ENTRYPOINT":
            image = image._replace(entrypoint=_run_form(rest), command=())
        elif verb == "CMD":
            image = image._replace(command=_run_form(rest))
        elif verb == "ENV":
            pairs = re.findall(r"(\w+)=(?:\"([^\"]*)\"|'([^']*)'|(\S*))", rest)
            values = tuple((key, a or b or c) for key, a, b, c in pairs)
            image = image._replace(variables=(*image.variables, *values))
        stages[name.lower() or f"stage {len(stages)}"] = image
    return image


def _steps(text: str) -> list[str]:
    lines = [line for line in text.split("\n") if line.lstrip()[:1] != "#"]
    return re.sub(r"\\[ \t]*\n", " ", "\n".join(lines)).split("\n")


def _bare(text: str) -> str:
    return text.strip("\"'")


def _run_form(text: str) -> tuple[str, ...]:
    """``["python", "x.py"]``, or a text for the shell."""
    value = yaml_values.read(text) if text[:1] == "[" else None
    return tuple(map(str, value)) if isinstance(value, list) else ("sh", "-c", text)


def _copy(text: str, image: Image, context: str, stages: Mapping[str, Image]) -> None:
    """Note where ``COPY`` puts files: a later one goes before those that are there."""
    origin = re.search(r"--from=(\S+)", text)
    text = re.sub(r"--\S+[ \t]*", "", text).strip()
    value = yaml_values.read(text) if text[:1] == "[" else None
    words = [str(one) for one in value] if isinstance(value, list) else text.split()
    if len(words) < 2:
        return
    *sources, last = map(_bare, words)
    target = os.path.normpath(os.path.join(image.folder, last))
    is_folder = last.endswith(("/", ".")) or len(sources) > 1
    for source in sources:
        if origin is not None:
            stage = stages.get(origin[1].lower())
            path = (
                on_machine(os.path.normpath(os.path.join("/", source)), stage.files)
                if stage
                else None
            )
        else:
            path = os.path.normpath(os.path.join(context, source.lstrip("/")))
        if path is None:
            continue
        place = os.path.join(target, os.path.basename(path)) if is_folder else target
        image.files.insert(0, (target, path))
        image.files.insert(0, (place, path))


# end of module
