"""Claude Code: its events, its settings files, its slash commands, and who typed a prompt.

- ``events``: answer one hook event, with the module for events of its kind.
- ``identity``: which client and root a session belongs to; whether a person typed a prompt.
- ``install``, ``settings_files``, ``wiring``, ``rewire``: install the hooks.
- ``settings_guard``, ``foreign``: keep them in a session, and others out.
- ``slash_commands``, ``prompt``: the ``/edge`` commands, and the answer to a typed one.
- ``environment``: the client's version, and git's exclude file.
"""

# end of module
