"""A build that publishes into a folder of the project reaches nobody."""

from __future__ import annotations

from tests.gate.test_follow import judged
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
        ("gradle publish", {"build.gradle": "plugins { id 'maven-publish' }\n"}),
        ("gradle publish", {}),
    ],
)
def test_a_build_that_may_publish_elsewhere_needs_a_person(command, files):
    assert effect(command, files) == "junction"


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
