"""What usual commands do, in the words that people use for it: ``gh pr merge`` merges a pull request.

Pure. A table, so that a lesson "before merging a pull request" is found with the command. Does not own when a
lesson matches (``memory.triggers``).
"""

from __future__ import annotations

from functools import cache

from operators_edge.text import tokens
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_OPERAND = "operand"
_LISTS = frozenset({"-l", "--list", "-n", "--dry-run", "-h", "--help"})
"""With one of these options nothing is done."""

_TABLE: tuple[tuple[str, str, str, str], ...] = (
    # commands, what they need besides (an operand, or one of these options), what is done, and to what
    ("git commit", "", "commit", "change"),
    ("git branch, git push", "-d -D --delete", "delete remove", "branch"),
    ("git push", "", "push", "branch commit remote"),
    ("git push", "-f --force --force-with-lease", "force", "push branch"),
    ("git push", "--tags --follow-tags", "", "tag release"),
    ("git tag", _OPERAND, "tag release", "version"),
    ("git checkout, git switch", "-b -B -c -C", "create branch", "new branch"),
    ("git checkout, git switch", _OPERAND, "switch", "branch"),
    ("git merge", "", "merge", "branch"),
    ("git rebase", "", "rebase", "branch"),
    ("git reset", "--hard", "reset discard", "change commit"),
    ("git restore", "", "discard restore", "change file"),
    ("git revert", "", "revert undo", "commit"),
    ("git clone", "", "clone", "repository repo"),
    ("git pull, git fetch", "", "pull fetch update", "branch remote"),
    ("gh pr", "", "", "pull request pr"),
    ("gh pr create", "", "create open submit", "pull request pr"),
    ("gh pr merge", "", "merge", "pull request pr"),
    ("glab mr", "", "", "merge request mr"),
    ("glab mr create", "", "create open submit", "merge request mr"),
    ("gh release create", "", "release publish", "version tag"),
    ("gh workflow run", "", "trigger start", "workflow ci pipeline"),
    (
        (
            "npm version, yarn version, pnpm version, poetry version, hatch version, uv"
            " version, cargo set-version, bump2version, bumpversion, bump-my-version"
        ),
        "",
        "bump",
        "version release",
    ),
    (
        (
            "npm publish, yarn publish, pnpm publish, poetry publish, cargo publish, twine"
            " upload, gem push, uv publish, hatch publish, flit publish"
        ),
        "",
        "publish release upload",
        "package version",
    ),
    (
        "npm install, npm i, npm add, pip install, pip3 install, gem install, go get, go install",
        _OPERAND,
        "install add",
        "dependency package library module",
    ),
    (
        "yarn add, pnpm add, bun add, uv add, poetry add, cargo add, bundle add, composer require",
        _OPERAND,
        "install add",
        "dependency package library module",
    ),
    (
        "npm ci, npm install, yarn install, pnpm install, bundle install, poetry install, uv sync",
        "",
        "install",
        "dependency package",
    ),
    (
        (
            "npm uninstall, npm rm, yarn remove, pnpm remove, pip uninstall, uv remove,"
            " poetry remove, cargo remove"
        ),
        "",
        "uninstall remove",
        "dependency package library module",
    ),
    (
        (
            "npm update, npm upgrade, yarn upgrade, yarn up, pnpm update, cargo update,"
            " poetry update, bundle update, composer update, uv lock"
        ),
        "",
        "update upgrade",
        "dependency package library lock",
    ),
    ("pip install, pip3 install", "-U --upgrade", "update upgrade", "dependency package library"),
    (
        (
            "pytest, py.test, tox, nox, jest, vitest, mocha, rspec, phpunit, ctest, go test,"
            " cargo test, npm test, npm t, yarn test, pnpm test, bun test, mvn test, gradle"
            " test, gradlew test, dotnet test, mix test, rails test, unittest, cargo nextest"
        ),
        "",
        "test",
        "run suite unit",
    ),
    ("playwright test, cypress run", "", "test", "run suite e2e end browser"),
    (
        (
            "ruff, ruff check, flake8, pylint, eslint, golangci-lint, cargo clippy, rubocop,"
            " npm run lint"
        ),
        "",
        "lint",
        "run linter code check",
    ),
    ("black, prettier, gofmt, ruff format, cargo fmt, go fmt", "", "format", "run formatter code"),
    ("mypy, pyright, tsc", "", "typecheck", "run type check"),
    ("docker build, docker buildx build, podman build", "", "build", "image container"),
    ("docker push, podman push", "", "push", "image container"),
    (
        "docker compose up, docker-compose up, docker run, docker start",
        "",
        "start",
        "run container service stack",
    ),
    (
        "docker compose down, docker-compose down, docker stop",
        "",
        "stop",
        "container service stack",
    ),
    (
        "docker system prune, docker volume prune, docker image prune",
        "",
        "prune",
        "clean image volume",
    ),
    (
        (
            "alembic upgrade, prisma migrate, rails db:migrate, rake db:migrate, manage.py"
            " migrate, flask db upgrade, knex migrate, knex migrate:latest, sequelize"
            " db:migrate, artisan migrate, dotnet ef database update, flyway migrate, diesel"
            " migration run, sqlx migrate run, goose up"
        ),
        "",
        "migrate",
        "run apply migration database schema db",
    ),
    ("psql, mysql, sqlite3, mongosh, clickhouse-client", "", "query", "database db sql"),
    ("rails db:seed, rake db:seed, prisma db seed", "", "seed", "database db"),
    ("redis-cli flushall, redis-cli flushdb", "", "clear flush empty", "cache redis"),
    (
        (
            "kubectl apply, kubectl rollout, helm upgrade, helm install, flyctl deploy, fly"
            " deploy, vercel, netlify deploy, serverless deploy, sls deploy, cdk deploy, eb"
            " deploy, gcloud app deploy, gcloud run deploy, firebase deploy, wrangler deploy"
        ),
        "",
        "deploy",
        "release roll rollout",
    ),
    ("terraform apply, tofu apply, pulumi up", "", "apply", "infrastructure"),
    ("terraform destroy, tofu destroy, pulumi destroy", "", "destroy", "tear down infrastructure"),
    ("kubectl scale", "", "scale", "deployment replica"),
    ("rm, git rm, unlink", _OPERAND, "delete remove", "file folder directory"),
    ("mv, git mv", _OPERAND, "rename move", "file folder directory"),
    ("crontab", "", "schedule", "cron job"),
)


