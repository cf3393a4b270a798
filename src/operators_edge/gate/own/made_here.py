"""What a line removes that it has made itself: a database for one test, a branch, a temporary clone.

``createdb t1 && make test && dropdb t1`` asks nobody: ``createdb`` fails if there is such a database. Three
things have to hold, and each is checked on its own:

- maker and remover are a pair, about the same name at the same place (``_PAIRS``, ``_is_made``); or the
  command works in a temporary clone (``gate.own.repositories``), a database or a local cluster
  (``gate.own.servers``), or a container (``gate.own.started_here``) that the line has made; a database of
  this machine that is named by the number of the process needs no maker, as nothing else can have that name;
- the remover runs only after the maker has succeeded (``gate.own.line_order``). Not needed if nothing of such
  a name can have been there, or only something for a test (``line_words.is_free_name``);
- no word on the line means something else than it seems to (``line_words.is_unsure``).

Owns these checks and the pairs. Does not own what a removal is (the packs), nor what is inside of a container
(``gate.own.container_runs``). Pure.
"""

from __future__ import annotations

from operators_edge.gate.own import container_runs, started_here
from operators_edge.gate.own.leading_variables import LEADS
from operators_edge.gate.own.line_order import runs_only_after
from operators_edge.gate.own.line_words import (
    NAME,
    ONE,
    Line,
    assigned_name,
    count_before,
    is_free_name,
    is_same_place,
    is_unsure,
    makers,
    matched,
    name_of,
    set_for,
)
from operators_edge.gate.own.servers import (
    CLUSTER,
    COMPOSE,
    CREATEDB,
    ENTERS_PROJECT,
    KIND,
    MINIKUBE,
    OF_MYSQLADMIN,
    SERVER,
    STARTS_PROJECT,
    is_apart,
    is_in_cluster,
    is_local_server,
    lost_with_database,
    makes_cluster,
    server_of,
    texts_fed,
)
from operators_edge.gate.own.throwaway_names import is_throwaway
from operators_edge.shell.commands import OWN_PATH
from operators_edge.shell.scope import OWN_NUMBER
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.model import Finding


class _Pair(NamedTuple):
    """A command that fails if such a thing is there already, and the one that removes it.

    Both are patterns of the words, joined by spaces. ``name`` is what is made, ``names`` what is removed;
    what other groups match has to be the same in both. Only options that are listed may be there: others
    may say that it is somewhere else, or make nothing. A maker that ``takes_over`` what is there already
    does not fail: only a name that is free shows that there was nothing.
    """

    rule: str
    maker: str
    remover: str
    takes_over: bool = False


