"""One history of calls and changes, with a resident and without: the same answers, the same record."""

import os
import random
import re
import shutil

from tests.hosting import Client, clean_env, logged, write

# How many files a snapshot stores itself depends on how young they are beside git's index.
_IDS = re.compile(
    r"[0-9a-f]{8}-[0-9a-f-]{27}|\b[0-9a-f]{7,}\b|\d{4}-\d\d-\d\dT[\d:.+]+|(?<='ms': )\d+|(?<='files': )\d+"
)

COMMANDS = (
    "ls",
    "rm -rf notes",
    "rm -rf build",
    "git push origin main",
    "git reset --hard",
    "frobnicate now",
    "make",
    "edge approve",
)

RULE = (
    '[[rule]]\nid = "own"\neffect = "block"\nreason = "No."\ninstead = "make"\ntype = "blocked"\n'
    'when = [{ program = "frobnicate" }]\nmatch = ["frobnicate"]\nno_match = ["make"]\n'
)

CONFIGS = ("", RULE, 'profile = "contextual"\n', '[rules.git-push]\neffect = "block"\n', "x = [\n")

PERSONS = ".config/operators-edge/config.toml"

_LESSON = "constraints: []\nmemory: [{trigger: make, lesson: look first}]\n"

STATES = (
    "schema_version: 4\nobjective: ship\nplan: []\nconstraints: []\n",
    "schema_version: 4\nobjective: ship\nplan: [{description: one, status: pending}]\n" + _LESSON,
    "plan: [unclosed\n",
)


def steps(seed, count):
    """What happens, each as a function of the client that it happens to."""
    choose = random.Random(seed)  # noqa: S311 - the same at every run
    for _ in range(count):
        roll, agent = choose.random(), choose.choice(["", "", "a1"])
        if roll < 0.5:
            command = choose.choice(COMMANDS)
            yield lambda one, c=command, a=agent: one.before("Bash", a, command=c)
        elif roll < 0.65:
            name = choose.choice(["src/a.py", "active_context.yaml", ".claude/settings.json"])
            yield lambda one, n=name: one.before(
                "Edit", file_path=os.path.join(one.root, n), old_string="ship", new_string="mend"
            )
        elif roll < 0.75:
            yield lambda one: one.done("Bash", {"stdout": "1 failed"}, command="pytest")
        elif roll < 0.85:
            text = choose.choice(CONFIGS)
            yield lambda one, t=text: write(one.root, "edge.toml", t) and None
        elif roll < 0.92:
            text = choose.choice(CONFIGS)
            yield lambda one, t=text: write(one.env["HOME"], PERSONS, t) and None
        else:
            text = choose.choice(STATES)
            yield lambda one, t=text: write(one.root, "active_context.yaml", t) and None


def answer_text(client, value):
    text = repr(value).replace(client.root, "ROOT").replace(client.env["HOME"], "HOME")
    return _IDS.sub("ID", text.replace(client.session, "SESSION"))


def test_a_history_of_calls_and_changes_goes_the_same_way(project, env, resident, tmp_path_factory):
    top = tmp_path_factory.mktemp("twin")
    twin = shutil.copytree(project, top / "project", symlinks=True)
    os.makedirs(top / "home")
    sides = [Client(project, env), Client(str(twin), clean_env(str(top / "home")))]
    for side in sides:
        write(side.root, ".gitignore", "build/\n")
        write(side.root, "notes/a.md", "nowhere else")
        side.start()
    for number, step in enumerate(steps(11, 24)):
        warm, cold = (answer_text(side, step(side)) for side in sides)
        assert warm == cold, number
    records = [
        [(each["event"], each["tool"], answer_text(side, each["data"])) for each in logged(side)]
        for side in sides
    ]
    assert records[0] == records[1]
    assert resident.poll() is None
