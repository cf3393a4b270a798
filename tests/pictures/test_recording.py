import re
import xml.etree.ElementTree as ET

import pyte

from tests.pictures.recording import Recording

SVG = "{http://www.w3.org/2000/svg}"


def recorded(*outputs: str, monkeypatch, seconds=1.0) -> ET.Element:
    screen = pyte.Screen(20, 3)
    stream = pyte.Stream(screen)
    recording = Recording()
    clock = iter(range(100))
    monkeypatch.setattr("tests.pictures.recording.time.monotonic", lambda: next(clock) * seconds)
    for output in outputs:
        stream.feed(output)
        recording.watch(screen)
    return ET.fromstring(recording.svg('a "title" <here>'))  # noqa: S314 - our own


def frames(svg: ET.Element) -> list[int]:
    """How many lines each frame shows."""
    group = next(each for each in svg.iter(f"{SVG}g") if each.get("id") == "all")
    return [len(frame) for frame in group]


def test_each_change_of_the_screen_is_a_frame_and_equal_lines_are_drawn_once(monkeypatch):
    svg = recorded("one", "", "\r\ntwo", monkeypatch=monkeypatch)
    assert frames(svg) == [1, 2]
    texts = [each.text for each in svg.iter(f"{SVG}text")]
    assert texts == ["one", "two"]


def test_what_is_on_the_screen_stays_text(monkeypatch):
    svg = recorded("<script>&\x1b[31;1m!", monkeypatch=monkeypatch)
    texts = list(svg.iter(f"{SVG}text"))
    assert [each.text for each in texts] == ["<script>&", "!"]
    assert (texts[1].get("fill"), texts[1].get("class")) == ("#f07178", "b")
    assert svg[0].text == 'a "title" <here>'


def test_frames_that_follow_one_another_fast_are_thinned_and_the_last_one_stays(monkeypatch):
    outputs = [f"\rspinner {number}" for number in range(10)]
    svg = recorded(*outputs, monkeypatch=monkeypatch, seconds=0.1)
    texts = [each.text for each in svg.iter(f"{SVG}text")]
    assert texts == ["spinner 0", "spinner 3", "spinner 6", "spinner 9"]


def test_the_last_frame_stays_longer_and_long_waiting_is_cut(monkeypatch):
    svg = recorded("one", "\rtwo", monkeypatch=monkeypatch)
    style = next(each.text or "" for each in svg.iter(f"{SVG}style"))
    assert re.search(r"animation:all 5\.0s step-end infinite", style)
    assert "20.000%{transform:translateX(-" in style


def test_it_begins_with_the_frame_that_stays_longest_of_those_before_the_last(monkeypatch):
    svg = recorded("one", "", "", "\rtwo", "\rthree", monkeypatch=monkeypatch)
    style = next(each.text or "" for each in svg.iter(f"{SVG}style"))
    assert "#all{transform:translateX(0px)" in style
    svg = recorded("one", "\rtwo", "", "", "\rthree", monkeypatch=monkeypatch)
    style = next(each.text or "" for each in svg.iter(f"{SVG}style"))
    assert re.search(r"#all\{transform:translateX\(-\d+px\)[^}]*;animation-delay:-1\.0s\}", style)
