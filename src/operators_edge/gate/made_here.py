"""What a line removes that it has made itself: a database for one test, a branch, a temporary clone.

``createdb t1 && make test && dropdb t1`` asks nobody: ``createdb`` fails if there is such a database. Three
things have to hold, and each is checked on its own:

- maker and remover are a pair, about the same name at the same place (``_PAIRS``, ``_is_made``); or the
  command works in a temporary clone, a database, a local cluster or a container that the line has made
  (``_is_in_own_clone``, ``_is_in_own_database``, ``_is_in_own_cluster``, ``_own_container``,
  ``_is_at_own_port``); a database of this machine that is named by the number of the process needs no
  maker, as nothing else can have that name;
- the remover runs only after the maker has succeeded: ``&&`` joins all between them, or a script ends at the
  first failure (``_runs_only_after``). Not needed if nothing of such a name can have been there, or only
  something for a test (``_is_free``);
- no word on the line means something else than it seems to (``_is_unsure``).

Owns these checks and the pairs. Does not own what a removal is (the packs), nor what is inside of a container
(``gate.container_runs``). Pure.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate import container_runs
from operators_edge.locations import is_within
from operators_edge.shell.commands import OWN_PATH, SOURCING
from operators_edge.shell.scope import OWN_NUMBER
from operators_edge.text.patterns import compiled, found_in, pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext
    from operators_edge.model import Finding
    from operators_edge.shell.commands import Command, Script, Word


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


_NAME = r"[^-\s]\S*"
_ONE = rf"(?P<name>{_NAME})"
_SOME = rf"(?P<names>(?: {_NAME})+)"
_SERVER = r"(?P<at>(?: -[hpU] ?\S+| --(?:host|port|username)[= ]\S+| -w)*)"
_GIT = r"git(?P<at>(?: -C \S+)?)"
_ENGINE = r"(?P<at>docker|podman)"
_RUN = (
    r"(?: -[dit]+| --(?:rm|detach|init|privileged|pull=\S+)| -[pevwulh] \S+"
    r"| --(?:net(?:work)?|env(?:-file)?|volume|publish|label|user|platform|health-\w+|tmpfs|memory"
    r"|shm-size|hostname|restart|ulimit|cpus)[= ]\S+)*"
)
_CLUSTER = r"(?: --(?:config|image|wait)[= ]\S+| --retain| -q)*"
_COMPOSE = (
    r"(?:docker compose|docker-compose|podman compose|podman-compose)(?: (?:-f|--file|--profile)[= ]\S+)*"
    r" (?:-p|--project-name)[= ]%s(?: (?:-f|--file|--profile)[= ]\S+)*"
)
_STARTS_PROJECT = rf"{_COMPOSE % _ONE} (?:up|run|create)(?: .*)?"
_ENTERS_PROJECT = (
    rf"{_COMPOSE % _ONE} exec(?: -T| -it?| --no-TTY| (?:-u|--user|-w|--workdir)[= ]\S+)*"
    r" (?P<service>[\w.-]+) .*"
)
_CONDA = r"(?P<at>conda|mamba|micromamba)"
_MINIKUBE = r"(?: --(?:driver|cpus|memory|nodes|kubernetes-version|wait)[= ]\S+)*"
_CREATEDB = r"createdb%s(?: -e| -[OTE] \S+| --(?:owner|template|encoding|locale)[= ]\S+)*"
_OF_MYSQLADMIN = r"(?: -[uhP] ?\S+| -p\S*| --(?:user|host|port|password|protocol)=\S+)*"
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
        rf"{_CREATEDB % _SERVER} {_ONE}",
        rf"dropdb{_SERVER}(?: -[fe]| --if-exists| --force)*{_SOME}",
    ),
    _Pair(
        "database-drop-tool",
        rf"mysqladmin(?P<at>{_OF_MYSQLADMIN}) create {_ONE}",
        rf"mysqladmin(?P<at>{_OF_MYSQLADMIN})(?: -f| --force)* drop(?P<names> {_NAME})",
    ),
    _Pair(
        "database-drop",
        rf"{_ASKS_SQL}(?i:create_database_){_IN_SQL % 'name'};?",
        rf"{_ASKS_SQL}(?i:drop_database_(?:if_exists_)?){_IN_SQL % 'names'}(?i:_with_\(force\))?;?",
    ),
    _Pair(
        "git-history",
        rf"{_GIT} (?:branch|(?:checkout|switch)(?: -q)? (?:-b|-c|--create)) {_ONE}(?: {_NAME})?",
        rf"{_GIT} branch(?: -[dDfq]+| --delete| --force)+{_SOME}",
    ),
    _Pair(
        "git-history",
        rf"{_GIT} tag(?: -a| -a?m \S+)* {_ONE}(?: {_NAME})?",
        rf"{_GIT} tag (?:-d|--delete){_SOME}",
    ),
    _Pair(
        "git-history",
        rf"{_GIT} worktree add(?: -q| -d| --detach| -b \S+)* {_ONE}(?: -b \S+)?(?: {_NAME})?",
        rf"{_GIT} worktree remove(?: -f| --force)*{_SOME}(?: -f| --force)*",
    ),
    _Pair(
        "deploy-containers",
        rf"{_ENGINE}(?: container)? (?:run|create){_RUN}(?: --name[= ]{_ONE})? .*",
        rf"{_ENGINE}(?: container)? (?:rm(?: -[fv]+| --force| --volumes)*|stop(?: -t \S+)?|kill){_SOME}",
    ),
    _Pair(  # one of the same name loses it to the new one
        "deploy-containers",
        rf"{_ENGINE}(?: buildx)? build(?: \S+)*? (?:-t|--tag)[= ]{_ONE}(?: .*)?",
        rf"{_ENGINE} (?:image rm|rmi)(?: -f| --force)?{_SOME}",
    ),
    _Pair(
        "deploy-containers",
        rf"{_ENGINE} network create(?: -d \S+| --(?:driver|subnet)[= ]\S+)* {_ONE}",
        rf"{_ENGINE} network rm(?: -f)?{_SOME}",
    ),
    _Pair(
        "deploy-kubernetes",
        rf"kind create cluster{_CLUSTER} (?:-n|--name)[= ]{_ONE}{_CLUSTER}",
        rf"kind delete cluster(?: -q)? (?:-n|--name)[= ](?P<names>{_NAME})",
    ),
    _Pair(
        "deploy-kubernetes", rf"k3d cluster create {_ONE}(?: .*)?", rf"k3d cluster delete{_SOME}"
    ),
    _Pair(
        "deploy-kubernetes",
        rf"minikube start{_MINIKUBE} (?:-p|--profile)[= ]{_ONE}{_MINIKUBE}",
        rf"minikube delete (?:-p|--profile)[= ](?P<names>{_NAME})",
        takes_over=True,
    ),
    _Pair(
        "deploy-containers",
        _STARTS_PROJECT,
        rf"{_COMPOSE % f'(?P<names>{_NAME})'} (?:down|rm)(?: -[vfs]+| -t \S+"
        r"| --(?:volumes|remove-orphans|rmi[= ]local|timeout[= ]\S+|force|stop))*",
        takes_over=True,
    ),
    _Pair(
        "package-global",
        rf"{_CONDA} create(?: -[yq]+)* (?:-n|--name)[= ]{_ONE}(?: .*)?",
        rf"{_CONDA} (?:env remove|remove --all)(?: -y| --yes)* (?:-n|--name)[= ](?P<names>{_NAME})"
        r"(?: -y| --yes| --all)*",
        takes_over=True,
    ),
    _Pair(
        "deploy-containers",
        rf"{_ENGINE} volume create {_ONE}",
        rf"{_ENGINE} volume rm(?: -f| --force)?{_SOME}",
        takes_over=True,
    ),
)
_MAKES_DATABASE = rf"(?:{_CREATEDB % _SERVER}|mysqladmin{_OF_MYSQLADMIN} create) {_ONE}"
_MAKES_CLUSTER = (
    rf"kind create cluster(?: (?:-n|--name)[= ]{_NAME}|{_CLUSTER})*|k3d cluster create(?: {_NAME})?"
    r"(?: -[asp] \S+| --(?:agents|servers|port|image|wait|timeout)(?:[= ]\S+)?)*"
    rf"|minikube start(?: (?:-p|--profile)[= ](?P<context>{_NAME})|{_MINIKUBE})*"
)
"""Each makes its cluster the current one of kubectl and helm; minikube calls it by the profile's name."""
_IN_CLUSTER = (
    r"(?:kubectl|helm)(?: --(?:kube-)?context[= ](?P<context>\S+)"
    r"| (?!-s\b|--(?:context|server|cluster|kubeconfig|user|as|kube-\w+)\b)\S+)*"
)
_OTHER_CLUSTER = r"(?i)(?:use|set)-context|set-cluster|kubectx|kubeconfig|kubie|credentials|login\b"
_UNSURE = frozenset(
    (
        *("@unknown", "alias", "enable", "eval", "hash", "ln"),
        *("mapfile", "mount", "mv", "read", "trap"),
    )
)
"""Programs that make a name mean something else, or put in place what the line has not made."""
_SIGNALS = frozenset(
    f"{sig}{name}" for sig in ("", "SIG") for name in ("0", "EXIT", "INT", "TERM", "HUP", "QUIT")
)
"""Those after which a shell ends; what a trap for them runs is judged as the end of the line."""
_SETS = frozenset(("export", "declare", "typeset", "local", "readonly", "let"))
_MOVED_BY = pattern(
    r"PATH|GIT_\w+|(?:DOCKER|CONTAINER|COMPOSE)_(?!(?:PROJECT_NAME|FILE)$)\w+|PG(HOST|PORT|SERVICE\w*)"
)
_RENAMES = (
    r"(?i)\b(?:rename|update-ref|symbolic-ref|printf\s+-v)\b"
    r"|\bbranch\s+(?:-\S+\s+)*(?:-\w*[mc]|--move|--copy)"
)
"""What has been made may get another name, and something else its name."""

