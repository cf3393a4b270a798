"""The gate: gives each tool call a verdict, from rules in ``packs/*.toml`` and facts about the machine.

- ``decide``: the verdict on a call
- ``rules``: loads the compiled rules; ``rule_types`` has their types
- ``prefilter``: whether a text must be parsed at all
- ``fingerprint``: when two calls are the same
- ``facts``: what rules ask about the machine, and the place of a call
- ``paths``: kinds of path; the context of a call
- ``pack_schema``, ``pack_compiler``, ``examples``: checking and compiling packs, and their examples
- ``invocation``, ``conditions``: how a command's words are understood
- ``disk``: what a command runs from disk
- ``own``: what a line, a script or a program has made itself
"""

# end of module
