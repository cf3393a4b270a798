"""The secrets that are known on this machine: values of the environment, and of files that hold credentials.

Owns which files these are, how a value is recognised in one, and the forms in which programs print it. They
are read when something is about to be kept or shown, never for a call that is only let through, and again
when they have changed. No value is kept: on the disk are only the paths of files that sessions have read.
Does not own how a text is redacted (``redaction``) or what the configuration adds (``project.secrets``).
"""

from __future__ import annotations

import binascii
import itertools
import os

from operators_edge import jsons
from operators_edge.cached import lru_cache
from operators_edge.errors import EdgeError
from operators_edge.locations import known_home
from operators_edge.redaction.redact import is_worth_hiding, secret_values
from operators_edge.redaction.secret_names import is_secret_name
from operators_edge.system import file_cache
from operators_edge.system.user_dirs import project_id, user_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

# fmt: off
_OF_PERSON = (
    ".netrc", "_netrc", ".npmrc", ".yarnrc.yml", ".pypirc", ".git-credentials", ".pgpass", ".my.cnf", ".env",
    ".aws/credentials", ".docker/config.json", ".kube/config", ".cargo/credentials.toml", ".vault-token",
    ".terraform.d/credentials.tfrc.json", ".m2/settings.xml", ".gradle/gradle.properties", ".gem/credentials",
    ".composer/auth.json", ".s3cfg", ".boto", ".databrickscfg", ".snowsql/config", ".kaggle/kaggle.json",
    ".cache/huggingface/token", ".netlify/config.json", ".fly/config.yml", ".claude/.credentials.json",
    ".codex/auth.json",
)
_OF_CONFIG = (
    "gh/hosts.yml", "hub", "glab-cli/config.yml", "git/credentials", "pip/pip.conf", "doctl/config.yaml",
    "gcloud/application_default_credentials.json", "rclone/rclone.conf", "containers/auth.json",
)
"""Below the person's folder of configurations."""
_NAMED_BY_ENV = (
    "AWS_SHARED_CREDENTIALS_FILE", "GOOGLE_APPLICATION_CREDENTIALS", "KUBECONFIG", "NETRC",
    "NPM_CONFIG_USERCONFIG", "PGPASSFILE", "PIP_CONFIG_FILE",
)
_OF_PROJECT = (
    ".netrc", ".npmrc", ".yarnrc.yml", ".pypirc", ".envrc", ".dev.vars", ".secrets", "secrets.yml",
    "config/master.key", ".streamlit/secrets.toml", "terraform.tfvars",
)
_EXAMPLES = (".example", ".sample", ".template", ".dist", ".defaults")
"""Endings of a ``.env`` that is meant to be read."""
_WHOLE = (".vault-token", "token", "master.key")
"""Files that hold a value and nothing else."""
_TELLING_PATHS = (
    ".env", "credential", "secret", "netrc", "npmrc", "pypirc", "pgpass", "tfvars", "auth.json", "hosts.yml",
    ".my.cnf", "kubeconfig", "master.key", ".dev.vars", "docker/config.json", "vault-token",
)
"""One of them is in the path of a file with credentials."""
# fmt: on

_MAX_BYTES = 256 * 1024
_MAX_VALUES = 500
_MAX_SEEN = 64
_RATHER_LONG, _LONG = 16, 20
_ELSEWHERE = ("$", "<", "{{", "%", "op://", "vault:", "file:")
"""How a value begins that only names where the secret is."""
_UNQUOTED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~")


def known(root: str | None, env: Mapping[str, str]) -> tuple[str, ...]:
    """What is hidden wherever it stands: each known value that is worth it, in all its forms."""
    found = {*secret_values(env)}
    for value in env.values():
        found.update(filter(is_worth_hiding, _in_address(value)))
    for path in _paths(root, env):
        found.update(_of_file(path))
    return tuple(form for value in sorted(found)[:_MAX_VALUES] for form in forms_of(value))


