"""Recognising files and settings that versions before 4 wrote: by name and by content.

Pure. A file that only has such a name belongs to someone else. Does not own what is done with a file
(``migration.migrate``).
"""

from __future__ import annotations

import re

_MODULES = re.compile(
    r"""active_intervention|archive_utils|audit_utils|auto_checkpoint|brainstorm_utils|clickup_utils
    |codebase_knowledge|context_(?:compressor|monitor|utils)|course_correction|discovery_(?:config|scanner)
    |dispatch_(?:config|hook|utils)|drift_detector|edge_(?:config|protocol|skill_hook|utils)
    |effectiveness_analyzer|eval_utils|feedback_loop|fix_outcomes|fork_(?:config|indexer|skill_hook|utils)
    |gear_(?:active|config|dream|engine|patrol)|intent_engine|junction_utils|learning_loop
    |lesson_(?:schema|utils)|memory_utils|metrics_(?:cli|utils)|obligation_utils|orchestration_utils
    |outcome_tracker|pattern_(?:engine|metrics|recognition)|plan_mode|post_tool|pre_tool|proof_utils
    |prune_skill_hook|quality_gate|reflection_utils|research_utils|review_(?:context|prompt|schema)
    |rules_engine|scorecard_utils|scout_(?:config|scanner)|self_clarify|session_(?:handoff|metrics|start)
    |show_metrics|smart_(?:read|suggestions)|state_utils|stop|stop_gate|transaction_utils
    |verification_utils|yolo_config""",
    re.VERBOSE,
)
_GENERIC = re.compile(
    "plan_mode|post_tool|pre_tool|quality_gate|rules_engine|session_start|stop|feedback_loop"
)
"""Names that any project may use for its own modules: importing one proves nothing."""

_COMMANDS = re.compile(
    r"""edge(?:-(?:adapt|brainstorm|eval|fork|graduate|loop|mismatch|plan|prune|research|research-results
    |review|score|step|verify|yolo))?\.md""",
    re.VERBOSE,
)
_OTHER_NAMES = ("test_all_hooks_importable.py", "test_objective_flow.py", "guidance_config.yaml")
_SIGNED = re.compile("operator['\u2019]s edge", re.IGNORECASE)
_IMPORTS = re.compile(r"^\s*(?:from|import)\s+(\w+)", re.MULTILINE)
_RUNS = re.compile(r"\.claude[/\\]+hooks[/\\]+(?:[\w.-]+[/\\]+)*([\w.-]+\.py)")
_OUR_MARK = "<!-- operators-edge -->"


def is_hook_file(name: str, text: str) -> bool:
    """Whether an older version wrote this file of ``.claude/hooks``."""
    module = name.removesuffix(".py").removeprefix("test_")
    is_known = name in _OTHER_NAMES or (name.endswith(".py") and bool(_MODULES.fullmatch(module)))
    return is_known and (bool(_SIGNED.search(text)) or bool(uses_modules(text)))


def uses_modules(text: str) -> tuple[str, ...]:
    """The modules of older versions that a Python source imports."""
    found = (name for name in imports(text) if _MODULES.fullmatch(name))
    return tuple(name for name in found if not _GENERIC.fullmatch(name))


def imports(text: str) -> tuple[str, ...]:
    """The top-level modules that a Python source imports, each once."""
    return tuple(dict.fromkeys(_IMPORTS.findall(text)))


def is_command_file(name: str, text: str) -> bool:
    """Whether an older version wrote this file of ``.claude/commands``, and not this one or a person."""
    if not _COMMANDS.fullmatch(name) or _OUR_MARK in text:
        return False
    return bool(_SIGNED.search(text)) or "active_context.yaml" in text


def hook_run_by(entry: object) -> str:
    """The name of the file of ``.claude/hooks`` that a settings entry runs; "" for any other entry."""
    if not isinstance(entry, dict):
        return ""
    args = entry.get("args")
    words = [entry.get("command"), *(args if isinstance(args, list) else [])]
    found = _RUNS.search(" ".join(str(word) for word in words))
    return found[1] if found else ""


def is_known_hook(name: str) -> bool:
    """Whether a hook whose file is missing has a name of older versions."""
    return name.endswith(".py") and bool(_MODULES.fullmatch(name.removesuffix(".py")))


# end of module
