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
    ],
)
def test_the_words_choose_the_settings_and_the_runner(words, host, effect):
    files = site(f"{FLUSH}; return []", "pass", host, "")
    files |= {"site/live.py": LIVE_SETTINGS, "site/other.py": OTHER}
    assert judged(f"python manage.py {words}", files, committed=files).effect == effect
