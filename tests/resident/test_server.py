"""The resident and the hook that asks it, as the real processes that they are."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

import pytest

from operators_edge import hook_client
from operators_edge.integrity import store
from operators_edge.project import Project
from operators_edge.resident import control, lifecycle, server as resident_server
from operators_edge.system import processes
from tests.hosting import COMMAND, Client, clean_env, events, list_installed, write
from tests.processes import HOOK
from tests.resident.conftest import STAY, staying

COMMANDS = (
    "ls -la",
    "git push --dry-run",
    "rm -rf /",
    "for f in *; do git push; done",
    "psql -c 'DROP TABLE users'",
    "echo 'unclosed",
    "cat ä ö ü",
    "",
)


def counts(env):
    return control.query("status", env)


def test_a_call_is_answered_as_without_a_resident(warm, cold, env):
    for command in COMMANDS:
        one, other = (each.before("Bash", command=command) for each in (warm, cold))
        assert one.get("permissionDecision") == other.get("permissionDecision"), command
        texts = [each.get("permissionDecisionReason", "").split("\n")[0] for each in (one, other)]
        assert texts[0] == texts[1]
    found = counts(env)
    assert found["quiet"] + found["answered"] == len(COMMANDS)


def test_what_the_tools_did_is_in_the_log_once_each(warm):
    warm.before("Bash", command="pytest")
    warm.done("Bash", {"stdout": "2 passed"}, command="pytest")
    warm.done("Bash", error="Exit code 1\nno", command="make")
    assert [each["success"] for each in logged(warm) if each.get("success") is not None] == [
        True,
        False,
    ]


def test_what_git_has_to_be_asked_about_is_asked_as_without_a_resident(warm, project, env):
    """Under "contextual" a folder that git ignores may go; work that is nowhere else is kept first."""
    write(env["HOME"], ".config/operators-edge/config.toml", 'profile = "contextual"\n')
    write(project, ".gitignore", "build/\n")
    write(project, "build/a.o", "")
    write(project, "notes/a.md", "nowhere else")
    assert warm.bash("rm -rf build") == ""
    assert events(warm, "snapshot") == []
    assert warm.bash("rm -rf notes") == ""
    assert len(events(warm, "snapshot")) == 1


def test_a_snapshots_files_have_the_modes_that_the_hooks_own_would_have(project, env):
    write(project, "readme.txt", "not committed")
    was = os.umask(0o077)
    try:
        with staying(env):
            os.umask(0o002)
            client = Client(project, env, attended=True)
            client.start()
            assert client.bash("git reset --hard") == ""
            assert counts(env)["answered"] == 1
    finally:
        os.umask(was)
    assert events(client, "snapshot")
    objects = os.path.join(project, ".git", "objects")
    modes = {os.stat(os.path.join(objects, each)).st_mode & 0o777 for each in os.listdir(objects)}
    assert 0o700 not in modes
    assert 0o775 in modes


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looked up in /proc")
def test_it_keeps_nothing_of_who_started_it_and_no_dead_process(project, env):
    read, write_end = os.pipe()
    os.set_inheritable(write_end, True)
    with subprocess.Popen(
        STAY, env=env, cwd=project, stdout=subprocess.PIPE, close_fds=False
    ) as one:
        os.close(write_end)
        try:
            assert one.stdout.readline() == b"ready\n"
            assert os.read(read, 1) == b""
            assert os.readlink(f"/proc/{one.pid}/cwd") == "/"
            client = Client(project, env)
            assert client.bash("rm -rf /") == "deny"
            counts(env)
            with open(f"/proc/{one.pid}/task/{one.pid}/children", encoding="ascii") as file:
                children = [int(each) for each in file.read().split()]
            while any(map(processes.identity, children)):
                os.sched_yield()
            counts(env)
            counts(env)
            with open(f"/proc/{one.pid}/task/{one.pid}/children", encoding="ascii") as file:
                assert file.read() == ""
        finally:
            os.close(read)
            one.kill()


def test_a_folder_that_is_gone_changes_no_answer(warm, env):
    event = {
        "hook_event_name": "PreToolUse",
        "session_id": warm.session,
        "cwd": warm.root,
        "tool_name": "Bash",
        "tool_input": {"command": "rm -rf /"},
    }
    answers = [
        json.loads(
            hook_client.ask_resident("claude", json.dumps(event).encode(), warm.env, folder).answer
        )
        for folder in (warm.root, "/nowhere", "")
    ]
    assert "fs-" in answers[0]["hookSpecificOutput"]["permissionDecisionReason"]
    assert answers == [answers[0]] * 3


@pytest.mark.parametrize("name", ["TMPDIR", "TEMP", "CLAUDE_PROJECT_DIR"])
def test_a_folder_that_is_named_from_where_the_hook_stands_is_not_the_residents(
    name, project, env, resident
):
    """The resident stands at the root, below which everything would be temporary, and no project is."""
    rule = {
        "id": "no-make",
        "effect": "block",
        "type": "dangerous",
        "reason": "No.",
        "instead": "Ask.",
        "match": ["make"],
    }
    lines = [f"{key} = {json.dumps(value)}" for key, value in rule.items()]
    when = 'when = [{ program = "make" }]'
    write(project, "edge.toml", "\n".join(["[[rule]]", *lines, when, 'no_match = ["ls"]', ""]))
    client = Client(project, {**env, "CLAUDE_PROJECT_DIR": project, name: "."})
    client.env[name] = "."
    assert [client.bash(each) for each in ("rm /opt/x", "make", "ls")] == ["deny", "deny", ""]


def test_not_the_whole_disk_is_temporary(project, env):
    client = Client(project, {**env, "TMPDIR": "/", "TEMP": "//"})
    assert client.bash("rm /opt/x") == "deny"


def test_nothing_but_a_process_of_the_resident_is_ended_at_the_other_ends_word(env):
    """What listens on the socket may be a stand-in, and name any process."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as innocent:
        for pid in (innocent.pid, -1, 0):
            ours, theirs = socket.socketpair()
            with ours, theirs:
                ours.settimeout(0.01)
                with pytest.raises(TimeoutError):
                    hook_client._wait_for_fork(ours, pid)
        assert innocent.poll() is None
        innocent.communicate(b"\n")
    assert innocent.returncode == 0


