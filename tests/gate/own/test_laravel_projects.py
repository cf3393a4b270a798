"""Commands of Laravel that are given the variables of the tests need nobody."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

CONFIG = (
    "<?php\nreturn [\n  'default' => env('DB_CONNECTION', 'mysql'),\n  'connections' => [\n"
    "    'sqlite' => [\n      'driver' => 'sqlite',\n      'url' => env('DB_URL'),\n"
    "      'database' => env('DB_DATABASE', database_path('a.sqlite')),\n    ],\n"
    "    'mysql' => [\n      'driver' => 'mysql',\n      'host' => env('DB_HOST', '127.0.0.1'),\n"
    "      'database' => env('DB_DATABASE', 'shop'),\n      'options' => [1 => env('MYSQL_CA')],\n    ],\n"
    "  ],\n];\n"
)
ARTISAN = (
    "#!/usr/bin/env php\n<?php\nrequire __DIR__.'/vendor/autoload.php';\n"
    "$app = require_once __DIR__.'/bootstrap/app.php';\nexit($app->handleCommand(new ArgvInput));\n"
)
FILE = "DB_CONNECTION=sqlite\nDB_DATABASE=database/testing.sqlite\n"
SERVER = "DB_CONNECTION=mysql\nDB_HOST=127.0.0.1\nDB_DATABASE=shop_test\n"
FRESH = "php artisan migrate:fresh --seed --force --env=testing"
MIGRATION = (
    "<?php\nreturn new class extends Migration { function up() { Schema::create('a', f); } };\n"
)


def laravel(variables=FILE, old="", new="", **more):
    return {
        "artisan": ARTISAN,
        ".env.testing": variables,
        "config/database.php": CONFIG.replace(old, new) if old else CONFIG,
        "database/migrations/1_a.php": MIGRATION,
        **{name.replace("__", "/") + ".php": text for name, text in more.items()},
    }


CALM = {
    "a file": (FRESH, laravel()),
    "in memory": (FRESH, laravel("DB_CONNECTION=sqlite\nDB_DATABASE=:memory:\n")),
    "a server of this machine": (FRESH, laravel(SERVER)),
    "another command": ("./artisan db:wipe --env=testing", laravel(SERVER)),
}
ASKED = {
    "another environment": ("php artisan migrate:fresh --env=staging", laravel()),
    "no environment": ("php artisan migrate:fresh", laravel()),
    "no such file": (FRESH, {k: v for k, v in laravel().items() if k != ".env.testing"}),
    "a server elsewhere": (FRESH, laravel(SERVER.replace("127.0.0.1", "db.example.com"))),
    "no host": (FRESH, laravel(SERVER.replace("DB_HOST=127.0.0.1\n", ""))),
    "a database of the project": (FRESH, laravel(SERVER.replace("shop_test", "shop"))),
    "no database": (FRESH, laravel("DB_CONNECTION=sqlite\n")),
    "an address, too": (FRESH, laravel(FILE + "DB_URL=mysql://db.example.com/shop\n")),
    "a value that comes later": (FRESH, laravel(SERVER + "DB_HOST=db.example.com\n")),
    "a variable of the line": (f"DB_DATABASE=shop {FRESH}", laravel()),
    "an exported one": (f"export DB_HOST=db.example.com; {FRESH}", laravel(SERVER)),
    "another connection": (f"{FRESH} --database=mysql", laravel()),
    "settings without the variables": (
        FRESH,
        laravel(SERVER, "env('DB_HOST', '127.0.0.1')", "'db.example.com'"),
    ),
    "another default": (FRESH, laravel(FILE, "env('DB_CONNECTION', 'mysql')", "'mysql'")),
    "a host for writing": (
        FRESH,
        laravel(SERVER, "'driver' => 'mysql',", "'driver' => 'mysql', 'write' => ['x'],"),
    ),
    "a comment with the variable": (
        FRESH,
        laravel(SERVER, "'host' => env", "// 'host' => env('DB_HOST')\n'host' => other"),
    ),
    "settings that are kept": (FRESH, laravel(bootstrap__cache__config="<?php return [];")),
    "another file of variables": (
        FRESH,
        laravel(bootstrap__app="<?php $app->loadEnvironmentFrom('.env.live');"),
    ),
    "a migration of another database": (
        FRESH,
        laravel(database__migrations__2_b="<?php DB::connection('mysql')->statement('x');"),
    ),
    "a file that the line writes": (f"cp .env .env.testing; {FRESH}", laravel()),
    "a file that the line changes": (f"sed -i s/a/b/ .env.testing; {FRESH}", laravel()),
}


OWN = "php artisan migrate:fresh --seed --force"


def own(variables=FILE, **more):
    """A project whose own file of variables is this one."""
    return {**laravel(**more), ".env": variables}


CALM |= {
    "its own file": (OWN, own()),
    "its own file, in memory": (
        OWN,
        own("APP_ENV=testing\nDB_CONNECTION=sqlite\nDB_DATABASE=:memory:\n"),
    ),
    "its own file, on this machine": ("php artisan db:wipe --force", own(SERVER)),
    "a script of composer": (
        "composer fresh",
        {
            "composer.json": '{"scripts": {"fresh": ["@php artisan migrate:fresh --force"]}}',
            **own(),
        },
    ),
}
ASKED |= {
    "its own file, elsewhere": (OWN, own(SERVER.replace("127.0.0.1", "db.example.com"))),
    "its own file, of the project": (OWN, own(SERVER.replace("shop_test", "shop"))),
    "its own file, and another environment": (f"{OWN} --env=production", own()),
    "its own file, and another environment apart": (f"{OWN} --env production", own()),
    "its own file, and one of the line": (f"APP_ENV=production {OWN}", own()),
    "its own file, and one that is exported": (f"export APP_ENV=production; {OWN}", own()),
    "its own file, and a database of the line": (f"DB_DATABASE=shop {OWN}", own()),
    "its own file, and variables from another": (
        f"set -a; . ./x; {OWN}",
        {"x": "DB_HOST=$(cat y)\n", **own()},
    ),
    "its own file, and variables that are not known": (f"export $(cat x); {OWN}", own()),
    "its own file, and another connection": (f"{OWN} --database mysql", own()),
    "its own file, and another path": (f"{OWN} --path=live", own()),
    "its own file that the line writes": (f"cp .env.live .env; {OWN}", own()),
    "its own file that the line changes": (f"echo DB_DATABASE=shop >> .env; {OWN}", own()),
    "its own file, on another machine": (f"ssh live {OWN}", own()),
    "its own file, in a container": (f"docker exec shop {OWN}", own()),
    "its own file, and kept settings": (OWN, own(bootstrap__cache__config="<?php return [];")),
    "its own file, and a migration of another": (
        OWN,
        own(database__migrations__2_b="<?php DB::connection('live')->statement('x');"),
    ),
}


@for_each(("command", "files"), CALM.values(), CALM)
def test_a_database_for_tests_needs_nobody(command, files):
    assert judged(command, files, committed=tuple(files)).effect == "allow"


@for_each(("command", "files"), ASKED.values(), ASKED)
def test_what_may_be_another_database_needs_a_person(command, files):
    assert judged(command, files, committed=tuple(files)).effect == "junction"


# end of module
