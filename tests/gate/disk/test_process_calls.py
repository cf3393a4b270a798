"""What a compiled program starts by functions, variables and lists of its own."""

# ruff: noqa: E501 - texts of files

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

from operators_edge.gate.disk.process_calls import calls, with_double_quotes
from operators_edge.shell.commands import HOLE

RUST = 'fn tool(args: &[&str]) {\n    let name = env::var("CARGO").unwrap_or_else(|_| "cargo".into());\n    Command::new(name).args(args).status();\n}\n'
GO = 'func git(args ...string) {\n\texec.Command("git", args...).Run()\n}\n'
DART = "Future<void> step(String name, List<String> args) async {\n  await Process.start('dart', args);\n}\n"


def java(start, call):
    return f"class T {{\n  public static void main(String[] a) {{ {call}; }}\n  private static Result git({start}\n  }}\n}}\n"


VARIADIC = 'String... args) {\n    List<String> all = new ArrayList<>(List.of("git"));\n    all.addAll(Arrays.asList(args));\n    new ProcessBuilder(all).start();'
CELLS = 'String... args) {\n    String[] all = new String[args.length + 1];\n    all[0] = "git";\n    System.arraycopy(args, 0, all, 1, args.length);\n    Runtime.getRuntime().exec(all);'
SECOND = 'Path in, List<String> args) {\n    List<String> all = new ArrayList<>();\n    all.add("git");\n    Collections.addAll(all, args);\n    ProcessBuilder pb = new ProcessBuilder();\n    pb.command(all);'
STARTED = {
    "a list of Java made in steps": (
        java(VARIADIC, 'git("push", "--delete", "origin", branch)'),
        "git push --delete origin",
    ),
    "cells of an array": (java(CELLS, 'git("push", "--force")'), "git push --force"),
    "a list for a builder": (
        java(SECOND, 'git(root, List.of("push", "--force"))'),
        "git push --force",
    ),
    "a function of Dart": (
        with_double_quotes(DART + "void main() { step('p', ['pub', 'publish']); }\n"),
        "dart pub publish",
    ),
    "each list of a loop": (
        'var steps = [["git", "status"], ["git", "push"]];\nfor (final s in steps) { Process.run(s.first, s.sublist(1)); }\n',
        "git push",
    ),
    "each list of a loop of Go": (
        'steps := [][]string{{"test", "-q"}, {"push", "origin"}}\nfor _, s := range steps {\n\texec.Command("git", s...).Run()\n}\n',
        "git push origin",
    ),
    "a text of several lines": ('Shell().run("""\n  git status\n  git push\n""");\n', "git push"),
    "a list that a function takes": (
        RUST + 'fn main() { tool(&["publish", "-p", "a"]); }\n',
        "cargo publish -p a",
    ),
    "a list over several lines": (
        RUST + 'fn main() {\n    tool(&[\n        "publish",\n        "-p",\n    ]);\n}\n',
        "cargo publish -p",
    ),
    "a list with a name": (
        'const ALL: &[&str] = &["publish", "-p"];\n' + RUST + "fn main() { tool(ALL); }\n",
        "cargo publish -p",
    ),
    "a list that grows": (
        RUST + 'fn main() { let mut a = vec!["publish"]; a.push("-p"); tool(&a); }\n',
        "cargo publish -p",
    ),
    "a program as a parameter": (
        (
            "fn sh(name: &str, args: &[&str]) { Command::new(name).args(args).status(); }\n"
            'fn main() { sh("git", &["push", "origin"]); }\n'
        ),
        "git push origin",
    ),
    "words one by one": (
        'fn main() {\n    Command::new("git")\n        .arg("push")\n        .arg("origin")\n        .status();\n}\n',
        "git push origin",
    ),
    "all other parameters": (GO + 'func main() {\n\tgit("push", "origin")\n}\n', "git push origin"),
    "a function that calls another": (
        GO + 'func push(to string) {\n\tgit("push", to)\n}\nfunc main() {\n\tpush("origin")\n}\n',
        "git push origin",
    ),
    "a list of one branch": (
        (
            'func main() {\n\ta := []string{"status", "-s"}\n\tif live {\n\t\ta = []string{"push", "origin"}\n\t}\n'
            '\texec.Command("git", a...).Run()\n}\n'
        ),
        "git push origin",
    ),
    "a function that a call makes": (
        'var git = sh.RunCmd("git")\nfunc Ship() error { return git("push", "origin") }\n',
        "git push origin",
    ),
}


