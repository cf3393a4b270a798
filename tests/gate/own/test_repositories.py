"""Repositories that a line makes: what reaches one of them alone."""

from __future__ import annotations

from tests.gate.own.test_line_words import place_of, read
from tests.tables import for_each

from operators_edge.gate.own import repositories


@for_each(
    "text",
    [
        'W=$(mktemp -d); git clone -q . "$W/c"; git -C "$W/c" reset --hard v1',
        "git clone -q . /tmp/c && git -C /tmp/c clean -fd",
        "git init -q /tmp/c && git -C /tmp/c branch -D a",
    ],
)
def test_a_command_works_in_a_temporary_clone_of_the_line(text):
    line = read(text)
    assert repositories.is_in_clone(line, place_of(line, "git"))


@for_each(
    "text",
    [
        "git clone -q . c && git -C c clean -fd",  # not a temporary folder
        "git clone -q . /tmp/c; git -C /tmp/c clean -fd",  # it may be there already
        "git clone -q . /tmp/c && git -C /tmp/d clean -fd",
        "git clone -q . /tmp/c && GIT_DIR=/srv/c git -C /tmp/c clean -fd",
        "git clone -q . /tmp/c && git -C /tmp/c worktree list && git -C /tmp/c clean -fd",
        "git -C /tmp/c clean -fd",
    ],
)
def test_a_command_that_may_reach_another_repository_does_not(text):
    line = read(text)
    assert not repositories.is_in_clone(line, place_of(line, "git"))


def test_a_clone_that_is_there_already_is_not_new():
    line = read("git clone -q . /tmp/c && git -C /tmp/c clean -fd", {"/tmp/c/.git": "gitdir: x"})
    assert not repositories.is_in_clone(line, place_of(line, "git"))


@for_each(
    ("text", "is_own"),
    [
        ("git init -q --bare /tmp/r; git push /tmp/r main", True),
        ("git init -q --bare /tmp/r; git push -f file:///tmp/r main", True),
        ("git init -q /tmp/r; git push /tmp/r main", False),
        ("git init -q --bare /tmp/r; cp -r /srv/r /tmp/r; git push /tmp/r main", False),
        ("git init -q --bare /tmp/r; git remote add o x; git push /tmp/r main", False),
        ("git init -q --bare r; git push ./r main", False),
        ("git init -q --bare /tmp/r; git push /tmp/r main --exec=x", False),
        # The name of a remote, and another machine.
        ("cd /tmp && git init -q --bare origin && git push origin main", False),
        ("cd /tmp && git init -q --bare live:r && git push live:r main", False),
        ("git push /tmp/r main", False),
    ],
)
def test_a_push_goes_into_a_new_bare_repository_of_this_machine(text, is_own):
    line = read(text)
    assert repositories.is_pushed_into(line, place_of(line, "git")) == is_own


ADDED = "git init --bare /tmp/r && git remote add t /tmp/r"
CLONED = "git init --bare /tmp/r && git clone /tmp/r /tmp/c"


@for_each(
    ("text", "is_own"),
    [
        (f"{ADDED} && git push t main", True),
        (f"{ADDED} && echo x > a.txt && git add . && git commit -m x && git push -u t HEAD", True),
        ("R=$(mktemp -d)/r; git init --bare $R && git remote add t $R && git push -q t main", True),
        (f"{CLONED} && cd /tmp/c && git commit --allow-empty -m x && git push origin main", True),
        (f"{CLONED} && git -C /tmp/c push origin main", True),
        # There may be one of that name.
        (f"{ADDED}; git push t main", False),
        (f"{CLONED}; cd /tmp/c; git push origin main", False),
        (f"{ADDED} && git push origin main", False),
        (f"{ADDED} && git push main", False),
        (f"{ADDED} && cd ../other && git push t main", False),
        (
            "git init --bare /tmp/r && GIT_DIR=../x git remote add t /tmp/r && git push t main",
            False,
        ),
        # It may have been led elsewhere.
        (f"{ADDED} && git remote set-url t x && git push t main", False),
        (f"{ADDED} && ./setup.sh && git push t main", False),
        (f"{ADDED} && cp other .git/config && git push t main", False),
        (f"{ADDED} && cat other > .git/config && git push t main", False),
        (f"{ADDED} && cd .git && cat x > config && cd .. && git push t main", False),
        (f'{ADDED} && cat x > "$FILE" && git push t main', False),
        (f"{ADDED} && GIT_CONFIG_GLOBAL=x git push t main", False),
        # It is another one.
        ("git init --bare /tmp/r && git remote add t live:/tmp/r && git push t main", False),
        ("git init --bare /tmp/r && git remote add t /srv/r && git push t main", False),
        ("git init --bare /tmp/r && git remote add t ../tmp/r && git push t main", False),
        ("git clone https://example.com/a /tmp/c && cd /tmp/c && git push origin main", False),
        ("git clone /tmp/r /tmp/c && cd /tmp/c && git push origin main", False),
    ],
)
def test_a_push_goes_to_a_remote_that_the_line_has_made(text, is_own):
    line = read(text)
    assert repositories.is_pushed_into(line, len(line.invs) - 1) == is_own
