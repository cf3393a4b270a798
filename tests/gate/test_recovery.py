"""Deletions in a loop or by a search: what it matches is known, so a snapshot can hold it."""

from __future__ import annotations

import pytest
from tests.gate.example_project import PLACE, ROOT, RULES, Machine
from tests.tables import for_each

from operators_edge.gate.decide import assess
from operators_edge.model import Call

CONTEXTUAL = RULES.with_profile("contextual")
AB = (f"{ROOT}/a", f"{ROOT}/b")


def recoveries(command):
    verdict = assess(Call("Bash", {"command": command}, ROOT), PLACE, Machine(), CONTEXTUAL)
    assert verdict.effect == "junction"
    return list(dict.fromkeys((one.kind, one.paths) for one in verdict.recoveries))


@pytest.mark.parametrize(
    ("command", "reached"),
    [
        ('for f in *.tmp; do rm -f "$f"; done', ("files", (f"{ROOT}/*.tmp",))),
        (
            'for f in src/*.tmp *.bak; do rm -- "${f}"; done',
            ("files", (f"{ROOT}/src/*.tmp", f"{ROOT}/*.bak")),
        ),
        ('for f in src/*\ndo\n  echo $f\n  rm "$f"\ndone', ("files", (f"{ROOT}/src/*",))),
        ('for d in src/*; do rm -rf "$d"; done', ("delete", (f"{ROOT}/src/*",))),
    ],
)
def test_a_loop_reaches_what_its_words_match(command, reached):
    assert recoveries(command) == [reached]


@for_each(
    "command",
    [
        'for f in *.tmp; do g=$f; rm -f "$g"; done',
        'for f in *.tmp; do rm -f "$f.orig"; done',
        'for f in *.tmp; do f+=.orig; rm -f "$f"; done',
        'for f in *.tmp; do : ${f:=x}; rm -f "$f"; done',
        'for f in *.tmp; do let f+=1; rm -f "$f"; done',
        'for f in *.tmp; do . ./x; rm -f "$f"; done',
        'for f in *.tmp; do while true; do rm -f "$f"; done; done',
        "while true; do rm -rf src; done",
        "for ((;;)); do rm -rf src; done",
        "while true; do find src -name '*.o' | xargs rm; done",
        "tail -f log | while read x; do rm -rf src; done",
        "f() { rm -rf src; }; while true; do f; done",
        'for f in *.tmp; do read f; rm -f "$f"; done',
        'for f in *.tmp; do ln -s /srv x; rm -rf "$f"; done',
        'for f in *.tmp; do cd src; rm -f "$f"; done',
        'for f in *.tmp; do for f in src/*; do rm -f "$f"; done; done',
        'for f in *.tmp; do echo; done; rm -f "$f"',
    ],
)
def test_what_a_loop_may_change_is_not_known(command):
    assert recoveries(command) == []


