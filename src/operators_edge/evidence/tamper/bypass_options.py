"""Commands that leave out tests or hooks, or accept their results.

Owns the options with which known programs do that. A command is parsed as the shell would; a text that only
mentions such an option does not count. Does not own which commands run tests (``evidence.checks.programs``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from operators_edge.evidence.checks import programs
from operators_edge.evidence.tamper.model import Finding
from operators_edge.shell.commands import program_name, skip_options
from operators_edge.shell.evaluate import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def of_command(text: str) -> tuple[Finding, ...]:
    """What the command bypasses; each finding's ``name`` is the option, its path is empty."""
    found: dict[str, Finding] = {}
    for command in parse(text).commands:
        if command.is_remote or not command.argv:
            continue
        for each in (*_of_git(command), *_of_hooks(command), *_of_tests(command)):
            found.setdefault(each.key, each)
    return tuple(found.values())


def _finding(kind: str, command: Command, name: str) -> Finding:
    shown = " ".join(word.text for word in command.argv[:8])
    return Finding(kind, "", name, f"in: {shown[:120]}")


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


def _of_tests(command: Command) -> Iterator[Finding]:
    words = _words(command)
    if words[:3] == ["cargo", "insta", "accept"]:
        yield _finding("snapshots_regenerated", command, "cargo insta")
    tests = [each for each in programs.checks_of_command(command) if each.kind == "test"]
    if not tests:
        return
    if left_out := _LEFT_OUT.match(" ".join([tests[-1].name, *words[1:]])):
        yield _finding("tests_deselected", command, next(filter(None, left_out.groups())))
    if tests[-1].rewrites:
        yield _finding("snapshots_regenerated", command, tests[-1].name)
