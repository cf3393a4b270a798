"""Whether code prints a secret: of the environment, a file or a store, also by way of its variables.

Owns this flow, for every language alike: what a secret is read from (``_SOURCES``), which calls pass it on
(``_PASSES``), and what prints (``_PRINTS``); what any other call returns is not secret. Does not own which
files hold secrets (``gate.secret_files``). Code is read as text, statement by statement, so it is an
estimate. Pure.
"""

from __future__ import annotations

import re

from operators_edge.gate.secret_files import is_credentials, is_env_file
from operators_edge.text.patterns import compiled, found_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

NAME = (
    r"(?![A-Za-z0-9_]*PUBLI[CS])[A-Za-z0-9_]*(?:TOKEN|SECRET|PASSW(?:OR)?D|PASSPHRASE|_PASS(?![A-Z])|_PWD|API_?KEY"
    r"|PRIVATE_KEY|ACCESS_KEY|APP_KEY|[A-Z]_KEY(?![A-Z])|CREDENTIALS?|_AUTH(?![A-Z])|_DSN(?![A-Z])|DATABASE_URL)"
    r"(?!_?(?:FILE|PATH|NAME|ID|URL|COUNT|TYPE|DIR|LEN|HEADER|TTL|EXPIR|MODE|SIZE|LIMIT))[A-Za-z0-9_]*"
)
"""A name of a variable that holds a secret, in either case."""

_NEW_LINE = "\x05"
"""Stands for the end of a line in a literal, which ends no statement."""

_SIGN = "\x04"
"""Stands for a value that is secret, while the code is reduced."""

_ENVIRONMENT = (
    r"(?:process\.env|import\.meta\.env|Bun\.env|Deno\.env|os\.environ|%ENV\b|\$?_?ENV(?:IRON)?\b|@ENV\b"
    r"|(?<![\w.])env(?:iron)?\b|\$env|System\.getenv|Sys\.getenv|os\.[gG]etenv|getenv|get_env!?|getEnv(?:ironment\w*)?)"
)
_OPENED = r"(?:\.(?:get|fetch|pop|dig|to_h|toObject\(\)))?\s*[\[({:]+\s*\\?['\"`:]*"
_SOURCES = (
    # a variable of the environment, or a setting of a framework, with a telling name
    rf"(?i:(?:{_ENVIRONMENT}|\bconfig|\bsettings|st\.secrets){_OPENED}(?:{NAME})\\?['\"`]?(?:\s*,[^()\]]*)?[\])}}]?)",
    rf"(?i:(?:{_ENVIRONMENT}|\bsettings)(?:[.:]|\s+['\"])(?:{NAME})['\"]?)",
    (
        rf"(?i:(?:require\(['\"][./\w-]*)?(?<!\w)\w*(?:config|settings|credentials|get_env)(?:['\"]\))?"
        rf"(?:\([^()]*\))?(?:\.\w{{1,40}}|\[[^\[\]]{{0,40}}\]){{0,4}}?(?:\.|\[:?['\"]?)(?:{NAME})\b['\"]?\]?)"
    ),
    # stores
    r"keyring\.get_(?:password|credential)\([^)]*\)|\bnetrc\.netrc\([^)]*\)",
    r"require\(['\"]keytar['\"]\)\.(?:get|find)\w*\([^)]*\)",
    (
        r"\.?(?:get_secret_value|getSecretValue|GetSecretValue(?:Command)?|access_secret_version|accessSecretVersion"
        r"|get_secret|read_secret(?:_version)?|get_frozen_credentials|get_session_token|get_credentials|get_parameters?"
        r"|getParameters?|get_authorization_token|generate_db_auth_token)\((?:[^()]|\([^()]*\))*\)"
    ),
    r"\bDotenv\.(?:load|parse)!?(?:\([^)]*\))?",
    r"\bdotenv_values\((?![^)]*\.(?:example|sample|template|dist))[^)]*\)|require\(['\"]dotenv['\"]\)\.config\([^)]*\)(?:\.parsed)?",
    r"credentials\.(?:secret_key_base|dig\([^)]*\)|fetch\([^)]*\)|config|\w*(?:password|secret|token|key)\w*)",
    r"(?:boto3\.Session\(\)|\bsession)\.get_credentials\(\)(?:\.\w+)*",
    r"load_file\(['\"]config/(?:database|secrets)\.yml['\"]\)",
)
_IMPORTED = (
    r"\bfrom\s+[\w.]*(?:conf(?:ig)?|settings|secrets|credentials|constants|env)"
    r"\s+import\s+\(?([^;\n()]+)"
)
_NO_VALUES = (
    r"(?:\bfor\s+\w+\s+in\s+os\.environ\b(?!\.)|\bin\s+process\.env\b|list\(os\.environ\)|\.keys\b|\bkeys\s*[(%]|Object\.keys|sorted\(os\.environ\)"
    r"|\.each_key|names\()"
)
_WHOLE = (
    r"(?<![\w.])(?:process\.env|Bun\.env|os\.environ|ENV|%ENV|\$_ENV|\$_SERVER|ENVIRON)"
    r"(?![\w\[{]|\.(?:get|\w*key\w*|fetch|has\w*|include\?|setdefault|update|copy)\b)"
    r"|System\.getenv\(\)|Sys\.getenv\(\)|Deno\.env\.toObject\(\)"
)
_PLAINLY_WHOLE = (
    r"(?<![\w.])(?<!= )(?<!\}=)(?:process\.env|Bun\.env|os\.environ(?:\.(?:items|values)\(\))?)"
    r"(?!\s*(?:\?\.|[\w.\[]))"
    r"|(?<![\w.])(?:%ENV\b|\$_ENV\b(?!\s*\[)"
    r"|ENV\.(?:to_h|to_a|each(?:_pair)?|map|sort(?:_by)?|inspect|select|values)\b|getenv\(\s*\)"
    r"|System\.getenv\(\)|Sys\.getenv\(\)|Deno\.env\.toObject\(\))|(?<=p )ENV\b(?![.\[\w])"
)
"""The environment as a value: not a part of it, nor what a program is started with."""

