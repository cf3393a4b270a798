"""Whatever may be a command in a file whose format is not read, or in the source of a compiled program.

More than what runs may be found, so only what is certainly dangerous counts in such a text. Pure: text in,
commands out. Does not own which functions of a program start what (``gate.disk.process_calls``).
"""

from __future__ import annotations

import re

from operators_edge.cached import lru_cache
from operators_edge.gate.disk import process_calls
from operators_edge.gate.disk.recipe_types import MAX_VALUE, Recipe, Wanted, closure
from operators_edge.shell.commands import HOLE
from operators_edge.text.lines import line_at
from operators_edge.text.needed_words import may_be_in
from operators_edge.text.patterns import blanked, pattern
from operators_edge.text.xml_comments import without_xml_comments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_STRING = pattern(r"'([^'\n]*)'|\"((?:[^\"\\\n]|\\.)*)\"|`([^`'\n]*)['`]")
_QUOTE = pattern(r"['\"`]")
_COMMENT = pattern(r"\s*(#|//|--|;|%|\")")
_BEFORE = pattern(
    r"(?i)(?:^|[\s({\[:])(?:!|:?(?:shell|exec|run|run-shell|run-command|system|command|commands|cmd|spawn|script"
    r"|entry|platform shell|execute_process\(\s*COMMAND)\b|[\w.-]+\s*(?!==)[:=]+)[\s:=(]*(?=\S)(.+)"
)
_NAMES_OPTION = pattern(r"\bget_option\(\s*(?:'[^'\n]*'|\"[^\"\n]*\")\s*\)")
"""What it gives is set elsewhere: its own word is no command."""
_RUN_COMMAND = pattern(r"\brun_command\(\s*(?=['\"])((?:'[^'\n]*'|\"[^\"\n]*\"|[^()'\"\n])*)\)")
"""A call of Meson with all its words, of which the first is the program."""
_TAGGED = pattern(r"<(exec|configuration|apply)\b.*?</\1>", re.DOTALL)
_IN_TAGS = pattern(
    r">\s*([^<>]*[^<>\s])\s*<|\b(?:executable|line|value)=(?:\"([^\"]*)\"|'([^']*)')"
)
_NAMES_COMMAND = pattern(
    r"<(?:\w*(?:[eE]xec|[cC]ommand|[cC]md|(?<!de)[sS]cript|[sS]hell)\w*|arg\w*|lines?)\b"
)
"""Elements in the settings of a plugin that it runs something by."""
_CALLED = pattern(r"\(|commandLine|\b(?:run|cmd|commands?|cmds|entry|args|actions)\b")
"""Where words in a list may be a command; in a list of keywords they are not."""
_DELETES = pattern(
    r"(?:\b(?:remove_dir_all|remove_all|(?<!test\.)RemoveAll|removeTree|deleteTree(?:Absolute)?|deleteRecursively|deleteDirectory"
    r"|remove_dir|removeDir|rmdir_all|rmdirRecurse|rm_rf!?|rmtree|rmSync|remove\.all|del_dir_r|removeItem|removePathForcibly"
    r"|delete-directory(?:/files|-tree)?|delete-tree|delete-file-recursively|delete_directory_and_contents|Directory\.Delete"
    r"|removeDirectoryRecursive|\bIO\.delete)\(?\s*(?:at(?:Path)?:\s*)?\(?(?:(?:new\s+)?(?:\w+\.){0,3}(?:[fF]ile|Path|URL)\.?\s*)?"
    r"\(?(?:file(?:URLWith)?Path:\s*)?(?:format!\(\s*)?(?:#[pP])?"
    r"|(?:^|\{)\s*delete[ (]+|(?<![.\w])(?:rm|unlink)\((?=[^)\n]*,\s*recursive\s*=\s*(?i:true|t)\b)"
    r"|\bdelete\((?=[\"'][^\"'\n]+[\"'],\s*[\"']rf?[\"'])"
    r"|\b(?:File|Directory|Path)\((?=[\"'][^\"'\n]+[\"']\)\.(?:deleteRecursively|deleteDir|deleteSync|delete)\())"
    r"[\"']([^\"'\n]+)[\"']"
)
"""Calls that delete a folder with everything in it, in languages that are not read, and of Gradle."""
_DELETES_FILE = pattern(
    r"(?:(?<![.\w])(?:unlink|remove|rmdir)\(|\bos\.Remove\(|\bremove_file\("
    r"|\bFiles\.delete(?:IfExists)?\(Paths?\.(?:of|get)\()\s*\"([/~][^\"\n]+)\""
)
"""Calls that delete one file, by its whole path."""
_WRITES = pattern(
    r"\b(?:create|write|writeText|appendText|WriteFile|OpenFile|append)\(\s*(?:format!\(\s*)?[\"']([^\"'\n]+)[\"']"
)
"""Calls that write a file."""
_OPENS_TO_READ = pattern(
    r"\bOpenFile\(\s*\"[^\"\n]+\"\s*,\s*(?:(?:os|unix|syscall)\.O_(?:RDONLY|DIRECTORY|CLOEXEC|NOFOLLOW|NONBLOCK|PATH)"
    r"(?:\s*\|\s*|(?=\s*,)))+\s*,"
)
"""How Go opens a file that it can only read."""
_OPENS = pattern(
    r"\.(?:append|write|create)\(true\).{0,200}?\.open\(\s*(?:format!\(\s*)?\"([^\"\n]+)\""
)
_HOME = pattern(r"\$\{System\.getProperty\([\"']user\.home[\"']\)\}|\{home\}|\$\{?HOME\}?")


