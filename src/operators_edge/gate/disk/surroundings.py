"""What is known of a command by what surrounds it: variables, settings and files, before it is judged.

``RUBYOPT=-r./x rails db:drop`` runs ``x.rb`` first, ``GIT_CONFIG_COUNT=1 … git x`` is ``git -c … x`` too, and
``sh -c "$(cat f)"`` runs what is in ``f``. Owns which commands and lines are worth that. Does not own what is
found out (``gate.disk.preloaded``, ``gate.assumptions``, ``gate.disk.git_hooks``, ``gate.disk.texts``), nor
the judgement (``gate.assessment``). Pure but for ``Facts``. Loaded for commands with variables, and for lines
with findings or with words that are not known.
"""

from __future__ import annotations

from operators_edge.shell.wrapper_table import GIVES_VARIABLES
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.gate.disk.follow import Follower
    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext
    from operators_edge.gate.rules import Rules
    from operators_edge.model import Finding
    from operators_edge.shell.commands import Command
    from operators_edge.shell.evaluate import Disk

_PRELOADING = frozenset(
    ("NODE_OPTIONS", "RUBYOPT", "PERL5OPT", "PYTHONPATH", "BASH_ENV", "ENV", "ZDOTDIR")
)
_LOADING = ("-r", "-M", "-m", "--require", "--import", "--loader", "--experimental-loader")
"""Variables and options by which a program loads other code first."""
_READS = pattern(
    r"<|\b(?:cat|g?sed|[gmn]?awk|[ef]?grep|head|tail|tac|cut|sort|uniq|paste|column|base64|[jy]q|xargs|tr|read"
    r"|python3?|node|perl|git (?:show|cat-file))\b"
)
"""In a line: it may run what it reads from a file."""
_TAKES_ITEMS = pattern(r"\bxargs\b|\bread\b|\bfor\b")
"""In a line: it may give a command words that it reads from a file."""


def with_known_words(
    command: Command,
    context: CallContext,
    follower: Follower | None,
    assumed: str,
    rules: Rules | None = None,
) -> Command:
    """The command with what unknown words are taken to be, and what its variables are when it runs.

    Without a ``follower``, what it runs from files was judged before; with ``rules``, the variables that
    files give it count even so.
    """
    if assumed:
        from operators_edge.gate import assumptions  # noqa: PLC0415 - for files alone

        command = assumptions.with_assumed(command, assumed)
    if not GIVES_VARIABLES.isdisjoint(command.through):
        from operators_edge.gate.disk import follow, given_variables  # noqa: PLC0415 - few lines use one

        reader = follower or (follow.Follower(rules) if rules else None)
        command = given_variables.with_variables(command, context, reader) if reader else command
    names = command.environment
    if follower is None or not names:
        return command
    loads = any(word.text.startswith(_LOADING) for word in command.argv[1:])
    if not (loads or command.through or not _PRELOADING.isdisjoint(names)):
        return command
    from operators_edge.gate.disk import preloaded  # noqa: PLC0415 - few lines set such a variable

    return preloaded.with_variables(command, context, follower)


def same_with_options(inv: Invocation) -> tuple[Command, ...]:
    """A command of git with the settings that variables give it as options, if they give it any."""
    if "hooks" not in inv.spec:
        return ()
    from operators_edge.gate.disk import git_hooks  # noqa: PLC0415 - for git alone

    same = git_hooks.with_settings(inv.command)
    return () if same is None else (same,)


def knowing_sourced(
    findings: list[Finding], known: list[Finding], context: CallContext
) -> list[Finding]:
    """The findings on a text, and with all ``known`` that it sources; if it is harmless so, none asks."""
    asking = [one for one in known if one.effect != "allow"]
    if context.sourced and all(one.recovery is not None for one in asking):
        return known
    return with_more(findings, asking)


def with_more(findings: list[Finding], more: list[Finding]) -> list[Finding]:
    """The findings, and those of a second reading that are about something else."""
    places = {(one.rule, one.spans, one.targets) for one in findings}
    return findings + [one for one in more if (one.rule, one.spans, one.targets) not in places]


def knowing_texts(
    findings: list[Finding],
    context: CallContext,
    follower: Follower,
    is_certain: Callable[[Finding], bool],
    judge: Callable[[Disk | None], list[Finding]],
    *,
    is_open: bool,
) -> list[Finding]:
    """Return the findings on a line with the content of the files known that it runs as text.

    ``judge`` judges the line again by what these files hold; if it ``is_open``, a word of it is not known.
    """
    is_filled = "envsubst" in context.text
    if not _READS.search(context.text):
        return findings
    is_text_known = all(map(is_certain, findings)) and not (is_filled or is_open)
    if is_text_known and not _TAKES_ITEMS.search(context.text):
        return findings
    from operators_edge.gate.disk import texts  # noqa: PLC0415 - few lines run a file as text

    disk = texts.DiskTexts(context, follower)
    found = judge(disk.read)
    if not disk.paths:
        return findings
    # What was found in a file keeps its line there.
    placed = [one for one in findings if one.source and is_certain(one)]
    if is_filled:  # what is put into a template is known now, or it is asked about
        ends = tuple(f"/{one.source.rpartition(':')[0]}" for one in placed)
        placed = [
            one
            for one, end in zip(placed, ends, strict=True)
            if not any(path.endswith(end) for path in disk.paths)
        ]
    rules = {one.rule for one in placed}
    return [*placed, *(one for one in found if one.source or one.rule not in rules)]


# end of module
