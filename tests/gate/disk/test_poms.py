"""Goals that a pom.xml binds to phases: what a run of a phase reaches is judged as a run of the goal."""

from tests.gate.example_project import ROOT, Machine, judge
from tests.tables import for_each

from operators_edge.gate.disk.poms import pom
from operators_edge.gate.disk.recipe_types import Wanted


def plugin(name, goal, *, phase="verify", more=""):
    bound = f"<phase>{phase}</phase>" if phase else ""
    return (
        f"<plugin>\n<artifactId>{name}</artifactId>\n<executions><execution>{bound}"
        f"<goals><goal>{goal}</goal></goals></execution></executions>{more}</plugin>\n"
    )


def project(*plugins, more=""):
    return f"<project><build><plugins>\n{''.join(plugins)}</plugins></build>{more}</project>"


PUSH = plugin("jib-maven-plugin", "build")


def judged(command, text, **more):
    files = {"pom.xml": text} | {f"{name}/pom.xml": one for name, one in more.items()}
    return judge(command, Machine({f"{ROOT}/{name}": one for name, one in files.items()}))


STOPPED = [
    ("mvn -q verify", project(PUSH)),
    ("./mvnw install -DskipTests", project(PUSH)),
    ("mvn clean deploy", project(plugin("dockerfile-maven-plugin", "push", phase=""))),
    ("mvn package", project(plugin("docker-maven-plugin", "push", phase="package"))),
    ("mvn verify -Pship", project(more=f"<profile><id>ship</id>{PUSH}</profile>")),
    (
        "mvn verify",
        project(
            plugin(
                "spring-boot-maven-plugin",
                "build-image",
                more="<configuration><image><publish>true</publish></image></configuration>",
            )
        ),
    ),
    ("mvn verify", project(plugin("flyway-maven-plugin", "clean", phase="test"))),
    ("mvn install", project(plugin("wagon-maven-plugin", "upload", phase="install"))),
    (
        "mvn verify",
        project(PUSH, more=f"<pluginManagement>{plugin('x-plugin', 'y')}</pluginManagement>"),
    ),
]


@for_each(("command", "text"), STOPPED)
def test_a_phase_that_reaches_a_goal_which_sends_is_asked_about(command, text):
    assert judged(command, text).effect == "junction"


def test_a_module_below_counts_too():
    assert judged("mvn verify", project(), app=project(PUSH)).effect == "junction"


LOCAL = "<properties><at>localhost:5000</at></properties>"
SILENT = [
    ("mvn test", project(PUSH)),
    ("mvn verify", project(plugin("jib-maven-plugin", "buildTar"))),
    ("mvn verify", project(plugin("jib-maven-plugin", "build", more="<skip>true</skip>"))),
    ("mvn verify", project(f"<!-- {PUSH} -->")),
    ("mvn verify", project(more=f"<profile><id>ship</id>{PUSH}</profile>")),
    ("mvn verify", project(more=f"<pluginManagement>{PUSH}</pluginManagement>")),
    (
        "mvn verify",
        project(
            plugin("jib-maven-plugin", "build", more="<to><image>${at}/x</image></to>"),
            more=LOCAL,
        ),
    ),
    ("mvn verify", project(plugin("maven-failsafe-plugin", "integration-test"))),
    ("mvn verify", project(plugin("spring-boot-maven-plugin", "build-image"))),
]


@for_each(("command", "text"), SILENT)
def test_a_phase_that_only_builds_and_tests_needs_nobody(command, text):
    assert judged(command, text).effect == "allow"


def test_the_line_of_an_execution_is_known():
    found = pom(project("\n\n", PUSH), Wanted(("verify",)))
    assert [(one.text, one.line) for one in found] == [("mvn jib:build", 6)]
