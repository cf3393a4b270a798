"""What Python's own functions and the well-known libraries do to a program that is followed.

Owns which calls can be computed, and which functions a call may call back. A call of anything else is left as
it is (``shell.code.python.residue``).
"""

from __future__ import annotations

import ast
import posixpath
import re
import shlex
import textwrap
from typing import Any

from operators_edge.shell.code.python import assignments, ini_files, settings, sql_texts
from operators_edge.shell.code.python.arguments import Command, Parser
from operators_edge.shell.code.python.attributes import extended, keys_of
from operators_edge.shell.code.python.classes import field_of
from operators_edge.shell.code.python.commands import OF_CLICK, made_group, run_command
from operators_edge.shell.code.python.constants import with_home
from operators_edge.shell.code.python.operations import (
    MAX_ITEMS,
    OTHERS,
    Rest,
    Template,
    given_names,
    given_words,
    is_path,
    item_of,
    items_of,
    joined_paths,
    loosen,
    path_of,
    path_text,
    safely,
)
from operators_edge.shell.code.python.residue import MAX_VARIANTS
from operators_edge.shell.code.python.values import (
    ABSENT,
    UNKNOWN,
    Box,
    Choice,
    FilePath,
    Function,
    Instance,
    Many,
    Module,
    Native,
    Symbol,
    either,
    is_constant,
    is_same,
    options_of,
    truth,
)
from operators_edge.shell.commands import OWN_PATH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.shell.code.python.trace import Walk


_PUTS = frozenset(("unittest.mock.patch.object", "mock.patch.object", "unknown_value.setattr"))


def call(
    walk: Walk, called: Any, words: list[Any], named: dict[str, Any], node: ast.AST | None
) -> Any:
    """A call of what is no function of the program."""
    if isinstance(called, Command):
        return run_command(walk, called, words, named)
    if isinstance(called, settings.Variables):
        return settings.read_variable(walk, words, named)
    if not isinstance(called, Symbol):
        for one in (*words, *named.values()):
            walk.escape(one.value if isinstance(one, Rest) else one)
        return UNKNOWN
    name = called.known_as
    if name in _PUTS and walk.start.kind == "pytest" and words and not isinstance(words[0], Rest):
        words = [UNKNOWN, *words[1:]]  # what it puts something in is not called
    known = _KNOWN.get(name)
    found = known(walk, words, named) if known is not None else sql_texts.read_by(walk, called)
    if found is not ABSENT:
        return found
    if name in _RUNS_ANYTHING:
        walk.is_whole = False
    last = name.rpartition(".")[2]
    if name.startswith(("click.", "rich_click.", "typer.", "asyncclick.")) and last in OF_CLICK:
        return OF_CLICK[last](walk, words, named)
    _call_back(walk, words, named)
    return _left_call(walk, called, words, named, node)


_SETS_CONFIG = tuple(
    f".config.{one}"
    for one in (
        *("from_object", "from_mapping", "update", "from_pyfile", "setdefault", "from_envvar"),
        *("from_prefixed_env", "from_file", "from_json", "__ior__"),
    )
)


def _call_back(walk: Walk, words: list[Any], named: dict[str, Any]) -> None:
    """What gets a function may call it, most often with the arguments that come after it."""
    for at, one in enumerate(words):
        if isinstance(one, Function):
            after = words[at + 1 :]
            walk.repeated(lambda one=one, after=after: _ran(walk, one, after))  # type: ignore[misc]
    target, given = named.get("target"), named.get("args")
    if isinstance(target, Function):
        items = items_of(walk, given) if given is not None else []
        after = items if items is not None else []
        walk.repeated(lambda: _ran(walk, target, after))


def _ran(walk: Walk, function: Function, words: list[Any]) -> str:
    walk.call(function, words, {}, None)
    return ""


