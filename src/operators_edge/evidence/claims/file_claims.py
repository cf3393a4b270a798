"""What the words of a step claim of files: that they were created, changed, removed, renamed.

Pure. A mention is no claim: only a verb that governs the file's name makes one. Owns that reading;
does not own whether it happened (``evidence.claims.contradictions``).
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from operators_edge.evidence.claims.parsing import any_of, clauses, is_read, unquoted

Deed = Literal["created", "changed", "removed", "renamed"]


class Touched(NamedTuple):
    """A file is said to have been created, changed, removed, or renamed (``to``)."""

    deed: Deed
    path: str
    to: str = ""


_WORDS: dict[Deed, str] = {
    "created": """create creates created write writes wrote written generate generated scaffold
    scaffolded add adds
    added""",
    "changed": """update updates updated edit edits edited modify modifies modified change changes
    changed refactor
    refactors refactored rewrite rewrites rewrote rewritten extend extended adjust adjusted patch patched
    clean cleaned
    simplify simplified annotate annotated reformat reformatted""",
    "removed": "delete deletes deleted remove removes removed drop dropped",
    "renamed": "rename renames renamed move moves moved",
}
_DEEDS: dict[str, Deed] = {word: deed for deed, words in _WORDS.items() for word in words.split()}

_SUFFIXES = any_of("""
    py pyi pyx js jsx mjs cjs ts tsx mts cts vue svelte go rs java kt kts scala groovy c cc cpp cxx h hpp
    cs fs vb rb
    php ex exs erl hs ml clj dart swift m mm lua pl pm r jl zig nim sh bash zsh fish ps1 bat sql graphql
    proto tf html
    htm css scss sass less md mdx rst txt adoc json jsonc json5 yaml yml toml ini cfg conf xml csv tsv
    lock gradle
    cmake mk dockerfile ipynb snap svg
""")
_BARE = r"(?:[\w@.+-]+/)*[\w@+.-]*[\w+-]\.(?:" + _SUFFIXES + ")"
_ENDS = r"(?::\d+(?:[-:]\d+)?)?`?(?![\w/*{(<]|\.\w|-\w)"
_PATH = rf"`?{_BARE}{_ENDS}"
_NAMED = re.compile(rf"`?(?P<path>{_BARE}){_ENDS}")
_MORE = rf"(?:\s*(?:,|,?\s*and|&|\+)\s*{_PATH})*"
_DETERMINERS = (
    r"(?:(?:"
    + any_of("""
    the a an new existing our this old unused obsolete stale legacy empty file files module script
    document page
    component class helper test_file test tests config configuration template both doc docs
    """)
    + r")\s+)*"
)
_BEGINS = r"(?i)(?:^|(?<=[\s,;:(]))"
_DIRECT = re.compile(
    _BEGINS
    + rf"(?P<verb>{'|'.join(_DEEDS)})\s*:?\s+{_DETERMINERS}(?P<list>{_PATH}{_MORE})"
    + r"(?:\s+(?:to|→|->|into|as|=>)\s+`?(?P<to>[\w@./+-]+)`?)?"
)
_INTO = re.compile(
    _BEGINS
    + r"(?:(?P<put>"
    + any_of(
        "adds? added insert(?:ed)? append(?:ed)? put write wrote written implement(?:ed)? defined?"
    )
    + r")|(?P<edit>"
    + any_of("updated? changed? refactor(?:ed)? edit(?:ed)? modify modified renamed? replaced?")
    + r"))\s+(?P<object>(?:[\w`'\"().-]+\s+){1,6}?)(?P<prep>to|into|in|inside)\s+(?:the\s+)?(?:file\s+)?"
    + rf"`?(?P<path>{_BARE}){_ENDS}"
)
_ABOUT = re.compile(
    r"(?i)\b(?:"
    + any_of("""
    for of from about like using with when that which how via by based references? links? mentions? see
    per against
    import\\w* issue bug ticket link note todo
    """)
    + r")\b"
)
_NO_DEED = re.compile(
    r"(?i)\b(?:"
    + any_of("""
    not never no_need without would could might may if unless plan\\w* consider\\w* propos\\w*
    suggest\\w* todo later
    instead decid\\w* wants? try tried revert\\w* undo undid undone unchanged untouched already
    previously before
    earlier skip\\w* review\\w* read check\\w* inspect\\w* how whether example pretend mock upstream
    remote server
    container docker staging production prod s3 bucket wiki gist temp temporary branch worktree stash\\w*
    repo
    repository submodule another follow-?ups? options? alternatives? either compar\\w*
    """)
    + r")\b|\?|n't\b|e\.g\."
)
_THINGS = re.compile(
    r"(?i)^(?:"
    + any_of("""
    node next vue nuxt express three d3 chart moment react angular ember backbone alpine socket p5 bun
    deno solid
    preact svelte nest electron discord asp require handlebars knockout day luxon immutable highlight
    video rx
    underscore plotly leaflet pdf paper matter phaser babylon brain tensorflow ml5 sails koa hapi strapi
    ghost meteor
    gatsby remix astro qwik lit polymer mithril riot inferno marko stimulus turbo hotwire
    """)
    + r")\.(?:js|ts)$"
)
_SITE = re.compile(r"\.(?:com|org|net|io|dev|ai|co|app|gov|edu)$")


_EXPLAINS = re.compile(
    r"(?i)\b(?:"
    + any_of("""
    already exist\\w* existed no_changes? unchanged untouched not nothing never n/a unnecessary obsolete
    superseded
    instead decid\\w* skip\\w* merged moved elsewhere different\\w* manually revert\\w* upstream covered
    redundant
    dropped removed unneeded other another
    """)
    + r")\b|n't\b"
)


def explains(said: str) -> bool:
    """Whether a proof tells why a file that a step names is as it was, or lies elsewhere."""
    return not is_read(said) or _EXPLAINS.search(said) is not None


_WANTED = re.compile(
    r"(?i)\b(?:should|must|will|shall|(?:need|needs|needed|have|has|had|remains|going|still)\s+to|to\s+be|or"
    r"|or\s+to|next)\W*$"
)
"""What stands before a deed that is only wanted, or one of several ways."""

_FROM_A_LIST = re.compile(
    r"(?i)\s+from\s+(?!(?:the\s+)?(?:repo\w*|project|disk|tree|source\w*|codebase|git)\b)"
)
"""What is taken out of another file: its name there, and not the file."""

_HEADING = re.compile(
    rf"(?i)^\W*(?:files?\s+)?(?P<verb>{'|'.join(_DEEDS)})(?:\s+(?:the\s+)?(?:following\s+)?files?)?\s*:$"
)
_ITEM = re.compile(rf"^(?:[-*•+]|\d\))?\s*(?P<list>{_PATH})\s*(?:$|[(:\u2013\u2014-])")
_NUMBER = re.compile(r"\d+\.")
_DONE_TO = re.compile(
    rf"(?i)^[^\w`/]*(?P<list>{_PATH}{_MORE})\s+(?:(?:was|were|has|have|been|all|both|now)\s+)*"
    r"(?P<verb>updated|edited|modified|changed|refactored|rewritten|extended|reformatted|created|written"
    r"|generated|deleted|removed)\s*(?:$|[.,:(])"
)
_NEW = re.compile(
    rf"(?i)^\W*new\s+(?:file|module|script)s?:?\s+(?P<list>{_PATH}{_MORE})\s*(?:$|[.,:(])"
    rf"|^[^\w`/]*(?P<shown>{_PATH})\s*\(new(?:\s+file)?\)"
)


def touched(text: str) -> tuple[Touched, ...]:
    """The files that a completed step's words say were touched."""
    if not is_read(text):
        return ()
    found: dict[Touched, None] = {}
    heading = None
    for clause in clauses(unquoted(text)):
        item = _ITEM.match(clause) if heading else None
        if item and heading and not _NO_DEED.search(clause):
            found |= dict.fromkeys(_all(_DEEDS[heading["verb"].lower()], item["list"]))
            continue
        if heading and _NUMBER.fullmatch(clause):
            continue
        heading = _HEADING.match(clause)
        if not _NO_DEED.search(clause):
            found |= dict.fromkeys([*_direct(clause), *_done(clause), *_into(clause)])
    return tuple(found)


