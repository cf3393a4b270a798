"""What ``act`` runs of a workflow: the steps of the jobs that it is asked for, in a container of its own.

A step is a text for the shell or an action. Of actions those are known that change something elsewhere: what
they do is written as the command that does the same. Owns which jobs and steps run, and these actions. Pure
but for ``Facts``. Does not own what a container may lose (``gate.own.container_runs``).
"""

from __future__ import annotations

import os.path
import shlex
from typing import Any

from operators_edge.gate.disk.search import Piece, SearchPart
from operators_edge.gate.own.container_runs import inside_of
from operators_edge.shell.commands import HOLE
from operators_edge.text import yaml_values
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from operators_edge.gate.disk.search import Search

_EXPRESSION = pattern(r"(?s)\$\{\{.*?\}\}")
_NOT_HERE = pattern(
    r"^\s*(?:\$\{\{)?\s*(?:false|!\s*env\.ACT|env\.ACT\s*!=\s*'?true'?|env\.ACT\s*==\s*''"
    r"|!\s*\(?\s*env\.ACT\s*==\s*'true'\s*\)?)\s*(?:&&.*)?(?:\}\})?\s*$"
)
_EVENT = pattern(r"^\s*(?:\$\{\{)?\s*github\.event_name\s*==\s*'(\w+)'\s*(?:&&.*)?(?:\}\})?\s*$")
_VALUED = frozenset(
    "-j --job -W --workflows -P --platform -s --secret --secret-file --env --env-file --var --var-file"  # noqa: SIM905
    " --input --input-file -e --eventpath -a --actor -C --directory --matrix --defaultbranch --network"
    " --container-architecture --container-options --container-daemon-socket --github-instance"
    " --artifact-server-path --cache-server-path --remote-name --concurrent-jobs".split()
)
_ONLY_SHOWS = frozenset("-n --dryrun -l --list -g --graph --validate --strict --version".split())  # noqa: SIM905
_ON_MACHINE = pattern(r"(?:^|\s)(?:-b|--bind)(?:\s|$)|=-self-hosted\b")
"""What has it run on the machine itself, or in the folder of the project."""
_MAX_JOBS = 50
_MAX_STEPS = 200
_MAX_DEPTH = 4
_With = dict[str, str]


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.split("\n") if line.strip()), "")


def _image(given: _With) -> list[str]:
    is_pushed = given.get("push", "").lower() not in ("", "false")
    is_pushed |= "push=true" in given.get("outputs", "") or "type=registry" in given.get(
        "outputs", ""
    )
    return ["docker", "push", _first_line(given.get("tags", HOLE))] if is_pushed else []


def _python_package(given: _With) -> list[str]:
    address = given.get("repository-url", given.get("repository_url", ""))
    return ["twine", "upload", *(["--repository-url", address] if address else []), "dist/*"]


def _pages(given: _With) -> list[str]:
    is_dry = given.get("dry-run", "").lower() == "true"
    branch = given.get("branch") or given.get("publish_branch") or "gh-pages"
    return [] if is_dry else ["git", "push", "--force", "origin", branch]


def _over_ssh(given: _With) -> list[str]:
    return ["ssh", given.get("host", HOLE), given.get("script", HOLE)]


def _words(*words: str) -> Callable[[_With], list[str]]:
    return lambda _: list(words)


def _named(program: str, *keys: str, usual: str = "") -> Callable[[_With], list[str]]:
    """A program with the words that the action is given."""

    def words(given: _With) -> list[str]:
        text = next((given[key] for key in keys if given.get(key)), usual)
        try:
            return [program, *shlex.split(text)] if text else []
        except ValueError:
            return [program, HOLE]

    return words


