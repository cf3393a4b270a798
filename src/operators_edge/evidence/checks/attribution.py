"""Whether a line's exit code and output can be attributed to one command in it.

Owns lists, pipelines and groups of a line, the viewers of its output, and exit codes that it prints. Does not
own the shell's syntax (``shell.evaluate``). From what is not understood nothing follows.
"""

from __future__ import annotations

import re
import shlex

from operators_edge.evidence.checks.model import VIEWS, Place
from operators_edge.evidence.checks.pipelines import UnreadableError, parse, simple
from operators_edge.shell.quoting import mask
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from operators_edge.evidence.checks.pipelines import Chain, Pipeline, Span, Stage
    from operators_edge.shell.commands import Command, Script


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_COMPOUND = pattern(
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
_SHOWING_ALL = _names("cat tee less more ts nl bat column sponge")
_REPEATING = frozenset({"watch", "entr", "coproc"})
_UNKNOWN = Place()
_STARTS_SHELL = pattern(
    r"(?:(?:\S*/)?(?:env|time|nice|nohup|timeout|stdbuf|exec|command) |-\S* |\d+[smh]? |\w+=\S* )*"
    r"(?:\S*/)?(?:ba|z|da)?sh (?:-[a-z]*c|--command)"
)


def unwrapped(text: str) -> str:
    """TEXT, if the line is nothing but ``bash -lc TEXT``; else the line."""
    for _ in range(3):
        if not re.search(r"\b(?:ba|z|da)?sh\b.*\s-[a-z]*c\s", text):
            return text
        try:
            *before, inner = shlex.split(text)
        except ValueError:
            return text
        if not _STARTS_SHELL.fullmatch(" ".join(before)):
            return text
        text = inner
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
            return _UNKNOWN
        if not _REPEATING.isdisjoint(command.through):
            return _UNKNOWN._replace(is_judged=False)
        if self.is_opaque:
            return _UNKNOWN._replace(view=self._view_of_all())
        found = self._place_in_list(self.chains, command.span)
        if self._shares_quoted_text(command):
            found = found._replace(passes=False, fails=False, codes=(), is_chained=False)
        others = list(self._others(command.span))
        return found._replace(
            is_mixed=self._shows_files(others, command.span), echoed=_echoed(others)
        )

    def _view_of_all(self) -> str:
        """What a line that cannot be parsed shows of all its commands."""
        text = re.sub(r"\d?>&\d|\|\||2>/dev/null", "", self.masked).replace("&&", "")
        return "" if re.search(r"[|>&]", text) else "all"

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

    def _others(self, span: Span) -> Iterator[list[str]]:
        """The words of the commands beside it, without the viewers of pipelines."""
        every = list(simple(self.chains))
        viewers = [one for _, later in every for one in later]
        for stage, _ in every:
            if not stage.holds(span) and stage not in viewers:
                yield self._words(stage)

    def _shows_files(self, others: Sequence[Sequence[str]], span: Span) -> bool:
        """Whether a command beside it shows files other than its output."""
        runs = [one for one in self.script.commands if one.span == span]
        sent = {one.target.text for run in runs for one in run.redirects}
        return any(words[0] in _READING and sent.isdisjoint(words) for words in others)

    # -- structure -------------------------------------------------------------------------------

    def _place_in_list(self, chains: Sequence[Chain], span: Span) -> Place:
        for number, chain in enumerate(chains):
            if chain.holds(span):
                found = self._place_in_chain(chain, span)
                if chain.is_background:
                    return _UNKNOWN._replace(is_judged=False)
                return self._followed(found, chains, number)
        return _UNKNOWN

    def _followed(self, found: Place, chains: Sequence[Chain], number: int) -> Place:
        """What can be concluded from the chain, given the chains around it."""
        before, after = chains[:number], chains[number + 1 :]
        if after:
            names = self._code_variables(after[0], found)
            found = found._replace(codes=tuple(self._printed_codes(after, names, found)))
            if self._ends_with_code(after, names, found):
                after, found = [], found._replace(passes=True, fails=True)
        if any(self._stops_on_error(one) for one in before):
            return self._stopping(found, chains, number, is_last=not after)
        if after:
            return found._replace(passes=False, fails=False, is_chained=False)
        may_leave = any(self._may_exit(one) and not self._is_harmless(one) for one in before)
        return found._replace(fails=found.fails and not may_leave)

    def _stopping(
        self, found: Place, chains: Sequence[Chain], number: int, *, is_last: bool
    ) -> Place:
        """After ``set -e``: a command before it may have ended the line, or not.

        A client may run the line where a shell ignores ``-e`` (``eval "$line" && pwd``), so an exit code of 0
        says nothing of a check that others follow.
        """
        others = [one for one in chains if one is not chains[number]]
        return found._replace(
            passes=found.passes and is_last,
            fails=found.fails and all(map(self._is_harmless, others)),
        )

    def _place_in_chain(self, chain: Chain, span: Span) -> Place:
        at = _index(chain.pipelines, span)
        found = self._place_in_pipeline(chain.pipelines[at], span)
        joined = list(zip(("", *chain.operators), chain.pipelines, strict=True))
        operator = joined.pop(at)[0]
        keeps_success, keeps_failure = self._keeps(joined)
        is_chained = found.is_chained and "||" not in chain.operators
        return found._replace(
            passes=found.passes and operator != "||" and keeps_success,
            fails=found.fails and keeps_failure,
            is_chained=is_chained,
            is_first=found.is_first and is_chained and at == len(joined),
        )

    def _keeps(self, joined: Sequence[tuple[str, Pipeline]]) -> tuple[bool, bool]:
        """Whether the other pipelines of a chain leave a success, and a failure, as it is."""
        is_bad = all(self._always_fails(one) for how, one in joined if how == "||")
        is_good = all(self._never_fails(one) for how, one in joined if how != "||")
        return is_bad, is_bad and is_good

    def _place_in_pipeline(self, pipeline: Pipeline, span: Span) -> Place:
        at = _index(pipeline.stages, span)
        stage, later = pipeline.stages[at], pipeline.stages[at + 1 :]
        if stage.inner is None:
            found = self._place_alone(span)
        else:
            found = self._place_in_list(stage.inner, span)
            found = found._replace(view="" if self._is_redirected(stage) else found.view)
        if pipeline.is_negated:
            found = found._replace(passes=False, fails=False)
        found = self._viewed(found, later)
        if later:
            is_kept = self._has_pipefail(span)
            fails = all(self._program(one) in _NEVER_FAILING for one in later)
            found = found._replace(
                passes=found.passes and is_kept, fails=found.fails and is_kept and fails
            )
        return found._replace(is_first=at == 0 and stage.inner is None)

    def _viewed(self, found: Place, viewers: Sequence[Stage]) -> Place:
        for each in viewers:
            view, most = _after_viewer(self._words(each), found.view)
            narrowest = min(filter(None, (found.max_lines, most)), default=0)
            found = found._replace(view=view, max_lines=narrowest)
        return found

    def _place_alone(self, span: Span) -> Place:
        command = next(one for one in self.script.commands if one.span == span)
        sent = ""
        for redirect in command.redirects:
            if ">" in redirect.op and redirect.fd in (None, 1) and redirect.op != ">&":
                sent = redirect.target.text
        seen = Place(passes=True, fails=True, view="all", is_chained=True)
        return self._seen_later(seen, sent, span) if sent else seen

    def _seen_later(self, found: Place, path: str, span: Span) -> Place:
        """Output in a file is seen if a later command of the line shows the file."""
        for stage, viewers in simple(self.chains):
            words = self._words(stage)
            if stage.span[0] > span[0] and path in words[1:] and words[0] in _READING:
                view, most = _after_viewer([one for one in words if one != path], "all")
                return self._viewed(found._replace(view=view, max_lines=most), viewers)
        return found._replace(view="")

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
            self._program(stage) in ("exit", "return", "exec") for stage, _ in simple([chain])
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


def _index(parts: Sequence[Pipeline] | Sequence[Stage], span: Span) -> int:
    return [one.holds(span) for one in parts].index(True)


def _code_expressions(found: Place) -> list[str]:
    """How the shell returns the command's exit code directly after it."""
    own = [r"\$\?"] if found.passes and found.fails else []
    first = [r"\$\{PIPESTATUS\[0\]\}", r"\$\{?pipestatus\[1\]\}?"] if found.is_first else []
    return own + first


def _echoed(others: Sequence[Sequence[str]]) -> str:
    """What the commands print themselves: it could be taken for a summary."""
    said = [" ".join(words[1:]) for words in others if words[0] in ("echo", "printf")]
    return "\n".join(said).replace("\\n", "\n")


_WHOLE_LINES = {
    **dict.fromkeys(
        ("grep", "egrep", "rg", "ag"),
        r"(?!.*(?:^| )(?:-\w*[ocqlL]|--(?:only-|count|quiet|silent)))",
    ),
    "sed": r"(?:.* )?-\w*n",
    "awk": r"(?:-\S+ )*[^{}]*(?:\{\s*print(?:\s*\$0)?\s*;?\s*\})?$",
    "uniq": "",
}
"""With which arguments a program lets some lines through, and those unchanged."""


def _after_viewer(words: Sequence[str], view: str) -> tuple[str, int]:
    """What is left of a view after one more command of the pipeline, and at most how many lines."""
    name, rest = words[0], " ".join(words[1:])
    if name in _SHOWING_ALL and "-s" not in words:
        return view, 0
    if name in ("tail", "head"):
        return _cut(name, rest, view)
    is_whole = name in _WHOLE_LINES and re.match(_WHOLE_LINES[name], rest)
    return (_least(view, "lines") if is_whole else ""), 0


def _cut(name: str, text: str, view: str) -> tuple[str, int]:
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


# end of module
