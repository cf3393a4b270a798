"""Tokens of services whose form no row of ``token_table`` can say: known by their middle, end or neighbours.

Owns those forms only. Pure; each pattern reaches a bounded number of signs.
"""

from __future__ import annotations

from operators_edge.redaction.finding import Finding
from operators_edge.redaction.place import is_hex_or_place, is_no_output, never, place
from operators_edge.redaction.randomness import is_random
from operators_edge.redaction.scanner import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.redaction.place import Look

_ACCESSOR = r"(?i)accessor|role[_ -]?id|nomad|consul|vault"

_ID_OF_ACL = r"(?i)secret[_ ]?id[\"']?[\s:=|]{1,24}[\"']?(?P<value>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"


def _acl_secret(text: str, at: int, end: int) -> Iterator[Finding]:
    """The id that opens: beside that of its accessor, or of the role that it is for."""
    found = pattern(_ID_OF_ACL).match(text, at)
    if found is not None and pattern(_ACCESSOR).search(text, max(0, at - 300), end + 300):
        yield Finding(*found.span("value"), "vault", "name")


_GEM_KEY = r"\n:(?P<name>\w{1,40}): (?P<value>[0-9a-f]{32,64}|\w{24,80})(?=\s|\Z)"


def _gem_credentials(text: str, at: int, _end: int) -> Iterator[Finding]:
    """The keys of servers of gems: a file of nothing but symbols and keys."""
    found = pattern(_GEM_KEY).match(text, at + 3)
    while found is not None:
        if is_random(found["value"]):
            yield Finding(*found.span("value"), "rubygems", "format")
        found = pattern(_GEM_KEY).match(text, found.end())


_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"

_TOKEN_OF_ACL = (
    r"(?:initial_management|agent(?:_recovery|_master)?|default|replication|master|dns|config_file_service_registration)"
    rf"[\"']?[ \t]{{0,16}}[:=][ \t]{{0,4}}[\"']?(?P<value>{_UUID})"
)


def _acl_tokens(text: str, _at: int, end: int) -> Iterator[Finding]:
    """The tokens of an agent of Consul, each behind what it is for."""
    begin = text.find("tokens", end, end + _LONGEST_BLOCK)
    stop = text.find("}", begin, begin + _LONGEST_BLOCK)
    stop = stop if stop >= 0 else begin + _LONGEST_BLOCK
    for found in pattern(_TOKEN_OF_ACL).finditer(text, begin, stop) if begin >= 0 else ():
        yield Finding(*found.span("value"), "consul", "name")


_LONGEST_BLOCK = 600

