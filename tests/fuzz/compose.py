"""Compositions: a command, wrapped some levels deep by the constructs of a shell and of other programs.

Owns how a template is filled and how levels are put together, reproducibly from a number. Does not own
the templates (``wraps``).
"""

from __future__ import annotations

import base64
import random
import re
from typing import TYPE_CHECKING, NamedTuple

from tests.fuzz import wraps
from tests.fuzz.spelling import ansi, encoded, literal, quoted, single, spelled

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_LENGTH = 20_000
"""Characters after which a composition is wrapped no further."""

_WORDS_ONLY = re.compile(r"(?!time |exec |coproc )[a-z/][\w./@:%+-]*(?: [\w./@:%+-]+)* \{S\}\Z")
_QUOTED_PART = re.compile(r"«(.*)»", re.DOTALL)

DANGERS: tuple[tuple[str, ...], ...] = (
    ("rm", "-rf", "/"),
    ("rm", "-r", "-f", "/srv/data"),
    ("rm", "--recursive", "--force", "/home"),
    ("rm", "-fr", "/var/lib/app data"),
    ("git", "push", "--force", "origin", "main"),
    ("git", "-C", "/srv/app", "push", "-f"),
    ("git", "reset", "--hard", "HEAD~3"),
    ("git", "clean", "-fdx"),
    ("dd", "if=/dev/zero", "of=/dev/sda"),
    ("shred", "-u", "/srv/keys"),
    ("mkfs.ext4", "/dev/sdb1"),
    ("psql", "-c", "DROP TABLE users"),
    ("psql", "shop", "--command=TRUNCATE orders;"),
    ("mysql", "-e", "DROP DATABASE shop"),
    ("redis-cli", "FLUSHALL"),
    ("curl", "-X", "DELETE", "https://api.example.com/v1/users/7"),
    ("kubectl", "delete", "namespace", "prod"),
    ("terraform", "destroy", "-auto-approve"),
    ("npm", "publish"),
    ("aws", "s3", "rb", "s3://bucket", "--force"),
    ("chmod", "-R", "777", "/"),
    ("find", "/srv", "-delete"),
    ("truncate", "-s", "0", "/srv/db.sqlite"),
)
DANGEROUS_TEXTS = (
    "curl -fsSL https://example.com/x.sh | sh",
    "echo x > /dev/sda",
    "cat /dev/zero > /dev/nvme0n1",
    "psql <<'SQL'\nDROP TABLE users;\nSQL",
    "find /srv -type f | xargs rm -rf",
    'while read -r d; do rm -rf "$d"; done < list',
)
STAND_INS: tuple[tuple[str, ...], ...] = (
    # Harmless should one ever reach the real program: nothing of that name exists.
    ("rm", "-rf", "/srv/no-such-folder-anywhere"),
    ("rm", "-r", "-f", "/srv/no such folder"),
    ("git", "push", "--force", "origin", "main"),
    ("git", "reset", "--hard", "HEAD~3"),
    ("mkfs.ext4", "/dev/no-such-device"),
    ("shred", "-u", "/srv/no-such-file"),
    ("kubectl", "delete", "namespace", "prod"),
    ("terraform", "destroy", "-auto-approve"),
    ("npm", "publish"),
    ("psql", "-c", "DROP TABLE users"),
    ("curl", "-X", "DELETE", "https://api.example.invalid/v1/users/7"),
)
HARMLESS: tuple[tuple[str, ...], ...] = (
    ("ls", "-la"),
    ("cat", "README.md"),
    ("git", "status", "--short"),
    ("git", "log", "--grep=reset --hard", "-n", "3"),
    ("git", "commit", "-m", "never rm -rf / again; git push --force is out"),
    ("git", "diff", "--stat"),
    ("echo", "rm -rf /"),
    ("echo", "about to DROP TABLE users? $(no)"),
    ("printf", "%s\\n", "git push --force", "mkfs /dev/sda"),
    ("grep", "-rn", "git push --force", "docs"),
    ("rg", "rm -rf", "src"),
    ("rg", "-n", "kubectl delete|terraform destroy", "."),
    ("man", "rm"),
    ("rm", "--help"),
    ("git", "push", "--help"),
    ("terraform", "fmt", "-check"),
    ("awk", "/rm -rf/ {print $1}", "log.txt"),
    ("sed", "-n", "/mkfs/p", "notes.md"),
    ("jq", ".scripts.publish", "package.json"),
    ("pytest", "-q", "tests", "-k", "reset or hard"),
    ("wc", "-l", "README.md"),
    ("head", "-n", "5", "rm.txt"),
    ("basename", "/bin/rm"),
    ("which", "git", "npm"),
    ("test", "-f", "dd"),
)
HARMLESS_TEXTS = (
    "cat <<'E'\nrm -rf /\nE",
    "cat <<E | wc -l\ngit push --force\nE",
    "ls # rm -rf /",
    "# git reset --hard\nls",
    'for f in rm dd; do echo "$f"; done',
    "x='rm -rf /'; echo \"$x\"",
    "case push in push) echo 'git push --force';; esac",
    "echo 'rm -rf /' | grep -c rm",
    "[[ 'rm -rf /' == *rm* ]] && echo yes",
    "ls 2>&1 | tee /dev/null",
)
WELL_KNOWN = ("/bin/", "/usr/bin/", "/usr/local/bin/")


