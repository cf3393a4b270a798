"""In the place of ``opencode serve``: as much of its HTTP API as an edit uses, and how that can go wrong.

``MODE`` in the environment says how a session goes: done, hangs, wedged (an abort changes nothing), dies,
asks (for a permission).
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MODE = os.environ.get("MODE", "done")
PASSWORD = os.environ["OPENCODE_SERVER_PASSWORD"]
NOTES = os.environ["NOTES"]
ended, aborted, prompted = threading.Event(), threading.Event(), threading.Event()


def note(**what):
    with open(f"{NOTES}/requests", "a", encoding="utf-8") as file:
        file.write(json.dumps(what) + "\n")


def part(**what):
    about = {"sessionID": "ses_1", "part": {"sessionID": "ses_1", **what}}
    return {"type": "message.part.updated", "properties": about}


def session():
    """The events of one session, after its prompt."""
    prompted.wait()
    yield part(type="text", text="the prompt itself")
    state = {"status": "completed", "input": {"filePath": "a.txt"}}
    yield part(type="tool", tool="write", state={**state, "status": "running"})
    yield part(type="tool", tool="write", state=state)
    yield {"type": "message.part.updated", "properties": {"part": {"sessionID": "another"}}}
    if MODE == "waits":
        until = {"type": "retry", "message": "too many", "next": 1_000 * (int(time.time()) + 600)}
        yield {"type": "session.status", "properties": {"sessionID": "ses_1", "status": until}}
        aborted.wait()
    if MODE == "asks":
        about = {"sessionID": "ses_1", "permission": "bash"}
        yield {"type": "permission.asked", "properties": about}
    if MODE == "dies":
        time.sleep(0.5)  # the prompt is answered first
        os._exit(3)
    if MODE == "hangs":
        subprocess.Popen(["sleep", "4712"], start_new_session=True)
    if MODE in ("hangs", "wedged", "asks"):
        aborted.wait()
        while MODE == "wedged":
            time.sleep(1)
    yield part(type="text", text="All done.", time={"end": 1})
    yield part(type="step-finish", reason="stop", cost=0.5, tokens={"input": 7, "output": 3})
    ended.set()
    yield {"type": "session.idle", "properties": {"sessionID": "ses_1"}}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self._answer(json.loads(body or b"null"))

    def do_GET(self):
        self._answer(None)

    def _answer(self, body):
        path = self.path.partition("?")[0]
        note(path=path, query=self.path.partition("?")[2], body=body)
        given = self.headers.get("Authorization", "").removeprefix("Basic ")
        if base64.b64decode(given).decode() != f"opencode:{PASSWORD}":
            self._send(401, b"")
        elif path == "/event":
            self._events()
        elif path == "/session":
            for each in (ended, aborted, prompted):
                each.clear()
            self._send(200, b'{"id": "ses_1"}')
        elif path == "/session/status":
            is_over = ended.wait(1) or not prompted.is_set()
            self._send(200, b"{}" if is_over else b'{"ses_1": {"type": "busy"}}')
        elif path.endswith("/prompt_async"):
            prompted.set()
            self._send(204, b"")
        elif path.endswith("/abort"):
            aborted.set()
            if MODE != "wedged":
                ended.set()
            self._send(200, b"true")
        else:
            self._send(200, b'{"healthy": true}')

    def _events(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for each in session():
            data = f"data: {json.dumps(each)}\n\n".encode()
            for piece in (data[:9], data[9:]):
                self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
                self.wfile.flush()

    def _send(self, status, data):
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format, *args):
        """Nothing."""


port = int(sys.argv[sys.argv.index("--port") + 1])
server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
server.daemon_threads = True
print("opencode server listening on", f"http://127.0.0.1:{server.server_address[1]}", flush=True)
server.serve_forever(0.05)
