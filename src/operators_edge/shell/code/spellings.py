"""Program code with calls that are spelled in another way written like the usual ones, text to text.

``getattr(os, "system")(x)`` becomes ``os.system(x)``, ``"r" + "m"`` becomes ``"rm"``, and a decoded literal
stands for the encoded one, so that ``shell.code.programs`` need only know the usual spelling. Pure. Does not
own values that have to be computed (``shell.code.python.code``).
"""

from __future__ import annotations

import binascii
import re

from operators_edge.shell.code.languages import (
    AWK,
    ELIXIR,
    GROOVY,
    NODE,
    PERL,
    PHP,
    PYTHON,
    RUBY,
)
from operators_edge.shell.code.unique_texts import with_own_numbers
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.shell.code.languages import Language

_MAX_PASSES = 64
"""How often added strings are joined."""

_IMPORT_CALL = pattern(
    r"(?:__import__|importlib\.import_module|[\w.]{0,40}\brequire|\bimport)\(\s*['\"](?:node:)?([\w./-]+)['\"]\s*\)"
)
_SPELLED = pattern(
    # getattr(os, "system"), vars(os)["system"], os.__dict__["system"], cp["exec"](…)
    r"getattr\(\s{0,9}([\w.]{1,80})\s{0,9},\s*['\"](\w+)['\"]\s*\)"
    r"|vars\(\s{0,9}([\w.]{1,80})\s{0,9}\)\[\s*['\"](\w+)['\"]\s*\]"
    r"|(\b\w[\w.]{0,80}?)\.__dict__\[\s*['\"](\w+)['\"]\s*\]"
    r"|(\b\w[\w.]{0,80})\[\s*['\"](\w+)['\"]\s*\](?=\()"
)
_CONCATENATED = pattern(
    r"'([^'\\\n]*)'\s*(?:[+.]|\.\.)\s*'([^'\\\n]*)'|\"([^\"\\\n$#]*)\"\s*(?:[+.]|\.\.)\s*\"([^\"\\\n$#]*)\""
    r"|'(~)'\s*[+.]\s*\"([^\"\\\n$#]*)\""
    # any other string: what is between two of them is none
    r"|'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\""
)
_QUOTES = r"['\"]([^'\"\\\s]*)['\"]"
_DECODED = pattern(
    rf"(?:Buffer\.from|new\s+Buffer)\(\s*{_QUOTES}\s*,\s*['\"](base64|hex)['\"]\s*\)(?:\.toString\([^)]*\))?"
    rf"|\b(?:atob|base64_decode|decode_base64|Base64\.(?:\w+_)?decode64)\(?\s*{_QUOTES}\s*\)?"
    rf"|\b(?:hex2bin|pack\(?\s*['\"]H\*['\"]\s*,)\(?\s*{_QUOTES}\s*\)?"
    rf"|\[\s*{_QUOTES}\s*\]\.pack\(?\s*['\"](H\*|m0?)['\"]\s*\)?"
    rf"|{_QUOTES}\.unpack1?\(?\s*['\"](m0?)['\"]\s*\)?(?:\[0\]|\.first)?"
)
_BY_NAME = pattern(
    # send("system", …), File.method(:delete).call(…), Kernel.public_send(:exec, …)
    r"(?:\b(\w+)\.)?\b(?:public_send|__send__|send)[\s(]\s*(?::|['\"])(\w+)['\"]?\s*,"
    r"|\b(?:array_(?:map|walk|filter)|call_user_func(?:_array)?)\(\s*['\"](\w+)['\"]\s*,"
    r"|\b(\w+)\.method\(\s*(?::|['\"])(\w+)['\"]?\s*\)\.(?:call\(|\()"
)
_LISTS_FILES = pattern(r"glob|\bDir\b|<[^<>\n]*\*[^<>\n]*>")
_OWN_MEMBER = pattern(r"\b(?:self|static)::\$?(?=[A-Za-z_]\w*\b(?!\s*\())")
"""What stands before a constant or a variable of PHP's class itself."""
_LOOPS = pattern(r"\.\s*(?:each|map|forEach|flatMap)|\bfor(?:each)?\b")
_WORDS = pattern(
    r"%W(?:\[(.{0,2000}?)\](?!\})|\((.{0,2000}?)\)(?!\})|\{((?:#\{[^{}]*\}|[^{}])*)\})", re.DOTALL
)
"""Ruby's list of words in which something is put in."""
_PUT_IN = pattern(r"#\{(?:[^{}]|\{[^{}]*\})*\}")
_PLAIN = pattern(r"#\{[\w.@]+\}")
_NOTEBOOK = pattern(
    r"\bget_ipython\(\)\.(?:(?:system|getoutput)\(|run_line_magic\(\s*['\"](?:sx|system)['\"]\s*,"
    r"|run_cell_magic\(\s*['\"](?:bash|sh|script)['\"]\s*,\s*(?:'[^'\n]*'|\"[^\"\n]*\")\s*,)"
)
_TAGGED = pattern(r"(?:\bBun\.)?(?<![\w'\"`])\$(`(?:[^`\\]|\\.)*`)", re.DOTALL)
"""A text that a function named ``$`` runs: Bun's shell, zx, execa."""
_DELETED_FILE = pattern(r"\bnew\s+(?:java\.io\.)?File\(([^()]*)\)\s*\.\s*(?:deleteDir|delete)\(\)")

