"""Targets and scripts that are only called dangerous: ``make release`` that builds and checks alone.

Owns whether everything that the target of a command runs was read and is known to act on this folder alone;
a rule that goes by the name of a target (``by_name`` in a pack) then says nothing. What the target runs is
judged in any case (``gate.assessment``). Pure but for ``Facts``. Loaded when such a rule matches.
"""

from __future__ import annotations

import os.path
from functools import partial

from operators_edge.gate.disk import follow, started, surroundings
from operators_edge.gate.disk.makefiles import INCLUDE
from operators_edge.gate.disk.search import Search
from operators_edge.gate.invocation import find_flags, invocation_of
from operators_edge.gate.own import line_words, made_here
from operators_edge.shell.code.languages import RUBY
from operators_edge.shell.commands import HOLE, SOURCING, quoted
from operators_edge.shell.wrapper_table import OF_PACKAGES
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from operators_edge.gate.disk.search import Piece
    from operators_edge.gate.disk.sourced import Settings
    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext, Parsed
    from operators_edge.gate.rules import Rules
    from operators_edge.shell.commands import Command, Script

_MAX_DEPTH = 6
_GIVEN_BY_NAME = frozenset(("run-s", "run-p", "npm-run-all", "npm-run-all2"))
_FOR_THEMSELVES = frozenset(
    ("", "publish", "unpublish", "version", "pack", "tag", "owner", "login", "npm", "dlx", "exec")
)
_RUN_BY_NAME = {
    "yarn": _FOR_THEMSELVES,
    **dict.fromkeys(("pnpm", "rush"), _FOR_THEMSELVES | {"deploy"}),
}
"""Programs whose first word may be the name of a script, and the words that are never one."""
_MAY_RUN_OTHERS = frozenset(("sudo", "doas", "ssh", "xargs", "parallel", "eval"))
_LEADS_AWAY = pattern(r"[^-].*:|-[a-zA-Z]*e|--rsh|--rsync-path|--daemon|--\S*(?:from|batch)")
"""Words of rsync that name another machine, or may."""
_NAMED = pattern(
    r"(?:\brequire\(|\bfrom|\bimport\(?)\s*['\"]([^'\"\n]+)['\"]|(?m:^)[ \t]*(?:from|import)[ \t]+(\w+)"
)


_LEAVES = pattern(
    r"(?i)system|popen|subprocess|spawn|exec|fork|kill|eval|\bFunction\b|fetch|socket|https?:|binding"
    r"|import\s*\(|__import__|importlib|import\s+\.|require\((?!\s*['\"]\w)|require\b(?!\()|module|globalThis|sendfile"
)
"""Words of code that may start a program, load another file or reach another machine."""
_LOADING = frozenset(("-r", "--require", "--import", "--loader", "--env-file", "-m"))
_MODULES_BY_NAME = frozenset(("node", "python"))
"""Languages whose modules ``_NAMED`` finds."""
_LOADED = pattern(
    r"(?m)^(?:.*[;={(])?[ \t]*(?:require|load|use|include|autoload)(?:_once)?\b[ \t(]*(['\"]?[^\s'\";)]+)"
)
"""What a program in another language loads: with its first quote, if it is a text."""


def is_known(
    inv: Invocation,
    context: CallContext,
    rules: Rules,
    migrates_own: Callable[[Invocation, CallContext], bool],
) -> bool:
    """Whether all that the targets of the command run was read, and is known to stay here.

    ``migrates_own`` says of a program whether it only works in databases that are its own, or for tests.
    """
    return _Target(rules, migrates_own).stays(inv, context, 0)


