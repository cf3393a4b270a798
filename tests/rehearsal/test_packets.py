"""What packets, name servers and tables of mounts say."""

import struct

import pytest

from operators_edge.rehearsal.mounts import Mounts, is_below
from operators_edge.rehearsal.packets import Names, Packet, answered, packet, reached


def four(kind, flags=2, target=(192, 0, 2, 1), port=443):
    head = bytes([0x45, 0, 0, 40, 0, 0, 0, 0, 64, kind, 0, 0, 10, 0, 0, 1, *target])
    return head + struct.pack("!HH", 5000, port) + bytes(9) + bytes([flags]) + bytes(6)


def six(kind, flags=2):
    head = bytes([0x60, 0, 0, 0, 0, 20, kind, 64]) + bytes(15) + b"\1" + b"\x20\1" + bytes(14)
    return head + struct.pack("!HH", 5000, 80) + bytes(9) + bytes([flags]) + bytes(6)


def question(name, kind=1, flags=0x0100, count=1):
    parts = b"".join(bytes([len(each)]) + each.encode() for each in name.split("."))
    return (
        struct.pack("!HHHHHH", 7, flags, count, 0, 0, 0)
        + parts
        + b"\0"
        + struct.pack("!HH", kind, 1)
    )


def test_the_first_packet_of_a_connection_names_whom_it_is_for():
    assert packet(four(6)) == Packet(("10.0.0.1", 5000), ("192.0.2.1", 443))
    assert packet(four(17)) == Packet(("10.0.0.1", 5000), ("192.0.2.1", 443), is_udp=True)
    assert packet(four(6, flags=0x12)).is_answer
    assert packet(six(6)).target == ("2001::", 80)


@pytest.mark.parametrize(
    "data", [b"", b"\x45", four(6, flags=0x10), four(1), four(6)[:22], b"\x60" + bytes(10)]
)
def test_any_other_packet_says_nothing(data):
    assert packet(data) is None


def test_every_name_has_an_address_of_its_own():
    names = Names()
    said = answered(question("A.example.org"), names)
    assert said[-4:] == bytes([198, 18, 0, 1])
    assert answered(question("b.example.org"), names)[-4:] == bytes([198, 18, 0, 2])
    assert answered(question("a.example.org"), names)[-4:] == bytes([198, 18, 0, 1])
    assert names.name("198.18.0.2") == "b.example.org"


def test_a_name_has_no_other_kind_of_address_but_exists():
    said = answered(question("a.example.org", kind=28), Names())
    assert said[2:4] == b"\x81\x80"
    assert said[6:8] == b"\0\0"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0" * 12,
        question("a.b", flags=0x8100),
        question("a.b", count=2),
        question("a")[:-3],
        bytes(12) + b"\xc0\x0c",
    ],
)
def test_what_is_no_question_gets_no_answer(data):
    assert answered(data, Names()) is None or data == b"\0" * 12


def test_hosts_are_named_once_by_name_and_port():
    names = Names()
    address = names.address("a.example.org")
    names.address("only.example.org")
    here = ("", 0)
    seen = [
        Packet(here, (address, 443)),
        Packet(here, ("192.0.2.1", 80)),
        Packet(here, ("2001:db8::1", 80)),
        Packet(here, ("192.0.2.1", 53), is_udp=True),
        Packet(here, ("127.0.0.1", 5432)),
        Packet(here, ("127.0.0.1", 8000)),
        Packet(("127.0.0.1", 8000), here, is_answer=True),
        Packet(here, ("127.0.0.1", 53)),
        Packet(here, ("127.0.0.1", 9), is_udp=True),
    ]
    assert reached(seen, names) == [
        "a.example.org:443",
        "192.0.2.1:80",
        "[2001:db8::1]:80",
        "192.0.2.1:53 (udp)",
        "127.0.0.1:5432",
        "only.example.org",
    ]


def test_more_names_than_addresses_share_one(monkeypatch):
    monkeypatch.setattr("operators_edge.rehearsal.packets._MAX_NAMES", 1)
    names = Names()
    assert names.address("a") == "198.18.0.1"
    assert names.address("b") == "198.18.0.0"


MOUNTS = Mounts(
    "1 0 8:1 / / rw - ext4 x rw\n"
    "2 1 0:2 / /mnt/my\\040disk ro,nosuid - ext4 y ro\n"
    "3 1 0:3 / /home rw - ext4 z rw\n"
)


def test_a_folder_in_which_something_is_mounted_is_known():
    assert [MOUNTS.has_below(each) for each in ("/", "/mnt", "/mnt/my disk", "/home")] == [
        True,
        True,
        False,
        False,
    ]


def test_what_is_mounted_read_only_is_so_in_every_folder_of_it():
    assert [MOUNTS.is_read_only(each) for each in ("/mnt/my disk/a", "/mnt", "/home/u")] == [
        True,
        False,
        False,
    ]
    assert not Mounts("").is_read_only("/x")


def test_a_folder_is_below_itself_and_those_above():
    assert is_below("/run/x", ["/run"])
    assert is_below("/x", ["/"])
    assert not is_below("/runner", ["/run"])
