"""Programs that run commands from an option, a script, their input or a list of items.

Owns which options and lines those are, as data, and finding the commands; and programs that run a command for
each item: find, xargs, parallel. Unknown items are HOLEs or ``has_more_words``. Does not own programs whose
own words continue as another program's (``shell.wrappers``), nor languages (``shell.code.interpreters``).
"""

from __future__ import annotations

import binascii
import re
import shlex
from itertools import islice, pairwise, zip_longest

from operators_edge.shell.commands import (
    HOLE,
    Word,
    Wrapped,
    join_words,
    option_value,
    skip_options,
)
from operators_edge.shell.known_output import places_of_find, shape_of
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_SHELL_OPTIONS: dict[str, str] = {
    # program → options whose value it passes to a shell
    "man": "P pager H html",
    "rsync": "e rsh rsync-path",
    "zip": "TT unzip-command",
    **dict.fromkeys(
        ("tar", "gtar"),
        "I use-compress-program to-command F info-script new-volume-script rsh-command rmt-command",
    ),
    "bsdtar": "use-compress-program",
    **dict.fromkeys(("scp", "sftp"), "S"),
    **dict.fromkeys(
        ("nu", "xonsh", "elvish", "oil", "osh", "ysh", "yash", "rc", "es"), "c commands"
    ),
    **dict.fromkeys(("mysql", "mariadb"), "pager"),
    "go": "toolexec exec vettool",
    "fzf": "preview",
    "borg": "rsh",
    "restic": "password-command",
    "hg": "ssh remotecmd",
    "dpkg": "pre-invoke post-invoke",
    "valgrind": "db-command",
    "sort": "compress-program",
    "split": "filter",
    "chokidar": "c command",
    "watchman-make": "run",
    "svn": "diff-cmd editor-cmd",
    "git": "extcmd upload-pack receive-pack open-files-in-pager",
    "cargo-watch": "s shell",
    "nodemon": "x exec",
    "rg": "pre hostname-bin",
    **dict.fromkeys(("ag", "bat", "batcat", "delta"), "pager"),
    "ncat": "c sh-exec",
    "openvpn": "up down route-up",
    "mosh": "ssh",
    "eb": "c command",
}
_GIVES_FILES = frozenset(("rg",))
"""Programs that start the program of such an option with each file; it is no shell's text."""
_QUOTED_CALL = (
    # system("TEXT"), shell-command "TEXT", Sys.command "TEXT", os:cmd("TEXT"), run `TEXT'
    r"(?i)(?:\b(?:system|shell|exec|execute|run|run-program|run-shell-command|callCommand|command|cmd|qx"
    r"|shell-command(?:-to-string)?|async-shell-command|start-process-shell-command|esyscmd|syscmd|popen)"
    r"|shell/sh|os:cmd)[\s(,;:\[]*['\"`]([^'\"`]+(?:['\"`]\s+['\"`][^'\"`]+)*)['\"`]"
)
_OWN_COMMANDS: dict[str, tuple[str, str]] = {
    # program → options whose value is in its own command language, and the pattern of commands that run a
    # shell
    "psql": (
        "c command",
        r"(?m)^[ \t]*\\!\s*(.+)|\\(?:g|gx|o|out|w)\s*\|\s*(.+)|^[ \t]*\\(?!!)\w+[^`\n]*`([^`\n]+)`",
    ),
    "mysql": ("e execute", r"(?m)(?:^|;)[ \t]*(?:\\!|system\s)\s*(.+)"),
    "mariadb": ("e execute", r"(?m)(?:^|;)[ \t]*(?:\\!|system\s)\s*(.+)"),
    "sqlite3": (
        "cmd",
        r"(?m)^[ \t]*\.(?:sh\w*|sy\w*)\s+(.+)|^[ \t]*\.\w+\s+[\"']?\|\s*([^\"'\n]+)",
    ),
    "gdb": (
        "ex iex eval-command init-eval-command",
        r"(?m)^[ \t]*(?:shell\s|!|(?:pipe\b|\|)[^|\n]*\|)\s*(.+)",
    ),
    "lldb": ("o O one-line", r"(?m)^[ \t]*(?:platform\s+)?shell\s+(.+)"),
    **dict.fromkeys(
        ("ssh", "scp", "sftp"),
        (
            "",
            r"(?im)^[ \t]*(?:!|(?:(?:proxy|local|knownhosts)command|match[ \t].*\bexec)[ \t=]+)(.+)",
        ),
    ),
    "ed": ("", r"(?m)^[ \t]*!(.+)"),
    "ftp": ("", r"(?m)^[ \t]*!(.+)"),
    "lftp": ("e c", r"(?m)(?:^|;)[ \t]*!(.+)"),
    "gnuplot": ("e", r"(?m)(?:^|;)[ \t]*(?:!\s*|system\s*\(?\s*[\"'])([^\"'\n]+)"),
    "dc": ("e", r"(?m)^[ \t]*!(.+)"),
    "bc": ("", r"(?m)^[ \t]*!(.+)"),
    "groff": ("", r"(?m)^\.[ \t]*(?:sy|pso|open)[ \t]+(.+)"),
    "troff": ("", r"(?m)^\.[ \t]*(?:sy|pso|open)[ \t]+(.+)"),
    **dict.fromkeys(
        (
            *("octave", "m4", "ghc", "runghc", "runhaskell", "ocaml", "swipl", "guile", "sbcl"),
            *("clojure", "clj", "bb", "erl", "jshell", "kotlin", "kotlinc", "scala", "emacsclient"),
            *("emacs", "nu", "xonsh", "elvish", "nmap", "racket", "gap", "maxima", "raku"),
        ),
        ("eval", _QUOTED_CALL),
    ),
}
_LOGS: dict[str, str] = {
    # program that runs another one → its options whose value it writes
    **dict.fromkeys(("strace", "ltrace"), "o output"),
    **dict.fromkeys(("time", "gtime"), "o output"),
    "valgrind": "log-file xml-file",
    "heaptrack": "o output",
}
_ELSEWHERE = pattern(r"/|~|\.\./")
_OWN_CODE: dict[str, tuple[str, str]] = {
    # program → its own commands that run code of another language, and how that is run
    "gdb": (r"(?s)[ \t]*(?:python|py|python-interactive|pi)\s+(.+)", "python3 -c {word}"),
    "lldb": (r"(?s)[ \t]*script\s+(?:-l\s*python\s+)?(?:--\s+)?(.+)", "python3 -c {word}"),
    "wp": (r"(?s)(.*[;(].*)", "php -r {word}"),
    "drush": (r"(?s)(.*[;(].*)", "php -r {word}"),
    "rails": (r"(?s)(.*[.(].*)", "ruby -e {word}"),
    "blender": (r"(?s)(.*[.(].*)", "python3 -c {word}"),
}
_OWN_WRITES: dict[str, str] = {
    # program → the pattern of its own commands that write the file they name
    "sqlite3": r"(?m)^[ \t]*\.(?:output|once|log|backup|save|excel|trace)\s+([^\s|-]\S*)"
    r"|\bwritefile\(\s*'([^']+)'|(?i:\bvacuum\b[^;']*\binto)\s+'([^']+)'",
    "psql": r"(?m)^[ \t]*\\(?:o|out|w|write|s)\s+([^\s|]\S*)|\\g[x]?\s+([^\s|]\S*)",
    "mysql": r"(?:^|;)\s*(?:tee|\\T)\s+(\S+)",
    "emacs": r"\(\s*(?:write-region|write-file|append-to-file)\b[^\"]*(?:\"\"[^\"]*)?\"([^\"]+)\"",
    "gdb": r"(?m)^[ \t]*(?:set\s+logging\s+file|dump\s+\w+\s+\w+)\s+(\S+)",
}
_ODD = r"(?!(?:/(?:usr|opt|s?bin)/[\w./+-]*|[\w.+-]+)\Z)(.+)"
"""A value that is more than the name of an installed program."""
_COMPILERS = ("gcc", "g++", "cc", "c++", "clang", "clang++", "gfortran", "gdc", "gccgo")
_CONNECTIONS = (
    r"(?i)(?:-[a-z]*o\s*)?(?:ProxyCommand|LocalCommand|KnownHostsCommand)[=\s]+(.+)",
    "{}",
)
_FZF_ACTION = (
    r"(?s).*?\b(?:execute(?:-silent|-multi)?|become|reload(?:-sync)?|transform(?:-[a-z-]+)?"
    r"|(?:change-)?preview)[(:\[{<](.+?)[)\]}>]?"
)
_TRACED = (r"(?:-[a-zA-Z]*o)?\s*[|!](.+)", "{}")
_APT = (r"(?i)(?:-o\s*)?(?:[\w:.-]*invoke[\w:.-]*|dir::bin::[\w:.-]+)=(.+)", "{}")
_IN_WORDS: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    # program → how it is reached ("": by what is before the text), and the words that hold a shell text, with
    # what they amount to: {} is the text, {word} the text as one word
    **dict.fromkeys(
        ("tar", "gtar"), ("--checkpoint-action", ((r"(?:--checkpoint-action=)?exec=(.+)", "{}"),))
    ),
    **dict.fromkeys(
        ("make", "gmake"),
        (
            "",
            (
                (
                    r"(?:SHELL|MAKE|CC|CXX|CPP|LD|AR|AS|FC|LEX|YACC|INSTALL|PYTHON|NODE)=" + _ODD,
                    "{}",
                ),
                (r"\.SHELLFLAGS=(.+)", "sh {}"),
                (r"(?:GNU)?MAKEFLAGS=(.+)", "make {word}"),
            ),
        ),
    ),
    **dict.fromkeys(("ssh", "autossh", "mosh", "scp", "sftp"), ("-o", (_CONNECTIONS,))),
    **dict.fromkeys(("strace", "ltrace"), ("-o", (_TRACED,))),
    **dict.fromkeys(("apt", "apt-get", "apt-cache", "aptitude"), ("-o", (_APT,))),
    "dpkg": ("", ((r"--(?:pre|post)-invoke=(.+)", "{}"),)),
    "systemd-run": ("", ((r"(?:-p\s*|--property=)?Exec\w+=[-@:+!]*(.+)", "{}"),)),
    "fzf": ("", ((_FZF_ACTION, "{}"),)),
    "go": ("", ((r"--?(?:toolexec|exec|vettool)=(.+)", "{}"),)),
    "cargo": (
        "",
        ((r"(?s).*\b(?:runner|linker|rustc-wrapper)\s*=\s*[\"\[\s]*([^\"\]]+).*", "{}"),),
    ),
    "nmap": ("", ((r"--script=(\.{0,2}/.+)", "lua {}"),)),
    "perf": ("", ((r"--(?:pager|control)=(.+)", "{}"),)),
    "git": ("ext::", ((r"ext::(.+)", "{}"),)),
    "socat": ("", ((r"(?i)(?:EXEC|SYSTEM|SHELL):(.+)", "{}"),)),
    "less": ("!", ((r"(?s).*\+[!|](.+)", "{}"),)),
    "more": ("!", ((r"\+!(.+)", "{}"),)),
}
_COPY_PROGRAM = pattern(
    r"(?is)\b(?:from|to)\s+program\s+(?:'((?:[^']|'')+)'|\$(?:\w*)\$(.+?)\$\w*\$)"
)
_RECIPE = pattern(r"(?m)(?:^\t|^[^\s#:=][^:=\n]*:[^=\n;]*;)[ \t]*[-@+]*[ \t]*(.+)")
_MAKE_SHELL = pattern(r"\$\((?:shell)\s+([^()]*(?:\([^()]*\)[^()]*)*)\)")
_MAX_EMBEDDED = 200


