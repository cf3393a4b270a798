"""Calls of Node, Ruby, Perl and PHP amount to command lines."""

from __future__ import annotations

import pytest
from tests.tables import for_each

from operators_edge.shell.code.interpreters import find_calls
from operators_edge.shell.commands import HOLE

TWINS = {
    "axios": ("node", "axios.post('https://a.example', x)", "curl -X POST https://a.example"),
    "any object": (
        "node",
        "api.delete(`https://a.example/${id}`)",
        f"curl -X DELETE https://a.example/{HOLE}",
    ),
    "a client of Kubernetes": (
        "node",
        "k = require('@kubernetes/client-node'); api.deleteNamespacedSecret({name: 'x'})",
        "kubectl delete resource",
    ),
    "fetch": (
        "node",
        "const host = 'a.example'; const url = `https://${host}/x`; fetch(url, {method: 'put'})",
        "curl -X PUT https://a.example/x",
    ),
    "a request of node": (
        "node",
        "https.request({hostname: 'a.example', path: '/x', method: 'POST'})",
        "curl -X POST https://a.example/x",
    ),
    "a request with its options by name": (
        "node",
        "axios({method: 'delete', url: 'https://a.example'})",
        "curl -X DELETE https://a.example",
    ),
    "a request without an address": (
        "node",
        "fetch(where, {method: 'POST'})",
        f"curl -X POST {HOLE}",
    ),
    "a database": ("node", "await pg.query('DROP TABLE a')", "psql -c DROP TABLE a"),
    "mysql": (
        "node",
        "require('mysql2'); c.execute({sql: 'DROP TABLE a'})",
        "mysql -e DROP TABLE a",
    ),
    "mail": ("node", "t.sendMail({to: 'a@b.example'})", "swaks --to a@b.example"),
    "the cloud": (
        "node",
        "import {S3Client} from '@aws-sdk/client-s3'; s.send(new DeleteBucketCommand({}))",
        "aws s3api delete-bucket",
    ),
    "mongo": ("node", "db.dropDatabase()", "mongosh --eval db.dropDatabase()"),
    "pages": (
        "node",
        "const pages = require('gh-pages'); pages.publish('build', {}, done)",
        "gh-pages -d build",
    ),
    "redis": ("node", "r.flushall()", "redis-cli FLUSHALL"),
    "a secret": ("node", "fs.readFileSync(os.homedir() + '/.netrc')", "cat ~/.netrc"),
    "ruby": (
        "ruby",
        "Net::HTTP.post(URI('https://a.example'), x)",
        "curl -X POST https://a.example",
    ),
    "a request of ruby": (
        "ruby",
        "Net::HTTP::Delete.new('https://a.example')",
        "curl -X DELETE https://a.example",
    ),
    "php": ("php", "$c->request('POST', 'https://a.example');", "curl -X POST https://a.example"),
    "perl": ("perl", "$ua->post('https://a.example');", "curl -X POST https://a.example"),
    "a joined list": ("node", "const a = ['git', 'push']; execSync(a.join(' '))", "git push"),
    "a list of words": ("ruby", "x = %w[git push].join(' '); system(x)", "git push"),
    "a format": ("perl", 'my $c = sprintf("rm -rf %s/x", $ENV{HOME}); exec $c;', "rm -rf ~/x"),
    "a path": (
        "ruby",
        "require 'fileutils'; FileUtils.rm_rf(File.join(Dir.home, 'x'))",
        "rm -rf ~/x",
    ),
    "a home inside a text": (
        "ruby",
        "h = Dir.home; system(\"rm -rf #{h}/x #{ENV['HOME']}/y\")",
        "rm -rf ~/x ~/y",
    ),
}
OTHERS = [
    ("node", "axios.get('https://a.example'); fetch('https://a.example')"),
    ("node", "app.post('/x', f); map.delete('x'); fetch(u, {method: m})"),
    ("node", "re.exec('drop it'); new Command('x'); fs.readFileSync('a.txt')"),
    ("ruby", "Foo.new('x'); hash.delete('x'); get.request('GET', 'https://a.example')"),
    ("perl", "sprintf(); join(' ', @a)"),
    ("node", "mailer.createTransport({ jsonTransport: true }).sendMail({to: 'ann@a.example'})"),
    ("node", "mailer.createTransport({'streamTransport': true}).sendMail({to: 'ann@a.example'})"),
]


def lines(program, code):
    option = {"perl": "-e", "php": "-r"}.get(program, "-e")
    return [
        one.text or " ".join(one.words)
        for one in find_calls(program, (program, option, code), None)
    ]


@for_each(("program", "code", "expected"), TWINS.values(), ids=TWINS)
def test_a_call_is_the_command_that_does_the_same(program, code, expected):
    assert lines(program, code) == [expected]


@pytest.mark.parametrize(("program", "code"), OTHERS)
def test_what_only_reads_or_is_something_else_is_no_command(program, code):
    assert lines(program, code) == []


MSW = "import { HttpResponse, http } from 'msw';\n"
POST = "http.post('https://a.example/x', () => HttpResponse.json({}))"
ANSWERS = {
    "an answer of msw": (f"{MSW}const all = [{POST}];", False),
    "beside an address": (f"{MSW}const base = 'http://localhost';\n{POST}", False),
    "one for a test": (f"{MSW}server.use({POST});", False),
    "by require": (f"const {{ rest }} = require('msw');\n{POST.replace('http.', 'rest.')}", False),
    "another module": (POST, True),
    "another library": (MSW.replace("msw", "./client") + POST, True),
    "another name of it": (MSW.replace("http }", "http as answer }") + POST, True),
    "another object of the name": (f"{MSW}http = axios;\n{POST}", True),
    "another argument of the name": (f"{MSW}const send = (http) => {POST};", True),
    "a field of the name": (f"{MSW}const send = ({{ http }}) => {POST};", True),
    "an object inside another": (f"{MSW}this.{POST}", True),
    "another object": (f"{MSW}axios.post('https://a.example/x', {{}})", True),
}


@for_each(("code", "is_sent"), ANSWERS.values(), ANSWERS)
def test_what_says_how_a_request_is_answered_sends_nothing(code, is_sent):
    found = [call.words[0] for call in find_calls("node", ("node", "-e", code), None) if call.words]
    assert ("curl" in found) == is_sent
