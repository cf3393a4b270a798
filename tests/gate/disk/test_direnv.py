"""What direnv gives to a command is known from a file that git holds."""

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

MAKE = "x:\n\tkubectl --context $(CTX) delete namespace shop\n"
NEAR, FAR = "export CTX=kind-a\nPATH_add bin\n", "export CTX=prod\n"
RUN = "direnv exec . make x"


def files(envrc, **more):
    return {"Makefile": MAKE, ".envrc": envrc, **more}


ROWS = {
    "a cluster of this machine": (RUN, files(NEAR), "allow"),
    "by the folder's name": ('direnv exec "$PWD" make x', files(NEAR), "allow"),
    "from a file of variables": (RUN, files("dotenv\n", **{".env": "CTX=kind-a\n"}), "allow"),
    "another cluster": (RUN, files(FAR), "junction"),
    "set again": (RUN, files(NEAR + FAR), "junction"),
    "set again by a file": (RUN, files(f"{NEAR}dotenv\n", **{".env": "CTX=prod\n"}), "junction"),
    "set again by a program": (RUN, files(f"{NEAR}use our_cluster\n"), "junction"),
    "set again by a file that it sources": (RUN, files(f"{NEAR}source_env ../x\n"), "junction"),
    "on a condition": (RUN, files(f'if [ -n "$CI" ]; then\n{FAR}else\n{NEAR}fi\n'), "junction"),
    "what a program prints": (RUN, files("export CTX=$(pick-context)\n"), "junction"),
    "the line's own is replaced": (f"CTX=kind-a {RUN}", files(FAR), "junction"),
    "not exported": (RUN, files("CTX=kind-a\n"), "junction"),
    "of another folder": ("direnv exec ../b make x", files(NEAR), "junction"),
    "nothing": ("make x", files(NEAR), "junction"),
    "a file that the line writes": (f"echo 'export CTX=prod' >> .envrc && {RUN}", files(NEAR), "junction"),
}  # fmt: skip


@for_each(("command", "given", "effect"), ROWS.values(), ids=list(ROWS))
def test_the_variables_of_direnv_count(command, given, effect):
    assert judged(command, given, committed=tuple(given)).effect == effect


def test_a_file_that_git_does_not_hold_proves_nothing():
    assert judged(RUN, files(NEAR)).effect == "junction"


# end of module
