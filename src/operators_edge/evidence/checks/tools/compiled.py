"""Programs that judge work: Go, Rust, C, C++, the JVM, .NET and Swift."""
# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from operators_edge.evidence.checks.tools.tool import MAKE, Tool

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

# fmt: off
TOOLS: dict[str, tuple[Tool, ...]] = {
    # -- Go, Rust, C, C++
    "go": (_GO,
           Tool("build", "build|vet", values="-o -tags -ldflags -gcflags -mod -p -C -vettool", idle="-n",
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
              Tool("lint", "deny check|deny|audit|machete|udeps|semver-checks", idle="init fix list fetch"),
              Tool("format", "fmt", values="-p --package --manifest-path", narrows="-p --package",
                   needs="--check -c", folder="--manifest-path", operands=False),
              Tool("build", "build|b|check|c|doc|rustdoc|hack check", values=_CARGO.values,
                   narrows=_CARGO_SCOPE, idle="--open", folder="--manifest-path", reads="rustc",
                   operands=False)),
    "cargo-nextest": (Tool("test", "nextest run|run", values=_CARGO.values, narrows=_CARGO_SCOPE,
                           idle="--no-run", reads="nextest"),),
    "trunk": (Tool("build", "build", operands=False), Tool("lint", "check", operands=True)),
    "ctest": (Tool("test", values="-R -E -L -LE -I --tests-regex --exclude-regex --label-regex --label-exclude"
                   " --test-dir", narrows="-R -E -L -LE -I --tests-regex --exclude-regex --label-regex"
                   " --label-exclude --rerun-failed", idle="-N --show-only --print-labels",
                   folder="--test-dir", reads="ctest", operands=False),),
    "cmake": (Tool("build", "--build", values="--target -t --config -j --parallel --preset",
                   narrows="--target -t", folder="--build", reads="cmake", operands=False),),
    "meson": (Tool("test", "test", values="-C --suite --no-suite --timeout-multiplier -t --repeat --wrap"
                   " --num-processes -j", narrows="--suite --no-suite", idle="--list", folder="-C",
                   reads="meson"),
              Tool("build", "compile", values="-C -j", folder="-C", operands=False)),
    "ninja": (MAKE._replace(values="-C -f -j -k -l -t -d -w", idle="-n -t", folder="-C", reads="ninja meson"),),
    "samu": (MAKE._replace(values="-C -f -j -k -t", idle="-n -t", folder="-C"),),
    **dict.fromkeys(("make", "gmake", "mingw32-make"), (MAKE,)),
    "bazel": (Tool("test", "test|coverage", values="--config --test_output --test_filter --jobs -c",
                   narrows="--test_filter --test_tag_filters --test_size_filters", reads="bazel",
                   whole="//... //...:all ... :all"),
              Tool("build", "build", values="--config -c --jobs", narrows="--build_tag_filters",
                   reads="bazel-build", whole="//... //...:all ...")),
    "buck2": (Tool("test", "test", whole="//..."), Tool("build", "build", whole="//...")),
    "pants": (Tool("test", "test", reads="pytest", whole=":: ::/"), Tool("lint", "lint", whole="::"),
              Tool("types", "check", whole="::")),
    **dict.fromkeys(("cppcheck", "clang-tidy", "cpplint", "shellcheck", "hadolint", "actionlint", "tflint",
                     "ansible-lint", "luacheck", "selene", "checkov", "kubeconform", "kubeval",
                     "vale", "proselint", "typos", "lychee", "zizmor", "dotenv-linter", "checkmake",
                     "protolint", "swiftlint", "ktlint", "detekt", "scalafix","tidy"),
                    (Tool("lint", values="-c --config -f --format -s --shell -e --exclude -x -p -S --severity"
                          " -d --rcfile", narrows="-e --exclude -S --severity",
                          idle="--write-changes -w --fix-only --list-checks rules --init", reads="shellcheck"),)),
    **dict.fromkeys(("clang-format", "rustfmt", "stylua", "swiftformat"),
                    (Tool("format", values="--style -style --edition --config-path --config",
                          needs="--check --dry-run -n -Werror --Werror --lint --dryrun"),)),
    "shfmt": (Tool("format", values="-i -ln", needs="-d -l", idle="-w", reads="listing"),),
    "buf": (Tool("lint", "lint|breaking", values="--against --config"), Tool("build", "build"),
            Tool("format", "format", needs="--exit-code --diff -d", idle="-w")),
    "zig": (Tool("test", "test", values="--test-filter -O --name", narrows="--test-filter",
                 idle="--test-no-exec", reads="zig"),
            Tool("test", "build test", values="-D", reads="zig"),
            Tool("format", "fmt", needs="--check"), Tool("build", "build", idle="run --watch", operands=False)),
    # -- JVM, .NET, Swift
    **dict.fromkeys(("mvn", "mvnw", "mvnd"),
                    (Tool("test", "@goals test|verify|integration-test|surefire:test|failsafe:verify"
                          "|failsafe:integration-test|compile|package|install|test-compile",
                          values="-f --file -pl --projects -P -s --settings -T --threads -l --log-file",
                          narrows="-pl --projects -Dtest -Dit.test -Dgroups -rf --resume-from",
                          idle="-v -DskipTests -Dmaven.test.skip", folder="-f --file", reads="maven",
                          operands=False),)),
    **dict.fromkeys(("gradle", "gradlew"),
                    (Tool("test", "@goals", values="--tests -p --project-dir -x --exclude-task -b -c"
                          " --init-script -I --max-workers --console", narrows="--tests -x --exclude-task",
                          idle="-m --dry-run -v", folder="-p --project-dir", reads="gradle",
                          operands=False),)),
    "sbt": (Tool("test", "@goals test|testOnly|testQuick|it:test|compile|package|scalafmtCheck"
                 "|scalafmtCheckAll|+test", narrows="testOnly testQuick", reads="sbt", operands=False),),
    "lein": (Tool("test", "test|midje|kaocha", values=":only", narrows=":only", reads="clojure"),
             Tool("lint", "eastwood|kibit"), Tool("build", "compile|uberjar", operands=False)),
    "mill": (Tool("test", "*.test|__.test|test", reads="junit", operands=False),
             Tool("build", "*.compile|__.compile", operands=False)),
    "ant": (MAKE._replace(values="-f -buildfile -lib", idle="-p -projecthelp -diagnostics", folder=""),),
    "scala-cli": (Tool("test", "test", values="--test-only", narrows="--test-only"),
                  Tool("build", "compile"), Tool("format", "fmt", needs="--check")),
    "dotnet": (Tool("test", "test|vstest", values="--filter -c --configuration -f --framework -l --logger -o"
                    " --output -r --runtime -v --verbosity --settings -s --results-directory --collect -a"
                    " --arch -p --project --solution -e --test-adapter-path", narrows="--filter --project",
                    idle="--list-tests -t", reads="dotnet"),
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
}
# fmt: on

# end of module
