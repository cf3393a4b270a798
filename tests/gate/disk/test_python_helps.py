"""A program that shows its help runs nothing else, and words that only look so run it."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

SEND = "import requests\ndef send():\n    requests.delete('https://a.example.com/all')\n"
CLICK = (
    f"{SEND}import click\n@click.group()\ndef cli():\n    %s\n@cli.command(%s)\n"
    "@click.argument('n', nargs=-1)\ndef go(n):\n    send()\ncli()\n"
)
TYPER = (
    f"{SEND}import typer\napp = typer.Typer()\n@app.command()\ndef go(n: str):\n    send()\n"
    "@app.command()\ndef no():\n    pass\napp()\n"
)
WORDS = f"{SEND}import argparse\np = argparse.ArgumentParser(%s)\n%s\nsend()\n"
PARSE = "p.add_argument('n')\np.parse_args()"
CASES = [
    ("go --help", CLICK % ("pass", ""), "allow"),
    ("--help", CLICK % ("pass", ""), "allow"),
    ("go --help", CLICK % ("send()", ""), "junction"),
    ("go -- --help", CLICK % ("pass", ""), "junction"),
    ("go --help", CLICK % ("pass", "add_help_option=False"), "junction"),
    ("go -h", CLICK % ("pass", ""), "junction"),
    ("go --help", TYPER, "allow"),
    ("go x", TYPER, "junction"),
    ("no", TYPER, "allow"),
    ("-h", WORDS % ("", PARSE), "allow"),
    ("--help", WORDS % ("add_help=False", f"p.add_argument('--help')\n{PARSE}"), "junction"),
    ("--help", WORDS % ("", "try:\n    p.parse_args()\nexcept SystemExit:\n    pass"), "junction"),
    ("--version", WORDS % ("", f"p.add_argument('--version', action='version')\n{PARSE}"), "allow"),
    (
        "--version x",
        WORDS % ("", f"p.add_argument('--version', action='store_true')\n{PARSE}"),
        "junction",
    ),
]


@for_each(("words", "text", "effect"), CASES)
def test_help_ends_a_program_where_its_parser_does(words, text, effect):
    found = judged(f"python x.py {words}", {"x.py": text}, committed=("x.py",))
    assert found.effect == effect


def test_reading_the_words_prints_nothing(capsys):
    judged("python x.py --help", {"x.py": WORDS % ("", PARSE)}, committed=("x.py",))
    assert capsys.readouterr().out == ""


# end of module
