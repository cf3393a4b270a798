"""Whether what a command publishes stays on this machine: in a registry of its own, for a test.

``npm publish --registry http://localhost:4873`` reaches nobody. That is so only if every address that the
program may take is known to be one of this machine: an option or a variable must name it, and no file of
settings may say otherwise.

Owns where each program takes the address from. Does not own the rules (``packs``). Pure.
"""

from __future__ import annotations

import re

from operators_edge.gate.addresses import is_this_machine
from operators_edge.gate.own.leading_variables import LEADS_ENGINE
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import compiled, found_in
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext


class _Source(NamedTuple):
    """How a program gets a registry's address: by options or variables.

    ``verbs`` are the subcommands that take it, ``others`` options that lead somewhere else. With
    ``takes_folders`` it may be a folder, too.
    """

    verbs: tuple[str, ...]
    options: tuple[str, ...]
    variables: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    takes_folders: bool = False


_WORKSPACES = (
    "-w",
    "-r",
    "-F",
    "--workspace",
    "--workspaces",
    "--recursive",
    "--filter",
    "--userconfig",
)
_NPM = _Source(
    ("publish", "unpublish", "deprecate", "dist-tag", "owner", "access"),
    ("--registry",),
    ("npm_config_registry", "NPM_CONFIG_REGISTRY"),
    (*_WORKSPACES, "--globalconfig", "--prefix", "-C", "--dir", "--cwd"),
)
_SOURCES = {
    "npm": _NPM,
    "node": _NPM._replace(verbs=("publish",)),  # as bun
    "cargo": _Source(("publish", "yank", "owner"), ("--index",), (), ("--registry", "--config")),
    "twine": _Source(
        ("upload", "register"),
        ("--repository-url",),
        ("TWINE_REPOSITORY_URL",),
        ("-r", "--repository", "--config-file"),
    ),
    "uv": _Source(
        ("publish",), ("--publish-url",), ("UV_PUBLISH_URL",), ("--index", "--config-file")
    ),
    "hatch": _Source(("publish",), ("-r", "--repo")),
    "maturin": _Source(("publish", "upload"), ("--repository-url",), (), ("-r", "--repository")),
    "gem": _Source(("push", "yank"), ("--host",), ("RUBYGEMS_HOST",)),
    "dotnet": _Source(
        ("nuget push", "nuget delete"),
        ("-s", "--source"),
        others=("-ss", "--symbol-source"),
        takes_folders=True,
    ),
}
_SCHEME = r"^(?:sparse\+)?https?://"
_MAX_SETTINGS = 65_536
_SETTINGS = {
    # The name of a file → what in it sends a package to the address in the group, whatever an option says.
    "package.json": r"\"[^\"]*registry\"\s*:\s*\"([^\"]*)\"",
    ".npmrc": r"(?m)^\s*@\S+:registry\s*=\s*[\"']?(\S*)",
    ".yarnrc": r"(?m)^\s*\"?@\S+:registry\"?\s+[\"']?(\S*)",
    "bunfig.toml": r"(?s)registry|scopes(.*)",
}
_ENGINES = frozenset(("docker", "podman", "nerdctl"))
_CONFIGURES = r"(?i):registry\b|userconfig|globalconfig|publishConfig"
"""What in a line may make npm take another registry than the option says."""
_IMAGE_HOST = r"^(?:docker://|oci://)?[^/]+/"
_REMOTE_ENGINE = ("-H", "--host", "-c", "--context", "--url", "--connection")


def is_on_this_machine(inv: Invocation, context: CallContext) -> bool:
    """Whether a command that publishes surely does so in a registry of this machine."""
    if inv.command.is_remote or inv.command.has_more_words:
        return False
    if inv.program in _SOURCES:
        return _names_one(_SOURCES[inv.program], inv, context)
    if inv.program in ("gradle", "mvn"):
        from operators_edge.gate.own import build_repositories  # noqa: PLC0415 - few builds publish

        return build_repositories.stays_here(inv, context)
    if inv.program in _ENGINES:
        return _pushes_here(inv, context)
    if inv.program == "helm":
        is_push = inv.first_operands() in ("push", "cm-push")
        return is_push and len(inv.operands) == 3 and _is_here(inv.operands[-1].text)
    if inv.program == "oras" and inv.first_operands() == "push":
        return len(inv.operands) > 1 and _is_image_here(inv.operands[1].text)
    is_copy = inv.program in ("skopeo", "crane", "gcrane") and inv.first_operands() in (
        "copy",
        "push",
        "cp",
    )
    return is_copy and len(inv.operands) > 2 and _is_image_here(inv.operands[-1].text)


