"""Installers that work on the environment from which the product runs."""

from __future__ import annotations

import pytest
from tests.gate.example_project import PLACE, ROOT, RULES, Machine
from tests.tables import for_each

from operators_edge.gate.decide import assess
from operators_edge.model import Call

SHARED = PLACE._replace(
    environment=f"{ROOT}/.venv",
    is_shared=True,
    libraries=(f"{ROOT}/.venv/lib/python3.12/site-packages",),
    own=(PLACE.own[0], f"{ROOT}/.venv/lib/python3.12/site-packages/operators_edge"),
    is_active=True,
)


def effect(command, place=PLACE, machine=None):
    call = Call("Bash", {"command": command}, ROOT)
    return assess(call, place, machine or Machine(), RULES).effect


@for_each(
    "command",
    [
        "/opt/venv/bin/pip install --no-deps --no-index --force-reinstall ./evil.whl",
        "/opt/venv/bin/python -m pip install x",
        "/opt/venv/bin/python3.12 -I -m ensurepip",
        "cd /opt/venv && bin/pip install x",
        "pip install --target /opt/venv/lib/python3.12/site-packages x",
        "pip install -t /opt/venv/lib x",
        "pip install --prefix=/opt/venv x",
        "PIP_TARGET=/opt/venv/lib pip install x",
        "pip --python /opt/venv/bin/python install x",
        "uv pip install --python /opt/venv/bin/python x",
        "uv pip sync -p /opt/venv requirements.txt",
        "VIRTUAL_ENV=/opt/venv uv pip install x",
        "source /opt/venv/bin/activate && pip install x",
        "export PATH=/opt/venv/bin:$PATH; pip install x",
        "PATH=/opt/venv/bin:$PATH pip install x",
        "conda install -p /opt/venv x",
        "conda env remove -p /opt/venv",
        "python -m venv --clear /opt/venv",
        "uv venv /opt/venv",
        "virtualenv /opt/venv",
        "/opt/venv/bin/python setup.py install",
        '/opt/venv/bin/python -c "import pip._internal; pip._internal.main([])"',
        "echo 'import x' > /opt/venv/lib/python3.12/site-packages/x.pth",
        "ln -sf /tmp/python /opt/venv/bin/python",
        "unzip -o evil.whl -d /opt/venv/lib",
        "tar -C /opt/venv/lib -xf x.tar",
        "rm -rf /opt/venv",
        "mv /opt/ven? /tmp",
    ],
)
def test_an_environment_of_its_own_is_not_changed(command):
    assert effect(command) == "block"


@for_each(
    "command",
    [
        "pip install x",
        "pip install -r requirements.txt",
        ".venv/bin/pip install ./x.whl",
        "source .venv/bin/activate && pip install -e .",
        "uv sync",
        "uv pip install --python .venv/bin/python x",
        "python -m venv .venv",
        "/opt/venv/bin/python -m venv .venv",
        "/opt/venv/bin/pip list",
        "/opt/venv/bin/python -m pip show x",
        "ssh host /opt/venv/bin/pip install x",
        "pip install --dry-run --prefix /opt/venv x",
    ],
)
def test_other_environments_are_left_alone(command):
    assert effect(command) == "allow"


@for_each(
    ("wanted", "command"),
    [
        ("allow", "pip install requests"),
        ("allow", "pip install -r requirements.txt"),
        ("allow", ".venv/bin/pip install -U requests"),
        ("allow", "pip install -e ."),
        ("allow", "uv sync"),
        ("allow", "uv add tomlkit"),
        ("allow", "pip uninstall -y requests"),
        ("junction", "pip install ./dist/app-1.0-py3-none-any.whl"),
        ("junction", "uv pip install 'https://example.com/app-1.0.tar.gz#sha256=1'"),
        ("junction", "pip install -U Ruamel.YAML"),
        ("junction", "pip uninstall -y ruamel-yaml"),
        ("block", "pip install -U operators-edge"),
        ("block", ".venv/bin/python -m pip uninstall operators_edge"),
        ("block", "rm -rf .venv"),
        ("block", "rm -rf .venv/lib/python3.12/site-packages/operators_*"),
        ("block", "cp x.pth .venv/lib/python3.12/site-packages/"),
        ("block", "echo > .venv/lib/python3.12/site-packages/sitecustomize.py"),
    ],
)
def test_an_environment_shared_with_the_project_keeps_working(wanted, command):
    assert effect(command, SHARED) == wanted


def test_a_patch_that_names_own_files_is_not_applied():
    machine = Machine({f"{ROOT}/x.patch": "--- a/.proof/session_log.jsonl\n+++ /dev/null\n"})
    for command in (
        "git apply x.patch",
        "patch -p1 < x.patch",
        "patch -i x.patch -p1",
        "cat x.patch | git apply -",
        "git am < x.patch",
    ):
        assert effect(command, machine=machine) == "block", command
    assert effect("git apply other.patch", machine=machine) == "allow"


@for_each(
    "command",
    [
        "x=$(ls -d .cl*); mv $x /tmp",
        "ls .claude/*.json | while read f; do : > $f; done",
        "while read f; do echo > $f; done < <(ls .claude)",
        "find .claude -type f -print0 | xargs -0 truncate -s0",
        "ls -d .cl* | xargs -I{} mv {} /tmp",
        "for f in .claude/*; do mv $f /tmp; done",
        "cp x.json .claude/settings.$KIND.json",
        "ln -sfn .claude y && cp x.json y/settings.local.json",
        "python3 -c \"import os; os.rename('.cl' + 'aude', 'x')\"",
        "truncate -s0 .cl*/settings*",
        "rm -rf ~/.local/state/operators-*",
        "tar xzf x.tgz .claude",
        "shopt -s dotglob; mv ./* /tmp/k/",
        "ln -sf /bin/true ~/.local/bin/edge",
        "echo x > $(ls -d /opt/venv/lib/*/site-packages)/a.pth",
    ],
)
def test_what_may_reach_own_files_counts_as_reaching_them(command):
    assert effect(command) == "block"


@pytest.mark.parametrize(
    "command",
    [
        "ls *.tmp | xargs -I{} mv {} /tmp",
        "x=$(ls -d build*); cp a.txt $x",
        "for f in src/*; do touch $f.bak; done",
        "cp x.json config/settings.$KIND.json",
        "ln -s src y && cp x.json y/",
        "find . -name '*.md' | xargs sed -i s/a/b/",
        "git stash && git checkout main && git stash pop",
        "git clean -nfd",
        "cp x bin/edge",
        "shopt -s dotglob; cp src/* build/",
    ],
)
def test_ordinary_patterns_loops_and_pipes_stay_silent(command):
    assert effect(command) in ("allow", "warn")
