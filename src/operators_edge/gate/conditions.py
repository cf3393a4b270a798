"""Matching one command against one condition of a rule.

Owns the meaning of each key of a condition (``CHECKS``: one function per key, all of which must hold). Does
not own the classes of words that a condition can name (``gate.operand_classes``), the conditions (the packs),
or what follows from a match (``gate.assessment``).
"""

from __future__ import annotations

import os.path
import re
from fnmatch import fnmatchcase
from functools import partial

from operators_edge.gate.invocation import (
    Invocation,
    Span,
    find_flags,
    has_exact_flag,
    redirect_targets,
)
from operators_edge.gate.operand_classes import (
    OPERAND_CLASSES,
    OWN_CLASSES,
    is_in_class,
    secret_files,
)
from operators_edge.shell.commands import HOLE, Word
from operators_edge.text.patterns import compiled, found_in
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from operators_edge.gate.invocation import Flag
    from operators_edge.gate.paths import CallContext
    from operators_edge.gate.rule_types import Condition
    from operators_edge.gate.verbs import Verb
    from operators_edge.shell.commands import Command


_LISTING = frozenset(
    ("ls", "find", "fd", "fdfind", "echo", "printf", "git", "rg", "grep", "realpath", "readlink")
)
"""Programs that print names of files, which another command may then take."""


def match_path(path: list[str], words: list[Word]) -> int:
    """Return how many operands a subcommand path covers; -1 when it does not fit.

    ``*`` matches one word, ``**`` any number of words, a ``*`` inside a word any part of that word.
    """
    for at, part in enumerate(path):
        if part == "**":
            after = path[at + 1 :]
            for skip in range(at, len(words) + 1):
                if after and skip < len(words) and not _fits(after[0], words[skip].text):
                    continue
                rest = match_path(after, words[skip:])
                if rest >= 0:
                    return skip + rest
            return -1
        if at >= len(words) or not _fits(part, words[at].text):
            return -1
    return len(path)


def _fits(part: str, text: str) -> bool:
    if "*" not in part or part == "**":
        return part in (text, "**")
    before, _, after = part.partition("*")
    fits = text.startswith(before) and text.endswith(after)
    return fits and len(text) >= len(before) + len(after) and not text.startswith("-")


class Match(NamedTuple):
    """A condition that holds: the spans of the words that decided it, and the operands it is about.

    ``found`` is a file that the command does not name, but whose content decided.
    """

    spans: list[Span]
    operands: list[Word]
    found: str = ""


class _CheckInput(NamedTuple):
    """The input of a check: the command, its context, and the operands after the subcommand."""

    inv: Invocation
    command: Command
    context: CallContext
    operands: list[Word]

    def in_classes(self, tests: Iterable[str], words: Iterable[Word]) -> list[Word]:
        found = []
        for word in words:
            for test in tests:
                if self._is_in_class(test, word):
                    found.append(word)
                    break
        return found

    def _is_in_class(self, test: str, word: Word) -> bool:
        """The same for one; of a class that many conditions ask for it is found once."""
        if not test.startswith("@"):
            return is_in_class(test, word, self.inv, self.context) is not False
        known = self.inv.classes.get((test, id(word)))
        if known is None:
            found = is_in_class(test, word, self.inv, self.context) is not False
            known = self.inv.classes[test, id(word)] = word, found  # the word keeps its id
        return known[1]


Spans = list[Span] | None
"""The positions of the words that make a check hold; None when it does not hold."""


