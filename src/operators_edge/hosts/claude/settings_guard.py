"""Whether the client may take up a changed file: a session keeps its gate, and nothing comes beside it.

Owns the answer to a change. Does not own the settings files (``hosts.claude.settings_files``) or what else
the client runs (``hosts.claude.foreign``).

The client asks for one file and then reads all of them again: a change that was refused would come in with
the next one that is not (observed with 2.1.329). So what it would load as a whole is judged. What was there
when the client started is the person's own choice, which is shown at that start; what came later waits for
the next start, no matter who wrote it. An edit of the person's own has the same effect then, and no sooner:
nothing shows that it was theirs.
"""

from __future__ import annotations

import os

from operators_edge.containment import store as containment_store
from operators_edge.hosts.claude import dialog_hooks, foreign, sandbox, wiring
from operators_edge.hosts.claude.event import context_of, session_of
from operators_edge.hosts.claude.settings_files import parsed, settings_of
from operators_edge.locations import known_home
from operators_edge.storage.files import read_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from operators_edge.hosts.claude.event import Event
    from operators_edge.hosts.claude.foreign import Entry
    from operators_edge.hosts.claude.settings_files import SettingsFile


def changed(event: Event, env: Mapping[str, str]) -> Event:
    """Answer ConfigChange: what the client would load now must not switch the gate off, or answer for it."""
    path, session = str(event.get("file_path") or ""), session_of(event)
    if path.endswith(".json"):
        why = why_unguarded(path, read_bytes(path) or b"{}", env, session)
    else:  # a skill, a command or their folder
        why = why_refused(session, env)
    if not why:
        return {}
    context_of(event, env).record("settings_refused", {"file": path, "why": why})
    return {
        "decision": "block",
        "reason": f"Operator's Edge keeps its hooks in this session: {why}",
    }


def why_refused(session: str, env: Mapping[str, str], settings: Iterable[SettingsFile] = ()) -> str:
    """What came since the client started and would run beside the gate; "" if nothing did."""
    entries = foreign.found(env.get("CLAUDE_PROJECT_DIR"), known_home(env), settings)
    came = foreign.new(session, entries, env)
    if not came:
        return ""
    return f"{_first(came)}, which came during it. Remove it, or restart the client to use it"


def _first(entries: list[Entry]) -> str:
    """The most important one, which can answer dialogs, and how many more there are."""
    first, *others = sorted(entries, key=lambda each: not each.answers)
    more = f" (and {len(others)} more)" if others else ""
    answers = ", which can answer in your place" if first.answers else ""
    return f"{first}{more}{answers}"


def present(session: str, env: Mapping[str, str]) -> str:
    """At the start of a session: note what the client loads, and say what can answer for the person."""
    root = env.get("CLAUDE_PROJECT_DIR")
    foreign.note(session, foreign.found(root, known_home(env)), env)
    entries = dialog_hooks.find(root, env)
    if not entries:
        return ""
    return (
        f"Operator's Edge: {_first(entries)}. So it asks by `/edge` and `edge approve`, not in a dialog. "
        f'If it is not yours, remove it; if it only notifies you, give it `"async": true`'
    )


def why_unguarded(path: str, data: bytes, env: Mapping[str, str], session: str = "unknown") -> str:
    """Why this session would lose the gate if the changed settings took effect; "" if it would not.

    ``data`` is what ``path`` holds now. Every settings file that the client reads counts: reloading one also
    applies an earlier, refused change of another.
    """
    root = env.get("CLAUDE_PROJECT_DIR") or os.path.dirname(os.path.dirname(path))
    files = {each.path: each for each in settings_of(root, known_home(env))}
    same = [each for each in files if os.path.realpath(each) == os.path.realpath(path)]
    path = same[0] if same else path
    files[path] = parsed(files[path].scope if path in files else "", path, data)
    if files[path].problem:
        return f"{path} is {files[path].problem}"
    is_plugin = bool(env.get("CLAUDE_PLUGIN_ROOT"))
    is_guarding = is_plugin
    runner = wiring.this_runner()
    for each in files.values():
        if isinstance(each.value, dict) and each.value.get("disableAllHooks") is True:
            return f"{each.path} switches all hooks off (disableAllHooks)"
        if is_plugin and wiring.enabled_plugin(each.value) is False:
            return f"{each.path} switches the plugin off (enabledPlugins)"
        is_guarding = is_guarding or wiring.is_guarding(each.value, runner)
    policy = containment_store.load(root, env)
    weaker = sandbox.weaknesses([*files.values()], policy) if policy is not None else []
    if weaker:
        return f"commands would not be contained as set up: {weaker[0]}"
    if not is_guarding:
        return f"with the current {path}, nothing runs the gate any more"
    return why_refused(session, env, files.values())


# end of module
