"""What a shell offers after some words, and the scripts of the shells, really run."""

import os
import shutil
import subprocess
import sys

import pytest
from tests.hosting import clean_env

from operators_edge.cli.commands import completion

WORDS = [
    (["st"], {"status", "step", "stats"}),
    (["rules", ""], {"list", "show", "test"}),
    (["rules", "show", "git-reset"], {"git-reset-hard"}),
    (["proof", "an"], {"anchor"}),
    (["--project", "x", "undo", "ap"], {"apply"}),
    (["log", "tail", "--fo"], {"--follow"}),
    (["status", "--color", ""], {"auto", "always", "never"}),
    (["config", "set", "profile", "str"], {"strict"}),
    (["completion", "f"], {"fish"}),
    (["help", "exit"], {"exit-codes"}),
    (["--no-p"], {"--no-pager"}),
    (["pause", "git-push-f"], {"git-push-force"}),
    (["trash", "restore", "x"], set()),
    (["note", "--", "st"], set()),
    (["nonsense", ""], set()),
]


@pytest.mark.parametrize(("words", "offered"), WORDS)
def test_what_may_follow_is_offered(words, offered, edge):
    code, out, _ = edge("complete", "--", *words)
    found = {line.split("\t")[0] for line in out.splitlines()}
    assert code == 0
    assert found == offered if offered else not found


def script(shell, tmp_path):
    path = tmp_path / f"edge.{shell}"
    path.write_text(completion._SCRIPTS[shell])
    return path


BASH = """
source {script}
COMP_WORDS=(edge {words}); COMP_CWORD=$(({count} - 1)); _edge_complete
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
ZSH = """
autoload -Uz compinit; compinit -u -d {folder}/dump
_describe() {{ local -a each=("${{(@P)3}}"); printf '%s\\n' "${{(@)each%%:*}}" }}
_files() {{ print files }}
source {script}
words=(edge {words}); CURRENT={count}; _edge
"""
FISH = """
source {script}
complete -C 'edge {plain}' | string replace -r '\\t.*' ''
"""
LINES = {"bash": BASH, "zsh": ZSH, "fish": FISH}


@pytest.mark.parametrize("shell", LINES)
@pytest.mark.parametrize(
    ("words", "offered"),
    [(["rules", "sh"], {"show"}), (["completion", ""], set(completion._SCRIPTS))],
)
def test_a_shell_completes_with_its_script(shell, words, offered, tmp_path, fenced):
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    env = clean_env(fenced)
    env["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), env["PATH"]])
    quoted = " ".join(f"'{each}'" for each in words)
    text = LINES[shell].format(
        script=script(shell, tmp_path),
        words=quoted,
        plain=" ".join(words),
        count=len(words) + 1,
        folder=tmp_path,
    )
    bare = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[shell]
    done = subprocess.run(
        [program, *bare, "-c", text],
        env=env,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert set(done.stdout.split()) == offered, done.stderr


def test_each_shell_s_script_is_printed_as_it_is(edge):
    for shell, text in completion._SCRIPTS.items():
        assert edge("completion", shell)[:2] == (0, text)
