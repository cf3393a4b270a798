"""What the services of a compose file run, as far as it lies in the project.

``docker compose run job`` runs the command of ``job`` in a container: from its image, which a Dockerfile of
the project fills with files of the project, or from folders that are mounted into it. So the command is
judged with these files in its place, and with the variables of the service. What it does to files is the
container's matter, and so is a database beside it (``Inside``); what it deletes elsewhere is not.

Owns which services a command starts, and where their files and variables come from. Does not own following
(``gate.disk.follow``). Pure but for ``Facts``.
"""

from __future__ import annotations

import os.path
import shlex
from typing import Any

from operators_edge.gate.disk.images import Image, Program, of_dockerfile
from operators_edge.gate.disk.search import Piece, SearchPart
from operators_edge.gate.own import container_runs
from operators_edge.shell.commands import HOLE
from operators_edge.shell.wrapper_table import IMAGES
from operators_edge.text import yaml_values
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Mapping

    from operators_edge.gate.disk.search import Search

Variables = tuple[tuple[str, str], ...]

_NAMES = ("compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml")
_OVERRIDES = tuple(name.replace(".y", ".override.y") for name in _NAMES)
_VALUED = frozenset(
    "-e --env --env-from-file --entrypoint -l --label --name -p --publish -u --user -v --volume -w --workdir"  # noqa: SIM905
    " --pull --cap-add --cap-drop --scale -t --timeout --exit-code-from --attach --no-attach --wait-timeout"
    " --profile -f --file --project-name --project-directory --env-file --ansi --progress --parallel".split()
)
_BEFORE = frozenset(["docker", "podman", "nerdctl", "docker-compose", "podman-compose", "compose"])
_STARTS = frozenset(["run", "up", "create", "start"])
_SERVES = ("ports", "expose", "healthcheck", "restart", "deploy")
"""Keys of a service that answers others: what it runs acts when it is asked to."""
_WORKERS = frozenset(
    "celery rq dramatiq huey arq sidekiq uvicorn gunicorn hypercorn daphne puma unicorn nginx".split()  # noqa: SIM905
)
_ANSWERS = pattern(
    r"\b(?:worker|runserver|serve|server|start|dev|watch|beat|scheduler|consumer|daemon|flask|rails|next"
    r"|vite|streamlit|jupyter)\b"
)
"""Words of a command that waits for others to ask."""
_VARIABLE = pattern(
    r"\$(?:\$|\{(?P<name>\w+)(?:(?P<how>:?[-+?])(?P<other>[^{}]*))?\}|(?P<bare>\w+))"
)
_MAX_SERVICES = 20


