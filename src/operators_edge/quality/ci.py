"""The judge where only the repository is: a fresh clone on a build server (QG-3).

What is claimed comes from the file that the repository carries; whether it holds from running the checks
here. Recorded outcomes count for nothing. Owns which commands may run: anyone who changes the repository can
change that file. Does not own the gate's checks (``quality.checks``) or the file (``quality.basis_service``).
"""

from __future__ import annotations

import os
import time

from operators_edge.config import effective
from operators_edge.evidence import objective_facts
from operators_edge.evidence.checks import detect, places, rerun, service as checks_service
from operators_edge.evidence.checks.run import bare_command, result_of
from operators_edge.evidence.claims import service as claims_service
from operators_edge.evidence.claims.tree_facts import ProjectTreeFacts
from operators_edge.evidence.tamper import service as tamper_service
from operators_edge.git import commands as git, worktree
from operators_edge.model import Call
from operators_edge.quality import basis, checks as quality_checks, test_files
from operators_edge.quality.clone import CloneTreeFacts
from operators_edge.shell.evaluate import parse
from operators_edge.system import subprocesses
from operators_edge.text.wording import many
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from operators_edge.evidence.checks.run import Run
    from operators_edge.evidence.claims.model import Claim
    from operators_edge.evidence.objective_facts import ObjectiveFacts
    from operators_edge.project import Project
    from operators_edge.quality.checks import Check

MAX_RUNS = 30

_BESIDE = frozenset(
    {"cd", "echo", "printf", "true", ":", "set", "export", "head", "tail", "cat", "tee", "grep"}
)
"""What a line may hold beside its checks."""

_HERE = 1 << 60
"""The place in the log of what runs here: after everything that is recorded."""


class Limits(NamedTuple):
    """Seconds for one check, and for all of them."""

    each: float
    all: float


class Result(NamedTuple):
    """``found``: level (FAIL or WARN) and text, and the check or claim that it is about."""

    found: tuple[tuple[str, str], ...]
    ran: tuple[rerun.Rerun, ...]
    claims: tuple[Claim, ...]

    @property
    def verdict(self) -> str:
        levels = {level for level, _ in self.found}
        return next((each for each in ("FAIL", "WARN") if each in levels), "PASS")


def judge(
    project: Project,
    found: Mapping[str, Any],
    env: Mapping[str, str],
    *,
    limits: Limits,
    allowed: Iterable[str] = (),
    show: Callable[[str], None] | None = None,
) -> Result:
    """Run the checks of a basis here and judge its claims by them; ``allowed``: checks that may fail."""
    root = os.path.realpath(project.root)
    work = basis.work_of(found, root)
    ran, fresh = _run_all(project, _to_run(work, root, env), env, limits, show)
    tree = _facts(project, work, fresh, found)
    result = _judged(project, found, tree, set(allowed), ran=ran)
    return result._replace(found=(*_of_runs(ran), *result.found))


def judge_recorded(
    project: Project, found: Mapping[str, Any], *, allowed: Iterable[str] = ()
) -> Result:
    """Judge a basis by the checks that it records, against the tree of today; nothing is run."""
    tree = ProjectTreeFacts(project, basis.work_of(found, os.path.realpath(project.root)))
    return _judged(project, found, tree, set(allowed))


def _judged(
    project: Project,
    found: Mapping[str, Any],
    tree: ProjectTreeFacts,
    allowed: set[str],
    *,
    ran: Iterable[rerun.Rerun] = (),
) -> Result:
    state = basis.state_of(found)
    claims = claims_service.claims_of(project, state, tree)
    needs_tests = quality_checks.needs_tests(state, tree.work)
    facts = quality_checks.Facts(
        work=tree.work,
        claims=claims,
        session="",
        tests=test_files.texts(project.root) if needs_tests else None,
        changed=None,
        has_tree=tree.has_git,
    )
    failed = quality_checks.failures(state, facts)
    lines = (*_of_gate(failed, allowed), *_of_claims(found, claims))
    plain = tuple((level, text.replace(f" at log {_HERE}", " here")) for level, text in lines)
    return Result(plain, tuple(ran), claims)


# -- the checks ------------------------------------------------------------------------------------


