"""Two measured facts, as a card gets them: a forced push and a deletion."""

PUSH = {
    "kind": "commits",
    "act": "push",
    "remote": "origin",
    "host": "github.com",
    "path": "acme/shop",
    "refs": [
        {
            "name": "main",
            "publishes": 3,
            "subjects": ["a1 one", "b2 two"],
            "loses": 2,
            "lost": ["c3 three"],
            "sha": "c3",
        }
    ],
    "fetched": 3 * 86400,
}
FILES = {"kind": "files", "act": "delete", "files": 12, "bytes": 3_400_000}
