"""Kinds of files that a module of their own reads, and which module that is.

Owns that table. Loading one module must not load the others: a command has files of one kind. Does not own
which files of a command are of which kind (``command_files`` in the packs).
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    from operators_edge.gate.disk.search import Piece, Search

    class FileReader(Protocol):
        """What a command runs of one file, as far as its format says; None if it is not understood."""

        def pieces(self, path: str, text: str) -> Iterator[Piece] | None: ...


_READERS = {
    "bazel": ("bazel_targets", "Targets"),
    "image": ("images", "BuiltImage"),
    "laravel-tests": ("laravel_tests", "LaravelTests"),
    "dbt": ("dbt_projects", "Project"),
    "dvc": ("dvc_pipelines", "Pipeline"),
    "mlproject": ("mlflow_projects", "Project"),
    "dag": ("airflow_dags", "Dags"),
    "sessions": ("sessions", "Sessions"),
    "release-hooks": ("release_hooks", "ReleaseHooks"),
    "snakefile": ("snakefiles", "Workflow"),
    "nextflow": ("nextflow_pipelines", "Pipeline"),
    "ruby-suite": ("ruby_suite_hooks", "SuiteHooks"),
    "browser-suite": ("browser_suites", "BrowserSuite"),
    "fetched": ("whole_programs", "StartFile"),
    "output-folder": ("output_folders", "OutputFolder"),
    "mix-project": ("mix_projects", "MixProject"),
    "workflow": ("workflows", "Workflows"),
    "playbook": ("local_playbooks", "Playbook"),
}
"""Kind → the module beside this one, and its class."""
KINDS = frozenset(_READERS)


def reader_of(kind: str, search: Search) -> FileReader:
    module, name = _READERS[kind]
    made: FileReader = getattr(import_module(f"{__package__}.{module}"), name)(search)
    return made


# end of module
