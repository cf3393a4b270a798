"""What a program of Node deletes in an emulator is nobody's loss, if it surely is the emulator."""

# ruff: noqa: E501 - texts of files
from tests.gate.example_project import PLACE, ROOT, Machine
from tests.tables import for_each

from operators_edge.gate.decide import assess
from operators_edge.gate.rules import load
from operators_edge.model import Call

RULES = load().with_profile("contextual")
ENV = "process.env.FIRESTORE_EMULATOR_HOST = '127.0.0.1:8080';\ndelete process.env.GOOGLE_APPLICATION_CREDENTIALS;\n"
LIBRARY = "import { initializeApp } from 'firebase-admin/app';\nimport { getFirestore } from 'firebase-admin/firestore';\n"
WIPES = "initializeApp({ projectId: 'x' });\nconst db = getFirestore();\nfor (const one of await db.listCollections()) {\n  await db.recursiveDelete(one);\n}\n"
SEED = f"import './env';\n{LIBRARY}{WIPES}"


def judged(command, files, *, held=True):
    named = {f"{ROOT}/{name}": text for name, text in files.items()}
    machine = Machine(named, committed=tuple(named) if held else ())
    return assess(Call("Bash", {"command": command}, ROOT), PLACE, machine, RULES)


def seed(text=SEED, env=ENV, **more):
    files = {"package.json": "{}", "s/seed.ts": text, "s/env.ts": env}
    return files | {f"s/{name}.ts": code for name, code in more.items()}


RUN = "npx tsx s/seed.ts"
AUTH = "import { getAuth } from 'firebase-admin/auth';\nawait getAuth().deleteUsers(ids);\n"
CALM = {
    "a module that is first": (RUN, seed()),
    "behind the library": (RUN, seed(f"{LIBRARY}import './env';\n{WIPES}")),
    "the program itself": (RUN, seed(f"{LIBRARY}{ENV}{WIPES}")),
    "unless it is set": (RUN, seed(env=ENV.replace(" =", " ??="))),
    "the command": (f"FIRESTORE_EMULATOR_HOST=localhost:8080 {RUN}", seed(f"{LIBRARY}{WIPES}")),
    "users": (RUN, seed(f"import './env';\n{AUTH}", "process.env['FIREBASE_AUTH_EMULATOR_HOST'] = 'localhost:9099';\n")),
    "required": (
        "node s/seed.js",
        {"s/seed.js": f"require('./env');\nconst admin = require('firebase-admin');\n{WIPES}", "s/env.js": ENV},
    ),
}  # fmt: skip


@for_each(("command", "files"), CALM.values(), ids=list(CALM))
def test_what_surely_is_in_an_emulator_disturbs_nobody(command, files):
    assert judged(command, files).effect == "allow"


