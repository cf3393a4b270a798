"""What the named tasks of a Gradle build delete, copy to and need, as command lines.

Owns which tasks a run reaches, and the paths that a build file puts together. Pure: text in, commands out.
A path that is not known is left out. Does not own commands in a build file (``gate.disk.loose_commands``),
nor which tasks need others (``gate.disk.gradle_needs``).
"""

from __future__ import annotations

import re

from operators_edge.gate.disk import gradle_needs
from operators_edge.gate.disk.recipe_types import MAX_RECIPES, Included, Recipe, Wanted, closure
from operators_edge.shell.code.bracketed import QUOTED, split, upto
from operators_edge.shell.code.comments import SLASHES_AND_QUOTES, without_comments
from operators_edge.shell.commands import HOLE, OWN_PATH, quoted
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import blanked, pattern, without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_LINE = pattern(r"(?m)^[ \t]*([\w.-]+)[ \t]*[=:][ \t]*(\S[^\n]*)$")
_BY_VARIABLE = "ORG_GRADLE_PROJECT_"
_MAX_DEPTH = 8
_MAX_CALL = 2_000
_HEAD = pattern(r"(?m)^[ \t]*task(?=[ \t(]+['\"]?\w)")
_BLOCK = pattern(r"(?m)^[ \t]*\w+[ \t]*\{")
"""A call that is given a block: of a name alone no shell would make more."""
_APPLIES = pattern(
    r"\bapply\b\s*[({]?\s*from\s*[:=(]?\s*(?:(?:new\s+)?[\w.]+\(\s*)*['\"](?:\$(?:\{[^}\n]*\}|\w+)/)?(?P<path>[^'\"$\n]+)['\"]"
)
_TASK = pattern(
    r"\btasks\s*\.\s*(?:register|create|named|getByName|maybeCreate)\s*(?:<[\w.]+>)?\s*"
    r"\(\s*['\"](?P<called>\w+)['\"][^(){}\n]*\)"
    r"\s*(?:\.configure\s*)?\{"
    r"|\b(?:val|def)\s+(?P<by>\w+)\s+by\s+tasks\s*\.\s*\w+\s*(?:\([^()\n]*\))?\s*\{"
    r"|(?m:^[ \t]*)task\s*\(?\s*['\"]?(?P<task>\w+)['\"]?\s*(?:[(,][^{}\n]*)?\)?\s*(?:<<\s*)?\{"
    r"|(?m:^[ \t]*)(?:tasks\s*\.\s*)?"
    r"(?P<usual>clean|build|check|test|assemble|jar|classes|run)\s*(?:\.configure\s*)?\{"
)
_NEEDS = pattern(r"\b(?:dependsOn|finalizedBy)\b([^\n]*)")
_SET_NEEDS = pattern(
    r"(?m)^[ \t]*(?:tasks\s*\.\s*)?(\w+)\s*\.\s*(?:dependsOn|finalizedBy)\b([^\n]*)"
)
_OF_ANY = pattern(r"\btasks\s*\.\s*(?:matching|all|configureEach|whenTaskAdded)\s*\{")
"""Tasks that are chosen by what is known when the build runs."""
_RUNS = pattern(
    r"(?<![\w.])(?:setCommandLine|commandLine)\b[ \t]*=?[ \t]*(?:listOf[ \t]*)?(?P<open>\()?"
)
_EXECUTES = pattern(
    r"(?<![\w.])executable\b[ \t]*=?[ \t]*\(?[ \t]*(?P<quote>['\"])(?P<name>[^'\"\n$]+)(?P=quote)"
)
_WITH = pattern(r"(?<![\w.])(?:setArgs|args)\b[ \t]*\+?=?[ \t]*(?:listOf[ \t]*)?(?P<open>\()?")
_DEFAULT = pattern(r"\bdefaultTasks\b([^\n]*)")
_USUAL = ("assemble", "build", "check", "classes", "compileJava", "compileKotlin", "jar", "test")
"""Tasks that building reaches; which of them depends on the plugins."""
_DELETES = pattern(
    r"(?<![\w.])(?:project\.|fs\.|ant\.|fileSystemOperations\.)?(?:delete|setDelete)\b[ \t]*(?P<open>\()?"
)
_DELETED = pattern(
    r"(?m)^[ \t]*(?P<path>[^\s{}][^\n{}]{0,500}?)\.(?:deleteRecursively|deleteDir)\(\)"
)
_INTO = pattern(r"(?<![\w.])into\b[ \t]*(?P<open>\()?(?![ \t]*\{)")
_COPIES = pattern(r"\b(?:Copy|Sync)\b|\b(?:copy|sync)\b[ \t]*[({]")
_IS_SYNC = pattern(r"\bSync\b|\bsync\b[ \t]*[({]")
_SET = pattern(
    r"(?m)\b(?:val|var|def|File|String|ext\.)\s*\b(?P<name>\w+)(?:\s*:\s*\w+)?\s*=(?!=)\s*(?P<value>[^\n]+)"
)
_CALL = pattern(r"(?s)(?:new\s+)?(?P<name>[\w.]+)\s*\((?P<given>.*)\)\Z")
_PATHS = frozenset(
    (
        "file",
        "File",
        "java.io.File",
        "files",
        "fileTree",
        "Paths.get",
        "Path.of",
        "Path",
        "uri",
        "of",
    )
)
_HERE = pattern(
    r"(?:project|rootProject|layout)?\.?(?:projectDir|rootDir|projectDirectory)\Z|project\.rootDir\Z"
)
_HOME = pattern(
    r"System\.(?:getProperty\(\s*['\"]user\.home['\"]|getenv\(\s*['\"]HOME['\"])\s*\)|System\.env\.HOME\Z"
)
_BUILD = pattern(r"(?:project\.|rootProject\.)?(?:layout\.)?(?:buildDir|buildDirectory)\Z")
_SAME = pattern(
    r"\.(?:get\(\)|asFile|toFile\(\)|toPath\(\)|absolutePath|path|toString\(\)|absoluteFile|canonicalPath)\Z"
)
_BELOW = pattern(r"(?s)(?P<base>.+)\.(?:dir|file|resolve)\((?P<given>[^()]*)\)\Z")
_PROPERTY = pattern(
    r"(?s)(?:project\.|rootProject\.|providers\.)*(?:gradleProperty|findProperty|property|getProperty)\(\s*['\"](?P<name>[\w.-]+)['\"]\s*\)"
    r"(?:\s*(?:as\s+\w+\??|\?:.*|\.(?:getOrElse|orElse|getOrNull|map|forUseAtConfigurationTime)\b.*))*"
    r"|(?:project|rootProject|ext)\.(?P<field>\w+)"
)
"""A property of the project: of ``gradle.properties``, or one that the command sets."""
_PUT_IN = pattern(r"\$\{([^{}]*)\}|\$(\w+)")


