"""What a call can destroy and a snapshot can bring back: the files that it reaches.

A command that destroys files needs no person if a snapshot taken before its line holds all that it destroys.
That takes three answers; wherever one is not known, it is None, and the person is asked:

1. Which files does it reach (``of``)? The condition in the pack says how, by one of ``KINDS``:
   ``rm -r build`` has ``recovers = "delete"`` and reaches ``("delete", ("/project/build",))``.
2. Is that still so when the command runs (``without_uncertain``)? A snapshot is taken once, before the whole
   line: in ``echo x > a; rm a`` it would miss what the line itself writes. So everything that runs before or
   beside the command may only read, or write where the command does not look. If it only makes or copies
   files (``gate.own.made_folders``), nothing is lost where nothing was before the line: the kind ``absent``.
3. Does the snapshot hold these files, byte for byte? That is measured later (``undo.kept``).

Owns the first two. Does not own lists of names (``gate.listings``). Pure.
"""

from __future__ import annotations

import re
from itertools import pairwise

from operators_edge.gate import listings
from operators_edge.gate.invocation import find_flags, invocation_of
from operators_edge.gate.paths import fixed_part
from operators_edge.model import Recovery
from operators_edge.shell.commands import SOURCING
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from operators_edge.gate.conditions import Match
    from operators_edge.gate.disk.search import Piece
    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext
    from operators_edge.gate.rules import Rules
    from operators_edge.model import Finding
    from operators_edge.shell.commands import Command, Script, Word

KINDS = (
    # On the disk: with all that is below; files only; emptied; by ``find -delete``; by a list of names.
    *("delete", "files", "empty", "find", "listed"),
    # With all that is below the last operand, where a copy deletes what it does not bring.
    "mirror",
    # Through git, on the disk; then in the repository alone.
    *("untracked", "worktree", "index", "reset", "remove"),
    *("refs", "stashes"),
    # What calls overwrite that are allowed anyway: each operand; the last one.
    *("file", "last"),
)
"""How a command reaches what it destroys: the values of ``recovers`` in a pack."""

_FED = frozenset(("fed", "fed-tree"))
_NAMED = frozenset(("delete", "files"))
_INTERPRETERS = pattern(r"(?:python[\d.]*|node|deno|bun|ruby|perl|php)(?: -\w+| <)?")
_MAY_MISS = pattern(
    r"(?i)\b(?:while|until|forever|loop|fork|wait)\b|sleep|thread|timer|timeout|interval|sched|daemon|signal|watch"
    r"|at_?exit|multiprocessing|concurrent"
    r"|(?<!un)(?<!is)(?<!is_sym)(?<!isSymbolic)link|copy|\bcp|mount|rename|\bmove|extract|unpack|chdir|\bcwd\b"
)
"""In a program: what may put off a deletion until there is work that came after the snapshot,
or lead it somewhere else."""
_DELETING = pattern(r"rmtree|\b(?:remove|unlink|rmdir|removedirs)\b")
_COPYING = pattern(r"\bcopy(?:tree|file|2)?\b")
_IMPORTING = pattern(r"(?m)^from shutil import (?:(?:rmtree|copy(?:tree|file|2)?)(?:, ?|$))+")
"""What Python deletes by, and copies by: a copy that comes after all deletions is in none's way."""
_RUNS_AT_ONCE = frozenset(
    (
        *("sh", "python", "node", "deno", "bun", "ruby", "perl", "php"),
        *("make", "just", "task", "rake", "npm", "pnpm", "yarn"),
    )
)
"""Programs that run a text from a file to its end before the rest of the line goes on."""
_COPIES_LINKS = (
    *("-a", "-d", "-P", "-r", "-R", "-l", "-s"),
    *("--archive", "--recursive", "--no-dereference"),
)
_JOBS = ("-j", "--jobs")
_NOTHING = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty")
_WRAPPERS = frozenset(
    (
        *("time", "command", "builtin", "npx", "pnpm", "yarn", "bunx", "function"),
        *("sh -c", "bash -c", "zsh -c", "xargs"),
    )
)
_ELSEWHERE = frozenset(
    ("--git-dir", "--work-tree", "--namespace", "-c", "--config-env", "--recurse-submodules")
)
"""Options after which git works on something else than the repository around its folder."""

