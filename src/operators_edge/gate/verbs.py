"""The verb of a command or tool of a remote system: whether its words say that it only reads.

Pure. Owns how words are read as verbs: ``list-tags``, ``DescribeInstances``, ``apps:info``, ``net-delete``.
Does not own the words (``[verbs]`` in the packs) or which programs are judged so (the key ``verb_at``).
"""

from __future__ import annotations

from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

READS, MAY_READ, ACTS, MAY_ACT = "reads", "may_read", "acts", "may_act"
"""The lists of ``[verbs]``. Words that ``may`` be verbs name groups, too: a verb behind them decides."""
SURE = (READS, ACTS)

_PART = pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_VERB = pattern(r"[A-Za-z][\w:-]*\Z")


def parts_of(name: str) -> list[str]:
    """Return the words that a name is made of: ``createIssue`` and ``create-issue`` are create, issue."""
    return [part.lower() for part in _PART.findall(name)]


def kind_of(parts: Sequence[str], verbs: Mapping[str, str]) -> str:
    """Return the list of ``[verbs]`` that a word of these parts belongs to; "" for none.

    Its verb is the first part or the last one (``server-delete``), else one between (``batch-get-image``).
    """
    kinds = [verbs.get(part, "") for part in parts]
    if len(kinds) < 2 or kinds[0] in SURE:
        return kinds[0] if kinds else ""
    if kinds[-1] in SURE and (len(kinds) == 2 or kinds[0] != MAY_ACT):
        return kinds[-1]
    # The last part may be what it acts on: "dispose-versions".
    return kinds[0] or next((kind for kind in kinds[1:-1] if kind in SURE), "")


class Verb:
    """What the words of a command say, one after another; ``verbs`` maps words to their list of ``[verbs]``.

    Words before the place ``first`` are groups, unless there is one word alone. ``place`` is that of the
    word that says most.
    """

    def __init__(self, verbs: Mapping[str, str], first: int, *, is_alone: bool = False) -> None:
        self._verbs = verbs
        self._first = first
        self._is_alone = is_alone
        self._count = 0
        self._words = 0  # but for what may be values of options
        self._kind = ""
        self._is_over = False  # what follows is no verb, but a name, a path, a number
        self._is_plural = False
        self.place = 0

    @property
    def is_sure(self) -> bool:
        return self._kind in SURE or self._is_over

    @property
    def may_read(self) -> bool:
        return self._kind == MAY_READ

    @property
    def says_acts(self) -> bool:
        return self._kind in (ACTS, MAY_ACT)

    @property
    def is_unknown(self) -> bool:
        """Whether no word is known as a verb; a group alone prints help, its plural lists what is in it."""
        is_group = self._words == 1 and self._first > 1
        is_listed = self._is_plural and (self._words == 1 or self._first > 1)
        return self._count > 0 and not self._kind and not is_group and not is_listed

    def add(self, word: str, *, is_value: bool) -> None:
        """Take the next word; ``is_value``: it may be the value of an option."""
        self._count += 1
        if is_value:
            return
        self._words += 1
        self._is_plural = False
        if not _VERB.match(word):
            self._is_over = True
            return
        verb = word.rpartition(":")[2]
        self._is_plural = (
            verb.islower() and verb.isalpha() and verb[-1] == "s" and verb[-2:] != "ss"
        )
        is_group = self._count < self._first and not self._is_alone
        kind = "" if is_group else kind_of(parts_of(verb), self._verbs)
        if kind or not self._kind:
            self._kind, self.place = kind or self._kind, self._count - 1


# end of module
