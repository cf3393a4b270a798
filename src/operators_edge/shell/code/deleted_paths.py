"""Folders of the home, or that others share, which programs of rarer languages delete by paths of many parts.

A path goes through names, parameters and what functions return. Owns following it, which calls delete, and
whether a test of Go gets there only with a home of its own. Does not own finding the files
(``gate.disk.whole_programs``), nor deletions by whole paths (``gate.disk.loose_commands``). Pure: text in,
commands out.
"""

from __future__ import annotations

import re
from functools import lru_cache

from operators_edge.shell.code.bracketed import split, upto
from operators_edge.shell.code.client_calls import Act
from operators_edge.text.lines import matches_beside
from operators_edge.text.patterns import found_in_file, pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_HOME = pattern(
    r"\bhomedir\(\)|(?<![>\w])getenv\([\"']HOME[\"']\)|\$_(?:SERVER|ENV)\[[\"']HOME[\"']\]|\bDir\.home\b|\$ENV\{[\"']?HOME[\"']?\}"
    r"|\bR_user_dir\((?![^)\n]*cache)|\buser_(?:data|config|documents)_dir\(|\bpath_home(?:_r)?\("
    r"|\bPath\.home\(\)|expanduser\([\"']~|\bprocess\.env\.HOME\b|environ\[[\"']HOME[\"']\]|\bENV\['HOME'\]|\bENV\[\"HOME\"\]|Sys\.getenv\(\"HOME\"\)|os\.UserHomeDir\(\)|os\.Getenv\(\"HOME\"\)|home_dir\(\)"
    r"|env::var\(\"HOME\"\)|System\.user_home!?\b|System\.getProperty\(\"user\.home\"\)|SpecialFolder\.UserProfile"
    r"|NSHomeDirectory\(\)|homeDirectoryForCurrentUser|URL\.homeDirectory\b"
    r"|System/getProperty\s+\"user\.home\"|System/getenv\s+\"HOME\"|System\.getenv\(\"HOME\"\)|System\.get_env\(\"HOME\"\)|\$(?:::)?env\(HOME\)|\$\{?HOME\b|[\"']~/|(?<=file\.path\()[\"']~[\"']"
)
_SHARED = pattern(
    r"[\"']/(?:data|mnt|media|srv|nfs|net|gpfs|lustre|beegfs|cephfs|scratch|shared?|projects?|groups?|archive|backups?|storage|vol(?:ume)?s?\d*"
    r"|Volumes|export|exports|cluster|work|datasets?|home|Users|root|var/(?:www|lib|opt|spool|backups?)|opt)(?:/[\w.-]+)*/?(?=[\"'])"
)
"""A folder that others share, or the system has: a text of the code that is all of a path."""
_DELETES = pattern(
    r"\b(?:rm|unlink|os\.RemoveAll|(?:fs::)?remove_dir_all|File\.rm_rf!?|Directory\.Delete|FileUtils\.deleteDirectory|dir_delete|file_delete|file\.remove"
    r"|rm_rf|cleanDirectory|removeItem|Files\.delete(?:IfExists)?)\((?:at(?:Path)?:)?([^\n]*)"
    r"|\bvim\.fn\.delete\(([^,\n]*)|\((?:b/delete|fs/delete-tree|delete-directory)\s+([^\n]*)|\bfile\s+delete\s+-force\b([^\n]*)|(?m:^)([^\n]*)\.deleteRecursively\(\)"
)
_SET = pattern(
    r"(?m)^[ \t]*(?:try\s*\(\s*)?(?:(?:const|let|mut|var|val|auto|final|String|Path|local)\s+)*"
    r"(\w+)(?:\s*,\s*\w+)?"
    r"(?:\s*:\s*[\w<>&]+)?\s*"
    r"(?::=|<-|=(?![=>]))\s*([^\n]+)"
)
_BOUND = pattern(
    r"\((?:def(?:once|var|parameter|const)?|setq)\s+(\w+)\s+([^\n]+)|\(let\*?\s*[(\[]\(?(\w+)\s+([^\n]+)"
)
"""The same in languages with parentheses."""
_LOOP = pattern(
    r"\b(?:for|foreach)\b[\s(]*(?:var\s+|val\s+|[A-Z]\w*(?:<[^<>\n]*>)?\s+)?(?:\w+,\s*)?(\w+)\s*(?::=\s*range|\bin\b|<-|:|\$)\s*([^\n{]+)"
)
_FUNCTION = pattern(
    r"\b(?:function|defp?|fn|func|fun|proc)\s+([\w.]+!?)\s*[({]([^)}\n]*)|(\w+)\s*<-\s*function\(([^)\n]*)"
)
_CALL = pattern(r"(?<!function )(?<!def )(?<!fn )(?<!func )\b(\w+!?)\((?=([^\n]*))")
_TARGET = pattern(r"\btar_(?:target|file|files|qs|rds|fst|parquet)\w*\(\s*(\w+),\s*([^\n]+)")
"""A target of a pipeline of R stands for what it makes."""
_NAMES = pattern(r"(?<![\"'.\w])(?!file\.path\((?!\)))\w+\(?|(?<=\w\.)\w+\(")
_MAX_ROUNDS = 6
_MAX_SHARED = 128 * 1024
"""Characters of a program in which a name stands for one thing; in a larger one, in each file."""


