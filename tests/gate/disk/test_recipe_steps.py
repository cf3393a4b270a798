"""What one line of a target has made, the next may use: each runs only after those before it."""

# ruff: noqa: E501 - texts of files
from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

RUN = "docker run -d --name shopdb -p 5433:5432 postgres:16"
USE = "psql postgres://postgres:x@localhost:5433/postgres -c 'DROP TABLE x'"
END = "docker rm -f shopdb"
WAIT = "until pg_isready -p 5433; do sleep 1; done"
HEADS = {
    "make t": ("Makefile", "t:\n", "\t"),
    "just t": ("justfile", "t:\n", "  "),
    "task t": ("Taskfile.yml", "version: '3'\ntasks:\n  t:\n    cmds:\n", "      - "),
}


def effect(command, lines, *, before="", head="t:\n"):
    name, usual, indent = HEADS[next(one for one in HEADS if command.find(one.split()[0]) >= 0)]
    start = head if name == "Makefile" else usual
    text = f"{before}{start}" + "".join(f"{indent}{one}\n" for one in lines)
    return judged(command, {name: text}).effect


@for_each(
    ("command", "lines"),
    [
        (command, lines)
        for command in HEADS
        for lines in ([RUN, USE, END], [RUN, WAIT, USE], [RUN, "cd web && npm ci", USE])
    ],
)
def test_a_database_that_a_line_of_the_target_has_started_is_nobodys_loss(command, lines):
    assert effect(command, lines) == "allow"


@for_each(
    ("command", "lines"),
    [
        (command, lines)
        for command in HEADS
        for lines in (
            [USE, RUN],
            [RUN, USE.replace("5433", "5432")],
            [RUN, END, USE],
            [f"{RUN} || true", USE],
            [f"{RUN}; true", USE],
            [RUN, "ssh -fNL 5433:db.shop.example:5432 bastion", USE],
            [END],
        )
    ],
)
def test_what_another_may_have_made_needs_a_person(command, lines):
    assert effect(command, lines) == "junction"


@for_each(
    ("command", "lines", "more"),
    [
        ("make t", [f"-{RUN}", USE], {}),
        ("just t", [f"-{RUN}", USE], {}),
        ("make -k t", [RUN, USE], {}),
        ("make -i t", [RUN, USE], {}),
        ("MAKEFLAGS=-i make t", [RUN, USE], {}),
        ("make t", [RUN, USE], {"before": ".IGNORE:\n"}),
        ("make t", [RUN, USE], {"before": "MAKEFLAGS += -i\n"}),
        ("make t", [RUN, USE], {"before": "override SHELL := x\n"}),
        ("make t", [RUN, USE], {"before": "t: SHELL=x\n"}),
        ("make t", [RUN, USE], {"before": "a .IGNORE:\n"}),
        ("make t", [f"$(P){RUN}", USE], {"before": "P=-\n"}),
        ("make --ig t", [RUN, USE], {}),
        ("make SHELL=/bin/true t", [RUN, USE], {}),
        ("make t MAKEFLAGS=i", [RUN, USE], {}),
        ("just --shell true t", [RUN, USE], {}),
        ("make t", [USE], {"head": f"a:\n\t{RUN}\nt:\n"}),
        ("task t", [RUN, USE], {"before": "x-a: &a {ignore_error: true}\n"}),
        ("task t", [f"defer: {END}", RUN], {}),
        ("task t", [f"cmd: {RUN}", USE], {}),
    ],
)
def test_a_failure_that_may_not_end_the_run_needs_a_person(command, lines, more):
    assert effect(command, lines, **more) == "junction"


def test_the_place_of_a_command_is_the_line_that_it_is_on():
    (finding, *_) = judged(
        "make t", {"Makefile": f"t:\n\t{RUN}\n\ttrue\n\tgit push --force\n"}
    ).findings
    assert finding.source == "Makefile:4"


def test_what_a_task_defers_runs_after_its_other_commands():
    assert effect("task t", [RUN, f"defer: {END}", USE]) == "allow"
    assert effect("task t", [f"defer: {END}", RUN, USE]) == "junction"
    assert effect("task t", [f"defer: {END}", USE]) == "junction"
    assert effect("task t", [RUN, "defer: docker rm -f other", USE]) == "junction"


