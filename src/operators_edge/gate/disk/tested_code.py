"""Which functions of a compiled program its tests call, by their names.

Owns following the names from the files of tests through the functions of the others. Pure: text in,
places out. A name may stand for several functions: then all of them count. Does not own what they do
(``shell.code.client_calls``).
"""

from __future__ import annotations

from operators_edge.gate.disk.process_calls import functions_of
from operators_edge.text.patterns import pattern, without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_WORD = pattern(r"[A-Za-z_]\w*")
_BY_ITSELF = frozenset(
    "main init setUp tearDown invoke apply call drop fmt toString String Error ServeHTTP RoundTrip"  # noqa: SIM905
    " MarshalJSON UnmarshalJSON Read Write Close".split()
)
"""Functions that nothing has to name: a library calls some of them."""
_MARKED = pattern(r"@\w[^\n]*\n\s*\Z|\]\s*\Z")


def is_called(files: Mapping[str, str], tests: Mapping[str, str], path: str, at: int) -> bool:
    """Whether a place in a file is in a test, in no function, or in one that tests call in turn."""
    if path in tests:
        return True
    words = {word for text in tests.values() for word in _WORD.findall(text)}
    left = []
    for name, code in files.items():
        if name in tests:
            continue
        outside = code
        for one in functions_of(code):
            left.append((name, one, code[one.start : one.end]))
            outside = without(outside, one.start, one.end)
            if one.name in _BY_ITSELF or _MARKED.search(code[max(0, one.start - 200) : one.start]):
                words.add(one.name)
        words.update(_WORD.findall(outside))
    around = [(name, one) for name, one, _ in left if name == path and one.start <= at < one.end]
    is_growing = bool(around)
    while is_growing:
        called = [body for _, one, body in left if one.name in words]
        left = [each for each in left if each[1].name not in words]
        is_growing = bool(called)
        words.update(word for body in called for word in _WORD.findall(body))
    return not around or any(one.name in words for _, one in around)


# end of module
