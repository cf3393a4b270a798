"""A module of Django's settings is calm only if all of its databases surely end with the program."""

from __future__ import annotations

import pytest
from tests.gate.disk.test_follow import judged

MANAGE = (
    "import os, sys\nos.environ.setdefault('DJANGO_SETTINGS_MODULE', 'site1.settings')\n"
    "from django.core.management import execute_from_command_line\nexecute_from_command_line(sys.argv)\n"
)
MEMORY = "DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': ':memory:'}}\n"
SERVER = "DATABASES = {'default': {'ENGINE': 'django.db.backends.postgresql', 'HOST': 'db.shop.example'}}\n"
FLUSH = "DJANGO_SETTINGS_MODULE=site1.fast python manage.py flush --noinput"
BY_OPTION = "python manage.py flush --noinput --settings=site1.fast"


def files(text, **more):
    return {
        "manage.py": MANAGE,
        "site1/__init__.py": "",
        "site1/settings.py": SERVER,
        "site1/fast.py": text,
        **more,
    }


@pytest.mark.parametrize("command", [FLUSH, BY_OPTION])
def test_a_database_in_memory_may_be_emptied(command):
    given = files(f"from .settings import *\n{MEMORY}")
    assert judged(command, given, committed=given).effect == "allow"


ASKED = {
    "a server": (FLUSH, files(SERVER)),
    "a second database": (
        FLUSH,
        files(f"{MEMORY}DATABASES['b'] = {{'ENGINE': 'django.db.backends.mysql', 'NAME': 'x'}}\n"),
    ),
    "a name from the environment": (
        FLUSH,
        files(
            "import os\nDATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3',"
            " 'NAME': os.environ.get('DB', ':memory:')}}\n"
        ),
    ),
    "what another module may set": (FLUSH, files(f"{MEMORY}from .local import *\n")),
    "code that is computed": (FLUSH, files(f"{MEMORY}exec(open('x').read())\n")),
    "an option that names others": (FLUSH + " --settings=site1.settings", files(MEMORY)),
    "an option that names a server": (BY_OPTION, files(SERVER)),
    "an option that is given again": (BY_OPTION + " --settings site1.settings", files(MEMORY)),
    "an option with unknown words": (BY_OPTION + "$MORE", files(MEMORY)),
    "another folder of modules": (FLUSH + " --pythonpath=/srv", files(MEMORY)),
    "a program that sets others": (
        FLUSH,
        files(
            MEMORY,
            **{
                "manage.py": MANAGE.replace("setdefault('DJANGO_SETTINGS_MODULE', ", "update(A=")
                + "os.environ['DJANGO_SETTINGS_MODULE'] = 'site1.settings'\n"
            },
        ),
    ),
    "no settings": (FLUSH, {"manage.py": MANAGE}),
    "settings that only the program names": ("python manage.py flush --noinput", files(MEMORY)),
}


@pytest.mark.parametrize("case", ASKED.values(), ids=ASKED)
def test_any_other_database_needs_a_person(case):
    command, given = case
    assert judged(command, given, committed=given).effect == "junction"


def test_settings_that_git_does_not_hold_say_nothing():
    given = files(MEMORY)
    assert judged(FLUSH, given, committed=["manage.py"]).effect == "junction"