_THROWAWAY = (
    r"(?i)(?!.*(?:prod|live|stag|shared))(?:[\w.:/]+[_-])*"
    r"(?:tests?|itests?|e2e|tmp|temp|scratch|throwaway|smoke|repro|try|trial|ci)(?:[_:.-][\w.]+)*"
)
"""Names of what is there for a test alone."""
_SINGLE = pattern(
    r"\"?(?P<before>[\w.=/-]*)\$(?:(?P<name>\w+)|\{(?P<braced>\w+)\})(?P<after>[\w.-]*)\"?"
)
_TEXT_OF_TRAP = pattern(r"['\"]([^`*?\[\]~()!#<\\]*)['\"]")
"""One in which nothing but a variable has a value that is not known before."""
_RANDOM = (
    r"[\"']?[\w.-]*(?:\$\{?RANDOM\}?"
    r"|\$\((?:date \+%s\w*|uuidgen|openssl rand -hex \d+|mktemp -u\b[^()|;&\n]*)\))"
    r"[\w.-]*[\"']?(?=[\s;&)]|$)"
)
"""What no other name contains: a variable with such a value names what the line makes."""
_NEW_CONTAINER = (
    r"\"?\$\((?:docker|podman)(?: container)?"
    r" (?:create|run(?: --rm| -[itP]+| (?:-[ep]|--name|--env|--publish)[= ][^\s()|;&]+)*"
    r" (?:-[it]*d[it]*|--detach))"
    r" [^()|;&\n]*\)"
)
"""The id of a new container."""

