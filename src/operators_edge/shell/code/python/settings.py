"""Where a Python program that is followed has its addresses from: variables, ``.env``, files of settings.

A variable of the machine is not known to anyone who reads the code, and goes before what ``.env`` says of it.
So such a value is one of two: unknown, or an address on another machine; anything else stays unknown, and
decides no branch. The variables of a container are known (``Start.is_contained``), those that the line gives
to the program (``Start.given``), and so is what a file of settings holds, but for the addresses of databases
on this machine, which say no more than none.

Owns the readers of these files. Does not own what is an address elsewhere (``shell.code.addresses``), nor
calls of other libraries (``shell.code.python.library``).
"""

from __future__ import annotations

import ast
import json
import posixpath
import re
from typing import Any

from operators_edge.shell.code.addresses import is_elsewhere, says_nothing, variables_in
from operators_edge.shell.code.python.operations import as_value, is_path, path_text
from operators_edge.shell.code.python.values import (
    ABSENT,
    ANY_NAME,
    UNKNOWN,
    Box,
    Class,
    FilePath,
    Instance,
    Native,
    Symbol,
    either,
    options_of,
)
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from operators_edge.shell.code.python.trace import Walk

_MAX_ABOVE = 8
"""Folders above a file in which ``.env`` is looked for."""


def without_local(value: Any) -> Any:
    """Return what a file of settings holds, without the addresses that say nothing."""
    if isinstance(value, dict):
        return {key: without_local(one) for key, one in value.items()}
    if isinstance(value, list):
        return [without_local(one) for one in value]
    return UNKNOWN if isinstance(value, str) and says_nothing(value) else value


# -- variables -------------------------------------------------------------------------------------


def begin(walk: Walk) -> None:
    """Note the variables that the program is started with."""
    walk.set_variables.update(name for name, _ in (*walk.start.environment, *walk.start.given))
    for name, value in walk.start.environment:
        if not walk.start.is_contained or walk.start.kind in {"tests", "pytest"}:
            _note(walk, name, value)
        elif not says_nothing(value):
            walk.environ[name] = value
    if walk.start.kind not in {"tests", "pytest"}:  # where fixtures may set them
        walk.environ.update(walk.start.given)


def _note(walk: Walk, name: str, value: Any) -> None:
    """A variable may have this value from now on, or another one."""
    before = options_of(walk.environ.get(name, ABSENT))
    found = [one for one in options_of(value) if isinstance(one, str) and is_elsewhere(one, name)]
    if found or before != (ABSENT,):
        walk.write(walk.environ, name, either([UNKNOWN, *before, *found]))


_DJANGO = "DJANGO_SETTINGS_MODULE"


def note_django(walk: Walk) -> None:
    """The models of Django act on the database of its settings from now on; in tests, on one for tests."""
    if walk.start.kind in {"tests", "pytest"} or not walk.settings:
        return
    from operators_edge.shell.code.python import django_settings  # noqa: PLC0415 - for few programs

    name, walk.settings = walk.settings, ""
    django_settings.note_database(walk, name)


_SETS_UP_ITSELF = re.compile(r"\bdef django_db_setup\(")
_MAKES_DATABASE = re.compile(r"\bsetup_databases\(|\bdef django_db_setup\([^)]*\bdjango_db_setup\b")


def note_real_database(walk: Walk) -> None:
    """Tests work on the database of the settings if a fixture stands for what makes one for them."""
    texts = [one for one in walk.texts if _SETS_UP_ITSELF.search(one)]
    if not walk.settings or not texts or any(map(_MAKES_DATABASE.search, texts)):
        return
    from operators_edge.shell.code.python import django_settings  # noqa: PLC0415 - for few programs

    django_settings.note_database(walk, walk.settings)


def _set_up_django(walk: Walk, _: list[Any], __: dict[str, Any]) -> Any:
    note_django(walk)
    return ABSENT


def _configure_django(walk: Walk, words: list[Any], named: dict[str, Any]) -> Any:
    from operators_edge.shell.code.python import django_settings  # noqa: PLC0415 - for few programs

    return django_settings.note_configured(walk, words, named)