def has_commands_of_its_own(name: str) -> bool:
    """Whether a file of the program's own commands may run others."""
    return name in _OWN_COMMANDS


def find_embedded(name: str, argv: Sequence[Word], stdin: str | None) -> list[Wrapped]:
    """Return what the program ``name`` runs because of its options or its own command language."""
    found: list[Wrapped] = []
    options = _SHELL_OPTIONS.get(name)
    if options:
        found += _by_option(name, argv, options)
    if name in _IN_WORDS:
        found += _by_word(name, argv)
    if name in _OWN_COMMANDS:
        found += _by_own_command(name, argv, stdin)
    if name in _LOGS:
        log = option_value(argv[1:], _LOGS[name])
        if log and _ELSEWHERE.match(log.text):
            found.append(Wrapped(name, (Word("tee"), Word("-a"), log), takes_stdin=False))
    if name in _OWN_CODE:
        pattern, template = _OWN_CODE[name]
        found += [
            Wrapped(name, text=Word(fill(template, run[1]), word.span), keeps_wrapper=True)
            for word in argv[1:]
            if (run := re.fullmatch(pattern, word.text))
        ]
    if name in _OWN_WRITES:
        found += _by_own_writes(name, argv, stdin)
    special = _SPECIALS.get(name)
    return found + special(name, argv, stdin) if special else found


