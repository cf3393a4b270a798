"""Where ``edge`` begins: the hook beside the command line, and what a command imports before it runs."""

import importlib.metadata
import json
import os
import pkgutil
import shlex
import subprocess
import sys

import pytest

from operators_edge import __version__
from operators_edge.cli import commands
from operators_edge.cli.main import main
from operators_edge.cli.nouns import HELP, HIDDEN, modules_of as declared_in
from operators_edge.cli.parsers import parser_of
from operators_edge.gate import rules
from tests.cli.helps import examples
from tests.hosting import COMMAND, clean_env
from tests.tables import for_each

EDGE = os.path.join(os.path.dirname(sys.executable), "edge")
MODULE = [sys.executable, "-m", "operators_edge"]

OWN_MODULES = {
    "--version": 4,
    "--help": 24,
    "help exit-codes": 34,
    "help plan": 38,
    "plan show": 49,
    "note": 52,
    "mode": 50,
    "lesson": 60,
    "grants": 66,
    "log": 65,
    "history": 43,
    "trash": 44,
    "rules list": 66,
    "config": 79,
    "resident": 39,
    "status": 128,
}
"""At most so many modules of ours have run when the command has ended, in a project that was set up."""

SLOW = {
    "argparse",
    "dataclasses",
    "difflib",
    "functools",
    "inspect",
    "json",
    "re",
    "shutil",
    "subprocess",
    "typing",
}
"""Modules of Python that take long to load; which of them a command may load."""

MAY_LOAD = {
    "--help": {"argparse", "functools", "re"},
    "help plan": {"argparse", "functools", "re"},
    "rules list": {"functools", "re"},
    "config": {"functools", "re"},
    "status": SLOW - {"argparse", "dataclasses", "difflib", "inspect"},
}
"""Commands that load none are not named. A launcher that an old pip wrote loads ``re`` before."""


OTHERS = {
    "help": ("plan",),
    "grants": ("rehearse",),
}
"""What the module of a noun imports of the other modules of commands."""

WITH_WHAT_RAN = """
import atexit, sys

def told():
    print(*(name for name, each in sys.modules.items() if type(each) is type(sys)), file=sys.stderr)

atexit.register(told)
from operators_edge.__main__ import main
sys.exit(main())
"""

ENDLESS = ("hook", "watch")
"""One waits for an event, the other for the next entry of the log."""


def run(words, data=b"", **more):
    return subprocess.run(words, input=data, capture_output=True, check=False, timeout=60, **more)


def imported(words, cwd, home):
    """The modules that ``edge`` has imported when it has run these words."""
    told = [sys.executable, "-X", "importtime", "-m", "operators_edge", *words]
    return modules_of(run(told, cwd=cwd, env=clean_env(home)).stderr)


def modules_of(told):
    """The modules in what ``-X importtime`` prints."""
    lines = told.decode().splitlines()
    return {line.rpartition("|")[2].strip() for line in lines if line.startswith("import time:")}


def test_the_wheels_command_is_the_packages_own_start():
    scripts = importlib.metadata.distribution("operators-edge").entry_points
    (edge,) = (each for each in scripts if each.name == "edge")
    assert edge.value == "operators_edge.__main__:main"


@pytest.mark.parametrize("start", [[EDGE], MODULE], ids=["edge", "python -m"])
def test_the_hook_is_reached_through_the_command_too(start, project, fenced):
    event = {
        "session_id": "s",
        "cwd": project,
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "git push --force"},
        "tool_use_id": "t",
    }
    data, env = json.dumps(event).encode(), clean_env(fenced)
    done = run([*start, "hook", "claude"], data, cwd=project, env=env)
    said = json.loads(done.stdout)["hookSpecificOutput"]
    assert said["permissionDecision"] in ("ask", "deny")
    assert "git push --force" in said["permissionDecisionReason"]
    wrong = [run([*each, "hook"], b"", env=env) for each in (start, MODULE)]
    wrong.append(run(COMMAND, b"", env=env))
    assert {(each.returncode, each.stdout) for each in wrong} == {(0, wrong[0].stdout)}
    assert b'"deny"' in wrong[0].stdout


