"""Measuring what an approval is bound to: before a person decides, when the call runs, and afterwards.

Owns which facts matter to a call: its place, its words, the variables and files that its program reads
(``reads_env``, ``reads_files``, ``sends_files`` in the packs), what it names, and for git what git says of it
(``approvals.binding.repositories``). Values that can be secret are stored as keyed hashes only. Does not own
the comparison (``approvals.binding.bound``) or what follows from a difference (``sessions``).
"""

from __future__ import annotations

import os
import re
import stat
from fnmatch import fnmatchcase
from shutil import which

from operators_edge.approvals.binding import files, line as call_line, repositories
from operators_edge.approvals.binding.bound import (
    COMMIT,
    FILE,
    INPUT,
    LINE,
    OPTIONS,
    PROGRAM,
    REPOSITORY,
    SETTINGS,
    TREE,
    URL,
    VARIABLE,
    Binding,
    BoundFact,
    Difference,
    bounded,
    class_name,
    sentence,
)
from operators_edge.approvals.binding.files import MAX_FILES, file_fact, matches, sealed, stamp
from operators_edge.contexts import suppress
from operators_edge.errors import EdgeError
from operators_edge.gate import fingerprint
from operators_edge.gate.paths import CallContext
from operators_edge.git.commands import Budget, GitFailed, TooSlow
from operators_edge.redaction.redact import redact
from operators_edge.shell.commands import HOLE
from operators_edge.system.digest import sha256_hex
from operators_edge.system.project_root import top_of
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from operators_edge.approvals.binding.bound import Side
    from operators_edge.approvals.binding.line import Line
    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.rule_types import Program
    from operators_edge.gate.rules import Rules
    from operators_edge.model import Call, Facts, Finding, Place, Verdict

_EVERY_PROGRAM = (
    *("XDG_CONFIG_HOME", "LD_PRELOAD", "LD_LIBRARY_PATH", "DYLD_*", "BASH_ENV", "ENV"),
    *("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"),
)
_USUAL_SETTINGS = (
    *("~/.{}rc", "~/.{}/config", "~/.config/{}/config*"),
    *("~/.ssh/config", "~/.netrc", "~/.pypirc"),
)
"""Where a program that is not described keeps its settings."""

_BY_GIT_ITSELF = pattern(r"GIT_CONFIG_(COUNT|PARAMETERS|KEY_\d+|VALUE_\d+)$")
"""Variables whose effect git reports: a client's sandbox sets some for its own purposes."""

_ABOUT_THE_CALL = ("command", "description", "timeout", "run_in_background")
"""Arguments of a shell tool that do not change what the command does."""


class Measuring(NamedTuple):
    """What measuring a call needs besides the call."""

    place: Place
    facts: Facts
    rules: Rules
    env: Mapping[str, str]
    budget: Budget


def measure(call: Call, verdict: Verdict, scope: Measuring) -> Binding:
    """Everything that an approval of this call is bound to."""
    line = call_line.of_call(call, scope.place.home, scope.rules)
    found = [*_whole(call, verdict, line, scope)]
    for finding in verdict.findings:
        if fingerprint.needs_decision(finding):
            measured = _Measured(call, finding, line, scope)
            name = class_name(fingerprint.class_of(finding))
            found += [fact._replace(of=name) for fact in measured.facts()]
    by_key = {fact.key: fact for fact in reversed(found)}  # of two alike, what the gate has read
    return bounded(list(reversed(by_key.values())))


