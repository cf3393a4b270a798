"""A command as its program reads it: options, operands, and what they mean to that program.

Owns the sorting of words into options and operands, and which words the program reads as code, or writes to,
according to its table in the packs. Does not own texts from files and its input (``gate.given_texts``), nor
conditions (``gate.conditions``).
"""

from __future__ import annotations

import os.path
import re
from itertools import takewhile

from operators_edge.gate import paths
from operators_edge.gate.path_patterns import has_wildcard
from operators_edge.shell.commands import HOLE, Command, Word, program_name, without_ending
from operators_edge.text.patterns import compiled
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Literal

    from operators_edge.gate.paths import CallContext
    from operators_edge.gate.rule_types import Program
    from operators_edge.gate.rules import Rules

Span = tuple[int, int]

_FALSE_VALUES = frozenset(("none", "false", "f", "0", "no", "off"))
_VERSION_FLAGS = frozenset(("--version", "-version", "-v", "-V"))
_NO_VERBS: Mapping[str, str] = {}
_MIN_PREFIX = 3  # "--" and a letter
_SCRIPT_LIMIT = 65_536


_CONTAINERS = ("docker ", "podman ", "nerdctl ", "docker-compose ", "buildah ")


class Flag(NamedTuple):
    """An option as given: its name ("-f", "--force"), its value or None, and its position."""

    name: str
    value: Word | None
    span: Span


