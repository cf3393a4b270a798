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
        # whatever listens, or holds a file that is gone
        "lsof -iTCP -sTCP:LISTEN -t | xargs kill",
        "kill $(lsof +L1 -t)",
        "ss -tlnp | awk '{print $6}' | xargs kill",
        "netstat -tlnp | cut -d/ -f1 | xargs kill -9",
        # a runtime also serves editors, agents and whatever else the person has open
        "killall -9 node",
        "pkill -TERM deno",
        "killall java",
        "pidof node | xargs kill -9",
        "taskkill /F /T /IM node.exe",
        "taskkill //F //IM node.exe",  # as a shell of Git for Windows wants it
        "pkill -P $PPID node",
        # what needs root is somebody else's, or a service
        "pidof vite | xargs sudo kill",
        "sudo kill -9 $(lsof -ti :3000)",
        "P=$(pgrep -f dev.py); doas kill $P",
        "sudo fuser -k 3000/tcp",
        "sudo fuser -k ./dev.sqlite",
        "doas pkill vite",
        "sudo npx kill-port 3000",
        "killport 5432",
        "npx kill-port-process 6379",
        # by their age, and by the title that a service gives itself
        "killall -y 10m node",
        "killall --older-than 1d chrome",
        "pkill --older 3600 vite",
        "pgrep -f 'nginx:' | xargs kill",
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
        "sudo kill $(cat server.pid)",
        "kill $(lsof -t -iTCP:5173 -sTCP:LISTEN)",
        "ss -tlnp | grep ':5173' | grep -oP 'pid=\\K\\d+' | xargs kill",
        "kill $(lsof -t cache.lock)",
        "pkill -n -f 'npm run dev'",
        "pkill -f 'vite|next dev|webpack'",
        "pkill -f 'node dist/server.js'",
        "npm run dev & P=$!; sleep 2; pkill -P $P node; kill $P",
        "node server.js & sleep 1; kill %1",
        "sudo fuser -v 3000/tcp",
        "sudo killall -HUP nginx",
        "killport 3000",
    ],
)
def test_what_the_agent_may_have_started_is_ended_in_silence(command):
    assert effect(command) == "allow"


PERL = """for my $port (@ARGV) {
    for my $pid (split /\\n/, `sudo lsof -ti :$port`) { system('sudo', 'kill', '-9', $pid); }
}
"""
PYTHON = """import subprocess
for pid in subprocess.check_output(["lsof", "-ti", ":5432"], text=True).split():
    subprocess.run(["kill", pid])
"""
RUBY = """ARGV.each { |port| `lsof -ti:#{port}`.split.each { |pid| system("sudo", "kill", pid) } }
"""
NODE = """const { execFileSync: run } = require('child_process');
for (const pid of run('pgrep', ['-f', 'nginx: ']).toString().split('\\n')) run('kill', [pid]);
"""
SHELL = """for pid in $(sudo lsof -t -i:"$1"); do sudo kill -9 "$pid"; done
"""


@for_each(
    ("command", "text"),
    [
        ("perl x.pl 3000", PERL),
        ("python3 x.py", PYTHON),
        ("ruby x.rb 3000", RUBY),
        ("node x.js", NODE),
        ("sh x.sh 3000", SHELL),
        ("sh x.sh", "kill $(lsof -t /var/lib/dpkg/lock)\n"),
    ],
)
def test_a_script_that_looks_for_processes_of_others_is_asked_about_even_if_git_holds_it(
    command, text
):
    name = command.split()[1]
    for committed in ((), (name,)):
        machine = Machine({f"{ROOT}/{name}": text}, committed=committed)
        call = Call("Bash", {"command": command}, ROOT)
        assert assess(call, PLACE, machine, RULES).rule == "system-kill-many"


@for_each(
    ("command", "text"),
    [
        ("python3 x.py", PYTHON.replace("5432", "3000")),
        ("python3 x.py", PYTHON.replace('"kill", pid', '"echo", pid')),
        ("perl x.pl", "print `ps aux`; system('kill', $child);\n"),
        ("sh x.sh", "kill $(lsof -t -i:3000)\n"),
        ("sh x.sh", 'sudo lsof -i :3000\nsudo kill "$(cat server.pid)"\n'),
    ],
)
def test_a_script_that_ends_its_own_is_silent(command, text):
    machine = Machine({f"{ROOT}/{command.split()[1]}": text})
    assert assess(Call("Bash", {"command": command}, ROOT), PLACE, machine, RULES).effect == "allow"


CALLS = """const { execSync } = require('child_process');
const pids = execSync('lsof -ti :PORT', { timeout: 300 }).toString().split('\\n');
pids.forEach((pid) => process.kill(Number(pid)));
"""


@for_each(("port", "asks"), [("6379", True), ("80", True), ("3000", False), ("5173", False)])
def test_a_call_that_ends_what_listens_at_a_port_counts_by_the_port(port, asks):
    machine = Machine({f"{ROOT}/x.js": CALLS.replace("PORT", port)})
    found = assess(Call("Bash", {"command": "node x.js"}, ROOT), PLACE, machine, RULES)
    assert (found.rule == "system-kill-many") == asks


# end of module
