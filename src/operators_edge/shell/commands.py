"""The parts of a command text (words, redirects, commands, problems), and how options are spelled.

Owns these types, which the gate reads, and the common spelling of options. Does not own how commands are
found (``shell.evaluate``), nor which options a program has.
"""

from __future__ import annotations

import re
import shlex

from operators_edge.text.patterns import found_in, pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.shell.folder_changes import Move

HOLE = "\0"
"""Replaces a part of a word whose value is unknown before the command runs."""
OWN_PATH = "/tmp/tmp.of-its-own"  # noqa: S108 - a name
"""Stands for a temporary file or folder that did not exist before."""
SOURCING = (".", "source")
_SOURCES = r"(?m)(?:^|[;&|{(]|\b(?:then|do|else)\b)[ \t]*(?:\.|source)[ \t]"
"""Programs of a shell that run a file in it."""


class Word(NamedTuple):
    """One word after quote removal and expansion; ``span`` is its range in the text."""

    text: str
    span: tuple[int, int] = (0, 0)
    has_glob: bool = False

    @property
    def is_known(self) -> bool:
        return HOLE not in self.text


class Redirect(NamedTuple):
    """``op`` without the descriptor (">", ">>", ">|", "&>", "<", ">&"); ``fd`` or None for the default."""

    op: str
    target: Word
    fd: int | None = None


class Command(NamedTuple):
    """One simple command as it would be executed, without its wrappers.

    ``argv`` starts with the program as written (path kept); it is empty for a bare assignment or a
    bare redirection. ``through`` names the wrappers it is reached through, outermost first ("sudo", "sh -c",
    "$(…)", "xargs", "ssh"). ``cwd`` is where it would run, relative to the call's directory or
    absolute; None when unknown (a ``cd`` to an unknown place). ``stdin`` is the text it reads if
    that is known (heredoc, here-string, a literal echo before the pipe); ``stdin_kind`` is "", "text",
    "pipe" or "file". ``has_more_words`` is True when further operands come from elsewhere (xargs,
    parallel, ``"$@"``). ``is_remote`` is True when it runs on another machine or in a container.
    ``exported`` are the variables that the shell around it hands on, beside its own ``assigns``; a HOLE where
    it is unknown whether it does, or which value.
    """

    argv: tuple[Word, ...]
    span: tuple[int, int] = (0, 0)
    assigns: tuple[tuple[str, Word], ...] = ()
    redirects: tuple[Redirect, ...] = ()
    stdin: str | None = None
    stdin_kind: str = ""
    stdin_program: str = ""
    through: tuple[str, ...] = ()
    cwd: str | None = ""
    has_more_words: bool = False
    is_remote: bool = False
    exported: tuple[tuple[str, str], ...] = ()

    @property
    def has_variables(self) -> bool:
        """Whether the program gets variables from the text."""
        return bool(self.assigns or self.exported)

    @property
    def environment(self) -> dict[str, str]:
        """The variables that the program gets from the text."""
        return {**dict(self.exported), **{name: word.text for name, word in self.assigns}}


class Problem(NamedTuple):
    """Why part of the text could not be understood: "syntax", "too-long", "too-deep", "too-many"."""

    kind: str
    span: tuple[int, int] = (0, 0)


class FileWrite(NamedTuple):
    """A text that a command writes to a file, or the file that it puts there; None if either is unknown.

    ``number`` counts the commands until then, this one included. ``is_sure`` is False where another branch, a
    failure or nobody's call may keep it from running. ``maker`` is the file of the program that
    computes a text which is not known, "" if it has none.
    """

    path: str
    text: str | None
    number: int
    is_sure: bool
    origin: str | None = None
    maker: str | None = None


class Script(NamedTuple):
    commands: tuple[Command, ...]
    problems: tuple[Problem, ...] = ()
    files: tuple[tuple[str, str | None], ...] = ()
    """Files that the text writes, with their content; None when it is unknown."""
    copies: tuple[tuple[str, str], ...] = ()
    """Files that the text copies, moves or links from one that it has not written: (file, origin)."""
    appended: tuple[tuple[str, str], ...] = ()
    """Texts that are put at the end of files whose content is not known: (file, text)."""
    variables: tuple[tuple[str, str], ...] = ()
    """Variables that the text sets, for itself or for a program, with each of their values."""
    outputs: tuple[tuple[str, str], ...] = ()
    """Files that get what a program prints, if that is not known: (file, program)."""
    writes: tuple[FileWrite, ...] = ()
    """Each time that one of ``files`` or ``copies`` is written, in order."""
    moves: tuple[Move, ...] = ()
    """Changes of the folder after which more runs, and that may not have happened."""


