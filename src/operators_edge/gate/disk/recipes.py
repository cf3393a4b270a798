"""Files that hold commands in formats of a few lines: compose files, a Procfile, lists of requirements.

Owns how such a file says what it runs, with the line of each command. Pure: text in, commands out; what
cannot be known is a HOLE. Does not own formats with a module of their own (``gate.disk.recipe_formats``),
which program reads which file (the packs), reading it (``gate.disk.follow``) or judging (``gate.pieces``).
"""

from __future__ import annotations

import re
import shlex
from itertools import pairwise

from operators_edge.gate.disk.recipe_types import MAX_RECIPES, Recipe, Wanted, items_of
from operators_edge.shell.commands import HOLE, quoted
from operators_edge.text import yaml_values
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import pattern
from operators_edge.text.settings_files import toml, values_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# -- Go ------------------------------------------------------------------------------------------------

_GENERATE = pattern(r"(?m)^//go:generate[ \t]+(.+)$")


def go_generate(text: str, _: Wanted) -> list[Recipe]:
    """The commands that ``go generate`` runs, which comments of a source file name."""
    found = list(_GENERATE.finditer(text))[:MAX_RECIPES]
    names = {
        name: words
        for one in found
        if (given := re.match(r"-command[ \t]+(\S+)[ \t]+(.*)", one[1]))
        for name, words in [given.groups()]
    }
    runs = [(one[1].partition(" "), line_at(text, one.start())) for one in found]
    return [
        Recipe(f"{names.get(name, name)}{space}{rest}", line)
        for (name, space, rest), line in runs
        if name != "-command"
    ]


# -- PlatformIO ------------------------------------------------------------------------------------------

_SECTION = pattern(r"(?m)^\[([^\]\n]+)\][^\n]*$")
_PIO_SETTING = pattern(
    r"(?m)^(extra_scripts|upload_command|program|test_testing_command)"
    r"[ \t]*=[ \t]*((?:[^\n]*)(?:\n[ \t]+[^\n]*)*)"
)


def platformio(text: str, wanted: Wanted) -> list[Recipe]:
    """The scripts that a build of firmware runs, before and after; ``wanted.targets`` are all words."""
    heads = list(_SECTION.finditer(text))
    ends = [one.start() for one in heads[1:]] + [len(text)] * bool(heads)
    words = list(wanted.targets)
    chosen = [after for word, after in pairwise(words) if word in ("-e", "--environment")]
    chosen += [word[2:] for word in words if re.match(r"-e\w", word)]
    found = []
    for head, end in zip(heads, ends, strict=True):
        kind, _, name = head[1].partition(":")
        is_other = kind == "env" and name and chosen and name not in chosen
        if is_other and text.count(f"env:{name}") == 1:  # no other section extends it
            continue
        for one in _PIO_SETTING.finditer(text, head.end(), end):
            number = line_at(text, one.start())
            if one[1] == "extra_scripts":
                found += [Recipe(f"python3 {path}", number) for path in _pio_scripts(one[2])]
            elif one[1] != "upload_command" or "upload" in words:
                found.append(Recipe(" ".join(one[2].split()), number))
    return found[:MAX_RECIPES]


def _pio_scripts(value: str) -> list[str]:
    """``pre:a.py, post:b.py``, on one line or several."""
    named = re.split(r"[\n,]", re.sub(r"(?m)(?:^|\s)[;#][^\n]*", "", value))
    paths = [re.sub(r"\A(?:pre|post):", "", one.strip()) for one in named]
    return [one.replace("$PROJECT_DIR/", "") for one in paths if one.endswith(".py")]


# -- Python packages, virtual machines ----------------------------------------------------------------

_LOCAL_REQUIREMENT = pattern(
    r"(?m)^[ \t]*((?:(?:-e|--editable)[ \t=]+)?(?:file:)?\.{0,2}/?[^\s:;#-]*/?)[ \t]*(?:#.*)?$"
)
_NESTED = pattern(r"(?m)^[ \t]*(?:-r|--requirement)[ \t=]+(\S+)")
_BACKEND = pattern(r"(?m)^[ \t]*build-backend[ \t]*=[ \t]*[\"']([\w.]+)")
_BACKEND_PATH = pattern(r"(?m)^[ \t]*backend-path[ \t]*=[ \t]*\[\s*[\"']([^\"']+)")


def requirements(text: str, _: Wanted) -> list[Recipe]:
    """The folders that a list of requirements installs: building them runs their code."""
    local = [
        one for one in _LOCAL_REQUIREMENT.finditer(text) if "/" in one[1] or one[1][-1:] == "."
    ]
    found = [
        Recipe(f"pip install {one[1].replace('file:', '')}", line_at(text, one.start()))
        for one in local
    ]
    found += [
        Recipe(f"pip install -r {one[1]}", line_at(text, one.start()))
        for one in _NESTED.finditer(text)
    ]
    return found[:MAX_RECIPES]


