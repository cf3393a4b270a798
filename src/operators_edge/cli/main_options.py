"""The options that every ``edge`` command takes."""

from __future__ import annotations

import argparse


def common() -> argparse.ArgumentParser:
    """A parent parser: ``--json`` and ``--project DIR``."""
    parent = argparse.ArgumentParser(add_help=False)
    parent.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parent.add_argument("--project", metavar="DIR", help="the project, instead of the one found here")
    return parent
