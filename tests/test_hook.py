"""The hook as the client runs it: a real process, whatever it is fed and wherever it stands."""

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from operators_edge import hook
from operators_edge.gate import rules
from tests.hosting import COMMAND, Client, clean_env
from tests.processes import HOOK, SOURCE

DENY = "deny"


def decision(raw):
    return json.loads(raw)["hookSpecificOutput"]["permissionDecision"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"   \n",
        b"{",
        b"[1, 2]",
        b'"text"',
        b"\xff\xfe\x00",
        b'{"hook_event_name": "PreToolUse", "tool_name": "Bash"',
        b"[" * 100_000,
    ],
)
def test_an_event_that_cannot_be_read_denies_the_call(client, data):
    assert decision(client.raw(data)) == DENY
    assert client.returncode == 0


@pytest.mark.parametrize(
    "given",
    [None, "x", [], {}, {"command": None}, {"command": 7}, {"command": ["rm", "-rf", "/"]}],
)
def test_a_shell_call_without_a_readable_command_is_not_silently_allowed(client, given):
    answer = client.send("PreToolUse", tool_name="Bash", tool_input=given)
    assert answer["hookSpecificOutput"]["permissionDecision"] in ("deny", "ask")


def test_an_unknown_tool_needs_a_decision_and_a_reading_one_does_not(client):
    assert client.before("BrandNewTool", x=1)["permissionDecision"] == DENY
    assert client.before("Read", file_path="a.py") == {}


def test_five_megabytes_of_command_are_answered_in_time(client):
    before = os.times().children_user
    assert client.bash("git push origin main; " + "echo x; " * 650_000) == DENY
    assert client.bash("echo " + "a" * 5_000_000) in ("", DENY)
    assert client.bash("echo " + "$(" * 2_000_000) == DENY
    took = os.times().children_user - before
    assert took < 30  # some 5: not by the clock, as others work too


def test_silence_is_empty_and_a_denial_is_one_json_object(client):
    assert client.raw(event("ls -la")) == b""
    text = client.raw(event("rm -rf /"))
    assert json.loads(text)["hookSpecificOutput"]["hookEventName"] == "PreToolUse"
    assert text.isascii()


def event(command):
    body = {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "cwd": "/",
    }
    return json.dumps(body).encode()


def test_the_stop_of_a_turn_is_never_held_up(client):
    state = os.path.join(client.root, "active_context.yaml")
    with open(state, "w", encoding="utf-8") as file:
        file.write("plan: [unclosed\n")
    assert client.send("Stop") == {}
    assert client.send("Stop", stop_hook_active="nonsense", cwd=17) == {}
    assert client.returncode == 0


def test_with_a_damaged_state_the_gate_works_at_its_strictest(client):
    with open(os.path.join(client.root, "active_context.yaml"), "w", encoding="utf-8") as file:
        file.write("objective: 'unclosed\nplan: [\n")
    assert client.bash("ls") == ""
    assert client.bash("rm -rf /") == DENY
    answer = client.before("Bash", command="git push origin main")
    assert answer["permissionDecision"] == DENY
    assert "active_context.yaml" in answer["permissionDecisionReason"]


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_in_a_read_only_project_nothing_falls_open(client):
    if os.geteuid() == 0:
        mounted = read_only_mount(client.root)
        if not mounted:
            pytest.skip("no read-only mount can be made here, and root writes everywhere")
    else:
        os.chmod(client.root, 0o500)
    try:
        assert client.bash("ls") == ""
        assert client.bash("git push origin main") == DENY
        client.done("Bash", {"stdout": "x"}, command="ls")
        assert client.send("Stop") == {}
    finally:
        if os.geteuid() == 0:
            subprocess.run(["umount", client.root], check=True)
        else:
            os.chmod(client.root, 0o700)


def read_only_mount(root):
    bind = subprocess.run(["mount", "--bind", root, root], capture_output=True, check=False)
    if bind.returncode:
        return False
    subprocess.run(["mount", "-o", "remount,ro,bind", root], check=True)
    return True


