"""The shapes of compiled rules, for type checkers: no code imports this module when it runs.

Owns the types of what ``gate.pack_schema`` compiles and ``gate.rules`` loads. Does not own their checks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

if TYPE_CHECKING:
    from operators_edge.model import Effect

Condition = dict[str, Any]
"""One condition of a rule; ``pack_schema.WHEN_KEYS`` lists the keys and the shapes of their values."""

Candidate = tuple[int, Condition]
"""A condition with the number of its rule in ``Rules.rules``; a list of two in the cache."""


class Program(TypedDict, total=False):
    """How one program takes options and operands; ``pack_schema.PROGRAM_KEYS`` explains the keys."""

    names: list[str]
    abbreviates: bool
    style: str
    values: list[str]
    global_values: list[str]
    sub_values: dict[str, list[str]]
    help: list[str]
    help_first: bool
    sql: list[str]
    sql_from: int
    sql_stdin: bool
    sql_files: list[str]
    sql_file_from: int
    sql_includes: str
    code: list[str]
    code_from: int
    code_stdin: bool
    script: bool
    runs: list[str]
    modules: list[str]
    writes: str
    writes_if: list[str]
    write_options: list[str]
    write_operands: list[str]
    folder: list[str]
    scripts: list[str]
    operand_options: list[str]
    shell: bool
    unvouched: bool
    """The table is from the project's configuration, so it does not exempt the program from any rule."""


class Rule(TypedDict):
    """A compiled rule, without its conditions and examples."""

    id: str
    effect: Effect
    type: str
    reason: str
    instead: str
    pack: str
    loosenable: NotRequired[bool]
    destroys: NotRequired[bool]
    leads: NotRequired[bool]
    radius: NotRequired[str]
    subject: NotRequired[list[str]]
    note: NotRequired[str]
    origin: NotRequired[str]


class Tools(TypedDict):
    """What the host's tools do; the keys are explained in ``pack_schema.TOOL_KEYS``."""

    shell: dict[str, str]
    write: dict[str, str]
    allow: list[str]
    asks: list[str]
    shell_name: NotRequired[str]
    shell_arguments: list[str]
    write_name: NotRequired[str]
    write_arguments: list[str]
