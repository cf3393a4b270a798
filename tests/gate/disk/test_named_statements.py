"""Statements that a program has from a file, a table or a library count as those that it writes itself."""

# ruff: noqa: E501, S608 - texts of files
from __future__ import annotations

import time

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

URL = "postgres://u:p@db.shop.example.net:5432/shop"
WIPES, READS = "TRUNCATE orders\n  CASCADE;\n", "SELECT count(*)\n  FROM orders;\n"
NAMED = "-- name: count_orders\n{}\n-- name: close-orders!\n{}"


def python(does, more=""):
    return "python x.py", {"x.py": f"import psycopg\n{more}c = psycopg.connect('{URL}')\n{does}\n"}


def go(does, more=""):
    code = f'package main\n\nimport (\n\t"database/sql"\n\t_ "embed"\n)\n\n{more}\n\nfunc main() {{\n\tdb, _ := sql.Open("postgres", "{URL}")\n\t{does}\n}}\n'
    return "go run .", {"go.mod": "module x.io/c\n", "main.go": code}


def node(does, more=""):
    start = f"const {{ Client }} = require('pg');\nconst c = new Client({{ connectionString: '{URL}' }});\n"
    return "node x.js", {"x.js": f"{start}{more}c.connect().then(() => {does});\n"}


FILES = {
    "python, read": python("c.execute(open('x.sql').read())"),
    "python, a path": python("c.execute((Path(__file__).parent / 'x.sql').read_text())", "from pathlib import Path\n"),
    "python, opened": python("with open('x.sql') as f:\n    c.execute(f.read())"),
    "python, by a name": python("aiosql.from_path('named.sql', 'psycopg').close_orders(c)", "import aiosql\n"),
    "python, of a package": python("c.execute(resources.files('own').joinpath('x.sql').read_text())", "from importlib import resources\n"),
    "python, each of them": python("for one in sqlparse.split(open('x.sql').read()):\n    c.execute(one)", "import sqlparse\n"),
    "java": ("mvn -q exec:java -Dexec.mainClass=x.Main", {"pom.xml": "<project></project>\n", "src/main/java/x/Main.java": 'package x;\npublic class Main {\n  public static void main(String[] a) throws Exception {\n    Connection c = DriverManager.getConnection("jdbc:postgresql://db.shop.example.net/shop");\n    String q = new String(Main.class.getResourceAsStream("/x.sql").readAllBytes());\n    c.createStatement().execute(q);\n  }\n}\n'}),
    "elixir": ("mix run x.exs", {"mix.exs": "defmodule M do\nend\n", "config/config.exs": 'import Config\nconfig :shop, Shop.Repo, hostname: "db.shop.example.net"\n', "x.exs": 'sql = File.read!("x.sql")\nShop.Repo.query!(sql)\n'}),
    "go, embedded": go("db.Exec(q)", "//go:embed x.sql\nvar q string"),
    "go, read": go('b, _ := os.ReadFile("x.sql")\n\tdb.Exec(string(b))'),
    "node": node("c.query(fs.readFileSync('x.sql', 'utf8'))", "const fs = require('fs');\n"),
    "ruby": ("ruby x.rb", {"x.rb": f"require 'pg'\nPG.connect('{URL}').exec(File.read(File.join(__dir__, 'x.sql')))\n"}),
    "php": ("php x.php", {"x.php": "<?php\n$db = new PDO('pgsql:host=db.shop.example.net;dbname=shop', 'u', 'p');\n$db->exec(file_get_contents(__DIR__ . '/x.sql'));\n"}),
    "rust": ("cargo run", {"Cargo.toml": '[package]\nname = "c"\n', "src/main.rs": f'fn main() {{\n    let mut c = postgres::Client::connect("{URL}", postgres::NoTls).unwrap();\n    c.batch_execute(include_str!("../x.sql")).unwrap();\n}}\n'}),
}  # fmt: skip


@for_each(("command", "files"), FILES.values(), ids=list(FILES))
def test_statements_of_a_file_count(command, files):
    for text, effect in ((WIPES, "junction"), (READS, "allow")):
        more = {
            "x.sql": text,
            "own/x.sql": text,
            "own/__init__.py": "",
            "named.sql": NAMED.format(READS, text),
        }
        assert judged(command, {**files, **more}, committed=(*files, *more)).effect == effect


def test_the_finding_names_the_line_of_the_file():
    command, files = FILES["go, embedded"]
    files = {**files, "x.sql": f"-- all of it\n{READS}{WIPES}"}
    found = judged(command, files, committed=files).findings
    assert {one.source for one in found} == {"x.sql:4"}


