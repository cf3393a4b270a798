"""The parts of a file that a run leaves out: blank, and only where nothing that stays needs or runs them."""

from __future__ import annotations

import pytest
from tests.gate.disk.test_follow import judged
from tests.tables import for_each

from operators_edge.gate.disk.file_parts import (
    without_dependencies,
    without_other_tools,
    without_others,
)

TOX = """\
[tox]
envlist = py, release
[testenv]
commands = pytest
[testenv:docs]
commands = {[testenv:site]commands}
[testenv:site]
commands = mkdocs build
[testenv:release]
commands = twine upload dist/*
"""
NOX = """\
import nox

@nox.session
def tests(session: nox.Session, retries: int = 3) -> None:
    session.run("pytest")


@nox.session(name="ship-it")
def release(session):
    session.run("twine", "upload")

@nox.session
def site(session):
    build(session)
    session.notify("docs")

@nox.session
def docs(session):
    session.run("mkdocs")

def build(session):
    session.run("make", Path(__file__))
"""


@pytest.mark.parametrize(
    ("chosen", "stays", "goes"),
    [
        (["py"], "pytest", "upload mkdocs"),
        (["py312", "docs"], "pytest mkdocs", "upload"),
        (["release"], "pytest upload", "mkdocs"),
        (["release-x"], "upload", "mkdocs"),
        ([], "pytest upload mkdocs", ""),
        (["ALL"], "pytest upload mkdocs", ""),
        (["py{312", "313}"], "pytest upload mkdocs", ""),
        (["…"], "pytest upload mkdocs", ""),
    ],
)
def test_an_environment_that_is_not_chosen_is_left_out_unless_another_uses_it(chosen, stays, goes):
    rest = without_others("environments", TOX, chosen)
    assert [word for word in stays.split() if word not in rest] == []
    assert [word for word in goes.split() if word in rest] == []
    assert rest.count("\n") == TOX.count("\n")


@pytest.mark.parametrize(
    ("chosen", "stays", "goes"),
    [
        (["tests"], "pytest make", "upload mkdocs"),
        (["tests-3.12"], "pytest", "upload mkdocs"),
        (["tests(python='3.12')"], "pytest", "upload"),
        (["ship-it"], "upload", "pytest"),
        (["release"], "upload", "pytest"),
        (["site"], "make mkdocs", "pytest upload"),
        ([], "pytest upload mkdocs", ""),
    ],
)
def test_a_session_that_is_not_chosen_is_left_out_unless_another_names_it(chosen, stays, goes):
    rest = without_others("decorated", NOX, chosen)
    assert [word for word in stays.split() if word not in rest] == []
    assert [word for word in goes.split() if word in rest] == []
    assert rest.split("\n")[3] == NOX.split("\n")[3] or "tests" not in chosen


@pytest.mark.parametrize(
    "text",
    [
        "def session(f): f(0)\nimport nox\n@session\ndef x(s):\n    bad()\n",
        "import nox\nnox.session = lambda f: f(0)\n@nox.session\ndef x(s):\n    bad()\n",
        "from mine import session\n@session\ndef x(s):\n    bad()\n",
        "import nox\n@nox.session(bad())\ndef x(s):\n    pass\n",
        "import nox\n@nox.session\ndef x(s, y=bad()):\n    pass\n",
        "import nox\n@now\n@nox.session\ndef x(s):\n    bad()\n",
        "import nox\n@nox.session\n@now\ndef x(s):\n    bad()\n",
        "from mine import now as nox\nimport nox\n@nox.session\ndef x(s):\n    bad()\n",
    ],
)
def test_what_could_run_when_the_file_is_read_stays(text):
    assert "bad" in without_others("decorated", text, ["other"])


# end of module


GITLAB = """\
stages:
  - test
  - ship
default:
  image: node
.base:
  before_script: [setup]
test:
  extends: .base
  script:
    - pytest
ship:
  needs: [site]
  script:
    - upload

site:
  script: mkdocs
"""
MELOS = """\
name: shop
packages:
  - packages/*
scripts:
  test:
    run: pytest
  ship:
    run: upload
    steps: [site]
  site:
    run: mkdocs
ide:
  intellij:
    enabled: other
"""


def test_a_job_stays_whose_lines_another_repeats_by_an_anchor():
    text = "ship:\n  script: &lines\n    - upload\ntest:\n  script: *lines\n"
    assert without_others("yaml", text, ["test"]) == text