@lru_cache(maxsize=_MAX_VALUES)
def forms_of(value: str) -> tuple[str, ...]:
    """The value as it is, in an address, and in the middle of a text in base64; JSON is ``redact``'s."""
    raw = value.encode("utf-8", "surrogateescape")
    quoted = "".join(chr(each) if each in _UNQUOTED else f"%{each:02X}" for each in raw)
    found = [value, quoted, quoted.replace("%20", "+")]
    for before in range(3):  # what stands before it shifts its bits
        data = bytes(before) + raw
        first, last = -(-before * 8 // 6), len(data) * 8 // 6
        coded = binascii.b2a_base64(data, newline=False).decode()[first:last]
        found += [coded, coded.replace("+", "-").replace("/", "_")]
    return tuple(filter(is_worth_hiding, dict.fromkeys(found)))


# -- which files -----------------------------------------------------------------------------------


def _paths(root: str | None, env: Mapping[str, str]) -> Iterator[str]:
    home = known_home(env)
    if home:
        yield from _present(home, _OF_PERSON)
        yield from _present(env.get("XDG_CONFIG_HOME") or f"{home}/.config", _OF_CONFIG)
    for name in _NAMED_BY_ENV:
        if listed := env.get(name):
            yield from filter(None, listed.split(os.pathsep))
    if root is not None:
        yield from _present(root, _OF_PROJECT, with_env_files=True)
        yield from read_by_sessions(root, env)


def _present(folder: str, names: Iterable[str], *, with_env_files: bool = False) -> Iterator[str]:
    """Those of the files that may be there, found with one look at the folder: most are not."""
    try:
        there = set(os.listdir(folder))
    except OSError:
        return
    for name in names:
        if name.partition("/")[0] in there:
            yield f"{folder}/{name}"
    if with_env_files:
        yield from (f"{folder}/{name}" for name in sorted(filter(_is_env_file, there)))


def _is_env_file(name: str) -> bool:
    return (name == ".env" or name.startswith(".env.")) and not name.endswith(_EXAMPLES)


# -- files that a session has read -----------------------------------------------------------------


def note_read(root: str, given: Mapping[str, Any], cwd: str, env: Mapping[str, str]) -> None:
    """Remember the files with credentials that a tool call names: what it has read is hidden from now on."""
    said = " ".join(filter(None, map(str, map(given.get, ("command", "file_path", "path")))))
    folded = said.lower()
    if not any(name in folded for name in _TELLING_PATHS):
        return
    present = read_by_sessions(root, env)
    for word in dict.fromkeys(said.translate(_SPACES).split()[:_MAX_WORDS]):
        path = os.path.realpath(os.path.join(cwd, os.path.expanduser(word)))
        is_telling = any(name in path.lower() for name in _TELLING_PATHS)
        if (
            is_telling
            and path not in present
            and not path.endswith(_EXAMPLES)
            and os.path.isfile(path)
        ):
            _note(root, path, env)


_MAX_WORDS = 200
_SPACES = str.maketrans("\"'`<>|&;()=,", " " * 12)


def _note(root: str, path: str, env: Mapping[str, str]) -> None:
    from operators_edge.storage.keys import make_user_dir  # noqa: PLC0415 - once for each file

    try:
        make_user_dir(env, "projects", project_id(root))
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        fd = os.open(_list_path(root, env), flags, 0o600)
        try:
            os.write(fd, jsons.dumps(path).encode() + b"\n")
        finally:
            os.close(fd)
    except (OSError, EdgeError) as error:
        from operators_edge.text import outgoing  # noqa: PLC0415 - only after a failure

        outgoing.to_stderr(f"{path} is not remembered as read: {error}")


def read_by_sessions(root: str, env: Mapping[str, str]) -> tuple[str, ...]:
    """The files with credentials that sessions in this project have read, the last ones."""
    try:
        return file_cache.read_cached(_list_path(root, env), _listed)
    except (OSError, EdgeError):
        return ()  # nothing was read yet, or no home folder is known


def _list_path(root: str, env: Mapping[str, str]) -> str:
    return os.path.join(user_dir(env), "projects", project_id(root), "credential_files.jsonl")


def _listed(data: bytes) -> tuple[str, ...]:
    found = []
    for line in data.split(b"\n")[-_MAX_SEEN - 1 :]:
        try:
            found.append(str(jsons.loads(line)))
        except ValueError:
            continue  # a line that is being written
    return tuple(dict.fromkeys(found))


# -- what is secret in a file ----------------------------------------------------------------------


def _of_file(path: str) -> tuple[str, ...]:
    read = _whole_value if path.endswith(_WHOLE) else _values_in
    try:
        return file_cache.read_cached(path, read, most=_MAX_BYTES)
    except OSError:
        return ()


def _whole_value(data: bytes) -> tuple[str, ...]:
    return tuple(filter(_is_telling, [data.decode("utf-8", "replace").strip()]))


def _values_in(data: bytes) -> tuple[str, ...]:
    text = data.decode("utf-8", "replace")
    return tuple(sorted(set(filter(_is_telling, _secrets_in(text)))))


def _is_telling(value: str) -> bool:
    """False for what may be a word of the project: it would be hidden wherever it stands."""
    if not is_worth_hiding(value) or value.startswith(_ELSEWHERE) or "\n" in value:
        return False
    if len(value) >= _LONG:
        return True
    if " " in value:
        return False
    is_mixed = any(map(str.isalpha, value)) and any(map(str.isdigit, value))
    return is_mixed or (len(value) >= _RATHER_LONG and value.lower() != value)


def _secrets_in(text: str) -> Iterator[str]:
    """The values that the names in a file, or its form, call secret."""
    if text.lstrip()[:1] == "{":
        try:
            yield from _of_table(jsons.loads(text))
        except (ValueError, RecursionError):
            pass  # cut, or not JSON: read line by line
        else:
            return
    words: list[str] = []
    for line in text.splitlines():
        yield from _in_line(line.strip())
        words += line.split() if "password" in line and "=" not in line else []
    yield from (after for name, after in itertools.pairwise(words) if name == "password")
    yield from _in_address(text)


def _of_table(value: Any, name: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _of_table(each, str(key))
    elif isinstance(value, list):
        for each in value:
            yield from _of_table(each, name)
    elif isinstance(value, str) and _is_secret(name):
        yield value


def _is_secret(name: str) -> bool:
    return is_secret_name(name) or name.lower() in ("auth", "_auth")


def _in_line(line: str) -> Iterator[str]:
    if line.count(":") == 4 and " " not in line and "/" not in line:  # .pgpass
        yield line.rpartition(":")[2]
    line = line.removeprefix("export ").removeprefix("- ")
    if line.startswith("<"):  # <password>VALUE</password>
        name, _, rest = line[1:].partition(">")
        value = rest.partition("<")[0]
    else:
        name, sep, value = line.partition("=")
        if not sep or " " in name.strip() or ": " in line[: len(name) + 1]:
            name, sep, value = line.partition(":")
    if _is_secret(name.strip(" \t\"'")):
        yield _unquoted(value.strip())


def _unquoted(value: str) -> str:
    quote = value[:1]
    if quote and quote in "\"'":
        return value[1:].partition(quote)[0]
    words = value.partition("#")[0].split(maxsplit=1)
    return words[0].rstrip(",") if words else ""


def _in_address(text: str) -> Iterator[str]:
    """The passwords of addresses: ``scheme://user:PASSWORD@host``."""
    at = text.find("://")
    while at >= 0:
        authority = text[at + 3 : at + 1024].split("/", maxsplit=1)[0].split()
        user, sign, _ = (authority[0] if authority else "").rpartition("@")
        if sign and ":" in user:
            yield user.partition(":")[2]
        at = text.find("://", at + 3)


# end of module
