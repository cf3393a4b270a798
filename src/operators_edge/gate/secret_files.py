"""Which files hold secrets, by their paths: keys, credential stores, settings with passwords.

Owns these tables, with the words that let the prefilter see each row, and which shell texts print such a
file. Does not own what reads one (the packs and ``gate.code_secrets``), nor secrets in text
(``redaction``). Pure.
"""

from __future__ import annotations

from operators_edge.text.patterns import found_in

_CREDENTIAL_FILES = (
    # keys
    (
        r"/\.ssh/(?!config$|config\.d|known_hosts|authorized_keys|environment$|[^/]*\.pub$).+",
        "ssh",
    ),
    (
        r"/id_(rsa|dsa|ecdsa|ed25519)(_sk)?([._-][^/]*)?(?<!\.pub)$",
        "rsa id_rsa id_dsa id_ecdsa id_ed25519",
    ),
    (r"/[^/]*\.(p12|pfx|jks|keystore|kdbx|ppk)$", "p12 pfx jks keystore kdbx ppk"),
    (r"/(?=[^/]*\.pem$)(?![^/]*(cert|chain|public|\bca\b|cacert|bundle|\bpub\b))", "pem"),
    (
        r"/(?=[^/]*\.key$)[^/]*(private|server|client|tls|ssl|secret|master|host|signing|deploy)[^/]*\.key$",
        "key private server client tls ssl secret master host signing deploy",
    ),
    (r"/\.gnupg/(private-keys|secring)", "gnupg"),
    (r"/etc/ssl/private/.", "private"),
    (r"/etc/ssh/ssh_host_\w+_key$|/\.erlang\.cookie$", "ssh cookie"),
    (r"/[^/]*\.keytab$|/etc/ppp/(chap|pap)-secrets$|/\.vnc/passwd$", "keytab secrets vnc"),
    (r"/[^/]*\.ovpn$|/(\.ethereum|geth)/keystore/.|/\.electrum/wallets/.", "ovpn keystore wallets"),
    # credential stores of programs
    (r"/\.aws/(credentials$|sso/cache/|cli/cache/)", "aws"),
    (
        r"/\.(netrc|pgpass|my\.cnf|pypirc|git-credentials|vault-token|boto|s3cfg)$",
        "netrc pgpass cnf pypirc git-credentials vault-token boto s3cfg",
    ),
    (
        r"/\.config/(gh/hosts\.yml|hub|glab-cli/config\.yml|rclone/rclone\.conf)$",
        "hosts hub glab-cli rclone",
    ),
    (r"/\.docker/config\.json$", "docker"),
    (r"/\.kube/config$|/kubeconfig(\.ya?ml)?$", "kube kubeconfig"),
    (
        r"/(?<=^/)(home/[^/]+|Users/[^/]+|root)/\.(npmrc|yarnrc\.yml|Renviron)$",
        "npmrc yarnrc renviron",
    ),
    (
        r"/(?<=^/)etc/(security/opasswd|rancher/k3s/k3s\.yaml)$",
        "opasswd k3s",
    ),
    (
        r"/(?<=^/)etc/kubernetes/((super-)?admin|kubelet|scheduler|controller-manager)\.conf$",
        "kubernetes",
    ),
    (r"/(?<=^/)etc/kubernetes/pki/.*\.key$", "kubernetes"),
    (r"/run/secrets/.|/(?<=^/)etc/secrets/.|/\.microsoft/usersecrets/.", "secrets usersecrets"),
    (r"/\.(databrickscfg|snowsql/config|fly/config\.yml)$", "databrickscfg snowsql fly"),
    (r"/\.config/(doctl/config\.yaml|solana/id\.json)$", "doctl solana"),
    (r"/\.m2/settings(-security)?\.xml$|/\.gradle/gradle\.properties$", "settings gradle"),
    (r"/(\.config/ngrok|\.ngrok2)/ngrok\.yml$", "ngrok"),
    (
        r"/\.config/(op/config|stripe/config\.toml|hcloud/cli\.toml|linode-cli|containers/auth\.json)$",
        "config hcloud linode-cli auth",
    ),
    (
        r"/\.config/(sops/age/keys\.txt|github-copilot/(hosts|apps)\.json|composer/auth\.json)$",
        "keys hosts apps auth",
    ),
    (
        r"/(\.composer/auth\.json|\.oci/config|\.sentryclirc|\.pulumi/credentials\.json|\.mylogin\.cnf)$",
        "auth oci sentryclirc credentials mylogin cnf",
    ),
    (r"/(\.wrangler|\.config/\.wrangler)/config/default\.toml$", "wrangler"),
    (
        r"/(com\.vercel\.cli/auth\.json|\.netlify/config\.json|\.supabase/access-token|opencode/auth\.json)$",
        "auth netlify access-token supabase",
    ),
    (
        r"/\.config/(configstore/[^/]+|openai/[^/]*key[^/]*|anthropic/.*)$",
        "configstore key anthropic",
    ),
    (
        r"/\.(gemini/oauth_creds\.json|anthropic/api_key|(cache/)?huggingface/(stored_)?tokens?)$",
        "oauth_creds api_key huggingface",
    ),
    (
        r"/\.(kaggle/kaggle\.json|circleci/cli\.yml|terraformrc|smbcredentials|subversion/auth/.+)$",
        "kaggle circleci terraformrc smbcredentials subversion",
    ),
    (
        r"/\.(authinfo(\.gpg)?|msmtprc|fetchmailrc|mbsyncrc|offlineimaprc|muttrc|davfs2/secrets)$",
        "authinfo msmtprc fetchmailrc mbsyncrc offlineimaprc muttrc secrets",
    ),
    (r"/(\.vault[-_]pass(word)?|vault[-_]pass(word)?)(\.txt)?$", "vault_pass vault-pass vault"),
    (r"/keyrings/[^/]+\.keyring$", "keyring"),
    (
        r"/(?=[^/]*\.json$)((?i:service-?account(-?key)?)|[\w-]*firebase-adminsdk[\w-]*|client_secrets?[\w.-]*|gha-creds-\w+)\.json$",
        "account serviceaccount serviceaccountkey key adminsdk client_secret client_secrets gha",
    ),
    (
        r"/(\.rediscli_auth|\.restic-pass(word)?|\.wakatime\.cfg|\.databricks/token-cache\.json|token\.pickle)$",
        "rediscli_auth restic-pass restic-password wakatime databricks pickle",
    ),
    (
        r"/(\.cloudflared/([^/]+\.json|cert\.pem)|\.snowflake/connections\.toml|pypoetry/auth\.toml)$",
        "cloudflared snowflake auth",
    ),
    (r"/globalStorage/state\.vscdb$", "vscdb"),
    (r"/(serviceaccount/token|config/master\.key|config/credentials/\w+\.key)$", "token key"),
    (
        r"/(?<=^/)etc/(wireguard/[^/]+\.conf|NetworkManager/system-connections/.+)$",
        "wireguard system-connections networkmanager",
    ),
    (r"/(service[-_]?account[-_]?key|wallet)\.(json|dat)$", "key wallet"),
    (r"/\.cargo/credentials(\.toml)?$", "credentials"),
    (r"/\.gem/credentials$", "credentials"),
    (
        r"/\.config/gcloud/([^/]*credentials[^/]*|access_tokens\.db|legacy_credentials(/.*)?)$",
        "gcloud",
    ),
    (
        r"/mysql/debian\.cnf$|/code-server/config\.yaml$|/\.password-store/.+\.gpg$",
        "cnf code-server gpg",
    ),
    (r"/\.azure/([^/]*[tT]okens?[^/]*|msal_[^/]*)$", "azure"),
    (r"/\.terraform\.d/credentials", "credentials"),
    (r"/\.claude/\.credentials\.json$", "credentials"),
    (r"/\.codex/auth\.json$", "codex"),
    (r"/operators-edge/notify\.toml$", "notify"),
    # stores of the operating system and of browsers, and the memory of processes
    (r"/proc/([^/]+/(environ|mem)|kcore)$|/(?<=^/)dev/k?mem$", "environ mem kcore kmem"),
    (r"/Library/Keychains(/|$)", "keychains"),
    (r"/[^/]*\.keychain(-db)?$", "keychain keychain-db"),
    (r"/(Login Data|key4\.db|logins\.json|cookies\.sqlite)$", "login key4 logins cookies"),
    (r"/(Default|Profile \d+|Network|\.config/[^/]+)/Cookies$", "cookies"),
)
_KEY_FILE = r"\.(pem|key|p12|pfx|jks|keystore)$|/id_(rsa|dsa|ecdsa|ed25519)[^/]*$"
_FOR_TESTS = r"/(tests?|__tests__|specs?|fixtures?|testdata|examples?|mocks?|templates?)/"
_ENV_FILES = (
    (
        r"/\.env(?!rc|\.[A-Z_]+$)(?![^/]*(example|sample|template|dist|defaults?|schema))[^/]*$|/\.envrc$",
        "env envrc",
    ),
    (r"/(prod(uction)?|stag(ing|e)|live|local|secrets?|credentials?)\.env$", "env"),
    (
        r"\.tfstate(\.backup)?$|/(?![^/]*(example|sample|template))[^/]*\.tfvars(\.json)?$",
        "tfstate tfvars",
    ),
    (r"/(\.dev\.vars|\.?secrets?\.(ya?ml|json|toml)|\.secrets)$", "vars secret secrets"),
    (r"/wp-config\.php$|/local\.settings\.json$", "wp-config settings"),
    (r"/appsettings\.(Production|Staging|Local|Secrets?)\.json$", "appsettings"),
    (r"/\.?secrets/[^/.]+(\.(txt|json|ya?ml|env))?$", "secrets"),
    (
        r"/android/(key|keystore|signing)\.properties$|/config/credentials/[^/]+\.(key|ya?ml)$",
        "properties credentials",
    ),
)
"""Settings that usually hold passwords: the path, and a word that is in every such path."""

