"""The Bridge's settings: what ``bridge.config.json`` says, checked, with every default. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.bridge import executor_settings, task
from operators_edge.bridge.executor_settings import CONTAIN, ExecutorSettings
from operators_edge.bridge.lease import SMALLEST_TTL, WORKER_TTL
from operators_edge.errors import UsageError
from operators_edge.redaction import own_patterns

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FILE = "bridge.config.json"
MAX_PARALLEL = 16

_CHOICES: Mapping[str, tuple[str, ...]] = {
    "contain": CONTAIN,
    "isolation": ("none", "worktree"),
    "on_success": ("commit", "leave"),
    "tracker": ("auto", "beads", "none"),
}
_KINDS: Mapping[type, str] = {bool: "true or false", int: "a whole number", str: "a text"}


class Settings(NamedTuple):
    """``stop_on_failure`` and ``continue_on_failure`` are one switch; see ``read``."""

    stop_on_failure: bool = True
    worker_lock_ttl_sec: int = WORKER_TTL
    log_size_cap_kb: int = 10
    log_file_cap_mb: int = 32
    redaction_patterns: tuple[str, ...] = ()
    on_success: str = "commit"
    executor: str = "opencode"
    tracker: str = "auto"
    contain: str = "auto"
    isolation: str = "none"
    parallel: int = 1
    worktree_setup: tuple[str, ...] = ()
    defaults: Mapping[str, Any] = {}
    """What a task says that does not say it itself."""
    executors: Mapping[str, ExecutorSettings] = {}

    @property
    def has_own_trees(self) -> bool:
        """Whether each task is worked on in a working tree of its own."""
        return self.isolation == "worktree" or self.parallel > 1


def read(value: Mapping[str, Any], file: str = FILE) -> Settings:
    """The settings of the configuration ``file``; UsageError says all that is wrong with it."""
    given = dict(value)
    executors, problems = executor_settings.read(given.pop("executors", {}))
    defaults = given.pop("defaults", {})
    problems += _default_problems(defaults)
    goes_on = given.pop("continue_on_failure", None)
    if isinstance(goes_on, bool):
        if given.setdefault("stop_on_failure", not goes_on) is goes_on:
            problems.append("stop_on_failure and continue_on_failure disagree: keep one")
    elif goes_on is not None:
        problems.append("continue_on_failure must be true or false")
    for name, each in given.items():
        problems += _problems(name, each)
    if problems:
        raise UsageError(f"{file}: " + "; ".join(problems))
    for name in ("redaction_patterns", "worktree_setup"):
        given[name] = tuple(given.get(name, ()))
    found = Settings(**given, defaults=defaults, executors=executors)
    _require_fitting(found, file)
    return found._replace(worker_lock_ttl_sec=max(found.worker_lock_ttl_sec, SMALLEST_TTL))


def _problems(name: str, value: Any) -> Iterator[str]:
    default = Settings._field_defaults.get(name)
    if default is None:
        yield f"unknown key {name!r}"
    elif isinstance(default, tuple):
        if name == "redaction_patterns":
            yield from own_patterns.problems(name, value)
        elif not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            yield f"{name} must be a list of texts"
    elif type(value) is not type(default):
        yield f"{name} must be {_KINDS[type(default)]}"
    elif type(value) is int and value < 1:
        yield f"{name} must be 1 or more"
    elif value not in _CHOICES.get(name, (value,)):
        yield f"{name} must be one of {', '.join(_CHOICES[name])}"


def _default_problems(value: Any) -> list[str]:
    if not isinstance(value, dict):
        return ["defaults must be an object"]
    return list(map(str, task.problems_with_defaults(value)))


def _require_fitting(found: Settings, file: str) -> None:
    if found.parallel > MAX_PARALLEL:
        raise UsageError(f"{file}: parallel must be at most {MAX_PARALLEL}")
    if found.has_own_trees and found.on_success != "commit":
        why = "on_success must be commit where each task has a working tree of its own"
        raise UsageError(f"{file}: {why}")


# end of module
