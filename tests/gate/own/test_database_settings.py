"""A variable for tests counts only if the tool has its database from it, by the tool's own settings."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

GIVEN = "DATABASE_URL=postgres://localhost/shop_test "
FAR = "postgres://db.example.com/shop"
RESET = f"{GIVEN}npx prisma migrate reset --force"
ROLLBACK = f"{GIVEN}npx knex migrate:rollback --all"
DOWN = f"{GIVEN}alembic downgrade base"
WITH_DIRECT = 'env("DATABASE_URL")\n  directUrl = env("DIRECT_URL")'
BY_VARIABLE = (
    "import os\nfrom alembic import context\n"
    'context.config.set_main_option("sqlalchemy.url", os.environ["DATABASE_URL"])\n'
)
BY_MODULE = "from alembic import context\nfrom app.settings import settings\nurl = settings.url\n"
BY_FILE = (
    "from alembic import context\nfrom sqlalchemy import engine_from_config\n"
    'engine = engine_from_config(context.config.get_section("alembic"), prefix="sqlalchemy.")\n'
)


def prisma(url, path="prisma/schema.prisma", **more):
    text = f'datasource db {{\n  provider = "postgresql"\n  url = {url}\n}}\n'
    return {path: text, **{name.replace("__", "."): one for name, one in more.items()}}


def knex(connection, before=""):
    return {
        "knexfile.js": f"{before}module.exports = {{ client: 'pg', connection: {connection} }};\n"
    }


def alembic(env, address="driver://user:pass@localhost/name", **more):
    ini = f"[alembic]\nscript_location = %(here)s/db\nsqlalchemy.url = {address}\n"
    return {"alembic.ini": ini, "db/env.py": env, **more}


def sections(**connections):
    parts = ", ".join(f"{name}: {{ connection: {one} }}" for name, one in connections.items())
    return {"knexfile.js": f"module.exports = {{ {parts} }};\n"}


OWN = "process.env.DATABASE_URL"
CALM = {
    "prisma": (RESET, prisma('env("DATABASE_URL")')),
    "a direct address that is given, too": (
        f"DIRECT_URL=postgres://localhost/shop_test {RESET}",
        prisma(WITH_DIRECT),
    ),
    "a direct address of a file": (
        RESET,
        prisma(WITH_DIRECT) | {".env": "DIRECT_URL=postgres://localhost/shop_test\n"},
    ),
    "a shadow of this machine": (
        RESET,
        prisma('env("DATABASE_URL")\n  shadowDatabaseUrl = "postgres://localhost/shadow"'),
    ),
    "an address in a comment": (RESET, prisma(f'env("DATABASE_URL") // "{FAR}"')),
    "no settings": (RESET, {}),
    "knex": (ROLLBACK, knex(OWN)),
    "knex with a default": (ROLLBACK, knex(f"{OWN} || '{FAR}'")),
    "the section of this environment": (
        ROLLBACK,
        sections(development=OWN, production=f"'{FAR}'"),
    ),
    "the section of another environment": (
        f"NODE_ENV=ci {ROLLBACK}",
        sections(development=f"'{FAR}'", ci=OWN),
    ),
    "a module of its own": (
        ROLLBACK,
        knex("url", "const { url } = require('./env');\n") | {"env.js": f"exports.url = {OWN};\n"},
    ),
    "alembic": (DOWN, alembic(BY_VARIABLE)),
    "a module of the application": (
        DOWN,
        alembic(BY_MODULE) | {"app/settings.py": "import os\nurl = os.getenv('DATABASE_URL')\n"},
    ),
    "an environment for tests": (
        "NODE_ENV=test npx knex migrate:rollback --all",
        sections(test="'postgres://localhost/shop'", production=f"'{FAR}'"),
    ),
    "rails": (
        "RAILS_ENV=test bin/rails db:drop",
        {"config/database.yml": f"test:\n  host: localhost\nproduction:\n  url: {FAR}\n"},
    ),
    "an address of the line": ("dbmate --url postgres://localhost/shop_test drop", {}),
    "dbmate": (f"{GIVEN}dbmate drop", {".env": f"DATABASE_URL={FAR}\n"}),
    "another variable of dbmate": (
        "SHOP_DATABASE_URL=postgres://localhost/shop_test dbmate -e SHOP_DATABASE_URL drop",
        {},
    ),
    "laravel": (
        "DB_DATABASE=shop_test php artisan migrate:fresh",
        {".env": "DB_HOST=127.0.0.1\nDB_DATABASE=shop\n"},
    ),
    "laravel in memory": (
        "DB_CONNECTION=sqlite DB_DATABASE=:memory: php artisan migrate:fresh",
        {".env": "DB_HOST=db.example.com\n"},
    ),
    "mix": (
        "MIX_ENV=test mix ecto.reset",
        {"config/test.exs": 'config :a, hostname: "localhost"\n'},
    ),
}
ASKED = {
    "a direct address that nobody gives": (RESET, prisma(WITH_DIRECT)),
    "a direct address elsewhere": (RESET, prisma(WITH_DIRECT) | {".env": f"DIRECT_URL={FAR}\n"}),
    "a direct address of this machine": (
        RESET,
        prisma('env("DATABASE_URL")\n  directUrl = "postgres://localhost/shop"'),
    ),
    "an address in prisma": (RESET, prisma(f'"{FAR}"')),
    "another variable": (RESET, prisma('env("POSTGRES_URL")')),
    "a shadow elsewhere": (RESET, prisma(f'env("DATABASE_URL")\n  shadowDatabaseUrl = "{FAR}"')),
    "a schema that an option names": (
        f"{RESET} --schema db/live.prisma",
        prisma('env("LIVE")', "db/live.prisma"),
    ),
    "a schema that the package names": (
        RESET,
        prisma('env("LIVE")', "db/a.prisma")
        | {"package.json": '{"prisma": {"schema": "db/a.prisma"}}'},
    ),
    "a schema of several files": (RESET, prisma('env("LIVE")', "prisma/schema/base.prisma")),
    "settings of prisma in code": (
        RESET,
        prisma('env("DATABASE_URL")')
        | {"prisma.config.ts": f"export default {{ datasource: {{ url: '{FAR}' }} }};\n"},
    ),
    "a schema that the line writes": (f"cp a.prisma schema.prisma; {RESET}", {}),
    "a script that exports it": (
        "bash x.sh",
        prisma(f'"{FAR}"') | {"x.sh": f"export {GIVEN}\nnpx prisma migrate reset --force\n"},
    ),
    "an address in knex": (ROLLBACK, knex(f"'{FAR}'")),
    "a host in knex": (ROLLBACK, knex(f"{{ host: 'db.example.com', database: {OWN} }}")),
    "another variable in knex": (ROLLBACK, knex(f"process.env.PROD_URL || {OWN}")),
    "a variable in a comment": (ROLLBACK, knex(f"live /* {OWN} */")),
    "the section of an option": (
        f"{ROLLBACK} --env live",
        sections(development=OWN, live=f"'{FAR}'"),
    ),
    "the section for tests": (
        "NODE_ENV=test npx knex migrate:rollback --all",
        sections(test=f"'{FAR}'"),
    ),
    "a section with more from elsewhere": (
        ROLLBACK,
        {
            "knexfile.js": "const live = require('./live');\n"
            f"module.exports = {{ development: {{ connection: {OWN}, ...live }} }};\n",
            "live.js": f"module.exports = {{ connection: '{FAR}' }};\n",
        },
    ),
    "an address in alembic": (DOWN, alembic(BY_FILE, FAR)),
    "another variable in alembic": (DOWN, alembic(BY_VARIABLE.replace("DATABASE_URL", "LIVE_URL"))),
    "a module that has another one": (
        DOWN,
        alembic(BY_MODULE) | {"app/settings.py": f"url = '{FAR}'  # not DATABASE_URL\n"},
    ),
    "sequelize": (
        f"{GIVEN}npx sequelize db:migrate:undo:all",
        {"config/config.json": '{"development": {"host": "db.example.com"}}'},
    ),
    "sequelize by its file": (
        f"{GIVEN}npx sequelize db:migrate:undo:all",
        {
            ".sequelizerc": "module.exports = { config: 'db/c.json' };\n",
            "db/c.json": '{"development": {"host": "db.example.com"}}',
        },
    ),
    "flyway": (f"{GIVEN}flyway clean", {"flyway.conf": f"flyway.url=jdbc:{FAR}\n"}),
    "liquibase": (f"{GIVEN}liquibase drop-all", {"liquibase.properties": f"url: jdbc:{FAR}\n"}),
    "a variable that dbmate does not read": (
        "SHOP_DATABASE_URL=postgres://localhost/shop_test dbmate drop",
        {".env": f"DATABASE_URL={FAR}\n"},
    ),
    "a variable that an option names": (f"{GIVEN}dbmate -e LIVE drop", {}),
    "an address that an option names": (f"{GIVEN}dbmate --url {FAR} drop", {}),
    "an address that nobody knows": (f'{GIVEN}dbmate --url "$URL" drop', {}),
    "an address of diesel": (f"{GIVEN}diesel database reset --database-url {FAR}", {}),
    "a variable that goose does not read": (
        f"{GIVEN}goose up",
        {".env": f"GOOSE_DBSTRING={FAR}\n"},
    ),
    "another variable of sqlx": (
        f"{GIVEN}sqlx database reset",
        {"sqlx.toml": 'database-url-var = "LIVE_URL"\n'},
    ),
    "rails for tests": (
        "RAILS_ENV=test bin/rails db:drop",
        {"config/database.yml": f"test:\n  url: {FAR}\n"},
    ),
    "laravel with its file": (
        "DB_DATABASE=shop_test php artisan migrate:fresh",
        {".env": "DB_HOST=db.example.com\n"},
    ),
    "laravel with its settings": (
        "DB_DATABASE=shop_test php artisan migrate:fresh",
        {"config/database.php": "<?php return ['pgsql' => ['host' => 'db.example.com']];\n"},
    ),
    "laravel for tests": (
        "APP_ENV=testing php artisan migrate:fresh",
        {".env": "DB_HOST=localhost\n", ".env.testing": "DB_HOST=db.example.com\n"},
    ),
    "mix for tests": (
        "MIX_ENV=test mix ecto.reset",
        {"config/test.exs": 'config :a, hostname: "db.example.com"\n'},
    ),
}


@for_each(("command", "files"), CALM.values(), CALM)
def test_a_database_for_tests_that_the_tool_takes_needs_nobody(command, files):
    assert judged(command, files, committed=tuple(files)).effect == "allow"


@for_each(("command", "files"), ASKED.values(), ASKED)
def test_another_database_of_the_tools_settings_needs_a_person(command, files):
    assert judged(command, files, committed=tuple(files)).effect == "junction"


ENV = "DATABASE_URL=postgresql://app:pw@localhost:5432/shop_test\n"
LIVE_ENV = "DATABASE_URL=postgresql://app:pw@db.example.com:5432/shop\n"
SOURCE = 'datasource db {\n  provider = "postgresql"\n  url      = env("DATABASE_URL")\n}\n'
RESETS = "prisma migrate reset --force"


def of_env(env=ENV, source=SOURCE, command="npm run x", script=RESETS, **more):
    files = {
        "package.json": '{"scripts": {"x": "' + script + '"}}',
        ".env": env,
        "prisma/schema.prisma": source,
        "live": LIVE_ENV,
        **more,
    }
    return judged(command, files, committed=tuple(files)).effect


@for_each("script", [RESETS, "prisma migrate deploy", "prisma db push", "dbmate drop"])
def test_a_database_for_tests_in_the_file_of_variables_needs_nobody(script):
    assert of_env(script=script) == "allow"


@for_each(
    "given",
    [
        *({"env": LIVE_ENV}, {"env": ENV + LIVE_ENV}, {"env": ENV.replace("shop_test", "shop")}),
        {"env": "H=db.example.com\nDATABASE_URL=postgresql://app@${H}/shop_test\n"},
        {"env": f"{ENV.strip()}?host=db.example.com\n"},
        {
            "env": f"{ENV}OTHER=postgres://db.example.com/shop\n",
            "source": SOURCE.replace("DATABASE_URL", "OTHER"),
        },
        {"source": SOURCE.replace('env("DATABASE_URL")', '"postgres://db.example.com/shop"')},
        {"source": SOURCE.replace("}", '  directUrl = "postgres://db.example.com/shop"\n}')},
        *({"prisma/.env": LIVE_ENV}, {"script": f"dotenv -e live -- {RESETS}"}),
        {"script": "prisma db execute --url postgres://db.example.com/shop --file x.sql"},
        {
            "prisma.config.ts": "export default { datasource: { url: 'postgres://db.example.com/shop' } }\n"
        },
        *(
            {"command": f"{line} npm run x"}
            for line in ("export $(cat live);", ". ./live;", "cp live .env;")
        ),
        {"command": "DATABASE_URL=postgres://db.example.com/shop npm run x"},
        {"command": 'DATABASE_URL="$(cat live)" npm run x'},
    ],
)
def test_what_may_be_another_database_than_that_of_the_file_asks(given):
    assert of_env(**given) == "junction"
