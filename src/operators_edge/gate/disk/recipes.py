"""Files that hold the commands of named targets: package scripts, compose files and others.

Owns how such a file says what a target runs, with the line of each command. Pure: text in, commands out; what
cannot be known is a HOLE. Does not own Makefiles, justfiles, Taskfiles, Rakefiles and tasks in TOML
(``gate.disk.makefiles``, ``gate.disk.justfiles``, ``gate.disk.taskfiles``, ``gate.disk.rakefiles``,
``gate.disk.toml_tasks``), which program reads which file (the packs), reading it (``gate.disk.follow``) or
judging (``gate.pieces``).
"""

from __future__ import annotations

import json
import re
import shlex
from fnmatch import translate
from itertools import pairwise

from operators_edge.gate.disk import process_calls, task_aliases
from operators_edge.gate.disk.cargo_make import cargo_make, cargo_make_includes
from operators_edge.gate.disk.cmake_lists import cmake, cmake_includes, cmake_tests
from operators_edge.gate.disk.gradle_tasks import applied, gradle
from operators_edge.gate.disk.hcl_files import bake, terraform, terraform_modules
from operators_edge.gate.disk.justfiles import just, just_imports, just_needs
from operators_edge.gate.disk.makefiles import make, make_includes
from operators_edge.gate.disk.playbooks import forced_tasks, playbook_files
from operators_edge.gate.disk.poms import pom
from operators_edge.gate.disk.rakefiles import rake_imports, rake_others
from operators_edge.gate.disk.recipe_types import (
    MAX_RECIPES,
    MAX_TARGETS,
    MAX_VALUE,
    Included,
    Recipe,
    Wanted,
    closure,
    items_of,
)
from operators_edge.gate.disk.taskfiles import task_includes, task_needs, taskfile
from operators_edge.gate.disk.toml_tasks import toml_includes, toml_tasks
from operators_edge.shell.commands import HOLE
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import blanked, pattern
from operators_edge.text.settings_files import toml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

# -- package.json ----------------------------------------------------------------------------------


def package_scripts(text: str, wanted: Wanted) -> list[Recipe]:
    """Named scripts of a package.json or devbox.json, or tasks of a deno.json, with their pre and post."""
    try:
        data = json.loads(text)
        scripts = data.get("scripts", data.get("tasks", data.get("shell", {}).get("scripts", {})))
    except (ValueError, AttributeError, RecursionError):
        return []
    if not isinstance(scripts, dict):
        return []
    found = []
    patterns = [re.compile(translate(name)) for name in wanted.targets if "*" in name]
    matching = [key for key in scripts if any(one.match(key) for one in patterns)]
    left = [*wanted.targets, *matching]
    asked: set[str] = set()
    while left and len(asked) < MAX_TARGETS:
        name = left.pop(0)
        if name in asked:
            continue
        asked.add(name)
        for key in (f"pre{name}", name, f"post{name}"):
            script = scripts.get(key)
            lines = script if isinstance(script, list) else [script]
            texts = [one for one in lines if isinstance(one, str)]
            others = [one[1:].split()[0] for one in texts if _OTHER_SCRIPT.match(one)]
            left += [one for one in others if one in scripts]
            texts = [_php_script(one, data) for one in texts]
            is_sure = wanted.targets == (name,) and isinstance(script, str)
            is_sure &= key == name or wanted.runs_hooks
            found += [Recipe(one, _line_of_key(text, key), is_sure=is_sure) for one in texts]
    return found


_OTHER_SCRIPT = pattern(r"@(?!php\b|composer\b|putenv\b)[\w:-]")
"""A script of composer that another one runs: ``@lint``."""
_PHP_CLASS = pattern(r"\\?([A-Z]\w*(?:\\\w+)*)(?:::\w+)?\s*")


