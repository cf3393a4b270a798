"""The findings on a line of a shell, and on each of its commands with all that it runs.

Owns the steps from a text to the findings of the rules, and what a text says of its own commands: what they
bring, make and define. Does not own what runs from files (``gate.pieces``), which call is which text
(``gate.decide``), the rules (``packs``) or their conditions (``gate.conditions``).
"""

from __future__ import annotations

from functools import partial
from itertools import chain

from operators_edge.cached import cached_property
from operators_edge.gate.conditions import Match, Matcher
from operators_edge.gate.disk import follow
from operators_edge.gate.invocation import (
    Invocation,
    brings,
    edited_by,
    invocation_of,
    links_of,
    moved_to,
    only_redirects,
    words_from,
)
from operators_edge.gate.paths import is_below
from operators_edge.gate.prefilter import is_suspicious
from operators_edge.gate.reading import FIRST_READING, with_exports
from operators_edge.shell.commands import HOLE, SOURCING, Command, Word, visible
from operators_edge.shell.evaluate import parse
from operators_edge.shell.scope import OWN_NUMBER
from operators_edge.shell.wrapper_table import GIVES_VARIABLES
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence
    from typing import Any

    from operators_edge.gate.disk.follow import Follower
    from operators_edge.gate.disk.search import Piece
    from operators_edge.gate.disk.sourced import Settings
    from operators_edge.gate.file_states import FileStates
    from operators_edge.gate.paths import CallContext, Parsed
    from operators_edge.gate.pieces import Pieces
    from operators_edge.gate.reading import Reading
    from operators_edge.gate.rule_types import Rule
    from operators_edge.gate.rules import Rules
    from operators_edge.model import Call, Finding
    from operators_edge.shell.commands import FileWrite, Script
    from operators_edge.shell.folder_changes import Outcome

_MAX_NESTING = 8
_RUNS_TEXT = pattern(r"eval$|\w*sh -c$")