def test_an_attempt_to_start_is_made_now_and_then_whatever_is_in_the_way(env):
    lock = hook_client.lock_path(env)
    assert not lifecycle._is_due(lock), "nobody's folder is there yet"
    control.switch(env, is_on=True)
    assert lifecycle._is_due(lock)
    assert not lifecycle._is_due(lock)
    os.utime(lock, (1, 1))
    assert lifecycle._is_due(lock)
    assert not lifecycle._is_due(lock)
    later = os.stat(lock).st_mtime + 3600
    os.utime(lock, (later, later))
    assert lifecycle._is_due(lock), "the clock was set back"
    if os.geteuid() == 0:
        os.utime(lock, (1, 1))
        os.chown(os.path.dirname(lock), 4711, -1)
        assert not lifecycle._is_due(lock), "the folder is another user's"


def logged(client):
    return [each for each, _ in Project(client.root, is_set_up=True).log.entries()]


@pytest.mark.parametrize(
    "lacking", ["", "import os; hasattr(os, 'memfd_create') and delattr(os, 'memfd_create');"]
)
def test_what_is_written_to_stderr_reaches_the_hook(project, env, lacking):
    """Also where the system has no files that lie in memory."""
    code = f"{lacking}from operators_edge import hook; hook.main('--stay')"
    os.makedirs(os.path.join(project, ".proof"), exist_ok=True)
    with open(os.path.join(project, "active_context.yaml"), "w", encoding="utf-8") as file:
        file.write("plan: [unclosed\n")
    path = os.path.join(project, "active_context.yaml")
    with staying(env, [sys.executable, "-c", code]):
        warm = Client(project, env)
        warm.start()
        warm.done("Edit", {}, file_path=path, old_string="a", new_string="b")
        assert b"operators-edge: the plan was not read" in warm.stderr
        assert control.query("status", env)["answered"] == 1


