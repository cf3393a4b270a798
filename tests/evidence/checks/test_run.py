import pytest

from operators_edge.evidence.checks.run import exit_code


@pytest.mark.parametrize(
    ("tool", "error", "code"),
    [
        ("Bash", None, 0),
        ("Bash", "Exit code 2\nno such file", 2),
        ("Bash", "Interrupted by the user", None),
        ("Bash", "Exit code many", None),
        ("Edit", None, None),
    ],
)
def test_a_shells_exit_code_is_what_the_client_says_and_else_unknown(tool, error, code):
    assert exit_code(tool, error) == code
