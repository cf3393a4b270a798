"""What a sourced file of settings assigns is known in the rest of the text."""

# ruff: noqa: E501 - texts of files

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.gate.example_project import PLACE, ROOT, Machine
from tests.tables import for_each

from operators_edge.gate.decide import assess
from operators_edge.gate.rules import load
from operators_edge.model import Call

RUN = {
    "x.sh": '. ./x.conf\nargs=(-a)\n[ "$CLEAN" = yes ] && args+=(--delete)\n'
    'rsync "${args[@]}" site/ "$TO"\n'
}
APPLY = {
    "x.sh": 'source "env/$1.sh"\ncase $MODE in\n  plan) terraform plan ;;\n  *) terraform destroy ;;\nesac\n'
}
FILL = "set -a; . ./x.env; set +a; envsubst < x.tpl | sh"
CASES = [
    ("bash x.sh", {**RUN, "x.conf": "TO=web1:/srv\nCLEAN=yes\n"}, "junction"),
    ("bash x.sh", {**RUN, "x.conf": "TO=out/\nCLEAN=no\n"}, "allow"),
    ("bash x.sh one", {**APPLY, "env/one.sh": "# one\nexport MODE='plan'\n"}, "allow"),
    ("bash x.sh one", {**APPLY, "env/one.sh": "MODE=apply\n"}, "junction"),
    ("bash x.sh two", {**APPLY, "env/one.sh": "MODE=plan\n"}, "junction"),
    ("bash x.sh one", {**APPLY, "env/one.sh": "MODE=plan\nMODE=$(cat mode)\n"}, "junction"),
    (FILL, {"x.tpl": "kubectl $ACT ns $NS\n", "x.env": "ACT=delete\nNS=a\n"}, "junction"),
    (FILL, {"x.tpl": "kubectl $ACT ns $NS\n", "x.env": "ACT=get\nNS=a\n"}, "allow"),
    (FILL, {"x.tpl": "kubectl $ACT ns $NS\n", "x.env": "ACT=$(cat act)\nNS=a\n"}, "junction"),
    ("bash x.sh", {**RUN, "x.conf": 'A=out\nTO="$A/"\nCLEAN=no\n'}, "allow"),
    ("bash x.sh", {**RUN, "x.conf": "A=web1:\nTO=${A}/srv\nCLEAN=yes\n"}, "junction"),
    ("A=web1: bash x.sh", {**RUN, "x.conf": "TO=$A/srv\nCLEAN=yes\n"}, "junction"),
    (
        "echo MODE=destroy > env/one.sh; bash x.sh one",
        {**APPLY, "env/one.sh": "MODE=plan\n"},
        "junction",
    ),
]


@for_each(("command", "files", "effect"), CASES)
def test_settings_that_a_text_sources_are_known_in_it(command, files, effect):
    assert judged(command, files, committed=tuple(files)).effect == effect


SEND = '. ./x.conf; $ACT "$OUT"'
KNOWN = 'BASE="echo"\nACT=$BASE\nOUT=${BASE}-a\n'


@for_each(
    ("line", "settings", "asks"),
    [
        (SEND, KNOWN, False),
        (SEND, "ACT=echo\nOUT=$HOME/$USER\n", False),
        (SEND, "if [ -d .venv ]; then\n  OUT=$PWD\nfi\nACT=echo\n", False),
        (SEND, 'OUT=$(mktemp -d "${TMPDIR:-/tmp}/x.XXXXXX")\nACT=echo\n', False),
        (SEND, "if [ -f x ]; then\n  ACT='git push --force'\nelse\n  ACT=echo\nfi\n", True),
        (SEND, "ACT=${ACT:-echo}\n", True),
        (SEND, "ACT=$(cat act)\n", True),
        (f"BASE='git push --force'; {SEND}", "ACT=$BASE\n", True),
        (SEND, "ACT=$BASE\n", True),
        (SEND, "ACT=$1\n", True),
        ('. ./x.conf; . ./y.conf; $ACT "$OUT"', KNOWN, True),
        (f"sed -i 's/echo/git push --force/' x.conf; {SEND}", KNOWN, True),
        (f"./configure x.conf; {SEND}", KNOWN, True),
        ('(. ./x.conf); $ACT "$OUT"', KNOWN, True),
        ('. ./x.conf; read ACT; $ACT "$OUT"', KNOWN, True),
        ('for i in 1 2; do $ACT; ACT="git push --force"; . ./x.conf; done', KNOWN, True),
        ('[ -f x ] || ACT="git push --force"; . ./x.conf; $ACT', "OUT=$ACT\n", True),
    ],
)
def test_what_settings_put_together_is_known_unless_the_text_changes_it(line, settings, asks):
    files = {"x.conf": settings, "y.conf": "ACT=$NEXT\n", "x.sh": f"{line}\n", "configure": ""}
    for command in (line, "bash x.sh"):
        assert (judged(command, files, committed=("x.conf",)).effect != "allow") == asks


