"""Programs of several files in rarer languages: which files a run of one takes, and what they do elsewhere.

Owns finding the files by what the others name, and which of them hold settings. Does not own what calls do
(``shell.code.client_calls``). Pure but for ``Facts``. Loaded for programs with files that are read as
``program``.
"""

from __future__ import annotations

import os.path
import re
from functools import lru_cache

from operators_edge.gate.disk import go_constraints
from operators_edge.gate.disk.search import MAX_FILE, Piece, SearchPart, is_binary
from operators_edge.shell.code.comments import (
    DASHES,
    HASH,
    JAVASCRIPT,
    SEMICOLON,
    SLASHES,
    SLASHES_AND_QUOTES,
)
from operators_edge.shell.commands import HOLE, quoted
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence, Set as AbstractSet

    from operators_edge.shell.code.client_calls import Act

_MAX_PARTS = 60
"""Files of one program."""
_MAX_READ = 120
"""Files that are read for one call, after which none is read for this alone: others must be."""
_MAX_FOLDERS = 300
_MAX_DEPTH = 8
_NO_SOURCES = frozenset(
    (
        "node_modules",
        "target",
        "build",
        "_build",
        "deps",
        "vendor",
        "bin",
        "obj",
        "dist",
        "out",
        "venv",
        "renv",
    )
)
_OF_R = (".R", ".r", ".Rmd", ".rmd", ".qmd", ".Rprofile")


class _Family(NamedTuple):
    endings: tuple[str, ...]
    comment: str
    settings: tuple[str, ...] = ()
    """Files that such a program has its addresses from, below the project."""
    kinds: tuple[str, ...] = ()
    """Kinds of addresses of which calls count; () for all. Others are known from reading it call by call."""


_FAMILIES = (
    _Family((".go",), SLASHES, (".env", "config.y*ml", "config/*.y*ml")),
    _Family((".rs",), SLASHES, (".env", "config.toml", "config/*.toml")),
    _Family(_OF_R, HASH, (".Renviron", "config.yml")),
    _Family((".jl",), HASH, (".env",)),
    _Family((".ex", ".exs"), HASH),
    _Family((".exp", ".tcl"), HASH),
    _Family(
        (".rb", "Rakefile", "rakefile"),
        HASH,
        (
            *(".env", ".env.development", ".env.local", ".env.development.local"),
            *("config/application.rb", "config/environments/development.rb"),
            *("config/initializers/*.rb", "config/database.yml"),
        ),
    ),
    _Family((".cs", ".fs"), SLASHES, ("appsettings.json", "appsettings.Development.json")),
    _Family(
        (".php",),
        SLASHES_AND_QUOTES,
        (".env", ".env.local", ".env.dev", ".env.dev.local", "config/packages/mailer.yaml"),
    ),
    _Family(
        (".kt", ".java", ".groovy", ".scala"),
        SLASHES,
        tuple(f"src/*/resources/*.{ending}" for ending in ("properties", "y*ml", "conf")),
    ),
    _Family((".gradle", ".kts"), SLASHES_AND_QUOTES),
    _Family((".swift", ".zig"), SLASHES),
    _Family((".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp"), SLASHES),
    _Family((".dart",), SLASHES_AND_QUOTES),
    _Family((".nim", ".cr"), HASH),
    _Family((".lua",), DASHES),
    _Family((".clj", ".cljc", ".bb", ".el"), SEMICOLON),
    _Family(
        (".js", ".mjs", ".cjs", ".ts", ".mts"),
        JAVASCRIPT,
        (".env", "config/default.json", "config/development.json"),
        ("sql", "kafka", "mongo", "redis", "amqp", "search", "page"),
    ),
)
_TWO_MARKS = (".dart", ".groovy")
"""Languages with two marks for texts."""
_USUAL = frozenset(
    ("main", "mod", "lib", "index", "program", "app", "test", "tests", "build", "setup", "types")
)
"""Names that any file's text may hold: such a file counts if it is in the folder of one that names it."""
_TEST = pattern(r"/src/(?!main/)|_test\.\w+\Z|/tests?/|Tests?/")
_WORD = pattern(r"[A-Za-z]\w+")
_GO_MODULE = pattern(r"(?m)^module[ \t]+(\S+)")
_LOADS_FOLDER = pattern(
    r"\btar_source\(\s*(?:[\"']([\w./-]+)[\"'])?|\bload_all\(|\bsource(?:Dir|Directory|_dir)\(\s*[\"']([\w./-]+)[\"']"
    r"|\b(?:list\.files|dir|dir_ls)\(\s*[\"']([\w./-]+)[\"'][^\n]*\bsource\b|\bsource\b[^\n]*\b(?:list\.files|dir_ls)\(\s*[\"']([\w./-]+)[\"']"
)
_IMPORTED = pattern(r"[\"']([\w.-]+(?:/[\w.-]+)+)[\"']")


