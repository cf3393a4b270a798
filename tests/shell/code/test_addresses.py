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
