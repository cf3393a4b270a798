"""A Python program is followed with the settings that it has from the person's home."""

# ruff: noqa: E501 - texts of files
from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.gate.example_project import HOME
from tests.tables import for_each

FILE = f"{HOME}/.config/tidy/config.toml"
CODE = "import os, shutil, tomllib\nfrom pathlib import Path\n{}\nfor one in c['roots']:\n    if c.get('apply'):\n        shutil.rmtree(Path(one).expanduser())\n    else:\n        print(one)\n"
PATH = "p = {} / 'tidy' / 'config.toml'\nc = tomllib.loads(p.read_text())"
LOADS = [
    "c = tomllib.loads((Path.home() / '.config/tidy/config.toml').read_text())",
    "with open(os.path.expanduser('~/.config/tidy/config.toml'), 'rb') as f:\n    c = tomllib.load(f)",
    PATH.format("Path(os.environ.get('XDG_CONFIG_HOME', Path.home() / '.config'))"),
    PATH.format("Path(os.environ.get('XDG_CONFIG_HOME', '~/.config')).expanduser()"),
    "import platformdirs\np = platformdirs.user_config_path('tidy') / 'config.toml'\nc = tomllib.loads(p.read_text())",
    "import click\nc = tomllib.load(open(os.path.join(click.get_app_dir('tidy'), 'config.toml'), 'rb'))",
    "c = {'roots': [], 'apply': False}\np = Path.home() / '.config/tidy/config.toml'\nif p.exists():\n    c.update(tomllib.loads(p.read_text()))",
]


@for_each("load", LOADS)
def test_what_a_file_in_the_home_says_counts(load):
    files = {"x.py": CODE.format(load)}
    for apply, effect in (("true", "junction"), ("false", "allow")):
        text = f"roots = ['~/Documents']\napply = {apply}\n"
        assert judged("python x.py", {**files, FILE: text}, committed=files).effect == effect


def test_so_does_an_ini_file():
    code = (
        "import configparser, os, shutil\nfrom pathlib import Path\nc = configparser.ConfigParser()\n"
        "c.read(Path.home() / '.tidyrc')\nif c.getboolean('main', 'apply', fallback=False):\n"
        "    shutil.rmtree(os.path.expanduser(c.get('main', 'root')))\n"
    )
    for apply, effect in (("yes", "junction"), ("off", "allow")):
        text = f"[main]\nroot = ~/Documents\napply = {apply}\n"
        files = {"x.py": code}
        found = judged("python x.py", {**files, f"{HOME}/.tidyrc": text}, committed=files)
        assert found.effect == effect


DRY = "import json, boto3\nfrom pathlib import Path\nc = json.loads((Path.home() / '.tidy.json').read_text())\nif not c['dry_run']:\n    boto3.client('s3').delete_bucket(Bucket='x')\n"


@for_each(
    ("command", "effect"),
    [
        ("python x.py", "allow"),
        ("cp other ~/.tidy.json; python x.py", "junction"),
        ("echo '{\"dry_run\": 0}' > ~/.tidy.json; python x.py", "junction"),
    ],
)
def test_what_the_line_makes_of_such_a_file_counts(command, effect):
    files = {"x.py": DRY, "other": '{"dry_run": false}'}
    more = {**files, f"{HOME}/.tidy.json": '{"dry_run": true}'}
    verdict = judged(command, more, committed=files)
    is_stopped = any(one.rule == "deploy-cloud" for one in verdict.findings)
    assert is_stopped == (effect == "junction")


def test_a_file_that_may_hold_a_secret_is_not_read():
    text = "roots = ['~/Documents']\napply = true\ntoken = 'abc'\n"
    files = {"x.py": CODE.format(LOADS[0])}
    verdict = judged("python x.py", {**files, FILE: text}, committed=files)
    assert verdict.effect == "allow"