EMPTY = '. ./x.envrc && rm -rf "$OUT"'
TEMPORARY = 'OUT=$(mktemp -d "${TMPDIR:-/tmp}/x.XXXXXX")\n'


@for_each(
    ("line", "rule"),
    [
        (EMPTY, ""),
        (f"TMPDIR=/srv; {EMPTY}", "fs-delete-outside"),
        (f"read TMPDIR; {EMPTY}", "fs-delete-unknown"),
        (f"for TMPDIR in $X; do {EMPTY}; done", "fs-delete-unknown"),
        (EMPTY.replace("&&", "&& OUT=/srv/a &&"), "fs-delete-outside"),
    ],
)
def test_a_folder_that_settings_make_for_temporary_files_is_known(line, rule):
    found = {one.rule for one in judged(line, {"x.envrc": TEMPORARY}).findings}
    assert found & {"fs-delete-unknown", "fs-delete-outside"} == ({rule} if rule else set())


@for_each(
    ("command", "asks"),
    [
        ("bash x.sh", False),
        ("cd sub && bash ../x.sh", False),
        ("cd / && bash home/ann/shop/x.sh", True),
        ("PWD=/srv bash x.sh", False),
    ],
)
def test_a_script_knows_the_folder_that_it_is_started_in(command, asks):
    files = {"x.sh": 'chmod 777 "$PWD/a" && echo x > "$PWD/../shop/b"\n', "sub/a": ""}
    assert (judged(command, files).effect != "allow") == asks


LIBRARY = (
    'run() {\n  if [ "$DRY" = 1 ]; then\n    echo "$@"\n    return 0\n  fi\n  "$@"\n}\n'
    "upload() {\n  run rsync -a ./ web1:/srv\n}\n"
)
SCRIPT = (
    'DRY=0\nwhile [ $# -gt 0 ]; do\n  case "$1" in\n    --dry-run) DRY=1 ;;\n    *) exit 2 ;;\n  esac\n'
    "  shift\ndone\n. ./deploy-lib.sh\n{more}upload\n"
)


def deploy(more="", library=LIBRARY):
    return {"deploy.sh": SCRIPT.replace("{more}", more), "deploy-lib.sh": library}


DRY = "bash deploy.sh --dry-run"
DRY_RUNS = {
    "a dry run of functions in another file": (DRY, deploy(), "allow"),
    "not a dry run": ("bash deploy.sh", deploy(), "junction"),
    "an option that is not known": ("bash deploy.sh $MODE", deploy(), "junction"),
    "a variable that is set again": (DRY, deploy("DRY=0\n"), "junction"),
    "a variable that is set again somewhere": (
        DRY,
        deploy("if [ -f live ]; then DRY=0; fi\n"),
        "junction",
    ),
    "one of the commands goes without": (
        DRY,
        deploy(library=LIBRARY.replace("run rsync", "rsync")),
        "junction",
    ),
    "a function that is defined again": (DRY, deploy('run() { "$@"; }\n'), "junction"),
    "a file that sets it": (DRY, deploy(library=LIBRARY + "DRY=0\n"), "junction"),
    "a test that is another function": (DRY, deploy("[() { return 1; }\n"), "junction"),
    "another file of the name": ("cd lib && bash ../deploy.sh --dry-run", deploy(), "junction"),
    "a file that the line writes": (
        f"echo 'upload() {{ rsync -a ./ web1:/srv; }}' >> deploy-lib.sh; {DRY}",
        deploy(),
        "junction",
    ),
    "what runs at the end": (
        DRY,
        deploy("trap 'rsync -a ./ web1:/srv' EXIT\n"),
        "junction",
    ),
    "a program of another name": (DRY, deploy("./rollout\n"), "allow"),
}


