"""What a recipe of a justfile runs."""

from operators_edge.gate.justfiles import just, just_imports
from operators_edge.gate.recipe_types import Wanted
from operators_edge.shell.commands import HOLE


def texts(text, *targets):
    return [one.text for one in just(text, Wanted(targets))]


def test_a_dependency_of_a_justfile_is_given_its_words():
    text = (
        "out := justfile_directory() / 'data'\n\n[private]\nempty dir mode='-rf':\n"
        '    rm {{mode}} "{{dir}}"\n\nfresh: (empty out) build\n    echo {{ out + "x" }}\n\n'
        "build:\n    true\n"
    )
    assert texts(text, "fresh") == ["echo ./datax", 'rm -rf "./data"', "true"]
    assert texts(text, "empty", "a b") == ['rm -rf "a b"']
    assert texts(text, "empty") == [f'rm -rf "{HOLE}"']


def test_a_justfile_puts_in_what_is_known():
    text = "a := 'x'\nb := `date`\ngo: other\n  echo {{a}} {{b}} {{c}}\nother:\n  true\n"
    assert texts(text, "go") == [f"echo x {HOLE} {HOLE}", "true"]


def test_a_justfile_names_the_files_that_it_imports_or_has_as_modules():
    text = "import 'a.just'\nimport? \"b.just\"\nmod c 'c/mod.just'\nmod d\n"
    assert [one.path for one in just_imports(text)] == ["a.just", "b.just", "c/mod.just"]