def set_variable(walk: Walk, name: Any, value: Any) -> None:
    """``os.environ[name] = value``."""
    if name == _DJANGO and isinstance(value, str):
        walk.settings = dict(walk.start.given).get(name, value)
    if isinstance(name, str):
        if walk.start.kind != "pytest":  # where it depends on the test
            walk.set_variables.add(name)
        _note(walk, name, value)
    else:
        forget(walk)


def forget(walk: Walk) -> None:
    """The program may have changed any variable."""
    walk.set_variables.add(ANY_NAME)
    for name, value in list(walk.environ.items()):
        walk.write(walk.environ, name, either([UNKNOWN, value]))


def variable(walk: Walk, name: Any) -> Any:
    """Return the value of a variable; ABSENT if nothing is known of it."""
    names = options_of(name)
    found = either(walk.environ.get(one, ABSENT) for one in names if isinstance(one, str))
    return found if len(names) == 1 or found is ABSENT else either([UNKNOWN, found])


def _variable(walk: Walk, words: list[Any], named: dict[str, Any]) -> Any:
    if words[:1] == [_DJANGO] and len(words) > 1:
        set_variable(walk, *words[:2])
    found = variable(walk, words[0]) if words else ABSENT
    default = words[1] if len(words) > 1 else named.get("default")
    if found is ABSENT and isinstance(default, str) and is_elsewhere(default, str(words[:1])):
        return either([UNKNOWN, default])  # what the machine's variable says is not known
    if found is ABSENT and isinstance(default, str) and _LOCAL.fullmatch(default):
        given = walk.set_variables.union(walk.start.unknown)
        is_free = given.isdisjoint({str(words[0]), ANY_NAME})
        return default if is_free else found
    is_named = found is ABSENT and bool(words) and isinstance(words[0], str)
    if is_named and default is not None and _may_count(default):
        from operators_edge.shell.code.python import variable_defaults  # noqa: PLC0415 - for few programs

        if variable_defaults.counts(walk, words[0], default):
            return either([UNKNOWN, default])
    return found


_LOCAL = re.compile(
    r"[\w+]+://(?:[^@/?#\s]*@)?(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:/[\w./-]*)?|localhost|127\.0\.0\.1"
)
"""A server of this machine: what a program reaches if nothing sets another one."""
_PRODUCTION = frozenset(["prod", "production", "live"])


def _may_count(default: Any) -> bool:
    """Whether a default may be a folder of the person or of the machine, or chooses the real thing."""
    texts = [path_text(one) for one in options_of(default) if is_path(one)]
    return any(one[:1] in {"~", "/"} or one.lower() in _PRODUCTION for one in texts)


def _forgotten(walk: Walk, _: list[Any], __: dict[str, Any]) -> Any:
    forget(walk)
    return ABSENT


def _updated(walk: Walk, words: list[Any], named: dict[str, Any]) -> Any:
    for one in words:
        if isinstance(one, Box) and one.is_dict:
            for name, value in one.cell["items"].items():
                set_variable(walk, name, value)
        else:
            forget(walk)
    for name, value in named.items():
        set_variable(walk, name, value)
    return ABSENT


# -- .env ------------------------------------------------------------------------------------------


def _env_files(walk: Walk, given: Any) -> Iterator[str]:
    """Yield the texts of the files that are given, or of the nearest ``.env`` above the code."""
    if isinstance(given, (Box, tuple)) and not isinstance(given, (Symbol, FilePath)):
        for one in given.values if isinstance(given, Box) else given:
            yield from _env_files(walk, one)
        return
    if is_path(given) and path_text(given):
        text = walk.read(path_text(given))
        yield from [] if text is None else [text]
        return
    text = _nearest_env(walk)
    yield from [] if text is None else [text]


def _nearest_env(walk: Walk) -> str | None:
    for start in (walk.frame.module.path if walk.frames else "", walk.start.path):
        folder = posixpath.dirname(start)
        for _ in range(_MAX_ABOVE):
            for name in (".env", "settings.ini"):
                text = walk.read(posixpath.join(folder, name))
                if text is not None:
                    return text
            if folder in {"", "/", "."}:
                break
            folder = posixpath.dirname(folder)
    return walk.read(".env")


