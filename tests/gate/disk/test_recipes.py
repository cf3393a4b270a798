"""What a named target runs, as the formats say it."""

import pytest
from tests.gate.disk.test_follow import judged

from operators_edge.gate.disk import rakefiles, recipe_formats
from operators_edge.gate.disk.loose_commands import loose
from operators_edge.gate.disk.recipe_types import Wanted


def texts(kind, text, *targets):
    return [one.text for one in recipe_formats.recipes(kind, text, Wanted(targets))]


@pytest.mark.parametrize("text", ["[1]", "{", '{"scripts": 1}', '{"scripts": {"go": 1}}'])
def test_a_package_file_of_another_shape_runs_nothing(text):
    assert texts("package-scripts", text, "go") == []


@pytest.mark.parametrize(
    "text", ['\ufeff{"scripts": {"go": "ls"}}', '{"tasks": {"go": "ls",}} // x']
)
def test_a_package_file_may_have_comments_and_a_mark_of_its_encoding(text):
    assert texts("package-scripts", text, "go") == ["ls"]


def test_a_loose_text_passes_over_comments_but_not_over_a_line_that_begins_with_a_string():
    found = texts("loose", '// rm x\n"rm y".execute()\n" rm z\n')
    assert "rm y" in found
    assert not [one for one in found if "x" in one.split() or "z" in one.split()]


def test_words_of_meson_begin_with_the_program_and_options_are_none():
    text = "run_command('getent', 'passwd', '1'); run_command('rm', '-rf', '/x', check : true)\n"
    found = texts("loose", text)
    assert "getent passwd 1" in found
    assert "rm -rf /x" in found
    assert "passwd 1" not in found
    assert "rm -rf /y" in texts("loose", "run_command(sh, ['rm', '-rf', '/y'])\n")
    option = texts("loose", "conf.set_quoted('REBOOT', get_option('reboot-path'))\n")
    assert not [one for one in option if one.startswith("REBOOT")]


def test_a_sentence_in_a_loose_text_is_no_command():
    option = 'option(STRICT "Halt the compilation with an error on compiler warnings." OFF)\n'
    assert not [one for one in texts("loose", option) if one.startswith("Halt")]
    for command in ("Halt now", "halt the machine and all", "Git push --force the branch of all"):
        assert command in texts("loose", f'run("{command}")\n')


def test_a_comment_of_xml_is_no_command_but_one_of_a_page_with_code_may_be():
    text = "<project>\n<!-- run: rm -rf ~/x\n run: rm -rf ~/y -->\n  run: rm -rf ~/z\n</project>\n"
    lines = {one.text: one.line for one in loose(text, Wanted())}
    assert lines["rm -rf ~/z"] == 4
    assert "rm -rf ~/x" not in lines
    assert "rm -rf ~/y" not in lines
    assert "rm -rf ~/x" in texts("loose", f"<?php ?>{text}")
    assert "rm -rf ~/x" in texts("loose", text.replace("<project>", "project:"))


@pytest.mark.parametrize(
    "opens",
    [
        "<echo><![CDATA[ <!-- ]]></echo>",
        "<?note <!-- ?>",
        '<!DOCTYPE x [<!ENTITY note "<!--">]>',
        '<!DOCTYPE x SYSTEM "<!--">',
    ],
)
def test_what_only_looks_like_the_start_of_a_comment_of_xml_hides_nothing(opens):
    text = f"<x>\n{opens}\n  run: rm -rf ~/x\n<!-- -->\n</x>\n"
    assert "rm -rf ~/x" in texts("loose", text)


def test_a_quote_that_xml_escapes_ends_no_word():
    text = '<x>\n<exec command="sh -c &quot;rm -rf ~/x&quot; y"/>\n</x>\n'
    assert 'sh -c "rm -rf ~/x" y' in texts("loose", text)


def test_a_comparison_in_a_loose_text_is_no_redirection():
    found = texts(
        "loose", "dep = dependency('cairo', version: '>= 1.3.0')\nrun: a >= ../b\nx: y>=z\n"
    )
    assert not [one for one in found if ">= 1.3" in one]
    assert "a   ../b" in found  # a path is no less a word
    assert "y>=z" in found


def test_the_name_of_a_person_is_no_command():
    assert not texts("loose", "<name>Travis Reeder</name>\n")
    assert "travis login Ann" in texts("loose", "<name>travis login Ann</name>\n")
    assert "Travis Reeder" in texts("loose", "<arg>Travis Reeder</arg>\n")