@pytest.mark.parametrize(
    ("command", "reached"),
    [
        ("for f in *.tmp; do rm -f $f; done", ("fed", (f"{ROOT}/*.tmp",))),
        ("ls -t *.log | tail -n +3 | xargs rm", ("fed", (f"{ROOT}/*.log", f"{ROOT}/*"))),
        ("ls -d b* | xargs -I{} rm -rf '{}'", ("fed-tree", (f"{ROOT}/b*",))),
        ("rm $(find src -name '*.o')", ("fed", (f"{ROOT}/src/**/*.o",))),
        (
            'find src -name "*.o" | while read -r f; do rm "$f"; done',
            ("fed", (f"{ROOT}/src/**/*.o",)),
        ),
        (
            "find src -type f | grep '\\.bak$' | xargs rm",
            ("fed", (f"{ROOT}/src", f"{ROOT}/src/**/*.bak")),
        ),
        (
            "find src -name x | grep -v -e y | sort -r | tail -n +2 | tr '\\n' '\\0' | xargs -0 rm",
            ("fed", (f"{ROOT}/src/**/x",)),
        ),
        ("find a b -print0 | xargs -0 rm", ("files", (*AB, f"{ROOT}/a/**/*", f"{ROOT}/b/**/*"))),
        (
            "find a -type f \\( -name '*.o' -o -iname 'b.[a' -o -name x \\) -print0 | xargs -0 rm",
            ("files", (f"{ROOT}/a", f"{ROOT}/a/**/*")),
        ),
        (
            "find a -type f ! -path '*/y/*' '(' -name '*.o' -o -iname 'B1*' ')' -exec rm {} +",
            ("files", (f"{ROOT}/a/**/*.o", f"{ROOT}/a/**/[bB]1*")),
        ),
        (
            "find a -name x -prune -o -name y -print | xargs rm",
            ("fed", (f"{ROOT}/a/**/y",)),
        ),
        (
            "find a -path a/env -prune -o -name '*.o' -exec rm {} + && pytest -q",
            ("files", (f"{ROOT}/a/**/*.o",)),
        ),
        (
            "find a -type d \\( -name x -o -name y \\) -prune -exec rm -r {} + && pytest -q",
            ("delete", (f"{ROOT}/a/**/x", f"{ROOT}/a/**/y")),
        ),
        ("find a -name x -print0 | xargs -0 rm && pytest -q", ("files", (f"{ROOT}/a/**/x",))),
        # what leaves out only does so where what follows has its own action
        ("find a -path a/e -prune -o -name x | xargs rm", ("fed", (f"{ROOT}/a", f"{ROOT}/a/**/*"))),
        ("find a -print -name x | xargs rm", ("fed", (f"{ROOT}/a", f"{ROOT}/a/**/*"))),
        ("find a ! -name x | xargs rm", ("fed", (f"{ROOT}/a", f"{ROOT}/a/**/*"))),
        ("find a -name x -o -print | xargs rm", ("fed", (f"{ROOT}/a", f"{ROOT}/a/**/*"))),
        ("find a -path -name -o -name x | xargs rm", ("fed", (f"{ROOT}/a", f"{ROOT}/a/**/*"))),
        ("find a -name 'f\\oo' -exec rm {} +", ("files", (f"{ROOT}/a", f"{ROOT}/a/**/*"))),
        (
            "find a -name x -exec rm {} + ; pytest -q",
            ("files", (f"{ROOT}/a/**/x",)),
        ),
        ("find a b | xargs rm -r", ("fed-tree", (*AB, f"{ROOT}/a/**/*", f"{ROOT}/b/**/*"))),
        ('for f in $(ls *.tmp); do rm -f "$f"; done', ("fed", (f"{ROOT}/*.tmp", f"{ROOT}/*"))),
    ],
)
def test_a_list_of_names_is_followed_through_filters_of_lines(command, reached):
    assert recoveries(command) == [reached]


def test_tests_of_a_search_that_delete_are_not_taken_for_what_is_left_out():
    command = "find a -name z -delete -o -path a/e -prune -o -name x -print | xargs rm"
    everything = (f"{ROOT}/a", f"{ROOT}/a/**/*")
    assert recoveries(command) == [("delete", (f"{ROOT}/a/",)), ("fed", everything)]


@for_each(
    "command",
    [
        "ls | sed 's,^,../,' | xargs rm",
        "ls -R | xargs rm",
        "ls | cut -c2- | xargs rm",
        "ls | xargs -I{} rm {}.orig",
        "grep -l x -r . | grep -n y | xargs rm",
        "(cd src; ls) | xargs rm",
        "cp other list; xargs rm < list",
        'ls | while read f; do rm "$f.orig"; done',
        'ls | while read f; do cd src; rm "$f"; done',
        "find . -print0 | grep -z x | xargs -0 rm",
        # a list from elsewhere
        "find src -name x | tail -n 1 1 | xargs rm -rf",
        "find src -name x | grep -- -e list | xargs rm -rf",
        "find src -name x | grep l* | xargs rm -rf",
        "find src -name x | grep -e -v list | xargs rm -rf",
        "find src -name x | xargs rm -rf < list",
        'find src -name x | while read f; do rm -rf "$f"; done < list',
        'while read f; do rm -rf "$f" < good; done < bad',
        "rm -rf $(cat list; find src -name x)",
        "find src -name x -printf '../y\\n' | xargs rm -rf",
        "find -P ../other -name x -delete",
        "for i in 1 2; do find a -name x -exec rm {} + ; make; done",
    ],
)
def test_a_list_that_may_be_changed_on_the_way_is_not_known(command):
    assert recoveries(command) == []


