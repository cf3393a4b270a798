"""Small languages that are read line by line: sed, vim, Tcl, and files that awk writes.

Owns the patterns of lines that run or write something. Does not own real languages (``shell.code.programs``).
"""

from __future__ import annotations

import re
import shlex
from itertools import islice, pairwise

from operators_edge.shell.commands import HOLE, Word
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class CodeCall(NamedTuple):
    """What code starts: the ``words`` of one command or a shell ``text``. ``line`` is where, 0 if unknown.

    ``folder`` is where the code has gone, a HOLE if that is unknown, "" for where it was started.
    ``environment`` are the variables that it gets otherwise than the code itself.
    """

    through: str
    words: tuple[str, ...] = ()
    text: str | None = None
    line: int = 0
    folder: str = ""
    environment: tuple[tuple[str, str], ...] = ()

    def words_at(self, span: tuple[int, int]) -> tuple[Word, ...]:
        """Its words; a program deletes by a pattern what it has listed with it."""
        deletes = self.words[:1] == ("rm",)
        return tuple(Word(text, span, deletes and "*" in text) for text in self.words)


_MAX_MATCHES = 200
_TCL_RUN = pattern(
    r"(?:^|[;\[{\n])[ \t]*(?:exec|spawn|system|open[ \t]+[\"{]\|)[ \t]*(?:-\w+[ \t]+)*"
    r"((?:\"(?:[^\"\\]|\\.)*\"|\{[^{}]*\}|[^\n;\]\"{])+)",
    re.DOTALL,
)
_TCL_STRING = pattern(r"\"((?:[^\"\\]|\\.)*)\"|\{([^{}]*)\}", re.DOTALL)
_TCL_SHELL = pattern(r"\bspawn[ \t]+(?:-\w+[ \t]+)*(?:\S*/)?(?:(?:ba|da|z|k|a)?sh|su|sudo|ssh)\b")
_TCL_SEND = pattern(r"\bsend[ \t]+(?:--?\w*[ \t]+)*\"((?:[^\"\\]|\\.)*)\"")
_TCL_DELETE = pattern(r"\bfile\s+delete\s+(?:-\w+\s+)*([^\n;\]}]+)")
_AWK_WRITE = pattern(
    r"\bprintf?\b(?:\"(?:[^\"\\]|\\.)*\"|[^;}\n|>\"]){0,400}>>?\s*((?:\"(?:[^\"\\]|\\.)*\"\s*)+|[A-Za-z_]\w*)"
)
_AWK_TEXT = pattern(r"\"((?:[^\"\\]|\\.)*)\"")
_AWK_SET = pattern(r"([A-Za-z_]\w*)\s*=\s*\"((?:[^\"\\]|\\.)*)\"")


def tcl(code: str, through: str) -> Iterator[CodeCall]:
    """``exec``, ``spawn``, ``send`` and ``file delete``, with Tcl's quotes replaced by the shell's."""
    for number, run in enumerate(_TCL_RUN.finditer(code)):
        if number >= _MAX_MATCHES:
            yield CodeCall(through, (HOLE,))
            return
        yield CodeCall(through, text=_TCL_STRING.sub(_shell_quoted, run[1]))
    typed = _TCL_SEND.findall(code)[:_MAX_MATCHES] if _TCL_SHELL.search(code) else ()
    for text in typed:  # into a shell that it has started
        if text[:1] != "$":
            yield CodeCall(through, text=unescaped(text).strip("\r\n"))
    for run in _TCL_DELETE.finditer(code):
        yield CodeCall(through, text="rm -rf " + _TCL_STRING.sub(_shell_quoted, run[1]))


def _shell_quoted(match: re.Match[str]) -> str:
    return shlex.quote(match[2] if match[1] is None else unescaped(match[1]))


def awk_writes(code: str) -> Iterator[CodeCall]:
    """``print > "file"``: reported as written by tee."""
    known = {name: unescaped(text) for name, text in _AWK_SET.findall(code)[:_MAX_MATCHES]}
    for run in _AWK_WRITE.findall(code)[:_MAX_MATCHES]:
        texts = _AWK_TEXT.findall(run)
        path = unescaped("".join(texts)) if texts else known.get(run, "")
        if path and not path.startswith("/dev/std"):
            yield CodeCall("awk", ("tee", path))


