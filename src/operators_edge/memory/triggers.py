"""Exact triggers: whether a lesson names a call or failure by command, path, error, tool, exit code or test.

Pure. Owns the conditions in ``when`` of a lesson, and those that a free trigger implies ("git push",
"src/**/*.sql", "ModuleNotFoundError"). Does not own ranking by words (``memory.store``) or how often a lesson
is shown (``memory.service``).
"""

from __future__ import annotations

import re

from operators_edge.memory import acts
from operators_edge.state import lesson
from operators_edge.state.lesson import Hit
from operators_edge.text import tokens
from operators_edge.text.patterns import compiled, pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any


KINDS = ("tool", "command", "path", "error", "exit_code", "test")
"""The keys of ``when``. Of one kind any value may match; of several kinds each must have a match."""

When = dict[str, tuple[str, ...]]

MAX_ERROR = 8_000
"""Characters of an error that are searched: its beginning and its end."""

_MAX_LINE_LENGTHS = (MAX_ERROR, 2_000, 400, 150)
"""Characters of a line that a pattern with 0, 1, 2 or 3 open repetitions sees: they bound its time."""


def exact_hits(
    lessons: Sequence[Any],
    *,
    tool: str = "",
    command: str = "",
    path: str = "",
    error: str = "",
    exit_code: int | None = None,
) -> list[Hit]:
    """The lessons whose trigger names this call or its failure, the most specific first.

    ``lessons`` are the entries of ``memory`` in order. ``path`` may be absolute. ``error`` is the output of
    a failed call; before the call there is none, and a trigger with an error does not match.
    """
    subject = _Subject(tool, command, path, _head_and_tail(error), exit_code)
    hits = []
    for number, entry in enumerate(lessons, 1):
        when = when_of(entry)
        values = _matching_values(when, subject)
        if not when and subject.has_words(sentence_of(lesson.read(entry)["trigger"])):
            values = [("words", lesson.read(entry)["trigger"])]
        if values:
            kinds = {kind for kind, _ in values}
            length = sum(len(value) for _, value in values)
            reason = ", ".join(_label(kind, value) for kind, value in values)
            score = len(kinds) + min(length, 999) / 1000
            hits.append(Hit(number, lesson.read(entry), score, reason))
    return lesson.best_first(hits)


def when_of(entry: Any) -> When:
    """The conditions of a lesson: its ``when``, else those that its trigger implies."""
    given = entry.get("when") if isinstance(entry, dict) else None
    if isinstance(given, dict):
        conditions = {kind: _values(given.get(kind)) for kind in KINDS}
        return {kind: values for kind, values in conditions.items() if values}
    return derive(given if isinstance(given, str) else lesson.read(entry)["trigger"])


def trigger_words(lessons: Sequence[Any]) -> tuple[str, ...]:
    """Lower-case texts: every call that an exact trigger matches contains at least one of them.

    They are searched for in tool, command and path, in lower case. Lessons with an error or an exit code
    have none: they cannot match before a call.
    """
    found: set[str] = set()
    for entry in lessons:
        when = when_of(entry)
        if _FAILURES.intersection(when):
            continue
        if not when and (words := sentence_of(lesson.read(entry)["trigger"]).words):
            longest = max(words, key=lambda each: (len(each), each))
            found.add(_beginning(longest.removeprefix("re") if _is_again(longest) else longest))
            found.update(acts.trigger_words(words))
        for kind in ("path", "test", "command", "tool"):
            if kind in when:
                found.update(_trigger_word(kind, value) for value in when[kind])
                break
    return tuple(sorted(found))


def names_a_failure(entry: Any) -> bool:
    """Whether a lesson is about one error or exit code."""
    return not _FAILURES.isdisjoint(when_of(entry))


_FAILURES = frozenset({"error", "exit_code"})


class Sentence(NamedTuple):
    """The words that a call must contain, all of them; ``is_edit``: it is about changing a file."""

    words: frozenset[str]
    is_edit: bool = False


def sentence_of(trigger: str) -> Sentence:
    """A trigger that names nothing exactly. Of "editing the OpenAPI spec" the file's name has to match."""
    trigger = _CONJUNCTIONS.sub("", trigger)
    about = _EDITS.match(trigger)
    named = _terms(trigger[about.end() :]) - _KINDS_OF_FILES if about else frozenset()
    return Sentence(named, is_edit=True) if named else Sentence(_terms(trigger))


