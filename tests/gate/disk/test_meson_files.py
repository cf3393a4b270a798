"""Paths that a file of Meson puts together are known where it starts a program."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

PAGES = """project('shop', 'c')

source = meson.current_source_dir() / 'docs/'
target = meson.current_build_dir() / 'pages/'  # made again
run_target('pages',
  command: ['rsync', '-a', '--delete', source, target])
"""
COMMAND = "meson compile -C build pages"


def effect(old="", new="", command=COMMAND):
    assert old in PAGES
    files = {"meson.build": PAGES.replace(old, new) if old else PAGES, "docs/a.html": "a"}
    place = "/home/ann/shop/build"
    return judged(command, files, committed=tuple(files), ignored=(place,)).effect


@for_each(
    ("old", "new"),
    [
        ("", ""),
        ("meson.current_build_dir() / 'pages/'", "meson.project_build_root() / 'a' / 'pages/'"),
        ("source, target]", "source, meson.current_build_dir() / 'pages']"),
    ],
)
def test_a_folder_of_the_build_needs_nobody(old, new):
    assert effect(old, new) == "allow"


@for_each(
    ("old", "new"),
    [
        ("meson.current_build_dir() / 'pages/'", "'www@shop.example.org:/srv/www/'"),
        ("meson.current_build_dir() / 'pages/'", "meson.current_source_dir() / '..' / 'pages/'"),
        ("meson.current_build_dir() / 'pages/'", "meson.current_build_dir() / '/srv/pages/'"),
        ("meson.current_build_dir() / 'pages/'", "get_option('pages')"),
        ("run_target", "target = '/srv/pages/'\nrun_target"),
        ("run_target", "target += '/../../../photos/'\nrun_target"),
        ("run_target", "set_variable('target', '/srv/pages/')\nrun_target"),
        ("run_target", "foreach target : ['/srv/pages/']\nrun_target"),
        ("source, target]", "source, target / '../../../photos/']"),
    ],
)
def test_another_folder_asks(old, new):
    assert effect(old, new) == "junction"


def test_a_build_in_an_unknown_folder_asks():
    assert effect(command="ninja pages && meson compile pages") == "junction"
    assert effect(command="meson compile -C /srv/shop pages") == "junction"


# end of module
