"""Which processes a command ends: its own, or those that others use, however they are chosen."""

from __future__ import annotations

from tests.gate.example_project import PLACE, ROOT, RULES, Machine
from tests.tables import for_each

from operators_edge.gate.decide import assess
from operators_edge.model import Call


def effect(command):
    return assess(Call("Bash", {"command": command}, ROOT), PLACE, Machine(), RULES).effect


@for_each(
    "command",
    [
        "pkill -9 -f 'python|gunicorn'",
        "killall -q Slack",
        "P=$(pidof nginx); kill $P",
        "ps -C mysqld -o pid= | xargs kill",
        "ps aux | grep '[n]ginx' | awk '{print $2}' | xargs -I{} kill {}",
        "kill -9 $(ss -lptn 'sport = :5432' | grep -oP 'pid=\\K\\d+')",
        "kill $(systemctl show -p MainPID --value nginx)",
        "kill $(nvidia-smi --query-compute-apps=pid --format=csv,noheader)",
        "kill $(lsof -t /var/log)",
        "lsof -ti :5432 | while read p; do kill $p; done",
        "taskkill /F /IM mysqld.exe",
    ],
)
def test_what_others_use_is_asked_about_however_it_is_chosen(command):
    assert effect(command) == "junction"


@for_each(
    "command",
    [
        "pkill -f 'vite|webpack'",
        "killall -HUP nginx",
        "ps -u ann | grep vite | awk '{print $1}' | xargs kill",
        "ps aux | grep -v grep | grep 'server.py' | awk '{print $2}' | xargs kill",
        "kill $(lsof -t dev.sqlite)",
        "kill $(ss -lptn 'sport = :3000' | grep -oP 'pid=\\K\\d+')",
        "ps aux | grep nginx; kill $SERVER",
        "kill $(cat server.pid)",
    ],
)
def test_what_the_agent_may_have_started_is_ended_in_silence(command):
    assert effect(command) == "allow"


# end of module
