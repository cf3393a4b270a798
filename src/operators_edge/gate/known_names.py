"""What a name says of the thing that it names: a package, a repository, a database, a session or a process.

Owns these classes of operands (``CLASSES``): whose code it is, whether a database is there for tests, and
what belongs to the product or to the client that this session runs in. Does not own the classes of paths, nor
how conditions name a class (``gate.conditions``).
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate import paths
from operators_edge.locations import is_within
from operators_edge.shell.commands import Word
from operators_edge.system.installation import DEPENDENCIES
from operators_edge.text.patterns import compiled, found_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext

_MAX_CONFIG = 65_536

_OWN_PACKAGE = (
    r"(?i)(^|[/=@+#:])operators[-_.]+edge($|[@=<>!~;\[\s#/]|-v?\d|\.(git|whl|tar|tgz|zip)\b)"
)


def _requirement(text: str) -> str:
    """The name of a requirement, as in the metadata of packages."""
    found = compiled(r"[A-Za-z0-9._-]*").match(text)
    return re.sub(r"[-_.]+", "_", found.group().lower()) if found else ""


def _is_clients_terminal(word: Word, inv: Invocation, context: CallContext) -> bool:
    """Whether a socket or session of a terminal multiplexer is the one that the client runs in."""
    if not word.is_known:
        return True
    path = context.resolve(word.text, inv.working_folder(context, word))
    name = os.path.basename(word.text)
    return any(
        path == address or name == os.path.basename(address) or _names_session(name, address)
        for _, address in context.place.terminals
        if address
    )


def _names_session(name: str, address: str) -> bool:
    """Whether ``name`` is a part of a session's name, as ``screen`` takes it: "4711.build.host"."""
    return bool(name) and any(part.startswith(name) for part in address.split(".")[:2])


_SOURCE = (
    # a forge and its owner, a URL, or a Go module with a version
    r"(?i)(?:^|@ ?)(?:(?P<forge>github|gitlab|bitbucket|gist|codeberg|sourcehut):"
    r"|(?:(?:git|hg|svn|tarball|file)\+)?(?:https?|ssh|git)://(?:[^/@\s]*@)?(?P<host>[\w.:-]+)/"
    r"|(?P<module>[\w-]+(?:\.[\w-]+)+)/(?=\S+@))(?P<owner>[\w.~-]+)"
)
_TRUSTED = r"(?i)^(golang\.org/x/|google\.golang\.org/)|^(github:|\S*//github\.com/)nixos/"


_REPOSITORY = (
    r"(?i)(?:^|@ ?)(?:(?:git|hg|svn|bzr)\+|git://|ssh://|(?:github|gitlab|bitbucket|gist|codeberg):"
    r"|https?://(?:[^/@\s]*@)?(?:github|gitlab|bitbucket|codeberg)\.\w+/)"
)
_ON_GITHUB = r"^[\w-]+/[\w.-]+(?:#.*)?$"


def _is_foreign(word: Word, inv: Invocation, context: CallContext) -> bool:
    """Whether a word names code in a repository of somebody else than the project's own owner."""
    found = compiled(_SOURCE).search(word.text)
    if found is None or compiled(_TRUSTED).search(word.text):
        return False
    host = re.escape(found["host"] or found["module"] or f"{found['forge']}.")
    return not _is_remote_of(found["owner"], rf"\b{host}[^/:]*", inv, context)


def _is_remote_of(owner: str, host: str, inv: Invocation, context: CallContext) -> bool:
    """Whether a remote of the repository belongs to an owner; ``host`` is a pattern."""
    base = inv.working_folder(context)
    place = context.facts.repository(base) if base else None
    settings = context.facts.text(f"{place[1]}/config", _MAX_CONFIG) if place else None
    own = rf"(?im)^[ \t]*url[ \t]*=.*{host}[/:]{re.escape(owner)}/[^/\s]+$"
    return compiled(own).search(settings or "") is not None


