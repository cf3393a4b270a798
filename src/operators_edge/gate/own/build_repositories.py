"""Whether a build publishes into a folder alone: ``layout.buildDirectory.dir("repo")``, ``file:target/repo``.

Owns which repositories the files of Gradle and Maven name. That all of them are folders of the project, or
temporary ones, has to be certain: another plugin, another file or an option may name one elsewhere. Does not
own what else a build runs (``gate.disk.poms``, ``gate.disk.gradle_tasks``). Pure but for ``Facts``. Loaded
for builds that publish.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate.own import gradle_finalizers
from operators_edge.locations import is_within
from operators_edge.shell.code.comments import SLASHES_AND_QUOTES, without_comments
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext

_FOR_BUILD = pattern(r"(?:GRADLE|ORG_GRADLE|MAVEN|JAVA|_JAVA|JDK_JAVA)_(?!HOME\Z)|M2_|MVNW_")
_PLAIN_JAVA = pattern(
    r"(?:\s|-X[\w:+=%-]+|-ea\b|-D(?:org\.gradle\.(?!project)|file\.encoding|user\.timezone|java\.awt)[\w.=/-]*)*"
)
"""Variables with options of a build or of Java, and values of them that say nothing about repositories."""
_MAX_FILE = 65_536
_MAX_FILES = 60
_MAX_FOLDERS = 200
_MAX_DEPTH = 3
_GENERATED = frozenset(("build", "target", "out", "bin", "node_modules", "gradle-cache"))

_BLOCK_COMMENT = pattern(r"(?s)<!--.*?-->")

# -- Gradle ----------------------------------------------------------------------------------------

_GRADLE_FILES = (".gradle", ".gradle.kts", ".groovy", ".kt", ".versions.toml", "gradle.properties")
_TASK = pattern(r":?(?:[\w.-]+:)*publish(?:All\w+)?(?:\w+Publication)?(?:To\w+Repository)?")
_BESIDE = frozenset(("clean", "build", "assemble", "check", "test", "jar"))
"""Tasks that may run beside those that publish."""
_PLAIN_OPTION = pattern(
    r"--(?:info|quiet|stacktrace|no-daemon|offline|console=\w+|parallel|build-cache|no-build-cache|rerun-tasks"
    r"|warn|debug|continue|scan|no-scan|configuration-cache|no-configuration-cache)|-[qisSdw]"
    r"|-P(?!buildDir\b)[\w.]+(?:=.*)?|-D(?!(?:org\.gradle\.project|gradle)\.|user\.home)[\w.]+(?:=.*)?"
)
_OWN_BLOCK = pattern(r"\b(?:publishing|PublishingExtension(?:::class(?:\.java)?)?[>)]?)\s*(\{)")
_NAMED = pattern(r"\bpublishing\b(?!\.gradle\b)|\bPublishingExtension\b")
_REPOSITORIES = pattern(r"\brepositories\s*(?:\.apply\s*)?(\{)")
_MAVEN = pattern(r"\bmaven\s*(\{)")
_MAVEN_AT = pattern(r"(?m)\bmaven[ \t]*\([ \t]*(?:url[ \t]*=[ \t]*)?([^\n{}]+)\)[ \t]*(?:;|$)")
_URL = pattern(
    r"(?m)(?:^|[{;])[ \t]*(?:setUrl[ \t]*\(|url[ \t]*(?:\.set[ \t]*\(|=)?)[ \t]*"
    r"((?:\"[^\"\n]*\"|'[^'\n]*'|[^\n;}\"'])+)"
)
_PLAIN_PART = pattern(
    r"(?:\s|;|(?:name|allowInsecureProtocol)[ \t]*=?[ \t]*(?:['\"][\w -]*['\"]|true|false)|mavenLocal\(\))*"
)
_OTHERS = pattern(
    r"(?i)vanniktech|nexus|sonatype|artifactory|bintray|jreleaser|maven-?central-?pub|nmcp|publishToMavenCentral"
    r"|\bincludeBuild\b|\bbuildFileName\b|\bprojectDir\s*=|\bset(?:ProjectDir|BuildFileName)\b"
    r"|(?-i:\bnew\s+URL\b|\bURL\()|\.toUR[IL]\(\)\.(?!toString)\w|\bopenStream\b|\bExtensions\b|\bgetRepositories\b"
    r"|\bexec\b|\bcommandLine\b|\bant\.|\bhttp\w*client|\bsocket|openConnection"
    r"|\bRepositoryHandler\b|\brepository\s*=|\bextensions\b|[\w)]\.repositories\b|\bevaluate\b|GroovyShell|\bbuildDir\s*=|buildDirectory\s*(?:\.set\b|=)"
    r"|(?:\bid\b[\s(]*|\bapply\s*\(?\s*plugin\s*[:=]\s*)['\"](?!maven-publish['\"])[^'\"]*"
    r"(?:publish|release|deploy|upload|convention|central)"
    r"|\balias\s*\(\s*libs[\w.]*(?:publish|release|deploy|upload|convention|central)"
)
"""What in a build may publish somewhere else, or lead to another file that does."""
_APPLIES = pattern(
    r"\bapply\s*\(?\s*from\s*[:=]\s*(?:(?:(?P<root>rootProject)\.)?file\s*\(\s*)?(?P<quote>['\"])(?P<file>[^'\"\n]*)(?P=quote)"
)
_ADDS = pattern(
    r"\bapply\b[\s({\[]*(?:to\s*[:=][^,\n]*,\s*)?['\"]?from\b|\bapply\s*\(\s*(?!plugin\b|from\b|\[|<|\))"
)
"""How a file adds another one to the build: in a form that is read, and in any."""
_ROOT = pattern(r"\$\{?(?:rootDir|rootProject\.(?:projectDir|rootDir))\}?/")
_QUOTED = pattern(r"['\"]([\w:./ -]+)['\"]")
_BUILD_FILES = ("build.gradle", "build.gradle.kts")
_PLACE = pattern(
    r"(?:(?:rootProject|project|this)\.)?(?:layout\.)?buildDirectory(?:\.dir\(\s*['\"](?P<below>[\w./-]+)['\"]\s*\))?"
    r"(?:\.get\(\))?(?:\.asFile)?(?:\.toUR[IL]\(\))?(?:\.toString\(\))?"
    r"|(?:(?:rootProject|project|this)\.)?layout\.projectDirectory\.dir\(\s*['\"](?P<inside>[\w./-]+)['\"]\s*\)"
    r"|['\"](?P<text>[^'\"\n]+)['\"]"
)
_VALUE = pattern(
    r"(?m)^[ \t]*(?:val|def)[ \t]+(\w+)(?:[ \t]*:[ \t]*[\w<>.]+)?[ \t]*=(?!=)[ \t]*([^\n]+)$"
)
_CALL = pattern(r"(?:uri|file|(?:rootProject|project)\.(?:file|uri))\s*\((.*)\)(?:\.toUR[IL]\(\))?")
_VARIABLE = pattern(
    r"\$\{?(?:(?:rootProject|project)\.)?(?:buildDir|rootDir|projectDir|layout\.buildDirectory(?:\.get\(\))?(?:\.asFile)?"
    r"|layout\.projectDirectory)(?:\}|\b)"
)


def stays_here(inv: Invocation, context: CallContext) -> bool:
    """Whether all that a build publishes goes into folders of the project, or temporary ones."""
    folder = inv.working_folder(context)
    if folder is None or inv.command.is_remote or inv.command.has_more_words or context.arrivals:
        return False
    if not _is_plain_environment(inv):
        return False
    if inv.program == "gradle":
        return _is_plain_gradle(inv) and _gradle_stays(folder, context)
    return inv.program == "mvn" and _maven_stays(inv, folder, context)


def _is_plain_environment(inv: Invocation) -> bool:
    """Whether no variable gives the build a property, or another place for its settings."""
    given = inv.command.environment.items()
    return not any(
        _FOR_BUILD.match(name) and not _PLAIN_JAVA.fullmatch(value) for name, value in given
    )


def _is_plain_gradle(inv: Invocation) -> bool:
    words = [word.text for word in inv.command.argv[1:]]
    tasks = [one for one in words if one[:1] != "-"]
    return (
        all(word.is_known for word in inv.command.argv)
        and all(_TASK.fullmatch(one) or one.rpartition(":")[2] in _BESIDE for one in tasks)
        and all(_PLAIN_OPTION.fullmatch(one) for one in words if one[:1] == "-")
    )


def _gradle_stays(folder: str, context: CallContext) -> bool:
    start = context.facts.names(os.path.join(context.home, ".gradle")) or ()
    if any(one.startswith("init.") for one in start):  # these count for every build of the person
        return False
    found = 0
    texts = _texts(context.root, _GRADLE_FILES, context)
    if texts is None or not is_within(folder, context.root):
        return False
    for path, text in texts.items():
        is_source = path.endswith((".groovy", ".kt"))
        if is_source and "/buildSrc/" not in path and "/build-logic/" not in path:
            continue
        plain = without_comments(text, SLASHES_AND_QUOTES)
        if _OTHERS.search(plain) or (is_source and "publish" in plain.lower()):
            return False
        if not gradle_finalizers.are_own(plain):
            return False
        if not _leads_to_known(path, plain, texts, context):
            return False
        named = _published(plain)
        if named is None or not all(_is_here(_settled(url, plain), context) for url in named):
            return False
        found += len(named)
    return found > 0


def _leads_to_known(path: str, text: str, texts: Mapping[str, str], context: CallContext) -> bool:
    """Whether each file that this one adds to the build is one of those that are read."""
    folder, name = os.path.split(path)
    built = context.real(os.path.join(folder, "build"))
    if not context.is_inside(built, (context.root, *context.temp)):
        return False
    if name == "gradle.properties":
        return re.search(r"(?m)^\s*buildDir\b|gradle\.user\.home\b", text) is None
    applied = list(_APPLIES.finditer(text))
    for one in applied:
        is_of_root = one["root"] or _ROOT.match(one["file"])
        base = context.root if is_of_root else folder
        if context.resolve(_ROOT.sub("", one["file"]), base) not in texts:
            return False
    if len(applied) != len(_ADDS.findall(text)):
        return False
    if not name.startswith("settings.gradle"):
        return True
    included = [one.strip(":").replace(":", "/") for one in _QUOTED.findall(text)]
    places = [os.path.join(folder, one, file) for one in included for file in _BUILD_FILES]
    return all(one in texts or context.facts.size(one) is None for one in places)


def _published(text: str) -> list[str] | None:
    """The addresses of all repositories that a file publishes to; None if there may be others."""
    blocks = list(_blocks(_OWN_BLOCK, text))
    if len(blocks) != len(_NAMED.findall(text)):
        return None
    found: list[str] = []
    for block in blocks:
        inside = list(_blocks(_REPOSITORIES, block))
        if len(inside) != len(re.findall(r"\brepositories\b", block)):
            return None
        for one in inside:
            places = _places(one)
            if places is None:
                return None
            found += places
    return found


def _blocks(head: re.Pattern[str], text: str) -> Iterator[str]:
    """Yield what stands between the braces after each match; strings may hold some, too."""
    for match in head.finditer(text):
        depth = 0
        for at in range(match.start(1), len(text)):
            depth += (text[at] == "{") - (text[at] == "}")
            if not depth:
                yield text[match.end(1) : at]
                break


def _places(repositories: str) -> list[str] | None:
    """The addresses of the repositories in a block; None if there may be others."""
    found, rest = [], repositories
    for block in _blocks(_MAVEN, repositories):
        urls = _URL.findall(block)
        if len(urls) != 1 or not _PLAIN_PART.fullmatch(_URL.sub("\n", block)):
            return None
        found.append(urls[0].strip())
        rest = rest.replace(f"{{{block}}}", "", 1)
    found += [one.strip() for one in _MAVEN_AT.findall(rest)]
    rest = _MAVEN_AT.sub("", rest)
    return found if re.fullmatch(r"(?:\s|;|\bmaven\b|mavenLocal\(\))*", rest) else None


def _settled(url: str, text: str) -> str:
    """An address with its value in the place of a name that the file sets only once."""
    names = re.findall(r"[A-Za-z_]\w*", url)
    for name, value in _VALUE.findall(text) if names else ():
        if name in names and _is_set_once(name, text):
            plain = rf"(?<![\w.'\"/$]){name}(?![\w'\"/(])"
            url = re.sub(plain, value.strip().replace("\\", r"\\"), url)
    return url


def _is_set_once(name: str, text: str) -> bool:
    is_parameter = re.search(rf"\b{name}\b\s*(?:->|\bin\b|,[\w\s,]*->)", text) is not None
    return not is_parameter and len(re.findall(rf"\b{name}\b[^\n=(){{}}]*=(?!=)", text)) == 1


def _is_here(url: str, context: CallContext) -> bool:
    """Whether an expression of Gradle names a folder of the project, or a temporary one."""
    call = _CALL.fullmatch(url)
    while call is not None:
        url = call[1].strip()
        call = _CALL.fullmatch(url)
    if url[:1] not in "'\"" and url.endswith(")") and url.count("(") < url.count(")"):
        url = url[:-1].strip()  # of ``setUrl(…)``
    place = _PLACE.fullmatch(url)
    if place is None:
        return False
    below = place["below"] or place["inside"]
    return _is_below(below) if below or not place["text"] else _is_folder(place["text"], context)


def _is_below(path: str | None) -> bool:
    return path is None or (path[:1] != "/" and ".." not in path.split("/"))


def _is_folder(text: str, context: CallContext) -> bool:
    """Whether an address is a path, to a folder in the project or to a temporary one."""
    path = re.sub(r"^file:(?://(?=/|\$))?", "", text)
    own = _VARIABLE.match(path)
    if own is not None:
        rest = path[own.end() :]
        return rest[:1] in ("", "/") and "$" not in rest and _is_below(rest.lstrip("/"))
    if "$" in path or ":" in path or path[:2] == "//":
        return False
    place = context.resolve(path, context.root)
    return place is not None and context.is_inside(
        context.real(place), (context.root, *context.temp)
    )


def _texts(root: str, endings: tuple[str, ...], context: CallContext) -> dict[str, str] | None:
    """The files of a build below a folder; None if one of them is not known as it will be."""
    found: dict[str, str] = {}
    left = [(root, 0)]
    for folder, depth in left:
        for name in context.facts.names(folder) or ():
            path = os.path.join(folder, name)
            if name.endswith(endings):
                text = context.facts.text(path, _MAX_FILE + 1)
                is_known = text is not None and len(text) <= _MAX_FILE
                if not is_known or context.is_changed(path) or len(found) >= _MAX_FILES:
                    return None
                found[path] = text or ""
            elif "." not in name and name not in _GENERATED:
                # Sources of the project itself publish nothing.
                deeper = _MAX_DEPTH + 4 * ("buildSrc" in path or "build-logic" in path)
                if len(left) >= _MAX_FOLDERS:
                    return None
                left += [(path, depth + 1)] if depth < deeper and name != "src" else []
                left += [(path, depth + 1)] if name == "src" and deeper > _MAX_DEPTH else []
    return found


# -- Maven -----------------------------------------------------------------------------------------

_ALTERNATIVE = pattern(r"-Dalt(?:Release|Snapshot)?DeploymentRepository=(.*)")
_CONFIGURED = pattern(r"<altDeploymentRepository>\s*([^<\s]+)\s*</altDeploymentRepository>")
_MAY_DEPLOY_OTHERWISE = pattern(r"<(?:distributionManagement|parent|properties>\s*<alt)\b")
_GOALS = frozenset(
    (
        "clean",
        "validate",
        "compile",
        "test",
        "package",
        "verify",
        "install",
        "deploy",
        "deploy:deploy",
    )
)
_MAVEN_OPTION = pattern(
    r"-(?:B|q|e|X|o|U|ntp|V|T\w*|am|amd|fae|ff|fn|N|P[\w,!-]+|D(?!.*[Dd]eploymentRepository|project\.|pom\.|basedir|build)[\w.]+(?:=.*)?)"
    r"|--(?:batch-mode|quiet|errors|offline|no-transfer-progress|update-snapshots|show-version|fail-at-end)"
)
_REPLACES_DEPLOY = pattern(
    r"nexus-staging|central-publishing|central-staging|jreleaser|wagon|[Dd]eploymentRepository|<extensions>\s*true"
    r"|org\.sonatype|<(?:scp|sshexec|ftp|mail|telnet|rexec|get|post)\b|<(?:project|pom)\.|<basedir>"
)
_LISTS_OF_BUILD = pattern(
    r"(?s)<(resources|testResources|plugins|pluginManagement|extensions)\b.*?</\1\s*>"
)
_OTHER_OUTPUT = pattern(r"(?s)<build\b[^>]*>(?:(?!</build).)*?<directory\b")
_MODULE = pattern(r"<module\b[^>]*>\s*([^<]*?)\s*</")
_PARENT = pattern(r"(?s)<parent\b.*?</parent\s*>")
_ARTIFACT = pattern(r"<artifactId>\s*([^<]*?)\s*</")
_SETTINGS = (".mvn/maven.config", ".mvn/jvm.config", ".mvn/extensions.xml")
_OF_PERSON = (".m2/settings.xml", ".m2/extensions.xml")
_MANAGED = pattern(r"(?s)<distributionManagement>(.*?)</distributionManagement>")
_ADDRESS = pattern(r"<url>\s*([^<\s]+)\s*</url>")
_OWN_FOLDER = pattern(r"\$\{(?:project\.)?(?:build\.directory|basedir)\}(?=/|$)")


def _maven_stays(inv: Invocation, folder: str, context: CallContext) -> bool:
    words = [word.text for word in inv.command.argv[1:]]
    given = [found[1] for one in words if (found := _ALTERNATIVE.fullmatch(one))]
    rest = [one for one in words if not _ALTERNATIVE.fullmatch(one)]
    is_plain = all(word.is_known for word in inv.command.argv) and all(
        one in _GOALS or _MAVEN_OPTION.fullmatch(one) for one in rest
    )
    poms = _texts(folder, ("pom.xml",), context) if is_plain else None
    texts = [_BLOCK_COMMENT.sub("", one) for one in (poms or {}).values()]
    if texts and not any(map(_MAY_DEPLOY_OTHERWISE.search, texts)):
        # Then it goes where the settings of a plugin say, or nowhere.
        given += [url for one in texts for url in _CONFIGURED.findall(one)]
        texts = [_CONFIGURED.sub("", one) for one in texts]
        words = [*words, *(["-DaltDeploymentRepository="] if given else [])]
    if not texts or any(map(_REPLACES_DEPLOY.search, (*texts, *_settings(folder, context)))):
        return False
    if not _are_all(dict(zip(poms or {}, texts, strict=True))):
        return False
    if ".mavenrc" in (context.facts.names(context.home) or ()):
        return False
    if given:
        has_general = any(one.startswith("-DaltDeploymentRepository=") for one in words)
        return has_general and all(_is_local(one.rpartition("::")[2], context) for one in given)
    managed = [block for one in texts for block in _MANAGED.findall(one)]
    named = [
        url
        for block in managed
        for url in _ADDRESS.findall(re.sub(r"(?s)<site>.*?</site>", "", block))
    ]
    has_own = _MANAGED.search(texts[0]) is not None
    are_read = len(managed) == sum(one.count("<distributionManagement") for one in texts)
    are_read &= all(block.count("<url") == len(_ADDRESS.findall(block)) for block in managed)
    return has_own and are_read and bool(named) and all(_is_local(one, context) for one in named)


def _settings(folder: str, context: CallContext) -> list[str]:
    """The texts with settings for every build of the project, and of the person."""
    places = [os.path.join(each, one) for each in (folder, context.root) for one in _SETTINGS]
    places += [os.path.join(context.home, one) for one in _OF_PERSON]
    return [context.facts.text(one, _MAX_FILE) or "" for one in places]


def _are_all(poms: Mapping[str, str]) -> bool:
    """Whether the files are all of the build: each module's, and each with a parent that is one of them."""
    own = [_ARTIFACT.search(_PARENT.sub("", text)) for text in poms.values()]
    names = {one[1] for one in own if one}
    for at, (path, text) in enumerate(poms.items()):
        folder = os.path.dirname(path)
        modules = [os.path.normpath(os.path.join(folder, one)) for one in _MODULE.findall(text)]
        if len(modules) != text.count("<module>") or not all(
            one in poms or f"{one}/pom.xml" in poms for one in modules
        ):
            return False
        parent = _PARENT.search(text)
        above = _ARTIFACT.search(parent[0]) if parent else None
        has_own = _MANAGED.search(text) is not None
        if at and parent and not has_own and (above is None or above[1] not in names):
            return False
        if _OTHER_OUTPUT.search(_LISTS_OF_BUILD.sub("", text)):
            return False
    return True


def _is_local(url: str, context: CallContext) -> bool:
    if not url.startswith("file:"):
        return False
    path = re.sub(r"^file:(?://(?=/|\$))?", "", url)
    own = _OWN_FOLDER.match(path)
    if own is not None:
        return "$" not in path[own.end() :] and _is_below(path[own.end() :].lstrip("/"))
    return _is_folder(f"file:{path}", context)


# end of module
