"""Which files hold secrets, by their paths."""

from __future__ import annotations

from tests.gate.example_project import ROOT, RULES, Machine, judge
from tests.tables import for_each

from operators_edge.gate.prefilter import is_suspicious
from operators_edge.gate.secret_files import is_credentials, is_env_file

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
    "/proc/1234/mem",
    "/home/ann/.kaggle/kaggle.json",
    "/home/ann/.cache/huggingface/token",
    "/home/ann/.authinfo",
    "/home/ann/.gradle/gradle.properties",
    "/home/ann/.config/configstore/firebase-tools.json",
    "/home/ann/.ethereum/keystore/UTC--2020",
    "/etc/krb5.keytab",
    "/srv/ansible/vault_pass.txt",
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
    "/proc/1234/maps",
    "/home/ann/shop/gradle.properties",
    "/home/ann/shop/docs/vault.md",
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
    assert is_env_file("/x/config/production.env")
    assert not is_env_file("/x/helm/templates/secret.yaml")


@for_each("path", [*HOLDS, "/x/.env", "/x/.dev.vars", "/x/prod.env", "/x/infra/a.tfvars"])
def test_what_prints_such_a_file_is_parsed(path):
    """Each row of the tables names a word of its paths, or the prefilter would not see them."""
    assert is_suspicious(f"cat {path}", RULES.words)


SECRETS = [
    'db_password = "x"',
    'a = "Zm9vYmFyYmF6cXV4Zm9vYg"',
    'db = "postgres://a:b@db/x"',
    "x {}",
]


@for_each("command", ["cat infra/prod.tfvars", "head -n 3 infra/prod.tfvars", "make -C infra show"])
def test_variables_of_terraform_are_secret_by_what_they_hold(command):
    plain = 'region = "eu-central-1"  # where\nreplicas = 6\nzones = ["a", "b"]\n'
    recipe = {f"{ROOT}/infra/Makefile": "F := prod.tfvars\nshow:\n\t@echo $(F)\n\tcat $(F)\n"}

    def effect(text, line=command):
        return judge(line, Machine({f"{ROOT}/infra/prod.tfvars": text, **recipe})).effect

    assert effect(plain) == "allow"
    assert [effect(f"{plain}{one}\n") for one in SECRETS] == ["junction"] * len(SECRETS)
    assert effect(plain, "ssh db1 cat infra/prod.tfvars") != "allow"
    assert effect(plain, f"cp ../x infra/prod.tfvars; {command}") != "allow"
    assert effect(plain, "cat infra/.env") != "allow"