_CONJUNCTIONS = pattern(r"(?i)^(?:(?:when|whenever|before|after|while|if|on|you|we)\s+)+")
_EDITS = pattern(
    r"(?i)(?:(?:any|every|each|an?|the)\s+)*"
    r"(?:edit(?:ing|s)?|chang(?:ing|es?)|touch(?:ing)?|modify(?:ing)?|updating|working on)\s+"
    r"(?:(?:in|to|of|on|the|an?|any|our)\s+)*"
)


def _is_again(word: str) -> bool:
    """Whether a word begins with the "re" of doing something again: "regenerate"."""
    return len(word) > _SHORT_WORD and word.startswith("re")


_SHORT_WORD = 6


def _contains(words: frozenset[str], found: frozenset[str]) -> bool:
    """Whether all words are there; "regenerate" is there as "generate", too."""
    missing = words - found
    return all(_is_again(each) and each.removeprefix("re") in found for each in missing)


def _terms(text: str) -> frozenset[str]:
    return frozenset(each.text for each in tokens.terms(text) if not each.is_part)


_KINDS_OF_FILES = _terms("file files spec specification config configuration script definition")
"""What people add to the name of a file."""


def _verbs(argv: list[str]) -> frozenset[str]:
    """What a command does, by its first words: "push" of ``git push``, "deploy" of ``./deploy.sh``."""
    first = [_base(argv[0]).partition(".")[0], *argv[1:_VERB_WITHIN]]
    return _terms(" ".join(each for each in first if _VERB.fullmatch(each)))


_VERB_WITHIN = 3


def _is_act(words: frozenset[str], argv: list[str]) -> bool:
    """Whether a command does what the words say."""
    does, about = acts.meaning(argv)
    is_silent = _only_talks(argv)  # what it prints or searches for says nothing of what it does
    if len(words) == 1:
        return _contains(words, does if is_silent else does | _verbs(argv))
    own = _terms(" ".join(argv[:2] if is_silent else argv))
    return _contains(words, own | about) and not (is_silent and words.isdisjoint(does))


def _only_talks(argv: list[str]) -> bool:
    """Whether a command only prints, searches or describes: its words are about something else."""
    return argv[0] in _TALKING or (argv[0] == "git" and not _GIT_TALKING.isdisjoint(argv[1:4]))


_TALKING = frozenset(
    {"echo", "printf", "grep", "rg", "ag", "cat", "less", "head", "tail", "ls", "find", "man"}
)
_GIT_TALKING = frozenset({"commit", "log", "grep", "show", "tag", "notes", "diff", "blame"})


def _beginning(term: str) -> str:
    """What every form of a word begins with."""
    return term[: max(3, min(len(term) - 1, 5))]


# -- conditions from a free trigger ----------------------------------------------------------------

_EXPLICIT = pattern(r"(?s)(tool|command|path|file|error|exit(?: code)?|test)\s*:\s*(\S.*)")
_LEAD_IN = pattern(
    r"(?i)(?:(?:when|whenever|before|after|on|if|while|you|we)\s+|"
    r"(?:running|run|calling|using|editing|edit|changing|change|touching|writing|working on)\s+)+"
)
_FORMS = (
    ("exit_code", pattern(r"(?i)exit(?:ed|s)?(?: with)?(?: code| status)? (\d{1,3})")),
    ("error", pattern(r"((?:[A-Z]{1,6}|ORA-|SQLSTATE )\d{2,5})(?:: .*)?")),
    (
        "error",
        pattern(
            r"((?:(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Timeout)|E[A-Z]{4,})"
            r"(?:: .*)?)"
        ),
    ),
    (
        "tool",
        pattern(r"(Bash|Edit|Write|NotebookEdit|WebFetch|WebSearch|Read|Grep|Glob|mcp__[^ ]*)"),
    ),
    ("test", pattern(r"([^ ]*\.\w+::[^ ]*)")),
)
"""The kinds of a text that are recognised by its form; the group is the value."""

_NAMED_FILE = pattern(
    r"[A-Z][a-z]+file|README|LICENSE|CHANGELOG|CODEOWNERS|NOTICE|AUTHORS|GNUmakefile"
)
_CODE = pattern(r"[A-Z]+(?:-| )?\d+")
_PATH = pattern(r"(?!\w+://)(?=\S*[/*.])(?:[\w@.*?\[\]{},+/~-]+)")
_FILE_END = pattern(r"(?:/|[/*].*|\.[A-Za-z][A-Za-z0-9]{0,9}|^\.[\w.-]+)$")
_COMMAND_WORD = pattern(r"[\w./:=@%+,~^-]+")

