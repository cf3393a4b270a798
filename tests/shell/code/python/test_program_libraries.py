"""Python libraries that run a program, or do what one does, count as that program."""

from __future__ import annotations

import ast

from tests.tables import for_each

from operators_edge.shell.code.python import twins


def found(code):
    return [" ".join(one.words) or one.text for one in twins.find(ast.parse(code))]


@for_each(
    ("code", "command"),
    [
        (
            "import pygit2\nr = pygit2.Repository('.')\nr.remotes['origin'].push(['+main'])\n",
            "git push origin +main",
        ),
        (
            "import twine.commands.upload as u\nu.main(['dist/a.whl'])\n",
            "twine upload dist/a.whl",
        ),
        (
            "import pulumi.automation as a\ns = a.select_stack('prod')\ns.destroy()\n",
            "pulumi destroy --yes",
        ),
        ("from plumbum.cmd import rm\nrm['-rf', '/srv/a']()\n", "rm -rf /srv/a"),
        ("from plumbum import local\nlocal['rm']('-rf', '/srv/a')\n", "rm -rf /srv/a"),
        ("import pexpect\npexpect.run('rm -rf /srv/a')\n", "rm -rf /srv/a"),
        ("import pexpect\nc = pexpect.spawn('ssh', ['a.example.com'])\n", "ssh a.example.com"),
    ],
)
def test_a_call_is_the_program_that_it_runs(code, command):
    assert command in found(code)


@for_each(
    "code",
    [
        "import pygit2\npygit2.Repository('.').walk()\n",
        "import pulumi.automation as a\na.select_stack('prod').preview()\n",
        "import twine\nprint(twine.__version__)\n",
    ],
)
def test_what_only_looks_is_no_program(code):
    assert found(code) == []
