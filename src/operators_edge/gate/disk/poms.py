"""What a build with Maven runs besides compiling: the goals that a ``pom.xml`` binds to its phases.

Owns the order of phases, and which executions a run of some of them reaches. Pure: text in, commands out.
Does not own what a goal means (the packs), nor commands in the settings of a plugin
(``gate.disk.loose_commands``).
"""

from __future__ import annotations

import re

from operators_edge.gate.disk.recipe_types import MAX_RECIPES, Recipe, Wanted
from operators_edge.shell.commands import quoted
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import blanked, pattern, without
from operators_edge.text.xml_comments import without_xml_comments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LIFECYCLES = (
    "pre-clean clean post-clean",
    (
        "validate initialize generate-sources process-sources generate-resources process-resources compile"
        " process-classes generate-test-sources process-test-sources generate-test-resources"
        " process-test-resources test-compile process-test-classes test prepare-package package"
        " pre-integration-test integration-test post-integration-test verify install deploy"
    ),
    "pre-site site post-site site-deploy",
)
_MAX_DEPTH = 4
_LAST = "deploy"
"""The phase to which plugins that push bind themselves, if the file names none."""
_PLUGIN = pattern(r"<plugin>(.*?)</plugin>", re.DOTALL)
_MANAGED = pattern(r"<pluginManagement>.*?</pluginManagement>", re.DOTALL)
_PROFILE = pattern(r"<profile>(.*?)</profile>", re.DOTALL)
_EXECUTION = pattern(r"<execution>(.*?)</execution>", re.DOTALL)
_GOAL = pattern(r"<goal>\s*([\w-]+)\s*</goal>")
_PROPERTY = pattern(r"<([\w.-]+)>([^<>]*)</\1>")
SETTINGS = (".mvn/maven.config", ".mvn/jvm.config")
SETS_PROPERTIES = pattern(
    r"^(?:MAVEN_(?!HOME=)\w*|_?JAVA_(?!HOME=)\w*|JDK_JAVA_OPTIONS|FLYWAY_\w+|LIQUIBASE_\w+)=|-D|<properties>|<activeProfile>"
)
"""What may give a build properties that its files do not show."""
NAMES_SETTINGS = pattern(r"-g?s\b|--(?:global-)?settings\b")
"""Options that name another file of settings."""
_OF_DATABASES = frozenset(("flyway", "liquibase"))
_URL = pattern(r"<url>\s*([^<>\s]+)\s*</url>")
_OTHER_SETTINGS = pattern(
    r"<(?:configFiles|environments?|propertyFile|defaultsFile|initSql|jarDirs|configuration\s+combine)"
)
_NAMED = pattern(r"\$\{([\w.-]+)\}")
_ACTIVATION = pattern(
    r"<activation>(?!\s*<activeByDefault>\s*false\s*</activeByDefault>\s*</activation>)"
)
_BUILD_FOLDERS = {"project.build.directory": "target", "build.directory": "target"}
_OTHER_OUTPUT = pattern(
    r"<directory>|<parent>\s*<(?!/)|<build\.directory>|<project\.build\.directory>"
)
_RESOURCES = pattern(r"(?s)<(resources|testResources|filesets)>.*?</\1>")
_LOCAL_IMAGE = pattern(r"<(?:image|name|repository)>\s*(?:localhost|127\.0\.0\.1|\[::1\])[:/]")


def pom(text: str, wanted: Wanted) -> list[Recipe]:
    """The goals that the phases of a run reach, each as a run of this goal alone."""
    text = whole = without_xml_comments(text)
    reached = _phases(wanted.targets)
    profiles = [
        name
        for one in wanted.targets
        if one.startswith("-P")
        for name in one[2:].strip("=").split(",")
    ]
    for one in _PROFILE.finditer(text):
        if not _is_active(one[1], profiles):
            text = without(text, *one.span())
    known = _Properties(whole, text, wanted)
    found = [
        Recipe(f"mvn {prefix}:{goal}{known.address_of(prefix, text, at)}", line_at(text, at))
        for prefix, goal, phase, at in _executions(text)
        if phase in reached
    ]
    return found[:MAX_RECIPES]