class Matcher:
    """Matches one command against conditions; what many of them ask for is found once."""

    def __init__(self, inv: Invocation, context: CallContext) -> None:
        self._inv = inv
        self._context = context
        self._views: dict[int, _CheckInput] = {}
        """By how many operands the subcommand covers."""

    def missing(self) -> tuple[str, ...]:
        """Return the keys of checks that cannot hold, because the command has nothing they apply to."""
        inv, command = self._inv, self._inv.command
        missing: tuple[str, ...] = () if inv.written or inv.writes_more else ("written",)
        if not command.redirects:
            missing += ("redirect", "redirected", "input")
        if not command.assigns:
            missing += ("env",)
        if not command.through:
            missing += ("through",)
        if not command.stdin_kind:
            missing += ("stdin",)
        if not inv.flags:
            missing += ("flag", "flags", "value")
        if not inv.operands and not command.has_more_words:
            missing += ("operand", "first")
        if not inv.codes:
            missing += ("code", "code_writes")
        if not inv.script(self._context):
            missing += ("script",)
        return missing

    def of_program(self, when: Condition) -> Condition | None:
        """The condition without the checks that the program alone decides; None if one of them fails."""
        if _OF_PROGRAM.isdisjoint(when):
            return when
        view = self._view(0)
        if any(CHECKS[key](when[key], view) is None for key in _OF_PROGRAM & when.keys()):
            return None
        return {key: value for key, value in when.items() if key not in _OF_PROGRAM}

    def match(self, when: Condition) -> Match | None:
        """Return which parts of the command make the condition hold; None when it does not hold."""
        covered = 0
        if "sub" in when:
            covered = _count_covered(when["sub"], self._inv.operands)
            if covered < 0:
                return None
        view = self._view(covered)
        spans: list[Span] = []
        for key, expected in when.items():
            if key in CHECKS:
                found = CHECKS[key](expected, view)
                if found is None:
                    return None
                spans += found
        spans += [word.span for word in self._inv.operands[:covered]]
        return Match(spans, view.operands, _found_secret(view) if "finds_secret" in when else "")

    def _view(self, covered: int) -> _CheckInput:
        view = self._views.get(covered)
        if view is None:
            inv = self._inv
            view = _CheckInput(inv, inv.command, self._context, inv.operands[covered:])
            self._views[covered] = view
        return view


def _count_covered(paths: dict[str, list[list[str]]], words: list[Word]) -> int:
    """Return the most operands that one of the subcommand paths covers; -1 when none fits."""
    covered = -1
    for path in paths.get(words[0].text, ()) if words else ():
        covered = max(covered, match_path(path, words))
    for path in paths.get("", ()):
        covered = max(covered, match_path(path, words))
    return covered


def _holds(truth: object) -> Spans:
    return [] if truth else None


def _spans_of(words: list[Word]) -> Spans:
    return [word.span for word in words] or None


def _flag(names: list[str], view: _CheckInput) -> Spans:
    return [flag.span for flag in find_flags(view.inv, names)] or None


def _spans_of_each(groups: Iterable[Sequence[Flag | Word]]) -> Spans:
    """The spans of all groups; None when one of them is empty."""
    found = list(groups)
    return [one.span for group in found for one in group] if all(found) else None


def _flags(groups: list[str], view: _CheckInput) -> Spans:
    return _spans_of_each(find_flags(view.inv, group.split("|")) for group in groups)


def _may_match(pattern: str, word: Word) -> bool:
    return not word.is_known or found_in(pattern, word.text)


def _value(tests: dict[str, str], view: _CheckInput) -> Spans:
    return _spans_of_each(
        [
            one
            for one in view.inv.values(names.split("|"))
            if (view.in_classes([test], [one]) if test.startswith("@") else _may_match(test, one))
        ]
        for names, test in tests.items()
    )


def _fits_test(test: str, word: Word, view: _CheckInput) -> bool:
    """Whether a word belongs to an operand class, or matches a pattern: also one that begins with "@"."""
    if test in OPERAND_CLASSES:
        return is_in_class(test, word, view.inv, view.context)
    return found_in(test, word.text)


def _unless_flag(names: list[str], view: _CheckInput) -> Spans:
    # What a dry run is, is said once, in the program's table: elsewhere the same word means something else.
    dry = {each.rpartition(" ")[2] for each in view.inv.spec.get("dry_run", ())}
    return _holds(not has_exact_flag(view.inv, [name for name in names if name not in dry]))


