"""Paths in a call: what they resolve to, and which kind of place or file they name.

Owns resolution (pure: ``..`` and ``~``; symbolic links through ``Facts.real``), and the folders that count
as the project's, the system's or the product's. Does not own the rules that use them, nor which files hold
secrets (``gate.secret_files``).
"""

from __future__ import annotations

import os.path
from functools import lru_cache

from operators_edge.gate.path_patterns import has_wildcard, may_be, relations
from operators_edge.locations import PROOF_DIR, STATE_FILE, is_within
from operators_edge.shell.commands import HOLE, OWN_PATH, may_source, program_name
from operators_edge.shell.scope import OWN_NUMBER
from operators_edge.text.patterns import found_in, pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
    from typing import Any

    from operators_edge.gate.arrivals import Arrival
    from operators_edge.gate.disk.search import Piece
    from operators_edge.gate.file_states import State
    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.own.container_runs import Inside
    from operators_edge.gate.path_patterns import Relation
    from operators_edge.model import Call, Facts, Finding, Place
    from operators_edge.shell.commands import Command, Script

    Parsed = tuple[str, Script, list[Invocation], "CallContext"]
    """A text, what it is read as, its commands in order, and where it runs."""
    Position = tuple[Parsed, int]
    """One of these commands, by its number."""

_SAFE_DEVICES = pattern(
    r"(?s)/dev/(null|zero|full|u?random|tty|ptmx|std(in|out|err)|fd|shm|pts|mqueue|tcp|udp)(/.*)?$"
)
_TOP_FOLDERS = frozenset(
    [
        "/",
        "/bin",
        "/boot",
        "/dev",
        "/etc",
        "/home",
        "/lib",
        "/lib64",
        "/opt",
        "/proc",
        "/root",
        "/run",
        "/sbin",
        "/srv",
        "/sys",
        "/usr",
        "/var",
        "/Applications",
        "/Library",
        "/System",
        "/Users",
        "/Volumes",
        "/private",
        "/usr/bin",
        "/usr/lib",
        "/usr/local",
        "/usr/sbin",
        "/var/lib",
        "/var/log",
    ]
)
_DEPTH_OF_SYSTEM = 2
"""Levels of folders that are the system's, whatever is called home: ``/``, ``/etc``, ``/usr/local``."""

