"""What direnv or dotenv give to a command is known from a file that git holds."""

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

MAKE = "x:\n\tkubectl --context $(CTX) delete namespace shop\n"
NEAR, FAR = "export CTX=kind-a\nPATH_add bin\n", "export CTX=prod\n"
RUN = "direnv exec . make x"


def files(envrc, **more):
    return {"Makefile": MAKE, ".envrc": envrc, **more}


ROWS = {
    "a cluster of this machine": (RUN, files(NEAR), "allow"),
    "by the folder's name": ('direnv exec "$PWD" make x', files(NEAR), "allow"),
    "from a file of variables": (RUN, files("dotenv\n", **{".env": "CTX=kind-a\n"}), "allow"),
    "another cluster": (RUN, files(FAR), "junction"),
    "set again": (RUN, files(NEAR + FAR), "junction"),
    "set again by a file": (RUN, files(f"{NEAR}dotenv\n", **{".env": "CTX=prod\n"}), "junction"),
    "set again by a program": (RUN, files(f"{NEAR}use our_cluster\n"), "junction"),
    "set again by a file that it sources": (RUN, files(f"{NEAR}source_env ../x\n"), "junction"),
    "on a condition": (RUN, files(f'if [ -n "$CI" ]; then\n{FAR}else\n{NEAR}fi\n'), "junction"),
    "what a program prints": (RUN, files("export CTX=$(pick-context)\n"), "junction"),
    "the line's own is replaced": (f"CTX=kind-a {RUN}", files(FAR), "junction"),
    "not exported": (RUN, files("CTX=kind-a\n"), "junction"),
    "of another folder": ("direnv exec ../b make x", files(NEAR), "junction"),
    "nothing": ("make x", files(NEAR), "junction"),
    "set again inside": ("direnv exec . env CTX=prod make x", files(NEAR), "junction"),
    "taken away inside": (
        "direnv exec . env -u CTX make x",
        {"Makefile": f"CTX ?= prod\n{MAKE}", ".envrc": NEAR},
        "junction",
    ),
    "set again by another program": (
        "direnv exec . dotenv -o -e .env.prod -- make x",
        files(NEAR, **{".env.prod": "CTX=prod\n"}),
        "junction",
    ),
    "of a folder that a variable names": (
        'PWD=ops; direnv exec "$PWD" make x',
        files(NEAR, **{"ops/.envrc": FAR}),
        "junction",
    ),
    "at the end": (RUN, files(f"{NEAR}trap 'export CTX=prod' EXIT\n"), "junction"),
    "a program of the project": (RUN, files(NEAR, **{"bin/kubectl": "x"}), "junction"),
    "in a form that few programs read": (
        RUN,
        files("dotenv\n", **{".env": "CTX=kind-a\nCTX: prod\n"}),
        "junction",
    ),
    "a file that the line writes": (f"echo 'export CTX=prod' >> .envrc && {RUN}", files(NEAR), "junction"),
}  # fmt: skip


@for_each(("command", "given", "effect"), ROWS.values(), ids=list(ROWS))
def test_the_variables_of_direnv_count(command, given, effect):
    assert judged(command, given, committed=tuple(given)).effect == effect


def test_a_file_that_git_does_not_hold_proves_nothing():
    assert judged(RUN, files(NEAR)).effect == "junction"


