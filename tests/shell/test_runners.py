"""Programs that run other programs: for each item, from an option, or as their own words."""

import base64

from tests.tables import for_each

from operators_edge.shell.commands import HOLE
from operators_edge.shell.evaluate import parse


def runs(text):
    """The commands of a text that are not the program that runs them."""
    return [[word.text for word in one.argv] for one in parse(text).commands if one.through]


@for_each(
    ("text", "commands"),
    [
        ("printf 'a\\nb\\n' | xargs -I % rm x%", [["rm", "xa"], ["rm", "xb"]]),
        ("fzf --bind 'enter:execute(rm a)'", [["rm", "a"]]),
        ("fzf --bind='ctrl-p:put(text)'", []),
        ("ansible all -a 'rm a'", [["rm", "a"]]),
        ("ansible all -m ansible.builtin.shell -a 'rm a'", [["rm", "a"]]),
        ("ansible all -m debug -a 'var=groups.keys()'", []),
        (
            "pwsh -c 'gci a | ri -Force'",
            [["gci", "a"], ["Remove-Item", "-Force"]],
        ),
        (
            "pwsh -c 'gci a | % { del $_ }'",
            [["gci", "a"], ["%", "{", "Remove-Item", HOLE, "}"], ["Remove-Item", HOLE]],
        ),
        ("rg --pre rm x src", [["rm", HOLE]]),
        ("rg -l --pre=/tmp/tidy x src", [["/tmp/tidy", HOLE]]),
        ("rg --pre pdftotext --pre-glob '*.pdf' x docs", [["pdftotext", HOLE]]),
        ("rg --no-pre x src", []),
        ("bat --pager 'rm a' x", [["rm", "a"]]),
        ("ag --pager='rm a' x", [["rm", "a"]]),
        ("bat --pager=less x", []),
        ("numactl -l -m 0 rm a", [["rm", "a"]]),
        ("echo a | xargs -I% rm %", [["rm", "a"]]),
        ("echo a | xargs --replace=@ rm @", [["rm", "a"]]),
        ("echo a | xargs -i rm {}", [["rm", "a"]]),
        ("printf 'a b' | xargs -J % mv % dir", [["mv", "a", "b", "dir"]]),
        ("ls | xargs -J % mv % dir", [["mv", HOLE, "dir"]]),
        ("printf a,b | xargs -d , rm", [["rm", "a", "b"]]),
        ("printf a,b | xargs --delimiter=, rm", [["rm", "a", "b"]]),
        ("printf 'a b\\nc' | xargs -d '\\n' rm", [["rm", "a b", "c"]]),
        ("printf 'a' | xargs -0 rm", [["rm", "a"]]),
        ("""printf '%s' "'a b' c\\\\ d" | xargs rm""", [["rm", "a b", "c d"]]),
        ("""printf '%s' "'a b' c" | xargs -I% rm %""", [["rm", "a b c"]]),
        ("echo a | xargs -a file rm", [["rm"]]),
        ('echo "$x" | xargs rm', [["rm"]]),
        ("echo a | xargs", [["echo", "a"]]),
        ("printf 'a b c' | xargs -n2 rm", [["rm", "a", "b"], ["rm", "c"]]),
        ("printf 'a b c' | xargs -n 1 -P 4 rm", [["rm", "a"], ["rm", "b"], ["rm", "c"]]),
        ("printf 'a\\0b\\0' | xargs -0 --max-args=1 rm", [["rm", "a"], ["rm", "b"]]),
        ("printf 'a b\\n\\nc\\n' | xargs -L1 rm", [["rm", "a", "b"], ["rm", "c"]]),
        ("printf 'a \\nb\\nc\\n' | xargs -L 1 rm", [["rm", "a", "b"], ["rm", "c"]]),
        ("printf 'a\\nb\\nc\\n' | xargs --max-lines=2 rm", [["rm", "a", "b"], ["rm", "c"]]),
        ("printf 'a b\\nc\\n' | xargs -rtl rm", [["rm", "a", "b"], ["rm", "c"]]),
        ("parallel rm ::: a b", [["rm", "a"], ["rm", "b"]]),
        ("parallel rm {.} ::: 'a b'", [["rm", "a b"]]),
        ("parallel rm :::: names", [["rm", HOLE]]),
        ("echo a | parallel rm", [["rm", "a"]]),
        ("ls | parallel rm", [["rm", HOLE]]),
        ("parallel ::: 'rm a' 'rm b'", [["rm", "a"], ["rm", "b"]]),
        ("parallel echo 'a b' ::: c", [["echo", "a", "b", "c"], ["echo", "a b"]]),
        ("find . -exec rm {} + -ok ls \\;", [["rm", f"./{HOLE}"], ["ls"]]),
    ],
)
def test_items_are_followed_one_by_one_if_they_are_known(text, commands):
    assert runs(text) == commands


