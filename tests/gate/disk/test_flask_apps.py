"""A command of Flask is judged by the application that is loaded, with its settings and variables."""

# ruff: noqa: E501, S608 - texts of files
from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

LIVE = "mysql+pymysql://shop@mysql1.prod.example.com/shop"
CONFIG = f"class Base:\n    DEBUG = False\nclass Production(Base):\n    SQLALCHEMY_DATABASE_URI = '{LIVE}'\nclass Check(Base):\n    SQLALCHEMY_DATABASE_URI = 'sqlite:///:memory:'\nCONFIGS = {{'production': Production, 'check': Check}}\n"
FACTORY = "import os\nfrom flask import Flask\nfrom .config import CONFIGS, Check, Production\nfrom .base import db\ndef create_app():\n    app = Flask(__name__)\n    {}\n    db.init_app(app)\n    from .tasks import register\n    register(app)\n    return app\n"
TASKS = "import click\nfrom .base import db\ndef register(app):\n    @app.cli.command('rebuild')\n    def rebuild():\n        db.drop_all()\n    @app.cli.command('show')\n    def show():\n        click.echo('x')\n"
CHOSEN = "app.config.from_object(CONFIGS[os.environ.get('SHOP_ENV', 'production')])"


def shop(config=CHOSEN, tasks=TASKS, **more):
    files = {
        "shop/__init__.py": FACTORY.format(config),
        "shop/config.py": CONFIG,
        "shop/base.py": "from flask_sqlalchemy import SQLAlchemy\ndb = SQLAlchemy()\n",
        "shop/tasks.py": tasks,
    }
    return {**files, **more}


APP, CHECK, PRODUCTION = "FLASK_APP=shop:create_app\n", "SHOP_ENV=check\n", "SHOP_ENV=production\n"
VARIABLES = [
    ("flask rebuild", {".flaskenv": APP + PRODUCTION}, "junction"),
    ("flask rebuild", {".flaskenv": APP + CHECK}, "allow"),
    ("flask rebuild", {".flaskenv": APP}, "junction"),
    ("flask rebuild", {".flaskenv": APP + CHECK, ".env": PRODUCTION}, "junction"),
    ("flask rebuild", {".flaskenv": APP + PRODUCTION, ".env": CHECK}, "allow"),
    ("SHOP_ENV=production flask rebuild", {".flaskenv": APP + CHECK}, "junction"),
    ("SHOP_ENV=check flask rebuild", {".flaskenv": APP + PRODUCTION}, "allow"),
    ("FLASK_SKIP_DOTENV=1 flask --app shop rebuild", {".flaskenv": CHECK}, "junction"),
    ("flask -e live.env rebuild", {".flaskenv": APP + CHECK, "live.env": PRODUCTION}, "junction"),
    ("FLASK_APP=shop SHOP_ENV=production flask rebuild", {}, "junction"),
    ("echo SHOP_ENV=production > .env; flask rebuild", {".flaskenv": APP + CHECK}, "junction"),
    ("flask --app 'shop:create_app()' rebuild", {".flaskenv": PRODUCTION}, "junction"),
    ("flask -A shop show", {".flaskenv": PRODUCTION}, "allow"),
    ("flask -A shop rebuild --help", {".flaskenv": PRODUCTION}, "allow"),
    ("flask -A shop routes", {".flaskenv": PRODUCTION}, "allow"),
    ("flask -A shop run", {".flaskenv": PRODUCTION}, "allow"),
]  # fmt: skip


@for_each(("command", "more", "effect"), VARIABLES)
def test_variables_of_its_files_choose_the_database(command, more, effect):
    files = shop(**more)
    assert judged(command, files, committed=files).effect == effect


