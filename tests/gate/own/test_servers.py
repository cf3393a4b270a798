"""Servers that a line starts: what reaches one of them alone."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.gate.own.test_line_words import place_of, read
from tests.tables import for_each

from operators_edge.gate.own import servers


@for_each(
    ("text", "is_own"),
    [
        ("kind create cluster && kubectl delete pod x", True),
        ("minikube start -p ci-1 && kubectl --context ci-1 delete pod x", True),
        ("kind create cluster; kubectl delete pod x", False),
        ("kind create cluster && kubectl --kubeconfig f delete pod x", False),
        ("kind create cluster && kubectl config use-context a && kubectl delete pod x", False),
        ("minikube start -p ci-1 && kubectl --context prod delete pod x", False),
        ("kubectl delete pod x", False),
    ],
)
def test_a_command_reaches_the_cluster_that_the_line_has_made(text, is_own):
    line = read(text)
    assert servers.is_in_cluster(line, place_of(line, "kubectl")) == is_own


@for_each(
    ("text", "is_own"),
    [
        ("createdb a && psql -d a -c 'drop table b'", True),
        ("createdb a; psql -d a -c 'drop table b'", False),
        ("createdb a && psql -d c -c 'drop table b'", False),
        ("createdb -h db1 a && psql -h db2 -d a -c 'drop table b'", False),
        ("psql -d shop_test -c 'drop table b'", False),
    ],
)
def test_a_client_works_in_a_database_that_the_line_has_made(text, is_own):
    line = read(text)
    assert bool(servers.lost_with_database(line, place_of(line, "psql"))) == is_own


def test_a_file_that_is_fed_to_a_command_is_read():
    line = read("cat x.sql | psql", {"/home/ann/shop/x.sql": "drop table b;\n"})
    line.context.note_files(line.script)
    assert servers.texts_fed(line, place_of(line, "psql")) == "drop table b;\n"
    assert servers.texts_fed(read("psql"), 0) == ""


@for_each(
    ("text", "is_local"),
    [
        ("psql -d a", True),
        ("psql -h localhost -d a", True),
        ("psql -h db.example.com -d a", False),
        ("PGHOST=db.example.com psql -d a", False),
    ],
)
def test_a_client_reaches_this_machine_if_nothing_leads_it_elsewhere(text, is_local):
    inv = read(text).invs[0]
    assert servers.is_local_server(inv, servers.server_of(inv)) == is_local


COMPOSED = (
    "name: shop-test\nservices:\n  db:\n    image: postgres:16\n    tmpfs: [/var/lib/postgresql/data]\n"
    '    ports:\n      - "127.0.0.1:5433:5432"\n'
)
USE = "psql postgres://postgres:x@localhost:5433/app -c 'DROP TABLE x'"
UP = "docker compose -f c.yml up -d --wait"
DOWN = "docker compose -f c.yml down -v"
MOUNTED = COMPOSED.replace("tmpfs: [", "volumes: [/srv/db:")


@for_each(
    ("command", "files", "expected"),
    [
        (f"{UP} && {USE}", {}, "allow"),
        (f"docker compose -p shop-e2e -f c.yml up -d db && {USE}", {}, "allow"),
        (DOWN, {}, "allow"),
        (
            "docker compose -p shop-ci -f d.yml down -v --remove-orphans",
            {"d.yml": "services: {}\n"},
            "allow",
        ),
        (DOWN, {"c.yml": f"{COMPOSED}volumes:\n  data:\n"}, "allow"),
        (
            "bash x.sh",
            {"x.sh": f". ./lib.sh\nlog x\n{DOWN}\n", "lib.sh": "log() { echo $1; }\n"},
            "allow",
        ),
        (f"{UP}; {USE}", {}, "junction"),
        (f"{UP} && {USE.replace('5433', '5432')}", {}, "junction"),
        (f"{UP} && {USE}", {"c.yml": MOUNTED}, "junction"),
        (f"{UP} && {USE}", {"c.yml": COMPOSED.replace("-test", "")}, "junction"),
        (DOWN, {"c.yml": COMPOSED.replace("-test", "")}, "junction"),
        (DOWN, {"c.yml": COMPOSED.replace("name: shop-test\n", "")}, "junction"),
        (DOWN, {"c.yml": COMPOSED.replace("shop-test", "${P:-shop}-test")}, "junction"),
        (DOWN, {"c.yml": f"{COMPOSED}volumes:\n  data:\n    name: shop_data\n"}, "junction"),
        (DOWN, {"c.yml": f"{COMPOSED}volumes:\n  data:\n    external: true\n"}, "junction"),
        *(
            (DOWN, {"c.yml": f"{COMPOSED}volumes:\n  data:\n    {key}: shop_data\n"}, "junction")
            for key in ("!!str name", "&a name", '"n\\u0061me"', "? name\n   ")
        ),
        (DOWN, {"c.yml": f'{COMPOSED}"name": shop\n'}, "junction"),
        (
            "cd web && docker compose -p shop-ci down -v",
            {"compose.yml": "volumes:\n  data:\n    name: shop_data\n", "web/x": ""},
            "junction",
        ),
        (DOWN, {".env": "DOCKER_HOST=ssh://live\n"}, "junction"),
        (f"docker context use live && {DOWN}", {}, "junction"),
        (DOWN, {".env": "COMPOSE_PROJECT_NAME=shop\n"}, "junction"),
        (DOWN.replace("c.yml", "c.yml -f d.yml"), {"d.yml": "name: shop\n"}, "junction"),
        (DOWN.replace("c.yml", "c.yml -f d.yml"), {}, "junction"),
        (DOWN.replace("c.yml", "c.yml -p shop"), {}, "junction"),
        (DOWN.replace("c.yml", "c.yml --project-name=shop"), {}, "junction"),
        (f"COMPOSE_PROJECT_NAME=shop {DOWN}", {}, "junction"),
        (f"DOCKER_HOST=ssh://live {DOWN}", {}, "junction"),
        (f"export DOCKER_HOST=ssh://live; {DOWN}", {}, "junction"),
        (DOWN.replace("docker", "docker --context live"), {}, "junction"),
        (f"ssh live {DOWN}", {}, "junction"),
        (f"{DOWN} --rmi all", {}, "junction"),
        (f"sed -i s/-test// c.yml && {DOWN}", {}, "junction"),
        ("docker compose down -v", {"compose.yml": COMPOSED}, "junction"),
        *(
            (
                "bash x.sh",
                {"x.sh": f"set -a\n. ./lib.sh\nuse\n{DOWN}\n", "lib.sh": text},
                "junction",
            )
            for text in (
                "use() { export DOCKER_HOST=ssh://live; }\n",
                "use() { :; }\ndocker() { command docker -H tcp://live $*; }\n",
                "use() { :; }\nDOCKER_CONTEXT=live\n",
                "use() { :; }\nCOMPOSE_PROJECT_NAME=shop\n",
                'use() { :; }\neval "$(cat more)"\n',
            )
        ),
    ],
)
def test_a_compose_project_for_tests_is_nobodys_loss(command, files, expected):
    assert judged(command, {"c.yml": COMPOSED, **files}).effect == expected


REDIS = "redis-server --port 6399 --save '' --daemonize yes"
FLUSH = "redis-cli -p 6399 FLUSHALL"
CLUSTER = "d=$(mktemp -d)\ninitdb -D $d\npg_ctl -D $d -o '-p 5999' -w start\n"
DROP = "psql -h localhost -p 5999 postgres -c 'DROP TABLE x'\n"


@for_each(
    ("command", "script", "expected"),
    [
        ("bash x.sh", f"set -e\n{CLUSTER}{DROP}", "allow"),
        # On a port that nothing else has by itself.
        (f"{REDIS} && {FLUSH} && redis-cli -p 6399 shutdown nosave", "", "allow"),
        (
            "bash x.sh",
            f"set -e\nd=$(mktemp -d)\nvalkey-server --port 6399 --dir $d --daemonize yes\n{FLUSH}\n",
            "allow",
        ),
        (f"{REDIS}; {FLUSH}", "", "allow"),
        (f"{REDIS.replace(' --save ' + chr(39) * 2, '')} && {FLUSH}", "", "allow"),
        (f"{REDIS.replace('6399', '6379')} && {FLUSH.replace('6399', '6379')}", "", "junction"),
        (f"{REDIS} && redis-cli FLUSHALL", "", "junction"),
        (f"{REDIS} && redis-cli -p 6380 FLUSHALL", "", "junction"),
        (f"{REDIS} && redis-cli -s /run/redis.sock -p 6399 FLUSHALL", "", "junction"),
        (f"{REDIS} && redis-cli -p 6399 --cluster call 10.0.0.1:6379 FLUSHALL", "", "junction"),
        (f"{REDIS} && redis-cli -h cache.live -p 6399 FLUSHALL", "", "junction"),
        (f"{REDIS} && redis-cli -u redis://cache.live:6399 FLUSHALL", "", "junction"),
        (f"{REDIS.replace(' --port', ' live.conf --port')} && {FLUSH}", "", "junction"),
        (f"{REDIS} --replicaof cache.live 6379 && {FLUSH}", "", "junction"),
        (f"{REDIS} --dir /srv/redis --appendonly yes && {FLUSH}", "", "junction"),
        (f"{REDIS} && ssh -fNL 6399:cache:6379 live && {FLUSH}", "", "junction"),
        ("bash x.sh", f"set -e\n{CLUSTER.replace('$(mktemp -d)', '/srv/pg')}{DROP}", "junction"),
        ("bash x.sh", f"{CLUSTER}{DROP}", "junction"),
        ("bash x.sh", f"set -e\n{CLUSTER.replace('-D $d', '-D $d/../../srv')}{DROP}", "junction"),
        ("bash x.sh", f"set -e\n{CLUSTER}{DROP.replace('5999', '5432')}", "junction"),
    ],
)
def test_a_server_that_a_line_has_started_with_nothing_to_keep_is_its_own(
    command, script, expected
):
    assert judged(command, {"x.sh": script}).effect == expected


RUN = "docker run -d --rm -p $PORT:5432 postgres:16\n"
QUERY = "psql postgres://postgres:x@localhost:$PORT/app -c 'DROP TABLE x'\n"


@for_each(
    ("script", "settings", "expected"),
    [
        (f"set -e\n. ./db.conf\n{RUN}{QUERY}", "PORT=5433\n", "allow"),
        (
            f"set -euo pipefail\nset -a\nsource db.conf\nset +a\n{RUN}{QUERY}",
            "PORT=5433\nAPI_URL=x\n",
            "allow",
        ),
        (f"set -e\n. ./db.conf\n{RUN}. ./more.conf\n{QUERY}", "PORT=5433\n", "junction"),
        (f"set -e\n. ./db.conf\n{RUN}{QUERY}", "PORT=5433\neval x\n", "junction"),
        (f"set -e\n. ./db.conf\n{RUN}{QUERY}", "PORT=5433\nDOCKER_HOST=ssh://live\n", "junction"),
        (
            f"set -e\n. ./db.conf\n{RUN}{QUERY}",
            "PORT=5433\nexport PGHOSTADDR=10.0.0.1\n",
            "junction",
        ),
        (f"set -e\n. ./db.conf\n{RUN}{QUERY}", "PORT=5433\nIFS=3\n", "junction"),
        (f"set -e\n. ./db.conf\nset +e\n{RUN}{QUERY}", "PORT=5433\n", "junction"),
        (
            f"set -e\n. ./db.conf\n{RUN}{QUERY.replace('$PORT', '$OTHER')}",
            "PORT=5433\n",
            "junction",
        ),
    ],
)
def test_a_script_may_have_the_port_of_its_container_from_settings(script, settings, expected):
    files = {"x.sh": script, "db.conf": settings, "more.conf": "PORT=5432\n"}
    assert judged("bash x.sh", files).effect == expected


MONGO = "CID=$(docker run -d mongo:7); docker exec $CID mongosh"


@for_each(
    ("command", "effect"),
    [
        (f"{MONGO} --quiet --eval 'db.dropDatabase()'; docker rm -f $CID", "allow"),
        (f"{MONGO} shop --eval 'db.users.deleteMany({{}})'", "allow"),
        (f"{MONGO} db.example.com/shop --eval 'db.dropDatabase()'", "junction"),
        (f"{MONGO} prod/shop --eval 'db.dropDatabase()'", "junction"),
        (f"{MONGO} --host db.example.com --eval 'db.dropDatabase()'", "junction"),
        (f"{MONGO} --eval 'connect(\"a.example.com/b\").dropDatabase()'", "junction"),
        (f'{MONGO} --eval \'new Mongo("a").getDB("b").dropDatabase()\'', "junction"),
        (f"{MONGO} wipe.js --eval 'db.dropDatabase()'", "junction"),
        (f'{MONGO} --eval \'this["con" + "nect"]("a/b").dropDatabase()\'', "junction"),
        ("docker exec mongo mongosh --eval 'db.dropDatabase()'", "junction"),
    ],
)
def test_the_shell_of_mongo_works_in_a_container_that_the_line_has_made(command, effect):
    assert judged(command, {}).effect == effect