class Invocation:
    """A command with its program's name, and its words sorted into options and operands.

    ``dashes`` is the number of operands before ``--``; -1 without it. ``verbs`` are the words of ``[verbs]``.
    """

    __slots__ = (
        *("_arguments", "_checks", "_codes", "_dry", "_early", "_help", "_script", "_written"),
        "classes",
        *("command", "dashes", "flags", "operands", "program", "spec", "verbs"),
    )

    def __init__(
        self, command: Command, program: str, spec: Program, verbs: Mapping[str, str] = _NO_VERBS
    ) -> None:
        self.command = command
        self.program = program
        self.spec = spec
        self.verbs = verbs
        self.flags: list[Flag] = []
        self.operands: list[Word] = []
        self.dashes = -1
        self._written: list[Word] | None = None
        self._early: tuple[list[Word], str] | None = None
        self._arguments: str | None = None
        self._codes: list[Word] | None = None
        self._dry: bool | None = None
        self._checks: bool | None = None
        self._help: bool | None = None
        self.classes: dict[tuple[str, int], tuple[Word, bool]] = {}
        """Of words that were looked at, by their ids: whether they are in a class."""
        self._script: tuple[CallContext, str] | None = None
        self._sort()

    def with_command(self, command: Command) -> Invocation:
        """The same invocation of a command that says the same in another place."""
        return Invocation(command, self.program, self.spec, self.verbs)

    @property
    def is_contained(self) -> bool:
        """Whether it runs in a container of this machine."""
        through = self.command.through
        return bool(through) and any(step.startswith(_CONTAINERS) for step in through)

    @property
    def written(self) -> list[Word]:
        """Every path that the command writes, moves away or deletes, according to its program table."""
        if self._written is None:
            self._written = _find_written(self)
        return self._written

    @property
    def early(self) -> tuple[list[Word], str]:
        """The first words, as far as they are no options, and their text."""
        if self._early is None:
            words = list(
                takewhile(lambda word: not word.text.startswith("-"), self.command.argv[1:4])
            )
            self._early = words, " ".join(word.text for word in words)
        return self._early

    @property
    def codes(self) -> list[Word]:
        """Everything on the command line that the program will run as code."""
        if self._codes is None:
            self._codes = _code_texts(self)
        return self._codes

    @property
    def arguments(self) -> str:
        """The text of all words after the program."""
        if self._arguments is None:
            self._arguments = " ".join([word.text for word in self.command.argv[1:]])
        return self._arguments

    def script(self, context: CallContext) -> str:
        """The text of the script that it runs by its path; empty when there is none."""
        if self._script is None or self._script[0] is not context:
            self._script = context, _script_text(self, context)
        return self._script[1]

    @property
    def writes_more(self) -> bool:
        """Whether it also writes paths that come from elsewhere, as from ``xargs``."""
        return self.command.has_more_words and _writes_operands(self)

    def _takes_value(self, name: str) -> bool:
        spec = self.spec
        if name in spec.get("values", ()):
            return True
        if not self.operands:
            return name in spec.get("global_values", ())
        first = self.operands[0].text
        if "sub_values" in spec and name in spec["sub_values"].get(first, ()):
            return True
        return "sub_write_options" in spec and name in self.sub_options()

    def sub_options(self) -> list[str]:
        """Return the options of the subcommand whose value it writes."""
        table = self.spec.get("sub_write_options", {})
        return [
            option
            for path, options in table.items()
            if self.first_operands(len(path.split())) == path
            for option in options
        ]

    def _sort(self) -> None:
        words = self.command.argv[1:]
        is_long = self.spec.get("style") == "long"
        at = 0
        if self.spec.get("old_style") and words and words[0].text[:1] not in ("-", "/", "."):
            self._old_style(words[0], iter(words[1:]))
        while at < len(words):
            word = words[at]
            text = word.text
            at += 1
            if self.dashes >= 0 or len(text) < 2 or text[0] != "-" or self._is_for_script():
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
        if "subcommands" in self.spec and self.operands:
            self._complete_subcommand()

    def _complete_subcommand(self) -> None:
        """Read ``npm pub`` as ``npm publish``."""
        first = self.operands[0]
        given = re.sub(r"[A-Z]", lambda letter: f"-{letter.group().lower()}", first.text)
        meant = self.spec["subcommands"].get(given, first.text)
        if meant == first.text:
            return
        if program_name(self.command.argv[0]) not in self.spec.get("subcommands_not_as", ()):
            self.operands[0] = first._replace(text=meant)

    def _is_for_script(self) -> bool:
        """Whether the options from here on are those of the script or module that the program runs."""
        if not self.spec.get("script"):
            return False
        return bool(self.script_words() or self.values(self.spec.get("modules", ())))

    def script_words(self) -> list[Word]:
        """Return the script that the program runs, if it runs one, and what it is given."""
        verbs = self.spec.get("verbs", ())
        first = next((n for n, word in enumerate(self.operands) if word.text not in verbs), None)
        return [] if first is None else self.operands[first:]

    def _old_style(self, cluster: Word, following: Iterator[Word]) -> None:
        """Read ``xzf FILE``: the values of the letters follow in their order."""
        for name in ("-" + letter for letter in cluster.text):
            value = next(following, None) if self._takes_value(name) else None
            self.flags.append(Flag(name, value, cluster.span))

    def _long(self, word: Word, words: tuple[Word, ...], at: int) -> int:
        name, equals, rest = word.text.partition("=")
        value = Word(rest, word.span) if equals else None
        for short in self.spec.get("attached", ()):
            if word.text.startswith(short) and word.text != short:
                name, value = short, Word(word.text[len(short) :], word.span)
        if value is None and self._takes_value(name) and at < len(words):
            value = words[at]
            at += 1
        elif value is None and self._takes_value(name):
            value = self._more_word(word)
        self.flags.append(Flag(name, value, word.span))
        return at

    def _more_word(self, option: Word) -> Word | None:
        """The value of the last word, an option: what comes from elsewhere, as from ``xargs``, is unknown."""
        return Word(HOLE, option.span) if self.command.has_more_words else None

    def _cluster(self, word: Word, words: tuple[Word, ...], at: int) -> int:
        text = word.text
        for place in range(1, len(text)):
            name, rest = "-" + text[place], text[place + 1 :]
            if rest and name in self.spec.get("attached", ()):
                self.flags.append(Flag(name, Word(rest, word.span), word.span))
                return at
            if self._takes_value(name):
                following = words[at] if at < len(words) else self._more_word(word)
                value = Word(rest, word.span) if rest else following
                self.flags.append(Flag(name, value, word.span))
                return at if rest else at + 1
            if rest.startswith("="):
                self.flags.append(Flag(name, Word(rest[1:], word.span), word.span))
                return at
            self.flags.append(Flag(name, None, word.span))
        return at

    def is_help(self) -> bool:
        """Whether the command only prints its help or version, or checks a syntax."""
        if self._help is None:
            self._help = self.only_checks() or self._asks_for_help()
        return self._help

    def _asks_for_help(self) -> bool:
        help_options = self.spec.get("help", ("--help", "--version"))
        if self.spec.get("help_first"):
            return len(self.command.argv) > 1 and self.command.argv[1].text in help_options
        # After an operand, --version selects a version instead of printing one.
        given = [
            flag.name
            for flag in self.flags
            if not (self.operands and flag.name in _VERSION_FLAGS)
            and (flag.value is None or flag.value.text.lower() not in _FALSE_VALUES)
        ]
        return any(name in help_options for name in given) or (
            "help" in help_options and self.first_operands() == "help"
        )

    def only_checks(self) -> bool:
        """Whether it reads a program without running it: with such an option, and no other."""
        if self._checks is None:
            self._checks = self._only_checks()
        return self._checks

    def _only_checks(self) -> bool:
        checks = self.spec.get("checks")
        if not checks:
            return False
        given = [f"{one.name} {one.value.text}" if one.value else one.name for one in self.flags]
        known = checks.get(given[0] if len(given) == 1 else "", ())
        return bool(known) and program_name(self.command.argv[0]) in known

    def is_dry_run(self) -> bool:
        """Whether the command only says what it would do."""
        if self._dry is None:
            self._dry = self._is_dry_run()
        return self._dry

    def _is_dry_run(self) -> bool:
        known = self.spec.get("dry_run", ())
        if not known or program_name(self.command.argv[0]) in self.spec.get("dry_run_not_as", ()):
            return False
        if find_flags(self, self.spec.get("dry_run_not_with", ())):
            return False
        return any(self._has_dry(*each.rpartition(" ")[::2]) for each in known)

    def _has_dry(self, path: str, last: str) -> bool:
        is_option = last.startswith("-")
        if not (self.flags if is_option else self.operands):
            return False
        parts = path.split()
        if path.startswith("-"):
            is_there = has_exact_flag(self, parts)
            parts = []
        else:
            is_there = self.first_operands(len(parts)) == path
        if not is_there:
            return False
        if not is_option:
            return any(word.text == last for word in self.operands[len(parts) :])
        # Programs take the last of `--dry-run=client --dry-run=none`, and of `--dry-run --no-dry-run`.
        name = last.lstrip("-")
        given = [flag for flag in self.flags if flag.name in (last, f"--no-{name}", f"--no{name}")]
        is_last = bool(given) and given[-1].name == last
        return is_last and _is_on(given[-1])

    def working_folder(self, context: CallContext, word: Word | None = None) -> str | None:
        """Return the absolute folder that the command works in; None when it is unknown.

        With a ``word``, the folder it is relative to: the shell opens a redirect before the program changes
        its folder.
        """
        found = context.absolute_folder(self.command.cwd)
        if "folder" not in self.spec or any(one.target is word for one in self.command.redirects):
            return found
        after = self.spec.get("folder_after", {})
        limit = after.get(program_name(self.command.argv[0]), after.get("", 0))
        for flag in self.flags:
            is_early = not self.operands[limit:] or flag.span < self.operands[limit].span
            if flag.name in self.spec["folder"] and flag.value is not None and is_early:
                found = context.resolve(flag.value.text, found)
        return found

    def is_surely_in_folder(self, context: CallContext) -> bool:
        """Whether the command runs where its line goes to: a ``cd`` that fails leaves it where it was."""
        folder, text = context.absolute_folder(self.command.cwd), context.text
        if folder is None or folder == context.cwd:
            return folder is not None
        going = compiled(r"\b(?:cd|chdir|pushd|popd)\b").search(text)
        begin, end = going.start() if going else 0, self.command.span[0]
        between = text[begin : end if end > begin else len(text)]
        if not compiled(_GOES_ON).search(between) or context.facts.names(folder) is not None:
            return True
        if not context.is_program:
            return False
        from operators_edge.shell import failures  # noqa: PLC0415 - few scripts delete in a new folder

        return failures.ends_where_it_cannot_go(text)

    def values(self, names: Iterable[str]) -> list[Word]:
        return [one.value for one in self.flags if one.value is not None and one.name in names]

    def first_operands(self, count: int = 1) -> str:
        return " ".join(word.text for word in self.operands[:count])