def _whole(call: Call, verdict: Verdict, line: Line, scope: Measuring) -> Iterator[BoundFact]:
    """What concerns the call as a whole: its words, what it is given, the files that it runs."""
    given = call.input
    if call_line.shell_text(call, scope.rules) is not None:
        given = {key: value for key, value in given.items() if key not in _ABOUT_THE_CALL and value}
        yield BoundFact(LINE, digest=sealed("\n".join(line.commands)))
    if given:
        yield BoundFact(INPUT, digest=sealed(fingerprint.canonical(given)))
    runs_a_file = any(finding.source for finding in verdict.findings)
    for file in verdict.followed:
        side: Side = "target" if runs_a_file else "content"
        path, name = os.path.split(file.path)
        digest = sealed(f"{os.path.realpath(file.path)}\0{file.digest}")
        yield BoundFact(FILE, name, digest=digest, side=side, place=path)
    context = CallContext(call, scope.place, scope.facts)
    for inv in line.invocations:
        yield from _files_around(inv, context)
        yield from _asked_of_git(inv, inv.working_folder(context) or call.cwd, scope)


def _files_around(inv: Invocation, context: CallContext) -> Iterator[BoundFact]:
    """The files that a command on the line names: what it reads may be what the risky one sends."""
    if inv.command.is_remote or inv.program == "git":
        return
    folder = inv.working_folder(context)
    written = {context.resolve(word.text, folder) for word in inv.written}
    for name in _words(inv)[:MAX_FILES]:
        with suppress(OSError, ValueError):  # not there, or no name of a file
            resolved = context.resolve(name, folder)
            for path in matches(resolved) if resolved else ():
                if path not in written and stat.S_ISREG(os.stat(path).st_mode):
                    yield file_fact(path, FILE)


def _asked_of_git(inv: Invocation, folder: str, scope: Measuring) -> Iterator[BoundFact]:
    """What a git command on the line would answer: a later word can be made of it."""
    if inv.program != "git" or inv.command.is_remote:
        return
    git = repositories.plain_scope(folder, scope.env, scope.budget)
    with suppress(EdgeError):  # the command itself gets no answer either
        yield from repositories.answers(inv.first_operands(), git, sealed)


