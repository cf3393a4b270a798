"""The gate switched off and on: by a person at a terminal, and by the environment of a client.

What an agent could do to switch it off by itself is tried here, each way.
"""

import json
import os
import subprocess
import sys

import pytest
from tests import processes
from tests.hosting import Client, at_a_terminal, clean_env, events, opened, read_state, write

from operators_edge.approvals import off_switch, service as approvals_service
from operators_edge.errors import AnswerIsNo, UsageError

pytestmark = pytest.mark.usefixtures("same_user_folder")

PUSH = "git push origin main"
CATASTROPHE = "mkfs.ext4 /dev/sda1"
FROM_PROC = pytest.mark.skipif(
    sys.platform not in ("linux", "darwin"), reason="what a process began with is not told here"
)

AS_CLIENT = """
import json, os, sys
from tests import processes
from tests.hosting import Client, clean_env
processes.CAN_FORK = False  # for a few calls it need not load everything
root, home, commands = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
more = json.loads(sys.argv[4])
client = Client(root, clean_env(home, **more))
start = client.send("SessionStart", source="startup")
said = [client.bash(each) for each in commands]
told = start.get("systemMessage", "")
print(json.dumps({"session": client.session, "told": told, "said": said}))
"""


def off(client, *, rule="", minutes=60, whole_project=False):
    project = opened(client)
    want = approvals_service.checked_request(
        project, session=client.session, whole_project=whole_project, rule=rule, minutes=minutes
    )
    return approvals_service.disable(project, want, session=client.session, by="a test")


def on(client, rule=""):
    return approvals_service.enable(
        opened(client), session=client.session, rule=rule, by="a test", env=client.env
    )


def another(client):
    second = Client(client.root, {k: v for k, v in client.env.items() if "CLAUDE" not in k})
    second.start()
    return second


def test_what_would_be_asked_passes_while_the_gate_is_off_and_is_on_record(client):
    assert client.bash(PUSH) == "deny"
    assert "Off for 60 minutes" in off(client)
    assert client.bash(PUSH) == ""
    used = events(client, "switch_used")
    assert [(each["rule"], each["shown"]) for each in used] == [("git-push", PUSH)]
    assert events(client, "gate_disabled")[0]["by"] == "a test"


def test_what_is_blocked_outright_stays_blocked_until_its_rule_is_named(client):
    off(client)
    assert client.bash(CATASTROPHE) == "deny"
    rule = events(client, "blocked")[0]["rule"]
    off(client, rule=rule)
    assert client.bash(CATASTROPHE) == ""


def test_no_switch_reaches_the_rules_that_guard_decisions(client):
    with pytest.raises(UsageError, match="guards what only a person decides"):
        off(client, rule="edge-human-verb")
    off(client)
    assert client.bash("edge approve") == "deny"
    assert client.bash("echo x > .claude/settings.json") == "deny"
    state = os.path.join(client.root, "active_context.yaml")
    edit = {"file_path": state, "old_string": "plan:", "new_string": "dismissals: []\nplan:"}
    assert client.before("Edit", **edit)["permissionDecision"] == "deny"


def test_what_would_outlive_the_switch_is_still_asked(client):
    off(client)
    assert client.bash("echo 'export EDGE_X=1' >> ~/.bashrc") == "deny"
    bashrc = os.path.join(client.env["HOME"], ".bashrc")
    assert client.before("Write", file_path=bashrc, content="x")["permissionDecision"] == "deny"


def test_a_switch_for_one_session_is_none_for_another(client):
    off(client)
    assert another(client).bash(PUSH) == "deny"


def test_a_switch_for_the_project_is_for_every_session(client):
    off(client, whole_project=True)
    assert another(client).bash(PUSH) == ""


