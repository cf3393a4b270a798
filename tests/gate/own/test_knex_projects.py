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


@for_each(("command", "files"), CALM.values(), CALM)
def test_migrations_of_databases_for_tests_need_nobody(command, files):
    assert judged(command, files, committed=tuple(files)).effect == "allow"


@for_each(("command", "files"), ASKED.values(), ASKED)
def test_migrations_of_what_may_be_another_database_need_a_person(command, files):
    assert judged(command, files, committed=tuple(files)).effect == "junction"


# end of module
