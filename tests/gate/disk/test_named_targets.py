"""A target that is only called dangerous needs nobody, if all that it runs is read and stays here."""

from __future__ import annotations

import json

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

from operators_edge.gate.disk import file_parts

MAKE = (
    "PY ?= python3\nSAY := echo\npublish: check pack\n\t@echo done\ncheck:\n\t$(PY) -m ruff check .\n"
    "pack:\n\t$(PY) -m build\nupload: pack\n\t$(PY) -m twine upload dist/*\ndeploy:\n\t{deploy}\n"
    "ship: publish upload\n"
)


def make(deploy):
    return {"Makefile": MAKE.replace("{deploy}", deploy)}


def scripts(**given):
    return {
        "package.json": json.dumps({"scripts": {k.replace("_", ":"): v for k, v in given.items()}})
    }


TAGS = (
    "set -eu\nv=${{1:?version}}\npublish() {{\n  git push {} origin HEAD:main refs/tags/v$1\n}}\n"
    'git add CHANGES\ngit commit -m "v$v"\ngit tag -a "v$v" -m x\npublish "$v"\n'
)


def tagging(options):
    return {
        "justfile": "release:\n    ./release.sh {{version}}\nversion := `cat VERSION`\n",
        "release.sh": f"#!/bin/bash\n{TAGS.format(options)}",
    }