def _unless_value(tests: dict[str, str], view: _CheckInput) -> Spans:
    # Of an option that is given more than once, the last value counts; a tool has many texts.
    first = None if view.inv.program[:1] == "@" else -1
    return _holds(
        not any(
            one.is_known and _fits_test(test, one, view)
            for names, test in tests.items()
            for one in view.inv.values(names.split("|"))[first:]
        )
    )


def _acts(tests: tuple[str, str, list[int], bool], view: _CheckInput) -> Spans:
    """Whether the first operand that is a verb is one that acts, not one that reads.

    Groups and resources come before a verb, names after it, so only the first verb decides. An unknown word
    in the place of a verb is assumed to act.
    """
    acts, reads, places, is_local = tests
    verb = _remote_verb(places, view) if places else None
    is_found = "find -exec" in view.command.through  # what a search finds is no verb
    before = ""
    for word in view.operands[: places[1]] if places else view.operands:
        text = before + word.text
        if found_in(reads, text):
            return None
        is_open = word.text == HOLE and not is_found and not (verb is not None and verb.may_read)
        if found_in(acts, text) or (is_open and not _follows_option(word, view)):
            return [word.span]
        if verb is not None:
            verb.add(word.text, is_value=bool(before) and _may_be_value(word, view))
            if verb.is_sure:
                break
        before = " "
    if verb is not None and (verb.says_acts or (verb.is_unknown and not is_local)):
        return [word.span for word in view.operands[verb.place : verb.place + 1]]
    is_open = view.command.has_more_words and not is_found and not (verb and verb.is_sure)
    return _holds(is_open)


def _remote_verb(places: list[int], view: _CheckInput) -> Verb:
    from operators_edge.gate.verbs import Verb  # noqa: PLC0415 - few programs act on a remote system

    others = view.operands[1 : places[1]]
    is_alone = all(_may_be_value(word, view) for word in others)
    return Verb(view.inv.verbs, places[0], is_alone=is_alone)


def _follows_option(word: Word, view: _CheckInput) -> bool:
    """Whether the word may be the value of an option that is missing in the program's table."""
    at = next((at for at, one in enumerate(view.command.argv) if one is word), 0)
    before = view.command.argv[at - 1].text if at else ""
    return before.startswith("-") and "=" not in before


def _may_be_value(word: Word, view: _CheckInput) -> bool:
    """The same for a word that is known: "--region=x list" has its value already."""
    at = next((at for at, one in enumerate(view.command.argv) if one is word), 0)
    return _follows_option(word, view) and "=" not in view.command.argv[at - 1].text


def _operand(tests: list[str], view: _CheckInput) -> Spans:
    found = view.in_classes(tests, view.operands)
    may_come = view.command.has_more_words and ("@unknown" in tests or _may_be_own(tests, view))
    return [word.span for word in found] if found or may_come else None


def _may_be_own(tests: Iterable[str], view: _CheckInput) -> bool:
    """Whether the words that come from elsewhere may be own files: another command lists some."""
    if OWN_CLASSES.isdisjoint(tests) or view.command.is_remote:
        return False
    return view.context.lists_own(_lists_own)


def _lists_own(context: CallContext) -> bool:
    """Whether a command of the text may print the name of an own file."""
    listing = [Invocation(one, "", {}) for one in context.commands if _lists(one)]
    return any(
        is_in_class(test, word, inv, context)
        for inv in listing
        for word in inv.command.argv[1:]
        for test in ("@own-file", "@own-folder")
    )


def _lists(command: Command) -> bool:
    """Whether the command prints names of files."""
    return bool(command.argv) and os.path.basename(command.argv[0].text) in _LISTING


def _written(tests: list[str], view: _CheckInput) -> Spans:
    found = view.in_classes(tests, view.inv.written)
    unknown = [word for word in view.inv.written if word.text.startswith(HOLE)]
    if not found and (unknown or view.inv.writes_more) and _may_be_own(tests, view):
        return [word.span for word in unknown] or [view.command.span]
    return _spans_of(found)