def gradle(text: str, wanted: Wanted) -> list[Recipe]:
    """What the tasks of a run, and what is in none, delete and write by paths outside of the project."""
    code = without_comments(text, SLASHES_AND_QUOTES)
    run_code = code_of_run(text, wanted.targets)
    acts = [*_acts(run_code, _Paths(code, wanted.variables)), *_fetched(run_code)]
    found = [Recipe(run, line_at(code, at)) for run, at in acts]
    return [*found, *gradle_needs.needed(code, wanted)][:MAX_RECIPES]


def code_of_run(text: str, targets: Sequence[str]) -> str:
    """A build file without comments, and without the bodies of tasks that a run does not reach."""
    own = Wanted([one for one in targets if one[:2] != "-x"])
    return _without_others(without_comments(text, SLASHES_AND_QUOTES), own)


def without_unnamed(text: str, targets: Sequence[str], others: str) -> str:
    """A build file without the bodies of tasks that a run does not reach, and that nothing else names.

    ``others`` is the text of the other build files: a task of one may need that of another.
    """
    named = [one for one in targets if one[:2] != "-x"]
    if not named:
        return text
    code = without_comments(text, SLASHES_AND_QUOTES)
    for one in _TASK.finditer(code):
        name = next(filter(None, one.groups()), "")
        end = one.end() + len(upto(code, "}", one.end()))
        around = f"{code[: one.start()]}\n{code[end:]}\n{others}"
        if re.search(rf"\b{re.escape(name)}\b", around, re.IGNORECASE):
            named.append(name)
    return _without_others(code, Wanted(named))


