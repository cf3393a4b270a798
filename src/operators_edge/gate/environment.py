"""Which Python environment an installer works on, as far as the command's text says.

Pure. Owns the question whether it is the environment that the product is installed in. Does not own where
that is (``system.installation``), or which commands install (``packs/product.toml``).
"""

from __future__ import annotations

import os.path

from operators_edge.locations import is_within
from operators_edge.shell.commands import HOLE, SOURCING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext
    from operators_edge.shell.commands import Command

_ACTIVATING = (*SOURCING, "export", "declare")


def is_products_own(inv: Invocation, context: CallContext) -> bool:
    """Whether the command may work on the environment that the product is installed in."""
    if inv.command.is_remote:
        return False
    base = inv.working_folder(context)
    if any(_is_own(text, base, context) for text in _named(inv)):
        return True
    if "/" in inv.command.argv[0].text:
        return False
    return context.place.is_active or any(
        _is_own(text, context.absolute_folder(one.cwd), context)
        for one in context.commands
        for text in _activated(one)
    )


def _named(inv: Invocation) -> Iterator[str]:
    """The paths that name an environment: the program's own, options' values, variables."""
    program = inv.command.argv[0].text
    if "/" in program:
        yield program
    for word in inv.values(inv.spec.get("environment_options", ())):
        yield word.text
    variables = inv.spec.get("environment_variables", ())
    for name, value in inv.command.assigns:
        if name in variables:
            yield value.text
        elif name == "PATH":
            yield from value.text.split(":")


def _activated(command: Command) -> Iterator[str]:
    """What a command before may have put first: an activated environment, a changed PATH."""
    words = [value.text for _, value in command.assigns] if not command.argv else []
    if command.argv and command.argv[0].text in _ACTIVATING:
        words += [word.text for word in command.argv[1:]]
    for text in words:
        yield from text.rpartition("=")[2].split(":")


def _is_own(text: str, base: str | None, context: CallContext) -> bool:
    path = context.resolve(text, base) if HOLE not in text and "/" in text else None
    return path is not None and holds(path, context)


def holds(path: str, context: CallContext) -> bool:
    """Whether a path is the product's environment, or in it, or in the folder of its packages."""
    place = context.place
    folders = [each for each in (place.environment, *place.libraries) if each]
    # The interpreter is a link out of the environment, so only its folder is followed.
    real = os.path.join(context.real(os.path.dirname(path)), os.path.basename(path))
    return any(is_within(one, folder) for one in (path, real) for folder in folders)


# end of module
