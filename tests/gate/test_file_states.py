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


def linked(command, files, links):
    files = {f"{ROOT}/{name}": text for name, text in files.items()}
    links = {f"{ROOT}/{name}": f"{ROOT}/{path}" for name, path in links.items()}
    return judge(command, Machine(files, links=links))


@for_each(
    "line",
    [
        "ln -s x.sh y; echo '{text}' > y; sh x.sh",
        "ln x.sh y && echo '{text}' > y && sh x.sh",
        "cp -l x.sh y; echo '{text}' > y; ./x.sh",
        "ln -s x.sh y; ln -s y z; echo '{text}' > z; sh x.sh",
        "ln -s x.sh y; echo '{text}' >> y; sh x.sh",
        "ln -s x.sh y; tee y <<< '{text}'; . ./x.sh",
        "ln -s sub d; echo '{text}' > d/x.sh; sh sub/x.sh",
        "echo '{text}' > old.sh; sh x.sh",
        "echo '{text}' > there/x.sh; sh sub/x.sh",
        "cp {file} old.sh; sh x.sh",
    ],
)
def test_what_is_written_through_a_link_is_in_the_file_that_it_leads_to(line):
    files = {"x.sh": CALM, "sub/x.sh": CALM, "bad.txt": LOSES, "good.txt": CALM}
    links = {"old.sh": "x.sh", "there": "sub"}
    assert linked(line.format(text=LOSES, file="bad.txt"), files, links).effect != "allow"
    assert linked(line.format(text=CALM, file="good.txt"), files, links).effect == "allow"


@for_each(
    "line",
    [
        "cp {file} *.sh; sh x.sh",
        "cp {file} ./?.sh; ./x.sh",
        "cp {part}*.txt x.sh; sh x.sh",
        "echo '{text}' > x.s*; sh x.sh",
        "echo '{text}' | tee *.sh; sh x.sh",
        "for one in *.sh; do echo '{text}' > $one; done; sh x.sh",
        'for one in *.sh; do cp {file} "$one"; done; sh x.sh',
        "echo '{text}' > \"$N.sh\"; sh x.sh",
    ],
)
def test_what_is_written_by_wildcards_is_in_each_file_that_they_may_mean(line):
    files = {"x.sh": CALM, "bad.txt": LOSES, "good.txt": CALM}
    bad = line.format(text=LOSES, file="bad.txt", part="b")
    assert judged(bad, files).effect != "allow"
    assert judged(line.format(text=CALM, file="good.txt", part="g"), files).effect == "allow"


def test_a_name_of_which_nothing_is_known_means_no_certain_file():
    assert judged(f"echo '{LOSES}' > \"$OUT\"; sh x.sh", {"x.sh": CALM}).effect == "allow"
    assert judged(f"echo '{LOSES}' > *.md; sh x.sh", {"x.sh": CALM}).effect == "allow"


@for_each(
    ("line", "name", "text"),
    [
        ("python3 w.py; sh x.sh", "w.py", 'open("x.sh", "w").write("{text}")\n'),
        (
            "python3 w.py && ./x.sh",
            "w.py",
            'from pathlib import Path\nPath("x.sh").write_text("{text}")\n',
        ),
        ("python3 w.py; sh x.sh", "w.py", 'import shutil\nshutil.copy("{file}", "x.sh")\n'),
        ("node w.js; sh x.sh", "w.js", 'require("fs").copyFileSync("{file}", "x.sh");\n'),
        ("sh o.sh; sh x.sh", "o.sh", "python3 - <<E\nopen('x.sh', 'w').write('{text}')\nE\n"),
    ],
)
def test_what_a_program_writes_is_judged_when_the_line_runs_it(line, name, text):
    files = {"x.sh": CALM, "bad.txt": LOSES, "good.txt": CALM}
    bad, good = text.format(text=LOSES, file="bad.txt"), text.format(text=CALM, file="good.txt")
    assert judged(line, {**files, name: bad}).rule.startswith("fs-")
    assert judged(line, {**files, name: good}).effect == "allow"


@for_each(
    ("line", "name", "text"),
    [
        (
            "python3 w.py; sh x.sh",
            "w.py",
            'import sys\nopen("x.sh", "w").write(sys.stdin.read())\n',
        ),
        ("node w.js && sh x.sh", "w.js", 'require("fs").writeFileSync("x.sh", made());\n'),
        ("sh w.sh; sh x.sh", "w.sh", "date > x.sh\n"),
        (
            "python3 w.py",
            "w.py",
            'import os\nopen("x.sh", "w").write(made())\nos.system("sh x.sh")\n',
        ),
    ],
)
def test_a_text_that_a_program_computes_needs_a_person_before_it_runs(line, name, text):
    assert judged(line, {"x.sh": CALM, name: text}).rule == "shell-unknown-program"
    assert judged(line.replace("x.sh", "y.sh"), {"y.sh": CALM, name: "pass\n"}).effect == "allow"


def test_what_a_program_that_git_holds_computes_asks_nobody():
    text = 'import sys\nopen("x.sh", "w").write(made())\n'
    files = {f"{ROOT}/w.py": text, f"{ROOT}/x.sh": CALM}
    held = Machine(files, committed=(f"{ROOT}/w.py",))
    assert judge("python3 w.py; sh x.sh", held).effect == "allow"
    assert judge("python3 w.py; sh x.sh", Machine(files)).effect != "allow"


@for_each(
    "line",
    [
        "make text run",
        "make both",
        "make needs",
        "make two",
        "make -j1 text run",
        "make program run",
    ],
)
def test_what_one_target_writes_by_a_script_is_judged_where_another_runs_it(line):
    text = (
        "text:\n\tsh w.sh\nrun:\n\tsh x.sh\nboth: text run\nneeds: text\n\tsh x.sh\n"
        "two:\n\tsh w.sh\n\tsh x.sh\nprogram:\n\tpython3 w.py\n"
    )
    files = {"Makefile": text, "x.sh": CALM}
    bad = {"w.sh": WRITES, "w.py": f'open("x.sh", "w").write("{LOSES}")\n'}
    good = {"w.sh": f"{CALMS}\n", "w.py": f'open("x.sh", "w").write("{CALM}")\n'}
    assert judged(line, {**files, **bad}).effect != "allow"
    assert judged(line, {**files, **good}).effect == "allow"


def test_a_target_that_runs_before_another_one_writes_is_judged_as_it_is():
    text = "text:\n\tsh w.sh\nrun:\n\tsh x.sh\n"
    assert (
        judged("make run text", {"Makefile": text, "x.sh": CALM, "w.sh": WRITES}).effect == "allow"
    )