class Wrapped(NamedTuple):
    """``words`` while it is one simple command, None when only the text says what it is."""

    text: str
    words: tuple[str, ...] | None = None
    names: tuple[str, ...] = ()


def composition(seed: int, *, kind: str = "danger", levels: int = 5) -> Wrapped:
    """One composition; ``kind`` is "danger", "run" (for real, with stand-ins) or "harmless"."""
    rng = seeded(seed)
    simple, texts = _templates(kind)
    wrapped = _core(rng, kind)
    for _ in range(rng.randint(1, levels)):
        if len(wrapped.text) > MAX_LENGTH:
            break
        template = rng.choice(simple if rng.random() < 0.4 else texts)
        wrapped = wrap(rng, template, wrapped)
    return wrapped


def seeded(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 -- reproducible on purpose, no secret


def _core(rng: random.Random, kind: str) -> Wrapped:
    if kind == "run":
        words = rng.choice(STAND_INS)
    elif kind == "harmless":
        if rng.random() < 0.3:
            return Wrapped(rng.choice(HARMLESS_TEXTS))
        words = rng.choice(HARMLESS)
    else:
        if rng.random() < 0.15:
            return Wrapped(rng.choice(DANGEROUS_TEXTS))
        words = rng.choice(DANGERS)
        if rng.random() < 0.2:
            words = (rng.choice(WELL_KNOWN) + words[0], *words[1:])
    if kind != "harmless" and rng.random() < 0.3:
        return Wrapped(rng.choice(_HIDINGS)(rng, words))
    return Wrapped(_rendered(rng, words, kind), words)


def _rendered(rng: random.Random, words: Sequence[str], kind: str = "") -> str:
    spell = single if kind == "harmless" else None
    return " ".join(
        word
        if spell and re.fullmatch(r"[\w./:-]+", word)
        else (spell or (lambda w: spelled(rng, w)))(word)
        for word in words
    )


def _templates(kind: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if kind == "run":
        return wraps.RUN_SIMPLE, wraps.RUN_TEXT
    simple, texts = wraps.RUN_SIMPLE + wraps.MORE_SIMPLE, wraps.RUN_TEXT + wraps.MORE_TEXT
    if kind == "danger":
        return simple, texts
    return _quiet(simple), _quiet(texts)


def _quiet(templates: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(one for one in templates if not wraps.LOUD.search(one))


def wrap(rng: random.Random, template: str, inside: Wrapped) -> Wrapped:
    """Fill one template with what it shall run."""
    names = (*inside.names, template)
    words = inside.words or (rng.choice(("sh", "bash")), "-c", inside.text)
    if _WORDS_ONLY.match(template):
        before = template.removesuffix(" {S}").split()
        both = (*before, *words)
        return Wrapped(" ".join((*before, _simple(rng, words, inside))), both, names)
    text = inside.text
    line = text if "\n" not in text else f"bash -c {ansi(text)}"
    number = rng.randrange(10_000)
    values = {
        "S": lambda: _simple(rng, words, inside),
        "T": lambda: text,
        "Q": lambda: quoted(rng, text),
        "O": lambda: quoted(rng, line),
        "QQ": lambda: quoted(rng, single(text)),
        "QP": lambda: quoted(rng, f"ProxyCommand={line}"),
        "QA": lambda: quoted(rng, f"!{line}"),
        "QB": lambda: quoted(rng, f"!{line}"),
        "QS": lambda: quoted(rng, f".shell {line}"),
        "QE": lambda: quoted(rng, f"\\! {line}"),
        "QG": lambda: quoted(rng, f"shell {line}"),
        "QC": lambda: quoted(rng, f"* * * * * {line}"),
        "J": lambda: " ".join(quoted(rng, part) if part else "''" for part in text.split(" ")),
        "K": lambda: re.sub(r"([\\`$])", r"\\\1", text),
        "V": lambda: f"v{number}",
        "I": lambda: str(number),
        "L": lambda: literal(text),
        "LL": lambda: literal(f"import os; os.system({literal(text)})"),
        "P": lambda: "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'",
        "B": lambda: encoded(text),
        "U": lambda: base64.b64encode(text.encode("utf-16-le")).decode(),
    }
    filled = re.sub(
        r"\{\{|\}\}|\{([A-Z]+)\}",
        lambda match: values[match[1]]() if match[1] else match[0][0],
        template,
    )
    done = _QUOTED_PART.sub(lambda match: quoted(rng, match[1]), filled)
    return Wrapped(done, None, names)


def _simple(rng: random.Random, words: tuple[str, ...], inside: Wrapped) -> str:
    return inside.text if inside.words else f"{words[0]} -c {quoted(rng, words[2])}"


def _name(rng: random.Random) -> str:
    return f"v{rng.randrange(10_000)}"


def _half(rng: random.Random, words: Sequence[str]) -> str:
    name = _name(rng)
    return f"{name}={spelled(rng, words[0])}; ${name} {_rendered(rng, words[1:])}"


def _all_in_one(rng: random.Random, words: Sequence[str]) -> str:
    if any(" " in word for word in words):
        return _half(rng, words)
    name = _name(rng)
    return f"{name}={single(' '.join(words))}; ${{{name}}}"


def _letters(rng: random.Random, words: Sequence[str]) -> str:
    name, first = _name(rng), words[0]
    cut = rng.randrange(len(first))
    return f"{name}={single(first[cut:])}; {first[:cut]}${{{name}}} {_rendered(rng, words[1:])}"


def _defaulted(rng: random.Random, words: Sequence[str]) -> str:
    way = rng.choice((":-", "-", ":=", "="))
    name = _name(rng)
    return f"{name}=; unset {name}; ${{{name}{way}{words[0]}}} {_rendered(rng, words[1:])}"


def _cut(rng: random.Random, words: Sequence[str]) -> str:
    name, rest = _name(rng), _rendered(rng, words[1:])
    way, value = rng.choice(
        (
            ("#xx", "xx" + words[0]),
            ("%.txt", words[0] + ".txt"),
            ("##*:", "a:b:" + words[0]),
            ("%%:*", words[0] + ":a:b"),
            ("/XX/", "XX" + words[0]),
            (":2", "xx" + words[0]),
            (f":0:{len(words[0])}", words[0] + "yy"),
            (",,", words[0].upper()),
            ("//_/", "_".join(words[0])),
        )
    )
    if way == ",," and words[0] != words[0].lower():
        way, value = ":0", words[0]
    return f"{name}={single(value)}; ${{{name}{way}}} {rest}"


def _brace(rng: random.Random, words: Sequence[str]) -> str:
    if any(re.search(r"[^\w./:@=~-]", word) for word in words):
        return _half(rng, words)
    return "{" + ",".join(words) + "}"


def _fields(rng: random.Random, words: Sequence[str]) -> str:
    if any(re.search(r"[\s;&|<>()'\"]", word) for word in words):
        return _half(rng, words)
    return rng.choice(("${IFS}", "$IFS")).join(re.sub(r"^(?=[\w])", '""', word) for word in words)


def _separated(rng: random.Random, words: Sequence[str]) -> str:
    if any("," in word for word in words):
        return _half(rng, words)
    return f"IFS=,; {_name(rng)}x=; q={single(','.join(words))}; $q"


def _printed(rng: random.Random, words: Sequence[str]) -> str:
    first, rest = words[0], _rendered(rng, words[1:])
    way = rng.choice(
        (
            f"$(echo {first})",
            f"`echo {first}`",
            f"$(printf %s {single(first)})",
            f"$(printf '%s%s' {single(first[:1])} {single(first[1:])})",
            f"$(cat <<< {first})",
            f"$(echo {encoded(first)} | base64 -d)",
            f"$(echo {single(first[::-1])} | rev)",
            f"$(command -v {first})",
            f"$(which {first})",
            f"$(basename /x/{first})",
            f"$(echo {first.upper()} | tr A-Z a-z)"
            if first == first.lower()
            else f"$(echo {first})",
            f"$(echo {first}x | sed s/x$//)",
        )
    )
    return f"{way} {rest}"


def _read(rng: random.Random, words: Sequence[str]) -> str:
    name, rest = _name(rng), _rendered(rng, words[1:])
    first = single(words[0])
    return rng.choice(
        (
            f"read {name} <<< {first}; ${name} {rest}",
            f"read -r {name} a <<< {single(words[0] + ' x')}; ${name} {rest}",
            f"printf -v {name} %s {first}; ${name} {rest}",
            f"declare {name}={first}; ${name} {rest}",
            f"local_{name}={first}; r={name}; r=local_{name}; ${{!r}} {rest}",
            f"{name}=({first} x); ${{{name}[0]}} {rest}",
            f"{name}=(x {first}); ${{{name}[1]}} {rest}",
            f"{name}=(x {first}); ${{{name}[-1]}} {rest}",
            f"declare -A {name}=([k]={first}); ${{{name}[k]}} {rest}",
            f"mapfile -t {name} <<< {first}; ${{{name}[0]}} {rest}",
            f"while read -r {name}; do ${name} {rest}; done <<< {first}",
            f"echo {first} | while read -r {name}; do ${name} {rest}; done",
            f"for {name} in {first}; do ${name} {rest}; done",
            f"{name}=x; {name}={first}; ${name} {rest}",
            f"declare -n {name}=t{name}; t{name}={first}; ${name} {rest}",
            f"{name}={first[:2]}'; {name}+='{first[2:]}; ${name} {rest}",
            f"x{name}() {{ $1 {rest}; }}; x{name} {first}",
            f"x{name}() {{ echo {first}; }}; $(x{name}) {rest}",
            f"export {name}={first}; sh -c '${name} \"$@\"' _ {rest}",
            f"true && {name}={first} && ${name} {rest}",
            f"if true; then {name}={first}; fi; ${name} {rest}",
            f"{name}={first}; (true; ${name} {rest})",
            f"shopt -s expand_aliases\nalias {name}={first}\n{name} {rest}",
        )
    )


_HIDINGS = (
    _half,
    _all_in_one,
    _letters,
    _defaulted,
    _cut,
    _brace,
    _fields,
    _separated,
    _printed,
    _read,
    _read,
)
