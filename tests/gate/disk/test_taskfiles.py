"""What a task of a Taskfile runs."""

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

from operators_edge.gate.disk.recipe_types import Wanted
from operators_edge.gate.disk.taskfiles import dotenv_files, task_includes, task_needs, taskfile


def texts(text, *targets):
    return [one.text for one in taskfile(text, Wanted(targets))]


def test_a_taskfile_follows_what_a_task_calls():
    head = "tasks:\n  go:\n    deps:\n      - one\n    cmds:\n"
    text = head + "      - task: two\n      - echo\n  one: ls\n  two:\n    cmd: pwd\n"
    assert set(texts(text, "go")) >= {"echo", "ls", "pwd"}


def test_files_that_a_taskfile_includes_have_names_of_their_own():
    text = (
        "version: '3'\nincludes:\n  a: ./A.yml\n  b:\n    dir: x\n    taskfile: ./B.yml\ntasks:\n"
    )
    found = [(one.path, one.prefix) for one in task_includes(text)]
    assert found == [("./A.yml", "a:"), ("./B.yml", "b:")]
    assert task_includes("tasks:\n") == []


def test_a_task_needs_those_of_other_files_too():
    text = "tasks:\n  go:\n    deps: [a:one]\n    cmds:\n      - task: two\n  two: ls\n"
    assert task_needs(text, ["go"]) == ["go", "a:one", "two"]
    assert task_needs("tasks:\n  default:\n    deps: [x]\n", []) == ["default", "x"]


def test_a_task_on_one_line_runs_its_list_too():
    text = "tasks:\n  go: {cmds: [ls, 'rm x'], deps: [b]}\n  b: [pwd]\n"
    assert texts(text, "go") == ["pwd", "ls", "rm x"]


TASK = "version: '3'\n%s\ntasks:\n  a:\n    cmds:\n      - sqlite3 {{.D}}/u.db < s.sql\n"
HELD = {"s.sql": "DROP TABLE x;", ".e": "D=tmp/testdb\n"}
INCLUDES = "includes:\n  i:\n    taskfile: o.yml\n    vars:\n      D: /srv/live\ntasks:\n"


@for_each(
    ("command", "files", "expected"),
    [
        ("task a", {"Taskfile.yml": TASK % "dotenv: ['.e']"}, "allow"),
        ("task a", {"Taskfile.yml": TASK % "dotenv:\n  - .e"}, "allow"),
        ("task a", {"Taskfile.yml": TASK % "vars:\n  D: tmp/testdb"}, "allow"),
        ("task a", {"Taskfile.yml": TASK % "vars:\n  R: tmp\n  D: '{{.R}}/testdb'"}, "allow"),
        ("task a", {"Taskfile.yml": TASK % "vars:\n  D: '{{.ROOT_DIR}}/tmp/testdb'"}, "allow"),
        ("task a D=tmp/testdb", {"Taskfile.yml": TASK % "vars:\n  D: data"}, "allow"),
        (
            "task a",
            {"Taskfile.yml": (TASK % "").replace(".D", '.D | default "tmp/testdb"')},
            "allow",
        ),
        ("task a", {"Taskfile.yml": TASK % ""}, "junction"),
        ("task a", {"Taskfile.yml": TASK % "dotenv: ['.e']", ".e": "D=/srv/live\n"}, "junction"),
        ("task a", {"Taskfile.yml": TASK % "dotenv: ['.{{.X}}', '.e']"}, "junction"),
        ("task a", {"Taskfile.yml": TASK % "vars:\n  D:\n    sh: cat where"}, "junction"),
        (
            "task a",
            {
                "Taskfile.yml": (TASK % "vars:\n  D: tmp/testdb").replace(
                    "    cmds", "    vars: {D: /srv/live}\n    cmds"
                )
            },
            "junction",
        ),
        (
            "task a",
            {
                "Taskfile.yml": (TASK % "dotenv: ['.e']").replace(
                    "    cmds", "    dotenv: ['.f']\n    cmds"
                ),
                ".f": "D=/srv/live\n",
            },
            "junction",
        ),
        ("D=/srv/live task a", {"Taskfile.yml": TASK % "dotenv: ['.e']"}, "junction"),
        ("task a D=/srv/live", {"Taskfile.yml": TASK % "vars:\n  D: tmp/testdb"}, "junction"),
        ("echo D=/srv/live > .e && task a", {"Taskfile.yml": TASK % "dotenv: ['.e']"}, "junction"),
        (
            "task i:a",
            {"Taskfile.yml": INCLUDES, "o.yml": TASK % "vars:\n  D: tmp/testdb"},
            "junction",
        ),
    ],
)
def test_a_variable_of_a_taskfile_counts_where_only_one_place_sets_it(command, files, expected):
    assert judged(command, {**HELD, **files}).effect == expected


def test_the_files_of_variables_are_known_or_none_is():
    assert dotenv_files("dotenv: ['.env', '.env.local']\n") == [".env", ".env.local"]
    assert dotenv_files("dotenv:\n  - .env\n  - a/.env # x\n") == [".env", "a/.env"]
    assert dotenv_files("dotenv: ['{{.X}}/.env', '.env']\n") == []
    assert dotenv_files("tasks:\n  a:\n    dotenv: ['.env']\n") == []