@pytest.mark.parametrize(
    ("command", "folder"),
    [("fd -e tmp -X rm", ROOT), ("fd --extension tmp . src -x rm -f {}", f"{ROOT}/src")],
)
def test_fd_reaches_the_files_with_an_extension_in_any_case(command, folder):
    assert recoveries(command) == [("files", (f"{folder}/**/*.[tT][mM][pP]",))]


@pytest.mark.parametrize(
    "command",
    [
        "fd tmp -X rm",
        "fd -e tmp -L -X rm",
        "fd -e 't*' -X rm",
        "fd -e tmp -X rm -rf",
        "fd -e tmp -X rm {//}",
        "fd -e tmp . $D -X rm",
        "fd -e tmp -x sh -c 'rm {}'",
        "sudo fd -e tmp -X rm",
    ],
)
def test_what_else_fd_may_reach_is_not_known(command):
    assert recoveries(command) == []


@for_each(
    "command",
    [
        "make x; find . -name '*.pyc' -delete",
        "pytest -q; find . -type d -name __pycache__ -exec rm -rf {} +",
        "pytest && find src tests -name .mypy_cache -prune -exec rm -rf {} ';'",
        "make x; find . '(' -name __pycache__ -o -name '*.py[co]' ')' -exec rm -rf {} +",
        "pytest; find . -name '*.pyc' | xargs rm -f",
    ],
)
def test_a_search_for_caches_by_their_names_loses_nothing_whatever_ran_before(command):
    assert [paths for _, paths in recoveries(command)] == [()]


@for_each(
    "command",
    [
        "make x; find . -name '*.py*' -delete",
        "make x; find .. -name '*.pyc' -delete",
        "make x; cd ~; find . -name '*.pyc' -delete",
        "make x; find . -name '*.pyc' -o -name '*.txt' -delete",
        "make x; find . ! -name '*.pyc' -delete",
        "make x; find -L . -name __pycache__ -exec rm -rf {} +",
        "make x; find . -name __pycache__ -exec rm -rf {}/.. ';'",
        "make x; find . -name __pycache__ -execdir rm -rf . ';'",
        "mv notes.txt a.pyc; find . -name '*.pyc' -delete",
        "git mv src __pycache__; find . -name __pycache__ -exec rm -rf {} +",
    ],
)
def test_a_search_that_may_find_more_than_caches_is_asked_about(command):
    verdict = assess(Call("Bash", {"command": command}, ROOT), PLACE, Machine(), CONTEXTUAL)
    assert verdict.effect != "allow"
    assert all(one.kind == "absent" for one in verdict.recoveries)  # only what is not there yet


LISTS = Machine(
    {
        f"{ROOT}/list": "old/a\n./old/b\n",
        f"{ROOT}/quoted": "'old a'\n",
        f"{ROOT}/lines": "# x\nrun find . -name '*.o' -delete\nrun git status\n",
        f"{ROOT}/making": "run ln -s /srv x\nrun rm -rf x/y\n",
        f"{ROOT}/plain": "src\n",
    }
)


