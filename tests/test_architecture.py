"""The contracts of ``.importlinter`` hold, and each of them notices a violation."""

import ast
import os
import shutil
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest

import operators_edge
from operators_edge import hook

ROOT = Path(operators_edge.__file__).parent
REPOSITORY = Path(__file__).parent.parent
LINT = os.path.join(os.path.dirname(sys.executable), "lint-imports")

LAYERS = "Hosts and commands above capabilities above ground"
CIRCLES = "No circle among the modules and packages of one folder"
FOLDERS = "A package for each capability, and few of them"
PURE = "Decisions are pure"

SEEDED = {
    LAYERS: {"gate/seeded.py": "def load():\n    from operators_edge.sessions import status\n"},
    CIRCLES: {
        "memory/one.py": "from operators_edge.memory import two\n",
        "memory/two.py": "def load():\n    from operators_edge.memory import one\n",
    },
    FOLDERS: {
        f"seeded_{number}/{name}.py": "" for number in range(29) for name in ("__init__", "x")
    },
    PURE: {"shell/seeded.py": "def run():\n    import subprocess\n"},
}


def broken_contracts(folder):
    done = subprocess.run(
        [LINT, "--no-cache"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONPATH": f"{folder / 'src'}{os.pathsep}{folder}"},
    )
    names = (LAYERS, CIRCLES, FOLDERS, PURE)
    broken = {name for name in names if f"{name} BROKEN" in done.stdout}
    assert broken | {name for name in names if f"{name} KEPT" in done.stdout} == set(names), done
    assert done.returncode == (1 if broken else 0)
    return broken


@pytest.fixture
def copy(tmp_path):
    """The sources and what lints them, to be changed."""
    shutil.copytree(ROOT, tmp_path / "src" / "operators_edge")
    for name in (".importlinter", "tests/__init__.py", "tests/contracts.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(REPOSITORY / name, tmp_path / name)
    return tmp_path


def test_the_tree_keeps_every_contract(copy):
    assert broken_contracts(copy) == set()


@pytest.mark.parametrize("contract", SEEDED, ids=("layers", "circles", "folders", "pure"))
def test_a_seeded_violation_breaks_its_contract(copy, contract):
    for name, text in SEEDED[contract].items():
        path = copy / "src" / "operators_edge" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert contract in broken_contracts(copy)


def sources():
    return sorted(path for path in ROOT.rglob("*.py"))


def test_every_module_says_what_it_owns():
    assert [path for path in sources() if not _begins_with_a_text(path)] == []


def _begins_with_a_text(path):
    """Whether the first thing in a module, after its comments, is a text that is not empty."""
    with path.open(encoding="utf-8") as file:
        tokens = tokenize.generate_tokens(file.readline)
        first = next(each for each in tokens if each.type not in (tokenize.COMMENT, tokenize.NL))
    return first.type == tokenize.STRING and bool(ast.literal_eval(first.string).strip())


def test_every_module_ends_with_the_line_without_which_it_is_not_run():
    cut = [path for path in sources() if not hook.is_whole(path.read_bytes())]
    assert cut == [], "end them with: # end of module"


def test_a_package_s_own_file_holds_nothing_but_its_docstring():
    files = [path for path in sources() if path.name == "__init__.py" and path.parent != ROOT]
    wrong = [path for path in files if len(ast.parse(path.read_text("utf-8")).body) != 1]
    assert wrong == []