MAKES = "kind create cluster --name prod-trial --kubeconfig ./.kubeconfig"
ENDS = "defer: kind delete cluster --name prod-trial --kubeconfig ./.kubeconfig"
APPLY = "kubectl --kubeconfig ./.kubeconfig --context {{.CONTEXT}} apply -f manifests/"
ROOT_FILE = (
    'version: "3"\nincludes:\n  c:\n    taskfile: ./deploy/Taskfile.yml\n    dir: ./deploy\n'
    "tasks:\n  x:\n    cmds:\n      - echo 1\n"
)


def in_cluster(*lines, context="kind-prod-trial", root=ROOT_FILE, command="task c:deploy"):
    steps = "".join(f"      - {one}\n" for one in lines)
    included = f'version: "3"\nvars:\n  CONTEXT: {context}\ntasks:\n  deploy:\n    cmds:\n{steps}'
    return judged(command, {"Taskfile.yml": root, "deploy/Taskfile.yml": included}).effect


def test_an_included_file_may_use_the_cluster_that_it_makes():
    assert in_cluster(MAKES, ENDS, APPLY) == "allow"
    assert in_cluster(MAKES, APPLY, ENDS.removeprefix("defer: ")) == "allow"


def test_a_cluster_that_is_not_for_certain_the_own_one_asks():
    assert in_cluster(APPLY) == "junction"
    assert in_cluster(ENDS, MAKES, APPLY) == "junction"
    assert in_cluster(MAKES, ENDS, APPLY, context="prod") == "junction"
    assert in_cluster(MAKES, ENDS, APPLY, context="kind-other") == "junction"
    assert in_cluster(MAKES, ENDS, APPLY.replace("./.kubeconfig", "prod.yaml")) == "junction"
    assert in_cluster(f"{MAKES} || true", ENDS, APPLY) == "junction"
    assert in_cluster(MAKES, ENDS, APPLY, command="task c:deploy CONTEXT=prod") == "junction"
    calls = ROOT_FILE.replace("- echo 1", "- task: c:deploy\n        vars: {CONTEXT: prod}")
    assert in_cluster(MAKES, ENDS, APPLY, root=calls, command="task x") == "junction"
    again = f"{APPLY.replace('{{.CONTEXT}}', 'prod')}"
    assert in_cluster(MAKES, ENDS, APPLY, again) == "junction"


MAKE = f".PHONY: up t\nup:\n\t{RUN}\n\nt: up\n\t{USE}\n"
JUST = f"up:\n  {RUN}\n\nt: up\n  {USE}\n"
TASK = f"tasks:\n  up:\n    cmds:\n      - {RUN}\n  t:\n    deps: [up]\n    cmds:\n      - {USE}\n"
CALL = TASK.replace("    deps: [up]\n    cmds:\n", "    cmds:\n      - task: up\n")
NPM = '{"scripts": {\n"pret": "%s",\n"t": "%s"\n}}\n' % (RUN, USE)  # noqa: UP031 - it has braces
SCRIPT = {"up.sh": f"set -e\n{RUN}\n"}


@for_each(
    ("command", "files"),
    [
        ("make t", {"Makefile": MAKE}),
        (
            "make t",
            {"Makefile": f"P ?= 5433\n{MAKE}".replace("5433", "$(P)").replace("= $(P)", "= 5433")},
        ),
        ("make t", {"Makefile": MAKE.replace("t: up\n", "t: up\n\n# the tables\n")}),
        ("make t", {"Makefile": MAKE.replace("t: up\n", "t:\n\t$(MAKE) up\n")}),
        ("make up t", {"Makefile": MAKE.replace("t: up", "t:")}),
        ("make t", {"Makefile": f"t:\n\tbash up.sh\n\t{USE}\n", **SCRIPT}),
        ("just t", {"justfile": JUST}),
        ("just t", {"justfile": JUST.replace("up:", "[private]\nup:", 1)}),
        ("task t", {"Taskfile.yml": TASK}),
        ("task t", {"Taskfile.yml": CALL}),
        ("npm run t", {"package.json": NPM}),
        (
            "npm run t",
            {"package.json": NPM.replace("pret", "up").replace("psql", "npm run up && psql")},
        ),
        ("make up && " + USE, {"Makefile": MAKE}),
        ("yarn run up && " + USE, {"package.json": NPM.replace("pret", "up")}),
    ],
)
def test_what_a_target_needs_has_run_before_it(command, files):
    assert judged(command, files).effect == "allow"