def _left_call(
    walk: Walk, called: Symbol, words: list[Any], named: dict[str, Any], node: ast.AST | None
) -> Any:
    """Leave a call of a library, once for each value that an argument may have."""
    values = [one.value if isinstance(one, Rest) else one for one in (*words, *named.values())]
    count = min(max([len(options_of(one)) for one in values] or [1]), MAX_VARIANTS)
    inner = [len(options_of(each)) for one in values if isinstance(one, Box) for each in one.values]
    inner += [len(options_of(each)) for one in values if type(one) is tuple for each in one]
    count = min(max([count, *inner]), MAX_VARIANTS)
    line = getattr(node, "lineno", 1)
    name = called.known_as
    based = _base_of(walk, name)
    if ".config." in name and name.endswith(_SETS_CONFIG):
        from operators_edge.shell.code.python import flask_apps  # noqa: PLC0415 - for few programs

        flask_apps.note_settings(walk, called, words, named)
    results = []
    for variant in range(count):
        walk.residue.variant = variant
        made = ast.Call(called.expr, given_words(walk, words), given_names(walk, named))
        made.keywords += based
        if name in _PURE:
            results = [walk.symbol(made)]
            break
        results.append(walk.residue.called(made, walk.frame.module.path, line))
    found = either(results)
    walk.residue.variant = 0
    if name.partition(".")[0] in _CHANGES_LISTS:
        for value in values:
            for one in options_of(value):
                if isinstance(one, Box):
                    loosen(walk, one)
    if name in _ENDS:
        walk.leave()
    return found


BASES = ("stripe.api_base",)
"""Attributes of libraries whose functions send all their requests to the address that is set there."""
_SETS_OTHERWISE = re.compile(
    r"__dict__|__setattr__|\b(?:vars|setattr|reload|exec|eval)\(|\bpatch\b|monkeypatch"
)


def _base_of(walk: Walk, name: str) -> list[ast.keyword]:
    """The address that the program has surely set for a library, as an argument of its call."""
    of_library, last = name.partition(".")[0], name.rpartition(".")[2]
    named = next((one for one in BASES if one.startswith(f"{of_library}.")), "")
    base = walk.set_on_libraries.get(named, UNKNOWN)
    is_known = isinstance(base, (str, Symbol)) and base is not UNKNOWN and not last[:1].isupper()
    if not is_known or any(map(_SETS_OTHERWISE.search, walk.texts)):
        return []
    return [ast.keyword(named.rpartition(".")[2], walk.expr(base))]


_CHANGES_LISTS = frozenset(
    "heapq bisect random operator list dict set bytearray array collections object type".split()  # noqa: SIM905
)
"""Modules and classes with functions that change what they are given."""


_RUNS_ANYTHING = frozenset(
    "exec eval compile __import__ globals locals importlib.import_module"  # noqa: SIM905
    " importlib.util.spec_from_file_location runpy.run_path runpy.run_module execfile"
    " sys.settrace sys.setprofile pickle.loads pickle.load"
    " code.interact code.InteractiveInterpreter code.InteractiveConsole pdb.run pdb.runeval pdb.runcall"
    " cProfile.run profile.run trace.Trace timeit.timeit timeit.repeat timeit.Timer ctypes.CDLL"
    " site.addsitedir"
    " importlib.reload pkgutil.walk_packages pkgutil.iter_modules importlib.metadata.entry_points"
    " stevedore.ExtensionManager pluggy.PluginManager inspect.getmembers gc.get_objects".split()
)


_ENDS = frozenset(["sys.exit", "exit", "quit", "os._exit", "os.abort"])


_PURE = frozenset(
    "open io.open str int len bool float repr bytes pathlib.Path pathlib.PurePath"  # noqa: SIM905
    " os.path.join os.path.abspath os.path.expanduser os.path.expandvars os.path.realpath os.path.normpath"
    " os.path.basename os.path.dirname os.fspath os.listdir os.scandir os.walk glob.glob glob.iglob"
    " os.environ.get os.getenv"
    " sqlalchemy.text sqlalchemy.sql.text sqlalchemy.URL.create datetime.datetime.now time.time".split()
)