def _php_script(text: str, data: Mapping[str, object]) -> str:
    r"""Return a script of composer as a command: ``@php x.php``, ``@lint``, ``Tasks\Clean::run``."""
    if text[:1] == "@":
        words = text[1:]
        head = words.partition(" ")[0]
        return words if head in ("php", "composer") else f"composer run {words}"
    named = _PHP_CLASS.fullmatch(text) if "::" in text else None
    if named is None:
        return text
    name = named[1].replace("\\", "/")
    for start, folder in _php_folders(data):
        if name.startswith(start):
            return f"php {folder}{name[len(start) :]}.php"
    return f"php {name}.php"


def _php_folders(data: Mapping[str, object]) -> list[tuple[str, str]]:
    """The folders of classes by the beginnings of their names, longest first."""
    found: list[tuple[str, str]] = []
    for key in ("autoload", "autoload-dev"):
        part = data.get(key)
        named = part.get("psr-4") if isinstance(part, dict) else None
        for start, folder in named.items() if isinstance(named, dict) else ():
            place = folder[0] if isinstance(folder, list) and folder else folder
            if isinstance(place, str):
                found.append((start.replace("\\", "/"), f"{place.rstrip('/')}/" if place else ""))
    return sorted(found, key=lambda one: -len(one[0]))


def _line_of_key(text: str, key: str) -> int:
    """Return the line of a script's name; the last one, as an earlier one may be a dependency."""
    at = [match.start() for match in re.finditer(re.escape(json.dumps(key)) + r"\s*:", text)]
    return line_at(text, at[-1]) if at else 1


# -- parts of package.json and the like that other programs run ----------------------------------------

_TOOLS = (
    "lint-staged",
    "simple-git-hooks",
    "husky",
    "nodemonConfig",
    "pre-commit",
    "prisma",
    "exec",
    "execMap",
    "events",
)


def package_tools(text: str, _: Wanted) -> list[Recipe]:
    """Every command that a package.json holds for a tool: ``lint-staged``, hooks of git."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return []
    left = [data[key] for key in _TOOLS if key in data] if isinstance(data, dict) else []
    found: list[Recipe] = []
    while left and len(found) < MAX_RECIPES:
        one = left.pop()
        if isinstance(one, str):
            at = text.find(json.dumps(one))
            found.append(Recipe(one, line_at(text, max(at, 0))))
        elif isinstance(one, (list, dict)):
            left += one if isinstance(one, list) else one.values()
    return found


_SETUP = pattern(
    r"['\"]?(?:globalSetup|globalTeardown|setupFiles|setupFilesAfterEnv|testEnvironment|runner|reporters|require"
    r"|plugins|parser|processors?|presets|extends|formatter|customSyntax|customRules|jsPlugins)['\"]?"
    r"\s*:\s*(\[[^\]]*\]|['\"][^'\"]*['\"])"
)


def setup_files(text: str, _: Wanted) -> list[Recipe]:
    """The files that a test runner's settings have it run first, as commands of node."""
    return [
        Recipe(f"node {name.removeprefix('<rootDir>/')}", line_at(text, one.start()))
        for one in _SETUP.finditer(text)
        for name in re.findall(r"['\"]((?:<rootDir>|\.{1,2})?/[^'\"]+)['\"]", one[1])
    ][:MAX_RECIPES]


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
    """The module of the project that builds it, as a pyproject.toml names it."""
    module, folder = _BACKEND.search(text), _BACKEND_PATH.search(text)
    if module is None or folder is None:
        return []
    return [
        Recipe(
            f"PYTHONPATH={folder[1]} python3 -c 'import {module[1]}'", line_at(text, module.start())
        )
    ]


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


def tasks_in_toml(text: str, wanted: Wanted) -> list[Recipe]:
    """What the named tasks of a TOML file run; whatever may be a command in one that is none."""
    found = toml_tasks(text, wanted)
    return loose(text, wanted) if found is None else found


# -- Procfile ---------------------------------------------------------------------------------------

_ENTRY = pattern(r"(?m)^[ \t]*([\w-]+)[ \t]*:[ \t]*(\S[^\n]*)$")


def procfile(text: str, _: Wanted) -> list[Recipe]:
    """Every entry of a Procfile: all are started."""
    return [Recipe(one[2], line_at(text, one.start())) for one in _ENTRY.finditer(text)][
        :MAX_RECIPES
    ]