def test_enable_ends_every_switch_at_once(client):
    off(client)
    off(client, rule="git-push", whole_project=True)
    assert "On again" in on(client)
    assert client.bash(PUSH) == "deny"
    assert read_state(client)["dismissals"] == []
    assert len(events(client, "gate_enabled")[0]["switches"]) == 2
    with pytest.raises(AnswerIsNo, match="nothing is switched off"):
        on(client)


def test_enable_of_one_rule_leaves_the_others_off(client):
    off(client, rule="git-push")
    off(client, rule="fs-recursive-delete")
    on(client, rule="git-push")
    assert client.bash(PUSH) == "deny"
    assert [each["rule"] for each in opened(client).state.read()["dismissals"]] == [
        "fs-recursive-delete"
    ]


def test_enable_of_a_rule_that_only_the_general_switch_takes_says_so(client):
    off(client)
    with pytest.raises(AnswerIsNo, match="git-push is not switched off by its name"):
        on(client, rule="git-push")


def test_a_person_switches_off_where_they_type_with_a_code_that_is_good_once(client):
    asked = client.prompt("/edge pause --minutes 5")
    assert client.bash(PUSH) == "deny"
    typed = asked.rsplit("Run: ", 1)[1]
    assert "Off for 5 minutes" in client.prompt(typed)
    assert client.bash(PUSH) == ""
    assert "typed in Claude Code" in client.prompt("/edge grants")
    assert "On again" in client.prompt("/edge resume")
    assert client.bash(PUSH) == "deny"
    assert "Off for" not in client.prompt(typed)


def test_a_switch_ends_when_its_time_is_over(client):
    off(client, minutes=1)
    state = read_state(client)
    later = opened(client)
    later.clock = lambda: approvals_service.junction.datetime.fromisoformat(
        state["dismissals"][0]["expires_at"]
    )
    assert approvals_service.switches_in_force(later, state, client.session) == []


def test_a_switch_that_is_ended_is_not_brought_back_with_an_older_state(client):
    off(client)
    path = os.path.join(client.root, "active_context.yaml")
    with open(path, "rb") as file:
        before = file.read()
    on(client)
    with open(path, "wb") as file:
        file.write(before)
    assert client.bash(PUSH) == "deny"


def test_a_switch_written_by_hand_counts_for_nothing(client):
    grant = off_switch.new_switch(
        new_id="s", now=opened(client).clock(), minutes=60, rule="", session="", by="agent"
    )
    opened(client).transact(
        lambda tx: tx.state.update(dismissals=[{**grant, "mac": "0" * 64}]), command="edit"
    )
    assert client.bash(PUSH) == "deny"
    assert approvals_service.switches_in_force(opened(client), read_state(client)) == []


def test_grants_that_are_no_grants_switch_nothing_off(client):
    project = opened(client)
    for odd in ("off", ["off", None, 3, {}], {"kind": "switch"}, 7):
        assert approvals_service.switches_in_force(project, {"dismissals": odd}) == []


@pytest.mark.parametrize("minutes", [0, -1, 7 * 24 * 60 + 1])
def test_a_switch_has_an_end_within_a_week(client, minutes):
    with pytest.raises(UsageError, match="lasts 1 to"):
        off(client, minutes=minutes)


def test_an_unknown_rule_is_an_error_that_names_a_near_one(client):
    with pytest.raises(UsageError, match="git-push"):
        off(client, rule="git-pusch")


def test_a_revoke_by_number_ends_a_switch_as_any_grant(client):
    off(client)
    assert "switched off: every question" in client.prompt("/edge grants")
    client.prompt("/edge grants revoke 1")
    assert client.bash(PUSH) == "deny"


def test_an_edit_without_a_plan_is_not_remarked_on_while_the_gate_is_off(client):
    opened(client).transact(lambda tx: tx.state.update(plan=[], mode="active"), command="edit")
    path = write(client.root, "a.txt", "a")
    off(client)
    assert client.before("Edit", file_path=path, old_string="a", new_string="b") == {}
    on(client)
    assert (
        "no plan"
        in client.before("Edit", file_path=path, old_string="a", new_string="b")[
            "additionalContext"
        ]
    )