@for_each(("command", "files", "effect"), DRY_RUNS.values(), DRY_RUNS)
def test_what_a_sourced_file_defines_is_known_where_it_is_used(command, files, effect):
    assert judged(command, files, committed=tuple(files)).effect == effect


SETS = 'set -eu\nTOP=$(git rev-parse --show-toplevel)\nAS=sudo\nDIR=/var/lib/ledger\nOLD="$HOME/photos"\n'
RUNS = 'try() { "$@"; }\n'
SAYS = 'try() { echo "$@"; }\n'


def sourcing(more, library, name="common.sh"):
    return {"s/x.sh": f'. "$(dirname "$0")/{name}"\n{more}\n', f"s/{name}": library}


ALL = {
    "a program that it names": (sourcing('$AS rm -rf "$DIR"', SETS), "asked"),
    "a path that it names": (sourcing('rm -rf "$OLD"', SETS), "asked"),
    "a service": (sourcing("$AS systemctl stop nginx", SETS), "asked"),
    "words that a function of it runs": (sourcing('try rm -rf "$OLD"', SETS + RUNS), "asked"),
    "words that a function of it prints": (sourcing('try rm -rf "$OLD"', SETS + SAYS), "allow"),
    "a file that it sources in turn": (
        {
            **sourcing("$AS systemctl stop nginx", 'MODE=$(cat mode)\n. "./s/more.sh"\n'),
            "s/more.sh": SETS,
        },
        "asked",
    ),
    "what follows a return in it": (sourcing('rm -rf "$OLD"', SETS + "return 0\n"), "asked"),
    "what follows an exit in it": (
        sourcing('rm -rf "$OLD"', SETS + "[ -f live ] || exit 1\n"),
        "asked",
    ),
    "a function that is another one in a branch": (
        sourcing("try rm -rf ~/photos", f"{SETS}{SAYS}if [ -f live ]; then\n  {RUNS}fi\n"),
        "asked",
    ),
    "a function that is defined again": (
        sourcing(f"{RUNS}try rm -rf ~/photos", SETS + SAYS),
        "asked",
    ),
    "a trap that it sets": (sourcing("ls", f"{SETS}trap 'rm -rf \"$OLD\"' EXIT\n"), "asked"),
    "a folder below the project": (sourcing('rm -rf "$TOP/tmp/x"', SETS), "allow"),
}


@for_each(("files", "effect"), ALL.values(), ALL)
def test_what_a_script_does_with_what_it_sources_is_known(files, effect):
    found = judged("sh s/x.sh", files, committed=tuple(files)).effect
    assert ("allow" if found == "allow" else "asked") == effect


SEND = 'curl -X DELETE "$API/products"\n'
READ = "import os, requests\nrequests.delete(os.environ['API_URL'] + '/x')\n"
EXPORTS = [
    "export $(cat .env | xargs)",
    "export $(grep -v '^#' .env | xargs)",
    "export $(cat .env | sed 's/#.*//g' | xargs)",
    "export $(xargs <.env)",
    'export $( grep -vE "^(#|$)" ./.env )',
]


@for_each("line", EXPORTS)
def test_what_exports_the_variables_of_a_file_makes_them_known(line):
    for address, effect in (
        ("https://api.shop.example", "junction"),
        ("http://localhost:1", "allow"),
    ):
        files = {"x.sh": f"{line}\n{SEND}", ".env": f"# a\nAPI={address}\n"}
        assert judged("bash x.sh", files, committed=tuple(files)).effect == effect


