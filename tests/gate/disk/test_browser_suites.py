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


# end of module
