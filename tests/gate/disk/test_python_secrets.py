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


# end of module
