"""What is known of a template that Perl fills in is what Perl prints; anything else is unknown."""

from __future__ import annotations

import shutil
import subprocess

from tests.tables import for_each

from operators_edge.shell.filters.text_filters import filter_of

TEXT = "url=@URL@ @URL@\nx {{A}} $B a.b\nend @URL@"


@for_each(
    "code",
    [
        r"s#\@URL\@#jdbc:h2:mem:x#",
        r"s/\@URL\@/a\/b/g",
        r"s|\@URL\@|x|g; s/\{\{A\}\}/ y /;",
        r"s/\$B/z/;s!a\.b!c!",
        r"s,x,,g",
        r"s/end/\@q\$/",
    ],
)
def test_texts_that_are_put_in_are_known(code):
    told = filter_of("perl", ["-pe", code]).apply(TEXT)
    if shutil.which("perl"):
        words = ["perl", "-pe", code]
        real = subprocess.run(words, input=TEXT, capture_output=True, text=True, check=True)
        assert told == real.stdout


@for_each(
    "words",
    [
        ["-pe", "s/@URL@/x/"],
        ["-pe", "s/a.b/x/"],
        ["-pe", "s/x/$ENV{X}/"],
        ["-pe", "s/x/@a/"],
        ["-pe", "s/x/`ls`/e"],
        ["-pe", "s/x/y/; system('ls')"],
        ["-pe", "s/x/y/i"],
        ["-pe", r"s/x/\n/"],
        ["-pe", "s{x}{y}"],
        ["-pe", "s'x'y'"],
        ["-ne", "s/x/y/"],
        ["-pi", "-e", "s/x/y/", "f"],
        ["-i", "-pe", "s/x/y/", "f"],
        ["-Mx", "-pe", "s/x/y/"],
        ["-pe", "s/x/y/", "f", "g"],
        ["-pe", ""],
    ],
)
def test_what_is_not_certain_is_unknown(words):
    found = filter_of("perl", words)
    assert found is None or found.apply(TEXT) is None
