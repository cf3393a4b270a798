"""What names and calls of Node's code stand for, by the words and the variables of its command.

Owns ``process.argv`` and ``process.env``, the usual parsers of options, and names that are set once. Does not
own conditions (``given.conditions``), nor what an option may be (``given.options``). Pure.
"""

from __future__ import annotations

import re

from operators_edge.shell.code import variables
from operators_edge.shell.code.given import masks, node_names, options
from operators_edge.shell.code.given.conditions import EMPTY, MAX_DEPTH, UNKNOWN, Each, value_of
from operators_edge.shell.code.languages import NODE
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from operators_edge.shell.code.given.masks import Code


_STARTS_ITSELF = pattern(
    r"\bexecPath\b|\bargv0\b|\bargv\s*\[\s*0\s*\]|\bfork\s*\(|\bnew\s+Worker\b"
)
_STARTS_NODE = pattern(r"['\"`](?:node|tsx|bun|deno|ts-node)\b")
_OWN_FILE = pattern(r"\b__filename\b|\bimport\.meta\.\w+|\bargv\s*\[\s*1\s*\]")
_NAME = pattern(r"[A-Za-z_$][\w$]*")
_TEXT = pattern(r"'([^'\\\n]*)'\Z|\"([^\"\\\n]*)\"\Z|`([^`\\$]*)`\Z")
_CONSTANTS = {"true": True, "false": False, "undefined": None, "null": EMPTY}
_CHANGES = pattern(
    r"\[\s*[A-Za-z_$][\w$.]*\s*\]\s*[|&?]{0,2}=(?![=>])|\bObject\.(?:assign|def|set)|\b_?\.?(?:merge|extend|defaults)\w*\(|\bdelete\s"
)
_PARSERS = frozenset(("minimist", "mri", "yargs-parser"))
_MODULES = _PARSERS.union(
    ("yargs", "yargs/yargs", "yargs/helpers", "commander", "cac", "meow", "util")
)
_MAX_USES = 400


class Parsed(NamedTuple):
    """What a parser makes of words: the options, unless ``part`` names what of it holds them."""

    words: tuple[str, ...]
    part: str = ""


