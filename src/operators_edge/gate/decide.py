"""The gate's verdict on one call. Pure: it depends on the call, the place, the facts and the rules only.

Owns the steps from a call to its findings, and from findings to a verdict. Does not own the rules
(``packs``), their conditions (``gate.conditions``), or any decision of a person (``approvals.junction``).

Every call is judged as a command: a shell text as the commands in it, an edit as ``@edit PATH``, a prompt
to a model as ``@prompt TEXT…``, an MCP server's tool as ``@mcp --name NAME WORD… --text TEXT…``, with the
words of its name (``tool_inputs.server_tool``). So rules on tools are data like all others.
"""

from __future__ import annotations

from functools import cache

from operators_edge.gate import fingerprint, tool_inputs
from operators_edge.gate.conditions import Match, Matcher
from operators_edge.gate.disk import follow
from operators_edge.gate.invocation import (
    Invocation,
    brings,
    code_texts,
    edited_by,
    invocation_of,
    links_of,
    moved_to,
    only_redirects,
    words_from,
)
from operators_edge.gate.paths import CallContext, is_below
from operators_edge.gate.prefilter import is_suspicious
from operators_edge.model import ALLOW, SEVERITY, Call, Finding, Place, Verdict
from operators_edge.shell.commands import HOLE, SOURCING, Command, Word, visible
from operators_edge.shell.evaluate import parse
from operators_edge.shell.scope import OWN_NUMBER
from operators_edge.text.patterns import found_in, pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator
    from typing import Any

    from operators_edge.gate.disk.follow import Follower
    from operators_edge.gate.disk.search import Piece
    from operators_edge.gate.disk.sourced import Settings
    from operators_edge.gate.remembered import Remembered
    from operators_edge.gate.rule_types import Rule
    from operators_edge.gate.rules import Rules
    from operators_edge.model import Facts
    from operators_edge.shell.commands import Script
    from operators_edge.shell.evaluate import Disk

_CODE = frozenset(("py", "sh", "js", "ts", "go", "php", "rb", "pl", "lua"))
"""Endings of files with code, some of which are the names of programs, too."""
_MAX_NESTING = 8
_MAX_LEVEL = 3
"""Files that run files, of which the innermost are read a second time, too."""
_PRINTS = "secret-settings"
"""The rule that says whether code prints a secret."""
_SOURCES = pattern(r"(?m)(?:^|[;&|{(]|\b(?:then|do|else)\b)[ \t]*(?:\.|source)[ \t]")
_DEFAULTS = pattern(r"\$\{\w+:?[-=]")
_RUNS_TEXT = pattern(r"eval$|\w*sh -c$")


def is_plain(call: Call, rules: Rules) -> bool:
    """Whether no rule can match the call, wherever it happens; errs towards False."""
    tools = rules.tools
    if call.tool in tools["shell"]:
        text = call.input.get(tools["shell"][call.tool])
        return isinstance(text, str) and is_suspicious(text, rules.words) is False
    if call.tool in tools["read"]:
        path = call.input.get(tools["read"][call.tool])
        if not isinstance(path, str):
            return False
        stem, _, ending = path.rpartition(".")
        text = f"cat {stem if ending in _CODE else path}"
        return is_suspicious(text, rules.words) is False
    if call.tool in tools["search"]:
        return is_suspicious(" ".join(tool_inputs.search_words(call.input)), rules.words) is False
    return call.tool in tools["allow"] and call.tool not in tools["write"]


def verdict_of(findings: list[Finding]) -> Verdict:
    """Combine findings into one verdict: the most severe one decides."""
    if findings == []:  # not None, as of a function that was cut
        return ALLOW
    # Among equals, leading rules come first, so that a forgery is recorded as one; then shipped rules, so
    # that a repository's own rules cannot replace their message.
    ranked = sorted(
        findings,
        key=lambda one: (
            -SEVERITY[one.effect],
            one.origin != "" or not one.leads,
            one.origin != "",
        ),
    )
    every = tuple(dict.fromkeys(ranked))
    unique = tuple(one for one in every if one.effect != "allow")
    destroys = tuple(one for one in every if one.destroys)
    if not unique:
        return Verdict("allow", destroys=destroys)
    deciding = [one for one in unique if fingerprint.needs_decision(one)]
    classes = tuple(dict.fromkeys(fingerprint.class_of(one) for one in deciding))
    return Verdict(unique[0].effect, unique, fingerprint.exact(deciding), classes, destroys)