def _to_run(work: ObjectiveFacts, root: str, env: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Command, folder and why it is not run: the recorded checks, then those that the project names."""
    custom = effective.checks(root, env)
    wanted = {
        (bare_command(run["command"]), run["cwd"] or root): run
        for run in work["checks"]
        if not run["elsewhere"]
    }
    found = [(run["command"], cwd, _refusal(run, custom)) for (_, cwd), run in wanted.items()]
    known = {name for name, _ in wanted}
    found += [(each, root, "") for each in custom if bare_command(each) not in known]
    return found


def _refusal(run: Run, custom: tuple[str, ...]) -> str:
    """Why a recorded command is not run, beside what the gate says of it; "" if it may."""
    if not run["is_whole"]:
        return "it is recorded cut or redacted"
    if not detect.checks_of(run["command"], custom):
        return "it is no check that is known here; a person can name it in edge.toml (checks)"
    for command in parse(run["command"]).commands:
        name = command.argv[0].text if command.argv else ""
        text = " ".join(word.text for word in command.argv)
        is_beside = not name or name in _BESIDE or command.through
        if not is_beside and not detect.checks_of(text, custom):
            return f"it also runs {name}, which is no check"
    return ""


def _run_all(
    project: Project,
    wanted: list[tuple[str, str, str]],
    env: Mapping[str, str],
    limits: Limits,
    show: Callable[[str], None] | None,
) -> tuple[list[rerun.Rerun], list[tuple[str, str, dict[str, Any]]]]:
    """The result of each check, and the facts of those that ran: command, folder, result."""
    end = time.monotonic() + limits.all
    ran: list[rerun.Rerun] = []
    fresh: list[tuple[str, str, dict[str, Any]]] = []
    for command, cwd, refused in wanted[:MAX_RUNS]:
        left = min(limits.each, end - time.monotonic())
        why = refused or rerun.refusal_of(project, command, cwd, env)
        why = why or ("" if left > 0 else "the time for all checks is used up")
        if why:
            ran.append(rerun.Rerun(command, None, did_run=False, why=why))
            continue
        if show is not None:
            show(f"$ {command}\n")
        done = subprocesses.run(command, cwd, seconds=left, show=show)
        call = Call("Bash", {"command": command}, cwd)
        error = None if done.code == 0 else f"Exit code {done.code}\n{done.output}"
        seen = None
        if done.code is not None:
            seen = checks_service.observed(project, call, output=done.output, error=error, env=env)
        passed = seen["passed"] if seen else None
        named = () if passed else _places(project.root, cwd, done.output)
        ran.append(rerun.Rerun(command, passed, True, done.why, 0, done.duration_ms, named))
        fresh += [(command, cwd, dict(each)) for each in (seen, *_also(seen)) if each]
    ran += [
        rerun.Rerun(command, None, did_run=False, why=f"more than {MAX_RUNS} checks are recorded")
        for command, _, _ in wanted[MAX_RUNS:]
    ]
    return ran, fresh


def _places(root: str, cwd: str, output: str) -> tuple[places.Place, ...]:
    """The lines of the project's own files that an output names."""
    top = os.path.realpath(root)

    def inside(path: str) -> str:
        for folder in (cwd, top):
            full = os.path.realpath(os.path.join(folder, path))
            name = os.path.relpath(full, top).replace(os.sep, "/")
            is_own = not name.startswith("../") and _NOT_OWN.isdisjoint(name.split("/"))
            if is_own and os.path.isfile(full):
                return name
        return ""

    return tuple(places.places_of(output, inside))


_NOT_OWN = frozenset(
    {"node_modules", ".venv", "venv", "site-packages", "vendor", ".tox", ".nox", ".git"}
)


def _also(seen: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    return [{**each, "look": seen["look"]} for each in seen.get("also", ())] if seen else []


# -- the facts -------------------------------------------------------------------------------------


def _facts(
    project: Project,
    work: ObjectiveFacts,
    fresh: list[tuple[str, str, dict[str, Any]]],
    found: Mapping[str, Any],
) -> ProjectTreeFacts:
    """What is carried, with the runs of today in the place of what was recorded, and the tree."""
    for run in work["checks"]:
        if run["passed"] is True:
            run["passed"] = None
            run["doubt"] = "recorded elsewhere, and not run here"
    for step in work["steps"].values():
        if step["completed_seq"] is not None:
            step["completed_seq"] = _HERE + 1
    for command, cwd, result in fresh:
        work["checks"].append(
            {
                **result_of(result),
                "seq": _HERE,
                "at": None,
                "session": None,
                "agent": "",
                "command": command,
                "cwd": cwd,
                "duration_ms": None,
                "is_whole": True,
            }
        )
    tree = CloneTreeFacts(project, work, found)
    before = _tree_of(project.root, str(found.get("base") or ""))
    now = worktree.tree_state(project.root)
    if before is not None and isinstance(now, worktree.TreeState):
        files = worktree.changed(project.root, before, now) or []
        entries = tamper_service.since_start(project.root, work["tampering"], before, files)
        tree.work = objective_facts.fold(work, entries)
    return tree


def _tree_of(root: str, commit: str) -> worktree.TreeState | None:
    """A commit as the state of a tree; None if this clone does not have it."""
    try:
        tree = git.ask(root, "rev-parse", "--verify", "-q", f"{commit}:./") if commit else None
    except git.GitFailed:
        return None
    if not tree or not commit.isalnum():
        return None
    return worktree.TreeState(f"of {commit}", commit, tree.strip(), 0, {})


# -- what is found ---------------------------------------------------------------------------------


def _of_runs(ran: list[rerun.Rerun]) -> Iterable[tuple[str, str]]:
    for each in ran:
        if not each.did_run:
            yield "WARN", f"not run: {each.command}: {each.why}"
        elif each.passed is not True:
            how = "failed" if each.passed is False else each.why or "its outcome is unknown"
            yield "FAIL", f"{each.command}: {how}"
    if not any(each.did_run for each in ran):
        yield "FAIL", "no check ran here, so nothing is shown"


def _of_gate(failed: Iterable[Check], allowed: set[str]) -> Iterable[tuple[str, str]]:
    for each in failed:
        is_error = each.severity == "error" and each.name not in allowed
        yield "FAIL" if is_error else "WARN", f"{each.name}: {each.text}"


def _of_claims(found: Mapping[str, Any], claims: Iterable[Claim]) -> Iterable[tuple[str, str]]:
    """Claims that were verified where they were made and are not here."""
    before = {
        each.get("step"): each.get("verdict") for each in found["claims"] if isinstance(each, dict)
    }
    for claim in claims:
        if before.get(claim.step) == "VERIFIED" and claim.verdict == "UNVERIFIED":
            yield "WARN", f"step {claim.step} is not verified here: {claim.why}"


def summary(result: Result) -> str:
    """The checks and claims in a line."""
    passed = sum(each.passed is True for each in result.ran)
    verified = sum(each.verdict == "VERIFIED" for each in result.claims)
    checks = f"{passed} of {many(len(result.ran), 'check')} passed"
    return f"{checks}, {verified} of {many(len(result.claims), 'claim')} verified"


# end of module
