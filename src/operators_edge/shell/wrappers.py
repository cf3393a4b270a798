"""Programs that run other programs, and where in their words the other program is.

Owns ``unwrap``. Does not own the tables (``shell.wrapper_table``), nor reading the commands found: it
returns words or texts, which the evaluator reads.
"""

from __future__ import annotations

import re
from itertools import dropwhile, pairwise

from operators_edge.shell.commands import (
    Word,
    Wrapped,
    as_text_and_words,
    has_option,
    join_words,
    operands,
    option_value,
    program_name,
    quoted,
    skip_options,
)
from operators_edge.shell.runners import MAX_ITEMS, find, find_embedded, parallel, xargs
from operators_edge.shell.wrapper_table import (
    COMPOSE_VALUES,
    GLOBAL_VALUES,
    IMAGES,
    JOINED,
    OF_PACKAGES,
    PREFIXES,
    REMOTES,
    RUN_FLAGS,
    RUNNERS,
    SAME_SHELL,
    TEXT_OPTIONS,
)
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SHELLS = frozenset(
    ["sh", "bash", "zsh", "dash", "ksh", "ksh93", "mksh", "fish", "ash", "rbash", "csh", "tcsh"]
)


def unwrap(argv: Sequence[Word], stdin: str | None) -> list[Wrapped]:
    """Return what ``argv`` runs; empty when it runs nothing that is known."""
    name = program_name(argv[0])
    if name.startswith("git-") and "/" in argv[0].text:  # one of git's own programs, by its path
        words = (Word("git", argv[0].span), Word(name[4:], argv[0].span), *argv[1:])
        return [Wrapped(name, words, keeps_wrapper=True)]
    found = find_embedded(name, argv, stdin)
    special = _SPECIALS.get(name)
    if special:
        found += special(name, argv, stdin)
    elif name in PREFIXES:
        found += _prefix(name, argv, stdin)
    elif name in _FIRST_WORDS:
        found += _runner(name, argv, stdin)
    return [one for one in found if one.words or one.text]


def is_wrapper(name: str) -> bool:
    """Whether the program is known to run another one that its words name."""
    return name in _SPECIALS or name in PREFIXES or name in _FIRST_WORDS


def _prefix(name: str, argv: Sequence[Word], stdin: str | None) -> list[Wrapped]:
    before, valued = PREFIXES[name]
    rest = argv[1:]
    start = skip_options(rest, valued)
    if name in {"command", "taskset"} and start and re.match(r"-[vVp]*[vV]|-p", rest[0].text):
        if name == "command" and rest[0].text == "-p":
            return [Wrapped(name, tuple(rest[start:]), shares_scope=True)]
        return []
    if name == "coproc" and len(rest) > 1 and rest[0].text.isupper():
        start = 1
    start += before
    assigns = _assignments(rest[start:]) if name in {"sudo", "doas", "cross-env"} else ()
    start += len(assigns)
    if start >= len(rest):
        return _login(name, argv, stdin)
    directory = option_value(rest[:start], "D chdir") if name == "sudo" else None
    return [
        Wrapped(
            name,
            tuple(rest[start:]),
            assigns=assigns,
            cwd=directory.text if directory else None,
            shares_scope=argv[0].text in SAME_SHELL,
            # At another time: the wrapper itself says so.
            keeps_wrapper=any(word.text.startswith("--on-") for word in rest[:start]),
        )
    ]


def _login(name: str, argv: Sequence[Word], stdin: str | None) -> list[Wrapped]:
    """A wrapper without a command starts a shell, which reads its standard input."""
    starts_shell = name in _STARTS_SHELL or has_option(argv[1:], "[si]", "--shell", "--login")
    return _input(name, argv, stdin) if starts_shell else []


def _input(
    name: str, argv: Sequence[Word], stdin: str | None, *, is_remote: bool = False
) -> list[Wrapped]:
    """Standard input as a script."""
    text = None if stdin is None else Word(stdin, argv[0].span)
    return [Wrapped(name, (), text, keeps_wrapper=True, is_remote=is_remote, takes_stdin=False)]


def _assignments(words: Sequence[Word]) -> tuple[tuple[str, Word], ...]:
    """Return the variables that the first words set."""
    found: list[tuple[str, Word]] = []
    for word in words:
        key, equals, value = word.text.partition("=")
        if not equals or not key.isidentifier():
            break
        found.append((key, Word(value, word.span)))
    return tuple(found)


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
    assigns = _assignments(rest[start:])
    return [
        Wrapped(
            name,
            tuple(rest[start + len(assigns) :]),
            assigns=assigns,
            cwd=directory.text if directory else None,
            drops=_dropped(rest[:start]),
            drops_all=any(word.text == "-" for word in rest[:start])
            or has_option(rest[:start], "i", "--ignore-environment"),
        )
    ]


