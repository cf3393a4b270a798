"""Classes of words that a condition of a rule can name: "@outside", "@remote-url", "@test-database" …

Owns which words belong to each (``OPERAND_CLASSES``). Does not own what names of databases, sessions and
packages say (``gate.known_names``), paths (``gate.paths``), or the conditions (``gate.conditions``).
"""

from __future__ import annotations

from operators_edge.gate import paths
from operators_edge.shell.commands import HOLE, Word
from operators_edge.text.patterns import compiled, found_in, pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext


def secret_files() -> ModuleType:
    from operators_edge.gate import secret_files as files  # noqa: PLC0415 - few commands could read a secret

    return files


def _at_home(path: str, context: CallContext) -> str:
    """The path as if the person's home were in the usual place: some files are secret only there."""
    is_there = bool(context.home) and path.startswith(context.home + "/")
    return "/home/me" + path.removeprefix(context.home) if is_there else path


def _is_own_environment(path: str, context: CallContext) -> bool:
    from operators_edge.gate import environment  # noqa: PLC0415 - for installers only

    return environment.holds(path, context)


_NOT_URL = r"([A-Z]+|get|head|options|post|put|patch|delete|[^/:.\s]+(=|:=|==|:=@|@).*)$"


def _is_metadata_host(url: str) -> bool:
    from operators_edge.gate import addresses  # noqa: PLC0415 - few commands name a host

    return addresses.is_metadata(addresses.host_of(url))


def _is_remote_url(text: str) -> bool:
    if compiled(_NOT_URL).match(text):
        return False
    from operators_edge.gate import addresses  # noqa: PLC0415 - few commands name a host

    return bool(addresses.host_of(text)) and not addresses.is_this_machine(text)


def _is_confusable_host(text: str) -> bool:
    if text.isascii():
        return False
    from operators_edge.text.confusables import confusable_hosts  # noqa: PLC0415 - most addresses are plain

    return bool(confusable_hosts(text))


def _is_emulator(url: str) -> bool:
    from operators_edge.gate import addresses  # noqa: PLC0415 - few commands name a host

    return addresses.is_emulator(url)


def _holds_credential(url: str) -> bool:
    """Whether a URL contains a secret, which its host would get to know."""
    from operators_edge.redaction.redact import redact  # noqa: PLC0415 - for the few URLs that a tool reads

    return redact(url) != url


WORD_CLASSES: dict[str, Callable[[Word], bool]] = {
    "@unknown": lambda word: not word.is_known,
    "@glob": lambda word: word.has_glob,
    "@metadata-host": lambda word: _is_metadata_host(word.text),
    "@credential-url": lambda word: _holds_credential(word.text),
    "@remote-url": lambda word: _is_remote_url(word.text),
    "@confusable-host": lambda word: _is_confusable_host(word.text),
    "@emulator": lambda word: word.is_known and _is_emulator(word.text),
}
_IMAGE = r"(?i)\.(img|raw|iso|ext[234]|v?fat|squashfs)$"


def _is_device(path: str, context: CallContext) -> bool:
    """Whether it is a disk or the like, by its name or through a link that is elsewhere."""
    if path.startswith("/dev/"):
        return paths.is_device(path)  # /dev/stdout is a link to whatever it is
    return paths.is_device(context.real(path))


def _is_image_file(path: str, context: CallContext) -> bool:
    """Whether it is named as a file with a disk in it and is no link to a disk or out of the project."""
    is_there = not (context.is_outside(path) or _is_device(path, context))
    return is_there and compiled(_IMAGE).search(path) is not None


_READ_BY_PEOPLE = (
    r"(?i)\.(md|txt|html?|rst|adoc|py|[cm]?[jt]sx?|vue|go|rb|rs|php|java|kt|cs|swift)$"
)


def _is_published_file(path: str, context: CallContext) -> bool:
    """Whether git takes it with the project, and it is a page or code by its name."""
    is_text = compiled(_READ_BY_PEOPLE).search(path) is not None
    return is_text and not (context.is_outside(path) or context.is_regenerable(path))


