"""Programs that run other programs, and where in their words the other program stands.

Owns the tables (a wrapper is one line) and ``unwrap``. Does not own reading the commands found: it returns
words or texts, and the reader takes them from there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from operators_edge.core.commands import HOLE, Word

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MAX_ITEMS = 16
"""Items of xargs and parallel that are followed one by one."""

SHELLS = frozenset("sh bash zsh dash ksh ksh93 mksh fish ash rbash csh tcsh".split())

PREFIXES: dict[str, tuple[int, str]] = {
    # name: (operands before the command, options that take a value in the next word)
    "sudo": (0, "u g h p C D R T r t U user group host prompt chdir chroot role type other-user"),
    "doas": (0, "u C a"),
    "nice": (0, "n adjustment"),
    "ionice": (0, "c n p class classdata pid"),
    "nohup": (0, ""),
    "timeout": (1, "k s kill-after signal"),
    "gtimeout": (1, "k s kill-after signal"),
    "time": (0, "f o format output"),
    "gtime": (0, "f o format output"),
    "stdbuf": (0, "i o e input output error"),
    "command": (0, ""),
    "builtin": (0, ""),
    "exec": (0, "a"),
    "coproc": (0, ""),
    "setsid": (0, ""),
    "chroot": (1, "userspec groups"),
    "unshare": (0, "R w S G root wd setuid setgid map-user map-group propagation"),
    "nsenter": (0, "t S G target setuid setgid"),
    "strace": (0, "a b e E I o O p P s S u X"),
    "ltrace": (0, "a A D e F l n o p s u w x X"),
    "unbuffer": (0, ""),
    "busybox": (0, ""),
    "toybox": (0, ""),
    "taskset": (1, ""),
    "chrt": (1, "T P D sched-runtime sched-period sched-deadline"),
    "numactl": (0, "i p m N C l interleave preferred membind cpunodebind physcpubind"),
    "caffeinate": (0, "t w"),
    "arch": (0, "e d"),
    "setarch": (1, ""),
    "linux64": (0, ""),
    "linux32": (0, ""),
    "prlimit": (0, "p pid"),
    "cpulimit": (0, "l p P e limit pid path exe"),
    "systemd-run": (
        0,
        "u p E M H t unit property setenv machine host slice uid gid nice description",
    ),
    "systemd-inhibit": (0, "what who why mode"),
    "dbus-run-session": (0, "config-file dbus-daemon"),
    "fakeroot": (0, "l s i b lib faked"),
    "proot": (0, "r b w R S q rootfs bind cwd"),
    "firejail": (0, ""),
    "bwrap": (0, "chdir uid gid hostname setenv unsetenv dev proc tmpfs dir"),
    "catchsegv": (0, ""),
    "valgrind": (0, ""),
    "torsocks": (0, ""),
    "torify": (0, ""),
    "proxychains": (0, "f"),
    "proxychains4": (0, "f"),
    "winpty": (0, ""),
    "rlwrap": (0, ""),
    "pkexec": (0, "user"),
    "gosu": (1, ""),
    "su-exec": (1, ""),
    "setpriv": (0, "reuid regid groups inh-caps ambient-caps bounding-set securebits pdeathsig"),
    "chpst": (0, "u U b e / n l L m d o p f c"),
    "retry": (0, ""),
    "run0": (0, "u g user group unit property setenv chdir"),
    "noglob": (0, ""),
    "nocorrect": (0, ""),
    "-": (0, ""),
}

RUNNERS: dict[tuple[str, ...], tuple[int, str]] = {
    # Programs with a meaning of their own: reported beside what they run.
    ("npx",): (0, "p package w workspace"),
    ("npm", "exec"): (0, "p package w workspace"),
    ("npm", "x"): (0, "p package w workspace"),
    ("pnpm", "exec"): (0, "C dir filter"),
    ("pnpm", "dlx"): (0, "package"),
    ("pnpx",): (0, "package"),
    ("yarn", "exec"): (0, ""),
    ("yarn", "dlx"): (0, "p package"),
    ("bunx",): (0, "p package"),
    ("bun", "x"): (0, "p package"),
    ("uv", "run"): (
        0,
        "p m w with with-editable with-requirements python package extra group env-file directory "
        "project index index-url module",
    ),
    ("uvx",): (0, "p w from with python index"),
    ("uv", "tool", "run"): (0, "p from with python index"),
    ("pipx", "run"): (0, "spec python pip-args index-url"),
    ("poetry", "run"): (0, "C P directory project"),
    ("pipenv", "run"): (0, ""),
    ("pdm", "run"): (0, "p project"),
    ("hatch", "run"): (0, ""),
    ("rye", "run"): (0, ""),
    ("conda", "run"): (0, "n p name prefix cwd"),
    ("mamba", "run"): (0, "n p name prefix cwd"),
    ("micromamba", "run"): (0, "n p name prefix cwd"),
    ("bundle", "exec"): (0, ""),
    ("direnv", "exec"): (1, ""),
    ("dotenv", "run"): (0, ""),
    ("dotenv",): (0, "e f v p file"),
    ("dotenvx", "run"): (0, "f e env-file env"),
    ("op", "run"): (0, "account env-file"),
    ("aws-vault", "exec"): (1, "d duration region"),
    ("doppler", "run"): (0, "p c t project config token"),
    ("chamber", "exec"): (1, ""),
    ("infisical", "run"): (0, "env path projectId token"),
    ("mise", "exec"): (0, "C cd"),
    ("mise", "x"): (0, "C cd"),
    ("asdf", "exec"): (0, ""),
    ("rbenv", "exec"): (0, ""),
    ("pyenv", "exec"): (0, ""),
    ("rustup", "run"): (1, ""),
    ("opam", "exec"): (0, "switch"),
    ("stack", "exec"): (0, ""),
    ("cabal", "exec"): (0, ""),
    ("flatpak", "run"): (0, ""),
    ("git", "bisect", "run"): (0, ""),
    ("entr",): (0, ""),
    ("forever",): (0, ""),
    ("nodemon",): (0, "w e watch ext delay x exec"),
}

REMOTES: dict[tuple[str, ...], tuple[int, str]] = {
    ("docker", "exec"): (1, "e u w env user workdir env-file detach-keys"),
    ("docker", "container", "exec"): (1, "e u w env user workdir env-file detach-keys"),
    ("docker", "compose", "exec"): (1, "e u w env user workdir index"),
    ("docker-compose", "exec"): (1, "e u w env user workdir index"),
    ("podman", "exec"): (1, "e u w env user workdir env-file detach-keys"),
    ("nerdctl", "exec"): (1, "e u w env user workdir env-file"),
    ("lxc", "exec"): (1, "env user group cwd mode"),
    ("incus", "exec"): (1, "env user group cwd mode"),
    ("multipass", "exec"): (1, "d working-directory"),
    ("distrobox", "enter"): (1, "n name"),
    ("toolbox", "run"): (0, "c d r container distro release"),
    ("wsl",): (0, "d u distribution user cd"),
    ("adb", "shell"): (0, "e"),
    ("fly", "ssh", "console"): (0, "a app"),
    ("heroku", "run"): (0, "a app r remote s size"),
    ("oc", "rsh"): (1, "n c namespace container"),
}
_RUN_FLAGS = frozenset(
    "d i t P q rm detach init interactive tty privileged read-only no-healthcheck publish-all "
    "sig-proxy oom-kill-disable quiet disable-content-trust no-deps service-ports use-aliases build "
    "remove-orphans no-TTY T it ti dit".split()
)
_GLOBAL_VALUES = {
    "docker": "H c l host context config log-level",
    "docker-compose": "f p file project-name profile env-file",
    "podman": "url connection identity log-level root",
    "nerdctl": "n a namespace address",
    "npm": "prefix w workspace C loglevel",
    "pnpm": "C dir filter F",
    "yarn": "cwd",
    "git": "C c git-dir work-tree namespace exec-path",
    "uv": "directory project cache-dir config-file",
    "poetry": "C P directory project",
}
_COMPOSE_VALUES = "f p file project-name profile env-file project-directory ansi progress"


@dataclass(frozen=True, slots=True)
class Inner:
    """What a wrapper runs: ``words`` of one command, or a ``text`` read as a script.

    ``is_kept`` says that the wrapper counts as a command of its own too. ``shares_scope`` is for text
    that runs in the same shell (eval, source).
    """

    through: str
    words: tuple[Word, ...] = ()
    text: Word | None = None
    arguments: tuple[str, ...] | None = None
    is_kept: bool = False
    is_remote: bool = False
    has_more: bool = False
    shares_scope: bool = False
    assigns: tuple[tuple[str, Word], ...] = ()
    cwd: str | None = None
    takes_stdin: bool = True


def program(word: Word) -> str:
    """Return the name a program is known by: no directories, no ``.exe``."""
    name = word.text.rpartition("/")[2]
    if name[-4:].lower() == ".exe":
        return name[:-4].rpartition("\\")[2].lower()
    return name


def skip_options(words: Sequence[Word], valued: str | frozenset[str] | set[str]) -> int:
    """Return the index of the first operand; ``--`` ends the options."""
    values = set(valued.split()) if isinstance(valued, str) else valued
    at = 0
    while at < len(words):
        text = words[at].text
        if text == "--":
            return at + 1
        if len(text) < 2 or text[0] != "-":
            return at
        at += 1 + _takes_next(text, values)
    return at


def _takes_next(option: str, valued: set[str] | frozenset[str]) -> bool:
    if option.startswith("--"):
        return "=" not in option and option[2:] in valued
    if option[1:] in valued:
        return True
    for position, letter in enumerate(option[1:], 2):
        if letter in valued:
            return position == len(option)
    return False


def option_value(words: Sequence[Word], names: str) -> Word | None:
    """Return the value of the first of the options ``names`` ("c command"), however it is spelled."""
    wanted = names.split()
    for at, word in enumerate(words):
        text = word.text
        for name in wanted:
            if len(name) > 1 and text.startswith(f"--{name}="):
                return Word(text[len(name) + 3 :], word.span)
            is_same = (
                text == f"--{name}"
                if len(name) > 1
                else bool(re.fullmatch(f"-[a-zA-Z]*{name}", text))
            )
            if is_same and at + 1 < len(words):
                return words[at + 1]
    return None


def joined(words: Sequence[Word]) -> Word:
    span = (words[0].span[0], words[-1].span[1]) if words else (0, 0)
    return Word(" ".join(word.text for word in words), span)


def unwrap(argv: Sequence[Word], stdin: str | None) -> list[Inner]:
    """Return what ``argv`` runs; empty when it runs nothing that can be seen."""
    name = program(argv[0])
    special = _SPECIALS.get(name)
    if special:
        return special(name, argv, stdin)
    if name in PREFIXES:
        return _prefix(name, argv)
    if name in _FIRST_WORDS:
        return _runner(name, argv)
    return []


def _prefix(name: str, argv: Sequence[Word]) -> list[Inner]:
    operands, valued = PREFIXES[name]
    rest = argv[1:]
    start = skip_options(rest, valued)
    if name in {"command", "taskset"} and start and re.match(r"-[vVp]*[vV]|-p", rest[0].text):
        if name == "command" and rest[0].text == "-p":
            return [Inner(name, tuple(rest[start:]))]
        return []
    if name == "coproc" and len(rest) > 1 and rest[0].text.isupper():
        start = 1
    start += operands
    assigns: list[tuple[str, Word]] = []
    while start < len(rest) and name in {"sudo", "doas"} and (pair := _assignment(rest[start])):
        assigns.append(pair)
        start += 1
    if start >= len(rest):
        return []
    directory = option_value(rest[:start], "D chdir") if name == "sudo" else None
    return [
        Inner(
            name,
            tuple(rest[start:]),
            assigns=tuple(assigns),
            cwd=directory.text if directory else None,
        )
    ]


def _assignment(word: Word) -> tuple[str, Word] | None:
    key, equals, value = word.text.partition("=")
    return (key, Word(value, word.span)) if equals and key.isidentifier() else None


def _env(name: str, argv: Sequence[Word], _: str | None) -> list[Inner]:
    rest = argv[1:]
    directory = option_value(rest, "C chdir")
    for at, word in enumerate(rest):
        split = re.match(r"(-[a-zA-Z0]*S|--split-string=?)(.*)", word.text, re.DOTALL)
        if split:
            tail = [Word(split[2], word.span)] if split[2] else []
            return [Inner("env -S", text=joined([*tail, *rest[at + 1 :]]))]
        if not word.text.startswith("-"):
            break
    start = skip_options(rest, "u C P unset chdir argv0 a")
    if start < len(rest) and rest[start].text == "-":
        start += 1
    assigns: list[tuple[str, Word]] = []
    while start < len(rest) and (pair := _assignment(rest[start])):
        assigns.append(pair)
        start += 1
    if start >= len(rest):
        return []
    cwd = directory.text if directory else None
    return [Inner(name, tuple(rest[start:]), assigns=tuple(assigns), cwd=cwd)]


def _runner(name: str, argv: Sequence[Word]) -> list[Inner]:
    """Follow programs whose subcommand runs a command: docker exec, npx, uv run."""
    rest = list(argv[1:])
    prefix = [name]
    for _ in range(3):
        found = tuple(prefix)
        if found in RUNNERS or found in REMOTES:
            if not (len(prefix) == 1 and rest and (*prefix, rest[0].text) in RUNNERS):
                break
        valued = _COMPOSE_VALUES if prefix[-1] == "compose" else _GLOBAL_VALUES.get(name, "")
        rest = rest[skip_options(rest, valued) :]
        if not rest:
            return []
        prefix.append(rest.pop(0).text)
    key = tuple(prefix)
    is_remote = key in REMOTES
    known = REMOTES.get(key) or RUNNERS.get(key)
    if known is None:
        return []
    operands, valued = known
    through = " ".join(key)
    text = option_value(rest, "c call") if key[0] in {"npx", "npm"} else None
    if key[0] == "entr" and (option := re.match(r"-\w*s", rest[0].text if rest else "")):
        text = rest[1] if option and len(rest) > 1 else None
    if key[0] == "fly":
        text = option_value(rest, "C command")
    if text:
        return [Inner(through, text=text, is_kept=True, is_remote=is_remote)]
    start = skip_options(rest, valued) + operands
    if start < len(rest) and rest[start].text == "--":
        start += 1
    if start >= len(rest):
        return []
    if key == ("adb", "shell"):
        return [Inner(through, text=joined(rest[start:]), is_kept=True, is_remote=True)]
    return [Inner(through, tuple(rest[start:]), is_kept=True, is_remote=is_remote)]


def _container(name: str, argv: Sequence[Word], stdin: str | None) -> list[Inner]:
    """``run`` takes many options: all that are not known flags are taken to have a value."""
    rest = list(argv[1:])
    rest = rest[skip_options(rest, _GLOBAL_VALUES.get(name, "")) :]
    through = name
    while rest and rest[0].text in {"compose", "container"}:
        through += " " + rest.pop(0).text
        rest = rest[skip_options(rest, _COMPOSE_VALUES) :]
    if not rest or rest[0].text not in {"run", "create"}:
        return _runner(name, argv)
    through += " " + rest.pop(0).text
    at = 0
    entrypoint = option_value(rest, "entrypoint")
    while at < len(rest) and rest[at].text.startswith("-") and rest[at].text != "--":
        option = rest[at].text
        long = option.startswith("--")
        is_flag = option.lstrip("-") in _RUN_FLAGS or (
            not long and set(option[1:]) <= set("ditPqT")
        )
        has_value = "=" in option or (not long and len(option) > 2)
        at += 1 if is_flag or has_value else 2
    words = rest[at + 1 :]
    if entrypoint:
        words = [entrypoint, *words]
    return [Inner(through, tuple(words), is_kept=True, is_remote=True)] if words else []


def _kubectl(name: str, argv: Sequence[Word], _: str | None) -> list[Inner]:
    texts = [word.text for word in argv]
    verb = next((text for text in texts[1:] if text in {"exec", "run", "debug"}), "")
    if not verb or "--" not in texts:
        return []
    words = argv[texts.index("--") + 1 :]
    return [Inner(f"{name} {verb}", tuple(words), is_kept=True, is_remote=True)] if words else []


def _ssh(name: str, argv: Sequence[Word], _: str | None) -> list[Inner]:
    rest = argv[1:]
    valued = "b B c D E e F I i J L l m O o P p Q R S W w"
    start = skip_options(rest, valued)
    after = rest[start + 1 :]
    after = after[skip_options(after, valued) :]
    if not after:
        return []
    return [Inner(name, text=joined(after), is_kept=True, is_remote=True)]


def _su(name: str, argv: Sequence[Word], _: str | None) -> list[Inner]:
    rest = argv[1:]
    text = option_value(rest, "c command session-command")
    if text:
        return [Inner(f"{name} -c", text=text)]
    if name == "runuser":
        start = skip_options(rest, "u g G s user group supp-group shell")
        return [Inner(name, tuple(rest[start:]))] if start < len(rest) else []
    return []


def _after_c(name: str, argv: Sequence[Word], _: str | None) -> list[Inner]:
    """``script -qec TEXT``, ``nix-shell --run TEXT``, ``vagrant ssh -c TEXT`` and the like."""
    text = option_value(argv[1:], "c command run")
    is_remote = name in {"vagrant", "gcloud"}
    if text is None and name == "flock":
        start = skip_options(argv[1:], "E w timeout wait conflict-exit-code") + 2
        return [Inner(name, tuple(argv[start:]))] if start < len(argv) else []
    if text is None and name == "nix" and "-c" in [word.text for word in argv]:
        text = None
    if text is None:
        return []
    if name == "nix":
        at = next(i for i, word in enumerate(argv) if word.text in {"-c", "--command"})
        return [Inner("nix -c", tuple(argv[at + 1 :]), is_kept=True)]
    is_kept = name in {"vagrant", "gcloud", "nix-shell"}
    return [Inner(f"{name} -c", text=text, is_kept=is_kept, is_remote=is_remote)]


def _watch(name: str, argv: Sequence[Word], _: str | None) -> list[Inner]:
    rest = argv[1:]
    start = skip_options(rest, "n d interval equexit q shotsdir s")
    if start >= len(rest):
        return []
    if any(re.fullmatch(r"-[a-zA-Z]*x[a-zA-Z]*|--exec", word.text) for word in rest[:start]):
        return [Inner(name, tuple(rest[start:]))]
    return [Inner(name, text=joined(rest[start:]))]


def _hyperfine(name: str, argv: Sequence[Word], _: str | None) -> list[Inner]:
    rest = list(argv[1:])
    found = [option_value(rest, names) for names in ("p prepare", "s setup", "c cleanup")]
    valued = "w r m M p s c L P D S n prepare setup cleanup warmup runs min-runs max-runs shell export-json"
    while rest:
        rest = rest[skip_options(rest, valued) :]
        if rest:
            found.append(rest.pop(0))
    return [Inner(name, text=text) for text in found if text]


def _tmux(name: str, argv: Sequence[Word], _: str | None) -> list[Inner]:
    verbs = {
        "send-keys",
        "send",
        "new-session",
        "new",
        "new-window",
        "neww",
        "split-window",
        "splitw",
    }
    verbs |= {"respawn-pane", "run-shell", "run", "if-shell", "pipe-pane", "display-popup", "popup"}
    at = next((i for i, word in enumerate(argv) if word.text in verbs), 0)
    if not at:
        return []
    verb, rest = argv[at].text, argv[at + 1 :]
    words = rest[skip_options(rest, "t s n c x y F e f S N d w h") :]
    if verb.startswith("send"):
        keys = {"Enter", "C-m", "C-c", "C-l", "KPEnter", "C-j", "Space"}
        words = [word for word in words if word.text not in keys]
        verb = "send-keys"
    return [Inner(f"tmux {verb}", text=joined(words), is_kept=True)] if words else []


def _screen(name: str, argv: Sequence[Word], _: str | None) -> list[Inner]:
    texts = [word.text for word in argv]
    if "stuff" in texts[:-1]:
        word = argv[texts.index("stuff") + 1]
        text = re.sub(r"\\n|\\r|\^M|\\015|\\012", "\n", word.text)
        return [Inner("screen stuff", text=Word(text, word.span), is_kept=True)]
    rest = argv[1:]
    start = skip_options(rest, "S t T h p c e s X r")
    return [Inner(name, tuple(rest[start:]), is_kept=True)] if start < len(rest) else []


def _scheduled(name: str, argv: Sequence[Word], stdin: str | None) -> list[Inner]:
    """``at`` and ``batch`` run their standard input, ``crontab -`` its lines without the times."""
    if stdin is None or (name == "crontab" and "-" not in [word.text for word in argv[1:]]):
        return []
    text = stdin
    if name == "crontab":
        time = r"(?m)^[ \t]*(?:@\w+|(?:[\d*,/A-Za-z-]+[ \t]+){4}[\d*,/A-Za-z-]+)[ \t]+"
        text = re.sub(time, "", stdin)
    return [Inner(name, text=Word(text, argv[0].span), is_kept=True, takes_stdin=False)]


def _eval(name: str, argv: Sequence[Word], _: str | None) -> list[Inner]:
    rest = argv[2:] if len(argv) > 1 and argv[1].text == "--" else argv[1:]
    return [Inner(name, text=joined(rest), shares_scope=True)] if rest else []


def _trap(name: str, argv: Sequence[Word], _: str | None) -> list[Inner]:
    rest = argv[2:] if len(argv) > 1 and argv[1].text == "--" else argv[1:]
    is_action = len(rest) > 1 and not rest[0].text.startswith("-") and rest[0].text
    return [Inner(name, text=rest[0])] if is_action else []


def _find(name: str, argv: Sequence[Word], _: str | None) -> list[Inner]:
    starts = {"-exec", "-execdir", "-ok", "-okdir"}
    if name in {"fd", "fdfind"}:
        starts = {"-x", "-X", "--exec", "--exec-batch"}
    found: list[Inner] = []
    at = 1
    while at < len(argv):
        if argv[at].text not in starts:
            at += 1
            continue
        end = at + 1
        while end < len(argv) and argv[end].text != ";" and not _ends_batch(argv, end):
            end += 1
        words = tuple(_with_hole(word, "{}", HOLE) for word in argv[at + 1 : end])
        if words:
            found.append(Inner(f"{name} {argv[at].text}", words, is_kept=True, has_more=True))
        at = end
    return found


def _ends_batch(argv: Sequence[Word], at: int) -> bool:
    return argv[at].text == "+" and argv[at - 1].text == "{}"


def _with_hole(word: Word, mark: str, value: str) -> Word:
    return (
        Word(word.text.replace(mark, value), word.span, word.has_glob)
        if mark in word.text
        else word
    )


def _git(name: str, argv: Sequence[Word], stdin: str | None) -> list[Inner]:
    rest = list(argv[1:])
    verb_at = skip_options(rest, _GLOBAL_VALUES["git"])
    if verb_at >= len(rest):
        return []
    verb, after = rest[verb_at].text, rest[verb_at + 1 :]
    for word in rest[:verb_at]:
        alias = re.match(r"alias\.([^=]+)=(!?)(.*)", word.text, re.DOTALL)
        if alias and alias[1] == verb:
            text = alias[3] if alias[2] else f"git {alias[3]}"
            return [Inner("git alias", text=joined([Word(text, word.span), *after]), is_kept=True)]
    if verb == "submodule" and "foreach" in [word.text for word in after]:
        words = after[[word.text for word in after].index("foreach") + 1 :]
        words = words[skip_options(words, "") :]
        return [Inner("git submodule foreach", text=joined(words), is_kept=True)] if words else []
    if verb == "rebase":
        text_word = option_value(after, "x exec")
        return [Inner("git rebase --exec", text=text_word, is_kept=True)] if text_word else []
    return _runner(name, argv)


def _xargs(name: str, argv: Sequence[Word], stdin: str | None) -> list[Inner]:
    rest = argv[1:]
    start = skip_options(
        rest,
        "I n P L s a d E J R S max-args max-procs max-lines max-chars arg-file "
        "delimiter replace eof process-slot-var",
    )
    options = [word.text for word in rest[:start]]
    words = tuple(rest[start:]) or (Word("echo", argv[0].span),)
    mark = _xargs_mark(options)
    items = _xargs_items(options, stdin, has_mark=bool(mark))
    if mark and not mark.startswith("%J"):
        values = items[:MAX_ITEMS] if items else [HOLE]
        more = items is None or len(items) > MAX_ITEMS
        return [
            Inner(
                name,
                tuple(_with_hole(word, mark, value) for word in words),
                has_more=more,
                takes_stdin=False,
            )
            for value in values
        ]
    added = tuple(Word(item, argv[0].span) for item in items or ())
    if mark:
        at = next((i for i, word in enumerate(words) if word.text == mark[2:]), len(words))
        words = (*words[:at], *(added or (Word(HOLE, argv[0].span),)), *words[at + 1 :])
    else:
        words += added
    return [Inner(name, words, has_more=items is None, takes_stdin=False)]


def _xargs_mark(options: list[str]) -> str:
    """Return what stands for an item; "%J" before it where it stands for all of them."""
    for at, option in enumerate(options):
        if option in {"-I", "-J"} and at + 1 < len(options):
            return ("%J" if option == "-J" else "") + options[at + 1]
        if option.startswith("-I") and len(option) > 2:
            return option[2:]
        if option.startswith("--replace"):
            return option.partition("=")[2] or "{}"
        if re.match(r"-i", option):
            return option[2:] or "{}"
    return ""


def _xargs_items(options: list[str], stdin: str | None, *, has_mark: bool) -> list[str] | None:
    if stdin is None or any(option.startswith(("-a", "--arg-file")) for option in options):
        return None
    if any(re.fullmatch(r"-[a-zA-Z]*0[a-zA-Z]*|--null", option) for option in options):
        items = stdin.split("\0")
        return items[:-1] if items and not items[-1].strip() else items
    if HOLE in stdin:
        return None
    for at, option in enumerate(options):
        if option == "-d" and at + 1 < len(options):
            return [
                item for item in stdin.split(options[at + 1].replace("\\n", "\n") or "\n") if item
            ]
        if option.startswith(("-d", "--delimiter=")):
            separator = option.removeprefix("--delimiter=").removeprefix("-d").replace("\\n", "\n")
            return [item for item in stdin.split(separator or "\n") if item]
    if has_mark:
        return [line.strip() for line in stdin.split("\n") if line.strip()]
    return re.sub(r"['\"\\]", "", stdin).split()


def _parallel(name: str, argv: Sequence[Word], stdin: str | None) -> list[Inner]:
    rest = list(argv[1:])
    start = skip_options(
        rest,
        "j S a C I N n L P jobs sshlogin arg-file colsep joblog results delay timeout "
        "retries tmpdir workdir wd max-args max-procs delimiter d",
    )
    rest = rest[start:]
    marks = [at for at, word in enumerate(rest) if word.text in {":::", ":::+", "::::"}]
    words = rest[: marks[0]] if marks else rest
    items: list[str] | None
    if marks:
        given = [word.text for word in rest[marks[0] + 1 :] if word.text not in {":::", ":::+"}]
        items = None if "::::" in [rest[at].text for at in marks] else given
    else:
        items = (
            None if stdin is None or HOLE in stdin else [item for item in stdin.split("\n") if item]
        )
    if not words:
        return [Inner(name, text=Word(item, argv[0].span)) for item in (items or [])[:MAX_ITEMS]]
    span = joined(words).span
    template = " ".join(word.text for word in words)
    has_mark = bool(re.search(r"\{[./#%]*\}", template))
    found: list[Inner] = []
    for item in items[:MAX_ITEMS] if items else [HOLE]:
        text = re.sub(r"\{[./#%]*\}", item.replace("\\", r"\\"), template)
        text = text if has_mark else f"{template} {item}"
        more = items is None or len(items) > MAX_ITEMS
        found.append(Inner(name, text=Word(text, span), has_more=more, takes_stdin=False))
    return found


_SPECIALS: dict[str, Callable[[str, Sequence[Word], str | None], list[Inner]]] = {
    "env": _env,
    "xargs": _xargs,
    "parallel": _parallel,
    "find": _find,
    "gfind": _find,
    "fd": _find,
    "fdfind": _find,
    "git": _git,
    "eval": _eval,
    "trap": _trap,
    "ssh": _ssh,
    "autossh": _ssh,
    "mosh": _ssh,
    "su": _su,
    "runuser": _su,
    "script": _after_c,
    "flock": _after_c,
    "nix-shell": _after_c,
    "nix": _after_c,
    "vagrant": _after_c,
    "gcloud": _after_c,
    "watch": _watch,
    "viddy": _watch,
    "hyperfine": _hyperfine,
    "tmux": _tmux,
    "screen": _screen,
    "at": _scheduled,
    "batch": _scheduled,
    "crontab": _scheduled,
    "docker": _container,
    "podman": _container,
    "nerdctl": _container,
    "docker-compose": _container,
    "kubectl": _kubectl,
    "oc": _kubectl,
}
_FIRST_WORDS = frozenset(key[0] for key in (*RUNNERS, *REMOTES))
