"""What runs inside to find out whether containment holds: tries each attempt and prints what came of it.

A script of its own, started with ``-I -S`` and without our package. What it makes it removes, and it changes
no byte of a file that exists.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import urllib.request

SECONDS = 3.0


def append(path: str) -> bool:
    """Open an existing file for writing; nothing is written."""
    os.close(os.open(path, os.O_WRONLY | os.O_APPEND))
    return True


def create(folder: str) -> bool:
    path = os.path.join(folder, f".edge-probe-{os.getpid()}")
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    os.unlink(path)
    return True


def list_(folder: str) -> bool:
    return bool(os.listdir(folder))


def tcp(address: str) -> bool:
    host, _, port = address.partition(":")
    socket.create_connection((host, int(port)), SECONDS).close()
    return True


def proxy(address: str) -> bool:
    """By way of the proxy that the environment names; without one there is no way."""
    way = os.environ.get("http_proxy") or os.environ.get("HTTP_PROXY")
    if not way:
        return False
    opener = urllib.request.OpenerDirector()
    for each in (urllib.request.ProxyHandler({"http": way}), urllib.request.HTTPHandler()):
        opener.add_handler(each)
    os.environ["no_proxy"] = ""
    reply = opener.open(f"http://{address}/", timeout=SECONDS)
    return reply is not None and reply.status == 200


def unix(path: str) -> bool:
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as found:
        found.settimeout(SECONDS)
        found.connect(path)
    return True


def serve(_: str) -> bool:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname(), SECONDS).close()
    return True


def git_add(folder: str) -> bool:
    """Without a repository there is nothing that could fail."""
    if not os.path.exists(os.path.join(folder, ".git")):
        return True
    words = ["git", "-C", folder, "add", "-A", "-n"]
    return subprocess.run(words, capture_output=True, timeout=60, check=False).returncode == 0


def namespace(_: str) -> bool:
    return (
        subprocess.run(["unshare", "-Ur", "true"], capture_output=True, check=False).returncode == 0
    )


WAYS = {
    "append": append,
    "create": create,
    "list": list_,
    "tcp": tcp,
    "proxy": proxy,
    "unix": unix,
    "serve": serve,
    "git-add": git_add,
    "namespace": namespace,
    "kernel": append,
}


def tried(kind: str, target: str) -> str:
    """Answer "yes", "no", or why it could not be tried."""
    if kind in ("append", "create", "list") and not os.path.exists(target):
        return "no" if kind == "list" else f"{target} does not exist"
    try:
        return "yes" if WAYS[kind](target) else "no"
    except OSError:
        return "no"
    except Exception as error:  # noqa: BLE001 - said as the reason why it could not be tried
        return f"{type(error).__name__}: {error}"


def main() -> None:
    """The attempts come as a JSON list of kind and target."""
    found = {
        str(n): tried(kind, target) for n, (kind, target) in enumerate(json.loads(sys.argv[1]))
    }
    print("EDGE-PROBE", json.dumps(found))


if __name__ == "__main__":
    main()

# end of module
