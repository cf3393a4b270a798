"""Magefiles, Go programs, Procfiles and included SQL: what they start counts, and nothing else."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

MAGE = (
    'package main\n\nconst image = "registry.example.com/a:1"\n\n// Build makes it; see Push.\n'
    'func Build() error { return sh.Run("docker", "build", "-t", image, ".") }\n\n'
    'func Push() error { return sh.RunV("docker", "push", image) }\n\n'
    "func All() { mg.Deps(Build, Push) }\n\nfunc Local() { mg.Deps(Build) }\n"
)
GO = {
    "go.mod": "module example.com/a\n",
    "cmd/x/main.go": 'package main\n\nimport (\n\t"example.com/a/lib"\n)\n\nfunc main() { lib.Go() }\n',
    "lib/lib.go": 'package lib\n\nfunc Go() {\n\trun("kubectl", "delete", "ns", "shop")\n}\n',
    "other/o.go": 'package other\n\nfunc No() {\n\trun("kubectl", "delete", "ns", "pay")\n}\n',
}
SQL = {"sql/a.sql": "select 1;\n\\ir more/b.sql\n"}
TEMP = "create temp table t as select 1;\n"
CASES = [
    ("mage all", {"magefile.go": MAGE}, "junction"),
    ("mage local", {"magefile.go": MAGE}, "allow"),
    ("go run ./cmd/x", GO, "junction"),
    ("go run ./cmd/x", {**GO, "lib/lib.go": "package lib\n\nfunc Go() {}\n"}, "allow"),
    ("foreman start -f P", {"P": "web: ls\nship: npm publish\n"}, "junction"),
    ("foreman start -f P", {"P": "web: ls\n# ship: npm publish\n"}, "allow"),
    (
        "psql -h db.example.com shop -f sql/a.sql",
        {**SQL, "sql/more/b.sql": "truncate a;"},
        "junction",
    ),
    ("psql -h db.example.com shop -f sql/a.sql", {**SQL, "more/b.sql": "truncate a;"}, "allow"),
    ("psql shop -f a.sql", {"a.sql": f"{TEMP}drop table t;"}, "allow"),
    ("psql shop -f a.sql", {"a.sql": f"{TEMP}drop table t;\ndrop table t;"}, "junction"),
    ("psql shop -f a.sql", {"a.sql": f"{TEMP}drop table public.t;"}, "junction"),
    ("psql shop -f a.sql", {"a.sql": f"begin;\n{TEMP}rollback;\ndrop table t;"}, "junction"),
    ("psql shop -f a.sql", {"a.sql": f"drop table t;\n{TEMP}"}, "junction"),
]
DEFAULT = {"Procfile": "ship: npm publish\n", "P": "web: ls\n"}
OTHERS = [
    ("foreman start -f P", "allow"),
    ("overmind s --procfile=P web", "allow"),
    ("honcho -f P start", "allow"),
    ("foreman start", "junction"),
    ("foreman start -f Procfile", "junction"),
    ("foreman start -f ./Procfile", "junction"),
    ("foreman start -f P -f Procfile", "junction"),
    ("foreman start -f Proc*", "junction"),
    ('foreman start -f "$F"', "junction"),
    ("foreman start -f ''", "junction"),
    ("foreman start -- -f P", "junction"),
    ("foreman start P", "junction"),
    ("foreman run ship -f P", "junction"),
    ("hivemind -f P", "junction"),
    ("cp Procfile Q && foreman start -f Q", "junction"),
]


@for_each(("command", "files", "effect"), CASES)
def test_what_a_program_starts_from_its_files_counts(command, files, effect):
    assert judged(command, files, committed=tuple(files)).effect == effect


@for_each(("command", "effect"), OTHERS)
def test_a_procfile_that_an_option_names_is_read_in_place_of_the_usual_one(command, effect):
    assert judged(command, DEFAULT, committed=tuple(DEFAULT)).effect == effect


def test_unknown_files_that_a_committed_go_program_deletes_are_saved_first():
    files = {"main.go": "package main\n\nfunc main() {\n\tos.RemoveAll(dir)\n}\n"}
    verdict = judged("go run main.go", files, committed=("main.go",))
    assert (verdict.effect, bool(verdict.destroys)) == ("allow", True)


COMPOSE = (
    "services:\n  job:\n    image: alpine\n    working_dir: /app\n"
    "    volumes: ['.:/app{mode}']\n    command: {run}\n"
)
MOUNTS = [
    ("", "rm -rf scans", True),
    ("", "[sh, -c, 'rm -rf /app/scans']", True),
    (":ro", "rm -rf scans", False),
    ("", "ls scans", False),
]


@for_each(("mode", "run", "is_saved"), MOUNTS)
def test_what_a_service_deletes_in_a_mounted_folder_is_saved_first(mode, run, is_saved):
    files = {
        "compose.yaml": COMPOSE.replace("{mode}", mode).replace("{run}", run),
        "scans/a.tif": "x",
    }
    verdict = judged("docker compose run --rm job", files, committed=("compose.yaml",))
    assert (verdict.effect, bool(verdict.destroys)) == ("allow", is_saved)


# end of module
