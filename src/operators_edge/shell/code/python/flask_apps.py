"""An application of Flask that the program ``flask`` loads: its commands, its settings, its database.

``flask rebuild`` calls the factory of the application, and then one of the functions that are registered as
commands. Functions that answer requests run when it serves alone. Owns that, and the addresses of databases
in the settings that the application is given. Does not own where it is (``gate.disk.flask_apps``), nor how
the words of a command are read (``shell.code.python.commands``). Loaded for programs of Flask alone.
"""

from __future__ import annotations

import ast
import posixpath
from typing import Any

from operators_edge.shell.code.addresses import is_elsewhere
from operators_edge.shell.code.python import settings
from operators_edge.shell.code.python.arguments import Command
from operators_edge.shell.code.python.commands import run_command
from operators_edge.shell.code.python.operations import is_path, path_text
from operators_edge.shell.code.python.values import (
    ABSENT,
    UNKNOWN,
    Box,
    Class,
    Frame,
    Function,
    Instance,
    Module,
    Symbol,
    options_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.shell.code.python.trace import Walk

_APPS, _FACTORIES = ("app", "application"), ("create_app", "make_app")
_SERVES = frozenset(["run"])
_OWN_COMMANDS = frozenset(["run", "shell", "routes"])
_KINDS = ("flask.Flask", "flask.Blueprint")
_SET = "flask.Config.from_mapping"
"""The call that stands for the settings in what is left of a program."""
_MAX_CHAIN = 12


def run(walk: Walk, module: Module) -> None:
    """Walk the factory of an application, and the command that the words choose."""
    walk.frames.append(Frame(module.scope, module))
    name, given = _factory(walk.start.name)
    names = [name] if name else [*_APPS, *_FACTORIES]
    found = next((one for one in map(module.scope.find, names) if one is not ABSENT), ABSENT)
    if found is ABSENT:
        walk.is_whole = False
    for one in options_of(found):
        if isinstance(one, Function):
            walk.call(one, given, {}, None)
    words = walk.words
    if words is not None and (len(words) < 2 or words[1] in _OWN_COMMANDS):
        return
    is_known = words is None or words[1] in walk.commands.commands
    if is_known or walk.commands.unnamed:  # or else it is one of an extension's
        run_command(walk, walk.commands, [], {})


def _factory(named: str) -> tuple[str, list[Any]]:
    """The name of what makes the application, and what it is given: ``make("live")``."""
    name, opens, _ = named.partition("(")
    if not opens:
        return name, []
    try:
        call = ast.parse(named, mode="eval").body
        args = call.args if isinstance(call, ast.Call) else []
        return name.strip(), [ast.literal_eval(one) for one in args]
    except (SyntaxError, ValueError):
        return name.strip(), [UNKNOWN]


def kind_of(walk: Walk, value: Any) -> str:
    """The class of which an expression is an object, or a part of one: ``flask.Flask.config``."""
    if not isinstance(value, Symbol) or value is UNKNOWN:
        return ""
    return walk.residue.whole_name(value.expr, _MAX_CHAIN)


def commands_of(walk: Walk, holder: Symbol) -> Command | None:
    """``app.cli``, or that of a blueprint, whose commands are behind its name."""
    kind = kind_of(walk, holder)
    if kind not in _KINDS:
        return None
    if kind == _KINDS[0]:
        return walk.commands
    made = walk.residue.resolved(holder.expr)
    first = made.args[0] if isinstance(made, ast.Call) and made.args else None
    name = first.value if isinstance(first, ast.Constant) else None
    known = walk.commands.commands.get(str(name))
    if known is None:
        known = Command(is_group=True)
        walk.commands.add(name, known)
    return known


def waits_for_requests(walk: Walk, decorator: Any) -> bool:
    """Whether a decorator says that a function answers requests, while the program does not serve."""
    serves = walk.words is None or not _SERVES.isdisjoint(walk.words[1:2])
    is_of_app = kind_of(walk, decorator).startswith(tuple(f"{one}." for one in _KINDS))
    return is_of_app and not serves


# -- settings --------------------------------------------------------------------------------------


def note_settings(walk: Walk, called: Symbol, words: list[Any], named: dict[str, Any]) -> None:
    """``app.config.from_object(Production)``, ``update``, ``from_pyfile`` and its other methods."""
    method = called.known_as.rpartition(".")[2]
    tables = [named]
    if method == "setdefault" and len(words) > 1:
        note_setting(walk, words[0], words[1])
    elif method == "from_prefixed_env":
        tables.append(_prefixed(walk, words[0] if words else named.get("prefix", "FLASK")))
    for word in words[:1]:
        tables += [
            _table(walk, each) for one in options_of(word) for each in _named_by(walk, method, one)
        ]
    for name, value in ((name, value) for table in tables for name, value in table.items()):
        note_setting(walk, name, value)


def _named_by(walk: Walk, method: str, given: Any) -> list[Any]:
    """What a method has its settings from: a file, a module or a class by its name, or the thing itself."""
    if method == "from_envvar":
        given = dict([*walk.start.environment, *walk.start.given]).get(given)
        method = "from_pyfile"
    if not is_path(given) or method not in ("from_pyfile", "from_file", "from_json", "from_object"):
        return [given]
    if method == "from_object":
        return [_named(walk, path_text(given))]
    for place in _places(walk, path_text(given)):
        text = walk.read(place)
        if text is not None:
            return [_read(walk, place, text, is_code=method == "from_pyfile")]
    return []


def _places(walk: Walk, name: str) -> list[str]:
    """Where a file of settings may be: beside the application, or in the folder of its instance."""
    inside, start = posixpath.dirname(walk.frame.module.path), walk.start.folder
    below = ("", "instance")
    folders = [posixpath.join(one, two) for one in (inside, start) for two in below]
    return [posixpath.normpath(posixpath.join(one, name)) for one in folders]


def _read(walk: Walk, path: str, text: str, *, is_code: bool) -> Any:
    if is_code:
        return walk.module_of("config", path, text)
    return settings.data_of(path, text)


def _prefixed(walk: Walk, prefix: Any) -> dict[str, Any]:
    """The settings in variables: ``FLASK_SQLALCHEMY_DATABASE_URI``."""
    given = dict([*walk.start.environment, *walk.start.given])
    start = f"{prefix}_" if isinstance(prefix, str) else ""
    return {
        name.removeprefix(start).partition("__")[0]: value.strip("\"'")
        for name, value in given.items()
        if start and name.startswith(start)
    }


def note_setting(walk: Walk, name: Any, value: Any) -> None:
    """Leave a setting that is the address of another machine, where all files of the program see it."""
    if not isinstance(name, str) or not name.isupper():
        return
    for one in options_of(value):
        if isinstance(one, Box) and one.is_dict:  # several databases
            for each in one.cell["items"].values():
                note_setting(walk, name, each)
        if isinstance(one, str) and "://" in one and is_elsewhere(one, name):
            called = walk.residue.library(_SET, "flask").expr
            call = ast.Expr(ast.Call(called, [], [ast.keyword(name, ast.Constant(one))]))
            walk.residue.add(call, walk.frame.module.path, 1)


def _table(walk: Walk, value: Any) -> dict[str, Any]:
    if isinstance(value, Box) and value.is_dict:
        return {key: one for key, one in value.cell["items"].items() if isinstance(key, str)}
    if isinstance(value, Module):
        return dict(value.scope.names)
    if isinstance(value, Class):
        members = {
            name: one
            for each in reversed(list(value.lineage()))
            for name, one in each.scope.names.items()
        }
        return {name: one for name, one in members.items() if not isinstance(one, Function)}
    if isinstance(value, Instance) and value.cls is not None:
        names = {*value.attributes, *(name for name, _ in value.cls.methods() if name.isupper())}
        return {name: walk.attribute(value, name) for name in sorted(names)}
    return {}


def _module(walk: Walk, name: str) -> Any:
    folder = walk.frame.module.path.rpartition("/")[0]
    return walk.load(name, folder if name[:1] == "." else walk.start.folder, name.lstrip("."))


def _named(walk: Walk, name: str) -> Any:
    """The module of a dotted name, or the class in it."""
    found = _module(walk, name)
    holder, _, last = name.rpartition(".")
    if found is None and holder and (module := _module(walk, holder)) is not None:
        found = module.scope.find(last)
    return found


# end of module