@for_each(
    ("folder", "text"),
    [
        ("sub", "cd sub && ls"),
        ("'{{.ROOT_DIR}}'", "cd /top && ls"),
        ("'{{.ROOT_DIR}}/a b'", "cd '/top/a b' && ls"),
        ("'{{.WHERE}}'", "ls"),
    ],
)
def test_a_task_runs_in_its_folder_where_that_is_known(folder, text):
    file = f"tasks:\n  go:\n    dir: {folder}\n    cmds:\n      - ls\n"
    wanted = Wanted(("go",), {"ROOT_DIR": "/top"})
    assert [one.text for one in taskfile(file, wanted)] == [text]


WIPES = "tasks:\n  wipe:\n    cmds: [sh x.sh]\n"


@for_each(
    ("include", "script"),
    [("./t/T.yml", "x.sh"), ("\n    taskfile: ./t\n    dir: ./t", "t/x.sh")],
)
def test_tasks_of_another_file_run_beside_the_first_one_or_in_the_folder_that_it_names(
    include, script
):
    files = {
        "Taskfile.yml": f"includes:\n  t: {include}\ntasks:\n  default: ls\n",
        "t/T.yml": WIPES,
        "t/Taskfile.yml": WIPES,
        script: "rm -rf ~/photos\n",
    }
    assert judged("task t:wipe", files, committed=files).effect == "junction"


def test_a_command_on_several_lines_is_one_text():
    text = (
        "tasks:\n  go:\n    desc: |\n      not run\n    cmds:\n"
        "      - |\n\n        if x; then\n          ls\n        fi\n"
        "      - >-\n        rm\n        -r x\n\n        pwd\n"
        "      - cmd: >\n          df\n          -h\n      - echo\n"
        "  to: |\n    a\n    b\n"
    )
    assert texts(text, "go") == ["if x; then\n  ls\nfi", "rm -r x\npwd", "df -h", "echo"]
    assert texts(text, "to") == ["a\nb"]
    assert [one.line for one in taskfile(text, Wanted(["go"]))] == [8, 12, 17, 19]


def test_an_option_on_a_line_of_its_own_belongs_to_its_command():
    text = "tasks:\n  image:\n    cmds:\n      - >-\n        docker buildx build\n        %s\n"
    files = {"Taskfile.yml": text % "--push -t r.example.com/x ."}
    assert judged("task image", files, ("Taskfile.yml",)).rule == "deploy-containers"
    files = {"Taskfile.yml": text % "--load -t r.example.com/x ."}
    assert judged("task image", files, ("Taskfile.yml",)).effect == "allow"


def test_what_a_task_runs_has_the_variables_of_the_files_that_it_names():
    run = '$AS install -m 755 a "$TO/a"'
    task = f"version: '3'\ndotenv: ['x.env']\ntasks:\n  t:\n    cmds:\n      - {run}\n"
    for place, effect in (("/usr/local/bin", "junction"), ("build", "allow")):
        files = {"Taskfile.yml": task, "x.env": f"AS=env\nTO={place}\n"}
        assert judged("task t", files, tuple(files)).effect == effect


FAR = "env:\n  PGHOST: db.example.com\n"


@for_each(
    ("before", "inside", "command", "effect"),
    [
        (FAR, "", "task t", "junction"),
        ("vars:\n  H: db.example.com\nenv:\n  PGHOST: '{{.H}}'\n", "", "task t", "junction"),
        ("", "    env:\n      PGHOST: db.example.com\n", "task t", "junction"),
        ("", "    env: {PGHOST: db.example.com}\n", "task t", "junction"),
        ("", "", "task t", "allow"),
        ("env:\n  PGHOST: localhost\n", "", "task t", "allow"),
        ("", "    env: {PGHOST: localhost}\n", "task t", "allow"),
        ("", "    vars:\n      PGHOST: db.example.com\n", "task t", "allow"),
    ],
)
def test_what_a_taskfile_gives_a_task_may_lead_a_client_elsewhere(before, inside, command, effect):
    text = f"version: '3'\n{before}tasks:\n  t:\n{inside}    cmds:\n      - dropdb shop_test\n"
    assert judged(command, {"Taskfile.yml": text}).effect == effect


@for_each(
    ("url", "effect"),
    [
        ("postgres://u@localhost:5432/shop_test?sslmode=disable", "allow"),
        ("postgres://u@localhost:5432/shop?sslmode=disable", "junction"),
        ("postgres://u@localhost:5432/shop_test?host=db.example.com", "junction"),
    ],
)
def test_a_variable_of_a_taskfile_may_hold_an_address_with_parameters(url, effect):
    text = f"version: '3'\nvars:\n  U: {url}\ntasks:\n  t: psql \"{{{{.U}}}}\" -c 'DROP TABLE x'\n"
    assert judged("task t", {"Taskfile.yml": text}).effect == effect


def test_a_command_that_gives_a_variable_of_a_taskfile_runs():
    text = "version: '3'\nvars:\n  X:\n    sh: {}\ntasks:\n  t: echo {{{{.X}}}}\n"
    for command, effect in (("git push --force", "junction"), ("git rev-parse HEAD", "allow")):
        assert judged("task t", {"Taskfile.yml": text.format(command)}).effect == effect