@pytest.mark.parametrize(
    ("command", "reached"),
    [
        ("xargs -a list rm -rf --", [("delete", (f"{ROOT}/old/a", f"{ROOT}/old/b"))]),
        ("grep a list | xargs rm -rf", [("delete", (f"{ROOT}/old/a",))]),
        ("xargs -a quoted rm -rf", [("delete", (f"{ROOT}/old a",))]),
        (
            'grep ^run lines | cut -c5- | while IFS= read -r c; do bash -c "$c"; done',
            [("delete", (f"{ROOT}/**/*.o",))],
        ),
        # the list may be another one then, or nobody knows when the loop ends
        ("cp other list; xargs -a list rm -rf", []),
        ("xargs -a list sh -c 'cd ..; rm -rf \"$@\"' _", []),
        ("tail -f lines | while read -r c; do rm -rf src; done", []),
        ("grep . pipe | while read -r c; do rm -rf src; done", []),
        ("while true; do xargs -a list rm -rf; done", []),
        ('grep ^run making | cut -c5- | while IFS= read -r c; do bash -c "$c"; done', []),
        ("bash -c 'make; rm -rf src'", [("absent", (f"{ROOT}/src",))]),
    ],
)
def test_names_that_a_file_lists_are_those_that_are_reached(command, reached):
    verdict = assess(Call("Bash", {"command": command}, ROOT), PLACE, LISTS, CONTEXTUAL)
    assert verdict.effect == "junction"
    known = [(one.kind, one.paths) for one in verdict.recoveries]
    assert list(dict.fromkeys(known)) == reached


@pytest.mark.parametrize(
    ("command", "reached"),
    [
        ("make -C lib all && rm -rf one two", ["one", "two"]),
        ("tar xzf a.tgz && cd a && make && cd .. && rm -rf a", ["a"]),
        ("mkdir -p t/src && cd t && npm init -y && cd .. && rm -rf t", ["t"]),
        ("python3 -m venv v && . v/bin/activate && pip install . && rm -rf v", ["v"]),
        ("cp -r ../keep t; make; rm -rf t", ["t"]),
        ("make; rm -rf t; make; rm -rf t", ["t"]),
        # what is only there may come to that place
        ("mv ../keep t; rm -rf t", []),
        ("mkdir t; mv ../keep t; rm -rf t", []),
        ("git mv src t && rm -rf t", []),
        ("python -c \"import pathlib; pathlib.Path('src').rename('t')\" && rm -rf t", []),
        ("printf 'all:\\n\\tmv src t\\n' > Makefile; make; rm -rf t", []),
        ("ln -s ../keep t; rm -rf t/", []),
        ("sshfs me@shop.example:/srv t && rm -rf t", []),
        ("mount /dev/sdb1 t && rm -rf t", []),
        ("rsync -a --remove-source-files ../keep/ t/ && rm -rf t", []),
        ("tar -cf t/a.tar --remove-files src && rm -rf t", []),
        ("python -c \"import shutil; shutil.move('src', 't')\" && rm -rf t", []),
        ("find . -name '*.py' -exec mv {} t \\; ; rm -rf t", []),
        ("source x.sh; rm -rf t", []),
        ("alias make=mv; make src t; rm -rf t", []),
        ("make() { mv src t; }; make; rm -rf t", []),
        # nobody knows where or when
        ("cd t; make; cd ..; rm -rf t", []),
        ("make & rm -rf t", []),
        ("trap 'make' EXIT; rm -rf t", []),
        ("while true; do make; rm -rf t; done", []),
        ('eval "$X"; rm -rf t', []),
        # it is emptied, not deleted, through a link
        ("tar xzf a.tgz; : > a/t", []),
    ],
)
def test_what_only_the_line_can_have_filled_is_deleted_if_it_was_not_there(command, reached):
    verdict = assess(Call("Bash", {"command": command}, ROOT), PLACE, LISTS, CONTEXTUAL)
    known = {path for one in verdict.recoveries if one.kind == "absent" for path in one.paths}
    assert known == {f"{ROOT}/{name}" for name in reached}


FOR_EACH = "import shutil\nfor n in ['a', 'b']:\n    print(n)\n    shutil.rmtree(n)\n"
WAITING = FOR_EACH.replace("import", "import time,").replace("print(n)", "time.sleep(900)")
LINKING = "import os, shutil\nos.symlink('/srv', 'x')\nshutil.rmtree('a')\n"
RECIPE = "DIRS := a b\nall:\n\tmkdir -p a\n\trm -rf $(DIRS)\n"


