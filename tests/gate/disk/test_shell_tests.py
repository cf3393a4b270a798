"""What the tests of a shell run is judged like a script, with what they put in the place of programs."""

from __future__ import annotations

import pytest
from tests.gate.disk.test_follow import judged
from tests.tables import for_each

from operators_edge.shell import shell_tests

DELETE, LOOK = "kubectl delete ns shop", "kubectl get ns"
LIBRARY = "reset() {\n  @@\n}\n"
BATS = {
    "a command": ("bats t/a.bats", {"t/a.bats": '#!/usr/bin/env bats\n@test "a" {\n  @@\n}\n'}),
    "one whose status is looked at": ("bats t", {"t/a.bats": "@test 'a' {\n  run -0 @@\n}\n"}),
    "before all tests": (
        "npx bats t/a.bats",
        {"t/a.bats": "setup_file() {\n  @@\n}\n@test a {\n  true\n}\n"},
    ),
    "after all tests": (
        "bats -r t",
        {"t/deep/a.bats": "teardown_file() {\n  @@\n}\n@test a {\n  true\n}\n"},
    ),
    "a function of a file that is sourced": (
        "bats t/a.bats",
        {
            "t/a.bats": 'setup() {\n  cd "$BATS_TEST_DIRNAME/.."\n  . lib/x.sh\n}\n'
            "@test a {\n  run reset\n}\n",
            "lib/x.sh": LIBRARY,
        },
    ),
    "a function of a file that is loaded": (
        "bats t/a.bats",
        {"t/a.bats": "load ../lib/x\n@test a {\n  reset\n}\n", "lib/x.bash": LIBRARY},
    ),
    "a script of the project": (
        "bats t/a.bats",
        {"t/a.bats": "load helper\n@test a {\n  run ./bin/x\n}\n", "bin/x": "#!/bin/sh\n@@\n"},
    ),
    "shunit2": ("bash t/a.sh", {"t/a.sh": "testA() {\n  @@\n}\n. shunit2\n"}),
    "shunit2, before all tests": (
        "sh t/a.sh",
        {"t/a.sh": "oneTimeSetUp() { @@; }\ntestA() { :; }\n. ./lib/shunit2\n"},
    ),
    "shellspec": (
        "shellspec",
        {
            "spec/a_spec.sh": "Describe 'a'\n  It 'b'\n    When call @@\n    The status should be 0\n"
            "  End\nEnd\n"
        },
    ),
    "shellspec, by a file that is included": (
        "shellspec spec/a_spec.sh",
        {
            "spec/a_spec.sh": "Include ./lib/x.sh\nIt 'b'\n  BeforeEach 'reset'\n  When run echo\nEnd\n",
            "lib/x.sh": LIBRARY,
        },
    ),
    "cram": ("cram t/a.t", {"t/a.t": "Usage:\n\n  $ @@\n  ok\n"}),
    "a test of Perl": ("prove t/*.t", {"t/a.t": "ok(system('@@') == 0);\n"}),
    "a test of Perl in another language": ("prove", {"t/a.t": "#!/bin/sh\n@@\n"}),
}


@for_each(("command", "files"), BATS.values(), BATS)
def test_a_test_is_judged_by_what_it_runs(command, files):
    for text, effect in ((DELETE, "junction"), (LOOK, "allow")):
        given = {name: each.replace("@@", text) for name, each in files.items()}
        assert judged(command, given, committed=tuple(given)).effect == effect


