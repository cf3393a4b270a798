"""The other commands on the line of a risky command: what they can do to where it goes and what it takes.

Pure. Owns which commands count for nothing (they only read or print), which change commits, and which change
where a command goes. Errs towards counting. Does not own the reading of the line (``shell.evaluate``).
"""

from __future__ import annotations

import re

from operators_edge.gate.invocation import invocation_of, redirect_targets
from operators_edge.shell.builtins import DECLARING
from operators_edge.shell.commands import HOLE, SOURCING
from operators_edge.shell.evaluate import parse
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.rules import Rules
    from operators_edge.model import Call, Finding
    from operators_edge.shell.commands import Command


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_READING = _names(
    """
    [ [[ : basename cat cd cmp column comm cut date df diff dirname du echo egrep exit expr
    false fgrep file fold grep head hostname id jq less ls md5sum more nl od popd printf ps
    pushd pwd readlink realpath rev rg seq sha1sum sha256sum sleep stat strings tac tail test
    tr tree true type uname uniq uptime wait wc which whoami
    """
)
_READING_GIT = _names(
    """
    blame cat-file describe diff diff-tree fetch for-each-ref grep log ls-files ls-remote
    ls-tree merge-base name-rev reflog rev-list rev-parse shortlog show show-ref status version
    whatchanged
    """
)
_LISTING = {
    "branch": ("--show-current", "-a", "-r", "-v", "-vv", "--list"),
    "remote": ("-v", "--verbose"),
}
_COMMITTING_GIT = _names(
    """
    add am apply branch cherry-pick checkout commit merge mv notes pull rebase reset restore
    revert rm stash switch tag update-index update-ref
    """
)
_SETTING_GIT = frozenset(("config", "remote", "submodule", "init", "worktree"))
_VERSIONING = pattern(
    r"(npm|pnpm|yarn|bun) version\b|(standard-version|semantic-release|release-it|lerna|changeset|cz"
    r"|bump2version|bumpversion|bump-my-version|git-cliff)\b"
)
_SOURCING = (*SOURCING, "eval", "enable")


class Line(NamedTuple):
    """The text of a call, as far as an approval depends on it.

    ``commands`` are those that do more than read or print, in order, each as text. ``assigned`` are the
    variables that it sets, None for a value not known before it runs. ``commits`` and ``redirects`` are the
    first commands, as text, that change commits or files, or where another command goes; "" if there is none.
    """

    commands: tuple[str, ...] = ()
    assigned: dict[str, str | None] = {}  # noqa: RUF012 - never changed
    commits: str = ""
    redirects: str = ""
    invocations: tuple[Invocation, ...] = ()

    @property
    def known(self) -> dict[str, str]:
        return {name: text for name, text in self.assigned.items() if text is not None}


def of_call(call: Call, home: str, rules: Rules) -> Line:
    """The line of a shell tool's call; an empty one for any other tool."""
    text = shell_text(call, rules)
    return Line() if text is None else line_of(text, home, rules)


def shell_text(call: Call, rules: Rules) -> str | None:
    key = rules.tools["shell"].get(call.tool)
    text = call.input.get(key) if key else None
    return text if isinstance(text, str) else None


def command_of(finding: Finding, rules: Rules) -> Invocation | None:
    """The command that a finding is about, read back from its one-line form."""
    detail = dict(finding.detail)
    commands = parse(detail.get("command", "")).commands
    if not commands:
        return None
    stdin = detail.get("stdin")
    command = commands[0] if stdin is None else commands[0]._replace(stdin=stdin)
    return invocation_of(command, rules)


def line_of(text: str, home: str, rules: Rules) -> Line:
    """The commands of a shell text."""
    commands = parse(text, env={"HOME": home} if home else {}).commands
    invocations = tuple(invocation_of(command, rules) for command in commands)
    counted = tuple(inv for inv in invocations if not _only_reads(inv))
    return Line(
        tuple(_text(inv.command) for inv in counted),
        _assigned(commands),
        next((_text(inv.command) for inv in counted if _changes_commits(inv)), ""),
        next((_text(inv.command) for inv in counted if _redirects(inv)), ""),
        invocations,
    )


def _text(command: Command) -> str:
    words = [f"{name}={value.text}" for name, value in command.assigns]
    words += [word.text for word in command.argv]
    words += [f"{one.op}{one.target.text}" for one in command.redirects]
    return " ".join([*words, *(f"<{text}" for text in filter(None, [command.stdin]))]).replace(
        HOLE, "…"
    )


def _only_reads(inv: Invocation) -> bool:
    command = inv.command
    if command.assigns or not command.argv or _written(inv):
        return False
    if inv.program == "git":
        return _only_reads_git(inv)
    return inv.program in _READING


def _written(inv: Invocation) -> bool:
    targets = redirect_targets(inv.command)
    return any(word.text != "/dev/null" for word in targets) or (
        inv.program in _READING and bool(set(inv.written) - set(targets))
    )


def _only_reads_git(inv: Invocation) -> bool:
    if not inv.operands or any(
        flag.name in ("-c", "--config-env", "--output") for flag in inv.flags
    ):
        return False
    sub, *rest = (word.text for word in inv.operands)
    if sub in _LISTING:
        flags = [flag.name for flag in inv.flags if flag.span > inv.operands[0].span]
        is_listing = bool(flags) and all(name in _LISTING[sub] for name in flags) and not rest
        return is_listing or (sub == "remote" and rest[:1] in ([], ["show"], ["get-url"]))
    return sub in _READING_GIT


def _assigned(commands: tuple[Command, ...]) -> dict[str, str | None]:
    """Every variable that the line sets, in whichever shell: a subshell's may count for more than it does."""
    found: dict[str, str | None] = {}
    for command in commands:
        name = command.argv[0].text if command.argv else ""
        given = [(key, value.text) for key, value in command.assigns] if not name else []
        if name in DECLARING or name == "unset":
            for word in command.argv[1:]:
                key, equals, text = word.text.partition("=")
                if equals or name == "unset":
                    given.append((key, text if equals else HOLE))
        found |= {key: None if HOLE in text else text for key, text in given}
    return found


def _changes_commits(inv: Invocation) -> bool:
    if inv.program == "git":
        return bool(inv.operands) and inv.operands[0].text in _COMMITTING_GIT
    return bool(_VERSIONING.match(" ".join(word.text for word in inv.command.argv)))


def _redirects(inv: Invocation) -> bool:
    """Whether the command can change where another one on the line goes: git's settings, code, a file."""
    if inv.program == "git":
        return bool(inv.operands) and inv.operands[0].text in _SETTING_GIT
    if inv.command.argv and inv.command.argv[0].text in _SOURCING:
        return True
    if inv.codes:
        return True
    return any(re.search(r"(^|/)\.git(config|/|$)|/\.ssh/", word.text) for word in inv.written)


# end of module