_GOES_THROUGH = (
    r"\bin\s+\(?(?:sorted\(|list\()?(?:os\.environ|ENVIRON|process\.env)\b|\bdotenv\b"
    r"|\bkeys[\s(]+%ENV\b|\bENV\.(?:keys|each_key)\b|Object\.keys\(process\.env\)"
)
_COMPUTED = rf"(?:{_ENVIRONMENT})(?:\.get)?\s*[\[({{]\s*\$?\w+\s*[\])}}]"
"""A variable of the environment whose name is computed."""

_TELLING = rf"(?i)(?<!\w){NAME}|TOKEN|SECRET|PASSW|_KEY\b|\bKEY\b|CREDENTIAL"
_READS = (
    r"(?i:open|read|slurp|load|parse|file|path|getline|lines|connect|foreach|extract|require|\bcat\b|include|get-content"
    r"|insert-file|\.text\()"
)
_MASKS = (
    rf"\bfor\s+[\w,\s{_SIGN}]*?\bin\s+{_SIGN}",
    rf"!!?\s*{_SIGN}[\w.]*|typeof\s+{_SIGN}",
    rf"{_SIGN}[^;\n]*?(?:\?(?![.\w])[^:;\n]*:|\band\b|&&)",
    rf"\bif\s+(?:not\s+)?{_SIGN}[^;\n]*?\belse\b|\bif\s+(?:not\s+)?{_SIGN}\s*$",
    rf"{_SIGN}\s*(?:is\s+(?:not\s+)?None|[!=]==?)\s*[^\s),;]*|[!=]==?\s*{_SIGN}",
    rf"(?:not\s+)?\bin\s+{_SIGN}",
)
"""What only asks whether there is a secret."""

_LEFT_OF_SIGN = r"\.?\s{0,8}(?:split|partition)\(['\"]=['\"][^)]*\)\s*\[\s*0\s*\]"
_PLAIN_PART = (
    r"(?i)(?:\[\s*|\.get\(\s*)['\"](?:region|output|format|profile|source_profile|role_arn|repository|registry"
    r"|index-servers|credsStore|currentContext|current-context|host|hostname|port|username|user|email)['\"]"
    r"(?:\s*,[^()\[\]]*)?\s*[\])]"
)
"""A part of a file with secrets that is none: ``credentials["default"]["region"]``."""

