"""What the gate says of one call. Pure: the call, the place, the facts asked and the rules.

Owns the way from a call to its findings and from findings to a verdict. Does not own the rules
(``packs``), their conditions (``gate.conditions``), or any human decision (``approvals.junction``).

Every call is looked at as a command: a shell text as the commands in it, an edit as ``@edit PATH``,
a prompt to a model as ``@prompt TEXT…``, a server's tool as ``@mcp NAME TEXT…``. So rules on tools
are data like all others.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from operators_edge.gate import fingerprint
from operators_edge.gate.conditions import Hit, hit, lacking
from operators_edge.gate.invocation import (
    Invocation,
    code_texts,
    feeds_a_file,
    invocation_of,
    sql_texts,
)
from operators_edge.gate.operand_classes import host_of
from operators_edge.gate.paths import Ground
from operators_edge.gate.prefilter import is_suspicious
from operators_edge.gate.regexes import found_in
from operators_edge.model import ALLOW, SEVERITY, Call, Facts, Finding, Place, Verdict
from operators_edge.shell.commands import HOLE, Command, Word
from operators_edge.shell.parse import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.gate.rules import Rules

_MAX_NESTING = 8
_MAX_STRINGS = 2_000


def assess(call: Call, place: Place, facts: Facts, rules: Rules) -> Verdict:
    """The verdict on one call, before grants and dismissals are looked at; never raises."""
    judge = _Judge(call, Ground(call, place, facts), rules)
    try:
        findings = judge.findings()
    except RecursionError:
        findings = judge.pseudo("@problem")
    return verdict_of(findings)


def is_plain(call: Call, rules: Rules) -> bool:
    """Whether no rule can be about the call, which needs no look at where it happens; errs towards False."""
    tools = rules.tools
    if call.tool in tools["shell"]:
        text = call.input.get(tools["shell"][call.tool])
        return isinstance(text, str) and not is_suspicious(text, rules.words)
    return call.tool in tools["allow"] and call.tool not in tools["write"]


def verdict_of(findings: list[Finding]) -> Verdict:
    """What the findings come to: the worst of them decides."""
    if not findings:
        return ALLOW
    # Of equal ones those that lead speak first, so that a forgery is recorded as one; then the
    # shipped ones: a repository's own words cannot stand before them.
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


class _Judge:
    """The walk over one call."""

    def __init__(self, call: Call, ground: Ground, rules: Rules) -> None:
        self.call = call
        self.ground = ground
        self.rules = rules
        self.text = ""

    def findings(self) -> list[Finding]:
        tools = self.rules.tools
        tool = self.call.tool
        if tool in tools["shell"]:
            return self._shell(self.call.input.get(tools["shell"][tool]))
        if tool in tools["write"]:
            path = self.call.input.get(tools["write"][tool])
            if not isinstance(path, str) or not path or "\0" in path:
                return self.pseudo("@malformed", tool)
            return self.pseudo("@edit", path)
        if tool in tools["allow"]:
            return []
        texts = list(_strings(self.call.input))
        if len(texts) >= _MAX_STRINGS:
            return self.pseudo("@malformed", tool)
        found = self.pseudo("@prompt", *map(_as_read, texts))
        method = self.call.input.get("method")
        if tool == "WebFetch" and method is not None:
            found += self.pseudo("@fetch", str(method))
        if tool.startswith("mcp__"):
            return found + self._server_tool(tool, texts)
        if tool not in tools["asks"]:
            return found or self.pseudo("@tool", tool, *texts)
        return found

    def _server_tool(self, tool: str, texts: list[str]) -> list[Finding]:
        """A server's tool: a shell command it runs and files it writes are judged as such."""
        tools, given = self.rules.tools, self.call.input
        name = tool.split("__", 2)[-1]
        if found_in(tools.get("shell_name", "$."), name):
            for key in tools["shell_arguments"]:
                if key in given:
                    return self._shell(_command_text(given[key], given.get("args")))
        found = self.pseudo("@mcp", tool, *texts)
        if found_in(tools.get("write_name", "$."), name):
            paths = [given[key] for key in tools["write_arguments"] if key in given]
            for path in paths:
                is_path = isinstance(path, str) and path and "\0" not in path
                found += self.pseudo("@edit", path) if is_path else self.pseudo("@malformed", tool)
        return found

    def pseudo(self, *words: str) -> list[Finding]:
        """Findings on what is no shell command, written as one."""
        return self._command(Command(tuple(Word(_shown(word)) for word in words)), 0)

    def _shell(self, text: Any) -> list[Finding]:
        if not isinstance(text, str):
            return self.pseudo("@malformed", self.call.tool)
        self.text = self.ground.text = text
        script = parse(text, env={"HOME": self.ground.home} if self.ground.home else {})
        self.ground.feeders = sorted(filter(feeds_a_file, script.commands), key=lambda c: c.span)
        for name, content in script.files:
            path = self.ground.resolve(name, self.ground.cwd)
            if path is not None:
                self.ground.drafts[path] = content
        found = [one for command in script.commands for one in self._command(command, 0)]
        if script.problems and is_suspicious(text, self.rules.words):
            spans = tuple(problem.span for problem in script.problems)
            found += [one._replace(spans=spans) for one in self.pseudo("@problem")]
        return found

    def _command(self, command: Command, depth: int) -> list[Finding]:
        if depth > _MAX_NESTING:
            return self.pseudo("@problem")
        inv = invocation_of(command, self.rules)
        if inv.program == HOLE:
            inv.program = "@unknown"
        found = self._ruled(_only_redirects(command) if inv.is_help() else inv)
        for inner in self._inner(inv):
            found += self._command(inner, depth + 1)
        return found

    def _ruled(self, inv: Invocation) -> list[Finding]:
        found = []
        seen = set()
        operand = inv.operands[0].text if inv.operands else ""
        for number, when in self.rules.near(inv.program or "@none", operand, lacking(inv)):
            if number not in seen and (what := hit(when, inv, self.ground)) is not None:
                seen.add(number)
                found.append(self._finding(number, what, inv))
        return found

    def _inner(self, inv: Invocation) -> Iterator[Command]:
        """Commands that this one runs and the shell parser does not know of."""
        command, spec = inv.command, inv.spec
        through = (*command.through, inv.program)
        for path in spec.get("runs", ()):
            parts = path.split()
            if parts == [word.text for word in inv.operands[: len(parts)]]:
                rest = _after(command, inv.operands[len(parts) :])
                if rest:
                    yield command._replace(argv=rest, through=through)
                    break
        modules = inv.values(spec.get("modules", ()))
        script = inv.operands[:1] if spec.get("script") and not code_texts(inv) else []
        for word in modules or script:
            yield command._replace(argv=_after(command, [word]), through=through)

    def _finding(self, number: int, what: Hit, inv: Invocation) -> Finding:
        rule = self.rules.rules[number]
        command = inv.command
        return Finding(
            rule=rule["id"],
            effect=rule["effect"],
            type=rule["type"],
            reason=rule["reason"],
            instead=rule["instead"],
            subject=self._subject(rule, what, inv),
            detail=self._detail(inv),
            spans=tuple(sorted(set(what.spans or [word.span for word in command.argv[:1]]))),
            understood=" → ".join((*command.through, _line(command))),
            destroys=rule.get("destroys", False) and not command.is_remote,
            leads=rule.get("leads", False),
            radius=rule.get("radius", ""),
            targets=self._targets(what, inv),
            cwd="" if command.is_remote else inv.base(self.ground) or "",
            note=rule.get("note", ""),
            origin=rule.get("origin", ""),
        )

    def _targets(self, what: Hit, inv: Invocation) -> tuple[str, ...]:
        """The paths the command names, resolved; none for a command on another machine."""
        if inv.command.is_remote or inv.program.startswith("@"):
            return ()
        words = (*what.operands, *inv.written)
        paths = (self.ground.resolve(word.text, inv.base(self.ground, word)) for word in words)
        return tuple(dict.fromkeys(path for path in paths if path is not None))

    def _subject(
        self, rule: dict[str, Any], what: Hit, inv: Invocation
    ) -> tuple[tuple[str, str], ...]:
        names = rule.get("subject", ("program",))
        return tuple((name, _shown(self._named(name, what, inv))) for name in names)

    def _named(self, name: str, what: Hit, inv: Invocation) -> str:
        operands = [word.text for word in what.operands]
        match name:
            case "program":
                return inv.program
            case "operands":
                return " ".join(operands)
            case "first" | "remote" if operands:
                return operands[0]
            case "remote":
                return "origin"
            case "branch":
                base = inv.base(self.ground)
                return " ".join(operands[1:]) or (base and self.ground.facts.branch(base)) or ""
            case "host":
                urls = [word for word in operands if "." in word or ":" in word or HOLE in word]
                return " ".join(sorted({host_of(url) for url in urls or operands}))
            case "method":
                return " ".join(
                    one.text.upper() for one in inv.values(("-X", "--request", "--method"))
                )
            case "verb":
                covered = len(inv.operands) - len(what.operands)
                return inv.first(covered)
            case "sql":
                return " ".join(
                    word.text.split(None, 1)[0].upper()
                    for word in sql_texts(inv, self.ground)
                    if word.text.strip()
                )
            case _:
                return " ".join(word.text for word in inv.values((name,)))

    def _detail(self, inv: Invocation) -> tuple[tuple[str, str], ...]:
        command = inv.command
        base = self.ground.base(command.cwd)
        parts = [("command", _line(command)), ("cwd", _relative(base, self.ground.root))]
        if command.through:
            parts.append(("through", " ".join(command.through)))
        if command.stdin is not None:
            parts.append(("stdin", command.stdin))
        if HOLE in _plain(command) or command.has_more_words or base is None:
            # What cannot be known is whatever the text around it makes of it.
            parts.append(("text", self.text))
        return tuple((name, _shown(value)) for name, value in parts)