class Wrapped(NamedTuple):
    """What a wrapper runs: ``words`` of one command, or a ``text`` read as a script.

    ``keeps_wrapper`` is True if the wrapper is reported as a command too. ``shares_scope`` is for text that
    runs in the same shell (eval, source). ``drops`` are the variables that do not reach it, ``drops_all``
    says that none does. ``ends_on_failure`` is true of a shell with ``-e``.
    """

    through: str
    words: tuple[Word, ...] = ()
    text: Word | None = None
    arguments: tuple[str, ...] | None = None
    keeps_wrapper: bool = False
    is_remote: bool = False
    has_more_words: bool = False
    shares_scope: bool = False
    assigns: tuple[tuple[str, Word], ...] = ()
    cwd: str | None = None
    takes_stdin: bool = True
    drops: frozenset[str] = frozenset()
    drops_all: bool = False
    ends_on_failure: bool = False


def program_name(word: Word) -> str:
    """Return the name of a program without folders, and without the ending that Windows gives it."""
    name = word.text.rpartition("/")[2]
    bare = without_ending(name)
    if bare != name:
        name = bare.rpartition("\\")[2].lower()
    if name[-1:].isdigit() and (versioned := _OF_VERSION.fullmatch(name)):
        return versioned[1]
    return name


def without_ending(name: str) -> str:
    """The name of a program without the ending that Windows gives programs and scripts."""
    return name[:-4] if name[-4:].lower() in _OF_WINDOWS else name


_OF_WINDOWS = (".exe", ".cmd", ".bat")
_OF_VERSION = pattern(r"(node|perl|php|ruby|irb|bash|zsh|Rscript|tclsh)-?\d+(?:\.\d+)*")
"""A program whose name says its version: systems that have several of them call them so."""


def skip_options(words: Sequence[Word], valued: str | frozenset[str] | set[str]) -> int:
    """Return the index of the first operand; ``--`` ends the options."""
    if not words or words[0].text[:1] != "-":
        return 0
    values = set(valued.split()) if isinstance(valued, str) else valued
    at = 0
    while at < len(words):
        text = words[at].text
        if text == "--":
            return at + 1
        if len(text) < 2 or text[0] != "-":
            return at
        at += 1 + _takes_next(text, values)
    return at


def _takes_next(option: str, valued: set[str] | frozenset[str]) -> bool:
    if option.startswith("--"):
        return "=" not in option and option[2:] in valued
    if option[1:] in valued:
        return True
    for position, letter in enumerate(option[1:], 2):
        if letter in valued:
            return position == len(option)
    return False


def option_value(words: Sequence[Word], names: str) -> Word | None:
    """Return the value of the first of the options ``names`` ("c command"), however it is spelled."""
    options = names.split()
    for at, word in enumerate(words):
        text = word.text
        if text == "--":
            return None
        for name in options if text[:1] == "-" else ():
            if len(name) > 1 and text.startswith(f"--{name}="):
                return Word(text[len(name) + 3 :], word.span)
            # With a blank it is no cluster of options, but one with its value attached.
            if len(name) == 1 and re.match(rf"-{name}\S*\s", text):
                return Word(text[2:], word.span)
            is_same = (
                text == f"--{name}"
                if len(name) > 1
                else bool(re.fullmatch(f"-[a-zA-Z]*{name}", text))
            )
            if is_same and at + 1 < len(words):
                return words[at + 1]
    return None


def operands(argv: Sequence[Word], valued: str) -> tuple[Word, ...]:
    """Return the words after the program and its options; ``valued`` options take the next word."""
    rest = argv[1:]
    return tuple(rest[skip_options(rest, valued) :])


def has_option(words: Sequence[Word], letter: str, *long: str) -> bool:
    """Whether one of the words is the option, also in a cluster of short ones."""
    return any(
        word.text in long or re.fullmatch(f"-[a-zA-Z]*{letter}[a-zA-Z]*", word.text)
        for word in words
    )


def join_words(words: Sequence[Word]) -> Word | None:
    """Return the words as one text; None if there are none."""
    if not words:
        return None
    return Word(" ".join(word.text for word in words), (words[0].span[0], words[-1].span[1]))


def quoted(words: Sequence[str]) -> str:
    """The words as a shell reads them again; what is unknown stays open."""
    return " ".join(
        word if HOLE in word and not set(word) & set(" \n\t'\";|&()<>") else shlex.quote(word)
        for word in words
    )


def as_text_and_words(through: str, words: Sequence[Word]) -> list[Wrapped]:
    """Return words joined into one text; words that contain blanks are returned as words too."""
    found = [Wrapped(through, text=join_words(words))]
    if len(words) > 1 and any(re.search(r"\s", word.text) for word in words):
        found.append(Wrapped(through, tuple(words)))
    return found


def visible(text: str) -> str:
    """Return a text as a person is shown it: with a sign for each unknown part."""
    return text.replace(HOLE, "…")


def may_source(text: str) -> bool:
    """Whether a text may source a file."""
    return found_in(_SOURCES, text)


# end of module