@pytest.mark.parametrize("text", [GITLAB, MELOS])
@pytest.mark.parametrize(
    ("chosen", "stays", "goes"),
    [
        (["test"], "pytest", "upload mkdocs"),
        (["run", "test"], "pytest", "upload mkdocs"),
        (["ship"], "upload mkdocs", "pytest"),
        (["up"], "pytest upload mkdocs", ""),
        ([], "pytest upload mkdocs", ""),
    ],
)
def test_a_job_that_is_not_chosen_is_left_out_unless_another_needs_it(text, chosen, stays, goes):
    rest = without_others("yaml", text, chosen)
    assert [word for word in stays.split() if word not in rest] == []
    assert [word for word in goes.split() if word in rest] == []
    assert rest.count("\n") == text.count("\n")
    assert ("setup" in rest) == (text is GITLAB and chosen != ["ship"])


@for_each(
    ("line", "is_left"),
    [
        ("pytest>4.6,<8.4", False),
        ("py{38,39}: pytest", True),
        ("cov: pytest-cov", False),
        ("black=={[tox]BLACK_VERSION}", False),
        ("coverage[toml] >= 7", False),
        ("pytest", False),
        ("-r requirements.txt", True),
        ("rm -rf ~/photos", True),
        ("sh wipe.sh", True),
        ("./wipe.sh", True),
        ("~/wipe", True),
        ("/usr/bin/reboot", True),
        ("cov: rm -rf ~", True),
        ("pytest; rm -rf ~", True),
        ("pytest && rm -rf ~", True),
        ("pytest > ~/.bashrc", True),
        ("pytest>/etc/passwd", True),
        ("pytest | sh", True),
        ("pytest $(rm -rf ~)", True),
        ("pytest `id`", True),
        ("git+https://evil.example/x.git", True),
        ("x @ https://evil.example/x.tgz", True),
    ],
)
def test_names_of_packages_that_tox_installs_are_no_commands(line, is_left):
    for text in (f"[testenv]\ndeps =\n    {line}\n", f"[testenv]\ndeps = {line}\n"):
        assert (line in without_dependencies(text)) is is_left


@for_each(
    "text",
    [
        "[x]\ndeps = wipe\n[testenv]\ncommands = {[x]deps}\n",
        "[testenv]\ncommands =\n    wipe\ndeps =\n    pytest\n",
        "[testenv]\ndeps =\n    pytest\ncommands =\n    wipe\n",
        "[testenv]\ndeps =\n    pytest\n\n    mypy\ncommands_pre = wipe\n",
        "[testenv]\ninstall_command = wipe\ndeps = pytest\n",
        "[testenv]\nall-deps = wipe\n",
        "[x]\npassenv = wipe\n[testenv]\ncommands = {[x]passenv}\n",
        "[testenv]\npassenv =\n    A\n    B\ncommands = wipe\n",
        "[tool.tox]\nlegacy_tox_ini = wipe\n",
    ],
)
def test_commands_of_tox_stay(text):
    assert "wipe" in without_dependencies(text)


def test_names_of_variables_are_no_commands():
    for key in ("passenv", "pass_env"):
        assert "MITMDUMP" not in without_dependencies(f"[testenv]\n{key} =\n    A\n    MITMDUMP\n")


OTHER_TOOLS = """\
[metadata]
summary = Cloud Object Storage
[tox:tox]
envlist = py3
[testenv]
commands = stestr run
[testenv:pep8]
commands = flake8 {[flake8]extra}
[flake8]
extra = --all
[mypy]
files = manager.py
"""


def test_what_another_tool_has_in_the_same_file_is_left_out_unless_tox_takes_it():
    rest = without_other_tools(OTHER_TOOLS)
    assert rest.count("\n") == OTHER_TOOLS.count("\n")
    assert "stestr" in rest
    assert "--all" in rest  # by its name in braces
    assert "Cloud" not in rest
    assert "manager" not in rest


def test_what_looks_like_a_section_in_a_value_begins_none():
    text = "[testenv]\ncommands =\n    true\n    [mypy]\n    twine upload x\n[mypy]\nfiles = y\n"
    rest = without_other_tools(text)
    assert "twine upload x" in rest
    assert "files" not in rest


def test_sections_that_environments_inherit_stay():
    text = f"[testenv:a]\nbase = common\n{OTHER_TOOLS}[common]\ncommands = twine upload x\n"
    assert without_other_tools(text) == text


@pytest.mark.parametrize("setting", ["base: common", "BASE = common", "base=common"])
def test_a_setting_that_inherits_is_known_in_each_spelling(setting):
    text = f"[testenv:a]\n{setting}\n{OTHER_TOOLS}[common]\ncommands = twine upload x\n"
    assert without_other_tools(text) == text


@pytest.mark.parametrize(
    "head", ["[testenv:a]  # here", "[testenv] ; here", "[testenv]here", "[pkgenv]"]
)
def test_a_section_begins_where_the_parser_of_tox_takes_one_to_begin(head):
    text = f"[mypy]\nfiles = y\n{head}\ncommands = twine upload x\n"
    assert "twine upload x" in without_other_tools(text)
    assert "files" not in without_other_tools(text)