ASKED = {
    "nothing says so": (RUN, seed(f"{LIBRARY}{WIPES}")),
    "it is taken away": (RUN, seed(env="delete process.env.FIRESTORE_EMULATOR_HOST;\n")),
    "it is taken away later": (
        RUN,
        seed(SEED.replace("initialize", "delete process.env.FIRESTORE_EMULATOR_HOST;\ninitialize", 1)),
    ),
    "it is set to nothing later": (RUN, seed(f"{SEED}process.env.FIRESTORE_EMULATOR_HOST = '';\n")),
    "it is computed": (RUN, seed(env="process.env.FIRESTORE_EMULATOR_HOST = host();\n")),
    "on a condition": (RUN, seed(env=f"if (process.env.CI)\n{ENV}")),
    "in a block": (RUN, seed(env=f"if (process.env.CI) {{\n{ENV}}}\n")),
    "in a function": (RUN, seed(env=f"export function use() {{\n{ENV}}}\n")),
    "in a text": (RUN, seed(env=f"const x = `\n{ENV}`;\n")),
    "in a comment": (RUN, seed(env=f"/*\n{ENV}*/\n")),
    "another module is first": (
        RUN,
        seed(f"import {{ db }} from './db';\n{SEED}", db=f"{LIBRARY}export const db = getFirestore();\n"),
    ),
    "its module loads another one": (
        RUN,
        seed(env=f"import './db';\n{ENV}", db=f"{LIBRARY}export const db = getFirestore();\n"),
    ),
    "a package of the project is first": (RUN, seed(f"import '@shop/db';\n{SEED}")),
    "after the client": (RUN, seed(f"{LIBRARY}{WIPES}{ENV}")),
    "an address of its own": (RUN, seed(SEED.replace("getFirestore()", "new Firestore({ host: 'x.io' })"))),
    "all variables anew": (RUN, seed(env=f"{ENV}process.env = {{}};\n")),
    "by a name that is computed": (RUN, seed(env=f"{ENV}delete process.env[name];\n")),
    "the command, and the program takes it away": (
        f"FIRESTORE_EMULATOR_HOST=localhost:8080 {RUN}",
        seed(env="delete process.env.FIRESTORE_EMULATOR_HOST;\n"),
    ),
    "the command says nothing": (f"FIRESTORE_EMULATOR_HOST= {RUN}", seed(f"{LIBRARY}{WIPES}")),
    "of another service": (RUN, seed(f"import './env';\n{AUTH}")),
    "a module of that name elsewhere": (
        RUN,
        seed(f"import './env';\nimport {{ db }} from './db';\nimport '../lib/env';\n{WIPES}", env="console.log('x');\n", db=f"{LIBRARY}export const db = getFirestore();\n")
        | {"lib/env.ts": ENV},
    ),
    "dotenv replaces it": (
        RUN,
        seed(f"import {{ config }} from 'dotenv';\n{SEED}".replace("initialize", "config({ override: !process.env.CI });\ninitialize", 1)),
    ),
    "dotenv replaces it by its variable": (f"DOTENV_CONFIG_OVERRIDE=true {RUN}", seed()),
    "unless it is set, to nothing": (f"FIRESTORE_EMULATOR_HOST= {RUN}", seed(env=ENV.replace(" =", " ??="))),
    "unless it is set, to another machine": (
        f"FIRESTORE_EMULATOR_HOST=fs.example.net:443 {RUN}",
        seed(env=ENV.replace(" =", " ||=")),
    ),
    "unless a file sets it": (
        "node --env-file=.env s/seed.js",
        {"s/seed.js": f"{LIBRARY}{ENV.replace(' =', ' ??=')}{WIPES}", ".env": "FIRESTORE_EMULATOR_HOST=\n"},
    ),
    "on another machine": (RUN, seed(env=ENV.replace("127.0.0.1", "fs.example.net"))),
    "on another machine, by the command": (
        f"STORAGE_EMULATOR_HOST=https://storage.googleapis.com {RUN}",
        seed("import { Storage } from '@google-cloud/storage';\nawait new Storage().bucket('x').deleteFiles();\n"),
    ),
    "all variables under another name": (
        RUN,
        seed(SEED.replace("initialize", "const v = process.env as any;\nfor (const k in v) if (/LATOR/.test(k)) delete v[k];\ninitialize", 1)),
    ),
    "all variables given away": (RUN, seed(SEED.replace("initialize", "scrub(process.env);\ninitialize", 1))),
    "users of another service": (
        RUN,
        seed(
            "import './env';\nimport { createClerkClient } from '@clerk/backend';\nconst clerk = createClerkClient({});\nawait clerk.users.deleteUser(id);\n",
            "process.env.FIREBASE_AUTH_EMULATOR_HOST = 'localhost:9099';\n",
        ),
    ),
    "a variable that the library does not know": (
        RUN,
        seed(
            "import './env';\nimport { Storage } from '@google-cloud/storage';\nawait new Storage().bucket('x').deleteFiles();\n",
            ENV.replace("FIRESTORE", "FIREBASE_STORAGE"),
        ),
    ),
    "in a block with a bracket in a text": (
        RUN,
        seed(f"{LIBRARY}if (process.env.CI) {{\n  console.log('}}');\n{ENV}  console.log('{{');\n}}\n{WIPES}"),
    ),
    "a package that is imported below": (RUN, seed(f"{LIBRARY}{ENV}import {{ db }} from '@shop/db';\nawait db.recursiveDelete(x);\n")),
    "a client of another name before": (
        RUN,
        seed(f"import {{ Firestore as Store }} from 'firebase-admin/firestore';\nconst db = new Store();\n{ENV}await db.recursiveDelete(x);\n"),
    ),
    "a module that is awaited before": (
        RUN,
        seed(f"{LIBRARY}const {{ db }} = await import('./db.js');\n{ENV}await db.recursiveDelete(x);\n", db=f"{LIBRARY}export const db = getFirestore();\n"),
    ),
    "a module that is required by a template before": (
        "node s/seed.js",
        {"s/seed.js": f"require('firebase-admin');\nconst {{ db }} = require(`./db`);\n{ENV}db.recursiveDelete(x);\n", "s/db.js": "const { Firestore } = require('@google-cloud/firestore');\nexports.db = new Firestore();\n"},
    ),
    "an import named type": (
        RUN,
        seed(f"import type, {{ db }} from './db';\nimport './env';\n{WIPES}", db=f"{LIBRARY}export const db = getFirestore();\nexport default 1;\n"),
    ),
    "something is loaded before all": ("npx tsx -r ./s/live.ts s/seed.ts", seed(live="delete process.env.X;\n")),
}  # fmt: skip


@for_each(("command", "files"), ASKED.values(), ids=list(ASKED))
def test_what_may_be_the_real_one_asks(command, files):
    assert judged(command, files).effect == "junction"


def test_files_that_git_does_not_hold_prove_nothing():
    assert judged(RUN, seed(), held=False).effect == "junction"


# end of module
