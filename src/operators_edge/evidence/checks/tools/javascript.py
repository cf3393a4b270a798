"""Programs that judge work: JavaScript and TypeScript."""
# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from operators_edge.evidence.checks.tools.tool import Tool

_JS_VALUES = (
    "-t -c --config --reporter --reporters --maxWorkers -w --testNamePattern --coverageDirectory"
)
_JEST = Tool(
    "test",
    values=f"{_JS_VALUES} --testPathPattern --testPathPatterns --rootDir --roots --selectProjects --shard"
    " --changedSince --testTimeout --testEnvironment --coverageReporters --outputFile --env --projects"
    " --ignoreProjects --testPathIgnorePatterns --setupFilesAfterEach",
    narrows="-t --testNamePattern --testPathPattern --testPathPatterns -o --onlyChanged --changedSince"
    " --selectProjects --shard --onlyFailures -f --lastCommit --ignoreProjects --testPathIgnorePatterns",
    idle="--listTests --showConfig --watch --watchAll --clearCache --init -v",
    folder="--rootDir",
    reads="jest",
)

# fmt: off
TOOLS: dict[str, tuple[Tool, ...]] = {
    "jest": (_JEST,),
    "vitest": (Tool("test", values=f"{_JS_VALUES} --root -r --dir --project --shard --pool --environment"
                    " --outputFile --testTimeout --exclude --mode --changed",
                    narrows="-t --testNamePattern --project --dir --shard --changed --exclude",
                    idle="--watch --ui --standalone -v watch dev list init bench typecheck --merge-reports",
                    folder="--root -r", reads="vitest", whole="run"),),
    "mocha": (Tool("test", values="-g --grep -f --fgrep -r --require -R --reporter -t --timeout -c --config"
                   " --spec --extension --ignore -O --reporter-option --ui -u -j --jobs --retries --package"
                   " --slow -s --file", narrows="-g --grep -f --fgrep -i --invert --ignore",
                   idle="--watch -w -V --list-interfaces --list-reporters --dry-run -n", reads="mocha tap"),),
    "ava": (Tool("test", values="-m --match --node-arguments -c --concurrency -T --timeout --config",
                 narrows="-m --match", idle="-w --watch debug reset-cache", reads="ava tap"),),
    **dict.fromkeys(("tap", "tape", "uvu", "zora", "pta", "borp"),
                    (Tool("test", values="-R --reporter -j --jobs -t --timeout -g", narrows="-g",
                          reads="tap uvu", whole="run"),)),
    "qunit": (Tool("test", values="-r --reporter --require -f --filter -m --module --seed",
                   narrows="-f --filter -m --module", idle="-w --watch", reads="tap"),),
    "jasmine": (Tool("test", values="--config --filter --seed --reporter --helper", narrows="--filter",
                     idle="init examples enumerate", reads="jasmine"),),
    "node": (Tool("test", "--test", values="--test-name-pattern --test-reporter --test-concurrency --import"
                  " --test-skip-pattern --test-reporter-destination --test-timeout --require -r --loader"
                  " --test-shard --env-file --conditions -C --experimental-loader",
                  narrows="--test-name-pattern --test-only --test-skip-pattern --test-shard",
                  idle="--watch --check -c -v -p -e", reads="node"),
             Tool("lint", "--check", reads="none")),
    "tsx": (Tool("test", "--test", values="--test-name-pattern --test-reporter --import",
                 narrows="--test-name-pattern --test-only", idle="--watch", reads="node"),),
    "playwright": (Tool("test", "test", values="-g --grep --grep-invert --project -c --config -j --workers"
                        " --reporter --retries --shard --timeout --output --max-failures --trace -x"
                        " --tsconfig", narrows="-g --grep --grep-invert --project --shard --last-failed"
                        " --only-changed", idle="--list --ui --debug", reads="playwright"),),
    "cypress": (Tool("test", "run", values="-s --spec", narrows="-s --spec", reads="cypress mocha",
                     operands=False),),
    "karma": (Tool("test", "start", idle="--no-single-run", reads="karma", operands=False),),
    **dict.fromkeys(("wtr", "web-test-runner"),
                    (Tool("test", values="--group --files --config", narrows="--group --files",
                          idle="--watch"),)),
    "testcafe": (Tool("test", values="-t --test -f --fixture -r --reporter -c -F", narrows="-t -f -F -T"),),
    "wdio": (Tool("test", "run|", values="--spec --suite", narrows="--spec --suite"),),
    "nightwatch": (Tool("test", values="--test --env -e --tag --group", narrows="--test --tag --group"),),
    "newman": (Tool("test", "run", values="-e -g -d --folder -r", narrows="--folder"),),
    "ng": (Tool("test", "test", values="--include --exclude --browsers -c --configuration --project",
                narrows="--include --exclude --project", idle="--watch", reads="karma jest vitest"),
           Tool("lint", "lint", reads="eslint"),
           Tool("build", "build|b", values="-c --configuration", idle="--watch", operands=False)),
    "react-scripts": (_JEST._replace(subs="test"), Tool("build", "build", operands=False)),
    "vue-cli-service": (_JEST._replace(subs="test:unit"), Tool("lint", "lint", reads="eslint"),
                        Tool("build", "build", operands=False)),
    **dict.fromkeys(("turbo", "lerna", "moon", "wireit"),
                    (Tool("test", "@script", values="--filter --scope -F", narrows="--filter --scope -F"
                          " --since --affected", idle="--dry-run --dry --graph", operands=False),)),
    "nx": (Tool("test", "affected", values="-p --projects --target -t --exclude -c --base --head",
                narrows="-p --projects --exclude --base --head", idle="--graph", operands=False),
           Tool("test", "@script", values="-p --projects --target -t --exclude -c --base --head",
                narrows="-p --projects --exclude --base --head", idle="--graph")),
    "eslint": (Tool("lint", values="-c --config --ext --rulesdir --ignore-path --max-warnings -f --format -o"
                    " --output-file --ignore-pattern --rule --parser --plugin --cache-location --resolve-plugins-relative-to",
                    narrows="--rule --ignore-pattern", idle="--print-config --init --env-info --fix-dry-run"
                    " -v --inspect-config", reads="eslint"),),
    **dict.fromkeys(("eslint_d", "xo", "standard", "jshint"),
                    (Tool("lint", idle="start stop restart status", reads="eslint"),)),
    "oxlint": (Tool("lint", values="-c -D -A -W", reads="oxlint"),),
    "tslint": (Tool("lint", values="-c -p --config --project"),),
    "biome": (Tool("lint", "check|lint|ci", values="--config-path --changed --since --only --skip",
                   narrows="--changed --staged --only --skip --since", reads="biome"),
              Tool("format", "format", idle="--write --fix", reads="biome")),
    "stylelint": (Tool("lint", values="--config --custom-syntax -f --formatter --ignore-path",
                       reads="eslint stylelint"),),
    **dict.fromkeys(("markdownlint", "markdownlint-cli2", "remark", "alex", "cspell", "htmlhint", "commitlint",
                     "textlint", "knip", "depcheck", "madge", "publint", "attw", "spectral", "redocly",
                     "sherif"),
                    (Tool("lint", values="-c --config -o -i --ignore -p", narrows="-i --ignore",
                          reads="markdownlint"),)),
    "tsc": (Tool("types", values="-p --project --target -t --module -m --outDir --lib --jsx --rootDir"
                 " --moduleResolution --declarationDir",
                 narrows="-p --project", idle="--init --showConfig --listFilesOnly -w --watch -v --all",
                 reads="tsc"),),
    **dict.fromkeys(("vue-tsc", "tsgo", "svelte-check", "glint"),
                    (Tool("types", values="-p --project --tsconfig --workspace --threshold --output",
                          narrows="-p --project", idle="-w --watch --init", reads="tsc svelte-check"),)),
    "flow": (Tool("types", "check|status|focus-check|", idle="init stop start server", reads="flow"),),
    "prettier": (Tool("format", values="--config --parser --ignore-path --log-level --plugin --loglevel",
                      needs="--check -c --list-different -l", idle="--write -w", reads="prettier"),),
    "dprint": (Tool("format", "check"),),
    "vite": (Tool("build", "build", values="-c --config --mode -m --outDir", idle="--watch -w",
                  operands=False),),
    "webpack": (Tool("build", "build|b|", values="-c --config --mode --env --entry", idle="-w --watch serve"
                     " s w watch init info", reads="webpack", operands=False),),
    "next": (Tool("build", "build", operands=False), Tool("lint", "lint", values="--dir -d",
                                                          reads="eslint")),
    **dict.fromkeys(("nuxt", "nuxi", "astro", "remix", "gatsby", "parcel", "docusaurus", "expo", "tauri",
                     "svelte-kit", "nest", "vitepress", "storybook", "rsbuild", "rspack"),
                    (Tool("build", "build|build-storybook", idle="--watch", operands=False),
                     Tool("types", "check|typecheck", idle="--watch", reads="tsc", operands=False))),
    "rollup": (Tool("build", needs="-c --config -i --input", idle="-w --watch", operands=False),),
    **dict.fromkeys(("esbuild", "tsup", "unbuild", "tsdown"),
                    (Tool("build", values="--config", idle="--watch --serve", operands=False),)),
    "npm": (Tool("test", "@npm", values="-w --workspace --prefix -C --loglevel",
                 narrows="-w --workspace", idle="--dry-run", folder="--prefix -C"),),
    "pnpm": (Tool("test", "@script", values="-F --filter -C --dir --workspace-concurrency --loglevel"
                  " --filter-prod", narrows="-F --filter --filter-prod", folder="-C --dir"),),
    "yarn": (Tool("test", "@script", values="--cwd --mutex", narrows="", folder="--cwd"),),
    "bun": (Tool("test", "test", values="-t --test-name-pattern --timeout --preload --coverage-reporter"
                 " --reporter --cwd --rerun-each --bail", narrows="-t --test-name-pattern --only",
                 idle="--watch", folder="--cwd", reads="bun"),
            Tool("test", "@run", values="--cwd --filter -F", narrows="--filter -F", folder="--cwd"),
            Tool("build", "build", values="--outdir --target --outfile", operands=False)),
    "deno": (Tool("test", "test", values="--filter --coverage --reporter --config -c --junit-path --ignore",
                  narrows="--filter --ignore", idle="--no-run --watch", reads="deno"),
             Tool("lint", "lint", values="--config -c --ignore", idle="--rules --watch", reads="deno-lint"),
             Tool("types", "check", values="--config -c", reads="tsc"),
             Tool("format", "fmt", values="--config -c --ignore --ext", needs="--check"),
             Tool("test", "@task", values="--config -c --cwd", folder="--cwd")),
}
# fmt: on

# end of module
