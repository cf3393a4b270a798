"""The gate's verdict on one call. Pure: it depends on the call, the place, the facts and the rules only.

Owns which texts and commands a call is, and the steps from findings to a verdict. Does not own the findings
on a text (``gate.assessment``), the rules (``packs``) or any decision of a person (``approvals.junction``).

Every call is judged as a command: a shell text as the commands in it, an edit as ``@edit PATH``, a prompt
to a model as ``@prompt TEXT…``, an MCP server's tool as ``@mcp --name NAME WORD… --text TEXT…``, with the
words of its name (``tool_inputs.server_tool``). So rules on tools are data like all others.
"""

from __future__ import annotations

import os.path
from functools import cache

from operators_edge.gate import fingerprint, tool_inputs
from operators_edge.gate.assessment import Assessment, later_pieces
from operators_edge.gate.disk import follow
from operators_edge.gate.paths import CallContext
from operators_edge.gate.prefilter import is_suspicious
from operators_edge.gate.reading import FIRST_READING, Reading
from operators_edge.model import ALLOW, SEVERITY, Call, Finding, Place, Verdict
from operators_edge.shell.commands import may_source
from operators_edge.text.patterns import found_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from operators_edge.gate.remembered import Remembered
    from operators_edge.gate.rules import Rules
    from operators_edge.model import Facts
    from operators_edge.shell.evaluate import Disk

_CODE = frozenset(("py", "sh", "js", "ts", "go", "php", "rb", "pl", "lua"))
"""Endings of files with code, some of which are the names of programs, too."""


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


