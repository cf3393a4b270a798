"""``edge uninstall`` and the data: asked once, and kept unless a person says so."""

import os

import pytest
from tests.hosting import at_a_terminal


def has_data(root):
    return os.path.exists(os.path.join(root, "active_context.yaml"))


@pytest.mark.parametrize(
    ("words", "answer", "is_kept"),
    [
        ((), "remove\n", False),
        ((), "y\n", True),
        ((), "\n", True),
        (("--yes",), "", True),
        (("--no-input",), "", True),
        (("--purge",), "remove\n", False),
        (("--purge",), "\n", True),
        (("--purge", "--yes"), "", False),
    ],
)
def test_the_data_goes_only_where_a_person_says_so(wired, words, answer, is_kept):
    done = at_a_terminal(wired, "uninstall", *words, answer=answer)
    assert done.returncode == 0, done.stderr
    assert "The hooks are removed." in done.stdout
    assert has_data(wired) is is_kept
    assert done.stderr.count("Remove this data as well?") == (bool(answer))
    assert ("Removed permanently" in done.stdout) is not is_kept
    assert ("kept      " in done.stdout) is is_kept
    assert ("git still ignores" in done.stdout) is is_kept


def test_a_dry_run_asks_nothing(wired):
    done = at_a_terminal(wired, "uninstall", "--purge", "--dry-run", answer="")
    assert (done.returncode, "Remove this data" in done.stderr) == (0, False)
    assert has_data(wired)
