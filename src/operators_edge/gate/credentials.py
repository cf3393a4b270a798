"""Files that hold what someone logs in with, known by where they lie and what they are called.

Owns those names. Does not own what a rule makes of them, nor secrets in text (``redaction.redact``).
"""

from __future__ import annotations

from operators_edge.gate.regexes import found_in

_PLACES = (
    # keys
    r"/\.ssh/(?!config$|config\.d|known_hosts|authorized_keys|environment$|[^/]*\.pub$).+",
    r"/id_(rsa|dsa|ecdsa|ed25519)(_sk)?([._-][^/]*)?(?<!\.pub)$",
    r"/[^/]*\.(p12|pfx|jks|keystore|kdbx|ppk)$",
    r"/(?![^/]*(cert|chain|public|\bca\b|cacert|bundle|\bpub\b))[^/]*\.pem$",
    r"/[^/]*(private|server|client|tls|ssl|secret|master|host|signing|deploy)[^/]*\.key$",
    r"/\.gnupg/(private-keys|secring)",
    r"/etc/ssl/private/.",
    # programs' own stores
    r"/\.aws/(credentials$|sso/cache/|cli/cache/)",
    r"/\.(netrc|pgpass|my\.cnf|pypirc|git-credentials|vault-token|boto|s3cfg)$",
    r"/\.config/(gh/hosts\.yml|hub|glab-cli/config\.yml|rclone/rclone\.conf)$",
    r"/\.docker/config\.json$",
    r"/\.kube/config$",
    r"/\.cargo/credentials(\.toml)?$",
    r"/\.gem/credentials$",
    r"/\.config/gcloud/([^/]*credentials[^/]*|access_tokens\.db|legacy_credentials(/.*)?)$",
    r"/\.azure/([^/]*[tT]okens?[^/]*|msal_[^/]*)$",
    r"/\.terraform\.d/credentials",
    r"/\.claude/\.credentials\.json$",
    r"/\.codex/auth\.json$",
    # the machine's, and the browser's
    r"/proc/[^/]+/environ$",
    r"/Library/Keychains(/|$)",
    r"/[^/]*\.keychain(-db)?$",
    r"/(Login Data|key4\.db|logins\.json)$",
)
_CREDENTIALS = "|".join(_PLACES)
_KEY_FILE = r"\.(pem|key|p12|pfx|jks|keystore)$"
_FOR_TESTS = r"/(tests?|__tests__|specs?|fixtures?|testdata|examples?|mocks?)/"
_ENV_FILE = r"/\.env(?!rc)(?![^/]*(example|sample|template|dist|defaults?|schema))[^/]*$|/\.envrc$"


def is_credentials(path: str) -> bool:
    """A private key that is not there for tests, or a file with what some program logs in with."""
    if not found_in(_CREDENTIALS, path):
        return False
    return not (found_in(_KEY_FILE, path) and found_in(_FOR_TESTS, path))


def is_env_file(path: str) -> bool:
    """A file of settings that usually holds passwords; not one that only shows their names."""
    return found_in(_ENV_FILE, path)