_PARTS_OF_SIGN = rf"{_SIGN}(?:\[[^\[\]()\n]*\])+"
_HIDES = (
    r"(?:length|len|size|count|exists?\w*|is_file|is_\w+|isfile|stat\w*|starts_?[wW]ith\??|empty\?|nil\?|present\?"
    r"|blank\?|keys?\??|has\w*|include\?)$"
)
"""Methods of a secret that show nothing of it."""

_PASSES = (
    r"(?i)(?:^|[._!]|\b(?=sqlite))(?:open|read\w*!?|slurp|(?:safe_)?load\w*|parse\w*|file\w*!?|(?:pure)?path\w*|expand\w*|join|str"
    r"|dict|list|tuple|sorted|set|repr|json|dumps?|stringify|bytes|\w*b64\w*|\w*base64\w*|decode\w*|encode\w*|format"
    r"|strip|r?trim|split\w*|lines?|items|entries|values|getline|cat|text|to_?string|string|buffer|from|await|quote"
    r"|resolve|home\w*|require|chomp|inspect|map|filter|reversed|upper|lower|slice|sub\w*|copy|iter|next"
    r"|enumerate|zip|parse_ini_\w+|file_get_contents|pretty\w*|sqlite3?\.connect|find\w*|match|search|extract\w*|dumper|each\w*|foreach|config|include|raw|object|fromentries)!?$"
)
"""Calls that return what they are given, or what is in the file that they are given."""

_ANSWERS = r"(?i)(?:^|[._])(?:read\w*|load\w*|find\w*|search|open)!?$"
_USED = (
    r"(?i)\b(?:headers|auth|\w*token|password|api_?key|\w*secret\w*|credentials|cookies|con|dsn|login)"
    r"\s*[=:]\s*(?:\{[^{}]*\}|\[[^\[\]]*\]|[^,]*)"
)
"""What calls that fetch something are given to be let in: it is not in what they return."""

_PRINTS = (
    r"(?:^|[.\s(>])(?:print(?:ln|f|_r)?|puts|pprint|echo|say|warn\w*|die|write\w*|\w*Error|\w*Exception|SystemExit|log(?:ging|ger)?\.\w+|debug|info|warning|error|critical|exception|cat|readfile|highlight_file|inspect|message|princ|var_dump|exit"
    r"|console\.\w+|pp?|Write-(?:Output|Host)|Println|Printf|Print)$"
)
_TO_STDOUT = r"stdout(?!\s*[=:])"
"""An argument; ``stdout=`` is where a program that is started prints."""

_SAYS = (
    r"(?:^|[\s{(\[])(?:print|printf|println|puts|pp?|echo|say|warn|die|IO\.\w+|Write-Output|Write-Host)\s+"
    rf"(?:[^;\n]*\W)?{_SIGN}"
)
"""A print without parentheses."""

_CALL = rf"([\w.!?:$>{_SIGN}-]{{0,80}})\s*\(([^()]*)\)"
_ASSIGNS = (
    r"(?s)^\s*(?:(?:const|let|var|my|our|local|final|def|val|set)\s+)?[{\[(]?\s*([\w$@%,: ]+?)\s*[}\])]?"
    r"\s*(?::\s*\w+\s*)?(?::=|=(?![=>~])|<-|\+=)(.*)$"
)
_BINDS = (
    (
        r"\bfor(?:each)?\s*\(?\s*(?:(?:const|let|my)\s+)?[\[(]?\s*([\w$, ]+?)\s*[\])]?\s+(?:of|in)\s+(.*)",
        1,
        2,
    ),
    (r"\bwith\s+(.*)\s+as\s+(\w+)", 2, 1),
    (r"\bforeach\s*\(\s*(.*)\s+as\s+(?:\$\w+\s*=>\s*)?(\$\w+)", 2, 1),
    (rf"\bopen\(?\s*(?:my\s+)?(\$?\w+)\s*,([^;]*{_SIGN})", 1, 2),
    (rf"\bgetline\s+(\w+)\s*<\s*({_SIGN})", 1, 2),
    (r"\(([\w$, ]+)\)\s*=\s*each\s+(.*)", 1, 2),
    (r"^(.*?)(?:do|\{)\s*\|\s*([\w, ]+)\s*\|", 2, 1),
    (r"^(.*?)\.(?:forEach|map|filter|each)\(\s*\(?\[?\s*([\w, ]+?)\s*\]?\)?\s*=>", 2, 1),
    (rf"^\s*(\w+)\.(?:read\w*|load\w*|parse\w*)\(([^()]*{_SIGN})", 1, 2),
)
"""What takes names for what it goes through: the pattern, the group of the names, and that of the origin."""