def program_of(command: Command, rules: Rules) -> str:
    """Return the program's name in the packs; "" for none, HOLE when it is unknown."""
    if not command.argv:
        return ""
    word = command.argv[0]
    name = os.path.basename(word.text.replace("\\", "/").rstrip("/"))  # `node test/`
    is_line = not name or (" " in name and word.text[0] not in "/.~")
    if HOLE in name or is_line or (word.has_glob and paths.fixed_part(word.text) != word.text):
        return HOLE
    return _name_in_packs(without_ending(name), rules)


def _name_in_packs(name: str, rules: Rules) -> str:
    known = rules.names.get(name) or rules.names.get(name.lower())
    if known is not None:
        return known
    found = rules.by_glob(name)
    bare = name.partition("@")[0]  # `corepack pnpm@9`
    return found if found != name or not bare or bare == name else _name_in_packs(bare, rules)


def invocation_of(command: Command, rules: Rules) -> Invocation:
    program = program_of(command, rules)
    spec = rules.programs.get(program, {})
    if "option_variables" in spec and (command.assigns or command.exported):
        command = _with_options(command, spec["option_variables"])
    return Invocation(command, program, spec, rules.verbs)


def _with_options(command: Command, variables: Iterable[str]) -> Command:
    """The command with the words that variables give it; ``MAKEFLAGS=n`` is ``-n``.

    ``NAME=--option`` is a variable that gives the value of an option; which of several, ``NAME_*``, counts is
    unknown, and so is the value.
    """
    given: list[str] = []
    known = command.environment
    for name, _, option in (each.partition("=") for each in variables):
        if name[-1:] == "*":
            given += [f"{option}={HOLE}"] if any(one.startswith(name[:-1]) for one in known) else []
        elif option:
            given += [f"{option}={known[name]}"] if name in known else []
        else:
            words = known.get(name, "").split()
            if words and words[0][0] != "-" and "=" not in words[0]:
                words[0] = f"-{words[0]}"
            given += [word for word in words if word != "--"]
    words_given = (Word(word, command.span) for word in given)
    return command._replace(argv=(*command.argv[:1], *words_given, *command.argv[1:]))


