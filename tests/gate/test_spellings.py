"""The same effect gets the same verdict, however it is written, under each profile (GA-12)."""

from __future__ import annotations

from tests.gate.example_project import PLACE, ROOT, RULES, Machine
from tests.tables import for_each

from operators_edge.gate.decide import assess
from operators_edge.model import PROFILES, Call

EFFECTS = {
    "a file is emptied": (
        {"strict": "block", "contextual": "junction"},
        (
            "> README.md",
            ": > README.md",
            "true >| README.md",
            "echo -n > README.md",
            "printf '' > README.md",
            "cat /dev/null > README.md",
            "cat < /dev/null > README.md",
            "head -c 0 x > README.md",
            "truncate -s 0 README.md",
            "truncate -s0 README.md",
            "cp /dev/null README.md",
            "install /dev/null README.md",
            "tee README.md < /dev/null",
            ": | tee README.md",
            "dd if=/dev/null of=README.md",
            "sed -i d README.md",
            "perl -i -ne '' README.md",
            "bash -c '> README.md'",
            "python3 -c \"open('README.md', 'w').close()\"",
            "node -e \"require('fs').writeFileSync('README.md', '')\"",
            "ruby -e \"File.write('README.md', '')\"",
        ),
    ),
    "a folder is deleted": (
        {"strict": "block", "contextual": "junction"},
        (
            "rm -rf src",
            "rm -r src",
            "rm --recursive src",
            "find src -delete",
            "find src -type f -delete",
            "rimraf src",
            "npx rimraf src",
            "npx shx rm -rf src",
            "cmake -E remove_directory src",
            "cmake -E rm -r src",
            "bash -c 'rm -rf src'",
            "python3 -c \"import shutil; shutil.rmtree('src')\"",
            "node -e \"require('fs').rmSync('src', {recursive: true})\"",
            "ruby -e \"require 'fileutils'; FileUtils.rm_rf('src')\"",
            "Remove-Item -Recurse src",
            "rd /s /q src",
        ),
    ),
    "changes are discarded": (
        {"strict": "junction", "contextual": "junction"},
        (
            "git checkout .",
            "git checkout -- .",
            "git checkout HEAD -- .",
            "git checkout -f",
            "git restore .",
            "git restore -SW .",
            "git reset --hard",
            "git reset --hard HEAD",
            "git switch -f main",
            "git read-tree -u --reset HEAD",
            "git checkout-index -f -a",
            "git rm -f README.md",
        ),
    ),
    "untracked files are deleted": (
        {"strict": "block", "contextual": "junction"},
        ("git clean -fd", "git clean -dff", "git -C src clean -fdx", "git clean -f -d src"),
    ),
    "the home folder is deleted": (
        {"strict": "block", "contextual": "block"},
        (
            "rm -rf ~",
            "rm -rf ~/",
            "rm -rf $HOME",
            "rm -rf /home/ann",
            "rm -rf ~/*",
            "cd ~ && rm -rf ./*",
            "rimraf ~",
            "find ~ -delete",
            "sudo rm -rf ~",
            "python3 -c \"import shutil; shutil.rmtree('/home/ann')\"",
        ),
    ),
    "a system folder is deleted": (
        {"strict": "block", "contextual": "block"},
        ("rm -rf /etc", "rm -rf /etc/*", "find /usr -delete", "rm -rf / --no-preserve-root"),
    ),
    "the whole project is deleted": (
        {"strict": "block", "contextual": "block"},
        (
            "rm -rf .",
            "rm -rf ./",
            "rm -rf ../shop",
            "find . -delete",
            "rm -rf .git",
            "cd .. && rm -rf shop",
        ),
    ),
}
CASES = [
    (line, profile, expected[profile])
    for expected, lines in EFFECTS.values()
    for line in lines
    for profile in PROFILES
]


@for_each(("line", "profile", "effect"), CASES)
def test_one_effect_has_one_verdict_in_every_spelling(line, profile, effect):
    call = Call("Bash", {"command": line}, ROOT)
    assert assess(call, PLACE, Machine(), RULES.with_profile(profile)).effect == effect