class Words:
    """The words and variables that a program of Node is given."""

    def __init__(
        self, files: Mapping[str, Code], words: Sequence[str], environment: Mapping[str, str]
    ) -> None:
        self.files = files
        self.words = tuple(words)
        self.whole = "\n".join(one.bare for one in files.values())
        starts_itself = _STARTS_NODE.search(self.whole) and _OWN_FILE.search(self.whole)
        is_alone = not (starts_itself or _STARTS_ITSELF.search(self.whole))
        self.is_certain = is_alone and all(map(node_names.is_plain, files.values()))
        self.environment = dict(environment)
        sets_any = variables.sets_any(self.whole, NODE) or "delete process.env" in self.whole
        if sets_any or not node_names.uses_variables_plainly(self.whole):
            self.environment = {}
        for name in variables.names_set(self.whole, NODE):
            self.environment.pop(name, None)
        self._gone: dict[str, list[tuple[int, int]]] = {}
        self._known: dict[tuple[str, str], object] = {}
        self._asked: set[tuple[str, str]] = set()
        self._modules = {path: dict(node_names.imports(code)) for path, code in files.items()}

    def value(self, path: str, text: str) -> object:
        """The value of an expression in a file."""
        return value_of(text, masks.NODE, lambda part: self._atom(path, part))

    def note(self, gone: Mapping[str, list[tuple[int, int]]]) -> None:
        """Take into account which places surely do not run: what they set is not set."""
        self._gone = dict(gone)
        self._known.clear()

    # -- parts of expressions ----------------------------------------------------------------------

    def _atom(self, path: str, text: str) -> object:
        text = (
            re.sub(r"^(?:await|void)\s+", "", text.strip())
            if text[:6] == "await "
            else text.strip()
        )
        text = re.sub(r"\s+as\s+(?:const|[\w<>\[\], |\"']+)\Z", "", text)
        literal = _TEXT.match(text)
        if literal:
            return next(one for one in literal.groups() if one is not None)
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        if re.fullmatch(r"-?\d+", text):
            return int(text)
        code = masks.read(text, masks.NODE)
        if code is None:
            return UNKNOWN
        return self._chain(path, code)

    def _chain(self, path: str, code: Code) -> object:
        """A name with what is read of it: ``argv.publish``, ``process.argv.slice(2)[0]``"""
        text = code.text
        found = _LIST.match(text)
        if found:
            skipped = 0 if found[0] == "Deno.args" else 2
            value: object = [*[UNKNOWN] * skipped, *self.words[1:]] if self.is_certain else UNKNOWN
            return self._read(path, code, found.end(), value)
        variable = _VARIABLE.fullmatch(text)
        if variable:
            given = self.environment.get(variable[1] or variable[2])
            return UNKNOWN if given is None or HOLE in given else given
        name = _NAME.match(text)
        if name is None or not self.is_certain:
            return UNKNOWN
        at = name.end()
        module, own = self._modules[path].get(name[0], ("", ""))
        if code.mask[at : at + 1] == "(" and name[0] == "Boolean":
            inner = self.value(path, text[at + 1 : code.pairs[at]])
            return bool(inner) if isinstance(inner, (str, bool, int, type(None))) else inner
        if module in _MODULES:
            return self._of_parser(path, code, at, module, own)
        return self._read(path, code, at, self._named(path, name[0]))

    def _read(self, path: str, code: Code, at: int, value: object) -> object:
        """What the rest of a chain reads of a value."""
        while at < len(code.mask) and value is not UNKNOWN:
            member = _MEMBER.match(code.text, at)
            if member is None:
                return UNKNOWN
            at = member.end()
            name = member[1] or member[2] or member[3]
            arguments = None
            if code.mask[at : at + 1] == "(":
                arguments = code.text[at + 1 : code.pairs[at]]
                at = code.pairs[at] + 1
            value = self._member(path, value, name, arguments)
        return value

    def _member(self, path: str, value: object, name: str, arguments: str | None) -> object:
        if isinstance(value, Parsed):
            return self._option(value, name, arguments)
        if name == "startsWith" and arguments and isinstance(value, (str, Each)):
            return _begins(value, self.value(path, arguments))
        return self._of_list(path, value, name, arguments) if isinstance(value, list) else UNKNOWN

    def _of_list(self, path: str, words: list[object], name: str, arguments: str | None) -> object:
        if arguments is None:
            if name == "length":
                return len(words)
            at = int(name) if name.isdigit() else -1
            return UNKNOWN if at < 0 else words[at] if at < len(words) else None
        one = _IS_ONE.fullmatch(arguments.strip()) if name in ("some", "find") else None
        asked: object = one[2] if one else UNKNOWN
        if one is None and arguments.strip():
            asked = self.value(path, arguments)
        if name == "slice" and isinstance(asked, int) and asked >= 0:
            return words[asked:]
        if name == "at" and isinstance(asked, int) and asked >= 0:
            return words[asked] if asked < len(words) else None
        return _sought(words, name, asked) if name in _SEEKS else UNKNOWN

    def _option(self, parsed: Parsed, name: str, arguments: str | None) -> object:
        if name == parsed.part or (name in _RESULTS and arguments is not None):
            return parsed._replace(part="")
        if arguments is not None:
            return UNKNOWN
        if name in _POSITIONALS:
            is_plain = not any(one[:1] == "-" for one in parsed.words)
            return list(parsed.words) if is_plain else UNKNOWN
        if parsed.part or self._is_written(name):
            return UNKNOWN
        return options.value_of(name, parsed.words, list(self.files.values()))

    def _is_written(self, name: str) -> bool:
        """Whether the program sets an option itself."""
        one = re.escape(name)
        writes = (
            rf"(?:\.\s*{one}|\[\s*['\"]{one}['\"]\s*\])"
            r"\s*(?:[|&?]{0,2}=(?![=>])|\+\+|(?:,[^;\n]*)?[\]}]\s*=(?![=>])|(?:of|in)\b)"
        )
        return re.search(writes, self.whole) is not None

    # -- parsers -------------------------------------------------------------------------------------

    def _of_parser(self, path: str, code: Code, at: int, module: str, own: str) -> object:
        text = code.text
        called = code.mask[at : at + 1] == "("
        inside = text[at + 1 : code.pairs[at]] if called else ""
        after = code.pairs[at] + 1 if called else at
        words = self.words[1:]
        if module == "yargs/helpers":
            value = self.value(path, inside)
            return self._read(path, code, after, value[2:]) if isinstance(value, list) else UNKNOWN
        if module in _PARSERS and called:
            first = _arguments(inside)[0]
            value = self.value(path, first)
            is_all = isinstance(value, list) and value == list(words)
            return self._read(path, code, after, Parsed(words)) if is_all else UNKNOWN
        if module == "util":
            is_own = (
                called
                and own == "parseArgs"
                and not re.search(r"\bargs\s*(?::(?!\s*process\.argv\.slice\(2\))|,)", inside)
            )
            is_own &= (
                inside.strip()[:1] == "{" and re.search(r"\boptions\s*:\s*\{", inside) is not None
            )
            return self._read(path, code, after, Parsed(words, "values")) if is_own else UNKNOWN
        if module == "meow":
            is_own = called and "argv:" not in inside
            return self._read(path, code, after, Parsed(words, "flags")) if is_own else UNKNOWN
        if module in ("yargs", "yargs/yargs"):
            is_own = not called or self.value(path, inside) == list(words)
            return Parsed(words) if is_own and _YARGS_ENDS.search(text) else UNKNOWN
        if module == "commander" and own == "program":
            return self._commander(text)
        return UNKNOWN

    def _commander(self, text: str) -> object:
        is_options = re.search(r"\.\s*opts(?:<[\w\s,]*>)?\(\s*\)\Z", text) is not None
        return Parsed(self.words[1:]) if is_options and self._is_parsed_plainly() else UNKNOWN

    # -- what words choose -----------------------------------------------------------------------------

    def untaken(self, path: str) -> Iterator[tuple[int, int]]:
        """The places in a file of what is for other subcommands, or under other keys of a table."""
        if self.is_certain:
            yield from self._of_other_commands(path)
            yield from self._of_other_keys(path)

    def _of_other_commands(self, path: str) -> Iterator[tuple[int, int]]:
        """What ``.command("deploy").action(…)`` has commander, yargs or cac run for other commands."""
        code = self.files[path]
        modules = {one[0] for one in self._modules[path].values()}
        if (
            modules.isdisjoint(("commander", "yargs", "yargs/yargs", "cac"))
            or not self._is_parsed_plainly()
        ):
            return
        for one in _COMMAND.finditer(code.bare):
            opened = one.end("open") - 1
            if opened not in code.pairs or code.mask[opened] != "(":
                continue
            inside = code.bare[opened + 1 : code.pairs[opened]]
            first = _COMMAND_NAMES.match(inside)
            if first is None:
                continue
            names = set(re.findall(r"['\"`]([^\s'\"`\]]+)", first[0]))
            handler = self._handler(code, opened, opened + 1 + first.end())
            if handler is None:
                continue
            region = code.bare[opened : handler[1]]
            for other in _ALIAS.findall(region):
                names.update(re.findall(r"['\"`]([^\s'\"`]+)['\"`]", other))
            is_usual = re.search(r"\bisDefault\b|['\"`]\$0|\bdefault\b|['\"`]\*", region)
            if not is_usual and names.isdisjoint(self.words[1:]) and self._is_for_another(names):
                yield handler

    def _is_for_another(self, names: set[str]) -> bool:
        """Whether no word is the beginning of a command's name."""
        return not any(name.startswith(word) for name in names for word in self.words[1:] if word)

    def _handler(self, code: Code, opened: int, at: int) -> tuple[int, int] | None:
        """Where the function is that is called for a command: in the call, or in ``.action(…)`` behind it."""
        if re.search(r"=>|\bfunction\b", code.mask[at : code.pairs[opened]]):
            return at, code.pairs[opened]
        end = code.pairs[opened] + 1
        while (link := _LINK.match(code.mask, end)) is not None:
            if link[1] == "command":
                return None
            end = code.pairs[link.end() - 1] + 1
            if link[1] == "action":
                return link.end(), end - 1
        return None

    def _of_other_keys(self, path: str) -> Iterator[tuple[int, int]]:
        """What is in a table of functions of which one is called: ``steps[process.argv[2]]()``"""
        code = self.files[path]
        for name in dict.fromkeys(_TABLE.findall(code.mask)):
            uses = node_names.uses(code, name)
            bound = [one for one in uses if node_names.binds(code, *one)]
            if len(bound) != 1 or _SHARED.search(code.mask[: bound[0][0]][-node_names.NEAR :]):
                continue
            given = node_names.DECLARATION.match(code.mask, bound[0][1])
            opened = given.end() if given else -1
            if code.mask[opened : opened + 1] != "{" or not _CONST.search(
                code.mask[max(0, bound[0][0] - node_names.NEAR) : bound[0][0]]
            ):
                continue
            keys = {
                self._key_at(path, code, end) for start, end in uses if (start, end) != bound[0]
            }
            body = code.mask[opened : code.pairs[opened]]
            if all(isinstance(one, str) for one in keys) and not re.search(
                r"\bthis\b|\.\.\.|\b[gs]et\s", body
            ):
                yield from _entries_but(code, opened, keys)

    def _key_at(self, path: str, code: Code, at: int) -> object:
        """The key of a table that is read at a place; "" if it is only asked what there is."""
        opened = at + len(code.mask[at:]) - len(code.mask[at:].lstrip("?. "))
        before = code.mask[:at].rstrip()
        if (
            re.search(r"\bin\s+[\w$]+\Z|\bObject\.keys\(\s*[\w$]+\Z", before)
            and code.mask[at : at + 1] in ")}; \n"
        ):
            return ""
        if code.mask[opened : opened + 1] != "[":
            return UNKNOWN
        after = code.mask[code.pairs[opened] + 1 :].lstrip()
        if re.match(r"=(?!=|>)", after):
            return UNKNOWN
        return self.value(path, code.text[opened + 1 : code.pairs[opened]])

    # -- names -----------------------------------------------------------------------------------------

    def _named(self, path: str, name: str) -> object:
        key = (path, name)
        if key not in self._known:
            if key in self._asked or len(self._asked) > MAX_DEPTH:
                return UNKNOWN
            self._asked.add(key)
            self._known[key] = self._value_of_name(path, name)
            self._asked.discard(key)
        return self._known[key]

    def _value_of_name(self, path: str, name: str) -> object:
        code = self.files[path]
        gone = self._gone.get(path, ())
        uses = [
            one
            for one in node_names.uses(code, name)
            if not any(start <= one[0] < end for start, end in gone)
        ]
        bound = [one for one in uses if node_names.binds(code, *one)]
        if not bound or len(uses) > _MAX_USES:
            return UNKNOWN
        if len(bound) > 1 or self._is_handed_options(code, bound[0][0]):
            is_all = all(self._is_handed_options(code, one[0]) for one in bound)
            is_all &= all(_is_in_handler(code, one[0]) for one in uses)
            value: object = Parsed(self.words[1:]) if is_all else UNKNOWN
        else:
            start, end = node_names.scope(code, bound[0][0])
            is_inside = all(start <= one[0] < end for one in uses)
            value = self._set_at(path, code, *bound[0]) if is_inside else UNKNOWN
        is_shared = _SHARED.search(code.mask[max(0, bound[0][0] - node_names.NEAR) : bound[0][0]])
        if isinstance(value, (list, Parsed)) and is_shared:
            return UNKNOWN
        if isinstance(value, list):
            others = (one for one in uses if one != bound[0])
            return value if all(node_names.is_list_use(code, *one) for one in others) else UNKNOWN
        if isinstance(value, Parsed) and not self._stays(
            code, [one for one in uses if one not in bound]
        ):
            return UNKNOWN
        return value

    def _set_at(self, path: str, code: Code, start: int, end: int) -> object:
        """The value that a name is declared with."""
        before = code.mask[max(0, start - node_names.NEAR) : start]
        looped = re.match(r"\s+of\s+", code.mask[end : end + 40])
        if looped and re.search(r"\bfor\s*\(\s*(?:const|let)\s+\Z", before):
            last = code.pairs[next(code.enclosing(start))]
            value = self.value(path, code.text[end + looped.end() : last])
            is_known = isinstance(value, list) and UNKNOWN not in value
            return Each(tuple(map(str, value))) if isinstance(value, list) and is_known else UNKNOWN
        plain = node_names.DECLARATION.match(code.mask, end)
        if plain and _CONST.search(code.mask[max(0, start - node_names.NEAR) : start]):
            return self._made(path, code, plain.end())
        opened = next(code.enclosing(start), -1)
        if opened >= 0 and code.mask[opened] == "(":
            return self._handed(path, code, opened, code.text[start:end])
        if opened < 0 or code.mask[opened] not in "{[":
            return UNKNOWN
        given = node_names.DECLARATION.match(code.mask, code.pairs[opened] + 1)
        outer = next(code.enclosing(opened), -1)
        is_nested = (
            outer >= 0 and code.mask[outer] == "{" and re.search(r":\s*\Z", code.mask[:opened])
        )
        if is_nested:
            given = node_names.DECLARATION.match(code.mask, code.pairs[outer] + 1)
        top = outer if is_nested else opened
        if given is None or not _CONST.search(code.mask[max(0, top - node_names.NEAR) : top]):
            return UNKNOWN
        value = self._made(path, code, given.end())
        if is_nested:
            key = re.search(r"(\w+)\s*:\s*\Z", code.mask[:opened])
            value = self._member(path, value, key[1], None) if key else UNKNOWN
        part = code.text[opened + 1 : code.pairs[opened]]
        return self._part_of(
            path, value, part, code.text[start:end], is_list=code.mask[opened] == "["
        )

    def _handed(self, path: str, code: Code, opened: int, name: str) -> object:
        """What each call of a function of the file gives to a parameter."""
        first = max(0, opened - node_names.NEAR)
        head = _OWN_FUNCTION.search(code.mask[first:opened])
        given = _arguments(code.bare[opened + 1 : code.pairs[opened]])
        plain = [re.split(r"\s*[:?]", one)[0] for one in given if "=" not in one]
        if head is None or name not in plain or len(plain) != len(given):
            return UNKNOWN
        function = head[1] or head[2]
        defined = first + max(head.start(1), head.start(2))
        calls = [one for one in node_names.uses(code, function) if one[0] != defined]
        values: list[object] = []
        for _, end in calls:
            if code.mask[end : end + 1] != "(":
                return UNKNOWN
            arguments = _arguments(code.text[end + 1 : code.pairs[end]])
            at = plain.index(name)
            if any(one.startswith("...") for one in arguments):
                return UNKNOWN
            values.append(self.value(path, arguments[at]) if at < len(arguments) else None)
        return values[0] if values and all(one == values[0] for one in values) else UNKNOWN

    def _part_of(self, path: str, value: object, given: str, name: str, *, is_list: bool) -> object:
        """What a pattern takes of a value for a name: ``{ publish: isSent = false }``, ``[, command]``"""
        for number, part in enumerate(_arguments(given)):
            form = re.fullmatch(
                r"(?:([\w$]+|['\"][^'\"]+['\"])\s*:\s*)?([\w$]+)\s*(?:=([\s\S]*))?", part
            )
            if form is None or form[2] != name or (is_list and form[1]):
                continue
            key = str(number) if is_list else (form[1] or name).strip("'\"")
            found = self._member(path, value, key, None)
            if form[3] is None or (
                found is not None and found is not EMPTY and found is not UNKNOWN
            ):
                return found
            other = self.value(path, form[3])
            if found is None:
                return other
            return EMPTY if found is EMPTY and not other else UNKNOWN
        return UNKNOWN

    def _made(self, path: str, code: Code, at: int) -> object:
        """The value of the expression at a place."""
        text = code.text[at : node_names.end_of_value(code, at)].strip()
        command = re.match(r"([A-Za-z_$][\w$]*)\s*\.", text)
        if command and self._is_made_by_commander(path, command[1]):
            return self._commander(text)
        if (
            command
            and self._is_made_by_cac(path, command[1])
            and re.search(r"\.\s*parse\(\s*\)\Z", text)
        ):
            return Parsed(self.words[1:], "options")
        return self.value(path, text)

    def _is_made_by_commander(self, path: str, name: str) -> bool:
        return self._is_made_by(path, name, "commander", r"=\s*new\s+(?:\w+\.)?Command\(")

    def _is_made_by_cac(self, path: str, name: str) -> bool:
        return self._is_made_by(path, name, "cac", r"=\s*cac\(")

    def _is_made_by(self, path: str, name: str, module: str, made: str) -> bool:
        code = self.files[path]
        if module not in {one[0] for one in self._modules[path].values()}:
            return False
        bound = [one for one in node_names.uses(code, name) if node_names.binds(code, *one)]
        return len(bound) == 1 and re.match(rf"\s*{made}", code.mask[bound[0][1] :]) is not None

    def _is_handed_options(self, code: Code, at: int) -> bool:
        """Whether a name is a parameter of what commander or yargs calls with the options."""
        modules = {one[0] for path in self.files for one in self._modules[path].values()}
        if modules.isdisjoint(("commander", "yargs", "yargs/yargs")):
            return False
        for opened in code.enclosing(at):
            if code.mask[opened] == "{":
                if re.search(r"\)\s*\Z|=>\s*\Z", code.mask[:opened]):
                    return False
                continue
            before = code.mask[:opened]
            if re.match(r"\s*(?::[^;(){}=]{1,60})?=>", code.mask[code.pairs[opened] + 1 :]):
                around = next(code.enclosing(opened), -1)
                callee = (
                    re.search(r"\.\s*(action|command)\Z", code.mask[:around])
                    if around >= 0
                    else None
                )
                return callee is not None and self._is_parsed_plainly()
            if re.search(r"\.\s*(?:action|command)\Z", before):
                following = re.match(r"[\w$]+\s*=>", code.mask[at:])
                return following is not None and self._is_parsed_plainly()
        return False

    def _is_parsed_plainly(self) -> bool:
        """Whether the parsers get the words of the command alone, and commands run in no other way."""
        if _RUNS_OTHERWISE.search(self.whole):
            return False
        for code in self.files.values():
            for one in _PARSES.finditer(code.mask):
                given = code.bare[one.end() : code.pairs[one.end() - 1]]
                is_other = one[1] in ("JSON", "path", "url", "Date", "YAML", "yaml", "semver")
                if not is_other and given.strip() not in _PLAIN_WORDS:
                    return False
        return True

    def _stays(self, code: Code, uses: list[tuple[int, int]]) -> bool:
        """Whether options are only read, or handed to functions that cannot change them."""
        for start, end in uses:
            before, after = code.bare[max(0, start - 80) : start], code.bare[end : end + 40]
            if re.match(r"\s*\??\.\s*[\w$]+|\s*\[\s*['\"][^'\"\n]*['\"]\s*\]", after):
                continue
            if re.search(r"\}\s*(?::[^=;]*)?=\s*\Z|\.\.\.\Z", before) and re.match(
                r"\s*[;,)}\n]", after
            ):
                continue
            callee = re.search(r"([\w$.]+)\(\s*\Z", before)
            is_plain = callee is not None and (
                callee[1].startswith("console.") or callee[1] == "JSON.stringify"
            )
            is_own = callee is not None and re.search(
                rf"\bfunction\s+{re.escape(callee[1])}\b|\b(?:const|let|var)\s+{re.escape(callee[1])}\s*=\s*(?:async\b|\(|function\b)",
                self.whole,
            )
            if not is_plain and (not is_own or _CHANGES.search(self.whole)):
                return False
        return True