def test_an_environment_whose_head_has_a_comment_is_none_of_the_one_before():
    text = "[testenv:a]\ncommands = true\n[testenv:b] # here\ncommands = twine upload x\n"
    assert "twine upload x" in without_others("environments", text, ["b"])
    assert "twine upload x" not in without_others("environments", text, ["a"])


@pytest.mark.parametrize("named", ["{ [mypy]files }", "{env:X:{[mypy]files}}"])
def test_a_section_that_is_named_among_other_words_stays(named):
    text = f"[testenv]\ncommands = {named}\n[mypy]\nfiles = y\n"
    assert without_other_tools(text) == text


def test_settings_without_any_section_are_left_as_they_are():
    for text in ("", "commands = x\n", "[testenv]\r\ncommands = x\r\n"):
        assert without_other_tools(text) == text


ALLOWED = """\
[testenv]
allowlist_externals =
  env
  rm
deps =
  pytest
# a comment in between
  {[other]deps}
# as in {[testenv]deps}
commands = stestr run
"""


def test_the_programs_that_tox_may_start_are_no_commands():
    rest = without_dependencies(ALLOWED)
    assert "env\n" not in rest.replace("testenv", "")
    assert "rm" not in rest
    assert "stestr run" in rest


def test_programs_that_tox_may_start_stay_where_commands_take_them():
    text = f"{ALLOWED}[testenv:a]\ncommands = {{[testenv]allowlist_externals}}\n"
    assert "  rm" in without_dependencies(text)


def test_a_command_behind_the_programs_that_tox_may_start_stays():
    text = "[testenv]\nallowlist_externals = rm\ncommands = rm -rf ~/photos\n"
    assert "rm -rf ~/photos" in without_dependencies(text)


def test_a_setting_that_is_no_deeper_than_the_allowed_programs_begins_another():
    text = "[testenv]\n  allowlist_externals = rm\n  commands: rm -rf ~/photos\n"
    assert "rm -rf ~/photos" in without_dependencies(text)


FAR = "postgresql://app@db.example.com/shop"
HERE = "postgresql://localhost/shop_test"
EMPTIES = {
    "a.py": (
        "import os, psycopg2\n"
        f'c = psycopg2.connect(os.environ.get("DATABASE_URL", "{HERE}"))\n'
        'c.cursor().execute("TRUNCATE users")\n'
    )
}


def of_tox(settings, name="tox.ini", **more):
    files = {name: settings, **EMPTIES, **more}
    return judged("tox -e p", files, committed=tuple(files)).effect


@for_each(
    "given",
    [
        *(f"setenv = DATABASE_URL={FAR}", f"setenv =\n    A = b\n    DATABASE_URL = {FAR}"),
        *("set_env = file|x.env", "set_env =\n    file|x.env", f"setenv = p: DATABASE_URL={FAR}"),
        "setenv = DATABASE_URL={env:LIVE_URL}",
    ],
)
def test_the_variables_that_tox_sets_count(given):
    settings = f"[testenv:p]\n{given}\ncommands = python a.py\n"
    assert of_tox(settings, **{"x.env": f"DATABASE_URL={FAR}\n"}) == "junction"
    base = f"[testenv]\n{given}\n[testenv:p]\ncommands = python a.py\n"
    assert of_tox(base, **{"x.env": f"DATABASE_URL={FAR}\n"}) == "junction"


@for_each("given", ["", f"setenv = DATABASE_URL={HERE}\n", "set_env = file|x.env\n"])
def test_a_database_for_tests_that_tox_names_needs_nobody(given):
    settings = f"[testenv:p]\n{given}commands = python a.py\n"
    assert of_tox(settings, **{"x.env": f"DATABASE_URL={HERE}\n"}) == "allow"


@for_each("given", [f'set_env = {{ DATABASE_URL = "{FAR}" }}', 'set_env = { file = "x.env" }'])
def test_the_variables_of_a_toml_file_of_tox_count(given):
    settings = f'[env.p]\n{given}\ncommands = [["python", "a.py"]]\n'
    more = {"x.env": f"DATABASE_URL={FAR}\n"}
    assert of_tox(settings, "tox.toml", **more) == "junction"


@for_each(
    ("command", "effect"),
    [
        ("rm -rf {env:HOME}/Documents", "junction"),
        ("python -c \"import shutil; shutil.rmtree('{env:HOME}/Documents')\"", "junction"),
        ("rm -rf {env:CACHE:{env:HOME}}/Documents", "junction"),
        ("rm -rf {env:CACHE:build}", "allow"),
    ],
)
def test_tox_names_variables_in_its_own_way(command, effect):
    assert of_tox(f"[testenv:p]\ncommands = {command}\n") == effect
