"""What the files of a program define for each other is known in each of them; calm twins stay calm."""

from __future__ import annotations

import json

import pytest
from tests.gate.disk.test_follow import machine
from tests.gate.example_project import judge
from tests.tables import for_each

from operators_edge.shell.code import linked_code
from operators_edge.shell.code.languages import NODE


def judged(command, files):
    """The verdict if all files are committed: then only what is certain counts."""
    return judge(command, machine(files, committed=tuple(files)))


TOOL = {
    "tools/git.js": "const { execFileSync } = require('child_process');\n"
    "exports.git = (args) => execFileSync('git', args);\n"
}

ASKED = {
    "words of a list in another module, behind a wrapper with its own program": (
        "node tools/x.js",
        {
            "tools/x.js": "const { git } = require('./git');\nconst { WORDS } = require('./words');\n"
            "git(['push', ...WORDS]);\n",
            **TOOL,
            "tools/words.js": "module.exports = { WORDS: ['--force', 'origin', 'main'] };\n",
        },
    ),
    "words that a function of another module returns": (
        "node x.mjs",
        {
            "x.mjs": "import { execa } from 'execa';\nimport { words } from './words.mjs';\n"
            "const run = (cmd, args) => execa(cmd, args);\nawait run('npm', words({}));\n",
            "words.mjs": "export function words({ dry }) {\n  const all = ['publish'];\n"
            "  if (dry) all.push('--dry-run');\n  return all;\n}\n",
        },
    ),
    "an address in another module": (
        "node x.js",
        {
            "x.js": "const { host } = require('./conf');\n"
            "fetch(`${host}/v1/orders/7`, { method: 'DELETE' });\n",
            "conf.js": "exports.host = 'https://shop.example.com';\n",
        },
    ),
    "an address in a file of settings": (
        "ruby x.rb",
        {
            "x.rb": "require 'net/http'\nrequire 'yaml'\nC = YAML.load_file('conf.yml')\n"
            "uri = URI(\"#{C['host']}/v1/orders\")\nreq = Net::HTTP::Post.new(uri)\n",
            "conf.yml": "host: https://shop.example.com\n",
        },
    ),
    "a client with an address of its own": (
        "node x.js",
        {
            "x.js": "const { http } = require('./api');\nhttp.delete(`/orders/${process.argv[2]}`);\n",
            "api.js": "const axios = require('axios');\n"
            "exports.http = axios.create({ baseURL: 'https://shop.example.com' });\n",
        },
    ),
    "a client of a payment service": (
        "ruby x.rb",
        {"x.rb": "require 'stripe'\nARGV.each { |c| Stripe::Refund.create(charge: c) }\n"},
    ),
    "a client of a forge": (
        "node x.js",
        {
            "x.js": "const { Octokit } = require('octokit');\nconst octokit = new Octokit();\n"
            "octokit.rest.issues.update({ state: 'closed' });\n"
        },
    ),
    "a statement with an unknown name in it": (
        "node x.js",
        {
            "x.js": "const { db } = require('./db');\nfor (const t of all()) db.query(`DROP TABLE ${t}`);\n",
            "db.js": "const { Pool } = require('pg');\nexports.db = new Pool();\n",
        },
    ),
    "a database in memory beside one on a server": (
        "php x.php",
        {
            "x.php": "<?php\nrequire 'db.php';\nserver()->exec('DELETE FROM orders');\n",
            "db.php": "<?php\nfunction test() { return new PDO('sqlite::memory:'); }\n"
            "function server() { return new PDO('mysql:host=db.example.com'); }\n",
        },
    ),
    "a database in memory, or another one by a variable": (
        "perl x.pl",
        {
            "x.pl": "use DBI;\nmy $t = DBI->connect('dbi:SQLite:dbname=:memory:');\n"
            "my $d = DBI->connect($ENV{DSN});\n$d->do('DROP TABLE a');\n"
        },
    ),
}
CALM = {
    "words that only look": (
        "node tools/x.js",
        {
            "tools/x.js": "const { git } = require('./git');\nconst { WORDS } = require('./words');\n"
            "git(['log', ...WORDS]);\n",
            **TOOL,
            "tools/words.js": "module.exports = { WORDS: ['--oneline', '-n', '3'] };\n",
        },
    ),
    "words of a list in a command": (
        "zx x.mjs",
        {"x.mjs": "const verb = ['get', 'pods'];\nawait $`kubectl ${verb} --context prod`;\n"},
    ),
    "an address of this machine": (
        "node x.js",
        {
            "x.js": "const { host } = require('./conf');\n"
            "fetch(`${host}/v1/orders/7`, { method: 'DELETE' });\n",
            "conf.js": "exports.host = 'http://localhost:8080';\n",
        },
    ),
    "an entry of a map in a program with a client": (
        "node x.js",
        {
            "x.js": "const { http } = require('./api');\nconst seen = new Map();\nseen.delete(key);\n",
            "api.js": "const axios = require('axios');\n"
            "exports.http = axios.create({ baseURL: 'https://shop.example.com' });\n",
        },
    ),
    "a payment service that is only asked": (
        "ruby x.rb",
        {"x.rb": "require 'stripe'\nputs Stripe::Charge.list(limit: 3)\n"},
    ),
    "the only database is in memory": (
        "php x.php",
        {
            "x.php": "<?php\nrequire 'db.php';\ndb()->exec('DELETE FROM orders');\n",
            "db.php": "<?php\nfunction db() { return new PDO('sqlite::memory:'); }\n",
        },
    ),
}


