"""Programs that are no wrappers, yet run a command that stands in an option, a script or their input.

Owns which option or line that is, as data, and finding the text. Does not own programs whose words go
on as another program's (``shell.wrappers``) nor languages (``shell.interpreters``).
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from operators_edge.shell.commands import HOLE, Word
from operators_edge.shell.operands import Inner, joined, option_value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

OPTIONS: dict[str, str] = {
    # program → options whose value it gives to a shell
    "man": "P pager",
    "rsync": "e rsh rsync-path",
    "zip": "TT unzip-command",
    "tar": "I use-compress-program to-command F info-script new-volume-script",
    "gtar": "I use-compress-program to-command F info-script new-volume-script",
    "bsdtar": "use-compress-program",
    "sort": "compress-program",
    "split": "filter",
    "ansible": "a args",
    "chokidar": "c command",
    "watchman-make": "run",
    "svn": "diff-cmd editor-cmd",
    "git": "extcmd upload-pack receive-pack open-files-in-pager",
    "cargo-watch": "s shell",
    "nodemon": "x exec",
    "rg": "pre",
    "ncat": "c sh-exec",
    "openvpn": "up down route-up",
    "mosh": "ssh",
    "eb": "c command",
}
_LINES: dict[str, tuple[str, str]] = {
    # program → options whose value it reads as its own commands, the pattern of those that run one
    "psql": ("c command", r"(?m)^[ \t]*\\!\s*(.+)"),
    "mysql": ("e execute", r"(?m)(?:^|;)[ \t]*(?:\\!|system\s)\s*(.+)"),
    "mariadb": ("e execute", r"(?m)(?:^|;)[ \t]*(?:\\!|system\s)\s*(.+)"),
    "sqlite3": ("cmd", r"(?m)^[ \t]*\.(?:shell|system)\s+(.+)"),
    "gdb": ("ex iex eval-command init-eval-command", r"(?m)^[ \t]*(?:shell\s|!)\s*(.+)"),
    "lldb": ("o O one-line", r"(?m)^[ \t]*(?:platform\s+)?shell\s+(.+)"),
    "ed": ("", r"(?m)^[ \t]*!(.+)"),
    "ftp": ("", r"(?m)^[ \t]*!(.+)"),
    "sftp": ("", r"(?m)^[ \t]*!(.+)"),
    "lftp": ("e c", r"(?m)(?:^|;)[ \t]*!(.+)"),
    "gnuplot": ("e", r"(?m)(?:^|;)[ \t]*(?:!|system\s)\s*(.+)"),
    "dc": ("e", r"(?m)^[ \t]*!(.+)"),
    "less": ("", r"\A\+!(.+)"),
    "more": ("", r"\A\+!(.+)"),
}
_COPY_PROGRAM = re.compile(r"(?i)\b(?:from|to)\s+program\s+'((?:[^']|'')+)'")
_RECIPE = re.compile(r"(?m)(?:^\t|^[^\s#:=][^:=\n]*:[^=\n;]*;)[ \t]*[-@+]*[ \t]*(.+)")
_MAKE_SHELL = re.compile(r"\$\((?:shell)\s+([^()]*(?:\([^()]*\)[^()]*)*)\)")
_MAX_FOUND = 200


def escapes(name: str, argv: Sequence[Word], stdin: str | None) -> list[Inner]:
    """Return what the program ``name`` is told to run by its options or its own commands."""
    found: list[Inner] = []
    options = OPTIONS.get(name)
    if options:
        found += _by_option(name, argv, options)
    if name in _LINES:
        found += _by_line(name, argv, stdin)
    special = _SPECIALS.get(name)
    return found + special(name, argv, stdin) if special else found


def _by_option(name: str, argv: Sequence[Word], options: str) -> list[Inner]:
    rest = argv[1:]
    return [
        Inner(f"{name} {_dashed(option)}", text=text, is_kept=True)
        for option in options.split()
        if (text := _value(rest, option)) and not re.fullmatch(r"-?[\w.]*", text.text)
    ]


def _value(words: Sequence[Word], option: str) -> Word | None:
    """Return an option's value; ``-TT`` is an option of its own, no cluster."""
    if len(option) == 2:
        at = next((i for i, word in enumerate(words) if word.text == f"-{option}"), -1)
        return words[at + 1] if 0 <= at < len(words) - 1 else None
    return option_value(words, option)


def _dashed(option: str) -> str:
    return f"-{option}" if len(option) < 3 else f"--{option}"


def _by_line(name: str, argv: Sequence[Word], stdin: str | None) -> list[Inner]:
    options, pattern = _LINES[name]
    texts = [word for word in argv[1:] if not word.text.startswith("-") or "=" in word.text]
    texts += [
        Word(word.text[2:], word.span) for word in argv[1:] if re.match(r"-[ec][^-]", word.text)
    ]
    texts = [
        Word(word.text.partition("=")[2], word.span) if word.text.startswith("--") else word
        for word in texts
    ]
    if stdin is not None and name not in {"less", "more"}:
        texts.append(Word(stdin, argv[0].span))
    found: list[Inner] = []
    through = f"{name} -{options.split()[0]}" if options else f"{name} !"
    for text in texts:
        runs = [*re.finditer(pattern, text.text)]
        if name == "psql":
            runs += [*_COPY_PROGRAM.finditer(text.text)]
        for run in runs[:_MAX_FOUND]:
            command = Word(run[1].replace("''", "'") if name == "psql" else run[1], text.span)
            found.append(Inner(through, text=command, is_kept=True, takes_stdin=False))
    return found


