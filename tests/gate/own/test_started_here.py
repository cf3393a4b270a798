"""Containers and servers that are made for a command: in its text, in a file before it, or around it."""

from __future__ import annotations

import time

from tests.gate.disk.test_follow import judged
from tests.gate.own.test_line_words import place_of, read
from tests.tables import for_each

from operators_edge.gate.own import started_here


@for_each(
    ("text", "is_own"),
    [
        ("docker run --rm debian:12 rm -rf /usr/share/doc", True),
        ("docker run -d --name a debian:12 && docker exec a rm -rf /usr", True),
        ("docker run --rm -v /srv:/srv debian:12 rm -rf /srv", False),
        ("docker exec a rm -rf /usr", False),
        ("rm -rf /usr", False),
    ],
)
def test_a_command_runs_in_a_container_of_the_line_with_nothing_of_the_machine(text, is_own):
    line = read(text)
    assert (started_here.container_of(line, place_of(line, "rm")) is not None) == is_own


RUN = "docker run -d -p 5499:5432 postgres"
PSQL = "psql -h localhost -p 5499 -c 'drop table b'"


@for_each(
    ("text", "is_own"),
    [
        (f"{RUN} && {PSQL}", True),
        (f"up() {{ {RUN}; }}\nup && {PSQL}", False),
        (f"{RUN}; {PSQL}", False),
        (f"{RUN} && {PSQL.replace('-p 5499 ', '')}", False),
        (f"{RUN} && ssh -fNL 5499:db:5432 h && {PSQL}", False),
        (f"{RUN} bash -c 'nc -lk -p 5432 -e proxy' && {PSQL}", False),
        (f"{RUN} -c fsync=off && {PSQL}", True),
    ],
)
def test_a_client_reaches_a_container_of_the_line_by_its_port(text, is_own):
    line = read(text)
    assert started_here.is_at_port(line, place_of(line, "psql")) == is_own


IN_FUNCTION = f"""\
set -euo pipefail
start_db() {{
  {RUN} --name shopdb
}}
end() {{ docker stop shopdb; }}
start_db  # start_db waits for nothing
{PSQL}
end
""".replace(f"{RUN} --name shopdb", RUN.replace("-d", "-d --name shopdb"))
IN_LIBRARY = {
    "x.sh": f"set -e\n. ./lib.sh\nup\ntrap down EXIT\n{PSQL}\n",
    "lib.sh": "N=shopdb\nup() {\n  docker run -d --name $N -p 5499:5432 postgres\n}\n"
    "down() { docker rm -f $N; }\n",
}
IN_FILE = {
    "x.sh": f"#!/bin/bash\nset -e\n./up.sh\n{PSQL}\ndocker exec shopdb dropdb app\ndocker rm -f shopdb\n",
    "up.sh": "#!/bin/bash\nset -e\ndocker run -d --name shopdb -p 5499:5432 postgres\nsleep 3\n",
}
AROUND = {
    "x.sh": "#!/bin/bash\nset -e\ndocker run -d --name shopdb -p 5499:5432 postgres\n"
    "./wipe.sh\n./wipe.sh\ndocker rm -f shopdb\n",
    "wipe.sh": f"#!/bin/bash\n{PSQL}\n",
    "end.sh": "#!/bin/bash\ndocker stop shopdb\n",
}
COMPOSED = {
    "x.sh": f'set -e\nC="docker compose -p shop-test -f t.yml"\nup() {{ $C up -d; }}\nup\n{PSQL}\n',
    "t.yml": "services:\n  db:\n    image: postgres:16\n    ports: ['5499:5432']\n    tmpfs: [/var/lib]\n",
}
PORT = "5499:5432"


def effect(files, *changes, command="bash x.sh"):
    files = dict(files)
    for name, before, after in changes:
        assert before in files.get(name, before)
        files[name] = files.get(name, before).replace(before, after)
    first, second = judged(command, files), judged(command, files, committed=files)
    assert first.effect == second.effect
    return first.effect