def find_flags(inv: Invocation, names: Iterable[str]) -> list[Flag]:
    """Return the given options among ``names``; unique prefixes of long ones count."""
    found = []
    for flag in inv.flags:
        for name in names:
            is_prefix = (
                inv.spec.get("abbreviates", False)
                and len(flag.name) >= _MIN_PREFIX
                and flag.name.startswith("--")
                and name.startswith(flag.name)
            )
            if flag.name == name or is_prefix:
                if flag.value is None or flag.value.text.lower() != "false":
                    found.append(flag)
                break
    return found


def has_exact_flag(inv: Invocation, names: Iterable[str]) -> bool:
    """Like ``find_flags``, but only for options written out in full: an exemption must be explicit."""
    return any(flag.name in names and _is_on(flag) for flag in inv.flags)


def _is_on(flag: Flag) -> bool:
    return flag.value is None or flag.value.text.lower() not in _FALSE_VALUES


def redirect_targets(command: Command, *, truncating: bool = False) -> list[Word]:
    """Return targets of redirects that write; ``truncating``: of those that replace what is in the file."""
    found = []
    for one in command.redirects:
        is_write = ">" in one.op and not (one.op == ">&" and one.target.text.strip("-").isdigit())
        if (
            is_write
            and one.target.text != "-"
            and not (truncating and (one.op in (">>", "&>>") or (one.op == "<>" and not one.fd)))
        ):
            found.append(one.target)
    return found


_WRITES = frozenset(
    (
        *("writes", "writes_if", "write_options", "write_options_if", "write_operands"),
        *("sub_write_options", "sub_writes"),
    )
)
_TAKES_CODE = frozenset(("code", "code_from", "code_verbs", "code_stdin"))
"""Keys of a program's table without which it does none of that."""


def _find_written(inv: Invocation) -> list[Word]:
    spec = inv.spec
    if _WRITES.isdisjoint(spec):
        return redirect_targets(inv.command)
    if has_exact_flag(inv, spec.get("writes_unless", ())):
        return redirect_targets(inv.command)
    found = redirect_targets(inv.command) + inv.values(spec.get("write_options", ()))
    if "sub_write_options" in spec:
        found += inv.values(inv.sub_options())
    for path, kind in spec.get("sub_writes", {}).items():
        count = len(path.split())
        if inv.first_operands(count) == path:
            found += _chosen(kind, inv.operands[count:])
    for option, needed in spec.get("write_options_if", {}).items():
        if find_flags(inv, needed):
            found += inv.values([option])
    for prefix in spec.get("write_operands", ()):
        found += [
            Word(word.text.removeprefix(prefix), word.span)
            for word in inv.operands
            if word.text.startswith(prefix)
        ]
    return found + (_written_operands(inv) if _writes_operands(inv) else [])


