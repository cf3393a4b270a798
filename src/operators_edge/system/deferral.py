"""Modules run when they are first used, instead of where they are imported: ours, and a few of Python's own.

One command uses a third of what the modules that it begins with import, and to run a module costs far more
than to find it. A missing module is still noticed where it is imported, and no module of ours that was cut
runs. Owns this way of loading. Does not own which process loads like this (``__main__``): not the hook, whose
modules are few, nor what stays running, which calls ``run_all`` first.
"""

from __future__ import annotations

import _frozen_importlib_external as loading  # loaded in any process, unlike importlib
import sys
from _thread import RLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec, SourceFileLoader
    from types import ModuleType
    from typing import Any, Protocol, TypeVar

    L = TypeVar("L", bound=SourceFileLoader)

    class Loader(Protocol):
        def run(self, module: ModuleType) -> None: ...

else:
    ModuleType = type(sys)

AT_ONCE = "operators_edge.cli.commands."
"""These modules declare commands while they run, and are imported for that."""

STANDARD = frozenset(
    {
        "argparse",
        "copy",
        "csv",
        "difflib",
        "fnmatch",
        "glob",
        "hashlib",
        "json",
        "re",
        "shlex",
        "shutil",
        "subprocess",
        "tempfile",
    }
)
"""The costly ones that ours import as a whole, as in ``import shutil``, and that most commands need not."""

_UNUSED = ("__class__", "__spec__")
"""What Python itself asks a module for while it is imported once more."""


class _Turn:
    """Whose turn it is to run one module.

    Two threads cannot wait for each other here: it would take modules that import each other.
    """

    def __init__(self, loader: Loader) -> None:
        self.loader = loader
        self.lock = RLock()
        self.has_begun = False


class Deferred(ModuleType):
    """A module that has not run; any use of it runs it."""

    def __getattribute__(self, name: str) -> Any:
        if name not in _UNUSED:
            _run(self)
        return ModuleType.__getattribute__(self, name)

    def __setattr__(self, name: str, value: object) -> None:
        if name not in _UNUSED:
            _run(self)
        ModuleType.__setattr__(self, name, value)


def _run(module: Deferred) -> None:
    turn: _Turn = module.__spec__.loader_state  # type: ignore[union-attr]  # it was imported
    with turn.lock:
        if turn.has_begun:  # it has run in another thread meanwhile, or uses itself
            return
        turn.has_begun = True
        try:
            turn.loader.run(module)
        except BaseException:
            turn.has_begun = False
            raise
        object.__setattr__(module, "__class__", ModuleType)


def run_all() -> None:
    """Run what was imported and has not run.

    What stays running would else load it later, maybe from a version that was installed meanwhile.
    """
    waiting = [each for each in sys.modules.values() if type(each) is Deferred]
    while waiting:
        for each in waiting:
            _run(each)
        waiting = [each for each in sys.modules.values() if type(each) is Deferred]


def deferring(loader: type[L]) -> type[L]:
    """A loader like this one, which runs a module at its first use.

    A package of ours runs at once: it is used as soon as something is imported from it.
    """

    class Deferring(loader):  # type: ignore[misc, valid-type]  # one that is passed in
        def exec_module(self, module: ModuleType) -> None:
            spec: ModuleSpec = module.__spec__  # type: ignore[assignment]  # it is being imported
            is_ours = spec.name not in STANDARD
            if is_ours and (spec.submodule_search_locations or spec.name.startswith(AT_ONCE)):
                self.run(module)
            else:
                spec.loader_state = _Turn(self)
                object.__setattr__(module, "__class__", Deferred)

        def run(self, module: ModuleType) -> None:
            super().exec_module(module)

    return Deferring


def defer_standard() -> None:
    """Have those modules of Python's own that are costly run at their first use, too."""
    kind = deferring(loading.SourceFileLoader)

    class StandardFinder:
        """Finds the modules in ``STANDARD``; Python looks for all others as ever."""

        @staticmethod
        def find_spec(name: str, *_: object) -> ModuleSpec | None:
            if name not in STANDARD:
                return None
            spec = loading.PathFinder.find_spec(name)
            if spec is not None and type(spec.loader) is loading.SourceFileLoader:
                spec.loader = kind(name, spec.loader.path)
            return spec

    sys.meta_path.insert(0, StandardFinder)


# end of module