_ESCAPED = pattern(
    r"#\{\s*(?:([a-z_]\w*)\.shellescape|Shellwords\.escape\(\s*([a-z_]\w*)\s*\))\s*\}"
)
"""A word in a text for a shell, in Ruby."""


_LOUD = pattern(r"(?<=\w)!(?=\()")
"""``exec!(…)``: the mark at the end of a method's name."""
_BARE = pattern(
    r"\b(?P<name>unlink|rmtree|remove_tree|rmdir|system|rename|move|copy)[ \t]+"
    r"(?P<given>[^;\n(){}]{1,200}?)[ \t]*(?=[ \t](?:or|and|if|unless)\b|\|\||&&)"
)
"""A call of Perl without parentheses, and what follows it in the same statement."""
_RAILS_ROOT = pattern(r"\bRails\.root\.join\((?=\s*['\"])")


def usual(code: str, language: Language) -> str:
    """Return the code with everything in its usual spelling."""
    is_python = language is PYTHON
    if language is PHP:
        from operators_edge.shell.code import php_texts  # noqa: PLC0415 - for one language

        code = php_texts.plain(code)
    code = with_own_numbers(code, language)
    if language is RUBY:
        code = _WORDS.sub(_as_list, code)
    if not is_python and _LOOPS.search(code):
        from operators_edge.shell.code import loops  # noqa: PLC0415 - much code has none

        code = loops.written_out(code, language)
    code = _NOTEBOOK.sub("os.system(", code) if is_python else _spelled_out(code)
    if _LISTS_FILES.search(code):
        from operators_edge.shell.code import file_lists  # noqa: PLC0415 - little code lists files

        code = file_lists.as_patterns(code, language)
    code = _IMPORT_CALL.sub(lambda match: match[1], code)
    code = _SPELLED.sub(lambda match: ".".join(filter(None, match.groups())), code)
    code = _of_language(code, language)
    return re.sub(r"\bdo\s+shell\s+script\b", "do_shell_script", code)


def _of_language(code: str, language: Language) -> str:
    """The code without the ways of writing that one language alone has."""
    if language is AWK:
        code = code.replace('ENVIRON["HOME"]', '"~"')
    if language is PHP:
        code = _OWN_MEMBER.sub("", code)
    if language is NODE:
        code = _TAGGED.sub(r"execSync(\1)", code).replace("fs/promises.", "fs.promises.")
        code = code.replace("fs-extra.", "fse.")
    if language in (RUBY, ELIXIR):
        code = _LOUD.sub("", code)
    if language is PERL:
        code = _BARE.sub(r"\g<name>(\g<given>)", code)
    if language is RUBY:
        code = _RAILS_ROOT.sub("File.join('.', ", code)
        code = _ESCAPED.sub(lambda found: f"'#{{{found[1] or found[2]}}}'", code)
    if language is GROOVY:
        code = _DELETED_FILE.sub(r"rmtree(\1)", code)
    return code


def _as_list(match: re.Match[str]) -> str:
    """``%W[push #{branch}]`` as ``["push", "#{branch}"]``; what is computed there is unknown."""
    inside = next(one for one in match.groups() if one is not None)
    inside = _PUT_IN.sub(lambda one: one[0] if _PLAIN.fullmatch(one[0]) else "#{_}", inside)
    words = ", ".join(f'"{word}"' for word in inside.split())
    return f"[{words}]"


def _spelled_out(code: str) -> str:
    """Return a program with added strings joined, encoded ones decoded, and calls by name written out."""
    for _ in range(_MAX_PASSES):
        joined = _CONCATENATED.sub(_joined, code)
        if joined == code:
            break
        code = joined
    code = _DECODED.sub(_decoded, code)
    return _BY_NAME.sub(
        lambda match: ".".join(filter(None, match.groups())).removeprefix("Kernel.") + "(", code
    )


def _joined(match: re.Match[str]) -> str:
    if all(one is None for one in match.groups()):
        return match[0]
    quote = match[0][0]
    return f"{quote}{''.join(filter(None, match.groups()))}{quote}"


def _decoded(match: re.Match[str]) -> str:
    texts = [text for text in match.groups() if text]
    is_hex = re.search(r"\bhex|H\*", match[0]) is not None
    try:
        raw = bytes.fromhex(texts[0]) if is_hex else binascii.a2b_base64(texts[0])
        text = raw.decode()
    except (ValueError, IndexError):
        return match[0]
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


# end of module