_OF_REMOTES = ("-r", "--remotes", "--track", "-t", "-u", "--set-upstream-to")
"""Options of branches that are about more than a name for a commit."""

_NOT_IN_ORDER = r"\b(?:until|coproc|shopt|setopt|alias)\b|(?<![&>|<])&(?![&>\d])"
"""What runs a command at another time than its place on the line says, or changes what a glob means."""
_MOVES = frozenset(("cd", "chdir", "pushd", "popd"))
_AGAIN = r"\b(?:for|while|select|function)\b|(?<!\\)\(|\{(?!\})|\A\Z"
"""What may run a command again after one that follows it; an escaped bracket is one of ``find``."""
_IN_TURN = frozenset(["find -exec", "find -execdir", "xargs"])
"""What runs a command to its end before the rest of the text goes on."""
_MAY_NOT_END = pattern(r"\bwhile\b|\bfor\s*\(\(")
_INTO_PIPE = pattern(r"\s*\|(?!\|)")
_SAYING = frozenset(["echo", "printf", "git", "grep", "egrep", "fgrep", "rg", "sed", "jq"])
"""Programs whose quoted words the shell does not run, and they themselves not beside the line."""
_SAID = pattern(r"'[^']*'|\"(?:[^\"$`\\]|\$\w|\\.)*\"")


def of(kind: str, match: Match, inv: Invocation, context: CallContext) -> Recovery | None:
    """What a command reaches; None if that is not known before it runs."""
    command = inv.command
    if command.is_remote or command.assigns or not inv.is_surely_in_folder(context):
        return None
    if kind == "listed":
        return listings.given(match, inv, context)
    is_plain = (
        _WRAPPERS.issuperset(command.through) or _program_around(command, context) is not None
    )
    if command.has_more_words or not (is_plain or _script_of(command, context)):
        return None
    if kind == "find":
        return listings.searched(command.argv, inv, context, "delete")
    if kind in ("delete", "files"):
        return _named(match.operands, inv, context, kind)
    if kind == "mirror":
        return _named(match.operands[-1:], inv, context, "delete") if _is_sure(match, inv) else None
    if kind in ("file", "last"):
        words = match.operands if kind == "file" else match.operands[-1:]
        return _named(words, inv, context, "empty")
    if kind == "empty":
        return _named(inv.written, inv, context, kind)
    return _git(kind, match, inv, context)


def _named(
    words: Iterable[Word], inv: Invocation, context: CallContext, kind: str
) -> Recovery | None:
    paths = []
    for word in words:
        path = context.resolve(word.text, inv.working_folder(context, word))
        if path is None or not word.is_known:
            return None
        if path in _NOTHING:
            continue
        if not (context.is_temporary(path) if kind == "empty" else context.is_regenerable(path)):
            paths.append(f"{path}/" if word.text.endswith("/") else path)
    return Recovery(kind, tuple(dict.fromkeys(paths)))


def _is_sure(match: Match, inv: Invocation) -> bool:
    """Whether the last operand is a folder of this machine, and no option's value."""
    words, argv = match.operands, inv.command.argv
    if len(words) < 2 or not all(word.is_known and ":" not in word.text for word in words):
        return False
    return any(one is words[-1] and before is words[-2] for before, one in pairwise(argv))


def _script_of(command: Command, context: CallContext) -> str:
    """The text that the line itself has written, if the command is in it: ``echo … > x.sh; sh x.sh``."""
    around = [one for one in context.commands if _runs(one, command) and one.argv]
    if len(around) != 1 or len(command.through) != 1 or around[0].through:
        return ""
    script = around[0].argv[:2][-1]
    if len(around[0].argv) > 2 or (script is around[0].argv[0] and "/" not in script.text):
        return ""
    path = context.resolve(script.text, context.absolute_folder(around[0].cwd))
    return (context.written_texts.get(path) if path else None) or ""


def _runs(one: Command, command: Command) -> bool:
    """Whether a command is around another one."""
    (start, end), (first, last) = one.span, command.span
    return start <= first and last <= end and len(one.through) < len(command.through)