@for_each(("code", "run"), STARTED.values(), STARTED)
def test_what_a_function_of_the_program_starts_is_known(code, run):
    assert run in [one.text for one in calls(code)]


ARMS = (
    'fn check() { tool(&["test", "-q"]); }\nfn ship() { tool(&["publish", "-q"]); }\n'
    'fn main() {{ {before}match {given} {{\n    Some("check") => check(),\n    {arm} => ship(),\n    _ => {other},\n}} }}\n'
)


def published(
    *words, before="", given="env::args().nth(1).as_deref()", arm='Some("ship")', other="()"
):
    head, main = ARMS.split("fn main", 1)
    code = RUST + head + "fn main" + main.format(before=before, given=given, arm=arm, other=other)
    return "cargo publish -q" in [one.text for one in calls(code, ["xtask", *words])]


def test_only_the_subcommand_counts_that_the_words_name():
    assert published("ship")
    assert not published("check")


def test_a_subcommand_counts_unless_it_is_surely_another():
    assert published()
    assert published("unknown")
    assert published("check", "ship")
    assert published("check", before="ship(); ")
    assert published("check", given='env::var("MODE").as_deref()')
    assert published("check", arm='Some("ship") | Some("check")')
    assert published("check", arm='Some(one) if one.starts_with("c")')
    assert published("check", other="ship()")


def test_a_case_that_falls_through_leaves_the_others_in():
    code = GO + (
        'func main() {\n\tswitch os.Args[1] {\n\tcase "check":\n\t\tgit("status", "-s")\n{}'
        '\tcase "ship":\n\t\tship()\n\t}\n}\nfunc ship() { git("push", "origin") }\n'
    )
    runs = [one.text for one in calls(code.replace("{}", ""), ["x", "check"])]
    assert "git push origin" not in runs
    runs = [one.text for one in calls(code.replace("{}", "\t\tfallthrough\n"), ["x", "check"])]
    assert "git push origin" in runs


def test_git_in_a_temporary_folder_is_no_concern():
    code = GO + 'func TestA(t *testing.T) {\n\tdir := t.TempDir()\n\tgit("push", dir)\n}\n'
    assert not list(calls(code))


ALIAS = '[alias]\nprobe = "run --quiet --package xtask -- probe"\nxtask = "run -p xtask --"\n'


@for_each("place", ["xtask", "tools/xtask"])
@for_each("command", ["cargo probe", "cargo xtask probe", "cargo run -p xtask -- probe"])
def test_an_alias_of_cargo_leads_to_what_its_program_starts(place, command):
    def effect(verb):
        files = {
            ".cargo/config.toml": ALIAS,
            "Cargo.toml": f'[workspace]\nmembers = ["{place}"]\n',
            f"{place}/Cargo.toml": '[package]\nname = "xtask"\n',
            f"{place}/src/main.rs": RUST + "mod ship;\nfn main() { ship::go(); }\n",
            f"{place}/src/ship.rs": f'pub fn go() {{ crate::tool(&["{verb}", "-p", "a"]); }}\n',
        }
        return judged(command, files, committed=tuple(files)).effect

    assert effect("publish") == "junction"
    assert effect("package") == "allow"


def test_a_loop_over_a_list_that_names_the_loop_again_ends():
    code = (
        "func main() {\n"
        '\ttable := [][]string{{"git", step}, {"git", "push", other}}\n'
        '\tmore := [][]string{{"origin", step}, {"fork", other}}\n'
        "\tfor _, step := range table {\n\t\texec.Command(step)\n\t}\n"
        "\tfor _, other := range more {\n\t\texec.Command(other)\n\t}\n}\n"
    )
    runs = [one.text for one in calls(code)]
    assert "git push" in runs


