"""The programs that judge work: what makes a check of each, what narrows it, when it judges nothing.

Owns data alone. Does not own how the words are taken apart (``recognise``) nor what the programs print
(``summaries``).
"""

from __future__ import annotations

from typing import NamedTuple


class Tool(NamedTuple):
    """One way a program judges work.

    ``subs``: the words that have to follow, each alternative apart by ``|``; ``*`` ends a stem.
    ``values``: options whose next word is a value. ``narrows``: options that leave part of the work out.
    ``idle``: options under which nothing is judged; ``needs``: one of these has to be given.
    ``folder``: options that name the folder it works in. ``reads``: whose summaries it prints, the kind's
    own where empty. ``operands``: whether its operands name what is judged. ``whole``: operands that mean
    everything.
    """

    kind: str
    subs: str = ""
    values: str = ""
    narrows: str = ""
    idle: str = ""
    needs: str = ""
    folder: str = ""
    reads: str = ""
    operands: bool = True
    whole: str = ""


_PYTEST = Tool(
    "test",
    values="-k -m -p -c -n -o -W -r --rootdir --confcutdir --tb --maxfail --cov --cov-report --cov-config"
    " --durations --junitxml --junit-xml --basetemp --timeout --numprocesses --dist --tx --color"
    " --log-level --log-cli-level --log-file --override-ini --import-mode --capture --reruns --deselect"
    " --ignore --ignore-glob --pyargs --seed --browser --html --report-log --randomly-seed",
    narrows="-k -m --lf --last-failed --ff --sw --stepwise --deselect --ignore --ignore-glob --nf --pyargs"
    " --testmon --picked",
    idle="--collect-only --co --fixtures --fixtures-per-test --markers --setup-plan --setup-only -V"
    " --cache-show --cache-clear-only",
    reads="pytest",
)
_UNITTEST = Tool(
    "test",
    values="-k -s -p -t --start-directory --pattern --top-level-directory --durations",
    narrows="-k -s -p --start-directory --pattern",
    reads="unittest",
    whole="discover",
)
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
_VITEST = Tool(
    "test",
    values=f"{_JS_VALUES} --root -r --dir --project --shard --pool --environment --outputFile"
    " --testTimeout --exclude --mode --changed",
    narrows="-t --testNamePattern --project --dir --shard --changed --exclude",
    idle="--watch --ui --standalone -v watch dev list init bench typecheck --merge-reports",
    folder="--root -r",
    reads="vitest",
    whole="run",
)
_MOCHA = Tool(
    "test",
    values="-g --grep -f --fgrep -r --require -R --reporter -t --timeout -c --config --spec --extension"
    " --ignore -O --reporter-option --ui -u -j --jobs --retries --package --slow -s --file",
    narrows="-g --grep -f --fgrep -i --invert --ignore",
    idle="--watch -w -V --list-interfaces --list-reporters --dry-run -n",
    reads="mocha tap",
)
_CARGO_SCOPE = (
    "-p --package --test --bin --lib --bins --doc --example --examples --exclude --bench --tests"
)
_CARGO = Tool(
    "test",
    "test|t",
    values="-p --package --test --bin --example --features -F --manifest-path --target --profile -j --jobs"
    " --exclude --target-dir --config --color --message-format -Z --bench",
    narrows=_CARGO_SCOPE,
    idle="--no-run --list",
    folder="--manifest-path -C",
    reads="cargo",
)
_MAKE = Tool(
    "test",
    "@goals",
    values="-C -f -I -o -W --directory --file --makefile -j -l",
    idle="-n --dry-run --just-print --recon -q --question -p --print-data-base -t --touch",
    folder="-C --directory",
    operands=False,
)
_MAVEN = Tool(
    "test",
    "@goals test|verify|integration-test|surefire:test|failsafe:verify|failsafe:integration-test|compile"
    "|package|install|test-compile",
    values="-f --file -pl --projects -P -s --settings -T --threads -l --log-file",
    narrows="-pl --projects -Dtest -Dit.test -Dgroups -rf --resume-from",
    idle="-v",
    folder="-f --file",
    reads="maven",
    operands=False,
)
_GRADLE = Tool(
    "test",
    "@goals",
    values="--tests -p --project-dir -x --exclude-task -b -c --init-script -I --max-workers --console",
    narrows="--tests -x --exclude-task",
    idle="-m --dry-run -v",
    folder="-p --project-dir",
    reads="gradle",
    operands=False,
)
_RSPEC = Tool(
    "test",
    values="-e --example -t --tag -f --format -o --out -r --require -I -P --pattern --seed --order -c",
    narrows="-e --example -t --tag -P --pattern --only-failures -n --next-failure",
    idle="--dry-run --init -v",
    reads="rspec",
)
_PHPUNIT = Tool(
    "test",
    values="-c --configuration --filter --group --exclude-group --testsuite --bootstrap --log-junit"
    " --coverage-html --coverage-text --coverage-clover --order-by -d --printer --exclude-testsuite"
    " --exclude-filter",
    narrows="--filter --group --exclude-group --testsuite --exclude-testsuite --exclude-filter --dirty"
    " --retry --covers --uses",
    idle="--list-tests --list-groups --list-suites --list-tests-xml --generate-configuration"
    " --check-version --warm-coverage-cache",
    reads="phpunit pest",
)
_CTEST = Tool(
    "test",
    values="-C --build-config -j --parallel -R -E -L -LE -I --timeout --test-dir --tests-regex -M -T -D -S"
    " --exclude-regex --label-regex --label-exclude --output-log -O --repeat --schedule-random --preset"
    " --output-junit",
    narrows="-R -E -L -LE -I --tests-regex --exclude-regex --label-regex --label-exclude --rerun-failed",
    idle="-N --show-only --print-labels",
    folder="--test-dir",
    reads="ctest",
    operands=False,
)
_BATS = Tool(
    "test",
    values="-f --filter -F --formatter -j --jobs --filter-tags --filter-status -o --output",
    narrows="-f --filter --filter-tags --filter-status",
    idle="-c --count -v",
    reads="tap bats",
)
_PROVE = Tool(
    "test", values="-j --jobs -I -e --exec -a --archive", idle="--dry -D -V", reads="prove"
)
_KARMA = Tool(
    "test", "start", values="--browsers", idle="--no-single-run", reads="karma", operands=False
)
_TAP = Tool("test", values="-R --reporter -j --jobs -t --timeout -g", narrows="-g", reads="tap")
_RAILS = Tool(
    "test",
    "test|test:*|spec",
    values="-n --name -e --environment -s --seed",
    narrows="-n --name",
    reads="minitest rspec",
)
_PLAYWRIGHT = Tool(
    "test",
    "test",
    values="-g --grep --grep-invert --project -c --config -j --workers --reporter --retries --shard --timeout"
    " --output --max-failures --trace -x --tsconfig",
    narrows="-g --grep --grep-invert --project --shard --last-failed --only-changed",
    idle="--list --ui --debug",
    reads="playwright",
)
_CYPRESS = Tool(
    "test",
    "run",
    values="-s --spec -b --browser -c --config -C --config-file -e --env -P --project -r --reporter --tag",
    narrows="-s --spec",
    reads="cypress mocha",
    operands=False,
)
_GO = Tool(
    "test",
    "test",
    values="-run -bench -count -timeout -cover -coverprofile -tags -p -parallel -skip -mod -covermode -o"
    " -coverpkg -cpu -exec -ldflags -gcflags -shuffle -vet -fuzz -fuzztime -benchtime",
    narrows="-run -skip -short --run",
    idle="-c -list -n",
    folder="-C",
    reads="go",
    whole="./... ...",
)
_DOTNET = Tool(
    "test",
    "test|vstest",
    values="--filter -c --configuration -f --framework -l --logger -o --output -r --runtime -v --verbosity"
    " --settings -s --results-directory --collect -a --arch -p --project --solution -e --test-adapter-path",
    narrows="--filter --project",
    idle="--list-tests -t",
    reads="dotnet",
)
_RUFF = (
    "--config --select --ignore --extend-select --extend-ignore --output-format --target-version"
)
_CHECK_ONLY = "--check -c --diff --check-only"

