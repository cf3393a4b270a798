"""The file that a client runs for its status line. Its path stands in settings, so it stays where it is.

Finds the package and hands over to ``reports.status_line_service``. It never fails: a client would show a
traceback, or nothing at all.
"""

import sys


def main(words: "list[str]") -> int:
    """Print the line; returns the exit code."""
    try:
        from operators_edge.reports import status_line_service  # noqa: PLC0415 - it may be missing

        return status_line_service.run(words)
    except Exception as error:  # noqa: BLE001 - see the module
        print(f"edge: not read ({type(error).__name__})")
        return 0


if __name__ == "__main__":
    if sys.flags.no_site:
        here = __file__.replace("\\", "/")
        sys.path.append(here.rpartition("/")[0].rpartition("/")[0])
    sys.exit(main(sys.argv[1:]))

# end of module