class _Target:
    """The reading of one target and of those that it calls; each file once."""

    def __init__(
        self, rules: Rules, migrates_own: Callable[[Invocation, CallContext], bool]
    ) -> None:
        self.rules = rules
        self.migrates_own = migrates_own
        self.follower = follow.Follower(rules)
        self.begun: set[tuple[object, ...]] = set()
        """The commands whose targets are read, with their folders: one that calls itself runs no more."""

    def stays(self, inv: Invocation, context: CallContext, depth: int) -> bool:
        if depth > _MAX_DEPTH or not (_is_script(inv) or _is_target(inv)):
            return False
        command = inv.command
        folder, given = inv.working_folder(context), tuple(sorted(command.environment.items()))
        here = (*(word.text for word in command.argv), folder, given)
        is_known = folder is not None and all(word.is_known for word in command.argv)
        if is_known and here in self.begun:
            return True
        self.begun.add(here)
        stays = self._runs_known(inv, context, depth)
        if not stays:
            self.begun.discard(here)
        return stays

    def _runs_known(self, inv: Invocation, context: CallContext, depth: int) -> bool:
        pieces = list(self.follower.pieces(inv, context, depth))
        files = self.follower.starting.get(inv.command, ())
        if files and all(
            map(context.is_held, files)
        ):  # what is left of the program stands for them
            pieces = [one for one in pieces if not one.unless_held]
            return all(self._starts_known(one, context) for one in pieces)
        return bool(pieces) and all(self._piece(one, inv, context, depth) for one in pieces)

    def _starts_known(self, piece: Piece, context: CallContext) -> bool:
        """Whether every program that is started by what is left of a Python program is listed."""
        from operators_edge.gate.disk import python_programs  # noqa: PLC0415 - for Python's files alone

        texts = python_programs.started(piece.text) if piece.is_whole else None
        if texts is None:
            return False
        lines = [one if isinstance(one, str) else quoted(one) for one in texts]
        scripts = [started.parsed(one, context.home, (), ()) for one in lines]
        return all(
            not script.problems and all(self._is_settled(one) for one in script.commands)
            for script in scripts
        )

    def _is_settled(self, command: Command) -> bool:
        """Whether a command is known by its words alone to stay here."""
        if not command.argv:
            return True
        inv = invocation_of(command, self.rules)
        if command.is_remote or not _MAY_RUN_OTHERS.isdisjoint((*command.through, inv.program)):
            return False
        if _copies_here(inv) or _pushes_nothing(inv) or (inv.codes and self._stays_inside(inv)):
            return True
        return self._is_listed(inv) or inv.is_help() or inv.is_dry_run() or inv.only_checks()

    def _piece(self, piece: Piece, inv: Invocation, context: CallContext, depth: int) -> bool:
        if piece.is_loose or not piece.is_whole or piece.unseen:
            return False
        if not self._is_all_read(piece.path, inv):
            return False
        if not piece.is_shell:
            return self._is_plain_code(piece, inv, context)
        inside = follow.inside(piece, context)
        script = self._script(piece, inside)
        inside.note_files(script)
        given = (inside, self.follower, "")
        commands = [surroundings.with_known_words(one, *given) for one in script.commands]
        invs = [invocation_of(one, self.rules) for one in commands]
        parsed: Parsed = (piece.text, script, invs, inside)
        is_all = not script.problems
        if inside.sourced:
            from operators_edge.gate.disk import sourced  # noqa: PLC0415 - few targets have such a name

            whole, positions = sourced.as_one(parsed)
            left = (at for at, place in enumerate(positions) if place is None)
            is_all &= all(self._command(script.commands[at], inside, depth + 1) for at in left)
            parsed = whole
        inside.judged.note_parsed(inside.key, parsed)
        return is_all and all(self._stays_at(parsed, at, depth + 1) for at in range(len(parsed[2])))

    def _stays_at(self, parsed: Parsed, at: int, depth: int) -> bool:
        """Whether one command of a text stays here, or only uses what the text has made."""
        _, _, invs, inside = parsed
        inside.position = parsed, at
        return (
            self._command(invs[at].command, inside, depth)
            or _only_wraps(invs[at], invs)
            or made_here.is_own(line_words.Line(*parsed), at)
            or self._is_for_tests(invs[at], inside)
        )

    def _is_for_tests(self, inv: Invocation, context: CallContext) -> bool:
        """Whether it only works in a database for tests, or starts servers of such ones."""
        if self.migrates_own(inv, context) or _starts_servers(inv, context):
            return not (inv.command.is_remote or inv.command.has_more_words)
        from operators_edge.gate.disk import release_tools  # noqa: PLC0415 - as below
        from operators_edge.gate.own import clients_for_tests  # noqa: PLC0415 - few targets have such a name

        if release_tools.stays_here(inv, context):
            return True
        return clients_for_tests.stays(
            inv, context.text, context, lambda path: self.follower.read(path, context)
        )

    def _script(self, piece: Piece, context: CallContext) -> Script:
        """The commands of a text, with all known that the files define which it sources."""
        from operators_edge.gate.disk import sourced  # noqa: PLC0415 - few targets have such a name

        given = (context.home, piece.arguments, piece.assigned)
        top = context.top_level(piece.text, piece.folder, piece.path)

        def read(text: str, settings: Settings = ()) -> Script:
            return started.parsed(text, *given, settings, top=top)

        context.reads, same = read, partial(read, piece.text)
        return sourced.known(same(), same, context, with_all=True)

    def _command(self, command: Command, context: CallContext, depth: int) -> bool:
        if not command.argv:
            return True
        inv = invocation_of(command, self.rules)
        if command.is_remote or not _MAY_RUN_OTHERS.isdisjoint((*command.through, inv.program)):
            return False
        if command.argv[0].text in SOURCING:
            return self._only_defines(inv, context)
        if self._is_settled(command):
            return True
        if "recipes" in inv.spec and _is_target(inv):
            return self.stays(inv, context, depth)
        if not _is_script(inv):
            return False
        return depth <= _MAX_DEPTH and self._runs_known(inv, context, depth)

    def _only_defines(self, inv: Invocation, context: CallContext) -> bool:
        """Whether it sources a file of which all is known where it is used."""
        words = inv.command.argv
        place = context.resolve(words[1].text, inv.working_folder(context)) if words[1:] else None
        return place in context.sourced

    def _is_listed(self, inv: Invocation) -> bool:
        """Whether the packs know of the program, or of its subcommand, that it stays here."""
        module = [word.text for word in inv.values(inv.spec.get("modules", ()))][:1]
        given = [word.text for word in inv.command.argv]
        if module:
            rest = given[given.index(module[0]) :] if module[0] in given else [HOLE]
            return self._is_in_list(rest)
        operands = [word.text for word in inv.operands]
        if inv.program == "node" and _only_tests(inv):
            return True
        return any(self._is_in_list([name, *operands]) for name in (given[0], inv.program))

    def _is_in_list(self, words: list[str]) -> bool:
        listed = self.rules.tools["stays"]
        known = words[: next((n for n, word in enumerate(words) if HOLE in word), 3)]
        return any(" ".join(known[:count]) in listed for count in range(1, len(known[:3]) + 1))

    def _is_plain_code(self, piece: Piece, inv: Invocation, context: CallContext) -> bool:
        """Whether code starts, sends and changes nothing, as far as its own words and its modules tell."""
        if piece.program == "ruby":
            return self._is_plain_ruby(piece, inv, context)
        if piece.program in _MODULES_BY_NAME:
            is_known = self._has_known_modules(piece.text)
        else:
            is_known = set(_LOADED.findall(piece.text)) <= _PLAIN_LIBRARIES
        return is_known and not started.may_start(piece.text)

    def _has_known_modules(self, text: str) -> bool:
        """Whether the modules of Node and Python that code names by their names all stay here."""
        named = [one or other for one, other in _NAMED.findall(text)]
        ours = {one.removeprefix("node:").partition("/")[0] for one in named if one[:1] != "."}
        return ours <= set(self.rules.tools["local_modules"])

    def _stays_inside(self, inv: Invocation) -> bool:
        """Whether code on the line reaches nothing but files: which ones, other rules judge."""
        codes = [word.text for word in inv.codes]
        loads = any(one.name in _LOADING for one in inv.flags)
        is_alone = inv.program in _MODULES_BY_NAME and not loads
        return is_alone and all(
            HOLE not in one and not _LEAVES.search(one) and self._has_known_modules(one)
            for one in codes
        )

    def _is_plain_ruby(self, piece: Piece, inv: Invocation, context: CallContext) -> bool:
        """The same of Ruby, which may also do anything to databases that it makes for itself."""
        search = Search(self.follower, inv, context)
        folder = os.path.dirname(piece.path)
        modules = list(search.local_modules(folder, piece.text, piece.program))
        parts = (piece, *modules)
        texts = [_LISTED_CODE.sub("", one.text) for one in parts]
        if not context.edited.isdisjoint(one.path for one in parts):
            return False
        named = {name for one in texts for name in _REQUIRED.findall(one)}
        if any(map(_RUNS_MORE.search, texts)) or not named <= _RAKE_LIBRARIES | _PLAIN_LIBRARIES:
            return False
        stems = {os.path.basename(one.path).partition(".")[0] for one in parts}
        nearby = [name for one in texts for name in _REQUIRED_HERE.findall(one)]
        if not all(os.path.basename(one).partition(".")[0] in stems for one in nearby):
            return False
        if not any(map(started.may_start, texts)):
            return True
        if any(started.may_start(_OF_DATABASES.sub("", one)) for one in texts):
            return False
        from operators_edge.shell.code import own_databases  # noqa: PLC0415 - few targets change one

        beside = "\n".join(one.text for one in modules)
        return own_databases.are_own(piece.text, RUBY, beside, dict(search.environment()))

    def _is_all_read(self, path: str, inv: Invocation) -> bool:
        """Whether the files that a makefile includes were read, too."""
        text = self.follower.texts.get(path)
        if inv.spec.get("recipes") != "make" or text is None:
            return True
        named = [one[1] for line in text.split("\n") if (one := INCLUDE.fullmatch(line.strip()))]
        known = {os.path.basename(one) for one in self.follower.texts}
        return all(os.path.basename(one) in known for names in named for one in names.split())


