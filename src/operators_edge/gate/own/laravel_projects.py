"""Whether a command of Laravel works in a database for tests, because it is given their variables.

``php artisan migrate:fresh --env=testing`` takes ``.env.testing`` in the place of ``.env``, which may name
such a database, too. Owns reading that file and the settings that use it. Does not own tests that empty a
database (``gate.disk.laravel_tests``).
Pure but for ``Facts``. Loaded for such commands.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.shell.code.addresses import variables_in
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext
    from operators_edge.shell.commands import Word

_MAX_TEXT = 64 * 1024
_OTHERS = pattern(r"--(?:database|realpath|path)\b")
_NAMES = frozenset(("test", "testing"))
_LEADS = pattern(r"DB_\w+|DATABASE_URL|APP_CONFIG_CACHE")
_ADDRESSES = frozenset(("DB_URL", "DATABASE_URL", "DB_SOCKET", "APP_CONFIG_CACHE"))
_DRIVERS = frozenset(("mysql", "mariadb", "pgsql"))
_COMMENT = pattern(r"/\*.*?\*/|(?m:(?://|#).*$)", re.DOTALL)
_DEFAULT = pattern(r"(['\"])default\1\s*=>\s*env\(\s*['\"]DB_CONNECTION['\"]")
_SETTING = r"(['\"])%s\1\s*=>\s*env\(\s*['\"]%s['\"]"
_ELSEWHERE = pattern(r"(['\"])(?:read|write|host|url|database|unix_socket|driver|options)\1\s*=>")
_OTHER = pattern(
    r"(?i)\bconnection\b|\bnew\s+PDO\b|mysqli|\bconfig\s*\(|Config::|putenv|Artisan::|Process::|\bexec\s*\("
)
"""What a migration may do to another database."""
_OTHER_FILE = pattern(
    r"loadEnvironmentFrom|useEnvironmentPath|putenv|\$_ENV|\$_SERVER|Config::|config\("
)
_MIGRATIONS = ("database/migrations", "database/seeders")


def is_for_tests(
    word: Word, inv: Invocation, context: CallContext, is_named_so: Callable[[str], bool]
) -> bool:
    """Whether the variables of an environment lead to a database for tests, and nothing to another one.

    ``is_named_so`` says of an address that it is one for tests.
    """
    return word.text in _NAMES and _works_in(f".env.{word.text}", inv, context, is_named_so)


def has_test_database(
    inv: Invocation, context: CallContext, is_named_so: Callable[[str], bool]
) -> bool:
    """The same for the project's own ``.env``, if no other environment is chosen."""
    words = [word.text for word in inv.command.argv]
    given = {*inv.command.environment, *context.values_by_name()}
    is_plain = all(word.is_known for word in inv.command.argv) and "APP_ENV" not in given
    is_plain &= not inv.command.has_more_words and not any(one.startswith("--env") for one in words)
    return is_plain and not context.may_set_any() and _works_in(".env", inv, context, is_named_so)


def _works_in(
    name: str, inv: Invocation, context: CallContext, is_named_so: Callable[[str], bool]
) -> bool:
    program = context.resolve(inv.command.argv[0].text, inv.working_folder(context))
    given = {*inv.command.environment, *context.values_by_name()}
    if program is None or inv.command.is_remote or any(map(_LEADS.fullmatch, given)):
        return False
    folder = os.path.dirname(program)
    file = _text(f"{folder}/{name}", context)
    start = _text(f"{folder}/bootstrap/app.php", context) or ""
    is_cached = "config.php" in (context.facts.names(f"{folder}/bootstrap/cache") or ())
    if file is None or is_cached or any(_OTHERS.match(one.text) for one in inv.command.argv):
        return False
    if context.arrivals or context.moved or _OTHER_FILE.search(start):
        return False
    values = dict(variables_in(file))
    settings = _COMMENT.sub("", _text(f"{folder}/config/database.php", context) or "")
    return (
        _ADDRESSES.isdisjoint(values)
        and _uses(settings, values.get("DB_CONNECTION", ""))
        and is_named_so(_address(values))
        and all(_stays(f"{folder}/{one}", context) for one in _MIGRATIONS)
    )


def _address(values: dict[str, str]) -> str:
    """The database that the variables name, as one word."""
    driver, name = values.get("DB_CONNECTION", ""), values.get("DB_DATABASE", "")
    if driver == "sqlite":
        return name
    return f"{driver}://{values.get('DB_HOST', '-')}/{name}"


def _uses(settings: str, driver: str) -> bool:
    """Whether the settings take the connection from the variables, and all that says where it leads."""
    found = re.search(rf"(['\"]){driver}\1\s*=>\s*\[", settings) if driver else None
    if found is None or _DEFAULT.search(settings) is None:
        return False
    block = _until_end(settings[found.end() :])
    kept = {"database": "DB_DATABASE"}
    if driver in _DRIVERS:
        kept["host"] = "DB_HOST"
    elif driver != "sqlite":
        return False
    free = ("driver", "options", "url", "unix_socket")  # the last two are not given
    named = {re.sub(r"\W", "", one[0]) for one in _ELSEWHERE.finditer(block)}
    return named <= {*kept, *free} and all(
        re.search(_SETTING % pair, block) is not None for pair in kept.items()
    )


def _until_end(text: str) -> str:
    level = 1
    for at, mark in enumerate(text):
        level += (mark == "[") - (mark == "]")
        if level == 0:
            return text[:at]
    return text


def _stays(folder: str, context: CallContext) -> bool:
    """Whether no migration, or what fills the tables, names another database."""
    files = (one for one in context.facts.names(folder) or () if one.endswith(".php"))
    texts = [_text(f"{folder}/{one}", context) for one in files]
    return all(one is not None and not _OTHER.search(one) for one in texts)


def _text(path: str, context: CallContext) -> str | None:
    """The text of a file of the project that the line leaves as it is."""
    if context.is_changed(path) or not context.is_inside(context.real(path), (context.root,)):
        return None
    return context.facts.text(path, _MAX_TEXT)


# end of module
