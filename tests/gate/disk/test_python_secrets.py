"""A Python program that git holds asks if it prints what it has read from a file with credentials."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

READ_INI = (
    "import configparser\ndef read(path):\n    ini = configparser.ConfigParser()\n    ini.read(path)\n"
    "    return ini\n"
)
AWS = "from pathlib import Path\nfrom reading import read\nini = read(Path.home() / '.aws' / 'credentials')\n"
RECORD = (
    "from dataclasses import asdict, dataclass\nfrom pathlib import Path\n@dataclass\nclass Login:\n"
    "    user: str\n"
    "    word: str\ndef login():\n    return Login('ann', Path('~/.netrc').expanduser().read_text())\n"
)
DOCKER = (
    "import json\nfrom pathlib import Path\ndef load():\n"
    "    return json.loads((Path.home() / '.docker/config.json').read_text())\n"
)


def effect(text, module):
    files = {"x.py": text, "reading.py": module}
    return judged("python x.py", files, committed=tuple(files)).effect


PRINTS = [
    (f"{AWS}print(dict(ini['default']))", READ_INI),
    (f"{AWS}print(ini.get('default', 'aws_secret_access_key'))", READ_INI),
    (f"{AWS}for k, v in ini.items('default'):\n    print(k, v)", READ_INI),
    (f"{AWS}d = {{}}\nd.update(ini.items('default'))\nprint(d)", READ_INI),
    ("from reading import login, asdict\nprint(asdict(login()))", RECORD),
    ("from reading import login\nprint(login())", RECORD),
    ("from reading import login\nprint(f'as {login().user}: {login().word}')", RECORD),
    (
        "import logging\nfrom reading import load\nlogging.getLogger('x').info(load()['auths'])",
        DOCKER,
    ),
    ("from reading import load\nx = load() if load() else 'none'\nprint('x', x)", DOCKER),
]
SENDS = (
    "import requests\nfrom reading import login\nr = requests.get('https://a.example.com', auth=login())\n"
    "print(r.json()['name'])"
)
HIDES = [
    (SENDS, RECORD),
    (f"{AWS}print(ini.sections())", READ_INI),
    (f"{AWS}print(ini.get('default', 'region'))", READ_INI),
    (f"{AWS}print(ini.has_option('default', 'aws_secret_access_key'))", READ_INI),
    ("from reading import login\nprint(f'as {login().user}')", RECORD),
    ("from reading import login\nprint(bool(login().word))", RECORD),
    ("from reading import load\nprint(list(load()['auths'].keys()))", DOCKER),
    ("from reading import load\nprint(load().get('credsStore', 'none'))", DOCKER),
]


@for_each(("text", "module"), PRINTS)
def test_a_secret_is_followed_to_where_it_is_printed(text, module):
    assert effect(text, module) == "junction"


@for_each(("text", "module"), HIDES)
def test_what_shows_nothing_of_it_is_silent(text, module):
    assert effect(text, module) == "allow"


SETTINGS = """from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict
class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_file='.env')
    debug: bool = False
    host: str = 'localhost'
    {}
"""
DATA = """import os
from dataclasses import dataclass, field
@dataclass
class Settings:
    host: str = 'localhost'
    {}
"""
PLAIN, FROM = "db_password: str", "lambda: os.environ['DB_PASSWORD']"
SHOWN = [
    *("print(s)", "print(f'{s!r}')", "print(s.model_dump())", "print(s.model_dump_json(indent=2))"),
    *("print(vars(s))", "print(s.__dict__)", "for k, v in s:\n    print(f'{k:20} {v}')"),
    "for k, v in s.model_dump().items():\n    print(k, v)",
    "import logging\nlogging.info('%s', s)",
    "import json\nprint(json.dumps(s.model_dump(exclude={'host'})))",
]
NOT_SHOWN = [
    *("print(s.host)", "print('set' if s.db_password else 'missing')"),
    "print(s.model_dump(exclude={'db_password'}))",
    "for k, v in s:\n    print(k, '***' if 'password' in k else v)",
    "import psycopg\npsycopg.connect(password=s.db_password)",
]


def effect_of(settings, code, **more):
    files = {"x.py": f"from conf import Settings\ns = Settings()\n{code}\n", "conf.py": settings}
    return judged("python x.py", {**files, **more}, committed=files).effect


@for_each("code", SHOWN)
def test_settings_with_a_plain_secret_are_printed_whole(code):
    assert effect_of(SETTINGS.format(PLAIN), code) == "junction"
    assert effect_of(SETTINGS.format("db_password: SecretStr"), code) == "allow"
    assert effect_of(SETTINGS.format("db_port: int"), code) == "allow"


@for_each("code", NOT_SHOWN)
def test_what_shows_no_secret_of_the_settings_is_silent(code):
    assert effect_of(SETTINGS.format(PLAIN), code) == "allow"


def test_a_default_that_git_holds_is_no_secret_unless_a_file_sets_it():
    settings = SETTINGS.format("db_password: str = 'dev'")
    assert effect_of(settings, "print(s)") == "allow"
    assert effect_of(settings, "print(s)", **{".env": "DB_PASSWORD=abc\n"}) == "junction"


@for_each(
    ("field", "effects"),
    [
        (f"{PLAIN} = field(default_factory={FROM})", ("junction", "junction")),
        (f"{PLAIN} = field(default_factory={FROM}, repr=False)", ("allow", "junction")),
        (f"{PLAIN} = 'dev'", ("allow", "allow")),
    ],
)
def test_a_dataclass_shows_what_it_does_not_leave_out(field, effects):
    found = [effect_of(DATA.format(field), code) for code in ("print(s)", "print(vars(s))")]
    assert found == list(effects)