@for_each(("command", "files"), ASKED.values(), ASKED)
def test_what_a_program_certainly_does_with_what_its_modules_define_is_stopped(command, files):
    assert judged(command, files).effect == "junction"


@for_each(("command", "files"), CALM.values(), CALM)
def test_a_program_whose_modules_make_it_harmless_needs_nobody(command, files):
    assert judged(command, files).effect == "allow"


DELETES = {
    "node": (
        "node x.js",
        {
            "x.js": "const { clear } = require('./files');\nclear();\n",
            "files.js": "const fs = require('fs');\nexports.clear = () => {\n"
            "  for (const f of fs.readdirSync('mail')) fs.rmSync(`mail/${f}`);\n};\n",
        },
    ),
    "ruby": (
        "ruby x.rb",
        {
            "x.rb": "require_relative 'files'\nFiles.clear\n",
            "files.rb": "require 'fileutils'\nF = FileUtils::Verbose\nmodule Files\n"
            "  def self.clear\n    F.rm_rf(names)\n  end\nend\n",
        },
    ),
    "a class that composer calls": (
        "composer run clear",
        {
            "composer.json": json.dumps(
                {
                    "autoload": {"psr-4": {"Shop\\": "src/"}},
                    "scripts": {"clear": "@really", "really": "Shop\\Tasks\\Clear::all"},
                }
            ),
            "src/Tasks/Clear.php": "<?php\nclass Clear { static function all() { unlink($x); } }\n",
        },
    ),
}


@for_each(("command", "files"), DELETES.values(), DELETES)
def test_files_that_a_committed_module_deletes_are_saved_first(command, files):
    verdict = judged(command, files)
    assert (verdict.effect, bool(verdict.destroys)) == ("allow", True)


def test_a_dry_run_of_files_in_ruby_deletes_nothing():
    text = "require 'fileutils'\nF = FileUtils::DryRun\nF.rm_rf('/srv/photos')\n"
    assert judged("ruby x.rb", {"x.rb": text}).effect == "allow"


def test_the_workspace_that_a_command_names_is_read():
    files = {
        "package.json": '{"workspaces": ["packages/*"]}',
        "packages/api/package.json": '{"name": "api", "scripts": {"fresh": "node fresh.js"}}',
        "packages/api/fresh.js": "require('./db').db.query('TRUNCATE orders');\n",
        "packages/api/db.js": "const { Pool } = require('pg');\nexports.db = new Pool();\n",
    }
    assert judged("yarn workspace api fresh", files).effect == "junction"


@pytest.mark.parametrize(
    ("options", "expected"),
    [((), "a.push('-n')"), (("--dry-run",), "a = [...a, '-n']")],
    ids=["not given", "given"],
)
def test_words_that_make_a_run_harmless_count_only_if_their_option_is_given(options, expected):
    assert expected in linked_code.with_pushed("if (opts.dryRun) a.push('-n');", options)


def test_what_a_module_exports_is_defined_by_its_name():
    text = "exports.a = 1;\nmodule.exports = {\n  b: ['x'],\n};\n"
    assert linked_code.definitions("m.js", text, NODE) == (
        "a = 1;\nmodule.exports = {\n  b = ['x'],\n};\n"
    )


def test_settings_are_assignments():
    assert linked_code.definitions("c.json", '{"host": "x", "n": 1}', NODE) == 'host = "x";\n'
    assert linked_code.definitions("c.yml", "a:\n  host: 'x'  # y\n", NODE) == 'host = "x";\n'