def _dropped(words: Sequence[Word]) -> frozenset[str]:
    """The variables that ``env -u NAME`` leaves out."""
    texts = [word.text for word in words]
    named = [
        after if one in {"-u", "--unset"} else re.sub("^(?:-u|--unset=)", "", one)
        for one, after in pairwise([*texts, ""])
        if one.startswith(("-u", "--unset"))
    ]
    return frozenset(named)


def _env_directory(words: Sequence[Word]) -> Word | None:
    for word in words:
        if re.match(r"-C.", word.text):
            return Word(word.text[2:], word.span)
        if not word.text.startswith("-"):
            break
    return option_value(words, "C chdir")


def _subcommand(name: str, rest: list[Word]) -> str:
    """Remove the subcommand's words from ``rest``; return the key of the table, "" for none."""
    key = name
    for _ in range(3):
        is_known = key in RUNNERS or key in REMOTES
        if is_known:
            start = skip_options(rest, (REMOTES.get(key) or RUNNERS[key])[1])
            if not (rest[start:] and f"{key} {rest[start].text}" in RUNNERS):
                return key
            del rest[:start]  # ``dotenv -f FILE run``
        valued = COMPOSE_VALUES if key.endswith(" compose") else GLOBAL_VALUES.get(name, "")
        del rest[: skip_options(rest, valued)]
        if not rest:
            return ""
        key = f"{key} {rest.pop(0).text}"
    return key if key in RUNNERS or key in REMOTES else ""


def _runner(name: str, argv: Sequence[Word], _: str | None = None) -> list[Wrapped]:
    """Follow programs whose subcommand runs a command: docker exec, npx, uv run."""
    rest = list(argv[1:])
    key = _subcommand(name, rest)
    if not key:
        return []
    is_remote = key in REMOTES
    before, valued = REMOTES.get(key) or RUNNERS[key]
    start = skip_options(rest, valued)
    text = option_value(rest[:start], TEXT_OPTIONS[name]) if name in TEXT_OPTIONS else None
    words = tuple(rest[start + before :])
    if words and words[0].text == "--":
        words = words[1:]
    if key in JOINED:
        text = join_words(words)
    given = [words]
    if key in OF_PACKAGES and words and not text:
        given += [(words[0]._replace(text=one), *words[1:]) for one in _commands_of(words[0].text)]
    return [
        Wrapped(key, () if text else one, text, keeps_wrapper=True, is_remote=is_remote)
        for one in given
    ]


def _commands_of(package: str) -> list[str]:
    """Return the commands that a package may bring, where its own name is not the name of one.

    ``vercel@34`` runs vercel, ``@railway/cli`` railway, ``netlify-cli`` netlify, ``@x/eas-cli`` eas.
    """
    found = re.fullmatch(r"(?:@([\w.-]+)/)?([\w.-]+?)(?:\[[\w,-]*\])?(?:[@=<>~!][^/]*)?", package)
    if found is None:
        return []
    scope, name = found.groups()
    bare = re.sub(r"^cli-|-(cli|tools|bin)$", "", name)
    names = [name, bare, *([scope, f"{scope}-{name}"] if scope else ())]
    return [one for one in dict.fromkeys(names) if one != package.rpartition("/")[2]]


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
        return _runner(name, argv) if texts[1:2] == ["rsh"] else []
    words = tuple(argv[texts.index("--") + 1 :])
    return [Wrapped(f"{name} {verb}", words, keeps_wrapper=True, is_remote=True)]


def _ssh(name: str, argv: Sequence[Word], stdin: str | None) -> list[Wrapped]:
    valued = "b B c D E e F I i J L l m O o P p Q R S W w"
    # The first operand is the host; options may follow it too.
    text = join_words(operands(operands(argv, valued), valued))
    if text:
        return [Wrapped(name, text=text, keeps_wrapper=True, is_remote=True)]
    return _input(name, argv, stdin, is_remote=True)


def _su(name: str, argv: Sequence[Word], stdin: str | None) -> list[Wrapped]:
    rest = argv[1:]
    text = option_value(rest, "c command session-command")
    if text:
        return [Wrapped(f"{name} -c", text=text)]
    if name == "runuser":
        return [Wrapped(name, operands(argv, "u g G s user group supp-group shell"))]
    return _login(name, argv, stdin)