def load_env(walk: Walk, words: list[Any], named: dict[str, Any]) -> Any:
    """``load_dotenv(path)``, ``Env.read_env(path)``."""
    given = words[0] if words else None
    for key in ("dotenv_path", "path", "env_file"):
        given = named.get(key, given)
    is_set = walk.start.kind not in {"tests", "pytest"} and named.get("override", False) is False
    before = dict(walk.start.given) if is_set else {}  # goes before what the file says
    if any(one is UNKNOWN or isinstance(one, Symbol) for one in options_of(given)):
        walk.start = walk.start._replace(unknown=(ANY_NAME,))
    for text in _env_files(walk, given):
        for name, value in variables_in(text):
            taken = walk.set_variables.union(walk.start.unknown)
            is_free = is_set and taken.isdisjoint({name, ANY_NAME})
            walk.set_variables.add(name)
            if is_free and _LOCAL.fullmatch(value) and variable(walk, name) is ABSENT:
                walk.write(walk.environ, name, value)  # nothing else sets it
            elif name not in before:
                _note(walk, name, value)
    return UNKNOWN


def _env_values(walk: Walk, words: list[Any], named: dict[str, Any]) -> Any:
    """``dotenv_values(path)``."""
    given = named.get("dotenv_path", words[0] if words else None)
    items: dict[Any, Any] = {}
    for text in _env_files(walk, given):
        items |= {name: without_local(value) for name, value in variables_in(text)}
    return Box(items, is_open=True) if items else ABSENT


class Variables(NamedTuple):
    """An object that reads variables: ``environs.Env()``, ``decouple.config``."""

    prefix: str = ""


def _reader(walk: Walk, words: list[Any], _: dict[str, Any]) -> Any:
    if any(is_path(one) for one in words):  # `Config(".env")` of starlette
        load_env(walk, words, {})
    return Variables()


def read_variable(walk: Walk, words: list[Any], named: dict[str, Any]) -> Any:
    found = variable(walk, words[0] if words else named.get("var", "DATABASE_URL"))
    default = named.get("default", words[1] if len(words) > 1 else ABSENT)
    for one in (*words[1:], *named.values()):
        walk.escape(one)
    if found is ABSENT:
        return either([UNKNOWN, *([] if default is ABSENT else [default])])
    return found


def _database_url(walk: Walk, words: list[Any], named: dict[str, Any]) -> Any:
    name = named.get("env", "DATABASE_URL")
    default = named.get("default", words[0] if words else ABSENT)
    return read_variable(walk, [name], {} if default is ABSENT else {"default": default})


def attribute_of_variables(walk: Walk, _: Variables, name: str) -> Any:
    if name in {"read_env", "read_envfile"}:
        return Native(lambda words, named: load_env(walk, words, named))
    return Native(lambda words, named: read_variable(walk, words, named))


def _decoupled(walk: Walk, words: list[Any], named: dict[str, Any]) -> Any:
    load_env(walk, [], {})
    return read_variable(walk, words, named)


# -- classes of settings ---------------------------------------------------------------------------

_SETTINGS = frozenset(["pydantic_settings.BaseSettings", "pydantic.BaseSettings"])


def set_from_variables(walk: Walk, made: Instance, cls: Class) -> None:
    """Set the fields of a settings object of pydantic that variables or ``.env`` have."""
    foreign = [base for one in cls.lineage() for base in one.foreign]
    if not any(isinstance(one, Symbol) and one.known_as in _SETTINGS for one in foreign):
        return
    config: dict[str, Any] = {}
    for one in reversed(list(cls.lineage())):
        config |= _config_of(walk, one)
    if config.get("env_file") is not None:
        load_env(walk, [config["env_file"]], {})
    prefix = config.get("env_prefix", "")
    prefix = prefix if isinstance(prefix, str) else ""
    for name, default in cls.noted:
        keys = (f"{prefix}{name}", f"{prefix}{name}".upper())
        found = either(walk.environ.get(key, ABSENT) for key in keys)
        if found is not ABSENT:
            before = made.attributes.get(name, UNKNOWN)
            made.attributes[name] = either([before, found])
        is_given = default is ABSENT or not walk.set_variables.isdisjoint(keys)
        if is_given and name not in cls.masked and _TELLS.search(name):
            holder = walk.residue.library("os.environ", "os").expr
            key = ast.Constant(f"{prefix}{name}".upper())
            before = made.attributes.get(name, ABSENT)
            read = Symbol(ast.Subscript(holder, key, ast.Load()))
            made.attributes[name] = either([read, ABSENT if before is UNKNOWN else before])


