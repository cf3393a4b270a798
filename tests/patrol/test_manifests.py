"""Files of a project that say different things about one version."""

import json

import pytest
from tests.tables import for_each

from operators_edge.patrol.manifests import inconsistencies

PYPROJECT = '[project]\nname = "x"\nversion = "1.2.0"\nrequires-python = ">=3.10"\n'
WORKFLOW = ".github/workflows/test.yml"


def of(texts):
    return [each.title for each in inconsistencies(texts)]


@pytest.mark.parametrize(
    ("texts", "title"),
    [
        (
            {"pyproject.toml": PYPROJECT, "src/x/__init__.py": '__version__ = "1.1.0"\n'},
            "src/x/__init__.py says version 1.1.0, pyproject.toml says 1.2.0",
        ),
        (
            {"setup.py": 'setup(\n    version="2.0",\n)', "x/_version.py": "__version__ = '2.1'"},
            "x/_version.py says version 2.1, setup.py says 2.0",
        ),
        (
            {
                "pyproject.toml": PYPROJECT
                + 'classifiers = ["Programming Language :: Python :: 3.8"]'
            },
            "pyproject.toml requires Python 3.10 and lists 3.8 as supported",
        ),
        (
            {"pyproject.toml": PYPROJECT, WORKFLOW: 'python-version: ["3.9", "3.10"]\n'},
            f"{WORKFLOW} tests Python 3.9, pyproject.toml requires 3.10",
        ),
        (
            {"setup.cfg": "[options]\npython_requires = >=3.8\n", "tox.ini": "envlist = py36,py38"},
            "tox.ini tests Python 3.6, setup.cfg requires 3.8",
        ),
        (
            {"pyproject.toml": PYPROJECT, ".python-version": "3.9.1\n"},
            ".python-version is 3.9, pyproject.toml requires 3.10",
        ),
        (
            {"package.json": '{"version": "2.0.0"}', "package-lock.json": '{"version": "1.9.0"}'},
            "package.json is 2.0.0, package-lock.json 1.9.0",
        ),
        (
            {
                "package.json": json.dumps({"dependencies": {"a": "^2", "b": "^1"}}),
                "package-lock.json": json.dumps(
                    {"packages": {"": {"dependencies": {"a": "^1", "b": "^1"}}}}
                ),
            },
            "package-lock.json does not have a as package.json wants it",
        ),
        (
            {
                "package.json": '{"engines": {"node": ">=18"}}',
                WORKFLOW: "node-version: [16, 18.x, 20]",
            },
            f"{WORKFLOW} tests Node 16, package.json requires 18",
        ),
        (
            {"package.json": '{"engines": {"node": ">=18"}}', ".nvmrc": "v16\n"},
            ".nvmrc is 16, package.json requires 18",
        ),
        (
            {
                "Cargo.toml": '[package]\nname = "x"\nversion = "0.3.0"\n',
                "Cargo.lock": '[[package]]\nname = "x"\nversion = "0.2.0"\n',
            },
            "Cargo.toml is 0.3.0, Cargo.lock 0.2.0",
        ),
    ],
)
def test_a_difference_is_found_and_named(texts, title):
    assert of(texts) == [title]


@for_each(
    "texts",
    [
        {},
        {"pyproject.toml": PYPROJECT, "src/x/__init__.py": '__version__ = "1.2.0"\n'},
        {
            "pyproject.toml": '[project]\ndynamic = ["version"]\n',
            "x/__init__.py": '__version__ = "1"',
        },
        {"pyproject.toml": PYPROJECT, WORKFLOW: 'python-version: ["3.10", "3.13"]\n'},
        {"pyproject.toml": PYPROJECT, "tests/data/__init__.py": '__version__ = "0.1"'},
        {"pyproject.toml": "not toml [", "package.json": "{", "package-lock.json": "[1]"},
        {"package.json": '{"version": "2.0.0"}'},
        {"package.json": '{"engines": {"node": ">=18"}}', WORKFLOW: "node-version: ['18.x', 22]"},
        {"package.json": '{"engines": "node"}', "package-lock.json": '{"packages": {"": 1}}'},
        {"package.json": '{"dependencies": []}', "package-lock.json": '{"packages": {"": {}}}'},
        {"Cargo.toml": "[workspace]\n", "Cargo.lock": "package = 1\n"},
        {
            "Cargo.toml": '[package]\nname = "x"\nversion = "0.3.0"\n',
            "Cargo.lock": '[[package]]\nname = "x"\nversion = "0.2.0"\nsource = "registry"\n',
        },
    ],
)
def test_what_agrees_or_cannot_be_read_is_no_finding(texts):
    assert of(texts) == []
