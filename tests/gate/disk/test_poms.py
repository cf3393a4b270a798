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


FAR = "jdbc:postgresql://orders.example.com/x"
NEAR = "jdbc:h2:file:${project.build.directory}/it"
USED = "<configuration><url>${db.url}</url></configuration>"


def database(url=NEAR, *, more=USED, rest=""):
    properties = f"<properties><db.url>{url}</db.url></properties>{rest}"
    return project(plugin("flyway-maven-plugin", "clean", phase="test", more=more), more=properties)


def profile(inside, activation=""):
    value = f"<properties><db.url>{inside}</db.url></properties>"
    return f"<profiles><profile><id>ci</id>{activation}{value}</profile></profiles>"


BY_PROPERTY = "<activation><property><name>env</name></property></activation>"
AT_DATABASES = [
    ("mvn verify", database(), "allow"),
    ("mvn verify", database(f"{NEAR};MODE=PostgreSQL"), "allow"),
    ("mvn verify", database("jdbc:h2:mem:it;DB_CLOSE_DELAY=-1"), "allow"),
    ("mvn verify", database("jdbc:tc:postgresql:16:///x"), "allow"),
    ("mvn verify", database(more=f"<configuration><url>{NEAR}</url></configuration>"), "allow"),
    ("mvn verify -Ddb.url=jdbc:h2:mem:x", database(FAR), "allow"),
    ("mvn verify", database(rest=profile(FAR)), "allow"),
    ("mvn verify", database(FAR), "junction"),
    ("mvn verify", database("jdbc:h2:file:~/shared"), "junction"),
    ("mvn verify", database("jdbc:h2:tcp://db.example.com/x"), "junction"),
    ("mvn verify", database("jdbc:h2:file:target/../../x"), "junction"),
    ("mvn verify", database("${env.URL}"), "junction"),
    ("mvn verify", database(more=""), "junction"),
    ("mvn verify -Pci", database(rest=profile(FAR)), "junction"),
    ("mvn verify", database(rest=profile(FAR, BY_PROPERTY)), "junction"),
    ("mvn verify", database(rest="<build><directory>/srv/x</directory></build>"), "junction"),
    ("mvn verify", database(more=USED.replace("<url>", "<configFiles>x</configFiles><url>")), "junction"),
    (f"mvn verify -Ddb.url={FAR}", database(), "junction"),
    (f"mvn verify -Dflyway.url={FAR}", database(), "junction"),
    (f"mvn verify -Ddb.url={NEAR} -Ddb.url={FAR}", database(), "junction"),
    ("mvn verify -Ddb.url=$URL", database(), "junction"),
    ("mvn -s ci.xml verify", database(), "junction"),
    ("mvn verify --settings=ci.xml", database(), "junction"),
    (f"MAVEN_OPTS=-Ddb.url={FAR} mvn verify", database(), "junction"),
    (f"export MAVEN_ARGS=-Ddb.url={FAR}; mvn verify", database(), "junction"),
    ("mvn flyway:clean -Dnote=jdbc:h2:mem:x", project(), "junction"),
    (f"mvn flyway:clean -Dflyway.url=jdbc:h2:mem:x -Dflyway.url={FAR}", project(), "junction"),
    ("mvn flyway:clean -Dflyway.url=jdbc:h2:file:./target/x", project(), "allow"),
]  # fmt: skip


@for_each(("command", "text", "effect"), AT_DATABASES)
def test_the_database_of_a_goal_counts_if_nothing_else_may_say_where_it_is(command, text, effect):
    assert judged(command, text).effect == effect


SETTINGS = [
    (".mvn/maven.config", f"-Ddb.url={FAR}"),
    (".mvn/jvm.config", f"-Ddb.url={FAR}"),
    (
        "/home/ann/.m2/settings.xml",
        "<profile><properties><db.url>x</db.url></properties></profile>",
    ),
    ("/home/ann/.mavenrc", "x"),
]


@for_each(("name", "text"), SETTINGS)
def test_settings_may_give_a_build_another_database(name, text):
    place = name if name[0] == "/" else f"{ROOT}/{name}"
    files = {f"{ROOT}/pom.xml": database(), place: text}
    assert judge("mvn verify", Machine(files)).effect == "junction"


@for_each(
    ("line", "effect"),
    [
        ("<relativePath>../pom/maven/pom.xml</relativePath>", "allow"),
        ("<sourceRoot>../../other/src</sourceRoot>", "allow"),
        ("<command>git push --force origin main</command>", "junction"),
        ("<argument>ls &amp;&amp; git push --force origin main</argument>", "junction"),
        ('<exec command="git push --force origin main"/>', "junction"),
    ],
)
def test_the_marks_of_an_element_are_no_redirection(line, effect):
    text = f"<project>\n<parent>\n    {line}\n</parent>\n</project>"
    assert judged("mvn animal-sniffer:check", text).effect == effect
