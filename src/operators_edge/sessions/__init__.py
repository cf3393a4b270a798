"""One event of a session, whatever the host: a tool call before and after, a session's start and end.

Other packages import:

- ``context``: ``EventContext``, which handling any event needs.
- ``before_call``, ``after_call``: what happens before and after a tool call.
- ``start``, ``end``, ``subagent``, ``prompt``: what happens at these moments of a session.
- ``decisions``: what a person decides, and the modes.
- ``status``, ``briefing``: the project on one screen, and the text that a new session gets.
"""

# end of module