def _path_made(walk: Walk, words: list[Any], _: dict[str, Any]) -> Any:
    if not words:
        return FilePath(".")
    found = joined_paths(walk, words) if not any(isinstance(one, Rest) for one in words) else ABSENT
    if isinstance(found, str):
        return FilePath(found or ".")
    if isinstance(found, Choice) and all(isinstance(one, str) for one in found.options):
        return either(FilePath(one) for one in found.options)
    return ABSENT


def _text_path(compute: Callable[[str], str]) -> Callable[[Walk, list[Any], dict[str, Any]], Any]:
    def known(_: Walk, words: list[Any], __: dict[str, Any]) -> Any:
        if len(words) == 1 and words[0] is not None and is_path(words[0]):
            return compute(path_text(words[0]))
        return ABSENT

    return known


def _converted(convert: Callable[[Any], Any]) -> Callable[[Walk, list[Any], dict[str, Any]], Any]:
    def known(_: Walk, words: list[Any], named: dict[str, Any]) -> Any:
        if len(words) != 1 or named:
            return ABSENT
        if isinstance(words[0], FilePath) and convert is str:
            return words[0].text
        if not is_constant(words[0]):
            return ABSENT
        found = safely(lambda: convert(words[0]))
        return ABSENT if found is UNKNOWN else found

    return known


def _listed(walk: Walk, words: list[Any], named: dict[str, Any]) -> Any:
    for one in named.values():
        walk.escape(one)
        if isinstance(one, Function):
            _call_back(walk, [one, item_of(walk, words[0]) if words else UNKNOWN], {})
    if not words:
        return Box([])
    first = words[0]
    if any(isinstance(one, Function) for one in options_of(first)):
        return ABSENT  # `iter` calls it until it answers with its second argument
    if isinstance(first, Rest):
        return Many(UNKNOWN)
    if isinstance(first, Box) and first.is_dict:
        return keys_of(walk, first, [], {})
    if isinstance(first, Box):
        return Box(first.cell["items"], is_open=first.is_open)
    items = items_of(walk, first)
    if items is not None:
        return Box(items)
    return Many(item_of(walk, first))


def _reordered(walk: Walk, words: list[Any], named: dict[str, Any]) -> Any:
    """A list in an order that is not known, or without what is equal."""
    found = _listed(walk, words, named)
    items = items_of(walk, found)
    return found if items is not None and len(items) < 2 else Many(item_of(walk, found))


def _numbered(walk: Walk, words: list[Any], named: dict[str, Any]) -> Any:
    if not words:
        return Many(UNKNOWN)
    items = items_of(walk, words[0])
    if items is not None and len(words) == 1 and not named:
        return Box(list(enumerate(items)))
    return Many((UNKNOWN, item_of(walk, words[0])))


def _zipped(walk: Walk, words: list[Any], _: dict[str, Any]) -> Any:
    lists = [items_of(walk, one) for one in words]
    if lists and all(one is not None for one in lists):
        return Box(list(zip(*[one or [] for one in lists], strict=False)))
    return Many(tuple(item_of(walk, one) for one in words))


def _mapped(walk: Walk, words: list[Any], _: dict[str, Any]) -> Any:
    if len(words) != 2:
        return ABSENT
    items = items_of(walk, words[1])
    if items is not None and len(items) <= MAX_ITEMS:
        return Box([walk.call(words[0], [one], {}, None) for one in items])
    found: list[Any] = []

    def once() -> str:
        found.append(walk.call(words[0], [item_of(walk, words[1])], {}, None))
        return ""

    walk.repeated(once)
    return Many(either(found) if found else UNKNOWN)


def _filtered(walk: Walk, words: list[Any], _: dict[str, Any]) -> Any:
    if len(words) == 2:
        _mapped(walk, words, {})
        return Many(item_of(walk, words[1]))
    return ABSENT


def _ranged(_: Walk, words: list[Any], __: dict[str, Any]) -> Any:
    if words and all(isinstance(one, int) for one in words):
        numbers = safely(lambda: range(*words))
        if isinstance(numbers, range) and len(numbers) <= MAX_ITEMS:
            return Box(list(numbers))
    return Many(UNKNOWN)