KNOWN = {
    "a tag, and what pushing it would do": ("just release", tagging("--dry-run")),
    "the same with other options": ("just release", tagging("--tags -n")),
    "a target that checks and builds": ("make publish", make("true")),
    "what is only printed": ("make deploy", make("$(SAY) kubectl apply -f k8s")),
    "a script that packs and looks": (
        "npm run release",
        scripts(release="npm pack --dry-run && npm run lint", lint="eslint ."),
    ),
    "tests of node itself": (
        "npm run release",
        scripts(release="node --test && node --test test/ && node --check x.js && npm pack"),
    ),
    "a script of yarn": ("yarn deploy", scripts(deploy="tsc && vite build")),
    "a script of the project that starts nothing": (
        "npm run release",
        {
            **scripts(release="node check.js"),
            "check.js": "const v = require('./v.json');\nconsole.log(v);\n",
            "v.json": "{}",
        },
    ),
    "a script that prints what it would do": (
        "bash scripts/deploy.sh web1",
        {"scripts/deploy.sh": "set -eu\nhost=$1\ncat <<END\nssh $host restart\nEND\n"},
    ),
    "a copy into a folder beside it": (
        "bash deploy.sh",
        {"deploy.sh": "mkdir -p out/web\nrsync -az --exclude=out ./ out/web/\n"},
    ),
    "a folder that another file names": (
        "bash deploy.sh",
        {
            "deploy.sh": '. ./lib/to.sh\n. lib/x.conf\nlog up\nrsync -a $WHAT "$(to)/"\n',
            "lib/to.sh": 'to() {\n  echo "out/web"\n}\nlog() {\n  printf "%s\\n" "$*"\n}\n',
            "lib/x.conf": "WHAT=src/\n",
        },
    ),
    "a script by its path": (
        "./deploy.sh",
        {"deploy.sh": "#!/bin/sh\nnpm ci && npm run build\n", **scripts(build="vite build")},
    ),
    "a word of a script that says more than it does": (
        "bin/db wipe",
        {"bin/db": "#!/bin/sh\ncase $1 in\n  wipe) rm -f out.txt;;\n  go) ssh a b;;\nesac\n"},
    ),
    "the same by its shell": (
        "bash tools/db.sh purge",
        {"tools/db.sh": "echo $1; rm -f out.txt\n"},
    ),
    "a script that only says what it would send": (
        "./notify.sh send all",
        {"notify.sh": 'echo "would $1 to $2"\n'},
    ),
    "a migration that is only shown": ("npm run migrate", scripts(migrate="prisma migrate status")),
    "a task in another file": (
        "task release",
        {
            "Taskfile.yml": "includes:\n  r: rel.yml\ntasks:\n  release:\n    cmds:\n"
            "      - task: r:notes\n        vars: {V: 1}\n      - go build .\n    sources: ['*.go']\n",
            "rel.yml": "tasks:\n  notes:\n    cmds:\n"
            '      - echo "of {{.V}}"\n  push:\n    cmds:\n      - git push --tags\n',
        },
    ),
}
ASKED = {
    "a push": ("just release", tagging("--tags")),
    "a push after all": ("just release", tagging("--dry-run --no-dry-run")),
    "a push with a word that is not known": ("just release", tagging("--dry-run $MORE")),
    "a push through a program": ("just release", tagging("--dry-run --receive-pack=x")),
    **{
        f"a script with {line}": ("bash scripts/deploy.sh web1", {"scripts/deploy.sh": f"{line}\n"})
        for line in (
            "ssh $1 restart",
            "./real",
            '"$@"',
            'eval "$1"',
            ". ./lib.sh",
            "some-tool",
            "ls | sh",
            "f() { ssh a b; }; f",
            "echo() { ssh a b; }; echo",
            "trap 'ssh a b' EXIT",
            "python3 d.py",
        )
    },
    **{
        f"a copy by {line}": (
            "bash deploy.sh web1:/srv",
            {"deploy.sh": f"{line}\n", "to.sh": "to() { echo web1:/srv; }\nTO=$X\n"},
        )
        for line in (
            "rsync -a src/ web1:/srv/",
            "rsync -a src/ rsync://web1/srv/",
            'rsync -a src/ "$1"',
            "rsync -a -e ./ssh src/ out/",
            "rsync -a --files-from=web1:/list src/ out/",
            'to() { echo out; }; . ./to.sh; rsync -a src/ "$(to)"',
            'TO=out; . ./to.sh; rsync -a src/ "$TO"',
            "rsync -a $(cat words) src/ out/",
        )
    },
    "a script that is not there": ("./deploy.sh", {}),
    "a word for a script that is not there": ("bin/db wipe", {}),
    "a word for a program that nobody knows": ("db wipe", {"db": "echo\n"}),
    "a word for a script that hands it on": ("bin/db wipe", {"bin/db": '#!/bin/sh\nreal "$@"\n'}),
    "a word for a script that is written first": (
        "echo 'real wipe' > bin/db; bin/db wipe",
        {"bin/db": "#!/bin/sh\nrm -rf out\n"},
    ),
    "a word for a script behind a link": (
        "ln -sf /opt/real bin/db; bin/db wipe",
        {"bin/db": "#!/bin/sh\nrm -rf out\n"},
    ),
    "a target that needs one which uploads": ("make ship", make("true")),
    "a program that nobody knows": ("make deploy", make("./bin/go-live prod")),
    "a name that is unknown": ("make deploy", make("$(TOOL) apply")),
    "a copy to another host": ("make deploy", make("scp dist.tgz web1:/srv")),
    "a program of the project with modules of others": (
        "npm run deploy",
        {**scripts(deploy="node ship.js"), "ship.js": "require('ssh2-sftp-client');\n"},
    ),
    "a program of the project that sends": (
        "npm run deploy",
        {**scripts(deploy="node ship.js"), "ship.js": "fetch(process.env.HOOK);\n"},
    ),
    "a program that node runs as a test": (
        "npm run release",
        {**scripts(release="node --test ship.js"), "ship.js": "require('ssh2-sftp-client');\n"},
    ),
    "a program that node loads before tests": (
        "npm run release",
        {**scripts(release="node --import ./ship.js --test"), "ship.js": "fetch(process.env.X);\n"},
    ),
    "a target that is not there": ("make deploy", {"Makefile": "build:\n\techo x\n"}),
    "a makefile that includes what is not there": (
        "make deploy",
        {"Makefile": "include ../shared.mk\ndeploy: build\nbuild:\n\techo x\n"},
    ),
    "a command of npm itself": ("npm publish", scripts(publish="echo x", prepublishOnly="echo y")),
    "a command of pnpm itself": ("pnpm deploy out", scripts(deploy="echo x")),
    "a script that is given to another shell": (
        "npm run deploy",
        scripts(deploy="echo apply | xargs kubectl"),
    ),
    "with more rights": ("npm run deploy", scripts(deploy="sudo cp x y")),
    "a task in another file that publishes": (
        "task all",
        {
            "Taskfile.yml": "includes:\n  r: rel.yml\ntasks:\n  all:\n    cmds:\n      - task: r:push\n",
            "rel.yml": "tasks:\n  push:\n    cmds:\n      - npm publish\n",
        },
    ),
    "a command after one with variables": (
        "task x",
        {
            "Taskfile.yml": "tasks:\n  x:\n    cmds:\n      - task: y\n        vars: {A: 1}\n"
            "      - npm publish\n  y: echo 1\n"
        },
    ),
    "a command that runs at the end": (
        "task x",
        {"Taskfile.yml": "tasks:\n  x:\n    cmds:\n      - defer: npm publish\n      - echo 1\n"},
    ),
}