@pytest.mark.parametrize(
    ("command", "reached"),
    [
        (f"cat > x.py <<'EOF'\n{FOR_EACH}EOF\npython3 x.py", AB),
        (f"python3 - <<'EOF'\n{FOR_EACH}EOF", AB),
        (f"cat > x.mk <<'EOF'\n{RECIPE}EOF\nmake -f x.mk all", AB),
        ("cat >> x.sh <<'EOF'\necho done\nrm -rf a b\nEOF\nbash x.sh", AB),
        ("printf 'rm -rf a b\\nmake\\n' > x.sh; sh x.sh", AB),
        ("cat > x.sh <<'EOF'\necho a\nrm -rf a b\nEOF\nsh x.sh", AB),
        ("cat > x.sh <<'EOF'\nrm -rf a b\nEOF\nchmod +x x.sh && ./x.sh", AB),
        ("cat >> x.sh <<'EOF'\nnpx tsc -p .\nrm -rf a b\nEOF\nbash x.sh", AB),
        # later, after other work, in an order that is not known, or somewhere else
        (f"cat > x.py <<'EOF'\n{WAITING}EOF\npython3 x.py", ()),
        (f"cat > x.py <<'EOF'\n{LINKING}EOF\npython3 x.py", ()),
        (f"python3 - <<'EOF'\n{LINKING}EOF", ()),
        (
            "python3 -c \"import shutil; d = ['a']; d.append('/srv')\nfor n in d: shutil.rmtree(n)\"",
            (),
        ),
        ("python3 -c \"import shutil; n = '/srv'\nif 0: n = 'a'\nshutil.rmtree(n)\"", ()),
        ("node -e \"let n = '/srv'; if (0) n = 'a'; fs.rmSync(n, {recursive: true})\"", ()),
        (f"cat > x.mk <<'EOF'\n{RECIPE}\t./run\nEOF\nmake -f x.mk all", ()),
        (f"cat > x.mk <<'EOF'\n{RECIPE}EOF\nmake -j2 -f x.mk all", ()),
        ("printf './run\\nrm -rf a b\\n' > x.sh; sh x.sh", ()),
        ("printf 'rm -rf a b\\n' > x.sh; sleep 900; sh x.sh", ()),
        ("printf 'rm -rf a b\\n' > x.sh; sh x.sh &", ()),
        ("printf 'rm -rf a b\\n' > x.sh; sudo sh x.sh", ()),
        ("printf 'rm -rf a b\\n' > x.sh; at -f x.sh now + 1 hour", ()),
        ("printf 'rm -rf a b &\\n' > x.sh; sh x.sh", ()),
        ("printf '\\167hile :; do rm -rf a b; done' > x.sh; sh x.sh", ()),
        ("printf '\\167hile :; do rm -rf a b; done' | sh", ()),
        ("printf 'rm -rf a b\\n' > .git/hooks/pre-commit", ()),
    ],
)
def test_what_is_written_and_run_at_once_reaches_what_its_words_name(command, reached):
    verdict = assess(Call("Bash", {"command": command}, ROOT), PLACE, Machine(), CONTEXTUAL)
    assert verdict.effect != "allow"
    known = [path for one in verdict.recoveries for path in one.paths]
    assert tuple(dict.fromkeys(known)) == reached


REBUILT = Machine(ignored=(f"{ROOT}/build", f"{ROOT}/dist", f"{ROOT}/*.pyc"))


def loses_work(command, rules=CONTEXTUAL):
    """Whether a person is asked, and a snapshot would have something to hold, or could not know what."""
    verdict = assess(Call("Bash", {"command": command}, ROOT), PLACE, REBUILT, rules)
    known = verdict.recoveries
    return verdict.effect != "allow" and not (known and not any(one.paths for one in known))