_ACTIONS: dict[str, Callable[[_With], list[str]]] = {
    **dict.fromkeys(("docker/build-push-action", "docker/bake-action"), _image),
    "pypa/gh-action-pypi-publish": _python_package,
    **dict.fromkeys(
        (
            *("peaceiris/actions-gh-pages", "jamesives/github-pages-deploy-action"),
            "crazy-max/ghaction-github-pages",
        ),
        _pages,
    ),
    **dict.fromkeys(
        ("softprops/action-gh-release", "ncipollo/release-action", "actions/create-release"),
        _words("gh", "release", "create", HOLE),
    ),
    "appleboy/ssh-action": _over_ssh,
    **dict.fromkeys(
        ("appleboy/scp-action", "easingthemes/ssh-deploy", "burnett01/rsync-deployments"),
        _words("rsync", "-a", "--delete", "./", f"{HOLE}:/srv/"),
    ),
    "samkirkland/ftp-deploy-action": _words("curl", "-T", "x", "ftp://server.example/"),
    "js-devtools/npm-publish": _words("npm", "publish"),
    "firebaseextended/action-hosting-deploy": _words("firebase", "deploy"),
    "cloudflare/wrangler-action": _named("wrangler", "command", usual="deploy"),
    "amondnet/vercel-action": _words("vercel", "deploy", "--prod"),
    "nwtgck/actions-netlify": _words("netlify", "deploy", "--prod"),
    "aws-actions/amazon-ecs-deploy-task-definition": _words("aws", "ecs", "update-service"),
    "aws-actions/aws-cloudformation-github-deploy": _words("aws", "cloudformation", "deploy"),
    "google-github-actions/deploy-cloudrun": _words("gcloud", "run", "deploy", HOLE),
    "google-github-actions/deploy-appengine": _words("gcloud", "app", "deploy"),
    "azure/webapps-deploy": _words("az", "webapp", "deploy"),
    "azure/k8s-deploy": _words("kubectl", "apply", "-f", "k8s"),
    "azure/cli": _named("sh -c", "inlineScript"),
    "jakejarvis/s3-sync-action": _words("aws", "s3", "sync", ".", "s3://bucket", "--delete"),
    "akhileshns/heroku-deploy": _words("git", "push", "heroku", "main"),
    "superfly/flyctl-actions": _named("flyctl", "args"),
    **dict.fromkeys(
        ("stefanzweifel/git-auto-commit-action", "ad-m/github-push-action"), _words("git", "push")
    ),
    **dict.fromkeys(
        ("slackapi/slack-github-action", "8398a7/action-slack", "rtcamp/action-slack-notify"),
        _words("curl", "-X", "POST", "https://slack.com/api/chat.postMessage"),
    ),
    "goreleaser/goreleaser-action": _named("goreleaser", "args"),
    "changesets/action": _named("sh -c", "publish"),
    "cycjimmy/semantic-release-action": _words("npx", "semantic-release"),
}
"""An action → the words of the command that does the same, from what it is given."""


