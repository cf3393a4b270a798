"""``edge completion SHELL`` prints a shell's script, which asks ``edge complete`` what may follow some words.

Owns both, so that the four shells complete the same. What may follow comes from the parsers.
"""

from __future__ import annotations

import argparse

from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.cli.nouns import GROUPS, HELP
from operators_edge.cli.parsers import common_options, parser_of
from operators_edge.cli.topics import TOPICS
from operators_edge.config import effective, schema
from operators_edge.text.command_names import renamed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from operators_edge.cli.parser import Parser

_SCRIPTS = {
    "bash": """\
_edge_complete() {
    local value about
    COMPREPLY=()
    while IFS=$'\\t' read -r value about; do
        COMPREPLY+=("$value")
    done < <(edge complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -o nosort -F _edge_complete edge
""",
    "zsh": """\
#compdef edge
_edge() {
    local value about
    local -a found
    while IFS=$'\\t' read -r value about; do
        found+=("${value//:/\\\\:}:$about")
    done < <(edge complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)
    if (( $#found )); then
        _describe -V edge found
    else
        _files
    fi
}
if [[ ${funcstack[1]} == _edge ]]; then
    _edge "$@"
else
    compdef _edge edge
fi
""",
    "fish": """\
function __edge_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found (edge complete -- $words[2..-1] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c edge -f -k -a '(__edge_complete)'
""",
    "powershell": """\
Register-ArgumentCompleter -Native -CommandName edge -ScriptBlock {
    param($word, $line, $position)
    $words = @($line.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
    if ($word -eq '') { $words += '""' }
    edge complete -- @words 2>$null | ForEach-Object {
        $value, $about = $_ -split "`t", 2
        if (-not $about) { $about = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
    }
}
""",
}

_OF_RULES = (
    ("rules show", "ID"),
    ("pause", "RULE"),
    ("resume", "RULE"),
    ("dismiss", "--rule"),
)
"""Arguments that are the id of a rule."""

_INSTALL = """\
Where it goes:
  edge completion bash > ~/.local/share/bash-completion/completions/edge
  edge completion zsh > "${fpath[1]}/_edge"
  edge completion fish > ~/.config/fish/completions/edge.fish
  edge completion powershell >> $PROFILE"""


@command(
    "completion",
    arg("SHELL", "bash, zsh, fish or powershell", choices=tuple(_SCRIPTS)),
    description=f"Print the script with which a shell completes commands, options and values.\n{_INSTALL}",
    example="fish > ~/.config/fish/completions/edge.fish",
)
def _completion(args: Args) -> Answer:
    script = _SCRIPTS[args.shell]
    return Answer({"shell": args.shell, "script": script}, script.rstrip("\n"))


@command(
    "complete",
    arg("[WORD...]", "the words so far, the last one unfinished"),
    example="-- rules sh",
)
def _complete(args: Args) -> Answer:
    found = candidates(args.word, args)
    rows = [f"{value}\t{about}" if about else value for value, about in found.items()]
    return Answer(found, rows)


def candidates(words: Sequence[str], args: Args) -> dict[str, str]:
    """What the last word may become, with a line about each; nothing where a file or a text is meant."""
    *before, current = [*words] or [""]
    current = "" if current == '""' else current
    found = _following(before, current, args)
    return {value: about for value, about in found.items() if value.startswith(current)}


def _following(before: list[str], current: str, args: Args) -> Mapping[str, str]:
    if "--" in before:
        return {}
    parser, path, places = _reached(before)
    if parser is None:
        return _of_edge(before, current, args)
    options = {
        name: each
        for each in parser._actions  # noqa: SLF001 - argparse lists its arguments nowhere else
        for name in each.option_strings
        if each.help != argparse.SUPPRESS
    }
    if before and _takes_value(before[-1], options):
        return _values(options[before[-1]], path, args)
    if current.startswith("-"):
        return _with_help(options)
    verbs = {name: str(about) for name, about in parser.abouts.items() if places == 0}
    positional = [
        each
        for each in parser.own_actions()
        if not each.option_strings and not isinstance(each.choices, dict)
    ]
    if not positional:
        return verbs
    place = positional[min(places, len(positional) - 1)]
    return {**verbs, **_values(place, path, args)}


def _of_edge(before: list[str], current: str, args: Args) -> Mapping[str, str]:
    """What may follow where no noun is given yet."""
    options = common_options()
    if before and _takes_value(before[-1], options):
        return _values(options[before[-1]], "", args)
    if before and not before[-1].startswith("-") and not _is_value(before):
        return {}
    if current.startswith("-"):
        return {**_with_help(options), "--version": "show the version"}
    nouns = {noun: about for group in GROUPS.values() for noun, about in group.items()}
    return {**nouns, "help": HELP["help"]}


def _with_help(options: Mapping[str, argparse.Action]) -> dict[str, str]:
    return {name: str(each.help) for name, each in options.items()}


def _reached(before: Sequence[str]) -> tuple[Parser | None, str, int]:
    """The parser that the words lead to, their nouns and verbs, and how many others follow these."""
    parser: Parser | None = None
    path, places, is_value = [], 0, False
    options: Mapping[str, argparse.Action] = common_options()
    for word in before:
        if is_value:
            is_value = False
        elif word.startswith("-"):
            is_value = _takes_value(word, options)
        elif parser is None:
            noun, *verb = renamed([word])
            if noun not in HELP:
                return None, "", 0
            parser = parser_of([noun]).verbs()[noun]
            for each in verb:
                parser = parser.verbs()[each]
            path = [noun, *verb]
        elif word in parser.verbs():
            parser = parser.verbs()[word]
            path.append(word)
        else:
            places += 1
        if parser is not None:
            options = parser._option_string_actions  # noqa: SLF001 - see above
    return parser, " ".join(path), places


def _takes_value(word: str, options: Mapping[str, argparse.Action]) -> bool:
    found = options.get(word)
    return found is not None and found.nargs != 0


def _is_value(before: Sequence[str]) -> bool:
    """Whether the last of these words is the value of an option that every command takes."""
    return len(before) > 1 and _takes_value(before[-2], common_options())


def _values(action: argparse.Action, path: str, args: Args) -> Mapping[str, str]:
    """What an argument may be; nothing for files and texts."""
    if action.choices is not None:
        return {str(each): "" for each in action.choices}
    if path == "help":
        return {**HELP, **{name: each.about for name, each in TOPICS.items()}}
    name = action.option_strings[-1] if action.option_strings else str(action.metavar)
    if (path, name) in _OF_RULES:
        return dict(_rules(args))
    if (path, name) == ("config set", "KEY"):
        return {**dict.fromkeys(schema.LADDERS, ""), "context_tokens": ""}
    if (path, name) == ("config set", "VALUE"):
        return {value: "" for ladder in schema.LADDERS.values() for value in ladder}
    return {}


def _rules(args: Args) -> Iterator[tuple[str, str]]:
    for each in effective.load(args.location.root).rules:
        yield str(each["id"]), str(each["reason"])


# end of module