class _Act(NamedTuple):
    """``lead``: how a command begins; ``needs``: one of these, if any; what it does and to what, as stems."""

    lead: tuple[str, ...]
    needs: frozenset[str]
    does: frozenset[str]
    about: frozenset[str]


def _stems(text: str) -> frozenset[str]:
    return frozenset(term.text for term in tokens.terms(text) if not term.is_part)


@cache
def _acts() -> tuple[_Act, ...]:
    return tuple(
        _Act(tuple(lead.split()), frozenset(needs.split()), _stems(does), _stems(f"{does} {about}"))
        for commands, needs, does, about in _TABLE
        for lead in commands.split(", ")
    )


def meaning(argv: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
    """What a command does, as verbs, and these with what it does it to; stems of words."""
    argv = argv[: argv.index("--")] if "--" in argv else argv
    if not _LISTS.isdisjoint(argv):
        return frozenset(), frozenset()
    plain = _unwrapped([word for word in argv if not word.startswith("-")])
    does: frozenset[str] = frozenset()
    about: frozenset[str] = frozenset()
    for act in _acts():
        if tuple(each.lower() for each in plain[: len(act.lead)]) == act.lead and _has(
            act, argv, plain
        ):
            does, about = does | act.does, about | act.about
    return does, about


_RUNNERS = (
    ("npx",),
    ("bunx",),
    *((tool, "exec") for tool in ("npm", "pnpm", "yarn", "bundle")),
    *((tool, "run") for tool in ("poetry", "uv", "pdm", "hatch")),
)
"""What stands before the command that is run."""


def _unwrapped(plain: list[str]) -> list[str]:
    for runner in _RUNNERS:
        if tuple(plain[: len(runner)]) == runner:
            return plain[len(runner) :]
    is_script = plain[1:] and plain[0].startswith("python") and plain[1].endswith(".py")
    return plain[1:] if is_script else plain


def _has(act: _Act, argv: Sequence[str], plain: Sequence[str]) -> bool:
    if not act.needs:
        return True
    if _OPERAND in act.needs:
        return len(plain) > len(act.lead)
    return not act.needs.isdisjoint(argv)


def trigger_words(words: frozenset[str]) -> frozenset[str]:
    """Words of which each command whose meaning has one of ``words`` contains at least one."""
    return frozenset(max(act.lead, key=len) for act in _acts() if not act.about.isdisjoint(words))


# end of module
