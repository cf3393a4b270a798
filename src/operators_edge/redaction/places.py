"""All places where a secret needs no name, with the words that each begins with.

Owns what stands around a telling word. Does not own the places of a kind, which have a module each. Pure.
"""

from __future__ import annotations

from operators_edge.redaction import (
    calls,
    codes,
    commands,
    directives,
    headers,
    key_material,
    password_hashes,
    prose,
    protocols,
    sql,
    tokens,
    urls,
)
from operators_edge.redaction.columns import below_heading, listed
from operators_edge.redaction.place import is_no_output, place
from operators_edge.redaction.printed import FILES, PRINTING, below_name, filled_in, printed
from operators_edge.redaction.scanner import pattern
from operators_edge.redaction.secret_names import TELLING
from operators_edge.redaction.sentences import SPOKEN, stated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from operators_edge.redaction.finding import Finding
    from operators_edge.redaction.place import Look

_ENDS = (
    r"[^\W\d_]{0,4}+(?:[_ ](?i:key_base|key|hash|value|token|id))?\d?(?P<file>\.\w{1,8}+)?"
    r"(?P<sign>[ \t:=?]|[\w.-]{0,16}[\"']|[`*.)\]}>/]{0,2} ?(?:[|,;\r\n]|\Z))"
)

_ID = r"s?Ids?(?![a-z])"
"""``credentialsId``: which one it is."""

_OF_HEADING = "|│┃,;\t\r\n"


def beside(text: str, at: int, end: int) -> Iterable[Finding]:
    """What a sentence says, what stands below a heading, and what a command prints below."""
    found = pattern(_ENDS).match(text, end)
    if found is None or pattern(_ID).match(text, end):
        return ()
    if found["file"]:
        return below_name(text, at, end)
    sign, stop = found["sign"][-1:] or "\n", found.end()
    given = [*stated(text, at, end, sign, stop), *below_name(text, at, end)]
    after = text[stop : stop + 1]
    if sign in ",;" and after == " ":
        return given
    if sign in _OF_HEADING or (after and after in _OF_HEADING) or sign == after == " ":
        given += below_heading(text, at, stop + (sign in "\"' "))
    return given


def _below_short_heading(text: str, at: int, end: int) -> Iterable[Finding]:
    """A column of a name that is no telling one elsewhere."""
    return below_heading(text, at + 1 + (text[at + 1] == " "), end)


# fmt: off
PLACES: tuple[tuple[tuple[str, ...], Look], ...] = (
    (PRINTING, printed),
    (FILES, below_name),
    (("printf '", 'printf "'), filled_in),
    (("keys list", "list-keys", "listkeys", "credential show", "connection-string show", "keys renew", "key regenerate"), printed),
    ((*TELLING, *SPOKEN), beside),
    (tuple(f"{begin}{name}{end}" for begin, end in ((";", ";"), (";", "\n"), (",", ","), (",", "\n"), ("\t", "\t"), ("\t", "\n"), ("| ", " ")) for name in ("pass", "pw")),
     _below_short_heading),
    (tuple(f'{name}"' for name in ("columns", "headers", "fields", "column_names")), listed),
    (("key created", "token created", "secret created", "key generated", "token generated", "secret generated", "copy it now", "copy this", *(f"copy {of} {what}" for of in ("the", "your") for what in ("token", "key", "api key", "secret", "new ", "personal access token")), "able to see it again",
      "able to see this", "be shown again", "shown only once", "only be shown once", "only time", "be displayed again"), place(
        r"[^\n]{4,240}\n(?:[ \t]*\r?\n){0,3}[ \t>|$]{0,16}[\"'`]?(?P<value>[^\s\"'`]{16,512})[\"'`]?[ \t|]*(?:\r?\n|\Z)", "", "command", unless=is_no_output)),
    *key_material.PLACES,
    *tokens.PLACES,
    *password_hashes.PLACES,
    *codes.PLACES,
    *headers.PLACES,
    *urls.PLACES,
    *directives.PLACES,
    *protocols.PLACES,
    *commands.PLACES,
    *sql.PLACES,
    *calls.PLACES,
    *prose.PLACES,
)
# fmt: on

# end of module