HERE = "DATABASE_URL=postgresql://a:b@127.0.0.1:5432/shop_test\n"
LIVE = "DATABASE_URL=postgresql://a:b@db.example.net:5432/shop_test\n"
RESET = "prisma migrate reset --force"
E2E = {".env.e2e": HERE, ".env": LIVE}
DOTENV = {
    "dotenv": (f"npx dotenv -e .env.e2e -- {RESET}", E2E, "allow"),
    "env-cmd": (f"npx env-cmd -f .env.e2e {RESET}", E2E, "allow"),
    "dotenvx": (f"npx dotenvx run -f .env.e2e -- {RESET}", E2E, "allow"),
    "a runner of packages": (f"dotenv -e .env.e2e -- npx {RESET}", E2E, "allow"),
    "a runner that finds it among the scripts": (
        f"dotenv -e .env.e2e -- pnpm {RESET}",
        {**E2E, "package.json": "{}"},
        "allow",
    ),
    "a script of the same name": (
        f"dotenv -e .env.e2e -- pnpm {RESET}",
        {**E2E, "package.json": f'{{"scripts": {{"prisma": "{LIVE.strip()} prisma"}}}}'},
        "junction",
    ),
    "set again behind the runner": (
        f"dotenv -e .env.e2e -- npx env {LIVE.strip()} {RESET}",
        E2E,
        "junction",
    ),
    "behind a shell": (
        f"env-cmd -f .env.e2e sh -c 'export {LIVE.strip()}; npx {RESET}'",
        E2E,
        "junction",
    ),
    "in a script": (
        "npm run reset",
        {"package.json": f'{{"scripts": {{"reset": "dotenv -e .env.e2e -- {RESET}"}}}}', **E2E},
        "allow",
    ),
    "another machine": (f"npx dotenv -e .env -- {RESET}", E2E, "junction"),
    "the usual file": (f"npx dotenv -- {RESET}", E2E, "junction"),
    "two files": (f"npx dotenv -e .env.e2e -e .env -- {RESET}", E2E, "junction"),
    "set by the line": (f"{LIVE.strip()} npx dotenv -e .env.e2e -- {RESET}", E2E, "junction"),
    "set by an option": (f"npx dotenv -e .env.e2e -v {LIVE.strip()} -- {RESET}", E2E, "junction"),
    "more files by an option": (f"npx dotenv -c -e .env.e2e -- {RESET}", E2E, "junction"),
    "computed": (
        f"npx dotenv -e .env.e2e -- {RESET}",
        {".env.e2e": "DATABASE_URL=postgresql://a:b@$DB_HOST:5432/shop_test\n"},
        "junction",
    ),
    "in a text of several lines": (
        f"npx dotenv -e .env.e2e -- {RESET}",
        {".env.e2e": f'NOTES="\n{HERE}"\n', ".env": LIVE},
        "junction",
    ),
    "in a form that few programs read": (
        f"npx dotenv -e .env.e2e -- {RESET}",
        {".env.e2e": HERE + LIVE.replace("=", ": ", 1), ".env": LIVE},
        "junction",
    ),
    "behind an end of a line that few programs know": (
        f"npx dotenv -e .env.e2e -- {RESET}",
        {".env.e2e": f"{HERE}#\r{LIVE}", ".env": LIVE},
        "junction",
    ),
    "a program that sets them": (
        f"npx env-cmd -f e2e.js {RESET}",
        {"e2e.js": f"/*\n{HERE}*/\nmodule.exports = {{}};\n", ".env": LIVE},
        "junction",
    ),
    "words of another command": (
        f'npx dotenv "-e" .env -- {RESET}; : dotenv -e .env.e2e -- prisma',
        E2E,
        "junction",
    ),
    "set again inside": (
        f"npx dotenv -e .env.e2e -- env {LIVE.strip()} {RESET}",
        E2E,
        "junction",
    ),
    "a file that the line writes": (
        f"cp .env .env.e2e && npx dotenv -e .env.e2e -- {RESET}",
        E2E,
        "junction",
    ),
}  # fmt: skip


@for_each(("command", "given", "effect"), DOTENV.values(), ids=list(DOTENV))
def test_the_variables_of_a_named_file_count(command, given, effect):
    assert judged(command, given, committed=tuple(given)).effect == effect


# end of module


DROP = "dropdb shop_test"


@for_each(
    "command",
    [
        f"dotenv -e .env -- {DROP}",
        f"npx dotenv-cli -e .env -- {DROP}",
        f"dotenv run {DROP}",
        f"dotenv -f .env run -- {DROP}",
        f"dotenvx run -f .env -- {DROP}",
        f"env-cmd {DROP}",
        f"foreman run {DROP}",
        f"honcho run -e .env {DROP}",
        f"pipenv run {DROP}",
        f"uv run --env-file .env {DROP}",
        f"op run --env-file=.env -- {DROP}",
    ],
)
def test_a_server_of_a_file_counts_whether_git_holds_it_or_not(command):
    far, near = {".env": "PGHOST=db.example.com\n"}, {".env": "PGHOST=localhost\n"}
    script, recipe = {"x.sh": command}, {"Makefile": f"x:\n\t{command}\n"}
    assert judged(command, far).effect == "junction"
    assert judged(command, far, committed=(".env",)).effect == "junction"
    assert judged("sh x.sh", far | script, committed=(".env", "x.sh")).effect == "junction"
    assert judged("make x", far | recipe, committed=(".env", "Makefile")).effect == "junction"
    assert judged(command, near, committed=(".env",)).effect == "allow"
    assert judged("make x", near | recipe, committed=(".env", "Makefile")).effect == "allow"
