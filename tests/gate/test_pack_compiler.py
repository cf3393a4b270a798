"""Packs compiled at once, and added to others."""

import pytest

from operators_edge.errors import PackError
from operators_edge.gate.pack_compiler import CompiledPacks, compile_packs
from operators_edge.gate.rules import read_packs

PACKS = read_packs()
OWN = {
    "pack": {"name": "own", "summary": "The team's own programs."},
    "program": {
        "frobnicate": {"names": ["frob", "frob-*"], "values": ["-f"], "like": ["defrobnicate"]},
        "shipit": {"code": ["-e"]},
    },
    "rule": [
        {
            "id": "ship-it",
            "effect": "junction",
            "type": "external",
            "reason": "Ships.",
            "instead": "Build only: `make build`",
            "when": [
                {"program": ["frobnicate", "git", "terraform"], "sub": ["ship", "very quick"]},
                {"program": "nobody-knows-it", "acts": ["ship"], "reads": ["list"]},
            ],
            "match": ["frobnicate ship"],
            "no_match": ["frobnicate list"],
        }
    ],
}


def in_order(table):
    """The table with its globs sorted: those of added packs come after all others."""
    return {**table, "globs": sorted(table["globs"])}


def test_packs_added_to_others_give_what_compiling_all_at_once_gives():
    shipped = CompiledPacks(PACKS)
    before = shipped.table()
    added = shipped.extended({"own.toml": OWN})
    assert in_order(added.table()) == in_order(compile_packs({**PACKS, "own.toml": OWN}))
    assert added.packs == {**PACKS, "own.toml": OWN}
    assert shipped.table() == before


def test_every_pack_may_be_added_alone_where_it_describes_what_it_rules():
    made = CompiledPacks({})
    for name, pack in {"a.toml": OWN, "git.toml": PACKS["git.toml"]}.items():
        made = made.extended({name: pack})
    assert {rule["id"] for rule in made.table()["rules"]} > {"ship-it", "git-push"}


def test_a_caller_may_change_what_it_was_given():
    shipped = CompiledPacks({"own.toml": OWN})
    mine = shipped.table()
    mine["rules"][0]["effect"] = "warn"
    mine["programs"]["frobnicate"] = {}
    assert shipped.table()["rules"][0]["effect"] == "junction"
    assert shipped.table()["programs"]["frobnicate"]["values"] == ["-f"]


@pytest.mark.parametrize(
    ("pack", "problem"),
    [
        ({"program": {"frobnicate": {}}}, "program frobnicate is described twice"),
        ({"program": {"x": {"like": ["frobnicate"]}}}, "it has a table and is listed as like x"),
        ({"rule": OWN["rule"]}, "the id is already used in own.toml"),
    ],
)
def test_what_is_there_already_cannot_be_added_again(pack, problem):
    base = CompiledPacks({"own.toml": OWN})
    with pytest.raises(PackError, match=problem):
        base.extended({"more.toml": {"pack": OWN["pack"], **pack}})


@pytest.mark.parametrize("option", ["-g", "@0", "start -g"])
def test_an_option_that_names_other_files_must_be_one_whose_files_are_read(option):
    files = {"Procfile": "procfile", "-f": "procfile", "@0": "procfile"}
    spec = {"command_files": files, "command_files_instead": [option]}
    with pytest.raises(PackError, match=r"is no option of command_files"):
        compile_packs({"own.toml": {"pack": OWN["pack"], "program": {"x": spec}}})


def written(when, spec, **more):
    rule = {**OWN["rule"][0], "when": [when]}
    pack = {"pack": OWN["pack"], "program": {"frobnicate": spec}, "rule": [rule], **more}
    return compile_packs({"own.toml": pack})


def test_braces_and_lists_stand_for_what_is_in_them():
    short = written(
        {
            "program": "frobnicate",
            "sub": ["db {drop,reset}"],
            "words": "$telling",
            "flag": ["$loud"],
        },
        {"command_files": {"run {a,b/*}.{x,y}": "loose"}},
        lists={"telling": ["a{2}|b"], "loud": ["-v", "-vv"]},
    )
    long = written(
        {
            "program": "frobnicate",
            "sub": ["db drop", "db reset"],
            "words": "a{2}|b",
            "flag": ["-v", "-vv"],
        },
        {"command_files": {f"run {one}": "loose" for one in ("a.x", "a.y", "b/*.x", "b/*.y")}},
    )
    assert in_order(short) == in_order(long)


def test_a_list_of_programs_stands_for_all_of_them():
    named = written({"program": "$mine"}, {}, lists={"mine": ["frobnicate", "twiddle"]})
    assert {"frobnicate", "twiddle"} <= named["index"].keys()
