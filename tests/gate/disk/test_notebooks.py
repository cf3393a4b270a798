"""The cells of a notebook are judged as the program that they are, with the given parameters."""

from __future__ import annotations

import json

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

from operators_edge.gate.disk import notebooks


def notebook(*cells):
    """A notebook; the first cell holds its parameters."""
    return json.dumps(
        {
            "cells": [
                {
                    "cell_type": "code",
                    "metadata": {"tags": [] if number else ["parameters"]},
                    "source": text.splitlines(keepends=True),
                }
                for number, text in enumerate(cells)
            ]
        },
        indent=1,
    )


SENDS = "import requests\nif send:\n    requests.post('https://shop.example.com/orders')\nelse:\n    print(1)"
OFF = notebook("send = False", SENDS)
WIPES = notebook("x = 1", "!kubectl delete ns shop")
CASES = [
    ("papermill a.ipynb b.ipynb -p send True", OFF, "junction"),
    ("papermill a.ipynb b.ipynb -p send False", OFF, "allow"),
    ("papermill a.ipynb b.ipynb -p send maybe", OFF, "junction"),
    (
        "papermill a.ipynb b.ipynb -p send False",
        notebook("send = False", f"send = 1\n{SENDS}"),
        "junction",
    ),
    (
        "papermill a.ipynb b.ipynb -p send False",
        notebook("", f"globals()['send'] = 1\n{SENDS}"),
        "junction",
    ),
    ("jupyter execute a.ipynb", WIPES, "junction"),
    ("jupyter nbconvert --to notebook --execute a.ipynb", WIPES, "junction"),
    ("jupyter nbconvert --to html a.ipynb", WIPES, "allow"),
    ("jupyter execute a.ipynb", notebook("", "%%bash\nkubectl delete ns shop"), "junction"),
    (
        "jupyter execute a.ipynb",
        notebook("%matplotlib inline", "print('kubectl delete ns shop')"),
        "allow",
    ),
    ("jupyter execute a.ipynb", "{", "allow"),
]


@for_each(("command", "text", "effect"), CASES)
def test_what_the_cells_of_a_notebook_do_counts(command, text, effect):
    assert judged(command, {"a.ipynb": text}, committed=("a.ipynb",)).effect == effect


def test_a_finding_names_the_line_of_the_notebook():
    verdict = judged("jupyter execute a.ipynb", {"a.ipynb": WIPES}, committed=("a.ipynb",))
    number = next(n for n, line in enumerate(WIPES.split("\n"), 1) if "kubectl" in line)
    assert verdict.findings[0].source == f"a.ipynb:{number}"


def test_parameters_are_written_as_python_writes_them():
    words = ["papermill", "a", "b", "-p", "n", "3", "-r", "s", "3", "-p", "t", "it's"]
    assert notebooks.parameters(words) == {"n": "3", "s": "'3'", "t": '"it\'s"'}


# end of module
