"""A repository that a program has made itself, in a temporary folder, is nobody's loss."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

HEAD = (
    "import os, shutil, subprocess, sys, tempfile\nfrom pathlib import Path\nfrom subprocess import run\n"
    "def git(*args, cwd):\n    return subprocess.run(['git', *args], cwd=cwd, check=True)\n\n"
    "def squash(repo):\n    git('checkout', '-q', '--orphan', 'new', cwd=repo)\n"
    "    git('branch', '-D', 'main', cwd=repo)\n    git('reflog', 'expire', '--all', cwd=repo)\n\n"
)
IN = "with tempfile.TemporaryDirectory() as d:\n"
CLONE = f"{IN}    git('clone', '-q', '.', d + '/c', cwd='.')\n"
MADE = f"{IN}    run(f'git clone . {{d}}', shell=True)\n"
OWN = [
    f"{CLONE}    squash(d + '/c')\n",
    f"{CLONE}    squash(Path(d) / 'c')\n",
    "d = tempfile.mkdtemp()\ngit('clone', '.', d, cwd='.')\nsquash(d)\nshutil.rmtree(d)\n",
    f"{MADE}    run(['git', '-C', d, 'filter-branch', '-f', '--all'])\n",
    f"{MADE}    run('git filter-repo -f', shell=True, cwd=d)\n",
    f"{MADE}    os.chdir(d)\n    run(['git', 'reset', '--hard', 'HEAD~3'])\n",
]
NOT_OWN = [
    "squash('.')\n",
    f"{CLONE}    squash(os.getcwd())\n",
    f"{CLONE}    squash(d + '/c')\n    git('push', '--force', 'origin', 'main', cwd=d + '/c')\n",
    f"{IN}    git('worktree', 'add', d + '/c', cwd='.')\n    squash(d + '/c')\n",
    f"{IN}    os.symlink(os.getcwd(), d + '/c')\n    squash(d + '/c')\n",
    f"{IN}    shutil.copytree('.', d + '/c')\n    squash(d + '/c')\n",
    f"{IN}    Path(d, '.git').write_text('gitdir: /home/ann/shop/.git')\n    squash(d)\n",
    f"os.environ['GIT_DIR'] = '/home/ann/shop/.git'\n{CLONE}    squash(d + '/c')\n",
    f"{CLONE}    subprocess.run(['git', 'branch', '-D', 'a'], cwd=d, env={{'GIT_DIR': '.'}})\n",
    f"{CLONE}    run(['git', '-c', 'core.worktree=/home/ann/shop', 'reset', '--hard'], cwd=d)\n",
    f"{CLONE}    run(['git', '--git-dir', '/home/ann/shop/.git', 'branch', '-D', 'a'], cwd=d)\n",
    f"{CLONE}    subprocess.run(['git', 'branch', '-D', 'a'], cwd=d + '/../../home/ann/shop')\n",
    f"{CLONE}    subprocess.run('true; cd /home/ann/shop; git branch -D a', shell=True, cwd=d)\n",
    f"{CLONE}    os.chdir(d)\n    os.chdir('/home/ann/shop')\n    run(['git', 'branch', '-D', 'a'])\n",
    "with tempfile.TemporaryDirectory(dir='.') as d:\n    squash(d)\n",
    "d = tempfile.mkdtemp('', '', '/home/ann/shop/x')\nsquash(d)\n",
    "d = tempfile.mkdtemp(prefix='/home/ann/shop/x')\nsquash(d)\n",
    "d = tempfile.mkdtemp(dir='build')\nsquash(d)\n",
    "with tempfile.TemporaryDirectory(prefix='/home/ann/shop/') as d:\n    squash(d)\n",
    "tempfile.tempdir = '.'\nwith tempfile.TemporaryDirectory() as d:\n    squash(d)\n",
]


def effect(text, command="python3 x.py"):
    files = {"x.py": HEAD + text}
    return judged(command, files, committed=tuple(files)).effect


@for_each("text", OWN)
def test_what_a_program_does_to_a_clone_of_its_own_needs_nobody(text):
    assert effect(text) == "allow"


@for_each("text", NOT_OWN)
def test_what_it_may_do_to_another_repository_needs_a_person(text):
    assert effect(text) == "junction"


@for_each(
    "command",
    ["GIT_DIR=.git python3 x.py", "TMPDIR=. python3 x.py", "export GIT_DIR=.git; python3 x.py"],
)
def test_variables_of_the_line_may_lead_it_to_another_one(command):
    assert effect(OWN[0], command) == "junction"


def test_a_program_that_git_does_not_hold_is_not_relied_on():
    assert judged("python3 x.py", {"x.py": HEAD + OWN[5]}).effect == "junction"
