"""A text that goes on after a ``cd`` is judged in each folder that it may be in."""

from __future__ import annotations

from tests.gate.example_project import HOME, PLACE, ROOT, RULES, Machine, judge
from tests.tables import for_each

from operators_edge.gate import facts
from operators_edge.gate.decide import assess
from operators_edge.gate.folder_outcomes import FolderOutcomes
from operators_edge.gate.paths import CallContext
from operators_edge.model import Call
from operators_edge.shell.evaluate import parse

LOSES = f"rm -rf {HOME}/photos"
CALM = "echo hello"
FILES = {
    "x.sh": LOSES,
    "y.sh": CALM,
    "sub/x.sh": CALM,
    "sub/deep/x.sh": CALM,
    "full/x.sh": CALM,
    "goes.sh": "cd nowhere\nsh x.sh\n",
    "ends.sh": "set -e\ncd nowhere\nsh x.sh\n",
    "leaves.sh": "cd nowhere || exit 1\nsh x.sh\n",
    "given.sh": 'cd "$1"\nsh x.sh\n',
    "writes.sh": f"cd nowhere\necho '{LOSES}' > z.sh\n",
    "Makefile": "goes:\n\tcd nowhere; sh x.sh\nis:\n\tcd sub; sh x.sh\nif:\n\tcd nowhere && sh x.sh\n",
    "package.json": '{"scripts": {"goes": "cd nowhere; sh x.sh", "is": "cd sub; sh x.sh"}}',
}


def judged(command):
    return judge(command, Machine({f"{ROOT}/{name}": text for name, text in FILES.items()}))


@for_each(
    "line",
    [
        "cd nowhere; sh x.sh",
        "cd nowhere\nsh x.sh",
        "cd nowhere || sh x.sh",
        "cd nowhere || true; sh x.sh",
        "cd nowhere && true; sh x.sh",
        "cd nowhere && ls || sh x.sh",
        "cd nowhere || return; sh x.sh",
        "pushd nowhere; sh x.sh",
        "popd; sh x.sh",
        "cd -; sh x.sh",
        'cd "$X"; sh x.sh',
        "(cd nowhere; sh x.sh)",
        "{ cd nowhere; } || true; sh x.sh",
        "f() { cd nowhere; }; f; sh x.sh",
        'f() { cd "$1"; sh x.sh; }; f nowhere',
        "bash -c 'cd nowhere; sh x.sh'",
        "eval 'cd nowhere'; sh x.sh",
        "if cd nowhere; then true; else sh x.sh; fi",
        "if ! cd nowhere; then sh x.sh; fi",
        "for one in a b; do cd $one; sh x.sh; done",
        "cd nowhere; rm -rf ../../photos",
        "cd nowhere; echo x > .git/config",
        "cd nowhere; . ./x.sh",
        "cd nowhere; make -f Makefile goes",
        "sh goes.sh",
        "sh given.sh nowhere",
        "sh writes.sh; sh z.sh",
        "make goes",
        "npm run goes",
    ],
)
def test_where_a_cd_may_fail_the_folder_before_counts_too(line):
    assert judged(line).effect != "allow"


@for_each(
    "line",
    [
        "false && cd sub; sh x.sh",
        "true || cd sub; sh x.sh",
        "if test -f z; then cd sub; fi; sh x.sh",
        "if test -f z; then cd sub; fi && sh x.sh",
        "case $1 in a) cd sub;; esac; sh x.sh",
        "while read one; do cd sub; done < z; sh x.sh",
        "false && { cd sub; ls; }; sh x.sh",
        "false && cd sub; cd nowhere; sh x.sh",
        "cd sub; cd nowhere; cd nowhere; cd nowhere; sh ../x.sh",
    ],
)
def test_a_cd_that_may_not_run_leaves_the_text_where_it_was(line):
    assert judged(line).effect != "allow"


@for_each(
    "line",
    [
        "mv sub gone; cd sub; sh x.sh",
        "mv * gone; cd sub; sh x.sh",
        "mv $PWD/sub gone; cd sub; sh x.sh",
        'mv sub gone; cd "$(pwd)/sub"; sh x.sh',
        "chmod -R u-x .; cd sub; sh x.sh",
        "mkdir -p y.sh/out; cd y.sh/out; sh x.sh",
        "chmod 600 sub; cd sub; sh x.sh",
        "git checkout other; cd sub; sh x.sh",
        "find . -type d -empty -delete; cd sub; sh x.sh",
        "false && mkdir out; cd out; sh x.sh",
        "mkdir nowhere/out; cd nowhere/out; sh x.sh",
        "mkdir -p y.sh; cd y.sh; sh x.sh",
        "git init -b out; cd out; sh x.sh",
        "mkdir -m 000 out; cd out; sh x.sh",
        "mkdir --help out; cd out; sh x.sh",
        "mkdir out > none/log; cd out; sh x.sh",
        "umask 777; mkdir out; cd out; sh x.sh",
        "find z -exec mkdir -p out ';'; cd out; sh x.sh",
        "xargs mkdir -p out < z; cd out; sh x.sh",
        "mkdir out; mv out gone; cd out; sh x.sh",
        "cd nowhere/../sub; sh x.sh",
        "cd sub full; sh x.sh",
        "cd -q sub; sh x.sh",
        "cd sub < z; sh x.sh",
        "CDPATH=/srv cd sub; sh x.sh",
        "enable -n cd; cd sub; sh x.sh",
        "pushd -n sub; sh x.sh",
    ],
)
def test_a_folder_that_may_be_gone_or_closed_by_then_is_in_question(line):
    assert judged(line).effect != "allow"