@for_each(
    ("files", "changes"),
    [
        ({"x.sh": IN_FUNCTION}, ()),
        (IN_LIBRARY, ()),
        (IN_FILE, ()),
        (IN_FILE, [("x.sh", "./up.sh", "bash up.sh")]),
        (IN_FILE, [("x.sh", "./up.sh", "start() { ./up.sh; }\nstart")]),
        (AROUND, ()),
        (AROUND, [("wipe.sh", PSQL, "docker exec shopdb dropdb app")]),
        (COMPOSED, ()),
        ({**COMPOSED, "compose.yml": "volumes:\n  data:\n"}, ()),
    ],
)
def test_a_server_that_was_made_for_a_command_is_nobodys_loss(files, changes):
    assert effect(files, *changes) == "allow"


@for_each(
    "change",
    [
        ("set -euo", "set -uo"),
        ("docker run -d", "docker start shopdb || docker run -d"),
        ("5432 postgres", "5432 postgres || true"),
        ("start_db  #", "start_db || true  #"),
        ("start_db  #", "if test $A; then start_db; fi  #"),
        ("start_db  #", "x=$(start_db)  #"),
        ("start_db  #", "start_db &  #"),
        ("start_db  #", "retry start_db\nstart_db  #"),
        ("start_db() {", "start_db() {\ndocker inspect shopdb && return 0"),
        ("start_db() {", "start_db() {\nif docker inspect shopdb; then return; fi"),
        ("start_db  #", "start_db\nend  #"),
        ("-p 5499 -c", "-p 5432 -c"),
        ("-p 5499 -c", "-p ${DB_PORT:-5499} -c"),
        ("-h localhost", '-h "${DB_HOST:-localhost}"'),
        (PORT, f"{PORT} -v data:/var/lib/postgresql/data"),
        ("start_db  #", "start_db\n. ./.env  #"),
    ],
)
def test_a_function_that_may_have_made_nothing_needs_a_person(change):
    retry = "retry() { until $1; do sleep 1; done; }\n"
    files = {"x.sh": retry + IN_FUNCTION, ".env": "eval $MORE\n"}
    assert effect(files, ("x.sh", *change)) == "junction"


@for_each(
    "change",
    [
        ("x.sh", "up\n", "up || true\n"),
        ("x.sh", ". ./lib.sh\n", ". ./lib.sh\n. ./more.sh\n"),
        ("x.sh", ". ./lib.sh\n", "trap 'docker rm -f shopdb' EXIT\n. ./lib.sh\n"),
        ("lib.sh", "docker run -d", "docker start $N || docker run -d"),
        ("lib.sh", "up() {\n", "up() {\n  docker inspect $N && return\n"),
        ("lib.sh", "N=shopdb\n", "N=shopdb\nexport PGHOSTADDR=10.0.0.1\n"),
        ("lib.sh", "N=shopdb\n", 'N=shopdb\ndocker() { command docker -H b "$@"; }\n'),
        ("lib.sh", PORT, f"{PORT} -v /srv/pg:/d"),
    ],
)
def test_a_library_that_may_have_made_nothing_needs_a_person(change):
    files = {**IN_LIBRARY, "more.sh": "up() { :; }\n"}
    assert effect(files, change) == "junction"


@for_each(
    "change",
    [
        ("up.sh", "set -e\n", ""),
        ("up.sh", "set -e\n", "set -e\nset -n\n"),
        ("up.sh", "#!/bin/bash", "#!/bin/bash -n"),
        ("up.sh", "docker run", "docker start shopdb && exit 0\ndocker run"),
        ("up.sh", "docker run", "test $CI && exec ./other\ndocker run"),
        ("up.sh", "docker run", "trap 'docker rm -f shopdb' EXIT\ndocker run"),
        ("up.sh", "5432 postgres", "5432 postgres &"),
        ("up.sh", "docker run -d", "if false; then\ndocker run -d"),
        ("up.sh", PORT, f"{PORT} -v $HOME/pg:/d"),
        ("up.sh", "-p 5499", "-p ${PORT:-5499}"),
        ("up.sh", "sleep 3", "docker stop shopdb"),
        ("up.sh", "sleep 3", ". ./more"),
        ("x.sh", "./up.sh", "./up.sh || true"),
        ("x.sh", "./up.sh", "./up.sh &"),
        ("x.sh", "./up.sh", "bash -n up.sh"),
        ("x.sh", "./up.sh", "ssh ci ./up.sh"),
        ("x.sh", "./up.sh", "cat a | xargs -I{} ./up.sh"),
        ("x.sh", "./up.sh", "test $A && ./up.sh"),
        ("x.sh", "./up.sh", "export DOCKER_HOST=ssh://b\n./up.sh"),
        ("x.sh", "./up.sh", "./up.sh\n./end.sh"),
        ("x.sh", "./up.sh", "./end.sh\n./up.sh\n./end.sh"),
        ("x.sh", "./up.sh", "./end.sh\n./up.sh\nbash end.sh"),
        ("x.sh", "./up.sh", "./up.sh\npython3 end.py"),
        ("x.sh", "./up.sh", "sed -i s/5499/5498/ up.sh\n./up.sh"),
        ("x.sh", "set -e\n", ""),
    ],
)
def test_a_file_that_may_have_made_nothing_needs_a_person(change):
    end = "import subprocess\nsubprocess.run(['docker', 'stop', 'shopdb'])\n"
    files = {**IN_FILE, "end.sh": AROUND["end.sh"], "end.py": end, "more": "eval $A\n"}
    changes = [change]
    if "if false" in change[2]:
        changes.append(("up.sh", "sleep 3", "fi"))
    assert effect(files, *changes) == "junction"


