"""The shell reader: finds the commands that a shell text would run, without running any.

- ``evaluate``: ``parse``, from a text to its commands
- ``commands``: the types of its result
- ``quoting``: ``mask``, a text with everything quoted made opaque
- ``wrappers``, ``wrapper_table``: which programs run other programs
- ``code``: code in other languages
- ``filters``: what filters print of known texts
"""

# end of module