def go_runs(body):
    code = f"package main\n\nfunc run(args ...string) {{\n\texec.Command(args[0], args[1:]...)\n}}\n{body}"
    return [one.text.replace(HOLE, "*") for one in calls(code)]


@for_each(
    ("value", "word"),
    [
        ('"build-" + version', "build-*"),
        ('filepath.Join("out", "a-"+version)', "out/*"),
        ('filepath.Join("out-" + version + "-x")', "out-*-x"),
        ('"bu" + "ild"', "build"),
        ('"/srv" + rest', "/srv/data"),
        ('path.Join("~", name)', "~/*"),
    ],
)
def test_a_word_of_go_that_is_made_of_parts_is_one(value, word):
    body = f'func main() {{\n\trest := "/data"\n\tdir := {value}\n\trun("rm", "-rf", dir)\n}}\n'
    assert [one.replace("'", "") for one in go_runs(body)] == [f"rm -rf {word}"]


@for_each(
    "home",
    [
        'home := os.Getenv("HOME")',
        "home, err := os.UserHomeDir()",
        'home := os.Getenv("HOME") + ""',
    ],
)
def test_the_home_of_a_person_is_known_in_go(home):
    for value in ('home + "/photos"', 'filepath.Join(home, "photos")'):
        body = f'func main() {{\n\t{home}\n\tdir := {value}\n\trun("rm", "-rf", dir)\n}}\n'
        assert go_runs(body) == ["rm -rf ~/photos"]
    direct = 'func main() {\n\trun("rm", "-rf", os.Getenv("HOME")+"/photos")\n}\n'
    assert go_runs(direct) == ["rm -rf ~ /photos"]


@for_each("value", ['get("cache")', "flags.dir", 'strings.Trim("build", "b")', "list[0]"])
def test_what_a_call_of_go_gives_is_not_what_it_is_given(value):
    body = f'func main() {{\n\tbase := {value}\n\tdir := base + "/x"\n\trun("rm", "-rf", dir)\n}}\n'
    assert [one.replace("'", "") for one in go_runs(body)] == ["rm -rf */x"]


def test_a_word_of_go_that_is_set_twice_may_be_both():
    body = (
        'func main() {\n\tbase := "build"\n\tif x {\n\t\tbase = "/srv"\n\t}\n'
        '\tdir := base + "/x"\n\trun("rm", "-rf", dir)\n}\n'
    )
    assert go_runs(body) == ["rm -rf build/x", "rm -rf /srv/x"]
    called = body.replace('"/srv"', "get()")
    assert [one.replace("'", "") for one in go_runs(called)] == ["rm -rf build/x", "rm -rf */x"]


def test_a_word_of_go_that_grows_or_names_itself_ends():
    body = (
        'func main() {\n\tdir := "a" + b\n\tb := dir + "x" + b\n\tdir += "/y"\n'
        '\tc := b + dir + b\n\trun("rm", "-rf", c)\n}\n'
    )
    assert all(one.startswith("rm -rf ") for one in go_runs(body))


def test_lists_that_go_into_one_another_again_and_again_make_no_endless_command():
    grown = [f"v{at + 1}.addAll(v{at});\n" * 40 for at in range(4)]
    code = (
        f'List<String> v0 = List.of("rm", "-rf");\n{"".join(grown)}new ProcessBuilder(v4).start();'
    )
    lists = "".join(f"List<String> v{at} = new ArrayList<>();\n" for at in range(1, 5))
    found = [one.text for one in calls(lists + code)]
    assert found
    assert all(len(one.split()) < 1_000 for one in found)
    assert found[-1].endswith(HOLE)


def test_a_list_of_go_and_what_other_languages_add_stay_several_words():
    body = 'func main() {\n\tall := append([]string{"-rf"}, "a" + x)\n\trun("rm", all...)\n}\n'
    assert go_runs(body) == ["rm -rf a"]
    kotlin = 'fun main() {\n val all = base + "--force"\n ProcessBuilder("git", "push", all)\n}\n'
    assert [one.text for one in calls(kotlin)] == ["git push --force"]
