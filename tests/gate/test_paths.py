"""Which files hold credentials."""

from __future__ import annotations

from tests.gate.example_project import PLACE, Machine
from tests.tables import for_each

from operators_edge.gate.paths import CallContext, is_credentials, is_env_file
from operators_edge.model import Call

HOLDS = [
    "/home/ann/.ssh/id_rsa",
    "/home/ann/.ssh/id_ed25519",
    "/home/ann/.ssh/work_key",
    "/srv/keys/id_ecdsa",
    "/home/ann/shop/certs/server.key",
    "/home/ann/shop/private.pem",
    "/home/ann/.aws/credentials",
    "/home/ann/.netrc",
    "/home/ann/.config/gh/hosts.yml",
    "/home/ann/.kube/config",
    "/home/ann/.docker/config.json",
    "/home/ann/.git-credentials",
    "/proc/1234/environ",
    "/proc/self/environ",
]
HOLDS_NOT = [
    "/home/ann/.ssh/config",
    "/home/ann/.ssh/known_hosts",
    "/home/ann/.ssh/id_rsa.pub",
    "/home/ann/.ssh",
    "/home/ann/.aws/config",
    "/home/ann/.config/gh/config.yml",
    "/home/ann/shop/certs/cert.pem",
    "/home/ann/shop/certs/fullchain.pem",
    "/home/ann/shop/public.pem",
    "/home/ann/shop/src/keys.py",
    "/home/ann/shop/i18n/en.key",
    "/home/ann/shop/tests/fixtures/server.key",
    "/etc/passwd",
    "/proc/cpuinfo",
]


@for_each("path", HOLDS)
def test_keys_and_credential_stores_are_recognised(path):
    assert is_credentials(path)


@for_each("path", HOLDS_NOT)
def test_similar_file_names_are_not_credentials(path):
    assert not is_credentials(path)


def test_a_settings_file_with_values_is_distinguished_from_one_with_names():
    assert is_env_file("/x/.env")
    assert is_env_file("/x/.env.production")
    assert is_env_file("/x/.envrc")
    assert not is_env_file("/x/.env.example")
    assert not is_env_file("/x/.env.local.sample")
    assert not is_env_file("/x/environment.ts")


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