_NAMES_OF_PROGRAMS = (
    "git gh glab npm npx pnpm yarn bun deno node pip pip3 pipx uv uvx poetry conda python python3"
    " pytest tox nox ruff mypy pyright black cargo rustc rustup docker docker-compose podman kubectl"
    " helm terraform tofu ansible ansible-playbook aws gcloud az psql pg_dump mysql sqlite3"
    " redis-cli mongosh alembic flask django-admin tsc eslint prettier jest vitest gradle mvn bundle"
    " rake rails composer php phpunit dotnet swift xcodebuild curl wget ssh scp rsync systemctl apt"
    " apt-get brew sed awk chmod chown pre-commit edge cmake ctest ninja bazel rm mv cp"
)
_PROGRAMS = frozenset(_NAMES_OF_PROGRAMS.split())
_WITH_VERB = {
    "go": frozenset({"build", "test", "run", "mod", "get", "vet", "fmt", "generate", "install"}),
    "make": frozenset(
        {"test", "build", "lint", "install", "clean", "check", "all", "deploy", "release", "docs"}
    ),
}
"""Programs that are English words: meant as programs only if one of these words follows."""

_WORDS_OF_PROSE = (
    "is are was fails fail failed failing error errors crashes crash hangs hang times returns return"
    " not says cannot can't does doesn't on in with when and or the a an to of for from after before"
    " during keeps seems needs takes works breaks complains asks becomes has have"
)
_PROSE = frozenset(_WORDS_OF_PROSE.split())
_ACTION = pattern(r"(?i)^\w+ing\b.*?\b(?:with|by|using|via|through) `?([\w.-][^`]*?)`?$")
_WORDS_OF_FAILURE = "fails fail failed failing error errors crashes crash hangs"
_PROSE_OF_FAILURE = frozenset(_WORDS_OF_FAILURE.split())
"""After the name of a program, these words begin a sentence about it."""


def derive(trigger: str) -> When:
    """The condition that a free trigger implies; empty for a sentence, which is found by its words."""
    explicit = _EXPLICIT.match(trigger)
    if explicit:
        kind = {"file": "path", "exit": "exit_code", "exit code": "exit_code"}.get(
            *[explicit[1]] * 2
        )
        return {kind: (explicit[2].strip().strip("`"),)}
    rest = _LEAD_IN.sub("", trigger, count=1) if _LEAD_IN.match(trigger) else trigger
    is_quoted = len(rest) > 2 and rest[0] == rest[-1] == "`" and "`" not in rest[1:-1]
    return _classify(rest[1:-1].strip() if is_quoted else rest.strip(), is_quoted=is_quoted)


def _classify(text: str, *, is_quoted: bool) -> When:
    if not text or "\n" in text:
        return {}
    for kind, form in _FORMS:
        if found := form.fullmatch(text):
            return {kind: (found[1],)}
    words = text.split()
    if _is_command(words, is_quoted=is_quoted):
        return {"command": (text,)}
    is_path = _PATH.fullmatch(text) and _FILE_END.search(text)
    if len(words) == 1 and (is_path or _NAMED_FILE.fullmatch(text)):
        return {"path": (text,)}
    if _PROSE_OF_FAILURE.isdisjoint(words) and (named := _ACTION.search(text)):
        return _named_command(named[1])
    return {}


def _named_command(rest: str) -> When:
    """The command of a sentence such as "deploying with kubectl apply", if it is one."""
    words = rest.split()
    return {"command": (rest,)} if _is_command(words, is_quoted=False) else {}


def _is_command(words: list[str], *, is_quoted: bool) -> bool:
    if len(words) > 6 or not all(_COMMAND_WORD.fullmatch(each) for each in words):
        return False
    program, rest = words[0], words[1:]
    if program in _WITH_VERB:
        return is_quoted or rest[:1] == [] or rest[0] in _WITH_VERB[program]
    if program in _PROGRAMS:
        return is_quoted or _PROSE.isdisjoint(rest)
    return is_quoted and len(words) > 1


def commands_in(text: str) -> list[str]:
    """The commands that a lesson's text tells to run, as in "run make test first": program and verb."""
    words = [word.strip("`\"'.,;:()") for word in text.split()]
    found = []
    for program, verb in zip(words, [*words[1:], ""], strict=True):
        if program in _WITH_VERB and verb in _WITH_VERB[program]:
            found.append(f"{program} {verb}")
        elif program in _PROGRAMS:
            is_verb = _VERB.fullmatch(verb) and verb not in _PROSE and verb not in _AFTER_COMMAND
            found.append(f"{program} {verb}" if is_verb else program)
    return list(dict.fromkeys(found))[:_MAX_COMMANDS]


