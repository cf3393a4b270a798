"""The links to the dashboard: a code in a link that opens it once, and the token that the page gets for it.

Owns their file in the person's folder. It holds keyed hashes only: no file of the person's contains anything
that opens the dashboard, and neither does a browser's history, as a code is used up. Does not own who may
have a link (``cli``).
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import time

from operators_edge.errors import StateDamaged
from operators_edge.storage import files, keys
from operators_edge.system.user_dirs import user_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypedDict, TypeVar

    T = TypeVar("T")

    class _Kept(TypedDict):
        seal: str
        until: float

    class _Links(TypedDict):
        codes: list[_Kept]
        tokens: list[_Kept]


CODE_SECONDS = 600.0
TOKEN_SECONDS = 30 * 86400.0
MAX_TOKENS = 16
"""Pages that can be open with a link of their own; the oldest of more no longer counts."""


def path(env: Mapping[str, str]) -> str:
    """Their file; it may not exist."""
    return os.path.join(user_dir(env), "dashboard.json")


def new_code(env: Mapping[str, str], *, clock: Callable[[], float] = time.time) -> str:
    """A code for one link; it counts once, for ten minutes."""
    code = secrets.token_urlsafe(18)
    kept: _Kept = {"seal": _seal(code, env), "until": clock() + CODE_SECONDS}

    def add(links: _Links) -> None:
        links["codes"] = [*links["codes"], kept][-MAX_TOKENS:]

    _change(env, add, clock)
    return code


def redeem(code: str, env: Mapping[str, str], *, clock: Callable[[], float] = time.time) -> str:
    """The token of a new page, for a code that was not used yet; "" for any other."""
    token, seal = secrets.token_urlsafe(32), _seal(code, env)

    def swap(links: _Links) -> bool:
        left = [each for each in links["codes"] if not hmac.compare_digest(each["seal"], seal)]
        if len(left) == len(links["codes"]):
            return False
        kept: _Kept = {"seal": _seal(token, env), "until": clock() + TOKEN_SECONDS}
        links["codes"], links["tokens"] = left, [*links["tokens"], kept][-MAX_TOKENS:]
        return True

    if not any(hmac.compare_digest(each["seal"], seal) for each in _live(env, clock)["codes"]):
        return ""  # without a lock, and nothing is written, for one that nobody gave out
    return token if _change(env, swap, clock) else ""


def is_token(token: str, env: Mapping[str, str], *, clock: Callable[[], float] = time.time) -> bool:
    """Whether a page got this token, and it still counts."""
    if not token:
        return False
    seal = _seal(token, env)
    same = [hmac.compare_digest(each["seal"], seal) for each in _live(env, clock)["tokens"]]
    return any(same)


def forget(env: Mapping[str, str]) -> None:
    """End every link: no page that is open can ask or decide anything any more."""
    if os.path.lexists(path(env)):
        os.unlink(path(env))


def _seal(text: str, env: Mapping[str, str]) -> str:
    return keys.seal(f"dashboard {text!a}", env=env)


def _live(env: Mapping[str, str], clock: Callable[[], float]) -> _Links:
    """What still counts."""
    where, now = path(env), clock()
    data = files.read_bytes(where)
    if data is None:
        return {"codes": [], "tokens": []}
    try:
        found = json.loads(data)
        codes, tokens = (_read(found[name], now) for name in ("codes", "tokens"))
    except (ValueError, KeyError, TypeError) as error:
        raise StateDamaged(where, f"it has no links ({error})", hint=f"Remove {where}.") from error
    return {"codes": codes, "tokens": tokens}


def _read(links: list[dict[str, Any]], now: float) -> list[_Kept]:
    found: list[_Kept] = [
        {"seal": str(each["seal"]), "until": float(each["until"])} for each in links
    ]
    return [each for each in found if now < each["until"]]


def _change(env: Mapping[str, str], edit: Callable[[_Links], T], clock: Callable[[], float]) -> T:
    keys.make_user_dir(env)
    with files.Lock(f"{path(env)}.lock", command="change the links to the dashboard"):
        links = _live(env, clock)
        result = edit(links)
        files.write_durable(path(env), json.dumps(links).encode(), mode=0o600)
    return result


# end of module
