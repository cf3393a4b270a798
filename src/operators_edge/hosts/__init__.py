"""One thin adapter per agent host: its events become calls, our verdicts become its answers.

- ``claude``: Claude Code.
- ``typed_line``: a command typed in a host's prompt.
- ``git_exclude``: our lines in git's ``info/exclude``.
"""

# end of module
