"""A suite that drives a browser asks if it deletes or sends something at a live address."""

# ruff: noqa: E501 - texts of files
import time

from tests.gate.example_project import PLACE, ROOT, Machine
from tests.tables import for_each

from operators_edge.gate.decide import assess
from operators_edge.gate.rules import load
from operators_edge.model import Call

RULES = load().with_profile("contextual")
LIVE = "https://app.boards.io"
HERE = "http://localhost:5173"


def judged(command, files):
    named = {f"{ROOT}/{name}": text for name, text in files.items()}
    machine = Machine(named, committed=tuple(named))
    return assess(Call("Bash", {"command": command}, ROOT), PLACE, machine, RULES)


def playwright(base=f"'{LIVE}'", act="await request.delete('/api/boards');", more="", **files):
    return {
        "playwright.config.ts": f"import 'dotenv/config';\nexport default defineConfig({{\n  testDir: './e2e',\n  {more}\n  use: {{\n    baseURL: {base},\n  }},\n}});\n",
        "e2e/boards.spec.ts": f"import {{ test }} from '@playwright/test';\nimport {{ wipe }} from './helpers';\ntest('x', async ({{ page, request }}) => {{\n  {act}\n}});\n",
        "e2e/helpers.ts": "export const x = 1;\n",
        "e2e/other.spec.ts": "test('y', async ({ page }) => { await page.goto('/'); });\n",
        **{name.replace("__", "/").replace("_ts", ".ts"): text for name, text in files.items()},
    }


def cypress(act, base=LIVE):
    return {
        "cypress.config.ts": f"export default defineConfig({{ e2e: {{ baseUrl: '{base}' }} }});\n",
        "cypress/e2e/a.cy.ts": f"it('x', () => {{ {act} }});\n",
    }


def wdio(base=LIVE):
    return {
        "wdio.conf.ts": f"export const config = {{ baseUrl: '{base}', specs: ['./test/specs/**/*.ts'] }};\n",
        "test/specs/a.ts": "it('x', async () => { await $('#delete-account').click(); });\n",
    }


ALL = "npx playwright test"
LOST = {
    "a request": (ALL, playwright()),
    "in the named file": (f"{ALL} e2e/boards.spec.ts", playwright()),
    "by a part of its name": (f"{ALL} boards", playwright()),
    "of a page": (ALL, playwright(act="await page.request.put('/api/x', {});")),
    "what a person would click": (
        ALL,
        playwright(act="await page.getByRole('button', { name: 'Delete board' }).click();"),
    ),
    "in a helper": (
        ALL,
        {**playwright(act="await wipe(request);"), "e2e/helpers.ts": "export const wipe = (request) => request.delete('/api');\n"},
    ),
    "a default": (ALL, playwright(f"process.env.BASE_URL || '{LIVE}'")),
    "a default although the line unsets it": (f"BASE_URL= {ALL}", playwright(f"process.env.BASE_URL || '{LIVE}'")),
    "a variable of the line": (f"BASE_URL={LIVE} {ALL}", playwright(f"process.env.BASE_URL ?? '{HERE}'")),
    "a variable of a file": (ALL, {**playwright("process.env.BASE_URL"), ".env": f"BASE_URL={LIVE}\n"}),
    "a variable that a file sets again": (ALL, {**playwright("process.env.BASE_URL"), ".env": f"BASE_URL={HERE}\nBASE_URL={LIVE}\n"}),
    "a constant": (ALL, {**playwright("base"), "playwright.config.ts": f"const base = '{LIVE}';\n" + playwright("base")["playwright.config.ts"]}),
    "a choice": (f"CI=1 {ALL}", playwright(f"process.env.CI ? '{LIVE}' : '{HERE}'")),
    "a server beside it": (ALL, playwright(more=f"webServer: {{ command: 'x', url: '{HERE}' }},")),
    "the test's own": (
        ALL,
        playwright(f"'{HERE}'", act=f"}});\ntest.use({{ baseURL: '{LIVE}' }});\ntest('z', async ({{ request }}) => {{ await request.delete('/x');"),
    ),
    "Cypress": ("npx cypress run", cypress("cy.request('DELETE', '/api/boards');")),
    "Cypress by a table": ("npx cypress run", cypress("cy.request({ method: 'DELETE', url: '/api' });")),
    "Cypress by an option": (f"npx cypress run --config baseUrl={LIVE}", cypress("cy.request('DELETE', '/x');", HERE)),
    "Cypress by a variable": (f"CYPRESS_BASE_URL={LIVE} npx cypress run", cypress("cy.request('DELETE', '/x');", HERE)),
    "Cypress and a button": ("npx cypress run", cypress("cy.contains('button', 'Delete').click();")),
    "WebdriverIO": ("npx wdio run wdio.conf.ts", wdio()),
    "WebdriverIO by an option": (f"npx wdio run wdio.conf.ts --baseUrl {LIVE}", wdio(HERE)),
}  # fmt: skip


