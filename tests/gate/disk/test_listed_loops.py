"""Loops of scripts over the files of a folder: each of these runs."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

GRANT = "GRANT ALL ON ALL TABLES IN SCHEMA public TO PUBLIC;\n"
APPLY = 'for f in %s; do\n  psql -h db.shop.example -f "$f"\ndone\n'
DANGEROUS = {
    "in this folder": (APPLY % "db/sql/*.sql", GRANT),
    "beside the script": ('here=$(dirname "$0")\n' + APPLY % '"$here"/sql/*.sql', GRANT),
    "beside a pattern of another kind": (APPLY % "*.txt db/sql/*.sql", GRANT),
}
CALM = {
    "that only reads": (APPLY % "db/sql/*.sql", "SELECT 1;\n"),
    "in another folder": (APPLY % "db/other/*.sql", GRANT),
    "of another name": (APPLY % "db/sql/x*.sql", GRANT),
}


def run(script, sql):
    files = {"db/apply.sh": script, "db/sql/10_roles.sql": sql}
    return judged("bash db/apply.sh", files, committed=files)


@for_each(("script", "sql"), DANGEROUS.values(), DANGEROUS)
def test_a_file_that_a_loop_goes_through_is_judged(script, sql):
    assert "database-access" in {one.rule for one in run(script, sql).findings}


@for_each(("script", "sql"), CALM.values(), CALM)
def test_no_other_file_is(script, sql):
    assert run(script, sql).effect == "allow"


def test_what_is_not_there_yet_stays_unknown():
    files = {"sql/a.sql": "SELECT 1;\n"}
    script = 'for f in sql/*.sql; do psql -f "$f"; done'
    assert judged(f"cat > x.sh <<'E'\n{script}\nE\nsh x.sh", files).effect == "junction"


HERE = 'cd "$(dirname "$0")"\n'
RUN = {
    "a loop in the script's folder": HERE + 'for p in parts/*.sh; do\n  . "$p"\ndone\n',
    "a loop behind a change of folder": 'cd ops; for p in parts/*.sh; do bash "$p"; done\n',
    "files without an ending": HERE + 'for p in ./parts/*; do\n  "$p"\ndone\n',
    "another pattern": "for p in ops/parts/??-*.sh; do . $p; done\n",
    "a list of names": "for p in $(ls ops/parts/*.sh); do . $p; done\n",
    "a search": 'for p in $(find ops -name "*.sh" | sort); do bash $p; done\n',
    "a search that runs what it finds": 'find ops/parts -name "*.sh" -exec bash {} \\;\n',
    "a search with xargs": 'find ops/parts -name "*.sh" -print0 | xargs -0 -n1 bash\n',
    "a list that is read": 'ls ops/parts/*.sh | while read -r p; do bash "$p"; done\n',
    "a list that is fed": 'while IFS= read -r p; do\n  . "$p"\ndone < <(find ops/parts -type f)\n',
    "an array": 'parts=(ops/parts/*.sh)\nfor p in "${parts[@]}"; do bash "$p"; done\n',
    "without a loop": ". ops/parts/20-*.sh\n",
    "all of them as one text": "cat ops/parts/*.sh | bash\n",
    "their text": 'eval "$(cat ops/parts/20-b.sh)"\n',
    "the text of all": "source <(cat ops/parts/*.sh)\n",
}
PUSH, BUILD = "git push --force origin main\n", "mkdir -p build\ndate > build/stamp\n"


def parts(script, text):
    files = {"ops/all.sh": script, "ops/parts/10-a.sh": "echo a\n", "ops/parts/20-b.sh": text}
    return judged("bash ops/all.sh", files, committed=files)


@for_each("script", RUN.values(), RUN)
def test_scripts_that_a_pattern_or_a_search_chooses_are_read(script):
    assert "git-push-force" in {one.rule for one in parts(script, PUSH).findings}
    assert parts(script, BUILD).effect == "allow"


@for_each(
    "script",
    [
        'for p in ops/parts/*.sh; do shellcheck "$p"; done\n',
        'find ops/parts -name "*.sh" -exec shellcheck {} +\n',
        "ls ops/parts/*.sh | while read -r p; do echo $p; done\n",
        "find ops/parts -name '*.txt' | xargs -n1 bash\n",
        "find ops -maxdepth 1 -name '2*.sh' -exec bash {} \\;\n",
        "cat ops/parts/*.sh | wc -l\n",
        ". ops/parts/1*.sh\n",
    ],
)
def test_scripts_that_are_only_looked_at_or_not_chosen_do_not_count(script):
    assert parts(script, PUSH).effect == "allow"


def test_a_recipe_runs_the_scripts_that_its_loop_goes_through():
    recipe = "all:\n\t@for s in ops/*.sh; do sh $$s; done\n"
    for text, effect in ((PUSH, "junction"), (BUILD, "allow")):
        files = {"Makefile": recipe, "ops/a.sh": text}
        assert judged("make all", files, committed=files).effect == effect


LISTS = {
    "wildcard": "S := $(wildcard ops/*.sh)\nall:\n\t$(foreach s,$(S),sh $(s);)\n",
    "of what a function gives": "S := $(sort $(wildcard ops/*.sh))\nall: $(S)\n$(S):\n\tsh $@\n",
    "with other endings": "S := $(wildcard ops/*.sh)\nall: $(S:.sh=.done)\n%.done: %.sh\n\tsh $<\n",
    "by their names": "N := $(notdir $(basename $(wildcard ops/*.sh)))\nall: $(N)\n$(N):\n\tsh ops/$@.sh\n",
    "what ls prints": "S := $(shell ls ops/*.sh)\nall:\n\t$(foreach s,$(S),sh $(s);)\n",
    "what a search finds": "S := $(shell find ops -name '*.sh')\nall:\n\t$(foreach s,$(S),sh $(s);)\n",
}


@for_each("text", LISTS.values(), LISTS)
def test_a_makefile_runs_the_scripts_that_it_lists(text):
    for script, effect in ((PUSH, "junction"), (BUILD, "allow")):
        files = {"Makefile": text, "ops/a.sh": script}
        assert judged("make all", files, committed=files).effect == effect