@for_each(
    "change",
    [
        ("x.sh", "./wipe.sh\ndocker", "./end.sh\n./wipe.sh\ndocker"),
        ("x.sh", "./wipe.sh\ndocker", "docker stop shopdb\n./wipe.sh\ndocker"),
        ("x.sh", "set -e\n", ""),
        ("x.sh", "set -e\n", "set -e\n./wipe.sh\n"),
        ("x.sh", "./wipe.sh\n./wipe.sh", "f() { ./wipe.sh; }\nf\nf\ndocker stop shopdb\nf"),
        ("x.sh", "./wipe.sh\n./wipe.sh", "PGHOSTADDR=10.0.0.1 ./wipe.sh"),
        ("wipe.sh", "5499", "5432"),
        ("wipe.sh", "-h localhost", "-h $DB_HOST"),
        ("wipe.sh", "psql", "docker stop shopdb\npsql"),
    ],
)
def test_a_file_that_runs_elsewhere_or_too_late_needs_a_person(change):
    assert effect(AROUND, change) == "junction"


def test_a_file_is_harmless_only_in_its_place():
    assert effect(AROUND, command="bash wipe.sh") == "junction"
    assert effect(AROUND, command="bash x.sh; ./wipe.sh") == "junction"


@for_each(
    "change",
    [
        ("x.sh", "-p shop-test -f t.yml", ""),
        ("x.sh", "up\npsql", "up || true\npsql"),
        ("x.sh", "C=", "up() { :; }\nC="),
        ("t.yml", "tmpfs: [/var/lib]", "volumes: [/srv/pg:/var/lib]"),
    ],
)
def test_a_project_of_compose_that_others_use_needs_a_person(change):
    dev = COMPOSED["t.yml"].replace("tmpfs: [/var/lib]", "volumes: [data:/d]")
    files = {**COMPOSED, "compose.yml": f"{dev}volumes:\n  data:\n"}
    if change[1] == "C=":
        files["x.sh"] = (
            files["x.sh"].replace("$C up", "retry $C up").replace("up\npsql", "retry up\npsql")
        )
    assert effect(files, change) == "junction"


def test_a_target_is_known_by_what_it_has_started_itself():
    files = {**IN_FILE, "Makefile": f"db-reset:\n\t./up.sh\n\t{PSQL}\n\tdocker stop shopdb\n"}
    assert effect(files, command="make db-reset") == "allow"
    assert effect(files, ("Makefile", "./up", "-./up"), command="make db-reset") == "junction"
    files = {**IN_LIBRARY, "Makefile": "db-reset:\n\tbash x.sh\n"}
    assert effect(files, command="make db-reset") == "allow"
    assert (
        effect(files, ("lib.sh", "down() {", "down() { ./x;"), command="make db-reset")
        == "junction"
    )


def test_many_clients_of_one_server_take_as_long_each_as_few():
    def seconds(count):
        text = IN_FUNCTION + "".join(
            PSQL.replace("table b", f"table b{n}") + "\n" for n in range(count)
        )
        began = time.process_time()
        judged("bash x.sh", {"x.sh": text.replace("end\npsql", "psql")}, committed=["x.sh"])
        return time.process_time() - began

    seconds(10)
    assert seconds(400) < 12 * max(seconds(100), 0.02)
