"""``python -m operators_edge.web PORT [PROJECT]``: the dashboard, as ``web.control`` starts it."""

from __future__ import annotations

import sys

from operators_edge.web.run import main

if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""))

# end of module
