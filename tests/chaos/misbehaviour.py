"""Agents that do what they should not: each has one result, the tree is as before, and the next task runs."""

from __future__ import annotations

import os
from typing import NamedTuple

from operators_edge.storage import files
from tests.chaos.killing import Report, finish
from tests.chaos.stage import Stage

FAILED = ("opencode_failed", "no_change", "verify_failed", "tampered", "internal_error")


class Misbehaviour(NamedTuple):
    """A line of Python, and the reasons that the attempt may end with (None: success)."""

    name: str
    line: str
    reasons: tuple[str | None, ...] = FAILED


_EDIT = (
    "import os, subprocess, signal, sys, shutil, time; "
    "open(IDENT + '-2.txt', 'w').write(IDENT + chr(10)); "
)
_GIT = (
    "who = ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid']; "
    "g = lambda *w: subprocess.run(['git', *who, *w]); "
)


def _git(line: str) -> str:
    return _EDIT + _GIT + line


ALL = (
    Misbehaviour("hangs", _EDIT + "time.sleep(600)", ("opencode_failed",)),
    Misbehaviour(
        "hangs and ignores every signal",
        _EDIT + "[signal.signal(s, signal.SIG_IGN) for s in (1, 2, 3, 15)]; time.sleep(600)",
        ("opencode_failed",),
    ),
    Misbehaviour("stops itself", _EDIT + "os.kill(os.getpid(), 19)", ("opencode_failed",)),
    Misbehaviour("crashes", _EDIT + "os.kill(os.getpid(), 11)", ("opencode_failed",)),
    Misbehaviour(
        "kills its parent",
        _EDIT + "os.kill(os.getppid(), 9); time.sleep(600)",
        ("opencode_failed",),
    ),
    Misbehaviour("stops its parent", _EDIT + "os.kill(os.getppid(), 19)", (None,)),
    Misbehaviour(
        "leaves a daemon that writes",
        _EDIT
        + "subprocess.Popen(['sh', '-c', 'while :; do date > daemon.txt; done'], start_new_session=True)",
        (None,),
    ),
    Misbehaviour(
        "leaves a daemon of a daemon that ignores SIGTERM",
        _EDIT
        + "os.fork() or (os.setsid(), os.fork() and os._exit(0), "
        + "signal.signal(15, signal.SIG_IGN), time.sleep(600))",
        (None,),
    ),
    Misbehaviour(
        "prints without end", _EDIT + "[print('x' * 10000) for _ in range(2000)]", (None,)
    ),
    Misbehaviour("prints no text", _EDIT + "os.write(1, bytes(range(256)) * 100)", (None,)),
    Misbehaviour("closes its output", _EDIT + "os.closerange(0, 3)", (None,)),
    Misbehaviour("deletes .ai-handoff", _EDIT + "shutil.rmtree('.ai-handoff')", (None,)),
    Misbehaviour(
        "puts a file in the place of .ai-handoff",
        _EDIT + "shutil.rmtree('.ai-handoff'); open('.ai-handoff', 'w')",
        (None, *FAILED),
    ),
    Misbehaviour("deletes the locks", _EDIT + "shutil.rmtree('.ai-handoff/locks')", (None,)),
    Misbehaviour("commits", _git("g('add', '-A'); g('commit', '-qm', 'mine')"), (None,)),
    Misbehaviour(
        "commits and tags",
        _git("g('add', '-A'); g('commit', '-qm', 'mine'); g('tag', 'v1')"),
        ("tampered",),
    ),
    Misbehaviour("changes to main", _git("g('checkout', '-q', 'main')"), ("tampered",)),
    Misbehaviour(
        "commits on main",
        _git("g('checkout', '-q', 'main'); g('add', '-A'); g('commit', '-qm', 'mine')"),
        ("tampered",),
    ),
    Misbehaviour("makes a branch", _git("g('checkout', '-qb', 'mine')"), ("tampered",)),
    Misbehaviour("detaches HEAD", _git("g('checkout', '-q', '--detach')"), ("tampered",)),
    Misbehaviour(
        "deletes its branch",
        _git("g('checkout', '-q', '--detach'); g('branch', '-D', 'feat/ai/' + IDENT)"),
        ("tampered",),
    ),
    Misbehaviour("deletes main", _git("g('branch', '-D', 'main')"), ("tampered",)),
    Misbehaviour(
        "moves main",
        _git(
            "g('commit', '-qm', 'x', '--allow-empty'); g('update-ref', 'refs/heads/main', 'HEAD')"
        ),
        ("tampered",),
    ),
    Misbehaviour(
        "writes a hook",
        _EDIT
        + "hook = '.git/hooks/post-checkout'; open(hook, 'w').write('#!/bin/sh' + chr(10) + 'touch owned'); "
        + "os.chmod(hook, 0o755)",
        ("tampered",),
    ),
    Misbehaviour(
        "changes the configuration", _git("g('config', 'core.hooksPath', '.')"), ("tampered",)
    ),
    Misbehaviour(
        "breaks the configuration", _EDIT + "open('.git/config', 'a').write('[[[')", ("tampered",)
    ),
    Misbehaviour("deletes the configuration", _EDIT + "os.unlink('.git/config')", ("tampered",)),
    Misbehaviour("stages everything", _git("g('add', '-A')"), (None,)),
    Misbehaviour("leaves index.lock", _EDIT + "open('.git/index.lock', 'w')", (None,)),
    Misbehaviour("leaves HEAD.lock", _EDIT + "open('.git/HEAD.lock', 'w')", (None,)),
    Misbehaviour("deletes the index", _EDIT + "os.unlink('.git/index')", (None,)),
    Misbehaviour("breaks the index", _EDIT + "open('.git/index', 'w').write('x')", (None,)),
    Misbehaviour("breaks HEAD", _EDIT + "open('.git/HEAD', 'w').write('x')", ("tampered",)),
    Misbehaviour("deletes what nothing refers to", _git("g('gc', '-q', '--prune=now')"), (None,)),
    Misbehaviour(
        "makes links out of the tree",
        _EDIT + "os.symlink('/etc', 'etc'); os.symlink('/etc/passwd', 'p')",
        (None,),
    ),
    Misbehaviour(
        "takes permissions away",
        _EDIT + "os.mkdir('d'); open('d/f', 'w'); os.chmod('d', 0)",
        (None, *FAILED),
    ),
    Misbehaviour("deletes what is there", _EDIT + "os.unlink('readme.txt')", (None,)),
    Misbehaviour(
        "puts a folder in the place of a file",
        _EDIT + "os.unlink('readme.txt'); os.mkdir('readme.txt'); open('readme.txt/a', 'w')",
        (None,),
    ),
    Misbehaviour(
        "makes a repository in the tree", _git("g('init', '-q', 'sub')"), ("opencode_failed",)
    ),
    Misbehaviour(
        "turns a folder of the tree into a repository",
        _git("os.mkdir('d'); open('d/f', 'w'); g('init', '-q', 'd')"),
        ("opencode_failed",),
    ),
    Misbehaviour(
        "leaves pipes and sockets",
        _EDIT
        + "import socket; os.mkfifo('p'); os.unlink('readme.txt'); os.mkfifo('readme.txt'); "
        + "socket.socket(socket.AF_UNIX).bind('s')",
        (None,),
    ),
    Misbehaviour(
        "hides what it made by rules of its own",
        _EDIT + "open('.gitignore', 'w').write('*'); open('hidden', 'w')",
        (None,),
    ),
    Misbehaviour(
        "makes hard links to files outside",
        _EDIT + "open(SIDE + '/mine', 'w').write('mine'); os.link(SIDE + '/mine', 'link')",
        (None,),
    ),
    Misbehaviour(
        "changes the case of a name",
        _EDIT + "os.rename('readme.txt', 'README.TXT')",
        (None,),
    ),
    Misbehaviour(
        "makes names that are no text",
        _EDIT + "[open(n, 'w') for n in (b'\\xff', b'a\\xfe\\nb')]",
        (None,),
    ),
    Misbehaviour(
        "makes a large file that is no text",
        _EDIT + "open('large', 'wb').write(os.urandom(1 << 20) * 60)",
        (None,),
    ),
    Misbehaviour(
        "prints a line without end",
        _EDIT + "[os.write(1, b'x' * 65536) for _ in range(1600)]",
        (None,),
    ),
    Misbehaviour(
        "moves .git away and makes another",
        _git("os.rename('.git', 'old-git'); g('init', '-q')"),
        ("tampered",),
    ),
    Misbehaviour(
        "puts a file in the place of .git",
        _EDIT + "os.rename('.git', 'old-git'); open('.git', 'w').write('gitdir: old-git')",
        ("tampered",),
    ),
    Misbehaviour(
        "makes names that are hard",
        _EDIT
        + "[open(n, 'w') for n in ('a b', 'a' + chr(10) + 'b', '-rf', chr(228), '\"', ':(top)x', '*')]",
        (None,),
    ),
    Misbehaviour(
        "makes a thousand files",
        _EDIT + "os.mkdir('many'); [open(f'many/{n}', 'w') for n in range(1000)]",
        (None,),
    ),
    Misbehaviour(
        "plants a result",
        _EDIT + "open('.ai-handoff/results/' + IDENT + '.json', 'w').write('{}')",
        ("internal_error",),
    ),
    Misbehaviour(
        "plants its lock",
        _EDIT + "open('.ai-handoff/locks/' + IDENT + '.lock', 'w').write('{}')",
        ("internal_error",),
    ),
    Misbehaviour(
        "changes its task",
        _EDIT + "open('.ai-handoff/running/' + IDENT + '.json', 'w').write('{}')",
        ("internal_error",),
    ),
    Misbehaviour(
        "takes its task away",
        _EDIT + "os.unlink('.ai-handoff/running/' + IDENT + '.json')",
        (None,),
    ),
    Misbehaviour(
        "deletes a side ref",
        _git("g('update-ref', '-d', 'refs/operators-edge/bridge/t-0/1')"),
        (None,),
    ),
)


def run(base: str, only: str = "") -> Report:
    wrong: list[str] = []
    chosen = [each for each in ALL if only in each.name]
    for number, each in enumerate(chosen):
        stage = Stage(os.path.join(base, f"agent-{number}"))
        limit = 2 if "hangs" in each.name or "stops itself" in each.name else 20
        stage.submit("t-1", each.line, passes=None in each.reasons, timeout_sec=limit)
        stage.submit("t-2", passes=True)
        stage.begin()
        finish(stage)
        place = os.path.join(stage.root, ".ai-handoff")
        if os.path.isfile(place):  # refused as text; a person moves it away
            os.unlink(place)
            finish(stage)
        reason = stage.reason("t-1")
        if reason == "success":
            stage.passes.add("t-1")
        else:
            stage.passes.discard("t-1")
        if (None if reason == "success" else reason) not in each.reasons:
            wrong.append(f"{each.name}: ended as {reason}: {stage.detail('t-1')}")
        wrong += [f"{each.name}: {one}" for one in stage.wrong()]
        files.remove_tree(stage.folder)
    return Report("agents that misbehave", len(chosen), 2 * len(chosen), wrong)
