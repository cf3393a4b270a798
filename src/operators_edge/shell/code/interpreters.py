"""Programs given to interpreters as text, and the commands that they start with literal arguments.

Owns how code reaches an interpreter: by which option, or on standard input. Does not own reading the code
(``shell.code.programs``, ``shell.code.scripts``). A call whose arguments are not literals is reported with
HOLEs; code in strings is data.
"""

from __future__ import annotations

import re

from operators_edge.shell.code import literals, programs, scripts
from operators_edge.shell.code.languages import AWK, INTERPRETERS, PHP, PYTHON, TCL, Language
from operators_edge.shell.code.program_values import TooLongError
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from operators_edge.shell.code.scripts import CodeCall

MAX_CALLS = 200
_LOUD_CALL = pattern(
    r"(?i)\b(?:system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec|unlink|rmdir|rename|eval|include|require)(?=\s*\()"
)
_HOME = pattern(
    r"\b(?:process|Bun)\.env\.(?:HOME|USERPROFILE)\b|\bDeno\.env\.get\(['\"]HOME['\"]\)|\bENV(?:\.fetch\()?[\[(]?['\"]HOME['\"][\])]"
    r"|\bos\.(?:environ(?:\.get)?|getenv)[\[(]['\"]HOME['\"][\])]|\b(?:System\.)?getenv\(['\"]HOME['\"]\)"
    r"|\bSystem\.getProperty\(['\"]user\.home['\"]\)"
    r"|(?<![\w\"/])\$ENV\{['\"]?HOME['\"]?\}(?=\s*[;,.)])"
)
"""How languages read the variable: as good as the path itself."""


def find_calls(
    name: str,
    argv: Sequence[str],
    stdin: str | None,
    beside: str = "",
    options: Sequence[str] = (),
    *,
    environment: Iterable[tuple[str, str]] = (),
) -> Iterator[CodeCall]:
    """Yield what the interpreter ``name`` starts when run as ``argv`` with ``stdin``.

    ``beside`` is what the other files of the program define; ``options`` are those that it is given, and
    ``environment`` the variables that it is known to get.
    """
    language = INTERPRETERS[name]
    if name in {"sed", "gsed"}:
        yield from scripts.sed(argv, stdin)
        return
    if name in {"vim", "vi", "nvim", "ex"}:
        yield from scripts.vim(argv, stdin)
        return
    code, option = _program_text(language, argv, stdin)
    if language is PYTHON:
        code += _timed_code(argv[1:])
    code = _HOME.sub("'~'", code)
    through = f"{name} {option}".strip()
    if name.startswith("ipython"):
        yield from scripts.notebook(code, through)
    if language is TCL:
        yield from scripts.tcl(code, through)
    elif code:
        if language is PHP:  # in which names of functions may be written in any case
            code = _LOUD_CALL.sub(lambda match: match[0].lower(), code)
        given = options, dict(environment)
        plain = literals.plain(code, language), literals.plain(beside, language)
        found = list(_calls(language, through, plain, given))
        yield from found
        if plain != (code, beside):  # what seems to be a pattern may be a division, which runs
            written = _calls(language, through, (code, beside), given)
            yield from (call for call in written if call not in found)


def _calls(
    language: Language,
    through: str,
    code: tuple[str, str],
    given: tuple[Sequence[str], dict[str, str]],
) -> Iterator[CodeCall]:
    options, environment = given
    try:
        reader = programs.ProgramReader(language, through, environment=environment)
        for number, call in enumerate(reader.calls(*code, options)):
            if number >= MAX_CALLS:
                raise TooLongError  # noqa: TRY301 -- one end for both bounds
            yield call
    except TooLongError:
        yield scripts.CodeCall(through, (HOLE,))


def _program_text(language: Language, argv: Sequence[str], stdin: str | None) -> tuple[str, str]:
    """Return the program text given on the command line or on standard input, and by which option."""
    options, valued = language.code_options.replace(" ", "|"), language.value_options.split()
    option = re.compile(rf"-(?!-)[a-zA-Z0-9]*?({options})(.*)|--({options})(?:=(.*))?", re.DOTALL)
    arguments = list(argv[1:])
    if language is AWK:
        return _awk_code(arguments, valued), ""
    codes: list[str] = []
    used = ""
    at = 0
    while at < len(arguments):
        text = arguments[at]
        if text in {"eval", "repl"} and not codes and at == 0:
            return (arguments[at + 1] if len(arguments) > 1 else ""), text
        if not text.startswith("-") or text == "-":
            break
        if match := option.fullmatch(text):
            used = f"-{match[1]}" if match[1] else f"--{match[3]}"
            attached = match[2] or match[4]
            if not attached:
                at += 1
                attached = "".join(arguments[at : at + 1])
            codes.append(attached)
        elif text.lstrip("-") in valued:
            at += 1
        at += 1
    if codes:
        return "\n".join(codes), used
    if at >= len(arguments) or arguments[at] in {"-", "/dev/stdin"}:
        return stdin or "", "<" if stdin else ""
    return "", ""


def _timed_code(arguments: Sequence[str]) -> str:
    """Return the statements that ``-m timeit`` runs; each word is a line, and so is each ``-s``."""
    at = next((n for n, text in enumerate(arguments) if text in {"timeit", "-mtimeit"}), 0)
    if not at and arguments[:1] != ["-mtimeit"]:
        return ""
    lines = re.sub(r"(?m)^(?:-s|--setup=?)\n?", "", "\n".join(arguments[at + 1 :]))
    return re.sub(r"(?m)^-\S*$", "", lines)


def _awk_code(arguments: list[str], valued: list[str]) -> str:
    at, given = 0, ""
    while at < len(arguments) and arguments[at].startswith("-"):
        option, following = arguments[at], "".join(arguments[at + 1 : at + 2])
        if option in {"-f", "--file"}:
            return ""
        if option in {"-e", "--source"}:
            return given + following
        if assigned := re.fullmatch(r"-v(\w+)=(.*)", f"{option}{following}", re.DOTALL):
            value = assigned[2].replace("\\", "\\\\").replace('"', '\\"')
            given += f'BEGIN {{ {assigned[1]} = "{value}" }} '
        at += 2 if option.lstrip("-") in valued else 1
    return given + arguments[at] if at < len(arguments) else ""


# end of module