def _patched(tests: list[str], view: _CheckInput) -> Spans:
    from operators_edge.gate.given_texts import patched_paths  # noqa: PLC0415 - few commands apply patches

    return _spans_of(view.in_classes(tests, patched_paths(view.inv, view.context)))


def _environment(kind: str, view: _CheckInput) -> Spans:
    """Whether the command works on the environment of the product: its ``own``, or ``shared`` with others."""
    if view.context.place.is_shared != (kind == "shared"):
        return None
    from operators_edge.gate import environment  # noqa: PLC0415 - for installers only

    return _holds(environment.is_products_own(view.inv, view.context))


def _first(tests: list[str], view: _CheckInput) -> Spans:
    may_come = [Word(HOLE)] if view.command.has_more_words else []
    return _spans_of(view.in_classes(tests, view.operands[:1] or may_come))


def _min_operands(least: int, view: _CheckInput) -> Spans:
    return _holds(len(view.operands) + view.command.has_more_words >= least)


def _sql(pattern: str, view: _CheckInput) -> Spans:
    from operators_edge.gate.given_texts import sql_texts  # noqa: PLC0415 - few commands run SQL

    texts = sql_texts(view.inv, view.context)
    if not texts:
        return None
    from operators_edge.gate.embedded_code import reduce_sql  # noqa: PLC0415 - few commands have any

    reduced = [reduce_sql(word.text) for word in texts]
    if any("rollback" in one.lower() for one in reduced):
        from operators_edge.gate.own import sql_transactions  # noqa: PLC0415 - few texts take something back

        reduced = sql_transactions.lasting(view.inv, [word.text for word in texts], reduced)
    return _spans_of(
        [
            word
            for word, text in zip(texts, reduced, strict=True)
            if found_in(f"(?i:{pattern})", text)
        ]
    )


def _batch(tests: dict[str, str], view: _CheckInput) -> Spans:
    from operators_edge.gate.given_texts import batch_texts  # noqa: PLC0415 - few programs read such a text

    return _spans_of(
        [
            text
            for names, pattern in tests.items()
            for text in batch_texts(view.inv, names.split("|"), view.context)
            if _may_match(pattern, text)
        ]
    )


def _temporary_backups(expected: bool, view: _CheckInput) -> Spans:  # noqa: FBT001 - a value from a table
    from operators_edge.gate.own import backup_repositories  # noqa: PLC0415 - few commands make backups

    return _holds(expected == backup_repositories.is_temporary(view.inv, view.context))


def _code_writes(tests: list[str], view: _CheckInput) -> Spans:
    from operators_edge.gate import embedded_code  # noqa: PLC0415 - few commands have code

    return _spans_of(
        [
            word
            for word in view.inv.codes
            if view.in_classes(tests, map(Word, embedded_code.find_written_paths(word.text)))
        ]
    )


def _own_databases(expected: bool, view: _CheckInput) -> Spans:  # noqa: FBT001 - a value from a table
    from operators_edge.gate import embedded_code  # noqa: PLC0415 - little code changes a database

    given = (view.context.beside, view.command.environment)
    is_temporary = partial(_is_temporary_file, context=view.context)
    texts = [embedded_code.with_own_files(one.text, is_temporary) for one in view.inv.codes]
    are_own = all(embedded_code.has_own_databases(view.inv.program, one, *given) for one in texts)
    return _holds(are_own == expected)


def _is_temporary_file(path: str, context: CallContext) -> bool:
    return context.is_temporary(path) and context.is_regenerable(path)


def _early(pattern: str, view: _CheckInput) -> Spans:
    words, text = view.inv.early
    return [word.span for word in words] if found_in(pattern, text) else None


