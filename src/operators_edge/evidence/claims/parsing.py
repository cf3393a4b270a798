"""What of a step's words is read at all: English, outside of quotes, one clause at a time.

Pure. Owns what counts as unreadable. Other languages are not guessed at: their words claim nothing here.
"""

from __future__ import annotations

import re

CRITERIA = ("description", "verification")
"""These may say what should be; of a completed step it is claimed."""


def any_of(words: str) -> str:
    """White space separated patterns as alternatives; ``_`` stands for white space."""
    return "|".join(words.split()).replace("_", r"\s+")


_OTHER_SCRIPT = re.compile("[\u0370-\u1fff\u2c00-\u2dff\u2e80-\ud7ff\uf900-\ufaff\uff66-\uffdc]")
_OTHER_WORDS = re.compile(
    r"(?i)\b(?:"
    + any_of("""
    der das und nicht kein\\w* ist sind wurden? laufen grün für mit auf einen? erstellt geändert alle
    les des est sont avec pour tous toutes pas aucune? été dans ajouté\\w* une réussi\\w* passent
    los las una está\\w* todos todas pruebas con para que sin pasan ningun\\w* archivo
    não são testes foram uma dos nenhum\\w* gli sono della tutti passano nessun\\w*
    het een niet geen zijn worden slagen och inte är alla ikke jest(?=_) nie są wszystkie testy
    ei ovat kaikki değil tüm testler
    """)
    + r")\b"
)
_ENGLISH_TOO = re.compile(r"(?i)\bjest\b")
_QUOTED = re.compile(r"\"[^\"\n]*\s[^\"\n]*\"|(?<!\w)'[^'\n]*\s[^'\n]*'(?!\w)|“[^”]*”|«[^»]*»")
_CLAUSES = re.compile(
    "(?<=[.;!])(?<!\\s\\.)(?<!\\.\\.\\.)\\s+|[;\n]|\\s[\u2013\u2014]\\s|\\s--\\s|\\s-\\s"
)


def is_read(text: str) -> bool:
    """False for words of another language."""
    return not _OTHER_SCRIPT.search(text) and not _OTHER_WORDS.search(_ENGLISH_TOO.sub("", text))


def unquoted(text: str) -> str:
    """The words without what they only quote; a command in backticks stays."""
    return _QUOTED.sub(" … ", text)


def clauses(text: str) -> list[str]:
    return [clause.strip() for clause in _CLAUSES.split(text) if clause.strip()]