def _by_option(name: str, argv: Sequence[Word], options: str) -> list[Wrapped]:
    found = []
    for option in options.split():
        text = _value(argv[1:], option)
        through = f"{name} {_spell_option(option)}"
        if text and name in _GIVES_FILES:
            words = (text, Word(HOLE, text.span))
            found.append(Wrapped(through, words, keeps_wrapper=True, takes_stdin=False))
        elif text and not re.fullmatch(r"-?[\w.]*", text.text):
            found.append(Wrapped(through, text=text, keeps_wrapper=True))
    return found


def _by_word(name: str, argv: Sequence[Word]) -> list[Wrapped]:
    how, patterns = _IN_WORDS[name]
    return [
        Wrapped(
            f"{name} {how or word.text[: run.start(1)].strip('= |!')}",
            text=Word(fill(template, _unescaped(name, run[1])), word.span),
            keeps_wrapper=True,
        )
        for word in argv[1:]
        for pattern, template in patterns
        if (run := re.fullmatch(pattern, word.text, re.DOTALL))
    ]


def _unescaped(name: str, text: str) -> str:
    return text.replace("\\", "") if name == "socat" else text


def fill(template: str, text: str) -> str:
    """Return what a value amounts to: {} is the text, {word} the text as one word, {words} its words, {rest}
    what follows its first character.
    """
    if "{words}" in template:
        words = [word.replace("\\", "") for word in re.split(r"(?<!\\)\s+", text.strip())]
        return template.replace("{words}", " ".join(map(shlex.quote, words)))
    template = template.replace("{rest}", text[1:])
    return template.replace("{word}", shlex.quote(text)).replace("{}", text)