def test_a_full_disk_denies_what_would_have_to_be_recorded(project, fenced, tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(small)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no size-limited file system can be mounted here")
    try:
        root = small / "p"
        root.mkdir()
        (root / "active_context.yaml").write_text("objective: x\nplan: []\nconstraints: []\n")
        client = Client(str(root), clean_env(fenced))
        client.start()
        before = (root / "active_context.yaml").read_bytes()
        with open(root / "ballast", "wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"x" * 4096)
            except OSError:
                pass
        assert client.bash("ls") == ""
        assert client.bash("git push origin main") == DENY
        assert client.bash("rm -rf /") == DENY
        client.done("Bash", {"stdout": "x"}, command="ls")
        assert client.send("Stop") == {}
        assert (root / "active_context.yaml").read_bytes() == before
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_without_a_home_the_gate_still_decides(client):
    del client.env["HOME"]
    del client.env["XDG_STATE_HOME"]
    client.env["LOCALAPPDATA"] = ""
    assert client.bash("ls") == ""
    assert client.bash("rm -rf ~") == DENY


def test_a_working_directory_that_is_gone_changes_nothing(client, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    script = (
        f"import os, subprocess; os.chdir({str(gone)!r}); os.rmdir({str(gone)!r});"
        f"print(subprocess.run({COMMAND!r}, input={event('rm -rf /')!r}, capture_output=True)"
        ".stdout.decode())"
    )
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout
    assert decision(out) == DENY


def test_a_hostile_current_folder_and_python_path_are_not_imported(client, tmp_path):
    (tmp_path / "json.py").write_text("raise SystemExit(0)")
    (tmp_path / "operators_edge.py").write_text("raise SystemExit(0)")
    client.env["PYTHONPATH"] = str(tmp_path)
    client.root = str(tmp_path)
    assert client.bash("rm -rf /") == DENY


def test_the_hook_waits_no_longer_than_its_deadline_for_an_event():
    reader, writer = os.pipe()
    code = (
        f"import sys; sys.path.insert(0, {SOURCE!r});"
        "from operators_edge import hook_client, hook;"
        "hook_client.DEADLINE_SECONDS = 0.3; sys.exit(hook.main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], stdin=reader, capture_output=True, timeout=20, check=False
    )
    os.close(reader)
    os.close(writer)
    assert decision(done.stdout) == DENY
    assert done.returncode == 0


@pytest.mark.parametrize("system", ["", "hook_client.HAS_ALARM = False;"])
@pytest.mark.parametrize("name", ["SessionStart", "Stop", "SessionEnd"])
def test_the_ends_of_a_session_and_a_turn_have_a_deadline_of_their_own(client, name, system):
    """Also where no signal can end the wait."""
    code = (
        f"import sys; sys.path.insert(0, {SOURCE!r});"
        f"from operators_edge import hook_local, hook_client, hook; {system}"
        "hook_local.SESSION_SECONDS = 0.001; sys.exit(hook.main())"
    )
    command = [sys.executable, "-c", code]
    given = {"session_id": "s", "cwd": client.root, "hook_event_name": name, "source": "startup"}
    answer = client.raw(json.dumps(given).encode(), command)
    assert b"no answer in time" in client.stderr
    if name == "SessionStart":  # the person sees it; the other two end anyway
        assert "Run: edge doctor" in json.loads(answer)["systemMessage"]
    else:
        assert answer == b""


def test_without_signals_a_longer_time_ends_the_shorter_one(client):
    code = (
        f"import sys; sys.path.insert(0, {SOURCE!r});"
        "from operators_edge import hook_local, hook_client, hook;"
        "hook_client.HAS_ALARM = False; hook_client.DEADLINE_SECONDS = 0.2;"
        "hook_local.answer = lambda *_: (threading.Event().wait(0.6), '{}')[1]; import threading;"
        "sys.exit(hook.main())"
    )
    given = {"session_id": "s", "cwd": client.root, "hook_event_name": "SessionEnd"}
    client.raw(json.dumps(given).encode(), [sys.executable, "-c", code])
    assert b"no answer in time" not in client.stderr


def test_a_command_without_a_trigger_word_imports_neither_parser_nor_yaml(client):
    rules.load()  # the packs are compiled by now, as on every call but the first
    code = (
        f"import sys; sys.path.insert(0, {SOURCE!r});"
        "from operators_edge import hook; hook.main();"
        "heavy = {'operators_edge.shell.grammar', 'ruamel', 'dataclasses', 'tomllib', 'pathlib', 'typing'};"
        "sys.stderr.write(','.join(sorted(heavy & set(sys.modules))))"
    )
    command = [sys.executable, "-I", "-S", "-c", code]
    client.raw(event("tokei src && ls src | head -5"), command)
    assert client.stderr == b""


@pytest.mark.parametrize("half", ["hook_client", "hook_local", "locations"])
@pytest.mark.parametrize("text", ["not python (", "raise RuntimeError", None])
def test_a_package_half_of_which_cannot_be_loaded_denies_what_acts(client, tmp_path, half, text):
    """As in the middle of an upgrade."""
    copy = str(tmp_path / "operators_edge")
    shutil.copytree(os.path.dirname(HOOK), copy)
    path = os.path.join(copy, f"{half}.py")
    os.unlink(path)
    if text is not None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    hook = [sys.executable, "-I", "-S", os.path.join(copy, "hook.py"), "claude"]
    assert decision(client.raw(event("ls"), hook)) == DENY
    assert client.raw(event("ls").replace(b"PreToolUse", b"Stop"), hook) == b""


@pytest.mark.parametrize("is_there", [True, False])
def test_with_a_pack_cut_or_gone_calls_are_denied_and_prompts_are_not(client, tmp_path, is_there):
    copy = tmp_path / "operators_edge"
    shutil.copytree(os.path.dirname(HOOK), copy)
    pack = copy / "gate" / "packs" / "git.toml"
    data = pack.read_bytes()
    pack.unlink()
    if is_there:
        pack.write_bytes(data[: data.index(b"[[rule]]")])
    hook = [sys.executable, "-I", "-S", str(copy / "hook.py"), "claude"]
    answer = client.raw(event("git push --force"), hook)
    assert decision(answer) == DENY
    assert b"The installation is damaged: git.toml is" in answer
    prompt = {"hook_event_name": "UserPromptSubmit", "session_id": "x", "prompt": "hello"}
    for other in ({"hook_event_name": "Stop", "session_id": "x"}, prompt):
        assert b"block" not in client.raw(json.dumps({**other, "cwd": client.root}).encode(), hook)


def test_a_deadline_that_comes_while_the_answer_is_being_loaded_denies_the_call():
    reader, writer = os.pipe()
    code = (
        f"import sys; sys.path.insert(0, {SOURCE!r});"
        "from operators_edge import hook_client, hook; hook_client.DEADLINE_SECONDS = 0.2;"
        "hook._hook_local = lambda: sys.modules['not there'];"
        "sys.exit(hook_client.main('claude', hook._hook_local, hook._deny_unloaded))"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, stdin=reader, capture_output=True, timeout=20, check=False)
    os.close(reader)
    os.close(writer)
    assert decision(done.stdout) == DENY


@pytest.mark.skipif(os.name != "posix", reason="streams as a POSIX shell closes them")
@pytest.mark.parametrize("how", [">&-", "1>/dev/full", ">&- 2>&-", ">&- <&- <event"])
def test_a_denial_that_nobody_can_read_blocks_by_its_exit_code(how, client, tmp_path):
    assert redirected(client, how, event("rm -rf /"), tmp_path).returncode == 2
    assert redirected(client, how, event("ls -la"), tmp_path).returncode == 0


@pytest.mark.skipif(os.name != "posix", reason="streams as a POSIX shell closes them")
@pytest.mark.parametrize("how", ["2>&-", "2>/dev/full"])
@pytest.mark.parametrize("data", [event("rm -rf /"), b'{"hook_event_name": "PreToolUse"'])
def test_complaints_that_nobody_takes_keep_no_answer_back(how, data, client, tmp_path):
    done = redirected(client, how, data, tmp_path)
    assert (decision(done.stdout), done.returncode) == (DENY, 0)


@pytest.mark.skipif(os.name != "posix", reason="streams as a POSIX shell closes them")
def test_what_is_opened_never_takes_the_place_of_a_closed_stream(client, tmp_path):
    redirected(client, ">&- 2>&- <&- <event", event("git push origin main"), tmp_path)
    log = os.path.join(client.root, ".proof")
    for folder, _, names in os.walk(log):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                assert b"hookSpecificOutput" not in file.read()


def redirected(client, how, data, folder):
    """The hook below a shell that has done so with its streams."""
    (folder / "event").write_bytes(data)
    words = ["sh", "-c", f'exec "$@" <event {how}', "sh", *COMMAND]
    return subprocess.run(words, cwd=folder, env=client.env, capture_output=True, check=False)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
@pytest.mark.parametrize(
    "name",
    [
        "active_context.yaml",
        ".proof/cache/needles.json",
        ".proof/cache/state.json",
        ".proof/journal.json",
        ".claude/settings.local.json",
        ".claude/settings.json",
        ".mcp.json",
        "no-transcript.jsonl",
    ],
)
def test_a_named_pipe_in_the_place_of_a_file_holds_no_call_up(name, client):
    path = os.path.join(client.root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path):
        os.unlink(path)
    os.mkfifo(path)
    started = time.monotonic()
    client.start()
    client.prompt("go on")
    client.send("Stop")
    assert client.bash("ls") == ""
    assert client.bash("rm -rf /") == DENY
    assert client.before("Edit", file_path="a.py").get("permissionDecision") in (None, DENY)
    assert time.monotonic() - started < 8


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_the_hook_finds_its_package_however_it_is_reached(client, tmp_path):
    package = os.path.dirname(HOOK)
    os.symlink(package, tmp_path / "elsewhere")
    (tmp_path / "a" / "bin").mkdir(parents=True)
    os.symlink(HOOK, tmp_path / "a" / "bin" / "edge-hook.py")
    for path in (
        f"{package}/gate/../hook.py",
        f"{package}/./hook.py",
        tmp_path / "elsewhere" / "hook.py",
        tmp_path / "a" / "bin" / "edge-hook.py",
    ):
        command = [*COMMAND[:3], str(path), "claude"]
        assert client.raw(event("ls -la"), command) == b""
        assert b"fs-delete-whole" in client.raw(event("rm -rf /"), command)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looked up in /proc")
def test_the_deadline_is_heard_also_where_its_signal_was_blocked(client):
    was = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    try:
        hook = subprocess.Popen(COMMAND, env=client.env, stdin=subprocess.PIPE)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, was)
    alarm = 1 << signal.SIGALRM - 1
    until = time.monotonic() + 5
    try:
        while not signals_of(hook.pid, "SigCgt") & alarm and time.monotonic() < until:
            os.sched_yield()
        while signals_of(hook.pid, "SigBlk") & alarm and time.monotonic() < until:
            os.sched_yield()
        assert signals_of(hook.pid, "SigCgt") & alarm
        assert not signals_of(hook.pid, "SigBlk") & alarm
    finally:
        hook.kill()
        hook.communicate()


def signals_of(pid, which):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1], 16) for line in file if line.startswith(which))


