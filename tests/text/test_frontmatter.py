import pytest

from operators_edge.text import frontmatter


def file(head):
    return f"---\n{head}\n---\nhooks: in the text\n"


@pytest.mark.parametrize(
    "head",
    [
        "name: x\nhooks:\n  PreToolUse: []",
        "'hooks': {}",
        '"hooks" : {}',
        "{name: x, hooks: {}}",
        "? hooks\n: {}\nhooks: {}",
        '"\\x68ooks": {}',
        "name: x\r\nhooks:\r\n  Stop: []",
    ],
)
def test_hooks_are_seen_in_every_spelling_of_the_key(head):
    assert frontmatter.has_hooks(file(head))
    assert frontmatter.has_hooks(f"---\n{head}")  # an end that is missing may come later


@pytest.mark.parametrize(
    "text", ["", "hooks: {}", file("description: about hooks: a talk"), file("x: 1")]
)
def test_hooks_in_a_text_or_a_description_are_none(text):
    assert not frontmatter.has_hooks(text)


def test_what_answers_dialogs_is_told_from_what_does_not():
    assert frontmatter.answers_dialogs(file("hooks:\n  PermissionRequest: []"))
    assert frontmatter.answers_dialogs(file('hooks:\n  "Permission\\x52equest": []'))
    assert not frontmatter.answers_dialogs(file("hooks:\n  PreToolUse: []"))
    assert not frontmatter.answers_dialogs("PermissionRequest")


@pytest.mark.parametrize(
    ("part", "may"),
    [
        ("hooks:\n  PermissionRequest:\n    - x", True),
        ("  PermissionRequest:\n    - hooks:\n        - type: command\n", True),
        ("## Stop: when to end\n", False),
        ("hooks: are functions", False),
    ],
)
def test_a_part_of_a_file_may_belong_to_hooks(part, may):
    assert frontmatter.may_add_hooks(part) == may
