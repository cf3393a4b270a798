"""Which databases a module of Django's settings names.

Owns reading that module, with those of the project that it takes values from. Does not own following code
(``shell.code.python.trace``). Loaded for commands that name such a module.
"""

from __future__ import annotations

import os.path
from typing import Any

from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext
    from operators_edge.shell.commands import Word

_MAX_SETTINGS = 64 * 1024
_ENGINES = frozenset(["django.db.backends.sqlite3", "django.contrib.gis.db.backends.spatialite"])
_IN_MEMORY = pattern(r"^:memory:$|^file:.*[?&]mode=memory(?:&|$)|^file::memory:")
_SETS_ANOTHER = pattern(
    r"environ\[\s*['\"]DJANGO_SETTINGS_MODULE['\"]\s*\]\s*=|putenv|\bconfigure\s*\("
)


def keep_in_memory(word: Word, inv: Invocation, context: CallContext) -> bool:
    """Whether all the databases of the settings are in memory; an option names others than the variable."""
    names = [one.text for one in inv.values(("--settings",))] or [word.text]
    paths = [one.text for one in inv.values(("--pythonpath",))]
    folder = inv.working_folder(context)
    if len(names) != 1 or paths or folder is None or HOLE in names[0]:
        return False
    program = context.resolve(_script(inv), folder)
    reader = _Settings(context, os.path.dirname(program) if program else folder)
    text = reader.read(program) if program else None
    if program is None or text is None or _SETS_ANOTHER.search(text):
        return False
    found = reader.databases(names[0])
    return bool(found) and all(_is_in_memory(one) for one in found)


def _script(inv: Invocation) -> str:
    """The program as it is named: ``manage.py``, also in another folder."""
    words = [word.text for word in inv.command.argv[:1]]
    return words[0] if words else ""


class _Settings:
    def __init__(self, context: CallContext, folder: str) -> None:
        self.context = context
        self.folder = folder
        self.is_known = True

    def read(self, path: str) -> str | None:
        """The text of a file that git holds as it is."""
        context = self.context
        if not context.is_inside(path, (context.root,)):
            return None
        text = context.facts.text(path, _MAX_SETTINGS + 1)
        if text is None:
            return None
        is_whole = len(text) <= _MAX_SETTINGS and not context.arrivals
        self.is_known &= is_whole and context.is_held(path)
        return text

    def find(self, name: str, folder: str) -> tuple[str, str] | None:
        up = len(name) - len(name.lstrip("."))
        base = os.path.normpath(os.path.join(folder, *[".."] * (up - 1))) if up else folder
        for ending in (".py", "/__init__.py"):
            path = os.path.join(base, name.lstrip(".").replace(".", "/") + ending)
            text = self.read(path)
            if text is not None:
                return path, text
        return None

    def databases(self, name: str) -> list[Any]:
        from operators_edge.shell.code.python.trace import Start, value_in  # noqa: PLC0415 - slow to import

        found = self.find(name, self.folder)
        if found is None:
            return []
        value = value_in(Start(*found, self.folder, name=name), "DATABASES", self.find, self.read)
        return list(value) if self.is_known and value is not None else []


def _is_in_memory(database: Any) -> bool:
    if not isinstance(database, dict):
        return False
    return database.get("ENGINE") in _ENGINES and bool(_IN_MEMORY.search(str(database.get("NAME"))))


# end of module
