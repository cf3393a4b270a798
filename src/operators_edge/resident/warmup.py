"""Sample calls in a temporary project, so that their code is imported before the first real call.

The calls import what they need, so no list of modules has to be maintained.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import zlib

from operators_edge.git import blobs
from operators_edge.hosts.claude import events as claude_events
from operators_edge.locations import STATE_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_STATE = """\
schema_version: 4
objective: warm up
plan: [{description: look around, status: in_progress}]
constraints: []
memory: [{trigger: "git push", lesson: test first}]
"""

_COMMIT = b"tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n\nwarm up\n"

_PREFIX = "warmup-"

_LOOP = 'for each in "$@"; do git push "$each"; done'


def warm_up(folder: str | None = None) -> None:
    """Answer one call of each kind; nothing remains but the imported modules.

    The project is created in ``folder``, which no other process warms up in; leftovers there are deleted.
    """
    for name in os.listdir(folder) if folder else ():
        if name.startswith(_PREFIX):
            shutil.rmtree(os.path.join(str(folder), name), ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=_PREFIX, dir=folder) as top:
        root = os.path.join(os.path.realpath(top), "project")
        _make_repository(os.path.join(root, ".git"))
        path = os.path.join(root, STATE_FILE)
        with open(path, "w", encoding="utf-8") as file:
            file.write(_STATE)
        env = {
            **{name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ},
            "HOME": top,
            "XDG_STATE_HOME": os.path.join(top, "state"),
            "XDG_CONFIG_HOME": os.path.join(top, "config"),
            "CLAUDE_PROJECT_DIR": root,
            "CLAUDE_CODE_SESSION_ATTENDED": "0",
        }
        with _environment(env):  # the person's registry is found by it, too
            for number, event in enumerate(_events(path)):
                common = {"session_id": "warmup", "cwd": root, "tool_use_id": str(number)}
                claude_events.handle({**common, **event}, _ignore_typed_line, env)


def _make_repository(folder: str) -> None:
    """A git folder as an ordinary clone has it, with a commit that can be read from its files."""
    commit = b"commit %d\0%b" % (len(_COMMIT), _COMMIT)
    name = blobs.digest(commit, "sha1")
    given = {
        "HEAD": b"ref: refs/heads/main\n",
        "config": b"[core]\n\trepositoryformatversion = 0\n",
        "refs/heads/main": name.encode(),
        f"objects/{name[:2]}/{name[2:]}": zlib.compress(commit),
    }
    for each, data in given.items():
        path = os.path.join(folder, *each.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)


@contextlib.contextmanager
def _environment(env: dict[str, str]) -> Iterator[None]:
    """Within this context, the process has no other variables; it answers nobody yet."""
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(env)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _events(path: str) -> list[dict[str, Any]]:
    edit = {"file_path": os.path.join(os.path.dirname(path), "a.py")}
    edit |= {"old_string": "a", "new_string": "b"}
    own = {"file_path": path, "old_string": "warm up", "new_string": "warm up well"}
    failed = {"stdout": "1 failed, 2 passed", "stderr": ""}
    return [
        _before("Bash", command=_LOOP),
        _before("Bash", command="rm -rf build && git push origin main"),
        _before("Bash", command="rm -rf /"),
        _before("Bash", command='eval "$(sed s/a/b/ missing)"'),
        _before("Bash", command="python3 -c 'import os; os.system(\"git push\")'"),
        _before("Edit", **edit),
        _before("Edit", **own),
        _after("Edit", {}, **own),
        _after("Edit", {}, **edit),
        _after("Bash", failed, command="python -m pytest"),
        _after("TodoWrite", {}, todos=[]),
        {
            "hook_event_name": "PostToolUseFailure",
            "tool_name": "Bash",
            "tool_input": {"command": "python -m pytest"},
            "error": "Exit code 1\n1 failed",
        },
    ]


def _before(tool: str, **given: Any) -> dict[str, Any]:
    return {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": given}


def _after(tool: str, response: object, **given: Any) -> dict[str, Any]:
    event = _before(tool, **given)
    return {**event, "hook_event_name": "PostToolUse", "tool_response": response}


def _ignore_typed_line(_line: object) -> str:
    return ""


# end of module
