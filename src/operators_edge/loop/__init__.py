"""The loop: one cycle of ``edge run``, its gears, and ``auto``, which repeats it at each turn's end.

Face: ``service`` (one cycle), ``auto`` (on, off, the next step for the agent, ``edge ask``), ``gears`` (which
gear fits, and when the loop stops), ``choices`` (a person's answers), ``guidance`` (what to do next in each
mode).
"""

# end of module