_SYSTEM = pattern(r"/(bin|boot|dev|etc|lib|lib32|lib64|opt|proc|sbin|sys|usr|System|Library)(/|$)")
_SYSTEM_PROGRAMS = frozenset(("/bin", "/sbin", "/usr/bin", "/usr/sbin"))
_NUMBERED = pattern(rf"/tmp/[\w.-]*{OWN_NUMBER}[\w.-]*/")  # noqa: S108 - only compared
"""What is in a temporary folder that has the number of the shell in its name."""
_STARTUP = pattern(
    r"/(\.(bash(rc|_profile|_login|_logout|_aliases)|z(shrc|shenv|profile|login|logout)|profile"
    r"|kshrc|cshrc|tcshrc|inputrc|xprofile|xinitrc|netrc|npmrc|pypirc|gitconfig|pgpass)"
    r"|\.config/(fish|git|autostart|systemd/user)/.*|\.ssh(/.*)?|\.gnupg(/.*)?|\.aws(/.*)?"
    r"|\.kube/config|\.docker/config\.json|Library/LaunchAgents/.*)$"
)
_OF_TESTS = pattern(r"/(?:tests?|__tests__|fixtures?|testdata)/(?!.*\.\.)")
_CLIENT_SETTINGS = pattern(
    r"/(\.claude\.json|\.claude/plugins/.*|claude_desktop_config\.json|\.aider\.conf\.ya?ml"
    r"|\.(cursor|vscode|roo|kilocode|windsurf|junie|amazonq|copilot)/(hooks|cli|config|mcp-config|cli-config)\.json"
    r"|\.codeium/windsurf/mcp_config\.json|\.kiro/(settings|hooks)/.*|\.amazonq/cli-agents/.*|\.github/hooks/.*"
    r"|\.codex/(config\.toml|hooks\.json|rules/.*)|\.(gemini|qwen)/(settings\.json|extensions/.*)"
    r"|opencode\.jsonc?|(\.opencode|\.config/opencode)/(plugins?|tools?)/.*|\.config/(goose|crush|amp)/.*"
    r"|\.continue/(config\.(ya?ml|json|ts)|mcpServers/.*))$"
)
"""Permissions, plugins and hooks of coding agents' clients. They ask about a project's servers themselves."""
_CACHES = (
    ".cache",
    "Library/Caches",
    "Library/Developer/Xcode/DerivedData",
    "AppData/Local/Temp",
    ".npm/_cacache",
    ".npm/_npx",
    ".yarn/berry/cache",
    ".pnpm-store",
    ".local/share/pnpm/store",
    ".bun/install/cache",
    ".cargo/registry",
    ".cargo/git",
    ".gradle/caches",
    ".m2/repository",
    ".ivy2/cache",
    ".nuget/packages",
    ".pub-cache",
    ".bundle/cache",
    ".composer/cache",
    ".terraform.d/plugin-cache",
    ".ccache",
    "go/pkg/mod",
)
"""Folders in a home that tools fill again by themselves."""
_GIT_FOLDER = pattern(r"/\.git(/|$)")
_GIT_MESSAGE = pattern(r"/\.git/(?:(?:COMMIT_EDIT|MERGE_|SQUASH_|TAG_EDIT)MSG|[\w-]+\.log)$")
# The schedule counts as a setting: the client types its entries as if a person had typed them.
_SETTINGS = pattern(r"/\.claude/(settings[^/]*|scheduled_tasks)\.json$")
_SETTINGS_FILES = ("settings.json", "settings.local.json", "scheduled_tasks.json")
_CLIENT_FOLDER = ".claude"
_START_FILES = ("sitecustomize.py", "usercustomize.py")
_MAX_COPY = 65_536
_KEEPS_NOTHING = frozenset(("/dev/null", "/dev/zero", "/dev/tty", "/dev/stdout", "/dev/stderr"))
"""Where what is written is in no file afterwards."""
MAX_AGAIN = 4_000
"""Commands after which nothing is judged a second time for one call: about a second."""
MAX_OUTCOMES = 16
"""Outcomes of changes of the folder that are read for one call, of a long text fewer."""
_MAX_COPIES = 4
"""Copies of copies that are followed to the first of them."""
_LAUNCHER = r"/(bin|Scripts)/(edge|operators-edge)(\.exe)?$"
_DOTGLOB = r"(?i)dotglob|glob_?dots"
_GLOB = pattern(r"[*?\[]|[@!+]\(")
_PLAIN_GLOB = pattern(r"(?!.*\*\*)(?:\.\[[!^]\.\]|[\w*?]|\[[\w-]+\])(?:[\w.*?+-]|\[[\w-]+\])*")
"""A pattern of names, never of ``.`` or ``..``."""
_ALL_NAMES = pattern(r"(\.?[*?]+|\*\.\*|\.\[[^\]]*\]\*)")
"""Globs that match every name, or every hidden one."""


@lru_cache(maxsize=8)
def _sets_dotglob(text: str) -> bool:
    """Asked for each path that a command names, always of the same few texts."""
    return found_in(_DOTGLOB, text)


_OTHER_PATH = frozenset(("sudo", "doas", "su", "su -c", "runuser", "env"))
"""What starts programs with another ``PATH`` than the shell has, or may."""


class RanPiece(NamedTuple):
    """A piece of a file that a command runs, itself or through another one."""

    key: Hashable
    is_shell: bool
    is_its_own: bool


