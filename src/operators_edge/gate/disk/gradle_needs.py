"""Which tasks of plugins a Gradle run reaches by ``dependsOn`` and ``finalizedBy``, as command lines.

``check.finalizedBy publish`` is ``gradle publish`` once ``check`` runs. Owns what tasks need each other, as a
build file says it and as the usual plugins have it. Pure: text in, commands out. Does not own what the tasks
of the file itself do (``gate.disk.gradle_tasks``).
"""

from __future__ import annotations

import re

from operators_edge.gate.disk.recipe_types import MAX_TARGETS, Recipe, Wanted
from operators_edge.shell.code.bracketed import upto
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_USUAL = {
    "build": ("assemble", "check"),
    "buildNeeded": ("build",),
    "buildDependents": ("build",),
    "check": ("test",),
    "assemble": ("jar",),
    "jar": ("classes",),
    "run": ("classes",),
    "test": ("classes",),
    "classes": ("compileJava", "compileKotlin", "processResources"),
}
"""What tasks of the usual plugins need."""
_TYPES = {
    "Test": "test",
    "Jar": "jar",
    "JavaCompile": "compileJava",
    "KotlinCompile": "compileKotlin",
    "PublishToMavenRepository": "publish",
    "PublishToIvyRepository": "publish",
    "AbstractPublishToMaven": "publish",
    "GenerateModuleMetadata": "assemble",
}
"""A task that runs when those of a type do."""
_NAMED = (
    r"(?:named|getByName|findByName|register|create|maybeCreate)\s*(?:<[\w.]+>)?\s*"
    r"\(\s*['\"](?P<{}>\w+)['\"][^(){{}}\n]*\)"
)
_OF_TYPE = r"withType\s*(?:<\s*(?:[\w.]+\.)?(?P<{}>\w+)\s*>|\(\s*(?:[\w.]+\.)?(?P<{}>\w+)(?:::class)?\s*\))"
_TASK = (
    r"(?:\btasks\s*(?:\.\s*(?:"
    + _NAMED.format("named")
    + "|"
    + _OF_TYPE.format("type", "kind")
    + r"|(?P<member>\w+)(?![\w(<]))|\[\s*['\"](?P<listed>\w+)['\"]\s*\])"
    r"|(?m:^[ \t]*|[;{]\s*)(?:task\s*\(?\s*['\"]?(?P<task>\w+)['\"]?|(?P<bare>\w+)))"
)
_AFTER = r"\s*(?:\(\s*\))?(?:\s*\??\.\s*(?:get\(\)|configureEach|configure|all))*\s*"
_BLOCK = pattern(
    _TASK + r"(?P<head>\s*,?\s*\([^(){}\n]*\)|\([^(){}\n]*)?\)?" + _AFTER + r"(?:<<\s*)?\{"
)
_HEAD = pattern(
    r"(?m:^[ \t]*)task\s*\(?\s*['\"]?(?P<task>\w+)['\"]?\s*[(,]"
    r"(?P<given>[^{}\n]*?\b(?:dependsOn|finalizedBy)\s*:[^{}\n]*)"
)
_NEEDS = r"(?:set)?(?:[dD]ependsOn|[fF]inalizedBy)\b\s*(?:\+?=|:)?\s*(?P<open>[(\[])?"
_INSIDE = pattern(r"(?<![\w.])(?:this\s*\.\s*)?" + _NEEDS)
_DOTTED = pattern(_TASK + _AFTER + r"\??\.\s*" + _NEEDS)
_BY = pattern(r"\b(?:val|def)\s+(?P<by>\w+)\s+by\s+tasks\s*\.\s*\w+\s*(?:\([^()\n]*\))?\s*\{")
_TELLS = pattern(r"[dD]ependsOn|[fF]inalizedBy|defaultTasks")
_DEFAULT = pattern(r"\bdefaultTasks\b([^\n]*)")
_NAME = pattern(r"(?P<quoted>['\"])(?P<path>[\w:-]+)(?P=quoted)|(?P<word>\b[A-Za-z_]\w*)")
_SET = pattern(
    r"(?m)\b(?:val|var|def)\s+(?P<name>\w+)(?:\s*:\s*[\w<>.]+)?\s*=(?!=)\s*(?P<value>[^\n]+)"
)
_OWN = pattern(
    r"\btasks\s*\.\s*(?:register|create|maybeCreate)\s*(?:<[\w.]+>)?\s*\(\s*['\"](\w+)['\"]"
    r"|(?m:^[ \t]*)task\s*\(?\s*['\"]?(\w+)|\b(?:val|def)\s+(\w+)\s+by\s+tasks\b"
)
_WORDS = (
    "tasks named getByName findByName withType listOf setOf arrayOf provider project rootProject"
    " matching it get configureEach name true false null return in is class startsWith endsWith contains"
    " this all task"
)
_NO_TASKS = frozenset(_WORDS.split())
_LOCAL = pattern(r"publish\w*ToMavenLocal\Z")


