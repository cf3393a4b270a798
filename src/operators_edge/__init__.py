"""Operator's Edge: a gate, a record and a memory between a coding agent and the machine.

Imports nothing: the hook imports this package on every tool call.
"""

__version__ = "0.2.0"

# end of module