_NAMED_SETTINGS = pattern(
    r"[\"'`]([\w./-]*[\w/.-]\.(?:json5?|jsonc|ya?ml|toml|ini|conf|cfg|properties|env(?:\.\w+)?))[\"'`]"
    r"|[\"'`](\.env(?:\.\w+)?)[\"'`]|//go:embed[ \t]+([\w./-]+\.(?:json|ya?ml|toml|env|ini))[ \t]*$",
    re.MULTILINE,
)
_NO_SETTINGS = pattern(
    r"(?i)(?:^|/)(?:package(?:-lock)?|tsconfig|composer|openapi|swagger|manifest)\b|schema|golden|sample|expected|response|example"
)
"""Files that are known to hold other things, or what others answer."""
_SETTINGS_BELOW = ("testdata", "config", "conf", "configs", "fixtures", "test", "tests")
_STATEMENTS = pattern(
    r"[\"'`]([\w./-]*[\w/-]\.sql)[\"'`]|//go:embed[ \t]+([\w./-]+\.sql)[ \t]*$", re.MULTILINE
)
_STATEMENTS_BELOW = ("sql", "db", "priv", "resources", "src/main/resources", "src/test/resources")
_MAX_NAMED = 12
_MAX_SETTINGS = 32 * 1024
_OTHER_DATABASES = pattern(r"(?m)^(?:production|staging|test|ci):[^\n]*\n(?:[ \t]+[^\n]*\n|\n)*")
"""Parts of ``database.yml`` that a run for development does not take."""
_CHOOSES_LIVE = pattern(
    r"(?i)\b(?:(?:RAILS|RACK|APP|SINATRA|HANAMI)_ENV|env(?:ironment)?)['\"]?[\])]?\s*(?:,|\|\|=?|=)\s*['\":]prod(?:uction)?\b"
    r"|\bestablish_connection\W{1,3}prod|\[\s*['\":]production\b|\bfetch\W{1,2}['\":]?production\b"
)
"""Ruby that takes the database of production unless a variable names another one, or in any case."""
_RUNS_FOR = ("RAILS_ENV", "RACK_ENV", "APP_ENV", "MIX_ENV")
_RUNS_FOR_NET = ("DOTNET_ENVIRONMENT", "ASPNETCORE_ENVIRONMENT")
_PLAIN_NAME = pattern(r"[a-z]\w*")
_DELIVERY = pattern(r"\bdelivery_method\s*=\s*:?(\S+)")
_KEEPS_MAIL = pattern(r"(?:test|file|letter_opener(?:_web)?|null|logger)")
"""How Rails delivers mail to nobody."""
_SMTP_SETTINGS = pattern(r"\bsmtp_settings\s*=\s*\{[^}]*\}")
_WITHOUT_ENV = (".go", ".rs")
"""Languages whose programs have nothing from ``.env`` that they do not ask for."""
_READS_ENV = pattern(
    r"(?i)env(?:iron)?\b|getenv|lookup_?env|dot_?env|envconfig|cleanenv|viper|koanf|figment|confique|envy"
)
_MAIN_CLASS = pattern(r"(?:\brunMain |-Dexec\.mainClass=|--main-class[ =])(?:\w+\.)*(\w+)")
_SKIPS_TESTS = pattern(r"-D(?:skipTests|maven\.test\.skip)(?:=true|=false)?\Z")
_LIVE = pattern(r"(?i)(?:^|[^a-z])(?:prod|production|live|staging)")