# -- compose -------------------------------------------------------------------------------------------

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
        flags += [
            f"{_COMPOSE_LISTS[name]} {one or other}" for one, other, _ in _STRING.findall(value)
        ]
    elif name == "image" and value:
        image.append(value)
    return key if is_item or not colon or rest.strip() else name


# -- any other file that holds commands --------------------------------------------------------------

_STRING = pattern(r"'([^'\n]*)'|\"((?:[^\"\\\n]|\\.)*)\"|`([^`'\n]*)['`]")
_COMMENT = pattern(r"\s*(#|//|--|;|%|\")")
_BEFORE = pattern(
    r"(?i)(?:^|[\s({\[:])(?:!|:?(?:shell|exec|run|run-shell|run-command|system|command|commands|cmd|spawn|script"
    r"|entry|platform shell|execute_process\(\s*COMMAND)\b|[\w.-]+\s*(?!==)[:=]+)[\s:=(]*(?=\S)(.+)"
)
_NAMES_OPTION = pattern(r"\bget_option\(\s*(?:'[^'\n]*'|\"[^\"\n]*\")\s*\)")
"""What it gives is set elsewhere: its own word is no command."""
_RUN_COMMAND = pattern(r"\brun_command\(\s*(?=['\"])((?:'[^'\n]*'|\"[^\"\n]*\"|[^()'\"\n])*)\)")
"""A call of Meson with all its words, of which the first is the program."""
_TAGGED = pattern(r"<(exec|configuration|apply)\b.*?</\1>", re.DOTALL)
_IN_TAGS = pattern(
    r">\s*([^<>]*[^<>\s])\s*<|\b(?:executable|line|value)=(?:\"([^\"]*)\"|'([^']*)')"
)
_NAMES_COMMAND = pattern(
    r"<(?:\w*(?:[eE]xec|[cC]ommand|[cC]md|(?<!de)[sS]cript|[sS]hell)\w*|arg\w*|lines?)\b"
)
"""Elements in the settings of a plugin that it runs something by."""
_CALLED = pattern(r"\(|commandLine|\b(?:run|cmd|command|cmds|entry|args|actions)\b")
"""Where words in a list may be a command; in a list of keywords they are not."""
_DELETES = pattern(
    r"(?:\b(?:remove_dir_all|remove_all|RemoveAll|removeTree|deleteTree(?:Absolute)?|deleteRecursively|deleteDirectory"
    r"|remove_dir|removeDir|rmdir_all|rmdirRecurse|rm_rf!?|rmtree|rmSync|remove\.all|del_dir_r|removeItem|removePathForcibly"
    r"|delete-directory(?:/files)?|delete-tree|delete_directory_and_contents|Directory\.Delete|removeDirectoryRecursive"
    r"|\bIO\.delete)\(?\s*(?:atPath:\s*)?(?:(?:new\s+)?(?:os\.)?(?:[fF]ile|Path))?\(?(?:format!\(\s*)?"
    r"|(?:^|\{)\s*delete[ (]+|(?<![.\w])(?:rm|unlink)\((?=[^)\n]*,\s*recursive\s*=\s*(?i:true|t)\b)"
    r"|\bdelete\((?=[\"'][^\"'\n]+[\"'],\s*[\"']rf?[\"'])"
    r"|\b(?:File|Directory|Path)\((?=[\"'][^\"'\n]+[\"']\)\.(?:deleteRecursively|deleteDir|deleteSync|delete)\())"
    r"[\"']([^\"'\n]+)[\"']"
)
"""Calls that delete a folder with everything in it, in languages that are not read, and of Gradle."""
_DELETES_FILE = pattern(
    r"(?:(?<![.\w])(?:unlink|remove|rmdir)\(|\bos\.Remove\(|\bremove_file\("
    r"|\bFiles\.delete(?:IfExists)?\(Paths?\.(?:of|get)\()\s*\"([/~][^\"\n]+)\""
)
"""Calls that delete one file, by its whole path."""
_WRITES = pattern(
    r"\b(?:create|write|writeText|appendText|WriteFile|OpenFile|append)\(\s*(?:format!\(\s*)?[\"']([^\"'\n]+)[\"']"
)
"""Calls that write a file."""
_OPENS = pattern(
    r"\.(?:append|write|create)\(true\).{0,200}?\.open\(\s*(?:format!\(\s*)?\"([^\"\n]+)\""
)
_HOME = pattern(r"\$\{System\.getProperty\([\"']user\.home[\"']\)\}|\{home\}|\$\{?HOME\}?")