LOCAL_CLASSES: dict[str, Callable[[str, CallContext], bool]] = {
    # Paths on this machine; a path on another machine belongs to none of these classes.
    "@regenerable": lambda path, context: context.is_regenerable(path),
    "@existing-file": lambda path, context: context.facts.size(path) is not None,
    "@image-file": _is_image_file,
    "@published-file": _is_published_file,
    "@existing-link": lambda path, context: context.is_link(path),
    "@shared-file": lambda path, context: (context.facts.link_count(path) or 0) > 1,
    "@existing-folder": lambda path, context: context.facts.names(path) is not None,
    "@own-file": lambda path, context: context.is_own_file(path),
    "@own-environment": _is_own_environment,
    "@own-folder": lambda path, context: context.is_own_folder(path),
    "@client-root": lambda path, context: path in {context.root, context.home},
    "@holds-own-file": lambda path, context: context.holds_own_file(path),
    "@existing-branch": lambda path, context: context.is_branch(path),
    "@state-file": lambda path, context: context.is_state_file(path),
    "@elsewhere": lambda path, context: context.is_elsewhere(path),
}
REMOTE_CLASSES: dict[str, Callable[[str, CallContext], bool]] = {
    # Every path on another machine is assumed to belong to these classes.
    "@outside": lambda path, context: context.is_outside(paths.fixed_part(path)),
    "@nonempty-file": lambda path, context: bool(
        context.facts.size(context.real(path) if context.links else path)
    ),
}


def _is_hook_of_the_line(path: str, context: CallContext) -> bool:
    from operators_edge.gate.disk import git_hooks  # noqa: PLC0415 - few calls write such a file

    return git_hooks.is_written_once(path, context)


PATH_CLASSES: dict[str, Callable[[str, CallContext], bool]] = {
    "@root-or-home": lambda path, context: context.is_root_or_home(path),
    "@whole": lambda path, context: context.is_whole(path),
    "@project": lambda path, context: context.is_project(path),
    "@device": _is_device,
    "@system": lambda path, context: context.is_system(path),
    "@startup-or-key": lambda path, context: context.is_startup_or_key(path),
    "@git-internal": lambda path, _: paths.is_git_internal(path),
    "@git-unread": lambda path, context: (
        paths.is_git_internal(path)
        and not paths.is_git_message(path)
        and not _is_hook_of_the_line(path, context)
    ),
    "@client-settings": lambda path, _: paths.is_client_settings(path),
    "@credentials": lambda path, context: secret_files().is_credentials(_at_home(path, context)),
    "@env-file": lambda path, _: secret_files().is_env_file(path),
}
_MAX_PLAIN = 16_384
NAME_CLASSES = frozenset(("@credentials", "@env-file"))
PLACE_CLASSES = frozenset(
    (
        "@outside",
        "@elsewhere",
        "@system",
        "@startup-or-key",
        "@git-internal",
        "@git-unread",
        "@client-settings",
    )
)
"""Classes that the known folder of a path decides, whatever is in it."""
OWN_CLASSES = frozenset(("@own-file", "@own-folder", "@holds-own-file"))
KNOWN_CLASSES = frozenset(
    (
        *("@client-terminal", "@client-process", "@foreign-source", "@foreign-repository"),
        *("@foreign-image", "@production"),
        *(
            "@test-database",
            "@given-test-database",
            "@test-environment",
            "@memory-settings",
            "@own-migrations",
            "@own-cloud",
            "@local-lane",
            "@test-variables",
            "@own-package",
            "@own-dependency",
        ),
    )
)
"""What the names of packages, repositories, databases, sessions and processes say (``gate.known_names``)."""
OPERAND_CLASSES = frozenset(
    ("@upstream", *KNOWN_CLASSES, *WORD_CLASSES, *LOCAL_CLASSES, *REMOTE_CLASSES, *PATH_CLASSES)
)


def _is_upstream(text: str, branch: str | None) -> bool:
    """Whether a word names the checked-out branch, or its upstream branch."""
    if text in ("@{u}", "@{upstream}", "HEAD", "@{push}"):
        return True
    return branch is not None and (text == branch or text.endswith("/" + branch))