_SOME = rf"(?P<names>(?: {NAME})+)"
_GIT = r"git(?P<at>(?: -C \S+)?)"
_ENGINE = r"(?P<at>docker|podman)"
_RUN = (
    r"(?: -[dit]+| --(?:rm|detach|init|privileged|pull=\S+)| -[pevwulh] \S+"
    r"| --(?:net(?:work)?|env(?:-file)?|volume|publish|label|user|platform|health-\w+|tmpfs|memory"
    r"|shm-size|hostname|restart|ulimit|cpus)[= ]\S+)*"
)
_CONDA = r"(?P<at>conda|mamba|micromamba)"
_ASKS_SQL = (
    r"(?P<at>(?:psql|mysql|mariadb)(?: -[qXAt]+| -[hpUuPd] ?[^-\s]\S*| -p\S*"
    r"| --(?:host|port|username|user|password|dbname)[= ]\S+| -v ON_ERROR_STOP=1)*"
    r"(?: postgres)?) (?:-[ce] |--(?:command|execute)[= ])"
)
_IN_SQL = r"[\"`]?(?P<%s>[\w$-]+)[\"`]?"
"""A name in SQL, which is one word here: what has spaces in it has underscores for them."""
_PAIRS = (
    _Pair(
        "database-drop-tool",
        rf"{CREATEDB % SERVER} {ONE}",
        rf"dropdb{SERVER}(?: -[fe]| --if-exists| --force)*{_SOME}",
    ),
    _Pair(
        "database-drop-tool",
        rf"mysqladmin(?P<at>{OF_MYSQLADMIN}) create {ONE}",
        rf"mysqladmin(?P<at>{OF_MYSQLADMIN})(?: -f| --force)* drop(?P<names> {NAME})",
    ),
    _Pair(
        "database-drop",
        rf"{_ASKS_SQL}(?i:create_database_){_IN_SQL % 'name'};?",
        rf"{_ASKS_SQL}(?i:drop_database_(?:if_exists_)?){_IN_SQL % 'names'}(?i:_with_\(force\))?;?",
    ),
    _Pair(
        "git-history",
        rf"{_GIT} (?:branch|(?:checkout|switch)(?: -q)? (?:-b|-c|--create)) {ONE}(?: {NAME})?",
        rf"{_GIT} branch(?: -[dDfq]+| --delete| --force)+{_SOME}",
    ),
    _Pair(
        "git-history",
        rf"{_GIT} tag(?: -a| -a?m \S+)* {ONE}(?: {NAME})?",
        rf"{_GIT} tag (?:-d|--delete){_SOME}",
    ),
    _Pair(
        "git-history",
        rf"{_GIT} worktree add(?: -q| -d| --detach| -b \S+)* {ONE}(?: -b \S+)?(?: {NAME})?",
        rf"{_GIT} worktree remove(?: -f| --force)*{_SOME}(?: -f| --force)*",
    ),
    _Pair(
        "deploy-containers",
        rf"{_ENGINE}(?: container)? (?:run|create){_RUN}(?: --name[= ]{ONE})? .*",
        rf"{_ENGINE}(?: container)? (?:rm(?: -[fv]+| --force| --volumes)*|stop(?: -t \S+)?|kill){_SOME}",
    ),
    _Pair(  # one of the same name loses it to the new one
        "deploy-containers",
        rf"{_ENGINE}(?: buildx)? build(?: \S+)*? (?:-t|--tag)[= ]{ONE}(?: .*)?",
        rf"{_ENGINE} (?:image rm|rmi)(?: -f| --force)?{_SOME}",
    ),
    _Pair(
        "deploy-containers",
        rf"{_ENGINE} network create(?: -d \S+| --(?:driver|subnet)[= ]\S+)* {ONE}",
        rf"{_ENGINE} network rm(?: -f)?{_SOME}",
    ),
    _Pair(
        "deploy-kubernetes",
        rf"kind create cluster{CLUSTER}{KIND} (?:-n|--name)[= ]{ONE}{CLUSTER}{KIND}{CLUSTER}",
        rf"kind delete cluster{KIND}(?: -q)? (?:-n|--name)[= ](?P<names>{NAME}){KIND}",
    ),
    _Pair("deploy-kubernetes", rf"k3d cluster create {ONE}(?: .*)?", rf"k3d cluster delete{_SOME}"),
    _Pair(
        "deploy-kubernetes",
        rf"minikube start{MINIKUBE} (?:-p|--profile)[= ]{ONE}{MINIKUBE}",
        rf"minikube delete (?:-p|--profile)[= ](?P<names>{NAME})",
        takes_over=True,
    ),
    _Pair(
        "deploy-containers",
        STARTS_PROJECT,
        rf"{COMPOSE % f'(?P<names>{NAME})'} (?:down|rm)(?: -[vfs]+| -t \S+"
        r"| --(?:volumes|remove-orphans|rmi[= ]local|timeout[= ]\S+|force|stop))*",
        takes_over=True,
    ),
    _Pair(
        "package-global",
        rf"{_CONDA} create(?: -[yq]+)* (?:-n|--name)[= ]{ONE}(?: .*)?",
        rf"{_CONDA} (?:env remove|remove --all)(?: -y| --yes)* (?:-n|--name)[= ](?P<names>{NAME})"
        r"(?: -y| --yes| --all)*",
        takes_over=True,
    ),
    _Pair(
        "deploy-containers",
        rf"{_ENGINE} volume create(?: {ONE})?",
        rf"{_ENGINE} volume rm(?: -f| --force)?{_SOME}",
        takes_over=True,
    ),
)
_OF_WORK = frozenset(("git-history", "database-drop-tool"))
_OF_SERVERS = frozenset(("deploy-containers", "deploy-kubernetes"))
_OF_DATABASES = frozenset(("database-drop", "database-drop-tool"))
_IN_A_CLONE = frozenset(
    (
        *("git-reset-hard", "git-discard", "git-clean", "git-clean-files", "git-history"),
        *("git-remote-moved", "fs-git-internals"),
    )
)
"""What these rules lose is in the working tree, or can be had again where it was cloned from."""
_FOLDERS = "fs-recursive-delete"
_SETTINGS = "git-run-config"
_PUSH_RULES = frozenset(("git-push", "git-push-force"))
_AT_A_PORT = container_runs.DATA | {container_runs.MIGRATES}
_RULES = _IN_A_CLONE.union(
    _PUSH_RULES,
    container_runs.RULES,
    {container_runs.MIGRATES, _FOLDERS},
    (pair.rule for pair in _PAIRS),
)


def without_own(found: list[Finding], line: Line, at: int) -> list[Finding]:
    """The findings on the command at ``at``, without those on what the line has made before it."""
    rules = {one.rule for one in found if not one.source}
    if _SETTINGS in rules and _names_own_settings(line, at):
        return [one for one in found if one.source or one.rule != _SETTINGS]
    if rules.isdisjoint(_RULES) or is_unsure(line, at):
        return found
    own = {pair.rule for pair in _PAIRS if pair.rule in rules and _is_made(pair, line, at)}
    own |= {_FOLDERS} if _FOLDERS in rules and _are_all_made(line, at) else set()
    if own:
        own.add("general-destroy")
    if not rules.isdisjoint(container_runs.DATA):
        own |= lost_with_database(line, at)
    if "deploy-kubernetes" in rules and is_in_cluster(line, at):
        own.add("deploy-kubernetes")
    if not rules.isdisjoint(_PUSH_RULES | _IN_A_CLONE):
        own |= _lost_with_own_repository(rules, line, at)
    if (
        not rules.isdisjoint(container_runs.RULES)
        and (run := started_here.container_of(line, at)) is not None
    ):
        own |= container_runs.lost_with(run, line.invs[at], texts_fed(line, at))
    if not rules.isdisjoint(_AT_A_PORT) and started_here.is_at_port(line, at):
        own |= _AT_A_PORT
    if not rules.isdisjoint(_OF_DATABASES - own) and _empties_those_for_tests(line, at):
        own |= _OF_DATABASES
    return [one for one in found if one.source or one.rule not in own]


