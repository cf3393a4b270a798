"""The ``edge`` command: parses arguments, runs one command, prints text or JSON.

- ``main``: the entry point; errors become texts and exit codes.
- ``command``: how a command is declared; ``nouns``: which there are.
- ``typed``: a command typed in a client.
- ``person``: whether a person runs a command.
"""

# end of module
