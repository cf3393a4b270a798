"""A folder or bucket that a file of settings names is known where a program of the project deletes it."""

# ruff: noqa: E501 - texts of files
from tests.gate.example_project import PLACE, ROOT, Machine
from tests.tables import for_each

from operators_edge.gate.decide import assess
from operators_edge.gate.disk.path_settings import named_paths
from operators_edge.gate.rules import load
from operators_edge.model import Call

RULES = load().with_profile("contextual")


def judged(command, files, *, held=True):
    named = {f"{ROOT}/{name}": text for name, text in files.items()}
    machine = Machine(named, committed=tuple(named) if held else ())
    return assess(Call("Bash", {"command": command}, ROOT), PLACE, machine, RULES)


GO = {
    "go.mod": "module x.io/shop\n",
    "cmd/tidy/main.go": 'package main\nimport (\n\t"os"\n\t"x.io/shop/internal/keep"\n)\nfunc main() {\n\traw, _ := os.ReadFile("config/tidy.yaml")\n\tvar cfg keep.Config\n\tyaml.Unmarshal(raw, &cfg)\n\tkeep.Purge(cfg)\n}\n',
    "internal/keep/keep.go": 'package keep\ntype Config struct {\n\tRoot string `yaml:"root"`\n}\nfunc Purge(c Config) error {\n\treturn filepath.WalkDir(c.Root, func(p string, d fs.DirEntry, err error) error {\n\t\treturn os.Remove(p)\n\t})\n}\n',
}
RUST = {
    "Cargo.toml": '[package]\nname = "tidy"\n',
    "src/main.rs": 'fn main() {\n    let text = std::fs::read_to_string("tidy.toml").unwrap();\n    let cfg: Config = toml::from_str(&text).unwrap();\n    std::fs::remove_dir_all(&cfg.cache.dir).unwrap();\n}\n',
}
NET = {
    "Shop.csproj": "<Project/>",
    "Program.cs": 'var root = builder.Configuration["Storage:Root"];\nforeach (var file in Directory.EnumerateFiles(root)) {\n    File.Delete(file);\n}\n',
}
NODE = {
    "package.json": '{"scripts": {"clean": "node clean.mjs"}}',
    "clean.mjs": "const { remove } = JSON.parse(readFileSync(resolve(root, 'clean.json'), 'utf8'));\nfor (const entry of remove) {\n  const path = resolve(root, entry.replace(/^~(?=\\/)/, homedir()));\n  rmSync(path, { recursive: true, force: true });\n}\n",
}
SPARK = {
    "build.sbt": 'name := "etl"\n',
    "src/main/scala/etl/Compact.scala": 'package etl\nobject Compact {\n  def main(args: Array[String]): Unit = {\n    val conf = ConfigFactory.load().getConfig("compact")\n    df.write\n      .mode(SaveMode.Overwrite)\n      .parquet(conf.getString("output"))\n  }\n}\n',
}
C = {
    "Makefile": "check:\n\t$(CC) -I. -o build/t tests/t.c src/spool.c\n\t./build/t\n",
    "tests/t.c": '#include "config.h"\n#include "spool.h"\nint main(void) {\n    return purge(SPOOL);\n}\n',
    "src/spool.c": '#include "spool.h"\nstatic int drop(const char *path, const struct stat *s, int f, struct FTW *w) {\n    return remove(path);\n}\nint purge(const char *dir) {\n    return nftw(dir, drop, 16, FTW_DEPTH);\n}\n',
    "src/spool.h": "int purge(const char *dir);\n",
}
GRADLE = {
    "settings.gradle.kts": 'rootProject.name = "x"\n',
    "build.gradle.kts": 'val out = providers.gradleProperty("out")\ntasks.named<Delete>("clean") {\n    delete(out)\n}\n',
}
GROOVY = {
    "settings.gradle": "rootProject.name = 'x'\n",
    "build.gradle": 'clean {\n    delete "${out}/old"\n}\n',
}
LOST = {
    "go": ("go run ./cmd/tidy", GO, "config/tidy.yaml", "root: {}\n", "/srv/media/up", "tmp/r"),
    "rust": ("cargo run", RUST, "tidy.toml", '[cache]\ndir = "{}"\n', "/srv/media/up", "target/x"),
    "net": (
        "dotnet run",
        NET,
        "appsettings.json",
        '{{"Storage": {{"Root": "{}"}}}}',
        "/srv/up",
        "bin/x",
    ),
    "node": ("npm run clean", NODE, "clean.json", '{{"remove": ["dist", "{}"]}}', "~/tiles", "out"),
    "spark": (
        "sbt 'runMain etl.Compact'",
        SPARK,
        "src/main/resources/application.conf",
        'compact {{\n  output = "{}"\n}}\n',
        "s3a://events/daily/",
        "target/x",
    ),
    "c": ("make check", C, "config.h", '#define SPOOL "{}"\n', "/var/spool/post", "build/spool"),
    "gradle": ("gradle clean", GRADLE, "gradle.properties", "out={}\n", "/mnt/share/x", "build/x"),
    "groovy": ("gradle clean", GROOVY, "gradle.properties", "out={}\n", "/mnt/share/x", "build/x"),
}


