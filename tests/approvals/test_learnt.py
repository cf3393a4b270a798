import os

import pytest

from operators_edge.approvals import learnt
from operators_edge.approvals.binding.bound import BoundFact
from operators_edge.gate.fingerprint import class_of
from operators_edge.model import Finding, Verdict

HERE = BoundFact("repository", value="/home/ann/shop", side="target")
PLACES = {"root": "/home/ann/shop", "home": "/home/ann"}


def finding(rule="http-write", targets=(), **subject):
    return Finding(
        rule, "junction", "external", "r", subject=tuple(subject.items()), targets=targets
    )


def shape(found, binding=(HERE,), machine="m"):
    verdict = Verdict("junction", (found,), classes=(class_of(found),))
    return learnt.shape_of(verdict, binding, machine, PLACES["root"], PLACES["home"])


def offer(now, *approved):
    return learnt.learn(shape(now), map(shape, approved), "in /home/ann/shop", **PLACES)


POST = finding(host="api.test.local", method="POST")
PUT = finding(host="api.test.local", method="PUT")


def test_two_approvals_of_a_kind_are_enough_and_one_is_not():
    assert offer(POST, POST) is None
    found = offer(POST, POST, POST)
    assert found.approved == 2
    assert found.text == "api.test.local POST; in /home/ann/shop"


def test_only_combinations_that_were_approved_are_covered():
    install = finding("package-global", program="apt-get", verb="install")
    remove = finding("package-global", program="npm", verb="remove")
    like = offer(install, install, remove).only["like"]
    assert learnt.covers(like, install, (HERE,), "m")
    assert not learnt.covers(
        like, finding("package-global", program="apt-get", verb="remove"), (HERE,), "m"
    )


@pytest.mark.parametrize(
    ("binding", "machine"),
    [
        ((HERE,), "another container"),
        ((HERE._replace(value="/home/ann/other"),), "m"),
        ((HERE, BoundFact("options", digest="x", side="target")), "m"),
        ((HERE._replace(unknown="git did not answer"),), "m"),
        ((), "m"),
    ],
)
def test_another_machine_or_target_is_not_covered(binding, machine):
    like = offer(POST, POST, PUT).only["like"]
    assert learnt.covers(like, PUT, (HERE,), "m")
    assert not learnt.covers(like, PUT, binding, machine)


def test_a_call_that_is_known_only_when_it_runs_is_not_covered():
    like = offer(POST, POST, PUT).only["like"]
    unknown = POST._replace(detail=(("command", "curl"), ("text", "x")))
    assert not learnt.covers(like, unknown, (HERE,), "m")


@pytest.mark.parametrize(
    "found",
    [
        finding("secret-read", program="cat", operands="~/.ssh/id_rsa"),
        finding("git-push-force", remote="origin", branch="main"),
        finding(host="…", method="POST"),
        finding(host="api.test.local/ghp_0123456789abcdefghijABCDEFGHIJ012345", method="POST"),
        finding(host="", method=""),
        finding("tool-outside", written="/etc/hosts", targets=("/etc/hosts",)),
        finding("fs-delete-outside", targets=("/home/ann/x",), program="rm", operands="x"),
        finding("fs-delete-outside", targets=("/home/ann/shop/x",), program="rm", operands="x"),
    ],
)
def test_of_some_calls_nothing_is_learnt(found):
    assert shape(found) is None


def test_a_call_that_asks_two_things_has_no_shape():
    verdict = Verdict("junction", (POST, PUT), classes=(class_of(POST), class_of(PUT)))
    assert learnt.shape_of(verdict, (HERE,), "m", "/r", "/h") is None


def removal(*paths):
    return finding("fs-delete-outside", targets=paths, program="rm", operands=" ".join(paths))


def test_a_deletion_is_covered_below_the_shared_folder_only():
    one, two = removal("/srv/lab/cache/a/1"), removal("/srv/lab/cache/b/2")
    found = offer(removal("/srv/lab/cache/b/3"), one, two)
    assert found.text == "rm; below /srv/lab/cache"
    like = found.only["like"]
    assert learnt.stays(like, [removal("/srv/lab/cache/c/4")], os.path.normpath)
    for path in ("/srv/lab/cache", "/srv/lab/other", "/srv/lab/cache/../x"):
        assert not learnt.stays(like, [removal(path)], os.path.normpath)
    assert not learnt.stays(like, [removal()], os.path.normpath)
    assert offer(removal("/srv/lab/other/x"), one, two) is None
    assert offer(one, removal("/srv/a/x"), removal("/opt/b/x")) is None


def test_the_branch_of_a_push_may_differ():
    main, other = (finding("git-push", remote="origin", branch=name) for name in ("a", "b"))
    found = offer(main, main, other)
    assert found.text == "origin, any branch; in /home/ann/shop"
    third = finding("git-push", remote="origin", branch="c")
    assert learnt.covers(found.only["like"], third, (HERE,), "m")
    assert not learnt.covers(
        found.only["like"], finding("git-push", remote="backup", branch="c"), (HERE,), "m"
    )


def test_a_shape_comes_back_from_the_log_and_damaged_ones_are_none():
    found = shape(POST)
    assert learnt.of_data("http-write", learnt.as_data(found)) == found
    for damaged in (None, [], {}, {"subject": 1}):
        assert learnt.of_data("http-write", damaged) is None
