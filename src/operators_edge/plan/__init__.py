"""The plan: objective, intent, steps and the lists next to them, and which mode applies.

Other packages import:

- ``edits``, ``notes``: edits of the state, each with an ``EditResult``.
- ``service``: ``write``, which applies an edit and logs it in one transaction.
- ``modes``: the current mode, and which changes of mode are allowed.
- ``steps``: the plan's steps as typed tuples, and what their text says about the work.
"""

# end of module