def _counted(walk: Walk, words: list[Any], _: dict[str, Any]) -> Any:
    items = items_of(walk, words[0]) if len(words) == 1 else None
    if items is not None:
        return len(items)
    return len(words[0]) if len(words) == 1 and isinstance(words[0], str) else UNKNOWN


def _mapping(walk: Walk, words: list[Any], named: dict[str, Any]) -> Any:
    made = Box({})
    if words and isinstance(words[0], Box) and not words[0].is_dict:
        pairs = words[0].values
        if all(type(one) is tuple and len(one) == 2 and is_constant(one[0]) for one in pairs):
            return Box({**dict(pairs), **named}, is_open=words[0].is_open or OTHERS in named)
    extended(walk, made, words, named)
    return made


def _fields_of(_: Walk, words: list[Any], __: dict[str, Any]) -> Any:
    """``asdict(record)``; what is in its fields is not copied."""
    made = []
    for one in options_of(words[0] if words else UNKNOWN):
        if not isinstance(one, Instance) or one.cls is None or one.cls.fields is None:
            return ABSENT
        fields = {name: one.attributes.get(name, UNKNOWN) for name, _ in one.cls.fields}
        made.append(Box(fields, is_open=one.is_open))
    return either(made)


def _attribute_by_name(walk: Walk, words: list[Any], _: dict[str, Any]) -> Any:
    holder, name = (*words, UNKNOWN, UNKNOWN)[:2]
    names = options_of(name)
    if not all(isinstance(one, str) for one in names):
        known = [one for one in names if isinstance(one, str)]
        if known and isinstance(holder, Module):
            walk.is_whole = False
            return either([UNKNOWN, *(walk.attribute(holder, one) for one in known)])
        if not isinstance(holder, Instance) or holder.cls is not None:
            walk.is_whole = False
        walk.escape(holder.value if isinstance(holder, Rest) else holder)
        return ABSENT if isinstance(holder, Symbol) else UNKNOWN
    found = [walk.attribute(one, each) for one in options_of(holder) for each in names]
    return either([*found, *words[2:3]])


def _address_made(_: Walk, words: list[Any], named: dict[str, Any]) -> Any:
    """``URL.create("mysql", host="db.example.com", database="shop")``."""
    given = {**dict(zip(_OF_ADDRESS, words, strict=False)), **named}
    driver, host, name = (given.get(one) for one in ("drivername", "host", "database"))
    if not isinstance(driver, str) or not isinstance(host, str):
        return ABSENT
    return f"{driver}://{host}/{name if isinstance(name, str) else ''}"


_OF_ADDRESS = ("drivername", "username", "password", "host", "port", "database")


def _called_command(walk: Walk, words: list[Any], _: dict[str, Any]) -> Any:
    """``call_command("name")``: one of the project's own beside this one."""
    from operators_edge.shell.code.python import commands  # noqa: PLC0415 - imports this module

    if words and isinstance(words[0], str) and walk.start.kind == "django":
        commands.run_other(walk, words[0])
    return ABSENT


def _address_read(_: Walk, words: list[Any], __: dict[str, Any]) -> Any:
    """``make_url(text)``."""
    return words[0] if len(words) == 1 and isinstance(words[0], str) else ABSENT


def _set_by_name(walk: Walk, words: list[Any], _: dict[str, Any]) -> Any:
    if len(words) == 3 and isinstance(words[1], str):
        target = ast.Attribute(UNKNOWN.expr, words[1], ast.Store(), lineno=1)
        for one in options_of(words[0]):
            assignments.set_attribute(walk, one, target, words[2])
        return None
    walk.is_whole = False
    return ABSENT


