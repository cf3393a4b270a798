"""The resident, which answers tool calls without the start of an interpreter, and the http transport.

- ``lifecycle``: when a hook starts the resident. ``control``: start, query, stop and switch it off.
- ``http_client``: the http server as other processes see it: its state, and starting it.
- ``http_watch``: check the transport at prompts and turn ends; go back to processes if it fails.
- ``server``, ``http_server``: the two programs themselves, started by ``hook_local``.
"""

# end of module