def _value(words: Sequence[Word], option: str) -> Word | None:
    """Return an option's value; ``-TT`` is a separate option, not a cluster."""
    if len(option) == 2:
        at = next((i for i, word in enumerate(words) if word.text == f"-{option}"), -1)
        return words[at + 1] if 0 <= at < len(words) - 1 else None
    return option_value(words, option)


def _spell_option(option: str) -> str:
    return f"-{option}" if len(option) < 3 else f"--{option}"


def _by_own_command(name: str, argv: Sequence[Word], stdin: str | None) -> list[Wrapped]:
    options, pattern = _OWN_COMMANDS[name]
    given = argv[1:] if options else ()
    texts = [word for word in given if not word.text.startswith("-") or "=" in word.text]
    texts += [Word(word.text[2:], word.span) for word in given if re.match(r"-[ec][^-]", word.text)]
    texts = [
        Word(word.text.partition("=")[2], word.span) if word.text.startswith("--") else word
        for word in texts
    ]
    if stdin is not None:
        texts.append(Word(stdin, argv[0].span))
    found: list[Wrapped] = []
    through = f"{name} -{options.split()[0]}" if options else f"{name} !"
    for text in texts:
        runs = [*re.finditer(pattern, text.text)]
        if name == "psql":
            runs += [*_COPY_PROGRAM.finditer(text.text)]
        for run in runs[:_MAX_EMBEDDED]:
            words = next(filter(None, run.groups()), "")
            command = Word(words.replace("''", "'") if name == "psql" else words, text.span)
            found.append(Wrapped(through, text=command, keeps_wrapper=True, takes_stdin=False))
    return found


def _by_own_writes(name: str, argv: Sequence[Word], stdin: str | None) -> list[Wrapped]:
    texts = [*argv[1:], *([Word(stdin, argv[0].span)] if stdin else [])]
    return [
        Wrapped(name, (Word("tee"), Word(path, text.span)), keeps_wrapper=True, takes_stdin=False)
        for text in texts
        for run in islice(re.finditer(_OWN_WRITES[name], text.text), _MAX_EMBEDDED)
        if (path := next(filter(None, run.groups()), ""))
    ]


