"""A branch for paths of the home counts, unless all that a program reads names places below its folder."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

GO = (
    'package main\n\nimport (\n\t"encoding/json"\n\t"os"\n\t"path/filepath"\n\t"strings"\n)\n\n'
    'func full(p string) string {\n\tif strings.HasPrefix(p, "~/") {\n\t\thome, _ := os.UserHomeDir()\n'
    "\t\treturn filepath.Join(home, p[2:])\n\t}\n\treturn p\n}\n\nfunc main() {\n"
    '\traw, _ := os.ReadFile("tidy.json")\n\tvar c struct{ Remove []string }\n'
    "\tjson.Unmarshal(raw, &c)\n"
    "\tfor _, p := range c.Remove {\n\t\tos.RemoveAll(full(p))\n\t}\n}\n"
)
RUST = (
    "use std::fs;\n\nfn full(p: &str) -> std::path::PathBuf {\n"
    '    if let Some(rest) = p.strip_prefix("~/") {\n'
    "        return dirs::home_dir().unwrap().join(rest);\n    }\n"
    '    p.into()\n}\n\nfn main() {\n    let text = fs::read_to_string("tidy.txt").unwrap();\n'
    "    for p in text.lines() {\n        fs::remove_dir_all(full(p)).unwrap();\n    }\n}\n"
)
FILES = {
    "go.mod": "module shop\n\ngo 1.22\n",
    "cmd/tidy/main.go": GO,
    "tidy.json": '{"Remove": ["bin/*", "dist", "internal/*/testdata/*.got"]}\n',
    "Cargo.toml": '[package]\nname = "tidy"\nversion = "0.1.0"\n',
    "src/main.rs": RUST,
    "tidy.txt": "target/doc\nout/cache\n",
}
OUTSIDE = '{"Remove": ["%s"]}\n'


def effect(command, **more):
    files = {**FILES, **more}
    return judged(command, files, committed=tuple(files)).effect


@for_each("command", ["go run ./cmd/tidy", "cargo run"])
def test_a_list_of_places_below_the_folder_never_goes_to_the_home(command):
    assert effect(command) == "allow"


@for_each(
    ("command", "files"),
    [
        ("go run ./cmd/tidy", {"tidy.json": OUTSIDE % "~/notes"}),
        ("go run ./cmd/tidy", {"tidy.json": OUTSIDE % "/var/lib/shop"}),
        ("go run ./cmd/tidy", {"tidy.json": OUTSIDE % "../other"}),
        ("go run ./cmd/tidy", {"tidy.json": OUTSIDE % "$HOME/notes"}),
        ("go run ./cmd/tidy", {"cmd/tidy/main.go": GO.replace('"tidy.json"', "os.Args[1]")}),
        ("go run ./cmd/tidy", {"cmd/tidy/main.go": GO.replace('"tidy.json"', "name()")}),
        (
            "go run ./cmd/tidy",
            {
                "cmd/tidy/main.go": GO.replace(
                    "main() {\n", 'main() {\n\tos.RemoveAll(full("~/a"))\n'
                )
            },
        ),
        (
            "go run ./cmd/tidy",
            {
                "cmd/tidy/main.go": GO.replace(
                    "main() {\n", 'main() {\n\th, _ := os.UserHomeDir()\n\tos.RemoveAll(h + "/a")\n'
                )
            },
        ),
        ("cd sub && go run ../cmd/tidy", {"sub/tidy.json": OUTSIDE % "~/notes"}),
        ("sed -i s/bin/~/ tidy.json && go run ./cmd/tidy", {}),
        ("cp more.json tidy.json && go run ./cmd/tidy", {"more.json": OUTSIDE % "~/notes"}),
        ("cargo run", {"tidy.txt": "~/notes\n"}),
        ("cargo run", {"tidy.txt": "/srv/shop\n"}),
    ],
)
def test_a_path_that_may_lead_out_needs_a_person(command, files):
    assert effect(command, **files) == "junction"