@pytest.mark.parametrize("has_alarm", [True, False], ids=["signal", "thread"])
@pytest.mark.parametrize(("tool", "is_denied"), [("Bash", True), ("Read", False)])
def test_a_deadline_before_the_event_is_looked_at_knows_what_was_read(tool, is_denied, has_alarm):
    """As while a resident is waited for: what only reads is let through."""
    reader, writer = os.pipe()
    given = {"tool_name": tool, "tool_input": {}, "cwd": "/", "session_id": "s"}
    os.write(writer, json.dumps({"hook_event_name": "PreToolUse", **given}).encode())
    code = (
        f"import sys; sys.path.insert(0, {SOURCE!r}); from operators_edge import hook_client, hook;"
        f"hook_client.HAS_ALARM = {has_alarm}; hook_client.DEADLINE_SECONDS = 0.5; sys.exit(hook.main())"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, stdin=reader, capture_output=True, timeout=20, check=False)
    os.close(reader)
    os.close(writer)
    assert (b'"deny"' in done.stdout) == is_denied
    assert b"no answer in time" in done.stderr


@pytest.fixture
def loaded(tmp_path):
    """What a module of ours in a folder answers, each time loaded again."""

    def load(text=None, **more):
        if text is not None:
            (tmp_path / "part.py").write_text(f"answer = {text}\n# end of module\n", **more)
        spec = hook.Folder(str(tmp_path), hook.WholeModule).find_spec("package.part")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