def test_prompts_sessions_and_work_trees_are_about_the_process_itself(warm, env):
    before = counts(env)
    assert "objective" in warm.prompt("/edge status").lower()
    warm.send("Stop")
    warm.done("EnterWorktree", {"worktreePath": "/nowhere"})
    after = counts(env)
    assert after["answered"] == before["answered"]
    assert after["declined"] == before["declined"] + 1


@pytest.mark.parametrize("data", [b"", b"{", b"[1]", b'{"x": "PreToolUse"}', b"[" * 100_000])
def test_an_event_that_cannot_be_read_denies_the_call(warm, data):
    answer = json.loads(warm.raw(data + b' "PreToolUse"'))
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_five_megabytes_of_command_are_answered(warm):
    assert warm.bash("git push origin main; " + "echo x; " * 650_000) == "deny"


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"edge2 call 1 1\n",
        b"edge2 call 22 -1 0 0 0\n",
        b"edge2 call 22 99999999999 0 0 0\n",
        b"\0" * 1000,
        b"edge2 call 22 x y z 0\n",
        b"edge2 call 22 0 0 0 0\n" * 2,
    ],
)
def test_nonsense_on_the_socket_is_dropped_and_harms_nobody(warm, env, data):
    with socket.socket(socket.AF_UNIX) as end:
        end.connect(hook_client.socket_path(env))
        end.sendall(data)
        assert end.recv(10) == b""
    assert warm.bash("rm -rf /") == "deny"


def test_a_caller_that_goes_away_or_says_nothing_holds_nobody_up(warm, env):
    ends = [socket.socket(socket.AF_UNIX) for _ in range(50)]
    for end in ends:
        end.connect(hook_client.socket_path(env))
        end.sendall(b"edge2 call 22 5 0 0 100\nabc")
    ends[0].close()
    assert warm.bash("rm -rf /") == "deny"
    for end in ends:
        end.close()


def test_more_connections_than_it_can_have_cost_the_oldest_ones_their_place(project, env):
    few = ["bash", "-c", 'ulimit -n 64; exec "$@"', "x", *STAY]
    with staying(env, few):
        client = Client(project, env)
        ends = [socket.socket(socket.AF_UNIX) for _ in range(120)]
        for end in ends:
            end.connect(hook_client.socket_path(env))
        assert client.bash("rm -rf /") == "deny"
        assert counts(env)["answered"] == 1
        for end in ends:
            end.close()


def test_without_the_word_nothing_is_done(warm, env):
    """A hook that gave up decides by itself, so the resident must not act as well."""
    event = {
        "hook_event_name": "PostToolUse",
        "session_id": warm.session,
        "cwd": warm.root,
        "tool_name": "Bash",
        "tool_input": {"command": "make"},
        "tool_response": {},
        "tool_use_id": "t1",
    }
    before = logged(warm)
    connection = hook_client.connect(env)
    connection.sendall(
        hook_client.encode_request(
            json.dumps(event).encode(), hook_client.encode_environment(warm.env), "/", 0o22
        )
    )
    first, _ = hook_client._read_line(connection)
    pid = int(first.removeprefix(b"+"))
    connection.close()
    while processes.identity(pid):
        os.sched_yield()
    assert logged(warm) == before


def test_a_hung_resident_is_passed_over_and_ended(warm, resident):
    resident.send_signal(signal.SIGSTOP)
    assert warm.bash("rm -rf /") == "deny"
    assert resident.wait(timeout=10) == -signal.SIGKILL
    assert warm.bash("git push origin main") == "deny"


def test_a_resident_that_has_too_much_to_do_is_passed_over_and_stays(warm, resident, env):
    """It goes on with others, and this call had no turn yet."""
    path = hook_client.socket_path(env)
    resident.send_signal(signal.SIGSTOP)
    os.utime(path, (time.time() + 5, time.time() + 5))
    assert warm.bash("rm -rf /") == "deny"
    resident.send_signal(signal.SIGCONT)
    assert warm.bash("rm -rf /") == "deny"
    assert resident.poll() is None
    assert abs(os.stat(path).st_mtime - time.time()) < 3


def test_a_clock_that_was_set_back_keeps_no_hung_resident(warm, resident, env):
    resident.send_signal(signal.SIGSTOP)
    os.utime(hook_client.socket_path(env), (time.time() + 3600, time.time() + 3600))
    assert warm.bash("rm -rf /") == "deny"
    assert resident.wait(timeout=10) == -signal.SIGKILL