STEPS = (
    "import {imports}\n\ndef sh(*cmd):\n    print('+', *cmd)\n    {run}\n\n"
    "def main():\n    sh('twine', 'check', 'dist/x.whl')\n    {more}\n"
    "    print('now: twine upload dist/*')\n\nmain()\n"
)


def steps(more="pass", run="subprocess.run(cmd, check=True)", imports="subprocess"):
    text = STEPS.replace("{more}", more).replace("{run}", run).replace("{imports}", imports)
    return {"Makefile": "release:\n\tpython release.py\n", "release.py": text}


HELD = {
    "a program that starts others which are known": steps(),
    "one that reads": steps("print(open('CHANGELOG.md').read())"),
    "one that asks git": steps("sh('git', 'describe', '--tags')"),
    "a file whose name is computed": {
        "Makefile": "V := $(shell cat VERSION)\nX := build/x-$(V).tgz\n$(X):\n\ttar czf $@ src\n"
        "release: $(X)\n\tsha256sum $(X)\n"
    },
    "files that are listed": {
        "Makefile": "release: $(shell find src -name '*.c')\n\tsha256sum x\n"
    },
}
NOT_HELD = {
    "a program that starts one which uploads": steps("sh('twine', 'upload', 'dist/*')"),
    "a program that nobody knows": steps("sh('./go-live')"),
    "words that are unknown": steps("sh(*os.environ['STEP'].split())", imports="subprocess, os"),
    "a program with other variables": steps(run="subprocess.run(cmd, env={'PATH': 'bin'})"),
    "another program than its name says": steps(run="subprocess.run(cmd, executable='bin/x')"),
    "a function that is handed on": steps("list(map(subprocess.run, lines()))"),
    "one that sends": steps(
        "requests.post('https://shop.example.com/hook')", imports="subprocess, requests"
    ),
    "code that is computed": steps("exec(open('more.py').read())"),
    "a text for a shell": steps("subprocess.run('true; ./go-live', shell=True)"),
    "targets that a program names": {
        "Makefile": "release: $(shell ./which-targets)\n\techo done\npush:\n\ttwine upload x\n"
    },
    "a file whose name is computed, and made by what nobody knows": {
        "Makefile": "X := x-$(shell cat VERSION).tgz\n$(X):\n\t./go-live\nrelease: $(X)\n\techo\n"
    },
}


@for_each("files", HELD.values(), HELD)
def test_a_target_whose_program_starts_what_is_known_needs_nobody(files):
    assert judged("make release", files, committed=tuple(files)).effect == "allow"


@for_each("files", NOT_HELD.values(), NOT_HELD)
def test_a_target_whose_program_may_start_more_needs_a_person(files):
    assert judged("make release", files, committed=tuple(files)).effect == "junction"


def test_a_program_that_git_does_not_hold_needs_a_person():
    assert judged("make release", steps()).effect == "junction"


@for_each(("command", "files"), KNOWN.values(), KNOWN)
def test_a_target_that_is_only_called_dangerous_needs_nobody(command, files):
    for committed in ((), tuple(files)):
        assert judged(command, files, committed=committed).effect == "allow"


@for_each(("command", "files"), ASKED.values(), ASKED)
def test_a_target_of_which_something_is_unknown_needs_a_person(command, files):
    assert judged(command, files, committed=tuple(files)).effect == "junction"


