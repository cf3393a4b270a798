"""Which database a program connects to is known only if nothing else can be meant."""

# ruff: noqa: E501 - texts of programs
from __future__ import annotations

from tests.tables import for_each

from operators_edge.shell.code.database_servers import words_of
from operators_edge.shell.code.languages import NODE, PERL, PHP, RUBY

URL = "postgres://ann@localhost/shop_test"
PG = "const { Client } = require('pg');\n"
LANGUAGES = {"js": NODE, "rb": RUBY, "php": PHP, "pl": PERL}


@for_each(
    ("ending", "code", "words"),
    [
        ("js", PG + f"const c = new Client('{URL}');\nc.query('truncate a');\n", (URL,)),
        ("js", PG + f"const c = new Client({{ connectionString: '{URL}' }});\n", (URL,)),
        ("js", PG + f"const url = '{URL}';\nconst c = new Client({{ connectionString: url }});\n", (URL,)),
        ("js", PG + "const c = new Client({ host: 'localhost', database: 'shop_test' });\n", ("-h", "localhost", "shop_test")),
        ("js", f"const knex = require('knex')({{ client: 'pg', connection: '{URL}' }});\n", (URL,)),
        ("js", f"const p = new PrismaClient({{ datasources: {{ db: {{ url: '{URL}' }} }} }});\n", (URL,)),
        ("js", "mongoose.connect('mongodb://localhost/shop_test');\n", ("mongodb://localhost/shop_test",)),
        ("rb", f"c = PG.connect('{URL}')\nc.exec('truncate a')\n", (URL,)),
        ("rb", "c = Mysql2::Client.new(host: 'db.example.com', database: 'a')\n", ("-h", "db.example.com", "a")),
        ("php", "$d = new PDO('pgsql:host=localhost;dbname=shop_test', 'a', 'b');\n", ("-h", "localhost", "shop_test")),
        ("php", "$d = new mysqli('db.example.com', 'a', 'b', 'shop');\n", ("-h", "db.example.com", "shop")),
        ("pl", "my $d = DBI->connect('dbi:Pg:dbname=shop_test;host=localhost', 'a', 'b');\n", ("-h", "localhost", "shop_test")),
    ],
)  # fmt: skip
def test_a_server_that_all_connections_name_is_known(ending, code, words):
    assert words_of(code, LANGUAGES[ending]) == words


@for_each(
    ("ending", "code"),
    [
        ("js", PG + "const c = new Client();\n"),
        ("js", PG + f"const a = new Client('{URL}');\nconst c = new Client();\n"),
        ("js", PG + f"const a = new Client('{URL}');\nconst c = new Client;\n"),
        ("js", PG + "const c = new Client({ host: 'localhost', database: 'shop_test', ...more });\n"),
        ("js", PG + "const c = new Client({ host: 'localhost', database: 'shop_test', host });\n"),
        ("js", PG + "const c = new Client({ host: '/cloudsql/a:b:c', database: 'shop_test' });\n"),
        ("rb", "c = PG.connect(host: 'localhost', dbname: 'shop_test', hostaddr: '10.0.0.1')\n"),
        ("rb", "c = PG.connect(host: 'localhost', dbname: 'shop_test', **MORE)\n"),
        ("php", "$d = new PDO('pgsql:host=localhost;dbname=shop_test;hostaddr=10.0.0.1');\n"),
        ("php", "$d = new mysqli('localhost', 'a', 'b', 'shop_test');\n$d->select_db('shop');\n"),
        ("php", "$d = new mysqli('localhost', 'a', 'b', 'shop_test', 3306, '/cloudsql/x');\n"),
        ("php", "use Shop\\PDO;\n$d = new PDO('pgsql:host=localhost;dbname=shop_test');\n"),
        ("pl", "my $d = DBI->connect('dbi:Pg:dbname=shop_test;host=localhost');\nmy $e = DBI->$m($url);\n"),
        ("js", PG + "const c = new Client(process.env.DATABASE_URL);\n"),
        ("js", PG + f"const c = new Client(process.env.DATABASE_URL || '{URL}');\n"),
        ("js", PG + f"const c = new Client(`{URL}_${{process.argv[2]}}`);\n"),
        ("js", PG + f"const a = new Client('{URL}');\nconst b = new Client('postgres://db.example.com/shop');\n"),
        ("js", PG + f"// new Client('{URL}')\nconst C = Client;\nconst c = new C(prod);\n"),
        ("js", f"const {{ Client: C }} = require('pg');\n// new Client('{URL}')\nconst c = new C(prod);\n"),
        ("js", f"import {{ Client as C }} from 'pg';\nconst a = new Client('{URL}');\nconst c = new C(prod);\n"),
        ("js", PG + f"const c = new Client('{URL}');\nc.connectionParameters.host = 'db.example.com';\n"),
        ("js", PG + f"class Mine extends Client {{}}\nconst a = new Client('{URL}');\nnew Mine(prod).query('drop table a');\n"),
        ("js", PG + f"const a = new Client('{URL}');\nconst db = require('@shop/db');\ndb.query('drop table a');\n"),
        ("js", PG + f"let url = '{URL}';\nurl = other();\nconst c = new Client(url);\n"),
        ("js", PG + f"const c = new Client('{URL}');\nc.query('use shop');\n"),
        ("js", PG + f"const c = new Client('{URL}');\neval(more);\n"),
        ("js", PG + f"const c = new Client('{URL}');\nconst d = new (require(name).Client)();\n"),
        ("js", PG + "const c = new Client({ host: 'localhost', database: 'shop_test', stream: tunnel });\n"),
        ("js", PG + "const c = new Client({ host: 'localhost', database: process.env.DB });\n"),
        ("js", PG + f"const r = /`/; const u = `http://x`; const p = new Pool(prod);\nconst c = new Client('{URL}');\n"),
        ("rb", f"c = PG.connect('{URL}')\nPG.send(:connect, prod).exec('truncate a')\n"),
        ("php", "$d = new PDO('pgsql:dbname=shop_test');\n"),
        ("php", "$d = new PDO($dsn);\n"),
    ],
)  # fmt: skip
def test_a_server_that_something_may_change_is_not_known(ending, code):
    assert words_of(code, LANGUAGES[ending]) == ()
