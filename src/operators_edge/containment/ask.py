"""Runs inside: sends its input to a service of the door, prints the reply, and ends with its code.

    python -I -S ask.py DOOR SERVICE

Without a reply it ends with 2, which a client reads as "block". A script of its own; the door's side is
``containment.network``.
"""

from __future__ import annotations

import json
import os
import socket
import sys

_BLOCK = 2


def main() -> int:
    """Ask; returns the exit code."""
    try:
        reply = json.loads(_answer(sys.argv[1], sys.argv[2], sys.stdin.buffer.read()))
        code, texts = int(reply["code"]), (reply["out"], reply["err"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.stderr.write(f"the gate outside gave no answer ({type(error).__name__})\n")
        return _BLOCK
    for number, text in enumerate(texts, 1):
        with os.fdopen(number, "w", closefd=False) as file:
            file.write(text)
    return code


def _answer(door: str, service: str, data: bytes) -> bytes:
    with socket.socket(socket.AF_UNIX) as outside:
        outside.connect(door)
        outside.sendall(f"{service}\n".encode() + data)
        outside.shutdown(socket.SHUT_WR)
        reply = b""
        while more := outside.recv(65_536):
            reply += more
    return reply


if __name__ == "__main__":
    sys.exit(main())

# end of module
