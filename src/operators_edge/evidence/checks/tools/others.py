"""Programs that judge work: Ruby, PHP, Elixir and others, task runners, containers."""
# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from operators_edge.evidence.checks.tools.tool import MAKE, Tool

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

# fmt: off
TOOLS: dict[str, tuple[Tool, ...]] = {
    "rspec": (Tool("test", values="-e --example -t --tag -f --format -o --out -r --require -I -P --pattern"
                   " --seed --order -c", narrows="-e --example -t --tag -P --pattern --only-failures -n"
                   " --next-failure", idle="--dry-run --init -v", reads="rspec"),),
    "rails": (Tool("test", "test|test:*|spec", values="-n --name -e --environment -s --seed",
                   narrows="-n --name", reads="minitest rspec"),
              Tool("lint", "zeitwerk:check", operands=False)),
    "rake": (MAKE._replace(values="-f -C -R -I -r", idle="-n --dry-run -T --tasks -P -W",
                            folder="-C", reads="minitest rspec"),),
    "minitest": (Tool("test", values="-n --name -s", narrows="-n --name", reads="minitest"),),
    **dict.fromkeys(("cucumber", "cucumber-js"), (Tool("test", values="-t --tags -n --name -f -r -p", narrows="-t --tags -n --name",
                      idle="-d --dry-run", reads="cucumber"),)),
    "rubocop": (Tool("lint", values="--only --except -c --config -f --format",
                     narrows="--only --except", idle="--auto-gen-config -V -v --show-cops", reads="rubocop"),),
    **dict.fromkeys(("standardrb", "brakeman", "reek", "erblint", "haml-lint", "slim-lint"),
                    (Tool("lint", values="-c -o", reads="rubocop"),)),
    **dict.fromkeys(("srb", "steep"), (Tool("types", "tc|typecheck|check"),)),
    "phan": (Tool("types"),),
    **dict.fromkeys(("phpmd", "hlint"), (Tool("lint"),)),
    "phpunit": (_PHPUNIT,),
    "paratest": (_PHPUNIT._replace(values=f"{_PHPUNIT.values} -p --processes"),),
    "pest": (_PHPUNIT._replace(idle=f"{_PHPUNIT.idle} --init"),),
    "codecept": (Tool("test", "run", values="-g --group --env -c", narrows="-g --group -s --skip",
                      reads="phpunit"),),
    "behat": (Tool("test", values="--tags --name --suite -p -c", narrows="--tags --name --suite",
                   idle="--dry-run --init -dl"),),
    "phpspec": (Tool("test", "run|r"),),
    "artisan": (_PHPUNIT._replace(subs="test", values=f"{_PHPUNIT.values} --env"),),
    "phpstan": (Tool("types", "analyse|analyze", values="-c --configuration -l --level --memory-limit"
                     " --error-format -a", idle="-b --generate-baseline", reads="phpstan"),),
    "psalm": (Tool("types", values="-c --config --threads", idle="--init --alter --set-baseline"
                   " --clear-cache", reads="psalm"),),
    "phpcs": (Tool("lint", values="--standard --report", idle="-i -e"),),
    "php-cs-fixer": (Tool("format", "check|fix", values="--config --rules", needs="--dry-run check"),),
    "pint": (Tool("format", needs="--test"),),
    "php": (Tool("lint", "-l", reads="none"),),
    "composer": (Tool("test", "@script", values="-d --working-dir", folder="-d --working-dir"),
                 Tool("lint", "validate", operands=False)),
    "mix": (Tool("test", "test|test.*|coveralls", values="--only --exclude --include --seed --max-failures"
                 " --partitions --formatter --timeout", narrows="--only --exclude --stale --failed --include",
                 idle="--listen-on-stdin --watch", reads="bats"),
            Tool("lint", "credo|sobelow", reads="credo"), Tool("types", "dialyzer", reads="dialyzer",
                                                              operands=False),
            Tool("format", "format", needs="--check-formatted --dry-run"),
            Tool("build", "compile", operands=False)),
    "rebar3": (Tool("test", "eunit|ct|proper", values="--module --suite --case --dir",
                    narrows="--module --suite --case --dir", reads="eunit", operands=False),
               Tool("types", "dialyzer", operands=False), Tool("build", "compile", operands=False)),
    **dict.fromkeys(("gleam", "nimble"),
                    (Tool("test", "test"), Tool("format", "format", needs="--check"),
                     Tool("build", "build|check", operands=False))),
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
    "crystal": (Tool("test", "spec", values="-e --example --tag", narrows="-e --example --tag",
                     reads="rspec"), Tool("build", "build"), Tool("format", "tool format",
                                                                  needs="--check")),
    "bats": (Tool("test", values="-f --filter -F --formatter -j --jobs --filter-tags --filter-status -o"
                  " --output", narrows="-f --filter --filter-tags --filter-status", idle="-c --count -v",
                  reads="tap bats"),),
    "shellspec": (Tool("test", values="-e -j -f", narrows="-e --focus", reads="rspec"),),
    "busted": (Tool("test", values="-p --pattern -t --tags -o --output --filter --exclude-tags",
                    narrows="-p --pattern -t --tags --filter --exclude-tags", idle="-l --list",
                    reads="busted tap"),),
    "prove": (Tool("test", values="-j --jobs -I -e --exec -a --archive", idle="--dry -D -V",
                   reads="prove"),),
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
    **dict.fromkeys(("terraform", "tofu"),
                    (Tool("test", "test", values="-filter", narrows="-filter", operands=False),
                     Tool("lint", "validate", operands=False),
                     Tool("format", "fmt", needs="-check --check"))),
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
    **dict.fromkeys(("docker", "podman", "docker-compose"),
                    (Tool("build", "build|buildx build|compose build|image build|buildx bake",
                          values="-f --file --target", narrows="--target", idle="--check --print",
                          operands=False, reads="docker"),)),
    **dict.fromkeys(("just", "task", "mage", "invoke", "inv", "doit", "gulp", "grunt", "poe", "taskipy",
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

# end of module
