"""When a lesson concerns a call or its failure exactly: command, path, error, tool, exit code, test.

Pure. Owns what ``when`` of a lesson may say, and what a free trigger plainly means ("git push",
"src/**/*.sql", "ModuleNotFoundError"). Does not own ranking by words (``memory.store``), nor how often a
lesson is told.
"""

from __future__ import annotations

import re
from typing import Any

from operators_edge.gate.regexes import compiled
from operators_edge.state import lesson
from operators_edge.state.lesson import Hit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


KINDS = ("tool", "command", "path", "error", "exit_code", "test")
"""What ``when`` may name. Of one kind any value may hold; of several kinds all have to."""

When = dict[str, tuple[str, ...]]

MAX_ERROR = 8_000
"""Characters of an error that are searched: its beginning and its end."""

_REACH = (MAX_ERROR, 2_000, 400, 150)
"""Characters of each line that a pattern with so many open repetitions sees: its time is their power."""


def exact(
    lessons: Sequence[Any],
    *,
    tool: str = "",
    command: str = "",
    path: str = "",
    error: str = "",
    exit_code: int | None = None,
) -> list[Hit]:
    """The lessons whose trigger names this call or its failure, the most particular first.

    ``lessons`` are the entries of ``memory`` in order. ``path`` may be absolute. An ``error`` is what a
    failed call put out; before the call there is none, and a trigger that asks for one does not hold.
    """
    seen = _Seen(tool, command, path, _ends(error), exit_code)
    hits = []
    for number, entry in enumerate(lessons, 1):
        held = _held(when_of(entry), seen)
        if held:
            kinds = {kind for kind, _ in held}
            length = sum(len(value) for _, value in held)
            why = ", ".join(_named(kind, value) for kind, value in held)
            score = len(kinds) + min(length, 999) / 1000
            hits.append(Hit(number, lesson.read(entry), score, why))
    return lesson.best_first(hits)


def when_of(entry: Any) -> When:
    """What has to hold for the lesson: its ``when``, or where it has none what its trigger plainly means."""
    given = entry.get("when") if isinstance(entry, dict) else None
    if isinstance(given, dict):
        named = {kind: _values(given.get(kind)) for kind in KINDS}
        return {kind: values for kind, values in named.items() if values}
    return derived(given if isinstance(given, str) else lesson.read(entry)["trigger"])


def needles(lessons: Sequence[Any]) -> tuple[str, ...]:
    """Small letters of which one stands in the text of every call that an exact trigger holds for.

    The text is tool, command and path, in small letters. Lessons that need an error or an exit code have
    none: they cannot hold before a call.
    """
    found: set[str] = set()
    for entry in lessons:
        when = when_of(entry)
        if "error" in when or "exit_code" in when:
            continue
        for kind in ("path", "test", "command", "tool"):
            if kind in when:
                found.update(_needle(kind, value) for value in when[kind])
                break
    return tuple(sorted(found))


# -- what a free trigger means ---------------------------------------------------------------------

_SAID = re.compile(r"(tool|command|path|file|error|exit(?: code)?|test)\s*:\s*(\S.*)", re.DOTALL)
_BEFORE = re.compile(
    r"(?:(?:when|whenever|before|after|on|if|while|you|we)\s+|"
    r"(?:running|run|calling|using|editing|edit|changing|change|touching|writing|working on)\s+)+",
    re.IGNORECASE,
)
_ERROR_NAME = re.compile(
    r"(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Timeout)|E[A-Z]{4,}"
    r"|(?:[A-Z]{1,6}|ORA-|SQLSTATE )\d{2,5}"
)
_CODE = re.compile(r"[A-Z]+(?:-| )?\d+")
_EXIT = re.compile(r"exit(?:ed|s)?(?: with)?(?: code| status)? (\d{1,3})", re.IGNORECASE)
_PATH = re.compile(r"(?!\w+://)(?=\S*[/*.])(?:[\w@.*?\[\]{},+/~-]+)")
_FILE_END = re.compile(r"(?:/|[/*].*|\.[A-Za-z][A-Za-z0-9]{0,9}|^\.[\w.-]+)$")
_TOOLS = ("Bash", "Edit", "Write", "NotebookEdit", "WebFetch", "WebSearch", "Read", "Grep", "Glob")
_COMMAND_WORD = re.compile(r"[\w./:=@%+,~^-]+")

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
"""Programs that are English words: they are meant where such a word follows."""

_WORDS_OF_PROSE = (
    "is are was fails fail failed failing error errors crashes crash hangs hang times returns return"
    " not says cannot can't does doesn't on in with when and or the a an to of for from after before"
    " during keeps seems needs takes works breaks complains asks becomes has have"
)
_PROSE = frozenset(_WORDS_OF_PROSE.split())
"""Behind a program's name these begin a sentence about it."""


