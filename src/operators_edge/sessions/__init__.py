"""One event of a session, whatever the host: a tool call before and after, a session's start and end.

Other packages import:

- ``tool_call``: ``ToolCallHandler``, the way into everything that concerns one call.
- ``start``, ``end``, ``subagent``: what happens at these moments of a session.
- ``decisions``: what a person decides, and the modes.
- ``status``, ``briefing``: the project on one screen, and the text that a new session gets.
"""
