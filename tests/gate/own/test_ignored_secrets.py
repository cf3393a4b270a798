"""A target that cleans a project asks if it deletes secrets that git ignores."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.gate.example_project import ROOT
from tests.tables import for_each

ENV = f"{ROOT}/.env"


def effect(recipe, secrets=(".env",), command="make clean"):
    files = {
        "Makefile": f"clean:\n\t{recipe}\n",
        "package.json": f'{{"scripts": {{"clean": "{recipe}"}}}}',
    }
    ignored = tuple(f"{ROOT}/{one}" for one in secrets)
    given = {**files, **dict.fromkeys(secrets, "A=1\n")}
    return judged(command, given, committed=tuple(files), ignored=ignored).effect


@for_each(
    "recipe",
    [
        *(
            "git clean -fdx",
            "git clean -xdf",
            "git clean -f -d -x",
            "git clean -fdX",
            "git clean -fx",
        ),
        *(
            "@git clean -qffdx",
            "cd . && git clean -fdx",
            "git clean -fdx -e dist",
            "git clean -fdx -e .envrc",
        ),
        *("git clean -fdx -e '!.env'", "git clean -fdx -e .env && git clean -fdX"),
    ],
)
def test_what_deletes_ignored_secrets_asks(recipe):
    assert effect(recipe) == "junction"
    assert effect(recipe.lstrip("@"), command="npm run clean") == "junction"


@for_each(
    ("recipe", "secrets"),
    [
        ("git clean -fdx", ()),
        ("git clean -fdx -e .env", (".env",)),
        ("git clean -fdx --exclude=.env", (".env",)),
        ("git clean -fdx -e '.env*'", (".env", ".env.local")),
        ("git clean -ndx", (".env",)),
        ("git clean -fd", (".env",)),
        ("git clean -fdx", (".env.example",)),
    ],
)
def test_what_leaves_them_does_not(recipe, secrets):
    assert effect(recipe, secrets) == "allow"


# end of module
