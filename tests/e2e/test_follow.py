"""What a command runs from disk, through the real client: written by the agent, then run by another call."""

import pytest
from tests.e2e.drive import World, one_shot
from tests.e2e.model_server import Use, bash
from tests.e2e.story import Story

pytestmark = pytest.mark.e2e

PUSH = "git push --force origin main"
FILES = {
    "x.sh": f"set -e\n{PUSH}\n",
    "Makefile": f"go:\n\t@true\n\t@{PUSH}\n",
    "package.json": f'{{"scripts":\n{{"go": "{PUSH}"}}}}\n',
    "tasks/__main__.py": f"import os\nos.system('{PUSH}')\n",
}
RUNS = {
    "sh x.sh": "x.sh:2",
    "make go": "Makefile:3",
    "npm run go": "package.json:2",
    "python3 -m tasks": "tasks/__main__.py:2",
}


def test_a_file_that_the_agent_wrote_is_judged_when_another_call_runs_it(
    world: World, story: Story
) -> None:
    before = story.head(at=story.remote)
    story.commit("more")
    server = world.server
    writes = [
        Use("Write", {"file_path": story.path(name), "content": text}, f"write-{name}")
        for name, text in FILES.items()
    ]
    turns = [[bash(command, id=command.replace(" ", "-"))] for command in RUNS]
    server.play(writes, *turns, ["Done."])
    one_shot(world, "Ship it.", "--dangerously-skip-permissions")
    for command, place in RUNS.items():
        said = str(server.result_of(command.replace(" ", "-")))
        assert "git-push-force" in said
        assert place in said
    assert story.head(at=story.remote) == before
