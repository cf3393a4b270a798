"""Secrets in SQL: passwords of users, keys of functions, and rows that are inserted.

Does not own the columns of such rows (``redaction.columns``). Pure.
"""

from __future__ import annotations

from operators_edge.redaction.columns import copied, inserted
from operators_edge.redaction.place import QUOTED, is_no_argument, is_word, place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.redaction.place import Look


# fmt: off
PLACES: tuple[tuple[tuple[str, ...], Look], ...] = (
    (("pgp_sym_", "aes_encrypt(", "aes_decrypt(", "encryptbypassphrase(", "decryptbypassphrase(", "des_encrypt("), place(
        r"(?i)(?:\w{10,16}\((?:[^()\n'\"]|\([^()\n]{0,80}\)|'[^'\n]{0,128}'(?= ?,)){0,200}?,[ \n]{0,8}|\w{7}bypassphrase\(\s{0,4})N?['\"](?P<value>[^'\"\n]{3,128})['\"]", "", "command", unless=is_no_argument)),
    (("pragma key", "pragma rekey", "pragma hexkey"), place(
        r"(?i)pragma (?:re|hex)?key\s?[=(]\s?\\{0,2}[\"']{1,2}(?:x')?(?P<value>[^\"'\n]{3,256})[\"']", "", "command")),
    (("identified by", "identified with", "password '", 'password "', "password \\"), place(
        r"""(?i)(?:identified (?:by|with)(?: [\w.]{1,40} (?:by|as))?|password)[ \t]+(?:password |values? )?\\{0,4}["'](?P<value>[^"'\n\\]{3,256}+)"""
        r"""(?!["'] (?!with\b|default|account|require|password|temporary|quota|profile|and\b|valid|login|create|no|for|using|replace|container|retain|discard)[a-z])""",
        "", "command")),
    (("identified by",), place(r"(?i)identified by (?P<value>[^\s\"';,()]{4,128})(?=[\s;]|\Z)", "", "command", unless=is_no_argument)),
    (("sp_addlogin", "sp_password", "sp_addlinkedsrvlogin"), place(
        r"(?i)sp_\w{8,18} [^\n;]{0,120}?N?'[^'\n]{0,64}', ?N?'(?P<value>[^'\n]{4,128})'", "", "command", unless=is_word)),
    (("password 'auth' ", 'password "auth" '), place(r"(?i)password \W\w{4}\W (?P<value>[^\s]{4,128})", "", "command", unless=is_word)),
    (("insert into", "replace into"), inserted),
    (("copy ",), copied),
    (("set value", "set config_value", "set option_value", "set setting_value"), place(
        rf"(?i)set \w{{0,16}}value *= *'(?P<value>{QUOTED})'[^\n;]{{0,40}}? where [\w.`\"]{{1,40}} *= *'[\w.:/-]{{0,60}}(?:passw|secret|token|api[._-]?key)\w{{0,10}}'", "", "name")),
)
# fmt: on

# end of module