@for_each(
    ("command", "files"),
    [
        ("make t", {"Makefile": MAKE.replace(".PHONY: up t", ".PHONY: t")}),
        ("make t", {"Makefile": MAKE.replace("\tdocker", "\t-docker")}),
        ("make t", {"Makefile": MAKE.replace("t: up", "t:")}),
        ("make t", {"Makefile": f"{MAKE}up:\n\ttrue\n"}),
        ("make t", {"Makefile": f"include m.mk\n{MAKE}", "m.mk": "up:\n\ttrue\n"}),
        ("make t", {"Makefile": MAKE.replace("t: up\n", "ifneq ($(CI),1)\nt: up\nendif\nt:\n")}),
        (
            "make t",
            {
                "Makefile": MAKE.replace("\tdocker", "ifneq ($(CI),1)\n\tdocker", 1).replace(
                    "\n\nt:", "\nendif\nt:"
                )
            },
        ),
        ("make t", {"Makefile": f"{MAKE}up: P = 1\n"}),
        ("make t", {"Makefile": MAKE.replace("t: up\n", f"t: up off\noff:\n\t{END}\n\nt:\n")}),
        ("make -o up t", {"Makefile": MAKE}),
        ("make -t up t", {"Makefile": MAKE}),
        ("make -j2 t", {"Makefile": MAKE}),
        ("MAKEFLAGS=k make t", {"Makefile": MAKE}),
        ("make t", {"Makefile": MAKE.replace("t: up\n", "t:\n\t$(MAKE) -i up\n")}),
        ("make t", {"Makefile": MAKE.replace("t: up\n", "t:\n\t-$(MAKE) up\n")}),
        ("make up; " + USE, {"Makefile": MAKE}),
        ("make -n up && " + USE, {"Makefile": MAKE}),
        ("make up && " + USE, {"Makefile": MAKE.replace(".PHONY: up t", "")}),
        ("just t", {"justfile": JUST.replace("t: up", "t: && up")}),
        ("just t", {"justfile": JUST.replace("  docker", "  -docker")}),
        ("just t", {"justfile": f"[linux]\n{JUST}[macos]\nup:\n  true\n"}),
        ("just --no-deps t", {"justfile": JUST}),
        (
            "task t",
            {"Taskfile.yml": TASK.replace("    cmds:", "    status: [test -f a]\n    cmds:", 1)},
        ),
        (
            "task t",
            {
                "Taskfile.yml": TASK.replace("[up]", "[up, off]")
                + f"  off:\n    cmds:\n      - {END}\n"
            },
        ),
        (
            "task t",
            {"Taskfile.yml": CALL.replace("- task: up", "- task: up\n        ignore_error: true")},
        ),
        ("npm run t --ignore-scripts", {"package.json": NPM}),
        ("npm run t", {"package.json": NPM, ".npmrc": "ignore-scripts=true\n"}),
        ("npm_config_ignore_scripts=1 npm run t", {"package.json": NPM}),
        ("yarn run t", {"package.json": NPM}),
        ("pnpm run t", {"package.json": NPM}),
        ("npm run t", {"package.json": NPM.replace("postgres:16", "postgres:16 || true")}),
    ],
)
def test_what_may_not_have_run_before_a_target_needs_a_person(command, files):
    assert judged(command, files).effect == "junction"


def test_a_line_of_several_targets_keeps_its_place():
    text = MAKE.replace("t: up\n", "t: up\n\tgit push --force\n")
    (finding, *_) = judged("make t", {"Makefile": text}).findings
    assert finding.source == "Makefile:6"


MOVED = {
    "make exports it": ("make t", {"Makefile": f"export DOCKER_HOST = ssh://staging\nt:\n\t{RUN}\n\t{USE}\n"}),
    "one target does": ("make t", {"Makefile": f"t: export PGHOSTADDR = 10.0.0.5\nt:\n\t{RUN}\n\t{USE}\n"}),
    "the words do": ("make t DOCKER_HOST=ssh://staging", {"Makefile": f"t:\n\t{RUN}\n\t{USE}\n"}),
    "a file that is included": ("make t", {"Makefile": f"include .env\nexport\nt:\n\t{RUN}\n\t{USE}\n", ".env": "DOCKER_HOST=ssh://staging\n"}),
    "just exports it": ("just t", {"justfile": f'export DOCKER_HOST := "ssh://staging"\nt:\n  {RUN}\n  {USE}\n'}),
    "Task gives it": ("task t", {"Taskfile.yml": f"version: '3'\nenv:\n  DOCKER_HOST: ssh://staging\ntasks:\n  t:\n    cmds:\n      - {RUN}\n      - {USE}\n"}),
    "what is deferred runs a file": ("task t", {"Taskfile.yml": f"version: '3'\ntasks:\n  t:\n    cmds:\n      - defer: {USE}\n      - ./up.sh\n", "up.sh": f"set -e\n{RUN}\n"}),
    "another word of the statement counts": ("bash x.sh", {"x.sh": f"set -e\nA=$({RUN}) B=$(date)\n{USE}\n"}),
}  # fmt: skip


