"""How fast secrets are taken out of ordinary logs, on one core.

    python -m bench.redaction

The logs are written here, the same on every run: what builds, tests, packers, containers, services and
programs print, with the words of secrets where such logs have them, and a secret now and then.
"""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
import time
from random import Random
from typing import TYPE_CHECKING

from bench.rows import Row, report
from operators_edge.redaction import redact

if TYPE_CHECKING:
    from collections.abc import Iterator

BASE, FAST = 15.0, 100.0
"""The bars, in MB/s."""

LIBRARY = "ahocorasick_rs"

KIND_BYTES = 1 << 20
PASSES = 9
VALUES = 30
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
# One in sixteen reads like the name of a secret, which is what costs time.
_NAMES = re.findall(
    r"\w+",
    """
    parser session user_store config views models router cache index worker scheduler main utils
    http_client auth migrations forms renderer tokenizer layout colors report archive billing cart
    orders metrics tracing mailer search export upload images thumbs geo dates money passwords retry
    locks events streams signals plugins themes widgets charts tables api_keys sockets buffers
    """,
)
_WORDS = re.findall(
    r"\w+",
    """
    started finished connection request response waiting for the queue of items while loading retry
    timeout from upstream with status and cached data in memory about to close after bytes
    """,
)

# How lines look: `n99` is a number below 99, `hex12`, `any12` and `words3` so many signs or words.
KINDS = {
    "build": """
gcc -Wall -Wextra -O2 -fPIC -Iinclude -Isrc/{name} -DNDEBUG -c -o {path}.o {path}.c
[ {n99}%] Building CXX object {path}.cpp.o
   Compiling {name}-{name} v{n9}.{n40}.1 (/build/{path})
{path}.c:{n900}:{n80}: warning: unused variable '{name}' [-Wunused-variable]
  {n900} |     const char *{name} = lookup({name}, {n9});
make[2]: Leaving directory '/build/{path}'
warning: field `{name}` is never read: {words6}
""",
    "pytest": """
tests/{path}/test_{name}.py::TestAll::test_{name}_{name} PASSED                 [ {n99}%]
tests/{path}/test_{name}.py::TestAll::test_{name}_{name} PASSED                         [ {n99}%]
tests/{path}/test_{name}.py::TestNone::test_{name}_{name} PASSED        [ {n99}%]
tests/{path}/test_{name}.py::test_{name}[{name}-{n9}] SKIPPED                      [ {n99}%]
E       AssertionError: assert '{words3}' == '{words3}'
""",
    "npm": """
npm http fetch GET 200 https://registry.example.org/{name}-{name} {n900}ms (cache miss)
npm warn deprecated {name}-{name}@{n9}.2.1: this version is no longer kept, {words5}
npm timing reifyNode:node_modules/{name}-{name} Completed in {n9000}ms
added {n900} packages, and audited {n900} packages in {n60}s
  dist/assets/{name}-{any8}.js   {n900}.{n99} kB │ gzip: {n99}.1 kB
✓ {n999} modules transformed, {words4}
    at Object.<anonymous> (/app/{path}.js:{n900}:{n60})
""",
    "docker": """
#{n40} [stage-{n4} {n9}/9] RUN apt-get install -y --no-install-recommends {name}
#{n40} sha256:{hex64} {n99}.3MB / 99.1MB {n9}.2s
#{n40} {n99}.31 Get:{n400} http://deb.example.org/debian bookworm/main amd64 {name} 2.{n40} [{n900} kB]
#{n40} {n99}.77 Setting up {name} (1.{n99}-2+b{n9}) ...
#{n40} DONE {n99}.4s
#{n40} CACHED
""",
    "journal": """
Nov {n29} {clock} web-{n9} systemd[1]: {name}.service: Deactivated successfully.
Nov {n29} {clock} web-{n9} kernel: [{n99999}.{n999999}] eth0: {words5}
Nov {n29} {clock} web-{n9} nginx[{n9999}]: 10.0.{n255}.9 - - "GET /api/{name}/{n9999} HTTP/1.1" 200 {n99999}
Nov {n29} {clock} web-{n9} {name}[{n9999}]: INFO {words9} id={hex12} took={n999}ms
Nov {n29} {clock} web-{n9} CRON[{n9999}]: (root) CMD (cd /opt/{name} && ./run.sh {name})
Nov {n29} {clock} web-{n9} {name}[{n9999}]: {words7}; {words4}
Nov {n29} {clock} web-{n9} sshd[{n9999}]: Accepted publickey for deploy from 10.0.{n255}.7: RSA {any43}
""",
    "JSON lines": """
{{"ts": "2030-01-02T{clock}Z", "level": "info", "logger": "app.{name}", "msg": "{words8}", "ms": {n9999}}}
{{"ts": "2030-01-02T{clock}Z", "level": "debug", "path": "/v1/{name}/{n9999}", "request_id": "{hex32}"}}
{{"ts": "2030-01-02T{clock}Z", "level": "warn", "msg": "{words4}", "trace": "{hex32}", "span": "{hex16}"}}
{{"ts": "2030-01-02T{clock}Z", "level": "info", "msg": "{words9}", "user": {n9999}, "status": 200}}
{{"ts": "2030-01-02T{clock}Z", "level": "info", "msg": "{words6}", "max_tokens": 4096, "took": {n999}}}
{{"ts": "2030-01-02T{clock}Z", "level": "info", "msg": "{words8}", "items": {n99}, "retry": false}}
{{"ts": "2030-01-02T{clock}Z", "level": "info", "msg": "{words5}", "cache_key": "{name}:{n9999}"}}
""",
}
_SECRETS = """
+ export DB_PASSWORD={any16}
> Authorization: Bearer {any40}
fatal: could not read from https://bot:ghp_{any36}@example.org/a/b.git
{{"level": "error", "msg": "login failed", "password": "{any12}"}}
AWS_SECRET_ACCESS_KEY={any40} AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE
"""