def derived(trigger: str) -> When:
    """What a trigger in free words plainly names; empty for a sentence, which is found by its words."""
    said = _SAID.match(trigger)
    if said:
        kind = {"file": "path", "exit": "exit_code", "exit code": "exit_code"}.get(*[said[1]] * 2)
        return {kind: (said[2].strip().strip("`"),)}
    rest = _BEFORE.sub("", trigger, count=1) if _BEFORE.match(trigger) else trigger
    is_quoted = len(rest) > 2 and rest[0] == rest[-1] == "`" and "`" not in rest[1:-1]
    return _meant(rest[1:-1].strip() if is_quoted else rest.strip(), is_quoted=is_quoted)


def _meant(text: str, *, is_quoted: bool) -> When:
    if not text or "\n" in text:
        return {}
    if found := _EXIT.fullmatch(text):
        return {"exit_code": (found[1],)}
    name, colon, _ = text.partition(": ")
    if _ERROR_NAME.fullmatch(name):
        return {"error": (text if colon and not _CODE.fullmatch(name) else name,)}
    if text in _TOOLS or (text.startswith("mcp__") and " " not in text):
        return {"tool": (text,)}
    if "::" in text and " " not in text and re.search(r"\.\w+::", text):
        return {"test": (text,)}
    words = text.split()
    if _is_command(words, is_quoted=is_quoted):
        return {"command": (text,)}
    if len(words) == 1 and _PATH.fullmatch(text) and _FILE_END.search(text):
        return {"path": (text,)}
    return {}


def _is_command(words: list[str], *, is_quoted: bool) -> bool:
    if len(words) > 6 or not all(_COMMAND_WORD.fullmatch(each) for each in words):
        return False
    program, rest = words[0], words[1:]
    if program in _WITH_VERB:
        return is_quoted or rest[:1] == [] or rest[0] in _WITH_VERB[program]
    if program in _PROGRAMS:
        return is_quoted or _PROSE.isdisjoint(rest)
    return is_quoted and len(words) > 1


# -- whether it holds ------------------------------------------------------------------------------


class _Seen:
    """One call, and what it is asked more than once."""

    def __init__(
        self, tool: str, command: str, path: str, error: str, exit_code: int | None
    ) -> None:
        self.tool, self.command, self.error = tool, command, error
        self.path = path.replace("\\", "/")
        self.exit_code = exit_code
        self._ran: list[list[str]] | None = None

    @property
    def ran(self) -> list[list[str]]:
        """The argument lists of what the command runs, in each form by which a lesson may name it."""
        if self._ran is None:
            from operators_edge.shell.evaluate import parse  # noqa: PLC0415 - few calls get as far

            found = ([word.text for word in each.argv] for each in parse(self.command).commands)
            self._ran = [form for argv in found if argv for form in _forms(argv)]
        return self._ran

    def holds(self, kind: str, value: str) -> bool:
        if kind == "tool":
            return _glob(value, "").fullmatch(self.tool) is not None
        if kind == "command":
            wanted = _forms(value.split())[-1]
            return bool(self.command) and any(_runs(wanted, argv) for argv in self.ran)
        if kind == "path":
            return bool(self.path) and _is_at(value, self.path)
        if kind == "error":
            return bool(self.error) and _says(value, self.error)
        if kind == "exit_code":
            return self.exit_code is not None and value == str(self.exit_code)
        return value in self.command or value in self.error


def _held(when: When, seen: _Seen) -> list[tuple[str, str]]:
    """One value of each kind that holds; nothing where a kind has none."""
    held = []
    for kind in KINDS:
        if kind not in when:
            continue
        value = next((each for each in when[kind] if seen.holds(kind, each)), None)
        if value is None:
            return []
        held.append((kind, value))
    return held


def _forms(argv: list[str]) -> list[list[str]]:
    """The command with its program by name alone; then, where Python runs a module, the module's own."""
    if not argv:
        return [[]]
    program = _base(argv[0])
    plain = [program, *argv[1:]]
    is_module = re.fullmatch(r"python[0-9.]*", program) and argv[1:2] == ["-m"] and len(argv) > 2
    return [plain, argv[2:]] if is_module else [plain]


def _base(program: str) -> str:
    return program.replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".exe")


def _runs(wanted: list[str], argv: list[str]) -> bool:
    """Whether the command begins with these words; options between them do not count.

    An option that is asked for has to be there, wherever it stands.
    """
    plain = [word for word in wanted if not word.startswith("-")]
    if not plain or argv[:1] != plain[:1]:
        return False
    if any(word.startswith("-") and word not in argv for word in wanted):
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


