"""The findings in what a command runs from files: each piece of a file, read as strictly as it deserves.

A script that the agent wrote is judged like a line. In one that git holds only what is certain counts, and
what nothing brings back. Owns that, and the second looks at a piece: with its defaults, with all that it
sources, with its unknown words assumed. Does not own which files are read (``gate.disk.follow``) or the
findings on a command (``gate.assessment``). Loaded for the first command that runs one.
"""

from __future__ import annotations

import os.path
from functools import partial

from operators_edge.gate import findings
from operators_edge.gate.disk import follow
from operators_edge.gate.invocation import Invocation
from operators_edge.gate.reading import FIRST_READING, Reading, with_exports
from operators_edge.shell.commands import HOLE, Command, Word, may_source
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from operators_edge.gate.assessment import Assessment
    from operators_edge.gate.disk.follow import Follower
    from operators_edge.gate.disk.search import Piece
    from operators_edge.gate.disk.sourced import Settings
    from operators_edge.gate.file_states import FileStates
    from operators_edge.gate.paths import CallContext
    from operators_edge.gate.rules import Rules
    from operators_edge.model import Finding
    from operators_edge.shell.commands import FileWrite, Script
    from operators_edge.shell.evaluate import Disk

_MAX_LEVEL = 3
"""Files that run files, of which the innermost are read a second time, too."""
_PRINTS = "secret-settings"
"""The rule that says whether code prints a secret."""
_TAKES_ITEMS = pattern(
    r"\bdone[ \t]*<[ \t]*[^<&\s(]|\$\(\s*(?:cat|head|tail|grep|sed|awk|cut|sort)\b|\$\(\s*<|`\s*cat\b"
    r"|\b(?:cat|grep|sed|awk|cut|sort|head|tail)\b[^\n|;&]*\|[^\n]*\b(?:xargs|read)\b"
    r"|\bxargs\b[^\n|;&]*(?:\s-a|\s--arg-file|<)|\b(?:mapfile|readarray)\b"
)
"""Words that a script reads from a file."""
_DEFAULTS = pattern(r"\$\{\w+:?[-=]")


