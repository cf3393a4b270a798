"""Which folders are temporary, a home or the system's."""

from __future__ import annotations

from tests.gate.example_project import PLACE, Machine
from tests.tables import for_each

from operators_edge.gate.paths import CallContext
from operators_edge.model import Call


def test_a_home_in_a_temporary_folder_is_not_temporary_and_what_is_beside_it_is():
    place = PLACE._replace(root="/tmp/home/shop", home="/tmp/home")
    context = CallContext(Call("Bash", {}, "/tmp/home/shop"), place, Machine())
    assert context.is_outside("/tmp/home/lab/results.csv")
    assert not context.is_regenerable("/tmp/home/lab/results.csv")
    assert not context.is_outside("/tmp/build/x")
    assert context.is_regenerable("/tmp/build/x")


def test_a_home_that_is_the_temporary_folder_stays_one():
    place = PLACE._replace(root="/srv/shop", home="/tmp")
    assert CallContext(Call("Bash", {}, "/srv/shop"), place, Machine()).is_regenerable("/tmp/x")


@for_each(
    ("home", "path", "is_system"),
    [
        ("/opt/ci/home", "/opt/ci/home/notes.txt", False),
        ("/opt/ci/home", "/opt/ci/tool", True),
        ("/usr/local", "/usr/local/notes.txt", True),
        ("/", "/etc/hosts", True),
    ],
)
def test_a_home_in_a_folder_of_the_system_is_the_person_s(home, path, is_system):
    place = PLACE._replace(root="/srv/shop", home=home)
    context = CallContext(Call("Bash", {}, "/srv/shop"), place, Machine())
    assert context.is_system(path) == is_system
