"""What the other files of a program define, written so that its reader knows it in the file that is read.

Owns how modules hand names to each other (Node's exports), how a file of settings becomes assignments, what a
function returns as the value of its name, and what of a program does not run or reaches nobody. Pure, text to
text; lines keep their numbers. Does not own finding these files (``gate.disk.search``), nor reading the code
(``shell.code.programs``).
"""

from __future__ import annotations

import json
import re
from functools import lru_cache

from operators_edge.shell.code.languages import NODE, PERL, PHP, RUBY
from operators_edge.text.patterns import blanked, pattern
from operators_edge.text.settings_files import json_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from operators_edge.shell.code.languages import Language

MAX_BESIDE = 128 * 1024
"""Characters of other files that are read beside one."""
SETTINGS = (".json", ".yml", ".yaml", ".ini", ".env", ".properties", ".toml")
"""Endings of files of settings."""

_EXPORTED = pattern(r"\b(?:module\.)?exports\.(\w+)(?=\s*=(?!=))")
_EXPORTS = pattern(r"\b(?:module\.exports\s*=|export\s+default)\s*\{")
_PROPERTY = pattern(r"(?<=[{,\n])(\s*)(\w+)\s*:(?!:)")
_NAMESPACE = pattern(
    r"\b(?:const|let|var)\s+(\w+)\s*=\s*(?:await\s+)?(?:require|import)\(\s*['\"]\.{1,2}/"
    r"|\bimport\s+(?:\*\s*as\s+)?(\w+)\s+from\s*['\"]\.{1,2}/"
)
_SETTING = pattern(
    r"(?m)^[ \t]*(?:export[ \t]+)?['\"]?([A-Za-z_]\w*)['\"]?[ \t]*[:=][ \t]*(\S[^\n]*)$"
)
_FUNCTION = {
    NODE: pattern(
        r"\bfunction\s*\*?\s*(?P<name>\w+)\s*\("
        r"|\b(?P<set>\w+)\s*=\s*(?:async\s*)?(?:\([^()]{0,200}\)|\w+)\s*=>\s*(?P<body>\{)?"
        r"|\b(?P<old>\w+)\s*=\s*(?:async\s+)?function\b"
    ),
    PHP: pattern(r"\bfunction\s+(?P<name>\w+)\s*\("),
    PERL: pattern(r"\bsub\s+(?P<name>\w+)\s*(?:\([^()\n]*\)\s*)?(?=\{)"),
    RUBY: pattern(r"\bdef\s+(?:self\.)?(?P<name>\w+)"),
}
_RETURN = pattern(r"\breturn\b(?=[ \t]*[^\s;}])")


@lru_cache(maxsize=256)
def definitions(path: str, text: str, language: Language) -> str:
    """Return what a file defines, as the reader of a program that loads it knows it."""
    if path.endswith(".json"):
        return _of_json(text)
    if path.endswith(SETTINGS):
        return _assignments(_SETTING.findall(text))
    if language is not NODE:
        return text
    text = _EXPORTED.sub(r"\1", text)
    for match in reversed(list(_EXPORTS.finditer(text))):
        end = _closing(text, match.end() - 1)
        inside = _PROPERTY.sub(r"\1\2 =", text[match.end() - 1 : end])
        text = f"{text[: match.end() - 1]}{inside}{text[end:]}"
    return text


def _of_json(text: str) -> str:
    data = json_of(text)
    pairs = data.items() if isinstance(data, dict) else ()
    return _assignments((str(key), value) for key, value in pairs if isinstance(value, str))


def _assignments(pairs: Iterable[tuple[str, str]]) -> str:
    texts = ((key, value.split(" #")[0].strip().strip("'\"")) for key, value in pairs)
    return "".join(f"{key} = {json.dumps(value)};\n" for key, value in texts if key.isidentifier())


def _closing(text: str, at: int) -> int:
    """Return where the brace that is opened here is closed."""
    level = 0
    for here in range(at, len(text)):
        level += (text[here] == "{") - (text[here] == "}")
        if level == 0:
            return here
    return len(text)


def without_namespaces(code: str, language: Language) -> str:
    """Return code that names what it has from its modules as they do: ``args.flags`` is ``flags``."""
    if language is not NODE:
        return code
    for one, other in _NAMESPACE.findall(code):
        code = re.sub(rf"(?<![\w.$'\"/]){re.escape(one or other)}\.(?=[A-Za-z_])", "", code)
    return code


def with_returns(code: str, language: Language) -> tuple[str, frozenset[str]]:
    """Return code in which a function's name is given what it returns, and these names."""
    functions = _FUNCTION.get(language)
    found = list(functions.finditer(code)) if functions else []
    names: set[str] = set()
    parts = [code[: found[0].start()] if found else code]
    for at, match in enumerate(found):
        following = found[at + 1] if at + 1 < len(found) else None
        groups = match.groupdict()
        name = str(groups["name"] or groups.get("set") or groups.get("old"))
        body = code[match.end() : following.start() if following else len(code)]
        head = match[0]
        if groups.get("set") and not groups.get("body"):  # ``f = (x) => […]``
            head = f"{name} = " + "\n" * head.count("\n")
            names.add(name)
        elif _RETURN.search(body):
            body = _RETURN.sub(f"{name} = ", body)
            names.add(name)
        parts.append(head + body)
    return "".join(parts), frozenset(names)


