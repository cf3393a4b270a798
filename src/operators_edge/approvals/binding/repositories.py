"""What git itself says of a command: its repository, where a push goes, the commits that it names.

Asks git with the options and variables that the command would have. Reads only, never the network. Does not
own the facts of other programs (``approvals.binding.service``).
"""

from __future__ import annotations

import os
import re
from contextlib import suppress

from operators_edge.approvals.binding import files
from operators_edge.approvals.binding.bound import (
    COMMIT,
    FILE,
    FOLDER,
    REPOSITORY,
    SETTINGS,
    TREE,
    URL,
    BoundFact,
)
from operators_edge.approvals.binding.files import stamp
from operators_edge.git import worktree
from operators_edge.git.commands import TooSlow, ask, finish, start, stop
from operators_edge.shell.commands import HOLE
from operators_edge.system.digest import sha256_hex
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from operators_edge.approvals.binding.line import Line
    from operators_edge.gate.invocation import Invocation
    from operators_edge.git.commands import Budget

# What git reads of the command's variables to find repository and configuration; no others are passed on:
# some of them write files or start programs.
_PASSED_ON = pattern(
    r"HOME|XDG_CONFIG_HOME|GIT_(DIR|WORK_TREE|COMMON_DIR|NAMESPACE|OBJECT_DIRECTORY"
    r"|ALTERNATE_OBJECT_DIRECTORIES|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM"
    r"|CONFIG(_GLOBAL|_SYSTEM|_NOSYSTEM|_COUNT|_PARAMETERS|_KEY_\d+|_VALUE_\d+)?)$"
)
_SETTINGS = (
    r"^(remote\..*\.(url|pushurl|push|vcs|proxy|receivepack|mirror|uploadpack)|url\..*|push\..*|protocol\..*"
    r"|https?\..*|core\.(sshcommand|gitproxy|askpass)|ssh\..*|credential\..*|remote\.pushdefault)$"
)
_PLACES = ("--git-dir", "--work-tree", "--namespace")
_ALL_REFS = {
    "--all": "refs/heads",
    "--branches": "refs/heads",
    "--tags": "refs/tags",
    "--mirror": "refs",
}
_NETWORK = (
    "push",
    "fetch",
    "pull",
    "ls-remote",
    "send-pack",
    "lfs",
    "subtree",
    "svn",
    "send-email",
    "p4",
)
_LOSING = (
    "reset",
    "clean",
    "checkout",
    "restore",
    "switch",
    "stash",
    "rm",
    "worktree",
    "read-tree",
    "apply",
)
_ANSWERED_BY_REFS = (
    *(
        "branch",
        "describe",
        "for-each-ref",
        "log",
        "merge-base",
        "name-rev",
        "rev-list",
        "rev-parse",
    ),
    *("show", "show-ref", "symbolic-ref", "tag"),
)
MAX_NAMES = 8
MAX_SUBMODULES = 16


class Remote(NamedTuple):
    """Where a push goes: the remote as named, and every address that git resolves it to.

    ``unknown`` says why the addresses are not certain before it runs; ``is_named``: the repository has a
    remote of this name, so it is no address.
    """

    name: str
    urls: tuple[str, ...] = ()
    unknown: str = ""
    is_named: bool = False


class GitScope(NamedTuple):
    """How one git command sees its repository; and the time that is left.

    ``words`` are its global options, ``env`` the variables that it has for git.
    """

    folder: str
    words: tuple[str, ...]
    env: Mapping[str, str]
    budget: Budget

    def ask(self, *words: str, stdin: str = "") -> str | None:
        """Git's output; None if it fails. Raises TooSlow."""
        process = start(self.folder, *words, given=self.words, env=self.env)
        try:
            answer = finish(process, self.budget.require_left(), os.fsencode(stdin))
        except TooSlow:
            stop(process)
            raise
        return os.fsdecode(answer.out).rstrip("\n") if answer.code == 0 else None


