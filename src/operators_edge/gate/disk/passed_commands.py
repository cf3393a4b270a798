"""Commands in the words of a program of which nothing is known: ``retry 3 git push --force``.

Owns which of its words may be the start of another command. Does not own the programs that are known to run
others (``shell.wrapper_table``, ``runs`` in the packs), nor scripts that can be read and run their words
themselves (``gate.disk.follow``). Loaded for programs that no pack knows.
"""

from __future__ import annotations

from itertools import pairwise

from operators_edge.gate.disk.search import Piece, SearchPart
from operators_edge.shell.commands import program_name, quoted
from operators_edge.shell.wrappers import is_wrapper
from operators_edge.text.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.shell.commands import Word

_MAX_BEFORE = 8
"""Words of a program of its own before the command that it runs."""
_GIVES_TEXT = (
    r"(?i)^--?(c|x|e|cmds?|command|exec(ute)?|run|wrap|shell"
    r"|(pre|post|on|before|after)-?\w*)(?:=|$)"
)
"""Options whose value is a command, where a program has them."""
_NO_SUBCOMMANDS = (
    "git gh glab rm dd sh bash zsh sudo env xargs chmod chown shred ssh scp rsync curl wget systemctl"
    " terraform tofu terragrunt pulumi kubectl helm ansible ansible-playbook docker docker-compose podman"
    " aws gcloud gsutil az doctl flyctl heroku vercel netlify wrangler"
    " psql mysql mongosh redis-cli dropdb sqlite3"
    " npm pnpm yarn npx twine pip pip3 cargo poetry uv mvn gradle python python3 node make"
)
_COMMANDS = frozenset(_NO_SUBCOMMANDS.split())
"""Names that no program uses for a subcommand of its own."""
_LOOKING_UP = (
    "tldr cheat navi eg bro howdoi man info whatis apropos which whereis type hash compgen complete alias"
    " echo printf cat cowsay figlet say espeak notify-send logger read"
    " : true false exit return export declare typeset readonly local set unset shift wait pwd cd pushd popd"
    " dirs umask ulimit times getopts let jobs fg bg kill history fc enable break continue logout suspend"
    " getent basename dirname test [ expr grep egrep fgrep ag ack pgrep pidof ls mkdir touch dpkg rpm"
)
_ONLY_READ = frozenset(_LOOKING_UP.split())
"""Programs that print or look up their words, and builtins, of which none runs them."""


class PassedCommands(SearchPart):
    """What an unknown program may run of its words."""

    def pieces(self) -> Iterator[Piece]:
        words = self.inv.command.argv
        name = program_name(words[0])
        if name in _ONLY_READ or is_wrapper(name):
            return  # what a wrapper runs is judged as a command of its own
        for before, word in pairwise(words[: _MAX_BEFORE + 2]):
            if self._is_program(word, is_apart=before.text == "--") and word is not words[-1]:
                at = words.index(word)
                yield self._piece(quoted([one.text for one in words[at:]]))
        for before, word in pairwise(words):
            option, equals, text = word.text.partition("=")
            if compiled(_GIVES_TEXT).search(before.text) and _starts_command(word.text):
                yield self._piece(word.text)
            elif equals and compiled(_GIVES_TEXT).search(option) and _starts_command(text):
                yield self._piece(text)

    def _piece(self, text: str) -> Piece:
        return Piece("", text, 0, folder=self.folder, assigned=self.search.environment())

    def _is_program(self, word: Word, *, is_apart: bool) -> bool:
        if not word.is_known:
            return False
        name = program_name(word)
        name = name.partition("@")[0] or name  # `corepack pnpm@9 publish`
        if not is_apart:
            return name in _COMMANDS
        return name in self.follower.rules.names or name in self.follower.rules.programs


def _starts_command(text: str) -> bool:
    first, _, rest = text.strip().partition(" ")
    return bool(rest) and first in _COMMANDS


# end of module
