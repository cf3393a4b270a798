"""What a reviewer gets: the open changes, and what they are held against."""

import os
import re
import stat
import subprocess
import sys

from tests.hosting import change, git, write


def prompt_for(client, line="/edge-review"):
    answer = client.send("UserPromptSubmit", prompt=line)
    return answer.get("hookSpecificOutput", {}).get("additionalContext") or answer["reason"]


def test_the_changes_come_with_intent_constraints_and_risks(client):
    client.prompt("/edge constraint no new dependency")
    client.prompt("/edge risk the API may change")
    write(client.root, "readme.txt", "hello\nthere\n")
    said = prompt_for(client)
    for each in ("+there", "Objective: ship it", "no new dependency", "the API may change"):
        assert each in said
    assert "Mode is now" not in said


def test_only_what_is_staged_is_shown_where_that_is_asked(client):
    write(client.root, "readme.txt", "staged\n")
    git(client.root, "add", "readme.txt")
    write(client.root, "readme.txt", "open\n")
    said = prompt_for(client, "/edge-review --staged")
    assert "+staged" in said
    assert "+open" not in said


def test_a_long_change_is_cut_and_says_so_and_a_secret_is_hidden(client):
    key = "sk-ant-api03-" + "aB3dE5fG7hJ9" * 8
    write(client.root, "readme.txt", f'key = "{key}"\n' + "line of text\n" * 5000)
    said = prompt_for(client)
    assert key not in said
    assert len(said) < 10_000
    assert "more are not shown" in said


def test_a_new_file_is_a_change_though_git_does_not_know_it_yet(client):
    write(client.root, "src/new one.py", "x = 1\n")
    said = prompt_for(client)
    assert "src/new one.py" in said
    assert "no change to review" not in said
    assert "new one.py" not in prompt_for(client, "/edge-review --staged")


def test_no_program_of_the_repository_runs_and_no_sign_drives_the_terminal(client):
    git(client.root, "config", "diff.loud.textconv", "touch ran; cat")
    write(client.root, ".git/info/attributes", "readme.txt diff=loud\n")
    write(client.root, "readme.txt", "hello\n\x1b[2J\tthere\n")
    said = prompt_for(client)
    assert "+ [2J\tthere" in said
    assert not os.path.exists(os.path.join(client.root, "ran"))


def test_nothing_to_review_is_said(client):
    assert "no change to review" in prompt_for(client)


def test_review_alone_is_still_the_mode(client):
    change(client, plan=[{"description": "one", "status": "completed"}])
    assert "Mode is now review" in client.prompt("/edge review")
    assert os.path.isdir(client.root)


KEY = "sk-ant-api03-" + "aB3dE5fG7hJ9" * 8


def kept(root):
    folder = f"{root}/.proof/reviews"
    texts = {}
    for name in sorted(os.listdir(folder)):
        with open(f"{folder}/{name}", encoding="utf-8") as file:
            texts[name] = file.read()
    return texts


def test_a_verdict_is_kept_for_its_owner_alone_and_each_has_its_number(edge, project):
    for words in (("important", "a.py:3", f"holds {KEY}"), ("APPROVE",)):
        code, out, err = edge("review", "save", *words)
        assert (code, err) == (0, "")
        assert re.fullmatch(r"Kept: \.proof/reviews/\d{4}-\d\d-\d\d-\d+\.md\n", out)
    first, second = kept(project).items()
    assert first[0].endswith("-1.md")
    assert first[1].startswith("important a.py:3 holds ")
    assert KEY not in first[1]
    assert (second[0][-5:], second[1]) == ("-2.md", "APPROVE\n")
    folder = f"{project}/.proof/reviews"
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    assert stat.S_IMODE(os.stat(f"{folder}/{first[0]}").st_mode) == 0o600
    assert "review_saved" in edge("proof", "search", "--event", "review_saved")[1]


def test_a_verdict_is_read_from_stdin(project):
    words = [sys.executable, "-m", "operators_edge", "review", "save", "-"]
    done = subprocess.run(words, cwd=project, input="grüße\nAPPROVE\n".encode(), check=False)
    assert done.returncode == 0
    assert list(kept(project).values()) == ["grüße\nAPPROVE\n"]


def test_an_empty_verdict_is_refused_and_leaves_nothing(edge, project):
    assert edge("review", "save", " ")[0] == 64
    assert not os.path.exists(f"{project}/.proof/reviews")


def test_a_verdict_is_typed_at_a_client_without_quotes(client):
    assert "Kept: " in client.prompt("/edge review save APPROVE, it's fine")
    assert list(kept(client.root).values()) == ["APPROVE, it's fine\n"]
