"""Names for tasks in a build file, and the tasks that others bring, are judged by what they run."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

RAKE = 'require "bundler/gem_tasks"\n'
SBT = 'addCommandAlias("probe", ";test;publish")\n'
LEIN = '(defproject a "1"\n  :aliases {"ship" ["deploy"]\n            "probe" %s})\n'
MIX = "defp aliases do\n  [test: [%s]]\nend\n"
CASES = [
    ("sbt probe", "build.sbt", SBT, "junction"),
    ("sbt check", "build.sbt", SBT, "allow"),
    ("sbt probe", "build.sbt", SBT.replace("publish", "+publishM2"), "allow"),
    ("sbt probe", "build.sbt", SBT.replace('";test;publish"', "steps"), "allow"),
    ("sbt probe", "build.sbt", SBT.replace('";test;publish"', "steps") + 'val steps = "; test; sonatypeRelease"\n', "junction"),
    ("sbt probe", "build.sbt", SBT.replace(";publish", ";up") + 'addCommandAlias("up", "all core/publishSigned")\n', "junction"),
    ("sbt probe", "build.sbt", SBT.replace(";publish", "") + 'addCommandAlias("up", "; publish")\n', "allow"),
    ("sbt probe", "build.sbt", 'commands += Command.command("probe") { s => "test" :: "ci-release" :: s }\n', "junction"),
    ("sbt probe", "build.sbt", 'commands += Command.command("up") { s => "test" :: "ci-release" :: s }\n', "allow"),
    ("sbt probe", "project/Names.scala", "object Names {\n  def all = " + SBT + "}\n", "junction"),
    ("sbt -batch 'clean; test; Docker / publish'", "build.sbt", "", "junction"),
    ("sbt 'clean; test; show publish / skip; publishLocal'", "build.sbt", "", "allow"),
    ("sbt test", "build.sbt", "Test / test := ((Test / test) dependsOn publish).value\n", "junction"),
    ("sbt test", "build.sbt", "Test / test := (Test / test).dependsOn(Compile / fmt).value\n", "allow"),
    ("lein probe", "project.clj", LEIN % '["do" "test," "deploy"]', "junction"),
    ("lein probe", "project.clj", LEIN % '["do" ["test"] ["deploy" "clojars"]]', "junction"),
    ("lein probe", "project.clj", LEIN % '["do" ["test"] ["check"]]', "allow"),
    ("rake test", "Rakefile", RAKE + 'task test: [:build, "release"]\n', "junction"),
    ("rake", "Rakefile", RAKE + "task default: :check\ntask check: %i[spec release]\n", "junction"),
    ("rake test", "Rakefile", RAKE + 'task :test\nRake::Task["test"].enhance(["release"])\n', "junction"),
    ("rake test", "Rakefile", RAKE + 'task :test do\n  Rake::Task["release"].invoke\nend\n', "junction"),
    ("rake spec", "Rakefile", RAKE + "task :spec\ntask check: %i[spec release]\n", "allow"),
    ("rake spec", "Rakefile", RAKE + "task :spec\ntask release: :spec\n", "allow"),
    ("mix test", "mix.exs", MIX % '"test", "hex.publish --yes"', "junction"),
    ("mix do test", "mix.exs", MIX % '"test", "hex.publish --yes"', "junction"),
    ("mix do compile + test", "mix.exs", MIX % '"test", "hex.publish --yes"', "junction"),
    ("mix do compile, hex.publish", "mix.exs", MIX % '"test"', "junction"),
    ("mix do compile, test", "mix.exs", MIX % '"test"', "allow"),
    ("mix test", "mix.exs", MIX % '"ecto.create --quiet", "ecto.migrate", "test"', "allow"),
]  # fmt: skip


@for_each(("command", "name", "text", "effect"), CASES)
def test_a_task_is_judged_by_all_that_it_brings(command, name, text, effect):
    assert judged(command, {name: text}, committed=(name,)).effect == effect
