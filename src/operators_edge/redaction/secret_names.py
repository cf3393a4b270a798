"""Which names say that their value is secret: parts of names in texts, and names of variables.

Owns the words only. Does not own what a value looks like (``redaction.names``). Pure.
"""

from __future__ import annotations

PASSWORDS = (
    "passw",
    "passphrase",
    *(f"pass{sign}phrase" for sign in " _-."),
    "authtok",
    "passcode",
    "pwd",
    "pswd",
    "keypass",
    "storepass",
    "key_pass",
    "store_pass",
    "kennwort",
    "mot de passe",
    "wachtwoord",
    "contraseña",
    "contrasena",
    "senha",
    "salasana",
    "adgangskode",
    "lösenord",
    "hasło",
    "heslo",
    "jelszó",
    "passord",
    "parool",
    "lozinka",
    "geslo",
    "slaptažodis",
    "fjalëkalimi",
    "kata sandi",
)
"""People choose these, so their values need not look random."""

# fmt: off
TELLING = (
    *PASSWORDS,
    "secret", "token", "credential", "creds", "psk", "mnemonic", "_auth", "code_verifier",
    *(first + sign + "key" for sign in ("", "_", "-", " ", ".") for first in (
        "api", "access", "private", "auth", "account", "encryption", "signing", "master", "license", "client",
        "service", "app", "application", "shared", "subscription", "secure", "unseal",
    )),
)
"""Parts of names whose values are secret."""

_WEAK_NAMES = (
    "key", "auth", "session", "pass", "signature", "salt", "seed", "webhook", "nonce", "appid", "pat", "otp",
    "certificate", "jwt", "dsn", "code", "sid", "pw", "pepper", "csrf", "xsrf", "hmac", "sessionid", "sessid",
)
WEAK = tuple(
    name + sign for name in _WEAK_NAMES for sign in ("=", ":", '"', "'", " =", " :", "  ", "]", ">", "\\", ")", "&quot")
) + tuple(f"-{name} " for name in ("key", "auth", "pass", "otp", "apikey")) + tuple(
    f"{name}{sign}" for name in ("_key", "_auth", "_pass", "dbpass", "_pw") for sign in (" ", "\n")
)
"""Parts of names whose values are secret when they look random."""
# fmt: on

_OF_VARIABLES = ("KEY", "TOKEN", "SECRET", "PASSW", "PASSPHRASE", "CREDENTIAL")
_ENDS_OF_VARIABLES = ("_PASS", "_PWD")


def is_secret_name(name: str) -> bool:
    """Whether a variable or an entry of a file has a secret as its value.

    Looser than the names in texts, as it is about values that are known: these are hidden wherever they stand.
    """
    name = name.upper()
    return name.endswith(_ENDS_OF_VARIABLES) or any(part in name for part in _OF_VARIABLES)


# end of module
