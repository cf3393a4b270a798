"""Code that is spelled in another way means the same."""

from __future__ import annotations

from tests.tables import for_each

from operators_edge.gate.disk.started import started_by_code


@for_each(
    ("program", "code", "starts"),
    [
        ("ruby", 'n = "a_#{Process.pid}"\nsystem "x #{n}"', "x a_4194305"),
        ("ruby", 'system "x a_#{$$}"', "x a_4194305"),
        ("ruby", "system(*%W[x a_#{Process.pid}])", "x a_4194305"),
        ("ruby", 'system "x a_" + SecureRandom.hex(4)', "x a_4194305"),
        ("ruby", 'n = "a b"\nsystem "x #{n.shellescape}"', "x 'a b'"),
        ("node", "const c = require('child_process'); c.execSync(`x ${process.pid}`)", "x 4194305"),
        ("node", "child_process.execFileSync(path.join('/a/b', '..', '..', 'c'))", "/a/b/../../c"),
        ("perl", 'my $n = "a_$$"; system("x $n")', "x a_4194305"),
        ("perl", "my $n = 'a_' . $$; system(\"x $n\")", "x a_4194305"),
        ("php", "$n = 'a_' . getmypid(); exec(\"x $n\");", "x a_4194305"),
        # something else gets the name
        ("ruby", 'def pid = "b"\nsystem "x #{Process.pid}"', "x \0"),
        ("perl", 'my $r = \\"b"; system("x $$r")', "x $\0"),
        # a text that is only the beginning
        ("ruby", 'n = "a/" + up\nsystem "x #{n}"', "x \0"),
        ("php", "$n = 'a/' . $up; exec(\"x $n\");", "x \0"),
        (
            "node",
            "const c = require('child_process'); let n = 'a' + up; c.execSync(`x ${n}`)",
            "x \0",
        ),
    ],
)
def test_what_code_starts_is_read_in_its_usual_spelling(program, code, starts):
    assert [
        run.text for run in started_by_code(program, "-r" if program == "php" else "-e", code)
    ] == [starts]