def _tar(name: str, argv: Sequence[Word], _: str | None) -> list[Inner]:
    """``--checkpoint-action=exec=TEXT``."""
    return [
        Inner(f"{name} --checkpoint-action", text=Word(run[1], word.span), is_kept=True)
        for word in argv[1:]
        if (run := re.match(r"(?:--checkpoint-action=)?exec=(.+)", word.text, re.DOTALL))
    ]


def _make(name: str, argv: Sequence[Word], stdin: str | None) -> list[Inner]:
    """``SHELL=TEXT``, and the recipes of a makefile given on standard input."""
    found = [
        Inner(f"{name} SHELL=", text=Word(word.text[6:], word.span), is_kept=True)
        for word in argv[1:]
        if word.text.startswith("SHELL=") and not re.fullmatch(r"[\w./-]*", word.text[6:])
    ]
    texts = [option_value(argv[1:], "eval")]
    file = option_value(argv[1:], "f file makefile")
    if stdin is not None and file is not None and file.text in {"-", "/dev/stdin"}:
        texts.append(Word(stdin, argv[0].span))
    for text in texts:
        if text is None:
            continue
        plain = text.text.replace("$$", "$")
        runs = [*_RECIPE.finditer(plain), *_MAKE_SHELL.finditer(plain)][:_MAX_FOUND]
        found += [
            Inner(f"{name} recipe", text=Word(run[1], text.span), is_kept=True, takes_stdin=False)
            for run in runs
        ]
    return found


_GIT_RUNS = re.compile(
    r"(?i)(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy)|diff\.external"
    r"|sequence\.editor|gpg\.program|credential\.helper|pager\.\w+|interactive\.difffilter"
    r"|(?:diff|filter|merge|mergetool|difftool|remote)\.[^=]+"
    r"\.(?:command|textconv|clean|smudge|process|driver|cmd|uploadpack|receivepack))=!?(.+)",
    re.DOTALL,
)


def _git(name: str, argv: Sequence[Word], _: str | None) -> list[Inner]:
    """``ext::TEXT`` as a remote, ``difftool -x TEXT``, ``-c core.pager=TEXT``."""
    found = [
        Inner(f"{name} -c", text=Word(run[1], word.span), is_kept=True)
        for before, word in pairwise(argv)
        if before.text in {"-c", "--config", "config"} or before.text.startswith("--config-env")
        if (run := _GIT_RUNS.fullmatch(word.text))
    ]
    found += [
        Inner(f"{name} ext::", text=Word(word.text[5:], word.span), is_kept=True)
        for word in argv[1:]
        if word.text.startswith("ext::")
    ]
    if any(word.text == "difftool" for word in argv[1:4]):
        text = option_value(argv[1:], "x")
        found += [Inner("git difftool -x", text=text, is_kept=True)] if text else []
    return found


def _powershell(name: str, argv: Sequence[Word], stdin: str | None) -> list[Inner]:
    """``-Command TEXT…`` and ``-EncodedCommand BASE64`` (UTF-16); options may be abbreviated."""
    rest = list(argv[1:])
    while rest:
        option = rest[0].text.lower().lstrip("-/")
        if rest[0].text[:1] not in {"-", "/"}:
            return []
        rest.pop(0)
        if (option and "encodedcommand".startswith(option)) or option == "ec":
            text = _utf16(rest[0].text if rest else "")
            words = () if text else (Word(HOLE, argv[0].span),)
            inner = Word(text, argv[0].span) if text else None
            return [Inner(f"{name} -EncodedCommand", words, text=inner)]
        if option and "command".startswith(option):
            if [word.text for word in rest] == ["-"]:
                return [Inner(f"{name} -Command", text=Word(stdin, argv[0].span))] if stdin else []
            return [Inner(f"{name} -Command", text=joined(rest))] if rest else []
        if option not in {
            "noprofile",
            "nop",
            "noninteractive",
            "noni",
            "nologo",
            "noexit",
            "sta",
            "mta",
        }:
            rest = rest[1:]
    return []


def _utf16(text: str) -> str:
    import base64  # noqa: PLC0415 - for encoded texts only

    try:
        return base64.b64decode(text, validate=True).decode("utf-16-le")
    except ValueError:
        return ""


def _cmd(name: str, argv: Sequence[Word], _: str | None) -> list[Inner]:
    at = next((i for i, word in enumerate(argv) if word.text.lower() in {"/c", "/k"}), 0)
    rest = argv[at + 1 :]
    return [Inner(f"{name} /c", text=joined(rest), is_kept=True)] if at and rest else []


_SPECIALS: dict[str, Callable[[str, Sequence[Word], str | None], list[Inner]]] = {
    "tar": _tar,
    "gtar": _tar,
    "make": _make,
    "gmake": _make,
    "git": _git,
    "pwsh": _powershell,
    "powershell": _powershell,
    "cmd": _cmd,
}