def test_a_module_is_loaded_from_its_compiled_form_until_its_source_changes(loaded, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    module = loaded("1")
    assert os.path.exists(module.__cached__)
    with monkeypatch.context() as without_compiling:
        without_compiling.delattr(hook.WholeModule, "source_to_code")
        without_compiling.setattr(hook.loading.SourceLoader, "source_to_code", None)
        assert loaded().answer == 1
    os.utime(module.__file__, (1, 1))
    assert loaded().answer == 1
    assert loaded("22").answer == 22
    os.truncate(module.__cached__, 7)
    assert loaded().answer == 22


def test_a_module_is_loaded_where_no_compiled_form_can_be(loaded, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "nowhere"))
    assert loaded("1").answer == 1
    monkeypatch.setattr(sys.implementation, "cache_tag", None)
    assert loaded("2").answer == 2


def test_a_package_is_found_by_its_folder_and_what_is_not_there_is_not(tmp_path):
    (tmp_path / "inner").mkdir()
    folder = hook.Folder(str(tmp_path), hook.WholeModule)
    assert folder.find_spec("package.inner") is None
    (tmp_path / "inner" / "__init__.py").write_text("")
    found = folder.find_spec("package.inner")
    assert found.submodule_search_locations == [str(tmp_path / "inner")]
    assert found.origin == str(tmp_path / "inner" / "__init__.py")
    assert folder.find_spec("package.other") is None