def _command_text(command: Any, arguments: Any) -> Any:
    """One text of a command given as words, or as a program and its arguments; else as it is."""
    words = command if isinstance(command, list) else []
    if arguments and isinstance(arguments, list) and isinstance(command, str):
        return " ".join([command, *(shlex.quote(str(one)) for one in arguments)])
    return shlex.join(map(str, words)) if words else command


def _as_read(text: str) -> str:
    if text.isascii():
        return text
    from operators_edge.text.confusables import normalised  # noqa: PLC0415 - only prompts with odd signs

    return normalised(text)


def _only_redirects(command: Command) -> Invocation:
    """What is left of a command that only prints its help: where that goes is opened all the same."""
    return Invocation(command._replace(argv=(Word("@help", command.argv[0].span),)), "@help", {})


def _after(command: Command, words: list[Word]) -> tuple[Word, ...]:
    """The words of the command from the first of ``words`` on."""
    for at, word in enumerate(command.argv):
        if words and word is words[0]:
            return command.argv[at:]
    return tuple(words)


def _plain(command: Command) -> str:
    words = [f"{name}={value.text}" for name, value in command.assigns]
    words += [word.text for word in command.argv]
    words += [f"{one.op}{one.target.text}" for one in command.redirects]
    return " ".join(words)


def _line(command: Command) -> str:
    """The command as one line that reads, and quotes, the same however it was written."""
    words = [f"{name}={shlex.quote(_shown(value.text))}" for name, value in command.assigns]
    words += [_quoted(word) for word in command.argv]
    words += ["…"] if command.has_more_words else []
    for one in command.redirects:
        words.append(f"{'' if one.fd is None else one.fd}{one.op} {_quoted(one.target)}")
    return " ".join(words)


def _quoted(word: Word) -> str:
    text = _shown(word.text)
    return text if not word.is_known or word.has_glob else shlex.quote(text)


def _shown(text: str) -> str:
    return text.replace(HOLE, "…")


def _relative(base: str | None, root: str) -> str:
    if base is None:
        return "…"
    return "." + base[len(root) :] if base == root or base.startswith(root + "/") else base


def _strings(value: Any) -> Iterator[str]:
    """Every string in JSON-like data, keys too, without recursion."""
    left = [value]
    count = 0
    while left and count < _MAX_STRINGS:
        one = left.pop()
        if isinstance(one, str):
            count += 1
            yield one
        elif isinstance(one, dict):
            left += [*one.keys(), *one.values()]
        elif isinstance(one, (list, tuple)):
            left += one
