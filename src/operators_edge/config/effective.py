"""The effective rules of one project: the shipped ones, the person's and the project's, compiled and cached.

Owns where the compiled rules are cached: in the person's own folder, so that no repository can supply them,
and under a stamp of everything they were compiled from. Does not own the cache (``gate.rules``) or compiling
(``config.compiled``). Without any configuration it costs a ``stat`` of three files and nothing else.
"""

from __future__ import annotations

import os

from operators_edge import jsons
from operators_edge.config import stamps
from operators_edge.errors import EdgeError
from operators_edge.gate import prefilter, rules
from operators_edge.system import file_cache, project_root
from operators_edge.system.user_dirs import binding_path, project_id, user_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from operators_edge.gate.rule_types import Rule


def needs_judgement(
    text: str, session: str, cwd: object, env: Mapping[str, str] = os.environ
) -> bool:
    """Whether a command of this session must be parsed and judged; False means that it is allowed."""
    if rules.needs_parsing(text) is not False:  # None is what a function says that was cut
        return True
    try:
        if repository_may_run(text, cwd):
            return True
        cache = _cache(project_root.of_event(bound_root(session, env), cwd, env).root, env)
        return cache is not None and prefilter.is_suspicious(text, cache.words())
    except (OSError, ValueError, EdgeError):
        return True  # the full judgement reports what is wrong


_MAX_WORDS = 64
_PERSONAL = ("~/.gitconfig", "~/.config/git/config")
_MAX_CONFIGURATION = 1024 * 1024


def repository_may_run(text: str, cwd: object) -> bool:
    """Whether a command of git may run what its repository's configuration names, however plain it is."""
    if "git" not in text or not isinstance(cwd, str):
        return False
    words = text.split()[:_MAX_WORDS]
    named = (os.path.join(cwd, word.strip("'\"")) for word in words if "/" in word or "." in word)
    folders = [cwd, *(os.path.join(cwd, word) for word in words if word.isidentifier()), *named]
    found = {project_root.git_folder(folder) for folder in folders if os.path.isdir(folder)} - {""}
    names = ("config", "config.worktree", "../../config")  # the last for a linked working tree
    if any(_names_programs(os.path.join(one, name)) for one in found for name in names):
        return True
    return any(_names_alias(os.path.expanduser(path), words) for path in _PERSONAL)


def _names_alias(path: str, words: list[str]) -> bool:
    """Whether a word may be an alias that the person has stored for git."""
    try:
        with open(path, encoding="utf-8", errors="replace", opener=file_cache.open_regular) as file:
            _, start, aliases = file.read(_MAX_CONFIGURATION).lower().partition("[alias")
    except OSError:
        return False  # git cannot read it either
    found = {line.partition("=")[0].strip() for line in aliases.split("\n") if "=" in line}
    return start != "" and not found.isdisjoint(word.lower() for word in words)


def _names_programs(path: str) -> bool:
    try:
        with open(path, encoding="utf-8", errors="replace", opener=file_cache.open_regular) as file:
            return prefilter.may_run_something(file.read(_MAX_CONFIGURATION))
    except FileNotFoundError:
        return False
    except OSError:
        return True


def load(root: str | None, env: Mapping[str, str] = os.environ) -> rules.Rules:
    """The effective rules at ``root``; with None the person's own and the shipped ones."""
    cache = _cache(root, env)
    return rules.load() if cache is None else cache.rules()


def listed(root: str | None, env: Mapping[str, str] = os.environ) -> list[Rule]:
    """The effective rules as they are shown: read without what finds them."""
    cache = _cache(root, env)
    return rules.listed() if cache is None else cache.listed()


def load_cached(root: str | None, env: Mapping[str, str]) -> rules.Rules | None:
    """The same; None if they would have to be compiled, which a resident must not wait for."""
    cache = _cache(root, env)
    return rules.load() if cache is None else cache.stored_rules()


def checks(root: str | None, env: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """The commands that the person or the project configured as checks; read after every command."""
    cache = _cache(root, env)
    if cache is None:
        return ()
    stored = cache.stored("checks", list)
    return tuple(map(str, cache.compile()["config"]["checks"] if stored is None else stored))


def configuration(root: str | None, env: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """Each value with its origin, and what is ignored; complete also if nothing is configured."""
    cache = _cache(root, env)
    if cache is None:
        return rules.kept("unconfigured", _unconfigured)
    stored = cache.stored("config", dict)
    found: dict[str, Any] = cache.compile()["config"] if stored is None else stored
    return found


def settings(root: str | None, env: Mapping[str, str] = os.environ) -> Mapping[str, Any]:
    """The same, and nothing if nothing is configured: reads no rule."""
    return {} if _cache(root, env) is None else configuration(root, env)


def _unconfigured() -> dict[str, Any]:
    from operators_edge.config import compiled  # noqa: PLC0415 - once a version

    return compiled.unconfigured()


def remarks(root: str | None, env: Mapping[str, str] = os.environ) -> list[str]:
    """What a person should know about the configuration, a sentence each; [] if all of it is effective."""
    if _cache(root, env) is None:
        return []
    found: list[str] = configuration(root, env)["remarks"]
    return found


def hidden(root: str | None, env: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """What the person or the project says is secret, or is none, for ``redaction.redact``."""
    from operators_edge.redaction.redact import Allowed, Shape  # noqa: PLC0415 - only if configured

    cache = _cache(root, env)
    if cache is None:
        return ()
    stored = cache.stored("redaction", dict)
    found = cache.compile()["config"]["redaction"] if stored is None else stored
    return (*map(Shape, found["patterns"]), *map(Allowed, found["allow"]))


def _cache(root: str | None, env: Mapping[str, str]) -> rules.RulesCache | None:
    """The compiled rules of the packs and the configuration; None if nothing is configured."""
    files = stamps.stamp(root, env)
    if not files:
        return None
    name = project_id(root) if root is not None else "none"
    try:
        folder = os.path.join(user_dir(env), "projects", name)
    except EdgeError:
        folder = ""  # no home folder is known

    def compile_rules() -> dict[str, Any]:
        from operators_edge.config import compiled  # noqa: PLC0415 - once a version

        return compiled.compiled(root, env)

    def make_folder() -> str:
        from operators_edge.storage.keys import make_user_dir  # noqa: PLC0415 - once a version

        return make_user_dir(env, "projects", name)

    # The stamp changes with the packs, the files, what a person confirmed, and the key.
    own = [os.path.join(folder, "trust.json"), os.path.join(folder, "..", "..", "key")]
    own_stamps = [stamps.stamp_of(path) or "-" for path in own] if folder else []
    stamp = " | ".join((rules.stamp_of(), files, *own_stamps))
    return rules.RulesCache(folder, stamp, compile_rules, make_folder, mode=0o600)


def bound_root(session: str, env: Mapping[str, str]) -> str | None:
    """The root that the session is bound to, as in ``hosts.claude.identity``."""
    try:
        with open(binding_path(session, env), "rb", opener=file_cache.open_regular) as file:
            root = jsons.loads(file.read())["root"]
    except (FileNotFoundError, NotADirectoryError, EdgeError):
        return None  # not bound, or no home folder
    except (KeyError, TypeError) as error:
        raise ValueError("not a binding") from error
    return None if root is None else str(root)


# end of module
