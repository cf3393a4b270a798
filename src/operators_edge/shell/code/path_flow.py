"""Folders that a program deletes or overwrites by a path from its settings or from a constant.

The path goes through names, fields, parameters, loops and what walks over a folder, in all files of the
program. Owns following it, and which calls delete or overwrite. Does not own finding the files
(``gate.disk.whole_programs``), reading settings (``gate.disk.path_settings``), nor paths that are put
together in the home (``shell.code.deleted_paths``). Pure: text in, commands out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from operators_edge.shell.code.bracketed import split, upto
from operators_edge.shell.code.client_calls import Act, is_waiting
from operators_edge.shell.commands import quoted
from operators_edge.text.lines import matches_beside
from operators_edge.text.needed_words import may_be_in
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Values = Mapping[str, Sequence[str]]
    """Paths outside of the project and buckets, by the names of settings as ``plain`` writes them."""

_TREE = (
    r"(?:\bos\.RemoveAll|\bremove_dir_all|\b(?:FileUtils|MoreFiles|PathUtils|FileSystemUtils)\.(?:deleteDirectory|cleanDirectory"
    r"|forceDelete|deleteQuietly|deleteRecursively)|\bDirectory\.Delete|\bremove_all|\brm_rf?!?|\bremove_entry(?:_secure)?"
    r"|\brimraf(?:Sync)?|\b(?:fs|fse)\.(?:remove|emptyDir)|\bremoveSync|\bemptyDir(?:Sync)?|\bdeleteAsync|\bos\.remove\.all"
    r"|\bIO\.delete|\bremoveItem|\bdeleteTree|(?<![.\w])deleteSync|(?<![.\w])del"
    r"|(?:\brm|\brmSync|\brmdir|\brmdirSync|\bunlink)(?=\([^;\n]{0,200}\brecursive[\"']?\s*[:=]\s*(?i:true|t)\b)"
    r"|\b\w*(?:[fF]s|[fF]ile[sS]ystem|hdfs)\.delete(?=\([^;\n]{0,200},\s*(?:recursive\s*=\s*)?true\)))"
)
_ONE = (
    r"(?:\bos\.Remove|\bremove_file|\bremove_dir|\bFiles\.delete(?:IfExists)?|\bFile\.(?:Delete|rm!?|delete)|\bunlink(?:Sync|at)?"
    r"|\brm|\brmSync|(?<![.\w>])remove|(?<![.\w>])rmdir|\bfilesystem::remove|\bfs::remove)"
)
_SINK = pattern(
    rf"(?P<tree>{_TREE})\s*\((?:atPath:|at:)?|(?P<one>{_ONE})\s*\("
    r"|(?P<of>[\w.()\[\]\"'/$@]{1,120}?)\??\.(?P<method>deleteRecursively|deleteDir|deleteIfExists|delete|deleteSync|unlink)"
    r"\((?P<deep>\s*(?:recursive:\s*)?true)?\s*\)"
    r"|\b(?:File|Files|Path|fs|FileUtils)(?:::|\.)(?P<by>delete\w*|Delete|rmSync|unlinkSync|remove_\w+)(?=\s*[,)])"
    r"|[\"'`]rm(?:[\"'`],\s*[\"'`]|\s+)-[rRf]{1,3}[\"'`]?(?P<rm>[,+\s][^\n;]{1,200})"
)
"""What deletes a folder with all in it, one file, or as its word: a method, or what is given to a loop."""
_OVERWRITES = pattern(
    r"\.mode\(\s*(?:SaveMode\.Overwrite|[\"']overwrite[\"'])\s*\)(?:\s*\.\w+\((?:[^()]|\([^()]*\))*\)){0,6}?"
    r"\s*\.(?:parquet|orc|json|csv|text|save|avro|delta)\("
)
_HEAD = pattern(
    r"\b(?:function|defp?|fn|func|fun|proc|class|record)\s+(?:\([^()\n]*\)\s*)?(?:\w+\.)?(?P<name>\w+)\s*(?:\[[^\]\n]*\]|<[^<>\n]*>)?\s*(?:private\s*)?\("
    r"|(?m:^[ \t]*)"
    r"(?!(?:return|new|else|await|throw|if|for|while|switch|case|using|let|const|val|var|yield|go|defer)\b)"
    r"(?:[\w:<>,&*\[\]?]{1,60}[ \t]+[*&]*){1,6}(?P<typed>\w+)\("
    r"|(?m:^[ \t]*)(?:export\s+)?(?:const|let)\s+(?P<arrow>\w+)\s*=\s*(?:async\s*)?\((?=[^()\n]*\)\s*=>)"
)
_SET = pattern(
    r"(?m)(?:^|[;{(])[ \t]*(?!return\b|if\b|for\b)(?:(?:[\w<>\[\],.&*?:]+|let\s+(?:mut\s+)?)[ \t]+[*&]*){0,5}"
    r"(?:(?:Ok|Some)\()?(?P<name>[$@]?[A-Za-z_]\w*)\)?(?:\[[^\]\n]*\])?(?:\s*,\s*\w+)?(?:\s*:\s*[\w<>&.?\[\]']+)?\s*(?::=|<-|=(?![=>~]))\s*(?=\S)"
    r"|^[ \t]*#[ \t]*define[ \t]+(?P<defined>\w+)[ \t]+(?=\S)"
)
_FIELD = pattern(
    r"(?m)(?:\b\w+(?:\.|->)(?P<set>\w+)[ \t]*=(?!=)"
    r"|(?:[{,(]|^)\s*\.?(?P<given>[A-Za-z_]\w*)[ \t]*(?::(?![:=])|=(?![=>~])))[ \t]*(?=\S)"
)
_TAKEN_APART = pattern(r"\b(?:const|let|var)\s*\{(?P<names>[^{}\n]{1,200})\}\s*=\s*(?=\S)")
_LOOP = pattern(
    r"\b(?:for|foreach)\b[\s(]*(?:(?:const|let|final|auto|await)\b[\s&]*)?(?:[\w<>.:]+\s+)??(?:\w+,\s*)?&?(?P<name>\w+)"
    r"\s*(?::=\s*range|\bin\b|\bof\b|<-|:)\s*(?P<of>[^\n{]+)"
)
_LAMBDA = pattern(
    r"\bfunc\(\s*(?P<go>\w+)\s+\w|\|\s*&?(?P<bars>\w+)[^|\n]{0,60}\|"
    r"|(?<![\w.])\(?(?:[\w<>]+[ \t]+)?(?P<arrow>[A-Za-z_]\w*)(?:\s*[,:][^()\n=]{0,60})?\)?"
    r"\s*(?:=>|->)(?!\s*(?:bool|void|int|Result)\b)"
)
_PASSED = pattern(r"[(,]\s*&?(?P<name>[A-Za-z_]\w*)\s*(?=[,)])")
_CALL = pattern(r"\b(?P<name>[A-Za-z_]\w*)\s*(?:::new)?\(")
_OWN_FOLDER = pattern(
    r"(?i)mkd?temp|temp_?dir|tempfile|tmpdir|createTemp|getTempPath|GetRandomFileName|testing\.T\b"
)
"""What makes a folder that nothing else has, wherever."""
_NO_PATH = pattern(
    r"\b(?:[\w.]*[bB]ase(?:name)?|\w*[gG]etFileName\w*|len|sizeof|filepath\.Ext|extname|Regex|Printf\w*|println!?|console\.log|log\.\w+)\((?:[^()]|\([^()]*\))*\)"
)
_CHAIN = pattern(
    r"(?<![\w\"'$.])[$@]?[A-Za-z_]\w*(?:(?:\?\.|\.|->|::|\$)[A-Za-z_]\w*(?:\(\))?|\[\s*[\"'][\w.:-]+[\"']\s*\])*"
)
_PART = pattern(r"[A-Za-z_]\w*")
_KEY = pattern(r"(?:\[|(?P<by>[\w.!]*)\()\s*[\"'`](?P<key>[\w.:-]+)[\"'`]")
_MAKES_PATH = (
    r"(?:File|Path|Paths|Paths?\.(?:get|of|Combine)|PathBuf::from|Path::new|String::from|(?:file)?path\.(?:Join|join|resolve|Clean)|join|resolve"
    r"|DirectoryInfo|(?:std::)?(?:filesystem|fs)::path|string|expand_path)"
)
_WRITTEN = pattern(
    rf"\A\s*(?:&?(?:new\s+)?{_MAKES_PATH}\(\s*)*(?:f|r|@|L)?[\"'`]"
    r"(?P<path>/(?:var|srv|mnt|opt|etc|home|usr|root|data|media|Volumes|Users|nfs|export|storage)/[\w.@+/-]*[\w@+-])/?[\"'`]"
)
_IS_FILE = pattern(r"\.[A-Za-z]\w{0,4}\Z")
_PATH_CALL = pattern(rf"(?<!\w){_MAKES_PATH}\Z")
_ENDS = pattern(r"[()\[\]{};\n]")
_MAX_DEPTH = 10
_MAX_PARTS = 8
_MAX_EXPRESSION = 400
_MAX_BODY = 20_000
_MAX_ACTS = 5
_MAX_CODE = 256 * 1024


def plain(name: str) -> str:
    """A name as all languages and files of settings write it alike: ``exportDir``, ``EXPORT_DIR``."""
    return re.sub(r"[^A-Za-z0-9]", "", name).lower()


def acts_of(
    files: Sequence[str], values: Values, words: Sequence[str] = (), *, has_constants: bool = True
) -> Iterator[Act]:
    """Yield what a program deletes or overwrites by such paths; ``files`` are without comments.

    ``words`` are those of its command. Constants are the code's own paths, in languages where it is not known
    otherwise what they stand for.
    """
    code = "\n".join(files)[:_MAX_CODE]
    if _ONLY_SHOWS.search(code):
        return
    found = _found(
        code, tuple((name, tuple(one)) for name, one in values.items()), has_constants=has_constants
    )
    is_doubtful = bool(found) and is_waiting(code, " ".join(words).lower())
    starts = [0]
    for one in files:
        starts.append(starts[-1] + len(one) + 1)
    for command, at in found:
        number = bisect_right(starts, at) - 1
        yield Act(command, files[number], at - starts[number], is_doubtful)


@lru_cache(maxsize=16)
def _found(
    code: str, values: tuple[tuple[str, tuple[str, ...]], ...], *, has_constants: bool
) -> list[tuple[str, int]]:
    """The commands and where they are; several commands run one program."""
    sinks = list(_sinks(code))
    if not sinks or not (values or (has_constants and any(map(_WRITTEN.match, _texts(code))))):
        return []
    program = _Program(code, dict(values), has_constants=has_constants)
    found = [
        (command, sink.at)
        for sink in sinks
        for path, is_one_of_many in program.of(sink.expression, sink.at, 0)
        if (sink.is_tree or is_one_of_many) and (command := _command(path))
    ]
    return found[:_MAX_ACTS]


def _texts(code: str) -> list[str]:
    return re.findall(r"[\"'`]/[^\"'`\n]*[\"'`]", code)


_PLAIN_PATH = pattern(r"[\w./~-]+")
_ONLY_SHOWS = pattern(r"\bFileUtils::(?:DryRun|NoWrite)\b")
_BUCKET = pattern(r"(?:s3[an]?|gs)://\S+")


def _command(path: str) -> str:
    if _BUCKET.fullmatch(path):
        scheme, _, rest = path.partition("://")
        return (
            f"gsutil rm -r gs://{rest}" if scheme == "gs" else f"aws s3 rm --recursive s3://{rest}"
        )
    if "://" in path:
        return f"hdfs dfs -rm -r {quoted([path])}"
    return f"rm -rf {path if _PLAIN_PATH.fullmatch(path) else quoted([path])}"


class _Sink(NamedTuple):
    """A call that deletes what an expression names, if it ``is_tree`` with all in it."""

    expression: str
    at: int
    is_tree: bool


def _sinks(code: str) -> Iterator[_Sink]:
    for one in matches_beside(_SINK, code):
        if one["of"]:
            own = one["of"]
            is_tree = one["method"] in ("deleteRecursively", "deleteDir") or one["deep"] is not None
            if re.fullmatch(r"\(*(?:it|_)\b.*", own):
                own = _before(code, code.rfind("{", 0, one.start()))
            yield _Sink(own, one.start(), is_tree)
        elif one["by"]:
            yield _Sink(_before(code, one.start()), one.start(), is_tree=False)
        elif one["rm"]:
            yield _Sink(re.sub(r"[\"'`]", " ", one["rm"]), one.start(), is_tree=True)
        else:
            given = upto(code[one.end() : one.end() + _MAX_EXPRESSION], ")")
            first = split(given, ",")[0]
            yield _Sink(first, one.start(), is_tree=one["tree"] is not None)
    for one in _OVERWRITES.finditer(code) if may_be_in(_OVERWRITES.pattern, code, "") else ():
        given = upto(code[one.end() : one.end() + _MAX_EXPRESSION], ")")
        yield _Sink(given, one.start(), is_tree=True)


def _before(code: str, at: int) -> str:
    """The part of a statement that stands before a place in it."""
    part = code[max(0, at - _MAX_EXPRESSION) : at]
    return re.split(r"[;}]|\{[ \t]*\n|\n[ \t]*\n", part)[-1]


class _Function(NamedTuple):
    name: str
    named: int
    """Where it has its name."""
    parameters: list[str]
    start: int
    end: int


class _Program:
    """What the names of a program stand for, each in the function that has it."""

    def __init__(self, code: str, values: Values, *, has_constants: bool) -> None:
        self.code = code
        self.has_constants = has_constants
        self.values = dict(values)
        self.functions = list(_functions(code))
        self.starts = [one.start for one in self.functions]
        self.sets: dict[str, list[tuple[int, str, bool]]] = {}
        """By their names: where a name is set, to what, and whether that is one of many."""
        self.fields: dict[str, list[tuple[int, str]]] = {}
        self.known: dict[tuple[str, int], list[tuple[str, bool]]] = {}
        self._learn_sets()
        self.calls = self._calls()
        self.named: dict[str, Sequence[str]] = {}
        """Fields that have the value of a setting with another name."""
        for field, key in _renamed(code):
            if found := self._of_key(re.split(r"[.:]", key)):
                self.values.setdefault(plain(field), found)
                self.named[field] = found

    def _learn_sets(self) -> None:
        code = self.code
        for one in _SET.finditer(code):
            group = one.lastgroup or "name"
            self._learn(one[group], one.start(group), _statement(code, one.end()))
        for one in _TAKEN_APART.finditer(code):
            value = _statement(code, one.end())
            for given in one["names"].split(","):
                key, _, name = given.partition(":")
                own = re.match(r"\w+", (name or key).strip())
                if own:
                    self._learn(own[0], one.start(), f'{value}["{key.partition("=")[0].strip()}"]')
        for one in _LOOP.finditer(code):
            self._learn(one["name"], one.start("name"), one["of"], is_many=True)
        for one in _LAMBDA.finditer(code):
            name = one[one.lastgroup or "go"]
            self._learn(name, one.start(), _before(code, one.start()), is_many=True)
        for one in _FIELD.finditer(code):
            value = _statement(code, one.end())
            name = plain(one["set"] or one["given"])
            self.fields.setdefault(name, []).append((one.end(), split(value, ",")[0]))

    def _learn(self, name: str, at: int, value: str, *, is_many: bool = False) -> None:
        self.sets.setdefault(name.lstrip("$@"), []).append((at, value, is_many))

    def _calls(self) -> dict[str, list[tuple[int, list[str], bool]]]:
        """The calls of the program's functions: where, with what, and whether for each of many."""
        names = {one.name for one in self.functions if one.parameters}
        heads = {one.named for one in self.functions}
        found: dict[str, list[tuple[int, list[str], bool]]] = {}
        for one in _CALL.finditer(self.code):
            if one["name"] in names and one.start() not in heads:
                given = upto(self.code[one.end() : one.end() + 2_000], ")")
                found.setdefault(one["name"], []).append((one.start(), split(given, ","), False))
        for one in _PASSED.finditer(self.code):
            if one["name"] in names:
                before = [_before(self.code, one.start() + 1)]
                found.setdefault(one["name"], []).append((one.start(), before, True))
        return found

    def _around(self, at: int) -> list[_Function]:
        """The functions around a place, the innermost first."""
        last = bisect_right(self.starts, at)
        near = self.functions[max(0, last - 60) : last]
        return [one for one in reversed(near) if one.start <= at < one.end]

    def of(self, expression: str, at: int, depth: int) -> list[tuple[str, bool]]:
        """The paths that an expression may stand for, and whether it is one of many there."""
        text = expression[:_MAX_EXPRESSION]
        if depth > _MAX_DEPTH or _OWN_FOLDER.search(text):
            return []
        text = _NO_PATH.sub(" ", text)
        written = (
            _WRITTEN.match(text) if depth and self.has_constants else None
        )  # else it is spelled out
        if written and not _IS_FILE.search(written["path"]):
            return [(written["path"], False)]
        found = [
            (value, False)
            for one in _KEY.finditer(text)
            if not (one["by"] and _PATH_CALL.search(one["by"]))
            for value in self._of_key(re.split(r"[.:]", one["key"]))
        ]
        bare = re.sub(r"([\"'`])(?:(?!\1)[^\n$]){0,200}\1", '""', text)
        for one in _CHAIN.finditer(bare if "[" not in text else text):
            if found:
                break
            found += self._of_chain(_PART.findall(one[0]), at, depth)
        is_many = bool(found) and any(
            is_one and place != at and self._around(place)[:1] == self._around(at)[:1]
            for name in _PART.findall(bare)
            for place, _, is_one in self.sets.get(name, ())
        )
        return list(dict.fromkeys((path, is_one or is_many) for path, is_one in found))

    def _of_key(self, parts: Sequence[str]) -> Sequence[str]:
        names = [plain(re.sub(r"^(?:get|is)(?=[A-Z])", "", one)) for one in parts[:_MAX_PARTS]]
        for end in range(len(names), 0, -1):
            for start in range(end):
                if found := self.values.get("".join(names[start:end])):
                    return found
        return ()

    def _of_chain(self, parts: list[str], at: int, depth: int) -> list[tuple[str, bool]]:
        if len(parts) > 1:
            if found := self._of_key(parts[1:]):
                return [(one, False) for one in found]
            for place, value in self.fields.get(plain(parts[-1]), ())[:8]:
                if place != at and (
                    of_field := self._once((f".{parts[-1]}", place), value, place, depth)
                ):
                    return of_field
        return self._of_name(parts[0], at, depth)

    def _of_name(self, name: str, at: int, depth: int) -> list[tuple[str, bool]]:
        around = self._around(at)
        own = self.sets.get(name, ())
        for one in around:
            inside = [each for each in own if one.start <= each[0] < one.end and each[0] != at]
            if inside:
                return self._of_sets(name, inside[:8], depth)
            if name in one.parameters:
                return self._of_parameter(one, one.parameters.index(name), depth)
        outside = [each for each in own if not self._around(each[0])]
        if name in self.named and not outside:
            return [(one, False) for one in self.named[name]]
        return self._of_sets(name, outside[:8], depth)

    def _of_parameter(self, function: _Function, number: int, depth: int) -> list[tuple[str, bool]]:
        given = [
            (place, words[number], is_many)
            for place, words, is_many in self.calls.get(function.name, ())[:20]
            if number < len(words) and not function.start <= place < function.end
        ]
        return self._of_sets(f"{function.name}#{number}", given, depth)

    def _of_sets(
        self, name: str, sets: Sequence[tuple[int, str, bool]], depth: int
    ) -> list[tuple[str, bool]]:
        return [
            (path, is_many or is_one)
            for place, value, is_many in sets
            for path, is_one in self._once((name, place), value, place, depth)
        ]

    def _once(
        self, key: tuple[str, int], value: str, at: int, depth: int
    ) -> list[tuple[str, bool]]:
        """What is set there; a path that leads back to itself gives nothing more."""
        if key not in self.known:
            self.known[key] = []
            self.known[key] = self.of(value, at, depth + 1)
        return self.known[key]