def _joined(walk: Walk, words: list[Any], _: dict[str, Any]) -> Any:
    if any(isinstance(one, Rest) for one in words):
        return ABSENT
    folder, name = (words[0], words[1]) if len(words) == 2 else (None, None)
    if is_path(folder) and isinstance(name, Symbol) and isinstance(name.expr, ast.Name):
        listing = walk.residue.looped.get(name.expr.id)
        own = ast.Call(walk.residue.library("os.listdir", "os").expr, [walk.expr(folder)], [])
        if listing is not None and is_same(Symbol(listing), Symbol(own)):
            every = ast.Constant(path_of(path_text(folder), "*"))
            found = walk.residue.library("glob.glob", "glob").expr
            return walk.residue.each(ast.Call(found, [every], []))
    return joined_paths(walk, words)


def _folders_below(walk: Walk, words: list[Any], named: dict[str, Any]) -> Any:
    """``os.walk(path)``: each of its folders is like the first, with files as that has them."""
    if len(words) != 1 or not is_path(words[0]) or not named.keys() <= {"topdown", "followlinks"}:
        return ABSENT
    listing = walk.residue.library("os.listdir", "os").expr
    names = Many(walk.residue.each(ast.Call(listing, [walk.expr(words[0])], [])))
    return Many((words[0], names, names))


def _own(_: Walk, words: list[Any], named: dict[str, Any]) -> Any:
    """A new folder among the temporary ones; one that is to be somewhere else stays a call."""
    given = [*words[:2], named.get("prefix"), named.get("suffix")]
    is_elsewhere = len(words) > 2 or named.get("dir") is not None
    is_plain = all(one is None or (isinstance(one, str) and "/" not in one) for one in given)
    return OWN_PATH if is_plain and not is_elsewhere else ABSENT


def _split_words(_: Walk, words: list[Any], named: dict[str, Any]) -> Any:
    if len(words) != 1 or named or not isinstance(words[0], str):
        return ABSENT
    found = safely(lambda: shlex.split(words[0]))
    return Box(found) if isinstance(found, list) else ABSENT


def _joined_words(walk: Walk, words: list[Any], _: dict[str, Any]) -> Any:
    items = items_of(walk, words[0]) if len(words) == 1 else None
    is_known = items is not None and all(isinstance(one, str) for one in items)
    return shlex.join(items) if items is not None and is_known else ABSENT


def _next(walk: Walk, words: list[Any], _: dict[str, Any]) -> Any:
    return either([item_of(walk, words[0]), *words[1:2]]) if words else UNKNOWN


def _same(_: Walk, words: list[Any], __: dict[str, Any]) -> Any:
    return words[0] if words and not isinstance(words[0], Rest) else ABSENT


def _unknown(_: Walk, __: list[Any], ___: dict[str, Any]) -> Any:
    return UNKNOWN


def _variables(walk: Walk, words: list[Any], _: dict[str, Any]) -> Any:
    holder = words[0] if len(words) == 1 else None
    if isinstance(holder, Instance) and (holder.cls is None or holder.cls.fields is not None):
        return Box(dict(holder.attributes), is_open=holder.is_open)
    walk.is_whole = False
    return ABSENT


def _partial(walk: Walk, words: list[Any], named: dict[str, Any]) -> Any:
    if not words or isinstance(words[0], (Rest, Symbol)):
        return ABSENT
    first, rest = words[0], words[1:]
    return Native(lambda more, others: walk.call(first, [*rest, *more], {**named, **others}, None))


_CHANGES_PARSER = (
    *("parents", "prefix_chars", "fromfile_prefix_chars", "argument_default"),
    *("conflict_handler", OTHERS),
)


def _parser(_: Walk, __: list[Any], named: dict[str, Any]) -> Any:
    add_help = named.get("add_help", True)
    made = Parser(add_help=add_help is True)
    made.is_known &= isinstance(add_help, bool)
    for key in _CHANGES_PARSER:
        made.is_known &= key not in named
    return made