@for_each(
    "line",
    [
        "cd sub; sh x.sh",
        "cd ./sub/ 2>/dev/null; sh x.sh",
        "cd sub/../full; sh x.sh",
        "cd sub; cd deep; sh x.sh; cd ..; sh x.sh; cd -; sh x.sh",
        "pushd sub; sh x.sh; popd; sh y.sh",
        "for one in sub full; do cd $one; sh x.sh; cd ..; done",
        "mkdir -p out/deep; cd out/deep; sh x.sh",
        "mkdir out 2>/dev/null; cd out; sh x.sh",
        'mkdir -p "$PWD/out"; cd out; sh x.sh',
        "git init -q out; cd out; sh x.sh",
        "rm -f sub/a.o; chmod 755 sub; git status; cd sub; sh x.sh",
        'cd "$(mktemp -d)"; sh x.sh',
        "cd; sh x.sh",
        "sh given.sh sub",
        "make is",
        "npm run is",
    ],
)
def test_where_the_folder_is_there_only_that_one_counts(line):
    assert judged(line).effect == "allow"


@for_each(
    "line",
    [
        "cd nowhere && sh x.sh",
        "cd nowhere || exit 1; sh x.sh",
        "cd nowhere || { echo no; exit 1; }; sh x.sh",
        'die() { echo "$1"; exit 1; }; cd nowhere || die no; sh x.sh',
        "if ! cd nowhere; then exit 1; fi; sh x.sh",
        "if cd nowhere; then sh x.sh; fi",
        "f() { cd nowhere || return 1; sh x.sh; }; f",
        "(cd nowhere || exit 1; sh x.sh)",
        "bash -c 'cd nowhere || exit 1; sh x.sh'",
        "for one in a b; do cd $one || continue; sh x.sh; done",
        'while read one; do cd "$one" || continue; sh x.sh; done < z',
        "sh leaves.sh",
        "make if",
    ],
)
def test_what_runs_only_in_the_new_folder_is_judged_there_alone(line):
    assert judged(line).effect == "allow"


@for_each(
    "line",
    [
        "set -e; cd nowhere; sh x.sh",
        "set -euo pipefail\ncd nowhere\nsh x.sh",
        "set -o errexit; cd nowhere; sh x.sh",
        "bash -ec 'cd nowhere; sh x.sh'",
        "sh ends.sh",
    ],
)
def test_a_shell_that_ends_on_a_failure_goes_on_in_the_new_folder_alone(line):
    assert judged(line).effect == "allow"


@for_each(
    "line",
    [
        "set -e; cd nowhere && ls; sh x.sh",
        "set -e; set +e; cd nowhere; sh x.sh",
        "set -- -e; cd nowhere; sh x.sh",
        "(set -e); cd nowhere; sh x.sh",
        "if false; then set -e; fi; cd nowhere; sh x.sh",
        "set -e; if cd nowhere; then ls; fi; sh x.sh",
        "set -e; ! cd nowhere; sh x.sh",
        "set -e; f() { cd nowhere; sh x.sh; }; f || true",
        "set -e; echo $(cd nowhere; sh x.sh)",
        "set -e; bash -c 'cd nowhere; sh x.sh'",
        "bash -e +e -c 'cd nowhere; sh x.sh'",
    ],
)
def test_a_failure_that_is_tested_does_not_end_the_shell(line):
    assert judged(line).effect != "allow"


@for_each(
    "line",
    [
        "cd nowhere; sh y.sh",
        "cd nowhere; npm ci; npm test",
        'cd "$X"; git pull; make is',
        "git clone https://example.com/r; cd r; npm install",
        "cd nowhere; echo hello > a.txt; cat a.txt",
        "[ -d out ] || mkdir out; cd out; cmake ..",
    ],
)
def test_what_is_harmless_in_each_folder_stays_so(line):
    assert judged(line).effect == "allow"


def test_a_folder_on_the_disk_is_there_for_the_gate(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "x.sh").write_text(LOSES)
    place = PLACE._replace(root=str(tmp_path), temp=())
    effects = {
        folder: assess(
            Call("Bash", {"command": f"cd {folder}; sh x.sh"}, str(tmp_path)),
            place,
            facts.SystemFacts(),
            RULES,
        ).effect
        for folder in ("sub", "nowhere")
    }
    assert effects["sub"] == "allow"
    assert effects["nowhere"] != "allow"


def test_a_text_with_many_changes_is_judged_in_a_bounded_number_of_outcomes():
    text = "; ".join(f"cd n{one}; ls" for one in range(40))
    call = Call("Bash", {"command": text}, ROOT)
    outcomes = FolderOutcomes(parse(text), CallContext(call, PLACE, Machine()))
    assert sum(outcomes.is_new(parse(text, outcome=one)) for one in outcomes) in range(2, 9)
    assert judged(f"{text}; sh x.sh").effect != "allow"


def test_a_script_whose_outcomes_there_is_no_time_for_needs_a_person():
    files = {f"{ROOT}/d{one}.sh": "cd n1\ncd n2\ncd n3\nls\n" for one in range(9)}
    runs = "; ".join(f"sh d{one}.sh" for one in range(9))
    assert judge("sh d1.sh", Machine(files)).effect == "allow"
    assert judge(runs, Machine(files)).rule == "shell-cannot-analyse"
    assert judge(runs, Machine(files, committed=tuple(files))).effect == "allow"