def scope_of(
    inv: Invocation, folder: str, line: Line, env: Mapping[str, str], budget: Budget
) -> GitScope:
    """Git's questions as this command would have them answered; ``env`` is what the line runs with."""
    env = {**env, **line.known, **{name: value.text for name, value in inv.command.assigns}}
    first = inv.operands[0].span if inv.operands else None
    early = [flag for flag in inv.flags if first is None or flag.span < first]
    valued = [(flag.name, flag.value.text) for flag in early if flag.value is not None]
    plain = plain_scope(folder, env, budget)
    words: list[str] = []
    passed = dict(plain.env)
    for name, text in valued:
        if name in _PLACES:
            words.append(f"{name}={text}")
        elif name == "-c":
            words += ["-c", text]
        elif name == "--config-env":
            # Under a name of our own: under its own name, such as PATH, it would count for more.
            key, _, variable = text.rpartition("=")
            ours = f"EDGE_CONFIG_{len(words)}"
            words.append(f"--config-env={key}={ours}")
            passed |= {ours: env[variable]} if variable in env else {}
    return plain._replace(words=tuple(words), env=passed)


def plain_scope(folder: str, env: Mapping[str, str], budget: Budget) -> GitScope:
    passed = {name: text for name, text in env.items() if _PASSED_ON.match(name)}
    return GitScope(folder, (), passed, budget)


def place_of(git: GitScope) -> str | None:
    """The top of the working tree and, for a linked one, its repository; None outside of any."""
    found = git.ask(
        "rev-parse", "--path-format=absolute", "--git-common-dir", "--is-bare-repository"
    )
    if found is None:
        return None
    common, bare = [*found.splitlines(), ""][:2]
    top = "" if bare == "true" else git.ask("rev-parse", "--show-toplevel") or ""
    top, common = (os.path.realpath(each) if each else "" for each in (top, common))
    if not top or os.path.join(top, ".git") == common:
        return top or common
    return f"{top} ({common})"


class Question(NamedTuple):
    """One git command on a line, and how git is asked about it; ``seal`` hides what is not to be stored."""

    inv: Invocation
    line: Line
    git: GitScope
    seal: Callable[[str], str]

    @property
    def sub(self) -> str:
        return self.inv.operands[0].text if self.inv.operands else ""

    @property
    def operands(self) -> list[str]:
        return [word.text for word in self.inv.operands[1:]]


def facts(asked: Question) -> Iterator[BoundFact]:
    """What one git command is bound to."""
    git, sub = asked.git, asked.sub
    place = place_of(git)
    if place is None:
        yield BoundFact(REPOSITORY, "", os.path.realpath(git.folder), side="target")
        if sub in _NETWORK:
            yield BoundFact(URL, "the push", side="target", unknown="there is no git repository")
        return
    yield BoundFact(REPOSITORY, "", place, side="target")
    if sub in _NETWORK:
        yield from _target(asked)
    yield from _hooks(asked)
    if sub == "push":
        yield from _pushed(asked)
    else:
        yield from _named(["HEAD", *asked.operands], asked, stays=sub in _NETWORK)
    if sub in _LOSING or asked.line.commits:
        yield tree(git.folder, git.budget, stays=False)


def answers(sub: str, git: GitScope, seal: Callable[[str], str]) -> Iterator[BoundFact]:
    """What a git command that only asks depends on: settings, or the commits that there are."""
    if sub == "config":
        listed = git.ask("config", "--null", "--list") or ""
        digest = seal(listed)
        yield BoundFact(SETTINGS, "git's settings", "", digest, place=git.folder, stays=False)
    elif sub in _ANSWERED_BY_REFS:
        head = git.ask("rev-parse", "--symbolic-full-name", "HEAD") or ""
        refs = git.ask("for-each-ref", "--format=%(refname) %(objectname)") or ""
        digest = seal(f"{head}\n{refs}")
        yield BoundFact(COMMIT, "branches and tags", digest=digest, place=git.folder, stays=False)


