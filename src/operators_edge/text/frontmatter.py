"""The frontmatter of a skill, command or agent: the lines between two ``---`` at its start.

Owns finding it, and whether it brings hooks, which the client runs as those of a settings file. Errs towards
True: YAML has many spellings of a key.
"""

from __future__ import annotations

import re

from operators_edge.text.patterns import pattern

_BLOCK = pattern(r"\A\ufeff?\s*---[ \t]*\r?\n(.*?)(?:\r?\n---[ \t]*(?:\r?\n|\Z)|\Z)", re.DOTALL)
_EVENTS = (
    "PreToolUse|PostToolUse|PostToolUseFailure|PostToolBatch|PermissionRequest|PermissionDenied"
    "|UserPromptSubmit|UserPromptExpansion|SessionStart|SessionEnd|Stop|SubagentStart|SubagentStop"
    "|Notification|PreCompact|ConfigChange|Setup"
)
_HOOKS = pattern(r"""(?:^|[{,?])\s*["']?hooks["']?\s*:""", re.MULTILINE)
_ESCAPED_KEY = pattern(r'"[^"\n]*\\[^"\n]*"\s*:')
_EVENT_KEY = pattern(rf"""(?:^|[{{,?])\s*["']?(?:{_EVENTS})["']?\s*:""", re.MULTILINE)


def block(text: str) -> str:
    """The frontmatter of a file; "" without one."""
    found = _BLOCK.match(text)
    return found[1] if found else ""


def has_hooks(text: str) -> bool:
    """Whether the file brings hooks."""
    return bool(_HOOKS.search(block(text)) or _ESCAPED_KEY.search(block(text)))


def answers_dialogs(text: str) -> bool:
    """Whether a hook of the file may answer the client's dialog in the person's place."""
    head = block(text)
    return has_hooks(text) and ("PermissionRequest" in head or "\\" in head)


def may_add_hooks(text: str) -> bool:
    """Whether a part of such a file, as an edit writes it, may belong to hooks."""
    return (
        has_hooks(text)
        or bool(_HOOKS.search(text) and _EVENT_KEY.search(text))
        or bool(_EVENT_KEY.search(text) and re.search(r"""["']?(command|type)["']?\s*:""", text))
    )


# end of module
