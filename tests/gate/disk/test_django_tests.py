"""A run of Django's tests is judged by its runner, and by the database that its settings name."""

# ruff: noqa: E501 - texts of files
from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

MANAGE = "import os, sys\nos.environ.setdefault('DJANGO_SETTINGS_MODULE', 'site.settings')\nfrom django.core.management import execute_from_command_line\nexecute_from_command_line(sys.argv)\n"
SETTINGS = "DATABASES = {{'default': {{'ENGINE': 'django.db.backends.postgresql', 'HOST': {}, 'NAME': 'n'{}}}}}\nTEST_RUNNER = 'site.runner.Runner'\n"
RUNNER = "from django.core.management import call_command\nfrom django.db import connection\nfrom django.test.runner import DiscoverRunner\nclass Runner(DiscoverRunner):\n    def setup_databases(self, **kwargs):\n        {}\n    def teardown_databases(self, old, **kwargs):\n        {}\n"
LIVE, HERE = "'db.prod.example.com'", "'localhost'"
FLUSH = "call_command('flush', interactive=False)"
MAKES = "old = super().setup_databases(**kwargs)"
PLAIN = f"{MAKES}; return old"
RUNS = [
    # what sets the databases up, what tears them down; their host, and more of their settings
    (f"{FLUSH}; return []", "pass", LIVE, "", "junction"),
    ("connection.cursor().execute('TRUNCATE notes'); return []", "pass", LIVE, "", "junction"),
    ("return []", FLUSH, LIVE, "", "junction"),
    (f"{FLUSH}; {PLAIN}", "pass", LIVE, "", "junction"),
    (f"{FLUSH}; return []", "pass", HERE, "", "allow"),
    (f"{MAKES}; {FLUSH}; return old", "pass", LIVE, "", "allow"),
    (PLAIN, FLUSH, LIVE, "", "allow"),
    (PLAIN, "pass", LIVE, ", 'TEST': {'NAME': 'n'}", "junction"),
    (PLAIN, "pass", LIVE, ", 'TEST': {'NAME': 'test_n'}", "allow"),
]


def site(does, ends, host, more):
    return {
        "manage.py": MANAGE,
        "site/__init__.py": "",
        "site/settings.py": SETTINGS.format(host, more),
        "site/runner.py": RUNNER.format(does.replace("; ", "\n        "), ends),
    }


@for_each(("does", "ends", "host", "more", "effect"), RUNS)
def test_a_runner_that_makes_no_database_for_tests_works_on_the_real_one(
    does, ends, host, more, effect
):
    files = site(does, ends, host, more)
    assert judged("python manage.py test --noinput", files, committed=files).effect == effect


LIVE_SETTINGS = "from site.settings import *\nDATABASES = {'default': {'ENGINE': 'django.db.backends.postgresql', 'HOST': 'db.prod.example.com', 'NAME': 'n'}}\n"
OTHER = "from django.test.runner import DiscoverRunner\nclass Runner(DiscoverRunner):\n    pass\n"


@for_each(
    ("words", "host", "effect"),
    [
        ("test", LIVE, "junction"),
        ("check", LIVE, "allow"),
        ("test", HERE, "allow"),
        ("test --settings=site.live", HERE, "junction"),
        ("test --testrunner=site.other.Runner", LIVE, "allow"),
        ("test --testrunner site.other.Runner", LIVE, "allow"),
    ],
)
def test_the_words_choose_the_settings_and_the_runner(words, host, effect):
    files = site(f"{FLUSH}; return []", "pass", host, "")
    files |= {"site/live.py": LIVE_SETTINGS, "site/other.py": OTHER}
    assert judged(f"python manage.py {words}", files, committed=files).effect == effect


RUNNER_METHODS = [
    ("def run_tests(self, labels, **kw):\n        call_command('flush')", "junction"),
    (
        "def run_tests(self, labels, **kw):\n        done = super().run_tests(labels)\n        call_command('flush')\n        return done",
        "junction",
    ),
    (
        "def __init__(self, **kw):\n        call_command('flush')\n        super().__init__(**kw)",
        "junction",
    ),
    (
        "def build_suite(self, labels, **kw):\n        call_command('flush')\n        return super().build_suite(labels)",
        "junction",
    ),
    (
        "def run_tests(self, labels, **kw):\n        print(labels)\n        return super().run_tests(labels)",
        "allow",
    ),
    ("def __init__(self, **kw):\n        super().__init__(**kw)", "allow"),
    (
        "def teardown_databases(self, old, **kw):\n        call_command('flush')\n        super().teardown_databases(old)",
        "allow",
    ),
]


@for_each(("method", "effect"), RUNNER_METHODS)
def test_what_a_runner_does_before_and_after_its_database_acts_on_the_real_one(method, effect):
    files = site("pass", "pass", LIVE, "")
    files["site/runner.py"] = (
        "from django.core.management import call_command\nfrom django.test.runner import DiscoverRunner\n"
        f"class Runner(DiscoverRunner):\n    {method}\n"
    )
    assert judged("python manage.py test", files, committed=files).effect == effect


