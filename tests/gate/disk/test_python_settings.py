"""What a Python program of the project deletes or starts by its settings: folders, commands, databases."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

MANAGE = (
    "import os, sys\nos.environ.setdefault('DJANGO_SETTINGS_MODULE', 'site.{}')\n"
    "from django.core.management import execute_from_command_line\nexecute_from_command_line(sys.argv)\n"
)
COMMAND = (
    "from django.core.management.base import BaseCommand\nfrom notes.models import Note\n"
    "class Command(BaseCommand):\n    def handle(self, *args, **options):\n        {}\n"
)
MODELS = "from django.db import models\nclass Note(models.Model):\n    text = models.TextField()\n"
TABLES = (
    "import os\n"
    "DATABASES = {{'default': {{'ENGINE': 'django.db.backends.{}', 'HOST': {}, 'NAME': 'n'}}}}\n"
)
LIVE = TABLES.format("postgresql", "os.environ.get('DB_HOST', 'db.prod.example.com')")
HERE = TABLES.format("postgresql", "'localhost'")
URLS = (
    "import environ\nenv = environ.Env()\nenviron.Env.read_env('.env')\n"
    "DATABASES = {'default': env.db()}\n"
)
DELETES = "Note.objects.filter(text='').delete()"


def site(does=DELETES, settings=LIVE, **more):
    files = {
        "manage.py": MANAGE.format("settings"),
        "site/__init__.py": "",
        "site/settings.py": settings,
        "notes/__init__.py": "",
        "notes/models.py": MODELS,
        "notes/management/__init__.py": "",
        "notes/management/commands/__init__.py": "",
        "notes/management/commands/tidy.py": COMMAND.format(does),
    }
    return files | more


EACH = "for one in Note.objects.all():\n            one.delete()"
SQL = "from django.db import connection\n        connection.cursor().execute('TRUNCATE notes')"
ENV = {".env": "DATABASE_URL=postgres://n:x@db.prod.example.com/n\n"}
MODELS_OF = [
    ("python manage.py tidy", site(), "junction"),
    ("python manage.py tidy", site(EACH), "junction"),
    ("python manage.py tidy", site(SQL), "junction"),
    ("python manage.py tidy", site(settings=URLS, **ENV), "junction"),
    (
        "python manage.py tidy --settings=site.live",
        site(settings=HERE, **{"site/live.py": LIVE}),
        "junction",
    ),
    (
        "DJANGO_SETTINGS_MODULE=site.live python manage.py tidy",
        site(settings=HERE, **{"site/live.py": LIVE}),
        "junction",
    ),
    ("python manage.py tidy", site("print(Note.objects.count())"), "allow"),
    ("python manage.py tidy", site(settings=HERE), "allow"),
    ("python manage.py tidy --help", site(), "allow"),
    (
        "DATABASE_URL=postgres://localhost/n python manage.py tidy",
        site(settings=URLS, **ENV),
        "allow",
    ),
]

RUN = (
    "import json, shlex, subprocess, sys\nfrom string import Template\nplan = json.load(open('plan.json'))\n"
    "for one in plan['steps'][sys.argv[1]]:\n    words = shlex.split(Template(one).substitute(plan['set']))\n"
    "    subprocess.run(words)\n"
)
PLAN = '{"set": {"ns": "live"}, "steps": {"look": ["ls $ns"], "drop": ["kubectl delete ns $ns"]}}'
DELETE = (
    "import os, shutil, tomllib\nfrom pathlib import Path\nroot = Path(__file__).resolve().parent\n"
    "at = Path(tomllib.loads((root / 'c.toml').read_text())['at']).expanduser()\n"
)
WALK = (
    "for a, _, b in os.walk(root / at):\n    for c in b:\n        os.remove(os.path.join(a, c))\n"
)
POP = (
    "import requests\nKINDS = {'web': lambda url: requests.delete(url), 'none': lambda url: None}\n"
    "def start(**given):\n    kind = given.pop('kind')\n    KINDS[kind](**given)\n"
)
OTHERS = [
    ("python x.py drop", {"x.py": RUN, "plan.json": PLAN}, "junction"),
    ("python x.py look", {"x.py": RUN, "plan.json": PLAN}, "allow"),
    (
        "python x.py",
        {"x.py": f"{DELETE}shutil.rmtree(root / at)", "c.toml": "at = '~/Pictures'"},
        "junction",
    ),
    (
        "python x.py",
        {"x.py": f"{DELETE}shutil.rmtree(root / at)", "c.toml": "at = 'build'"},
        "allow",
    ),
    ("python x.py", {"x.py": f"{DELETE}{WALK}", "c.toml": "at = '~/Pictures'"}, "junction"),
    (
        "python x.py",
        {
            "x.py": "from y import start\nstart(kind='web', url='https://a.example.com/all')",
            "y.py": POP,
        },
        "junction",
    ),
    (
        "python x.py",
        {
            "x.py": "from y import start\nstart(kind='none', url='https://a.example.com/all')",
            "y.py": POP,
        },
        "allow",
    ),
]


@for_each(("command", "files", "effect"), [*MODELS_OF, *OTHERS])
def test_settings_say_where_a_program_acts(command, files, effect):
    files = {**files, ".gitignore": "build/\n"}
    assert judged(command, files, committed=tuple(files)).effect == effect


# end of module
