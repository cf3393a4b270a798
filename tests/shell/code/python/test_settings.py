"""An address elsewhere counts, wherever a Python program has it from; one on this machine does not."""

from __future__ import annotations

import pytest
from tests.gate.disk.test_follow import judged

PROD = "postgresql://shop:x@db.shop.example:5432/shop"
HERE = "postgresql://shop:x@localhost:5432/shop"
SEED = (
    "from sqlalchemy import create_engine\nfrom models import Base\nfrom conf import URL\n"
    "engine = create_engine(URL)\nBase.metadata.drop_all(engine)\nBase.metadata.create_all(engine)\n"
)
MODELS = "from sqlalchemy.orm import DeclarativeBase\nclass Base(DeclarativeBase):\n    pass\n"


def program(conf, **files):
    return {"x.py": SEED, "models.py": MODELS, "conf.py": conf, **files}


ENV = "# local\nAPP=shop\nexport DATABASE_URL='{}'  # no\n"
SOURCES = {
    "python-dotenv": (
        "import os\nfrom dotenv import load_dotenv\nload_dotenv()\nURL = os.environ['DATABASE_URL']\n",
        ".env",
        ENV,
    ),
    "python-dotenv with a path": (
        (
            "import os\nfrom pathlib import Path\nfrom dotenv import load_dotenv\n"
            "load_dotenv(Path(__file__).parent / 'etc' / 'app.env', override=True)\n"
            "URL = os.getenv('DATABASE_URL', 'sqlite://')\n"
        ),
        "etc/app.env",
        ENV,
    ),
    "values of python-dotenv": (
        "from dotenv import dotenv_values\nURL = dotenv_values('.env')['DATABASE_URL']\n",
        ".env",
        ENV,
    ),
    "a host that is put in": (
        (
            "import os\nimport dotenv\ndotenv.load_dotenv()\n"
            "URL = f\"postgresql://shop:x@{os.environ['DB_HOST']}/shop\"\n"
        ),
        ".env",
        "DB_HOST={}\n",
    ),
    "environs": (
        "from environs import Env\nenv = Env()\nenv.read_env()\nURL = env.str('DATABASE_URL')\n",
        ".env",
        ENV,
    ),
    "django-environ": (
        (
            "import environ\nenv = environ.Env(DEBUG=(bool, False))\nenviron.Env.read_env('.env')\n"
            "URL = env('DATABASE_URL')\n"
        ),
        ".env",
        ENV,
    ),
    "decouple": ("from decouple import config\nURL = config('DATABASE_URL')\n", ".env", ENV),
    "starlette": (
        (
            "from starlette.config import Config\nconfig = Config('.env')\n"
            "URL = config('DATABASE_URL', cast=str)\n"
        ),
        ".env",
        ENV,
    ),
    "pydantic": (
        (
            "from pydantic_settings import BaseSettings, SettingsConfigDict\n"
            "class Settings(BaseSettings):\n    model_config = SettingsConfigDict(env_file='.env')\n"
            "    database_url: str\nURL = Settings().database_url\n"
        ),
        ".env",
        ENV,
    ),
    "pydantic with a prefix and a class of its own": (
        (
            "from pydantic import BaseSettings\nclass Settings(BaseSettings):\n    url: str = 'sqlite://'\n"
            "    class Config:\n        env_file = '.env'\n        env_prefix = 'DATABASE_'\n"
            "settings = Settings()\nURL = settings.url\n"
        ),
        ".env",
        ENV,
    ),
    "toml": (
        (
            "import tomllib\nfrom pathlib import Path\n"
            "URL = tomllib.loads((Path(__file__).parent / 'c.toml').read_text())['db']['url']\n"
        ),
        "c.toml",
        "[db]\nurl = '{}'\n",
    ),
    "toml from an open file": (
        "import tomllib\nwith open('c.toml', 'rb') as f:\n    c = tomllib.load(f)\nURL = c['db']['url']\n",
        "c.toml",
        "[db]\nurl = '{}'\n",
    ),
    "yaml": (
        "import yaml\nwith open('c.yaml') as f:\n    c = yaml.safe_load(f)\nURL = c['db']['url']\n",
        "c.yaml",
        "db:\n  url: {}\n",
    ),
    "yaml with a loader": (
        "import yaml\nURL = yaml.load(open('c.yaml'), Loader=yaml.SafeLoader)['db']['url']\n",
        "c.yaml",
        'db: {{url: "{}"}}\n',
    ),
    "ini": (
        "import configparser\nc = configparser.ConfigParser()\nc.read('c.ini')\nURL = c['db']['url']\n",
        "c.ini",
        "[db]\nurl = {}\n",
    ),
    "ini by a method": (
        (
            "from configparser import ConfigParser\nc = ConfigParser()\nc.read(['c.ini'])\n"
            "URL = c.get('db', 'url')\n"
        ),
        "c.ini",
        "[db]\nurl = {}\n",
    ),
    "json": (
        "import json\nURL = json.load(open('c.json'))['url']\n",
        "c.json",
        '{{"url": "{}"}}',
    ),
    "dynaconf": (
        (
            "from dynaconf import Dynaconf\nsettings = Dynaconf(settings_files=['c.toml'])\n"
            "URL = settings.DATABASE_URL\n"
        ),
        "c.toml",
        "[default]\ndatabase_url = '{}'\n",
    ),
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_tables_are_dropped_with_a_person_only_if_the_address_is_elsewhere(source):
    conf, name, text = source
    for address, effect in ((PROD, "junction"), (HERE, "allow"), ("sqlite:///:memory:", "allow")):
        value = address.partition("@")[2].partition(":")[0] if "DB_HOST" in text else address
        files = program(conf, **{name: text.format(value or "localhost")})
        assert judged("python x.py", files, committed=files).effect == effect, (name, address)


def test_a_variable_of_the_line_is_the_address_too():
    files = program("import os\nURL = os.environ['DATABASE_URL']\n")
    assert judged(f"DATABASE_URL={PROD} python x.py", files, committed=files).effect == "junction"
    line = f"export DATABASE_URL={PROD}; python x.py"
    assert judged(line, files, committed=files).effect == "junction"
    assert judged(f"DATABASE_URL={HERE} python x.py", files, committed=files).effect == "allow"


def test_what_a_file_says_of_a_variable_does_not_rule_out_another_value():
    conf = (
        "import os\nfrom dotenv import load_dotenv\nload_dotenv()\nURL = 'postgresql://db.shop.example/x'\n"
        "if os.environ['MODE_URL'] == 'https://dry.shop.example':\n    raise SystemExit\n"
    )
    files = program(conf, **{".env": "MODE_URL=https://dry.shop.example\n"})
    assert judged("python x.py", files, committed=files).effect == "junction"


def test_what_a_program_sets_on_one_of_its_ways_is_not_sure():
    text = (
        "import os, sys, requests\nif len(sys.argv) > int(input()):\n"
        "    os.environ['DRY_URL'] = 'https://dry.shop.example'\n"
        "if os.environ.get('DRY_URL') == 'https://dry.shop.example':\n    sys.exit()\n"
        "requests.delete('https://api.shop.example/x')\n"
    )
    files = {"x.py": text}
    assert judged("python x.py", files, committed=files).effect == "junction"


ACTS = {
    "a collection": (
        "from pymongo import MongoClient\nc = MongoClient(URL)\nc['shop'].drop_collection('orders')\n",
        "mongodb+srv://qa:x@stage.shop.example",
        "",
    ),
    "documents of a model": (
        (
            "import mongoengine\nfrom models import Order\nmongoengine.connect(host=URL)\n"
            "Order.drop_collection()\n"
        ),
        "mongodb://qa:x@stage.shop.example/shop",
        "mongodb://127.0.0.1/shop",
    ),
    "a cache": (
        "import redis\nredis.from_url(URL).flushall()\n",
        "rediss://:x@cache.shop.example:6380/0",
        "",
    ),
    "an index": (
        (
            "from elasticsearch import Elasticsearch\nes = Elasticsearch([URL])\n"
            "es.indices.delete(index='products', ignore=[404])\n"
        ),
        "https://search.shop.example:9200",
        "http://localhost:9200",
    ),
    "tables without waiting": (
        (
            "import asyncio\nfrom models import Base\n"
            "from sqlalchemy.ext.asyncio import create_async_engine\n"
            "engine = create_async_engine(URL)\nasync def main():\n    async with engine.begin() as c:\n"
            "        await c.run_sync(Base.metadata.drop_all)\nasyncio.run(main())\n"
        ),
        "postgresql+asyncpg://a:b@db.shop.example/shop",
        "postgresql+asyncpg://a:b@db/shop",
    ),
    "tables of flask": (
        (
            "from flask import Flask\nfrom flask_sqlalchemy import SQLAlchemy\napp = Flask(__name__)\n"
            "app.config['SQLALCHEMY_DATABASE_URI'] = URL\ndb = SQLAlchemy(app)\n"
            "with app.app_context():\n    db.drop_all()\n"
        ),
        "mysql+pymysql://a:b@db.shop.example/shop",
        "mysql+pymysql://a:b@localhost/shop",
    ),
}


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_what_a_client_deletes_elsewhere_needs_a_person(act):
    text, elsewhere, here = act
    for address, effect in ((elsewhere, "junction"), (here, "allow")):
        if not address:  # what the client does needs a person at any address
            continue
        files = {
            "x.py": f"from conf import URL\n{text}",
            "models.py": f"{MODELS}class Order(Base):\n    pass\n",
            "conf.py": SOURCES["python-dotenv"][0],
            ".env": f"DATABASE_URL={address}\n",
        }
        assert judged("python x.py", files, committed=files).effect == effect, address


FIXTURES = (
    "import tomllib, pytest\nfrom pathlib import Path\nfrom {library} import MongoClient\n"
    "CONF = tomllib.loads((Path(__file__).parent / 'c.toml').read_text())\n"
    "@pytest.fixture(scope='session')\ndef client():\n    c = MongoClient(CONF['uri'])\n    yield c\n"
    "@pytest.fixture(autouse=True)\ndef db(client):\n    database = client[CONF['name']]\n"
    "    for name in database.list_collection_names():\n        database.drop_collection(name)\n"
    "    yield database\n"
)
ELSEWHERE = "uri = 'mongodb+srv://qa:x@stage.shop.example'\nname = 'shop'\n"


def test_a_fixture_has_what_another_one_gives():
    files = {
        "tests/conftest.py": FIXTURES.format(library="pymongo"),
        "tests/c.toml": ELSEWHERE,
        "tests/test_a.py": "def test_a(db):\n    assert db\n",
    }
    assert judged("pytest tests", files, committed=files).effect == "junction"
    here = {**files, "tests/c.toml": "uri = 'mongodb://localhost'\nname = 'shop'\n"}
    assert judged("pytest tests", here, committed=here).effect == "allow"
    mocked = {**files, "tests/conftest.py": FIXTURES.format(library="mongomock")}
    assert judged("pytest tests", mocked, committed=mocked).effect == "allow"


def test_a_test_has_what_a_fixture_of_another_file_gives():
    conftest = (
        FIXTURES.format(library="pymongo").partition("    for name")[0] + "    yield database\n"
    )
    files = {
        "tests/conftest.py": conftest,
        "tests/c.toml": ELSEWHERE,
        "tests/test_a.py": "def test_a(db):\n    db.orders.delete_many({})\n",
    }
    assert judged("pytest tests/test_a.py", files, committed=files).effect == "junction"
    here = {**files, "tests/c.toml": "uri = 'mongodb://localhost'\nname = 'shop'\n"}
    assert judged("pytest tests/test_a.py", here, committed=here).effect == "allow"


FIXTURE = """
import psycopg, pytest
@pytest.fixture(autouse=True)
def empty():
    psycopg.connect(URL).execute("TRUNCATE a")
"""


@pytest.mark.parametrize("call", ["os.getenv('URL', {!r})", "os.environ.get('URL', default={!r})"])
@pytest.mark.parametrize(("address", "effect"), [(PROD, "junction"), (HERE, "allow")])
def test_an_address_that_a_variable_has_by_default_counts(call, address, effect):
    conf = f"import os\nURL = {call.format(address)}\n{FIXTURE}"
    files = {"tests/conftest.py": conf, "tests/test_a.py": "def test_a(): pass\n"}
    assert judged("pytest tests", files).effect == effect
