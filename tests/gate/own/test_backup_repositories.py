"""A repository of backups in a temporary folder holds nobody's backups."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.gate.example_project import judge
from tests.tables import for_each

WORK = "w=$(mktemp -d); "
KOPIA = f"{WORK}export KOPIA_CONFIG_PATH=$w/k.cfg; kopia repository create filesystem --path=$w/r; "


@for_each(
    "line",
    [
        f"{WORK}export RESTIC_REPOSITORY=$w/r; restic init; restic forget --keep-last 1 --prune",
        f'{WORK}restic -r $w/r init; restic --repo="$w/r" prune',
        "RESTIC_REPOSITORY=/tmp/r restic prune",
        "cd /tmp && restic -r r forget --prune --keep-last 1",
        f"{WORK}borg init -e none $w/r; borg prune --keep-daily 7 $w/r; borg delete $w/r::a",
        "export BORG_REPO=$(mktemp -d)/r; borg init -e none; borg prune --keep-daily 7; borg delete ::a",
        f"{WORK}duplicity src file://$w/b; duplicity remove-older-than 30D --force file://$w/b",
        f"{KOPIA}kopia snapshot delete x --delete; kopia maintenance run --full",
    ],
)
def test_backups_in_a_temporary_folder_may_be_pruned(line):
    assert judge(line).effect == "allow"


@for_each(
    "line",
    [
        "restic prune",
        "restic -r /srv/r prune",
        "RESTIC_REPOSITORY=/tmp/r; restic prune",
        "export RESTIC_REPOSITORY=/tmp/r; restic -r /srv/r prune",
        "export RESTIC_REPOSITORY=/tmp/r; export RESTIC_REPOSITORY=/srv/r; restic prune",
        "export RESTIC_REPOSITORY=/tmp/r; unset RESTIC_REPOSITORY; restic prune",
        "export RESTIC_REPOSITORY=/tmp/r; restic --repository-file /srv/x prune",
        "export RESTIC_REPOSITORY=/tmp/r RESTIC_REPOSITORY_FILE=x; restic prune",
        "export RESTIC_REPOSITORY=/tmp/r; resticprofile prune",
        "export RESTIC_REPOSITORY=$R; restic prune",
        f"{WORK}ln -s /srv/backup $w/r; restic -r $w/r prune",
        "restic -r /tmp/../srv/r prune",
        "restic -r /tmp/r -r /srv/r prune",
        'restic -r /tmp/r "$@" prune',
        "cd /tmp; restic -r sftp:nas:r prune",
        "cd /tmp; borg prune --keep-daily 1 ann@nas:r",
        "ssh nas restic -r /tmp/r prune",
        "export BORG_REPO=/tmp/r; borg prune --keep-daily 7 /srv/backup",
        "duplicity remove-older-than 30D --force s3://b/a",
        f"{KOPIA}kopia repository connect s3 --bucket b; kopia maintenance run --full",
        f"{KOPIA}kopia repository connect filesystem --path=/srv/k; kopia snapshot delete x --delete",
        f"{KOPIA}KOPIA_CONFIG_PATH=~/k.cfg kopia snapshot delete x --delete",
        f"{WORK}kopia repository create filesystem --path=$w/r; kopia snapshot delete x --delete",
    ],
)
def test_backups_anywhere_else_need_a_person(line):
    assert judge(line).effect == "junction"


def test_a_script_may_prune_what_it_has_backed_up_itself():
    script = (
        '#!/bin/bash\nset -eu\nkeep=(--keep-daily 3)\nw="$(mktemp -d)"\ntrap \'rm -rf "$w"\' EXIT\n'
        'export RESTIC_REPOSITORY="{}"\nrestic init\nrestic forget "${{keep[@]}}" --prune\n'
    )
    for place, effect in (("$w/r", "allow"), ("/mnt/nas/r", "junction")):
        files = {"x.sh": script.format(place)}
        assert judged("bash x.sh", files, committed=files).effect == effect, place
