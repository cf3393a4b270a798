"""What tasks in TOML run."""

import pytest
from tests.gate.disk.test_follow import judged
from tests.tables import for_each

from operators_edge.gate.disk.recipe_types import Wanted
from operators_edge.gate.disk.toml_tasks import toml_includes, toml_tasks
from operators_edge.shell.commands import HOLE


def texts(text, *targets, is_dry=False):
    return [one.text for one in toml_tasks(text, Wanted(targets, is_dry=is_dry))]


@pytest.mark.parametrize(
    "text",
    [
        '[tool.poe.tasks]\ngo = "ls -l"\nother = "rm x"\n',
        '[tool.poe.tasks.go]\ncmd = "ls -l"\n[tool.poe.tasks]\nother = "rm x"\n',
        '[tool.poe.tasks.go]\nshell = """\nls -l\n"""\nhelp = "rm x"\n',
        '[tool.pdm.scripts]\ngo = {cmd = ["ls", "-l"]}\nother = "rm x"\n',
        '[tool.hatch.envs.docs.scripts]\ngo = ["ls -l"]\nother = ["rm x"]\n',
        '[envs.default.scripts]\ngo = "- ls -l"\nother = ["rm x"]\n',
        '[tool.pixi.tasks]\ngo = "ls -l"\nother = "rm x"\n',
        '[tool.pixi.feature.x.tasks]\ngo = "ls -l"\nother = "rm x"\n',
        '[tasks]\ngo = {cmd = "ls -l"}\nother = "rm x"\n',
        '[tasks.go]\nrun = "ls -l"\n[tasks.other]\nrun = ["rm x"]\n',
        '[tasks.long]\nalias = "go"\nrun = ["ls -l"]\n',
    ],
)
def test_only_the_task_that_is_asked_for_runs(text):
    assert "ls -l" in texts(text, "go")
    assert not any("rm" in one for one in texts(text, "go"))
    assert texts(text, "missing") == texts(text) == []


@pytest.mark.parametrize(
    "text",
    [
        '[tool.poe.tasks]\ngo = ["other", {cmd = "ls"}]\nother = "rm x"\n',
        '[tool.poe.tasks]\ngo.sequence = [{ref = "other --now"}]\nother = "rm x"\n',
        '[tool.poe.tasks]\ngo = {cmd = "ls", deps = ["other"]}\nother = "rm x"\n',
        '[tool.poe.tasks]\ngo = {cmd = "ls $A", uses = {A = "other"}}\nother = "rm x"\n',
        '[tool.poe.tasks.go]\ncontrol = {expr = "1"}\n[[tool.poe.tasks.go.switch]]\ncmd = "rm x"\n',
        '[tool.pdm.scripts]\ngo = {composite = ["lint --fix", "other a"]}\nother = "rm x"\n',
        '[tool.pdm.scripts]\ngo = "ls"\npre_go = "rm x"\n',
        '[tool.pdm.scripts]\ngo = "ls"\npost_go = {cmd = "rm x"}\n',
        '[tool.hatch.envs.default.scripts]\ngo = ["ls", "other {args}"]\nother = "rm x"\n',
        '[tasks]\ngo = {cmd = "ls", depends-on = ["other"]}\nother = "rm x"\n',
        '[tasks]\ngo = {depends-on = [{task = "other"}]}\nother = "rm x"\n',
        '[tasks.go]\ndepends = "other"\n[tasks.other]\nrun = "rm x"\n',
        '[tasks.go]\ndepends_post = ["other"]\n[tasks.other]\nrun = "rm x"\n',
        '[tasks.go]\nrun = ["ls", {task = "other"}]\n[tasks.other]\nrun = "rm x"\n',
        '[tasks.go]\nrun = [{tasks = ["a", "other"]}]\n[tasks.other]\nrun = "rm x"\n',
        '[tasks.go]\nrun = "ls"\nrun_windows = "rm x"\n',
    ],
)
def test_what_a_task_needs_runs_with_it(text):
    assert "rm x" in texts(text, "go")


@pytest.mark.parametrize(
    ("task", "run"),
    [
        ('script = "shop.tasks:clean"', "python3 -c 'from shop.tasks import clean; clean()'"),
        ("script = 'a.b:C.run(1)'", "python3 -c 'from a.b import C; C.run(1)'"),
        ('call = "shop:main"', "python3 -c 'from shop import main; main()'"),
        ('script = "shop.tool"', "python3 -m shop.tool"),
        ('expr = "f(1)"', "python3 -c 'f(1)'"),
        ('file = "scripts/x.sh"', "scripts/x.sh"),
        ("run = \"rm -rf {{config_root}}/a {{arg(name='x')}}\"", f"rm -rf ./a {HOLE}"),
        ('cmd = "rm -rf {root}/a {args:all}"', f"rm -rf ./a {HOLE}"),
        ('cmd = "ls"\ncwd = "../other dir"', "cd '../other dir'\nls"),
        ('run = "ls"\ndir = "{{cwd}}/a"', "cd ./a\nls"),
        ('run = "ls"\ndir = "{{env.X}}"', f'cd "{HOLE}"\nls'),
        (
            'cmd = "ls"\nenv = {A = "x y", B = {default = "$HOME"}}',
            "export A='x y'\nexport B=\"$HOME\"\nls",
        ),
    ],
)
def test_a_task_is_a_command_with_its_folder_and_variables(task, run):
    assert run in texts(f"[tasks.go]\n{task}\n", "go")