class Pieces:
    """What the commands of one text run from files, judged each for itself."""

    def __init__(self, around: Assessment) -> None:
        self.around = around
        self.context = around.context
        self.rules = around.rules
        self.script: Script | None = None
        """What was read of a piece in the shell, if ``around`` is that piece."""
        self.left: list[FileWrite] = []
        """What the texts that were run may have written into files."""

    def without_command(self, pieces: Iterable[Piece]) -> list[Finding]:
        """Judge texts that run without a command of their own, each like a line."""
        tool = self.around.call.tool
        inv = Invocation(Command((Word(tool),)), tool, {})
        found = [
            one if one.source else findings.located(one, piece, inv, self.context)
            for piece in pieces
            for one in self._judged(piece, self.rules, self.around.follower)
        ]
        return [one._replace(recovery=None) for one in found]  # when it runs is not known

    def run_by(
        self, inv: Invocation, pieces: Iterable[Piece], context: CallContext
    ) -> list[Finding]:
        """Return the findings in what the command runs from disk; ``context`` is what is there then."""
        inside = self if context is self.context else self.around.at(context).pieces
        found: list[Finding] = []
        ran: list[tuple[Piece, list[Command]]] = []
        seen = len(inside.left)
        states: FileStates | None = None
        for piece in pieces:
            before = len(context.ran)
            if len(inside.left) > seen:
                states = states or inside.around.file_states(())
                states.add_all(inside.left[seen:])
                seen = len(inside.left)
            of_piece = inside.after_others(piece, inv, states)
            # Git is asked where it matters alone: a process that others wait for cannot.
            if of_piece and self._is_stood_for(piece):
                of_piece = [one for one in of_piece if _is_known_secret(one, piece)]
            found += of_piece
            ran.append((piece, context.ran[before:]))
        if inside is not self:
            self.left += inside.left
        if all(one.recovery is None for one in found):
            return found
        from operators_edge.gate import recovery  # noqa: PLC0415 - most calls destroy nothing

        counted = [commands for piece, commands in ran if not self._is_stood_for(piece)]
        # In which order it runs several texts is not known.
        beside = [one for commands in counted for one in commands] if len(counted) > 1 else ()
        return recovery.within(found, inv, beside, self.rules)

    def _after_writes(
        self, script: Script, text: str, context: CallContext, writes: list[FileWrite]
    ) -> list[Finding]:
        """Judge what code starts with the files as the code may have left them before."""
        from operators_edge.gate import file_states  # noqa: PLC0415 - little code writes what it starts

        around = self.around.at(context)
        states = around.file_states(())
        states.add_all(file_states.computed(writes, self.context))
        return [
            one
            for _ in around.in_each_state(states, 0)
            for one in around.each_command(script, text)
        ]

    def after_others(
        self, piece: Piece, inv: Invocation, states: FileStates | None
    ) -> list[Finding]:
        """Judge one piece of a command, also with the files as pieces before it may have left them."""
        judged, before = self.context.judged, self.context.judged.count
        found = self.of_command(piece, inv)
        if states is not None and piece.is_shell and judged.allows_again(judged.count - before):
            for _ in self.around.in_each_state(states, 0):
                found = found + self.of_command(piece, inv)
        return found

    def _is_stood_for(self, piece: Piece) -> bool:
        """Whether what is left of a program that was followed counts in the place of its file."""
        return bool(piece.unless_held) and all(map(self.context.is_held, piece.unless_held))

    def of_command(self, piece: Piece, inv: Invocation) -> list[Finding]:
        """Judge one piece of a file: a script that the agent wrote like a line, others less strictly.

        The unknown words in an ordinary project's files would need a person at every build, so only what is
        certain counts there.
        """
        found = self._judged(piece, self.rules, self.around.follower)
        own = [one for one in found if not one.source]
        deeper = [one for one in found if one.source]
        if own and (piece.is_loose or (not piece.unseen and self.context.is_held(piece.path))):
            own = self._in_held(own, piece)
        elif piece.unseen and self._is_computed_as_held(piece):
            own = [one for one in own if self.around.is_about_more(one)]
        elif not (piece.is_direct and piece.is_shell):
            apart = [one for one in own if _is_unread(one, piece) or _is_loss(one, piece)]
            own = self._certain([one for one in own if one not in apart], piece, self.rules) + apart
        container = piece.inside or self.context.container
        if container is not None:
            own = container.counted(own, piece.text, self.context.root)
        return [*(findings.located(one, piece, inv, self.context) for one in own), *deeper]

    def _in_held(self, own: list[Finding], piece: Piece) -> list[Finding]:
        """What counts in a file that git holds: what cannot be made again (GA-12)."""
        is_ours = (piece.is_direct or piece.is_loaded) and not piece.is_loose
        lost = [one for one in own if is_ours and one.destroys]
        # What it prints goes into the session, also of a file that git holds.
        is_shown = piece.is_direct and (not piece.is_shell or _NAMES_ENV_FILE.search(piece.text))
        printed = [one for one in own if is_shown and one.rule == _PRINTS]
        piece = piece._replace(is_direct=False)
        rules = self.rules.with_profile("contextual")
        if rules is not self.rules or not piece.is_shell:
            own = self._judged(piece, rules, None)
        own = self._certain(own, piece, rules)
        own = [self._settled(one, piece) for one in own]
        own = [one for one in own if not (piece.is_loose and one.rule.startswith("general-"))]
        # What it destroys by unknown names is kept first; nobody is asked about it.
        places = {(one.rule, one.spans) for one in own}
        kept = [one for one in lost if (one.rule, one.spans) not in places]
        own += [one for one in printed if (one.rule, one.spans) not in places]
        away = [one for one in kept if self._is_away(one)]
        own += [one for one in away if one.effect != "allow"]
        return own + [one._replace(effect="allow", recovery=None) for one in kept]

    def _settled(self, finding: Finding, piece: Piece) -> Finding:
        """The finding, without effect if git or a snapshot holds all that it is about."""
        settled = self.around.settled(finding)
        if finding.rule != _CLEANS or settled.effect != "allow":
            return settled
        from operators_edge.gate.own import ignored_secrets  # noqa: PLC0415 - few files clean a project

        is_lost = ignored_secrets.are_lost(piece.text, finding.cwd, self.context)
        return finding if is_lost else settled

    def _is_away(self, finding: Finding) -> bool:
        """Whether it destroys unknown names, from a folder outside of the project."""
        rule = self.rules.rule(finding.rule)
        is_of_unknown = rule is not None and rule.get("unknown", False)
        folder = finding.cwd if is_of_unknown and not finding.is_elsewhere else ""
        return bool(folder) and HOLE not in folder and self.context.is_outside(folder)

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

    # -- looks at a piece ----------------------------------------------------------------------------

    def _judged(
        self,
        piece: Piece,
        rules: Rules,
        follower: Follower | None,
        reading: Reading = FIRST_READING,
    ) -> list[Finding]:
        """The findings in a piece, and in second looks at it, as far as there is time for them."""
        inside = self._inside(piece, rules, follower, reading)
        found = self._knowing_more(piece, follower, reading, inside)
        script, context = inside.script, inside.context
        is_elsewhere = piece.folder is None or piece.inside or context.container
        if script is None or not script.moves or is_elsewhere:
            return found
        from operators_edge.gate import folder_outcomes  # noqa: PLC0415 - few texts go on after a change

        outcomes = folder_outcomes.FolderOutcomes(script, context)
        for _ in outcomes:
            again = follower and follower.again()
            reading = reading._replace(outcomes=outcomes)
            other = self._inside(piece, rules, again, reading)
            other.context.ran = []
            found = found + other.in_piece(piece)
            if reading.is_first:
                self.left += other.left_by_piece(self.context)
        if outcomes.is_cut and not self.context.is_held(piece.path):
            found = found + inside.around.unread()
        return found

    def _knowing_more(
        self, piece: Piece, follower: Follower | None, reading: Reading, inside: Pieces
    ) -> list[Finding]:
        """The findings in a piece, and in second looks at it that take more for known."""
        judged, before = self.context.judged, self.context.judged.count
        found = inside.in_piece(piece)
        if reading.is_first and follower is not None:
            self.left += inside.left_by_piece(self.context)
        if self.around.level >= _MAX_LEVEL or not piece.is_shell:
            return found
        is_sourcing = may_source(piece.text)
        has_defaults = is_sourcing or _DEFAULTS.search(piece.text) is not None
        if has_defaults and not judged.allows_again(judged.count - before):
            return found if self.context.is_held(piece.path) else found + inside.around.unread()
        if is_sourcing:
            found = self._knowing_sourced(found, inside, piece)
        if has_defaults and not self.around.reading.takes_defaults:
            found = self._with_defaults(found, inside, piece)
        if self.around.reading.disk is None and _TAKES_ITEMS.search(piece.text):
            found = self._with_items(found, inside, piece)
        return found

    def left_by_piece(self, around: CallContext) -> list[FileWrite]:
        """What this text, and what it ran itself, may have written into files."""
        if self.context.written_texts == around.written_texts and (
            self.context.copies == around.copies
        ):
            return self.left
        from operators_edge.gate import file_states  # noqa: PLC0415 - few texts write files

        return [*file_states.left_by(self.context, around), *self.left]

    def _inside(
        self, piece: Piece, rules: Rules, follower: Follower | None, reading: Reading
    ) -> Pieces:
        """What judges the text of a piece itself."""
        around = self.around
        context = follow.inside(piece, self.context)
        context.around = (*self.context.around, (*piece[:2], piece.arguments))
        context.is_loose = piece.is_loose
        context.is_in_package, context.beside = piece.path.endswith("/package.json"), piece.beside
        if piece.assigned and piece.is_shell:  # the programs that it starts get them, too
            context.variables = [*context.variables, *piece.assigned]
        if piece.inside is not None:
            context.container = piece.inside
        if around.reading.takes_defaults:
            reading = reading._replace(takes_defaults=True)
        return around.inside(context, rules, follower, reading).pieces

    def _certain(self, found: list[Finding], piece: Piece, rules: Rules) -> list[Finding]:
        """Return the findings that hold whatever the unknown words of a file stand for."""
        around, judged = self.around, self.context.judged
        known = [one for one in found if around.is_certain(one)]
        open_ones = [one for one in found if one.has_unknown and around.is_about_more(one)]
        if not open_ones or piece.is_loose:
            return known
        from operators_edge.gate.assumptions import ASSUMED  # noqa: PLC0415 - for files alone

        cost = 0
        only = judged.commands_of(open_ones, piece.text) if piece.is_shell else None
        for word in ASSUMED:
            if only is None and not judged.allows_again(cost):
                break
            cost = -judged.count
            held = self._judged(piece, rules, None, Reading(assumed=word, only=only))
            lasting = (one for one in held if around.settled(one).effect != "allow")
            places = {(one.rule, one.spans) for one in lasting}
            open_ones = [one for one in open_ones if (one.rule, one.spans) in places]
            cost += judged.count
        return known + open_ones

    def _knowing_sourced(self, found: list[Finding], first: Pieces, piece: Piece) -> list[Finding]:
        """The findings on a script with all known that it sources; if it is harmless so, none asks."""
        known, context = self._again(first, piece)
        from operators_edge.gate.disk import surroundings  # noqa: PLC0415 - few scripts source others

        return surroundings.knowing_sourced(found, known, context)

    def _with_defaults(self, found: list[Finding], first: Pieces, piece: Piece) -> list[Finding]:
        """The findings on a script, and what it also does if nothing sets what has a default."""
        around = self.around
        asking = [one for one in found if one.recovery is None and around.is_certain(one)]
        if any(around.settled(one).effect == "junction" for one in asking):
            return found
        known, _ = self._again(first, piece, takes_defaults=True)
        from operators_edge.gate.disk import surroundings  # noqa: PLC0415 - few scripts have defaults

        return surroundings.with_more(found, known)

    def _with_items(self, found: list[Finding], first: Pieces, piece: Piece) -> list[Finding]:
        """The findings on a script, and on what it does with the words that it reads from files."""
        judged = self.context.judged
        if not judged.allows_again(judged.count):
            return found
        from operators_edge.gate.disk import surroundings, texts  # noqa: PLC0415 - few scripts read words

        follower = first.around.follower or follow.Follower(self.rules)
        disk = texts.DiskTexts(first.context, follower)
        known, _ = self._again(first, piece, disk=disk.read)
        return surroundings.with_more(found, known) if disk.paths else found

    def _again(
        self,
        first: Pieces,
        piece: Piece,
        *,
        takes_defaults: bool = False,
        disk: Disk | None = None,
    ) -> tuple[list[Finding], CallContext]:
        """The findings on a script with all known that it sources, and the context that they are from."""
        before = first.around
        again = follow.Follower(self.rules) if before.follower is not None else None
        reading = Reading(
            assumed=before.reading.assumed,
            takes_defaults=takes_defaults,
            knows_sourced=True,
            disk=disk,
            only=before.reading.only,
            before=first.script,
        )
        inside = self._inside(piece, before.rules, again, reading)
        inside.context.ran = []
        known = inside.in_piece(piece)
        if again is not None and before.follower is not None:
            before.follower.files |= again.files
        return known, inside.context

    # -- the text of a piece -------------------------------------------------------------------------

    def in_piece(self, piece: Piece) -> list[Finding]:
        """Return the findings in a piece; their spans are positions in its text."""
        around, context = self.around, self.context
        if piece.unseen:
            words = (Word(piece.program),)
            fed = Command(words, stdin_kind="pipe", stdin_program=piece.unseen)
            return around.command(fed, 0, follows=False)
        if not piece.is_shell:
            return self._code(piece) + ([] if piece.is_whole else around.unread())
        given = (context.home, piece.arguments, piece.assigned)
        from operators_edge.gate.disk import started  # noqa: PLC0415 - most files run are programs

        outcomes = around.reading.outcomes
        outcome = outcomes.current if outcomes is not None else None
        top = context.top_level(piece.text, piece.folder, piece.path)
        folder = piece.folder or "" if piece.inside is None else ""

        def read(text: str, sourced: Settings = ()) -> Script:
            takes_defaults, disk = around.reading.takes_defaults, around.reading.disk
            is_kept = outcome is None and disk is None
            parsed = started.parsed if is_kept else started.parsed_once
            return parsed(
                *(text, *given, sourced),
                top=top,
                folder=folder,
                outcome=outcome,
                takes_defaults=takes_defaults,
                disk=disk,
            )

        context.reads = read
        same = partial(read, with_exports(piece.text, context))
        script = self.script = around.knowing_settings(same(), same)
        if script == around.reading.before and not context.sourced:
            return []
        if outcomes is not None and not outcomes.is_new(script):
            return []
        if not piece.is_whole:
            return around.each_command(script, piece.text) + around.unread()
        if piece.folder is None:
            kept = [one.cwd if one.cwd and one.cwd[0] in "/~" else None for one in script.commands]
            commands = zip(script.commands, kept, strict=True)
            script = script._replace(commands=tuple(one._replace(cwd=cwd) for one, cwd in commands))
        found = around.each_command(script, piece.text)
        return found + (self._beyond(script, piece) if script.problems else [])

    def _beyond(self, script: Script, piece: Piece) -> list[Finding]:
        """The findings in what a script does after as many commands as are read."""
        from operators_edge.gate.disk import long_scripts, started  # noqa: PLC0415 - few scripts are that long

        if not long_scripts.is_cut(script):
            return []
        rest = long_scripts.rest_of(piece, script, self.rules)
        again = started.parsed(rest.text, self.context.home, piece.arguments, piece.assigned)
        return long_scripts.placed(self.around.each_command(again, rest.text), rest, piece)

    def _code(self, piece: Piece) -> list[Finding]:
        """Judge a program in another language: what it starts, and the code itself."""
        from operators_edge.gate.disk import started  # noqa: PLC0415 - see above

        around, context = self.around, self.context
        option = next(iter(self.rules.programs.get(piece.program, {}).get("code", ())), "")
        found = []
        text = started.with_own_path(piece.program, piece.text, piece.path)
        if piece.is_direct and option:
            code = Word(text, (0, len(text)))
            # Its modules are pieces of their own.
            command = Command((Word(piece.program), Word(option), code), exported=piece.assigned)
            found += around.command(command, 0, follows=not piece.beside)
        elif piece.is_followed and option:  # what it reads is followed to where it is printed
            command = Command((Word(piece.program), Word(option), Word(text, (0, len(text)))))
            judged = around.command(command, 0, follows=False)
            found += [one for one in judged if one.rule == _PRINTS]
        text = started.with_arguments(piece.program, text, piece.arguments)
        before, context.code = len(context.ran), text + piece.beside
        options = tuple(one for one in piece.arguments if one[:2] == "--")
        given = (piece.program, option, text, piece.beside, options)
        first = context.again()
        writes: list[FileWrite] = []
        for run in started.started_by_code(*given, environment=piece.assigned):
            if piece.is_followed and run.text.startswith("cat "):
                continue  # what is read is followed to where it is printed
            at = (run.position, run.position + 1)
            variables = tuple({**dict(piece.assigned), **dict(run.environment)}.items())
            script = started.parsed(run.text, context.home, (), variables)
            context.text = run.text
            judged = around.each_command(script, run.text)
            if any(os.path.basename(one.path) in run.text for one in writes):
                judged = judged + self._after_writes(script, run.text, first, writes)
            found += [one._replace(spans=(at,)) for one in judged]
            writes += script.writes
        context.text = piece.text
        if all(one.recovery is None for one in found):
            return found
        from operators_edge.gate import recovery  # noqa: PLC0415 - most calls destroy nothing

        return recovery.within_code(found, piece, context.ran[before:], self.rules)


_NAMES_ENV_FILE = pattern(r"(?<![\w.])\.env\b(?!\.(?:example|sample|template|dist|defaults))")
_CLEANS = "git-clean"
"""What may delete ignored files, which no snapshot holds."""
_READ_WITH_VALUES = pattern(r"\b(?:dotenv_values|dotenv_get|decouple|environs|dynaconf)\b")


def _is_known_secret(finding: Finding, piece: Piece) -> bool:
    """Whether a program prints a secret of a file whose values are known: what is left of it shows none."""
    return finding.rule == _PRINTS and _READ_WITH_VALUES.search(piece.text) is not None


def _is_unread(finding: Finding, piece: Piece) -> bool:
    """Whether it says that a program which the command itself names was not read completely."""
    return piece.is_direct and not piece.is_whole and finding.rule == "shell-cannot-analyse"


def _is_loss(finding: Finding, piece: Piece) -> bool:
    """Whether it destroys files, unknown ones too, in what counts as written by the agent.

    Elsewhere it counts where it needs nobody's decision, so that it disturbs nobody either.
    """
    return finding.destroys and (piece.is_direct or finding.effect == "allow")


# end of module
