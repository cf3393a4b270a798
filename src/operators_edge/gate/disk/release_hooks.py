"""Commands that programs which give a project its next version run around it: ``post_commit_hooks``.

Owns where such commands stand in files of settings, in TOML, JSON, YAML or sections of ``name = value``. The
tables are named for their program, so a file that several use has what each of them runs. Pure but for
``Facts``. Does not own which files a program reads (``command_files`` in the packs).
"""

from __future__ import annotations

from operators_edge.gate.disk.search import Piece, SearchPart
from operators_edge.shell.commands import HOLE
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import pattern
from operators_edge.text.settings_files import strings_in, values_at, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_BUMPVERSION = ("setup_hooks", "pre_commit_hooks", "post_commit_hooks")
_COMMITIZEN = ("pre_bump_hooks", "post_bump_hooks")
_COCOGITTO = (*_COMMITIZEN, "pre_package_bump_hooks", "post_package_bump_hooks")
_STANDARD_VERSION = (
    *("prerelease", "prebump", "postbump", "prechangelog", "postchangelog"),
    *("precommit", "postcommit", "pretag", "posttag"),
)
_PLACES = (
    *(f"{table}.{name}" for table in ("tool.bumpversion", "bumpversion") for name in _BUMPVERSION),
    *(f"{table}.{name}" for table in ("tool.commitizen", "commitizen") for name in _COMMITIZEN),
    *(
        f"{table}{name}.*.cmd"
        for table in ("tool.tbump.", "")
        for name in ("before_commit", "after_push")
    ),
    *_COCOGITTO,
    *(f"bump_profiles.*.{name}" for name in _COCOGITTO),
    *(
        f"{table}scripts.{name}"
        for table in ("standard-version.", "commit-and-tag-version.", "")
        for name in _STANDARD_VERSION
    ),
    *("tool.semantic_release.build_command", "semantic_release.build_command"),
    *("workflows.*.steps.*.command", "package.*.workflows.*.steps.*.command"),
    *(
        "before.hooks",
        *(f"{one}.*.hooks.*" for one in ("builds", "archives", "universal_binaries")),
    ),
    *("hooks", "hooks.*", "release-it.hooks.*", "pre-release-hook"),
)
"""Where commands stand, ``*`` being any name or each item of a list. What is there may be lists of them."""
_PUT_IN = pattern(r"\{\{.*?\}\}|(?<!\$)\{[a-z_]+\}|\$\{version\}")
"""What the program puts into a command: ``{{version}}``, ``{new_version}``."""


class ReleaseHooks(SearchPart):
    """The commands in one file."""

    def pieces(self, path: str, text: str) -> Iterator[Piece] | None:
        """What the file has run; None if it is not understood."""
        values = _sections(text) if path.endswith(".cfg") else values_of(path, text)
        return None if values is None else self._of_values(values, path, text)

    def _of_values(self, values: object, path: str, text: str) -> Iterator[Piece]:
        runs = (
            one
            for place in _PLACES
            for each in values_at(values, place)
            for one in strings_in(each)
        )
        for run in dict.fromkeys(runs):
            line = line_at(text, max(text.find(run.partition("\n")[0]), 0))
            given = _PUT_IN.sub(HOLE, run)
            yield Piece(path, given, line, folder=self.folder, is_direct=False)


def _sections(text: str) -> dict[str, dict[str, list[str]]] | None:
    """The sections of a file; each line of a value is a command. None if it has another format."""
    import configparser  # noqa: PLC0415 - for few files

    reader = configparser.RawConfigParser()
    try:
        reader.read_string(text)
    except configparser.Error:
        return None
    return {
        section: {
            name: [one for one in value.split("\n") if one.strip()]
            for name, value in reader.items(section)
        }
        for section in reader.sections()
    }


# end of module
