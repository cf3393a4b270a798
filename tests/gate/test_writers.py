"""One rule on paths: whatever writes a file is judged like an edit of it."""

import pytest
from tests.gate.example_project import Machine, judge, judge_tool


@pytest.mark.parametrize(
    "command",
    [
        "echo x >> {path}",
        "date | tee -a {path}",
        "cp README.md {path}",
        "mv {path} /tmp",
        "install README.md {path}",
        "sed -i s/a/b/ {path}",
        "perl -pi -e s/a/b/ {path}",
        "sort -o {path} README.md",
        "truncate -s 10 {path}",
        "chmod 600 {path}",
        "ln -sf README.md {path}",
        "curl -so {path} https://example.com",
        "printf x 1<> {path}",
        "openssl rand -out {path} 10",
        "find . -fprintf {path} %p",
        "awk 'BEGIN {{ print 1 > \"{path}\" }}'",
        "sed -n 'w {path}' README.md",
        "python3 -c \"open('{path}', 'w')\"",
        "rm {path}",
        "gcc -o {path} x.c",
        "tar cf {path} src",
    ],
)
def test_every_writer_is_judged_like_an_edit_of_the_same_path(command):
    path = "/home/ann/notes.txt"
    machine = Machine({path: "notes"})
    assert judge_tool("Write", {"file_path": path}, machine).effect == "junction"
    assert judge(command.format(path=path), machine).effect in {"junction", "block"}
    assert judge(command.format(path="/tmp/x"), machine).effect == "allow"
    assert judge(command.format(path="/home/ann/.cache/tool/x"), machine).effect == "allow"


@pytest.mark.parametrize(
    "path",
    [
        "/home/ann/.claude/shell-snapshots/snapshot-bash-1.sh",
        "/home/ann/.claude/session-env/x/hook-0.sh",
        "/home/ann/.claude.json",
        "/home/ann/configured/plugins/x/hooks.json",
    ],
)
def test_the_hosts_own_files_are_guarded_from_every_tool(path):
    assert judge_tool("Write", {"file_path": path}).effect == "junction"
    assert judge(f"echo 'ls() {{ x; }}' >> {path}").effect == "junction"
    assert judge(f"rm {path}").effect in {"junction", "block"}


def test_settings_are_settings_wherever_the_host_keeps_them():
    assert judge("echo {} > ~/configured/settings.json").rule == "edge-own-files"
    assert judge("echo x > ~/.claude/plans/next.md").effect == "allow"


def test_the_subject_of_a_write_is_the_path_however_it_is_spelled():
    subjects = {
        judge(command).findings[0].subject
        for command in ("echo x > ~/a", "cd ~; date >> ./a", "tee ~/b/../a")
    }
    assert subjects == {(("written", "/home/ann/a"),)}
