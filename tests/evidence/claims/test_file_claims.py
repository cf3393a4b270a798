"""What words claim of files: a verb must govern the name; a mention is no claim."""

from tests.tables import for_each

from operators_edge.evidence.claims.file_claims import FileClaim, claims_in

SAID = {
    "Update src/a.py": [("changed", "src/a.py")],
    "Updated `src/a.py` and `src/b.py`": [("changed", "src/a.py"), ("changed", "src/b.py")],
    "Update README.md, CHANGELOG.md and docs/a.md": [
        ("changed", "README.md"),
        ("changed", "CHANGELOG.md"),
        ("changed", "docs/a.md"),
    ],
    "Created tests/test_a.py": [("created", "tests/test_a.py")],
    "Add new file src/new.py": [("created", "src/new.py")],
    "Write tests/test_x.py covering parse": [("created", "tests/test_x.py")],
    "Add logging to src/a.py": [("changed", "src/a.py")],
    "Implemented parse() in src/parser.py": [("changed", "src/parser.py")],
    "Write summary to notes.md": [("changed", "notes.md")],
    "Refactor src/a.py into smaller functions": [("changed", "src/a.py")],
    "Changed src/a.py:12": [("changed", "src/a.py")],
    "Delete src/old.py": [("removed", "src/old.py")],
    "Update package.json version": [("changed", "package.json")],
    "src/a.py updated": [("changed", "src/a.py")],
    "✅ src/a.py and src/b.py were updated.": [("changed", "src/a.py"), ("changed", "src/b.py")],
    "docs/adr/0001.md written": [("created", "docs/adr/0001.md")],
    "src/old.py removed, as agreed": [("removed", "src/old.py")],
    "New file: src/c.py": [("created", "src/c.py")],
    "Updated:\n- src/a.py\n- src/b.py: two lines": [
        ("changed", "src/a.py"),
        ("changed", "src/b.py"),
    ],
    "Modified files:\n1. src/a.py\nSee:\n- src/b.py": [("changed", "src/a.py")],
}

NOT_SAID = """
Add tests for src/a.py
Remove unused import from src/a.py
Remove references to src/old.py
Fix bug in src/a.py
Review src/a.py
See src/a.py
Use node.js 18
Update to version 1.2.3
Add route to example.com/a.py
Create *.py
Create src/{a,b}.py
Add parser (src/parser.py)
Did not change src/a.py
Move helper from src/a.py to src/b.py
Update https://x.com/a.py
Update ~/.bashrc.sh
Update /etc/hosts.conf
Consider updating src/a.py
Plan to update src/a.py
Generate the client from schema.json
Read src/a.py and change nothing
Write an issue about src/a.py
Update src/a.py on the staging server
Datei src/a.py wurde erstellt und geändert
Should we update src/a.py?
Add "update src/a.py" to the list
Follow-up: update src/a.py
The caller should update src/a.py
We still need to update src/a.py
Compared three ways: write src/a.py by hand, use a generator
Use a generator or change src/a.py
Documented src/a.py
import of src/a.py removed
After src/a.py changed on disk, ran it
src/a.py updated itself
src/a.py is generated
Removed src/a.py from the Makefile
Add a link to src/a.py
Write a note about src/a.py in the wiki
""".strip().splitlines()


@for_each(("text", "found"), SAID.items())
def test_a_verb_that_governs_a_file_claims_it(text, found):
    assert [(each.action, each.path) for each in claims_in(text)] == found


@for_each("text", NOT_SAID)
def test_a_mention_a_plan_a_site_or_a_pattern_claims_no_file(text):
    assert claims_in(text) == ()


def test_a_file_that_is_renamed_is_claimed_under_both_names():
    assert claims_in("Rename src/a.py to src/b.py") == (
        FileClaim("renamed", "src/a.py", "src/b.py"),
    )
    assert claims_in("Rename src/a.py") == ()
