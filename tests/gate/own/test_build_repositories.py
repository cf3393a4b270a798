"""A build that publishes into a folder of the project reaches nobody."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged, machine
from tests.gate.example_project import ROOT, judge
from tests.tables import for_each

KOTLIN = (
    "plugins {{\n    `java-library`\n    `maven-publish`\n}}\nrepositories {{ mavenCentral() }}\n"
    'publishing {{\n    publications {{ create<MavenPublication>("a") {{ from(components["java"]) }} }}\n'
    '    repositories {{\n        maven {{\n            name = "x" // by hand\n            url = {url}\n'
    "        }}\n    }}\n}}\n"
)
GROOVY = (
    "plugins {{\n    id 'java'\n    id 'maven-publish'\n}}\npublishing {{\n"
    "    publications {{ a(MavenPublication) {{ from components.java }} }}\n"
    "    repositories {{ maven {{ url {url} }} }}\n}}\n"
)
NEXUS = '"https://nexus.shop.example/r"'
HERE = "layout.buildDirectory.dir('repo')"


def effect(command, files):
    return judged(command, files, committed=tuple(files)).effect


@for_each(
    "url",
    [
        'uri(layout.buildDirectory.dir("repo"))',
        'uri("build/repo")',
        'uri("$buildDir/repo")',
        'uri(file("build/repo"))',
        'layout.buildDirectory.dir("repo").get().asFile.toURI()',
        'uri(rootProject.layout.buildDirectory.dir("staging"))',
        'uri("${layout.buildDirectory.get()}/repo")',
        'uri("file://${rootProject.buildDir}/repo")',
        'uri(layout.projectDirectory.dir("out/repo"))',
        'uri("file:///tmp/repo")',
    ],
)
def test_a_folder_that_kotlin_names_is_here(url):
    assert effect("gradle publish", {"build.gradle.kts": KOTLIN.format(url=url)}) == "allow"


@for_each(
    "url",
    [
        f"= {HERE}",
        HERE,
        '"$buildDir/repo"',
        'file("${buildDir}/repo")',
        "= uri(rootProject.file('build/repo'))",
        "'file:build/repo'",
    ],
)
def test_a_folder_that_groovy_names_is_here(url):
    for command in (
        "./gradlew publish",
        "gradle --no-daemon clean :publishAllPublicationsToXRepository",
    ):
        assert effect(command, {"build.gradle": GROOVY.format(url=url)}) == "allow"


@for_each(
    "url",
    [
        NEXUS,
        "'s3://bucket/r'",
        "file('//nas.shop.example/r')",
        "'file://nas/r'",
        "file('/srv/nfs/r')",
        "file('../shared/r')",
        '"$repoUrl/r"',
        '"$buildDir/../../shared"',
        "findProperty('repoUrl') ?: layout.buildDirectory.dir('repo')",
        "System.getenv('REPO')",
        "(release ? 'https://nexus.shop.example/r' : 'build/r')",
        "uri('build/r').resolve('https://nexus.shop.example')",
    ],
)
def test_an_address_that_may_be_elsewhere_needs_a_person(url):
    assert effect("gradle publish", {"build.gradle": GROOVY.format(url=url)}) == "junction"


GOOD = GROOVY.format(url=HERE)


def changed(old, new, **files):
    return {"build.gradle": GOOD.replace(old, new, 1), **files}


@for_each(
    ("command", "files"),
    [
        ("gradle publish", changed("maven {", f"maven {{ url {NEXUS} }}\n maven {{")),
        ("gradle publish", changed("maven {", "mavenCentral()\n maven {")),
        ("gradle publish", changed("maven { ", f"maven {{ url {NEXUS}\n ")),
        (
            "gradle publish",
            changed(
                "publishing {",
                f"publishing.repositories {{ maven {{ url {NEXUS} }} }}\npublishing {{",
            ),
        ),
        (
            "gradle publish",
            changed("publishing {", "x.repositories { maven { url y } }\npublishing {"),
        ),
        ("gradle publish", changed("publishing {", "extensions.getByName(x)\npublishing {")),
        ("gradle publish", changed("repositories {", "repositories.add(x)\nrepositories {")),
        ("gradle publish", changed("id 'java'", "id 'com.vanniktech.maven.publish' version '1'")),
        ("gradle publish", changed("id 'java'", "alias(libs.plugins.shop.publish)")),
        ("gradle publish", changed("id 'java'", "id 'shop.library-conventions'")),
        (
            "gradle publish",
            changed("publishing {", "apply from: 'https://shop.example/p.gradle'\npublishing {"),
        ),
        ("gradle publish", changed("publishing {", "apply from: '../p.gradle'\npublishing {")),
        ("gradle publish", changed("publishing {", "buildDir = '/srv/r'\npublishing {")),
        (
            "gradle publish",
            changed("publishing {", "publish.doLast { exec { commandLine 'x' } }\npublishing {"),
        ),
        ("gradle publish", changed("", "", **{"more/build.gradle": GROOVY.format(url=NEXUS)})),
        ("gradle publish", changed("", "", **{"gradle/p.gradle": GROOVY.format(url=NEXUS)})),
        ("gradle publish", changed("", "", **{"settings.gradle": "includeBuild '../x'\n"})),
        (
            "gradle publish",
            changed("", "", **{"gradle/libs.versions.toml": "a = 'io.github.gradle-nexus:x'\n"}),
        ),
        (
            "gradle publish",
            changed(
                "",
                "",
                **{"buildSrc/src/main/kotlin/p.gradle.kts": KOTLIN.format(url=f"uri({NEXUS})")},
            ),
        ),
        ("gradle publish", changed("", "", **{"/home/ann/.gradle/init.gradle": "allprojects { }"})),
        ("gradle -I x.gradle publish", changed("", "")),
        ("gradle -p ../x publish", changed("", "")),
        ("gradle publish jreleaserDeploy", changed("", "")),
        ("gradle publish closeAndReleaseRepository", changed("", "")),
        ("gradle $TASK publish", changed("", "")),
        ("sed -i s/build/x/ build.gradle; gradle publish", changed("", "")),
        ("gradle publish", changed("", "", **{"gradle.properties": "buildDir=/srv/shared\n"})),
        ("gradle publish -PbuildDir=/srv/shared", changed("", "")),
        ("gradle publish -Dorg.gradle.project.buildDir=/srv/shared", changed("", "")),
        ("GRADLE_USER_HOME=x gradle publish", changed("", "")),
        ("export GRADLE_OPTS=-Dorg.gradle.project.x=y; gradle publish", changed("", "")),
        ("ORG_GRADLE_PROJECT_buildDir=/srv/shared gradle publish", changed("", "")),
        ("gradle publish", changed("publishing {", "apply from: 'x.txt'\npublishing {")),
        ("gradle publish", changed("publishing {", "apply from: file\npublishing {")),
        ("gradle publish", changed("publishing {", "apply { from 'x.txt' }\npublishing {")),
        ("gradle publish", changed("publishing {", "apply(Map.of('from', 'x'))\npublishing {")),
        (
            "gradle publish",
            changed(
                "publishing {", "apply from: 'src/x.gradle'\npublishing {", **{"src/x.gradle": "a"}
            ),
        ),
        ("gradle publish", changed("", "", **{"settings.gradle": "x.projectDir = file('../x')\n"})),
        ("gradle publish", changed("", "", **{"settings.gradle": "x.buildFileName = 'b.txt'\n"})),
        (
            "gradle publish",
            changed("", "", **{"settings.gradle": "include 'a.b'\n", "a.b/build.gradle": "x"}),
        ),
        ("gradle publish", changed("publishing {", "publish.doLast { new URL(x).text }\n")),
        ("gradle publish", changed("publishing {", "publish.finalizedBy 'x'\npublishing {")),
        ("gradle publish", {"build.gradle": "plugins { id 'maven-publish' }\n"}),
        ("gradle publish", {}),
    ],
)
def test_a_build_that_may_publish_elsewhere_needs_a_person(command, files):
    assert effect(command, files) == "junction"


def test_a_folder_of_builds_that_is_elsewhere_needs_a_person():
    links = {f"{ROOT}/build": "/srv/shared"}
    assert (
        judge("gradle publish", machine({"build.gradle": GOOD}, links=links)).effect == "junction"
    )


@for_each(
    ("command", "files"),
    [
        (
            "GRADLE_OPTS='-Xmx1g -Dorg.gradle.daemon=false' gradle publish -Pversion=1",
            {"settings.gradle": "include 'api', ':web:core'\n", "web/core/build.gradle": "a"},
        ),
        ("gradle publish", {"gradle.properties": "org.gradle.jvmargs=-Xmx2g\n"}),
        (
            "gradle publish",
            {"web/build.gradle": 'apply from: "$rootDir/x.gradle"', "x.gradle": "a"},
        ),
        ("gradle publish", {"web/build.gradle": "apply from: '../x.gradle'", "x.gradle": "a"}),
        (
            "gradle publish",
            {"build.gradle.kts": 'apply(from = rootProject.file("x.gradle"))', "x.gradle": "a"},
        ),
    ],
)
def test_other_files_of_a_build_are_read(command, files):
    assert effect(command, changed("", "", **files)) == "allow"


POM = (
    "<project><artifactId>a</artifactId><distributionManagement><repository><id>r</id>"
    "<url>{url}</url></repository></distributionManagement>{more}</project>"
)
AWAY = POM.format(url="https://nexus.shop.example/r", more="")


@for_each(
    ("command", "pom"),
    [
        ("mvn -B deploy -DaltDeploymentRepository=x::default::file:target/repo", AWAY),
        ("mvn clean deploy -DaltDeploymentRepository=x::file:./target/repo", AWAY),
        ("./mvnw -q deploy -DskipTests -DaltDeploymentRepository=x::file:///tmp/repo", AWAY),
        ("mvn deploy", POM.format(url="file://${project.build.directory}/repo", more="")),
        ("mvn deploy", POM.format(url="file:target/repo", more="")),
    ],
)
def test_a_folder_that_maven_deploys_into_is_here(command, pom):
    assert effect(command, {"pom.xml": pom}) == "allow"


@for_each(
    ("command", "files"),
    [
        ("mvn deploy", {"pom.xml": AWAY}),
        ("mvn deploy", {}),
        ("mvn deploy -DaltDeploymentRepository=x::https://nexus.shop.example/r", {"pom.xml": AWAY}),
        ("mvn deploy -DaltDeploymentRepository=x::file://nas/r", {"pom.xml": AWAY}),
        ("mvn deploy -DaltDeploymentRepository=x::file:/srv/r", {"pom.xml": AWAY}),
        ("mvn deploy -DaltDeploymentRepository=x::file:../r", {"pom.xml": AWAY}),
        ("mvn deploy -DaltDeploymentRepository=x::$REPO", {"pom.xml": AWAY}),
        ("mvn deploy -DaltSnapshotDeploymentRepository=x::file:target/r", {"pom.xml": AWAY}),
        (
            "mvn deploy -DaltDeploymentRepository=x::file:a -DaltReleaseDeploymentRepository=x::https://n/r",
            {"pom.xml": AWAY},
        ),
        ("mvn release:perform -DaltDeploymentRepository=x::file:a", {"pom.xml": AWAY}),
        ("mvn -f other/pom.xml deploy -DaltDeploymentRepository=x::file:a", {"pom.xml": AWAY}),
        (
            "mvn deploy -DaltDeploymentRepository=x::file:a",
            {"pom.xml": POM.format(url="file:a", more="<a>central-publishing-maven-plugin</a>")},
        ),
        ("mvn deploy", {"pom.xml": POM.format(url="file:a", more=""), "web/pom.xml": AWAY}),
        ("mvn deploy", {"pom.xml": "<project/>", "web/pom.xml": POM.format(url="file:a", more="")}),
    ],
)
def test_maven_that_may_deploy_elsewhere_needs_a_person(command, files):
    assert effect(command, files) == "junction"


LOCAL = POM.format(url="file:a", more="")
WEB = "<project><parent><artifactId>{}</artifactId></parent><artifactId>web</artifactId></project>"
MODULES = POM.format(url="file:a", more="<modules><module>web</module></modules>")


@for_each(
    ("command", "files"),
    [
        ("MAVEN_OPTS=-Xmx1g mvn deploy", {"pom.xml": MODULES, "web/pom.xml": WEB.format("a")}),
        (
            "mvn deploy",
            {
                "pom.xml": POM.format(
                    url="file:a",
                    more="<build><resources><resource><directory>b</directory></resource></resources></build>",
                )
            },
        ),
    ],
)
def test_modules_and_settings_that_change_no_repository_are_here(command, files):
    assert effect(command, files) == "allow"


@for_each(
    ("command", "files"),
    [
        ("MAVEN_ARGS=-DaltDeploymentRepository=x::https://n/r mvn deploy", {}),
        ("export MAVEN_OPTS=-DaltDeploymentRepository=x::https://n/r; mvn deploy", {}),
        ("JAVA_TOOL_OPTIONS=-DaltDeploymentRepository=x::https://n/r mvn deploy", {}),
        ("mvn deploy -Dproject.build.directory=/srv/shared", {}),
        ("mvn deploy", {"/home/ann/.mavenrc": "x"}),
        ("mvn deploy", {"/home/ann/.m2/settings.xml": "<altDeploymentRepository>x"}),
        ("mvn deploy", {".mvn/jvm.config": "-DaltDeploymentRepository=x::https://n/r"}),
        ("mvn deploy", {".mvn/extensions.xml": "<groupId>org.sonatype.central</groupId>"}),
        ("mvn deploy", {"pom.xml": MODULES, "web/pom.xml": WEB.format("corporate")}),
        ("mvn deploy", {"pom.xml": MODULES.replace("web", "src"), "src/pom.xml": AWAY}),
        ("mvn deploy", {"pom.xml": MODULES.replace("web", "a.b"), "a.b/pom.xml": AWAY}),
        ("mvn deploy", {"pom.xml": MODULES.replace("web", "../x")}),
        ("mvn deploy", {"pom.xml": MODULES.replace("web", "b.xml"), "b.xml": AWAY}),
        (
            "mvn deploy",
            {
                "pom.xml": POM.format(
                    url="file:a", more="<build><directory>/srv/x</directory></build>"
                )
            },
        ),
        (
            "mvn deploy",
            {
                "pom.xml": POM.format(
                    url="file:a", more="<distributionManagement a='b'><url>https://n/r</url>"
                )
            },
        ),
        (
            "mvn deploy",
            {"pom.xml": LOCAL.replace("</rep", "</rep><url><![CDATA[https://n/r]]></url", 1)},
        ),
        ("mvn deploy", {"pom.xml": POM.format(url="file:a", more="<scp todir='ann@web:/srv'/>")}),
    ],
)
def test_what_may_give_maven_another_repository_needs_a_person(command, files):
    assert effect(command, {"pom.xml": LOCAL, **files}) == "junction"


def test_signs_of_comments_in_texts_hide_no_repository():
    other = f"publishing {{\n    repositories {{ maven {{ url {NEXUS} }} }}\n}}\n"
    for sign in ("'", '"'):
        build = f"{GOOD}def a = {sign}/*{sign}\n{other}def b = {sign}*/{sign}\n"
        assert effect("gradle publish", {"build.gradle": build}) == "junction"


TOLD = """<project><artifactId>a</artifactId>{top}<build><plugins><plugin>
<artifactId>maven-deploy-plugin</artifactId><configuration>
<altDeploymentRepository>{place}</altDeploymentRepository>{more}
</configuration><executions><execution><phase>package</phase><goals><goal>deploy</goal></goals></execution>
</executions></plugin></plugins></build></project>
"""
BELOW = "local::file:${project.build.directory}/repo"
MANAGED = "<distributionManagement><repository><url>https://n.example.com/r</url></repository></distributionManagement>"
RELEASES = (
    "<altReleaseDeploymentRepository>x::https://n.example.com/r</altReleaseDeploymentRepository>"
)
PARENT = "<parent><artifactId>c</artifactId></parent>"
PLACES = [
    ("mvn -B package", TOLD.format(top="", place=BELOW, more=""), "allow"),
    ("mvn -B package", TOLD.format(top="", place="x::https://n.example.com/r", more=""), "junction"),
    ("mvn -B package", TOLD.format(top="", place="${repo}", more=""), "junction"),
    ("mvn -B package", TOLD.format(top="", place=BELOW, more=RELEASES), "junction"),
    ("mvn -B package", TOLD.format(top=MANAGED, place=BELOW, more=""), "junction"),
    ("mvn -B package", TOLD.format(top=PARENT, place=BELOW, more=""), "junction"),
    (
        "mvn package -DaltDeploymentRepository=x::https://n.example.com/r",
        TOLD.format(top="", place=BELOW, more=""),
        "junction",
    ),
]  # fmt: skip


@for_each(("command", "pom", "effect"), PLACES)
def test_a_plugin_may_be_told_to_deploy_into_a_folder(command, pom, effect):
    assert judged(command, {"pom.xml": pom}).effect == effect


@for_each(
    ("more", "effect_of_it"),
    [
        ("task sums { doLast { } }\nassemble.finalizedBy sums", "allow"),
        ("task pack(type: Zip) { from 'x' }\nassemble { finalizedBy(pack, 'publish') }", "allow"),
        ("def s = tasks.register('sums')\nassemble.finalizedBy(s)", "allow"),
        ("publish.finalizedBy('ship')", "junction"),
        ("task ship(type: ShipIt) { host = 'a' }\npublish.finalizedBy ship", "junction"),
        ("publish.finalizedBy(tasks.matching { it.name == 'ship' })", "junction"),
        ("publish.finalizedBy 'ship' + 'All'", "junction"),
        ("publish.finalizedBy()", "junction"),
    ],
)
def test_a_task_at_the_end_is_the_builds_own_or_needs_a_person(more, effect_of_it):
    assert effect("gradle publish", {"build.gradle": f"{GOOD}{more}\n"}) == effect_of_it


@for_each(
    ("url", "before", "effect_of_it"),
    [
        ("uri(place)", 'val place = layout.buildDirectory.dir("repo")', "allow"),
        ("uri(place)", "val place: String by project", "junction"),
        ("uri(place)", 'var place = "build/repo"', "junction"),
        ("uri(place)", f'val place = "build/repo"\nval place = {NEXUS}', "junction"),
        ("uri(place)", f'val place = if (ci) {NEXUS} else "build/repo"', "junction"),
    ],
)
def test_a_name_stands_for_the_one_value_that_it_has(url, before, effect_of_it):
    files = {"build.gradle.kts": f"{before}\n{KOTLIN.format(url=url)}"}
    assert effect("gradle publish", files) == effect_of_it


def test_a_repository_may_be_given_as_an_argument():
    short = KOTLIN.format(url="X").replace("maven {", 'maven(url = uri("build/repo"))\nmaven {')
    good = short.replace("url = X", 'url = uri("build/b")')
    assert effect("gradle publish", {"build.gradle.kts": good}) == "allow"
    other = good.replace('uri("build/repo")', NEXUS)
    assert effect("gradle publish", {"build.gradle.kts": other}) == "junction"


def test_a_file_may_be_called_after_what_it_does():
    files = {
        "build.gradle": "plugins { id 'java' }\napply from: 'gradle/publishing.gradle'\n",
        "gradle/publishing.gradle": GOOD,
    }
    assert effect("gradle publish", files) == "allow"
