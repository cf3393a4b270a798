"""What a completed step claims beside checks and files: commits, pushes, deployments, numbers, and so on.

Pure. Each kind is a row: the words that claim it, and the commands that can show it. For commits and pushes
the repository itself is asked. What is claimed and not seen is named, so that nothing rests on a test run
that says nothing about it; only what was observed against it contradicts.
"""

# ruff: noqa: E501, RUF001 - a row is one pattern

from __future__ import annotations

import re

from operators_edge.evidence.claims import check_history
from operators_edge.evidence.claims.file_claims import may_name_files
from operators_edge.evidence.claims.parsing import clauses
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from operators_edge.evidence.checks.run import Run
    from operators_edge.evidence.claims.model import Case


class Act(NamedTuple):
    """``name`` is what a person reads; ``said`` claims it done, ``todo`` begins a step that is to do it.

    ``hint``: a text without any of these is about something else. ``by``: the commands that do it, "" for
    what no command shows.
    """

    name: str
    hint: str
    said: str
    todo: str
    by: str


_ACTS = (
    Act("commit", "commit amend squash", r"(?:re)?committed|amended|squashed", "commit", r"\bgit\b[^;&|]*\bcommit\b|\bjj\b.*\bcommit\b|\bhg commit\b"),
    Act("push", "push", r"(?:force-)?pushed", "push", r"\b(?:git|jj git|hg|svn)\b[^;&|]*\bpush\b|\bgh pr create\b|\bsvn commit\b"),
    Act(
        "deployment",
        "deploy roll ship live",
        r"(?:re)?deployed|rolled out|shipped|(?:went|is|are) live|live (?:on|in|at)",
        "deploy|roll out|ship",
        r"deploy|rollout|kubectl\s+(?:apply|set)|helm\s+(?:upgrade|install)|terraform\s+apply|\b(?:fly|vercel|netlify"
        r"|heroku|wrangler|serverless|sls|cdk|pulumi|eb|gcloud|az|ansible-playbook|rsync|scp)\b|docker\s+push",
    ),
    Act(
        "publication",
        "publish release upload",
        r"(?:re)?published|released|uploaded",
        "publish|release|upload",
        r"publish|\btwine\s+upload|\bgem\s+push|\bgh\s+release|\bnuget\s+push|docker\s+push|goreleaser|semantic-release|upload",
    ),
    Act(
        "pull request",
        "pr mr request",
        r"(?:opened|created|raised|submitted|filed|updated)\s+(?:an?\s+|the\s+)?(?:PR|MR|(?:pull|merge)[ -]request)s?\b|\b(?:PR|MR)\s*[#!]\d+",
        "open (?:an?|the) (?:PR|pull request)",
        r"\bgh\s+pr\b|\bglab\s+mr\b|\bhub\s+pull-request|request-pull|\bmerge_request",
    ),
    Act("merge", "merge rebase", r"merged(?= (?:in)?to\b|\s*(?:$|[.,;)]))|rebased on", "merge", r"\bmerge\b|\brebase\b|\bgit\b[^;&|]*\bpull\b"),
    Act("ticket", "clos resolv", r"(?:closed|resolved)\s+(?:the\s+)?(?:(?:issue|ticket|bug|story)s?\b\s*)?(?:[A-Z][A-Z0-9]+-\d+|[#!]\d+|(?:issue|ticket|story)\b)|(?:issue|ticket|story) (?:is |was )?closed", "close (?:the )?(?:issue|ticket)", r"\b(?:gh|glab)\s+issue|\bjira\b|linear|tracker|\bbd\s+(?:done|close)|curl"),
    Act("tag", "tag", r"tagged", "tag", r"\bgit\b[^;&|]*\btag\b|\bgh\s+release"),
    Act(
        "run of the CI",
        "ci pipeline workflow github server",
        r"(?:CI|pipelines?|workflows?|github actions|build server)\b[^,;]{0,30}\b(?:green|pass(?:es|ed|ing)?|succeed(?:s|ed)|ok|clean)|green (?:CI|pipeline)",
        "",
        r"\bgh\s+(?:run|pr\s+checks|workflow)|\bglab\s+(?:ci|pipeline)|\bact\b",
    ),
    Act("coverage", "coverage", r"coverage\b[^,;]{0,25}\d+(?:[.,]\d+)?\s*%|\d+(?:[.,]\d+)?\s*%\s+(?:\w+\s+){0,2}coverage|full coverage", "", r"cov|nyc|c8|tarpaulin|llvm-cov|simplecov|jacoco"),
    Act(
        "measurement",
        "0 1 2 3 4 5 6 7 8 9",
        r"\d+(?:[.,]\d+)?\s*(?:x|×|times|%|percent|fold)[ -](?:faster|slower|smaller|less|fewer|quicker|reduction|improvement|speed-?up)"
        r"|(?:faster|slower|smaller|quicker|reduced|dropped|improved|down|speed-?up)\b[^,;]{0,25}\b\d+(?:[.,]\d+)?\s*(?:x\b|×|times|%|percent)"
        r"|from\s+\d+(?:[.,]\d+)?\s*(?:m?s|s(?:ec(?:onds)?)?|min(?:utes)?|[KMG]i?B)\b[^,;]{0,20}\bto\s+\d",
        "",
        r"bench|hyperfine|\btime\b|perf|wrk|\bab\s|criterion|profil|lighthouse|k6|locust|measure|timeit|du\b|size|ls\s+-\w*l",
    ),
    Act(
        "look by hand",
        "manual hand browser chrome firefox safari simulat emulat device phone machine hardware mac windows ui qa sign review",
        r"(?:verified|tested|checked|confirmed|validated|looked at|tried)\b[^,;.]{0,30}\b(?:manually|by hand|(?:in|with) (?:the|a|my|both|several)?\s*"
        r"(?:browsers?|chrome|firefox|safari|simulator|emulator|device|phone|ui)|on (?:a|my|the|both|real) \w*\s*(?:device|phone|machine|hardware|mac|windows))"
        r"|manual(?:ly)? (?:tested|verified|checked|testing|verification|qa)|\bQA (?:passed|signed off|approved)|reviewed and approved by|signed off by",
        "",
        "",
    ),
    Act(
        "migration",
        "migrat",
        r"migrations? (?:\w+ ){0,2}(?:applied|ran|run|executed|deployed)|(?:applied|ran|executed) (?:the |all )?(?:\w+ )?migrations?|(?:data(?:base)?|schema|table)s? (?:was |were |is )?migrated",
        "(?:run|apply) (?:the |all )?migrations?",
        r"migrat|alembic|flyway|liquibase|prisma|knex|sqlx|goose|dbmate|rake\s+db|ecto|atlas|psql|mysql|sqlite3",
    ),
    Act("restart", "restart reboot running", r"restarted|rebooted|up and running again", "restart", r"restart|systemctl|supervisorctl|pm2|kill|docker|reload"),
    Act(
        "other version or system",
        "1 2 3 4 5 6 7 8 9 windows mac linux platform system version browser",
        r"\b(?:on|with|under|across|against)\s+(?:(?:all|both|the|supported|every)\s+)*(?:python|node(?:\.?js)?|ruby|go|php|java|jdk|rust|\.net|django|react|postgres\w*|mysql)s?\s*v?\d[\d.]*"
        r"|\b(?:on|under|across)\s+(?:(?:all|both|three|the)\s+)*(?:windows|macos|mac|linux|platforms|operating systems|python versions|node versions|browsers)\b",
        "",
        r"tox|nox|nvm|pyenv|rbenv|asdf|mise|matrix|act\b|uvx?\b.*--python|python3?\.\d|docker|hatch|rustup|\+\w",
    ),
    Act("notification", "notif mail messag inform post", r"(?:notified|e-?mailed|messaged|informed) (?:the |all |our )?(?:team|users?|customers?|stakeholders|reviewers?)|posted (?:it |this )?(?:in|to|on) (?:slack|teams|discord)", "notify", r"curl|slack|mail|webhook|gh\s+\w+\s+comment"),
    Act("backup", "back snapshot dump", r"backed up|(?:took|made|created) an? (?:backup|snapshot|dump)", "back up", r"dump|backup|cp\s|tar\s|rsync|snapshot|restic|borg"),
    Act("security scan", "vulnerab cve security", r"(?:no|0|zero) (?:known )?(?:vulnerabilities|CVEs?)|security (?:scan|audit) (?:is )?(?:clean|pass\w*|green)", "", r"audit|trivy|snyk|grype|bandit|semgrep|safety|osv|govulncheck|gosec|codeql|dependency-check"),
)  # fmt: skip
_REPRODUCTION = Act(
    "reproduction",
    "longer gone more disappear stopped reproduc",
    r"(?:the\s+|this\s+|that\s+)?(?:\w+\s+)?(?:repro\w*|bug|issue|crash\w*|error|exception|panic\w*|segfault\w*|problem|traceback|leak"
    r"|hang|deadlock|regression|fail(?:ure|ing\s+(?:case|input|example)))\b[^,;.]{0,30}\b(?:no longer|gone|any ?more|disappear\w*|stopped)"
    r"|(?:no longer|cannot|can't|could not|couldn't)\s+(?:be\s+)?reproduc\w*"
    r"|no longer (?:fails?|crash\w*|errors?|raises?|throws?|hangs?|panics?|segfaults?|times out)",
    "",
    r"(?i)repro|\bbug|issue|crash|\bpoc\b|demo|regress",
)
_SAID = {
    act.name: pattern(rf"(?i)(?<![\w-])(?:{act.said})(?![\w-])") for act in (*_ACTS, _REPRODUCTION)
}
_HINTS = {act.name: act.hint.split() for act in (*_ACTS, _REPRODUCTION)}
_OBJECT = (
    r"(?=\s*(?:$|[.,;:!)])|\s+(?:it|them|all|everything|changes|to|and|(?:the|these|those|all|our|my|your)\s+"
    r"(?:\w+\s+)?(?:changes?|work|branch|fix|result|commits?|code|release|package|image|version|tags?|site|app|service)\b))"
)
"""What follows a verb that asks for the act: "Push the branch", and not "Push notifications"."""
_TODO = {
    act.name: pattern(rf"(?i)(?:^\W*|\band )(?:{act.todo}){_OBJECT}") for act in _ACTS if act.todo
}
_BY = {act.name: pattern(act.by) for act in _ACTS if act.by}