def _is_foreign_repository(word: Word, inv: Invocation, context: CallContext) -> bool:
    """The same for an installer, which is also given files, folders and names in a registry."""
    path = context.resolve(word.text, inv.working_folder(context))
    if inv.program == "npm" and compiled(_ON_GITHUB).search(word.text):
        is_folder = path is not None and context.facts.names(path) is not None
        return not is_folder and _is_foreign(Word(f"github:{word.text}"), inv, context)
    return found_in(_REPOSITORY, word.text) and _is_foreign(word, inv, context)


_IMAGE = (
    r"(?:(?:docker\.io|index\.docker\.io|ghcr\.io|quay\.io|public\.ecr\.aws|registry\.gitlab\.com|lscr\.io)/)?"
    r"(?P<owner>[\w-]+)/[\w./-]+(?:[:@]\S+)?"
)
"""An image in a registry that everybody may publish to, by its owner."""
_MAKERS = (
    r"library|docker|amazon|aws-\w+|google|googlecontainertools|microsoft|hashicorp|pulumi|opentofu|bitnami"
    r"|alpine|rancher|grafana|gitlab|github|ansible|oracle|heroku|curlimages|minio|rclone|restic|fluxcd|argoproj"
    r"|renovate|snyk|aquasec|bridgecrew|infracost|flyway|liquibase|goreleaser|astral-sh|nixos|devcontainers"
)
"""Who makes the programs that such keys are for, or what everybody builds on."""


def _is_foreign_image(word: Word, inv: Invocation, context: CallContext) -> bool:
    """Whether a word is the image that a container is made of, by somebody that nothing here knows."""
    found = compiled(_IMAGE).fullmatch(word.text)
    if found is None or compiled(_MAKERS).fullmatch(found["owner"]):
        return False
    from operators_edge.gate.disk import images  # noqa: PLC0415 - few calls run a container

    is_run = images.image_of(inv.command) == word.text
    is_built = any(images.makes(one, word.text) for one in context.commands)
    return is_run and not is_built and not _is_remote_of(found["owner"], "", inv, context)


_TEST_NAME = r"(\w+[_-])?tests?([_-]?(db|ing|database))?([_-]\w+)?"
_TEST_DATABASE = (
    rf"^(file:)?:memory:|^{_TEST_NAME}$|(^|/)(test|\w+[_-]test)[\w-]*\.(db|sqlite3?)$"
    rf"|(^|\s)dbname={_TEST_NAME}(\s|$)"
    rf"|^\w+:/{{0,2}}([^@/]*@)?(localhost|127\.0\.0\.1)(:\d+)?/{_TEST_NAME}(\?|$)"
)
_PRODUCTION = r"(?i)(?:^|[^a-z])(?:prod|production|prd|live)(?:[^a-z]|$)"


def _is_production(word: Word, _: Invocation, __: CallContext) -> bool:
    """Whether the name of a server or database says so; who uses it does not count."""
    return found_in(
        _PRODUCTION, compiled(r"//[^/@\s]*@|\b(?:user|password)=\S*").sub("//", word.text)
    )


_OF_A_FILE = r"^(?:sqlite3?:/{0,2}|file:(?://)?)?(?P<path>[^:?]*/[^:?]+)(?:\?.*)?$"


_HOST_VARIABLES = frozenset(("PGHOST", "PGHOSTADDR", "MYSQL_HOST"))
_FAR_HOST = (
    r"(?i)^(?!/|localhost$|127\.|\[?::1|0\.0\.0\.0$|\S*\.(?:local|localhost|internal|test)$)"
    r"(?=\S*(?:\.|prod|live|stag))"
)
"""A host that is neither this machine nor a container's short name."""


_TUNNEL = (
    r"\b(?:auto)?ssh\s(?:[^\n;&|]*\s)?-\w*L|\bport-forward\b|\bcloud[-_]sql[-_]proxy\b|\bsocat\s"
    r"|\bstart-session\b[^\n]*PortForwarding|\btsh\s+proxy\b"
)
"""What leads a port of this machine to another one, in the text that a client is in."""


