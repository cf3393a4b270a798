"""Two measured impacts, as a card gets them: a forced push and a deletion."""

PUSH = {
    "kind": "commits",
    "at_stake": [
        "2 commits on main of origin (github.com/acme/shop) would be lost, 3 commits published",
        "lost: c3 three",
        "new: a1 one; b2 two",
        "(as of the last fetch, 3 days ago)",
    ],
    "undo": {
        "can": "partly",
        "how": "git push -f origin c3:main, if nobody pushed there since the last fetch",
    },
}
FILES = {
    "kind": "files",
    "at_stake": ["12 files, 3.4 MB would go"],
    "undo": {"can": "yes", "how": "git restore"},
}
