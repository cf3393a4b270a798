"""Which tasks a run of rake reaches, and the Ruby that these run."""

import re

import pytest
from tests.gate.disk.test_follow import judged
from tests.tables import for_each

from operators_edge.gate.disk import rakefiles
from operators_edge.gate.disk.recipe_types import Wanted

TASKS = """
task :build do
  sh "build"
end
namespace :site do
  task :pack do
    sh "pack"
  end
  task :send do
    sh "send"
  end
end
namespace :copy do
  task :send do
    sh "copy"
  end
end
"""


def ran(more, *targets):
    """The words that the tasks of a run give ``sh``."""
    code = rakefiles.rake_code(TASKS + more, Wanted(targets))
    return [line.split('"')[1] for line in code.split("\n") if line.strip().startswith("sh ")]


REACHES = {
    "a block": 'Rake::Task["build"].enhance do\n  Rake::Task["site:send"].invoke\nend\n',
    "a block on one line": 'Rake::Task[:build].enhance { Rake::Task["site:send"].execute }\n',
    "a list of what it needs": 'Rake::Task[:build].enhance(["site:send"])\n',
    "a list without brackets": "Rake::Task['build'].enhance %w[site:send] do\nend\n",
    "on the next line": 'Rake::Task["build"]\n  .enhance(["site:send"])\n',
    "a task that was emptied": 'Rake::Task["build"].clear.enhance(["site:send"])\n',
    "what the word task returns": 'task("build").enhance { Rake::Task["site:send"].invoke }\n',
    "the application": 'Rake.application["build"].enhance do\n  Rake.application.invoke_task("site:send")\n'
    "end\n",
    "a name for the task": 'one = Rake::Task["build"]\none.enhance(["site:send"])\n',
    "its list of others": 'Rake::Task["build"].prerequisites << "site:send"\n',
    "a definition again": 'task build: "site:send"\n',
    "several lines": 'task build: [\n  "site:pack",\n  "site:send",\n]\n',
    "a constant": "LAST = %w[site:pack site:send]\ntask build: LAST\n",
    "a loop over names": 'task :build do\n  %w[pack send].each { |n| Rake::Task["site:#{n}"].invoke }\nend\n',
    "a loop over a constant": "ALL = %w[site:send]\ntask :build do\n  ALL.each { |n| Rake::Task[n].invoke }\n"
    "end\n",
    "a class of tasks": 'RSpec::Core::RakeTask.new(:build => ["site:send"]) do |t|\n  t.pattern = "x"\nend\n',
    "what runs while the file is loaded": 'Rake::Task["site:send"].invoke\n',
}


@for_each("more", REACHES.values(), REACHES)
def test_a_task_runs_all_that_it_is_given_in_addition(more):
    assert "send" in ran(more, "build")


LEAVES = {
    "for another task": 'Rake::Task["site:pack"].enhance do\n  Rake::Task["site:send"].invoke\nend\n',
    "of another namespace": 'Rake::Task["build"].enhance(["copy:send"])\n',
    "only emptied": 'Rake::Task["build"].enhance do\n  Rake::Task["site:send"].clear\nend\n',
    "a task that names it": 'task all: "site:send"\n',
}


@for_each("more", LEAVES.values(), LEAVES)
def test_a_task_does_not_run_what_others_are_given(more):
    assert "send" not in ran(more, "build")


def test_a_task_is_known_by_its_namespace():
    assert ran("", "copy:send") == ["copy"]
    assert ran("namespace :site do\n  task all: :send\nend\n", "site:all") == ["send"]
    assert ran("namespace :site do\n  task all: 'copy:send'\nend\n", "site:all") == ["copy"]


def test_a_task_on_one_line_ends_there():
    assert ran('task(:one) { puts 1 }\ntask(:two) do\n  sh "two"\nend\n', "two") == ["two"]