class Judged:
    """How many commands were judged for one call: in all its contexts, those of second looks included."""

    def __init__(self) -> None:
        self.count = 0
        self._outcomes = 0
        self._commands: dict[tuple[object, ...], set[Command]] = {}
        self._runs: dict[tuple[str, Command], dict[RanPiece, None]] = {}
        self._parsed: dict[Hashable, list[Parsed]] = {}
        self.placed: set[Hashable] = set()
        """Pieces of files that are harmless only in the place where they were judged."""

    def note(self, findings: list[Finding], command: Command, text: str) -> None:
        """Keep which command of a text these are about, to judge it again without the others."""
        for one in findings:
            if not one.source:
                self._commands.setdefault((one.rule, one.spans, text), set()).add(command)

    def commands_of(self, findings: list[Finding], text: str) -> frozenset[Command] | None:
        """The commands of a text that findings are about; None if one of them is about something else."""
        places = [(one.rule, one.spans, text) for one in findings]
        if any(one not in self._commands for one in places):
            return None
        return frozenset(command for one in places for command in self._commands[one])

    def note_run(
        self, command: Command, piece: Piece, key: Hashable, position: Position | None
    ) -> None:
        """Keep that the command at a position, or one that it runs, runs a piece of a file from disk."""
        if position is not None:
            (text, _, invs, _), at = position
            outer = invs[at].command
            ran = RanPiece(key, piece.is_shell, is_its_own=command.argv == outer.argv)
            self._runs.setdefault((text, outer), {})[ran] = None

    def note_parsed(self, key: Hashable, parsed: Parsed) -> None:
        """Keep what a piece of a file was read as."""
        self._parsed.setdefault(key, []).append(parsed)

    def run_by(self, text: str, command: Command) -> Iterator[tuple[RanPiece, list[Parsed]]]:
        """Yield each piece of a file that a command of a text runs, and what it was read as."""
        for ran in self._runs.get((text, command), ()):
            yield ran, self._parsed.get(ran.key, [])

    def allows_outcome(self, count: int) -> bool:
        """Whether there is time for one more outcome of a text of so many commands; note that it is read."""
        is_allowed = self._outcomes < MAX_OUTCOMES and self.allows_again(count)
        self._outcomes += 1 + count // 100 if is_allowed else 0
        return is_allowed

    def allows_again(self, count: int) -> bool:
        """Whether there is time to judge so many commands once more."""
        return self.count + count <= MAX_AGAIN


_SETS_ANY = r"(?<![-\w])eval\b|\b(?:export|env|declare)\s+(?:-\S+\s+)*[\"']?\$"
_ACTIVATES = pattern(r"(?:\bsource|(?<!\S)\.)\s+\"?[\w./${}-]*\bbin/activate\b")
"""Sources what sets nothing but the environment of Python."""
_ASKS_ELSEWHERE = pattern(r"\bgit\s+-C\b")


