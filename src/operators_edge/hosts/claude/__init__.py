"""Claude Code: its events, its settings files, its slash commands, and who typed a prompt.

- ``events``: answer one hook event, with the module for events of its kind.
- ``identity``: which client and root a session belongs to; whether a person typed a prompt.
- ``install``, ``settings_guard``, ``wiring``, ``rewire``: install the hooks and keep them installed.
- ``slash_commands``, ``prompt``: the ``/edge`` commands, and the answer to a typed one.
- ``environment``: the client's version, and git's exclude file.
"""