@for_each(("command", "files"), LOST.values(), ids=list(LOST))
def test_what_a_suite_changes_at_a_live_address_asks(command, files):
    assert judged(command, files).effect == "junction"


NOTHING = {
    "here": (ALL, playwright(f"'{HERE}'")),
    "here by default": (ALL, playwright(f"process.env.BASE_URL ?? '{HERE}'")),
    "here by the line": (f"BASE_URL={HERE} {ALL}", playwright(f"process.env.BASE_URL ?? '{LIVE}'")),
    "here outside of CI": (ALL, playwright(f"process.env.CI ? '{LIVE}' : '{HERE}'")),
    "it only reads": (ALL, playwright(act="await request.get('/api/boards');")),
    "it only signs in": (ALL, playwright(act="await request.post('/api/login', { data });")),
    "another file": (f"{ALL} e2e/other.spec.ts", playwright()),
    "only listed": (f"{ALL} --list", playwright()),
    "no test": ("npx playwright show-report", playwright()),
    "pages are answered": (
        ALL,
        playwright(act="await page.route('**', (route) => route.fulfill({})); await page.getByText('Delete').click();"),
    ),
    "Cypress here": ("npx cypress run", cypress("cy.request('DELETE', '/x');", HERE)),
    "Cypress by an option here": (f"npx cypress run --config baseUrl={HERE}", cypress("cy.request('DELETE', '/x');")),
    "WebdriverIO here": ("npx wdio run wdio.conf.ts", wdio(HERE)),
}  # fmt: skip


@for_each(("command", "files"), NOTHING.values(), ids=list(NOTHING))
def test_a_suite_for_this_machine_or_that_only_reads_disturbs_nobody(command, files):
    assert judged(command, files).effect == "allow"


def test_a_large_suite_is_read_in_time():
    one = "test('x', async ({ request }) => {\n" + "  await request.get('/api');\n" * 300 + "});\n"
    files = playwright(act="") | {f"e2e/a{at}.spec.ts": one for at in range(60)}
    start = time.process_time()
    judged(ALL, files)
    assert time.process_time() - start < 8


