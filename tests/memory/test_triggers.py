"""The conditions that a trigger implies, and the calls that it matches."""

import time

import pytest
from hypothesis import given, strategies as st
from tests.tables import for_each

from operators_edge.memory import triggers


def numbers(lesson, **call):
    return [hit.number for hit in triggers.exact_hits([lesson], **call)]


@for_each(
    ("trigger", "meant"),
    [
        ("git push", {"command": ("git push",)}),
        ("before running git push", {"command": ("git push",)}),
        ("`./run.sh all`", {"command": ("./run.sh all",)}),
        ("go test ./...", {"command": ("go test ./...",)}),
        ("src/**/*.sql", {"path": ("src/**/*.sql",)}),
        ("editing Cargo.toml", {"path": ("Cargo.toml",)}),
        (".github/", {"path": (".github/",)}),
        ("file: Makefile", {"path": ("Makefile",)}),
        ("ModuleNotFoundError", {"error": ("ModuleNotFoundError",)}),
        ("KeyError: 'id'", {"error": ("KeyError: 'id'",)}),
        ("E0382", {"error": ("E0382",)}),
        ("F401", {"error": ("F401",)}),
        ("SC2086: quote it", {"error": ("SC2086",)}),
        ("error: disk full", {"error": ("disk full",)}),
        ("exit code 137", {"exit_code": ("137",)}),
        ("exit: 3", {"exit_code": ("3",)}),
        ("tests/test_x.py::test_y", {"test": ("tests/test_x.py::test_y",)}),
        ("NotebookEdit", {"tool": ("NotebookEdit",)}),
        ("mcp__db__query", {"tool": ("mcp__db__query",)}),
        ("API returns 403", {}),
        ("docker fails to build", {}),
        ("make sure tests pass", {}),
        ("go through the list", {}),
        ("TypeError when the list is empty", {}),
        ("see https://example.com/x", {}),
        ("403", {}),
        ("", {}),
    ],
)
def test_a_trigger_is_exact_only_where_it_plainly_names_something(trigger, meant):
    assert triggers.derive(trigger) == meant


@for_each(
    ("wanted", "command", "holds"),
    [
        ("git push", "git push origin main", True),
        ("git push", "cd x && sudo git -C there push", True),
        ("git push", "FOO=1 /usr/bin/git push", True),
        ("git push", 'git commit -m "git push"', False),
        ("git push", "git stash push", False),
        ("git push", "git pushy", False),
        ("git push --force", "git push origin --force", True),
        ("git push --force", "git push origin", False),
        ("pytest", "python3 -m pytest -x", True),
        ("python -m pytest", "python3.11 -m pytest -x", True),
        ("python -m pytest", "pytest -x", True),
        ("python -m pytest", "python -m unittest", False),
        ("python", "python -m pytest", True),
        ("`./run.sh all`", "/srv/run.sh all -v", True),
        ("`./run.sh -v`", "/srv/run.sh -v", True),
        ("command: `", "ls", False),
        ("kubectl apply", "kubectl -n web apply -f x.yaml", True),
        ("git push", "sh -c 'git push'", True),
        ("git push", "'", False),
    ],
)
def test_a_command_is_read_as_the_shell_would(wanted, command, holds):
    lesson = {"trigger": wanted, "lesson": "x"}
    assert numbers(lesson, tool="Bash", command=command) == ([1] if holds else [])
    assert not holds or any(each in f"bash\n{command}" for each in triggers.trigger_words([lesson]))


@pytest.mark.parametrize(
    ("wanted", "path", "holds"),
    [
        ("*.sql", "/p/db/a.sql", True),
        ("db/**/*.sql", "/p/db/a.sql", True),
        ("db/**/*.sql", "db/x/y/a.sql", True),
        ("db/*.sql", "/p/db/x/a.sql", False),
        ("src/auth/", "/p/src/auth/x/y.py", True),
        ("src/{a,b}/*.py", "src/b/x.py", True),
        ("Cargo.toml", "/p/Cargo.toml.orig", False),
        ("./a?.py", "C:\\p\\ab.py", True),
        ("[x]*(.py", "[x]y(.py", True),
    ],
)
def test_a_path_is_matched_as_a_glob_at_its_end(wanted, path, holds):
    lesson = {"lesson": "x", "when": {"path": wanted}}
    assert numbers(lesson, tool="Edit", path=path) == ([1] if holds else [])


def test_an_error_is_its_words_or_a_pattern():
    assert numbers({"lesson": "x", "when": {"error": "no space"}}, error="E: No space left") == [1]
    assert numbers({"lesson": "x", "when": {"error": r"/port \d+ in use/"}}, error="port 80 in use")
    assert numbers({"lesson": "x", "when": {"error": "/(/"}}, error="(") == []
    assert numbers({"lesson": "x", "when": {"error": "/(a+)+$/"}}, error="a" * 40 + "b") == []


@pytest.mark.parametrize(
    ("error", "holds"),
    [
        ("src/a.py:1:8: F401 [*] `os` imported but unused", True),
        ("error[F401]: unused", True),
        ("commit 0f401ab", False),
        ("see F4012", False),
    ],
)
def test_a_code_is_a_word_of_its_own(error, holds):
    assert numbers({"trigger": "F401", "lesson": "x"}, error=error) == ([1] if holds else [])


