"""Whether a tool of databases takes its server from the variable that the line gives, by its own settings.

``DATABASE_URL=…/shop_test prisma migrate reset`` resets another database if ``directUrl`` names one. Owns
which settings each tool has, and what in them leads elsewhere. Does not own what a name says of a database
(``gate.known_names``), nor migrations whose database needs no variable (``gate.own.knex_projects``). Pure but
for ``Facts``. Loaded for such commands.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.shell.code.addresses import (
    is_elsewhere,
    names_database,
    names_elsewhere,
    variables_in,
)
from operators_edge.shell.code.comments import HASH, SLASHES_AND_QUOTES, without_comments
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import compiled, pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext

_MAX_TEXT = 64 * 1024
_MAX_FILES = 12
_OF_NODE = ("js", "cjs", "mjs", "ts", "cts", "mts")


def _any_of(*names: str, endings: tuple[str, ...] = _OF_NODE) -> tuple[str, ...]:
    return tuple(f"{name}.{ending}" for name in names for ending in endings)


class Tool(NamedTuple):
    """Where a tool has its server from: its settings, what names other ones, or a variable of its own.

    Of ``files``, below the working folder, all count that are there; ``named`` is where one of them names
    another, which has the name ``named_as``. What counts of a text is each ``part`` of it; without any, the
    tool reads ``variable``, or the one that an option names. A text may have a section for each environment,
    of which ``chosen`` names one.
    """

    files: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    named: str = r"(?!)"
    named_as: str = "{}"
    part: str = r"(?s).+"
    variable: str = ""
    variable_options: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()


_PRISMA = Tool(
    files=(
        *_any_of("prisma.config", ".config/prisma"),
        "package.json",
        *("schema.prisma", "prisma/schema.prisma", "prisma/*.prisma", "prisma/schema/*.prisma"),
    ),
    options=("--schema", "--config"),
    named=r"\bschema['\"]?\s*:\s*(?:path\.join\(\s*)?['\"]([\w./-]+)['\"]",
    part=r"(?s)(?m:^\s*datasource\b)[^}]*\}|\bdatasource\s*:\s*\{[^}]*\}",
)
_SEQUELIZE = Tool(
    files=(".sequelizerc", *_any_of("config/config", endings=("json", *_OF_NODE))),
    options=("--config", "--options-path"),
    named=r"\bconfig['\"]?\s*:\s*(?:path\.\w+\(\s*(?:__dirname\s*,\s*)?)?['\"]([\w./-]+)['\"]",
    part=r"(?s)\A(?=.*(?:\bhost|\burl|use_env_variable|process\.env|storage)).+",
    chosen=("--env",),
)
_BY_VARIABLE = Tool(variable="DATABASE_URL")
_RAILS = Tool(files=("config/database.yml",), variable="DATABASE_URL", chosen=("-e",))
TOOLS: dict[str, Tool] = {
    "prisma": _PRISMA,
    "knex": Tool(files=_any_of("knexfile"), options=("--knexfile",), chosen=("--env",)),
    "alembic": Tool(
        files=("alembic.ini",),
        options=("-c", "--config"),
        named=r"(?m)^[ \t]*script_location\s*=\s*(?:%\(here\)s/)?([\w./-]+)",
        named_as="{}/env.py",
        part=r"(?s)\A(?=.*\b(?:import|from)\b).+|\bsqlalchemy\.url\b.*",
    ),
    "sequelize": _SEQUELIZE,
    "typeorm": Tool(
        files=_any_of("ormconfig", endings=("json", *_OF_NODE)),
        options=("-d", "--dataSource", "-f", "--config"),
    ),
    "mikro-orm": Tool(
        files=_any_of("mikro-orm.config", "src/mikro-orm.config"), options=("--config",)
    ),
    "diesel": _BY_VARIABLE,
    "sea-orm-cli": _BY_VARIABLE,
    "sqlx": Tool(files=("sqlx.toml",), part=r"\bdatabase-url-var\b.*", variable="DATABASE_URL"),
    "dbmate": Tool(variable="DATABASE_URL", variable_options=("-e", "--env")),
    "goose": Tool(variable="GOOSE_DBSTRING"),
    "atlas": Tool(files=("atlas.hcl",), options=("-c", "--config")),
    "refinery": Tool(files=("refinery.toml",), options=("-c",), variable_options=("-e",)),
    "sqitch": Tool(files=("sqitch.conf",)),
    "rails": _RAILS,
    "rake": _RAILS,
    "artisan": Tool(files=("config/database.php",), variable="DB_HOST DB_URL DATABASE_URL"),
    "mix": Tool(files=("config/test.exs",), variable="DATABASE_URL"),
}
TOOLS["knex.js"], TOOLS["sequelize-cli"] = TOOLS["knex"], _SEQUELIZE
TOOLS["typeorm-ts-node-commonjs"] = TOOLS["typeorm"]
_ADDRESS_OPTIONS = (
    *("-u", "--url", "-d", "-database", "--database", "--db", "--dev-url", "--database-url", "-D"),
    "--connection",
)
_ENVIRONMENTS = ("RAILS_ENV", "RACK_ENV", "MIX_ENV", "NODE_ENV", "APP_ENV", "FLASK_ENV")
_WITH_HASH = (".py", ".ini", ".conf", ".toml", ".yml", ".exs")
_READS = pattern(
    r"\bprocess\.env(?:\.(\w+)|\[\s*['\"](\w+)['\"]\s*\])"
    r"|\b(?:environ(?:\.get)?|get_?env!?|fetch_env!?|ENV(?:\.fetch)?|[eE]nv(?:\.\w+)?)\s*[\[(]\s*['\"](\w+)['\"]"
    r"|\$\{(\w+)\}|\b(?:use_env_variable|database-url-var)['\"]?\s*[:=]\s*['\"](\w+)['\"]"
)
_HARMLESS = pattern(
    r"(?:\w+_)?(?:USER(?:NAME)?|PASS(?:WORD)?|PORT|SSL\w*|POOL\w*|MIN|MAX|TIMEOUT|SCHEMA|DEBUG|LOG\w*|ENV|CI|TZ)"
)
"""What a variable is about that leads to no server."""
_IMPORTED = pattern(
    r"(?:\bfrom\s*|\brequire\(\s*|\bimport\(?\s*)['\"](?P<node>\.{1,2}/[\w./-]+)['\"]"
    r"|(?m:^\s*from\s+(?P<python>[A-Za-z][\w.]*)\s+import\b|^\s*import\s+(?P<module>[\w.]+))"
)


def names_another(
    word: str, inv: Invocation, context: CallContext, is_for_tests: Callable[[str], bool]
) -> bool:
    """Whether a tool may have another database than the one for tests that a variable of the line names."""
    tool = tool_of(inv)
    if tool is None:
        return False
    given = [one for one in inv.values(_ADDRESS_OPTIONS) if ":" in one.text or not one.is_known]
    given += [one for one in inv.operands if "://" in one.text]
    if given:
        return not all(one.is_known and is_for_tests(one.text) for one in given)
    project = _Project(tool, inv, context)
    if inv.program == "artisan":  # which takes the server and the name of the database apart
        return word != ":memory:" and project.leads_away()
    told = {name for name, value in project.values.items() if is_for_tests(value)}
    if not project.parts and not project.is_unknown:
        named = [one.text for one in inv.values(tool.variable_options)] or [tool.variable]
        return named != [""] and told.isdisjoint(named)
    is_led = [project.is_led(one, told) for one in project.parts]
    return project.is_unknown or None in is_led or True not in is_led


def tool_of(inv: Invocation) -> Tool | None:
    """The tool that a command runs, also by ``yarn prisma migrate deploy``."""
    names = [inv.program, *(word.text for word in inv.operands[:2])]
    return next((TOOLS[one] for one in names if one in TOOLS), None)


def has_test_database(
    inv: Invocation, context: CallContext, is_for_tests: Callable[[str], bool]
) -> bool:
    """Whether a tool has its database from ``.env``, and that is one for tests and no other one."""
    given = {*inv.command.environment, *context.values_by_name()}
    is_known = all(word.is_known for word in inv.command.argv) and not inv.command.has_more_words
    if not is_known or inv.command.is_remote or inv.command.through or context.may_set_any():
        return False
    if any(one.startswith(("DATABASE_", "DB_", "PRISMA_")) for one in given) or inv.values(
        ("--env-file",)
    ):
        return False
    tool = TOOLS[inv.program]
    address = _Project(tool, inv, context).values.get(tool.variable or "DATABASE_URL", "")
    return is_for_tests(address) and not names_another(address, inv, context, is_for_tests)


def lead_away(inv: Invocation, context: CallContext) -> bool:
    """Whether the settings of an environment for tests name a server on another machine."""
    tool = TOOLS.get(inv.program)
    return tool is not None and _Project(tool, inv, context).leads_away()


class _Project:
    """The settings of one tool, as the command would have them."""

    def __init__(self, tool: Tool, inv: Invocation, context: CallContext) -> None:
        self._tool, self._context, self._folder = tool, context, inv.working_folder(context)
        self.is_unknown = self._folder is None
        """Whether a file of settings cannot be read."""
        given = {k: v for k, v in inv.command.environment.items() if HOLE not in v}
        chosen = [one.text for one in inv.values(tool.chosen)]
        chosen += [given[one] for one in _ENVIRONMENTS if one in given]
        self._environment = next(iter(chosen), "development")
        own = f".env.{self._environment}"
        files = [".env", "prisma/.env", *([own] if chosen else ())]
        if inv.program == "artisan" and self._is_there(own):
            files = [own]
        loaded = [variables_in(self._read(one) or "") for one in files]
        self.values = {name: value for one in loaded for name, value in one} | given
        self.parts: list[str] = []
        """What of the settings says where the server is."""
        self._imports = ""
        named = [one.text for one in inv.values(tool.options)]
        self._collect([name for one in named or tool.files for name in self._names(one)])

    def _collect(self, names: list[str]) -> None:
        left, seen = [(one, 0) for one in names], set[str]()
        count = 0
        while left and count < _MAX_FILES:
            name, depth = left.pop(0)
            text = None if name in seen else self._read(name)
            self.is_unknown |= name not in seen and text is None and self._is_there(name)
            seen.add(name)
            if text is None:
                continue
            count += 1
            kind = HASH if name.endswith(_WITH_HASH) else SLASHES_AND_QUOTES
            text = without_comments(text, kind)
            left += [(one, depth + 1) for one in self._imported(name, text)]
            if depth:
                self._imports += text
                continue
            others = compiled(self._tool.named).findall(text)
            left += [(self._tool.named_as.format(one), 0) for one in others]
            part = compiled(self._tool.part)
            self.parts += [one[0] for one in part.finditer(self._section(text))]

    def _names(self, name: str) -> list[str]:
        """The files that a pattern means."""
        folder, _, last = name.rpartition("/")
        if last[:1] != "*":
            return [name]
        path = self._context.resolve(folder, self._folder)
        below = (self._context.facts.names(path) or ()) if path else ()
        return [f"{folder}/{one}" for one in below if one.endswith(last[1:])]

    def _imported(self, name: str, text: str) -> Iterator[str]:
        """The project's own files that a file of settings takes values from."""
        folder = os.path.dirname(name)
        for one in _IMPORTED.finditer(text):
            if one["node"]:
                path = os.path.normpath(os.path.join(folder, one["node"]))
                yield from (path, *_any_of(path, f"{path}/index"))
            elif name.endswith(".py"):
                path = (one["python"] or one["module"]).replace(".", "/")
                for start in ("", "src/"):
                    yield from (f"{start}{path}.py", f"{start}{path}/__init__.py")

    def _section(self, text: str) -> str:
        """The part of a text for the environment; all of it if other parts may count, too."""
        name = re.escape(self._environment)
        found = re.search(rf"(?<![\w.])['\"]?{name}['\"]?\s*:\s*\{{", text)
        if found is not None:
            section = text[found.end() : _end_of(text, found.end())]
        else:
            found = re.search(rf"(?m)^{name}:.*\n(?:[ \t].*\n|\s*\n)*", text + "\n")
            section = found[0] if found else text
        return text if "..." in section or "<<:" in section else section

    def is_led(self, part: str, told: set[str]) -> bool | None:
        """Whether a part takes its address from one of these variables; None if it may from elsewhere."""
        names = "|".join(map(re.escape, told)) or "(?!)"
        part = re.sub(
            rf"(\b(?:{names})['\"]?\]?\)?\s*(?:\|\||\?\?|or\b|,)\s*)(?:'[^'\n]*'|\"[^\"\n]*\")",
            r"\1",
            part,
        )
        others = {
            name for name in _taken(part) if name not in told and not _HARMLESS.fullmatch(name)
        }
        unknown = any(is_elsewhere(self.values.get(one, "a://a.b"), one) for one in others)
        if unknown or names_elsewhere(part) or ("..." in part and names_elsewhere(self._imports)):
            return None
        direct = re.search(r"\bdirectUrl\b.*", part)
        is_named = re.compile(rf"(?i)\b(?:{names})\b").search
        if direct is not None and is_named(direct[0]) is None:
            return None
        if is_named(part) is not None:
            return True
        return is_named(self._imports) is not None and not names_database(self._imports)

    def leads_away(self) -> bool:
        names = [
            name for part in self.parts for name in _taken(part)
        ] or self._tool.variable.split()
        if self.values.get("DB_CONNECTION") == "sqlite":
            return False
        return (
            self.is_unknown
            or any(map(names_elsewhere, self.parts))
            or any(is_elsewhere(self.values.get(one, ""), one) for one in names)
        )

    def _is_there(self, name: str) -> bool:
        path = self._context.resolve(name, self._folder)
        return (
            path is None
            or self._context.is_changed(path)
            or self._context.facts.size(path) is not None
        )

    def _read(self, name: str) -> str | None:
        """The text of a file that the line leaves as it is."""
        path = self._context.resolve(name, self._folder)
        if path is None or self._context.is_changed(path):
            return None
        text = self._context.facts.text(path, _MAX_TEXT + 1)
        return text if text is not None and len(text) <= _MAX_TEXT else None


def _taken(text: str) -> Iterator[str]:
    """Yield the variables that a text takes values from."""
    for one in _READS.findall(text):
        yield next(filter(None, one))


def _end_of(text: str, at: int) -> int:
    """Where the bracket closes behind which a place is."""
    depth = 1
    for bracket in re.finditer(r"[{}]", text[at:]):
        depth += 1 if bracket[0] == "{" else -1
        if depth == 0:
            return at + bracket.start()
    return len(text)


# end of module
