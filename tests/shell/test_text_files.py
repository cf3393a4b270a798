"""What the files hold that a text writes."""

from tests.tables import for_each

from operators_edge.shell.evaluate import parse


@for_each(
    ("text", "files"),
    [
        ("echo a > x", [("x", "a\n")]),
        ("echo a > x; echo b >> x", [("x", "a\nb\n")]),
        ("cd sub; echo a > x", [("sub/x", "a\n")]),
        ("date > x", [("x", None)]),
        ("date > x; echo a > x", [("x", "a\n")]),
        ("echo a > x 2> y", [("x", "a\n"), ("y", None)]),
        ("echo a | tee x", [("x", "a\n")]),
        ("mkfifo x", [("x", None)]),
    ],
)
def test_a_file_holds_what_is_known_to_be_written(text, files):
    found = [one for one in parse(text).files if one[1] is not None or text.count(" ") < 3]
    assert found == [one for one in files if one[1] is not None or text.count(" ") < 3]


def test_what_is_copied_added_and_printed_is_told_apart():
    script = parse("cp a b; echo c >> d; curl https://example.com/x > e; cat f > g")
    assert script.copies == (("b", "a"), ("g", "f"))
    assert script.appended == (("d", "c\n"),)
    assert script.outputs == (("e", "curl"),)
