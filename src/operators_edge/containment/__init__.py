"""Containment: the operating system keeps an agent's commands inside the project (SE-2).

Face: ``policy`` (what a contained command may write, see and reach), ``service`` (the policy of a project on
this machine, a command that runs under it), ``store`` (whether a project is contained), ``relay`` (how a
contained ``edge`` reaches the product outside), ``probe`` (trying what holds), ``network`` (listed hosts for
a command without a network). How a client's own sandbox gets the policy is in ``hosts``.
"""

# end of module
