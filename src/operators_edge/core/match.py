"""One command against one condition of a rule.

Owns how options and operands are told apart, and what each key of a condition means. Does not own
which conditions there are (the packs) or what follows from one that holds (``gate``).
"""

from __future__ import annotations

import os.path
import re
from typing import TYPE_CHECKING, Any

from operators_edge.core import code, paths, sql
from operators_edge.core.commands import HOLE, Command, Word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from operators_edge.core.paths import Ground
    from operators_edge.core.rules import Rules

Table = dict[str, Any]
Span = tuple[int, int]

_NO = frozenset(("none", "false", "0", "no", "off"))
_LOOPBACK = re.compile(r"(localhost|.*\.localhost|127(\.\d+){1,3}|0\.0\.0\.0|\[?::1\]?|)$")
_URL = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*://)?(?:[^/@?#]*@)?(\[[^\]]*\]|[^/:?#]*)")
_NO_URL = re.compile(r"([A-Z]+|[^/:.\s]+(=|:=|==|:=@|@).*)$")
_MIN_PREFIX = 4  # "--" and two letters: shorter is never an abbreviation anyone writes


class Flag:
    """An option as given: its name ("-f", "--force"), its value or None, and where it stands."""

    __slots__ = ("name", "span", "value")

    def __init__(self, name: str, value: Word | None, span: Span) -> None:
        self.name = name
        self.value = value
        self.span = span


class Invocation:
    """A command with its program known by name and its words sorted into options and operands."""

    __slots__ = ("command", "dashes", "flags", "operands", "program", "spec")

    def __init__(self, command: Command, program: str, spec: Table) -> None:
        self.command = command
        self.program = program
        self.spec = spec
        self.flags: list[Flag] = []
        self.operands: list[Word] = []
        self.dashes = -1
        self._sort()

    def _takes_value(self, name: str) -> bool:
        spec = self.spec
        if name in spec.get("values", ()):
            return True
        if not self.operands:
            return name in spec.get("global_values", ())
        return name in spec.get("sub_values", {}).get(self.operands[0].text, ())

    def _sort(self) -> None:
        words = self.command.argv[1:]
        is_long = self.spec.get("style") == "long"
        at = 0
        while at < len(words):
            word = words[at]
            text = word.text
            at += 1
            if self.dashes >= 0 or len(text) < 2 or text[0] != "-":
                self.operands.append(word)
            elif text == "--":
                self.dashes = len(self.operands)
            elif text.startswith("--") or is_long:
                at = self._long(word, words, at)
            else:
                at = self._cluster(word, words, at)
        for flag in self.flags:
            if flag.value is not None and flag.name in self.spec.get("operand_options", ()):
                self.operands.append(flag.value)

    def _long(self, word: Word, words: tuple[Word, ...], at: int) -> int:
        name, equals, rest = word.text.partition("=")
        value = Word(rest, word.span) if equals else None
        if value is None and self._takes_value(name) and at < len(words):
            value = words[at]
            at += 1
        self.flags.append(Flag(name, value, word.span))
        return at

    def _cluster(self, word: Word, words: tuple[Word, ...], at: int) -> int:
        text = word.text
        for place in range(1, len(text)):
            name, rest = "-" + text[place], text[place + 1 :]
            if self._takes_value(name):
                value = Word(rest, word.span) if rest else words[at] if at < len(words) else None
                self.flags.append(Flag(name, value, word.span))
                return at if rest else at + 1
            if rest.startswith("="):
                self.flags.append(Flag(name, Word(rest[1:], word.span), word.span))
                return at
            self.flags.append(Flag(name, None, word.span))
        return at

    def is_help(self) -> bool:
        """Whether it only prints its help or version."""
        wanted = self.spec.get("help", ("--help", "--version"))
        if self.spec.get("help_first"):
            return len(self.command.argv) > 1 and self.command.argv[1].text in wanted
        return any(flag.name in wanted for flag in self.flags) or (
            "help" in wanted and self.first() == "help"
        )

    def values(self, names: Iterable[str]) -> list[Word]:
        return [one.value for one in self.flags if one.value is not None and one.name in names]

    def first(self, count: int = 1) -> str:
        return " ".join(word.text for word in self.operands[:count])