COMMAND = "from django.core.management.base import BaseCommand\nfrom orders.models import Order\n{}\nclass Command(BaseCommand):\n    def handle(self, *args, **options):\n        {}\n"
MODELS = (
    "from django.db import models\nclass Order(models.Model):\n    total = models.IntegerField()\n"
)
DELETES = "Order.objects.all().delete()"
DATABASE = "{{'ENGINE': 'django.db.backends.postgresql', 'NAME': 'n', 'HOST': {}}}"


def shop(settings, does=DELETES, start="", **more):
    return {
        "manage.py": MANAGE,
        "site/__init__.py": "",
        "site/settings.py": settings,
        "orders/__init__.py": "",
        "orders/models.py": MODELS,
        "orders/management/__init__.py": "",
        "orders/management/commands/__init__.py": "",
        "orders/management/commands/tidy.py": COMMAND.format(start, does),
        **more,
    }


def databases(host, more=""):
    return f"import os\nDATABASES = {{'default': {DATABASE.format(host)}}}\n{more}"


NEAR = databases(HERE)
LATER = f"DATABASES['live'] = {DATABASE}\n"
TIDY = "python manage.py tidy"
CHOICES = {
    "another database by its name": (TIDY, lambda host: shop(NEAR + LATER.format(host), "Order.objects.using('live').all().delete()")),
    "another database by a router": (TIDY, lambda host: shop(NEAR + LATER.format(host) + "DATABASE_ROUTERS = ['site.routers.Router']\n")),
    "a host among the options": (TIDY, lambda host: shop(f"DATABASES = {{'default': {{'ENGINE': 'django.db.backends.postgresql', 'OPTIONS': {{'host': {host}}}}}}}\n")),
    "a variable of what starts it": (TIDY, lambda host: shop(databases("os.environ['DB_HOST']")) | {"manage.py": MANAGE.replace("import os, sys\n", f"import os, sys\nos.environ['DB_HOST'] = {host}\n")}),
    "another runner of programs": ("uv run manage.py tidy", lambda host: shop(databases(host))),
    "another command": (TIDY, lambda host: shop(databases(host), "call_command('other')", "from django.core.management import call_command", **{"orders/management/commands/other.py": COMMAND.format("", DELETES)})),
    "settings in a class": (TIDY, lambda host: shop("class Dev:\n    " + databases(host).splitlines()[1] + "\n")),
    "a table of a model": (TIDY, lambda host: shop(databases(host), "connection.schema_editor().delete_model(Order)", "from django.db import connection")),
    "a file of variables": (TIDY, lambda host: shop(databases("os.environ['DB_HOST']")) | {"manage.py": MANAGE + "load_dotenv()\n", ".env": f"DB_HOST={host}\n"}),
    "settings that it changes": (TIDY, lambda host: shop(NEAR, f"settings.DATABASES['default']['HOST'] = {host}; {DELETES}", "from django.conf import settings")),
    "a connection that it changes": (TIDY, lambda host: shop(NEAR, f"connections['default'].settings_dict['HOST'] = {host}; {DELETES}", "from django.db import connections")),
    "django-admin": ("django-admin tidy --settings=site.settings", lambda host: shop(databases(host))),
    "django-admin and a variable": ("DJANGO_SETTINGS_MODULE=site.settings django-admin tidy", lambda host: shop(databases(host))),
    "the library as a program": ("python -m django tidy --settings site.settings", lambda host: shop(databases(host))),
    "settings of its own": ("python x.py", lambda host: shop(NEAR, **{"x.py": f"import django\nfrom django.conf import settings\nsettings.configure({databases(host).splitlines()[1]})\ndjango.setup()\nfrom orders.models import Order\n{DELETES}\n"})),
}  # fmt: skip


@for_each(("command", "files"), CHOICES.values(), ids=list(CHOICES))
def test_the_database_of_a_command_counts_in_each_spelling(command, files):
    for host, effect in ((LIVE, "junction"), (HERE, "allow")):
        given = files(host)
        assert judged(command, given, committed=given).effect == effect, host


PYTEST = "import pytest\nfrom orders.models import Order\n@pytest.mark.django_db(transaction=True)\ndef test_a():\n    Order.objects.all().delete()\n"
FIXTURES = [
    ("def django_db_setup():\n    pass", LIVE, "junction"),
    ("def django_db_setup():\n    pass", HERE, "allow"),
    ("def django_db_setup(django_db_setup, django_db_blocker):\n    pass", LIVE, "allow"),
    ("def orders():\n    return 1", LIVE, "allow"),
]


@for_each(("fixture", "host", "effect"), FIXTURES)
def test_a_fixture_in_the_place_of_the_one_that_makes_a_database(fixture, host, effect):
    files = shop(databases(host)) | {
        "pytest.ini": "[pytest]\nDJANGO_SETTINGS_MODULE = site.settings\n",
        "conftest.py": f"import pytest\n@pytest.fixture(scope='session')\n{fixture}\n",
        "orders/test_a.py": PYTEST,
    }
    assert judged("pytest", files, committed=files).effect == effect


# end of module