def without_names(text: str) -> str:
    """A build file without what only looks like a command: heads of tasks and blocks, what it applies."""
    text = _HEAD.sub(lambda one: blanked(one[0]), text)
    text = _BLOCK.sub(lambda one: blanked(one[0]), text)
    return _APPLIES.sub(lambda one: one[0] if "://" in one["path"] else blanked(one[0]), text)


def properties(
    texts: Iterable[str], variables: Iterable[tuple[str, str]], words: Iterable[str]
) -> dict[str, str]:
    """The properties of a build: of files, variables and words of the command; later ones count."""
    given = [(name, value) for text in texts for name, value in _LINE.findall(text)]
    found = {name: value.replace("\\:", ":").strip() for name, value in given}
    for name, value in variables:
        if name.startswith(_BY_VARIABLE):
            found[name.removeprefix(_BY_VARIABLE)] = value
    for word in words:
        name, _, value = word.removeprefix("-P").partition("=")
        if word.startswith("-P") and value:
            found[name] = value
    return found


def applied(text: str) -> list[Included]:
    """The scripts that a build file or the settings apply."""
    code = without_comments(text, SLASHES_AND_QUOTES)
    return [Included(one["path"]) for one in _APPLIES.finditer(code) if "://" not in one["path"]]


def _fetched(code: str) -> Iterator[tuple[str, int]]:
    """The scripts of other machines that it applies."""
    for one in _APPLIES.finditer(code):
        if "://" in one["path"]:
            yield f"curl -fsSL {quoted([one['path']])} | sh", one.start()


def _without_others(code: str, wanted: Wanted) -> str:
    """Return the code without the bodies of the tasks that a run does not reach."""
    bodies: list[tuple[str, int, int]] = []
    for one in _TASK.finditer(code):
        end = one.end() + len(upto(code, "}", one.end()))
        bodies.append((next(filter(None, one.groups()), ""), one.end(), end))
    names = {name for name, _, _ in bodies}
    needs: dict[str, list[str]] = {}
    given = [(name, one) for name, start, end in bodies for one in _NEEDS.findall(code[start:end])]
    for name, needed in (*given, *_SET_NEEDS.findall(code)):
        needs.setdefault(name, []).extend(one for one in re.findall(r"\w+", needed) if one in names)
    asked = [one.rpartition(":")[2] for one in wanted.targets]
    asked = asked or [one for line in _DEFAULT.findall(code) for one in re.findall(r"\w+", line)]
    for one in _OF_ANY.finditer(code):
        chosen = upto(code, "}", one.end())
        then = code[one.end() + len(chosen) :].partition("\n\n")[0] if "matching" in one[0] else ""
        for given in _NEEDS.findall(chosen + then):
            asked += [name for name in re.findall(r"\w+", given) if name in names]
    if not set(asked).isdisjoint(_USUAL):
        asked += _USUAL
    short = [_short(one) for one in asked if one not in names]
    asked += [name for name in names if any(one.match(name) for one in short)]
    reached = closure(asked, needs)
    for name, start, end in bodies:
        if name not in reached:
            code = without(code, start, end)
    return code


def _short(name: str) -> re.Pattern[str]:
    """What an abbreviated name may stand for: ``pD`` is ``purgeData``."""
    humps = re.findall(r"[A-Z]?[^A-Z]*", name)
    return re.compile(
        "".join(f"{re.escape(one)}[a-z0-9]*" for one in humps if one) + r"(?:[A-Z]\w*)?\Z"
    )


def _acts(code: str, paths: _Paths) -> Iterator[tuple[str, int]]:
    for one in _DELETES.finditer(code):
        for given in _given(code, one):
            yield from ((f"rm -rf {path}", one.start()) for path in paths.of(given))
    for one in _RUNS.finditer(code):
        words = [given for given in _given(code, one) if given]
        written = [QUOTED.fullmatch(given) for given in words]
        if written and written[0] and len(words) > 1:
            texts = [given["text"] if given and given["text"] else HOLE for given in written]
            yield quoted(texts), one.start()
    for one in _EXECUTES.finditer(code):
        block = upto(code, "}", one.end())
        args = [word for more in _WITH.finditer(block) for word in _given(block, more) if word]
        found = [QUOTED.fullmatch(word) for word in args]
        texts = [match["text"] if match and match["text"] else HOLE for match in found]
        yield quoted([one["name"], *texts]), one.start()
    for one in _DELETED.finditer(code):
        yield from ((f"rm -rf {path}", one.start()) for path in paths.of(one["path"]))
    for one in _INTO.finditer(code):
        before = code[: one.start()]
        head = before[before.rfind("\n", 0, max(0, _opened(before))) + 1 :]
        if not _COPIES.search(head):
            continue  # a place in an archive, or below that of the copy
        run = "rsync -a --delete x/ {}/" if _IS_SYNC.search(head) else "cp -r x {}/"
        for given in _given(code, one)[:1]:
            yield from ((run.format(path), one.start()) for path in paths.of(given))


