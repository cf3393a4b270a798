"""Whether the infrastructure that Terraform describes is all in an emulator of a cloud on this machine.

With LocalStack, a provider has endpoints on this machine, and keys that no cloud knows: what has no endpoint
fails. Owns reading the blocks of a folder and of its modules for that. Does not own the blocks themselves
(``gate.disk.hcl_files``). Pure but for ``Facts``. Loaded for such commands.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate.addresses import is_emulator
from operators_edge.gate.disk.hcl_files import Block, attribute, blocks
from operators_edge.gate.own.container_runs import DUMMY
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext

_MAX_TEXT = 64 * 1024
_MAX_FOLDERS = 24
_PROGRAMS = frozenset(("terraform", "tofu", "opentofu"))
_KINDS = ("aws", "random", "null", "time", "tls", "archive", "terraform")
"""Providers that reach no machine but by the addresses of the first one."""
_OPTIONS = pattern(
    r"-auto-approve|-input=\w+|-no-color|-compact-warnings|-lock(?:-timeout)?=\w+|-parallelism=\d+|-refresh=\w+"
    r"|-var(?:-file)?|-target|-replace|-destroy|-refresh-only|-chdir"
)
_PLAIN_VARIABLES = pattern(r"TF_(?:VAR_\w+|LOG\w*|IN_AUTOMATION|INPUT)")
_STARTS = pattern(
    r"\bprovisioner\b|-exec\b|\"external\"|\bassume_role|\bshared_(?:config|credentials)|\bcloud[ \t]*\{"
    r"|(?m:^[ \t]*(?:provider|resource|data|module|backend)[ \t]+[^\s\"{])"
    r"|(?m:^[ \t]*profile[ \t]*=)"
)
"""What starts programs or names other keys, and labels without quotes, which ``blocks`` does not see."""
_HEREDOC = pattern(r"<<[-~]?[ \t]*(\w+)[^\n]*\n[\s\S]*?^[ \t]*\1\b", re.MULTILINE)
_LITERAL = pattern(r"\s*\"([^\"$%\\]*)\"\s*")
_ADDRESS = pattern(r"(?m)^[ \t]*\w+[ \t]*=[ \t]*\"([^\"$%\\]*)\"[ \t]*$")
_BRACES = pattern(r"\"[^\"\n]*[{}][^\"\n]*\"")
_NESTED = pattern(r"\{[^{}]*\}")


def has_own_cloud(inv: Invocation, context: CallContext) -> bool:
    """Whether all that a command of Terraform changes is in an emulator on this machine."""
    folder = inv.working_folder(context)
    given = {*inv.command.environment, *context.values_by_name()}
    is_plain = (
        os.path.basename(inv.command.argv[0].text) in _PROGRAMS
        and len(inv.operands) == 1  # a plan that is applied may be of another folder
        and all(_OPTIONS.fullmatch(one) for one in _options(inv))
        and all(_PLAIN_VARIABLES.fullmatch(one) for one in given if one.startswith("TF_"))
    )
    if not is_plain or folder is None or context.arrivals or context.moved:
        return False
    texts = _texts(folder, context, set())
    found = [block for text in texts for block in blocks(text or "")]
    return None not in texts and all(map(_is_own, found)) and _has_default(folder, context)


def _options(inv: Invocation) -> Iterator[str]:
    """The options as they stand; of one with a value of any kind, its name."""
    for word in inv.command.argv[1:]:
        name = word.text.partition("=")[0]
        is_named = name.lstrip("-") in ("var", "var-file", "target", "replace", "chdir")
        if word.text[:1] == "-":
            yield f"-{(name if is_named else word.text).lstrip('-')}"


def _texts(folder: str, context: CallContext, seen: set[str]) -> list[str | None]:
    """The files of a folder and of the modules in other ones; None for what is not known."""
    seen.add(folder)
    if len(seen) > _MAX_FOLDERS:
        return [None]
    texts = _of_folder(folder, context)
    for text in list(texts):
        for block in blocks(text or ""):
            if block.kind == "module":
                place = _module(block, folder)
                if place not in seen:
                    texts += _texts(place, context, seen) if place else [None]
    return texts


def _of_folder(folder: str, context: CallContext) -> list[str | None]:
    names = sorted(context.facts.names(folder) or ())
    files = [os.path.join(folder, one) for one in names if one.endswith(".tf")]
    is_all = bool(files) and not any(one.endswith((".tf.json", ".tofu")) for one in names)
    if not is_all:
        return [None]
    return [_text(one, context) for one in files]


def _module(block: Block, folder: str) -> str:
    """The folder of a module; "" for one from elsewhere."""
    source = _LITERAL.fullmatch(attribute(_top(block.body), "source"))
    is_here = source is not None and source[1].startswith(("./", "../"))
    return os.path.normpath(os.path.join(folder, source[1])) if source and is_here else ""


def _text(path: str, context: CallContext) -> str | None:
    """A file of the project that the line leaves as it is, if nothing in it starts programs."""
    if context.is_changed(path) or not context.is_inside(context.real(path), (context.root,)):
        return None
    text = context.facts.text(path, _MAX_TEXT + 1)
    return None if text is None or len(text) > _MAX_TEXT or _STARTS.search(text) else text


def _has_default(folder: str, context: CallContext) -> bool:
    """Whether the provider that is used without being named is one of the folder's own."""
    texts = [_HEREDOC.sub('""', one or "") for one in _of_folder(folder, context)]
    return any(
        block.kind == "provider"
        and block.labels == ("aws",)
        and not attribute(_top(block.body), "alias")
        for one in texts
        for block in blocks(one)
    )


def _is_own(block: Block) -> bool:
    """Whether a block reaches nothing but an emulator."""
    label = block.labels[0] if block.labels else ""
    if block.kind in ("resource", "data"):
        return label.partition("_")[0] in _KINDS and label != "terraform_remote_state"
    if block.kind == "backend":
        place = attribute(_top(block.body), "path")
        named = _LITERAL.fullmatch(place)
        is_near = named is not None and named[1][:1] != "/" and ".." not in named[1]
        return label == "local" and (not place.strip() or is_near)
    if block.kind == "provider":
        return label in _KINDS and (label != "aws" or _is_emulated(block.body))
    return True


def _is_emulated(body: str) -> bool:
    """Whether a provider has keys that no cloud knows, and endpoints on this machine alone."""
    if _BRACES.search(body):
        return False
    top = _top(body)
    keys = [_LITERAL.fullmatch(attribute(top, one)) for one in ("access_key", "secret_key")]
    if not all(one is not None and DUMMY.fullmatch(one[1]) for one in keys):
        return False
    ends = [block.body for block in blocks(body) if block.kind == "endpoints"]
    lines = [line for one in ends for line in one.split("\n") if line.strip()]
    places = [_ADDRESS.fullmatch(one) for one in lines]
    return bool(places) and all(one is not None and is_emulator(one[1]) for one in places)


def _top(body: str) -> str:
    """What of a block is in none of its blocks or maps."""
    body = _BRACES.sub('"$"', body)
    while (shorter := _NESTED.sub("", body)) != body:
        body = shorter
    return body


# end of module