OTHER = "export default {{ use: {{ baseURL: '{}' }} }};\n"
SPELLED = {
    "a constant of another module": lambda base: playwright("BASE", more="", env_ts=f"export const BASE = '{base}';\n") | {"playwright.config.ts": "import { BASE } from './env';\nexport default { testDir: './e2e', use: { baseURL: BASE } };\n"},
    "a file of data": lambda base: playwright() | {"env.json": f'{{"baseURL": "{base}"}}', "playwright.config.ts": "import env from './env.json';\nexport default { testDir: './e2e', use: { baseURL: env.baseURL } };\n"},
    "a table": lambda base: playwright() | {"playwright.config.ts": f"const hosts = {{ a: 'http://localhost', b: '{base}' }};\nexport default {{ testDir: './e2e', use: {{ baseURL: hosts[process.env.STAGE ?? 'b'] }} }};\n"},
    "joined": lambda base: playwright() | {"playwright.config.ts": f"const host = '{base}'.toString();\nexport default {{ testDir: './e2e', use: {{ baseURL: host + '/' }} }};\n"},
    "several lines": lambda base: playwright(f"\n      process.env.E2E ||\n      '{base}'"),
    "unless a variable is set": lambda base: playwright(f"!process.env.NEAR ? '{base}' : 'http://localhost'"),
    "a function": lambda base: playwright() | {"playwright.config.ts": f"function base() {{ return process.env.NEAR ? 'http://localhost' : '{base}'; }}\nexport default {{ testDir: './e2e', use: {{ baseURL: base() }} }};\n"},
    "what cannot be read": lambda base: playwright() | {"playwright.config.ts": f"const url = pick('{base}');\nexport default {{ testDir: './e2e', use: {{ baseURL: url }} }};\n"},
    "a short name": lambda base: playwright() | {"playwright.config.ts": f"const baseURL = '{base}';\nexport default {{ testDir: './e2e', use: {{ baseURL }} }};\n"},
    "settings of others": lambda base: playwright() | {"base.config.ts": OTHER.format(base), "playwright.config.ts": "import base from './base.config';\nexport default { ...base, testDir: './e2e' };\n"},
    "a later value": lambda base: playwright() | {"playwright.config.ts": f"const c = {{ testDir: './e2e', use: {{ baseURL: 'http://localhost' }} }};\nc.use.baseURL = '{base}';\nexport default c;\n"},
    "a variable that the settings set": lambda base: playwright() | {"playwright.config.ts": f"process.env.BASE_URL ??= '{base}';\nexport default {{ testDir: './e2e', use: {{ baseURL: process.env.BASE_URL }} }};\n"},
    "a key": lambda base: playwright() | {"playwright.config.ts": f"const c = {{ testDir: './e2e', use: {{}} }};\nc.use['baseURL'] = '{base}';\nexport default c;\n"},
    "a file of variables by another": lambda base: playwright("process.env.BASE_URL") | {"playwright.config.ts": "import { config } from 'dotenv';\nconfig({ path: `.env.${process.env.STAGE ?? 'live'}` });\nexport default { testDir: './e2e', use: { baseURL: process.env.BASE_URL } };\n", ".env.live": f"BASE_URL={base}\n"},
    "a table that is changed": lambda base: playwright() | {"playwright.config.ts": f"const hosts = {{ a: 'http://localhost' }};\nhosts.a = '{base}';\nexport default {{ testDir: './e2e', use: {{ baseURL: hosts.a }} }};\n"},
    "a table that others change": lambda base: playwright() | {"playwright.config.ts": f"const hosts = {{ a: 'http://localhost' }};\nObject.assign(hosts, {{ a: '{base}' }});\nexport default {{ testDir: './e2e', use: {{ baseURL: hosts.a }} }};\n"},
    "a host alone": lambda base: playwright() | {"playwright.config.ts": f"const host = '{base.partition('//')[2]}';\nexport default {{ testDir: './e2e', use: {{ baseURL: make(host) }} }};\n"},
    "one of its projects": lambda base: playwright() | {"playwright.config.ts": f"export default {{ testDir: './e2e', projects: [{{ name: 'a', use: {{ baseURL: 'http://localhost' }} }}, {{ name: 'b', use: {{ baseURL: '{base}' }} }}] }};\n"},
}  # fmt: skip


@for_each("files", SPELLED.values(), ids=list(SPELLED))
def test_the_address_of_a_suite_counts_in_each_spelling(files):
    assert judged(ALL, files(LIVE)).effect == "junction"
    assert judged(ALL, files(HERE)).effect == "allow"


