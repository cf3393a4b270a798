"""The decision card: the computed facts that a person decides on.

Other packages import ``service`` (``collect``, ``prepare``), ``render`` (lines) and ``model`` (types).
"""

# end of module
