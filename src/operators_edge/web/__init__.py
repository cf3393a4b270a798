"""The dashboard: a page on this machine, live, on which a person reads what happens and decides.

Other packages import ``control``: starting, stopping and querying it, and links to it. It is a process of its
own, never the resident: what parses a browser's requests must not share a process with the gate.
"""

# end of module