class CallContext:
    """The context of one call: its directory, the project, and the facts about the machine."""

    text = ""
    """The whole text that the current command is part of."""
    code = ""
    """The program that starts what is judged."""
    beside = ""
    """What the other files define of the program that is read."""
    is_program = False
    """Whether the text runs in a shell of its own, which ends as the text says."""
    state = 0
    """The number of the state that the files of the text are in."""
    is_awaited = False
    """Whether the command that runs this text succeeds only if the text does."""
    reads: Callable[[str], Script] | None = None
    """Reads a text as this one is read, if it is one that is run from a file."""
    key: Hashable = None
    """What this text is known by among those that are run from files; None for the call's own."""
    position: Position | None = None
    """Where the command is that is judged."""
    outer: Position | None = None
    """Where the command is that runs this text."""
    around: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    """The files that run this text, their texts and arguments, from the outermost on."""
    is_loose = False
    """Whether this text is what may be a command in a file whose format is not read."""

    def __init__(self, call: Call, place: Place, facts: Facts) -> None:
        self.cwd = call.cwd
        self.place = place
        self.facts = facts
        self.home = place.home
        self.root = place.root or call.cwd
        self.temp = place.temp
        self._guarded = (os.path.join(self.root, PROOF_DIR), *place.own)
        self._paths: dict[tuple[str, str | None], str] = {}
        """Words as paths, by the folder that they are relative to: many conditions ask for the same."""
        self._held: dict[tuple[str, str], bool] = {}
        """Whether a pattern is found in a text: each command of the text asks the same."""
        self._commands: tuple[Command, ...] = ()
        self._looks = [0]
        """How often the other commands were looked at, in this context and its copies."""
        self.judged = Judged()
        self.ran: list[Command] = []
        """The commands of all texts of the call, those in files too, as they were judged."""
        self.links: list[tuple[str, str]] = []
        """Symbolic links that this text itself makes, and where they lead."""
        self.moved: list[str | None] = []
        """Where this text itself moves or links files to; None for an unknown place."""
        self.file_feeders: list[Command] = []
        """The commands of this text that read a file into a pipe or into their input, in order."""
        self.variables: list[tuple[str, str]] = []
        """Variables that this text sets for the programs it starts, with their values."""
        self._values: tuple[list[tuple[str, str]], dict[str, list[str]]] | None = None
        self.container: Inside | None = None
        """The container that a file's text runs in, if it does."""
        self.is_in_package = False
        """Whether a package's script is read: its own programs come first."""
        self.stand_ins: tuple[str, ...] = ()
        """Programs for which a test around this text has others in their place."""
        self.written_texts: dict[str, str | None] = {}
        """Files that this text itself writes: path → content; None when the content is unknown."""
        self.copies: dict[str, str] = {}
        """Files that this text itself copies, moves or links: path → the path of the origin."""
        self.appended: dict[str, str] = {}
        """Texts that this text itself puts at the end of files: path → text."""
        self.edited: frozenset[str] = frozenset()
        """Files that commands of this text change where they are: what they hold then is not known."""
        self.sourced: Mapping[str, str] = {}
        """Files that the text sources, and of which it knows all that they define, with their texts."""
        self.noted: dict[tuple[object, ...], list[Any]] = {}
        """What was found of each command of a text, in order, for those that need it again."""
        self.arrivals: list[Arrival] = []
        """Files that commands of this text, or of one around it, put in place."""
        self._lists_own: tuple[tuple[object, ...], bool] | None = None
        self._established: dict[str, bool] = {}
        """Whether git holds a file: each part of a program asks about all files of it."""

    @property
    def commands(self) -> tuple[Command, ...]:
        """The commands of this text, as the shell runs them."""
        self._looks[0] += 1
        return self._commands

    @commands.setter
    def commands(self, commands: tuple[Command, ...]) -> None:
        self._commands = commands

    @property
    def looks(self) -> int:
        """How often ``commands`` was asked for: what rests on it may depend on a command's place."""
        return self._looks[0]

    def inside(self, folder: str | None, text: str, stand_ins: tuple[str, ...] = ()) -> CallContext:
        """Return the context of a text that the call runs from a file, in another folder."""
        within = self._copy()
        within.cwd = folder or self.cwd
        within.text, within.file_feeders, within.sourced = text, [], {}
        within.outer, within.position, within.noted = self.position, None, {}
        within.stand_ins = (*self.stand_ins, *stand_ins)
        within.written_texts, within.copies = dict(self.written_texts), dict(self.copies)
        # What the texts around bring is there before each command of this one.
        within.arrivals = [one._replace(span=(-1, -1)) for one in self.arrivals]
        return within

    def again(self) -> CallContext:
        """Return the context of the same text, of which nothing has been noted yet."""
        within = self._copy()
        within.ran, within.noted = [], {}
        within.written_texts, within.copies = dict(self.written_texts), dict(self.copies)
        return within

    def before(self, command: Command) -> CallContext:
        """Return the context of what a command runs: what later commands bring is not there yet."""
        name = command.argv[0].text if command.argv else ""
        there = [
            one
            for one in self.arrivals
            # Commands of a text within the text have its place, so their order is unknown.
            if one.span < command.span
            or (one.span == command.span and command.through and one.program != name)
        ]
        return self if len(there) == len(self.arrivals) else self.with_arrivals(there)

    def with_arrivals(self, arrivals: list[Arrival]) -> CallContext:
        """Return the same context in which only these files arrive."""
        within = self._copy()
        within.arrivals = arrivals
        later = {one.place for one in self.arrivals if one not in arrivals}
        within.copies = {path: one for path, one in self.copies.items() if path not in later}
        return within

    def _copy(self) -> CallContext:
        made = CallContext.__new__(CallContext)
        made.__dict__.update(self.__dict__)
        return made

    def holds(self, pattern: str) -> bool:
        """Whether the pattern is found in the whole text."""
        key = pattern, self.text
        if key not in self._held:
            self._held[key] = found_in(pattern, self.text)
        return self._held[key]

    def lists_own(self, find: Callable[[CallContext], bool]) -> bool:
        """Whether a command of the text may print the name of an own file; ``find`` looks for one.

        Found once: each command that takes names from another asks.
        """
        rests_on = self._commands, self.links, self.cwd, self.text
        if self._lists_own is None or self._lists_own[0] != rests_on:
            self._lists_own = rests_on, find(self)
        return self._lists_own[1]

    def note_files(self, script: Script) -> None:
        """Note what a text writes, copies and searches, for what it runs from these files."""
        self.variables = [*self.variables, *script.variables]
        self.file_feeders = sorted(filter(feeds_file, script.commands), key=lambda c: c.span)
        for name, content in script.files:
            path = self.resolve(name, self.cwd)
            if path is not None and self.keeps(path):
                self.written_texts[path] = content
        for name, origin in script.copies:
            path, source = self.resolve(name, self.cwd), self.resolve(origin, self.cwd)
            if path is not None and source is not None:
                self.copies[path] = source
        added = ((self.resolve(name, self.cwd), text) for name, text in script.appended)
        self.appended = {
            **self.appended,
            **{
                one: text
                for path, text in added
                if path and self.keeps(path)
                for one in (path, self.real(path))
            },
        }

    def enter(self, state: State) -> None:
        """Have the files that this text writes as they are at one point of it."""
        self.arrivals = [
            one
            for one in self.arrivals
            if self.copies.get(one.place) == state.copies.get(one.place)
        ] + list(state.unseen.values())
        self.written_texts, self.copies = state.texts, state.copies
        self.state = state.number

    @staticmethod
    def keeps(path: str) -> bool:
        """Whether what is written there can be read later."""
        return path not in _KEEPS_NOTHING

    def origin_of(self, path: str) -> str:
        """The file whose content a file will have, as far as this text copies or moves it there."""
        for _ in range(_MAX_COPIES):
            folder = self.copies.get(os.path.dirname(path), "")
            is_inside = bool(folder) and os.path.basename(folder) == os.path.basename(path)
            origin = self.copies.get(path) or (folder if is_inside else path)
            if origin == path or path in self.written_texts:
                break
            path = origin
        return path

    def written_by(self, script: Script) -> Iterator[tuple[str, str]]:
        """Yield the files that a text writes or copies, with what they will hold, as far as it is known."""
        for name, content in script.files:
            path = self.resolve(name, self.cwd)
            if path is not None and content:
                yield path, content
        for name, source in script.copies:
            path, origin = self.resolve(name, self.cwd), self.resolve(source, self.cwd)
            text = self.facts.text(origin, _MAX_COPY) if path and origin else None
            if path and origin and text:
                is_folder = name.endswith("/") or self.facts.names(path) is not None
                yield os.path.join(path, os.path.basename(origin)) if is_folder else path, text

    def values_of(self, names: Iterable[str]) -> list[str]:
        """Return the values that the text gives to these variables."""
        return list(dict.fromkeys(value for name, value in self.variables if name in names))

    def values_by_name(self) -> dict[str, list[str]]:
        """Return each variable's values; put in order once, as each command asks for dozens of names."""
        if self._values is None or self._values[0] is not self.variables:
            found: dict[str, list[str]] = {}
            for name, value in dict.fromkeys(self.variables):
                found.setdefault(name, []).append(value)
            self._values = self.variables, found
        return self._values[1]

    def may_set_any(self) -> bool:
        """Whether this text, or one around it, may set variables whose names are not known."""
        texts, place = [self.text], self.outer
        while place is not None:
            texts.append(place[0][0])
            place = place[0][3].outer
        plain = (_ACTIVATES.sub("", one) for one in texts)
        return any(may_source(one) or found_in(_SETS_ANY, one) for one in plain)

    def top_level(self, text: str, folder: str | None, path: str) -> str:
        """What ``git rev-parse --show-toplevel`` prints for a text in a folder; "" if it does not ask.

        With ``-C`` a text asks for the repository around its own file, too: both have to be the same one.
        """
        if folder is None or "--show-toplevel" not in text:
            return ""
        folders = [folder, os.path.dirname(path)] if _ASKS_ELSEWHERE.search(text) else [folder]
        found = [self.facts.repository(os.path.normpath(one)) for one in folders]
        tops = {one[0] if one else "" for one in found}
        return tops.pop() if len(tops) == 1 else ""

    def is_replaced(self, command: Command) -> bool:
        """Whether a test has put another program in the place of this one, by its name."""
        is_named = bool(self.stand_ins and command.argv) and command.argv[0].text in self.stand_ins
        return is_named and not command.is_remote and _OTHER_PATH.isdisjoint(command.through)

    def absolute_folder(self, directory: str | None) -> str | None:
        """Return the absolute directory that a command runs in; None when it is unknown."""
        if directory is None or HOLE in directory:
            return None
        return self.resolve(directory, self.cwd) if directory else self.cwd

    def resolve(self, text: str, base: str | None) -> str | None:
        """Return the absolute path that a word names, relative to ``base``; None when it is unknown."""
        known = self._paths.get((text, base))
        if known is None and text and HOLE not in text:
            known = self._absolute(text, base)
            if known is not None:
                self._paths[text, base] = known
        return known

    def _absolute(self, text: str, base: str | None) -> str | None:
        if text == "~" or text.startswith("~/"):
            text = self.home + text[1:]
        elif text.startswith("~"):
            text = "/home/" + text[1:]
        elif not os.path.isabs(text):
            if base is None:
                return None
            text = os.path.join(base, text)
        path = os.path.normpath(text)
        return path[1:] if path.startswith("//") else path

    def real(self, path: str) -> str:
        for _ in self.links[:_MAX_COPIES]:  # of links to links
            for link, target in self.links:
                if is_within(path, link):
                    path = target + path[len(link) :]
        return self.facts.real(path) or path

    def meant_by(self, path: str) -> Iterator[str]:
        """Yield the files that a path may mean: by a link or a copy, or by its wildcards."""
        yield path
        folder, _, name = path.rpartition("/")
        if not has_wildcard(path):
            other = self.copies.get(path) or self.real(path)
            if other != path:
                yield other
        elif not has_wildcard(folder) and not _ALL_NAMES.fullmatch(name):
            for one in self.facts.names(folder or "/") or ():
                if may_be(name, one):
                    yield f"{folder}/{one}"

    def is_link(self, path: str) -> bool:
        """Whether the last part of the path is a symbolic link."""
        folder, name = os.path.split(path)
        above = self.facts.real(folder)
        return above is not None and self.facts.real(path) not in (None, os.path.join(above, name))

    def is_inside(self, path: str, folders: Iterable[str]) -> bool:
        for folder in folders:  # noqa: SIM110 - asked hundreds of times for a call: half of `any`
            if folder and is_within(path, folder):
                return True
        return False

    def is_outside(self, path: str) -> bool:
        """Whether a path is in neither the project, a temporary folder nor a cache, with links followed."""
        real = self.real(path)
        folders = (self.root, *self._temp_for(path), *self._caches())
        return not (
            self.is_inside(path, folders)
            and (self.is_inside(real, folders) or self.is_inside(real, map(self.real, folders)))
        )

    def _temp_for(self, path: str) -> tuple[str, ...]:
        """The temporary folders; none for what is in a home that is in one of them."""
        is_at_home = bool(self.home) and is_within(path, self.home)
        return () if is_at_home and self.home not in self.temp else self.temp

    def _caches(self) -> tuple[str, ...]:
        return tuple(f"{self.home}/{name}" for name in _CACHES) if self.home else ()

    def is_startup_or_key(self, path: str) -> bool:
        """Whether what it holds is run or trusted later: by a shell, by the host, by other machines."""
        is_client = self.is_inside(path, self.place.client)
        is_shared = self.is_inside(path, self.place.host)
        # in a home that the line has just made, or that has its number
        is_own = is_within(path, OWN_PATH) or bool(_NUMBERED.match(path))
        is_there = bool(_STARTUP.search(path)) and not (is_own or self._is_for_tests(path))
        return is_there or (is_client and not is_shared)

    def _is_for_tests(self, path: str) -> bool:
        """Whether it is in a folder of the project that its tests take for a home."""
        if self.root == self.home:
            return False
        return all(
            is_within(one, root) and _OF_TESTS.search(one[len(root) :])
            for one, root in ((path, self.root), (self.real(path), self.real(self.root)))
        )

    def is_elsewhere(self, path: str) -> bool:
        """Whether it is outside, but neither one of the host's folders nor a path with rules of its own."""
        has_rules = (
            path.startswith("/dev/")
            or self.is_system(path)
            or self.is_own_file(path)
            or self.is_startup_or_key(path)
            or is_git_internal(path)
        )
        return not has_rules and self.is_outside(path) and not self.is_inside(path, self.place.host)

    def is_root_or_home(self, path: str) -> bool:
        """Whether it is a top folder of the machine, the home folder, or contains home or project."""
        folder = fixed_part(path)
        whole = folder in _TOP_FOLDERS or folder == self.home
        holds_project = folder != self.root and is_within(self.root, folder)
        return whole or is_within(self.home, folder) or holds_project

    def is_changed(self, path: str) -> bool:
        """Whether the call's own text writes the file, puts it in place or adds to it."""
        changed = (self.written_texts, self.copies, self.appended, self.edited)
        return any(path in one for one in changed)

    def is_held(self, path: str) -> bool:
        """Whether git holds a file as it is, and the call's own text does not change it."""
        if self.is_changed(path):
            return False
        if not self.is_inside(path, (self.root, *self.temp)):
            return True  # to write it would have needed a person's decision
        if path not in self._established:
            self._established[path] = bool(self.facts.is_established(path, self.root))
        return self._established[path]

    def is_whole(self, path: str) -> bool:
        """Whether it is a top folder of the machine, the home folder, one around them, or all in one."""
        folder, name = os.path.split(path)
        one = folder if _ALL_NAMES.fullmatch(name) else path
        return one in _TOP_FOLDERS or (one != self.root and self._holds_project_or_home(one))

    def _holds_project_or_home(self, folder: str) -> bool:
        return any(is_within(each, folder) for each in (self.root, self.home) if each)

    def is_project(self, path: str) -> bool:
        """Whether it is the project's folder itself, or its history."""
        return path in (self.root, os.path.join(self.root, ".git"))

    def is_own_file(self, path: str) -> bool:
        """Whether it is one of the product's files or a hook settings file, by name or through a link.

        A path with wildcards is one if it may name one.
        """
        return any(self._is_own(one) for one in dict.fromkeys((path, self.real(path))))

    def _is_own(self, path: str) -> bool:
        if not has_wildcard(path):
            is_inside = self.is_inside(path, self._guarded)
            is_read = self._is_host_settings(path) or self._is_start_file(path)
            return is_inside or is_read or self._is_launcher(path)
        if any({"same", "below"} & self._relations(path, one) for one in self._guarded):
            return True
        folder, _, name = path.rpartition("/")
        is_client_folder = may_be(os.path.basename(folder), _CLIENT_FOLDER)
        return is_client_folder and any(may_be(name, one) for one in _SETTINGS_FILES)

    def _relations(self, pattern: str, path: str) -> set[Relation]:
        return relations(pattern, path, has_dotglob=_sets_dotglob(self.text))

    def _is_launcher(self, path: str) -> bool:
        """Whether a shell finds our command there: outside of the project, which may have one of its own."""
        return found_in(_LAUNCHER, path) and not is_within(path, self.root)

    def _is_start_file(self, path: str) -> bool:
        """Whether the interpreter that runs the product reads it when it starts."""
        is_read = path.endswith((".pth", *_START_FILES))
        return is_read and self.is_inside(os.path.dirname(path), self.place.libraries)

    def _is_host_settings(self, path: str) -> bool:
        folder, _, name = path.rpartition("/")
        return is_host_settings(f"/.claude/{name}" if folder in self.place.client else path)

    def holds_own_file(self, path: str) -> bool:
        """Whether removing the folder would remove the product's files."""
        return self.is_own_folder(path) or any(
            {"same", "above"} & self._relations(path, one) for one in self._guarded
        )

    def is_own_folder(self, path: str) -> bool:
        """Whether it is the client's folder, which holds its settings; with wildcards, if it may be one."""
        name = os.path.basename(path)
        if not has_wildcard(path):
            return name == _CLIENT_FOLDER
        # A pattern that says nothing about the name (`.*`) counts here only.
        here = any(
            "same" in self._relations(path, os.path.join(one, _CLIENT_FOLDER))
            for one in (self.root, self.home)
        )
        return here or (name.startswith(_CLIENT_FOLDER[:2]) and may_be(name, _CLIENT_FOLDER))

    def client_settings(self) -> list[str]:
        """The files from which a client takes its settings for this project."""
        folders = (
            *(f"{one}/{_CLIENT_FOLDER}" for one in (self.root, self.home)),
            *self.place.client,
        )
        return [f"{folder}/{name}" for folder in dict.fromkeys(folders) for name in _SETTINGS_FILES]

    def is_regenerable(self, path: str) -> bool:
        """Whether it is below a temporary folder, or ignored by git in the project (GA-4).

        A pattern is, if it stands for names in one temporary folder: further below, it would follow links.
        What the project ignores must be named.
        """
        if _GLOB.search(path):
            folder, _, name = path.rpartition("/")
            is_plain = _PLAIN_GLOB.fullmatch(name) and not _GLOB.search(folder)
            return bool(is_plain) and self.is_temporary(folder) and self.is_regenerable(folder)
        if self.is_own_file(path) or self.holds_own_file(path):
            return False
        if any(place is None or is_within(place, path) for place in self.moved):
            return False  # what was moved there is not made again
        return all(
            self.is_temporary(one) or self._is_ignored(one) for one in (path, self.real(path))
        )

    def are_regenerable(self, pattern: str) -> bool:
        """Whether what has such a name in the project is made again, and git ignores names like it."""
        is_plain = _GLOB.search(pattern.replace("*", "")) is None and "\\" not in pattern
        return is_plain and not self.moved and self._is_ignored(pattern)

    def is_temporary(self, path: str) -> bool:
        """Whether it is below a temporary folder, and neither holds the project nor is in it."""
        temp = self._temp_for(path)
        temp = (*temp, *map(self.real, temp))
        is_apart = not is_within(self.root, path) and not is_within(path, self.root)
        return is_apart and path not in temp and self.is_inside(path, temp)

    def is_outside_temporary(self, path: str) -> bool:
        """Whether it is surely in none of the temporary folders, and does not hold one."""
        temp = (*self.temp, *map(self.real, self.temp))
        ends = (path, self.real(path))
        return not any(is_within(one, end) or is_within(end, one) for end in ends for one in temp)

    def _is_ignored(self, path: str) -> bool:
        """Whether it is in the project, and git ignores it."""
        is_below = path != self.root and is_within(path, self.root)
        return is_below and bool(self.facts.is_regenerable(path, self.root))

    def is_branch(self, path: str) -> bool:
        """Whether the path, relative to the project, is the name of an existing branch."""
        name = path.removeprefix(self.root + "/")
        return self.facts.size(os.path.join(self.root, ".git", "refs", "heads", name)) is not None

    def is_state_file(self, path: str) -> bool:
        state = os.path.join(self.root, STATE_FILE)
        return path == state or self.real(path) == self.real(state)

    def is_program_of_system(self, path: str) -> bool:
        """Whether it is where the system keeps programs: to write there, a person has to decide."""
        is_there = os.path.dirname(path) in _SYSTEM_PROGRAMS
        return is_there and not self.is_inside(path, (self.root, *self.temp))

    def is_system(self, path: str) -> bool:
        """Whether it is in a folder of the system; a home there, as ``/opt/ci/home``, is the person's."""
        is_safe = _SAFE_DEVICES.match(path) is not None
        is_at_home = self.home.count("/") > _DEPTH_OF_SYSTEM and is_within(path, self.home)
        return (
            bool(_SYSTEM.match(path)) and not is_safe and not is_at_home and self.is_outside(path)
        )


