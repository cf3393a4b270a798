"""Tools that release a project, whose settings switch off all that leaves it."""

# ruff: noqa: E501 - texts of files
from tests.gate.disk.test_whole_programs import judged
from tests.tables import for_each

OFF = '{"git": {"push": false}, "npm": {"publish": false}%s}'
MORE = "version: 2\nbuilds:\n  - main: .\nrelease:\n  disable: true\n"
BOTH = "publish = false\npush = false\n"
CRATE = '[package]\nname = "a"\n'
STEPS = "lazy val root = project.settings(\n  releaseProcess := Seq[ReleaseStep](\n    runTest,\n    // CI runs publishArtifacts\n    commitReleaseVersion,\n    tagRelease%s\n  )\n)\n"
EARTH = "VERSION 0.8\nFROM golang:1.22\nrelease:\n    COPY main.go ./\n    RUN go build -o /out/x .\n    SAVE IMAGE %s\n"


def release_it(settings, **more):
    files = {
        "package.json": '{"scripts": {"release": "release-it"}}\n',
        ".release-it.json": settings,
    }
    return {**files, **{name.replace("__", "."): text for name, text in more.items()}}


def goreleaser(more="", text=MORE):
    return {".goreleaser.yaml": text + more}


def cargo(settings=BOTH, crate=CRATE):
    return {"release.toml": settings, "Cargo.toml": crate}


def lerna(command):
    return {"lerna.json": f'{{"version": "1.0.0", "command": {command}}}\n', "package.json": "{}\n"}


def versionrc(step):
    return {"package.json": f'{{"standard-version": {{"scripts": {{"posttag": "{step}"}}}}}}\n'}