_VERB = pattern(r"[a-z][a-z0-9:-]*")
_AFTER_COMMAND = frozenset({"first", "again", "instead", "once", "there", "here", "only", "then"})
_MAX_COMMANDS = 3


# -- matching --------------------------------------------------------------------------------------


class _Subject:
    """One call or failure; its command is parsed once."""

    def __init__(
        self, tool: str, command: str, path: str, error: str, exit_code: int | None
    ) -> None:
        self.tool, self.command, self.error = tool, command, error
        self.path = path.replace("\\", "/")
        self.exit_code = exit_code
        self._argument_lists: list[list[str]] | None = None

    @property
    def argument_lists(self) -> list[list[str]]:
        """The argument lists of the commands it runs, in each form in which a lesson may name them."""
        if self._argument_lists is None:
            from operators_edge.shell.evaluate import parse  # noqa: PLC0415 - few calls reach this

            found = ([word.text for word in each.argv] for each in parse(self.command).commands)
            self._argument_lists = [form for argv in found if argv for form in _forms(argv)]
        return self._argument_lists

    def has_words(self, sentence: Sentence) -> bool:
        """Whether one of its commands, or its path, contains these words; a single word must be its verb.

        What a usual command does counts as its words, too (``memory.acts``).
        """
        words = sentence.words
        if not words:
            return False
        if sentence.is_edit and _contains(words, _terms(_base(self.path))):
            return True
        if len(words) > 1 and _contains(words, _terms(self.path)):
            return True
        return any(_is_act(words, argv) for argv in self.argument_lists)

    def runs(self, value: str) -> bool:
        wanted = _forms(value.split())[-1]
        return bool(self.command) and any(
            _matches_command(wanted, argv) for argv in self.argument_lists
        )


_MATCHES: dict[str, Callable[[_Subject, str], bool]] = {
    "tool": lambda subject, value: _glob(value, "").fullmatch(subject.tool) is not None,
    "command": _Subject.runs,
    "path": lambda subject, value: bool(subject.path) and _matches_path(value, subject.path),
    "error": lambda subject, value: bool(subject.error) and _matches_error(value, subject.error),
    "exit_code": lambda subject, value: value == str(subject.exit_code),
    "test": lambda subject, value: value in subject.command or value in subject.error,
}


def _matching_values(when: When, subject: _Subject) -> list[tuple[str, str]]:
    """One matching value of each kind; [] if a kind has none."""
    values = []
    for kind in KINDS:
        if kind not in when:
            continue
        value = next((each for each in when[kind] if _MATCHES[kind](subject, each)), None)
        if value is None:
            return []
        values.append((kind, value))
    return values


def _forms(argv: list[str]) -> list[list[str]]:
    """The command with the program's base name; for ``python -m`` also the module as the program."""
    if not argv:
        return [[]]
    program = _base(argv[0])
    plain = [program, *argv[1:]]
    is_module = re.fullmatch(r"python[0-9.]*", program) and argv[1:2] == ["-m"] and len(argv) > 2
    return [plain, argv[2:]] if is_module else [plain]


def _base(program: str) -> str:
    return program.replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".exe")


def _matches_command(wanted: list[str], argv: list[str]) -> bool:
    """Whether the command begins with these words; other options between them are skipped.

    An option among the wanted words must occur anywhere in the command.
    """
    plain = [word for word in wanted if not word.startswith("-")]
    if not plain or argv[:1] != plain[:1]:
        return False
    if any(word.startswith("-") and not _has_option(word, argv) for word in wanted):
        return False
    missing, may_skip = plain[1:], False
    for word in argv[1:]:
        if not missing:
            break
        if word.startswith("-"):
            may_skip = "=" not in word
        elif word == missing[0]:
            missing, may_skip = missing[1:], False
        elif may_skip:
            may_skip = False  # an option's value: git -C there push
        else:
            return False
    return not missing


def _has_option(wanted: str, argv: list[str]) -> bool:
    """Whether an option is given; short ones may be joined, or stand alone."""
    if wanted in argv:
        return True
    if not _SHORT_OPTIONS.fullmatch(wanted):
        return False
    return set(wanted[1:]) <= {
        letter for each in argv if _SHORT_OPTIONS.fullmatch(each) for letter in each
    }


_SHORT_OPTIONS = pattern(r"-[A-Za-z]{1,4}")