def program_of(command: Command, rules: Rules) -> str:
    """The program's name as the packs call it; "" for none, HOLE when it cannot be known."""
    if not command.argv:
        return ""
    word = command.argv[0]
    name = os.path.basename(word.text.replace("\\", "/"))
    if HOLE in name or (word.has_glob and paths.fixed_part(word.text) != word.text):
        return HOLE
    if name.lower().endswith(".exe"):
        name = name[:-4]
    known = rules.names.get(name) or rules.names.get(name.lower())
    if known is None:
        known = next((one for pattern, one in rules.globs if re.match(pattern, name)), name)
    return known


def invocation_of(command: Command, rules: Rules) -> Invocation:
    program = program_of(command, rules)
    return Invocation(command, program, rules.programs.get(program, {}))


def match_path(path: list[str], words: list[Word]) -> int:
    """How many operands a subcommand path covers; -1 when it does not fit.

    ``*`` stands for one word, ``**`` for any number, a ``*`` inside a word for any rest of it.
    """
    if not path:
        return 0
    if path[0] == "**":
        for skip in range(len(words) + 1):
            rest = match_path(path[1:], words[skip:])
            if rest >= 0:
                return skip + rest
        return -1
    if not words or not _fits(path[0], words[0].text):
        return -1
    rest = match_path(path[1:], words[1:])
    return rest + 1 if rest >= 0 else -1


def _fits(part: str, text: str) -> bool:
    if "*" not in part:
        return part == text
    before, _, after = part.partition("*")
    fits = text.startswith(before) and text.endswith(after)
    return fits and len(text) >= len(before) + len(after) and not text.startswith("-")


def _given(inv: Invocation, names: Iterable[str]) -> list[Flag]:
    """The options among ``names`` that are given, unique prefixes of long ones included."""
    found = []
    for flag in inv.flags:
        for name in names:
            is_prefix = (
                len(flag.name) >= _MIN_PREFIX
                and flag.name.startswith("--")
                and name.startswith(flag.name)
            )
            if flag.name == name or is_prefix:
                if flag.value is None or flag.value.text.lower() not in _NO:
                    found.append(flag)
                break
    return found


def _excused(inv: Invocation, names: Iterable[str]) -> bool:
    """Like ``_given``, but only for options written out in full: an excuse has to be plain."""
    return any(
        flag.name in names and (flag.value is None or flag.value.text.lower() not in _NO)
        for flag in inv.flags
    )


class Hit:
    """A condition that holds: the spans of the words that made it hold, the operands it is about."""

    __slots__ = ("operands", "spans")

    def __init__(self, spans: list[Span], operands: list[Word]) -> None:
        self.spans = spans
        self.operands = operands


def hit(when: Table, inv: Invocation, ground: Ground) -> Hit | None:
    """What of the command makes the condition hold; None when it does not."""
    spans: list[Span] = []
    operands = inv.operands
    if "sub" in when:
        covered = max(match_path(path, operands) for path in when["sub"])
        if covered < 0:
            return None
        spans += [word.span for word in operands[:covered]]
        operands = operands[covered:]
    checks: tuple[Callable[[], bool], ...] = (
        lambda: _flags_hold(when, inv, spans),
        lambda: _values_hold(when, inv, spans),
        lambda: _operands_hold(when, inv, operands, ground, spans),
        lambda: _texts_hold(when, inv, ground, spans),
        lambda: _surroundings_hold(when, inv, ground, spans),
    )
    return Hit(spans, operands) if all(check() for check in checks) else None


def _flags_hold(when: Table, inv: Invocation, spans: list[Span]) -> bool:
    if "unless_flag" in when and _excused(inv, when["unless_flag"]):
        return False
    if "flag" in when:
        found = _given(inv, when["flag"])
        if not found:
            return False
        spans += [flag.span for flag in found]
    for name in when.get("flags", ()):
        found = _given(inv, name.split("|"))
        if not found:
            return False
        spans += [flag.span for flag in found]
    return True


def _values_hold(when: Table, inv: Invocation, spans: list[Span]) -> bool:
    for names, pattern in when.get("unless_value", {}).items():
        for value in inv.values(names.split("|")):
            if value.is_known and re.search(pattern, value.text):
                return False
    for names, pattern in when.get("value", {}).items():
        found = [
            value
            for value in inv.values(names.split("|"))
            if not value.is_known or re.search(pattern, value.text)
        ]
        if not found:
            return False
        spans += [value.span for value in found]
    return True


