"""Calls of libraries of Node, Ruby and PHP that do what a program of the machine does: git, ssh, clouds.

Owns which calls of which library those are, as the words of that program. Does not own reading the code
(``shell.code.programs``), clients that speak HTTP or SQL (``shell.code.twins``), or Python
(``shell.code.python.twins``). What cannot be known is a HOLE.
"""

from __future__ import annotations

import re

from operators_edge.shell.code.addresses import is_elsewhere
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import found_in, pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Given = Sequence[str | list[str] | None]


class _Library(NamedTuple):
    """``calls`` are the last parts of names that count if code ``uses`` it; ``words_of`` is given them."""

    uses: str
    calls: str
    words_of: Callable[[str, str, Given], tuple[str, ...]]


def _texts(given: Given) -> list[str]:
    found: list[str] = []
    for one in given:
        found += one if isinstance(one, list) else [HOLE if one is None else one]
    return found


_FORCED = pattern(
    r"\bforce['\"]?\s*(?::|=>)\s*true|\bforce_push\b|['\"]--force['\"]:\s*(?:null|true)"
)


def _git(call: str, code: str, given: Given) -> tuple[str, ...]:
    """``git.push(["--force", "origin", "main"])``, ``g.push("origin", "main", force: true)``."""
    words = [one for one in _texts(given) if one != HOLE]
    if call == "raw":
        return ("git", *words)
    verb = re.sub(r"(?<!^)(?=[A-Z]).*", "", call).rstrip("!")
    if verb == "clean":  # `git.clean("fd")`
        words = [f"-{one}" if one.isalpha() else one for one in words]
    is_forced = verb == "push" and _FORCED.search(code) and "--force" not in words
    return ("git", verb, *(["--force"] if is_forced else []), *words)


_HOST = pattern(
    r"\bhost['\"]?\s*(?::|=>)\s*['\"]([\w.-]+)|\b(?:SSH|SFTP)\.start\(\s*['\"]([\w.-]+)"
)


def _ssh(_: str, code: str, given: Given) -> tuple[str, ...]:
    found = _HOST.search(code)
    host = (found[1] or found[2]) if found else "host"
    text = _texts(given)[:1]
    return ("ssh", host, *text) if text and text != [HOLE] else ()


def _sftp(_: str, code: str, given: Given) -> tuple[str, ...]:
    found = _HOST.search(code)
    host = (found[1] or found[2]) if found else "host"
    return ("ssh", host, f"rm -rf {(_texts(given) or [HOLE])[0]}")


def _aws(call: str, code: str, _: Given) -> tuple[str, ...]:
    """``new AWS.S3().deleteBucket(…)``."""
    service = re.search(r"\bnew\s+(?:AWS|Aws)\.(\w+)", code)
    verb = re.sub(r"(?<!^)(?=[A-Z])", "-", call).lower()
    known = service[1].lower() if service else "s3"
    return ("aws", "s3api" if known == "s3" else known, verb)


def _buckets(*_: object) -> tuple[str, ...]:
    return ("aws", "s3", "rm", "--recursive", "s3://bucket")


_DISK = pattern(r"\bStorage::(?:disk|drive)\(\s*['\"](\w+)['\"]|\bStorage::(cloud)\(")
_STAND_IN = pattern(r"\bStorage::(?:fake|persistentFake)\(")
_ON_THIS_MACHINE = frozenset(("local", "public", "private", "tmp", "temp", "testing", "test"))
"""Usual names of disks that are folders."""


def _disk(_: str, code: str, __: Given) -> tuple[str, ...]:
    """``Storage::disk("s3")->deleteDirectory("/")`` of Laravel; the usual disk is a folder."""
    names = {one or other for one, other in _DISK.findall(code)}
    is_far = not names <= _ON_THIS_MACHINE and _STAND_IN.search(code) is None
    return _buckets() if is_far else ()


def _google_files(*_: object) -> tuple[str, ...]:
    return ("gsutil", "-m", "rm", "-r", "gs://bucket")


def _firebase(*_: object) -> tuple[str, ...]:
    return ("firebase", "firestore:delete", "--recursive", "x")


def _docker(call: str, *_: object) -> tuple[str, ...]:
    """``docker.pruneVolumes()``."""
    return ("docker", call.removeprefix("prune").lower().rstrip("s"), "prune", "-f")


def _pulumi(call: str, *_: object) -> tuple[str, ...]:
    """``stack.up()`` of the automation API."""
    return ("pulumi", re.sub(r"Stack\Z", "", call).replace("remove", "destroy"), "--yes")