# What makes it no claim: before the words, and after them in the same clause.
_NOT_BEFORE = pattern(
    r"(?i)(?:\b(?:not|never|nothing|no|without|un|isn't|wasn't|weren't|hasn't|haven't|didn't|don't|cannot|before|until|unless|once"
    r"|if|when|whenever|how|where|whether|after|should|must|will|would|could|can|may|might|ready|needs?|remains?|left|todo|to)\b"
    r"|n't)[^,;:]{0,40}$|\b(?:the|a|an|each|every|any|already|previously|last|to|get|gets|getting|being|that|which|of|for)\s*$"
)
_NOT_AFTER = pattern(
    r"(?i)^[^,;.]{0,30}\b(?:not yet|later|pending|next|tomorrow|by (?:you|a person|hand later)|is (?:open|missing)|remains|still (?:open|to do))\b"
    r"|^\s+(?:\w+\s+)?(?<!with )(?<!the )(?:messages?|events?|jobs?|records?|items?|files?|requests?|articles?|posts?|field|flag|state|status|column|at|dates?)\b"
)
_READ_ONLY = pattern(
    r"--dry-run|\s-n\s|--help|--version|\bgit\s+(?:log|show|status|diff|branch|remote|stash)\b|^\s*(?:echo|cat|grep|rg|ls|head|tail|less|sed -n|which|man)\b"
)
_MAY_HIDE = pattern(r"\|\||\||;|&\s*$")


