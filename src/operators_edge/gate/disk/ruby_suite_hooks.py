"""What the helpers of a Ruby suite empty before its tests run, if that is on another machine.

``config.before(:suite) { Uploads.bucket.objects.batch_delete! }`` empties the real bucket unless something
answers for it, and ``DatabaseCleaner`` the database of ``DATABASE_URL`` or ``config/database.yml``. Owns
which helpers are loaded, and which database the tests have. Does not own what such calls do
(``shell.code.client_calls``), nor what tests themselves call (``gate.disk.ruby_suites``). Pure but for
``Facts``. Loaded for runners of such tests.
"""

from __future__ import annotations

import os.path
import re
from itertools import islice

from operators_edge.gate.disk import ruby_suites
from operators_edge.gate.disk.search import Piece, SearchPart
from operators_edge.shell.code import client_calls
from operators_edge.shell.code.addresses import host_of, is_here
from operators_edge.shell.code.comments import HASH
from operators_edge.shell.commands import quoted
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_EMPTIES = pattern(
    r"\bDatabaseCleaner(?:\[[^\]\n]*\])?\.(?:clean_with\W+|strategy\s*=\s*:)(?:truncation|deletion)\b"
    r"|\bload\b[^\n]*\bdb/schema\b|\bDatabaseTasks\.(?:purge|drop|truncate|load_schema|reconstruct)\w*"
    r"|(?<![\w.])(?:ActiveRecord::Base|[A-Z]\w*)\.(?:connection\.)?(?:execute\W{1,3}(?i:truncate|drop|delete)\b|truncate\w*\b|delete_all\b|destroy_all\b)"
    r"|\bRake::Task\[['\"]db:(?:drop|reset|purge|truncate_all|schema:load)['\"]\]\.invoke"
)
_ALLOWS = pattern(
    r"\ballow_(?:remote_database_url|production)\s*=\s*true|\ballow_list\s*=|\burl_(?:allow|white)list\s*="
)
_ALLOWING = "DATABASE_CLEANER_ALLOW_REMOTE_DATABASE_URL"
_DROPS_URL = pattern(
    r"\bENV\.delete\W{1,2}DATABASE_URL\b|\bENV\[\s*['\"]DATABASE_URL['\"]\s*\]\s*=\s*nil\b"
)
_LOADS = pattern(
    r"\bdotenv/(?:load|rails-now)\b|\bDotenv(?:::Rails\w*)?\.(?:over)?load!?(?P<named>[ (][^\n]*)?"
)
_IN_RAILS = pattern(r"(?m)^[ \t]*gem\s+['\"]dotenv-rails['\"]")
_NAMED = pattern(r"['\"](\.?[\w./-]*env[\w.-]*)['\"]")
_SECTION = r"(?m)^{name}:[^\n]*\n(?P<body>(?:[ \t]+[^\n]*\n?|[ \t]*\n)*)"
_MERGES = pattern(r"<<:\s*\*(\w+)")
_KEY = pattern(r"(?m)^[ \t]+(?P<key>host|url|adapter|database):[ \t]*(?P<value>[^\n]*)$")
_FROM_VARIABLE = pattern(
    r"<%=\s*ENV(?:\.fetch)?\W{1,3}(?P<name>\w+)['\"]\s*[\])]?(?:\s*(?:,|\|\|)\s*['\"](?P<usual>[^'\"]*)['\"])?[^%]*%>"
)
_STORES = ("attachments", "aws", "gcs", "azure", "mongo", "redis", "search", "amqp", "kafka")
_STUBBED = pattern(
    r"\bstub_responses\s*(?:[:=]|=>|\])\s*=?\s*true|\bFog\.mock!|\bAws\.config\[:\w+\]\s*=\s*\{[^}\n]*stub_responses"
)
_BUCKET = pattern(r"(?i)\bbucket(?:_name)?['\"]?\s*(?:=>|[:=(])\s*['\"]?([\w.-]+)")
_FOR_TESTS = pattern(r"(?i)(?:^|[-_.])(?:tests?|testing|ci|sandbox|fake|dummy)(?:[-_.\d]|\Z)")