NOX = (
    "import nox\n{options}\n@nox.session\ndef lint(session):\n    session.run('ruff')\n\n"
    "@nox.session{more}\ndef release(session):\n    session.run('twine', 'upload', 'dist/*')\n"
)
SESSIONS = [
    ("nox", "nox.options.sessions = ['lint']", "", "allow"),
    ("nox", "", "(default=False)", "allow"),
    ("nox", "", "", "junction"),
    ("nox -s release", "nox.options.sessions = ['lint']", "", "junction"),
    ("nox -k rel", "nox.options.sessions = ['lint']", "", "junction"),
    ("nox", "nox.options.sessions = ['lint']\nnox.options.sessions += ALL", "", "junction"),
    ("nox", "nox.options.sessions = names()", "", "junction"),
]


@for_each(("command", "options", "more", "effect"), SESSIONS)
def test_only_the_sessions_that_run_by_default_count(command, options, more, effect):
    text = NOX.replace("{options}", options).replace("{more}", more)
    assert judged(command, {"noxfile.py": text}, committed=("noxfile.py",)).effect == effect


def test_other_files_have_no_parts_that_run_by_default():
    assert file_parts.chosen_by_default("environments", "[tox]") == []


BOOKS = (
    'require "sequel"\nmodule Books\n  URL = "sqlite::memory:"\n'
    "  def self.connect\n    Sequel.connect(URL)\n  end\nend\n"
)
SCHEMA = "create_table(:accounts) do\n  primary_key :id\nend\n"
RAKE = (
    'require "rake/clean"\nrequire_relative "db/connection"\nnamespace :db do\n  task :reset do\n'
    "    db = Books.connect\n    db.tables.each { |t| db.drop_table(t, cascade: true) }\n"
    '    Dir["db/schema/*.rb"].sort.each do |f|\n      db.instance_eval(File.read(f), f)\n    end\n'
    "  end\nend\n"
)
LOADS = "db.instance_eval(File.read(f), f)"


def rake(text=RAKE, connection=BOOKS, schema=SCHEMA, **more):
    files = {"Rakefile": text, "db/connection.rb": connection, "db/schema/001.rb": schema}
    return files | {name.replace("__", "/") + ".rake": one for name, one in more.items()}


CONNECTS = "db = Books.connect"
OF_OTHERS = {
    "on another machine": rake(
        connection=BOOKS.replace("sqlite::memory:", "postgres://db.example.com/a")
    ),
    "by a variable": rake(
        connection=BOOKS.replace('"sqlite::memory:"', 'ENV.fetch("URL", "sqlite::memory:")')
    ),
    "a second one": rake(RAKE.replace(CONNECTS, f"{CONNECTS}\n    b = Sequel.connect(ENV['B'])")),
    "in a file that is listed": rake(schema=f"{SCHEMA}Sequel.connect(ENV['B']).drop_table(:a)\n"),
    "a program in a file that is listed": rake(schema=f"{SCHEMA}system('psql -c x')\n"),
    "code of another file": rake(RAKE.replace(LOADS, "db.instance_eval(File.read(ENV['F']))")),
    "a name that is set again": rake(RAKE.replace(LOADS, f"f = ENV['F']\n      {LOADS}")),
    "a file that is not there": {"Rakefile": RAKE, "db/schema/001.rb": SCHEMA},
    "a library that is not known": rake(RAKE.replace("rake/clean", "shop_tasks")),
    "tasks of Rails": rake(RAKE.replace('require "rake/clean"', "Rails.application.load_tasks")),
    "a request": rake(RAKE.replace(CONNECTS, f"{CONNECTS}\n    Net::HTTP.post(U, '')")),
    "the same task elsewhere": rake(
        rakelib__x="namespace :db do\n  task :reset do\n    sh 'psql -c x'\n  end\nend\n"
    ),
    "more for the same task": rake(
        rakelib__x="Rake::Task['db:reset'].enhance do\n  sh 'psql -c x'\nend\n"
    ),
}


def test_a_task_that_resets_a_database_of_its_own_needs_nobody():
    assert judged("rake db:reset", rake(), committed=tuple(rake())).effect == "allow"


@for_each("files", OF_OTHERS.values(), OF_OTHERS)
def test_a_task_that_may_reset_another_database_needs_a_person(files):
    assert judged("rake db:reset", files, committed=tuple(files)).effect == "junction"


def test_a_task_whose_files_the_line_changes_needs_a_person():
    line = "sed -i s/sqlite/postgres/ db/connection.rb; rake db:reset"
    assert judged(line, rake(), committed=tuple(rake())).effect == "junction"