_TELLS = re.compile(r"(?i)pass|pwd|secret|token|key|cred|auth|dsn|_ur[il]$")
"""Names of fields whose values may be secret. Which are so is for those to say who read what is left."""


def _config_of(walk: Walk, cls: Class) -> dict[str, Any]:
    inner, model = cls.scope.names.get("Config"), cls.scope.names.get("model_config")
    if isinstance(inner, Class):
        return dict(inner.scope.names)
    if isinstance(model, Box) and model.is_dict:
        return dict(model.cell["items"])
    call = walk.residue.resolved(model.expr) if isinstance(model, Symbol) else None
    found: dict[str, Any] = {}
    for one in call.keywords if isinstance(call, ast.Call) else ():
        value = walk.residue.resolved(one.value)
        if isinstance(value, ast.Call) and value.args:  # a path
            value = value.args[0]
        if one.arg and isinstance(value, ast.Constant):
            found[one.arg] = value.value
        elif one.arg and isinstance(value, (ast.List, ast.Tuple)):
            texts = [each.value for each in value.elts if isinstance(each, ast.Constant)]
            found[one.arg] = tuple(texts)
    return found


# -- files of settings -----------------------------------------------------------------------------


def _toml(text: str) -> Any:
    import tomllib  # noqa: PLC0415 - few programs read it

    return tomllib.loads(text)


def _yaml(text: str) -> Any:
    from operators_edge.text import yaml_values  # noqa: PLC0415 - few programs read it

    found = yaml_values.read(text)
    if found is None:
        raise ValueError
    return found


def parsed(parse: Callable[[str], Any]) -> Callable[[Walk, list[Any], dict[str, Any]], Any]:
    """Return what ``json.loads(Path("x").read_text())`` gives: what the file holds now."""

    def known(walk: Walk, words: list[Any], named: dict[str, Any]) -> Any:
        is_plain = not named.keys() - _PLAIN_OPTIONS and len(words) in (1, 2)
        texts = [_content(walk, one) for one in options_of(words[0])] if is_plain else []
        if not any(one is not None for one in texts):
            return ABSENT
        try:
            return either(
                UNKNOWN if one is None else as_value(without_local(parse(one))) for one in texts
            )
        except (ValueError, RecursionError):
            return ABSENT

    return known


def data_of(path: str, text: str) -> Any:
    """What a file of settings holds, by its ending; UNKNOWN if that cannot be read."""
    parse = _PARSERS.get(posixpath.splitext(path)[1], json.loads)
    try:
        return as_value(without_local(parse(text)))
    except (ValueError, RecursionError):
        return UNKNOWN


_PARSERS: dict[str, Callable[[str], Any]] = {".toml": _toml, ".yaml": _yaml, ".yml": _yaml}
_PLAIN_OPTIONS = frozenset(["Loader", "encoding"])


def _content(walk: Walk, given: Any) -> str | None:
    if isinstance(given, Symbol):
        path = file_read(walk, given.expr)
        return walk.read(path) if path else None
    if isinstance(given, FilePath):
        return walk.read(given.text)
    if isinstance(given, str):
        is_name = "\n" not in given and given.endswith((".toml", ".yaml", ".yml", ".json"))
        return walk.read(given) if is_name else given
    return None