_LITERAL = r"(?s)([fF]|\$)?('(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`(?:[^`\\]|\\.)*`)"
_INSERTED = r"\$\{([^{}]*)\}|#\{([^{}]*)\}|\{([^{}]*)\}|([$@%]\w+)|(\\\([^()]*\))"
_NEAR = 8
"""Characters between two parts of a path: ``', '`` or ``" / "``."""

_DESTRUCTURED = (
    rf"(?i)\{{\s*(?:\w+\s*,\s*)*({NAME})\s*(?:,\s*\w+\s*)*\}}\s*="
    rf"\s*(?:process\.env|Bun\.env|{_SIGN})"
)

_MAX_CODE = 16_384
_MAX_STATEMENTS = 400
_MAX_STATEMENT = 2_000
_MAX_HELD = 40
_MAX_CALLS = 40


def line_that_prints(text: str, *, is_printed: bool = False) -> int | None:
    """Return the line, counted from 0, in which code prints a secret value; None if there is none.

    ``is_printed``: the value of the code itself is printed.
    """
    if len(text) > _MAX_CODE:
        return None
    reduced = _without_literals(_marked(text))
    if _SIGN not in reduced:
        return None
    held: list[str] = []
    line = 0
    statements = re.split(r"(?<=[;\n])", reduced.rstrip("; \n\t"))[:_MAX_STATEMENTS]
    for at, statement in enumerate(statements):
        if len(statement) < _MAX_STATEMENT:
            held = [*dict.fromkeys([*held, *_taken(statement, held)])][:_MAX_HELD]
            flow, is_shown = _flow(_with_held(statement, held))
            is_last = is_printed and at == len(statements) - 1
            if is_shown or found_in(_SAYS, flow) or (is_last and _SIGN in flow):
                return line
        line += statement.count("\n") + statement.count(_NEW_LINE)
    return None


def _marked(text: str) -> str:
    """The code with what is secret replaced by a sign."""
    for source in _SOURCES:
        text = compiled(source).sub(_SIGN, text)
    is_telling = found_in(_TELLING, text)
    if is_telling:
        text = compiled(_IMPORTED).sub(_bound, text)
    if is_telling or found_in(_GOES_THROUGH, text):
        text = compiled(_COMPUTED).sub(_SIGN, text)
    if not found_in(_NO_VALUES, text):
        text = compiled(_WHOLE if is_telling else _PLAINLY_WHOLE).sub(_SIGN, text)
    text = compiled(_DESTRUCTURED).sub(rf"\1 = {_SIGN}", text)
    text = _with_files(text) if found_in(_READS, text) else text
    text = compiled(_PLAIN_PART).sub(".length()", text) if _SIGN in text else text
    return compiled(_LEFT_OF_SIGN).sub(".length()", text)


def _bound(imported: re.Match[str]) -> str:
    """Assignments of those imported names that tell of a secret."""
    names = [
        one.split()[-1] for one in imported[1].split(",") if found_in(rf"(?i)^\s*{NAME}\b", one)
    ]
    return "; ".join(f"{name} = {_SIGN}" for name in names)