def _env(tests: dict[str, str], view: _CheckInput) -> Spans:
    assigns = view.command.assigns
    return _spans_of_each(
        [value for key, value in assigns if re.fullmatch(name, key) and _may_match(pattern, value)]
        for name, pattern in tests.items()
    )


def _known_variables(tests: dict[str, str], view: _CheckInput) -> Iterator[bool]:
    """Of each variable that is known and asked for, whether it is of the kind."""
    for key, value in view.command.environment.items():
        for name, test in tests.items() if HOLE not in value else ():
            if re.fullmatch(name, key):
                yield _fits_test(test, Word(value), view)


def _unless_env(tests: dict[str, str], view: _CheckInput) -> Spans:
    return _holds(not any(_known_variables(tests, view)))


def _other_env(tests: dict[str, str], view: _CheckInput) -> Spans:
    """Whether a variable is given that is surely not of this kind."""
    return _holds(not all(_known_variables(tests, view)))


def _code(pattern: str, view: _CheckInput) -> Spans:
    return _spans_of([_part(pattern, w) for w in view.inv.codes if found_in(pattern, w.text)])


def _part(pattern: str, word: Word) -> Word:
    """Return the part of a word that matches, if the word is a file: its positions are those of its text."""
    start, end = word.span
    found = compiled(pattern).search(word.text) if (start, end) == (0, len(word.text)) else None
    return word if found is None else word._replace(span=(found.start(), max(found.end(), 1)))


def _words(pattern: str, view: _CheckInput) -> Spans:
    return _holds(found_in(pattern, view.inv.arguments))


def _published(expected: bool, view: _CheckInput) -> Spans:  # noqa: FBT001 - a value from a table
    base = view.inv.working_folder(view.context)
    return _holds(expected == bool(base and view.context.facts.is_published(base)))


def _staged_alone(expected: bool, view: _CheckInput) -> Spans:  # noqa: FBT001 - a value from a table
    base = view.inv.working_folder(view.context)
    return _holds(expected == bool(base and view.context.facts.is_staged_alone(base)))


def _guarded(expected: bool, view: _CheckInput) -> Spans:  # noqa: FBT001 - a value from a table
    from operators_edge.gate import clients  # noqa: PLC0415 - few commands start an agent

    return _holds(expected == clients.is_guarded(view.inv, view.context))


def _brings_hooks(expected: bool, view: _CheckInput) -> Spans:  # noqa: FBT001 - a value from a table
    from operators_edge.gate import clients  # noqa: PLC0415 - few calls write such a file

    return _holds(expected == clients.brings_hooks(view.inv, view.operands, view.context))


def _lets_agents_act(expected: bool, view: _CheckInput) -> Spans:  # noqa: FBT001 - a value from a table
    from operators_edge.gate import clients  # noqa: PLC0415 - few calls write such a file

    return _holds(expected == clients.lets_agents_act(view.inv, view.operands, view.context))


def _brings_own_file(expected: bool, view: _CheckInput) -> Spans:  # noqa: FBT001 - a value from a table
    from operators_edge.gate import arrivals  # noqa: PLC0415 - few commands copy into such a folder

    return _holds(expected == arrivals.brings_own_file(view.inv, view.context, _text_now))


def _text_now(path: str, context: CallContext) -> str | None:
    return context.written_texts.get(path) or context.facts.text(path, 1)


_MAX_BESIDE = 65_536


def _printed(expected: bool, view: _CheckInput) -> Spans:  # noqa: FBT001 - a value from a table
    from operators_edge.gate import printed  # noqa: PLC0415 - few commands print a secret

    context = view.context
    return _holds(expected == printed.is_printed(view.command, context.commands, context.text))


def _ends_others(expected: bool, view: _CheckInput) -> Spans:  # noqa: FBT001 - a value from a table
    from operators_edge.gate import processes  # noqa: PLC0415 - few commands end processes

    return _holds(expected == processes.ends_others(view.inv, view.context))