SETS = [
    "app.config.from_object(Production)",
    "app.config.from_object('shop.config.Production')",
    "app.config.from_object(Production())",
    "app.config.from_mapping(SQLALCHEMY_DATABASE_URI=Production.SQLALCHEMY_DATABASE_URI)",
    "app.config.update({'SQLALCHEMY_DATABASE_URI': Production.SQLALCHEMY_DATABASE_URI})",
    "app.config['SQLALCHEMY_DATABASE_URI'] = Production.SQLALCHEMY_DATABASE_URI",
    "app.config.from_pyfile('live.py')",
]


@for_each("sets", SETS)
def test_settings_are_given_in_several_ways(sets):
    live = {"shop/live.py": f"SQLALCHEMY_DATABASE_URI = '{LIVE}'\n"}
    files = shop(sets, **live)
    assert judged("flask --app shop rebuild", files, committed=files).effect == "junction"
    files = shop(sets.replace("Production", "Check"), **{"shop/live.py": "DEBUG = True\n"})
    assert judged("flask --app shop rebuild", files, committed=files).effect == "allow"


GROUP = "from flask.cli import AppGroup, with_appcontext\nfrom .base import db\ndata = AppGroup('data')\n@data.command('rebuild')\n@with_appcontext\ndef rebuild():\n    db.drop_all()\n@data.command('show')\ndef show():\n    print(1)\ndef register(app):\n    app.cli.add_command(data)\n"
PLAIN = "import click\nfrom .base import db\n@click.command('data')\n@click.argument('what')\ndef data(what):\n    if what == 'rebuild':\n        db.drop_all()\ndef register(app):\n    app.cli.add_command(data)\n"
BLUEPRINT = "from flask import Blueprint\nfrom .base import db\nbp = Blueprint('data', __name__)\n@bp.cli.command('rebuild')\ndef rebuild():\n    db.drop_all()\n@bp.cli.command('show')\ndef show():\n    print(1)\n@bp.route('/', methods=['DELETE'])\ndef gone():\n    db.drop_all()\ndef register(app):\n    app.register_blueprint(bp)\n"


@for_each("tasks", [GROUP, PLAIN, BLUEPRINT])
def test_the_words_choose_a_command_of_a_group(tasks):
    files = shop(tasks=tasks, **{".flaskenv": APP + PRODUCTION})
    for words, effect in (("data rebuild", "junction"), ("data show", "allow")):
        assert judged(f"flask {words}", files, committed=files).effect == effect


ONE = f"from flask import Flask\nfrom flask_sqlalchemy import SQLAlchemy\napp = Flask(__name__)\napp.config['SQLALCHEMY_DATABASE_URI'] = '{LIVE}'\ndb = SQLAlchemy(app)\n@app.cli.command()\ndef rebuild():\n    db.drop_all()\n"


@for_each("name", ["app.py", "wsgi.py"])
def test_the_usual_files_need_no_name(name):
    files = {name: ONE}
    assert judged("flask rebuild", files, committed=files).effect == "junction"
    assert judged("flask routes", files, committed=files).effect == "allow"


SPELLED = {
    "an address that is made": "from sqlalchemy import URL\n    app.config['SQLALCHEMY_DATABASE_URI'] = URL.create('mysql+pymysql', host='mysql1.prod.example.com', database='shop')",
    "an address that is read": "from sqlalchemy.engine import make_url\n    app.config['SQLALCHEMY_DATABASE_URI'] = make_url(Production.SQLALCHEMY_DATABASE_URI)",
    "its text": "from sqlalchemy import URL\n    app.config['SQLALCHEMY_DATABASE_URI'] = URL.create('mysql+pymysql', host='mysql1.prod.example.com').render_as_string(False)",
    "a class by a variable": "from . import config\n    app.config.from_object(getattr(config, os.environ.get('KIND', 'Production')))",
    "joined tables": "app.config |= dict(SQLALCHEMY_DATABASE_URI=Production.SQLALCHEMY_DATABASE_URI)",
    "unless it is set": "app.config.setdefault('SQLALCHEMY_DATABASE_URI', Production.SQLALCHEMY_DATABASE_URI)",
    "one of several databases": "app.config['SQLALCHEMY_BINDS'] = {'live': Production.SQLALCHEMY_DATABASE_URI}",
    "a file of code": "app.config.from_pyfile('live.cfg')",
    "a file of the instance": "app.config.from_pyfile('of_instance.py')",
    "a file of data": "app.config.from_file('live.json', load=json.load)",
    "a file of a variable": "app.config.from_envvar('SHOP_SETTINGS')",
    "variables": "app.config.from_prefixed_env('MORE')",
}  # fmt: skip
OF_FILES = {
    "shop/live.cfg": "SQLALCHEMY_DATABASE_URI = '{}'\n",
    "instance/of_instance.py": "SQLALCHEMY_DATABASE_URI = '{}'\n",
    "shop/live.json": '{{"SQLALCHEMY_DATABASE_URI": "{}"}}\n',
    ".flaskenv": "MORE_SQLALCHEMY_DATABASE_URI={}\nSHOP_SETTINGS=live.cfg\n",
}


