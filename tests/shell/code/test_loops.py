"""What a loop does to each item of a list in the code is known, in every language that writes such loops."""

from __future__ import annotations

from tests.tables import for_each

from operators_edge.shell.code.interpreters import find_calls
from operators_edge.shell.commands import HOLE

NODE_STEPS = 'const steps = [["tag", "v1"], ["push", "--force"]];\n'
PERL_STEPS = "my @steps = (['tag', 'v1'], [qw(push --force)]);\n"
RUBY_STEPS = "STEPS = [%w[tag v1], %W[push --force]].freeze\n"
PHP_STEPS = "$steps = [['tag', 'v1'], ['push', '--force']];\n"
RUNS = [
    ("node", NODE_STEPS + 'for (const a of steps) execFileSync("git", a);'),
    ("node", NODE_STEPS + 'for (const a of steps) { console.log(a); execFileSync("git", a); }'),
    ("node", NODE_STEPS + 'steps.forEach((a, i) => execFileSync("git", a));'),
    ("node", NODE_STEPS + 'steps.forEach(function (a) { execFileSync("git", a); });'),
    ("node", NODE_STEPS + 'for (const a of steps) execSync(`git ${a.join(" ")}`);'),
    ("node", NODE_STEPS + 'await Promise.all(steps.map(async (a) => execa("git", a)));'),
    ("node", NODE_STEPS + 'for (const [verb, ...rest] of steps) execFileSync("git", [verb, ...rest]);'),
    (
        "node",
        'const s = [{c: "git", a: ["push", "--force"]}]; for (const {c, a} of s) spawnSync(c, a);',
    ),
    ("node", 'for (const s of [{run: "git push --force"}]) execSync(s.run);'),
    ("node", '[["git", ["push", "--force"]]].forEach(([cmd, args]) => { spawnSync(cmd, args); });'),
    ("node", 'for (const b of ["--force"]) execSync(`git push ${b}`);'),
    ("ruby", RUBY_STEPS + 'STEPS.each { |s| system("git", *s, exception: true) }'),
    ("ruby", RUBY_STEPS + 'STEPS.each do |s|\n  puts s\n  system("git", *s) if s\nend'),
    ("ruby", RUBY_STEPS + 'for s in STEPS do\n  system("git", *s)\nend'),
    ("ruby", "[%w[git push --force]].each_with_index { |c, i| system(*c) }"),
    ("ruby", 'S = { tag: %w[tag v1], push: %w[push --force] }\nS.each { |n, a| system("git", *a) }'),
    ("ruby", 's = [{ run: "git push --force" }]\ns.each { |o| system(o[:run]) }'),
    ("ruby", '%w[--force].each { |o| system("git push #{o}") }'),
    ("perl", PERL_STEPS + "system('git', @$_) for @steps;"),
    ("perl", PERL_STEPS + "for my $s (@steps) { system('git', @{$s}) == 0 or die; }"),
    ("perl", "my $steps = [['push', '--force']];\nforeach my $s (@$steps) { system('git', @$s); }"),
    ("perl", "for my $s ({ c => 'git', a => ['push', '--force'] }) { system($s->{c}, @{ $s->{a} }); }"),
    ("php", PHP_STEPS + "foreach ($steps as $s) { exec('git ' . implode(' ', $s)); }"),
    ("php", "foreach (['git push --force'] as $i => $c) { passthru($c); }"),
    ("php", "$o = ['--force'];\nforeach ($o as $one) passthru(\"git push $one\");"),
    (
        "lua",
        'for _, a in ipairs({ {"push", "--force"} }) do os.execute("git " .. table.concat(a, " ")) end',
    ),
]  # fmt: skip
CHANGES = [
    ("node", 'const q = ["DELETE FROM a"];\nfor (const sql of q) { await db.query(sql); }'),
    ("ruby", 'Q = ["DELETE FROM a"].freeze\nQ.each do |sql|\n  db.exec(sql)\nend'),
    ("ruby", '%w[a].each { |t| db.query("DELETE FROM #{t}") }'),
    ("perl", 'my @q = ("DELETE FROM a");\n$dbh->do($_) for @q;'),
    ("php", '$q = ["DELETE FROM a"];\nforeach ($q as $sql) { $pdo->query($sql); }'),
]
READS = [
    ("ruby", RUBY_STEPS + 'STEPS.each { |s| puts "  git #{s.join(" ")}" }'),
    ("node", NODE_STEPS + 'for (const a of steps) console.log("git", a.join(" "));'),
    ("perl", PERL_STEPS + 'print "git @$_\\n" for @steps;'),
    ("php", PHP_STEPS + "foreach ($steps as $s) { echo 'git ' . implode(' ', $s); }"),
    ("node", "const t = `\nfor (const a of [['push']]) execFileSync('git', a);\n`;"),
    ("node", "// for (const a of [['push']]) execFileSync('git', a);"),
]
STILL_UNKNOWN = [
    ("a list that grows", 'const l = ["a"]; l.push(x); for (const d of l) fs.rmSync(d);'),
    ("a list that is set again", 'let l = ["a"]; l = y(); for (const d of l) fs.rmSync(d);'),
    ("another list of the name", 'const l = [["a"]]; const f = (l) => { for (const d of l) rmSync(d[0]); }'),
    ("a part of a statement", 'z(["a"].map((d) => fs.rmSync(d + x)));'),
]  # fmt: skip


def commands_of(program: str, code: str) -> list[str]:
    option = "-r" if program == "php" else "-e"
    calls = find_calls(program, (program, option, code), None)
    return [" ".join(one.words) if one.words else one.text or "" for one in calls]


@for_each(("program", "code"), RUNS)
def test_a_command_that_a_loop_takes_from_a_list_is_known(program: str, code: str) -> None:
    assert "git push --force" in commands_of(program, code)


@for_each(("program", "code"), CHANGES)
def test_sql_that_a_loop_takes_from_a_list_is_known(program: str, code: str) -> None:
    assert any(one.endswith("DELETE FROM a") for one in commands_of(program, code))


@for_each(("program", "code"), READS)
def test_a_loop_that_only_shows_its_items_runs_nothing(program: str, code: str) -> None:
    assert commands_of(program, code) == []


@for_each(("name", "code"), STILL_UNKNOWN)
def test_what_a_loop_may_also_do_stays_unknown(name: str, code: str) -> None:
    assert any(HOLE in one or one.endswith(" x") for one in commands_of("node", code)), name


def test_a_loop_within_a_loop_is_read_once_for_each_item() -> None:
    code = 'for (const a of ["x"]) { for (const b of ["y"]) { fs.rmSync(`${a}/${b}`); } }'
    assert "rm -rf x/y" in commands_of("node", code)


def test_a_long_list_leaves_its_loop_as_it_is() -> None:
    items = ", ".join(f'["a{at}"]' for at in range(60))
    assert HOLE in "".join(commands_of("node", f"for (const a of [{items}]) fs.rmSync(a[0]);"))


# end of module