def _is_at(pattern: str, path: str) -> bool:
    """Whether the path, or its end, is what the pattern names; a folder's name holds for all in it."""
    wanted = pattern.replace("\\", "/").removeprefix("./")
    if wanted.endswith("/"):
        wanted += "**"
    prefix = "" if wanted.startswith("/") else "(?:.*/)?"
    return _glob(wanted, prefix).fullmatch(path) is not None


def _glob(pattern: str, prefix: str) -> re.Pattern[str]:
    """``**`` holds over folders, ``*`` and ``?`` within one, ``{a,b}`` for either."""
    parts = re.split(r"(\*\*/|\*\*|\*|\?|\{[^{}]*\})", pattern)
    meant = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return compiled(
        prefix
        + "".join(
            meant.get(part)
            or (
                f"(?:{'|'.join(map(re.escape, part[1:-1].split(',')))})"
                if part[:1] == "{" and part[-1:] == "}"
                else re.escape(part)
            )
            for part in parts
        )
    )


def _says(wanted: str, error: str) -> bool:
    """``/regex/`` line by line, a code as a word of its own, else the words in capitals or small letters."""
    if is_pattern(wanted):
        open_ones = _repetitions(wanted[1:-1])
        if not 0 <= open_ones < len(_REACH):
            return False
        try:
            found = compiled(wanted[1:-1])
        except (re.error, OverflowError, RecursionError):
            return False
        reach = _REACH[open_ones]
        return any(found.search(line[:reach]) for line in error.splitlines())
    if _CODE.fullmatch(wanted):  # F401, which is no part of a digest
        return compiled(rf"(?<!\w){re.escape(wanted)}(?!\w)").search(error) is not None
    return wanted.casefold() in error.casefold()


_TOKEN = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\\\]])*+\]|\(\?(?:P?<\w+>|[^)]?)|[()|]"
    r"|(?P<open>[*+]|\{\d*,\})(?P<possessive>\+)?\??|(?P<bound>\?|\{\d*,\d+\})[?+]?|(?P<fixed>\{\d+\})|.",
    re.DOTALL,
)


def _repetitions(pattern: str) -> int:
    """How many repetitions without an end a pattern has; -1 where one repeats what has choices itself.

    Such a pattern can take for ever, and a hook has no time for that.
    """
    count, varies, has_choices = 0, [False], False
    for token in _TOKEN.finditer(pattern):
        sign = token.group()
        is_repeated = token["open"] or token["fixed"] or (token["bound"] or "?")[0] != "?"
        if has_choices and is_repeated:
            return -1
        has_choices = False
        if token["open"] and not token["possessive"]:
            count += 1
        if token["open"] or token["bound"] or sign == "|":
            varies[-1] = True
        elif sign == ")" and len(varies) > 1:
            has_choices = varies.pop()
            varies[-1] |= has_choices
        elif sign.startswith("("):
            varies.append(False)
    return count


def is_pattern(error: str) -> bool:
    return len(error) > 2 and error[0] == error[-1] == "/"


def trouble(kind: str, value: str) -> str:
    """What keeps a value of ``when`` from ever holding; "" where nothing does."""
    if kind == "exit_code" and not value.isdecimal():
        return f"{value!r} is no exit code"
    if kind == "error" and is_pattern(value):
        try:
            re.compile(value[1:-1])
        except (re.error, OverflowError, RecursionError) as error:
            return f"{value} is no pattern: {error}"
        open_ones = _repetitions(value[1:-1])
        if open_ones < 0:
            return f"{value} repeats a repetition or a choice, which can take for ever"
        if open_ones >= len(_REACH):
            return f"{value} has {open_ones} open repetitions, and {len(_REACH) - 1} is the most"
    return ""


def _ends(error: str) -> str:
    half = MAX_ERROR // 2
    return error if len(error) <= MAX_ERROR else f"{error[:half]}\n{error[-half:]}"


def _values(value: Any) -> tuple[str, ...]:
    given = value if isinstance(value, list | tuple) else [value]
    kept = (str(each).strip() for each in given if isinstance(each, str | int | float))
    return tuple(each for each in kept if each)


def _needle(kind: str, value: str) -> str:
    low = value.lower().replace("\\", "/")
    if kind == "command":
        return _base(next((word for word in reversed(low.split()) if word[0] != "-"), low))
    if kind in ("path", "tool"):
        return max(_literals(low), key=len, default="")
    return low


def _literals(pattern: str) -> Iterator[str]:
    yield from (part for part in re.split(r"\*+/?|\?|\{[^{}]*\}", pattern.removeprefix("./")))


_NAMES = {"exit_code": "exit code", "error": "error", "path": "path", "test": "test"}


def _named(kind: str, value: str) -> str:
    name = _NAMES.get(kind, kind)
    return f"{name} {value}" if kind == "exit_code" else f'{name} "{value}"'