_LIST = pattern(r"(?:process\.argv|Bun\.argv|Deno\.args)(?![\w$])")
_VARIABLE = pattern(r"process\.env(?:\??\.(\w+)|\[\s*['\"](\w+)['\"]\s*\])")
_MEMBER = pattern(
    r"\s*(?:\??\.\s*([A-Za-z_$][\w$]*)|(?:\?\.)?\[\s*(?:(\d+)|['\"]([^'\"\n]+)['\"])\s*\]|!(?=[.\[]))"
)
_IS_ONE = pattern(r"\(?\s*(\w+)\s*(?::\s*string\s*)?\)?\s*=>\s*\1\s*===?\s*['\"]([^'\"\n]+)['\"]")
_SEEKS = ("includes", "indexOf", "some", "find")
_RESULTS = ("opts", "parseSync", "parse", "parseAsync", "optsWithGlobals")
_POSITIONALS = ("_", "positionals", "input", "args")
_OWN_FUNCTION = pattern(
    r"(?<!export )(?<!default )(?<!async )(?:async\s+)?\bfunction\s+([\w$]+)\s*\Z"
    r"|(?<!export )\bconst\s+([\w$]+)\s*=\s*(?:async\s*)?\Z"
)
_YARGS_ENDS = pattern(r"\.\s*(?:argv|parse(?:Sync|Async)?\(\s*\))\Z")
_CONST = pattern(r"\b(?:const|let)\s+\Z")
_SHARED = pattern(r"\bexport\s+(?:const|let|var)\s+\Z")


