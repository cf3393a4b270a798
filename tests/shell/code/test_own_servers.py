"""A server of databases that a program of Node starts is its own, if a library that is known starts it."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

from operators_edge.shell.code import own_servers

MONGO = (
    "const { MongoClient } = require('mongodb');\n"
    "const { MongoMemoryServer } = require('mongodb-memory-server');\n"
    "async function main() {\n  const server = await MongoMemoryServer.create();\n"
    "  const client = new MongoClient(server.getUri());\n  await client.db('a').dropDatabase();\n"
    "}\nmain();\n"
)
POSTGRES = (
    "const { Pool } = require('pg');\n"
    "const { PostgreSqlContainer } = require('@testcontainers/postgresql');\n(async () => {\n"
    "  const c = await new PostgreSqlContainer('postgres:16').withDatabase('x').start();\n"
    "  const pool = new Pool({ connectionString: c.getConnectionUri() });\n"
    "  await pool.query('DROP TABLE a');\n})();\n"
)
GIVEN = "{ connectionString: c.getConnectionUri() }"
BY_HOST = "{ host: c.getHost(), port: c.getMappedPort(5432), user: c.getUsername(), database: 'a' }"
SEED = (
    "const connect = require('./connect');\nasync function seed() {\n"
    "  const { server, db } = await connect();\n  await db.dropDatabase();\n  await server.stop();\n"
    "}\nseed();\n"
)
CONNECT = MONGO[: MONGO.index("async")] + (
    "module.exports = async function connect() {\n  const server = await MongoMemoryServer.create();\n"
    "  const client = new MongoClient(server.getUri());\n  return { server, db: client.db('m') };\n};\n"
)
SET_UP = (
    "const knexFactory = require('knex');\n"
    "const { PostgreSqlContainer } = require('@testcontainers/postgresql');\n"
    "module.exports = async () => {\n"
    "  globalThis.__PG__ = await new PostgreSqlContainer('postgres:16').start();\n"
    "  process.env.TEST_PG_URL = globalThis.__PG__.getConnectionUri();\n"
    "  const knex = knexFactory({ client: 'pg', connection: process.env.TEST_PG_URL });\n"
    "  await knex.raw('truncate notes');\n};\n"
)
JEST = {
    "package.json": '{"scripts": {"test": "jest"}}',
    "jest.config.js": "module.exports = { globalSetup: '<rootDir>/setup.js' };",
    "a.test.js": "test('x', () => {});\n",
}
LIVE = "exports.MongoMemoryServer = { create() { return { getUri: () => process.env.X } } };\n"


def effect(code, **files):
    given = {"x.js": code, **files}
    return judged("node x.js", given, committed=tuple(given)).effect


@for_each(
    ("code", "files"),
    [
        (MONGO, {}),
        (
            MONGO.replace(
                "new MongoClient(server.getUri())", "await MongoClient.connect(server.getUri('a'))"
            ),
            {},
        ),
        (POSTGRES, {}),
        (POSTGRES.replace(GIVEN, BY_HOST), {}),
        (SEED, {"connect.js": CONNECT}),
    ],
)
def test_a_server_of_the_programs_own_is_nobodys_loss(code, files):
    assert effect(code, **files) == "allow"


@for_each(
    ("code", "files"),
    [
        (MONGO.replace("server.getUri()", "process.env.URL"), {}),
        (MONGO.replace("server.getUri()", "process.env.URL || server.getUri()"), {}),
        (f"{MONGO}new MongoClient(process.env.URL).connect();\n", {}),
        (f"{MONGO}new MongoClient('mongodb+srv://live.example').connect();\n", {}),
        (MONGO.replace("create()", "create({ instance: { dbPath: '/srv/mongo' } })"), {}),
        (
            MONGO.replace("= require('mongodb-memory-server')", "= require('./live')"),
            {"live.js": LIVE},
        ),
        (
            MONGO.replace("= require('mongodb-memory-server')", "= require('./live')"),
            {"live.js": f"require('mongodb-memory-server');\n{LIVE}"},
        ),
        (POSTGRES.replace(".withDatabase('x')", ".withBindMounts([{ source: '/srv/pg' }])"), {}),
        (POSTGRES.replace(GIVEN, "{ connectionString: process.env.DATABASE_URL }"), {}),
        (POSTGRES.replace(GIVEN, ""), {}),
        (POSTGRES.replace(GIVEN, BY_HOST.replace("c.getHost()", "'db.live'")), {}),
        (POSTGRES.replace(GIVEN, BY_HOST.replace("c.getMappedPort(5432)", "5432")), {}),
        (POSTGRES.replace(GIVEN, BY_HOST.replace("c.getMapped", "d.getMapped")), {}),
        (SEED, {"connect.js": CONNECT.replace("server.getUri()", "process.env.URL")}),
        (SEED.replace("'./connect'", "'@shop/connect'"), {"connect.js": CONNECT}),
        (SEED.replace("  const {", "  const server = live();\n  const {"), {"connect.js": CONNECT}),
        (SEED, {"connect.js": CONNECT.replace("  return {", "  if (a) return live;\n  return {")}),
        (
            SEED,
            {"connect.js": CONNECT.replace("client.db('m')", "(await require('@shop/db')()).db")},
        ),
    ],
)
def test_a_server_that_others_may_have_needs_a_person(code, files):
    assert effect(code, **files) == "junction"


@for_each(
    ("code", "expected"),
    [
        (SET_UP, "allow"),
        (
            SET_UP.replace("connection: process.env.TEST_PG_URL", "connection: process.env.URL"),
            "junction",
        ),
        (SET_UP.replace("client: 'pg',", "client: 'pg', host: 'db.live',"), "junction"),
        (SET_UP.replace("TEST_PG_URL = g", "TEST_PG_URL ||= g"), "junction"),
        (
            SET_UP.replace("await new PostgreSqlContainer('postgres:16').start()", "live"),
            "junction",
        ),
    ],
)
def test_what_a_suite_starts_first_may_be_held_by_a_name_of_all(code, expected):
    assert judged("npm test", {"setup.js": code, **JEST}).effect == expected


def test_a_class_is_of_a_library_only_if_it_is_taken_from_there():
    assert own_servers.is_had(MONGO, "MongoMemoryServer")
    assert not own_servers.is_had(MONGO, "PostgreSqlContainer")
    assert not own_servers.is_had(f"{MONGO}class MongoMemoryServer {{}}\n", "MongoMemoryServer")
    assert not own_servers.is_had("const x = 1;\n")


@for_each(
    "code",
    [
        MONGO.replace("create()", "create(settings)"),
        MONGO.replace("getUri())", "getUri(), { srvHost: 'db.example.com' })"),
        MONGO.replace(
            "const client", "if (process.env.T) process.env.U = server.getUri();\n  const client"
        ).replace("(server.getUri())", "(process.env.U)"),
        "import MongoMemoryServer from '@shop/db';\n" + MONGO,
        MONGO.replace("main();", "require('@shop/db').client.dropDatabase();\nmain();"),
        POSTGRES.replace("postgres:16", "shop/tunnel"),
        POSTGRES.replace(".withDatabase('x')", ".withCommand(['socat', 'x'])"),
        POSTGRES.replace(GIVEN, BY_HOST.replace(" }", ", ...more }")),
        POSTGRES.replace(GIVEN, BY_HOST.replace(" }", ", ['ho' + 'st']: 'x' }")),
        POSTGRES.replace("await pool", "pool.options.host = 'db.example.com';\n  await pool"),
        POSTGRES.replace("{ Pool }", "{ Pool, Client: C }").replace(
            "await pool", "await new C(x).query('drop table b'); await pool"
        ),
    ],
)
def test_a_program_that_may_reach_another_server_needs_a_person(code):
    assert effect(code) == "junction"