@for_each("sets", SPELLED.values(), ids=list(SPELLED))
def test_the_database_counts_in_each_spelling(sets):
    for address, effect in ((LIVE, "junction"), ("sqlite:///:memory:", "allow")):
        more = {name: text.format(address) for name, text in OF_FILES.items()}
        near = sets.replace("Production", "Check").replace("mysql1.prod.example.com", "localhost")
        files = shop(sets if effect == "junction" else near, **more)
        assert judged("flask --app shop rebuild", files, committed=files).effect == effect


ACTS = [
    "db.session.execute(text('TRUNCATE orders'))",
    "db.session.execute(WIPE)",
    "db.session.execute(delete(Order))",
    "db.session.query(Order).delete()",
    "Order.query.filter_by(state='x').delete()",
    "[db.session.execute(one.delete()) for one in db.metadata.sorted_tables]",
    "db.metadata.drop_all(db.engine)",
]
READS = ["db.session.execute(text('SELECT 1'))", "Order.query.count()", "db.session.execute(select(Order))"]  # fmt: skip


@for_each(
    ("does", "effect"),
    [*((one, "junction") for one in ACTS), *((one, "allow") for one in READS)],
    ids=[*ACTS, *READS],
)
def test_what_a_command_does_through_models_counts(does, effect):
    tasks = f"import click\nfrom sqlalchemy import delete, select, text\nfrom .base import db\nWIPE = text('DELETE FROM orders')\nclass Order(db.Model):\n    id = db.Column(db.Integer, primary_key=True)\ndef register(app):\n    @app.cli.command('rebuild')\n    def rebuild():\n        {does}\n"
    files = shop("app.config.from_object(Production)", tasks)
    assert judged("flask --app shop rebuild", files, committed=files).effect == effect
    files = shop("app.config.from_object(Check)", tasks)
    assert judged("flask --app shop rebuild", files, committed=files).effect == "allow"


@for_each(("kind", "effect"), [("Production", "junction"), ("Check", "allow")])
def test_a_factory_is_given_the_words_behind_its_name(kind, effect):
    files = shop("app.config.from_object('shop.config.' + kind)")
    files["shop/__init__.py"] = files["shop/__init__.py"].replace(
        "create_app()", "make(kind='Check')"
    )
    found = judged(f"flask --app 'shop:make(\"{kind}\")' rebuild", files, committed=files)
    assert found.effect == effect


def test_what_the_shell_of_flask_is_given_to_run_is_judged():
    files = {**shop(), "x.py": "from shop.base import db\ndb.drop_all()\n", "y.py": "print(1)\n"}
    for command, effect in (
        ("echo 'db.drop_all()' | flask shell", "junction"),
        ("flask shell < x.py", "junction"),
        ("cat x.py | flask shell", "junction"),
        ("flask shell < y.py", "allow"),
    ):
        assert judged(command, files, committed=files).effect == effect, command


# end of module