def _functions(code: str) -> Iterator[_Function]:
    heads = list(_HEAD.finditer(code))
    for number, head in enumerate(heads):
        given = upto(code[head.end() : head.end() + 2_000], ")")
        at = head.end() + len(given) + 1
        opened = re.compile(r"[^;{}]{0,200}?\{").match(code, at)
        following = heads[number + 1].start() if number + 1 < len(heads) else len(code)
        if opened is not None:
            end = opened.end() + len(upto(code[opened.end() : opened.end() + _MAX_BODY], "}"))
        elif head["typed"] or code[at : at + 2].lstrip()[:1] == ";":
            continue  # a call, or what is only declared
        else:
            end = following
        parts = split(given, ",")
        group = head.lastgroup or "name"
        parameters = [_parameter(one, head[0]) for one in parts if one]
        yield _Function(head[group], head.start(group), parameters, head.start(), end)


def _parameter(given: str, head: str) -> str:
    is_typed_after = ":" in given.replace("::", "")
    before = given.partition("=")[0]
    before = before.partition(":")[0] if is_typed_after else before
    names = _PART.findall(re.sub(r"<[^<>]*>|\[\]", "", before))
    is_go = not is_typed_after and head.lstrip().startswith("func ")
    return names[0 if is_go else -1] if names else ""