@for_each(
    "line",
    [
        "export $(cat .env | xargs); python x.py",
        "env $(cat .env | xargs) python x.py",
        "set -a; . ./.env; python x.py",
        "dotenv run -- python x.py",
        "pipenv run python x.py",
        "uv run --env-file .env python x.py",
    ],
)
def test_a_program_has_the_variables_that_the_line_takes_from_a_file(line):
    for address, effect in (
        ("https://api.shop.example", "junction"),
        ("http://localhost:1", "allow"),
    ):
        files = {"x.py": READ, ".env": f"API_URL={address}\n"}
        assert judged(line, files, committed=tuple(files)).effect == effect


@for_each(
    "line",
    [
        "export $(cat .env; rm -rf ~/notes)",
        "export $(cat .env | sh)",
        "export $(cat .env | xargs rm -rf ~/notes)",
        'export $(grep -v "$(rm -rf ~/notes)" .env)',
        "export $(cat .env | sed 's/a/rm -rf ~/e')",
    ],
)
def test_what_else_runs_where_variables_are_exported_is_not_lost(line):
    files = {".env": "rm -rf ~/notes\n" if "| sh" in line else "API=a\n"}
    assert judged(line, files).effect != "allow"


def test_a_file_with_more_than_variables_is_not_run():
    files = {".env": "NAME=My rm -rf ~/notes\n"}
    assert judged("export $(cat .env | xargs)", files, committed=tuple(files)).effect == "allow"


ENV = "export API_KEY=abc\nDB_PASSWORD='d e'\nDB_HOST=localhost\nTOKEN_FILE=/tmp/t\n"


@for_each(
    "line",
    [
        ". ./.env; echo $API_KEY",
        'source .env && printf "%s\\n" "$API_KEY"',
        'set -a; . ./.env; set +a; echo "it is ${DB_PASSWORD}"',
        ". ./.env; bash -c 'echo $API_KEY'",
        '. ./.env; echo "$DB_PASSWORD" | tee seen.log',
        ". ./.env; cat <<< $API_KEY",
    ],
)
def test_a_secret_from_settings_that_are_read_is_as_secret_as_one_that_is_not_known(line):
    assert judged(line, {".env": ENV}).rule == "secret-settings"


@for_each(
    "line",
    [
        ". ./.env; echo $DB_HOST $TOKEN_FILE",
        '. ./.env; echo "${API_KEY:+is set}"',
        ". ./.env; echo $API_KEY | docker login -u x --password-stdin",
        ". ./.env; psql -h $DB_HOST -d shop_test -c 'DROP TABLE a'",
        ". ./.env; mysql -h $DB_HOST -p$DB_PASSWORD shop_test -e 'TRUNCATE a'",
    ],
)
def test_the_rest_of_such_settings_is_known(line):
    assert judged(line, {".env": ENV}).effect == "allow"


# end of module


TOP = 'cd "$(git rev-parse --show-toplevel)"\n. tools/x.conf\n[ "$DRY" = 1 ] || git push --force\n'
MOVED = [
    ("cd lib\n", "sh tools/x.sh"),
    ("export GIT_DIR=/tmp/a/.git\n", "sh tools/x.sh"),
    ("", "GIT_WORK_TREE=/tmp/a sh tools/x.sh"),
    ("", "sed -i s/1/0/ tools/x.conf; sh tools/x.sh"),
]


def test_the_top_of_the_repository_is_a_known_folder():
    for settings, effect in (("DRY=1\n", "allow"), ("DRY=0\n", "junction")):
        files = {"tools/x.sh": TOP, "tools/x.conf": settings}
        assert judged("sh tools/x.sh", files, committed=tuple(files)).effect == effect


@for_each(("before", "command"), MOVED)
def test_what_git_may_take_for_the_top_of_another_repository_is_not_known(before, command):
    files = {"tools/x.sh": before + TOP, "tools/x.conf": "DRY=1\n", "lib/x": ""}
    assert judged(command, files, committed=tuple(files)).effect == "junction"