def unseen(case: Case) -> tuple[str, ...]:
    """The names of what is claimed to be done and was not observed."""
    acts = [name for name in _claimed(case) if _state_of(case, name)[0] is not True]
    runs = [f"run of {name}" for name in _scripts(case) if _of_script(case, name)[0] is not True]
    return (*acts, *runs)


def contradiction(case: Case) -> str:
    """What was observed against a claimed act; "" if nothing was."""
    for name in _scripts(case):
        is_done, why = _of_script(case, name)
        if is_done is False:
            return why
    for name in _claimed(case):
        is_done, why = _state_of(case, name)
        if is_done is False:
            return why
    return _missing_commit(case) or _wrong_number(case)


def _claimed(case: Case) -> Iterator[str]:
    """The names of the acts that the step claims, each once."""
    fields, found = case.subject.fields, dict[str, None]()
    for field in ("proof", "actual", "description"):
        for clause in clauses(fields[field]):
            for name in _hinted(clause, _SAID):
                matches = _SAID[name].finditer(clause)
                if any(_is_claimed(clause, match) for match in matches):
                    found[name] = None
    wanted = fields["description"]
    for name in _hinted(wanted, _TODO):
        if _TODO[name].search(wanted) and not _is_taken_back(fields, name):
            found[name] = None
    yield from found


