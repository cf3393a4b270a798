"""Addresses in variables and files of settings: which are on another machine."""

from __future__ import annotations

from tests.tables import for_each

from operators_edge.shell.code import addresses
from operators_edge.shell.code.addresses import variables_in


@for_each(
    ("text", "variables"),
    [
        ("A=b", {"A": "b"}),
        ("export A = b # c", {"A": "b"}),
        ("A='b # c'", {"A": "b # c"}),
        ('A="b" # c', {"A": "b"}),
        ("A=\nB=c", {"A": "", "B": "c"}),
        ("# A=b\n", {}),
        ("A: b", {}),
    ],
)
def test_a_file_of_variables_has_a_name_and_a_value_per_line(text, variables):
    assert dict(variables_in(text)) == variables


def test_compose_reads_a_colon_as_well():
    text = "A: postgres://db/x\nB='c'\n"
    assert dict(variables_in(text, is_of_compose=True)) == {"A": "postgres://db/x", "B": "c"}


@for_each("host", ["localhost", "a.localhost", "127.0.0.1", "::1", "db", "shop.test", "172.17.0.1"])
def test_a_container_beside_the_program_is_here(host):
    assert addresses.is_here(host)


@for_each("host", ["db.example.com", "10.0.0.1", "localhost.example.com"])
def test_a_host_with_a_domain_is_elsewhere(host):
    assert not addresses.is_here(host)


@for_each(
    ("text", "host"),
    [
        ("db.example.com", "db.example.com"),
        ("db.example.com:5432", "db.example.com"),
        ("ann:word@db.example.com:5432", "db.example.com"),
        ("[2001:db8::1]:5432", "[2001:db8::1]"),
        ("k1.example.com:9092,k2.example.com:9092", "k1.example.com"),
        ("k1.example.com, k2.example.com", "k1.example.com"),
        ("postgres://ann:word@db.example.com/shop", "db.example.com"),
        ("amqp://db.example.com,other.example.com", "db.example.com"),
    ],
)
def test_a_host_is_read_from_a_value_however_it_is_written(text, host):
    assert addresses.host_of(text, "HOST") == host
    assert addresses.is_elsewhere(text, "HOST")


@for_each(
    "text",
    ["localhost:9092,kafka:9092", "[::1]:5432", "db:5432", "data/a.db", "ann@example.com", "a b.c"],
)
def test_what_is_here_or_no_host_is_not_elsewhere(text):
    assert not addresses.is_elsewhere(text, "HOST")


def test_one_host_of_a_list_is_enough():
    assert addresses.is_elsewhere("localhost:9092,k2.example.com:9092", "KAFKA_BROKERS")


def test_a_value_whose_name_names_no_host_is_not_one():
    assert addresses.host_of("db.example.com", "COLOUR") == ""
    assert not addresses.is_elsewhere("db.example.com", "COLOUR")