def _only_wraps(inv: Invocation, invs: Iterable[Invocation]) -> bool:
    """Whether it only finds another command of the text or gives it variables; that one is judged, too."""
    command = inv.command
    inner = [
        one.command.through[-1]
        for one in invs
        if one.command.span == command.span and one.command.through[:-1] == command.through
        if one.command.through
    ]
    takes_other = inv.program in _TAKE_PACKAGES and find_flags(inv, _OTHER_PACKAGE)
    return bool(inner) and _ONLY_WRAP.issuperset(inner) and not takes_other


_TAKE_PACKAGES = frozenset(
    ("npm", "npx", "pnpm", "yarn", "bun", "bunx", "pnpx", "uv", "uvx", "pipx")
)
_OTHER_PACKAGE = ("-p", "--package", "-c", "--call", "--from", "--spec", "--with")
"""Options with which the command comes from a package of another name, or is a text."""
_ONLY_WRAP = OF_PACKAGES | {
    *("dotenv", "dotenv run", "dotenvx run", "env-cmd", "godotenv"),
    *("pnpm exec", "yarn exec", "yarn run", "poetry run", "uv run", "pdm run", "pipenv run"),
    *("bundle exec", "hatch run", "rye run"),
}


def _starts_servers(inv: Invocation, context: CallContext) -> bool:
    """Whether compose only starts servers of databases on this machine, with nothing of it in them."""
    words = [word.text for word in inv.command.argv]
    given = {*inv.command.environment, *context.values_by_name()}
    is_up = (
        words[:2] == ["docker", "compose"] and _STARTS.fullmatch(" ".join(words[2:])) is not None
    )
    if not is_up or any(_LEADS_ENGINE.match(one) for one in given):
        return False
    from operators_edge.gate.own import compose_projects  # noqa: PLC0415 - few targets start one

    return compose_projects.has_only_servers(inv, context)