def _calls_of_files(line: str) -> list[str]:
    """What calls in a line delete or write, as commands that do the same."""
    line = _HOME.sub("~", line)
    deleted = [f"rm -rf {path}" for path in _DELETES.findall(line)]
    deleted += [f"rm -f {path}" for path in _DELETES_FILE.findall(line)]
    written = (*_WRITES.findall(line), *_OPENS.findall(line))
    return deleted + [f"echo x >> {path}" for path in written if path[:1] in "~/"]


_MAX_LINES = _MAX_LOOSE = 20_000


_ELEMENT = pattern(r"<([\w.:-]+)(?:\s[^<>]*)?>(?P<text>[^<>]*)</\1>")
_OF_DATA = pattern(
    r"(?:descriptor|include|exclude|header|license|resource|module|(?!script|command|exec)\w*(?:[dD]irectory|[fF]older|[fF]ile|Id))s?"
)
"""Elements of XML that name files which are data."""
"""An element of XML on one line: its text may be a command, but what is around it is no redirection."""
_ESCAPES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&"))


def _strings_of(line: str) -> list[str]:
    return [one or other or third for one, other, third in _STRING.findall(line)]


def loose(text: str, _: Wanted) -> list[Recipe]:
    """Whatever may be a command in a file whose format is not read: lines, strings, lists of words.

    Only what is certainly dangerous counts in such a text, so more than what runs may be returned.
    """
    found = [
        Recipe(
            _joined(["".join(one) for one in _IN_TAGS.findall(block[0])]),
            line_at(text, block.start()),
        )
        for block in _TAGGED.finditer(text)
        if block[1] != "configuration" or _NAMES_COMMAND.search(block[0])
    ]
    for number, line in _chained(text.split("\n")[:_MAX_LINES]):
        if _is_comment(line):
            continue
        line = _NAMES_OPTION.sub("", line)  # noqa: PLW2901 - without what is no command
        strings = _strings_of(line)
        runs = [one for one in strings if " " in one.strip()]
        calls = [_strings_of(one) for one in _RUN_COMMAND.findall(line)]
        if calls:
            runs += map(" ".join, calls)
            strings = _strings_of(_RUN_COMMAND.sub("", line))
        is_call = _CALLED.search(line) is not None
        runs += [" ".join(strings[n:]) for n in range(min(3, len(strings) - 1)) if is_call]
        runs += _calls_of_files(line)
        element = _ELEMENT.fullmatch(line.strip())
        if element is not None and _OF_DATA.fullmatch(element[1]) and " " not in element["text"]:
            continue
        runs += [
            line.strip().lstrip(":!-@ ") if element is None else _plain(element["text"]),
            *(one.rstrip(" )},;") for one in _BEFORE.findall(line)),
        ]
        found += [Recipe(one.strip("'\"").lstrip("!"), number) for one in dict.fromkeys(runs)]
    return found[:_MAX_LOOSE]


_STARTS_PROCESS = pattern(
    r"\b(?:[eE]xec\w*|Command\w*|(?:Start)?Process\w*|os\.proc|system|popen|spawn\w*|Start|callCommand|rawSystem|createProcess|shell"
    r"|[rR]un[A-Z]\w*|[rR]un|(?<!\.)sh|cmd|Sys\.command|addSystemCommand|launchedProcess|arguments|launchPath|getRuntime|staticExec|gorge\w*)\b|[\"`]\s*\.?!|\bsystem\s"
)


