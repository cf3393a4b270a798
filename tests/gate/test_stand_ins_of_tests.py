"""What answers in the place of a library counts only if nothing of the project takes it away again."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

HEAD = "import axios from 'axios';\n"
TEST = "test('x', async () => { await axios.delete('https://api.example.com/v1/all'); });\n"
MOCK = f"{HEAD}jest.mock('axios');\n{TEST}"


def spy(answer, before=""):
    put = f"beforeEach(() => {{ jest.spyOn(axios, 'delete'){answer}; }});\n"
    return f"{HEAD}{put}{before}{TEST}"


def effect(code, command="npx jest a.test.js", files=()):
    given = {"a.test.js": code, "package.json": "{}", **dict(files)}
    return judged(command, given, committed=tuple(given)).effect


@for_each(
    ("code", "files"),
    [
        (MOCK, {}),
        (MOCK, {"jest.config.js": "module.exports = {testEnvironment: 'node'}"}),
        (MOCK, {"package.json": '{"dependencies": {"axios": "^1.0.0"}}'}),
        (MOCK.replace("'axios');", "'axios', () => ({ delete: jest.fn(async () => 1) }));"), {}),
        (spy(".mockResolvedValue({ data: 1 })"), {}),
    ],
)
def test_what_surely_answers_counts(code, files):
    assert effect(code, files=files) == "allow"


@for_each(
    ("code", "command", "files"),
    [
        (MOCK.replace("'axios');", "'axios', () => ({ delete: u => got.delete(u) }));"), "", {}),
        (MOCK.replace("'axios');", "'axios', () => jest['requireA' + 'ctual']('axios'));"), "", {}),
        (MOCK, "", {"__mocks__/axios.js": "module.exports = require('./real')"}),
        (MOCK, "", {"jest.config.js": "module.exports = {moduleNameMapper: {'^axios$': './x'}}"}),
        (MOCK, "", {"jest.config.js": "module.exports = {setupFiles: ['./x.js']}"}),
        (MOCK, "", {"package.json": '{"jest": {"restoreMocks": true}}'}),
        (MOCK, "npx jest --restoreMocks a.test.js", {}),
        (MOCK, "npx jest --config x.json a.test.js", {}),
        (spy(".mockResolvedValueOnce(1)"), "", {}),
        (spy(".mockImplementation(u => got.delete(u))"), "", {}),
        (spy(".mockImplementation(\n u => got.delete(u))"), "", {}),
    ],
)
def test_what_may_hand_something_on_does_not_count(code, command, files):
    assert effect(code, command or "npx jest a.test.js", files) == "junction"


HELPER = "require_relative '../app/note'\nActionMailer::Base.delivery_method = :test\n"
NOTE = "class Note < ActionMailer::Base\n  def hello(to)\n    mail(to: to)\n  end\nend\n"
SUITE = {
    ".rspec": "--color\n--require spec_helper\n",
    "spec/spec_helper.rb": HELPER,
    "spec/note_spec.rb": "it('greets') { Note.hello('a').deliver_now() }\n",
    "app/note.rb": NOTE,
}


@for_each(
    ("command", "files", "expected"),
    [
        ("rspec", {}, "allow"),
        ("rspec", {"spec/spec_helper.rb": HELPER.replace(":test", ":smtp")}, "junction"),
        ("rspec", {".rspec": "--color\n"}, "junction"),
        ("rspec", {".rspec": "-r spec_helper\n-r ./live\n"}, "junction"),
        ("rspec -r ./live", {}, "junction"),
        ("SPEC_OPTS='-r ./live' rspec", {}, "junction"),
        ("cp live.rb spec/spec_helper.rb && rspec", {}, "junction"),
    ],
)
def test_a_suite_that_sends_no_mail_is_told_from_one_that_may(command, files, expected):
    assert effect("", command, {**SUITE, **files}) == expected