class Services(SearchPart):
    """The services that one command starts."""

    def __init__(self, search: Search, path: str) -> None:
        super().__init__(search)
        self.path = path
        self.base = os.path.dirname(path)
        self.verb, self.options, self.named = self._words()

    def pieces(self) -> Iterator[Piece]:
        """Yield what the services run; only once, for the first of the files that are read together."""
        services = self._services()
        if services is None or self.verb not in _STARTS:
            return
        for name in self._started(services):
            service = services[name]
            if self._is_shut_in(service) or not isinstance(service, dict):
                continue
            is_asked = self.verb == "run" and name == self.named[0]
            if not is_asked and any(key in service for key in _SERVES):
                continue
            yield from self._pieces_of(name, service, services, is_asked=is_asked)

    # -- words ------------------------------------------------------------------------------------

    def _words(self) -> tuple[str, list[tuple[str, str]], list[str]]:
        """The subcommand, its options with their values, and the words after them."""
        words = self.search.words
        verb, options, at = "", [], 0
        while at < len(words):
            word = words[at]
            at += 1
            if word[:1] == "-":
                name, equals, value = word.partition("=")
                if not equals and name in _VALUED and at < len(words):
                    value, at = words[at], at + 1
                options.append((name, value))
            elif verb:
                # The words after a service are its command.
                return verb, options, words[at - 1 :]
            elif word not in _BEFORE:
                verb = word
        return verb, options, []

    def _given(self, *names: str) -> list[str]:
        return [value for name, value in self.options if name in names]

    # -- files ------------------------------------------------------------------------------------

    def _services(self) -> dict[str, Any] | None:
        """The services of all files that are read together; None if this is not the first of them."""
        named = [self.search.path(one) for one in self._given("-f", "--file")]
        paths = [one for one in named if one]
        if not paths:
            around = [os.path.join(self.base, name) for name in (*_NAMES, *_OVERRIDES)]
            found = [one for one in around if self.follower.read(one, self.context) is not None]
            first = [one for one in found if os.path.basename(one) in _NAMES][:1]
            paths = first + [one for one in found if os.path.basename(one) in _OVERRIDES][:1]
        if paths[:1] != [self.path]:
            return None
        merged: dict[str, Any] = {}
        for path in paths:
            whole = yaml_values.read(self.follower.read(path, self.context) or "")
            services = whole.get("services") if isinstance(whole, dict) else None
            networks = whole.get("networks") if isinstance(whole, dict) else None
            self.networks = networks if isinstance(networks, dict) else {}
            for name, service in services.items() if isinstance(services, dict) else ():
                known = merged.setdefault(name, {})
                for key, value in service.items() if isinstance(service, dict) else ():
                    known[key] = _merged(known.get(key), value)
        return merged

    def _started(self, services: Mapping[str, Any]) -> list[str]:
        named = self.named[:1] if self.verb == "run" else self.named
        profiles = {*self._given("--profile")}
        left = [one for one in named if one in services] or (
            []
            if self.verb == "run"
            else [
                name
                for name, one in services.items()
                if not one.get("profiles") or profiles.intersection(_names(one["profiles"]))
            ]
        )
        found: list[str] = []
        while left and len(found) < _MAX_SERVICES:
            name = left.pop(0)
            if name in found or name not in services:
                continue
            found.append(name)
            needs = _names(services[name].get("depends_on"))
            left += [] if any(one == "--no-deps" for one, _ in self.options) else needs
        return found

    def _is_shut_in(self, service: Mapping[str, Any]) -> bool:
        """Whether a service reaches no other machine: all its networks are internal."""
        if service.get("network_mode") == "none":
            return True
        found = [self.networks.get(one) for one in _names(service.get("networks"))]
        return bool(found) and all(
            isinstance(one, dict) and one.get("internal") is True for one in found
        )

    # -- variables --------------------------------------------------------------------------------

    def _filled(self, text: str) -> str:
        """A text of the file with the variables that are known; a HOLE for any other."""
        given = dict(self.search.variables())
        here = {"HOME": self.context.home, "PWD": self.folder or HOLE}
        known = {**here, **self._project_variables(), **given}

        def value(match: re.Match[str]) -> str:
            name = match["name"] or match["bare"]
            if name is None:
                return "$"
            found = known.get(name, "")
            if match["how"] in ("-", ":-") and not found:
                return match["other"] or ""
            if match["how"] in ("+", ":+"):
                return (match["other"] or "") if found else ""
            return found or HOLE

        return _VARIABLE.sub(value, text)

    def _project_variables(self) -> dict[str, str]:
        names = self._given("--env-file") or [os.path.join(self.base, ".env")]
        paths = map(self.search.path, names)
        return dict(self.search.variables_of_files(paths, is_of_compose=True))

    def _variables(self, service: Mapping[str, Any], image: Image) -> dict[str, str]:
        found = dict(image.variables)
        files = service.get("env_file") or []
        for one in files if isinstance(files, list) else [files]:
            name = one.get("path") if isinstance(one, dict) else one
            path = self.context.resolve(str(name), self.base)
            own = self.search.variables_of_files([path], is_of_compose=True)
            found |= {key: self._filled(value) for key, value in own}
        given = service.get("environment") or {}
        if isinstance(given, list):
            pairs = [str(one).partition("=") for one in given]
            given = {name: value if equals else None for name, equals, value in pairs}
        for name, value in given.items() if isinstance(given, dict) else ():
            if value is None:  # it is handed on
                value = self._filled("${" + str(name) + "}")  # noqa: PLW2901 - with what is known
            shown = str(value).lower() if isinstance(value, bool) else str(value)
            found[str(name)] = self._filled(shown)
        for one in self._given("-e", "--env"):
            name, equals, value = one.partition("=")
            found[name] = value if equals else self._filled("${" + name + "}")
        return found

    # -- programs ---------------------------------------------------------------------------------

    def _pieces_of(
        self, name: str, service: Mapping[str, Any], services: Mapping[str, Any], *, is_asked: bool
    ) -> Iterator[Piece]:
        image = self._image(service)
        variables = self._variables(service, image)
        inside = container_runs.inside_of(variables, services, service)
        words = self._command(service, image, is_asked=is_asked)
        waits = bool(words) and os.path.basename(words[0]) in _WORKERS
        waits |= not is_asked and _ANSWERS.search(" ".join(words)) is not None
        if not words or waits:
            return
        line = getattr(services, "lines", {}).get(name, 1)
        title = service.get("image")
        known = str(title).rpartition("/")[2].partition(":")[0] if title else ""
        if known in IMAGES:
            words = [known, *words]
        places = [*self._mounted(service), *image.files]
        where = (self._given("-w", "--workdir") or [service.get("working_dir") or image.folder])[-1]
        lent = tuple(dict.fromkeys(self._lent(service)))
        inside = inside._replace(is_asked=is_asked, places=tuple(places), lent=lent)
        yield Program(self.path, line, words, str(where), places, inside).piece(self, self.base)

    def _command(self, service: Mapping[str, Any], image: Image, *, is_asked: bool) -> list[str]:
        entrypoint = (
            _argv(service.get("entrypoint"), self._filled) if "entrypoint" in service else None
        )
        command = _argv(service.get("command"), self._filled) if "command" in service else None
        given = self._given("--entrypoint") if is_asked else []
        if given:
            entrypoint, command = shlex.split(given[-1]) if HOLE not in given[-1] else given, []
        if is_asked and self.named[1:]:
            command = self.named[1:]
        if entrypoint is None:
            return [*image.entrypoint, *(image.command if command is None else command)]
        return [*entrypoint, *(command or [])]

    def _mounted(self, service: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Where folders of the machine are in the container, and which."""
        return [(target, path) for target, path, _ in self._mounts(service)]

    def _lent(self, service: Mapping[str, Any]) -> Iterator[str]:
        """The folders of the machine, outside of the project, in which the service can write."""
        for _, path, can_write in self._mounts(service):
            if can_write and not self.context.is_inside(
                path, (self.context.root, *self.context.temp)
            ):
                yield path

    def _mounts(self, service: Mapping[str, Any]) -> list[tuple[str, str, bool]]:
        """The same with whether it can write there."""
        found = []
        listed = service.get("volumes") or []
        for one in [*(listed if isinstance(listed, list) else ()), *self._given("-v", "--volume")]:
            if isinstance(one, dict):
                source, target = (
                    self._filled(str(one.get("source", ""))),
                    str(one.get("target", "")),
                )
                can_write = one.get("read_only") is not True
            else:
                source, _, rest = self._filled(str(one)).partition(":")
                target, _, mode = rest.partition(":")
                can_write = "ro" not in mode.split(",")
            path = (
                self.context.resolve(source, self.base) if source[:1] in ("/", ".", "~") else None
            )
            if path and target[:1] == "/":
                found.append((os.path.normpath(target), path, can_write))
        return found

    def _image(self, service: Mapping[str, Any]) -> Image:
        build = service.get("build")
        if build is None:
            return Image([])
        given = build if isinstance(build, dict) else {"context": build}
        folder = self.context.resolve(self._filled(str(given.get("context", "."))), self.base)
        if folder is None:
            return Image([])
        inline = given.get("dockerfile_inline")
        name = self._filled(str(given.get("dockerfile") or "Dockerfile"))
        path = self.context.resolve(name, folder)
        text = inline if isinstance(inline, str) else self.follower.read(path or "", self.context)
        return of_dockerfile(text or "", folder, str(given.get("target") or ""))


def _names(listed: Any) -> list[str]:
    """The names in a list, or those that a mapping is for."""
    return [str(one) for one in listed] if isinstance(listed, (list, dict)) else []


def _merged(before: Any, value: Any) -> Any:
    """A key of a service that two files have."""
    if isinstance(before, dict) and isinstance(value, dict):
        return {**before, **value}
    if isinstance(before, list) and isinstance(value, list):
        return [*before, *value]
    return value


def _argv(value: Any, filled: Any) -> list[str] | None:
    if value is None:
        return None
    if isinstance(value, list):
        return [filled(str(one)) for one in value]
    try:
        return shlex.split(filled(str(value)))
    except ValueError:
        return None


# end of module