_TUNNELS = frozenset(
    ("ssh", "autossh", "socat", "kubectl", "oc", "cloud-sql-proxy", "cloud_sql_proxy", "tsh", "aws")
)
_DOCKERS = frozenset(("docker", "podman", "nerdctl"))
_ENDS = frozenset(("rm", "stop", "kill", "restart", "pause", "compose"))

_MAX_FED = 262_144
_LATER = ("trap", "function")
"""Steps to a command that say when it runs, not where."""
_OF_WORK = frozenset(("git-history", "database-drop-tool"))
_OF_DATABASES = frozenset(("database-drop", "database-drop-tool"))
_IN_A_CLONE = frozenset(
    ("git-reset-hard", "git-discard", "git-clean", "git-clean-files", "git-history")
)
"""What these rules lose is in the working tree, or can be had again where it was cloned from."""
_SETTINGS = "git-run-config"
_PUSH_RULES = frozenset(("git-push", "git-push-force"))
_AT_A_PORT = container_runs.DATA | {container_runs.MIGRATES}
_RULES = _IN_A_CLONE.union(
    _PUSH_RULES, container_runs.RULES, {container_runs.MIGRATES}, (pair.rule for pair in _PAIRS)
)

_WORKS = (
    r"git(?: -C \S+| --git-dir[= ](?P<dir>\S+))?"
    r" (?:reset|checkout|restore|clean|branch|tag|stash|rebase|commit|reflog|gc|prune|filter-branch"
    r"|filter-repo(?!.*--(?:source|target)\b))(?: .*)?"
    r"|bfg(?: --?[\w-]+(?: [^-/.\s][^/\s]*)?)*"
)
"""What changes a repository alone: the one around the folder, or the one that is named."""
_INIT = rf"git init(?: -q| --quiet| (?:-b|--initial-branch)[= ]\S+)*(?: {_ONE})?"
_PUSHES = (
    r"git push(?: -[quf]+| --(?:quiet|force|all|tags|mirror|set-upstream))*"
    rf" (?P<place>{_NAME})(?: \S+)*"
)
_LEADS_GIT_ON = r"(?i)insteadof|pushurl|\balternates\b|receive-?pack|\bremote\b|template"
_CLONE = (
    r"git clone(?: -[qnl]+| --(?:quiet|no-checkout|single-branch|no-hardlinks|local|no-local|no-tags|mirror)"
    r"| --bare| --(?:depth|filter)[= ]\S+| (?:-b|--branch)[= ]\S+)*"
    rf" (?P<source>{_NAME})(?: {_ONE})?"
)