def feeds_file(command: Command) -> bool:
    """Whether the command puts a file into a pipe, or reads one through a redirect."""
    is_cat = bool(command.argv) and program_name(command.argv[0]) == "cat"
    return is_cat or any(one.op == "<" for one in command.redirects)


def fixed_part(path: str) -> str:
    """Return the folder that contains all matches of a glob; the path itself without a glob."""
    found = _GLOB.search(path)
    return path if found is None else os.path.dirname(path[: found.start()]) or "/"


def is_below(path: str, folder: str) -> bool:
    """Whether a normalised path is below the folder, and not in the git folder there."""
    return path != folder and is_within(path, folder) and not is_git_internal(path)


_SCRATCH = r"^/(tmp|var/tmp|var/cache/(apt|apk|yum|dnf|pacman)|var/lib/apt/lists|root/\.cache)/."


def is_scratch(path: str) -> bool:
    """Whether it is below a temporary folder of another machine, or in what installers fetch again there."""
    return found_in(_SCRATCH, path)


def is_device(path: str) -> bool:
    return path.startswith("/dev/") and not _SAFE_DEVICES.match(path)


def is_host_settings(path: str) -> bool:
    return bool(_SETTINGS.search(path))


def is_client_settings(path: str) -> bool:
    return bool(_CLIENT_SETTINGS.search(path))


def is_git_internal(path: str) -> bool:
    return bool(_GIT_FOLDER.search(path))


def is_git_message(path: str) -> bool:
    """Whether it is a message that an editor is given, or a log of somebody's own."""
    return bool(_GIT_MESSAGE.search(path))


# end of module