def test_a_log_that_cannot_be_written_keeps_the_gate_on(client):
    off(client)
    log = os.path.join(client.root, ".proof", "session_log.jsonl")
    os.rename(log, log + ".away")
    os.mkdir(log)
    assert client.bash(PUSH) == "deny"
    os.rmdir(log)
    os.rename(log + ".away", log)


# -- the environment -------------------------------------------------------------------------------


def as_client(client, *commands, started_with=None, hook_sees=None, below=()):
    """A client of its own process: what it was started with, and what its hooks see besides."""
    home = client.env["HOME"]
    env = clean_env(home, PYTHONPATH=os.getcwd(), **(started_with or {}))
    words = [sys.executable, "-c", AS_CLIENT, client.root, home, json.dumps(commands)]
    done = subprocess.run(
        [*below, *words, json.dumps({**(started_with or {}), **(hook_sees or {})})],
        env=env,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return json.loads(done.stdout)


@pytest.fixture
def alone(client, project, fenced):
    """No session's client is above: the one that the fixture opened is this very process."""
    for name in os.listdir(
        os.path.join(client.env["XDG_STATE_HOME"], "operators-edge", "sessions")
    ):
        os.unlink(os.path.join(client.env["XDG_STATE_HOME"], "operators-edge", "sessions", name))
    return client


@FROM_PROC
def test_a_client_that_a_person_started_with_the_variable_asks_nothing(alone):
    found = as_client(alone, PUSH, CATASTROPHE, started_with={"EDGE_DISABLED": "1"})
    assert found["said"] == ["", "deny"]
    assert events(alone, "switch_used")[0]["switches"] == ["EDGE_DISABLED"]
    assert "your environment has EDGE_DISABLED=1" in found["told"]
    assert events(alone, "gate_disabled")[0]["by"] == "EDGE_DISABLED"


@FROM_PROC
@pytest.mark.parametrize("value", ["0", "", "true"])
def test_any_other_value_switches_nothing_off(alone, value):
    assert as_client(alone, PUSH, started_with={"EDGE_DISABLED": value})["said"] == ["deny"]


def test_what_a_settings_file_puts_into_a_hooks_environment_counts_for_nothing(alone):
    found = as_client(alone, PUSH, hook_sees={"EDGE_DISABLED": "1"})
    assert found["said"] == ["deny"]
    assert "counts for nothing" in found["told"]
    assert events(alone, "switch_ignored")


@FROM_PROC
def test_a_client_that_an_agent_started_with_the_variable_is_gated(client):
    # This very process is the client of a session, so the new one is below it.
    assert as_client(client, PUSH, started_with={"EDGE_DISABLED": "1"})["said"] == ["deny"]


@FROM_PROC
def test_a_client_started_from_an_agents_shell_is_gated_also_when_it_left_its_parents(alone):
    marked = {"EDGE_DISABLED": "1", "CLAUDECODE": "1"}
    assert as_client(alone, PUSH, started_with=marked)["said"] == ["deny"]


@FROM_PROC
def test_enable_ends_what_the_variable_did_for_the_session(alone):
    code = AS_CLIENT.replace(
        "said = ",
        "from operators_edge.approvals import service as approvals_service\n"
        "from tests.hosting import opened\n"
        "os.environ.update(XDG_STATE_HOME=client.env['XDG_STATE_HOME'])\n"
        "first = client.bash(commands[0])\n"
        "approvals_service.enable(opened(client), session=client.session, rule='', by='me', env=client.env)\n"
        "said = ",
    ).replace('"said": said', '"said": said, "first": first')
    home = alone.env["HOME"]
    started = {"EDGE_DISABLED": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code, alone.root, home, json.dumps([PUSH]), json.dumps(started)],
        env=clean_env(home, PYTHONPATH=os.getcwd(), **started),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    found = json.loads(done.stdout)
    assert found["first"] == ""
    assert found["said"] == ["deny"]


def test_a_session_that_nobody_saw_starting_is_not_off(client):
    assert approvals_service.environment_switch(None, "never seen", client.env).reason.endswith(
        "not seen starting"
    )


@pytest.mark.parametrize(
    "command",
    [
        "EDGE_DISABLED=1 claude -p 'go on'",
        "env EDGE_DISABLED=1 claude -p x",
        "env -i EDGE_DISABLED=1 setsid claude -p x",
        "export EDGE_DISABLED=1",
        "export EDGE_DISABLED=1; claude -p x",
        "declare -x EDGE_DISABLED=1",
        "tmux set-environment -g EDGE_DISABLED 1",
        "launchctl setenv EDGE_DISABLED 1",
        "sh -c 'export EDGE_DISABLED=1; claude -p x'",
        "echo 'export EDGE_DISABLED=1' >> \"$CLAUDE_ENV_FILE\"",
        "python3 -c \"import os; os.environ['EDGE_DISABLED']='1'; os.system('claude -p x')\"",
        "edge pause",
        "edge resume",
        "edge --project . disable --minutes 5",
        "edge pause git-push --for 5m",
        "python -m operators_edge pause",
        "sh -c 'edge pause'",
        "tmux send-keys '/edge pause' Enter",
        "python3 -c 'from operators_edge.approvals import service as approvals_service'",
    ],
)
def test_an_agent_cannot_say_it(client, command):
    assert client.bash(command) == "deny"
    assert events(client, "approval_forgery"), "it is recorded as what it is"


@pytest.mark.parametrize(
    "command",
    [
        "grep -rn EDGE_DISABLED src",
        "echo $EDGE_DISABLED",
        "git log --grep EDGE_DISABLED",
        "unset EDGE_DISABLED",
    ],
)
def test_whoever_only_speaks_of_the_variable_is_let_alone(client, command):
    assert client.bash(command) == ""


# -- at a terminal ---------------------------------------------------------------------------------


def test_a_person_switches_off_and_on_at_their_terminal_and_status_shows_it(alone):
    env = {k: v for k, v in alone.env.items() if "CLAUDE" not in k}
    done = at_a_terminal(alone.root, "disable", "--minutes", "5", "--all-sessions", env=env)
    assert "Off for 5 minutes" in done.stdout
    assert "Still on: what is blocked outright" in done.stderr
    shown = at_a_terminal(alone.root, "status", env=env).stdout
    assert "OFF        every question and warning, in every session" in shown
    done = at_a_terminal(alone.root, "enable", env=env)
    assert "On again" in done.stdout
    assert "OFF " not in at_a_terminal(alone.root, "status", env=env).stdout


def test_one_rule_is_named_with_how_long_it_is_off(alone):
    env = {k: v for k, v in alone.env.items() if "CLAUDE" not in k}
    words = ("pause", "git-push", "--all-sessions", "--for")
    assert "--for does not take 'long'" in at_a_terminal(alone.root, *words, "long", env=env).stderr
    done = at_a_terminal(alone.root, *words, "2h", env=env)
    assert "For 120 minutes, in every session of this project, rule git-push" in done.stderr
    done = at_a_terminal(alone.root, "resume", "git-push", env=env)
    assert "On again" in done.stdout


def test_a_person_who_does_not_say_yes_switches_nothing_off(alone):
    env = {k: v for k, v in alone.env.items() if "CLAUDE" not in k}
    done = at_a_terminal(alone.root, "disable", "--all-sessions", answer="n\n", env=env)
    assert done.returncode == 1
    assert not read_state(alone).get("dismissals")


def test_without_a_person_nothing_is_switched(client):
    for verb in ("disable", "enable"):
        done = processes.edge(client.root, verb, env=client.env)
        assert done.returncode != 0
        assert "only a person" in done.stderr
    assert len(events(client, "approval_forgery")) == 2
