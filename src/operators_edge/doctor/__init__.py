"""``edge doctor``: whether the installation works, checked by trying.

Face: ``checks`` (everything that is checked), ``check`` (what one check finds), ``resident`` (starting the
http server that a project uses).
"""

# end of module