def _names_one(source: _Source, inv: Invocation, context: CallContext) -> bool:
    given = list(_values(inv, source.options))
    if not given:
        set_there = inv.command.environment
        given = [set_there[name] for name in source.variables if name in set_there]
    is_verb = any(inv.first_operands(len(verb.split())) == verb for verb in source.verbs)
    are_here = all(
        _is_here(one) or (source.takes_folders and _is_folder(one, inv, context)) for one in given
    )
    if not is_verb or not given or not are_here:
        return False
    leads_elsewhere = any(_names_option(word.text, source.others) for word in inv.command.argv)
    return not leads_elsewhere and (source.options != _NPM.options or _is_undisturbed(inv, context))


def _is_folder(place: str, inv: Invocation, context: CallContext) -> bool:
    """Whether what is named is a folder of the project, or a temporary one."""
    path = context.resolve(place, inv.working_folder(context))
    if not place.startswith(("./", "/")) or place[:2] == "//" or path is None:
        return False
    return context.is_inside(context.real(path), (context.root, *context.temp))


def _names_option(word: str, options: tuple[str, ...]) -> bool:
    return word.partition("=")[0] in options or HOLE in word[:1] or ":registry" in word


def _values(inv: Invocation, options: tuple[str, ...]) -> Iterator[str]:
    """The values of options, whether the program's table knows them or not."""
    words = [word.text for word in inv.command.argv]
    for at, word in enumerate(words):
        name, equals, rest = word.partition("=")
        if name in options:
            yield rest if equals else "".join(words[at + 1 : at + 2])


def _is_here(url: str) -> bool:
    return bool(compiled(_SCHEME + r"|^oci://").match(url)) and is_this_machine(
        re.sub(r"^sparse\+", "", url)
    )


def _is_undisturbed(inv: Invocation, context: CallContext) -> bool:
    """Whether no settings of npm name a registry that counts more: that of a package, or of a scope."""
    folder = inv.working_folder(context)
    if found_in(_CONFIGURES, context.text):
        return False
    named = [word.text for word in inv.operands[1:] if word.text[:1] in ("/", ".", "~")]
    others = (word.text for word in inv.operands if not _is_here(word.text))
    if folder is None or any(found_in(r"\.t(ar\.)?gz$|://", one) for one in others):
        return False
    folders = [folder, context.root, context.home, *(context.resolve(one, folder) for one in named)]
    return all(_agrees(place, name, context) for place in set(folders) for name in _SETTINGS)


def _agrees(folder: str | None, name: str, context: CallContext) -> bool:
    path = f"{folder}/{name}"
    if context.is_changed(path):
        return False
    if not folder or name not in (context.facts.names(folder) or ()):
        return True
    text = context.facts.text(path, _MAX_SETTINGS)
    if text is None or len(text) >= _MAX_SETTINGS:
        return False
    return all(_is_here(url) for url in re.findall(_SETTINGS[name], text))


def _pushes_here(inv: Invocation, context: CallContext) -> bool:
    """``docker push localhost:5000/x``, and a build that pushes what it tags so."""
    words = [word.text for word in inv.command.argv]
    verb = next((at for at, word in enumerate(words) if word in ("push", "build")), 0)
    set_there = (*(name for name, _ in inv.command.assigns), *context.values_by_name())
    is_moved = any(map(LEADS_ENGINE.fullmatch, set_there))
    is_moved = is_moved or found_in(r"\bcontext\s+use\b", context.text)
    if not verb or is_moved or _takes_any(words[:verb], _REMOTE_ENGINE):
        return False
    if words[verb] == "build":
        tags = list(_values(inv, ("-t", "--tag")))
        is_plain = not _takes_any(words, ("-o", "--output", "--cache-to", "--builder"))
        return is_plain and bool(tags) and all(map(_is_image_here, tags))
    return inv.operands[-1].text != "push" and _is_image_here(inv.operands[-1].text)


def _takes_any(words: list[str], options: tuple[str, ...]) -> bool:
    return any(word.partition("=")[0] in options for word in words)


def _is_image_here(image: str) -> bool:
    """Whether an image's name begins with a registry of this machine: ``localhost`` alone is an image."""
    found = compiled(_IMAGE_HOST).match(image)
    return found is not None and is_this_machine(found.group())


# end of module