class _Measured:
    """The facts of one finding."""

    def __init__(self, call: Call, finding: Finding, line: Line, scope: Measuring) -> None:
        self.finding = finding
        self.line = line
        self.scope = scope
        self.folder = finding.cwd or call.cwd
        self.context = CallContext(call._replace(cwd=self.folder), scope.place, scope.facts)
        self.inv = call_line.command_of(finding, scope.rules)
        self.env = {**scope.env, **line.known}

    def facts(self) -> list[BoundFact]:
        inv = self.inv
        found = [*self._variables(inv), *self._settings(inv), *self._where(inv)]
        if not self.finding.cwd:
            # On another machine, or in a folder that is known only when it runs: the line says where.
            commands = sealed("\n".join(self.line.commands))
            return [*found, BoundFact(LINE, "where it runs", digest=commands, side="target")]
        if inv is None or inv.program.startswith("@"):
            return [*self._place(), *self._files([])]
        is_git = inv.program == "git"
        found += self._program(inv)
        found += self._git(inv) if is_git else [*self._place(), *self._files(_words(inv))]
        named = () if is_git else self._named(inv)
        return [*found, *self._sent(inv), *named]

    def _place(self) -> Iterator[BoundFact]:
        folder = os.path.realpath(self.folder)
        yield BoundFact(REPOSITORY, "", top_of(os.path.realpath(folder)) or folder, side="target")

    def _git(self, inv: Invocation) -> list[BoundFact]:
        git = repositories.scope_of(inv, self.folder, self.line, self.scope.env, self.scope.budget)
        found: list[BoundFact] = []
        try:
            for fact in repositories.facts(repositories.Question(inv, self.line, git, sealed)):
                found.append(fact)  # noqa: PERF402 - what was found before git failed is kept
        except TooSlow:
            found.append(
                BoundFact(COMMIT, "git", side="target", unknown="git did not answer in time")
            )
        except GitFailed as error:
            found.append(BoundFact(COMMIT, "git", side="target", unknown=error.message))
        return found

    def _variables(self, inv: Invocation | None) -> Iterator[BoundFact]:
        """The variables that the program reads; all that the line sets, if its table does not say which."""
        patterns = list(_EVERY_PROGRAM)
        for name, spec in self._programs(inv):
            patterns += spec.get("reads_env", (f"{name.upper().replace('-', '_')}_*",))
        own = {name: value.text for name, value in inv.command.assigns} if inv else {}
        on_line: dict[str, str | None] = {**self.line.assigned, **own}
        is_described = inv is not None and "reads_env" in inv.spec
        for name in sorted({*self.scope.env, *on_line}):
            is_read = any(fnmatchcase(name, pattern) for pattern in patterns)
            if name in on_line and (is_read or not is_described or name in ("HOME", "PATH")):
                text = on_line[name]
                unknown = "it is set when the line runs" if text is None else ""
                digest = sealed(text or "")
                yield BoundFact(VARIABLE, name, "", digest, "target", unknown=unknown)
            elif is_read and name in self.scope.env and not _BY_GIT_ITSELF.match(name):
                yield BoundFact(VARIABLE, name, "", sealed(self.scope.env[name]), "target")

    def _where(self, inv: Invocation | None) -> Iterator[BoundFact]:
        """The options that say which cluster, account or database; all of them, if no table says which."""
        if inv is None or self._is_about_files():
            return
        names = inv.spec.get("where")
        if names is None and not self._is_unknown_service(inv):
            return
        chosen = [
            f"{flag.name} {flag.value.text if flag.value else ''}"
            for flag in inv.flags
            if names is None or flag.name in names
        ]
        if names is not None and "@operands" in names:
            chosen += [word.text for word in inv.operands]
        digest = sealed("\n".join(sorted(chosen)))
        shown = (
            ""
            if names is None
            else redact(" ".join(each.strip() for each in chosen if _is_plain(each)))
        )
        yield BoundFact(OPTIONS, "", shown[:MAX_SHOWN], digest, "target")

    def _is_about_files(self) -> bool:
        return self.finding.radius == "files"

    def _is_unknown_service(self, inv: Invocation) -> bool:
        return "reads_env" not in inv.spec and self.finding.type == "external"

    def _programs(self, inv: Invocation | None) -> list[tuple[str, Program]]:
        """The program of the finding and those through which it runs, each with its table in the packs."""
        known = self.scope.rules.programs
        through = dict(self.finding.detail).get("through", "").split()
        own = [(inv.program, inv.spec)] if inv else []
        return own + [(name, known.get(name, {})) for name in through if name.isidentifier()]

    def _program(self, inv: Invocation) -> Iterator[BoundFact]:
        """Which file runs under the program's name: another one can be put before it in the search path."""
        name = inv.command.argv[0].text if inv.command.argv else ""
        if not name or HOLE in name or "…" in name:
            return
        path = (
            self.context.resolve(name, self.folder)
            if "/" in name
            else which(name, path=self.env.get("PATH"))
        )
        if path is None:
            return
        real = os.path.realpath(path)
        with suppress(OSError, ValueError):  # not there, or no name of a file
            found = os.stat(real)
            digest = sha256_hex(f"{real} {stamp(found)}".encode("utf-8", "surrogatepass"))
            yield BoundFact(PROGRAM, os.path.basename(name), digest=digest[:32], side="target")

    # -- files -------------------------------------------------------------------------------------

    def _settings(self, inv: Invocation | None) -> Iterator[BoundFact]:
        for name, path in self._settings_files(inv):
            fact = files.fact_of(path, self.scope.budget, SETTINGS)
            yield fact._replace(name=name)

    def _settings_files(self, inv: Invocation | None) -> Iterator[tuple[str, str]]:
        for program, spec in self._programs(inv):
            usual = [form.format(program) for form in _USUAL_SETTINGS]
            for name in spec.get("reads_files", usual):
                yield from ((name, path) for path in self._expanded(name) if os.path.lexists(path))

    def _sent(self, inv: Invocation) -> Iterator[BoundFact]:
        """What the program takes without being told so on the line."""
        if any(name == "." for name in self._sent_names(inv)):
            yield self._whole_folder()
        for path in self._sent_files(inv):
            yield files.fact_of(path, self.scope.budget)._replace(stays=os.path.isfile(path))
        unseen = inv.spec.get("cannot_compare", {})
        for key in _chosen(inv, unseen):
            yield BoundFact(FILE, unseen[key], unknown="no file shows what it holds")

    def _sent_names(self, inv: Invocation) -> list[str]:
        """The entries of the program's table for this call; an unknown program of a service takes all."""
        if self._is_unknown_service(inv):
            return ["."]
        more = inv.spec.get("sends_for", {})
        chosen = [name for key in _chosen(inv, more) for name in more[key]]
        return [*inv.spec.get("sends_files", ()), *chosen]

    def _sent_files(self, inv: Invocation) -> list[str]:
        names = (name for name in self._sent_names(inv) if name != ".")
        return [path for name in names for path in self._expanded(name) if os.path.lexists(path)]

    def _named(self, inv: Invocation) -> Iterator[BoundFact]:
        """What those files name in turn. The call itself may change it, as a tool does with its state."""
        on_line = [path for name in _words(inv) if (path := self._resolved(name))]
        settings = [path for _, path in self._settings_files(inv)]
        texts = [each for path in on_line for each in matches(path)]
        texts = [*texts, *settings, *self._sent_files(inv)]
        gone = {self.folder, *(self.finding.targets if self._is_about_files() else ())}
        texts = [each for each in dict.fromkeys(texts) if each not in gone]
        for path in files.named_by(texts, self.folder, self._home()):
            yield files.fact_of(path, self.scope.budget)._replace(stays=False)

    def _home(self) -> str:
        return self.env.get("HOME") or self.scope.place.home

    def _whole_folder(self) -> BoundFact:
        if top_of(os.path.realpath(self.folder)):
            return repositories.tree(self.folder, self.scope.budget, stays=False)
        return files.listing(self.folder, self.scope.budget)._replace(stays=False)

    def _expanded(self, name: str) -> list[str]:
        """The absolute paths that an entry of a program's table names."""
        if name.startswith("$"):
            given = self.env.get(name[1:], "")
            return [path for each in given.split(os.pathsep) if (path := self._resolved(each))]
        base = self._home() + name[1:] if name.startswith("~/") else os.path.join(self.folder, name)
        return matches(base)

    def _resolved(self, name: str) -> str | None:
        try:
            return self.context.resolve(name, self.folder)
        except ValueError:
            return None

    def _files(self, names: Iterable[str]) -> Iterator[BoundFact]:
        """The files and folders that the command names, and those it would change."""
        named = [path for name in names if (path := self._resolved(name))]
        paths = [path for each in named for path in matches(each)]
        changed = set(self.finding.targets)
        for path in list(dict.fromkeys([*paths, *self.finding.targets]))[:MAX_FILES]:
            with suppress(OSError, ValueError):  # not there, or no name of a file
                mode = os.stat(path).st_mode
                if stat.S_ISREG(mode):
                    yield file_fact(path, FILE)._replace(stays=path not in changed)
                elif stat.S_ISDIR(mode) and os.path.realpath(path) == os.path.realpath(self.folder):
                    yield self._whole_folder()
                elif stat.S_ISDIR(mode):
                    listed = files.listing(path, self.scope.budget)
                    yield listed._replace(stays=path not in changed)


