"""What a sourced file of settings assigns is known in the rest of the text."""

from __future__ import annotations

from tests.gate.test_follow import judged
from tests.tables import for_each

RUN = {
    "x.sh": '. ./x.conf\nargs=(-a)\n[ "$CLEAN" = yes ] && args+=(--delete)\n'
    'rsync "${args[@]}" site/ "$TO"\n'
}
APPLY = {
    "x.sh": 'source "env/$1.sh"\ncase $MODE in\n  plan) terraform plan ;;\n  *) terraform destroy ;;\nesac\n'
}
FILL = "set -a; . ./x.env; set +a; envsubst < x.tpl | sh"
CASES = [
    ("bash x.sh", {**RUN, "x.conf": "TO=web1:/srv\nCLEAN=yes\n"}, "junction"),
    ("bash x.sh", {**RUN, "x.conf": "TO=out/\nCLEAN=no\n"}, "allow"),
    ("bash x.sh one", {**APPLY, "env/one.sh": "# one\nexport MODE='plan'\n"}, "allow"),
    ("bash x.sh one", {**APPLY, "env/one.sh": "MODE=apply\n"}, "junction"),
    ("bash x.sh two", {**APPLY, "env/one.sh": "MODE=plan\n"}, "junction"),
    ("bash x.sh one", {**APPLY, "env/one.sh": "MODE=plan\nMODE=$(cat mode)\n"}, "junction"),
    (FILL, {"x.tpl": "kubectl $ACT ns $NS\n", "x.env": "ACT=delete\nNS=a\n"}, "junction"),
    (FILL, {"x.tpl": "kubectl $ACT ns $NS\n", "x.env": "ACT=get\nNS=a\n"}, "allow"),
    (FILL, {"x.tpl": "kubectl $ACT ns $NS\n", "x.env": "ACT=$(cat act)\nNS=a\n"}, "junction"),
    (
        "echo MODE=destroy > env/one.sh; bash x.sh one",
        {**APPLY, "env/one.sh": "MODE=plan\n"},
        "junction",
    ),
]


@for_each(("command", "files", "effect"), CASES)
def test_settings_that_a_text_sources_are_known_in_it(command, files, effect):
    assert judged(command, files, committed=tuple(files)).effect == effect


# end of module