_TAG = pattern(
    r"(?P<a>\w+)[ \t]+[\w.\[\]*]+[ \t]+`[^`\n]*?"
    r"\b(?:yaml|json|toml|mapstructure|env|envconfig|koanf|ini|hcl):\"(?P<x>[\w.-]+)"
    r"|\brename[ \t]*=[ \t]*\"(?P<y>[\w-]+)\"[^\n]*\n\s*(?:pub\s+)?(?P<b>\w+)"
    r"|@(?:Value\(\s*\"\$\{|JsonProperty\(\s*\"|ConfigProperty\(\s*name\s*=\s*\")(?P<z>[\w.-]+)[^\n]*?\)\s*(?:[\w<>]+\s+)*(?P<c>\w+)\s*[;,)=]"
    r"|\[(?:JsonPropertyName|ConfigurationKeyName)\(\"(?P<w>[\w:-]+)\"\)\]\s*(?:[\w<>?\[\]]+\s+)*(?P<d>\w+)\s*[{;,)]"
)


def _renamed(code: str) -> Iterator[tuple[str, str]]:
    """Fields with the names that they have in settings."""
    for one in _TAG.finditer(code):
        field = one["a"] or one["b"] or one["c"] or one["d"]
        yield field, one["x"] or one["y"] or one["z"] or one["w"]


def _statement(code: str, at: int) -> str:
    """The rest of a statement: up to its end, but not inside of brackets."""
    level = 0
    for found in _ENDS.finditer(code, at, at + _MAX_EXPRESSION):
        mark = found[0]
        level += (mark in "([{") - (mark in ")]}")
        is_chained = mark == "\n" and re.compile(r"\s*[.?]\w").match(code, found.end()) is not None
        if level < 0 or (level == 0 and mark in ";\n" and not is_chained):
            return code[at : found.start()]
    return code[at : at + _MAX_EXPRESSION]


# end of module
