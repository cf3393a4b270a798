"""What a call would destroy, lose or publish, measured on this machine.

Other packages import ``measure`` (``measure``) and ``report`` (types).
"""

# end of module
