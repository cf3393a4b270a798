"""Programs that run other programs, and where in their words the other program is.

Owns ``unwrap``. Does not own the tables (``shell.wrapper_table``), nor reading the commands found: it
returns words or texts, which the evaluator reads.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from operators_edge.shell.commands import (
    Word,
    Wrapped,
    as_text_and_words,
    join_words,
    option_value,
    program_name,
    skip_options,
)
from operators_edge.shell.runners import MAX_ITEMS, find, find_embedded, parallel, xargs
from operators_edge.shell.wrapper_table import (
    COMPOSE_VALUES,
    GLOBAL_VALUES,
    IMAGES,
    PREFIXES,
    REMOTES,
    RUN_FLAGS,
    RUNNERS,
    SAME_SHELL,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SHELLS = frozenset(
    ["sh", "bash", "zsh", "dash", "ksh", "ksh93", "mksh", "fish", "ash", "rbash", "csh", "tcsh"]
)

_SSH_COMMAND = re.compile(
    r"(?:-o\s*)?(?:ProxyCommand|LocalCommand)[=\s]+(.+)", re.IGNORECASE | re.DOTALL
)


def unwrap(argv: Sequence[Word], stdin: str | None) -> list[Wrapped]:
    """Return what ``argv`` runs; empty when it runs nothing that is known."""
    name = program_name(argv[0])
    found = find_embedded(name, argv, stdin)
    special = _SPECIALS.get(name)
    if special:
        return found + special(name, argv, stdin)
    if name in PREFIXES:
        return found + _prefix(name, argv, stdin)
    if name in _FIRST_WORDS:
        return found + _runner(name, argv, stdin)
    return found


def _prefix(name: str, argv: Sequence[Word], stdin: str | None) -> list[Wrapped]:
    operands, valued = PREFIXES[name]
    rest = argv[1:]
    start = skip_options(rest, valued)
    if name in {"command", "taskset"} and start and re.match(r"-[vVp]*[vV]|-p", rest[0].text):
        if name == "command" and rest[0].text == "-p":
            return [Wrapped(name, tuple(rest[start:]), shares_scope=True)]
        return []
    if name == "coproc" and len(rest) > 1 and rest[0].text.isupper():
        start = 1
    start += operands
    assigns: list[tuple[str, Word]] = []
    while (
        start < len(rest)
        and name in {"sudo", "doas", "cross-env"}
        and (pair := _assignment(rest[start]))
    ):
        assigns.append(pair)
        start += 1
    if start >= len(rest):
        return _login(name, argv, stdin)
    directory = option_value(rest[:start], "D chdir") if name == "sudo" else None
    return [
        Wrapped(
            name,
            tuple(rest[start:]),
            assigns=tuple(assigns),
            cwd=directory.text if directory else None,
            shares_scope=argv[0].text in SAME_SHELL,
        )
    ]


def _login(name: str, argv: Sequence[Word], stdin: str | None) -> list[Wrapped]:
    """A wrapper without a command starts a shell, which reads its standard input."""
    starts_shell = name in _STARTS_SHELL or any(
        re.fullmatch(r"-[a-zA-Z]*[si][a-zA-Z]*|--(?:shell|login)", word.text) for word in argv[1:]
    )
    if stdin is None or not starts_shell:
        return []
    return [Wrapped(name, text=Word(stdin, argv[0].span), keeps_wrapper=True, takes_stdin=False)]


def _assignment(word: Word) -> tuple[str, Word] | None:
    key, equals, value = word.text.partition("=")
    return (key, Word(value, word.span)) if equals and key.isidentifier() else None


def _env(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    rest = argv[1:]
    directory = _env_directory(rest)
    for at, word in enumerate(rest):
        split = re.match(r"(-[a-zA-Z0]*S|--split-string=?)(.*)", word.text, re.DOTALL)
        if split:
            tail = [Word(split[2], word.span)] if split[2] else []
            return [Wrapped("env -S", text=join_words([*tail, *rest[at + 1 :]]))]
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
    return [Wrapped(name, tuple(rest[start:]), assigns=tuple(assigns), cwd=cwd)]


def _env_directory(words: Sequence[Word]) -> Word | None:
    for word in words:
        if re.match(r"-C.", word.text):
            return Word(word.text[2:], word.span)
        if not word.text.startswith("-"):
            break
    return option_value(words, "C chdir")


def _subcommand(name: str, rest: list[Word]) -> tuple[str, ...]:
    """Remove the subcommand's words from ``rest``; return the key of the table, () for none."""
    key: tuple[str, ...] = (name,)
    for _ in range(3):
        is_known = key in RUNNERS or key in REMOTES
        if is_known and not (rest and (*key, rest[0].text) in RUNNERS):
            return key
        valued = COMPOSE_VALUES if key[-1] == "compose" else GLOBAL_VALUES.get(name, "")
        del rest[: skip_options(rest, valued)]
        if not rest:
            return ()
        key = (*key, rest.pop(0).text)
    return key if key in RUNNERS or key in REMOTES else ()