def _hinted(text: str, names: Iterable[str]) -> Iterator[str]:
    """The acts that a text may be about: most patterns need not be tried."""
    low = text.lower()
    return (name for name in names if any(hint in low for hint in _HINTS[name]))


def _is_claimed(clause: str, match: re.Match[str]) -> bool:
    before, after = clause[: match.start()], clause[match.end() :]
    return not _NOT_BEFORE.search(before) and not _NOT_AFTER.search(after)


_TAKES_BACK = pattern(r"(?i)\b(?:not|no|skip\w*|later|left|without|instead|never)\b|n't\b")


def _is_taken_back(fields: object, name: str) -> bool:
    """Whether the proof says that what the step was to do was left."""
    proof = f"{fields['proof']}\n{fields['actual']}"  # type: ignore[index]
    return _TAKES_BACK.search(proof) is not None and name not in ("commit", "push")


def _state_of(case: Case, name: str) -> tuple[bool | None, str]:
    """Whether an act was done: None if it was not observed either way; with False, what was seen instead."""
    if name == _REPRODUCTION.name:
        return _of_reproduction(case)
    ran = _last_run(case, name)
    if name == "push" and ran is not None and ran["passed"] and _MAY_HIDE.search(ran["command"]):
        ran = {**ran, "passed": None}
    if name in ("commit", "push"):
        found = _by_repository(case, name)
        if found[0] is not None:
            return found
    if ran is None:
        return None, ""
    if ran["passed"] is False:
        return (
            False,
            f"`{ran['command'][:80]}` failed at log {ran['seq']}, and no later {name} was observed",
        )
    return (True if ran["passed"] else None), ""


def _last_run(case: Case, name: str) -> Run | None:
    by = _BY.get(name)
    if by is None:
        return None
    runs = [
        run
        for run in case.command_runs
        if by.search(run["command"]) and not _READ_ONLY.search(run["command"])
    ]
    # A wide pattern (a benchmark, a deploy script) is enough to show that it was done, not that it failed.
    passed = [run for run in runs if run["passed"] is not False]
    if name not in ("commit", "push", "publication", "tag", "merge", "pull request"):
        return passed[-1] if passed else None
    return runs[-1] if runs else None


# -- programs that are said to run ---------------------------------------------------------------------

