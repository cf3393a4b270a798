"""Tools that release a project, as far as settings that git holds switch off all that others would get.

``release-it`` with ``git.push`` and ``npm.publish`` off makes a commit and a tag here, and no more. Owns the
table: the files of settings of each tool, and what in them has to be off or on. A setting or a word that the
table does not know is never harmless. Pure but for ``Facts``. Does not own the commands they run at their
steps (``gate.disk.release_hooks``).
"""

from __future__ import annotations

from operators_edge.shell.code.comments import HASH, SLASHES, without_comments
from operators_edge.text.patterns import found_in, pattern
from operators_edge.text.settings_files import values_at, values_of
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext


class Tool(NamedTuple):
    """How a tool is kept here: values by their keys, ``*`` being each item of a list.

    ``files`` are its settings, ``FILE#key`` a part of one; no file may be named like ``others``. Only
    such ``keys`` and ``words`` of a command are known. What is ``off`` (``a|b``: one of them) has to be
    false, what is ``on`` true in each part of a list, what is ``absent`` false or not there. No ``scripts``
    that it runs may be in ``package.json``.
    """

    files: tuple[str, ...]
    keys: str
    words: str
    off: tuple[str, ...] = ()
    on: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    others: str = r"(?!)"
    scripts: str = ""


_VERSION = r"(?:pre)?(?:major|minor|patch)|prerelease|rc|alpha|beta|v?\d+\.\d+\.\d+[\w.+-]*"
_AROUND_VERSION = r"\"(?:pre|post)?version\"\s*:\s*\"(?!v?\d)"
"""Scripts that npm runs around a new version."""
TOOLS = {
    "release-it": Tool(
        files=(
            *(f".release-it.{one}" for one in ("json", "yaml", "yml", "toml")),
            "package.json#release-it",
        ),
        others=r"\A\.release-it\.[cm]?[jt]s\Z",
        keys="git npm github gitlab hooks increment preRelease $schema",
        words=rf"--ci|--verbose|-V+|-i|--increment(?:=\w+)?|--only-version|--no-(?!dry)[\w.-]+|{_VERSION}",
        off=("git.push|git", "npm.publish|npm"),
        absent=("github.release", "gitlab.release"),
        scripts=_AROUND_VERSION,
    ),
    "semantic-release": Tool(
        files=(
            *(f".releaserc{one}" for one in ("", ".json", ".yaml", ".yml")),
            "package.json#release",
        ),
        others=r"\A(?:\.releaserc|release\.config)\.[cm]?[jt]s\Z",
        keys="branches repositoryUrl tagFormat ci debug dryRun preset",
        words=r"--ci|--no-ci|--debug",
        on=("dryRun",),
        scripts=_AROUND_VERSION,
    ),
    "lerna": Tool(
        files=("lerna.json",),
        keys="version packages npmClient useWorkspaces useNx command $schema",
        words=rf"version|--yes|-y|--conventional-commits|--no-private|--force-publish|{_VERSION}",
        off=("command.version.push",),
        absent=("command.version.createRelease", "command.publish"),
        scripts=_AROUND_VERSION,
    ),
    "goreleaser": Tool(
        files=tuple(
            f"{one}goreleaser.{end}" for one in (".", "", ".config/") for end in ("yaml", "yml")
        ),
        keys="version project_name env builds archives checksum changelog snapshot source nfpms"
        " before universal_binaries metadata release dockers docker_manifests brews homebrew_casks"
        " scoops nix winget krews aurs",
        words=r"release|--clean|--rm-dist|--verbose|--timeout=\w+|--parallelism=\d+|--skip=[\w,]+",
        on=(
            "release.disable",
            *(f"{one}.*.skip_push" for one in ("dockers", "docker_manifests")),
            *(
                f"{one}.*.skip_upload"
                for one in ("brews", "homebrew_casks", "scoops", "nix", "winget", "krews", "aurs")
            ),
        ),
        absent=(
            *(f"builds.*.{one}" for one in ("gobinary", "tool", "flags", "hooks")),
            "dockers.*.build_flag_templates",
            "docker_manifests.*.create_flags",
        ),
    ),
    "cargo": Tool(
        files=("release.toml", "Cargo.toml#package.metadata.release"),
        keys="allow-branch sign-commit sign-tag tag tag-name tag-prefix tag-message publish push verify"
        " consolidate-commits dev-version pre-release-commit-message pre-release-replacements"
        " dependent-version shared-version",
        words=rf"release|--execute|-x|--no-(?:confirm|publish|push|verify|tag)|-v+|{_VERSION}",
        off=("publish", "push"),
    ),
}
"""By the program's name in the packs."""
_LOCAL_STEPS = frozenset(
    "checkSnapshotDependencies inquireVersions runClean runTest setReleaseVersion commitReleaseVersion"  # noqa: SIM905
    " tagRelease setNextVersion commitNextVersion".split()
)
"""Steps of sbt-release that write, test, commit and tag."""
_PROCESS = pattern(r"\breleaseProcess\s*:=\s*(?:Seq|List|Vector)(?:\[\w+\])?\s*\(([^()]*)\)")
_RENAMES = pattern(
    rf"/\*|=>\s*(?:{'|'.join(_LOCAL_STEPS)})\b|\b(?:val|def|var|object)\s+(?:{'|'.join(_LOCAL_STEPS)})\b"
)
"""What may give a step's name to another one, or hide the process."""
_PUSHED = pattern(r"--push\b")
_ELSEWHERE = pattern(
    r"(?m)^[ \t]*(?:IMPORT\b|(?:FROM|BUILD|COPY|DO)\b[^\n]*[^\s+\"'(=]\+[a-zA-Z]"
    r"|(?:FROM|BUILD|COPY|DO)\b[^\n]*[^\s(=][\"']\+[a-zA-Z]|RUN\b[^\n]*--(?:secret|ssh)\b)"
)
"""Targets of other Earthfiles, and what gets a secret."""
_MAX_TEXT = 65_536
_MISSING = object()