_KEEPS_ENDING = pattern(r"(?:-[a-zA-Z]*o \w+|-[a-zA-Z]+|[ ])*")
"""Words of ``set`` that do not undo ``set -e``."""
_SETS_ENDING = pattern(r"(?:-[a-zA-Z]+ )*(?:-[a-zA-Z]*e|-[a-zA-Z]*o errexit)")
_ASSIGNS_OUTPUT = pattern(r"\b\w+=\"?\$\(\s*$")
_BEFORE = pattern(r"(^|[;\n]|&&)\s*$")
_REDIRECTION = r"\d?>&?\s*(?:\d|/dev/null)|&>\s*/dev/null"
_NEXT = pattern(rf"(?:{_REDIRECTION}|[ \t]|\\\n)*(?=&&)")
_TOKEN = pattern(
    rf"[ \t]+|\\\n|(?:&&|\|(?!\|))\s*|(?P<end>;\s*done\b)|(?P<line>[;\n])|{_REDIRECTION}"
    r"|(?P<open>\(|(?:until|while)\b|for\s+\w+\s+in\s[^;&|\n()]*;\s*do\b)|\bdo\b|(?P<close>\))"
)


class Line(NamedTuple):
    """A text, what it is read as, and its commands in order."""

    text: str
    script: Script
    invs: Sequence[Invocation]
    context: CallContext


def without_own(found: list[Finding], line: Line, at: int) -> list[Finding]:
    """The findings on the command at ``at``, without those on what the line has made before it."""
    rules = {one.rule for one in found if not one.source}
    if _SETTINGS in rules and _names_own_settings(line, at):
        return [one for one in found if one.source or one.rule != _SETTINGS]
    if rules.isdisjoint(_RULES) or _is_unsure(line, at):
        return found
    own = {pair.rule for pair in _PAIRS if pair.rule in rules and _is_made(pair, line, at)}
    if own:
        own.add("general-destroy")
    if not rules.isdisjoint(container_runs.DATA):
        own |= _lost_with_own_database(line, at)
    if "deploy-kubernetes" in rules and _is_in_own_cluster(line, at):
        own.add("deploy-kubernetes")
    if not rules.isdisjoint(_PUSH_RULES) and _is_into_own_repository(line, at):
        own |= _PUSH_RULES
    if not rules.isdisjoint(_IN_A_CLONE) and _is_in_own_clone(line, at):
        own |= _IN_A_CLONE
    if not rules.isdisjoint(container_runs.RULES) and (run := _own_container(line, at)) is not None:
        own |= container_runs.lost_with(run, line.invs[at], _fed(line, at))
    if not rules.isdisjoint(_AT_A_PORT) and _is_at_own_port(line, at):
        own |= _AT_A_PORT
    return [one for one in found if one.source or one.rule not in own]


def _names_own_settings(line: Line, at: int) -> bool:
    """Whether a command only says that git reads its settings from a new file of the line's own."""
    from operators_edge.gate import git_hooks  # noqa: PLC0415 - few lines name such a file

    words = [word.text for word in line.invs[at].command.argv]
    is_all = words[:1] == ["export"] and words[1:] == [f"GIT_CONFIG_GLOBAL={OWN_PATH}"]
    return is_all and git_hooks.is_set_by_git_alone(inv.command for inv in line.invs)


def is_own(line: Line, at: int) -> bool:
    """Whether a command only starts, uses or removes servers of data in containers of the line's own."""
    inv = line.invs[at]
    if _is_unsure(line, at):
        return False
    run = _own_container(line, at)
    if run is not None:
        return container_runs.is_client_of(run, inv, _fed(line, at))
    if any(_is_made(pair, line, at) for pair in _PAIRS if pair.rule == "deploy-containers"):
        return True
    argv = inv.command.argv
    if project := (_matched(_STARTS_PROJECT, inv, line) or _matched(_ENTERS_PROJECT, inv, line)):
        from operators_edge.gate import compose_projects  # noqa: PLC0415 - few lines have one

        files = _set_for(inv, "COMPOSE_FILE").split(":")
        is_new = _is_free(project["name"]) and _is_apart(project["name"], line, at)
        return is_new and compose_projects.has_only_servers(inv, line.context, files)
    made = container_runs.closed(argv, line.text)
    name = made.name if made is not None else container_runs.entered(argv, line.text)
    named = _name_of(name, line.text) if name is not None else None
    is_server = made is None or container_runs.is_server(made)
    return named is not None and _is_free(named) and is_server


