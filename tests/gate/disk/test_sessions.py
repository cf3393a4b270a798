"""Sessions of nox and tasks of Invoke are judged by what they start, with their variables and functions."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

NOX = """import nox

REMOTE = "origin"


def _push(session: nox.Session, *refs: str) -> None:
    words = ["git"]
    words.append("push")
    words.extend(["-f", REMOTE, *refs])
    session.run(*words, external=True)


@nox.session(
    python=False,
)
@nox.parametrize("x", [1, 2])
def pages(session, x):
    out = "docs/out"
    session.run("sphinx-build", "docs", out)
    for ref in ("site", "main"):
        _push(session, ref)


@nox.session
def manual(session):
    out = "docs/out"
    session.run("sphinx-build", "-W", "docs", out)
    session.run(
        "sphinx-build", "-b", "doctest",
        "docs", out,
    )


@nox.session(name="all-of-it")
def everything(session):
    session.notify("pages")
"""
SPREAD = """import nox


@nox.session
def docs(s):
    out = "docs/out"
    s.run_always(
        "ghp-import", "--no-jekyll", "--push",
        "--branch", "gh-pages", out,
    )
"""
INVOKE = """from invoke import task

BUCKET = "s3://assets"


@task
def build(c):
    c.run("mkdir -p out")


@task(pre=[build])
def ship(c, dry=False):
    words = ["aws", "s3", "sync"]
    target = f"{BUCKET}/web"
    line = " ".join([*words, "--delete", "out", target])
    c.run(
        line,
        echo=True,
    )
"""


def helped(does):
    task = "from invoke import task\nfrom tools.help import ready\n\n@task\ndef pack(c):\n    ready(c)\n"
    return {"tasks.py": task, "tools/help.py": f"def ready(c):\n    {does}\n"}


OTHER = "pass\n\ndef other(c):\n    c.run('git push --force')"
PAGES = "import nox\nfrom tools.help import ready\n\n@nox.session\ndef docs(s):\n    ready(s)\n"
STOPPED = {
    "a list through a function": ("nox -s pages", {"noxfile.py": NOX}),
    "a session with a version": ("nox -s pages-3.12", {"noxfile.py": NOX}),
    "one that another names": ("nox -s all-of-it", {"noxfile.py": NOX}),
    "all of them": ("nox", {"noxfile.py": NOX}),
    "words on several lines": ("nox -s docs", {"noxfile.py": SPREAD}),
    "a text of a task": ("inv ship", {"tasks.py": INVOKE}),
    "a function of another file": ("inv pack", helped("c.run('git push --force origin main')")),
    "as another person": ("inv pack", helped("c.sudo('systemctl stop nginx')")),
    "a session in another file": (
        "nox -s docs",
        {
            "noxfile.py": PAGES,
            "tools/help.py": "def ready(s):\n    s.run('git', 'push', '--force', 'origin', 'main')\n",
        },
    ),
    "a task with options": ("inv ship --dry", {"tasks.py": INVOKE}),
}
CALM = {
    "another session": ("nox -s manual", {"noxfile.py": NOX}),
    "another task": ("inv build", {"tasks.py": INVOKE}),
    "a function of another file": ("inv pack", helped("c.run('git fetch origin')")),
    "one that no task calls": ("inv pack", helped(OTHER)),
    "no session": ("nox -s docs", {"noxfile.py": SPREAD.replace("@nox.session\n", "")}),
    "code that is broken": ("nox -s docs", {"noxfile.py": "import nox\n@nox.session\ndef docs(s:\n"}),
}  # fmt: skip


@for_each(("command", "files"), STOPPED.values(), STOPPED)
def test_what_a_session_starts_is_stopped(command, files):
    assert judged(command, files, committed=files).effect != "allow"


@for_each(("command", "files"), CALM.values(), CALM)
def test_a_session_that_stays_here_needs_nobody(command, files):
    assert judged(command, files, committed=files).effect == "allow"


def test_the_finding_names_the_line_of_the_call():
    found = judged("nox -s docs", {"noxfile.py": SPREAD}).findings
    assert "noxfile.py:7" in {one.source for one in found}
