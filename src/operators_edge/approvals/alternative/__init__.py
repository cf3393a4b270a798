"""What an agent or a person can do instead of a risky call, computed for that call.

Other packages import ``service`` (``filled``).
"""

# end of module