def build_backend(text: str, _: Wanted) -> list[Recipe]:
    """The module of the project that builds it, as a pyproject.toml names it, and scripts of the builder."""
    module, folder = _BACKEND.search(text), _BACKEND_PATH.search(text)
    found = list(_build_hooks(text))
    number = line_at(text, module.start()) if module else 0
    if module and folder:
        run = f"PYTHONPATH={folder[1]} python3 -c 'import {module[1]}'"
        found.append(Recipe(run, number))
    elif module and module[1] == "pdm.backend":
        found += _hooks_of_pdm("pdm_build.py", number)
    return found


_BUILD_HOOKS = (
    ("hooks.custom", "tool.hatch.build.hooks.custom"),
    ("hooks.custom", "tool.hatch.build.targets.*.hooks.custom"),
    ("hooks.custom", "tool.hatch.metadata.hooks.custom"),
    ("custom-hook", "tool.pdm.build.custom-hook"),
    ("tool.poetry", "tool.poetry.build"),
)
"""Where a script of a builder is named, behind a word that is in the text then."""


def _build_hooks(text: str) -> Iterator[Recipe]:
    """Yield the scripts that a builder runs: a path, or a table with one, which has a usual name."""
    for name, place in _BUILD_HOOKS:
        for value in values_at(toml(text) or {}, place) if name in text else ():
            own = value if isinstance(value, dict) else {"path": value}
            path = own.get("path", own.get("script", "hatch_build.py"))
            number = line_at(text, text.index(name))
            if name == "custom-hook" and isinstance(path, str):
                yield from _hooks_of_pdm(path, number)
            elif isinstance(path, str):
                yield Recipe(f"python3 {quoted([path])}", number)


def _hooks_of_pdm(path: str, number: int) -> Iterator[Recipe]:
    """Yield the calls of the functions that the builder looks for in a file."""
    folder, _, name = path.removesuffix(".py").rpartition("/")
    for hook in ("hook_enabled", "initialize", "update_files", "update_setup_kwargs", "finalize"):
        code = f"from {name} import pdm_build_{hook} as hook; hook(context, [])"
        yield Recipe(f"PYTHONPATH={folder or '.'} python3 -c {quoted([code])}", number)


def jvm_options(text: str, _: Wanted) -> list[Recipe]:
    """The options with which a virtual machine is started."""
    found = re.finditer(r"(?m)^[ \t]*(?:org\.gradle\.jvmargs[ \t]*=[ \t]*)?(-[^\n]+)$", text)
    return [Recipe(f"java {one[1]}", line_at(text, one.start())) for one in found][:MAX_RECIPES]


def cargo_aliases(text: str, wanted: Wanted) -> list[Recipe]:
    """What cargo runs for a name of the project's own: ``[alias]`` in ``.cargo/config.toml``."""
    aliases = (toml(text) or {}).get("alias")  # cargo refuses what is no TOML, too
    name, *rest = [one for one in wanted.targets if one[:1] != "+"] or [""]
    value = aliases.get(name) if isinstance(aliases, dict) else None
    words = value.split() if isinstance(value, str) else value
    if not (isinstance(words, list) and all(isinstance(word, str) for word in words)):
        return []
    line = re.search(rf"(?m)^[ \t]*[\"']?{re.escape(name)}[\"']?[ \t]*=", text)
    return [
        Recipe(shlex.join(["cargo", *words, *rest]), line_at(text, line.start()) if line else 1)
    ]


# -- Procfile ---------------------------------------------------------------------------------------

_ENTRY = pattern(r"(?m)^[ \t]*([\w-]+)[ \t]*:[ \t]*(\S[^\n]*)$")


def procfile(text: str, _: Wanted) -> list[Recipe]:
    """Every entry of a Procfile: all are started."""
    return [Recipe(one[2], line_at(text, one.start())) for one in _ENTRY.finditer(text)][
        :MAX_RECIPES
    ]


# -- pre-commit ---------------------------------------------------------------------------------------


def pre_commit(text: str, _: Wanted) -> list[Recipe]:
    """The hooks with a command in two places: ``entry: bash`` with ``args: [-c, "…"]``, ``entry: *name``."""
    data, lines = yaml_values.read(text), text.split("\n")
    found: list[Recipe] = []
    for hook in _hooks(data):
        entry, args = hook.get("entry"), hook.get("args")
        number = hook.lines.get("entry", 0)
        if isinstance(entry, str) and isinstance(args, list) and args:
            words = quoted([one if isinstance(one, str) else HOLE for one in args])
            found.append(Recipe(f"{entry} {words}", number))
        elif isinstance(entry, str) and entry not in lines[max(number - 1, 0)]:
            found.append(Recipe(" ".join(entry.split()), number))
    return found[:MAX_RECIPES]


