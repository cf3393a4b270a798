"""The source of a program that is compiled before it is run: ``cc -o build/t tests/t.c && ./build/t``.

Owns which of the commands so far has made a file, and from what. Pure but for ``Facts``. Does not own what
the source does (``gate.disk.whole_programs``). Loaded for programs that are no scripts.
"""

from __future__ import annotations

import os.path

from operators_edge.gate.disk.search import SearchPart, is_binary
from operators_edge.gate.invocation import invocation_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.gate.invocation import Invocation
    from operators_edge.shell.commands import Command

_SOURCES = (".c", ".cc", ".cpp", ".cxx", ".rs", ".go", ".zig", ".swift", ".hs")
_OBJECTS = (".o", ".a", ".obj")
_COMPILES = {"gcc": "", "go": "build", "swiftc": "", "zig": "build-exe"}
"""Programs of the packs that compile, with the verb for it."""
_MAX_SOURCES = 40


class BuiltPrograms(SearchPart):
    """What the commands so far compile."""

    def sources(self, path: str) -> Iterator[tuple[str, str]]:
        """Yield the files that a program is compiled from, and their texts."""
        compiled = self._all_compiled()
        left, seen = [path], set[str]()
        while left and len(seen) < _MAX_SOURCES:
            inputs = [one for inv in compiled.get(left.pop(0), ()) for one in self._inputs(inv)]
            for one in dict.fromkeys(inputs):
                if one in seen:
                    continue
                seen.add(one)
                text = self.follower.read(one, self.context)
                if one.endswith(_OBJECTS):
                    left.append(one)
                elif text is not None and not is_binary(text):
                    yield one, text

    def _all_compiled(self) -> dict[str, list[Invocation]]:
        """The commands that compile, by what they make; each is looked at once for all programs."""
        ran, (before, count, found) = self.context.ran, self.follower.compiled
        if before is not ran or count > len(ran):
            count, found = 0, {}
        for inv in filter(None, map(self._compiled, ran[count:])):
            for one in self._outputs(inv):
                found.setdefault(one, []).append(inv)
        self.follower.compiled = (ran, len(ran), found)
        return found

    def _compiled(self, command: Command) -> Invocation | None:
        inv = invocation_of(command, self.follower.rules)
        verb = _COMPILES.get(inv.program)
        is_one = verb is not None and (not verb or inv.first_operands() == verb)
        return inv if is_one else None

    def _outputs(self, inv: Invocation) -> list[str]:
        named = [one.text for one in inv.values(("-o",))]
        if not named and any(one.name == "-c" for one in inv.flags):
            names = (os.path.basename(one) for one in self._inputs(inv))
            named = [f"{os.path.splitext(one)[0]}.o" for one in names]
        folder = inv.working_folder(self.context)
        return [place for one in named or ["a.out"] if (place := self.context.resolve(one, folder))]

    def _inputs(self, inv: Invocation) -> list[str]:
        folder = inv.working_folder(self.context)
        found: list[str] = []
        for word in inv.operands:
            place = self.context.resolve(word.text, folder)
            if place is None:
                continue
            if place.endswith((*_SOURCES, *_OBJECTS)):
                found += self.search.files_below(folder, word.text) if "*" in place else [place]
            elif inv.program == "go":
                files = self.search.files_below(place, "*.go")
                found += [one for one in files if not one.endswith("_test.go")]
        return found


# end of module
