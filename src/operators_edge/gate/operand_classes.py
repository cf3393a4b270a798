"""The kinds of word that a condition can ask for by name: "@outside", "@remote-url" …

Owns what each name means. Does not own where the paths lie (``gate.paths``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators_edge.gate import paths
from operators_edge.gate.credentials import is_credentials, is_env_file
from operators_edge.gate.regexes import compiled, found_in
from operators_edge.shell.commands import HOLE, Word

if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import Ground

_LOOPBACK = (
    r"(localhost|.*\.localhost|127(\.\d+){1,3}|0\.0\.0\.0|host\.docker\.internal|\[?::1\]?|)$"
)
_URL = r"(?:[A-Za-z][A-Za-z0-9+.-]*://)?(?:[^/@?#]*@)?(\[[^\]]*\]|[^/:?#]*)"
_NO_URL = r"([A-Z]+|[^/:.\s]+(=|:=|==|:=@|@).*)$"


def host_of(text: str) -> str:
    """The host a URL names, in small letters; HOLE when it cannot be known."""
    match = compiled(_URL).match(text)
    host = match.group(1).lower() if match else ""
    return HOLE if HOLE in host else host


WORD_KINDS: dict[str, Callable[[Word], bool]] = {
    "@unknown": lambda word: not word.is_known,
    "@glob": lambda word: word.has_glob,
    "@remote-url": lambda word: (
        not compiled(_NO_URL).match(word.text) and not compiled(_LOOPBACK).match(host_of(word.text))
    ),
}
LOCAL_KINDS: dict[str, Callable[[str, Ground], bool]] = {
    # Kinds of path on this machine; a path on another one is of none of them.
    "@regenerable": lambda path, ground: ground.is_regenerable(path),
    "@existing-file": lambda path, ground: ground.facts.size(path) is not None,
    "@own-file": lambda path, ground: ground.is_own(path),
    "@holds-own-file": lambda path, ground: ground.holds_own(path),
    "@existing-branch": lambda path, ground: ground.is_branch(path),
    "@state-file": lambda path, ground: ground.is_state(path),
}
REMOTE_KINDS: dict[str, Callable[[str, Ground], bool]] = {
    # Kinds that any path on another machine is taken to be of.
    "@outside": lambda path, ground: ground.is_outside(paths.fixed_part(path)),
    "@outside-host": lambda path, ground: (
        ground.is_outside(path) and not ground.is_inside(path, ground.place.host)
    ),
    "@nonempty-file": lambda path, ground: bool(ground.facts.size(path)),
}
PATH_KINDS: dict[str, Callable[[str, Ground], bool]] = {
    "@root-or-home": lambda path, ground: ground.is_root_or_home(path),
    "@device": lambda path, _: paths.is_device(path),
    "@system": lambda path, ground: ground.is_system(path),
    "@startup-or-key": lambda path, _: paths.is_startup_or_key(path),
    "@git-internal": lambda path, _: paths.is_git_internal(path),
    "@credentials": lambda path, _: is_credentials(path),
    "@env-file": lambda path, _: is_env_file(path),
}
NAMED_KINDS = frozenset(("@credentials", "@env-file"))
KINDS = frozenset(("@upstream", *WORD_KINDS, *LOCAL_KINDS, *REMOTE_KINDS, *PATH_KINDS))


def _is_upstream(text: str, branch: str | None) -> bool:
    """Whether a word names the checked-out branch, or what it follows on a remote."""
    if text in ("@{u}", "@{upstream}", "HEAD", "@{push}"):
        return True
    return branch is not None and (text == branch or text.endswith("/" + branch))


def is_kind(test: str, word: Word, inv: Invocation, ground: Ground) -> bool:
    """Whether a word is of a named kind ("@outside") or matches a pattern."""
    if not test.startswith("@"):
        return found_in(test, word.text)
    if test in WORD_KINDS:
        return WORD_KINDS[test](word)
    base = inv.base(ground, word)
    if test == "@upstream":
        return _is_upstream(word.text, base and ground.facts.branch(base))
    path = ground.resolve(word.text, base)
    if path is None and test in NAMED_KINDS:
        # What the file is called, or where it lies, may be known all the same.
        path = ground.resolve("/" + word.text.replace(HOLE, "x"), base)
        path = ground.resolve(word.text.replace(HOLE, "x"), base) or path
    if path is None:
        return False
    if inv.command.is_remote and test not in PATH_KINDS:
        return test in REMOTE_KINDS
    kind = LOCAL_KINDS.get(test) or REMOTE_KINDS.get(test) or PATH_KINDS[test]
    return kind(path, ground)