def file_read(walk: Walk, node: ast.expr) -> str:
    """The file of which an expression is the text, or which it is opened for reading."""
    node = walk.residue.resolved(node)
    if not isinstance(node, ast.Call):
        return ""
    name = Symbol(node.func).known_as
    first = node.args[0] if node.args else None
    if name in {"open", "io.open", "pathlib.Path"} and first is not None:
        inner = file_read(walk, first)
        return inner or (
            first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""
        )
    if isinstance(node.func, ast.Attribute) and node.func.attr in READS:
        return file_read(walk, node.func.value)
    return ""


READS = frozenset(["read", "read_text", "read_bytes", "open", "__enter__", "decode"])


def content_of_path(walk: Walk, given: Any) -> str | None:
    return walk.read(path_text(given)) if is_path(given) else _content(walk, given)


def _dynaconf(walk: Walk, _: list[Any], named: dict[str, Any]) -> Any:
    """The values of all the environments of its files: which one is meant is a variable's matter."""
    given = named.get("settings_files", named.get("settings_file", Box(["settings.toml"])))
    paths = given.values if isinstance(given, Box) else options_of(given)
    made = Instance(None, is_open=True)
    found: dict[str, list[Any]] = {}
    for one in paths:
        text = walk.read(path_text(one)) if is_path(one) else None
        parse = _toml if path_text(one).endswith(".toml") else _yaml
        try:
            values = parse(text) if text else {}
        except ValueError:
            values = {}
        parts = [values, *(each for each in values.values() if isinstance(each, dict))]
        for part in parts:
            for key, value in part.items():
                found.setdefault(str(key).lower(), []).append(as_value(without_local(value)))
    for key, every in found.items():
        for name in (key, key.upper()):
            made.attributes[name] = either([UNKNOWN, *every])
    return made


def _of_person(make: Callable[[str], Any]) -> Callable[[Walk, list[Any], dict[str, Any]], Any]:
    """The folder of a person's settings for a program, as Linux has it."""

    def known(_: Walk, words: list[Any], named: dict[str, Any]) -> Any:
        name = named.get("appname", named.get("app_name", words[0] if words else UNKNOWN))
        return make(f"~/.config/{name}") if isinstance(name, str) else ABSENT

    return known


KNOWN: dict[str, Callable[[Walk, list[Any], dict[str, Any]], Any]] = {
    **dict.fromkeys(
        (
            "platformdirs.user_config_dir",
            "appdirs.user_config_dir",
            "click.get_app_dir",
            "typer.get_app_dir",
        ),
        _of_person(str),
    ),
    "platformdirs.user_config_path": _of_person(FilePath),
    **dict.fromkeys(("os.environ.get", "os.getenv", "os.environ.setdefault"), _variable),
    **dict.fromkeys(("os.environ.pop", "os.environ.clear", "os.unsetenv", "os.putenv"), _forgotten),
    "os.environ.update": _updated,
    "django.setup": _set_up_django,
    "django.conf.settings.configure": _configure_django,
    "dj_database_url.config": _database_url,
    "dj_database_url.parse": lambda _, words, __: words[0] if words else ABSENT,
    "dotenv.load_dotenv": load_env,
    "dotenv.dotenv_values": _env_values,
    "dotenv.find_dotenv": lambda *_: "",
    **dict.fromkeys(("environs.Env", "environ.Env", "environ.FileAwareEnv"), _reader),
    **dict.fromkeys(("environ.Env.read_env", "environs.Env.read_env"), load_env),
    "starlette.config.Config": _reader,
    **dict.fromkeys(("decouple.config", "decouple.AutoConfig"), _decoupled),
    **dict.fromkeys(("dynaconf.Dynaconf", "dynaconf.LazySettings"), _dynaconf),
    **dict.fromkeys(("json.loads", "json.load"), parsed(json.loads)),
    **dict.fromkeys(
        ("tomllib.loads", "tomllib.load", "tomli.loads", "tomli.load", "toml.loads", "toml.load"),
        parsed(_toml),
    ),
    **dict.fromkeys(
        ("yaml.safe_load", "yaml.load", "yaml.full_load", "yaml.unsafe_load"), parsed(_yaml)
    ),
}
"""Calls by which a program gets its settings."""


# end of module