# fmt: off
TOOLS: dict[str, tuple[Tool, ...]] = {
    # -- Python ------------------------------------------------------------------------------------
    **dict.fromkeys(("pytest", "py.test"), (_PYTEST,)),
    "unittest": (_UNITTEST,),
    "nose2": (_UNITTEST._replace(whole=""),),
    "nosetests": (_UNITTEST._replace(whole=""),),
    "stestr": (Tool("test", "run|last", reads="stestr unittest"),),
    "tox": (Tool("test", values="-e -c -p --parallel --workdir --conf -f --result-json",
                 narrows="-e -f -m --env", idle="-l --listenvs -a --listenvs-all --showconfig list config"
                 " --notest -n devenv depends quickstart legacy schema -av", reads="tox", operands=False,
                 whole="run run-parallel r p"),),
    "nox": (Tool("test", values="-s -e -k -t -f -p --session --sessions --tags --noxfile --python --db"
                 " --default-venv-backend", narrows="-s -e -k -t -p --session --sessions --tags --keywords",
                 idle="-l --list --list-sessions --install-only", reads="nox", operands=False),),
    "manage.py": (Tool("test", "test", values="-k --pattern -p --settings -t --tag --exclude-tag --parallel"
                       " --top-level-directory -v --verbosity --testrunner --shuffle",
                       narrows="-k --tag --exclude-tag --pattern -p", reads="unittest"),
                  Tool("lint", "check", values="--tag -t --settings --database --fail-level",
                       reads="django", operands=False)),
    "django-admin": (Tool("test", "test", values="-k --settings -p --pattern", narrows="-k",
                          reads="unittest"),),
    "trial": (Tool("test", values="-j --reporter --temp-directory", reads="unittest"),),
    "hatch": (Tool("test", "test", values="-i -py --python", narrows="-i -x", idle="--show -s",
                   reads="pytest"),
              Tool("format", "fmt", needs="--check", reads="ruff")),
    "behave": (Tool("test", values="-t --tags -n --name -f --format -D -i -e -o",
                    narrows="-t --tags -n --name -i -e", idle="--dry-run -d --steps-catalog",
                    reads="behave"),),
    "robot": (Tool("test", values="-i -e -t -s -d -v --include --exclude --test --suite --outputdir",
                   narrows="-i -e -t -s --include --exclude --test --suite", idle="--dryrun",
                   reads="robot"),),
    "doctest": (Tool("test", values="-o", reads="doctest"),),
    "ruff": (Tool("lint", "check", values=_RUFF, narrows="--select --ignore --extend-ignore",
                  idle="--show-files --show-settings --statistics-only --watch -w --add-noqa"
                  " --exit-zero -e", reads="ruff"),
             Tool("format", "format", values=_RUFF, needs=_CHECK_ONLY, reads="ruff-format")),
    "flake8": (Tool("lint", values="--config --max-line-length --select --ignore --extend-ignore --format"
                    " --exclude --jobs -j --per-file-ignores", narrows="--select --ignore --exclude",
                    idle="--bug-report --exit-zero", reads="flake8"),),
    "pylint": (Tool("lint", values="--rcfile --disable --enable -d -e -j --jobs -f --output-format"
                    " --fail-under --ignore", narrows="--disable --enable -d -e --ignore -E --errors-only",
                    idle="--list-msgs --generate-rcfile --list-msgs-enabled --exit-zero", reads="pylint"),),
    **dict.fromkeys(("pyflakes", "pycodestyle", "pydocstyle", "vulture", "bandit", "yamllint",
                     "codespell", "djlint", "sqlfluff", "interrogate", "refurb", "semgrep", "deptry"),
                    (Tool("lint", values="-c --config -d -l -ll --select --ignore -t -r --exclude",
                          narrows="--select --ignore -t --exclude", idle="--generate-config fix render"),)),
    "pre-commit": (Tool("lint", "run", values="--files --from-ref --to-ref -s -o --hook-stage --commit-msg-filename",
                        narrows="--files --from-ref --to-ref -s -o", reads="pre-commit"),),
    "mypy": (Tool("types", values="-p -m --package --module -c --config-file --python-version --exclude"
                  " --cache-dir --python-executable --platform --shadow-file --any-exprs-report",
                  narrows="-p -m --package --module -c --exclude", idle="--install-types-only", reads="mypy"),),
    "dmypy": (Tool("types", "run|check", values="--timeout", reads="mypy"),),
    "pyright": (Tool("types", values="-p --project --pythonversion --level --pythonpath --venvpath",
                     idle="-w --watch --createstub --verifytypes-only", reads="pyright"),),
    "basedpyright": (Tool("types", values="-p --project --level", idle="-w --watch --writebaseline",
                          reads="pyright"),),
    **dict.fromkeys(("pyre", "pytype", "ty", "pyrefly"),
                    (Tool("types", "check|", values="--config --python", reads="ty pyright mypy"),)),
    "black": (Tool("format", values="-l --line-length -t --target-version --config --exclude --include",
                   needs="--check --diff", reads="black"),),
    "isort": (Tool("format", values="--profile -l --settings-path --sp", needs="-c --check --check-only"
                   " --diff --df", reads="isort"),),
    **dict.fromkeys(("autopep8", "docformatter", "yapf", "blue"),
                    (Tool("format", values="--style -p", needs="--check -c -d --diff --exit-code"),)),
    "uv": (Tool("format", "format", needs="--check --diff", reads="ruff-format"),
           Tool("build", "build", values="--package -o --out-dir --directory", folder="--directory",
                operands=False),
           Tool("build", "lock", needs="--check --locked", operands=False)),
    "poetry": (Tool("build", "build", values="-C --directory -f", folder="-C --directory", operands=False),
               Tool("lint", "check", operands=False)),
    "pdm": (Tool("build", "build", values="-p --project -d", folder="-p --project", operands=False),),
    "twine": (Tool("lint", "check"),),
    # -- JavaScript --------------------------------------------------------------------------------
    "jest": (_JEST,),
    "vitest": (_VITEST,),
    "mocha": (_MOCHA,),
    "ava": (Tool("test", values="-m --match --node-arguments -c --concurrency -T --timeout --config",
                 narrows="-m --match", idle="-w --watch debug reset-cache", reads="ava tap"),),
    **dict.fromkeys(("tap", "tape", "uvu", "zora", "pta", "borp"), (_TAP._replace(whole="run"),)),
    "qunit": (Tool("test", values="-r --reporter --require -f --filter -m --module --seed",
                   narrows="-f --filter -m --module", idle="-w --watch", reads="tap"),),
    "jasmine": (Tool("test", values="--config --filter --seed --reporter --helper", narrows="--filter",
                     idle="init examples enumerate", reads="jasmine"),),
    "node": (Tool("test", "--test", values="--test-name-pattern --test-reporter --test-concurrency --import"
                  " --test-skip-pattern --test-reporter-destination --test-timeout --require -r --loader"
                  " --test-shard --env-file --conditions -C --experimental-loader",
                  narrows="--test-name-pattern --test-only --test-skip-pattern --test-shard",
                  idle="--watch --check -c -v -p -e", reads="node"),
             Tool("lint", "--check|-c", reads="none")),
    "tsx": (Tool("test", "--test", values="--test-name-pattern --test-reporter --import",
                 narrows="--test-name-pattern --test-only", idle="--watch", reads="node"),),
    "playwright": (_PLAYWRIGHT,),
    "cypress": (_CYPRESS,),
    "karma": (_KARMA,),
    "wtr": (Tool("test", values="--group --files --config", narrows="--group --files", idle="--watch"),),
    "web-test-runner": (Tool("test", values="--group --files --config", narrows="--group",
                             idle="--watch"),),
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
    "nx": (Tool("test", "@script", values="-p --projects --target -t --exclude -c --base --head",
                narrows="-p --projects --exclude --base --head", idle="--graph", operands=True,
                whole="affected"),),
    "eslint": (Tool("lint", values="-c --config --ext --rulesdir --ignore-path --max-warnings -f --format -o"
                    " --output-file --ignore-pattern --rule --parser --plugin --cache-location --resolve-plugins-relative-to",
                    narrows="--rule --ignore-pattern", idle="--print-config --init --env-info --fix-dry-run"
                    " -v --inspect-config", reads="eslint"),),
    "eslint_d": (Tool("lint", idle="start stop restart status", reads="eslint"),),
    "xo": (Tool("lint", reads="eslint xo"),),
    "standard": (Tool("lint", reads="standard"),),
    "oxlint": (Tool("lint", values="-c -D -A -W", reads="oxlint"),),
    "tslint": (Tool("lint", values="-c -p --config --project"),),
    "jshint": (Tool("lint", reads="eslint"),),
    "biome": (Tool("lint", "check|lint|ci", values="--config-path --changed --since --only --skip",
                   narrows="--changed --staged --only --skip --since", reads="biome"),
              Tool("format", "format", idle="--write --fix", reads="biome")),
    "stylelint": (Tool("lint", values="--config --custom-syntax -f --formatter --ignore-path",
                       reads="eslint stylelint"),),
    **dict.fromkeys(("markdownlint", "markdownlint-cli2", "remark", "alex", "cspell", "htmlhint", "commitlint",
                     "textlint", "knip", "depcheck", "madge", "publint", "attw", "spectral", "redocly",
                     "sherif", "dprint-lint"),
                    (Tool("lint", values="-c --config -o -i --ignore -p", narrows="-i --ignore",
                          reads="markdownlint"),)),
    "tsc": (Tool("types", values="-p --project --target -t --module -m --outDir --lib --jsx --rootDir"
                 " --moduleResolution --declarationDir",
                 narrows="-p --project", idle="--init --showConfig --listFilesOnly -w --watch -v --all",
                 reads="tsc"),),
    **dict.fromkeys(("vue-tsc", "tsgo", "svelte-check", "astro-check", "glint"),
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
    **dict.fromkeys(("rollup",), (Tool("build", values="-c --config -i -o -f", needs="-c --config -i --input",
                                       idle="-w --watch", operands=False),)),
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
    # -- Go, Rust, C, C++ --------------------------------------------------------------------------
    "go": (_GO,
           Tool("build", "build|vet|install", values="-o -tags -ldflags -gcflags -mod -p -C -vettool", idle="-n",
                folder="-C", reads="go-build", whole="./... ..."),
           Tool("lint", "mod verify", operands=False)),
    "gotestsum": (Tool("test", values="-f --format --junitfile --packages --jsonfile --rerun-fails",
                       narrows="--packages", idle="--watch tool", reads="gotestsum go",
                       whole="./... ..."),),
    "gotest": (_GO._replace(subs=""),),
    "ginkgo": (Tool("test", values="-p --focus --skip --label-filter --procs --timeout --tags",
                    narrows="--focus --skip --label-filter", idle="watch build bootstrap generate --dry-run",
                    reads="ginkgo", whole="./... run"),),
    "golangci-lint": (Tool("lint", "run", values="-c --config --timeout -E -D --out-format --build-tags -j"
                           " --enable --disable --new-from-rev", narrows="--new-from-rev -n --new -E"
                           " --enable-only", reads="golangci", whole="./... ..."),
                      Tool("format", "fmt", needs="-d --diff")),
    **dict.fromkeys(("staticcheck", "revive", "errcheck", "gosec", "govulncheck", "gocyclo", "nilaway"),
                    (Tool("lint", values="-config -formatter -f -tags -exclude -checks", narrows="-checks",
                          whole="./... ..."),)),
    **dict.fromkeys(("gofmt", "gofumpt", "goimports", "gci"),
                    (Tool("format", needs="-l -d", idle="-w", reads="listing", whole="."),)),
    "cargo": (_CARGO,
              Tool("test", "nextest run|nextest r", values=f"{_CARGO.values} -E --filter-expr --partition",
                   narrows=f"{_CARGO_SCOPE} -E --filter-expr --partition", idle="--no-run",
                   folder="--manifest-path", reads="nextest"),
              Tool("test", "hack test|tarpaulin|llvm-cov|insta test|miri test|xtask test", values=_CARGO.values,
                   narrows=_CARGO_SCOPE, idle="--no-run", reads="cargo nextest"),
              Tool("test", "test-*|test_*", reads="cargo"),
              Tool("lint", "clippy", values=_CARGO.values, narrows=_CARGO_SCOPE, folder="--manifest-path",
                   reads="rustc", operands=False),
              Tool("lint", "deny|audit|machete|udeps|semver-checks", idle="init fix list fetch"),
              Tool("format", "fmt", values="-p --package --manifest-path", narrows="-p --package",
                   needs="--check -c", folder="--manifest-path", operands=False),
              Tool("build", "build|b|check|c|doc|rustdoc|hack check", values=_CARGO.values,
                   narrows=_CARGO_SCOPE, idle="--open", folder="--manifest-path", reads="rustc",
                   operands=False)),
    "cargo-nextest": (Tool("test", "nextest run|run", values=_CARGO.values, narrows=_CARGO_SCOPE,
                           idle="--no-run", reads="nextest"),),
    "rustfmt": (Tool("format", values="--edition --config-path --config", needs="--check"),),
    "trunk": (Tool("build", "build", operands=False), Tool("lint", "check", operands=True)),
    "ctest": (_CTEST,),
    "cmake": (Tool("build", "--build", values="--target -t --config -j --parallel --preset",
                   narrows="--target -t", folder="--build", reads="cmake", operands=False),),
    "meson": (Tool("test", "test", values="-C --suite --no-suite --timeout-multiplier -t --repeat --wrap"
                   " --num-processes -j", narrows="--suite --no-suite", idle="--list", folder="-C",
                   reads="meson"),
              Tool("build", "compile", values="-C -j", folder="-C", operands=False)),
    "ninja": (_MAKE._replace(values="-C -f -j -k -l -t -d -w", idle="-n -t", folder="-C", reads="ninja"),),
    "samu": (_MAKE._replace(values="-C -f -j -k -t", idle="-n -t", folder="-C"),),
    **dict.fromkeys(("make", "gmake", "mingw32-make"), (_MAKE,)),
    "bazel": (Tool("test", "test|coverage", values="--config --test_output --test_filter --jobs -c",
                   narrows="--test_filter --test_tag_filters --test_size_filters", reads="bazel",
                   whole="//... //...:all ... :all"),
              Tool("build", "build", values="--config -c --jobs", narrows="--build_tag_filters",
                   reads="bazel-build", whole="//... //...:all ...")),
    "buck2": (Tool("test", "test", whole="//..."), Tool("build", "build", whole="//...")),
    "pants": (Tool("test", "test", reads="pytest", whole=":: ::/"), Tool("lint", "lint", whole="::"),
              Tool("types", "check", whole="::")),
    **dict.fromkeys(("cppcheck", "clang-tidy", "cpplint", "shellcheck", "hadolint", "actionlint", "tflint",
                     "ansible-lint", "luacheck", "selene", "checkov", "kubeconform", "kubeval", "buf-lint",
                     "vale", "proselint", "typos", "lychee", "zizmor", "dotenv-linter", "checkmake",
                     "protolint", "swiftlint", "ktlint", "detekt", "scalafix", "credo", "tidy"),
                    (Tool("lint", values="-c --config -f --format -s --shell -e --exclude -x -p -S --severity"
                          " -d --rcfile", narrows="-e --exclude -S --severity",
                          idle="--write-changes -w --fix-only --list-checks rules --init", reads="shellcheck"),)),
    "clang-format": (Tool("format", values="--style -style", needs="--dry-run -n -Werror --Werror"),),
    "shfmt": (Tool("format", values="-i -ln", needs="-d -l", idle="-w", reads="listing"),),
    "stylua": (Tool("format", needs="--check"),),
    "buf": (Tool("lint", "lint|breaking", values="--against --config"), Tool("build", "build"),
            Tool("format", "format", needs="--exit-code --diff -d", idle="-w")),
    "zig": (Tool("test", "test", values="--test-filter -O --name", narrows="--test-filter",
                 idle="--test-no-exec", reads="zig"),
            Tool("test", "build test", values="-D", reads="zig"),
            Tool("format", "fmt", needs="--check"), Tool("build", "build", idle="run --watch", operands=False)),
    "gcovr": (Tool("test", needs="--fail-under-line --fail-under-branch", operands=False),),
    # -- JVM, .NET, Swift --------------------------------------------------------------------------
    **dict.fromkeys(("mvn", "mvnw", "mvnd"), (_MAVEN,)),
    **dict.fromkeys(("gradle", "gradlew"), (_GRADLE,)),
    "sbt": (Tool("test", "@goals test|testOnly|testQuick|it:test|compile|package|scalafmtCheck"
                 "|scalafmtCheckAll|+test", narrows="testOnly testQuick", reads="sbt", operands=False),),
    "lein": (Tool("test", "test|midje|kaocha", values=":only", narrows=":only", reads="clojure"),
             Tool("lint", "eastwood|kibit"), Tool("build", "compile|uberjar", operands=False)),
    "mill": (Tool("test", "*.test|__.test|test", reads="junit", operands=False),
             Tool("build", "*.compile|__.compile", operands=False)),
    "ant": (_MAKE._replace(values="-f -buildfile -lib", idle="-p -projecthelp -diagnostics", folder=""),),
    "scala-cli": (Tool("test", "test", values="--test-only", narrows="--test-only"),
                  Tool("build", "compile"), Tool("format", "fmt", needs="--check")),
    "dotnet": (_DOTNET,
               Tool("build", "build|msbuild", values="-c --configuration -f --framework -o -r -v",
                    idle="-t", reads="dotnet-build"),
               Tool("format", "format", values="--include --exclude --severity",
                    needs="--verify-no-changes")),
    "msbuild": (Tool("build", reads="dotnet-build"),),
    "xcodebuild": (Tool("test", "@goals test|test-without-building|build|build-for-testing|analyze",
                        values="-scheme -project -workspace -destination -sdk -configuration -testPlan"
                        " -derivedDataPath -resultBundlePath -target", narrows="-only-testing -skip-testing",
                        idle="-list -showsdks -showBuildSettings -dry-run", reads="xcodebuild",
                        operands=False),),
    "swift": (Tool("test", "test", values="--filter --skip --package-path -c --configuration -s",
                   narrows="--filter --skip -s", idle="-l --list-tests list", folder="--package-path",
                   reads="swift", operands=False),
              Tool("build", "build", values="--package-path -c --configuration --target --product",
                   narrows="--target --product", idle="--show-bin-path", folder="--package-path",
                   reads="swift-build", operands=False)),
    "swift-format": (Tool("format", "lint", values="--configuration"),),
    "swiftformat": (Tool("format", needs="--lint --dryrun"),),
    # -- Ruby, PHP, Elixir, and others -------------------------------------------------------------
    "rspec": (_RSPEC,),
    "rails": (_RAILS, Tool("lint", "zeitwerk:check", operands=False)),
    "rake": (_MAKE._replace(values="-f -C -R -I -r", idle="-n --dry-run -T --tasks -P -W",
                            folder="-C", reads="minitest rspec"),),
    "minitest": (Tool("test", values="-n --name -s", narrows="-n --name", reads="minitest"),),
    "cucumber": (Tool("test", values="-t --tags -n --name -f -r -p", narrows="-t --tags -n --name",
                      idle="-d --dry-run"),),
    "rubocop": (Tool("lint", values="--only --except -c --config -f --format",
                     narrows="--only --except", idle="--auto-gen-config -V -v --show-cops", reads="rubocop"),),
    **dict.fromkeys(("standardrb", "brakeman", "reek", "erblint", "haml-lint", "slim-lint"),
                    (Tool("lint", values="-c -o", reads="rubocop"),)),
    **dict.fromkeys(("srb", "steep"), (Tool("types", "tc|typecheck|check"),)),
    "phpunit": (_PHPUNIT,),
    "paratest": (_PHPUNIT._replace(values=f"{_PHPUNIT.values} -p --processes"),),
    "pest": (_PHPUNIT._replace(idle=f"{_PHPUNIT.idle} --init"),),
    "codecept": (Tool("test", "run", values="-g --group --env -c", narrows="-g --group -s --skip",
                      reads="phpunit"),),
    "behat": (Tool("test", values="--tags --name --suite -p -c", narrows="--tags --name --suite",
                   idle="--dry-run --init -dl"),),
    "phpspec": (Tool("test", "run|r"),),
    "artisan": (_PHPUNIT._replace(subs="test", values=f"{_PHPUNIT.values} --env"),),
    **dict.fromkeys(("phpstan",), (Tool("types", "analyse|analyze", values="-c --configuration -l --level"
                                        " --memory-limit --error-format -a",
                                        idle="-b --generate-baseline", reads="phpstan"),)),
    "psalm": (Tool("types", values="-c --config --threads", idle="--init --alter --set-baseline"
                   " --clear-cache", reads="psalm"),),
    "phan": (Tool("types"),),
    "phpcs": (Tool("lint", values="--standard --report", idle="-i -e"),),
    "phpmd": (Tool("lint"),),
    "php-cs-fixer": (Tool("format", "check|fix", values="--config --rules", needs="--dry-run check"),),
    "pint": (Tool("format", needs="--test"),),
    "php": (Tool("lint", "-l", reads="none"),),
    "composer": (Tool("test", "@script", values="-d --working-dir", folder="-d --working-dir"),
                 Tool("lint", "validate", operands=False)),
    "mix": (Tool("test", "test|test.*|coveralls", values="--only --exclude --include --seed --max-failures"
                 " --partitions --formatter --timeout", narrows="--only --exclude --stale --failed --include",
                 idle="--listen-on-stdin --watch", reads="mix"),
            Tool("lint", "credo|sobelow", reads="credo"), Tool("types", "dialyzer", reads="dialyzer",
                                                              operands=False),
            Tool("format", "format", needs="--check-formatted --dry-run"),
            Tool("build", "compile", operands=False)),
    "rebar3": (Tool("test", "eunit|ct|proper", values="--module --suite --case --dir",
                    narrows="--module --suite --case --dir", reads="eunit", operands=False),
               Tool("types", "dialyzer", operands=False), Tool("build", "compile", operands=False)),
    "gleam": (Tool("test", "test"), Tool("format", "format", needs="--check"),
              Tool("build", "build|check", operands=False)),
    **dict.fromkeys(("flutter", "dart"),
                    (Tool("test", "test", values="--name --plain-name -N -n --tags -t -x --exclude-tags -j -r"
                          " --reporter --concurrency -p --platform --total-shards --shard-index",
                          narrows="--name --plain-name -N -n --tags -t -x --exclude-tags", reads="dart"),
                     Tool("lint", "analyze", reads="dart-analyze"),
                     Tool("format", "format", values="-o --output -l", needs="--set-exit-if-changed"),
                     Tool("build", "build", idle="clean", operands=False))),
    "stack": (Tool("test", "test|build --test", values="--ta --test-arguments", reads="hspec"),
              Tool("build", "build", idle="--file-watch", operands=False)),
    "cabal": (Tool("test", "test|v2-test", reads="cabal hspec", whole="all"),
              Tool("build", "build|v2-build", operands=False)),
    "dune": (Tool("test", "test|runtest"), Tool("build", "build", idle="-w --watch", operands=False)),
    "hlint": (Tool("lint"),),
    "nimble": (Tool("test", "test", operands=False), Tool("build", "build|check", operands=False)),
    "crystal": (Tool("test", "spec", values="-e --example --tag", narrows="-e --example --tag",
                     reads="rspec"), Tool("build", "build"), Tool("format", "tool format",
                                                                  needs="--check")),
    "bats": (_BATS,),
    "shellspec": (Tool("test", values="-e -j -f", narrows="-e --focus", reads="rspec"),),
    "busted": (Tool("test", values="-p --pattern -t --tags -o --output --filter --exclude-tags",
                    narrows="-p --pattern -t --tags --filter --exclude-tags", idle="-l --list",
                    reads="busted"),),
    "prove": (_PROVE,),
    "roc": (Tool("test", "test"), Tool("types", "check"), Tool("build", "build")),
    "elm-test": (Tool("test", values="--seed --fuzz --compiler", idle="init install --watch",
                      reads="elm-test"),),
    "elm": (Tool("build", "make", values="--output"),),
    "forge": (Tool("test", "test|t", values="--match-test --match-contract --match-path --mt --mc --mp",
                   narrows="--match-test --match-contract --match-path --mt --mc --mp", idle="--list -l",
                   reads="forge", operands=False),
              Tool("format", "fmt", needs="--check"), Tool("build", "build|b", operands=False)),
    "hardhat": (Tool("test", "test", values="--grep --network", narrows="--grep", reads="mocha"),
                Tool("build", "compile", operands=False)),
    "terraform": (Tool("test", "test", values="-filter", narrows="-filter", operands=False),
                  Tool("lint", "validate", operands=False),
                  Tool("format", "fmt", needs="-check --check")),
    "tofu": (Tool("test", "test", operands=False), Tool("lint", "validate", operands=False),
             Tool("format", "fmt", needs="-check --check")),
    "helm": (Tool("lint", "lint"), Tool("lint", "unittest")),
    "dbt": (Tool("test", "test", values="-s --select -m --exclude -t --target",
                 narrows="-s --select -m --exclude", operands=False, reads="dbt"),
            Tool("build", "build|compile|parse", values="-s --select -t", narrows="-s --select",
                 operands=False)),
    "molecule": (Tool("test", "test|verify", values="-s --scenario-name", narrows="-s", operands=False),),
    "opa": (Tool("test", "test"), Tool("lint", "check"), Tool("format", "fmt", needs="--fail -d --diff")),
    "conftest": (Tool("lint", "test|verify"),),
    "nix": (Tool("test", "flake check", operands=False), Tool("build", "build", values="-f -o",
                                                              operands=False)),
    "treefmt": (Tool("format", needs="--fail-on-change --ci"),),
    "docker": (Tool("build", "build|buildx build|compose build|image build|buildx bake",
                    values="-t --tag -f --file --build-arg --target --platform --cache-from --cache-to",
                    narrows="--target", idle="--check --print", operands=False),),
    "podman": (Tool("build", "build|image build", values="-t --tag -f --file --build-arg --target",
                    operands=False),),
    "docker-compose": (Tool("build", "build", values="-f --file", operands=False),),
    **dict.fromkeys(("just", "task", "mage", "invoke", "inv", "doit", "gulp", "grunt", "poe", "taskipy", "rye",
                     "melos", "devenv"),
                    (Tool("test", "@goals", values="-f --justfile -d --working-directory -t --taskfile --dir",
                          idle="-n --dry-run --list -l --summary --show --dry -a --list-all --evaluate",
                          folder="-d --working-directory --dir", operands=False),)),
    "earthly": (Tool("test", "+test*|+check*|+ci", operands=False), Tool("lint", "+lint*", operands=False),
                Tool("build", "+build*|+all", operands=False)),
    "mkdocs": (Tool("build", "build", values="-f -d", operands=False),),
    "sphinx-build": (Tool("build", values="-b -c -d", operands=False),),
    "hugo": (Tool("build", "build|", idle="server serve new mod -w --watch list", operands=False),),
    "jekyll": (Tool("build", "build|b", idle="--watch -w", operands=False),),
}
# fmt: on

# Programs behind which another one is named, that the shell's reading leaves as they are: the words that
# have to stand between.
LAUNCHERS: dict[str, tuple[str, ...]] = {
    "coverage": ("run -m", "run"),
    "php": ("",),
    "yarn": ("run", "exec", "dlx", ""),
    "pnpm": ("run", "exec", "dlx", ""),
    "bun": ("run", "x"),
    "c8": ("",),
    "nyc": ("",),
    "rtx": ("exec", "x"),
    "ruby": ("-S", ""),
    "corepack": ("",),
    "slipcover": ("-m",),
    "scalene": ("-m",),
}