_CREDENTIALS = "|".join(pattern for pattern, _ in _CREDENTIAL_FILES)
_ENV_FILE = "|".join(pattern for pattern, _ in _ENV_FILES)
_NAMED = r"secrets?(\.(ya?ml|json|toml)$|/)|\.tfvars(\.json)?$"
"""Files that only their names call secret: test data has such names, too."""

WORDS = {
    "@credentials": " ".join(words for _, words in _CREDENTIAL_FILES).split(),
    "@env-file": " ".join(words for _, words in _ENV_FILES).split(),
}
"""Operand class → words of which one is in every path of the class, for the prefilter."""


def is_credentials(path: str) -> bool:
    """Whether it is a private key that is not a test fixture, or a file with a program's login data."""
    if not found_in(_CREDENTIALS, path):
        return False
    return not (found_in(_KEY_FILE, path) and found_in(_FOR_TESTS, path))


def is_env_file(path: str) -> bool:
    """Whether it is a settings file that usually holds passwords, and not a template of one."""
    return found_in(_ENV_FILE, path) and not (found_in(_NAMED, path) and found_in(_FOR_TESTS, path))


_SUSPECT = (
    r"(?i)pass|pwd|secret|token|key|cred|auth|private|salt|cert|conn|dsn|ur[il]\b|://|@|<<|\b(user|login|pin)"
    r"|[\w+/=-]{20}"
)
_PLAIN_VALUE = r"(?:\"[^\"\n]*\"|[\d.]+|true|false|\[[\w\s\",.-]*\])"
_PLAIN_SETTINGS = rf"(?:\s|#[^\n]*\n|\w+\s*=\s*{_PLAIN_VALUE}\s*(?:#[^\n]*)?(?:\n|\Z))*"