def stays_here(inv: Invocation, context: CallContext) -> bool:
    """Whether a command that releases surely does so in this project alone."""
    words = [one.text for one in inv.command.argv[1:]]
    folder = inv.working_folder(context)
    if folder is None or inv.command.is_remote or inv.command.has_more_words:
        return False
    if inv.program in _OTHERS:
        words_known, is_local = _OTHERS[inv.program]
        return all(found_in(rf"\A(?:{words_known})\Z", one) for one in words) and is_local(
            folder, context
        )
    tool = TOOLS.get(inv.program)
    if tool is None or not all(found_in(rf"\A(?:{tool.words})\Z", one) for one in words):
        return False
    names = context.facts.names(folder) or ()
    if any(found_in(tool.others, one) for one in names):
        return False
    found = [
        one for file in tool.files if (one := _settings(file, folder, context)) is not _MISSING
    ]
    known = {*tool.keys.split()}
    if len(found) != 1 or not isinstance(found[0], dict) or not found[0].keys() <= known:
        return False
    return _is_off(found[0], tool) and _has_no_scripts(tool, f"{folder}/package.json", context)


def _has_no_scripts(tool: Tool, path: str, context: CallContext) -> bool:
    if not tool.scripts or not _is_there(path, context):
        return True
    text = _held(path, context)
    return text is not None and not found_in(tool.scripts, text)


def _is_off(data: dict[str, Any], tool: Tool) -> bool:
    off = all(
        any(list(values_at(data, one)) == [False] for one in each.split("|")) for each in tool.off
    )
    return (
        off
        and all(_is_on(data, one) for one in tool.on)
        and not any(any(values_at(data, one)) for one in tool.absent)
    )


def _is_on(data: dict[str, Any], place: str) -> bool:
    """Whether a value is true, in each part of a list that has such parts."""
    listed, _, name = place.rpartition(".*.")
    parts = list(values_at(data, f"{listed}.*")) if listed else [data]
    return all(next(values_at(one, name), None) is True for one in parts)


def _settings(name: str, folder: str, context: CallContext) -> Any:
    file, _, part = name.partition("#")
    path = f"{folder}/{file}"
    if not _is_there(path, context):
        return _MISSING
    text = _held(path, context)
    is_workspace = file == "Cargo.toml" and "[workspace" in (text or "")
    data = None if text is None or is_workspace else values_of(path, text)
    return None if data is None else next(values_at(data, part), _MISSING)


def _is_there(path: str, context: CallContext) -> bool:
    return context.facts.size(path) is not None or context.is_changed(path)


def _held(path: str, context: CallContext) -> str | None:
    """The text of a file that git holds."""
    text = context.facts.text(path, _MAX_TEXT) if context.is_held(path) else None
    return text if text is not None and len(text) < _MAX_TEXT else None


def _has_local_steps(folder: str, context: CallContext) -> bool:
    """Whether the one process of sbt-release that a build defines has such steps alone."""
    texts = [_held(one, context) for one in _files_of_sbt(folder, context)]
    whole = without_comments("\n".join(one or "" for one in texts), SLASHES)
    found = _PROCESS.findall(whole)
    is_plain = None not in texts and whole.count("releaseProcess") == 1 == len(found)
    if not is_plain or "addCommandAlias" in whole or _RENAMES.search("\n".join(map(str, texts))):
        return False
    return {one.strip() for one in found[0].split(",")} <= _LOCAL_STEPS


def _has_local_targets(folder: str, context: CallContext) -> bool:
    """Whether an Earthfile pushes nothing, and takes nothing from others."""
    text = _held(f"{folder}/Earthfile", context)
    code = without_comments(text or "", HASH).replace("\\\n", " ")
    return bool(text) and not any(one.search(code) for one in (_PUSHED, _ELSEWHERE))


def _files_of_sbt(folder: str, context: CallContext) -> Sequence[str]:
    below = f"{folder}/project"
    return [
        f"{place}/{one}"
        for place in (folder, below)
        for one in context.facts.names(place) or ()
        if one.endswith(".sbt") or (place == below and one.endswith(".scala")) or one == ".sbtrc"
    ]


_OTHERS: dict[str, tuple[str, Callable[[str, CallContext], bool]]] = {
    "sbt": (r"clean|test|compile|release(?: (?:with-defaults|skip-tests))*", _has_local_steps),
    "earthly": (r"-P|--push|--ci|\+[\w-]+", _has_local_targets),
}
"""Tools whose settings are a program: the words that are known, and what its files have to show."""


# end of module
