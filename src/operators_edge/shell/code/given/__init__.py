"""What of a program does not run, because the words and variables of its command are known.

Other packages import ``program``. What is not certain is left in: it may run.
"""

# end of module