def test_a_broken_file_of_settings_defines_nothing():
    assert linked_code.definitions("c.json", "{", NODE) == ""
    assert judged("node x.js", {"x.js": "require('./c.json');\n", "c.json": "{"}).effect == "allow"


# end of module


CONFIG = "package Shop::Config;\nsub dsn { return 'dbi:SQLite:dbname=:memory:' }\n1;\n"
SERVER = CONFIG.replace("SQLite:dbname=:memory:", "Pg:host=db.example.com")
PURGE = (
    'use DBI;\nuse FindBin;\nuse lib "$FindBin::Bin/lib";\nuse Shop::Config qw(dsn);\n'
    "my $d = DBI->connect(dsn(), 'a', '');\n$d->do('DELETE FROM carts');\n"
)
IN_MEMORY = {"bin/x.pl": PURGE, "bin/lib/Shop/Config.pm": CONFIG}
OPENS = {
    "x.js": "const { open } = require('./db');\nopen().exec('DROP TABLE a');\n",
    "db.js": "const Database = require('better-sqlite3');\nexports.open = () => new Database(':memory:');\n",
}
OF_ITS_OWN = {
    "perl bin/x.pl": (IN_MEMORY, "allow"),
    "perl ./bin/x.pl": ({**IN_MEMORY, "bin/lib/Shop/Config.pm": SERVER}, "junction"),
    "PERL5LIB=other perl bin/x.pl": (
        {"bin/x.pl": PURGE, "other/Shop/Config.pm": SERVER},
        "junction",
    ),
    "sed -i s/SQLite/Pg/ bin/lib/Shop/Config.pm; perl bin/x.pl": (IN_MEMORY, "junction"),
    "cp ~/x.pm bin/lib/Shop/Config.pm; perl bin/x.pl": (IN_MEMORY, "junction"),
    "perl -w bin/x.pl": ({"bin/x.pl": PURGE}, "junction"),
    "node x.js": (OPENS, "allow"),
    "sed -i s/:memory:/a.db/ db.js; node x.js": (OPENS, "junction"),
    "sed -i s/:memory:/a.db/ x.js; node ./x.js": (OPENS, "junction"),
}


@pytest.mark.parametrize("command", OF_ITS_OWN)
@pytest.mark.parametrize("is_committed", [True, False])
def test_a_program_may_do_anything_in_a_database_of_its_own(command, is_committed):
    files, effect = OF_ITS_OWN[command]
    found = judge(command, machine(files, committed=tuple(files) if is_committed else ()))
    assert found.effect == effect


READS_VARIABLES = {
    "node x.js": "require('fs').rmSync(process.env.DIR || 'build', { recursive: true });\n",
    "ruby x.rb": "require 'fileutils'\nFileUtils.rm_rf(ENV.fetch('DIR', 'build'))\n",
    "perl x.pl": "use File::Path 'rmtree';\nrmtree($ENV{DIR} // 'build');\n",
    "php x.php": "<?php\n$d = getenv('DIR') ?: 'build';\nexec(\"rm -rf $d\");\n",
}


@pytest.mark.parametrize("command", READS_VARIABLES)
def test_the_variables_of_the_line_go_before_the_defaults_of_a_program(command):
    files = {command.split()[1]: READS_VARIABLES[command]}
    assert judged(command, files).effect == "allow"
    assert judged(f"DIR=dist {command}", files).effect == "allow"
    assert judged(f"DIR=/srv/app {command}", files).effect == "junction"
    assert judged(f"export DIR=/srv/app; {command}", files).effect == "junction"


def test_the_default_of_an_address_counts_without_a_variable():
    files = {"x.js": "fetch(process.env.API ?? 'https://a.example.com/x', { method: 'POST' });\n"}
    assert judged("node x.js", files).effect == "junction"
    assert judged("API=http://localhost:3000 node x.js", files).effect == "allow"