class _Assessment:
    """The assessment of one call, or of one text that it runs from a file.

    ``follower`` reads files; without one, none is read. ``level`` counts the files that run files.
    ``assumed`` is what unknown words are taken to be, "" to leave them unknown. One that ``takes_defaults``
    gives variables that nothing known sets the values of ``${NAME:-VALUE}``. Of a text that is judged again,
    it may look at ``only`` some commands.
    """

    def __init__(
        self,
        call: Call,
        context: CallContext,
        rules: Rules,
        follower: Follower | None,
        level: int = 0,
        *,
        assumed: str = "",
        disk: Disk | None = None,
        takes_defaults: bool = False,
        only: frozenset[Command] | None = None,
    ) -> None:
        self.call = call
        self.context = context
        self.rules = rules
        self.follower = follower
        self.level = level
        self.assumed = assumed
        self.disk = disk
        self.takes_defaults = takes_defaults
        self.only = only
        self.knows_sourced = False
        self.script: Script | None = None
        """What was read of a piece in the shell."""
        self.before: Script | None = None
        """What an earlier look at the piece has judged: it finds nothing else in the same."""

    def findings(self) -> list[Finding]:
        tools = self.rules.tools
        tool = self.call.tool
        if tool in tools["shell"]:
            return self._shell(self.call.input.get(tools["shell"][tool]))
        if tool in tools["write"]:
            return self._edit(self.call.input.get(tools["write"][tool]))
        if tool in tools["read"]:
            return self._read(self.call.input.get(tools["read"][tool]))
        if tool in tools["search"]:
            words = tool_inputs.search_words(self.call.input)
            return self.pseudo_command(*words) if words else []
        if tool in tools["allow"]:
            return []
        return self._other_tool(tool)

    def _other_tool(self, tool: str) -> list[Finding]:
        """Judge a tool that is neither a shell nor an editor by the texts it is given."""
        texts = list(tool_inputs.find_strings(self.call.input))
        if len(texts) >= tool_inputs.MAX_STRINGS:
            return self.pseudo_command("@malformed", tool)
        found = self.pseudo_command("@prompt", *map(tool_inputs.fold_confusables, texts))
        method = self.call.input.get("method")
        if tool in self.rules.tools["fetch"]:
            url = self.call.input.get(self.rules.tools["fetch"][tool])
            found += self.pseudo_command("@fetch", str(method or "GET"), str(url or ""))
            if isinstance(url, str) and url.startswith("file://"):
                found += self._read(url.removeprefix("file://"))
        if tool in self.rules.tools["named"]:
            found += self._named(self.call.input.get(self.rules.tools["named"][tool]))
        if tool.startswith("mcp__"):
            return found + self._server_tool(tool, texts)
        if tool not in self.rules.tools["asks"]:
            return found or self.pseudo_command("@tool", tool, *texts)
        return found

    def _server_tool(self, tool: str, texts: list[str]) -> list[Finding]:
        """Judge an MCP server's tool: commands it runs and files it writes are judged as such."""
        tools, arguments = self.rules.tools, self.call.input
        name = tool.split("__", 2)[-1]
        if found_in(tools.get("shell_name", "$."), name):
            for key in tools["shell_arguments"]:
                given = arguments.get(key)
                if key == "commands" and isinstance(given, list):
                    return self._shell("\n".join(map(str, given)))
                if key in arguments:
                    return self._shell(tool_inputs.join_command(given, arguments.get("args")))
        words = tool_inputs.server_tool(tool, texts, self.rules.verbs)
        found = self.pseudo_command("@mcp", *words)
        if line := tool_inputs.line_of_program(name, arguments, tools):
            found += self._shell(line)
        if isinstance(arguments.get("url"), str):
            method = str(arguments.get("method") or "GET")
            found += self.pseudo_command("@fetch", method, arguments["url"])
        for key in tools["command_arguments"]:
            if key in arguments:
                # The tool's name does not say that a shell reads it, so only what is certain counts.
                ran = self._shell(tool_inputs.join_command(arguments[key], arguments.get("args")))
                found += [one for one in ran if self._is_certain(one)]
        return found + self._files_of_tool(name)

    def _files_of_tool(self, name: str) -> list[Finding]:
        """Judge the files that an MCP server's tool with such a name reads or writes."""
        tools = self.rules.tools
        paths = tool_inputs.paths_in(self.call.input, tools["write_arguments"])
        judges = (
            (tools.get("read_name", "$."), self._read),
            (tools.get("write_name", "$."), self._edit),
        )
        return [
            one
            for pattern, judge in judges
            if found_in(pattern, name)
            for path in paths
            for one in judge(path)
        ]

    def _edit(self, path: Any) -> list[Finding]:
        if not isinstance(path, str) or not path or "\0" in path:
            return self.pseudo_command("@malformed", self.call.tool)
        resolved = self.context.resolve(path, self.context.cwd)
        self.context.text = tool_inputs.given_text(self.call.input, self.rules.tools["content"])
        if resolved is not None and resolved.endswith(".md"):  # its frontmatter may be read
            keys = self.rules.tools["content"]
            text = tool_inputs.written_text(self.call.input, keys, self.context, resolved)
            self.context.written_texts[resolved] = text
        return self.pseudo_command("@edit", path) + self._later(path)

    def _read(self, path: Any) -> list[Finding]:
        """Judge a tool that reads a file like the command that prints it."""
        is_path = isinstance(path, str) and "\0" not in path
        return self.pseudo_command("cat", path) if is_path else []

    def _later(self, name: str) -> list[Finding]:
        """Judge what a file that a tool writes will run later, if the gate will not see it again."""
        path = self.context.resolve(name, self.context.cwd)
        if path is None or not follow.runs_later(path, self.rules):
            return []
        text = tool_inputs.written_text(
            self.call.input, self.rules.tools["content"], self.context, path
        )
        return self._pieces(_later_pieces(path, text, self.context, self.rules))

    def _named(self, name: Any) -> list[Finding]:
        """Judge what a skill, a command or an agent of the host runs as soon as it is used."""
        if not isinstance(name, str) or "\0" in name or self.follower is None:
            return []
        given = [self.call.input.get(key) for key in self.rules.tools["named_arguments"]]
        arguments = " ".join(str(one) for one in given if one is not None)
        from operators_edge.gate.disk import client_files  # noqa: PLC0415 - few calls use one

        return self._pieces(client_files.named_pieces(name, arguments, self.context, self.follower))

    def _pieces(self, pieces: Iterable[Piece]) -> list[Finding]:
        """Judge texts that run without a command of their own, each like a line."""
        pieces = list(pieces)
        if not pieces:
            return []
        inv = Invocation(Command((Word(self.call.tool),)), self.call.tool, {})
        found = [
            one if one.source else _located(one, piece, inv, self.context)
            for piece in pieces
            for one in self._judge_piece(piece, self.rules, self.follower)
        ]
        return [one._replace(recovery=None) for one in found]  # when it runs is not known

    def pseudo_command(self, *words: str) -> list[Finding]:
        """Return the findings on something that is not a shell command, written as one."""
        return self._command(Command(tuple(Word(visible(word)) for word in words)), 0)

    def _shell(self, text: Any) -> list[Finding]:
        if not isinstance(text, str):
            return self.pseudo_command("@malformed", self.call.tool)
        self.context.text = text
        home = {"HOME": self.context.home} if self.context.home else {}
        # A client gives its shell the text alone, which comes from no file.
        env = {**home, "BASH_SOURCE": "", "0": "bash", "PWD": self.call.cwd}
        same = _sourcing(text, self.context)
        script = self._knowing_settings(
            parse(same, env=env, disk=self.disk),
            lambda sourced: parse(same, env=env, disk=self.disk, sourced=dict(sourced)),
            programs=self.rules.programs,
        )
        return self._script(script, text)

    def _knowing_settings(
        self,
        script: Script,
        read: Callable[[Settings], Script],
        programs: Container[str] = (),
    ) -> Script:
        if not any(one.argv and one.argv[0].text in SOURCING for one in script.commands):
            return script
        from operators_edge.gate.disk import sourced  # noqa: PLC0415 - few texts source a file

        given = (script, read, self.context)
        return sourced.known(*given, with_all=self.knows_sourced, programs=programs)

    def knowing_texts(self, findings: list[Finding], place: Place) -> list[Finding]:
        """Return the findings on a line with the content of the files known that it runs as text."""
        follower = self.follower
        if follower is None or self.call.tool not in self.rules.tools["shell"]:
            return findings
        is_open = any(not word.is_known for one in self.context.commands for word in one.argv)
        if not (findings or is_open or "envsubst" in self.context.text):
            return findings
        from operators_edge.gate.disk import surroundings  # noqa: PLC0415 - of most lines all is known

        def judge(disk: Disk | None) -> list[Finding]:
            context = CallContext(self.call, place, self.context.facts)
            context.judged = self.context.judged
            again = follow.Follower(self.rules)
            inside = _Assessment(self.call, context, self.rules, again, disk=disk)
            inside.knows_sourced = disk is None
            found = inside.findings()
            follower.files |= again.files
            return found if disk else surroundings.knowing_sourced(findings, found, context)

        judged = self.context.judged
        if _SOURCES.search(self.context.text) and judged.allows_again(judged.count):
            findings = judge(None)

        given = (self.context, follower, self._is_certain, judge)
        return surroundings.knowing_texts(findings, *given, is_open=is_open)

    def _script(self, script: Script, text: str) -> list[Finding]:
        judged, only = self.context.judged, self.only
        if only is not None and only.isdisjoint(script.commands):
            return []
        self.context.commands = script.commands
        self.context.ran += script.commands
        judged.count += len(script.commands) if only is None else len(only)
        invs = [invocation_of(each, self.rules) for each in script.commands]
        links = (one for inv in invs for one in links_of(inv, self.context))
        self.context.links = [*self.context.links, *links]
        self.context.note_files(script)
        if len(invs) > 1:
            self.context.moved = [*self.context.moved, *moved_to(invs, self.context)]
            self.context.edited |= edited_by(invs, self.context)
        self._note_arrivals(script, invs)
        later = [
            piece
            for path, content in self.context.written_by(script)
            if follow.runs_later(path, self.rules)
            for piece in _later_pieces(path, content, self.context, self.rules)
        ]
        found = self._pieces(later)
        known: dict[Command, list[Finding]] = {}
        for at, command in enumerate(script.commands):
            if only is not None and command not in only:
                continue
            own = self._recoverable(self._once(command, invs[at], known), script, at)
            judged.note(own, command, text)
            found += self._not_of_the_line(own, script, invs, at, text)
        if script.problems and is_suspicious(text, self.rules.words):
            spans = tuple(problem.span for problem in script.problems)
            found += [one._replace(spans=spans) for one in self.pseudo_command("@problem")]
        return found

    def _once(
        self, command: Command, inv: Invocation, known: dict[Command, list[Finding]]
    ) -> list[Finding]:
        """The findings on a command of a text; a loop that calls a function has the same one many times.

        They are kept unless they depend on its place among the others, or on what it runs from disk, which
        is found by its first judgement alone.
        """
        found = known.get(command)
        if found is None:
            before = self._rests_on_place()
            found = self._command(command, 0, inv)
            if self._rests_on_place() == before:
                known[command] = found
        return found

    def _rests_on_place(self) -> tuple[int, int]:
        return self.context.looks, self.follower.count if self.follower else 0

    def _recoverable(self, found: list[Finding], script: Script, at: int) -> list[Finding]:
        """The findings on one command, without a recovery that the line around it makes uncertain."""
        if all(one.recovery is None for one in found):
            return found
        from operators_edge.gate import recovery  # noqa: PLC0415 - most calls destroy nothing

        return recovery.without_uncertain(found, script, at, self.rules, self.context)

    def _not_of_the_line(
        self, found: list[Finding], script: Script, invs: list[Invocation], at: int, text: str
    ) -> list[Finding]:
        """The findings on one command, without those on what the line around it has made itself."""
        is_alone = len(invs) < 2 and OWN_NUMBER not in invs[0].arguments
        if not found or (is_alone and "compose" not in text):
            return found
        from operators_edge.gate.own import line_words, made_here  # noqa: PLC0415 - most calls remove nothing

        line = line_words.Line(text, script, invs, self.context)
        return made_here.without_own(found, line, at)

    def _note_arrivals(self, script: Script, invs: list[Invocation]) -> None:
        """Note what commands of a text put in place of the files that others run."""
        bringing = [inv for inv in invs if brings(inv)] if len(invs) > 1 else []
        if self.follower is None or not (bringing or (script.outputs and len(invs) > 1)):
            return
        from operators_edge.gate import arrivals  # noqa: PLC0415 - most texts bring nothing

        context, follower = self.context, self.follower
        found = arrivals.find(bringing, context, lambda path: follower.read(path, context))
        found += arrivals.computed(script, context)
        own = [one._replace(span=(-1, -1)) for one in context.arrivals]  # of the texts around
        context.arrivals = [*own, *found]

    def _applied(self, inv: Invocation) -> list[Finding]:
        """What the rules find in the command alone: the links that it makes itself are not there yet."""
        links = self.context.links
        own = set(links_of(inv, self.context)) if links else ()
        self.context.links = [each for each in links if each not in own] if own else links
        found = self._apply_rules(only_redirects(inv.command) if inv.is_help() else inv)
        self.context.links = links
        return found

    def _command(
        self,
        command: Command,
        depth: int,
        inv: Invocation | None = None,
        *,
        follows: bool = True,
    ) -> list[Finding]:
        """The findings on a command and on all that it runs; ``inv`` is it, if it has been read already."""
        if depth > _MAX_NESTING:
            return self.pseudo_command("@problem")
        command = _with_known_words(command, self.context, self.follower, self.assumed)
        inv = self._invocation(command, inv)
        if inv.only_checks():
            return self._apply_rules(only_redirects(command))
        found = [] if self.context.is_replaced(command) else self._applied(inv)
        if found and ("recipes" in inv.spec or any("/" in word.text for word in command.argv[:1])):
            found = self._without_names(found, inv)
        for inner in self._inner_commands(inv):
            found += self._command(inner, depth + 1)
        known = {one.rule for one in found}
        for same in _same_with_options(inv):  # nothing is said twice
            found += [one for one in self._command(same, depth + 1) if one.rule not in known]
        for script in self._script_name(inv):
            found += self._without_names(self._command(script, depth + 1, follows=False), inv)
        if not follows:
            return found
        inside = self._followed(inv)
        files = self.follower.quiet.get(command, ()) if self.follower is not None else ()
        named = [one for one in found if one.rule.startswith("general-")] if files else []
        if named and all(map(self.context.is_held, files)):
            # What the name says of the program is not more than what is known of it.
            found = [one for one in found if one not in named]
        return found + inside

    def _invocation(self, command: Command, known: Invocation | None) -> Invocation:
        if known is not None and known.command is command and known.program != HOLE:
            return known
        inv = invocation_of(command, self.rules)
        if inv.program == HOLE:
            inv.program = "@unknown"
        return inv

    def _without_names(self, found: list[Finding], inv: Invocation) -> list[Finding]:
        """Leave out what goes by the name of a target that was read and stays here."""
        rules = ((one, self.rules.rule(one.rule)) for one in found)
        named = [
            one
            for one, rule in rules
            if rule and rule.get("by_name", False) and not rule.get("is_set", False)
        ]
        if not named or inv.command.is_remote:
            return found
        from operators_edge.gate import known_names  # noqa: PLC0415 - few targets have such a name
        from operators_edge.gate.disk import named_targets  # noqa: PLC0415 - the same

        context = self.context.before(inv.command)
        is_known = named_targets.is_known(inv, context, self.rules, known_names.migrates_own)
        return [one for one in found if one not in named] if is_known else found

    def _followed(self, inv: Invocation) -> list[Finding]:
        """Return the findings in what the command runs from disk."""
        if self.follower is None:
            return []
        context = self.context.before(inv.command)
        pieces = self.follower.pieces(inv, context, self.level)
        inside = self if context is self.context else self._in(context)
        found: list[Finding] = []
        ran: list[tuple[Piece, list[Command]]] = []
        for piece in pieces:
            before = len(context.ran)
            of_piece = inside._piece(piece, inv)  # noqa: SLF001 - its own
            # Git is asked where it matters alone: a process that others wait for cannot.
            if not (of_piece and self._is_stood_for(piece)):
                found += of_piece
            ran.append((piece, context.ran[before:]))
        if all(one.recovery is None for one in found):
            return found
        from operators_edge.gate import recovery  # noqa: PLC0415 - most calls destroy nothing

        counted = [commands for piece, commands in ran if not self._is_stood_for(piece)]
        # In which order it runs several texts is not known.
        beside = [one for commands in counted for one in commands] if len(counted) > 1 else ()
        return recovery.within(found, inv, beside, self.rules)

    def _is_stood_for(self, piece: Piece) -> bool:
        """Whether what is left of a program that was followed counts in the place of its file."""
        return bool(piece.unless_held) and all(map(self.context.is_held, piece.unless_held))

    def _in(self, context: CallContext) -> _Assessment:
        return _Assessment(self.call, context, self.rules, self.follower, self.level)

    def _piece(self, piece: Piece, inv: Invocation) -> list[Finding]:
        """Judge one piece of a file: a script that the agent wrote like a line, others less strictly.

        The unknown words in an ordinary project's files would need a person at every build, so only what is
        certain counts there.
        """
        found = self._judge_piece(piece, self.rules, self.follower)
        own = [one for one in found if not one.source]
        deeper = [one for one in found if one.source]
        if own and (piece.is_loose or (not piece.unseen and self.context.is_held(piece.path))):
            # Only what cannot be made again is worth a person's time here (GA-12).
            is_ours = (piece.is_direct or piece.is_loaded) and not piece.is_loose
            lost = [one for one in own if is_ours and one.destroys]
            piece = piece._replace(is_direct=False)
            rules = self.rules.with_profile("contextual")
            if rules is not self.rules or not piece.is_shell:
                own = self._judge_piece(piece, rules, None)
            own = self._certain(own, piece, rules)
            own = [self._settled(one) for one in own]
            own = [one for one in own if not (piece.is_loose and one.rule.startswith("general-"))]
            # What it destroys by unknown names is kept first; nobody is asked about it.
            places = {(one.rule, one.spans) for one in own}
            own += [
                one._replace(effect="allow", recovery=None)
                for one in lost
                if (one.rule, one.spans) not in places
            ]
        elif piece.unseen and self._is_computed_as_held(piece):
            own = [one for one in own if self._is_about_more(one)]
        elif not (piece.is_direct and piece.is_shell):
            apart = [one for one in own if _is_unread(one, piece) or _is_loss(one, piece)]
            own = self._certain([one for one in own if one not in apart], piece, self.rules) + apart
        container = piece.inside or self.context.container
        if container is not None:
            own = container.counted(own, piece.text, self.context.root)
        return [*(_located(one, piece, inv, self.context) for one in own), *deeper]

    def _is_computed_as_held(self, piece: Piece) -> bool:
        """Whether a text that git holds computes the file that it runs, from nothing that is fetched.

        What the file does is as unknown as what the text feeds a shell.
        """
        from operators_edge.gate import printed  # noqa: PLC0415 - few files are computed

        made = [one for one in self.context.arrivals if one.place == piece.path]
        is_own = bool(made) and all(one.kind == "unseen" and one.maker for one in made)
        if not is_own or any(map(printed.is_fetcher, self.context.ran)):
            return False
        return all(self.context.is_held(one.maker) for one in made)

    def _certain(self, findings: list[Finding], piece: Piece, rules: Rules) -> list[Finding]:
        """Return the findings that hold whatever the unknown words of a file stand for."""
        known = [one for one in findings if self._is_certain(one)]
        open_ones = [one for one in findings if _has_unknown(one) and self._is_about_more(one)]
        if not open_ones or piece.is_loose:
            return known
        from operators_edge.gate.assumptions import ASSUMED  # noqa: PLC0415 - for files alone

        judged, cost = self.context.judged, 0
        only = judged.commands_of(open_ones, piece.text) if piece.is_shell else None
        for word in ASSUMED:
            if only is None and not judged.allows_again(cost):
                break
            cost = -judged.count
            held = self._judge_piece(piece, rules, None, assumed=word, only=only)
            lasting = (one for one in held if self._settled(one).effect != "allow")
            places = {(one.rule, one.spans) for one in lasting}
            open_ones = [one for one in open_ones if (one.rule, one.spans) in places]
            cost += judged.count
        return known + open_ones

    def _is_certain(self, finding: Finding) -> bool:
        """Whether a finding depends on no unknown word or folder."""
        is_known = finding.is_elsewhere or not _has_unknown(finding)
        return self._is_about_more(finding) and is_known

    def _is_about_more(self, finding: Finding) -> bool:
        """Whether it is about more than something unknown."""
        rule = self.rules.rule(finding.rule)
        is_of_unknown = rule is not None and rule.get("unknown", False)
        return finding.effect != "warn" and (finding.is_elsewhere or not is_of_unknown)

    def _settled(self, finding: Finding) -> Finding:
        """What only changes this project, which git holds, needs a snapshot at most."""
        context = self.context
        rule = self.rules.rule(finding.rule)
        local = rule.get("local", "") if rule is not None else ""
        paths = finding.targets or (finding.cwd,)
        is_local = bool(local) and all(
            (is_below(path, context.root) or (local == "inside" and path == context.root))
            and not context.is_own_file(path)
            for path in paths
        )
        return finding._replace(effect="allow", recovery=None) if is_local else finding

    def _judge_piece(
        self,
        piece: Piece,
        rules: Rules,
        follower: Follower | None,
        assumed: str = "",
        only: frozenset[Command] | None = None,
    ) -> list[Finding]:
        inside = self._inside_of(piece, rules, follower, assumed, only)
        judged, before = self.context.judged, self.context.judged.count
        found = inside.findings_in(piece)
        if self.level >= _MAX_LEVEL or not piece.is_shell:
            return found
        cost = judged.count - before
        is_sourcing = _SOURCES.search(piece.text) is not None
        has_defaults = is_sourcing or _DEFAULTS.search(piece.text) is not None
        if has_defaults and not judged.allows_again(cost):
            return found if self.context.is_held(piece.path) else found + inside.unread()
        if is_sourcing:
            found = self._knowing_sourced(found, inside, piece)
        if has_defaults and not self.takes_defaults:
            found = self._with_defaults(found, inside, piece)
        return found

    def _inside_of(
        self,
        piece: Piece,
        rules: Rules,
        follower: Follower | None,
        assumed: str,
        only: frozenset[Command] | None,
        *,
        takes_defaults: bool = False,
    ) -> _Assessment:
        context = self.context.inside(piece.folder, piece.text, piece.stand_ins)
        context.around = (*self.context.around, (*piece[:2], piece.arguments))
        context.is_in_package, context.beside = piece.path.endswith("/package.json"), piece.beside
        if piece.assigned and piece.is_shell:  # the programs that it starts get them, too
            context.variables = [*context.variables, *piece.assigned]
        if piece.inside is not None:
            context.container = piece.inside
        return _Assessment(
            self.call,
            context,
            rules,
            follower,
            self.level + 1,
            assumed=assumed,
            takes_defaults=takes_defaults or self.takes_defaults,
            only=only,
        )

    def _knowing_sourced(
        self, found: list[Finding], first: _Assessment, piece: Piece
    ) -> list[Finding]:
        """The findings on a script with all known that it sources; if it is harmless so, none asks."""
        known, context = self._again(first, piece, takes_defaults=False)
        from operators_edge.gate.disk import surroundings  # noqa: PLC0415 - few scripts source others

        return surroundings.knowing_sourced(found, known, context)

    def _with_defaults(
        self, found: list[Finding], first: _Assessment, piece: Piece
    ) -> list[Finding]:
        """The findings on a script, and what it also does if nothing sets what has a default."""
        asking = [one for one in found if one.recovery is None and self._is_certain(one)]
        if any(self._settled(one).effect == "junction" for one in asking):
            return found
        known, _ = self._again(first, piece, takes_defaults=True)
        from operators_edge.gate.disk import surroundings  # noqa: PLC0415 - few scripts have defaults

        return surroundings.with_more(found, known)

    def _again(
        self, first: _Assessment, piece: Piece, *, takes_defaults: bool
    ) -> tuple[list[Finding], CallContext]:
        """The findings on a script with all known that it sources, and the context that they are from."""
        again = follow.Follower(self.rules) if first.follower is not None else None
        given = (piece, first.rules, again, first.assumed, first.only)
        inside = self._inside_of(*given, takes_defaults=takes_defaults)
        inside.knows_sourced, inside.context.ran, inside.before = True, [], first.script
        known = inside.findings_in(piece)
        if again is not None and first.follower is not None:
            first.follower.files |= again.files
        return known, inside.context

    def findings_in(self, piece: Piece) -> list[Finding]:
        """Return the findings in a piece; their spans are positions in its text."""
        if piece.unseen:
            words = (Word(piece.program),)
            fed = Command(words, stdin_kind="pipe", stdin_program=piece.unseen)
            return self._command(fed, 0, follows=False)
        if not piece.is_shell:
            return self._code(piece) + ([] if piece.is_whole else self.unread())
        given = (
            _sourcing(piece.text, self.context),
            self.context.home,
            piece.arguments,
            piece.assigned,
        )
        from operators_edge.gate.disk import started  # noqa: PLC0415 - most calls run nothing from a file

        self.context.is_program = not piece.is_sourced
        top = self.context.top_level(piece.text, piece.folder)
        folder = piece.folder or "" if piece.inside is None else ""

        def read(sourced: Settings = ()) -> Script:
            place = {"top": top, "folder": folder}
            return started.parsed(*given, sourced, **place, takes_defaults=self.takes_defaults)

        script = self.script = self._knowing_settings(read(), read)
        if script == self.before and not self.context.sourced:
            return []
        if not piece.is_whole:
            return self._script(script, piece.text) + self.unread()
        if piece.folder is None:
            kept = [one.cwd if one.cwd and one.cwd[0] in "/~" else None for one in script.commands]
            commands = zip(script.commands, kept, strict=True)
            script = script._replace(commands=tuple(one._replace(cwd=cwd) for one, cwd in commands))
        found = self._script(script, piece.text)
        return found + (self._beyond(script, piece) if script.problems else [])

    def _beyond(self, script: Script, piece: Piece) -> list[Finding]:
        """The findings in what a script does after as many commands as are read."""
        from operators_edge.gate.disk import long_scripts, started  # noqa: PLC0415 - few scripts are that long

        if not long_scripts.is_cut(script):
            return []
        rest = long_scripts.rest_of(piece, script, self.rules)
        again = started.parsed(rest.text, self.context.home, piece.arguments, piece.assigned)
        return long_scripts.placed(self._script(again, rest.text), rest, piece)

    def unread(self) -> list[Finding]:
        return self.pseudo_command("@problem")

    def _code(self, piece: Piece) -> list[Finding]:
        """Judge a program in another language: what it starts, and the code itself."""
        from operators_edge.gate.disk import started  # noqa: PLC0415 - see above

        option = next(iter(self.rules.programs.get(piece.program, {}).get("code", ())), "")
        found = []
        text = started.with_own_path(piece.program, piece.text, piece.path)
        if piece.is_direct and option:
            code = Word(text, (0, len(text)))
            # Its modules are pieces of their own.
            command = Command((Word(piece.program), Word(option), code), exported=piece.assigned)
            found += self._command(command, 0, follows=not piece.beside)
        elif piece.is_followed and option:  # what it reads is followed to where it is printed
            command = Command((Word(piece.program), Word(option), Word(text, (0, len(text)))))
            judged = self._command(command, 0, follows=False)
            found += [one for one in judged if one.rule == _PRINTS]
        text = started.with_arguments(piece.program, text, piece.arguments)
        before, self.context.code = len(self.context.ran), text + piece.beside
        options = tuple(one for one in piece.arguments if one[:2] == "--")
        given = (piece.program, option, text, piece.beside, options)
        for run in started.started_by_code(*given, environment=piece.assigned):
            if piece.is_followed and run.text.startswith("cat "):
                continue  # what is read is followed to where it is printed
            at = (run.position, run.position + 1)
            variables = tuple({**dict(piece.assigned), **dict(run.environment)}.items())
            script = started.parsed(run.text, self.context.home, (), variables)
            self.context.text = run.text
            found += [one._replace(spans=(at,)) for one in self._script(script, run.text)]
        self.context.text = piece.text
        if all(one.recovery is None for one in found):
            return found
        from operators_edge.gate import recovery  # noqa: PLC0415 - most calls destroy nothing

        return recovery.within_code(found, piece, self.context.ran[before:], self.rules)

    def _apply_rules(self, inv: Invocation) -> list[Finding]:
        found = []
        seen = set()
        is_contained = inv.is_contained
        matcher = Matcher(inv, self.context)
        for number, when in self.rules.candidates(inv, matcher.missing(), matcher.of_program):
            if number in seen or (is_contained and self.rules.rules[number].get("machine")):
                continue
            if (match := matcher.match(when)) is not None:
                seen.add(number)
                finding = _finding(self.rules.rules[number], match, inv, self.context)
                if "recovers" in when and self._may_recover(number):
                    finding = self._with_recovery(finding, when["recovers"], match, inv)
                found.append(finding)
        return found

    def _may_recover(self, number: int) -> bool:
        """Whether a snapshot may replace a decision: of a line, if nobody set the effect."""
        is_line = self.call.tool in self.rules.tools["shell"]
        is_set = self.rules.rules[number].get("is_set", False)
        return is_line and not is_set and self.rules.profile == "contextual"

    def _with_recovery(self, finding: Finding, kind: str, match: Match, inv: Invocation) -> Finding:
        from operators_edge.gate import recovery  # noqa: PLC0415 - most calls destroy nothing

        return finding._replace(recovery=recovery.of(kind, match, inv, self.context))

    def _inner_commands(self, inv: Invocation) -> Iterator[Command]:
        """Yield commands that this one runs according to its program table, which the shell does not know."""
        command, spec = inv.command, inv.spec
        through = (*command.through, inv.program)
        for path in spec.get("runs", ()):
            parts = path.split()
            if parts == [word.text for word in inv.operands[: len(parts)]]:
                rest = words_from(command, inv.operands[len(parts) :])
                if rest:
                    yield command._replace(argv=rest, through=through)
                    break
        for word in inv.values(spec.get("modules", ())):
            yield command._replace(argv=words_from(command, [word]), through=through)
        yield from self._fetched(inv)

    def _fetched(self, inv: Invocation) -> Iterator[Command]:
        """Yield what a command is whose text another machine sends: a program that reads from a pipe."""
        command, program = inv.command, inv.program
        if program == "@unknown":
            program = "sh" if _is_text(command) else ""
        elif all(one.text != HOLE for one in code_texts(inv)):
            return
        from operators_edge.gate import printed  # noqa: PLC0415 - most texts are known

        fetcher = printed.fetcher_of(command, self.context.commands, self.context.text)
        if program and fetcher:
            words = (Word(program, command.span),)
            yield Command(words, stdin_kind="pipe", stdin_program=fetcher)

    def _script_name(self, inv: Invocation) -> Iterator[Command]:
        """Yield the script that this command runs, as a program of its own name."""
        command, spec = inv.command, inv.spec
        through = (*command.through, inv.program)
        if spec.get("script") and not code_texts(inv) and not inv.values(spec.get("modules", ())):
            for word in inv.operands[:1]:
                if command.argv[0].text in SOURCING and self._only_defines(inv, word):
                    continue
                yield command._replace(argv=words_from(command, [word]), through=through)

    def _only_defines(self, inv: Invocation, script: Word) -> bool:
        """Whether a file that is sourced is known to run nothing by that."""
        path = self.context.resolve(script.text, inv.working_folder(self.context))
        return path in self.context.sourced


