"""``edge stats`` after real sessions: what was counted is what happened."""

import json
import os

from prometheus_client.openmetrics.parser import text_string_to_metric_families as parsed
from tests import processes
from tests.cli.commands.test_approve import at_terminal, forget_client
from tests.hosting import Client

from operators_edge.evidence.metrics import counts
from operators_edge.evidence.store import EvidenceStore
from operators_edge.project import Project

PUSH = "git push origin main"


def numbers(edge, *words):
    return json.loads(edge("metrics", "--json", *words)[1])["data"]


def test_a_session_with_a_person_at_the_terminal_is_counted_as_it_went(client, edge):
    client.bash("rm -rf /")
    client.bash(PUSH)
    client.bash("npm publish")
    client.bash("edge approve")
    forget_client(client)
    assert at_terminal(client, "approve").returncode == 0
    client.bash(PUSH)
    client.done("Bash", {"stdout": "ok"}, command=PUSH)
    client.before("Bash", command="pytest -q")
    client.done("Bash", error="Exit code 1\n1 failed", command="pytest -q")
    now = numbers(edge)
    one = now["session"]
    assert one["session"] == client.session
    assert one["junctions"] == {"hit": 1, "approved": 1, "skipped": 0, "dismissed": 0}
    assert one["calls"] == {
        "ran": 2,
        "failed": 1,
        "blocked": 1,
        "denied_pending": 1,
        "denied_refused": 0,
        "denied_otherwise": 0,
        "let_through": 0,
        "warned": 0,
        "used_approval": 1,
        "used_dismissal": 0,
    }
    assert one["health"] | {"tampering": 0} == {
        "drift_events": 0,
        "forgeries": 1,
        "tampering": 0,
        "recoveries": 0,
        "log_damage": 0,
    }
    assert one["checks"]["failed"] == 1
    assert now["project"]["record"]["sessions"] == 1


def test_answers_in_the_clients_dialog_are_decisions_and_no_drift(attended, edge):
    assert attended.bash(PUSH) == "ask"
    attended.done("Bash", {"stdout": ""}, command=PUSH)
    assert attended.bash("git push --force origin main") == "ask"
    attended.send("Stop")
    one = numbers(edge)["session"]
    assert one["dialogs"] == {"asked": 2, "approved": 1, "refused": 1}
    assert one["junctions"] == {"hit": 2, "approved": 1, "skipped": 1, "dismissed": 0}
    assert one["health"]["drift_events"] == 0


def test_an_older_session_is_told_when_it_is_asked_for(client, edge):
    client.bash("rm -rf /")
    client.send("SessionEnd", reason="exit")
    second = Client(client.root, client.env)
    second.start()
    assert numbers(edge)["session"]["session"] == second.session
    assert numbers(edge)["session"]["calls"]["blocked"] == 0
    assert numbers(edge, "--session", client.session)["session"]["calls"]["blocked"] == 1
    code, _, err = edge("metrics", "--session", "nobody")
    assert code == 1
    assert "nobody is not among the last 500 sessions" in err


def test_a_scraper_reads_the_project_or_one_session_with_its_labels(client, edge):
    client.bash("rm -rf /")
    for words, labels in (
        ((), {"project"}),
        (("--session", client.session), {"project", "session"}),
    ):
        code, text, _ = edge("metrics", "--openmetrics", *words)
        assert code == 0
        found = {s.name: s for family in parsed(text) for s in family.samples}
        assert found["edge_junctions_hit_total"].labels.keys() == labels
        assert found["edge_junctions_hit_total"].labels["project"] == client.root
    assert edge("metrics", "--openmetrics", "--json")[0] == 64


def test_the_text_fits_a_terminal_of_eighty_columns(client, edge):
    code, out, _ = edge("metrics")
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80
    assert len(out.splitlines()) < 24


def test_a_project_without_a_log_has_nought_of_everything(project, edge):
    now = numbers(edge)
    assert now["session"] is None
    assert now["project"]["record"] == {"entries": 0, "sessions": 0}
    assert "0 entries, 0 sessions; nothing happened yet" in edge("metrics")[1]


def test_the_numbers_are_those_of_all_processes_and_survive_each(project):
    for _ in range(3):
        assert processes.edge(project, "step", "start", "1").returncode == 0
        log = Project(project, is_set_up=True).log
        entries = counts.of_project(EvidenceStore(project).metrics())["record"]["entries"]
        assert entries == log.count()
    os.unlink(os.path.join(project, ".proof", "cache", "metrics.json"))
    assert counts.of_project(EvidenceStore(project).metrics())["record"]["entries"] == entries


def test_a_log_that_was_deleted_is_not_called_healthy(project, edge):
    for text in ("one", "two"):
        edge("note", text)
    assert "Healthy" in edge("metrics")[1]
    os.unlink(os.path.join(project, ".proof", "session_log.jsonl"))
    shown = edge("metrics")[1]
    assert "Healthy" not in shown
    assert "Incomplete: the log ends at entry 0, but 2 was recorded. Run: edge log verify" in shown