def _is_unsure(line: Line, at: int) -> bool:
    """Whether a name may mean another program, server or thing than it seems to."""
    before = _before(line, at)
    return (
        any(_MOVED_BY.fullmatch(name) for name, _ in line.script.variables)
        or any(inv.program in _UNSURE and not _waits_for_end(inv) for inv in before)
        or any(word.text in SOURCING for inv in before for word in inv.command.argv[:1])
        or any(inv.program in _SETS and not _sets_known(inv) for inv in before)
        or found_in(_RENAMES, f"{line.text}\n{line.context.code}")
    )


def _waits_for_end(inv: Invocation) -> bool:
    signals = [word.text for word in inv.command.argv[2:] if word.is_known]
    return inv.program == "trap" and bool(signals) and _SIGNALS.issuperset(signals)


def _sets_known(inv: Invocation) -> bool:
    return all(re.match(r"-|[A-Za-z_]\w*(=|$)", word.text) for word in inv.command.argv[1:])


def _is_made(pair: _Pair, line: Line, at: int) -> bool:
    removed = _matched(pair.remover, line.invs[at], line)
    if removed is None:
        return False
    left = set(removed.pop("names").split())
    if pair.rule in _OF_DATABASES and _is_local(line.invs[at], _server_of(line.invs[at])):
        left = {name for name in left if OWN_NUMBER not in name}
    for each, maker in enumerate(_before(line, at)):
        made = _matched(pair.maker, maker, line)
        if made is None:
            continue
        name = made.pop("name") or _assigned(line, each)
        is_free = _is_free(name, is_work=pair.rule in _OF_WORK)
        if not _is_same_place(maker, line.invs[at], is_free=is_free):
            continue
        is_sure = is_free and _is_apart(name, line, at) if pair.takes_over else is_free
        if made == removed and (
            is_sure or (not pair.takes_over and _runs_only_after(each, line, at))
        ):
            left.discard(name)
    return not left


def _matched(pattern: str, inv: Invocation, line: Line) -> dict[str, str] | None:
    """The groups of a pattern in the words of a command; None if it has another form, or unknown words."""
    command = inv.command
    if command.has_more_words or inv.is_help() or inv.is_dry_run():
        return None
    is_in_trap = "trap" in command.through
    words = [_name_of(word, line.text, is_in_trap=is_in_trap) for word in command.argv]
    if None in words:
        return None
    text = " ".join(map(str, words))
    if "COMPOSE_" in line.text and (given := _compose_options(inv)):
        text = re.sub(r"^(docker compose|docker-compose)\b", rf"\1{given}", text)
    match = compiled(rf"(?:{pattern})$").match(text)
    return match and {key: value or "" for key, value in match.groupdict().items()}


def _compose_options(inv: Invocation) -> str:
    """The options that variables stand for: those of a project's name, and of its files without others."""
    project, files = _set_for(inv, "COMPOSE_PROJECT_NAME"), _set_for(inv, "COMPOSE_FILE").split(":")
    words = {word.text for word in inv.command.argv}
    named = [] if words & {"-f", "--file"} else [f" -f {one}" for one in files if one]
    return "".join(named) + (f" -p {project}" if project else "")


def _set_for(inv: Invocation, name: str) -> str:
    """The value of a variable that a command certainly gets from the line; "" if that is not known."""
    value = inv.command.environment.get(name, "")
    return value if re.fullmatch(r"[\w./:-]+", value) else ""


def _name_of(word: Word, text: str, *, is_in_trap: bool = False) -> str | None:
    """A word as it is compared: its text, or the variable in it that names something new; None if unknown."""
    if word.is_known:
        return re.sub(r"\s", "_", word.text)
    source = text[slice(*word.span)]
    if is_in_trap and (
        quoted := _TEXT_OF_TRAP.fullmatch(source)
    ):  # its words have the place of all
        source = " ".join(part for part in quoted[1].split() if "$" in part)
    found = _SINGLE.fullmatch(source)
    if found is None:
        return None
    name = found["name"] or found["braced"]
    if len(re.findall(rf"(?<![\w$])(?<!\$\{{){name}\b", text)) != 1:
        return None  # it may be changed
    is_new = found_in(rf"(?<![\w$]){name}=(?:{_RANDOM}|{_NEW_CONTAINER})", text)
    return f"{found['before']}${name}{found['after']}" if is_new else None


def _is_free(name: str, *, is_work: bool = False) -> bool:
    """Whether nothing can have had that name before the line, or nothing but what is there for a test.

    What is a person's ``work``, as the commits of a branch, may have such a name, too.
    """
    is_new = "$" in name or OWN_NUMBER in name or OWN_PATH in name
    return is_new or (not is_work and compiled(_THROWAWAY).fullmatch(name) is not None)


