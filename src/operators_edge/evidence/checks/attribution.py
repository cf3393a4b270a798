"""Whether a line's exit code and output can be attributed to one command in it.

Owns lists, pipelines and groups of a line, the viewers of its output, and exit codes that it prints. Does not
own the shell's syntax (``shell.evaluate``). From what is not understood nothing follows.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.evidence.checks.pipelines import (
    Chain,
    Pipeline,
    Span,
    Stage,
    UnreadableError,
    parse,
    simple,
    simple_of,
)
from operators_edge.shell.quoting import mask

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from operators_edge.shell.commands import Command, Script

VIEWS = ("", "lines", "start", "end", "all")
"""How much of a command's output the line shows, the least first."""


class Place(NamedTuple):
    """What the line shows about one command in it.

    ``passes``: the line's success is the command's. ``fails``: its failure is. ``view``: one of VIEWS.
    ``max_lines``: what the narrowest viewer lets through, 0 without one. ``codes``: patterns of lines that
    print the command's exit code. ``is_judged`` is False in the background. ``is_chained``: only ``&&`` joins
    it. ``is_first``: it begins the last pipeline of its chain. ``is_mixed``: the line also shows files, which
    may hold the summary of another run; ``echoed`` is what its own ``echo`` commands print.
    """

    passes: bool
    fails: bool
    view: str
    max_lines: int = 0
    codes: tuple[str, ...] = ()
    is_judged: bool = True
    is_chained: bool = True
    is_first: bool = False
    is_mixed: bool = False
    echoed: str = ""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_COMPOUND = re.compile(
    r"(?:^|[;&|({\n]|(?<=\s)!)\s*(?:if|for|while|until|case|select|function)(?=[\s(]|$)|\(\s*\)"
)
_HARMLESS = _names(
    """
    cd export set source . true : pushd popd echo printf date pwd unset sleep umask alias ulimit shopt
    trap wait clear time nvm conda activate eval
    """
)
_NEVER_FAILING = frozenset(
    {"tail", "head", "cat", "tee", "less", "more", "ts", "column", "nl", "sort", "uniq", "wc"}
)
_READING = frozenset(
    {"cat", "tail", "head", "grep", "egrep", "rg", "sed", "awk", "less", "more", "bat", "jq"}
)
_SHELL_C = re.compile(r"-[a-z]*c|--command|-c")
_BEFORE_SHELL = frozenset({"env", "time", "nice", "nohup", "timeout", "stdbuf", "exec", "command"})


def unwrapped(text: str) -> str:
    """TEXT, if the line is nothing but ``bash -lc TEXT``; else the line."""
    for _ in range(3):
        if not re.search(r"\b(?:ba|z|da)?sh\b.*\s-[a-z]*c\s", text):
            return text
        try:
            words = shlex.split(text)
        except ValueError:
            return text
        if len(words) < 3 or not _SHELL_C.fullmatch(words[-2]):
            return text
        if words[-3].rsplit("/", 1)[-1] not in ("sh", "bash", "zsh", "dash"):
            return text
        before = [one for one in words[:-3] if not re.fullmatch(r"-.*|\d+[smh]?|\w+=.*", one)]
        if any(one.rsplit("/", 1)[-1] not in _BEFORE_SHELL for one in before):
            return text
        text = words[-1]
    return text


