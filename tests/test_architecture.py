"""The direction of imports, read from the source; and that the reading would notice a wrong one."""

import ast
import os

import operators_edge

ROOT = os.path.dirname(operators_edge.__file__)

LAYERS = [
    {"model", "names", "homes", "errors", "__init__"},
    {"core"},
    {"store", "system"},
    {"project"},
    {
        "guard",
        "decisions",
        "sessions",
        "recovery",
        "tampering",
        "cards",
        "intent",
        "migration",
        "checking",
        "judgement",
        "rerunning",
        "gating",
        "archiving",
        "pruning",
        "scoring",
        "engine",
        "dispatch",
        "switching",
        "evaluating",
        "dreaming",
        "researching",
        "brainstorming",
        "patrolling",
        "recalling",
        "outcomes",
    },
    {"status"},
    {"hosts"},
    {"asking", "resident"},
    # A typed line is carried out by the command of the same name, so the hook reaches the command line.
    {"hook", "answering", "cli", "__main__"},
]
OUTSIDE_OF_CORE = {"subprocess", "time", "random", "secrets", "tempfile", "shutil", "threading"}


def sources():
    for folder, _, names in os.walk(ROOT):
        for name in names:
            if name.endswith(".py"):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    yield os.path.relpath(path, ROOT), file.read()


def imports(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            if node.module == "operators_edge":
                yield from (f"operators_edge.{alias.name}" for alias in node.names)
            else:
                yield str(node.module)


def layer(part):
    return next(number for number, parts in enumerate(LAYERS) if part in parts)


def violations(path, text):
    own = layer(path.split(os.sep)[0].removesuffix(".py"))
    for name in imports(text):
        words = name.split(".")
        if words[0] == "operators_edge" and len(words) > 1 and not words[1].startswith("__"):
            if layer(words[1]) > own:
                yield f"{path} imports {name}"
        elif own == 1 and words[0] in OUTSIDE_OF_CORE:
            yield f"{path} imports {name}, and core is pure"


def test_every_module_imports_only_from_its_own_layer_and_those_below():
    found = [each for path, text in sources() for each in violations(path, text)]
    assert found == []


def test_a_wrong_import_would_be_noticed():
    assert list(violations("core/x.py", "from operators_edge.storage import files"))
    assert list(violations("store/x.py", "import operators_edge.sessions.tool_call"))
    assert list(violations("core/x.py", "def f():\n    import subprocess"))
    assert not list(
        violations("sessions/tool_call.py", "from operators_edge.gate import decide as gate")
    )


def test_every_module_says_what_it_owns():
    missing = [path for path, text in sources() if not ast.get_docstring(ast.parse(text))]
    assert missing == []