_SCRIPT = pattern(
    r"(?i)(?<![\w/.-])(?:\./)?([\w./-]*[\w-]\.(?:py|js|mjs|ts|rb|sh|php|pl|go|exs?|lua|r|jl))`?\s+(?:now\s+|script\s+)?"
    r"(?:runs?|works?|exits?|executes?|completes?|finish(?:es|ed)?|succeed(?:s|ed)?|ran|worked|completed|executed|exited)\b"
)
_TEST_NAME = pattern(r"(?i)(?:^|[/_.-])(?:tests?|spec)(?:[_.-]|$)")


def _scripts(case: Case) -> list[str]:
    """The programs that are said to run well, by the names of their files."""
    texts = (case.subject.fields["proof"], case.subject.fields["actual"])
    return [
        match[1]
        for text in texts
        if may_name_files(text)
        for clause in clauses(text)
        for match in _SCRIPT.finditer(clause)
        if not _TEST_NAME.search(match[1]) and _is_claimed(clause, match)
    ]


def _of_script(case: Case, name: str) -> tuple[bool | None, str]:
    base = re.escape(name.rsplit("/", 1)[-1])
    return _outcome(case, re.compile(rf"(?<![\w.-]){base}(?![\w-])"))


def _of_reproduction(case: Case) -> tuple[bool | None, str]:
    """By the commands that reproduce, else by any check that failed and passed later."""
    found = _outcome(case, re.compile(_REPRODUCTION.by))
    if found[0] is not None:
        return found
    failed = [run for run in case.checks if run["passed"] is False]
    cleared = any(
        check_history.clears(later, run)
        for run in failed
        for later in case.checks
        if later["seq"] > run["seq"]
    )
    return (True if cleared else None), ""


def _outcome(case: Case, pattern: re.Pattern[str]) -> tuple[bool | None, str]:
    """The outcome of the last command with these words; a failure counts while nothing changed after it."""
    runs = [
        run
        for run in case.command_runs
        if pattern.search(run["command"]) and not _LOOKS.match(run["command"])
    ]
    if not runs:
        return None, ""
    run = runs[-1]
    if run["passed"] is False:
        is_last = not check_history.covered(case.written_after(run["seq"]))
        why = f"`{run['command'][:80]}` failed at log {run['seq']}, and nothing changed since"
        return (False if is_last else None), why
    return run["passed"], ""


_LOOKS = pattern(
    r"\s*(?:git|cat|ls|grep|rg|find|head|tail|less|sed|awk|wc|diff|echo|rm|mv|cp|touch|chmod|vim?|nano|code)\b"
)


# -- the repository ----------------------------------------------------------------------------------


def _by_repository(case: Case, name: str) -> tuple[bool | None, str]:
    if case.work["elsewhere"]:
        return None, ""
    if name == "push":
        is_pushed = case.tree.is_pushed()
        if is_pushed is False and _last_run(case, name) is None:
            return False, "no commit of this work is on a remote, and no push was observed"
        return is_pushed or None, ""
    history = case.tree.history()
    if history is None:
        return None, ""
    unsaved = [
        path for path in case.subject.changed if path in history.unsaved and _is_settled(case, path)
    ]
    if not history.has_new_commit:
        if not unsaved:
            return None, ""
        return False, f"no commit was made since the work began, and {unsaved[0]} is not committed"
    named = [path for path in unsaved if _is_named_with(case, path, _SAID["commit"])]
    if named:
        return False, f"{named[0]} is said to be committed and is not"
    return (None if unsaved else True), ""


def _is_settled(case: Case, path: str) -> bool:
    """Whether the file was last changed before the step was completed."""
    facts = case.files.get(path)
    return facts is not None and facts["seq"] <= case.subject.end


def _is_named_with(case: Case, path: str, pattern: re.Pattern[str]) -> bool:
    text = f"{case.subject.fields['proof']}\n{case.subject.fields['actual']}"
    name = path.rsplit("/", 1)[-1]
    return any(name in clause and pattern.search(clause) for clause in clauses(text))


