"""What the measured coverage is held to: a fall is noticed, and so is a name that names nothing."""

import json

import pytest

from tests import coverage_bounds

BOUNDS = {
    "pure": {"least": 95.0, "packages": ["gate"], "except": ["facts.py"]},
    "rest": {"least": 60.0},
}


def file(covered, of, branches=0):
    return {
        "summary": {
            "covered_lines": covered,
            "num_statements": of,
            "covered_branches": branches,
            "num_branches": branches,
        },
        "missing_lines": list(range(1, of - covered + 1)),
    }


def report(**files):
    names = {name.replace("__", "/") + ".py": each for name, each in files.items()}
    return {"files": {f"src/operators_edge/{name}": each for name, each in names.items()}}


def test_each_pure_module_is_held_to_its_bound_and_the_others_to_theirs_together():
    good = report(gate__a=file(95, 100), gate__facts=file(30, 100), cli=file(90, 100))
    assert coverage_bounds.faults(good, BOUNDS) == ([], 60.0)
    bad = report(gate__a=file(94, 100), gate__b=file(100, 100), gate__facts=file(10, 10))
    found, _ = coverage_bounds.faults(bad, BOUNDS)
    assert [each.split()[:3] for each in found] == [["94.0", "%", "src/operators_edge/gate/a.py"]]


def test_branches_count_as_lines_do():
    mixed = report(gate__a=file(90, 100, branches=100), gate__facts=file(1, 1))
    assert coverage_bounds.faults(mixed, BOUNDS)[0] == []


def test_a_fall_of_the_rest_is_noticed_and_a_breath_is_not():
    def rest(covered):
        return report(gate__a=file(1, 1), gate__facts=file(covered, 1000))

    assert coverage_bounds.faults(rest(596), BOUNDS)[0] == []
    (one,) = coverage_bounds.faults(rest(594), BOUNDS)[0]
    assert "the rest, which was 60.0 % before" in one


@pytest.mark.parametrize("part", ["packages", "except"])
def test_a_name_that_names_nothing_is_an_error(part):
    bounds = {**BOUNDS, "pure": {**BOUNDS["pure"], part: [*BOUNDS["pure"][part], "gone"]}}
    with pytest.raises(SystemExit, match="not there: gone"):
        coverage_bounds.faults(report(gate__a=file(1, 1), gate__facts=file(1, 1)), bounds)


def test_what_was_reached_is_written_and_never_lowered(tmp_path, monkeypatch, capsys):
    kept = tmp_path / "coverage.toml"
    kept.write_text(
        '[pure]\nleast = 95.0\npackages = ["gate"]\nexcept = ["facts.py"]\n'
        "[rest]\n# why\nleast = 60.0\n"
    )
    monkeypatch.setattr(coverage_bounds, "BOUNDS", str(kept))
    told = tmp_path / "report.json"
    for covered, code, then in ((712, 0, "least = 71.2"), (600, 1, "least = 71.2")):
        told.write_text(json.dumps(report(gate__a=file(1, 1), gate__facts=file(covered, 1000))))
        assert coverage_bounds.main(["--raise", str(told)]) == code
        assert kept.read_text().endswith(f"# why\n{then}\n")
        assert "least = 95.0" in kept.read_text()
    assert "too little:  60.0 %  the rest" in capsys.readouterr().out