def test_the_end_of_an_element_of_xml_is_no_redirection():
    block = "<argLine>\n -Dpolicy=res/java.policy</argLine>\n"
    assert "res/java.policy" in texts("loose", block)
    assert "rm -rf ~/x" in texts("loose", "<arg>\n run: rm -rf ~/x</arg>\n")


def test_a_loose_text_of_xml_is_read_without_its_escapes():
    text = '<x>\n  -group "Client &amp; amp tools" y\n  run: true &amp;&amp; rm -rf ~/x\n</x>\n'
    found = texts("loose", text)
    assert "Client & amp tools" in found
    assert "true && rm -rf ~/x" in found


def test_what_a_loose_text_compares_with_is_no_command():
    assert "AT" not in texts("loose", "elseif mode == 'AT'\n")
    assert "rm y" in texts("loose", "mode = 'rm y'\n")
    assert "rm y" in texts("loose", "mode := rm y\n")


RAKE = """
task default: [:test]
task :test do
  sh 'rspec'
end
namespace :db do
  task wipe: ["x"] do
    sh 'dropdb x'
  end
  task :all => :wipe do |t|
    sh "make #{t}"
  end
end
sh 'always'
"""


def rake(text, *targets, is_dry=False):
    code = rakefiles.rake_code(text, Wanted(targets, {}, is_dry))
    return [line.strip() for line in code.split("\n") if line.strip().startswith(("sh ", "x"))]


def test_a_rakefile_runs_the_named_tasks_and_those_that_they_need():
    assert rake(RAKE, "test")[-2:] == ["sh 'rspec'", "sh 'always'"]
    assert rake(RAKE, "db:all") == ["sh 'dropdb x'", 'sh "make #{t}"', "sh 'always'"]
    assert rake(RAKE, "unknown") == ["sh 'always'"]
    assert rake(RAKE, "db:all", is_dry=True) == ["sh 'always'"]


def test_the_words_of_rake_for_a_program_are_read_as_ruby():
    code = "sh 'gem', 'push', GEM\nsh(*%w[gem push x])\nruby 'x.rb'\nsh_it 1\nputs 'sh x'\n"
    assert rakefiles.rake_as_ruby(code) == (
        "system 'gem', 'push', GEM\nsystem(*%w[gem push x])\nsystem 'ruby', 'x.rb'\nsh_it 1\nputs 'sh x'\n"
    )


def test_a_task_needs_others_by_a_list_of_words_or_a_constant():
    text = (
        "task default: %i[ship]\ntask ship: GEM do\n  x\nend\nfile GEM => ['a'] do\n  sh 'b'\nend\n"
    )
    assert rake(text) == ["x", "sh 'b'"]


MIX = """
  defp aliases do
    [
      test: ["cmd ./reset.sh --all", "prepare", "test"],
      prepare: "cmd echo \\"a\\"",
      deploy: ["cmd ./deploy.sh"]
    ]
  end
"""


def test_an_alias_of_mix_runs_its_commands_and_those_of_the_aliases_in_it():
    assert texts("mix-aliases", MIX, "test") == ["./reset.sh --all", 'echo "a"']
    assert texts("mix-aliases", MIX, "deploy", "test") == ["./deploy.sh"]
    assert texts("mix-aliases", MIX, "compile") == texts("mix-aliases", MIX) == []


def test_files_that_a_test_runner_runs_first_are_named_by_paths():
    text = "export default { setupFiles: ['<rootDir>/a.js', 'jsdom'], globalSetup: './b.js' }"
    assert texts("test-setup", text) == ["node a.js", "node ./b.js"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"exports": {".": {"require": "./a.js"}}}', []),
        ('{"mocha": {"require": "./b.js"}, "exports": {".": {"require": "./a.js"}}}', ["node ./b.js"]),
        ('{"exports": {".": {"require": "./a.js"}}, "mocha": {"require": ["./a.js"]}}', ["node ./a.js"]),
        ('{"mocha": {"require": "./a.js"}}', ["node ./a.js"]),
        ('{"x": {"exports": 1}, "exports": {}, "mocha": {"require": "./a.js"}}', ["node ./a.js"]),
        ('{"name": "\\"exports\\": {", "mocha": {"require": "./a.js"}}', ["node ./a.js"]),
        ('{"name": "exports", "mocha": {"require": "./a.js"}}', ["node ./a.js"]),
        ('{"exports" : "./a.js", "mocha": {"require": "./a.js"}}', ["node ./a.js"]),
        ('module.exports = {"exports": {"require": "./a.js"}}', ["node ./a.js"]),
        ('{"exports": {"require": "./a.js"}', ["node ./a.js"]),
    ],
)  # fmt: skip
def test_what_a_package_exports_is_not_run(text, expected):
    assert texts("test-setup", text) == expected