class _Properties:
    """The properties of a build, as far as nothing else may set them."""

    def __init__(self, whole: str, text: str, wanted: Wanted) -> None:
        self.given = wanted.variables
        self.values: dict[str, set[str]] = {}
        possible = "".join(one[0] for one in _PROFILE.finditer(whole) if _ACTIVATION.search(one[1]))
        for name, value in _PROPERTY.findall(text + possible):
            self.values.setdefault(name, set()).add(value.strip())
        self.has_usual_folder = not _OTHER_OUTPUT.search(_RESOURCES.sub("", text))

    def address_of(self, prefix: str, text: str, at: int) -> str:
        """Where a goal acts, as options; "" if that is not certain."""
        if prefix == "deploy":
            chosen = [one for one in self.given.items() if one[0].endswith("DeploymentRepository")]
            return "".join(f" {quoted([f'-D{name}={value}'])}" for name, value in chosen)
        if prefix not in _OF_DATABASES or "" in self.given:
            return ""
        plugin = next(one for one in _PLUGIN.finditer(text) if one.start() <= at < one.end())
        execution = next(one[1] for one in _EXECUTION.finditer(text, at))
        general = _EXECUTION.sub("", plugin[1])
        if _OTHER_SETTINGS.search(plugin[1]):
            return ""
        name = f"{prefix}.url"
        found = _URL.findall(execution) or _URL.findall(general) or list(self.values.get(name, ()))
        known = {self._filled(one) for one in found}
        known |= {self.given[name]} if name in self.given else set()
        return "".join(f" {quoted([f'-D{name}={one}'])}" for one in sorted(known))

    def _filled(self, value: str, depth: int = 0) -> str:
        """A value with the properties in it that have one value."""
        return _NAMED.sub(lambda one: self._value(one[1], one[0], depth), value)

    def _value(self, name: str, unknown: str, depth: int) -> str:
        if name in self.given:
            return self.given[name]
        if name in _BUILD_FOLDERS:
            return _BUILD_FOLDERS[name] if self.has_usual_folder else unknown
        values = self.values.get(name, set())
        if len(values) != 1 or depth > _MAX_DEPTH:
            return unknown
        return self._filled(next(iter(values)), depth + 1)


def _phases(targets: Sequence[str]) -> set[str]:
    """Return the phases that are named, and those before each of them."""
    reached: set[str] = set()
    for order in (line.split() for line in _LIFECYCLES):
        for name in targets:
            if name in order:
                reached.update(order[: order.index(name) + 1])
    return reached


def _is_active(profile: str, named: Sequence[str]) -> bool:
    name = re.search(r"<id>\s*([^<>\s]+)\s*</id>", profile)
    if name and name[1] in named:
        return True
    return re.search(r"<activeByDefault>\s*true\s*<", profile) is not None


def _executions(text: str) -> Iterator[tuple[str, str, str, int]]:
    """Yield the plugin's prefix, the goal, the phase and the place of each bound goal."""
    used = _MANAGED.sub(lambda one: blanked(one[0]), text)
    for plugin in _PLUGIN.finditer(text):
        name = re.search(r"<artifactId>\s*([\w.-]+)\s*</artifactId>", plugin[1])
        if name is None or f">{name[1]}<" not in re.sub(r"\s", "", used):
            continue  # it is only described for modules that use it
        if re.search(r"<skip>\s*true\s*</skip>", plugin[1]) or _stays_here(plugin[1], text):
            continue
        prefix = re.sub(r"^maven-|-maven|-plugin$", "", name[1])
        for one in _EXECUTION.finditer(plugin[1]):
            phase = re.search(r"<phase>\s*([\w-]+)\s*</phase>", one[1])
            is_sent = re.search(r"<publish>\s*true\s*</publish>", plugin[1]) is not None
            for goal in _GOAL.findall(one[1]):
                runs = f"{goal} -D{prefix}.{goal}.publish=true" if is_sent else goal
                yield prefix, runs, phase[1] if phase else _LAST, plugin.start(1) + one.start()


def _stays_here(plugin: str, text: str) -> bool:
    """Whether what a plugin pushes goes to a registry of this machine."""
    known = dict(_PROPERTY.findall(text))
    filled = re.sub(r"\$\{([\w.-]+)\}", lambda name: known.get(name[1], name[0]), plugin)
    return _LOCAL_IMAGE.search(filled) is not None


# end of module