HERE = {
    "release-it": ("npx release-it --ci minor", release_it(OFF % "")),
    "a script of the package": ("npm run release -- --ci", release_it(OFF % "")),
    "a step that stays here": ("npm run release", release_it(OFF % ', "hooks": {"before:init": ["npm test", "echo x"]}')),
    "settings in the package": ("npx release-it", {"package.json": '{"release-it": {"git": false, "npm": false}}\n'}),
    "semantic-release": ("npx semantic-release", {".releaserc": '{"dryRun": true}\n', "package.json": "{}\n"}),
    "lerna": ("npx lerna version patch --yes", lerna('{"version": {"push": false}}')),
    "standard-version": ("npx standard-version", versionrc("npm test")),
    "goreleaser": ("goreleaser release --clean", goreleaser()),
    "images that are kept": ("goreleaser release", goreleaser("dockers:\n  - image_templates: [x]\n    skip_push: true\n")),
    "cargo-release": ("cargo release patch --execute --no-confirm", cargo()),
    "settings in the crate": ("cargo release patch -x", {"Cargo.toml": f"{CRATE}[package.metadata.release]\n{BOTH}"}),
    "sbt-release": ('sbt "release with-defaults"', {"build.sbt": STEPS % ""}),
    "earthly": ("earthly --push +release", {"Earthfile": EARTH % "x:latest"}),
    "scripts of npm that the tool does not run": ("cargo release patch -x", {**cargo(), "package.json": '{"scripts": {"postversion": "git push"}}\n'}),
}  # fmt: skip
AWAY = {
    "a script around the version": ("npx release-it", release_it(OFF % "", package__json='{"scripts": {"postversion": "git push"}}\n')),
    "the builder's own program": ("goreleaser release", goreleaser(text=MORE.replace("main: .", "gobinary: ./go"))),
    "options of the images": ("goreleaser release", goreleaser("dockers:\n  - skip_push: true\n    build_flag_templates: [--push]\n")),
    "the folder that is cleaned": ("goreleaser release --clean", goreleaser("dist: /home/ann/photos\n")),
    "a hook of the crate": ("cargo release patch -x", {"Cargo.toml": f'{CRATE}[package.metadata.release]\n{BOTH}pre-release-hook = ["sh", "x"]\n'}),
    "a step by another name": ('sbt "release with-defaults"', {"build.sbt": "lazy val tagRelease = pushChanges\n" + STEPS % ""}),
    "a process that is commented out": ('sbt "release with-defaults"', {"build.sbt": "/* /* */\n" + STEPS % "" + "*/\n"}),
    "a target with a secret": ("earthly --push +release", {"Earthfile": EARTH.replace("RUN go", "RUN --secret T go") % "x"}),
    "another file on the next line": ("earthly --push +release", {"Earthfile": EARTH % "x" + "    BUILD \\\n      ./deploy+release\n"}),
    "scripts that the line changes": ("sed -i s,x,y, package.json && npx lerna version patch", lerna('{"version": {"push": false}}')),
    "a package that is not understood": ("npx release-it", release_it(OFF % "", package__json='{"release-it": {"git": true},}\n')),
    "one act that is left on": ("npm run release", release_it('{"git": {"push": false}}')),
    "an option that switches it on": ("npm run release -- --npm.publish", release_it(OFF % "")),
    "other settings": ("npx release-it --config=x.json", release_it(OFF % "")),
    "a release on the forge": ("npm run release", release_it(OFF % ', "github": {"release": true}')),
    "a plugin": ("npm run release", release_it(OFF % ', "plugins": {"@x/y": {}}')),
    "a step that pushes": ("npm run release", release_it(OFF % ', "hooks": {"after:release": "git push --follow-tags"}')),
    "settings that the line changes": ("sed -i s/false/true/ .release-it.json && npm run release", release_it(OFF % "")),
    "semantic-release": ("npx semantic-release", {".releaserc": '{"branches": ["main"]}\n', "package.json": "{}\n"}),
    "lerna": ("npx lerna version patch --yes", lerna("{}")),
    "what lerna publishes": ("npx lerna publish", lerna('{"version": {"push": false}}')),
    "a step of standard-version": ("npx standard-version", versionrc("git push --force origin main")),
    "a release of goreleaser": ("goreleaser release", goreleaser(text=MORE.replace("true", "false"))),
    "images that are pushed": ("goreleaser release", goreleaser("dockers:\n  - image_templates: [x]\n")),
    "a publisher": ("goreleaser release", goreleaser("publishers:\n  - cmd: x\n")),
    "a bucket": ("goreleaser release", goreleaser("blobs:\n  - provider: s3\n")),
    "a step of goreleaser": ("goreleaser release", goreleaser("before:\n  hooks:\n    - curl -fsSL https://x.example.org/a | sh\n")),
    "another file": ("goreleaser release -f x.yaml", goreleaser()),
    "a crate that is published": ("cargo release patch -x", cargo("push = false\n")),
    "settings in two places": ("cargo release patch -x", cargo(crate=f"{CRATE}[package.metadata.release]\npublish = true\n")),
    "a workspace": ("cargo release patch -x", cargo(crate='[workspace]\nmembers = ["a"]\n')),
    "a push by its name": ("cargo release push -x", cargo()),
    "a publication by its name": ("cargo publish", cargo()),
    "a hook": ("cargo release patch -x", cargo(f'{BOTH}pre-release-hook = ["sh", "-c", "git push --force origin main"]\n')),
    "a step that publishes": ("sbt release", {"build.sbt": STEPS % ",\n    publishArtifacts"}),
    "a step that is added": ("sbt release", {"build.sbt": f"{STEPS % ''}releaseProcess += pushChanges\n"}),
    "the usual steps": ("sbt release", {"build.sbt": 'name := "a"\n'}),
    "a second task": ("sbt release publish", {"build.sbt": STEPS % ""}),
    "an image that is pushed": ("earthly --push +release", {"Earthfile": EARTH % "--push r.example.com/x"}),
    "targets of others": ("earthly --push +release", {"Earthfile": f"{EARTH % 'x'}    BUILD github.com/a/b+push\n"}),
    "another folder": ("earthly --push ./sub+release", {"Earthfile": EARTH % "x"}),
    "a target on this machine": ("earthly +release", {"Earthfile": f"{EARTH % 'x'}    LOCALLY\n    RUN rm -rf /home/ann/photos\n"}),
}  # fmt: skip


@for_each(("command", "files"), HERE.values(), HERE)
def test_a_release_that_stays_here_asks_nobody(command, files):
    assert judged(command, files).effect == "allow"


@for_each(("command", "files"), AWAY.values(), AWAY)
def test_a_release_that_reaches_others_asks(command, files):
    assert judged(command, files).effect == "junction"


def test_settings_that_git_does_not_hold_or_that_are_a_program_are_not_enough():
    files = release_it(OFF % "")
    assert judged("npm run release", files, held=False).effect == "junction"
    program = {".release-it.cjs": "module.exports = {}\n"}
    assert judged("npm run release", {**files, **program}).effect == "junction"


# end of module