@pytest.mark.parametrize("head", ["task name do", 'task "up:#{name}" do', "task(name) do"])
def test_a_task_whose_name_is_computed_may_be_any_that_is_not_known(head):
    made = f'%w[a b].each do |name|\n  {head}\n    sh "made"\n  end\nend\n'
    assert ran(made, "up:a") == ["made"]
    assert ran(made, "build") == ["build"]


def test_an_unclosed_task_counts_as_run():
    assert "open" in ran('  task :x do\n    sh "open"\n', "build")


def test_a_task_that_another_file_enhances_is_judged_with_that():
    files = {
        "Rakefile": 'Dir["tasks/*.rake"].each { |one| load one }\ntask :build do\n  sh "npx webpack"\nend\n',
        "tasks/site.rake": 'task :mirror do\n  sh "aws s3 sync --delete build s3://site"\nend\n'
        'Rake::Task["build"].enhance do\n  Rake::Task["mirror"].invoke\nend\n',
    }
    found = judged("bundle exec rake build", files)
    assert found.effect == "junction"
    files["tasks/site.rake"] = files["tasks/site.rake"].replace("invoke", "clear")
    assert judged("bundle exec rake build", files).effect == "allow"


ADAPTERS = """
def run_all(*names)
  names.each { |name| Rake::Task[name].invoke }
end
task :test do
  run_all(*%w(test_one test_two))
end
%w( one two three ).each do |adapter|
  namespace :test do
    Rake::TestTask.new(adapter => "#{adapter}:env") { |t| sh "tests #{adapter}" }
    namespace :apart do
      task adapter => "#{adapter}:env" do
        sh "apart"
      end
    end
  end
  namespace adapter do
    task(:env) { sh "env" }
  end
  task "test_#{adapter}" => ["#{adapter}:env", "test:#{adapter}"] do
    sh "test"
  end
end
namespace :db do
  task :drop do
    sh "drop"
  end
end
task one: "db:drop"
"""


def ran_of(code, *targets):
    code = rakefiles.rake_code(code, Wanted(targets))
    return {one.split()[0] for one in re.findall(r'sh "([^"]+)"', code)}


def test_a_loop_over_words_names_its_tasks():
    assert ran_of(ADAPTERS, "test:one") == {"tests", "env"}
    assert ran_of(ADAPTERS, "test:apart:two") == {"apart", "env"}
    assert ran_of(ADAPTERS, "three:env") == {"env"}
    assert ran_of(ADAPTERS, "one") == {"drop"}


def test_a_function_runs_the_tasks_that_its_caller_names():
    assert ran_of(ADAPTERS, "test") == {"test", "tests", "env"}
    assert "drop" in ran_of(ADAPTERS.replace("test_two", "db:drop"), "test")
    assert "drop" in ran_of(f"{ADAPTERS}run_all 'db:drop'\n", "test:one")
    unseen = ADAPTERS.replace("  run_all(*%w(test_one test_two))\n", "").replace(
        "def run_all", "def helper"
    )
    assert "drop" in ran_of(f"{unseen}NAMES = %w(db:drop)\n", "test")


@for_each("loop", ["NAMES.each", "list.each", "%w(a #{b}).each", "[a, b].each", "%w(a b).map"])
def test_a_name_that_a_loop_does_not_tell_may_be_any(loop):
    code = f'{loop} do |one|\n  task one do\n    sh "drop"\n  end\nend\n'
    assert ran_of(code, "other") == {"drop"}
    inside = f'  {loop} do |one|\n    task "x_#{{one}}" do\n      sh "drop"\n    end\n  end\n'
    code = f"namespace :db do\n{inside}end\n"
    assert ran_of(code, "db:x_other") == {"drop"}
    assert ran_of(code, "db:other") == set()


@for_each(
    "change", ["one = 'other'", "one << 'r'", "one.sub!('a', 'other')", "one.replace('other')"]
)
def test_a_loop_that_changes_its_name_does_not_tell_it(change):
    code = f'%w(a b).each do |one|\n  {change}\n  task one do\n    sh "drop"\n  end\nend\n'
    assert ran_of(code, "other") == {"drop"}


