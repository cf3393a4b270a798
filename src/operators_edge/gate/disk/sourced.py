"""Files that a shell text sources for what they define: it is known in the rest of the text.

Owns which files those are: ones with nothing but assignments and functions. Does not own the evaluation
(``shell.evaluate``); what any other sourced file runs is judged as a script (``gate.disk.follow``). Pure but
for ``Facts``.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate.disk.search import MAX_FILE, is_binary
from operators_edge.gate.path_patterns import has_wildcard
from operators_edge.shell.commands import HOLE, SOURCING, program_name
from operators_edge.shell.evaluate import changed_place
from operators_edge.shell.grammar import ParseError, read_statements
from operators_edge.shell.quoting import mask
from operators_edge.shell.shell_options import leaves_files
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    from operators_edge.gate.paths import CallContext, Parsed
    from operators_edge.shell.commands import Command, Script

    Settings = tuple[tuple[str, str], ...]

_VALUE = r"(?:[^\s`$;&|<>()'\"\\]|'[^'\n]*'|\"[^\"`$\\\n]*\")*"
_LINE = r"[ \t]*(?:(?:export[ \t]+)?[A-Za-z_]\w*={}(?:[ \t]*|[ \t]+#.*)|#.*{})?\r?"
_ASSIGNMENT = pattern(_LINE.format(_VALUE, ""))
_OTHER = r"\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*(?::?[-=+][^{}`$'\"\\\n]*)?\})"
_NEW_FILE = rf"\$\(mktemp(?:[ ]-[dq]+)*(?:[ ](?:-t[ ])?(?:\"(?:{_OTHER}|[\w./-])+\"|[\w./-]+))?\)"
_PART = rf"{_OTHER}|{_NEW_FILE}"
_PUT_TOGETHER = rf"(?:{_PART}|[^\s`$;&|<>()'\"\\]|'[^'\n]*'|\"(?:{_PART}|[^\"`$\\\n])*\")*"
_TEST = r"(?:el)?if[ \t]+\[[ \t][^\]`$();&|<>\n]*[ \t]\][ \t]*;[ \t]*then|else|fi"
_EVALUATED = pattern(_LINE.format(_PUT_TOGETHER, f"|{_TEST}"))
_EMPTY_BRANCH = pattern(
    r"(?m)(?:\bthen|^[ \t]*else)[ \t]*\r?(?:\n[ \t]*(?:#.*)?\r?)*\n[ \t]*(?:elif|else|fi)\b"
)
"""A shell reads no further than to there."""
_MAX_FILES = 8
_ROUNDS = 2
"""How often a sourced file may name the next one by a variable."""


def known(
    script: Script,
    read: Callable[[Settings], Script],
    context: CallContext,
    *,
    with_all: bool = False,
    programs: Container[str] = (),
) -> Script:
    """Return the script with the settings known that it sources; ``read`` reads it again with them.

    ``with_all``: with any other file that it sources, too. What functions do is then found where they are
    called, not at their line; ``context.sourced`` are the files that do nothing but define, if it is certain
    that they are what is sourced. None of their functions is taken for one of the ``programs``, as a shell
    may not know it where that is called.
    """
    settings: Settings = ()
    for _ in range(_ROUNDS):
        found = _settings_of(script, context, programs, with_all=with_all)
        if not found or found == settings:
            break
        settings = found
        script = read(settings)
        whole = (one for one in settings if not one[0].endswith("\0"))
        defining = (one for one in whole if _is_evaluated(one[1]) or _only_defines(one[1]))
        placed = [(context.resolve(place, context.cwd), text) for place, text in defining]
        context.sourced = {path: text for path, text in placed if path and with_all}
    if context.sourced and not _is_certain(script, settings, context):
        context.sourced = {}
    return script


def as_one(parsed: Parsed) -> tuple[Parsed, Sequence[int | None]]:
    """A text with all written into it that it sources, and which of its commands the others are.

    What it sources only defines: then it is the same, and a command in it has its place. None for a command
    that sources; the text stays as it is if it is not surely the same.
    """
    text, script, invs, context = parsed
    same = parsed, range(len(invs))
    whole, end = [], 0
    sourcing = {one.span: one for one in script.commands if _is_sourcing(one)}
    for (start, after), command in sourcing.items():
        place = os.path.normpath(os.path.join(command.cwd or "", command.argv[-1].text))
        path = context.resolve(place, context.cwd)
        read = context.sourced.get(path or "")
        is_plain = not (command.through or command.redirects or command.assigns)
        if read is None or not is_plain or len(command.argv) != 2 or start < end:
            return same
        whole += [text[end:start], "\n", read, "\n"]
        end = after
    if context.reads is None or not whole:
        return same
    joined = "".join((*whole, text[end:]))
    again = context.reads(joined)
    positions, number = list[int | None](), 0
    for command in script.commands:
        start = command.span[0]
        is_its_word = any(first < start < after for first, after in sourcing)
        is_left_out = is_its_word or _is_sourcing(command)
        positions.append(None if is_left_out else number)
        number += not is_left_out
    left = [one for one, position in zip(invs, positions, strict=True) if position is not None]
    if again.problems or list(map(_described, again.commands)) != [
        _described(one.command) for one in left
    ]:
        return same
    found = [one.with_command(other) for one, other in zip(left, again.commands, strict=True)]
    return (joined, again, found, context), positions


def _is_sourcing(command: Command) -> bool:
    return bool(command.argv) and command.argv[0].text in SOURCING


def _described(command: Command) -> tuple[object, ...]:
    """What a command is, wherever it stands."""
    words = [word.text for word in command.argv]
    through = [one for one in command.through if one not in SOURCING]
    return words, command.environment, through, command.cwd


_TRAPS = pattern(
    r"\btrap\b(?:[^\n]*\b(?:DEBUG|ERR|RETURN)\b|[\s\S]*(?:^|[\s;&|'\"])(?:\.|source)[ \t])",
    re.MULTILINE,
)
"""What runs between commands, or was set before all that is sourced is known."""
_HIDDEN = pattern(r"\b(?:BASH_ENV|ENV|PROMPT_COMMAND|PS[0-4])\+?=|command_not_found|\bTRAP[A-Z]+")
"""What a shell runs by a name of its own, or reads before its text."""
_BUILTINS = frozenset(
    (
        *(
            "set",
            "shopt",
            "local",
            "declare",
            "typeset",
            "readonly",
            "unset",
            "shift",
            "return",
            "exit",
        ),
        *(
            "umask",
            "ulimit",
            "pushd",
            "popd",
            "command",
            "type",
            "which",
            "false",
            "let",
            "id",
            "whoami",
            "uname",
        ),
        *("hostname", "realpath", "readlink", "mktemp", "tput", "break", "continue", "getopts"),
    )
)


def _is_certain(script: Script, settings: Settings, context: CallContext) -> bool:
    """Whether all that a script sources is known, and nothing changes it before or runs beside the text."""
    if _TRAPS.search(context.text) or any(_HIDDEN.search(text) for _, text in settings):
        return False
    has_path = any(name == "PATH" for name, _ in script.variables)
    known_places = dict(settings)
    is_quiet = True
    for command in script.commands:
        words = [word.text for word in command.argv]
        if not words:
            is_quiet &= not command.redirects
            continue
        if words[0] in SOURCING and len(words) > 1 and not command.is_remote:
            place = os.path.normpath(os.path.join(command.cwd or "", words[1]))
            is_found = place in known_places and ("/" in words[1] or not has_path)
            if not is_quiet or not (is_found or _is_missing(place, context)):
                return False
        is_quiet &= _leaves_files(command) and words[0] not in ("cp", "mv", "ln", "trap")
        is_quiet &= all(
            one.op[:1] == "<" or one.target.text.isdigit() or one.target.text == "/dev/null"
            for one in command.redirects
        )
    return True


def _is_missing(place: str, context: CallContext) -> bool:
    path = context.resolve(place, context.cwd)
    if path is None or not context.is_inside(path, (context.root, *context.temp)):
        return False
    return path not in context.written_texts and context.facts.size(path) is None


_QUOTED = r"(?:'[^'\n]*'|\"(?:[^\"$`\\\n]|\$(?=[)|\"]))*\")"
_GREP = rf"[ef]?grep(?:[ \t]+-[vEi]+)*[ \t]+{_QUOTED}"
_FILE = r"(?P<{}>(?:[\w./-]*/)?[\w-]*\.env(?:\.[\w-]+)?)"
_MORE = (
    rf"(?:[ \t]*\|[ \t]*(?:xargs(?:[ \t]+-d[ \t]*{_QUOTED})?|{_GREP}"
    r"|sed(?:[ \t]+-e)?[ \t]+(?:'s/[^'/\n]*/[^'/\n]*/g?'|\"s/[^\"/$`\n]*/[^\"/$`\n]*/g?\")))*"
)
_EXPORTS = pattern(
    rf"\b(?P<verb>export|env)[ \t]+\$\([ \t]*(?:(?:cat|{_GREP})[ \t]+{_FILE.format('one')}{_MORE}"
    rf"|xargs[ \t]*<[ \t]*{_FILE.format('other')})[ \t]*\)"
)


def with_exports(text: str, context: CallContext) -> str:
    """Return a text in which ``export $(cat .env | xargs)`` sources the file; of the same length.

    A file with more than assignments stays what it is: sourced, it would run.
    """

    def sourcing(match: re.Match[str]) -> str:
        name = match["one"] or match["other"]
        place = context.resolve(name, context.cwd)
        held = _text_of(place, context) if place is not None else None
        if held is None or not is_settings(held):
            return match[0]
        path = name if "/" in name else f"./{name}"
        same = f"set -a;. {path}{';' if match['verb'] == 'env' else ''}"
        return same.ljust(len(match[0])) if len(same) <= len(match[0]) else match[0]

    return _EXPORTS.sub(sourcing, text)


def _settings_of(
    script: Script, context: CallContext, programs: Container[str], *, with_all: bool
) -> Settings:
    found: dict[str, str] = {}
    named = [word.text for one in script.commands if _may_write(one) for word in one.argv[1:]]
    are_left = True
    for command in script.commands:
        words = [word.text for word in command.argv]
        if len(words) < 2 or words[0] not in SOURCING or command.is_remote:
            are_left = are_left and _leaves_files(command)
            continue
        if not command.argv[1].is_known or command.cwd is None or "chroot" in command.through:
            are_left = False
            continue
        place = os.path.normpath(os.path.join(command.cwd, words[1]))
        path = context.resolve(place, context.cwd)
        is_changed = any(os.path.basename(words[1]) in one for one in named)
        text = _text_of(path, context) if path and len(found) < _MAX_FILES else None
        text = None if is_changed else text
        is_known = text is not None and (
            is_settings(text) or (are_left and not _replaces(text, programs))
        )
        are_left = are_left and is_known
        if text is not None and is_known and (with_all or _is_evaluated(text)):
            found[place] = _without_secrets(path or place, text)
        if path and (far := _changed_to(place, path, script, context)):
            found[changed_place(place)] = far
    return tuple(found.items())


_SECRET = pattern(
    r"(?m)^([ \t]*(?:export[ \t]+)?\w*"
    r"(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|PRIVATE_KEY|ACCESS_KEY|CREDENTIALS)\w*=)"
    r"(?:'[^'\n]+'|\"[^\"\n]+\"|[^\s'\"#;]+)"
)


def _without_secrets(path: str, text: str) -> str:
    """The settings with their secrets unknown: to print one is not what a known word would be."""
    from operators_edge.gate import secret_files  # noqa: PLC0415 - few lines source a file

    return _SECRET.sub(rf"\1{HOLE}", text) if secret_files.is_env_file(path) else text


_REPLACES = pattern(r"s([/|#,])(.*?)\1(.*?)\1")


def _changed_to(place: str, path: str, script: Script, context: CallContext) -> str:
    """Of what a file of settings may hold after it was changed: all that leads to another machine.

    Whether it is changed before it is sourced, and on every way, is not sure; so nothing else counts.
    """
    copies, origin = dict(script.copies), place
    for _ in range(_MAX_FILES):
        origin = copies.get(origin, origin)
    source = context.resolve(origin, context.cwd) or path
    source = context.copies.get(source) or context.origin_of(source)
    texts = [context.facts.text(source, MAX_FILE) or ""] if source != path else []
    texts += [text for name, text in script.appended if name == place]
    texts += [context.appended.get(path, "")]
    texts += [one.origin for one in context.arrivals if one.kind == "text" and one.place == path]
    for command in script.commands:
        words = [word.text for word in command.argv]
        if words[:1] in (["sed"], ["gsed"]) and os.path.basename(path) in map(
            os.path.basename, words
        ):
            text = context.facts.text(path, MAX_FILE) or ""
            for _, old, new in (one for word in words for one in _REPLACES.findall(word)):
                text = text.replace(old, new) if old.strip("^$.*") == old else f"{text}\n{new}"
            texts.append(text)
    if not any(texts):
        return ""
    from operators_edge.shell.code.addresses import is_elsewhere, variables_in  # noqa: PLC0415 - for these

    far = {
        name: value
        for text in texts
        for name, value in variables_in(text)
        if is_elsewhere(value, name) and "'" not in value
    }
    return "".join(f"{name}='{value}'\n" for name, value in far.items())


_READERS = frozenset((*SOURCING, "[", "[[", "test", "cat", "echo", "printf", "ls", "grep", "touch"))


def _may_write(command: Command) -> bool:
    """Whether a file that a command names may be another one afterwards; what it copies is known."""
    name = program_name(command.argv[0]) if command.argv else ""
    return name not in _READERS and name not in ("cp", "mv", "ln")


_READ_BY_GIT = frozenset(
    (
        *("status", "log", "diff", "rev-parse", "show", "describe", "branch", "ls-files"),
        *("config", "remote", "fetch"),
    )
)


def _leaves_files(command: Command) -> bool:
    """Whether it is certain which files a command changes; what a program does to others is not."""
    texts = [word.text for word in command.argv]
    writes = [one.target for one in command.redirects if ">" in one.op]
    if not all(one.is_known and not has_wildcard(one.text) for one in writes):
        return False
    if not texts or texts[0] in _READERS or texts[0] in _BUILTINS or texts[0] == "trap":
        return True
    if texts[0] in ("cp", "mv", "ln"):
        return all(word.is_known and not word.has_glob for word in command.argv)
    if texts[0] == "git":
        verb = texts[3:4] if texts[1:2] == ["-C"] else texts[1:2]
        return not _READ_BY_GIT.isdisjoint(verb)
    return leaves_files(texts)


_FUNCTION = pattern(r"\bfunction[ \t]+([^\s()]+)|([^\s;&|(){}]+)[ \t]*\([ \t]*\)")
_OF_ANY_SHELL = frozenset(
    (
        *(
            "cd",
            "pushd",
            "popd",
            "eval",
            "exec",
            "source",
            ".",
            "set",
            "unset",
            "export",
            "command",
        ),
        *("builtin", "trap", "return", "exit", "test", "[", "true", "false", "read", "kill"),
    )
)


def _replaces(text: str, programs: Container[str]) -> bool:
    """Whether a text defines a function with the name of a program or of one of the shell's own commands."""
    names = (one[1] or one[2] for one in _FUNCTION.finditer(text))
    return bool(programs) and any(one in programs or one in _OF_ANY_SHELL for one in names)


