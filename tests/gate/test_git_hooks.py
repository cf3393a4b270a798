"""What git runs is judged by its text, whether a hook, a variable or the line itself names it."""

from __future__ import annotations

from tests.gate.example_project import HOME, PLACE, ROOT, RULES, Machine
from tests.tables import for_each

from operators_edge.gate.decide import assess
from operators_edge.model import Call

CONTEXTUAL = RULES.with_profile("contextual")
WIPE = f"rm -rf {HOME}/photos"
HOOK = ".git/hooks/pre-commit"


class Repository(Machine):
    def repository(self, folder):
        return ROOT, f"{ROOT}/.git"


def effect(command, files=(), cwd=ROOT):
    machine = Repository({f"{ROOT}/{name}": text for name, text in dict(files).items()})
    return assess(Call("Bash", {"command": command}, cwd), PLACE, machine, CONTEXTUAL).effect


CHECKS = "#!/bin/sh\ngit diff --cached --check\npython3 -m py_compile src/a.py\n"


@for_each(
    "command",
    [
        f"cat > {HOOK} <<'EOF'\n{CHECKS}EOF\nchmod +x {HOOK}\ngit commit -m x",
        f"mkdir -p .git/hooks && printf 'ruff check .\\n' > {HOOK} && cat {HOOK}",
        "echo done >> .git/checks.log",
    ],
)
def test_a_hook_that_the_line_writes_is_judged_by_its_text(command):
    assert effect(command) == "allow"


@for_each(
    "command",
    [
        f"cat > {HOOK} <<'EOF'\n{CHECKS}{WIPE}\nEOF\ngit commit -m x",
        f"printf '{WIPE}\\n' > {HOOK}",
        f'echo "$TEXT" > {HOOK}',
        f"curl -s https://example.com/hook > {HOOK}",
        f"echo ls > {HOOK}; git commit -m x; echo pwd > {HOOK}",
        f"echo ls >> {HOOK}",
        f"echo ls > {HOOK}; sed -i 's/ls/pwd/' {HOOK}",
        f"for c in ls pwd; do echo $c > {HOOK}; git commit -m x; done",
        "echo x > .git/config",
        "echo x > .git/hooks",
        "echo x >> .git/logs/HEAD",
        "echo x > .git/info/attributes",
    ],
)
def test_what_else_is_written_into_the_folder_of_git_is_asked_about(command):
    assert effect(command) != "allow"


SSH = '#!/bin/sh\necho start >> build/ssh.log\nexec ssh -o ServerAliveInterval=30 "$@"\n'
EDITOR = "#!/bin/sh\nsed -i '1s/^$/notes/' \"$1\"\ndate >> .git/edits.log\n"


@for_each(
    ("command", "text"),
    [
        ("GIT_SSH_COMMAND=./tools/run git fetch origin", SSH),
        ("GIT_SSH_COMMAND=tools/run git fetch origin", SSH),
        ("GIT_EDITOR=./tools/run git commit", EDITOR),
    ],
)
def test_a_program_that_a_variable_names_is_judged_by_its_file(command, text):
    assert effect(command, {"tools/run": text}) == "allow"
    assert effect(command, {"tools/run": f"{text}{WIPE}\n"}) != "allow"


@for_each(
    "command",
    [
        "GIT_SSH_COMMAND=../run git fetch",
        "GIT_SSH_COMMAND=/tmp/../srv/run git fetch",
        "GIT_SSH_COMMAND='./tools/run -x' git fetch",
        "GIT_SSH_COMMAND=./tools/../../run git fetch",
    ],
)
def test_a_program_in_another_place_is_asked_about(command):
    assert effect(command, {"tools/run": SSH}) != "allow"


def test_git_starts_what_a_variable_names_from_the_top_of_the_repository():
    files = {"sub/tools/run": SSH, "tools/run": f"#!/bin/sh\n{WIPE}\n"}
    assert effect("GIT_SSH_COMMAND=./tools/run git fetch", files, f"{ROOT}/sub") != "allow"
