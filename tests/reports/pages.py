"""A project with a log to make pages of, and what a reader finds on a page."""

import json
import re
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser

from operators_edge.evidence.session_facts import tool_entry
from operators_edge.project import Project

PLAN = """schema_version: 4
objective: Refund a part
plan:
- description: Write it
  status: completed
  proof: done
- description: Document it
  status: pending
constraints: []
"""


class Clock:
    """Seven seconds pass with each look."""

    def __init__(self):
        self.now = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

    def __call__(self):
        self.now += timedelta(seconds=7)
        return self.now


def project_at(root, state=PLAN):
    with open(f"{root}/active_context.yaml", "w", encoding="utf-8") as file:
        file.write(state)
    return Project(str(root), is_set_up=True, clock=Clock())


def call(tool="Bash", text="ls", *, ok=True, session="s1", cwd="/p", **more):
    """The entry of a tool call; ``text`` is its command or its file."""
    given = {"command": text} if tool == "Bash" else {"file_path": text}
    raw = {"event": "tool", "session": session, "tool": tool, "success": ok, "input": given}
    return tool_entry({**raw, "cwd": cwd, **more})


def check(name, *, ok, command=""):
    result = {"kind": "test", "name": name, "passed": ok, "counts": {"passed": 3}}
    return call(text=command or name, ok=bool(ok), data={"check": result})


def event(name, /, session="s1", **data):
    return {"event": name, "session": session, "data": data}


class Page(HTMLParser):
    """Tags with their attributes, the texts of elements with an id, and scripts."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.said = [], []
        self._open = []
        self.scripts = {}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.tags.append((tag, found))
        self._open.append((tag, found))

    def handle_endtag(self, tag):
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        tag, attrs = self._open[-1] if self._open else ("", {})
        if tag == "script":
            self.scripts[attrs.get("id", "")] = data
        elif tag != "style":
            self.said.append(data)

    @property
    def text(self):
        return " ".join("".join(self.said).split())

    def section(self, ident):
        """The words of a card."""
        words = self.text
        titles = [
            *("Could not be found out", "Where it went wrong", "What was asked"),
            *("What was decided, by whom", "What changed", "Which checks ran"),
            *(
                "Claims beside evidence",
                "Sessions and their phases",
                "Every entry",
                "About this page",
            ),
        ]
        start = words.index(ident)
        ends = [words.find(each, start + 1) for each in titles]
        return words[start : min([each for each in ends if each > 0], default=None)]

    @property
    def lines(self):
        return json.loads(self.scripts["lines"])

    def details(self, row):
        return json.loads(self.scripts[f"d{row // 1000}"]).get(str(row % 1000))

    @property
    def subjects(self):
        return self.lines["x"]


def page_of(written):
    with open(written.path, encoding="utf-8") as file:
        return Page(file.read())


HANDLER = re.compile(r"on\w+")