@pytest.mark.parametrize("word", ["--help", "-h"])
def test_help_on_the_hook_is_a_help_and_no_event(word):
    done = run([*MODULE, "hook", word], b'{"hook_event_name": "PreToolUse"}')
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"Answer one event")


def test_the_command_line_itself_answers_no_event(capsys):
    assert main(["hook", "claude"]) == 64
    assert "edge hook claude" in capsys.readouterr().err


def test_the_hook_imports_no_command_line(project, fenced):
    names = imported(["hook", "claude"], project, fenced)
    assert "operators_edge.hook_local" in names
    assert "argparse" not in names
    assert not {name for name in names if name.startswith("operators_edge.cli")}


@pytest.mark.parametrize("words", OWN_MODULES)
def test_a_command_imports_its_own_module_and_no_other_commands(words, project, fenced):
    rules.load()  # the packs are compiled by now, as for every command but the first
    told = [sys.executable, "-c", WITH_WHAT_RAN, *words.split()]
    first = run(told, cwd=project, env=clean_env(fenced))  # it may have parsed the state
    assert first.returncode == 0, first.stderr
    done = run(told, cwd=project, env=clean_env(fenced))
    every = set(done.stderr.decode().splitlines()[-1].split())
    ran = {name for name in every if name.partition(".")[0] == "operators_edge"}
    noun, *rest = words.split()
    among = (f"operators_edge.cli.commands.{each}" for each in OTHERS.get(noun, ()))
    assert {name for name in ran if ".commands." in name} <= {*declared_in(noun, rest), *among}
    assert len(ran) <= OWN_MODULES[words], sorted(ran)
    assert every & SLOW <= MAY_LOAD.get(words, set())


@pytest.mark.long
@pytest.mark.parametrize("noun", [noun for noun in HELP if noun not in ENDLESS])
def test_every_noun_answers_as_a_program_of_its_own(noun, project, fenced):
    (nouns,) = (each for each in parser_of([noun])._actions if isinstance(each.choices, dict))
    words = next(examples(nouns.choices[noun]))
    done = run([EDGE, noun, "--json", *words[1:]], cwd=project, env=clean_env(fenced))
    told = json.loads(done.stdout)
    assert told["ok"] is (done.returncode == 0), told
    assert done.returncode in (0, 1, 3, 4, 64), told
    assert b"Traceback" not in done.stderr


@for_each("noun", HELP)
def test_every_noun_is_declared_in_the_module_of_the_table(noun):
    declared = declared_in(noun)
    (nouns,) = (each for each in parser_of([noun])._actions if isinstance(each.choices, dict))
    assert set(declared) <= set(modules_behind(nouns.choices[noun]))


def modules_behind(parser):
    """The modules of the functions that a parser and its verbs run."""
    yield getattr(parser.get_default("run"), "__module__", "")
    for action in parser._actions:
        for verb in action.choices.values() if isinstance(action.choices, dict) else ():
            yield from modules_behind(verb)


def test_every_module_of_commands_is_behind_a_noun():
    found = {module for parser in [parser_of()] for module in modules_behind(parser)}
    there = {each.name for each in pkgutil.iter_modules(commands.__path__, f"{commands.__name__}.")}
    assert there == found - {""}


def test_a_noun_alone_is_read_as_among_all_of_them():
    def help_of(noun, parser):
        (nouns,) = (each for each in parser._actions if isinstance(each.choices, dict))
        return nouns.choices[noun].format_help()

    all_of_them = parser_of()
    assert [n for n in HELP if help_of(n, parser_of([n])) != help_of(n, all_of_them)] == []