def _is_text(command: Command) -> bool:
    """Whether all of a command is an unknown text, rather than a program with words of its own."""
    is_alone = len(command.argv) == 1 or any(map(_RUNS_TEXT.match, command.through[-1:]))
    return is_alone and command.argv[0].text == HOLE


def _with_known_words(
    command: Command, context: CallContext, follower: Follower | None, assumed: str
) -> Command:
    if not (assumed or command.has_variables):
        return command
    from operators_edge.gate.disk import surroundings  # noqa: PLC0415 - most commands have no variables

    return surroundings.with_known_words(command, context, follower, assumed)


def _same_with_options(inv: Invocation) -> tuple[Command, ...]:
    if not inv.command.has_variables:
        return ()
    from operators_edge.gate.disk import surroundings  # noqa: PLC0415 - most commands have no variables

    return surroundings.same_with_options(inv)


def _finding(rule: Rule, match: Match, inv: Invocation, context: CallContext) -> Finding:
    from operators_edge.gate import findings  # noqa: PLC0415 - most calls match no rule

    return findings.finding_of(rule, match, inv, context)


def _located(finding: Finding, piece: Piece, inv: Invocation, context: CallContext) -> Finding:
    from operators_edge.gate import findings  # noqa: PLC0415 - most calls run no file

    return findings.located(finding, piece, inv, context)


