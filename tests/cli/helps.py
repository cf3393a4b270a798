"""What a help of the command line shows, taken apart."""

import re
import shlex


def examples(parser):
    """The words of each command line that a help gives for an example, as a shell cuts them."""
    for line in parser.epilog.replace("%(prog)s", parser.prog).splitlines():
        for part in re.split(r"\s{3,}|; |\(or: ", line.strip()):
            if part.startswith("edge "):
                yield shlex.split(re.split("[<>|]", part)[0].rstrip(")"))[1:]