def test_the_help_lists_every_noun_once_with_its_line(capsys):
    assert parser_of().format_help() == parser_of(["--help"]).format_help()
    lines = parser_of(["--help"]).format_help().splitlines()
    for noun, about in HELP.items():
        listed = [line for line in lines if line.split() == [noun, *about.split()]]
        assert len(listed) == (noun not in HIDDEN), noun
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["plna", "plan"], "unknown command 'plna'; did you mean plan"),
        (["-x", "plan", "show"], "unrecognized arguments: -x"),
        (["--json", "qqqq"], "\"unknown command 'qqqq'\""),
    ],
)
def test_words_before_a_noun_are_complained_about_as_such(words, said, capsys):
    assert main(words) == 64
    told = capsys.readouterr()
    assert said in told.out + told.err


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "cp1252"])
def test_output_that_an_encoding_lacks_is_escaped_and_json_stays_json(encoding, project, fenced):
    env = {**clean_env(fenced), "PYTHONIOENCODING": encoding}
    words = "\u00fcn\u00ef \u2713 \U0001f600"
    assert run([*MODULE, "note", "add", words], cwd=project, env=env).returncode == 0
    told = run([*MODULE, "note", "list"], cwd=project, env=env)
    assert (told.returncode, rb"\u2713 \ud83d\ude00" in told.stdout) == (0, True)
    told = run([*MODULE, "note", "list", "--json"], cwd=project, env=env)
    assert json.loads(told.stdout.decode(encoding))["data"][-1]["note"] == words


def test_the_version_is_printed_alone_and_among_options(project, fenced):
    alone = run([EDGE, "--version"], cwd=project, env=clean_env(fenced))
    among = run([EDGE, "--debug", "--version"], cwd=project, env=clean_env(fenced))
    assert alone.stdout == among.stdout == f"edge {__version__}\n".encode()
    assert (alone.returncode, among.returncode) == (0, 0)


def test_a_command_ends_with_its_code_and_all_of_its_output(project, fenced):
    done = run([EDGE, "help", "no-such"], cwd=project, env=clean_env(fenced))
    assert (done.returncode, done.stdout) == (64, b"")
    done = run([EDGE, "help", "commands"], cwd=project, env=clean_env(fenced))
    assert (done.returncode, done.stdout[-1:]) == (0, b"\n")
    assert all(noun.encode() in done.stdout for noun in HELP)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_output_that_cannot_be_written_is_told_with_what_holds(project, fenced):
    env = clean_env(fenced)
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*MODULE, "note", "add", "kept"],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=project,
            env=env,
            check=False,
            timeout=60,
        )
    assert done.returncode == 1
    assert b"was carried out, and its output could not be written: No space left" in done.stderr
    assert b"kept" in run([*MODULE, "note", "list"], cwd=project, env=env).stdout


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_an_export_that_cannot_be_written_is_no_error_of_ours(project, fenced):
    run([*MODULE, "note", "add", "kept"], cwd=project, env=clean_env(fenced))
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*MODULE, "log", "export"],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=project,
            env=clean_env(fenced),
            check=False,
            timeout=60,
        )
    assert done.returncode == 1
    assert b"its output could not be written: No space left" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX closes the streams")
def test_with_streams_that_are_closed_a_command_does_what_it_is_for(project, fenced):
    line = f"{shlex.join([*MODULE, 'note', 'add', 'kept'])} <&- >&- 2>&-"
    done = run(["sh", "-c", line], cwd=project, env=clean_env(fenced))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert b"kept" in run([*MODULE, "note", "list"], cwd=project, env=clean_env(fenced)).stdout


@pytest.mark.parametrize(("command", "is_silent"), [("ls -l", True), ("git push", False)])
def test_without_a_folder_for_the_person_plain_calls_pass_and_risky_ones_do_not(
    command, is_silent, project, fenced
):
    event = {
        "session_id": "s",
        "cwd": project,
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": "t",
    }
    env = {**clean_env(fenced), "HOME": os.devnull, "XDG_STATE_HOME": f"{os.devnull}/state"}
    done = run([*MODULE, "hook", "claude"], json.dumps(event).encode(), cwd=project, env=env)
    assert (done.returncode, done.stdout == b"") == (0, is_silent)
    assert is_silent or b'"permissionDecision": "deny"' in done.stdout