def _matches_path(pattern: str, path: str) -> bool:
    """Whether the pattern matches the path or its end; a folder matches everything in it."""
    wanted = pattern.replace("\\", "/").removeprefix("./")
    if wanted.endswith("/"):
        wanted += "**"
    prefix = "" if wanted.startswith("/") else "(?:.*/)?"
    return _glob(wanted, prefix).fullmatch(path) is not None


def _glob(pattern: str, prefix: str) -> re.Pattern[str]:
    """``**`` matches across folders, ``*`` and ``?`` within one, ``{a,b}`` either text."""
    parts = re.split(r"(\*\*/|\*\*|\*|\?|\{[^{}]*\})", pattern)
    regexes = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return compiled(
        prefix
        + "".join(
            regexes.get(part)
            or (
                f"(?:{'|'.join(map(re.escape, part[1:-1].split(',')))})"
                if part[:1] == "{" and part[-1:] == "}"
                else re.escape(part)
            )
            for part in parts
        )
    )


def _matches_error(wanted: str, error: str) -> bool:
    """``/regex/`` line by line, an error code as a whole word, else the text regardless of case."""
    if is_pattern(wanted):
        repetitions = _open_repetitions(wanted[1:-1])
        if not 0 <= repetitions < len(_MAX_LINE_LENGTHS):
            return False
        try:
            pattern = compiled(wanted[1:-1])
        except (re.error, OverflowError, RecursionError):
            return False
        length = _MAX_LINE_LENGTHS[repetitions]
        return any(pattern.search(line[:length]) for line in error.splitlines())
    if _CODE.fullmatch(wanted):  # F401 must not match within a digest
        return compiled(rf"(?<!\w){re.escape(wanted)}(?!\w)").search(error) is not None
    return wanted.casefold() in error.casefold()


_SET_OR_ESCAPE = pattern(r"(?s)\\.|\[\^?\]?(?:\\.|[^\\\]])*+\]")
_REPEATED_GROUP = pattern(r"\)[*+{]")
_OPEN_REPETITION = pattern(r"(?:[*+]|\{\d*,\})[+?]?")


def _open_repetitions(pattern: str) -> int:
    """The number of unbounded repetitions in a pattern; -1 if one repeats a group.

    Such a pattern can take exponential time, which a hook does not have.
    """
    plain = _SET_OR_ESCAPE.sub("x", pattern)
    return -1 if _REPEATED_GROUP.search(plain) else len(_OPEN_REPETITION.findall(plain))


def is_pattern(error: str) -> bool:
    return len(error) > 2 and error[0] == error[-1] == "/"


def impossible_reason(kind: str, value: str) -> str:
    """Why a value of ``when`` can never match; "" if it can."""
    if kind == "exit_code" and not value.isdecimal():
        return f"{value!r} is not an exit code"
    if kind == "error" and is_pattern(value):
        try:
            re.compile(value[1:-1])
        except (re.error, OverflowError, RecursionError) as error:
            return f"{value} is not a valid pattern: {error}"
        repetitions = _open_repetitions(value[1:-1])
        if repetitions < 0:
            return f"{value} repeats a group, which can take too long"
        if repetitions >= len(_MAX_LINE_LENGTHS):
            limit = len(_MAX_LINE_LENGTHS) - 1
            return f"{value} has {repetitions} open repetitions; at most {limit} are allowed"
    return ""


def _head_and_tail(error: str) -> str:
    half = MAX_ERROR // 2
    return error if len(error) <= MAX_ERROR else f"{error[:half]}\n{error[-half:]}"


def _values(value: Any) -> tuple[str, ...]:
    listed = value if isinstance(value, list | tuple) else [value]
    texts = (str(each).strip() for each in listed if isinstance(each, str | int | float))
    return tuple(each for each in texts if each)


def _trigger_word(kind: str, value: str) -> str:
    lower = value.lower().replace("\\", "/")
    if kind == "command":
        return _base(next((word for word in reversed(lower.split()) if word[0] != "-"), lower))
    if kind in ("path", "tool"):
        return max(_literals(lower), key=len, default="")
    return lower


def _literals(pattern: str) -> Iterator[str]:
    yield from (part for part in re.split(r"\*+/?|\?|\{[^{}]*\}", pattern.removeprefix("./")))


_LABELS = {"exit_code": "exit code", "error": "error", "path": "path", "test": "test"}


def _label(kind: str, value: str) -> str:
    name = _LABELS.get(kind, kind)
    return f"{name} {value}" if kind == "exit_code" else f'{name} "{value}"'


# end of module