class Line:
    """A command line, parsed into chains of pipelines."""

    def __init__(self, text: str, script: Script) -> None:
        self.text = text
        self.script = script
        self.masked = mask(text).masked
        self.is_opaque = bool(script.problems) or bool(_COMPOUND.search(self.masked))
        self.chains: list[Chain] = []
        if not self.is_opaque:
            try:
                self.chains = parse(self.masked)
            except UnreadableError:
                self.is_opaque = True

    def place(self, command: Command) -> Place:
        """The place of a command of the script."""
        if any("$(" in how or "`" in how or "(…)" in how for how in command.through):
            return Place(passes=False, fails=False, view="", is_chained=False)
        if any(how in ("watch", "entr", "coproc") for how in command.through):
            return Place(passes=False, fails=False, view="", is_judged=False)
        if self.is_opaque:
            is_plain = not re.search(r"[|>]", re.sub(r"\d?>&\d|\|\||2>/dev/null", "", self.masked))
            view = "all" if is_plain and "&" not in self.masked.replace("&&", "") else ""
            return Place(passes=False, fails=False, view=view, is_chained=False)
        found = self._place_in_list(self.chains, command.span)
        if found is None:
            return Place(passes=False, fails=False, view="", is_chained=False)
        if self._shares_quoted_text(command):
            found = found._replace(passes=False, fails=False, codes=(), is_chained=False)
        is_mixed, echoed = self._other_output(command.span)
        return found._replace(is_mixed=is_mixed, echoed=echoed)

    def _shares_quoted_text(self, command: Command) -> bool:
        """Several commands inside one quoted text: which of them decided is unknown."""
        at = next(
            (n for n, how in enumerate(command.through) if " -c" in how or how == "eval"), None
        )
        if at is None:
            return False
        words, text = command.argv, command.through[: at + 1]
        beside = [one for one in self.script.commands if one.span == command.span]
        return any(
            one.through[: at + 1] == text and one.argv[-len(words) :] != words for one in beside
        )

    def _other_output(self, span: Span) -> tuple[bool, str]:
        """Whether other commands show files, and what they echo: it could be taken for a summary."""
        runs = [one for one in self.script.commands if one.span == span]
        sent = {one.target.text for run in runs for one in run.redirects}
        every = list(simple(self.chains))
        viewers = [one for _, later in every for one in later]
        is_mixed, echoed = False, ""
        for stage, _ in every:
            words = self._words(stage)
            if stage.holds(span) or stage in viewers:
                continue
            is_mixed |= words[0] in _READING and sent.isdisjoint(words)
            if words[0] in ("echo", "printf"):
                echoed += " ".join(words[1:]).replace("\\n", "\n") + "\n"
        return is_mixed, echoed

    # -- structure -------------------------------------------------------------------------------

    def _place_in_list(self, chains: Sequence[Chain], span: Span) -> Place | None:
        for number, chain in enumerate(chains):
            if not chain.holds(span):
                continue
            found = self._place_in_chain(chain, span)
            if found is None:
                return None
            if chain.is_background:
                return found._replace(passes=False, fails=False, view="", is_judged=False)
            return self._followed(found, chains, number)
        return None

    def _followed(self, found: Place, chains: Sequence[Chain], number: int) -> Place:
        """What can be concluded from the chain, given the chains around it."""
        before, after = chains[:number], chains[number + 1 :]
        stops = any(self._stops_on_error(one) for one in before)
        others = [one for one in chains if one is not chains[number]]
        names = self._code_variables(after[0], found) if after else ()
        codes = tuple(self._printed_codes(after, names, found)) if after else ()
        if after and self._ends_with_code(after, names, found):
            after, found = [], found._replace(passes=True, fails=True)
        is_safe = all(self._is_harmless(one) for one in others)
        if stops:
            is_single = len(chains[number].pipelines) == 1
            passes = found.passes and (is_single or not after)
            return found._replace(passes=passes, fails=found.fails and is_safe, codes=codes)
        if after:
            return found._replace(passes=False, fails=False, codes=codes, is_chained=False)
        may_leave = any(self._may_exit(one) and not self._is_harmless(one) for one in before)
        return found._replace(fails=found.fails and not may_leave, codes=codes)

    def _place_in_chain(self, chain: Chain, span: Span) -> Place | None:
        at = next(n for n, one in enumerate(chain.pipelines) if one.holds(span))
        found = self._place_in_pipeline(chain.pipelines[at], span)
        if found is None:
            return None
        passes, fails = found.passes, found.fails
        for number, pipeline in enumerate(chain.pipelines):
            operator = chain.operators[number - 1] if number else ""
            if number == at:
                passes = passes and operator != "||"
                continue
            is_bad = self._always_fails(pipeline)
            if operator == "||" and not is_bad:
                passes = False
            fails = fails and (is_bad if operator == "||" else self._never_fails(pipeline))
        is_chained = found.is_chained and "||" not in chain.operators
        is_first = found.is_first and is_chained and at == len(chain.pipelines) - 1
        return found._replace(passes=passes, fails=fails, is_chained=is_chained, is_first=is_first)

    def _place_in_pipeline(self, pipeline: Pipeline, span: Span) -> Place | None:
        at = next(n for n, one in enumerate(pipeline.stages) if one.holds(span))
        stage = pipeline.stages[at]
        found = (
            self._place_in_list(stage.inner, span)
            if stage.inner is not None
            else self._place_alone(span)
        )
        if found is None:
            return None
        if stage.inner is not None:
            view = found.view if not self._is_redirected(stage) else ""
            found = found._replace(view=view)
        if pipeline.is_negated:
            found = found._replace(passes=False, fails=False)
        later = pipeline.stages[at + 1 :]
        for each in later:
            view, most = _after_viewer(self._words(each), found.view)
            found = found._replace(
                view=view, max_lines=min(filter(None, (found.max_lines, most)), default=0)
            )
        if later:
            fails = all(self._program(one) in _NEVER_FAILING for one in later)
            has_pipefail = self._has_pipefail(span)
            found = found._replace(
                passes=found.passes and has_pipefail,
                fails=found.fails and has_pipefail and fails,
            )
        return found._replace(is_first=at == 0 and stage.inner is None)

    def _place_alone(self, span: Span) -> Place:
        command = next(one for one in self.script.commands if one.span == span)
        sent = ""
        for redirect in command.redirects:
            if ">" in redirect.op and redirect.fd in (None, 1) and redirect.op != ">&":
                sent = redirect.target.text
        if not sent:
            return Place(passes=True, fails=True, view="all")
        view, most = self._seen_later(sent, span)
        return Place(passes=True, fails=True, view=view, max_lines=most)

    def _seen_later(self, path: str, span: Span) -> tuple[str, int]:
        """Output in a file is seen if a later command of the line shows the file."""
        if path == "/dev/null":
            return "", 0
        for leaf in simple(self.chains):
            words = self._words(leaf[0])
            if leaf[0].span[0] > span[0] and path in words[1:] and words[0] in _READING:
                view, most = _after_viewer([one for one in words if one != path], "all")
                for each in leaf[1]:
                    view, more = _after_viewer(self._words(each), view)
                    most = min(filter(None, (most, more)), default=0)
                return view, most
        return "", 0

    # -- parts -----------------------------------------------------------------------------------

    def _words(self, stage: Stage) -> list[str]:
        if stage.inner is not None:
            return ["("]
        inside = [
            one
            for one in self.script.commands
            if stage.span[0] <= one.span[0] < stage.span[1] and one.argv
        ]
        if not inside:
            return [""]
        words = [word.text for word in inside[-1].argv]
        return [words[0].rsplit("/", 1)[-1], *words[1:]]

    def _program(self, stage: Stage) -> str:
        return self._words(stage)[0]

    def _is_redirected(self, stage: Stage) -> bool:
        rest = self.masked[stage.close : stage.span[1]]
        return ">" in re.sub(r"\d?>&\d", "", rest)

    def _never_fails(self, pipeline: Pipeline) -> bool:
        last = pipeline.stages[-1]
        if last.inner is not None:
            return all(self._is_harmless(one) for one in last.inner)
        name = self._program(last)
        return (
            name in _HARMLESS or not name or (len(pipeline.stages) > 1 and name in _NEVER_FAILING)
        )

    def _is_harmless(self, chain: Chain) -> bool:
        return all(
            self._never_fails(one) or self._always_fails(one) for one in chain.pipelines
        ) and not self._always_fails(chain.pipelines[0])

    def _always_fails(self, pipeline: Pipeline) -> bool:
        last = pipeline.stages[-1]
        if last.inner is not None:
            return bool(last.inner) and self._always_fails(last.inner[-1].pipelines[-1])
        words = self._words(last)
        return words[0] == "false" or (
            words[0] in ("exit", "return") and bool(re.fullmatch(r"[1-9]\d*", "".join(words[1:2])))
        )

    def _may_exit(self, chain: Chain) -> bool:
        return any(
            words[0] in ("exit", "return", "exec") for words in map(self._words, simple_of(chain))
        )

    def _stops_on_error(self, chain: Chain) -> bool:
        words = self._words(chain.pipelines[0].stages[0])
        return words[0] == "set" and any(re.fullmatch(r"-[a-z]*e[a-z]*", one) for one in words[1:])

    def _has_pipefail(self, span: Span) -> bool:
        return any(
            one.argv
            and one.argv[0].text == "set"
            and "pipefail" in [word.text for word in one.argv]
            for one in self.script.commands
            if one.span[0] < span[0]
        )

    # -- exit codes that the line itself prints ----------------------------------------------------

    def _code_variables(self, chain: Chain, found: Place) -> tuple[str, ...]:
        """The variables that hold the command's exit code after it."""
        text = self._text(chain)
        for expression in _code_expressions(found):
            match = re.fullmatch(rf"([A-Za-z_]\w*)=\"?(?:{expression})\"?", text)
            if match:
                return (rf"\$\{{?{match[1]}\b\}}?",)
        return ()

    def _printed_codes(
        self, after: Sequence[Chain], names: Sequence[str], found: Place
    ) -> Iterator[str]:
        for number, chain in enumerate(after):
            variables = [*names, *([] if number else _code_expressions(found))]
            if not variables or len(chain.pipelines) != 1 or len(chain.pipelines[0].stages) != 1:
                continue
            echo = re.fullmatch(r"echo\s+(?:-\w+\s+)?(.*)", self._text(chain), re.DOTALL)
            if echo is None:
                continue
            parts = re.split("|".join(variables), echo[1].replace('"', "").strip())
            if len(parts) == 2 and not re.search(r"[$`\\'>]", "".join(parts)):
                yield rf"^{re.escape(parts[0])}(\d+){re.escape(parts[1])}$"

    def _ends_with_code(self, after: Sequence[Chain], names: Sequence[str], found: Place) -> bool:
        wanted = [*names, *(_code_expressions(found) if len(after) == 1 else ())]
        text = self._text(after[-1])
        return any(re.fullmatch(rf"exit\s+\"?(?:{one})\"?", text) for one in wanted)

    def _text(self, chain: Chain) -> str:
        return self.text[slice(*chain.span)].strip()