def test_variables_of_all_tasks_count_for_each():
    assert texts('[env]\nA = "1"\n[tasks]\ngo = "ls"\n', "go") == ["export A=1\nls"]
    assert texts('[tool.poe]\nenv.A = 1\ntasks.go = "ls"\n', "go") == ["export A=1\nls"]


def test_code_of_another_interpreter_is_no_text_of_a_shell_alone():
    text = '[tool.poe.tasks.go]\nshell = "import os"\ninterpreter = "python"\n'
    assert "python3 -c 'import os'" in texts(text, "go")


def test_a_task_has_the_line_on_which_it_begins():
    text = '[project]\nname = "x"\n\n[tool.poe.tasks]\n"go" = "ls"\n\n[tool.poe.tasks.more]\ncmd = "pwd"\n'
    found = [toml_tasks(text, Wanted((name,)))[0].line for name in ("go", "more")]
    assert found == [5, 7]


def test_tasks_that_call_each_other_end_and_a_dry_run_runs_none():
    text = '[tool.poe.tasks]\na = ["b"]\nb = ["a", "c"]\nc = "ls"\n'
    assert texts(text, "a")[-1] == "ls"
    assert texts(text, "a", is_dry=True) == []


def test_a_file_that_is_no_toml_is_not_read():
    assert toml_tasks("[tasks\ngo = ls", Wanted(("go",))) is None
    assert texts('tasks = "ls"\n[tool]\npoe = 1\n', "go") == []


@pytest.mark.parametrize(
    ("text", "run"),
    [
        ('[hooks]\npostinstall = "rm x"\n', "rm x"),
        ('[hooks]\nenter = {script = "rm x", shell = "bash"}\n', "rm x"),
        ('[tool.hatch.envs.default]\npost-install-commands = ["rm x"]\n', "rm x"),
        ('[activation]\nscripts = ["env.sh"]\n', ". env.sh"),
        ('[tool.pixi.activation]\nscripts = ["env.sh"]\n', ". env.sh"),
        ('[env]\n_.source = "env.sh"\n', ". env.sh"),
        ("[env]\nA = \"{{ exec(command='rm x') }}\"\n", "rm x"),
    ],
)
def test_what_runs_with_any_task_is_found_without_one(text, run):
    assert run in texts(text)
    assert run in texts(text, "go")


def test_files_of_tasks_are_included():
    text = '[tool.poe]\ninclude = ["a.toml", {path = "b.toml"}]\n[task_config]\nincludes = ["t"]\n'
    assert [one.path for one in toml_includes(text)] == ["a.toml", "b.toml", "t"]
    assert toml_includes("[x") == toml_includes("") == []


@pytest.mark.parametrize(
    "text",
    [
        "[tool.pdm.scripts]\ngo = {cmd = 'python x.py', env_file = '.env'}",
        "[tool.pdm.scripts]\ngo = 'python x.py'\n[tool.pdm.scripts._]\nenv_file = '.env'",
        "[tool.poe.tasks.go]\ncmd = 'python x.py'\nenvfile = ['.env']",
    ],
)
def test_a_task_has_the_variables_of_its_files(text):
    assert texts(text, "go") == ["export $(cat .env | xargs)\npython x.py"]


SCRIPTS = {
    "beside tasks in a file": (".mise/tasks/tidy", "mise run tidy", "[tools]\nnode = '22'\n"),
    "with an ending": ("mise-tasks/tidy.sh", "mise run tidy", ""),
    "in a group": (".config/mise/tasks/repo/tidy", "mise run repo:tidy", ""),
    "the first of a group": ("mise-tasks/tidy/_default", "mise tidy", ""),
    "that a task needs": ("mise-tasks/tidy", "mise run all", "[tasks.all]\ndepends = ['tidy']\n"),
    "that a script needs": ("mise-tasks/tidy", "mise run before", ""),
}


@for_each(("path", "command", "tasks"), SCRIPTS.values(), SCRIPTS)
def test_a_task_may_be_a_script_in_a_folder_of_tasks(path, command, tasks):
    before = "#!/bin/sh\n#MISE depends=['tidy']\ntrue\n"
    for text, effect in (("git push --force origin main", "junction"), ("git fetch", "allow")):
        files = {path: f"#!/bin/sh\n{text}\n", "mise.toml": tasks, "mise-tasks/before": before}
        assert judged(command, files, committed=files).effect == effect


def test_a_script_of_another_task_does_not_run():
    files = {"mise-tasks/tidy": "#!/bin/sh\ngit push --force\n", "mise-tasks/tidyup": "true\n"}
    assert judged("mise run tidyup", files, committed=files).effect == "allow"


def test_a_task_gets_the_variables_of_its_environment():
    text = (
        '[tool.hatch.envs.default.env-vars]\nDATA = "/srv/shop"\n'
        '[tool.hatch.envs.default.scripts]\ngo = "sh x.sh"\n'
    )
    assert texts(text, "go") == ["export DATA=/srv/shop\nsh x.sh"]
