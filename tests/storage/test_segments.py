import os

import pytest

from operators_edge.storage import segments


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "log"

    def opened(data):
        path.write_bytes(data)
        return os.open(path, os.O_RDONLY)

    return opened


DATA = b"".join(b"%d %s\n" % (n, b"mark" if n % 7 == 0 else b"x" * (n % 5)) for n in range(200))


@pytest.mark.parametrize("reach", [1, 2, 13, 64, 10_000])
def test_every_finished_line_comes_with_the_offset_behind_it_whatever_is_read_at_once(log, reach):
    fd = log(DATA + b"half a line")
    found = list(segments.lines(fd, 0, None, reach=reach))
    os.close(fd)
    assert b"".join(line + b"\n" for line, _ in found) == DATA
    assert all(DATA[behind - 1 - len(line) : behind - 1] == line for line, behind in found)


@pytest.mark.parametrize("reach", [1, 2, 13, 64, 10_000])
@pytest.mark.parametrize("start", [0, DATA.index(b"100 ")])
@pytest.mark.parametrize("mark", [b"mark", b"1", b"nowhere"])
def test_the_lines_that_hold_a_mark_come_and_the_last_one(log, reach, start, mark):
    fd = log(DATA + b"half a mark")
    found = list(segments.lines(fd, start, None, mark=mark, reach=reach))
    os.close(fd)
    wanted = [line for line in DATA[start:].split(b"\n") if mark in line]
    assert [line for line, _ in found if mark in line] == wanted
    assert all(DATA[behind - 1 - len(line) : behind - 1] == line for line, behind in found)
    offsets = [behind for _, behind in found]
    assert offsets == sorted(set(offsets))
    assert offsets[-1] == len(DATA)


def test_lines_that_are_not_read_at_all_are_not_told_from_one_another(log):
    fd = log(DATA)
    assert len(list(segments.lines(fd, 0, None, mark=b"nowhere"))) == 1
    os.close(fd)


def test_empty_lines_are_lines(log):
    fd = log(b"\n\na\n")
    assert [line for line, _ in segments.lines(fd, 0, None)] == [b"", b"", b"a"]
    assert list(segments.lines(fd, 0, None, mark=b"a")) == [(b"a", 4)]
    os.close(fd)


def test_the_last_line_of_an_event_is_found_from_the_end(log):
    def line(seq, event, more=""):
        text = f'{{"seq":{seq},"event":"{event}","data":"{more}","prev":""}}\n'
        return text.encode()

    objective = line(2, "objective")
    data = line(1, "objective") + objective + line(3, "x", "y" * 3_000_000)
    fd = log(data + b'{"seq":4,"event":"objective"')
    assert segments.last_with(fd, b'"event":"objective"', "objective") == data.index(objective)
    assert segments.last_with(fd, b'"event":"other"', "other") is None
    os.close(fd)