class _Dice(Random):
    """What fills the gaps of a line."""

    def __getitem__(self, gap: str) -> str:
        kind = gap.rstrip("0123456789")
        size = int(gap[len(kind) :] or 0)
        if kind == "name":
            return str(self.choice(_NAMES))
        if kind == "path":
            return f"src/{self['name']}/{self['name']}"
        if kind == "n":
            return str(self.randrange(size))
        if kind == "hex":
            return f"{self.getrandbits(size * 4):0{size}x}"
        if kind == "any":
            return "".join(self.choices(_LETTERS, k=size))
        if kind == "words":
            return " ".join(self.choices(_WORDS, k=size))
        return f"{self.randrange(10, 24)}:{self.randrange(10, 60)}:{self.randrange(10, 60)}"


def logs() -> dict[str, str]:
    """A text of each kind, with one secret in 5,000 lines."""
    return {name: _log(lines.strip("\n").split("\n"), _Dice(name)) for name, lines in KINDS.items()}


def _log(looks: list[str], dice: _Dice) -> str:
    secrets = _SECRETS.strip("\n").split("\n")
    lines, left = [], KIND_BYTES
    while left > 0:
        look = dice.choice(looks if dice.randrange(5000) else secrets)
        lines.append(look.format_map(dice))
        left -= len(lines[-1]) + 1
    return "\n".join(lines) + "\n"


def measure() -> Iterator[Row]:
    """As if the ``fast`` extra were not installed, and with it, each in a process of its own."""
    for way in ("base", "fast"):
        command = [sys.executable, "-m", "bench.redaction", way]
        done = subprocess.run(command, capture_output=True, check=True)
        yield from (Row(*row) for row in json.loads(done.stdout))


def _measured(*, is_fast: bool) -> Iterator[Row]:
    way, bar = (", fast", FAST) if is_fast else ("", BASE)
    if is_fast and importlib.util.find_spec(LIBRARY) is None:
        note = "the fast extra is not installed: pip install operators-edge[fast]"
        yield Row("PE-5", f"redact a log{way}", None, "MB/s", bar, is_least=True, note=note)
        return
    texts = logs()
    dice = _Dice("values")
    values = tuple(dice[f"any{dice.randrange(12, 48)}"] for _ in range(VALUES))
    for size in (256 * 1024, 4 * 1024):
        for known, more in (((), ""), (values, f", {VALUES} values")):
            rate = _rate(list(texts.values()), size, known)
            what = f"redact a log{way}, {size // 1024} KB at a time{more}"
            yield Row("PE-5", what, rate, "MB/s", bar, is_least=True)
    for name, text in texts.items():
        yield Row("-", f"  {name}{way}", _rate([text], 256 * 1024), "MB/s")


def _rate(texts: list[str], size: int, values: tuple[str, ...] = ()) -> float:
    """Of ``PASSES`` passes the best, in time of the processor: one core, whatever else runs."""
    chunks = [text[at : at + size] for text in texts for at in range(0, len(text), size)]
    spent = []
    for _ in range(PASSES):
        started = time.process_time()
        for chunk in chunks:
            redact.redact(chunk, values=values)
        spent.append(time.process_time() - started)
    return sum(map(len, chunks)) / 1e6 / min(spent)


def main(way: str = "") -> int:
    if way:
        if way == "base":
            sys.modules[LIBRARY] = None  # type: ignore[assignment]  # an import of it fails
        print(json.dumps(list(_measured(is_fast=way == "fast"))))
        return 0
    rows = list(measure())
    return report(rows)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
