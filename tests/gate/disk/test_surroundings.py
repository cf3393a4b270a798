"""What variables, settings and files around a command say of it, before it is judged."""

from __future__ import annotations

from tests.gate.example_project import PLACE, ROOT, RULES, Machine
from tests.tables import for_each

from operators_edge.gate.disk import surroundings
from operators_edge.gate.disk.follow import Follower
from operators_edge.gate.invocation import invocation_of
from operators_edge.gate.paths import CallContext
from operators_edge.model import Call, Finding
from operators_edge.shell.commands import HOLE, Command
from operators_edge.shell.evaluate import parse

WIPE = Finding("delete-recursive", "junction", "why", "", detail=())


def context_of(line: str, **files: str) -> CallContext:
    call = Call("Bash", {"command": line}, ROOT)
    context = CallContext(call, PLACE, Machine({f"{ROOT}/{name}": files[name] for name in files}))
    context.text, context.commands = line, parse(line).commands
    return context


def command_of(line: str) -> Command:
    """The first command that a line names; before it comes what an option runs."""
    return next(one for one in parse(line).commands if one.argv[0].text in line.split())


@for_each(
    "line",
    [
        "RAILS_ENV=test RUBYOPT=-r./first rails db:drop",
        "RAILS_ENV=test ruby -r./first app",
        "RAILS_ENV=test env RUBYOPT=-r./first rails db:drop",
    ],
)
def test_what_a_program_loads_first_may_set_its_variables(line):
    context = context_of(line)
    context.facts.files[f"{ROOT}/first.rb"] = "ENV['RAILS_ENV'] = 'production'\n"
    command = surroundings.with_known_words(command_of(line), context, Follower(RULES), "")
    assert command.environment["RAILS_ENV"] == "production"


@for_each("line", ["RAILS_ENV=test rails db:drop", "rails db:drop"])
def test_a_command_that_loads_nothing_first_stays_as_it_is(line):
    command = command_of(line)
    follower = Follower(RULES)
    assert surroundings.with_known_words(command, context_of(line), follower, "") is command


def test_variables_are_not_followed_where_no_file_is_read():
    command = command_of("RAILS_ENV=test RUBYOPT=-r./first rails db:drop")
    assert surroundings.with_known_words(command, context_of(""), None, "") is command


def test_a_word_that_is_not_known_is_what_it_is_taken_to_be():
    command = command_of('ssh "$HOST" ls')
    assert HOLE in command.argv[1].text
    known = surroundings.with_known_words(command, context_of(""), None, "localhost")
    assert [word.text for word in known.argv] == ["ssh", "localhost", "ls"]


@for_each(
    ("line", "words"),
    [
        (
            "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0=push git x",
            ["git -c alias.x=push x"],
        ),
        ("GIT_DIR=x git status", []),
        ("GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0=push make x", []),
    ],
)
def test_settings_of_git_in_variables_are_options_of_git_alone(line, words):
    same = surroundings.same_with_options(invocation_of(command_of(line), RULES))
    assert [" ".join(word.text for word in one.argv) for one in same] == words


def known(line, findings=(), *, is_open=False, **files):
    """What is found in a line with its files known, and the texts that were read for it."""
    texts = []

    def judge(disk):
        texts.append(disk("f"))
        return [WIPE]

    follower = Follower(RULES)
    given = (list(findings), context_of(line, **files), follower, lambda _: True, judge)
    return surroundings.knowing_texts(*given, is_open=is_open), texts


def test_a_line_that_runs_a_file_as_text_is_judged_again_with_its_content():
    assert known('eval "$(cat f)"', is_open=True, f="rm -rf x\n") == ([WIPE], ["rm -rf x\n"])


def test_without_a_file_to_read_the_findings_stay():
    assert known('eval "$(cat f)"', is_open=True) == ([], [None])


@for_each(
    "line",
    [
        'eval "$(date)"',  # it reads nothing
        "cat f",  # all is known, and nothing is taken from the file
    ],
)
def test_a_line_that_files_say_nothing_of_is_not_judged_again(line):
    is_open = "date" in line
    assert known(line, is_open=is_open, f="rm -rf x\n") == ([], [])


def test_a_line_that_takes_words_from_a_file_is_judged_again_though_all_is_known():
    assert known("xargs -a f rm", f="x\n") == ([WIPE], ["x\n"])


def test_what_was_found_in_a_file_keeps_its_line_there():
    placed = WIPE._replace(source="run.sh:3")
    assert known("xargs -a f rm; sh run.sh", [placed], f="x\n")[0] == [placed]


def test_what_a_template_is_filled_with_takes_the_place_of_what_was_found_in_it():
    placed = WIPE._replace(source="f:1")
    assert known("envsubst < f | sh", [placed], f="$X\n")[0] == [WIPE]
