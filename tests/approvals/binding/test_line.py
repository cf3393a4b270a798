"""What the other commands on a line can do to a risky one."""

import pytest
from tests.tables import for_each

from operators_edge.approvals.binding.line import line_of
from operators_edge.gate import rules

RULES = rules.load()


@pytest.mark.parametrize(
    "text",
    [
        "cd src && ls -la | head -3",
        "git status; git log --oneline | cat",
        "git branch --show-current; git remote -v; git remote get-url origin",
        "echo done 2>/dev/null; test -f x || true",
        "git fetch origin; grep -rn x . | uniq -c | wc -l",
    ],
)
def test_what_only_reads_or_prints_does_not_count(text):
    assert line_of(text, "/home/me", RULES).commands == ()


@for_each(
    "text",
    [
        "git commit -m x",
        "git add -A; git fetch",
        "git log --output=x",
        "git -c a.b=c status",
        "git branch new",
        "git remote add evil /x",
        "echo x > file",
        "sort -o a b",
        "npm test",
        "A=1",
        "A=1 ls",
        "git",
    ],
)
def test_anything_else_counts(text):
    assert line_of(text, "/home/me", RULES).commands


def test_which_command_changes_commits_or_the_target_is_named():
    line = line_of("git add . && git commit -m x; git config a.b c; git push", "/home/me", RULES)
    assert line.commits == "git add ."
    assert line.redirects == "git config a.b c"
    assert line_of("npm version patch && git push", "", RULES).commits == "npm version patch"
    for text in ("source env.sh", ". ./env.sh", "python -c 'x()'", "echo x >> .git/config"):
        assert line_of(f"{text}; git push", "", RULES).redirects, text
    plain = line_of("make test; git push", "", RULES)
    assert (plain.commits, plain.redirects) == ("", "")


def test_variables_that_the_line_sets_are_known_or_known_to_be_unknown():
    text = "A=1; export B=2 C; D=3 ls; declare -x E=$(date); unset F; cat <<< x"
    assigned = line_of(text, "", RULES).assigned
    assert assigned == {"A": "1", "B": "2", "E": None, "F": None}
