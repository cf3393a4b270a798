"""Paths that the product works out from where its own files lie."""

import os

import operators_edge
from operators_edge.config import layers, own_rules, schema
from operators_edge.gate import (
    credential_words,
    pack_compiler,
    pack_schema,
    rules,
    secret_files,
    verbs,
)
from operators_edge.gate.decide import assess
from operators_edge.gate.facts import SystemFacts, place
from operators_edge.model import Call
from operators_edge.shell import wrapper_table
from operators_edge.system import processes

PACKAGE = os.path.dirname(os.path.realpath(operators_edge.__file__))


def test_the_whole_package_is_the_products_own(tmp_path):
    assert PACKAGE in place(str(tmp_path), os.environ).own


def test_no_file_of_the_package_may_be_written(tmp_path):
    here = place(str(tmp_path), os.environ)
    for folder, _, names in os.walk(PACKAGE):
        for name in names[:1]:
            path = os.path.join(folder, name)
            call = Call("Write", {"file_path": path, "content": ""}, str(tmp_path))
            assert assess(call, here, SystemFacts(), rules.load()).effect == "block", path


def test_the_hook_that_clients_run_is_the_packages_own():
    assert processes.own_program()[1] == os.path.join(
        os.path.dirname(os.path.abspath(operators_edge.__file__)), "hook.py"
    )
    assert os.path.isfile(processes.own_program()[1])


def test_a_change_of_a_pack_or_of_what_compiles_it_makes_compiled_rules_stale():
    listed = rules.source_files()
    compiling = (layers, own_rules, schema, pack_compiler, pack_schema, wrapper_table)
    compiling += (credential_words, secret_files, verbs)  # words that become trigger words
    assert {each.__file__ for each in compiling} <= set(listed)
    packs = [name for name in os.listdir(rules.PACKS) if name.endswith(".toml")]
    assert {os.path.join(rules.PACKS, name) for name in packs} <= set(listed)
    assert "git.toml" in packs
    assert [path for path in listed if not os.path.isfile(path)] == []


OPEN = ("gate", "shell", "text", "redaction", "errors", "model")
"""What only computes: an agent's Python may use it."""


def modules():
    for folder, _, names in os.walk(PACKAGE):
        for name in names:
            if name.endswith(".py"):
                parts = os.path.relpath(os.path.join(folder, name[:-3]), PACKAGE).split(os.sep)
                yield [each for each in parts if each != "__init__"]


def test_an_agents_python_reaches_none_of_the_modules_that_decide_or_write(tmp_path):
    here = place(str(tmp_path), os.environ)
    for parts in filter(None, modules()):
        name = ".".join(parts)
        above, _, last = f"operators_edge.{name}".rpartition(".")
        for code in (f"import operators_edge.{name}", f"from {above} import {last} as x"):
            call = Call("Bash", {"command": f'python -c "{code}"'}, str(tmp_path))
            effect = assess(call, here, SystemFacts(), rules.load()).effect
            assert (effect == "allow") is (parts[0] in OPEN), code
