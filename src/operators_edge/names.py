"""What the product's own files are called, and what tells an agent's shell.

Apart from ``model``, because it imports nothing.
"""

from __future__ import annotations

STATE_FILE = "active_context.yaml"
PROOF_DIR = ".proof"
HANDOFF_DIR = ".ai-handoff"

AGENT_MARKS = ("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "AI_AGENT", "OPENCODE", "CODEX_SANDBOX")
"""Variables that clients set in the shells they open for an agent: no person opened one that has any."""