USUAL = load().with_profile("contextual")
BESIDE = TOP.replace("git rev", 'git -C "$(dirname "$0")" rev')


def test_the_top_of_the_repository_around_the_file_itself_is_a_known_folder():
    for settings, effect in (("DRY=1\n", "allow"), ("DRY=0\n", "junction")):
        files = {"tools/x.sh": BESIDE, "tools/x.conf": settings}
        assert judged("sh tools/x.sh", files, committed=tuple(files)).effect == effect
    other = BESIDE.replace('"$(dirname "$0")"', "lib")  # which may be a repository of its own
    files = {"tools/x.sh": other, "tools/x.conf": "DRY=1\n", "lib/x": ""}
    assert judged("sh tools/x.sh", files, committed=tuple(files)).effect == "junction"


CLONED = """set -eu
ROOT="$(git -C "$(dirname "$0")" rev-parse --show-toplevel)"
. "$ROOT/tools/lib.sh"
enter
git filter-branch --force --tree-filter 'rm -f a' -- --all
rm -rf .git/refs/original
git reflog expire --expire=now --all
git gc --prune=now --quiet
leave
"""
ENTERS = """enter() {
  W="$(mktemp -d)"
  git clone --quiet --no-local "$ROOT" "$W/r"
  cd "$W/r"
  git remote remove origin
}
leave() {
  cd /
  rm -rf "$W"
}
"""
ELSEWHERE = {
    "it stays in the repository": ENTERS.replace('  cd "$W/r"\n', ""),
    "it goes back": ENTERS.replace('cd "$W/r"\n', 'cd "$W/r"\n  cd "$ROOT"\n'),
    "the clone is no temporary one": ENTERS.replace("$(mktemp -d)", "$HOME/w"),
    "it clones nothing": ENTERS.replace("git clone", "echo clone"),
    "it pushes that": ENTERS.replace("cd /\n", "git push --force $ROOT --all\n"),
    "it may return before": ENTERS.replace("  git clone", "  [ -d .git ] && return 0\n  git clone"),
    "it goes on if nothing is cloned": ENTERS.replace(
        '  git clone --quiet --no-local "$ROOT" "$W/r"\n  cd "$W/r"',
        '  cd "$ROOT"\n  git clone --quiet "$ROOT" "$W/r" || true\n  cd "$W/r" || true',
    ),
    "it goes on after any failure": ENTERS.replace("origin\n}", "origin\n}\nset +e"),
    "it deletes more": ENTERS.replace('rm -rf "$W"', 'rm -rf "$ROOT/.git/refs"'),
}


def rewriting(script, helpers):
    files = {f"{ROOT}/tools/x.sh": script, f"{ROOT}/tools/lib.sh": helpers}
    call = Call("Bash", {"command": "sh tools/x.sh"}, ROOT)
    return assess(call, PLACE, Machine(files, committed=tuple(files)), USUAL).effect


def test_history_is_rewritten_in_a_clone_that_helpers_make():
    assert rewriting(CLONED, ENTERS) == "allow"
    assert (
        rewriting(CLONED.replace("refs/original", "../../../../home/ann/photos"), ENTERS)
        == "junction"
    )


def test_history_that_a_failure_or_a_filter_leads_elsewhere_asks():
    for script in (
        CLONED.replace("enter\n", "enter || true\n"),
        CLONED.replace("enter\n", "if enter; then :; fi\n"),
        CLONED.replace("'rm -f a'", "'curl -X DELETE https://api.example.net/v1/shops/1'"),
        CLONED.replace("--tree-filter 'rm -f a'", "--msg-filter 'rm -rf $HOME/photos; cat'"),
        CLONED.replace("--force", "--force -d $HOME/photos"),
    ):
        assert rewriting(script, ENTERS) == "junction", script


@for_each("helpers", ELSEWHERE.values(), ids=list(ELSEWHERE))
def test_history_that_may_be_the_projects_own_asks(helpers):
    assert rewriting(CLONED, helpers) == "junction"


