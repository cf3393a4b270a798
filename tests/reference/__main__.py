"""``python -m tests.reference FOLDER``: the sources of the documentation site, for ``make docs``."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.reference.site import assemble

if __name__ == "__main__":
    assemble(Path(sys.argv[1]))
