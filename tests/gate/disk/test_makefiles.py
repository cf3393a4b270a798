"""What a target of a Makefile runs."""

import shutil
import subprocess

import pytest
from tests.gate.disk.test_follow import judged
from tests.tables import for_each

from operators_edge.gate.disk.makefiles import Includes, make
from operators_edge.gate.disk.recipe_types import Wanted
from operators_edge.shell.commands import HOLE


def texts(text, *targets):
    return [one.text for one in make(text, Wanted(targets))]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("X = 1\nX += 2\nall:\n\techo $(X)\n", ["echo 1 2"]),
        ("X != date\nall:\n\techo $(X)\n", ["date", f"echo {HOLE}"]),
        ("all:\n\techo $$HOME\n", ["echo $HOME"]),
        ("all: a.o\n%.o: %.c\n\tcc $<\n", ["cc a.c"]),
        ("all: $(S:.c=.o)\nS = a.c d/b.c\n%.o: %.c x.h\n\tcc $* $^\n", []),
        (
            "S = a.c d/b.c\nall: $(S:.c=.o)\n%.o: %.c x.h\n\tcc $* $^\n",
            ["cc a a.c x.h", "cc d/b d/b.c x.h"],
        ),
        (".ONESHELL:\nall: b\n\tcd x\n\t@rm y\nb:\n\ttrue\n", ["true", "cd x\nrm y"]),
        ("D = a.x b.x\nall: $(D)\n$(D): %.x: %.y\n\tgo $< $*\n", ["go a.y a", "go b.y b"]),
        ("all: x-a\nx-%: y-%\n\tx $(@:x-%=%)\ny-%:\n\ty $*\n", ["y a", "x a"]),
        ("all:\n\tgo $(T:.c=.o)\n", [f"go {HOLE}"]),
        ("all:\n\techo \\\n\tx\n", ["echo \\\n\tx"]),
        ("a: b\n\techo a\nb: a\n\techo b\n", ["echo b", "echo a"]),
        ("SHELL = ./own\nall:\n\ttrue\n", ["./own -c :", "true"]),
        ("define R\none\ntwo\nendef\nall:\n\t$(R)\n", ["one\ntwo"]),
        ("a:\n\ttrue\nb:\n\tfalse\n.DEFAULT_GOAL := b\n", ["false"]),
        ("G = b\n.DEFAULT_GOAL = $(G)\na:\n\ttrue\nb:\n\tfalse\n", ["false"]),
        (".RECIPEPREFIX = >\nall:\n>true\n", ["true"]),
    ],
)
def test_a_makefile_runs_what_its_default_target_needs(text, wanted):
    assert texts(text) == wanted


CONDITIONAL = """\
A = 1
B := $(A)
EMPTY =
N ?= 5
ifdef A
C = 3
else
C = 4
endif
x:
\techo start
ifeq ($(A),1)
\techo one
else
\techo not one
endif
ifneq ($(B), 1)
\techo two
else ifeq "$(C)" "3"
\techo three
else ifeq ($(C),3)
\techo again
else
\techo none
endif
  ifdef EMPTY
\techo set
  else
\techo empty
  endif
ifndef UNSET
\techo unset
ifeq ($(UNSET),)
\techo within
else
\techo never
endif
else
\techo never
ifdef A
\techo never either
endif
endif
ifeq '$(N)' '5'
\techo five
endif
\techo end
y: x
ifeq ($(A),2)
y: z
endif
\techo y
z:
\techo z
"""


