"""Programs that judge work: Python."""
# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from operators_edge.evidence.checks.tools.tool import Tool

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
_RUFF = (
    "--config --select --ignore --extend-select --extend-ignore --output-format --target-version"
)
_CHECK_ONLY = "--check -c --diff --check-only"


# fmt: off
TOOLS: dict[str, tuple[Tool, ...]] = {
    **dict.fromkeys(("pytest", "py.test"), (_PYTEST,)),
    "unittest": (_UNITTEST,),
    **dict.fromkeys(("nose2", "nosetests"), (_UNITTEST._replace(whole=""),)),
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
                    (Tool("lint", values="-c --config -d --select --ignore -t --exclude",
                          narrows="--select --ignore -t --exclude", idle="--generate-config fix render"),)),
    "pre-commit": (Tool("lint", "run", values="--files --from-ref --to-ref -s -o --hook-stage --commit-msg-filename",
                        narrows="--files --from-ref --to-ref -s -o", reads="pre-commit"),),
    "mypy": (Tool("types", values="-p -m --package --module -c --config-file --python-version --exclude"
                  " --cache-dir --python-executable --platform --shadow-file --any-exprs-report",
                  narrows="-p -m --package --module -c --exclude", idle="--install-types-only", reads="mypy"),),
    "dmypy": (Tool("types", "run|check", values="--timeout", reads="mypy"),),
    **dict.fromkeys(("pyright", "basedpyright"),
                    (Tool("types", values="-p --project --pythonversion --level --pythonpath --venvpath",
                          idle="-w --watch --createstub --verifytypes-only --writebaseline",
                          reads="pyright"),)),
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
}
# fmt: on

# end of module
