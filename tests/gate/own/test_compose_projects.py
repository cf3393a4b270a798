"""A compose project under a name of its own is the line's, and so is what its services hold."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.gate.example_project import PLACE, ROOT, Machine
from tests.tables import for_each

from operators_edge.gate.invocation import Invocation
from operators_edge.gate.own import compose_projects
from operators_edge.gate.paths import CallContext
from operators_edge.model import Call
from operators_edge.shell.evaluate import parse

COMPOSE = {
    f"{ROOT}/compose.yml": "services:\n  db:\n    image: postgres\nvolumes:\n  data:\n",
    "/home/ann/named/compose.yml": "volumes:\n  data:\n    name: shop_data\n",
    "/home/ann/titled/compose.yml": "name: site-e2e\nservices:\n  db:\n    container_name: db\n",
    "/home/ann/taken/compose.yml": "include:\n  - ../shop/compose.yml\n",
}


@for_each(
    ("name", "folder", "is_apart"),
    [
        ("shop-1", ROOT, True),
        ("shop", ROOT, False),
        ("x-1", "/home/ann/named", False),
        ("x-1", "/home/ann/taken", False),
        ("x-1", "/home/ann/titled", True),
        ("site-e2e", "/home/ann/titled", False),
        ("x-1", "/home/ann/empty", True),
    ],
)
def test_a_compose_project_is_apart_under_a_name_of_its_own(name, folder, is_apart):
    command = parse(f"docker compose -p {name} down -v").commands[0]
    context = CallContext(Call("Bash", {}, folder), PLACE, Machine(files=COMPOSE))
    inv = Invocation(command, "docker", {})
    assert compose_projects.is_apart(name, inv, context, {}) == is_apart
    if is_apart and folder == ROOT:
        written = {"/home/ann/shop/compose.yml": None}
        assert not compose_projects.is_apart(name, inv, context, written)


DB = "services:\n  db:\n    image: postgres:16\n"
OWN_DATA = f"{DB}    tmpfs: [/var/lib/postgresql/data]\n    volumes: ['./init:/init:ro', 'data:/d', '/e']\n"
VOLUMES = "volumes:\n  data:\n"
START = "export COMPOSE_FILE=ci.compose.yml COMPOSE_PROJECT_NAME=shop-$$\ndocker compose up -d --wait db\n"
CALLS = 'dc() { docker compose -p a-$$ -f ci.compose.yml "$@"; }\n'
DROP = "docker compose exec -T db psql -U postgres -c 'drop schema public cascade'\n"


def reset(text, compose):
    files = {"x.sh": text, "ci.compose.yml": compose, "db.sql": "create table a (b int);\n"}
    return judged("sh x.sh", files, committed=files).effect


@for_each(
    "text",
    [
        f"{START}trap 'docker compose down -v' EXIT\n{DROP}",
        f"{START}docker compose exec -T db psql -U postgres < db.sql\n{DROP}docker compose down -v\n",
        f"{CALLS}trap 'dc down -v' EXIT\ndc up -d\ndc exec -T -u postgres db dropdb app\n",
    ],
)
def test_the_server_of_a_project_of_its_own_may_be_emptied(text):
    assert reset(text, OWN_DATA + VOLUMES) == "allow"


@for_each(
    ("text", "compose"),
    [
        # the data is there before the project, and after it
        (START + DROP, f"{DB}    volumes: ['./data:/var/lib/postgresql/data']\n"),
        (START + DROP, f"{DB}    volumes: ['data:/d']\nvolumes:\n  data: {{external: true}}\n"),
        (
            START + DROP,
            f"{DB}    volumes: ['data:/d']\nvolumes:\n  data: {{driver_opts: {{o: x}}}}\n",
        ),
        (START + DROP, f"{DB}    volumes: [{{type: bind, source: ., target: /d}}]\n"),
        (START + DROP, f"{DB}    volumes: ['$DATA:/d']\n"),
        # another server than the one of the image
        (START + DROP, f"{DB}    environment: [PGHOST=db.shop.example]\n"),
        (START + DROP, f"{DB}    env_file: db.env\n"),
        (START + DROP, f"{DB}    network_mode: host\n"),
        (
            START + DROP,
            f"{DB}    command: sh -c 'socat TCP-LISTEN:5432 TCP:db.shop.example:5432'\n",
        ),
        (START + DROP.replace("psql", "psql -h db.shop.example"), DB),
        (START + DROP, DB.replace("postgres:16", "shop/tools")),
        # another project, or one that may have been there
        (START + DROP.replace("compose exec", "compose -p shop exec"), DB),
        (START.replace("shop-$$", "shop") + DROP, DB),
        (START.replace("shop-$$", "web") + DROP, DB),
        (START + "export COMPOSE_PROJECT_NAME=shop\n" + DROP, DB),
        (START + "unset COMPOSE_PROJECT_NAME\n" + DROP, DB),
        (START + ". ./names.sh\n" + DROP, DB),
        (DROP + START, DB),
        # a file that is not the one that was read
        (START + "cp prod.yml ci.compose.yml\n" + DROP, DB),
        (START + "export COMPOSE_FILE=prod.yml\n" + DROP, DB),
        (START + DROP, "services: *x\n"),
    ],
)
def test_the_server_of_another_project_is_not_the_lines_own(text, compose):
    assert reset(text, compose) == "junction"


RESET = "reset-db:\n    #!/usr/bin/env bash\n    set -eu\n    {start}\n    {steps}\n"
OWN = "export COMPOSE_FILE=ci.compose.yml COMPOSE_PROJECT_NAME=shop-$$"
STEPS = "docker compose up -d --wait db; docker compose exec -T db psql -q < db.sql; docker compose down -v"


def by_name(start=OWN, steps=STEPS, compose=DB):
    text = RESET.format(start=start, steps=steps)
    files = {"justfile": text, "ci.compose.yml": compose, "db.sql": "create table a (b int);\n"}
    return judged("just reset-db", files, committed=files).effect


def test_a_target_that_is_called_a_reset_may_reset_a_project_of_its_own():
    assert by_name() == "allow"


@for_each(
    "changed",
    [
        {"start": "export COMPOSE_FILE=ci.compose.yml COMPOSE_PROJECT_NAME=shop"},
        {"start": "export COMPOSE_FILE=ci.compose.yml"},
        {"steps": f"{STEPS}; ./rollout"},
        {"steps": STEPS.replace("psql -q", "sh -c ./rollout")},
        {"steps": STEPS.replace("psql -q", "psql -q -h db.shop.example")},
        {"compose": f"{DB}  job:\n    image: shop/tools\n"},
        {"compose": f"{DB}    volumes: ['./data:/var/lib/postgresql/data']\n"},
    ],
)
def test_a_target_that_resets_more_needs_a_person(changed):
    assert by_name(**changed) == "junction"