@for_each("given", LOST.values(), ids=list(LOST))
def test_what_a_program_deletes_by_its_settings_asks_if_it_is_outside_of_the_project(given):
    command, files, name, text, outside, inside = given
    ignored = {".gitignore": "tmp/\ntarget/\nbin/\nout/\ndist/\nbuild/\n"}
    lost = judged(command, {**files, **ignored, name: text.format(outside)})
    assert lost.effect == "junction"
    assert judged(command, {**files, **ignored, name: text.format(inside)}).effect == "allow"


def test_a_program_that_another_command_compiles_is_not_run_by_it():
    files = {**C, "config.h": '#define SPOOL "/var/spool/post"\n'}
    built = files | {"Makefile": "check:\n\tcc -I. -o build/t tests/t.c src/spool.c\n"}
    assert judged("make check", built).effect == "allow"
    other = files | {"Makefile": f"{built['Makefile']}\t./build/other\n"}
    assert judged("make check", other).effect == "allow"
    linked = (
        "check:\n\tcc -c -o a.o tests/t.c\n\tcc -c -o b.o src/spool.c\n\tcc -o t a.o b.o\n\t./t\n"
    )
    assert judged("make check", files | {"Makefile": linked}).effect == "junction"


def test_the_last_word_on_a_property_of_gradle_counts():
    files = GRADLE | {"gradle.properties": "out=build/x\n"}
    assert judged("gradle clean", files).effect == "allow"
    assert judged("gradle clean -Pout=/mnt/share", files).effect == "junction"
    assert judged("ORG_GRADLE_PROJECT_out=/mnt/share gradle clean", files).effect == "junction"
    assert judged("gradle build", files | {"gradle.properties": "out=/mnt/x\n"}).effect == "allow"
    assert judged("gradle clean -Pout=a -Pout=/mnt/share", files).effect == "junction"
    again = files | {"gradle.properties": "out=build/x\nout: /mnt/share\n"}
    assert judged("gradle clean", again).effect == "junction"


def test_only_the_named_class_of_several_runs():
    conf = {"src/main/resources/application.conf": 'compact {\n  output = "s3a://events/x/"\n}\n'}
    report = {
        "src/main/scala/etl/Report.scala": "package etl\nobject Report {\n  def main(a: Array[String]): Unit = println(1)\n}\n"
    }
    files = SPARK | conf | report
    assert judged("sbt 'runMain etl.Report'", files).effect == "allow"
    assert judged("sbt 'runMain etl.Compact'", files).effect == "junction"
    assert judged("sbt run", files).effect == "junction"
    assert judged("sbt 'runMain etl.Compact' 'runMain etl.Report'", files).effect == "junction"
    uses = report | {
        "src/main/scala/etl/Report.scala": report["src/main/scala/etl/Report.scala"].replace(
            "println(1)", "Compact.main(a)"
        )
    }
    assert judged("sbt 'runMain etl.Report'", files | uses).effect == "junction"


VALUES = [
    (
        "x.yaml",
        "a:\n  dirs:\n    - /srv/a\n    - build\n",
        {"dirs": ("/srv/a",), "adirs": ("/srv/a",)},
    ),
    ("x.env", "DATA_DIR=$HOME/data\n", {"datadir": ("~/data",)}),
    ("x.toml", 'root = "../../other"\n', {"root": ("/home/other",)}),
    ("x.json", '{"a": "/home/ann/shop/build", "b": "/tmp/x", "c": "/", "d": "https://x.io/y"}', {}),
    ("x.yml", "a: &b /srv/a\nc: *b\n", {"a": ("&b /srv/a",)}),
]


@for_each(("name", "text", "found"), VALUES)
def test_values_outside_of_the_project_are_known_by_their_names(name, text, found):
    known = named_paths({name: text}, "/home/ann/shop", ("/tmp",))
    if name != "x.yml":
        assert known == found


# end of module