def _target(asked: Question) -> Iterator[BoundFact]:
    git, why = asked.git, _redirected(asked.line)
    if asked.sub == "push":
        remote = remote_of(asked.inv, asked.operands, git, asked.line)
        why = remote.unknown
        urls = [_real_address(url, git.folder) for url in remote.urls]
        shown = ", ".join(map(without_login, urls))
        digest = asked.seal("\n".join(urls))
        yield BoundFact(URL, without_login(remote.name), shown, digest, "target", unknown=why)
        yield from _destination(asked)
        yield from _submodules(asked)
    settings = git.ask("config", "--null", "--get-regexp", _SETTINGS) or ""
    yield BoundFact(
        SETTINGS, "git's configuration", "", asked.seal(settings), "target", unknown=why
    )


def _destination(asked: Question) -> Iterator[BoundFact]:
    """Where a push that names no branch puts it: the configuration can say another name."""
    if not asked.operands[1:]:
        ref = asked.git.ask("rev-parse", "--symbolic-full-name", "@{push}") or ""
        name = ref.removeprefix("refs/remotes/")
        yield BoundFact(SETTINGS, "the branch that it goes to", name, side="target")


def _submodules(asked: Question) -> Iterator[BoundFact]:
    """The addresses and commits of submodules that are pushed along."""
    git = asked.git
    given = [f.value.text for f in asked.inv.flags if f.value and f.name == "--recurse-submodules"]
    configured = git.ask("config", "--get", "push.recurseSubmodules") or ""
    recurses = git.ask("config", "--type=bool", "--get", "submodule.recurse") == "true"
    if not {*(given or [configured]), *(["only"] if recurses else [])} & {"on-demand", "only"}:
        return
    top = git.ask("rev-parse", "--show-toplevel") or git.folder
    listed = git.ask("ls-files", "--stage", "--", f"{top}/") or ""
    paths = [line.partition("\t")[2] for line in listed.splitlines() if line.startswith("160000 ")]
    unknown = "there are too many of them" if len(paths) > MAX_SUBMODULES else ""
    for name in paths[:MAX_SUBMODULES]:
        inner = plain_scope(os.path.join(git.folder, name), git.env, git.budget)
        settings = inner.ask("config", "--null", "--get-regexp", _SETTINGS) or ""
        head = inner.ask("rev-parse", "HEAD") or ""
        digest = asked.seal(settings)
        yield BoundFact(SETTINGS, f"the configuration of {name}", "", digest, "target")
        yield BoundFact(COMMIT, f"{name} HEAD", digest=head, place=inner.folder, stays=False)
    if unknown:
        yield BoundFact(SETTINGS, "submodules", side="target", unknown=unknown)


def _redirected(line: Line) -> str:
    return f"`{line.redirects[:80]}` on the line can change it" if line.redirects else ""


def _hooks(asked: Question) -> Iterator[BoundFact]:
    """The hooks that git will run, by name, size and time; and the files that they name."""
    git = asked.git
    named = (git.ask("config", "--get-all", "core.hooksPath") or "").splitlines()
    common = git.ask("rev-parse", "--path-format=absolute", "--git-common-dir") or ""
    top = git.ask("rev-parse", "--show-toplevel") or common
    configured = [each for each in named if each != os.devnull]  # which our own questions set
    path = os.path.join(common, "hooks")
    if configured:
        path = os.path.join(top, os.path.expanduser(configured[-1]))
    lines, texts = [], []
    with suppress(OSError):  # no such folder, so no hooks
        for entry in sorted(os.scandir(path), key=lambda entry: entry.name):
            if not entry.name.endswith(".sample"):
                lines.append(f"{entry.name} {stamp(entry.stat())}")
                texts.append(entry.path)
    if lines or configured:
        digest = sha256_hex(os.fsencode("\n".join([path, *lines])))[:32]
        yield BoundFact(FOLDER, "hooks", digest=digest, place=common)
    for each in files.named_by(texts, top, git.env.get("HOME", "")):
        if os.path.isfile(each):
            yield files.file_fact(each, FILE)._replace(stays=False)


