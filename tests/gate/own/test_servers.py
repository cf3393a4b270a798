"""Servers that a line starts: what reaches one of them alone."""

from __future__ import annotations

from tests.gate.own.test_line_words import place_of, read
from tests.tables import for_each

from operators_edge.gate.own import servers


@for_each(
    ("text", "is_own"),
    [
        ("kind create cluster && kubectl delete pod x", True),
        ("minikube start -p ci-1 && kubectl --context ci-1 delete pod x", True),
        ("kind create cluster; kubectl delete pod x", False),
        ("kind create cluster && kubectl --kubeconfig f delete pod x", False),
        ("kind create cluster && kubectl config use-context a && kubectl delete pod x", False),
        ("minikube start -p ci-1 && kubectl --context prod delete pod x", False),
        ("kubectl delete pod x", False),
    ],
)
def test_a_command_reaches_the_cluster_that_the_line_has_made(text, is_own):
    line = read(text)
    assert servers.is_in_cluster(line, place_of(line, "kubectl")) == is_own


@for_each(
    ("text", "is_own"),
    [
        ("createdb a && psql -d a -c 'drop table b'", True),
        ("createdb a; psql -d a -c 'drop table b'", False),
        ("createdb a && psql -d c -c 'drop table b'", False),
        ("createdb -h db1 a && psql -h db2 -d a -c 'drop table b'", False),
        ("psql -d shop_test -c 'drop table b'", False),
    ],
)
def test_a_client_works_in_a_database_that_the_line_has_made(text, is_own):
    line = read(text)
    assert bool(servers.lost_with_database(line, place_of(line, "psql"))) == is_own


@for_each(
    ("text", "is_own"),
    [
        ("docker run --rm debian:12 rm -rf /usr/share/doc", True),
        ("docker run -d --name a debian:12 && docker exec a rm -rf /usr", True),
        ("docker run --rm -v /srv:/srv debian:12 rm -rf /srv", False),
        ("docker exec a rm -rf /usr", False),
        ("rm -rf /usr", False),
    ],
)
def test_a_command_runs_in_a_container_of_the_line_with_nothing_of_the_machine(text, is_own):
    line = read(text)
    assert (servers.container_of(line, place_of(line, "rm")) is not None) == is_own


@for_each(
    ("text", "is_own"),
    [
        (
            "docker run -d -p 5499:5432 postgres && psql -h localhost -p 5499 -c 'drop table b'",
            True,
        ),
        ("docker run -d -p 5499:5432 postgres; psql -h localhost -p 5499 -c 'drop table b'", False),
        ("docker run -d -p 5499:5432 postgres && psql -h localhost -c 'drop table b'", False),
        (
            "docker run -d -p 5499:5432 postgres && ssh -fNL 5499:db:5432 h && psql -h localhost -p 5499",
            False,
        ),
    ],
)
def test_a_client_reaches_a_container_of_the_line_by_its_port(text, is_own):
    line = read(text)
    assert servers.is_at_port(line, place_of(line, "psql")) == is_own


def test_a_file_that_is_fed_to_a_command_is_read():
    line = read("cat x.sql | psql", {"/home/ann/shop/x.sql": "drop table b;\n"})
    line.context.note_files(line.script)
    assert servers.texts_fed(line, place_of(line, "psql")) == "drop table b;\n"
    assert servers.texts_fed(read("psql"), 0) == ""


@for_each(
    ("text", "is_local"),
    [
        ("psql -d a", True),
        ("psql -h localhost -d a", True),
        ("psql -h db.example.com -d a", False),
        ("PGHOST=db.example.com psql -d a", False),
    ],
)
def test_a_client_reaches_this_machine_if_nothing_leads_it_elsewhere(text, is_local):
    inv = read(text).invs[0]
    assert servers.is_local_server(inv, servers.server_of(inv)) == is_local
