"""An inventory of Ansible that has this machine alone, and the settings that name it.

``localhost ansible_connection=local`` in each group: a play for such a group works here. Owns reading both
files, as far as all of them is known. Pure: texts in. Does not own playbooks (``gate.disk.local_playbooks``).
"""

from __future__ import annotations

import configparser
import re

from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple


class Inventory(NamedTuple):
    """The groups of an inventory, and the variables that it gives."""

    groups: frozenset[str]
    variables: dict[str, str]


_HOSTS = frozenset(("localhost", "127.0.0.1"))
_SECTION = pattern(r"\[([\w.-]+)(?::(vars|children))?\]")
_PAIR = pattern(r"([A-Za-z_]\w*)\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"']*)")
_GIVEN = pattern(rf"(?:\s+{_PAIR.pattern})*\s*")
_OF_CONNECTION = pattern(
    r"ansible_connection=local|ansible_python_interpreter=[\w./-]*python[\d.]*"
)
_PLAIN = pattern(
    r"host_key_checking|retry_files_enabled|nocows|deprecation_warnings|system_warnings|gathering|forks|timeout"
    r"|display_\w+|force_color|localhost_warning|any_errors_fatal|bin_ansible_callbacks"
)
"""Settings that change nothing of what a play does, or where."""
_CALLBACKS = frozenset(
    ("yaml", "default", "debug", "minimal", "oneline", "unixy", "json", "community.general.yaml")
)


_EITHER = "{{ }}"
"""A value that depends on which of two groups counts."""


def settings(text: str) -> dict[str, str] | None:
    """The inventory and the folders of roles that ``ansible.cfg`` names; None if it says anything else."""
    parser = configparser.RawConfigParser(inline_comment_prefixes=(";",))
    try:
        parser.read_string(text)
    except configparser.Error:
        return None
    found = dict(parser.items("defaults")) if parser.has_section("defaults") else {}
    named: dict[str, str] = {
        key: found.pop(key) for key in ("inventory", "roles_path") if key in found
    }
    is_plain = set(parser.sections()) <= {"defaults"} and not parser.defaults()
    is_plain &= found.pop("stdout_callback", "default") in _CALLBACKS
    is_plain &= found.pop("interpreter_python", "auto").startswith("auto")
    is_plain &= all(_PLAIN.fullmatch(key) for key in found)
    is_plain &= all(re.fullmatch(r"[\w./:-]+", one) for one in named.values())
    return named if is_plain else None


def inventory(text: str) -> Inventory | None:
    """What an inventory says; None if it has another machine, or a line that is not known."""
    groups, variables = {"all"}, dict[str, str]()
    name, kind = "ungrouped", ""
    for line in text.split("\n"):
        plain = re.sub(r"(?:^|\s)[#;].*", "", line).strip()
        if not plain:
            continue
        if section := _SECTION.fullmatch(plain):
            name, kind = section[1], section[2] or ""
            groups.add(name)
        elif kind == "children":
            groups.add(plain)
        else:
            host, _, rest = (plain if not kind else f"- {plain}").partition(" ")
            pairs = [(key, value.strip("\"'")) for key, value in _PAIR.findall(rest)]
            of_connection = {f"{k}={v}" for k, v in pairs if k.startswith("ansible_")}
            is_here = bool(kind) or (host in _HOSTS and "ansible_connection=local" in of_connection)
            is_known = _GIVEN.fullmatch(f" {rest}" if rest else "") is not None
            if not (is_here and is_known and all(map(_OF_CONNECTION.fullmatch, of_connection))):
                return None
            for key, value in pairs:
                if not key.startswith("ansible_"):
                    is_sure = variables.get(key, value) == value
                    variables[key] = value if is_sure else _EITHER
    return Inventory(frozenset(groups), variables)


# end of module