def remote_of(inv: Invocation, operands: Sequence[str], git: GitScope, line: Line) -> Remote:
    """The remote of a push, resolved by git: its own addresses, or the address on the line rewritten."""
    given = [flag.value.text for flag in inv.flags if flag.value and flag.name == "--repo"]
    name = operands[0] if operands else (given or [""])[0] or _default_remote(git)
    if HOLE in name or "…" in name:
        return Remote(name, unknown="the remote is known only when it runs")
    if not name or name.startswith("-"):
        return Remote(name or "the push", unknown=_redirected(line))
    urls = git.ask("remote", "get-url", "--push", "--all", name)
    is_named = urls is not None
    if urls is None:  # an address: git rewrites it like that of a remote
        probe = git._replace(words=(*git.words, "-c", f"remote.edge-probe.url={name}"))
        urls = probe.ask("remote", "get-url", "--push", "--all", "edge-probe") or name
    return Remote(name, tuple(urls.splitlines()), _redirected(line), is_named)


def _default_remote(git: GitScope) -> str:
    branch = git.ask("symbolic-ref", "--quiet", "--short", "HEAD") or ""
    keys = [f"branch.{branch}.pushRemote", "remote.pushDefault", f"branch.{branch}.remote"]
    for key in keys[0 if branch else 1 :]:
        if found := git.ask("config", "--get", key):
            return found
    remotes = (git.ask("remote") or "").split()
    return remotes[0] if len(remotes) == 1 else "origin"


def _real_address(url: str, folder: str) -> str:
    """The folder that a local address leads to, through links; any other address as it is."""
    path = url.removeprefix("file://")
    is_local = "://" not in path and (":" not in path.partition("/")[0] or os.path.isabs(path))
    return os.path.realpath(os.path.join(folder, path)) if is_local else url


def push_address(root: str, name: str) -> str:
    """The address of a remote as a push to it is bound to it; "" for a name that git does not know."""
    urls = ask(root, "remote", "get-url", "--push", "--all", name) or ""
    return ", ".join(without_login(_real_address(url, root)) for url in urls.splitlines())


def without_login(url: str) -> str:
    """An address without user and password."""
    return re.sub(r"^([\w+.-]+://)[^/@]*@", r"\1", url)


# -- commits ---------------------------------------------------------------------------------------


def _pushed(asked: Question) -> Iterator[BoundFact]:
    """The commit that each ref of a push would publish."""
    git = asked.git
    flags = {flag.name for flag in asked.inv.flags}
    folders = [folder for name, folder in _ALL_REFS.items() if name in flags]
    specs = [each for each in asked.operands[1:] if each != "tag"]
    if flags & {"-d", "--delete"}:
        specs = [f":{each}" for each in specs]
    if not specs and not folders:
        specs = _configured_specs(asked.operands, git)
    if any("*" in each or each in (":", "+:") for each in specs):
        folders = ["refs"]
    if "--follow-tags" in flags or git.ask("config", "--type=bool", "push.followTags") == "true":
        folders.append("refs/tags")
    yield from _named([_source(each) for each in specs if "*" not in each], asked)
    for folder in dict.fromkeys(folders):
        yield _all_refs(folder, asked)


def _all_refs(folder: str, asked: Question) -> BoundFact:
    """Every branch or tag as one fact."""
    form = "--format=%(refname) %(objectname)"
    listed = asked.git.ask("for-each-ref", form, folder) or ""
    digest = sha256_hex(os.fsencode(listed))[:32]
    stays = not asked.line.commits
    return BoundFact(COMMIT, folder, digest=digest, place=asked.git.folder, stays=stays)


def _configured_specs(operands: Sequence[str], git: GitScope) -> list[str]:
    remote = operands[0] if operands else _default_remote(git)
    configured = git.ask("config", "--get-all", f"remote.{remote}.push") or ""
    if configured:
        return configured.splitlines()
    style = git.ask("config", "--get", "push.default") or "simple"
    return [":"] if style == "matching" else ["HEAD"]