_MAIN = {
    # a condition that holds only in the file that is started, up to the block that it guards
    NODE: pattern(
        r"\bif\s*\(\s*(?:require\.main\s*===?\s*module|module\s*===?\s*require\.main|import\.meta\.main"
        r"|import\.meta\.url\s*===?\s*(?:url\.)?pathToFileURL\(\s*process\.argv\[1\]\s*\)\.href"
        r"|import\.meta\.url\s*===?\s*`file://\$\{process\.argv\[1\]\}`"
        r"|(?:url\.)?fileURLToPath\(\s*import\.meta\.url\s*\)\s*===?\s*process\.argv\[1\]"
        r"|process\.argv\[1\]\s*===?\s*(?:url\.)?fileURLToPath\(\s*import\.meta\.url\s*\))\s*\)\s*(?=\{)"
    ),
    RUBY: pattern(
        r"(?m)^if\s+(?:__FILE__\s*==\s*(?:\$0|\$PROGRAM_NAME)|(?:\$0|\$PROGRAM_NAME)\s*==\s*__FILE__)[ \t]*$"
    ),
    PERL: pattern(r"(?m)^[ \t]*[\w:>-]+(?:\([^()\n]*\))?\s+unless\s+caller(?:\(\))?\s*;"),
}
_CHANGES_MAIN = pattern(
    r"\brequire\.main\s*=(?!=)|\bprocess\.argv(?:\[1\])?\s*=(?!=)|\bargv\.splice\b|\$0\s*=(?![=~])"
)


@lru_cache(maxsize=256)
def without_main(code: str, language: Language) -> str:
    """Return a module's code without what it does only if it is itself the file that is started."""
    guard = _MAIN.get(language)
    if guard is None or _CHANGES_MAIN.search(code):
        return code
    for match in reversed(list(guard.finditer(code))):
        end = match.end()
        if language is NODE:
            end = _closing(code, end) + 1
        elif language is RUBY:
            ended = pattern(r"(?m)^(?:end|else|elsif)\b").search(code, end)
            end = ended.start() if ended else len(code)
        left_out = blanked(code[match.end() : end])
        if language is NODE:
            left_out = "{" + left_out[1:-1] + "}"
        start = match.start() if language is PERL else match.end()
        left_out = blanked(match[0]) if language is PERL else left_out
        code = code[:start] + left_out + code[end:]
    return code


_AWS = pattern(r"['\"]@aws-sdk/(?:client|lib)-[\w-]+['\"]")
_TAKES = pattern(
    r"\bimport\s*\{[^{}]*\}\s*from\s*(?=['\"]@aws-sdk/)|\{[^{}]*\}\s*=\s*require\(\s*(?=['\"]@aws-sdk/)"
)
_SENDS = pattern(
    r"\b\w*Client\b|\bnew\s+(?:S3|DynamoDB\w*|SQS|SNS|EC2|ECS|IAM|RDS|Lambda|CloudFormation|Route53)\b|\b(?:eval|Reflect)\b"
)
_IMPORTED = pattern(r"\b(?:from|import|require\(|import\()\s*['\"]([^'\"\n]+)['\"]")
_COMPUTED_IMPORT = pattern(r"\b(?:import|require)\(\s*(?!['\"][^'\"\n]+['\"]\s*\))")


def sends_nothing(files: Mapping[str, str], local: Collection[str]) -> bool:
    """Whether a program of Node only makes commands for AWS, and no client that could send them.

    ``files`` are all of it by their paths, without what does not run; ``local`` are modules that reach no
    other machine.
    """
    code = "\n".join(files.values())
    if not _AWS.search(code) or _COMPUTED_IMPORT.search(code):
        return False
    stems = {re.split(r"[/.]", path.rpartition("/")[2])[0] for path in files}
    for name in _IMPORTED.findall(code):
        is_ours = name[:1] == "." and name.rpartition("/")[2].partition(".")[0] in stems
        bare = name.removeprefix("node:").partition("/")[0]
        if not is_ours and bare != "@aws-sdk" and bare not in local:
            return False
    taken = len(_TAKES.findall(code))
    return taken == len(_AWS.findall(code)) and not _SENDS.search(_TAKES.sub("", code))


_COMMAND = pattern(r"\bnew[ \t]+\w+Command(?=\s*\()")


def without_commands(code: str) -> str:
    """Return code whose commands for AWS are made, and sent by nobody."""
    return _COMMAND.sub(lambda one: " " * len(one[0]), code)


_PUSHED = pattern(
    r"(?P<if>\bif\s*\((?P<not>!?)(?P<condition>[\w.$\[\]'\"]{1,80})\)\s*\{?\s*)?"
    r"(?<![\w.$])(?P<list>[A-Za-z_$]\w*)\.push\((?P<words>[^()\n]{1,400})\)"
)
_NO_LIST = r"(?<![\w.$]){}\s*=\s*(?:await\s+)?(?:new\b|require\(|[\w-]*[gG]it[\w-]*\()"
"""A name is given an object of a library, whose ``push`` is its own."""
_HARMLESS = pattern(r"['\"](?:--dry-?run(?:=\w+)?|-n|--check|--whatif|--list)['\"]")


def with_pushed(code: str, options: Sequence[str]) -> str:
    """Return code whose lists are assigned again where words are added to them.

    Under a condition that an option of the command line has the name of, the words are added if it is
    given. What makes a run harmless is not added for any other reason.
    """
    given = {one.lstrip("-").partition("=")[0].replace("-", "").lower() for one in options}

    def added(match: re.Match[str]) -> str:
        if match["if"]:
            name = re.split(r"[.\[\]'\"]+", match["condition"].strip("[]'\""))[-1].lower()
            is_given = (name in given) != bool(match["not"])
            if not is_given and _HARMLESS.search(match["words"]):
                return match[0]
        name = match["list"]
        if re.search(_NO_LIST.format(re.escape(name)), code):
            return match[0]
        return f"{match['if'] or ''}{name} = [...{name}, {match['words']}]"

    return _PUSHED.sub(added, code)


# end of module
