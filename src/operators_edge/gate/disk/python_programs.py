"""A Python program that a command runs, as what is left of it once it is followed through its modules.

Owns where it begins, which files are its modules, and which of them what is left may stand for: all of them,
if the whole program was followed and git holds every file of it unchanged (``gate.pieces`` asks that where it
matters). Does not own following (``shell.code.python.trace``). Loaded for Python's files alone.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate.secret_files import is_credentials, is_env_file, may_hold_secrets
from operators_edge.shell.commands import HOLE, OWN_PATH
from operators_edge.text import python_source
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from operators_edge.gate.disk.search import Piece, Search
    from operators_edge.shell.code.python.trace import Start

_MAX_TOTAL = 512 * 1024
"""Characters of all the modules of one program that is followed."""
_MAX_FAILURES = 1
"""Tests of a folder that could not be followed, after which no other one is tried."""
_MAX_SUITES = 4
"""The same in all folders."""
_MAX_PART = 64 * 1024
"""Characters that are left of one file."""
_ENDINGS = (".py", "/__init__.py")
_LOADS_USUAL = frozenset(["dotenv run", "dotenv", "dotenvx run", "pipenv run"])
_LOADS_FILE = _LOADS_USUAL | {"uv run"}
_RUNNERS = frozenset(["dotenv", "dotenvx", "uv"])
_NAMES_FILE = frozenset(["--env-file", "-f", "--file", "-e"])
_SETTINGS_FILE = pattern(r"\.(?:toml|json|ya?ml|ini|cfg|conf)\Z|rc\Z")
"""A file of settings in a person's home."""
_MAX_SETTINGS = 16 * 1024
CONFTEST = ".conftest"
_DJANGO = pattern(r"\bexecute_from_command_line\b")
_ACTS = pattern(
    r"(?i)delet|destroy|drop|purge|remov|truncat|unlink|wipe|flush|terminat|revoke"
    r"|(?:^|_)(?:reset|clear|clean|kill|exec\w*|run|call|send\w*|post|put|patch|request|publish|push|upload"
    r"|update|save|create|insert|commit|system|popen|spawn\w*|cancel|disable|archive|restore|replace|apply|invoke|submit|start|stop|connect"
    r"|bulk|raw|write_text|write_bytes)(?:_|$)"
)
"""Names of functions that may do something to what is not a file here."""
_SEEN = frozenset(
    ["os.remove", "os.unlink", "os.rmdir", "os.removedirs", "shutil.rmtree", "unlink", "rmdir"]
)
"""Functions that delete files: the rules on files judge these."""
STARTS = frozenset(
    f"subprocess.{name}" for name in ("run", "call", "check_call", "check_output", "Popen")
).union(("os.system",))
"""Functions that start a program, which is judged for itself."""


_FOR_ALL = pattern(
    r"(?m)^\s*(mlflow\.set_(?:tracking|registry)_uri\(.*\)|django\.db\.connections\.configure\(.*\)|flask\.Config\.from_mapping\(.*\))$"
)
"""What a file says for the calls of all others: the address of a registry, or of a database."""


class Followed(NamedTuple):
    """What is left of a program, the files that it was read from, and whether nothing else of it runs."""

    pieces: tuple[Piece, ...]
    files: tuple[str, ...]
    is_whole: bool
    is_quiet: bool
    """Whether no call in it may do something that the readers of programs do not know."""
    only_starts: bool
    """Whether that holds but for the programs that it starts."""


