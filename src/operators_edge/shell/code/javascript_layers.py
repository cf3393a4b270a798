"""Which parts of JavaScript are code, and which are comments, texts and patterns.

Owns reading a file sign by sign, so that no text can pass for code. It gives up where a slash may begin a
pattern as well as divide, and what lies behind it would be read in another way. Does not own what the code
does. Pure.
"""

from __future__ import annotations

from operators_edge.text.patterns import blanked, pattern
from operators_edge.tuples import NamedTuple

_NEXT = pattern(
    r"(?P<comment>\A#![^\n]*|//[^\n]*|/\*[\s\S]*?\*/)"
    r"|(?P<text>\"(?:[^\"\\\n]|\\[\s\S])*\"|'(?:[^'\\\n]|\\[\s\S])*')|(?P<other>[\"'`/{}]|<!--|</)"
)
_TEMPLATE = pattern(r"(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?P<end>`|\$\{)")
_PATTERN = pattern(r"/(?![*/])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/")
_BEFORE_PATTERN = pattern(
    r"(?:[=(,:\[&|?{;!~^<>*%]|(?<![\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|do|else|yield|await))\Z"
)
_MAY_DIVIDE = (")", "}", "+", "-")
_READ_OTHERWISE = pattern(r"[\"'`{}]|/[*/]")


class Layers(NamedTuple):
    """A file three times, with every sign in its place.

    ``code`` is without comments; ``bare`` has no texts and patterns either, but what templates put in, each
    behind a ``!``, since it is read; ``masked`` has no templates at all, so that its braces are those of
    blocks and objects.
    """

    code: str
    bare: str
    masked: str


def layers(text: str) -> Layers | None:
    """Return the layers of a file; None if it cannot be read for sure."""
    return _Reader(text).layers()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.parts: list[tuple[str, str, str]] = []
        """What was read, as it is in each of the layers."""
        self.templates: list[int] = []
        """The templates around this place, each with the braces that are open in what it puts in."""

    def layers(self) -> Layers | None:
        while found := _NEXT.search(self.text, self.at):
            self._add(self.text[self.at : found.start()])
            self.at = found.end()
            if found["comment"]:
                self._add("", comment=found[0])
            elif found["text"]:
                self._add("", text=found[0])
            elif not self._other(found[0], found.start()):
                return None
        self._add(self.text[self.at :])
        if self.templates:
            return None
        return Layers(*("".join(one) for one in zip(*self.parts, strict=True)))

    def _add(self, code: str, *, text: str = "", comment: str = "") -> None:
        nothing = blanked(comment or text)
        bare = f"{nothing[:-1]}!" if text.endswith("${") else nothing
        inside = blanked(code) if self.templates else code
        self.parts.append((code + (nothing if comment else text), code + bare, inside + nothing))

    def _other(self, sign: str, at: int) -> bool:
        """Read on behind a sign; return whether that is known."""
        if sign in ("{", "}"):
            return self._brace(sign)
        if sign == "`":
            return self._template(sign)
        return sign == "/" and self._slash(at)

    def _brace(self, sign: str) -> bool:
        if self.templates:
            if sign == "}" and self.templates[-1] == 0:
                self.templates.pop()
                return self._template(sign)
            self.templates[-1] += 1 if sign == "{" else -1
        self._add(sign)
        return True

    def _template(self, begun: str) -> bool:
        """The text of a template, up to its end or to what is put in."""
        found = _TEMPLATE.match(self.text, self.at)
        if found is None:
            return False
        self.at = found.end()
        self._add("", text=begun + found[0])
        if found["end"] == "${":
            self.templates.append(0)
        return True

    def _slash(self, at: int) -> bool:
        before = "".join(part[0] for part in self.parts[-4:]).rstrip()
        found = _PATTERN.match(self.text, at)
        is_open = before.endswith(_MAY_DIVIDE)
        if is_open and found and _READ_OTHERWISE.search(found[0] + self.text[found.end() :][:1]):
            return False
        if not is_open and (not before or _BEFORE_PATTERN.search(before)):
            if found is None:
                return False
            self.at = found.end()
            self._add("", text=found[0])
        else:
            self._add("/")
        return True


def enclosing(masked: str) -> list[int]:
    """For each place the brace that is open around it, -1 for none."""
    found, stack = [], [-1]
    for at, sign in enumerate(masked):
        if sign == "}" and len(stack) > 1:
            stack.pop()
        found.append(stack[-1])
        if sign == "{":
            stack.append(at)
    return found


_OPENS_BLOCK = pattern(
    r"(?:(?:\A|[;{})]|=>|(?<![\w$.])(?:else|try|finally|do|catch)|\bcase\b[^\n:]*:|\bdefault\s*:"
    r"|\)\s*:\s*[\w<>\[\]|.,\s]+)\s*)\Z"
)
_OPENS_CLASS = pattern(r"\b(?:class|extends|interface|namespace|enum)\b[^{};]*\Z")
_MAX_HEAD = 300


def opens_block(masked: str, brace: int) -> bool:
    """Whether a brace opens a block of statements, not an object or a class; -1 is that of a file."""
    head = masked[max(0, brace - _MAX_HEAD) : max(0, brace)]
    return brace < 0 or bool(_OPENS_BLOCK.search(head) and not _OPENS_CLASS.search(head))


_HEAD_OF_CLAUSE = pattern(r"(?<![\w$.])(?:if|for|while|with|switch|catch|await)\s*\Z")


def ends_clause(before: str) -> bool:
    """Whether a text ends with what a statement still belongs to, like ``while (…)``."""
    level = 0
    for at in range(len(before) - 1, -1, -1):
        level += (before[at] == ")") - (before[at] == "(")
        if level == 0:
            return _HEAD_OF_CLAUSE.search(before, max(0, at - 20), at) is not None
    return True


# end of module