NAMES = {
    "python, a member of an enumeration": python("c.execute(Q.WIPE.value)", "from enum import Enum\nclass Q(str, Enum):\n    READ = 'SELECT 1'\n    WIPE = 'TRUNCATE orders'\n"),
    "python, without its margin": python("c.execute(textwrap.dedent('''\n    TRUNCATE orders\n'''))", "import textwrap\n"),
    "python, a table that is made again": ("python x.py", {"x.py": f"import pandas as pd\nfrom sqlalchemy import create_engine\npd.DataFrame().to_sql('orders', create_engine('{URL}'), if_exists='replace')\n"}),
    "node, sequelize": ("node x.js", {"x.js": f"const {{ Sequelize }} = require('sequelize');\nconst s = new Sequelize('{URL}');\ns.define('Order', {{}}).destroy({{ where: {{}}, truncate: true }});\n"}),
    "go, gorm": ("go run .", {"go.mod": "module x.io/c\n", "main.go": f'package main\n\nimport "gorm.io/gorm"\n\nfunc main() {{\n\tdb, _ := gorm.Open(postgres.Open("{URL}"))\n\tdb.Where("1 = 1").Delete(&Order{{}})\n}}\n'}),
    "python, composed": python("c.execute(sql.SQL('TRUNCATE {}').format(sql.Identifier('orders')))", "from psycopg import sql\n"),
    "go, a table": go('db.Exec(queries["wipe"])', 'var queries = map[string]string{\n\t"wipe": "TRUNCATE orders",\n}'),
    "go, prepared": go("st, _ := db.Prepare(q)\n\tst.Exec()", 'var q = "DROP TABLE orders"'),
    "node, knex": ("node x.js", {"x.js": f"const knex = require('knex')({{ client: 'pg', connection: '{URL}' }});\nconst q = knex('orders').del();\nq.then(() => 1);\n"}),
    "node, slonik": ("node x.mjs", {"x.mjs": f"import {{ createPool, sql }} from 'slonik';\nconst pool = await createPool('{URL}');\nconst q = sql.unsafe`DELETE FROM orders`;\nawait pool.query(q);\n"}),
    "node, typeorm": ("node x.js", {"x.js": f"const {{ DataSource }} = require('typeorm');\nconst ds = new DataSource({{ url: '{URL}' }});\nds.initialize().then(() => ds.getRepository('Order').clear());\n"}),
    "node, knex in a loop": ("node x.js", {"x.js": f"const db = require('knex')({{ client: 'pg', connection: '{URL}' }});\n(async () => {{ for (const t of ['orders']) await db(t).truncate(); }})();\n"}),
    "node, drizzle": ("node x.mjs", {"x.mjs": f"import {{ drizzle }} from 'drizzle-orm/node-postgres';\nimport {{ orders }} from 'shop';\nconst db = drizzle('{URL}');\nawait db.delete(orders);\n"}),
    "node, kysely": ("node x.mjs", {"x.mjs": f"import {{ Kysely }} from 'kysely';\nconst url = '{URL}';\nconst db = connect(Kysely, url);\nawait db.deleteFrom('orders').execute();\n"}),
}  # fmt: skip


@for_each(("command", "files"), NAMES.values(), ids=list(NAMES))
def test_statements_that_have_a_name_count(command, files):
    assert judged(command, files, committed=files).effect == "junction"


HARMLESS = {
    "some rows of knex": ("node x.js", {"x.js": f"const knex = require('knex')({{ client: 'pg', connection: '{URL}' }});\nknex('orders').where('id', 1).del().then(() => 1);\n"}),
    "a cache beside drizzle": ("node x.mjs", {"x.mjs": f"import {{ drizzle }} from 'drizzle-orm/node-postgres';\nconst db = drizzle('{URL}');\nconst key = 'a';\nawait cache.delete(key);\nawait db.query.orders.findMany();\n"}),
    "some rows of kysely": ("node x.mjs", {"x.mjs": f"import {{ Kysely }} from 'kysely';\nconst url = '{URL}';\nawait connect(Kysely, url).deleteFrom('orders').where('id', '=', 1).execute();\n"}),
    "rows that are added": ("python x.py", {"x.py": f"import pandas as pd\nfrom sqlalchemy import create_engine\npd.DataFrame().to_sql('orders', create_engine('{URL}'), if_exists='append')\n"}),
    "one row of gorm": ("go run .", {"go.mod": "module x.io/c\n", "main.go": f'package main\n\nimport "gorm.io/gorm"\n\nfunc main() {{\n\tdb, _ := gorm.Open(postgres.Open("{URL}"))\n\tdb.Where("id = ?", 1).Delete(&Order{{}})\n}}\n'}),
    "some rows of sequelize": ("node x.js", {"x.js": f"const {{ Sequelize }} = require('sequelize');\nconst s = new Sequelize('{URL}');\ns.define('Order', {{}}).destroy({{ where: {{ id: 1 }} }});\n"}),
    "another member": python("c.execute(Q.READ.value)", "from enum import Enum\nclass Q(str, Enum):\n    READ = 'SELECT 1'\n    WIPE = 'TRUNCATE orders'\n"),
    "another query of the file": ("python x.py", {**python("aiosql.from_path('named.sql', 'psycopg').count_orders(c)", "import aiosql\n")[1], "named.sql": NAMED.format(READS, WIPES)}),
    "a file that is only named": ("go run .", {**go('fmt.Println("see x.sql")\n\tdb.Query(q)', 'var q = "SELECT 1"')[1], "x.sql": WIPES}),
    "a database here": ("ruby x.rb", {"x.rb": "require 'pg'\nPG.connect('postgres://u@localhost/shop_test').exec(File.read('x.sql'))\n", "x.sql": WIPES}),
    "some rows": ("ruby x.rb", {"x.rb": f"require 'pg'\nPG.connect('{URL}').exec(File.read('x.sql'))\n", "x.sql": "DELETE FROM orders\n  WHERE id = 1;\n"}),
}  # fmt: skip


@for_each(("command", "files"), HARMLESS.values(), ids=list(HARMLESS))
def test_statements_that_lose_nothing_disturb_nobody(command, files):
    assert judged(command, files, committed=files).effect == "allow"


def test_a_long_file_of_statements_is_read_in_time():
    command, files = FILES["go, embedded"]
    files = {**files, "x.sql": "INSERT INTO a VALUES ('b', \"c\", 'it''s');\n" * 20_000}
    start = time.process_time()
    judged(command, files, committed=files)
    assert time.process_time() - start < 4


# end of module