def _chosen(kind: str, operands: list[Word]) -> list[Word]:
    first, last = {"all": (0, None), "first": (0, 1), "rest": (1, None), "last": (-1, None)}[kind]
    return operands[first:last]


def sources_and_targets(inv: Invocation) -> tuple[list[Word], list[Word]]:
    """Return what a program like ``cp`` copies, and where to: an option's folders, else the last operand."""
    folders = inv.values(inv.spec.get("write_options", ()))
    return (inv.operands, folders) if folders else (inv.operands[:-1], inv.operands[-1:])


def _written_operands(inv: Invocation) -> list[Word]:
    spec = inv.spec
    is_script = "script_unless" in spec and not find_flags(inv, spec["script_unless"])
    operands = inv.operands[is_script:]
    match spec.get("writes"):
        case "all" | "first" | "rest" as kind:
            return _chosen(kind, operands)
        case "last":
            sources, targets = sources_and_targets(inv)
            folders = [one for one in targets if one.text]  # the empty name is none
            inside = [_path_in_folder(folder, one) for folder in folders for one in sources]
            written = [*targets, *inside] if sources else []
            return [*written, *(operands if inv.program == "mv" else ())]
        case _:
            return operands if inv.program == "mv" else []


def _writes_operands(inv: Invocation) -> bool:
    spec = inv.spec
    return "writes" in spec and (
        "writes_if" not in spec or bool(find_flags(inv, spec["writes_if"]))
    )


def _path_in_folder(folder: Word, source: Word) -> Word:
    """Return the path that a copy into a folder would write."""
    return Word(os.path.join(folder.text, os.path.basename(source.text.rstrip("/"))), folder.span)


def links_of(inv: Invocation, context: CallContext) -> list[tuple[str, str]]:
    """Return the links that the command makes, and where they lead: under the name given, and inside it."""
    is_symbolic = _makes(inv, "symbolic_links")
    if not is_symbolic and not _makes(inv, "hard_links"):
        return []
    folders = inv.values(inv.spec.get("write_options", ()))
    targets = inv.operands if folders or len(inv.operands) < 2 else inv.operands[:-1]
    named = folders or inv.operands[len(targets) :] or [Word(".")]
    base = inv.working_folder(context)
    found = []
    for target in targets:
        inside = [_path_in_folder(each, target) for each in named]
        for word in (*(() if folders else named), *inside):
            if os.path.basename(word.text) in ("", ".", ".."):
                continue  # a folder that exists already
            link = context.resolve(word.text, base)
            # A symbolic link keeps the words: they are relative to where it is.
            origin = os.path.dirname(link) if link and is_symbolic else base
            path = context.resolve(*_seen_from(target.text, origin, base))
            if link and path and link != path:
                found.append((link, path))
    return found


def _seen_from(text: str, folder: str | None, here: str | None) -> tuple[str, str | None]:
    """Return a path with the folder that it is relative to: "$PWD/x" is in this one, wherever that is."""
    return (text[2:], here) if text[:2] == f"{HOLE}/" else (text, folder)


def _makes(inv: Invocation, kind: Literal["symbolic_links", "hard_links"]) -> bool:
    options = inv.spec.get(kind, ())
    return "" in options or bool(options and find_flags(inv, options))


def brings(inv: Invocation) -> tuple[str, list[Word]]:
    """Return how the command puts files in place, by its subcommand or an option, and the operands after it.

    ("", []) if it does not.
    """
    for given, kind in inv.spec.get("brings", {}).items():
        option = given if given[:1] == "-" else ""
        words = [] if option else given.split()
        is_verb = all(
            word.text in part.split("|") for word, part in zip(inv.operands, words, strict=False)
        )
        is_option = not option or bool(find_flags(inv, [option]))
        if is_verb and len(inv.operands) >= len(words) and is_option:
            return kind, inv.operands[len(words) :]
    return "", []


def _script_text(inv: Invocation, context: CallContext) -> str:
    argv = inv.command.argv
    if inv.command.is_remote or not argv:
        return ""
    if "scripts" in inv.spec:
        endings = tuple(inv.spec["scripts"])
        named = [word for word in inv.operands if word.text.endswith(endings)]
    else:
        is_program = "/" in argv[0].text
        named = inv.operands[:1] if inv.spec.get("script") else list(argv[: int(is_program)])
    for word in named:
        path = context.resolve(word.text, inv.working_folder(context))
        if path is not None:
            draft = context.written_texts.get(path)
            if not draft and context.is_program_of_system(path):
                return ""  # most are long, and none is what an agent has written
            return draft or context.facts.text(path, _SCRIPT_LIMIT) or ""
    return ""