def _text_of(path: str, context: CallContext) -> str | None:
    changed = path in context.copies or path in context.appended or context.arrivals
    if changed or not context.is_inside(path, (context.root, *context.temp)):
        return None
    text = context.written_texts.get(path)
    text = context.facts.text(path, MAX_FILE + 1) if text is None else text
    is_known = text is not None and len(text) <= MAX_FILE and not is_binary(text)
    return text if is_known else None


def is_settings(text: str) -> bool:
    """Whether a text only sets variables, to known texts."""
    return all(map(_ASSIGNMENT.fullmatch, text.split("\n")))


def _is_evaluated(text: str) -> bool:
    """Whether a text runs nothing but assignments, tests of files and ``mktemp``."""
    is_plain = all(map(_EVALUATED.fullmatch, text.split("\n")))
    return is_plain and _EMPTY_BRANCH.search(text) is None


_DEFINES = pattern(
    r"(?:export[ \t]+|readonly[ \t]+|declare[ \t]+(?:-[aAirx]+[ \t]+)?)?"
    r"[A-Za-z_]\w*\+?=(?:[^\s;&|<>()`]*|\([^;&|<>()`]*\))(?:[ \t]+#[^\n]*)?"
)


def _only_defines(text: str) -> bool:
    """Whether a text only sets variables, without running anything for that, and defines functions."""
    masked = mask(text)
    if masked.unclosed or "\r" in text:
        return False
    try:
        statements = read_statements(masked.masked)
    except ParseError:
        return False
    parts = statements.parts if statements.kind == "list" else (statements,)
    return all(
        one.kind == "function"
        or (
            one.kind == "simple"
            and (
                _is_evaluated(text[one.start : one.end].strip())
                or _is_assignment(text, masked.masked, one.start, one.end)
            )
        )
        for one in parts
    )


def _is_assignment(text: str, masked: str, start: int, end: int) -> bool:
    given = text[start:end]
    is_plain = not any(sign in given for sign in ("`", "$(", "<(", ">(")) and given.count("(") < 2
    return is_plain and _DEFINES.fullmatch(masked[start:end].strip()) is not None


# end of module