def deletions(files: Sequence[str], *, of_shared: bool = False) -> Iterator[Act]:
    """Yield what a program deletes in the home, by a path that its functions hand to each other.

    ``of_shared``: also in folders of the machine that others may have files in.
    """
    if not any(map(_calls_of, files)):
        return
    places = (_HOME, _SHARED) if of_shared else (_HOME,)
    if not any(found_in_file(place.pattern, one) for place in places for one in files):
        return
    code = "\n".join(files)
    known = _names_in(code, of_shared=of_shared) if len(code) <= _MAX_SHARED else None
    tests = GoTests(code) if _GO_TEST.search(code) else None
    for text in files:
        calls = _calls_of(text)
        names = known if known is not None or not calls else _names_in(text, of_shared=of_shared)
        for call in calls:
            path = _path_in(next(filter(None, call.groups()), ""), names or {}, of_shared=of_shared)
            if path and not (tests and tests.spare(text, call.start())):
                path = f"{path}/x" if path == "~" else path  # a folder of unknown name
                yield Act(f"rm -rf {path}", text, call.start(), is_doubtful=False)


@lru_cache(maxsize=512)
def _calls_of(text: str) -> list[re.Match[str]]:
    """The calls that delete something; several commands run one program."""
    return list(matches_beside(_DELETES, text))


@lru_cache(maxsize=16)
def _names_in(code: str, *, of_shared: bool) -> dict[str, str]:
    """Return the names that stand for such paths, and these; several commands run one program."""
    known: dict[str, str] = {}
    parameters: dict[str, list[str]] = {}
    for one in _FUNCTION.finditer(code):
        name = (one[1] or one[3]).rpartition(".")[2]
        parameters.setdefault(name, []).append(one[2] or one[4] or "")
    handed = [
        (named[0], argument)
        for name, given in _CALL.findall(code)
        for own in parameters.get(name, ())
        for parameter, argument in zip(_split(own), _split(given), strict=False)
        if (named := re.search(r"\w+", parameter))
    ]
    returned = ((f"{name}(", value) for name, value in _returned(code))
    values = [one for each in (_SET, _LOOP, _ATTRIBUTE, _TARGET) for one in each.findall(code)]
    values += [*returned, *_defaults(code)]
    values += [(one[1] or one[3], one[2] or one[4]) for one in _BOUND.finditer(code)]
    for _ in range(_MAX_ROUNDS):
        before = len(known)
        for name, value in (*values, *handed):
            path = _path_in(value, known, of_shared=of_shared)
            if path:
                known.setdefault(name, path)
        if len(known) == before:
            break
    return known


