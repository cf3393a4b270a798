"""What a person or an agent said, shortened to the sentences that must not be lost.

Pure. A request's limits and what an answer leaves open can stand anywhere in it, so a long text is not cut
at its end: whole sentences go, those about what to do, to avoid and what remains the last. Does not own
redaction.
"""

# ruff: noqa: RUF001 - punctuation and words of other languages

from __future__ import annotations

from operators_edge.text.patterns import pattern
from operators_edge.text.wording import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

GAP = "…"
_LEAST = 24
"""A sentence is cut only if so much of it remains."""
_MAX_SENTENCES = 200

_FENCED = pattern(r"(?ms)^\s*(```|~~~).*?(?:^\s*\1\s*$|\Z)")
_BETWEEN = pattern(r"(?<=[.!?;:])\s+(?=\S)|(?<=[。！？；])|\s*\n\s*")
_LEADING = pattern(r"^(?:[#>*+\-|\s]|\d+[.)]\s|\[[ xX]\]\s)+")

_MATTERS = pattern(
    r"(?i)\b(?:not|n't|don'?t|never|no|none|only|without|unless|until|must|must'?nt|keep|leave|avoid|except|instead"
    r"|still|yet|next|then|will|remain\w*|left|todo|open|pending|missing|wait\w*|need\w*|fail\w*|broken|blocked"
    r"|half|partly|should|can'?t|cannot|before|after|stop|forbidden|allowed"
    r"|nicht|kein\w*|nie|nur|ohne|muss|müssen|darf|dürfen|bleib\w*|lass\w*|bis|noch|fehl\w*|offen\w*|später|statt"
    r"|pas|jamais|seulement|sans|doit|doivent|garde\w*|laisse\w*|sauf|encore|reste\w*|manque\w*|ensuite|jusqu"
    r"|nunca|solo|sólo|sin|debe\w*|mantener|manten\w*|dejar?|salvo|falta\w*|todavía|aún|luego|pendiente\w*|hasta"
    r"|não|apenas|sem|deve\w*|mante\w*|deixe?\w*|exceto|ainda|depois|pendente\w*|até"
    r"|non|mai|solo|senza|deve|devono|mantieni|lascia\w*|tranne|ancora|manca\w*|poi|fino"
    r"|niet|geen|nooit|alleen|zonder|moet\w*|blijf\w*|laat|behalve|nog|ontbre\w*|daarna|tot"
    r"|inte|ikke|aldrig|bara|kun|utan|uden|måste|skal|behåll\w*|ännu|endnu|saknas|mangler"
    r"|nie|nigdy|tylko|bez|musi\w*|zostaw\w*|jeszcze|brakuje|potem|ne|jen|musí|ještě|chybí"
    r"|не|нельзя|никогда|только|без|должн\w*|остав\w*|кроме|ещё|еще|осталось|потом|пока|нужно"
    r"|değil|asla|sadece|olmadan|henüz|sonra|kalan|không|đừng|chỉ|còn|chưa|jangan|hanya|tanpa|harus|belum|masih)\b"
    r"|n't\b|[?？]|不|别|別|勿|只|仅|僅|必须|必須|保留|还|還|未|没|沒|接下来|下一步|剩|除了"
    r"|ない|ません|だけ|のみ|まだ|必ず|残|次に|않|말|아직|만|남|반드시|다음|नहीं|केवल|لا|فقط|بدون|לא|רק|ไม่|ห้าม|เฉพาะ"
)


def matters(text: str) -> bool:
    """Whether the text says what to avoid or to keep, what remains, or asks something."""
    return _MATTERS.search(text) is not None


def gist(text: str, room: int, *, weigh: Callable[[str], int] = len) -> str:
    """The text on one printable line, at most ``room`` by ``weigh``; a gap shows where sentences went."""
    whole = one_line(text, len(text) + 1)
    if weigh(whole) <= room:
        return whole
    sentences = list(_sentences(text)) or [whole]
    kept: dict[int, str] = {}
    for number in _by_rank(sentences):
        left = room - weigh(_joined(kept, len(sentences))) - weigh(GAP) * 2 - 2
        sentence = sentences[number]
        if weigh(sentence) > left:
            is_needed = not kept or matters(sentence)
            sentence = _cut(sentence, left, weigh) if is_needed and left >= _LEAST else ""
        if sentence:
            kept[number] = sentence
    return _joined(kept, len(sentences))


def _sentences(text: str) -> Iterator[str]:
    """Sentences and list items, without the markup before them; what a fence holds is no sentence."""
    prose = _FENCED.sub("\n", text)
    for each in _BETWEEN.split(prose)[:_MAX_SENTENCES]:
        if plain := one_line(_LEADING.sub("", each), len(each) + 1):
            yield plain


def _by_rank(sentences: list[str]) -> list[int]:
    """The first sentence, those that matter from the last to the first, and then the others."""
    last = len(sentences) - 1

    def rank(number: int) -> tuple[int, int]:
        if number == 0:
            return (0, 0)
        if matters(sentences[number]):
            return (1, -number)
        return (2 if number == last else 3, number)

    return sorted(range(len(sentences)), key=rank)


def _cut(sentence: str, room: int, weigh: Callable[[str], int]) -> str:
    """The beginning of a sentence, ended by the sign of a cut."""
    short = sentence[: max(0, room - 1)]
    while short and weigh(short + GAP) > room:
        short = short[: -max(1, len(short) // 16)]
    return short.rstrip() + GAP if short else ""


def _joined(kept: dict[int, str], count: int) -> str:
    """The kept sentences in their order, with a gap where one is missing."""
    parts: list[str] = []
    before = -1
    for number in sorted(kept):
        if number != before + 1 and not (parts and parts[-1].endswith(GAP)):
            parts.append(GAP)
        parts.append(kept[number])
        before = number
    if parts and before != count - 1 and not parts[-1].endswith(GAP):
        parts.append(GAP)
    return " ".join(parts)


# end of module
