"""Code that a program of R or Julia has from another machine and runs, by the address that it names.

Owns the calls that read code, and the names and files that stand for an address. Pure: text in, addresses
out. Does not own finding the files (``gate.disk.whole_programs``).
"""

from __future__ import annotations

import re
from functools import lru_cache

from operators_edge.shell.code.addresses import host_of, is_here
from operators_edge.shell.code.bracketed import upto
from operators_edge.text.patterns import pattern

_READS = pattern(
    r"(?<![\w.])(?:\w+::)?(?:sys\.source|source(?:_url|_gist|_python)?|eval|evaluate|include(?:_string)?)\s*\("
)
"""A call that runs the code which it reads."""
_ADDRESS = pattern(r"(?:https?|ftp)://[^\s\"'(){}<>]+")
_SET = pattern(
    r"(?m)(?:^|[;{(,])[ \t]*(?:const[ \t]+)?([A-Za-z_.][\w.]*)[ \t]*(?:<<?-|=)[ \t]*([^\n]+)"
)
_NAME = pattern(r"[A-Za-z_.][\w.]*")
_FETCHES = pattern(
    r"(?<![\w.])(?:\w+(?:::|\.))?(?:download(?:\.file|_file)?|curl_download|GET|req_perform|readLines)\s*\("
)
_NAMED_PLACE = pattern(r"\b(?:destfile|path)\s*=\s*([^,()]+)")
_SECOND = pattern(r",\s*([\"'][^\"'\n]+[\"']|[A-Za-z_.][\w.]*)")
_MAX_ROUNDS = 4


@lru_cache(maxsize=512)
def fetched(code: str) -> list[tuple[str, int]]:
    """Return the addresses of code that is run, each with the place of the call; ``code`` has no comments."""
    calls = list(_READS.finditer(code))
    known = _known(code) if calls else {}
    addresses: list[tuple[str, int]] = []
    for call in calls:
        given = upto(code, ")", call.end())
        found = _address_in(given, known)
        if not found and "gist" in call[0]:
            found = "https://gist.github.com/raw"
        is_code = "parse" in given or not call[0].rstrip("( ").endswith(("eval", "evaluate"))
        if found and is_code:
            addresses.append((found, call.start()))
    return addresses


def _known(code: str) -> dict[str, str]:
    """The names and files that stand for something at an address."""
    known: dict[str, str] = {}
    for _ in range(_MAX_ROUNDS):
        before = len(known)
        for name, value in _SET.findall(code):
            if found := _address_in(value, known):
                known.setdefault(name, found)
        for call in _FETCHES.finditer(code):
            given = upto(code, ")", call.end())
            place = _NAMED_PLACE.search(given) or _SECOND.search(given)
            if place and (found := _address_in(given, known)):
                known.setdefault(place[1].strip(), found)
        if len(known) == before:
            break
    return known


def _address_in(code: str, known: dict[str, str]) -> str:
    """The first address on another machine in an expression, written there or by a name."""
    for one in _ADDRESS.findall(code):
        if not is_here(host_of(one)):
            return str(one)
    texts = re.findall(r"[\"'][^\"'\n]*[\"']", code)
    names = _NAME.findall(re.sub(r"[\"'][^\"'\n]*[\"']", " ", code))
    return next((known[one] for one in (*texts, *names) if one in known), "")


# end of module