def test_the_words_choose_the_settings_and_the_projects():
    two = SPELLED["one of its projects"](LIVE)
    assert judged(f"{ALL} --project=b", two).effect == "junction"
    assert judged(f"{ALL} --project a", two).effect == "allow"
    assert judged(f"{ALL} --project=B", two).effect == "junction"
    for name in ("name: `${B}`", "metadata: { name: 'c' }, name: 'a'"):
        other = {file: text.replace("name: 'b'", name) for file, text in two.items()}
        assert judged(f"{ALL} --project=a", other).effect == "junction", name
    needs = {
        name: text.replace("name: 'a',", "name: 'a', dependencies: ['b'],")
        for name, text in two.items()
    }
    assert judged(f"{ALL} --project a", needs).effect == "junction"
    other = playwright(f"'{HERE}'") | {"live.config.ts": playwright()["playwright.config.ts"]}
    assert judged(f"{ALL} -c live.config.ts", other).effect == "junction"
    assert judged(f"{ALL} --config=playwright.config.ts", other).effect == "allow"
    assert judged(f"{ALL} --reporter list", playwright()).effect == "junction"


ACTS = {
    "a path with a name": (playwright(act="const path = '/api/boards'; await request.delete(path);"), "junction"),
    "something with a name": (playwright(act="const gone = page.getByRole('button', { name: 'Delete' }); await gone.click();"), "junction"),
    "a page with an address": (playwright(f"'{HERE}'", act=f"await page.goto('{LIVE}/a'); await page.click('text=Delete board');"), "junction"),
    "a page here": (playwright(f"'{HERE}'", act=f"await page.goto('{HERE}/a'); await page.click('text=Delete board');"), "allow"),
    "a page here, and others": (playwright(act=f"await page.goto('{HERE}/a'); await page.goto('/b'); await page.click('text=Delete board');"), "junction"),
    "a context here, and others": (playwright(act=f"const c = await request.newContext({{ baseURL: '{HERE}' }}); await request.delete('/api');"), "junction"),
    "another context": (playwright(f"'{HERE}'", act=f"const c = await request.newContext({{ baseURL: '{LIVE}' }}); await c.page.click('text=Delete');"), "junction"),
    "one route is answered": (playwright(act="await page.route('**/count', (r) => r.fulfill({})); await page.getByText('Delete').click();"), "junction"),
    "some requests are let through": (playwright(act="await page.route('**', (r) => r.request().isNavigationRequest() ? r.continue() : r.fulfill({})); await page.getByText('Delete').click();"), "junction"),
    "another test is answered": (playwright(act="await page.route('**', (r) => r.fulfill({}));\n});\ntest('z', async ({ page }) => {\n  await page.getByText('Delete').click();"), "junction"),
    "each test is answered": (playwright(act="await page.getByText('Delete').click();\n});\ntest.beforeEach(async ({ page }) => {\n  await page.route('**', (r) => r.fulfill({}));\n});\ntest('z', async ({ page }) => {\n  await page.goto('/');"), "allow"),
    "all routes of the API are answered": (playwright(act="await page.route('**/api/**', (r) => r.fulfill({})); await page.getByText('Delete').click();"), "allow"),
    "a path with a part of a word": (playwright(act="await request.post('/api/research/publish');"), "junction"),
    "sessions that are deleted": (playwright(act="await request.delete('/api/sessions');"), "junction"),
    "a change through GraphQL": (playwright(act="await request.post('/graphql', { data: { query: 'mutation { wipe }' } });"), "junction"),
    "a question through GraphQL": (playwright(act="await request.post('/graphql', { data: { query: '{ boards }' } });"), "allow"),
}  # fmt: skip


@for_each(("files", "effect"), ACTS.values(), ids=list(ACTS))
def test_what_a_test_does_counts_in_each_spelling(files, effect):
    assert judged(ALL, files).effect == effect


