"""``dvc repro`` is judged by the commands of its stages, with the values of their parameters."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

STEP = 'case "$1" in\n  s3://*) aws s3 rm --recursive "$1" ;;\n  *) mkdir -p "$1" ;;\nesac\n'
STAGES = "stages:\n  tidy:\n    cmd: bash step.sh ${out.place}\n"


def project(stages=STAGES, place="build/x", **more):
    files = {"dvc.yaml": stages, "params.yaml": f"out:\n  place: {place}\n", "step.sh": STEP}
    return {**files, **more}


EACH = "stages:\n  tidy:\n    foreach: [build/x, {}]\n    do:\n      cmd: bash step.sh ${{item}}\n"
FROM_FILE = f"vars:\n  - more.json\n{STAGES}"
INLINE = f"vars:\n  - out: {{{{place: s3://models}}}}\n{STAGES}".replace("{{", "{").replace(
    "}}", "}"
)
CASES = [
    ("dvc repro", project(), "allow"),
    ("dvc repro tidy", project(), "allow"),
    ("dvc repro", project(place="s3://models/live"), "junction"),
    ("dvc exp run", project(place="s3://models/live"), "junction"),
    ("dvc exp show", project(place="s3://models/live"), "allow"),
    ("dvc exp run -S out.place=s3://models", project(), "junction"),
    ("dvc exp run --set-param params.yaml:out.place=s3://models", project(), "junction"),
    ("dvc exp run -S out.place=build/y", project(place="s3://models"), "allow"),
    ("dvc repro", project(EACH.format("build/y")), "allow"),
    ("dvc repro", project(EACH.format("s3://models")), "junction"),
    ("dvc repro", project(INLINE), "junction"),
    (
        "dvc repro",
        project(
            FROM_FILE, **{"params.yaml": "x: 1\n", "more.json": '{"out": {"place": "s3://m"}}'}
        ),
        "junction",
    ),
    (
        "dvc repro",
        project("stages:\n  wipe:\n    cmd: [true, kubectl delete ns shop]\n"),
        "junction",
    ),
    ("dvc repro", project("stages: !odd\n  wipe:\n    cmd: kubectl delete ns shop\n"), "junction"),
]


@for_each(("command", "files", "effect"), CASES)
def test_a_stage_is_judged_with_the_values_of_its_parameters(command, files, effect):
    assert judged(command, files, committed=tuple(files)).effect == effect


def test_parameters_that_hydra_makes_are_not_known():
    files = project(place="s3://models", **{".dvc/config": "[hydra]\n  enabled = True\n"})
    found = judged("dvc repro", files, committed=tuple(files))
    assert "s3://models" not in str(found.findings)


# end of module