_SED_ADDRESS = pattern(r"[\s;{}\d$,!~+I]+|/(?:\\.|[^/\\])*/|\\(.)(?:\\.|(?!\1).)*\1", re.DOTALL)
_SED_PARTS = pattern(
    r"(.)((?:\\.|(?!\1|\\).)*)\1((?:\\.|(?!\1|\\).)*)\1([a-vx-zA-Z0-9]*)(?:w\s*([^\n]+))?",
    re.DOTALL,
)
_SED_LINE = pattern(r"[^\n]*")


class _SedCommand(NamedTuple):
    """A command letter with the rest of its line; for ``s`` the flags, the replacement and its file."""

    letter: str
    argument: str
    replacement: str = ""
    file: str = ""


def sed(argv: Sequence[str], stdin: str | None) -> Iterator[CodeCall]:
    """``e``, ``w`` and ``s///e``: what runs, and the files that are written (as by tee)."""
    for script in _sed_scripts(argv[1:]):
        for command in islice(_sed_commands(script), _MAX_MATCHES):
            yield from _sed_runs(command, stdin)


_SED_SCRIPT = pattern(r"(?:-[nrEsuzi]*e|--expression(?:=|\Z))(.*)", re.DOTALL)
_SED_FILE = pattern(r"-[nrEsuzi]*f.*|--file(?:=.*)?", re.DOTALL)
_SED_VALUED = frozenset(["-l", "--line-length"])


def _sed_scripts(words: Sequence[str]) -> Iterator[str]:
    """The scripts of sed: of its options, or the first operand; other operands are files."""
    operands: list[str] = []
    has_option, at = False, 0
    while at < len(words):
        text = words[at]
        at += 1
        if found := _SED_SCRIPT.fullmatch(text):
            has_option = True
            yield found[1] or "".join(words[at : at + 1])
            at += not found[1]
        elif text[:1] == "-" and len(text) > 1:
            has_option |= _SED_FILE.fullmatch(text) is not None
            at += text in _SED_VALUED or text in {"-f", "--file"}
        else:
            operands.append(text)
    # BSD's sed has what is put behind a copy's name in a word of its own: `-i '' SCRIPT`.
    is_script = (one for one in operands if not re.fullmatch(r"(?:\.\w+)?", one))
    if not has_option:
        yield from islice(is_script, 1)


def _sed_runs(command: _SedCommand, stdin: str | None) -> Iterator[CodeCall]:
    letter, argument = command.letter, command.argument.strip()
    if letter == "e" and argument:
        yield CodeCall("sed e", text=argument)
    elif letter == "e":
        yield CodeCall("sed e", text=HOLE if stdin is None else stdin)
    elif letter == "s" and "e" in argument:
        # The whole line runs, of which the replacement is a part.
        yield CodeCall("sed e", text=re.sub(r"\\\d|&", HOLE, command.replacement).replace("\\", ""))
        if stdin is not None:
            yield CodeCall("sed e", text=stdin)
    file = argument if letter in {"w", "W"} else command.file.strip()
    if file and not file.startswith("/dev/std"):
        yield CodeCall("sed w", ("tee", file))


def _sed_commands(script: str) -> Iterator[_SedCommand]:
    at = 0
    while at < len(script):
        if address := _SED_ADDRESS.match(script, at):
            at = address.end()
            continue
        letter = script[at]
        at += 1
        if letter in "sy" and (parts := _SED_PARTS.match(script, at)):
            at = parts.end()
            if letter == "s":
                yield _SedCommand("s", parts[4], parts[3], parts[5] or "")
        elif letter in "aicrRwWebtT:":
            line = _SED_LINE.match(script, at)
            argument = line[0] if line else ""
            at += len(argument)
            yield _SedCommand(letter, argument)