def _with_files(text: str) -> str:
    """Mark the literals that name a file with secrets, also in parts: ``home / ".aws" / "credentials"``."""
    literals = list(compiled(_LITERAL).finditer(text))
    names = [one[2][1:-1] for one in literals]
    for at in range(len(literals) - 1, -1, -1):
        before = names[at - 1] if at else ""
        is_joined = bool(before) and literals[at].start() - literals[at - 1].end() < _NEAR
        if _is_secret_file(names[at]) or (is_joined and _is_secret_file(f"{before}/{names[at]}")):
            start, end = literals[at].span(2)
            text = f"{text[:start]}{_SIGN}{text[end:]}"
        elif literals[at][1] and "/" in names[at]:
            start, end = literals[at].span(2)
            text = text[:start] + _with_inner_files(literals[at][2]) + text[end:]
    return text


def _with_inner_files(quoted: str) -> str:
    """A literal that is filled in, with the files that are named in what fills it."""
    inner = r"\"[^\"'\n]*\"" if quoted[0] == "'" else r"'[^\"'\n]*'"
    return re.sub(inner, lambda one: _SIGN if _is_secret_file(one[0][1:-1]) else one[0], quoted)


def _is_secret_file(name: str) -> bool:
    if not name or "\n" in name or _SIGN in name:
        return False
    path = re.sub(r"^(?:[$#]?\{[^}]*\}|\$\w+(?:\{\w+\})?|~|file://(?=/))", "/home/x", name)
    path = f"/home/x{path}" if path.startswith("/.") else path
    path = path if path.startswith("/") else "/" + path.removeprefix("./")
    return is_env_file(path) or is_credentials(path)


def _without_literals(text: str) -> str:
    """The code with only those parts of its literals that the language fills in."""
    return compiled(_LITERAL).sub(_inserted, text)


def _inserted(match: re.Match[str]) -> str:
    quoted = match[2]
    lines = _NEW_LINE * quoted.count("\n")
    if _SIGN in quoted:
        return f" {_SIGN} {lines}"
    if quoted[0] == "'" and not match[1]:
        return f"''{lines}"
    found = (" ".join(filter(None, one.groups())) for one in compiled(_INSERTED).finditer(quoted))
    return f"' {' '.join(found)} '{lines}"


def _with_held(text: str, held: Iterable[str]) -> str:
    for name in held:
        pattern = rf"(?<![\w.$@%]){re.escape(name)}(?!\w|\s*=(?![=>]))"
        text = re.sub(pattern, _SIGN, text)
    return text


def _flow(text: str) -> tuple[str, bool]:
    """Reduce calls to what they return; also whether one of them prints a secret."""
    for _ in range(_MAX_CALLS):
        call = compiled(_CALL).search(text)
        if call is None:
            break
        callee, given = call[1], _unmasked(call[2])
        is_given = _SIGN in given
        if is_given and (found_in(_PRINTS, callee) or found_in(_TO_STDOUT, given)):
            return text, True
        if _SIGN in callee:
            is_secret = not found_in(_HIDES, callee)
        else:
            if is_given and found_in(_ANSWERS, callee):
                is_given = _SIGN in compiled(_USED).sub("", given)
            is_secret = is_given and (not callee or found_in(_PASSES, callee))
        text = text[: call.start()] + (_SIGN if is_secret else " ") + text[call.end() :]
        text = compiled(_PARTS_OF_SIGN).sub(_SIGN, text)
    return _unmasked(text), False


def _unmasked(text: str) -> str:
    hidden = compiled(rf"{_SIGN}[\w.\]\['\s]*\.{_HIDES[:-1]}(?!\w)").sub(" ", text)
    for mask in _MASKS:
        hidden = compiled(mask).sub(" ", hidden)
    return hidden


def _taken(statement: str, held: Iterable[str]) -> list[str]:
    """The variables that hold a secret after the statement."""
    found: list[str] = []
    for pattern, names, origin in _BINDS:
        bound = compiled(pattern).search(statement)
        if bound is not None and _SIGN in _flow(_with_held(bound[origin], held))[0]:
            found += _names(bound[names])[-1:]  # of a pair, the second is the value
    assigned = compiled(_ASSIGNS).match(statement)
    if assigned and _SIGN in _flow(_with_held(assigned[2], held))[0]:
        found += _names(assigned[1])
    return found


def _names(text: str) -> list[str]:
    return [one for one in re.findall(r"[$@%]?\w+", text) if not one.isdigit()]


# end of module