_GOES_ON = r"[;\n|]|(?<!&)&(?!&)"
"""What goes on after a command has failed."""

_MOVING = ("mv", "ln", "rename")
_GIT_MOVES = ("mv ", "worktree move ")


def moved_to(invs: Iterable[Invocation], context: CallContext) -> Iterator[str | None]:
    """Yield where commands move or link files to; None for an unknown place.

    What only changes its name below a temporary folder is left out, if nothing else comes there.
    """
    moving, renaming, arrived = [], [], [*context.moved]
    for inv in invs:
        takes_sources = inv.program == "rsync" and find_flags(inv, ("--remove-source-files",))
        is_git = inv.program == "git" and f"{inv.first_operands(2)} ".startswith(_GIT_MOVES)
        if not (takes_sources or is_git or inv.program in _MOVING):
            continue
        if _renames_temporary(inv, context):
            renaming.append(inv)
        else:
            moving.append(inv)
            arrived += _resolved(sources_and_targets(inv)[1], inv, context)
    if not all(place is not None and context.is_outside_temporary(place) for place in arrived):
        moving += renaming  # what comes there may be what is moved on
    for inv in moving:
        yield from _resolved(inv.written or inv.operands, inv, context)


def _renames_temporary(inv: Invocation, context: CallContext) -> bool:
    """Whether all that it moves, or leads to, is below a temporary folder already."""
    sources, targets = sources_and_targets(inv)
    is_known = inv.program == "mv" or (
        inv.program == "ln" and all(one.text[:1] == "/" for one in sources)
    )
    if not (is_known and sources and targets) or inv.command.has_more_words:
        return False
    return all(
        path is not None
        and not has_wildcard(os.path.dirname(path))  # which would follow links
        and all(map(context.is_temporary, (path, context.real(path))))
        for path in _resolved(sources, inv, context)
    )


def _resolved(words: Iterable[Word], inv: Invocation, context: CallContext) -> Iterator[str | None]:
    return (context.resolve(word.text, inv.working_folder(context, word)) for word in words)


def edited_by(invs: Iterable[Invocation], context: CallContext) -> set[str]:
    """The files that commands change where they are: ``sed -i``."""
    editing = [one for one in invs if "writes_if" in one.spec and _writes_operands(one)]
    paths = (
        context.resolve(word.text, inv.working_folder(context, word))
        for inv in editing
        for word in inv.written
    )
    return set(filter(None, paths))


def _code_texts(inv: Invocation) -> list[Word]:
    """Return everything on the command line that the program will run as code."""
    spec = inv.spec
    if _TAKES_CODE.isdisjoint(spec):
        return []
    found = inv.values(spec.get("code", ()))
    if not found and "code_from" in spec:
        found = inv.operands[spec["code_from"] : spec["code_from"] + 1]
    if inv.operands and inv.operands[0].text in spec.get("code_verbs", ()):
        more = [Word(HOLE, inv.command.span)] if inv.command.has_more_words else []
        found = [*found, *(inv.operands[1:2] or more)]
    is_read = not found and (
        not inv.operands or inv.operands[0].text == "-" or _names_database(inv)
    )
    if spec.get("code_stdin") and inv.command.stdin is not None and is_read:
        found = [Word(inv.command.stdin, inv.command.span)]
    if not found:
        return []
    from operators_edge.gate.embedded_code import join_literals  # noqa: PLC0415 - few commands have any

    return [Word(join_literals(word.text), word.span) for word in found]


def _names_database(inv: Invocation) -> bool:
    """Whether the first operand is a database, and no script is among the operands."""
    endings = tuple(inv.spec.get("scripts", ()))
    return (
        bool(endings)
        and inv.program == "mongosh"
        and not any(one.text.endswith(endings) for one in inv.operands)
    )


def only_redirects(command: Command) -> Invocation:
    """Reduce a command that only prints its help to its redirects, which the shell still opens."""
    return Invocation(command._replace(argv=(Word("@help", command.argv[0].span),)), "@help", {})


def words_from(command: Command, words: list[Word]) -> tuple[Word, ...]:
    """Return the words of the command from the first of ``words`` on."""
    for at, word in enumerate(command.argv):
        if words and word is words[0]:
            return command.argv[at:]
    return tuple(words)


# end of module