def _reaches_others(expected: bool, view: _CheckInput) -> Spans:  # noqa: FBT001 - a value from a table
    from operators_edge.gate.disk import release_tools  # noqa: PLC0415 - few commands publish
    from operators_edge.gate.own import registries  # noqa: PLC0415 - the same

    given = (view.inv, view.context)
    is_here = release_tools.stays_here(*given) or registries.is_on_this_machine(*given)
    return _holds(expected != is_here)


def _given_texts(view: _CheckInput) -> list[str]:
    """What the command reads on its input, as far as it is known: a text, or that of the files there."""
    if view.command.stdin is not None or not view.command.stdin_kind:
        return [view.command.stdin or ""]
    from operators_edge.gate.given_texts import batch_texts  # noqa: PLC0415 - few programs read such a text

    return [one.text for one in batch_texts(view.inv, (), view.context) if one.is_known] or [""]


def _prints_secret(expected: bool, view: _CheckInput) -> Spans:  # noqa: FBT001 - a value from a table
    """Whether code that it runs prints a secret."""
    from operators_edge.gate import code_secrets, embedded_code  # noqa: PLC0415 - for code alone

    is_shown = view.inv.program == "node" and bool(find_flags(view.inv, ("-p", "--print")))
    texts = {
        word: code_secrets.line_that_prints(word.text, is_printed=is_shown)
        for word in view.inv.codes or embedded_code.like_code(view.command)
    }
    found = [_line_of(word, line) for word, line in texts.items() if line is not None]
    return _holds(expected == bool(found)) if not found else _spans_of(found) if expected else None


def _asks_credential(kind: str, view: _CheckInput) -> Spans:
    """Whether its words ask for a credential: of a remote ``service``, or of ``any`` program."""
    from operators_edge.gate import credential_words  # noqa: PLC0415 - few commands name a credential

    return _spans_of(credential_words.asked_for(view.inv, of_service=kind == "service"))


def _line_of(word: Word, line: int) -> Word:
    """Return a line of a word, if the word is a file: its positions are those of its text."""
    if word.span != (0, len(word.text)):
        return word
    lines = word.text.splitlines(keepends=True)
    start = len("".join(lines[:line]))
    return word._replace(span=(start, start + 1))


def _finds_secret(expected: bool, view: _CheckInput) -> Spans:  # noqa: FBT001 - a value from a table
    """Whether a search through a folder prints lines of a file that holds secrets."""
    return _holds(expected == bool(_found_secret(view)))


def _found_secret(view: _CheckInput) -> str:
    from operators_edge.gate import tree_search  # noqa: PLC0415 - few commands search for a secret

    return tree_search.secret_file(view.inv, view.context) or ""


def _beside(tests: dict[str, str], view: _CheckInput) -> Spans:
    """Whether a file with such a name in the working folder has such a text."""
    base, facts = view.inv.working_folder(view.context), view.context.facts
    names = (facts.names(base) or ()) if base else ()
    return _holds(
        any(
            found_in(pattern, facts.text(f"{base}/{name}", _MAX_BESIDE) or "")
            for file, pattern in tests.items()
            for name in names
            if fnmatchcase(name, file)
        )
    )


def _here(tests: list[str], view: _CheckInput) -> Spans:
    base = view.inv.working_folder(view.context)
    return _holds(bool(view.in_classes(tests, [Word(base or HOLE)])))


_SAYS_LITTLE = frozenset(
    (
        *("dry_run", "dry_run_not_as", "dry_run_not_with", "style", "values"),
        *(
            "command_files",
            "command_files_unless",
            "command_files_instead",
            "parts",
            "part_options",
        ),
        *(
            "project_files",
            "project_language",
            "preloads",
            "code_loose",
            "module_folders",
            "loads_app",
        ),
    )
)
"""Keys of a program's table that do not describe which of its commands change something."""

