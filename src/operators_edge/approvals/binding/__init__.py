"""What a person's approval is bound to: facts measured when a call is shown, when it runs, and afterwards.

Others import ``service`` (measures), ``bound`` (facts, their stored form and their comparison) and ``store``
(what was shown of a call that may run now, and differences that a person has not seen).
"""

# end of module
