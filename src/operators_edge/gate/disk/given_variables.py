"""The variables that ``direnv exec . make x`` or ``dotenv -e .env.test -- x`` give to what they run.

Owns which of them are certain: those of a file that git holds, and that does nothing but set them. Pure but
for ``Facts``. Does not own what such a file starts (its row in the packs). Loaded for commands behind such a
program.
"""

from __future__ import annotations

import os.path

from operators_edge.gate.disk import started
from operators_edge.locations import is_within
from operators_edge.shell.code.addresses import is_elsewhere, variables_in
from operators_edge.shell.commands import HOLE, quoted
from operators_edge.shell.wrapper_table import GIVES_VARIABLES, OF_PACKAGES
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from operators_edge.gate.disk.follow import Follower
    from operators_edge.gate.paths import CallContext
    from operators_edge.shell.commands import Command

_RUN = r"(?:foreman|honcho|nf|pipenv|op|uv)[ \t]+run"
_FILES = pattern(
    rf"\b(?P<program>dotenv(?:-cli)?|dotenvx[ \t]+run|env-cmd|godotenv|{_RUN})(?![\w./-])"
    r"(?P<files>(?:[ \t]+(?:-e|-f|--file|--env-file)[ =][\w./-]+)*)(?:(?<=[\w./-])[ \t]+run\b)?"
    r"[ \t]+(?:--[ \t]+)?(?=(?P<run>[\w./@-]+))"
)
_FILE = pattern(r"(?:-e|-f|--file|--env-file)[ =]([\w./-]+)")
_ASKED = ("op", "uv")
"""Programs that read no file that they are not given."""
_REPLACES = "env-cmd"
"""The one whose file goes before what the line sets."""
_FOLDER = pattern(
    r"\bdirenv[ \t]+exec[ \t]+(?P<folder>\"?\$\{?PWD\}?\"?|[\w./-]+)[ \t]+(?=(?P<run>[\w./@-]+))"
)
_PROGRAM = pattern(rf"(?<![\w.])(?:direnv|dotenvx?|env-cmd|godotenv|{_RUN})(?![\w.])|\bPWD=")
"""What gives variables, or says where; a text with two of them is not taken apart."""
_PLAIN_LINE = pattern(
    r"(?:#[^\r]*|(?:export[ \t]+)?[A-Za-z_]\w*=(?:'[^'\r]*'|\"[^\"\r]*\"|[^\s'\"`#][^\r'\"`]*)?)?"
)
"""A line that every program reads in the same way: a name and its value."""
_DOTENV = pattern(r"(?m)^[ \t]*dotenv(?:_if_exists)?(?:[ \t]+([\w./-]+))?[ \t]*$")
_SETS_NONE = frozenset(("PATH_add", "path_add", "watch_file", "watch_dir", "log_status", "export"))
"""What a file may call that sets no other variables than it says."""
_LAST = "edge-last-command"
_TRAP = pattern(r"\btrap\b")


def with_variables(command: Command, context: CallContext, follower: Follower) -> Command:
    """The command with the variables that the programs around it surely give it."""
    if len(_PROGRAM.findall(context.text)) != 1:
        return command
    if "direnv exec" in command.through:
        return _by_direnv(command, context, follower)
    return _by_files(command, context, follower)


def _by_files(command: Command, context: CallContext, follower: Follower) -> Command:
    """The command with the variables of the files that an option names."""
    runs = list(_FILES.finditer(context.text))
    if len(runs) != 1 or not _is_run_by(runs[0], command):
        return command
    given: dict[str, list[str]] = {}
    is_asked = runs[0]["program"].split()[0] in _ASKED
    for name in _FILE.findall(runs[0]["files"]) or ([] if is_asked else [".env"]):
        path = context.resolve(name, context.absolute_folder(command.cwd))
        text = follower.read(path, context) if path else None
        is_certain = text is not None and context.is_held(path or "") and _is_plain(text)
        for variable, value in variables_in(text or ""):
            if is_certain or is_elsewhere(value, variable):
                given.setdefault(variable, []).append(value)
        if not is_certain:
            break  # what follows may come second
    known = {
        name: values[0]
        for name, values in given.items()
        if len(values) == 1 and not _COMPUTED.search(values[0])
    }
    own = {} if runs[0]["program"] == _REPLACES else dict(command.exported)
    exported = {**dict(command.exported), **known, **own}
    return command._replace(exported=tuple(exported.items()))


def _is_run_by(run: re.Match[str], command: Command) -> bool:
    """Whether the command gets the variables as they are: alone, or from a runner of packages."""
    through = command.through
    if not through or run["run"] != through[-1].split()[0]:
        return [run["run"]] == [word.text for word in command.argv[:1]]
    return through[-1] in OF_PACKAGES and through[-2:-1] in _GIVE


_COMPUTED = pattern(r"[$`\\]")
_GIVE = frozenset((one,) for one in GIVES_VARIABLES)


def _is_plain(text: str) -> bool:
    return all(_PLAIN_LINE.fullmatch(one.strip(" \t")) for one in text.split("\n"))


def _by_direnv(command: Command, context: CallContext, follower: Follower) -> Command:
    named = _FOLDER.search(context.text)
    if named is None or [named["run"]] != [word.text for word in command.argv[:1]]:
        return command
    name = "." if "PWD" in named["folder"] else named["folder"]
    folder = context.resolve(name, context.absolute_folder(command.cwd))
    while folder and is_within(folder, context.root):
        path = os.path.join(folder, ".envrc")
        text = follower.read(path, context)
        if text is not None:
            found = _set_by(text, folder, context, follower) if context.is_held(path) else {}
            exported = {**dict(command.exported), **found}
            return command._replace(exported=tuple(exported.items()))
        folder = os.path.dirname(folder)
    return command


def _set_by(text: str, folder: str, context: CallContext, follower: Follower) -> dict[str, str]:
    """The variables that a file exports; none if it may set more."""
    for one in _DOTENV.finditer(text):
        path = context.resolve(one[1] or ".env", folder)
        read = follower.read(path, context) if path and context.is_held(path) else None
        if read is None or "$" in read or not _is_plain(read):
            return {}
        sets = "\n".join(f"export {name}={quoted([value])}" for name, value in variables_in(read))
        text = text.replace(one[0], sets, 1)
    script = started.parsed(f"{text}\n{_LAST}\n", context.home, (), (), folder=folder)
    *before, last = script.commands or (None,)
    if last is None or script.problems or [one.text for one in last.argv] != [_LAST]:
        return {}
    if _TRAP.search(text) or any(
        one is None or (one.argv[:1] and one.argv[0].text not in _SETS_NONE) for one in before
    ):
        return {}
    if any(_brings_programs(one, folder, context, follower) for one in before):
        return {}
    return {
        name: value
        for name, value in last.environment.items()
        if HOLE not in value and name != "PATH"
    }


def _brings_programs(
    command: Command, folder: str, context: CallContext, follower: Follower
) -> bool:
    """Whether a folder of programs goes before the others that has one: under any name."""
    texts = [word.text for word in command.argv]
    if texts[:1] not in (["PATH_add"], ["path_add"]):
        return False
    places = [context.resolve(one, folder) for one in texts[1:]]
    return any(one is None or follower.names(one, context) for one in places)


# end of module
