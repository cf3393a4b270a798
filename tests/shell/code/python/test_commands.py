"""The functions of a Python program that the words of its command choose."""

from __future__ import annotations

import pytest
from tests.shell.code.python.test_trace import left, traced

CLI = """
import argparse, os
def show(a):
    print(a)
def drop(a):
    if not a.dry:
        os.remove(a.name)
def main():
    p = argparse.ArgumentParser()
    s = p.add_subparsers()
    one = s.add_parser("show")
    one.set_defaults(run=show)
    two = s.add_parser("drop")
    two.add_argument("name")
    two.add_argument("--dry", action="store_true")
    two.set_defaults(run=drop)
    a = p.parse_args()
    a.run(a)
main()
"""
CLICK = """
import click, os
@click.group()
@click.pass_context
def cli(ctx):
    ctx.obj = "kept"
@cli.command()
def show():
    print(1)
@cli.command("drop")
@click.argument("name")
@click.option("--dry/--no-dry", default=False)
@click.pass_obj
def remove(obj, name, dry):
    if not dry:
        os.remove(name)
cli()
"""
TYPER = """
import os, typer
app = typer.Typer()
@app.command()
def show():
    print(1)
@app.command("drop")
def remove(name: str, dry: bool = False):
    if not dry:
        os.remove(name)
app()
"""


@pytest.mark.parametrize("program", [CLI, CLICK, TYPER], ids=["argparse", "click", "typer"])
@pytest.mark.parametrize(
    ("words", "is_left"),
    [
        (("x.py", "drop", "a"), True),
        (("x.py", "drop", "a", "--dry"), False),
        (("x.py", "show"), False),
        (None, True),
    ],
    ids=["drop", "dry", "show", "unknown"],
)
def test_the_words_of_the_command_choose_what_runs(program, words, is_left):
    found = traced({"x.py": program}, words)
    assert ("os.remove" in "\n".join(left(found))) == is_left
