"""Old names of commands."""

import pytest

from operators_edge.text.command_names import OLD_NAMES, renamed


@pytest.mark.parametrize(
    ("said", "today"),
    [
        (["proof", "tail", "-n", "3"], ["log", "tail", "-n", "3"]),
        (["state", "history"], ["history", "list"]),
        (["state", "--json"], ["history", "--json"]),
        (["revoke", "1"], ["grants", "revoke", "1"]),
        (["status"], ["status"]),
        (["note", "proof"], ["note", "proof"]),
        ([], []),
    ],
)
def test_old_words_lead_to_the_command_of_today(said, today):
    assert renamed(said) == today


def test_no_name_of_today_is_an_old_one():
    assert not set(OLD_NAMES) & {words.split()[0] for words in OLD_NAMES.values()}
