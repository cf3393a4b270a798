"""Facts that an approval is bound to, how two measurements differ, and the sentences about it.

Pure. Owns the form in which facts are stored. Does not own how they are measured
(``approvals.binding.service``) or which grant a call needs (``approvals.junction``).
"""

from __future__ import annotations

from operators_edge.gate.fingerprint import canonical
from operators_edge.system.digest import sha256_hex
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Literal

    Side = Literal["target", "content"]

MAX_FACTS = 32
"""Facts that are stored one by one; the others are stored as one digest."""

CLASS_LENGTH = 12
"""Characters of a class's fingerprint that name it in a fact."""


COMMIT, FILE, FOLDER, INPUT, LINE, PROGRAM = "commit", "file", "folder", "input", "line", "program"
REPOSITORY, SETTINGS, TREE, URL, VARIABLE = "repository", "settings", "tree", "url", "variable"
OPTIONS, _OTHERS = "options", "others"


class BoundFact(NamedTuple):
    """One thing that was measured about a call.

    ``value`` is what a person can read (an address, a commit, a folder), ``digest`` a keyed hash of what may
    not be stored. ``side``: the *target* is where the call goes, the *content* what it takes there. ``of``
    names the class of calls (``class_name``) that it was measured for, "" is the whole call. ``place`` is the
    folder it was measured in. ``unknown`` says why it could not be measured. ``stays``: the call itself does
    not change it, so it can be compared after the call.
    """

    kind: str
    name: str = ""
    value: str = ""
    digest: str = ""
    side: Side = "content"
    of: str = ""
    place: str = ""
    unknown: str = ""
    stays: bool = True

    @property
    def key(self) -> tuple[str, ...]:
        return self.kind, self.name, self.of, self.place

    def is_same_as(self, other: BoundFact) -> bool:
        mine, others = (
            (self.value, self.digest, self.unknown),
            (other.value, other.digest, other.unknown),
        )
        return mine == others


class Difference(NamedTuple):
    """A fact as it was and as it is; None where it was not, or is no longer, part of the call."""

    before: BoundFact | None
    now: BoundFact | None

    @property
    def fact(self) -> BoundFact:
        fact = self.now or self.before
        assert fact is not None  # noqa: S101 - one of the two is there by construction
        return fact


Binding = tuple[BoundFact, ...]


def class_name(fingerprint: str) -> str:
    """The name under which facts refer to a class of calls."""
    return fingerprint[:CLASS_LENGTH]


def differences(before: Iterable[BoundFact], now: Iterable[BoundFact]) -> list[Difference]:
    """What is not the same in two measurements of a call, in the order of the later one."""
    was = {fact.key: fact for fact in before}
    found = []
    for fact in now:
        earlier = was.pop(fact.key, None)
        if earlier is None or not earlier.is_same_as(fact):
            found.append(Difference(earlier, fact))
    return found + [Difference(fact, None) for fact in was.values()]


def target_of(facts: Iterable[BoundFact], fingerprint: str) -> Binding:
    """The facts that say where the calls of a class go."""
    name = class_name(fingerprint)
    return tuple(fact for fact in facts if fact.side == "target" and fact.of in ("", name))


def is_same_target(
    granted: Iterable[BoundFact], now: Iterable[BoundFact], fingerprint: str
) -> bool:
    """Whether a call goes where a grant for its class says; what is not known is not the same."""
    target = target_of(now, fingerprint)
    is_known = not any(fact.unknown for fact in target)
    return is_known and not differences(target_of(granted, fingerprint), target)


def unknowns(facts: Iterable[BoundFact]) -> list[str]:
    """What could not be measured, a phrase each."""
    return list(dict.fromkeys(f"{_noun(fact)} ({fact.unknown})" for fact in facts if fact.unknown))


