"""What a file that runs before each test puts in the place of a library is there for all of them."""

# ruff: noqa: E501 - texts of files
from tests.gate.example_project import PLACE, ROOT, Machine
from tests.tables import for_each

from operators_edge.gate.decide import assess
from operators_edge.gate.rules import load
from operators_edge.model import Call

RULES = load().with_profile("contextual")
MOCKS = "jest.mock('@sendgrid/mail', () => ({ __esModule: true, default: { setApiKey: jest.fn(), send: jest.fn().mockResolvedValue([{}]) } }));\n"
SENDS = "import sgMail from '@sendgrid/mail';\nexport async function send(to: string) {\n  await sgMail.send({ to, from: 'a@b.io' });\n}\n"
TEST = "import { send } from '../src/mail';\ntest('x', async () => { await send('c@d.io'); });\n"
CONFIG = (
    "module.exports = {\n  preset: 'ts-jest',\n  setupFiles: ['<rootDir>/test/setup.ts'],\n};\n"
)


def project(setup=MOCKS, config=CONFIG, **more):
    files = {
        "package.json": '{"scripts": {"test": "jest"}}',
        "jest.config.js": config,
        "test/setup.ts": setup,
        "src/mail.ts": SENDS,
        "test/mail.test.ts": TEST,
    }
    return files | {name.replace("__", "/"): text for name, text in more.items()}


def judged(command, files, untracked=()):
    named = {f"{ROOT}/{name}": text for name, text in files.items() if text}
    held = tuple(one for one in named if not one.endswith(tuple(untracked) or ("?",)))
    machine = Machine(named, committed=held)
    return assess(Call("Bash", {"command": command}, ROOT), PLACE, machine, RULES)


VITEST = {
    "package.json": '{"scripts": {"test": "vitest run"}}',
    "vitest.config.ts": "import { defineConfig } from 'vitest/config';\n\nexport default defineConfig({\n  test: { setupFiles: ['./test/setup.ts'] },\n});\n",
    "test/setup.ts": "import { vi } from 'vitest';\n" + MOCKS.replace("jest.", "vi."),
    "src/mail.ts": SENDS,
    "test/mail.test.ts": "import { test } from 'vitest';\n" + TEST,
}
IN_PACKAGE = project() | {
    "jest.config.js": "",
    "package.json": '{"scripts": {"test": "jest"}, "jest": {"setupFilesAfterEnv": ["./test/setup.ts"]}}',
}
CALM = {
    "jest": ("npm test", project()),
    "after the environment": (
        "npx jest",
        project(config=CONFIG.replace("setupFiles", "setupFilesAfterEnv")),
    ),
    "in package.json": ("npm test", IN_PACKAGE),
    "with other files": (
        "npm test",
        project(
            config=CONFIG.replace("['<rootDir>", "['dotenv/config', './test/a.ts', '<rootDir>"),
            **{"test/a.ts": "jest.setTimeout(3000);\n"},
        ),
    ),
    "vitest": ("npm test", VITEST),
}


@for_each(("command", "files"), CALM.values(), ids=list(CALM))
def test_a_library_that_is_replaced_before_each_test_sends_nothing(command, files):
    assert judged(command, files).effect == "allow"