# fmt: off
PLACES: tuple[tuple[tuple[str, ...], Look], ...] = (
    (("eyj",), place(
        r"(?<![\w-])(?P<value>eyJ[\w-]{8,4096}+\.eyJ[\w-]{2,4096}+(?:\.[\w-]{0,4096}+)?)", "jwt", "format", unless=never)),
    (("sk-",), place(
        r"(?<![A-Za-z0-9-])(?P<value>sk-(?:[A-Za-z0-9]{20,2048}|(?:proj|ant|svcacct|admin|or|live|test)-[\w-]{10,2048}))",
        "api-key", "vendor")),
    (("q~",), place(r"[\w~.-]{0,196}?(?<![\w~.])(?P<value>[\w~.]{3}\d[qQ]~[\w~.-]{31,40})", "azure", "format", before=r"\w~.")),
    (("azdo",), place(r"(?P<value>[A-Za-z0-9]{70,80}AZDO[A-Za-z0-9]{4})", "azure-devops", "format", before="A-Za-z0-9")),
    (("jqqj99",), place(r"(?P<value>[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{20,30})", "azure-openai", "format", before="A-Za-z0-9")),
    (("+acr",), place(r"(?P<value>[A-Za-z0-9]{42}\+ACR[A-Za-z0-9]{6})", "azure-registry", "format", before="A-Za-z0-9")),
    ((":fx",), place(r"(?P<value>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:fx)\b", "deepl", "format", before="0-9a-f-")),
    ((".atlasv1.",), place(
        r"(?P<value>[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,80})", "terraform", "format", before="A-Za-z0-9")),
    ((":aa",), place(r"\d{0,8}?(?P<value>\d{8,10}:AA[\w-]{32,35})(?![\w-])", "telegram", "format", before="0-9")),
    (("-us",), place(r"(?P<value>[0-9a-f]{32}-us\d{1,2})\b", "mailchimp", "format", before="0-9a-f")),
    (("contribsys",), place(
        r"(?i)contribsys[\w.]{0,20}[\s\"'=:>]{1,6}(?P<value>[a-f0-9]{8}:[a-f0-9]{8})", "sidekiq", "format", unless=never)),
    (("random_password",), place(
        r"""random_password[\s\S]{0,600}?"result\\{0,4}"\s{0,4}[:=]\s{0,4}\\{0,4}"(?P<value>[^"\n]{4,256}?)\\{0,4}\"""", "terraform", "name")),
    (("akia", "asia"), place(
        r"(?:AKIA|ASIA)[A-Z0-9]{16}[^\n]{0,80}?(?:\n[^\n]{0,60}?)?(?<![\w/+.-])(?P<value>[A-Za-z0-9/+]{40})(?![\w/+=])", "aws", "name", unless=is_hex_or_place)),
    (("encrypt ", "encrypt=", "encrypt:", 'encrypt"'), place(
        r"encrypt\\{0,2}\"?[ \t]{0,20}[=:][ \t]{0,4}\\{0,2}\"?(?P<value>[A-Za-z0-9+/]{22,86}={1,2})", "consul", "name")),
    (("secret id", "secretid", "secret_id"), _acl_secret),
    (("---\n:",), _gem_credentials),
    (('"keyname',), place(
        r"""(?i)"keyname\\{0,4}":\s{0,4}\\{0,4}"\w{1,64}\\{0,4}"[^{}]{0,200}?"value\\{0,4}":\s{0,4}\\{0,4}"(?P<value>[A-Za-z0-9+/]{40,128}={0,2})""", "azure-storage", "name")),
    (("acl {", "acl = {", 'acl": {', 'acl":{', "acl:\n"), _acl_tokens),
    (("initial_management", "agent_recovery", "agent_master", "config_file_service_registration"), place(_TOKEN_OF_ACL, "consul", "name")),
    (("nral",), place(r"(?P<value>(?:[0-9a-f]{36}|[0-9a-f]{32}FFFF|[0-9a-f]{32}ffff|eu01xx[0-9a-zA-Z]{30})NRAL)(?!\w)", "new-relic", "format", before="0-9A-Za-z", unless=never)),
    (("contribsys.com",), place(
        r"[^\s\"']{0,20}?(?P<value>[0-9a-f]{8}:[0-9a-f]{8})@[\w.]*", "sidekiq", "format", before=r"\w:@./", unless=never)),
    (("unseal key",), place(r"(?i)unseal key[ \w]{0,8}: ?(?P<value>[\w+/=.]{16,128})", "vault", "name")),
    (("('ac", '("ac', "-u ac", "sid='ac", 'sid="ac'), place(
        r"[\w(=\"' -]{2,5}?AC[0-9a-f]{32}[\"',: \t]{1,6}(?:\w{4,10}=[\"'])?(?P<value>[0-9a-f]{32})(?![0-9A-Za-z])", "twilio", "format", unless=never)),
    ((".vault.azure.net/secrets/",), place(
        r"""[\w./-]{20,200}\\{0,4}"[^{}]{0,600}?"value\\{0,4}":\s{0,4}\\{0,4}"(?P<value>[^"\\\n]{1,2048})""", "azure-key-vault", "name")),
    (('"plaintext',), place(
        r"""(?i)"plaintext\\{0,4}":\s{0,4}\\{0,4}"(?P<value>[A-Za-z0-9+/]{22,1024}={0,2})""", "data-key", "name", unless=is_no_output)),
    (('"username', ), place(
        r"""[\"]username\\{0,4}":\s{0,4}\\{0,4}"[^"\\\n]{1,64}\\{0,4}",\s{0,16}\\{0,4}"key\\{0,4}":\s{0,4}\\{0,4}"(?P<value>[0-9a-f]{32})""", "kaggle", "name", unless=never)),
    (("ltai",), place(
        r"LTAI[0-9A-Za-z]{12,24}[\"'`]?[ \t]{0,4}[/:,|][ \t]{0,4}[\"'`]?(?P<value>[0-9A-Za-z]{30})(?![0-9A-Za-z])", "alibaba", "format", unless=never)),
    (("aws",), place(
        r"""(?i)aws[^\r\n"']{0,40}["'](?P<value>[0-9a-z/+]{40})(?=["'])""", "aws", "name")),
    (("accountkey=", "sharedaccesskey=", "sharedsecret="), place(
        r"(?i)\w{6,20}=(?P<value>[A-Za-z0-9+/]{20,100}={0,2})", "azure", "name")),
)
# fmt: on

# end of module
