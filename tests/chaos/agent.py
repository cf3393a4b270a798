"""The agent of the chaos runs: edits, and says when it begins and ends.

It is run with ``exec``, with ``IDENT`` and ``SIDE`` defined.

It holds a lock of its own for as long as it or anything that it started lives: a second agent in the same
working tree finds it taken.
"""

import fcntl
import json
import os
import time

IDENT, SIDE = globals()["IDENT"], globals()["SIDE"]


def say(what: str) -> None:
    fd = os.open(f"{SIDE}/agents.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.write(fd, f"{what} {IDENT} {attempt} {os.getpid()}\n".encode())
    os.close(fd)


root = os.environ.get("EDGE_BRIDGE_ROOT", ".")
with open(f"{root}/.ai-handoff/running/{IDENT}.json", encoding="utf-8") as file:
    attempt = json.load(file).get("attempt", 1)
name = os.getcwd().replace("/", "_")
tree = os.open(f"{SIDE}/tree{name}", os.O_RDWR | os.O_CREAT, 0o600)
os.set_inheritable(tree, True)
try:
    fcntl.flock(tree, fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError:
    say("overlaps")
say("begins")
for number in range(3):
    with open(f"{IDENT}-{number}.txt", "w", encoding="utf-8") as part:
        part.write(f"{IDENT}\n")
    time.sleep(0.03)
say("ends")