def _done(clause: str) -> list[Touched]:
    """Such as "src/a.py and src/b.py were updated", "New file: src/c.py"."""
    one = _DONE_TO.match(clause)
    new = _NEW.match(clause)
    return [
        *(_all(_DONE.get(one["verb"].lower(), "changed"), one["list"]) if one else ()),
        *(_all("created", new["list"] or new["shown"]) if new else ()),
    ]


_DONE: dict[str, Deed] = {
    "created": "created",
    "written": "created",
    "generated": "created",
    "deleted": "removed",
    "removed": "removed",
}


def _all(deed: Deed, listed: str, to: str = "") -> list[Touched]:
    paths = [each["path"] for each in _NAMED.finditer(listed)]
    if deed == "renamed" and not to:
        return []
    return [Touched(deed, path, to) for path in paths if _is_file(path)]


def _direct(clause: str) -> list[Touched]:
    """Such as "Update src/a.py and src/b.py", "Rename a.py to b.py"."""
    out = []
    for one in _DIRECT.finditer(clause):
        deed = _DEEDS[one["verb"].lower()]
        to = (one["to"] or "").rstrip(".") if deed == "renamed" else ""
        is_entry = deed == "removed" and _FROM_A_LIST.match(clause[one.end() :])
        if not is_entry and not _WANTED.search(clause[: one.start()]):
            out += _all(deed, one["list"], to)
    return out


def _into(clause: str) -> list[Touched]:
    """Such as "Add logging to src/a.py", "Refactor the loop in src/a.py"."""
    return [
        Touched("changed", one["path"])
        for one in _INTO.finditer(clause)
        if not _ABOUT.search(one["object"])
        and not _WANTED.search(clause[: one.start()])
        and not (one["edit"] and one["prep"].lower() in ("to", "into"))
        and _is_file(one["path"])
    ]


def _is_file(path: str) -> bool:
    """A name that can only mean a file of the project."""
    if path.startswith(("/", "~", "..", "-")) or "://" in path or "..." in path:
        return False
    parts = path.split("/")
    if len(parts) == 1:
        return not _THINGS.match(path) and not re.fullmatch(r"v?\d+(?:\.\d+)*\.\w", path)
    return not _SITE.search(parts[0].lower())