_STARTS_IN_GO = pattern(
    r"\b(?!Execute(?:C|Context)?\()(?:\w*[eE]xec\w*|\w*Command\w*|\w*Process\w*|popen|\w*[sS]pawn\w*|Start|\w*[sS]hell|\w*[rR]un[A-Z]\w*|[rR]un"
    r"|must[rR]un|\w*[Cc]md|sh|system)\(|\bCmd\{|\bArgs:\s*\[\]string\{"
)
"""The same in Go, where all that starts something is a call."""
_IS_GO = pattern(
    r"(?ms)^package[ \t]+\w+[ \t]*(?://[^\n]*)?$.{0,4000}?^import[ \t]+(?:\(|(?:[\w.]+[ \t]+)?\")"
)
_GO_TEXT = pattern(r"`[^`]*`")
_GIVES_TEXT = pattern(r"(?:\w\(|\"-\w*c\",)\s*\Z")
"""What is before a text that a call is given first, or a shell as its program."""


def _without_texts(code: str) -> str:
    """Go without its texts of several lines that no call is given: a usage, an example."""

    def kept(found: re.Match[str]) -> str:
        before = code[max(0, found.start() - _BEFORE_TEXT) : found.start()]
        is_shown = "\n" in found[0] and not _GIVES_TEXT.search(before)
        return blanked(found[0]) if is_shown else found[0]

    return _GO_TEXT.sub(kept, code)


_BEFORE_TEXT = 40
_CONSTANT = pattern(
    r"\b([A-Za-z_]\w*)[ \t]*(?:string[ \t]*|:[ \t]*(?:&(?:'static[ \t]+)?str|String)[ \t]*)?"
    r":?=[ \t]*\"([^\"\n\\]*)\""
)
_NAME_IN_CALL = pattern(r"(?<=[(,\[])(\s*)&?([A-Za-z_]\w*)(?=\s*[,)\]])")
_ARGUMENTS = pattern(r"\((?:\s*&?\[)?\s*\"[^()\[\]{};]*[)\]]")
"""The words of a program that is started, which may be on several lines."""
_DELETES_UNKNOWN = pattern(
    r"\bos\.Remove(?:All)?\([A-Za-z_]|\bfs::remove_(?:dir_all|file)\(&?[A-Za-z_]"
)
DELETES_UNKNOWN = f"rm -rf {HOLE}"
"""What a program does that deletes files which only it knows."""


def source(text: str, wanted: Wanted) -> list[Recipe]:
    """What the source of a compiled program starts or deletes: the strings of such calls."""
    found = list(process_calls.calls(text, wanted.targets))
    constants = dict(_CONSTANT.findall(text))
    starts = _STARTS_PROCESS
    if _IS_GO.search(text):
        text, starts = _without_texts(text), _STARTS_IN_GO
    text = _ARGUMENTS.sub(_on_first_line, text)

    def known(match: re.Match[str]) -> str:
        value = constants.get(match[2])
        return match[0] if value is None else f'{match[1]}"{value}"'

    for number, line in _chained(text.split("\n")[:_MAX_LINES]):
        if _is_comment(line):
            continue
        found += [Recipe(run, number) for run in _calls_of_files(line)]
        if _DELETES_UNKNOWN.search(line):
            found.append(Recipe(DELETES_UNKNOWN, number))
        if starts.search(_STRING.sub('""', line)):
            line = _NAME_IN_CALL.sub(known, line)  # noqa: PLW2901 - with what is known
            strings = _strings_of(line)
            runs = [*strings, *(" ".join(strings[n:]) for n in range(min(3, len(strings) - 1)))]
            found += [
                Recipe(one.replace('\\"', '"'), number) for one in dict.fromkeys(runs) if " " in one
            ]
    return found[:_MAX_LOOSE]


def _on_first_line(match: re.Match[str]) -> str:
    """The text on one line; the lines that it was on stay, so that the numbers of others hold."""
    return match[0].replace("\n", " ") + "\n" * match[0].count("\n")


_GO_FUNCTION = pattern(r"(?m)^func[ \t]+(?:\([^()\n]*\)[ \t]*)?([A-Za-z_]\w*)[ \t]*\(")
_GO_DEFAULT = pattern(r"(?m)^var[ \t]+Default[ \t]*=[ \t]*(\w+)")


