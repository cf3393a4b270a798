"""What a build with Maven runs besides compiling: the goals that a ``pom.xml`` binds to its phases.

Owns the order of phases, and which executions a run of some of them reaches. Pure: text in, commands out.
Does not own what a goal means (the packs), nor commands in the settings of a plugin
(``gate.disk.recipes.loose``).
"""

from __future__ import annotations

import re

from operators_edge.gate.disk.recipe_types import MAX_RECIPES, Recipe, Wanted
from operators_edge.text.patterns import blanked, pattern, without

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
_LAST = "deploy"
"""The phase to which plugins that push bind themselves, if the file names none."""
_PLUGIN = pattern(r"<plugin>(.*?)</plugin>", re.DOTALL)
_MANAGED = pattern(r"<pluginManagement>.*?</pluginManagement>", re.DOTALL)
_PROFILE = pattern(r"<profile>(.*?)</profile>", re.DOTALL)
_EXECUTION = pattern(r"<execution>(.*?)</execution>", re.DOTALL)
_GOAL = pattern(r"<goal>\s*([\w-]+)\s*</goal>")
_PROPERTY = pattern(r"<([\w.-]+)>([^<>]*)</\1>")
_COMMENT = pattern(r"<!--.*?-->", re.DOTALL)
_LOCAL_IMAGE = pattern(r"<(?:image|name|repository)>\s*(?:localhost|127\.0\.0\.1|\[::1\])[:/]")


def pom(text: str, wanted: Wanted) -> list[Recipe]:
    """The goals that the phases of a run reach, each as a run of this goal alone."""
    text = _COMMENT.sub(lambda one: blanked(one[0]), text)
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
    found = [
        Recipe(f"mvn {prefix}:{goal}", text.count("\n", 0, at) + 1)
        for prefix, goal, phase, at in _executions(text)
        if phase in reached
    ]
    return found[:MAX_RECIPES]


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
