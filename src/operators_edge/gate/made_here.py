"""What a line removes that it has made itself: a database for one test, a branch, a temporary clone.

``createdb t1 && make test && dropdb t1`` asks nobody: ``createdb`` fails if there is such a database. Three
things have to hold, and each is checked on its own:

- maker and remover are a pair, about the same name at the same place (``_PAIRS``, ``_is_made``); or the
  command works in a temporary clone, or a local cluster, that the line has made (``_is_in_own_clone``,
  ``_is_in_own_cluster``);
- the remover runs only after the maker has succeeded: ``&&`` joins all between them (``_runs_only_after``);
- no word on the line means something else than it seems to (``_is_unsure``).

Owns these checks and the pairs. Does not own what a removal is (the packs). Pure.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.locations import is_within
from operators_edge.text.patterns import compiled, found_in, pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext
    from operators_edge.model import Finding
    from operators_edge.shell.commands import Script


class _Pair(NamedTuple):
    """A command that fails if such a thing is there already, and the one that removes it.

    Both are patterns of the words, joined by spaces. ``name`` is what is made, ``names`` what is removed;
    what other groups match has to be the same in both. Only options that are listed may be there: others
    may say that it is somewhere else, or make nothing.
    """

    rule: str
    maker: str
    remover: str


_NAME = r"[^-\s]\S*"
_ONE = rf"(?P<name>{_NAME})"
_SOME = rf"(?P<names>(?: {_NAME})+)"
_SERVER = r"(?P<at>(?: -[hpU] ?\S+| --(?:host|port|username)[= ]\S+| -w)*)"
_GIT = r"git(?P<at>(?: -C \S+)?)"
_ENGINE = r"(?P<at>docker|podman)"
_RUN = (
    r"(?: -[dit]+| --(?:rm|detach|init|privileged|pull=\S+)| -[pevwulh] \S+"
    r"| --(?:net(?:work)?|env(?:-file)?|volume|publish|label|user|platform|health-\w+|tmpfs|memory)[= ]\S+)*"
)
_CLUSTER = r"(?: --(?:config|image|wait)[= ]\S+| --retain)*"
_PAIRS = (
    _Pair(
        "database-drop-tool",
        rf"createdb{_SERVER}(?: -e| -[OTE] \S+| --(?:owner|template|encoding|locale)[= ]\S+)* {_ONE}",
        rf"dropdb{_SERVER}(?: -[fe]| --if-exists| --force)*{_SOME}",
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
        rf"{_ENGINE}(?: container)? (?:run|create){_RUN} --name[= ]{_ONE} .*",
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
        rf"kind create cluster{_CLUSTER} --name[= ]{_ONE}{_CLUSTER}",
        rf"kind delete cluster --name[= ](?P<names>{_NAME})",
    ),
    _Pair(
        "deploy-kubernetes", rf"k3d cluster create {_ONE}(?: .*)?", rf"k3d cluster delete{_SOME}"
    ),
)
_MAKES_CLUSTER = (
    rf"kind create cluster(?: --name[= ]{_NAME}|{_CLUSTER})*|k3d cluster create(?: {_NAME})?"
    r"(?: -[asp] \S+| --(?:agents|servers|port|image|wait|timeout)(?:[= ]\S+)?)*"
    r"|minikube start(?: --(?:driver|cpus|memory|nodes|kubernetes-version|wait)[= ]\S+)*"
)
"""Each makes its cluster the current one of kubectl and helm."""
_IN_CURRENT = (
    r"(?:kubectl|helm)"
    r"(?: (?!-s\b|--(?:context|server|cluster|kubeconfig|user|as|kube-\w+)\b)\S+)*"
)
_OTHER_CLUSTER = r"(?i)(?:use|set)-context|set-cluster|kubectx|kubeconfig|kubie|credentials|login\b"
_PROGRAMS = frozenset(
    ("createdb", "dropdb", "git", "docker", "podman", "kind", "k3d", "kubectl", "helm")
)
_UNSURE = frozenset(
    (
        *("@unknown", "alias", "enable", "eval", "hash", "ln"),
        *("mapfile", "mount", "mv", "read", "trap"),
    )
)
"""Programs that make a name mean something else, or put in place what the line has not made."""
_SETS = frozenset(("export", "declare", "typeset", "local", "readonly", "let"))
_MOVED_BY = pattern(r"PATH|GIT_\w+|DOCKER_\w+|PG(HOST|PORT|SERVICE\w*)")
_RENAMES = (
    r"(?i)\b(?:rename|update-ref|symbolic-ref|printf\s+-v)\b"
    r"|\bbranch\s+(?:-\S+\s+)*(?:-\w*[mc]|--move|--copy)"
)
"""What has been made may get another name, and something else its name."""

_IN_A_CLONE = frozenset(("git-reset-hard", "git-discard", "git-clean", "git-clean-files"))
"""What these rules lose is in the working tree, or can be had again where it was cloned from."""
_RULES = _IN_A_CLONE.union(pair.rule for pair in _PAIRS)

_WORKS = r"git(?: -C \S+)? (?:reset|checkout|restore|clean)(?: .*)?"
_INIT = rf"git init(?: -q| --quiet| (?:-b|--initial-branch)[= ]\S+)*(?: {_ONE})?"
_CLONE = (
    r"git clone(?: -q| --quiet| -n| --no-checkout| --single-branch| --depth[= ]\d+| (?:-b|--branch)[= ]\S+)*"
    rf" (?P<source>{_NAME})(?: {_ONE})?"
)

_BEFORE = pattern(r"(^|[;\n]|&&)\s*$")
_REDIRECTION = r"\d?>&?\s*(?:\d|/dev/null)|&>\s*/dev/null"
_NEXT = pattern(rf"(?:{_REDIRECTION}|[ \t]|\\\n)*(?=&&)")
_TOKEN = pattern(
    rf"[ \t]+|\\\n|(?:&&|\|(?!\|))\s*|(?P<end>;\s*done\b)|(?P<line>[;\n])|{_REDIRECTION}"
    r"|(?P<open>\(|for\s+\w+\s+in\s[^;&|\n()]*;\s*do\b)|(?P<close>\))"
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
    if line.invs[at].program not in _PROGRAMS or rules.isdisjoint(_RULES) or _is_unsure(line, at):
        return found
    own: set[str] = set()
    for pair in _PAIRS:
        if pair.rule in rules and _is_made(pair, line, at):
            own |= {pair.rule, "general-destroy"}
    if "deploy-kubernetes" in rules and _is_in_own_cluster(line, at):
        own.add("deploy-kubernetes")
    if not rules.isdisjoint(_IN_A_CLONE) and _is_in_own_clone(line, at):
        own |= _IN_A_CLONE
    return [one for one in found if one.source or one.rule not in own]


def _is_unsure(line: Line, at: int) -> bool:
    """Whether a name may mean another program, server or thing than it seems to."""
    before = line.invs[:at]
    return (
        any(_MOVED_BY.fullmatch(name) for name, _ in line.script.variables)
        or not _UNSURE.isdisjoint(inv.program for inv in before)
        or any(word.text in (".", "source") for inv in before for word in inv.command.argv[:1])
        or any(inv.program in _SETS and not _sets_known(inv) for inv in before)
        or found_in(_RENAMES, line.text)
    )


def _sets_known(inv: Invocation) -> bool:
    return all(re.match(r"-|[A-Za-z_]\w*(=|$)", word.text) for word in inv.command.argv[1:])


def _is_made(pair: _Pair, line: Line, at: int) -> bool:
    removed = _matched(pair.remover, line.invs[at])
    if removed is None:
        return False
    left = set(removed.pop("names").split())
    for each in range(at):
        made = _matched(pair.maker, line.invs[each])
        if made is None or not _is_same_place(line.invs[each], line.invs[at]):
            continue
        name = made.pop("name")
        if made == removed and _runs_only_after(each, line, at):
            left.discard(name)
    return not left


def _matched(pattern: str, inv: Invocation) -> dict[str, str] | None:
    """The groups of a pattern in the words of a command; None if it has another form, or unknown words."""
    command = inv.command
    is_plain = not (command.has_more_words or inv.is_help() or inv.is_dry_run())
    if not is_plain or not all(word.is_known for word in command.argv):
        return None
    words = " ".join(re.sub(r"\s", "_", word.text) for word in command.argv)
    match = compiled(rf"(?:{pattern})$").match(words)
    return match and {key: value or "" for key, value in match.groupdict().items()}


def _is_same_place(maker: Invocation, remover: Invocation) -> bool:
    first, second = maker.command, remover.command
    return (first.through, first.assigns, first.is_remote, first.cwd) == (
        *(second.through, second.assigns, second.is_remote),
        second.cwd if remover.program == "git" else first.cwd,
    )


def _is_in_own_cluster(line: Line, at: int) -> bool:
    """Whether a command reaches the cluster that the line itself has made, and no other."""
    if found_in(_OTHER_CLUSTER, line.text) or _matched(_IN_CURRENT, line.invs[at]) is None:
        return False
    return any(
        _matched(_MAKES_CLUSTER, line.invs[each]) is not None
        and _is_same_place(line.invs[each], line.invs[at])
        and _runs_only_after(each, line, at)
        for each in range(at)
    )


def _is_in_own_clone(line: Line, at: int) -> bool:
    """Whether a command works in a temporary repository that the line itself has made."""
    invs, context = line.invs, line.context
    folder = invs[at].working_folder(context)
    if folder is None or not context.is_temporary(f"{folder}/x") or "worktree" in line.text:
        return False
    if _matched(_WORKS, invs[at]) is None or invs[at].command.assigns:
        return False
    moves = [each for each in range(at) if invs[each].program in ("cd", "pushd")]
    for each in range(at):
        made = _matched(_INIT, invs[each]) or _matched(_CLONE, invs[each])
        if made is None or invs[each].command.assigns:
            continue
        named = made["name"] or os.path.basename(made.get("source", "")).removesuffix(".git")
        place = context.resolve(named or ".", invs[each].working_folder(context))
        is_there = place is not None and is_within(folder, place) and _is_new(place, context)
        if is_there and _runs_only_after(min([each, *moves]), line, at):
            return True
    return False


def _is_new(place: str, context: CallContext) -> bool:
    """Whether there is no repository yet, nor a link to one."""
    kept = os.path.join(place, ".git")
    return context.facts.size(kept) is None and context.facts.names(kept) is None


def _runs_only_after(first: int, line: Line, at: int) -> bool:
    """Whether a command runs only if an earlier one has succeeded: all between them is joined by ``&&``.

    ``set -e`` does not count: a client may run the text where a shell ignores it (``eval "$text" && pwd``).
    """
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