def needed(code: str, wanted: Wanted) -> Iterator[Recipe]:
    """The tasks of plugins that a run reaches because the file says so; ``code`` is without comments."""
    if wanted.is_dry or not _TELLS.search(code):
        return
    excluded = {
        one[2:] for one in wanted.targets if one.startswith("-x")
    }  # ``:lib:x``: of one project
    targets = [one for one in wanted.targets if not one.startswith("-x")]
    asked = [one.rpartition(":")[2] for one in targets] or [""]
    values = {one["name"]: one["value"] for one in _SET.finditer(code)}
    needs: dict[str, list[tuple[str, int]]] = {}
    for name, given, at in _needs(code):
        needs.setdefault(name, []).extend((one, at) for one in _tasks(given, values))
    for line in () if targets else _DEFAULT.finditer(code):
        needs.setdefault("", []).extend((one, line.start()) for one in _tasks(line[1], values))
    own = {name for names in _OWN.findall(code) for name in names if name}
    left, seen = list(asked), set(excluded)
    while left and len(seen) < MAX_TARGETS:
        name = left.pop(0)
        if name in seen:
            continue
        seen.add(name)
        left += _USUAL.get(name, ())
        for one, at in needs.get(name, ()):
            left.append(one)
            if not any(one in names for names in (own, excluded, asked, _USUAL)):
                yield Recipe(f"gradle {one}", line_at(code, at))


def _needs(code: str) -> Iterator[tuple[str, str, int]]:
    """Yield each task, what it is given as its needs, and where that is."""
    for pattern_ in (_BLOCK, _BY):
        for block in pattern_.finditer(code):
            body = upto(code, "}", block.end())
            for one in _INSIDE.finditer(body):
                at = block.end() + one.start()
                yield _task_of(block), _given(body, one), at
    for one in _DOTTED.finditer(code):
        yield _task_of(one), _given(code, one), one.start()
    for one in _HEAD.finditer(code):
        yield one["task"], one["given"], one.start()


def _task_of(match: re.Match[str]) -> str:
    groups = {name: text for name, text in match.groupdict().items() if text}
    kind = groups.get("type") or groups.get("kind")
    if kind:
        return _TYPES.get(kind, "")
    return next(
        (
            groups[one]
            for one in ("named", "member", "listed", "task", "bare", "by")
            if one in groups
        ),
        "",
    )


def _given(code: str, call: re.Match[str]) -> str:
    rest = code[call.end() : call.end() + 2_000]
    return (
        upto(rest, ")" if call["open"] == "(" else "]") if call["open"] else rest.partition("\n")[0]
    )


def _tasks(given: str, values: dict[str, str]) -> Iterator[str]:
    """The names of the tasks in an expression."""
    for _ in range(3):
        given = re.sub(
            r"(?<![\w.'\"])\w+(?![\w'\"(])", lambda one: values.get(one[0], one[0]), given
        )
    for one in _NAME.finditer(given):
        name = (one["path"] or one["word"]).rpartition(":")[2]
        name = _TYPES.get(name, name) if one["word"] else name
        if name not in _NO_TASKS and not _LOCAL.match(name) and (one["path"] or name[:1].islower()):
            yield name


# end of module