CHECKS: dict[str, Callable[[Any, _CheckInput], Spans]] = {
    "guarded": _guarded,
    "brings_hooks": _brings_hooks,
    "lets_agents_act": _lets_agents_act,
    "brings_own_file": _brings_own_file,
    "flag": _flag,
    "flags": _flags,
    "unless_flag": _unless_flag,
    "value": _value,
    "unless_value": _unless_value,
    "first": _first,
    "acts": _acts,
    "last": lambda tests, view: _spans_of(view.in_classes(tests, view.operands[-1:])),
    "operand": _operand,
    "unless_last": lambda tests, view: _holds(not view.in_classes(tests, view.operands[-1:])),
    "unless_operand": lambda tests, view: _holds(not view.in_classes(tests, view.operands)),
    "unless_all": lambda tests, view: _holds(
        not view.operands
        or view.command.has_more_words
        or len(view.in_classes(tests, view.operands)) < len(view.operands)
    ),
    "min_operands": _min_operands,
    "max_operands": lambda most, view: _holds(len(view.operands) <= most),
    "dashes": lambda expected, view: _holds(
        expected == (0 <= view.inv.dashes < len(view.inv.operands) + view.command.has_more_words)
    ),
    "sql": _sql,
    "batch": _batch,
    "code": _code,
    "code_writes": _code_writes,
    "own_databases": _own_databases,
    "temporary_backups": _temporary_backups,
    "redirect": lambda tests, view: _spans_of(
        view.in_classes(tests, redirect_targets(view.command, truncating=True))
    ),
    "redirected": lambda tests, view: _spans_of(
        view.in_classes(tests, redirect_targets(view.command))
    ),
    "written": _written,
    "patched": _patched,
    "environment": _environment,
    "early": _early,
    "unless_program": lambda names, view: _holds(
        # A program table from the project's own configuration does not exempt a program.
        (view.inv.spec.keys() <= _SAYS_LITTLE or view.inv.spec.get("unvouched"))
        and not view.inv.is_dry_run()
        and view.inv.program not in names
        and not view.inv.program.startswith("@")
    ),
    "not_program": lambda names, view: _holds(view.inv.program not in names),
    "words": _words,
    "path": lambda pattern, view: _holds(
        any(found_in(pattern, word.text) for word in view.command.argv[:1])
    ),
    "script": lambda pattern, view: _holds(found_in(pattern, view.inv.script(view.context))),
    "env": _env,
    "unless_env": _unless_env,
    "other_env": _other_env,
    "more": lambda expected, view: _holds(expected == view.command.has_more_words),
    "through": lambda names, view: _holds(set(names) & set(view.command.through)),
    "remote": lambda expected, view: _holds(expected == view.command.is_remote),
    "stdin": lambda kinds, view: _holds(view.command.stdin_kind in kinds),
    "stdin_program": lambda names, view: _holds(view.command.stdin_program in names),
    "unless_stdin_program": lambda names, view: _holds(view.command.stdin_program not in names),
    "reads_secret": lambda expected, view: _holds(
        expected == view.context.holds(secret_files().SECRET_SOURCE)
    ),
    "printed": _printed,
    "finds_secret": _finds_secret,
    "ends_others": _ends_others,
    "reaches_others": _reaches_others,
    "prints_secret": _prints_secret,
    "asks_credential": _asks_credential,
    "beside": _beside,
    "here": _here,
    "text": lambda pattern, view: _holds(view.context.holds(pattern)),
    "input": lambda tests, view: _spans_of(
        view.in_classes(tests, [one.target for one in view.command.redirects if one.op == "<"])
    ),
    "published": _published,
    "staged_alone": _staged_alone,
    "client_in": lambda kinds, view: _holds(
        any(kind in kinds for kind, _ in view.context.place.terminals)
    ),
    "stdin_text": lambda pattern, view: _holds(
        any(found_in(pattern, one) for one in _given_texts(view))
    ),
}


_OF_PROGRAM = frozenset(("path", "not_program", "unless_program"))
"""Checks that depend on the program's name and table alone."""


# end of module