def _split(given: str) -> list[str]:
    return re.split(r"[,;]", given)


_RETURNS = pattern(r"\breturn[ \t]+([^\n]+)|\A[^\n]*\)[^\n{=]*=(?!=)[ \t]*([^\n]+)")
"""What a function returns; a short one of Kotlin is one expression."""


_ENDS_WITH = pattern(r"->[^\n{]*\{(?:[^}]*;)?\s*([^;{}]+)\n\}")
"""The last expression of a function of Rust."""
_SHORT = pattern(r"(?m)^[ \t]*defp?[ \t]+(\w+)(?:\([^()\n]*\))?,[ \t]*do:[ \t]*([^\n]+)")
_ATTRIBUTE = pattern(r"(?m)^[ \t]*@(\w+)[ \t]+(?=\S)([^\n=]+)$")
"""What a module of Elixir has a short function or a name for."""


def _returned(code: str) -> Iterator[tuple[str, str]]:
    """Yield functions with an expression that they return."""
    yield from _SHORT.findall(code)
    heads = list(_FUNCTION.finditer(code))
    ends = [*(one.start() for one in heads[1:]), len(code)]
    for head, end in zip(heads, ends, strict=False):
        name = (head[1] or head[3] or "").rpartition(".")[2]
        body = code[head.end() - 1 : end]
        for one in _RETURNS.finditer(body):
            yield name, one[1] or one[2]
        yield from ((name, one) for one in _ENDS_WITH.findall(body))
        if head[3]:
            yield from ((name, one) for one in _last_of_r(body, code))


_GIVEN_R = pattern(r"\bfunction(?=\()([^\n{]*)")


def _defaults(code: str) -> Iterator[tuple[str, str]]:
    """Parameters of functions of R with what they are if nobody says otherwise."""
    for head in _GIVEN_R.finditer(code):
        for one in split(upto(head[1][1:], ")"), ","):
            name, is_set, value = one.partition("=")
            if is_set:
                yield name.strip(), value


_RETURNS_R = pattern(r"\breturn\(([^\n]+)\)")
_ASKS_R = pattern(r"\b(?:getOption|Sys\.getenv)\(\s*[\"']([\w.]+)[\"']")


def _last_of_r(body: str, code: str) -> Iterator[str]:
    """What a function of R returns: its last expression, unless that asks for what the program sets."""
    head, opened, rest = body.partition("{")
    inside = upto(rest, "}") if opened and "\n" not in head else body[1:].partition("\n")[0]
    lines = [one for one in inside.split("\n") if one.strip()]
    for one in (*_RETURNS_R.findall(inside), *lines[-1:]):
        asked = _ASKS_R.search(one)
        if asked is None or not re.search(
            rf"\b(?:\w*options|\w*envvar|Sys\.setenv)\([^)\n]*\b{re.escape(asked[1])}[\"']?\s*=",
            code,
        ):
            yield one


def path_in_home(expression: str) -> str:
    """The path in the home that an expression spells out; "" for any other, and for the home itself."""
    path = _path_in(expression, {})
    return path if path.startswith("~/") else ""


def _path_in(expression: str, known: Mapping[str, str], *, of_shared: bool = False) -> str:
    """Return the path in the home that an expression is made of; "" for any other."""
    begin, names, parts = _read(expression, of_shared=of_shared)
    if begin:
        return "/".join((begin.rstrip("/"), *parts))
    named = next((one for one in names if one in known), None)
    return "/".join((known[named], *parts)) if named is not None else ""


