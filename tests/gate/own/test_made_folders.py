"""A folder that a line makes may be deleted by it, if all in it came from the line."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.gate.example_project import PLACE, ROOT, RULES, Machine
from tests.tables import for_each

from operators_edge.gate.decide import assess
from operators_edge.model import Call

CONTEXTUAL = RULES.with_profile("contextual")
MACHINE = Machine({f"{ROOT}/src/a.c": "x", f"{ROOT}/data/a.csv": "1,2\n"})


def rules_of(command, machine=MACHINE):
    verdict = assess(Call("Bash", {"command": command}, ROOT), PLACE, machine, CONTEXTUAL)
    return [one.rule for one in verdict.findings if one.effect != "allow"]


@for_each(
    "command",
    [
        "mkdir out && ./tool --into out && rm -rf out",
        "mkdir out && cp -r src/. out/ && make -C out && rm -r ./out",
        "mkdir -v a b && ./tool a b && rm -rf a b",
        "mkdir out && (cd out && make) && rm -rf out",
        "git clone -q --depth 1 https://example.com/a/b.git && cd b && make && cd .. && rm -rf b",
        "git clone git@example.com:b.git && ls b && rm -fr b/",
        "git clone --bare https://example.com/a/b && git -C b.git log && rm -rf b.git",
        "git clone https://example.com/a/b copy && grep -rn x copy | head -3 && rm -rf copy",
        'mkdir t && cd t && git init -q && git add . && git commit -qm "for a test" && cd .. && rm -rf t',
    ],
)
def test_a_folder_that_only_the_line_has_filled_is_deleted(command):
    assert rules_of(command) == []


@for_each(
    "command",
    [
        # the maker may have failed, or taken over what was there
        "mkdir out; ./tool && rm -rf out",
        "mkdir out && ./tool; rm -rf out",
        "mkdir out || true && ./tool && rm -rf out",
        "if mkdir out; then ./tool; fi && rm -rf out",
        "mkdir -p data && ./tool && rm -rf data",
        "python3 -m venv data && data/bin/pip install . && rm -rf data",
        "git clone https://example.com/a/b copy; make && rm -rf copy",
        "alias mkdir=true; mkdir src && make && rm -rf src",
        "mkdir() { make; }; mkdir src && rm -rf src",
        # what is deleted is another one
        "mkdir out && make && rm -rf out src",
        "mkdir out && make && cd src && rm -rf out",
        "cd src; mkdir out && make && cd .. && rm -rf src/out",
        "mkdir a_b && make && rm -rf 'a b'",
        "mkdir -m 755 out && make && rm -rf 755",
        "mkdir out && make && rm -rf out*",
        "git clone --bare https://example.com/a/src && make && rm -rf src",
        # what was elsewhere has come there
        "mkdir out && mv src out && rm -rf out",
        "mkdir out && git mv src out/ && rm -rf out",
        "mkdir out && git worktree move ../wt out/wt && rm -rf out",
        "mkdir out && ls src | xargs -I{} mv src/{} out && rm -rf out",
        "mkdir out && find src -name '*.c' -exec mv {} out \\; && rm -rf out",
        "mkdir out && python3 -c \"import shutil; shutil.move('src', 'out')\" && rm -rf out",
        "mkdir out && ln -s ~/docs out/d && rm -rf out/d/",
        "mkdir out && sshfs web1:/srv out && rm -rf out",
        "sshfs web1:/srv out && mkdir -p out && rm -rf out",
        "mkdir out && docker run --rm -v $PWD/out:/d shop && rm -rf out",
        "mkdir out && sudo mount --bind /srv out && rm -rf out",
        "mkdir out && rclone mount drive: out --daemon && rm -rf out",
        "mkdir out && tar --remove-files -cf out/x.tar src && rm -rf out",
        "mkdir out && ssh web1 mkdir out && make && rm -rf $OUT",
    ],
)
def test_a_folder_that_may_hold_something_else_is_asked_about(command):
    assert rules_of(command) != []


@for_each(
    ("command", "count"),
    [
        ("rm -rf data && cp -r kept data && ./tool && rm -rf data && cp -r kept data", 1),
        ("rm -rf data out && ./tool && cp -r data out && rm -rf data && rm -rf out", 1),
        ("rm -rf data && mv src data && rm -rf data", 2),
        ("rm -rf data; ./tool; rm -rf data", 2),
        ("rm -rf data && ./tool && rm -rf src", 2),
        ("rm -rf data && sshfs web1:/srv data && rm -rf data", 2),
    ],
)
def test_what_the_line_has_deleted_before_is_judged_there_alone(command, count):
    assert rules_of(command).count("fs-recursive-delete") == count


FILES = {
    "to.sh": "#!/bin/sh\nmv src out\n",
    "all.sh": "#!/bin/sh\n./to.sh\n",
    "copy.sh": "#!/bin/sh\ncp src out\n",
    "Makefile": "all:\n\tcp src out\n",
    "lib/Makefile": "all:\n\tpython a.py\n",
    "a.py": "import shop.b\n",
    "shop/b.py": "from pathlib import Path\nPath('src').rename('out')\n",
    "c.py": "print('a b'.replace('a', 'b'))\n",
    "d.py": "import os\nos.replace('src', 'out')\n",
    "web/package.json": '{"scripts": {"build": "node m.js"}}',
    "m.js": "require('fs').renameSync('src', 'out')\n",
}
MOVING = Machine({f"{ROOT}/{name}": text for name, text in FILES.items()})


@for_each(
    ("run", "is_asked"),
    [
        ("./to.sh", True),
        ("sh all.sh", True),
        ("./copy.sh", False),
        ("make", False),
        ("make -C lib", True),
        ("python a.py", True),
        ("python -m shop.b", True),
        ("python c.py", False),
        ("python d.py", True),
        ("npm --prefix web run build", True),
    ],
)
def test_what_the_files_that_run_may_move_there_is_asked_about(run, is_asked):
    command = f"mkdir out && {run} && rm -rf out"
    assert ("fs-recursive-delete" in rules_of(command, MOVING)) is is_asked
    verdict = assess(
        Call("Bash", {"command": f"{run}; rm -rf out"}, ROOT), PLACE, MOVING, CONTEXTUAL
    )
    assert any(one.kind == "absent" for one in verdict.recoveries) is not is_asked


@for_each(
    ("script", "is_asked"),
    [
        ("set -e\nmkdir out\n./tool\nrm -rf out\n", False),
        ("mkdir out\n./tool\nrm -rf out\n", True),
        ("set -e\nmkdir -p out\n./tool\nrm -rf out\n", True),
        ("set -e\nmkdir out || :\n./tool\nrm -rf out\n", True),
    ],
)
def test_a_script_deletes_what_it_has_made_if_it_ends_at_a_failure(script, is_asked):
    verdict = judged("bash t.sh", {"t.sh": script, "tool": "#!/bin/sh\necho\n"})
    assert any(one.rule == "fs-recursive-delete" for one in verdict.findings) == is_asked


# end of module