def _is_plain(option: str) -> bool:
    """Whether a person may read it again later: it has no login and no address in it."""
    return option[:1] == "-" and not _SECRET_OPTION.search(option)


_SECRET_OPTION = pattern(r"(?i)pass|secret|token|key|auth|cred|://|=|@")
MAX_SHOWN = 120


def _chosen(inv: Invocation, keys: Iterable[str]) -> list[str]:
    """The keys that are how the command begins (its first operands), or one of its options."""
    flags = {flag.name for flag in inv.flags}
    return [key for key in keys if key in flags or inv.first_operands(len(key.split())) == key]


def _words(inv: Invocation) -> list[str]:
    """Everything on the line that can name a file: words, option values, and what follows ``@`` or ``=``."""
    words = [
        word.text
        for word in (
            *inv.command.argv[1:],
            *(one.target for one in inv.command.redirects if one.op == "<"),
        )
    ]
    found = [*words, *(flag.value.text for flag in inv.flags if flag.value is not None)]
    found += [part for word in found for part in re.split(r"[=@<]|^fileb?://", word)[1:]]
    known = (each.partition(";")[0] for each in found)
    return [
        each
        for each in dict.fromkeys(known)
        if each and len(each) < 1024 and HOLE not in each and "…" not in each
    ]


# -- what changed ----------------------------------------------------------------------------------


