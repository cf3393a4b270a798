"""Secrets in what clients say to servers: mail, files, chat and stores of keys.

Does not own HTTP (``redaction.headers``). Pure.
"""

from __future__ import annotations

from operators_edge.redaction.place import is_no_argument, is_unlikely, is_word, never, place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.redaction.place import Look


# fmt: off
PLACES: tuple[tuple[tuple[str, ...], Look], ...] = (
    (("\npass ",), place(r"\n(?:PASS|Pass) (?P<value>[^\s]{6,128})[ \t\r]*(?=\n|\Z)", "", "command", unless=is_no_argument)),
    (("login ",), place(
        r"LOGIN [\"']?[\w.@-]{1,64}[\"']? [\"']?(?P<value>[^\s\"']{6,128})[\"']?[ \t\r]*(?=[\n\\\"'}\],]|\Z)", "", "command", unless=is_unlikely)),
    (("auth plain ", "auth login ", "auth xoauth2 ", "authenticate plain ", "auth external "), place(
        r"(?i)\w{4,12} \w{5,8} (?P<value>[A-Za-z0-9+/]{12,2048}={0,2})[ \t\r]*(?=\n|\Z|[\"'])", "", "command", unless=is_word)),
    (("334 ugfzc3dvcmq6", "334 vxnlcm5hbwu6"), place(
        r"334 \w{11}6\r?\n(?:[CS<>*~-]{1,4}:? )?(?P<value>[A-Za-z0-9+/]{4,512}={0,2})(?=[\r\n]|\Z)", "", "command", unless=never)),
    (("> auth ", "] auth ", '"auth ', "'auth ", "\nauth "), place(
        r"(?:[>\]] |[\"'\n])AUTH (?:\w+ )?[\"']?(?P<value>[^\s\"']{6,512})[\"']?[ \t\r]*(?=[\n\"'\\]|\Z)", "redis", "command", unless=is_word)),
    (("nickserv ", "nickserv:", "nickserv@", "chanserv ", "chanserv:", "chanserv@", "identify "), place(
        r"(?i)(?:(?:nick|chan)serv[\w.@]{0,64}(?: |:|: | :){1,2})?(?:IDENTIFY|REGISTER|GHOST|RECOVER|RELEASE|REGAIN)(?:(?<!REGISTER) (?!-)[\w\[\]`^{}|#-]{1,32}(?= +[^\s]))? +(?!-)(?P<value>[^\s\"']{5,128})", "irc", "command", unless=is_unlikely)),
    (("oper ",), place(r"(?:(?<=[\s/>:\"'])|\A)(?:OPER|oper) [\w.-]{1,32} (?P<value>[^\s\"']{5,128})[ \t\r]*(?=[\n\"'\\]|\Z)", "irc", "command", unless=is_no_argument)),
    (("> pass ", "] pass ", ": pass ", "< pass "), place(r"[>\]:<] PASS :?(?P<value>[^\s\"']{5,128})[ \t\r]*(?=[\n\"'\\]|\Z)", "", "command", unless=is_no_argument)),
)
# fmt: on

# end of module
