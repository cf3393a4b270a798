"""The Bridge's settings: what ``bridge.config.json`` says, checked, with every default. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.bridge import executor_settings
from operators_edge.bridge.executor_settings import CONTAIN, ExecutorSettings
from operators_edge.bridge.lease import SMALLEST_TTL, WORKER_TTL
from operators_edge.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = "bridge.config.json"


class Settings(NamedTuple):
    """``stop_on_failure`` and ``continue_on_failure`` are one switch; see ``read``."""

    stop_on_failure: bool = True
    worker_lock_ttl_sec: int = WORKER_TTL
    log_size_cap_kb: int = 10
    redaction_patterns: tuple[str, ...] = ()
    max_attempts: int = 1
    on_success: str = "commit"
    executor: str = "opencode"
    tracker: str = "auto"
    contain: str = "auto"
    executors: Mapping[str, ExecutorSettings] = {}


def read(value: Mapping[str, Any], file: str = FILE) -> Settings:
    """The settings of the configuration ``file``; UsageError says all that is wrong with it."""
    given = dict(value)
    problems: list[str] = []
    if "continue_on_failure" in given:
        stops = given.pop("continue_on_failure") is False
        if given.setdefault("stop_on_failure", stops) is not stops:
            problems.append("stop_on_failure and continue_on_failure disagree: keep one")
    executors, wrong = executor_settings.read(given.pop("executors", {}))
    problems += wrong
    if given.get("contain", "auto") not in CONTAIN:
        problems.append(f"contain must be one of {', '.join(CONTAIN)}")
    for name, each in list(given.items()):
        default = Settings._field_defaults.get(name)
        if default is None:
            problems.append(f"unknown key {name!r}")
        elif isinstance(default, tuple):
            given[name] = tuple(each) if _is_texts(each) else default
            problems += [] if _is_texts(each) else [f"{name} must be a list of texts"]
        elif type(each) is not type(default):
            problems.append(f"{name} must be {type(default).__name__}")
    if problems:
        raise UsageError(f"{file}: " + "; ".join(problems))
    found = Settings(**given, executors=executors)
    return found._replace(worker_lock_ttl_sec=max(found.worker_lock_ttl_sec, SMALLEST_TTL))


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)
