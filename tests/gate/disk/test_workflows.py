"""`act` runs the steps of the jobs that it is asked for, and these are judged."""

from __future__ import annotations

import pytest
from tests.gate.disk.test_follow import judged

HEAD = "name: ci\non: [push]\njobs:\n"


def job(name, *steps, more=""):
    lines = "".join(f"      - {one}\n" for one in steps)
    head = f"  {name}:\n    runs-on: ubuntu-latest\n{more}    steps:\n"
    return f"{head}      - uses: actions/checkout@v4\n{lines}"


def workflow(*jobs, head=HEAD):
    return {".github/workflows/ci.yml": head + "".join(jobs)}


PUSH = "run: docker push ghcr.io/ann/shop:${{ github.sha }}"
TEST = "run: make -n test"
BUILD = "{uses: docker/build-push-action@v5, with: {context: ., push: PUSH, tags: 'ghcr.io/ann/shop:1'}}"
PAIRS = {
    "an image that an action pushes": (
        "act -j image",
        workflow(job("image", BUILD.replace("PUSH", "true"))),
        workflow(job("image", BUILD.replace("PUSH", "false"))),
    ),
    "a step of the job, and of another": (
        "act -j test",
        workflow(job("test", PUSH), job("image", TEST)),
        workflow(job("test", TEST), job("image", PUSH)),
    ),
    "a job that is needed": (
        "act -j test",
        workflow(job("test", TEST, more="    needs: image\n"), job("image", PUSH)),
        workflow(job("test", TEST), job("image", PUSH)),
    ),
    "all the jobs of an event": (
        "act push",
        workflow(job("test", TEST), job("image", PUSH)),
        workflow(job("test", TEST), job("image", PUSH), head="on: [release]\njobs:\n"),
    ),
    "a step that is left out here": (
        "act -j image",
        workflow(job("image", "{run: docker push ghcr.io/a/b, if: env.ACT}")),
        workflow(job("image", "{run: docker push ghcr.io/a/b, if: '${{ !env.ACT }}'}")),
    ),
    "a job that is left out here": (
        "act push",
        workflow(job("image", PUSH, more="    if: github.event_name == 'push'\n")),
        workflow(job("image", PUSH, more="    if: github.event_name == 'release'\n")),
    ),
    "a package": (
        "act -j publish",
        workflow(job("publish", "uses: pypa/gh-action-pypi-publish@release/v1")),
        workflow(job("publish", "uses: actions/setup-python@v5")),
    ),
    "an action of the project": (
        "act -j image",
        {
            **workflow(job("image", "uses: ./.github/actions/push")),
            ".github/actions/push/action.yml": (
                "runs:\n  using: composite\n  steps:\n    - shell: bash\n      run: docker push ghcr.io/a/b\n"
            ),
        },
        {
            **workflow(job("image", "uses: ./.github/actions/push")),
            ".github/actions/push/action.yml": (
                "runs:\n  using: composite\n  steps:\n    - run: docker build .\n      shell: bash\n"
            ),
        },
    ),
    "a file that a step runs": (
        "act -j purge",
        {
            **workflow(job("purge", "run: python x.py")),
            "x.py": "import requests\nrequests.delete('https://api.shop.example/x')\n",
        },
        {
            **workflow(job("purge", "run: python x.py")),
            "x.py": "import shutil\nshutil.rmtree('/srv')\n",
        },
    ),
    "files of the machine, and of the container": (
        "act --bind -j clean",
        workflow(job("clean", "run: rm -rf ~/notes")),
        workflow(job("clean", "run: rm -rf build")),
    ),
    "the machine itself, and a container": (
        "act -j clean",
        {
            **workflow(job("clean", "run: rm -rf ~/notes")),
            ".actrc": "-P ubuntu-latest=-self-hosted\n",
        },
        {**workflow(job("clean", "run: rm -rf ~/notes")), ".actrc": "-P ubuntu-latest=image\n"},
    ),
    "a run, and what only shows it": (
        "act -j image",
        workflow(job("image", PUSH)),
        workflow(job("other", TEST)),
    ),
}


@pytest.mark.parametrize("case", PAIRS.values(), ids=PAIRS)
def test_the_steps_that_run_count_and_no_others(case):
    command, dangerous, harmless = case
    assert judged(command, dangerous, committed=dangerous).effect == "junction"
    assert judged(command, harmless, committed=harmless).effect == "allow"


@pytest.mark.parametrize("option", ["-n", "--dryrun", "-l", "--graph"])
def test_what_only_shows_the_steps_runs_none(option):
    files = workflow(job("image", PUSH))
    assert judged(f"act {option} -j image", files, committed=files).effect == "allow"


def test_a_container_of_its_own_has_its_files_for_itself():
    files = workflow(job("clean", "run: rm -rf ~/notes /srv"))
    assert judged("act -j clean", files, committed=files).effect == "allow"


def test_a_workflow_that_is_not_understood_is_searched_for_commands():
    files = workflow("  image: !x\n    steps:\n      - run: docker push ghcr.io/ann/shop:1\n")
    assert judged("act -j image", files, committed=files).effect == "junction"