def _runner(name: str, argv: Sequence[Word], _: str | None = None) -> list[Wrapped]:
    """Follow programs whose subcommand runs a command: docker exec, npx, uv run."""
    rest = list(argv[1:])
    key = _subcommand(name, rest)
    if not key:
        return []
    is_remote = key in REMOTES
    operands, valued = REMOTES.get(key) or RUNNERS[key]
    through = " ".join(key)
    start = skip_options(rest, valued)
    text = _runner_text(key[0], rest[:start])
    start += operands
    if start < len(rest) and rest[start].text == "--":
        start += 1
    if text is None and key == ("adb", "shell") and start < len(rest):
        text = join_words(rest[start:])
    if text:
        return [Wrapped(through, text=text, keeps_wrapper=True, is_remote=is_remote)]
    words = tuple(rest[start:])
    return [Wrapped(through, words, keeps_wrapper=True, is_remote=is_remote)] if words else []


def _runner_text(name: str, options: Sequence[Word]) -> Word | None:
    """Return the script that an option gives: ``npx -c``, ``fly ssh console -C``."""
    if name in {"npx", "npm"}:
        return option_value(options, "c call")
    return option_value(options, "C command") if name == "fly" else None


def _container(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    """``run`` has many options: all except known flags are assumed to take a value."""
    rest = list(argv[1:])
    rest = rest[skip_options(rest, GLOBAL_VALUES.get(name, "")) :]
    through = name
    while rest and rest[0].text in {"compose", "container"}:
        through += " " + rest.pop(0).text
        rest = rest[skip_options(rest, COMPOSE_VALUES) :]
    if not rest or rest[0].text not in {"run", "create"}:
        return _runner(name, argv)
    through += " " + rest.pop(0).text
    at = 0
    entrypoint = option_value(rest, "entrypoint")
    while at < len(rest) and rest[at].text.startswith("-") and rest[at].text != "--":
        option = rest[at].text
        long = option.startswith("--")
        is_flag = option.lstrip("-") in RUN_FLAGS.split() or (
            not long and set(option[1:]) <= set("ditPqT")
        )
        has_value = "=" in option or (not long and len(option) > 2)
        at += 1 if is_flag or has_value else 2
    words = rest[at + 1 :]
    if entrypoint:
        words = [entrypoint, *words]
    if not words:
        return []
    image = re.split("[:@]", rest[at].text.rpartition("/")[2])[0]
    given = [tuple(words)]
    if image in IMAGES and not entrypoint:
        given.append((Word(image, rest[at].span), *words))
    return [Wrapped(through, one, keeps_wrapper=True, is_remote=True) for one in given]


def _kubectl(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    texts = [word.text for word in argv]
    verb = next((text for text in texts[1:] if text in {"exec", "run", "debug"}), "")
    if not verb or "--" not in texts:
        return []
    words = argv[texts.index("--") + 1 :]
    return (
        [Wrapped(f"{name} {verb}", tuple(words), keeps_wrapper=True, is_remote=True)]
        if words
        else []
    )


def _ssh(name: str, argv: Sequence[Word], stdin: str | None) -> list[Wrapped]:
    rest = argv[1:]
    valued = "b B c D E e F I i J L l m O o P p Q R S W w"
    start = skip_options(rest, valued)
    after = rest[start + 1 :]
    after = after[skip_options(after, valued) :]
    found = [
        Wrapped(f"{name} -o", text=Word(option[1], word.span), keeps_wrapper=True)
        for word in rest
        if (option := _SSH_COMMAND.match(word.text))
    ]
    if after:
        found.append(Wrapped(name, text=join_words(after), keeps_wrapper=True, is_remote=True))
    elif stdin is not None:
        text = Word(stdin, argv[0].span)
        found.append(
            Wrapped(name, text=text, keeps_wrapper=True, is_remote=True, takes_stdin=False)
        )
    return found


def _socat(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    return [
        Wrapped(
            f"{name} {address[1]}",
            text=Word(address[2].replace("\\", ""), word.span),
            keeps_wrapper=True,
        )
        for word in argv[1:]
        if (address := re.match(r"(?i)(EXEC|SYSTEM):(.+)", word.text, re.DOTALL))
    ]


def _su(name: str, argv: Sequence[Word], stdin: str | None) -> list[Wrapped]:
    rest = argv[1:]
    text = option_value(rest, "c command session-command")
    if text:
        return [Wrapped(f"{name} -c", text=text)]
    if stdin is not None and name != "runuser":
        return _login(name, argv, stdin)
    if name == "runuser":
        start = skip_options(rest, "u g G s user group supp-group shell")
        return [Wrapped(name, tuple(rest[start:]))] if start < len(rest) else []
    return []


def _after_c(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    """``script -qec TEXT``, ``nix-shell --run TEXT``, ``vagrant ssh -c TEXT`` and the like."""
    text = option_value(argv[1:], "c command run")
    is_remote = name in {"vagrant", "gcloud"}
    if text is None:
        return []
    if name == "nix":
        at = next(i for i, word in enumerate(argv) if word.text in {"-c", "--command"})
        return [Wrapped("nix -c", tuple(argv[at + 1 :]), keeps_wrapper=True)]
    keeps_wrapper = name in {"vagrant", "gcloud", "nix-shell"}
    return [Wrapped(f"{name} -c", text=text, keeps_wrapper=keeps_wrapper, is_remote=is_remote)]


def _flock(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    """``flock FILE -c TEXT`` or ``flock FILE COMMAND…``: its options come before the command."""
    valued = "E w timeout wait conflict-exit-code"
    rest = argv[1:]
    rest = rest[skip_options(rest, valued) + 1 :]
    if rest and rest[0].text in {"-c", "--command"}:
        return [Wrapped(f"{name} -c", text=word) for word in rest[1:2]]
    rest = rest[skip_options(rest, valued) :]
    return [Wrapped(name, tuple(rest))] if rest else []


def _watch(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    rest = argv[1:]
    start = skip_options(rest, "n interval equexit q shotsdir s")
    if start >= len(rest):
        return []
    if any(re.fullmatch(r"-[a-zA-Z]*x[a-zA-Z]*|--exec", word.text) for word in rest[:start]):
        return [Wrapped(name, tuple(rest[start:]))]
    return as_text_and_words(name, rest[start:])


def _hyperfine(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    rest = list(argv[1:])
    found = [option_value(rest, names) for names in ("p prepare", "s setup", "c cleanup")]
    valued = "w r m M p s c L P D S n prepare setup cleanup warmup runs min-runs max-runs shell export-json"
    while rest:
        rest = rest[skip_options(rest, valued) :]
        if rest:
            found.append(rest.pop(0))
    return [Wrapped(name, text=text) for text in found if text]


def _tmux(_name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
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
    # Some letters are flags for other subcommands, but take a value for these.
    valued = (
        "t d w h x y s e b c" if "popup" in verb or "run" in verb else "t s n c x y F e f S N l"
    )
    words = rest[skip_options(rest, valued) :]
    if verb.startswith("send"):
        keys = {"Enter", "C-m", "C-c", "C-l", "KPEnter", "C-j", "Space"}
        words = [word for word in words if word.text not in keys]
        verb = "send-keys"
    return [Wrapped(f"tmux {verb}", text=join_words(words), keeps_wrapper=True)] if words else []


def _screen(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    texts = [word.text for word in argv]
    if "stuff" in texts[:-1]:
        word = argv[texts.index("stuff") + 1]
        text = re.sub(r"\\[nr](?=\s*\Z)|\^M|\\015|\\012", "\n", word.text)
        return [Wrapped("screen stuff", text=Word(text, word.span), keeps_wrapper=True)]
    rest = argv[1:]
    start = skip_options(rest, "S t T h p c e s X r")
    return [Wrapped(name, tuple(rest[start:]), keeps_wrapper=True)] if start < len(rest) else []


def _entr(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    rest = argv[1:]
    start = skip_options(rest, "")
    if start >= len(rest):
        return []
    if any(re.fullmatch(r"-[a-z]*s[a-z]*", word.text) for word in rest[:start]):
        return [Wrapped(f"{name} -s", text=join_words(rest[start:]))]
    return [Wrapped(name, tuple(rest[start:]))]


def _texts(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    """Programs with command texts as operands: concurrently, pee."""
    rest = argv[1:]
    operands = rest[skip_options(rest, "n c p names prefix prefix-colors max-processes m") :]
    return [Wrapped(name, text=word) for word in operands[:MAX_ITEMS]]


def _daemon(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    """``start-stop-daemon --exec PROGRAM -- ARGUMENTS``."""
    run = option_value(argv[1:], "x a exec startas")
    texts = [word.text for word in argv]
    after = argv[texts.index("--") + 1 :] if "--" in texts else ()
    return [Wrapped(name, (run, *after))] if run else []


def _scheduled(name: str, argv: Sequence[Word], stdin: str | None) -> list[Wrapped]:
    """``at`` and ``batch`` run their standard input, ``crontab -`` its lines without the times."""
    if stdin is None or (name == "crontab" and "-" not in [word.text for word in argv[1:]]):
        return []
    text = stdin
    if name == "crontab":
        time = r"(?m)^[ \t]*(?:@\w+|(?:[\d*,/A-Za-z-]+[ \t]+){4}[\d*,/A-Za-z-]+)[ \t]+"
        text = re.sub(time, "", stdin)
    return [Wrapped(name, text=Word(text, argv[0].span), keeps_wrapper=True, takes_stdin=False)]


def _eval(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    rest = argv[2:] if len(argv) > 1 and argv[1].text == "--" else argv[1:]
    return [Wrapped(name, text=join_words(rest), shares_scope=True)] if rest else []


def _trap(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    rest = argv[2:] if len(argv) > 1 and argv[1].text == "--" else argv[1:]
    is_action = len(rest) > 1 and not rest[0].text.startswith("-") and rest[0].text
    return [Wrapped(name, text=rest[0])] if is_action else []


def _git(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    rest = list(argv[1:])
    verb_at = skip_options(rest, GLOBAL_VALUES["git"])
    if verb_at >= len(rest):
        return []
    verb, after = rest[verb_at].text, rest[verb_at + 1 :]
    for word in rest[:verb_at]:
        alias = re.match(r"alias\.([^=]+)=(!?)(.*)", word.text, re.DOTALL)
        if alias and alias[1] == verb:
            text = alias[3] if alias[2] else f"git {alias[3]}"
            return [
                Wrapped(
                    "git alias",
                    text=join_words([Word(text, word.span), *after]),
                    keeps_wrapper=True,
                )
            ]
    if verb == "submodule" and "foreach" in [word.text for word in after]:
        words = after[[word.text for word in after].index("foreach") + 1 :]
        words = words[skip_options(words, "") :]
        return (
            [Wrapped("git submodule foreach", text=join_words(words), keeps_wrapper=True)]
            if words
            else []
        )
    if verb == "rebase":
        text_word = option_value(after, "x exec")
        return (
            [Wrapped("git rebase --exec", text=text_word, keeps_wrapper=True)] if text_word else []
        )
    return _runner(name, argv)


_STARTS_SHELL = frozenset(["su", "chroot", "unshare", "nsenter", "fakeroot", "proot"])
_SPECIALS: dict[str, Callable[[str, Sequence[Word], str | None], list[Wrapped]]] = {
    "entr": _entr,
    "concurrently": _texts,
    "pee": _texts,
    "start-stop-daemon": _daemon,
    "sg": _after_c,
    "env": _env,
    "xargs": xargs,
    "parallel": parallel,
    "find": find,
    "gfind": find,
    "fd": find,
    "fdfind": find,
    "git": _git,
    "eval": _eval,
    "trap": _trap,
    "ssh": _ssh,
    "socat": _socat,
    "autossh": _ssh,
    "mosh": _ssh,
    "su": _su,
    "runuser": _su,
    "script": _after_c,
    "flock": _flock,
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