_ANY_OF_FILES = "|".join(f"(?:{one.pattern})" for one in (_DELETES, _DELETES_FILE, _WRITES, _OPENS))


def _calls_of_files(line: str) -> list[str]:
    """What calls in a line delete or write, as commands that do the same."""
    if not may_be_in(_ANY_OF_FILES, line, line.lower()):
        return []
    line = _HOME.sub("~", line)
    deleted = [f"rm -rf {path}" for path in _DELETES.findall(line)]
    deleted += [f"rm -f {path}" for path in _DELETES_FILE.findall(line)]
    line = _OPENS_TO_READ.sub("", line)
    written = (*_WRITES.findall(line), *_OPENS.findall(line))
    return deleted + [f"echo x >> {path}" for path in written if path[:1] in "~/"]


_MAX_LINES = _MAX_LOOSE = 20_000
_PROSE = pattern(
    r"(?=.*\b(?:the|an|of|with|this|that|is|are|be|not|and|if|when|your|all|any)\b)"
    r"[A-Z][a-z]+(?:[ \t]+[A-Za-z][\w']*(?:-[A-Za-z]\w*)*[,;:]?){3,}[.!?]?"
)
"""A sentence in a text for people: no word is an option, a path or an address."""


_COMPARES = pattern(r"(?<![<>=!&\d|])[<>]=(?=[\s\d.v\"'@$]|\Z)")
"""A comparison, as with a version: no redirection."""
_HAS_CODE = pattern(r"<\?(?:php|=)|<%")
"""A page with code, which runs in a comment, too."""
_CLOSES = pattern(r"(?<=[^\s<>])</[A-Za-z][\w.:-]*>[ \t]*$")
"""The end of an element of XML that begins on another line: no redirection."""
_ELEMENT = pattern(r"<([\w.:-]+)(?:\s[^<>]*)?>(?P<text>[^<>]*)</\1>")
"""An element of XML on one line: its text may be a command, but what is around it is no redirection."""
_OF_DATA = pattern(
    r"(?:descriptor|include|exclude|header|license|resource|module|(?!script|command|exec)\w*(?:[dD]irectory|[fF]older|[fF]ile|Id))s?"
)
"""Elements of XML that name files which are data."""
_PERSON = pattern(r"<name>\s*[A-Z][a-z]+(?:[ \t]+[A-Z][\w.'-]*)+\s*</name>")
"""Who has written something."""
_ESCAPES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&"))


def _strings_of(line: str) -> list[str]:
    return [one or other or third for one, other, third in _STRING.findall(line)]


