"""A pack that was cut, changed or lost is noticed, wherever it was cut."""

from __future__ import annotations

import os

import pytest
from tests.tables import for_each

from operators_edge.errors import PackError
from operators_edge.gate import pack_files, rules
from operators_edge.system.installation import Recorded

NAMES = sorted(name for name in os.listdir(rules.PACKS) if name.endswith(".toml"))
WHOLE = pack_files.read(rules.PACKS, NAMES)
RECORDED = {f"gate/packs/{name}": Recorded.of(data) for name, data in WHOLE.items()}


def test_the_packs_that_are_shipped_are_listed_and_whole():
    assert tuple(NAMES) == pack_files.SHIPPED
    pack_files.require_whole(WHOLE, {})
    pack_files.require_whole(WHOLE, RECORDED)


def borders(data):
    """Every place at which a rule or another table begins, and every line's end in the last part."""
    at = data.find(b"\n[")
    while at >= 0:
        yield at + 1
        at = data.find(b"\n[", at + 1)
    yield len(data) - 1
    yield 0


@for_each("name", NAMES)
def test_a_pack_cut_at_any_border_loosens_nothing(name):
    cuts = list(borders(WHOLE[name]))
    assert len(cuts) >= 3
    for at in cuts:
        with pytest.raises(PackError, match=f"damaged: {name} is cut off"):
            pack_files.require_whole({**WHOLE, name: WHOLE[name][:at]}, {})


@for_each("name", NAMES)
def test_a_missing_pack_is_an_error(name):
    left = {each: data for each, data in WHOLE.items() if each != name}
    with pytest.raises(PackError, match=f"{name} is missing"):
        pack_files.require_whole(left, {})


def test_an_installed_pack_that_differs_from_what_was_installed_is_an_error():
    with pytest.raises(PackError, match=r"git\.toml is changed") as raised:
        pack_files.require_whole(
            {**WHOLE, "git.toml": WHOLE["git.toml"].replace(b"block", b"allow", 1)}, RECORDED
        )
    assert "reinstall" in raised.value.hint
    with pytest.raises(PackError, match=r"more\.toml is changed"):
        pack_files.require_whole({**WHOLE, "more.toml": b"# end of pack\n"}, RECORDED)


def test_a_pack_that_cannot_be_read_is_an_error(tmp_path):
    with pytest.raises(PackError, match=r"git\.toml: cannot be read"):
        pack_files.read(str(tmp_path), ["git.toml"])


def test_one_pack_is_read_without_the_others_and_as_in_all_of_them():
    assert rules.read_pack("git.toml") == rules.read_packs()["git.toml"]
    assert rules.read_pack("none.toml") == {}


def test_one_pack_that_is_expected_has_to_be_whole():
    one = {"git.toml": WHOLE["git.toml"]}
    pack_files.require_whole(one, RECORDED, expected=["git.toml"])
    with pytest.raises(PackError, match="cut off"):
        pack_files.require_whole({"git.toml": b"[[rule]]\n"}, {}, expected=["git.toml"])
