"""What is let into a container decides whether what happens in it is anybody's loss."""

from __future__ import annotations

from tests.tables import for_each

from operators_edge.gate.own.container_runs import closed, entered
from operators_edge.shell.evaluate import parse


def words(text):
    return parse(text).commands[0].argv, text


@for_each(
    ("text", "image"),
    [
        ("docker run --rm alpine ls", "alpine"),
        ("docker container run -dit --name=x -p8080:80 --tmpfs /t nginx:1", "nginx:1"),
        ("podman create -e A=b --memory 1g -u0 debian", "debian"),
        ('docker run -e A="$A" -q alpine', "alpine"),
        ("docker run --cap-drop ALL --network none alpine", "alpine"),
        ("docker run --rm -v /home/ann/shop:/src:ro -v /src/node_modules node:20 ls", "node:20"),
        ("docker run --volume=data:/d:z,ro alpine", "alpine"),
    ],
)
def test_a_container_with_harmless_options_has_nothing_of_the_machine(text, image):
    run = closed(*words(text))
    assert run is not None
    assert run.image == image


@for_each(
    "text",
    [
        *(
            "docker run -v /x:/x alpine",
            "docker run -v=/x:/x alpine",
            "docker run -itv /x:/x alpine",
            "docker run -v /x:/x:rw alpine",
            "docker run -v /var/run/docker.sock:/s:ro alpine",
            "docker run -v /run:/r:ro alpine",
            "docker run -v /:/host:ro alpine",
            "docker run -v $x:/x:ro alpine",
        ),
        *(
            "docker run --mount type=volume,src=d,dst=/d alpine",
            "docker run --volumes-from web alpine",
        ),
        *(
            "docker run --privileged alpine",
            "docker run --device /dev/sda alpine",
            "docker run --gpus all x",
        ),
        *(
            "docker run --cap-add SYS_ADMIN alpine",
            "docker run --security-opt seccomp=unconfined alpine",
        ),
        *("docker run --pid host x", "docker run --ipc=host x", "docker run --userns host x"),
        *(
            "docker run --net host x",
            "docker run --network=container:db x",
            "docker run --uts=host x",
        ),
        *(
            "docker run --no-such-option alpine",
            "docker run --rm=false alpine",
            "docker run -e A=$A alpine",
        ),
        *(
            "docker run",
            "docker run $IMAGE",
            "docker -H ssh://b run alpine",
            "docker compose run web",
        ),
        *("docker exec web ls", "docker ps", "finch run alpine"),
    ],
)
def test_any_other_option_may_let_something_in(text):
    assert closed(*words(text)) is None


@for_each(
    ("text", "name"),
    [
        ("docker exec web ls", "web"),
        ("docker container exec -it -u root -e A=b db psql", "db"),
        ("docker exec --privileged web ls", None),
        ("docker exec -e DATABASE_URL=x web ls", None),
        ("docker compose exec web ls", None),
    ],
)
def test_the_container_that_a_command_enters_is_named(text, name):
    found = entered(*words(text))
    assert (found and found.text) == name
