"""How the words of a command are read: what was left out is filled in, what is well-formed becomes arguments.

Owns the order of words and options, and how declared arguments take them. Does not own what is said of words
that are not well-formed, nor the help: that is argparse (``cli.parser``), which takes longer to load and to
set up than most commands take to run.
"""

from __future__ import annotations

from types import MappingProxyType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from operators_edge.cli.command import Arg

DASH = "put -- before a text that begins with a dash"


def with_fields(words: Iterable[str]) -> Iterator[str]:
    """``--json=FIELDS`` as two options: one of argparse takes a value always, or never."""
    rest = iter(words)
    for word in rest:
        if word == "--":
            yield from (word, *rest)
        elif word.startswith("--json="):
            yield from ("--json", f"--fields={word.removeprefix('--json=')}")
        else:
            yield word


def meant_by(
    word: str,
    names: Iterable[str],
    cutoff: float = 0.6,
    shown: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Asks whether one of the names was meant that are spelled like the word; "" if there is none."""
    import difflib  # noqa: PLC0415 - most commands are spelled right

    near = difflib.get_close_matches(word, [*names], cutoff=cutoff)
    near = [shown.get(each, each) for each in near]
    return f"; did you mean {' or '.join(near)}?" if near else ""


_ALONE = ("--json", "--debug", "--quiet", "-q", "--yes", "-y", "--no-input", "--no-pager")
_WITH_VALUE = ("--project", "-C", "--color")


def verb_first(
    verbs: Collection[str],
    *,
    other: str,
    alone: str,
    has_options: bool = True,
    renamed: Callable[[list[str]], list[str]] = list,
) -> Callable[[list[str]], list[str]]:
    """Fills in the verb that was left out: ``other`` before other words, ``alone`` where there are none.

    An empty name fills nothing in. ``has_options``: also where only its options follow. ``renamed`` knows old
    names. What every command takes may come before the verb.
    """

    def filled(words: list[str]) -> list[str]:
        at = 0
        while at < len(words) and words[at].split("=", 1)[0] in (*_ALONE, *_WITH_VALUE):
            at += 1 + (words[at] in _WITH_VALUE)
        options, rest = words[:at], renamed(words[at:])
        if rest[:1] and rest[0] in ("-h", "--help"):
            return words
        if rest and rest[0] in verbs:
            return [rest[0], *options, *rest[1:]]
        verb = alone if not rest or (has_options and rest[0].startswith("-")) else ""
        verb = other if rest and other else verb
        return [verb, *words] if verb else words

    return filled


# -- without argparse ------------------------------------------------------------------------------


class _Doubtful(Exception):
    """These words are not well-formed, or need more than is known here."""


def arguments(words: Iterable[str], groups: Sequence[Sequence[Arg]]) -> dict[str, Any] | None:
    """Return each argument's value by its name, just as argparse does; None for words that are doubtful.

    Of the arguments in one group only one may be given.
    """
    try:
        return _arguments(words, groups)
    except _Doubtful:
        return None


def _arguments(words: Iterable[str], groups: Sequence[Sequence[Arg]]) -> dict[str, Any]:
    every = [each for group in groups for each in group]
    options = {name: each for each in every if each.is_option for name in each.names}
    values: dict[str, Any] = {}
    for each in every:
        values.setdefault(each.dest, each.default)
    given: list[Arg] = []
    texts: list[str] = []
    rest = with_fields(words)
    for word in rest:
        if not word.startswith("-") or word == "-":
            texts.append(word)
            continue
        name, mark, value = word.partition("=")
        option = options.get(name)
        if option is None:
            raise _Doubtful
        given.append(option)
        values[option.dest] = _of_option(option, rest, value if mark else None, values[option.dest])
    for place, taken in _shared([each for each in every if not each.is_option], texts):
        if taken:
            given.append(place)
            found = [_one(place, text) for text in taken]
            values[place.dest] = found if place.takes in ("*", "+") else found[0]
        elif place.takes == "*" and place.default is None:
            values[place.dest] = []
    if any(sum(each in given for each in group) > 1 for group in groups):
        raise _Doubtful
    return values


def _of_option(option: Arg, rest: Iterator[str], value: str | None, before: Any) -> Any:
    """What an option's name has after it, in the same word or in the next."""
    constant = {
        "store_true": True,
        "store_false": False,
        "store_const": option.options.get("const"),
    }
    if option.action in constant and value is None:
        return constant[option.action]
    if option.action not in ("store", "append") or option.takes:
        raise _Doubtful
    if value is None:
        value = next(rest, "-")
        if value.startswith("-"):
            raise _Doubtful
    found = _one(option, value)
    return [*before, found] if option.action == "append" else found


def _one(taker: Arg, text: str) -> Any:
    choices = taker.options.get("choices")
    try:
        found = taker.options.get("type", str)(text)
    except (TypeError, ValueError):
        raise _Doubtful from None
    if choices is not None and found not in choices:
        raise _Doubtful
    return found


def _shared(places: Sequence[Arg], texts: list[str]) -> Iterator[tuple[Arg, list[str]]]:
    """Each place with its texts: the first ones take as many as the later ones leave them."""
    needed = [int(each.takes in ("", "+")) for each in places]
    left = len(texts) - sum(needed)
    if left < 0:
        raise _Doubtful
    at = 0
    for place, least in zip(places, needed, strict=True):
        more = {"": 0, "?": min(left, 1)}.get(place.takes, left)
        left -= more
        yield place, texts[at : at + least + more]
        at += least + more
    if left:
        raise _Doubtful


# end of module