_COMMIT_ID = pattern(
    r"(?i)\b(?:commit\w*|sha|HEAD|revision)\b[^,;.]{0,24}?`?\b((?=[a-f]*\d)[0-9a-f]{7,40})\b"
    r"|\b(?:commit|sha|revision) `?([a-f]{7,40})\b"
)


_HEX = pattern(r"[0-9a-fA-F]{7}")


def _missing_commit(case: Case) -> str:
    """A commit that is named and does not exist."""
    if case.work["elsewhere"] or case.work["outside"]:
        return ""
    for text in (case.subject.fields["proof"], case.subject.fields["actual"]):
        for match in _COMMIT_ID.finditer(text) if _HEX.search(text) else ():
            ident = match[1] or match[2]
            if case.tree.has_commit(ident) is False:
                return f"there is no commit {ident} in this repository"
    return ""


# -- numbers -----------------------------------------------------------------------------------------

_NUMBER = pattern(
    r"(?i)(?<![\w.,#/-])(?:all\s+)?(\d{1,6})(?:\s*(?:/|of)\s*(\d{1,6}))?\s+(?:(?:unit|integration|e2e|of the|automated)\s+)?"
    r"(?:(?:tests?|specs?|examples?)\s+(?:(?:are|now|all|have|is)\s+)*(?:pass\w*|green|ok|succe\w+)|pass(?:ed|ing|es)?\b|green\b)"
)
_NARROWED = pattern(
    r"(?i)\b(?:new|added|more|other|related|relevant|affected|targeted|regression)\b"
)


_LEFT_OUT = pattern(
    r"(?i)\b(?:skip\w*|pending|ignored|disabled|omitted|todo|flaky|quarantin\w*|xfail\w*)\b"
)
"""With these words, a number of tests is not meant to be that of those that passed."""


def _numbers(case: Case) -> Iterator[int]:
    """How many tests are said to pass."""
    for field in ("proof", "actual"):
        text = case.subject.fields[field]
        is_told = not any(map(str.isdigit, text)) or _LEFT_OUT.search(text)
        for clause in () if is_told else clauses(text):
            for match in _NUMBER.finditer(clause):
                is_part = match[2] and match[1] != match[2]
                if not is_part and not _NARROWED.search(clause):
                    yield int(match[1])


def _counted(case: Case) -> tuple[list[Run], set[int]]:
    """The test runs with their counts, and every number that they or all of them together can mean."""
    runs = [
        run for run in check_history.runs_of_kind(case.checks, "test") if run["passed"] is not None
    ]
    counts = [run["counts"] or {} for run in runs]
    last = {f"{run['cwd']} {run['command']}": run["counts"] or {} for run in runs}
    numbers = {each.get("passed", 0) for each in counts}
    numbers |= {each.get("total", 0) for each in counts if not each.get("skipped")}
    return runs, numbers | {sum(each.get("passed", 0) for each in last.values())}


def _wrong_number(case: Case) -> str:
    """More tests are said to pass than any runs together had."""
    said = max(_numbers(case), default=0)
    runs, known = _counted(case)
    if (
        not said
        or not runs
        or not all((run["counts"] or {}).get("passed") is not None for run in runs)
    ):
        return ""
    most = max(known)
    last = check_history.describe(runs[-1])
    return f"{said} tests are said to pass; {last}" if said > most else ""


def unseen_numbers(case: Case, run: Run) -> tuple[str, ...]:
    """The numbers of passed tests that the run does not show."""
    seen = (run["counts"] or {}).get("passed")
    _, known = _counted(case)
    if seen is None:
        return tuple(f"{each} tests" for each in _numbers(case))
    latest = {seen, max(known)}
    return tuple(f"{each} tests" for each in _numbers(case) if each not in latest)


def sentence(names: Sequence[str]) -> str:
    """What was not seen, as text: "push not observed"."""
    return f"{', '.join(names)} not observed" if names else ""


# end of module
