"""A task of a plugin that another task needs, or ends with, runs with it."""

# ruff: noqa: E501 - texts of files
from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

MAVEN = """plugins {{ `java-library`; `maven-publish` }}
publishing {{
    repositories {{
        maven {{
            url = uri({})
        }}
    }}
}}
"""
COMPANY = MAVEN.format('"https://repo.acme.example/releases"')
FOLDER = MAVEN.format('layout.buildDirectory.dir("repo")')
NEEDS = [
    ("check", 'tasks.named("check") {\n    finalizedBy("publishAppPublicationToMavenRepository")\n}\n'),
    ("test", 'tasks.test { finalizedBy("publish") }\n'),
    ("build", "tasks.build { dependsOn(tasks.publish) }\n"),
    ("build", 'tasks.named("build") {\n    dependsOn(\n        tasks.named("publish"),\n    )\n}\n'),
    ("check", 'tasks.check.get().finalizedBy("publish")\n'),
    ("build", 'tasks["check"].finalizedBy("publish")\n'),
    ("check", "check.finalizedBy publish\n"),
    ("test", "test {\n  finalizedBy publish\n}\n"),
    ("check", 'tasks.withType<Test> { finalizedBy("publish") }\n'),
    ("check", 'tasks.withType<Test>().configureEach { finalizedBy("publish") }\n'),
    ("probe", 'tasks.register("probe") { dependsOn("check", "publish") }\n'),
    ("probe", 'tasks.register("probe") { dependsOn("ship") }\ntasks.register("ship") { finalizedBy("publish") }\n'),
    ("probe", "task probe(dependsOn: ['check', 'publish']) { }\n"),
    ("check", 'tasks.check { finalizedBy(":lib:publish") }\n'),
    ("check", 'val last = tasks.named("publish")\ntasks.check { finalizedBy(last) }\n'),
    ("check", 'tasks.check { setFinalizedBy(listOf("publish")) }\n'),
    ("check", "tasks.check { finalizedBy(tasks.withType<PublishToMavenRepository>()) }\n"),
    ("", 'defaultTasks("check", "publish")\n'),
    ("check -x :lib:publish", 'tasks.check { finalizedBy("publish") }\n'),
]  # fmt: skip
APART = [
    ("check", 'tasks.publish { mustRunAfter("check") }\n'),
    ("check", 'tasks.publish { dependsOn("check") }\n'),
    ("check", 'tasks.register("ship") { finalizedBy("publish") }\n'),
    ("test", 'tasks.check { finalizedBy("publish") }\n'),
    ("check", 'tasks.check { finalizedBy("publishToMavenLocal") }\n'),
    ("check", 'tasks.check { finalizedBy("jacocoTestReport") }\n'),
    ("check -x publish", 'tasks.check { finalizedBy("publish") }\n'),
    ("check --dry-run", 'tasks.check { finalizedBy("publish") }\n'),
    ("check", '// tasks.check { finalizedBy("publish") }\n'),
]


def effect(words, text, name="build.gradle.kts"):
    files = {name: text, "settings.gradle.kts": 'rootProject.name = "x"\n'}
    return judged(f"./gradlew {words}", files, committed=tuple(files)).effect


@for_each(("words", "text"), NEEDS)
def test_publishing_that_another_task_brings_is_judged(words, text):
    assert effect(words, COMPANY + text) == "junction"
    assert effect(words, f"{COMPANY}{text}", "lib/build.gradle.kts") == "junction"


@for_each(("words", "text"), APART)
def test_a_task_that_does_not_run_with_another_is_no_concern(words, text):
    assert effect(words, COMPANY + text) == "allow"


def test_publishing_into_a_folder_of_the_build_is_silent():
    text = 'tasks.named("check") {\n    finalizedBy("publishAppPublicationToMavenRepository")\n}\n'
    assert effect("check", FOLDER + text) == "allow"
    unknown = 'tasks.check { finalizedBy("publish" + target) }\n'
    assert effect("check", FOLDER + unknown) == "junction"
    assert effect("check", FOLDER + text + "check.finalizedBy upload\n") == "junction"
    assert effect("check", FOLDER + 'apply(from = "https://a.example/x.gradle")\n' + text) == (
        "junction"
    )


def test_other_plugins_count_too():
    assert effect("build", 'tasks.build { finalizedBy("jib") }\n') == "junction"
    assert effect("test", 'tasks.test { dependsOn("flywayClean") }\n') == "junction"


SHIP = """tasks.register<Exec>("ship") {{
    commandLine(
        "scp", "{}",
        layout.buildDirectory.get().asFile.path,
        "{}",
    )
}}
"""
LAST = 'tasks.matching { it.name == "bundleRelease" }.configureEach {\n    finalizedBy("ship")\n}\n'


def test_a_command_over_several_lines_is_judged_with_the_task_that_brings_it():
    text = SHIP.format("-r", "web1:/srv") + LAST
    assert effect("bundleRelease", text) == "junction"
    assert effect("bundleRelease", text.replace("scp", "echo")) == "allow"
    assert effect("bundleRelease", SHIP.format("-r", "web1:/srv")) == "allow"
    assert effect("ship", SHIP.format("-r", "web1:/srv")) == "junction"
    assert effect("test", "tasks.all { dependsOn('ship') }\n" + SHIP.format("-r", "web1:/srv")) == (
        "junction"
    )


@for_each(
    "body",
    [
        "executable 'git'\n  args 'push', '--force', 'origin', 'main'",
        'executable = "git"\n  args("push", "--force", "origin", "main")',
        'args("push", "--force")\n  executable("git")\n  args("push", "--force", "origin", "main")',
    ],
)
def test_a_program_and_its_words_that_stand_apart_are_judged(body):
    assert effect("ship", f'tasks.register<Exec>("ship") {{\n  {body}\n}}\n') == "junction"
    assert effect("other", f'tasks.register<Exec>("ship") {{\n  {body}\n}}\n') == "allow"