_KNOWN: dict[str, Callable[[Walk, list[Any], dict[str, Any]], Any]] = {
    "argparse.ArgumentParser": _parser,
    **dict.fromkeys(("pathlib.Path", "pathlib.PosixPath", "pathlib.PurePath"), _path_made),
    **dict.fromkeys(("pathlib.Path.cwd", "pathlib.Path.getcwd"), lambda *_: FilePath(".")),
    "os.getcwd": lambda *_: ".",
    "pathlib.Path.home": lambda *_: FilePath("~"),
    "os.path.join": _joined,
    "os.path.dirname": _text_path(posixpath.dirname),
    "os.path.basename": _text_path(posixpath.basename),
    "os.path.normpath": _text_path(posixpath.normpath),
    **dict.fromkeys(
        ("os.path.abspath", "os.path.realpath"),
        _text_path(lambda text: text or "."),
    ),
    **dict.fromkeys(("os.path.expanduser", "os.fspath"), _text_path(lambda text: text)),
    "os.path.expandvars": lambda _, words, __: (
        (len(words) == 1 and isinstance(words[0], str) and with_home(words[0])) or ABSENT
    ),
    "os.path.splitext": lambda _, words, __: (
        posixpath.splitext(words[0]) if words and isinstance(words[0], str) else ABSENT
    ),
    "str": _converted(str),
    "int": _converted(int),
    "float": _converted(float),
    "bool": lambda _, words, __: (
        UNKNOWN if not words or truth(words[0]) is None else truth(words[0])
    ),
    **dict.fromkeys(
        ("list", "tuple", "iter", "collections.deque"),
        _listed,
    ),
    **dict.fromkeys(("sorted", "set", "frozenset", "reversed"), _reordered),
    "dict": _mapping,
    **dict.fromkeys(("dataclasses.asdict", "attr.asdict", "attrs.asdict"), _fields_of),
    "enumerate": _numbered,
    "zip": _zipped,
    "map": _mapped,
    "filter": _filtered,
    "range": _ranged,
    "len": _counted,
    "next": _next,
    "shlex.split": _split_words,
    "shlex.join": _joined_words,
    "os.walk": _folders_below,
    "flask.cli.AppGroup": made_group,
    "string.Template": lambda _, words, __: (
        Template(words[0]) if len(words) == 1 and isinstance(words[0], str) else ABSENT
    ),
    "getattr": _attribute_by_name,
    **dict.fromkeys(
        ("textwrap.dedent", "inspect.cleandoc"),
        lambda _, words, __: (
            textwrap.dedent(words[0]) if len(words) == 1 and isinstance(words[0], str) else ABSENT
        ),
    ),
    **dict.fromkeys(
        ("sqlalchemy.make_url", "sqlalchemy.engine.make_url", "sqlalchemy.engine.url.make_url"),
        _address_read,
    ),
    "django.core.management.call_command": _called_command,
    **dict.fromkeys(
        (
            "sqlalchemy.URL.create",
            "sqlalchemy.engine.URL.create",
            "sqlalchemy.engine.url.URL.create",
        ),
        _address_made,
    ),
    "setattr": _set_by_name,
    "vars": _variables,
    **dict.fromkeys(("isinstance", "hasattr", "callable", "issubclass"), _unknown),
    **dict.fromkeys(("functools.partial", "functools.partialmethod"), _partial),
    **dict.fromkeys(
        ("asyncio.run", "asyncio.create_task", "trio.run", "anyio.run", "typing.cast"), _same
    ),
    **dict.fromkeys(("tempfile.mkdtemp", "tempfile.mktemp"), _own),
    "tempfile.mkstemp": lambda *_: (UNKNOWN, OWN_PATH),
    **settings.KNOWN,
    **ini_files.KNOWN,
    **sql_texts.CALLS,
}


for _name in ("asyncio.run", "trio.run", "anyio.run"):
    _KNOWN[_name] = lambda walk, words, _: (
        walk.call(words[0], words[1:], {}, None)
        if words and isinstance(words[0], Function)
        else _same(walk, words, {})
    )


_KNOWN["typing.cast"] = lambda _, words, __: words[1] if len(words) == 2 else ABSENT


for _name in ("dataclasses.field", "attr.ib", "attrs.field", "attr.field", "pydantic.Field"):
    _KNOWN[_name] = field_of


# end of module
