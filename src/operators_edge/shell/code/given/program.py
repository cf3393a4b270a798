"""A program without what surely does not run with the words and variables of its command.

Owns leaving out branches that are not taken, and functions that only they call. Does not own what the words
mean in a language (``given.node`` and others), nor finding the files. Pure, text to text: what is left keeps
its place. What is not certain is left in.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import partial
from importlib import import_module

from operators_edge.shell.code.given import branches, masks
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import blanked, pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from operators_edge.shell.code.given.masks import Code

    Span = tuple[int, int]

_READS = {
    masks.PHP: pattern(r"\$arg[vc]\b|\bget(?:opt|env)\(|\$_SERVER\b"),
    masks.RUST: pattern(r"\benv::(?:args|var)\(|::parse\(\)"),
    masks.GO: pattern(r"\bos\.(?:Args|Getenv)\b|\bflag\.|\bFlags\(\)|\bcobra\."),
    masks.NODE: pattern(
        r"\bprocess\.(?:argv|env)\b|\bDeno\.args\b|\bBun\.argv\b|\b(?:parseArgs|meow|cac)\(|\.\s*(?:argv|parse)\b"
    ),
}
"""How a program reads its words and variables."""
_FUNCTIONS = {
    masks.PHP: pattern(r"(?m)^function[ \t]+&?(?P<name>\w+)\s*\("),
    masks.RUST: pattern(
        r"(?m)^(?:pub(?:\([^()\n]*\))?[ \t]+)?(?:async[ \t]+)?fn[ \t]+(?P<name>(?!main\b)\w+)"
        r"\s*(?:<[^<>\n]*>)?\("
    ),
    masks.GO: pattern(
        r"(?m)^func[ \t]+(?P<name>(?!main\b|init\b|Test|Benchmark|Fuzz)\w+)\s*(?:\[[^\]\n]*\])?\("
    ),
    masks.NODE: pattern(
        r"(?<![.\w$])(?:async\s+)?function\s*\*?\s*(?P<name>[\w$]+)\s*\("
        r"|(?<![.\w$])(?:const|let|var|exports\.|module\.exports\.)\s*(?P<set>[\w$]+)\s*(?::[^=\n]{1,80})?=\s*(?:async\s+)?(?:function\b|\((?=[^;]{0,400}=>)|\w+\s*=>)"
    ),
}
_LISTED = {
    masks.PHP: pattern(r"(?!)"),
    masks.RUST: pattern(r"(?m)^[ \t]*(?:pub(?:\([^()\n]*\))?[ \t]+)?use\b[^;]*;"),
    masks.GO: pattern(r"(?!)"),
    masks.NODE: pattern(
        r"\bimport\b[^;'\"()=]*\bfrom\b|\bexport\s*\{[^{}]*\}|\bmodule\.exports\s*=\s*\{[\w$,\s]*\}"
        r"|\b(?:const|let|var)\s*\{[\w$,:\s]*\}\s*=\s*(?:require\(|await\s+import\()"
    ),
}
"""Where names of functions are handed on, and not called."""
_BY_NAME = pattern(
    r"\b(?:this|exports|globalThis|global|self|window)\s*\[|\beval\s*\(|\bnew\s+Function\b"
    r"|(?:\*\s*as\s+|\b(?:const|let|var)\s+)(?P<own>[\w$]+)\s*(?:from\s*|=\s*(?:await\s+)?(?:require|import)\(\s*)['\"]\.{1,2}/"
)
_PHP_BY_NAME = pattern(
    r"(?i)[\w\])]\s*\(\s*\)\s*\(|\$\w+\s*\(|\b(?:array_(?:map|walk|filter|reduce)\w*|u\w?sort|register_\w+|set_\w+_handler"
    r"|iterator_apply|ob_start|spl_autoload_register|fromCallable|is_callable|preg_replace_callback\w*|call_user_\w+)\s*\("
)
_IDENTIFIER = pattern(r"[A-Za-z_$][\w$]*")
_MAX_PASSES = 2
"""What does not run sets nothing, so that more is known."""
_MAX_FUNCTIONS = 400
_MAX_SIZE = 128 * 1024


def without_untaken(
    files: Mapping[str, str], kind: str, words: Sequence[str], environment: Mapping[str, str]
) -> dict[str, str]:
    """Return the files of a program without what does not run; ``words`` begin with the program itself."""
    texts = dict(files)
    whole = sum(map(len, texts.values()))
    reads = _READS[kind]
    if not words or HOLE in "".join((*words, *texts.values())) or whole > _MAX_SIZE:
        return texts
    if not any(map(reads.search, texts.values())):
        return texts
    known = {path: masks.read(text, kind) for path, text in texts.items()}
    codes = {path: code for path, code in known.items() if code is not None}
    if any(code is None and reads.search(texts[path]) for path, code in known.items()):
        return texts
    reader = import_module(f"operators_edge.shell.code.given.{kind}").Words(
        codes, words, environment
    )
    if not reader.is_certain:
        return texts
    gone: dict[str, list[Span]] = {}
    for _ in range(_MAX_PASSES):
        before = gone
        gone = {
            path: [
                *branches.untaken(code, kind, partial(reader.value, path)),
                *reader.untaken(path),
            ]
            for path, code in codes.items()
        }
        if gone == before or not hasattr(reader, "note"):
            break
        reader.note(gone)
    if not any(gone.values()):
        return texts
    if len(codes) == len(texts):
        _add_unreached(codes, kind, gone)
    for path, spans in gone.items():
        texts[path] = _without(texts[path], spans)
    return texts


def _without(text: str, spans: list[Span]) -> str:
    parts, at = [], 0
    for start, end in sorted(spans):
        if end > at:
            first = max(start, at)
            parts += [text[at:first], blanked(text[first:end])]
            at = end
    return "".join((*parts, text[at:]))


# -- functions ---------------------------------------------------------------------------------------


def _add_unreached(codes: Mapping[str, Code], kind: str, gone: dict[str, list[Span]]) -> None:
    """Add the functions that nothing names any more."""
    if any(_is_called_by_name(code, kind) for code in codes.values()):
        return
    functions = [(path, *one) for path, code in codes.items() for one in _functions(code, kind)]
    if len(functions) > _MAX_FUNCTIONS:
        return
    names = Counter(_plain(name, kind) for _, name, _, _ in functions)
    used: dict[str, list[tuple[str, int]]] = {}
    for path, code in codes.items():
        for name, at in _used(code, kind, names):
            used.setdefault(name, []).append((path, at))
    left = [one for one in functions if names[_plain(one[1], kind)] == 1]
    left = [one for one in left if _is_named_outside(one, used.get(_plain(one[1], kind), ()), {})]
    while True:
        dead = [
            one
            for one in left
            if not _is_named_outside(one, used.get(_plain(one[1], kind), ()), gone)
        ]
        if not dead:
            return
        left = [one for one in left if one not in dead]
        for path, _, start, end in dead:
            gone[path] = [*gone[path], (start, end)]


def _is_named_outside(
    function: tuple[str, str, int, int],
    uses: Sequence[tuple[str, int]],
    gone: Mapping[str, list[Span]],
) -> bool:
    """Whether a function is named in what is left, but not in itself."""
    own, _, first, last = function
    return any(
        not (path == own and first <= at < last)
        and not any(start <= at < end for start, end in gone.get(path, ()))
        for path, at in uses
    )


def _plain(name: str, kind: str) -> str:
    return name.lower() if kind == masks.PHP else name


def _functions(code: Code, kind: str) -> Iterator[tuple[str, int, int]]:
    """The names of functions, and where each begins and ends."""
    for one in _FUNCTIONS[kind].finditer(code.mask):
        end = _end_of_function(code, one)
        if end is not None:
            yield next(filter(None, one.groups())), one.start(), end


def _end_of_function(code: Code, head: re.Match[str]) -> int | None:
    """Where a function ends: behind its braces, or at the end of the line."""
    at = head.end() - 1 if code.mask[head.end() - 1] == "(" else head.end()
    while at < len(code.mask) and code.mask[at] not in ";\n":
        if code.mask[at] == "{":
            return code.pairs[at] + 1
        at = code.pairs.get(at, at) + 1
    return at if "=>" in code.mask[head.start() : at] else None


def _used(code: Code, kind: str, names: Counter[str]) -> Iterator[tuple[str, int]]:
    """Where such names stand, but as those of functions that are defined, or handed on."""
    aside = [one.span() for one in _LISTED[kind].finditer(code.bare)]
    heads = {
        max(map(one.end, range(1, len(one.groups()) + 1)))
        for one in _FUNCTIONS[kind].finditer(code.mask)
    }
    for one in _IDENTIFIER.finditer(code.bare):
        if _plain(one[0], kind) not in names or one.end() in heads:
            continue
        is_plain_text = code.mask[one.start()] == " " and not _is_put_in(code, one.start())
        if not is_plain_text and not any(start <= one.start() < end for start, end in aside):
            yield _plain(one[0], kind), one.start()


def _is_put_in(code: Code, at: int) -> bool:
    """Whether a place is in a text into which values are put."""
    start = code.mask.rfind('"', 0, at)
    end = code.mask.find('"', at)
    return "${" in code.text[start:end]


def _is_called_by_name(code: Code, kind: str) -> bool:
    """Whether functions may be called by names that are computed."""
    if kind != masks.NODE:
        return kind == masks.PHP and _PHP_BY_NAME.search(code.bare) is not None
    for one in _BY_NAME.finditer(code.bare):
        if one["own"] is None or re.search(rf"(?<![\w$.]){re.escape(one['own'])}\s*\[", code.mask):
            return True
    return False


# end of module
