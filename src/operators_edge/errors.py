"""The errors a person can meet, and the exit code each one ends a command with.

    EdgeError              70  our bug, when raised as it is
    ├── UsageError         64  the command's arguments are wrong
    ├── NotSetUp            4  no project, hook or key, but one is needed
    ├── StateError          5  the state, the log or the registry cannot be used
    │   ├── StateDamaged    5  with file, line, column and problem
    │   ├── StateInvalid    5  the change would break an invariant
    │   └── LockHeld        5  with its holder and since when
    ├── AnswerIsNo          1  the answer of a gate or verification is no
    ├── DecisionPending     3  a person has to decide first
    └── NotHuman            1  a decision did not come from a person

A refusal of the gate is a ``Verdict``, never an exception. Exit code 2 is never used: hosts read a
2 as "block".
"""

from __future__ import annotations


class EdgeError(Exception):
    """What happened (the message), why or where (``detail``), and what to run (``hint``)."""

    exit_code = 70
    code = "internal"

    def __init__(self, message: str, *, hint: str = "", detail: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.detail = detail


class UsageError(EdgeError):
    exit_code = 64
    code = "usage"


class NotSetUp(EdgeError):
    exit_code = 4
    code = "not-set-up"


class StateError(EdgeError):
    exit_code = 5
    code = "state"


class StateDamaged(StateError):
    """The file is not what it should be; nothing was changed.

    ``line`` and ``column`` count from 1; 0 means the whole file.
    """

    code = "state-damaged"

    def __init__(
        self, path: str, problem: str, *, line: int = 0, column: int = 0, hint: str = ""
    ) -> None:
        where = f"{path}:{line}:{column}" if line else path
        super().__init__(f"{where}: {problem}", hint=hint)
        self.path = path
        self.problem = problem
        self.line = line
        self.column = column


class StateInvalid(StateError):
    code = "state-invalid"


class LockHeld(StateError):
    code = "lock-held"


class AnswerIsNo(EdgeError):
    exit_code = 1
    code = "no"


class DecisionPending(EdgeError):
    exit_code = 3
    code = "decision-pending"


class NotHuman(EdgeError):
    exit_code = 1
    code = "not-human"


class PackError(EdgeError):
    """A rule pack cannot be used: which file, which rule, and what is wrong."""

    exit_code = 64
    code = "pack"


def remedy(number: int | None, folder: str) -> str:
    """What to do about an error of the disk below a folder; "" for any other error."""
    import errno  # noqa: PLC0415 - only if something failed

    if number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return "Free some space on the disk."
    if number == errno.EROFS:
        return "The file system is read-only: mount it writable, or work in another copy."
    if number in (errno.EACCES, errno.EPERM):
        return f"Check who owns {folder} and its permissions."
    return ""


# end of module