def _program_around(command: Command, context: CallContext) -> Command | None:
    """The program on the line that a command is a call in, if it runs to its end at once."""
    around = [one for one in context.commands if one.span == command.span and not one.through]
    if len(command.through) != 1 or not _INTERPRETERS.fullmatch(command.through[0]):
        return None
    if len(around) != 1 or around[0].redirects:
        return None
    given = [word.text for word in around[0].argv[1:] if word.text[:1] != "-"]
    codes = [around[0].stdin] if around[0].stdin is not None else given
    program = "python" if command.through[0].startswith("python") else command.through[0]
    is_certain = len(codes) == 1 and _is_certain(program, codes[0] or "")
    return around[0] if is_certain else None


def _without_program(text: str, program: Command | None) -> str:
    """The text without the code in it, whose brackets and loops are not the shell's."""
    if program is None:
        return text
    start, end = program.span
    rest = f"{text[:start]}x{text[end:]}"
    return rest.replace(program.stdin, "") if program.stdin else rest


def _without_said(text: str, commands: Iterable[Command]) -> str:
    """The text with nothing in the quoted words of commands that only say or search for them."""
    for command in commands:
        if command.through or not command.argv or command.argv[0].text not in _SAYING:
            continue
        for start, end in (word.span for word in command.argv[1:]):
            if _SAID.fullmatch(text, start, end):
                text = f"{text[:start]}{'x' * (end - start)}{text[end:]}"
    return text


def _is_certain(program: str, code: str) -> bool:
    """Whether a program deletes at once, and what it is read to delete."""
    from operators_edge.shell.code.settled_code import is_settled  # noqa: PLC0415 - few programs delete

    return _MAY_MISS.search(_without_later_copies(program, code)) is None and is_settled(
        program, code
    )


def _without_later_copies(program: str, code: str) -> str:
    if program != "python" or "symlinks" in code:
        return code
    code = _IMPORTING.sub("", code)
    end = max((found.end() for found in _DELETING.finditer(code)), default=len(code))
    return code[:end] + _COPYING.sub("", code[end:])


def _git(kind: str, match: Match, inv: Invocation, context: CallContext) -> Recovery | None:
    folder = inv.working_folder(context)
    is_elsewhere = any(flag.name in _ELSEWHERE for flag in inv.flags)
    has_variables = any(name.startswith("GIT_") for name, _ in context.variables)
    if folder is None or is_elsewhere or has_variables or inv.program != "git":
        return None
    words = [*match.operands, *inv.values(("-s", "--source"))]
    if any(not word.is_known for word in words):
        return None
    if kind == "refs" and any(flag.name in _OF_REMOTES for flag in inv.flags):
        return None
    if kind != "untracked":
        return Recovery(kind, (folder,), tuple(word.text for word in words))
    if any(word.text.startswith(":") for word in words):
        return None
    named = [context.resolve(word.text, folder) or folder for word in match.operands] or [folder]
    return Recovery(kind, tuple(fixed_part(path) for path in named))


def without_uncertain(
    findings: list[Finding], script: Script, at: int, rules: Rules, context: CallContext
) -> list[Finding]:
    """The findings on one command of a text; they recover only if a snapshot before the text can hold all."""
    kinds = {one.recovery.kind for one in findings if one.recovery is not None}
    # Which files are untracked, or named in a list, depends on what the line may write.
    is_read = any(
        one.recovery.words for one in findings if one.recovery and one.recovery.kind in _FED
    )
    may_write = "untracked" not in kinds and not is_read
    if not kinds:
        return findings
    beside = None if _goes_on(script, at, kinds, context) else _beside(script, at, context)
    if beside is None:
        return _without(findings)
    if all(_is_quiet(one, rules, may_write=may_write) for one in beside):
        return findings
    are_made_again = all(one.recovery is None or one.recovery.is_made_again for one in findings)
    if not are_made_again and kinds <= _NAMED and _are_from_line(findings, beside, rules, context):
        return [
            one._replace(recovery=one.recovery and one.recovery._replace(kind="absent"))
            for one in findings
        ]
    return _without(findings)


def _are_from_line(
    findings: list[Finding], beside: Iterable[Command], rules: Rules, context: CallContext
) -> bool:
    """Whether all that is deleted is made by the line, if it was not there before."""
    from operators_edge.gate.own import made_folders  # noqa: PLC0415 - few lines delete what they make

    paths = {path for one in findings if one.recovery for path in one.recovery.paths}
    if context.outer is not None or any(made_folders.is_led_to(one, context) for one in paths):
        return False
    others = [one for one in beside if not _is_quiet(one, rules, may_write=True)]
    return not any("trap" in one.through for one in others) and made_folders.fill_only(
        (invocation_of(one, rules) for one in others), context
    )


