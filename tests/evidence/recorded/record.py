"""Record what real runners print: ``python -m tests.evidence.recorded.record [RUNNER …]``.

Each of the small projects in ``runners.toml`` and ``linters.toml`` is put into a folder of its own and judged
in each of its states by the real program. What is not installed keeps the record that it has. JavaScript
programs are looked for in the ``node_modules`` that ``EDGE_NODE_MODULES`` names.
"""

# ruff: noqa: S602 - the commands are those of the tables

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.evidence.recorded import runs

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = runs.HERE
HOME = "/home/ann"
MAX = 6_000
"""Characters of an output: its beginning and its end."""
SECONDS = 120


def states(about: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Each state with a command and the files of the project."""
    files, file = about["files"], about.get("test") or about["file"]
    is_linter = "file" in about
    for state in ("clean", "bad") if is_linter else ("pass", "fail", "skip", "crash"):
        old, new = about.get(state, ("", ""))
        if state not in ("pass", "clean") and not old:
            continue
        assert old in files[file], (about, state)
        changed = {**files, file: files[file].replace(old, new, 1)}
        for command in about["runs"]:
            yield state, command, changed
    if not is_linter:
        rest = {name: text for name, text in files.items() if name != file}
        yield "empty", about["runs"][0], rest
    if about.get("narrow"):
        yield "narrow", about["narrow"], files


def play(command: str, setup: str, files: dict[str, str]) -> tuple[int, str]:
    """The exit code and the output, with the folder as a home folder's."""
    with tempfile.TemporaryDirectory(prefix="shop-") as top:
        folder = os.path.join(top, "shop")
        for name, text in files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            Path(path).write_text(text.removeprefix("\n"), encoding="utf-8")
        os.makedirs(folder, exist_ok=True)
        modules = os.environ.get("EDGE_NODE_MODULES")
        if modules and command.startswith(("npx ", "npm ")):
            os.symlink(modules, os.path.join(folder, "node_modules"))
        env = {
            **os.environ,
            "NO_COLOR": "1",
            "NO_UPDATE_NOTIFIER": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        env |= {
            "CARGO_TERM_COLOR": "never",
            "FORCE_COLOR": "0",
            "npm_config_update_notifier": "false",
        }
        env |= {"DENO_NO_UPDATE_CHECK": "1", "COLUMNS": "80", "LC_ALL": "C.UTF-8"}
        if setup:
            subprocess.run(setup, shell=True, cwd=folder, env=env, capture_output=True, check=False)
        line = f"{command} 2>&1"
        done = subprocess.run(
            line,
            shell=True,
            cwd=folder,
            env=env,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=SECONDS,
            check=False,
        )
        text = done.stdout.decode("utf-8", "replace").replace(folder, f"{HOME}/shop")
        for found in filter(None, (modules, os.path.dirname(os.path.dirname(sys.executable)))):
            text = text.replace(found, f"{HOME}/tools")
        text = text.replace(sys.base_prefix, "/usr")
        return done.returncode, _cut(text.replace(top, f"{HOME}/tmp"))


def _cut(text: str) -> str:
    text = re.sub(r"(?m)^npm (?:warn|notice).*\n", "", text)
    return text if len(text) <= MAX else f"{text[: MAX // 3]}\n…\n{text[-MAX * 2 // 3 :]}"


def version_of(about: dict[str, Any]) -> str:
    program = shlex.split(about["version"])[-2 if about["version"].startswith("npx") else 0]
    if shutil.which(shlex.split(about["version"])[0]) is None:
        return ""
    done = subprocess.run(
        about["version"],
        shell=True,
        cwd=os.environ.get("EDGE_NODE_MODULES") or None,
        capture_output=True,
        text=True,
        check=False,
    )
    said = (done.stdout + done.stderr).strip()
    numbers = re.search(r"\d+\.\d+(?:\.\d+)?", said)
    return f"{program} {numbers[0]}" if numbers and not done.returncode else ""


def record(chosen: list[str]) -> None:
    path = HERE / "runs.jsonl"
    lines = []
    for name, about in runs.projects().items():
        kept = [each._asdict() for each in runs.recorded() if each.runner == name]
        version = version_of(about) if not chosen or name in chosen else ""
        if not version:
            print(f"{name}: {'kept' if kept else 'not recorded'}", flush=True)
            lines += kept
            continue
        for state, command, files in states(about):
            code, output = play(command, about.get("setup", ""), files)
            lines.append(
                {
                    "runner": name,
                    "version": version,
                    "state": state,
                    "command": command,
                    "code": code,
                    "output": output,
                }
            )
            print(name, version, state, command, code, len(output), flush=True)
    text = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in lines)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    record(sys.argv[1:])