SUPPORT = (
    "Cypress.Commands.add('wipe', () => {\n  cy.request({ url: '/api', method: 'DELETE' });\n});\n"
)
OF_CYPRESS = {
    "a command of its own": (cypress("cy.wipe();") | {"cypress/support/commands.ts": SUPPORT}, "junction"),
    "a command that no test calls": (cypress("cy.visit('/');") | {"cypress/support/commands.ts": SUPPORT}, "allow"),
    "a command by its name": (cypress("cy['wipe']();") | {"cypress/support/commands.ts": SUPPORT}, "junction"),
    "a command that is taken out": (cypress("const { wipe } = cy; wipe();") | {"cypress/support/commands.ts": SUPPORT}, "junction"),
    "a selector": (cypress("cy.get('[data-cy=delete-board]').click();"), "junction"),
    "a variable of the line": (cypress("cy.request('DELETE', Cypress.env('api') + '/a');", HERE), "allow"),
    "its variables": (cypress("cy.request('DELETE', Cypress.env('api') + '/a');", HERE) | {"cypress.env.json": f'{{"api": "{LIVE}"}}'}, "junction"),
    "its variables here": (cypress("cy.request('DELETE', Cypress.env('api') + '/a');", HERE) | {"cypress.env.json": f'{{"api": "{HERE}"}}'}, "allow"),
    "requests that are only seen": (cypress("cy.intercept('**').as('all'); cy.contains('Delete').click();"), "junction"),
    "requests that are answered": (cypress("cy.intercept('DELETE', '/api/*', { statusCode: 204 }); cy.contains('Delete').click();"), "allow"),
    "what it sets as it starts": ({**cypress("cy.request('DELETE', '/x');", HERE), "cypress.config.ts": f"export default {{ e2e: {{ baseUrl: '{HERE}', setupNodeEvents(on, config) {{ config.baseUrl = '{LIVE}'; return config; }} }} }};\n"}, "junction"),
}  # fmt: skip


@for_each(("files", "effect"), OF_CYPRESS.values(), ids=list(OF_CYPRESS))
def test_what_belongs_to_cypress_counts(files, effect):
    assert judged("npx cypress run", files).effect == effect


SELENIUM = {
    "python": ("pytest e2e", {"e2e/test_a.py": "from selenium import webdriver\nfrom selenium.webdriver.common.by import By\nBASE = '{}'\ndef test_a():\n    d = webdriver.Chrome()\n    d.get(BASE + '/a')\n    d.find_element(By.ID, 'delete-all').click()\n"}),
    "node": ("node a.js", {"a.js": "const {{ Builder, By }} = require('selenium-webdriver');\nasync function go(d) {{\n  await d.get('{}/a');\n  await d.findElement(By.id('delete-all')).click();\n}}\nnew Builder().forBrowser('chrome').build().then(go);\n"}),
    "ruby": ("ruby a.rb", {"a.rb": "require 'selenium-webdriver'\nd = Selenium::WebDriver.for :chrome\nd.get '{}/a'\nd.find_element(id: 'delete-all').click\n"}),
}  # fmt: skip


@for_each(("command", "files"), SELENIUM.values(), ids=list(SELENIUM))
def test_a_program_that_drives_a_browser_is_judged_by_its_page(command, files):
    for base, effect in ((LIVE, "junction"), (HERE, "allow")):
        given = {name: text.format(base) for name, text in files.items()}
        assert judged(command, given).effect == effect
        harmless = {name: text.replace("delete-all", "open-all") for name, text in given.items()}
        assert judged(command, harmless).effect == "allow"


def test_the_words_of_cypress_choose_its_settings_and_variables():
    act = "cy.request('DELETE', Cypress.env('api') + '/a');"
    assert judged(f"npx cypress run --env api={LIVE}", cypress(act, HERE)).effect == "junction"
    assert judged(f"npx cypress run --env api={HERE}", cypress(act, HERE)).effect == "allow"
    files = cypress("cy.request('DELETE', '/x');", HERE)
    files |= {"live.config.ts": cypress("")["cypress.config.ts"]}
    assert judged("npx cypress run --config-file live.config.ts", files).effect == "junction"
    assert judged("npx cypress run", files).effect == "allow"


def test_the_usual_settings_of_other_runners_are_read():
    assert judged("npx wdio", wdio()).effect == "junction"
    assert judged("npx wdio", wdio(HERE)).effect == "allow"
    nightwatch = {
        "nightwatch.conf.js": f"module.exports = {{ src_folders: ['tests'], test_settings: {{ default: {{ launch_url: '{LIVE}' }} }} }};\n",
        "tests/a.js": "module.exports = { x(browser) { browser.url('/').click('#delete-all'); } };\n",
    }
    assert judged("npx nightwatch", nightwatch).effect == "junction"


# end of module
