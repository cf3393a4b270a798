"""A file that runs is judged as it may be by then: as the disk has it, as it was written, or copied."""

from __future__ import annotations

from tests.gate.example_project import HOME, ROOT, Machine, judge
from tests.tables import for_each

LOSES = f"rm -rf {HOME}/photos"
CALM = "echo hello"
CALMS = f"echo '{CALM}' > x.sh"
WRITES = f"cat > x.sh <<EOF\n{LOSES}\nEOF\n"


def judged(command, files):
    return judge(command, Machine({f"{ROOT}/{name}": text for name, text in files.items()}))


@for_each(
    "line",
    [
        "sh x.sh; {calms}",
        "./x.sh && {calms}",
        "sh x.sh & {calms}",
        "sh x.sh; cp y.sh x.sh",
        "sh x.sh; mv y.sh x.sh",
        "sh x.sh; cat y.sh > x.sh",
        "f() {{ sh x.sh; }}; f; {calms}",
    ],
)
def test_what_is_written_only_afterwards_does_not_count_before(line):
    text = line.format(calms=CALMS)
    assert judged(text, {"x.sh": LOSES, "y.sh": CALM}).effect != "allow"
    assert judged(text, {"x.sh": CALM, "y.sh": CALM}).effect == "allow"


@for_each(
    "line",
    [
        "false && {calms}; sh x.sh",
        "true || {calms}; sh x.sh",
        "if test -f z; then {calms}; fi; sh x.sh",
        "case $1 in a) {calms};; esac; sh x.sh",
        "for one in $(ls z); do {calms}; done; sh x.sh",
        "while read one; do {calms}; done < z; sh x.sh",
        "f() {{ {calms}; }}; sh x.sh",
        "ssh host '{calms}'; sh x.sh",
        "({calms}) & sh x.sh",
        "false && cp y.sh x.sh; sh x.sh",
        "false && mv y.sh x.sh; sh x.sh",
        "false && ln -sf y.sh x.sh; sh x.sh",
        "false && tee x.sh <<< 'echo hello'; sh x.sh",
        "false && {calms}; . ./x.sh",
        "false && {calms}; cat x.sh | sh",
        "false && {calms}; bash < x.sh",
        'false && {calms}; eval "$(cat x.sh)"',
        "false && {calms}; bash <(cat x.sh)",
        "false && {calms}; sh w.sh",
        "set -C; {calms}; sh x.sh",
        "chmod a-w x.sh; {calms}; sh x.sh",
        "cp -n y.sh x.sh; sh x.sh",
        "cp none.sh x.sh; . ./x.sh",
        "echo true > x.sh; false && cp y.sh x.sh; cp z.sh x.sh; sh x.sh",
    ],
)
def test_what_may_not_be_written_leaves_the_file_as_it_was(line):
    files = {"x.sh": LOSES, "y.sh": CALM, "z.sh": LOSES, "w.sh": "sh x.sh"}
    assert judged(line.format(calms=CALMS.replace("'", '"')), files).effect != "allow"


@for_each(
    "line",
    [
        "{calms}; sh x.sh",
        "{calms}\nchmod +x x.sh\n./x.sh",
        "{calms} && sh x.sh; sh x.sh; echo 'echo bye' > x.sh; sh x.sh",
        "cp y.sh x.sh; sh x.sh",
        "mv y.sh x.sh && true; bash x.sh",
    ],
)
def test_what_surely_replaces_a_file_first_counts_in_its_place(line):
    assert judged(line.format(calms=CALMS), {"x.sh": LOSES, "y.sh": CALM}).effect == "allow"


def test_each_text_that_a_file_has_for_a_while_is_judged():
    text = f"echo '{LOSES}' > x.sh; sh x.sh; {CALMS}; sh x.sh"
    assert judged(text, {"x.sh": CALM}).effect != "allow"


@for_each(
    ("line", "files"),
    [
        ("sh w.sh && sh x.sh", {}),
        ("bash w.sh; ./x.sh", {}),
        ("sh outer.sh; sh x.sh", {"outer.sh": "sh w.sh\n"}),
        ("sh outer.sh", {"outer.sh": "sh w.sh\nsh x.sh\n"}),
        ("make text && sh x.sh", {"Makefile": "text:\n\tsh w.sh\n"}),
        ("npm run text; sh x.sh", {"package.json": '{"scripts": {"text": "sh w.sh"}}'}),
        ("sh copy.sh; sh x.sh", {"copy.sh": "cp y.sh x.sh\n", "y.sh": LOSES}),
    ],
)
def test_what_a_script_writes_is_judged_when_the_line_runs_it(line, files):
    before = {"x.sh": CALM, **files}
    assert judged(line, {"w.sh": WRITES, **before}).effect != "allow"
    assert judged(line, {"w.sh": f"{CALMS}\n", **before, "y.sh": CALM}).effect == "allow"


def test_what_a_script_writes_does_not_hide_what_the_file_holds():
    files = {"w.sh": f"{CALMS}\n", "x.sh": LOSES}
    assert judged("sh w.sh; sh x.sh", files).effect != "allow"
    assert judged("sh x.sh; sh w.sh", {"w.sh": WRITES, "x.sh": CALM}).effect == "allow"


def test_names_that_are_kept_on_the_way_to_another_program_are_no_script():
    line = "find . -name '*.log' -mtime +7 | tee old.list | parallel gzip"
    assert judged(line, {"a.log": "x"}).effect == "allow"
    doubtful = 'false && echo "echo $A" > x.sh; cat x.sh | sh'
    assert judged(doubtful, {"x.sh": LOSES}).effect != "allow"