class Workflows(SearchPart):
    """The workflows that one command runs."""

    def __init__(self, search: Search) -> None:
        super().__init__(search)
        self.options, self.operands = self._words()
        self.event = (self.operands or ["push"])[0]
        self.jobs = [value for name, value in self.options if name in ("-j", "--job")]
        home = self.context.home
        places = (self.context.root, home, os.path.join(home, ".config/act"))
        names = [os.path.join(one, name) for one in places for name in (".actrc", "actrc")]
        settings = [self.follower.read(one, self.context) or "" for one in names]
        text = "\n".join([" ".join(self.search.words), *settings])
        self.is_on_machine = _ON_MACHINE.search(text) is not None
        self.count = 0

    def pieces(self, path: str, text: str) -> Iterator[Piece] | None:
        """Yield what the steps of a workflow run; None if it is not understood."""
        whole = yaml_values.read(text)
        jobs = whole.get("jobs") if isinstance(whole, dict) else None
        if not isinstance(jobs, dict) or not all(isinstance(one, dict) for one in jobs.values()):
            return None
        return self._pieces(path, whole, jobs, 0)

    def _words(self) -> tuple[list[tuple[str, str]], list[str]]:
        options, operands, at = [], [], 1
        words = self.search.words
        while at < len(words):
            name, equals, value = words[at].partition("=")
            if name[:1] != "-":
                operands.append(words[at])
            elif not equals and name in _VALUED and at + 1 < len(words):
                at += 1
                options.append((name, words[at]))
            else:
                options.append((name, value))
            at += 1
        return options, operands

    def _pieces(
        self, path: str, whole: Mapping[str, Any], jobs: Mapping[str, Any], depth: int
    ) -> Iterator[Piece]:
        if any(name in _ONLY_SHOWS for name, _ in self.options) or depth > _MAX_DEPTH:
            return
        for name in self._chosen(whole, jobs) if depth == 0 else list(jobs):
            job = jobs[name]
            if self._is_left_out(job.get("if")):
                continue
            variables = {**_texts(whole.get("env")), **_texts(job.get("env"))}
            if isinstance(job.get("uses"), str):
                yield from self._called(job["uses"], depth)
            line = getattr(jobs, "lines", {}).get(name, 1)
            yield from self._steps(path, job.get("steps"), variables, line, depth)

    def _chosen(self, whole: Mapping[str, Any], jobs: Mapping[str, Any]) -> list[str]:
        left = [one for one in self.jobs if one in jobs]
        if not self.jobs and self._is_triggered(whole.get("on")):
            left = list(jobs)
        found: list[str] = []
        while left and len(found) < _MAX_JOBS:
            name = left.pop(0)
            if name in jobs and name not in found:
                found.append(name)
                needs = jobs[name].get("needs") or []
                left += needs if isinstance(needs, list) else [str(needs)]
        return found

    def _is_triggered(self, on: Any) -> bool:
        if isinstance(on, (list, dict)):
            return self.event in on or (not self.operands and len(on) == 1)
        return not self.operands or on == self.event

    def _is_left_out(self, condition: Any) -> bool:
        if condition is False:
            return True
        if not isinstance(condition, str):
            return False
        event = _EVENT.match(condition)
        is_other = event is not None and event[1] != self.event and bool(self.operands)
        return is_other or _NOT_HERE.match(condition) is not None

    def _steps(
        self, path: str, steps: Any, variables: Mapping[str, str], line: int, depth: int
    ) -> Iterator[Piece]:
        for step in steps if isinstance(steps, list) else ():
            self.count += 1
            if not isinstance(step, dict) or self._is_left_out(step.get("if")):
                continue
            if self.count > _MAX_STEPS:
                return
            lines = getattr(step, "lines", {})
            known = {**variables, **_texts(step.get("env"))}
            if isinstance(step.get("run"), str):
                at = lines.get("run", line) + ("\n" in step["run"])
                yield self._run(path, step, known, at)
            elif isinstance(step.get("uses"), str):
                at = lines.get("uses", line)
                yield from self._action(path, step, known, at, depth)

    def _run(
        self, path: str, step: Mapping[str, Any], known: Mapping[str, str], line: int
    ) -> Piece:
        folder = step.get("working-directory")
        inside = self.context.resolve(str(folder), self.context.root) if folder else None
        shell = str(step.get("shell") or "")
        return Piece(
            path,
            _EXPRESSION.sub(HOLE, step["run"]),
            line,
            "python" if shell.startswith("python") else "sh",
            inside or self.context.root,
            assigned=tuple(known.items()),
            is_direct=False,
            inside=None if self.is_on_machine else inside_of(known),
        )

    def _action(
        self, path: str, step: Mapping[str, Any], known: Mapping[str, str], line: int, depth: int
    ) -> Iterator[Piece]:
        uses = step["uses"].partition("@")[0]
        if uses[:2] == "./":
            yield from self._called(uses, depth)
            return
        action = _ACTIONS.get("/".join(uses.lower().split("/")[:2]))
        words = action(_texts(step.get("with"))) if action else []
        if words:
            text = " ".join(
                one if HOLE in one or " -" in one else shlex.quote(one) for one in words
            )
            made = {"run": text, "working-directory": None}
            yield self._run(path, made, known, line)

    def _called(self, uses: str, depth: int) -> Iterator[Piece]:
        """The steps of an action or a workflow of the project."""
        if uses[:2] != "./" or depth > _MAX_DEPTH:
            return
        base = self.context.resolve(uses, self.context.root) or ""
        for path in (base, f"{base}/action.yml", f"{base}/action.yaml"):
            whole = yaml_values.read(self.follower.read(path, self.context) or "")
            if not isinstance(whole, dict):
                continue
            runs, jobs = whole.get("runs"), whole.get("jobs")
            if isinstance(runs, dict):
                yield from self._steps(path, runs.get("steps"), {}, 1, depth + 1)
            elif isinstance(jobs, dict) and all(isinstance(one, dict) for one in jobs.values()):
                yield from self._pieces(path, whole, jobs, depth + 1)
            return


def _texts(value: Any) -> dict[str, str]:
    """A mapping of texts, with what is not known in them as a HOLE."""
    if not isinstance(value, dict):
        return {}
    shown = {
        str(key): str(one).lower() if isinstance(one, bool) else str(one)
        for key, one in value.items()
        if one is not None
    }
    return {key: _EXPRESSION.sub(HOLE, one) for key, one in shown.items()}


# end of module
