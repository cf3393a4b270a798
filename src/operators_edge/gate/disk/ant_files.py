"""The targets of an Ant file that a run has, with what they delete and start as elements that hold commands.

``<delete dir="${user.home}/x"/>`` is ``rm -rf /home/ann/x``. Owns which targets run, the values of properties
that are known, and these elements. Does not own reading commands in elements (``gate.disk.loose_commands``).
Pure: text in, text with the same lines out. Loaded for Ant alone.
"""

from __future__ import annotations

import re

from operators_edge.text.patterns import blanked, pattern
from operators_edge.text.xml_comments import without_xml_comments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_TARGET = pattern(
    r"<(?:target|extension-point)\b(?P<given>[^<>]*?)(?:/>|>.*?</(?:target|extension-point)>)",
    re.DOTALL,
)
_ATTRIBUTE = r"\b%s\s*=\s*(?:\"([^\"]*)\"|'([^']*)')"
_PROPERTY = pattern(r"<property\b([^<>]*?)/?>")
_IN_FILE = pattern(r"(?m)^[ \t]*([\w.-]+)[ \t]*[=:][ \t]*(.*?)[ \t\r]*$")
_CALLS = pattern(r"<(?:antcall|runtarget|foreach)\b[^<>]*?\btarget\s*=\s*[\"']([^\"']+)[\"']")
_NAMED = pattern(r"\$\{([\w.-]+)\}")
_DELETES = pattern(r"<delete\b(?P<given>[^<>]*?)(?:/>|>(?P<inside>.*?)</delete>)", re.DOTALL)
_INSIDE = pattern(r"<(?:fileset|dirset|file|filelist)\b([^<>]*)>")
_INCLUDES = pattern(r"<include\b[^<>]*\bname\s*=\s*[\"']([^\"']*)[\"']")
_ALL = frozenset(("**", "**/*", "*", "**/**", "**/*.*"))
_EXEC = pattern(r"<exec\b(?P<given>[^<>]*?)(?:/>|>(?P<inside>.*?)</exec>)", re.DOTALL)
_VALUED = frozenset(
    ("-f", "-file", "-buildfile", "-lib", "-logger", "-listener", "-l", "-logfile", "-s", "-find")
)
_MAX_ROUNDS = 6


def with_commands(
    text: str, words: Sequence[str], home: str, read: Callable[[str], str | None]
) -> str:
    """The text with what a run of these words deletes and starts; other targets are blank.

    ``read`` gives the text of a file of properties; None if it is not known.
    """
    text = _chosen(without_xml_comments(text), words)
    text = _with_properties(text, words, home, read)
    text = _DELETES.sub(_deleted, text)
    return _EXEC.sub(_started, text)


def _of(given: str, name: str) -> str:
    found = re.search(_ATTRIBUTE % name, given)
    return (found[1] or found[2] or "") if found else ""


def _chosen(text: str, words: Sequence[str]) -> str:
    """The text without the targets that are surely not run."""
    targets = {_of(one["given"], "name"): one for one in _TARGET.finditer(text)}
    named = list(_named_targets(words))
    named = named or [_of(text[: text.find(">", text.find("<project")) + 1], "default")]
    if "<import" in text or "<include" in text or not all(one in targets for one in named):
        return text
    left, reached = list(named), set[str]()
    while left:
        name = left.pop()
        if name in reached or name not in targets:
            continue
        reached.add(name)
        found = targets[name]
        needs = re.split(r"\s*,\s*", _of(found["given"], "depends").strip())
        left += [*needs, *_CALLS.findall(found[0])]
        if "${" in "".join(_CALLS.findall(found[0])):
            return text
        left += [one for one, each in targets.items() if _of(each["given"], "extensionOf") == name]
    for name, found in targets.items():
        if name not in reached:
            text = text[: found.start()] + blanked(found[0]) + text[found.end() :]
    return text


def _named_targets(words: Sequence[str]) -> list[str]:
    found, is_value = [], False
    for word in words[1:]:
        if not is_value and word[:1] != "-":
            found.append(word)
        is_value = word in _VALUED
    return found


def _with_properties(
    text: str, words: Sequence[str], home: str, read: Callable[[str], str | None]
) -> str:
    """The text with the values of properties: the first one that is set counts."""
    values = {
        name: value
        for word in words
        if word.startswith("-D")
        for name, _, value in [word[2:].partition("=")]
    }
    values |= {"user.home": home, "basedir": "."}
    for given in _PROPERTY.findall(text):
        name = _of(given, "name")
        value = _of(given, "value") or _of(given, "location")
        if name and value:
            values.setdefault(name, value)
        file = _NAMED.sub(lambda one: values.get(one[1], one[0]), _of(given, "file"))
        for key, text_of_it in _IN_FILE.findall((read(file) if file else None) or ""):
            values.setdefault(key, text_of_it)
        if prefix := _of(given, "environment"):
            values.setdefault(f"{prefix}.HOME", home)
    for _ in range(_MAX_ROUNDS):
        filled = _NAMED.sub(lambda one: values.get(one[1], one[0]), text)
        if filled == text:
            break
        text = filled
    return text


def _deleted(found: re.Match[str]) -> str:
    """What is deleted, as an element that starts a program."""
    inside = found["inside"] or ""
    whole = (found["given"], *_INSIDE.findall(inside))
    names = [
        f"{_of(one, kind)}{_chosen_of(one, inside) if kind == 'dir' else ''}"
        for one in whole
        for kind in ("dir", "file", "name")
        if _of(one, kind)
    ]
    known = (one for one in names if not re.search(r"['\"&;|<>]|\$\{", one))
    paths = " ".join(f"'{one}'" if " " in one else one for one in known)
    run = f'<exec executable="rm"><arg line="-rf {paths}"/></exec>' if paths else ""
    return run + "\n" * found[0].count("\n")


def _chosen_of(given: str, inside: str) -> str:
    """Which files of a folder are meant: all of them, or those of a pattern."""
    names = re.split(r"[\s,]+", _of(given, "includes")) + _INCLUDES.findall(inside)
    chosen = [one for one in names if one]
    return f"/{chosen[0]}" if chosen and not _ALL.issuperset(chosen) else ""


def _started(found: re.Match[str]) -> str:
    """The element of a program with all that it is given in its words."""
    given, inside = found["given"], found["inside"] or ""
    file, text = _of(given, "input"), _of(given, "inputstring")
    inside = re.sub(r"<arg\b([^<>]*?)\b(?:file|path)\s*=", r"<arg\1value=", inside)
    more = f'<arg line="< {file}"/>' if file else ""
    program = _of(given, "executable")
    if text and program in ("sh", "bash", "zsh", "/bin/sh", "/bin/bash"):
        more = f"<arg line=\"-c '{text}'\"/>" if "'" not in text else more
    return f'<exec executable="{program}">{inside}{more}</exec>' + "\n" * (
        found[0].count("\n") - inside.count("\n")
    )


# end of module
