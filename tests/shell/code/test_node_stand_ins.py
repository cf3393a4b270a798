"""Tests of Node in which something answers for other machines reach nobody; any that may get past it do."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

from operators_edge.shell.code.node_stand_ins import StandIns, without_answered

AXIOS = "const axios = require('axios');\n"
SHOP = (
    f"{AXIOS}exports.drop = (id) => axios.delete(`https://api.shop.example.com/orders/${{id}}`);\n"
)
CLOUD = (
    "const { S3Client, DeleteBucketCommand } = require('@aws-sdk/client-s3');\n"
    "exports.drop = async (id) => {\n  const client = new S3Client({});\n"
    "  await client.send(new DeleteBucketCommand({ Bucket: id }));\n};\n"
)
FETCH = (
    "exports.drop = (id) => fetch(`https://api.shop.example.com/${id}`, { method: 'DELETE' });\n"
)
DROPS = "const { drop } = require('../shop');\n"
TEST = "test('drops', async () => { await drop('a'); });\n"
NODE_TEST = "const { test, mock, beforeEach } = require('node:test');\n"
SINON = f"const sinon = require('sinon');\n{AXIOS}"
SPIED = "jest.spyOn(axios, 'delete').mockResolvedValue({})"
BEFORE = "beforeEach(() => {{ {}; }});\n".format
NO_NETWORK = BEFORE("nock.disableNetConnect()")
SENT = "axios.delete('https://api.shop.example.com/a')"
NOCK = "const nock = require('nock');\n"
MSW = "const { setupServer } = require('msw/node');\nconst server = setupServer();\n"
JEST, VITEST, MOCHA, NODE = "npx jest", "npx vitest run", "npx mocha", "node --test test/a.test.js"

CALM = {
    "a library that jest generates": (JEST, SHOP, f"jest.mock('axios');\n{DROPS}{TEST}"),
    "a library that is written out": (
        JEST,
        SHOP,
        f"jest.mock('axios', () => ({{ delete: jest.fn() }}));\n{DROPS}{TEST}",
    ),
    "a client of a cloud": (JEST, CLOUD, f"jest.mock('@aws-sdk/client-s3');\n{DROPS}{TEST}"),
    "vitest": (
        VITEST,
        SHOP,
        (
            "import { test, vi } from 'vitest';\nimport { drop } from '../shop';\n"
            f"vi.mock('axios');\n{TEST}"
        ),
    ),
    "before each test": (
        MOCHA,
        SHOP,
        (
            f"{SINON}{DROPS}beforeEach(() => {{ sinon.stub(axios, 'delete').resolves({{}}); }});\n"
            f"afterEach(() => sinon.restore());\n{TEST}"
        ),
    ),
    "the only test": (
        NODE,
        SHOP,
        (
            f"{NODE_TEST}{AXIOS}{DROPS}test('drops', async (t) => {{\n"
            "  t.mock.method(axios, 'delete', async () => ({}));\n  await drop('a');\n});\n"
        ),
    ),
    "a spy with an answer": (
        JEST,
        SHOP,
        f"{AXIOS}{DROPS}{BEFORE(SPIED)}{TEST}",
    ),
    "fetch": (JEST, FETCH, f"{DROPS}beforeAll(() => {{ global.fetch = jest.fn(); }});\n{TEST}"),
    "no network": (
        MOCHA,
        SHOP,
        f"{NOCK}{DROPS}{NO_NETWORK}{TEST}",
    ),
    "a server that refuses the rest": (
        MOCHA,
        FETCH,
        f"{MSW}{DROPS}before(() => server.listen({{ onUnhandledRequest: 'error' }}));\n{TEST}",
    ),
}
STUB = "sinon.stub(axios, 'delete')"
ASKED = {
    "nothing": (JEST, SHOP, DROPS + TEST),
    "another library": (JEST, SHOP, f"jest.mock('got');\n{DROPS}{TEST}"),
    "a comment": (JEST, SHOP, f"// jest.mock('axios');\n{DROPS}{TEST}"),
    "a text": (JEST, SHOP, f"const a = `\njest.mock('axios');\n`;\n{DROPS}{TEST}"),
    "in a function": (JEST, SHOP, f"function off() {{\n  jest.mock('axios');\n}}\n{DROPS}{TEST}"),
    "the real one in its place": (
        JEST,
        SHOP,
        f"jest.mock('axios', () => jest.requireActual('axios'));\n{DROPS}{TEST}",
    ),
    "another one in its place": (
        JEST,
        SHOP,
        f"jest.mock('axios', () => require('axios-real'));\n{DROPS}{TEST}",
    ),
    "taken away": (JEST, SHOP, f"jest.mock('axios');\njest.unmock('axios');\n{DROPS}{TEST}"),
    "another runner": (
        MOCHA,
        SHOP,
        f"const jest = {{ mock() {{}} }};\njest.mock('axios');\n{DROPS}{TEST}",
    ),
    "no runner": ("node test/a.test.js", SHOP, f"{SINON}{DROPS}{STUB};\ndrop('a');\n"),
    "another object by its name": (
        JEST,
        SHOP,
        f"const jest = {{ mock() {{}} }};\njest.mock('axios');\n{DROPS}{TEST}",
    ),
    "another test": (
        NODE,
        SHOP,
        (
            f"{NODE_TEST}{AXIOS}{DROPS}test('a', async (t) => {{\n"
            "  t.mock.method(axios, 'delete', async () => ({}));\n  await drop('a');\n});\n"
            "test('b', async () => { await drop('b'); });\n"
        ),
    ),
    "too late": (
        NODE,
        SHOP,
        (
            f"{NODE_TEST}{AXIOS}{DROPS}test('a', async (t) => {{\n  await t.mock.method(axios, 'delete');\n"
            "  await drop('a');\n});\n"
        ),
    ),
    "a spy without an answer": (
        JEST,
        SHOP,
        f"{AXIOS}{DROPS}beforeEach(() => {{ jest.spyOn(axios, 'delete'); }});\n{TEST}",
    ),
    "another method": (
        MOCHA,
        SHOP,
        f"{SINON}{DROPS}beforeEach(() => {{ sinon.stub(axios, 'post'); }});\n{TEST}",
    ),
    "in a branch": (
        MOCHA,
        SHOP,
        f"{SINON}{DROPS}beforeEach(() => {{ if (process.env.CI) {{ {STUB}; }} }});\n{TEST}",
    ),
    "for some tests": (
        MOCHA,
        SHOP,
        f"{SINON}{DROPS}describe('a', () => {{ beforeEach(() => {{ {STUB}; }}); }});\n{TEST}",
    ),
    "given back in a test": (
        MOCHA,
        SHOP,
        (
            f"{SINON}{DROPS}beforeEach(() => {{ {STUB}; }});\n"
            "test('a', async () => { sinon.restore(); await drop('a'); });\n"
        ),
    ),
    "before anything stands in": (
        MOCHA,
        SHOP,
        f"{SINON}{DROPS}{BEFORE(STUB)}{SENT};\n{TEST}",
    ),
    "while a module is loaded": (
        MOCHA,
        f"{SHOP}exports.drop('a');\n{SENT};\n",
        f"{SINON}{DROPS}beforeEach(() => {{ {STUB}; }});\n{TEST}",
    ),
    "by what a module calls when it is loaded": (
        MOCHA,
        f"{AXIOS}const main = () => {SENT};\nmodule.exports = main();\n",
        f"{SINON}{DROPS}beforeEach(() => {{ {STUB}; }});\n{TEST}",
    ),
    "a network that is allowed again": (
        MOCHA,
        SHOP,
        (
            f"{NOCK}{DROPS}{NO_NETWORK}"
            "test('a', async () => { nock.enableNetConnect(); await drop('a'); });\n"
        ),
    ),
    "a server that lets the rest pass": (
        MOCHA,
        FETCH,
        f"{MSW}{DROPS}before(() => server.listen({{ onUnhandledRequest: 'bypass' }}));\n{TEST}",
    ),
    "something else by that name": (
        MOCHA,
        SHOP,
        f"const nock = {{ disableNetConnect() {{}} }};\n{DROPS}{NO_NETWORK}{TEST}",
    ),
}


def files(shop, tests):
    return {"package.json": '{"name": "shop"}', "shop.js": shop, "test/a.test.js": tests}


@for_each(("command", "shop", "tests"), CALM.values(), CALM)
def test_what_something_answers_while_tests_run_reaches_nobody(command, shop, tests):
    assert judged(command, files(shop, tests)).effect == "allow"


@for_each(("command", "shop", "tests"), ASKED.values(), ASKED)
def test_what_may_get_past_that_is_asked_about(command, shop, tests):
    assert judged(command, files(shop, tests)).effect == "junction"


MADE = "const twilio = require('twilio');\nconst client = twilio(sid, token);\n"
CHAINS = {
    "what it returns": ("const m = require('twilio');\nm(a, (b)).messages.create({})", False),
    "a client of it": (f"{MADE}client.messages.create({{}})", False),
    "a client that is set again": (f"{MADE}client = other;\nclient.messages.create({{}})", True),
    "another client": (f"{MADE}other.messages.create({{}})", True),
    "behind the call": (f"{MADE}twilio(a); other.messages.create({{}})", True),
}


@for_each(("code", "is_left"), CHAINS.values(), CHAINS)
def test_what_is_made_by_a_library_that_is_replaced_is_answered_too(code, is_left):
    given = StandIns(libraries=frozenset(["twilio"]))
    assert ("messages.create" in without_answered(code, given, is_module=True)) == is_left
