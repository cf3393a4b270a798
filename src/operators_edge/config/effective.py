"""The effective rules of one project: the shipped ones, the person's and the project's, compiled and cached.

Owns the cache of compiled rules: in the person's own folder, so that no repository can supply it, and keyed
by everything the rules were compiled from. Does not own reading (``config.files``) or which layer may
change what (``config.layers``). Without any configuration it costs a ``stat`` of three files and nothing
else.
"""

from __future__ import annotations

import json
import os

from operators_edge.config import files as config_files
from operators_edge.errors import EdgeError
from operators_edge.gate import rules
from operators_edge.gate.prefilter import TriggerWords, is_suspicious
from operators_edge.system import file_cache, project_root
from operators_edge.system.user_dirs import binding_path, project_id, user_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_NOWHERE = "none"


def needs_judgement(
    text: str, session: str, cwd: object, env: Mapping[str, str] = os.environ
) -> bool:
    """Whether a command of this session must be parsed and judged; False means that it is allowed."""
    if rules.needs_parsing(text):
        return True
    try:
        root = project_root.of_event(bound_root(session, env), cwd, env).root
        files = config_files.stamp(root, env)
        if not files:
            return False
        words = _words(root, env, files)
    except (OSError, ValueError, EdgeError):
        return True  # the full judgement reports what is wrong
    return is_suspicious(text, words)


def load(root: str | None, env: Mapping[str, str] = os.environ) -> rules.Rules:
    """The effective rules at ``root``; with None the person's own and the shipped ones."""
    cached = load_cached(root, env)
    if cached is not None:
        return cached
    folder = _folder(root, env)
    stamp = _stamp(folder, config_files.stamp(root, env))

    def made() -> rules.Rules:
        return rules.Rules(_compile(root, env, folder, stamp))

    return rules.load_once(_name(folder), stamp, made) if folder else made()


def load_cached(root: str | None, env: Mapping[str, str]) -> rules.Rules | None:
    """The same; None if they would have to be compiled, which a resident must not wait for."""
    files = config_files.stamp(root, env)
    if not files:
        return rules.load()
    folder = _folder(root, env)
    if not folder:
        return None
    stamp = _stamp(folder, files)

    def made() -> rules.Rules | None:
        kept = rules.read_cache(folder, "rules", stamp)
        try:
            return None if kept is None else rules.Rules(rules.expand(kept))
        except (KeyError, TypeError, ValueError, AttributeError, IndexError):
            return None  # damaged: they are compiled again

    known: rules.Rules | None = rules.load_once(_name(folder), stamp, made)
    return known


def _name(folder: str) -> str:
    return f"rules {folder}"


def load_uncached(root: str | None, env: Mapping[str, str] = os.environ) -> rules.Rules:
    """The same, compiled again; ``config`` is complete also if nothing is configured."""
    return rules.Rules(compiled(root, env))


def checks(root: str | None, env: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """The commands that the person or the project configured as checks; read after every command."""
    files = config_files.stamp(root, env)
    if not files:
        return ()
    folder = _folder(root, env)
    kept = rules.read_cache(folder, "checks", _stamp(folder, files)) if folder else None
    if isinstance(kept, list):
        return tuple(map(str, kept))
    made = _compile(root, env, folder, _stamp(folder, files))
    return tuple(made["config"]["checks"])


def compiled(
    root: str | None, env: Mapping[str, str], files: config_files.Files | None = None
) -> dict[str, Any]:
    """The data that ``Rules`` is made from; ``files`` replaces those on the disk."""
    from operators_edge.config.layers import effective, remarks  # noqa: PLC0415 - once a version

    files = files or config_files.read(root, env)
    confirmed, problem = _confirmed(root, env) if files.project else (frozenset(), "")
    made = effective(
        rules.read_packs(), user=files.user, project=files.project, root=root, confirmed=confirmed
    )
    config = made["config"]
    config["notes"] = [*files.notes, *([problem] if problem else [])]
    config["remarks"] = remarks(config)
    return made


def _compile(root: str | None, env: Mapping[str, str], folder: str, stamp: str) -> dict[str, Any]:
    made = compiled(root, env)
    if folder:
        try:
            _make(env, root)
        except EdgeError:
            return made  # compiled each time if the person's folder cannot be written
        rules.write_cache(folder, "rules", stamp, rules.compact(made), mode=0o600)
        rules.write_cache(folder, "words", stamp, made["words"], mode=0o600)
        rules.write_cache(folder, "checks", stamp, made["config"]["checks"], mode=0o600)
    return made


def _make(env: Mapping[str, str], root: str | None) -> None:
    from operators_edge.storage.keys import make_user_dir  # noqa: PLC0415 - once a version

    make_user_dir(env, "projects", project_id(root) if root is not None else _NOWHERE)


def _words(root: str | None, env: Mapping[str, str], files: str) -> TriggerWords:
    folder = _folder(root, env)
    kept = rules.read_cache(folder, "words", _stamp(folder, files)) if folder else None
    return TriggerWords(kept) if isinstance(kept, dict) else load(root, env).words


def _folder(root: str | None, env: Mapping[str, str]) -> str:
    """The folder of the compiled rules; "" if no home folder is known."""
    try:
        base = user_dir(env)
    except EdgeError:
        return ""
    name = project_id(root) if root is not None else _NOWHERE
    return os.path.join(base, "projects", name)


def _stamp(folder: str, files: str) -> str:
    """Changes with the packs, the files, what a person confirmed, and the key."""
    own = [os.path.join(folder, "trust.json"), os.path.join(folder, "..", "..", "key")]
    stamps = [config_files.stamp_of(path) or "-" for path in own] if folder else []
    return " | ".join((rules.stamp_of(), files, *stamps))


def _confirmed(root: str | None, env: Mapping[str, str]) -> tuple[frozenset[str], str]:
    from operators_edge.config import trust  # noqa: PLC0415 - once a version

    if root is None:
        return frozenset(), ""
    try:
        return trust.confirmed(root, env), ""
    except EdgeError as error:
        return frozenset(), f"no loosening counts: {error.message}"


def bound_root(session: str, env: Mapping[str, str]) -> str | None:
    """The root that the session is bound to, as in ``hosts.claude.identity``."""
    try:
        with open(binding_path(session, env), "rb", opener=file_cache.open_regular) as file:
            root = json.loads(file.read())["root"]
    except (FileNotFoundError, EdgeError):
        return None  # not bound, or no home folder
    except (KeyError, TypeError) as error:
        raise ValueError("not a binding") from error
    return None if root is None else str(root)