MATRIX = """# which hosts, and how
HOSTS=(lisbon porto)
export INVENTORY=prod/hosts.ini
COMMON=(
    -i "$INVENTORY"  # all of them
)
RUN=(ansible-playbook "${COMMON[@]}" site.yml --list-tasks --limit)
APPLY=(ansible-playbook "${COMMON[@]}" site.yml --limit)
say() { echo "$@"; }
"""
EACH = 'for h in "${HOSTS[@]}"; do "${RUN[@]}" "$h"; done'
LINES = {
    "words from lists of a file": (f"source m.sh && {EACH}", {}, "allow"),
    "words that act": (f"source m.sh && {EACH.replace('RUN', 'APPLY')}", {}, "asked"),
    "a function of a file": ('. ./m.sh && say "${APPLY[@]}" x', {}, "allow"),
    "a list that the line sets": (f"source m.sh; RUN=(git push); {EACH}", {}, "asked"),
    "a list that may be another": (
        f"source m.sh; if [ -f x ]; then RUN=(git push); fi; {EACH}",
        {},
        "asked",
    ),
    "an unknown file after it": (f"source m.sh; source $MORE; {EACH}", {}, "asked"),
    "another file after it": (f"source m.sh; . ./n.sh; {EACH}", {"n.sh": "RUN=(git push)\n"}, "asked"),
    "a file that the line changes": (f"echo 'RUN=(git push)' >> m.sh; . ./m.sh; {EACH}", {}, "asked"),
    "a file in another folder": (f"cd sub && . ./m.sh && {EACH}", {"sub/m.sh": "RUN=(git push)\nHOSTS=(a)\n"}, "asked"),
    "a file that runs something": (f". ./n.sh; {EACH}", {"n.sh": f"{MATRIX}git push\n"}, "asked"),
    "a list of what a program prints": (f". ./n.sh; {EACH}", {"n.sh": "RUN=($(cat run))\nHOSTS=(a)\n"}, "asked"),
    "text that is run": (f"source m.sh; eval $MORE; {EACH}", {}, "asked"),
}  # fmt: skip


@for_each(("line", "more", "effect"), LINES.values(), LINES)
def test_what_a_line_has_from_a_file_that_it_sources_is_known(line, more, effect):
    files = {"m.sh": MATRIX, **more}
    found = judged(line, files, committed=tuple(files)).effect
    assert ("allow" if found == "allow" else "asked") == effect


SAYS_AND_RUNS = {"m.sh": MATRIX, "other.sh": 'say() { "$@"; }\nRUN=(git push)\n', "gone": ""}
PUSH = "say git push --force origin main"
FILES_THAT_CHANGE = {
    "a copy over it": f"cp other.sh m.sh; . ./m.sh; {PUSH}",
    "another file moved to it": f"mv other.sh m.sh; . ./m.sh; {PUSH}",
    "a link in its place": f"ln -sf other.sh m.sh; . ./m.sh; {PUSH}",
    "a redirect into it": f"cat other.sh > m.sh; . ./m.sh; {PUSH}",
    "a change beside it": f"(sleep 1; cp other.sh m.sh) & . ./m.sh; {PUSH}",
    "a script before it": f"bash gen.sh; . ./m.sh; {EACH}",
    "another branch of git": f"git checkout dev; . ./m.sh; {EACH}",
    "a patch": f"git apply x.patch; . ./m.sh; {EACH}",
    "an archive": f"tar xf x.tar; . ./m.sh; {EACH}",
    "a script of the package": f"npm run gen; . ./m.sh; {EACH}",
    "another folder of programs": f"PATH=lib:$PATH; . m.sh; {EACH}",
    "a file outside of the project": f". ./m.sh; . ~/.profile; {EACH}",
    "what bash reads first": f". ./n.sh; bash -c '$X {PUSH[4:]}'",
    "a trap of a file that it sources later": f". ./m.sh; trap '{PUSH}' EXIT; . ./other.sh",
}