_SUPABASE = pattern(r"\bcreateClient\(\s*['\"](https?://[^'\"]+)")


def _supabase(_: str, code: str, __: Given) -> tuple[str, ...]:
    found = _SUPABASE.search(code)
    url = found[1] if found else ""
    return ("curl", "-X", "DELETE", f"{url}/rest/v1/x") if is_elsewhere(url) else ()


def _delete(_: str, __: str, given: Given) -> tuple[str, ...]:
    return ("rm", "-rf", *(_texts(given[:1]) or [HOLE]))


def _process(call: str, _: str, given: Given) -> tuple[str, ...]:
    """``new Process(["rm", "-rf", $x])``, ``Process::fromShellCommandline("…")``."""
    words = _texts(given[:1])
    return (*(["sh", "-c"] if call == "fromShellCommandline" else []), *words) if words else ()


_CURL_URL = pattern(
    r"\bcurl_init\(\s*['\"](https?://[^'\"]+)|CURLOPT_URL\s*(?:,|=>)\s*['\"](https?://[^'\"]+)"
)


def _curl(_: str, code: str, given: Given) -> tuple[str, ...]:
    """``curl_setopt($ch, CURLOPT_CUSTOMREQUEST, "DELETE")``."""
    verb = next((one for one in _texts(given) if one in ("DELETE", "PUT", "PATCH", "POST")), "")
    found = _CURL_URL.search(code)
    return ("curl", "-X", verb, found[1] or found[2]) if verb and found else ()


def _schedule(*_: object) -> tuple[str, ...]:
    return ("crontab", "-")


_LIBRARIES = (
    _Library(
        r"['\"]simple-git|['\"]isomorphic-git|(?m:^)\s*require ['\"](?:git|rugged)['\"]",
        r"push|pushTags|reset|reset_hard|clean|raw",
        _git,
    ),
    _Library(r"['\"]node-ssh|['\"]ssh2['\"]|\bnet/ssh\b|phpseclib", r"execCommand|exec!?", _ssh),
    _Library(r"ssh2-sftp-client|\bnet/sftp\b", r"rmdir!?|remove!?", _sftp),
    _Library(r"['\"]aws-sdk['\"]", r"(?:delete|terminate|purge)\w+", _aws),
    _Library(r"aws-sdk-s3|\bAws\\+S3\b", r"clear!?|batch_delete!?|deleteMatchingObjects", _buckets),
    _Library(r"\bStorage::(?:disk|drive|cloud)\(", r"delete|deleteDirectory|deleteDir", _disk),
    _Library(
        r"\bFlysystem\\+(?:AwsS3V3|AsyncAwsS3|GoogleCloudStorage|AzureBlobStorage)\b",
        r"delete|deleteDirectory|deleteDir",
        _buckets,
    ),
    _Library(r"@google-cloud/storage", r"deleteFiles", _google_files),
    _Library(
        r"['\"](?:firebase-admin|@google-cloud/firestore\b)",
        r"recursiveDelete|deleteUsers?|deleteCollection",
        _firebase,
    ),
    _Library(r"['\"]dockerode", r"prune(?:Volumes|Images|Containers|Networks)", _docker),
    _Library(r"@pulumi/pulumi/automation", r"up|destroy|refresh|import|removeStack", _pulumi),
    _Library(r"@supabase/supabase-js", r"delete|deleteUser|emptyBucket|deleteBucket", _supabase),
    _Library(r"\bComponent\\+Filesystem\b", r"remove", _delete),
    _Library(r"\bComponent\\+Process\b", r"Process|fromShellCommandline", _process),
    _Library(r"\bcurl_init\(", r"curl_setopt", _curl),
    _Library(
        r"['\"]crontab['\"]|(?m:^)\s*require ['\"](?:cronedit|crontab|whenever)['\"]"
        r"|\bTiBeN\\+CrontabManager|\bConfig::Crontab\b",
        r"save|persist|Add|Remove|write|execute",
        _schedule,
    ),
)


_CALLS = pattern("|".join(f"(?:{one.calls})" for one in _LIBRARIES))


def may_count(call: str) -> bool:
    """Whether the last part of a call's name is known to any library: most calls end here."""
    return _CALLS.fullmatch(call) is not None


def words_of(call: str, code: str, given: Given) -> tuple[str, ...] | None:
    """Return what a call amounts to, by the last part of its name; None if it is of no such library."""
    for one in _LIBRARIES:
        if re.fullmatch(one.calls, call) and found_in(one.uses, code):
            return one.words_of(call, code, given)
    return None


# end of module
