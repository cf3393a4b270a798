"""A test of jest reaches a server of the suite's own, if the file that runs first surely says where it is."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

SETUP = (
    "const { MongoMemoryServer } = require('mongodb-memory-server');\nmodule.exports = async () => {\n"
    "  globalThis.__M__ = await MongoMemoryServer.create();\n"
    "  process.env.MONGO_URL = globalThis.__M__.getUri();\n};\n"
)
TEST = (
    "const { MongoClient } = require('mongodb');\nlet client;\n"
    "beforeAll(async () => { client = await MongoClient.connect(process.env.MONGO_URL); });\n"
    "afterEach(async () => { await client.db('a').dropDatabase(); });\ntest('x', () => {});\n"
)
CONFIG = "module.exports = { globalSetup: '<rootDir>/set-up', testEnvironment: 'node' };\n"
FILES = {
    "package.json": '{"scripts": {"test": "jest"}}',
    "jest.config.js": CONFIG,
    "set-up.js": SETUP,
    "test/a.test.js": TEST,
    "other.js": "module.exports = async () => {};\n",
}
PLACE = "process.env.MONGO_URL = globalThis"


def effect(command="npm test", **more):
    files = {**FILES, **more}
    return judged(command, files, committed=tuple(files)).effect


@for_each("command", ["npm test", "npx jest", "npx jest test/a.test.js"])
def test_a_server_that_the_suite_starts_first_is_its_own(command):
    assert effect(command) == "allow"


@for_each(
    ("command", "files"),
    [
        ("npm test", {"set-up.js": SETUP.replace("globalThis.__M__.getUri()", "process.env.LIVE")}),
        ("npm test", {"set-up.js": SETUP.replace("MONGO_URL", "OTHER_URL")}),
        (
            "npm test",
            {
                "set-up.js": SETUP.replace(
                    "  globalThis", "  if (process.env.CI) return;\n  globalThis"
                )
            },
        ),
        ("npm test", {"set-up.js": SETUP.replace(PLACE, f"if (!process.env.CI) {PLACE}")}),
        ("npm test", {"set-up.js": SETUP.replace(PLACE, f"if (!process.env.CI)\n    {PLACE}")}),
        (
            "npm test",
            {"set-up.js": SETUP.replace(PLACE, f"if (a) {{\n{PLACE}").replace("};", "}};")},
        ),
        (
            "npm test",
            {"jest.config.js": CONFIG.replace("test", "setupFiles: ['./other'], test", 1)},
        ),
        ("npm test", {"jest.config.js": "module.exports = {};\n"}),
        ("npm test", {"test/a.test.js": f"process.env.MONGO_URL = process.env.LIVE;\n{TEST}"}),
        ("npx jest --globalSetup ./other.js", {}),
        ("npx jest --setupFiles ./other.js", {}),
        ("npx jest -c other.json", {}),
        ("cp other.js set-up.js && npm test", {}),
        ("echo 'module.exports = {}' > jest.config.js && npm test", {}),
        ("npx vitest run", {}),
    ],
)
def test_a_variable_that_another_may_set_needs_a_person(command, files):
    assert effect(command, **files) == "junction"
