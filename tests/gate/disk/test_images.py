"""A container from an image of the project runs what its Dockerfile says."""

from __future__ import annotations

import pytest
from tests.gate.disk.test_follow import judged

DROP = "psql -h db.shop.example -c 'drop database shop'\n"
HERE = "rm -rf /app/data\n"
FROM = "FROM alpine\nWORKDIR /app\nCOPY . .\n"
SHOW = "echo here\n"


def pair(command, dockerfile, dangerous=DROP, name="Dockerfile", harmless=HERE):
    return tuple((command, {name: dockerfile, "x.sh": text}) for text in (dangerous, harmless))


PAIRS = {
    "the command of the image": pair(
        "docker build -t job . && docker run --rm job", FROM + 'CMD ["sh", "x.sh"]\n'
    ),
    "the entry point, with a tag": pair(
        "docker build --tag job:1 .; docker run -it --rm -e A=b job:1", f"{FROM}ENTRYPOINT ./x.sh\n"
    ),
    "words on the line": pair(
        "podman build -t job . && podman run --rm job sh x.sh", f"{FROM}CMD echo\n"
    ),
    "an entry point on the line": pair(
        "docker build -t job . && docker run --rm --entrypoint sh job x.sh", f"{FROM}CMD echo\n"
    ),
    "the image that a build prints": pair(
        "docker run --rm $(docker build -q .)", f"{FROM}CMD sh /app/x.sh\n"
    ),
    "another file": pair(
        "docker build -t job -f tools/Dockerfile . && docker run job",
        f"{FROM}CMD sh x.sh\n",
        name="tools/Dockerfile",
    ),
    "a stage": tuple(
        (f"docker build -t job --target {stage} . && docker run job", files)
        for stage, files in [
            (
                one,
                {
                    "Dockerfile": f"FROM alpine AS a\n{FROM[12:]}CMD sh x.sh\nFROM alpine AS b\nCMD echo\n",
                    "x.sh": DROP,
                },
            )
            for one in ("a", "b")
        ]
    ),
    "the variables of the image": tuple(
        (
            "docker build -t job . && docker run job",
            {
                "Dockerfile": f"{FROM}ENV PGHOST={host}\nCMD sh x.sh\n",
                "x.sh": "psql -h \"$PGHOST\" -c 'drop database shop'\n",
            },
        )
        for host in ("db.shop.example", "localhost")
    ),
}


@pytest.mark.parametrize("case", PAIRS.values(), ids=PAIRS)
def test_what_an_image_does_elsewhere_needs_a_person_and_in_its_container_does_not(case):
    (command, dangerous), (other, harmless) = case
    assert judged(command, dangerous, committed=dangerous).effect == "junction"
    assert judged(other, harmless, committed=harmless).effect == "allow"


@pytest.mark.parametrize(
    "command",
    [
        "docker build -t job . && docker run --network none job",
        "docker build -t job . && docker run -d -p 8080:80 job",
        "docker build -t job . && docker run other",
        "docker build -t job other && docker run job",
        "docker build -t job . && docker run job echo",
        "docker run job",
    ],
)
def test_a_command_that_does_not_run_in_the_image_is_not_read(command):
    files = {"Dockerfile": f"{FROM}CMD sh x.sh\n", "x.sh": DROP}
    assert judged(command, files, committed=files).effect == "allow"