_PARSES = pattern(r"([\w$]*)\)?\s*\.\s*parse(?:Async|Sync)?\(")
_PLAIN_WORDS = ("", "process.argv", "hideBin(process.argv)")
_RUNS_OTHERWISE = pattern(r"\.\s*emit\(|_actionHandler|\brunMatchedCommand\b|\.\s*parseOptions\(")
_COMMAND = pattern(r"\.\s*command(?P<open>\()")
_COMMAND_NAMES = pattern(r"\s*(?:['\"`][^'\"`\n]*['\"`]|\[[^\[\]]*\](?=\s*,))")
_ALIAS = pattern(r"\balias(?:es)?\b([^\n]*)")
_LINK = pattern(r"\s*\.\s*(\w+)\(")
_TABLE = pattern(r"\b(?:const|let|var)\s+([\w$]+)\s*(?::[^=;\n]{1,80})?=\s*\{")


def _entries_but(code: Code, opened: int, keys: set[object]) -> Iterator[tuple[int, int]]:
    """The places of what a table holds under other keys."""
    at, end = opened + 1, code.pairs[opened]
    while at < end:
        last = at
        while last < end and code.mask[last] != ",":
            last = code.pairs.get(last, last) + 1
        entry = _ENTRY.match(code.bare, at, last)
        if entry is None and code.bare[at:last].strip():
            return
        if entry is not None and (entry[1] or entry[2]) not in keys:
            yield at, last
        at = last + 1