_STARTS = pattern(
    r"(?:(?:-f|--file)[= ][\w./-]+ )*up(?: (?:-d|--detach|--wait|--quiet-pull|--remove-orphans|[a-z][\w-]*))*"
)
_LEADS_ENGINE = pattern(r"DOCKER_|COMPOSE_")


def _copies_here(inv: Invocation) -> bool:
    """Whether rsync copies between folders of this machine."""
    words = [word.text for word in inv.command.argv[1:]]
    is_known = not inv.command.has_more_words and all(word.is_known for word in inv.command.argv)
    leads_away = any(_LEADS_AWAY.match(one) for one in words)
    return inv.program == "rsync" and len(words) > 1 and is_known and not leads_away


def _pushes_nothing(inv: Invocation) -> bool:
    """Whether git only shows what a push would do: what else it runs for that is judged by itself."""
    words = [word.text for word in inv.command.argv[1:]]
    is_known = not inv.command.has_more_words and not any(one.startswith(HOLE) for one in words)
    given = [one.name for one in inv.flags]
    is_dry = not _DRY.isdisjoint(given) and set(given) <= _DRY | _PLAIN_OPTIONS
    return inv.program == "git" and inv.first_operands() == "push" and is_known and is_dry


_DRY = frozenset(("-n", "--dry-run"))
_PLAIN_OPTIONS = frozenset(
    ("-C", "--tags", "--follow-tags", "--force", "-f", "--force-with-lease", "--atomic", "-q", "-u")
)
_LISTED_CODE = pattern(
    r"\bDir(?:\.glob)?\s*[\[(]\s*['\"][^'\"\n#]+['\"]\s*[\])](?:\.sort)?\.each\s+(?:do|\{)\s*\|(\w+)\|"
    r"(?:(?!\b\1\s*=)[^|]){0,400}?\.instance_eval\(\s*File\.read\(\s*\1\s*\)\s*(?:,\s*\1\s*)?\)"
)
"""Code in files that are listed by their names: they are read with those of the tasks."""
_RUNS_MORE = pattern(
    r"\b\w*eval\b|\b(?:require(?:_relative)?[ \t(]+[^'\"\s(]|load|load_tasks|import|send"
    r"|public_send|__send__|const_get|method|binding|autoload|invoke|multitask)\b"
    r"|\bBundler\b|\bRails\b|\bARGV\b|`|%x"
)
_REQUIRED = pattern(r"(?m)^[ \t]*require[ \t(]+['\"]([^'\"\n]+)['\"]")
_REQUIRED_HERE = pattern(r"\brequire_relative[ \t(]+['\"]([^'\"\n]+)['\"]")
_RAKE_LIBRARIES = frozenset(
    "rake rake/clean rake/testtask sequel sqlite3 active_record tmpdir".split()  # noqa: SIM905
)
_PLAIN_LIBRARIES = frozenset(
    f"{quote}{name}"
    for quote in ("'", '"', "")
    for name in "json yaml date time optparse set erb csv pathname strict warnings utf8 feature".split()  # noqa: SIM905
)
"""What does nothing by itself but compute, in Ruby and Perl."""
_OF_DATABASES = pattern(
    r"\.(?:drop_\w+|delete\w*|truncate\w*|execute\w*|run|insert\w*|update\w*|connect\w*|establish_connection|query)\b"
    r"|\b(?:SQLite3|Sequel|ActiveRecord)(?:::\w+)*|\b(?:drop|alter)_\w+|(?i:\b(?:drop\s+table|delete\s+from|insert\s+into)\b)"
)
"""What code does to a database, by the words for it."""


def _is_script(inv: Invocation) -> bool:
    return bool(inv.spec.get("script")) or "/" in inv.command.argv[0].text


def _is_target(inv: Invocation) -> bool:
    """Whether its operands name targets of a file: not ``npm publish``, which is npm's own."""
    kind = inv.spec.get("recipes")
    if kind != "package-scripts" or inv.program in _GIVEN_BY_NAME:
        return kind is not None
    verbs = inv.spec.get("recipe_verbs", {})
    first = inv.first_operands(1)
    if first in verbs:
        return verbs[first] == ""
    program = inv.command.argv[0].text
    return program in _RUN_BY_NAME and first not in _RUN_BY_NAME[program]


_TEST_FILE = pattern(r"(?:^|/)(?:tests?|__tests__|spec)(?:/|$)|[._-](?:test|spec)\.[cm]?[jt]s$")


def _only_tests(inv: Invocation) -> bool:
    """Whether Node runs tests, as the runners do that are listed, or only reads a program."""
    given = [one.name for one in inv.flags]
    if given in (["--check"], ["-c"]):
        return True
    names = [word.text for word in inv.operands]
    return given[:1] == ["--test"] and all(_TEST_FILE.search(one) for one in names)


# end of module
