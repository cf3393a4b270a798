"""A variable of the line counts only as far as nothing between it and the program may set it again."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

RUN = "npx knex migrate:rollback"
MAKE = f"m:\n\t{RUN}\n"
JUST = f"m:\n  {RUN}\n"
PACKAGE = '{"scripts": {"build": "NODE_ENV=production webpack", "m": "knex migrate:rollback"}}'
POE = f"[tool.poe.tasks]\nm = '{RUN}'\n"


@for_each(
    ("command", "files"),
    [
        ("NODE_ENV=test make m", {"Makefile": MAKE}),
        ("NODE_ENV=test make m", {"Makefile": f"NODE_ENV ?= development\n{MAKE}"}),
        ("NODE_ENV=test make m", {"Makefile": f"NODE_ENVS = production\n{MAKE}"}),
        ("NODE_ENV=test make m", {"Makefile": f"export NODE_ENV := test\n{MAKE}"}),
        ("NODE_ENV=test just m", {"justfile": JUST}),
        ("NODE_ENV=test npm run m", {"package.json": PACKAGE}),
        ("NODE_ENV=test poe m", {"pyproject.toml": POE}),
        ("NODE_ENV=test foreman run m", {"Procfile": f"m: {RUN}\n", ".env": "PORT=80\n"}),
        (f"NODE_ENV=test bash -lc '{RUN}'", {"/home/ann/.bash_profile": "export EDITOR=vi\n"}),
        (f'eval "$(mise env)"; export NODE_ENV=test; {RUN}', {}),
        ("NODE_ENV=test npx knex migrate:rollback --env test", {}),
    ],
)
def test_a_variable_that_nothing_sets_again_counts(command, files):
    assert judged(command, files, committed=tuple(files)).effect == "allow"


@for_each(
    ("command", "files"),
    [
        ("NODE_ENV=test make m", {"Makefile": f"export NODE_ENV := production\n{MAKE}"}),
        ("NODE_ENV=test make m", {"Makefile": f"NODE_ENV = production\n{MAKE}"}),
        ("NODE_ENV=test make m", {"Makefile": f"m: export NODE_ENV = production\n{MAKE}"}),
        ("NODE_ENV=test make m", {"Makefile": f"$(eval NODE_ENV = production)\n{MAKE}"}),
        ("NODE_ENV=test make m", {"Makefile": f"define NODE_ENV\nproduction\nendef\n{MAKE}"}),
        ("NODE_ENV=test make m", {"Makefile": f"include a.mk\n{MAKE}", "a.mk": "NODE_ENV=live\n"}),
        ("NODE_ENV=test make m NODE_ENV=production", {"Makefile": MAKE}),
        ("NODE_ENV=test just m", {"justfile": f"export NODE_ENV := 'production'\n{JUST}"}),
        ("NODE_ENV=test just m", {"justfile": JUST.replace("m:", "m $NODE_ENV='production':")}),
        ("NODE_ENV=test just m", {"justfile": f"set dotenv-override\n{JUST}"}),
        ("NODE_ENV=test poe m", {"pyproject.toml": f"[tool.poe]\nenv.NODE_ENV = 'live'\n{POE}"}),
        (
            "NODE_ENV=test composer m",
            {"composer.json": f'{{"scripts": {{"m": ["@putenv NODE_ENV=live", "{RUN}"]}}}}'},
        ),
        ("NODE_ENV=test foreman run m", {"Procfile": f"m: {RUN}\n", ".env": "NODE_ENV=live\n"}),
        (f"NODE_ENV=test bash -lc '{RUN}'", {"/home/ann/.bash_profile": "export NODE_ENV=live\n"}),
        (f"NODE_ENV=test zsh -c '{RUN}'", {"/home/ann/.zshenv": "NODE_ENV=live\n"}),
        (f"NODE_ENV=test HOME=$PWD/h bash -lc '{RUN}'", {"h/.bash_profile": "NODE_ENV=live\n"}),
        (f"NODE_ENV=test BASH_ENV=e bash -c '{RUN}'", {"e": "export NODE_ENV=live\n"}),
        (f'export NODE_ENV=test; eval "$(direnv export bash)"; {RUN}', {}),
        (f"export NODE_ENV=test; source <(mise env -s bash); {RUN}", {}),
        (f"NODE_ENV=test tmux send-keys '{RUN}' Enter", {}),
        (f"NODE_ENV=test godotenv -o -f .env.live {RUN}", {}),
        (f"NODE_ENV=test env-cmd -f .env.live {RUN}", {}),
        (f"NODE_ENV=test {RUN} --env production", {}),
        (f"NODE_ENV=test PGHOST=db.example.com {RUN}", {}),
        (f"NODE_ENV=test DATABASE_URL='postgres://localhost/a?host=db.example.com' {RUN}", {}),
        ("DATABASE_URL='postgres://localhost/a_test?host=db.example.com' alembic upgrade head", {}),
        ("RAILS_ENV=test rake db:drop RAILS_ENV=production", {}),
        ("RAILS_ENV=test rake db:drop DATABASE_URL=postgres://db.example.com/a", {}),
        ("APP_ENV=test php artisan migrate:fresh --env=production", {}),
    ],
)
def test_a_variable_that_may_be_set_again_does_not_count(command, files):
    assert judged(command, files, committed=tuple(files)).effect == "junction"
