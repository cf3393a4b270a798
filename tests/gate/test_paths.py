"""Which folders are temporary, a home or the system's."""

from __future__ import annotations

from tests.gate.example_project import PLACE, ROOT, RULES, Machine, judge
from tests.tables import for_each

from operators_edge.gate.decide import assess
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


@for_each(
    ("line", "asks"),
    [
        ("export HOME=/tmp/lint-$$; echo x > ~/.ssh/config", False),
        ("H=${TMPDIR:-/tmp}/lint-$$; rm -f $H/.bashrc; echo x > $H/.bashrc", False),
        ("H=$(mktemp -d); echo x > $H/.bashrc", False),
        ("H=/tmp/lint; echo x > $H/.bashrc", True),
        ("H=/tmp/lint-$$; echo x > $H/../../home/ann/.bashrc", True),
        ("H=~/lint-$$; echo x > $H/.bashrc", True),
        ("H=/tmp/lint-$$; ln -s ~ $H; echo x > $H/.bashrc", True),
    ],
)
def test_start_up_files_in_a_home_that_the_line_has_made_are_nobody_s(line, asks):
    assert (judge(line).effect != "allow") == asks


@for_each(
    ("line", "asks"),
    [
        ("cp a.pub tests/data/.ssh/authorized_keys", False),
        ("ssh-keygen -q -t ed25519 -N '' -f test/.ssh/id_ci", False),
        ("echo x >> fixtures/home/.bashrc", False),
        ("cp a.pub .ssh/authorized_keys", True),
        ("cp a.pub dotfiles/.ssh/authorized_keys", True),
        ("cp a.pub test/../.ssh/authorized_keys", True),
        ("cp a.pub /home/tests/.ssh/authorized_keys", True),
        ("ssh-keygen -t ed25519 -N '' -f /home/test/.ssh/id_ci", True),
        ("ln -s ~/.ssh tests/.ssh; cp a.pub tests/.ssh/authorized_keys", True),
        ("ln -s ~ tests/home; echo x >> tests/home/.bashrc", True),
    ],
)
def test_start_up_files_and_keys_in_a_home_for_the_project_s_tests_are_nobody_s(line, asks):
    assert (judge(line, Machine()).effect != "allow") == asks


def test_tests_in_a_home_that_is_the_project_have_the_person_s_keys():
    place = PLACE._replace(root="/home/ann", home="/home/ann")
    context = CallContext(Call("Bash", {}, "/home/ann"), place, Machine())
    assert context.is_startup_or_key("/home/ann/tests/.ssh/id_rsa")


@for_each(
    ("command", "expected"),
    [
        ("rm -rf /tmp/build/*", "allow"),
        ("rm -rf /tmp/build/run-?", "allow"),
        ("rm -rf /tmp/build/[a-c]* /tmp/build/.[!.]*", "allow"),
        ("rm -rf /tmp/build/[!a]*", "junction"),
        ("rm -rf /tmp/build/.[.]*", "junction"),
        ("rm -rf /tmp/build/[a-c]*/x", "junction"),
        ("shopt -s extglob; rm -rf /tmp/build/@(a|b)/x", "junction"),
        ("shopt -s extglob; rm -rf /tmp/build/!(a)/", "junction"),
        ("rm -rf /tmp/build/.*", "junction"),
        # In the project they are kept first, also where git ignores the folder: then nobody is asked.
        ("rm -rf build", "allow"),
        ("rm -rf build/*", "junction"),
        ("rm -rf src/*", "junction"),
        ("rm -rf /tmp/*", "junction"),
        # Names that are links, to what is elsewhere.
        ("rm -rf /tmp/build/*/", "junction"),
        ("rm -rf /tmp/build/*/x", "junction"),
        ("rm -rf /tmp/build/**", "junction"),
        ("ln -s ~/docs /tmp/build && rm -rf /tmp/build/*", "junction"),
        ("mv src/* /tmp/build/ && rm -rf /tmp/build/*", "junction"),
        ("git mv src /tmp/build; rm -rf /tmp/build/*", "junction"),
        ("git worktree move ../wt /tmp/build/wt && rm -rf /tmp/build/*", "junction"),
        ("git worktree move ../wt /tmp/wt && rm -rf /tmp/wt", "junction"),
        ("git worktree list && rm -rf /tmp/wt", "allow"),
    ],
)
def test_the_names_in_a_temporary_folder_are_as_it_is(command, expected):
    call, machine = Call("Bash", {"command": command}, ROOT), Machine(ignored=(f"{ROOT}/build",))
    assert assess(call, PLACE, machine, RULES.with_profile("contextual")).effect == expected


@for_each(
    ("line", "asks"),
    [
        ('d=$(mktemp -d); tar xf pkg.tgz -C "$d"; mv "$d/pkg-2.1" "$d/pkg"; rm -rf "$d"', False),
        ('d=$(mktemp -d); mv "$d/out/tool" ./tool; rm -rf "$d"', False),
        ("mkdir -p /tmp/kit && ln -sf /tmp/kit/bin/k /tmp/kit/k && rm -rf /tmp/kit", False),
        ("mv a.txt b.txt; rm -rf /tmp/kit", False),
        ('d=$(mktemp -d); mv src "$d/src"; rm -rf "$d"', True),
        ("mv src /tmp/a; mv /tmp/a /tmp/b; rm -rf /tmp/b", True),
        ("mv /tmp/a /tmp/b; mv src /tmp/a; mv /tmp/a /tmp/b; rm -rf /tmp/b", True),
        ("mv src $D; mv /tmp/a /tmp/b; rm -rf /tmp/b", True),
        ("mv /tmp/$X /tmp/b; rm -rf /tmp/b", True),
        ("mv -t /tmp/b /tmp/a src; rm -rf /tmp/b", True),
        ("ls | xargs mv -t /tmp/a; mv /tmp/a /tmp/b; rm -rf /tmp/b", True),
        ("ln -s ~ /tmp/a; mv /tmp/a/docs /tmp/b; rm -rf /tmp/b", True),
        ("mv /tmp/*/docs /tmp/b; rm -rf /tmp/b", True),
        ("ln -s ../home/ann /tmp/a; rm -rf /tmp/a/", True),
    ],
)
def test_what_is_moved_from_one_temporary_name_to_another_stays_temporary(line, asks):
    call = Call("Bash", {"command": line}, PLACE.root)
    verdict = assess(call, PLACE, Machine(), RULES.with_profile("contextual"))
    assert (verdict.effect != "allow") == asks
