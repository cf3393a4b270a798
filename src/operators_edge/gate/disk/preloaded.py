"""Variables that code sets which a program has to load first: ``RUBYOPT=-r./x rails db:drop``.

What such code sets goes before what the line has set. Owns finding that code, and what happens to the
variables. Pure but for ``Facts``. Does not own what the code starts (``gate.disk.follow``). Loaded for lines
with such variables.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate.disk import follow
from operators_edge.gate.disk.search import Search
from operators_edge.gate.invocation import invocation_of
from operators_edge.shell.code import variables
from operators_edge.shell.code.languages import INTERPRETERS
from operators_edge.shell.commands import Command, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.gate.disk.follow import Follower
    from operators_edge.gate.paths import CallContext

_OPTIONS = {"NODE_OPTIONS": "node", "RUBYOPT": "ruby", "PERL5OPT": "perl"}
"""A variable with options → the program that takes them."""
_FILE_OF_SHELL = frozenset(("BASH_ENV", "ENV", "ZDOTDIR"))
"""Variables that name what a shell reads first, whatever it runs."""
_FOLDERS = "PYTHONPATH"
_LOADED_FIRST = ("sitecustomize.py", "usercustomize.py")
_OVERRIDES = re.compile(r"(?i)dotenv_config_override(?:=(?!false)|\Z)")
"""An option of a library for Node that sets variables from a file, even those that are set already."""
UNKNOWN = "?"
"""The value of a variable that is set to something which is not known."""


def with_variables(command: Command, context: CallContext, follower: Follower) -> Command:
    """The command with the variables that it has once such code ran."""
    changed: dict[str, str] = {}
    if any(
        _OVERRIDES.match(one) for one in (*command.environment, *(w.text for w in command.argv))
    ):
        changed = dict.fromkeys(command.environment, UNKNOWN)
    changed |= _by_shells(command, context, follower)
    for program, text in _codes(command, context, follower):
        language = INTERPRETERS[program]
        if variables.sets_any(text, language):
            changed |= dict.fromkeys(command.environment, UNKNOWN)
        for name in variables.names_set(text, language):
            changed[name] = UNKNOWN if name in changed else _text_given(name, text)
    if not changed:
        return command
    assigns = tuple(
        (name, word._replace(text=changed.get(name, word.text))) for name, word in command.assigns
    )
    exported = tuple({**dict(command.exported), **changed}.items())
    return command._replace(assigns=assigns, exported=exported)


def _by_shells(command: Command, context: CallContext, follower: Follower) -> dict[str, str]:
    """The variables that a shell around the command may have set before: by its own files."""
    known = command.environment
    if not _FILE_OF_SHELL.isdisjoint(known):
        return dict.fromkeys(known.keys() - _FILE_OF_SHELL, UNKNOWN)
    if not command.through:
        return {}
    from operators_edge.gate.disk import definitions  # noqa: PLC0415 - few commands are in such a shell

    inv = invocation_of(command, follower.rules)
    texts = definitions.startup_texts(Search(follower, inv, context))
    if texts is None:
        return {}
    is_moved = "HOME" in known  # with the files that are read
    return {
        name: UNKNOWN
        for name in known
        if is_moved
        or any(
            re.search(rf"\b{re.escape(name)}\b[ \t]*=|\bset\b[^\n]*\b{re.escape(name)}\b", one)
            for one in texts
        )
    }


def _codes(command: Command, context: CallContext, follower: Follower) -> Iterator[tuple[str, str]]:
    """Yield the programs and the texts of the project's files that they load first."""
    known = command.environment
    own = invocation_of(command, follower.rules)
    if own.program in INTERPRETERS:
        for piece in follow.preloads(follower, own, context):
            yield own.program, piece.text
    for name, program in _OPTIONS.items():
        words = (Word(program), *map(Word, known.get(name, "").split()))
        inv = invocation_of(command._replace(argv=words, assigns=(), exported=()), follower.rules)
        for piece in follow.preloads(follower, inv, context) if len(words) > 1 else ():
            yield program, piece.text
    for folder in filter(None, known.get(_FOLDERS, "").split(":")):
        for name in _LOADED_FIRST:
            path = context.resolve(os.path.join(folder, name), context.cwd)
            inside = path and context.is_inside(path, (context.root, *context.temp))
            text = follower.read(path, context) if path and inside else None
            if text is not None:
                yield "python", text


def _text_given(name: str, code: str) -> str:
    """The text that a variable is set to by one statement; unknown if that is anything else."""
    sets = rf"['\"]?\b{re.escape(name)}\b['\"]?\s*[\]}}]?\s*[^=\s]{{0,2}}=(?![=~>])"
    values = re.findall(rf"(?m){sets}\s*(?:'([^'\\\n]*)'|\"([^\"\\\n#$]*)\")[ \t]*;?[ \t]*$", code)
    is_one = len(re.findall(sets, code)) == 1 == len(values)
    return "".join(values[0]) if is_one else UNKNOWN


# end of module