def _is_apart(name: str, line: Line, at: int) -> bool:
    """Whether what is removed shares nothing with what has another name, as projects of compose may."""
    inv = line.invs[at]
    if "compose" not in " ".join(word.text for word in inv.command.argv[:2]):
        return True
    from operators_edge.gate import compose_projects  # noqa: PLC0415 - few lines have one

    files = _set_for(inv, "COMPOSE_FILE").split(":")
    return compose_projects.is_apart(name, inv, line.context, dict(line.script.files), files)


def _assigned(line: Line, at: int) -> str:
    """The variable that gets what a command prints: ``id=$(docker run …)``; "" for none."""
    found = re.search(r"(\w+)=\"?\$\(\s*$", line.text[: line.invs[at].command.span[0]])
    return f"${found[1]}" if found else ""


def _before(line: Line, at: int) -> Sequence[Invocation]:
    """What runs before a command: all others, if a trap runs it."""
    return line.invs if "trap" in line.invs[at].command.through else line.invs[:at]


def _is_same_place(maker: Invocation, remover: Invocation, *, is_free: bool = False) -> bool:
    """Whether both act on the same server or folder; when they run counts, too, unless the name is free."""
    first, second = maker.command, remover.command
    through = first.through[:-1] if first.through[-1:] == ("$(…)",) else first.through
    given, removed = ([(name, word.text) for name, word in one.assigns] for one in (first, second))
    if not all(word.is_known for _, word in first.assigns):
        return False
    other = second.through
    if is_free:
        through, other = (
            tuple(one for one in steps if one not in _LATER) for steps in (through, other)
        )
    return (through, given, first.is_remote, first.cwd) == (
        *(other, removed, second.is_remote),
        second.cwd if remover.program == "git" else first.cwd,
    )


def _lost_with_own_database(line: Line, at: int) -> frozenset[str]:
    """The rules on a client that are about the database that it works in, if the line has made that."""
    from operators_edge.gate import database_clients  # noqa: PLC0415 - for few lines

    inv = line.invs[at]
    entered = _matched(database_clients.CLIENT, inv, line)
    if entered is None or not database_clients.stays_inside(inv, line.context):
        return frozenset()
    name = database_clients.name_of(entered)
    server = database_clients.server_of(inv.arguments, entered)
    is_free = _is_free(name, is_work=True)
    is_own = (is_free and _is_local(inv, server)) or any(
        made["name"] == name
        and _server_of(line.invs[each]) == server
        and _is_same_place(line.invs[each], inv, is_free=is_free)
        and (is_free or _runs_only_after(each, line, at))
        for each in range(at)
        if (made := _matched(_MAKES_DATABASE, line.invs[each], line)) is not None
    )
    return database_clients.rules_of(inv) if is_own else frozenset()


def _server_of(inv: Invocation) -> tuple[str, str]:
    from operators_edge.gate import database_clients  # noqa: PLC0415 - for few lines

    return database_clients.server_of(inv.arguments, {})


def _is_local(inv: Invocation, server: tuple[str, str]) -> bool:
    """Whether a client reaches a server of this machine, as its words and its variables say."""
    from operators_edge.gate import database_clients  # noqa: PLC0415 - for few lines

    is_moved = any(map(_MOVED_BY.fullmatch, inv.command.environment))
    return database_clients.is_local(server) and not (is_moved or inv.command.is_remote)


def _is_in_own_cluster(line: Line, at: int) -> bool:
    """Whether a command reaches the cluster that the line itself has made, and no other."""
    reached = _matched(_IN_CLUSTER, line.invs[at], line)
    text = line.text
    if _set_for(line.invs[at], "KUBECONFIG").startswith(OWN_PATH):
        text = text.replace("KUBECONFIG=", "")  # a new file leads to no cluster but the line's own
    if found_in(_OTHER_CLUSTER, text) or reached is None:
        return False
    named = reached["context"]
    for each in range(at):
        made = _matched(_MAKES_CLUSTER, line.invs[each], line)
        is_named = made is not None and named in ("", made["context"])
        is_there = (bool(named) and _is_free(named)) or _runs_only_after(each, line, at)
        if is_named and is_there and _is_same_place(line.invs[each], line.invs[at], is_free=True):
            return True
    return False


def _fed(line: Line, at: int) -> str:
    """The texts that files may give a command, by whatever reads one in the text around it."""
    if line.invs[at].command.stdin_kind not in ("file", "pipe"):
        return ""
    names = [
        word
        for one in line.context.file_feeders
        for word in (*(each.target for each in one.redirects if each.op == "<"), *_read_by_cat(one))
    ]
    texts = [
        line.context.facts.text(path, _MAX_FED) for word in names if (path := _path(word, line))
    ]
    return "\n".join(text or "" for text in texts)


