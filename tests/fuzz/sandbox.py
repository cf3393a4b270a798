"""A real bash in an empty folder, where every dangerous program is a stand-in that notes it was run.

Owns the folder of stand-ins and one run of a text. Only what stands in ``TOOLS`` can be reached by name.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
from typing import NamedTuple

TOOLS = (
    "awk",
    "base64",
    "basename",
    "bash",
    "cat",
    "chmod",
    "cp",
    "env",
    "find",
    "mkfifo",
    "nice",
    "nohup",
    "perl",
    "printf",
    "python3",
    "rev",
    "sed",
    "setsid",
    "sh",
    "stdbuf",
    "tee",
    "timeout",
    "tr",
    "true",
    "which",
    "xargs",
)
SECONDS = 10


class Sandbox(NamedTuple):
    """``folder`` is where texts run; ``notes`` is the file the stand-ins write to."""

    folder: str
    notes: str
    path: str

    @classmethod
    def make(cls, folder: str, stand_ins: set[str]) -> Sandbox:
        programs = os.path.join(folder, "bin")
        os.makedirs(programs)
        os.makedirs(os.path.join(folder, "work"))
        notes = os.path.join(folder, "notes")
        for name in stand_ins:
            path = os.path.join(programs, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(f'#!/bin/sh\necho "{name} $*" >> {notes}\n')
            os.chmod(path, 0o755)  # noqa: S103 -- a program
        for name in TOOLS:
            found = os.path.realpath(sys.executable) if name == "python3" else shutil.which(name)
            if found:
                os.symlink(found, os.path.join(programs, name))
        return cls(os.path.join(folder, "work"), notes, programs)

    def run(self, text: str) -> str:
        """Run the text in bash; return what the stand-ins noted."""
        for left in (self.notes, self.folder):
            if os.path.isdir(left):
                shutil.rmtree(left)
                os.makedirs(left)
            elif os.path.exists(left):
                os.unlink(left)
        # Whatever the text starts inherits one end of a pipe: its end is the end of the last of them.
        ended, held = os.pipe()
        process = subprocess.Popen(
            [shutil.which("bash") or "bash", "-c", text],
            cwd=self.folder,
            env={"PATH": self.path, "HOME": self.folder, "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=(held,),
        )
        os.close(held)
        if not select.select([ended], [], [], SECONDS)[0]:
            os.killpg(process.pid, signal.SIGKILL)
        os.close(ended)
        process.wait()
        try:
            with open(self.notes, encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return ""