_ENTRY = pattern(
    r"\s*(?:async\s+)?\*?\s*(?:([A-Za-z_$][\w$]*)|['\"]([^'\"\n]+)['\"])\s*(?=[:(,}\n]|\Z)"
)


def _begins(value: str | Each, first: object) -> object:
    """Whether a text begins in some way, or each of several."""
    words = value.words if isinstance(value, Each) else (value,)
    found = {one.startswith(first) for one in words} if isinstance(first, str) else set()
    return found.pop() if len(found) == 1 else UNKNOWN


def _sought(words: list[object], name: str, asked: object) -> object:
    """What ``includes`` and others say of a text in a list."""
    is_in = asked in words
    if not isinstance(asked, str) or (UNKNOWN in words and not is_in and asked[:1] != "-"):
        return UNKNOWN  # it may be the name of the program's file
    if name == "indexOf":
        return words.index(asked) if is_in else -1
    return (asked if is_in else None) if name == "find" else is_in


def _is_in_handler(code: Code, at: int) -> bool:
    return any(
        code.mask[one] == "(" and _HANDLES.search(code.mask[max(0, one - node_names.NEAR) : one])
        for one in code.enclosing(at)
    )


_HANDLES = pattern(r"\.\s*(?:action|command)\Z")


def _arguments(text: str) -> list[str]:
    from operators_edge.shell.code.bracketed import split  # noqa: PLC0415 - for a few calls

    return split(text, ",")


# end of module
