import pytest

from operators_edge.system import machine


def write(root, name, text):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        (".dockerenv", "", "a Docker container"),
        ("run/.containerenv", "", "a Podman container"),
        ("proc/1/cgroup", "0::/kubepods/pod1\n", "a Kubernetes container"),
        ("proc/1/cgroup", "1:name=systemd:/lxc/web\n", "an LXC container"),
        ("proc/1/cgroup", "0::/init.scope\n", "this machine, no container"),
    ],
)
def test_a_container_is_known_by_its_files(tmp_path, file, text, expected):
    write(tmp_path, file, text)
    write(tmp_path, "etc/os-release", 'ID=debian\nPRETTY_NAME="Debian GNU/Linux 12"\n')
    assert machine.describe(str(tmp_path)).text == f"{expected}, Debian GNU/Linux 12"


def test_two_machines_have_two_names(tmp_path):
    for name in ("one", "two"):
        write(tmp_path / name, "etc/hostname", f"{name}\n")
    one, two = (machine.describe(str(tmp_path / name)) for name in ("one", "two"))
    assert one.name != two.name
    assert one.text == two.text == "this machine, no container"