def _is_on_another_machine(inv: Invocation, context: CallContext) -> bool:
    """Whether an option or a variable of a client surely names a server that others use."""
    hosts = [word.text for word in inv.values(("-h", "--host", "--hostname")) if word.is_known]
    values = context.values_by_name()
    given = inv.command.environment
    if values.get("PGSERVICE") or given.get("PGSERVICE"):  # the server that a file gives that name
        return True
    if found_in(_TUNNEL, context.text):
        return True
    if inv.program == "mysql" and (inv.values(_NAMED_SERVERS) or "--login-path" in inv.arguments):
        named = _hosts_of_files(inv, context)
        if named is None:
            return True
        hosts += named
    hosts += (one for word in inv.command.argv[1:] for one in _host_in(word))
    for name in _HOST_VARIABLES:
        hosts += (*values.get(name, ()), given.get(name, ""))
    return any(host and compiled(_FAR_HOST).search(host) for host in hosts)


_ANOTHER_HOST = r"[?&](?:host|hostaddr|service)=(?!localhost\b(?!\.)|127\.|/|%2F)"
"""A host that an address names behind all else: it goes before the one in front."""


_NAMED_SERVERS = (
    "--defaults-file",
    "--defaults-extra-file",
    "--defaults-group-suffix",
    "--login-path",
)
_HOST_IN_FILE = r"(?m)^[ \t]*(?:host|socket)[ \t]*=[ \t]*['\"]?([^\s'\"#]+)"
_HOST_IN_WORD = r"(?:^|[\s=])(?:host|hostaddr)\s*=\s*'?([^\s']+)"
_SERVICE_IN_WORD = r"(?:^|[\s=])service\s*="


def _hosts_of_files(inv: Invocation, context: CallContext) -> list[str] | None:
    """The hosts in the files of settings that a client of MySQL is given; None if one is not known."""
    if inv.values(_NAMED_SERVERS[2:]) or found_in(
        r"--(?:login-path|defaults-group)", inv.arguments
    ):
        return None
    hosts: list[str] = []
    for word in inv.values(_NAMED_SERVERS):
        path = context.resolve(word.text, inv.working_folder(context)) if word.is_known else None
        text = context.facts.text(path, _MAX_CONFIG) if path else None
        if path is None or text is None or context.is_changed(path) or "!include" in text:
            return None
        hosts += compiled(_HOST_IN_FILE).findall(text)
    return hosts


def _host_in(word: Word) -> list[str]:
    """The hosts in a text of settings: ``host=db dbname=shop``; one that is surely far for a service."""
    if "=" not in word.text or not found_in(r"\bdbname\s*=|\bservice\s*=", word.text):
        return []
    if found_in(_SERVICE_IN_WORD, word.text):
        return ["a.service"]
    return [one for each in compiled(_HOST_IN_WORD).findall(word.text) for one in each.split(",")]


def _is_test_database(word: Word, inv: Invocation, context: CallContext) -> bool:
    """Whether a word surely names a database for tests: by its name, or a file in a temporary folder."""
    if not word.is_known or _is_on_another_machine(inv, context):
        return False
    if compiled(_ANOTHER_HOST).search(word.text):
        return False
    if compiled(_TEST_DATABASE).search(word.text):
        from operators_edge.gate.own import database_clients  # noqa: PLC0415 - few commands name one

        others = database_clients.others_named(inv, context)
        return all(compiled(_TEST_DATABASE).search(one) for one in others)
    file = compiled(_OF_A_FILE).search(word.text)
    if file is None or "://" in file["path"] or word.has_glob:
        return False
    path = context.resolve(file["path"], inv.working_folder(context))
    if path is None or inv.command.is_remote:
        return path is not None and paths.is_scratch(path)
    root = context.place.root
    is_projects = root is not None and is_within(path, os.path.join(root, "tmp"))
    return is_projects or context.is_temporary(path)


def _is_given_test_database(word: Word, inv: Invocation, context: CallContext) -> bool:
    """Whether a variable names a database for tests, and the tool has no other one by its settings."""
    from operators_edge.gate.own import database_settings  # noqa: PLC0415 - few commands are given one

    return _is_test_database(word, inv, context) and not database_settings.names_another(
        word.text, inv, context, lambda text: _is_test_database(Word(text), inv, context)
    )


def _is_test_environment(word: Word, inv: Invocation, context: CallContext) -> bool:
    """Whether an environment is the one for tests, and its settings lead to no other machine."""
    if word.text not in ("test", "testing"):
        return False
    from operators_edge.gate.own import database_settings  # noqa: PLC0415 - few commands have one

    return not database_settings.lead_away(inv, context)