_RUNS_CODE = pattern(r"(?:python|pypy|perl|ruby|node|deno|bun|php|lua)")


def _is_rm(inv: Invocation, context: CallContext) -> bool:
    """Whether it is ``rm``, and no code that does the same."""
    is_code = context.code or any(map(_RUNS_CODE.match, inv.command.through))
    return inv.program == "rm" and not is_code


def is_in_class(test: str, word: Word, inv: Invocation, context: CallContext) -> bool:
    """Whether a word belongs to an operand class ("@outside"), or matches a pattern."""
    if not test.startswith("@"):
        return found_in(test, word.text)
    if test in WORD_CLASSES:
        return WORD_CLASSES[test](word)
    if test in KNOWN_CLASSES:
        from operators_edge.gate import known_names  # noqa: PLC0415 - few conditions ask for one

        return known_names.CLASSES[test](word, inv, context)
    if test == "@regenerable" and word.text == "" and word.is_known and _is_rm(inv, context):
        return True  # it names nothing; others take it for the folder that they are in
    base = inv.working_folder(context, word)
    is_absolute = word.text.startswith(("/", "~"))
    if test == "@regenerable" and not is_absolute and not inv.is_surely_in_folder(context):
        return False
    if test == "@regenerable" and word.has_glob and word.text.endswith("/"):
        return False  # some follow the links among these folders
    if test == "@upstream":
        return _is_upstream(word.text, base and context.facts.branch(base))
    if test in NAME_CLASSES:
        return _names_one(test, word, base, inv, context)
    path = context.resolve(word.text, base)
    if path is None and _is_partly_known(test, word.text):
        path = context.resolve(word.text.replace(HOLE, "*"), base)
    return path is not None and _is_path_in_class(test, path, inv, context)


def _holds_no_secret(path: str, context: CallContext) -> bool:
    """Whether it is a file of variables of Terraform that holds plain values alone."""
    if not path.endswith(".tfvars") or path in context.written_texts or path in context.copies:
        return False
    text = context.facts.text(path, _MAX_PLAIN)
    return text is not None and len(text) < _MAX_PLAIN and secret_files().is_plain(text)


def _names_one(
    test: str, word: Word, base: str | None, inv: Invocation, context: CallContext
) -> bool:
    """Whether a word names such a file, alone or at its end: ``HEAD:.env``, ``if=.env``, ``x=@.env``."""
    for text in dict.fromkeys((word.text, compiled(_BEFORE_PATH).sub("", word.text))):
        path = context.resolve(text, base) or _resolve_known_part(text, base, context)
        if path and _is_path_in_class(test, path, inv, context):
            return True
    return False


_BEFORE_PATH = r"^(?:file://|[^/\s]*[:=]@?|@|[\w./-]+:(?=/))"


def _is_partly_known(test: str, text: str) -> bool:
    """Whether the known part of a path is enough for the class; a loop over ``~/.bash*`` gives such paths."""
    if test in OWN_CLASSES:
        return text != HOLE
    return test in PLACE_CLASSES and HOLE in text and not text.startswith(HOLE)


def _resolve_known_part(text: str, base: str | None, context: CallContext) -> str | None:
    """Parts of a path may be known although it is not: enough for classes that judge by name."""
    text = text.replace(HOLE, "x")
    return context.resolve(text, base) or context.resolve("/" + text, base)


def _is_path_in_class(test: str, path: str, inv: Invocation, context: CallContext) -> bool:
    if test in NAME_CLASSES and not inv.command.is_remote:
        for one in context.meant_by(path):
            if PATH_CLASSES[test](one, context) and not _holds_no_secret(one, context):
                return True
        return False
    if test in PATH_CLASSES:
        return PATH_CLASSES[test](path, context)
    if inv.command.is_remote:
        return test in REMOTE_CLASSES or (test == "@regenerable" and paths.is_scratch(path))
    return (LOCAL_CLASSES.get(test) or REMOTE_CLASSES[test])(path, context)


# end of module
