"""What a recovery after a crash did, until somebody was shown it.

Every command looks here, so it imports little. Does not own the recovery (``state.transaction``).
"""

from __future__ import annotations

import os

from operators_edge import jsons
from operators_edge.locations import PROOF_DIR
from operators_edge.storage import files


def leave(root: str, ident: str, text: str) -> None:
    """Keep a sentence for the next one who looks; once for each transaction."""
    path = _path(root)
    files.ensure_private_dir(os.path.dirname(path))
    files.write_durable(path, jsons.dumps(_read(path) | {ident: text}).encode())


def take(root: str) -> list[str]:
    """Notices of recoveries that were not shown yet, a sentence each; each is shown once."""
    path = _path(root)
    if not os.path.lexists(path):
        return []
    texts = _read(path)
    try:
        os.unlink(path)
    except FileNotFoundError:
        return []  # another process shows it
    except OSError:
        return list(texts.values())  # better shown twice
    return list(texts.values())


def _path(root: str) -> str:
    return os.path.join(root, PROOF_DIR, "cache", "recovered.json")


def _read(path: str) -> dict[str, str]:
    try:
        kept = jsons.loads(files.read_bytes(path) or b"{}")
    except ValueError:
        return {}
    return {str(k): str(v) for k, v in kept.items()} if isinstance(kept, dict) else {}


# end of module
