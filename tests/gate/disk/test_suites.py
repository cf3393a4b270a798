"""A suite that deletes at an address of `.env` needs a person, if nothing answers in its place."""

from __future__ import annotations

import pytest
from tests.gate.disk.test_follow import judged

PACKAGE = '{"scripts": {"test": "vitest run"}, "devDependencies": {"msw": "^2", "dotenv": "^16"}}'
CONFIG = "export default { test: { setupFiles: ['./tests/setup.js'] } };\n"
SETUP = "import { config } from 'dotenv';\nconfig({ path: new URL('../.env', import.meta.url).pathname });\n"
CLIENT = (
    "const call = (method, path) => fetch(process.env.SHOP_API + path, { method });\n"
    "export const remove = (id) => call('DELETE', `/products/${id}`);\n"
)
TEST = (
    "import { afterEach } from 'vitest';\nimport { remove } from '../src/client.js';\n"
    "afterEach(() => remove(1));\n"
)
SUITE = {
    "package.json": PACKAGE,
    "vitest.config.js": CONFIG,
    "tests/setup.js": SETUP,
    "tests/a.test.js": TEST,
    "src/client.js": CLIENT,
    ".env": "SHOP_API=https://api.shop.example\n",
}
HARMLESS = {
    "an address of this machine": {".env": "SHOP_API=http://localhost:4000\n"},
    "no address": {".env": "SHOP_TOKEN=x\n"},
    "a variable that nothing reads": {".env": "OTHER_API=https://api.shop.example\n"},
    "a suite that only reads": {"src/client.js": CLIENT.replace("'DELETE'", "'GET'")},
    "a stand-in": {"tests/setup.js": f"{SETUP}import nock from 'nock';\n"},
    "a fetch of its own": {"tests/setup.js": f"{SETUP}globalThis.fetch = async () => ({{}});\n"},
    "an address that the set-up sets": {
        "tests/setup.js": f"{SETUP}process.env.SHOP_API = 'http://localhost:4000';\n"
    },
    "a set-up that loads no file": {"tests/setup.js": "globalThis.x = 1;\n"},
}


@pytest.mark.parametrize("command", ["npm test", "npx vitest run", "yarn test"])
def test_a_suite_that_cleans_up_elsewhere_needs_a_person(command):
    assert judged(command, SUITE, committed=tuple(SUITE)).effect == "junction"


def test_a_suite_of_jest_is_one_too():
    files = {
        **SUITE,
        "package.json": '{"scripts": {"test": "jest"}, "jest": {"setupFiles": ["dotenv/config"]}}',
        "tests/a.test.js": (
            "const axios = require('axios');\nafterAll(() => axios.delete(process.env.SHOP_API));\n"
        ),
    }
    assert judged("npm test", files, committed=tuple(files)).effect == "junction"


LIVE = {
    **SUITE,
    "src/client.js": (
        "const call = (method, path) =>\n"
        "  fetch(base + path, { method, headers: auth(process.env.STRIPE_KEY) });\n"
        "export const remove = (id) => call('POST', `/refunds/${id}`);\n"
    ),
    ".env": "STRIPE_KEY=sk_live_51Hc0000000\n",
}
NOT_LIVE = {
    "a key for tests": {".env": "STRIPE_KEY=sk_test_51Hc0000000\n"},
    "a set-up that sets another key": {
        "tests/setup.js": f"{SETUP}process.env.STRIPE_KEY = 'sk_test_1';\n"
    },
    "a stand-in": {"tests/setup.js": f"{SETUP}import nock from 'nock';\n"},
    "a suite that only reads": {
        "src/client.js": "export const remove = (id) => fetch(u + process.env.STRIPE_KEY);\n"
    },
}


def test_a_suite_with_a_live_key_needs_a_person():
    assert judged("npm test", LIVE, committed=tuple(LIVE)).effect == "junction"


@pytest.mark.parametrize("change", NOT_LIVE.values(), ids=NOT_LIVE)
def test_a_suite_that_does_nothing_with_a_live_key_does_not(change):
    files = {**LIVE, **change}
    assert judged("npm test", files, committed=tuple(files)).effect == "allow"


@pytest.mark.parametrize("change", HARMLESS.values(), ids=HARMLESS)
def test_any_other_suite_does_not(change):
    files = {**SUITE, **change}
    assert judged("npm test", files, committed=tuple(files)).effect == "allow"