PRUNE = (
    'import { S3Client, DeleteObjectsCommand } from "@aws-sdk/client-s3";\n'
    'import { pathToFileURL } from "node:url";\n\n'
    "export async function prune(client, Bucket) {\n"
    "  await client.send(new DeleteObjectsCommand({ Bucket }));\n}\n\n"
    "if (import.meta.url === pathToFileURL(process.argv[1]).href) {\n"
    "  await prune(new S3Client({}), 'builds');\n}\n"
)
CHECK = (
    'import assert from "node:assert/strict";\nimport { prune } from "./prune.mjs";\n'
    "const sent = [];\nconst client = { async send(one) { sent.push(one); } };\n"
    "await prune(client, 'builds');\nassert.equal(sent.length, 1);\n"
)
STOOD_IN = {"bin/prune.mjs": PRUNE, "bin/prune.check.mjs": CHECK}
REAL = 'import { S3Client } from "@aws-sdk/client-s3";\n'
GUARD = "if (import.meta.url === pathToFileURL(process.argv[1]).href)"
STAND_INS = {
    "a stand-in": ("node bin/prune.check.mjs", {}, "allow"),
    "the file itself": ("node bin/prune.mjs", {}, "junction"),
    "a client": (
        "node bin/prune.check.mjs",
        {"prune.check": f"{REAL}new S3Client({{}});\n{CHECK}"},
        "junction",
    ),
    "a client by a name that is computed": (
        "node bin/prune.check.mjs",
        {
            "prune.check": f'import * as a from "@aws-sdk/client-s3";\nnew a["S3" + x]({{}});\n{CHECK}'
        },
        "junction",
    ),
    "a client of another file": (
        "node bin/prune.check.mjs",
        {
            "prune.check": f'import {{ c }} from "./c.mjs";\n{CHECK}',
            "c": f"{REAL}export const c = new S3Client();\n",
        },
        "junction",
    ),
    "a file that is not there": (
        "node bin/prune.check.mjs",
        {"prune.check": f'import "./c.mjs";\n{CHECK}'},
        "junction",
    ),
    "another package": (
        "node bin/prune.check.mjs",
        {"prune.check": f'import "@shop/aws";\n{CHECK}'},
        "junction",
    ),
    "a module by a name that is computed": (
        "node bin/prune.check.mjs",
        {"prune.check": f'await import("@shop/" + x);\n{CHECK}'},
        "junction",
    ),
    "code that is loaded first": ("node --import ./c.mjs bin/prune.check.mjs", {}, "junction"),
    "code that a variable loads first": (
        "NODE_OPTIONS='-r ./c.js' node bin/prune.check.mjs",
        {},
        "junction",
    ),
    "another condition": (
        "node bin/prune.check.mjs",
        {"prune": PRUNE.replace(".href)", ".href || x)")},
        "junction",
    ),
    "the other branch": (
        "node bin/prune.check.mjs",
        {"prune": PRUNE.rstrip() + " else {\n  await prune(new S3Client({}), 'x');\n}\n"},
        "junction",
    ),
}


@for_each(("command", "changed", "effect"), STAND_INS.values(), STAND_INS)
def test_commands_for_a_cloud_that_only_a_stand_in_gets_reach_nobody(command, changed, effect):
    files = STOOD_IN | {f"bin/{name}.mjs": text for name, text in changed.items()}
    assert judged(command, files).effect == effect


DELETES_ALL = "kubectl delete namespace prod"
STARTS = "const { execSync } = require('child_process');\nif (require.main === module) {\n"
MAIN = {
    "node x.js": (
        "require('./y');\n",
        f"{STARTS}  execSync('{DELETES_ALL}');\n}}\n",
        "allow",
    ),
    "node ./x.js": (
        "require('./y');\n",
        f"{STARTS}}} else {{\n  execSync('{DELETES_ALL}');\n}}\n",
        "junction",
    ),
    "node y.js": (
        "",
        f"{STARTS}  execSync('{DELETES_ALL}');\n}}\n",
        "junction",
    ),
    "ruby x.rb": (
        "require_relative 'y'\n",
        f"if __FILE__ == $0\n  system('{DELETES_ALL}')\nend\n",
        "allow",
    ),
    "ruby ./x.rb": (
        "require_relative 'y'\n",
        f"if __FILE__ == $0\n  puts 1\nelse\n  system('{DELETES_ALL}')\nend\n",
        "junction",
    ),
    "ruby -w x.rb": (
        "require_relative 'y'\n",
        f"if __FILE__ == $0\n  puts 1\nend\nsystem('{DELETES_ALL}')\n",
        "junction",
    ),
    "perl x.pl": (
        "require './y.pl';\n",
        f"sub main {{ 1 }}\nmain('{DELETES_ALL}') unless caller;\n1;\n",
        "allow",
    ),
}


@pytest.mark.parametrize("command", MAIN)
def test_what_a_module_does_only_as_the_file_that_is_started_does_not_run(command):
    first, other, effect = MAIN[command]
    ending = command.rpartition(".")[2]
    assert judged(command, {f"x.{ending}": first, f"y.{ending}": other}).effect == effect
