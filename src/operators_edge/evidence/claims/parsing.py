"""The clauses of a step's text that can make claims: English, without quotations.

Pure. Text in other languages is not interpreted: it claims nothing.
"""

from __future__ import annotations

from operators_edge.text.patterns import pattern


def any_of(words: str) -> str:
    """Patterns, separated by white space, as alternatives; ``_`` matches white space."""
    return "|".join(words.split()).replace("_", r"\s+")


class Words:
    """Any of some words, or of other patterns.

    Plain words and stems are looked up: a pattern of a hundred words takes longer to compile
    than a message takes to read.
    """

    def __init__(self, patterns: str, others: tuple[str, ...]) -> None:
        each = patterns.split()
        self._stems = tuple(one.removesuffix(r"\w*") for one in each if _is_stem(one))
        self._plain = {form for one in each if _is_plain(one) for form in _forms(one)}
        rest = " ".join(one for one in each if not _is_stem(one) and not _is_plain(one))
        either = (rf"\b(?:{any_of(rest)})\b",) if rest else ()
        self._rest = pattern(f"(?i){'|'.join((*either, *others))}") if either or others else None

    def search(self, text: str) -> bool:
        return any(map(self._has, _WORD.findall(text))) or (
            self._rest is not None and self._rest.search(text) is not None
        )

    def fullmatch(self, text: str) -> bool:
        return (_WORD.fullmatch(text) is not None and self._has(text)) or (
            self._rest is not None and self._rest.fullmatch(text) is not None
        )

    def _has(self, word: str) -> bool:
        low = word.lower()
        return low in self._plain or low.startswith(self._stems)


def _is_stem(one: str) -> bool:
    return one.endswith(r"\w*") and one.removesuffix(r"\w*").isalpha()


def _is_plain(one: str) -> bool:
    return one.removesuffix("?").isalpha()


def _forms(one: str) -> tuple[str, ...]:
    """The spellings of a plain word, of which the last letter may be optional: "tests?"."""
    return (one[:-1], one[:-2]) if one.endswith("?") else (one,)


def words(patterns: str, *others: str) -> Words:
    """A matcher for any of these words, see ``any_of``, or any of the other patterns."""
    return Words(patterns, others)


_OTHER_SCRIPT = pattern("[\u0370-\u1fff\u2c00-\u2dff\u2e80-\ud7ff\uf900-\ufaff\uff66-\uffdc]")
_WORD = pattern(r"\w+")
_OTHER_WORDS = words("""
    der das und nicht kein\\w* ist sind wurden? laufen grün für mit auf einen? erstellt geändert alle
    les des est sont avec pour tous toutes pas aucune? été dans ajouté\\w* une réussi\\w* passent
    los las una está\\w* todos todas pruebas con para que sin pasan ningun\\w* archivo
    não são testes foram uma dos nenhum\\w* gli sono della tutti passano nessun\\w*
    het een niet geen zijn worden slagen och inte är alla ikke nie są wszystkie testy
    ei ovat kaikki değil tüm testler läuft durch semua lulus
""")
_QUOTED = pattern(r"\"[^\"\n]*\s[^\"\n]*\"|(?<!\w)'[^'\n]*\s[^'\n]*'(?!\w)|“[^”]*”|«[^»]*»")
_NUMBERING = pattern(r"(?m)^\s*\d+[.)]\s+")
_CLAUSES = pattern(
    "(?<=[.;!])(?<!\\s\\.)(?<!\\.\\.\\.)\\s+|[;\n]|\\s[\u2013\u2014]\\s|\\s--\\s|\\s-\\s"
)


def is_english(text: str) -> bool:
    has_other_script = not text.isascii() and _OTHER_SCRIPT.search(text)
    return not has_other_script and not _OTHER_WORDS.search(text)


def clauses(text: str) -> list[str]:
    """The clauses of an English text without quotations, commands in backticks stay; none of any other."""
    if not is_english(text):
        return []
    lines = _NUMBERING.sub("- ", _QUOTED.sub(" … ", text))
    return [clause.strip() for clause in _CLAUSES.split(lines) if clause.strip()]


# end of module