_VIM_SHELL = pattern(
    # :!TEXT  :r !TEXT  :%!TEXT  :w !TEXT  :exe "!TEXT"  :term TEXT
    r"(?:\A|[|\n'\"])[\s:]*(?:sil\w*!?\s+)*(?:[%\d,$.'<>]*\s*)?(?:(?:r|read|w|write)\s*)?!\s*([^\n]+)"
    r"|\bter(?:m|minal)\b!?\s+(?:\+\+\w+\s+)*([^\n|]+)"
)
_VIM_CALL = pattern(
    r"\b(?:system|systemlist|job_start|jobstart|termopen|term_start|os\.execute|io\.popen|os\.system|"
    r"vim\.system|shell_command)\s*\(\s*(\[[^\]]*\]|\{[^}]*\}|'[^']*'|\"(?:[^\"\\]|\\.)*\")"
)
_VIM_DELETE = pattern(r"\b(?:delete|os\.remove|fs_unlink|fs_rmdir)\s*\(([^)]*\)?[^)]*)\)?")
_VIM_WRITE = pattern(
    r"(?:\A|[|\n])[\s:]*(?:sil\w*!?\s+)*(?:[%\d,$.'<>]*\s*)?"
    r"(?:w|wq|x|sav|saveas|write|wn|up|redir)!?\s*>{0,2}\s+(?!!)([^\s|]+)"
)
_VIM_WRITEFILE = pattern(r"\bwritefile\s*\(.*?,\s*['\"]([^'\"]+)['\"]", re.DOTALL)
_TEXT = pattern(r"'([^']*)'|\"((?:[^\"\\]|\\.)*)\"")


def vim(argv: Sequence[str], stdin: str | None) -> Iterator[CodeCall]:
    """What editor commands run, delete and write: given by options, or to ``ex`` on standard input."""
    is_script = argv[0].rpartition("/")[2] == "ex" or any(
        re.match("-[eE]s?$", text) for text in argv
    )
    texts = [stdin] if stdin and is_script else []
    for before, text in pairwise(argv):
        if before in {"-c", "--cmd", "-sc"}:
            texts.append(text)
        elif text.startswith("+"):
            texts.append(text[1:])
    for text in texts:
        yield from _vim_runs(text)


def _vim_runs(text: str) -> Iterator[CodeCall]:
    for run in islice(_VIM_SHELL.finditer(text), _MAX_MATCHES):
        yield CodeCall("vim -c", text=(run[1] or run[2]).rstrip("'\""))
    for run in islice(_VIM_CALL.finditer(text), _MAX_MATCHES):
        words = [one or unescaped(other) for one, other in _TEXT.findall(run[1])]
        if run[1][0] in "[{":
            yield CodeCall("vim -c", tuple(words))
        elif words:
            yield CodeCall("vim -c", text=words[0])
    for run in islice(_VIM_DELETE.finditer(text), _MAX_MATCHES):
        words = [one or unescaped(other) for one, other in _TEXT.findall(run[1])]
        flags = ("-rf",) if "rf" in words[1:] else ()
        yield CodeCall("vim -c", ("rm", *flags, words[0] if words else HOLE))
    for path in (*_VIM_WRITE.findall(text), *_VIM_WRITEFILE.findall(text)):
        yield CodeCall("vim -c", ("tee", path))


def unescaped(text: str) -> str:
    """Return the text with the escapes that these languages share resolved."""
    return re.sub(
        r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|([0-7]{1,3})|([\s\S]))", _unescaped_char, text
    )


def _unescaped_char(match: re.Match[str]) -> str:
    if match[1] or match[2]:
        return chr(int(match[1] or match[2], 16))
    if match[3]:
        return chr(int(match[3], 8) & 0xFF)
    return {"n": "\n", "t": "\t", "r": "\r", "\n": ""}.get(match[4], match[4])


_NOTEBOOK_LINE = pattern(
    r"(?m)^[ \t]*(?:\w+[ \t]*=[ \t]*)?(?:%%?(?:time|timeit|prun|memit|capture)\b[^\n!]*?)?"
    r"(?:!!?|%%?(?:sx|sc|system)\b)[ \t]*(.+)|"
    r"^[ \t]*%%(?:bash|sh|script)\b[^\n]*\n([\s\S]+)"
)


def notebook(code: str, through: str) -> Iterator[CodeCall]:
    """``!TEXT``, ``%sx TEXT`` and cells of ``%%bash``, which IPython gives to a shell."""
    for match in islice(_NOTEBOOK_LINE.finditer(code), _MAX_MATCHES):
        yield CodeCall(through, text=match[1] or match[2])


# end of module