class _Program:
    """The search for the files of one program."""

    def __init__(self, search: Search, spelled: Callable[[str], str] | None = None) -> None:
        self.search = search
        self.spelled = spelled
        self.total = 0
        self.files: list[str] = []

    def find(self, name: str, folder: str) -> tuple[str, str] | None:
        place = self.search.context
        if name == CONFTEST and not place.is_inside(folder, (place.root, *place.temp)):
            return None
        found = self.search.module(name, folder, _ENDINGS)
        if found is None and name[:1] != ".":
            found = self.search.module(
                name, os.path.join(self.search.context.root, "src"), _ENDINGS
            )
        if found is None or self.total > _MAX_TOTAL:
            return None
        self.total += len(found[1])
        self.files.append(found[0])
        return (found[0], self.spelled(found[1])) if self.spelled else found

    def read(self, name: str) -> str | None:
        context, path = self.search.context, self.search.path(name)
        if path is None:
            return None
        if context.is_inside(path, (context.root,)):
            return self.search.follower.read(path, context)
        is_of_person = name.startswith("~/") and _SETTINGS_FILE.search(path) is not None
        if not is_of_person or is_credentials(path) or is_env_file(path):
            return None
        text = self.search.follower.read(path, context)
        if text is None or len(text) > _MAX_SETTINGS or may_hold_secrets(text):
            return None
        self.files.append(path)  # what the call changes of it counts, too
        return text


def followed(
    search: Search, start: Start, piece: Piece, spelled: Callable[[str], str] | None = None
) -> Followed | None:
    """Follow a program; None if it is too long to be followed. What it imports is read as ``spelled``."""
    from operators_edge.shell.code.python.trace import trace  # noqa: PLC0415 - slow to import

    if not start.given:
        given = [*start.environment, *_given_by_runner(search), *search.variables()]
        known = _known(tuple(given))
        container = search.context.container
        start = start._replace(
            environment=(*(container.variables if container else ()), *known),
            given=() if container else _known(search.environment()),
            unknown=_unknown(search, (*given, *search.environment())),
            is_contained=container is not None,
        )
    program = _Program(search, spelled)
    suite = os.path.dirname(start.path) if start.kind in ("pytest", "tests") else ""
    failures = search.follower.unfollowed
    if suite and (failures.get(suite, 0) > _MAX_FAILURES or sum(failures.values()) > _MAX_SUITES):
        return None  # what its tests load alike is too much
    found = trace(start, program.find, program.read)
    if found is None or program.total > _MAX_TOTAL:
        failures[suite] = failures.get(suite, 0) + bool(suite)
        return None
    pieces = []
    texts = [part.text for part in found.parts.values()]
    if found.is_whole and OWN_PATH in "".join(texts):
        texts = _without_own(search, texts)
    shared = list(dict.fromkeys(one for text in texts for one in _FOR_ALL.findall(text)))
    for (path, part), text in zip(found.parts.items(), texts, strict=True):
        if part.text != "pass":
            more = [one for one in shared if one not in text]
            lines = text.split("\n")
            at = next((n for n, one in enumerate(lines) if not one.startswith("import ")), 0)
            # What holds for all files comes first.
            text = "\n".join((*lines[:at], *more, *lines[at:]))  # noqa: PLW2901 - as above
            numbers = (*part.numbers[:at], *(1,) * len(more), *part.numbers[at:])
            one = piece._replace(path=path, text=text, numbers=numbers, arguments=())
            pieces.append(one._replace(is_whole=len(text) <= _MAX_PART))
    acting = {
        name for name in found.called if name not in _SEEN and _ACTS.search(name.rpartition(".")[2])
    }
    is_quiet, only_starts = not acting, acting <= STARTS
    if found.is_whole:
        pieces = [one._replace(is_followed=True) for one in pieces]
    files = (start.path, *program.files)
    return Followed(
        tuple(pieces),
        files,
        found.is_whole,
        found.is_whole and is_quiet,
        found.is_whole and only_starts,
    )


def _without_own(search: Search, texts: list[str]) -> list[str]:
    """What is left of a program without what it does to repositories of its own."""
    from operators_edge.gate.own import scratch_clones  # noqa: PLC0415 - for few programs

    given = (*search.variables(), *search.environment())
    if any(name.startswith(("GIT_", "TMP", "TEMP")) for name, _ in given):
        return texts
    return scratch_clones.without_own(texts, STARTS)


