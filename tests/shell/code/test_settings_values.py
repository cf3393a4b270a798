"""What code has from a file of settings is known where it uses it, if nothing may change it."""

# ruff: noqa: E501 - texts of files

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

from operators_edge.shell.code.settings_values import with_values

YAML = "use: main\nto:\n  main:\n    url: https://api.acme.example\n  here:\n    url: http://localhost:1\nport: 80\n"
RUBY = 'require "yaml"\nconf = YAML.load_file("x.yml")\n'
NODE = "const conf = yaml.load(fs.readFileSync('x.yml', 'utf8'));\n"


def last(code):
    return with_values(code, {"x.yml": YAML}).split("\n")[-1]


@for_each(
    ("code", "line"),
    [
        (RUBY + 'go(conf["to"][conf["use"]]["url"])', 'go("https://api.acme.example")'),
        (RUBY + 'go(conf.fetch("to").fetch("here").fetch("url"))', 'go("http://localhost:1")'),
        (RUBY + 'go(conf.dig("to", "here", "url"))', 'go("http://localhost:1")'),
        (RUBY + 'to = conf["to"]["main"]\ngo("#{to["url"]}/v1")', 'go("https://api.acme.example/v1")'),
        (RUBY + 'def to\n  conf["to"]["main"]\nend\ngo(to["url"])', 'go("https://api.acme.example")'),
        (NODE + "go(conf.to[conf.use].url)", 'go("https://api.acme.example")'),
        (NODE + "const to = conf.to.here;\ngo(`${to.url}/v1`)", "go(`http://localhost:1/v1`)"),
        (NODE + "const to = () => conf.to.here\ngo(to().url)", 'go("http://localhost:1")'),
        ('<?php\n$c = yaml_parse_file("x.yml");\ngo($c["to"][$c["use"]]["url"]);', 'go("https://api.acme.example");'),
        ('my $c = LoadFile("x.yml");\ngo($c->{to}{$c->{use}}{url});', 'go("https://api.acme.example");'),
    ],
)  # fmt: skip
def test_a_value_stands_where_code_asks_for_it(code, line):
    assert last(code) == line


@for_each(
    "more",
    [
        "conf.use = 'here';\n",
        "conf['use'] = 'here';\n",
        "Object.assign(conf, other);\n",
        "_.merge(conf, other);\n",
        "const same = conf;\nsame.use = 'here';\n",
        "conf = other;\n",
        "const f = (conf) => 1;\n",
        "for (const conf of all) go();\n",
    ],
)
def test_a_value_that_may_be_changed_is_not_known(more):
    line = "go(conf.to.main.url)"
    assert last(NODE + more + line) == line
    assert last(NODE + line) != line


@for_each(
    "line",
    [
        "go(conf.to[process.env.TO].url)",
        "go(conf.missing)",
        "go(conf.port)",
        "go(other.to.main.url)",
        "go('conf.use')",
    ],
)
def test_what_is_not_certain_stays_as_it_is(line):
    assert last(NODE + line) == line


def test_lines_keep_their_numbers():
    code = NODE + "\n\ngo(conf.use)\n"
    assert with_values(code, {"x.yml": YAML}).count("\n") == code.count("\n")


ORM = 'require "sequel"\nDB = Sequel.connect(conf["to"][conf["use"]]["url"])\n'
PLACES = "use: {}\nto:\n  main:\n    url: postgres://app@db.acme-prod.internal/x\n  here:\n    url: 'sqlite:/'\n"
PROGRAMS = {
    "rows that are overwritten": ("ruby x.rb", RUBY + ORM + 'DB[:users].where(id: 1).update(name: "")\n', PLACES),
    "a table that is emptied": ("ruby x.rb", RUBY + ORM + "DB[:users].truncate\n", PLACES),
    "all of a model": (
        "ruby x.rb",
        RUBY + 'ActiveRecord::Base.establish_connection(conf["to"][conf["use"]]["url"])\nUser.update_all(name: "")\n',
        PLACES,
    ),
    "a request of ruby": (
        "ruby x.rb",
        RUBY + 'require "httparty"\nHTTParty.delete(conf["to"][conf["use"]]["url"] + "/all")\n',
        YAML.replace("main\nto", "{}\nto"),
    ),
    "a request of node": (
        "node x.js",
        NODE + "fetch(`${conf.to[conf.use].url}/all`, { method: 'DELETE' });\n",
        YAML.replace("main\nto", "{}\nto"),
    ),
}  # fmt: skip


@for_each(("command", "code", "settings"), PROGRAMS.values(), PROGRAMS)
def test_the_place_that_settings_choose_is_judged(command, code, settings):
    def effect(use):
        files = {command.split()[1]: code, "x.yml": settings.replace("{}", use, 1)}
        return judged(command, files, committed=tuple(files)).effect

    assert effect("main") == "junction"
    assert effect("here") == "allow"


def test_a_key_that_is_taken_out_of_a_hash_is_no_loss_of_a_database():
    files = {
        "x.rb": RUBY + ORM + "given = { a: 1 }\ngiven.delete(:a)\n",
        "x.yml": PLACES.format("main"),
    }
    assert judged("ruby x.rb", files, committed=tuple(files)).effect == "allow"