class _ToolCall:
    """The assessment of one call by what its tool gets. ``reading``: what its text is judged by."""

    def __init__(
        self, call: Call, context: CallContext, rules: Rules, reading: Reading = FIRST_READING
    ) -> None:
        self.call = call
        self.context = context
        self.rules = rules
        self.follower = follow.Follower(rules)
        self._texts = Assessment(call, context, rules, self.follower, reading=reading)

    def findings(self) -> list[Finding]:
        tools = self.rules.tools
        tool = self.call.tool
        if tool in tools["shell"]:
            text = self.call.input.get(tools["shell"][tool])
            return self._texts.line(text) + self._confusables(text)
        if tool in tools["write"]:
            return self._edit(self.call.input.get(tools["write"][tool]))
        if tool in tools["read"]:
            return self._read(self.call.input.get(tools["read"][tool]))
        if tool in tools["search"]:
            words = tool_inputs.search_words(self.call.input)
            return self._texts.pseudo_command(*words) if words else []
        if tool in tools["allow"]:
            return []
        return self._other_tool(tool)

    def unread(self) -> list[Finding]:
        return self._texts.unread()

    def _confusables(self, text: Any) -> list[Finding]:
        """What the line says of hosts that are not what a person reads."""
        if not isinstance(text, str) or text.isascii():
            return []
        from operators_edge.text.confusables import confusable_hosts  # noqa: PLC0415 - most lines are plain

        tools = self.rules.tools
        found: dict[str, tuple[int, int]] = {}
        for one in self.context.commands:
            name = os.path.basename(one.argv[0].text) if one.argv else ""
            words = [*one.argv, *(value for _, value in one.assigns)] if one.argv else []
            for word in words if name not in tools["no_clients"] else ():
                for host in confusable_hosts(word.text, is_plain=name in tools["clients"]):
                    at = max(text.find(host.text), 0)
                    found[host.text] = (at, at + len(host.text))
        if not found:
            return []
        asked = self._texts.pseudo_command("@confusable", *found)
        return [one._replace(spans=tuple(found.values())) for one in asked]

    def _other_tool(self, tool: str) -> list[Finding]:
        """Judge a tool that is neither a shell nor an editor by the texts it is given."""
        texts = list(tool_inputs.find_strings(self.call.input))
        if len(texts) >= tool_inputs.MAX_STRINGS:
            return self._texts.pseudo_command("@malformed", tool)
        found = self._texts.pseudo_command("@prompt", *map(tool_inputs.fold_confusables, texts))
        method = self.call.input.get("method")
        if tool in self.rules.tools["fetch"]:
            url = self.call.input.get(self.rules.tools["fetch"][tool])
            found += self._texts.pseudo_command("@fetch", str(method or "GET"), str(url or ""))
            if isinstance(url, str) and url.startswith("file://"):
                found += self._read(url.removeprefix("file://"))
        if tool in self.rules.tools["named"]:
            found += self._named(self.call.input.get(self.rules.tools["named"][tool]))
        if tool.startswith("mcp__"):
            return found + self._server_tool(tool, texts)
        if tool not in self.rules.tools["asks"]:
            return found or self._texts.pseudo_command("@tool", tool, *texts)
        return found

    def _server_tool(self, tool: str, texts: list[str]) -> list[Finding]:
        """Judge an MCP server's tool: commands it runs and files it writes are judged as such."""
        tools, arguments = self.rules.tools, self.call.input
        name = tool.split("__", 2)[-1]
        if found_in(tools.get("shell_name", "$."), name):
            for key in tools["shell_arguments"]:
                given = arguments.get(key)
                if key == "commands" and isinstance(given, list):
                    return self._texts.line("\n".join(map(str, given)))
                if key in arguments:
                    return self._texts.line(tool_inputs.join_command(given, arguments.get("args")))
        words = tool_inputs.server_tool(tool, texts, self.rules.verbs)
        found = self._texts.pseudo_command("@mcp", *words)
        if line := tool_inputs.line_of_program(name, arguments, tools):
            found += self._texts.line(line)
        if isinstance(arguments.get("url"), str):
            method = str(arguments.get("method") or "GET")
            found += self._texts.pseudo_command("@fetch", method, arguments["url"])
        for key in tools["command_arguments"]:
            if key in arguments:
                # The tool's name does not say that a shell reads it, so only what is certain counts.
                ran = self._texts.line(
                    tool_inputs.join_command(arguments[key], arguments.get("args"))
                )
                found += [one for one in ran if self._texts.is_certain(one)]
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
            return self._texts.pseudo_command("@malformed", self.call.tool)
        resolved = self.context.resolve(path, self.context.cwd)
        self.context.text = tool_inputs.given_text(self.call.input, self.rules.tools["content"])
        if resolved is not None and resolved.endswith(".md"):  # its frontmatter may be read
            keys = self.rules.tools["content"]
            text = tool_inputs.written_text(self.call.input, keys, self.context, resolved)
            self.context.written_texts[resolved] = text
        return self._texts.pseudo_command("@edit", path) + self._later(path)

    def _read(self, path: Any) -> list[Finding]:
        """Judge a tool that reads a file like the command that prints it."""
        is_path = isinstance(path, str) and "\0" not in path
        return self._texts.pseudo_command("cat", path) if is_path else []

    def _later(self, name: str) -> list[Finding]:
        """Judge what a file that a tool writes will run later, if the gate will not see it again."""
        path = self.context.resolve(name, self.context.cwd)
        if path is None or not follow.runs_later(path, self.rules):
            return []
        text = tool_inputs.written_text(
            self.call.input, self.rules.tools["content"], self.context, path
        )
        later = later_pieces(path, text, self.context, self.rules)
        return self._texts.pieces.without_command(later)

    def _named(self, name: Any) -> list[Finding]:
        """Judge what a skill, a command or an agent of the host runs as soon as it is used."""
        if not isinstance(name, str) or "\0" in name:
            return []
        given = [self.call.input.get(key) for key in self.rules.tools["named_arguments"]]
        arguments = " ".join(str(one) for one in given if one is not None)
        from operators_edge.gate.disk import client_files  # noqa: PLC0415 - few calls use one

        named = client_files.named_pieces(name, arguments, self.context, self.follower)
        return self._texts.pieces.without_command(named)

    def knowing_texts(self, findings: list[Finding], place: Place) -> list[Finding]:
        """Return the findings on a line with the content of the files known that it runs as text."""
        if self.call.tool not in self.rules.tools["shell"]:
            return findings
        is_open = any(not word.is_known for one in self.context.commands for word in one.argv)
        if not (findings or is_open or "envsubst" in self.context.text):
            return findings
        from operators_edge.gate.disk import surroundings  # noqa: PLC0415 - of most lines all is known

        def judge(disk: Disk | None) -> list[Finding]:
            context = CallContext(self.call, place, self.context.facts)
            context.judged = self.context.judged
            reading = Reading(disk=disk, knows_sourced=disk is None)
            again = _ToolCall(self.call, context, self.rules, reading)
            found = again.findings()
            self.follower.files |= again.follower.files
            return found if disk else surroundings.knowing_sourced(findings, found, context)

        judged = self.context.judged
        if may_source(self.context.text) and judged.allows_again(judged.count):
            findings = judge(None)
        given = (self.context, self.follower, self._texts.is_certain, judge)
        return surroundings.knowing_texts(findings, *given, is_open=is_open)


def _judged(call: Call, place: Place, facts: Facts, rules: Rules) -> Verdict:
    judged = _ToolCall(call, CallContext(call, place, facts), rules)
    try:
        findings = judged.knowing_texts(judged.findings(), place)
    except RecursionError:
        findings = judged.unread()
    return verdict_of(findings)._replace(followed=tuple(judged.follower.files.values()))


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