class Assessment:
    """The assessment of one line, or of one text that it runs from a file.

    ``follower`` reads files; without one, none is read. ``level`` counts the files that run files.
    """

    def __init__(
        self,
        call: Call,
        context: CallContext,
        rules: Rules,
        follower: Follower | None,
        level: int = 0,
        *,
        reading: Reading = FIRST_READING,
    ) -> None:
        self.call = call
        self.context = context
        self.rules = rules
        self.follower = follower
        self.level = level
        self.reading = reading

    @cached_property
    def pieces(self) -> Pieces:
        """What judges the texts that run from files."""
        from operators_edge.gate.pieces import Pieces  # noqa: PLC0415 - most calls run nothing from a file

        return Pieces(self)

    def line(self, text: Any) -> list[Finding]:
        if not isinstance(text, str):
            return self.pseudo_command("@malformed", self.call.tool)
        self.context.text = text
        home = {"HOME": self.context.home} if self.context.home else {}
        # A client gives its shell the text alone, which comes from no file.
        env = {**home, "BASH_SOURCE": "", "0": "bash", "PWD": self.call.cwd}
        same = with_exports(text, self.context)

        def read(outcome: Outcome | None = None, sourced: Settings = ()) -> Script:
            known = dict(sourced)
            return parse(same, env=env, disk=self.reading.disk, sourced=known, outcome=outcome)

        def known(outcome: Outcome | None = None) -> Script:
            again = partial(read, outcome)
            return self.knowing_settings(again(), again, programs=self.rules.programs)

        script = known()
        if not script.moves:
            return self.each_command(script, text)
        context = self.context.again()
        found = self.each_command(script, text)
        from operators_edge.gate import folder_outcomes  # noqa: PLC0415 - few texts go on after a change

        outcomes = folder_outcomes.FolderOutcomes(script, context)
        for outcome in outcomes:
            other = known(outcome)
            if outcomes.is_new(other):
                follower, within = self.follower and self.follower.again(), context.again()
                reading = self.reading._replace(outcomes=outcomes)
                given = (self.call, within, self.rules, follower, self.level)
                found += Assessment(*given, reading=reading).each_command(other, text)
        return found

    def knowing_settings(
        self,
        script: Script,
        read: Callable[[Settings], Script],
        programs: Container[str] = (),
    ) -> Script:
        if not any(one.argv and one.argv[0].text in SOURCING for one in script.commands):
            return script
        from operators_edge.gate.disk import sourced  # noqa: PLC0415 - few texts source a file

        given = (script, read, self.context)
        return sourced.known(*given, with_all=self.reading.knows_sourced, programs=programs)

    def each_command(self, script: Script, text: str) -> list[Finding]:
        judged, only = self.context.judged, self.reading.only
        if only is not None and only.isdisjoint(script.commands):
            return []
        self.context.commands = script.commands
        self.context.ran += script.commands
        judged.count += len(script.commands) if only is None else len(only)
        invs = [invocation_of(each, self.rules) for each in script.commands]
        links = (one for inv in invs for one in links_of(inv, self.context))
        self.context.links = [*self.context.links, *links]
        states = self.file_states(script.writes) if script.writes and len(invs) > 1 else None
        self.context.note_files(script)
        if len(invs) > 1:
            self.context.moved = [*self.context.moved, *moved_to(invs, self.context)]
            self.context.edited |= edited_by(invs, self.context)
        self._note_arrivals(script, invs)
        later = [
            piece
            for path, content in self.context.written_by(script)
            if follow.runs_later(path, self.rules)
            for piece in later_pieces(path, content, self.context, self.rules)
        ]
        found = self.pieces.without_command(later) if later else []
        known: dict[int, dict[Command, list[Finding]]] = {}
        seen = len(self._left_by_files)
        parsed, positions = self._parsed(text, script, invs)
        for at, command in enumerate(script.commands):
            if only is not None and command not in only:
                continue
            position = positions[at]
            self.context.position = None if position is None else (parsed, position)
            own = [
                one
                for number in self.in_each_state(states, at)
                for one in self._recoverable(
                    self._once(command, invs[at], known.setdefault(number, {})), script, at
                )
            ]
            if len(self._left_by_files) > seen:
                states = states or self.file_states(script.writes)
                states.add_all(self._left_by_files[seen:])
                seen = len(self._left_by_files)
            judged.note(own, command, text)
            found += own if position is None else self._not_of_the_line(own, parsed, position)
        if script.problems and is_suspicious(text, self.rules.words):
            spans = tuple(problem.span for problem in script.problems)
            found += [one._replace(spans=spans) for one in self.pseudo_command("@problem")]
        return found

    def file_states(self, writes: Iterable[FileWrite]) -> FileStates:
        """The states of files during a text with these writes."""
        from operators_edge.gate import file_states  # noqa: PLC0415 - few texts write files and go on

        return file_states.FileStates(writes, self.context)

    def in_each_state(self, states: FileStates | None, at: int) -> Iterator[int]:
        """Judge a command with the files as they may be when it runs; yield a number for each state."""
        context = self.context
        before = context.written_texts, context.copies, context.arrivals
        outside = context.state
        found = states.before(at) if states is not None else ()
        for state in found:
            context.enter(state)
            yield state.number
            context.written_texts, context.copies, context.arrivals = before
            context.state = outside
        if not found:
            yield 0

    @property
    def _left_by_files(self) -> list[FileWrite]:
        """What the texts that were run from files may have written."""
        return self.pieces.left if "pieces" in self.__dict__ else []

    def _parsed(
        self, text: str, script: Script, invs: list[Invocation]
    ) -> tuple[Parsed, Sequence[int | None]]:
        """What the text says as a whole, and where its commands are in that; kept for the texts around it."""
        parsed: Parsed = (text, script, invs, self.context)
        positions: Sequence[int | None] = range(len(invs))
        if self.context.sourced:
            from operators_edge.gate.disk import sourced  # noqa: PLC0415 - few texts source a file

            parsed, positions = sourced.as_one(parsed)
        reading = self.reading
        if reading.only is None and not (
            reading.assumed or reading.takes_defaults or reading.outcomes
        ):
            self.context.judged.note_parsed(self.context.key, parsed)
        return parsed, positions

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
            found = self.command(command, 0, inv)
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

    @staticmethod
    def _not_of_the_line(found: list[Finding], parsed: Parsed, at: int) -> list[Finding]:
        """The findings on one command, without those on what the line around it has made itself."""
        if not found:
            return found
        text, _, invs, context = parsed
        is_alone = len(invs) < 2 and OWN_NUMBER not in invs[0].arguments and context.outer is None
        is_alone &= "compose" not in text and "test" not in text
        if is_alone:
            return found
        if any(one.rule == _MIGRATES and not one.source for one in found):
            from operators_edge.gate import known_names  # noqa: PLC0415 - few texts migrate a database

            if known_names.migrates_own(invs[at], context):
                found = [one for one in found if one.source or one.rule != _MIGRATES]
        from operators_edge.gate.own import line_words, made_here  # noqa: PLC0415 - most calls remove nothing

        return made_here.without_own(found, line_words.Line(*parsed), at)

    def _note_arrivals(self, script: Script, invs: list[Invocation]) -> None:
        """Note what commands of a text put in place of the files that others run."""
        bringing = [inv for inv in invs if brings(inv)[0]] if len(invs) > 1 else []
        if self.follower is None or not (bringing or (script.outputs and len(invs) > 1)):
            return
        from operators_edge.gate import arrivals  # noqa: PLC0415 - most texts bring nothing

        context, follower = self.context, self.follower
        found = arrivals.find(bringing, context, lambda path: follower.read(path, context))
        found += arrivals.computed(script, context)
        found += arrivals.in_unseen(found)
        own = [one._replace(span=(-1, -1)) for one in context.arrivals]  # of the texts around
        context.arrivals = [*own, *found]

    def pseudo_command(self, *words: str) -> list[Finding]:
        """Return the findings on something that is not a shell command, written as one."""
        return self.command(Command(tuple(Word(visible(word)) for word in words)), 0)

    def command(
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
        command = self._with_known_words(command)
        inv = self._invocation(command, inv)
        if inv.only_checks():
            return self._apply_rules(only_redirects(command))
        found = [] if self.context.is_replaced(command) else self._applied(inv)
        if found and ("recipes" in inv.spec or any("/" in word.text for word in command.argv[:1])):
            found = self._without_names(found, inv)
        for inner in self._inner_commands(inv):
            found += self.command(inner, depth + 1)
        known = {one.rule for one in found}
        for same in _same_with_options(inv):  # nothing is said twice
            found += [one for one in self.command(same, depth + 1) if one.rule not in known]
        for script in self._script_name(inv):
            found += self._without_names(self.command(script, depth + 1, follows=False), inv)
        if not follows:
            return found
        inside = self._followed(inv)
        files = self.follower.quiet.get(command, ()) if self.follower is not None else ()
        named = [one for one in found if one.rule.startswith("general-")] if files else []
        if named and all(map(self.context.is_held, files)):
            # What the name says of the program is not more than what is known of it.
            found = [one for one in found if one not in named]
        return found + inside

    def _with_known_words(self, command: Command) -> Command:
        assumed = self.reading.assumed
        if not (
            assumed or command.has_variables or not GIVES_VARIABLES.isdisjoint(command.through)
        ):
            return command
        from operators_edge.gate.disk import surroundings  # noqa: PLC0415 - most commands have no variables

        return surroundings.with_known_words(
            command, self.context, self.follower, assumed, self.rules
        )

    def at(self, context: CallContext) -> Assessment:
        """The same text in another context."""
        return Assessment(self.call, context, self.rules, self.follower, self.level)

    def inside(
        self, context: CallContext, rules: Rules, follower: Follower | None, reading: Reading
    ) -> Assessment:
        """The assessment of a text that this one runs from a file."""
        return Assessment(self.call, context, rules, follower, self.level + 1, reading=reading)

    def _followed(self, inv: Invocation) -> list[Finding]:
        """Return the findings in what the command runs from disk."""
        if self.follower is None:
            return []
        context = self.context.before(inv.command)
        pieces = self.follower.pieces(inv, context, self.level)
        first = next(pieces, None)  # the others are looked for when it is judged
        return [] if first is None else self.pieces.run_by(inv, chain((first,), pieces), context)

    def _invocation(self, command: Command, known: Invocation | None) -> Invocation:
        if known is not None and known.command is command and known.program != HOLE:
            return known
        inv = invocation_of(command, self.rules)
        if inv.program == HOLE:
            inv.program = "@unknown"
        return inv

    def _applied(self, inv: Invocation) -> list[Finding]:
        """What the rules find in the command alone: the links that it makes itself are not there yet."""
        links = self.context.links
        own = set(links_of(inv, self.context)) if links else ()
        self.context.links = [each for each in links if each not in own] if own else links
        found = self._apply_rules(only_redirects(inv.command) if inv.is_help() else inv)
        self.context.links = links
        return found

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
        is_known = named_targets.is_known(inv, context, self.rules, known_names.migrates_given)
        return [one for one in found if one not in named] if is_known else found

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
        elif all(one.text != HOLE for one in inv.codes):
            return
        if not program:
            return
        from operators_edge.gate import printed  # noqa: PLC0415 - most texts are known

        fetcher = printed.fetcher_of(command, self.context.commands, self.context.text)
        if fetcher:
            words = (Word(program, command.span),)
            yield Command(words, stdin_kind="pipe", stdin_program=fetcher)

    def _script_name(self, inv: Invocation) -> Iterator[Command]:
        """Yield the script that this command runs, as a program of its own name."""
        command, spec = inv.command, inv.spec
        through = (*command.through, inv.program)
        if spec.get("script") and not inv.codes and not inv.values(spec.get("modules", ())):
            for word in inv.operands[:1]:
                if command.argv[0].text in SOURCING and self._only_defines(inv, word):
                    continue
                yield command._replace(argv=words_from(command, [word]), through=through)

    def _only_defines(self, inv: Invocation, script: Word) -> bool:
        """Whether a file that is sourced is known to run nothing by that."""
        path = self.context.resolve(script.text, inv.working_folder(self.context))
        return path in self.context.sourced

    def is_certain(self, finding: Finding) -> bool:
        """Whether a finding depends on no unknown word or folder."""
        is_known = finding.is_elsewhere or not finding.has_unknown
        return self.is_about_more(finding) and is_known

    def is_about_more(self, finding: Finding) -> bool:
        """Whether it is about more than something unknown."""
        rule = self.rules.rule(finding.rule)
        is_of_unknown = rule is not None and rule.get("unknown", False)
        return finding.effect != "warn" and (finding.is_elsewhere or not is_of_unknown)

    def settled(self, finding: Finding) -> Finding:
        """What only changes this project, which git holds, needs a snapshot at most."""
        context = self.context
        rule = self.rules.rule(finding.rule)
        local = rule.get("local", "") if rule is not None else ""
        paths = finding.targets or (finding.cwd,)
        is_local = bool(local) and all(
            (
                is_below(path, context.root)
                or (local == "inside" and path == context.root)
                or (path in finding.targets and context.is_regenerable(path))
            )
            and not context.is_own_file(path)
            for path in paths
        )
        return finding._replace(effect="allow", recovery=None) if is_local else finding

    def unread(self) -> list[Finding]:
        return self.pseudo_command("@problem")


_MIGRATES = "database-migrate"


def _is_text(command: Command) -> bool:
    """Whether all of a command is an unknown text, rather than a program with words of its own."""
    is_alone = len(command.argv) == 1 or any(map(_RUNS_TEXT.match, command.through[-1:]))
    return is_alone and command.argv[0].text == HOLE


def _same_with_options(inv: Invocation) -> tuple[Command, ...]:
    if not inv.command.has_variables:
        return ()
    from operators_edge.gate.disk import surroundings  # noqa: PLC0415 - most commands have no variables

    return surroundings.same_with_options(inv)


def _finding(rule: Rule, match: Match, inv: Invocation, context: CallContext) -> Finding:
    from operators_edge.gate import findings  # noqa: PLC0415 - most calls match no rule

    return findings.finding_of(rule, match, inv, context)


def later_pieces(path: str, text: str, context: CallContext, rules: Rules) -> list[Piece]:
    from operators_edge.gate.disk import client_files  # noqa: PLC0415 - most calls write no such file

    return client_files.later_pieces(path, text, None, context, rules)


# end of module