def _known(variables: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple(one for one in variables if HOLE not in one[1])


def _unknown(search: Search, variables: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """The names of variables that the program gets with unknown values: ANY_NAME if it may be any."""
    from operators_edge.shell.code.python.values import ANY_NAME  # noqa: PLC0415 - slow to import

    context = search.context
    is_through_others = any(one not in _PLAIN_STEPS for one in search.inv.command.through)
    if is_through_others or search.inv.command.is_remote or context.may_set_any():
        return (ANY_NAME,)
    return tuple(name for name, value in variables if HOLE in value)


_PLAIN_STEPS = frozenset(("function", "time", "nice", "exec", "command", "trap"))
"""What gives a program no variables."""
_HARMLESS_OPTIONS = frozenset(
    "check capture_output text encoding errors stdout stderr timeout cwd universal_newlines shell".split()  # noqa: SIM905
)


def started(text: str) -> list[list[str] | str] | None:
    """The programs that code of Python starts, as words or shell texts; None if that is not sure."""
    import ast  # noqa: PLC0415 - for Python's files alone

    from operators_edge.shell.code.python.library_twins import dotted  # noqa: PLC0415 - as above

    try:
        tree = python_source.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    found: list[list[str] | str] = []
    named = [one for one in ast.walk(tree) if isinstance(one, ast.expr) and dotted(one) in STARTS]
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or dotted(node.func) not in STARTS:
            continue
        given = {one.arg or "" for one in node.keywords}
        if len(node.args) != 1 or not given <= _HARMLESS_OPTIONS:
            return None
        words = node.args[0]
        if isinstance(words, ast.List | ast.Tuple) and "shell" not in given:
            known = [one.value if isinstance(one, ast.Constant) else HOLE for one in words.elts]
            found.append([str(one) for one in known])
        elif isinstance(words, ast.Constant) and isinstance(words.value, str):
            found.append(words.value)
        else:
            return None
    # One that is named otherwise is handed to other code.
    return found if len(named) == len(found) > 0 else None


def _given_by_runner(search: Search) -> list[tuple[str, str]]:
    """The variables that the program's runner has from a file: ``dotenv run``, ``uv run --env-file F``."""
    through = search.inv.command.through
    if not _LOADS_FILE.intersection(through):
        return []
    names = [".env"] if _LOADS_USUAL.intersection(through) else []
    for command in search.context.commands:
        words = [word.text for word in command.argv]
        for at, word in enumerate(words if words[:1] and words[0] in _RUNNERS else ()):
            option, equals, value = word.partition("=")
            if option in _NAMES_FILE and (equals or at + 1 < len(words)):
                names = [value if equals else words[at + 1]]
    return list(search.variables_of_files(search.path(name) for name in names))


def start_of(search: Search, piece: Piece) -> Start:
    """Where a script begins, or a file that another program loads."""
    from operators_edge.shell.code.python.trace import Start  # noqa: PLC0415 - slow to import

    if not piece.is_direct:
        folder = os.path.dirname(piece.path)
        start = Start(piece.path, piece.text, folder, kind="tests")
        return _of_pytest(search, start) if search.inv.program == "pytest" else start
    modules = [word.text for word in search.inv.values(search.spec.get("modules", ()))]
    words, folder = list(piece.arguments), os.path.dirname(piece.path)
    if modules and modules[0] in words:
        words = [piece.path, *words[words.index(modules[0]) + 1 :]]
        folder = search.folder or folder
    is_known = bool(words) and not search.inv.command.has_more_words and HOLE not in "".join(words)
    return Start(piece.path, piece.text, folder, tuple(words) if is_known else None)


_COLLECTS = pattern(
    r"\bpython_(?:functions|classes)\b|\bpytest_(?:pycollect_\w+|collect_file|pyfunc_call)\b"
)
_NO_SOCKETS = pattern(r"(?s)\baddopts[\"']?\s*=\s*[^=]*?--disable-socket\b")
_SETTINGS = ("pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
_OTHER_SETTINGS = ("-c", "-o", "--override-ini", "--config-file", "--rootdir", "-p")
_DJANGO_VARIABLE = "DJANGO_SETTINGS_MODULE"
_OF_DJANGO = pattern(r"(?m)^[ \t]*DJANGO_SETTINGS_MODULE[ \t]*=[ \t]*['\"]?([\w.]+)")
_SOCKETS = ("--force-enable-socket", "--allow-hosts")


def _of_pytest(search: Search, start: Start) -> Start:
    """The tests of a file, if pytest goes by the usual names; with the libraries that are answered then."""
    from operators_edge.shell.code.python.stand_ins import ANSWERED  # noqa: PLC0415 - for test files alone

    context, given = search.context, search.words
    folders = dict.fromkeys(filter(None, (search.folder, context.root)))
    texts = [
        search.follower.read(os.path.join(folder, name), context) or ""
        for folder in folders
        for name in _SETTINGS
    ]
    names = [one.partition("=")[0] for one in given]
    is_usual = not any(one.startswith(_OTHER_SETTINGS) for one in names)
    if not is_usual or any(map(_COLLECTS.search, [start.text, *texts])):
        return start
    is_set = any(one.name == "--disable-socket" for one in search.inv.flags) or any(
        map(_NO_SOCKETS.search, texts)
    )
    is_open = any(one in _SOCKETS or HOLE in one for one in names) or any(
        one in text for one in _SOCKETS for text in texts
    )
    has_sockets = not is_set or is_open or bool(search.inv.command.has_more_words)
    variables = dict([*search.environment(), *search.variables()])
    told = [one for text in texts for one in _OF_DJANGO.findall(text)]
    return start._replace(
        kind="pytest",
        answers=() if has_sockets else ANSWERED["pytest_socket"],
        settings=_option(given, "--ds") or variables.get(_DJANGO_VARIABLE) or "".join(told[:1]),
    )


_PLUGINS = pattern(
    r"\bpytest_plugins\b[^=\n]*\+?=\s*([\[(][^\])]*[\])]|(?:['\"][^'\"\n]+['\"][ \t]*,?[ \t]*)+)"
)


def plugins(search: Search, piece: Piece) -> Iterator[tuple[str, str]]:
    """The modules that pytest loads because a file of tests names them, with hooks that it calls."""
    if search.inv.program != "pytest" or "pytest_plugins" not in piece.text:
        return
    endings = search.follower.rules.programs.get("python", {}).get("load_endings", ())
    for listed in _PLUGINS.findall(piece.text):
        for name in re.findall(r"['\"]([\w.]+)['\"]", listed):
            found = search.module(name, os.path.dirname(piece.path), endings)
            if found is not None and found[0] not in search.plugins:
                search.plugins.add(found[0])
                yield found


def django_command(search: Search, piece: Piece) -> Start | None:
    """The project's own command that ``manage.py`` runs."""
    if not _DJANGO.search(piece.text):
        return None
    named = [os.path.basename(one) for one in search.words]
    name = os.path.basename(piece.path)
    at = named.index(name) if name in named else len(named)  # `uv run manage.py`
    words = piece.arguments or search.words[at:]
    start = _of_django(search, words, os.path.dirname(piece.path), piece.text)
    return start and start._replace(environment=_set_by(search, piece))


def django_admin(search: Search) -> Start | None:
    """The same for ``django-admin``, which has its settings from an option or a variable alone."""
    return _of_django(search, search.words, search.folder or search.context.root, "")


def _of_django(search: Search, words: Sequence[str], base: str, code: str) -> Start | None:
    """The command, or the tests, that ``words`` choose; ``code`` is that of what runs them."""
    from operators_edge.shell.code.python.trace import Start  # noqa: PLC0415 - slow to import

    if len(words) < 2 or HOLE in "".join(words):
        return None
    settings = _settings_module(search, words, code)
    if words[1] == "test":
        found = search.module(settings, base, _ENDINGS) if settings else None
        runner = _option(words, "--testrunner")
        start = found and Start(*found, base, None, "django-tests", runner)
        return start and start._replace(settings=settings)
    for folder in _app_folders(search, base):
        path = os.path.join(folder, "management", "commands", f"{words[1]}.py")
        text = search.follower.read(path, search.context)
        if text is not None:
            return Start(path, text, base, tuple(words), "django", settings=settings)
    return None


def _option(words: Sequence[str], name: str) -> str:
    """The value of an option: ``--settings=x``, ``--settings x``."""
    for at, word in enumerate(words):
        if word.partition("=")[0] == name:
            return word.partition("=")[2] or "".join(words[at + 1 : at + 2])
    return ""


_SETS_VARIABLE = pattern(
    r"\bos\.environ(?:\[|\.setdefault\()\s*['\"](\w+)['\"]\s*(?:\]\s*=|,)\s*['\"]([^'\"\n]*)['\"]"
)
_LOADS_ENV = pattern(r"\b(?:load_dotenv|read_dotenv|read_env)\(")


def _set_by(search: Search, piece: Piece) -> tuple[tuple[str, str], ...]:
    """The variables of a program that is started by a file which sets some."""
    folder = os.path.dirname(piece.path)
    loaded = search.variables_of([".env"], [folder]) if _LOADS_ENV.search(piece.text) else {}
    return (*loaded.items(), *_SETS_VARIABLE.findall(piece.text))


_NAMES_SETTINGS = pattern(r"DJANGO_SETTINGS_MODULE['\"]\s*(?:,|\]\s*=)\s*['\"]([\w.]+)['\"]")


def _settings_module(search: Search, words: Sequence[str], code: str) -> str:
    """The module of settings: of an option, a variable, or the code that runs the command."""
    given = dict([*search.environment(), *search.variables()]).get(_DJANGO_VARIABLE, "")
    named = _NAMES_SETTINGS.search(code)
    return _option(words, "--settings") or given or (named[1] if named else "")


def _app_folders(search: Search, base: str) -> Iterator[str]:
    for name in search.follower.names(base, search.context):
        folder = os.path.join(base, name)
        if "." in name or "management" not in search.follower.names(folder, search.context):
            for inner in search.follower.names(folder, search.context) if "." not in name else ():
                below = os.path.join(folder, inner)
                if "." not in inner and "management" in search.follower.names(
                    below, search.context
                ):
                    yield below
            continue
        yield folder


def entry_point(search: Search) -> Start | None:
    """The function that a script of the project's own package starts: ``poetry run newsletter``."""
    context, name = search.context, search.words[0]
    folder = search.folder or context.root
    path = os.path.join(folder, "pyproject.toml")
    text = search.follower.read(path, context)
    if text is None and folder != context.root:
        folder = context.root
        text = search.follower.read(os.path.join(folder, "pyproject.toml"), context)
    is_named = name in (text or "") or "\\" in (text or "")  # TOML may spell a name otherwise
    target = _scripts(text or "").get(name, "") if is_named else ""
    words = (name, *search.words[1:])
    is_known = not search.inv.command.has_more_words and HOLE not in "".join(words)
    start = function_of(search, target, folder)
    return start and start._replace(words=words if is_known else None)


def function_of(search: Search, target: str, folder: str = "") -> Start | None:
    """Where a function of the project's own modules begins: ``shop.tasks:main``, ``shop.tasks:main()``."""
    from operators_edge.shell.code.python.trace import Start  # noqa: PLC0415 - slow to import

    folder = folder or search.folder or search.context.root
    module, colon, function = target.partition(":")
    if not colon:
        return None
    found = None
    for base in (folder, os.path.join(folder, "src")):
        found = found or search.module(module.strip(), base, _ENDINGS)
    if found is None:
        return None
    first = function.strip().partition("[")[0].partition("(")[0].strip()
    return Start(*found, folder, None, "function", first)


def _scripts(text: str) -> dict[str, str]:
    if "scripts" not in text:
        return {}
    from operators_edge.text.settings_files import toml  # noqa: PLC0415 - few projects are asked for it

    settings = toml(text) or {}
    found: dict[str, str] = {}
    tools = settings.get("tool", {})
    tables = [settings.get("project", {}), tools.get("poetry", {}), tools.get("flit", {})]
    for table in tables:
        scripts = table.get("scripts") if isinstance(table, dict) else None
        for key, value in scripts.items() if isinstance(scripts, dict) else ():
            named = value.get("reference") if isinstance(value, dict) else value
            if isinstance(named, str):
                found.setdefault(key, named)
    return found


# end of module