def is_plain(text: str) -> bool:
    """Whether settings have only names and short values of which none may be a secret."""
    return found_in(rf"\A{_PLAIN_SETTINGS}\Z", text) and not found_in(_SUSPECT, text)


_MAY_TELL = (
    r"(?i)pass|pwd|secret|token|key|cred|auth|private|salt|cert|dsn|conn|://|@|[A-Za-z0-9+=_-]{24}"
)


def may_hold_secrets(text: str) -> bool:
    """Whether settings of a person have a name or a value that tells of a secret."""
    return found_in(_MAY_TELL, text)


_READERS = (
    r"\b(cat|bat|head|tail|tac|less|more|base64|base32|xxd|od|hexdump|strings|gzip|tar|zip|grep|rg|sed|awk|tr"
    r"|openssl|jq|cut|paste|sort)\b[^;&\n]{0,100}?"
)
_HOLDING_SECRETS = (
    r"(\.env\b(?!\.(example|sample|template|dist|defaults?)\b)|\bid_(rsa|ed25519|ecdsa|dsa)\b(?!\.pub)"
    r"|\.aws/credentials|\.netrc|\.ssh/id|\.pgpass|\.pem\b|/environ\b|\.kube/config|gh/hosts\.yml"
    r"|\.git-credentials|/etc/(shadow|passwd))"
)
_ENVIRONMENT = (
    r"\$\((env|printenv|set|export -p|declare -p)\b|`\s*(env|printenv)\b|\b(printenv|env)\s*\|"
    r"|\$\(<\s*[^)]*(\.env|id_rsa|id_ed25519|credentials)"
)


SECRET_SOURCE = f"(?i){_READERS}{_HOLDING_SECRETS}|{_ENVIRONMENT}"
"""In a text that prints a file that holds secrets, or the environment."""


# end of module
