"""Magefiles, Go programs, Procfiles and included SQL: what they start counts, and nothing else."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.gate.example_project import PLACE, ROOT, RULES, Machine
from tests.tables import for_each

from operators_edge.gate.decide import assess
from operators_edge.model import Call

CONTEXTUAL = RULES.with_profile("contextual")
MAGE = (
    'package main\n\nconst image = "registry.example.com/a:1"\n\n// Build makes it; see Push.\n'
    'func Build() error { return sh.Run("docker", "build", "-t", image, ".") }\n\n'
    'func Push() error { return sh.RunV("docker", "push", image) }\n\n'
    "func All() { mg.Deps(Build, Push) }\n\nfunc Local() { mg.Deps(Build) }\n"
)
GO = {
    "go.mod": "module example.com/a\n",
    "cmd/x/main.go": 'package main\n\nimport (\n\t"example.com/a/lib"\n)\n\nfunc main() { lib.Go() }\n',
    "lib/lib.go": 'package lib\n\nfunc Go() {\n\trun("kubectl", "delete", "ns", "shop")\n}\n',
    "other/o.go": 'package other\n\nfunc No() {\n\trun("kubectl", "delete", "ns", "pay")\n}\n',
}
SQL = {"sql/a.sql": "select 1;\n\\ir more/b.sql\n"}
TEMP = "create temp table t as select 1;\n"
CASES = [
    ("mage all", {"magefile.go": MAGE}, "junction"),
    ("mage local", {"magefile.go": MAGE}, "allow"),
    ("go run ./cmd/x", GO, "junction"),
    ("go run ./cmd/x", {**GO, "lib/lib.go": "package lib\n\nfunc Go() {}\n"}, "allow"),
    ("foreman start -f P", {"P": "web: ls\nship: npm publish\n"}, "junction"),
    ("foreman start -f P", {"P": "web: ls\n# ship: npm publish\n"}, "allow"),
    (
        "psql -h db.example.com shop -f sql/a.sql",
        {**SQL, "sql/more/b.sql": "truncate a;"},
        "junction",
    ),
    ("psql -h db.example.com shop -f sql/a.sql", {**SQL, "more/b.sql": "truncate a;"}, "allow"),
    ("psql shop -f a.sql", {"a.sql": f"{TEMP}drop table t;"}, "allow"),
    ("psql shop -f a.sql", {"a.sql": f"{TEMP}drop table t;\ndrop table t;"}, "junction"),
    ("psql shop -f a.sql", {"a.sql": f"{TEMP}drop table public.t;"}, "junction"),
    ("psql shop -f a.sql", {"a.sql": f"begin;\n{TEMP}rollback;\ndrop table t;"}, "junction"),
    ("psql shop -f a.sql", {"a.sql": f"drop table t;\n{TEMP}"}, "junction"),
]
DEFAULT = {"Procfile": "ship: npm publish\n", "P": "web: ls\n"}
OTHERS = [
    ("foreman start -f P", "allow"),
    ("overmind s --procfile=P web", "allow"),
    ("honcho -f P start", "allow"),
    ("foreman start", "junction"),
    ("foreman start -f Procfile", "junction"),
    ("foreman start -f ./Procfile", "junction"),
    ("foreman start -f P -f Procfile", "junction"),
    ("foreman start -f Proc*", "junction"),
    ('foreman start -f "$F"', "junction"),
    ("foreman start -f ''", "junction"),
    ("foreman start -- -f P", "junction"),
    ("foreman start P", "junction"),
    ("foreman run ship -f P", "junction"),
    ("hivemind -f P", "junction"),
    ("cp Procfile Q && foreman start -f Q", "junction"),
]


@for_each(("command", "files", "effect"), CASES)
def test_what_a_program_starts_from_its_files_counts(command, files, effect):
    assert judged(command, files, committed=tuple(files)).effect == effect


@for_each(("command", "effect"), OTHERS)
def test_a_procfile_that_an_option_names_is_read_in_place_of_the_usual_one(command, effect):
    assert judged(command, DEFAULT, committed=tuple(DEFAULT)).effect == effect


def test_unknown_files_that_a_committed_go_program_deletes_are_saved_first():
    files = {"main.go": "package main\n\nfunc main() {\n\tos.RemoveAll(dir)\n}\n"}
    verdict = judged("go run main.go", files, committed=("main.go",))
    assert (verdict.effect, bool(verdict.destroys)) == ("allow", True)


COMPOSE = (
    "services:\n  job:\n    image: alpine\n    working_dir: /app\n"
    "    volumes: ['.:/app{mode}']\n    command: {run}\n"
)
MOUNTS = [
    ("", "rm -rf scans", True),
    ("", "[sh, -c, 'rm -rf /app/scans']", True),
    (":ro", "rm -rf scans", False),
    ("", "ls scans", False),
]


@for_each(("mode", "run", "is_saved"), MOUNTS)
def test_what_a_service_deletes_in_a_mounted_folder_is_saved_first(mode, run, is_saved):
    files = {
        "compose.yaml": COMPOSE.replace("{mode}", mode).replace("{run}", run),
        "scans/a.tif": "x",
    }
    verdict = judged("docker compose run --rm job", files, committed=("compose.yaml",))
    assert (verdict.effect, bool(verdict.destroys)) == ("allow", is_saved)


# end of module


PYTHON = "import shutil\nshutil.rmtree('{}')\n"
NODE = "require('fs').rmSync('{}', {{ recursive: true }});\n"
DELETING = [
    ("kotlin x.main.kts", "x.main.kts", 'File("{}").deleteRecursively()\n'),
    ("scala-cli run x.sc", "x.sc", 'os.remove.all(os.Path("{}"))\n'),
    ("groovy x.groovy", "x.groovy", 'new File("{}").deleteDir()\n'),
    ("bb x.clj", "x.clj", '(fs/delete-tree "{}")\n'),
    ("raku x.raku", "x.raku", 'shell "rm -rf {}";\n'),
    ("nim r x.nim", "x.nim", 'removeDir("{}")\n'),
    ("nimble clean", "x.nimble", 'task clean, "x":\n  exec "rm -rf {}"\n'),
    ("zig run x.zig", "x.zig", 'pub fn main() !void {{\n    try fs.deleteTreeAbsolute("{}");\n}}\n'),
    ("v run x.v", "x.v", "fn main() {{ os.rmdir_all('{}')! }}\n"),
    ("rdmd x.d", "x.d", 'void main() {{ rmdirRecurse("{}"); }}\n'),
    ("cabal run x", "app/Main.hs", 'main = callCommand "rm -rf {}"\n'),
    ("dune exec ./x.exe", "x.ml", 'let () = ignore (Sys.command "rm -rf {}")\n'),
    ("racket x.rkt", "x.rkt", '(delete-directory/files "{}")\n'),
    ("emacs --batch -l x.el", "x.el", '(delete-directory "{}" t)\n'),
    ("R -f x.R", "x.R", 'unlink("{}", recursive=TRUE)\n'),
    ("R CMD BATCH x.R", "x.R", 'unlink("{}", recursive=TRUE)\n'),
    ("quarto render x.qmd", "x.qmd", '```{{r}}\nunlink("{}", recursive = T)\n```\n'),
    ("Rscript -e 'rmarkdown::render(\"x.Rmd\")'", "x.Rmd", '```{{r}}\nunlink("{}", recursive=TRUE)\n```\n'),
    ("julia x.jl", "x.jl", 'rm("{}", recursive=true)\n'),
    ("elixir x.exs", "x.exs", 'File.rm_rf!("{}")\n'),
    ("swipl x.pl", "x.pl", ':- shell("rm -rf {}").\n'),
    ("hy x.hy", "x.hy", '(shutil.rmtree "{}")\n'),
    ("dotnet cake", "build.cake", 'StartProcess("rm", "-rf {}");\n'),
    ("mill x", "build.sc", 'def x = T.command {{ os.proc("rm", "-rf", "{}").call() }}\n'),
    ("jbang X.java", "X.java", 'void main() {{ Runtime.getRuntime().exec("rm -rf {}"); }}\n'),
    ("flutter test", "test/x_test.dart", "void main() {{ Directory('{}').deleteSync(recursive: true); }}\n"),
    ("cargo bench", "benches/x.rs", 'fn main() {{ std::fs::remove_dir_all("{}").unwrap(); }}\n'),
    ("cargo run --example x", "examples/x.rs", 'fn main() {{ std::fs::remove_dir_all("{}").unwrap(); }}\n'),
    ("torchrun --nproc_per_node 4 x.py", "x.py", PYTHON),
    ("accelerate launch --num_processes 2 x.py", "x.py", PYTHON),
    ("spark-submit --master local[2] x.py", "x.py", PYTHON),
    ("modal run x.py", "x.py", PYTHON),
    ("blender -b -P x.py", "x.py", PYTHON),
    ("luigi --module x Task", "x.py", PYTHON),
    ("conan create .", "conanfile.py", PYTHON),
    ("kedro run", "src/shop/pipeline.py", PYTHON),
    ("cookiecutter .", "hooks/post_gen_project.py", PYTHON),
    ("npx tsup", "tsup.config.js", NODE),
    ("npx astro build", "astro.config.mjs", NODE),
    ("npx stylelint .", "stylelint.config.js", NODE),
    ("npx eleventy", ".eleventy.js", NODE),
    ("npx gatsby build", "gatsby-node.js", NODE),
    ("npx karma start", "karma.conf.js", NODE),
    ("npx hardhat run x.js", "x.js", NODE),
    ("npx playwright test", "tests/x.spec.js", NODE),
    ("npx cucumber-js", "features/support/x.js", NODE),
    ("npx prisma db seed", "package.json", '{{"prisma": {{"seed": "rm -rf {}"}}}}'),
    ("moon run web:clean", "web/moon.yml", "tasks:\n  clean:\n    command: rm -rf {}\n"),
    ("bazel build //:x", "BUILD.bazel", 'genrule(name="x", cmd="rm -rf {}")\n'),
    ("dvc repro", "dvc.yaml", "stages:\n  x:\n    cmd: rm -rf {}\n"),
    ("copier copy . out", "copier.yml", "_tasks:\n- rm -rf {}\n"),
    ("process-compose up", "process-compose.yaml", "processes:\n  x:\n    command: rm -rf {}\n"),
    ("tmuxp load x.yaml", "x.yaml", "windows:\n- panes:\n  - rm -rf {}\n"),
    ("devcontainer up", ".devcontainer/devcontainer.json", '{{"initializeCommand": "rm -rf {}"}}'),
    ("nix-shell", "shell.nix", "mkShell {{ shellHook = ''\n  rm -rf {}\n''; }}\n"),
    ("nix develop", "flake.nix", 'mkShell {{ shellHook = "rm -rf {}"; }}\n'),
    ("gem build x.gemspec", "x.gemspec", "`rm -rf {}`\n"),
    ("msbuild", "x.proj", '<Project><Exec Command="rm -rf {}" /></Project>'),
    ("devbox run x", "devbox.json", '{{"shell": {{"scripts": {{"x": ["rm -rf {}"]}}}}}}'),
    ("rye run x", "pyproject.toml", "[tool.rye.scripts]\nx = 'rm -rf {}'\n"),
    ("melos run x", "melos.yaml", "scripts:\n  x: rm -rf {}\n"),
    ("melos run x", "pubspec.yaml", "melos:\n  scripts:\n    x: rm -rf {}\n"),
    ("robot suites", "suites/a.robot", "*** Test Cases ***\nX\n  Run  rm -rf {}\n"),
    ("jake x", "jakelib/x.jake", "task('x', () => jake.exec('rm -rf {}'))\n"),
    ("gitlab-ci-local --stage y", ".gitlab-ci.yml", "y:\n  needs: []\nx:\n  script:\n  - rm -rf {}\n"),
    ("gitlab-ci-local x", ".gitlab-ci.yml", "x:\n  script:\n  - rm -rf {}\n"),
]  # fmt: skip


@for_each(("command", "file", "text"), DELETING)
def test_a_program_that_deletes_is_read_whatever_runs_it(command, file, text):
    assert effect(command, file, text.format("/home/ann/photos")) != "allow"
    assert effect(command, file, text.format("/tmp/a")) == "allow"


def effect(command, file, text):
    machine = Machine({f"{ROOT}/{file}": text})
    return assess(Call("Bash", {"command": command}, ROOT), PLACE, machine, CONTEXTUAL).effect


BUILD = 'sh_binary(name="deploy", srcs=["deploy.sh"])\ngenrule(name="x", cmd="ls")\n'


@for_each(
    ("command", "files"),
    [
        ("bazel build //...", {"BUILD.bazel": BUILD, "deploy.sh": "npm publish\n"}),
        ("gitlab-ci-local test", {".gitlab-ci.yml": "test:\n  script: make\nship:\n  script: npm publish\n"}),
        ("moon run :test", {"web/moon.yml": "tasks:\n  test:\n    a: b\n  up:\n    command: npm publish\n"}),
        ("npx commitlint", {"commitlint.config.js": "module.exports = { x: ['rm -rf', 'npm publish'] };\n"}),
    ],
)  # fmt: skip
def test_what_such_a_file_only_names_needs_nobody(command, files):
    assert judged(command, files).effect == "allow"


PAIRS = """defmodule Pairs do
  @kinds [Lm: 1, Cf: 2]
  def of(list) do
    fn [head | _] -> head end
    fn delete, key -> Map.delete(delete, key) end
    Cf Lm Sk
    halt -> %s
  end
end
"""


@for_each(
    ("code", "is_stopped"),
    [
        (":ok", False),
        ('System.cmd("git", ["status"])', False),
        ('System.cmd("git", ["push", "--force", "origin", "main"])', True),
        (':os.cmd("git push --force origin main")', True),
        ('System.shell("git push --force origin main")', True),
        ('File.rm_rf!("/home/ann/photos")', True),
    ],
)
def test_of_the_lines_of_elixir_only_what_starts_something_counts(code, is_stopped):
    files = {"x.exs": PAIRS % code, "lib/x.ex": PAIRS % code}
    assert (judged("elixir x.exs", files).effect != "allow") is is_stopped
    compiled = judged("elixir +elixirc lib/x.ex -o ebin", files)
    assert (compiled.effect != "allow") is is_stopped