def _read_by_cat(command: Command) -> tuple[Word, ...]:
    return command.argv[1:] if [word.text for word in command.argv[:1]] == ["cat"] else ()


def _path(word: Word, line: Line) -> str | None:
    return line.context.resolve(word.text, line.context.cwd) if word.is_known else None


def _own_container(line: Line, at: int) -> container_runs.Run | None:
    """The container that a command runs in, if the line has made it, with nothing of the machine in it."""
    inner = line.invs[at].command
    step = container_runs.step_of(inner)
    outer = [
        each
        for each, inv in enumerate(line.invs[:at])
        if step is not None
        and inv.command.through == inner.through[:step]
        and inv.command.span[0] <= inner.span[0]
        and inner.span[1] <= inv.command.span[1]
    ]
    if not outer:
        return None
    entering = line.invs[outer[-1]]  # a function may be called before, too
    way = inner.through[step or 0]
    if way.endswith("compose exec"):
        return _own_service(line, outer[-1])
    if not way.endswith(" exec"):
        run = container_runs.closed(entering.command.argv, line.text)
        return run if run and (run.name is None or _name_of(run.name, line.text)) else None
    name = container_runs.entered(entering.command.argv, line.text)
    reached = name and _name_of(name, line.text)
    for each in range(outer[-1]):
        run = container_runs.closed(line.invs[each].command.argv, line.text)
        if run is None or not reached or run.engine != entering.command.argv[0].text:
            continue
        is_free = _is_free(reached)
        if not _is_same_place(line.invs[each], entering, is_free=is_free):
            continue
        given = _name_of(run.name, line.text) if run.name else _assigned(line, each)
        if given == reached and (is_free or _runs_only_after(each, line, outer[-1])):
            return run
    return None


def _own_service(line: Line, at: int) -> container_runs.Run | None:
    """The container of a service in a compose project of the line itself, if nothing is let into it."""
    entering = line.invs[at]
    entered = _matched(_ENTERS_PROJECT, entering, line)
    if entered is None or not _is_free(entered["name"]) or not _is_apart(entered["name"], line, at):
        return None
    for maker in line.invs[:at]:
        started = _matched(_STARTS_PROJECT, maker, line)
        is_same = started is not None and started["name"] == entered["name"]
        if is_same and _is_same_place(maker, entering, is_free=True):
            from operators_edge.gate import compose_projects  # noqa: PLC0415 - few lines have one

            files = _set_for(entering, "COMPOSE_FILE").split(":")
            return compose_projects.service(entered["service"], entering, line.context, files)
    return None


def _is_at_own_port(line: Line, at: int) -> bool:
    """Whether a client reaches the server in a container that the line itself has started."""
    for each in range(at):
        run = container_runs.closed(line.invs[each].command.argv, line.text)
        is_ours = run is not None and (
            container_runs.is_reached(run, line.invs[at])
            or container_runs.is_reached_by_address(run, line.invs[at])
        )
        is_kept = not any(_may_take_port(inv, line) for inv in line.invs[each + 1 : at])
        is_plain = is_ours and is_kept and not line.invs[each].command.through
        if is_plain and _runs_only_after(each, line, at):
            return True
    return False


def _may_take_port(inv: Invocation, line: Line) -> bool:
    """Whether a command may end a container, or lead its port somewhere else, before what follows it."""
    words = [word.text for word in inv.command.argv[1:3]]
    if inv.program not in _TUNNELS and (inv.program not in _DOCKERS or _ENDS.isdisjoint(words)):
        return False
    from operators_edge.shell import failures  # noqa: PLC0415 - for few lines

    return "trap" not in inv.command.through or not failures.traps_wait_for_end(line.text)


def _is_in_own_clone(line: Line, at: int) -> bool:
    """Whether a command works in a temporary repository that the line itself has made."""
    invs, context = line.invs, line.context
    works = _matched(_WORKS, invs[at], line)
    folder = invs[at].working_folder(context)
    if works is None or invs[at].command.assigns:
        return False
    folder = context.resolve(works["dir"], folder) if works["dir"] else folder
    if folder is None or not context.is_temporary(f"{folder}/x") or "worktree" in line.text:
        return False
    moves = [each for each in range(at) if invs[each].program in ("cd", "pushd")]
    for each in range(at):
        made = _matched(_INIT, invs[each], line) or _matched(_CLONE, invs[each], line)
        if made is None or invs[each].command.assigns:
            continue
        named = made["name"] or os.path.basename(made.get("source", "")).removesuffix(".git")
        place = context.resolve(named or ".", invs[each].working_folder(context))
        is_there = place is not None and is_within(folder, place) and _is_new(place, context)
        # Below a new folder there is nothing that can be meant if the clone has failed.
        is_new = not moves and place is not None and place.startswith(f"{OWN_PATH}/")
        is_new |= _stays_in_own(invs[: at + 1], context)
        ends = all(_ends_at_failure(one, line, at) for one in (each, *moves))
        if is_there and (is_new or ends or _runs_only_after(min([each, *moves]), line, at)):
            return True
    return False