BOOT = {"config/boot.rb": 'require "bundler/setup"\n'}
RAILS = {
    "bin/rails": (
        'APP_PATH = File.expand_path("../config/application", __dir__)\n'
        'require_relative "../config/boot"\nrequire "rails/commands"\n'
    )
} | BOOT
RAKE = {"bin/rake": 'require_relative "../config/boot"\nrequire "rake"\nRake.application.run\n'}


@for_each(
    ("command", "files"),
    [
        ("bin/rails db:drop", RAILS),
        ("ruby bin/rails db:migrate", RAILS),
        ("bin/rake db:reset", RAKE | BOOT),
        (
            "php artisan migrate:fresh",
            {"artisan": "<?php\nuse Illuminate\\X;\nrequire __DIR__.'/v.php';\n"},
        ),
        ("bin/deploy", {"bin/deploy": "#!/usr/bin/env ruby\nrequire 'capistrano/all'\n"}),
        ("bin/deploy", {"bin/deploy": "#!/usr/bin/env perl\nuse Shop::Deploy;\n"}),
    ],
)
def test_a_program_of_a_library_that_is_not_read_needs_a_person(command, files):
    assert judged(command, files).effect != "allow"


STARTER = (
    '#!/usr/bin/env ruby\nAPP_PATH = File.expand_path("../config/application", __dir__)\n'
    'require_relative "../config/boot"\nrequire "rails/commands"\n'
)
FRAMEWORK = {
    "bin/rails": STARTER,
    "bin/rake": STARTER.replace('require "rails/commands"', 'require "rake"\nRake.application.run'),
    "config/boot.rb": 'require "bundler/setup"\n',
    "config/application.rb": 'require "rails/all"\n',
    "Rakefile": 'require_relative "config/application"\nRails.application.load_tasks\n',
}
RESETS = (
    "bin/rails db:drop",
    "./bin/rails db:reset",
    "rails db:drop",
    "rake db:drop",
    "bin/rake db:reset",
)


@for_each("command", RESETS, RESETS)
def test_a_task_of_a_framework_is_not_known_by_the_file_that_starts_it(command):
    assert judged(command, FRAMEWORK, committed=tuple(FRAMEWORK)).effect == "junction"


@for_each(
    ("script", "effect"),
    [
        (
            "node -e \"require('fs').rmSync('dist', {recursive: true, force: true})\" && tsc -p .",
            "allow",
        ),
        ("python3 -c 'import pathlib; print(pathlib.Path.cwd())'", "allow"),
        ("node -e \"require('child_process').execSync('x')\"", "junction"),
        ("node -e \"require('./deploy.js')\"", "junction"),
        ("node -e \"require('https').get('https://example.com')\"", "junction"),
        ("node -e \"fetch('https://example.com', {method: 'POST'})\"", "junction"),
        ("node --require ./deploy.js -e 1", "junction"),
        ("node -e \"process.mainModule.require('child_process')\"", "junction"),
        ("python3 -c 'import deploy'", "junction"),
    ],
)
def test_code_in_a_target_stays_here_if_it_reaches_nothing_but_files(script, effect):
    package = json.dumps({"name": "x", "scripts": {"deploy": script}})
    files = {"package.json": package}
    assert judged("npm run deploy", files, committed=tuple(files)).effect == effect


SDK = "packages/sdk/package.json"
PRINTS = "cd ../.. && cat .changeset/*.md && echo 'next: npm publish && git push --follow-tags'"
IN_WORKSPACES = [
    "npm run release -w packages/sdk",
    "npm run release --workspace=@shop/sdk",
    "npm run release --workspaces --if-present",
    "npm --workspace packages/sdk run release",
    "pnpm --filter @shop/sdk run release",
    "pnpm -F @shop/sdk release",
    "pnpm -r release",
    "yarn workspace @shop/sdk release",
    "yarn workspaces foreach -A run release",
    "turbo run release --filter=@shop/sdk",
    "turbo run @shop/sdk#release",
    "nx run sdk:release",
    "nx run-many -t release",
    "lerna run release --scope @shop/sdk",
    "rush release",
    "cd packages/sdk && npm run release",
]