def _operands_hold(
    when: Table, inv: Invocation, operands: list[Word], ground: Ground, spans: list[Span]
) -> bool:
    count = len(operands) + (inv.command.has_more_words and "max_operands" not in when)
    if count < when.get("min_operands", 0) or count > when.get("max_operands", count):
        return False
    if "dashes" in when and when["dashes"] != (0 <= inv.dashes < len(inv.operands)):
        return False
    if "first" in when:
        first = operands[:1] or ([Word(HOLE)] if inv.command.has_more_words else [])
        if not any(is_kind(test, word, inv, ground) for word in first for test in when["first"]):
            return False
        spans += [word.span for word in operands[:1]]
    if "last" in when and not any(
        is_kind(test, word, inv, ground) for word in operands[-1:] for test in when["last"]
    ):
        return False
    for test in when.get("unless_operand", ()):
        if any(is_kind(test, word, inv, ground) for word in operands):
            return False
    if "operand" not in when:
        return True
    found = [
        word
        for word in operands
        if any(is_kind(test, word, inv, ground) for test in when["operand"])
    ]
    spans += [word.span for word in found]
    return bool(found) or (inv.command.has_more_words and "@unknown" in when["operand"])


def _texts_hold(when: Table, inv: Invocation, ground: Ground, spans: list[Span]) -> bool:
    if "sql" in when:
        found = [w for w in sql_texts(inv) if re.search(when["sql"], sql.bare(w.text), re.I)]
        if not found:
            return False
        spans += [word.span for word in found]
    if "code" in when:
        found = [word for word in code_texts(inv) if re.search(when["code"], word.text)]
        if not found:
            return False
        spans += [word.span for word in found]
    if "code_writes" not in when:
        return True
    found = [
        word
        for word in code_texts(inv)
        if any(
            is_kind(test, Word(literal), inv, ground)
            for literal in code.written_by(word.text)
            for test in when["code_writes"]
        )
    ]
    spans += [word.span for word in found]
    return bool(found)


def _surroundings_hold(when: Table, inv: Invocation, ground: Ground, spans: list[Span]) -> bool:
    command = inv.command
    if "redirect" in when:
        found = [
            target
            for target in written_by_redirect(command, truncating=True)
            if any(is_kind(test, target, inv, ground) for test in when["redirect"])
        ]
        if not found:
            return False
        spans += [word.span for word in found]
    for name, pattern in when.get("env", {}).items():
        values = [value for key, value in command.assigns if re.fullmatch(name, key)]
        if not any(not value.is_known or re.search(pattern, value.text) for value in values):
            return False
        spans += [value.span for value in values]
    if "written" in when:
        found = [
            target
            for target in written_by(inv)
            if any(is_kind(test, target, inv, ground) for test in when["written"])
        ]
        if not found:
            return False
        spans += [word.span for word in found]
    if "words" in when and not re.search(when["words"], _all_words(command)):
        return False
    if "path" in when and not re.search(when["path"], command.argv[0].text):
        return False
    if "script" in when and not re.search(when["script"], script_text(inv, ground)):
        return False
    if "more" in when and when["more"] != command.has_more_words:
        return False
    if "through" in when and not set(when["through"]) & set(command.through):
        return False
    if "stdin" in when and command.stdin_kind not in when["stdin"]:
        return False
    if "stdin_text" in when and not re.search(when["stdin_text"], command.stdin or ""):
        return False
    return "stdin_program" not in when or command.stdin_program in when["stdin_program"]


def written_by_redirect(command: Command, *, truncating: bool = False) -> list[Word]:
    """Targets of redirects that write; ``truncating``: only of those that empty the file first."""
    found = []
    for one in command.redirects:
        is_write = ">" in one.op and not (one.op == ">&" and one.target.text.strip("-").isdigit())
        if (
            is_write
            and one.target.text != "-"
            and not (truncating and one.op in (">>", "&>>", "<>"))
        ):
            found.append(one.target)
    return found