def _opened(before: str) -> int:
    """Return where the block around the end of a text begins."""
    level = 0
    for at in range(len(before) - 1, -1, -1):
        level += (before[at] == "}") - (before[at] == "{")
        if level < 0:
            return at
    return 0


def _given(code: str, call: re.Match[str]) -> list[str]:
    """The arguments of a call, with brackets or without."""
    rest = code[call.end() : call.end() + _MAX_CALL]
    if call["open"]:
        return split(upto(rest, ")"), ",")
    line = rest.partition("\n")[0]
    return [] if re.match(r"\s*(?:[={.]|$)", line) else split(upto(line, "}"), ",")


class _Paths:
    """The paths that expressions of a build file stand for."""

    def __init__(self, code: str, properties: Mapping[str, str]) -> None:
        self.values: dict[str, list[str]] = {}
        self.properties = properties
        for one in _SET.finditer(code):
            self.values.setdefault(one["name"], []).append(one["value"].strip().rstrip(";"))

    def of(self, expression: str) -> list[str]:
        """The paths outside of the folder of the build, as words of a shell."""
        return [
            path if path[:1] == "~" else quoted([path])
            for path in self._read(expression, 0)
            if path[:1] in ("/", "~") or ".." in path.split("/")
        ]

    def _read(self, expression: str, depth: int) -> list[str]:
        text = re.sub(r"\A(?:dir|file)\s*:\s*", "", expression.strip())
        text = re.sub(r"(?s)\A(\w+\(.*?\))\s*\{.*\Z", r"\1", text)
        while same := _SAME.search(text):
            text = text[: same.start()]
        if depth > _MAX_DEPTH or not text:
            return []
        if _HOME.match(text) and _HOME.match(text)[0] == text:  # type: ignore[index]
            return ["~"]
        if _HERE.match(text):
            return ["."]
        if _BUILD.match(text):
            return ["build"]
        if text == "temporaryDir" or self._property(text) is not None:
            return [self._property(text) or OWN_PATH]
        written = QUOTED.fullmatch(text)
        if written is not None:
            return self._put_in(written["text"] or "", depth)
        below = _BELOW.match(text)
        if below is not None and not _CALL.fullmatch(below["base"]):
            return self._joined([below["base"], *split(below["given"], ",")], depth)
        called = _CALL.fullmatch(text)
        if called is not None:
            name = called["name"].removeprefix("project.").removeprefix("rootProject.")
            return self._joined(split(called["given"], ","), depth) if name in _PATHS else []
        return [one for value in self.values.get(text, ()) for one in self._read(value, depth + 1)]

    def _property(self, text: str) -> str | None:
        """The value of a property; its name alone stands for it, too."""
        asked = _PROPERTY.fullmatch(text)
        name = (asked["name"] or asked["field"]) if asked else "" if text in self.values else text
        return self.properties.get(name)

    def _joined(self, parts: list[str], depth: int) -> list[str]:
        found = [""]
        for part in parts:
            ends = self._read(part, depth + 1)
            found = [f"{one}/{end.lstrip('/')}" if one else end for one in found for end in ends]
        return found[:1]

    def _put_in(self, text: str, depth: int) -> list[str]:
        """A text with what is put into it; nothing if that is not known."""
        found = ""
        at = 0
        for one in _PUT_IN.finditer(text):
            values = self._read(one[1] or one[2], depth + 1)
            if not values:
                return []
            found += text[at : one.start()] + values[0]
            at = one.end()
        return [found + text[at:]]


# end of module