def _code_expressions(found: Place) -> list[str]:
    """How the shell returns the command's exit code directly after it."""
    own = [r"\$\?"] if found.passes and found.fails else []
    first = [r"\$\{PIPESTATUS\[0\]\}", r"\$\{?pipestatus\[1\]\}?"] if found.is_first else []
    return own + first


def _after_viewer(words: Sequence[str], view: str) -> tuple[str, int]:
    """What is left of a view after one more command of the pipeline, and at most how many lines."""
    name, rest = words[0], list(words[1:])
    if (
        name in ("cat", "tee", "less", "more", "ts", "nl", "bat", "column", "sponge")
        and "-s" not in rest
    ):
        return view, 0
    if name in ("tail", "head"):
        return _cut(name, rest, view)
    options = "".join(one[1:] for one in rest if re.fullmatch(r"-[a-zA-Z]+", one))
    if name in ("grep", "egrep", "rg", "ag"):
        is_whole = not re.search("[ocqlL]", options) and not any(
            one in ("--only-matching", "--count", "--quiet", "--silent") for one in rest
        )
        return (_least(view, "lines") if is_whole else ""), 0
    if name == "sed":
        is_picking = any(re.fullmatch(r"-\w*n\w*", one) for one in rest)
        return (_least(view, "lines") if is_picking else ""), 0
    if name == "awk":
        program = next((one for one in rest if not one.startswith("-")), "")
        is_picking = bool(re.fullmatch(r"[^{}]*(?:\{\s*print(?:\s*\$0)?\s*;?\s*\})?", program))
        return (_least(view, "lines") if is_picking else ""), 0
    if name == "uniq":
        return _least(view, "lines"), 0
    return "", 0


def _cut(name: str, rest: Sequence[str], view: str) -> tuple[str, int]:
    text = " ".join(rest)
    match = re.search(r"(?:^|\s)-(?:n\s*|-lines[= ])?([+-]?)(\d+)(?=\s|$)", text)
    if re.search(r"(?:^|\s)(?:-c|--bytes|-\w*f)\b", text):
        return "", 0
    most = int(match[2]) if match else 10
    if match and match[1]:  # all but so many lines, or from a line on
        return _least(view, "end" if name == "tail" else "start"), 0
    return _least(view, "end" if name == "tail" else "start"), most


def _least(one: str, other: str) -> str:
    """The smaller view; start and end together are only some lines."""
    if {one, other} == {"start", "end"}:
        return "lines"
    return min(one, other, key=VIEWS.index)
