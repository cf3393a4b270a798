"""A file of tests counts unless the tags of a run leave it out for sure."""

from __future__ import annotations

import os

from tests.gate.disk.test_whole_programs import judged
from tests.gate.example_project import HOME, ROOT, Machine, judge
from tests.tables import for_each

TEST = 'package y\n\nfunc TestX(t *testing.T) { exec.Command("kubectl", "delete", "ns", "prod").Run() }\n'


@for_each(
    ("constraint", "command", "effect"),
    [
        ("live", "go test ./...", "allow"),
        ("live && linux", "go test ./...", "allow"),
        ("live || (e2e && !short)", "go test ./...", "allow"),
        ("live", "go test -tags e2e ./...", "allow"),
        ("live", "go test -tags live ./...", "junction"),
        ("live", "go test -tags=e2e,live ./...", "junction"),
        ("live", "GOFLAGS=-tags=live go test ./...", "junction"),
        ("live", "export GOFLAGS='-v -tags=live'; go test ./...", "junction"),
        ("live", "go env -w GOFLAGS=-tags=live && go test ./...", "junction"),
        ("live", 'go test "$@" ./...', "junction"),
        ("!live", "go test ./...", "junction"),
        ("linux", "go test ./...", "junction"),
        ("live || linux", "go test ./...", "junction"),
        ("live ||", "go test ./...", "junction"),
        ("amd64.v1 || arm64.v8.0", "go test ./...", "junction"),
    ],
)
def test_a_constraint_leaves_out_a_file(constraint, command, effect):
    files = {"go.mod": "module x.io/y\n", "y_test.go": f"//go:build {constraint}\n\n{TEST}"}
    assert judged(command, files).effect == effect


def test_a_constraint_behind_the_package_is_a_comment():
    files = {"go.mod": "module x.io/y\n", "y_test.go": f"package y\n//go:build live\n\n{TEST}"}
    assert judged("go test ./...", files).effect == "junction"


def test_settings_of_the_person_may_give_tags():
    files = {
        "go.mod": "module x.io/y\n",
        "y_test.go": f"//go:build live\n\n{TEST}",
        f"{HOME}/.config/go/env": "GOFLAGS=-tags=live\n",
    }
    machine = Machine({os.path.join(ROOT, name): text for name, text in files.items()})
    assert judge("go test ./...", machine).effect == "junction"
