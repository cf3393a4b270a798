"""Infrastructure: what changes or destroys what others share is stopped, what reads stays silent."""

from __future__ import annotations

import os

import pytest
from tests.tables import for_each

from operators_edge.gate.examples import judge_example
from operators_edge.gate.prefilter import is_suspicious
from operators_edge.gate.rules import load

RULES = load()
TABLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "infrastructure")


def commands(name):
    """The commands of a table, without its headings; from the tools' own documentation."""
    with open(os.path.join(TABLES, f"{name}.txt"), encoding="utf-8") as file:
        return [line for line in file.read().splitlines() if not line.startswith("#")]


STOPPED = commands("stopped")
SILENT = commands("silent")


@pytest.mark.parametrize("profile", ["strict", "contextual"])
def test_what_changes_or_destroys_is_stopped_under_every_profile(profile):
    rules = RULES.with_profile(profile)
    assert [one for one in STOPPED if judge_example(one, rules).effect == "allow"] == []


@pytest.mark.parametrize("profile", ["strict", "contextual"])
def test_what_reads_or_stays_here_is_silent_under_every_profile(profile):
    rules = RULES.with_profile(profile)
    stopped = {one: judge_example(one, rules).rule for one in SILENT}
    assert {one: rule for one, rule in stopped.items() if rule} == {}


def test_the_prefilter_passes_nothing_that_is_stopped():
    assert [one for one in STOPPED if not is_suspicious(one, RULES.words)] == []


def _any_verb_can_act(program):
    conditions = (when for _, when in RULES.index.get(RULES.names.get(program, program), ()))
    return any("acts" in when and when["acts"][2] for when in conditions)


def test_most_of_what_reads_needs_no_parser_where_only_known_verbs_act():
    known = [one for one in SILENT if not _any_verb_can_act(one.split()[0])]
    needs = [one for one in known if is_suspicious(one, RULES.words)]
    assert len(known) > 500
    assert len(needs) < len(known) * 2 / 3


@pytest.mark.parametrize(
    "wrapping",
    ["sudo {}", "env A=b {}", "cd x && {}", "time {}", "bash -c {!r}", "( {} )", "nohup {} &"],
)
def test_what_is_stopped_is_stopped_wrapped_too(wrapping):
    plain = [one for one in STOPPED if not any(mark in one for mark in "'\"$|;&=")]
    assert [
        one for one in plain if judge_example(wrapping.format(one), RULES).effect == "allow"
    ] == []


@for_each(
    ("command", "rule"),
    [
        ("kubectl delete pod x", "deploy-kubernetes"),
        ("terraform destroy", "deploy-infrastructure"),
        ("docker push x", "deploy-containers"),
        ("aws ec2 delete-volume --volume-id v", "deploy-cloud"),
        ("netlify deploy", "deploy-platform"),
        ("vault delete secret/x", "deploy-service"),
        ("gh repo delete o/r", "deploy-forge"),
        ("ansible-playbook site.yml", "deploy-hosts"),
        ("kafka-topics --delete --topic x", "deploy-messaging"),
        ("restic prune", "deploy-backup"),
        ("ceph osd out 3", "deploy-cluster"),
        ("make deploy", "deploy-script"),
    ],
)
def test_each_kind_of_command_has_its_rule(command, rule):
    assert judge_example(command, RULES).rule == rule


@pytest.mark.parametrize(
    "command",
    [
        'aws ec2 "$OP"',
        'gcloud compute instances "$VERB" web',
        'kubectl "$VERB" pod x',
        "gh pr $X 1",
    ],
)
def test_a_verb_that_cannot_be_known_needs_a_person(command):
    assert judge_example(command, RULES).effect == "junction"


@for_each(
    "command",
    [
        'kubectl -n "$NS" get pods',
        'kubectl get pods -n "$NS" "$NAME"',
        'aws --profile "$P" s3 ls "s3://$BUCKET"',
        'aws s3 cp "s3://$B/x" "$DIR/x"',
        'gh pr view "$N"',
        'gcloud --project "$P" compute instances describe "$I"',
        'az vm show -g "$RG" -n "$VM"',
        'docker logs "$C"',
        'docker compose -f "$F" ps',
        'terraform plan -var-file="$F"',
        'helm -n "$NS" status "$R"',
        'vault kv list "$PATH_IN_VAULT"',
        'heroku logs -a "$APP"',
    ],
)
def test_a_name_that_cannot_be_known_disturbs_no_reading(command):
    assert judge_example(command, RULES).effect == "allow"


@pytest.mark.parametrize("name", ["firebase", "consul", "podman", "stripe", "hcloud", "minikube"])
def test_a_program_judged_like_another_is_asked_about_under_its_own_name(name):
    (finding,) = judge_example(f"{name} system delete x", RULES).findings
    assert dict(finding.subject)["program"] == name
