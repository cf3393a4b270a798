"""Migrations of knex need nobody if their settings name databases for tests alone."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

DATA = (
    "  client: 'pg',\n  connection: {\n    host: 'localhost', port: 5433, // of compose\n"
    "    user: 'a',\n    password: 'b',\n    database: 'shop_test',\n  },\n"
    "  migrations: { directory: './migrations' },\n"
)
MIGRATION = "exports.up = (knex) => knex.schema.createTable('a', (t) => t.increments());\n"
AGAIN = "npx knex migrate:rollback --all && npx knex migrate:latest && npx knex seed:run"
JSON = '{"db": {"host": "127.0.0.1", "user": "a", "database": "shop_test"}}'
BY_JSON = (
    "const all = require('./config/test.json');\n"
    "module.exports = { client: 'mysql2', connection: {} };\n"
)


def knex(old="", new="", before="", after="", **more):
    data = DATA.replace(old, new) if old else DATA
    return {
        "knexfile.js": f"{before}module.exports = {{\n{data}}};\n{after}",
        "migrations/1_a.js": MIGRATION,
        **{name.replace("__", "/") + ".js": text for name, text in more.items()},
    }


def by_json(text=JSON, connection="all.db"):
    return {"knexfile.js": BY_JSON.replace("{}", connection), "config/test.json": text}


CALM = {
    "a server of this machine": (AGAIN, knex()),
    "a file": (
        "knex migrate:latest",
        {
            "knexfile.cjs": "module.exports = {client: 'sqlite3', connection: {filename: './test.db'}};\n"
        },
    ),
    "an address": (
        "knex migrate:up",
        knex("{\n    host", "'postgres://a:b@localhost:5432/shop_test', pool: {\n    host"),
    ),
    "another file's": (AGAIN, by_json()),
    "values of another file": (
        AGAIN,
        by_json(connection="{ host: all.db.host, database: all.db.database }"),
    ),
    "a path of the migrations": (
        AGAIN,
        knex(
            "'./migrations'",
            "path.join(__dirname, 'migrations')",
            before="'use strict';\nconst path = require('path');\n",
        ),
    ),
    "with types": (
        "knex migrate:rollback --all",
        {
            "knexfile.ts": "import type { Knex } from 'knex';\n"
            f"const config: {{ [key: string]: Knex.Config }} = {{\n  ci: {{\n{DATA}  }},\n}};\n"
            "export default config;\n",
            "migrations/1_a.ts": "import { Knex } from 'knex';\nexport async function up(knex: Knex) {}\n",
        },
    ),
}
ASKED = {
    "a server elsewhere": (AGAIN, knex("localhost", "db.example.com")),
    "a database of the project": (AGAIN, knex("shop_test", "shop")),
    "a variable": (AGAIN, knex("'localhost'", "process.env.DB_HOST")),
    "a variable with a default": (AGAIN, knex("'localhost'", "process.env.DB_HOST || 'localhost'")),
    "no host": (AGAIN, knex("host: 'localhost', ", "")),
    "an address, too": (AGAIN, knex("user: 'a'", "connectionString: URL")),
    "more from elsewhere": (AGAIN, knex("user: 'a'", "...live")),
    "one that is set later": (AGAIN, knex(after="module.exports.connection.host = LIVE;\n")),
    "a second one": (
        AGAIN,
        knex(
            "  migrations:",
            "  production: { connection: 'postgres://db.example.com/shop' },\n  migrations:",
        ),
    ),
    "a second one in other letters": (
        AGAIN,
        knex(
            "  migrations:", "  '\\x63onnection': 'postgres://db.example.com/shop',\n  migrations:"
        ),
    ),
    "a getter": (
        AGAIN,
        knex("  migrations:", "  get connection() { return live },\n  migrations:"),
    ),
    "only in a comment": (AGAIN, knex("  connection", "  // connection")),
    "code of the project": (AGAIN, knex(before="require('./live');\n")),
    "another file's that is elsewhere": (
        AGAIN,
        by_json(JSON.replace("127.0.0.1", "db.example.com")),
    ),
    "another file that is missing": (AGAIN, {"knexfile.js": BY_JSON.replace("{}", "all.db")}),
    "two files": (AGAIN, knex() | {"knexfile.ts": "export default live;\n"}),
    "another file of settings": (f"{AGAIN} --knexfile live.js", knex()),
    "another folder": ("npx knex --cwd live migrate:rollback --all", knex()),
    "another environment": ("npx knex migrate:rollback --env production", knex()),
    "a connection of the line": ("npx knex migrate:latest --connection $URL", knex()),
    "a word that is not known": ('npx knex migrate:rollback "$MORE"', knex()),
    "a migration with a client": (AGAIN, knex(migrations__2_b="const pg = require('pg');\n")),
    "migrations from elsewhere": (AGAIN, knex("'./migrations'", "LIVE")),
    "a seed with other code": (AGAIN, knex(seeds__1_a="import { wipe } from '../live.js';\n")),
    "a file that the line writes": (f"cp live.js knexfile.js; {AGAIN}", knex()),
    "a file that the line changes": (f"sed -i s/localhost/db/ knexfile.js; {AGAIN}", knex()),
}

LIVE = "{ client: 'pg', connection: process.env.DATABASE_URL }"
MEMORY = "{ client: 'sqlite3', connection: { filename: ':memory:' }, useNullAsDefault: true }"
OF_TEST = "knex migrate:rollback --all --env test && knex migrate:latest --env test"


def environments(test=MEMORY, live=LIVE, before="", more=""):
    code = f"{before}module.exports = {{\n  test: {test},\n  production: {live},\n{more}}};\n"
    return {"knexfile.js": code, "migrations/1_a.js": MIGRATION}


CALM |= {
    "one environment": (OF_TEST, environments()),
    "one environment, with variables": (
        OF_TEST,
        environments(before="require('dotenv').config();\n"),
    ),
    "one environment with quotes": (
        OF_TEST,
        {"knexfile.js": environments()["knexfile.js"].replace("test:", "'test':")},
    ),
    "one environment, of a server": (OF_TEST, environments(f"{{\n{DATA}  }}")),
}
ASKED |= {
    "the other environment": (OF_TEST.replace("test", "production"), environments()),
    "no environment": ("knex migrate:latest", environments()),
    "an environment that is not there": (OF_TEST.replace("test", "ci"), environments()),
    "an environment that is live": (OF_TEST, environments(LIVE, MEMORY)),
    "an environment elsewhere": (
        OF_TEST,
        environments("{ client: 'pg', connection: 'postgres://db.example.com/shop_test' }"),
    ),
    "an environment that is there twice": (OF_TEST, environments(more=f"  test: {LIVE},\n")),
    "an environment in other letters": (OF_TEST, environments(more=f"  't\\x65st': {LIVE},\n")),
    "an environment that is computed": (OF_TEST, environments(more=f"  ['test']: {LIVE},\n")),
    "an environment in another": (
        OF_TEST,
        environments("LIVE", f"{{ test: {MEMORY} }}"),
    ),
    "an environment that has more": (OF_TEST, environments("{ ...live, client: 'sqlite3' }")),
    "an environment that is set later": (
        OF_TEST,
        {"knexfile.js": environments()["knexfile.js"] + "module.exports.test = live;\n"},
    ),
    "an environment only in a comment": (
        OF_TEST,
        environments(f"/* {MEMORY} */ {LIVE}"),
    ),
    "an environment and a connection": (f"{OF_TEST} --connection $URL", environments()),
    "an environment that is not known": (OF_TEST.replace("test", "$E"), environments()),
    "two environments": ("knex migrate:latest --env test --env production", environments()),
    "an environment by a variable": ("NODE_ENV=production knex migrate:latest", environments()),
    "a migration that leaves the environment": (
        OF_TEST,
        {**environments(), "migrations/2_b.js": "const pg = require('pg');\n"},
    ),
}


@for_each(("command", "files"), CALM.values(), CALM)
def test_migrations_of_databases_for_tests_need_nobody(command, files):
    assert judged(command, files, committed=tuple(files)).effect == "allow"


@for_each(("command", "files"), ASKED.values(), ASKED)
def test_migrations_of_what_may_be_another_database_need_a_person(command, files):
    assert judged(command, files, committed=tuple(files)).effect == "junction"


# end of module