def mage(text: str, wanted: Wanted) -> list[Recipe]:
    """What the named functions of a magefile start or delete, and those that they name in turn."""
    heads = list(_GO_FUNCTION.finditer(text))
    ends = [*(one.start() for one in heads[1:]), len(text)]
    bodies = {one[1]: (one.start(), end) for one, end in zip(heads, ends, strict=True)}
    default = _GO_DEFAULT.findall(text)
    asked = [name.rpartition(":")[2].lower() for name in wanted.targets] or [
        one.lower() for one in default
    ]
    names = [name for name in bodies if name.lower() in asked]
    needs = {
        name: [
            one
            for one in re.findall(r"\b[A-Za-z_]\w*", re.sub(r"//[^\n]*", "", text[start:end]))
            if one in bodies
        ]
        for name, (start, end) in bodies.items()
    }
    reached = set(closure(names, needs))
    lines = text.split("\n")
    for name, (start, end) in bodies.items():
        if name not in reached:
            first, last = text.count("\n", 0, start), text.count("\n", 0, end)
            lines[first:last] = [""] * (last - first)
    return source("\n".join(lines), wanted)


def _plain(text: str) -> str:
    """The text of an element of XML without its escapes."""
    for escaped, plain in _ESCAPES:
        text = text.replace(escaped, plain)
    return text


def _chained(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Return lines with their numbers; calls that continue on the next lines are one."""
    found: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        text = line.lstrip()
        is_next = found and text[:1] == "." and text[1:2].isalpha()
        if is_next and len(found[-1][1]) < MAX_VALUE:
            found[-1] = (found[-1][0], found[-1][1] + text)
        else:
            found.append((number, line))
    return found


def _is_comment(line: str) -> bool:
    """Whether a line is a comment in one of the usual languages, or empty; a string may begin one."""
    is_string = line.lstrip()[:1] == '"' and line.count('"') > 1
    return not line.strip() or (_COMMENT.match(line) is not None and not is_string)


def _joined(words: Sequence[str]) -> str:
    return " ".join(word for word in words if word)


INCLUDES: dict[str, Callable[[str], list[Included]]] = {
    "make": make_includes,
    "just": just_imports,
    "rakefile": rake_imports,
    "rails-tasks": rake_imports,
    "taskfile": task_includes,
    "toml-tasks": toml_includes,
    "cargo-make": cargo_make_includes,
    "cmake": cmake_includes,
    "gradle": applied,
    "forced-tasks": playbook_files,
    "terraform": terraform_modules,
}
"""Formats whose files name others of the same format."""
NEEDS: dict[str, Callable[[str, Sequence[str]], list[str]]] = {
    "taskfile": task_needs,
    "just": just_needs,
}
"""Formats whose targets call those of the files that they include."""
READERS: dict[str, Callable[[str, Wanted], list[Recipe]]] = {
    "make": make,
    "package-scripts": package_scripts,
    "just": just,
    "taskfile": taskfile,
    "rakefile": rake_others,  # what they run themselves is read as Ruby (``rakefiles.rake_code``)
    "rails-tasks": lambda *_: [],
    "lein-aliases": task_aliases.lein_aliases,
    "sbt-tasks": task_aliases.sbt_tasks,
    "loose": loose,
    "source": source,
    "package-tools": package_tools,
    "test-setup": setup_files,
    "go-generate": go_generate,
    "compose": compose,
    "procfile": procfile,
    "mage": mage,
    "gradle": gradle,
    "requirements": requirements,
    "build-backend": build_backend,
    "jvm-options": jvm_options,
    "cargo-aliases": cargo_aliases,
    "pom": pom,
    "mix-aliases": task_aliases.mix_aliases,
    "forced-tasks": forced_tasks,
    "toml-tasks": tasks_in_toml,
    "cargo-make": cargo_make,
    "cmake-tests": cmake_tests,
    "cmake": cmake,
    "terraform": terraform,
    "bake": bake,
    "platformio": platformio,
}
"""The values of a program's ``recipes`` in a pack."""

# end of module