@pytest.mark.skipif(shutil.which("make") is None, reason="no make")
@pytest.mark.parametrize(
    ("target", "variables"),
    [
        ("x", {}),
        ("y", {}),
        ("y", {"A": "2"}),
        ("x", {"A": ""}),
        ("x", {"EMPTY": "1", "UNSET": "1"}),
        ("x", {"UNSET": "a", "C": "5", "B": "2"}),
        ("x", {"N": "6", "A": "2"}),
    ],
)
def test_conditions_choose_the_lines_that_make_itself_chooses(tmp_path, target, variables):
    (tmp_path / "Makefile").write_text(CONDITIONAL)
    words = [f"{name}={value}" for name, value in variables.items()]
    command = ["make", "--no-print-directory", "-s", "-C", str(tmp_path), target, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = [one.text for one in make(CONDITIONAL, Wanted((target,), variables))]
    assert sorted(found) == sorted(f"echo {line}" for line in done.stdout.splitlines())


@pytest.mark.parametrize(
    "condition",
    [
        "ifeq ($(OS),Windows_NT)",
        "ifdef CI",
        "ifeq ($(shell uname),Darwin)",
        "ifneq ($(wildcard x),)",
        "ifeq ($(filter a,$(A)),a)",
        "ifdef $(NAME_$(CI))",
        "ifeq a b c",
    ],
)
def test_both_branches_count_where_a_condition_depends_on_the_machine(condition):
    text = f"A = a\nx:\n{condition}\n\tone\nelse\n\ttwo\nendif\n\tthree\n"
    assert [one for one in texts(text, "x") if " " not in one] == ["one", "two", "three"]


def test_files_that_a_branch_includes_are_named_whichever_is_taken():
    text = "ifdef PUSH\ninclude push.mk\nelse\n-include no.mk\nendif\n"
    assert Includes().read_on(text) == ["push.mk", "no.mk"]


def test_the_environment_counts_where_the_file_does_not_say_otherwise():
    text = "A ?= 1\nB = 2\nx:\n\techo $(A) $(B) $(C)\nifdef C\n\techo c\nendif\n"
    found = make(text, Wanted(("x",), environment={"A": "a", "B": "b", "C": "c"}))
    assert [one.text for one in found] == ["echo a 2 c", "echo c"]
    found = make(text, Wanted(("x",), {"B": "3"}, environment={"B": "b"}))
    assert [one.text for one in found] == [f"echo 1 3 {HOLE}"]


RESET = "x:\n\tkubectl --context $(CTX) delete namespace shop\n"
BY_VARIABLE = {
    "a cluster of this machine": ("CTX=kind-a make x", RESET, "allow"),
    "exported before": ("export CTX=kind-a && make x", RESET, "allow"),
    "a default that it replaces": ("CTX=kind-a make x", f"CTX ?= prod\n{RESET}", "allow"),
    "another cluster": ("CTX=prod make x", RESET, "junction"),
    "not exported": ("CTX=kind-a; make x", RESET, "junction"),
    "not set": ("make x", RESET, "junction"),
    "set in the file": ("CTX=kind-a make x", f"CTX = prod\n{RESET}", "junction"),
    "set for the target": ("CTX=kind-a make x", f"x: CTX = prod\n{RESET}", "junction"),
    "set for a pattern": ("CTX=kind-a make x", f"%: CTX = prod\n{RESET}", "junction"),
    "set on a condition": (
        "CTX=kind-a make x",
        f"ifdef CI\nCTX = prod\nendif\n{RESET}",
        "junction",
    ),
    "set by a word": ("CTX=kind-a make x CTX=prod", RESET, "junction"),
    "set by a text": ("CTX=kind-a make --eval=CTX=prod x", RESET, "junction"),
    "set by a variable of make": ("CTX=kind-a MAKEFLAGS=CTX=prod make x", RESET, "junction"),
    "set by a file that is included": ("CTX=kind-a make x", f"-include ctx.mk\n{RESET}", "junction"),
    "set by what the file computes": (
        "CTX=kind-a make x",
        f"$(eval CTX := prod)\n{RESET}",
        "junction",
    ),
    "set by a second file": ("CTX=kind-a make -f Makefile -f ctx.mk x", RESET, "junction"),
    "set by a define": ("CTX=kind-a make x", f"override define CTX\nprod\nendef\n{RESET}", "junction"),
    "set for an inner make": (
        "CTX=kind-a make x",
        f"MAKEFLAGS += CTX=prod\ny:\n\t$(MAKE) x\n{RESET}",
        "junction",
    ),
    "a word that is not known": ("CTX=kind-a make x $MORE", RESET, "junction"),
}  # fmt: skip


@for_each(("command", "text", "effect"), BY_VARIABLE.values(), ids=list(BY_VARIABLE))
def test_a_variable_that_make_surely_gets_has_its_value(command, text, effect):
    assert judged(command, {"Makefile": text}).effect == effect


NEAR = f"CTX = kind-a\n{RESET}"
SET_AGAIN = {
    "nowhere": ("make x", NEAR, "allow"),
    "for another target": ("make x", f"{NEAR}y: CTX = prod\n", "allow"),
    "with the same value": ("make x", f"{NEAR}x: CTX = kind-a\n", "allow"),
    "for the target": ("make x", f"{NEAR}x: CTX = prod\n", "junction"),
    "behind a tab": ("make x", f"{NEAR}x\t: CTX = prod\n", "junction"),
    "in a continued line": ("make x", f"{NEAR}x: \\\n  CTX = prod\n", "junction"),
    "for the one that needs it": ("make y", f"{NEAR}y: x\ny: CTX = prod\n", "junction"),
    "in what needs a computed name": (
        "make y",
        f"{NEAR}y: $(shell ls --sort=size) x\nCTX = prod\n",
        "junction",
    ),
    "for a pattern": ("make x", f"{NEAR}%: CTX = prod\n", "junction"),
    "over the word": ("make x CTX=kind-a", f"{RESET}x: override CTX = prod\n", "junction"),
    "over the word, for all": ("make x CTX=kind-a", f"override CTX = prod\n{RESET}", "junction"),
    "by a computed name": ("make x", f"{NEAR}NAME = CTX\n$(NAME) = prod\n", "junction"),
    "by a name of the machine": ("make x", f"{NEAR}$(shell cat name) = prod\n", "junction"),
    "for the target, by a computed name": ("make x", f"{NEAR}N = CTX\nx: $(N)=prod\n", "junction"),
    "by a line with a tab that is in no rule": ("make x", f"{NEAR}Y = 1\n\tCTX = prod\n", "junction"),
    "before any rule": ("make x", f"CTX = kind-a\n\tCTX = prod\n{RESET}", "junction"),
    "by a function": ("make x", f"{NEAR}$(eval CTX := prod)\n", "junction"),
    "in a loop": (
        "make x CTX=kind-a",
        "x:\n\t$(foreach CTX,prod,kubectl --context $(CTX) delete namespace shop;)\n",
        "junction",
    ),
    "in a loop over what is not known": (
        "make x CTX=kind-a",
        "x:\n\t$(foreach CTX,$(ALL),kubectl --context $(CTX) delete namespace shop;)\n",
        "junction",
    ),
    "in a loop over what is near": (
        "make x",
        "x:\n\t$(foreach c,kind-a kind-b,kubectl --context $(c) delete namespace shop;)\n",
        "allow",
    ),
    "by an option": ("CTX=prod make -e x", NEAR, "junction"),
    "by an option among others": ("export CTX=prod; make -ke x", NEAR, "junction"),
    "by a long option": ("CTX=prod make --environment-overrides x", NEAR, "junction"),
    "by a variable of make": ("CTX=prod MAKEFLAGS=e make x", NEAR, "junction"),
    "by an option, but not exported": ("CTX=kind-a; make -e x", f"CTX = prod\n{RESET}", "junction"),
    "not by an option": ("CTX=prod make -e x CTX=kind-a", NEAR, "allow"),
    "it is taken away": ("CTX=kind-a make x", f"undefine CTX\nCTX ?= prod\n{RESET}", "junction"),
}  # fmt: skip


@for_each(("command", "text", "effect"), SET_AGAIN.values(), ids=list(SET_AGAIN))
def test_a_variable_that_is_set_again_on_any_way_has_no_known_value(command, text, effect):
    assert judged(command, {"Makefile": text}).effect == effect


DROP = "t:\n\tdropdb shop_test\n"
KUBE = "t:\n\tkubectl --context kind-test delete ns a\n"
LIVE = (
    "apiVersion: v1\nkind: Config\ncurrent-context: kind-test\n"
    "contexts:\n- name: kind-test\n  context: {cluster: p}\n"
    "clusters:\n- name: p\n  cluster: {server: https://prod.example.com}\n"
)
LEADS_AWAY = {
    "in one line": ("make t", f"export PGHOST := db.example.com\n{DROP}"),
    "in a line of its own": ("make t", f"PGHOST = db.example.com\nexport PGHOST\n{DROP}"),
    "of several": ("make t", f"PGHOST = db.example.com\nexport PGUSER PGHOST\n{DROP}"),
    "with a part of another": ("make t", f"D = example.com\nexport PGHOST = db.$(D)\n{DROP}"),
    "all": ("make t", f"export\nPGHOST = db.example.com\n{DROP}"),
    "all by a target": ("make t", f".EXPORT_ALL_VARIABLES:\nPGHOST = db.example.com\n{DROP}"),
    "what a command prints": (
        "make t",
        f"PGHOST = db.example.com\nexport $(shell sed 's/=.*//' .env)\n{DROP}",
    ),
    "for one target": ("make t", f"t: export PGHOST = db.example.com\n{DROP}"),
    "for want of a value": ("make t", f"export PGHOST ?= db.example.com\n{DROP}"),
    "in a branch": ("make t", f"ifdef CI\nexport PGHOST = db.example.com\nendif\n{DROP}"),
    "of the command": ("make t PGHOST=db.example.com", f"export PGHOST := localhost\n{DROP}"),
    "of the command alone": ("make PGHOST=db.example.com t", DROP),
    "for a script": ("make t", "export PGHOST := db.example.com\nt:\n\tsh s.sh\n"),
    "for another makefile": ("make t", "export PGHOST := db.example.com\nt:\n\t$(MAKE) -C d t\n"),
    "of a file that is included": ("make t", f"include env.mk\n{DROP}"),
    "a server of containers": (
        "make t",
        "export DOCKER_HOST := ssh://prod\nt:\n\tdocker compose up -d && docker compose down -v\n",
    ),
    "a file of clusters": ("make t", f"export KUBECONFIG := prod.yaml\n{KUBE}"),
    "an address": (
        "make t",
        "export DATABASE_URL := postgres://db.example.com/a\nt:\n\tRAILS_ENV=test rails db:drop\n",
    ),
}
STAYS = {
    "nothing": ("make t", DROP),
    "this machine": ("make t", f"export PGHOST := localhost\n{DROP}"),
    "what is not exported": ("make t", f"PGHOST = db.example.com\n{DROP}"),
    "what is taken back": (
        "make t",
        f"export PGHOST := db.example.com\nunexport PGHOST\n{DROP}",
    ),
    "for another target": ("make t", f"u: export PGHOST = db.example.com\n{DROP}u:\n\ttrue\n"),
    "of the command": ("make t PGHOST=localhost", f"export PGHOST := db.example.com\n{DROP}"),
    "of the shell": ("PGHOST=localhost make t", f"export PGHOST ?= db.example.com\n{DROP}"),
    "a cluster of this machine": ("make t", KUBE),
    "an address of this machine": (
        "make t",
        "export DATABASE_URL := postgres://localhost/shop_test\nt:\n\trails db:drop RAILS_ENV=test\n",
    ),
}
BESIDE = {
    "s.sh": "dropdb shop_test\n",
    "d/Makefile": DROP,
    "env.mk": "export PGHOST = db.example.com\n",
    "prod.yaml": LIVE,
    "compose.yaml": "services:\n  db:\n    image: postgres:16\n",
}


@for_each(("command", "text"), LEADS_AWAY.values(), ids=list(LEADS_AWAY))
def test_what_a_makefile_exports_leads_a_client_elsewhere(command, text):
    assert judged(command, BESIDE | {"Makefile": text}).effect == "junction"


@for_each(("command", "text"), STAYS.values(), ids=list(STAYS))
def test_what_a_makefile_exports_may_lead_nowhere_else(command, text):
    assert judged(command, BESIDE | {"Makefile": text}).effect == "allow"


FORCES = "D = --force\n"
PUSHES = "D = --dry-run\nt:\n\tgit push $(D)\n"
SEVERAL = {
    "a value of the second": ("make -f A -f B t", PUSHES, FORCES, "junction"),
    "a value of the first": ("make -f A -f B t", FORCES, PUSHES.replace("=", "?=", 1), "junction"),
    "a target of the second": (
        "make -f A -f B t",
        "X = 1\n",
        "t:\n\tgit push --force\n",
        "junction",
    ),
    "a need of the first": ("make -f A -f B", "t: u\n", "u:\n\tgit push --force\n", "junction"),
    "long names": ("make --file=A --makefile=B t", PUSHES, FORCES, "junction"),
    "together": ("make -fA -fB t", PUSHES, FORCES, "junction"),
    "a variable": ("MAKEFILES=B make -f A t", PUSHES.replace("=", "?=", 1), FORCES, "junction"),
    "the other order": ("make -f B -f A t", PUSHES, FORCES, "allow"),
    "the first target": ("make -f A -f B", "t:\n\ttrue\n", "u:\n\tgit push --force\n", "allow"),
    "only one": ("make -f A t", PUSHES, FORCES, "allow"),
}


@for_each(("command", "first", "second", "effect"), SEVERAL.values(), ids=list(SEVERAL))
def test_makefiles_are_read_one_after_the_other(command, first, second, effect):
    assert judged(command, {"A": first, "B": second}).effect == effect


GENERATES = {"gen.py": "import sys\nprint(sys.stdin.read())\n", "cmd": "echo hello\n"}
OPAQUE = {
    "what a program prints": "t:\n\t$(shell python3 gen.py)\n",
    "quietly": "t:\n\t@-$(shell python3 gen.py)\n",
    "in a variable": "C := $(shell python3 gen.py)\nt:\n\t$(C)\n",
    "in a variable that waits": "C = $(shell python3 gen.py)\nt:\n\t${C}\n",
    "in backticks": "t:\n\t`python3 gen.py`\n",
    "of the shell": "t:\n\t$$(python3 gen.py)\n",
    "a file that is not there": "t:\n\t$(shell cat missing)\n",
    "a function of an unknown name": "t:\n\t$(call $(X),a)\n",
    "a function that nothing defines": "t:\n\t$(call reset,a)\n",
    "what it prints and removes": "t:\n\t$(shell rm -f x; python3 gen.py)\n",
}
PLAIN = {
    "a text of a file": "t:\n\t$(shell cat cmd)\n",
    "a folder that is made": "t:\n\t$(shell mkdir -p build)\n",
    "a program by its place": "P := $(shell command -v python3)\nt:\n\t$(P) -V\n",
    "a word of a command": "V := $(shell python3 gen.py)\nt:\n\techo $(V)\n",
    "what is said": "t:\n\t$(info hello)\n",
    "a function that is known": "define say\necho $(1)\nendef\nt:\n\t$(call say,hello)\n",
    "a variable that nothing sets": "t:\n\t$(HOOK)\n",
}


@for_each("text", OPAQUE.values(), ids=list(OPAQUE))
def test_a_recipe_that_is_one_unknown_text_needs_a_person(text):
    files = GENERATES | {"Makefile": text}
    assert judged("make t", files, committed=tuple(files)).effect == "junction"
    assert judged("make t", files).effect == "junction"


@for_each("text", PLAIN.values(), ids=list(PLAIN))
def test_a_recipe_whose_text_is_known_or_nothing_needs_nobody(text):
    files = GENERATES | {"Makefile": text}
    assert judged("make t", files, committed=tuple(files)).effect == "allow"


@for_each("text", ["V := %s\nt:\n\ttrue\n", "t:\n\techo %s\n"])
def test_a_program_with_parentheses_within_others_is_read(text):
    code = "import shutil; print(len(str(shutil.rmtree('/srv'))))"
    given = {"Makefile": text % f'$(shell python3 -c "{code}")'}
    assert judged("make t", given, committed=tuple(given)).effect == "block"


def test_rules_that_a_function_makes_are_rules():
    head = "define T\n$(1):\n\tgit push $(2)\nendef\n"
    one = f"{head}$(eval $(call T,t,--force))\n"
    many = f"{head}$(foreach n,s t,$(eval $(call T,$(n),--force)))\n"
    for text in (one, many):
        assert judged("make t", {"Makefile": text}).effect == "junction"
        harmless = text.replace("--force", "--dry-run")
        assert judged("make t", {"Makefile": harmless}).effect == "allow"


def test_a_file_is_the_same_for_each_of_its_targets():
    text = "x: X = 1\nx: X != date\nx y:\n\techo $(X)\nx: .DEFAULT_GOAL :=\n"
    alone = texts(text, "y")
    texts(text, "x")
    assert texts(text, "y") == alone


def test_includes_are_read_on_from_part_to_part():
    reader = Includes()
    assert reader.read_on("A := a\ndefine X\nfoo") == []
    assert reader.read_on("include no.mk\nendef\ninclude $(A).mk") == ["a.mk"]
    assert reader.read_on("ifdef B\n  include b.mk \\\n    c.mk\nendif") == ["b.mk", "c.mk"]


FUNCTIONS = """define run
$(1)
endef
define newline


endef
comma := ,
space := $(newline:x=) $(comma:,=)
wipe = rm -rf $(1)
deep = $(call wipe,$(1)/photos)
one-line = $(subst $(newline),,$1)
define code
case a of
	{ok, _} -> halt();
	_ -> halt(1)
end
endef
self = $(call self,$1)$(call self,$1)
"""


@for_each(
    ("recipe", "expected"),
    [
        ("$(call run,rm -rf ~/photos)", "rm -rf ~/photos"),
        ("${call wipe,~/photos}", "rm -rf ~/photos"),
        ("$(call deep,~)", "rm -rf ~/photos"),
        ("$(call run,(cd / && rm -rf ~/photos))", "(cd / && rm -rf ~/photos)"),
        ("$(call run,$(call run,rm -rf ~))", "rm -rf ~"),
        ("$(call run, rm -rf $$HOME/a)", "rm -rf $HOME/a"),
        ("$(call run,sh -c 'a; b)')", "sh -c 'a; b')"),
        ("$(strip  rm   -rf ~)", "rm -rf ~"),
        ("$(subst x,,rxm -rf ~x,a)", "rm -rf ~,a"),
        ("$(subst $(comma), ,rm,-rf,~)", "rm -rf ~"),
        ("$(foreach x,a b,$(call wipe,~/$(x));)", "rm -rf ~/a; rm -rf ~/b;"),
        (
            "erl -eval '$(call one-line,$(call code))'",
            "erl -eval 'case a of\t{ok, _} -> halt();\t_ -> halt(1)end'",
        ),
        ("$(call self,a)", HOLE),
        ("$(call unknown,rm -rf ~)", HOLE),
        ("$(call $(N),rm -rf ~)", HOLE),
        ("$(subst $(N),,rm -rf ~)", HOLE),
    ],
)
def test_functions_are_worked_out(recipe, expected):
    (text,) = texts(f"{FUNCTIONS}x:\n\t{recipe}\n", "x")
    assert (HOLE if text and not text.strip(HOLE) else text) == expected