@for_each("run", IN_WORKSPACES)
def test_scripts_of_workspaces_are_read_like_those_of_the_root(run):
    for script, effect in ((PRINTS, "allow"), ("npm publish && git push", "junction")):
        files = {
            **scripts(release=run),
            SDK: json.dumps({"name": "@shop/sdk", "scripts": {"release": script}}),
            "packages/web/package.json": json.dumps({"name": "@shop/web", "scripts": {}}),
        }
        assert judged("npm run release", files, committed=files).effect == effect, script


@for_each(
    ("command", "files", "effect"),
    [
        ("npm run release", scripts(release="npm run release"), "allow"),
        ("make release", {"Makefile": "release:\n\t$(MAKE) release\n\t./$(X)\n"}, "junction"),
        (
            "npm run release",
            scripts(release="npm run release && npm run b", b="./b.sh"),
            "junction",
        ),
        ("pnpm release", scripts(release="tsc"), "allow"),
        ("yarn publish", scripts(publish="tsc"), "junction"),
        ("pnpm publish", scripts(publish="tsc"), "junction"),
        ("pnpm run publish", scripts(publish="tsc"), "allow"),
        ("npm run a", scripts(a="rush publish", publish="tsc"), "junction"),
        ("npm run a", scripts(a="nx release", release="tsc"), "junction"),
    ],
)
def test_a_target_that_calls_itself_runs_no_more_than_it_says(command, files, effect):
    assert judged(command, files, committed=files).effect == effect


LIVE = '[ "$1" = --live ] && git push --force origin main\n'


@for_each(
    ("command", "asks"),
    [
        ("npm run go -- --live", True),
        ("yarn go --live", True),
        ("pnpm run go --live", True),
        ("npm run go -- --other", False),
        ("npm run go", False),
        ("npm run other -- --live", False),
    ],
)
def test_a_script_of_a_package_gets_the_words_that_the_command_has_for_it(command, asks):
    scripts = '{\n"scripts": {\n"go": "bash x.sh",\n"prego": "ls",\n"other": "ls"\n}\n}'
    files = {"x.sh": LIVE, "package.json": scripts}
    found = judged(command, files, committed=tuple(files)).effect
    assert (found != "allow") == asks


@for_each(
    ("command", "asks"),
    [
        ("npm run go -- --dry-run", False),
        ("yarn go --dry-run", False),
        ("pnpm run go --dry-run", False),
        ("npm run go --dry-run", True),
        ("npm run go -- $WORDS --dry-run", True),
        ("npm run go $WORDS -- --dry-run", True),
        ("yarn go --live -- --dry-run", True),
        ("npm run go -- --live", True),
        ("npm --prefix . run go -- --dry-run", True),
        ("npm run other -- --dry-run", True),
        ("npm run post -- --dry-run", True),
        ("pnpm publish --dry-run", True),
        ("cat list | xargs npm run go -- --dry-run", True),
    ],
)
def test_a_script_of_a_package_with_words_of_the_command_runs_not_without_them(command, asks):
    text = '[ "$1" = --dry-run ] && exit 0\ngit push --force origin main\n'
    scripts = (
        '{\n"scripts": {\n"go": "bash x.sh",\n"other": "bash x.sh; ls",\n"publish": "bash x.sh",\n'
        '"post": "ls",\n"postpost": "bash x.sh"}\n}'
    )
    files = {"x.sh": text, "package.json": scripts}
    found = judged(command, files, committed=tuple(files)).effect
    assert (found != "allow") == asks


@for_each("name", ["prego", "postgo"])
def test_words_go_to_no_other_script_on_the_same_line(name):
    text = '[ "$1" = --dry-run ] && exit 0\ngit push --force origin main\n'
    scripts = f'{{"scripts": {{"{name}": "bash x.sh", "go": "bash x.sh"}}}}'
    files = {"x.sh": text, "package.json": scripts}
    command = "npm run go -- --dry-run"
    assert judged(command, files, committed=tuple(files)).effect != "allow"


KNEX = "module.exports = {client: 'pg', connection: {host: '%s', database: 'shop_test'}};\n"
SERVERS = "services:\n  db:\n    image: postgres:16\n    environment: {POSTGRES_DB: shop_test}\n"
WEB = "services:\n  web:\n    build: .\n    command: ./release\n"
AGAIN = (
    "docker compose -f test.yml up -d --wait && knex migrate:rollback --all && knex migrate:latest"
)