def written_by(inv: Invocation) -> list[Word]:
    """Every path the command writes, moves away or deletes, as its program table says."""
    spec = inv.spec
    found = written_by_redirect(inv.command) + inv.values(spec.get("write_options", ()))
    if "writes_if" in spec and not _given(inv, spec["writes_if"]):
        return found
    operands = inv.operands
    match spec.get("writes"):
        case "all":
            found += operands
        case "rest":
            found += operands[1:]
        case "last" if len(operands) > 1 or found:
            folders = found or operands[-1:]
            sources = operands if found else operands[:-1]
            found = (
                found + folders + [_inside(folder, one) for folder in folders for one in sources]
            )
    if inv.program == "mv":
        found += operands
    return found


def _inside(folder: Word, source: Word) -> Word:
    """The path that a copy into a folder would write."""
    return Word(os.path.join(folder.text, os.path.basename(source.text.rstrip("/"))), folder.span)


def _all_words(command: Command) -> str:
    return " ".join(word.text for word in command.argv[1:])


_SCRIPT_LIMIT = 65_536


def script_text(inv: Invocation, ground: Ground) -> str:
    """The text of the script that the command runs by path; empty when there is none."""
    argv = inv.command.argv
    if inv.command.is_remote or not argv:
        return ""
    named = inv.operands[:1] if inv.spec.get("script") else argv[:1] if "/" in argv[0].text else []
    for word in named:
        path = ground.resolve(word.text, ground.base(inv.command.cwd))
        if path is not None:
            return ground.facts.text(path, _SCRIPT_LIMIT) or ""
    return ""


def sql_texts(inv: Invocation) -> list[Word]:
    """Everything the program will read as SQL, as far as it is on the line."""
    spec = inv.spec
    found = inv.values(spec.get("sql", ()))
    if "sql_from" in spec:
        found = found + inv.operands[spec["sql_from"] :]
    if spec.get("sql_stdin") and inv.command.stdin is not None:
        found = [*found, Word(inv.command.stdin, inv.command.span)]
    return found


def code_texts(inv: Invocation) -> list[Word]:
    """Everything the program will run as code, as far as it is on the line."""
    spec = inv.spec
    found = inv.values(spec.get("code", ()))
    if not found and "code_from" in spec:
        found = inv.operands[spec["code_from"] : spec["code_from"] + 1]
    is_read = not found and (not inv.operands or inv.operands[0].text == "-")
    if spec.get("code_stdin") and inv.command.stdin is not None and is_read:
        found = [Word(inv.command.stdin, inv.command.span)]
    return found


def host_of(text: str) -> str:
    """The host a URL names, in small letters; HOLE when it cannot be known."""
    match = _URL.match(text)
    host = match.group(1).lower() if match else ""
    return HOLE if HOLE in host else host


def is_kind(test: str, word: Word, inv: Invocation, ground: Ground) -> bool:
    """Whether a word is of a named kind ("@outside") or matches a pattern."""
    if not test.startswith("@"):
        return re.search(test, word.text) is not None
    if test == "@unknown":
        return not word.is_known
    if test == "@remote-url":
        return not _NO_URL.match(word.text) and not _LOOPBACK.match(host_of(word.text))
    if test == "@glob":
        return word.has_glob
    path = ground.resolve(word.text, ground.base(inv.command.cwd))
    if path is None:
        return False
    return _is_path_kind(test, path, ground, is_remote=inv.command.is_remote)


def _is_path_kind(test: str, path: str, ground: Ground, *, is_remote: bool) -> bool:
    match test:
        case "@root-or-home":
            return ground.is_root_or_home(path)
        case "@device":
            return paths.is_device(path)
        case "@outside":
            return is_remote or ground.is_outside(paths.fixed_part(path))
        case "@system":
            return ground.is_system(path)
        case "@nonempty-file":
            return is_remote or bool(ground.facts.size(path))
        case "@existing-file":
            return not is_remote and ground.facts.size(path) is not None
        case "@own-file":
            return not is_remote and ground.is_own(path)
        case "@holds-own-file":
            return not is_remote and ground.holds_own(path)
        case "@state-file":
            return not is_remote and ground.is_state(path)
        case "@startup-or-key":
            return paths.is_startup_or_key(path)
        case "@git-internal":
            return paths.is_git_internal(path)
        case "@outside-host":
            return ground.is_outside(path) and not ground.is_inside(path, ground.place.host)
        case _:
            raise ValueError(f"no such kind of operand: {test}")