class WholeProgram(SearchPart):
    """The program that a command runs, from the files where it begins."""

    def pieces(self, entries: Sequence[tuple[str, str]]) -> Iterator[Piece]:
        """Yield what the program does elsewhere; an entry is a path and its text."""
        left = self._of_main_class([one for one in entries if self._is_run(one[0])])
        for family in _FAMILIES:
            own = [one for one in left if _family_of(one[0]) is family]
            if own:
                yield from self._of_family(family, own)

    def _of_main_class(self, entries: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """The files with the class that the words name as the one to begin with, if there is one."""
        named = _MAIN_CLASS.findall(" ".join(self.search.words[1:]))
        if len(named) != 1:
            return entries
        declared = re.compile(rf"\b(?:object|class|enum)\b[^\n]*\b{re.escape(named[0])}\b")
        return [one for one in entries if declared.search(one[1])] or entries

    def _of_family(self, family: _Family, entries: Sequence[tuple[str, str]]) -> Iterator[Piece]:
        from operators_edge.shell.code import client_calls, deleted_paths, opened_paths  # noqa: PLC0415 - for these languages

        files = own = self._files(dict(entries), family)
        if ".exs" in family.endings:
            files = self._files(dict(entries), family, self._chosen_modules())
        if not self.follower.may_search(sum(min(len(text), MAX_FILE) for text in files.values())):
            return
        code = {
            path: client_calls.as_searched(self._known(path, text[:MAX_FILE]), family.comment)
            for path, text in files.items()
        }
        if (family.comment == SLASHES or ".dart" in family.endings) and not family.kinds:
            yield from self._started(code)
        is_live = self._is_live(code.values() if ".rb" in family.endings else ())
        settings = self._settings(family, entries[0][0], is_live=is_live)
        if family.endings[0] in _WITHOUT_ENV and not any(map(_READS_ENV.search, code.values())):
            settings = {one: text for one, text in settings.items() if not one.endswith("/.env")}
        named = self._named_settings(files, {*files, *settings})
        statements = self._statements(files)
        held = (*files, *statements, *settings, *named)
        deleted = self._deleted(family, list(code.values()), {**settings, **named})
        named = {} if family.kinds else named
        given = (f'{name} = "{value}"' for name, value in self.search.variables())
        known = "\n".join((*settings.values(), _LIVE_DATABASE if is_live else ""))
        told = "\n".join((*given, *named.values()))
        code = {**self._without_idle(code), **statements}
        left = self._without_unnamed(code, f"{known}\n{told}", dict(entries))
        found = [
            act._replace(is_doubtful=act.is_doubtful or one is not left)
            for one in ((left, code) if left is not code else (code,))
            for act in client_calls.acts_of(
                list(one.values()),
                known,
                self.search.words[1:],
                family.kinds,
                told=told,
                aside=[text for path, text in one.items() if path not in own],
            )
        ]
        if not {".cs", ".java"}.isdisjoint(family.endings):
            yield from self._printed(code, held)
        if family.comment == HASH and ".rb" not in family.endings:  # Ruby is read call by call
            yield from self._fetched(code)
        tests = {path: code[path] for path, _ in entries if _TEST.search(path)}
        opened = (
            client_calls.Act(one.command, text, one.position, is_doubtful=False)
            for text in code.values()
            for one in opened_paths.opened_by(text)
        )
        of_data = not {".R", ".jl"}.isdisjoint(family.endings)
        of_home = deleted_paths.deletions(list(code.values()), of_shared=of_data)
        for act in (*found, *deleted, *of_home, *opened):
            texts = (*code.items(), *left.items())
            path = next(path for path, text in texts if text is act.text)
            is_apart = self._is_apart(code, tests, path, act) or _is_unnamed(code, path, act)
            is_doubtful = act.is_doubtful or is_apart or self._is_left_out(family, code, path, act)
            line = line_at(act.text, act.position)
            yield self._piece(path, act.command, line, held if is_doubtful else ())

    def _piece(self, path: str, run: str, line: int, unless_held: tuple[str, ...] = ()) -> Piece:
        piece = Piece(path, run, line, folder=self.folder, unless_held=unless_held)
        return piece._replace(is_direct=False, is_loose=True)

    def _deleted(self, family: _Family, code: list[str], settings: dict[str, str]) -> Iterator[Act]:
        """What the program deletes or overwrites by paths from its settings."""
        from operators_edge.gate.disk import path_settings  # noqa: PLC0415 - for these languages
        from operators_edge.shell.code import path_flow  # noqa: PLC0415 - as above

        values = path_settings.named_paths(settings, self.context.root, self.context.temp)
        has_constants = family.comment == SLASHES  # of the others they are known anyway
        return path_flow.acts_of(code, values, self.search.words[1:], has_constants=has_constants)

    def _printed(self, code: dict[str, str], held: tuple[str, ...]) -> Iterator[Piece]:
        """The settings or variables that a program prints, all of them with their values."""
        from operators_edge.shell.code import printed_settings  # noqa: PLC0415 - for these languages

        is_test = self.inv.first_operands() == "test"
        for path, text in () if is_test else code.items():
            for one in printed_settings.printed(text):
                run = "printenv" if one.is_environment else "dotenv list"
                line = line_at(text, one.position)
                yield self._piece(path, run, line, held if one.is_doubtful else ())

    def fetched(self, path: str, text: str) -> Iterator[Piece]:
        """The code of other machines that a file runs which a tool reads at its start."""
        from operators_edge.shell.code import client_calls  # noqa: PLC0415 - for these languages

        yield from self._fetched({path: client_calls.as_searched(text[:MAX_FILE], HASH)})

    def _fetched(self, code: dict[str, str]) -> Iterator[Piece]:
        """The code of other machines that a program runs."""
        from operators_edge.shell.code import fetched_code  # noqa: PLC0415 - for these languages

        for path, text in code.items():
            is_elixir = path.endswith((".ex", ".exs"))
            tongue = fetched_code.ELIXIR if is_elixir else fetched_code.R
            for address, at in fetched_code.fetched(text, tongue):
                run = f"curl -fsSL {quoted([address])} | sh"
                yield self._piece(path, run, line_at(text, at))

    def _is_apart(self, code: dict[str, str], tests: dict[str, str], path: str, act: Act) -> bool:
        """Whether it sends something in a function that no test calls, as far as names tell."""
        if not tests or not act.command.startswith(_SENDS):
            return False
        from operators_edge.gate.disk import tested_code  # noqa: PLC0415 - few tests send anything

        return not tested_code.is_called(code, tests, path, act.position)

    def _is_left_out(self, family: _Family, code: dict[str, str], path: str, act: Act) -> bool:
        """Whether it sends something for another subcommand than the one that the words name."""
        if family.comment != SLASHES or not act.command.startswith("curl -X POST"):
            return False
        from operators_edge.gate.disk import process_calls  # noqa: PLC0415 - for compiled languages

        whole = "\n".join(code.values())
        chosen = process_calls.as_chosen(whole, self.search.words[1:])
        before = list(code)[: list(code).index(path)]
        at = sum(len(code[one]) + 1 for one in before) + act.position
        return len(chosen) == len(whole) and chosen[at : at + 1].isspace()

    def _without_unnamed(
        self, code: dict[str, str], told: str, entries: Container[str]
    ) -> dict[str, str]:
        """The files without the modules of Elixir that nothing names; the same if there is none."""
        if not next(iter(code)).endswith((".ex", ".exs")):
            return code
        from operators_edge.shell.code import elixir_modules  # noqa: PLC0415 - for one language

        left = elixir_modules.without_unnamed(code, told, entries)
        return code if left == code else left

    def _known(self, path: str, text: str) -> str:
        """The text of a file with the values in it that it has from files of settings."""
        return self.search.with_values(Piece(path, text)).text

    def _without_idle(self, code: dict[str, str]) -> dict[str, str]:
        """The files without branches that go to the home for paths which the program does not have."""
        from operators_edge.shell.code import home_guards  # noqa: PLC0415 - few programs have one

        if not any(map(home_guards.has_guard, code.values())):
            return code
        left = home_guards.without_idle(list(code.values()), self._settled)
        return dict(zip(code, left, strict=True))

    def _settled(self, name: str) -> str | None:
        """The text of a file in the folder that the program runs in, if the line does not change it."""
        path = self.context.resolve(name, self.folder)
        is_settled = path is not None and not self.context.is_changed(path)
        return self.follower.read(path, self.context) if path and is_settled else None

    def _started(self, code: dict[str, str]) -> Iterator[Piece]:
        """What functions of a program start that are called in other files of it."""
        from operators_edge.gate.disk import process_calls  # noqa: PLC0415 - for compiled languages

        places = [
            (path, number)
            for path, text in code.items()
            for number, _ in enumerate(text.split("\n"), 1)
        ]
        whole = "\n".join(code.values())
        if next(iter(code)).endswith(_TWO_MARKS):
            whole = process_calls.with_double_quotes(whole)
        for one in process_calls.calls(whole, self.search.words):
            path, line = places[one.line - 1]
            yield self._piece(path, one.text, line)

    def _is_run(self, path: str) -> bool:
        """Whether the words of the command leave a file of tests to be run."""
        words = self.search.words
        if path.endswith("_test.go") and self.inv.program == "go":
            return go_constraints.is_tested(self.search, os.path.dirname(path))
        if path.endswith(".dart") and os.path.basename(os.path.dirname(path)) == "bin":
            named = [one.text for one in self.inv.operands[1:2]]
            name = os.path.basename(path).removesuffix(".dart")
            return (
                not named
                or HOLE in named[0]
                or re.split(r"[:/]", named[0].removesuffix(".dart"))[-1] in (name, "")
            )
        if path.endswith("/src/main.rs"):
            return self._is_package(os.path.dirname(os.path.dirname(path)))
        if self.inv.program == "mvn":
            given = [one for one in words if _SKIPS_TESTS.match(one)]
            is_skipped = bool(given) and not any(one.endswith("=false") for one in given)
            return not (is_skipped and "/src/" in path and "/src/main/" not in path)
        is_left_out = re.search(r" (?:-x|--exclude-task)[ =]:?test(?: |$)", " ".join(words))
        return not (is_left_out and "/src/test/" in path)

    def _is_package(self, folder: str) -> bool:
        """Whether cargo runs the package in this folder."""
        named = [one.text for one in self.inv.values(("-p", "--package"))]
        if named:
            return os.path.basename(folder) in named
        is_elsewhere = bool(self.inv.values(("--manifest-path",)))
        is_run = self.inv.first_operands() in ("run", "r")
        return folder == self.folder or is_elsewhere or not is_run

    def _chosen_modules(self) -> Iterator[str]:
        """The last names of the modules that settings of Elixir choose for this run."""
        from operators_edge.gate.disk import mix_projects  # noqa: PLC0415 - for one language
        from operators_edge.shell.code import mix_settings  # noqa: PLC0415 - for one language

        project = mix_projects.MixProject(self.search)
        for module in mix_settings.chosen_modules(project.texts(), project.environment()):
            yield module.rpartition(".")[2]

    def _files(
        self, found: dict[str, str], family: _Family, chosen: Iterable[str] = ()
    ) -> dict[str, str]:
        """Return the files of a program: those where it begins, and those that they name in turn.

        ``chosen`` are names that files of settings give.
        """
        named = {_plain(one) for one in chosen}
        others = [one for one in self._sources(family) if one not in found]
        left = list(found)
        while left and len(found) < _MAX_PARTS:
            path = left.pop(0)
            text = found[path]
            loaded = self._folders_loaded(text) if path.endswith(_OF_R) else ()
            words = named | _words_of(text)
            imported = self._imported(text)
            for other in others:
                is_loaded = os.path.dirname(other) in loaded
                if other in found or not (is_loaded or _is_named(other, path, words, imported)):
                    continue
                if len(found) >= _MAX_PARTS or len(self.follower.texts) >= _MAX_READ:
                    return found
                read = self.follower.read(other, self.context)
                if read is None or is_binary(read):
                    continue
                if not (
                    other.endswith(".go") and go_constraints.is_left_out(self.search, other, read)
                ):
                    found[other] = read
                    left.append(other)
        return found

    def _folders_loaded(self, text: str) -> set[str]:
        """The folders of which a program of R runs all files: ``tar_source()``."""
        names = ("".join(one.groups("")) or "R" for one in _LOADS_FOLDER.finditer(text))
        return {os.path.join(self.folder or self.context.root, one.rstrip("/")) for one in names}

    def _imported(self, text: str) -> tuple[str, ...]:
        """The packages that a file of Go imports, those of its own module by their folders; named files."""
        root = self.context.root
        module = self.follower.read(os.path.join(root, "go.mod"), self.context) or ""
        named = _GO_MODULE.search(module)
        own = named[1] if named else "*"
        return tuple(
            root + one[len(own) :] if f"{one}/".startswith(f"{own}/") else f"/{one}"
            for one in _IMPORTED.findall(text)
        )

    def _sources(self, family: _Family) -> list[str]:
        """Return the files of the language in the project."""
        found, left = [], [(self.context.root, 0)]
        for folder, depth in left:
            for name in self.follower.names(folder, self.context):
                path = os.path.join(folder, name)
                if name.endswith(family.endings):
                    found.append(path)
                elif "." not in name and name not in _NO_SOURCES and depth < _MAX_DEPTH:
                    left += [(path, depth + 1)] if len(left) < _MAX_FOLDERS else []
        return found

    def _settings(self, family: _Family, entry: str, *, is_live: bool) -> dict[str, str]:
        """Return the files of settings, in the folders from where the program begins up to the project."""
        if ".exs" in family.endings:
            from operators_edge.gate.disk import mix_projects  # noqa: PLC0415 - for one language

            return mix_projects.MixProject(self.search).settings()
        of_rails = self._environment_of_rails() if ".rb" in family.endings else ""
        folders = [self.context.root]
        above = os.path.dirname(entry)
        while above.startswith(f"{self.context.root}/"):
            folders.append(above)
            above = os.path.dirname(above)
        found: dict[str, str] = {}
        for folder in folders:
            for given in family.settings:
                name = given.replace("development", of_rails or "development")
                for path in self.search.files_below(folder, name):
                    is_chosen = path.endswith(f"/environments/{of_rails}.rb")
                    is_other = not is_chosen and self._is_for_others(path, entry)
                    text = None if is_other else self.follower.read(path, self.context)
                    if text is not None and len(found) < _MAX_PARTS:
                        is_usual = not is_live and path.endswith(".yml")
                        text = _OTHER_DATABASES.sub("", text) if is_usual else text
                        found[path] = re.sub(r"(?m)^\s*#.*$", "", text)
        if ".rb" in family.endings:
            from operators_edge.gate.disk import rails_storage  # noqa: PLC0415 - for one language

            variables = self.search.variables_of(rails_storage.env_files(of_rails), folders)
            variables |= dict(self.search.variables())
            found |= rails_storage.RailsStorage(self.search).settings(of_rails, variables)
        methods = [one for text in found.values() for one in _DELIVERY.findall(text)]
        if methods and all(map(_KEEPS_MAIL.fullmatch, methods)):
            found = {path: _SMTP_SETTINGS.sub("", text) for path, text in found.items()}
        return found

    def _environment_of_rails(self) -> str:
        """The environment that a program of Rails runs in."""
        given = [value for name, value in self.search.variables() if name in _RUNS_FOR]
        given += [word.text for word in self.inv.values(("-e", "--environment"))]
        return given[-1] if given and _PLAIN_NAME.fullmatch(given[-1]) else "development"

    def _named_settings(self, files: dict[str, str], seen: set[str]) -> dict[str, str]:
        """The files of settings that the files of a program name: ``os.ReadFile("testdata/redis.json")``.

        Not those of which it is known what the code takes from them.
        """
        return {
            one: re.sub(r"(?m)^\s*#.*$", "", read)
            for one, read in self._named(files, _NAMED_SETTINGS, _SETTINGS_BELOW, _NO_SETTINGS)
            if one not in seen and len(read) <= _MAX_SETTINGS
        }

    def _statements(self, files: dict[str, str]) -> dict[str, str]:
        """The files of statements that the files of a program name: ``File.read("db/wipe.sql")``."""
        from operators_edge.shell.code import sql_files  # noqa: PLC0415 - few programs name one

        found = self._named(files, _STATEMENTS, _STATEMENTS_BELOW)
        return {one: sql_files.in_lines(read[:MAX_FILE]) for one, read in found}

    def _named(
        self,
        files: dict[str, str],
        names: re.Pattern[str],
        below: tuple[str, ...] = (),
        left_out: re.Pattern[str] | None = None,
    ) -> Iterator[tuple[str, str]]:
        """Yield the files that the texts of others name, each once, by what may be their folders."""
        found: set[str] = set()
        for path, text in files.items():
            named = _named_in(names, text)
            if not named or self._known(path, text) != text:
                continue
            here = os.path.dirname(path)
            places = dict.fromkeys((here, os.path.dirname(here), self.folder, self.context.root))
            for name in named:
                if (left_out and left_out.search(name)) or len(found) >= _MAX_NAMED:
                    continue
                inner = ("", *below) if "/" not in name[1:] else ("",)
                tried = (
                    os.path.join(one, two, name.lstrip("/"))
                    for one in places
                    for two in inner
                    if one
                )
                for one in tried:
                    other = os.path.normpath(one)
                    is_ours = self.context.is_inside(other, (self.context.root,))
                    read = self.follower.read(other, self.context) if is_ours else None
                    if read is not None:
                        if other not in found:
                            found.add(other)
                            yield other, read
                        break

    def _is_for_others(self, path: str, entry: str) -> bool:
        """Whether a file of settings is for another environment, or another one stands in its place."""
        is_test = "/src/main/" not in entry and "/src/" in entry
        if "/src/test/" in path and not is_test:
            return True
        own = path.replace("/src/main/", "/src/test/")
        if is_test and own != path and self.context.facts.size(own) is not None:
            return True
        name = os.path.basename(path)
        return _LIVE.search(name) is not None or name.startswith(
            ("application-", "appsettings.Prod")
        )

    def _is_live(self, code: Iterable[str]) -> bool:
        """Whether the run is for production: the line says so, or says nothing and the program does."""
        given = [value for name, value in self.search.variables() if name in _RUNS_FOR]
        net = [value for name, value in self.search.variables() if name in _RUNS_FOR_NET]
        if given or any(map(_LIVE.search, net)):
            return any(map(_LIVE.search, (*given, *net)))
        return any(map(_CHOOSES_LIVE.search, code))


class StartFile(SearchPart):
    """A file that a tool reads at its start, of which only what it fetches counts."""

    def pieces(self, path: str, text: str) -> Iterator[Piece]:
        return WholeProgram(self.search).fetched(path, text)


_SENDS = ("curl -X POST", "swaks ")
_LIVE_DATABASE = 'host: "database.production.example"'


_OF_CLASS = pattern(r"(?m)^(?P<in>[ \t]*)def[ \t]+self\.(?P<name>\w+[?!]?)")
_BY_OTHER_NAMES = pattern(
    r"\b(?:__send__|public_send|send|method|methods|try|instance_eval|class_eval|eval)\b"
)
"""What calls a method of Ruby otherwise than by its name in the code."""


def _is_unnamed(code: dict[str, str], path: str, act: Act) -> bool:
    """Whether it is in a method of a class of Ruby that nothing in the program names."""
    heads = [one for one in _OF_CLASS.finditer(act.text) if one.start() < act.position]
    if not path.endswith(".rb") or not heads or any(map(_BY_OTHER_NAMES.search, code.values())):
        return False
    head = heads[-1]
    ends = re.compile(rf"(?m)^{head['in']}end\b").search(act.text, head.end())
    if ends is None or ends.start() < act.position:
        return False
    named = re.compile(rf"(?<![\w]){re.escape(head['name'])}")
    return sum(len(named.findall(one)) for one in code.values()) == 1


@lru_cache(maxsize=1024)  # several commands run one program
def _named_in(names: re.Pattern[str], text: str) -> tuple[str, ...]:
    """The names of files in a text, each once."""
    return tuple(dict.fromkeys("".join(one) for one in names.findall(text)))


def _family_of(path: str) -> _Family | None:
    name = f"{path}.rb" if path.endswith(".rake") else path  # of which other tasks are left out
    return next((one for one in _FAMILIES if name.endswith(one.endings)), None)


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


@lru_cache(maxsize=512)
def _words_of(text: str) -> frozenset[str]:
    """The names in a file: the programs of a build have most of their files in common."""
    return frozenset(map(_plain, _WORD.findall(text)))


@lru_cache(maxsize=4096)
def _stem(name: str) -> str:
    return _plain(re.split(r"[.-]", name)[0])


def _is_named(other: str, path: str, words: AbstractSet[str], imported: tuple[str, ...]) -> bool:
    """Whether a file's text names another file, by its stem, or its folder, by its import."""
    folder, name = os.path.split(other)
    if other.endswith(".go"):
        is_test = name.endswith("_test.go") and not path.endswith("_test.go")
        return not is_test and (folder == os.path.dirname(path) or _is_imported(folder, imported))
    if other.endswith(".rs"):
        crate = other.partition("/src/")[0]
        is_own = path.startswith(f"{crate}/")
        if not is_own and _plain(os.path.basename(crate).replace("-", "_")) not in words:
            return False
    is_near = folder == os.path.dirname(path)
    stem = _stem(name)
    is_meant = stem in words and (is_near or stem not in _USUAL)
    return is_meant or other.endswith(imported)


def _is_imported(folder: str, imported: tuple[str, ...]) -> bool:
    """Whether an import of Go names this folder: the last two parts of both are the same."""
    last = "/".join(folder.split("/")[-2:])
    return any(one.endswith(f"/{last}") for one in imported)


# end of module
