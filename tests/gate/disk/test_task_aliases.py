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


STEPS = SBT.replace('";test;publish"', "steps")
COMMAND = 'commands += Command.command("%s") { s => "test" :: "ci-release" :: s }\n'
SBT_CASES = [
    ("sbt probe", SBT.replace("publish", "+publishM2"), "allow"),
    ("sbt probe", STEPS, "allow"),
    ("sbt probe", STEPS + 'val steps = "; test; sonatypeRelease"\n', "junction"),
    (
        "sbt probe",
        SBT.replace(";publish", ";up") + 'addCommandAlias("up", "all a/publish")\n',
        "junction",
    ),
    ("sbt probe", SBT.replace(";publish", "") + 'addCommandAlias("up", "; publish")\n', "allow"),
    ("sbt probe", COMMAND % "probe", "junction"),
    ("sbt probe", COMMAND % "up", "allow"),
    ("sbt -batch 'clean; test; Docker / publish'", "", "junction"),
    ("sbt 'clean; test; show publish / skip; publishLocal'", "", "allow"),
]


@for_each(("command", "text", "effect"), SBT_CASES)
def test_each_step_of_a_name_in_a_build_with_sbt_is_judged(command, text, effect):
    assert judged(command, {"build.sbt": text}, committed=("build.sbt",)).effect == effect
    files = {"project/Names.scala": f"object Names {{\n{text}}}\n"}
    assert judged(command, files, committed=files).effect == effect


def test_a_name_in_the_settings_of_sbt_counts():
    for steps, effect in ((";test;publishSigned", "junction"), (";test;publishLocal", "allow")):
        assert judged("sbt probe", {".sbtrc": f"alias probe={steps}\n"}).effect == effect


@for_each(("command", "name", "text", "effect"), CASES)
def test_a_task_is_judged_by_all_that_it_brings(command, name, text, effect):
    assert judged(command, {name: text}, committed=(name,)).effect == effect
