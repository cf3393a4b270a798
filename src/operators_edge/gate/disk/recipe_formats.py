"""Formats of files that hold the commands of targets, and which module reads each.

Owns that table. Loading one module must not load the others: a command has files of one format. Does not own
which program reads which file (the packs).
"""

from __future__ import annotations

from importlib import import_module

from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from operators_edge.gate.disk.recipe_types import Included, Recipe, Wanted


class Format(NamedTuple):
    """The module beside this one that knows a format, and its functions; "" for none.

    They say what the targets run, which files of the format a file includes, and which targets the named ones
    call in these.
    """

    module: str
    recipes: str
    includes: str = ""
    needs: str = ""


FORMATS = {
    "make": Format("makefiles", "make"),
    "package-scripts": Format("package_files", "package_scripts"),
    "package-tools": Format("package_files", "package_tools"),
    "test-setup": Format("package_files", "setup_files"),
    "just": Format("justfiles", "just", "just_imports", "just_needs"),
    "taskfile": Format("taskfiles", "taskfile", "task_includes", "task_needs"),
    # What tasks of rake run themselves is read as Ruby (``rakefiles.rake_code``).
    "rakefile": Format("rakefiles", "rake_others", "rake_imports"),
    "rails-tasks": Format("rakefiles", "", "rake_imports"),
    "lein-aliases": Format("task_aliases", "lein_aliases"),
    "sbt-tasks": Format("task_aliases", "sbt_tasks"),
    "mix-aliases": Format("task_aliases", "mix_aliases"),
    "loose": Format("loose_commands", "loose"),
    "source": Format("loose_commands", "source"),
    "mage": Format("loose_commands", "mage"),
    "go-generate": Format("recipes", "go_generate"),
    "compose": Format("recipes", "compose"),
    "pre-commit": Format("recipes", "pre_commit"),
    "procfile": Format("recipes", "procfile"),
    "requirements": Format("recipes", "requirements"),
    "build-backend": Format("recipes", "build_backend"),
    "jvm-options": Format("recipes", "jvm_options"),
    "cargo-aliases": Format("recipes", "cargo_aliases"),
    "platformio": Format("recipes", "platformio"),
    "gradle": Format("gradle_tasks", "gradle", "applied"),
    "pom": Format("poms", "pom"),
    "forced-tasks": Format("playbooks", "forced_tasks", "playbook_files"),
    "toml-tasks": Format("toml_tasks", "tasks_in_toml", "toml_includes", "toml_needs"),
    "cargo-make": Format("cargo_make", "cargo_make", "cargo_make_includes"),
    "cmake": Format("cmake_lists", "cmake", "cmake_includes"),
    "cmake-tests": Format("cmake_lists", "cmake_tests"),
    "terraform": Format("hcl_files", "terraform", "terraform_modules"),
    "bake": Format("hcl_files", "bake"),
}
"""By the values of a program's ``recipes`` in a pack."""


def recipes(kind: str, text: str, wanted: Wanted) -> list[Recipe]:
    found: list[Recipe] = _function(kind, FORMATS[kind].recipes)(text, wanted)
    return found


def includes(kind: str, text: str) -> list[Included]:
    found: list[Included] = _function(kind, FORMATS[kind].includes)(text)
    return found


def needs(kind: str, text: str, targets: Sequence[str]) -> list[str]:
    found: list[str] = _function(kind, FORMATS[kind].needs)(text, targets)
    return found


def _function(kind: str, name: str) -> Callable[..., Any]:
    if not name:
        return lambda *_: []
    made: Callable[..., Any] = getattr(import_module(f"{__package__}.{FORMATS[kind].module}"), name)
    return made


# end of module