RAKE = """require "yaml"
CONF = YAML.load_file("x.yml")
{before}
def target
  CONF.fetch("to")
end
task :refresh do
  to = target
  case to.fetch("kind")
  when "bucket"
    sh "aws", "s3", "sync", "site", to.fetch("place"), "--delete"
  when {folder}
    sh "rsync", "-a", "site/", to.fetch("place")
  {last}
  end
end
"""
BUCKET = "to:\n  kind: bucket\n  place: s3://acme-cdn\n"
FOLDER = "to:\n  kind: folder\n  place: tmp/site/\n"


def refreshed(settings, before="", folder='"folder"', last="", **files):
    text = RAKE.format(before=before, folder=folder, last=last)
    found = judged(
        "rake refresh",
        {"Rakefile": text, "x.yml": settings, **files},
        committed=("Rakefile", "x.yml"),
    )
    return found.effect


def test_the_branch_that_settings_choose_is_the_one_that_runs():
    assert refreshed(BUCKET) == "junction"
    assert refreshed(FOLDER) == "allow"
    assert refreshed(FOLDER.replace("tmp/site/", "web1:/srv/")) == "junction"


@for_each(
    "more",
    [
        {"before": 'CONF["to"]["kind"] = ENV["KIND"] if ENV["KIND"]'},
        {"before": 'CONF.merge!(YAML.load_file("y.yml"))'},
        {"before": 'CONF["to"].merge!(YAML.load_file("y.yml"))'},
        {"before": 'CONF.fetch("to").update("kind" => "bucket")'},
        {"before": 'CONF["to"]["kind"].replace("bucket")'},
        {"before": "change(CONF)"},
        {"before": "same = CONF\nsame['to'] = {}"},
        {"before": "CONF = OTHER"},
        {"folder": "FOLDERS"},
        {"folder": '"other"', "last": 'else\n    sh "git push"'},
    ],
)
def test_a_branch_that_may_be_another_counts(more):
    assert refreshed(FOLDER, **more) == "junction"


@for_each(
    "more",
    [
        "url.prepend('https://api.acme.example/')\n",
        "url.insert(7, 'api.acme.example/')\n",
        "url << '.acme.example'\n",
        "url, more = 'https://api.acme.example', 1\n",
        "def go url\n  1\nend\n",
    ],
)
def test_a_text_of_ruby_that_may_be_changed_is_not_known(more):
    line = "go(url)"
    assert last(RUBY + 'url = conf["to"]["here"]["url"]\n' + more + line) == line


@for_each(
    "more",
    [
        "const { url } = other;\n",
        "const [url] = others;\n",
        "import { url } from './other.js';\n",
        "class A { go(url) { return 1; } }\n",
        "function go(\n  url,\n) {}\n",
        "const f = (\n  url,\n) => 1;\n",
    ],
)
def test_a_name_that_stands_for_something_else_elsewhere_is_not_known(more):
    line = "go(url)"
    assert last(NODE + "const url = conf.to.here.url;\n" + more + line) == line


@for_each(
    "load",
    [
        'YAML.load_file(ENV.fetch("CONF", "x.yml"))',
        'YAML.load_file(ARGV.fetch(0, "x.yml"))',
        'YAML.load_file([one, "x.yml"].compact.first)',
        'YAML.load_file(File.join(Dir.home, "x.yml"))',
        'YAML.load_file("x.yml")\n  .merge(other)',
    ],
)
def test_a_file_that_may_be_another_is_not_known(load):
    line = 'go(conf["use"])'
    assert last(f"conf = {load}\n{line}") == line


@for_each(
    "run",
    [
        'system("kubectl delete ns main")',
        "`git push --force origin main`",
        "execSync('git push --force origin main')",
        "git push main y",
    ],
)
def test_words_of_a_text_are_no_names(run):
    assert last(RUBY + 'main = conf["use"]\n' + run) == run
    assert last(RUBY + 'main = conf["use"]\nsystem("ls #{main}")') == 'system("ls main")'


NESTED = {
    "another branch of an if": 'if ENV["X"]\n        puts 1\n      else\n        sh "git push"\n      end',
    "what follows a rescue": 'begin\n        x\n      rescue\n      else\n        sh "git push"\n      end',
    "after a text with such a line": 'puts <<~X\n        when "z"\n      X\n      sh "git push"',
    "an if that stands further left": 'x\n  if y\n  else\n    sh "git push"\n  end',
    "an if that stands no deeper": 'x\n    if y\n    else\n      sh "git push"\n    end',
}


@for_each("body", NESTED.values(), NESTED)
def test_what_the_chosen_branch_holds_counts(body):
    text = (
        'require "yaml"\nCONF = YAML.load_file("x.yml")\ntask :go do\n  case CONF["use"]\n    when "main"\n'
        f'      {body}\n    when "here"\n      puts 1\n  end\nend\n'
    )
    files = {"Rakefile": text, "x.yml": YAML}
    assert judged("rake go", files, committed=tuple(files)).effect == "junction"


def test_settings_of_the_folder_that_a_program_runs_in_may_be_meant():
    code = NODE + "fetch(conf.to[conf.use].url, { method: 'DELETE' });\n"
    files = {"x.js": code, "x.yml": YAML, "sub/x.yml": YAML.replace("main\nto", "here\nto")}
    assert judged("node x.js", files, committed=tuple(files)).effect == "junction"
    assert with_values("process.chdir('sub');\n" + NODE + "go(conf.use)", {"x.yml": YAML})
