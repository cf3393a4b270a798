"""A build that empties a folder outside the project deletes what is there."""

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

VITE = "import path from 'path'\nexport default {{ build: {{ outDir: {}, emptyOutDir: true }} }}\n"
FAR = "'/home/ann/photos'"
ASKED = {
    "vite": ("npx vite build", "vite.config.ts", VITE.format(FAR)),
    "a folder above": ("npx vite build", "vite.config.ts", VITE.format("'../../photos'")),
    "a path": ("npx vite build", "vite.config.js", VITE.format("path.resolve(__dirname, '../../photos')")),
    "parts of one": ("npx vite build", "vite.config.js", VITE.format("path.join(__dirname, '..', 'photos')")),
    "the home": ("npx vite build", "vite.config.js", VITE.format("process.env.HOME + '/photos'")),
    "the home in a text": ("npx vite build", "vite.config.js", VITE.format("`${process.env.HOME}/photos`")),
    "an option empties it": (
        "npx vite build --emptyOutDir",
        "vite.config.js",
        VITE.format(FAR).replace("true", "false"),
    ),
    "another file": ("npx vite build -c live.config.js", "live.config.js", VITE.format(FAR)),
    "an option names it": ("npx vite build --outDir /home/ann/photos --emptyOutDir", "x", ""),
    "webpack": (
        "npx webpack",
        "webpack.config.js",
        f"module.exports = {{ output: {{ path: {FAR}, clean: true }} }}\n",
    ),
    "tsup": ("npx tsup", "tsup.config.ts", f"export default {{ outDir: {FAR}, clean: true }}\n"),
    "astro": ("npx astro build", "astro.config.mjs", f"export default {{ outDir: {FAR} }}\n"),
    "hugo": ("hugo --cleanDestinationDir", "hugo.toml", f"publishDir = {FAR}\n"),
    "jekyll": ("jekyll build", "_config.yml", "destination: /home/ann/photos\n"),
    "mkdocs": ("mkdocs build", "mkdocs.yml", "site_dir: ../photos\n"),
}  # fmt: skip
CALM = {
    "inside": ("npx vite build", "vite.config.ts", VITE.format("'dist'")),
    "inside, from a folder of sources": (
        "npx vite build",
        "vite.config.ts",
        "export default { root: 'src', build: { outDir: '../dist', emptyOutDir: true } }\n",
    ),
    "not emptied": (
        "npx vite build",
        "vite.config.ts",
        VITE.format(FAR).replace("true", "false"),
    ),
    "in a comment": ("npx vite build", "vite.config.ts", "// " + VITE.format(FAR).split("\n")[1]),
    "webpack that leaves it": (
        "npx webpack",
        "webpack.config.js",
        f"module.exports = {{ output: {{ path: {FAR} }} }}\n",
    ),
    "webpack inside": (
        "npx webpack",
        "webpack.config.js",
        "module.exports = { output: { path: __dirname + '/dist', clean: true } }\n",
    ),
    "mkdocs": ("mkdocs build", "mkdocs.yml", "site_dir: site\n"),
}


@for_each(("command", "name", "text"), ASKED.values(), ids=list(ASKED))
def test_a_folder_elsewhere_that_a_build_empties_needs_a_person(command, name, text):
    assert judged(command, {name: text}, committed=(name,)).effect != "allow"


@for_each(("command", "name", "text"), CALM.values(), ids=list(CALM))
def test_a_folder_of_the_project_or_one_that_stays_needs_nobody(command, name, text):
    assert judged(command, {name: text}, committed=(name,)).effect == "allow"


MODULES = {
    "a module": ("mod helper;", "helper.rs"),
    "a module in a folder": ("mod helper;", "helper/mod.rs"),
    "a module with a path": ('#[path = "ci/h.rs"]\nmod helper;', "ci/h.rs"),
    "a file that is included": ('include!("ci/h.rs");', "ci/h.rs"),
}


@for_each(("head", "name"), MODULES.values(), ids=list(MODULES))
def test_what_a_build_of_cargo_runs_by_another_file_counts(head, name):
    run = 'pub fn go() { std::process::Command::new("git").args(["push", "--force"]).status(); }\n'
    files = {
        "Cargo.toml": '[package]\nname = "a"\n',
        "build.rs": f"{head}\nfn main() {{ go(); }}\n",
    }
    held = (*files, name)
    assert judged("cargo build", files | {name: run}, committed=held).effect == "junction"
    harmless = run.replace("--force", "--dry-run")
    assert judged("cargo build", files | {name: harmless}, committed=held).effect == "allow"
