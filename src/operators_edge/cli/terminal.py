"""A command's output: text for a person, or one JSON envelope for a program."""

from __future__ import annotations

import codecs
import io
import os
import sys
from contextvars import ContextVar

from operators_edge.cached import cached_property
from operators_edge.contexts import contextmanager
from operators_edge.errors import AnswerIsNo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any, Literal, TextIO

_WHOLE = ("utf-8", "utf8")
"""Encodings that have every character."""

_SHORTEST_SECRET = 8
"""No shorter value is hidden anywhere, see ``redaction.redact``."""

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


answering: ContextVar[Literal["ask", "yes", "fail"]] = ContextVar("answering", default="ask")
"""How a question is answered: ``--yes`` answers it, ``--no-input`` fails."""


class Terminal:
    """One command's output. ``json`` switches from text to ``{"ok", "data", "warnings"}``."""

    def __init__(
        self, *, json_wanted: bool = False, out: TextIO | None = None, err: TextIO | None = None
    ) -> None:
        self.json_wanted = json_wanted
        self.out = out or sys.stdout
        self.err = err or sys.stderr
        self.warnings: list[str] = []
        self.fields: tuple[str, ...] = ()
        self.words: Sequence[str] = ()
        """Those of the command: known secrets in them are not repeated."""
        self.is_quiet = False
        self.is_in_client = False
        """Whether the text is shown in a client's frame, which is narrow."""
        self._colour = "auto"
        self._may_page = True

    def set_up(self, given: object) -> None:
        """Take over what the options that every command has say of the output."""
        self._colour = getattr(given, "color", "auto")
        self.is_quiet = getattr(given, "quiet", False)
        self._may_page = not getattr(given, "no_pager", False)
        if self.out.isatty():
            from operators_edge.cli import layout  # noqa: PLC0415 - not for a program
            from operators_edge.text import wording  # noqa: PLC0415 - as above

            wording.lay_out_for(layout.columns())
        is_silent = getattr(given, "no_input", False)
        answering.set(
            "yes" if getattr(given, "says_yes", False) else "fail" if is_silent else "ask"
        )
        listed = getattr(given, "fields", "") or ""
        self.fields = tuple(each.strip() for each in listed.split(",") if each.strip())

    @property
    def has_colour(self) -> bool:
        if self.json_wanted or self._colour != "auto":
            return self._colour == "always" and not self.json_wanted
        if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
            return False
        return self.out.isatty()

    def paint(self, text: str, *styles: str) -> str:
        if not self.has_colour or not styles:
            return text
        return f"\x1b[{';'.join(_CODES[style] for style in styles)}m{text}\x1b[0m"

    def warn(self, text: str) -> None:
        self.warnings.append(text)
        if not self.json_wanted and not self.is_quiet:
            self.aside("\n".join(self.folded(f"warning: {text}")))

    def folded(self, text: str) -> list[str]:
        """The text as it fits a terminal; on one line elsewhere."""
        if not self.err.isatty():
            return [text]
        from operators_edge.cli import layout  # noqa: PLC0415 - a warning or an error is seldom
        from operators_edge.text import wording  # noqa: PLC0415 - as above
        from operators_edge.text.markup import wrapped  # noqa: PLC0415 - as above

        width, (first, *rest) = layout.columns(), text.split("\n")
        first, *more = wrapped(first, width)
        if all(wording.columns(each) <= width for each in rest):  # laid out already
            return [first, *(f"  {each}" for each in more), *rest]
        rest = [*more, *rest]
        return [first, *(f"  {line}" for each in rest for line in wrapped(each, width - 2))]

    def aside(self, text: str, *, end: str = "\n") -> None:
        """Print to stderr at once: progress, a preview, or what is about to be asked."""
        from operators_edge.cli import progress  # noqa: PLC0415 - not for `--version`
        from operators_edge.text import outgoing  # noqa: PLC0415 - as above

        progress.end()
        print(self._hidden(outgoing.to_terminal(text)), end=end, file=self.err, flush=True)

    @cached_property
    def _repeated(self) -> tuple[str, ...]:
        if not any(map(_may_hold_secret, self.words)):
            return ()
        try:
            from operators_edge.cli import repeated  # noqa: PLC0415 - not for `edge status`
        except ImportError:
            return ()  # the installation lacks a file: the crash report says so, and shows no words
        return repeated.secrets_in(self.words)

    def _hidden(self, text: str) -> str:
        if not self._repeated:
            return text
        from operators_edge.cli import repeated  # noqa: PLC0415 - there by now

        return repeated.hidden(text, self._repeated)

    def show(
        self,
        data: Any,
        text: str | Iterable[str],
        *,
        ok: bool = True,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        """Print the answer of a command: ``data`` as JSON if requested, else ``text`` or its lines.

        ``more``: what else the JSON says, beside the data.
        """
        from operators_edge.cli import pager, progress  # noqa: PLC0415 - not for `--version`
        from operators_edge.text import outgoing  # noqa: PLC0415 - as above

        progress.end()
        text = text if isinstance(text, str) else "\n".join(text)
        if self.json_wanted:
            if self.fields and ok:
                from operators_edge.cli import fields  # noqa: PLC0415 - rarely asked for

                data = fields.chosen(data, self.fields)
            envelope = {**(more or {}), "ok": ok, "data": data, "warnings": self.warnings}
            self.answer(envelope)
        elif text:
            clean = self._hidden(outgoing.to_terminal(self._narrowed(text)))
            may_page = self._may_page and self.out.isatty()
            if not (may_page and pager.paged(clean, self.out, os.environ)):
                self._print(clean)

    def answer(self, envelope: Mapping[str, Any]) -> None:
        """Print what a program reads."""
        from operators_edge.text import outgoing  # noqa: PLC0415 - not for `--version`

        self._print(self._hidden(outgoing.to_program(envelope)))

    def _narrowed(self, text: str) -> str:
        from operators_edge.text import wording  # noqa: PLC0415 - not for `--version`

        width = wording.screen_width()
        if width == wording.WIDTH:
            return text
        from operators_edge.cli import layout  # noqa: PLC0415 - on a narrow screen only

        return layout.narrowed(text, width)

    def _print(self, text: str) -> None:
        try:
            print(text, file=self.out, flush=True)
        except OSError as error:
            raise self._unwritten(error) from error

    @contextmanager
    def writing(self) -> Iterator[TextIO]:
        """The output, to be written to. AnswerIsNo if that fails: what the command did holds."""
        try:
            yield self.out
            self.out.flush()
        except OSError as error:
            raise self._unwritten(error) from error

    def _unwritten(self, error: OSError) -> Exception:
        if isinstance(error, BrokenPipeError):
            return error
        if self.out is sys.stdout:  # what is left in its buffer would fail again at the end
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.out.fileno())
        why = error.strerror or str(error)
        return AnswerIsNo(
            f"the command was carried out, and its output could not be written: {why}"
        )


def replace_closed_streams() -> None:
    """Have what goes to a stream that the caller closed (``>&-``) go nowhere, and no file take its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - it stays open


def escape_what_a_stream_lacks() -> None:
    """Print what the encoding of the output does not have as an escape that JSON reads, too."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() not in _WHOLE:
            codecs.register_error("edge-escape", _as_escapes)
            stream.reconfigure(errors="edge-escape")


def _as_escapes(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    pairs = zip(units[::2], units[1::2], strict=True)
    return "".join(f"\\u{high:02x}{low:02x}" for high, low in pairs), error.end


def _may_hold_secret(word: str) -> bool:
    """Whether a known secret can stand in the word: no verb is one, and no path that is there."""
    value = word.partition("=")[2] if word.startswith("-") else word
    is_plain = value.isascii() and value.replace("-", "").isalpha() and value.islower()
    return len(value) >= _SHORTEST_SECRET and not is_plain and not os.path.lexists(value)


# end of module