def _after_c(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    """``script -qec TEXT``, ``nix-shell --run TEXT``, ``vagrant ssh -c TEXT`` and the like."""
    texts = [word.text for word in argv]
    text = option_value(argv[1:], "c command run")
    if texts[1:2] == ["ssh"] and "--" in texts:
        text = join_words(argv[texts.index("--") + 1 :])
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
    rest = operands(argv, valued)
    if len(rest) > 1 and rest[1].text in {"-c", "--command"}:
        return [Wrapped(f"{name} -c", text=word) for word in rest[2:3]]
    return [Wrapped(name, operands(rest, valued))]


def _watch(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    words = operands(argv, "n interval equexit q shotsdir s")
    if has_option(argv[1 : len(argv) - len(words)], "x", "--exec"):
        return [Wrapped(name, words)]
    return as_text_and_words(name, words)


def _hyperfine(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    rest = list(argv[1:])
    found = [option_value(rest, names) for names in ("p prepare", "s setup", "c cleanup")]
    valued = "w r m M p s c L P D S n prepare setup cleanup warmup runs min-runs max-runs shell export-json"
    while rest:
        rest = rest[skip_options(rest, valued) :]
        if rest:
            found.append(rest.pop(0))
    return [Wrapped(name, text=text) for text in found]


_TMUX_VERBS = (
    "send-keys send new-session new new-window neww split-window splitw respawn-pane run-shell run"
    " if-shell pipe-pane display-popup popup"
)
_TMUX_KEYS = "Enter C-m C-c C-l KPEnter C-j Space"


def _tmux(_name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    verbs = _TMUX_VERBS.split()
    rest = list(dropwhile(lambda word: word.text not in verbs, argv[1:]))
    if not rest:
        return []
    verb = rest[0].text
    # Some letters are flags for other subcommands, but take a value for these.
    is_run = "popup" in verb or "run" in verb
    words = operands(rest, "t d w h x y s e b c" if is_run else "t s n c x y F e f S N l")
    if verb.startswith("send"):
        words = tuple(word for word in words if word.text not in _TMUX_KEYS.split())
        verb = "send-keys"
    return [Wrapped(f"tmux {verb}", text=join_words(words), keeps_wrapper=True)]


def _screen(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    texts = [word.text for word in argv]
    if "stuff" in texts[:-1]:
        word = argv[texts.index("stuff") + 1]
        text = re.sub(r"\\[nr](?=\s*\Z)|\^M|\\015|\\012", "\n", word.text)
        return [Wrapped("screen stuff", text=Word(text, word.span), keeps_wrapper=True)]
    return [Wrapped(name, operands(argv, "S t T h p c e s X r"), keeps_wrapper=True)]


def _entr(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    words = operands(argv, "")
    if has_option(argv[1 : len(argv) - len(words)], "s"):
        return [Wrapped(f"{name} -s", text=join_words(words), takes_stdin=False)]
    return [Wrapped(name, words, takes_stdin=False)]  # its input is the list of files to watch


def _texts(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    """Programs with command texts as operands: concurrently, pee."""
    words = operands(argv, "n c p names prefix prefix-colors max-processes m")
    return [
        Wrapped(name, text=word._replace(text=_SCRIPT_NAME.sub(r"\1 run \2", word.text)))
        for word in words[:MAX_ITEMS]
    ]


_SCRIPT_NAME = pattern(r"^(npm|pnpm|yarn|bun|node|deno):(\S+)")
"""How concurrently calls a script of package.json."""


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
    if name == "crontab":
        time = r"(?m)^[ \t]*(?:@\w+|(?:[\d*,/A-Za-z-]+[ \t]+){4}[\d*,/A-Za-z-]+)[ \t]+"
        stdin = re.sub(time, "", stdin)
    return _input(name, argv, stdin)


def _eval(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    rest = argv[2:] if len(argv) > 1 and argv[1].text == "--" else argv[1:]
    if name == "eval":
        return [Wrapped(name, text=join_words(rest), shares_scope=True)]
    is_action = len(rest) > 1 and not rest[0].text.startswith("-") and rest[0].text
    return [Wrapped(name, text=rest[0])] if is_action else []


_KEY_BINDING = pattern(r'\s*(?:"(?:[^"\\]|\\.)*"|\S+?)\s*[:=\s]\s*(.+)', re.DOTALL)


def _completion(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    """``-C TEXT`` is run, for each line or to complete a word; ``-W TEXT`` is expanded."""
    command, words = option_value(argv[1:], "C"), option_value(argv[1:], "W")
    found = [Wrapped(f"{name} -C", text=command, keeps_wrapper=True)] if command else []
    if words and "map" not in name and "read" not in name:
        text = Word(f": <<words\n{words.text}\nwords\n", words.span)
        found.append(Wrapped(f"{name} -W", text=text, keeps_wrapper=True))
    return found


def _bind(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    """``bind -x '"KEY": TEXT'``."""
    text = option_value(argv[1:], "x")
    run = _KEY_BINDING.match(text.text) if text else None
    return [Wrapped(f"{name} -x", text=Word(run[1], text.span))] if text and run else []


def _git(name: str, argv: Sequence[Word], _: str | None) -> list[Wrapped]:
    rest = list(argv[1:])
    verb_at = skip_options(rest, GLOBAL_VALUES["git"])
    if verb_at >= len(rest):
        return []
    verb, after = rest[verb_at].text, rest[verb_at + 1 :]
    for word in reversed(rest[:verb_at]):
        alias = re.match(r"(?i)alias\.([^=]+)=(!?)(.*)", word.text, re.DOTALL)
        if alias and alias[1].lower() == verb.lower():
            text = alias[3] if alias[2] else f"git {alias[3]}"
            whole = Word(f"{text} {quoted([each.text for each in after])}", word.span)
            given = ("git", *(each.text for each in after))
            return [Wrapped("git alias", text=whole, arguments=given, keeps_wrapper=True)]
    if verb == "submodule" and "foreach" in [word.text for word in after]:
        words = operands(list(dropwhile(lambda word: word.text != "foreach", after)), "")
        return [Wrapped("git submodule foreach", text=join_words(words), keeps_wrapper=True)]
    if verb == "rebase":
        command = option_value(after, "x exec")
        return [Wrapped("git rebase --exec", text=command, keeps_wrapper=True)]
    if verb == "filter-branch":
        filters = [option_value(after, one) for one in _FILTERS]
        return [
            Wrapped("git filter-branch", text=one, keeps_wrapper=True) for one in filters if one
        ]
    return _runner(name, argv)


_FILTERS = (
    *("setup", "env-filter", "tree-filter", "index-filter", "parent-filter"),
    *("msg-filter", "commit-filter", "tag-name-filter"),
)
"""Options of ``git filter-branch`` whose value is a script."""


def _cargo(_: str, argv: Sequence[Word], __: str | None) -> list[Wrapped]:
    """``cargo make X``: the program ``cargo-make`` with the rest. ``cargo watch -s TEXT``."""
    verb = argv[1].text if len(argv) > 1 else ""
    if verb == "watch":
        text, own = option_value(argv, "s shell"), option_value(argv, "x exec")
        own = own and own._replace(text=f"cargo {own.text}")
        return [Wrapped("cargo watch", text=one, keeps_wrapper=True) for one in (text, own) if one]
    if verb != "make":
        return []
    words = (argv[1]._replace(text="cargo-make"), *argv[2:])
    return [Wrapped("cargo make", words, keeps_wrapper=True)]


_STARTS_SHELL = frozenset(["su", "chroot", "unshare", "nsenter", "fakeroot", "proot"])
_SPECIALS: dict[str, Callable[[str, Sequence[Word], str | None], list[Wrapped]]] = {
    "entr": _entr,
    "concurrently": _texts,
    "pee": _texts,
    "start-stop-daemon": _daemon,
    "sg": _after_c,
    "env": _env,
    "cargo": _cargo,
    "xargs": xargs,
    "parallel": parallel,
    "find": find,
    "gfind": find,
    "fd": find,
    "fdfind": find,
    "git": _git,
    "eval": _eval,
    "mapfile": _completion,
    "readarray": _completion,
    "compgen": _completion,
    "complete": _completion,
    "bind": _bind,
    "trap": _eval,
    "ssh": _ssh,
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
_FIRST_WORDS = frozenset(key.split()[0] for key in (*RUNNERS, *REMOTES))

_VARIABLE_FIRST = pattern(r"[\"']?\$\{?([A-Za-z_]\w*)")
_MAY_BE_ROOT = (
    r"\b{0}(?:=|:?[-=])\(?[\"']?(?:\$\{{{0}:?[-=])?[\"']?(?:\$\(\s*(?:command\s+-v|which|type\s+-\w+)\s+)?(?:/[\w/]*/)?"
    r"(?:sudo|doas|\$\{{?\w*(?:SUDO|sudo|DOAS|doas))"
)
"""Somewhere in a text the variable is set to what runs the rest as root."""


def may_be_root(text: str, span: tuple[int, int]) -> bool:
    """Whether a variable at that place runs the rest as root, by its name or by what the text sets it to."""
    named = _VARIABLE_FIRST.match(text, *span)
    if named is None:
        return False
    name = named[1]
    is_called_so = re.search("(?i)sudo|doas", name) is not None
    return is_called_so or re.search(_MAY_BE_ROOT.format(re.escape(name)), text) is not None


# end of module
