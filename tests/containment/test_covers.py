import pytest

from operators_edge.containment.covers import covered
from operators_edge.containment.policy import Policy

POLICY = Policy(
    "/srv/shop", read_only=("/srv/shop/.proof",), hosts=("git.example",), cache="/cache"
)


@pytest.mark.parametrize(
    ("rule", "subject", "targets", "why"),
    [
        ("http-write", {"host": "evil.example"}, (), "cannot reach evil.example"),
        ("http-write", {"host": "git.example:8443"}, (), ""),
        ("fs-recursive-delete", {}, ("/home/ann",), "cannot write there"),
        ("fs-recursive-delete", {}, ("/home/ann", "/srv/shop/build"), ""),
        ("fs-recursive-delete", {}, ("/srv/shop/.proof",), "cannot write there"),
        ("fs-recursive-delete", {}, (), ""),
        ("edge-own-files", {}, (), "cannot write there"),
        ("system-kill-all", {}, (), "cannot reach processes outside"),
        ("git-push", {"remote": "origin"}, (), ""),
    ],
)
def test_only_what_follows_from_the_policy_is_covered(rule, subject, targets, why):
    assert covered(POLICY, rule, subject, targets) == why