def _is_into_own_repository(line: Line, at: int) -> bool:
    """Whether a push goes into a new bare repository of this machine that nothing else has changed."""
    pushed = _matched(_PUSHES, line.invs[at], line)
    if pushed is None or line.invs[at].command.assigns or found_in(_LEADS_GIT_ON, line.text):
        return False
    place = _folder(pushed["place"], line.invs[at], line)
    if place is None or not line.context.is_temporary(place) or not _is_new(place, line.context):
        return False
    is_there = line.context.facts.names(place) is not None
    named = [one for one in line.invs[:at] if _names(one, place, line)]
    made = [one for one in named if _makes_bare(one)]
    return not is_there and bool(made) and all(one.program == "git" for one in named)


def _folder(name: str, inv: Invocation, line: Line) -> str | None:
    return line.context.resolve(name.removeprefix("file://"), inv.working_folder(line.context))


def _names(inv: Invocation, place: str, line: Line) -> bool:
    """Whether a command names a folder, or something in it."""
    words = (*inv.command.argv, *(one.target for one in inv.command.redirects))
    paths = [_folder(word.text, inv, line) for word in words]
    return any(path is not None and is_within(path, place) for path in paths)


def _makes_bare(inv: Invocation) -> bool:
    words = [word.text for word in inv.command.argv]
    return words[1:2] in (["init"], ["clone"]) and "--bare" in words and not inv.command.assigns


def _stays_in_own(invs: Sequence[Invocation], context: CallContext) -> bool:
    """Whether all commands run in a new folder: a test that is run in one, and never leaves it."""
    folders = [context.cwd, *(inv.working_folder(context) for inv in invs)]
    return all(one is not None and is_within(one, OWN_PATH) for one in folders)


def _is_new(place: str, context: CallContext) -> bool:
    """Whether there is no repository yet, nor a link to one."""
    kept = os.path.join(place, ".git")
    return context.facts.size(kept) is None and context.facts.names(kept) is None


def _runs_only_after(first: int, line: Line, at: int) -> bool:
    """Whether a command runs only if an earlier one has succeeded."""
    return _is_joined(first, line, at) or _ends_at_failure(first, line, at)


def _ends_at_failure(first: int, line: Line, at: int) -> bool:
    """Whether the script ends if the command fails: ``set -e`` ran before it, and it is no condition.

    Of a line that does not count: a client may run it where a shell ignores that (``eval "$text" && pwd``).
    """
    if not line.context.is_program or first >= at or "trap" in line.invs[at].command.through:
        return False
    sets = [(each, inv) for each, inv in enumerate(line.invs) if inv.program == "set"]
    if "shopt" in line.text or not all(_KEEPS_ENDING.fullmatch(inv.arguments) for _, inv in sets):
        return False
    from operators_edge.shell import failures  # noqa: PLC0415 - for few lines

    starts = failures.ending_statements(line.text)
    start = line.invs[first].command.span[0]
    begun = _ASSIGNS_OUTPUT.search(line.text[:start])
    return (begun.start() if begun else start) in starts and any(
        each < first and inv.command.span[0] in starts and _SETS_ENDING.match(inv.arguments)
        for each, inv in sets
    )


def _is_joined(first: int, line: Line, at: int) -> bool:
    """Whether ``&&`` joins all from a command up to another."""
    text, invs = line.text, line.invs
    start, end = invs[first].command.span, invs[at].command.span
    words = invs[first].command.argv
    between = [inv for inv in invs[first + 1 : at] if inv.command.span[0] >= start[1]]
    joint = _NEXT.match(text, start[1], end[0])
    if joint is None or not _BEFORE.search(text[: start[0]]):
        return False
    if words[0].span[0] != start[0]:
        return False
    depth = 0
    for gap in _gaps(text, joint.end(), end[0], [inv.command.span for inv in between]):
        position = 0
        while position < len(gap):
            token = _TOKEN.match(gap, position)
            if token is None or (token["line"] and not depth):
                return False
            depth += bool(token["open"]) - bool(token["close"] or token["end"])
            if depth < 0:
                return False
            position = token.end()
    return True


def _gaps(text: str, start: int, end: int, spans: Sequence[tuple[int, int]]) -> list[str]:
    """What of a text is outside of the commands in it."""
    gaps = []
    for one, other in sorted(spans):
        if one >= start:
            gaps.append(text[start:one])
        start = max(start, other)
    return [*gaps, text[start:end]]


# end of module