def _keeps_in_memory(word: Word, inv: Invocation, context: CallContext) -> bool:
    """Whether a module of settings surely has no database but those that end with the program."""
    from operators_edge.gate.own import django_settings  # noqa: PLC0415 - few commands name such a module

    return django_settings.keep_in_memory(word, inv, context)


def migrates_own(inv: Invocation, context: CallContext) -> bool:
    """Whether a program only changes databases that are its own, or for tests, by its project's files."""
    if inv.program in _TAKES_ENV_FILE:
        from operators_edge.gate.own import database_settings  # noqa: PLC0415 - few commands migrate

        return database_settings.has_test_database(
            inv, context, lambda text: _is_test_database(Word(text), inv, context)
        )
    return inv.program in _MIGRATE and _has_own_migrations(inv.command.argv[0], inv, context)


def migrates_given(inv: Invocation, context: CallContext) -> bool:
    """The same, or by a variable of the command: all that sets it is known by then."""
    given = inv.command.environment.get("DATABASE_URL", "")
    takes_it = inv.program in _TAKES_VARIABLE and all(word.is_known for word in inv.command.argv)
    if given and takes_it and _is_given_test_database(Word(given), inv, context):
        return True
    return migrates_own(inv, context)


_TAKES_ENV_FILE = frozenset(("prisma", "dbmate", "sqlx", "diesel"))
_TAKES_VARIABLE = frozenset((*_TAKES_ENV_FILE, "knex"))
_MIGRATE = frozenset(("alembic", "artisan", "flyway", "knex"))


def _has_own_migrations(_: Word, inv: Invocation, context: CallContext) -> bool:
    from operators_edge.gate.own import (  # noqa: PLC0415 - few commands migrate
        alembic_projects,
        flyway_projects,
        knex_projects,
        laravel_projects,
    )

    is_own = {
        "alembic": alembic_projects.has_own_database,
        "artisan": laravel_projects.has_test_database,
        "flyway": flyway_projects.has_test_database,
        "knex": knex_projects.has_test_databases,
    }.get(inv.program)
    return is_own is not None and is_own(
        inv, context, lambda text: _is_test_database(Word(text), inv, context)
    )


def _has_own_cloud(_: Word, inv: Invocation, context: CallContext) -> bool:
    from operators_edge.gate.disk import cloud_emulators  # noqa: PLC0415 - few commands change a cloud

    return cloud_emulators.has_own_cloud(inv, context)


def _has_test_variables(word: Word, inv: Invocation, context: CallContext) -> bool:
    from operators_edge.gate.own import laravel_projects  # noqa: PLC0415 - few commands are of Laravel

    return laravel_projects.is_for_tests(
        word, inv, context, lambda text: _is_test_database(Word(text), inv, context)
    )


def _is_local_lane(_: Word, inv: Invocation, context: CallContext) -> bool:
    from operators_edge.gate.own import fastlane_lanes  # noqa: PLC0415 - few commands are of fastlane

    return fastlane_lanes.stays_here(inv, context)


CLASSES: dict[str, Callable[[Word, Invocation, CallContext], bool]] = {
    "@client-terminal": _is_clients_terminal,
    "@foreign-source": _is_foreign,
    "@foreign-image": _is_foreign_image,
    "@production": _is_production,
    "@foreign-repository": _is_foreign_repository,
    "@test-database": _is_test_database,
    "@given-test-database": _is_given_test_database,
    "@test-environment": _is_test_environment,
    "@memory-settings": _keeps_in_memory,
    "@own-migrations": _has_own_migrations,
    "@own-cloud": _has_own_cloud,
    "@local-lane": _is_local_lane,
    "@test-variables": _has_test_variables,
    "@own-package": lambda word, _, __: found_in(_OWN_PACKAGE, word.text),
    "@own-dependency": lambda word, _, __: _requirement(word.text) in DEPENDENCIES,
    "@client-process": lambda word, _, context: (
        not word.is_known or (bool(word.text) and word.text == context.place.client_pid)
    ),
}


# end of module