def _hooks(data: object) -> Iterator[yaml_values.Keys]:
    """The tables in the lists of hooks; none of a file of another form."""
    repositories = data.get("repos") if isinstance(data, dict) else None
    for repository in repositories if isinstance(repositories, list) else ():
        hooks = repository.get("hooks") if isinstance(repository, dict) else None
        for hook in hooks if isinstance(hooks, list) else ():
            if isinstance(hook, yaml_values.Keys):
                yield hook


# -- compose -------------------------------------------------------------------------------------------

_ITEM = pattern(r"'([^'\n]*)'|\"((?:[^\"\\\n]|\\.)*)\"")
_SERVICE = pattern(r"( +)([\w.-]+):\s*(?:#.*)?")
_COMPOSE_FLAGS = {
    "privileged": "--privileged=",
    "pid": "--pid=",
    "ipc": "--ipc=",
    "network_mode": "--network=",
    "userns_mode": "--userns=",
    "source": "--volume=",
}
_COMPOSE_LISTS = {
    "volumes": "-v",
    "devices": "--device",
    "cap_add": "--cap-add",
    "security_opt": "--security-opt",
}


def compose(text: str, _: Wanted) -> list[Recipe]:
    """What each service of a compose file amounts to: ``docker run`` with what it gets of the machine."""
    services: list[tuple[int, list[str], list[str]]] = []
    runs: dict[int, dict[str, str]] = {}
    is_service, indent, key = False, 0, ""
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.rstrip()
        depth = len(line) - len(line.lstrip())
        if not line or line.lstrip()[:1] == "#":
            continue
        if depth == 0:
            is_service, indent = line.partition(":")[0] == "services", 0
        elif is_service and (not indent or depth == indent) and (head := _SERVICE.fullmatch(line)):
            indent = len(head[1])
            services.append((number, [], []))
        elif is_service and services:
            key = _add_to_service(services[-1], line.strip(), key)
            if given := _SERVICE_RUNS.fullmatch(line.strip()):
                runs.setdefault(services[-1][0], {})[given[1]] = given[2]
    found = [
        Recipe(" ".join(["docker run", *flags, *(image or ["image"])]), number)
        for number, flags, image in services[:MAX_RECIPES]
    ]
    for number, flags, _image in services[:MAX_RECIPES]:
        deleted = _deleted_through_mounts(flags, runs.get(number, {}))
        found += [Recipe(one, number) for one in deleted]
    return found


_SERVICE_RUNS = pattern(r"(command|entrypoint|working_dir):\s*(\S.*)")
_DELETES_HERE = pattern(r"\brm\b|-delete\b|\bunlink\b|\bshred\b")


def _deleted_through_mounts(flags: Sequence[str], runs: Mapping[str, str]) -> list[str]:
    """What the command of a service deletes in folders that are mounted into it, as it is outside."""
    given = [runs[key] for key in ("entrypoint", "command") if key in runs]
    command = " ".join(
        " ".join(map(shlex.quote, items_of(one))) if one[:1] == "[" else one for one in given
    )
    if not _DELETES_HERE.search(command):
        return []
    inside = runs.get("working_dir", "").strip("'\"")
    found = []
    for flag in flags:
        host, _, rest = flag.removeprefix("-v ").partition(":")
        target, _, mode = rest.partition(":")
        if not flag.startswith("-v .") or not target.startswith("/") or "ro" in mode.split(","):
            continue
        place = target.rstrip("/")
        here = f"{host}{inside[len(place) :]}" if f"{inside}/".startswith(f"{place}/") else ""
        text = re.sub(rf"(?<![\w.]){re.escape(place)}(?=[/\s'\"]|$)", host.rstrip("/"), command)
        if here or text != command:
            found.append(text if text != command else f"cd {shlex.quote(here)} && {command}")
    return found


def _add_to_service(service: tuple[int, list[str], list[str]], line: str, key: str) -> str:
    """Add a line of a service to its options; return the key whose list the next lines are."""
    _, flags, image = service
    is_item = line.startswith("- ")
    name, colon, rest = line.removeprefix("- ").partition(":")
    value = rest.strip().strip("\"'")
    if is_item and key in _COMPOSE_LISTS and (name not in ("type", "source") or rest[:1] != " "):
        flags.append(
            f"{_COMPOSE_LISTS[key]} {line.removeprefix('- ').strip().strip(chr(34) + chr(39))}"
        )
    elif colon and name in _COMPOSE_FLAGS and value:
        flags.append(_COMPOSE_FLAGS[name] + value + (":/source" if name == "source" else ""))
    elif colon and name in _COMPOSE_LISTS and value[:1] == "[":
        flags += [f"{_COMPOSE_LISTS[name]} {one or other}" for one, other in _ITEM.findall(value)]
    elif name == "image" and value:
        image.append(value)
    return key if is_item or not colon or rest.strip() else name


# end of module
