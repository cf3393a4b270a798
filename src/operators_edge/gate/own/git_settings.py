"""Settings of git in a new file that a line has made: nobody's, if git alone has written them.

Owns what shows that. Does not own what such settings run (``gate.disk.git_hooks``). Pure.
"""

from __future__ import annotations

from operators_edge.shell.commands import OWN_PATH
from operators_edge.shell.shell_options import leaves_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from operators_edge.shell.commands import Command

NAMED_BY = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM")


def is_set_by_git_alone(commands: Iterable[Command]) -> bool:
    """Whether nothing but settings by git can be in the new file of settings that a line has made."""
    for one in commands:
        words = [word.text for word in one.argv]
        is_named = any(OWN_PATH in word for word in words[1:])
        is_written = any(OWN_PATH in each.target.text for each in one.redirects)
        is_moved = any(name in NAMED_BY and to.text != OWN_PATH for name, to in one.assigns)
        is_of_git = words[:1] == ["git"] and not is_named
        is_removed = words[:1] in (["rm"], ["mktemp"], ["trap"])
        is_plain = not words or is_of_git or is_removed or leaves_files(words)
        if is_written or is_moved or one.is_remote or not is_plain:
            return False
    return True


# end of module