def test_a_killed_resident_is_passed_over(warm, resident):
    resident.kill()
    resident.wait()
    assert warm.bash("ls") == ""
    assert warm.bash("rm -rf /") == "deny"


@pytest.mark.parametrize(
    "at", [b"", b"-", b"=", b"=5 0\nab", b"+", b"+x\n", b"+1\n", b"=a b\n", b"\n" * 5000]
)
def test_a_resident_that_breaks_off_anywhere_leaves_the_decision_to_the_hook(project, env, at):
    """A stand-in that says the first bytes and goes away."""
    code = (
        "import socket, sys\n"
        "listening = socket.socket(socket.AF_UNIX)\n"
        f"listening.bind({hook_client.socket_path(env)!r})\n"
        "listening.listen(9)\n"
        "print('ready', flush=True)\n"
        "while True:\n"
        "    end, _ = listening.accept()\n"
        "    end.recv(1 << 20)\n"
        f"    end.sendall({at!r})\n"
        "    end.close()\n"
    )
    os.makedirs(os.path.dirname(hook_client.socket_path(env)), mode=0o700)
    os.chmod(os.path.dirname(hook_client.socket_path(env)), 0o700)
    with staying(env, [sys.executable, "-c", code]):
        client = Client(project, env)
        assert client.bash("rm -rf /") == "deny"
        assert client.bash("ls") == ""


def test_a_process_that_dies_with_the_word_leaves_the_decision_to_the_hook(project, env):
    code = (
        "import os, socket\n"
        "listening = socket.socket(socket.AF_UNIX)\n"
        f"listening.bind({hook_client.socket_path(env)!r})\n"
        "listening.listen(9)\n"
        "print('ready', flush=True)\n"
        "while True:\n"
        "    end, _ = listening.accept()\n"
        "    end.recv(1 << 20)\n"
        "    end.sendall(b'+%d\\n' % os.getpid())\n"
        "    end.recv(1)\n"
        "    end.close()\n"
    )
    os.makedirs(os.path.dirname(hook_client.socket_path(env)), mode=0o700)
    with staying(env, [sys.executable, "-c", code]):
        client = Client(project, env)
        assert client.bash("rm -rf /") == "deny"
        assert client.bash("ls") == ""


def test_a_folder_that_others_may_write_to_is_not_believed(warm, env):
    os.chmod(os.path.dirname(hook_client.socket_path(env)), 0o777)  # noqa: S103 - that is the case
    before = counts_of(env)
    assert warm.bash("rm -rf /") == "deny"
    os.chmod(os.path.dirname(hook_client.socket_path(env)), 0o700)
    assert counts_of(env) == before


def counts_of(env):
    folder = os.path.dirname(hook_client.socket_path(env))
    mode = os.stat(folder).st_mode & 0o777
    os.chmod(folder, 0o700)
    try:
        found = control.query("status", env)
        return found["quiet"], found["answered"]
    finally:
        os.chmod(folder, mode)


@pytest.mark.parametrize("is_replaced", [True, False])
def test_a_resident_of_other_code_answers_nothing_and_ends(project, env, tmp_path, is_replaced):
    """An upgrade replaces the files under a resident that runs; an editor writes into them."""
    copy = tmp_path / "lib" / "operators_edge"
    source = os.path.dirname(HOOK)
    copy.parent.mkdir()
    subprocess.run(["cp", "-r", source, str(copy)], check=True)
    list_installed(copy)
    client = Client(project, env)
    command = [*COMMAND[:3], str(copy / "hook.py"), "claude"]
    with staying(env, [*command[:4], "--stay"]) as resident:
        gate = copy / "gate" / "decide.py"
        if is_replaced:
            shutil.copy(gate, copy / "gate" / "decide.new")
            os.replace(copy / "gate" / "decide.new", gate)
        else:
            os.utime(gate)
        event = {
            "hook_event_name": "PreToolUse",
            "session_id": "s",
            "cwd": project,
            "tool_name": "Bash",
            "tool_input": {"command": "rm -rf /"},
        }
        answer = json.loads(client.raw(json.dumps(event).encode(), command))
        assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"
        assert resident.wait(timeout=20) == 0
        assert resident.stdout.read() == "its code has changed\n"
    (notice,) = store.read(env)["notices"]
    assert "was replaced while sessions used it" in notice["text"]


