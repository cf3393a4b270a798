"""Each format is read by the module that the table names, and by that one alone."""

import subprocess
import sys

from tests.tables import for_each

from operators_edge.gate.disk import file_readers, recipe_formats
from operators_edge.gate.disk.recipe_types import Wanted
from operators_edge.gate.rules import load


@for_each("kind", recipe_formats.FORMATS)
def test_an_empty_file_is_read(kind):
    assert isinstance(recipe_formats.recipes(kind, "", Wanted(("x",))), list)
    assert isinstance(recipe_formats.includes(kind, ""), list)
    assert isinstance(recipe_formats.needs(kind, "", ("x",)), list)


def test_the_packs_name_formats_of_the_table():
    named = {one["recipes"] for _, one in load().programs.items() if "recipes" in one}
    assert named <= recipe_formats.FORMATS.keys() | file_readers.KINDS


def test_a_makefile_loads_no_other_format():
    code = (
        "import sys; from operators_edge.gate.disk import recipe_formats, recipe_types as types;"
        "recipe_formats.recipes('make', 'a:', types.Wanted());"
        "print([one for one in sys.modules if one.endswith(('taskfiles', 'hcl_files', 'typing'))])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"