@lru_cache(maxsize=8192)
def _read(expression: str, *, of_shared: bool) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Where a path begins that an expression is made of, its names, and the parts that it spells out."""
    home = _HOME.search(expression)
    shared = _SHARED.search(expression) if of_shared and home is None else None
    if shared is not None:
        rest = re.findall(r"[\"']([\w./~ -]+)[\"']", expression[shared.end() + 1 :])
        return shared[0][1:], (), tuple(one.strip("/") for one in rest)
    names = _NAMES.findall(re.sub(r"\"[^\"]*\"", "", expression))
    start = 0 if home is None else home.start() if home[0][0] in "\"'" else home.end()
    written = re.findall(r"[\"']([\w./~ -]+)[\"']", expression[start:])
    parts = [one.strip("~/").replace(" ", "") for one in written if one.strip("~/")]
    return "~" if home is not None else "", tuple(names), tuple(parts)


# -- tests of Go ---------------------------------------------------------------------------------------

_GO_TEST = pattern(r"(?m)^func Test\w*\(\w+ \*testing\.[TM]\)")
_GO_FUNCTION = pattern(
    r"(?m)^func[ \t]+(?P<of>\([^()\n]*\)[ \t]*)?(?P<name>\w+)(?:\[[^\]\n]*\])?\("
)
_OWN_HOME = pattern(r"(?m)^\t(?!os\.)(\w+)\.Setenv\(\"HOME\", (?:\1\.TempDir\(\)|(\w+))\)[ \t]*$")
_SETS_HOME = pattern(r"\bSetenv\(\"HOME\"|\bUnsetenv\(|\bClearenv\(")
_IS_RUN = pattern("Test|Benchmark|Fuzz|Example")
_WORD = pattern(r"\w+")


class GoTests:
    """The functions of a package with tests: a plain one runs only if a test names it, or what it calls."""

    def __init__(self, code: str) -> None:
        heads = list(_GO_FUNCTION.finditer(code))
        ends = [*(one.start() for one in heads[1:]), len(code)]
        self.bodies: dict[str, str] = {}
        self.names: dict[str, set[str]] = {}
        roots = code[: heads[0].start()] if heads else code
        for head, end in zip(heads, ends, strict=False):
            body, _, after = code[head.start() : end].partition("\n}")
            roots += after
            name = head["name"]
            if head["of"] or name == "init":  # anything may call a method
                roots += body
            self.bodies[name] = self.bodies.get(name, "") + body
        self.roots = roots
        self.are_plain = len(_SETS_HOME.findall(code)) == len(_OWN_HOME.findall(code))
        self.names = {name: set(_WORD.findall(body)) - {name} for name, body in self.bodies.items()}

    def spare(self, text: str, at: int) -> bool:
        """Whether no test gets to this place, or all that do have given themselves a home before."""
        inside = [one for one in _GO_FUNCTION.finditer(text) if one.start() < at]
        is_plain = (
            bool(inside) and not inside[-1]["of"] and "\n}" not in text[inside[-1].end() : at]
        )
        if not is_plain:
            return False
        reaching = {inside[-1]["name"]}
        while more := {one for one, words in self.names.items() if words & reaching} - reaching:
            reaching |= more
        if not reaching.isdisjoint(_WORD.findall(self.roots)) or "init" in reaching:
            return False
        runs = [one for one in reaching if _IS_RUN.match(one)]
        is_known = self.are_plain and not _HOME.search(self.roots)
        return not runs or (is_known and all(self._has_own_home(one, reaching) for one in runs))

    def _has_own_home(self, name: str, reaching: set[str]) -> bool:
        body = self.bodies[name]
        own = _OWN_HOME.search(body)
        if own is None or not name.startswith("Test"):
            return False
        before = body[body.find("{") : own.start()]
        is_certain = before.count("{") == before.count("}") + 1 and before.count("`") % 2 == 0
        made = rf"\b{own[2]}\s*(?:,\s*\w+\s*)?:?=\s*([^\n]+)"
        is_own = not own[2] or re.findall(made, body) == [f"{own[1]}.TempDir()"]
        return is_certain and is_own and reaching.isdisjoint(_WORD.findall(before))


# end of module