def loose(text: str, _: Wanted) -> list[Recipe]:
    """Whatever may be a command in a file whose format is not read: lines, strings, lists of words.

    Only what is certainly dangerous counts in such a text, so more than what runs may be returned.
    """
    found = [
        Recipe(
            _joined(["".join(one) for one in _IN_TAGS.findall(block[0])]),
            line_at(text, block.start()),
        )
        for block in _TAGGED.finditer(text)
        if block[1] != "configuration" or _NAMES_COMMAND.search(block[0])
    ]
    is_xml = text.lstrip()[:1] == "<" and not _HAS_CODE.search(text)
    if is_xml:
        text = without_xml_comments(text)
    for number, whole in _chained(text.split("\n")[:_MAX_LINES]):
        if _is_comment(whole) or _PERSON.fullmatch(whole.strip()):
            continue
        line = _COMPARES.sub(" ", _CLOSES.sub("", _NAMES_OPTION.sub("", whole)))
        strings = _strings_of(line)
        if is_xml:
            line = _plain(line)
            strings = list(dict.fromkeys((*map(_plain, strings), *_strings_of(line))))
        runs = [one for one in strings if " " in one.strip()]
        calls = [_strings_of(one) for one in _RUN_COMMAND.findall(line)]
        if calls:
            runs += map(" ".join, calls)
            strings = _strings_of(_RUN_COMMAND.sub("", line))
        is_call = _CALLED.search(line) is not None
        runs += [" ".join(strings[n:]) for n in range(min(3, len(strings) - 1)) if is_call]
        runs += _calls_of_files(line)
        element = _ELEMENT.fullmatch(whole.strip())
        if element is not None and _OF_DATA.fullmatch(element[1]) and " " not in element["text"]:
            continue
        runs += [
            line.strip().lstrip(":!-@ ") if element is None else _plain(element["text"]),
            *(one.rstrip(" )},;") for one in _BEFORE.findall(line)),
        ]
        found += [
            Recipe(one.strip("'\"").lstrip("!"), number)
            for one in dict.fromkeys(runs)
            if not _PROSE.fullmatch(one.strip("'\" \t"))
        ]
    return found[:_MAX_LOOSE]


_STARTS_PROCESS = pattern(
    r"\b(?:[eE]xec\w*|Command\w*|(?:Start)?Process\w*|os\.proc|system|popen|spawn\w*|Start|callCommand|rawSystem|createProcess|shell"
    r"|[rR]un[A-Z]\w*|[rR]un|(?<!\.)sh|cmd|Sys\.command|addSystemCommand|launchedProcess|arguments|launchPath|getRuntime|staticExec|gorge\w*)\b|[\"`]\s*\.?!|\bsystem\s"
)


_STARTS_IN_GO = pattern(
    r"\b(?!Execute(?:C|Context)?\()(?:\w*[eE]xec\w*|\w*Command\w*|\w*Process\w*|popen|\w*[sS]pawn\w*|Start|\w*[sS]hell|\w*[rR]un[A-Z]\w*|[rR]un"
    r"|must[rR]un|\w*[Cc]md|sh|system)\(|\bCmd\{|\bArgs:\s*\[\]string\{"
)
"""The same in Go, where all that starts something is a call."""
_IS_GO = pattern(
    r"(?ms)^package[ \t]+\w+[ \t]*(?://[^\n]*)?$.{0,4000}?^import[ \t]+(?:\(|(?:[\w.]+[ \t]+)?\")"
)
_GO_TEXT = pattern(r"`[^`]*`")
_GIVES_TEXT = pattern(r"(?:\w\(|\"-\w*c\",)\s*\Z")
"""What is before a text that a call is given first, or a shell as its program."""


def _without_texts(code: str) -> str:
    """Go without its texts of several lines that no call is given: a usage, an example."""

    def kept(found: re.Match[str]) -> str:
        before = code[max(0, found.start() - _BEFORE_TEXT) : found.start()]
        is_shown = "\n" in found[0] and not _GIVES_TEXT.search(before)
        return blanked(found[0]) if is_shown else found[0]

    return _GO_TEXT.sub(kept, code)


_BEFORE_TEXT = 40
_CONSTANT = pattern(
    r"\b([A-Za-z_]\w*)[ \t]*(?:string[ \t]*|:[ \t]*(?:&(?:'static[ \t]+)?str|String)[ \t]*)?"
    r":?=[ \t]*\"([^\"\n\\]*)\""
)
_NAME_IN_CALL = pattern(r"(?<=[(,\[])(\s*)&?([A-Za-z_]\w*)(?=\s*[,)\]])")
_ARGUMENTS = pattern(r"\((?:\s*&?\[)?\s*\"[^()\[\]{};]*[)\]]")
"""The words of a program that is started, which may be on several lines."""
_DELETES_UNKNOWN = pattern(
    r"\bos\.Remove(?:All)?\([A-Za-z_]|\bfs::remove_(?:dir_all|file)\(&?[A-Za-z_]"
)
_ANY_THAT_DELETES = f"{_ANY_OF_FILES}|{_DELETES_UNKNOWN.pattern}"
DELETES_UNKNOWN = f"rm -rf {HOLE}"
"""What a program does that deletes files which only it knows."""


def source(text: str, wanted: Wanted) -> list[Recipe]:
    """What the source of a compiled program starts or deletes: the strings of such calls."""
    return [*process_calls.calls(text, wanted.targets), *_in_lines(text)][:_MAX_LOOSE]