@for_each(
    "command",
    [
        "git clean -fdx -- build",
        "git clean -ffdX build/ dist/lib",
        "git clean -fd dist",
        "git ls-files --others --ignored --exclude-standard -- dist build | xargs rm -f",
        "git ls-files -oi --exclude-standard -z -- build | xargs -0 rm",
        "git ls-files -z --others --ignored --exclude-standard -- '*.pyc' | xargs -0 -r rm -f --",
        "git ls-files -oiz --exclude-standard '*.pyc' build | xargs -0 rm -f",
    ],
)
def test_git_may_clean_what_a_build_makes_again(command):
    assert not loses_work(command)


@for_each(
    "command",
    [
        "git clean -fdx",
        "git clean -fdX -- build src",
        "git clean -fdx -- $DIR",
        "cat list | xargs git clean -fdX --",
        "git ls-files -oi --exclude-standard -z | xargs -0 rm",
        "git ls-files -z -- build | xargs -0 rm",
        "git ls-files -oi --exclude-standard -- build src | xargs rm",
        "git ls-files -z --others --exclude-standard -- '*.pyc' | xargs -0 rm",
        "git ls-files -z --others --exclude-standard | xargs -0 -r rm -f --",
        "git ls-files -z -oi -X x -- '*.pyc' | xargs -0 rm",
        "git ls-files -z -oi --exclude-standard -- '*.py' | xargs -0 rm",
        "git ls-files -z -oi --exclude-standard -- '*.pyc' '*.db' | xargs -0 rm",
        "git ls-files -z -oi --exclude-standard -- '*.p[y]c' | xargs -0 rm",
        "git ls-files -z -oi --exclude-standard -- ':!*.pyc' | xargs -0 rm",
        "git ls-files -z -oi --exclude-standard -- '*.pyc' | xargs rm",
        "cd ..; git ls-files -z -oi --exclude-standard -- '*.pyc' | xargs -0 rm",
        "mv src build; git ls-files -z -oi --exclude-standard -- '*.pyc' | xargs -0 rm",
        "git ls-files -oi --exclude-standard -- build | sed s/build/src/ | xargs rm",
    ],
)
def test_git_may_not_clean_what_stands_for_work(command):
    assert loses_work(command)


@for_each(
    ("command", "reached"),
    [
        (
            """python3 -c "import os, shutil; shutil.rmtree('out'); os.makedirs('out', exist_ok=True)" """,
            [("delete", (f"{ROOT}/out",))],
        ),
        (
            """node -e "fs.rmSync('out', {recursive: true}); fs.mkdirSync('out')" """,
            [("delete", (f"{ROOT}/out",))],
        ),
        ("""node -e "fs.cpSync('a', 'out'); fs.rmSync('out', {recursive: true})" """, []),
        (
            "python3 - <<'E'\nfrom shutil import rmtree, copytree\nrmtree('out')\ncopytree('a', 'out')\nE",
            [("delete", (f"{ROOT}/out",))],
        ),
        (
            """python3 -c "import shutil; shutil.rmtree('out'); shutil.copytree('kept', 'out')" """,
            [("delete", (f"{ROOT}/out",))],
        ),
        ("""python3 -c "import shutil; shutil.copytree('a', 'out'); shutil.rmtree('out')" """, []),
        (
            (
                "python3 - <<'E'\nfrom shutil import rmtree, move as copytree\n"
                "for n in ['out', 'b']:\n    rmtree(n)\n    copytree('a', 'b')\nE"
            ),
            [],
        ),
        (
            (
                "python3 - <<'E'\nimport os, shutil\nshutil.rmtree('out')\nshutil.copytree('a', 'out')\n"
                "os.rename('../x', 'out/y')\nE"
            ),
            [],
        ),
    ],
)
def test_a_program_that_deletes_may_make_a_folder_anew(command, reached):
    assert recoveries(command) == reached


