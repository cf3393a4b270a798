"""What functions of make give is known if what they are given is."""

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

from operators_edge.gate.disk.make_functions import of_words


@for_each(
    "recipe",
    [
        "$(strip git push --force)",
        "$(subst @,u,git p@sh --force)",
        "$(patsubst %x,%h,git pusx --force)",
        "$(if y,git push --force,true)",
        "$(if $(FORCE),git push --force)",
        "$(or $(X),git push --force)",
        "$(join g,it) push --force",
        "$(addprefix gi,t) push --force",
        "$(lastword a git) push --force",
        "$(word 2,a git) push --force",
        "$(filter-out a,a git) push --force",
        "$(notdir /usr/bin/git) push --force",
        "$(call P,--force)",
        "$(call $(N),--force)",
    ],
)
def test_functions_of_make_give_what_they_give(recipe):
    head = "define P\ngit push $(1)\nendef\nN = P\n"
    assert judged("make t", {"Makefile": f"{head}t:\n\t{recipe}\n"}).effect == "junction"
    harmless = recipe.replace("--force", "--dry-run")
    assert judged("make t", {"Makefile": f"{head}t:\n\t{harmless}\n"}).effect == "allow"


@for_each(
    ("function", "given", "wanted"),
    [
        ("patsubst", ["%.c", "%.o", "a.c b.h"], "a.o b.h"),
        ("filter", ["%.c b", "a.c b d"], "a.c b"),
        ("dir", ["a/b c"], "a/ ./"),
        ("basename", ["a/b.c d"], "a/b d"),
        ("sort", ["b a b"], "a b"),
        ("firstword", ["a b"], "a"),
        ("word", ["x", "a b"], "a b"),
    ],
)
def test_functions_work_on_each_word(function, given, wanted):
    assert of_words(function, given) == wanted