def _later_pieces(path: str, text: str, context: CallContext, rules: Rules) -> list[Piece]:
    from operators_edge.gate.disk import client_files  # noqa: PLC0415 - most calls write no such file

    return client_files.later_pieces(path, text, None, context, rules)


def _has_unknown(finding: Finding) -> bool:
    """Whether a word or the folder of the command is unknown."""
    return "text" in dict(finding.detail)


def _is_unread(finding: Finding, piece: Piece) -> bool:
    """Whether it says that a program which the command itself names was not read completely."""
    return piece.is_direct and not piece.is_whole and finding.rule == "shell-cannot-analyse"


def _is_loss(finding: Finding, piece: Piece) -> bool:
    """Whether it destroys files, unknown ones too, in what counts as written by the agent.

    Elsewhere it counts where it needs nobody's decision, so that it disturbs nobody either.
    """
    return finding.destroys and (piece.is_direct or finding.effect == "allow")


def _sourcing(text: str, context: CallContext) -> str:
    """A text in which what exports the variables of a file sources it."""
    if ".env" not in text or "$(" not in text:
        return text
    from operators_edge.gate.disk import sourced  # noqa: PLC0415 - few texts name such a file

    return sourced.with_exports(text, context)


def _judged(call: Call, place: Place, facts: Facts, rules: Rules) -> Verdict:
    follower = follow.Follower(rules)
    assessment = _Assessment(call, CallContext(call, place, facts), rules, follower)
    try:
        findings = assessment.knowing_texts(assessment.findings(), place)
    except RecursionError:
        findings = assessment.pseudo_command("@problem")
    return verdict_of(findings)._replace(followed=tuple(follower.files.values()))


@cache
def _remembered() -> Remembered:
    """The verdicts that this process keeps: if it stays, or once a call has run a file."""
    from operators_edge.gate.remembered import Remembered  # noqa: PLC0415 - most processes answer one call

    return Remembered()


def keep_verdicts() -> None:
    """Keep each verdict from now on: for a process that answers many calls."""
    _remembered()


def assess(call: Call, place: Place, facts: Facts, rules: Rules) -> Verdict:
    """Return the verdict on one call, before any grant is considered; never raises.

    The last name of this file: a file that was cut does not have it, and what uses it is not loaded.
    """
    if _remembered.cache_info().currsize:
        return _remembered().assess(call, place, facts, rules, _judged)
    verdict = _judged(call, place, facts, rules)
    if verdict.followed:
        _remembered()
    return verdict


# end of module
