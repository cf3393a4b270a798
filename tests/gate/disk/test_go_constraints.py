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


MODULE = {"go.mod": "module x.io/y\n", "main.go": "package main\n\nfunc main() {}\n"}
OF_TOOL = 'package main\n\nfunc Clean() { exec.Command("kubectl", "delete", "ns", "prod").Run() }\n'


@for_each(
    ("command", "effect"),
    [
        ("go test ./a", "allow"),
        ("go test ./a/...", "allow"),
        ("go test", "allow"),
        ("go test -v -run TestX ./a", "allow"),
        ("go test -c -o a.test ./a", "allow"),
        ("cd a && go test ./...", "allow"),
        ("go run .", "allow"),
        ("go test ./b", "junction"),
        ("go test ./b/", "junction"),
        ("go test ./a/../b", "junction"),
        ("go test ./...", "junction"),
        ("go test ./a ./b", "junction"),
        ("go test ./a ./b/...", "junction"),
        ("go test ./link", "junction"),
        ("go test x.io/y/b", "junction"),
        ("go test x.io/y/...", "junction"),
        ("go test .../b", "junction"),
        ("go test ./.../b", "junction"),
        ("go test all", "junction"),
        ("go test $PACKAGES", "junction"),
        ('go test ./a "$@"', "junction"),
        ("go test ./[ab]", "junction"),
        ("go test ./{a,b}", "junction"),
        ("go test -C b .", "junction"),
        ("go test $(go list ./...)", "junction"),
        ("go test ./b/x_test.go", "junction"),
        ("go test b/x_test.go", "junction"),
        ("cd b && go test", "junction"),
        ("cd b; go test .", "junction"),
        ("(cd b && go test -v)", "junction"),
        ("go -C b test", "junction"),
        ("cd a && go test ../b", "junction"),
        ("xargs -n1 go test < pkgs", "junction"),
        ("go vet ./b && go test -timeout 30s ./b", "junction"),
    ],
)
def test_tests_of_another_package_are_left_out(command, effect):
    files = {**MODULE, "a/a_test.go": "package a\n", "b/x_test.go": TEST}
    machine = Machine(
        {os.path.join(ROOT, name): text for name, text in files.items()},
        links={f"{ROOT}/link": f"{ROOT}/b"},
    )
    assert judge(command, machine).effect == effect


@for_each(
    ("constraint", "command", "effect"),
    [
        ("mage", "go run .", "allow"),
        ("mage", "go run ./", "allow"),
        ("ignore", "go build -o x .", "allow"),
        ("mage", "go run -tags mage .", "junction"),
        ("mage", "GOFLAGS=-tags=mage go run .", "junction"),
        ("mage", "go run tool.go", "junction"),
        ("mage", "go run ./tool.go", "junction"),
        ("mage", "go run main.go tool.go", "junction"),
        ("!mage", "go run . -tags mage", "junction"),
        ("!mage", "go run . --tags=mage", "junction"),
        ("!mage", "go run .", "junction"),
        ("mage || linux", "go run .", "junction"),
        ("mage", "go run $FLAGS .", "junction"),
        ("mage", "go run *.go", "junction"),
        ("!live", "go test . -args -tags live", "junction"),
    ],
)
def test_a_constraint_leaves_out_a_file_of_a_program(constraint, command, effect):
    is_test = "go test" in command
    files = {
        **MODULE,
        "x_test.go" if is_test else "tool.go": f"//go:build {constraint}\n\n"
        + (TEST if is_test else OF_TOOL),
    }
    assert judged(command, files).effect == effect


@for_each(
    ("command", "effect"),
    [
        ("go run gen.go .", "allow"),
        ("go run gen.go tool.go.txt sub", "allow"),
        ("go run -race gen.go sub/tool.go", "junction"),
        ("go run ./gen sub", "allow"),
        ("go run ./gen sub/tool.go", "allow"),
        ("go run -tags=x ./gen sub", "allow"),
        ("go run -tags x ./gen sub", "allow"),
        ("go run sub/tool.go", "junction"),
        ("go run ./sub", "junction"),
        ("go run ./sub/", "junction"),
        ("go run ./gen/../sub .", "junction"),
        ("go run gen.go sub/tool.go", "junction"),
        ("go run -mod mod ./sub .", "junction"),
        ("go run -mod ./gen ./sub", "junction"),
        ("go run -exec ./gen ./sub", "junction"),
        ("go run -p 4 ./sub", "junction"),
        ("go run -C sub .", "junction"),
        ("go -C sub run .", "junction"),
        ("cd sub && go run .", "junction"),
        ("cd sub && go run tool.go ..", "junction"),
        ("go run $PACKAGE sub", "junction"),
        ('go run "$@" sub', "junction"),
        ("go run ./s* sub", "junction"),
        ("go run {./gen,./sub}", "allow"),
        ("xargs go run sub/tool.go < f", "junction"),
        ("go run -ldflags '-X a=b' sub/tool.go", "junction"),
    ],
)
def test_what_a_program_is_given_is_not_run(command, effect):
    files = {
        "go.mod": "module x.io/y\n",
        "gen.go": "package main\n\nfunc main() {}\n",
        "gen/main.go": "package main\n\nfunc main() {}\n",
        "sub/tool.go": OF_TOOL,
    }
    assert judged(command, files).effect == effect