def test_an_alias_of_cargo_is_a_text_or_a_list_of_words():
    text = (
        '[build]\njobs = 2\n[alias]\nt = "test --workspace"\nx = ["run", "a b"]\n"y" = "z"\nn = 1\n'
    )
    assert texts("cargo-aliases", text, "t") == ["cargo test --workspace"]
    assert texts("cargo-aliases", text, "x", "y") == ["cargo run 'a b' y"]
    assert texts("cargo-aliases", text, "+nightly", "y") == ["cargo z"]
    assert texts("cargo-aliases", text, "n", "build") == []
    assert texts("cargo-aliases", "[alias", "t") == []


def test_an_alias_of_cargo_is_found_behind_options_and_in_the_file_that_wins():
    publishes = '[alias]\nout = "publish"\n'
    files = {".cargo/config.toml": publishes, "Cargo.toml": '[package]\nname = "x"\n'}
    for line in ("cargo out", "cargo -C sub out", "cargo -Z unstable-options out"):
        assert judged(line, files, committed=tuple(files)).effect == "junction"
    both = {**files, ".cargo/config.toml": "", ".cargo/config": publishes}
    assert judged("cargo out", both, committed=tuple(both)).effect == "junction"


def test_a_short_name_of_go_generate_is_the_command_that_it_stands_for():
    text = (
        "//go:generate -command ship sh ./ship.sh\n//go:generate ship now\n//go:generate gen -a\n"
    )
    assert texts("go-generate", text) == ["sh ./ship.sh now", "gen -a"]


@pytest.mark.parametrize("command", ["go generate ./...", "go generate ./a/b/c/d/e"])
def test_go_generate_reads_files_at_any_depth(command):
    files = {"go.mod": "module x\n", "a/b/c/d/e/x.go": "package e\n\n//go:generate npm publish\n"}
    assert judged(command, files, committed=files).effect == "junction"


GO_SHOWN = [
    'cmd.Flags().StringVar(&host, "hostname", "h", "reboot -f")',
    'podman.Run("x").Podman([]string{"exec", id, "rm -rf /srv/data"})\n'.replace("Run", "With"),
    'resp := Execute([]string{"deploy", "-e=production now"})',
    "steps = Docf(`\n\t- run 'git push --force origin main'\n`)",
]
GO_STARTED = [
    'exec.Command("git", "push", "--force", "origin", "main")',
    'mustRun("git push --force origin main")',
    'exec.Command("sh", "-c", `\n\tgit push --force origin main\n`)',
    "runShell(`git push --force origin main`)",
    'c := exec.Cmd{Path: git, Args: []string{"git", "push", "--force", "origin", "main"}}',
]


@pytest.mark.parametrize("line", GO_SHOWN)
def test_a_text_of_go_that_is_only_shown_or_handed_to_the_program_itself_is_no_command(line):
    code = f'package main\n\nimport "os/exec"\n\nfunc main() {{\n\t{line}\n}}\n'
    assert texts("source", code) == []


@pytest.mark.parametrize("line", GO_STARTED)
def test_a_text_of_go_that_a_call_starts_is_a_command(line):
    code = f'package main\n\nimport "os/exec"\n\nfunc main() {{\n\t{line}\n}}\n'
    assert any("push --force" in one for one in texts("source", code))


@pytest.mark.parametrize(
    "code",
    [
        'package tools\n\nimport sys.process._\n\nobject A extends App { "git push --force".! }\n',
        'package tools\n\nimport java.io.File\n\nval run = "git push --force origin main"\n',
    ],
)
def test_a_package_of_another_language_is_not_taken_for_go(code):
    assert any("git push --force" in one for one in texts("source", code))


def test_files_of_data_that_an_element_names_are_no_commands():
    described = (
        "<configuration>\n  <descriptors>\n    <descriptor>src/main/assembly/src.xml</descriptor>\n"
        "  </descriptors>\n  <tarLongFileMode>gnu</tarLongFileMode>\n</configuration>\n"
    )
    assert not [one for one in texts("loose", described) if "src.xml" in one]
    run = "<configuration>\n<executable>./wipe</executable>\n<argument>all</argument>\n</configuration>\n"
    assert "./wipe all" in texts("loose", run)
    assert "./wipe.sh" in texts("loose", "<scriptFile>./wipe.sh</scriptFile>")
