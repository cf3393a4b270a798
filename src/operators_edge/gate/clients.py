"""Agents that a command starts: whether Claude Code, started like this, would load our hooks.

Pure but for ``Facts``. Does not own the options and programs (``packs/clients.toml``).

The client reads the person's settings and those of the folder in which it starts, or of the repository
around it; in a linked worktree also those of its main working tree (observed with 2.1.329).
"""

from __future__ import annotations

import os.path

from operators_edge.gate import embedded_code
from operators_edge.gate.invocation import brings, sources_and_targets
from operators_edge.shell.commands import HOLE, Word
from operators_edge.system import launch
from operators_edge.text.patterns import found_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext

_SOURCES = ("user", "project", "local")
_MAX_SETTINGS = 1_000_000
_MANAGED = (
    "/etc/claude-code/managed-settings.json",
    "/Library/Application Support/ClaudeCode/managed-settings.json",
)


def is_guarded(inv: Invocation, context: CallContext) -> bool:
    """Whether settings that run our hooks are among those that this client reads."""
    if any(_runs_us(path, context) for path in _MANAGED):
        return True
    sources = set(_SOURCES)
    for word in inv.values(("--setting-sources",)):
        sources &= set() if HOLE in word.text else {each.strip() for each in word.text.split(",")}
    return any(_runs_us(path, context) for path in _settings(sources, inv, context))


def _settings(sources: set[str], inv: Invocation, context: CallContext) -> Iterator[str]:
    if "user" in sources:
        yield os.path.join(context.home, ".claude", "settings.json")
    folder = inv.working_folder(context)
    for root in _roots(folder, context) if folder else ():
        if "project" in sources:
            yield os.path.join(root, ".claude", "settings.json")
        if "local" in sources:
            yield os.path.join(root, ".claude", "settings.local.json")


def _roots(folder: str, context: CallContext) -> tuple[str, ...]:
    """The folders whose settings count for a client that starts in this one."""
    repository = context.facts.repository(folder)
    if repository is None:
        return (folder,)
    top, git_folder = repository
    return top, os.path.dirname(git_folder)


def _runs_us(path: str, context: CallContext) -> bool:
    text = context.facts.text(path, _MAX_SETTINGS) or ""
    return found_in(launch.MARK, text) and not found_in(r'"disableAllHooks"\s*:\s*true', text)


def brings_hooks(inv: Invocation, operands: list[Word], context: CallContext) -> bool:
    """Whether one of the files that a call writes gets a text with hooks in its frontmatter."""
    words = [*operands, *inv.written] if inv.program == "@edit" else inv.written
    paths = [context.resolve(word.text, inv.working_folder(context, word)) for word in words]
    return any(path and _gets_hooks(path, context) for path in paths)


def _gets_hooks(path: str, context: CallContext) -> bool:
    from operators_edge.text import frontmatter  # noqa: PLC0415 - few calls write such a file

    after = context.written_texts.get(path) or ""
    if not frontmatter.may_add_hooks(after):
        return False
    before = context.facts.text(path, _MAX_FRONTMATTER) or ""
    return not before or frontmatter.block(before) != frontmatter.block(after)


_MAX_FRONTMATTER = 65_536

_EDITOR_SETTINGS = (
    r"(?i)/\.(?:vscode|cursor|windsurf|zed)/settings\.json\Z|/(?:User(?:/profiles/[^/]+)?|zed)/settings\.json\Z"
    r"|\.code-workspace\Z"
)
_NOT_OFF = r"(?!\w|['\"\]\s]*[:=]\s*(?:false|0|\[\]|\{\}|['\"]?(?:off|never))(?!\w))"
_LETS_ACT = (
    rf"(?i)\bauto_?(?:approv|accept)\w*{_NOT_OFF}|dangerously_?skip_?permissions{_NOT_OFF}"
    rf"|always_allow_tool_actions{_NOT_OFF}|\bcursor\.\S*auto_?run\w*{_NOT_OFF}|cascadeCommandsAllowList{_NOT_OFF}"
    rf"|\b(?:roo-cline|cline|kilo-code)\.allowedCommands{_NOT_OFF}"
    r"|permission_?mode['\"\]\s]*[:=]\s*['\"]?(?:bypass|dontAsk)"
)
"""Settings with which the agents of an editor do something without asking, unless they are off."""


def lets_agents_act(inv: Invocation, operands: list[Word], context: CallContext) -> bool:
    """Whether a call writes settings of an editor that let its agents act without a question."""
    code = inv.codes
    words = [*operands, *inv.written] if inv.program == "@edit" else list(inv.written)
    words += [Word(path) for one in code for path in embedded_code.find_written_paths(one.text)]
    paths = (context.resolve(word.text, inv.working_folder(context, word)) for word in words)
    if not any(found_in(_EDITOR_SETTINGS, path) for path in paths if path):
        return False
    texts = (context.text, context.code, *(one.text for one in code), *_copied(inv, context))
    return any(found_in(_LETS_ACT, text) for text in texts)


def _copied(inv: Invocation, context: CallContext) -> Iterator[str]:
    """The texts of the files that the command copies or moves."""
    for word in sources_and_targets(inv)[0] if brings(inv)[0] == "copy" else ():
        path = context.resolve(word.text, inv.working_folder(context, word))
        if path is not None:
            yield context.written_texts.get(path) or context.facts.text(path, _MAX_SETTINGS) or ""


# end of module