def _are_all_made(line: Line, at: int) -> bool:
    from operators_edge.gate.own import made_folders  # noqa: PLC0415 - few lines delete a folder

    return made_folders.are_all_made(line, at)


def _empties_those_for_tests(line: Line, at: int) -> bool:
    from operators_edge.gate.own import clients_for_tests  # noqa: PLC0415 - few lines empty a database

    return clients_for_tests.empties(line, at)


def _names_own_settings(line: Line, at: int) -> bool:
    """Whether a command only says that git reads its settings from a new file of the line's own."""
    from operators_edge.gate.own import git_settings  # noqa: PLC0415 - few lines name such a file

    words = [word.text for word in line.invs[at].command.argv]
    is_all = words[:1] == ["export"] and words[1:] == [f"GIT_CONFIG_GLOBAL={OWN_PATH}"]
    return is_all and git_settings.is_set_by_git_alone(inv.command for inv in line.invs)


def _lost_with_own_repository(rules: set[str], line: Line, at: int) -> set[str]:
    """The rules that are about a repository which the line has made."""
    from operators_edge.gate.own import repositories  # noqa: PLC0415 - few lines change one

    own: set[str] = set()
    if not rules.isdisjoint(_PUSH_RULES) and repositories.is_pushed_into(line, at):
        own |= _PUSH_RULES
    if not rules.isdisjoint(_IN_A_CLONE) and repositories.is_in_clone(line, at):
        own |= _IN_A_CLONE
    return own


def is_own(line: Line, at: int) -> bool:
    """Whether a command only starts, uses or removes servers of data, or a cluster, of the line's own."""
    inv = line.invs[at]
    if is_unsure(line, at):
        return False
    run = started_here.container_of(line, at)
    if run is not None:
        return container_runs.is_client_of(run, inv, texts_fed(line, at))
    if any(_is_made(pair, line, at) for pair in _PAIRS if pair.rule in _OF_SERVERS):
        return True
    if makes_cluster(line, at) or is_in_cluster(line, at):
        return True
    argv = inv.command.argv
    if project := (matched(STARTS_PROJECT, inv, line) or matched(ENTERS_PROJECT, inv, line)):
        from operators_edge.gate.own import compose_projects  # noqa: PLC0415 - few lines have one

        files = set_for(inv, "COMPOSE_FILE").split(":")
        is_new = is_free_name(project["name"]) and is_apart(project["name"], line, at)
        return is_new and compose_projects.has_only_servers(inv, line.context, files)
    if started_here.is_client_at_port(line, at):
        return True
    if (made := container_runs.closed(argv, line.text)) is not None:
        is_one = made.name is None or name_of(made.name, line.text) is not None
        return is_one and container_runs.is_server(made)
    name = container_runs.entered(argv, line.text)
    named = name_of(name, line.text) if name is not None else None
    return named is not None and is_free_name(named)


def _is_test_project(names: set[str], line: Line, at: int) -> bool:
    """Whether a compose project of this machine is for a test by its name, and has all for itself."""
    command = line.invs[at].command
    is_here = not command.is_remote and not any(map(LEADS.fullmatch, command.environment))
    if not is_here:
        return False
    from operators_edge.gate.own import compose_projects  # noqa: PLC0415 - few lines have one

    is_led = compose_projects.is_led_by_settings(line.invs[at], line.context)
    return not is_led and all(is_throwaway(one) and is_apart(one, line, at) for one in names)


def _is_made(pair: _Pair, line: Line, at: int) -> bool:
    removed = matched(pair.remover, line.invs[at], line)
    if removed is None:
        return False
    left = set(removed.pop("names").split())
    if pair.maker == STARTS_PROJECT and _is_test_project(left, line, at):
        return True
    if pair.rule in _OF_DATABASES and is_local_server(line.invs[at], server_of(line.invs[at])):
        left = {name for name in left if OWN_NUMBER not in name}
    for each, given in makers(pair.maker, line, count_before(line, at)):
        made, maker = dict(given), line.invs[each]
        name = made.pop("name") or assigned_name(line, each)
        is_free = is_free_name(name, is_work=pair.rule in _OF_WORK)
        if not is_same_place(maker, line.invs[at]):
            continue
        is_sure = is_free and is_apart(name, line, at) if pair.takes_over else is_free
        if made == removed and (
            is_sure or (not pair.takes_over and runs_only_after(each, line, at))
        ):
            left.discard(name)
    if left and pair.rule == "deploy-containers":
        left -= started_here.names_made(line, at)
    return not left


# end of module