class SuiteHooks(SearchPart):
    """The helpers that one run of tests loads."""

    def pieces(self, path: str, text: str) -> Iterator[Piece]:
        folder = os.path.dirname(path)
        base = folder if os.path.basename(folder) in ("spec", "test") else os.path.dirname(folder)
        files = {path: text}
        names = [
            f"{base}/{name}" for name in ("spec_helper.rb", "rails_helper.rb", "test_helper.rb")
        ]
        for one in (*names, *self.search.files_below(base, "support/**/*.rb")):
            read = (
                self.follower.read(one, self.context) if "support" in text or one in names else None
            )
            if read:
                files.setdefault(one, read)
        code = {one: client_calls.as_searched(read, HASH) for one, read in files.items()}
        yield from self._databases(code)
        yield from self._stores(code)

    def _stores(self, code: dict[str, str]) -> Iterator[Piece]:
        """What the helpers empty in stores and queues."""
        root = self._top()
        settings = [
            self.follower.read(one, self.context) or ""
            for name in (
                "config/*.yml",
                "config/initializers/*.rb",
                "lib/*.rb",
                "app/models/*.rb",
                "app/services/*.rb",
            )
            for one in islice(self.search.files_below(root, name), _MAX_FILES)
        ]
        variables = (
            f"{name}: {value}" for name, value in self._variables("\n".join(code.values())).items()
        )
        from operators_edge.gate.disk import rails_storage  # noqa: PLC0415 - for suites that act

        known = dict(self.search.variables())
        storage = rails_storage.RailsStorage(self.search).settings(
            known.get("RAILS_ENV", "test"), known
        )
        told = "\n".join((*settings, *variables, *storage.values()))
        whole = "\n".join(code.values())
        if _STUBBED.search(whole) or ruby_suites.is_answered(whole):
            return
        buckets = _BUCKET.findall(f"{whole}\n{told}")
        for act in client_calls.acts_of(
            list(code.values()), "", self.search.words[1:], _STORES, told=told
        ):
            is_bucket = act.command.startswith(("aws", "gsutil", "az "))
            named = [one for one in buckets if one not in _NO_NAMES]
            if act.is_doubtful or (is_bucket and named and all(map(_FOR_TESTS.search, named))):
                continue
            path = next(one for one, read in code.items() if read is act.text)
            yield self._piece(path, act.command, line_at(act.text, act.position))

    def _databases(self, code: dict[str, str]) -> Iterator[Piece]:
        """What the helpers empty in the database of the tests."""
        found = [(path, one) for path, text in code.items() for one in _EMPTIES.finditer(text)]
        is_guarded = all("DatabaseCleaner" in one[0] for _, one in found)
        host = self._host("\n".join(code.values()), is_guarded=is_guarded) if found else ""
        for path, one in dict(reversed(found)).items():
            if host and not is_here(host):
                run = f"psql -h {quoted([host])} -c 'TRUNCATE x'"
                yield self._piece(path, run, line_at(code[path], one.start()))

    def _piece(self, path: str, run: str, line: int) -> Piece:
        return Piece(path, run, line, folder=self.folder, is_direct=False, is_loose=True)

    def _host(self, code: str, *, is_guarded: bool) -> str:
        """The server of the database that the tests have; "" for one of the program's own.

        ``is_guarded``: only what refuses the address of another machine in a variable empties it.
        """
        known = self._variables(code)
        url = known.get("DATABASE_URL", "")
        if url and not _DROPS_URL.search(code):
            is_allowed = _ALLOWS.search(code) is not None or _ALLOWING in known
            return "" if is_guarded and not is_allowed else host_of(url)
        settings = self._text("config/database.yml")
        section = re.search(_SECTION.replace("{name}", "test"), settings)
        values: dict[str, str] = {}
        for name in (*_MERGES.findall(section["body"] if section else ""), "test"):
            part = re.search(_SECTION.replace("{name}", re.escape(name)), settings)
            values |= dict(_KEY.findall(part["body"])) if part else {}
        values = {key: self._filled(value.strip(), known) for key, value in values.items()}
        if values.get("adapter", "").startswith("sqlite"):
            return ""
        return host_of(values.get("url", "")) or host_of(values.get("host", ""), "host")

    def _filled(self, value: str, known: dict[str, str]) -> str:
        """A value of settings with those of the variables in it."""
        return _FROM_VARIABLE.sub(
            lambda one: known.get(one["name"], one["usual"] or ""), value
        ).strip("'\"")

    def _variables(self, code: str) -> dict[str, str]:
        """The variables of the tests: of the line, and of files that the helpers load."""
        loads = _LOADS.search(code)
        names: list[str] = list(_NAMED.findall(loads["named"] or "")) if loads else []
        if _IN_RAILS.search(self._text("Gemfile")):
            from operators_edge.gate.disk import rails_storage  # noqa: PLC0415 - for suites that act

            names += rails_storage.env_files("test")
        elif loads and not names:
            names = [".env"]
        return self.search.variables_of(names, [self._top()]) | dict(self.search.variables())

    def _top(self) -> str:
        return self.folder or self.context.root

    def _text(self, name: str) -> str:
        return self.follower.read(os.path.join(self._top(), name), self.context) or ""


_MAX_FILES = 20
_NO_NAMES = frozenset(("name", "nil", "config", "CONFIG", "ENV", "self", "bucket", "key"))


# end of module
