"""Secrets in prose: the phrases that announce one.

Owns the phrases with their patterns. Does not own how a sentence goes on (``redaction.sentences``). Pure.
"""

from __future__ import annotations

from operators_edge.redaction.place import (
    is_hex_or_place,
    is_no_argument,
    is_no_output,
    is_not_chosen,
    is_not_made_up,
    is_unlikely,
    place,
)
from operators_edge.redaction.randomness import is_uuid
from operators_edge.redaction.sentences import TOLD, told_before

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.redaction.place import Look


# fmt: off
PLACES: tuple[tuple[tuple[str, ...], Look], ...] = (
    (("password for ", "password is ", "password to ", "password of ", "passwort f", "passwort ist ", "contraseña de", "contraseña es "), place(
        r"(?i)(?:passwor[dt]|contraseña) (?:is \w{1,16} )?(?:for|to|of|f\S{1,2}r|de|del|is|ist|es) [^\n]{0,120}?"
        r"(?::| is| was| lautet:?| ist| es)[ \t][\"'`]?(?P<value>[^\s\"'`()]{6,128})[\"'`]?(?=[ \t]*(?:[\n—,;(\"'\\]|- |\Z| please\b| and\b))", "", "name", unless=is_unlikely)),
    (TOLD, told_before),
    ((" pass for ", " pw for "), place(r"(?i) (?:pass|pw) for [^\n:]{1,60}: ?[\"'`]?(?P<value>[^\s\"'`(),;]{6,128})", "", "name", unless=is_unlikely)),
    (("p/w ", "p/w:"), place(r"(?i)p/w[ :=]{1,3}[\"'`]?(?P<value>[^\s\"'`(),;]{6,128})", "", "name", unless=is_unlikely)),
    ((" pw ", "(pw "), place(r"(?i)[ (]pw [\"'`]?(?P<value>[^\s\"'`(),;]{6,128})", "", "name", unless=is_unlikely)),
    ((" pw is ", " pwd is ", " pw was ", " pwd was ", " pass is ", " pass was "), place(r"(?i) (?:pwd?|pass) (?:is|was) [\"'`]?(?P<value>[^\s\"'`]{5,128})", "", "name", unless=is_unlikely)),
    (("login is ", "login: ", "login for ", "logins: "), place(
        r"(?i)logins?(?::| is| for)[^\n/:]{1,60}[ \w](?: / |:)[\"'`]?(?P<value>[^\s\"'`]{6,128})", "", "name", unless=is_unlikely)),
    ((": admin/", ": root/"), place(r": \w{4,5}/(?P<value>[^\s/\"'`]{6,128})[ \t]*(?:\n|\Z)", "", "name", unless=is_unlikely)),
    (("credentials for", "creds for", "login for", "credentials to", "logins for"), place(
        r"(?i)\w{5,11} \w{2,3} [^\n:]{1,60}: [\w.@-]{2,64} ?/ ?[\"'`]?(?P<value>[^\s\"'`/]{7,64})", "", "name", unless=is_unlikely)),
    (("deploy key", "new key ", "the key ", "your key ", "new token", "new secret"), place(
        r"(?i)[a-z]{3,6} [a-z]{3,6}[^\n:>=]{0,40}?(?:->|=>|:|→|=| is)[ \t]{1,2}[\"'`]?(?P<value>[\w+/=.-]{20,128})", "", "name", unless=is_no_argument)),
    (("root / ", "admin / ", " admin/", " root/", "user / ", "administrator / ", "test / ", "guest / ", "postgres / ", "ubuntu / ", "deploy / ", "oracle / "), place(r"[ \w]\w{3,12} ?/ ?[\"'`]?(?P<value>[^\s\"'`/]{7,64})", "", "name", unless=is_not_made_up)),
    ((' pass "', " pass '", '-pass "', "-pass '"), place(r"(?i)[ -]pass [\"'](?P<value>[^\s\"']{5,128})[\"']", "", "name", unless=is_not_chosen)),
    (("log in as ", "login as ", "sign in as ", "log in with ", "login with ", "sign in with ", "log in using ", "login using "), place(
        r"(?i)\w{3,5} ?in (?:as|with|using):? [\"'`*]{0,2}[\w.@+-]{2,64}[\"'`*]{0,2} ?(?:/|:|\||,|and|with) ?(?:(?:the )?pass\w{0,8}:? )?"
        r"[\"'`*]{0,2}(?P<value>[^\s\"'`(),;*]{6,128})", "", "name", unless=is_unlikely)),
    (("wifi", "wi-fi", "wlan", "ssid"), place(
        r"(?i)[\w-]{4,5}[^\n]{0,80}?\b(?:key|code|pass|pw|pin|schlüssel|passwort|kennwort|clave|clé)[\"']?(?: is| was)?[ :=]{1,3}[\"'`]?(?P<value>[^\s\"'`(),;]{8,63})", "", "name", unless=is_unlikely)),
    (("wifi: ", "wi-fi: ", "wlan: "), place(r"(?i)[\w-]{4,5}: {1,2}[\"'`]?(?P<value>[^\s\"'`(),;]{8,63})", "", "name", unless=is_not_chosen)),
    ((" with key ", " using key ", " key `", "rotate key ", "revoke key ", "leaked key ", "old key "), place(
        r"(?i) ?(?:[a-z]{3,6} )?key (?!SHA256:)[\"'`]?(?P<value>[\w+/=-]{20,256})", "", "name", unless=lambda value: is_hex_or_place(value) or is_uuid(value))),
    (("using credentials ", "with credentials "), place(
        r"\w{4,5} credentials [\"'`]?[\w.@-]{2,64} ?[/:] ?[\"'`]?(?P<value>[^\s\"'`/:]{6,128})", "", "name", unless=is_not_made_up)),
    ((", pass ", "(pass ", " and pass ", " / pass "), place(r"[ ,(/a-z]{2,5} ?pass [\"'`]?(?P<value>[^\s\"'`(),;]{6,128})", "", "name", unless=is_not_chosen)),
    (("creds ", "credentials "), place(
        r"(?i)cred(?:ential)?s {1,2}[\"'`]?[\w.@-]{2,64} ?[/:] ?[\"'`]?(?P<value>[^\s\"'`/:]{6,128})", "", "name", unless=is_not_made_up)),
    ((".com / ", ".org / ", ".net / ", ".io / ", ".local / ", ".dev / ", "@localhost / "), place(
        r"[\w.+-]{1,64}@[\w.-]{1,64} / [\"'`]?(?P<value>[^\s\"'`/]{6,128})", "", "name", before=r"\w.+@-", unless=is_not_made_up)),
    (("schlüssel", "clé api", "clé d", "clave de api", "clave api", "chave de api", "chave da api", "chave api", "chiave api", "api-nyckel", "klucz api", "api-sleutel"), place(
        r"(?i)[\w-]{3,9}[^\n:=]{0,40}?(?:[ \u00a0]?:|=| ist| est| es| é| è| är| to| is)[ \t]{1,4}[\"'`]?(?P<value>[\w+/=.-]{16,256})", "", "name", unless=is_no_output)),
    (("password... ", "passphrase... ", "token... ", "secret... ", "key... "), place(
        r"\w{3,10}\.\.\. {1,4}[\"'`]?(?P<value>[^\s\"'`]{8,256})[\"'`\\]?", "", "command", unless=is_no_output)),
    (("this key ", "this token ", "this secret ", "this password ", "this passphrase "), place(
        r"this \w{3,10} [^\n:]{1,60}: {1,4}[\"'`]?(?P<value>[^\s\"'`]{12,512})", "", "name", unless=is_no_output)),
    (("u/p:", "u/p ", "user/pass:", "user/pw:", "user/password:", "username/password:", "login/password:", "user/pass ", "username/password "), place(
        r"(?i)\w{1,8}/\w{1,8}:? {1,2}(?:is |are )?[\"'`]?[\w.@-]{2,64} ?/ ?[\"'`]?(?P<value>[^\s\"'`/]{6,64})", "", "name", unless=is_not_made_up)),
    (("creds", "credentials", "zugangsdaten", "identifiants", "credenciales", "credenciais", "credenziali", "inloggegevens"), place(
        r"(?i)\w{5,13}(?: are| is|[ \t]{0,4}(?:[:=→]|->))[ \t]{0,4}[\"'`]?[\w.@-]{2,64}[\"'`]?[ \t]{0,2}[/:][ \t]{0,2}[\"'`]?(?P<value>[^\s\"'`]{5,128})", "", "name", unless=is_unlikely)),
)
# fmt: on

# end of module
