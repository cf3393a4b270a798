"""Decisions of a person: when a call needs one, what they decided before, and what the person is shown.

Other packages import:

- ``junction``: ``resolve`` and the shapes of junctions and grants.
- ``service``: off switches, set and applied.
- ``off_switch``: what an off switch covers.
- ``messages``: what the agent, the person and the log get of a verdict.
- ``question``: a question of the agent, as a junction.
- ``card``: the decision card; ``impact``: what a call would destroy, measured.
"""

# end of module
