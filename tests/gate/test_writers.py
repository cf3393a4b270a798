"""One rule on paths: whatever writes a file is judged like an edit of it."""

import pytest
from tests.gate.example_project import ROOT, Machine, judge, judge_tool
from tests.tables import for_each


@for_each(
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
        "git archive -o {path} HEAD",
        "git archive --output={path} HEAD",
        "git bundle create {path} HEAD",
        "edge report --out {path}",
        "git format-patch -o {path} -1",
        "git log --output={path}",
        "git checkout-index --prefix={path} -a",
        "curl --libcurl {path} https://example.com",
        "gcc -o{path} x.c",
        "rustc --out-dir {path} x.rs",
        "7z a {path} src",
        "unrar x a.rar {path}",
        "tar xf a.tar --one-top-level={path}",
        "pip install --target {path} x",
        "pip download -d {path} x",
        "npm install --prefix {path} x",
        "npm pack --pack-destination {path}",
        "cargo install --root {path} x",
        "cargo build --target-dir={path}",
        "make install DESTDIR={path}",
        "cmake --install build --prefix {path}",
        "docker cp web:/x {path}",
        "aws s3 cp s3://bucket/x {path}",
        "rclone copy remote:x {path}",
        "pytest --basetemp={path}",
        "sqlite3 x.db \"vacuum into '{path}'\"",
        "strace -f -o {path} true",
        "time -o {path} true",
        "script {path}",
        "terraform plan -out={path}",
        "ssh-keygen -t rsa -f {path} -N ''",
        "xelatex -output-directory={path} a",
        "GIT_TRACE={path} git status",
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


@pytest.mark.parametrize(
    "link",
    [
        "ln -s ~ x",
        "ln -s ../ x",
        "ln -sfn ~ ./x",
        "ln -s -t . ~/x",
        "cd sub; ln -s ../.. ../x",
        "cp -s ~/x x",
        "cp --symbolic-link ~/x .",
        "python3 -c \"import os; os.symlink('/home/ann', 'x')\"",
    ],
)
def test_what_is_written_through_a_link_of_the_line_is_judged_where_it_leads(link):
    machine = Machine({f"{ROOT}/sub/a": ""})
    assert judge(f"{link}; echo y > {ROOT}/x/y", machine).effect == "junction"
    assert judge(f"{link}; echo y > {ROOT}/z/y", machine).effect == "allow"


@pytest.mark.parametrize(
    "link", ["ln ~/x y", "ln ../x y", "cp -l ~/x y", "link ~/x y", "ln -t . ~/y"]
)
def test_a_second_name_of_a_file_outside_is_judged_as_that_file(link):
    assert judge(f"{link}; echo y > y").effect == "junction"


@for_each(
    "command",
    [
        "git worktree add ../fix main",
        "git clone https://example.com/r ~/r",
        "git archive -o out.tar HEAD",
        "git format-patch -o /tmp/patches -1",
        "npm --prefix ../other test",
        "pip install --dry-run --target ~/x y",
        "docker cp out.txt web:/srv/out.txt",
        "aws s3 cp out.txt s3://bucket/ --dryrun",
        "7z l ~/a.7z",
        "cargo build --manifest-path ~/other/Cargo.toml",
        "ssh-keygen -lf ~/x.pub",
        "strace -o trace.txt ls",
    ],
)
def test_what_overwrites_nothing_outside_is_silent(command):
    assert judge(command).effect == "allow"


def test_a_repository_is_not_cloned_to_where_a_client_reads_skills():
    assert judge("git clone https://example.com/r ~/.claude/skills/r").effect == "junction"


def test_making_a_link_writes_where_it_is_made():
    assert judge("ln -s ~/x y").effect == "allow"
    assert judge("ln -s y ~/x").effect == "junction"
    assert judge("ln -s ~; ln -s ~/x y").effect == "allow"


@for_each(
    "command",
    [
        "for f in ~/.bash*; do echo x >> $f; done",
        'for f in ~/.bash*; do cp README.md "$f"; done',
        "for f in ~/.{bash,z}*; do sed -i s/a/b/ $f; done",
        'for f in ~/.bash*; do echo x >> "${f%.bak}"; done',
        "for f in ~/.bash*; do echo x >> ~/$(basename $f); done",
        "for f in ~/.bash*; do echo x >> $(realpath $f); done",
        "cd ~; for f in .bash*; do echo x >> $f; done",
        "for f in ~/.ssh/auth*; do cat key.pub >> $f; done",
        "for f in /etc/cron.d/*; do echo x >> $f; done",
        "for d in /home/*; do echo x >> $d/.bashrc; done",
        "while read f; do echo x >> ~/.$f; done < names",
        'ls -d ~/.bash* | while read -r f; do echo x >> "$f"; done',
        "find ~ -name '.bash*' | while read f; do echo x >> $f; done",
        "find ~ -name '.bash*' -exec sh -c 'echo x >> $1' _ {} \\;",
        "find ~ ../x -exec gzip {} +",
        "find ~/photos | xargs chmod 600",
        "ls ~/.bash* | xargs -I{} sh -c 'echo x >> {}'",
        "ls ~/.bash* | parallel 'echo x >> {}'",
        "find ~/www -type f -name '*.php' | xargs sed -i s/a/b/",
        "a=(~/.bash*); for f in ${a[@]}; do echo x >> $f; done",
        "for f in .git/hooks/*; do echo x >> $f; done",
        "cp app.conf /lib/modules/$(uname -r)/",
        'mv a.txt "$HOME/notes/$(date +%F).txt"',
    ],
)
def test_a_path_is_judged_by_its_known_folder_if_only_its_name_is_unknown(command):
    assert judge(command).effect == "junction"


@for_each(
    "command",
    [
        "for f in *.py; do echo '# x' >> $f; done",
        "for f in ~/.bash*; do cat $f >> names.txt; done",
        'for f in /etc/*.conf; do cat $f > "conf/$(basename $f)"; done',
        "for f in /tmp/x/*; do echo x > $f; done",
        "for f in ~/.cache/tool/*; do echo x > $f; done",
        'while read -r f; do echo x >> "build/$f"; done < list',
        "find . -name '*.py' | while read f; do echo x >> $f; done",
        "find src -name '*.py' -exec sed -i s/a/b/ {} +",
        "find ~/photos -name '*.jpg' | xargs ls -l",
        "ls *.csv | xargs gzip",
        "ls *.sql | entr psql -f /_",
        "echo x > $OUT/y",
        "d=$(mktemp -d); echo x > $d/y",
    ],
)
def test_unknown_names_in_the_project_are_silent(command):
    assert judge(command).effect == "allow"