REAL = {"lib/x.sh": LIBRARY.replace("@@", DELETE), "bin/x": f"#!/bin/sh\n{DELETE}\n"}
STUB = '#!/bin/sh\necho kubectl "$@"\n'
IN_PLACE = {
    "a function": 'setup() {\n  kubectl() { echo "$@"; }\n  . lib/x.sh\n}\n@test a {\n  run reset\n}\n',
    "a function that is exported": (
        "setup() {\n  kubectl() { echo; }\n  export -f kubectl\n}\n@test a {\n  run ./bin/x\n}\n"
    ),
    "a folder before all others": (
        'setup() {\n  PATH="$BATS_TEST_DIRNAME/stubs:$PATH"\n  . lib/x.sh\n}\n'
        "@test a {\n  run reset\n  run ./bin/x\n}\n"
    ),
    "a program that the test writes": (
        'setup() {\n  PATH="$BATS_TEST_TMPDIR:$PATH"\n  echo "exit 0" > "$BATS_TEST_TMPDIR/kubectl"\n}\n'
        "@test a {\n  run ./bin/x\n}\n"
    ),
    "a library": "load mocks/stub\n@test a {\n  stub kubectl 'delete ns shop : echo'\n  ./bin/x\n}\n",
    "what is only printed": f"@test a {{\n  run echo '{DELETE}'\n  [[ $output == *'{DELETE}' ]]\n}}\n",
    "what is skipped": f"@test a {{\n  skip 'later'\n  {DELETE}\n}}\n",
    "a repository of its own": (
        'setup() {\n  cd "$BATS_TEST_TMPDIR"\n  git init -q\n}\n'
        "@test a {\n  git reset --hard\n  git clean -fdx\n}\n"
    ),
}
NOT_IN_PLACE = {
    "a function of another test": f"@test b {{\n  kubectl() {{ :; }}\n}}\n@test a {{\n  {DELETE}\n}}\n",
    "a function that is gone": f"@test a {{\n  kubectl() {{ :; }}\n  unset -f kubectl\n  {DELETE}\n}}\n",
    "a function that calls it": (
        f'setup() {{\n  kubectl() {{ command kubectl "$@"; }}\n}}\n@test a {{\n  run {DELETE}\n}}\n'
    ),
    "an exported one that calls it": (
        'kubectl() { command kubectl "$@"; }\nexport -f kubectl\n@test a {\n  ./bin/x\n}\n'
    ),
    "a function that is not exported": "kubectl() { :; }\n@test a {\n  run ./bin/x\n}\n",
    "a folder behind the others": (
        'PATH="$PATH:$BATS_TEST_DIRNAME/stubs"\n@test a {\n  run ./bin/x\n}\n'
    ),
    "a folder of the system": 'PATH="/usr/bin:$PATH"\n@test a {\n  run ./bin/x\n}\n',
    "a folder that is taken away again": (
        'setup() {\n  PATH="$BATS_TEST_DIRNAME/stubs:$PATH"\n}\n@test a {\n  PATH=/usr/bin\n  ./bin/x\n}\n'
    ),
    "a program that is written behind the others": (
        'PATH="$PATH:$BATS_TEST_TMPDIR"\n@test a {\n  : > "$BATS_TEST_TMPDIR/kubectl"\n  ./bin/x\n}\n'
    ),
    "what is only said": "# export -f kubectl\n# load stub\n# stub kubectl\n@test a {\n  run ./bin/x\n}\n",
    "with more rights": (
        f'PATH="$BATS_TEST_DIRNAME/stubs:$PATH"\n@test a {{\n  sudo {DELETE}\n}}\n'
    ),
    "a folder without such a program": (
        'PATH="$BATS_TEST_DIRNAME:$PATH"\n@test a {\n  run ./bin/x\n}\n'
    ),
    "a program by its path": (
        f'PATH="$BATS_TEST_DIRNAME/stubs:$PATH"\n@test a {{\n  /usr/bin/{DELETE}\n}}\n'
    ),
    "a stub that runs the program": (
        'setup() {\n  PATH="$BATS_TEST_TMPDIR:$PATH"\n'
        '  echo \'exec /usr/bin/kubectl "$@"\' > "$BATS_TEST_TMPDIR/kubectl"\n}\n'
        "@test a {\n  run ./bin/x\n}\n"
    ),
    "a repository that is the project's": "@test a {\n  git init -q\n  git reset --hard HEAD~3\n}\n",
}


@for_each("text", IN_PLACE.values(), IN_PLACE)
def test_what_answers_in_the_place_of_a_program_harms_nobody(text):
    files = {"t/a.bats": text, "t/stubs/kubectl": STUB, **REAL}
    assert judged("bats t/a.bats", files, committed=tuple(files)).effect == "allow"


@for_each("text", NOT_IN_PLACE.values(), NOT_IN_PLACE)
def test_a_program_that_nothing_replaces_counts(text):
    files = {"t/a.bats": text, "t/stubs/kubectl": STUB, **REAL}
    assert judged("bats t/a.bats", files, committed=tuple(files)).effect == "junction"


def test_a_test_that_is_only_counted_runs_nothing():
    files = {"t/a.bats": f"@test a {{\n  {DELETE}\n}}\n"}
    assert judged("bats --count t/a.bats", files, committed=tuple(files)).effect == "allow"


def test_the_finding_names_the_line_of_the_test():
    files = {"t/a.bats": f'# a\n@test "a (b)" {{\n  run {DELETE}\n}}\n'}
    found = judged("bats t/a.bats", files, committed=tuple(files)).findings
    assert {one.source for one in found} == {"t/a.bats:3"}


@pytest.mark.parametrize("text", ["", "echo shunit2\n", "# . shunit2\n"])
def test_a_script_without_shunit2_stays_as_it_is(text):
    assert shell_tests.shunit(text) == text


def test_a_file_of_cram_has_a_folder_of_its_own():
    text = "  $ git init -q a\n  $ cd a\n  $ git reset -q --hard\n"
    for more, effect in (("", "allow"), (f"  $ cd /home/ann/shop\n{text}", "junction")):
        files = {"a.t": more or text}
        assert judged("cram a.t", files, committed=tuple(files)).effect == effect
