"""The functions of a Python program that the words of its command choose, where a library calls them.

Owns the decorators of ``click`` and ``typer``, and Django's commands. Does not own reading the words
(``shell.code.python.arguments``).
"""

from __future__ import annotations

import ast
import posixpath
from typing import Any

from operators_edge.shell.code.python.arguments import Command, Parser, ShownError
from operators_edge.shell.code.python.operations import OTHERS, Declared, Rest, items_of
from operators_edge.shell.code.python.values import (
    ABSENT,
    UNKNOWN,
    Class,
    Function,
    Instance,
    Module,
    Native,
    Symbol,
    either,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.shell.code.python.trace import Walk


def read_words(
    walk: Walk, parser: Parser, words: list[Any], named: dict[str, Any], *, is_loose: bool = False
) -> Any:
    given = words[0] if words else named.get("args")
    items = walk.words[1:] if walk.words is not None else None
    if given is not None:
        known = items_of(walk, given) if not isinstance(given, Rest) else None
        is_text = known is not None and all(isinstance(one, str) for one in known)
        items = known if is_text else None
    try:
        return parser.read(items, is_loose=is_loose)
    except ShownError:
        return walk.leave()


def _command(walk: Walk, words: list[Any], named: dict[str, Any], *, is_group: bool) -> Any:
    """``@click.command()``, or a command of a group."""
    if words and isinstance(words[0], Function):
        return _made_command(walk, words[0], is_group=is_group)

    def decorate(given: list[Any], _: dict[str, Any]) -> Any:
        made = _made_command(walk, given[0], is_group=is_group)
        made.label = next((one for one in words if isinstance(one, str)), named.get("name"))
        made.has_help = _CHANGES_HELP.isdisjoint(named)
        made.is_eager = named.get("invoke_without_command", False) is not False
        return made

    return Native(decorate)


def made_group(_: Walk, words: list[Any], named: dict[str, Any]) -> Command:
    """``flask.cli.AppGroup("db")``."""
    made = Command(is_group=True)
    made.label = next((one for one in words if isinstance(one, str)), named.get("name"))
    return made


_CHANGES_HELP = frozenset(["add_help_option", "context_settings", "cls", OTHERS])
"""Arguments of a command by which ``--help`` may be something else."""


def _made_command(walk: Walk, function: Any, *, is_group: bool) -> Command:
    made = Command(function, is_group=is_group)
    noted = walk.options.pop(_same_function(function), None)
    if noted is not None:
        made.options, made.passed = noted
    return made


def _same_function(function: Any) -> int:
    return id(getattr(function, "node", function))


def _option(walk: Walk, words: list[Any], named: dict[str, Any], *, is_argument: bool) -> Any:
    def decorate(given: list[Any], _: dict[str, Any]) -> Any:
        walk.options.setdefault(_same_function(given[0]), ([], []))[0].append(
            (list(words), dict(named), is_argument)
        )
        if isinstance(given[0], Command):
            given[0].options.append((list(words), dict(named), is_argument))
        return given[0]

    return Native(decorate)


def _passing(walk: Walk, words: list[Any], what: str) -> Any:
    if words:
        walk.options.setdefault(_same_function(words[0]), ([], []))[1].append(what)
    return words[0] if words else UNKNOWN


def _declared(_: Walk, words: list[Any], named: dict[str, Any], *, is_argument: bool) -> Any:
    default = named.get("default", words[0] if words else ABSENT)
    default = ABSENT if default is Ellipsis else default
    names = tuple(one for one in words[1:] if isinstance(one, str))
    return Declared(is_argument, default, names)


def _run_function(walk: Walk, words: list[Any], _: dict[str, Any]) -> Any:
    """``typer.run(main)``."""
    if words and isinstance(words[0], Function):
        return run_command(walk, _typed(walk, words[0]), [], {})
    return UNKNOWN


OF_CLICK: dict[str, Callable[[Walk, list[Any], dict[str, Any]], Any]] = {
    "command": lambda walk, words, named: _command(walk, words, named, is_group=False),
    "group": lambda walk, words, named: _command(walk, words, named, is_group=True),
    "option": lambda walk, words, named: _option(walk, words, named, is_argument=False),
    "argument": lambda walk, words, named: _option(walk, words, named, is_argument=True),
    "pass_context": lambda walk, words, _: _passing(walk, words, "context"),
    "pass_obj": lambda walk, words, _: _passing(walk, words, "obj"),
    "version_option": lambda *_: Native(lambda words, __: words[0]),
    "help_option": lambda *_: Native(lambda words, __: words[0]),
    "Typer": lambda _, __, named: _typer(named),
    "Option": lambda walk, words, named: _declared(walk, words, named, is_argument=False),
    "Argument": lambda walk, words, named: _declared(walk, words, named, is_argument=True),
    "run": _run_function,
}


def _typer(named: dict[str, Any]) -> Command:
    made = Command(None, is_group=True, is_typer=True)
    made.has_help = _CHANGES_HELP.isdisjoint(named)
    made.is_eager = named.get("invoke_without_command", False) is not False
    return made


def attribute_of_command(walk: Walk, command: Command, name: str) -> Any:  # noqa: C901 - a case for each kind of value
    """A method of a command: ``@cli.command("name")``, ``app.add_typer(…)``."""
    if name in {"command", "group", "callback"}:

        def method(words: list[Any], named: dict[str, Any]) -> Any:
            given = next((one for one in words if isinstance(one, str)), named.get("name"))
            if words and isinstance(words[0], Function):
                return adding(words[0], None, {})
            return Native(lambda more, _: adding(more[0], given, named))

        def adding(function: Any, given: Any, named: dict[str, Any]) -> Any:
            if command.is_typer:
                made = _typed(walk, function)
            else:
                made = _made_command(walk, function, is_group=name == "group")
            made.has_help = _CHANGES_HELP.isdisjoint(named)
            made.is_eager = named.get("invoke_without_command", False) is not False
            if name == "callback":
                command.has_help &= made.has_help
                command.function, command.options = function, made.options
                command.passed, command.is_eager = made.passed, made.is_eager or command.is_eager
                return function
            command.add(given or _spelled(function), made)
            # A function of typer's stays one that the program can call.
            return function if command.is_typer else made

        return Native(method)
    if name in {"add_command", "add_typer"}:

        def add(words: list[Any], named: dict[str, Any]) -> Any:
            given = named.get("name", words[1] if len(words) > 1 else None)
            if words and isinstance(words[0], Command):
                command.add(given or words[0].label or _spelled(words[0].function), words[0])
            else:
                walk.is_whole = False
            return None

        return Native(add)
    if name in {"callback", "main", "__call__"}:
        return Native(lambda words, named: run_command(walk, command, words, named))
    for one in command.every():
        walk.escape(one.function)
    return UNKNOWN


def _spelled(function: Any) -> Any:
    """The name that click and typer give to a command."""
    name = getattr(getattr(function, "node", None), "name", None)
    return name.lower().replace("_", "-").rstrip("-") if isinstance(name, str) else None


def _typed(walk: Walk, function: Function) -> Command:
    """A command whose options are the parameters of its function."""
    made = Command(function, is_typer=True)
    given = function.node.args
    arguments = [*given.posonlyargs, *given.args]
    missing = [ABSENT] * (len(arguments) - len(function.defaults))
    pairs = zip(
        [*arguments, *given.kwonlyargs],
        [*missing, *function.defaults, *function.keyword_defaults],
        strict=False,
    )
    for one, default in pairs:
        shown = ast.unparse(one.annotation) if one.annotation is not None else ""
        if "Context" in shown:
            made.passed.append(one.arg)
            continue
        mark = default if isinstance(default, Declared) else None
        is_argument = mark.is_argument if mark else default is ABSENT
        is_argument |= "Argument(" in shown
        is_argument &= "Option(" not in shown
        value = mark.default if mark else default
        named: dict[str, Any] = {} if value is ABSENT else {"default": value}
        if "bool" in shown and not is_argument:
            named["is_flag"] = True
        kinds = {"Path": "pathlib.Path", "int": "int", "float": "float"}
        kind = next((kinds[word] for word in kinds if word in shown), "")
        if kind and "bool" not in shown:
            root = walk.residue.library(kind, kind.partition(".")[0]) if "." in kind else None
            named["type"] = root or Symbol(ast.Name(kind, ast.Load()))
        if "ist[" in shown:
            named |= {"nargs": -1} if is_argument else {"multiple": True}
        if is_argument:
            made.options.append(([one.arg], named, True))
        else:
            names = list(mark.names if mark else ()) or [f"--{one.arg.replace('_', '-')}"]
            if named.get("is_flag") and not (mark and mark.names):
                names = [f"{names[0]}/--no-{one.arg.replace('_', '-')}"]
            made.options.append(([*names, one.arg], named, False))
    return made


def run_command(walk: Walk, command: Command, words: list[Any], named: dict[str, Any]) -> Any:
    given = named.get("args", words[0] if words else ABSENT)
    items = walk.words[1:] if walk.words is not None else None
    if given is not ABSENT and given is not None:
        known = items_of(walk, given) if not isinstance(given, Rest) else None
        is_text = known is not None and all(isinstance(one, str) for one in known)
        items = known if is_text else None
    context = Instance(None, is_open=True)
    context.attributes["obj"] = named.get("obj", UNKNOWN)
    try:
        chosen = command.chosen(items)
    except ShownError as shown:
        for one, values in shown.before:
            _run_one(walk, one, values, context)
        return walk.leave() if named.get("standalone_mode", True) is True else UNKNOWN
    if chosen is not None:
        for one, values in chosen:
            _run_one(walk, one, values, context)
        return UNKNOWN
    for one in command.every():
        walk.branch(lambda one=one: _maybe_run(walk, one, context), lambda: "")  # type: ignore[misc]
    return UNKNOWN


def _maybe_run(walk: Walk, command: Command, context: Instance) -> str:
    defaults = {
        _parameter(names): either([named.get("default", ABSENT), UNKNOWN])
        for names, named, _ in command.options
    }
    _run_one(walk, command, defaults, context)
    return ""


def _parameter(names: list[Any]) -> str:
    texts = [one for one in names if isinstance(one, str)]
    plain = next((one for one in texts if one[:1] != "-"), max(texts, key=len, default=""))
    return plain.partition("/")[0].lstrip("-").replace("-", "_").lower()


def _run_one(walk: Walk, command: Command, values: dict[str, Any], context: Instance) -> None:
    if command.function is None:
        return
    words: list[Any] = []
    named = dict(values)
    for one in command.passed:
        if one == "context":
            words.append(context)
        elif one == "obj":
            words.append(context.attributes["obj"])
        else:
            named[one] = context
    walk.call(command.function, words, named, None)


_DJANGO_METHODS = frozenset(["add_arguments", "handle", "__init__"])


def run_django(walk: Walk, module: Module) -> None:
    """``manage.py NAME WORD…``: the command's ``handle`` with what its parser makes of the words."""
    cls = module.scope.find("Command")
    if not isinstance(cls, Class):
        walk.is_whole = False
        return
    methods = {name for name, one in cls.methods() if isinstance(one, Function)}
    own_bases = {
        one.known_as for each in cls.lineage() for one in each.foreign if isinstance(one, Symbol)
    }
    if not own_bases <= {"django.core.management.base.BaseCommand"}:
        walk.is_whole = False
    # Methods that the framework may call beside these have been walked, unless it is known not to.
    for name in methods - _DJANGO_METHODS:
        if name in _BASE_COMMAND:
            walk.is_whole = False
    made = walk.call(cls, [], {}, None)
    parser = Parser()
    adding = walk.attribute(made, "add_arguments")
    if isinstance(adding, Function):
        walk.call(adding, [parser], {}, None)
    words = walk.words[2:] if walk.words is not None else None
    words = None if words is None else [one for one in words if not one.startswith(_DJANGO_OPTIONS)]
    try:
        options = parser.read(words, is_loose=False)
    except ShownError:
        return
    values = dict(options.attributes)
    method = walk.attribute(made, "handle")
    if not isinstance(method, Function):
        walk.is_whole = False
        return
    if options.is_open:
        values[OTHERS] = UNKNOWN
    walk.call(method, [], values, None)


def run_other(walk: Walk, name: str) -> None:
    """Walk another command of the same application, of which the words are not known."""
    folder = posixpath.dirname(walk.start.path)
    module = walk.load(name, folder, name) if name.isidentifier() else None
    cls = module.scope.find("Command") if module is not None else None
    if isinstance(cls, Class) and module is not None and module.path != walk.start.path:
        method = walk.attribute(walk.call(cls, [], {}, None), "handle")
        if isinstance(method, Function):
            walk.call(method, [], {OTHERS: UNKNOWN}, None)


_BASE_COMMAND = frozenset(
    "get_version create_parser print_help run_from_argv execute check check_migrations handle_app_config"  # noqa: SIM905
    " get_check_kwargs missing_args_message".split()
)
"""Methods of the framework's own class, which it calls by itself."""


_DJANGO_OPTIONS = (
    "--settings=",
    "--traceback",
    "--no-color",
    "--verbosity=",
    "--pythonpath=",
    "-v",
)


# end of module