def utf16(text):
    return base64.b64encode(text.encode("utf-16-le")).decode()


@for_each(
    ("text", "commands"),
    [
        ("pwsh -NoProfile -Command rm x", [["rm", "x"]]),
        ("pwsh -c \"iex 'rm x'\"", [["rm", "x"]]),
        ("pwsh -ExecutionPolicy Bypass -c rm x", [["rm", "x"]]),
        ("echo rm x | pwsh -Command -", [["rm", "x"]]),
        (f"powershell -enc {utf16('rm x')}", [["rm", "x"]]),
        ("powershell -EncodedCommand zz", [[HOLE]]),
        ("powershell file.ps1", []),
        ("cmd /c rm x", [["rm", "x"]]),
        ("make -f - <<< $'a:\\n\\trm x'", [["rm", "x"]]),
        ("make --eval 'a: ; rm x'", [["rm", "x"]]),
        ("make SHELL='rm x'", [["rm", "x"]]),
        ("make SHELL=/bin/bash", []),
        ("tar cf x.tar y --checkpoint-action=exec='rm x'", [["rm", "x"]]),
        ("ssh -o ProxyCommand='rm x' host", [["rm", "x"]]),
        ("git clone 'ext::rm x'", [["rm", "x"]]),
        ("git difftool -x 'rm x'", [["rm", "x"]]),
        ("git -c alias.z='!rm x' z", [["rm", "x"]]),
        ("git rebase --exec 'rm x' main", [["rm", "x"]]),
        ("git submodule foreach --recursive rm x", [["rm", "x"]]),
        ("socat - EXEC:'rm x'", [["rm", "x"]]),
        ("less +'!rm x' file", [["rm", "x"]]),
        ("command -p rm x", [["rm", "x"]]),
        ("command -v rm", []),
        ("coproc NAME rm x", [["rm", "x"]]),
        ("env - A=1 rm x", [["rm", "x"]]),
        ("adb shell rm x", [["rm", "x"]]),
        ("runuser -u joe rm x", [["rm", "x"]]),
        ("su joe -c 'rm x'", [["rm", "x"]]),
        ("flock lock -c 'rm x'", [["rm", "x"]]),
        ("flock -w 3 lock rm x", [["rm", "x"]]),
        ("watch -n 1 rm x", [["rm", "x"]]),
        ("watch -x rm 'a b'", [["rm", "a b"]]),
        ("watch rm 'a b'", [["rm", "a", "b"], ["rm", "a b"]]),
        ("ls | entr -s 'rm x'", [["rm", "x"]]),
        ("ls | entr rm x", [["rm", "x"]]),
        ("concurrently 'rm x' 'rm y'", [["rm", "x"], ["rm", "y"]]),
        ("tmux send-keys -t 1 'rm x' Enter", [["rm", "x"]]),
        ("tmux display-popup -E rm x", [["rm", "x"]]),
        ("tmux list-sessions", []),
        ("start-stop-daemon --start --exec rm -- x", [["rm", "x"]]),
        ("echo rm x | at now", [["rm", "x"]]),
        ("trap 'rm x' EXIT", [["rm", "x"]]),
        ("trap - EXIT", []),
        ("trap 'rm \"$t\"' EXIT; t=x", [["rm", "x"]]),
        ('f() { rm "$t"; }; trap f EXIT; t=x', [["rm", "x"]]),
        ("trap 'rm \"$t\"' EXIT; t=x; t=y", [["rm", HOLE]]),
        ("trap 'rm \"$t\"' EXIT", [["rm", HOLE]]),
        ("trap 't[1]=x; rm \"${t[1]}\"' EXIT", [[], ["rm", "x"]]),
        ("trap 'rm \"$t\"' INT; t=x", [["rm", HOLE]]),
        ("trap 'rm \"$HOME\"' EXIT", [["rm", "~"]]),
        ("hyperfine --prepare 'rm x' ls", [["rm", "x"], ["ls"]]),
        ("kubectl exec pod -- rm x", [["rm", "x"]]),
        ("docker compose -f a.yml exec -T web rm x", [["rm", "x"]]),
        ("docker run --rm -v a:b alpine rm x", [["rm", "x"]]),
        ("npx -c 'rm x'", [["rm", "x"]]),
        ("npx -- rm x", [["rm", "x"]]),
        ("docker run --entrypoint rm alpine x", [["rm", "x"]]),
        ("docker run alpine", []),
        ("docker run hashicorp/terraform:1.9 destroy", [["destroy"], ["terraform", "destroy"]]),
        ("su joe <<< 'rm x'", [["rm", "x"]]),
        ("script -q out", []),
        ("script -qc 'rm x' out", [["rm", "x"]]),
        ("nix shell a -c rm x", [["rm", "x"]]),
        ("screen -S a -X stuff $'rm x\\n'", [["rm", "x"]]),
        ("screen -dm rm x", [["rm", "x"]]),
        ("at now", []),
        ("printf '0 3 * * * rm x\\n' | crontab -", [["rm", "x"]]),
        ("git", []),
        ("uv tool run --from a rm x", [["rm", "x"]]),
    ],
)
def test_what_a_program_runs_is_found_in_its_words(text, commands):
    assert runs(text) == commands