@for_each(("command", "files"), MOVED.values(), MOVED)
def test_a_server_that_may_be_another_one_needs_a_person(command, files):
    assert judged(command, files).effect == "junction"


HOSTS = {
    ".env": "PGHOST=localhost\n",
    "far.env": "PGHOST=db.example.com\n",
    "near.env": "PGHOST=127.0.0.1\n",
    "s.sh": "set -a; . ./.env; dropdb shop_test\n",
    "good.sh": "true\n",
    "bad.sh": "git push --force\n",
}
SOURCE = "set -a; . ./.env; dropdb shop_test"


def changed(command, *lines, files=HOSTS, **more):
    name, usual, indent = HEADS[next(one for one in HEADS if one.split()[0] in command)]
    text = more.get("head") or f"{usual}" + "".join(f"{indent}{one}\n" for one in lines)
    return judged(command, {**files, name: text}, committed=(*files, name)).effect


@for_each(
    "lines",
    [
        ["cp far.env .env", SOURCE],
        ["mv far.env .env", "true", SOURCE],
        ["cat far.env > .env", SOURCE],
        ["echo PGHOST=db.example.com >> .env", SOURCE],
        ["sed -i s/localhost/db.example.com/ .env", SOURCE],
        ["cp far.env .env", "bash s.sh"],
        ["cp far.env .env", "dotenv -e .env -- dropdb shop_test"],
        ["cp bad.sh good.sh", "sh good.sh"],
    ],
)
def test_a_file_that_a_line_changes_is_another_one_for_the_next(lines):
    for command in HEADS:
        assert changed(command, *lines) == "junction"


@for_each(
    "lines",
    [
        ["cp near.env .env", SOURCE],
        ["echo DEBUG=1 >> .env", SOURCE],
        ["cp far.env other.env", SOURCE],
        [SOURCE, "cp far.env .env"],
        ["cp near.env .env", "bash s.sh"],
        ["cp good.sh other.sh", "sh other.sh"],
    ],
)
def test_a_file_that_is_changed_to_another_harmless_one_needs_nobody(lines):
    for command in HEADS:
        assert changed(command, *lines) == "allow"


def test_a_file_that_a_needed_target_changes_is_another_one_behind_it():
    env, use = "env:\n\tcp far.env .env\n", f"t: env\n\t{SOURCE}\n"
    assert changed("make t", head=use + env) == "junction"
    assert changed("make t", head=use + env.replace("far", "near")) == "allow"
    assert changed("make t", head=env + "t: env\n\tbash s.sh\n") == "junction"
    assert (
        changed("just t", head="t: env\n    bash s.sh\nenv:\n    cp far.env .env\n") == "junction"
    )
    before = '{"scripts": {"pret": "cp far.env .env", "t": "bash s.sh"}}'
    assert judged("npm run t", {**HOSTS, "package.json": before}).effect == "junction"


WANTS = {
    "a port": f"P ?= 5433\n{MAKE}".replace("localhost:5433", "localhost:$(P)"),
    "a host": f"H ?= localhost\n{MAKE}".replace("@localhost", "@$(H)"),
}


@for_each("text", WANTS.values(), WANTS)
def test_what_a_makefile_sets_for_want_of_a_value_is_meant_unless_something_may_set_another(text):
    files = {"Makefile": text, "env": "export P=$(cat p) H=$(cat h)\n"}
    assert judged("make t", files).effect == "allow"
    for line in (
        *("make t P=5432 H=db.example.com", "P=5432 H=db.example.com make t"),
        *("export P=5432 H=db.example.com; make t", 'P="$(cat p)" H="$(cat h)" make t'),
        *(". ./env; make t", "set -a; source env; make t", "export $(cat env); make t"),
        *('eval "$(cat env)"; make t', "env $(cat env) make t"),
    ):
        assert judged(line, files).effect == "junction", line


@for_each(
    "host", ["H ?= db.example.com", "H = db.example.com", "H ?= $(shell cat host)", "include m.mk"]
)
def test_what_a_makefile_sets_to_another_machine_is_none_of_its_own(host):
    text = f"{host}\n{MAKE}".replace("@localhost", "@$(H)")
    assert judged("make t", {"Makefile": text, "m.mk": "H = db.example.com\n"}).effect == "junction"
