"""A line and each of its commands: what it knows of itself, and that each is judged where it stands."""

from __future__ import annotations

import pytest
from tests.gate.example_project import PLACE, ROOT, RULES, Machine, judge

from operators_edge.gate.decide import assess
from operators_edge.gate.rules import Rules
from operators_edge.model import Call


@pytest.mark.parametrize(
    ("command", "effect"),
    [
        ('. "$(dirname "$0")"/helpers.sh && build_all', "allow"),
        ('source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"', "allow"),
        ('rm -- "$1"', "junction"),
        ('set -- /etc; rm -rf "$1"', "block"),
        ('f() { rm -rf "$1"; }; f /etc', "block"),
        ("$0 -c 'rm -rf /etc'", "block"),
        ("set -- $(cat list); $1 x", "junction"),
    ],
)
def test_the_text_of_a_clients_shell_comes_from_no_file(command, effect):
    assert judge(command).effect == effect


@pytest.mark.parametrize(
    "imports", ["import sys", "import sys as python", "from sys import executable as python"]
)
@pytest.mark.parametrize(
    ("words", "effect"),
    [
        ("'-m', 'pytest', '-q'", "allow"),
        ("'-c', 'import shutil; shutil.rmtree(chr(47) + \\'etc\\')'", "block"),
        ("'-m', 'twine', 'upload', 'dist/x'", "junction"),
    ],
)
def test_python_that_starts_its_own_interpreter_again_is_read(imports, words, effect):
    name = {"import sys": "sys.executable", "import sys as python": "python.executable"}
    code = f"import subprocess\n{imports}\nsubprocess.run([{name.get(imports, 'python')}, {words}])"
    assert judge(f"python3 - <<'EOF'\n{code}\nEOF").effect == effect


def test_the_same_command_in_two_places_of_a_text_is_judged_in_both():
    secret = "f() { grep TOKEN .env; }; f | wc -l"
    assert judge(secret).effect == "allow"
    assert [one.rule for one in judge(f"{secret}; f").findings] == ["secret-settings"]


def test_a_command_that_loops_and_functions_run_many_times_is_judged_once():
    class Counting(Rules):
        judged = 0

        def candidates(self, *given):
            self.judged += 1
            return super().candidates(*given)

    def judged(text):
        rules = Counting(RULES.compiled)
        assert (
            assess(Call("Bash", {"command": text}, ROOT), PLACE, Machine(), rules).effect == "allow"
        )
        return rules.judged

    body = "f() { echo x > out.txt; }; "
    loops = "for a in 1 2 3 4 5; do for b in 1 2 3 4 5; do f; f; done; done"
    assert judged(body + loops) <= judged(f"{body}f") + 1


def test_a_program_in_the_systems_folders_is_no_script_that_an_agent_wrote():
    text = "#!/bin/sh\nedge approve 1\n"
    assert judge("/usr/bin/tool", machine=Machine({"/usr/bin/tool": text})).effect == "allow"
    for path in (f"{ROOT}/bin/tool", "/opt/tool", "/usr/local/bin/tool"):
        assert judge(path, machine=Machine({path: text})).effect == "block", path
    written = "echo 'edge approve 1' > /usr/bin/tool; /usr/bin/tool"
    assert "block" in {one.effect for one in judge(written, machine=Machine()).findings}