def _compiler(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    """``gcc -wrapper PROGRAM,ARGUMENT…`` starts each of its parts through a program."""
    return [
        Wrapped(
            f"{name} -wrapper",
            tuple(Word(text, word.span) for text in word.text.split(",")),
            keeps_wrapper=True,
        )
        for before, word in pairwise(argv)
        if before.text == "-wrapper"
    ]


def _make(name: str, argv: Sequence[Word], stdin: str | None) -> list[Wrapped]:
    """Recipes given with ``--eval``, or as a makefile on standard input."""
    found: list[Wrapped] = []
    texts = [option_value(argv[1:], "eval E")]
    texts += [Word(word.text[2:], word.span) for word in argv[1:] if re.match(r"-E.", word.text)]
    file = option_value(argv[1:], "f file makefile")
    if stdin is not None and file is not None and file.text in {"-", "/dev/stdin"}:
        texts.append(Word(stdin, argv[0].span))
    for text in texts:
        if text is None:
            continue
        plain = text.text.replace("$$", "$")
        runs = [*_RECIPE.finditer(plain), *_MAKE_SHELL.finditer(plain)][:_MAX_EMBEDDED]
        found += [
            Wrapped(
                f"{name} recipe",
                text=Word(run[1], text.span),
                keeps_wrapper=True,
                takes_stdin=False,
            )
            for run in runs
        ]
    return found


_GIT_RUNS = pattern(
    r"(?i)(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy|alternaterefscommand)"
    r"|diff\.external|sequence\.editor|gpg\.(?:\w+\.)?(?:program|defaultkeycommand)|credential\.(?:.+\.)?helper"
    r"|pager\.\w+|interactive\.difffilter|uploadpack\.packobjectshook|receive\.procreceiverefs"
    r"|sendemail\.(?:.+\.)?(?:smtpserver|sendmailcmd|tocmd|cccmd|headercmd)|instaweb\.httpd|web\.browser"
    r"|tar\..+\.command|submodule\..+\.update"
    r"|(?:browser|man|trailer|guitool|imap|bigfilethreshold)\..+\.(?:cmd|command|path|tunnel)"
    r"|(?:diff|filter|merge|mergetool|difftool|remote)\..+"
    r"\.(?:command|cmd|path|textconv|clean|smudge|process|driver|uploadpack|receivepack|vcs))"
)


def _git(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    """``difftool -x TEXT``, ``-c core.pager=TEXT``, ``config core.pager TEXT``."""
    found = [
        Wrapped(f"{name} -c", text=value._replace(text=value.text.lstrip("!")), keeps_wrapper=True)
        for key, value in _git_settings(argv)
        if value.text.strip("!") and _GIT_RUNS.fullmatch(key)
    ]
    if any(word.text == "difftool" for word in argv[1:4]):
        text = option_value(argv[1:], "x")
        found.append(Wrapped("git difftool -x", text=text, keeps_wrapper=True))
    return found


def _git_settings(argv: Sequence[Word]) -> Iterator[tuple[str, Word]]:
    """Yield the settings that git is given for one command, or keeps: their names and values."""
    is_config = any(word.text == "config" for word in argv[1:8])
    for before, word in pairwise(argv):
        name, equals, value = word.text.removeprefix("--config=").partition("=")
        if before.text in {"-c", "--config"} or word.text.startswith("--config="):
            yield name, Word(value if equals else "", word.span)
        elif is_config and "." in before.text and not before.text.startswith(("-", ".", "/")):
            yield before.text, word


_ANSIBLE_RUNS = frozenset(["", "shell", "command", "raw", "win_shell", "win_command"])


def _ansible(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    """``-a TEXT`` is a command for modules that run one, the only arguments of the others."""
    module = option_value(argv[1:], "m module-name")
    text = option_value(argv[1:], "a args")
    is_tried = any(word.text in {"-C", "--check", "--list-hosts"} for word in argv)
    is_run = (module.text.rpartition(".")[2] if module else "") in _ANSIBLE_RUNS and not is_tried
    return [Wrapped(f"{name} -a", text=text, keeps_wrapper=True)] if text and is_run else []


_POWERSHELL_FLAGS = "noprofile nop noninteractive noni nologo noexit sta mta"


def _powershell(name: str, argv: Sequence[Word], stdin: str | None) -> list[Wrapped]:
    """``-Command TEXT…``, ``-EncodedCommand BASE64`` (UTF-16), ``-File FILE``; options may be abbreviated."""
    rest = list(argv[1:])
    while rest and rest[0].text[:1] in {"-", "/"}:
        option = rest.pop(0).text.lower().lstrip("-/")
        if option == "ec" or _is_short_for("encodedcommand", option):
            return [_encoded(f"{name} -EncodedCommand", rest, argv[0].span)]
        if _is_short_for("command", option):
            from operators_edge.shell import powershell_texts  # noqa: PLC0415 - few lines have one

            if [word.text for word in rest] == ["-"]:
                rest = [Word(stdin, argv[0].span)] if stdin else []
            text = join_words(rest)
            blocks = _BLOCK.findall(text.text)[:_MAX_EMBEDDED] if text else []
            return [
                Wrapped(f"{name} -Command", text=Word(powershell_texts.plain(one), text.span))
                for one in ((text.text, *blocks) if text else ())
                if text
            ]
        if _is_short_for("file", option):
            break
        if option not in _POWERSHELL_FLAGS.split():
            rest = rest[1:]
    if rest and rest[0].text.endswith(".ps1") and len(rest) + 1 < len(argv):
        return [Wrapped(f"{name} -File", (argv[0], *rest))]
    # Without an option, Windows PowerShell takes a command, and PowerShell 7 a file.
    if rest and (name == "powershell" or " " in rest[0].text) and not rest[0].text.endswith(".ps1"):
        return _powershell(name, [argv[0], Word("-Command", argv[0].span), *rest], stdin)
    return []


_BLOCK = pattern(
    r"(?i)(?:(?:\A|[|;])\s*%|\b(?:foreach(?:-object)?|icm|invoke-command|start-job)|(?:\A|[|;])\s*&)"
    r"\s[^{|;$]{0,200}\{([^{}]+)\}"
)
"""What runs for each object, or elsewhere."""


def _is_short_for(name: str, option: str) -> bool:
    return bool(option) and name.startswith(option)


def _encoded(through: str, rest: list[Word], span: tuple[int, int]) -> Wrapped:
    text = _utf16(rest[0].text) if rest else ""
    return (
        Wrapped(through, text=Word(text, span)) if text else Wrapped(through, (Word(HOLE, span),))
    )


def _utf16(text: str) -> str:
    try:
        return binascii.a2b_base64(text, strict_mode=True).decode("utf-16-le")
    except ValueError:
        return ""


def _start_process(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    """``Start-Process FILE -ArgumentList TEXT…``: each text may hold several arguments."""
    program, given = "", list[str]()
    words = iter(argv[1:])
    for word in words:
        option = word.text.lower().lstrip("-") if word.text.startswith("-") else ""
        if not option and not program:
            program = word.text
        elif not option or _is_short_for("argumentlist", option) or option == "args":
            value = next(words, word).text if option else word.text
            given += [part.strip("'\" ") for part in value.split(",")]
        elif _is_short_for("filepath", option):
            program = next(words, word).text
        elif option not in _STARTING_FLAGS:
            next(words, None)
    if not program:
        return []
    return [Wrapped(name, text=Word(" ".join([program, *given]), argv[0].span))]


_STARTING_FLAGS = ("wait", "nonewwindow", "passthru", "loaduserprofile", "usenewenvironment")


def _cmd(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    at = next((i for i, word in enumerate(argv) if word.text[:2].lower() in {"/c", "/k"}), 0)
    first = argv[at]._replace(text=argv[at].text[2:])  # ``/cdel x``
    rest = (first, *argv[at + 1 :]) if first.text else argv[at + 1 :]
    return [Wrapped(f"{name} /c", text=join_words(rest), keeps_wrapper=True)] if at else []


def _helm(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    """``helm template --post-renderer kustomize --post-renderer-args build``."""
    words = [
        Word(word.text.partition("=")[2], word.span) if "=" in word.text else following
        for word, following in zip_longest(argv, argv[1:], fillvalue=Word(""))
        if re.match(r"--post-renderer(?:-args)?(?:=|$)", word.text)
    ]
    return [Wrapped(f"{name} --post-renderer", tuple(words), keeps_wrapper=True)] if words else []


_SPECIALS: dict[str, Callable[[str, Sequence[Word], str | None], list[Wrapped]]] = {
    "make": _make,
    "gmake": _make,
    **dict.fromkeys(_COMPILERS, _compiler),
    "git": _git,
    **dict.fromkeys(("helm", "helm3"), _helm),
    "ansible": _ansible,
    "pwsh": _powershell,
    "powershell": _powershell,
    "cmd": _cmd,
    **dict.fromkeys(("Start-Process", "start-process", "saps"), _start_process),
}


MAX_ITEMS = 16
"""Items of xargs and parallel that are followed one by one."""


def find(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    starts = {"-exec", "-execdir", "-ok", "-okdir"}
    places = places_of_find([word.text for word in argv[1:]])
    if name in {"fd", "fdfind"}:
        starts, places = {"-x", "-X", "--exec", "--exec-batch"}, [HOLE]
    found: list[Wrapped] = []
    at = 1
    while at < len(argv):
        if argv[at].text not in starts:
            at += 1
            continue
        end = at + 1
        while end < len(argv) and argv[end].text != ";":
            if (argv[end - 1].text, argv[end].text) == ("{}", "+"):
                break
            end += 1
        through = f"{name} {argv[at].text}"
        for place in places if not argv[at].text.endswith("dir") else [HOLE]:
            words = tuple(_replace_mark(word, "{}", place) for word in argv[at + 1 : end])
            found.append(Wrapped(through, words, keeps_wrapper=True, has_more_words=True))
        at = end
    return found


def _replace_mark(word: Word, mark: str, value: str) -> Word:
    return word._replace(text=word.text.replace(mark, value))


_XARGS_VALUED = (
    "I n P L s a d E J R S max-args max-procs max-lines max-chars"
    " arg-file delimiter process-slot-var"
)


def file_of_items(argv: Sequence[Word]) -> str:
    """The file that xargs takes its items from; "" for its input."""
    options = [word.text for word in argv[1 : 1 + skip_options(argv[1:], _XARGS_VALUED)]]
    for option, following in zip_longest(options, options[1:], fillvalue=""):
        if match := re.fullmatch(r"-[0rtpxo]*a(.*)|--arg-file(?:=(.*))?", option, re.DOTALL):
            return match[1] or match[2] or following
    return ""


def xargs(name: str, argv: Sequence[Word], stdin: str | None) -> list[Wrapped]:
    rest = argv[1:]
    start = skip_options(rest, _XARGS_VALUED)
    options = [word.text for word in rest[:start]]
    words = tuple(rest[start:]) or (Word("echo", argv[0].span),)
    mark, is_all = _xargs_mark(options)
    is_each = bool(mark) and not is_all
    items = _xargs_items(options, stdin, has_mark=is_each)
    has_more = items is None or (is_each and len(items) > MAX_ITEMS)
    shape = shape_of(stdin)
    if is_each:
        values = (items or [shape])[:MAX_ITEMS]
        given = [tuple(_replace_mark(word, mark, one) for word in words) for one in values]
    else:
        texts = items or ([shape] if mark or shape != HOLE else [])
        groups = _xargs_groups(options, texts, stdin or "") if items else [texts]
        has_more |= len(groups) > MAX_ITEMS
        given = [
            _with_all(words, mark, [Word(text, argv[0].span) for text in group])
            for group in groups[:MAX_ITEMS]
        ]
    return [Wrapped(name, one, has_more_words=has_more, takes_stdin=False) for one in given]


def _xargs_groups(options: list[str], items: list[str], stdin: str) -> list[list[str]]:
    """The items of each command that is run: so many of them, or those of so many lines."""
    size, is_lines = _xargs_size(options)
    if not size:
        return [items]
    is_split = _xargs_separator(options) is not None or "\0" in stdin
    if not is_lines or is_split:
        return [items[at : at + size] for at in range(0, len(items), size)]
    lines = [line for line in _LINE_END.split(stdin) if line.strip()]
    texts = ["\n".join(lines[at : at + size]) for at in range(0, len(lines), size)]
    return [_split_items(options, text, has_mark=False) for text in texts]


_LINE_END = pattern(r"(?<![ \t])\n")
"""A blank at the end of a line means that it goes on in the next one."""
_SIZE = pattern(r"-[0rtpxo]*(?:(n)|([Ll]))(\d*)|--max-(?:(args)|(lines))(?:=(\d*))?")


def _xargs_size(options: list[str]) -> tuple[int, bool]:
    """How many items or lines one command gets at most, the last that is given; 0 for all."""
    found = (0, False)
    for option, following in zip_longest(options, options[1:], fillvalue=""):
        if match := _SIZE.fullmatch(option):
            number = match[3] or match[6] or ("1" if option.endswith("l") else following)
            found = (int(number) if number.isdigit() else 1, bool(match[2] or match[5]))
    return found


def _with_all(words: tuple[Word, ...], mark: str, items: list[Word]) -> tuple[Word, ...]:
    """Put the items in the place of the mark, or at the end."""
    at = next((i for i, word in enumerate(words) if mark and word.text == mark), len(words))
    return (*words[:at], *items, *words[at + 1 :])


def _xargs_mark(options: list[str]) -> tuple[str, bool]:
    """Return the placeholder, and whether all items replace it together (``-J``); "" for none."""
    for option, following in zip_longest(options, options[1:], fillvalue=""):
        if option in {"-I", "-J"} and following:
            return following, option == "-J"
        if match := re.match(r"-I(.+)|--replace(?:=(.+))?|-i(.*)", option, re.DOTALL):
            return match[1] or match[2] or match[3] or "{}", False
    return "", False


def _xargs_items(options: list[str], stdin: str | None, *, has_mark: bool) -> list[str] | None:
    if stdin is None:
        return None
    is_null = any(re.fullmatch(r"-[a-zA-Z]*0[a-zA-Z]*|--null", option) for option in options)
    if is_null and not (HOLE in stdin and stdin.endswith("\n")):
        items = stdin.split("\0")
        return items if items[-1].strip() else items[:-1]
    return None if HOLE in stdin else _split_items(options, stdin, has_mark=has_mark)


def _split_items(options: list[str], stdin: str, *, has_mark: bool) -> list[str]:
    """Items are words, lines if they replace a mark, or what ``-d`` separates."""
    separator = _xargs_separator(options)
    if separator is not None:
        return [item for item in stdin.split(separator) if item]
    items = (one[0] for one in (_LINE_ITEM if has_mark else _ITEM).finditer(stdin))
    return [item for item in map(_unquoted, items) if item]


_QUOTED_PART = r"'[^'\n]*'|\"[^\"\n]*\"|\\[\s\S]"
_ITEM = pattern(rf"(?:{_QUOTED_PART}|[^\s\\])+")
_LINE_ITEM = pattern(rf"(?:{_QUOTED_PART}|[^\n\\])+")


def _unquoted(item: str) -> str:
    return re.sub(
        _QUOTED_PART,
        lambda part: part[0][1:] if part[0][0] == "\\" else part[0][1:-1],
        item.strip(),
    )


def _xargs_separator(options: list[str]) -> str | None:
    """Return the value of ``-d``; None without it."""
    for option, following in zip_longest(options, options[1:], fillvalue=""):
        if match := re.match(r"(?:-d|--delimiter=)(.*)", option, re.DOTALL):
            return (match[1] or following).replace("\\n", "\n") or "\n"
    return None


def parallel(name: str, argv: Sequence[Word], stdin: str | None) -> list[Wrapped]:
    rest = list(argv[1:])
    start = skip_options(
        rest,
        "j S a C I N n L P jobs sshlogin arg-file colsep joblog results delay timeout "
        "retries tmpdir workdir wd max-args max-procs delimiter d",
    )
    if any(word.text in {"--pipe", "--pipepart", "--spreadstdin"} for word in rest[:start]):
        return [Wrapped(name, tuple(rest[start:]))]
    words, items = _parallel_items(rest[start:], stdin)
    has_more_items = items is None or len(items) > MAX_ITEMS
    if not words:
        texts = [*(items or [])[:MAX_ITEMS], *([HOLE] if has_more_items else [])]
        return [Wrapped(name, text=Word(text, argv[0].span), takes_stdin=False) for text in texts]
    # GNU parallel joins words with blanks into one text, others run them unchanged: follow both.
    is_ambiguous = len(words) > 1 and any(re.search(r"\s", word.text) for word in words)
    found: list[Wrapped] = []
    for item in items[:MAX_ITEMS] if items else [shape_of(stdin)]:
        text = Word(_fill_template(words, item), (words[0].span[0], words[-1].span[1]))
        found.append(Wrapped(name, text=text, has_more_words=has_more_items, takes_stdin=False))
        if is_ambiguous:
            filled = tuple(_replace_mark(word, "{}", item) for word in words)
            found.append(Wrapped(name, filled, has_more_words=has_more_items, takes_stdin=False))
    return found


def _parallel_items(words: list[Word], stdin: str | None) -> tuple[list[Word], list[str] | None]:
    """Return the words of the command and its items; None for unknown items."""
    at = next((i for i, word in enumerate(words) if word.text in {":::", ":::+", "::::"}), None)
    if at is None:
        return words, _lines(stdin)
    given = [word.text for word in words[at:]]
    is_file = "::::" in given
    return words[:at], None if is_file else [one for one in given if one not in {":::", ":::+"}]


def _lines(stdin: str | None) -> list[str] | None:
    return None if stdin is None or HOLE in stdin else [one for one in stdin.split("\n") if one]


def _fill_template(words: list[Word], item: str) -> str:
    """Return the text that parallel runs for an item, which is quoted to be one word of it."""
    template = " ".join(word.text for word in words)
    quoted = item if re.fullmatch(r"[\w./:@%+=-]+", item) else shlex.quote(item)
    if re.search(r"\{[./#%]*\}", template):
        return re.sub(r"\{[./#%]*\}", quoted.replace("\\", r"\\"), template)
    return f"{template} {quoted}"


# end of module