@for_each(
    ("command", "reached"),
    [
        ("rsync -a --delete src/ out/", [("delete", (f"{ROOT}/out/",))]),
        ("mkdir -p out && rsync -az --delete --exclude=x ./ out", [("delete", (f"{ROOT}/out",))]),
        ("rsync -a --delete src/ web1:/srv/", []),
        ("rsync -a --delete src/ rsync://shop.example/srv/", []),
        ("rsync -a --delete src/ ~/docs/ --info out", []),
        ("rsync -a --delete src/ $OUT/", []),
        ("rsync -a --delete $MORE src/ out/", []),
        ("ln -s ~/docs out; rsync -a --delete src/ out/", []),
        ("rsync -a --remove-source-files src/ out/", []),
        ("cd $X; rsync -a --delete src/ out/", []),
    ],
)
def test_a_copy_that_deletes_reaches_what_is_below_its_target(command, reached):
    assert recoveries(command) == reached


_OUT = "import shutil; shutil.rmtree('out')"


@for_each(
    ("command", "is_known"),
    [
        (f'python3 -c "{_OUT}" && python3 -m build', True),
        (f'python3 -c "{_OUT}"; make', True),
        (f"python3 - <<'E'\n{_OUT}\nE\nnpm run build", True),
        ("node -e \"fs.rmSync('out', {recursive: true})\" && npm run build", True),
        (f'mv ../x out && python3 -c "{_OUT}"', False),
        (f'for i in 1 2; do python3 -c "{_OUT}"; mv ../x out; done', False),
        (f'(while true; do mv ../x out; done) & python3 -c "{_OUT}"', False),
        (f"python3 -c \"{_OUT}; import os; os.rename('../x', 'out')\"", False),
        (f'python3 -c "{_OUT}" | mv ../x out', False),
        (f'f() {{ python3 -c "{_OUT}"; }}; f; mv ../x out; f', False),
    ],
)
def test_a_program_on_the_line_ends_before_what_follows_it(command, is_known):
    assert recoveries(command) == ([("delete", (f"{ROOT}/out",))] if is_known else [])


# end of module


@for_each(
    ("command", "is_kept"),
    [
        ('echo "wait for it (a while) & go" && rm -rf src && make', True),
        ("rm -rf src && make && git commit -qam 'Clean up (again) for a release'", True),
        ("grep -E '(a|b)' list; rm -rf src; make", True),
        ("echo 'for'; for i in 1 2; do rm -rf src; mv ../keep src; done", False),
        ('echo "x" & rm -rf src; mv ../keep src', False),
        ('echo "a"&rm -rf src;mv ../keep src', False),
        ('eval "for i in 1 2; do rm -rf src; mv ../keep src; done"', False),
        ('bash -c "for i in 1 2; do rm -rf src; mv ../keep src; done"', False),
        ("f() { echo 'for'; rm -rf src; }; f; mv ../keep src; f", False),
        ('echo "$(mv ../keep src)"; rm -rf src', False),
        ('echo "${x:-`mv ../keep src &`}"; rm -rf src', False),
        ("echo 'shopt'; eval 'shopt -s dotglob'; rm -rf src/*", False),
    ],
)
def test_what_is_only_said_on_a_line_does_not_change_its_order(command, is_kept):
    verdict = assess(Call("Bash", {"command": command}, ROOT), PLACE, Machine(), CONTEXTUAL)
    assert bool(verdict.recoveries) == is_kept


@for_each(
    ("command", "is_kept"),
    [
        ("trap 'echo failed' ERR; rm -rf src", True),
        ("trap 'rm -f x.tmp; exit 1' EXIT; rm -rf src", True),
        ("trap 'mv ../keep src' DEBUG; rm -rf src", False),
        ("fin() { mv ../keep src; }; trap fin DEBUG; rm -rf src", False),
        ("trap 'cd ..' DEBUG; rm -rf src", False),
        ("trap 'make' DEBUG; rm -rf src", False),
        ('trap "$X" EXIT; rm -rf src', False),
        ("rm -rf src; trap 'mv ../keep src' EXIT", False),
        ("trap 'rm -rf src' EXIT; mv ../keep src", False),
    ],
)
def test_a_trap_that_only_speaks_or_cleans_up_leaves_a_deletion_as_it_is(command, is_kept):
    verdict = assess(Call("Bash", {"command": command}, ROOT), PLACE, Machine(), CONTEXTUAL)
    assert bool(verdict.recoveries) == is_kept
