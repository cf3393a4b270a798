"""Commands that leave out tests or hooks, ignore their failure, or accept their results.

Owns the options with which known programs do that. A command is parsed as the shell would; a text that only
mentions such an option does not count. Does not own which commands run tests (``evidence.checks.programs``).
"""

from __future__ import annotations

import re

from operators_edge.evidence.checks import programs
from operators_edge.evidence.tamper.model import Finding
from operators_edge.shell.commands import program_name, skip_options
from operators_edge.shell.evaluate import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from operators_edge.shell.commands import Command

_HOOK_SWITCHES = {
    "SKIP": "", "HUSKY": "0", "HUSKY_SKIP_HOOKS": "", "LEFTHOOK": "0", "PRE_COMMIT_ALLOW_NO_CONFIG": "",
}  # fmt: skip
_HOOKED = frozenset({"commit", "push", "merge", "rebase", "am", "cherry-pick", "revert", "pull"})
_VALUED_GLOBALS = "C c git-dir work-tree namespace"
_LEFT_OUT = re.compile(
    r"^(?:(?:go|cargo).* (--?skip)|gradle.* (-x) test"
    r"|.* (--(?:passWithNoTests|testPathIgnorePatterns|exclude-group))"
    r"|.*(?:pytest|\btox|\bnox).* (--deselect|--ignore(?:-glob)?|-k(?= not )))(?=[ =]|$)"
)
"""Of a runner's name and the command's arguments: the option that leaves out tests."""

_IGNORED = re.compile(
    r"\s*(?:\d?>&\d\s*|[12]?&?>\s*\S+\s*)*(\|\|\s*(?:true|:|exit 0)|;\s*true)\s*(?:$|[)\n;}])"
)


def of_command(text: str) -> tuple[Finding, ...]:
    """What the command bypasses; each finding's ``name`` is the option, its path is empty."""
    found: dict[str, Finding] = {}
    for command in parse(text).commands:
        if command.is_remote or not command.argv:
            continue
        for each in (*_of_git(command), *_of_hooks(command), *_of_tests(command, text)):
            found.setdefault(each.key, each)
    return tuple(found.values())


def _finding(
    kind: str, command: Command, name: str, severity: Literal["normal", "low"] = "normal"
) -> Finding:
    shown = " ".join(word.text for word in command.argv[:8])
    return Finding(kind, "", name, f"in: {shown[:120]}", severity)


def _words(command: Command) -> list[str]:
    return [word.text for word in command.argv]


def _of_git(command: Command) -> Iterator[Finding]:
    if program_name(command.argv[0]) != "git":
        return
    words = _words(command)[1:]
    start = skip_options(command.argv[1:], _VALUED_GLOBALS)
    if "-c core.hookspath=" in " ".join(words[:start]).lower():
        yield _finding("hooks_skipped", command, "core.hooksPath")
    verb, rest = "".join(words[start : start + 1]), words[start + 1 :]
    if verb == "config":
        yield from _of_git_config(command, rest)
    if verb not in _HOOKED:
        return
    options = rest[: rest.index("--")] if "--" in rest else rest
    if "--no-verify" in options or (verb == "commit" and _has_short_n(options)):
        yield _finding("hooks_skipped", command, "--no-verify")
    for name, _ in command.assigns:
        if name in _HOOK_SWITCHES:
            yield _finding("hooks_skipped", command, name)


def _of_git_config(command: Command, rest: list[str]) -> Iterator[Finding]:
    values = [word for word in rest if not word.startswith("-")]
    is_own = len(values) == 2 and re.search(r"husky|githooks|\.hooks", values[1])
    if values and values[0].lower() == "core.hookspath" and len(values) > 1 and not is_own:
        yield _finding("hooks_skipped", command, "core.hooksPath")


def _has_short_n(options: list[str]) -> bool:
    """``-n`` alone or in a cluster; after a letter with a value the rest is that value."""
    is_value = False
    for word in options:
        if is_value:
            is_value = False
            continue
        if not re.fullmatch(r"-[A-Za-z]+.*", word):
            continue
        letters = re.split(r"[mFCctS]", word[1:], maxsplit=1)
        if "n" in letters[0]:
            return True
        is_value = len(letters) == 2 and not letters[1] and word[-1] in "mFCct"
    return False


def _of_hooks(command: Command) -> Iterator[Finding]:
    name, words = program_name(command.argv[0]), _words(command)[1:]
    if name in ("pre-commit", "husky", "lefthook") and words[:1] == ["uninstall"]:
        yield _finding("hooks_removed", command, name)
    if name in ("rm", "unlink", "chmod", "mv"):
        touched = [
            word
            for word in words
            if re.search(r"(?:^|/)\.git/hooks/(?!.*\.sample)|(?:^|/)\.husky(?:/|$)", word)
        ]
        if touched and (name != "chmod" or any("-x" in word for word in words)):
            yield _finding("hooks_removed", command, touched[0])


def _of_tests(command: Command, text: str) -> Iterator[Finding]:
    words = _words(command)
    if _is_building(words):
        yield _finding("tests_deselected", command, next(filter(_SKIPPING.match, words)), "low")
    if words[:3] == ["cargo", "insta", "accept"]:
        yield _finding("snapshots_regenerated", command, "cargo insta")
    tests = [each for each in programs.checks_of_command(command) if each.kind == "test"]
    if not tests:
        return
    if left_out := _LEFT_OUT.match(" ".join([tests[-1].name, *words[1:]])):
        yield _finding("tests_deselected", command, next(filter(None, left_out.groups())))
    if tests[-1].rewrites:
        yield _finding("snapshots_regenerated", command, tests[-1].name)
    ignored = _IGNORED.match(text[command.span[1] :])
    if ignored:
        # Its outcome counts as unknown anyway: it is logged, but a person need not see it.
        yield _finding("failure_ignored", command, ignored[1], "low")


_SKIPPING = re.compile(r"-DskipTests(?!=false)|-Dmaven\.test\.skip(?!=false)")


def _is_building(words: list[str]) -> bool:
    return words[0].rsplit("/", 1)[-1] in ("mvn", "mvnw") and any(map(_SKIPPING.match, words))


# end of module
