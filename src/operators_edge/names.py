"""What the product's own files in a project are called. Apart from ``model``, because it imports nothing."""

from __future__ import annotations

STATE_FILE = "active_context.yaml"
PROOF_DIR = ".proof"
HANDOFF_DIR = ".ai-handoff"
