"""``python -m operators_edge``: the ``edge`` command."""

import sys

from operators_edge.cli.main import main

sys.exit(main())