def test_files_that_only_another_task_loads_are_no_files_of_tasks():
    loads = "Dir['more/*.rb'].each { |one| load one }"
    other = {"more/all.rb": "task(:test) { sh 'git push --force' }\n"}
    apart = f'task :test do\n  sh "true"\nend\ntask :more do\n  {loads}\nend\n'
    assert judged("rake test", {"Rakefile": apart, **other}).effect == "allow"
    needed = apart.replace(":test do", "test: :more do")
    assert judged("rake test", {"Rakefile": needed, **other}).effect == "junction"
    at_once = f'task :test do\n  sh "true"\nend\n{loads}\n'
    assert judged("rake test", {"Rakefile": at_once, **other}).effect == "junction"


DESCRIBED = """\
desc <<-END
Sends reminders. Example:
  rake remind RAILS_ENV="production" host=mail.example.org
END
task :remind do
  sh "remind"
end
"""


def test_a_text_that_describes_a_task_is_no_code():
    code = rakefiles.rake_code(DESCRIBED, Wanted(("remind",)))
    assert "production" not in code
    assert 'sh "remind"' in code
    assert code.count("\n") == DESCRIBED.count("\n")


def test_a_description_stays_if_it_runs_something_or_the_word_is_the_files_own():
    runs = DESCRIBED.replace("Sends", "#{`date`} Sends")
    for text in (
        runs,
        f"def desc(text) = system(text)\n{DESCRIBED}",
        f"define_method(:desc) {{}}\n{DESCRIBED}",
    ):
        assert "production" in rakefiles.rake_code(text, Wanted(("remind",)))
    other = DESCRIBED.replace("desc <<-END", "x = <<-END")
    assert "production" in rakefiles.rake_code(other, Wanted(("remind",)))


@pytest.mark.parametrize("opens", ["puts <<TEXT\ndesc <<END\nTEXT\n", "x = '\ndesc <<END\n'\n"])
def test_a_description_that_begins_in_another_text_hides_no_code(opens):
    text = f"{opens}system 'RAILS_ENV=production rake db:drop'\nputs <<TEXT\nEND\nTEXT\n"
    assert "production" in rakefiles.rake_code(f"{text}task :x\n", Wanted(("x",)))


def test_how_a_task_is_described_does_not_choose_the_database_of_models():
    task = "task tidy: :environment do\n  Item.new.tidy\nend\n"
    application = "module Shop\n  class Application < Rails::Application\n  end\nend\n"
    model = "class Item < ApplicationRecord\n  def tidy\n    Item.delete_all\n  end\nend\n"
    files = {
        "Rakefile": "require_relative 'config/application'\nRails.application.load_tasks\n",
        "config/application.rb": application,
        "config/database.yml": "development:\n  adapter: sqlite3\n  database: db/dev.sqlite3\n",
        "app/models/item.rb": model,
        "lib/tasks/shop.rake": DESCRIBED + task,
    }
    assert judged("bundle exec rake tidy", files, tuple(files)).effect == "allow"
    live = {**files, "lib/tasks/shop.rake": f"ENV['RAILS_ENV'] = 'production'\n{task}"}
    assert judged("bundle exec rake tidy", live, tuple(live)).effect == "junction"


@for_each(
    "call",
    [
        "sh <<-END\n    npm publish\n  END",
        "sh <<~SH\n    set -e\n    npm publish\n  SH",
        "sh <<~'SH', verbose: false\n    npm publish\n  SH",
        "sh <<END\nnpm publish\nEND",
        "sh(<<~SH.strip)\n    npm publish\n  SH",
    ],
)
def test_a_text_of_several_lines_that_a_task_runs_counts(call):
    files = {"Rakefile": f"task :x do\n  {call}\nend\n"}
    assert judged("rake x", files, committed=tuple(files)).effect == "junction"
    shown = {"Rakefile": files["Rakefile"].replace("sh <<", "puts <<").replace("sh(", "puts(")}
    assert judged("rake x", shown, committed=tuple(shown)).effect == "allow"