@lru_cache(maxsize=512)
def _in_lines(text: str) -> tuple[Recipe, ...]:
    """What each line of the source starts or deletes: the same for all of its subcommands."""
    found: list[Recipe] = []
    constants = dict(_CONSTANT.findall(text))
    starts = _STARTS_PROCESS
    if _IS_GO.search(text):
        text, starts = _without_texts(text), _STARTS_IN_GO
    text = _ARGUMENTS.sub(_on_first_line, text)
    may_delete = may_be_in(_ANY_THAT_DELETES, text, text.lower())

    def known(match: re.Match[str]) -> str:
        value = constants.get(match[2])
        return match[0] if value is None else f'{match[1]}"{value}"'

    for number, line in _chained(text.split("\n")[:_MAX_LINES]):
        may_start = (constants or _QUOTE.search(line)) and starts.search(line)
        if not (may_start or may_delete) or _is_comment(line):
            continue
        if may_delete:
            found += [Recipe(run, number) for run in _calls_of_files(line)]
            if _DELETES_UNKNOWN.search(line):
                found.append(Recipe(DELETES_UNKNOWN, number))
        if may_start and starts.search(_STRING.sub('""', line)):
            line = _NAME_IN_CALL.sub(known, line)  # noqa: PLW2901 - with what is known
            strings = _strings_of(line)
            runs = [*strings, *(" ".join(strings[n:]) for n in range(min(3, len(strings) - 1)))]
            found += [
                Recipe(one.replace('\\"', '"'), number) for one in dict.fromkeys(runs) if " " in one
            ]
    return tuple(found[:_MAX_LOOSE])


def _on_first_line(match: re.Match[str]) -> str:
    """The text on one line; the lines that it was on stay, so that the numbers of others hold."""
    return match[0].replace("\n", " ") + "\n" * match[0].count("\n")


_GO_FUNCTION = pattern(r"(?m)^func[ \t]+(?:\([^()\n]*\)[ \t]*)?([A-Za-z_]\w*)[ \t]*\(")
_GO_DEFAULT = pattern(r"(?m)^var[ \t]+Default[ \t]*=[ \t]*(\w+)")


def mage(text: str, wanted: Wanted) -> list[Recipe]:
    """What the named functions of a magefile start or delete, and those that they name in turn."""
    heads = list(_GO_FUNCTION.finditer(text))
    ends = [one.start() for one in heads[1:]] + [len(text)] * bool(heads)
    bodies = {one[1]: (one.start(), end) for one, end in zip(heads, ends, strict=True)}
    default = _GO_DEFAULT.findall(text)
    asked = [name.rpartition(":")[2].lower() for name in wanted.targets] or [
        one.lower() for one in default
    ]
    names = [name for name in bodies if name.lower() in asked]
    needs = {
        name: [
            one
            for one in re.findall(r"\b[A-Za-z_]\w*", re.sub(r"//[^\n]*", "", text[start:end]))
            if one in bodies
        ]
        for name, (start, end) in bodies.items()
    }
    reached = set(closure(names, needs))
    lines = text.split("\n")
    for name, (start, end) in bodies.items():
        if name not in reached:
            first, last = text.count("\n", 0, start), text.count("\n", 0, end)
            lines[first:last] = [""] * (last - first)
    return source("\n".join(lines), wanted)


_PROPERTY = pattern(r"\$\(([A-Za-z_][\w.]*)\)")
"""How MSBuild names a property: no command of a shell."""


def _plain(text: str) -> str:
    """The text of an element of XML without its escapes, with properties as a shell has variables."""
    text = _PROPERTY.sub(lambda one: f"${{{one[1].replace('.', '_')}}}", text)
    for escaped, plain in _ESCAPES:
        text = text.replace(escaped, plain)
    return text


def _chained(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Return lines with their numbers; calls that continue on the next lines are one."""
    found: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        text = line.lstrip()
        is_next = found and text[:1] == "." and text[1:2].isalpha()
        if is_next and len(found[-1][1]) < MAX_VALUE:
            found[-1] = (found[-1][0], found[-1][1] + text)
        else:
            found.append((number, line))
    return found


def _is_comment(line: str) -> bool:
    """Whether a line is a comment in one of the usual languages, or empty; a string may begin one."""
    is_string = line.lstrip()[:1] == '"' and line.count('"') > 1
    return not line.strip() or (_COMMENT.match(line) is not None and not is_string)


def _joined(words: Sequence[str]) -> str:
    return " ".join(word for word in words if word)


# end of module
