import pytest

from operators_edge.evidence.checks.rerun import Rerun
from operators_edge.evidence.claims.model import Claim
from operators_edge.reports import proof_ledger


def claim(verdict, **more):
    return Claim(1, "k", "Do\nit", "done", "", verdict, "because", command="pytest -q", **more)


def test_nothing_is_claimed_without_a_completed_step():
    found = proof_ledger.proof_ledger([])
    assert (found.rows, found.is_ok) == ((), True)
    assert found.counted == "No step is completed, so nothing is claimed."


def test_the_verdicts_are_counted_in_a_fixed_order():
    found = proof_ledger.proof_ledger(
        [claim("CONTRADICTED"), claim("STALE"), claim("VERIFIED"), claim("STALE")]
    )
    assert found.counted == "4 claims: 1 verified, 2 stale, 1 contradicted"


@pytest.mark.parametrize(("verdict", "is_ok"), [("CONTRADICTED", False), ("UNVERIFIED", True)])
def test_only_a_contradicted_claim_is_not_ok(verdict, is_ok):
    assert proof_ledger.proof_ledger([claim(verdict)]).is_ok is is_ok


def test_a_check_that_ran_again_and_did_not_pass_is_not_ok():
    ran = Rerun("pytest", passed=None, did_run=True)
    found = proof_ledger.proof_ledger([claim("VERIFIED")], [ran])
    assert found.is_ok is False
    assert found.as_data()["ran"] == [ran._asdict()]


def test_a_row_names_what_clears_it_unless_it_is_verified():
    assert proof_ledger.row(claim("STALE")).run == "pytest -q"
    assert proof_ledger.row(claim("VERIFIED")).run == ""


def test_a_row_is_of_one_line_and_knows_where_its_work_is_in_the_log():
    found = proof_ledger.row(claim("UNVERIFIED", evidence={"from": 3, "to": 9}))
    assert (found.text, found.seen) == ("Do it", (3, 9))
    assert proof_ledger.row(claim("UNVERIFIED")).seen is None