@for_each(
    "pattern",
    [
        "(a+)+$",
        "((a+))+$",
        "(a|a)*$",
        "(?:a|aa)+$",
        "(?P<x>a?){40}a{40}",
        "(a*)*b",
        "([a-z]+)*b",
        r"(\w+\s?)*$",
        "(a{1,9}){9}$",
        "a*a*a*a*b",
        "(",
        "a{99999999999}",
    ],
)
def test_a_pattern_that_can_take_for_ever_is_refused_and_never_asked(pattern):
    value = f"/{pattern}/"
    assert triggers.impossible_reason("error", value)
    started = time.process_time()
    assert numbers({"lesson": "x", "when": {"error": value}}, error="a" * 8000) == []
    assert time.process_time() - started < 0.5


@pytest.mark.parametrize(
    ("pattern", "error"),
    [
        (r"port \d+ in use", "port 80 in use"),
        (r"(?:foo|bar): (?P<n>\d+)?", "bar: "),
        (r"[^]+*]+ at line \d+ of \S+", "that at line 12 of it"),
        (r"a++b", "aab"),
        (r"\(x\)+", "(x))"),
        (r"x{2}{y", "xx{y"),
    ],
)
def test_a_pattern_that_ends_is_asked_line_by_line(pattern, error):
    value = f"/{pattern}/"
    assert triggers.impossible_reason("error", value) == ""
    assert numbers({"lesson": "x", "when": {"error": value}}, error=f"one\n{error}\nthree") == [1]


@pytest.mark.parametrize("pattern", [".*x", "a*a*b", "a*a*a*b", r"\w*\d*\w*!"])
def test_the_worst_pattern_that_is_asked_ends_in_time(pattern):
    lesson = {"lesson": "x", "when": {"error": f"/{pattern}/"}}
    assert triggers.impossible_reason("error", f"/{pattern}/") == ""
    started = time.process_time()
    assert numbers(lesson, error="a" * 100_000) == []
    assert time.process_time() - started < 1


def test_of_several_kinds_all_have_to_hold_and_of_one_kind_any():
    lesson = {"lesson": "x", "when": {"command": ["git push", "git pull"], "error": "rejected"}}
    assert numbers(lesson, command="git push") == []
    assert numbers(lesson, command="git pull", error="! [rejected] main") == [1]
    assert numbers(lesson, command="git fetch", error="! [rejected] main") == []
    assert numbers({"lesson": "x", "when": {"exit_code": 137}}, exit_code=137) == [1]
    assert numbers({"lesson": "x", "when": {"tool": "mcp__db__*"}}, tool="mcp__db__query") == [1]
    assert numbers({"lesson": "x", "when": {"test": "test_a"}}, error="FAILED t.py::test_a") == [1]


def test_the_more_particular_trigger_comes_first_and_says_why():
    lessons = [
        {"trigger": "git", "lesson": "a"},
        {"trigger": "git push", "lesson": "b", "reinforced": 1},
        {"lesson": "c", "when": {"command": "git push", "error": "rejected"}},
    ]
    hits = triggers.exact_hits(lessons, command="git push", error="rejected")
    assert [hit.number for hit in hits] == [3, 2, 1]
    assert hits[0].why == 'command "git push", error "rejected"'
    assert min(hit.score for hit in hits) > 1


@given(
    st.lists(
        st.one_of(
            st.none(),
            st.text(),
            st.integers(),
            st.dictionaries(
                st.sampled_from(["trigger", "lesson", "when"]),
                st.one_of(
                    st.none(),
                    st.text(),
                    st.lists(st.text()),
                    st.dictionaries(
                        st.sampled_from(triggers.KINDS), st.one_of(st.none(), st.text())
                    ),
                ),
            ),
        )
    ),
    st.text(),
)
def test_whatever_a_person_wrote_by_hand_raises_nothing(lessons, text):
    call = {"tool": text, "command": text, "path": text, "error": text, "exit_code": 1}
    for hit in triggers.exact_hits(lessons, **call):
        assert 1 <= hit.number <= len(lessons)
    triggers.trigger_words(lessons)


@pytest.mark.parametrize(
    ("lesson", "call"),
    [
        ({"trigger": "git push --force"}, {"command": "git -C x push --force"}),
        ({"trigger": "src/**/*.SQL"}, {"path": "/p/src/a/b.SQL"}),
        ({"trigger": "./src/{a,b}/"}, {"path": "/p/src/a/b"}),
        ({"trigger": "mcp__db__query"}, {"tool": "mcp__db__query"}),
        ({"trigger": "t.py::test_a"}, {"command": "pytest t.py::test_a"}),
        ({"when": {"command": ["cargo test", "cargo build"]}}, {"command": "cargo build"}),
        ({"when": {"tool": "Edit", "path": "*.py"}}, {"tool": "Edit", "path": "a.py"}),
    ],
)
def test_a_call_that_a_trigger_holds_for_has_a_needle_in_its_text(lesson, call):
    lesson = {"lesson": "x", **lesson}
    assert numbers(lesson, **call) == [1]
    text = " ".join(call.values()).lower()
    assert any(needle in text for needle in triggers.trigger_words([lesson]))


def test_what_only_a_failure_can_show_has_no_needle():
    lessons = [{"trigger": "KeyError", "lesson": "x"}, {"trigger": "exit code 3", "lesson": "x"}]
    assert triggers.trigger_words(lessons) == ()
    assert triggers.trigger_words([*lessons, {"trigger": "words alone", "lesson": "x"}]) == ("wor",)


def test_a_condition_that_can_never_hold_is_named():
    assert "not an exit code" in triggers.impossible_reason("exit_code", "x")
    assert "not a valid pattern" in triggers.impossible_reason("error", "/(/")
    assert "take too long" in triggers.impossible_reason("error", "/(a*)*/")
    assert triggers.impossible_reason("error", "/port \\d+/") == ""
