import pytest

from operators_edge.hosts import git_exclude


@pytest.mark.parametrize("before", [b"", b"# mine\n*.tmp\n", b"\xff\xfe\n", b"a\r\nb\r\n"])
def test_the_block_comes_at_the_end_and_goes_without_a_trace(before):
    after = git_exclude.with_block(before, "/", ["x", ".proof/"])
    assert after.startswith(before)
    assert b"/x\n/.proof/\n" in after
    assert git_exclude.without_block(after, "/") == before


def test_a_last_line_without_its_end_gets_one():
    assert git_exclude.with_block(b"mine", "/", ["x"]).startswith(b"mine\n#")


def test_a_block_that_holds_the_lines_already_is_left_where_it_is():
    data = git_exclude.with_block(b"", "/", ["x", "y"]) + b"mine\n"
    assert git_exclude.with_block(data, "/", ["x"]) == data


def test_lines_that_another_work_tree_needs_stay_in_the_block():
    data = git_exclude.with_block(git_exclude.with_block(b"", "/", ["x"]), "/", ["y"])
    assert b"/x\n/y\n" in data
    assert data.count(b">>>") == 1


def test_blocks_of_two_projects_do_not_touch_each_other():
    first = git_exclude.with_block(b"", "/", ["x"])
    both = git_exclude.with_block(first, "/sub/", ["x"])
    assert git_exclude.without_block(both, "/sub/") == first
    assert b"/sub/x" in git_exclude.without_block(both, "/")


def test_a_block_that_lost_its_end_is_not_cut():
    data = git_exclude.with_block(b"", "/", ["x"]).rsplit(b"\n", 2)[0] + b"\nmine\n"
    assert git_exclude.without_block(data, "/") == data


def test_signs_that_git_would_read_as_a_pattern_are_escaped():
    assert git_exclude.place("a[b]*?\\/") == "/a\\[b]\\*\\?\\\\/"


def test_missing_lines_are_named_and_found_again():
    assert git_exclude.missing(b"", "/") == list(git_exclude.DATA)
    assert git_exclude.missing(git_exclude.with_block(b"", "/", list(git_exclude.DATA)), "/") == []
