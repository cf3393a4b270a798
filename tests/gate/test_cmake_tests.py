"""What the tests of a CMakeLists.txt run."""

from __future__ import annotations

from tests.gate.test_follow import WIPE, judged
from tests.tables import for_each

from operators_edge.gate.cmake_tests import cmake_tests
from operators_edge.gate.recipe_types import Wanted
from operators_edge.shell.commands import HOLE

TESTS = """
enable_testing()
add_test(NAME a  # one
  COMMAND ${CMAKE_COMMAND} -E rm "${CMAKE_SOURCE_DIR}/x y" WORKING_DIRECTORY sub)
add_test(b sh ${CMAKE_CURRENT_SOURCE_DIR}/t.sh $<TARGET_FILE:b>)
# add_test(NAME c COMMAND rm d)
"""


def test_each_test_is_a_command():
    assert [one.text for one in cmake_tests(TESTS, Wanted())] == [
        "cd sub && cmake -E rm './x y'",
        f"sh ./t.sh '{HOLE}'",
    ]


@for_each(
    ("command", "text", "effect"),
    [
        ("ctest", f"add_test(NAME a COMMAND {WIPE})", "junction"),
        ("ctest --test-dir build", f"add_test(a {WIPE})", "junction"),
        ("cd build && ctest", f"add_test(a cmake -E {WIPE})", "junction"),
        ("ctest", f"add_test(NAME a COMMAND echo {WIPE})", "allow"),
        ("ctest", "add_test(NAME a COMMAND unit)", "allow"),
        ("ctest -N", f"add_test(NAME a COMMAND {WIPE})", "allow"),
    ],
)
def test_ctest_runs_the_tests_of_the_project(command, text, effect):
    files = {"CMakeLists.txt": text}
    assert judged(command, files, committed=files).effect == effect