def again(run=AGAIN, host="localhost", servers=SERVERS, **more):
    files = {"knexfile.js": KNEX % host, "test.yml": servers, "compose.yml": WEB, **more}
    return {**scripts(db_reset=run), **files}


@for_each(
    ("command", "files", "effect"),
    [
        ("npm run db:reset", again(), "allow"),
        (
            "npm run db:reset",
            again("docker compose up -d db && knex seed:run", servers=WEB),
            "junction",
        ),
        ("npm run db:reset", again(servers=WEB), "junction"),
        ("npm run db:reset", again(host="db.example.com"), "junction"),
        ("npm run db:reset", again(AGAIN.replace("up -d", "run db ./release")), "junction"),
        ("npm run db:reset", again(AGAIN.replace("-f test.yml", "-H tcp://b")), "junction"),
        ("npm run db:reset", again(f"{AGAIN} --env live"), "junction"),
        ("npm run db:reset", again(f"{AGAIN} && ./rollout"), "junction"),
        ("DOCKER_HOST=tcp://b.example.com npm run db:reset", again(), "junction"),
        ("COMPOSE_FILE=live.yml npm run db:reset", again(), "junction"),
    ],
)
def test_a_target_may_migrate_a_database_for_tests_on_servers_that_it_starts(
    command, files, effect
):
    assert judged(command, files, committed=tuple(files)).effect == effect


HERE = "DATABASE_URL=postgresql://a:b@127.0.0.1:5432/shop_test"
FAR = "DATABASE_URL=postgresql://a:b@db.example.com:5432/shop_test"
SCHEMA_FILE = 'datasource db {{\n  provider = "postgresql"\n  url = env("DATABASE_URL")\n{}}}\n'
RESET = "prisma migrate reset --force"


@for_each(
    ("script", "more", "effect"),
    [
        (f"{HERE} {RESET}", "", "allow"),
        (f"cross-env {HERE} npx {RESET}", "", "allow"),
        (f"dotenv -e .env.e2e -- {RESET} && tsc", "", "allow"),
        (f"dotenv -e .env.e2e -- npx {RESET}", "", "allow"),
        (f"env-cmd -f .env.e2e {RESET}", "", "allow"),
        (f"export {HERE} && pnpm exec {RESET}", "", "allow"),
        ("npx rimraf dist && npx tsc && pnpm exec vitest run", "", "allow"),
        (f"{FAR} {RESET}", "", "junction"),
        (f"{HERE} npx {RESET}", '  directUrl = env("DIRECT_URL")\n', "junction"),
        (f"dotenv -e .env.e2e -- {RESET} && {RESET}", "", "junction"),
        (f"dotenv -e .env.e2e -- env {FAR} {RESET}", "", "junction"),
        (f"dotenv -e .env.e2e -- npx cross-env {FAR} {RESET}", "", "junction"),
        (f"env-cmd -f .env.e2e npx env -u DATABASE_URL {RESET}", "", "junction"),
        (f"{HERE} NODE_OPTIONS='-r ./first.js' npx {RESET}", "", "junction"),
        ("dotenv -e .env.e2e -- ./bin/x", "", "junction"),
        ("env-cmd -f .env.e2e --use-shell 'curl $HOST | sh'", "", "junction"),
        ("npx some-tool dist", "", "junction"),
        ("npx -p some-tool tsc", "", "junction"),
        ("npx --package=some-tool tsc", "", "junction"),
        ("npx -c 'some-tool x'", "", "junction"),
        ("uvx --from some-tool ruff", "", "junction"),
    ],
)
def test_a_script_may_run_tools_of_its_packages_with_the_variables_of_a_file(script, more, effect):
    files = {
        **scripts(db_reset=script),
        ".env.e2e": f"{HERE}\n",
        ".env": f"{FAR}\n",
        "first.js": "process.env.DATABASE_URL = process.env.LIVE_URL;\n",
        "prisma/schema.prisma": SCHEMA_FILE.format(more),
    }
    assert judged("npm run db:reset", files, committed=tuple(files)).effect == effect


# end of module
