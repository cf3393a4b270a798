"""Each command that shows what others wrote, with hostile text in every place that it shows."""

import pytest

from operators_edge.cli.main import main
from tests.hosting import Client
from tests.text.test_outgoing import UNSEEN, unsafe

TEXT = "a" + "b".join(each for each in UNSEEN if each != "\udc80") + "c"
SHOWN = (
    ("status",),
    ("plan", "show"),
    ("plan",),
    ("verify",),
    ("done",),
    ("note",),
    ("next",),
    ("risk",),
    ("constraint",),
    ("mismatch",),
    ("memory",),
    ("state",),
    ("proof", "tail"),
    ("proof", "ledger"),
    ("proof", "export", "--format", "csv"),
    ("proof", "export"),
    ("explain", f"git push origin {TEXT}"),
    ("explain", "--bogus", TEXT),
    ("objective",),
    (TEXT,),
    ("step", "done", TEXT),
)
WRITTEN = (
    ("objective", TEXT),
    ("plan", "add", TEXT),
    ("note", "add", TEXT),
    ("constraint", "add", TEXT),
    ("risk", "add", TEXT),
    ("mismatch", TEXT),
    ("step", "done", "1", "--proof", TEXT),
)


@pytest.fixture
def hostile(attended, monkeypatch, capsys):
    """A project in which a session, an agent and a person have left such text."""
    monkeypatch.chdir(attended.root)
    headless = Client(attended.root, attended.env)
    headless.env["CLAUDE_CODE_SESSION_ATTENDED"] = "0"
    headless.start()
    headless.before("Bash", command=f"git push origin {TEXT}")
    for words in WRITTEN:
        main(list(words))
    capsys.readouterr()
    return headless


@pytest.mark.parametrize(
    "words", SHOWN, ids=lambda words: " ".join(words)[:20].encode("ascii", "replace").decode()
)
def test_no_command_lets_it_through_to_a_terminal_or_a_program(hostile, capsys, words):
    main(list(words))
    done = capsys.readouterr()
    assert unsafe(done.out, "\n\t") == []
    assert unsafe(done.err, "\n\t") == []
    main([*words, "--json"])
    done = capsys.readouterr()
    assert unsafe(done.out, "\n") == []


def test_no_answer_of_the_hook_lets_it_through_while_a_decision_is_pending(hostile):
    answers = [
        hostile.send("PreToolUse", tool_name="Bash", tool_input={"command": c}, tool_use_id=c[:9])
        for c in (f"rm -rf /x{TEXT}", "git push origin other", f"git push {TEXT} main")
    ]
    answers.append(hostile.send("UserPromptSubmit", prompt="/edge status"))
    answers.append(hostile.send("SessionStart", source="resume"))
    assert all(answers)
    for answer in answers:
        inner = answer.get("hookSpecificOutput", {})
        for text in (*answer.values(), *inner.values()):
            if isinstance(text, str):
                assert unsafe(text, "\n\t") == []