def _source(spec: str) -> str:
    source, colon, name = spec.removeprefix("+").rpartition(
        ":"
    )  # the last one, as in ":/words:refs/heads/x"
    return source if colon else name


def _named(names: Sequence[str], asked: Question, *, stays: bool = True) -> Iterator[BoundFact]:
    """The objects that some of these words name."""
    git, stays = asked.git, stays and not asked.line.commits
    wanted = [
        each for each in dict.fromkeys(names) if each and "\n" not in each and HOLE not in each
    ]
    for name, commit in _objects(wanted[:MAX_NAMES], git).items():
        yield BoundFact(COMMIT, name, commit, place=git.folder, stays=stays)
    if len(wanted) > MAX_NAMES:
        yield _all_refs("refs", asked)


def _objects(names: Sequence[str], git: GitScope) -> dict[str, str]:
    """The id of each object that is there, in one question."""
    if not names:
        return {}
    asked = "".join(f"{name}\n" for name in names)
    answer = git.ask("cat-file", "--batch-check=%(objectname)", stdin=asked) or ""
    ids = answer.split("\n")
    return {
        name: ident
        for name, ident in zip(names, ids, strict=False)
        if re.fullmatch(r"[0-9a-f]{40}([0-9a-f]{24})?", ident)
    }


def tree(folder: str, budget: Budget, *, stays: bool = True) -> BoundFact:
    """The working tree with its commit, as one fact."""
    found = worktree.tree_state(folder, seconds=max(budget.left, 0.05))
    if isinstance(found, worktree.UnknownTreeState):
        return BoundFact(TREE, place=folder, unknown=found.why[:120], stays=stays)
    return BoundFact(TREE, digest=found.digest[:32], place=folder, stays=stays)


# -- later -----------------------------------------------------------------------------------------


def commit_now(fact: BoundFact, git: GitScope) -> str:
    """The object that the same name means now; "" if it means none."""
    return _objects([fact.name], git).get(fact.name, "")


def tracked(fact: BoundFact, remote: str, git: GitScope) -> str:
    """The commit that the remote has under this name, as of the last push or fetch; "" if unknown."""
    name = (
        git.ask("symbolic-ref", "--quiet", "--short", "HEAD") if fact.name == "HEAD" else fact.name
    )
    name = (name or "").removeprefix("refs/heads/")
    ref = f"refs/remotes/{remote}/{name}"
    return _objects([ref], git).get(ref, "")


_DERIVED = pattern(r"(?i)[~^:]|@\{(?!u|push)")
"""A name such as HEAD~1: it means another commit when the one that it starts from moves."""


def moved(name: str, before: str, now: str, git: GitScope) -> str:
    """What a name meant and means, as text; "" if git cannot tell.

    The commits between the two are said only of a branch: of HEAD~1 they may have been there before.
    """
    if not _DERIVED.search(name):
        return since(before, now, git)
    listed = git.ask(
        "log", "--no-walk=unsorted", "--format=%h %s", "--no-show-signature", before, now, "--"
    )
    was, _, is_now = (listed or "").partition("\n")
    return f"{name} is now {is_now}, was {was}" if is_now else ""


def since(before: str, now: str, git: GitScope) -> str:
    """The commits between two, as text: "+1 commit: abc1234 add a file"; "" if git cannot tell."""
    added = git.ask(
        "log", "--format=%h %s", "--no-show-signature", "--max-count=21", f"{before}..{now}", "--"
    )
    if added is None:
        return ""
    gone = git.ask("rev-list", "--count", f"{now}..{before}", "--") or "0"
    subjects = added.splitlines()
    more = "more than 20" if len(subjects) > 20 else str(len(subjects))
    parts = []
    if subjects:
        noun = "commit" if len(subjects) == 1 else "commits"
        parts.append(
            f"+{more} {noun}: {'; '.join(subjects[:3])}{'; …' if len(subjects) > 3 else ''}"
        )
    if gone != "0":
        parts.append(f"-{gone} commit{'' if gone == '1' else 's'}")
    return ", ".join(parts)


# end of module
