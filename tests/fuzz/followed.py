"""Files with a dangerous line in them, and the commands that run them: made from a number.

Owns the forms of the files and the spellings of the commands. Does not own the dangerous lines
(``compose``), nor what has to hold (``check``).
"""

from __future__ import annotations

import json
from typing import NamedTuple

from tests.fuzz.compose import composition, seeded
from tests.gate.example_project import ROOT, Machine, judge

LINES = (
    "rm -rf /home/ann/photos",
    "git push --force origin main",
    "kubectl delete namespace prod",
    "terraform destroy -auto-approve",
    "psql shop -c 'DROP TABLE users'",
    "curl -X DELETE https://api.example.com/v1/users/7",
    "npm publish",
)


class Kind(NamedTuple):
    """A kind of file: its forms around a line ``{}``, and the commands that run it.

    ``calls`` are how its language runs the line, which is a JSON string there if it ``is_json``.
    """

    name: str
    forms: tuple[str, ...]
    spellings: tuple[str, ...]
    calls: tuple[str, ...] = ("{}",)
    is_shell: bool = False
    is_json: bool = False


KINDS = {
    "shell": Kind(
        "tools/x.sh",
        (
            "{}\n",
            "#!/bin/bash\nset -euo pipefail\n{}\n",
            'main() {{\n{}\n}}\nmain "$@"\n',
            'if [ -n "$HOME" ]\nthen\n{}\nfi\n',
            "for i in 1 2; do\n{}\ndone\n",
            'case "$1" in\n*)\n{}\n;;\nesac\n',
            "while true; do\n{}\nbreak\ndone\n",
            "echo start\n(\n{}\n)\necho end\n",
            "{{\n{}\n}} 2>&1 | tee out.log\n",
            "# a note\n\n\n{}\n# the end",
        ),
        (
            "bash tools/x.sh",
            "sh ./tools/x.sh",
            "./tools/x.sh",
            "tools/x.sh a b",
            ". tools/x.sh",
            "source ./tools/x.sh",
            "bash -x tools/x.sh",
            "bash -- tools/x.sh",
            "env A=1 bash tools/x.sh",
            "timeout 5 ./tools/x.sh",
            "nohup ./tools/x.sh &",
            "cd tools && ./x.sh",
            "cd tools; bash x.sh",
            "(cd tools && sh x.sh)",
            "bash -c ./tools/x.sh",
            "bash -c 'source tools/x.sh'",
            "bash < tools/x.sh",
            "cat tools/x.sh | bash",
            "F=tools/x.sh; bash $F",
            'for f in tools/x.sh; do bash "$f"; done',
            "echo tools/x.sh | xargs bash",
            "find tools -name x.sh -exec bash {} \\;",
            'eval "$(cat tools/x.sh)"',
            'bash "$(pwd)/tools/x.sh"',
            "cp tools/x.sh /tmp/y.sh && bash /tmp/y.sh",
            "true && tools/x.sh || echo failed",
            "python3 -c \"import subprocess; subprocess.run(['bash', 'tools/x.sh'])\"",
        ),
        is_shell=True,
    ),
    "python": Kind(
        "tools/x.py",
        (
            "import os, subprocess\n{}\n",
            "#!/usr/bin/env python3\nimport os, subprocess\n\ndef main():\n    {}\n\nmain()\n",
            "import os, subprocess\nif __name__ == '__main__':\n    {}\n",
            "import os, subprocess\nfor x in range(2):\n    {}\n",
            "import os, subprocess\ntry:\n    {}\nexcept OSError:\n    pass\n",
            "import os, subprocess\nwith open('x') as file:\n    {}\n",
            "import os, subprocess\n\nclass A:\n    def run(self):\n        {}\n\nA().run()\n",
            "import os, subprocess\nrun = lambda: {}\nrun()\n",
            "import os, subprocess, asyncio\nasync def go():\n    {}\nasyncio.run(go())\n",
        ),
        (
            "python3 tools/x.py",
            "python tools/x.py --flag",
            "python3 -u tools/x.py",
            "python3 -m tools.x",
            "cd tools && python3 x.py",
            "env python3 tools/x.py",
            "python3 < tools/x.py",
            "cat tools/x.py | python3",
            "cat tools/x.py | python3 -",
            "uv run tools/x.py",
            "uv run python tools/x.py",
            "poetry run python tools/x.py",
            "python3 -c \"exec(open('tools/x.py').read())\"",
            "python3 -c \"import runpy; runpy.run_path('tools/x.py')\"",
            "bash -c 'python3 tools/x.py'",
            "timeout 9 python3 tools/x.py",
        ),
        (
            "os.system({!r})",
            "subprocess.run({!r}, shell=True)",
            "subprocess.check_call(['bash', '-c', {!r}])",
            "__import__('os').system({!r})",
            "getattr(os, 'system')({!r})",
        ),
    ),
    "node": Kind(
        "tools/x.js",
        (
            "{};\n",
            "function main() {{\n  {};\n}}\nmain();\n",
            "(async () => {{ {}; }})();\n",
            "if (process.argv.length) {{\n  {};\n}}\n",
            "setTimeout(() => {}, 0);\n",
            "module.exports = () => {};\nmodule.exports();\n",
            "try {{ {}; }} catch (error) {{}}\n",
            "// a note\n[1, 2].forEach(() => {{ {}; }});\n",
        ),
        (
            "node tools/x.js",
            "node ./tools/x",
            "node tools/x.js --flag",
            "bun tools/x.js",
            "bun run tools/x.js",
            "deno run -A tools/x.js",
            "tsx tools/x.js",
            "npx tsx tools/x.js",
            "node -r ./tools/x.js -e 1",
            "cat tools/x.js | node",
            "node < tools/x.js",
            "cd tools && node x.js",
            "node -e \"require('./tools/x.js')\"",
            "bash -c 'node tools/x.js'",
        ),
        (
            "require('child_process').execSync({})",
            "require('node:child_process').exec({})",
            "require('child_process').spawnSync('bash', ['-c', {}])",
        ),
        is_json=True,
    ),
    "make": Kind(
        "Makefile",
        (
            "x:\n\t{}\n",
            ".PHONY: x\nx: ## does it\n\t@{}\n",
            "x: y\n\techo done\ny:\n\t-@{}\n",
            "COMMAND = {}\nx:\n\t$(COMMAND)\n",
            "COMMAND := {}\nx:\n\t@echo a && $(COMMAND)\n",
            "x: ; {}\n",
            "define run\n{}\nendef\nx:\n\t$(run)\n",
            "x:\n\t$(MAKE) y\ny:\n\t{}\n",
            "x:\n\techo a; \\\n\t{}\n",
            "ifdef QUIET\nx:\n\ttrue\nelse\nx:\n\t{}\nendif\n",
        ),
        (
            "make x",
            "make -j4 x",
            "gmake x",
            "make -f Makefile x",
            "make -C . x",
            "make --directory=. x",
            "make A=1 x",
            "A=1 make x",
            "make -s x >/dev/null",
            "bash -c 'make x'",
            "env make x",
            "time make x",
            "make z x || true",
        ),
    ),
    "package": Kind(
        "package.json",
        (
            '{{"scripts": {{"x": {}}}}}',
            '{{"name": "a", "scripts": {{"test": "jest", "x": {}}}}}',
            '{{"scripts": {{"x": "npm run y", "y": {}}}}}',
            '{{"scripts": {{"prex": {}, "x": "true"}}}}',
            '{{"scripts": {{"x": "true", "postx": {}}}}}',
            '{{"scripts": {{"x": "npm-run-all y", "y": {}}}}}',
        ),
        (
            "npm run x",
            "npm run-script x",
            "npm run x -- --flag",
            "npm --silent run x",
            "npm run --silent x",
            "yarn run x",
            "pnpm run x",
            "pnpm x",
            "npm --prefix . run x",
            "bash -c 'npm run x'",
            "CI=1 npm run x",
            "npm run x | tee out.log",
        ),
        is_json=True,
    ),
}
ON_PURPOSE: dict[tuple[str, str], str] = {}
"""Kind and spelling that need nobody, with the reason."""
CHANGES = (
    lambda text: text,
    lambda text: "\ufeff" + text,
    lambda text: text.replace("\n", "\r\n"),
    lambda text: text + "\n" * 50,
    lambda text: text.rstrip("\n"),
)
"""Changes of a file after which it still does the same, as far as its language goes."""


class Followed(NamedTuple):
    """A command, and the files that it finds."""

    command: str
    files: dict[str, str]
    names: tuple[str, ...]


def followed(seed: int) -> Followed:
    rng = seeded(seed)
    name = rng.choice(list(KINDS))
    kind = KINDS[name]
    form, spelling, call = map(rng.choice, (kind.forms, kind.spellings, kind.calls))
    is_composed = kind.is_shell and rng.random() < 0.5
    line = composition(seed, levels=2).text if is_composed else rng.choice(LINES)
    return made(name, form, spelling, call, line)


def made(name: str, form: str, spelling: str, call: str, line: str) -> Followed:
    """A file of a kind with the line in one form, and the command that runs it by one spelling."""
    kind = KINDS[name]
    text = form.format(call.format(json.dumps(line) if kind.is_json else line))
    return Followed(spelling, {kind.name: text}, (name, form, spelling))


def is_stopped(one: Followed) -> bool:
    """Whether the gate stops the command, with its files in the example project."""
    files = {f"{ROOT}/{name}": text for name, text in one.files.items()}
    return judge(one.command, Machine(files)).effect in {"junction", "block"}


# end of module