def explained(changes: Iterable[Difference], scope: Measuring) -> list[str]:
    """What is different, a sentence each; commits are named."""
    found = []
    for change in changes:
        text = sentence(change)
        before, now = change
        if before and now and now.kind == COMMIT and before.value and now.value:
            git = repositories.plain_scope(now.place, scope.env, scope.budget)
            with suppress(EdgeError):  # the shorter sentence is as true
                text = repositories.moved(now.name, before.value, now.value, git) or text
        found.append(redact(text))
    return list(dict.fromkeys(found))


def refreshed(facts: Binding, scope: Measuring) -> Binding:
    """The same facts as they are now, without the call: those that a name alone identifies."""
    return tuple(_fact_now(fact, scope) for fact in facts)


def _fact_now(fact: BoundFact, scope: Measuring) -> BoundFact:
    if fact.unknown or not fact.place:
        return fact
    if fact.kind == FILE:
        now = file_fact(os.path.join(fact.place, fact.name), FILE)
        return fact._replace(digest=now.digest, unknown=now.unknown)
    if fact.kind == COMMIT and fact.value:
        git = repositories.plain_scope(fact.place, scope.env, scope.budget)
        with suppress(EdgeError):  # the call itself compares it again
            return fact._replace(value=repositories.commit_now(fact, git))
    if fact.kind == TREE:
        return repositories.tree(fact.place, scope.budget, stays=fact.stays)._replace(of=fact.of)
    return fact


def ran_otherwise(
    shown: Binding, now: Binding, scope: Measuring, *, has_failed: bool
) -> list[Difference]:
    """What a call ran with, as far as it is not what was shown.

    ``now`` is measured after the call. What the call itself may have changed is not compared.
    """
    measured = {fact.key: fact for fact in now}
    classes = {fact.of for fact in now}
    remotes = [fact.name for fact in shown if fact.kind == URL]
    found = []
    for fact in shown:
        if not fact.stays or fact.unknown:
            continue
        later = measured.get(fact.key)
        if later is None and fact.kind not in (FILE, COMMIT) and fact.of not in classes:
            continue  # the call is no longer one that needs a decision, so this was not measured
        later = later or _fact_now(fact, scope)
        if later.unknown or fact.is_same_as(later):
            continue
        if fact.kind == COMMIT and not _was_published(
            fact, later, remotes, scope, has_failed=has_failed
        ):
            continue
        found.append(Difference(fact, later))
    return found


def _was_published(
    shown: BoundFact, later: BoundFact, remotes: list[str], scope: Measuring, *, has_failed: bool
) -> bool:
    """Whether the remote may have got another commit than the one that was shown."""
    git = repositories.plain_scope(shown.place, scope.env, scope.budget)
    with suppress(EdgeError):  # then it may have
        tracked = {repositories.tracked(shown, remote, git) for remote in remotes}
        if shown.value in tracked:
            return False  # what moved the branch came after the push
        return not has_failed or later.value in tracked
    return True


# end of module