def test_a_folder_given_to_env_or_sudo_is_where_the_command_runs():
    for text in ("env -C/x rm y", "env --chdir /x rm y", "sudo -D /x rm y"):
        assert [one.cwd for one in parse(text).commands if one.through] == ["/x"], text


@for_each(
    "text",
    [
        "sqlite3 x.db '.sy rm -rf /'",
        "sqlite3 x.db '.output |rm -rf /'",
        "psql -c 'select 1 \\g |rm -rf /'",
        "gdb -batch -ex 'pipe p 1 | rm -rf /'",
        "octave --eval 'system(\"rm -rf /\")'",
        "guile -c '(system \"rm -rf /\")'",
        "erl -eval 'os:cmd(\"rm -rf /\").'",
        "ocaml <<< 'Sys.command \"rm -rf /\";;'",
        "bc <<< '!rm -rf /'",
        "groff -U <<< '.sy rm -rf /'",
        "git -c uploadpack.packObjectsHook='rm -rf /' fetch",
        "git -c man.x.cmd='rm -rf /' help log",
        "LESSCLOSE='rm -rf /' less x",
    ],
)
def test_what_a_program_runs_by_its_own_language_is_found(text):
    assert ["rm", "-rf", "/"] in runs(text)


def test_what_a_program_writes_by_its_own_language_is_found():
    assert ["tee", "/x"] in [
        [word.text for word in one.argv] for one in parse("sqlite3 a.db '.output /x'").commands
    ]
    found = parse("""emacs --batch --eval '(write-region "" nil "/x")'""").commands
    assert ["tee", "/x"] in [[word.text for word in one.argv] for one in found]


@for_each(
    ("text", "programs"),
    [
        ("(gc a.json | ConvertFrom-Json).version", ["gc", "ConvertFrom-Json"]),
        ("((gc a.json) | ConvertFrom-Json).a[0].b", ["gc", "ConvertFrom-Json"]),
        ("([xml](gc pom.xml)).project.version", ["gc"]),
        ("(gc a | ConvertFrom-Json).version.Split(1)[0]", ["gc", "ConvertFrom-Json"]),
        ("(gc a | Remove-Item b).Count", ["gc", "Remove-Item"]),
        ("echo (gc a | ConvertFrom-Json).v", ["gc", "ConvertFrom-Json", "echo"]),
    ],
)
def test_powershells_members_of_what_a_command_gives_are_read_through(text, programs):
    assert not parse(f"pwsh -c '{text}'").problems
    assert [one[0] for one in runs(f"pwsh -c '{text}'")] == programs


@for_each(
    "text",
    [
        "(gi x | gci).Delete()",
        "& (gc a).Trim()",
        "iex (gc a | ConvertFrom-Json).cmd",
        "& (gc a | ConvertFrom-Json).cmd",
        "(Invoke-Expression (gc a | ConvertFrom-Json).cmd)",
        "(gc a; rm b).version",
    ],
)
def test_what_powershell_may_run_of_it_is_not_read_through(text):
    assert parse(f"pwsh -c '{text}'").problems
