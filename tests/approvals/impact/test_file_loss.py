"""The sentences about files that would go, and whether they can be restored."""

from tests.tables import for_each

from operators_edge.approvals.impact.file_loss import FileLoss

FILES = FileLoss("delete", 12, 3_400_000)
WORK = FileLoss("discard", 3, 0)


@for_each(
    ("loss", "said"),
    [
        (
            FILES._replace(in_git={"clean": 9, "modified": 2, "ignored": 1}),
            [
                "12 files, 3.4 MB would go",
                "of them 9 git has as they are, 2 with uncommitted changes, 1 ignored by git",
            ],
        ),
        (FILES._replace(is_more=True), ["more than 12 files, 3.4 MB would go"]),
        (FILES._replace(is_at_most=True), ["at most 12 files, 3.4 MB would go"]),
        (FileLoss("overwrite", 1, 1), ["1 file, 1 byte would be overwritten"]),
        (FILES._replace(files=0), ["no file that exists"]),
        (
            FILES._replace(bytes=None, is_open=True),
            ["12 files would go, and others that cannot be known before"],
        ),
        (
            FILES._replace(histories=1),
            ["12 files, 3.4 MB would go", "with 1 git repository and all history in it"],
        ),
        (FileLoss("delete", devices=2), ["2 devices and everything on it"]),
        (
            FILES._replace(git_problem="too slow"),
            ["12 files, 3.4 MB would go", "what git has of them is not known: too slow"],
        ),
        (WORK._replace(in_git={"modified": 3}), ["uncommitted changes in 3 files would go"]),
        (
            WORK._replace(
                in_git={"modified": 1, "untracked": 2, "ignored": 1}, bytes=9, is_more=True
            ),
            [
                (
                    "at least uncommitted changes in 1 file and 2 untracked files and 1 ignored"
                    " file (9 bytes) would go"
                )
            ],
        ),
        (WORK._replace(files=0), ["nothing: there is no such uncommitted work"]),
        (
            WORK._replace(is_index=True),
            ["nothing but what is staged; the files stay as they are"],
        ),
    ],
)
def test_what_is_known_of_files_is_said_in_words(loss, said):
    assert loss.at_stake() == said


@for_each(
    ("loss", "has_snapshot", "can"),
    [
        (FILES._replace(in_git={"clean": 12}), False, "yes"),
        (FILES._replace(in_git={"clean": 2, "untracked": 10}), False, "partly"),
        (FILES._replace(in_git={"untracked": 12}), False, "no"),
        (FILES._replace(in_git={"untracked": 2, "ignored": 10}), True, "yes"),
        (FILES._replace(in_git={"untracked": 2, "outside": 10}), True, "partly"),
        (WORK._replace(in_git={"untracked": 2, "ignored": 1}), True, "partly"),
        (WORK._replace(in_git={"untracked": 3}, is_index=True), False, "yes"),
        (FILES._replace(in_git={"clean": 12}, histories=1), True, "no"),
        (FILES._replace(in_git={"clean": 12}, is_more=True), False, "unknown"),
        (FILES._replace(files=0), False, "yes"),
        (FILES._replace(in_git={"outside": 12}, is_more=True), False, "no"),
        (FileLoss("delete", devices=1), True, "no"),
    ],
)
def test_whether_files_can_be_restored_depends_on_git_and_the_snapshot(loss, has_snapshot, can):
    assert loss.impact(has_snapshot=has_snapshot).can == can