ASKED = {
    "nothing is replaced": ("npm test", project("jest.setTimeout(3000);\n")),
    "another library": ("npm test", project(MOCKS.replace("@sendgrid/mail", "nodemailer"))),
    "the real one is handed on": (
        "npm test",
        project("jest.mock('@sendgrid/mail', () => jest.requireActual('@sendgrid/mail'));\n"),
    ),
    "only on a condition": ("npm test", project(f"if (!process.env.LIVE) {{\n  {MOCKS}}}\n")),
    "a test takes it back": (
        "npm test",
        project(**{"test__mail.test.ts": f"jest.unmock('@sendgrid/mail');\n{TEST}"}),
    ),
    "another file takes it back": (
        "npm test",
        project(
            config=CONFIG.replace("setup.ts'", "setup.ts', './test/b.ts'"),
            **{"test__b.ts": "jest.unmock('@sendgrid/mail');\n"},
        ),
    ),
    "a file that is not there": (
        "npm test",
        project(config=CONFIG.replace("setup.ts'", "setup.ts', './test/c.ts'")),
    ),
    "a package that may do anything": (
        "npm test",
        project(config=CONFIG.replace("['<rootDir>", "['our-setup', '<rootDir>")),
    ),
    "settings that a variable chooses": (
        "npm test",
        project(config=CONFIG.replace("[", "process.env.LIVE ? [] : [")),
    ),
    "settings that are changed behind": (
        "npm test",
        project(config=f"{CONFIG}delete module.exports.setupFiles;\n"),
    ),
    "projects": ("npm test", project(config=CONFIG.replace("preset", "projects: ['a'], preset"))),
    "other settings": (
        "npm test",
        project(**{"jest.config.ts": "export default { testEnvironment: 'node' };\n"}),
    ),
    "settings of another runner": (
        "npm test",
        VITEST | {"vite.config.ts": VITEST["vitest.config.ts"], "vitest.config.ts": "export default {};\n"},
    ),
    "settings below another key": (
        "npm test",
        project(config=CONFIG.replace("setupFiles: ['<rootDir>/test/setup.ts']", "globals: { setupFiles: ['<rootDir>/test/setup.ts'] }")),
    ),
    "settings beside those of the tests": (
        "npm test",
        VITEST | {"vitest.config.ts": "import { defineConfig } from 'vitest/config';\nexport default defineConfig({\n  setupFiles: ['./test/setup.ts'],\n  test: {},\n});\n"},
    ),
    "settings of another key of package.json": (
        "npm test",
        IN_PACKAGE | {"package.json": '{"scripts": {"test": "jest"}, "c8": {"setupFiles": ["./test/setup.ts"]}}'},
    ),
    "settings by a computed key": (
        "npm test",
        project(config=CONFIG.replace("};", "  ['setup' + 'Files']: [],\n};")),
    ),
    "settings in place of these": ("npm test", project(config=f"{CONFIG}module['exports'] = {{}};\n")),
    "settings of another folder": (
        "npx jest",
        {
            "package.json": "{}",
            "e2e/jest.config.js": CONFIG.replace("test/", ""),
            "e2e/setup.ts": MOCKS,
            "e2e/mail.ts": SENDS,
            "e2e/mail.test.ts": TEST.replace("../src", "."),
        },
    ),
    "settings around the folder": (
        "cd app && npx jest",
        project(
            **{"app/package.json": "{}", "app/mail.ts": SENDS, "app/a.test.ts": TEST.replace("../src", ".")}
        ),
    ),
    "settings that are not taken by themselves": (
        "npm test",
        project(config="") | {"jest.config.ci.js": CONFIG},
    ),
    "files that a program of the project changes": (
        "npm test",
        project(config=CONFIG.replace("preset: 'ts-jest'", "transform: { 'ts$': '<rootDir>/tools/t.js' }")),
    ),
    "too late": ("npm test", project(f"beforeAll(() => {{\n  {MOCKS}}});\n")),
    "a value that is the real one": (
        "npm test",
        project("const mockReal = require('@sendgrid/mail/src/mail');\njest.mock('@sendgrid/mail', () => mockReal);\n"),
    ),
    "the test replaces it by another one": (
        "npm test",
        project(**{"test__mail.test.ts": f"jest.mock('@sendgrid/mail', () => require('./real'));\n{TEST}", "test__real.ts": "export default {};\n"}),
    ),
    "another file of settings": ("npx jest --config other.js", project()),
    "a set-up that the line writes": ("echo 'x' > test/setup.ts && npm test", project()),
}  # fmt: skip


@for_each(("command", "files"), ASKED.values(), ids=list(ASKED))
def test_what_is_not_replaced_for_certain_asks(command, files):
    assert judged(command, files).effect == "junction"


def test_a_set_up_that_git_does_not_hold_proves_nothing():
    assert judged("npm test", project(), untracked=["setup.ts"]).effect == "junction"
    assert judged("npm test", project(), untracked=["jest.config.js"]).effect == "junction"


# end of module