def within(
    findings: list[Finding], inv: Invocation, beside: Iterable[Command], rules: Rules
) -> list[Finding]:
    """The findings in what a command runs from files; ``beside`` is what the same files run."""
    command = inv.command
    is_script = inv.program in _RUNS_AT_ONCE or (
        command.argv[0].text if command.argv else ""
    ).count("/")
    is_plain = is_script and _WRAPPERS.issuperset(command.through) and not find_flags(inv, _JOBS)
    are_quiet = all(_is_quiet(one, rules, may_write=True) for one in beside)
    return findings if is_plain and are_quiet else _without(findings)


def within_code(
    findings: list[Finding], piece: Piece, ran: Iterable[Command], rules: Rules
) -> list[Finding]:
    """The findings in a program; in which order it starts the commands that it ``ran`` is not known."""
    are_quiet = all(_is_quiet(one, rules, may_write=True) for one in ran)
    is_certain = are_quiet and _is_certain(piece.program, piece.text)
    return findings if is_certain else _without(findings)


def _without(findings: list[Finding]) -> list[Finding]:
    """The findings without what may be another file by then: with what is made again whenever it goes."""
    return [one._replace(recovery=_made_again(one.recovery)) for one in findings]


def _made_again(recovery: Recovery | None) -> Recovery | None:
    """Nothing that has to be held, if it is made again; else None."""
    return Recovery(recovery.kind) if recovery is not None and recovery.is_made_again else None


def _goes_on(script: Script, at: int, kinds: set[str], context: CallContext) -> bool:
    """Whether a loop may still delete when there is work that came after the snapshot."""
    command = script.commands[at]
    text = _without_said(context.text, script.commands) + _script_of(command, context)
    loops = [
        one
        for one in _MAY_NOT_END.finditer(text)
        if not listings.ends_with_its_list(text, one.start(), context)
    ]
    is_over_list = kinds <= _FED and not command.through and len(loops) == 1
    return bool(loops) and not (is_over_list and listings.is_read_by_loop(text, command.span[0]))


def _beside(script: Script, at: int, context: CallContext) -> list[Command] | None:
    """What runs before or beside the command, and can put something in its way; None if that is not known."""
    command = script.commands[at]
    written = _script_of(command, context)
    text = _without_said(context.text, script.commands) + written
    if script.problems or "trap" in command.through or re.search(_NOT_IN_ORDER, text):
        return None
    program = _program_around(command, context)
    runs_in_turn = bool(written) or program is not None or _IN_TURN.issuperset(command.through)
    is_apart = runs_in_turn and not re.search(_AGAIN, _without_program(text, program))
    others, after = script.commands[:at], script.commands[at + 1 :]
    if is_apart and not _INTO_PIPE.match(text, command.span[1]):
        same = program and program.span
        after = tuple(one for one in after if one.span == same or "trap" in one.through)
    others = (*others, *after)
    return [
        one
        for one in others
        if not (one.is_remote or _runs(one, command) or _only_defines(one, context))
    ]


def _only_defines(command: Command, context: CallContext) -> bool:
    """Whether it sources a file of which the text knows all that it defines."""
    words = command.argv
    if len(words) < 2 or words[0].text not in SOURCING or not context.sourced:
        return False
    return context.resolve(words[1].text, context.absolute_folder(command.cwd)) in context.sourced


def _is_quiet(command: Command, rules: Rules, *, may_write: bool) -> bool:
    """Whether it puts nothing in place that was not there before, or in the text."""
    inv = invocation_of(command, rules)
    if not may_write and (inv.written or any(word.text == "-delete" for word in command.argv)):
        return False
    if not command.argv:
        return True
    if inv.program == "trap" and not all(word.is_known for word in command.argv):
        return False
    if "trap" in command.through and inv.program in _MOVES:
        return False  # before each of the commands that follow
    quiet = rules.tools["quiet"]
    if inv.program == "cp":  # what it copies stays; but a link that it copies leads elsewhere
        return not find_flags(inv, _COPIES_LINKS)
    named = (f"{inv.program} {inv.first_operands(count)}" for count in (1, 2))
    return any(one in quiet for one in (inv.program, command.argv[0].text, *named))


# end of module