def test_one_resident_serves_a_user_and_another_steps_back(resident, env):
    second = subprocess.run(STAY, env=env, capture_output=True, text=True, check=True)
    assert second.stdout == "another one serves\n"


def test_a_killed_residents_socket_is_replaced(env, project):
    with staying(env):
        pass
    assert os.path.exists(hook_client.socket_path(env))
    with staying(env):
        assert Client(project, env).bash("rm -rf /") == "deny"
        assert counts(env)["answered"] == 1


def test_what_a_killed_start_left_behind_goes_with_the_next(env):
    folder = os.path.dirname(hook_client.socket_path(env))
    control.switch(env, is_on=True)
    os.makedirs(os.path.join(folder, "warmup-x", "project", ".git"))
    with staying(env):
        assert [each for each in os.listdir(folder) if each.startswith("warmup")] == []


def test_it_ends_when_told_and_takes_its_socket_along(resident, env):
    assert control.query("stop", env)["pid"] == resident.pid
    assert resident.wait(timeout=20) == 0
    assert not os.path.exists(hook_client.socket_path(env))


def test_a_request_is_known_as_whole_only_when_it_is():
    parts = (b"stamp", b"/", b"A=1\0B=\xff", b"{}")
    data = b"edge2 call 22 5 1 7 2\n" + b"".join(parts)
    for length in range(len(data)):
        assert resident_server.parse_request(data[:length]) is None
    request = resident_server.parse_request(data)
    assert request.env == {"A": "1", "B": "\udcff"}
    assert request.raw == b"{}"
    with pytest.raises(ValueError, match="no request"):
        resident_server.parse_request(data + b"e")


def test_a_warm_call_imports_nothing(warm, env):
    """What the warm-up left out would be imported in each process that answers."""
    code = (
        "import os, sys\n"
        "from operators_edge import hook_local\n"
        "from operators_edge.resident import warmup\n"
        "warmup.warm_up()\n"
        "before = set(sys.modules)\n"
        "import json\n"
        "for line in sys.stdin:\n"
        "    hook_local.answer('claude', json.loads(line))\n"
        "print(sorted(set(sys.modules) - before))\n"
    )
    common = {"session_id": warm.session, "cwd": warm.root, "tool_use_id": "t"}
    events = [
        {
            **common,
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": each},
        }
        for each in COMMANDS
    ]
    events += [
        {
            **common,
            "hook_event_name": "PostToolUse",
            "tool_name": tool,
            "tool_input": given,
            "tool_response": {},
        }
        for tool, given in (
            ("Bash", {"command": "npm test"}),
            ("Read", {"file_path": "a"}),
            ("Write", {"file_path": "b", "content": ""}),
        )
    ]
    done = subprocess.run(
        [sys.executable, "-c", code],
        input="\n".join(map(json.dumps, events)),
        env={**clean_env(env["HOME"]), "PYTHONPATH": os.path.dirname(os.path.dirname(HOOK))},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_it_takes_up_no_more_memory_with_the_calls_it_answers(warm, resident):
    def resident_kb():
        with open(f"/proc/{resident.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))

    event = json.dumps(
        {
            "hook_event_name": "PreToolUse",
            "session_id": warm.session,
            "cwd": warm.root,
            "tool_name": "Bash",
            "tool_input": {"command": "cargo build"},
        }
    ).encode()
    for _ in range(200):
        hook_client.ask_resident("claude", event, warm.env)
    before = resident_kb()
    for _ in range(2000):
        assert hook_client.ask_resident("claude", event, warm.env).answer == b""
    assert resident_kb() - before < 512


def test_one_that_was_being_started_when_it_was_switched_off_does_not_stay(env):
    control.switch(env, is_on=False)
    done = subprocess.run(STAY, env=env, capture_output=True, text=True, check=True, timeout=30)
    assert done.stdout == "nobody wants it\n"
