"""What code deletes by a pattern is known, however the language lists the files."""

from __future__ import annotations

from tests.tables import for_each

from operators_edge.shell.code.interpreters import find_calls

DELETES = [
    ("perl", 'unlink glob("/srv/*.txt");', "/srv/*.txt"),
    ("perl", 'unlink glob("$ENV{HOME}/*.txt");', "~/*.txt"),
    ("perl", 'for my $f (glob("/srv/*")) { unlink $f; }', "/srv/*"),
    ("perl", 'my @f = glob("/srv/*"); unlink @f;', "/srv/*"),
    ("perl", "unlink for </srv/*>;", "/srv/*"),
    ("php", 'array_map("unlink", glob(getenv("HOME")."/x/*"));', "~/x/*"),
    ("php", 'foreach (glob("/srv/*") as $f) unlink($f);', "/srv/*"),
    ("php", '$f = "/srv/x"; unlink($f);', "/srv/x"),
    ("ruby", 'Dir.glob("/srv/*").each { |f| File.delete(f) }', "/srv/*"),
    ("ruby", 'Dir["/srv/*"].each do |f|\n  File.delete(f)\nend', "/srv/*"),
    ("ruby", 'FileUtils.rm_f(Dir["#{Dir.home}/x/*"])', "~/x/*"),
    ("ruby", 'R = "/srv"\nFileUtils.rm_f(Dir.glob(File.join(R, "*")))', "/srv/*"),
    ("ruby", 'R = "/srv"\nDir[File.join(R, "*")].each { |f| File.delete(f) }', "/srv/*"),
    ("php", 'const R = "/srv"; array_map("unlink", glob(self::R . "/*"));', "/srv/*"),
    ("php", 'static $r = "/srv"; foreach (glob(self::$r . "/*") as $f) unlink($f);', "/srv/*"),
    (
        "node",
        'const g = require("glob"); for (const f of g.sync("/srv/*")) fs.unlinkSync(f)',
        "/srv/*",
    ),
    ("node", 'globSync("/srv/*").forEach(f => fs.unlinkSync(f))', "/srv/*"),
    (
        "node",
        'const R = "/srv"; for (const f of globSync(path.join(R, "*"))) fs.unlinkSync(f)',
        "/srv/*",
    ),
]
READS = [
    ("perl", 'print for glob("/srv/*");'),
    ("php", 'foreach (glob("/srv/*") as $f) { echo $f; }'),
    ("ruby", 'Dir.glob("/srv/*") { |f| puts f }'),
    ("node", 'globSync("/srv/*").forEach(f => console.log(f))'),
]


def words_of(program, code):
    option = "-r" if program == "php" else "-e"
    return [call.words for call in find_calls(program, (program, option, code), None)]


@for_each(("program", "code", "pattern"), DELETES)
def test_the_pattern_of_what_is_deleted_is_known(program, code, pattern):
    assert ("rm", pattern) in words_of(program, code) or ("rm", "-f", pattern) in words_of(
        program, code
    )


@for_each(("program", "code"), READS)
def test_a_list_that_is_only_read_deletes_nothing(program, code):
    assert words_of(program, code) == []
