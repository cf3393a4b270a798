import json
import os

import pytest
from tests.reports.pages import call, event, project_at

from operators_edge.reports import history_store


@pytest.fixture
def shop(project, edge):
    project_at(project).log.append_many([event("prompt", preview="Do it"), call()])
    return edge


def test_it_writes_the_page_and_says_how_it_is_checked(shop, project):
    code, out, _ = shop("report")
    assert code == 0
    assert out.startswith("Written: .proof/proof_viz.html (2 entries, ")
    assert "edge log verify .proof/proof_viz.html" in out
    assert os.path.isfile(os.path.join(project, ".proof", "proof_viz.html"))


def test_the_written_page_is_verified_and_a_changed_one_is_not(shop, project):
    shop("report", "--out", "page.html")
    code, out, _ = shop("proof", "verify", "page.html")
    assert code == 0
    assert "As it was written: the log recorded it at 2026-" in out
    with open(os.path.join(project, "page.html"), "a", encoding="utf-8") as file:
        file.write(" ")
    code, out, _ = shop("proof", "verify", "page.html")
    assert code == 1
    assert "changed after it was written" in out


def test_outside_of_a_project_a_page_is_not_vouched_for(shop, project, tmp_path, monkeypatch):
    shop("report", "--out", str(tmp_path / "page.html"))
    monkeypatch.chdir(tmp_path)
    code, out, _ = shop("proof", "verify", "page.html")
    assert code == 1
    assert "There is no log here" in out


@pytest.mark.parametrize(
    "words",
    [("--since", "soon"), ("--last", "0"), ("--out", "page.txt"), ("--out", "no/page.html")],
)
def test_words_that_make_no_sense_are_usage_errors(shop, words):
    assert shop("report", *words)[0] == 64


def test_a_page_begins_where_it_is_asked_to(shop):
    code, _, err = shop("report", "--since", "30m")
    assert code == 1
    assert "has no entries" in err
    _, out, _ = shop("report", "--since", "2000-01-01", "--json")
    assert json.loads(out)["data"]["entries"] == 2


def test_it_as_json_names_file_digest_and_entries(shop):
    data = json.loads(shop("report", "--json")[1])["data"]
    assert (data["first"], data["last"], data["recorded"]) == (1, 2, True)
    assert len(data["digest"]) == 64


def test_with_history_it_adds_a_row_and_says_how_the_traceability_changed(shop, project):
    _, first, _ = shop("report", "--history")
    _, second, _ = shop("report", "--history")
    assert " % of 1 call; a change shows from the second run on" in first
    assert "Traceability: stable at " in second
    assert len(history_store.rows(project)) == 2