@for_each("line", FILES_THAT_CHANGE.values(), FILES_THAT_CHANGE)
def test_what_a_line_sources_is_not_known_if_something_may_change_it(line):
    more = {
        "n.sh": f"{MATRIX}X=echo\nexport BASH_ENV=other.sh\n",
        "gen.sh": "cp other.sh m.sh\n",
        "package.json": '{"scripts": {"gen": "cp other.sh m.sh"}}',
        "lib/m.sh": "RUN=(git push)\n",
    }
    files = {**SAYS_AND_RUNS, **more}
    assert judged(line, files, committed=tuple(files)).effect != "allow"


def test_builtins_before_a_sourced_file_change_nothing():
    line = f'set -eu; echo "start" >&2; [ -f m.sh ] && cd . ; . ./m.sh; {EACH}'
    assert judged(line, SAYS_AND_RUNS, committed=("m.sh",)).effect == "allow"


NAMED = "BASE=echo\nACT=$BASE\n"
BETWEEN = [
    *(
        "git checkout other",
        "git stash pop",
        "git pull",
        "git apply a.patch",
        "patch -p1 < a.patch",
    ),
    *("tar xf a.tar", "unzip -o a.zip", "make x", "./configure", "python x.py", "npm ci"),
    *(
        "cp other.conf x.con*",
        "sed -i s/echo/rm/ *.conf",
        "grep -rl echo . | xargs sed -i s/echo/rm/",
    ),
    *("find . -type f -exec sed -i s/echo/rm/ {} +", "cat other.conf > x.c?nf", ". ~/other.sh"),
]


@for_each("before", BETWEEN)
def test_what_settings_put_together_is_not_known_after_a_program_that_may_change_any_file(before):
    files = {"x.conf": NAMED, "other.conf": "ACT='git push --force'\n", "x.py": ""}
    assert judged(f"{before}; . ./x.conf; $ACT", files, committed=tuple(files)).effect != "allow"


def test_settings_of_another_root_are_not_the_projects():
    assert judged("chroot /srv sh -c '. ./x.conf; $ACT'", {"x.conf": NAMED}).effect != "allow"


@for_each(
    "before",
    [
        *("cd .", "git status", "git fetch", "mkdir -p out", "export A=b", "ls | head -1"),
        *("cp x.conf out.conf", "echo x > y", "set -a; trap 'echo done' EXIT"),
    ],
)
def test_it_is_known_after_one_that_changes_what_it_names(before):
    assert judged(f"{before}; . ./x.conf; $ACT", {"x.conf": NAMED}).effect == "allow"


@for_each(
    "settings",
    [
        "if [ -f x ]; then\nfi\nACT=echo\n",
        "if [ -f x ]; then\n  # none\n\nelse\n  A=b\nfi\nACT=echo\n",
        "if [ -f x ]; then\n  A=b\nelse\nfi\nACT=echo\n",
    ],
)
def test_what_follows_a_branch_without_a_command_is_not_run(settings):
    line = "ACT='git push --force'; . ./x.conf; $ACT"
    assert judged(line, {"x.conf": settings}).effect != "allow"


FORCED = "git push --force"
STAND_IN = 'git() { echo "$@"; }\n'


@for_each(
    ("line", "file"),
    [
        (f". ./m.sh; {FORCED}", "git() { if x; then fi; }\n"),
        (f". ./m.sh; {FORCED}", "git() { echo; }\r\n"),
        (f". ./m.sh; {FORCED}", "A=(a (b))\ngit() { echo; }\n"),
        (f". ./m.sh; sh -c '{FORCED}'", STAND_IN),
        (f". ./m.sh; find . -exec {FORCED} \\;", STAND_IN),
        (f"chmod 000 m.sh; . ./m.sh; {FORCED}", STAND_IN),
        (f"set -o posix; . m.sh; {FORCED}", STAND_IN),
        ("say() { git push --force; }; . ./m.sh; say", "say() { if x; then fi; }\n"),
    ],
)
def test_a_function_of_a_file_is_not_taken_for_a_program_on_a_line(line, file):
    assert judged(line, {"m.sh": file}, committed=("m.sh",)).effect != "allow"
