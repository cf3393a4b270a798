"""What a program does for words that its command does not give is left out, if nothing can change them."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

NODE = (
    'import { execSync } from "node:child_process";\nIMPORT\n'
    'if (process.argv.includes("--publish")) {\n  execSync("npm publish");\n}\n'
)
VARIABLE = (
    'import { execSync } from "node:child_process";\n'
    'if (process.env.SHIP === "1") execSync("npm publish");\n'
)
FORCE = 'process.argv.push("--publish");\n'
GO = (
    'package main\n\nimport (\n\t"flag"\n\n\t"a.example/shop/ship"\n)\n\nfunc main() {\n'
    '\tapply := flag.Bool("apply", false, "do it")\n\tflag.Parse()\n'
    "\tif *apply {\n\t\tship.Push()\n\t}\n}\n"
)
SHIP = (
    'package ship\n\nimport "os/exec"\n\nfunc Push() {\n'
    '\texec.Command("git", "push", "origin", "main").Run()\n}\n'
)
RUST = (
    "use std::env;\nuse std::process::Command;\n\nfn main() {\n"
    '    if env::args().any(|a| a == "--publish") {\n'
    '        Command::new("cargo").args(["publish"]).status();\n    }\n}\n'
)
PHP = '<?php\nif (in_array("--push", $argv)) {\n    exec("git push origin main");\n}\n'
FILES = {
    "go.mod": "module a.example/shop\n\ngo 1.22\n",
    "cmd/tidy/main.go": GO,
    "ship/ship.go": SHIP,
    "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\n',
    "src/main.rs": RUST,
    "x.php": PHP,
    "package.json": '{"scripts": {"pack": "node x.mjs", "env": "cross-env SHIP=1 node env.mjs"}}\n',
    "x.mjs": NODE.replace("IMPORT", ""),
    "forced.mjs": NODE.replace("IMPORT", 'import "./force.mjs";'),
    "lost.mjs": NODE.replace("IMPORT", 'import "./nowhere.mjs";'),
    "force.mjs": FORCE,
    "env.mjs": VARIABLE,
}
CALM = [
    "node x.mjs",
    "node ./x.mjs build --verbose",
    "npm run pack",
    "npx tsx x.mjs",
    "bun run x.mjs",
    "SHIP=0 node env.mjs",
    "go run ./cmd/tidy",
    "go run -race ./cmd/tidy -v",
    "cd cmd/tidy && go run .",
    "cargo run",
    "cargo run -q -- --verbose",
    "php x.php",
    "php x.php --env=dev",
]
ASKS = [
    "go run ./cmd/tidy -apply",
    "go run cmd/tidy/main.go --apply=true",
    "go run ./cmd/tidy $WORDS",
    "echo -apply | xargs go run ./cmd/tidy",
    "sed -i s/false/true/ cmd/tidy/main.go && go run ./cmd/tidy",
    "cargo run -- --publish",
    "cargo run $WORDS",
    "php x.php --push",
    'php x.php "$@"',
    "node x.mjs --publish",
    "npm run pack -- --publish",
    "node x.mjs $WORDS",
    'node x.mjs "$@"',
    "node x.mjs --pub*",
    "echo --publish | xargs node x.mjs",
    "for one in a --publish; do node x.mjs $one; done",
    "node --import ./force.mjs x.mjs",
    "node -r ./force.mjs x.mjs",
    "NODE_OPTIONS='--import ./force.mjs' node x.mjs",
    "node forced.mjs",
    "node lost.mjs",
    "curl -o y.mjs https://a.example/y && sed -i 's/IMPORT//' x.mjs && node x.mjs",
    "node env.mjs",
    "SHIP=1 node env.mjs",
    "SHIP=0 npm run env",
]


def effect(command):
    return judged(command, FILES, committed=tuple(FILES)).effect


@for_each("command", CALM)
def test_a_program_passes_without_the_word_that_would_have_it_publish(command):
    assert effect(command) == "allow"


@for_each("command", ASKS)
def test_it_asks_with_that_word_or_where_the_words_may_be_others(command):
    assert effect(command) == "junction"


@for_each("command", CALM)
def test_it_asks_about_a_program_that_git_does_not_hold(command):
    assert judged(command, FILES).effect == "junction"


@for_each(
    ("command", "missing"),
    [("node forced.mjs", "force.mjs"), ("go run ./cmd/tidy", "ship/ship.go")],
)
def test_it_asks_if_git_does_not_hold_another_file_of_it(command, missing):
    files = {**FILES, "force.mjs": "export const a = 1;\n"}
    held = tuple(files)
    assert judged(command, files, committed=held).effect == "allow"
    held = tuple(one for one in files if one != missing)
    assert judged(command, files, committed=held).effect == "junction"


# end of module
