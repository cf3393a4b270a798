"""Redaction of output while it arrives: nothing leaves before every secret that it may be part of is known.

Pure. What is given out is the start of what ``redact`` makes of the whole text, however the bytes were cut
on the way: within a character, within a secret, within a marker of one.
"""

from __future__ import annotations

import codecs

from operators_edge.redaction.redact import CUT, LONGEST_SECRET, redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_BATCH = 64 * 1024
"""Characters that are gathered before some are given out: each is looked at about twice."""

_MAX_HELD = 1024 * 1024


class Stream:
    """One stream of bytes as redacted text. ``values`` are known secrets."""

    def __init__(self, *, values: Iterable[str] = ()) -> None:
        self._values = tuple(values)
        self._reach = max([LONGEST_SECRET, *map(len, self._values)])
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""
        self.given = ""
        """What the last redacted text was made of."""

    def feed(self, data: bytes) -> str:
        """The redacted text that is certain now."""
        return self.feed_text(self._decoder.decode(data))

    def feed_text(self, text: str) -> str:
        """The same for a stream of text."""
        self._held += text
        self.given = ""
        if len(self._held) < _BATCH + self._reach:
            return ""
        return self._release()

    def end(self) -> str:
        """The rest."""
        self.given = text = self._held + self._decoder.decode(b"", final=True)
        self._held = ""
        return redact(text, values=self._values)

    def _release(self) -> str:
        """Cut where no secret lies across: there both halves are redacted as the whole is."""
        text = self._held
        whole = redact(text, values=self._values)
        for at in self._places(text):
            first = redact(text[:at], values=self._values)
            if first + redact(text[at:], values=self._values) == whole:
                self.given, self._held = text[:at], text[at:]
                return first
        if len(text) <= _MAX_HELD:
            return ""
        self.given, self._held = text[: -self._reach], text[-self._reach :]
        return redact(text[: -self._reach], values=self._values) + CUT

    def _places(self, text: str) -> Iterator[int]:
        """Where to try, from the end back: after line breaks, else after spaces, else anywhere."""
        for sign in ("\n", " ", ""):
            at, step = len(text) - self._reach, 1
            while at > 0 and (at := text.rfind(sign, 0, at) + len(sign)) > 0:
                yield at
                at, step = at - step, step * 2


# end of module