def target_text(facts: Iterable[BoundFact]) -> str:
    """Where a call goes, for a person: "to ADDRESS from FOLDER"; without an address, "in FOLDER"."""
    target = [fact for fact in facts if fact.side == "target"]
    urls = dict.fromkeys(fact.value for fact in target if fact.kind == URL and fact.value)
    places = dict.fromkeys(fact.value for fact in target if fact.kind == REPOSITORY and fact.value)
    parts = [f"to {', '.join(urls)}"] if urls else []
    parts += [f"{'from' if urls else 'in'} {each}" for each in places]
    options = dict.fromkeys(fact.value for fact in target if fact.kind == OPTIONS and fact.value)
    parts += [f"with {each}" for each in options]
    unknown = [f"{_noun(fact)} not known" for fact in target if fact.unknown]
    return "; ".join(dict.fromkeys(filter(None, [" ".join(parts), *unknown])))


def address_text(facts: Sequence[BoundFact]) -> str:
    """The same for a card, whose row begins with "To"; "" for a call that goes to no address."""
    has_address = any(fact.kind == URL for fact in facts)
    return target_text(facts).removeprefix("to ") if has_address else ""


# -- sentences -------------------------------------------------------------------------------------


def sentence(change: Difference) -> str:
    """What is different, in one short sentence."""
    before, now = change.before, change.now
    if now is None:
        gone = "is gone" if change.fact.kind in (FILE, FOLDER, SETTINGS) else "no longer matters"
        return f"{_noun(change.fact)} {gone}"
    if now.unknown:
        return f"{_noun(now)} could not be compared: {now.unknown}"
    if now.kind == LINE:
        return "the commands around it on the line have changed"
    shown = short(now)
    if not shown:
        return f"{_noun(now)} {'changed' if before else 'is new'}"
    was = short(before) if before and not before.unknown else ""
    return f"{_noun(now)} is now {shown}" + (f", was {was}" if was else "")


def short(fact: BoundFact) -> str:
    return fact.value[:10] if fact.kind == COMMIT else fact.value


_NOUNS = {
    COMMIT: "{}",
    FILE: "{}",
    FOLDER: "{}",
    INPUT: "what the tool is given",
    LINE: "the rest of the line",
    OPTIONS: "where the options lead",
    PROGRAM: "the program {}",
    REPOSITORY: "the repository",
    SETTINGS: "{}",
    TREE: "the working tree",
    URL: "the address of {}",
    VARIABLE: "{}",
    _OTHERS: "{} more files or settings",
}


def _noun(fact: BoundFact) -> str:
    return _NOUNS.get(fact.kind, "{}").format(fact.name)


# -- stored ----------------------------------------------------------------------------------------


def bounded(facts: Sequence[BoundFact]) -> Binding:
    """The same facts, few enough to store: those beyond the limit become one for each side and class."""
    ranked = sorted(facts, key=lambda fact: (fact.side != "target", fact.kind in (FILE, FOLDER)))
    kept, rest = ranked[:MAX_FACTS], ranked[MAX_FACTS:]
    groups: dict[tuple[Side, str], list[BoundFact]] = {}
    for fact in rest:
        groups.setdefault((fact.side, fact.of), []).append(fact)
    for (side, of), some in groups.items():
        digest = sha256_hex(canonical([list(fact) for fact in some]))[:32]
        unknown = next((fact.unknown for fact in some if fact.unknown), "")
        stays = all(fact.stays for fact in some)
        kept.append(BoundFact(_OTHERS, str(len(some)), "", digest, side, of, "", unknown, stays))
    return tuple(kept)


def as_data(facts: Iterable[BoundFact]) -> list[dict[str, Any]]:
    """For a file: only what differs from the defaults."""
    empty = BoundFact("")._asdict()
    return [
        {key: value for key, value in fact._asdict().items() if value != empty[key]}
        for fact in facts
    ]


def of_data(data: object) -> Binding:
    """What ``as_data`` was made from; entries in another form, as after a manual edit, are left out."""
    found = []
    for entry in data if isinstance(data, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("kind"), str):
            known = {key: entry[key] for key in BoundFact._fields if key in entry}
            found.append(BoundFact(**known))
    return tuple(found)


# end of module
