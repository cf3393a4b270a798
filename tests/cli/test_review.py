"""What a reviewer gets: the open changes, and what they are held against."""

import os

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


def test_nothing_to_review_is_said(client):
    assert "no change to review" in prompt_for(client)


def test_review_alone_is_still_the_mode(client):
    change(client, plan=[{"description": "one", "status": "completed"}])
    assert "Mode is now review" in client.prompt("/edge review")
    assert os.path.isdir(client.root)
